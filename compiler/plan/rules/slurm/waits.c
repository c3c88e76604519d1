// A rule about steps of one batch script that get in each other's way: a server that srun starts behind `&` has its node for
// itself, and the next srun waits for it.
// source: srun(1), `--overlap`, `--exact` and `--whole`, 2026-11; SchedMD/slurm@284c3b95 src/stepmgr/stepmgr.c, "Node requested
// --whole node while other step running here", read 2026-11
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/script/shell_endless.h"

// All that a step starts, with one blank between two words.
static Str words_of(const Rules *rules, const PlanSlurmStep *step) {
    StrBuf buffer = { .arena = rules->session->arena };
    for (uint32_t i = 0; step->launcher != NULL && i < step->launcher->words.count; i++) {
        strbuf_add(&buffer, step->launcher->words.items[i].text);
        strbuf_add(&buffer, STR(" "));
    }
    return strbuf_end(&buffer);
}

static bool goes_on(const Rules *rules, const PlanSlurmStep *step) {
    return shell_goes_on(words_of(rules, step));
}

// ---- what lets two steps share a node ----------------------------------------------------------------------------------

static bool shares(const PlanSlurmStep *step) {
    static const char *const NAMES[] = { "overlap",   "exact",   "cpus-per-task",    "oversubscribe", "jobid",
                                         "het-group", "mem",     "threads-per-core", "core-spec",     "exclusive",
                                         "relative",  "exclude", "nodefile",         "multi-prog" };
    bool may = step->is_vague;
    for (size_t i = 0; i < COUNT_OF(NAMES); i++) {
        may = may || slurm_option(&step->options, NAMES[i]) != NULL;
    }
    return may;
}

// The nodes that it names, as it is written: `$head`.
static Str place_of(const Rules *rules, const PlanSlurmStep *step) {
    const PlanSlurmOption *list = slurm_option(&step->options, "nodelist");
    return list == NULL ? STR_NONE : source_text(rules->session, list->value.span);
}

// Whether a step runs on all nodes of its job.
static bool is_on_all(const PlanSlurmScript *script, const PlanSlurmStep *step) {
    const int64_t all = slurm_number(&script->options, "nodes");
    const bool is_plain = slurm_option(&step->options, "nodelist") == NULL;
    const bool has_own =
        slurm_option(&step->options, "nodes") != NULL || slurm_option(&step->options, "ntasks") != NULL;
    return is_plain && all > 0 &&
           (!has_own || (slurm_option(&step->options, "nodes") != NULL && step->node_count == all) || all == 1);
}

// Whether the two have a node in common, whichever nodes the job gets.
static bool meet(const Rules *rules, const PlanSlurmScript *script, const PlanSlurmStep *a, const PlanSlurmStep *b) {
    const Str place = place_of(rules, a);
    return is_on_all(script, a) || is_on_all(script, b) || (place.len > 0 && str_equal(place, place_of(rules, b)));
}

// Whether something between the two ends the first one, or waits for it.
static bool ends_between(const PlanSlurmScript *script, const PlanSlurmStep *a, const PlanSlurmStep *b) {
    static const char *const WORDS[] = { "wait\n", "wait ", "kill ", "scancel ", "exit", "ray stop", "pkill" };
    const Str between = str_slice(script->text, a->span.start, b->span.start);
    bool does = false;
    for (size_t i = 0; i < COUNT_OF(WORDS); i++) {
        does = does || str_has(between, WORDS[i]);
    }
    return does;
}

// The last step above that goes on and has a node of this one; NULL: there is none.
static const PlanSlurmStep *blocker(const Rules *rules, const PlanSlurmScript *script, const PlanSlurmStep *step) {
    uint32_t own = 0;
    while (own < script->steps.count && &script->steps.items[own] != step) {
        own++;
    }
    for (uint32_t i = own; i > 0 && own < script->steps.count; i--) {
        const PlanSlurmStep *before = &script->steps.items[i - 1];
        if (ends_between(script, before, before + 1)) {
            return NULL;
        }
        if (before->is_background && !shares(before) && meet(rules, script, before, step) &&
            slurm_is_at_margin(script, before->span) && goes_on(rules, before)) {
            return before;
        }
    }
    return NULL;
}

void rule_step_waits(const Rules *rules, const PlanSlurmScript *script, const PlanSlurmStep *step) {
    const bool may_share = script->is_het || shares(step) || str_has(script->text, "SLURM_OVERLAP") ||
                           str_has(script->text, "SLURM_EXACT") || str_has(script->text, "SRUN_CPUS_PER_TASK") ||
                           str_has(script->text, "SLURM_WHOLE");
    const PlanSlurmStep *before =
        may_share || !slurm_is_at_margin(script, step->span) ? NULL : blocker(rules, script, step);
    if (before == NULL) {
        return;
    }
    Diag *diag = plan_report(rules->session, script->subject, step->span, DIAG(slurm_step_waits));
    diag_label(rules->session, diag, before->span, "goes on behind `&`");
    diag_help(rules->session, diag, "write `srun --overlap` here");
}
