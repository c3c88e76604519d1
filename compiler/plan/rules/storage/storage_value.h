// What the rules about file systems and volumes say of a value that the service does not take.
#pragma once

#include "compiler/plan/rules/rule_field.h"

// Reports the value; `fault` is why. The caller adds a way out.
Diag *storage_bad_value(const Rules *rules, const Subject *subject, const PlanField *field, Str fault);
