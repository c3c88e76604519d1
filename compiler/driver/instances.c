// `dtc instances`: the table of instance types. Families stand in natural order (p4d, p5, p5en, p6-b200), the types of
// one by size.
#include "compiler/driver/command.h"
#include "compiler/driver/instance_text.h"
#include "compiler/driver/print.h"

#include "compiler/base/suggest.h"

#include <fnmatch.h>

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static int compare_natural(const char *a, const char *b) {
    while (*a != '\0' && *b != '\0') {
        if (is_digit(*a) && is_digit(*b)) {
            char *a_end;
            char *b_end;
            const unsigned long a_number = strtoul(a, &a_end, 10);
            const unsigned long b_number = strtoul(b, &b_end, 10);
            if (a_number != b_number) {
                return a_number < b_number ? -1 : 1;
            }
            a = a_end;
            b = b_end;
        } else if (*a != *b) {
            return *a < *b ? -1 : 1;
        } else {
            a++;
            b++;
        }
    }
    return (*a != '\0') - (*b != '\0');
}

static int compare_rows(const void *a, const void *b) {
    const InstanceRow *left = *(const InstanceRow *const *)a;
    const InstanceRow *right = *(const InstanceRow *const *)b;
    const int by_family = compare_natural(left->family, right->family);
    if (by_family != 0) {
        return by_family;
    }
    if (left->vcpus != right->vcpus) {
        return left->vcpus < right->vcpus ? -1 : 1;
    }
    return compare_natural(left->name, right->name);
}

static bool matches(Arena *arena, const InstanceRow *row, Str filter) {
    if (str_is(filter, "efa")) {
        return row->efa_max > 0;
    }
    if (str_is(filter, "nvidia")) {
        return row->accelerator == ACCELERATOR_NVIDIA;
    }
    if (str_is(filter, "neuron")) {
        return row->accelerator == ACCELERATOR_NEURON;
    }
    const Str name = str_of(row->name);
    return str_find(name, filter, 0) < name.len || fnmatch(str_c(arena, filter), row->name, 0) == 0;
}

static bool matches_all(const Run *run, const InstanceRow *row) {
    for (uint32_t i = 0; i < run->operand_count; i++) {
        if (!matches(run->arena, row, run->operands[i])) {
            return false;
        }
    }
    return true;
}

static Str or_unknown(Arena *arena, int64_t number) {
    return number == UNKNOWN ? STR("?") : str_format(arena, "%" PRId64, number);
}

static void add_row(Table *table, const InstanceRow *row) {
    Arena *arena = table->arena;
    table_add(table, str_of(row->name));
    table_add(table, or_unknown(arena, row->vcpus));
    table_add(table, instance_memory(arena, row->memory_mib));
    table_add(table, instance_accelerators(arena, row));
    table_add(table, or_unknown(arena, row->efa_max));
    table_add(table, instance_gbps(arena, row->network_mbps));
    table_add(table, instance_nvme(arena, row));
    table_add(table, str_of(row->status));
}

static ExitStatus fail_no_match(Run *run) {
    Suggestion suggestion = { .name = run->operands[0] };
    for (int i = 0; i < INSTANCE_ROW_COUNT; i++) {
        suggest_offer(&suggestion, str_of(INSTANCE_ROWS[i].name));
        suggest_offer(&suggestion, str_of(INSTANCE_ROWS[i].family));
    }
    const Str hint = suggestion.best.len > 0
                         ? str_format(run->arena, "did you mean `%.*s`?", STR_ARG(suggestion.best))
                         : STR("a filter is a part of a name, a glob such as `p5*`, or one of efa, nvidia, neuron");
    return command_fail(run, STATUS_USAGE,
                        run->operand_count == 1
                            ? str_format(run->arena, "no instance type matches `%.*s`", STR_ARG(run->operands[0]))
                            : STR("no instance type matches all filters"),
                        hint);
}

ExitStatus command_instances(Run *run) {
    VEC(const InstanceRow *) rows = { 0 };
    for (int i = 0; i < INSTANCE_ROW_COUNT; i++) {
        if (matches_all(run, &INSTANCE_ROWS[i])) {
            vec_push(run->arena, &rows, &INSTANCE_ROWS[i]);
        }
    }
    if (rows.count == 0) {
        return fail_no_match(run);
    }
    qsort(rows.items, rows.count, sizeof(*rows.items), compare_rows);

    static const char *const HEADINGS[] = {
        "TYPE", "VCPUS", "MEMORY", "ACCELERATORS", "EFA", "GBPS", "NVME", "STATUS"
    };
    Table table = { .arena = run->arena, .columns = COUNT_OF(HEADINGS), .right = 1 << 1 | 1 << 2 | 1 << 4 | 1 << 5 };
    for (size_t i = 0; i < COUNT_OF(HEADINGS); i++) {
        table_add(&table, str_of(HEADINGS[i]));
    }
    for (uint32_t i = 0; i < rows.count; i++) {
        add_row(&table, rows.items[i]);
    }
    table_print(&table, &run->out, 0);
    return STATUS_CLEAN;
}
