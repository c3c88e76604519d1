// Checks a finished template: every reference must find what it names.
#pragma once

#include "emitters/cloudformation/template/extras.h"

// It runs after the patches, because only a patch can remove what a template refers to. Raw resources can wait for each
// other in a circle. Reports each fault once, at the patch or the resource that it comes from.
void references_check(Stack *stack, const ExtrasPatches *patches);
