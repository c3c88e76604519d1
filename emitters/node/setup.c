// A script travels as it is in a quoted here-document of its part, since cloud-init would run it and go on whatever
// comes of it. A script that is fetched travels as its URL and sum, by https or, from `artifacts`, by the nodes' role.
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

void setup_add_shared(Arena *arena, UserDataParts *parts, const PlanNodes *nodes, SetupWay way, const char *target) {
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
    const UserDataPart part = {
        .kind = PART_BOOTHOOK,
        .text = userdata_bare_script(arena, script),
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

// As stdlib/node/second.sh does it.
static const char DOWNLOADS[] =
    "download() {\ncommand -v aws || timeout 99 yum -yq install awscli-2 || timeout 99 yum -yq install awscli\n"
    "timeout 60 aws s3 cp --only-show-errors \"$2\" \"$1\"\n}\n";

static Str fetched_script(Arena *arena, const PlanNodes *nodes, uint32_t number) {
    StrBuf out = { .arena = arena };
    strbuf_add_format(&out, "#!/bin/bash\n. /run/dtc/fail.sh\n%sfetch %" PRIu32 " ", DOWNLOADS, number + 1);
    shell_add_word(&out, upload_url(arena, nodes->cluster->artifacts->string, file_of(arena, nodes, number)));
    strbuf_add_format(&out, " %.*s\n", STR_ARG(sha256_text(arena, nodes->setup.items[number].text)));
    return strbuf_str(&out);
}

static Str setup_script(Arena *arena, const PlanScript *script, uint32_t number) {
    StrBuf out = { .arena = arena };
    strbuf_add_format(&out, "#!/bin/bash\n. /run/dtc/fail.sh\n%s %" PRIu32 " ", is_file(script) ? "setup" : "fetch",
                      number);
    shell_add_word(&out, script->name);
    if (is_file(script)) {
        strbuf_add_char(&out, ' ');
        userdata_add_here_document(&out, script->text);
    } else {
        strbuf_add_char(&out, ' ');
        shell_add_word(&out, script->sha256);
        strbuf_add_char(&out, '\n');
    }
    return strbuf_str(&out);
}

void setup_add_scripts(Arena *arena, UserDataParts *parts, const PlanNodes *nodes, SetupWay way) {
    for (uint32_t i = 0; i < nodes->setup.count; i++) {
        const PlanScript *script = &nodes->setup.items[i];
        const UserDataPart part = {
            .kind = PART_SHELL,
            .text = way == SETUP_FETCHED && is_file(script) ? fetched_script(arena, nodes, i)
                                                            : setup_script(arena, script, i + 1),
            .span = script->value->span,
            .name = script->name,
        };
        vec_push(arena, parts, part);
    }
}

UserDataParts setup_eks_parts(Arena *arena, const PlanNodes *nodes, SetupWay way) {
    UserDataParts parts = { 0 };
    if (nodes->setup.count > 0) {
        setup_add_shared(arena, &parts, nodes, way, "eks");
        setup_add_scripts(arena, &parts, nodes, way);
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
