// What the files of the parser share: the place in the tokens, the report of an unexpected token, and the way back into
// step after it. All others include ast.h.
#pragma once

#include "compiler/syntax/ast.h"

typedef struct {
    Session *session;
    uint32_t source;
    const Token *tokens;
    uint32_t count;
    uint32_t position;                    // of the next token; stays at TOKEN_EOF
    int depth;                            // of what is open around the next token
    TokenKind brackets[SYNTAX_DEPTH_MAX]; // the innermost bracket at each depth
    bool is_panicking;                    // something was said about this entry: nothing more until the next one
    bool is_at_entry;                     // the next token begins an entry although no separator stands before it
} Parser;

// ---- parser.c

const Token *parser_token(const Parser *parser); // the next one
const Token *parser_peek(const Parser *parser);  // the one after it, or TOKEN_EOF
bool parser_at(const Parser *parser, TokenKind kind);
bool parser_at_word(const Parser *parser); // a name or a reserved word

// Goes on behind the next token and returns its index.
uint32_t parser_advance(Parser *parser);
bool parser_accept(Parser *parser, TokenKind kind);

// Whether the next token closes what was opened before, or the file ends: entries and items end here.
bool parser_at_end(const Parser *parser);

// Whether a line end stands between a token and the one before it.
bool parser_is_first_of_line(const Parser *parser, uint32_t index);

Span parser_span(const Parser *parser, uint32_t index);
Span parser_span_from(const Parser *parser, uint32_t first); // up to the last token that was read
Span parser_here(const Parser *parser); // the next token; where it is a line end, the place before it
Name parser_name_of(const Parser *parser, uint32_t index);

// Reports that `expected` ("a name", "`=`") does not come next. NULL where nothing was said, because of what was said
// before. Sets is_panicking.
Diag *parser_unexpected(Parser *parser, const char *expected);

// Reads a token of this kind; false, and reported, where another one comes.
bool parser_expect(Parser *parser, TokenKind kind);

// Reads a name for `what` ("a param"); a reserved word is reported and read as one.
bool parser_expect_name(Parser *parser, const char *what, Name *name);

// Reads `=`, and reports what people write instead of it; false where nothing of that kind comes.
bool parser_expect_assign(Parser *parser);

// Reads the token that closes the one at `opening`; where it is not there, reports that, unless something was said.
void parser_close(Parser *parser, uint32_t opening);

// Skips to the next separator of this kind (TOKEN_SEPARATOR or TOKEN_COMMA) at this level, or to what closes the level.
void parser_sync(Parser *parser, TokenKind separator);

// Whether the line ended behind an operator and the next line is an entry of its own, so that a value is missing.
bool parser_is_at_next_entry(const Parser *parser);

// Behind an entry of a block or map: reads the separator, or reports that none comes and skips to it.
void parser_end_entry(Parser *parser);

// Around everything that nests; `bracket` is what was opened, or TOKEN_EOF where it was no bracket. False, and
// reported, where that is too deep: then nothing comes but TOKEN_EOF.
bool parser_enter(Parser *parser, TokenKind bracket);
void parser_leave(Parser *parser);

// After a limit: nothing comes but TOKEN_EOF, and nothing more is said.
void parser_stop(Parser *parser);

// ---- parse_hint.c

// The diagnostic for a token that does not fit: the generic one, or a better one where the mistake is well known.
Diag *hint_unexpected(Parser *parser, const char *expected);

// The `{` that most likely lacks its `}`, judged by the indentation; `opening` itself where that tells nothing.
uint32_t hint_unclosed_brace(const Parser *parser, uint32_t opening);

// ---- parse_expr.c

Expr *parse_expr(Parser *parser);

// The map whose `{` comes next.
Expr *parse_map(Parser *parser);

// The `[ ]` that comes next, and what stands in it.
const Expr *parse_square(Parser *parser);

// A node of the tree, and one above others: `inner` is below it and lies in its span, parentheses included.
Expr *expr_new(Parser *parser, ExprKind kind, Span span);
void expr_enclose(Parser *parser, Expr *expr, const Expr *inner);

// ---- parse_string.c

// A string with or without interpolation; reported, and EXPR_ERROR, where none comes.
Expr *parse_string(Parser *parser);

// ---- parse_type.c

const TypeExpr *parse_type(Parser *parser); // NULL, and reported, where none comes

// ---- parse_item.c

// Items up to the end of the block or file.
Items parse_items(Parser *parser);
