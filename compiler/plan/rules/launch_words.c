// Finds options of launchers in commands: an option is an item of its own, or stands in a script.
#include "compiler/plan/rules/launch_words.h"

#include "compiler/plan/model/object_value.h"
#include "compiler/script/shell_lines.h"
#include "compiler/script/shell_text.h"

enum { NUMBER_MAX = 1000000 }; // a larger one is none of nodes, nor of processes

static void add_word(Arena *arena, LaunchWords *words, Str text, Span span) {
    LaunchWord word = { .text = text, .span = span };
    word.said = words->count == 0 ? word.said : words->items[words->count - 1].said;
    word.is = shell_argument(&word.said, text);
    word.run = text.len > 0 && word.is == SHELL_WORD_SCRIPT ? shell_text(arena, text, SHELL_KEPT) : text;
    vec_push(arena, words, word);
}

// Nothing of what is no list.
void launch_words_add_list(Arena *arena, LaunchWords *words, const Value *list) {
    for (uint32_t i = 0; i < object_count(list); i++) {
        const Value *item = list->list.items[i];
        const Str text = item->kind == VALUE_INT ? str_format(arena, "%" PRId64, item->integer) : object_text(item);
        add_word(arena, words, text, item->span);
    }
}

LaunchWords launch_words_of(Arena *arena, const Value *container) {
    LaunchWords words = { 0 };
    launch_words_add_list(arena, &words, object_get(container, "command"));
    launch_words_add_list(arena, &words, object_get(container, "args"));
    return words;
}

void launch_words_add_fields(Arena *arena, LaunchWords *words, const PlanFields *list) {
    for (uint32_t i = 0; i < list->count; i++) {
        add_word(arena, words, list->items[i].text, list->items[i].span);
    }
}

bool launch_runs_torch(const LaunchWords *words) {
    for (uint32_t i = 0; i < words->count; i++) {
        const Str text = words->items[i].run;
        if (str_find(text, STR("torchrun"), 0) < text.len || str_find(text, STR("torch.distributed"), 0) < text.len) {
            return true;
        }
    }
    return false;
}

// The number at the start of a text, or the lower one of `2:4`; -1 where something else stands there.
static int64_t leading_number(Str text) {
    int64_t number = text.len > 0 && char_is_digit(text.data[0]) ? 0 : -1;
    size_t at = 0;
    for (; at < text.len && char_is_digit(text.data[at]) && number < NUMBER_MAX; at++) {
        number = number * 10 + (text.data[at] - '0');
    }
    const char next = at < text.len ? text.data[at] : ' ';
    return strchr(" \t\n:\"'\\;", next) == NULL || number >= NUMBER_MAX ? -1 : number;
}

// What stands behind an option that ends at `end` of the word `*at`: behind a blank or `=`, or in the next word.
static Str text_behind(const LaunchWords *words, uint32_t *at, size_t end) {
    const Str text = words->items[*at].run;
    if (end == text.len) {
        return ++*at < words->count ? words->items[*at].run : STR_NONE;
    }
    if (strchr("= \t", text.data[end]) == NULL) {
        return STR_NONE;
    }
    size_t start = end + 1;
    while (text.data[end] != '=' && start < text.len && strchr(" \t", text.data[start]) != NULL) {
        start++;
    }
    start += str_at(text, start) == '"' || str_at(text, start) == '\'' ? 1 : 0;
    for (end = start; end < text.len && strchr(" \t\n\"'\\;", text.data[end]) == NULL;) {
        end++;
    }
    return str_slice(text, start, end);
}

static int64_t number_behind(const LaunchWords *words, uint32_t i, size_t end) {
    return leading_number(text_behind(words, &i, end));
}

// Whether a name that begins at `at` is the end of a longer one: `RANK` of `LOCAL_RANK`.
static bool is_in_name(Str text, size_t at) {
    return at > 0 && launch_is_of_variable(text.data[at - 1]);
}

// Where an option stands in a text, with `-` or `_` inside of its name; the length of the text where it does not.
static size_t find_option(Str text, Str option, size_t from) {
    for (size_t at = from; at + option.len <= text.len; at++) {
        size_t i = 0;
        while (i < option.len &&
               (text.data[at + i] == option.data[i] || (i > 1 && option.data[i] == '-' && text.data[at + i] == '_'))) {
            i++;
        }
        if (i == option.len && (option.data[0] == '-' || !is_in_name(text, at))) {
            return at;
        }
    }
    return text.len;
}

// An option of a command, and where it is looked for next.
typedef struct {
    const LaunchWords *words;
    Str option;
    uint32_t word;
    size_t from; // in the word
} OptionScan;

// What stands behind the next such option, in the word `*at`; false where there is no other.
static bool next_value(OptionScan *scan, uint32_t *at, Str *value) {
    const size_t length = str_ends_with(scan->option, STR("=")) ? scan->option.len - 1 : scan->option.len;
    for (; scan->word < scan->words->count; scan->word++, scan->from = 0) {
        const Str text = scan->words->items[scan->word].run;
        const size_t place = find_option(text, scan->option, scan->from);
        if (place < text.len) {
            scan->from = place + 1;
            *at = scan->word;
            *value = text_behind(scan->words, at, place + length);
            return true;
        }
    }
    return false;
}

// By the first such option with a number, which stands in the word `*at`: of a range the lower end.
static int64_t number_of_option(const LaunchWords *words, Str option, uint32_t *at) {
    OptionScan scan = { .words = words, .option = option };
    uint32_t behind = 0;
    Str value = STR_NONE;
    while (next_value(&scan, &behind, &value)) {
        if (leading_number(value) >= 0) {
            *at = scan.word;
            return leading_number(value);
        }
    }
    return -1;
}

Str launch_option(const LaunchWords *words, const char *name, uint32_t *at) {
    OptionScan scan = { .words = words, .option = str_of(name) };
    Str value = STR_NONE;
    while (value.len == 0 && next_value(&scan, at, &value)) {}
    return value;
}

Str launch_variable(Str text) {
    const char open = str_at(text, 1);
    const size_t start = open == '{' || open == '(' ? 2 : 1;
    size_t end = start;
    while (launch_is_of_variable(str_at(text, end))) {
        end++;
    }
    const bool is_whole = end + start - 1 == text.len && (start == 1 || text.data[end] == (open == '{' ? '}' : ')'));
    return str_at(text, 0) == '$' && is_whole ? str_slice(text, start, end) : STR_NONE;
}

Str launch_bracketed(Str text, size_t at) {
    size_t end = at + 2;
    while (launch_is_of_variable(str_at(text, end))) {
        end++;
    }
    return str_at(text, at) == '$' && str_at(text, at + 1) == '(' && str_at(text, end) == ')'
               ? str_slice(text, at + 2, end)
               : STR_NONE;
}

// By the script itself.
static bool is_assigned(Arena *arena, const LaunchWords *words, Str name) {
    uint32_t at = 0;
    return launch_option(words, str_c(arena, str_format(arena, "%.*s=", STR_ARG(name))), &at).len > 0;
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
    const bool is_read = is_behind(text, at, "$") || (is_behind(text, at, "${") && str_at(text, end) == '}');
    const bool is_exported = is_behind(text, at, "export ");
    if (is_read || (is_exported && str_at(text, end) != '=' && ends_command(text, end))) {
        return MENTION_READS;
    }
    const char before = at == 0 ? '\n' : text.data[at - 1];
    const bool is_quoted = str_at(text, end + 1) == '"' || str_at(text, end + 1) == '\'';
    size_t digits = end + 1 + (is_quoted ? 1 : 0);
    *number = leading_number(str_slice(text, digits, text.len));
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
        if (is_in_name(text, at) || launch_is_of_variable(str_at(text, end))) {
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
    static const char *const READERS[] = { "\n. ", "; . ", "&& . ", "source " };
    bool is = str_starts_with(text, STR(". "));
    for (size_t i = 0; i < COUNT_OF(READERS); i++) {
        is = is || str_has(text, READERS[i]);
    }
    for (size_t at = str_find(text, name, 0); at < text.len; at = str_find(text, name, at + 1)) {
        is = is || is_behind(text, at, "-v ");
    }
    return is;
}

int64_t launch_assigned(const LaunchWords *words, Str name) {
    int64_t found = -1;
    bool is_known = name.len > 0;
    for (uint32_t i = 0; is_known && i < words->count; i++) {
        const LaunchWord *word = &words->items[i];
        const bool is_of_shell = word->is == SHELL_WORD_SCRIPT;
        is_known = is_of_shell ? !is_set_elsewhere(word->text, name) && read_assigned(word->run, name, &found)
                               : str_find(word->text, name, 0) == word->text.len;
    }
    return is_known ? found : -1;
}

bool launch_has_branches(const LaunchWords *words) {
    static const char *const WORDS[] = { "if ", "case ", "||" };
    bool has = false;
    for (uint32_t i = 0; i < words->count; i++) {
        for (size_t k = 0; k < COUNT_OF(WORDS); k++) {
            has = has || str_find(words->items[i].run, str_of(WORDS[k]), 0) < words->items[i].run.len;
        }
    }
    return has;
}

const Value *launch_env(const Value *container, Str name) {
    const Value *env = object_get(container, "env");
    for (uint32_t i = 0; i < object_count(env); i++) {
        if (str_equal(object_text(object_get(env->list.items[i], "name")), name)) {
            return env->list.items[i];
        }
    }
    return NULL;
}

int64_t launch_value(Arena *arena, const Value *container, const LaunchWords *words, const char *option, uint32_t *at) {
    const int64_t number = number_of_option(words, str_of(option), at);
    const Str name = number < 0 ? launch_variable(launch_option(words, option, at)) : STR_NONE;
    if (name.len == 0 || is_assigned(arena, words, name)) {
        return number;
    }
    const Value *set = launch_env(container, name);
    return set == NULL ? -1 : leading_number(object_text(object_get(set, "value")));
}

int64_t launch_number(Arena *arena, const Value *container, const LaunchWords *words, const char *option,
                      uint32_t *at) {
    return launch_runs_torch(words) ? launch_value(arena, container, words, option, at) : -1;
}

int64_t launch_nodes(Arena *arena, const Value *container, const LaunchWords *words, uint32_t *at) {
    return launch_number(arena, container, words, "--nnodes", at);
}

// ---- mpirun ------------------------------------------------------------------------------------------------------

static bool is_end(Str text, size_t at) {
    return at >= text.len || strchr(" \t\n=\\\"'", text.data[at]) != NULL;
}

// Where a word of a script stands behind `from`, as a word of its own or the end of a path; the length of the text where
// it does not.
static size_t find_program(Str text, const char *name, size_t from) {
    const Str wanted = str_of(name);
    for (size_t at = str_find(text, wanted, from); at < text.len; at = str_find(text, wanted, at + 1)) {
        const char before = at == 0 ? ' ' : text.data[at - 1];
        if (strchr(" \t\n/;&(\"'", before) != NULL && is_end(text, at + wanted.len) &&
            str_at(text, at + wanted.len) != '=') {
            return at;
        }
    }
    return text.len;
}

bool launch_runs(const LaunchWords *words, const char *program) {
    bool runs = false;
    for (uint32_t i = 0; i < words->count; i++) {
        runs = runs || find_program(words->items[i].run, program, 0) < words->items[i].run.len;
    }
    return runs;
}

// The only program of that kind among the words; false where there are none or several.
static bool find_mpirun(const LaunchWords *words, uint32_t *word, size_t *behind) {
    static const char *const PROGRAMS[] = { "mpirun", "mpiexec", "orterun" };
    uint32_t found = 0;
    for (uint32_t i = 0; i < words->count; i++) {
        const Str text = words->items[i].run;
        for (size_t k = 0; k < COUNT_OF(PROGRAMS); k++) {
            for (size_t at = find_program(text, PROGRAMS[k], 0); at < text.len;
                 at = find_program(text, PROGRAMS[k], at + 1)) {
                *word = i;
                *behind = at + strlen(PROGRAMS[k]);
                found++;
            }
        }
    }
    return found == 1;
}

// `mpirun -np 8 driver : -np 8 worker` starts more than its first number says.
static bool has_second_part(const LaunchWords *words, uint32_t first, size_t behind) {
    bool has = false;
    for (uint32_t i = first; i < words->count; i++) {
        const Str text = words->items[i].run;
        const size_t start = i == first ? behind : 0;
        const Str command = str_slice(text, start, shell_end_of_command(text, start));
        has = has || str_is(command, ":") || str_has(command, " : ");
    }
    return has;
}

int64_t launch_processes(const LaunchWords *words, uint32_t *at) {
    static const char *const OPTIONS[] = { "-np", "--np" };
    uint32_t first = 0;
    size_t behind = 0;
    if (!find_mpirun(words, &first, &behind) || has_second_part(words, first, behind)) {
        return -1;
    }
    for (uint32_t i = first; i < words->count; i++) {
        const Str text = words->items[i].run;
        const size_t start = i == first ? behind : 0;
        const Str command = str_slice(text, 0, shell_end_of_command(text, start));
        for (size_t k = 0; k < COUNT_OF(OPTIONS); k++) {
            const size_t place = find_program(command, OPTIONS[k], start);
            if (place < command.len) {
                *at = i;
                return number_behind(words, i, place + strlen(OPTIONS[k]));
            }
        }
    }
    return -1;
}

Span launch_place(const Session *session, const LaunchWord *word, const char *text) {
    const Str written = source_text(session, word->span);
    const size_t run = str_find(word->run, str_of(text), 0);
    size_t at = str_find(written, str_of(text), 0);
    for (size_t i = str_find(word->text, str_of(text), 0); i < run && run < word->run.len && at < written.len;
         i = str_find(word->text, str_of(text), i + 1)) {
        at = str_find(written, str_of(text), at + 1); // a comment has it first
    }
    Span span = word->span;
    if (at < written.len) {
        span.start = word->span.start + (uint32_t)at;
        span.end = span.start + (uint32_t)strlen(text);
    }
    return span;
}

Span launch_number_behind(const Session *session, Span option, int64_t number) {
    enum { BEHIND_MAX = 100 };
    const Str text = source_get(session, option.source)->text;
    const size_t most = option.end + BEHIND_MAX < text.len ? option.end + BEHIND_MAX : text.len;
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRId64, number);
    size_t at = option.end;
    while (at < most && strchr("= ,\"'-\n", text.data[at]) != NULL) {
        at++;
    }
    const size_t end = at + strlen(digits);
    const bool is_there = at > option.end && end <= text.len && str_is_word(str_slice(text, at, end), digits);
    const char next = str_at(text, end);
    const bool is_whole = strchr(".:$_", next) == NULL && !char_is_of_name(next);
    return is_there && (next == 0 || is_whole)
               ? (Span){ .source = option.source, .start = (uint32_t)at, .end = (uint32_t)end }
               : SPAN_NONE;
}
