// Who writes the launch template of a managed group of nodes on EKS. eksctl writes it from the fields of its file. Or
// dtc writes it in a stack, and the file names it. eksctl takes an id in place of its own template's fields. If a wish
// of the group has no such field, or if the field does something else, the template is ours.
#include "compiler/plan/declared/builder.h"

#include "compiler/plan/model/capacity.h"
#include "compiler/plan/model/declared_group.h"

static bool is_word(const Value *value, const char *word) {
    return value != NULL && value->kind == VALUE_WORD && str_is(value->string, word);
}

static const char *reason_of_interfaces(Builder *builder, const PlanNodes *nodes) {
    const Value *layout = subject_value(nodes->head.subject, NODES_EFA_LAYOUT);
    const Value *efa = subject_value(nodes->head.subject, NODES_EFA);
    const InstanceRow *row = nodes->instance;
    if (nodes->fabric.efa_count > 0 && !plan_is_placed_by_eksctl(row)) {
        return str_c(builder->arena,
                     str_format(builder->arena, "eksctl places the interfaces of %s where they cannot be", row->name));
    }
    if (layout != NULL && layout->kind == VALUE_WORD && !str_is(layout->string, "auto")) {
        return "eksctl places interfaces in one way alone";
    }
    const bool is_fewer = efa != NULL && efa->kind == VALUE_INT && efa->integer > 0 && efa->integer < row->efa_max;
    return is_fewer ? "eksctl uses all EFA interfaces or none" : NULL;
}

// eksctl makes a placement group where there is EFA and no reservation, whatever its file says, and nowhere else.
static const char *reason_of_placement(const PlanNodes *nodes) {
    const Value *placement = subject_value(nodes->head.subject, NODES_PLACEMENT);
    if (capacity_is_reserved(capacity_last(nodes->capacity)->kind)) {
        return NULL;
    }
    if (nodes->fabric.efa_count > 0 && is_word(placement, "none")) {
        return "eksctl adds a placement group";
    }
    return nodes->fabric.efa_count == 0 && is_word(placement, "cluster") ? "eksctl makes no placement group without EFA"
                                                                         : NULL;
}

static const char *reason_of_hops(const PlanNodes *nodes) {
    const Value *hops = subject_value(nodes->head.subject, NODES_IMDS_HOP_LIMIT);
    const bool is_said = hops == NULL || hops->kind != VALUE_INT || hops->integer == 1 ||
                         hops->integer == schema_constant(CONSTANT_IMDS_HOPS_EKS);
    return is_said ? NULL : "eksctl sets 1 or 2 hops for answers of the metadata service";
}

static const char *reason_of_image(const PlanNodes *nodes) {
    const Value *ami = subject_value(nodes->head.subject, NODES_AMI);
    return ami != NULL && ami->kind == VALUE_TAG ? "eksctl takes an image by its id alone" : NULL;
}

void build_maker(Builder *builder, PlanNodes *nodes) {
    if (nodes->maker != MAKER_MANAGED) {
        return;
    }
    const char *reason = reason_of_interfaces(builder, nodes);
    reason = reason != NULL ? reason : reason_of_placement(nodes);
    reason = reason != NULL ? reason : reason_of_hops(nodes);
    reason = reason != NULL ? reason : reason_of_image(nodes);
    const bool is_asked = is_word(subject_value(nodes->head.subject, NODES_LAUNCH_TEMPLATE), "own");
    nodes->maker = is_asked || reason != NULL ? MAKER_MANAGED_WITH_TEMPLATE : MAKER_MANAGED;
    if (reason != NULL && !is_asked) {
        builder_add_decision(builder, nodes->head.subject->name_span, builder_subject(builder, nodes->head.block),
                             "a launch template of its own, as %s", reason);
    }
}
