// Holds a benchmark's results against what was asked for. Each rule is here because a public script got it wrong: an
// average over a sweep of sizes instead of a peak, a truncated log that still had good rows, values that nobody
// checked counted as right, a fall-back to sockets that only looked slow.
#include "stdlib/node/collective/benchmark.h"

#include "stdlib/node/contract.h"

#include <string.h>

// nccom-test's "GB" has 2^30 bytes: it prints 40.69 for 33554432 bytes in 768 microseconds.
static const double GIB_IN_GB = 1.073741824;

bool benchmark_holds(const char *text, size_t len, const char *word) {
    return memmem(text, len, word, strlen(word)) != NULL;
}

void benchmark_fail(Benchmark *benchmark, const char *text, size_t len) {
    if (benchmark->failure[0] == '\0') {
        while (len > 0 && *text == ' ') {
            text++;
            len--;
        }
        const int shown = len < FAILURE_BYTES ? (int)len : FAILURE_BYTES - 1;
        text_into(benchmark->failure, sizeof benchmark->failure, "%.*s", shown, text);
    }
}

void benchmark_note_net(Benchmark *benchmark, const char *text, size_t len) {
    static const char *const LIBFABRIC[] = { "Using network AWS Libfabric", "Using network Libfabric",
                                             "NET/AWS Libfabric",           "NET/Libfabric",
                                             "Selected provider is efa",    "Selected Provider is efa",
                                             "NCCL_NET=AWS Libfabric",      "NCCL_NET=Libfabric" };
    static const char *const SOCKETS[] = { "Using network Socket", "NET/Socket/", "NCCL_NET=Socket" };
    for (size_t i = 0; i < sizeof LIBFABRIC / sizeof LIBFABRIC[0]; i++) {
        benchmark->has_libfabric |= benchmark_holds(text, len, LIBFABRIC[i]);
    }
    for (size_t i = 0; i < sizeof SOCKETS / sizeof SOCKETS[0]; i++) {
        benchmark->has_socket |= benchmark_holds(text, len, SOCKETS[i]);
    }
}

void benchmark_note_program(Benchmark *benchmark, const char *path, size_t len) {
    char name[COLLECTIVE_BYTES];
    const char *slash = memrchr(path, '/', len);
    const size_t skipped = slash == NULL ? 0 : (size_t)(slash + 1 - path);
    const int shown = len - skipped < sizeof name ? (int)(len - skipped) : (int)sizeof name - 1;
    text_into(name, sizeof name, "%.*s", shown, path + skipped);
    if (benchmark->collective[0] != '\0' && strcmp(benchmark->collective, name) != 0) {
        benchmark->mixed = "it is of several collectives";
    }
    memcpy(benchmark->collective, name, sizeof name);
}

bool benchmark_has_size(const Benchmark *benchmark, uint64_t size) {
    for (uint32_t i = 0; i < benchmark->size_count; i++) {
        if (benchmark->sizes[i] == size) {
            return true;
        }
    }
    return false;
}

void benchmark_add(Benchmark *benchmark, const BenchmarkResult *result) {
    const double gbs = benchmark->tool == TOOL_NCCOM_TEST ? result->bus * GIB_IN_GB : result->bus;
    const uint64_t size = result->size;
    benchmark->wrong += result->wrong > 0 ? result->wrong : 0;
    if (size > benchmark->largest_size) {
        benchmark->largest_size = size;
    }
    if (benchmark->size_count < BENCHMARK_SIZES_MAX && !benchmark_has_size(benchmark, size)) {
        benchmark->sizes[benchmark->size_count++] = size;
    }
    const bool is_asked_for =
        size >= benchmark->size_least && (benchmark->size_most == 0 || size <= benchmark->size_most);
    if (is_asked_for && size > 0 && (benchmark->peak_size == 0 || gbs > benchmark->peak_gbs)) {
        benchmark->peak_size = size;
        benchmark->peak_gbs = gbs;
        benchmark->peak_factor = result->algorithm > 0 ? result->bus / result->algorithm : 0;
    }
}

void benchmark_end_row(Benchmark *benchmark, bool is_checked) {
    benchmark->rows++;
    benchmark->unchecked_rows += !is_checked;
}

void benchmark_read(const char *text, size_t len, Benchmark *benchmark) {
    size_t begin = 0;
    while (begin < len && strchr(" \t\r\n", text[begin]) != NULL && text[begin] != '\0') {
        begin++;
    }
    // A text may begin with `[` too: mpirun puts `[1,0]<stdout>:` before each line.
    const bool is_tagged = begin + 1 < len && text[begin] == '[' && text[begin + 1] >= '0' && text[begin + 1] <= '9';
    if (begin < len && (text[begin] == '{' || text[begin] == '[') && !is_tagged) {
        benchmark_read_json(text, len, benchmark);
    } else {
        benchmark_read_text(text, len, benchmark);
    }
}

// ---- the judgement

typedef struct Tally {
    Text *text;
    unsigned fails, warns;
    bool has_one;
} Tally;

static void check(Tally *tally, const char *id, const char *result, const char *want, const char *got) {
    tally->fails += strcmp(result, NODE_FAIL) == 0;
    tally->warns += strcmp(result, NODE_WARN) == 0;
    text_put(tally->text, "%s{\"id\":\"%s\",\"s\":\"%s\",\"want\":", tally->has_one ? "," : "", id, result);
    text_put_quoted(tally->text, want);
    text_put(tally->text, ",\"got\":");
    text_put_quoted(tally->text, got);
    text_put(tally->text, ",\"at\":\"\"}");
    tally->has_one = true;
}

static bool is_ended(const Benchmark *benchmark) {
    return benchmark->tables > 0 && benchmark->footers == benchmark->tables &&
           benchmark->concluded >= benchmark->started && !benchmark->is_malformed;
}

static void check_form(const Benchmark *benchmark, const BenchmarkWanted *wanted, Tally *tally) {
    char got[FAILURE_BYTES];
    text_into(got, sizeof got, "%llu rows, %llu torn", (unsigned long long)benchmark->rows,
              (unsigned long long)benchmark->torn_rows);
    const bool is_whole = benchmark->tool != TOOL_UNKNOWN && benchmark->rows > 0 && benchmark->torn_rows == 0;
    check(tally, "bench.rows", is_whole ? NODE_PASS : NODE_FAIL, "rows as their header says", got);
    check(tally, "bench.footer", is_ended(benchmark) ? NODE_PASS : NODE_FAIL, "an end to each table",
          is_ended(benchmark) ? "ended" : "cut off");
    if (benchmark->failure[0] != '\0' || wanted->status != 0) {
        char failure[2 * FAILURE_BYTES];
        text_into(failure, sizeof failure, "status %d %s", wanted->status, benchmark->failure);
        check(tally, "bench.status", NODE_FAIL, "no failure", failure);
    } else {
        check(tally, "bench.status", NODE_PASS, "no failure", "none");
    }
}

static void check_values(const Benchmark *benchmark, Tally *tally) {
    char got[FAILURE_BYTES];
    if (benchmark->wrong > 0) {
        text_into(got, sizeof got, "%.0f wrong values", benchmark->wrong);
        check(tally, "bench.wrong", NODE_FAIL, "0 wrong values", got);
    } else if (benchmark->unchecked_rows > 0 || benchmark->rows == 0) {
        text_into(got, sizeof got, "unchecked: %llu of %llu rows", (unsigned long long)benchmark->unchecked_rows,
                  (unsigned long long)benchmark->rows);
        check(tally, "bench.wrong", NODE_WARN, "0 wrong values", got);
    } else {
        check(tally, "bench.wrong", NODE_PASS, "0 wrong values", "0");
    }
}

// Programs that were built without MPI run on each node alone, where they reach more than any network carries. Pods of
// one node may have host names of their own.
static void check_nodes(const Benchmark *benchmark, const BenchmarkWanted *wanted, Tally *tally) {
    char want[FAILURE_BYTES];
    char got[FAILURE_BYTES];
    if (wanted->nodes == 0 || benchmark->nodes == 0) {
        return;
    }
    text_into(want, sizeof want, "at least %u", wanted->nodes);
    text_into(got, sizeof got, "%u", benchmark->nodes);
    check(tally, "bench.nodes", benchmark->nodes >= wanted->nodes ? NODE_PASS : NODE_FAIL, want, got);
}

static void check_net(const Benchmark *benchmark, const BenchmarkWanted *wanted, Tally *tally) {
    static const char WANT[] = "libfabric";
    if (benchmark->has_socket && wanted->net != BENCHMARK_NET_ANY) {
        check(tally, "bench.net", NODE_FAIL, WANT, "sockets");
    } else if (benchmark->tool == TOOL_NCCOM_TEST || wanted->net == BENCHMARK_NET_ANY) {
        check(tally, "bench.net", NODE_SKIP, WANT, "");
    } else if (benchmark->has_libfabric || wanted->net == BENCHMARK_NET_PINNED) {
        check(tally, "bench.net", NODE_PASS, WANT, benchmark->has_libfabric ? WANT : "pinned");
    } else {
        check(tally, "bench.net", NODE_FAIL, WANT, "nothing says which network: set NCCL_DEBUG=INFO, or pin NCCL_NET");
    }
}

static void check_floor(const Benchmark *benchmark, const BenchmarkWanted *wanted, Tally *tally) {
    char want[FAILURE_BYTES];
    char got[FAILURE_BYTES];
    text_into(want, sizeof want, "%.2f GB/s at %llu bytes%s", wanted->floor_gbs,
              (unsigned long long)benchmark->size_least, benchmark->size_most == 0 ? " or more" : "");
    if (benchmark->peak_size == 0) {
        check(tally, "bench.floor", NODE_FAIL, want, "no row of this size");
        return;
    }
    text_into(got, sizeof got, "%.2f GB/s at %llu bytes", benchmark->peak_gbs,
              (unsigned long long)benchmark->peak_size);
    if (wanted->floor_gbs > 0) {
        // Told so that what is no number fails too.
        const bool is_reached = benchmark->peak_gbs >= wanted->floor_gbs;
        check(tally, "bench.floor", is_reached ? NODE_PASS : NODE_FAIL, want, got);
    } else {
        check(tally, "bench.floor", NODE_SKIP, "unfloored", got);
    }
}

bool benchmark_judge(const Benchmark *benchmark, const BenchmarkWanted *wanted, Text *text) {
    static const char *const TOOLS[] = {
        [TOOL_UNKNOWN] = "unknown", [TOOL_NCCL_TESTS] = "nccl-tests", [TOOL_NCCOM_TEST] = "nccom-test"
    };
    Tally tally = { .text = text };
    text_put(text, "\"checks\":[");
    check_form(benchmark, wanted, &tally);
    check_values(benchmark, &tally);
    check_nodes(benchmark, wanted, &tally);
    check_net(benchmark, wanted, &tally);
    check_floor(benchmark, wanted, &tally);
    text_put(text, "],\"tool\":\"%s\",\"rows\":%llu,\"peak_size\":%llu,\"peak_busbw_gbs\":%.2f,",
             TOOLS[benchmark->tool], (unsigned long long)benchmark->rows, (unsigned long long)benchmark->peak_size,
             benchmark->peak_gbs);
    const char *verdict = tally.fails > 0 ? NODE_FAIL : tally.warns > 0 ? NODE_WARN : NODE_PASS;
    text_put(text, "\"fail\":%u,\"warn\":%u,\"verdict\":\"%s\"}", tally.fails, tally.warns, verdict);
    return tally.fails == 0;
}
