// The one place that says which dtc this is.
#pragma once

#define DTC_VERSION "0.1.0"
#define DTC_EDITION "1" // of the language, newest one understood
