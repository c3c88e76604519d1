// What is judged of a container and of the one group of nodes that it runs on.
#pragma once

#include "compiler/plan/rules/rules.h"

// Reports an image that is made for other devices than the type has. `row_span` is the place of what names the type.
void workload_check_image(Session *session, const PlanWorkload *workload, const InstanceRow *row, Span row_span);

// Reports a user who cannot lock memory for EFA there, and, of a container that names no type, an image for other devices.
void workload_check_on_group(Session *session, const PlanWorkload *workload, const PlanGroup *group);
