// Questions about the options of a batch script of Slurm.
#include "compiler/plan/model/slurm_script.h"

#include "compiler/script/shell_lines.h"
#include "compiler/script/shell_program.h"

const PlanSlurmOption *slurm_option(const PlanSlurmOptions *options, const char *name) {
    const PlanSlurmOption *found = NULL;
    for (uint32_t i = 0; i < options->count; i++) {
        const SlurmOptionRow *row = options->items[i].row;
        found = row != NULL && strcmp(row->name, name) == 0 ? &options->items[i] : found;
    }
    return found;
}

int64_t slurm_number(const PlanSlurmOptions *options, const char *name) {
    const PlanSlurmOption *option = slurm_option(options, name);
    return option == NULL ? -1 : field_number(&option->value, -1);
}

// The number at the end of `8`, `a100:8` and `gpu:a100:8`, and 1 of `gpu`; -1: another text.
static int64_t count_of(Str text, bool may_lack) {
    const size_t parts = str_find(text, STR(","), 0);
    const Str last = str_after_last(text, ':');
    const int64_t number = command_number(last);
    return parts < text.len || str_has(text, "(") ? -1
           : number >= 0                          ? number
           : may_lack && !str_has(text, ":")      ? 1
                                                  : -1;
}

int64_t slurm_gpus(const PlanSlurmOptions *options, int64_t nodes, Span *span) {
    const PlanSlurmOption *each = slurm_option(options, "gpus-per-node");
    const PlanSlurmOption *gres = slurm_option(options, "gres");
    const PlanSlurmOption *all = slurm_option(options, "gpus");
    int64_t count = -1;
    if (each != NULL) {
        count = count_of(each->value.text, false);
        *span = each->value.span;
    } else if (gres != NULL && (str_starts_with(gres->value.text, STR("gpu:")) || field_is(&gres->value, "gpu"))) {
        count = count_of(gres->value.text, true);
        *span = gres->value.span;
    } else if (all != NULL && nodes > 0) {
        const int64_t total = count_of(all->value.text, false);
        count = total >= nodes && total % nodes == 0 ? total / nodes : -1;
        *span = all->value.span;
    }
    return count;
}

Span slurm_span(const PlanSlurmScript *script, size_t start, size_t end) {
    return (Span){ .source = script->file.source,
                   .start = script->file.start + (uint32_t)start,
                   .end = script->file.start + (uint32_t)end };
}

bool slurm_is_at_margin(const PlanSlurmScript *script, Span command) {
    static const char *const WORDS[] = {
        "for ", "while ", "until ", "if ", "case ", "function ", "{", "(", "[", "test "
    };
    size_t start = command.start;
    while (start > 0 && (script->text.data[start - 1] != '\n' || (start > 1 && script->text.data[start - 2] == '\\'))) {
        start--;
    }
    const Str line = shell_line(script->text, start);
    bool is = strchr(" \t", str_at(line, 0)) == NULL && !str_has(line, "()");
    for (size_t i = 0; i < COUNT_OF(WORDS); i++) {
        is = is && !str_starts_with(line, str_of(WORDS[i]));
    }
    return is;
}

// Behind a shell and its options, or as the program itself.
Str slurm_started(const PlanSlurmStep *step) {
    const CommandWords *words = &step->launcher->words;
    uint32_t at = 0;
    if (words->count > 0 && shell_is_shell(words->items[0].text)) {
        at++;
        while (at < words->count && strchr("-+", str_at(words->items[at].text, 0)) != NULL) {
            at++;
        }
    }
    const Str name = at < words->count ? str_after_last(words->items[at].text, '/') : STR_NONE;
    const bool is_plain = !str_has(name, "$") && !str_has(name, " ") && !str_has(name, "`");
    return is_plain && (str_ends_with(name, STR(".sh")) || str_ends_with(name, STR(".bash"))) ? name : STR_NONE;
}
