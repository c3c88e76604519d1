// The step that builds an image and pushes it, or that asks for one which somebody else pushes. It comes after the stack that makes the repository. What this deployment
// decides alone, such as the account, the script asks when it runs.
#include "emitters/image/image.h"

#include "compiler/base/shell.h"
#include "compiler/plan/model/dockerfile.h"
#include "compiler/plan/model/image.h"
#include "compiler/plan/model/shared.h"
#include "emitters/node/preflight_script.h"
#include "emitters/node/userdata.h"

// ---- settings of the script ------------------------------------------------------------------------------------

static void add_setting(StrBuf *out, const char *name, Str value) {
    strbuf_add_format(out, "%s=", name);
    shell_add_word(out, value);
    strbuf_add_char(out, '\n');
}

// "HOST REGION" of each private registry that the image is built on.
static void add_base(StrBuf *out, Str image) {
    Str host;
    Str region;
    if (plan_image_registry(image, &host, &region) && str_find(strbuf_str(out), host, 0) == out->len) {
        strbuf_add_format(out, "%s%.*s %.*s", out->len == 0 ? "" : " ", STR_ARG(host), STR_ARG(region));
    }
}

static Str bases_of(Arena *arena, const PlanRecipe *recipe) {
    StrBuf bases = { .arena = arena };
    if (recipe->dockerfile == NULL) {
        add_base(&bases, recipe->from);
        return strbuf_str(&bases);
    }
    DockerLine line;
    for (size_t at = 0; docker_next(recipe->dockerfile->string, &at, &line);) {
        if (docker_is(&line, "from")) {
            add_base(&bases, docker_from(recipe->dockerfile->string, &line));
        }
    }
    return strbuf_str(&bases);
}

// Names of the variables; of those alone that a Dockerfile of the author's own takes as build arguments.
static Str names_of(Arena *arena, const PlanRecipe *recipe, bool of_arguments) {
    StrBuf names = { .arena = arena };
    for (uint32_t i = 0; i < recipe->build_env->list.count; i++) {
        const Str name = recipe->build_env->list.items[i]->string;
        const bool is_argument = recipe->dockerfile != NULL && docker_takes(recipe->dockerfile->string, name);
        if (!of_arguments || is_argument) {
            strbuf_add_format(&names, "%s%.*s", names.len == 0 ? "" : " ", STR_ARG(name));
        }
    }
    return strbuf_str(&names);
}

// A line begins with a sum, so that none ends the here-document.
static void add_sums(StrBuf *out, const PlanRecipe *recipe) {
    strbuf_add(out, STR("sums() {\n"));
    if (recipe->files.count == 0) {
        strbuf_add(out, STR("    :\n}\n"));
        return;
    }
    strbuf_add(out, STR("    cat <<'END'\n"));
    for (uint32_t i = 0; i < recipe->files.count; i++) {
        const TreeFile *file = &recipe->files.items[i];
        strbuf_add_format(out, "%.*s  %.*s\n", STR_ARG(file->sha256), STR_ARG(file->path));
    }
    strbuf_add(out, STR("END\n}\n"));
}

static Str settings_of(Arena *arena, const PlanImage *image, Str dockerfile, const NodeProgram *program) {
    const PlanRecipe *recipe = image->recipe;
    StrBuf out = { .arena = arena };
    add_setting(&out, "image", image->head.id);
    add_setting(&out, "repository", image->repository->string);
    add_setting(&out, "tag", image->tag->string);
    add_setting(&out, "is_final", image->tag_is_sum || image->maker->is_immutable->boolean ? STR("yes") : STR("no"));
    add_setting(&out, "region", image->region);
    add_setting(&out, "platform",
                str_format(arena, "linux/%s", recipe->architecture == ARCHITECTURE_ARM64 ? "arm64" : "amd64"));
    add_setting(&out, "dockerfile", dockerfile);
    add_setting(&out, "bases", bases_of(arena, recipe));
    add_setting(&out, "secrets", names_of(arena, recipe, false));
    add_setting(&out, "arguments", names_of(arena, recipe, true));
    add_setting(&out, "program", program->file);
    add_setting(&out, "program_sum", program->sha256);
    add_setting(&out, "program_place", STR(COLLECTIVE_IN_CONTEXT));
    add_sums(&out, recipe);
    return strbuf_str(&out);
}

// ---- files -----------------------------------------------------------------------------------------------------

// dtc-collective as a file of this build; empty where the image has none.
static NodeProgram emit_program(Session *session, const PlanImage *image, Output *output) {
    enum { SUM_DIGITS = 12 };
    if (!image->recipe->has_collective) {
        return (NodeProgram){ 0 };
    }
    NodeProgram program = preflight_collective(session, output, image->recipe->architecture);
    program.file = str_format(session->arena, "%.*s.%.*s-%.*s", STR_ARG(image->head.id), STR_ARG(program.file),
                              STR_ARG(str_slice(program.sha256, 0, SUM_DIGITS)));
    emitter_add(session, output, ((Artifact){ .name = program.file, .content = program.bytes }));
    return program;
}

// The stack that makes the repository comes first.
static void add_repository(Arena *arena, const PlanImage *image, DeploymentStep *step) {
    const Value *stack = plan_stack_name(arena, image->maker->head.part->stack);
    if (!image->is_existing && stack != NULL) {
        vec_push(arena, &step->needs, stack->string);
    }
}

static void emit_one(Session *session, const Plan *plan, const PlanImage *image, Output *output) {
    Arena *arena = session->arena;
    const Str dockerfile = str_format(arena, "%.*s.Dockerfile", STR_ARG(image->head.id));
    const Str script = str_format(arena, "%.*s.image.sh", STR_ARG(image->head.id));
    emitter_add(session, output, ((Artifact){ .name = dockerfile, .content = image_dockerfile(session, plan, image) }));
    const NodeProgram program = emit_program(session, image, output);
    DeploymentStep step = {
        .file = script,
        .kind = STR("image"),
        .name = plan_image_reference(arena, image),
        .region = image->region,
    };
    StrBuf apply = { .arena = arena };
    shell_add(&apply, "bash", script);
    step.apply = strbuf_str(&apply);
    add_repository(arena, image, &step);
    const Str content = userdata_script_with(arena, userdata_library("image/build.sh"), "settings",
                                             settings_of(arena, image, dockerfile, &program));
    emitter_add(session, output, ((Artifact){ .name = script, .content = content, .step = step }));
}

// Of an image that somebody else pushes, the step asks whether it is there: it fails before a job does.
static void add_question(Session *session, const PlanImage *image, Output *output) {
    Arena *arena = session->arena;
    DeploymentStep step = {
        .kind = STR("image"),
        .name = plan_image_reference(arena, image),
        .region = image->region,
    };
    StrBuf apply = { .arena = arena };
    shell_add(&apply, "aws ecr describe-images --repository-name", image->repository->string);
    shell_add(&apply, "--image-ids", str_format(arena, "imageTag=%.*s", STR_ARG(image->tag->string)));
    shell_add_given(&apply, "--region", image->region);
    strbuf_add(&apply, STR(" --query 'imageDetails[].imageTags' --output text"));
    step.apply = strbuf_str(&apply);
    add_repository(arena, image, &step);
    vec_push(arena, &output->steps, step);
}

void image_emit(Session *session, const Plan *plan, Output *output) {
    for (uint32_t i = 0; i < plan->images.count; i++) {
        const PlanImage *image = plan->images.items[i];
        if (plan_image_is_built(image)) {
            if (emitter_is_full(session, output, image->head.subject)) {
                return;
            }
            emit_one(session, plan, image, output);
        }
    }
}

void image_emit_questions(Session *session, const Plan *plan, Output *output) {
    for (uint32_t i = 0; i < plan->images.count; i++) {
        const PlanImage *image = plan->images.items[i];
        const Str name = plan_image_is_awaited(image) ? plan_image_reference(session->arena, image) : STR_NONE;
        bool is_asked = false;
        for (uint32_t k = 0; k < output->artifacts.count && name.len > 0; k++) {
            is_asked = is_asked || emitter_needs(&output->artifacts.items[k].step, name);
        }
        for (uint32_t k = 0; k < output->steps.count && name.len > 0; k++) {
            is_asked = is_asked || emitter_needs(&output->steps.items[k], name);
        }
        if (is_asked) {
            add_question(session, image, output);
        }
    }
}
