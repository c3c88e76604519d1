// Reads text that begins no token of dt: characters that nobody sees, and the habits of people who come from HCL, YAML,
// JSON, C and word processors. Each gets its own message and, if it is safe, a fix. Then it is read as what was meant,
// so that the parser has nothing to add.
#include "compiler/syntax/lexer.h"

static bool is_any_of(uint32_t code_point, const uint32_t *set, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (set[i] == code_point) {
            return true;
        }
    }
    return false;
}

// Blanks that look like one and are none.
static bool is_foreign_blank(uint32_t code_point) {
    static const uint32_t BLANKS[] = { 0xA0, 0x1680, 0x202F, 0x205F, 0x3000, 0xFEFF };
    return (code_point >= 0x2000 && code_point <= 0x200D) || is_any_of(code_point, BLANKS, COUNT_OF(BLANKS));
}

static bool is_foreign_quote(uint32_t code_point) {
    static const uint32_t QUOTES[] = { '\'', '`', 0xAB, 0xBB, 0xFF02 };
    return (code_point >= 0x2018 && code_point <= 0x201F) || is_any_of(code_point, QUOTES, COUNT_OF(QUOTES));
}

static bool is_foreign_dash(uint32_t code_point) {
    return (code_point >= 0x2010 && code_point <= 0x2015) || code_point == 0x2212;
}

// Also what changes the direction or the line of a text unseen, so that it reads as something it is not.
static bool is_control(uint32_t code_point) {
    return code_point < 0x20 || (code_point >= 0x7F && code_point < 0xA0) ||
           (code_point >= 0x2028 && code_point <= 0x202E) || (code_point >= 0x2066 && code_point <= 0x2069);
}

// The code point at an offset and its length. The source is UTF-8: lex() has looked.
static uint32_t code_point_at(const Lexer *lexer, uint32_t offset, uint32_t *length) {
    uint32_t code_point = 0;
    const size_t bytes = offset < lexer->text.len ? str_utf8_next(lexer->text, offset, &code_point) : 0;
    *length = bytes == 0 ? 1 : (uint32_t)bytes;
    return code_point;
}

static void report_control(Lexer *lexer, uint32_t offset, uint32_t length, uint32_t code_point) {
    report(lexer->session, lexer_span(lexer, offset, (size_t)offset + length), DIAG(control_character), code_point);
}

void lex_check_text(Lexer *lexer, uint32_t start, uint32_t end) {
    uint32_t length = 0;
    for (uint32_t i = start; i < end; i += length) {
        const uint32_t code_point = code_point_at(lexer, i, &length);
        const bool is_line_end = lexer_line_end_length(lexer, i) > 0;
        if (is_control(code_point) && code_point != '\t' && !is_line_end) {
            report_control(lexer, i, length, code_point);
        }
    }
}

// A run of tabs, or of foreign blanks: the first is reported, and all are fixed together, since they come in hundreds.
static void lex_blanks(Lexer *lexer, bool is_tab) {
    const uint32_t start = lexer->position;
    uint32_t end = start;
    uint32_t count = 0;
    uint32_t length = 0;
    for (;; end += length, count++) {
        const uint32_t code_point = code_point_at(lexer, end, &length);
        if (is_tab ? code_point != '\t' : !is_foreign_blank(code_point)) {
            break;
        }
    }
    const Span span = lexer_span(lexer, start, end);
    Diag **diag = is_tab ? &lexer->tabs : &lexer->blanks;
    if (*diag == NULL && is_tab) {
        *diag = report(lexer->session, span, DIAG(tab_character));
    } else if (*diag == NULL) {
        *diag = report(lexer->session, span, DIAG(foreign_blank), code_point_at(lexer, start, &length));
    }
    StrBuf blanks = { .arena = lexer->session->arena };
    strbuf_add_repeated(&blanks, ' ', is_tab ? (size_t)count * 2 : count);
    diag_fix(lexer->session, *diag, span, strbuf_str(&blanks));
    lexer->position = end;
}

// Text in quotes of another kind, up to the next such quote of the line, or to the line's end.
static void lex_foreign_quotes(Lexer *lexer, uint32_t opening) {
    const uint32_t start = lexer->position;
    const uint32_t line_end = lexer_line_end(lexer, start);
    const Str written = lexer_slice(lexer, start, (size_t)start + opening);
    uint32_t end = start + opening;
    uint32_t closing = 0;
    while (end < line_end) {
        const uint32_t code_point = code_point_at(lexer, end, &closing);
        const bool closes = opening == 1 ? code_point == (unsigned char)written.data[0]
                                         : code_point == '"' || (code_point >= 0x80 && is_foreign_quote(code_point));
        if (closes) {
            break;
        }
        end += closing;
    }
    const bool is_closed = end < line_end;
    const Str content = lexer_slice(lexer, (size_t)start + opening, end);
    Diag *diag = report(lexer->session, lexer_span(lexer, start, (size_t)start + opening), DIAG(foreign_quotes),
                        STR_ARG(written));
    const bool is_plain = str_find(content, STR("\""), 0) == content.len &&
                          str_find(content, STR("\\"), 0) == content.len &&
                          str_find(content, STR("${"), 0) == content.len;
    if (is_closed && is_plain) {
        diag_fix(lexer->session, diag, lexer_span(lexer, start, (size_t)start + opening), STR("\""));
        diag_fix(lexer->session, diag, lexer_span(lexer, end, (size_t)end + closing), STR("\""));
    }
    const uint32_t token = lexer_push(lexer, TOKEN_STRING, start, is_closed ? end + closing : end);
    lexer->tokens.items[token].text = content;
}

static void lex_semicolon(Lexer *lexer) {
    const Span span = lexer_span(lexer, lexer->position, (size_t)lexer->position + 1);
    Diag *diag = report(lexer->session, span, DIAG(semicolon));
    uint32_t next = lexer->position + 1;
    while (lexer_byte(lexer, next) == ' ' || lexer_byte(lexer, next) == '\t') {
        next++;
    }
    const bool is_last = next >= lexer->text.len || lexer_line_end_length(lexer, next) > 0 ||
                         lexer_byte(lexer, next) == '#' || lexer_byte(lexer, next) == '}';
    diag_fix(lexer->session, diag, span, is_last ? STR_NONE : STR(","));
    lexer_separator(lexer, 1);
}

// Takes back tokens, so that the next one begins at `start`.
static void take_back(Lexer *lexer, uint32_t start) {
    while (lexer->tokens.count > 0 && lexer_last(lexer, 1)->start >= start) {
        lexer->trivia_start = lexer_last(lexer, 1)->trivia_start;
        lexer->tokens.count--;
    }
}

static bool is_unquoted_byte(char c) {
    return lexer_is_word(c) || (c != '\0' && strchr(".-/:@%+~?&=*", c) != NULL);
}

void lex_unquoted(Lexer *lexer, uint32_t start) {
    take_back(lexer, start);
    uint32_t end = lexer->position;
    while (is_unquoted_byte(lexer_byte(lexer, end))) {
        end++;
    }
    const Str text = lexer_slice(lexer, start, end);
    const Span span = lexer_span(lexer, start, end);
    Diag *diag = report(lexer->session, span, DIAG(text_without_quotes), STR_ARG(text));
    diag_fix(lexer->session, diag, span, str_format(lexer->session->arena, "\"%.*s\"", STR_ARG(text)));
    lexer_push(lexer, TOKEN_ERROR, start, end);
}

static void lex_comment_of_c(Lexer *lexer) {
    const uint32_t start = lexer->position;
    const char second = lexer_byte(lexer, (size_t)start + 1);
    const Span span = lexer_span(lexer, start, (size_t)start + 2);
    Diag *diag = report(lexer->session, span, DIAG(foreign_comment), second);
    if (second == '/') {
        diag_fix(lexer->session, diag, span, STR("#"));
        lexer->position = lexer_line_end(lexer, start);
    } else {
        const size_t end = str_find(lexer->text, STR("*/"), (size_t)start + 2);
        lexer->position = (uint32_t)(end < lexer->text.len ? end + 2 : end);
    }
}

// A here-document of HCL or the shell (`<<EOF`, `<<-EOF`), whose word is at `word`. It is a string up to the line that
// holds only the word, or to the end of the source.
static void lex_here_document(Lexer *lexer, uint32_t word) {
    const uint32_t start = lexer->position;
    uint32_t end = word;
    while (lexer_is_word(lexer_byte(lexer, end))) {
        end++;
    }
    const Str marker = lexer_slice(lexer, word, end);
    report(lexer->session, lexer_span(lexer, start, end), DIAG(here_document), STR_ARG(lexer_slice(lexer, start, end)));
    uint32_t line = lexer_line_end(lexer, end);
    while (line < lexer->text.len) {
        const uint32_t next = line + lexer_line_end_length(lexer, line);
        line = lexer_line_end(lexer, next);
        if (str_equal(str_trim(lexer_slice(lexer, next, line)), marker)) {
            break;
        }
    }
    lexer_push(lexer, TOKEN_STRING, start, line);
}

// Where the value begins of which a byte can be no operator: `/scratch` behind `=`, `arn:aws:…`. UINT32_MAX: of none.
static uint32_t unquoted_at(const Lexer *lexer, uint32_t at) {
    const Token *last = lexer_last(lexer, 1);
    const bool wants_value = last != NULL && (last->kind == TOKEN_ASSIGN || last->kind == TOKEN_SQUARE_OPEN ||
                                              last->kind == TOKEN_PAREN_OPEN || last->kind == TOKEN_COMMA);
    const bool is_arn = last != NULL && last->kind == TOKEN_NAME && last->end == at && str_is(last->text, "arn") &&
                        str_starts_with(lexer_slice(lexer, at, (uint32_t)lexer->text.len), STR(":aws"));
    const bool is_path =
        lexer_byte(lexer, at) == '/' && wants_value && lexer_is_word(lexer_byte(lexer, (size_t)at + 1));
    return is_arn ? last->start : is_path ? at : UINT32_MAX;
}

bool lex_foreign_form(Lexer *lexer) {
    const uint32_t start = lexer->position;
    const char first = lexer_byte(lexer, start);
    const char second = lexer_byte(lexer, (size_t)start + 1);
    const char third = lexer_byte(lexer, (size_t)start + 2);
    if (first == '<' && second == '<') {
        const uint32_t word = start + (third == '-' || third == '~' ? 3 : 2);
        if (lexer_is_word(lexer_byte(lexer, word)) && !lexer_is_digit(lexer_byte(lexer, word))) {
            lex_here_document(lexer, word);
            return true;
        }
    }
    const uint32_t unquoted = unquoted_at(lexer, start);
    if (unquoted <= start) {
        lex_unquoted(lexer, unquoted);
        return true;
    }
    if (first != '/' || (second != '/' && second != '*')) {
        return false;
    }
    const Token *colon = lexer_last(lexer, 1);
    const Token *scheme = lexer_last(lexer, 2);
    const bool is_address = second == '/' && colon != NULL && scheme != NULL && colon->kind == TOKEN_COLON &&
                            colon->end == start && scheme->kind == TOKEN_NAME && scheme->end == colon->start;
    if (is_address) {
        lex_unquoted(lexer, scheme->start); // s3://bucket/prefix
    } else {
        lex_comment_of_c(lexer);
    }
    return true;
}

static uint32_t foreign_word_end(const Lexer *lexer, uint32_t offset) {
    uint32_t length = 0;
    for (; offset < lexer->text.len; offset += length) {
        const uint32_t c = code_point_at(lexer, offset, &length);
        const bool is_word = c < 0x80 ? lexer_is_word((char)c) || c == '-'
                                      : !is_foreign_blank(c) && !is_foreign_quote(c) && !is_control(c);
        if (!is_word) {
            break;
        }
    }
    return offset;
}

// A word with letters that no name has, or a single character that means nothing: a TOKEN_ERROR.
static void lex_unexpected(Lexer *lexer, uint32_t code_point, uint32_t length) {
    const uint32_t start = lexer->position;
    const Str character = lexer_slice(lexer, start, (size_t)start + length);
    const Span span = lexer_span(lexer, start, (size_t)start + length);
    Diag *diag = report(lexer->session, span, DIAG(unexpected_character), STR_ARG(character), code_point);
    if (code_point == '&' || code_point == '|') {
        const bool is_and = code_point == '&';
        diag_help(lexer->session, diag, "write `%s`", is_and ? "&&" : "||");
        diag_fix(lexer->session, diag, span, is_and ? STR("&&") : STR("||"));
        lexer_push(lexer, is_and ? TOKEN_AND : TOKEN_OR, start, start + length);
        return;
    }
    if (is_foreign_dash(code_point)) {
        diag_fix(lexer->session, diag, span, STR("-"));
        lexer_push(lexer, TOKEN_MINUS, start, start + length);
        return;
    }
    const Token *last = lexer_last(lexer, 1);
    const uint32_t line_end = lexer_line_end_length(lexer, start + length);
    if (code_point == '\\' && line_end > 0) {
        diag_help(lexer->session, diag, "a line goes on behind an operator, and inside `( )` and `[ ]`");
        lexer->position = start + length + line_end;
        return;
    }
    const bool is_in_word = code_point >= 0x80 && last != NULL && last->end == start &&
                            (last->kind == TOKEN_NAME || token_is_keyword(last->kind));
    const uint32_t end = code_point >= 0x80 ? foreign_word_end(lexer, start + length) : start + length;
    const uint32_t first = is_in_word ? last->start : start;
    if (is_in_word) {
        take_back(lexer, first);
    }
    if (code_point == '$') {
        diag_help(lexer->session, diag, "`${ }` belongs inside a string; elsewhere write the expression alone");
    }
    lexer_push(lexer, TOKEN_ERROR, first, end);
}

void lex_foreign(Lexer *lexer) {
    uint32_t length = 0;
    const uint32_t code_point = code_point_at(lexer, lexer->position, &length);
    if (code_point == '\t' || is_foreign_blank(code_point)) {
        lex_blanks(lexer, code_point == '\t');
    } else if (code_point == ';') {
        lex_semicolon(lexer);
    } else if (code_point == '\r') {
        report_control(lexer, lexer->position, length, code_point);
        lexer_separator(lexer, 1);
    } else if (is_control(code_point)) {
        report_control(lexer, lexer->position, length, code_point);
        lexer->position += length;
    } else if (is_foreign_quote(code_point)) {
        lex_foreign_quotes(lexer, length);
    } else {
        lex_unexpected(lexer, code_point, length);
    }
}
