// Nothing that an author writes is dropped in silence: each attribute of each kind, given one value and then another,
// builds another output, or a message points at it. Alone and beside each other attribute of its block, in the sources
// of fixtures/dropped. Of the pairs this is a sample; `DROPPED=block` (`make dropped`) tries all of each block,
// `DROPPED=all` those of different blocks too. `SAMPLE=N` tries one source or variant of N.
//
// A source has a line `#KIND` in one block of each kind, where attributes are put in; one that the block has already
// gives way. A line `#variant KIND.NAME = VALUE; …` on top is a source of its own, with these. Each builds as it is.
#include "tests/support/build_complete.h"
#include "tests/support/sample.h"

#include "compiler/base/file.h"

#include <dirent.h>

enum { FILE_MAX = 1024 * 1024, GIVEN_MAX = 8, VALUES_MAX = 8, DEPTH_MAX = 4 };

typedef struct {
    int kind;
    int attribute;
    Str value;
} Given;

// One value of an attribute, or all that stand in a row of values.tsv.
typedef struct {
    Str values[VALUES_MAX];
    uint32_t count;
    bool is_answered[TARGET_COUNT]; // on the target of this number: an output changed, or a message named each value
} Values;

// Two values of an attribute that may build the same; `*` is any. Only where the block has one of the attributes
// `where`, which are parted by `|` and may have a value behind ` = `.
typedef struct {
    Str attribute;
    Str first;
    Str second;
    Str where;
} Same;

// How much is tried: each attribute alone in any case, and beside a sample of others, all of its block, or all.
typedef enum { REACH_SAMPLE, REACH_BLOCK, REACH_ALL } Reach;

// An attribute that changes nothing on a target.
typedef struct {
    Str attribute;
    Str target;
    bool is_true;
} Unchanged;

typedef struct {
    Arena *arena;
    Values *of[KIND_COUNT]; // by attribute
    VEC(Same) same;
    VEC(Unchanged) unchanged;
    Reach reach;
    uint32_t contexts;
    uint32_t builds;
    uint32_t dropped;
} World;

typedef struct {
    Str name;
    Str text; // behind the variants
    int target;
    Given fixed[GIVEN_MAX];
    uint32_t fixed_count;
    bool has[KIND_COUNT]; // which kinds have a mark
} Context;

// Where the line of an attribute stands, and the heads of the blocks around it.
typedef struct {
    Span line;
    Span heads[DEPTH_MAX];
    uint32_t depth;
} About;

// What came of a build.
typedef struct {
    bool fails;
    bool is_named; // a message points at the attribute
    uint64_t sum;  // of all that was written
} Outcome;

static Str read_text(Arena *arena, const char *path) {
    Str text;
    assert_null(file_read(arena, str_of(path), FILE_MAX, &text));
    return text;
}

// ---- values ----------------------------------------------------------------------------------------------------

static int kind_of(Str name) {
    const KindRow *kind = schema_kind(name);
    if (kind == NULL) {
        fail_msg("there is no kind `%.*s`", STR_ARG(name));
        return 0; // not reached
    }
    return (int)(kind - KIND_ROWS);
}

static Values *values_of(const World *world, int kind, int attribute) {
    return &world->of[kind][attribute];
}

static void read_values(World *world) {
    for (int k = 0; k < KIND_COUNT; k++) {
        world->of[k] = arena_new_array(world->arena, Values, (size_t)KIND_ROWS[k].attribute_count);
    }
    const Str table = read_text(world->arena, "fixtures/dropped/values.tsv");
    Str line;
    for (size_t at = 0; next_row(table, &at, &line);) {
        size_t offset = 0;
        const Str name = next_cell(line, &offset);
        const size_t dot = str_find(name, STR("."), 0);
        const int kind = kind_of(str_slice(name, 0, dot));
        const int attribute = schema_attribute(&KIND_ROWS[kind], str_slice(name, dot + 1, name.len));
        if (attribute < 0) {
            fail_msg("there is no `%.*s`", STR_ARG(name));
            return;
        }
        Values *values = values_of(world, kind, attribute);
        while (offset < line.len && values->count < VALUES_MAX) {
            values->values[values->count++] = next_cell(line, &offset);
        }
    }
}

static void read_same(World *world) {
    const Str table = read_text(world->arena, "fixtures/dropped/same.tsv");
    Str line;
    for (size_t at = 0; next_row(table, &at, &line);) {
        size_t offset = 0;
        Same same = { .attribute = next_cell(line, &offset) };
        same.first = next_cell(line, &offset);
        same.second = next_cell(line, &offset);
        same.where = next_cell(line, &offset);
        vec_push(world->arena, &world->same, same);
    }
}

static void read_unchanged(World *world) {
    const Str table = read_text(world->arena, "fixtures/dropped/unchanged.tsv");
    Str line;
    for (size_t at = 0; next_row(table, &at, &line);) {
        size_t offset = 0;
        Unchanged unchanged = { .attribute = next_cell(line, &offset) };
        unchanged.target = next_cell(line, &offset);
        vec_push(world->arena, &world->unchanged, unchanged);
    }
}

static bool is_any_or(Str pattern, Str value) {
    return str_is(pattern, "*") || str_equal(pattern, value);
}

// ---- sources ---------------------------------------------------------------------------------------------------

static Given given_of(Str text) {
    const size_t sign = str_find(text, STR("="), 0);
    const size_t dot = str_find(text, STR("."), 0);
    const int kind = kind_of(str_trim(str_slice(text, 0, dot)));
    const Str name = str_trim(str_slice(text, dot + 1, sign));
    const int attribute = schema_attribute(&KIND_ROWS[kind], name);
    if (attribute < 0) {
        fail_msg("there is no attribute `%.*s`", STR_ARG(name));
    }
    return (Given){ .kind = kind, .attribute = attribute, .value = str_trim(str_slice(text, sign + 1, text.len)) };
}

static void read_variant(Context *context, Str line) {
    context->fixed_count = 0;
    for (size_t at = sizeof("#variant ") - 1; at < line.len;) {
        const size_t end = str_find(line, STR(";"), at);
        assert_true(context->fixed_count < GIVEN_MAX);
        context->fixed[context->fixed_count++] = given_of(str_slice(line, at, end));
        at = end + 1;
    }
}

static const char *name_of(const Given *given) {
    return KIND_ROWS[given->kind].attributes[given->attribute].name;
}

static bool is_same(const Given *a, const Given *b) {
    return a != NULL && b != NULL && a->kind == b->kind && a->attribute == b->attribute;
}

static bool is_of(const Given *given, int kind, Str line) {
    const Str name = str_trim(str_slice(line, 0, str_find(line, STR("="), 0)));
    return given != NULL && given->kind == kind && str_is(name, name_of(given));
}

static void add_given(StrBuf *text, const Given *given, int kind) {
    if (given != NULL && given->kind == kind) {
        strbuf_add_format(text, "    %s = %.*s\n", name_of(given), STR_ARG(given->value));
    }
}

static void follow_heads(About *blocks, Str line, size_t start, size_t end) {
    if (str_ends_with(line, STR("{"))) {
        assert_true(blocks->depth < DEPTH_MAX);
        blocks->heads[blocks->depth++] = (Span){ .source = 1, .start = (uint32_t)start, .end = (uint32_t)end };
    } else if (str_is(line, "}")) {
        blocks->depth--;
    }
}

// `about` is where `it` stands.
static Str source_of(Arena *arena, const Context *context, const Given *beside, const Given *it, About *about) {
    StrBuf text = { .arena = arena };
    About blocks = { .line = SPAN_NONE };
    int kind = -1; // whose attributes the lines are
    Str line;
    for (size_t at = 0; next_line(context->text, &at, &line);) {
        const Str trimmed = str_trim(line);
        if (str_starts_with(trimmed, STR("#"))) {
            kind = kind_of(str_slice(trimmed, 1, trimmed.len));
            for (uint32_t i = 0; i < context->fixed_count; i++) {
                const Given *fixed = &context->fixed[i];
                add_given(&text, is_same(fixed, beside) || is_same(fixed, it) ? NULL : fixed, kind);
            }
            add_given(&text, beside, kind);
            const uint32_t start = (uint32_t)text.len;
            add_given(&text, it, kind);
            if (it != NULL && it->kind == kind) {
                *about = blocks;
                about->line = (Span){ .source = 1, .start = start, .end = (uint32_t)text.len };
            }
            continue;
        }
        bool is_replaced = kind >= 0 && (is_of(beside, kind, trimmed) || is_of(it, kind, trimmed));
        for (uint32_t i = 0; i < context->fixed_count; i++) {
            is_replaced = is_replaced || (kind >= 0 && is_of(&context->fixed[i], kind, trimmed));
        }
        if (!is_replaced) {
            const size_t start = text.len;
            strbuf_add_format(&text, "%.*s\n", STR_ARG(line));
            follow_heads(&blocks, trimmed, start, text.len);
        }
        if (str_ends_with(trimmed, STR("{")) || str_is(trimmed, "}")) {
            kind = -1;
        }
    }
    return strbuf_str(&text);
}

// ---- what may be the same ----------------------------------------------------------------------------------------

static bool is_given_as(const Given *given, int kind, Str name, Str value) {
    return given != NULL && given->kind == kind && str_is(name, name_of(given)) &&
           (value.len == 0 || str_equal(value, given->value));
}

// Whether the block of the kind's mark has the attribute, with that value where there is one.
static bool has_attribute(const Context *context, const Given *beside, int kind, Str wanted) {
    const size_t sign = str_find(wanted, STR("="), 0);
    const Str name = str_trim(str_slice(wanted, 0, sign));
    const Str value = sign == wanted.len ? STR_NONE : str_trim(str_slice(wanted, sign + 1, wanted.len));
    if (beside != NULL && beside->kind == kind && str_is(name, name_of(beside))) {
        return is_given_as(beside, kind, name, value);
    }
    for (uint32_t i = 0; i < context->fixed_count; i++) {
        if (is_given_as(&context->fixed[i], kind, name, value)) {
            return true;
        }
    }
    return false;
}

static bool is_where(const Context *context, const Given *beside, int kind, Str where) {
    bool found = str_is(where, "*");
    for (size_t at = 0; !found && at < where.len;) {
        const size_t end = str_find(where, STR("|"), at);
        found = has_attribute(context, beside, kind, str_trim(str_slice(where, at, end)));
        at = end + 1;
    }
    return found;
}

static bool may_be_same(const World *world, const Context *context, const Given *beside, const Given *it, Str second) {
    const Str name = str_format(world->arena, "%s.%s", KIND_ROWS[it->kind].name, name_of(it));
    for (uint32_t i = 0; i < world->same.count; i++) {
        const Same *same = &world->same.items[i];
        if (str_equal(same->attribute, name) && is_any_or(same->first, it->value) && is_any_or(same->second, second) &&
            is_where(context, beside, it->kind, same->where)) {
            return true;
        }
    }
    return false;
}

// ---- a build ---------------------------------------------------------------------------------------------------

static void add_sum(uint64_t *sum, Str text) {
    for (size_t i = 0; i < text.len; i++) { // FNV-1a
        *sum = (*sum ^ (unsigned char)text.data[i]) * UINT64_C(1099511628211);
    }
}

static bool overlaps(Span span, Span about) {
    return span.source == about.source && span.start < about.end && span.end > about.start;
}

// What is said of a whole block, that nothing comes of it, is said of all that stands in it.
static bool points_at(const Diag *diag, const About *about) {
    bool found = overlaps(diag->span, about->line);
    for (uint32_t i = 0; i < about->depth; i++) {
        found = found || (diag->id == DIAG_block_unused && overlaps(diag->span, about->heads[i]));
    }
    for (uint32_t i = 0; i < diag->labels.count; i++) {
        found = found || overlaps(diag->labels.items[i].span, about->line);
    }
    return found;
}

static Outcome outcome_of(World *world, const Context *context, const Given *beside, const Given *it) {
    Arena *arena = arena_create();
    About about = { .line = SPAN_NONE };
    BuiltText built = build_complete(arena, source_of(arena, context, beside, it, &about));
    Outcome outcome = { .fails = has_errors(built.session), .sum = UINT64_C(14695981039346656037) };
    for (uint32_t i = 0; i < built.session->diags.items.count; i++) {
        outcome.is_named = outcome.is_named || points_at(built.session->diags.items.items[i], &about);
    }
    for (uint32_t i = 0; built.plan != NULL && i < built.plan->decisions.count; i++) {
        outcome.is_named = outcome.is_named || overlaps(built.plan->decisions.items[i]->span, about.line);
    }
    for (uint32_t i = 0; i < built.output.artifacts.count; i++) {
        const Artifact *artifact = &built.output.artifacts.items[i];
        add_sum(&outcome.sum, artifact->name);
        add_sum(&outcome.sum, artifact->content);
        add_sum(&outcome.sum, artifact->step.apply);
        add_sum(&outcome.sum, artifact->step.remove);
    }
    for (uint32_t i = 0; i < built.output.steps.count; i++) {
        add_sum(&outcome.sum, built.output.steps.items[i].apply);
    }
    world->builds++;
    session_destroy(built.session);
    arena_destroy(arena);
    return outcome;
}

// ---- the claim -------------------------------------------------------------------------------------------------

static void print_context(const Context *context) {
    print_error("%.*s", STR_ARG(context->name));
    for (uint32_t i = 0; i < context->fixed_count; i++) {
        print_error("%s%s = %.*s", i == 0 ? " [" : ", ", name_of(&context->fixed[i]), STR_ARG(context->fixed[i].value));
    }
    print_error("%s: ", context->fixed_count == 0 ? "" : "]");
}

static void print_dropped(const Context *context, const Given *beside, const Given *it, Str other) {
    print_context(context);
    print_error("%s.%s = %.*s and %.*s build the same", KIND_ROWS[it->kind].name, name_of(it), STR_ARG(it->value),
                STR_ARG(other));
    if (beside != NULL) {
        print_error(" beside %s.%s = %.*s", KIND_ROWS[beside->kind].name, name_of(beside), STR_ARG(beside->value));
    }
    print_error("\n");
}

// Whether one of the outcomes is another than without the attribute.
static bool changes_something(World *world, const Context *context, const Given *beside, const Outcome *outcomes,
                              uint32_t count) {
    const Outcome without = outcome_of(world, context, beside, NULL);
    for (uint32_t i = 0; i < count && !without.fails; i++) {
        if (!outcomes[i].fails && outcomes[i].sum != without.sum) {
            return true;
        }
    }
    return false;
}

// Whether two values of the attribute build the same without a message.
static bool is_dropped(World *world, const Context *context, const Given *beside, int kind, int attribute) {
    Values *values = values_of(world, kind, attribute);
    bool *is_answered = &values->is_answered[context->target];
    Outcome outcomes[VALUES_MAX];
    bool is_named = true;
    for (uint32_t v = 0; v < values->count; v++) {
        const Given it = { .kind = kind, .attribute = attribute, .value = values->values[v] };
        outcomes[v] = outcome_of(world, context, beside, &it);
        is_named = is_named && outcomes[v].is_named;
    }
    // Beside another attribute the message may be about the two, and its being there depends on the sample.
    *is_answered = *is_answered || (is_named && beside == NULL);
    for (uint32_t v = 0; v < values->count; v++) {
        for (uint32_t w = 0; w < v; w++) {
            if (outcomes[v].fails || outcomes[w].fails) {
                continue;
            }
            if (outcomes[v].sum != outcomes[w].sum) {
                *is_answered = true;
                continue;
            }
            const Given it = { .kind = kind, .attribute = attribute, .value = values->values[w] };
            if (!outcomes[v].is_named && !outcomes[w].is_named &&
                !may_be_same(world, context, beside, &it, values->values[v])) {
                print_dropped(context, beside, &it, values->values[v]);
                world->dropped++;
                return true;
            }
        }
    }
    *is_answered = *is_answered || changes_something(world, context, beside, outcomes, values->count);
    return false;
}

// One of two hundred, and always the same.
static bool is_in_sample(const Context *context, int kind, int attribute, const Given *beside) {
    enum { ONE_OF = 200 };
    uint64_t sum = (uint64_t)((kind * KIND_COUNT + beside->kind) * 100 + attribute) * 100 + (uint64_t)beside->attribute;
    add_sum(&sum, context->text);
    add_sum(&sum, beside->value);
    for (uint32_t i = 0; i < context->fixed_count; i++) {
        add_sum(&sum, context->fixed[i].value);
    }
    return sum % ONE_OF == 0;
}

static void check_beside(World *world, const Context *context, int kind, int attribute, int other) {
    for (int a = 0; a < KIND_ROWS[other].attribute_count; a++) {
        if (other == kind && a == attribute) {
            continue;
        }
        const Values *values = values_of(world, other, a);
        for (uint32_t v = 0; v < values->count; v++) {
            const Given beside = { .kind = other, .attribute = a, .value = values->values[v] };
            if (world->reach == REACH_SAMPLE && !is_in_sample(context, kind, attribute, &beside)) {
                continue;
            }
            if (is_dropped(world, context, &beside, kind, attribute)) {
                break;
            }
        }
    }
}

static void check_context(World *world, const Context *context) {
    if (world->contexts++ % sample_size() != 0) {
        return;
    }
    if (outcome_of(world, context, NULL, NULL).fails) {
        print_context(context);
        print_error("does not build, so nothing can be said of it\n");
        world->dropped++;
    }
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        for (int a = 0; context->has[kind] && a < KIND_ROWS[kind].attribute_count; a++) {
            if (is_dropped(world, context, NULL, kind, a)) {
                continue; // beside others as well
            }
            for (int other = 0; other < KIND_COUNT; other++) {
                if (context->has[other] && (other == kind || world->reach == REACH_ALL)) {
                    check_beside(world, context, kind, a, other);
                }
            }
        }
    }
}

// A file's name begins with its target's.
static int target_of(Str name) {
    for (int i = 0; i < TARGET_COUNT; i++) {
        if (str_starts_with(name, str_of(schema_target_name((TargetSet)(1U << i))))) {
            return i;
        }
    }
    fail_msg("%.*s is on no target", STR_ARG(name));
    return 0; // not reached
}

static void check_file(World *world, const char *file) {
    Context context = { .name = str_copy(world->arena, str_of(file)) };
    context.target = target_of(context.name);
    const Str text =
        read_text(world->arena, str_c(world->arena, str_format(world->arena, "fixtures/dropped/%s", file)));
    size_t start = 0;
    Str line;
    for (size_t at = 0; next_line(text, &at, &line);) {
        const Str trimmed = str_trim(line);
        if (str_starts_with(trimmed, STR("#variant "))) {
            start = at;
        } else if (str_starts_with(trimmed, STR("#"))) {
            context.has[kind_of(str_slice(trimmed, 1, trimmed.len))] = true;
        }
    }
    context.text = str_slice(text, start, text.len);
    if (start == 0) {
        check_context(world, &context);
    }
    for (size_t at = 0; at < start && next_line(text, &at, &line);) {
        read_variant(&context, line);
        check_context(world, &context);
    }
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void check_files(World *world) {
    DIR *folder = opendir("fixtures/dropped");
    assert_non_null(folder);
    VEC(const char *) names = { 0 };
    const char *only = getenv("DROPPED_ONLY");
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (str_ends_with(str_of(entry->d_name), STR(".txt")) &&
            (only == NULL || strstr(entry->d_name, only) != NULL)) {
            vec_push(world->arena, &names, str_c(world->arena, str_of(entry->d_name)));
        }
    }
    closedir(folder);
    qsort(names.items, names.count, sizeof(names.items[0]), compare_names);
    for (uint32_t i = 0; i < names.count; i++) {
        check_file(world, names.items[i]);
    }
}

static Reach reach(void) {
    const char *reach = getenv("DROPPED");
    return reach == NULL ? REACH_SAMPLE : strcmp(reach, "all") == 0 ? REACH_ALL : REACH_BLOCK;
}

// Whether unchanged.tsv has the attribute; its row is true then.
static bool may_be_unchanged(World *world, Str name, Str target) {
    for (uint32_t i = 0; i < world->unchanged.count; i++) {
        Unchanged *unchanged = &world->unchanged.items[i];
        if (str_equal(unchanged->attribute, name) && str_equal(unchanged->target, target)) {
            unchanged->is_true = true;
            return true;
        }
    }
    return false;
}

// Each attribute does something on each target that takes it.
static void check_answered(World *world, int kind, int attribute) {
    const AttributeRow *row = &KIND_ROWS[kind].attributes[attribute];
    const Values *values = values_of(world, kind, attribute);
    const Str name = str_format(world->arena, "%s.%s", KIND_ROWS[kind].name, row->name);
    if (values->count < 2) {
        fail_msg("%.*s has no two values", STR_ARG(name));
    }
    for (int t = 0; t < TARGET_COUNT; t++) {
        const Str target = str_of(schema_target_name((TargetSet)(1U << t)));
        if ((row->targets & (1U << t)) != 0 && !values->is_answered[t] && !may_be_unchanged(world, name, target)) {
            print_error("%.*s changes nothing on %.*s\n", STR_ARG(name), STR_ARG(target));
            world->dropped++;
        }
    }
}

static void test_nothing_that_is_given_is_dropped_in_silence(void **state) {
    (void)state;
    World world = { .arena = arena_create(), .reach = reach() };
    read_values(&world);
    read_same(&world);
    read_unchanged(&world);

    check_files(&world);
    const bool is_whole = sample_size() == 1 && getenv("DROPPED_ONLY") == NULL;
    for (int k = 0; is_whole && k < KIND_COUNT; k++) {
        for (int a = 0; a < KIND_ROWS[k].attribute_count; a++) {
            check_answered(&world, k, a);
        }
    }

    const bool is_usual = world.reach == REACH_SAMPLE && is_whole;
    for (uint32_t i = 0; is_usual && i < world.unchanged.count; i++) {
        if (!world.unchanged.items[i].is_true) {
            fail_msg("unchanged.tsv: %.*s changes something", STR_ARG(world.unchanged.items[i].attribute));
        }
    }
    print_message("%u builds\n", world.builds);
    assert_int_equal(world.dropped, 0);
    arena_destroy(world.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_that_is_given_is_dropped_in_silence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
