// The script with which a node checks itself before it takes work. It holds the core, which is built into dtc, and the
// record, which says what the node should have. It also holds what happens to a node that has something else.
// stdlib/node/preflight.sh describes it.
#pragma once

#include "emitters/emitter.h"
#include "emitters/node/userdata.h"

typedef struct {
    const char *target; // "batch": stdlib/node/check-batch.sh
    Str taints;         // EKS only: the author's taints, as the kubelet takes them; empty where there are none
    Str parameter;      // of Systems Manager: on EKS it switches the check off, and below it nodes that fail count
    bool is_watched;    // nodes look again by a timer while they take work; needs room, and `has_agent`
    bool is_counted;    // nodes that fail count themselves; needs room, unless what follows the first stage is fetched
    bool is_fetched;    // what is written is what follows the first stage, for nodes to fetch
    bool has_agent;     // a unit of systemd takes work, so that the check can run in front of it
    bool is_tight;      // user data has no room for the core as a script that people can read
    bool has_both;      // holds the cores of both architectures, since only the node knows its own
    Str second;         // the URL of a script with what follows the first stage; empty: that travels in this one
    Str second_sha256;
    Str program; // the URL of dtc-collective, which asks drivers; empty: nobody does
    Str program_sha256;
    Arena *arena; // that the script is put into; NULL: the session's
} PreflightCarrier;

// A program that nodes fetch from `artifacts`.
typedef struct {
    Str file; // "dtc-collective.x86_64"
    Str bytes;
    Str sha256;
} NodeProgram;

// The script of a group whose nodes check themselves; ends with a line end. A core of
// `output->core_directory` that cannot be used is reported, once.
Str preflight_script(Session *session, Output *output, const PlanNodes *nodes, PreflightCarrier carrier);

// What follows the first stage, for nodes to fetch: all but the script that says where it is.
Str preflight_second(Arena *arena, const PlanNodes *nodes, PreflightCarrier carrier);

// dtc-collective for an architecture: dtc's own, or the one in `output->core_directory`.
NodeProgram preflight_collective(Session *session, Output *output, Architecture architecture);

// Adds the script to user data, as a part that runs at every boot.
void preflight_add_part(Session *session, Output *output, const PlanNodes *nodes, PreflightCarrier carrier,
                        UserDataParts *parts);

// The taint with which nodes of a group on EKS join until their check has passed. Empty where they need none.
Str preflight_taint(const PlanNodes *nodes);

// The parameter of Systems Manager by which the check of a group's nodes on EKS is switched off: "/dtc/CLUSTER/GROUP".
Str preflight_switch(Arena *arena, const PlanNodes *nodes);

// The place that messages about a group's check point to: its `validate`, or else its name.
Span preflight_span(const PlanNodes *nodes);
