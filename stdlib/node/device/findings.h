// The checks of the second stage, as the verdict has them. They lie in memory that a child shares, so that what a child
// found stays when it hangs; it only counts what was put whole.
#pragma once

#include "stdlib/node/collective/text.h"
#include "stdlib/node/contract.h"

#include <stdint.h>

#define NODE_DEVICE_CHECK(ID, id, want, class, text) DEVICE_##ID,
typedef enum DeviceCheck { NODE_DEVICE_CHECKS(NODE_DEVICE_CHECK) DEVICE_CHECKS } DeviceCheck;
#undef NODE_DEVICE_CHECK

typedef enum Level { LEVEL_PASS, LEVEL_WARN, LEVEL_FAIL, LEVEL_SKIP, LEVELS } Level;

enum {
    FINDING_AT_BYTES = 128,
    FINDING_GOT_BYTES = 4 * NODE_TEXT_BYTES_MAX,
    FINDING_DEVICE_BYTES = 32,
    CURRENT_BYTES = 96
};

#define FINDINGS_MIG "a GPU is in MIG mode" // why a check is skipped

typedef struct Findings {
    char room[NODE_VERDICT_BYTES_MAX - 1024]; // for the head and the tail of the verdict
    size_t len;                               // of what was put whole
    uint32_t counts[LEVELS];
    uint32_t hardware_fails;
    char current[CURRENT_BYTES]; // what a child is about to ask
    bool has_mig;                // a GPU is divided into instances
} Findings;

// One check on its way. It begins as { .check = …, .want = … }.
typedef struct Finding {
    DeviceCheck check;
    const char *want; // NULL: as the table has it
    Level level;
    char at[FINDING_AT_BYTES];
    char got[FINDING_GOT_BYTES];
    size_t got_len;
    uint32_t devices;                       // that were looked at
    uint32_t failed;                        // of those, however many faults each has
    char last_failed[FINDING_DEVICE_BYTES]; // one device's faults stand together
    bool is_of_image;                       // whatever its class
} Finding;

// A device was looked at; of that and the next faults it is one.
void finding_look(Finding *finding);

// Puts DEVICE=WHAT, and raises the level.
void finding_fault(Finding *finding, Level level, const char *device, const char *format, ...) PRINTF_LIKE(4, 5);

// Puts DEVICE=WHAT, and leaves the level.
void finding_note(Finding *finding, const char *device, const char *format, ...) PRINTF_LIKE(3, 4);

void findings_put(Findings *findings, const Finding *finding);
void findings_skip(Findings *findings, DeviceCheck check, const char *why);

const char *findings_id(DeviceCheck check);
