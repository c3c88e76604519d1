// Types of params: a name, what it holds in parentheses, and `?` where there may be none.
#include "compiler/syntax/parser.h"

const TypeExpr *parse_type(Parser *parser) {
    const uint32_t first = parser->position;
    if (!parser_at(parser, TOKEN_NAME)) {
        parser_unexpected(parser, "a type");
        return NULL;
    }
    TypeExpr *type = arena_new(parser->session->arena, TypeExpr);
    type->name = parser_name_of(parser, parser_advance(parser));
    const uint32_t opening = parser->position;
    if (parser_accept(parser, TOKEN_PAREN_OPEN)) {
        if (!parser_enter(parser, TOKEN_PAREN_OPEN)) {
            return NULL;
        }
        type->argument = parse_type(parser);
        if (!parser_at_end(parser)) {
            parser_unexpected(parser, token_describe(TOKEN_PAREN_CLOSE));
            parser_sync(parser, TOKEN_EOF);
        }
        parser_close(parser, opening);
        parser_leave(parser);
        if (type->argument == NULL) {
            return NULL;
        }
    } else if (parser_at(parser, TOKEN_SQUARE_OPEN) || parser_at(parser, TOKEN_LESS)) {
        const Token *open = parser_token(parser);
        Diag *diag = parser_unexpected(parser, token_describe(TOKEN_PAREN_OPEN));
        if (diag != NULL) {
            diag_help(parser->session, diag, "a list of strings is `list(string)`");
            if (open->kind == TOKEN_SQUARE_OPEN && open->partner != TOKEN_NO_PARTNER) {
                diag_fix(parser->session, diag, parser_here(parser), STR("("));
                diag_fix(parser->session, diag, parser_span(parser, open->partner), STR(")"));
            }
        }
        return NULL;
    }
    type->is_optional = parser_accept(parser, TOKEN_QUESTION);
    type->span = parser_span_from(parser, first);
    return type;
}
