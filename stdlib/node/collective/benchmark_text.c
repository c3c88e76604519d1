// Reads the tables that nccl-tests and nccom-test print. Columns are found by their headers, since options add some;
// what launchers put before a line (`0: `, `[1,0]<stdout>:`, a time) is passed over by looking for the place where a
// row of the table begins, and not by knowing launchers.
#include "stdlib/node/collective/benchmark.h"

#include "stdlib/node/collective/ranks.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS_MAX = 64, WORD_BYTES = 64, COLUMNS_MAX = 8 };

typedef struct Word {
    const char *data;
    size_t len;
} Word;

typedef struct Table {
    Benchmark *benchmark;
    size_t columns;                                  // of a row; 0: no header yet
    size_t bandwidths[COLUMNS_MAX], bandwidth_count; // which of them; the algorithm's stands before each
    size_t wrongs[COLUMNS_MAX], wrong_count;
    bool has_bounds; // the first half of the footer of nccl-tests
} Table;

static size_t split(const char *line, size_t len, Word words[WORDS_MAX]) {
    size_t count = 0;
    size_t at = 0;
    while (count < WORDS_MAX) {
        while (at < len && (line[at] == ' ' || line[at] == '\t' || line[at] == '\r')) {
            at++;
        }
        if (at == len) {
            break;
        }
        const size_t begin = at;
        while (at < len && line[at] != ' ' && line[at] != '\t' && line[at] != '\r') {
            at++;
        }
        words[count++] = (Word){ .data = line + begin, .len = at - begin };
    }
    return count;
}

static bool is_word(Word word, const char *text) {
    return word.len == strlen(text) && memcmp(word.data, text, word.len) == 0;
}

static bool ends_in(Word word, const char *text) {
    const size_t len = strlen(text);
    return word.len >= len && memcmp(word.data + word.len - len, text, len) == 0;
}

static bool is_letter(char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

// What is a number as a whole, in a form that a table has: no inf, no nan, no hexadecimal.
static bool read_real(Word word, double *number) {
    char copy[WORD_BYTES];
    if (word.len == 0 || word.len >= sizeof copy) {
        return false;
    }
    memcpy(copy, word.data, word.len);
    copy[word.len] = '\0';
    if (strspn(copy, "0123456789.eE+-") != word.len) {
        return false;
    }
    char *end = NULL;
    *number = strtod(copy, &end);
    return *end == '\0' && *number >= -1 && *number < 1e30;
}

static bool read_whole(Word word, uint64_t *number) {
    *number = 0;
    for (size_t i = 0; i < word.len; i++) {
        if (word.data[i] < '0' || word.data[i] > '9' || *number > UINT64_MAX / 16) {
            return false;
        }
        *number = *number * 10 + (uint64_t)(word.data[i] - '0');
    }
    return word.len > 0;
}

// A prefix may stand against the first number of a row: `[1,0]<stdout>:137438953472`.
static Word after_colon(Word word) {
    for (size_t i = word.len; i > 0; i--) {
        if (word.data[i - 1] == ':') {
            return (Word){ .data = word.data + i, .len = word.len - i };
        }
    }
    return word;
}

// A number that is a size, one that is a count, and the name of a type.
static bool begins_row(const Word *words, size_t count) {
    uint64_t number = 0;
    return count >= 3 && read_whole(after_colon(words[0]), &number) && read_whole(words[1], &number) &&
           is_letter(words[2].data[0]);
}

// ---- headers

static void begin_table(Table *table, Tool tool, const Word *words, size_t count) {
    *table = (Table){ .benchmark = table->benchmark, .columns = count };
    table->benchmark->tool = tool;
    table->benchmark->tables++;
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && (is_word(words[i], "busbw") || is_word(words[i], "busbw(GB/s)")) &&
            table->bandwidth_count < COLUMNS_MAX) {
            table->bandwidths[table->bandwidth_count++] = i;
        } else if (is_word(words[i], "#wrong") && table->wrong_count < COLUMNS_MAX) {
            table->wrongs[table->wrong_count++] = i;
        } else if (is_word(words[i], "timestamp")) {
            table->columns++; // a date and a time
        }
    }
}

static bool take_header(Table *table, const Word *words, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (ends_in(words[i], "size(B)")) {
            begin_table(table, TOOL_NCCOM_TEST, words + i, count - i);
            return true;
        }
        if (i + 2 < count && ends_in(words[i], "#") && is_word(words[i + 1], "size") &&
            is_word(words[i + 2], "count")) {
            begin_table(table, TOOL_NCCL_TESTS, words + i + 1, count - i - 1);
            return true;
        }
    }
    return false;
}

// ---- rows

static bool take_cells(Table *table, const Word *row) {
    uint64_t size = 0;
    bool is_checked = table->wrong_count > 0;
    bool is_whole = read_whole(after_colon(row[0]), &size) && table->bandwidth_count > 0;
    for (size_t i = 0; i < table->wrong_count; i++) {
        double wrong = 0;
        if (is_word(row[table->wrongs[i]], "N/A")) {
            is_checked = false;
        } else if (read_real(row[table->wrongs[i]], &wrong)) {
            table->benchmark->wrong += wrong;
        } else {
            is_whole = false;
        }
    }
    for (size_t i = 0; is_whole && i < table->bandwidth_count; i++) {
        const size_t at = table->bandwidths[i];
        BenchmarkResult result = { .size = size };
        is_whole = read_real(row[at], &result.bus) && read_real(row[at - 1], &result.algorithm);
        if (is_whole) {
            benchmark_add(table->benchmark, &result);
        }
    }
    if (is_whole) {
        benchmark_end_row(table->benchmark, is_checked);
    }
    return is_whole;
}

static bool take_row(Table *table, const Word *words, size_t count) {
    for (size_t i = 0; i + 2 < count; i++) {
        if (begins_row(words + i, count - i)) {
            if (count - i != table->columns || !take_cells(table, words + i)) {
                table->benchmark->torn_rows++;
            }
            return true;
        }
    }
    return false;
}

// ---- what stands below a table, and around it

// `#  Rank  0 Group  0 Pid   4011 on HOST device  0 …`; before 2022 without the group.
static bool take_rank(Ranks *ranks, const Word *words, size_t count) {
    size_t at = 0;
    while (at < count && !is_word(words[at], "Rank")) {
        at++;
    }
    uint64_t number = 0;
    const bool is_begun = at > 0 && at + 4 < count && ends_in(words[at - 1], "#") && read_whole(words[at + 1], &number);
    const bool has_group = is_begun && is_word(words[at + 2], "Group");
    const bool is_of_other_group = has_group && !is_word(words[at + 3], "0");
    at += has_group ? 4 : 2;
    if (!is_begun || at + 4 >= count || !is_word(words[at], "Pid") || !is_word(words[at + 2], "on") ||
        !is_word(words[at + 4], "device")) {
        return false;
    }
    ranks_add(ranks, number, words[at + 3].data, words[at + 3].len, is_of_other_group);
    return true;
}

// What stands behind the last blank of a line.
static void take_program(Benchmark *benchmark, const char *line, size_t len) {
    Word words[WORDS_MAX];
    const size_t count = split(line, len, words);
    benchmark_note_program(benchmark, words[count - 1].data, words[count - 1].len);
}

static void take_rest(Table *table, const char *line, size_t len) {
    Benchmark *benchmark = table->benchmark;
    static const char *const FAILURES[] = { "Test NCCL failure", "Test CUDA failure",          "Test failure",
                                            "Failure running",   "errors found - test failed", "# error:" };
    for (size_t i = 0; i < sizeof FAILURES / sizeof FAILURES[0]; i++) {
        if (benchmark_holds(line, len, FAILURES[i])) {
            benchmark_fail(benchmark, line, len);
        }
    }
    if (benchmark_holds(line, len, "# Collective test starting")) {
        benchmark->started++;
        take_program(benchmark, line, len);
    } else if (benchmark_holds(line, len, "# Collective test concluded")) {
        benchmark->concluded++;
        take_program(benchmark, line, len);
    } else if (benchmark_holds(line, len, "# Out of bounds values")) {
        table->has_bounds = benchmark_holds(line, len, ": 0 OK");
        if (!table->has_bounds) {
            benchmark_fail(benchmark, line, len);
            table->has_bounds = true;
        }
    } else if (benchmark_holds(line, len, "Avg bus bandwidth")) {
        const bool is_nccl = benchmark_holds(line, len, "# Avg bus bandwidth");
        benchmark->footers += table->columns > 0 && (!is_nccl || table->has_bounds);
        table->has_bounds = false;
        if (benchmark_holds(line, len, "FAILED")) {
            benchmark_fail(benchmark, line, len);
        }
    }
    benchmark_note_net(benchmark, line, len);
}

void benchmark_read_text(const char *text, size_t len, Benchmark *benchmark) {
    Table table = { .benchmark = benchmark };
    Ranks ranks = { 0 };
    for (size_t at = 0; at < len;) {
        const char *end = memchr(text + at, '\n', len - at);
        const size_t line_len = end == NULL ? len - at : (size_t)(end - (text + at));
        Word words[WORDS_MAX];
        const size_t count = split(text + at, line_len, words);
        if (benchmark_holds(text + at, line_len, "# Using devices")) {
            ranks_end(&ranks, benchmark);
        } else if (!take_rank(&ranks, words, count) && !take_header(&table, words, count) &&
                   (table.columns == 0 || !take_row(&table, words, count))) {
            take_rest(&table, text + at, line_len);
        }
        at += line_len + 1;
    }
    ranks_end(&ranks, benchmark);
}
