// What stands beside the attributes of a block is not dropped in silence either: a patch, a raw resource and an output,
// put into each block of each source, changes an output, or a message points at it. So it does in a block
// inside of a block. Sources are those of fixtures/dropped, with their first variant, and those of fixtures/valid that
// build without another file. `SAMPLE=N` tries one source of N.
#include "tests/support/build_complete.h"
#include "tests/support/sample.h"

#include "compiler/base/file.h"
#include "compiler/syntax/ast.h"

#include <glob.h>

enum { FILE_MAX = 1024 * 1024, SOURCES_MIN = 60 };

// The paths lead nowhere: a file that is patched says so.
static const char *const ITEMS[] = {
    "patch { \"ZzProbe.Nothing\" = 1 }",
    "patch cfn { \"ZzProbe.Nothing\" = 1 }",
    "patch pcluster { \"ZzProbe.Nothing\" = 1 }",
    "patch eksctl { \"ZzProbe.Nothing\" = 1 }",
    "patch k8s { \"ZzProbe.Nothing\" = 1 }",
    "resource \"AWS::SNS::Topic\" ZzProbe { DisplayName = \"probe\" }",
    "resource \"v1/ConfigMap\" zzprobe { data = { probe = \"1\" } }",
    "output zz_probe = \"probe\"",
};

typedef struct {
    Arena *arena;
    uint32_t sources;
    uint32_t builds;
    uint32_t dropped;
} World;

typedef VEC(uint32_t) Places;

// Behind the `{` of each block. What stands in an `if` or a `for` may not be there.
static void find_blocks(Arena *arena, Str text, const Items *items, Places *places) {
    for (uint32_t i = 0; i < items->count; i++) {
        const Item *item = items->items[i];
        if (item->kind == ITEM_BLOCK) {
            const uint32_t from = item->block.label == NULL ? item->keyword.end : item->block.label->span.end;
            const size_t brace = str_find(text, STR("{"), from);
            if (brace < item->span.end) {
                vec_push(arena, places, (uint32_t)brace + 1);
            }
            find_blocks(arena, text, &item->block.body, places);
        }
    }
}

static Places places_of(Arena *arena, Str text) {
    Session *session = session_create();
    Places places = { 0 };
    find_blocks(arena, text, &parse(session, source_add(session, STR("main.dt"), text))->items, &places);
    session_destroy(session);
    return places;
}

static void add_sum(uint64_t *sum, Str text) {
    for (size_t i = 0; i < text.len; i++) { // FNV-1a
        *sum = (*sum ^ (unsigned char)text.data[i]) * UINT64_C(1099511628211);
    }
}

typedef struct {
    bool fails;
    bool is_named;
    uint64_t sum;
} Outcome;

static bool overlaps(Span span, uint32_t start, uint32_t end) {
    return span.source == 1 && span.start < end && span.end > start;
}

// What came of a text, whose item stands from `start` to `end`.
static Outcome outcome_of(World *world, Str text, uint32_t start, uint32_t end) {
    Arena *arena = arena_create();
    BuiltText built = build_complete(arena, text);
    Outcome outcome = { .fails = has_errors(built.session), .sum = UINT64_C(14695981039346656037) };
    for (uint32_t i = 0; i < built.session->diags.items.count; i++) {
        const Diag *diag = built.session->diags.items.items[i];
        outcome.is_named = outcome.is_named || overlaps(diag->span, start, end);
        for (uint32_t k = 0; k < diag->labels.count; k++) {
            outcome.is_named = outcome.is_named || overlaps(diag->labels.items[k].span, start, end);
        }
    }
    for (uint32_t i = 0; i < built.output.artifacts.count; i++) {
        add_sum(&outcome.sum, built.output.artifacts.items[i].name);
        add_sum(&outcome.sum, built.output.artifacts.items[i].content);
    }
    world->builds++;
    session_destroy(built.session);
    arena_destroy(arena);
    return outcome;
}

// The lines of `text` up to a place.
static int line_of(Str text, uint32_t place) {
    int line = 1;
    for (uint32_t i = 0; i < place; i++) {
        line += text.data[i] == '\n' ? 1 : 0;
    }
    return line;
}

static void try_item(World *world, const char *name, Str text, uint32_t place, const char *item, uint64_t without) {
    Arena *arena = arena_create();
    const Str probe = str_format(arena, "\n%s\n", item);
    const Str with = str_format(arena, "%.*s%.*s%.*s", STR_ARG(str_slice(text, 0, place)), STR_ARG(probe),
                                STR_ARG(str_slice(text, place, text.len)));
    const Outcome outcome = outcome_of(world, with, place, place + (uint32_t)probe.len);
    if (!outcome.is_named && !outcome.fails && outcome.sum == without) {
        print_error("%s: behind `{` in line %d: `%s` is dropped\n", name, line_of(text, place), item);
        world->dropped++;
    }
    arena_destroy(arena);
}

// What waits for a fact that no test knows has no text, and says nothing.
static bool waits(Str text) {
    BuiltText built = build_text(text);
    bool waits = false;
    for (uint32_t i = 0; i < built.output.artifacts.count; i++) {
        waits = waits || built.output.artifacts.items[i].missing.count > 0;
    }
    session_destroy(built.session);
    return waits;
}

static void try_text(World *world, const char *name, Str text) {
    const Outcome without = outcome_of(world, text, 0, 0);
    if (without.fails) {
        return; // it needs another file, a parameter or a fact
    }
    world->sources++;
    const Places places = places_of(world->arena, text);
    for (uint32_t i = 0; i < places.count; i++) {
        for (size_t k = 0; k < COUNT_OF(ITEMS); k++) {
            try_item(world, name, text, places.items[i], ITEMS[k], without.sum);
        }
    }
}

// A source of fixtures/dropped: with the attributes of its first variant in place of the marks, or without marks.
static Str source_of(Arena *arena, Str text) {
    StrBuf out = { .arena = arena };
    Str variant = STR_NONE;
    Str line;
    for (size_t at = 0; next_line(text, &at, &line);) {
        const Str trimmed = str_trim(line);
        if (str_starts_with(trimmed, STR("#variant "))) {
            variant = variant.len > 0 ? variant : str_slice(trimmed, sizeof("#variant ") - 1, trimmed.len);
            continue;
        }
        if (!str_starts_with(trimmed, STR("#"))) {
            strbuf_add_format(&out, "%.*s\n", STR_ARG(line));
            continue;
        }
        const Str kind = str_slice(trimmed, 1, trimmed.len);
        for (size_t from = 0; from < variant.len;) {
            const size_t end = str_find(variant, STR(";"), from);
            const Str given = str_trim(str_slice(variant, from, end));
            const size_t dot = str_find(given, STR("."), 0);
            if (str_equal(str_slice(given, 0, dot), kind)) {
                strbuf_add_format(&out, "%.*s\n", STR_ARG(str_slice(given, dot + 1, given.len)));
            }
            from = end + 1;
        }
    }
    return strbuf_str(&out);
}

static void try_files(World *world, const char *pattern, bool has_marks) {
    glob_t found;
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        if (i % sample_size() != 0) {
            continue;
        }
        Str text;
        assert_null(file_read(world->arena, str_of(found.gl_pathv[i]), FILE_MAX, &text));
        if (has_marks || !waits(text)) {
            try_text(world, found.gl_pathv[i], has_marks ? source_of(world->arena, text) : text);
        }
    }
    globfree(&found);
}

static void test_no_item_of_a_block_is_dropped_in_silence(void **state) {
    (void)state;
    World world = { .arena = arena_create() };

    try_files(&world, "fixtures/dropped/*.txt", true);
    try_files(&world, "fixtures/valid/*/main.dt", false);

    print_message("%u sources, %u builds\n", world.sources, world.builds);
    assert_true(sample_size() > 1 || world.sources >= SOURCES_MIN);
    assert_int_equal(world.dropped, 0);
    arena_destroy(world.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_item_of_a_block_is_dropped_in_silence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
