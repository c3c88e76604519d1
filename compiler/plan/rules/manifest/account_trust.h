// Service accounts beside the trust policies of their roles, in files that were given together.
#pragma once

#include "compiler/plan/rules/together.h"

// Reports a ServiceAccount whose role lets another account take it. Nothing of other objects.
void together_check_account(Session *session, const PlanObject *object, const FilesTogether *together);
