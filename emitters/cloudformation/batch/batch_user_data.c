// What a group's nodes run at their start on Batch, as the user data of their launch template: scratch space, the
// cluster's file systems, the author's scripts (node/setup.c) and the check of the node. If one of them fails, the ECS
// agent does not start. The check is the last, since a script may install what it looks for. Only ids of file systems are
// late; without them there is no Fn::Sub, and a `${x}` is the shell's.
#include "emitters/cloudformation/batch/batch.h"

#include "compiler/base/shell.h"
#include "emitters/cloudformation/nodes/mount_script.h"
#include "emitters/cloudformation/template/intrinsic.h"
#include "emitters/node/second_stage.h"
#include "emitters/node/verdicts.h"
#include "emitters/node/preflight_script.h"
#include "emitters/node/setup.h"

// How the check of a group travels: its first stage alone; with the timer by which nodes look again; or with the second
// stage, which nodes fetch, and which has the timer.
typedef enum { CHECK_NONE, CHECK_ALONE, CHECK_WATCHED, CHECK_WITH_SECOND } Check;

typedef struct {
    UserDataParts parts;
    LateText late;
    Str text;    // of the whole message; empty without parts
    size_t size; // of the message that nodes get
    Check check;
    SetupWay way;
} Message;

static Str scratch_script(Stack *stack, const PlanNodes *nodes) {
    StrBuf text = { .arena = stack->arena };
    strbuf_add(&text, STR("mount_point="));
    shell_add_word(&text, nodes->scratch->string);
    strbuf_add_char(&text, '\n');
    const Str script = userdata_library("node/scratch.sh");
    return userdata_bare_script(stack->arena,
                                userdata_script_with(stack->arena, script, "mount_point", strbuf_str(&text)));
}

static void add_own_parts(Stack *stack, LateText *late, UserDataParts *parts, const PlanNodes *nodes, SetupWay way) {
    const PlanCluster *cluster = nodes->cluster;
    if (nodes->scratch == NULL && nodes->setup.count == 0 && cluster->storages.count == 0) {
        return;
    }
    setup_add_shared(stack->arena, parts, nodes, way, "batch");
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
    setup_add_scripts(stack->arena, parts, nodes, way);
}

static PreflightCarrier carrier_of(Stack *stack, const PlanNodes *nodes, Check check) {
    return (PreflightCarrier){ .target = "batch",
                               .is_watched = check == CHECK_WATCHED,
                               .is_counted = true,
                               .has_agent = true,
                               .parameter = preflight_switch(stack->arena, nodes) };
}

static Message message_with(Stack *stack, const PlanNodes *nodes, Check check, SetupWay way) {
    Message message = { .late = { .stack = stack }, .check = check, .way = way };
    add_own_parts(stack, &message.late, &message.parts, nodes, way);
    if (check != CHECK_NONE) {
        PreflightCarrier carrier = carrier_of(stack, nodes, check);
        second_stage_carry(stack->session, stack->output, nodes, &carrier);
        carrier.arena = stack->arena;
        preflight_add_part(stack->session, stack->output, nodes, carrier, &message.parts);
    }
    message.text = userdata_write(stack->arena, &message.parts);
    message.size = message.text.len + message.late.parts.count * (size_t)schema_constant(CONSTANT_LATE_VALUE_BYTES);
    return message;
}

static bool has_room(const Message *message) {
    return (int64_t)message->size <= schema_constant(CONSTANT_USER_DATA_BYTES_WARN);
}

// With the check of a group: where user data has no room, scripts are fetched, or else the timer gives way.
static Message message_checked(Stack *stack, const PlanNodes *nodes) {
    const bool has_second = second_stage_is_wanted(nodes);
    const Message whole = message_with(stack, nodes, has_second ? CHECK_WITH_SECOND : CHECK_WATCHED, SETUP_INSIDE);
    if (has_room(&whole) || (has_second && !setup_may_be_fetched(nodes))) {
        return whole;
    }
    return has_second ? message_with(stack, nodes, CHECK_WITH_SECOND, SETUP_FETCHED)
                      : message_with(stack, nodes, CHECK_ALONE, SETUP_INSIDE);
}

// A check for which there is no room is left out, unless it was asked for: then it stays, and the size is reported.
static Message message_of(Stack *stack, const PlanNodes *nodes) {
    if (nodes->validate == NULL) {
        return message_with(stack, nodes, CHECK_NONE, SETUP_INSIDE);
    }
    const Message whole = message_checked(stack, nodes);
    if (nodes->validate->part != NULL || has_room(&whole)) {
        return whole;
    }
    const Message rest = message_with(stack, nodes, CHECK_NONE, SETUP_INSIDE);
    if (userdata_fits(rest.size)) { // else that is what is wrong
        const LeftOut left_out = { .what = "user data",
                                   .size = whole.size,
                                   .most = schema_constant(CONSTANT_USER_DATA_BYTES_WARN) };
        userdata_report_unchecked(stack->session, nodes, left_out);
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
    Message message = message_of(stack, nodes);
    if (message.parts.count == 0) {
        return;
    }
    if (message.check == CHECK_WITH_SECOND) {
        setup_upload(stack->session, stack->plan, stack->output, nodes, message.way, &stack->step);
        second_stage_upload(stack->session, stack->plan, stack->output, nodes, carrier_of(stack, nodes, message.check),
                            &stack->step);
        second_stage_decide_role(stack->session->arena, &stack->decisions, nodes);
    }
    if (message.check != CHECK_NONE) {
        verdicts_decide_role(stack->session->arena, &stack->decisions, nodes);
    }
    if (message.check == CHECK_ALONE) {
        userdata_decide_unwatched(stack->session, &stack->decisions, nodes);
    }
    userdata_account(stack->session, &stack->decisions, nodes, &message.parts, message.size);
    doc_because(stack->doc, reason_of(stack, nodes, message.check != CHECK_NONE));
    tree_put(stack->doc, data, "UserData",
             doc_call(stack->doc, CALL_BASE64, late_text_block(&message.late, message.text, why(WHY_USER_DATA))));
    doc_unbecause(stack->doc);
}
