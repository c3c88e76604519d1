// What a stack gives to other files: exports of its author's resources and outputs, beside those that stacks always
// have.
#pragma once

#include "compiler/plan/model/plan.h"

// A raw resource that a value refers to, and `*attribute` of it (empty: its Ref). NULL where it refers to none.
const Resource *plan_shared_resource(const Value *value, Str *attribute);

// What the export of a resource, or of an attribute, is called behind the stack's name and a dash.
Str plan_export_key(Arena *arena, const Plan *plan, const Resource *resource, Str attribute);

// The logical id of a raw resource of a part. If the part is a group, its cluster is in the id too.
Str plan_resource_id(Arena *arena, const PlanPart *part, const Resource *resource);

// What the stack of a part is called where it is deployed. NULL where only the deployment knows: the network's stack is
// another one, whose name may be late.
const Value *plan_stack_name(Arena *arena, const PlanPart *part);

// The region of the part's stack; empty if the deployment decides it.
Str plan_stack_region(const PlanPart *part);

// Whether the attributes of the part go into a stack. Files of tools take what the deployment has told.
bool plan_writes_stack(const PlanPart *part);

// Whether a patch of a part in this stack is for the stack, and not for a tool's file.
bool plan_is_patch_of_stack(const PlanPart *stack, const BlockPatch *patch);
