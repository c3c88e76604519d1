// Turns the bytes of a source into tokens. What separates tokens is kept as their trivia, never thrown away: whatever
// the source, trivia and tokens laid end to end are its bytes again. A line end is a token only where it ends an entry,
// so the lexer knows which bracket is innermost. Mistakes are reported here and read as what was probably meant.
#include "compiler/syntax/lexer.h"

char lexer_byte(const Lexer *lexer, size_t offset) {
    return offset < lexer->text.len ? lexer->text.data[offset] : '\0';
}

Str lexer_slice(const Lexer *lexer, size_t start, size_t end) {
    return str_slice(lexer->text, start, end);
}

Span lexer_span(const Lexer *lexer, size_t start, size_t end) {
    return (Span){ .source = lexer->source, .start = (uint32_t)start, .end = (uint32_t)end };
}

uint32_t lexer_line_end_length(const Lexer *lexer, uint32_t offset) {
    if (lexer_byte(lexer, offset) == '\n') {
        return 1;
    }
    return lexer_byte(lexer, offset) == '\r' && lexer_byte(lexer, (size_t)offset + 1) == '\n' ? 2 : 0;
}

uint32_t lexer_line_end(const Lexer *lexer, uint32_t offset) {
    const size_t feed = str_find(lexer->text, STR("\n"), offset);
    return (uint32_t)(feed > offset && feed < lexer->text.len && lexer->text.data[feed - 1] == '\r' ? feed - 1 : feed);
}

uint32_t lexer_push(Lexer *lexer, TokenKind kind, uint32_t start, uint32_t end) {
    vec_push(lexer->session->arena, &lexer->tokens,
             (Token){ .kind = kind,
                      .trivia_start = lexer->trivia_start,
                      .start = start,
                      .end = end,
                      .partner = TOKEN_NO_PARTNER,
                      .text = lexer_slice(lexer, start, end) });
    lexer->position = end;
    lexer->trivia_start = end;
    return lexer->tokens.count - 1;
}

const Token *lexer_last(const Lexer *lexer, uint32_t back) {
    return back <= lexer->tokens.count ? &lexer->tokens.items[lexer->tokens.count - back] : NULL;
}

void lexer_stop(Lexer *lexer) {
    lexer_push(lexer, TOKEN_ERROR, lexer->position, (uint32_t)lexer->text.len);
    lexer->bracket_count = 0; // what is open stays so, without another word
}

bool lexer_is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool lexer_is_word(char c) {
    return is_letter(c) || lexer_is_digit(c) || c == '_';
}

// Behind these a line goes on: a value must follow. Not behind `?`, which also ends an optional type, nor behind `:`.
static bool goes_on_behind(TokenKind kind) {
    static const bool GOES_ON[TOKEN_COUNT] = {
        [TOKEN_ASSIGN] = true,     [TOKEN_RANGE] = true,   [TOKEN_DEFAULT] = true,       [TOKEN_OR] = true,
        [TOKEN_AND] = true,        [TOKEN_EQUAL] = true,   [TOKEN_NOT_EQUAL] = true,     [TOKEN_LESS] = true,
        [TOKEN_LESS_EQUAL] = true, [TOKEN_GREATER] = true, [TOKEN_GREATER_EQUAL] = true, [TOKEN_PLUS] = true,
        [TOKEN_MINUS] = true,      [TOKEN_STAR] = true,    [TOKEN_SLASH] = true,         [TOKEN_PERCENT] = true,
        [TOKEN_NOT] = true,
    };
    return GOES_ON[kind];
}

void lexer_separator(Lexer *lexer, uint32_t length) {
    const bool is_line_end = lexer_line_end_length(lexer, lexer->position) > 0;
    const TokenKind innermost = bracket_innermost(lexer);
    const uint32_t end = lexer->position + length;
    if (innermost != TOKEN_BRACE_OPEN && innermost != TOKEN_EOF) {
        if (is_line_end) {
            lexer->position = end;
        } else {
            lexer_push(lexer, TOKEN_COMMA, lexer->position, end);
        }
        return;
    }
    const Token *last = lexer_last(lexer, 1);
    const bool is_dropped = last == NULL || last->kind == TOKEN_SEPARATOR || last->kind == TOKEN_BRACE_OPEN ||
                            (is_line_end && goes_on_behind(last->kind));
    if (is_dropped) {
        lexer->position = end;
    } else {
        lexer_push(lexer, TOKEN_SEPARATOR, lexer->position, end);
    }
}

// The word is that of files of other tools, which have no `allow`.
static void lex_check_allow(const Lexer *lexer, uint32_t start, uint32_t end) {
    static const char WORD[] = "dtc-allow:";
    while (start < end && strchr("# \t", lexer->text.data[start]) != NULL) {
        start++;
    }
    if (str_starts_with(str_slice(lexer->text, start, end), STR(WORD))) {
        report(lexer->session, lexer_span(lexer, start, end), DIAG(allow_in_comment));
    }
}

static void lex_comment(Lexer *lexer) {
    const uint32_t end = lexer_line_end(lexer, lexer->position);
    lex_check_text(lexer, lexer->position, end);
    lex_check_allow(lexer, lexer->position, end);
    lexer->position = end;
}

static TokenKind word_kind(Str word) {
    static const struct {
        const char *word;
        TokenKind kind;
    } KEYWORDS[] = {
#define TOKEN(name, text)
#define SYMBOL(name, spelling)
#define KEYWORD(name, spelling) { spelling, TOKEN_##name },
#include "compiler/syntax/token.def"
#undef TOKEN
    };
    for (size_t i = 0; i < COUNT_OF(KEYWORDS); i++) {
        if (str_is(word, KEYWORDS[i].word)) {
            return KEYWORDS[i].kind;
        }
    }
    return TOKEN_NAME;
}

static void lex_word(Lexer *lexer) {
    const uint32_t start = lexer->position;
    uint32_t end = start;
    while (lexer_is_word(lexer_byte(lexer, end)) || lexer_byte(lexer, end) == '-') {
        end++;
    }
    while (lexer_byte(lexer, (size_t)end - 1) == '-') {
        end--;
    }
    const TokenKind kind = word_kind(lexer_slice(lexer, start, end));
    bracket_give_up(lexer, kind);
    lexer_push(lexer, kind, start, end);
}

static void lex_symbol(Lexer *lexer, TokenKind kind, uint32_t length) {
    const uint32_t start = lexer->position;
    if (kind == TOKEN_COMMA) {
        lexer_separator(lexer, length);
    } else if (kind == TOKEN_BRACE_CLOSE || kind == TOKEN_PAREN_CLOSE || kind == TOKEN_SQUARE_CLOSE) {
        bracket_close(lexer, kind);
    } else {
        bracket_give_up(lexer, kind);
        const uint32_t token = lexer_push(lexer, kind, start, start + length);
        if (kind == TOKEN_BRACE_OPEN || kind == TOKEN_PAREN_OPEN || kind == TOKEN_SQUARE_OPEN) {
            bracket_open(lexer, (Bracket){ .kind = kind, .token = token });
        }
    }
}

// The longest symbol at the current position, or 0 where there is none. `table` order puts longer ones first.
static uint32_t symbol_length(const Lexer *lexer, TokenKind *kind) {
    static const struct {
        const char *spelling;
        uint32_t length;
        TokenKind kind;
    } SYMBOLS[] = {
#define TOKEN(name, text)
#define SYMBOL(name, spelling) { spelling, sizeof(spelling) - 1, TOKEN_##name },
#define KEYWORD(name, spelling)
#include "compiler/syntax/token.def"
#undef TOKEN
    };
    for (size_t i = 0; i < COUNT_OF(SYMBOLS); i++) {
        const size_t end = (size_t)lexer->position + SYMBOLS[i].length;
        if (end <= lexer->text.len &&
            memcmp(lexer->text.data + lexer->position, SYMBOLS[i].spelling, SYMBOLS[i].length) == 0) {
            *kind = SYMBOLS[i].kind;
            return SYMBOLS[i].length;
        }
    }
    return 0;
}

// True where a string begins; `*form` says which.
static bool string_begins(const Lexer *lexer, StringForm *form) {
    const bool is_raw = lexer_byte(lexer, lexer->position) == 'r';
    const size_t quote = lexer->position + (is_raw ? 1U : 0U);
    if (lexer_byte(lexer, quote) != '"') {
        return false;
    }
    const bool is_text = lexer_byte(lexer, quote + 1) == '"' && lexer_byte(lexer, quote + 2) == '"';
    *form = is_raw ? (is_text ? STRING_RAW_TEXT : STRING_RAW_LINE) : (is_text ? STRING_TEXT : STRING_LINE);
    return true;
}

static void lex_next(Lexer *lexer) {
    const char c = lexer_byte(lexer, lexer->position);
    const uint32_t line_end = lexer_line_end_length(lexer, lexer->position);
    StringForm form = STRING_LINE;
    TokenKind kind = TOKEN_ERROR;
    uint32_t length = 0;
    if (c == ' ') {
        lexer->position++;
    } else if (line_end > 0) {
        lex_string_at_line_end(lexer);
        lexer_separator(lexer, line_end);
    } else if (c == '#') {
        lex_comment(lexer);
    } else if (string_begins(lexer, &form)) {
        lex_string(lexer, form);
    } else if (is_letter(c) || c == '_') {
        lex_word(lexer);
    } else if (lexer_is_digit(c)) {
        lex_number(lexer);
    } else if (lex_foreign_form(lexer)) {
        return;
    } else if ((length = symbol_length(lexer, &kind)) > 0) {
        lex_symbol(lexer, kind, length);
    } else {
        lex_foreign(lexer);
    }
}

Tokens lex(Session *session, uint32_t source) {
    const Source *content = source_get(session, source);
    Lexer *lexer = arena_new(session->arena, Lexer);
    *lexer = (Lexer){ .session = session, .source = source, .text = content->text };

    size_t bad = 0;
    if (!str_is_utf8(lexer->text, &bad)) {
        report(session, lexer_span(lexer, bad, bad + 1), DIAG(not_utf8), STR_ARG(content->path), bad);
        lexer_stop(lexer);
    }
    if (lexer->position == 0 && str_starts_with(lexer->text, STR("\xEF\xBB\xBF"))) {
        lexer->position += 3; // a byte order mark, which some editors write: trivia
    }
    while (lexer->position < lexer->text.len) {
        lex_next(lexer);
    }
    lex_string_at_line_end(lexer);
    const uint32_t end = (uint32_t)lexer->text.len;
    lexer_push(lexer, TOKEN_EOF, end, end);
    return lexer->tokens;
}
