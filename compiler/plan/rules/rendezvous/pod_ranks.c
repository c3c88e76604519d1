// Rules about the rank of a node among those that start together: by an option of torchrun, accelerate or deepspeed, or by
// a variable. Pods of one template, and nodes of one job, have the same command: what makes their ranks differ is a variable
// that each of them is given for itself.
#include "compiler/plan/rules/rule_rank.h"
#include "compiler/plan/model/launcher_option.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/rules/pod_count.h"
#include "compiler/plan/rules/rule_field.h"

// What who makes pods, or nodes, gives them.
typedef struct {
    const char *name; // a variable that differs in each; NULL: nobody knows one
    bool is_rank;     // torchrun reads it by itself
    bool is_together; // they are one job; those of others may be jobs of their own
    bool gives_rank;  // it sets RANK behind what is written, which wins
} MakerRow;

static MakerRow maker_of(const PlanObject *object) {
    return (MakerRow){ .name = object->kind->rank,
                       .is_rank = plan_object_is(object, RANKS_TORCH),
                       .is_together = plan_object_is(object, IS_TOGETHER),
                       .gives_rank = plan_object_is(object, GIVES_RANK) };
}

// Whether the words may come to something else in some pods: a script chooses among them, or options come from
// elsewhere.
static bool may_differ(const PlanLauncher *launcher) {
    static const char *const WORDS[] = { "$@", "$*", "[@]", "[*]", "ARGS", "OPTS", "for ", "ssh ", "xargs", "PET_" };
    static const char *const BEHIND[] = { "& ", "&\n" };
    bool may = launcher_has_branches(launcher) || launcher_has_late_words(launcher) ||
               launcher_reads_others(launcher) || launcher_mentions_any(launcher, WORDS, COUNT_OF(WORDS));
    for (uint32_t i = 0; i < launcher->words.count; i++) {
        const Str text = launcher->words.items[i].text;
        for (size_t k = 0; k < COUNT_OF(BEHIND); k++) {
            const size_t at = str_find(text, str_of(BEHIND[k]), 0);
            may = may || (at < text.len && (at == 0 || text.data[at - 1] != '&'));
        }
    }
    return may;
}

// With a rendezvous of its own torchrun reads no rank. Its backend is `static` where nothing says another one;
// `--rdzv-endpoint`, `--rdzv-id` and `--rdzv-conf` change nothing of that.
// source: pytorch/pytorch torch/distributed/run.py, config_from_args, `rdzv_backend`, read 2026-11-28
static bool has_rendezvous(const PlanLauncher *launcher) {
    const PlanVariable *set = launcher_variable(launcher, STR("PET_RDZV_BACKEND"));
    const bool is_said =
        launcher_option_is_said(launcher, LAUNCHER_OPTION(backend)) && !field_is(&launcher->backend, "static");
    return is_said || (set != NULL && !field_is(&set->value, "static")) ||
           launcher_mentions(launcher, launcher_option_name(LAUNCHER_OPTION(standalone)));
}

// Whether any word has an option for a rank, with or without a value that is known.
static bool has_option(const PlanLauncher *launcher) {
    return launcher_option_is_said(launcher, LAUNCHER_OPTION(rank)) ||
           launcher_option_is_said(launcher, LAUNCHER_OPTION(machine_rank));
}

// What torchrun reads of a variable where no option says it; -1: it is no number, or not known.
// source: pytorch/pytorch torch/distributed/argparse_util.py, env: `PET_` and the name of the option; read 2026-11-28
static int64_t number_of_env(const PlanLauncher *launcher, const char *name, Span *span) {
    const PlanVariable *variable = launcher_variable(launcher, str_of(name));
    const int64_t number = variable != NULL ? field_number(&variable->value, -1) : -1;
    if (number >= 0) {
        *span = variable->value.span;
    }
    return number;
}

typedef struct {
    int64_t rank; // -1: not known, or not the same in all pods
    Span span;
    const PlanField *option; // that says it; NULL: a variable, or nothing
    bool is_default;         // nothing says the rank
} Rank;

static Rank rank_by_option(const PlanLauncher *launcher, const PlanField *option) {
    return (Rank){ .rank = launcher_number(launcher, option), .span = option->key, .option = option };
}

static const char *own_rank_option(void) {
    return launcher_option_name(LAUNCHER_OPTION(rank));
}

// Without `--node-rank` and PET_NODE_RANK it is 0.
// source: pytorch/pytorch torch/distributed/run.py, get_args_parser: `--node-rank`, and `--rdzv-backend`, which is
// `static`; read 2026-11-26
static Rank rank_of(const PlanLauncher *launcher, const MakerRow *maker, Span nodes_at) {
    Rank rank = rank_by_option(launcher, &launcher->rank);
    if (rank.rank >= 0) {
        return rank;
    }
    if (has_option(launcher) || maker->is_rank) {
        return (Rank){ .rank = -1 };
    }
    rank.option = NULL;
    rank.rank = number_of_env(launcher, "PET_NODE_RANK", &rank.span);
    if (rank.rank < 0) {
        const bool is_static =
            launcher->address.text.len > 0 || launcher_variable(launcher, STR("PET_MASTER_ADDR")) != NULL;
        rank.is_default = !launcher_may_set(launcher, "PET_NODE_RANK") && is_static;
        rank.rank = rank.is_default ? 0 : -1;
        rank.span = nodes_at;
    }
    return rank;
}

#define INDEXED ", and give the Job the `completionMode` `Indexed`"

// Those that have one command: the pods of a template, or the nodes of a job.
typedef struct {
    int64_t count;
    const char *what; // "pods of this template"
    const MakerRow *maker;
} Alike;

static Rank rank_of_torch(const PlanLauncher *launcher, const Alike *alike) {
    int64_t nodes = launcher_runs(launcher, PROGRAM_TORCHRUN) ? launcher_number(launcher, &launcher->nodes) : 1;
    Span place = nodes >= 0 ? launcher->nodes.key : SPAN_NONE;
    if (nodes < 0 && !launcher_option_is_said(launcher, LAUNCHER_OPTION(nodes))) {
        nodes = number_of_env(launcher, "PET_NNODES", &place);
    }
    return nodes < 2 || has_rendezvous(launcher) ? (Rank){ .rank = -1 } : rank_of(launcher, alike->maker, place);
}

// Other launchers read the rank that their options say.
static Rank rank_of_others(const PlanLauncher *launcher) {
    if (launcher_mentions(launcher, "torchrun") || has_rendezvous(launcher) ||
        launcher_number(launcher, &launcher->nodes) == 1) {
        return (Rank){ .rank = -1 };
    }
    return rank_by_option(launcher, &launcher->machine_rank);
}

// ---- variables -----------------------------------------------------------------------------------------------------

// What programs and scripts take for the rank of their node. RANK is that of a process: of a node with one, or of the
// first one.
static const struct {
    const char *name;
    const char *sign; // of a script that sets it
} RANKS[] = { { "NODE_RANK", "NODE_RANK=" }, { "MACHINE_RANK", "MACHINE_RANK=" }, { "RANK", "RANK=" } };

// Variables that say that several nodes are one job, and the value that says the opposite.
static const struct {
    const char *name;
    const char *alone;
} SIGNS[] = {
    { "WORLD_SIZE", "1" },          { "NNODES", "1" },
    { "NUM_NODES", "1" },           { "NUM_MACHINES", "1" },
    { "MASTER_ADDR", "localhost" }, { "MASTER_ADDR", "127.0.0.1" },
};

typedef enum {
    SIGN_NONE,
    SIGN_TOGETHER,
    SIGN_ALONE,
} Sign;

static Sign sign_of(const PlanLauncher *launcher) {
    Sign sign = SIGN_NONE;
    for (size_t i = 0; i < COUNT_OF(SIGNS); i++) {
        const PlanVariable *set = launcher_variable(launcher, str_of(SIGNS[i].name));
        const bool is_alone = set != NULL && field_is(&set->value, SIGNS[i].alone);
        sign = is_alone || sign == SIGN_ALONE ? SIGN_ALONE : set != NULL ? SIGN_TOGETHER : sign;
    }
    return sign;
}

// A variable that is the same number in each of them. A launcher that is told a rank does not read it.
static Rank rank_of_variables(const PlanLauncher *launcher, const Alike *alike) {
    const Sign sign = sign_of(launcher);
    if (sign == SIGN_ALONE || (sign == SIGN_NONE && !alike->maker->is_together) || has_option(launcher) ||
        has_rendezvous(launcher)) {
        return (Rank){ .rank = -1 };
    }
    for (size_t i = 0; i < COUNT_OF(RANKS); i++) {
        const bool is_of_process = str_is(str_of(RANKS[i].name), "RANK");
        const bool is_given = is_of_process && (alike->maker->gives_rank || launcher_mentions(launcher, "torch"));
        Rank rank = { .option = NULL };
        rank.rank = number_of_env(launcher, RANKS[i].name, &rank.span);
        if (rank.rank >= 0 && !is_given && !launcher_mentions(launcher, RANKS[i].sign)) {
            return rank;
        }
    }
    return (Rank){ .rank = -1 };
}

// ------------------------------------------------------------------------------------------------------------------

// NULL where their ranks may differ; else what was reported, for a help.
static Diag *check_ranks(const Rules *rules, const Subject *subject, const Alike *alike, const PlanLauncher *launcher,
                         Rank *rank) {
    *rank = (Rank){ .rank = -1 };
    if (may_differ(launcher)) {
        return NULL;
    }
    *rank = rank_of_torch(launcher, alike);
    *rank = rank->rank < 0 ? rank_of_others(launcher) : *rank;
    *rank = rank->rank < 0 ? rank_of_variables(launcher, alike) : *rank;
    if (rank->rank < 0) {
        return NULL;
    }
    Diag *diag = rule_one_rank(rules, subject, rank->span, alike->count, alike->what, rank->rank);
    if (rank->is_default) {
        diag_note(rules->session, diag, "without `%s` it is 0", own_rank_option());
    }
    return diag;
}

// A variable in the place of the number behind the option, where that is written.
static void write_option(const Rules *rules, Diag *diag, const Rank *rank, Str variable) {
    const Span number = rank->option == NULL ? SPAN_NONE : launcher_number_place(rules->session, rank->option);
    if (!span_is_none(number)) {
        diag_fix(rules->session, diag, number, variable);
    }
}

// The index in the place of the number that a variable of a container has, in YAML.
static void write_index(const Rules *rules, Diag *diag, const Value *container, const Rank *rank) {
    const Value *env = object_get(container, "env");
    for (uint32_t i = 0; i < object_count(env); i++) {
        const Value *item = env->list.items[i];
        for (uint32_t k = 0; item->kind == VALUE_MAP && k < item->map.count; k++) {
            const ValueEntry *entry = &item->map.entries[k];
            const Str key = source_text(rules->session, entry->key_span);
            if (str_is(key, "value") && span_equal(entry->value->span, rank->span) && !span_is_none(rank->span)) {
                diag_fix(rules->session, diag, span_join(entry->key_span, entry->value->span),
                         STR("valueFrom: {fieldRef: {fieldPath: "
                             "\"metadata.annotations['batch.kubernetes.io/job-completion-index']\"}}"));
            }
        }
    }
}

static void check_pod(const Rules *rules, const PlanObject *object, const PlanWorkload *workload, const Alike *alike) {
    Rank rank;
    Diag *diag = check_ranks(rules, object->subject, alike, workload->launcher, &rank);
    const bool is_without = plan_object_is(object, IS_INDEXED) && !pod_has_index(object, workload->place);
    const char *more = is_without ? INDEXED : "";
    const char *name = alike->maker->name;
    const char *option = rank.option != NULL ? rank.option->name : own_rank_option();
    const bool is_variable = rank.option == NULL && !rank.is_default;
    if (diag == NULL) {
        return;
    }
    if (is_variable && plan_object_is(object, IS_INDEXED)) {
        diag_help(rules->session, diag,
                  "give it the `fieldRef` of `metadata.annotations['batch.kubernetes.io/job-completion-index']`%s",
                  more);
        if (!is_without && object->is_manifest) {
            write_index(rules, diag, workload->container, &rank);
        }
    } else if (is_variable) {
        diag_help(rules->session, diag, "remove it, and let a script take it from `%s`",
                  name != NULL ? name : "VC_TASK_INDEX");
    } else if (name != NULL) {
        diag_help(rules->session, diag, "write `%s=$(%s)`%s", option, name, more);
        if (!is_without) {
            write_option(rules, diag, &rank, str_format(rules->session->arena, "$(%s)", name));
        }
    } else {
        diag_help(rules->session, diag, "write `%s` with a variable that differs in each pod", option);
    }
}

void rule_pod_ranks(const Rules *rules, const PlanObject *object) {
    const bool is_ranked = plan_object_is(object, IS_RANKED) && !object->is_changed;
    const MakerRow maker = is_ranked ? maker_of(object) : (MakerRow){ 0 };
    for (uint32_t i = 0; is_ranked && i < object->workloads.count; i++) {
        const PlanWorkload *workload = object->workloads.items[i];
        const int64_t pods = workload->is_first ? -1 : pods_of_template(object, workload->pod);
        const char *what = workload->place->is_part ? "nodes of this job" : "pods of this template";
        const Alike alike = { .count = pods, .what = what, .maker = &maker };
        if (pods > 1) {
            check_pod(rules, object, workload, &alike);
        }
    }
}

// ---- jobs of several nodes -------------------------------------------------------------------------------------------

static const MakerRow NODES_MAKER = { .is_together = true };
static const MakerRow SCRIPTS_MAKER = { .name = NULL };

static void help_job(const Rules *rules, Diag *diag, const Rank *rank) {
    if (rank->is_default || (rank->option != NULL && str_is(str_of(rank->option->name), own_rank_option()))) {
        diag_help(rules->session, diag,
                  "write `launcher = torchrun`, and begin `command` with the program: dtc gives each node its rank");
    } else if (rank->option != NULL) {
        diag_help(rules->session, diag, "let a script work out `%s` from the node that it runs on", rank->option->name);
    } else {
        diag_help(rules->session, diag, "remove it, and let a script work it out from the node that it runs on");
    }
}

// Options of dtc's own launcher are rule launcher_options'; the variables that it sets are rule launcher_variables'.
void rule_job_ranks(const Rules *rules, const PlanJob *job) {
    if (job->command == NULL || !plan_job_is_multi_node(job)) {
        return;
    }
    const bool is_alike = job->launcher == LAUNCHER_NONE || job->launcher == LAUNCHER_SRUN;
    MakerRow maker = NODES_MAKER;
    maker.gives_rank = job->launcher == LAUNCHER_TORCHRUN;
    const Alike alike = { .count = job->nodes->integer, .what = "nodes of this job", .maker = &maker };
    const PlanLauncher *launcher = is_alike ? job->workload->launcher : launcher_of_job(rules->session, NULL, job->env);
    Rank rank;
    Diag *diag = check_ranks(rules, job->head.subject, &alike, launcher, &rank);
    if (diag != NULL) {
        help_job(rules, diag, &rank);
    }
}

// Scripts that each node of a group runs at its start. So many nodes are there as the group has at least.
void rule_group_ranks(const Rules *rules, const PlanGroup *group) {
    const PlanLauncher *launcher = group->launch->launcher;
    const Alike alike = { .count = field_number(&group->low, -1),
                          .what = "nodes of this group",
                          .maker = &SCRIPTS_MAKER };
    Rank rank;
    Diag *diag = launcher == NULL || alike.count < 2
                     ? NULL
                     : check_ranks(rules, group->launch->subject, &alike, launcher, &rank);
    if (diag != NULL) {
        diag_help(rules->session, diag, "let the script work out `%s` from the node that it runs on",
                  rank.option != NULL ? rank.option->name : own_rank_option());
        diag_label(rules->session, diag, rule_span(&group->low), "nodes at least");
    }
}

// What srun starts on the nodes of a job. Outside of `'…'` SLURM_NODEID is that of the shell of the script, which is 0.
void rule_step_ranks(const Rules *rules, const PlanSlurmScript *script, const PlanSlurmStep *step) {
    const Alike alike = { .count = step->node_count, .what = "nodes of this step", .maker = &SCRIPTS_MAKER };
    const PlanLauncher *launcher = step->launcher;
    if (alike.count < 2 || step->is_of_some || step->is_vague || may_differ(launcher)) {
        return;
    }
    const Rank torch = rank_of_torch(launcher, &alike);
    const Rank rank = torch.rank < 0 ? rank_of_others(launcher) : torch;
    if (rank.rank >= 0) {
        Diag *diag = rule_one_rank(rules, script->subject, rank.span, alike.count, alike.what, rank.rank);
        if (rank.is_default) {
            diag_note(rules->session, diag, "without `%s` it is 0", own_rank_option());
        } else {
            diag_note(rules->session, diag,
                      "the shell of the script fills in variables before srun starts anything, on the first node");
        }
        diag_help(rules->session, diag, "write `bash -c '… %s=$SLURM_NODEID …'` behind srun",
                  rank.option != NULL ? rank.option->name : own_rank_option());
    }
}

// Whether a shell reads the command, so that it may have variables.
static bool is_of_shell(const CommandWords *words) {
    bool is = false;
    for (uint32_t i = 0; i < words->count; i++) {
        is = is || words->items[i].is == SHELL_WORD_SCRIPT;
    }
    return is;
}

// A range of nodes of a job definition, which have one command and one environment.
void rule_definition_ranks(const Rules *rules, const PlanContainer *definition) {
    const Alike alike = { .count = definition->alike, .what = "nodes of this range", .maker = &NODES_MAKER };
    Rank rank;
    Diag *diag = definition->form != FORM_RESOURCE || definition->alike < 2
                     ? NULL
                     : check_ranks(rules, definition->subject, &alike, definition->launcher, &rank);
    if (diag == NULL) {
        return;
    }
    if (rank.option != NULL || rank.is_default) {
        const bool has_shell = is_of_shell(&definition->launcher->words);
        diag_help(rules->session, diag, "write %s`%s=$AWS_BATCH_JOB_NODE_INDEX`",
                  has_shell ? "" : "`bash -c` around it, and ",
                  rank.is_default ? own_rank_option() : rank.option->name);
        if (has_shell) {
            write_option(rules, diag, &rank, STR("$AWS_BATCH_JOB_NODE_INDEX"));
        }
    } else {
        diag_help(rules->session, diag, "remove it: AWS Batch gives each node AWS_BATCH_JOB_NODE_INDEX");
    }
}
