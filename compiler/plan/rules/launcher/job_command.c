// Rules about the words of a job's command: what its launcher says already.
#include "compiler/plan/rules/rule_field.h"
#include "compiler/plan/rules/rule_rank.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/declared_group.h"
#include "compiler/plan/model/launcher_option.h"

// The words of a command that is a known list; of a late word the text is empty.
static uint32_t count_words(const PlanJob *job) {
    const Value *command = job->command;
    return command != NULL && command->kind == VALUE_LIST ? command->list.count : 0;
}

static Str word_at(const PlanJob *job, uint32_t i) {
    const Value *word = job->command->list.items[i];
    return word->kind == VALUE_STRING ? word->string : STR_NONE;
}

// ---- what the launcher says already ---------------------------------------------------------------------------------

static const PlanProgram PROGRAMS[] = {
    [LAUNCHER_MPIRUN] = PROGRAM_MPIRUN,
    [LAUNCHER_TORCHRUN] = PROGRAM_TORCHRUN,
    [LAUNCHER_SRUN] = PROGRAM_SRUN,
};

// One launcher may start another: srun one torchrun on each node.
void rule_launcher_once(const Rules *rules, const PlanJob *job) {
    const Str word = count_words(job) == 0 ? STR_NONE : word_at(job, 0);
    if (job->launcher != LAUNCHER_NONE && launcher_program(word) == PROGRAMS[job->launcher]) {
        Diag *diag = plan_report(rules->session, job->head.subject, job->command->list.items[0]->span,
                                 DIAG(launcher_twice), STR_ARG(str_after_last(word, '/')), STR_ARG(job->head.id));
        diag_label(rules->session, diag, job->launcher_value->span, "starts it already");
        diag_help(rules->session, diag, "begin `command` with the program, or write `launcher = none`");
    }
}

// A number as the rank of all nodes is no option that is said twice: it is wrong.
static bool is_one_rank(const PlanJob *job, uint32_t i, int64_t *rank) {
    const Str word = word_at(job, i);
    const size_t sign = str_find(word, STR("="), 0);
    const Str value = sign < word.len            ? str_slice(word, sign + 1, word.len)
                      : i + 1 < count_words(job) ? word_at(job, i + 1)
                                                 : STR_NONE;
    *rank = value.len == 1 && char_is_digit(value.data[0]) ? value.data[0] - '0' : -1;
    return launcher_option_starts(word, LAUNCHER_OPTION(rank)) > 0 && *rank >= 0 && plan_job_is_multi_node(job);
}

void rule_launcher_options(const Rules *rules, const PlanJob *job) {
    const uint32_t count = count_words(job);
    for (uint32_t i = 0; i < count; i++) {
        const Str word = word_at(job, i);
        const LauncherWord *option = launcher_word(PROGRAMS[job->launcher], word);
        if (option == NULL) {
            return;
        }
        int64_t rank;
        if (is_one_rank(job, i, &rank)) {
            Diag *diag = rule_one_rank(rules, job->head.subject, job->command->list.items[i]->span, job->nodes->integer,
                                       "nodes of this job", rank);
            diag_help(rules->session, diag, "remove it from `command`: dtc gives each node its rank");
        } else if (option->job != NULL) {
            Diag *diag = plan_report(rules->session, job->head.subject, job->command->list.items[i]->span,
                                     DIAG(launcher_option), STR_ARG(word), STR_ARG(job->launcher_value->string));
            diag_help(rules->session, diag, "remove it from `command`: `%s` of the job says it", option->job);
        }
        i += str_find(word, STR("="), 0) < word.len ? 0 : (uint32_t)option->words;
    }
}

// source: pytorch/pytorch@001077cb torch/distributed/elastic/agent/server/local_elastic_agent.py, read 2026-11
static const char *const TORCHRUN_VARIABLES[] = {
    "GROUP_RANK",
    "GROUP_WORLD_SIZE",
    "LOCAL_RANK",
    "LOCAL_WORLD_SIZE",
    "MASTER_ADDR",
    "MASTER_PORT",
    "RANK",
    "ROLE_NAME",
    "ROLE_RANK",
    "ROLE_WORLD_SIZE",
    "WORLD_SIZE",
    "TORCHELASTIC_MAX_RESTARTS",
    "TORCHELASTIC_RESTART_COUNT",
    "TORCHELASTIC_RUN_ID",
    "TORCHELASTIC_USE_AGENT_STORE",
};

// What the job says in the place of a variable; NULL: nothing, torchrun finds it out.
static const char *instead_of(Str name) {
    const bool is_of_node = str_is(name, "LOCAL_WORLD_SIZE");
    const bool is_of_all = str_is(name, "WORLD_SIZE") || str_is(name, "GROUP_WORLD_SIZE");
    return is_of_node ? "`tasks_per_node`" : is_of_all ? "`nodes` and `tasks_per_node`" : NULL;
}

void rule_launcher_variables(const Rules *rules, const PlanJob *job) {
    const uint32_t count = job->launcher == LAUNCHER_TORCHRUN && job->env->kind == VALUE_MAP ? job->env->map.count : 0;
    for (uint32_t i = 0; i < count; i++) {
        const ValueEntry *entry = &job->env->map.entries[i];
        bool is_given = false;
        for (size_t k = 0; k < COUNT_OF(TORCHRUN_VARIABLES); k++) {
            is_given = is_given || str_is(entry->key, TORCHRUN_VARIABLES[k]);
        }
        if (!is_given) {
            continue;
        }
        Diag *diag = plan_report(rules->session, job->head.subject, entry->key_span, DIAG(launcher_variable),
                                 STR_ARG(entry->key), STR_ARG(job->head.id));
        diag_label(rules->session, diag, job->launcher_value->span, "the launcher");
        const char *instead = instead_of(entry->key);
        if (instead != NULL) {
            diag_help(rules->session, diag, "remove it: %s of the job say%s it", instead,
                      str_is(entry->key, "LOCAL_WORLD_SIZE") ? "s" : "");
        } else {
            diag_help(rules->session, diag, "remove it");
        }
    }
}

// ---- processes and devices ------------------------------------------------------------------------------------------

// Scripts for torchrun take the device whose number is LOCAL_RANK. With other launchers several processes may share
// one.
void rule_tasks_of_devices(const Rules *rules, const PlanJob *job) {
    const bool has_gpus = job->gpus->integer > 0;
    const int64_t devices = has_gpus ? job->gpus->integer : plan_neuron_cores(job->group->instance);
    if (job->launcher != LAUNCHER_TORCHRUN || devices < 1 || job->tasks_per_node->integer <= devices) {
        return;
    }
    Diag *diag =
        plan_report(rules->session, job->head.subject, job->tasks_per_node->span, DIAG(tasks_beyond_devices),
                    "torchrun", job->tasks_per_node->integer,
                    STR_ARG(str_format(rules->session->arena, "of job `%.*s` on a node", STR_ARG(job->head.id))),
                    devices, has_gpus ? "GPU" : "NeuronCore", devices == 1 ? "" : "s");
    diag_label(rules->session, diag, job->group->instance_value->span, "%s", job->group->instance->name);
    diag_help(rules->session, diag, "leave `tasks_per_node` out: a process for each of them is the default");
}
