// The network that clusters are in, as the Plan has it.
#pragma once

#include "compiler/plan/model/plan_head.h"
#include "compiler/plan/model/vpc.h"

typedef enum {
    NETWORK_MADE,     // this build makes the VPC
    NETWORK_GIVEN,    // ids are given
    NETWORK_IMPORTED, // another stack's exports
} NetworkMode;

typedef enum { NAT_NONE, NAT_ONE, NAT_PER_ZONE } NatMode;

// What a network has that this build makes.
typedef struct {
    const Value *cidr;   // list of known strings; first block public, the others private
    const Value *public; // VALUE_BOOL: whether there are public subnets
    NatMode nat;
    const Value *nat_value; // the word, for its origin
    const Value *endpoints; // list of words
    const Value *flow_logs; // VALUE_DURATION, or VALUE_NULL
    const Value *lustre;    // VALUE_BOOL
    const Value *export;    // VALUE_BOOL
    const Value *tags;      // VALUE_MAP; has Name
} PlanNewNetwork;

// What a network has whose ids are given; NULL where one is not. Each may be late.
typedef struct {
    const Value *vpc;
    const Value *public;  // ids of subnets
    const Value *private; // ids of subnets
    const Value *security_group;
} PlanGivenNetwork;

// The network that clusters are in. Of `made`, `given` and `stack` the mode says which is set; the others are all NULL.
struct PlanNetwork {
    PlanHead head;
    NetworkMode mode;
    bool is_used_module;    // stands in a used file: not built, its stack is there already
    bool serves_eks;        // a cluster on EKS of this build is in it
    const Value *region;    // known string, or NULL: the one it is deployed in
    const Value *zones;     // where it is made here: a list, whose items may be late; else as written, or NULL
    PlanNewNetwork made;    // NETWORK_MADE, but not of a used file: all of it is set
    PlanGivenNetwork given; // NETWORK_GIVEN
    const Value *stack;     // NETWORK_IMPORTED: name of the other stack; may be late
    const PlanVpc *vpc;     // as rules ask for it, whatever the mode is
};
