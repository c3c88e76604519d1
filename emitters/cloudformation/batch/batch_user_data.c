// What a group's nodes run at their start on Batch, as the user data of their launch template: scratch space, the
// cluster's file systems, the author's scripts (node/setup.c) and the check of the node. If one of them fails, the ECS
// agent does not start. The check is the last, since a script may install what it looks for. If user data has no room for
// it, nodes fetch it from the cluster's `artifacts`. Only ids of file systems
// are late; without them there is no Fn::Sub, and a `${x}` is the shell's.
#include "emitters/cloudformation/batch/batch.h"

#include "compiler/base/shell.h"
#include "emitters/cloudformation/nodes/mount_script.h"
#include "emitters/cloudformation/template/intrinsic.h"
#include "emitters/node/fetched_check.h"
#include "emitters/node/verdicts.h"
#include "emitters/node/preflight_script.h"
#include "emitters/node/setup.h"

// How the check of a group travels: inside user data, with the timer by which nodes look again or without it, or as what
// nodes fetch, which has it.
typedef enum { CHECK_NONE, CHECK_INSIDE, CHECK_WATCHED, CHECK_FETCHED } Check;

// What a check that is fetched takes: its part, and what it shares with scripts.
enum { FETCH_BYTES = 1500 };

typedef struct {
    UserDataParts parts;
    LateText late;
    Str text;    // of the whole message; empty without parts
    size_t size; // of the message that nodes get
    Check check;
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

static void add_own_parts(Stack *stack, LateText *late, UserDataParts *parts, const PlanNodes *nodes, Check check) {
    const PlanCluster *cluster = nodes->cluster;
    if (nodes->scratch == NULL && nodes->setup.count == 0 && cluster->storages.count == 0 && check != CHECK_FETCHED) {
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
    setup_add_scripts(stack->arena, parts, nodes, check == CHECK_FETCHED);
}

static Message message_with(Stack *stack, const PlanNodes *nodes, Check check) {
    Message message = { .late = { .stack = stack }, .check = check };
    add_own_parts(stack, &message.late, &message.parts, nodes, check);
    if (check == CHECK_INSIDE || check == CHECK_WATCHED) {
        const PreflightCarrier carrier = {
            .target = "batch", .is_watched = check == CHECK_WATCHED, .has_agent = true, .arena = stack->arena
        };
        preflight_add_part(stack->session, stack->output, nodes, carrier, &message.parts);
    } else if (check == CHECK_FETCHED) {
        fetched_check_add_part(stack->session, stack->output, nodes, &message.parts);
    }
    message.text = userdata_write(stack->arena, &message.parts);
    message.size = message.text.len + message.late.parts.count * (size_t)schema_constant(CONSTANT_LATE_VALUE_BYTES);
    return message;
}

static bool has_room(const Message *message) {
    return (int64_t)message->size <= schema_constant(CONSTANT_USER_DATA_BYTES_WARN);
}

bool batch_check_is_fetched(Stack *stack, const PlanNodes *nodes) {
    if (nodes->validate == NULL || nodes->cluster->artifacts == NULL) {
        return false;
    }
    const Message message = message_with(stack, nodes, CHECK_INSIDE);
    return !has_room(&message);
}

// A check for which there is no room is fetched, where there is a place for it. Without one it is left out, unless it
// was asked for: then it stays, and the size is reported.
static Message message_of(Stack *stack, const PlanNodes *nodes) {
    if (nodes->validate == NULL) {
        return message_with(stack, nodes, CHECK_NONE);
    }
    Check check = batch_check_is_fetched(stack, nodes) ? CHECK_FETCHED : CHECK_WATCHED;
    Message whole = message_with(stack, nodes, check);
    if (check == CHECK_WATCHED && !has_room(&whole)) { // the timer gives way first
        check = CHECK_INSIDE;
        whole = message_with(stack, nodes, check);
    }
    if (nodes->validate->part != NULL || has_room(&whole)) {
        return whole;
    }
    const Message rest = message_with(stack, nodes, CHECK_NONE);
    if (userdata_fits(rest.size)) { // else that is what is wrong
        const int64_t most = schema_constant(CONSTANT_USER_DATA_BYTES_WARN);
        const LeftOut left_out = { .what = "user data",
                                   .size = whole.size,
                                   .most = most,
                                   .may_fetch = check != CHECK_FETCHED && (int64_t)rest.size + FETCH_BYTES <= most };
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
    if (message.check == CHECK_FETCHED) {
        fetched_check_upload(stack->session, stack->plan, stack->output, nodes, &stack->step);
        fetched_check_decide_role(stack->session->arena, &stack->decisions, nodes);
    }
    if (message.check != CHECK_NONE) {
        verdicts_decide_role(stack->session->arena, &stack->decisions, nodes);
    }
    if (message.check == CHECK_INSIDE) {
        userdata_decide_unwatched(stack->session, &stack->decisions, nodes);
    }
    userdata_account(stack->session, &stack->decisions, nodes, &message.parts, message.size);
    doc_because(stack->doc, reason_of(stack, nodes, message.check != CHECK_NONE));
    tree_put(stack->doc, data, "UserData",
             doc_call(stack->doc, CALL_BASE64, late_text_block(&message.late, message.text, why(WHY_USER_DATA))));
    doc_unbecause(stack->doc);
}
