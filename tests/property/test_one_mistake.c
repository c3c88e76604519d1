// A mistake stops its own block and what stands on that. Nothing else is said of it: each block of each fixture that
// builds gets an attribute that does not exist, and the one message is about that attribute. What the fixture is warned
// of without the mistake may be said with it, too. And it hides nothing: each fixture that is refused gets a network
// with such an attribute, and all that was said before is still said. So it is with an assertion in each of its blocks.
#include "compiler/driver/mended.h"

#include "compiler/base/file.h"
#include "tests/support/check.h"

#include <glob.h>
#include <unistd.h>

typedef struct {
    Str folder; // of the fixture
    Str path;
    Str text;
    uint32_t tried;
    uint32_t wrong;
} Case;

static bool is_there(Str path, Arena *arena) {
    return access(str_c(arena, path), R_OK) == 0;
}

// Builds the fixture with its text, or with what stands in for that.
static void build_case(Session *session, const Case *the_case, Str text) {
    Overlay *overlay = arena_new(session->arena, Overlay);
    const StandIn stand_in = { .path = the_case->path, .text = text };
    vec_push(session->arena, overlay, stand_in);
    session->overlay = overlay;
    const Str params = str_format(session->arena, "%.*s/params.json", STR_ARG(the_case->folder));
    const Str facts = str_format(session->arena, "%.*s/facts.json", STR_ARG(the_case->folder));
    const BuildRequest request = { .path = the_case->path,
                                   .inputs = { .param_files = &params,
                                               .param_file_count = is_there(params, session->arena) ? 1 : 0 },
                                   .fact_files = &facts,
                                   .fact_file_count = is_there(facts, session->arena) ? 1 : 0 };
    build_mended(session, &request);
}

static bool is_said(const Session *session, const Diag *diag) {
    for (uint32_t i = 0; i < session->diags.items.count; i++) {
        const Diag *other = session->diags.items.items[i];
        if (other->id == diag->id && str_equal(other->message, diag->message)) {
            return true;
        }
    }
    return false;
}

// Puts the mistake in front of the block's closing brace.
static void try_block(Case *the_case, Session *clean, const Item *item) {
    Session *session = session_create();
    const size_t at = item->span.end - 1;
    const Str text = str_format(session->arena, "%.*s\nno_such = 1\n%.*s", STR_ARG(str_slice(the_case->text, 0, at)),
                                STR_ARG(str_slice(the_case->text, at, the_case->text.len)));
    build_case(session, the_case, text);
    bool is_wrong = session->diags.error_count == 0;
    for (uint32_t i = 0; i < session->diags.items.count; i++) {
        const Diag *diag = session->diags.items.items[i];
        const bool is_it = diag->id == DIAG_unknown_attribute;
        if (!is_it && !diag->is_allowed && !is_said(clean, diag)) {
            print_error("%s: %.*s\n", diag_row(diag->id)->code, STR_ARG(diag->message));
            is_wrong = true;
        }
    }
    if (is_wrong) {
        const uint32_t item_line = source_line_number(clean, item->span.source, item->span.start);
        print_error("with a mistake in line %u of %.*s\n", item_line, STR_ARG(the_case->path));
    }
    the_case->tried++;
    the_case->wrong += is_wrong;
    session_destroy(session);
}

static void try_items(Case *the_case, Session *clean, const Items *items) {
    for (uint32_t i = 0; i < items->count; i++) {
        const Item *item = items->items[i];
        switch (item->kind) {
        case ITEM_BLOCK:
            try_block(the_case, clean, item);
            try_items(the_case, clean, &item->block.body);
            break;
        case ITEM_IF:
            try_items(the_case, clean, &item->branch.body);
            break;
        case ITEM_FOR:
            try_items(the_case, clean, &item->loop.body);
            break;
        case ITEM_ATTRIBUTE:
        case ITEM_REMOVAL:
        case ITEM_PARAM:
        case ITEM_LET:
        case ITEM_USE:
        case ITEM_OUTPUT:
        case ITEM_ASSERT:
        case ITEM_ALLOW:
        case ITEM_PATCH:
        case ITEM_RESOURCE:
            break;
        }
    }
}

static void try_fixture(Case *the_case) {
    Session *clean = session_create();
    the_case->folder = str_slice(the_case->path, 0, the_case->path.len - str_after_last(the_case->path, '/').len - 1);
    assert_null(file_read(clean->arena, the_case->path, SOURCE_BYTES_MAX, &the_case->text));
    build_case(clean, the_case, the_case->text);
    if (!has_errors(clean)) { // else it is built with arguments
        Session *parsed = session_create();
        const uint32_t source = source_add(parsed, the_case->path, the_case->text);
        try_items(the_case, clean, &parse(parsed, source)->items);
        session_destroy(parsed);
    }
    session_destroy(clean);
}

static void test_a_mistake_is_said_alone(void **state) {
    (void)state;
    Case the_case = { 0 };
    glob_t found;
    assert_int_equal(glob("fixtures/valid/*/main.dt", 0, NULL, &found), 0);
    assert_int_equal(glob("fixtures/reference/*/infra.dt", GLOB_APPEND, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        the_case.path = str_of(found.gl_pathv[i]);
        try_fixture(&the_case);
    }
    globfree(&found);

    print_message("%u blocks\n", the_case.tried);
    assert_int_equal(the_case.wrong, 0);
    assert_true(the_case.tried > 500);
}

// Builds `text`, which is the fixture's with one mistake more: all that is said `before` is said again, and at most one
// thing more.
static void try_more(Case *the_case, const Session *before, Session *after, Str text) {
    build_case(after, the_case, text);
    bool is_wrong = after->diags.error_count > before->diags.error_count + 1; // nothing is read in an unknown kind
    for (uint32_t i = 0; i < before->diags.items.count; i++) {
        const Diag *diag = before->diags.items.items[i];
        if (!diag->is_allowed && !is_said(after, diag)) {
            print_error("not said: %s: %.*s\n", diag_row(diag->id)->code, STR_ARG(diag->message));
            is_wrong = true;
        }
    }
    if (is_wrong) {
        print_error("with a mistake more in %.*s\n", STR_ARG(the_case->path));
    }
    the_case->tried++;
    the_case->wrong += is_wrong;
}

// Puts a text into the fixture's.
static Str with(Session *session, const Case *the_case, size_t at, const char *more) {
    return str_format(session->arena, "%.*s%s%.*s", STR_ARG(str_slice(the_case->text, 0, at)), more,
                      STR_ARG(str_slice(the_case->text, at, the_case->text.len)));
}

static void try_beside(Case *the_case, const Session *before) {
    Session *after = session_create();
    const size_t at = str_find(the_case->text, STR("\n"), 0); // behind `dt 1`
    try_more(the_case, before, after,
             with(after, the_case, at, "\nnetwork no-such { zones = [\"us-east-1a\"], no_such = 1 }"));
    session_destroy(after);
}

// An assertion decides nothing, so a mistake in it does not stop its block.
static void try_in_blocks(Case *the_case, const Session *before) {
    Session *parsed = session_create();
    const File *file = parse(parsed, source_add(parsed, the_case->path, the_case->text));
    for (uint32_t i = 0; file->is_whole && i < file->items.count; i++) {
        const Item *item = file->items.items[i];
        if (item->kind == ITEM_BLOCK) {
            Session *after = session_create();
            try_more(the_case, before, after,
                     with(after, the_case, item->span.end - 1, "\nassert no-such-name, \"here\"\n"));
            session_destroy(after);
        }
    }
    session_destroy(parsed);
}

static void try_mistakes(Case *the_case, void try(Case *the_case, const Session *before)) {
    Session *before = session_create();
    size_t bad;
    assert_null(file_read(before->arena, the_case->path, SOURCE_BYTES_MAX, &the_case->text));
    if (str_is_utf8(the_case->text, &bad)) {
        build_case(before, the_case, the_case->text);
        try(the_case, before);
    }
    session_destroy(before);
}

static void try_invalid(void try(Case *the_case, const Session *before)) {
    Case the_case = { .folder = STR("fixtures/invalid") };
    glob_t found;
    assert_int_equal(glob("fixtures/invalid/DT*.dt", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        the_case.path = str_of(found.gl_pathv[i]);
        try_mistakes(&the_case, try);
    }
    globfree(&found);

    print_message("%u texts\n", the_case.tried);
    assert_int_equal(the_case.wrong, 0);
    assert_true(the_case.tried > 500);
}

static void test_a_mistake_beside_hides_nothing(void **state) {
    (void)state;
    try_invalid(try_beside);
}

static void test_an_assertion_hides_nothing(void **state) {
    (void)state;
    try_invalid(try_in_blocks);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_mistake_is_said_alone),
        cmocka_unit_test(test_a_mistake_beside_hides_nothing),
        cmocka_unit_test(test_an_assertion_hides_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
