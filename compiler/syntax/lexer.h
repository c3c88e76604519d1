// What the files of the lexer share. All others include token.h.
#pragma once

#include "compiler/syntax/ast.h"
#include "compiler/syntax/token.h"

typedef enum {
    STRING_LINE,     // "…"
    STRING_TEXT,     // """…"""
    STRING_RAW_LINE, // r"…"
    STRING_RAW_TEXT, // r"""…"""
} StringForm;

// A string that is being read: it stays open while the expressions in its `${ }` are read.
typedef struct {
    StringForm form;
    uint32_t start;       // of its opening quotes (of the `r` before them)
    uint32_t first_piece; // index in Lexer.pieces of its first one
} StringState;

// An open bracket. Also the `${` of a string, whose closing `}` leads back into the string.
typedef struct {
    TokenKind kind;     // TOKEN_BRACE_OPEN, TOKEN_PAREN_OPEN, TOKEN_SQUARE_OPEN; TOKEN_STRING_HEAD for `${`
    uint32_t token;     // the opening token: of a string, its head
    StringState string; // of `${`
} Bracket;

typedef struct {
    Session *session;
    uint32_t source;
    Str text;
    uint32_t position;     // everything before it belongs to a token or to the trivia of the next one
    uint32_t trivia_start; // end of the last token
    Tokens tokens;
    Bracket brackets[SYNTAX_DEPTH_MAX];
    uint32_t bracket_count;
    VEC(uint32_t) pieces; // tokens of the strings that are open, innermost last
    Diag *tabs;           // the one message about tabs, and the one about foreign blanks: each further place is a fix
    Diag *blanks;
} Lexer;

// ---- lexer.c

// The byte at an offset; 0 behind the end, which is no byte of any token.
char lexer_byte(const Lexer *lexer, size_t offset);
Str lexer_slice(const Lexer *lexer, size_t start, size_t end);
Span lexer_span(const Lexer *lexer, size_t start, size_t end);

// The end of the line that holds `offset`: offset of its line end (of the CR of a CRLF), or of the end of the source.
uint32_t lexer_line_end(const Lexer *lexer, uint32_t offset);

// How many bytes the line end at an offset has: 1, 2 (CRLF), or 0 where there is none.
uint32_t lexer_line_end_length(const Lexer *lexer, uint32_t offset);

// Adds a token from `start` to `end`, and goes on behind it. Returns its index. Its text is its bytes.
uint32_t lexer_push(Lexer *lexer, TokenKind kind, uint32_t start, uint32_t end);

// The token `back` places before the next one, 1 for the last; NULL where there is none.
const Token *lexer_last(const Lexer *lexer, uint32_t back);

// What separates entries, at the current position and `length` bytes long: a token, or trivia where none is wanted.
void lexer_separator(Lexer *lexer, uint32_t length);

// What is left of the source becomes one TOKEN_ERROR: after a limit nothing can be said about it.
void lexer_stop(Lexer *lexer);

bool lexer_is_digit(char c);
bool lexer_is_word(char c); // a letter, a digit or `_`

// ---- lex_bracket.c

// The innermost open bracket, or TOKEN_EOF where none is open.
TokenKind bracket_innermost(const Lexer *lexer);

// Opens a bracket whose token was just pushed. False, and reported, where brackets are nested too deep.
bool bracket_open(Lexer *lexer, Bracket bracket);

// Reads the closing bracket at the current position, and with it what it closes; a `}` may lead back into a string.
void bracket_close(Lexer *lexer, TokenKind kind);

// Called before a token of `kind` is pushed at the current position. If it cannot stand inside the open ( or [, but can
// begin an entry, somebody forgot to close these brackets. Then they are given up, and a separator goes before the
// line.
void bracket_give_up(Lexer *lexer, TokenKind kind);

// ---- lex_string.c

// Reads the string at the current position; `form` says what its opening quotes are.
void lex_string(Lexer *lexer, StringForm form);

// Goes on with a string behind the `}` of an interpolation, at the current position.
void lex_string_rest(Lexer *lexer, StringState string, uint32_t head);

// A line ends here. Where it ends inside the `${ }` of a "…" string, that string is reported and given up.
void lex_string_at_line_end(Lexer *lexer);

// ---- lex_string_value.c

// The value of each piece of a string that was read to its end, the last piece being its last token.
void string_set_values(Lexer *lexer, StringState string);

// ---- lex_number.c

// Reads the number at the current position, with its unit.
void lex_number(Lexer *lexer);

// ---- lex_foreign.c: what other languages have and dt has not

// Reads what begins no token at the current position; always goes on by at least one byte.
void lex_foreign(Lexer *lexer);

// Reports text that needs quotes, from `start` to the end of the word, as one TOKEN_ERROR.
void lex_unquoted(Lexer *lexer, uint32_t start);

// Where a comment (//, /*), a here-document (<<EOF) of another language, a path or an ARN without quotes begins, reports
// it and reads it as what it is.
bool lex_foreign_form(Lexer *lexer);

// Reports control characters in the text from `start` to `end`, which is a comment or a string.
void lex_check_text(Lexer *lexer, uint32_t start, uint32_t end);
