#include "compiler/driver/fix/fix.h"

#include "compiler/base/file.h"
#include "tests/support/check.h"

#include <sys/stat.h>
#include <unistd.h>

typedef struct {
    Session *session;
    char folder[64];
    Fixes fixes;
} Case;

static int make_case(void **state) {
    static const char model[] = "/tmp/dtc-test-fix-XXXXXX";
    Case *made = calloc(1, sizeof(*made));
    memcpy(made->folder, model, sizeof(model));
    made->session = session_create();
    *state = made;
    return mkdtemp(made->folder) == NULL ? -1 : 0;
}

static Str path_of(const Case *made, const char *name) {
    return str_format(made->session->arena, "%s/%s", made->folder, name);
}

static int drop_case(void **state) {
    Case *made = *state;
    static const char *const NAMES[] = { "a.dt", "b.dt", "link.dt" };
    for (size_t i = 0; i < COUNT_OF(NAMES); i++) {
        unlink(str_c(made->session->arena, path_of(made, NAMES[i])));
    }
    const int is_left = rmdir(made->folder); // fails where a temporary file is left
    session_destroy(made->session);
    free(made);
    return is_left;
}

static void put(const Case *made, const char *name, const char *text) {
    FILE *file = fopen(str_c(made->session->arena, path_of(made, name)), "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static Str get(const Case *made, const char *name) {
    Str text;
    assert_null(file_read(made->session->arena, path_of(made, name), 1000, &text));
    return text;
}

static void add_file(Case *made, const char *name, const char *before, const char *after) {
    const FixedFile file = { .path = path_of(made, name), .original = str_of(before), .text = str_of(after) };
    vec_push(made->session->arena, &made->fixes.files, file);
}

static void add_fix(Case *made, const char *name, uint32_t start, const char *before, const char *after) {
    const AppliedFix applied = {
        .code = "DT0304", .path = path_of(made, name), .start = start, .before = str_of(before), .after = str_of(after)
    };
    vec_push(made->session->arena, &made->fixes.applied, applied);
}

static void test_a_changed_file_is_written(void **state) {
    Case *made = *state;
    put(made, "a.dt", "old");
    add_file(made, "a.dt", "old", "new");

    fixes_write(made->session, &made->fixes);

    assert_false(has_errors(made->session));
    assert_text(get(made, "a.dt"), "new");
}

static void test_a_file_without_fixes_is_not_touched(void **state) {
    Case *made = *state;
    put(made, "a.dt", "saved since");
    add_file(made, "a.dt", "old", "old");

    fixes_write(made->session, &made->fixes);

    assert_false(has_errors(made->session));
    assert_text(get(made, "a.dt"), "saved since");
}

static void test_a_file_that_was_saved_meanwhile_is_left_alone(void **state) {
    Case *made = *state;
    put(made, "a.dt", "old");
    put(made, "b.dt", "saved since");
    add_file(made, "a.dt", "old", "new");
    add_file(made, "b.dt", "old", "new");

    fixes_write(made->session, &made->fixes);

    assert_int_equal(made->session->diags.items.count, 1);
    assert_int_equal(made->session->diags.items.items[0]->id, DIAG_cannot_write);
    assert_text(get(made, "a.dt"), "old"); // all or none
    assert_text(get(made, "b.dt"), "saved since");
}

static void test_a_byte_order_mark_is_put_back(void **state) {
    Case *made = *state;
    put(made, "a.dt", "\xEF\xBB\xBFold");
    add_file(made, "a.dt", "old", "new");
    made->fixes.files.items[0].has_mark = true;

    fixes_write(made->session, &made->fixes);

    assert_text(get(made, "a.dt"), "\xEF\xBB\xBFnew");
}

static void test_permissions_stay(void **state) {
    Case *made = *state;
    put(made, "a.dt", "old");
    const char *path = str_c(made->session->arena, path_of(made, "a.dt"));
    assert_int_equal(chmod(path, 0640), 0);
    add_file(made, "a.dt", "old", "new");

    fixes_write(made->session, &made->fixes);

    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 07777, 0640);
}

static void test_a_link_stays_a_link(void **state) {
    Case *made = *state;
    put(made, "a.dt", "old");
    assert_int_equal(symlink("a.dt", str_c(made->session->arena, path_of(made, "link.dt"))), 0);
    add_file(made, "link.dt", "old", "new");

    fixes_write(made->session, &made->fixes);

    struct stat status;
    assert_int_equal(lstat(str_c(made->session->arena, path_of(made, "link.dt")), &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_text(get(made, "a.dt"), "new");
}

static void test_a_fix_is_one_line_in_the_order_of_the_text(void **state) {
    Case *made = *state;
    add_file(made, "a.dt", "", "dt 1\nlet a = all\n");
    add_fix(made, "a.dt", 13, "8", "all");
    add_fix(made, "a.dt", 0, "", "dt 1\n");

    const Str text = fixes_print(made->session, &made->fixes);

    const Str path = path_of(made, "a.dt");
    assert_text(text, str_c(made->session->arena,
                            str_format(made->session->arena,
                                       "%.*s:1:1: DT0304: puts in `dt 1\\n`\n%.*s:2:9: DT0304: `8` -> `all`\n",
                                       STR_ARG(path), STR_ARG(path))));
}

static void test_a_long_text_is_cut_short(void **state) {
    Case *made = *state;
    char text[101] = { 0 };
    memset(text, 'x', sizeof(text) - 1);
    add_file(made, "a.dt", "", "dt 1\n");
    add_fix(made, "a.dt", 0, text, "");

    const Str line = fixes_print(made->session, &made->fixes);

    assert_true(str_ends_with(line, STR("xxx…`\n")));
    assert_true(line.len < 150);
}

static void test_the_difference_has_the_mark_that_the_file_has(void **state) {
    Case *made = *state;
    add_file(made, "a.dt", "a\n", "b\n");
    made->fixes.files.items[0].has_mark = true;

    const Str text = fixes_diff(made->session->arena, &made->fixes);

    assert_true(str_ends_with(text, STR("@@ -1 +1 @@\n-\xEF\xBB\xBF"
                                        "a\n+\xEF\xBB\xBF"
                                        "b\n")));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_case, drop_case)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_a_changed_file_is_written),
        TEST(test_a_file_without_fixes_is_not_touched),
        TEST(test_a_file_that_was_saved_meanwhile_is_left_alone),
        TEST(test_a_byte_order_mark_is_put_back),
        TEST(test_permissions_stay),
        TEST(test_a_link_stays_a_link),
        TEST(test_a_fix_is_one_line_in_the_order_of_the_text),
        TEST(test_a_long_text_is_cut_short),
        TEST(test_the_difference_has_the_mark_that_the_file_has),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
