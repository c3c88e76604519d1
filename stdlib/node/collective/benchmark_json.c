// Reads what `nccl-tests -J` and `nccom-test --report-to-json-file` write. Of nccl-tests the form is known (version 2
// and 3); of nccom-test only the names of the keys, which are those of its table: so whatever object has a bandwidth
// under that name is a row, wherever it stands.
#include "stdlib/node/collective/benchmark.h"

#include "stdlib/node/collective/json.h"
#include "stdlib/node/collective/ranks.h"

#include <stdlib.h>
#include <string.h>

enum { NUMBER_BYTES = 40, SECTIONS = JSON_DEPTH_MAX + 1 };

typedef struct Result {
    bool has_bandwidth, is_checked;
    BenchmarkResult numbers;
} Result;

typedef struct Reading {
    Benchmark *benchmark;
    Ranks ranks;
    bool is_of_other_group;                  // the rank that is being read
    char sections[SECTIONS][JSON_KEY_BYTES]; // the key of what is open, by depth
    uint64_t size;                           // of the row
    Result result;
    unsigned row_depth; // of the object that the size stands in
    unsigned results;   // of the row
    bool is_row_checked;
    bool has_bounds, has_average, has_arguments;
} Reading;

static bool is_key(const JsonEvent *event, const char *key) {
    return strcmp(event->key, key) == 0;
}

// Numbers may come as strings: nccl-tests writes "nan" for one that is none.
static bool read_number(const JsonEvent *event, double *number) {
    char copy[NUMBER_BYTES];
    if (event->len == 0 || event->len >= sizeof copy || (event->kind != JSON_NUMBER && event->kind != JSON_STRING)) {
        return false;
    }
    memcpy(copy, event->data, event->len);
    copy[event->len] = '\0';
    char *end = NULL;
    *number = strtod(copy, &end);
    return strspn(copy, "0123456789.eE+-") == event->len && *end == '\0' && *number >= -1 && *number < 1e30;
}

static void end_result(Reading *reading) {
    if (reading->result.has_bandwidth) {
        reading->result.numbers.size = reading->size;
        benchmark_add(reading->benchmark, &reading->result.numbers);
        reading->is_row_checked &= reading->result.is_checked;
        reading->results++;
    }
    reading->result = (Result){ 0 };
}

static void end_row(Reading *reading) {
    if (reading->results > 0) {
        benchmark_end_row(reading->benchmark, reading->is_row_checked);
    } else {
        reading->benchmark->torn_rows++;
    }
    reading->row_depth = 0;
    reading->results = 0;
}

static void take_size(Reading *reading, const JsonEvent *event, Tool tool) {
    double size = 0;
    if (reading->benchmark->tool == TOOL_UNKNOWN) {
        reading->benchmark->tables = 1;
    }
    reading->benchmark->tool = tool;
    if (!read_number(event, &size) || size < 0 || size > 1e18) {
        reading->benchmark->torn_rows++;
        return;
    }
    reading->size = (uint64_t)size;
    reading->row_depth = event->depth;
    reading->is_row_checked = true;
}

static void take_bandwidth(Reading *reading, const JsonEvent *event) {
    if (read_number(event, &reading->result.numbers.bus)) {
        reading->result.has_bandwidth = true;
    } else {
        reading->benchmark->torn_rows++;
    }
}

// A rank's group stands before its host.
static void take_device(Reading *reading, const JsonEvent *event) {
    if (is_key(event, "group")) {
        reading->is_of_other_group = event->len != 1 || event->data[0] != '0';
    } else if (is_key(event, "hostname") && event->kind == JSON_STRING) {
        ranks_add(&reading->ranks, reading->ranks.count, event->data, event->len, reading->is_of_other_group);
    }
}

static bool is_no(const JsonEvent *event) {
    return event->len == 5 && memcmp(event->data, "false", 5) == 0;
}

static void take_value(Reading *reading, const JsonEvent *event) {
    const char *section = event->depth > 0 ? reading->sections[event->depth - 1] : "";
    double number = 0;
    if (is_key(event, "size(B)")) {
        take_size(reading, event, TOOL_NCCOM_TEST);
    } else if (is_key(event, "busbw(GB/s)")) {
        take_bandwidth(reading, event);
        reading->has_bounds = reading->has_average = true; // its file is written when all is over
    } else if (is_key(event, "size")) {
        take_size(reading, event, TOOL_NCCL_TESTS);
    } else if (is_key(event, "bus_bw")) {
        take_bandwidth(reading, event);
    } else if ((is_key(event, "alg_bw") || is_key(event, "algbw(GB/s)")) && read_number(event, &number)) {
        reading->result.numbers.algorithm = number;
    } else if (is_key(event, "nwrong") && read_number(event, &number)) {
        reading->result.is_checked = true;
        reading->result.numbers.wrong = number;
    } else if (strcmp(section, "out_of_bounds") == 0 && is_key(event, "count")) {
        reading->has_bounds = read_number(event, &number);
        if (number > 0) {
            benchmark_fail(reading->benchmark, "out of bounds values", strlen("out of bounds values"));
        }
    } else if (is_key(event, "okay") && is_no(event)) {
        benchmark_fail(reading->benchmark, section, strlen(section));
    } else if (strcmp(section, "average_bus_bandwidth") == 0 && is_key(event, "bandwidth")) {
        reading->has_average = read_number(event, &number);
    } else if (event->depth > 1 && strcmp(reading->sections[event->depth - 2], "devices") == 0) {
        take_device(reading, event);
    } else if (event->kind == JSON_STRING && strcmp(section, "args") == 0 && !reading->has_arguments) {
        reading->has_arguments = true;
        benchmark_note_program(reading->benchmark, event->data, event->len);
    } else if (event->kind == JSON_STRING && strcmp(section, "env") == 0) {
        benchmark_note_net(reading->benchmark, event->data, event->len);
    } else if (event->kind == JSON_STRING && strcmp(section, "errors") == 0 && event->len > 0) {
        benchmark_fail(reading->benchmark, event->data, event->len);
    }
}

static void take(void *context, const JsonEvent *event) {
    Reading *reading = context;
    switch (event->kind) {
    case JSON_OPEN:
        text_into(reading->sections[event->depth], JSON_KEY_BYTES, "%s", event->key);
        break;
    case JSON_CLOSE:
        end_result(reading);
        // A size stands one deeper than the object that it is of.
        if (reading->row_depth > 0 && event->depth + 1 == reading->row_depth) {
            end_row(reading);
        }
        break;
    case JSON_STRING:
    case JSON_NUMBER:
    case JSON_WORD:
        take_value(reading, event);
        break;
    }
}

void benchmark_read_json(const char *text, size_t len, Benchmark *benchmark) {
    Reading reading = { .benchmark = benchmark };
    benchmark->is_malformed = !json_walk(text, len, take, &reading);
    ranks_end(&reading.ranks, benchmark);
    benchmark->footers = reading.has_bounds && reading.has_average ? benchmark->tables : 0;
}
