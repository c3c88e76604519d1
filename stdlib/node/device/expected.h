// What the record says of this node's devices.
#pragma once

#include "stdlib/node/contract.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EXPECTED_NAME_BYTES = 64 };

typedef struct Expected {
    char text[NODE_RECORD_BYTES_MAX + 1]; // the record; empty: there is none
    char group[EXPECTED_NAME_BYTES];
    char type[EXPECTED_NAME_BYTES];
    uint32_t gpus, neurons, efas; // 0: none, or unknown
    bool has_fabric_manager;
    const char *peers; // addresses, up to the end of the line; NULL: none
    uint32_t peer_port, peer_ms;
} Expected;

// One line of the record, by its key: its values, and whether it only warns. False: there is no such line.
typedef struct ExpectedLine {
    bool only_warns;
    char values[NODE_LINE_BYTES_MAX + 1];
} ExpectedLine;

bool expected_line(const Expected *expected, ExpectedLine *line, const char *key);

// False where the text is no record, with a reason.
bool expected_read(Expected *expected, const char *text, size_t len, char *reason, size_t reason_size);
bool expected_load(Expected *expected, const char *path, char *reason, size_t reason_size);
