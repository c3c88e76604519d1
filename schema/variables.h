// The table of variables of NCCL, aws-ofi-nccl, libfabric and Neuron (variables.def), and questions about it.
#pragma once

#include "schema/instance.h"

typedef enum { VERDICT_NEEDED, VERDICT_IDLE, VERDICT_HARMFUL, VERDICT_FATAL } VariableVerdict;

typedef enum {
    VALUE_IS,
    VALUE_ONE_OF,
    VALUE_NOT_ONE_OF,
    VALUE_LETS,
    VALUE_LACKS,
    VALUE_BEGINS,
    VALUE_ENDS,
    VALUE_ANY,
    NAME_BEGINS,
} VariableTest;

// Where a job runs: bits.
enum {
    PLACE_NODES = 1 << 0, // several nodes
    PLACE_EFA = 1 << 1,   // with EFA interfaces
    PLACE_FABRIC = PLACE_NODES | PLACE_EFA,
    PLACE_NVIDIA = 1 << 2,
    PLACE_NEURON = 1 << 3,
    PLACE_READS = 1 << 4,
    PLACE_READS_NOT = 1 << 5,
    PLACE_WRITES = 1 << 6,
    PLACE_WRITES_NOT = 1 << 7,
    PLACE_RAILS = 1 << 8,
    PLACE_AL2023 = 1 << 9,
    PLACE_P = 1 << 10,
    PLACE_BITS = 11,
};

typedef struct {
    const char *name;
    VariableVerdict verdict;
    VariableTest test;
    const char *values; // with commas between
    unsigned places;
    const char *library; // what `since` and `until` count; empty: they are, too
    const char *since;
    const char *until;
    const char *reason;
    const char *source;
    bool is_given; // dtc gives it to a job that needs it
} VariableRow;

enum {
#define GIVEN(name, ...) VARIABLE_GIVEN_##name,
#include "schema/variables.def"
    VARIABLE_GIVEN_COUNT
};

// In the order of the file; NULL behind the last one.
const VariableRow *variable_row(int number);

// What the row says of a variable of that name and value, if the place is right.
bool variable_row_is(const VariableRow *row, Str name, Str value);

// Those of an instance type: what its accelerators are, and what its EFA can do.
unsigned variable_places(const InstanceRow *row);

// "libfabric 1.18 and later"; empty where the row holds for all.
Str variable_releases(Arena *arena, const VariableRow *row);

// For people: "needed"; what the value is, such as "1, true, yes or on"; "several nodes with EFA, NVIDIA GPUs".
const char *variable_verdict_name(VariableVerdict verdict);
Str variable_value_text(Arena *arena, const VariableRow *row);
Str variable_place_text(Arena *arena, const VariableRow *row);
