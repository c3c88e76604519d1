// What is said of a block, which an `allow` in it, or in one that holds it, may silence.
#pragma once

#include "compiler/plan/model/plan.h"

// Whether the block, or one that holds it, has an `allow` of the code. That one counts as used.
bool plan_allows(const Block *block, DiagId id);

// As report(), about a block: an `allow` of the code in the block, or in one that holds it, silences it.
Diag *plan_report(Session *session, const Block *block, Span span, DiagId id, const char *format, ...)
    PRINTF_LIKE(5, 6);

// The same of a fault whose cause is outside of the block, for which the words name the cause alone: said of the first
// block that it concerns, and of no other.
Diag *plan_report_once(Session *session, const Block *block, Span span, DiagId id, const char *format, ...)
    PRINTF_LIKE(5, 6);

// After everything that can report: each `allow` that silenced nothing.
void plan_check_allows(Session *session, const Plan *plan);
