// schema/updates.def has a row for each property that an emitter writes, in all that fixtures/valid expects, and for each
// that a fix of fixtures/foreign changes. Where it has none, dtc would hold back a fix that may be good, and nobody would
// see it.
#include "compiler/base/load.h"
#include "compiler/driver/lint/lint_file.h"
#include "compiler/plan/rules/hold_fixes.h"

#include "tests/support/check.h"

#include <glob.h>

typedef struct {
    uint32_t seen;
    uint32_t unknown;
} Tally;

static void check_piece(const PlanFile *file, const PlanPiece *piece, const char *path, Tally *tally) {
    const Data *properties = data_get(piece->data, "Properties");
    const bool is_resource = file->form == FILE_TEMPLATE && str_starts_with(piece->type, STR("AWS::"));
    for (uint32_t i = 0; is_resource && properties != NULL && i < properties->count; i++) {
        const Str key = properties->entries[i].key;
        tally->seen++;
        if (update_of(piece->type, key) == UPDATE_UNKNOWN) {
            tally->unknown++;
            print_error("%s: no row for %.*s of %.*s\n", path, STR_ARG(key), STR_ARG(piece->type));
        }
    }
}

static void check_output(const char *path, Tally *tally) {
    Session *session = session_create();
    const uint32_t source = source_load(session, str_of(path), SPAN_NONE);
    const ForeignFile file = foreign_read(session, source, FOREIGN_NONE, READ_ALL);
    for (uint32_t i = 0; i < file.plans.count; i++) {
        const PlanFile *text = file.plans.items[i]->file;
        for (uint32_t k = 0; text != NULL && k < text->pieces.count; k++) {
            check_piece(text, &text->pieces.items[k], path, tally);
        }
    }
    session_destroy(session);
}

static void test_each_property_that_an_emitter_writes_has_a_row(void **state) {
    (void)state;
    Tally tally = { 0 };
    glob_t found;
    assert_int_equal(glob("fixtures/valid/*/expected/*.yaml", 0, NULL, &found), 0);
    (void)glob("fixtures/valid/*/expected/*.json", GLOB_APPEND, NULL, &found);
    (void)glob("fixtures/valid/*/expected/*/*.yaml", GLOB_APPEND, NULL, &found);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        check_output(found.gl_pathv[i], &tally);
    }
    globfree(&found);

    print_message("%" PRIu32 " properties\n", tally.seen);
    assert_true(tally.seen > 10000);
    assert_int_equal(tally.unknown, 0);
}

// Of a fix that is held back.
static bool says_price(const Diag *diag) {
    for (uint32_t i = 0; i < diag->helps.count; i++) {
        if (str_starts_with(diag->helps.items[i], STR("where this is deployed already, "))) {
            return true;
        }
    }
    return false;
}

// Of a fix that is held back because no row knows what it does.
static bool is_unknown(const Diag *diag) {
    const Str price = update_price(STR_NONE, STR_NONE, UPDATE_UNKNOWN);
    for (uint32_t i = 0; i < diag->helps.count; i++) {
        if (str_ends_with(diag->helps.items[i], price)) {
            return true;
        }
    }
    return false;
}

static void check_fixes(const char *path, Tally *tally) {
    Session *session = session_create();
    const uint32_t source = source_load(session, str_of(path), SPAN_NONE);
    const Beside beside = { .arena = session->arena };
    lint_file(session, source, FOREIGN_NONE, &beside);
    for (uint32_t i = 0; i < session->diags.items.count; i++) {
        const Diag *diag = session->diags.items.items[i];
        tally->seen += diag->fixes.count > 0 || says_price(diag);
        if (is_unknown(diag)) {
            tally->unknown++;
            print_error("%s: no row for the fix of %s\n", path, diag_row(diag->id)->code);
        }
    }
    session_destroy(session);
}

static void test_each_property_that_a_fix_changes_has_a_row(void **state) {
    (void)state;
    Tally tally = { 0 };
    glob_t found;
    assert_int_equal(glob("fixtures/foreign/*.yaml", 0, NULL, &found), 0);
    (void)glob("fixtures/foreign/*.json", GLOB_APPEND, NULL, &found);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        check_fixes(found.gl_pathv[i], &tally);
    }
    globfree(&found);

    print_message("%" PRIu32 " fixes\n", tally.seen);
    assert_true(tally.seen > 80);
    assert_int_equal(tally.unknown, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_property_that_an_emitter_writes_has_a_row),
        cmocka_unit_test(test_each_property_that_a_fix_changes_has_a_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
