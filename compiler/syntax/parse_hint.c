// Reports a token that does not fit. Mostly the message is "expected this, found that". People who know other languages
// make some mistakes every day, and those mistakes have messages of their own.
#include "compiler/syntax/parser.h"

enum { FOUND_BYTES_MAX = 40 }; // of a token in a message

static const struct {
    const char *word;
    const char *help;
    const char *instead; // what the word means here; NULL where that takes more than another word
} FOREIGN_WORDS[] = {
    { "and", "write `&&`", "&&" },
    { "or", "write `||`", "||" },
    { "not", "write `!`", NULL },
    { "is", "write `==`", "==" },
    { "then", "write `condition ? a : b`", NULL },
    { "from", "`like` copies another block", NULL },
    { "extends", "`like` copies another block", NULL },
};

static Str found(const Parser *parser) {
    const Token *token = parser_token(parser);
    const bool is_string = token->kind == TOKEN_STRING || token->kind == TOKEN_STRING_HEAD ||
                           token->kind == TOKEN_STRING_MIDDLE || token->kind == TOKEN_STRING_TAIL;
    if (token->kind == TOKEN_SEPARATOR && str_find(token->text, STR("\n"), 0) < token->text.len) {
        return STR("the end of the line");
    }
    if (is_string || token->kind == TOKEN_EOF) {
        return str_of(token_describe(token->kind));
    }
    const bool is_long = token->text.len > FOUND_BYTES_MAX;
    return str_format(parser->session->arena, "`%.*s%s`", STR_ARG(str_slice(token->text, 0, FOUND_BYTES_MAX)),
                      is_long ? "…" : "");
}

static const Token *before(const Parser *parser) {
    return parser->position > 0 ? &parser->tokens[parser->position - 1] : parser_token(parser);
}

static bool is_else(const Token *token) {
    return token->kind == TOKEN_ELSE ||
           (token->kind == TOKEN_NAME &&
            (str_is(token->text, "elif") || str_is(token->text, "elsif") || str_is(token->text, "elseif")));
}

static bool is_comparison(TokenKind kind) {
    return kind == TOKEN_EQUAL || kind == TOKEN_NOT_EQUAL || kind == TOKEN_LESS || kind == TOKEN_LESS_EQUAL ||
           kind == TOKEN_GREATER || kind == TOKEN_GREATER_EQUAL;
}

// A mistake that has a message of its own, or NULL.
static Diag *report_known(Parser *parser) {
    Session *session = parser->session;
    const Token *token = parser_token(parser);
    const Token *last = before(parser);
    const Span here = parser_here(parser);
    const bool is_closing =
        token->kind == TOKEN_BRACE_CLOSE || token->kind == TOKEN_PAREN_CLOSE || token->kind == TOKEN_SQUARE_CLOSE;
    if (is_closing && token->partner == TOKEN_NO_PARTNER) {
        return report(session, here, DIAG(not_opened), STR_ARG(token->text));
    }
    if (is_else(token)) {
        return report(session, here, DIAG(no_else), STR_ARG(token->text));
    }
    if (token->kind == TOKEN_DT) {
        Diag *diag = report(session, here, DIAG(edition_again));
        const Token *edition = parser_peek(parser);
        if (edition->kind == TOKEN_INT && str_is(edition->text, "1") && edition->start > token->start) {
            diag_fix(session, diag, (Span){ .source = parser->source, .start = token->start, .end = edition->end },
                     STR_NONE);
        }
        return diag;
    }
    if (token->kind == TOKEN_NAME && token_is_unit(token->text) &&
        (last->kind == TOKEN_INT || last->kind == TOKEN_DECIMAL)) {
        Diag *diag = report(session, here, DIAG(unit_apart), STR_ARG(last->text), STR_ARG(token->text));
        diag_fix(session, diag, (Span){ .source = parser->source, .start = last->end, .end = token->start }, STR_NONE);
        return diag;
    }
    return NULL;
}

// What to do, where the token that was found or the one before it tells.
static void add_help(Parser *parser, Diag *diag, const char *expected) {
    Session *session = parser->session;
    const Token *token = parser_token(parser);
    const Token *last = before(parser);
    for (size_t i = 0; i < COUNT_OF(FOREIGN_WORDS); i++) {
        const bool is_it = token->kind == TOKEN_NAME && str_is(token->text, FOREIGN_WORDS[i].word);
        const bool is_before_it = last->kind == TOKEN_NAME && str_is(last->text, FOREIGN_WORDS[i].word);
        if (is_it || is_before_it) {
            diag_help(session, diag, "%s", FOREIGN_WORDS[i].help);
        }
        // `is not` would become `== not`.
        if (is_it && FOREIGN_WORDS[i].instead != NULL && !str_is(parser_peek(parser)->text, "not")) {
            diag_fix(session, diag, parser_here(parser), str_of(FOREIGN_WORDS[i].instead));
        }
    }
    const bool is_text = token->kind == TOKEN_STRING || token->kind == TOKEN_STRING_HEAD;
    const bool names_block = last->kind == TOKEN_LIKE || last->kind == TOKEN_ON;
    if (is_text && last->kind == TOKEN_NAME) {
        diag_help(session, diag, "a block or an item of this name is `%.*s[\"…\"]`", STR_ARG(last->text));
    }
    const bool wants_value = str_is(str_of(expected), "a value");
    const bool wants_name = str_is(str_of(expected), token_describe(TOKEN_NAME));
    const bool is_behind_choice = last->kind == TOKEN_QUESTION || last->kind == TOKEN_COLON;
    if (token->kind == TOKEN_SEPARATOR && is_behind_choice && wants_value) {
        diag_help(session, diag, "a line does not go on behind `?` and `:`; inside `( )` it does");
    } else if (token->kind == TOKEN_MINUS && last->kind == TOKEN_NAME && last->end == token->start) {
        diag_help(session, diag, "a name does not end in `-`");
    } else if (token->kind == TOKEN_INT && last->kind == TOKEN_DOT) {
        diag_help(session, diag, "an item of a list is `[%.*s]`", STR_ARG(token->text));
        diag_fix(session, diag, (Span){ .source = parser->source, .start = last->start, .end = token->end },
                 str_format(session->arena, "[%.*s]", STR_ARG(token->text)));
    } else if (token->kind == TOKEN_LIKE && !wants_value) {
        diag_help(session, diag, "`like` stands behind the label and before `on`");
    } else if (token->kind == TOKEN_STRING_HEAD && !names_block) {
        diag_help(session, diag, "`${ }` can stand in values, labels and messages only");
    } else if (token_is_keyword(token->kind) && (wants_value || wants_name)) {
        diag_note(session, diag, "`%.*s` is a reserved word", STR_ARG(token->text));
    }
}

static bool is_operator(TokenKind kind) {
    static const bool IS_OPERATOR[TOKEN_COUNT] = {
        [TOKEN_DEFAULT] = true,  [TOKEN_OR] = true,    [TOKEN_AND] = true,   [TOKEN_PLUS] = true,
        [TOKEN_MINUS] = true,    [TOKEN_STAR] = true,  [TOKEN_SLASH] = true, [TOKEN_PERCENT] = true,
        [TOKEN_QUESTION] = true, [TOKEN_COLON] = true, [TOKEN_RANGE] = true, [TOKEN_DOT] = true,
    };
    return IS_OPERATOR[kind] || is_comparison(kind);
}

// An operator that can stand at the end of a line, and that means nothing else at the beginning of one. A sign such as
// `+` may come from a diff, or from a list in YAML.
static bool belongs_to_line_before(TokenKind kind) {
    return kind == TOKEN_AND || kind == TOKEN_OR || kind == TOKEN_DEFAULT;
}

// Moves the operator that comes next to the end of the entry before it.
static void fix_operator(Parser *parser, Diag *diag) {
    const Token *token = parser_token(parser);
    const Token *next = parser_peek(parser);
    uint32_t last = parser->position;
    while (last > 0 && parser->tokens[last - 1].kind == TOKEN_SEPARATOR) {
        last--;
    }
    if (last == 0 || next->kind == TOKEN_SEPARATOR || next->kind == TOKEN_EOF) {
        return;
    }
    const uint32_t end = parser->tokens[last - 1].end;
    diag_fix(parser->session, diag, (Span){ .source = parser->source, .start = end, .end = end },
             str_format(parser->session->arena, " %.*s", STR_ARG(token->text)));
    diag_fix(parser->session, diag, (Span){ .source = parser->source, .start = token->start, .end = next->start },
             STR_NONE);
}

Diag *hint_unexpected(Parser *parser, const char *expected) {
    Diag *diag = report_known(parser);
    if (diag != NULL) {
        return diag;
    }
    const Str instead = found(parser);
    diag = report(parser->session, parser_here(parser), DIAG(unexpected_token), expected, STR_ARG(instead));
    if (is_operator(parser_token(parser)->kind) && parser_is_first_of_line(parser, parser->position)) {
        diag_help(parser->session, diag, "a line goes on behind an operator, not before one");
        if (belongs_to_line_before(parser_token(parser)->kind)) {
            fix_operator(parser, diag);
        }
    } else {
        add_help(parser, diag, expected);
    }
    return diag;
}

uint32_t hint_unclosed_brace(const Parser *parser, uint32_t opening) {
    uint32_t *indentation = arena_new_array(parser->session->arena, uint32_t, parser->count);
    uint32_t current = 0;
    for (uint32_t i = 0; i < parser->count; i++) {
        const Token *token = &parser->tokens[i];
        const bool is_first = parser_is_first_of_line(parser, i);
        if (is_first) {
            // Trivia may hold comments; what matters is the blanks behind its last line end.
            const Str text = source_text(
                parser->session, (Span){ .source = parser->source, .start = token->trivia_start, .end = token->start });
            current = 0;
            while (current < text.len && text.data[text.len - 1 - current] == ' ') {
                current++;
            }
        }
        indentation[i] = current;
        const uint32_t partner = token->partner;
        if (token->kind == TOKEN_BRACE_CLOSE && is_first && partner != TOKEN_NO_PARTNER && partner > opening &&
            indentation[partner] > current) {
            return partner;
        }
    }
    return opening;
}
