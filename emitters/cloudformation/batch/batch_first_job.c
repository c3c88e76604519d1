// A group's first job as a definition of a multi-node job. It is the plan's job with a command that fetches
// dtc-collective and measures. Its role may read this one object. Whoever submits it to the group's queue starts its
// nodes.
#include "emitters/node/first_job.h"

#include "compiler/plan/model/names.h"
#include "compiler/plan/model/queue.h"
#include "emitters/cloudformation/batch/batch.h"
#include "emitters/cloudformation/template/intrinsic.h"
#include "emitters/node/upload.h"

static const Value *text_value(const Stack *stack, const PlanNodes *nodes, Str text) {
    Value *value = arena_new(stack->arena, Value);
    *value = (Value){ .kind = VALUE_STRING, .span = preflight_span(nodes), .origin = nodes->validate->origin };
    value->string = text;
    return value;
}

static Str script(Arena *arena, Str accelerators) {
    StrBuf end = { .arena = arena };
    if (accelerators.len > 0) {
        userdata_add_code(&end, userdata_library("job/first-job-accelerators.sh"));
    } else {
        strbuf_add(&end, STR("exec \"$program\" run \"$@\"\n"));
    }
    return userdata_bare_script(
        arena, userdata_script_with(arena, userdata_library("job/first-job.sh"), "measure", strbuf_str(&end)));
}

// The script stands in the list as it is; what is of the author stands behind it, as arguments.
static const Value *command(Stack *stack, const PlanNodes *nodes, const FirstJob *job, Str accelerators) {
    Str words[FIRST_JOB_WORDS_MAX];
    int count;
    first_job_options(stack->arena, nodes, words, &count);
    const Str before[] = {
        STR("/bin/sh"), STR("-c"), script(stack->arena, accelerators), STR("validate"), job->url, job->program.sha256,
    };
    Value *list = arena_new(stack->arena, Value);
    *list = (Value){ .kind = VALUE_LIST, .span = preflight_span(nodes), .origin = nodes->validate->origin };
    list->list.count = (uint32_t)(COUNT_OF(before) + (size_t)count);
    list->list.items = arena_new_array(stack->arena, const Value *, list->list.count);
    for (uint32_t i = 0; i < list->list.count; i++) {
        list->list.items[i] = text_value(stack, nodes, i < COUNT_OF(before) ? before[i] : words[i - COUNT_OF(before)]);
    }
    return list;
}

// The scripts that measure accelerators, as variables of the container; none where only dtc-collective is wanted.
static const Value *environment(const Stack *stack, const PlanNodes *nodes, Str accelerators) {
    const Str texts[][2] = {
        { STR("FIRST_JOB_LAUNCHER"), userdata_bare_script(stack->arena, userdata_library("job/mpirun.sh")) },
        { STR("FIRST_JOB_ACCELERATORS"), accelerators },
    };
    Value *map = arena_new(stack->arena, Value);
    *map = *nodes->validate->job->env;
    if (accelerators.len == 0) {
        return map;
    }
    ValueEntry *entries = arena_new_array(stack->arena, ValueEntry, COUNT_OF(texts));
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        entries[i] = (ValueEntry){
            .key = texts[i][0],
            .key_span = preflight_span(nodes),
            .value = text_value(stack, nodes, texts[i][1]),
        };
    }
    map->map.entries = entries;
    map->map.count = COUNT_OF(texts);
    return map;
}

void batch_add_first_job(Stack *stack, const PlanNodes *nodes) {
    if (nodes->validate == NULL || nodes->validate->job == NULL) {
        return;
    }
    Session *session = stack->session;
    const FirstJob first = first_job(session, stack->output, nodes);
    if (upload_add(session, stack->plan, stack->output, first.file, first.program.bytes, first.url, stack->region)) {
        vec_push(session->arena, &stack->step.needs, first.url);
    }
    PlanJob *job = arena_new(stack->arena, PlanJob);
    *job = *nodes->validate->job;
    const Str accelerators = first_job_accelerators(stack->arena, nodes);
    job->command = command(stack, nodes, &first, accelerators);
    job->env = environment(stack, nodes, accelerators);
    PlanJobContainer *container = arena_new(stack->arena, PlanJobContainer);
    *container = *job->container;
    container->object = str_slice(first.url, sizeof("s3://") - 1, first.url.len);
    job->container = container;
    batch_add_job_definition(stack, job);
    Str id = stack_id(stack, job->head.id, STR_NONE, "JobDefinition");
    stack_output(stack, id, "Definition of the job in which the group's nodes measure each other",
                 intrinsic_ref(stack, id), false);
    const Str queue = stack_id(stack, nodes->head.id, STR_NONE, "JobQueue");
    const PlanQueue *shared = plan_queue_of(nodes->cluster, nodes->head.id);
    const bool has_shares = shared != NULL && shared->shares->map.count > 0;
    const PlanDecision decision = {
        .span = preflight_span(nodes),
        .subject = plan_group_path(session->arena, nodes),
        .text = str_format(session->arena,
                           "%d nodes measure each other in a first job%s: submit %.*s to %.*s, outputs of the stack%s",
                           nodes->validate->first_job,
                           accelerators.len > 0 ? ", and then their accelerators, with a secret for their ssh key" : "",
                           STR_ARG(id), STR_ARG(queue), has_shares ? ", with `--share-identifier`" : ""),
    };
    vec_push(session->arena, &stack->output->decisions, decision);
}
