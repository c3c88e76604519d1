// Every leaf that is written knows what decides it. Each literal of a source is replaced in turn, in several ways, and
// the build is compared with the build before. A leaf that changes, comes or goes must name the literal as an origin. A
// leaf whose only origin is the literal must change. No leaf is without an origin.
#include "tests/support/check.h"

#include "compiler/base/file.h"
#include "compiler/base/json.h"
#include "compiler/base/str_map.h"
#include "compiler/plan/declared/build.h"
#include "compiler/plan/rules/check.h"
#include "compiler/syntax/token.h"
#include "emitters/emitter.h"

typedef struct {
    Str path; // FILE:PATH
    Str text; // the line that holds it
    const Data *origins;
} Leaf;

typedef struct {
    Session *session;
    bool is_good;
    VEC(Leaf) leaves;
    StrMap by_path;
} Built;

static Str line_of(Str content, int64_t number) {
    size_t start = 0;
    for (int64_t line = 1; line < number; line++) {
        start = str_find(content, STR("\n"), start) + 1;
    }
    return str_slice(content, start, str_find(content, STR("\n"), start));
}

static void add_leaves(Built *built, const Artifact *artifact) {
    if (artifact->map.len == 0) {
        return; // a script
    }
    const Data *map = json_read(built->session, source_add(built->session, STR("map"), artifact->map));
    assert_non_null(map);
    const Data *leaves = data_get(map, "leaves");
    for (uint32_t i = 0; i < leaves->count; i++) {
        const Data *leaf = leaves->items[i];
        Leaf *copy = arena_new(built->session->arena, Leaf);
        copy->path = str_format(built->session->arena, "%.*s:%.*s", STR_ARG(artifact->name),
                                STR_ARG(data_get(leaf, "path")->string));
        copy->text = line_of(artifact->content, data_get(leaf, "line")->integer);
        copy->origins = data_get(leaf, "origins");
        vec_push(built->session->arena, &built->leaves, *copy);
        str_map_add(&built->by_path, copy->path, copy);
    }
}

static Built build_text(Str text, const Inputs *inputs) {
    Built built = { .session = session_create() };
    built.by_path.arena = built.session->arena;
    Program *program = program_load_text(built.session, STR("main.dt"), text, inputs);
    program_resolve(built.session, program);
    program_evaluate(built.session, program);
    program_check(built.session, program);
    if (has_errors(built.session)) {
        return built;
    }
    const Plan *plan = plan_build(built.session, program, NULL);
    plan_check(built.session, plan);
    if (has_errors(built.session)) {
        return built;
    }
    Output output = { .format = FORMAT_YAML, .wants_map = true };
    emit_all(built.session, plan, &output);
    built.is_good = !has_errors(built.session);
    for (uint32_t i = 0; i < output.artifacts.count && built.is_good; i++) {
        add_leaves(&built, &output.artifacts.items[i]);
    }
    return built;
}

// ---- literals --------------------------------------------------------------------------------------------------

typedef struct {
    uint32_t start;
    uint32_t end;
    Place place;     // of its first character
    Place end_place; // behind its last
} Literal;

static bool covers(const Data *origin, const Literal *literal) {
    const Data *kind = data_get(origin, "kind");
    if (!str_is(kind->string, "span") || !str_is(data_get(origin, "file")->string, "main.dt")) {
        return false;
    }
    int64_t line = data_get(origin, "line")->integer;
    int64_t column = data_get(origin, "column")->integer;
    int64_t end_line = data_get(origin, "end_line")->integer;
    int64_t end_column = data_get(origin, "end_column")->integer;
    bool starts = line < literal->place.line || (line == literal->place.line && column <= literal->place.column);
    bool ends = end_line > literal->end_place.line ||
                (end_line == literal->end_place.line && end_column >= literal->end_place.column);
    return starts && ends;
}

static bool names(const Leaf *leaf, const Literal *literal) {
    for (uint32_t i = 0; i < leaf->origins->count; i++) {
        if (covers(leaf->origins->items[i], literal)) {
            return true;
        }
    }
    return false;
}

static bool names_it_alone(const Leaf *leaf, const Literal *literal) {
    return leaf->origins->count == 1 && covers(leaf->origins->items[0], literal);
}

// Other literals of the same kind; those that do not build tell nothing and are skipped.
static uint32_t alternates(Arena *arena, const Token *token, Str written, Str *others) {
    static const char *const STRINGS[] = { "\"p5.48xlarge\"", "\"p6-b300.48xlarge\"", "\"us-east-1d\"",
                                           "\"10.64.0.0/16\"" };
    uint32_t count = 0;
    switch ((int)token->kind) {
    case TOKEN_STRING:
        for (size_t i = 0; i < COUNT_OF(STRINGS); i++) {
            others[count++] = str_of(STRINGS[i]);
        }
        others[count++] = str_format(arena, "\"%.*s-x\"", STR_ARG(token->text));
        return count;
    case TOKEN_INT:
        others[count++] = str_format(arena, "%.*s1", STR_ARG(written));
        others[count++] = STR("3");
        others[count++] = STR("1");
        others[count++] = STR("0");
        return count;
    case TOKEN_QUANTITY:
        others[count++] = str_format(arena, "2%.*s", STR_ARG(str_slice(written, 1, written.len)));
        others[count++] = str_format(arena, "1%.*s", STR_ARG(written));
        return count;
    case TOKEN_TRUE:
        others[count++] = STR("false");
        return count;
    case TOKEN_FALSE:
        others[count++] = STR("true");
        return count;
    }
    return 0;
}

// ---- the property ----------------------------------------------------------------------------------------------

// What differs between two builds must name the literal; in the build that has it. Marks what changed.
static uint32_t compare(const Built *base, const Built *other, const Literal *literal, StrMap *changed) {
    uint32_t faults = 0;
    for (uint32_t i = 0; i < base->leaves.count; i++) {
        const Leaf *leaf = &base->leaves.items[i];
        const Leaf *now = str_map_get(&other->by_path, leaf->path);
        if (now != NULL && str_equal(now->text, leaf->text)) {
            continue;
        }
        bool is_new = str_map_add(changed, leaf->path, leaf) == NULL;
        if (is_new && !names(leaf, literal)) {
            print_error("line %u, column %u: `%.*s` (%.*s) changes and does not name it\n", literal->place.line,
                        literal->place.column, STR_ARG(leaf->path), STR_ARG(leaf->text));
            faults++;
        }
    }
    return faults;
}

static uint32_t check_literal(const Built *base, Str source, const Inputs *inputs, const Token *token,
                              const Literal *literal) {
    Str written = str_slice(source, literal->start, literal->end);
    Str others[8];
    uint32_t count = alternates(base->session->arena, token, written, others);
    StrMap changed = { .arena = base->session->arena };
    uint32_t built = 0;
    uint32_t faults = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (str_equal(others[i], written)) {
            continue;
        }
        Str text = str_format(base->session->arena, "%.*s%.*s%.*s", STR_ARG(str_slice(source, 0, literal->start)),
                              STR_ARG(others[i]), STR_ARG(str_slice(source, literal->end, source.len)));
        Built other = build_text(text, inputs);
        if (other.is_good) {
            built++;
            faults += compare(base, &other, literal, &changed);
        }
        session_destroy(other.session);
    }
    for (uint32_t i = 0; i < base->leaves.count && built > 0; i++) {
        const Leaf *leaf = &base->leaves.items[i];
        if (names_it_alone(leaf, literal) && str_map_get(&changed, leaf->path) == NULL) {
            print_error("line %u, column %u: `%.*s` names nothing else and never changes\n", literal->place.line,
                        literal->place.column, STR_ARG(leaf->path));
            faults++;
        }
    }
    return faults;
}

static Str read_source(Session *session, const char *path) {
    Str text = STR_NONE;
    const char *fault = file_read(session->arena, str_of(path), SOURCE_BYTES_MAX, &text);
    assert_null(fault);
    return text;
}

static void check_source(const char *path, const ParamArgument *arguments, int argument_count) {
    Session *session = session_create();
    Str source = read_source(session, path);
    const Inputs inputs = { .arguments = arguments, .argument_count = argument_count };
    Built base = build_text(source, &inputs);
    assert_true(base.is_good);
    assert_true(base.leaves.count > 10);
    for (uint32_t i = 0; i < base.leaves.count; i++) {
        if (base.leaves.items[i].origins->count == 0) {
            fail_msg("`%.*s` has no origin", STR_ARG(base.leaves.items[i].path));
        }
    }
    uint32_t number = source_add(session, STR("main.dt"), source);
    Tokens tokens = lex(session, number);
    uint32_t faults = 0;
    for (uint32_t i = 2; i < tokens.count; i++) { // behind `dt 1`
        const Token *token = &tokens.items[i];
        const Literal literal = { .start = token->start,
                                  .end = token->end,
                                  .place = source_place(session, number, token->start),
                                  .end_place = source_place(session, number, token->end) };
        faults += check_literal(&base, source, &inputs, token, &literal);
    }
    assert_int_equal(faults, 0);
    session_destroy(base.session);
    session_destroy(session);
}

static void test_leaves_of_a_network_in_one_zone_name_what_decides_them(void **state) {
    (void)state;
    check_source("fixtures/reference/vpc-one-az/infra.dt", NULL, 0);
}

static void test_leaves_of_a_network_in_three_zones_name_what_decides_them(void **state) {
    (void)state;
    const ParamArgument zones = { .name = STR("zones"), .value = STR("us-east-1a,us-east-1b,us-east-1c") };
    check_source("fixtures/reference/vpc-multi-az/infra.dt", &zones, 1);
}

static void test_leaves_of_a_batch_cluster_name_what_decides_them(void **state) {
    (void)state;
    check_source("fixtures/reference/batch-gpu-p4d/infra.dt", NULL, 0);
}

static void test_leaves_of_a_node_group_name_what_decides_them(void **state) {
    (void)state;
    check_source("fixtures/reference/eks-p5-cb-nodegroup-cfn/infra.dt", NULL, 0);
}

static void test_leaves_of_a_cluster_on_eks_name_what_decides_them(void **state) {
    (void)state;
    check_source("fixtures/valid/eks-names/main.dt", NULL, 0);
}

static void test_leaves_of_a_cluster_on_parallelcluster_name_what_decides_them(void **state) {
    (void)state;
    check_source("fixtures/valid/parallelcluster-subnets/main.dt", NULL, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_leaves_of_a_network_in_one_zone_name_what_decides_them),
        cmocka_unit_test(test_leaves_of_a_network_in_three_zones_name_what_decides_them),
        cmocka_unit_test(test_leaves_of_a_batch_cluster_name_what_decides_them),
        cmocka_unit_test(test_leaves_of_a_node_group_name_what_decides_them),
        cmocka_unit_test(test_leaves_of_a_cluster_on_eks_name_what_decides_them),
        cmocka_unit_test(test_leaves_of_a_cluster_on_parallelcluster_name_what_decides_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
