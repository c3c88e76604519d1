// A script travels as it is in a quoted here-document, since cloud-init would run it and go on whatever comes of it. A
// script that is fetched travels as its URL and sum, by https or, from `artifacts`, by the nodes' role. Each is a part of
// its own, and what they share another one, at hand for every part at every boot. On EKS no other part needs it, and user
// data has little room, so that all of it is one script.
#include "emitters/node/setup.h"

#include "compiler/base/sha256.h"
#include "compiler/base/shell.h"
#include "emitters/node/second_stage.h"
#include "emitters/node/upload.h"

static const char SHARED[] = "what they share"; // name of the parts that the others use

static bool is_file(const PlanScript *script) {
    return script->text.len > 0;
}

static bool has_fetched(const PlanNodes *nodes, SetupWay way) {
    bool has = false;
    for (uint32_t i = 0; i < nodes->setup.count; i++) {
        has = has || way == SETUP_FETCHED || !is_file(&nodes->setup.items[i]);
    }
    return has;
}

static Str shared_script(Arena *arena, const PlanNodes *nodes, SetupWay way, const char *target) {
    StrBuf text = { .arena = arena };
    if (nodes->setup.count > 0) {
        userdata_add_code(&text, userdata_library("node/setup.sh"));
    }
    if (has_fetched(nodes, way)) {
        userdata_add_code(&text, userdata_library("node/fetch.sh"));
    }
    userdata_add_code(&text, userdata_library(str_c(arena, str_format(arena, "node/consequence-%s.sh", target))));
    userdata_add_code(&text, userdata_library(str_c(arena, str_format(arena, "node/quarantine-%s.sh", target))));
    const Str script = userdata_script_with(arena, userdata_library("node/fail.sh"), "so", strbuf_str(&text));
    return userdata_bare_script(arena, script);
}

void setup_add_shared(Arena *arena, UserDataParts *parts, const PlanNodes *nodes, SetupWay way, const char *target) {
    StrBuf text = { .arena = arena };
    strbuf_add(&text, shared_script(arena, nodes, way, target));
    userdata_add_code(&text, userdata_library("node/share.sh"));
    const UserDataPart part = {
        .kind = PART_BOOTHOOK,
        .text = strbuf_str(&text),
        .name = str_of(SHARED),
    };
    vec_push(arena, parts, part);
}

bool setup_may_be_fetched(const PlanNodes *nodes) {
    bool has_file = false;
    for (uint32_t i = 0; i < nodes->setup.count; i++) {
        has_file = has_file || is_file(&nodes->setup.items[i]);
    }
    return has_file && second_stage_is_wanted(nodes);
}

static Str file_of(Arena *arena, const PlanNodes *nodes, uint32_t number) {
    const Str sha256 = sha256_text(arena, nodes->setup.items[number].text);
    return upload_group_file(arena, nodes, sha256, str_format(arena, "setup-%" PRIu32 ".sh", number + 1));
}

void setup_upload(Session *session, const Plan *plan, Output *output, const PlanNodes *nodes, SetupWay way,
                  DeploymentStep *step) {
    for (uint32_t i = 0; i < nodes->setup.count && way == SETUP_FETCHED; i++) {
        const PlanScript *script = &nodes->setup.items[i];
        if (!is_file(script)) {
            continue;
        }
        const Str file = file_of(session->arena, nodes, i);
        const Str url = upload_url(session->arena, nodes->cluster->artifacts->string, file);
        if (upload_add(session, plan, output, file, script->text, url, nodes->cluster->region)) {
            vec_push(session->arena, &step->needs, url);
        }
    }
}

static void add_fetch(StrBuf *out, uint32_t number, Str url, Str sha256) {
    strbuf_add_format(out, "fetch %" PRIu32 " ", number);
    shell_add_word(out, url);
    strbuf_add_char(out, ' ');
    shell_add_word(out, sha256);
    strbuf_add_char(out, '\n');
}

// One line, or for a script that is inside the lines that hand it over.
static void add_script(StrBuf *out, const PlanNodes *nodes, uint32_t number, SetupWay way) {
    const PlanScript *script = &nodes->setup.items[number];
    if (!is_file(script)) {
        add_fetch(out, number + 1, script->name, script->sha256);
    } else if (way == SETUP_FETCHED) {
        const Str file = file_of(out->arena, nodes, number);
        const Str url = upload_url(out->arena, nodes->cluster->artifacts->string, file);
        add_fetch(out, number + 1, url, sha256_text(out->arena, script->text));
    } else {
        strbuf_add_format(out, "setup %" PRIu32 " ", number + 1);
        shell_add_word(out, script->name);
        strbuf_add_char(out, ' ');
        userdata_add_here_document(out, script->text);
    }
}

// As parts, or as more of the part before them.
static void add_scripts(Arena *arena, UserDataParts *parts, const PlanNodes *nodes, SetupWay way, bool go_on) {
    for (uint32_t i = 0; i < nodes->setup.count; i++) {
        const PlanScript *script = &nodes->setup.items[i];
        StrBuf text = { .arena = arena };
        strbuf_add(&text, go_on ? STR_NONE : STR("#!/bin/bash\n. /run/dtc/fail.sh\n"));
        add_script(&text, nodes, i, way);
        const UserDataPart part = {
            .kind = PART_SHELL,
            .goes_on = go_on,
            .text = strbuf_str(&text),
            .span = script->value->span,
            .name = script->name,
        };
        vec_push(arena, parts, part);
    }
}

void setup_add_scripts(Arena *arena, UserDataParts *parts, const PlanNodes *nodes, SetupWay way) {
    add_scripts(arena, parts, nodes, way, false);
}

UserDataParts setup_eks_parts(Arena *arena, const PlanNodes *nodes, SetupWay way) {
    UserDataParts parts = { 0 };
    if (nodes->setup.count > 0) {
        const Str script = shared_script(arena, nodes, way, "eks");
        const UserDataPart shared = {
            .kind = PART_SHELL,
            .text = str_format(arena, "%.*smkdir -p /run/dtc\n", STR_ARG(script)),
            .name = str_of(SHARED),
        };
        vec_push(arena, &parts, shared);
        add_scripts(arena, &parts, nodes, way, true);
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
