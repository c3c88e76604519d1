// What the author writes in CloudFormation's own words: raw resources, outputs, patches.
#pragma once

#include "emitters/cloudformation/template/stack.h"

// Adds the raw resources and outputs of a block and of all in it, and keeps the block for its patches.
void extras_add(Stack *stack, const PlanPart *part, bool is_exported);

// The values of all patches, made before the sections are closed, since they may speak of params; and their use,
// after everything else.
typedef struct {
    const PlanPart *part;
    const BlockPatch *patch;
    DocNode *value; // NULL removes
} ExtrasPatch;

typedef VEC(ExtrasPatch) ExtrasPatches;

ExtrasPatches extras_patches(Stack *stack);
void extras_apply(Stack *stack, const ExtrasPatches *patches);
