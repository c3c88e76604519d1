// Messages of the kernel, and which of them say that something is broken.
#pragma once

#include "stdlib/node/device/expected.h"
#include "stdlib/node/device/findings.h"
#include "stdlib/node/device/host.h"

enum { LOG_DEVICE_BYTES = 32, LOG_WHAT_BYTES = 64 };

typedef struct LogFault {
    DeviceCheck check;
    Level level;
    char device[LOG_DEVICE_BYTES]; // "0000:53:00", "nvme1", or "kernel" where the message names none
    char what[LOG_WHAT_BYTES];     // "79:reboot", or the text that gave it away
} LogFault;

// Judges one message, without its line feed. False: it says nothing of the kind.
bool log_judge(const char *message, LogFault *fault);

// Reads the log, and puts a check for each kind of fault that this node can have.
void log_check(Findings *findings, const Host *host, const Expected *expected);
