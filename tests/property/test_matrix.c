// Every type of the families that clusters are made of, with every kind of capacity and a job of two nodes. Each cell
// builds, or reports what fixtures/matrix.tsv has for it. What is built is held against the type's own facts: the
// interfaces, the devices in the container, the GPUs, the memory.
#include "tests/support/own_rows.h"
#include "tests/support/build_text.h"

#include "compiler/base/file.h"
#include "compiler/base/json.h"
#include "compiler/plan/model/nics.h"

enum { FILE_MAX = 1024 * 1024, MIB_PER_GIB = 1024 };

typedef struct {
    Str types;
    Str capacity;
    Str given;
    Str image;
    Str says;
    bool is_used;
} Row;

typedef struct {
    Arena *arena;
    VEC(Row) rows;
} Table;

static Table read_table(Arena *arena) {
    Table table = { .arena = arena };
    Str text;
    assert_null(file_read(arena, STR("fixtures/matrix.tsv"), FILE_MAX, &text));
    Str line;
    for (size_t at = 0; next_row(text, &at, &line);) {
        size_t offset = 0;
        Row row = { .types = next_cell(line, &offset) };
        row.capacity = next_cell(line, &offset);
        row.given = next_cell(line, &offset);
        row.image = next_cell(line, &offset);
        row.says = next_cell(line, &offset);
        vec_push(arena, &table.rows, row);
    }
    return table;
}

static bool fits(Str pattern, const char *word) {
    if (str_ends_with(pattern, STR("*"))) {
        return str_starts_with(str_of(word), str_slice(pattern, 0, pattern.len - 1));
    }
    return str_is(pattern, word);
}

// NULL where no row fits.
static Row *find_row(Table *table, const char *type, const char *capacity, const char *given, const char *image) {
    for (uint32_t i = 0; i < table->rows.count; i++) {
        Row *row = &table->rows.items[i];
        if (fits(row->types, type) && fits(row->capacity, capacity) && fits(row->given, given) &&
            fits(row->image, image)) {
            row->is_used = true;
            return row;
        }
    }
    return NULL;
}

static bool has_type(const Table *table, const char *type) {
    for (uint32_t i = 0; i < table->rows.count; i++) {
        if (fits(table->rows.items[i].types, type)) {
            return true;
        }
    }
    return false;
}

// ---- a cell ----------------------------------------------------------------------------------------------------

typedef struct {
    const char *word;
    const char *type; // of its id; NULL: has none
    const char *id;
} Capacity;

static const Capacity CAPACITIES[] = {
    { "on_demand", NULL, NULL },
    { "spot", NULL, NULL },
    { "reservation", "capacity_reservation", "cr-0123456789abcdef0" },
    { "reservation_group", "resource_group_arn", "arn:aws:resource-groups:us-east-1:123456789012:group/training" },
    { "capacity_block", "capacity_reservation", "cr-0123456789abcdef1" },
    { "interruptible", "capacity_reservation", "cr-0123456789abcdef2" },
};

static const char *const GIVEN[] = { "known", "late", "optional" };
static const char *const IMAGES[] = { "service", "own" };

// A network by its ids: no region is known, so none can lack the type.
static Str source_of(Arena *arena, const InstanceRow *row, const Capacity *capacity, const char *given,
                     const char *image) {
    Str param = STR_NONE;
    Str how = str_of(capacity->word);
    if (capacity->type != NULL && strcmp(given, "known") == 0) {
        how = str_format(arena, "%s(\"%s\")", capacity->word, capacity->id);
    } else if (capacity->type != NULL) {
        param =
            str_format(arena, "late param bought : %s%s\n", capacity->type, strcmp(given, "optional") == 0 ? "?" : "");
        how = str_format(arena, "%s(bought)%s", capacity->word, strcmp(given, "optional") == 0 ? " ?? on_demand" : "");
    }
    return str_format(arena,
                      "dt 1\n%.*s"
                      "network lab { vpc = \"vpc-0123456789abcdef0\", private = [\"subnet-0123456789abcdef0\"] }\n"
                      "cluster llm on batch {\n  network = lab\n%s"
                      "  nodes x { instance = \"%s\", count = 0..9%s, capacity = %.*s }\n}\n"
                      "job train on llm {\n"
                      "  allow DT0368, \"types without EFA are in the matrix too\"\n"
                      "  image = \"public.ecr.aws/hpc-cloud/nccl-tests:latest\"\n"
                      "  nodes = 2\n"
                      "}\n",
                      STR_ARG(param), strcmp(image, "own") == 0 ? "  ami = \"ami-0123456789abcdef0\"\n" : "", row->name,
                      row->efa_max > 0 ? ", efa = all" : "", STR_ARG(how));
}

static int compare_codes(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// Codes of all that was said and not allowed, each once, in the order of their numbers; "-" where nothing was.
static Str said(const Session *session) {
    const char *codes[64];
    size_t count = 0;
    for (uint32_t i = 0; i < session->diags.items.count && count < COUNT_OF(codes); i++) {
        const Diag *diag = session->diags.items.items[i];
        if (!diag->is_allowed) {
            codes[count++] = diag_row(diag->id)->code;
        }
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

// ---- what is built ---------------------------------------------------------------------------------------------

static const Data *properties(const Data *template, const char *id) {
    return data_get(data_get(data_get(template, "Resources"), id), "Properties");
}

// How many of the container's devices are prefix0, prefix1, … in this order; -1 where a number is missing.
static int devices(Arena *arena, const Data *container, const char *prefix) {
    const Data *list = data_get(data_get(container, "LinuxParameters"), "Devices");
    int count = 0;
    for (uint32_t i = 0; list != NULL && i < list->count; i++) {
        const Str path = data_get(list->items[i], "HostPath")->string;
        if (!str_starts_with(path, str_of(prefix))) {
            continue;
        }
        if (!str_equal(path, str_format(arena, "%s%d", prefix, count))) {
            return -1;
        }
        count++;
    }
    return count;
}

static int64_t required(Arena *arena, const Data *container, const char *type) {
    const Data *list = data_get(container, "ResourceRequirements");
    for (uint32_t i = 0; i < list->count; i++) {
        if (str_is(data_get(list->items[i], "Type")->string, type)) {
            return strtoll(str_c(arena, data_get(list->items[i], "Value")->string), NULL, 10);
        }
    }
    return 0;
}

// 6 % of the nominal memory stays free, and 2 GiB at least.
static int64_t memory_of(const InstanceRow *row) {
    const int64_t share = row->memory_mib * 6 / 100;
    return row->memory_mib - (share > 2 * MIB_PER_GIB ? share : 2 * MIB_PER_GIB);
}

static void check_built(const BuiltText *built, const InstanceRow *row) {
    Arena *arena = built->session->arena;
    const Artifact *artifact = artifact_of(built, "llm.cfn.json");
    assert_non_null(artifact);
    const Data *template = json_read(built->session, source_add(built->session, artifact->name, artifact->content));
    const Data *definition = properties(template, "TrainJobDefinition");
    const Data *nodes = data_get(definition, "NodeProperties");
    const Data *container = data_get(data_get(nodes, "NodeRangeProperties")->items[0], "Container");
    const int efa = nics_efa_all(row, LAYOUT_MIN_IP);
    const bool is_nvidia = row->accelerator == ACCELERATOR_NVIDIA;

    assert_text(data_get(definition, "Type")->string, "multinode");
    assert_int_equal(data_get(nodes, "NumNodes")->integer, 2);
    assert_text(data_get(container, "InstanceType")->string, row->name);
    assert_int_equal(required(arena, container, "VCPU"), row->vcpus);
    assert_int_equal(required(arena, container, "MEMORY"), memory_of(row));
    assert_int_equal(required(arena, container, "GPU"), is_nvidia ? row->accelerators : 0);
    assert_int_equal(devices(arena, container, "/dev/infiniband/uverbs"), efa);
    assert_int_equal(devices(arena, container, "/dev/neuron"),
                     row->accelerator == ACCELERATOR_NEURON ? row->accelerators : 0);

    const Data *environment = data_get(properties(template, "LlmXComputeEnvironment"), "ComputeResources");
    assert_int_equal(data_get(environment, "MaxvCpus")->integer, (int64_t)9 * row->vcpus);
    const Data *data = data_get(properties(template, "LlmXLaunchTemplate"), "LaunchTemplateData");
    const Data *interfaces = data_get(data, "NetworkInterfaces");
    int with_efa = 0;
    for (uint32_t i = 0; i < interfaces->count; i++) {
        with_efa += str_starts_with(data_get(interfaces->items[i], "InterfaceType")->string, STR("efa"));
    }
    assert_int_equal(with_efa, efa);
}

static uint32_t check_type(Table *table, const InstanceRow *row, uint32_t *wrong) {
    uint32_t count = 0;
    for (size_t c = 0; c < COUNT_OF(CAPACITIES); c++) {
        for (size_t g = 0; g < (CAPACITIES[c].type == NULL ? 1 : COUNT_OF(GIVEN)); g++) {
            for (size_t i = 0; i < COUNT_OF(IMAGES); i++) {
                const Row *expected = find_row(table, row->name, CAPACITIES[c].word, GIVEN[g], IMAGES[i]);
                assert_non_null(expected); // the last row of a family has stars
                BuiltText built = build_text(source_of(table->arena, row, &CAPACITIES[c], GIVEN[g], IMAGES[i]));
                const Str found = said(built.session);
                count++;
                if (!str_equal(found, expected->says)) {
                    (*wrong)++;
                    print_error("%s, %s, %s, %s image: %.*s, not %.*s\n", row->name, CAPACITIES[c].word, GIVEN[g],
                                IMAGES[i], STR_ARG(found), STR_ARG(expected->says));
                } else if (!has_errors(built.session)) {
                    check_built(&built, row);
                }
                session_destroy(built.session);
            }
        }
    }
    return count;
}

static void test_every_cell_builds_or_says_what_the_table_has(void **state) {
    (void)state;
    Arena *arena = arena_create();
    Table table = read_table(arena);
    uint32_t count = 0;
    uint32_t wrong = 0;

    for (int i = 0; i < INSTANCE_ROW_COUNT; i++) {
        if (has_type(&table, own_row(i)->name)) {
            count += check_type(&table, own_row(i), &wrong);
        }
    }

    assert_int_equal(wrong, 0);
    assert_true(count >= 1000); // fewer: rows were not read, or fit no type
    for (uint32_t i = 0; i < table.rows.count; i++) {
        if (!table.rows.items[i].is_used) {
            fail_msg("row %u of the table fits no cell", i + 1);
        }
    }
    arena_destroy(arena);
}

static void test_every_family_that_clusters_are_made_of_is_in_the_table(void **state) {
    (void)state;
    static const char *const FAMILIES[] = { "p4d",       "p5",    "p5e",    "p5en",  "p6-b200", "p6-b300",
                                            "p6e-gb200", "g4dn",  "g5",     "g6e",   "trn1",    "trn1n",
                                            "trn2",      "hpc6a", "hpc6id", "hpc7a", "hpc7g",   "hpc8a" };
    Arena *arena = arena_create();
    Table table = read_table(arena);

    for (size_t i = 0; i < COUNT_OF(FAMILIES); i++) {
        const Str type = str_format(arena, "%s.", FAMILIES[i]);
        assert_true(has_type(&table, str_c(arena, type)));
    }
    arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_cell_builds_or_says_what_the_table_has),
        cmocka_unit_test(test_every_family_that_clusters_are_made_of_is_in_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
