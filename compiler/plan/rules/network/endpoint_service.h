// Which service a VPC endpoint of a template is for, as far as it is written.
#pragma once

#include "compiler/base/data.h"

// What stands behind the region in `ServiceName`: "ecr.dkr". Empty where it is another name, or not known. `properties` may
// be NULL.
Str endpoint_service(const Data *properties);

// One of endpoints.def: nodes call it, on port 443.
bool endpoint_is_known(Str service);

// The one of endpoints.def that differs in its dots and hyphens alone; empty: there is none.
Str endpoint_meant(Str service);
