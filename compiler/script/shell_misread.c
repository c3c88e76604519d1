// Finds in a script what its shell reads otherwise than its author. The time of each search grows as the script does.
#include "compiler/script/shell_misread.h"

#include "compiler/script/shell_commands.h"
#include "compiler/script/shell_text.h"

// ---- releases --------------------------------------------------------------------------------------------------------

static bool ends_command(Str text, size_t at) {
    const char c = text.data[at];
    return c == ';' || c == '|' || c == '&' || (c == '\n' && (at == 0 || text.data[at - 1] != '\\'));
}

// The name of a package before `>` or `<`: it has letters, and `]` at its end where it names extras.
static bool is_package(Str word) {
    bool has_letter = false;
    bool is = word.len > 1 && str_at(word, 0) != '-';
    for (size_t i = 0; i < word.len; i++) {
        const char c = word.data[i];
        const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        has_letter = has_letter || is_letter;
        is = is && (is_letter || char_is_digit(c) || strchr("-_.[],", c) != NULL);
    }
    return is && has_letter;
}

// The first word of a command, from a place on, that a shell takes apart at `>` or `<`; empty: there is none. `*end` is where the
// command ends.
static Str release_behind(Str text, size_t at, size_t *end) {
    size_t start = at;
    for (char quote = '\0'; at < text.len && (quote != '\0' || !ends_command(text, at)); at++) {
        const char c = text.data[at];
        const char next = str_at(text, at + 1);
        if (quote != '\0') {
            quote = c == quote ? '\0' : quote;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == ' ' || c == '\t' || c == '\n' || c == '\\') {
            start = at + 1;
        } else if ((c == '>' || c == '<') && (next == '=' || char_is_digit(next)) &&
                   is_package(str_slice(text, start, at))) {
            size_t last = at + 1;
            while (last < text.len && strchr(" \t\n;|&\\\"'", text.data[last]) == NULL) {
                last++;
            }
            return str_slice(text, start, last);
        }
    }
    *end = at;
    return STR_NONE;
}

// Whether a text ends in a program that installs packages of Python: `pip3.11`, `/opt/conda/bin/mamba`.
static bool installs_packages(Str text) {
    enum { PROGRAM_MAX = 40 };
    size_t start = text.len;
    while (start > 0 && text.len - start < PROGRAM_MAX && strchr(" \t\n;&|(/\"'", text.data[start - 1]) == NULL) {
        start--;
    }
    const Str word = str_slice(text, start, text.len);
    return str_starts_with(word, STR("pip")) || str_ends_with(word, STR("conda")) || str_ends_with(word, STR("mamba"));
}

ShellMisread shell_misread_release(Arena *arena, Str script) {
    const Str mark = STR(" install ");
    const bool may = str_has(script, "pip") || str_has(script, "conda") || str_has(script, "mamba");
    const Str run = may && str_find(script, mark, 0) < script.len ? shell_text(arena, script, SHELL_KEPT) : STR_NONE;
    for (size_t at = str_find(run, mark, 0); at < run.len;) {
        size_t end = at + mark.len;
        const Str word = installs_packages(str_slice(run, 0, at)) ? release_behind(run, end, &end) : STR_NONE;
        if (word.len > 0) {
            const bool reads = str_has(word, "<") && str_find(word, STR("<"), 0) < str_find(word, STR(">"), 0);
            return (ShellMisread){ .text = str_slice(script, (size_t)(word.data - run.data),
                                                     (size_t)(word.data - run.data) + word.len),
                                   .reason = reads ? "behind `<` it looks for a file to read"
                                                   : "it writes into a file behind `>`, and any release is installed",
                                   .help = "write it in quotes" };
        }
        at = str_find(run, mark, end);
    }
    return (ShellMisread){ .text = STR_NONE };
}

// ---- dash ------------------------------------------------------------------------------------------------------------

#define WITH_BASH "let bash run it, or write what each shell has"

// Programs that bash has in itself, and that no file of a system has.
static const struct {
    const char *program;
    const char *help;
} OF_BASH[] = {
    { "source", "write `.` in its place" },
    { "[[", "write `[`, with the words in quotes" },
    { "pushd", WITH_BASH },
    { "popd", WITH_BASH },
    { "shopt", WITH_BASH },
    { "declare", WITH_BASH },
    { "mapfile", WITH_BASH },
    { "readarray", WITH_BASH },
};

static ShellMisread of_commands(Arena *arena, Str script, bool is_old) {
    ShellCommands commands = { 0 };
    if (!shell_commands(arena, script, &commands)) {
        return (ShellMisread){ .text = STR_NONE };
    }
    for (uint32_t i = 0; i < commands.count; i++) {
        const ShellSimple *command = &commands.items[i];
        const Str program = command->program < command->words.count ? command->words.items[command->program] : STR_NONE;
        for (size_t k = 0; k < COUNT_OF(OF_BASH); k++) {
            if (str_is_word(program, OF_BASH[k].program)) {
                return (ShellMisread){ .text = program,
                                       .reason = "sh of Debian and Ubuntu is dash, which has no such command",
                                       .help = OF_BASH[k].help };
            }
        }
        for (uint32_t k = command->program + 1; is_old && str_is(program, "set") && k < command->words.count; k++) {
            if (str_is(command->words.items[k], "pipefail")) {
                return (ShellMisread){ .text = command->words.items[k],
                                       .reason = "sh of Debian and Ubuntu is dash, which ends at this option",
                                       .help = "let bash run it: `SHELL [\"/bin/bash\", \"-c\"]`, or `bash -c`" };
            }
        }
    }
    return (ShellMisread){ .text = STR_NONE };
}

// Whether a command may begin at a place: behind a sign, or a word that a condition or a loop has.
static bool begins_command(Str text, size_t at) {
    static const char *const WORDS[] = { "if", "then", "else", "elif", "while", "until", "do", "!" };
    size_t end = at;
    while (end > 0 && strchr(" \t", text.data[end - 1]) != NULL) {
        end--;
    }
    const Str before = str_slice(text, end < 8 ? 0 : end - 8, end);
    bool begins = end == 0 || strchr("\n;&|({", text.data[end - 1]) != NULL;
    for (size_t i = 0; i < COUNT_OF(WORDS) && end < at; i++) {
        const Str word = str_of(WORDS[i]);
        const char first = str_at(before, before.len - word.len - 1);
        begins = begins || (str_ends_with(before, word) && (before.len == word.len || !char_is_of_name(first)));
    }
    return begins;
}

// `&>`, `<(`, `<<<`, `[[` and `NAME=(`, outside of quotes.
static ShellMisread of_signs(Str text) {
    char quote = '\0';
    for (size_t at = 0; at < text.len; at++) {
        const char c = text.data[at];
        const char next = str_at(text, at + 1);
        if (c == '\\') {
            at++;
        } else if (quote != '\0') {
            quote = c == quote ? '\0' : quote;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '&' && next == '>') {
            return (ShellMisread){ .text = str_slice(text, at, at + 2),
                                   .reason = "dash runs the command in the background, and empties the file",
                                   .help = "write `> FILE 2>&1`" };
        } else if (c == '[' && next == '[' && char_is_in(str_at(text, at + 2), " \t") && begins_command(text, at)) {
            return (ShellMisread){ .text = str_slice(text, at, at + 2),
                                   .reason = "sh of Debian and Ubuntu is dash, which has no such command",
                                   .help = "write `[`, with the words in quotes" };
        } else if (c == '=' && next == '(' && at > 0 && char_is_of_name(text.data[at - 1])) {
            return (ShellMisread){ .text = str_slice(text, at, at + 2),
                                   .reason = "dash has no lists, and reads none of the script",
                                   .help = WITH_BASH };
        } else if (c == '<' && (next == '(' || str_starts_with(str_slice(text, at, at + 3), STR("<<<")))) {
            return (ShellMisread){ .text = str_slice(text, at, at + 2),
                                   .reason = "dash has no such sign, and reads none of the script",
                                   .help = WITH_BASH };
        }
    }
    return (ShellMisread){ .text = STR_NONE };
}

// Another shell may read a part of it.
static bool has_other_shell(Str script) {
    static const char *const WORDS[] = { "bash", "zsh", "ksh", "<<E", "<<'", "<<\"", "<<-", "<< " };
    bool has = false;
    for (size_t i = 0; i < COUNT_OF(WORDS); i++) {
        has = has || str_has(script, WORDS[i]);
    }
    return has;
}

ShellMisread shell_misread_by_dash(Arena *arena, Str script, bool is_old) {
    if (has_other_shell(script)) {
        return (ShellMisread){ .text = STR_NONE };
    }
    const ShellMisread of_words = of_commands(arena, script, is_old);
    if (of_words.text.len > 0) {
        return of_words;
    }
    const Str read = shell_text(arena, script, SHELL_READ);
    ShellMisread sign = of_signs(read);
    const size_t at = sign.text.len == 0 ? 0 : (size_t)(sign.text.data - read.data);
    sign.text = str_slice(script, at, at + sign.text.len);
    return sign;
}

// ---- words that are several ------------------------------------------------------------------------------------------

static bool is_name(Str word) {
    bool is = word.len > 0 && !char_is_digit(word.data[0]);
    for (size_t i = 0; i < word.len; i++) {
        is = is && char_is_of_name(word.data[i]);
    }
    return is;
}

// `NAME = VALUE`, and `export NAME = VALUE`.
static Str blanks_around_sign(Str script, const ShellSimple *command) {
    static const char *const SETTERS[] = { "export", "declare", "local", "readonly" };
    const ShellWords *words = &command->words;
    bool is_setter = false;
    for (size_t i = 0; i < COUNT_OF(SETTERS) && words->count > 0; i++) {
        is_setter = is_setter || str_is_word(words->items[0], SETTERS[i]);
    }
    const uint32_t at = is_setter ? 1 : 0;
    const bool may_be = words->count > at + 1 && is_name(words->items[at]) && str_at(words->items[at + 1], 0) == '=' &&
                        str_at(words->items[at + 1], 1) != '=';
    const bool is_capital = may_be && words->items[at].data[0] >= 'A' && words->items[at].data[0] <= 'Z';
    if (!is_capital) {
        return STR_NONE;
    }
    const size_t start = shell_word_place(script, words->items[at]);
    return str_slice(script, start, shell_word_place(script, words->items[at + 1]) + 1);
}

// `[!` and `[-f` are names of no program, and the last word of `[` is `]` alone.
static ShellMisread of_test(Str script, const ShellSimple *command) {
    const ShellWords *words = &command->words;
    const Str first = command->program < words->count ? words->items[command->program] : STR_NONE;
    const Str last = words->count > 0 ? words->items[words->count - 1] : STR_NONE;
    const bool is_joined = first.len > 1 && first.data[0] == '[' && char_is_in(first.data[1], "!-$\"");
    const bool is_open = str_is(first, "[") && words->count > command->program + 2 && last.len > 1 &&
                         str_ends_with(last, STR("]")) && !str_has(last, "[");
    if (is_joined) {
        const size_t start = shell_word_place(script, first);
        return (ShellMisread){ .text = str_slice(script, start, start + first.len),
                               .reason = "no blank stands behind `[`, so that it is the name of a program",
                               .help = "write a blank behind `[`" };
    }
    if (is_open) {
        const size_t start = shell_word_place(script, last);
        return (ShellMisread){ .text = str_slice(script, start, start + last.len),
                               .reason = "no blank stands before `]`, so that `[` has no end",
                               .help = "write a blank before `]`" };
    }
    return (ShellMisread){ .text = STR_NONE };
}

// The text of a list `( … )` that begins at a place, up to the first `)`, which may be a quoted one; empty: there is none.
static Str list_at(Str text, size_t at) {
    const size_t end = str_find(text, STR(")"), at);
    return end < text.len ? str_slice(text, at, end) : STR_NONE;
}

// Several options: `--lr 1e-4 --bf16`, on one line or on several.
static bool is_of_options(Str list) {
    const Str trimmed = str_trim(list);
    return str_at(trimmed, 0) == '-' && (str_has(trimmed, " ") || str_has(trimmed, "\n"));
}

// `-z "$NAME"`: whether anything is set, which the first word answers.
static bool is_asked(Str text, size_t dollar) {
    size_t end = dollar;
    while (end > 0 && strchr(" \"", text.data[end - 1]) != NULL) {
        end--;
    }
    const Str before = str_slice(text, 0, end);
    return str_ends_with(before, STR(" -z")) || str_ends_with(before, STR(" -n"));
}

// Where `$NAME` or `${NAME}` is a word's part; the length of the text where it is not. `*is_scalar`: the name is set otherwise, too.
static size_t use_of_list(Str text, Str name, bool *is_scalar) {
    enum { USES_MAX = 200 };
    size_t found = text.len;
    int uses = 0;
    *is_scalar = false;
    for (size_t at = str_find(text, name, 0); at < text.len && uses < USES_MAX; at = str_find(text, name, at + 1)) {
        const char before = at == 0 ? '\n' : text.data[at - 1];
        const char after = str_at(text, at + name.len);
        const char next = str_at(text, at + name.len + 1);
        const bool is_plain = before == '$' && !char_is_of_name(after) && after != '[';
        const bool is_braced = before == '{' && at > 1 && text.data[at - 2] == '$' && after == '}';
        *is_scalar = *is_scalar || (strchr(" \t\n;", before) != NULL && after == '=' && next != '(');
        const size_t dollar = at - (is_plain ? 1 : 2);
        const bool is_use = found == text.len && (is_plain || is_braced) && !is_asked(text, dollar);
        found = is_use ? dollar : found;
        uses++;
    }
    return found;
}

static ShellMisread of_lists(Str script, Str read) {
    enum { LISTS_MAX = 40 };
    int lists = 0;
    for (size_t at = str_find(read, STR("=("), 0); at < read.len && lists < LISTS_MAX;
         at = str_find(read, STR("=("), at + 1)) {
        size_t start = at;
        bool is_scalar = false;
        while (start > 0 && char_is_of_name(read.data[start - 1])) {
            start--;
        }
        const Str name = str_slice(read, start, at);
        const size_t use =
            name.len > 0 && is_of_options(list_at(read, at + 2)) ? use_of_list(read, name, &is_scalar) : read.len;
        lists++;
        if (use < read.len && !is_scalar) {
            const size_t end = str_find(read, name, use) + name.len;
            return (ShellMisread){ .text = str_slice(script, use, end + (script.data[use + 1] == '{' ? 1 : 0)),
                                   .reason = "it is the first word of the list alone",
                                   .help = "write `\"${NAME[@]}\"` with its name" };
        }
    }
    return (ShellMisread){ .text = STR_NONE };
}

ShellMisread shell_misread_words(Arena *arena, Str script) {
    ShellCommands commands = { 0 };
    const bool may = (str_has(script, " =") || str_has(script, "[")) && shell_commands(arena, script, &commands);
    for (uint32_t i = 0; may && i < commands.count; i++) {
        const ShellMisread test = of_test(script, &commands.items[i]);
        if (test.text.len > 0) {
            return test;
        }
        const Str text = blanks_around_sign(script, &commands.items[i]);
        if (text.len > 0) {
            return (ShellMisread){ .text = text,
                                   .reason = "with blanks around `=` it is a command, and sets nothing",
                                   .help = "leave the blanks out" };
        }
    }
    return str_has(script, "=(") ? of_lists(script, shell_text(arena, script, SHELL_READ))
                                 : (ShellMisread){ .text = STR_NONE };
}
