// What a Slurm cluster has besides its node groups: the head node, settings of the scheduler, monitoring.
#include "compiler/plan/declared/builder.h"

#include "compiler/plan/declared/read.h"
#include "compiler/plan/model/network_ids.h"
#include "schema/names.h"

// It is in the network's first zone if some queue may be there. Otherwise it is in the zone of the first queue. Across
// zones each byte has a price, and the home directories, which the head exports, have a longer way.
static uint32_t head_place(const PlanCluster *cluster) {
    if (cluster->network->mode != NETWORK_MADE) {
        return 0; // public subnets of another's network need not be in the order of the private ones
    }
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        const Value *ids = cluster->nodes.items[i]->subnets.ids;
        const Value *subnet = ids != NULL && ids->list.count == 1 ? ids->list.items[0] : NULL;
        if (subnet == NULL || subnet->kind != VALUE_LATE || subnet->late->kind != LATE_ITEM ||
            subnet->late->index == 0) {
            return 0;
        }
    }
    return cluster->nodes.count == 0 ? 0 : cluster->nodes.items[0]->subnets.ids->list.items[0]->late->index;
}

// A public subnet, where people can reach it; without one a private one, for Session Manager.
static const Value *head_subnet(Builder *builder, const Block *block, const PlanCluster *cluster) {
    const PlanNetwork *network = cluster->network;
    const Value *subnet = read_given(builder, block, HEAD_SUBNET);
    if (subnet != NULL) {
        return subnet;
    }
    const Origin *origin = network->head.origin;
    if (network->mode == NETWORK_GIVEN) {
        const Value *ids = network->given.public != NULL ? network->given.public : network->given.private;
        bool is_empty = ids == NULL || (ids->kind == VALUE_LIST && ids->list.count == 0);
        if (is_empty) {
            Diag *diag =
                report(builder->session, block->subject.span, DIAG(head_without_subnet), STR_ARG(network->head.id));
            diag_help(builder->session, diag, "give `public = [\"subnet-…\"]` to the network, or `subnet` to `head`");
            return NULL;
        }
        return build_item(builder, ids, 0, origin);
    }
    bool has_public = network->made.public == NULL || network->made.public->boolean;
    return build_item(builder, plan_network_output(builder->arena, network, has_public ? "public" : "private", origin),
                      head_place(cluster), origin);
}

// The author's stand beside the one for Session Manager: without it and without a key nobody could log in.
static const Value *head_policies(Builder *builder, const Block *block) {
    const Value *given = build_policies(builder, block, HEAD_POLICIES);
    const Value **items = arena_new_array(builder->arena, const Value *, (size_t)given->list.count + 1);
    items[0] = value_string(builder->arena, block->subject.name_span, plan_schema_origin(builder, block, HEAD_POLICIES),
                            str_of(names_of(NAMES_POLICY_OF_SESSIONS).items[0]));
    for (uint32_t i = 0; i < given->list.count; i++) {
        items[i + 1] = given->list.items[i];
    }
    return value_list(builder->arena, block->subject.name_span, items[0]->origin, items, given->list.count + 1);
}

static const PlanHeadNode *build_head_node(Builder *builder, const Block *block, const PlanCluster *cluster) {
    PlanHeadNode *head = arena_new(builder->arena, PlanHeadNode);
    head->head = builder_head(builder, block, -1);
    head->instance_value = read_known(builder, block, HEAD_INSTANCE);
    head->instance = build_instance(builder, head->instance_value);
    if (head->instance != NULL) {
        build_decide_gap(builder, block, head->instance);
    }
    head->disk = read_known(builder, block, HEAD_DISK);
    head->key = block_value(block, HEAD_KEY_NAME);
    head->allowed_ips = read_given(builder, block, HEAD_ALLOWED_IPS);
    head->policies = head_policies(builder, block);
    build_scripts(builder, block, HEAD_SETUP, &head->setup);
    head->subnet = cluster->network == NULL ? NULL : head_subnet(builder, block, cluster);
    return head;
}

// What is not written stays NULL: the service's own default then holds, and the file does not repeat it.
static void read_slurm(Builder *builder, const Block *block, PlanSlurm *slurm) {
    if (block != NULL) {
        slurm->scaledown_idletime = read_known(builder, block, SLURM_SCALEDOWN_IDLETIME);
        slurm->settings = read_known(builder, block, SLURM_SETTINGS);
        slurm->database = block_value(block, SLURM_DATABASE);
    }
}

static void read_monitoring(Builder *builder, const Block *cluster, PlanMonitoring *monitoring) {
    const Block *block = read_child(cluster, KIND_MONITORING);
    if (read_is_off(cluster, KIND_MONITORING)) {
        Value *off = value_new(builder->arena, VALUE_BOOL, cluster->subject.name_span, cluster->origin);
        *monitoring = (PlanMonitoring){ .detailed = off, .logs = off, .dashboard = off };
    } else if (block != NULL) {
        monitoring->detailed = read_known(builder, block, MONITORING_DETAILED);
        monitoring->logs = read_known(builder, block, MONITORING_LOGS);
        monitoring->dashboard = read_known(builder, block, MONITORING_DASHBOARD);
    }
}

// Of a network that is made it is known where the head is, and that a private subnet has no other way out.
static void decide_hostnames(Builder *builder, const Block *block, const PlanCluster *cluster, PlanSlurm *slurm) {
    const PlanNetwork *network = cluster->network;
    const Block *head = read_child(block, KIND_HEAD);
    slurm->is_without_route53 = network != NULL && network->mode == NETWORK_MADE && network->made.public != NULL &&
                                !network->made.public->boolean && head != NULL &&
                                block_value(head, HEAD_SUBNET) == NULL;
    if (slurm->is_without_route53) {
        builder_add_decision(builder, block->subject.name_span, block->name,
                             "nodes have EC2's host names: the head does not reach Route 53");
    }
}

void build_slurm(Builder *builder, const Block *block, PlanCluster *cluster) {
    PlanSlurm *slurm = arena_new(builder->arena, PlanSlurm);
    cluster->slurm = slurm;
    const Block *head = read_child(block, KIND_HEAD);
    if (head == NULL) {
        Diag *diag =
            report(builder->session, block->subject.name_span, DIAG(cluster_without_head), STR_ARG(block->name));
        diag_help(builder->session, diag, "write `head { instance = \"m5.8xlarge\" }` in it");
    } else {
        slurm->head_node = build_head_node(builder, head, cluster);
    }
    read_slurm(builder, read_child(block, KIND_SLURM), slurm);
    decide_hostnames(builder, block, cluster, slurm);
    read_monitoring(builder, block, &slurm->monitoring);
    build_settings(builder, cluster, slurm);
}
