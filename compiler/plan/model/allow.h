// Reports about a subject. An `allow` in the subject, or in one around it, silences such a report.
#pragma once

#include <stdarg.h>

#include "compiler/plan/model/plan.h"

// Whether the subject, or one around it, has an `allow` of the code. That one counts as used.
bool plan_allows(const Subject *subject, DiagId id);

// Of two things that a finding is about: the one that allows it, the first where neither does.
const Subject *plan_either(const Subject *first, const Subject *second, DiagId id);

// What a finding at a place of a group is about: where it stands; or the group or its job, where that is what allows it.
const Subject *plan_subject_at(const PlanGroup *group, Span place, DiagId id);

// Like report(), about a subject. An `allow` of the code in the subject, or in one around it, silences the report.
Diag *plan_report(Session *session, const Subject *subject, Span span, DiagId id, const char *format, ...)
    PRINTF_LIKE(5, 6);

// After a report about what stands at a place of a group. What it has from elsewhere, a launch template or a queue, is wrong
// for each group that has it from there, and is said once: labels name those groups.
void plan_tell_sharers(Session *session, const PlanGroup *group, Diag *diag, Span place, DiagId id);

Diag *plan_report_list(Session *session, const Subject *subject, Span span, DiagId id, const char *format,
                       va_list arguments);

// Like plan_report(), for a cause outside of the subject, with words that name only the cause. It is reported for the
// first subject that it concerns, and for no other.
Diag *plan_report_once(Session *session, const Subject *subject, Span span, DiagId id, const char *format, ...)
    PRINTF_LIKE(5, 6);

// Hides a report where an earlier one that is shown says the same of another place in the file: a word that stands for a
// value stands there as often as the value is needed. The same message, or the same code at the same word.
void plan_say_once(Session *session, Diag *diag);

// Reports each `allow` that silenced nothing. Call it after everything that can report.
void plan_check_allows(Session *session, const Plan *plan);
