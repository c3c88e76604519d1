// A script travels as it is in a quoted here-document of its part, since cloud-init would run it and go on whatever comes
// of it. A script that is fetched travels as its URL and sum.
#include "emitters/setup.h"

#include "compiler/base/shell.h"

enum { NAMED_PARTS_MAX = 3 }; // in a message about the size

Str setup_fail_script(Arena *arena, const char *quarantine) {
    StrBuf text = { .arena = arena };
    userdata_add_code(&text, userdata_library(quarantine));
    return userdata_script_with(arena, userdata_library("node/fail.sh"), "consequence", strbuf_str(&text));
}

static Str setup_script(Arena *arena, const PlanScript *script, uint32_t number) {
    const bool is_file = script->text.len > 0;
    StrBuf out = { .arena = arena };
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

void setup_add_scripts(Arena *arena, UserDataParts *parts, const PlanNodes *nodes) {
    if (nodes->setup.count > 0) {
        vec_push(arena, parts, ((UserDataPart){ .kind = PART_BOOTHOOK, .text = userdata_library("node/setup.sh") }));
    }
    for (uint32_t i = 0; i < nodes->setup.count; i++) {
        const PlanScript *script = &nodes->setup.items[i];
        const UserDataPart part = {
            .kind = PART_SHELL,
            .text = setup_script(arena, script, i + 1),
            .span = script->value->span,
            .name = script->name,
        };
        vec_push(arena, parts, part);
    }
}

UserDataParts setup_eks_parts(Arena *arena, const PlanNodes *nodes) {
    UserDataParts parts = { 0 };
    if (nodes->setup.count > 0) {
        const Str fail = setup_fail_script(arena, "node/quarantine-eks.sh");
        vec_push(arena, &parts, ((UserDataPart){ .kind = PART_BOOTHOOK, .text = fail }));
        setup_add_scripts(arena, &parts, nodes);
    }
    return parts;
}

const Origin *setup_origin(Arena *arena, const PlanNodes *nodes) {
    const Origin *origin = NULL;
    for (uint32_t i = 0; i < nodes->setup.count; i++) {
        origin = origin_join(arena, origin, nodes->setup.items[i].value->origin);
    }
    return origin;
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

void setup_check_size(Session *session, const PlanNodes *nodes, const UserDataParts *parts, size_t size) {
    const int64_t max = schema_constant(CONSTANT_USER_DATA_BYTES_MAX);
    const int64_t warn = schema_constant(CONSTANT_USER_DATA_BYTES_WARN);
    if ((int64_t)size <= warn) {
        return;
    }
    const Block *block = nodes->head.block;
    const uint32_t count = session->diags.items.count;
    const Span span = block->attribute_spans[nodes->setup.count > 0 ? NODES_SETUP : NODES_SCRATCH];
    Diag *diag = (int64_t)size > max ? plan_report(session, block, span, DIAG(user_data_too_large), size, max)
                                     : plan_report(session, block, span, DIAG(user_data_large), size, max);
    const UserDataPart *named[NAMED_PARTS_MAX];
    for (int i = 0; i < NAMED_PARTS_MAX; i++) {
        named[i] = largest(parts, named, i);
        if (named[i] == NULL) {
            break;
        }
        diag_label(session, diag, named[i]->span, "%.*s: %zu bytes", STR_ARG(named[i]->name), named[i]->text.len);
    }
    diag_help(session, diag, "put the largest where nodes can fetch it: `script(\"https://…\", \"SHA-256\")`");
    diags_forget_repeats(session, count); // of a group that `like` or a loop copies
}

PlanDecision setup_decision(Session *session, const PlanNodes *nodes, size_t size) {
    return (PlanDecision){
        .span = nodes->head.block->name_span,
        .text = str_format(session->arena, "%.*s: %zu bytes of user data, of %" PRId64, STR_ARG(nodes->head.id), size,
                           schema_constant(CONSTANT_USER_DATA_BYTES_MAX)),
    };
}
