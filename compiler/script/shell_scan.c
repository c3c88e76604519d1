// A scanner for the shape of a script: quotes, here-documents, and the words that open and close a command. It knows no
// more of the shell. Where it meets something that does not fit, it gives up: the shell may know better.
#include "compiler/script/shell_scan.h"

#include "compiler/script/shell_lines.h"

enum { OPEN_MAX = 200, HEREDOCS_MAX = 8 };

typedef struct {
    Str text;
    size_t at;
    bool is_command; // a command may begin here, so words that open and close are such words
    bool is_lost;
    bool is_crossed; // a word closes another thing than the one that is open
    struct {
        ShellOpen kind;
        size_t at;
        enum { CASE_HEAD, CASE_PATTERN, CASE_BODY } part; // of SHELL_CASE: `)` ends a pattern
    } open[OPEN_MAX];
    int depth;
    struct {
        Str word;
        bool is_tabbed;
    } heredocs[HEREDOCS_MAX]; // whose texts begin on the next line
    int heredoc_count;
} Scan;

static char here(const Scan *scan) {
    return str_at(scan->text, scan->at);
}

static char behind(const Scan *scan, size_t count) {
    return str_at(scan->text, scan->at + count);
}

static bool is_end(const Scan *scan) {
    return scan->at >= scan->text.len;
}

static void push(Scan *scan, ShellOpen kind, size_t at) {
    if (scan->depth == OPEN_MAX) {
        scan->is_lost = true;
        return;
    }
    scan->open[scan->depth].kind = kind;
    scan->open[scan->depth].at = at;
    scan->open[scan->depth].part = CASE_HEAD;
    scan->depth++;
}

static ShellOpen innermost(const Scan *scan) {
    return scan->depth > 0 ? scan->open[scan->depth - 1].kind : SHELL_CLOSED;
}

static void pop(Scan *scan, ShellOpen kind) {
    const bool is_other = innermost(scan) != kind;
    const bool is_word = kind == SHELL_IF || kind == SHELL_LOOP || kind == SHELL_CASE;
    const bool is_opened = innermost(scan) == SHELL_IF || innermost(scan) == SHELL_LOOP;
    if (is_other && is_word && is_opened) {
        scan->is_crossed = true;
        return;
    }
    scan->is_lost = scan->is_lost || is_other;
    scan->depth -= scan->depth > 0 ? 1 : 0;
    scan->is_command = true; // `fi fi` closes two
}

// ---- quotes and what stands behind `$` -----------------------------------------------------------------------------

// Behind `'`, or `$'` where `has_escapes`. At the end of the text, the quote stays open.
static void skip_single(Scan *scan, bool has_escapes) {
    const size_t start = scan->at;
    for (scan->at++; !is_end(scan) && here(scan) != '\''; scan->at++) {
        scan->at += has_escapes && here(scan) == '\\' ? 1 : 0;
    }
    if (is_end(scan)) {
        push(scan, SHELL_QUOTE, start);
    }
    scan->at++;
}

static void skip_double(Scan *scan, int depth);

// Whether a text DEPTH levels inside of others is looked at. Else the scan is lost.
static bool may_enter(Scan *scan, int depth) {
    scan->is_lost = scan->is_lost || depth >= OPEN_MAX;
    return !scan->is_lost;
}

// `${…}`: a name, and perhaps a text with quotes of its own.
static void skip_braces(Scan *scan, int depth) {
    if (!may_enter(scan, depth)) {
        return;
    }
    for (scan->at += 2; !is_end(scan) && here(scan) != '}' && !scan->is_lost; scan->at++) {
        if (here(scan) == '\\') {
            scan->at++;
        } else if (here(scan) == '"') {
            skip_double(scan, depth + 1);
            scan->at--;
        } else if (here(scan) == '$' && behind(scan, 1) == '{') {
            skip_braces(scan, depth + 1);
            scan->at--;
        } else if (strchr("'`(\n", here(scan)) != NULL) {
            scan->is_lost = true; // it depends on where it stands
        }
    }
    scan->is_lost = scan->is_lost || is_end(scan);
    scan->at++;
}

// `$(…)` inside of double quotes, or `$((…))`, as far as it is on one line and has no quotes of single kind.
static void skip_inner(Scan *scan, int depth) {
    int brackets = 0;
    do {
        const char c = here(scan);
        if (c == '(') {
            brackets++;
        } else if (c == ')') {
            brackets--;
        } else if (c == '\\') {
            scan->at++;
        } else if (c == '\'') {
            const int before = scan->depth;
            skip_single(scan, false);
            scan->is_lost = scan->is_lost || scan->depth > before; // its text may be one of a comment
            scan->at--;
        } else if (c == '"') {
            skip_double(scan, depth + 1);
            scan->at--;
        } else if (c == '#' || (c == '<' && behind(scan, 1) == '<')) {
            scan->is_lost = true;
        }
        scan->at++;
    } while (brackets > 0 && !is_end(scan) && !scan->is_lost);
    scan->is_lost = scan->is_lost || brackets > 0;
}

// From `"` to behind the next one.
static void skip_double(Scan *scan, int depth) {
    if (!may_enter(scan, depth)) {
        return;
    }
    const size_t start = scan->at;
    scan->at++;
    while (!is_end(scan) && here(scan) != '"' && !scan->is_lost) {
        const char c = here(scan);
        if (c == '\\') {
            scan->at += 2;
        } else if (c == '$' && behind(scan, 1) == '{') {
            skip_braces(scan, depth + 1);
        } else if (c == '$' && behind(scan, 1) == '(') {
            scan->at++;
            skip_inner(scan, depth + 1);
        } else if (c == '`') {
            scan->is_lost = true;
        } else {
            scan->at++;
        }
    }
    if (is_end(scan) && !scan->is_lost) {
        push(scan, SHELL_QUOTE, start);
    }
    scan->at++;
}

// ---- here-documents ------------------------------------------------------------------------------------------------

static bool is_word_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.';
}

// At `<<`, which is no `<<<`.
static void open_heredoc(Scan *scan) {
    scan->at += 2;
    const bool is_tabbed = here(scan) == '-';
    scan->at += is_tabbed ? 1 : 0;
    while (here(scan) == ' ' || here(scan) == '\t') {
        scan->at++;
    }
    const char quote = here(scan) == '\'' || here(scan) == '"' ? here(scan) : '\0';
    scan->at += quote != '\0' || here(scan) == '\\' ? 1 : 0;
    const size_t start = scan->at;
    while (is_word_char(here(scan))) {
        scan->at++;
    }
    const Str word = str_slice(scan->text, start, scan->at);
    const bool is_odd = word.len == 0 || scan->heredoc_count == HEREDOCS_MAX || (quote != '\0' && here(scan) != quote);
    scan->at += quote != '\0' ? 1 : 0;
    scan->is_lost = scan->is_lost || is_odd;
    if (!scan->is_lost) {
        scan->heredocs[scan->heredoc_count].word = word;
        scan->heredocs[scan->heredoc_count].is_tabbed = is_tabbed;
        scan->heredoc_count++;
    }
}

// At the beginning of a line, behind one that opened some. One that no line ends is another rule's.
static void skip_heredocs(Scan *scan) {
    for (int i = 0; i < scan->heredoc_count; i++) {
        scan->at = shell_heredoc_end(scan->text, scan->at, scan->heredocs[i].word, scan->heredocs[i].is_tabbed);
        scan->is_lost = scan->is_lost || scan->at > scan->text.len;
    }
    scan->heredoc_count = 0;
}

// ---- words ---------------------------------------------------------------------------------------------------------

// A word that may open or close, or stand before a command.
static void take_word(Scan *scan, Str word, size_t at) {
    static const char *const BEFORE[] = { "then", "else", "elif", "while", "until", "!", "time" };
    scan->is_command = false;
    if (str_is(word, "if")) {
        push(scan, SHELL_IF, at);
        scan->is_command = true;
    } else if (str_is(word, "fi")) {
        pop(scan, SHELL_IF);
    } else if (str_is(word, "do")) {
        push(scan, SHELL_LOOP, at);
        scan->is_command = true;
    } else if (str_is(word, "done")) {
        pop(scan, SHELL_LOOP);
    } else if (str_is(word, "case")) {
        push(scan, SHELL_CASE, at);
    } else if (str_is(word, "esac")) {
        pop(scan, SHELL_CASE);
    } else if (str_is(word, "{")) {
        push(scan, SHELL_BRACE, at);
        scan->is_command = true;
    } else if (str_is(word, "}")) {
        pop(scan, SHELL_BRACE);
    } else if (str_is(word, "function") || str_is(word, "select") || str_is(word, "coproc")) {
        scan->is_lost = true; // rare, and each has a form of its own
    }
    for (size_t i = 0; i < COUNT_OF(BEFORE); i++) {
        scan->is_command = scan->is_command || str_is(word, BEFORE[i]);
    }
}

// The words of `case WORD in`, and those of a pattern, up to `)`.
static bool is_in_pattern(const Scan *scan) {
    return innermost(scan) == SHELL_CASE && scan->open[scan->depth - 1].part == CASE_PATTERN;
}

static void skip_word(Scan *scan) {
    const size_t start = scan->at;
    bool is_plain = true;
    while (!is_end(scan) && !scan->is_lost && strchr(" \t\n;&|<>()", here(scan)) == NULL) {
        const char c = here(scan);
        is_plain = is_plain && strchr("'\"$\\`", c) == NULL;
        if (c == '\'') {
            skip_single(scan, false);
        } else if (c == '"') {
            skip_double(scan, 0);
        } else if (c == '$' && behind(scan, 1) == '\'') {
            scan->at++;
            skip_single(scan, true);
        } else if (c == '$' && behind(scan, 1) == '{') {
            skip_braces(scan, 0);
        } else if (c == '$' && behind(scan, 1) == '(') {
            scan->at++;
            skip_inner(scan, 0);
        } else if (c == '`') {
            scan->is_lost = true;
        } else {
            scan->at += c == '\\' ? 2 : 1;
        }
    }
    const Str word = str_slice(scan->text, start, scan->at);
    const bool is_head = innermost(scan) == SHELL_CASE && scan->open[scan->depth - 1].part == CASE_HEAD;
    if (is_head && str_is(word, "in")) {
        scan->open[scan->depth - 1].part = CASE_PATTERN;
    } else if (is_in_pattern(scan)) {
        if (str_is(word, "esac")) {
            pop(scan, SHELL_CASE);
        }
    } else if (scan->is_command && is_plain) {
        take_word(scan, word, start);
    } else if (scan->is_command) {
        scan->is_command = false;
    }
}

// ---- signs ---------------------------------------------------------------------------------------------------------

static void skip_comment(Scan *scan) {
    while (!is_end(scan) && here(scan) != '\n') {
        scan->at++;
    }
}

static void close_bracket(Scan *scan) {
    if (is_in_pattern(scan)) {
        scan->open[scan->depth - 1].part = CASE_BODY;
        scan->is_command = true;
    } else {
        pop(scan, SHELL_BRACKET);
    }
    scan->at++;
}

static void open_bracket(Scan *scan) {
    if (is_in_pattern(scan)) {
        scan->at++; // `(a)` in place of `a)`
    } else if (behind(scan, 1) == '(') {
        skip_inner(scan, 0); // arithmetic
        scan->is_command = false;
    } else if (behind(scan, 1) == ')') {
        scan->at += 2; // of a function
        scan->is_command = true;
    } else {
        push(scan, SHELL_BRACKET, scan->at);
        scan->is_command = true;
        scan->at++;
    }
}

static void end_line(Scan *scan) {
    scan->at++;
    skip_heredocs(scan);
    scan->is_command = true;
}

// `;`, `&` and `|`. In a case `;;` ends what follows a pattern.
static void end_command(Scan *scan) {
    const bool is_double = here(scan) == ';' && behind(scan, 1) == ';';
    if (is_double && innermost(scan) == SHELL_CASE) {
        scan->open[scan->depth - 1].part = CASE_PATTERN;
    } else if (is_double) {
        scan->is_lost = true;
    }
    scan->at += is_double ? 2 : 1;
    scan->is_command = true;
}

static void step(Scan *scan) {
    const char c = here(scan);
    if (c == '\n') {
        end_line(scan);
    } else if (c == ' ' || c == '\t') {
        scan->at++;
    } else if (c == '#') {
        skip_comment(scan);
    } else if (c == '\\' && behind(scan, 1) == '\n') {
        scan->at += 2;
    } else if (c == ';' || c == '|' || (c == '&' && behind(scan, 1) != '>')) {
        end_command(scan);
    } else if (c == '(') {
        open_bracket(scan);
    } else if (c == ')') {
        close_bracket(scan);
    } else if (c == '<' && behind(scan, 1) == '<' && behind(scan, 2) != '<') {
        open_heredoc(scan);
    } else if (c == '<' && behind(scan, 1) == '<') {
        scan->at += 3;
    } else if (c == '<' || c == '>' || c == '&') {
        scan->at += behind(scan, 1) == '&' ? 2 : 1;
    } else {
        skip_word(scan);
    }
}

ShellOpen shell_scan(Str script, size_t *at) {
    Scan scan = { .text = script, .is_command = true };
    // Words have `\r` at their end, and no shell reads a NUL.
    scan.is_lost = str_find(script, STR("\r"), 0) < script.len || memchr(script.data, '\0', script.len) != NULL;
    while (!is_end(&scan) && !scan.is_lost && !scan.is_crossed) {
        step(&scan);
    }
    if (scan.is_lost || scan.depth == 0 || (scan.heredoc_count > 0 && !scan.is_crossed)) {
        return SHELL_CLOSED;
    }
    *at = scan.open[scan.depth - 1].at;
    return scan.open[scan.depth - 1].kind;
}
