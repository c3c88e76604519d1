// The parser: what the tree holds, where its spans lie, and that one mistake gives one message and no other.
#include "compiler/base/file.h"
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

static const File *parse_text(void **state, const char *text) {
    Session *session = *state;
    return parse(session, source_add(session, STR("test.dt"), str_of(text)));
}

// A whole file of items, without messages.
static const File *parse_clean(void **state, const char *items) {
    Session *session = *state;
    const File *file = parse_text(state, str_c(session->arena, str_format(session->arena, "dt 1\n%s\n", items)));
    assert_int_equal(session->diags.items.count, 0);
    assert_int_equal(file->edition, 1);
    return file;
}

static const Item *parse_one(void **state, const char *item) {
    const File *file = parse_clean(state, item);
    assert_int_equal(file->items.count, 1);
    return file->items.items[0];
}

static const Expr *parse_let(void **state, const char *value) {
    Session *session = *state;
    const Item *item = parse_one(state, str_c(session->arena, str_format(session->arena, "let x = %s", value)));
    assert_int_equal(item->kind, ITEM_LET);
    return item->let.value;
}

static void assert_span(void **state, Span span, const char *text) {
    const Str bytes = source_text(*state, span);
    assert_int_equal(bytes.len, strlen(text));
    assert_memory_equal(bytes.data, text, bytes.len);
}

// One message, with this code, at this text; `items` may hold several lines.
static const Diag *assert_mistake(void **state, const char *items, const char *code, const char *at) {
    Session *session = *state;
    (void)parse_text(state, str_c(session->arena, str_format(session->arena, "dt 1\n%s\nlet last = 1\n", items)));
    assert_int_equal(session->diags.items.count, 1);
    const Diag *diag = session->diags.items.items[0];
    assert_string_equal(diag_row(diag->id)->code, code);
    assert_span(state, diag->span, at);
    return diag;
}

static void assert_message(const Diag *diag, const char *message) {
    assert_int_equal(diag->message.len, strlen(message));
    assert_memory_equal(diag->message.data, message, diag->message.len);
}

// ---- the tree

static void test_attribute_has_name_and_value(void **state) {
    const Item *item = parse_one(state, "efa_layout = min_ip");

    assert_int_equal(item->kind, ITEM_ATTRIBUTE);
    assert_true(str_is(item->attribute.name.text, "efa_layout"));
    assert_int_equal(item->attribute.value->kind, EXPR_NAME);
    assert_span(state, item->span, "efa_layout = min_ip");
    assert_span(state, item->keyword, "efa_layout");
}

static void test_block_has_kind_label_like_and_on(void **state) {
    const Item *item = parse_one(state, "cluster p4de like base.gpu on batch { a = 1, nodes x { } }");

    assert_int_equal(item->kind, ITEM_BLOCK);
    assert_true(str_is(item->block.kind.text, "cluster"));
    assert_true(str_is(item->block.label->string, "p4de"));
    assert_int_equal(item->block.like.count, 2);
    assert_true(str_is(item->block.like.steps[1].name.text, "gpu"));
    assert_span(state, item->block.like.span, "base.gpu");
    assert_span(state, item->block.on.span, "batch");
    assert_int_equal(item->block.body.count, 2);
}

static void test_block_needs_no_label(void **state) {
    const Item *item = parse_one(state, "head like other { }");

    assert_null(item->block.label);
    assert_int_equal(item->block.like.count, 1);
    assert_int_equal(item->block.on.count, 0);
}

static void test_steps_of_a_reference_may_have_labels(void **state) {
    const Item *item = parse_one(state, "nodes x like ml.nodes[\"gpu-${n}\"] on cluster [name].gpu { }");

    assert_int_equal(item->block.like.count, 2);
    assert_null(item->block.like.steps[0].label);
    assert_int_equal(item->block.like.steps[1].label->kind, EXPR_TEMPLATE);
    assert_span(state, item->block.like.steps[1].span, "nodes[\"gpu-${n}\"]");
    assert_int_equal(item->block.on.steps[0].label->kind, EXPR_NAME);
    assert_span(state, item->block.on.span, "cluster [name].gpu");
}

static void test_removal_has_kind_label_and_value(void **state) {
    const Item *item = parse_one(state, "nodes[\"gpu-2\"] = null");

    assert_int_equal(item->kind, ITEM_REMOVAL);
    assert_true(str_is(item->removal.kind.text, "nodes"));
    assert_true(str_is(item->removal.label->string, "gpu-2"));
    assert_int_equal(item->removal.value->kind, EXPR_NULL);
}

static void test_label_may_be_interpolated(void **state) {
    const Item *item = parse_one(state, "nodes \"gpu-${x}\" { }");

    assert_int_equal(item->block.label->kind, EXPR_TEMPLATE);
    assert_true(str_is(item->block.label->template.pieces[0], "gpu-"));
    assert_span(state, item->block.label->span, "\"gpu-${x}\"");
}

static void test_late_param_has_type_and_default(void **state) {
    const Item *item = parse_one(state, "late param zones : list(zone)? = [\"a\"]");

    assert_int_equal(item->kind, ITEM_PARAM);
    assert_true(item->param.is_late);
    assert_true(item->param.type->is_optional);
    assert_true(str_is(item->param.type->argument->name.text, "zone"));
    assert_span(state, item->param.type->span, "list(zone)?");
    assert_int_equal(item->param.initial->kind, EXPR_LIST);
    assert_span(state, item->keyword, "late");
}

static void test_param_without_default_has_none(void **state) {
    const Item *item = parse_one(state, "param k : key_name?");

    assert_false(item->param.is_late);
    assert_null(item->param.initial);
}

static void test_use_has_path_and_name(void **state) {
    const Item *item = parse_one(state, "use \"a/b.dt\" as b");

    assert_true(str_is(item->use.path.text, "a/b.dt"));
    assert_span(state, item->use.path.span, "\"a/b.dt\"");
    assert_true(str_is(item->use.name.text, "b"));
}

static void test_assert_and_allow_take_a_text(void **state) {
    const File *file = parse_clean(state, "assert a < b, \"no ${c}\"\nallow DT0304, \"known\"\n");

    assert_int_equal(file->items.items[0]->assertion.message->kind, EXPR_TEMPLATE);
    assert_true(str_is(file->items.items[1]->allow.code.text, "DT0304"));
    assert_true(str_is(file->items.items[1]->allow.reason->string, "known"));
}

static void test_patch_may_name_a_file(void **state) {
    const File *file = parse_clean(state, "patch cfn { \"a.b\" = 1 }\npatch { \"c\" = null }");

    assert_true(str_is(file->items.items[0]->patch.file.text, "cfn"));
    assert_int_equal(file->items.items[1]->patch.file.text.len, 0);
    assert_int_equal(file->items.items[1]->patch.map->map.entries[0].value->kind, EXPR_NULL);
}

static void test_resource_has_type_and_label(void **state) {
    const Item *item = parse_one(state, "resource \"AWS::S3::Bucket\" logs { BucketName = \"x\" }");

    assert_true(str_is(item->resource.type.text, "AWS::S3::Bucket"));
    assert_true(str_is(item->resource.label->string, "logs"));
    assert_int_equal(item->resource.body.count, 1);
}

static void test_branch_and_loop_hold_items(void **state) {
    const File *file = parse_clean(state, "if a { b { } }\nfor x in [1, 2] { c { }, output d = x }");

    assert_int_equal(file->items.items[0]->branch.body.count, 1);
    assert_true(str_is(file->items.items[1]->loop.variable.text, "x"));
    assert_int_equal(file->items.items[1]->loop.sequence->list.count, 2);
    assert_int_equal(file->items.items[1]->loop.body.items[1]->kind, ITEM_OUTPUT);
}

static void test_doc_is_the_lines_right_above(void **state) {
    const Item *item = parse_one(state, "## far\n\n# note\n##near\n  ##  nearer\nlet a = 1");

    assert_true(str_is(item->doc, "near\n nearer"));
}

static void test_doc_at_the_end_of_a_line_is_no_doc(void **state) {
    const File *file = parse_clean(state, "let a = 1, ## of a\nlet b = 2 ## of b\n### heading\nlet c = 3");

    assert_int_equal(file->items.items[1]->doc.len, 0);
    assert_int_equal(file->items.items[2]->doc.len, 0);
}

static void test_quantity_has_digits_and_unit(void **state) {
    const Expr *expr = parse_let(state, "1_0.5GiB");

    assert_int_equal(expr->kind, EXPR_QUANTITY);
    assert_true(str_is(expr->quantity.digits, "1_0.5"));
    assert_true(str_is(expr->quantity.unit, "GiB"));
}

static void test_fraction_alone_is_a_quantity_without_unit(void **state) {
    const Expr *expr = parse_let(state, "1.30");

    assert_int_equal(expr->kind, EXPR_QUANTITY);
    assert_true(str_is(expr->quantity.digits, "1.30"));
    assert_int_equal(expr->quantity.unit.len, 0);
}

static void test_largest_integer_is_read(void **state) {
    assert_true(parse_let(state, "9_223372036854775807")->integer == INT64_MAX);
}

static void test_reserved_words_are_keys_and_fields(void **state) {
    const Expr *map = parse_let(state, "{ if = a.like.on, \"x y\" = 1, dt = 2 }");

    assert_true(str_is(map->map.entries[0].key.text, "if"));
    assert_true(str_is(map->map.entries[0].value->field.name.text, "on"));
    assert_true(str_is(map->map.entries[1].key.text, "x y"));
}

static void test_parentheses_belong_to_the_outer_span_only(void **state) {
    const Expr *sum = parse_let(state, "(a) + (b - c)");

    assert_span(state, sum->span, "(a) + (b - c)");
    assert_span(state, sum->binary.left->span, "a");
    assert_span(state, sum->binary.right->span, "b - c");
    assert_span(state, sum->binary.op_span, "+");
}

static void test_choice_ends_in_a_choice(void **state) {
    const Expr *expr = parse_let(state, "a ? b : c ? d : e");

    assert_int_equal(expr->conditional.otherwise->kind, EXPR_CONDITIONAL);
    assert_span(state, expr->conditional.otherwise->span, "c ? d : e");
}

static void test_minus_binds_tighter_than_range(void **state) {
    const Expr *expr = parse_let(state, "-1..n - 1");

    assert_int_equal(expr->kind, EXPR_RANGE);
    assert_int_equal(expr->range.low->kind, EXPR_UNARY);
    assert_int_equal(expr->range.high->binary.op, BINARY_SUBTRACT);
}

static void test_arguments_may_end_in_a_comma(void **state) {
    assert_int_equal(parse_let(state, "f(a,\n b,\n)")->call.arguments.count, 2);
}

static void test_entry_after_line_end_of_allow_is_accepted(void **state) {
    assert_int_equal(parse_one(state, "allow DT0304\n\"reason\"")->kind, ITEM_ALLOW);
}

// ---- mistakes

static void test_missing_edition_is_inserted(void **state) {
    const File *file = parse_text(state, "param a : int\n");
    const Session *session = *state;

    assert_int_equal(session->diags.items.count, 1);
    assert_string_equal(diag_row(session->diags.items.items[0]->id)->code, "DT0102");
    assert_true(str_is(session->diags.items.items[0]->fixes.items[0].replacement, "dt 1\n\n"));
    assert_int_equal(file->edition, 0);
    assert_int_equal(file->items.count, 1);
}

static void test_empty_file_lacks_its_edition(void **state) {
    (void)parse_text(state, "");

    assert_int_equal(((Session *)*state)->diags.items.count, 1);
}

static void test_other_edition_is_reported(void **state) {
    const File *file = parse_text(state, "dt 2\n");

    assert_int_equal(((Session *)*state)->diags.items.count, 1);
    assert_int_equal(file->edition, 0);
}

static void test_second_edition_is_reported(void **state) {
    assert_mistake(state, "dt 1", "DT0104", "dt");
}

static void test_unexpected_token_says_what_was_expected(void **state) {
    assert_message(assert_mistake(state, "let a = 1 b", "DT0101", "b"), "expected a line end or `,`, found `b`");
}

static void test_unexpected_line_end_is_shown_behind_the_last_word(void **state) {
    const Diag *diag = assert_mistake(state, "use \"x\"  # comment", "DT0101", "");

    assert_message(diag, "expected `as`, found the end of the line");
    assert_int_equal(diag->span.start, 12);
}

static void test_unclosed_list_is_shown_with_its_bracket(void **state) {
    const Diag *diag = assert_mistake(state, "nodes x {\n a = [b,\n c\n count = 1\n}", "DT0105", "");

    assert_span(state, diag->labels.items[0].span, "[");
}

static void test_unclosed_block_is_found_by_indentation(void **state) {
    Session *session = *state;
    (void)parse_text(state, "dt 1\ncluster a {\n  nodes b {\n    c = 1\n}\nnodes d { }\n");

    assert_int_equal(session->diags.items.count, 1);
    assert_int_equal(session->diags.items.items[0]->labels.count, 2);
    assert_int_equal(session->diags.items.items[0]->labels.items[1].span.start, 27);
}

static void test_bracket_too_many_is_reported(void **state) {
    assert_mistake(state, "let a = f(1))", "DT0106", ")");
}

static void test_wrong_closing_bracket_is_reported(void **state) {
    assert_mistake(state, "let a = [1)", "DT0107", ")");
}

static void test_reserved_word_as_a_name_is_reported(void **state) {
    assert_mistake(state, "nodes x { in = 1 }", "DT0108", "in");
}

static void test_colon_for_equals_is_fixed(void **state) {
    const Diag *diag = assert_mistake(state, "let m = { a: 1 }", "DT0109", ":");

    assert_true(str_is(diag->fixes.items[0].replacement, " ="));
}

static void test_double_equals_for_equals_is_reported(void **state) {
    assert_mistake(state, "nodes x { a == 1 }", "DT0109", "==");
}

static void test_missing_value_does_not_take_the_next_line(void **state) {
    assert_mistake(state, "nodes x {\n a =\n b = 2\n}", "DT0110", "=");
    const File *file = parse_text(state, "dt 1\na =\nb = 2\n");
    assert_int_equal(file->items.count, 2);
}

static void test_brace_on_the_next_line_is_reported(void **state) {
    assert_mistake(state, "nodes x\n{\n a = 1\n}", "DT0111", "{");
}

static void test_else_is_reported(void **state) {
    assert_mistake(state, "if a { b { } } else { c { } }", "DT0112", "else");
}

static void test_elif_is_reported(void **state) {
    assert_mistake(state, "if a { b { } } elif d { c { } }", "DT0112", "elif");
}

static void test_chained_comparison_is_reported(void **state) {
    assert_mistake(state, "let a = 1 < b < 3", "DT0113", "<");
}

static void test_chained_range_is_reported(void **state) {
    assert_mistake(state, "let a = 1..2..3", "DT0114", "..");
}

static void test_unit_behind_a_blank_is_joined(void **state) {
    const Diag *diag = assert_mistake(state, "let a = 500 GiB", "DT0115", "GiB");

    assert_span(state, diag->fixes.items[0].span, " ");
}

static void test_too_large_integer_is_reported(void **state) {
    assert_mistake(state, "let a = 9223372036854775808", "DT0118", "9223372036854775808");
}

static void test_mistake_in_a_broken_head_hides_none_in_its_body(void **state) {
    Session *session = *state;
    (void)parse_text(state, "dt 1\nnodes a b {\n c = 1 d\n}\n");

    assert_int_equal(session->diags.items.count, 2);
}

static void test_mistakes_of_one_list_are_all_reported(void **state) {
    Session *session = *state;
    (void)parse_text(state, "dt 1\nlet a = [1 2, f(3 4), 5]\n");

    assert_int_equal(session->diags.items.count, 2);
}

static void test_unreadable_value_gives_one_message(void **state) {
    assert_mistake(state, "nodes x { a = [5Gib, 2] }", "DT0121", "Gib");
}

static void test_line_end_behind_question_mark_is_one_mistake(void **state) {
    assert_mistake(state, "let a = b ?\n c : d", "DT0101", "");
}

static void test_twenty_mistakes_give_twenty_messages(void **state) {
    Session *session = *state;
    Str text = STR_NONE;
    const char *fault =
        file_read(session->arena, STR("fixtures/invalid/DT0101-twenty-mistakes.dt"), SOURCE_BYTES_MAX, &text);
    assert_null(fault);

    (void)parse(session, source_add(session, STR("twenty.dt"), text));

    assert_int_equal(session->diags.items.count, 20);
}

// ---- limits

static const File *parse_repeated(void **state, const char *start, const char *text, size_t count) {
    Session *session = *state;
    StrBuf source = { .arena = session->arena };
    strbuf_add(&source, str_of(start));
    for (size_t i = 0; i < count; i++) {
        strbuf_add(&source, str_of(text));
    }
    return parse(session, source_add(session, STR("deep.dt"), strbuf_str(&source)));
}

static void assert_stopped(void **state, const char *code) {
    const Session *session = *state;
    assert_int_equal(session->diags.items.count, 1);
    assert_string_equal(diag_row(session->diags.items.items[0]->id)->code, code);
}

static void test_longest_chain_is_read(void **state) {
    (void)parse_repeated(state, "dt 1\nlet a = 1", " + 1", SYNTAX_EXPR_HEIGHT_MAX);

    assert_int_equal(((Session *)*state)->diags.items.count, 0);
}

static void test_longer_chain_stops_with_one_message(void **state) {
    (void)parse_repeated(state, "dt 1\nlet a = 1", " + 1", SYNTAX_EXPR_HEIGHT_MAX + 1);

    assert_stopped(state, "DT0117");
}

static void test_long_chain_of_indexes_stops_with_one_message(void **state) {
    (void)parse_repeated(state, "dt 1\nlet a = b", "[0]", 100000);

    assert_stopped(state, "DT0117");
}

static void test_deep_negation_stops_with_one_message(void **state) {
    (void)parse_repeated(state, "dt 1\nlet a = ", "!", 100000);

    assert_stopped(state, "DT0116");
}

static void test_deep_choice_stops_with_one_message(void **state) {
    (void)parse_repeated(state, "dt 1\nlet a = ", "b ? c : ", 100000);

    assert_stopped(state, "DT0116");
}

static void test_deep_type_stops_with_one_message(void **state) {
    (void)parse_repeated(state, "dt 1\nparam a : ", "list(", 100000);

    assert_stopped(state, "DT0116");
}

static void test_deep_blocks_stop_with_one_message(void **state) {
    (void)parse_repeated(state, "dt 1\n", "a {\n", 100000);

    assert_stopped(state, "DT0116");
}

#define claim(test) cmocka_unit_test_setup_teardown(test, open_session, close_session)

int main(void) {
    const struct CMUnitTest tests[] = {
        claim(test_attribute_has_name_and_value),
        claim(test_block_has_kind_label_like_and_on),
        claim(test_block_needs_no_label),
        claim(test_steps_of_a_reference_may_have_labels),
        claim(test_removal_has_kind_label_and_value),
        claim(test_label_may_be_interpolated),
        claim(test_late_param_has_type_and_default),
        claim(test_param_without_default_has_none),
        claim(test_use_has_path_and_name),
        claim(test_assert_and_allow_take_a_text),
        claim(test_patch_may_name_a_file),
        claim(test_resource_has_type_and_label),
        claim(test_branch_and_loop_hold_items),
        claim(test_doc_is_the_lines_right_above),
        claim(test_doc_at_the_end_of_a_line_is_no_doc),
        claim(test_quantity_has_digits_and_unit),
        claim(test_fraction_alone_is_a_quantity_without_unit),
        claim(test_largest_integer_is_read),
        claim(test_reserved_words_are_keys_and_fields),
        claim(test_parentheses_belong_to_the_outer_span_only),
        claim(test_choice_ends_in_a_choice),
        claim(test_minus_binds_tighter_than_range),
        claim(test_arguments_may_end_in_a_comma),
        claim(test_entry_after_line_end_of_allow_is_accepted),
        claim(test_missing_edition_is_inserted),
        claim(test_empty_file_lacks_its_edition),
        claim(test_other_edition_is_reported),
        claim(test_second_edition_is_reported),
        claim(test_unexpected_token_says_what_was_expected),
        claim(test_unexpected_line_end_is_shown_behind_the_last_word),
        claim(test_unclosed_list_is_shown_with_its_bracket),
        claim(test_unclosed_block_is_found_by_indentation),
        claim(test_bracket_too_many_is_reported),
        claim(test_wrong_closing_bracket_is_reported),
        claim(test_reserved_word_as_a_name_is_reported),
        claim(test_colon_for_equals_is_fixed),
        claim(test_double_equals_for_equals_is_reported),
        claim(test_missing_value_does_not_take_the_next_line),
        claim(test_brace_on_the_next_line_is_reported),
        claim(test_else_is_reported),
        claim(test_elif_is_reported),
        claim(test_chained_comparison_is_reported),
        claim(test_chained_range_is_reported),
        claim(test_unit_behind_a_blank_is_joined),
        claim(test_too_large_integer_is_reported),
        claim(test_mistake_in_a_broken_head_hides_none_in_its_body),
        claim(test_mistakes_of_one_list_are_all_reported),
        claim(test_unreadable_value_gives_one_message),
        claim(test_line_end_behind_question_mark_is_one_mistake),
        claim(test_twenty_mistakes_give_twenty_messages),
        claim(test_longest_chain_is_read),
        claim(test_longer_chain_stops_with_one_message),
        claim(test_long_chain_of_indexes_stops_with_one_message),
        claim(test_deep_negation_stops_with_one_message),
        claim(test_deep_choice_stops_with_one_message),
        claim(test_deep_type_stops_with_one_message),
        claim(test_deep_blocks_stop_with_one_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
