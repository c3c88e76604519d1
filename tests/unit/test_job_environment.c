// The library of dt has the variables that dtc itself gives to jobs.
#include "stdlib/library.h"
#include "tests/support/cloudformation_plan.h"

typedef struct {
    const char *name;
    const char *value;
    unsigned needs;
} Row;

enum { JOB_OF_NODES = 1, JOB_HAS_EFA = 2, JOB_ON_NVIDIA = 4, JOB_ON_NEURON = 8 };

static const Row ROWS[] = {
#define ENVIRONMENT(name, value, needs) { #name, value, needs },
#include "schema/environment.def"
};

// `NAME = "value"`, whatever the blanks between.
static bool says(Arena *arena, Str text, const Row *row) {
    const Str name = str_format(arena, "\n  %s ", row->name);
    const size_t at = str_find(text, name, 0);
    const size_t end = str_find(text, STR("\n"), at + 1);
    const Str line = str_slice(text, at < text.len ? at : 0, at < text.len ? end : 0);
    const Str value = str_format(arena, "= \"%s\"", row->value);
    return str_find(line, value, 0) < line.len;
}

static void check(Session *session, const char *path, unsigned without) {
    const StdlibFile *file = stdlib_find(str_of(path));
    assert_non_null(file);
    for (size_t i = 0; i < COUNT_OF(ROWS); i++) {
        if ((ROWS[i].needs & without) == 0) {
            assert_true(says(session->arena, file->text, &ROWS[i]));
        }
    }
}

static void test_nccl_has_every_row_for_gpus(void **state) {
    check(*state, "std/nccl.dt", JOB_ON_NEURON);
}

static void test_neuron_has_every_row_for_neuron(void **state) {
    check(*state, "std/neuron.dt", JOB_ON_NVIDIA);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        session_test(test_nccl_has_every_row_for_gpus),
        session_test(test_neuron_has_every_row_for_neuron),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
