// Rules about values of `#SBATCH` lines beside each other: times, tasks, GPUs, and memory beside GPUs.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"

// ---- times -----------------------------------------------------------------------------------------------------------

// The seconds of `M`, `M:S`, `H:M:S`, `D-H`, `D-H:M` and `D-H:M:S`; -1: another text, or no limit.
// source: SchedMD/slurm@284c3b95 src/common/parse_time.c, time_str2secs, read 2026-11
static int64_t seconds_of(Str text) {
    enum { DAYS_MAX = 100000, PARTS_MAX = 3 };
    const size_t dash = str_find(text, STR("-"), 0);
    const bool has_days = dash > 0 && dash < text.len;
    const int64_t days = has_days ? command_number(str_slice(text, 0, dash)) : 0;
    int64_t parts[PARTS_MAX] = { 0 };
    int count = 0;
    for (size_t at = has_days ? dash + 1 : 0; at <= text.len && count < PARTS_MAX; count++) {
        const size_t end = str_find(text, STR(":"), at);
        parts[count] = command_number(str_slice(text, at, end));
        at = end + 1;
        if (parts[count] < 0) {
            return -1;
        }
    }
    if (days < 0 || days > DAYS_MAX || count == 0) {
        return -1;
    }
    const int64_t hours = has_days || count == PARTS_MAX ? parts[0] : 0;
    const int64_t minutes = has_days || count == PARTS_MAX ? parts[1] : parts[0];
    const int64_t seconds = has_days || count == PARTS_MAX ? parts[2] : parts[1];
    return ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
}

static int64_t time_in(const PlanSlurmOption *option) {
    return option != NULL && option->value.state == FIELD_KNOWN ? seconds_of(option->value.text) : -1;
}

// source: SchedMD/slurm@284c3b95 src/slurmctld/job_mgr.c, send_job_warn_signal, read 2026-11
static void check_signal(const Rules *rules, const Subject *subject, const PlanSlurmOptions *options) {
    Session *session = rules->session;
    const PlanSlurmOption *option = slurm_option(options, "signal");
    const PlanSlurmOption *limit = slurm_option(options, "time");
    const Str value = option == NULL || option->value.state != FIELD_KNOWN ? STR_NONE : option->value.text;
    const size_t at = str_find(value, STR("@"), 0);
    const int64_t before = at < value.len ? command_number(str_slice(value, at + 1, value.len)) : -1;
    const int64_t all = time_in(limit);
    if (before < 1 || all < 1 || before < all) {
        return;
    }
    const Str why =
        str_format(session->arena, "it comes at the start of the job, %" PRId64 " s before an end after %" PRId64 " s",
                   before, all);
    Diag *diag = plan_report(session, subject, option->value.span, DIAG(slurm_against), STR_ARG(option->name.text),
                             STR_ARG(limit->name.text), STR_ARG(why));
    diag_label(session, diag, limit->value.span, "%" PRId64 " s", all);
    diag_help(session, diag, "write less than %" PRId64 " behind `@`, or a longer `--time`", all);
}

// source: SchedMD/slurm@284c3b95 src/slurmctld/job_mgr.c, ESLURM_INVALID_TIME_MIN_LIMIT, read 2026-11
static void check_least_time(const Rules *rules, const Subject *subject, const PlanSlurmOptions *options) {
    Session *session = rules->session;
    const PlanSlurmOption *least = slurm_option(options, "time-min");
    const PlanSlurmOption *limit = slurm_option(options, "time");
    if (time_in(limit) > 0 && time_in(least) > time_in(limit)) {
        const Str takes =
            str_format(session->arena, "no more than `%.*s`, which is `--time`", STR_ARG(limit->value.text));
        Diag *diag = plan_report(session, subject, least->value.span, DIAG(sbatch_value), STR_ARG(least->name.text),
                                 str_c(session->arena, takes), STR_ARG(least->value.text));
        diag_label(session, diag, limit->value.span, "the longest time");
        diag_help(session, diag, "write a longer `--time`, or a shorter `--time-min`");
    }
}

// ---- tasks -----------------------------------------------------------------------------------------------------------

static const PlanSlurmOption *tasks_each(const PlanSlurmOptions *options) {
    const PlanSlurmOption *option = slurm_option(options, "ntasks-per-node");
    return option != NULL ? option : slurm_option(options, "tasks-per-node");
}

// Beside `--ntasks` the other option is a limit: fewer tasks than it allows are right, and often meant.
// source: SchedMD/slurm@284c3b95 src/srun/opt.c, "can't honor --ntasks-per-node", read 2026-11
static void check_tasks(const Rules *rules, const Subject *subject, const PlanSlurmOptions *options) {
    Session *session = rules->session;
    const PlanSlurmOption *all = slurm_option(options, "ntasks");
    const PlanSlurmOption *each = tasks_each(options);
    const int64_t nodes = slurm_number(options, "nodes");
    const int64_t count = slurm_number(options, "ntasks");
    const int64_t of_each = each == NULL ? -1 : field_number(&each->value, -1);
    const bool is_of_one = nodes > 1 && count == of_each && count > 1; // as if `--ntasks` was for each node
    if (all == NULL || each == NULL || nodes < 1 || of_each < 1 || (count <= nodes * of_each && !is_of_one)) {
        return;
    }
    const Str why =
        str_format(session->arena, "%" PRId64 " node%s of %" PRId64 " task%s have %" PRId64 ", not %" PRId64, nodes,
                   nodes == 1 ? "" : "s", of_each, of_each == 1 ? "" : "s", nodes * of_each, count);
    Diag *diag = plan_report(session, subject, all->value.span, DIAG(slurm_against), STR_ARG(all->name.text),
                             STR_ARG(each->name.text), STR_ARG(why));
    diag_label(session, diag, each->value.span, "tasks of each node");
    diag_label(session, diag, slurm_option(options, "nodes")->value.span, "%" PRId64 " node%s", nodes,
               nodes == 1 ? "" : "s");
    diag_help(session, diag, "write `%" PRId64 "`, or leave `--ntasks` out", nodes * of_each);
}

// ---- GPUs ------------------------------------------------------------------------------------------------------------

// source: SchedMD/slurm@284c3b95 src/interfaces/gres.c, _test_gres_cnt, read 2026-11
static void check_gpus(const Rules *rules, const Subject *subject, const PlanSlurmOptions *options) {
    Session *session = rules->session;
    const PlanSlurmOption *all = slurm_option(options, "gpus");
    const PlanSlurmOption *task = slurm_option(options, "gpus-per-task");
    const PlanSlurmOption *each = slurm_option(options, "gpus-per-node");
    const int64_t nodes = slurm_number(options, "nodes");
    const int64_t of_each = slurm_number(options, "gpus-per-node");
    const int64_t count = slurm_number(options, "gpus");
    const int64_t of_task = slurm_number(options, "gpus-per-task");
    const bool is_off = nodes > 0 && of_each > 0 && count > 0 && count != nodes * of_each;
    const PlanSlurmOption *wrong = is_off ? all : of_each > 0 && of_task > of_each ? task : NULL;
    if (wrong == NULL) {
        return;
    }
    const Str takes = is_off ? str_format(session->arena, "the %" PRId64 " GPUs of %" PRId64 " nodes with %" PRId64,
                                          nodes * of_each, nodes, of_each)
                             : str_format(session->arena, "no more than the %" PRId64 " GPUs of a node", of_each);
    Diag *diag = plan_report(session, subject, wrong->value.span, DIAG(sbatch_value), STR_ARG(wrong->name.text),
                             str_c(session->arena, takes), STR_ARG(wrong->value.text));
    diag_label(session, diag, each->value.span, "GPUs of each node");
    diag_help(session, diag, is_off ? "leave `--gpus` out" : "write fewer GPUs for each task");
}

void rule_slurm_relations(const Rules *rules, const PlanSlurmScript *script) {
    if (!script->is_het) {
        check_signal(rules, script->subject, &script->options);
        check_least_time(rules, script->subject, &script->options);
        check_tasks(rules, script->subject, &script->options);
        check_gpus(rules, script->subject, &script->options);
    }
    for (uint32_t i = 0; i < script->submits.count; i++) {
        const PlanSlurmOptions *options = &script->submits.items[i].options;
        check_signal(rules, script->subject, options);
        check_least_time(rules, script->subject, options);
        check_tasks(rules, script->subject, options);
        check_gpus(rules, script->subject, options);
    }
}

// ---- memory ----------------------------------------------------------------------------------------------------------

// A process that uses a GPU takes more than a GiB of memory, however small its model is.
static void check_memory(const Rules *rules, const Subject *subject, const PlanSlurmOptions *options, bool has_gpus) {
    static const struct {
        const char *name;
        int64_t most; // MB that nobody means
    } ROWS[] = { { "mem", 1023 }, { "mem-per-gpu", 1023 }, { "mem-per-cpu", 63 } };
    Session *session = rules->session;
    for (size_t i = 0; has_gpus && i < COUNT_OF(ROWS); i++) {
        const PlanSlurmOption *option = slurm_option(options, ROWS[i].name);
        const Str value = option == NULL || option->value.state != FIELD_KNOWN ? STR_NONE : option->value.text;
        size_t digits = 0;
        while (char_is_digit(str_at(value, digits))) {
            digits++;
        }
        const char unit = char_small(str_at(value, digits));
        const int64_t number = command_number(str_slice(value, 0, digits));
        if (number < 1 || number > ROWS[i].most || (unit != '\0' && unit != 'm')) {
            continue;
        }
        Diag *diag = plan_report(session, subject, option->value.span, DIAG(slurm_memory), STR_ARG(value), number);
        diag_help(session, diag, "write `%" PRId64 "G`; `--mem=0` is all of the node", number);
    }
}

static bool asks_for_gpus(const PlanSlurmOptions *options) {
    static const char *const NAMES[] = { "gpus", "gpus-per-node", "gpus-per-task", "gpus-per-socket" };
    const PlanSlurmOption *gres = slurm_option(options, "gres");
    bool asks = gres != NULL && str_starts_with(gres->value.text, STR("gpu"));
    for (size_t i = 0; i < COUNT_OF(NAMES); i++) {
        asks = asks || slurm_option(options, NAMES[i]) != NULL;
    }
    return asks;
}

// source: SchedMD/slurm@284c3b95 src/common/proc_args.c, str_to_mbytes, read 2026-11
void rule_slurm_memory(const Rules *rules, const PlanSlurmScript *script) {
    const bool has_gpus = asks_for_gpus(&script->options);
    check_memory(rules, script->subject, &script->options, has_gpus);
    for (uint32_t i = 0; i < script->submits.count; i++) {
        const PlanSlurmOptions *options = &script->submits.items[i].options;
        check_memory(rules, script->subject, options, has_gpus || asks_for_gpus(options));
    }
    for (uint32_t i = 0; i < script->steps.count; i++) {
        const PlanSlurmOptions *options = &script->steps.items[i].options;
        check_memory(rules, script->subject, options, has_gpus || asks_for_gpus(options));
    }
}
