// Rules about claims of volumes, and the classes in files beside theirs.
#pragma once

#include "compiler/plan/rules/together.h"

// What a class says of the sizes of its volumes. What it does not say is 0.
typedef struct MadeClass {
    int64_t step;     // of Lustre by EFA, in GiB
    int64_t rate;     // of that, in MB a second for each TiB
    const char *type; // of a volume of EBS; NULL: it is none
    int64_t iops;
} MadeClass;

// Adds the classes of volumes of a plan.
void classes_add_made(MadeObjects *made, const Plan *plan);

// Reports claims of a size that the driver of their class does not make.
void classes_check(Session *session, const Plan *plan, const FilesTogether *together);
