// The bandwidth that a benchmark must reach, and where that number comes from.
#pragma once

#include "stdlib/node/collective/benchmark.h"
#include "stdlib/node/collective/measured.h"

enum { FLOOR_WHY_BYTES = 160 };

typedef enum FloorFrom { FLOOR_NONE, FLOOR_OPTION, FLOOR_RECORD, FLOOR_MEASUREMENT } FloorFrom;

// What is known beside the output.
typedef struct FloorHints {
    bool is_given; // on the command line
    double given_gbs;
    double record_gbs;   // 0: none
    const char *type;    // of instances; empty: unknown
    uint32_t nodes;      // 0: as many as the output says
    uint32_t interfaces; // of EFA, of a node; 0: unknown
} FloorHints;

typedef struct Floor {
    FloorFrom from;
    double gbs;                // 0: there is none
    const Measured *measured;  // of FLOOR_MEASUREMENT; NULL of others
    char why[FLOOR_WHY_BYTES]; // of FLOOR_NONE: what stands against one
} Floor;

// The first that there is: the floor that was given, the record's, and MEASURED_FLOOR_PERCENT of the measurement of the
// same type, interfaces, nodes and ranks, with the largest messages of a size that the benchmark has a row of.
Floor floor_choose(const FloorHints *hints, const Benchmark *benchmark);

// Appends it as a member of a JSON object, with a comma behind it.
void floor_put(const Floor *floor, Text *text);
