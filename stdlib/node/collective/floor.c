// Chooses the floor of a benchmark. A bandwidth depends on the type, its EFA interfaces, the number of nodes and ranks,
// and the size of the messages: what differs in one of them from all that was measured has no floor, and the verdict
// says in which. A floor of something else would fail good nodes.
#include "stdlib/node/collective/floor.h"

#include <string.h>

enum { MEGABYTES_OF_GIGABYTE = 1000, PERCENT = 100 };

// Bus bandwidth is that of the algorithm by 2 (n - 1) / n for an all-reduce over n ranks, and by 1 or less for the
// others of nccl-tests (its doc/PERFORMANCE.md, 2026-07): above 1, with what rounding adds, from three ranks on.
static const double FACTOR_OF_OTHERS = 1.05;

static bool is_all_reduce(const Benchmark *benchmark) {
    return benchmark->collective[0] != '\0' ? strstr(benchmark->collective, "all_reduce") != NULL
                                            : benchmark->peak_factor > FACTOR_OF_OTHERS;
}

static bool is_of(const Measured *measured, const char *type, uint32_t nodes) {
    return strcmp(measured->type, type) == 0 && measured->nodes == nodes;
}

// The row with the largest messages of those whose size the benchmark has too; else `least`, the smallest that was
// measured, if any.
static const Measured *find(const char *type, uint32_t nodes, const Benchmark *benchmark, const Measured **least) {
    const Measured *found = NULL;
    *least = NULL;
    for (uint32_t i = 0; i < MEASURED_ROW_COUNT; i++) {
        const Measured *measured = &MEASURED_ROWS[i];
        if (!is_of(measured, type, nodes)) {
            continue;
        }
        if (*least == NULL || measured->bytes < (*least)->bytes) {
            *least = measured;
        }
        const bool is_there =
            measured->bytes >= benchmark->size_least && benchmark_has_size(benchmark, measured->bytes);
        if (is_there && (found == NULL || measured->bytes > found->bytes)) {
            found = measured;
        }
    }
    return found;
}

static void choose_measured(const FloorHints *hints, const Benchmark *benchmark, Floor *floor) {
    const uint32_t nodes = hints->nodes != 0 ? hints->nodes : benchmark->nodes;
    const Measured *least = NULL;
    if (hints->type[0] == '\0') {
        text_into(floor->why, sizeof floor->why, "no instance type: give --type, or a record by --expect");
    } else if (benchmark->mixed != NULL) {
        text_into(floor->why, sizeof floor->why, "%s", benchmark->mixed);
    } else if (nodes == 0) {
        text_into(floor->why, sizeof floor->why, "the output does not say how many nodes it is of: give --nodes");
    } else if (!is_all_reduce(benchmark)) {
        const bool has_name = benchmark->collective[0] != '\0';
        text_into(floor->why, sizeof floor->why, "all-reduces are measured, and %s%s",
                  has_name ? "this is " : "nothing says that this is one", benchmark->collective);
    } else {
        const Measured *found = find(hints->type, nodes, benchmark, &least);
        if (least == NULL) {
            text_into(floor->why, sizeof floor->why, "no measurement of %u x %s", nodes, hints->type);
        } else if (hints->interfaces != 0 && hints->interfaces != least->interfaces) {
            text_into(floor->why, sizeof floor->why, "%u EFA interfaces, and nodes with %u were measured",
                      hints->interfaces, least->interfaces);
        } else if (found == NULL && benchmark->largest_size < least->bytes) {
            text_into(floor->why, sizeof floor->why,
                      "messages of %llu bytes at most, and %llu are the fewest that were measured",
                      (unsigned long long)benchmark->largest_size, (unsigned long long)least->bytes);
        } else if (found == NULL) {
            text_into(floor->why, sizeof floor->why, "no row of a size that was measured, such as %llu bytes",
                      (unsigned long long)least->bytes);
        } else if (benchmark->ranks != 0 && benchmark->ranks != found->ranks) {
            text_into(floor->why, sizeof floor->why, "%u ranks, and %u were measured", benchmark->ranks, found->ranks);
        } else {
            *floor = (Floor){ .from = FLOOR_MEASUREMENT, .measured = found };
            floor->gbs = (double)found->megabytes_per_second * MEASURED_FLOOR_PERCENT / PERCENT / MEGABYTES_OF_GIGABYTE;
        }
    }
}

Floor floor_choose(const FloorHints *hints, const Benchmark *benchmark) {
    Floor floor = { .from = FLOOR_NONE };
    if (hints->is_given && hints->given_gbs > 0) {
        floor = (Floor){ .from = FLOOR_OPTION, .gbs = hints->given_gbs };
    } else if (hints->is_given) {
        text_into(floor.why, sizeof floor.why, "--floor 0");
    } else if (hints->record_gbs > 0) {
        floor = (Floor){ .from = FLOOR_RECORD, .gbs = hints->record_gbs };
    } else {
        choose_measured(hints, benchmark, &floor);
    }
    return floor;
}

void floor_put(const Floor *floor, Text *text) {
    static const char *const NAMES[] = { [FLOOR_NONE] = "unfloored",
                                         [FLOOR_OPTION] = "option",
                                         [FLOOR_RECORD] = "record",
                                         [FLOOR_MEASUREMENT] = "measurement" };
    text_put(text, "\"floor\":{\"from\":\"%s\"", NAMES[floor->from]);
    if (floor->from == FLOOR_NONE) {
        text_put(text, ",\"why\":");
        text_put_quoted(text, floor->why);
    } else {
        text_put(text, ",\"gbs\":%.2f", floor->gbs);
    }
    if (floor->measured != NULL) {
        const Measured *measured = floor->measured;
        text_put(text, ",\"percent\":%u,\"type\":", MEASURED_FLOOR_PERCENT);
        text_put_quoted(text, measured->type);
        text_put(text, ",\"interfaces\":%u,\"nodes\":%u,\"bytes\":%llu,\"measured_gbs\":%.2f,\"source\":",
                 measured->interfaces, measured->nodes, (unsigned long long)measured->bytes,
                 (double)measured->megabytes_per_second / MEGABYTES_OF_GIGABYTE);
        text_put_quoted(text, measured->source);
    }
    text_put(text, "},");
}
