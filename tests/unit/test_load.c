#include "compiler/base/load.h"

#include "tests/support/check.h"

#include <unistd.h>

typedef struct {
    Session *session;
    char path[64];
} Loaded;

static int make_loaded(void **state) {
    static const char model[] = "/tmp/dtc-test-load-XXXXXX";
    Loaded *loaded = calloc(1, sizeof(*loaded));
    memcpy(loaded->path, model, sizeof(model));
    loaded->session = session_create();
    *state = loaded;
    return mkstemp(loaded->path) < 0 ? -1 : 0;
}

static int drop_loaded(void **state) {
    Loaded *loaded = *state;
    unlink(loaded->path);
    session_destroy(loaded->session);
    free(loaded);
    return 0;
}

static uint32_t load(const Loaded *loaded, Str content, Span from) {
    FILE *file = fopen(loaded->path, "w");
    assert_non_null(file);
    if (content.len > 0) {
        assert_int_equal(fwrite(content.data, 1, content.len, file), content.len);
    }
    assert_int_equal(fclose(file), 0);
    return source_load(loaded->session, str_of(loaded->path), from);
}

static const Diag *only_diag(const Loaded *loaded) {
    assert_int_equal(loaded->session->diags.items.count, 1);
    return loaded->session->diags.items.items[0];
}

static void test_a_text_becomes_a_source(void **state) {
    const Loaded *loaded = *state;

    const uint32_t number = load(loaded, STR("dt 1\n"), SPAN_NONE);

    assert_int_equal(number, 1);
    assert_text(source_get(loaded->session, number)->text, "dt 1\n");
    assert_text(source_get(loaded->session, number)->path, loaded->path);
    assert_false(has_errors(loaded->session));
}

static void test_an_empty_file_is_a_source(void **state) {
    assert_int_equal(load(*state, STR_NONE, SPAN_NONE), 1);
}

static void test_a_byte_order_mark_is_no_part_of_the_text(void **state) {
    const Loaded *loaded = *state;

    const uint32_t number = load(loaded,
                                 STR("\xEF\xBB\xBF"
                                     "dt 1\n"),
                                 SPAN_NONE);

    assert_text(source_get(loaded->session, number)->text, "dt 1\n");
    assert_int_equal(source_place(loaded->session, number, 0).column, 1);
}

static void test_a_missing_file_is_reported_where_it_was_asked_for(void **state) {
    const Loaded *loaded = *state;
    const uint32_t asking = source_add(loaded->session, STR("a.dt"), STR("use \"b.dt\" as b"));
    const Span from = { asking, 4, 10 };

    assert_int_equal(source_load(loaded->session, STR("none.dt"), from), 0);

    assert_int_equal(only_diag(loaded)->id, DIAG_cannot_read);
    assert_text(only_diag(loaded)->message, "cannot read `none.dt`: no such file or directory");
    assert_true(span_equal(only_diag(loaded)->span, from));
}

static void test_a_wrong_byte_is_reported_in_the_file_itself(void **state) {
    const Loaded *loaded = *state;
    const uint32_t asking = source_add(loaded->session, STR("a.dt"), STR("use \"b.dt\" as b"));

    assert_int_equal(load(loaded, STR("ab\xE9 c"), (Span){ asking, 4, 10 }), 0);

    const Diag *diag = only_diag(loaded);
    assert_int_equal(diag->id, DIAG_not_utf8);
    assert_int_equal(diag->span.source, 2);
    assert_int_equal(diag->span.start, 2);
    assert_int_equal(diag->labels.items[0].span.source, asking);
}

static void test_a_binary_file_has_its_own_message(void **state) {
    const Loaded *loaded = *state;

    assert_int_equal(load(loaded,
                          (Str){ "\x7F"
                                 "ELF\0\xFF",
                                 6 },
                          SPAN_NONE),
                     0);

    assert_int_equal(only_diag(loaded)->id, DIAG_binary_file);
}

static void test_the_largest_file_is_read_and_one_byte_more_is_not(void **state) {
    const Loaded *loaded = *state;
    char *data = calloc(SOURCE_BYTES_MAX + 1, 1);
    memset(data, '#', SOURCE_BYTES_MAX + 1);

    assert_int_equal(load(loaded, (Str){ data, SOURCE_BYTES_MAX }, SPAN_NONE), 1);
    assert_int_equal(load(loaded, (Str){ data, SOURCE_BYTES_MAX + 1 }, SPAN_NONE), 0);

    assert_int_equal(only_diag(loaded)->id, DIAG_file_too_large);
    free(data);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_loaded, drop_loaded)

static void test_an_overlay_stands_in_for_a_file(void **state) {
    const Loaded *loaded = *state;
    Overlay overlay = { 0 };
    const StandIn stand_in = { .path = str_of(loaded->path), .text = STR("from memory") };
    vec_push(loaded->session->arena, &overlay, stand_in);
    loaded->session->overlay = &overlay;

    const uint32_t number = load(loaded, STR("from the disk"), SPAN_NONE);

    assert_text(source_get(loaded->session, number)->text, "from memory");
}

static void test_whether_a_mark_was_there_is_known(void **state) {
    const Loaded *loaded = *state;

    const uint32_t with = load(loaded,
                               STR("\xEF\xBB\xBF"
                                   "a"),
                               SPAN_NONE);
    const uint32_t without = load(loaded, STR("a"), SPAN_NONE);

    assert_true(source_get(loaded->session, with)->has_mark);
    assert_false(source_get(loaded->session, without)->has_mark);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_a_text_becomes_a_source),
        TEST(test_an_empty_file_is_a_source),
        TEST(test_a_byte_order_mark_is_no_part_of_the_text),
        TEST(test_an_overlay_stands_in_for_a_file),
        TEST(test_whether_a_mark_was_there_is_known),
        TEST(test_a_missing_file_is_reported_where_it_was_asked_for),
        TEST(test_a_wrong_byte_is_reported_in_the_file_itself),
        TEST(test_a_binary_file_has_its_own_message),
        TEST(test_the_largest_file_is_read_and_one_byte_more_is_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
