// The version of this dtc. It stands here and nowhere else.
#pragma once

#define DTC_VERSION "0.1.0"
#define DTC_EDITION "1" // of the language, newest one understood
