// fixtures/capacity.tsv is the truth about capacity and placement. For each of its cells a source is written and built;
// the template is then evaluated as CloudFormation would, for every way its optional inputs can be given, and has to
// come out as the cell says. dt(5) has the same table for people, and is held against it cell by cell.
#include "tests/support/build_text.h"

#include "compiler/base/file.h"
#include "compiler/base/json.h"

enum { FILE_MAX = 1024 * 1024 };

typedef struct {
    Str target;
    Str capacity;
    Str given;
    Str placement;
    Str emitted;
    Str sources;
} Cell;

typedef VEC(Cell) Cells;

static Str read_text(Arena *arena, const char *path) {
    Str text;
    assert_null(file_read(arena, str_of(path), FILE_MAX, &text));
    return text;
}

static Cells read_cells(Arena *arena) {
    const Str table = read_text(arena, "fixtures/capacity.tsv");
    Cells cells = { 0 };
    Str line;
    for (size_t at = 0; next_row(table, &at, &line);) {
        size_t offset = 0;
        Cell cell = { .target = next_cell(line, &offset) };
        cell.capacity = next_cell(line, &offset);
        cell.given = next_cell(line, &offset);
        cell.placement = next_cell(line, &offset);
        cell.emitted = next_cell(line, &offset);
        cell.sources = next_cell(line, &offset);
        vec_push(arena, &cells, cell);
    }
    return cells;
}

// ---- a source for a cell ---------------------------------------------------------------------------------------

typedef struct {
    const char *word;
    const char *type; // NULL: has no id
    const char *id;
} CapacityForm;

static const CapacityForm FORMS[] = {
    { "on_demand", NULL, NULL },
    { "spot", NULL, NULL },
    { "reservation", "capacity_reservation", "cr-0123456789abcdef0" },
    { "reservation_group", "resource_group_arn", "arn:aws:resource-groups:us-east-1:123456789012:group/training" },
    { "capacity_block", "capacity_reservation", "cr-0123456789abcdef1" },
    { "interruptible", "capacity_reservation", "cr-0123456789abcdef2" },
};

static const CapacityForm *find_form(Str word) {
    for (size_t i = 0; i < COUNT_OF(FORMS); i++) {
        if (str_is(word, FORMS[i].word)) {
            return &FORMS[i];
        }
    }
    fail_msg("the table has a capacity `%.*s`", STR_ARG(word));
    return NULL;
}

static void add_param(StrBuf *params, Str given, const char *name, const char *type) {
    if (!str_is(given, "known")) {
        strbuf_add_format(params, "%sparam %s : %s%s\n", str_is(given, "null") ? "" : "late ", name, type,
                          str_is(given, "late") ? "" : "?");
    }
}

static void add_capacity(StrBuf *params, StrBuf *text, Str word, Str given, const char *param) {
    const CapacityForm *form = find_form(word);
    if (form->type == NULL) {
        strbuf_add_format(text, "%s", form->word);
        return;
    }
    add_param(params, given, param, form->type);
    const bool is_known = str_is(given, "known");
    strbuf_add_format(text, is_known ? "%s(\"%s\")" : "%s(%s)", form->word, is_known ? form->id : param);
}

// Part `number` of a chain; empty behind the last.
static Str part_of(Str chain, int number) {
    size_t start = 0;
    for (int i = 0; i < number && start < chain.len; i++) {
        start = str_find(chain, STR(" ?? "), start);
        start += start < chain.len ? 4 : 0;
    }
    return start == chain.len ? STR_NONE : str_slice(chain, start, str_find(chain, STR(" ?? "), start));
}

enum { CHAIN_MAX = 3 };

static Str source_of(Arena *arena, const Cell *cell) {
    static const char *const PARAMS[CHAIN_MAX] = { "first", "second", "third" };
    StrBuf params = { .arena = arena };
    StrBuf capacity = { .arena = arena };
    for (int i = 0; i < CHAIN_MAX && part_of(cell->capacity, i).len > 0; i++) {
        strbuf_add(&capacity, i == 0 ? STR_NONE : STR(" ?? "));
        add_capacity(&params, &capacity, part_of(cell->capacity, i), cell->given, PARAMS[i]);
    }
    Str placement = cell->placement;
    if (str_is(placement, "name")) {
        placement = STR("\"training\"");
    } else if (str_starts_with(placement, STR("name-"))) {
        add_param(&params, str_slice(placement, 5, placement.len), "named", "placement_group");
        placement = STR("named");
    }
    return str_format(arena,
                      "dt 1\n%.*s"
                      "network lab { vpc = \"vpc-0123456789abcdef0\", private = [\"subnet-0123456789abcdef0\", "
                      "\"subnet-0123456789abcdef1\"], region = \"us-east-1\" }\n"
                      "cluster llm on %.*s {\n  network = lab\n%s"
                      "  nodes gpu { instance = \"p4d.24xlarge\", count = 4, subnet = \"subnet-0123456789abcdef0\", "
                      "capacity = %.*s, placement = %.*s }\n}\n",
                      STR_ARG(strbuf_str(&params)), STR_ARG(cell->target),
                      str_is(cell->target, "parallelcluster") ? "  head { instance = \"m5.8xlarge\" }\n"
                      : str_is(cell->target, "eks")           ? "  version = \"1.36\"\n"
                      : str_is(cell->target, "pcs")
                          ? "  ami = \"ami-0123456789abcdef0\"\n  slurm { version = \"25.11\" }\n"
                          : "",
                      STR_ARG(strbuf_str(&capacity)), STR_ARG(placement));
}

// ---- what comes of it at deployment ------------------------------------------------------------------------------

enum { FIRST = 1, SECOND = 2, NAMED = 4, WAYS = 8 }; // bits: which optional inputs are given

typedef struct {
    Session *session;
    const Data *template;
    unsigned given;
} Deployment;

static bool is_given(const Deployment *deployment, Str parameter) {
    return str_is(parameter, "First")    ? (deployment->given & FIRST) != 0
           : str_is(parameter, "Second") ? (deployment->given & SECOND) != 0
           : str_is(parameter, "Named")  ? (deployment->given & NAMED) != 0
                                         : false;
}

static bool condition(const Deployment *deployment, const Data *formula);

static bool condition_named(const Deployment *deployment, Str name) {
    const Data *formula =
        data_get(data_get(deployment->template, "Conditions"), str_c(deployment->session->arena, name));
    assert_non_null(formula);
    return condition(deployment, formula);
}

// Of the functions that conditions are made of; parameters are compared with the empty text alone.
static bool condition(const Deployment *deployment, const Data *formula) {
    const Data *name = data_get(formula, "Condition");
    if (name != NULL) {
        return condition_named(deployment, name->string);
    }
    assert_int_equal(formula->count, 1);
    const Str function = formula->entries[0].key;
    const Data *parts = formula->entries[0].value;
    if (str_is(function, "Fn::Equals")) {
        assert_text(parts->items[1]->string, "");
        return !is_given(deployment, data_get(parts->items[0], "Ref")->string);
    }
    if (str_is(function, "Fn::Not")) {
        return !condition(deployment, parts->items[0]);
    }
    const bool is_and = str_is(function, "Fn::And");
    assert_true(is_and || str_is(function, "Fn::Or"));
    bool value = is_and;
    for (uint32_t i = 0; i < parts->count; i++) {
        const bool part = condition(deployment, parts->items[i]);
        value = is_and ? value && part : value || part;
    }
    return value;
}

// The value that a property has: `!If`s taken away; NULL for none.
static const Data *taken(const Deployment *deployment, const Data *value) {
    const Data *choice = data_get(value, "Fn::If");
    if (choice != NULL) {
        return taken(deployment, choice->items[condition_named(deployment, choice->items[0]->string) ? 1 : 2]);
    }
    const Data *reference = data_get(value, "Ref");
    return reference != NULL && str_is(reference->string, "AWS::NoValue") ? NULL : value;
}

// AWS Batch puts the group into its launch template, and AWS PCS finds it there.
static const Data *placement_of(const Data *resources) {
    const Data *environment = data_get(data_get(resources, "LlmGpuComputeEnvironment"), "Properties");
    if (environment != NULL) {
        return data_get(data_get(environment, "ComputeResources"), "PlacementGroup");
    }
    const Data *template = data_get(data_get(resources, "LlmGpuLaunchTemplate"), "Properties");
    assert_non_null(template);
    return data_get(data_get(data_get(template, "LaunchTemplateData"), "Placement"), "GroupName");
}

static const char *placement_at(const Deployment *deployment) {
    const Data *resources = data_get(deployment->template, "Resources");
    const Data *group = data_get(resources, "LlmGpuPlacementGroup");
    const Data *made_if = data_get(group, "Condition");
    const bool is_made = group != NULL && (made_if == NULL || condition_named(deployment, made_if->string));
    const Data *value = taken(deployment, placement_of(resources));
    if (value == NULL) {
        return is_made ? "none, and one that nothing uses" : "none";
    }
    const Data *reference = data_get(value, "Ref");
    if (reference != NULL && str_is(reference->string, "LlmGpuPlacementGroup")) {
        return is_made ? "new" : "one that is not made";
    }
    const bool is_name = reference != NULL ? str_is(reference->string, "Named") : str_is(value->string, "training");
    return !is_name ? "another" : is_made ? "name, and one that nothing uses" : "name";
}

// Whether a case of a cell holds. What is not optional is always given; chains are looked through in their order.
static bool holds(const Cell *cell, Str word, unsigned given) {
    if (str_is(word, "named")) {
        return !str_is(cell->placement, "name-optional") || (given & NAMED) != 0;
    }
    const Str first = part_of(cell->capacity, 0);
    const Str second = part_of(cell->capacity, 1);
    const bool is_first = !str_is(cell->given, "optional") || (given & FIRST) != 0;
    const Str kind = is_first ? first : (given & SECOND) != 0 ? second : STR_NONE;
    const bool is_block = str_is(kind, "capacity_block");
    const bool is_other = str_starts_with(kind, STR("reservation")) || str_is(kind, "interruptible");
    return str_is(word, "capacity_block") ? is_block : is_block || is_other;
}

static Str expected_at(const Cell *cell, unsigned given) {
    for (size_t at = 0;;) {
        const size_t end = str_find(cell->emitted, STR("; "), at);
        const Str part = str_slice(cell->emitted, at, end);
        const size_t colon = str_find(part, STR(": "), 0);
        if (colon == part.len) {
            return part;
        }
        if (holds(cell, str_slice(part, 0, colon), given)) {
            return str_slice(part, colon + 2, part.len);
        }
        at = end + 2;
        assert_true(at < cell->emitted.len); // the last case has no condition
    }
}

// ---- files that take no late values ------------------------------------------------------------------------------

static bool has(Str text, const char *part) {
    return str_find(text, str_of(part), 0) < text.len;
}

// eksctl makes a group by itself for nodes with EFA where neither a group nor a reservation is named. Where that is not
// what is asked for, the nodes start from a launch template of ours.
static const char *placement_in_eksctl(const BuiltText *built, Str text) {
    const Artifact *template = artifact_of(built, "llm-nodes.cfn.json");
    if (template != NULL) {
        assert_false(has(text, "managedNodeGroups"));
        return !has(template->content, "\"Placement\"")                ? "none"
               : has(template->content, "\"GroupName\": \"training\"") ? "name"
                                                                       : "new";
    }
    assert_true(has(text, "efaEnabled: true"));
    return has(text, "groupName: training") ? "name" : has(text, "capacityReservation:") ? "none" : "new";
}

static const char *placement_in_pcluster(Str text) {
    const bool is_enabled = has(text, "PlacementGroup:\n        Enabled: true");
    return !is_enabled ? "none" : has(text, "        Name: training") ? "name" : "new";
}

static const char *placement_in_plain(const BuiltText *built, Str target) {
    const bool is_eks = str_is(target, "eks");
    const Artifact *artifact = artifact_of(built, is_eks ? "llm.eksctl.yaml" : "llm.pcluster.yaml");
    assert_non_null(artifact);
    return artifact->missing.count > 0 ? "waits"
           : is_eks                    ? placement_in_eksctl(built, artifact->content)
                                       : placement_in_pcluster(artifact->content);
}

static void check_cell(const Cell *cell, StrBuf *faults) {
    Arena *arena = faults->arena;
    BuiltText built = build_text(source_of(arena, cell));
    const Str codes = str_copy(arena, codes_of(built.session, SEVERITY_ERROR));
    const bool wants_code = str_starts_with(cell->emitted, STR("DT"));
    const bool is_plain = !str_is(cell->target, "batch") && !str_is(cell->target, "pcs");
    const Artifact *artifact = codes.len > 0 ? NULL : artifact_of(&built, "llm.cfn.json");
    if (is_plain && codes.len == 0) {
        const char *found = placement_in_plain(&built, cell->target);
        if (!str_is(cell->emitted, found)) {
            strbuf_add_format(faults, "  %s\n", found);
        }
    } else if (wants_code || codes.len > 0) {
        if (!str_equal(codes, cell->emitted)) {
            strbuf_add_format(faults, "  %.*s\n", STR_ARG(codes.len > 0 ? codes : STR("is built")));
        }
    } else {
        assert_non_null(artifact);
        const Data *template = json_read(built.session, source_add(built.session, artifact->name, artifact->content));
        for (unsigned given = 0; given < WAYS; given++) {
            const Deployment deployment = { .session = built.session, .template = template, .given = given };
            const char *found = placement_at(&deployment);
            const Str expected = expected_at(cell, given);
            if (!str_is(expected, found)) {
                strbuf_add_format(faults, "  %s, not %.*s, where first is%s, second is%s, named is%s given\n", found,
                                  STR_ARG(expected), (given & FIRST) != 0 ? "" : " not",
                                  (given & SECOND) != 0 ? "" : " not", (given & NAMED) != 0 ? "" : " not");
            }
        }
    }
    session_destroy(built.session);
}

static void test_every_cell_comes_out_as_the_table_says(void **state) {
    (void)state;
    Arena *arena = arena_create();
    const Cells cells = read_cells(arena);
    uint32_t count = 0;
    uint32_t wrong = 0;

    for (uint32_t i = 0; i < cells.count; i++) {
        const Cell *cell = &cells.items[i];
        count++;
        StrBuf faults = { .arena = arena };
        check_cell(cell, &faults);
        if (faults.len > 0) {
            wrong++;
            print_error("%.*s, %.*s, %.*s, placement %.*s: %.*s\n%.*s", STR_ARG(cell->target), STR_ARG(cell->capacity),
                        STR_ARG(cell->given), STR_ARG(cell->placement), STR_ARG(cell->emitted),
                        STR_ARG(strbuf_str(&faults)));
        }
    }

    assert_int_equal(wrong, 0);
    assert_int_equal(count, 2 * 155 + 2 * 134); // fewer: rows were not read
    arena_destroy(arena);
}

// ---- the table is whole -----------------------------------------------------------------------------------------

static int count_rows(const Cells *cells, const char *target, const char *capacity, const char *given,
                      const char *placement) {
    int found = 0;
    for (uint32_t i = 0; i < cells->count; i++) {
        const Cell *cell = &cells->items[i];
        found += str_is(cell->target, target) && str_is(cell->capacity, capacity) && str_is(cell->given, given) &&
                 str_is(cell->placement, placement);
    }
    return found;
}

static void assert_one_row(const Cells *cells, const char *target, const char *capacity, const char *given,
                           const char *placement) {
    const int found = count_rows(cells, target, capacity, given, placement);
    if (found != 1) {
        fail_msg("%d rows for %s, %s, %s, %s", found, target, capacity, given, placement);
    }
}

static void test_every_capacity_stands_in_every_cell_of_the_table(void **state) {
    (void)state;
    static const char *const TARGETS[] = { "batch", "parallelcluster", "eks", "pcs" };
    enum { GIVEN_OPTIONAL = 2 }; // that, and those behind it, may be null
    static const char *const GIVEN[] = { "known", "late", "optional", "null" };
    static const char *const PLACEMENTS[] = { "auto",      "cluster",       "none",     "name",
                                              "name-late", "name-optional", "name-null" };
    Arena *arena = arena_create();
    const Cells cells = read_cells(arena);

    for (size_t f = 0; f < COUNT_OF(TARGETS) * COUNT_OF(FORMS); f++) {
        const char *target = TARGETS[f / COUNT_OF(FORMS)];
        const CapacityForm *form = &FORMS[f % COUNT_OF(FORMS)];
        for (size_t g = 0; g < (form->type == NULL ? 1 : COUNT_OF(GIVEN)); g++) {
            const bool may_be_null = g >= GIVEN_OPTIONAL;
            const Str chain = str_format(arena, "%s%s", form->word, may_be_null ? " ?? on_demand" : "");
            for (size_t p = 0; p < COUNT_OF(PLACEMENTS); p++) {
                assert_one_row(&cells, target, str_c(arena, chain), GIVEN[g], PLACEMENTS[p]);
            }
            if (may_be_null) {
                assert_one_row(&cells, target, form->word, GIVEN[g], "auto"); // refused, whatever the placement
            }
        }
    }
    arena_destroy(arena);
}

static void test_every_source_of_the_table_is_explained(void **state) {
    (void)state;
    Arena *arena = arena_create();
    const Str table = read_text(arena, "fixtures/capacity.tsv");
    const Cells cells = read_cells(arena);

    for (uint32_t i = 0; i < cells.count; i++) {
        assert_true(cells.items[i].sources.len > 0);
        for (size_t at = 0; at < cells.items[i].sources.len;) {
            const size_t end = str_find(cells.items[i].sources, STR(","), at);
            const Str key = str_slice(cells.items[i].sources, at, end);
            const Str line = str_format(arena, "\n#   %-9.*s ", STR_ARG(key));
            if (str_find(table, line, 0) == table.len) {
                fail_msg("the table does not say what `%.*s` is", STR_ARG(key));
            }
            at = end + 1;
        }
    }
    arena_destroy(arena);
}

// ---- dt(5) ------------------------------------------------------------------------------------------------------

enum { DOC_AUTO, DOC_CLUSTER, DOC_NONE, DOC_NAME, DOC_COLUMNS };

// What a cell of the manual stands for in the table.
typedef struct {
    const char *word;
    const char *emitted;
} DocWord;

static const DocWord DOC_WORDS[] = {
    { "new", "new" },
    { "none", "none" },
    { "if open", "reserved: none; new" },
    { "named", "name" },
    { "if no block", "capacity_block: none; name" },
    { "DT0308", "DT0308" },
};

static const char *doc_emitted(Str word) {
    for (size_t i = 0; i < COUNT_OF(DOC_WORDS); i++) {
        if (str_is(word, DOC_WORDS[i].word)) {
            return DOC_WORDS[i].emitted;
        }
    }
    fail_msg("dt(5) has a cell `%.*s`", STR_ARG(word));
    return NULL;
}

// Rows of the manual: `.It reservation Ta none Ta …`, between the two comments that name this test's table.
static bool doc_row(Arena *arena, Str manual, Str label, const char **emitted) {
    const size_t start = str_find(manual, STR(".\\\" fixtures/capacity.tsv\n"), 0);
    const size_t end = str_find(manual, STR(".\\\" end of fixtures/capacity.tsv\n"), 0);
    assert_true(start < end && end < manual.len);
    const Str beginning = str_format(arena, "\n.It %.*s Ta ", STR_ARG(label));
    const size_t at = str_find(manual, beginning, start);
    if (at >= end) {
        return false;
    }
    const size_t first = at + beginning.len;
    const Str line = str_slice(manual, first, str_find(manual, STR("\n"), first));
    size_t cell = 0;
    for (int i = 0; i < DOC_COLUMNS; i++) {
        const size_t stop = str_find(line, STR(" Ta "), cell);
        emitted[i] = doc_emitted(str_slice(line, cell, stop));
        assert_true((stop == line.len) == (i + 1 == DOC_COLUMNS));
        cell = stop + 4;
    }
    return true;
}

// The row that speaks of a cell's capacity: what is not given is on demand, what may not be given has a `?`, and a
// chain is as its last link that is reserved.
static Str doc_label(Arena *arena, const Cell *cell) {
    Str word = part_of(cell->capacity, 0);
    for (int i = 1; i < CHAIN_MAX; i++) {
        const Str part = part_of(cell->capacity, i);
        word = part.len == 0 || find_form(part)->type == NULL ? word : part;
    }
    return str_is(cell->given, "null")
               ? STR("on_demand")
               : str_format(arena, "%.*s%s", STR_ARG(word), str_is(cell->given, "optional") ? "?" : "");
}

// The manual has no column for a name that may not be given, and says so in a sentence: it is the name where it is
// given, else as `auto`.
static Str with_optional_name(Arena *arena, const char *named, const char *otherwise) {
    if (str_is(STR("DT0308"), named)) {
        return STR("DT0308");
    }
    const bool is_free = str_is(STR("name"), named);
    return str_format(arena, "%snamed: name; %s", is_free ? "" : "capacity_block: none; ", otherwise);
}

static void test_manual_has_the_same_table(void **state) {
    (void)state;
    Arena *arena = arena_create();
    const Str manual = read_text(arena, "man/dt.5");
    const Cells cells = read_cells(arena);

    for (uint32_t i = 0; i < cells.count; i++) {
        const Cell *cell = &cells.items[i];
        const bool is_refused = str_is(cell->emitted, "DT1338") ||
                                (str_starts_with(cell->capacity, STR("interruptible")) && !str_is(cell->given, "null"));
        if (!str_is(cell->target, "batch") || is_refused) {
            continue; // a plain file, or what the target cannot buy: the manual says so in words
        }
        const char *row[DOC_COLUMNS];
        const Str label = doc_label(arena, cell);
        if (!doc_row(arena, manual, label, row)) {
            fail_msg("dt(5) has no row `%.*s`", STR_ARG(label));
        }
        const Str placement = cell->placement;
        Str said = str_of(row[DOC_AUTO]); // name-null too: what is not given is not written
        if (str_is(placement, "cluster")) {
            said = str_of(row[DOC_CLUSTER]);
        } else if (str_is(placement, "none")) {
            said = str_of(row[DOC_NONE]);
        } else if (str_is(placement, "name") || str_is(placement, "name-late")) {
            said = str_of(row[DOC_NAME]);
        } else if (str_is(placement, "name-optional")) {
            said = with_optional_name(arena, row[DOC_NAME], row[DOC_AUTO]);
        }
        if (!str_equal(said, cell->emitted)) {
            fail_msg("%.*s, %.*s, %.*s: dt(5) says `%.*s`, the table `%.*s`", STR_ARG(cell->capacity),
                     STR_ARG(cell->given), STR_ARG(placement), STR_ARG(said), STR_ARG(cell->emitted));
        }
    }
    arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_cell_comes_out_as_the_table_says),
        cmocka_unit_test(test_every_capacity_stands_in_every_cell_of_the_table),
        cmocka_unit_test(test_every_source_of_the_table_is_explained),
        cmocka_unit_test(test_manual_has_the_same_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
