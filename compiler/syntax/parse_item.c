// Items: what stands in a file and in a block, one function for each production. A reader of one kind of item is called
// with its first word as the next token. It gives NULL if the item is too broken to be kept, and has reported why.
#include "compiler/syntax/parser.h"

typedef Item *ItemReader(Parser *parser);

static Item *item_new(Parser *parser, ItemKind kind) {
    Item *item = arena_new(parser->session->arena, Item);
    item->kind = kind;
    return item;
}

// At -> '[' Expr ']' | ~
static const Expr *parse_at(Parser *parser) {
    return parser_at(parser, TOKEN_SQUARE_OPEN) ? parse_square(parser) : NULL;
}

// A string where a block is named: its kind stands before it.
static void unexpected_name(Parser *parser, Str kind) {
    const Token *token = parser_token(parser);
    const bool is_string = token->kind == TOKEN_STRING || token->kind == TOKEN_STRING_HEAD;
    const uint32_t last = token->partner == TOKEN_NO_PARTNER ? parser->position : token->partner;
    const Span start = { .source = parser->source, .start = token->start, .end = token->start };
    const Span end = { .source = parser->source, .start = parser->tokens[last].end, .end = parser->tokens[last].end };
    Diag *diag = parser_unexpected(parser, token_describe(TOKEN_NAME));
    if (diag != NULL && is_string) {
        diag_help(parser->session, diag, "the block of that name is `%.*s[\"…\"]`", STR_ARG(kind));
        diag_fix(parser->session, diag, start, str_format(parser->session->arena, "%.*s[", STR_ARG(kind)));
        diag_fix(parser->session, diag, end, STR("]"));
    }
}

// Ref -> NAME At Dots. False, and reported, where no name comes. `kind` is that of the block.
static bool parse_ref(Parser *parser, Ref *ref, Str kind) {
    VEC(RefStep) steps = { 0 };
    const uint32_t first = parser->position;
    if (!parser_at(parser, TOKEN_NAME)) {
        unexpected_name(parser, kind);
        return false;
    }
    do {
        if (!parser_at_word(parser)) {
            parser_unexpected(parser, token_describe(TOKEN_NAME));
            return false;
        }
        const uint32_t start = parser_advance(parser);
        const Expr *label = parse_at(parser);
        vec_push(parser->session->arena, &steps,
                 (RefStep){
                     .name = parser_name_of(parser, start), .label = label, .span = parser_span_from(parser, start) });
    } while (!parser->is_panicking && parser_accept(parser, TOKEN_DOT));
    *ref = (Ref){ .steps = steps.items, .count = steps.count, .span = parser_span_from(parser, first) };
    return !parser->is_panicking;
}

// Body -> '{' BodyItems '}'. The `{` comes next.
static void parse_body(Parser *parser, Items *body) {
    const uint32_t opening = parser_advance(parser);
    if (!parser_enter(parser, TOKEN_BRACE_OPEN)) {
        return;
    }
    *body = parse_items(parser);
    body->is_open = parser_at(parser, TOKEN_EOF);
    parser_close(parser, opening);
    parser_leave(parser);
}

// Something else than `expected` stands behind what can be an expression.
static void unexpected_behind_expr(Parser *parser, const char *expected) {
    const bool is_assign = parser_at(parser, TOKEN_ASSIGN);
    Diag *diag = parser_unexpected(parser, expected);
    if (diag != NULL && is_assign) {
        diag_help(parser->session, diag, "a comparison is written `==`");
        diag_fix(parser->session, diag, parser_here(parser), STR("=="));
    }
}

// The body behind a head. False if the head cannot be kept. The body is read all the same, so that its mistakes are
// reported as well.
static bool parse_body_behind(Parser *parser, bool is_whole, Items *body) {
    const bool is_line_before_brace =
        parser_at(parser, TOKEN_SEPARATOR) && parser_peek(parser)->kind == TOKEN_BRACE_OPEN && !parser->is_panicking;
    if (is_line_before_brace) {
        const uint32_t line_end = parser_advance(parser);
        Diag *diag = report(parser->session, parser_here(parser), DIAG(brace_on_next_line));
        const Span between = { .source = parser->source,
                               .start = parser->tokens[line_end - 1].end,
                               .end = parser_here(parser).start };
        if (str_trim(source_text(parser->session, between)).len == 0) { // else there is a comment
            diag_fix(parser->session, diag, between, STR(" "));
        }
    }
    const bool has_body = parser_at(parser, TOKEN_BRACE_OPEN);
    if (parser->is_at_entry) {
        return false;
    }
    if (!has_body) {
        unexpected_behind_expr(parser, token_describe(TOKEN_BRACE_OPEN));
    }
    while (!parser_at(parser, TOKEN_BRACE_OPEN)) {
        if (parser_at_end(parser) || parser_at(parser, TOKEN_SEPARATOR)) {
            return false;
        }
        const uint32_t partner = parser_token(parser)->partner;
        parser->position = partner != TOKEN_NO_PARTNER ? partner : parser->position;
        parser_advance(parser);
    }
    parse_body(parser, body);
    return is_whole && has_body;
}

// Label -> NAME | Str
static bool parse_label(Parser *parser, const Expr **label) {
    if (parser_at(parser, TOKEN_STRING) || parser_at(parser, TOKEN_STRING_HEAD)) {
        *label = parse_string(parser);
        return (*label)->kind != EXPR_ERROR;
    }
    Name name = { 0 };
    if (!parser_expect_name(parser, "a label", &name)) {
        return false;
    }
    Expr *expr = expr_new(parser, EXPR_STRING, name.span);
    expr->string = name.text;
    *label = expr;
    return true;
}

// Label Like On Body | 'like' Ref On Body | 'on' Ref Body | Body. The kind was read.
static Item *parse_block(Parser *parser, Name kind) {
    Item *item = item_new(parser, ITEM_BLOCK);
    item->block.kind = kind;
    bool is_whole = true;
    if (!parser_at(parser, TOKEN_LIKE) && !parser_at(parser, TOKEN_ON) && !parser_at(parser, TOKEN_BRACE_OPEN)) {
        is_whole = parse_label(parser, &item->block.label);
    }
    if (is_whole && parser_accept(parser, TOKEN_LIKE)) {
        is_whole = parse_ref(parser, &item->block.like, kind.text);
    }
    if (is_whole && parser_accept(parser, TOKEN_ON)) {
        is_whole = parse_ref(parser, &item->block.on, STR("cluster"));
    }
    return parse_body_behind(parser, is_whole, &item->block.body) ? item : NULL;
}

static Item *parse_attribute(Parser *parser, Name name) {
    Item *item = item_new(parser, ITEM_ATTRIBUTE);
    item->attribute.name = name;
    if (!parser_expect_assign(parser)) {
        return NULL;
    }
    item->attribute.value = parse_expr(parser);
    const bool is_text = parser_at(parser, TOKEN_STRING) || parser_at(parser, TOKEN_STRING_HEAD);
    if (is_text && item->attribute.value->kind == EXPR_NAME) { // which is reported: the name is no value then
        item->attribute.value = expr_new(parser, EXPR_ERROR, item->attribute.value->span);
    }
    return item;
}

// At '=' Expr. The name was read.
static Item *parse_removal(Parser *parser, Name kind) {
    Item *item = item_new(parser, ITEM_REMOVAL);
    item->removal.kind = kind;
    item->removal.label = parse_at(parser);
    const TokenKind next = parser_token(parser)->kind;
    if (next == TOKEN_BRACE_OPEN || next == TOKEN_LIKE || next == TOKEN_ON) {
        Diag *diag = parser_unexpected(parser, "`=`");
        if (diag != NULL) {
            diag_help(parser->session, diag, "the name of a new block has no `[ ]`: `%.*s \"…\" { … }`",
                      STR_ARG(kind.text));
        }
    }
    if (parser->is_panicking || !parser_expect_assign(parser)) {
        return NULL;
    }
    item->removal.value = parse_expr(parser);
    return item;
}

// NAME Named
static Item *parse_named(Parser *parser) {
    const Name name = parser_name_of(parser, parser_advance(parser));
    const TokenKind next = parser_token(parser)->kind;
    if (next == TOKEN_ASSIGN || next == TOKEN_COLON || next == TOKEN_EQUAL) {
        return parse_attribute(parser, name);
    }
    if (next == TOKEN_SQUARE_OPEN) {
        return parse_removal(parser, name);
    }
    const bool is_head = next == TOKEN_NAME || next == TOKEN_STRING || next == TOKEN_STRING_HEAD ||
                         next == TOKEN_ERROR || next == TOKEN_BRACE_OPEN ||
                         (next == TOKEN_SEPARATOR && parser_peek(parser)->kind == TOKEN_BRACE_OPEN);
    if (is_head || token_is_keyword(next)) {
        return parse_block(parser, name);
    }
    parser_unexpected(parser, "`=`, a label or `{`");
    return NULL;
}

// Reports a reserved word in the place of an attribute's name. Nothing else needs to be reported about it.
static Item *parse_reserved(Parser *parser) {
    Name name = { 0 };
    parser_expect_name(parser, "the name of an attribute", &name);
    parse_attribute(parser, name);
    return NULL;
}

// Param -> 'late' 'param' ParamTail | 'param' ParamTail
static Item *parse_param(Parser *parser) {
    Item *item = item_new(parser, ITEM_PARAM);
    item->param.is_late = parser_accept(parser, TOKEN_LATE);
    if (!parser_expect(parser, TOKEN_PARAM) || !parser_expect_name(parser, "a param's name", &item->param.name)) {
        return NULL;
    }
    if (!parser_accept(parser, TOKEN_COLON)) {
        parser_unexpected(parser, "`:` and a type");
        return NULL;
    }
    item->param.type = parse_type(parser);
    if (item->param.type == NULL) {
        return NULL;
    }
    if (!parser->is_panicking && parser_accept(parser, TOKEN_ASSIGN)) {
        item->param.initial = parse_expr(parser);
    }
    return item;
}

// The rest of 'let' and of 'output', whose word comes next.
static Item *parse_definition(Parser *parser, ItemKind kind, const char *what) {
    Item *item = item_new(parser, kind);
    parser_advance(parser);
    if (!parser_expect_name(parser, what, &item->let.name) || !parser_expect_assign(parser)) {
        return NULL;
    }
    item->let.value = parse_expr(parser);
    return item;
}

static Item *parse_let(Parser *parser) {
    return parse_definition(parser, ITEM_LET, "the name of a value");
}

static Item *parse_output(Parser *parser) {
    return parse_definition(parser, ITEM_OUTPUT, "an output's name");
}

static Item *parse_use(Parser *parser) {
    Item *item = item_new(parser, ITEM_USE);
    parser_advance(parser);
    if (!parser_at(parser, TOKEN_STRING)) {
        parser_unexpected(parser, "the path of a file in quotes");
        return NULL;
    }
    item->use.path = parser_name_of(parser, parser_advance(parser));
    const bool is_whole =
        parser_expect(parser, TOKEN_AS) && parser_expect_name(parser, "a file's name", &item->use.name);
    return is_whole ? item : NULL;
}

// The `, "text"` that ends 'assert' and 'allow'; EXPR_ERROR where it is not there. Where what comes before it is wrong,
// the text still belongs to it and must not be taken for an item.
static const Expr *parse_message(Parser *parser, const char *expected) {
    const bool was_fine = !parser->is_panicking;
    if (!parser_at(parser, TOKEN_SEPARATOR)) {
        unexpected_behind_expr(parser, expected);
    }
    if (was_fine && (parser_at(parser, TOKEN_STRING) || parser_at(parser, TOKEN_STRING_HEAD))) {
        return parse_string(parser); // only the comma is missing
    }
    const bool is_reported = parser->is_panicking;
    if (is_reported && !parser->is_at_entry) {
        parser_sync(parser, TOKEN_SEPARATOR);
    }
    const TokenKind next = parser_peek(parser)->kind;
    const bool is_there = next == TOKEN_STRING || next == TOKEN_STRING_HEAD || next == TOKEN_ERROR;
    if (parser_at(parser, TOKEN_SEPARATOR) && is_there && !parser->is_at_entry) {
        parser_advance(parser);
        return parse_string(parser);
    }
    if (!is_reported) {
        const bool is_comma = parser_at(parser, TOKEN_SEPARATOR) && str_is(parser_token(parser)->text, ",");
        if (is_comma) {
            parser_advance(parser); // what stands behind it is the mistake
        }
        parser_unexpected(parser, is_comma ? "a message in quotes" : expected);
    }
    return expr_new(parser, EXPR_ERROR, parser_here(parser));
}

static Item *parse_assert(Parser *parser) {
    Item *item = item_new(parser, ITEM_ASSERT);
    parser_advance(parser);
    item->assertion.condition = parse_expr(parser);
    item->assertion.message = parse_message(parser, "`,` and a message");
    return item->assertion.message->kind != EXPR_ERROR ? item : NULL;
}

static Item *parse_allow(Parser *parser) {
    Item *item = item_new(parser, ITEM_ALLOW);
    parser_advance(parser);
    const bool has_code = parser_expect_name(parser, "a code such as DT0304", &item->allow.code);
    item->allow.reason = parse_message(parser, "`,` and a reason");
    return has_code && item->allow.reason->kind != EXPR_ERROR ? item : NULL;
}

static Item *parse_patch(Parser *parser) {
    Item *item = item_new(parser, ITEM_PATCH);
    parser_advance(parser);
    if (parser_at(parser, TOKEN_NAME)) {
        item->patch.file = parser_name_of(parser, parser_advance(parser));
    }
    if (!parser_at(parser, TOKEN_BRACE_OPEN)) {
        parser_unexpected(parser, token_describe(TOKEN_BRACE_OPEN));
        return NULL;
    }
    item->patch.map = parse_map(parser);
    return item;
}

static Item *parse_resource(Parser *parser) {
    Item *item = item_new(parser, ITEM_RESOURCE);
    parser_advance(parser);
    bool is_whole = parser_at(parser, TOKEN_STRING);
    if (is_whole) {
        item->resource.type = parser_name_of(parser, parser_advance(parser));
        is_whole = parse_label(parser, &item->resource.label);
    } else {
        parser_unexpected(parser, "a type such as \"AWS::S3::Bucket\"");
    }
    return parse_body_behind(parser, is_whole, &item->resource.body) ? item : NULL;
}

static Item *parse_if(Parser *parser) {
    Item *item = item_new(parser, ITEM_IF);
    parser_advance(parser);
    item->branch.condition = parse_expr(parser);
    return parse_body_behind(parser, true, &item->branch.body) ? item : NULL;
}

static Item *parse_for(Parser *parser) {
    Item *item = item_new(parser, ITEM_FOR);
    parser_advance(parser);
    const bool is_whole = parser_expect_name(parser, "the name of what is repeated", &item->loop.variable) &&
                          parser_expect(parser, TOKEN_IN);
    if (is_whole) {
        item->loop.sequence = parse_expr(parser);
    }
    return parse_body_behind(parser, is_whole, &item->loop.body) ? item : NULL;
}

// The text of the `##` lines right above a token that is the first of its line, joined by line ends.
static Str doc_above(const Parser *parser, uint32_t index) {
    const Token *token = &parser->tokens[index];
    const Str text = source_get(parser->session, parser->source)->text;
    StrBuf doc = { .arena = parser->session->arena };
    size_t line = token->start; // where the line below begins
    while (line > token->trivia_start && text.data[line - 1] == ' ') {
        line--;
    }
    // Upwards to the first line of the doc, then down again. A line that begins before the trivia is no comment alone.
    size_t first = line;
    const size_t end = line;
    while (first > token->trivia_start && text.data[first - 1] == '\n') {
        size_t start = first - 1;
        while (start > 0 && text.data[start - 1] != '\n' && start > token->trivia_start) {
            start--;
        }
        const bool is_line_start = start == 0 || text.data[start - 1] == '\n';
        const Str above = str_trim(str_slice(text, start, first));
        if (!is_line_start || !str_starts_with(above, STR("##")) || str_starts_with(above, STR("###"))) {
            break;
        }
        first = start;
    }
    for (size_t start = first; start < end;) {
        const size_t next = str_find(text, STR("\n"), start) + 1;
        const Str above = str_trim(str_slice(text, start, next));
        if (doc.len > 0) {
            strbuf_add_char(&doc, '\n');
        }
        strbuf_add(&doc, str_slice(above, above.len > 2 && above.data[2] == ' ' ? 3 : 2, above.len));
        start = next;
    }
    return strbuf_str(&doc);
}

static Item *parse_item(Parser *parser) {
    static ItemReader *const READERS[TOKEN_COUNT] = {
        [TOKEN_NAME] = parse_named,        [TOKEN_LATE] = parse_param,  [TOKEN_PARAM] = parse_param,
        [TOKEN_LET] = parse_let,           [TOKEN_USE] = parse_use,     [TOKEN_OUTPUT] = parse_output,
        [TOKEN_ASSERT] = parse_assert,     [TOKEN_ALLOW] = parse_allow, [TOKEN_PATCH] = parse_patch,
        [TOKEN_RESOURCE] = parse_resource, [TOKEN_IF] = parse_if,       [TOKEN_FOR] = parse_for,
    };
    const uint32_t first = parser->position;
    const TokenKind kind = parser_token(parser)->kind;
    const bool is_reserved = token_is_keyword(kind) && parser_peek(parser)->kind == TOKEN_ASSIGN;
    ItemReader *const read = is_reserved ? parse_reserved : READERS[kind];
    if (read == NULL) {
        parser_unexpected(parser, "an attribute, a block or a declaration");
        return NULL;
    }
    Item *item = read(parser);
    if (item != NULL) {
        item->span = parser_span_from(parser, first);
        item->keyword = parser_span(parser, first);
        item->doc = doc_above(parser, first);
    }
    return item;
}

Items parse_items(Parser *parser) {
    VEC(const Item *) items = { 0 };
    while (!parser_at_end(parser)) {
        parser->is_panicking = false;
        const Item *item = parse_item(parser);
        if (item != NULL) {
            vec_push(parser->session->arena, &items, item);
        }
        parser_end_entry(parser);
    }
    return (Items){ .items = items.items, .count = items.count };
}
