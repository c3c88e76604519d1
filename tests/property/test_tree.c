// The tree of an expression groups as dt(5) says. Random trees are written with only the parentheses that they need.
// They are parsed, and must come back the same. On the way every span is checked. And whatever the source, broken ones
// included, trivia and tokens laid end to end are its bytes.
#include "compiler/syntax/ast.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

enum { TREES = 10000, SOURCES = 10000, DEPTH_MAX = 6 };

typedef struct {
    uint64_t state;
} Random;

// xorshift64*, seeded, so that each run is the same.
static uint32_t random_below(Random *random, uint32_t limit) {
    random->state ^= random->state >> 12;
    random->state ^= random->state << 25;
    random->state ^= random->state >> 27;
    return (uint32_t)((random->state * UINT64_C(2685821657736338717)) >> 33) % limit;
}

// ---- writing: a source, and beside it the tree as a text in which everything is in parentheses

// How tightly a form binds, as the page has it from Expr to Prim. Arms of a choice may be choices.
typedef enum {
    LEVEL_CHOICE,
    LEVEL_DEFAULT,
    LEVEL_OR,
    LEVEL_AND,
    LEVEL_COMPARISON,
    LEVEL_RANGE,
    LEVEL_SUM,
    LEVEL_PRODUCT,
    LEVEL_UNARY,
    LEVEL_PRIMARY,
} Level;

// `left` and `right` are the loosest forms that may stand on that side without parentheses.
static const struct {
    const char *sign;
    Level level;
    Level left;
    Level right;
} OPERATORS[] = {
    { "?\?", LEVEL_DEFAULT, LEVEL_DEFAULT, LEVEL_OR },    { "||", LEVEL_OR, LEVEL_OR, LEVEL_AND },
    { "&&", LEVEL_AND, LEVEL_AND, LEVEL_COMPARISON },     { "==", LEVEL_COMPARISON, LEVEL_RANGE, LEVEL_RANGE },
    { "<=", LEVEL_COMPARISON, LEVEL_RANGE, LEVEL_RANGE }, { "..", LEVEL_RANGE, LEVEL_SUM, LEVEL_SUM },
    { "+", LEVEL_SUM, LEVEL_SUM, LEVEL_PRODUCT },         { "-", LEVEL_SUM, LEVEL_SUM, LEVEL_PRODUCT },
    { "*", LEVEL_PRODUCT, LEVEL_PRODUCT, LEVEL_UNARY },   { "%", LEVEL_PRODUCT, LEVEL_PRODUCT, LEVEL_UNARY },
};

typedef struct {
    Random *random;
    StrBuf source;
    StrBuf tree;
} Writer;

static void write_expr(Writer *writer, Level loosest, int depth);

static void put(Writer *writer, const char *text) {
    strbuf_add(&writer->source, str_of(text));
}

static void put_tree(Writer *writer, const char *text) {
    strbuf_add(&writer->tree, str_of(text));
}

// Blanks around an operator: also a line end behind it, and, where brackets are around, before it.
static void put_operator(Writer *writer, const char *sign) {
    static const char *const BEHIND[] = { " ", "  ", "\n", " # comment\n " };
    put(writer, " ");
    put(writer, sign);
    put(writer, BEHIND[random_below(writer->random, COUNT_OF(BEHIND))]);
}

static void write_leaf(Writer *writer) {
    static const char *const LEAVES[] = { "a", "n-1", "42", "true", "null", "1.5GiB", "\"text\"", "r\"raw\"" };
    const char *leaf = LEAVES[random_below(writer->random, COUNT_OF(LEAVES))];
    put(writer, leaf);
    put_tree(writer, leaf);
}

static void write_primary(Writer *writer, int depth) {
    switch (random_below(writer->random, 5)) {
    case 0: // a field
        put_tree(writer, "(. ");
        write_expr(writer, LEVEL_PRIMARY, depth - 1);
        put(writer, ".like");
        put_tree(writer, " like)");
        break;
    case 1: // an index
        put_tree(writer, "([] ");
        write_expr(writer, LEVEL_PRIMARY, depth - 1);
        put(writer, "[");
        put_tree(writer, " ");
        write_expr(writer, LEVEL_CHOICE, depth - 1);
        put(writer, " ]");
        put_tree(writer, ")");
        break;
    case 2: // a call and a list
        put(writer, "f([");
        put_tree(writer, "(f (list ");
        write_expr(writer, LEVEL_CHOICE, depth - 1);
        put(writer, "\n],\n");
        put_tree(writer, ") ");
        write_expr(writer, LEVEL_CHOICE, depth - 1);
        put(writer, ",)");
        put_tree(writer, ")");
        break;
    case 3: // a map
        put(writer, "{ if = ");
        put_tree(writer, "(map if=");
        write_expr(writer, LEVEL_CHOICE, depth - 1);
        put(writer, "\n\"a.b\" = 0 }");
        put_tree(writer, " a.b=0)");
        break;
    default: // a text with interpolation
        put(writer, "\"\"\"\n    x ${");
        put_tree(writer, "(text <  x > ");
        write_expr(writer, LEVEL_CHOICE, depth - 1);
        put(writer, "} y\n  z\n  \"\"\"");
        put_tree(writer, " < y\nz\n>)");
        break;
    }
}

static void write_choice(Writer *writer, int depth) {
    put_tree(writer, "(? ");
    write_expr(writer, LEVEL_DEFAULT, depth - 1);
    put(writer, " ? ");
    put_tree(writer, " ");
    write_expr(writer, LEVEL_CHOICE, depth - 1);
    put(writer, " : ");
    put_tree(writer, " ");
    write_expr(writer, LEVEL_CHOICE, depth - 1);
    put_tree(writer, ")");
}

static void write_operator(Writer *writer, size_t i, int depth) {
    put_tree(writer, "(");
    put_tree(writer, OPERATORS[i].sign);
    put_tree(writer, " ");
    write_expr(writer, OPERATORS[i].left, depth - 1);
    put_operator(writer, OPERATORS[i].sign);
    put_tree(writer, " ");
    write_expr(writer, OPERATORS[i].right, depth - 1);
    put_tree(writer, ")");
}

static void write_unary(Writer *writer, int depth) {
    const bool is_not = random_below(writer->random, 2) == 0;
    put(writer, is_not ? "!" : "-\n");
    put_tree(writer, is_not ? "(! " : "(neg ");
    write_expr(writer, LEVEL_UNARY, depth - 1);
    put_tree(writer, ")");
}

// Writes a random expression into a place that takes `loosest` and what binds tighter; others get parentheses.
static void write_expr(Writer *writer, Level loosest, int depth) {
    enum { CHOICE = COUNT_OF(OPERATORS), UNARY, PRIMARY, LEAF, FORMS };
    const uint32_t form = depth <= 0 ? (uint32_t)LEAF : random_below(writer->random, FORMS);
    const Level level = form < COUNT_OF(OPERATORS) ? OPERATORS[form].level
                        : form == CHOICE           ? LEVEL_CHOICE
                        : form == UNARY            ? LEVEL_UNARY
                                                   : LEVEL_PRIMARY;
    const bool has_parentheses = level < loosest || random_below(writer->random, 12) == 0;
    put(writer, has_parentheses ? "( " : "");
    if (form < COUNT_OF(OPERATORS)) {
        write_operator(writer, form, depth);
    } else if (form == CHOICE) {
        write_choice(writer, depth);
    } else if (form == UNARY) {
        write_unary(writer, depth);
    } else if (form == PRIMARY) {
        write_primary(writer, depth);
    } else {
        write_leaf(writer);
    }
    put(writer, has_parentheses ? "\n)" : "");
}

// ---- reading back: the same text from the parsed tree, while its spans are looked at

typedef struct {
    Session *session;
    StrBuf tree;
} Reader;

static void read_expr(Reader *reader, const Expr *expr, Span around);

static void add(Reader *reader, const char *text) {
    strbuf_add(&reader->tree, str_of(text));
}

static void read_binary(Reader *reader, const Expr *expr) {
    const Str sign = source_text(reader->session, expr->binary.op_span);
    strbuf_add_format(&reader->tree, "(%.*s ", STR_ARG(sign));
    assert_true(expr->binary.left->span.end <= expr->binary.op_span.start);
    assert_true(expr->binary.op_span.end <= expr->binary.right->span.start);
    read_expr(reader, expr->binary.left, expr->span);
    add(reader, " ");
    read_expr(reader, expr->binary.right, expr->span);
    add(reader, ")");
}

static void read_several(Reader *reader, const char *first, const Expr *const *items, uint32_t count, Span around) {
    add(reader, first);
    for (uint32_t i = 0; i < count; i++) {
        add(reader, " ");
        read_expr(reader, items[i], around);
        assert_true(i == 0 || items[i - 1]->span.end < items[i]->span.start);
    }
    add(reader, ")");
}

static void read_map(Reader *reader, const Expr *expr) {
    add(reader, "(map");
    for (uint32_t i = 0; i < expr->map.count; i++) {
        const MapEntry *entry = &expr->map.entries[i];
        strbuf_add_format(&reader->tree, " %.*s=", STR_ARG(entry->key.text));
        assert_true(entry->key.span.end < entry->value->span.start);
        read_expr(reader, entry->value, expr->span);
    }
    add(reader, ")");
}

static void read_template(Reader *reader, const Expr *expr) {
    add(reader, "(text");
    for (uint32_t i = 0; i < expr->template.exprs.count; i++) {
        strbuf_add_format(&reader->tree, " <%.*s> ", STR_ARG(expr->template.pieces[i]));
        read_expr(reader, expr->template.exprs.items[i], expr->span);
    }
    strbuf_add_format(&reader->tree, " <%.*s>)", STR_ARG(expr->template.pieces[expr->template.exprs.count]));
}

static void read_expr(Reader *reader, const Expr *expr, Span around) {
    assert_true(expr->span.start >= around.start && expr->span.end <= around.end && expr->span.start < expr->span.end);
    switch (expr->kind) {
    case EXPR_NULL:
    case EXPR_BOOL:
    case EXPR_INT:
    case EXPR_QUANTITY:
    case EXPR_NAME:
    case EXPR_STRING:
        strbuf_add(&reader->tree, source_text(reader->session, expr->span));
        break;
    case EXPR_TEMPLATE:
        read_template(reader, expr);
        break;
    case EXPR_CALL:
        read_several(reader, "(f", expr->call.arguments.items, expr->call.arguments.count, expr->span);
        break;
    case EXPR_FIELD:
        read_several(reader, "(.", &expr->field.object, 1, expr->span);
        reader->tree.len--; // the parenthesis, which stands behind the name
        strbuf_add_format(&reader->tree, " %.*s)", STR_ARG(expr->field.name.text));
        break;
    case EXPR_INDEX:
        read_several(reader, "([]", (const Expr *const[]){ expr->index.object, expr->index.index }, 2, expr->span);
        break;
    case EXPR_UNARY:
        read_several(reader, expr->unary.op == UNARY_NOT ? "(!" : "(neg", &expr->unary.operand, 1, expr->span);
        break;
    case EXPR_BINARY:
        read_binary(reader, expr);
        break;
    case EXPR_CONDITIONAL:
        read_several(
            reader, "(?",
            (const Expr *const[]){ expr->conditional.condition, expr->conditional.then, expr->conditional.otherwise },
            3, expr->span);
        break;
    case EXPR_RANGE:
        read_several(reader, "(..", (const Expr *const[]){ expr->range.low, expr->range.high }, 2, expr->span);
        break;
    case EXPR_LIST:
        read_several(reader, "(list", expr->list.items, expr->list.count, expr->span);
        break;
    case EXPR_MAP:
        read_map(reader, expr);
        break;
    case EXPR_ERROR:
        fail_msg("an EXPR_ERROR without a message");
    }
}

static void test_tree_groups_as_written(void **state) {
    (void)state;
    Random random = { .state = 42 };

    for (int i = 0; i < TREES; i++) {
        Session *session = session_create();
        Writer writer = { .random = &random,
                          .source = { .arena = session->arena },
                          .tree = { .arena = session->arena } };
        put(&writer, "dt 1\nlet x = (");
        write_expr(&writer, LEVEL_CHOICE, DEPTH_MAX);
        put(&writer, ")");
        const uint32_t source = source_add(session, STR("tree.dt"), strbuf_str(&writer.source));
        const File *file = parse(session, source);

        if (has_errors(session)) {
            fail_msg("refused:\n%.*s", STR_ARG(strbuf_str(&writer.source)));
        }
        assert_int_equal(file->items.count, 1);
        Reader reader = { .session = session, .tree = { .arena = session->arena } };
        read_expr(&reader, file->items.items[0]->let.value, file->items.items[0]->span);
        if (!str_equal(strbuf_str(&reader.tree), strbuf_str(&writer.tree))) {
            fail_msg("from:\n%.*s\nwritten as %.*s\nread as    %.*s", STR_ARG(strbuf_str(&writer.source)),
                     STR_ARG(strbuf_str(&writer.tree)), STR_ARG(strbuf_str(&reader.tree)));
        }
        session_destroy(session);
    }
}

// ---- any source

// clang-format off
static const char *const PIECES[] = {
    "a", "n-1", "nodes x {", "}", "(", ")", "[", "]", "{", "=", ",", "\n", "\n", "\r\n", "\r", "\t", " ", " ",
    "\"", "\"\"\"", "r\"", "${", "}", "\\n", "\\u{41}", "\\", "# c", "## d\n", "//", "/*", "*/", "<<EOF\n",
    "EOF\n", "0..4", "1.5", "1.5GiB", "5gb", "007", "p5.48x", "1.2.3", "'", "`", ";", "@", "let x", "if",
    "else", "param", "dt 1", "\xC3\xA4", "\xE2\x80\x9C", "\xC2\xA0", "\xE2\x80\x93", "?", ":", "..", ".", "??",
    "||", "&", "s3://b/c", "\x07", "+", "-", "!", "<=",
};
// clang-format on

static Str write_rubbish(Arena *arena, Random *random) {
    StrBuf source = { .arena = arena };
    const uint32_t count = random_below(random, 40);
    for (uint32_t i = 0; i < count; i++) {
        strbuf_add(&source, str_of(PIECES[random_below(random, COUNT_OF(PIECES))]));
        strbuf_add_repeated(&source, ' ', random_below(random, 2));
    }
    return strbuf_str(&source);
}

static void test_trivia_and_tokens_are_the_source(void **state) {
    (void)state;
    Random random = { .state = 7 };

    for (int i = 0; i < SOURCES; i++) {
        Session *session = session_create();
        const Str text = write_rubbish(session->arena, &random);
        const Tokens tokens = lex(session, source_add(session, STR("rubbish.dt"), text));

        StrBuf again = { .arena = session->arena };
        for (uint32_t j = 0; j < tokens.count; j++) {
            const Token *token = &tokens.items[j];
            strbuf_add(&again, str_slice(text, token->trivia_start, token->start));
            strbuf_add(&again, str_slice(text, token->start, token->end));
        }
        assert_true(str_equal(strbuf_str(&again), text));
        session_destroy(session);
    }
}

static void test_every_message_points_into_the_source(void **state) {
    (void)state;
    Random random = { .state = 11 };

    for (int i = 0; i < SOURCES; i++) {
        Session *session = session_create();
        const Str text = write_rubbish(session->arena, &random);
        const uint32_t source = source_add(session, STR("rubbish.dt"), text);
        const File *file = parse(session, source);

        assert_true(file->items.count == 0 || file->items.items[0]->span.end <= text.len);
        for (uint32_t j = 0; j < session->diags.items.count; j++) {
            const Diag *diag = session->diags.items.items[j];
            assert_int_equal(diag->span.source, source);
            assert_true(diag->span.start <= diag->span.end && diag->span.end <= text.len);
        }
        session_destroy(session);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tree_groups_as_written),
        cmocka_unit_test(test_trivia_and_tokens_are_the_source),
        cmocka_unit_test(test_every_message_points_into_the_source),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
