// The release that this is, or that comes next. It stands here and nowhere else. Outputs hold it, so it stays between
// releases. `dtc version` and packages say which commit it is, too: version.sh.
#pragma once

#define DTC_VERSION "0.1.0"
#define DTC_EDITION "1" // of the language, newest one understood
