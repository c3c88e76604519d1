// Reads what nccl-tests and nccom-test say about a collective between accelerators. Other text around it does not
// matter.
#pragma once

#include "stdlib/node/collective/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum Tool { TOOL_UNKNOWN, TOOL_NCCL_TESTS, TOOL_NCCOM_TEST } Tool;

enum { FAILURE_BYTES = 160, COLLECTIVE_BYTES = 48, BENCHMARK_BYTES_MAX = 64 << 20, BENCHMARK_SIZES_MAX = 128 };

typedef struct Benchmark {
    uint64_t size_least; // sizes below are not of interest for the peak; set by the caller
    uint64_t size_most;  // nor are those above, where this is not 0; set by the caller
    Tool tool;
    uint64_t rows;
    uint64_t torn_rows; // with fewer columns than their header has, or numbers that are none
    double wrong;       // values, over all rows
    uint64_t unchecked_rows;
    uint64_t peak_size;                  // 0: no row of the size asked for
    double peak_gbs;                     // GB/s, of 10^9 bytes for both tools
    double peak_factor;                  // bus bandwidth by that of the algorithm, at the peak; 0: unknown
    uint64_t largest_size;               // of all rows
    uint64_t sizes[BENCHMARK_SIZES_MAX]; // of all rows, each once; more than there is room for are left out
    uint32_t size_count;
    char collective[COLLECTIVE_BYTES]; // the program's name; empty: nothing says it
    uint32_t nodes, ranks;             // 0: nothing says it
    const char *mixed;                 // why these are not of the whole output; NULL: they are
    uint64_t tables, footers;
    uint64_t started, concluded; // of what newer nccl-tests say
    bool has_libfabric, has_socket;
    bool is_malformed;           // JSON that is none, or ends early
    char failure[FAILURE_BYTES]; // the first line that reports one
} Benchmark;

// Reads a whole output into `benchmark`, of which only `size_least` and `size_most` are set; JSON where it begins with
// `{` or `[`.
void benchmark_read(const char *text, size_t len, Benchmark *benchmark);

// Whether there is a row with messages of the size.
bool benchmark_has_size(const Benchmark *benchmark, uint64_t size);

typedef enum BenchmarkNet {
    BENCHMARK_NET_EFA,    // a line has to say that libfabric is used
    BENCHMARK_NET_PINNED, // NCCL_NET was set: NCCL itself would have failed
    BENCHMARK_NET_ANY,    // one node
} BenchmarkNet;

typedef struct BenchmarkWanted {
    double floor_gbs; // 0: there is no measurement to hold it against
    int status;       // what the benchmark exited with
    uint32_t nodes;   // that it was to run on together; 0: nobody says it
    BenchmarkNet net;
} BenchmarkWanted;

// Appends checks and sums of a verdict, with the brace that ends it. False where it fails.
bool benchmark_judge(const Benchmark *benchmark, const BenchmarkWanted *wanted, Text *text);

// ---- for the two readers

typedef struct BenchmarkResult {
    uint64_t size;
    double algorithm, bus; // bandwidths as the tool gives them; 0: it does not
    double wrong;          // values
} BenchmarkResult;

void benchmark_add(Benchmark *benchmark, const BenchmarkResult *result);

// One row is over, which may have had several results.
void benchmark_end_row(Benchmark *benchmark, bool is_checked);

void benchmark_fail(Benchmark *benchmark, const char *text, size_t len);

// The program that measures, by its name or its path.
void benchmark_note_program(Benchmark *benchmark, const char *path, size_t len);

// What a line, or an environment variable that was recorded, says about the network.
void benchmark_note_net(Benchmark *benchmark, const char *text, size_t len);

void benchmark_read_text(const char *text, size_t len, Benchmark *benchmark);
void benchmark_read_json(const char *text, size_t len, Benchmark *benchmark);

// Whether `text` holds `word`.
bool benchmark_holds(const char *text, size_t len, const char *word);
