// Rules about Services in all files that were given together.
#pragma once

#include "compiler/plan/rules/together.h"

// Adds Services, their ports, and what those without an address select.
void services_add_made(MadeObjects *made, const Plan *plan);

// Reports pods that ask a Service for a port that it has not, and a StatefulSet that names another one than that of its pods.
void services_check(Session *session, const Plan *plan, const FilesTogether *together);
