// Checks a finished template: every reference must find what it names.
#pragma once

#include "emitters/cloudformation/template/extras.h"

// After the patches, which are the only way for a template to lose what it refers to; raw resources can wait for each
// other in a circle. Reports each fault once, at the patch or the resource that it comes from.
void references_check(Stack *stack, const ExtrasPatches *patches);
