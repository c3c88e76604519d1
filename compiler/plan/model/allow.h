// What is said about a subject, which an `allow` in it, or in one around it, may silence.
#pragma once

#include "compiler/plan/model/plan.h"

// Whether the subject, or one around it, has an `allow` of the code. That one counts as used.
bool plan_allows(const Subject *subject, DiagId id);

// As report(), about a subject: an `allow` of the code in it, or in one around it, silences it.
Diag *plan_report(Session *session, const Subject *subject, Span span, DiagId id, const char *format, ...)
    PRINTF_LIKE(5, 6);

// As plan_report(), where the cause is outside of the subject and the words name the cause alone: it is said of the first
// subject that it concerns, and of no other.
Diag *plan_report_once(Session *session, const Subject *subject, Span span, DiagId id, const char *format, ...)
    PRINTF_LIKE(5, 6);

// After everything that can report: each `allow` that silenced nothing.
void plan_check_allows(Session *session, const Plan *plan);
