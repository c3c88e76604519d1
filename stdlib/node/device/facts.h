// What devices and the kernel say where something is broken. schemagen writes the rows from schema/device_faults.yaml
// and schema/devices.yaml.
#pragma once

#include <stdint.h>

enum { DEVICE_TEXTS_MAX = 3 };

typedef struct DeviceXid {
    uint32_t code;
    const char *action; // "reset", "reboot", "repair" or "flow"
} DeviceXid;

typedef struct DeviceMessage {
    const char *check;                   // its id
    const char *level;                   // NODE_FAIL or NODE_WARN
    const char *texts[DEVICE_TEXTS_MAX]; // all of which stand in the message; NULL behind the last
} DeviceMessage;

typedef struct DeviceMemory {
    const char *gpu; // its name, as NVML has it
    uint64_t megabytes_per_second;
    const char *source;
} DeviceMemory;

extern const DeviceXid DEVICE_XIDS[];
extern const uint32_t DEVICE_XID_COUNT;
extern const uint32_t DEVICE_SXIDS[]; // that are not fatal, and still ask for something
extern const uint32_t DEVICE_SXID_COUNT;
extern const DeviceMessage DEVICE_MESSAGES[];
extern const uint32_t DEVICE_MESSAGE_COUNT;
extern const DeviceMemory DEVICE_MEMORIES[];
extern const uint32_t DEVICE_MEMORY_COUNT;
extern const uint32_t DEVICE_MEMORY_FLOOR_PERCENT;

// The most that a GPU may count: a row each.
extern const uint64_t DEVICE_MOST_ecc_volatile;
extern const uint64_t DEVICE_MOST_nvlink_errors;
extern const uint64_t DEVICE_MOST_nvlink_crc_per_second;
extern const uint64_t DEVICE_MOST_pcie_replays_per_minute;
