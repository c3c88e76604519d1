// Each group has a script of its own, since the record and the taints are the group's. The shell functions for scripts
// of `setup` fetch it. They try five times, and then compare the sum. If either fails, the node takes no work.
#include "emitters/node/fetched_check.h"

#include "compiler/base/sha256.h"
#include "compiler/base/shell.h"
#include "compiler/plan/model/names.h"
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

// The files of a group's check: their names begin alike, for the role that may read them.
static Str file_with(Arena *arena, const PlanNodes *nodes, Str end) {
    return str_format(arena, "%.*s.%.*s-node-%.*s", STR_ARG(nodes->cluster->head.id), STR_ARG(nodes->head.id),
                      STR_ARG(end));
}

Str fetched_check_objects(Arena *arena, const PlanNodes *nodes) {
    const Str url = upload_url(arena, nodes->cluster->artifacts->string, file_with(arena, nodes, STR("*")));
    return str_slice(url, sizeof("s3://") - 1, url.len);
}

// The program of the second stage, whose sum is in its name.
static FetchedCheck second_stage(Session *session, Output *output, const PlanNodes *nodes, Str *sha256) {
    const NodeProgram program = preflight_collective(session, output, nodes->instance->architecture);
    const Str end = str_format(session->arena, "%.*s.%.*s", SUM_DIGITS, program.sha256.data, STR_ARG(program.file));
    FetchedCheck second = { .file = file_with(session->arena, nodes, end), .text = program.bytes };
    second.url = upload_url(session->arena, nodes->cluster->artifacts->string, second.file);
    *sha256 = program.sha256;
    return second;
}

static PreflightCarrier carrier_of(Session *session, Output *output, const PlanNodes *nodes) {
    PreflightCarrier carrier = nodes->cluster->target == TARGET_EKS
                                   ? eks_start_carrier(session, nodes)
                                   : (PreflightCarrier){ .target = "batch", .has_agent = true };
    carrier.program = second_stage(session, output, nodes, &carrier.program_sha256).url;
    carrier.is_watched = true; // what is fetched has room
    return carrier;
}

static FetchedCheck fetched_check(Session *session, Output *output, const PlanNodes *nodes) {
    FetchedCheck check = { .text = preflight_script(session, output, nodes, carrier_of(session, output, nodes)) };
    const Str sum = sha256_text(session->arena, check.text);
    check.file = file_with(session->arena, nodes, str_format(session->arena, "%.*s.sh", SUM_DIGITS, sum.data));
    check.url = upload_url(session->arena, nodes->cluster->artifacts->string, check.file);
    return check;
}

// Images of EKS have the AWS CLI, and the nodes' role may read the objects. Those of ECS are built on the minimal Amazon
// Linux 2023, which lacks it (aws/amazon-ecs-ami@a2532d35, variables.pkr.hcl, 2026-08, read 2026-11). In
// the packages of Amazon Linux 2 it has another name.
static const char INSTALLS[] = "command -v aws || yum -yq install awscli-2 || yum -yq install awscli\n";
static const char DOWNLOADS[] = "aws s3 cp --only-show-errors \"$2\" \"$1\"\n";

// A script that cannot be fetched may be missing for every node of the fleet. So that only warns, unless `on_fail` is
// written. What the check itself finds, it handles by itself.
static const char WARNS[] = "fail() {\nlogger -t dtc-node -- \"$1\"\nexit 0\n}\n";

void fetched_check_add_part(Session *session, Output *output, const PlanNodes *nodes, UserDataParts *parts) {
    const FetchedCheck check = fetched_check(session, output, nodes);
    StrBuf text = { .arena = session->arena };
    const PlanValidate *validate = nodes->validate;
    const bool may_refuse = validate->on_fail_written && validate->on_fail != ON_FAIL_WARN;
    const bool may_lack_cli = nodes->cluster->target == TARGET_BATCH;
    strbuf_add_format(&text, "#!/bin/bash\n. /run/dtc/setup.sh\ndownload() {\n%s%s}\n%sfetch check ",
                      may_lack_cli ? INSTALLS : "", DOWNLOADS, may_refuse ? "" : WARNS);
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
    const FetchedCheck check = fetched_check(session, output, nodes);
    Str sha256 = STR_NONE;
    const FetchedCheck second = second_stage(session, output, nodes, &sha256);
    const FetchedCheck *const files[] = { &check, &second };
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        if (upload_add(session, plan, output, files[i]->file, files[i]->text, files[i]->url, nodes->cluster->region)) {
            vec_push(session->arena, &step->needs, files[i]->url);
        }
    }
}

void fetched_check_decide_role(Arena *arena, PlanDecisions *decisions, const PlanNodes *nodes) {
    if (nodes->role.instance_profile == NULL) {
        return;
    }
    const PlanDecision decision = {
        .span = nodes->head.subject->name_span,
        .subject = plan_group_path(arena, nodes),
        .text = str_format(arena, "the role of its instance_profile has to read s3://%.*s",
                           STR_ARG(fetched_check_objects(arena, nodes))),
    };
    vec_push(arena, decisions, decision);
}
