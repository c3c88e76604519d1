// Rules about variables that a batch script reads, and that nothing sets: Slurm gives a job some only where it asks for an option,
// and what srun starts has those that the script exports.
// source: SchedMD/slurm@284c3b95 doc/man/man1/sbatch.1, OUTPUT ENVIRONMENT VARIABLES, "Only set if", and src/sbatch/opt.c,
// read 2026-11
#include "compiler/plan/rules/rule_word.h"

#include "compiler/base/str_map.h"
#include "compiler/base/words.h"
#include "compiler/plan/model/allow.h"
#include "compiler/script/shell_commands.h"
#include "compiler/script/shell_sourced.h"
#include "compiler/script/shell_text.h"
#include "schema/names.h"

static const struct {
    const char *variable;
    const char *options; // one of them sets it
    const char *instead; // what the job has in any case; NULL: nothing
} ROWS[] = {
    { "SLURM_GPUS_PER_NODE", "gpus-per-node", "SLURM_GPUS_ON_NODE" },
    { "SLURM_GPUS_PER_TASK", "gpus-per-task", NULL },
    { "SLURM_GPUS", "gpus", NULL },
    { "SLURM_NTASKS_PER_NODE", "ntasks-per-node|tasks-per-node", NULL },
    { "SLURM_CPUS_PER_TASK", "cpus-per-task|tres-per-task", NULL },
    { "SLURM_CPUS_PER_GPU", "cpus-per-gpu", NULL },
    { "SLURM_MEM_PER_GPU", "mem-per-gpu", NULL },
};

static bool has_option(const PlanSlurmOptions *options, const char *names) {
    size_t offset = 0;
    Str name;
    bool has = false;
    while (words_next(str_of(names), &offset, &name)) {
        for (uint32_t i = 0; i < options->count; i++) {
            has = has || (options->items[i].row != NULL && str_is_word(name, options->items[i].row->name));
        }
    }
    return has;
}

// Whether a place is in what srun starts, which has variables of its own options too.
static bool is_in_step(const PlanSlurmScript *script, const ShellCommands *commands, size_t at) {
    bool is = false;
    for (uint32_t i = 0; i < commands->count; i++) {
        const ShellWords *words = &commands->items[i].words;
        bool is_srun = false;
        for (uint32_t k = 0; k <= commands->items[i].program && k < words->count; k++) {
            is_srun = is_srun || str_is(str_after_last(words->items[k], '/'), "srun");
        }
        if (is_srun) {
            const Str last = words->items[words->count - 1];
            const size_t end = shell_word_place(script->text, last) + last.len;
            is = is || (at >= shell_word_place(script->text, words->items[0]) && at < end);
        }
    }
    return is;
}

// Whether the script has one of the options, or a step around the place, or may have.
static bool may_have_option(const PlanSlurmScript *script, const ShellCommands *commands, size_t at,
                            const char *names) {
    bool may = has_option(&script->options, names);
    const bool is_of_step = !may && script->steps.count > 0 && is_in_step(script, commands, at);
    for (uint32_t i = 0; is_of_step && i < script->steps.count; i++) {
        may = may || script->steps.items[i].is_vague || has_option(&script->steps.items[i].options, names);
    }
    return may;
}

// A use of a variable: where its name begins, behind `$` or `${`.
typedef struct {
    size_t at;       // the length of the text: there is none
    bool is_guarded; // somewhere the script sets it, or asks whether it is set
} Use;

// The line of a place, or what of a very long one stands around the place.
static Str near(Str text, size_t at) {
    enum { NEAR = 300 };
    size_t start = at;
    size_t end = at;
    while (start > 0 && text.data[start - 1] != '\n' && at - start < NEAR) {
        start--;
    }
    while (end < text.len && text.data[end] != '\n' && end - at < NEAR) {
        end++;
    }
    return str_trim(str_slice(text, start, end));
}

// Of one that the script only writes down it says nothing. What stands in a here-document may be for another job.
static Use find_use(Str text, Str run, const char *variable) {
    static const char *const TESTS[] = { "[ ", "[[ ", "test ", "if ", "-v ", "unset " };
    const Str name = str_of(variable);
    const size_t end = str_find(text, STR("<<"), 0);
    Use use = { .at = text.len };
    for (size_t at = str_find(text, name, 0); at < text.len; at = str_find(text, name, at + 1)) {
        const char before = at == 0 ? '\n' : text.data[at - 1];
        const char after = str_at(text, at + name.len);
        if (char_is_of_name(before) || char_is_of_name(after)) {
            continue;
        }
        const Str line = near(text, at);
        const bool is_sum = str_has(line, "((") && char_is_in(before, " \t(*/+") && char_is_in(after, " \t)*/+");
        const bool is_used = before == '$' || (before == '{' && after == '}') || is_sum;
        use.is_guarded = use.is_guarded || (!is_used && str_at(line, 0) != '#');
        for (size_t i = 0; i < COUNT_OF(TESTS); i++) {
            use.is_guarded = use.is_guarded || str_has(line, TESTS[i]);
        }
        use.at = use.at == text.len && is_used && at < end && run.data[at] == text.data[at] ? at : use.at;
    }
    return use;
}

// A script that is told on the command line what it gets says nothing of nodes and tasks itself.
static bool says_itself(const PlanSlurmScript *script) {
    return has_option(&script->options, "nodes|ntasks|ntasks-per-node|gres|gpus|gpus-per-node|gpus-per-task|exclusive");
}

void rule_slurm_unset(const Rules *rules, const PlanSlurmScript *script) {
    Session *session = rules->session;
    if (!script->is_batch || script->is_het || script->is_rendered || !says_itself(script) ||
        !str_has(script->text, "SLURM_")) {
        return;
    }
    const Str run = shell_text(session->arena, script->text, SHELL_KEPT);
    ShellCommands commands = { 0 };
    if (!shell_commands(session->arena, script->text, &commands)) {
        return;
    }
    for (size_t i = 0; i < COUNT_OF(ROWS); i++) {
        const Use use = find_use(script->text, run, ROWS[i].variable);
        if (use.at == script->text.len || use.is_guarded ||
            may_have_option(script, &commands, use.at, ROWS[i].options)) {
            continue;
        }
        const Str option = str_slice(str_of(ROWS[i].options), 0, str_find(str_of(ROWS[i].options), STR("|"), 0));
        const Span span = slurm_span(script, use.at, use.at + strlen(ROWS[i].variable));
        const Str why = str_format(session->arena, "the script does not ask for `--%.*s`", STR_ARG(option));
        Diag *diag = plan_report(session, script->subject, span, DIAG(slurm_unset), STR_ARG(str_of(ROWS[i].variable)),
                                 STR_ARG(why));
        if (ROWS[i].instead != NULL) {
            diag_help(session, diag, "write `#SBATCH --%.*s=…`, or read `%s`", STR_ARG(option), ROWS[i].instead);
        } else {
            diag_help(session, diag, "write `#SBATCH --%.*s=…` above the first command", STR_ARG(option));
        }
    }
}

// ---- what srun starts --------------------------------------------------------------------------------------------------

// Variables that a user's environment may have, so that a script which sets them anew exports them.
static bool may_be_of_user(Str name) {
    static const char *const STARTS[] = { "SLURM", "CUDA", "OMP_",   "HF_",   "WANDB", "CONDA", "VIRTUAL",
                                          "XDG_",  "LC_",  "PYTHON", "TORCH", "NCCL_", "FI_" };
    bool may = str_has(name, "PATH") || str_has(name, "HOME") || str_has(name, "USER") || str_has(name, "DIR");
    for (size_t i = 0; i < COUNT_OF(STARTS); i++) {
        may = may || str_starts_with(name, str_of(STARTS[i]));
    }
    return may;
}

// Whether the only place that sets a variable is a line `NAME=VALUE` at the margin, and nothing exports it; `*at` is that line.
static bool is_kept_back(Str text, Str name, size_t *at) {
    uint32_t set = 0;
    uint32_t others = 0;
    for (size_t i = str_find(text, name, 0); i < text.len; i = str_find(text, name, i + 1)) {
        const char before = i == 0 ? '\n' : text.data[i - 1];
        const char after = str_at(text, i + name.len);
        const bool is_own = !char_is_of_name(before) && !char_is_of_name(after) && before != '-';
        const bool is_use = before == '$' || before == '{';
        const bool is_line = before == '\n' && after == '=';
        *at = is_own && is_line ? i : *at;
        set += is_own && is_line ? 1 : 0;
        others += is_own && !is_line && !is_use ? 1 : 0;
    }
    return set == 1 && others == 0;
}

// `'…'` behind `bash -c` of a command that begins with srun; empty: there is none.
static Str script_of_step(const PlanSlurmScript *script, const ShellSimple *command) {
    const ShellWords *words = &command->words;
    bool is_srun = false;
    for (uint32_t i = 0; i + 1 < words->count; i++) {
        is_srun = is_srun || (i <= command->program && str_is(str_after_last(words->items[i], '/'), "srun"));
        const Str next = words->items[i + 1];
        const size_t at = shell_word_place(script->text, next);
        const bool is_c =
            str_at(words->items[i], 0) == '-' && str_ends_with(words->items[i], STR("c")) && words->items[i].len <= 3;
        if (is_srun && is_c && at > 0 && script->text.data[at - 1] == '\'' && !str_has(next, "'")) {
            return next;
        }
    }
    return STR_NONE;
}

// Whether what a step starts is given variables in another way.
static bool hands_on(const PlanSlurmScript *script) {
    static const char *const WORDS[] = { "set -a", "allexport", "--export", "SLURM_EXPORT_ENV", "eval " };
    bool does = false;
    for (size_t i = 0; i < COUNT_OF(WORDS); i++) {
        does = does || str_has(script->text, WORDS[i]);
    }
    return does;
}

// The name of the next `$NAME` or `${NAME}` in a text, from `*from` on, which moves behind it; empty: there is none.
static Str next_use(Str text, size_t *from) {
    for (size_t at = str_find(text, STR("$"), *from); at < text.len; at = str_find(text, STR("$"), at + 1)) {
        const size_t start = at + (str_at(text, at + 1) == '{' ? 2 : 1);
        size_t end = start;
        while (char_is_of_name(str_at(text, end))) {
            end++;
        }
        const bool is_whole = start == at + 1 || str_at(text, end) == '}';
        if (end > start && is_whole && !char_is_digit(text.data[start])) {
            *from = end;
            return str_slice(text, start, end);
        }
    }
    *from = text.len;
    return STR_NONE;
}

void rule_slurm_kept_back(const Rules *rules, const PlanSlurmScript *script) {
    enum { NAMES_MAX = 200 };
    Session *session = rules->session;
    ShellCommands commands = { 0 };
    if (!script->is_batch || script->is_rendered || !str_has(script->text, "srun") || !str_has(script->text, " '") ||
        hands_on(script) || !shell_commands(session->arena, script->text, &commands)) {
        return;
    }
    int names = 0;
    for (uint32_t i = 0; i < commands.count; i++) {
        const Str inner = script_of_step(script, &commands.items[i]);
        for (size_t from = 0; from < inner.len && names < NAMES_MAX;) {
            const Str name = next_use(inner, &from);
            size_t at = 0;
            names++;
            if (name.len == 0 || may_be_of_user(name) || !is_kept_back(script->text, name, &at)) {
                continue;
            }
            const size_t place = (size_t)(name.data - script->text.data);
            const Span span = slurm_span(script, place, place + name.len);
            const Span line = slurm_span(script, at, at + name.len);
            const Str why = STR("the script does not export it");
            Diag *diag = plan_report(session, script->subject, span, DIAG(slurm_unset), STR_ARG(name), STR_ARG(why));
            diag_label(session, diag, line, "set for the script alone");
            diag_help(session, diag, "write `export %.*s=…` there", STR_ARG(name));
            return;
        }
    }
}

// ---- what an option hands on -------------------------------------------------------------------------------------------

// Whether a list has a variable: `A=1,B`.
static bool lists(Str list, Str name) {
    bool has = false;
    for (size_t start = 0; start < list.len;) {
        const size_t end = str_find(list, STR(","), start);
        const Str item = str_slice(list, start, end);
        has = has || str_equal(str_slice(item, 0, str_find(item, STR("="), 0)), name);
        start = end + 1;
    }
    return has;
}

// `--export=NAME=VALUE` of srun, beside what the script exports for what it starts.
void rule_step_export(const Rules *rules, const PlanSlurmScript *script, const PlanSlurmStep *step) {
    Session *session = rules->session;
    const PlanSlurmOption *option = slurm_option(&step->options, "export");
    const Span value = option == NULL ? SPAN_NONE : option->value.span;
    const Str list = option == NULL ? STR_NONE : str_slice(script->text, value.start, value.end);
    const bool is_known = list.len > 0 && !str_has(list, "$") && !str_has(list, "\"") && !lists(list, STR("ALL")) &&
                          !lists(list, STR("NONE")) && !lists(list, STR("NIL"));
    for (uint32_t i = 0; is_known && i < script->exports.count; i++) {
        const PlanField *name = &script->exports.items[i].name;
        if (name->span.start < step->span.start && !lists(list, name->text)) {
            const Str why = STR("`--export` hands on what it names, and nothing else");
            Diag *diag =
                plan_report(session, script->subject, value, DIAG(slurm_unset), STR_ARG(name->text), STR_ARG(why));
            diag_label(session, diag, name->span, "exported for all steps");
            diag_help(session, diag, "write `--export=ALL,%.*s`", STR_ARG(list));
            return;
        }
    }
}

// ---- names that are misspelt -------------------------------------------------------------------------------------------

typedef struct {
    Str name;
    size_t at;
} Named;

typedef VEC(Named) NamedList;

// Whether a place is one that sets the name there: `NAME=`, `NAME+=`, `read NAME`, `for NAME in`.
static bool is_setting(Str text, size_t at, size_t end) {
    const char after = str_at(text, end);
    const Str above = str_slice(text, at < 6 ? 0 : at - 6, at);
    const char before = at == 0 ? '\n' : text.data[at - 1];
    return (before != '$' && before != '{' && (after == '=' || (after == '+' && str_at(text, end + 1) == '='))) ||
           str_ends_with(above, STR("read ")) || str_ends_with(above, STR("for ")) ||
           str_ends_with(above, STR(" -r ")) || str_ends_with(above, STR(" -a "));
}

// Each name of capital letters, where the script sets one, and where it uses one.
static void find_names(Arena *arena, Str text, StrMap *others, NamedList *sets, NamedList *uses) {
    enum { NAMES_MAX = 400, SHORT_MAX = 5 };
    for (size_t at = 0; at < text.len;) {
        size_t end = at;
        while (char_is_of_name(str_at(text, end))) {
            end++;
        }
        const Str name = str_slice(text, at, end);
        const char before = at == 0 ? '\n' : text.data[at - 1];
        const bool is_braced = before == '{' && at > 1 && text.data[at - 2] == '$';
        const bool is_list = is_braced && str_at(text, end) == '['; // `${NAME[@]}`
        const bool is_use = before == '$' || is_list || (is_braced && str_at(text, end) == '}');
        if (name.len > SHORT_MAX && name.data[0] >= 'A' && name.data[0] <= 'Z') {
            const Named named = { .name = name, .at = at };
            if (is_setting(text, at, end)) {
                str_map_add(others, name, others);
                if (sets->count < NAMES_MAX) {
                    vec_push(arena, sets, named);
                }
            } else if (!is_use) {
                str_map_add(others, name, others); // it is asked for, or somebody else sets it
            } else if (uses->count < NAMES_MAX) {
                vec_push(arena, uses, named);
            }
        }
        at = end > at ? end : at + 1;
    }
}

// Offers what Slurm sets to a name that is nearly one of these. Scripts of prologs have others, too.
static bool offer_of_slurm(Str name, Suggestion *suggestion) {
    const NameList names = names_of(NAMES_SLURM_VARIABLES);
    bool is_one = !str_starts_with(name, STR("SLURM"));
    for (size_t i = 0; !is_one && i < names.count; i++) {
        is_one = str_is(name, names.items[i]);
        suggest_offer(suggestion, str_of(names.items[i]));
    }
    return !is_one;
}

// A variable that nothing sets, beside one that the script sets, or Slurm, and whose name differs by a letter.
void rule_script_names(const Rules *rules, const PlanSlurmScript *script) {
    Session *session = rules->session;
    StrMap others = { .arena = session->arena };
    NamedList sets = { 0 };
    NamedList uses = { 0 };
    if (script->is_rendered || shell_reads_others(script->text)) {
        return;
    }
    find_names(session->arena, shell_text(session->arena, script->text, SHELL_READ), &others, &sets, &uses);
    for (uint32_t i = 0; i < uses.count; i++) {
        const Str name = uses.items[i].name;
        if (str_map_get(&others, name) != NULL) {
            continue;
        }
        Suggestion suggestion = suggest_for(session, name);
        for (uint32_t k = 0; k < sets.count; k++) {
            suggest_offer(&suggestion, sets.items[k].name);
        }
        const bool is_of_script = suggest_is_sure(&suggestion);
        if (is_of_script || (offer_of_slurm(name, &suggestion) && suggest_is_sure(&suggestion))) {
            const Span span = slurm_span(script, uses.items[i].at, uses.items[i].at + name.len);
            const Str why = str_format(session->arena, "%s sets `%.*s`", is_of_script ? "the script" : "Slurm",
                                       STR_ARG(suggestion.best));
            Diag *diag = plan_report(session, script->subject, span, DIAG(slurm_unset), STR_ARG(name), STR_ARG(why));
            rule_suggest(rules, diag, &suggestion, span);
            return;
        }
    }
}
