// `make bench`: what dtc costs beside other programs, in one run. Each program runs once a round, so that other load of
// the machine affects all of them alike. Ratios are printed, since microseconds would say more of the machine than of
// dtc; but for the second that a thousand files may take. `bench BUILD FOLDER SOURCES [MEMORY]` works in FOLDER, which it makes. SOURCES is the root of the tree. MEMORY
// is a folder on a file system that waits for no disk. A goal that is missed is printed and no failure; a wrong
// document is one.
#include "tests/bench/bench.h"

#include "compiler/base/diag/diag.h"
#include "compiler/base/die.h"
#include "compiler/base/file.h"
#include "compiler/base/file_set.h"
#include "tests/support/remove_tree.h"

#include <jansson.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    FILE_BYTES_MAX = 16 * 1024 * 1024,
    COLD_ROUNDS = 41,
    SLOW_ROUNDS = 3, // of a program that takes a thousand times as long
};

// The goals.
static const double CHECK_MAX = 1.5;    // check of batch-gpu-p4d / empty dynamically linked process
static const double MEMORY_MAX = 1.8;   // build of batch-gpu-p4d into memory / empty process
static const double SCALE_MAX = 0.9;    // build of 1,000 clusters / replay of their events
static const double EXPONENT_MAX = 1.1; // of any growth
static const double PEAK_MAX = 2;       // peak memory / bytes written, where many are

// Paths and commands, in an arena of the process; the little there is stays.
const char *bench_text(Arena *arena, const char *format, ...) {
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

void bench_write(Arena *arena, const char *name, Str content) {
    FileSet *files = files_open(arena, STR("."));
    const char *fault = file_stage(files, str_of(name), content);
    fault = fault == NULL ? files_commit(files) : fault;
    if (fault != NULL) {
        die("cannot write `%s`: %s", name, fault);
    }
}

void bench_print_goal(const char *goal, GoalKind kind, double limit, double measured) {
    const bool is_met = kind == GOAL_AT_MOST ? measured <= limit : measured >= limit;
    printf("  %-66s %s %6.2f  %6.2f  %s\n", goal, kind == GOAL_AT_MOST ? "<=" : ">=", limit, measured,
           is_met ? "met" : "missed");
}

void bench_print_count(int64_t instructions) {
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

// The other programs read what nodes run from files, as people keep it. The file for m4 has the indentation of its
// place.
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
    bench_write(arena, "user-data", str_of(user_data));
    bench_write(arena, "user-data.indented", strbuf_str(&indented));
    json_decref(document);
}

enum { ROW_EMPTY, ROW_CHECK, ROW_MEMORY, ROW_BUILD, ROW_M4, ROW_JSONNET, ROW_LINT, ROW_COUNT };

static void measure_cold_rows(const Bench *bench, Arena *arena, ColdRow *rows, const char **build,
                              const char **memory) {
    for (int round = 0; round < COLD_ROUNDS; round++) {
        // A folder that is not there yet: a second build would find its files and write none.
        build[4] = bench_text(arena, "cold-%d", round);
        memory[4] = rows[ROW_MEMORY].is_absent ? NULL : bench_text(arena, "%s/cold-%d", bench->memory, round);
        for (int i = 0; i < ROW_COUNT; i++) {
            if (!rows[i].is_absent && round < (rows[i].is_slow ? SLOW_ROUNDS : COLD_ROUNDS)) {
                measure_add(&rows[i].series, rows[i].argv, bench_text(arena, "cold-%d.out", i));
            }
        }
    }
}

static bool cold_rows_agree(Arena *arena, const ColdRow *rows) {
    const bool is_m4 = rows[ROW_M4].is_absent ||
                       same_bytes(arena, bench_text(arena, "cold-%d.out", ROW_M4), "cold-0/batch-p4d.cfn.yaml");
    const bool is_jsonnet = rows[ROW_JSONNET].is_absent ||
                            same_json(bench_text(arena, "cold-%d.out", ROW_JSONNET), "json/batch-p4d.cfn.json");
    if (!is_m4 || !is_jsonnet) {
        printf("  tests/bench/batch-gpu-p4d.%s makes another document than dtc\n", is_m4 ? "jsonnet" : "m4");
    }
    return is_m4 && is_jsonnet;
}

static void print_cold_rows(const Bench *bench, const ColdRow *rows) {
    printf("batch-gpu-p4d, one process each            CPU time / empty  instructions\n");
    const double unit = series_cpu_us(&rows[ROW_EMPTY].series);
    for (int i = 0; i < ROW_COUNT; i++) {
        if (rows[i].is_absent) {
            printf("  %-40s %16s\n", rows[i].label, "absent");
            continue;
        }
        printf("  %-40s %16.2f", rows[i].label, series_cpu_us(&rows[i].series) / unit);
        const bool is_counted = bench->has_valgrind && !rows[i].is_slow;
        bench_print_count(is_counted ? measure_instructions(rows[i].argv, NULL, "counted") : 0);
    }
}

// What a process takes beside an empty one; 0: not measured.
typedef struct {
    double check;
    double memory; // a build into memory
} Cold;

// Returns whether all of them made the same document.
static bool bench_cold(const Bench *bench, Arena *arena, Cold *cold) {
    const char *infra = bench_text(arena, "%s/fixtures/reference/batch-gpu-p4d/infra.dt", bench->sources);
    bench_write(arena, "infra.dt", read_text(arena, infra));
    const char *m4_source = bench_text(arena, "%s/tests/bench/batch-gpu-p4d.m4", bench->sources);
    const char *jsonnet_source = bench_text(arena, "%s/tests/bench/batch-gpu-p4d.jsonnet", bench->sources);

    const char *empty[] = { bench->empty, NULL };
    const char *check[] = { bench->dtc, "check", "infra.dt", NULL };
    const char *build[] = { bench->dtc, "build", "infra.dt", "-o", "json", "--format", "json", NULL };
    const char *memory[] = { bench->dtc, "build", "infra.dt", "-o", NULL, NULL };
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
        [ROW_MEMORY] = { .label = "dtc build on tmpfs", .argv = memory, .is_absent = bench->memory == NULL },
        [ROW_BUILD] = { .label = "dtc build where the tree is", .argv = build },
        [ROW_M4] = { .label = "m4, the same bytes", .argv = m4, .is_absent = !measure_has_program("m4", "out") },
        [ROW_JSONNET] = { .label = "jsonnet, the same document as JSON",
                          .argv = jsonnet,
                          .is_absent = !measure_has_program("jsonnet", "out") },
        [ROW_LINT] = { .label = "cfn-lint of the template",
                       .argv = lint,
                       .is_slow = true,
                       .is_absent = !measure_has_program("cfn-lint", "out") },
    };
    measure_cold_rows(bench, arena, rows, build, memory);

    build[4] = "cold-counted";
    memory[4] = rows[ROW_MEMORY].is_absent ? NULL : bench_text(arena, "%s/cold-counted", bench->memory);
    print_cold_rows(bench, rows);
    const double unit = series_cpu_us(&rows[ROW_EMPTY].series);
    cold->check = series_cpu_us(&rows[ROW_CHECK].series) / unit;
    cold->memory = rows[ROW_MEMORY].is_absent ? 0 : series_cpu_us(&rows[ROW_MEMORY].series) / unit;
    return cold_rows_agree(arena, rows);
}

// ---- many clusters -------------------------------------------------------------------------------------------------

typedef struct {
    int clusters;
    int rounds;
    bool is_counted; // by callgrind, too
    Series check;
    Series build;  // into memory, where there is such a folder: what a disk costs varies with what was written before
    Series disk;   // where the tree is
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
    bench_write(arena, name, source);
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
        const char *path =
            i == 0 ? bench_text(arena, "%s/plan.json", folder) : bench_text(arena, "%s/c%d.cfn.yaml", folder, i);
        if (stat(path, &status) != 0) {
            die("dtc did not write `%s`", path);
        }
        sum += (double)status.st_size;
    }
    return sum;
}

// Each build makes a folder of its own: over an old one it would read that, and find that all is there.
static void measure_scale_row(const Bench *bench, Arena *arena, ScaleRow *row, int round) {
    const char *source = bench_text(arena, "n%d.dt", row->clusters);
    const char *folder = bench_text(arena, "n%d-%d", row->clusters, round);
    const char *memory = bench->memory == NULL ? NULL : bench_text(arena, "%s/many", bench->memory);
    const char *output = bench_text(arena, "n%d.out", row->clusters);
    const char *const check[] = { bench->dtc, "check", source, NULL };
    const char *const disk[] = { bench->dtc, "build", source, "-o", folder, NULL };
    const char *const build[] = { bench->dtc, "build", source, "-o", memory, NULL };
    const char *const replay[] = { bench->replay, folder, "5", NULL };
    measure_add(&row->check, check, output);
    measure_add(&row->disk, disk, output);
    if (memory != NULL) {
        measure_add(&row->build, build, output);
        remove_tree(memory);
    } else {
        row->build = row->disk;
    }
    measure_add(&row->replay, replay, output); // fails where libyaml writes other bytes
    row->replay.runs[row->replay.count - 1] = replay_cost(arena, output);
    if (round == 0) {
        row->bytes = folder_bytes(arena, folder, row->clusters);
    }
}

static void count_scale_row(const Bench *bench, Arena *arena, ScaleRow *row) {
    const char *const build[] = { bench->dtc, "build",         bench_text(arena, "n%d.dt", row->clusters),
                                  "-o",       "counted-files", NULL };
    const char *const replay[] = { bench->replay, bench_text(arena, "n%d-0", row->clusters), NULL };
    row->build_instructions = measure_instructions(build, NULL, "counted");
    row->replay_instructions = measure_instructions(replay, "replay_events", "counted");
}

// Peak memory / bytes that a build writes.
static double peak_share(const ScaleRow *row, const Series *series) {
    return series_peak_kib(series) * 1024 / row->bytes;
}

static void print_scale_row(const ScaleRow *row) {
    const double unit = series_cpu_us(&row->replay);
    printf("  %8d %10.2f %10.2f %10.2f %10.2f %10.2f", row->clusters, series_cpu_us(&row->check) / unit,
           series_user_us(&row->build) / unit, series_kernel_us(&row->build) / unit, series_cpu_us(&row->build) / unit,
           series_cpu_us(&row->disk) / unit);
    if (row->replay_instructions > 0) {
        printf(" %12.2f", (double)row->build_instructions / (double)row->replay_instructions);
    } else {
        printf(" %12s", "-");
    }
    printf(" %8.2f %8.2f\n", peak_share(row, &row->check), peak_share(row, &row->build));
}

static double exponent(double before, double after, double growth) {
    return log(after / before) / log(growth);
}

// The last are about as many as a build takes; from SCALE_190 to there they grow tenfold.
enum { SCALE_10, SCALE_190, SCALE_1000, SCALE_1900, SCALE_COUNT };

static void bench_scale(const Bench *bench, Arena *arena, ScaleRow *rows) {
    for (int i = 0; i < SCALE_COUNT; i++) {
        write_clusters(arena, bench_text(arena, "n%d.dt", rows[i].clusters), rows[i].clusters);
    }
    for (int round = 0; round < MEASURE_RUNS_MAX; round++) {
        for (int i = 0; i < SCALE_COUNT; i++) {
            if (round < rows[i].rounds) {
                measure_scale_row(bench, arena, &rows[i], round);
            }
        }
    }
    printf("\nN clusters of one group with 32 interfaces: CPU time and instructions / those of a replay of the same\n"
           "events by libyaml into memory (bytes equal), peak memory / bytes written. The build is %s\n"
           "         N      check build user     kernel      build    on disk instructions  peak of check, build\n",
           bench->memory == NULL ? "where the tree is" : "on tmpfs");
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
    bool is_written; // out, instead of a loop
} StackRow;

static const StackRow STACK_ROWS[] = {
    { .label = "node groups of one cluster",
      .before = "dt 1\nnetwork lab { stack = \"lab\" }\ncluster c on batch {\n  network = lab\n",
      .repeated = "  nodes \"g${i}\" { instance = \"p5.48xlarge\", count = 0..16 }\n",
      .after = "}\n" },
    { .label = "jobs of one cluster",
      .before = "dt 1\nnetwork lab { stack = \"lab\" }\nimage train { tag = \"latest\" }\n"
                "cluster c on batch {\n  network = lab\n  nodes gpu { instance = \"p5.48xlarge\", count = 0..16 }\n}\n",
      .repeated = "job \"j${i}\" on c { image = train, command = [\"run\"], nodes = 2 }\n" },
    { .label = "images", .before = "dt 1\n", .repeated = "image \"i${i}\" { tag = \"latest\" }\n" },
    { .label = "networks", .before = "dt 1\n", .repeated = "network \"n${i}\" { zones = [\"us-east-1a\"] }\n" },
    { .label = "unknown names, written out",
      .before = "dt 1\nlet lab = 1\nlet a = [\n",
      .repeated = "  lap,\n",
      .after = "]\n",
      .is_written = true },
    { .label = "unknown attributes, written out",
      .before = "dt 1\nnetwork lab {\n  stack = \"lab\"\n",
      .repeated = "  stark = 1\n",
      .after = "}\n",
      .is_written = true },
    { .label = "values of another type, written out",
      .before = "dt 1\nparam a : list(int) = [\n",
      .repeated = "  true,\n",
      .after = "]\n",
      .is_written = true },
};

static Str stack_source(Arena *arena, const StackRow *row, int count) {
    StrBuf source = { .arena = arena };
    strbuf_add(&source, str_of(row->before));
    if (!row->is_written) {
        strbuf_add_format(&source, "for i in 1..%d {\n%s}\n", count, row->repeated);
    }
    for (int i = 0; row->is_written && i < count; i++) {
        strbuf_add(&source, str_of(row->repeated));
    }
    strbuf_add(&source, row->after == NULL ? STR_NONE : str_of(row->after));
    return strbuf_str(&source);
}

static int64_t count_stack(const Bench *bench, Arena *arena, const StackRow *row, int count) {
    bench_write(arena, "stack.dt", stack_source(arena, row, count));
    const char *const check[] = { bench->dtc, "check", "stack.dt", NULL };
    return measure_instructions(check, NULL, "counted");
}

// A program that starts costs the same for any N: that is taken off. Returns the largest exponent, 0 where nothing was
// counted.
static double bench_stack(const Bench *bench, Arena *arena) {
    enum { FEW = 50, MANY = 400 };
    if (!bench->has_valgrind) {
        return 0;
    }
    printf("\nN blocks, instructions of `dtc check`          N = %d     N = %d  exponent\n", FEW, MANY);
    double worst = 0;
    for (size_t i = 0; i < COUNT_OF(STACK_ROWS); i++) {
        const double none = (double)count_stack(bench, arena, &STACK_ROWS[i], 1);
        const double few = (double)count_stack(bench, arena, &STACK_ROWS[i], FEW + 1) - none;
        const double many = (double)count_stack(bench, arena, &STACK_ROWS[i], MANY + 1) - none;
        const double growth = exponent(few, many, (double)MANY / FEW);
        printf("  %-40s %9.1f M %9.1f M  %8.2f\n", STACK_ROWS[i].label, few / 1e6, many / 1e6, growth);
        worst = growth > worst ? growth : worst;
    }
    return worst;
}

// ---- all -----------------------------------------------------------------------------------------------------------

static void print_goals(const Cold *cold, const ScaleRow *rows, double stack_exponent) {
    const ScaleRow *few = &rows[SCALE_190];
    const ScaleRow *thousand = &rows[SCALE_1000];
    const ScaleRow *many = &rows[SCALE_1900];
    printf("\ngoals                                                                    goal      is\n");
    bench_print_goal("CPU time of a cold check of batch-gpu-p4d / empty process", GOAL_AT_MOST, CHECK_MAX, cold->check);
    if (cold->memory > 0) {
        bench_print_goal("CPU time of a cold build on tmpfs / empty process", GOAL_AT_MOST, MEMORY_MAX, cold->memory);
    }
    bench_print_goal("CPU time of a build of 1,000 clusters on tmpfs / replay", GOAL_AT_MOST, SCALE_MAX,
                     series_cpu_us(&thousand->build) / series_cpu_us(&thousand->replay));
    bench_print_goal(
        "exponent of CPU time from 190 to 1,900 clusters", GOAL_AT_MOST, EXPONENT_MAX,
        exponent(series_cpu_us(&few->build), series_cpu_us(&many->build), many->clusters / (double)few->clusters));
    bench_print_goal("peak memory of check / bytes written, 1,900 clusters", GOAL_AT_MOST, PEAK_MAX,
                     peak_share(many, &many->check));
    bench_print_goal("peak memory of build / bytes written, 1,900 clusters", GOAL_AT_MOST, PEAK_MAX,
                     peak_share(many, &many->build));
    if (stack_exponent > 0) {
        bench_print_goal("exponent of instructions from 50 to 400 blocks or mistakes", GOAL_AT_MOST, EXPONENT_MAX,
                         stack_exponent);
    }
}

int main(int argc, char **argv) {
    if (argc != 4 && argc != 5) {
        die("usage: bench BUILD FOLDER SOURCES [MEMORY]");
    }
    Arena *arena = arena_create();
    Bench bench = { .sources = realpath(argv[3], NULL), .memory = argv[4] };
    const char *build = realpath(argv[1], NULL);
    if (bench.sources == NULL || build == NULL || mkdir(argv[2], 0777) != 0 || chdir(argv[2]) != 0) {
        die("`%s` is there already, or `%s` or `%s` is not", argv[2], argv[1], argv[3]);
    }
    snprintf(bench.dtc, sizeof(bench.dtc), "%s/dtc", build);
    snprintf(bench.replay, sizeof(bench.replay), "%s/tests/bench/replay", build);
    snprintf(bench.empty, sizeof(bench.empty), "%s/tests/bench/empty", build);
    setvbuf(stdout, NULL, _IOLBF, 0); // it takes minutes
    bench.has_valgrind = measure_has_program("valgrind", "out");

    Cold cold;
    const bool is_same = bench_cold(&bench, arena, &cold);
    ScaleRow rows[SCALE_COUNT] = {
        [SCALE_10] = { .clusters = 10, .rounds = 31, .is_counted = true },
        [SCALE_190] = { .clusters = 190, .rounds = 11, .is_counted = true },
        [SCALE_1000] = { .clusters = 1000, .rounds = 9, .is_counted = true },
        [SCALE_1900] = { .clusters = 1900, .rounds = 5 },
    };
    bench_scale(&bench, arena, rows);
    const double stack_exponent = bench_stack(&bench, arena);
    const LintCosts lint = bench_lint(&bench, arena);
    print_goals(&cold, rows, stack_exponent);
    bench_print_lint_goals(&lint);
    return is_same ? 0 : 1;
}
