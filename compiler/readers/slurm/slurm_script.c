// Reads scripts of a shell that launch, and the `#SBATCH` lines of those for sbatch as it does: up to the first line that is
// neither empty nor a comment.
#include "compiler/readers/slurm/slurm_script.h"

#include "compiler/plan/model/slurm_script.h"
#include "compiler/readers/foreign_subject.h"
#include "compiler/readers/slurm/slurm_options.h"
#include "compiler/readers/slurm/slurm_steps.h"
#include "compiler/script/shell_lines.h"
#include "compiler/script/shell_program.h"

static const char DIRECTIVE[] = "#SBATCH";

enum { WORDS_MAX = 5000 }; // of all lines: far above what anyone writes

// ---- what is one -----------------------------------------------------------------------------------------------------

static bool has_ending(Str path, const char *const *endings, size_t count) {
    bool has = false;
    for (size_t i = 0; i < count; i++) {
        has = has || str_ends_with(path, str_of(endings[i]));
    }
    return has;
}

static bool is_called_batch(Str path) {
    static const char *const ENDINGS[] = { ".sbatch", ".slurm" };
    return has_ending(path, ENDINGS, COUNT_OF(ENDINGS));
}

bool slurm_is_called(Str path) {
    static const char *const ENDINGS[] = { ".sh", ".bash" };
    return is_called_batch(path) || has_ending(path, ENDINGS, COUNT_OF(ENDINGS));
}

// The start of the first line of `#SBATCH` at or behind a place; the length of the text where there is none.
static size_t find_directive(Str text, size_t from) {
    size_t at = str_find(text, STR("#SBATCH"), from);
    while (at < text.len && at > 0 && text.data[at - 1] != '\n') {
        at = str_find(text, STR("#SBATCH"), at + 1);
    }
    return at;
}

// In a here-document it would be of another script, which this one writes.
bool slurm_is(Str path, Str text) {
    const size_t at = find_directive(text, 0);
    return at < text.len && (str_starts_with(text, STR("#!")) || is_called_batch(path)) &&
           str_find(text, STR("<<"), 0) > at;
}

bool slurm_is_of_shell(Str path, Str text) {
    const Str first = shell_trimmed_line(text, 0);
    if (!str_starts_with(first, STR("#!"))) {
        return slurm_is_called(path);
    }
    bool is = false;
    for (size_t at = 2; at < first.len && !is;) {
        const size_t end = str_find(first, STR(" "), at);
        is = shell_is_shell(str_slice(first, at, end));
        at = end + 1;
    }
    return is;
}

// A file that others read before they launch: it sets variables of NCCL or of EFA. Where a library lies is for a build.
static bool sets_up(const PlanSlurmScript *script) {
    static const char *const STARTS[] = { "NCCL_", "FI_EFA_", "FI_PROVIDER" };
    static const char *const OF_BUILDS[] = { "_HOME", "_DIR", "_VERSION", "_PATH", "_ROOT", "_TAG", "_BRANCH" };
    bool sets = false;
    for (uint32_t i = 0; i < script->sets.count; i++) {
        const Str name = script->sets.items[i].name.text;
        bool is = false;
        for (size_t k = 0; k < COUNT_OF(STARTS); k++) {
            is = is || str_starts_with(name, str_of(STARTS[k]));
        }
        sets = sets || (is && !has_ending(name, OF_BUILDS, COUNT_OF(OF_BUILDS)));
    }
    return sets;
}

// Whether it writes a batch script, in a here-document.
static bool writes_batch(const PlanSlurmScript *script) {
    return str_has(script->text, "<<") && find_directive(script->text, 0) < script->text.len;
}

bool slurm_launches(const PlanSlurmScript *script) {
    return writes_batch(script) ||
           script->steps.count + script->own.count + script->containers.count + script->submits.count > 0 ||
           sets_up(script);
}

// Whether a line gives the variable a value: `NAME=…`, `read NAME`, `for NAME in`.
static bool is_set(Str text, Str name) {
    for (size_t at = str_find(text, name, 0); at < text.len; at = str_find(text, name, at + 1)) {
        const char before = at == 0 ? '\n' : text.data[at - 1];
        const char behind = str_at(text, at + name.len);
        if (before != '$' && before != '{' && !char_is_of_name(before) && !char_is_of_name(behind)) {
            return true;
        }
    }
    return false;
}

// NAME of the first `{$NAME}` in a line; empty: there is none.
static Str marked_name(Str line) {
    const size_t start = str_find(line, STR("{$"), 0) + strlen("{$");
    size_t end = start;
    while (char_is_of_name(str_at(line, end))) {
        end++;
    }
    return end > start && str_at(line, end) == '}' ? str_slice(line, start, end) : STR_NONE;
}

// `{$NAME}` in a directive, of a variable that the script has from nowhere: no shell takes the braces off. Another program
// replaces the whole of it.
static bool has_marked_name(Str text) {
    for (size_t at = find_directive(text, 0); at < text.len; at = find_directive(text, at + 1)) {
        const Str name = marked_name(shell_line(text, at));
        if (name.len > 0) {
            return !is_set(text, name);
        }
    }
    return false;
}

bool slurm_is_rendered(Str text) {
    return str_has(text, "{%") || str_has(text, "{{ ") || str_has(text, "<%") || has_marked_name(text);
}

// ---- lines -----------------------------------------------------------------------------------------------------------

typedef struct {
    Session *session;
    SlurmShell shell;
    PlanSlurmScript *script;
    SlurmWords words; // of all lines, as sbatch joins them
} ScriptReader;

// The words of a line. A `#` begins a comment wherever it stands, but in quotes.
static void read_directive(ScriptReader *reader, Str line) {
    size_t at = strlen(DIRECTIVE);
    while (at < line.len && line.data[at] != '#' && reader->words.count < WORDS_MAX) {
        if (strchr(" \t\r", line.data[at]) != NULL) {
            at++;
            continue;
        }
        const size_t start = at;
        char quote = '\0';
        while (at < line.len && (quote != '\0' || strchr(" \t\r#", line.data[at]) == NULL)) {
            const char c = line.data[at];
            quote = quote == c ? '\0' : quote == '\0' && (c == '"' || c == '\'') ? c : quote;
            at++;
        }
        const Str word = str_slice(line, start, at);
        if (str_is_in_any_case(word, "hetjob") || str_is_in_any_case(word, "packjob")) {
            reader->script->is_het = true;
        } else {
            vec_push(reader->shell.arena, &reader->words, ((SlurmWord){ .text = word }));
        }
    }
}

// Whether an earlier word of the same line is one, or the line is for somebody to fill in: `<OPTIONS>`, `-p { partition }`.
static bool script_has_stray(const PlanSlurmScript *script, const SlurmShell *shell, Str word) {
    const size_t at = word.len == 0 ? 0 : (size_t)(word.data - shell->text.data);
    const PlanField *last = script->strays.count == 0 ? NULL : &script->strays.items[script->strays.count - 1];
    const bool is_same = word.len > 0 && last != NULL && str_find(shell->text, STR("\n"), last->span.start) > at;
    const Str line = is_same || word.len == 0 ? STR_NONE : shell_line_around(shell->text, at);
    return is_same || str_has(line, "<") || str_has(line, "{");
}

// Words that are no options, and the options around them: sbatch ends at the first of these.
static void read_words(ScriptReader *reader) {
    PlanSlurmScript *script = reader->script;
    SlurmWords rest = reader->words;
    while (rest.count > 0) {
        const uint32_t end = slurm_read_lines(&reader->shell, &rest, &reader->script->options);
        const Str word = end < rest.count ? rest.items[end].text : STR_NONE;
        const bool is_known = script_has_stray(script, &reader->shell, word);
        if (word.len > 0 && !is_known) {
            vec_push(reader->shell.arena, &script->strays,
                     field_known("word", slurm_place(&reader->shell, word), word));
        }
        const uint32_t next = end < rest.count ? end + 1 : rest.count;
        rest.items += next;
        rest.count -= next;
    }
}

static bool is_command(Str line) {
    const Str trimmed = str_trim(line);
    return trimmed.len > 0 && trimmed.data[0] != '#';
}

// The word that ends the here-document that a line begins; empty where it begins none.
static Str heredoc_in(Str line) {
    const size_t at = str_find(line, STR("<<"), 0);
    size_t start = at + 2;
    if (at >= line.len || str_at(line, start) == '<' || str_at(str_trim(line), 0) == '#') {
        return STR_NONE;
    }
    while (start < line.len && strchr("- \t\"'\\", line.data[start]) != NULL) {
        start++;
    }
    size_t end = start;
    while (char_is_of_name(str_at(line, end))) {
        end++;
    }
    return str_slice(line, start, end);
}

static void read_lines(ScriptReader *reader) {
    const Str text = reader->shell.text;
    PlanSlurmScript *script = reader->script;
    Str heredoc = STR_NONE;
    for (size_t at = 0; at < text.len; at = shell_next_line(text, at)) {
        const Str line = shell_line(text, at);
        const bool is_directive = script->is_batch && str_starts_with(line, str_of(DIRECTIVE));
        if (heredoc.len > 0) {
            Span *text_of = &reader->shell.heredocs.items[reader->shell.heredocs.count - 1];
            text_of->end = (uint32_t)(at + line.len);
            heredoc = str_equal(str_trim(line), heredoc) ? STR_NONE : heredoc;
        } else if (is_directive && span_is_none(script->command)) {
            read_directive(reader, line);
        } else if (is_directive) {
            vec_push(reader->shell.arena, &script->late,
                     slurm_place(&reader->shell, str_slice(line, 0, str_trim(line).len)));
        } else {
            heredoc = heredoc_in(line);
            if (heredoc.len > 0) {
                const uint32_t end = (uint32_t)(at + line.len);
                vec_push(reader->shell.arena, &reader->shell.heredocs,
                         ((Span){ .source = reader->shell.source, .start = end, .end = end }));
            }
            const bool is_first = span_is_none(script->command) && is_command(line);
            script->command = is_first ? slurm_place(&reader->shell, str_trim(line)) : script->command;
        }
    }
    read_words(reader);
}

const struct PlanSlurmScript *slurm_read(Session *session, const Subject *file, uint32_t source) {
    const Source *read = source_get(session, source);
    const Str text = read->text;
    const Span whole = { .source = source, .start = 0, .end = (uint32_t)text.len };
    PlanSlurmScript *script = arena_new(session->arena, PlanSlurmScript);
    *script = (PlanSlurmScript){ .file = whole,
                                 .text = text,
                                 .command = SPAN_NONE,
                                 .is_batch = is_called_batch(read->path) || slurm_is(read->path, text),
                                 .has_shell = str_starts_with(text, STR("#!")),
                                 .is_rendered = str_has(str_after_last(read->path, '/'), "template") ||
                                                str_has(str_after_last(read->path, '/'), ".tmpl"),
                                 .subject = foreign_subject(session, file, (Span){ .source = source }, whole) };
    ScriptReader reader = { .session = session,
                            .shell = { .arena = session->arena, .source = source, .text = text },
                            .script = script };
    read_lines(&reader);
    if (slurm_is_of_shell(read->path, text)) {
        slurm_read_steps(session, &reader.shell, script);
    }
    return script;
}
