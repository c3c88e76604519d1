// Compares the output of `aws eks describe-cluster-versions --include-all` with the versions of kubernetes.yaml.
#include "schema/refresh/refresh_table.h"

typedef struct {
    const char *column;
    const char *key; // of EKS
} DateColumn;

static const DateColumn DATES[] = {
    { "released", "releaseDate" },
    { "standard_end", "endOfStandardSupportDate" },
    { "extended_end", "endOfExtendedSupportDate" },
};

// "1.36" as a number that sorts; -1, reported, where it is no version. `key` is of `entry`.
static int64_t version_of(Refresh *refresh, const Data *entry, const char *key) {
    enum { MINORS = 1000 };
    size_t offset = 0;
    const Str text = data_text(entry, key);
    const int major = read_digits(text, &offset);
    const bool has_dot = offset < text.len && text.data[offset] == '.';
    offset++;
    const int minor = has_dot ? read_digits(text, &offset) : -1;
    const bool is_number = major >= 0 && minor >= 0 && minor < MINORS;
    if (!is_number || !str_equal(text, str_format(refresh->arena, "%d.%d", major, minor))) { // nor "1.036"
        const Data *version = data_get(entry, key);
        cell_fault(refresh->session, version == NULL ? entry->span : version->span,
                   "`%s` is to be a text such as \"1.36\"", key);
        return -1;
    }
    return (int64_t)major * MINORS + minor;
}

// Whether two digits are a number within bounds.
static bool is_in(Str text, size_t at, int least, int most) {
    const int number = (text.data[at] - '0') * 10 + (text.data[at + 1] - '0');
    return number >= least && number <= most;
}

// The day of "2026-06-02T00:00:00+00:00"; empty where EKS does not say, and where it is no day, which is reported.
static Str day_of(Refresh *refresh, const Data *version, const char *key) {
    enum { DAY = 10 };
    const Data *value = data_get(version, key);
    if (value == NULL || value->kind == DATA_NULL) {
        return STR_NONE;
    }
    bool is_day = value->kind == DATA_STRING && value->string.len >= DAY;
    for (size_t i = 0; is_day && i < DAY; i++) {
        const char c = value->string.data[i];
        is_day = i == 4 || i == 7 ? c == '-' : c >= '0' && c <= '9';
    }
    is_day = is_day && is_in(value->string, 5, 1, 12) && is_in(value->string, 8, 1, 31);
    if (!is_day) {
        cell_fault(refresh->session, value->span, "`%s` is to be a day such as \"2026-06-02\"", key);
        return STR_NONE;
    }
    return str_slice(value->string, 0, DAY);
}

// The row of a version; what EKS does not say is taken from `row`, or is null where that is NULL.
static Str row_of(Refresh *refresh, const Data *version, const Data *row) {
    StrBuf out = { .arena = refresh->arena };
    strbuf_add_format(&out, "  - { version: \"%.*s\"", STR_ARG(data_text(version, "clusterVersion")));
    for (size_t i = 0; i < COUNT_OF(DATES); i++) {
        const Str day = day_of(refresh, version, DATES[i].key);
        const Str known = day.len > 0 ? day : data_text(row, DATES[i].column);
        const char *const quote = known.len > 0 ? "\"" : "";
        strbuf_add_format(&out, ", %s: %s%.*s%s", DATES[i].column, quote, STR_ARG(known.len > 0 ? known : STR("null")),
                          quote);
    }
    strbuf_add(&out, STR(" }\n"));
    return strbuf_str(&out);
}

static void place_version(Table *table, const Data *version) {
    Refresh *refresh = table->refresh;
    const int64_t number = version_of(refresh, version, "clusterVersion");
    const Data *rows = data_get(table->file, "versions");
    size_t place = 0; // newest first
    for (uint32_t i = 0; number >= 0 && i < rows->count; i++) {
        const Data *row = rows->items[i];
        const int64_t known = version_of(refresh, row, "version");
        if (known < 0) {
            return;
        }
        const size_t start = line_start(table->text, row->entries[0].key_span.start);
        const size_t end = line_end(table->text, start);
        if (known == number) {
            const Str news = row_of(refresh, version, row);
            if (!str_equal(news, str_slice(table->text, start, end))) {
                table_replace(table, start, end, news);
            }
            return;
        }
        if (known < number) {
            table_replace(table, start, start, row_of(refresh, version, NULL));
            return;
        }
        place = end;
    }
    if (number >= 0 && place > 0) {
        table_replace(table, place, place, row_of(refresh, version, NULL));
    }
}

static int compare_versions(const void *a, const void *b) {
    const Data *const *left = a;
    const Data *const *right = b;
    const Str before = data_text(*left, "clusterVersion");
    const Str after = data_text(*right, "clusterVersion");
    return before.len != after.len ? (before.len < after.len) - (before.len > after.len) : -str_compare(before, after);
}

void refresh_kubernetes(Refresh *refresh) {
    const Data *dump = dump_read(refresh, "cluster-versions.json");
    if (dump == NULL) {
        return;
    }
    const Data *versions = data_get(dump, "clusterVersions");
    Table table;
    if (versions == NULL || versions->kind != DATA_LIST) {
        cell_fault(refresh->session, dump->span,
                   "this is not what `aws eks describe-cluster-versions` prints: there is no list `clusterVersions`");
        return;
    }
    if (!table_open(refresh, "kubernetes.yaml", &table) || !table_source(&table, "calendar", "cluster-versions")) {
        return;
    }
    const Data *rows = data_get(table.file, "versions");
    if (rows == NULL || rows->kind != DATA_LIST || rows->count == 0) {
        cell_fault(refresh->session, table.file->span, "`versions` is a list of rows");
        return;
    }
    if (versions->count > 1) { // newest first, as the rows are
        qsort(versions->items, versions->count, sizeof(versions->items[0]), compare_versions);
    }
    for (uint32_t i = 0; i < versions->count; i++) {
        const Data *version = versions->items[i];
        if (i > 0 &&
            str_equal(data_text(version, "clusterVersion"), data_text(versions->items[i - 1], "clusterVersion"))) {
            cell_fault(refresh->session, version->span, "the version is there twice");
        } else {
            place_version(&table, version);
        }
    }
    table_close(&table);
}
