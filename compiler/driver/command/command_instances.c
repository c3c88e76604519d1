// `dtc instances`: prints the table of instance types. Families stand in natural order (p4d, p5, p5en, p6-b200), and
// the types of a family by size.
#include "compiler/driver/command/command.h"
#include "compiler/driver/command/instance_filter.h"
#include "compiler/driver/command/instance_text.h"
#include "compiler/driver/output/print.h"

static int compare_natural(const char *a, const char *b) {
    while (*a != '\0' && *b != '\0') {
        if (char_is_digit(*a) && char_is_digit(*b)) {
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

// ---- filters ---------------------------------------------------------------------------------------------------

typedef VEC(InstanceFilter) Filters;

// False with a fault where a filter cannot be meant.
static bool read_filters(Run *run, Filters *filters, ExitStatus *status) {
    for (uint32_t i = 0; i < run->operand_count; i++) {
        InstanceFilter filter;
        Str hint;
        if (!filter_read(run->arena, run->operands[i], &filter, &hint)) {
            *status = command_fail(
                run, STATUS_USAGE,
                str_format(run->arena, "`%.*s` is no number of EFA interfaces", STR_ARG(run->operands[i])), hint);
            return false;
        }
        vec_push(run->arena, filters, filter);
    }
    return true;
}

// Whether a row passes all filters: 1, 0 or UNKNOWN. It is UNKNOWN if no source says whether a region offers the type,
// and all other filters match.
static int match_all(const Filters *filters, const InstanceRow *row) {
    int all = 1;
    for (uint32_t i = 0; i < filters->count; i++) {
        const int match = filter_match(&filters->items[i], row);
        if (match == 0) {
            return 0;
        }
        all = match == UNKNOWN ? UNKNOWN : all;
    }
    return all;
}

static bool matches_any(Session *session, const InstanceFilter *filter) {
    for (int i = 0; i < schema_instance_count(session); i++) {
        if (filter_match(filter, schema_instance_at(session, i)) == 1) {
            return true;
        }
    }
    return false;
}

static const RegionRow *region_of(const Filters *filters) {
    for (uint32_t i = 0; i < filters->count; i++) {
        if (filters->items[i].region != NULL) {
            return filters->items[i].region;
        }
    }
    return NULL;
}

// `unknown` types would match, but for a region of which no source says whether it offers them.
static ExitStatus fail_no_match(Run *run, const Filters *filters, int unknown) {
    for (uint32_t i = 0; i < filters->count; i++) {
        const InstanceFilter *filter = &filters->items[i];
        if (matches_any(run->session, filter)) {
            continue;
        }
        const Str best = filter_nearest(run->session, filter->text);
        Str hint = STR("`dtc help instances` lists what a filter can be");
        if (filter->region != NULL) {
            hint = STR("no source says which instance types this region offers");
        } else if (best.len > 0) {
            hint = str_format(run->arena, "did you mean `%.*s`?", STR_ARG(best));
        }
        return command_fail(run, STATUS_USAGE,
                            str_format(run->arena, "no instance type matches `%.*s`", STR_ARG(filter->text)), hint);
    }
    const Str hint = unknown == 0 ? STR("each of them alone matches some")
                                  : str_format(run->arena, "%d may: no source says whether %s offers them", unknown,
                                               region_of(filters)->name);
    return command_fail(run, STATUS_USAGE, STR("no instance type is known to match all filters"), hint);
}

// A region's offers are known for types with accelerators alone, so the table may be short for want of a source.
static void print_unknown(Run *run, const Filters *filters, int unknown) {
    if (unknown > 0) {
        strbuf_add_format(&run->out, "\nand %d more, of which no source says whether %s offers them\n", unknown,
                          region_of(filters)->name);
    }
}

// ---- table -----------------------------------------------------------------------------------------------------

typedef VEC(const InstanceRow *) InstanceList;

static void print_table(Run *run, const InstanceList *rows) {
    static const char *const HEADINGS[] = { "TYPE", "VCPUS", "MEMORY", "ACCELERATORS", "EFA",
                                            "GBPS", "NVME",  "STATUS", "ROW" };
    // Where all rows are dtc's own, no column says so.
    const int columns = (int)COUNT_OF(HEADINGS) - (run->options.schema_files.count == 0 ? 1 : 0);
    Table table = { .arena = run->arena, .columns = columns, .right = 1 << 1 | 1 << 2 | 1 << 4 | 1 << 5 };
    for (int i = 0; i < columns; i++) {
        table_add(&table, str_of(HEADINGS[i]));
    }
    for (uint32_t i = 0; i < rows->count; i++) {
        add_row(&table, rows->items[i]);
        if (columns == COUNT_OF(HEADINGS)) {
            table_add(&table, instance_origin(run->arena, rows->items[i]));
        }
    }
    table_print(&table, &run->out, 0);
}

ExitStatus command_instances(Run *run) {
    Filters filters = { 0 };
    ExitStatus status;
    if (!command_add_schema(run)) {
        return command_status(run);
    }
    if (!read_filters(run, &filters, &status)) {
        return status;
    }
    InstanceList rows = { 0 };
    int unknown = 0;
    for (int i = 0; i < schema_instance_count(run->session); i++) {
        const InstanceRow *row = schema_instance_at(run->session, i);
        const int match = match_all(&filters, row);
        unknown += match == UNKNOWN ? 1 : 0;
        if (match == 1) {
            vec_push(run->arena, &rows, row);
        }
    }
    if (rows.count == 0) {
        return fail_no_match(run, &filters, unknown);
    }
    qsort(rows.items, rows.count, sizeof(*rows.items), compare_rows);
    print_table(run, &rows);
    print_unknown(run, &filters, unknown);
    return STATUS_CLEAN;
}
