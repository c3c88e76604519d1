// A declared group as rules ask for it: what they ask of groups that somebody wrote in other words.
#include "compiler/plan/declared/builder.h"

#include "compiler/plan/model/maker.h"
#include "compiler/plan/model/region.h"

static PlanField count_of(Builder *builder, const Value *end) {
    const bool is_known = end->kind == VALUE_INT;
    PlanField field = { .state = is_known ? FIELD_KNOWN : FIELD_LATE, .name = "count", .span = end->span };
    field.text = is_known ? str_format(builder->arena, "%" PRId64, end->integer) : STR_NONE;
    return field;
}

// Of a number that is 0, where a target takes one, rule group_interfaces speaks.
static PlanAnswer has_efa(const PlanNodes *nodes) {
    const PlanEfaWish *wish = &nodes->launch->efa;
    const Value *efa = subject_value(nodes->head.subject, NODES_EFA);
    const bool is_zero = wish->count == 0 && nodes->cluster->target == TARGET_PARALLELCLUSTER;
    const bool is_none = efa != NULL && efa->kind == VALUE_WORD && str_is(efa->string, "none");
    return is_none || is_zero ? ANSWER_NO : nodes->fabric.efa_count > 0 ? ANSWER_YES : ANSWER_MAYBE;
}

// The image that AWS Batch takes by itself, if the author named the system.
static const PlanBatchGroup *read_batch(Builder *builder, const PlanNodes *nodes) {
    const Value *os = subject_value(nodes->cluster->head.subject, CLUSTER_OS);
    PlanBatchGroup *batch = arena_new(builder->arena, PlanBatchGroup);
    *batch = (PlanBatchGroup){ .template_key = SPAN_NONE };
    if (value_may_be_null(nodes->ami.given) && os != NULL && nodes->ami.row != NULL) {
        const PlanServiceImage image = { .field = field_known("os", os->span, str_of(nodes->ami.row->os)),
                                         .row = nodes->ami.row };
        vec_push(builder->arena, &batch->images, image);
    }
    return batch;
}

PlanGroup *build_group(Builder *builder, const PlanNodes *nodes) {
    PlanGroup *group = arena_new(builder->arena, PlanGroup);
    *group = group_of_launch(GROUP_DECLARED, nodes->launch);
    const RegionRow *region = plan_region(nodes, &group->region_span);
    group->region = region == NULL ? STR_NONE : str_of(region->name);
    group->name = nodes->head.id;
    group->low = count_of(builder, nodes->count.low);
    group->most = count_of(builder, nodes->count.high);
    group->has_efa = has_efa(nodes);
    group->batch = nodes->batch == NULL ? NULL : read_batch(builder, nodes);
    if (nodes->eks != NULL) {
        group->labels = nodes->eks->labels;
        group->taints = nodes->eks->taints;
        group->is_managed = plan_is_managed(nodes);
        group->has_kubelet_labels = true;
        group->has_own_labels = true;
    }
    group->has_limited_lock = nodes->cluster->target == TARGET_EKS && nodes->ami.given == NULL &&
                              str_is(nodes->cluster->os->string, "al2023");
    group->span_of_efa = nodes->head.subject->name_span;
    return group;
}

// Jobs say how many nodes belong together. A group without jobs waits for some that are written elsewhere.
void build_groups_end(Builder *builder) {
    for (uint32_t i = 0; i < builder->plan->clusters.count; i++) {
        const PlanCluster *cluster = builder->plan->clusters.items[i];
        for (uint32_t k = 0; k < cluster->jobs.count; k++) {
            const PlanJob *job = cluster->jobs.items[k];
            PlanGroup *group = job->group->group;
            const bool is_together = plan_job_is_multi_node(job) || group->works_together == ANSWER_YES;
            group->works_together = is_together ? ANSWER_YES : ANSWER_NO;
        }
    }
}
