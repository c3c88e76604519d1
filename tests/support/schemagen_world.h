// A small schema that is right, in a folder of its own, and the generator that runs on it. A test puts another text in
// place of one file and compares all that is printed, places included.
#pragma once

#include "compiler/base/file.h"
#include "tests/support/check.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TEXT_MAX = 16 * 1024 };

typedef struct {
    char path[64];
    Arena *arena;
} Folder;

typedef struct {
    const char *path;
    const char *text;
} SchemaFile;

static const SchemaFile RIGHT[] = {
    { "types.yaml", "zone:\n"
                    "  pattern: \"^[a-z]+-[0-9]$\"\n"
                    "  example: us-1\n"
                    "  counterexample: us\n"
                    "  doc: A zone.\n"
                    "  source: dtc\n"
                    "  cfn_type: String\n"
                    "  cfn_list_type: CommaDelimitedList\n" },
    { "constants.yaml", "least:\n  value: 1\n  unit: bytes\n  doc: A doc.\n  source: dtc\n" },
    { "images.yaml", "sources: { us: dtc }\n"
                     "images:\n"
                     "  - { target: batch, os: al2, accelerator: none, architecture: arm64, parameter: /a,\n"
                     "      image_type: null }\n" },
    { "interface_addresses.yaml", "source: dtc\ninterfaces:\n  - { addresses: 50, types: [a.b] }\n" },
    { "policies.yaml", "source: dtc\npaths:\n  - { path: \"\", attachable: true, names: [A] }\n" },
    { "parameters.yaml", "sources: { us: dtc }\n"
                         "parameters:\n"
                         "  - { path: /a/*/id, architecture: null, drivers: none, source: us }\n"
                         "mistaken: []\n" },
    { "kubernetes.yaml",
      "sources: { us: dtc }\nas_of: \"2026-11-21\"\nversions:\n  - { version: \"1.34\", released: \"2025-10-02\", "
      "standard_end: \"2026-12-02\", extended_end: \"2027-12-02\" }\n"
      "systems: [{ os: al2, first: null, last: \"1.32\" }]\n" },
    { "objects.yaml", "source: dtc\nversion: \"1.36\"\nkinds: { v1/Pod: Pod }\npatterns: { word: \"[a-z]+\" }\n"
                      "types:\n  Pod: \"spec:PodSpec!\"\n  PodSpec: \"names:[string]\"\n" },
    { "plugins.yaml", "sources: { us: dtc }\n"
                      "plugins:\n"
                      "  - { addon: efa, title: it, version: v1, resource: r, taint: t, source: us,\n"
                      "      eksctl: { version: v1, families: [t1], lacks: [] } }\n"
                      "registries: { elsewhere: \"123456789012\" }\n" },
    { "devices.yaml", "efa: [{ id: efa0, driver: null }]\n"
                      "efa_source: dtc\n"
                      "xids: [{ code: 79, action: reboot, what: gone }]\n"
                      "xids_source: dtc\n" },
    { "device_faults.yaml", "sxids: [{ code: 19084, what: late }]\nsxids_source: dtc\nsources: { us: dtc }\n"
                            "messages: [{ check: log.gpu, level: fail, texts: [gone], source: us }]\n"
                            "limits: [{ name: ecc_volatile, most: 0 }]\nlimits_source: dtc\n"
                            "floor_percent: 80\nmemory: [{ gpu: A, megabytes_per_second: 1 }]\nmemory_source: dtc\n" },
    { "collectives.yaml",
      "sources: { us: dtc }\n"
      "floor_percent: 80\n"
      "all_reduce:\n"
      "  - { type: t1.a, interfaces: 1, nodes: 2, ranks: 2, bytes: 8, megabytes_per_second: 1, source: us }\n" },
    { "quotas.yaml", "sources: { spot: dtc }\nquotas:\n  - { code: L-1, market: spot, name: All T, letters: [t] }\n" },
    { "regions.yaml", "sources: { us: dtc }\n"
                      "partitions: { aws: amazonaws.com }\n"
                      "regions:\n"
                      "  us-1: { partition: aws, zones: ab, ids: null }\n"
                      "parallelcluster: []\npcs: []\nwithout_eks: {}\noffers: { t1.a: [us-1] }\n" },
    { "kinds/thing.yaml", "kind: thing\n"
                          "doc: A thing.\n"
                          "targets: [batch]\n"
                          "attributes:\n"
                          "  zone: { type: zone, targets: [batch], doc: Where it is. }\n" },
    { "instances/t1.yaml", "family: t1\n"
                           "sources: { api: dtc }\n"
                           "common: { status: current, sources: [api], architecture: arm64, placement_cluster: true }\n"
                           "types:\n"
                           "  t1.a: { vcpus: 4, cores: 2, threads_per_core: 2, memory_mib: 4, accelerator: none,\n"
                           "    network_gbps: 0.5, network_cards: 2, cards: [{ at: 0..1, interfaces: 2,\n"
                           "    takes: [ena, efa] }], efa: { max: 2, generation: v1, gbps: 1, rdma_read: true,\n"
                           "    rdma_write: null }, nvme: none, capacity: [spot] }\n" },
};

static inline int make_folder(void **state) {
    static const char model[] = "/tmp/dtc-test-schemagen-XXXXXX";
    Folder *folder = calloc(1, sizeof(*folder));
    memcpy(folder->path, model, sizeof(model));
    folder->arena = arena_create();
    *state = folder;
    return mkdtemp(folder->path) == NULL ? -1 : 0;
}

static inline int run_shell(Folder *folder, const char *command) {
    const Str line = str_format(folder->arena, "cd '%s' && %s", folder->path, command);
    const int status = system(str_c(folder->arena, line));
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static inline int drop_folder(void **state) {
    Folder *folder = *state;
    const int status = run_shell(folder, "rm -rf schema out again err");
    rmdir(folder->path);
    arena_destroy(folder->arena);
    free(folder);
    return status;
}

static inline void write_text(Folder *folder, const char *path, const char *text) {
    const Str full = str_format(folder->arena, "%s/schema/%s", folder->path, path);
    FILE *file = fopen(str_c(folder->arena, full), "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

// The right schema, with `text` in place of its file `path` (NULL: as it is).
static inline void write_schema(Folder *folder, const char *path, const char *text) {
    assert_int_equal(run_shell(folder, "rm -rf schema out again && mkdir -p schema/kinds schema/instances"), 0);
    for (size_t i = 0; i < COUNT_OF(RIGHT); i++) {
        write_text(folder, RIGHT[i].path, RIGHT[i].text);
    }
    if (path != NULL) {
        write_text(folder, path, text);
    }
}

// The generator stands beside the folder of the tests.
static inline int generate(Folder *folder, const char *output) {
    char program[500] = { 0 };
    const ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);
    assert_true(length > 0);
    for (int i = 0; i < 3; i++) {
        char *slash = strrchr(program, '/');
        assert_non_null(slash);
        *slash = '\0';
    }
    const Str command = str_format(folder->arena, "'%s/schemagen' schema %s 2>err", program, output);
    return run_shell(folder, str_c(folder->arena, command));
}

static inline Str printed(Folder *folder) {
    Str text = STR_NONE;
    assert_null(file_read(folder->arena, str_format(folder->arena, "%s/err", folder->path), TEXT_MAX, &text));
    return text;
}

static inline void assert_refused(void **state, const char *path, const char *text, const char *expected) {
    Folder *folder = *state;
    write_schema(folder, path, text);

    assert_int_equal(generate(folder, "out"), 1);

    assert_text(printed(folder), expected);
    assert_int_equal(run_shell(folder, "test ! -e out"), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, drop_folder)
