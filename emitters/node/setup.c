// A script travels as it is in a quoted here-document of its part, since cloud-init would run it and go on whatever
// comes of it. A script that is fetched travels as its URL and sum.
#include "emitters/node/setup.h"

#include "compiler/base/shell.h"
#include "emitters/node/fetched_check.h"

static const char SHARED[] = "what they share"; // name of the parts that the others use

void setup_add_fail(Arena *arena, UserDataParts *parts, const char *target) {
    StrBuf text = { .arena = arena };
    userdata_add_code(&text, userdata_library(str_c(arena, str_format(arena, "node/consequence-%s.sh", target))));
    userdata_add_code(&text, userdata_library(str_c(arena, str_format(arena, "node/quarantine-%s.sh", target))));
    const Str script = userdata_script_with(arena, userdata_library("node/fail.sh"), "consequence", strbuf_str(&text));
    const UserDataPart part = {
        .kind = PART_BOOTHOOK,
        .text = userdata_bare_script(arena, script),
        .name = str_of(SHARED),
    };
    vec_push(arena, parts, part);
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

void setup_add_scripts(Arena *arena, UserDataParts *parts, const PlanNodes *nodes, bool is_check_fetched) {
    if (nodes->setup.count > 0 || is_check_fetched) {
        const UserDataPart shared = {
            .kind = PART_BOOTHOOK,
            .text = userdata_bare_script(arena, userdata_library("node/setup.sh")),
            .name = str_of(SHARED),
        };
        vec_push(arena, parts, shared);
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
    if (nodes->setup.count > 0 || fetched_check_is_wanted(nodes)) {
        setup_add_fail(arena, &parts, "eks");
        setup_add_scripts(arena, &parts, nodes, fetched_check_is_wanted(nodes));
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
