// What the parts of `make bench` share.
#pragma once

#include "tests/support/measure.h"

#include "compiler/base/str.h"

enum { BENCH_PATH_MAX = 4096 };

typedef struct {
    char dtc[BENCH_PATH_MAX];
    char replay[BENCH_PATH_MAX];
    char empty[BENCH_PATH_MAX];
    const char *sources;
    const char *memory; // NULL: no such folder
    bool has_valgrind;
} Bench;

typedef enum { GOAL_AT_MOST, GOAL_AT_LEAST } GoalKind;

// Paths and commands, in an arena of the process; the little there is stays.
const char *bench_text(Arena *arena, const char *format, ...) PRINTF_LIKE(2, 3);

void bench_write(Arena *arena, const char *name, Str content);
void bench_print_count(int64_t instructions); // 0: they were not counted
void bench_print_goal(const char *goal, GoalKind kind, double limit, double measured);

// ---- lint.c

// 0: not measured.
typedef struct {
    double cfn_lint;     // CPU time of cfn-lint / that of `dtc lint`
    double validate;     // of AWS's validator likewise
    double many_seconds; // CPU time of a thousand files
    double many_peak;    // peak memory of them / that of the largest alone
} LintCosts;

// Needs `cold-0/batch-p4d.cfn.yaml` in the working directory.
LintCosts bench_lint(const Bench *bench, Arena *arena);
void bench_print_lint_goals(const LintCosts *costs);
