// Any bytes as a benchmark's output, and as a record. There is no crash. An output that passes has rows, an end, and
// the bandwidth that was asked for. A floor that was measured is for messages that the output has.
#include "stdlib/node/collective/floor.h"
#include "stdlib/node/collective/record.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char room[NODE_VERDICT_BYTES_MAX];
    Text text = { .data = room, .size = sizeof room };
    Benchmark benchmark = { .size_least = 1 << 20 };
    const BenchmarkWanted wanted = { .floor_gbs = 1 };
    benchmark_read((const char *)data, size, &benchmark);
    const bool has_passed = benchmark_judge(&benchmark, &wanted, &text);
    // What passes has a bandwidth, no wrong value and no torn row, whatever else the bytes say.
    if (has_passed && (benchmark.rows == 0 || benchmark.wrong > 0 || benchmark.torn_rows > 0 ||
                       benchmark.footers != benchmark.tables || !(benchmark.peak_gbs >= 1))) {
        abort();
    }
    const Floor floor = floor_choose(&(FloorHints){ .type = "p5.48xlarge" }, &benchmark);
    floor_put(&floor, &text);
    if (floor.measured != NULL && (floor.measured->bytes > benchmark.largest_size || benchmark.mixed != NULL ||
                                   floor.measured->nodes != benchmark.nodes || !(floor.gbs > 0))) {
        abort();
    }
    Job job = { 0 };
    char reason[NODE_TEXT_BYTES_MAX];
    (void)record_read((const char *)data, size, &job, reason, sizeof reason);
    return 0;
}
