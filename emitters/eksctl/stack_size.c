// About how large the template of the stack is that eksctl makes for a group. eksctl sends it with the request, never
// through a bucket (eksctl@99984adb, pkg/cfn/manager/api.go, 2026-08), so that CloudFormation takes 51,200 bytes of it.
// Each of 32 interfaces names all security groups again. Each of three kinds of resources has all tags. User data is a
// third larger as base64. Together that can be more, though each alone is well within its own limit.
#include "emitters/eksctl/cluster_config.h"

#include "compiler/plan/model/maker.h"

// Bytes of the indented JSON that pkg/cfn/builder/nodegroup.go and managed_nodegroup.go make, on Kubernetes 1.33 or
// later. The names of the cluster and of the group have one letter.
typedef struct {
    size_t base;
    size_t interface;
    size_t interfaces_least; // without EFA
    int cluster_names;       // beside one of each interface
    int group_names;
    int tag_copies; // of key and value
} SizeRow;

static const SizeRow MANAGED = { 6900, 295, 0, 5, 9, 4 };
static const SizeRow OWN = { 12150, 433, 1, 14, 12, 3 };

enum {
    TAG_BYTES = 96,            // around key and value
    SECURITY_GROUP_BYTES = 20, // around an id, at an interface
    POLICY_BYTES = 800,        // of an add-on, but for the one below
    POLICY_OF_BALANCERS_BYTES = 9500,
    LATE_BYTES = 63,
};

static size_t length_of(const Value *value) {
    return value->kind == VALUE_STRING ? value->string.len : LATE_BYTES;
}

static size_t tags_size(const SizeRow *row, const Value *tags) {
    size_t size = 0;
    for (uint32_t i = 0; i < tags->map.count; i++) {
        const ValueEntry *entry = &tags->map.entries[i];
        size += (size_t)row->tag_copies * (TAG_BYTES + entry->key.len + length_of(entry->value));
    }
    return size;
}

static size_t policies_size(const PlanNodes *nodes) {
    size_t size = 0;
    for (uint32_t i = 0; i < nodes->eks->addon_policies->list.count; i++) {
        const Str word = nodes->eks->addon_policies->list.items[i]->string;
        const bool is_of_balancers = str_is(word, "alb_ingress") || str_is(word, "aws_load_balancer_controller");
        size += is_of_balancers ? POLICY_OF_BALANCERS_BYTES : POLICY_BYTES;
    }
    return size;
}

size_t eksctl_stack_size(const PlanNodes *nodes, const Value *security_group, size_t user_data) {
    const SizeRow *row = plan_is_managed(nodes) ? &MANAGED : &OWN;
    const size_t interfaces =
        nodes->fabric.efa_count > 0 ? (size_t)nodes->instance->network_cards : row->interfaces_least;
    size_t each = row->interface + length_of(nodes->cluster->head.name);
    if (security_group != NULL) {
        const size_t count = security_group->kind == VALUE_LIST ? security_group->list.count : 1;
        each += count * (SECURITY_GROUP_BYTES + strlen("sg-0123456789abcdef0"));
    }
    size_t size = row->base + interfaces * each + (user_data + 2) / 3 * 4;
    size += (size_t)row->cluster_names * length_of(nodes->cluster->head.name);
    size += (size_t)row->group_names * nodes->head.id.len;
    size += tags_size(row, nodes->tags) + tags_size(row, nodes->cluster->tags);
    return size + tags_size(&(const SizeRow){ .tag_copies = 1 }, nodes->eks->labels) + policies_size(nodes);
}
