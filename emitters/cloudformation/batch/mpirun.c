// A job with `launcher = mpirun`, as rows: options of mpirun's and variables, each with what it is for. A single
// container runs `mpirun … PROGRAM`. Several nodes run stdlib/job/mpirun.sh, which finds them all and hands its
// arguments to mpirun. What is the author's stands in the list as it is, never inside of the script.
#include "emitters/cloudformation/batch/launcher.h"

#include "emitters/cloudformation/template/condition.h"
#include "emitters/cloudformation/template/template_value.h"
#include "emitters/cloudformation/template/intrinsic.h"
#include "emitters/cloudformation/access/ssh_key.h"
#include "emitters/job/job_environment.h"

// ---- command ---------------------------------------------------------------------------------------------------

// `-x NAME` for each variable that a container has for its ranks. If a variable is there only under a condition, so are
// its words.
static void add_forwards(Stack *stack, DocNode *list, const PlanJob *job) {
    JobVariable variables[JOB_VARIABLES_MAX];
    const int count = job_variables(job, variables);
    for (int i = 0; i < count; i++) {
        launcher_add_word(stack, list, WHY_MPIRUN_FORWARD, "-x");
        launcher_add_word(stack, list, variables[i].why, variables[i].name);
    }
    for (uint32_t i = 0; job->env->kind == VALUE_MAP && i < job->env->map.count; i++) {
        const ValueEntry *entry = &job->env->map.entries[i];
        if (entry->value->kind == VALUE_NULL || str_starts_with(entry->key, STR("MPIRUN_"))) {
            continue; // not there, or the script's
        }
        const Condition *given = value_may_be_null(entry->value) ? condition_given(stack, entry->value) : NULL;
        DocNode *words[] = { tree_text(stack->doc, WHY_MPIRUN_FORWARD, "-x"),
                             doc_string(stack->doc, entry->key, origin_span(stack->arena, entry->key_span)) };
        for (size_t k = 0; k < COUNT_OF(words); k++) {
            doc_add(stack->doc, list,
                    given == NULL ? words[k] : condition_if(stack, given, words[k], intrinsic_no_value(stack)));
        }
    }
}

DocNode *mpirun_command(Stack *stack, const PlanJob *job) {
    DocNode *list = doc_list(stack->doc);
    JobWords words = { 0 };
    doc_because(stack->doc, job->launcher_value->origin);
    if (plan_job_has_ssh_key(job)) {
        launcher_add_script(stack, list, "job/mpirun.sh", "mpirun");
    } else {
        launcher_add_word(stack, list, WHY_MPIRUN_RANKS, "mpirun");
        launcher_add_word(stack, list, WHY_MPIRUN_RANKS, "--host");
        Str host = str_format(stack->arena, "localhost:%" PRId64, job->tasks_per_node->integer);
        doc_add(stack->doc, list, doc_string(stack->doc, host, job->tasks_per_node->origin));
        launcher_add_word(stack, list, WHY_MPIRUN_RANKS, "-np");
        job_add_number(stack->arena, &words, job->tasks_per_node);
    }
    job_add_mpirun_options(stack->arena, &words, job);
    launcher_add_words(stack, list, &words);
    add_forwards(stack, list, job);
    doc_unbecause(stack->doc);
    words = (JobWords){ 0 };
    job_add_command(stack->arena, &words, job);
    launcher_add_words(stack, list, &words);
    return list;
}

// ---- environment -----------------------------------------------------------------------------------------------

void mpirun_add_environment(Stack *stack, DocNode *list, const PlanJob *job) {
    if (!plan_job_has_ssh_key(job)) {
        return;
    }
    doc_because(stack->doc, job->launcher_value->origin);
    Str workers = str_format(stack->arena, "%" PRId64, job->tasks_per_node->integer);
    launcher_add_variable(stack, list, job, "MPIRUN_WORKERS",
                          doc_string(stack->doc, workers, job->tasks_per_node->origin));
    launcher_add_variable(stack, list, job, "MPIRUN_KEY", intrinsic_ref(stack, ssh_key_id(stack, job->cluster)));
    launcher_add_constant(stack, list, job, "MPIRUN_PORT", WHY_MPIRUN_PORT, CONSTANT_MPIRUN_PORT);
    launcher_add_constant(stack, list, job, "MPIRUN_WAIT", WHY_MPIRUN_WAIT, CONSTANT_MPIRUN_WAIT);
    doc_unbecause(stack->doc);
}
