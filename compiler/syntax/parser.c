// Where the parser stands, and how it goes on after a mistake. The convention: whoever meets something unexpected
// reports it once and sets is_panicking. Then nothing more is reported until a loop over entries, items or arguments
// has skipped to the next one. Skipping is never a guess: the lexer knows which brackets belong together.
#include "compiler/syntax/parser.h"

const Token *parser_token(const Parser *parser) {
    return &parser->tokens[parser->position];
}

const Token *parser_peek(const Parser *parser) {
    const uint32_t last = parser->count - 1;
    return &parser->tokens[parser->position < last ? parser->position + 1 : last];
}

bool parser_at(const Parser *parser, TokenKind kind) {
    return parser_token(parser)->kind == kind;
}

bool parser_at_word(const Parser *parser) {
    return parser_at(parser, TOKEN_NAME) || token_is_keyword(parser_token(parser)->kind);
}

uint32_t parser_advance(Parser *parser) {
    const uint32_t index = parser->position;
    parser->position += index + 1 < parser->count ? 1 : 0;
    return index;
}

bool parser_accept(Parser *parser, TokenKind kind) {
    if (!parser_at(parser, kind)) {
        return false;
    }
    parser_advance(parser);
    return true;
}

static bool closes_something(const Parser *parser, uint32_t index) {
    const uint32_t partner = parser->tokens[index].partner;
    return partner != TOKEN_NO_PARTNER && partner < index;
}

bool parser_at_end(const Parser *parser) {
    return parser_at(parser, TOKEN_EOF) || closes_something(parser, parser->position);
}

static bool has_line_end(Str text) {
    return str_find(text, STR("\n"), 0) < text.len;
}

static bool is_line_end(const Token *token) {
    return token->kind == TOKEN_SEPARATOR && has_line_end(token->text);
}

bool parser_is_first_of_line(const Parser *parser, uint32_t index) {
    const Token *token = &parser->tokens[index];
    const Span trivia = { .source = parser->source, .start = token->trivia_start, .end = token->start };
    return index == 0 || is_line_end(&parser->tokens[index - 1]) || has_line_end(source_text(parser->session, trivia));
}

Span parser_span(const Parser *parser, uint32_t index) {
    const Token *token = &parser->tokens[index];
    return (Span){ .source = parser->source, .start = token->start, .end = token->end };
}

Span parser_span_from(const Parser *parser, uint32_t first) {
    if (parser->position <= first) {
        return parser_span(parser, first);
    }
    return span_join(parser_span(parser, first), parser_span(parser, parser->position - 1));
}

Span parser_here(const Parser *parser) {
    const Token *token = parser_token(parser);
    if (parser->position > 0 && (is_line_end(token) || token->kind == TOKEN_EOF)) {
        const Token *last = &parser->tokens[parser->position - 1];
        const uint32_t end = is_line_end(last) ? last->start : last->end;
        return (Span){ .source = parser->source, .start = end, .end = end };
    }
    return parser_span(parser, parser->position);
}

Name parser_name_of(const Parser *parser, uint32_t index) {
    return (Name){ .text = parser->tokens[index].text, .span = parser_span(parser, index) };
}

Diag *parser_unexpected(Parser *parser, const char *expected) {
    if (parser->is_panicking) {
        return NULL;
    }
    parser->is_panicking = true;
    // The lexer has said what is wrong with a TOKEN_ERROR.
    return parser_at(parser, TOKEN_ERROR) ? NULL : hint_unexpected(parser, expected);
}

bool parser_expect(Parser *parser, TokenKind kind) {
    if (parser_accept(parser, kind)) {
        return true;
    }
    parser_unexpected(parser, token_describe(kind));
    return false;
}

bool parser_expect_name(Parser *parser, const char *what, Name *name) {
    if (!parser_at_word(parser)) {
        parser_unexpected(parser, what);
        return false;
    }
    if (!parser_at(parser, TOKEN_NAME) && !parser->is_panicking) {
        report(parser->session, parser_here(parser), DIAG(reserved_word), STR_ARG(parser_token(parser)->text), what);
        parser->is_panicking = true;
    }
    *name = parser_name_of(parser, parser_advance(parser));
    return true;
}

bool parser_expect_assign(Parser *parser) {
    const Token *sign = parser_token(parser);
    const Token *second = parser_peek(parser);
    const bool is_joined = second->start == sign->end;
    const bool is_arrow = sign->kind == TOKEN_ASSIGN && second->kind == TOKEN_GREATER && is_joined;
    if (sign->kind == TOKEN_ASSIGN && !is_arrow) {
        parser_advance(parser);
        return true;
    }
    if (sign->kind != TOKEN_COLON && sign->kind != TOKEN_EQUAL && !is_arrow) {
        parser_unexpected(parser, "`=`");
        return false;
    }
    const bool is_double = is_arrow || (sign->kind == TOKEN_COLON && second->kind == TOKEN_ASSIGN && is_joined);
    const uint32_t first = parser_advance(parser);
    if (is_double) {
        parser_advance(parser);
    }
    if (parser->is_panicking) {
        return true;
    }
    const Span span = parser_span_from(parser, first);
    Diag *diag = report(parser->session, span, DIAG(assignment_sign), STR_ARG(source_text(parser->session, span)));
    if (parser_at(parser, TOKEN_SEPARATOR)) {
        diag_help(parser->session, diag, "what belongs to a block stands in `{ }` behind its name");
        parser->is_panicking = true; // the value is missing as well, but that is the same mistake
        return true;
    }
    const bool is_apart = first > 0 && parser->tokens[first - 1].end < sign->start;
    diag_fix(parser->session, diag, span, is_apart ? STR("=") : STR(" ="));
    return true;
}

static void report_not_closed(Parser *parser, uint32_t opening) {
    const bool is_file_end = parser_at(parser, TOKEN_EOF);
    const bool is_brace = parser->tokens[opening].kind == TOKEN_BRACE_OPEN;
    const bool is_string = parser->tokens[opening].kind == TOKEN_STRING_HEAD;
    const Str text = is_string ? STR("${") : parser->tokens[opening].text;
    Diag *diag = report(parser->session, parser_here(parser), DIAG(not_closed), STR_ARG(text));
    diag_label(parser->session, diag, parser_span(parser, opening), "opened here");
    const uint32_t suspect = is_brace && is_file_end ? hint_unclosed_brace(parser, opening) : opening;
    if (suspect != opening) {
        diag_label(parser->session, diag, parser_span(parser, suspect),
                   "by the indentation, it is this one that lacks its `}`");
    }
}

void parser_close(Parser *parser, uint32_t opening) {
    static const TokenKind CLOSING[TOKEN_COUNT] = {
        [TOKEN_BRACE_OPEN] = TOKEN_BRACE_CLOSE,
        [TOKEN_PAREN_OPEN] = TOKEN_PAREN_CLOSE,
        [TOKEN_SQUARE_OPEN] = TOKEN_SQUARE_CLOSE,
        [TOKEN_STRING_HEAD] = TOKEN_STRING_TAIL,
    };
    const Token *open = &parser->tokens[opening];
    if (open->partner != parser->position || parser_at(parser, TOKEN_EOF)) {
        if (!parser->is_panicking && !parser_at(parser, TOKEN_ERROR)) {
            report_not_closed(parser, opening);
        }
        parser->is_panicking = true;
        return;
    }
    if (!parser_at(parser, CLOSING[open->kind]) && !parser->is_panicking) {
        const TokenKind right = CLOSING[open->kind];
        Diag *diag = report(parser->session, parser_here(parser), DIAG(wrong_bracket), STR_ARG(open->text),
                            STR_ARG(parser_token(parser)->text));
        diag_label(parser->session, diag, parser_span(parser, opening), "opened here");
        diag_fix(parser->session, diag, parser_here(parser), right == TOKEN_PAREN_CLOSE ? STR(")") : STR("]"));
    }
    parser_advance(parser);
    parser->is_panicking = false;
}

void parser_sync(Parser *parser, TokenKind separator) {
    while (!parser_at_end(parser)) {
        const Token *token = parser_token(parser);
        if (token->kind == separator || token->kind == TOKEN_SEPARATOR) {
            // A separator of entries inside ( ) or [ ] is where the lexer gave these up: no place to go on.
            parser->is_panicking = token->kind != separator;
            return;
        }
        if (token->partner != TOKEN_NO_PARTNER) {
            parser->position = token->partner;
        }
        parser_advance(parser);
    }
}

void parser_end_entry(Parser *parser) {
    if (parser->is_at_entry) {
        parser->is_at_entry = false;
        return;
    }
    if (!parser->is_panicking && !parser_at(parser, TOKEN_SEPARATOR) && !parser_at_end(parser)) {
        const bool is_next = parser_at(parser, TOKEN_NAME) && parser_peek(parser)->kind == TOKEN_ASSIGN;
        Diag *diag = parser_unexpected(parser, token_describe(TOKEN_SEPARATOR));
        if (is_next && diag != NULL && diag->fixes.count == 0 && parser->position > 0) { // `a = 1 b = 2`
            const uint32_t end = parser->tokens[parser->position - 1].end;
            diag_fix(parser->session, diag, (Span){ .source = parser->source, .start = end, .end = end }, STR(","));
        }
    }
    if (parser->is_panicking) {
        parser_sync(parser, TOKEN_SEPARATOR);
    }
    parser_accept(parser, TOKEN_SEPARATOR);
}

static TokenKind innermost(const Parser *parser) {
    return parser->depth > 0 ? parser->brackets[parser->depth - 1] : TOKEN_EOF;
}

bool parser_enter(Parser *parser, TokenKind bracket) {
    if (parser->depth < SYNTAX_DEPTH_MAX) {
        parser->brackets[parser->depth] = bracket != TOKEN_EOF ? bracket : innermost(parser);
        parser->depth++;
        return true;
    }
    // Where the lexer stopped for the same reason, it has said so.
    const Token *last = &parser->tokens[parser->count > 1 ? parser->count - 2 : 0];
    const bool is_cut = last->kind == TOKEN_ERROR && last->end == parser->tokens[parser->count - 1].end;
    if (!parser->is_panicking && !is_cut) {
        report(parser->session, parser_here(parser), DIAG(nested_too_deep), SYNTAX_DEPTH_MAX);
    }
    parser_stop(parser);
    return false;
}

void parser_stop(Parser *parser) {
    parser->is_panicking = true;
    parser->position = parser->count - 1;
}

void parser_leave(Parser *parser) {
    parser->depth--;
}

bool parser_is_at_next_entry(const Parser *parser) {
    const TokenKind bracket = innermost(parser);
    const bool is_among_entries = bracket == TOKEN_EOF || bracket == TOKEN_BRACE_OPEN;
    if (!is_among_entries || parser->position == 0 || !parser_at_word(parser) ||
        parser->tokens[parser->position - 1].kind == TOKEN_SEPARATOR ||
        !parser_is_first_of_line(parser, parser->position)) {
        return false;
    }
    // None of these can stand behind a name that is a value.
    const TokenKind next = parser_peek(parser)->kind;
    return next == TOKEN_ASSIGN || next == TOKEN_NAME || next == TOKEN_STRING || next == TOKEN_STRING_HEAD;
}
