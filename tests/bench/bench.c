// `make bench`: what dtc costs beside other things, in one run, each thing once a round so that what else the machine
// does falls on all of them alike. Only ratios are printed: microseconds would say more of the machine than of dtc.
// `bench DTC FOLDER SOURCES` works in FOLDER, which it makes; SOURCES is the root of the tree. A goal that is missed is
// printed and no failure; a wrong document is one.
#include "compiler/base/diag.h"
#include "compiler/base/file.h"
#include "compiler/base/file_set.h"
#include "tests/bench/measure.h"

#include <jansson.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    TEXT_MAX = 4096,
    FILE_BYTES_MAX = 16 * 1024 * 1024,
    COLD_ROUNDS = 41,
    SLOW_ROUNDS = 3, // of a program that takes a thousand times as long
};

// The goals.
static const double COLD_MAX = 1.5;     // build of batch-gpu-p4d / empty dynamically linked process
static const double SCALE_MAX = 1.3;    // build of 1,000 clusters / replay of their events
static const double EXPONENT_MAX = 1.1; // of the growth from 1,000 to 10,000 clusters
static const double PEAK_FACTOR = 6;    // peak memory / bytes written …
static const double PEAK_EXTRA_MIB = 8; // … and so much more

typedef struct {
    char dtc[TEXT_MAX];
    char replay[TEXT_MAX];
    char empty[TEXT_MAX];
    const char *sources;
    bool has_valgrind;
} Bench;

// Paths and commands, in an arena of the process; the little there is stays.
static const char *text(Arena *arena, const char *format, ...) PRINTF_LIKE(2, 3);

static const char *text(Arena *arena, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const Str made = str_format_list(arena, format, arguments);
    va_end(arguments);
    return str_c(arena, made);
}

static Str read_text(Arena *arena, const char *path) {
    Str content;
    const char *fault = file_read(arena, str_of(path), FILE_BYTES_MAX, &content);
    if (fault != NULL) {
        die("cannot read `%s`: %s", path, fault);
    }
    return content;
}

static void write_text(Arena *arena, const char *name, Str content) {
    FileSet *files = files_open(arena, STR("."));
    const char *fault = file_stage(files, str_of(name), content);
    fault = fault == NULL ? files_commit(files) : fault;
    if (fault != NULL) {
        die("cannot write `%s`: %s", name, fault);
    }
}

static void print_goal(const char *goal, double limit, double measured) {
    printf("  %-66s %6.2f  %6.2f  %s\n", goal, limit, measured, measured <= limit ? "met" : "missed");
}

static void print_count(int64_t instructions) {
    if (instructions == 0) {
        printf("  %12s\n", "-");
    } else {
        printf("  %10.2f M\n", (double)instructions / 1e6);
    }
}

// ---- cold build ----------------------------------------------------------------------------------------------------

typedef struct {
    const char *label;
    const char *const *argv;
    bool is_slow;
    bool is_absent; // not on this machine
    Series series;
} ColdRow;

static bool same_bytes(Arena *arena, const char *path, const char *other) {
    return str_equal(read_text(arena, path), read_text(arena, other));
}

static bool same_json(const char *path, const char *other) {
    json_t *left = json_load_file(path, 0, NULL);
    json_t *right = json_load_file(other, 0, NULL);
    const bool is_same = left != NULL && json_equal(left, right);
    json_decref(left);
    json_decref(right);
    return is_same;
}

// What nodes run is in files for everybody but dtc, as people keep it: as it is, and for m4 at the depth where it goes.
static void write_user_data(Arena *arena, const char *template) {
    json_t *document = json_load_file(template, 0, NULL);
    const char *user_data = NULL;
    if (json_unpack(document, "{s:{s:{s:{s:{s:{s:s}}}}}}", "Resources", "BatchP4dP4dLaunchTemplate", "Properties",
                    "LaunchTemplateData", "UserData", "Fn::Base64", &user_data) != 0) {
        die("no user data in `%s`", template);
    }
    StrBuf indented = { .arena = arena };
    for (const char *line = user_data; *line != '\0';) {
        const size_t len = strcspn(line, "\n");
        strbuf_add_format(&indented, "%s%.*s\n", len > 0 ? "          " : "", (int)len, line);
        line += len + (line[len] == '\n' ? 1 : 0);
    }
    write_text(arena, "user-data", str_of(user_data));
    write_text(arena, "user-data.indented", strbuf_str(&indented));
    json_decref(document);
}

enum { ROW_EMPTY, ROW_CHECK, ROW_BUILD, ROW_M4, ROW_JSONNET, ROW_LINT, ROW_COUNT };

static void measure_cold_rows(Arena *arena, ColdRow *rows, const char **build) {
    for (int round = 0; round < COLD_ROUNDS; round++) {
        // A folder that is not there yet: a second build would find its files and write none.
        build[4] = text(arena, "cold-%d", round);
        for (int i = 0; i < ROW_COUNT; i++) {
            if (!rows[i].is_absent && round < (rows[i].is_slow ? SLOW_ROUNDS : COLD_ROUNDS)) {
                measure_add(&rows[i].series, rows[i].argv, text(arena, "cold-%d.out", i));
            }
        }
    }
}

static bool cold_rows_agree(Arena *arena, const ColdRow *rows) {
    const bool is_m4 =
        rows[ROW_M4].is_absent || same_bytes(arena, text(arena, "cold-%d.out", ROW_M4), "cold-0/batch-p4d.cfn.yaml");
    const bool is_jsonnet =
        rows[ROW_JSONNET].is_absent || same_json(text(arena, "cold-%d.out", ROW_JSONNET), "json/batch-p4d.cfn.json");
    if (!is_m4 || !is_jsonnet) {
        printf("  tests/bench/batch-gpu-p4d.%s makes another document than dtc\n", is_m4 ? "jsonnet" : "m4");
    }
    return is_m4 && is_jsonnet;
}

// Returns whether all of them made the same document.
static bool bench_cold(const Bench *bench, Arena *arena, double *cold) {
    const char *infra = text(arena, "%s/fixtures/reference/batch-gpu-p4d/infra.dt", bench->sources);
    write_text(arena, "infra.dt", read_text(arena, infra));
    const char *m4_source = text(arena, "%s/tests/bench/batch-gpu-p4d.m4", bench->sources);
    const char *jsonnet_source = text(arena, "%s/tests/bench/batch-gpu-p4d.jsonnet", bench->sources);

    const char *empty[] = { bench->empty, NULL };
    const char *check[] = { bench->dtc, "check", "infra.dt", NULL };
    const char *build[] = { bench->dtc, "build", "infra.dt", "-o", "json", "--format", "json", NULL };
    const char *m4[] = { "m4", m4_source, NULL };
    const char *jsonnet[] = { "jsonnet", "-J", ".", jsonnet_source, NULL };
    const char *lint[] = { "cfn-lint", "cold-0/batch-p4d.cfn.yaml", NULL };
    Series json = { 0 };
    measure_add(&json, build, "out");
    build[5] = NULL; // in YAML from here on
    write_user_data(arena, "json/batch-p4d.cfn.json");

    ColdRow rows[ROW_COUNT] = {
        [ROW_EMPTY] = { .label = "empty process, dynamically linked", .argv = empty },
        [ROW_CHECK] = { .label = "dtc check", .argv = check },
        [ROW_BUILD] = { .label = "dtc build, files written", .argv = build },
        [ROW_M4] = { .label = "m4, the same bytes", .argv = m4, .is_absent = !measure_has_program("m4", "out") },
        [ROW_JSONNET] = { .label = "jsonnet, the same document as JSON",
                          .argv = jsonnet,
                          .is_absent = !measure_has_program("jsonnet", "out") },
        [ROW_LINT] = { .label = "cfn-lint of the template",
                       .argv = lint,
                       .is_slow = true,
                       .is_absent = !measure_has_program("cfn-lint", "out") },
    };
    measure_cold_rows(arena, rows, build);

    printf("batch-gpu-p4d, one process each            CPU time / empty  instructions\n");
    const double unit = series_cpu_us(&rows[ROW_EMPTY].series);
    for (int i = 0; i < ROW_COUNT; i++) {
        if (rows[i].is_absent) {
            printf("  %-40s %16s\n", rows[i].label, "absent");
            continue;
        }
        printf("  %-40s %16.2f", rows[i].label, series_cpu_us(&rows[i].series) / unit);
        build[4] = "cold-counted";
        const bool is_counted = bench->has_valgrind && !rows[i].is_slow;
        print_count(is_counted ? measure_instructions(rows[i].argv, NULL, "counted") : 0);
    }
    *cold = series_cpu_us(&rows[ROW_BUILD].series) / unit;
    return cold_rows_agree(arena, rows);
}

// ---- many clusters -------------------------------------------------------------------------------------------------

typedef struct {
    int clusters;
    int rounds;
    bool is_counted; // by callgrind, too
    Series check;
    Series build;
    Series replay; // as the program itself counts it
    double bytes;  // written
    int64_t build_instructions;
    int64_t replay_instructions;
} ScaleRow;

static void write_clusters(Arena *arena, const char *name, int count) {
    const Str source = str_format(arena,
                                  "dt 1\n\n"
                                  "network lab { stack = \"lab\" }\n\n"
                                  "for i in 1..%d {\n"
                                  "  cluster \"c${i}\" on batch {\n"
                                  "    network = lab\n\n"
                                  "    nodes gpu {\n"
                                  "      instance = \"p5.48xlarge\"\n"
                                  "      count    = 0..16\n"
                                  "    }\n"
                                  "  }\n"
                                  "}\n",
                                  count);
    write_text(arena, name, source);
}

// The time that replay has printed.
static Cost replay_cost(Arena *arena, const char *output) {
    const Str printed = read_text(arena, output);
    return (Cost){ .user_us = strtoll(str_c(arena, printed), NULL, 10) / 1000 };
}

static double folder_bytes(Arena *arena, const char *folder, int clusters) {
    double sum = 0;
    for (int i = 0; i <= clusters; i++) {
        struct stat status;
        const char *path = i == 0 ? text(arena, "%s/plan.json", folder) : text(arena, "%s/c%d.cfn.yaml", folder, i);
        if (stat(path, &status) != 0) {
            die("dtc did not write `%s`", path);
        }
        sum += (double)status.st_size;
    }
    return sum;
}

static void measure_scale_row(const Bench *bench, Arena *arena, ScaleRow *row, int round) {
    const char *source = text(arena, "n%d.dt", row->clusters);
    const char *folder = text(arena, "n%d-%d", row->clusters, round);
    const char *output = text(arena, "n%d.out", row->clusters);
    const char *const check[] = { bench->dtc, "check", source, NULL };
    const char *const build[] = { bench->dtc, "build", source, "-o", folder, NULL };
    const char *const replay[] = { bench->replay, folder, "5", NULL };
    measure_add(&row->check, check, output);
    measure_add(&row->build, build, output);
    measure_add(&row->replay, replay, output); // fails where libyaml writes other bytes
    row->replay.runs[row->replay.count - 1] = replay_cost(arena, output);
    if (round == 0) {
        row->bytes = folder_bytes(arena, folder, row->clusters);
    }
}

static void count_scale_row(const Bench *bench, Arena *arena, ScaleRow *row) {
    const char *const build[] = {
        bench->dtc, "build", text(arena, "n%d.dt", row->clusters), "-o", "counted-files", NULL
    };
    const char *const replay[] = { bench->replay, text(arena, "n%d-0", row->clusters), NULL };
    row->build_instructions = measure_instructions(build, NULL, "counted");
    row->replay_instructions = measure_instructions(replay, "replay_events", "counted");
}

static void print_scale_row(const ScaleRow *row) {
    const double unit = series_cpu_us(&row->replay);
    printf("  %8d %10.2f %10.2f %10.2f %10.2f", row->clusters, series_cpu_us(&row->check) / unit,
           series_user_us(&row->build) / unit, series_kernel_us(&row->build) / unit, series_cpu_us(&row->build) / unit);
    if (row->replay_instructions > 0) {
        printf(" %12.2f", (double)row->build_instructions / (double)row->replay_instructions);
    } else {
        printf(" %12s", "-");
    }
    printf(" %12.2f\n", series_peak_kib(&row->build) * 1024 / row->bytes);
}

static double exponent(double before, double after, double growth) {
    return log(after / before) / log(growth);
}

enum { SCALE_10, SCALE_100, SCALE_1000, SCALE_10000, SCALE_COUNT };

static void bench_scale(const Bench *bench, Arena *arena, ScaleRow *rows) {
    for (int i = 0; i < SCALE_COUNT; i++) {
        write_clusters(arena, text(arena, "n%d.dt", rows[i].clusters), rows[i].clusters);
    }
    for (int round = 0; round < MEASURE_RUNS_MAX; round++) {
        for (int i = 0; i < SCALE_COUNT; i++) {
            if (round < rows[i].rounds) {
                measure_scale_row(bench, arena, &rows[i], round);
            }
        }
    }
    printf("\nN clusters of one group with 32 interfaces: CPU time and instructions / those of a replay of the same\n"
           "events by libyaml into memory (bytes equal), peak memory / bytes written\n"
           "         N      check build user     kernel      build instructions  peak memory\n");
    for (int i = 0; i < SCALE_COUNT; i++) {
        if (bench->has_valgrind && rows[i].is_counted) {
            count_scale_row(bench, arena, &rows[i]);
        }
        print_scale_row(&rows[i]);
    }
}

// ---- within one stack ----------------------------------------------------------------------------------------------

// What makes one stack long. Counted, not timed: the exponent shows a loop in a loop at any size.
typedef struct {
    const char *label;
    const char *before;
    const char *repeated; // once for each number
    const char *after;
} StackRow;

static const StackRow STACK_ROWS[] = {
    { "node groups of one cluster", "dt 1\nnetwork lab { stack = \"lab\" }\ncluster c on batch {\n  network = lab\n",
      "  nodes \"g${i}\" { instance = \"p5.48xlarge\", count = 0..16 }\n", "}\n" },
    { "jobs of one cluster",
      "dt 1\nnetwork lab { stack = \"lab\" }\nimage train { tag = \"latest\" }\n"
      "cluster c on batch {\n  network = lab\n  nodes gpu { instance = \"p5.48xlarge\", count = 0..16 }\n}\n",
      "job \"j${i}\" on c { image = train, command = [\"run\"], nodes = 2 }\n", "" },
    { "images", "dt 1\n", "image \"i${i}\" { tag = \"latest\" }\n", "" },
    { "networks", "dt 1\n", "network \"n${i}\" { zones = [\"us-east-1a\"] }\n", "" },
};

static int64_t count_stack(const Bench *bench, Arena *arena, const StackRow *row, int count) {
    const Str source = str_format(arena, "%sfor i in 1..%d {\n%s}\n%s", row->before, count, row->repeated, row->after);
    write_text(arena, "stack.dt", source);
    const char *const check[] = { bench->dtc, "check", "stack.dt", NULL };
    return measure_instructions(check, NULL, "counted");
}

// Returns the largest exponent, 0 where nothing was counted.
static double bench_stack(const Bench *bench, Arena *arena) {
    enum { FEW = 50, MANY = 400 };
    if (!bench->has_valgrind) {
        return 0;
    }
    printf("\nN blocks, instructions of `dtc check`          N = %d     N = %d  exponent\n", FEW, MANY);
    double worst = 0;
    for (size_t i = 0; i < COUNT_OF(STACK_ROWS); i++) {
        const double few = (double)count_stack(bench, arena, &STACK_ROWS[i], FEW);
        const double many = (double)count_stack(bench, arena, &STACK_ROWS[i], MANY);
        const double growth = exponent(few, many, (double)MANY / FEW);
        printf("  %-40s %9.1f M %9.1f M  %8.2f\n", STACK_ROWS[i].label, few / 1e6, many / 1e6, growth);
        worst = growth > worst ? growth : worst;
    }
    return worst;
}

// ---- all -----------------------------------------------------------------------------------------------------------

static void print_goals(double cold, const ScaleRow *rows, double stack_exponent) {
    printf("\ngoals                                                               at most      is\n");
    print_goal("CPU time of a cold build of batch-gpu-p4d / empty process", COLD_MAX, cold);
    print_goal("CPU time of a build of 1,000 clusters / replay", SCALE_MAX,
               series_cpu_us(&rows[SCALE_1000].build) / series_cpu_us(&rows[SCALE_1000].replay));
    print_goal("exponent of CPU time from 1,000 to 10,000 clusters", EXPONENT_MAX,
               exponent(series_cpu_us(&rows[SCALE_1000].build), series_cpu_us(&rows[SCALE_10000].build), 10));
    double peak = 0;
    for (int i = 0; i < SCALE_COUNT; i++) {
        const double limit = PEAK_FACTOR * rows[i].bytes + PEAK_EXTRA_MIB * 1024 * 1024;
        const double share = series_peak_kib(&rows[i].build) * 1024 / limit;
        peak = share > peak ? share : peak;
    }
    print_goal("peak memory / (6 x bytes written + 8 MiB), at worst", 1, peak);
    if (stack_exponent > 0) {
        print_goal("exponent of instructions from 50 to 400 blocks, at worst", EXPONENT_MAX, stack_exponent);
    }
}

int main(int argc, char **argv) {
    if (argc != 4) {
        die("usage: bench BUILD FOLDER SOURCES");
    }
    Arena *arena = arena_create();
    Bench bench = { .sources = realpath(argv[3], NULL) };
    const char *build = realpath(argv[1], NULL);
    if (bench.sources == NULL || build == NULL || mkdir(argv[2], 0777) != 0 || chdir(argv[2]) != 0) {
        die("`%s` is there already, or `%s` or `%s` is not", argv[2], argv[1], argv[3]);
    }
    snprintf(bench.dtc, sizeof(bench.dtc), "%s/dtc", build);
    snprintf(bench.replay, sizeof(bench.replay), "%s/tests/bench/replay", build);
    snprintf(bench.empty, sizeof(bench.empty), "%s/tests/bench/empty", build);
    setvbuf(stdout, NULL, _IOLBF, 0); // it takes minutes
    bench.has_valgrind = measure_has_program("valgrind", "out");

    double cold;
    const bool is_same = bench_cold(&bench, arena, &cold);
    ScaleRow rows[SCALE_COUNT] = {
        [SCALE_10] = { .clusters = 10, .rounds = 31, .is_counted = true },
        [SCALE_100] = { .clusters = 100, .rounds = 11, .is_counted = true },
        [SCALE_1000] = { .clusters = 1000, .rounds = 9, .is_counted = true },
        [SCALE_10000] = { .clusters = 10000, .rounds = 3 },
    };
    bench_scale(&bench, arena, rows);
    const double stack_exponent = bench_stack(&bench, arena);
    print_goals(cold, rows, stack_exponent);
    return is_same ? 0 : 1;
}
