// What a group's nodes run at their start on Batch, as the user data of their launch template: scratch space, the
// cluster's file systems, the author's scripts (node/setup.c) and the check of the node. If one of them fails, the ECS
// agent does not start. The check is the last, since a script may install what it looks for. Only ids of file systems
// are late; without them there is no Fn::Sub, and a `${x}` is the shell's.
#include "emitters/cloudformation/batch/batch.h"

#include "compiler/base/shell.h"
#include "emitters/cloudformation/nodes/mount_script.h"
#include "emitters/cloudformation/template/intrinsic.h"
#include "emitters/node/preflight_script.h"
#include "emitters/node/setup.h"

static Str scratch_script(Stack *stack, const PlanNodes *nodes) {
    StrBuf text = { .arena = stack->arena };
    strbuf_add(&text, STR("mount_point="));
    shell_add_word(&text, nodes->scratch->string);
    strbuf_add_char(&text, '\n');
    const Str script = userdata_library("node/scratch.sh");
    return userdata_bare_script(stack->arena,
                                userdata_script_with(stack->arena, script, "mount_point", strbuf_str(&text)));
}

static void add_own_parts(Stack *stack, LateText *late, UserDataParts *parts, const PlanNodes *nodes) {
    const PlanCluster *cluster = nodes->cluster;
    if (nodes->scratch == NULL && nodes->setup.count == 0 && cluster->storages.count == 0) {
        return;
    }
    setup_add_fail(stack->arena, parts, "batch");
    if (nodes->scratch != NULL) {
        const UserDataPart scratch = {
            .kind = PART_BOOTHOOK,
            .text = scratch_script(stack, nodes),
            .span = nodes->scratch->span,
            .name = STR("`scratch`"),
        };
        vec_push(stack->arena, parts, scratch);
    }
    if (cluster->storages.count > 0) {
        const UserDataPart mounts = {
            .kind = PART_BOOTHOOK,
            .text = mount_script(late, cluster),
            .span = subject_key(cluster->head.subject, CLUSTER_STORAGE),
            .name = STR("`storage`"),
        };
        vec_push(stack->arena, parts, mounts);
    }
    setup_add_scripts(stack->arena, parts, nodes);
}

// A check that nobody asked for is left out if the author's own parts leave no room for it. A check that was asked for
// stays, and the size is reported.
static Str message_of(Stack *stack, LateText *late, const PlanNodes *nodes, UserDataParts *parts, bool *has_check) {
    add_own_parts(stack, late, parts, nodes);
    const size_t more = late->parts.count * (size_t)schema_constant(CONSTANT_LATE_VALUE_BYTES);
    *has_check = nodes->validate != NULL;
    if (!*has_check) {
        return userdata_write(stack->arena, parts);
    }
    const PreflightCarrier carrier = { .target = "batch", .has_agent = true, .arena = stack->arena };
    preflight_add_part(stack->session, stack->output, nodes, carrier, parts);
    const Str whole = userdata_write(stack->arena, parts);
    if (nodes->validate->part != NULL ||
        (int64_t)(whole.len + more) <= schema_constant(CONSTANT_USER_DATA_BYTES_WARN)) {
        return whole;
    }
    *has_check = false;
    parts->count--;
    const Str rest = userdata_write(stack->arena, parts);
    if (userdata_fits(rest.len + more)) { // else that is what is wrong
        userdata_report_unchecked(stack->session, nodes, "user data", whole.len + more,
                                  schema_constant(CONSTANT_USER_DATA_BYTES_MAX));
    }
    return rest;
}

static const Origin *reason_of(Stack *stack, const PlanNodes *nodes, bool has_check) {
    const Origin *scratch = nodes->scratch == NULL ? NULL : nodes->scratch->origin;
    const Origin *reason = origin_join(stack->arena, scratch, setup_origin(stack->arena, nodes));
    reason = origin_join(stack->arena, reason, mount_script_origin(stack->arena, nodes->cluster));
    return has_check ? origin_join(stack->arena, reason, nodes->validate->origin) : reason;
}

void batch_add_user_data(Stack *stack, DocNode *data, const PlanNodes *nodes) {
    UserDataParts parts = { 0 };
    LateText late = { .stack = stack };
    bool has_check = false;
    const Str text = message_of(stack, &late, nodes, &parts, &has_check);
    if (parts.count == 0) {
        return;
    }
    const size_t more = late.parts.count * (size_t)schema_constant(CONSTANT_LATE_VALUE_BYTES);
    userdata_account(stack->session, &stack->decisions, nodes, &parts, text.len + more);
    doc_because(stack->doc, reason_of(stack, nodes, has_check));
    tree_put(stack->doc, data, "UserData",
             doc_call(stack->doc, CALL_BASE64, late_text_block(&late, text, why(WHY_USER_DATA))));
    doc_unbecause(stack->doc);
}
