// What a cluster on AWS PCS has besides its node groups: the version of Slurm, and the size and the place of the
// controller, which the service runs.
#include "compiler/plan/declared/builder.h"

#include "compiler/plan/declared/read.h"
#include "compiler/plan/model/capacity.h"
#include "compiler/plan/model/pcs.h"

// Another size, like another name, is another cluster: CloudFormation replaces it. So the one that follows from the
// numbers of nodes is said.
static void read_size(Builder *builder, const Block *block, const PlanCluster *cluster, PlanPcs *pcs,
                      PlanPcsController *controller) {
    const Value *written = read_known(builder, block, CLUSTER_SIZE);
    controller->knows_size = true;
    if (written != NULL) {
        controller->size = field_known("size", written->span, written->string);
        controller->manages = plan_pcs_size_of(written->string);
        pcs->size_origin = written->origin;
        return;
    }
    controller->manages = plan_pcs_least_size(plan_pcs_nodes(controller));
    pcs->size_origin = plan_schema_origin(builder, block, CLUSTER_SIZE);
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        pcs->size_origin = origin_join(builder->arena, pcs->size_origin, cluster->nodes.items[i]->count.high->origin);
    }
    const PcsSizeRow *row = plan_pcs_size(controller->manages);
    builder_add_decision(builder, block->subject.name_span, builder_subject(builder, block),
                         "size = %s, for up to %d nodes and %d jobs; another size later is another cluster", row->word,
                         row->nodes_max, row->jobs_max);
}

// Whether the one item of a list stands for all subnets of a network, which only the deployment knows.
static bool is_whole_list(const PlanNetwork *network, const Value *item) {
    const Type *type = item->kind == VALUE_LATE ? item->late->type : NULL;
    return item == network->given.private || (type != NULL && type->kind == TYPE_LIST);
}

// AWS PCS takes one subnet (API Reference, NetworkingRequest, 2026-11). In the one of the first group's nodes no byte
// between them and the controller leaves the zone.
static const Value *controller_subnet(Builder *builder, const PlanCluster *cluster) {
    const PlanNodes *first = cluster->nodes.count == 0 ? NULL : cluster->nodes.items[0];
    const Value *ids = first == NULL ? NULL : first->subnets.ids;
    if (ids == NULL || ids->list.count == 0) {
        return NULL;
    }
    const Value *item = ids->list.items[0];
    return is_whole_list(cluster->network, item) ? build_item(builder, item, 0, first->head.origin) : item;
}

// Which accounts have the role no file says, and a stack that made it would fail in those that do (AWS PCS User Guide,
// Amazon EC2 Spot role for AWS PCS, 2026-11).
static void say_spot_role(Builder *builder, const Block *block, const PlanCluster *cluster) {
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        if (capacity_has(cluster->nodes.items[i]->capacity, CAPACITY_SPOT)) {
            builder_add_decision(builder, block->subject.name_span, builder_subject(builder, block),
                                 "Spot wants the role AWSServiceRoleForEC2Spot; an account without it makes it by `aws "
                                 "iam create-service-linked-role --aws-service-name spot.amazonaws.com`");
            return;
        }
    }
}

static void say_clients(Builder *builder, const Block *block, const PlanCluster *cluster) {
    if (cluster->storages.count > 0) {
        builder_add_decision(
            builder, block->subject.name_span, builder_subject(builder, block),
            "user data mounts its file systems at each boot, and installs their clients on Amazon Linux "
            "and Ubuntu; where one cannot be mounted, jobs find an empty place that they cannot write to");
    }
}

static PlanPcsController *controller_of(const Builder *builder, const PlanCluster *cluster) {
    PlanPcsController *controller = arena_new(builder->arena, PlanPcsController);
    *controller = (PlanPcsController){ .form = FORM_DECLARED,
                                       .subject = cluster->head.subject,
                                       .name = cluster->head.id,
                                       .name_span = cluster->head.subject->name_span };
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        const PlanNodes *nodes = cluster->nodes.items[i];
        const Value *most = nodes->count.high;
        const PlanPcsGroup group = {
            .span = nodes->head.subject->name_span,
            .most = field_known("count", most->span, str_format(builder->arena, "%" PRId64, most->integer)),
        };
        vec_push(builder->arena, &controller->groups, group);
    }
    return controller;
}

void build_pcs(Builder *builder, const Block *block, PlanCluster *cluster) {
    PlanPcs *pcs = arena_new(builder->arena, PlanPcs);
    PlanPcsController *controller = controller_of(builder, cluster);
    cluster->pcs = pcs;
    pcs->controller = controller;
    const Block *slurm = read_child(block, KIND_SLURM);
    if (slurm != NULL) {
        pcs->version = read_known(builder, slurm, SLURM_VERSION);
        if (pcs->version != NULL) {
            controller->version = field_known("version", pcs->version->span, pcs->version->string);
        }
        pcs->scaledown_idletime = read_known(builder, slurm, SLURM_SCALEDOWN_IDLETIME);
    }
    read_size(builder, block, cluster, pcs, controller);
    say_spot_role(builder, block, cluster);
    say_clients(builder, block, cluster);
    pcs->subnet = controller_subnet(builder, cluster);
}
