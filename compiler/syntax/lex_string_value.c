// Turns the pieces of a whole string into their values. It resolves escapes and reads CRLF as a line end. In a text
// between `"""`, it takes the indentation of the closing quotes from each line. The text begins behind the line end
// after the opening quotes and ends with the line end before the closing ones, which belongs to it.
#include "compiler/syntax/lexer.h"

typedef struct {
    Lexer *lexer;
    bool is_raw;
    bool is_text;
    Str indentation;  // of the closing quotes; empty in a string of one line
    uint32_t closing; // offset of the closing quotes
    bool is_reported; // one badly indented line is enough: most often all of them are
} Reader;

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

static uint32_t skip_blanks(const Lexer *lexer, uint32_t offset) {
    while (is_blank(lexer_byte(lexer, offset))) {
        offset++;
    }
    return offset;
}

static int hex_digit(char c) {
    if (lexer_is_digit(c)) {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// Reads `\u{1F600}`, whose backslash is at `offset`; returns the offset behind it.
static uint32_t read_code_point(const Reader *reader, StrBuf *value, uint32_t offset) {
    enum { CODE_POINT_MAX = 0x10FFFF, SURROGATE_FIRST = 0xD800, SURROGATE_LAST = 0xDFFF };
    const Lexer *lexer = reader->lexer;
    uint32_t code_point = 0;
    uint32_t i = offset + 3;
    for (; hex_digit(lexer_byte(lexer, i)) >= 0; i++) {
        if (code_point <= CODE_POINT_MAX) {
            code_point = code_point * 16 + (uint32_t)hex_digit(lexer_byte(lexer, i));
        }
    }
    const bool is_whole = lexer_byte(lexer, (size_t)offset + 2) == '{' && lexer_byte(lexer, i) == '}';
    const bool is_character = code_point > 0 && code_point <= CODE_POINT_MAX &&
                              !(code_point >= SURROGATE_FIRST && code_point <= SURROGATE_LAST);
    const uint32_t end = is_whole ? i + 1 : offset + 2;
    if (!is_whole || !is_character) {
        const Span span = lexer_span(lexer, offset, end);
        Diag *diag = report(lexer->session, span, DIAG(bad_code_point), STR_ARG(lexer_slice(lexer, offset, end)));
        diag_help(lexer->session, diag, "write the number of a Unicode character in hexadecimal: `\\u{e9}`");
        return end;
    }
    strbuf_add_utf8(value, code_point);
    return end;
}

// Reads the escape whose backslash is at `offset`; returns the offset behind it.
static uint32_t read_escape(const Reader *reader, StrBuf *value, uint32_t offset) {
    static const char ESCAPES[][2] = { { 'n', '\n' }, { 't', '\t' }, { '"', '"' }, { '\\', '\\' }, { '$', '$' } };
    Lexer *lexer = reader->lexer;
    const char c = lexer_byte(lexer, (size_t)offset + 1);
    for (size_t i = 0; i < COUNT_OF(ESCAPES); i++) {
        if (c == ESCAPES[i][0]) {
            strbuf_add_char(value, ESCAPES[i][1]);
            return offset + 2;
        }
    }
    if (c == 'u') {
        return read_code_point(reader, value, offset);
    }
    uint32_t code_point = 0;
    const bool has_character = (size_t)offset + 1 < lexer->text.len && lexer_line_end_length(lexer, offset + 1) == 0;
    const size_t length = has_character ? str_utf8_next(lexer->text, (size_t)offset + 1, &code_point) : 0;
    const uint32_t end = offset + 1 + (uint32_t)length;
    const Str escape = lexer_slice(lexer, offset, end);
    Diag *diag = report(lexer->session, lexer_span(lexer, offset, end), DIAG(unknown_escape), STR_ARG(escape));
    diag_help(lexer->session, diag,
              "there are `\\n`, `\\t`, `\\\"`, `\\\\`, `\\$` and `\\u{…}`; for a backslash write `\\\\`, or begin the "
              "string with `r\"`: there a backslash is itself");
    return end;
}

// A line of a text begins at `offset`: returns where its own text begins. `end` is the end of the piece.
static uint32_t skip_indentation(Reader *reader, uint32_t offset, uint32_t end) {
    const Lexer *lexer = reader->lexer;
    const Str indentation = reader->indentation;
    if (str_starts_with(lexer_slice(lexer, offset, end), indentation)) {
        return offset + (uint32_t)indentation.len;
    }
    uint32_t text = offset;
    while (text < end && is_blank(lexer_byte(lexer, text))) {
        text++;
    }
    const bool is_blank_line = text < end && lexer_line_end_length(lexer, text) > 0;
    if (!is_blank_line && !reader->is_reported) {
        reader->is_reported = true;
        Diag *diag = report(lexer->session, lexer_span(lexer, offset, text), DIAG(text_indentation));
        diag_label(lexer->session, diag,
                   lexer_span(lexer, reader->closing - indentation.len, (size_t)reader->closing + 3),
                   "these quotes set the indentation");
        diag_help(lexer->session, diag, "indent the line like the closing quotes, or set the quotes less deep");
    }
    return text;
}

// The value of the source from `start` to `end`.
static Str read_piece(Reader *reader, uint32_t start, uint32_t end, bool is_line_start) {
    const Lexer *lexer = reader->lexer;
    const Str text = lexer_slice(lexer, start, end);
    const bool is_plain = reader->is_raw || str_find(text, STR("\\"), 0) == text.len;
    if (is_plain && !reader->is_text) {
        return text;
    }
    StrBuf value = { .arena = lexer->session->arena };
    uint32_t offset = start;
    while (offset < end) {
        if (is_line_start) {
            offset = skip_indentation(reader, offset, end);
            is_line_start = false;
            continue;
        }
        const uint32_t line_end = lexer_line_end_length(lexer, offset);
        if (line_end > 0) {
            strbuf_add_char(&value, '\n');
            offset += line_end;
            is_line_start = reader->is_text;
        } else if (lexer_byte(lexer, offset) == '\\' && !reader->is_raw) {
            offset = read_escape(reader, &value, offset);
        } else {
            strbuf_add_char(&value, lexer_byte(lexer, offset));
            offset++;
        }
    }
    return strbuf_str(&value);
}

// The text of a `"""` string begins behind the line end after its opening quotes, which end at `opening`. Returns its
// offset. If something else stands there, that is reported, and `opening` is returned.
static uint32_t text_start(const Reader *reader, StringState string, uint32_t opening) {
    const Lexer *lexer = reader->lexer;
    const uint32_t start = skip_blanks(lexer, opening);
    const uint32_t line_end = lexer_line_end_length(lexer, start);
    if (line_end == 0) {
        report(lexer->session, lexer_span(lexer, string.start, opening), DIAG(text_opening));
        return opening;
    }
    return start + line_end;
}

// The line of the closing quotes, with the blanks before them, is not part of the text. The text ends where that line
// begins. `start` is where the last piece begins. Returns the end of the text.
static uint32_t text_end(Reader *reader, uint32_t start) {
    const Lexer *lexer = reader->lexer;
    uint32_t line = reader->closing;
    while (line > start && is_blank(lexer_byte(lexer, (size_t)line - 1))) {
        line--;
    }
    if (lexer_byte(lexer, (size_t)line - 1) != '\n') {
        report(lexer->session, lexer_span(lexer, reader->closing, (size_t)reader->closing + 3), DIAG(text_closing));
        return reader->closing;
    }
    reader->indentation = lexer_slice(lexer, line, reader->closing);
    return line;
}

void string_set_values(Lexer *lexer, StringState string) {
    const uint32_t *pieces = &lexer->pieces.items[string.first_piece];
    const uint32_t count = lexer->pieces.count - string.first_piece;
    Token *tokens = lexer->tokens.items;
    const bool is_raw = string.form == STRING_RAW_LINE || string.form == STRING_RAW_TEXT;
    const bool is_text = string.form == STRING_TEXT || string.form == STRING_RAW_TEXT;
    const uint32_t quotes = is_text ? 3 : 1;
    const uint32_t opening = string.start + quotes + (is_raw ? 1 : 0);

    Reader reader = {
        .lexer = lexer, .is_raw = is_raw, .is_text = is_text, .closing = tokens[pieces[count - 1]].end - quotes
    };
    uint32_t first = opening;
    uint32_t last = reader.closing;
    if (is_text) {
        first = text_start(&reader, string, opening);
        const bool is_on_its_line = first > opening;
        last = is_on_its_line ? text_end(&reader, count == 1 ? first : tokens[pieces[count - 1]].start + 1) : last;
        reader.is_reported = !is_on_its_line || last == reader.closing;
    }
    for (uint32_t i = 0; i < count; i++) {
        Token *token = &tokens[pieces[i]];
        const uint32_t start = i == 0 ? first : token->start + 1;
        const uint32_t end = i + 1 == count ? last : token->end - 2;
        lex_check_text(lexer, start, end);
        token->text = read_piece(&reader, start, end, is_text && i == 0 && first > opening);
    }
}
