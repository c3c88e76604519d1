// The step that submits a job. Queue and definition are outputs of the stack, which it asks for: their ids are not known
// before, and the definition's is another one after each change.
#include "emitters/cloudformation/batch/batch.h"

#include "compiler/base/shell.h"
#include "compiler/plan/model/image.h"
#include "compiler/plan/model/queue.h"
#include "emitters/cloudformation/access/ssh_key.h"
#include "emitters/job/job_submission.h"
#include "emitters/cloudformation/template/stack_step.h"

static void add_output(const Stack *stack, StrBuf *text, const char *option, Str output) {
    strbuf_add_format(text, " %s \"$(aws cloudformation describe-stacks", option);
    shell_add(text, "--stack-name", stack->head->name->string);
    shell_add_given(text, "--region", stack->region);
    strbuf_add_format(text, " --query \"Stacks[0].Outputs[?OutputKey=='%.*s'].OutputValue\" --output text)\"",
                      STR_ARG(output));
}

static void add_dependencies(StrBuf *text, const PlanJob *job) {
    strbuf_add(text, job->depends_on.count > 0 ? STR(" --depends-on") : STR_NONE);
    for (uint32_t i = 0; i < job->depends_on.count; i++) {
        strbuf_add_format(text, " \"jobId=$(cat %.*s)\"",
                          STR_ARG(job_id_file(text->arena, job->depends_on.items[i].id)));
    }
}

void batch_add_submission(Stack *stack, const PlanJob *job, Output *output) {
    Arena *arena = stack->session->arena;
    const PlanQueue *queue = plan_queue_of(job->cluster, job->group->head.id);
    const Str queue_name = queue != NULL ? queue->head.id : job->group->head.id;
    StrBuf text = { .arena = arena };
    shell_add(&text, "aws batch submit-job --job-name", job->head.id);
    shell_add_given(&text, "--region", stack->region);
    add_output(stack, &text, "--job-queue", stack_id(stack, queue_name, STR_NONE, "JobQueue"));
    add_output(stack, &text, "--job-definition", stack_id(stack, job->head.id, STR_NONE, "JobDefinition"));
    if (queue != NULL && queue->shares->map.count > 0) { // whose work it is, only who submits it knows
        strbuf_add(&text, STR(" --share-identifier \"${SHARE:?}\""));
    }
    if (job->array_size != NULL) {
        strbuf_add_format(&text, " --array-properties size=%" PRId64, job->array_size->integer);
    }
    add_dependencies(&text, job);
    if (plan_job_is_awaited(job)) {
        const Str id = job_id_file(arena, job->head.id);
        strbuf_add_format(&text, " --query jobId --output text > %.*s", STR_ARG(id));
    }
    DeploymentStep step = { .region = stack->region, .apply = strbuf_str(&text) };
    job_fill_step(arena, &step, job);
    vec_push(arena, &step.needs, job->cluster->head.name->string);
    if (job->image != NULL && (plan_image_is_built(job->image) || plan_image_is_awaited(job->image))) {
        vec_push(arena, &step.needs, plan_image_reference(arena, job->image));
    }
    if (plan_job_has_ssh_key(job)) {
        vec_push(arena, &step.follows, step_ssh_key(arena, stack->head->name->string));
    }
    vec_push(arena, &output->steps, step);
}
