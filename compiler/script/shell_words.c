// Reads the words of a script of a shell. What it does not understand makes the reader lost: the shell may know better.
#include "compiler/script/shell_words.h"

char shell_here(const ShellReader *reader) {
    return reader->at < reader->end ? reader->text.data[reader->at] : '\0';
}

char shell_behind(const ShellReader *reader, size_t count) {
    return reader->at + count < reader->end ? reader->text.data[reader->at + count] : '\0';
}

// Behind the last byte that was read: a sign at the end may have been taken with one that is not there.
static size_t place(const ShellReader *reader) {
    return reader->at < reader->end ? reader->at : reader->end;
}

bool shell_is_end(const ShellReader *reader) {
    return reader->at >= reader->end || reader->is_lost;
}

void shell_blank(ShellReader *reader, size_t start, size_t end, ShellPart from) {
    if (start < end) {
        vec_push(reader->arena, &reader->blanks, ((ShellBlank){ .start = start, .end = end, .from = from }));
    }
}

bool shell_enter(ShellReader *reader) {
    reader->is_lost = reader->is_lost || ++reader->depth > SHELL_DEPTH_MAX;
    return !reader->is_lost;
}

void shell_lose(ShellReader *reader, ShellOpen open, size_t at) {
    if (!reader->is_lost && reader->open == SHELL_CLOSED) {
        reader->open = open;
        reader->opened_by = str_slice(reader->text, at, at + 1);
    }
    reader->is_lost = true;
}

// ---- words -----------------------------------------------------------------------------------------------------------

void shell_read_bracket(ShellReader *reader) {
    const size_t start = reader->at - 1;
    if (shell_enter(reader)) {
        reader->inner++;
        shell_read_commands(reader);
        reader->inner--;
        if (shell_here(reader) != ')') {
            shell_lose(reader, reader->at >= reader->end ? SHELL_BRACKET : SHELL_CLOSED, start);
        }
        reader->at++;
        reader->depth--;
    }
}

// Behind the bracket that closes the one here: `$((…))` and `((…))`.
void shell_skip_arithmetic(ShellReader *reader) {
    int depth = 0;
    do {
        depth += shell_here(reader) == '(' ? 1 : shell_here(reader) == ')' ? -1 : 0;
        reader->at++;
    } while (depth > 0 && !shell_is_end(reader));
    reader->is_lost = reader->is_lost || depth > 0;
}

static void skip_single(ShellReader *reader, bool has_escapes) {
    const size_t start = reader->at;
    for (reader->at++; !shell_is_end(reader) && shell_here(reader) != '\''; reader->at++) {
        reader->at += has_escapes && shell_here(reader) == '\\' ? 1 : 0;
    }
    if (shell_is_end(reader)) {
        shell_lose(reader, SHELL_QUOTE, start);
    }
    reader->at++;
}

// Behind '`': as `$(…)`, up to the next one. One in another has `\` before it, and is not understood.
static void read_backtick(ShellReader *reader) {
    const size_t close = str_find(str_slice(reader->text, 0, reader->end), STR("`"), reader->at);
    if (close >= reader->end || reader->text.data[close - 1] == '\\' || !shell_enter(reader)) {
        shell_lose(reader, close >= reader->end ? SHELL_BACKTICK : SHELL_CLOSED, reader->at - 1);
        return;
    }
    const size_t end = reader->end;
    reader->end = close;
    reader->inner++;
    shell_read_commands(reader);
    reader->inner--;
    reader->is_lost = reader->is_lost || reader->at < close;
    reader->end = end;
    reader->at = close + 1;
    reader->depth--;
}

static void skip_double(ShellReader *reader, ShellCommand *command);

// Whether the name behind `${` ends where no shell takes an end: `"${NAME"`.
static bool lacks_brace(const ShellReader *reader) {
    size_t count = 2;
    while (char_is_of_name(shell_behind(reader, count))) {
        count++;
    }
    const char c = shell_behind(reader, count);
    return count > 2 && (c == '\0' || strchr("\" \t\r\n;&|)", c) != NULL);
}

static void skip_braces(ShellReader *reader, ShellCommand *command) {
    if (!shell_enter(reader)) {
        return;
    }
    if (lacks_brace(reader)) {
        shell_lose(reader, SHELL_VALUE, reader->at);
    }
    for (reader->at += 2; !shell_is_end(reader) && shell_here(reader) != '}';) {
        if (shell_here(reader) == '"') {
            skip_double(reader, command);
        } else if (shell_here(reader) == '$' && shell_behind(reader, 1) == '{') {
            skip_braces(reader, command);
        } else if (shell_here(reader) == '\'' || shell_here(reader) == '\n' || shell_here(reader) == '`') {
            reader->is_lost = true; // it depends on where it stands
        } else {
            reader->at += shell_here(reader) == '\\' ? 2 : 1;
        }
    }
    reader->is_lost = reader->is_lost || shell_is_end(reader);
    reader->at++;
    reader->depth--;
}

// True at what was read before, in the word that is a script now; it is behind it then.
static bool skip_hole(ShellReader *reader, ShellCommand *command) {
    for (const ShellHoles *holes = reader->holes; holes != NULL; holes = holes->outer) {
        uint32_t low = 0;
        for (uint32_t high = holes->ranges->count; low < high;) {
            const uint32_t middle = low + (high - low) / 2;
            if (holes->ranges->items[middle].start < reader->at) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        const ShellRange none = { 0 };
        const ShellRange hole = low < holes->ranges->count ? holes->ranges->items[low] : none;
        if (hole.start == reader->at && hole.end > hole.start && hole.end <= reader->end) {
            vec_push(reader->arena, &command->holes, hole);
            reader->at = hole.end;
            return true;
        }
    }
    return false;
}

// At `$` or '`'. What is run is a hole in what the command around it does with its words.
static void skip_expansion(ShellReader *reader, ShellCommand *command) {
    const size_t start = reader->at;
    if (skip_hole(reader, command)) {
        return;
    }
    const bool is_run = shell_here(reader) == '`' || (shell_behind(reader, 1) == '(' && shell_behind(reader, 2) != '(');
    if (shell_here(reader) == '`') {
        reader->at++;
        read_backtick(reader);
    } else if (is_run) {
        reader->at += 2;
        shell_read_bracket(reader);
    } else if (shell_behind(reader, 1) == '(') {
        reader->at++;
        shell_skip_arithmetic(reader);
    } else if (shell_behind(reader, 1) == '{') {
        skip_braces(reader, command);
    } else {
        reader->at++;
    }
    if (is_run) {
        vec_push(reader->arena, &command->holes, ((ShellRange){ .start = start, .end = place(reader) }));
    }
    // What is open inside may be closed where nobody looks: a quote, and what ends by a word.
    const ShellOpen open = reader->open;
    const bool is_sure =
        open == SHELL_HEREDOC || open == SHELL_BRACKET || open == SHELL_VALUE || open == SHELL_BACKTICK;
    reader->open = is_sure ? open : SHELL_CLOSED;
}

static void skip_double(ShellReader *reader, ShellCommand *command) {
    if (!shell_enter(reader)) {
        return;
    }
    const size_t start = reader->at;
    for (reader->at++; !shell_is_end(reader) && shell_here(reader) != '"';) {
        if (shell_here(reader) == '$' || shell_here(reader) == '`') {
            skip_expansion(reader, command);
        } else {
            reader->at += shell_here(reader) == '\\' ? 2 : 1;
        }
    }
    if (shell_is_end(reader)) {
        shell_lose(reader, SHELL_QUOTE, start);
    }
    reader->at++;
    reader->depth--;
}

bool shell_ends_word(char c) {
    return c == '\0' || strchr(" \t\r\n;&|<>()", c) != NULL;
}

// At the bracket of `NAME=(…)` or `NAME+=(…)`, in a word that begins at `start`.
static bool begins_array(const ShellReader *reader, size_t start) {
    size_t at = start;
    while (at < reader->at && char_is_of_name(reader->text.data[at])) {
        at++;
    }
    const Str sign = str_slice(reader->text, at, reader->at);
    return shell_here(reader) == '(' && at > start && (str_is(sign, "=") || str_is(sign, "+="));
}

// The words of an array are values, and no command.
static void read_array(ShellReader *reader, ShellCommand *command) {
    const size_t start = reader->at;
    if (!shell_enter(reader)) {
        return;
    }
    reader->at++;
    for (shell_skip_between(reader); !shell_is_end(reader) && shell_here(reader) != ')'; shell_skip_between(reader)) {
        const size_t before = reader->at;
        shell_read_word(reader, command);
        reader->is_lost = reader->is_lost || reader->at == before;
    }
    if (shell_is_end(reader)) {
        shell_lose(reader, SHELL_BRACKET, start);
    }
    reader->at++;
    reader->depth--;
}

ShellRange shell_read_word(ShellReader *reader, ShellCommand *command) {
    const size_t start = reader->at;
    while (!shell_is_end(reader) && (!shell_ends_word(shell_here(reader)) || begins_array(reader, start))) {
        const char c = shell_here(reader);
        if (c == '(') {
            read_array(reader, command);
        } else if (c == '\'') {
            skip_single(reader, false);
        } else if (c == '"') {
            skip_double(reader, command);
        } else if (c == '$' && shell_behind(reader, 1) == '\'') {
            reader->at++;
            skip_single(reader, true);
        } else if (c == '$' || c == '`') {
            skip_expansion(reader, command);
        } else {
            reader->at += c == '\\' ? 2 : 1;
        }
    }
    return (ShellRange){ .start = start, .end = place(reader) };
}

Str shell_range(const ShellReader *reader, ShellRange range) {
    return str_slice(reader->text, range.start, range.end);
}

// Without the quotes around all of it.
ShellRange shell_inside(const ShellReader *reader, ShellRange word) {
    const Str text = shell_range(reader, word);
    const char quote = str_at(text, 0);
    const bool is_quoted = text.len > 1 && (quote == '\'' || quote == '"') && text.data[text.len - 1] == quote;
    return is_quoted ? (ShellRange){ .start = word.start + 1, .end = word.end - 1 } : word;
}

// ---- blanks and here-documents ---------------------------------------------------------------------------------------

static Str line_at(const ShellReader *reader, size_t at) {
    return str_slice(str_slice(reader->text, 0, reader->end), at, str_find(reader->text, STR("\n"), at));
}

void shell_blank_comments(ShellReader *reader, size_t start, size_t end, ShellPart from) {
    for (size_t at = start; at < end;) {
        const Str line = line_at(reader, at);
        if (str_starts_with(str_trim(line), STR("#")) && !str_starts_with(line, STR("#!"))) {
            shell_blank(reader, at, at + line.len, from);
        }
        at += line.len + 1;
    }
}

// The text of a here-document, up to the line with its word.
static void read_heredoc(ShellReader *reader, const ShellHeredoc *heredoc) {
    const size_t start = reader->at;
    size_t end = reader->end;
    bool is_ended = start >= reader->end; // nothing stands behind its first line
    while (reader->at < reader->end && end == reader->end) {
        Str line = line_at(reader, reader->at);
        const size_t next = reader->at + line.len + 1;
        while (heredoc->is_tabbed && str_starts_with(line, STR("\t"))) {
            line = str_slice(line, 1, line.len);
        }
        line.len -= str_ends_with(line, STR("\r")) ? 1 : 0;
        is_ended = str_equal(line, heredoc->word);
        end = is_ended ? reader->at : end;
        reader->at = next;
    }
    if (!is_ended && reader->open == SHELL_CLOSED) {
        reader->open = SHELL_HEREDOC;
        reader->opened_by = heredoc->word;
    }
    reader->at = reader->at < reader->end ? reader->at : reader->end;
    const ShellRange body = { .start = start, .end = end };
    if (heredoc->is_script) {
        shell_read_script(reader, body);
    } else if (heredoc->file.len > 0) {
        shell_blank_comments(reader, start, end, SHELL_HELD);
        vec_push(reader->arena, &reader->named,
                 ((ShellNamed){ .name = heredoc->file, .start = start, .end = end, .is_file = true }));
    } else {
        shell_blank(reader, start, end, heredoc->is_piped ? SHELL_RUN : SHELL_KEPT);
    }
}

static void end_line(ShellReader *reader) {
    reader->at++;
    const int count = reader->heredoc_count;
    reader->heredoc_count = 0;
    ShellHeredoc heredocs[SHELL_HEREDOCS_MAX];
    memcpy(heredocs, reader->heredocs, sizeof heredocs);
    for (int i = 0; i < count && !reader->is_lost; i++) {
        read_heredoc(reader, &heredocs[i]);
    }
}

static void skip_comment(ShellReader *reader) {
    const size_t start = reader->at;
    while (!shell_is_end(reader) && shell_here(reader) != '\n') {
        reader->at++;
    }
    const bool is_head = start == 0 && str_at(reader->text, 1) == '!';
    if (!is_head) {
        shell_blank(reader, start, reader->at, SHELL_READ);
    }
}

// Blanks between the words of a command.
void shell_skip_blanks(ShellReader *reader) {
    while (!shell_is_end(reader)) {
        if (shell_here(reader) == '\\' && (shell_behind(reader, 1) == '\n' || shell_behind(reader, 1) == '\r')) {
            reader->at += 2;
        } else if (shell_here(reader) == ' ' || shell_here(reader) == '\t' || shell_here(reader) == '\r') {
            reader->at++;
        } else {
            return;
        }
    }
}

// Those and all that may stand between two commands.
void shell_skip_between(ShellReader *reader) {
    for (shell_skip_blanks(reader); !shell_is_end(reader); shell_skip_blanks(reader)) {
        if (shell_here(reader) == '\n') {
            end_line(reader);
        } else if (shell_here(reader) == '#') {
            skip_comment(reader);
        } else {
            return;
        }
    }
}

// Behind `<<`.
static void open_heredoc(ShellReader *reader) {
    const bool is_tabbed = shell_here(reader) == '-';
    reader->at += is_tabbed ? 1 : 0;
    shell_skip_blanks(reader);
    ShellCommand ignored = { 0 };
    ShellRange written = shell_read_word(reader, &ignored);
    const bool is_marked = str_starts_with(shell_range(reader, written), STR("$'")) ||
                           str_starts_with(shell_range(reader, written), STR("$\""));
    written.start += is_marked ? 1 : 0; // bash reads `$'EOF'` as 'EOF'
    ShellRange word = shell_inside(reader, written);
    word.start += str_at(shell_range(reader, word), 0) == '\\' ? 1 : 0;
    reader->is_lost = reader->is_lost || word.start == word.end || reader->heredoc_count == SHELL_HEREDOCS_MAX;
    if (!reader->is_lost) {
        reader->heredocs[reader->heredoc_count++] =
            (ShellHeredoc){ .word = shell_range(reader, word), .is_tabbed = is_tabbed };
    }
}

// `<(…)`, which stands for a file.
static ShellRange read_process(ShellReader *reader, ShellCommand *command) {
    const size_t start = reader->at;
    if (skip_hole(reader, command)) {
        return (ShellRange){ .start = start, .end = reader->at };
    }
    reader->at += 2;
    shell_read_bracket(reader);
    const ShellRange range = { .start = start, .end = place(reader) };
    vec_push(reader->arena, &command->holes, range);
    return range;
}

// At `<` or `>`: files and here-documents, which are no words of the command.
void shell_read_redirection(ShellReader *reader, ShellCommand *command) {
    const char sign = shell_here(reader);
    command->is_fed = command->is_fed || (sign == '<' && shell_behind(reader, 1) != '(');
    if (sign == '<' && shell_behind(reader, 1) == '<' && shell_behind(reader, 2) != '<') {
        reader->at += 2;
        open_heredoc(reader);
        return;
    }
    if (shell_behind(reader, 1) == '(') {
        const ShellRange range = read_process(reader, command);
        vec_push(reader->arena, &command->words, range);
        return;
    }
    while (shell_here(reader) != '\0' && strchr("<>&|", shell_here(reader)) != NULL) {
        reader->at++;
    }
    shell_skip_blanks(reader);
    if ((shell_here(reader) == '<' || shell_here(reader) == '>') && shell_behind(reader, 1) == '(') {
        read_process(reader, command);
        return;
    }
    const ShellRange target = shell_inside(reader, shell_read_word(reader, command));
    command->target = sign == '>' && target.end > target.start ? shell_range(reader, target) : command->target;
}
