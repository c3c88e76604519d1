// Reads strings. A string without `${ }` is one token; one with them is a head, middles and a tail, with the tokens of
// the expressions between. Only the ends of the pieces are found here. What a piece means can depend on the indentation
// of the closing quotes. So values are worked out when a string is whole (lex_string_value.c).
#include "compiler/syntax/lexer.h"

static bool is_raw(StringForm form) {
    return form == STRING_RAW_LINE || form == STRING_RAW_TEXT;
}

static bool is_text(StringForm form) {
    return form == STRING_TEXT || form == STRING_RAW_TEXT;
}

typedef enum {
    PIECE_CLOSED, // by the closing quotes
    PIECE_EXPR,   // by `${`
    PIECE_BROKEN, // by the end of the line, or of the source
} PieceEnd;

// Offset of what ends the piece that goes on at `offset`.
static uint32_t find_piece_end(const Lexer *lexer, StringForm form, uint32_t offset, PieceEnd *end) {
    for (;; offset++) {
        const char c = lexer_byte(lexer, offset);
        const char next = lexer_byte(lexer, (size_t)offset + 1);
        if (offset >= lexer->text.len || (!is_text(form) && lexer_line_end_length(lexer, offset) > 0)) {
            *end = PIECE_BROKEN;
            return offset;
        }
        if (c == '"' && (!is_text(form) || (next == '"' && lexer_byte(lexer, (size_t)offset + 2) == '"'))) {
            *end = PIECE_CLOSED;
            return offset;
        }
        if (!is_raw(form) && c == '$' && next == '{') {
            *end = PIECE_EXPR;
            return offset;
        }
        if (!is_raw(form) && c == '\\' && (next == '"' || next == '\\' || next == '$')) {
            offset++;
        }
    }
}

// Index of the outermost open `${` that belongs to a "…" string; bracket_count where there is none.
static uint32_t outermost_line(const Lexer *lexer) {
    uint32_t i = 0;
    while (i < lexer->bracket_count &&
           !(lexer->brackets[i].kind == TOKEN_STRING_HEAD && !is_text(lexer->brackets[i].string.form))) {
        i++;
    }
    return i;
}

static void report_broken_line(Lexer *lexer, StringState string, uint32_t end) {
    Diag *diag = report(lexer->session, lexer_span(lexer, string.start, end), DIAG(string_not_closed));
    diag_help(lexer->session, diag, "close it with `\"`; a text of several lines stands between `\"\"\"` and `\"\"\"`");
}

// Gives up the string of an open `${`, and all that is open inside of it: a TOKEN_ERROR up to `end` closes it.
static void give_up(Lexer *lexer, uint32_t bracket, uint32_t end) {
    const uint32_t head = lexer->brackets[bracket].token;
    lexer->pieces.count = lexer->brackets[bracket].string.first_piece;
    lexer->bracket_count = bracket;
    const uint32_t token = lexer_push(lexer, TOKEN_ERROR, lexer->position, end);
    lexer->tokens.items[token].partner = head;
    lexer->tokens.items[head].partner = token;
}

void lex_string_at_line_end(Lexer *lexer) {
    const uint32_t line = outermost_line(lexer);
    if (line < lexer->bracket_count) {
        report_broken_line(lexer, lexer->brackets[line].string, lexer->position);
        give_up(lexer, line, lexer->position);
    }
}

// The end of the line or of the source came before the closing quotes. A head that is open already gets the TOKEN_ERROR
// as its partner; without one the string is that token and nothing else.
static void break_piece(Lexer *lexer, StringState string, uint32_t head, uint32_t start, uint32_t end) {
    if (is_text(string.form)) {
        const uint32_t quotes = string.start + (is_raw(string.form) ? 4 : 3);
        report(lexer->session, lexer_span(lexer, string.start, quotes), DIAG(text_not_closed));
    } else if (outermost_line(lexer) < lexer->bracket_count) {
        lexer->position = end; // the line end that follows reports the outermost string, once
        return;
    } else {
        report_broken_line(lexer, string, end);
    }
    lexer->pieces.count = string.first_piece;
    const uint32_t token = lexer_push(lexer, TOKEN_ERROR, start, end);
    if (head != TOKEN_NO_PARTNER) {
        lexer->tokens.items[token].partner = head;
        lexer->tokens.items[head].partner = token;
    }
}

// Reads one piece: the token starts at `start` (quotes or `}`), its text at `content`. `head` is the index of the head,
// or TOKEN_NO_PARTNER where this is the first piece.
static void lex_piece(Lexer *lexer, StringState string, uint32_t head, uint32_t start, uint32_t content) {
    const bool is_first = head == TOKEN_NO_PARTNER;
    PieceEnd how = PIECE_BROKEN;
    const uint32_t end = find_piece_end(lexer, string.form, content, &how);
    if (how == PIECE_BROKEN) {
        break_piece(lexer, string, head, start, end);
        return;
    }
    const bool is_closed = how == PIECE_CLOSED;
    const TokenKind kind = is_closed ? (is_first ? TOKEN_STRING : TOKEN_STRING_TAIL)
                                     : (is_first ? TOKEN_STRING_HEAD : TOKEN_STRING_MIDDLE);
    const uint32_t length = is_closed ? (is_text(string.form) ? 3 : 1) : 2;
    const uint32_t token = lexer_push(lexer, kind, start, end + length);
    vec_push(lexer->session->arena, &lexer->pieces, token);
    if (!is_first) {
        lexer->tokens.items[token].partner = head;
    }
    if (is_closed) {
        if (!is_first) {
            lexer->tokens.items[head].partner = token;
        }
        string_set_values(lexer, string);
        lexer->pieces.count = string.first_piece;
    } else {
        bracket_open(lexer, (Bracket){ .kind = TOKEN_STRING_HEAD, .token = is_first ? token : head, .string = string });
    }
}

void lex_string(Lexer *lexer, StringForm form) {
    const uint32_t start = lexer->position;
    const uint32_t content = start + (is_raw(form) ? 1 : 0) + (is_text(form) ? 3 : 1);
    const StringState string = { .form = form, .start = start, .first_piece = lexer->pieces.count };
    if (is_text(form) && outermost_line(lexer) < lexer->bracket_count) {
        // A text has line ends, and the "…" string around it may not.
        lexer->position = lexer_line_end(lexer, start);
        return;
    }
    lex_piece(lexer, string, TOKEN_NO_PARTNER, start, content);
}

void lex_string_rest(Lexer *lexer, StringState string, uint32_t head) {
    lex_piece(lexer, string, head, lexer->position, lexer->position + 1);
}
