// Policies of a role. Each is an ARN that dtc makes of a name, so that all must be known. A raw resource has its ARN
// when the stack is made, and there is another way for it: the role takes it by a patch.
#include "compiler/plan/build/builder.h"

#include "compiler/plan/build/read.h"
#include "compiler/plan/model/names.h"

// The first item that is a raw resource, or an attribute of one. NULL: none.
static const Value *raw_item(const Value *list) {
    for (uint32_t i = 0; list != NULL && list->kind == VALUE_LIST && i < list->list.count; i++) {
        const Value *item = list->list.items[i];
        if (item->kind == VALUE_LATE && (item->late->kind == LATE_REF || item->late->kind == LATE_ATTRIBUTE)) {
            return item;
        }
    }
    return NULL;
}

const Value *build_policies(Builder *builder, const Block *block, int attribute, PolicyRole role) {
    const Value *item = raw_item(block_value(block, attribute));
    if (item == NULL) {
        return read_known_list(builder, block, attribute);
    }
    Session *session = builder->session;
    const Str text = source_text(session, item->span);
    Diag *diag = report(session, item->span, DIAG(late_shape), block->kind->attributes[attribute].name);
    diag_primary_label(session, diag, "known when the stack is made");
    const bool is_alone = block_value(block, attribute)->list.count == 1;
    if (role.needs_policies && is_alone) {
        diag_help(session, diag,
                  "write a policy of AWS here, so that there is a role, and in its place: `patch { \"Resources.%.*s"
                  ".Properties.ManagedPolicyArns\" = [%.*s] }`",
                  STR_ARG(role.id), STR_ARG(text));
    } else if (role.id.len > 0) {
        diag_help(session, diag,
                  "leave it out here, and add it to the role: `patch%s { \"Resources.%.*s.Properties.ManagedPolicyArns"
                  "[+]\" = %.*s }`",
                  role.file, STR_ARG(role.id), STR_ARG(text));
    } else {
        diag_help(
            session, diag,
            "deploy the policy in another stack first, and give its ARN with -p: `param policy : managed_policy`");
    }
    return value_list(builder->arena, block->subject.name_span, NULL, NULL, 0);
}

PolicyRole build_group_role(Builder *builder, const PlanNodes *nodes) {
    const TargetSet target = nodes->cluster->target;
    const bool is_in_stack = target == TARGET_BATCH || target == TARGET_PCS || nodes->maker == MAKER_STACK;
    if (!is_in_stack) {
        return (PolicyRole){ .file = "" };
    }
    return (PolicyRole){
        .id = plan_logical_id(builder->arena, nodes->cluster->head.id, nodes->head.id, "InstanceRole"),
        .file = target == TARGET_EKS ? " cfn" : "",
    };
}
