// The one style: what it changes, and what stays.
#include "compiler/syntax/style.h"

#include "tests/support/check.h"

static int make(void **state) {
    *state = session_create();
    return 0;
}

static int drop(void **state) {
    session_destroy(*state);
    return 0;
}

static void assert_styled(void **state, const char *text, const char *expected) {
    Session *session = *state;
    const Str result = style_apply(session, source_add(session, STR("test.dt"), str_of(text)));
    assert_string_equal(str_c(session->arena, result), expected);
    const Str again = style_apply(session, source_add(session, STR("again.dt"), result));
    assert_string_equal(str_c(session->arena, again), expected);
}

static void test_blanks(void **state) {
    assert_styled(state, "dt   1\nlet a=- 1+f( 2 ,x [0] ). y ?? b ?c:! d\n",
                  "dt 1\nlet a = -1 + f(2, x[0]).y ?? b ? c : !d\n");
    assert_styled(state, "dt 1\nlate param a:list( string ? ) ?=[ ]\n", "dt 1\nlate param a : list(string?)? = []\n");
    assert_styled(state, "dt 1\nbucket a { }\nnodes  b  like  nodes [ \"c\" ]{n=0 .. 4,}",
                  "dt 1\nbucket a {}\nnodes b like nodes[\"c\"] { n = 0..4 }\n");
}

static void test_lines(void **state) {
    assert_styled(state, "\n\ndt 1\r\n\n\n\nlab a {\n\n  b = 1,\n\n\n  c = 2\n\n}",
                  "dt 1\n\nlab a {\n  b = 1\n\n  c = 2\n}\n");
    assert_styled(state, "dt 1\nlab a { b = 1\nc = 2 }\n", "dt 1\nlab a {\n  b = 1\n  c = 2\n}\n");
    assert_styled(state, "dt 1\nlet a = [\n1, 2,\n3 ]\n", "dt 1\nlet a = [\n  1, 2,\n  3]\n");
    assert_styled(state, "dt 1\nassert a ,\n\"m\"\nassert b # c\n", "dt 1\nassert a,\n  \"m\"\nassert b # c\n");
    assert_styled(state, "dt 1\nlab a { allow DT1 ,\"m\", b = 1 }\n", "dt 1\nlab a { allow DT1, \"m\", b = 1 }\n");
}

static void test_long_block(void **state) {
    Session *session = *state;
    StrBuf text = { .arena = session->arena };
    strbuf_add_repeated(&text, 'x', STYLE_LINE_COLUMNS_MAX);
    const char *word = str_c(session->arena, strbuf_str(&text));
    const Str source = str_format(session->arena, "dt 1\nlab a { b = \"%s\", cc = {} } # d\n", word);
    const Str expected = str_format(session->arena, "dt 1\nlab a {\n  b  = \"%s\"\n  cc = {}\n}%43s# d\n", word, " ");
    assert_styled(state, str_c(session->arena, source), str_c(session->arena, expected));
}

static void test_columns(void **state) {
    assert_styled(state, "dt 1\nlab a {\na = 1\n# c\nbbb = {\nc = 1\n}\ncc = 2\n\nd = 3\n}\n",
                  "dt 1\nlab a {\n  a   = 1\n  # c\n  bbb = {\n    c = 1\n  }\n  cc  = 2\n\n  d = 3\n}\n");
    assert_styled(state, "dt 1\nparam a : int  = 1\nlate param b : string = 2\n",
                  "dt 1\nparam a      : int    = 1\nlate param b : string = 2\n");
    assert_styled(state, "dt 1\nlab a  { b = 1 }\nlab bb { b = 1 }\nlab c { b = 1 }\n\nlab d {}\nlab ee {}\n",
                  "dt 1\nlab a  { b = 1 }\nlab bb { b = 1 }\nlab c  { b = 1 }\n\nlab d {}\nlab ee {}\n");
}

static void test_comments(void **state) {
    assert_styled(state, "# a  \ndt 1 # b\n       # c\n     # d\n",
                  "# a\ndt 1                                        # b\n# c\n# d\n");
    assert_styled(state, "dt 1 # b\n     # d\n",
                  "dt 1                                        # b\n                                            # d\n");
    assert_styled(state, "dt 1\nlab a { # b\n# c\n}\n",
                  "dt 1\nlab a {                                     # b\n  # c\n}\n");
}

static void test_strings(void **state) {
    assert_styled(state, "dt 1\nlet a   =  \"\"\"\n   x  y\n     ${ 1+1 }\n   \"\"\"\n",
                  "dt 1\nlet a = \"\"\"\n   x  y\n     ${ 1+1 }\n   \"\"\"\n");
}

static void test_mistakes(void **state) {
    assert_styled(state, "dt  1\nlab a {\n    b = = 1\n   c=2\n}\nlet  d=1\n",
                  "dt 1\nlab a {\n    b = = 1\n  c = 2\n}\nlet d = 1\n");
    assert_styled(state, "dt  1\nlet  d=1\nlab  a {\n b=1\n", "dt 1\nlet d = 1\nlab  a {\n b=1\n");
    assert_styled(state, "dt  1\n\tlet  d=1\n/* a\n\n\n b */\nlet  e=1",
                  "dt 1\n\tlet  d=1\n/* a\n\n\n b */\nlet e = 1\n");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, make, drop)
    const struct CMUnitTest tests[] = {
        TEST(test_blanks),   TEST(test_lines),   TEST(test_long_block), TEST(test_columns),
        TEST(test_comments), TEST(test_strings), TEST(test_mistakes),
    };
#undef TEST
    return cmocka_run_group_tests(tests, NULL, NULL);
}
