// What holds of the record of every instance type: on each target that carries one, with all its EFA interfaces and
// with none. The form of each line is the contract's own.
#include "compiler/plan/model/node_record.h"

#include "stdlib/node/contract.h"
#include "tests/support/own_rows.h"
#include "tests/support/check.h"

typedef struct {
    const char *name;
    const char *form;
    bool is_once;
} KeyRow;

enum { ONCE, MANY };

static const KeyRow KEYS[] = {
#define NODE_KEY(id, name, form, repeat, unit, class, text) { name, form, repeat == ONCE },
    NODE_KEYS(NODE_KEY)
#undef NODE_KEY
};

typedef struct {
    const InstanceRow *row;
    const PlanNodes *nodes;
    Str record;
} Case;

typedef void Claim(const Case *one);

static Str record_of(Arena *arena, const PlanNodes *nodes) {
    const Value none = { .kind = VALUE_LIST };
    const Value collective = { .kind = VALUE_WORD, .string = STR("all_reduce") };
    const PlanValidate validate = { .files = &none, .collective = &collective };
    return node_record_write(arena, nodes, &validate);
}

static void for_all_cases(Claim *claim) {
    static const TargetSet TARGETS[] = { TARGET_BATCH, TARGET_PARALLELCLUSTER };
    for (int i = 0; i < INSTANCE_ROW_COUNT; i++) {
        const InstanceRow *row = own_row(i);
        for (size_t k = 0; k < COUNT_OF(TARGETS) && strcmp(row->status, "current") == 0; k++) {
            for (int has_efa = 0; has_efa < 2; has_efa++) {
                Arena *arena = arena_create();
                const PlanCluster cluster = { .target = TARGETS[k] };
                const PlanNodes nodes = { .head = { .id = STR("gpu") },
                                          .cluster = &cluster,
                                          .instance = row,
                                          .fabric.efa_count = has_efa == 1 ? row->efa_max : 0 };
                claim(&(Case){ .row = row, .nodes = &nodes, .record = record_of(arena, &nodes) });
                arena_destroy(arena);
            }
        }
    }
}

// The line from `*at` on, without its end; `*at` moves behind it.
static Str next_line(Str text, size_t *at) {
    const size_t start = *at;
    const size_t end = str_find(text, STR("\n"), start);
    *at = end + 1;
    return str_slice(text, start, end);
}

static Str key_of(Str line) {
    const Str wish = str_starts_with(line, STR("?")) ? str_slice(line, 1, line.len) : line;
    return str_slice(wish, 0, str_find(wish, STR(" "), 0));
}

static const KeyRow *row_of(Str key) {
    for (size_t i = 0; i < COUNT_OF(KEYS); i++) {
        if (str_is(key, KEYS[i].name)) {
            return &KEYS[i];
        }
    }
    return NULL;
}

// The number behind a key that stands there once; -1 where it does not stand there.
static int64_t number_of(Str record, const char *key) {
    for (size_t at = 0; at < record.len;) {
        const Str line = next_line(record, &at);
        if (str_is(key_of(line), key)) {
            return strtoll(line.data + strlen(key) + 1, NULL, 10);
        }
    }
    return -1;
}

// ---- claims

static void claim_limits(const Case *one) {
    size_t lines = 0;
    for (size_t at = 0; at < one->record.len; lines++) {
        assert_in_range(next_line(one->record, &at).len, 1, NODE_LINE_BYTES_MAX);
    }
    assert_in_range(one->record.len, 1, NODE_RECORD_BYTES_MAX / 2); // the rest is the author's
    assert_in_range(lines, 4, NODE_RECORD_LINES_MAX / 2);
    assert_true(str_ends_with(one->record, STR("\n")));
    assert_true(str_starts_with(one->record, STR(NODE_RECORD_VERSION "\n")));
}

static void claim_keys(const Case *one) {
    int seen[COUNT_OF(KEYS)] = { 0 };
    size_t at = sizeof NODE_RECORD_VERSION; // behind the first line
    while (at < one->record.len) {
        const Str line = next_line(one->record, &at);
        const KeyRow *row = row_of(key_of(line));
        const Str rest = str_starts_with(line, STR("?")) ? str_slice(line, 1, line.len) : line;
        assert_non_null(row);
        assert_int_equal(node_record_bad_byte(rest), rest.len);
        assert_false(row->is_once && seen[row - KEYS] > 0);
        seen[row - KEYS]++;
    }
}

// A number of the record is the row's, or is not there.
static void claim_numbers(const Case *one) {
    const InstanceRow *row = one->row;
    const int64_t memory = number_of(one->record, "mem.mib");
    const int64_t least = row->memory_mib * 9 / 10 - schema_constant(CONSTANT_NODE_MEMORY_RESERVE_MIB);
    assert_int_equal(number_of(one->record, "efa.count"),
                     one->nodes->fabric.efa_count > 0 ? one->nodes->fabric.efa_count : -1);
    assert_int_equal(number_of(one->record, "cpus"), row->vcpus);
    assert_int_equal(number_of(one->record, "nvme.count"), row->nvme_count > 0 ? row->nvme_count : -1);
    // A type so small that nothing can be said of it has no such number.
    assert_true(memory < row->memory_mib && memory != 0 && (memory > 0 ? memory > least : least < 0));
    const bool has_gpus = row->accelerator == ACCELERATOR_NVIDIA && row->accelerators > 0;
    const bool has_neuron = row->accelerator == ACCELERATOR_NEURON && row->accelerators > 0;
    assert_int_equal(number_of(one->record, "gpu.count"), has_gpus ? row->accelerators : -1);
    assert_int_equal(number_of(one->record, "neuron.count"), has_neuron ? row->accelerators : -1);
}

static void test_record_is_within_the_limits_of_the_contract(void **state) {
    (void)state;
    for_all_cases(claim_limits);
}

static void test_keys_are_those_of_the_contract(void **state) {
    (void)state;
    for_all_cases(claim_keys);
}

static void test_numbers_are_the_rows(void **state) {
    (void)state;
    for_all_cases(claim_numbers);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_record_is_within_the_limits_of_the_contract),
        cmocka_unit_test(test_keys_are_those_of_the_contract),
        cmocka_unit_test(test_numbers_are_the_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
