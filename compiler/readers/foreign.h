// Reads files that dtc did not write, and lifts them into a Plan, over which the rules run.
#pragma once

#include "compiler/base/session.h"
#include "compiler/plan/model/plan.h"

// What a file is. The content decides.
typedef enum {
    FOREIGN_NONE, // none that dtc reads: it was passed over
    FOREIGN_CLOUDFORMATION,
    FOREIGN_PARALLELCLUSTER,
    FOREIGN_KUBERNETES,
} ForeignKind;

// One way in which what a file describes may come to be; a rule that finds the same thing in two says it once.
typedef VEC(const Plan *) ForeignPlans;

// Adds the plans of a file. A file of another kind gives FOREIGN_NONE and reports nothing. One that is YAML no longer,
// and looks like one of ours, is reported.
ForeignKind foreign_read(Session *session, uint32_t source, ForeignPlans *plans);
