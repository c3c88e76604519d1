// What a child process costs: CPU time, time on the clock and peak memory as the kernel counts them, instructions as valgrind does.
#pragma once

#include "compiler/base/str.h"

typedef struct {
    int64_t user_us;
    int64_t kernel_us;
    int64_t clock_us; // from its start to its end
    int64_t peak_kib; // resident
    int status;       // that it ended with; of a signal, 128 and its number
} Cost;

enum { MEASURE_RUNS_MAX = 64 };

// One thing that is measured again and again.
typedef struct {
    Cost runs[MEASURE_RUNS_MAX];
    int count;
} Series;

// Runs `argv` (ends with NULL, found by PATH) with its standard output in the file `output` and its errors in
// `output` with `.err` behind it. False where it did not end with status 0; `*cost` is filled in all the same.
bool measure_run(const char *const *argv, const char *output, Cost *cost);

// As measure_run(), into the series. Ends the program where the child fails.
void measure_add(Series *series, const char *const *argv, const char *output);

// The medians: of user and kernel time together, of each, of the time on the clock, and of the peak.
double series_cpu_us(const Series *series);
double series_user_us(const Series *series);
double series_kernel_us(const Series *series);
double series_clock_us(const Series *series);
double series_peak_kib(const Series *series);

// Whether a program is found by PATH.
bool measure_has_program(const char *name, const char *output);

// Instructions of a process, or of one function and what it calls (`function` may be NULL), by callgrind. 0 where
// valgrind is absent. The child's status does not matter.
int64_t measure_instructions(const char *const *argv, const char *function, const char *output);
