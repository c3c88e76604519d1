// Each group has a script of its own, since the record and the taints are the group's. The shell functions for scripts
// of `setup` fetch it. They try five times, and then compare the sum. If either fails, the node takes no work.
#include "emitters/node/fetched_check.h"

#include "compiler/base/sha256.h"
#include "compiler/base/shell.h"
#include "emitters/node/eks_start.h"
#include "emitters/node/preflight_script.h"
#include "emitters/node/upload.h"

enum { SUM_DIGITS = 12 }; // of the sum, in a name

typedef struct {
    Str file; // beside the template
    Str text;
    Str url; // where nodes fetch it
} FetchedCheck;

bool fetched_check_is_wanted(const PlanNodes *nodes) {
    return nodes->validate != NULL && nodes->validate->is_fetched;
}

static Str file_with(Arena *arena, const PlanNodes *nodes, Str sum) {
    return str_format(arena, "%.*s.%.*s-node-%.*s.sh", STR_ARG(nodes->cluster->head.id), STR_ARG(nodes->head.id),
                      STR_ARG(sum));
}

Str fetched_check_objects(Arena *arena, const PlanNodes *nodes) {
    if (!fetched_check_is_wanted(nodes)) {
        return STR_NONE;
    }
    const Str url = upload_url(arena, nodes->cluster->artifacts->string, file_with(arena, nodes, STR("*")));
    return str_slice(url, sizeof("s3://") - 1, url.len);
}

static FetchedCheck fetched_check(Session *session, Output *output, const PlanNodes *nodes) {
    FetchedCheck check = { .text = preflight_script(session, output, nodes, eks_start_carrier(session, nodes)) };
    const Str sum = sha256_text(session->arena, check.text);
    check.file = file_with(session->arena, nodes, str_slice(sum, 0, SUM_DIGITS));
    check.url = upload_url(session->arena, nodes->cluster->artifacts->string, check.file);
    return check;
}

// Images of EKS have the AWS CLI, and the nodes' role may read the one object.
static const char DOWNLOADS[] = "download() {\naws s3 cp --only-show-errors \"$2\" \"$1\"\n}\n";

// A script that cannot be fetched may be missing for every node of the fleet. So that only warns, unless `on_fail` is
// written. What the check itself finds, it handles by itself.
static const char WARNS[] = "fail() {\nlogger -t dtc-node -- \"$1\"\nexit 0\n}\n";

void fetched_check_add_part(Session *session, Output *output, const PlanNodes *nodes, UserDataParts *parts) {
    const FetchedCheck check = fetched_check(session, output, nodes);
    StrBuf text = { .arena = session->arena };
    const PlanValidate *validate = nodes->validate;
    const bool may_refuse = validate->on_fail_written && validate->on_fail != ON_FAIL_WARN;
    strbuf_add_format(&text, "#!/bin/bash\n. /run/dtc/setup.sh\n%s%sfetch check ", DOWNLOADS, may_refuse ? "" : WARNS);
    shell_add_word(&text, check.url);
    strbuf_add_format(&text, " %.*s\n", STR_ARG(sha256_text(session->arena, check.text)));
    const UserDataPart part = {
        .kind = PART_SHELL,
        .text = strbuf_str(&text),
        .span = preflight_span(nodes),
        .name = STR("`validate`"),
    };
    vec_push(session->arena, parts, part);
}

void fetched_check_upload(Session *session, const Plan *plan, Output *output, const PlanNodes *nodes,
                          DeploymentStep *step) {
    if (!fetched_check_is_wanted(nodes)) {
        return;
    }
    const FetchedCheck check = fetched_check(session, output, nodes);
    if (upload_add(session, plan, output, check.file, check.text, check.url, nodes->cluster->region)) {
        vec_push(session->arena, &step->needs, check.url);
    }
}
