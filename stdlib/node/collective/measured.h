// Published measurements of all-reduces over GPUs. schemagen writes the .c from schema/collectives.yaml.
#pragma once

#include <stdint.h>

typedef struct Measured {
    const char *type;    // of instances
    uint32_t interfaces; // of EFA, of a node
    uint32_t nodes;
    uint32_t ranks;                // of all nodes together, each with a GPU
    uint64_t bytes;                // of a message
    uint32_t megabytes_per_second; // bus bandwidth; of 1,000,000 bytes
    const char *source;            // with its month
} Measured;

extern const Measured MEASURED_ROWS[];
extern const uint32_t MEASURED_ROW_COUNT;
extern const uint32_t MEASURED_FLOOR_PERCENT; // what of a measurement others have to reach
