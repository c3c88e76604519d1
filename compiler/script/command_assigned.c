// The number that a script gives a variable, where all that it says of the variable is understood.
#include "compiler/script/command_words.h"

#include "compiler/script/shell_sourced.h"

// Whether a name that begins at `at` is the end of a longer one: `RANK` of `LOCAL_RANK`.
static bool is_in_name(Str text, size_t at) {
    return at > 0 && command_is_of_variable(text.data[at - 1]);
}

// What a mention of a variable does with it.
typedef enum {
    MENTION_READS, // or says nothing of its value: `$NAME`, `export NAME`
    MENTION_SETS,  // to a number, for all commands that follow
    MENTION_UNKNOWN,
} Mention;

static bool is_behind(Str text, size_t at, const char *word) {
    const Str start = str_slice(text, 0, at);
    return str_ends_with(start, str_of(word));
}

// `NAME=1 program` sets it for that program alone, which reads no words of the shell.
static bool ends_command(Str text, size_t at) {
    while (str_at(text, at) == ' ' || str_at(text, at) == '\t') {
        at++;
    }
    return at >= text.len || strchr("\n;", text.data[at]) != NULL ||
           str_starts_with(str_slice(text, at, text.len), STR("&&"));
}

static Mention read_mention(Str text, size_t at, size_t end, int64_t *number) {
    const bool is_braced = is_behind(text, at, "${") || is_behind(text, at, "${!");
    const bool is_read = is_behind(text, at, "$") || (is_braced && str_at(text, end) == '}');
    const bool is_exported = is_behind(text, at, "export ");
    if (is_read || (is_exported && str_at(text, end) != '=' && ends_command(text, end))) {
        return MENTION_READS;
    }
    const char before = at == 0 ? '\n' : text.data[at - 1];
    const bool is_quoted = str_at(text, end + 1) == '"' || str_at(text, end + 1) == '\'';
    size_t digits = end + 1 + (is_quoted ? 1 : 0);
    *number = command_number(str_slice(text, digits, text.len));
    while (char_is_digit(str_at(text, digits))) {
        digits++;
    }
    const bool is_set = str_at(text, end) == '=' && strchr(" \t\n;", before) != NULL && *number >= 0 &&
                        ends_command(text, digits + (is_quoted ? 1 : 0));
    return is_set ? MENTION_SETS : MENTION_UNKNOWN;
}

// In one script, behind the numbers of others; false where it may be something else.
static bool read_assigned(Str text, Str name, int64_t *found) {
    for (size_t at = str_find(text, name, 0); at < text.len; at = str_find(text, name, at + 1)) {
        const size_t end = at + name.len;
        int64_t number = -1;
        if (is_in_name(text, at) || command_is_of_variable(str_at(text, end))) {
            continue;
        }
        const Mention mention = read_mention(text, at, end, &number);
        if (mention == MENTION_UNKNOWN || (mention == MENTION_SETS && *found >= 0 && *found != number)) {
            return false;
        }
        *found = mention == MENTION_SETS ? number : *found;
    }
    return true;
}

// A file that the script reads may set it, and so does `printf -v`, which otherwise only says something.
static bool is_set_elsewhere(Str text, Str name) {
    bool is = shell_reads_others(text);
    for (size_t at = str_find(text, name, 0); at < text.len; at = str_find(text, name, at + 1)) {
        is = is || is_behind(text, at, "-v ");
    }
    return is;
}

int64_t command_assigned(const CommandWords *words, Str name) {
    int64_t found = -1;
    bool is_known = name.len > 0;
    for (uint32_t i = 0; is_known && i < words->count; i++) {
        const CommandWord *word = &words->items[i];
        const bool is_of_shell = word->is == SHELL_WORD_SCRIPT;
        is_known = is_of_shell ? !is_set_elsewhere(word->text, name) && read_assigned(word->run, name, &found)
                               : str_find(word->text, name, 0) == word->text.len;
    }
    return is_known ? found : -1;
}
