// Takes a script apart into commands, and remembers which places of it no shell runs. It knows the grammar of sh and what
// bash is mostly used for. Where it meets something else it gives up.
#include "compiler/script/shell_text.h"

#include "compiler/script/shell_program.h"
#include "compiler/script/shell_words.h"

// ---- conditions ------------------------------------------------------------------------------------------------------

// What a command says about those behind it.
typedef enum {
    ASKS_NOTHING,
    ASKS_NODE,  // what it has
    ASKS_OTHER, // but not for what is sought
    ASKS_NEVER,
    ASKS_ALWAYS,
} Asks;

// `exit` and `exec PROGRAM` end the script. Where something holds, the rest stands behind a condition, unless that is a fault.
static void end_script(ShellReader *reader, const ShellCommand *command, Str program) {
    const uint32_t count = command->words.count;
    const Str first = count > 0 ? shell_range(reader, command->words.items[0]) : STR_NONE;
    const Str second = count > 1 ? shell_range(reader, command->words.items[1]) : STR_NONE;
    const bool is_exec = str_is(first, "exec") && count > 1 && str_at(second, 0) != '{';
    if ((!str_is(program, "exit") && !is_exec) || reader->inner > 0) {
        return;
    }
    const bool is_open = reader->guards > 0 || reader->hopes > 0;
    if (!is_open && reader->asides == 0 && reader->deaths == 0) {
        reader->deaths++;
    } else if (is_open && reader->deaths == 0 && (second.len == 0 || str_is(second, "0") || is_exec)) {
        shell_blank(reader, reader->at, reader->end, SHELL_SURE);
    }
}

// What a test asks whose text, with that of the commands whose output it reads, ends here.
static Asks asks_until_here(const ShellReader *reader, size_t start) {
    const size_t first = reader->pipeline < start ? reader->pipeline : start;
    const Str condition = str_slice(reader->text, first, reader->at < reader->end ? reader->at : reader->end);
    return reader->sought.len == 0 || shell_is_about(reader, condition) ? ASKS_NODE : ASKS_OTHER;
}

static Asks asks_of(const ShellReader *reader, const ShellCommand *command, Str program, size_t start) {
    const bool is_alone = command->words.count == 1;
    const bool is_look = shell_looks(program) || shell_asks_version(reader, command);
    return is_alone && str_is(program, "false")                            ? ASKS_NEVER
           : is_alone && (str_is(program, "true") || str_is(program, ":")) ? ASKS_ALWAYS
           : is_look                                                       ? asks_until_here(reader, start)
                                                                           : ASKS_NOTHING;
}

// Of a list of conditions: what its last one says, unless one before may be about what is sought.
static Asks asks_of_both(Asks asks, Asks own, bool is_first) {
    if (own == ASKS_NEVER || own == ASKS_ALWAYS || is_first) {
        return own;
    }
    return asks == ASKS_NODE || (asks == ASKS_NOTHING && own == ASKS_OTHER) ? asks : own;
}

static bool is_guard(Asks asks) {
    return asks == ASKS_NOTHING || asks == ASKS_NODE;
}

// `[[ … ]]` has signs of its own.
static Asks read_test(ShellReader *reader) {
    const size_t start = reader->at;
    ShellCommand ignored = { 0 };
    ShellRange word = { 0 };
    for (reader->at += 2; !shell_is_end(reader) && !str_is(shell_range(reader, word), "]]");) {
        shell_skip_between(reader);
        word = shell_read_word(reader, &ignored);
        reader->at += word.start == word.end ? 1 : 0; // such a sign
    }
    const bool is_closed = str_is(shell_range(reader, word), "]]");
    reader->is_lost = reader->is_lost || !is_closed;
    shell_blank(reader, start, is_closed ? word.start : reader->end, SHELL_KEPT);
    return asks_until_here(reader, start);
}

static void read_words(ShellReader *reader, ShellCommand *command) {
    for (shell_skip_blanks(reader); !shell_is_end(reader); shell_skip_blanks(reader)) {
        const char c = shell_here(reader);
        const bool is_both = c == '&' && shell_behind(reader, 1) == '>';
        if (c == '<' || c == '>' || is_both) {
            reader->at += is_both ? 1 : 0;
            shell_read_redirection(reader, command);
        } else if (shell_ends_word(c) || c == '#') {
            return;
        } else {
            const ShellRange word = shell_read_word(reader, command);
            const bool is_number = shell_here(reader) == '<' || shell_here(reader) == '>';
            if (!is_number || !char_is_digit(reader->text.data[word.start])) {
                vec_push(reader->arena, &command->words, word);
            }
        }
    }
}

static Asks read_simple(ShellReader *reader) {
    ShellCommand command = { .first_heredoc = reader->heredoc_count };
    const size_t start = reader->at;
    read_words(reader, &command);
    reader->is_lost = reader->is_lost || reader->at == start;
    if (reader->is_lost) {
        return ASKS_NOTHING;
    }
    const Str program = shell_judge(reader, &command);
    if (reader->deaths > 0 || reader->guards > 0) {
        shell_blank(reader, start, reader->at, reader->deaths > 0 ? SHELL_KEPT : SHELL_SURE);
    }
    end_script(reader, &command, program);
    return asks_of(reader, &command, program, start);
}

// ---- commands of several lines ---------------------------------------------------------------------------------------

static Asks read_command(ShellReader *reader);
static Asks read_list(ShellReader *reader);

// The letters at the place where they are a whole word.
static Str keyword_at(const ShellReader *reader) {
    size_t end = reader->at;
    while (end < reader->end && reader->text.data[end] >= 'a' && reader->text.data[end] <= 'z') {
        end++;
    }
    const bool is_brace = end == reader->at && end < reader->end && strchr("{}", reader->text.data[end]) != NULL;
    end += is_brace ? 1 : 0;
    return end >= reader->end || shell_ends_word(reader->text.data[end]) ? str_slice(reader->text, reader->at, end)
                                                                         : STR_NONE;
}

// The word that goes on with what is opened at `at`, or closes it: the script may end before, or another thing in its place.
static void expect(ShellReader *reader, const char *word, ShellOpen open, size_t at) {
    shell_skip_between(reader);
    const Str found = keyword_at(reader);
    const bool is_crossed =
        (open == SHELL_LOOP && found.len > 1) || (open == SHELL_IF && (str_is(found, "done") || str_is(found, "esac")));
    if (!str_is_word(found, word)) {
        shell_lose(reader, is_crossed || shell_is_end(reader) ? open : SHELL_CLOSED, at);
    }
    reader->at += strlen(word);
}

// Commands behind a condition, by what that asks.
static void read_guarded(ShellReader *reader, Asks asks) {
    const int guards = reader->guards;
    const int asides = reader->asides;
    const int deaths = reader->deaths;
    reader->guards += is_guard(asks) ? 1 : 0;
    reader->asides += asks == ASKS_OTHER ? 1 : 0;
    reader->deaths += asks == ASKS_NEVER ? 1 : 0;
    read_list(reader);
    reader->guards = guards;
    reader->asides = asides;
    reader->deaths = deaths;
}

static Asks opposite(Asks asks) {
    return asks == ASKS_NEVER ? ASKS_ALWAYS : asks == ASKS_ALWAYS ? ASKS_NEVER : asks;
}

// What stands behind two conditions, of which the first did not hold.
static Asks behind_both(Asks asks, Asks own) {
    const bool is_aside = !is_guard(asks) && !is_guard(own) && (asks == ASKS_OTHER || own == ASKS_OTHER);
    return is_aside ? ASKS_OTHER : ASKS_NODE;
}

static void read_if(ShellReader *reader, size_t start) {
    Asks asks = read_list(reader);
    expect(reader, "then", SHELL_IF, start);
    read_guarded(reader, asks);
    for (;;) {
        shell_skip_between(reader);
        const Str word = keyword_at(reader);
        if (shell_is_end(reader) || !(str_is(word, "elif") || str_is(word, "else"))) {
            break;
        }
        reader->at += word.len;
        if (str_is(word, "elif")) {
            const bool is_done = asks == ASKS_ALWAYS;
            const Asks own = read_list(reader);
            const Asks both = behind_both(asks, own);
            asks = is_done || own == ASKS_ALWAYS ? ASKS_ALWAYS : both;
            expect(reader, "then", SHELL_IF, start);
            read_guarded(reader, is_done || own == ASKS_NEVER ? ASKS_NEVER : both);
        } else {
            read_guarded(reader, opposite(asks));
        }
    }
    expect(reader, "fi", SHELL_IF, start);
}

static void read_loop(ShellReader *reader, Asks asks) {
    expect(reader, "do", SHELL_CLOSED, 0);
    const size_t start = reader->at - strlen("do");
    read_guarded(reader, asks);
    expect(reader, "done", SHELL_LOOP, start);
}

// `NAME in WORDS`, or arithmetic, up to `do`.
static void read_for(ShellReader *reader) {
    ShellCommand command = { 0 };
    shell_skip_blanks(reader);
    if (shell_here(reader) == '(') {
        shell_skip_arithmetic(reader);
        shell_skip_blanks(reader);
    } else {
        read_words(reader, &command);
        shell_blank_words(reader, &command, 0, command.words.count, SHELL_RUN);
    }
    reader->at += shell_here(reader) == ';' ? 1 : 0;
    read_loop(reader, ASKS_ALWAYS);
}

static void read_pattern(ShellReader *reader) {
    ShellCommand ignored = { 0 };
    reader->at += shell_here(reader) == '(' ? 1 : 0;
    while (!shell_is_end(reader) && shell_here(reader) != ')') {
        const size_t before = reader->at;
        shell_skip_blanks(reader);
        shell_read_word(reader, &ignored);
        reader->at += shell_here(reader) == '|' ? 1 : 0;
        reader->is_lost = reader->is_lost || reader->at == before;
    }
    reader->at++;
}

static void read_case(ShellReader *reader, size_t opened) {
    ShellCommand ignored = { 0 };
    shell_skip_blanks(reader);
    const size_t start = reader->at;
    shell_read_word(reader, &ignored);
    reader->pipeline = start;
    const Asks asks = asks_until_here(reader, start);
    expect(reader, "in", SHELL_CASE, opened);
    for (shell_skip_between(reader); !shell_is_end(reader) && !str_is(keyword_at(reader), "esac");
         shell_skip_between(reader)) {
        read_pattern(reader);
        read_guarded(reader, asks);
        while (shell_here(reader) == ';' || shell_here(reader) == '&') {
            reader->at++;
        }
    }
    expect(reader, "esac", SHELL_CASE, opened);
}

// The name of a function whose definition begins here: `name() …`; empty where none does.
static Str function_at(const ShellReader *reader) {
    size_t end = reader->at;
    while (end < reader->end && (char_is_of_name(reader->text.data[end]) || reader->text.data[end] == '-')) {
        end++;
    }
    size_t next = end;
    while (next < reader->end && reader->text.data[next] == ' ') {
        next++;
    }
    const bool is_function = end > reader->at && str_starts_with(str_slice(reader->text, next, reader->end), STR("()"));
    return is_function ? str_slice(reader->text, reader->at, end) : STR_NONE;
}

static void read_function(ShellReader *reader, Str name) {
    reader->at += name.len;
    shell_skip_blanks(reader);
    reader->at += shell_here(reader) == '(' && shell_behind(reader, 1) == ')' ? 2 : 0;
    shell_skip_between(reader);
    const size_t start = reader->at;
    reader->inner++;
    read_command(reader);
    reader->inner--;
    vec_push(reader->arena, &reader->named, ((ShellNamed){ .name = name, .start = start, .end = reader->at }));
}

// True where a word here begins such a command, which is read then.
static bool read_compound(ShellReader *reader) {
    const Str word = keyword_at(reader);
    const Str name = word.len == 0 || !str_is(word, "function") ? function_at(reader) : STR_NONE;
    const size_t opened = reader->at;
    reader->at += word.len;
    if (str_is(word, "if")) {
        read_if(reader, opened);
    } else if (str_is(word, "while")) {
        read_loop(reader, read_list(reader));
    } else if (str_is(word, "until")) {
        read_loop(reader, opposite(read_list(reader)));
    } else if (str_is(word, "for")) {
        read_for(reader);
    } else if (str_is(word, "case")) {
        read_case(reader, opened);
    } else if (str_is(word, "{")) {
        read_list(reader);
        expect(reader, "}", SHELL_BRACE, opened);
    } else if (str_is(word, "function")) {
        shell_skip_blanks(reader);
        ShellCommand ignored = { 0 };
        const size_t start = reader->at;
        const ShellRange range = shell_read_word(reader, &ignored);
        reader->at = start;
        read_function(reader, shell_range(reader, range));
    } else {
        reader->at -= word.len;
        if (name.len > 0) {
            read_function(reader, name);
        } else if (shell_here(reader) == '(' && shell_behind(reader, 1) == '(') {
            shell_skip_arithmetic(reader);
        } else if (shell_here(reader) == '(') {
            reader->at++;
            shell_read_bracket(reader);
        } else {
            return false;
        }
    }
    return true;
}

static Asks read_command(ShellReader *reader) {
    if (!shell_enter(reader)) {
        return ASKS_NOTHING;
    }
    Asks asks = ASKS_NOTHING;
    if (shell_here(reader) == '!' && shell_ends_word(shell_behind(reader, 1))) {
        reader->at++;
        shell_skip_blanks(reader);
        asks = opposite(read_command(reader));
    } else if (shell_here(reader) == '[' && shell_behind(reader, 1) == '[') {
        asks = read_test(reader);
    } else if (read_compound(reader)) {
        ShellCommand around = { 0 };
        read_words(reader, &around); // files alone
        reader->is_lost = reader->is_lost || around.words.count > 0;
    } else {
        asks = read_simple(reader);
    }
    reader->depth--;
    return asks;
}

// ---- lists -----------------------------------------------------------------------------------------------------------

static bool is_closing(const ShellReader *reader) {
    static const char *const WORDS[] = { "then", "elif", "else", "fi", "do", "done", "esac", "}" };
    const Str word = keyword_at(reader);
    bool is = shell_here(reader) == ')' || (shell_here(reader) == ';' && shell_behind(reader, 1) == ';');
    for (size_t i = 0; i < COUNT_OF(WORDS); i++) {
        is = is || str_is_word(word, WORDS[i]);
    }
    return is;
}

// Conditions of this line alone: `a && b || c`.
typedef struct {
    int guards;
    int asides;
    int deaths;
    int hopes;
} Chain;

static void end_chain(ShellReader *reader, Chain *chain) {
    reader->guards -= chain->guards;
    reader->asides -= chain->asides;
    reader->deaths -= chain->deaths;
    reader->hopes -= chain->hopes;
    *chain = (Chain){ 0 };
}

// Behind `&&` or `||`.
static void add_to_chain(ShellReader *reader, Chain *chain, Asks own, bool is_and) {
    const bool is_guarded = is_and ? own == ASKS_NODE : is_guard(own);
    const bool is_dead = own == (is_and ? ASKS_NEVER : ASKS_ALWAYS);
    const bool is_hoped = is_and && own == ASKS_NOTHING;
    const Chain more = { .guards = is_guarded, .asides = own == ASKS_OTHER, .deaths = is_dead, .hopes = is_hoped };
    chain->guards += more.guards;
    chain->asides += more.asides;
    chain->deaths += more.deaths;
    chain->hopes += more.hopes;
    reader->guards += more.guards;
    reader->asides += more.asides;
    reader->deaths += more.deaths;
    reader->hopes += more.hopes;
}

// Up to what closes it. What its last line says about the commands behind.
static Asks read_list(ShellReader *reader) {
    const size_t outer = reader->pipeline;
    Chain chain = { 0 };
    Asks asks = ASKS_NOTHING;
    bool is_first = true;
    bool is_piped = false;
    for (shell_skip_between(reader); !shell_is_end(reader) && !is_closing(reader); shell_skip_between(reader)) {
        reader->pipeline = is_piped ? reader->pipeline : reader->at;
        const size_t pipeline = reader->pipeline;
        reader->pipes += is_piped ? 1 : 0;
        const Asks own = read_command(reader);
        reader->pipes -= is_piped ? 1 : 0;
        reader->pipeline = pipeline;
        asks = asks_of_both(asks, own, is_first);
        is_first = false;
        shell_skip_blanks(reader);
        const bool is_double = shell_behind(reader, 1) == shell_here(reader);
        const char sign = shell_here(reader);
        is_piped = sign == '|' && !is_double;
        if (sign == '&' && is_double) {
            reader->at += 2;
            add_to_chain(reader, &chain, own, true);
            continue;
        }
        if (sign == '|') {
            reader->at += is_double || shell_behind(reader, 1) == '&' ? 2 : 1;
            if (is_double) {
                add_to_chain(reader, &chain, own, false);
            }
            continue;
        }
        end_chain(reader, &chain);
        reader->at += (sign == ';' && !is_double) || sign == '&' ? 1 : 0;
    }
    end_chain(reader, &chain);
    reader->pipeline = outer;
    return asks;
}

void shell_read_commands(ShellReader *reader) {
    read_list(reader);
}

// ---- names -----------------------------------------------------------------------------------------------------------

static bool is_called_by(const ShellNamed *named, const ShellCall *call) {
    return call->name.len > 0 && str_equal(str_after_last(named->name, '/'), str_after_last(call->name, '/')) &&
           (call->at < named->start || call->at >= named->end);
}

// Whether a place is in what nothing calls, as far as is known.
static bool is_in_silent(const ShellReader *reader, size_t at) {
    for (uint32_t i = 0; i < reader->named.count; i++) {
        const ShellNamed *named = &reader->named.items[i];
        if (!named->is_called && at >= named->start && at < named->end) {
            return true;
        }
    }
    return false;
}

// Whoever is called may call others, so that it is asked as long as there is one more.
static void blank_silent(ShellReader *reader) {
    bool has_more = true;
    while (has_more) {
        has_more = false;
        for (uint32_t i = 0; i < reader->named.count; i++) {
            ShellNamed *named = &reader->named.items[i];
            for (uint32_t k = 0; k < reader->calls.count; k++) {
                const ShellCall *call = &reader->calls.items[k];
                const bool calls = is_called_by(named, call) && !is_in_silent(reader, call->at);
                has_more = has_more || (calls && !named->is_called);
                named->is_called = named->is_called || calls;
                named->is_surely_called = named->is_surely_called || (calls && !call->is_guarded);
            }
        }
    }
    for (uint32_t i = 0; i < reader->named.count; i++) {
        const ShellNamed *named = &reader->named.items[i];
        if (!named->is_surely_called) {
            shell_blank(reader, named->start, named->end,
                        named->is_called ? SHELL_SURE
                        : named->is_file ? SHELL_HELD
                                         : SHELL_KEPT);
        }
    }
}

// ----------------------------------------------------------------------------------------------------------------------

enum { NAMED_MAX = 60, CALLS_MAX = 2000 };

bool shell_read_all(ShellReader *reader) {
    enum { SCRIPT_MAX = 64 * 1024 };
    if (reader->text.len > SCRIPT_MAX) {
        return false;
    }
    shell_read_commands(reader);
    return !reader->is_lost && reader->at >= reader->text.len && reader->named.count <= NAMED_MAX &&
           reader->calls.count <= CALLS_MAX;
}

Str shell_text(Arena *arena, Str script, ShellPart part) {
    ShellReader reader = { .arena = arena, .text = script, .end = script.len };
    if (shell_read_all(&reader)) {
        blank_silent(&reader);
    } else {
        reader.blanks.count = 0;
        shell_blank_comments(&reader, 0, script.len, SHELL_READ);
    }
    char *text = arena_alloc(arena, script.len);
    if (script.len > 0) {
        memcpy(text, script.data, script.len);
    }
    for (uint32_t i = 0; i < reader.blanks.count; i++) {
        const ShellBlank *blank = &reader.blanks.items[i];
        for (size_t at = blank->start; blank->from <= part && at < blank->end && at < script.len; at++) {
            text[at] = text[at] == '\n' ? '\n' : ' ';
        }
    }
    return (Str){ .data = text, .len = script.len };
}

ShellOpen shell_scan(Arena *arena, Str script, Str *where) {
    ShellReader reader = { .arena = arena, .text = script, .end = script.len };
    // Words have `\r` at their end, and no shell reads a NUL.
    if (str_has(script, "\r") || memchr(script.data, '\0', script.len) != NULL) {
        return SHELL_CLOSED;
    }
    shell_read_all(&reader);
    *where = reader.opened_by;
    return reader.open;
}

// ---- one program -----------------------------------------------------------------------------------------------------

static bool is_in_blank(const ShellReader *reader, size_t at) {
    for (uint32_t i = 0; i < reader->blanks.count; i++) {
        if (at >= reader->blanks.items[i].start && at < reader->blanks.items[i].end) {
            return true;
        }
    }
    return false;
}

size_t shell_runs(Arena *arena, Str script, Str program) {
    ShellReader reader = { .arena = arena, .text = script, .end = script.len, .sought = program };
    if (!shell_read_all(&reader)) {
        return shell_line_runs(script, program);
    }
    blank_silent(&reader);
    for (uint32_t i = 0; i < reader.calls.count && !reader.is_written; i++) {
        const ShellCall *call = &reader.calls.items[i];
        if (!call->is_guarded && !call->is_look && shell_names(&reader, call->name, program) &&
            !is_in_blank(&reader, call->at)) {
            return call->at;
        }
    }
    return script.len;
}
