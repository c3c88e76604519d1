// Objects of API versions that nobody serves any more: the rows of schema/gone_versions.def.
#pragma once

#include "compiler/plan/model/object.h"
#include "compiler/plan/rules/rules.h"

// Reports an object whose version is gone. True where it is: nothing else is to be said of its type.
bool object_check_gone(const Rules *rules, const PlanObject *object);
