// Rules about what a batch script takes for granted: that it is the file that was submitted, and that a list of nodes has
// several items.
// source: SchedMD/slurm@284c3b95 doc/man/man1/sbatch.1, DESCRIPTION, and src/slurmd/slurmd/req.c,
// _make_batch_script; Bash Reference Manual, Arrays, 2026-11, read 2026-11
#include "compiler/plan/rules/rule_field.h"

#include "compiler/plan/model/allow.h"
#include "compiler/script/shell_commands.h"
#include "compiler/script/shell_lines.h"
#include "compiler/script/shell_text.h"

// ---- the script itself -------------------------------------------------------------------------------------------------

// Whether the script asks where it runs, or where it was submitted, so that it may not be its copy that asks.
static bool asks_slurm(const PlanSlurmScript *script) {
    static const char *const WORDS[] = { "SLURM_SUBMIT_DIR", "scontrol show job", "-n \"$SLURM", "-z \"$SLURM",
                                         "-n \"${SLURM",     "-z \"${SLURM",      "-v SLURM",    "-z $SLURM" };
    bool asks = script->submits.count > 0;
    for (size_t i = 0; i < COUNT_OF(WORDS); i++) {
        asks = asks || str_has(script->text, WORDS[i]);
    }
    return asks;
}

// The name by which a text names the script that it stands in, behind a program that takes paths apart; empty without one.
static Str own_name(Str text, size_t at) {
    static const char *const NAMES[] = { "${BASH_SOURCE[0]}", "$BASH_SOURCE", "${BASH_SOURCE}", "${0}", "$0" };
    const Str line = shell_line(text, at);
    for (size_t i = 0; i < COUNT_OF(NAMES); i++) {
        const size_t found = str_find(line, str_of(NAMES[i]), 0);
        if (found < line.len && str_find(line, STR(")"), 0) > found) {
            return str_slice(line, found, found + strlen(NAMES[i]));
        }
    }
    return STR_NONE;
}

void rule_slurm_own_path(const Rules *rules, const PlanSlurmScript *script) {
    static const char *const PROGRAMS[] = { "$(dirname ", "$(realpath ", "$(readlink -f " };
    if (!script->is_batch || script->is_rendered || asks_slurm(script)) {
        return;
    }
    const Str text = shell_text(rules->session->arena, script->text, SHELL_KEPT);
    for (size_t i = 0; i < COUNT_OF(PROGRAMS); i++) {
        const size_t at = str_find(text, str_of(PROGRAMS[i]), 0);
        const Str name = at < text.len ? own_name(text, at) : STR_NONE;
        if (name.len > 0) {
            const size_t place = (size_t)(name.data - text.data);
            Diag *diag = plan_report(rules->session, script->subject, slurm_span(script, place, place + name.len),
                                     DIAG(slurm_copy), STR_ARG(name));
            diag_help(rules->session, diag,
                      "write `$SLURM_SUBMIT_DIR`, where `sbatch` was called, or a path from the root");
            return;
        }
    }
}

// ---- lists of nodes ----------------------------------------------------------------------------------------------------

// The name that a command before `at` gives to a list: `nodes=(`; empty where there is none.
static Str name_before(Str text, size_t at) {
    size_t start = at;
    while (start > 0 && char_is_of_name(text.data[start - 1])) {
        start--;
    }
    return str_slice(text, start, at);
}

// Whether a variable is what scontrol prints, a name a line.
static bool is_of_nodes(Arena *arena, Str text, Str value) {
    const Str name =
        str_starts_with(value, STR("${")) ? str_slice(value, 2, value.len - 1) : str_slice(value, 1, value.len);
    const Str set = str_format(arena, "%.*s=$(scontrol show hostname", STR_ARG(name));
    const Str quoted = str_format(arena, "%.*s=\"$(scontrol show hostname", STR_ARG(name));
    return str_find(text, set, 0) < text.len || str_find(text, quoted, 0) < text.len;
}

static void report_one_item(const Rules *rules, const PlanSlurmScript *script, Str text, size_t start, size_t end) {
    const Str name = name_before(text, start);
    Diag *diag = plan_report(rules->session, script->subject, slurm_span(script, start + 2, end),
                             DIAG(slurm_list_of_one), STR_ARG(name));
    diag_help(rules->session, diag, "write it without quotes: a shell makes words of it, one for each node");
}

void rule_slurm_node_list(const Rules *rules, const PlanSlurmScript *script) {
    const int64_t nodes = slurm_number(&script->options, "nodes");
    if (!script->is_batch || nodes == 1 || !str_has(script->text, "=(\"$") ||
        !str_has(script->text, "scontrol show hostname")) {
        return;
    }
    const Str text = shell_text(rules->session->arena, script->text, SHELL_KEPT);
    for (size_t at = str_find(text, STR("=(\"$"), 0); at < text.len; at = str_find(text, STR("=(\"$"), at + 1)) {
        const Str line = shell_line(text, at);
        const size_t close = str_find(line, STR("\")"), 0);
        const Str value = str_slice(line, 3, close);
        const bool is_call = str_starts_with(value, STR("$(scontrol show hostname")) && str_ends_with(value, STR(")"));
        const bool is_value = close < line.len && str_find(value, STR("\""), 0) == value.len && !str_has(value, " ") &&
                              is_of_nodes(rules->session->arena, text, value);
        if (close < line.len && (is_call || is_value) && name_before(text, at).len > 0) {
            report_one_item(rules, script, text, at, at + close + 1);
            return;
        }
    }
}
