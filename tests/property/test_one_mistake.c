// A mistake stops its own block and what stands on that. Nothing else is said of it: each block of each fixture that
// builds gets an attribute or a block that does not exist, and the one message is about that. What the fixture is warned
// of without the mistake may be said with it, too. And it hides nothing: each fixture that is refused gets a network
// with such an attribute, and all that was said before is still said. So it is with an assertion in each of its blocks.
// `SAMPLE=N` tries one fixture of N.
#include "compiler/driver/mended.h"

#include "compiler/base/file.h"
#include "tests/support/check.h"
#include "tests/support/sample.h"

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
static void build_case_with(Session *session, const Case *the_case, Str text,
                            Build run(Session *session, const BuildRequest *request)) {
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
    run(session, &request);
}

static void build_case(Session *session, const Case *the_case, Str text) {
    build_case_with(session, the_case, text, build_mended);
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

// Builds the fixture with a mistake in a block. What has its code is about it, and what one build alone says of that may
// follow from it.
static void try_text(Case *the_case, Session *clean, const Item *item, DiagId id, const Session *alone, Str text) {
    Session *session = session_create();
    build_case(session, the_case, text);
    bool is_wrong = session->diags.error_count == 0;
    for (uint32_t i = 0; i < session->diags.items.count; i++) {
        const Diag *diag = session->diags.items.items[i];
        const bool is_it = diag->id == id || (alone != NULL && is_said(alone, diag));
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

static Str without(Arena *arena, Str text, size_t start, size_t end, const char *instead) {
    return str_format(arena, "%.*s%s%.*s", STR_ARG(str_slice(text, 0, start)), instead,
                      STR_ARG(str_slice(text, end, text.len)));
}

// A mistake in front of the block's closing brace, the next of three in each block, and every second required attribute
// taken away alone.
static void try_block(Case *the_case, Session *clean, const Item *item) {
    static const struct {
        const char *text;
        DiagId id;
    } MISTAKES[] = {
        { "\nno_such = 1\n", DIAG_unknown_attribute },
        { "\nqqzz {}\n", DIAG_unknown_kind },
        { "\nnetwork inner {}\n", DIAG_block_misplaced },
    };
    Arena *arena = arena_create();
    const size_t at = item->span.end - 1;
    const size_t next = the_case->tried % COUNT_OF(MISTAKES);
    try_text(the_case, clean, item, MISTAKES[next].id, NULL,
             without(arena, the_case->text, at, at, MISTAKES[next].text));
    for (uint32_t i = 0; i < item->block.body.count; i++) {
        const Item *inner = item->block.body.items[i];
        const KindRow *kind = schema_kind(item->block.kind.text);
        const int attribute =
            inner->kind == ITEM_ATTRIBUTE && kind != NULL ? schema_attribute(kind, inner->attribute.name.text) : -1;
        if (attribute >= 0 && kind->attributes[attribute].is_required && the_case->tried % 2 == 0) {
            const Str text = without(arena, the_case->text, inner->span.start, inner->span.end, "");
            Session *alone = session_create();
            build_case_with(alone, the_case, text, build);
            if (has_errors(alone)) { // else another block gives it by `like`
                try_text(the_case, clean, item, DIAG_attribute_missing, alone, text);
            }
            session_destroy(alone);
        }
    }
    arena_destroy(arena);
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
    for (size_t i = 0; i < found.gl_pathc; i += sample_size()) {
        the_case.path = str_of(found.gl_pathv[i]);
        try_fixture(&the_case);
    }
    globfree(&found);

    print_message("%u blocks\n", the_case.tried);
    assert_int_equal(the_case.wrong, 0);
    assert_true(the_case.tried > 500 / sample_size());
}

// What only finished files show: their size, and what dtc lint would say of them. There are none beside an error.
static bool is_of_files(const Diag *diag) {
    bool is = diag->id == DIAG_template_needs_bucket;
    for (uint32_t i = 0; i < diag->notes.count; i++) {
        is = is || str_has(diag->notes.items[i], "would have it");
    }
    return is;
}

// Builds `text`, which is the fixture's with one mistake more: all that is said `before` is said again, and at most one
// thing more.
static void try_more(Case *the_case, const Session *before, Session *after, Str text) {
    build_case(after, the_case, text);
    bool is_wrong = after->diags.error_count > before->diags.error_count + 1; // nothing is read in an unknown kind
    for (uint32_t i = 0; i < before->diags.items.count; i++) {
        const Diag *diag = before->diags.items.items[i];
        if (!diag->is_allowed && !is_of_files(diag) && !is_said(after, diag)) {
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
    for (size_t i = 0; i < found.gl_pathc; i += sample_size()) {
        the_case.path = str_of(found.gl_pathv[i]);
        try_mistakes(&the_case, try);
    }
    globfree(&found);

    print_message("%u texts\n", the_case.tried);
    assert_int_equal(the_case.wrong, 0);
    assert_true(the_case.tried > 500 / sample_size());
}

static void test_a_mistake_beside_hides_nothing(void **state) {
    (void)state;
    try_invalid(try_beside);
}

static void test_an_assertion_hides_nothing(void **state) {
    (void)state;
    try_invalid(try_in_blocks);
}

// ---- beside a second mistake, in the same block ----------------------------------------------------------------

// A second mistake, by the kind of the block that gets it; empty: none of this sort. `least`: how many of a hundred things
// that were said before are said beside it. What is about the very attribute, or depends on it, is not.
typedef struct {
    const char *what;
    const char *in_cluster;
    const char *in_others;
    const char *in_network;
    uint32_t least;
} Second;

static const Second SECONDS[] = {
    { "an unknown attribute", "qqzz = 1", "qqzz = 1", "qqzz = 1", 97 },
    { "an attribute of another kind", "zones = [\"us-east-1a\"]", "zones = [\"us-east-1a\"]", "mount = \"/data\"", 96 },
    { "a block in the wrong place", "network inner {}", "network inner {}", "nodes inner {}", 97 },
    { "a block of an unknown kind", "qqzz {}", "qqzz {}", "qqzz {}", 97 },
    { "a required attribute that is missing", "nodes inner { count = 1 }", "", "", 95 },
    { "a block of another target", "head { }", "", "", 88 },
};

typedef struct {
    uint32_t before;
    uint32_t after;
} Score;

static bool has_mistake(const Session *before, const Item *item) {
    bool has = false;
    for (uint32_t i = 0; i < before->diags.items.count && !has; i++) {
        const Diag *diag = before->diags.items.items[i];
        has = !diag->is_allowed && diag->severity == SEVERITY_ERROR && diag->span.source == 1 &&
              diag->span.start >= item->span.start && diag->span.end <= item->span.end;
    }
    return has;
}

static void try_second(Case *the_case, const Session *before, const Item *item, const Second *second, Score *score) {
    const Str kind = item->block.kind.text;
    const char *more = str_is(kind, "cluster")   ? second->in_cluster
                       : str_is(kind, "network") ? second->in_network
                                                 : second->in_others;
    if (more[0] == '\0') {
        return;
    }
    Session *after = session_create();
    build_case(
        after, the_case,
        with(after, the_case, item->span.end - 1, str_c(after->arena, str_format(after->arena, "\n%s\n", more))));
    for (uint32_t i = 0; i < before->diags.items.count; i++) {
        const Diag *diag = before->diags.items.items[i];
        if (!diag->is_allowed && diag->severity == SEVERITY_ERROR) {
            score->before++;
            score->after += is_said(after, diag);
        }
    }
    session_destroy(after);
}

// Each sort of second mistake beside what the fixture has.
static void try_seconds(Case *the_case, Score *scores) {
    Session *before = session_create();
    size_t bad;
    assert_null(file_read(before->arena, the_case->path, SOURCE_BYTES_MAX, &the_case->text));
    if (str_is_utf8(the_case->text, &bad)) {
        build_case(before, the_case, the_case->text);
        Session *parsed = session_create();
        const File *file = parse(parsed, source_add(parsed, the_case->path, the_case->text));
        for (uint32_t i = 0; file->is_whole && i < file->items.count; i++) {
            const Item *item = file->items.items[i];
            const bool is_wrong = item->kind == ITEM_BLOCK && has_mistake(before, item);
            for (size_t k = 0; is_wrong && k < COUNT_OF(SECONDS); k++) {
                try_second(the_case, before, item, &SECONDS[k], &scores[k]);
            }
        }
        session_destroy(parsed);
    }
    session_destroy(before);
}

static void test_a_second_mistake_hides_little(void **state) {
    (void)state;
    Case the_case = { .folder = STR("fixtures/invalid") };
    Score scores[COUNT_OF(SECONDS)] = { 0 };
    glob_t found;
    assert_int_equal(glob("fixtures/invalid/DT*.dt", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i += sample_size()) {
        the_case.path = str_of(found.gl_pathv[i]);
        try_seconds(&the_case, scores);
    }
    globfree(&found);

    uint32_t too_few = 0;
    for (size_t k = 0; k < COUNT_OF(SECONDS); k++) {
        print_message("beside %s: %u of %u\n", SECONDS[k].what, scores[k].after, scores[k].before);
        // A floor is one of all fixtures, or of half of them; fewer may be those that say less.
        const uint32_t least = sample_size() <= 2 ? SECONDS[k].least : SECONDS[k].least / 2;
        too_few += scores[k].before == 0 || scores[k].after * 100 < scores[k].before * least;
    }
    assert_int_equal(too_few, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_mistake_is_said_alone),
        cmocka_unit_test(test_a_mistake_beside_hides_nothing),
        cmocka_unit_test(test_an_assertion_hides_nothing),
        cmocka_unit_test(test_a_second_mistake_hides_little),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
