// A rule about commands that end before their last word, or have words that no program takes for options: a shell or a launcher
// that reads them does something else, or nothing.
#include "compiler/plan/rules/launcher/launcher_words.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/launcher_option.h"
#include "compiler/script/shell_lines.h"

// ---- words behind the end ------------------------------------------------------------------------------------------

// What the lines above a place end a command with that was to go on.
typedef struct {
    const char *why; // NULL: nothing tells that it was to go on
    const char *help;
} CutOff;

// The last line above `at` that holds something; empty where there is none.
static Str line_above(Str text, size_t at) {
    size_t end = at;
    while (end > 0 && strchr(" \t", text.data[end - 1]) != NULL) {
        end--;
    }
    const bool is_first = end > 0 && text.data[end - 1] == '\n';
    end -= is_first ? 1 : 0;
    size_t start = end;
    while (start > 0 && text.data[start - 1] != '\n') {
        start--;
    }
    return is_first ? str_slice(text, start, end) : STR_NONE;
}

static CutOff cut_off(Str text, size_t at) {
    const Str line = line_above(text, at);
    const Str trimmed = str_trim(line);
    const bool is_comment = str_at(trimmed, 0) == '#';
    const bool goes_on = str_ends_with(trimmed, STR("\\"));
    if (is_comment) {
        return (CutOff){ "a comment above it ends the command", "move the comment above the command" };
    }
    if (goes_on && !str_ends_with(line, STR("\\"))) {
        return (CutOff){ "blanks stand behind the `\\` above it", "remove the blanks behind the `\\`" };
    }
    return goes_on || trimmed.len == 0
               ? (CutOff){ .why = NULL }
               : (CutOff){ "the line above it does not end with `\\`", "end the line above with a backslash" };
}

// torchrun that was told no script, where the next line begins with one: `train.py` is in no folder of programs. Of an option that
// is not known nobody knows whether it takes the next word.
static bool is_script_cut_off(const LauncherWords *before, Str first) {
    uint32_t i = launcher_word_of(before, PROGRAM_TORCHRUN) + 1;
    bool is_known = i <= before->count;
    while (is_known && i < before->count) {
        const Str word = launcher_word_at(before, i);
        const LauncherWord *row = launcher_word(PROGRAM_TORCHRUN, word);
        const bool is_of_program = row != NULL && (strcmp(row->name, "m") == 0 || strcmp(row->name, "module") == 0 ||
                                                   strcmp(row->name, "no-python") == 0);
        is_known = row != NULL && !is_of_program;
        i += 1 + (is_known && !str_has(word, "=") ? (uint32_t)row->words : 0);
    }
    return is_known && i == before->count && str_ends_with(first, STR(".py")) && !str_has(first, "/");
}

// `${NAME[@]}` of a list that the script begins with an option.
static bool is_list_of_options(Str script, Str word) {
    enum { LISTS_MAX = 20 };
    const Str start = STR("${");
    const size_t end = str_find(word, STR("[@]}"), 0);
    const Str name = str_starts_with(word, start) && end < word.len ? str_slice(word, start.len, end) : STR_NONE;
    int lists = 0;
    for (size_t at = str_find(script, name, 0); name.len > 0 && at < script.len && lists < LISTS_MAX;
         at = str_find(script, name, at + 1)) {
        const size_t sign = at + name.len + (str_at(script, at + name.len) == '+' ? 1 : 0);
        if (str_at(script, sign) == '=' && str_at(script, sign + 1) == '(') {
            size_t first = sign + 2;
            while (first < script.len && strchr(" \t\n", script.data[first]) != NULL) {
                first++;
            }
            return str_at(script, first) == '-';
        }
        lists++;
    }
    return false;
}

// A shell takes the first word of a line for a program.
void launcher_check_cut(const LauncherWords *words, const LauncherWords *before) {
    const Str first = words->count == 0 ? STR_NONE : launcher_word_at(words, 0);
    bool is_behind = false; // a launcher
    for (uint32_t i = 0; before != NULL && i < before->count; i++) {
        is_behind = is_behind || launcher_program(launcher_word_at(before, i)) != PROGRAM_ANY;
    }
    const bool is_option =
        is_behind && ((str_at(first, 0) == '-' && first.len > 1) || is_list_of_options(words->script->run, first));
    if (!is_option && (before == NULL || !is_script_cut_off(before, first))) {
        return;
    }
    const size_t place = shell_word_place(words->script->run, first);
    const bool is_quoted = place > 0 && char_is_in(words->script->run.data[place - 1], "\"'");
    const CutOff cut = cut_off(words->script->text, place - (is_quoted ? 1 : 0));
    if (cut.why != NULL) {
        Session *session = words->rules->session;
        Diag *diag = plan_report(session, words->subject, launcher_word_span(words, 0, first), DIAG(words_cut_off),
                                 STR_ARG(first), cut.why);
        diag_help(session, diag, "%s", cut.help);
    }
}

// ---- dashes --------------------------------------------------------------------------------------------------------

// Those that word processors and web pages write in the place of `-` and `--`.
static const char *const DASHES[] = { "\xe2\x80\x93", "\xe2\x80\x94", "\xe2\x88\x92" };

void launcher_check_words(const LauncherWords *words) {
    Session *session = words->rules->session;
    for (uint32_t i = 0; i < words->count; i++) {
        const Str word = launcher_word_at(words, i);
        for (size_t k = 0; k < COUNT_OF(DASHES); k++) {
            const Str dash = str_of(DASHES[k]);
            const Str name = str_starts_with(word, dash) ? str_slice(word, dash.len, word.len) : STR_NONE;
            if (name.len > 0 && char_is_of_name(name.data[0])) {
                Diag *diag = plan_report(session, words->subject, launcher_word_span(words, i, word),
                                         DIAG(word_with_dash), STR_ARG(word));
                diag_help(session, diag, "write `%s%.*s`", name.len == 1 ? "-" : "--", STR_ARG(name));
            }
        }
    }
}
