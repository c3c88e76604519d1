// Rules about how many tasks a batch script starts, and where: Slurm starts tasks, and torchrun starts processes in each.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/launcher_option.h"
#include "compiler/plan/rules/rule_field.h"

// ---- fewer tasks than nodes ------------------------------------------------------------------------------------------

// source: SchedMD/slurm@284c3b95 src/sbatch/opt.c and src/srun/opt.c, "can't run %d processes on %d nodes", read 2026-11
static void check_few(const Rules *rules, const Subject *subject, const PlanSlurmOptions *options) {
    Session *session = rules->session;
    const PlanSlurmOption *nodes = slurm_option(options, "nodes");
    const PlanSlurmOption *tasks = slurm_option(options, "ntasks");
    const int64_t asked = slurm_number(options, "nodes");
    const int64_t started = slurm_number(options, "ntasks");
    if (nodes == NULL || tasks == NULL || started < 1 || asked <= started) {
        return;
    }
    Diag *diag = plan_report(session, subject, tasks->value.span, DIAG(slurm_few_tasks), started,
                             started == 1 ? "" : "s", started, asked);
    diag_label(session, diag, nodes->value.span, "%" PRId64 " nodes", asked);
    diag_help(session, diag, "write `--ntasks-per-node=1` in its place, or as many tasks as nodes");
}

void rule_slurm_few_tasks(const Rules *rules, const PlanSlurmScript *script) {
    if (!script->is_het) {
        check_few(rules, script->subject, &script->options);
    }
    for (uint32_t i = 0; i < script->submits.count; i++) {
        check_few(rules, script->subject, &script->submits.items[i].options);
    }
}

void rule_step_few_tasks(const Rules *rules, const PlanSlurmScript *script, const PlanSlurmStep *step) {
    check_few(rules, script->subject, &step->options);
}

// ---- a step that is larger than its job ------------------------------------------------------------------------------

void rule_step_nodes(const Rules *rules, const PlanSlurmScript *script, const PlanSlurmStep *step) {
    Session *session = rules->session;
    const PlanSlurmOption *own = slurm_option(&step->options, "nodes");
    const PlanSlurmOption *all = slurm_option(&script->options, "nodes");
    const int64_t asked = slurm_number(&step->options, "nodes");
    const int64_t there = slurm_number(&script->options, "nodes");
    if (own == NULL || all == NULL || script->is_het || there < 1 || asked <= there) {
        return;
    }
    Diag *diag = plan_report(session, script->subject, own->value.span, DIAG(slurm_step_nodes), asked, there);
    diag_label(session, diag, all->value.span, "%" PRId64 " node%s", there, there == 1 ? "" : "s");
    diag_help(session, diag, "write `--nodes=%" PRId64 "`, or leave it out: srun takes all nodes of the job", there);
}

// ---- torchrun in each task -------------------------------------------------------------------------------------------

// What says how many processes of one node the launcher starts: `*processes`; NULL: it starts none, or nobody knows.
static const PlanField *processes_of(const PlanLauncher *launcher, int64_t *processes) {
    const int64_t machines = launcher_number(launcher, &launcher->nodes);
    const int64_t total = launcher_number(launcher, &launcher->total);
    *processes = launcher_number(launcher, &launcher->tasks);
    if (launcher_runs(launcher, PROGRAM_TORCHRUN) && *processes > 0) {
        return &launcher->tasks;
    }
    *processes = machines > 0 ? total / machines : -1;
    return launcher_runs(launcher, PROGRAM_ACCELERATE) && *processes > 0 ? &launcher->total : NULL;
}

// Whether `--ntasks` says how many tasks there are, of all nodes.
static bool is_of_all(const PlanSlurmScript *script, const PlanSlurmStep *step) {
    const PlanSlurmOption *own = slurm_option(&step->options, "ntasks");
    const PlanSlurmOption *all = own != NULL ? own : slurm_option(&script->options, "ntasks");
    return all != NULL && all->value.span.start == step->each_span.start && step->node_count > 0;
}

// Says it where the launcher is told of its processes; of a launcher in another script where the tasks are counted.
static void check_torchrun(const Rules *rules, const PlanSlurmScript *script, const PlanSlurmStep *step,
                           const PlanLauncher *launcher) {
    Session *session = rules->session;
    int64_t processes = -1;
    const PlanField *option = processes_of(launcher, &processes);
    if (option == NULL || step->each < 2 || processes < 2 || launcher_has_branches(launcher)) {
        return;
    }
    const char *program = launcher_option_program(option);
    const bool is_started = launcher != step->launcher;
    Diag *diag = plan_report(session, script->subject, is_started ? step->each_span : option->key,
                             DIAG(slurm_torchrun_tasks), program, step->each, processes);
    if (is_started) {
        diag_label(session, diag, option->key, "in the script that srun starts");
    }
    if (is_of_all(script, step)) {
        diag_label(session, diag, step->each_span, "%" PRId64 " tasks on %" PRId64 " nodes",
                   step->each * step->node_count, step->node_count);
        diag_help(session, diag, "write `--ntasks=%" PRId64 "` %s: %s starts the %" PRId64 " processes",
                  step->node_count, is_started ? "here" : "there", program, processes);
        return;
    }
    if (!is_started) {
        diag_label(session, diag, step->each_span, "%" PRId64 " tasks", step->each);
    }
    diag_help(session, diag, "write `--ntasks-per-node=1` %s: %s starts the %" PRId64 " processes",
              is_started ? "here" : "there", program, processes);
}

// Whether only some tasks of a node may go on in a script.
static bool may_leave(const PlanSlurmScript *script) {
    static const char *const WORDS[] = { "SLURM_LOCALID", "SLURM_PROCID", "flock", "$0", "BASH_SOURCE" };
    bool may = false;
    for (size_t i = 0; i < COUNT_OF(WORDS); i++) {
        may = may || str_has(script->text, WORDS[i]);
    }
    return may;
}

void rule_step_torchrun(const Rules *rules, const PlanSlurmScript *script, const PlanSlurmStep *step) {
    const Str name = slurm_started(step);
    const PlanSlurmScript *started = NULL;
    check_torchrun(rules, script, step, step->launcher);
    for (uint32_t i = 0; name.len > 0 && i < rules->plan->started.count; i++) {
        const PlanStarted *other = &rules->plan->started.items[i];
        started = str_equal(other->name, name) ? other->script : started;
    }
    for (uint32_t i = 0; started != NULL && !may_leave(started) && i < started->own.count; i++) {
        if (slurm_is_at_margin(started, started->own.items[i].span)) {
            check_torchrun(rules, script, step, started->own.items[i].launcher);
        }
    }
}

// ---- a launcher that starts without srun -----------------------------------------------------------------------------

// What may start the script, or parts of it, on other nodes.
static bool may_be_elsewhere(const PlanSlurmScript *script) {
    static const char *const WORDS[] = { "ssh ", "pdsh",        "clush",  "\nparallel ", "export -f",
                                         "$0",   "BASH_SOURCE", "mpirun", "mpiexec" };
    bool may = false;
    for (size_t i = 0; i < COUNT_OF(WORDS); i++) {
        may = may || str_has(script->text, WORDS[i]);
    }
    return may;
}

static void check_alone(const Rules *rules, const PlanSlurmScript *script, const PlanSlurmStep *step) {
    Session *session = rules->session;
    const PlanLauncher *launcher = step->launcher;
    const int64_t waits = launcher_node_count(launcher);
    const PlanField named = launcher_nodes(launcher);
    const PlanSlurmOption *nodes = slurm_option(&script->options, "nodes");
    const bool waits_for_all = launcher_runs(launcher, PROGRAM_TORCHRUN) || launcher_runs(launcher, PROGRAM_ACCELERATE);
    if (!waits_for_all || step->node_count < 2 || waits < 2 || nodes == NULL) {
        return;
    }
    Diag *diag = plan_report(session, script->subject, step->span, DIAG(slurm_first_node),
                             launcher_option_program(&named), waits);
    diag_label(session, diag, named.key, "waits for %" PRId64, waits);
    diag_label(session, diag, nodes->value.span, "%" PRId64 " nodes", step->node_count);
    diag_help(session, diag, "write `srun` before it: the shell of a batch script runs on the first node alone");
}

void rule_slurm_first_node(const Rules *rules, const PlanSlurmScript *script) {
    for (uint32_t i = 0; i < script->own.count && !may_be_elsewhere(script); i++) {
        if (slurm_is_at_margin(script, script->own.items[i].span)) {
            check_alone(rules, script, &script->own.items[i]);
        }
    }
}
