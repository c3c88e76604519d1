// Each group has a script of its own, since what it does with a verdict is the group's. The first stage compares its sum
// (stdlib/node/second.sh), and it the sum of the program.
#include "emitters/node/second_stage.h"

#include "compiler/base/sha256.h"
#include "compiler/plan/model/names.h"
#include "emitters/node/upload.h"

typedef struct {
    Str file; // beside the template
    Str text;
    Str sha256;
    Str url; // where nodes fetch it
} Fetched;

bool second_stage_is_wanted(const PlanNodes *nodes) {
    return nodes->validate != NULL && nodes->validate->has_second && nodes->cluster->target != TARGET_PARALLELCLUSTER;
}

Str second_stage_objects(Arena *arena, const PlanNodes *nodes) {
    return second_stage_is_wanted(nodes) ? upload_group_objects(arena, nodes) : STR_NONE;
}

static Fetched fetched(Arena *arena, const PlanNodes *nodes, Str text, Str sha256, Str end) {
    Fetched file = { .text = text, .sha256 = sha256 };
    file.file = upload_group_file(arena, nodes, sha256, end);
    file.url = upload_url(arena, nodes->cluster->artifacts->string, file.file);
    return file;
}

// The script, and the program where it runs one.
typedef struct {
    Fetched items[2];
    size_t count;
} Files;

static Files files_of(Session *session, Output *output, const PlanNodes *nodes, PreflightCarrier carrier) {
    Arena *arena = session->arena;
    Files files = { .count = 1 };
    if (nodes->validate->has_program) {
        const NodeProgram program = preflight_collective(session, output, nodes->instance->architecture);
        const Fetched file = fetched(arena, nodes, program.bytes, program.sha256, program.file);
        carrier.program = file.url;
        carrier.program_sha256 = file.sha256;
        files.items[files.count++] = file;
    }
    carrier.is_watched = true; // what is fetched has room
    carrier.is_fetched = true;
    const Str text = preflight_second(arena, nodes, carrier);
    files.items[0] = fetched(arena, nodes, text, sha256_text(arena, text), STR("sh"));
    return files;
}

void second_stage_carry(Session *session, Output *output, const PlanNodes *nodes, PreflightCarrier *carrier) {
    if (second_stage_is_wanted(nodes)) {
        const Fetched script = files_of(session, output, nodes, *carrier).items[0];
        carrier->second = script.url;
        carrier->second_sha256 = script.sha256;
    }
}

void second_stage_upload(Session *session, const Plan *plan, Output *output, const PlanNodes *nodes,
                         PreflightCarrier carrier, DeploymentStep *step) {
    if (!second_stage_is_wanted(nodes)) {
        return;
    }
    const Files files = files_of(session, output, nodes, carrier);
    for (size_t i = 0; i < files.count; i++) {
        const Fetched *file = &files.items[i];
        if (upload_add(session, plan, output, file->file, file->text, file->url, nodes->cluster->region)) {
            vec_push(session->arena, &step->needs, file->url);
        }
    }
}

void second_stage_decide_role(Arena *arena, PlanDecisions *decisions, const PlanNodes *nodes) {
    if (nodes->role.instance_profile == NULL || !second_stage_is_wanted(nodes)) {
        return;
    }
    const PlanDecision decision = {
        .span = nodes->head.subject->name_span,
        .subject = plan_group_path(arena, nodes),
        .text = str_format(arena, "the role of its instance_profile has to read s3://%.*s",
                           STR_ARG(second_stage_objects(arena, nodes))),
    };
    vec_push(arena, decisions, decision);
}
