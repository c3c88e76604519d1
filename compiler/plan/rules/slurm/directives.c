// Rules about the `#SBATCH` lines of a batch script, and the options of srun: what Slurm refuses, and what it ignores. A line
// is no command: no shell reads it.
#include "compiler/plan/rules/rules.h"

#include "compiler/base/suggest.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/rule_word.h"
#include "compiler/script/shell_lines.h"

static const char *program_name(SlurmProgram program) {
    return program == SLURM_SRUN ? "srun" : "sbatch";
}

// ---- lines that count for nothing ------------------------------------------------------------------------------------

// Whether a line that does not count is the only one which says how many nodes there are.
static bool loses_nodes(const Rules *rules, const PlanSlurmScript *script) {
    static const char *const NAMES[] = { "nodes", "ntasks", "nodelist", "nodefile" };
    bool loses = false;
    for (uint32_t i = 0; i < script->late.count; i++) {
        const Str line = source_text(rules->session, script->late.items[i]);
        loses = loses || str_has(line, "--nodes") || str_has(line, " -N");
    }
    for (size_t i = 0; i < COUNT_OF(NAMES); i++) {
        loses = loses && slurm_option(&script->options, NAMES[i]) == NULL;
    }
    return loses;
}

void rule_slurm_order(const Rules *rules, const PlanSlurmScript *script) {
    Session *session = rules->session;
    if (script->late.count == 0) {
        return;
    }
    Diag *diag = plan_report(session, script->subject, script->late.items[0], DIAG(slurm_line_ignored),
                             "it stands behind the first command");
    diag_label(session, diag, script->command, "the first command");
    if (script->late.count > 1) {
        diag_note(session, diag, "so it does with %" PRIu32 " more line%s", script->late.count - 1,
                  script->late.count == 2 ? "" : "s");
    }
    if (loses_nodes(rules, script)) {
        diag_note(session, diag, "without `--nodes` the job gets 1 node");
    }
    diag_help(session, diag, "move it above the first command");
}

// `#SBATH --nodes=2`: a comment to sbatch. With a blank, or a second `#`, somebody has switched a line off.
static Str misspelt_in(Session *session, Str line) {
    const size_t end = str_find(line, STR(" "), 0);
    const Str word = str_slice(line, 0, end);
    const bool may_be = word.len > 5 && word.len < 10 && str_at(word, 0) == '#' && str_at(word, 1) != '#' &&
                        str_at(str_trim(str_slice(line, end, line.len)), 0) == '-';
    Suggestion suggestion = may_be ? suggest_for(session, word) : (Suggestion){ .name = STR_NONE };
    suggest_offer(&suggestion, STR("#SBATCH"));
    return may_be && !str_is(word, "#SBATCH") && suggestion.best.len > 0 ? word : STR_NONE;
}

void rule_slurm_sign(const Rules *rules, const PlanSlurmScript *script) {
    const size_t end = span_is_none(script->command) ? script->text.len : script->command.start;
    for (size_t at = 0; at < end; at = shell_next_line(script->text, at)) {
        const Str word = misspelt_in(rules->session, shell_line(script->text, at));
        if (word.len > 0) {
            const Span span = slurm_span(script, at, at + word.len);
            Diag *diag = plan_report(rules->session, script->subject, span, DIAG(slurm_line_ignored),
                                     "it does not begin with `#SBATCH`");
            rule_write_at(rules, diag, span, word, STR("#SBATCH"));
        }
    }
}

// ---- what sbatch takes for no script ---------------------------------------------------------------------------------

// source: SchedMD/slurm@284c3b95 src/sbatch/sbatch.c, get_script_buffer, read 2026-11
void rule_slurm_script(const Rules *rules, const PlanSlurmScript *script) {
    Session *session = rules->session;
    const size_t dos = str_find(script->text, STR("\r\n"), 0);
    if (!script->is_batch) {
        return;
    }
    if (!script->has_shell) {
        const Span start = { .source = script->file.source, .end = 1 };
        Diag *diag = plan_report(session, script->subject, start, DIAG(slurm_script_refused),
                                 "its first line does not begin with `#!`");
        diag_help(session, diag, "write `#!/bin/bash` on the first line");
    }
    if (dos < script->text.len) {
        const Span span = { .source = script->file.source, .start = (uint32_t)dos, .end = (uint32_t)dos + 1 };
        Diag *diag =
            plan_report(session, script->subject, span, DIAG(slurm_script_refused), "its lines end as those of DOS");
        diag_help(session, diag, "run `dos2unix` on it");
    }
}

void rule_slurm_strays(const Rules *rules, const PlanSlurmScript *script) {
    for (uint32_t i = 0; i < script->strays.count; i++) {
        const PlanField *word = &script->strays.items[i];
        Diag *diag = plan_report(rules->session, script->subject, word->span, DIAG(slurm_stray), STR_ARG(word->text));
        diag_help(rules->session, diag, "write it behind `=` of the option before it, or behind `#`");
    }
}

// ---- options ---------------------------------------------------------------------------------------------------------

// Whether a name may be that of an option which is not listed: of a plug-in.
static Suggestion meant(Session *session, Str name, SlurmProgram program) {
    Suggestion suggestion = suggest_for(session, name);
    const SlurmOptionRow *row;
    for (size_t i = 0; (row = slurm_option_row(i)) != NULL; i++) {
        if ((row->programs & program) != 0) {
            suggest_offer(&suggestion, str_format(session->arena, "--%s", row->name));
        }
    }
    return suggestion;
}

static void check_unknown(const Rules *rules, const Subject *subject, const PlanSlurmOption *option,
                          SlurmProgram program) {
    Session *session = rules->session;
    const Str name = option->name.text;
    const bool is_long = str_starts_with(name, STR("--"));
    const SlurmProgram other = program == SLURM_SRUN ? SLURM_SBATCH : SLURM_SRUN;
    const SlurmOptionRow *of_other = is_long ? slurm_option_named(str_slice(name, 2, name.len), other)
                                             : slurm_option_lettered(str_at(name, name.len - 1), other);
    const bool is_of_other =
        of_other != NULL && (!is_long || str_is_word(str_slice(name, 2, name.len), of_other->name));
    Suggestion suggestion = is_long && !is_of_other ? meant(session, name, program) : (Suggestion){ .name = name };
    const bool is_compound = str_find(name, STR("-"), 3) < name.len;
    if (!is_of_other && (suggestion.best.len == 0 || (!is_compound && !suggest_is_sure(&suggestion)))) {
        return; // it may be of a plug-in: `--image`
    }
    Diag *diag =
        plan_report(session, subject, option->name.span, DIAG(slurm_no_option), program_name(program), STR_ARG(name));
    if (is_of_other) {
        diag_help(session, diag, program == SLURM_SRUN ? "write it in a line of `#SBATCH`" : "write it behind `srun`");
    } else {
        rule_suggest(rules, diag, &suggestion, option->name.span);
    }
}

// `-N=2`: behind a letter the value begins at once.
static bool begins_with_sign(const PlanSlurmOption *option) {
    return str_at(option->value.text, 0) == '=' && !str_starts_with(option->name.text, STR("--"));
}

// `24:00:00` of `24h`, and `2-00:00:00` of `2d`; empty of another text.
static Str time_of(Arena *arena, Str value) {
    const int64_t number = value.len < 2 ? -1 : command_number(str_slice(value, 0, value.len - 1));
    const char unit = char_small(str_at(value, value.len - (value.len > 0 ? 1 : 0)));
    if (number < 0 || strchr("dhm", unit) == NULL || unit == '\0') {
        return STR_NONE;
    }
    return unit == 'd'   ? str_format(arena, "%" PRId64 "-00:00:00", number)
           : unit == 'h' ? str_format(arena, "%" PRId64 ":00:00", number)
                         : str_format(arena, "%" PRId64, number);
}

static void check_value(const Rules *rules, const Subject *subject, const PlanSlurmOption *option) {
    Session *session = rules->session;
    const Str value = option->value.text;
    const bool is_to_fill_in = str_has(value, "$") || str_has(value, "{") || str_has(value, "<");
    if (option->value.state != FIELD_KNOWN || is_to_fill_in ||
        (slurm_form_fits(option->row->form, value) && !begins_with_sign(option))) {
        return;
    }
    Diag *diag = plan_report(session, subject, option->value.span, DIAG(sbatch_value), STR_ARG(option->name.text),
                             slurm_form_words(option->row->form), STR_ARG(value));
    if (begins_with_sign(option)) {
        const Str better = str_slice(value, 1, value.len);
        diag_help(session, diag, "write `%.*s %.*s`", STR_ARG(option->name.text), STR_ARG(better));
        rule_replace(rules, diag, option->value.span, value, str_format(session->arena, " %.*s", STR_ARG(better)));
    } else {
        const Str better = option->row->form == SLURM_TIME ? time_of(session->arena, value) : STR_NONE;
        if (better.len > 0) {
            rule_write_at(rules, diag, option->value.span, value, better);
        } else {
            diag_help(session, diag, "write %s", slurm_form_words(option->row->form));
        }
    }
}

static void check_options(const Rules *rules, const Subject *subject, const PlanSlurmOptions *options,
                          SlurmProgram program) {
    for (uint32_t i = 0; i < options->count; i++) {
        const PlanSlurmOption *option = &options->items[i];
        if (option->row == NULL) {
            check_unknown(rules, subject, option, program);
        } else {
            check_value(rules, subject, option);
        }
    }
}

void rule_slurm_options(const Rules *rules, const PlanSlurmScript *script) {
    check_options(rules, script->subject, &script->options, SLURM_SBATCH);
    for (uint32_t i = 0; i < script->submits.count; i++) {
        check_options(rules, script->subject, &script->submits.items[i].options, SLURM_SBATCH);
    }
}

void rule_step_options(const Rules *rules, const PlanSlurmScript *script, const PlanSlurmStep *step) {
    check_options(rules, script->subject, &step->options, SLURM_SRUN);
}

// ---- variables -------------------------------------------------------------------------------------------------------

// `$NAME` or `${NAME}`
static Str variable_in(Str text) {
    for (size_t at = str_find(text, STR("$"), 0); at < text.len; at = str_find(text, STR("$"), at + 1)) {
        const bool is_braced = str_at(text, at + 1) == '{';
        size_t end = at + (is_braced ? 2 : 1);
        const size_t start = end;
        while (char_is_of_name(str_at(text, end))) {
            end++;
        }
        if (end > start && (!is_braced || str_at(text, end) == '}')) {
            return str_slice(text, at, end + (is_braced ? 1 : 0));
        }
    }
    return STR_NONE;
}

void rule_slurm_variables(const Rules *rules, const PlanSlurmScript *script) {
    for (uint32_t i = 0; !script->is_rendered && i < script->options.count; i++) {
        const PlanSlurmOption *option = &script->options.items[i];
        const Str name = variable_in(option->value.text);
        if (name.len == 0 || (option->row != NULL && str_is(str_of(option->row->name), "wrap"))) {
            continue;
        }
        const bool is_path =
            option->row != NULL && strchr("oei", option->row->letter) != NULL && option->row->letter != '\0';
        Diag *diag =
            plan_report(rules->session, script->subject, option->value.span, DIAG(slurm_variable), STR_ARG(name));
        diag_help(rules->session, diag,
                  is_path ? "write the path; `%%x` is the name of the job, `%%j` its number, and `%%u` the user"
                          : "write the value, or give the option to `sbatch` on the command line");
    }
}

// ---- options that do not go together ---------------------------------------------------------------------------------

// source: SchedMD/slurm@284c3b95 src/common/slurm_opt.c, _validate_memory_options, _validate_ntasks_per_gpu
// and their like, read 2026-11
static const char *const EXCLUSIVE[][2] = {
    { "mem", "mem-per-cpu" },
    { "mem", "mem-per-gpu" },
    { "mem-per-cpu", "mem-per-gpu" },
    { "ntasks-per-gpu", "ntasks-per-node" },
    { "ntasks-per-gpu", "gpus-per-task" },
    { "cpus-per-gpu", "cpus-per-task" },
    { "exclusive", "oversubscribe" },
    { "core-spec", "thread-spec" },
};

static void check_exclusive(const Rules *rules, const Subject *subject, const PlanSlurmOptions *options,
                            SlurmProgram program) {
    for (size_t i = 0; i < COUNT_OF(EXCLUSIVE); i++) {
        const PlanSlurmOption *first = slurm_option(options, EXCLUSIVE[i][0]);
        const PlanSlurmOption *second = slurm_option(options, EXCLUSIVE[i][1]);
        if (first != NULL && second != NULL) {
            Diag *diag = plan_report(rules->session, subject, second->name.span, DIAG(slurm_exclusive),
                                     program_name(program), EXCLUSIVE[i][0], EXCLUSIVE[i][1]);
            diag_label(rules->session, diag, first->name.span, "the other one");
            diag_help(rules->session, diag, "leave out one of the two");
        }
    }
}

void rule_slurm_exclusive(const Rules *rules, const PlanSlurmScript *script) {
    if (!script->is_het) {
        check_exclusive(rules, script->subject, &script->options, SLURM_SBATCH);
    }
    for (uint32_t i = 0; i < script->submits.count; i++) {
        check_exclusive(rules, script->subject, &script->submits.items[i].options, SLURM_SBATCH);
    }
}

void rule_step_exclusive(const Rules *rules, const PlanSlurmScript *script, const PlanSlurmStep *step) {
    check_exclusive(rules, script->subject, &step->options, SLURM_SRUN);
}

// Options of which the last one counts. Others add up, as `--mail-type`, or nobody minds.
static bool is_replaced(const SlurmOptionRow *row) {
    static const char *const NAMES[] = {
        "nodes", "ntasks",   "ntasks-per-node", "cpus-per-task", "gpus", "gpus-per-node", "gpus-per-task",
        "gres",  "mem",      "mem-per-cpu",     "mem-per-gpu",   "time", "partition",     "output",
        "error", "job-name", "account",         "qos",           "chdir"
    };
    bool is = false;
    for (size_t i = 0; row != NULL && i < COUNT_OF(NAMES); i++) {
        is = is || strcmp(row->name, NAMES[i]) == 0;
    }
    return is;
}

void rule_slurm_twice(const Rules *rules, const PlanSlurmScript *script) {
    enum { OPTIONS_MAX = 300 };
    const uint32_t count = script->is_het || script->options.count > OPTIONS_MAX ? 0 : script->options.count;
    for (uint32_t i = 0; i < count; i++) {
        const PlanSlurmOption *later = &script->options.items[i];
        const PlanSlurmOption *before = NULL;
        for (uint32_t k = 0; k < i && is_replaced(later->row); k++) {
            before = script->options.items[k].row == later->row ? &script->options.items[k] : before;
        }
        if (before != NULL && !str_equal(before->value.text, later->value.text)) {
            Diag *diag = plan_report(rules->session, script->subject, before->value.span, DIAG(slurm_twice),
                                     STR_ARG(before->name.text), STR_ARG(before->value.text));
            diag_label(rules->session, diag, later->value.span, "this one counts");
            diag_help(rules->session, diag, "remove one of the two lines");
        }
    }
}
