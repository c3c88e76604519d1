// What a group's nodes run at their start, as the user data of their launch template: scratch space and the author's
// scripts, each a part of its own, behind parts with what they share (stdlib/node/). A script travels as it is in a quoted
// here-document of its part, since cloud-init would run it and go on whatever comes of it: this way the first that fails
// ends the setup and keeps the ECS agent from starting. Nothing in it is late, so there is no Fn::Sub, and a `${x}` is
// the shell's.
#include "emitters/cloudformation/batch.h"

#include "compiler/base/shell.h"
#include "emitters/cloudformation/node.h"
#include "emitters/userdata.h"

enum { NAMED_PARTS_MAX = 3 }; // in a message about the size

static void add_part(Stack *stack, UserDataParts *parts, UserDataPart part) {
    vec_push(stack->arena, parts, part);
}

static Str fail_script(Stack *stack) {
    StrBuf text = { .arena = stack->arena };
    userdata_add_code(&text, userdata_library("node/quarantine-batch.sh"));
    return userdata_script_with(stack->arena, userdata_library("node/fail.sh"), "consequence", strbuf_str(&text));
}

static Str scratch_script(Stack *stack, const PlanNodes *nodes) {
    StrBuf text = { .arena = stack->arena };
    strbuf_add(&text, STR("mount_point="));
    shell_add_word(&text, nodes->scratch->string);
    strbuf_add_char(&text, '\n');
    return userdata_script_with(stack->arena, userdata_library("node/scratch.sh"), "mount_point", strbuf_str(&text));
}

static Str setup_script(Stack *stack, const PlanScript *script, uint32_t number) {
    const bool is_file = script->text.len > 0;
    StrBuf out = { .arena = stack->arena };
    strbuf_add_format(&out, "#!/bin/bash\n. /run/dtc/setup.sh\n%s %" PRIu32 " ", is_file ? "setup" : "fetch", number);
    shell_add_word(&out, script->name);
    if (is_file) {
        strbuf_add_char(&out, ' ');
        userdata_add_here_document(&out, script->text);
    } else {
        strbuf_add_char(&out, ' ');
        shell_add_word(&out, script->sha256);
        strbuf_add_char(&out, '\n');
    }
    return strbuf_str(&out);
}

static UserDataParts parts_of(Stack *stack, const PlanNodes *nodes) {
    UserDataParts parts = { 0 };
    if (nodes->scratch == NULL && nodes->setup.count == 0) {
        return parts;
    }
    add_part(stack, &parts, (UserDataPart){ .kind = PART_BOOTHOOK, .text = fail_script(stack) });
    if (nodes->scratch != NULL) {
        add_part(stack, &parts,
                 (UserDataPart){ .kind = PART_BOOTHOOK,
                                 .text = scratch_script(stack, nodes),
                                 .span = nodes->scratch->span,
                                 .name = STR("`scratch`") });
    }
    if (nodes->setup.count > 0) {
        add_part(stack, &parts, (UserDataPart){ .kind = PART_BOOTHOOK, .text = userdata_library("node/setup.sh") });
    }
    for (uint32_t i = 0; i < nodes->setup.count; i++) {
        const PlanScript *script = &nodes->setup.items[i];
        add_part(stack, &parts,
                 (UserDataPart){ .kind = PART_SHELL,
                                 .text = setup_script(stack, script, i + 1),
                                 .span = script->value->span,
                                 .name = script->name });
    }
    return parts;
}

// ---- its size --------------------------------------------------------------------------------------------------

// The largest part of those that are not `named` yet; NULL where none is left.
static const UserDataPart *largest(const UserDataParts *parts, const UserDataPart *const *named, int count) {
    const UserDataPart *found = NULL;
    for (uint32_t i = 0; i < parts->count; i++) {
        const UserDataPart *part = &parts->items[i];
        bool is_named = span_is_none(part->span);
        for (int k = 0; k < count; k++) {
            is_named = is_named || named[k] == part;
        }
        if (!is_named && (found == NULL || part->text.len > found->text.len)) {
            found = part;
        }
    }
    return found;
}

static void check_size(Stack *stack, const PlanNodes *nodes, const UserDataParts *parts, size_t size) {
    const int64_t max = schema_constant(CONSTANT_USER_DATA_BYTES_MAX);
    const int64_t warn = schema_constant(CONSTANT_USER_DATA_BYTES_WARN);
    if ((int64_t)size <= warn) {
        return;
    }
    const Block *block = nodes->head.block;
    const uint32_t count = stack->session->diags.items.count;
    const Span span = block->attribute_spans[nodes->setup.count > 0 ? NODES_SETUP : NODES_SCRATCH];
    Diag *diag = (int64_t)size > max ? plan_report(stack->session, block, span, DIAG(user_data_too_large), size, max)
                                     : plan_report(stack->session, block, span, DIAG(user_data_large), size, max);
    const UserDataPart *named[NAMED_PARTS_MAX];
    for (int i = 0; i < NAMED_PARTS_MAX; i++) {
        named[i] = largest(parts, named, i);
        if (named[i] == NULL) {
            break;
        }
        diag_label(stack->session, diag, named[i]->span, "%.*s: %zu bytes", STR_ARG(named[i]->name),
                   named[i]->text.len);
    }
    diag_help(stack->session, diag, "put the largest where nodes can fetch it: `script(\"https://…\", \"SHA-256\")`");
    diags_forget_repeats(stack->session, count); // of a group that `like` or a loop copies
}

static void decide_size(Stack *stack, const PlanNodes *nodes, size_t size) {
    Arena *arena = stack->session->arena;
    const PlanDecision decision = {
        .span = nodes->head.block->name_span,
        .text = str_format(arena, "%.*s: %zu bytes of user data, of %" PRId64, STR_ARG(nodes->head.id), size,
                           schema_constant(CONSTANT_USER_DATA_BYTES_MAX)),
    };
    vec_push(arena, &stack->decisions, decision);
}

void batch_add_user_data(Stack *stack, DocNode *data, const PlanNodes *nodes) {
    const UserDataParts parts = parts_of(stack, nodes);
    if (parts.count == 0) {
        return;
    }
    const Str text = userdata_write(stack->arena, &parts);
    check_size(stack, nodes, &parts, text.len);
    decide_size(stack, nodes, text.len);
    const Origin *reason = nodes->scratch == NULL ? NULL : nodes->scratch->origin;
    for (uint32_t i = 0; i < nodes->setup.count; i++) {
        reason = origin_join(stack->arena, reason, nodes->setup.items[i].value->origin);
    }
    doc_because(stack->doc, reason);
    node_put(stack, data, "UserData",
             doc_call(stack->doc, CALL_BASE64, doc_block(stack->doc, text, why(WHY_USER_DATA))));
    doc_unbecause(stack->doc);
}

// ---- containers ------------------------------------------------------------------------------------------------

void batch_add_scratch_mount(Stack *stack, DocNode *container, const PlanNodes *nodes) {
    if (nodes->scratch == NULL) {
        return;
    }
    static const char NAME[] = "scratch";
    const Str path = nodes->scratch->string;
    doc_because(stack->doc, nodes->scratch->origin);
    DocNode *volume = node_add_map(stack, node_put_list(stack, container, "Volumes"));
    node_put_text(stack, volume, "Name", WHY_SCRATCH_MOUNT, NAME);
    node_put(stack, node_put_map(stack, volume, "Host"), "SourcePath", node_string(stack, WHY_SCRATCH_MOUNT, path));
    DocNode *mount = node_add_map(stack, node_put_list(stack, container, "MountPoints"));
    node_put_text(stack, mount, "SourceVolume", WHY_SCRATCH_MOUNT, NAME);
    node_put(stack, mount, "ContainerPath", node_string(stack, WHY_SCRATCH_MOUNT, path));
    doc_unbecause(stack->doc);
}
