// Strings with interpolation: pieces of text and the expressions between them.
#include "compiler/syntax/parser.h"

// Whether the next token goes on with, or ends, the string whose head is at `head`.
static bool is_at_piece(const Parser *parser, uint32_t head) {
    return parser_token(parser)->partner == head;
}

// Reads the expression of a `${ }` and finds the piece behind it.
static const Expr *parse_part(Parser *parser, uint32_t head) {
    const Expr *part = parse_expr(parser);
    if (!is_at_piece(parser, head)) {
        if (parser->tokens[head].partner != TOKEN_NO_PARTNER) {
            parser_unexpected(parser, token_describe(TOKEN_STRING_TAIL));
        }
        parser_sync(parser, TOKEN_EOF);
    }
    return part;
}

// A string whose head is the next token. Each round reads the piece before a `${` and what follows that.
static Expr *parse_template(Parser *parser) {
    Arena *arena = parser->session->arena;
    const uint32_t head = parser->position;
    VEC(Str) pieces = { 0 };
    VEC(const Expr *) parts = { 0 };
    if (!parser_enter(parser, TOKEN_STRING_HEAD)) {
        return expr_new(parser, EXPR_ERROR, parser_span(parser, head));
    }
    do {
        parser->is_panicking = false;
        vec_push(arena, &pieces, parser->tokens[parser_advance(parser)].text);
        vec_push(arena, &parts, parse_part(parser, head));
    } while (parser_at(parser, TOKEN_STRING_MIDDLE) && is_at_piece(parser, head));

    const bool is_broken = parser_at(parser, TOKEN_ERROR) && is_at_piece(parser, head);
    if (is_broken) {
        parser_advance(parser); // the lexer has said that the string breaks off here
        parser->is_panicking = true;
    } else {
        vec_push(arena, &pieces, parser_token(parser)->text);
        parser_close(parser, head);
    }
    parser_leave(parser);
    Expr *expr = expr_new(parser, is_broken ? EXPR_ERROR : EXPR_TEMPLATE, parser_span_from(parser, head));
    if (!is_broken) {
        expr->template.pieces = pieces.items;
        expr->template.exprs = (Exprs){ .items = parts.items, .count = parts.count };
    }
    for (uint32_t i = 0; i < parts.count; i++) {
        expr_enclose(parser, expr, parts.items[i]);
    }
    return expr;
}

Expr *parse_string(Parser *parser) {
    if (parser_at(parser, TOKEN_STRING_HEAD)) {
        return parse_template(parser);
    }
    const Span here = parser_here(parser);
    if (!parser_at(parser, TOKEN_STRING)) {
        parser_unexpected(parser, token_describe(TOKEN_STRING));
        return expr_new(parser, EXPR_ERROR, here);
    }
    Expr *expr = expr_new(parser, EXPR_STRING, here);
    expr->string = parser->tokens[parser_advance(parser)].text;
    return expr;
}
