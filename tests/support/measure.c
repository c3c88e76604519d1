// Runs children and asks the kernel what they took. The program itself stays small, since a child's peak memory begins
// with what its parent had.
#include "tests/support/measure.h"

#include "compiler/base/diag/diag.h"
#include "compiler/base/die.h"
#include "compiler/base/file.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ARGUMENTS_MAX = 16, PATH_MAX_LEN = 4096, CALLGRIND_BYTES_MAX = 1024 * 1024 };

static void redirect(const char *path, int number) {
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (file < 0 || dup2(file, number) < 0) {
        _exit(126);
    }
}

static int64_t microseconds(struct timeval time) {
    return (int64_t)time.tv_sec * 1000000 + time.tv_usec;
}

static int64_t now_us(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) {
        die("there is no clock");
    }
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

bool measure_run(const char *const *argv, const char *output, Cost *cost) {
    char errors[PATH_MAX_LEN];
    snprintf(errors, sizeof(errors), "%s.err", output);
    const int64_t start = now_us();
    const pid_t child = fork();
    if (child < 0) {
        die("cannot start `%s`", argv[0]);
    }
    if (child == 0) {
        redirect(output, STDOUT_FILENO);
        redirect(errors, STDERR_FILENO);
        execvp(argv[0], (char *const *)argv);
        _exit(127);
    }
    int status;
    struct rusage usage;
    if (wait4(child, &status, 0, &usage) != child) {
        die("cannot wait for `%s`", argv[0]);
    }
    *cost = (Cost){
        .user_us = microseconds(usage.ru_utime),
        .kernel_us = microseconds(usage.ru_stime),
        .clock_us = now_us() - start,
        .peak_kib = usage.ru_maxrss,
        .status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
    };
    return cost->status == 0;
}

void measure_add(Series *series, const char *const *argv, const char *output) {
    assert(series->count < MEASURE_RUNS_MAX);
    if (!measure_run(argv, output, &series->runs[series->count])) {
        die("`%s` failed; see `%s.err`", argv[0], output);
    }
    series->count++;
}

static int compare_numbers(const void *a, const void *b) {
    const int64_t left = *(const int64_t *)a;
    const int64_t right = *(const int64_t *)b;
    return left < right ? -1 : left > right;
}

static double median(int64_t *numbers, int count) {
    assert(count > 0);
    qsort(numbers, (size_t)count, sizeof(numbers[0]), compare_numbers);
    return count % 2 == 1 ? (double)numbers[count / 2]
                          : ((double)numbers[count / 2 - 1] + (double)numbers[count / 2]) / 2;
}

typedef int64_t CostPart(const Cost *cost);

static double median_of(const Series *series, CostPart *part) {
    int64_t numbers[MEASURE_RUNS_MAX];
    for (int i = 0; i < series->count; i++) {
        numbers[i] = part(&series->runs[i]);
    }
    return median(numbers, series->count);
}

static int64_t cpu_us(const Cost *cost) {
    return cost->user_us + cost->kernel_us;
}

static int64_t user_us(const Cost *cost) {
    return cost->user_us;
}

static int64_t kernel_us(const Cost *cost) {
    return cost->kernel_us;
}

static int64_t clock_us(const Cost *cost) {
    return cost->clock_us;
}

static int64_t peak_kib(const Cost *cost) {
    return cost->peak_kib;
}

double series_cpu_us(const Series *series) {
    return median_of(series, cpu_us);
}

double series_user_us(const Series *series) {
    return median_of(series, user_us);
}

double series_kernel_us(const Series *series) {
    return median_of(series, kernel_us);
}

double series_clock_us(const Series *series) {
    return median_of(series, clock_us);
}

double series_peak_kib(const Series *series) {
    return median_of(series, peak_kib);
}

bool measure_has_program(const char *name, const char *output) {
    const char *const argv[] = { name, "--version", NULL };
    Cost cost;
    return measure_run(argv, output, &cost);
}

int64_t measure_instructions(const char *const *argv, const char *function, const char *output) {
    char toggle[PATH_MAX_LEN];
    snprintf(toggle, sizeof(toggle), "--toggle-collect=%s", function == NULL ? "" : function);
    const char *whole[ARGUMENTS_MAX + 4] = { "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null" };
    int count = 3;
    if (function != NULL) {
        whole[count++] = toggle;
    }
    for (int i = 0; argv[i] != NULL && i < ARGUMENTS_MAX; i++) {
        whole[count++] = argv[i];
    }
    Cost cost;
    measure_run(whole, output, &cost);

    Arena *arena = arena_create();
    Str text;
    int64_t instructions = 0;
    if (file_read(arena, str_format(arena, "%s.err", output), CALLGRIND_BYTES_MAX, &text) == NULL) {
        const Str label = STR("Collected : ");
        const size_t at = str_find(text, label, 0);
        instructions = at == text.len ? 0 : strtoll(str_c(arena, str_slice(text, at + label.len, text.len)), NULL, 10);
    }
    arena_destroy(arena);
    return instructions;
}
