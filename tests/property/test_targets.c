// One group of nodes, of each type that the reference architectures are made of and in every way that capacity is had,
// turned to each target by the word behind `on`: each cell builds, or says what fixtures/targets.tsv has for it. dt(5)
// has the same table for people, and is held against it.
#include "tests/support/build_text.h"

#include "compiler/base/file.h"

enum { FILE_MAX = 1024 * 1024, CODES_MAX = 64 };

typedef struct {
    Str target;
    Str type;
    Str capacity;
    Str says;
    Str sources;
    bool is_used;
} Row;

typedef struct {
    Arena *arena;
    Str text;
    VEC(Row) rows;
} Table;

static Str read_text(Arena *arena, const char *path) {
    Str text;
    assert_null(file_read(arena, str_of(path), FILE_MAX, &text));
    return text;
}

static Table read_table(Arena *arena) {
    Table table = { .arena = arena, .text = read_text(arena, "fixtures/targets.tsv") };
    Str line;
    for (size_t at = 0; next_row(table.text, &at, &line);) {
        size_t offset = 0;
        Row row = { .target = next_cell(line, &offset) };
        row.type = next_cell(line, &offset);
        row.capacity = next_cell(line, &offset);
        row.says = next_cell(line, &offset);
        row.sources = next_cell(line, &offset);
        vec_push(arena, &table.rows, row);
    }
    return table;
}

static bool fits(Str pattern, const char *word) {
    return str_is(pattern, "*") || str_is(pattern, word);
}

static Row *find_row(Table *table, const char *target, const char *type, const char *capacity) {
    for (uint32_t i = 0; i < table->rows.count; i++) {
        Row *row = &table->rows.items[i];
        if (fits(row->target, target) && fits(row->type, type) && fits(row->capacity, capacity)) {
            row->is_used = true;
            return row;
        }
    }
    return NULL;
}

// ---- a cell ----------------------------------------------------------------------------------------------------

typedef struct {
    const char *word;
    const char *value;
} Capacity;

static const Capacity CAPACITIES[] = {
    { "on_demand", "on_demand" },
    { "spot", "spot" },
    { "reservation", "reservation(\"cr-0123456789abcdef0\")" },
    { "reservation_group", "reservation_group(\"arn:aws:resource-groups:us-west-2:123456789012:group/training\")" },
    { "capacity_block", "capacity_block(\"cr-0123456789abcdef1\")" },
    { "interruptible", "interruptible(\"cr-0123456789abcdef2\")" },
};

static const char *const TYPES[] = { "p5.48xlarge",  "p4de.24xlarge",    "trn1.32xlarge",   "g5.12xlarge",
                                     "g4dn.8xlarge", "p6-b200.48xlarge", "p6-b300.48xlarge" };

typedef struct {
    const char *word;
    const char *also; // what the target cannot do without
    const char *file;
} Target;

static const Target TARGETS[] = {
    { "batch", "", "llm.cfn.json" },
    { "parallelcluster", "  head { instance = \"m5.8xlarge\" }\n", "llm.pcluster.yaml" },
    { "eks", "  version = \"1.36\"\n", "llm.eksctl.yaml" },
    { "pcs", "  ami = \"ami-0123456789abcdef0\"\n  slurm { version = \"25.11\" }\n", "llm.cfn.json" },
};

// The group's lines are the same on every target. The region is one that offers all of the types.
static Str source_of(Arena *arena, const Target *target, const char *type, const Capacity *capacity) {
    return str_format(arena,
                      "dt 1\n"
                      "network lab { vpc = \"vpc-0123456789abcdef0\", region = \"us-west-2\", "
                      "public = [\"subnet-0123456789abcdef1\", \"subnet-0123456789abcdef3\"], "
                      "private = [\"subnet-0123456789abcdef0\", \"subnet-0123456789abcdef2\"] }\n"
                      "cluster llm on %s {\n  network = lab\n%s"
                      "  nodes gpu { instance = \"%s\", count = 4, efa = all, capacity = %s, subnet = "
                      "\"subnet-0123456789abcdef0\" }\n}\n",
                      target->word, target->also, type, capacity->value);
}

static int compare_codes(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// Codes of all that was said, each once, in the order of their numbers; "-" where nothing was.
static Str said(const Session *session) {
    const char *codes[CODES_MAX];
    size_t count = 0;
    for (uint32_t i = 0; i < session->diags.items.count && count < COUNT_OF(codes); i++) {
        codes[count++] = diag_row(session->diags.items.items[i]->id)->code;
    }
    qsort(codes, count, sizeof(codes[0]), compare_codes);
    StrBuf text = { .arena = session->arena };
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || strcmp(codes[i], codes[i - 1]) != 0) {
            strbuf_add_format(&text, "%s%s", i == 0 ? "" : " ", codes[i]);
        }
    }
    return text.len == 0 ? STR("-") : strbuf_str(&text);
}

static bool has(Str text, const char *part) {
    return str_find(text, str_of(part), 0) < text.len;
}

// Of a launch template that dtc writes for a managed group, as its stack tells it when it is deployed.
static const char FACTS[] =
    "{\"Stacks\": [{\"StackName\": \"llm-nodes\", \"StackStatus\": \"CREATE_COMPLETE\", \"Outputs\": ["
    "{\"OutputKey\": \"GpuLaunchTemplate\", \"OutputValue\": \"lt-0123456789abcdef0\"}, "
    "{\"OutputKey\": \"GpuLaunchTemplateVersion\", \"OutputValue\": \"1\"}]}]}";

// The files that say what the group is: one, or a launch template and who is given it.
static Str files_of(const BuiltText *built, const Target *target) {
    static const char *const OF_TEMPLATE[] = { "llm-nodes.cfn.json", "llm-nodes.eksctl.yaml" };
    const Artifact *artifact = artifact_of(built, target->file);
    assert_non_null(artifact);
    assert_int_equal(artifact->missing.count, 0);
    StrBuf text = { .arena = built->session->arena };
    strbuf_add(&text, artifact->content);
    for (size_t i = 0; i < COUNT_OF(OF_TEMPLATE) && artifact_of(built, OF_TEMPLATE[1]) != NULL; i++) {
        const Artifact *part = artifact_of(built, OF_TEMPLATE[i]);
        assert_non_null(part);
        assert_int_equal(part->missing.count, 0);
        strbuf_add(&text, part->content);
    }
    return strbuf_str(&text);
}

// That the capacity and the type are in the file, each as its target has them.
static void check_built(const BuiltText *built, const Target *target, const char *type, const Capacity *capacity) {
    static const char *const BLOCKS[] = { "capacity-block", "CapacityType: CAPACITY_BLOCK", "capacity-block",
                                          "\"CAPACITY_BLOCK\"" };
    static const char *const SPOTS[] = { "\"SPOT\"", "CapacityType: SPOT", "spot: true", "\"SPOT\"" };
    const Str text = files_of(built, target);
    const size_t index = (size_t)(target - TARGETS);
    assert_true(has(text, type));
    assert_int_equal(has(text, BLOCKS[index]), strcmp(capacity->word, "capacity_block") == 0);
    assert_int_equal(has(text, SPOTS[index]), strcmp(capacity->word, "spot") == 0);
    assert_int_equal(has(text, "cr-0123456789abcdef0"), strcmp(capacity->word, "reservation") == 0);
    assert_int_equal(has(text, "cr-0123456789abcdef1"), strcmp(capacity->word, "capacity_block") == 0);
    assert_int_equal(has(text, ":group/training"), strcmp(capacity->word, "reservation_group") == 0);
}

static bool is_cell_right(Table *table, const Target *target, const char *type, const Capacity *capacity) {
    const Row *expected = find_row(table, target->word, type, capacity->word);
    assert_non_null(expected); // the last row has stars
    BuiltText built = build_text_with(source_of(table->arena, target, type, capacity), str_of(FACTS));
    const Str found = said(built.session);
    const bool is_right = str_equal(found, expected->says);
    if (!is_right) {
        print_error("%s, %s, %s: %.*s, not %.*s\n", target->word, type, capacity->word, STR_ARG(found),
                    STR_ARG(expected->says));
    } else if (!has_errors(built.session)) {
        check_built(&built, target, type, capacity);
    }
    session_destroy(built.session);
    return is_right;
}

static void test_every_cell_builds_or_says_what_the_table_has(void **state) {
    (void)state;
    Arena *arena = arena_create();
    Table table = read_table(arena);
    uint32_t wrong = 0;

    for (size_t t = 0; t < COUNT_OF(TARGETS); t++) {
        for (size_t i = 0; i < COUNT_OF(TYPES); i++) {
            for (size_t c = 0; c < COUNT_OF(CAPACITIES); c++) {
                wrong += is_cell_right(&table, &TARGETS[t], TYPES[i], &CAPACITIES[c]) ? 0 : 1;
            }
        }
    }

    assert_int_equal(wrong, 0);
    for (uint32_t i = 0; i < table.rows.count; i++) {
        if (!table.rows.items[i].is_used) {
            fail_msg("row %u of the table fits no cell", i + 1);
        }
    }
    arena_destroy(arena);
}

static void test_every_source_of_the_table_is_explained(void **state) {
    (void)state;
    Arena *arena = arena_create();
    const Table table = read_table(arena);

    for (uint32_t i = 0; i < table.rows.count; i++) {
        const Str sources = table.rows.items[i].sources;
        assert_true(sources.len > 0);
        for (size_t at = 0; at < sources.len;) {
            const size_t end = str_find(sources, STR(","), at);
            const Str line = str_format(arena, "\n#   %-8.*s ", STR_ARG(str_slice(sources, at, end)));
            assert_true(str_find(table.text, line, 0) < table.text.len);
            at = end + 1;
        }
    }
    arena_destroy(arena);
}

// ---- dt(5) ------------------------------------------------------------------------------------------------------

// The manual says in a sentence that only AWS PCS takes it.
static const char SAID_APART[] = "interruptible";

// What a target says of a type: "all", a code for all, or "all but capacity_block: DT0318".
static Str doc_of_target(Table *table, const char *target, const char *type) {
    StrBuf text = { .arena = table->arena };
    Str first = STR_NONE;
    bool is_same = true;
    for (size_t c = 0; c < COUNT_OF(CAPACITIES); c++) {
        const Str says = find_row(table, target, type, CAPACITIES[c].word)->says;
        if (strcmp(CAPACITIES[c].word, SAID_APART) == 0) {
            assert_true(strcmp(target, "pcs") == 0 || str_has(says, "DT1343"));
            continue;
        }
        first = c == 0 ? says : first;
        is_same = is_same && str_equal(says, first);
        if (!str_is(says, "-")) {
            strbuf_add_format(&text, "%s%s: %.*s", text.len == 0 ? "all but " : ", ", CAPACITIES[c].word,
                              STR_ARG(says));
        }
    }
    return !is_same ? strbuf_str(&text) : str_is(first, "-") ? STR("all") : first;
}

// The cell of a type: one text for all targets, or "all; parallelcluster: DT0595".
static Str doc_cell(Table *table, const char *type) {
    const Str most = doc_of_target(table, TARGETS[0].word, type);
    StrBuf text = { .arena = table->arena };
    strbuf_add(&text, most);
    for (size_t t = 1; t < COUNT_OF(TARGETS); t++) {
        const Str other = doc_of_target(table, TARGETS[t].word, type);
        if (!str_equal(other, most)) {
            strbuf_add_format(&text, "; %s: %.*s", TARGETS[t].word, STR_ARG(other));
        }
    }
    return strbuf_str(&text);
}

static void test_manual_has_the_same_table(void **state) {
    (void)state;
    Arena *arena = arena_create();
    Table table = read_table(arena);
    const Str manual = read_text(arena, "man/dt.5");
    const size_t start = str_find(manual, STR(".\\\" fixtures/targets.tsv\n"), 0);
    const size_t end = str_find(manual, STR(".\\\" end of fixtures/targets.tsv\n"), 0);
    assert_true(start < end && end < manual.len);

    for (size_t i = 0; i < COUNT_OF(TYPES); i++) {
        const Str line = str_format(arena, "\n.It %s Ta %.*s\n", TYPES[i], STR_ARG(doc_cell(&table, TYPES[i])));
        if (str_find(manual, line, start) >= end) {
            fail_msg("dt(5) lacks the row `%.*s`", STR_ARG(str_trim(line)));
        }
    }
    arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_cell_builds_or_says_what_the_table_has),
        cmocka_unit_test(test_every_source_of_the_table_is_explained),
        cmocka_unit_test(test_manual_has_the_same_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
