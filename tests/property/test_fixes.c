// The fixes of every fixture, in memory. The text with all of them is exactly what they say, as another applier makes
// it that knows nothing of trials. A second search finds nothing more. tests/fix.sh tests the command.
#include "compiler/driver/fix/fix.h"
#include "compiler/driver/mended.h"

#include "compiler/base/file.h"
#include "tests/support/check.h"

#include <glob.h>

enum { ROUNDS_MAX = 20 };

static void lay_over(Session *session, Str text) {
    Overlay *overlay = arena_new(session->arena, Overlay);
    const StandIn stand_in = { .path = STR("/none/main.dt"), .text = text };
    vec_push(session->arena, overlay, stand_in);
    session->overlay = overlay;
}

static const Fixes *find(Session *session, Str text) {
    const BuildRequest request = { .path = STR("/none/main.dt") };
    lay_over(session, text);
    return fixes_find(session, &request);
}

static bool is_refused(const Fixes *fixes, const Diag *diag) {
    for (uint32_t i = 0; i < fixes->refused.count; i++) {
        if (fixes->refused.items[i].id == diag->id) {
            return true;
        }
    }
    return false;
}

// One edit, by hand.
static Str replace(Arena *arena, Str text, const DiagFix *fix) {
    return str_format(arena, "%.*s%.*s%.*s", STR_ARG(str_slice(text, 0, fix->span.start)), STR_ARG(fix->replacement),
                      STR_ARG(str_slice(text, fix->span.end, text.len)));
}

// The diagnostic whose fixes stand last in the text, without those of `fixes` that were refused; NULL without one.
static const Diag *last_fixable(const Session *session, const Fixes *fixes) {
    const Diag *last = NULL;
    for (uint32_t i = 0; i < session->diags.items.count; i++) {
        const Diag *diag = session->diags.items.items[i];
        if (!diag->is_allowed && diag->fixes.count > 0 && !is_refused(fixes, diag) &&
            (last == NULL || diag->fixes.items[0].span.start > last->fixes.items[0].span.start)) {
            last = diag;
        }
    }
    return last;
}

// Applies one diagnostic's fixes after the other, from the end of the text, with a check in between.
static Str apply_by_hand(Arena *arena, Str text, const Fixes *fixes) {
    for (int round = 0; round < ROUNDS_MAX; round++) {
        Session *session = session_create();
        const BuildRequest request = { .path = STR("/none/main.dt") };
        lay_over(session, text);
        build_mended(session, &request);
        const Diag *diag = last_fixable(session, fixes);
        for (uint32_t i = diag == NULL ? 0 : diag->fixes.count; i > 0; i--) {
            text = replace(arena, text, &diag->fixes.items[i - 1]);
        }
        session_destroy(session);
        if (diag == NULL) {
            return text;
        }
    }
    return STR("too many rounds");
}

static bool check_fixture(const char *path) {
    Session *session = session_create();
    Str text;
    assert_null(file_read(session->arena, str_of(path), SOURCE_BYTES_MAX, &text));
    size_t bad;
    bool is_fixed = false;
    if (str_is_utf8(text, &bad) && memchr(text.data, 0, text.len) == NULL) {
        const Fixes *fixes = find(session, text);
        const Str fixed = fixes->files.items[0].text;
        is_fixed = fixes->applied.count > 0;

        const Str expected = apply_by_hand(session->arena, text, fixes);
        if (!str_equal(fixed, expected)) {
            print_error("%s\n", path);
        }
        assert_text(fixed, str_c(session->arena, expected));
        assert_int_equal(find(session, fixed)->applied.count, 0);
        assert_false(fixes->is_unsettled);
    }
    session_destroy(session);
    return is_fixed;
}

static void test_the_change_is_exactly_the_fixes(void **state) {
    (void)state;
    glob_t found;
    assert_int_equal(glob("fixtures/invalid/DT*.dt", 0, NULL, &found), 0);
    int fixed_count = 0;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        fixed_count += check_fixture(found.gl_pathv[i]);
    }
    globfree(&found);

    assert_true(fixed_count > 40); // nobody took the fixes away unseen
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_change_is_exactly_the_fixes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
