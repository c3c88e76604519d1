// A security group, whoever wrote it: what its rules are known to let through, and who comes in by ranges of addresses. The
// ssh of ParallelCluster is one, too.
#pragma once

#include "compiler/base/vec.h"
#include "compiler/plan/model/field.h"
#include "compiler/semantics/subject.h"

// A rule that lets in who comes from a range of addresses.
typedef struct {
    const Subject *subject;
    PlanField range;    // of addresses
    PlanField protocol; // "tcp", "6", "-1"
    int64_t first_port; // -1: all of them, or nobody knows
    int64_t last_port;
    bool is_all_ports;
} PlanOpening;

// A rule of a group, as it is written.
typedef struct {
    const Subject *subject;
    Span span;
    bool is_egress;
    bool is_with_itself; // its other end is its own group
    bool has_other_end;  // it says, or may say, who that is
    PlanField protocol;  // "tcp", "6", "-1"
    PlanField first;     // FromPort
    PlanField last;      // ToPort
    Str same;            // what EC2 tells rules of the group apart by: equal for two that are one; empty: not known
} PlanPermission;

typedef struct {
    const Subject *subject;
    Str name; // empty: of rules that stand alone, for a group that is not known
    Span span;
    PlanAnswer allows_ingress; // of all traffic from itself
    PlanAnswer allows_egress;  // of all traffic to itself
    Span open_egress;          // a rule that lets all out to everywhere, which does not cover EFA; SPAN_NONE
    VEC(PlanOpening) openings;
    VEC(PlanPermission) permissions;
    Span name_of_efa;   // the name or the description that says it is for EFA; SPAN_NONE
    Span use_of_efa;    // what carries EFA in it, and is no instance; SPAN_NONE
    bool is_of_nodes;   // interfaces of instances carry EFA in it: rule launch_efa_groups speaks of it
    const char *others; // who may be named in place of a range: "a security group"
} PlanSecurityGroup;
