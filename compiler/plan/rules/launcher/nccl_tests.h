// The GPUs that processes of nccl-tests take.
#pragma once

#include "compiler/plan/model/launcher.h"
#include "compiler/plan/rules/rules.h"

// What starts them on each node. Numbers are -1 where nobody knows them.
typedef struct {
    int64_t processes;
    int64_t gpus;
    Span gpus_span;   // SPAN_NONE: nothing is shown
    const char *what; // "node"
} NcclTestsPlace;

void nccl_tests_check(const Rules *rules, const Subject *subject, const PlanLauncher *launcher,
                      const NcclTestsPlace *place);
