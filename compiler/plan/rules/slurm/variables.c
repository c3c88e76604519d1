// A rule about variables that Slurm gives a job only where the job asks for an option: a batch script that reads one without it
// reads nothing.
// source: SchedMD/slurm@284c3b95 doc/man/man1/sbatch.1, OUTPUT ENVIRONMENT VARIABLES, "Only set if", and src/sbatch/opt.c,
// read 2026-11
#include "compiler/plan/rules/rules.h"

#include "compiler/base/words.h"
#include "compiler/plan/model/allow.h"
#include "compiler/script/shell_text.h"

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

// Whether the script, a step or another job that it submits has one of the options, or may have.
static bool may_have_option(const PlanSlurmScript *script, const char *names) {
    bool may = has_option(&script->options, names);
    for (uint32_t i = 0; i < script->steps.count; i++) {
        may = may || script->steps.items[i].is_vague || has_option(&script->steps.items[i].options, names);
    }
    return may;
}

// A use of a variable: where its name begins, behind `$` or `${`.
typedef struct {
    size_t at;       // the length of the text: there is none
    bool is_guarded; // somewhere the script sets it, or asks whether it is set
} Use;

// What of its line stands near a place: all of it, where that is no longer than people write.
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
        const bool is_used = before == '$' || (before == '{' && after == '}');
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
    for (size_t i = 0; i < COUNT_OF(ROWS); i++) {
        const Use use = find_use(script->text, run, ROWS[i].variable);
        if (use.at == script->text.len || use.is_guarded || may_have_option(script, ROWS[i].options)) {
            continue;
        }
        const Str option = str_slice(str_of(ROWS[i].options), 0, str_find(str_of(ROWS[i].options), STR("|"), 0));
        const Span span = { .source = script->file.source,
                            .start = (uint32_t)use.at,
                            .end = (uint32_t)(use.at + strlen(ROWS[i].variable)) };
        Diag *diag = plan_report(session, script->subject, span, DIAG(slurm_unset), ROWS[i].variable, STR_ARG(option));
        if (ROWS[i].instead != NULL) {
            diag_help(session, diag, "write `#SBATCH --%.*s=…`, or read `%s`", STR_ARG(option), ROWS[i].instead);
        } else {
            diag_help(session, diag, "write `#SBATCH --%.*s=…` above the first command", STR_ARG(option));
        }
    }
}
