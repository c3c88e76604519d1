// The rows of `make bench` for `dtc lint`: one large template beside cfn-lint and AWS's own validator, and a thousand
// files beside the largest of them.
#include "tests/bench/bench.h"

#include "compiler/base/die.h"
#include "compiler/base/file.h"
#include "compiler/base/vec.h"

#include <sys/stat.h>
#include <unistd.h>

enum {
    RESOURCES = 500, // as many as a template may have
    CARDS = 4,
    FAST_ROUNDS = 41,
    SLOW_ROUNDS = 3,
    MANY = 1000,
    MANY_ROUNDS = 9,
    TEMPLATE_BYTES_MAX = 1024 * 1024,
};

static const double CFN_LINT_MIN = 200; // CPU time of cfn-lint / dtc lint
static const double VALIDATE_MIN = 50;  // of AWS's validator / dtc lint
static const double SECONDS_MAX = 1;    // of a thousand files, on two processors
static const double PEAK_MAX = 1.5;     // of a thousand files / the largest alone: each processor holds a file

#define LARGE_TEMPLATE "large.yaml"
#define MANY_FOLDER "many"

// ---- what is linted ------------------------------------------------------------------------------------------------

// Five resources that refer to each other, as templates of clusters have them.
static void add_nodes(StrBuf *out, int number) {
    strbuf_add_format(out,
                      "  Group%d:\n    Type: AWS::EC2::SecurityGroup\n    Properties:\n"
                      "      GroupDescription: nodes %d\n      VpcId: !Ref Vpc\n",
                      number, number);
    static const char *const directions[][2] = { { "Ingress", "Source" }, { "Egress", "Destination" } };
    for (size_t i = 0; i < COUNT_OF(directions); i++) {
        strbuf_add_format(out,
                          "  %s%d:\n    Type: AWS::EC2::SecurityGroup%s\n    Properties:\n"
                          "      GroupId: !Ref Group%d\n      IpProtocol: \"-1\"\n"
                          "      %sSecurityGroupId: !Ref Group%d\n",
                          directions[i][0], number, directions[i][0], number, directions[i][1], number);
    }
    strbuf_add_format(out,
                      "  Placement%d:\n    Type: AWS::EC2::PlacementGroup\n    Properties:\n      Strategy: cluster\n"
                      "  Template%d:\n    Type: AWS::EC2::LaunchTemplate\n    Properties:\n      LaunchTemplateData:\n"
                      "        InstanceType: p4d.24xlarge\n        MetadataOptions:\n          HttpTokens: required\n"
                      "        Placement:\n          GroupName: !Ref Placement%d\n        NetworkInterfaces:\n",
                      number, number, number);
    for (int card = 0; card < CARDS; card++) {
        strbuf_add_format(out,
                          "        - NetworkCardIndex: %d\n          DeviceIndex: %d\n          InterfaceType: efa\n"
                          "          Groups:\n          - !Ref Group%d\n          DeleteOnTermination: true\n",
                          card, card == 0 ? 0 : 1, number);
    }
}

static void write_large(Arena *arena) {
    StrBuf out = { .arena = arena };
    strbuf_add(&out, STR("AWSTemplateFormatVersion: \"2010-09-09\"\nParameters:\n  Vpc:\n"
                         "    Type: AWS::EC2::VPC::Id\nResources:\n"));
    for (int i = 0; i < RESOURCES / 5; i++) {
        add_nodes(&out, i);
    }
    bench_write(arena, LARGE_TEMPLATE, strbuf_str(&out));
}

// A folder with the large template and with others of the size that templates have.
static void write_many(Arena *arena) {
    Str usual;
    const char *fault = file_read(arena, STR("cold-0/batch-p4d.cfn.yaml"), TEMPLATE_BYTES_MAX, &usual);
    if (fault != NULL || mkdir(MANY_FOLDER, 0777) != 0 || link(LARGE_TEMPLATE, MANY_FOLDER "/" LARGE_TEMPLATE) != 0) {
        die("cannot write the folder `" MANY_FOLDER "`");
    }
    for (int i = 1; i < MANY; i++) {
        FILE *file = fopen(bench_text(arena, MANY_FOLDER "/%d.yaml", i), "w");
        if (file == NULL || fwrite(usual.data, 1, usual.len, file) != usual.len || fclose(file) != 0) {
            die("cannot write `" MANY_FOLDER "/%d.yaml`", i);
        }
    }
}

// ---- measured ------------------------------------------------------------------------------------------------------

typedef struct {
    const char *label;
    const char *const *argv;
    int rounds;
    bool is_absent; // not on this machine
    bool is_ours;   // must find nothing; the others may object to what they like
    Series series;
} LintRow;

enum { ROW_DTC, ROW_CFN_LINT, ROW_VALIDATE, ROW_MANY, ROW_COUNT };

static void add_run(LintRow *row, const char *output) {
    if (row->is_ours) {
        measure_add(&row->series, row->argv, output);
    } else {
        measure_run(row->argv, output, &row->series.runs[row->series.count++]);
    }
}

static void measure_rows(Arena *arena, LintRow *rows) {
    for (int round = 0; round < FAST_ROUNDS; round++) {
        for (int i = 0; i < ROW_COUNT; i++) {
            if (!rows[i].is_absent && round < rows[i].rounds) {
                add_run(&rows[i], bench_text(arena, "lint-%d.out", i));
            }
        }
    }
}

static void print_rows(const Bench *bench, const LintRow *rows) {
    printf("\n%d resources, one process each             CPU time / dtc lint   peak memory  instructions\n", RESOURCES);
    const double unit = series_cpu_us(&rows[ROW_DTC].series);
    for (int i = 0; i < ROW_COUNT; i++) {
        if (rows[i].is_absent) {
            printf("  %-40s %19s\n", rows[i].label, "absent");
            continue;
        }
        printf("  %-40s %19.2f %10.1f MiB", rows[i].label, series_cpu_us(&rows[i].series) / unit,
               series_peak_kib(&rows[i].series) / 1024);
        bench_print_count(bench->has_valgrind && i == ROW_DTC ? measure_instructions(rows[i].argv, NULL, "counted")
                                                              : 0);
    }
}

static double ratio(const LintRow *row, const LintRow *unit) {
    return row->is_absent ? 0 : series_cpu_us(&row->series) / series_cpu_us(&unit->series);
}

LintCosts bench_lint(const Bench *bench, Arena *arena) {
    write_large(arena);
    write_many(arena);
    const char *script = bench_text(arena, "%s/tests/conformance/cloudformation_validate.js", bench->sources);
    const char *package =
        bench_text(arena, "%s/build/judges/node_modules/@aws/cloudformation-validate", bench->sources);
    const bool has_validate =
        access(bench_text(arena, "%s/index.js", package), R_OK) == 0 && measure_has_program("node", "out");

    const char *dtc[] = { bench->dtc, "lint", LARGE_TEMPLATE, NULL };
    const char *cfn_lint[] = { "cfn-lint", LARGE_TEMPLATE, NULL };
    const char *validate[] = { "node", script, package, LARGE_TEMPLATE, NULL };
    const char *many[] = { bench->dtc, "lint", MANY_FOLDER, NULL };
    LintRow rows[ROW_COUNT] = {
        [ROW_DTC] = { .label = "dtc lint", .argv = dtc, .rounds = FAST_ROUNDS, .is_ours = true },
        [ROW_CFN_LINT] = { .label = "cfn-lint",
                           .argv = cfn_lint,
                           .rounds = SLOW_ROUNDS,
                           .is_absent = !measure_has_program("cfn-lint", "out") },
        [ROW_VALIDATE] = { .label = "cloudformation-validate (WASM)",
                           .argv = validate,
                           .rounds = SLOW_ROUNDS,
                           .is_absent = !has_validate },
        [ROW_MANY] = { .label = "dtc lint of 1,000 files", .argv = many, .rounds = MANY_ROUNDS, .is_ours = true },
    };
    measure_rows(arena, rows);
    print_rows(bench, rows);
    return (LintCosts){
        .cfn_lint = ratio(&rows[ROW_CFN_LINT], &rows[ROW_DTC]),
        .validate = ratio(&rows[ROW_VALIDATE], &rows[ROW_DTC]),
        .many_seconds = series_clock_us(&rows[ROW_MANY].series) / 1e6,
        .many_peak = series_peak_kib(&rows[ROW_MANY].series) / series_peak_kib(&rows[ROW_DTC].series),
    };
}

void bench_print_lint_goals(const LintCosts *costs) {
    if (costs->cfn_lint > 0) {
        bench_print_goal("CPU time of cfn-lint / lint, 500 resources", GOAL_AT_LEAST, CFN_LINT_MIN, costs->cfn_lint);
    }
    if (costs->validate > 0) {
        bench_print_goal("CPU time of cloudformation-validate / lint, 500 resources", GOAL_AT_LEAST, VALIDATE_MIN,
                         costs->validate);
    }
    bench_print_goal("seconds of lint, 1,000 files, two processors", GOAL_AT_MOST, SECONDS_MAX, costs->many_seconds);
    bench_print_goal("peak memory of lint, 1,000 files / the largest alone", GOAL_AT_MOST, PEAK_MAX, costs->many_peak);
}
