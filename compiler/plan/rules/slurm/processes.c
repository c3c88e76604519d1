// Rules about what a batch script takes of Slurm for its processes: the number of a task for that of its node, one process for a
// node of several GPUs, and a signal for the script that ends it.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/launcher_option.h"
#include "compiler/script/shell_sourced.h"

// ---- the rank of a node ----------------------------------------------------------------------------------------------

// Whether a field is SLURM_LOCALID, by a variable too.
static bool is_local(const Session *session, const PlanLauncher *launcher, const PlanField *field) {
    const PlanField value = launcher_value(session, launcher, field);
    const Str text = field->text.len == 0 ? STR_NONE : source_text(session, value.span);
    static const char *const FORMS[] = { "$SLURM_LOCALID", "${SLURM_LOCALID}", "\\$SLURM_LOCALID",
                                         "\\${SLURM_LOCALID}" };
    return str_is_any(field->text, FORMS, COUNT_OF(FORMS)) || str_is_any(text, FORMS, COUNT_OF(FORMS));
}

// Whether a launcher waits for several nodes, or for as many as the job has.
static bool is_of_several(const Session *session, const PlanLauncher *launcher) {
    const PlanField nodes = launcher_nodes(launcher);
    const PlanField value = launcher_value(session, launcher, &nodes);
    const Str text = nodes.text.len == 0 ? STR_NONE : source_text(session, value.span);
    const int64_t count = launcher_node_count(launcher);
    return count > 1 || (count != 1 && (str_has(nodes.text, "SLURM_") || str_has(text, "SLURM_")));
}

// A step of one task for each node has a rule of its own: all of its nodes are that of rank 0.
static void check_rank(const Rules *rules, const PlanSlurmScript *script, const PlanSlurmStep *step) {
    Session *session = rules->session;
    const PlanLauncher *launcher = step->launcher;
    const PlanField *const fields[] = { &launcher->rank, &launcher->machine_rank };
    const bool is_sure = step->each != 1 && !launcher_has_branches(launcher) && is_of_several(session, launcher);
    for (size_t i = 0; is_sure && i < COUNT_OF(fields); i++) {
        if (is_local(session, launcher, fields[i])) {
            const PlanField nodes = launcher_nodes(launcher);
            Diag *diag = plan_report(session, script->subject, fields[i]->span, DIAG(slurm_local_rank));
            diag_label(session, diag, nodes.key, "of several nodes");
            diag_help(session, diag, "write `$SLURM_NODEID`");
            return;
        }
    }
}

void rule_slurm_local_rank(const Rules *rules, const PlanSlurmScript *script) {
    for (uint32_t i = 0; i < script->own.count; i++) {
        check_rank(rules, script, &script->own.items[i]);
    }
    for (uint32_t i = 0; i < script->steps.count; i++) {
        check_rank(rules, script, &script->steps.items[i]);
    }
}

// ---- one process on a node of several GPUs ---------------------------------------------------------------------------

// What tells that each process is a task of Slurm, and starts no others.
static bool is_a_task(const PlanSlurmScript *script) {
    static const char *const SIGNS[] = { "LOCAL_RANK=$SLURM_LOCALID",
                                         "LOCAL_RANK=\\$SLURM_LOCALID",
                                         "LOCAL_RANK=${SLURM_LOCALID}",
                                         "LOCAL_RANK=\\${SLURM_LOCALID}",
                                         "--launcher=slurm",
                                         "--launcher slurm",
                                         "--launcher=\"slurm\"" };
    return str_has_any(script->text, SIGNS, COUNT_OF(SIGNS));
}

static bool starts_python(const PlanSlurmStep *step) {
    const CommandWords *words = &step->launcher->words;
    bool starts = false;
    for (uint32_t i = 0; i < words->count && !starts; i++) {
        const Str text = words->items[i].run;
        starts = str_starts_with(str_after_last(text, '/'), STR("python")) || str_has(text, " python");
    }
    return starts;
}

// source: SchedMD/slurm srun(1), `--ntasks-per-node`; read 2026-12
void rule_step_processes(const Rules *rules, const PlanSlurmScript *script, const PlanSlurmStep *step) {
    static const char *const OTHERS[] = {
        "torchrun", "torch.distributed", "accelerate", "deepspeed", "spawn", "mpirun", "ray ", "vllm", "xargs", "for "
    };
    Session *session = rules->session;
    const bool is_plain =
        step->launcher->programs == 0 && !launcher_mentions_any(step->launcher, OTHERS, COUNT_OF(OTHERS));
    if (step->each != 1 || step->gpus < 2 || step->is_vague || step->is_of_some || !is_plain || !starts_python(step) ||
        !is_a_task(script) || slurm_option(&step->options, "ntasks") != NULL) {
        return;
    }
    Diag *diag =
        plan_report(session, script->subject, step->each_span, DIAG(slurm_one_process), step->gpus - 1, step->gpus);
    diag_label(session, diag, step->gpus_span, "%" PRId64 " GPUs of each node", step->gpus);
    diag_label(session, diag, step->span, "starts it");
    diag_help(session, diag, "write `%" PRId64 "`, so that each GPU has a process", step->gpus);
}

// ---- a signal for the script -----------------------------------------------------------------------------------------

// Signals that end a shell which does not wait for them, and that nobody sends to end it.
// source: bash(1), SIGNALS; signal(7); sbatch(1), `--signal`; read 2026-12
static bool ends_shell(Str name) {
    static const char *const NAMES[] = { "USR1", "SIGUSR1", "10", "USR2", "SIGUSR2", "12" };
    return str_is_any(name, NAMES, COUNT_OF(NAMES));
}

// Whether the script may wait for it: itself, by a file that it reads, or by a program that takes its place.
static bool may_wait(Str text) {
    static const char *const WORDS[] = { "trap", "exec " };
    return shell_reads_others(text) || str_has_any(text, WORDS, COUNT_OF(WORDS));
}

void rule_slurm_trap(const Rules *rules, const PlanSlurmScript *script) {
    Session *session = rules->session;
    const PlanSlurmOption *option = slurm_option(&script->options, "signal");
    const Str value = option == NULL || option->value.state != FIELD_KNOWN ? STR_NONE : option->value.text;
    const size_t sign = str_find(value, STR(":"), 0);
    const Str flags = str_slice(value, 0, sign);
    const Str name = str_slice(value, sign + 1, str_find(value, STR("@"), 0));
    const bool is_of_shell = sign < value.len && str_has(flags, "B");
    const size_t line = str_find(script->text, STR("\n"), 0);
    if (is_of_shell && ends_shell(name) && script->is_batch && str_has(str_slice(script->text, 0, line), "sh") &&
        !may_wait(script->text)) {
        Diag *diag = plan_report(session, script->subject, option->value.span, DIAG(slurm_trap), STR_ARG(name));
        diag_help(session, diag, "write `trap '…' %.*s` above the first step, or leave `B:` out: srun gets it then",
                  STR_ARG(name));
    }
}
