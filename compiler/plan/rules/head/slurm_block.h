// What is said of a Capacity Block whose nodes come and go.
#pragma once

#include "compiler/plan/rules/rules.h"

// Reports `low` to `high` nodes, written at `count`, of a Capacity Block that `capacity` names. The caller adds a way out.
Diag *slurm_report_block(const Rules *rules, const Subject *subject, Span count, Span capacity, int64_t low,
                         int64_t high);
