// A job with `launcher = torchrun`. A single container runs `torchrun --standalone … PROGRAM`. Several nodes run
// stdlib/job/torchrun.sh, which finds the main node and hands its arguments to torchrun. What is the author's stands in
// the list as it is, never inside of the script.
#include "emitters/cloudformation/batch/launcher.h"

DocNode *torchrun_command(Stack *stack, const PlanJob *job) {
    DocNode *list = doc_list(stack->doc);
    JobWords words = { 0 };
    if (!plan_job_is_multi_node(job)) {
        job_add_precompile(stack->arena, &words, job);
        launcher_add_words(stack, list, &words);
        words = (JobWords){ 0 };
    }
    doc_because(stack->doc, job->launcher_value->origin);
    if (plan_job_is_multi_node(job)) {
        launcher_add_script(stack, list, "job/torchrun.sh", "torchrun");
    } else {
        launcher_add_word(stack, list, WHY_TORCHRUN_ALONE, "torchrun");
        launcher_add_word(stack, list, WHY_TORCHRUN_ALONE, "--standalone");
    }
    job_add_torchrun_options(stack->arena, &words, job);
    launcher_add_words(stack, list, &words);
    doc_unbecause(stack->doc);
    words = (JobWords){ 0 };
    job_add_command(stack->arena, &words, job);
    launcher_add_words(stack, list, &words);
    return list;
}

void torchrun_add_environment(Stack *stack, DocNode *list, const PlanJob *job) {
    if (!plan_job_is_multi_node(job)) {
        return;
    }
    doc_because(stack->doc, job->launcher_value->origin);
    launcher_add_constant(stack, list, job, "TORCHRUN_PORT", WHY_TORCHRUN_PORT, CONSTANT_TORCHRUN_PORT);
    launcher_add_constant(stack, list, job, "TORCHRUN_WAIT", WHY_TORCHRUN_WAIT, CONSTANT_MPIRUN_WAIT);
    JobWords under = { 0 };
    job_add_precompile(stack->arena, &under, job);
    for (uint32_t i = 0; i < under.count; i++) {
        launcher_add_variable(stack, list, job, "TORCHRUN_UNDER",
                              doc_string(stack->doc, under.items[i].text, under.items[i].origin));
    }
    doc_unbecause(stack->doc);
}
