// The script by which a node checks itself before it takes work: the core that is built into dtc, what the node is
// expected to have, and what becomes of it where it has something else. stdlib/node/preflight.sh says what stands in
// it.
#pragma once

#include "emitters/emitter.h"
#include "emitters/userdata.h"

typedef struct {
    const char *target; // "batch": stdlib/node/check-batch.sh
    Str taints;         // of the author, as the kubelet takes them; of EKS alone, and empty without
    Str parameter;      // of Systems Manager, by which the check is switched off; of EKS alone
    bool has_agent;     // a unit of systemd takes work
    bool is_tight;      // user data has no room for a script that people can read
    bool has_both;      // the cores of both architectures: it is known only on the node which one it is
    Arena *arena;       // of the script; NULL: the session's
} PreflightCarrier;

// A program that nodes fetch, as it is.
typedef struct {
    Str file; // "dtc-collective.x86_64"
    Str bytes;
    Str sha256;
} NodeProgram;

// The script of a group whose nodes check themselves; ends with a line end. A core of
// `output->core_directory` that cannot be used is reported, once.
Str preflight_script(Session *session, Output *output, const PlanNodes *nodes, PreflightCarrier carrier);

// What nodes of a group measure each other with: dtc's own, or that of `output->core_directory`.
NodeProgram preflight_collective(Session *session, Output *output, const PlanNodes *nodes);

// Adds it to user data as its last part.
void preflight_add_part(Session *session, Output *output, const PlanNodes *nodes, PreflightCarrier carrier,
                        UserDataParts *parts);

// The taint that nodes of a group on EKS join with where their check has not run; empty where none is asked for.
Str preflight_taint(const PlanNodes *nodes);

// The parameter of Systems Manager by which the check of a group's nodes on EKS is switched off: "/dtc/CLUSTER/GROUP".
Str preflight_switch(Arena *arena, const PlanNodes *nodes);

// Where messages about a group's check point.
Span preflight_span(const PlanNodes *nodes);
