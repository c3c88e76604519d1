// A VPC in CloudFormation's own words, and the blocks of addresses that its stack gives to it and to its subnets.
#pragma once

#include "compiler/base/vec.h"
#include "compiler/plan/model/field.h"
#include "compiler/semantics/subject.h"

typedef struct {
    const Subject *subject; // the resource that says it
    Str name;               // as that is called
    PlanField block;        // FIELD_KNOWN
} PlanVpcBlock;

typedef struct {
    Str name;
    VEC(PlanVpcBlock) blocks;  // of the VPC, its own first
    bool has_other_blocks;     // which are not known, or may be
    VEC(PlanVpcBlock) subnets; // those whose blocks are known
} PlanVpc;
