// schema/kubernetes.yaml -> KUBERNETES_ROWS and SYSTEM_ROWS. Days are texts that compare as days do.
#include "schema/generator/schemagen.h"

#include "compiler/base/diag/diag.h"

enum { COLUMN_VERSION, COLUMN_RELEASED, COLUMN_STANDARD_END, COLUMN_EXTENDED_END, COLUMN_COUNT };

static const Column COLUMNS[COLUMN_COUNT] = {
    [COLUMN_VERSION] = { "version", CELL_TEXT },
    [COLUMN_RELEASED] = { "released", CELL_TEXT | CELL_NULL },
    [COLUMN_STANDARD_END] = { "standard_end", CELL_TEXT | CELL_NULL },
    [COLUMN_EXTENDED_END] = { "extended_end", CELL_TEXT | CELL_NULL },
};

// A day that no source tells is before none.
static bool is_before(const Data *cell, Str day) {
    return cell->kind == DATA_STRING && str_compare(cell->string, day) < 0;
}

static const char *support(const Data *const *cells, Str day) {
    if (is_before(cells[COLUMN_EXTENDED_END], day)) {
        return "SUPPORT_ENDED";
    }
    return is_before(cells[COLUMN_STANDARD_END], day) ? "SUPPORT_EXTENDED" : "SUPPORT_STANDARD";
}

// Years and months of "2026-11-27", in months; 0 of something else.
static int months_of(Str day) {
    int numbers[2] = { 0 };
    const size_t starts[] = { 0, 5 };
    const size_t ends[] = { 4, 7 };
    for (int i = 0; i < 2; i++) {
        for (size_t at = starts[i]; at < ends[i]; at++) {
            if (!char_is_digit(str_at(day, at))) {
                return 0;
            }
            numbers[i] = numbers[i] * 10 + (day.data[at] - '0');
        }
    }
    return numbers[0] * 12 + numbers[1];
}

// A version whose standard support ends within three months is no way out.
static bool ends_soon(const Data *end, Str day) {
    enum { MONTHS = 3 };
    return end->kind == DATA_STRING && months_of(end->string) <= months_of(day) + MONTHS;
}

static void put_row(Generator *generator, const Data *row, Str day) {
    const Data *cells[COLUMN_COUNT];
    if (!cells_read(generator->session, STR("a version"), row->span, row, NULL, COLUMNS, COLUMN_COUNT, cells)) {
        return;
    }
    for (int i = COLUMN_RELEASED; i < COLUMN_COUNT; i++) {
        if (cells[i]->kind == DATA_STRING && cells[i]->string.len != day.len) {
            cell_fault(generator->session, cells[i]->span, "a day is written as 2026-11-21");
            return;
        }
    }
    StrBuf *out = &generator->tables;
    put(out, "    { .version = ");
    put_cell_string(out, cells[COLUMN_VERSION]);
    put(out, ", .standard_end = ");
    put_cell_string(out, cells[COLUMN_STANDARD_END]);
    put(out, ", .extended_end = ");
    put_cell_string(out, cells[COLUMN_EXTENDED_END]);
    put(out, ", .ends_soon = %s", ends_soon(cells[COLUMN_STANDARD_END], day) ? "true" : "false");
    put(out, ", .support = %s },\n", support(cells, day));
}

static void put_minor(Generator *generator, const char *field, const Data *cell) {
    size_t at = 2;
    const bool is_known = cell->kind == DATA_STRING;
    const int minor = is_known && str_starts_with(cell->string, STR("1.")) ? read_digits(cell->string, &at) : -1;
    if (is_known && (minor < 0 || at != cell->string.len)) {
        cell_fault(generator->session, cell->span, "a version is written as \"1.36\"");
    }
    put(&generator->tables, ", .%s = %s", field, is_known ? "" : "UNKNOWN");
    if (is_known) {
        put(&generator->tables, "%d", minor);
    }
}

static void put_system(Generator *generator, const Data *row) {
    enum { OS, FIRST, LAST, SYSTEM_COLUMN_COUNT };
    static const Column SYSTEM_COLUMNS[SYSTEM_COLUMN_COUNT] = {
        [OS] = { "os", CELL_TEXT },
        [FIRST] = { "first", CELL_TEXT | CELL_NULL },
        [LAST] = { "last", CELL_TEXT | CELL_NULL },
    };
    const Data *cells[SYSTEM_COLUMN_COUNT];
    if (!cells_read(generator->session, STR("a system"), row->span, row, NULL, SYSTEM_COLUMNS, SYSTEM_COLUMN_COUNT,
                    cells)) {
        return;
    }
    put(&generator->tables, "    { .os = ");
    put_cell_string(&generator->tables, cells[OS]);
    put_minor(generator, "first", cells[FIRST]);
    put_minor(generator, "last", cells[LAST]);
    put(&generator->tables, " },\n");
}

void generate_kubernetes(Generator *generator) {
    enum { SOURCES, AS_OF, VERSIONS, SYSTEMS, FILE_COLUMN_COUNT };
    static const Column FILE_COLUMNS[FILE_COLUMN_COUNT] = {
        [SOURCES] = { "sources", CELL_MAP },
        [AS_OF] = { "as_of", CELL_TEXT },
        [VERSIONS] = { "versions", CELL_LIST },
        [SYSTEMS] = { "systems", CELL_LIST },
    };
    const Data *cells[FILE_COLUMN_COUNT];
    if (!read_columns(generator, STR("kubernetes.yaml"), FILE_COLUMNS, FILE_COLUMN_COUNT, cells)) {
        return;
    }
    put(&generator->tables, "const KubernetesRow KUBERNETES_ROWS[] = {\n");
    for (uint32_t i = 0; i < cells[VERSIONS]->count; i++) {
        put_row(generator, cells[VERSIONS]->items[i], cells[AS_OF]->string);
    }
    put(&generator->tables, "};\nconst int KUBERNETES_ROW_COUNT = %" PRIu32 ";\n\n", cells[VERSIONS]->count);
    put(&generator->tables, "const SystemRow SYSTEM_ROWS[] = {\n");
    for (uint32_t i = 0; i < cells[SYSTEMS]->count; i++) {
        put_system(generator, cells[SYSTEMS]->items[i]);
    }
    put(&generator->tables, "};\nconst int SYSTEM_ROW_COUNT = %" PRIu32 ";\n\n", cells[SYSTEMS]->count);
}
