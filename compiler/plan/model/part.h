// A part of what somebody declared: what all kinds have in common. A rule about every text, output, patch or raw
// resource asks this, and need not know whether the part is a network or a job. Each block of infra.dt is a part.
#pragma once

#include "compiler/semantics/extra.h"
#include "compiler/semantics/subject.h"

typedef struct PlanPart PlanPart;
typedef VEC(const PlanPart *) PlanParts;

// A raw resource of the part, or an attribute of one, that another file names.
typedef struct {
    const Resource *resource;
    Str attribute; // empty: its Ref
} PlanExport;

struct PlanPart {
    const Subject *subject; // what findings are about
    const KindRow *kind;    // has a row for each attribute of the subject
    Str name;               // empty: of a nested kind, without a label
    const Origin *origin;   // of its being there: its name
    const PlanPart *outer;  // the one around it; NULL at file level
    PlanParts inner;        // those in it
    TargetSet target;       // of a cluster; 0 else
    bool is_used;           // stands in a used file: this build does not make it
    bool is_named;          // something refers to it, or to another thing of its name
    BlockOutputs outputs;
    Resources resources;
    BlockPatches patches;
    VEC(PlanExport) exports; // in the order in which they are named

    // What is planned. A cluster is also that of its groups and its jobs; the others are the part's own.
    const struct PlanCluster *cluster;
    const struct PlanNodes *nodes;
    const struct PlanNetwork *network;
    const struct PlanImage *image;
    const struct PlanBucket *bucket;
    const PlanPart
        *stack; // whose stack holds what the part makes: a group's and a job's is the cluster, an image's may be
};

// Whether the part is of a kind: KIND_NODES.
bool part_is(const PlanPart *part, int kind);

// The name of an attribute: "efa" of NODES_EFA.
const char *part_attribute(const PlanPart *part, int attribute);

// The part at file level that this one is, or is in.
const PlanPart *part_root(const PlanPart *part);
