// Reads the rows of schema/instances/<family>.yaml, and of files in that format that `--schema` names. schema/README.md
// says what their columns mean. Only this file reads them; schemagen prints the result as C.
#pragma once

#include "compiler/base/data.h"
#include "compiler/base/vec.h"
#include "schema/instance.h"
#include "schema/row_cells.h"

// The columns of a type, in the order in which rows have them.
enum {
    COLUMN_ARCHITECTURE,
    COLUMN_VCPUS,
    COLUMN_CORES,
    COLUMN_THREADS_PER_CORE,
    COLUMN_MEMORY_MIB,
    COLUMN_ACCELERATOR,
    COLUMN_NETWORK_GBPS,
    COLUMN_NETWORK_CARDS,
    COLUMN_CARDS,
    COLUMN_EFA,
    COLUMN_NVME,
    COLUMN_PLACEMENT_CLUSTER,
    COLUMN_CAPACITY,
    COLUMN_DRIVER,
    COLUMN_UNPRICED,
    COLUMN_ULTRASERVER,
    COLUMN_ONLY_ZONE,
    COLUMN_LAYOUTS,
    COLUMN_STATUS,
    COLUMN_SOURCES,
    COLUMN_NOTE,
    COLUMN_UNVERIFIED,
    COLUMN_COUNT
};

extern const Column INSTANCE_COLUMNS[COLUMN_COUNT];

typedef struct {
    InstanceRow *row;
    Span span;        // of its name
    bool knows_cards; // EC2 said which interfaces each card takes; elsewise `takes` is dtc's own reading
} ReadInstance;

typedef VEC(ReadInstance) ReadInstances;

// Adds a row for each type of a file that was read as a map. What is wrong is reported; a row whose columns are as they
// should be is added even then. Texts are in the session's arena. `offered` and `origin` are left to the caller.
void rows_read(Session *session, const Data *file, ReadInstances *rows);

// Whether a fact is missing that every current type has.
bool instance_has_gap(const InstanceRow *row);

// What texts of a row mean; the other format has them too.
AcceleratorKind accelerator_kind(Str vendor); // of "NVIDIA", "AWS", or anybody else
int mbps_of(Str gbps); // "0.75" -> 750; three decimals at most, UNKNOWN where it is no such number

// ---- row_cards.c: network cards, and the layouts of interfaces on them

typedef struct {
    int interfaces_max; // UNKNOWN: no source says
    unsigned takes;     // bits of CardCapability
    bool is_set;
} Card;

typedef struct {
    Card items[CARDS_MAX];
    int count; // 0: no source says
} Cards;

// Reads the column `cards`; false, reported, where it contradicts itself or `network_cards`.
bool cards_read(Session *session, const Data *cell, int64_t network_cards, Cards *cards);

// Gives a row its cards, as runs.
void cards_put(Arena *arena, const Cards *cards, InstanceRow *row);

// Reads the column `layouts` (may be NULL) into a row whose other columns are read.
void layouts_read(Session *session, const Data *cell, const Data *sources, const Cards *cards, InstanceRow *row);
