// Expressions: one function for each production of the grammar, in its order, loosest operator first. Chains of one
// operator are loops and grow to the left; only what nests recurses, and that is counted.
#include "compiler/syntax/parser.h"

// What the tree of others does not show: where an expression begins and ends with its parentheses, and its height.
typedef struct {
    Expr expr; // first, so that an Expr of ours is a Node
    Span outer;
    uint32_t height;
} Node;

static Expr *parse_default(Parser *parser);
static Expr *parse_or(Parser *parser);
static Expr *parse_and(Parser *parser);
static Expr *parse_comparison(Parser *parser);
static Expr *parse_range(Parser *parser);
static Expr *parse_sum(Parser *parser);
static Expr *parse_product(Parser *parser);
static Expr *parse_unary(Parser *parser);
static Expr *parse_postfix(Parser *parser);
static Expr *parse_primary(Parser *parser);

static Span outer_span(const Expr *expr) {
    return ((const Node *)expr)->outer;
}

static void set_span(Expr *expr, Span span) {
    expr->span = span;
    ((Node *)expr)->outer = span;
}

Expr *expr_new(Parser *parser, ExprKind kind, Span span) {
    Node *node = arena_new(parser->session->arena, Node);
    node->expr.kind = kind;
    set_span(&node->expr, span);
    return &node->expr;
}

void expr_enclose(Parser *parser, Expr *expr, const Expr *inner) {
    Node *node = (Node *)expr;
    const uint32_t height = ((const Node *)inner)->height + 1;
    node->height = height > node->height ? height : node->height;
    node->outer = span_join(expr->span, outer_span(inner));
    expr->span = node->outer;
    if (node->height > SYNTAX_EXPR_HEIGHT_MAX && !parser->is_panicking) {
        const uint32_t last = parser->position > 0 ? parser->position - 1 : 0;
        report(parser->session, parser_span(parser, last), DIAG(expression_too_long), SYNTAX_EXPR_HEIGHT_MAX);
        parser_stop(parser);
    }
}

static Expr *error_here(Parser *parser) {
    return expr_new(parser, EXPR_ERROR, parser_here(parser));
}

// Reads an operator, unless a mistake ended the expression.
static bool accept_operator(Parser *parser, TokenKind kind) {
    return !parser->is_panicking && parser_accept(parser, kind);
}

// The operator is the token that was read last; the operand behind it comes next.
static Expr *binary(Parser *parser, BinaryOp op, Expr *left, Expr *(*parse_right)(Parser *)) {
    const Span op_span = parser_span(parser, parser->position - 1);
    Expr *right = parse_right(parser);
    Expr *expr = expr_new(parser, EXPR_BINARY, op_span);
    expr->binary.op = op;
    expr->binary.op_span = op_span;
    expr->binary.left = left;
    expr->binary.right = right;
    expr_enclose(parser, expr, left);
    expr_enclose(parser, expr, right);
    return expr;
}

// An arm of a choice. A line end before it is reported; the arm is read all the same, and nothing more said about it.
static Expr *parse_arm(Parser *parser) {
    if (parser_at(parser, TOKEN_SEPARATOR) && !parser->is_panicking) {
        parser_unexpected(parser, "a value");
        parser_advance(parser);
    }
    return parse_expr(parser);
}

// Expr -> Coal Cond
Expr *parse_expr(Parser *parser) {
    Expr *condition = parse_default(parser);
    if (!accept_operator(parser, TOKEN_QUESTION) || !parser_enter(parser, TOKEN_EOF)) {
        return condition;
    }
    Expr *expr = expr_new(parser, EXPR_CONDITIONAL, outer_span(condition));
    expr->conditional.condition = condition;
    expr->conditional.then = parse_arm(parser);
    const bool has_colon = parser_expect(parser, TOKEN_COLON);
    expr->conditional.otherwise = has_colon ? parse_arm(parser) : error_here(parser);
    parser_leave(parser);
    expr_enclose(parser, expr, condition);
    expr_enclose(parser, expr, expr->conditional.then);
    expr_enclose(parser, expr, expr->conditional.otherwise);
    return expr;
}

// Coal -> Or CoalT
static Expr *parse_default(Parser *parser) {
    Expr *left = parse_or(parser);
    while (accept_operator(parser, TOKEN_DEFAULT)) {
        left = binary(parser, BINARY_DEFAULT, left, parse_or);
    }
    return left;
}

// Or -> And OrT
static Expr *parse_or(Parser *parser) {
    Expr *left = parse_and(parser);
    while (accept_operator(parser, TOKEN_OR)) {
        left = binary(parser, BINARY_OR, left, parse_and);
    }
    return left;
}

// And -> Cmp AndT
static Expr *parse_and(Parser *parser) {
    Expr *left = parse_comparison(parser);
    while (accept_operator(parser, TOKEN_AND)) {
        left = binary(parser, BINARY_AND, left, parse_comparison);
    }
    return left;
}

static const struct {
    TokenKind kind;
    BinaryOp op;
} COMPARISONS[] = {
    { TOKEN_EQUAL, BINARY_EQUAL },     { TOKEN_NOT_EQUAL, BINARY_NOT_EQUAL },
    { TOKEN_LESS, BINARY_LESS },       { TOKEN_LESS_EQUAL, BINARY_LESS_EQUAL },
    { TOKEN_GREATER, BINARY_GREATER }, { TOKEN_GREATER_EQUAL, BINARY_GREATER_EQUAL },
};

static bool at_comparison(const Parser *parser) {
    for (size_t i = 0; i < COUNT_OF(COMPARISONS); i++) {
        if (parser_at(parser, COMPARISONS[i].kind)) {
            return true;
        }
    }
    return false;
}

// Cmp -> Range CmpT
static Expr *parse_comparison(Parser *parser) {
    Expr *left = parse_range(parser);
    for (size_t i = 0; i < COUNT_OF(COMPARISONS); i++) {
        if (accept_operator(parser, COMPARISONS[i].kind)) {
            left = binary(parser, COMPARISONS[i].op, left, parse_range);
            if (at_comparison(parser) && !parser->is_panicking) {
                report(parser->session, parser_here(parser), DIAG(chained_comparison));
                parser->is_panicking = true;
            }
            break;
        }
    }
    return left;
}

// Range -> Sum RangeT
static Expr *parse_range(Parser *parser) {
    Expr *low = parse_sum(parser);
    if (!accept_operator(parser, TOKEN_RANGE)) {
        return low;
    }
    Expr *expr = expr_new(parser, EXPR_RANGE, outer_span(low));
    expr->range.low = low;
    expr->range.high = parse_sum(parser);
    expr_enclose(parser, expr, low);
    expr_enclose(parser, expr, expr->range.high);
    if (parser_at(parser, TOKEN_RANGE) && !parser->is_panicking) {
        report(parser->session, parser_here(parser), DIAG(chained_range));
        parser->is_panicking = true;
    }
    return expr;
}

// Sum -> Prod SumT
static Expr *parse_sum(Parser *parser) {
    Expr *left = parse_product(parser);
    for (;;) {
        if (accept_operator(parser, TOKEN_PLUS)) {
            left = binary(parser, BINARY_ADD, left, parse_product);
        } else if (accept_operator(parser, TOKEN_MINUS)) {
            left = binary(parser, BINARY_SUBTRACT, left, parse_product);
        } else {
            return left;
        }
    }
}

// Prod -> Unary ProdT
static Expr *parse_product(Parser *parser) {
    Expr *left = parse_unary(parser);
    for (;;) {
        if (accept_operator(parser, TOKEN_STAR)) {
            left = binary(parser, BINARY_MULTIPLY, left, parse_unary);
        } else if (accept_operator(parser, TOKEN_SLASH)) {
            left = binary(parser, BINARY_DIVIDE, left, parse_unary);
        } else if (accept_operator(parser, TOKEN_PERCENT)) {
            left = binary(parser, BINARY_REMAINDER, left, parse_unary);
        } else {
            return left;
        }
    }
}

// Unary -> '!' Unary | '-' Unary | Prim Post
static Expr *parse_unary(Parser *parser) {
    const uint32_t first = parser->position;
    const bool is_not = parser_accept(parser, TOKEN_NOT);
    if (!is_not && !parser_accept(parser, TOKEN_MINUS)) {
        return parse_postfix(parser);
    }
    if (!parser_enter(parser, TOKEN_EOF)) {
        return error_here(parser);
    }
    Expr *expr = expr_new(parser, EXPR_UNARY, parser_span(parser, first));
    expr->unary.op = is_not ? UNARY_NOT : UNARY_MINUS;
    expr->unary.operand = parse_unary(parser);
    parser_leave(parser);
    expr_enclose(parser, expr, expr->unary.operand);
    return expr;
}

const Expr *parse_square(Parser *parser) {
    const uint32_t opening = parser_advance(parser);
    if (!parser_enter(parser, TOKEN_SQUARE_OPEN)) {
        return error_here(parser);
    }
    const Expr *inner = parse_expr(parser);
    if (!parser_at_end(parser) && !parser_at(parser, TOKEN_SEPARATOR)) {
        parser_unexpected(parser, token_describe(TOKEN_SQUARE_CLOSE));
        parser_sync(parser, TOKEN_EOF);
    }
    parser_close(parser, opening);
    parser_leave(parser);
    return inner;
}

static Expr *parse_index(Parser *parser, Expr *object) {
    const uint32_t opening = parser->position;
    const Expr *index = parse_square(parser);
    Expr *expr = expr_new(parser, EXPR_INDEX, outer_span(object));
    expr->index.object = object;
    expr->index.index = index;
    expr_enclose(parser, expr, object);
    expr_enclose(parser, expr, index);
    set_span(expr, span_join(expr->span, parser_span_from(parser, opening)));
    return expr;
}

// Post -> '.' WORD Post | '[' Expr ']' Post | ~
static Expr *parse_postfix(Parser *parser) {
    Expr *object = parse_primary(parser);
    for (;;) {
        if (parser_at(parser, TOKEN_SQUARE_OPEN) && !parser->is_panicking) {
            object = parse_index(parser, object);
        } else if (accept_operator(parser, TOKEN_DOT)) {
            if (!parser_at_word(parser)) {
                parser_unexpected(parser, token_describe(TOKEN_NAME));
                return object;
            }
            const Name name = parser_name_of(parser, parser_advance(parser));
            Expr *expr = expr_new(parser, EXPR_FIELD, name.span);
            expr->field.object = object;
            expr->field.name = name;
            expr_enclose(parser, expr, object);
            object = expr;
        } else {
            return object;
        }
    }
}

// Args -> Expr ArgsRest | ~
// The arguments or items up to the bracket that closes the one at `opening`, which was read.
static Exprs parse_arguments(Parser *parser, uint32_t opening) {
    VEC(const Expr *) items = { 0 };
    while (!parser_at_end(parser) && !parser_at(parser, TOKEN_SEPARATOR)) {
        const Expr *item = parse_expr(parser);
        vec_push(parser->session->arena, &items, item);
        const bool is_fine =
            parser_at(parser, TOKEN_COMMA) || parser_at(parser, TOKEN_SEPARATOR) || parser_at_end(parser);
        if (!is_fine) {
            parser_unexpected(parser, parser->tokens[opening].kind == TOKEN_PAREN_OPEN ? "`,` or `)`" : "`,` or `]`");
        }
        if (parser->is_panicking) {
            parser_sync(parser, TOKEN_COMMA);
        }
        parser_accept(parser, TOKEN_COMMA);
    }
    parser_close(parser, opening);
    return (Exprs){ .items = items.items, .count = items.count };
}

// A name alone, or a call: NAME Call.
static Expr *parse_name(Parser *parser) {
    const Name name = parser_name_of(parser, parser_advance(parser));
    const uint32_t opening = parser->position;
    if (!parser_accept(parser, TOKEN_PAREN_OPEN)) {
        Expr *expr = expr_new(parser, EXPR_NAME, name.span);
        expr->name = name.text;
        return expr;
    }
    Expr *expr = expr_new(parser, EXPR_CALL, name.span);
    expr->call.function = name;
    if (parser_enter(parser, TOKEN_PAREN_OPEN)) {
        expr->call.arguments = parse_arguments(parser, opening);
        parser_leave(parser);
    }
    for (uint32_t i = 0; i < expr->call.arguments.count; i++) {
        expr_enclose(parser, expr, expr->call.arguments.items[i]);
    }
    set_span(expr, span_join(name.span, parser_span_from(parser, opening)));
    return expr;
}

// List -> '[' Args ']'
static Expr *parse_list(Parser *parser) {
    const uint32_t opening = parser_advance(parser);
    Expr *expr = expr_new(parser, EXPR_LIST, parser_span(parser, opening));
    if (parser_enter(parser, TOKEN_SQUARE_OPEN)) {
        expr->list = parse_arguments(parser, opening);
        parser_leave(parser);
    }
    for (uint32_t i = 0; i < expr->list.count; i++) {
        expr_enclose(parser, expr, expr->list.items[i]);
    }
    set_span(expr, parser_span_from(parser, opening));
    return expr;
}

// '(' Expr ')': the expression inside, which remembers how far its parentheses reach.
static Expr *parse_group(Parser *parser) {
    const uint32_t opening = parser_advance(parser);
    if (!parser_enter(parser, TOKEN_PAREN_OPEN)) {
        return error_here(parser);
    }
    Expr *inner = parse_expr(parser);
    if (!parser_at_end(parser) && !parser_at(parser, TOKEN_SEPARATOR)) {
        parser_unexpected(parser, token_describe(TOKEN_PAREN_CLOSE));
        parser_sync(parser, TOKEN_EOF);
    }
    parser_close(parser, opening);
    parser_leave(parser);
    ((Node *)inner)->outer = parser_span_from(parser, opening);
    return inner;
}

// Entry -> Key '=' Expr. False where it has no key; then nothing was added.
static bool parse_entry(Parser *parser, MapEntry *entry) {
    if (!parser_at_word(parser) && !parser_at(parser, TOKEN_STRING)) {
        parser_unexpected(parser, "a key");
        return false;
    }
    entry->key = parser_name_of(parser, parser_advance(parser));
    if (parser_at(parser, TOKEN_BRACE_OPEN)) {
        const Span here = parser_here(parser);
        const Str brace = str_of(token_describe(TOKEN_BRACE_OPEN));
        Diag *diag =
            report(parser->session, here, DIAG(unexpected_token), token_describe(TOKEN_ASSIGN), STR_ARG(brace));
        diag_help(parser->session, diag, "a map inside a map is the value of a key: `%.*s = { … }`",
                  STR_ARG(entry->key.text));
        diag_fix(parser->session, diag, (Span){ .source = here.source, .start = here.start, .end = here.start },
                 STR("= "));
        entry->value = parse_map(parser);
        return true;
    }
    entry->value = parser_expect_assign(parser) ? parse_expr(parser) : error_here(parser);
    return true;
}

// Map -> '{' Entries '}'
Expr *parse_map(Parser *parser) {
    const uint32_t opening = parser_advance(parser);
    Expr *expr = expr_new(parser, EXPR_MAP, parser_span(parser, opening));
    VEC(MapEntry) entries = { 0 };
    if (!parser_enter(parser, TOKEN_BRACE_OPEN)) {
        return expr;
    }
    while (!parser_at_end(parser)) {
        MapEntry entry = { 0 };
        parser->is_panicking = false;
        if (parse_entry(parser, &entry)) {
            vec_push(parser->session->arena, &entries, entry);
            expr_enclose(parser, expr, entry.value);
        }
        parser_end_entry(parser);
    }
    parser_close(parser, opening);
    parser_leave(parser);
    expr->map.entries = entries.items;
    expr->map.count = entries.count;
    set_span(expr, parser_span_from(parser, opening));
    return expr;
}

static Expr *parse_int(Parser *parser) {
    const uint32_t index = parser_advance(parser);
    const Str digits = parser->tokens[index].text;
    Expr *expr = expr_new(parser, EXPR_INT, parser_span(parser, index));
    for (size_t i = 0; i < digits.len; i++) {
        if (digits.data[i] == '_') {
            continue;
        }
        const int64_t digit = digits.data[i] - '0';
        if (expr->integer > (INT64_MAX - digit) / 10) {
            report(parser->session, expr->span, DIAG(integer_too_large), STR_ARG(digits));
            expr->kind = EXPR_ERROR;
            return expr;
        }
        expr->integer = expr->integer * 10 + digit;
    }
    return expr;
}

// A number with a unit, or a fraction without: then the unit is empty, and the type that is wanted decides what to say.
static Expr *parse_quantity(Parser *parser) {
    const uint32_t index = parser_advance(parser);
    const Str text = parser->tokens[index].text;
    size_t digits = text.len;
    while (digits > 0 && text.data[digits - 1] > '9') {
        digits--;
    }
    Expr *expr = expr_new(parser, EXPR_QUANTITY, parser_span(parser, index));
    expr->quantity.digits = str_slice(text, 0, digits);
    expr->quantity.unit = str_slice(text, digits, text.len);
    return expr;
}

static Expr *parse_word(Parser *parser) {
    const TokenKind kind = parser_token(parser)->kind;
    const uint32_t index = parser_advance(parser);
    Expr *expr = expr_new(parser, kind == TOKEN_NULL_VALUE ? EXPR_NULL : EXPR_BOOL, parser_span(parser, index));
    expr->boolean = kind == TOKEN_TRUE;
    return expr;
}

// Text that the lexer could not read and has reported stands for a value, unless it ends the string around it.
static Expr *parse_error(Parser *parser) {
    Expr *expr = error_here(parser);
    if (!parser_at_end(parser)) {
        parser_advance(parser);
    }
    parser->is_panicking = true;
    return expr;
}

// Prim
static Expr *parse_primary(Parser *parser) {
    static Expr *(*const PRIMARIES[TOKEN_COUNT])(Parser *) = {
        [TOKEN_INT] = parse_int,          [TOKEN_DECIMAL] = parse_quantity,   [TOKEN_QUANTITY] = parse_quantity,
        [TOKEN_STRING] = parse_string,    [TOKEN_STRING_HEAD] = parse_string, [TOKEN_TRUE] = parse_word,
        [TOKEN_FALSE] = parse_word,       [TOKEN_NULL_VALUE] = parse_word,    [TOKEN_NAME] = parse_name,
        [TOKEN_PAREN_OPEN] = parse_group, [TOKEN_SQUARE_OPEN] = parse_list,   [TOKEN_BRACE_OPEN] = parse_map,
        [TOKEN_ERROR] = parse_error,
    };
    if (parser_is_at_next_entry(parser) && !parser->is_panicking) {
        const uint32_t operator= parser->position - 1;
        report(parser->session, parser_span(parser, operator), DIAG(value_missing), STR_ARG(parser->tokens[operator].text));
        parser->is_panicking = true;
        parser->is_at_entry = true;
        return error_here(parser);
    }
    const TokenKind kind = parser_token(parser)->kind;
    if (PRIMARIES[kind] == NULL) {
        parser_unexpected(parser, "a value");
        return error_here(parser);
    }
    return PRIMARIES[kind](parser);
}
