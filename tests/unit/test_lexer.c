// The lexer: which tokens a text has, what strings hold, and one message for one mistake.
#include "compiler/syntax/ast.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static int open_session(void **state) {
    *state = session_create();
    return 0;
}

static int close_session(void **state) {
    session_destroy(*state);
    return 0;
}

static Tokens lex_text(void **state, const char *text) {
    Session *session = *state;
    return lex(session, source_add(session, STR("test.dt"), str_of(text)));
}

static void check_kinds(void **state, const char *text, const TokenKind *kinds, uint32_t count) {
    const Tokens tokens = lex_text(state, text);
    for (uint32_t i = 0; i < tokens.count && i < count; i++) {
        assert_string_equal(token_describe(tokens.items[i].kind), token_describe(kinds[i]));
    }
    assert_int_equal(tokens.count, count);
}

// All tokens of a text, the last one TOKEN_EOF.
#define assert_kinds(state, text, ...)                               \
    check_kinds((state), (text), (const TokenKind[]){ __VA_ARGS__ }, \
                (uint32_t)COUNT_OF(((const TokenKind[]){ __VA_ARGS__ })))

// The value of the first token, a string or the piece of one.
static void assert_value(void **state, const char *text, const char *value) {
    const Tokens tokens = lex_text(state, text);
    assert_int_equal(((Session *)*state)->diags.error_count, 0);
    assert_int_equal(tokens.items[0].text.len, strlen(value));
    assert_memory_equal(tokens.items[0].text.data, value, strlen(value));
}

// One message, with this code, at these bytes.
static void assert_reported(void **state, const char *text, const char *code, uint32_t start, uint32_t end) {
    const Session *session = *state;
    (void)lex_text(state, text);
    assert_int_equal(session->diags.items.count, 1);
    const Diag *diag = session->diags.items.items[0];
    assert_string_equal(diag_row(diag->id)->code, code);
    assert_int_equal(diag->span.start, start);
    assert_int_equal(diag->span.end, end);
}

static void assert_fix(void **state, uint32_t start, uint32_t end, const char *replacement) {
    const Session *session = *state;
    const Diag *diag = session->diags.items.items[0];
    assert_true(diag->fixes.count > 0);
    assert_int_equal(diag->fixes.items[0].span.start, start);
    assert_int_equal(diag->fixes.items[0].span.end, end);
    assert_true(str_is(diag->fixes.items[0].replacement, replacement));
}

static void test_empty_text_is_the_end_alone(void **state) {
    assert_kinds(state, "", TOKEN_EOF);
}

static void test_byte_order_mark_is_trivia(void **state) {
    assert_kinds(state,
                 "\xEF\xBB\xBF"
                 "dt",
                 TOKEN_DT, TOKEN_EOF);
}

static void test_name_holds_dashes(void **state) {
    assert_kinds(state, "compute-gpu n-1", TOKEN_NAME, TOKEN_NAME, TOKEN_EOF);
}

static void test_name_does_not_end_in_a_dash(void **state) {
    assert_kinds(state, "a- b--", TOKEN_NAME, TOKEN_MINUS, TOKEN_NAME, TOKEN_MINUS, TOKEN_MINUS, TOKEN_EOF);
}

static void test_range_of_numbers_has_no_fraction(void **state) {
    assert_kinds(state, "0..4", TOKEN_INT, TOKEN_RANGE, TOKEN_INT, TOKEN_EOF);
}

static void test_fraction_has_a_digit_behind_its_dot(void **state) {
    assert_kinds(state, "1.30 1.foo", TOKEN_DECIMAL, TOKEN_INT, TOKEN_DOT, TOKEN_NAME, TOKEN_EOF);
}

static void test_unit_makes_a_quantity(void **state) {
    assert_kinds(state, "1.5TiB 30min 1_000GBps", TOKEN_QUANTITY, TOKEN_QUANTITY, TOKEN_QUANTITY, TOKEN_EOF);
}

static void test_line_end_and_comma_separate_entries(void **state) {
    assert_kinds(state, "a\nb,c\r\nd", TOKEN_NAME, TOKEN_SEPARATOR, TOKEN_NAME, TOKEN_SEPARATOR, TOKEN_NAME,
                 TOKEN_SEPARATOR, TOKEN_NAME, TOKEN_EOF);
}

static void test_run_of_separators_is_one(void **state) {
    assert_kinds(state, "a # note\n\n,\n # more\n b", TOKEN_NAME, TOKEN_SEPARATOR, TOKEN_NAME, TOKEN_EOF);
}

static void test_separators_inside_braces_are_dropped_at_both_ends(void **state) {
    assert_kinds(state, "\n\n{\n,a,\n}", TOKEN_BRACE_OPEN, TOKEN_NAME, TOKEN_BRACE_CLOSE, TOKEN_EOF);
}

static void test_line_end_in_parentheses_is_blank(void **state) {
    assert_kinds(state, "(a\n,\n[b\n])", TOKEN_PAREN_OPEN, TOKEN_NAME, TOKEN_COMMA, TOKEN_SQUARE_OPEN, TOKEN_NAME,
                 TOKEN_SQUARE_CLOSE, TOKEN_PAREN_CLOSE, TOKEN_EOF);
}

static void test_brace_inside_a_list_separates_again(void **state) {
    assert_kinds(state, "[{a\nb}]", TOKEN_SQUARE_OPEN, TOKEN_BRACE_OPEN, TOKEN_NAME, TOKEN_SEPARATOR, TOKEN_NAME,
                 TOKEN_BRACE_CLOSE, TOKEN_SQUARE_CLOSE, TOKEN_EOF);
}

static void test_line_goes_on_behind_an_operator(void **state) {
    assert_kinds(state, "a = # why\n b +\n c ..\n d", TOKEN_NAME, TOKEN_ASSIGN, TOKEN_NAME, TOKEN_PLUS, TOKEN_NAME,
                 TOKEN_RANGE, TOKEN_NAME, TOKEN_EOF);
}

static void test_line_ends_behind_question_mark_and_colon(void **state) {
    assert_kinds(state, "a ?\nb :\nc", TOKEN_NAME, TOKEN_QUESTION, TOKEN_SEPARATOR, TOKEN_NAME, TOKEN_COLON,
                 TOKEN_SEPARATOR, TOKEN_NAME, TOKEN_EOF);
}

static void test_interpolation_has_head_middle_and_tail(void **state) {
    assert_kinds(state, "\"a${b}c${d}e\"", TOKEN_STRING_HEAD, TOKEN_NAME, TOKEN_STRING_MIDDLE, TOKEN_NAME,
                 TOKEN_STRING_TAIL, TOKEN_EOF);
}

static void test_strings_nest_in_interpolations(void **state) {
    assert_kinds(state, "\"a${ {b = \"${c}\"} }d\"", TOKEN_STRING_HEAD, TOKEN_BRACE_OPEN, TOKEN_NAME, TOKEN_ASSIGN,
                 TOKEN_STRING_HEAD, TOKEN_NAME, TOKEN_STRING_TAIL, TOKEN_BRACE_CLOSE, TOKEN_STRING_TAIL, TOKEN_EOF);
}

static void test_brackets_know_their_partners(void **state) {
    const Tokens tokens = lex_text(state, "{ a = f([1]) }");

    assert_int_equal(tokens.items[0].partner, tokens.count - 2);
    assert_int_equal(tokens.items[4].partner, 8);
    assert_int_equal(tokens.items[7].partner, 5);
    assert_int_equal(tokens.items[1].partner, TOKEN_NO_PARTNER);
}

static void test_escapes_are_resolved(void **state) {
    assert_value(state, "\"\\n\\t\\\"\\\\\\$\\u{e9}\"", "\n\t\"\\$\xC3\xA9");
}

static void test_lone_dollar_is_itself(void **state) {
    assert_value(state, "\"a $ b $x {\"", "a $ b $x {");
}

static void test_raw_string_has_no_escapes(void **state) {
    assert_value(state, "r\"\\d+ ${x}\"", "\\d+ ${x}");
}

static void test_text_loses_the_indentation_of_its_closing_quotes(void **state) {
    assert_value(state, "\"\"\"\n    a\n\n  b \"c\"\n  \"\"\"", "  a\n\nb \"c\"\n");
}

static void test_text_without_lines_is_empty(void **state) {
    assert_value(state, "\"\"\"\n  \"\"\"", "");
}

static void test_text_reads_crlf_as_a_line_end(void **state) {
    assert_value(state, "\"\"\"\r\n  a\r\n  b\r\n  \"\"\"", "a\nb\n");
}

static void test_raw_text_keeps_backslashes(void **state) {
    assert_value(state, "r\"\"\"\n\\n ${\n\"\"\"", "\\n ${\n");
}

static void test_blank_line_of_a_text_may_be_short(void **state) {
    assert_value(state, "\"\"\"\n  a\n \n  \"\"\"", "a\n\n");
}

static void test_pieces_of_a_text_lose_their_indentation_too(void **state) {
    const Tokens tokens = lex_text(state, "\"\"\"\n  a ${b} c\n  d\n  \"\"\"");

    assert_true(str_is(tokens.items[0].text, "a "));
    assert_true(str_is(tokens.items[2].text, " c\nd\n"));
}

static void test_short_line_of_a_text_is_reported(void **state) {
    assert_reported(state, "\"\"\"\n a\n b\n  \"\"\"", "DT0127", 4, 5);
}

static void test_text_behind_opening_quotes_is_reported(void **state) {
    assert_reported(state, "\"\"\"a\"\"\"", "DT0125", 0, 3);
}

static void test_text_before_closing_quotes_is_reported(void **state) {
    assert_reported(state, "\"\"\"\n  a\"\"\"", "DT0126", 7, 10);
}

static void test_unclosed_text_is_reported_where_it_opens(void **state) {
    assert_reported(state, "x = \"\"\"\n a\n", "DT0124", 4, 7);
}

static void test_unclosed_string_ends_with_its_line(void **state) {
    assert_reported(state, "a = \"b\nc = 1\n", "DT0123", 4, 6);
    assert_kinds(state, "a = \"b\nc = 1", TOKEN_NAME, TOKEN_ASSIGN, TOKEN_ERROR, TOKEN_SEPARATOR, TOKEN_NAME,
                 TOKEN_ASSIGN, TOKEN_INT, TOKEN_EOF);
}

static void test_unclosed_interpolation_ends_with_its_line(void **state) {
    assert_reported(state, "a = \"b ${f(c\nd = 1\n", "DT0123", 4, 12);
}

static void test_unknown_escape_is_reported(void **state) {
    assert_reported(state, "\"a\\d\"", "DT0128", 2, 4);
}

static void test_surrogate_is_no_character(void **state) {
    assert_reported(state, "\"\\u{d800}\"", "DT0129", 1, 9);
}

static void test_last_code_point_is_a_character(void **state) {
    assert_value(state, "\"\\u{10FFFF}\"", "\xF4\x8F\xBF\xBF");
}

static void test_unit_in_wrong_case_is_fixed(void **state) {
    assert_reported(state, "5Gib", "DT0121", 1, 4);
    assert_fix(state, 1, 4, "GiB");
}

static void test_unit_of_two_meanings_is_not_fixed(void **state) {
    assert_reported(state, "5mbps", "DT0121", 1, 5);
    assert_int_equal(((Session *)*state)->diags.items.items[0]->fixes.count, 0);
}

static void test_leading_zeros_are_reported(void **state) {
    assert_reported(state, "007", "DT0119", 0, 3);
}

static void test_account_id_gets_quotes(void **state) {
    assert_reported(state, "012345678901", "DT0119", 0, 12);
    assert_fix(state, 0, 12, "\"012345678901\"");
}

static void test_zero_alone_is_a_number(void **state) {
    assert_kinds(state, "0 0.5", TOKEN_INT, TOKEN_DECIMAL, TOKEN_EOF);
    assert_int_equal(((Session *)*state)->diags.items.count, 0);
}

static void test_underscore_without_digit_is_reported(void **state) {
    assert_reported(state, "1__0", "DT0120", 0, 4);
}

static void test_instance_type_gets_quotes(void **state) {
    assert_reported(state, "p5.48xlarge", "DT0122", 0, 11);
    assert_fix(state, 0, 11, "\"p5.48xlarge\"");
}

static void test_address_gets_quotes(void **state) {
    assert_reported(state, "s3://bucket/x, y", "DT0122", 0, 13);
}

static void test_typographic_quotes_are_replaced(void **state) {
    assert_reported(state,
                    "\xE2\x80\x9C"
                    "a"
                    "\xE2\x80\x9D",
                    "DT0134", 0, 3);
    assert_fix(state, 0, 3, "\"");
}

static void test_single_quotes_are_read_as_a_string(void **state) {
    assert_kinds(state, "'a' b", TOKEN_STRING, TOKEN_NAME, TOKEN_EOF);
}

static void test_tabs_are_reported_once_and_fixed_everywhere(void **state) {
    assert_reported(state, "\ta\n\t\tb", "DT0132", 0, 1);
    assert_int_equal(((Session *)*state)->diags.items.items[0]->fixes.count, 2);
}

static void test_no_break_space_is_reported(void **state) {
    assert_reported(state, "a\xC2\xA0= 1", "DT0133", 1, 3);
    assert_fix(state, 1, 3, " ");
}

static void test_control_character_is_reported_in_a_comment(void **state) {
    assert_reported(state, "# \x07", "DT0131", 2, 3);
}

static void test_tab_in_a_string_is_text(void **state) {
    assert_value(state, "\"a\tb\"", "a\tb");
}

static void test_letter_outside_ascii_is_named(void **state) {
    assert_reported(state,
                    "gr\xC3\xB6\xC3\x9F"
                    "e",
                    "DT0130", 2, 4);
    assert_kinds(state,
                 "gr\xC3\xB6\xC3\x9F"
                 "e",
                 TOKEN_ERROR, TOKEN_EOF);
}

static void test_semicolon_separates_and_is_reported(void **state) {
    assert_reported(state, "a;\nb", "DT0137", 1, 2);
    assert_kinds(state, "a;\nb", TOKEN_NAME, TOKEN_SEPARATOR, TOKEN_NAME, TOKEN_EOF);
}

static void test_comment_of_c_is_reported(void **state) {
    assert_reported(state, "a // b\n", "DT0135", 2, 4);
    assert_fix(state, 2, 4, "#");
}

static void test_here_document_is_reported_once(void **state) {
    assert_reported(state, "a = <<EOF\nx { y: z\nEOF\n", "DT0136", 4, 9);
}

static void test_text_that_is_not_utf8_is_one_error(void **state) {
    assert_reported(state, "a \xFF b", "DT0902", 2, 3);
    assert_kinds(state, "a \xFF b", TOKEN_ERROR, TOKEN_EOF);
}

static void test_forgotten_bracket_ends_where_the_next_entry_begins(void **state) {
    assert_kinds(state, "a = [b\nc = 1", TOKEN_NAME, TOKEN_ASSIGN, TOKEN_SQUARE_OPEN, TOKEN_NAME, TOKEN_SEPARATOR,
                 TOKEN_NAME, TOKEN_ASSIGN, TOKEN_INT, TOKEN_EOF);
}

static Tokens lex_repeated(void **state, const char *text, size_t count) {
    Session *session = *state;
    StrBuf source = { .arena = session->arena };
    for (size_t i = 0; i < count; i++) {
        strbuf_add(&source, str_of(text));
    }
    return lex(session, source_add(session, STR("deep.dt"), strbuf_str(&source)));
}

static void test_brackets_nest_up_to_the_limit(void **state) {
    (void)lex_repeated(state, "[", SYNTAX_DEPTH_MAX);

    assert_int_equal(((Session *)*state)->diags.items.count, 0);
}

static void test_one_bracket_too_many_stops_with_one_message(void **state) {
    const Tokens tokens = lex_repeated(state, "(", 100000);

    assert_int_equal(((Session *)*state)->diags.items.count, 1);
    assert_int_equal(tokens.count, SYNTAX_DEPTH_MAX + 3); // one more bracket, the rest, the end
}

static void test_interpolations_nest_up_to_the_limit(void **state) {
    (void)lex_repeated(state, "\"${", 100000);

    assert_int_equal(((Session *)*state)->diags.items.count, 1);
}

static void test_every_kind_has_a_description(void **state) {
    (void)state;
    for (int kind = 0; kind < TOKEN_COUNT; kind++) {
        assert_non_null(token_describe((TokenKind)kind));
    }
}

#define claim(test) cmocka_unit_test_setup_teardown(test, open_session, close_session)

int main(void) {
    const struct CMUnitTest tests[] = {
        claim(test_empty_text_is_the_end_alone),
        claim(test_byte_order_mark_is_trivia),
        claim(test_name_holds_dashes),
        claim(test_name_does_not_end_in_a_dash),
        claim(test_range_of_numbers_has_no_fraction),
        claim(test_fraction_has_a_digit_behind_its_dot),
        claim(test_unit_makes_a_quantity),
        claim(test_line_end_and_comma_separate_entries),
        claim(test_run_of_separators_is_one),
        claim(test_separators_inside_braces_are_dropped_at_both_ends),
        claim(test_line_end_in_parentheses_is_blank),
        claim(test_brace_inside_a_list_separates_again),
        claim(test_line_goes_on_behind_an_operator),
        claim(test_line_ends_behind_question_mark_and_colon),
        claim(test_interpolation_has_head_middle_and_tail),
        claim(test_strings_nest_in_interpolations),
        claim(test_brackets_know_their_partners),
        claim(test_escapes_are_resolved),
        claim(test_lone_dollar_is_itself),
        claim(test_raw_string_has_no_escapes),
        claim(test_text_loses_the_indentation_of_its_closing_quotes),
        claim(test_text_without_lines_is_empty),
        claim(test_text_reads_crlf_as_a_line_end),
        claim(test_raw_text_keeps_backslashes),
        claim(test_blank_line_of_a_text_may_be_short),
        claim(test_pieces_of_a_text_lose_their_indentation_too),
        claim(test_short_line_of_a_text_is_reported),
        claim(test_text_behind_opening_quotes_is_reported),
        claim(test_text_before_closing_quotes_is_reported),
        claim(test_unclosed_text_is_reported_where_it_opens),
        claim(test_unclosed_string_ends_with_its_line),
        claim(test_unclosed_interpolation_ends_with_its_line),
        claim(test_unknown_escape_is_reported),
        claim(test_surrogate_is_no_character),
        claim(test_last_code_point_is_a_character),
        claim(test_unit_in_wrong_case_is_fixed),
        claim(test_unit_of_two_meanings_is_not_fixed),
        claim(test_leading_zeros_are_reported),
        claim(test_account_id_gets_quotes),
        claim(test_zero_alone_is_a_number),
        claim(test_underscore_without_digit_is_reported),
        claim(test_instance_type_gets_quotes),
        claim(test_address_gets_quotes),
        claim(test_typographic_quotes_are_replaced),
        claim(test_single_quotes_are_read_as_a_string),
        claim(test_tabs_are_reported_once_and_fixed_everywhere),
        claim(test_no_break_space_is_reported),
        claim(test_control_character_is_reported_in_a_comment),
        claim(test_tab_in_a_string_is_text),
        claim(test_letter_outside_ascii_is_named),
        claim(test_semicolon_separates_and_is_reported),
        claim(test_comment_of_c_is_reported),
        claim(test_here_document_is_reported_once),
        claim(test_text_that_is_not_utf8_is_one_error),
        claim(test_forgotten_bracket_ends_where_the_next_entry_begins),
        claim(test_brackets_nest_up_to_the_limit),
        claim(test_one_bracket_too_many_stops_with_one_message),
        claim(test_interpolations_nest_up_to_the_limit),
        claim(test_every_kind_has_a_description),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
