// From a CloudFormation template to what rules ask: in each world, its resources as one stack.
#pragma once

#include "compiler/plan/raw/raw.h"
#include "compiler/readers/cloudformation/cfn_template.h"

typedef struct {
    RawResources resources;
    PlanResources whole; // the same, with what stands beside their properties
} CfnStack;

// The resources that there are in a world. Each is a subject of its own, inside `file`, which is the file's.
CfnStack cfn_stack(const CfnTemplate *template, const CfnWorld *world, const Subject *file);
