// How a node of each operating system starts on EKS, and which fields it honours then. dtc compares what an author asks
// for with this table, and never writes a field that the system does not honour.
#pragma once

#include "compiler/base/base.h"
#include "compiler/base/str.h"

typedef enum {
    BOOTSTRAP_COMMANDS,    // eksctl's preBootstrapCommands
    BOOTSTRAP_OVERRIDE,    // eksctl's overrideBootstrapCommand
    BOOTSTRAP_NODE_CONFIG, // nodeadm's NodeConfig, in the user data
    BOOTSTRAP_SCRIPTS,     // scripts in the user data of a launch template
    BOOTSTRAP_HOLD,        // a script that fails can keep the node from joining
    BOOTSTRAP_IMAGE,       // an image of the author's joins without a script of the author's
    BOOTSTRAP_TEMPLATE,    // EKS has an image where a launch template names none
    BOOTSTRAP_FIELD_COUNT
} BootstrapField;

typedef struct {
    const char *os;
    BootstrapField field;
    bool is_honoured;
    const char *how;    // in a word or two, for people
    const char *since;  // "eksctl 0.198.0": the release from which on; NULL: all that this dtc knows
    const char *source; // with its month
} BootstrapCell;

extern const BootstrapCell BOOTSTRAP_CELLS[];
extern const size_t BOOTSTRAP_CELL_COUNT;

// What a field is called, as whoever reads it calls it.
const char *bootstrap_field_name(BootstrapField field);

// NULL for a system that EKS has no nodes of, which is reported where it is written.
const BootstrapCell *bootstrap_cell(Str os, BootstrapField field);

// Whether the field says something there; of a system that is reported elsewhere, too.
bool bootstrap_honours(Str os, BootstrapField field);
