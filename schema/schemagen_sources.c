// The sources that rows name -> sources.tsv. Each source ends with its own date and with the month in which it was
// read, so that a script can tell which tables grow old:
//
//     getmoto/moto@0af643a5 moto/ec2/resources/instance_types.json, 2026-08-02, read 2026-11
//
// A third word, `final`, says that the source cannot change: a standard, a measurement, a report. What dtc decides by
// itself begins with the word `dtc`, and needs no date.
#include "schema/schemagen.h"

#include "compiler/base/diag.h"
#include "compiler/base/load.h"

enum { MONTH_LENGTH = 7, DAY_LENGTH = 10 };

typedef struct {
    Generator *generator;
    Str path;
    const Data *named; // the file's `sources`, which rows name by their keys; NULL without
    uint32_t count;
} Table;

// `2026-08`, or `2026-08-02` where `longest` has room for it.
static bool is_date(Str text, size_t longest) {
    if (text.len > longest || (text.len != MONTH_LENGTH && text.len != DAY_LENGTH)) {
        return false;
    }
    for (size_t i = 0; i < text.len; i++) {
        const char c = text.data[i];
        if (i == 4 || i == MONTH_LENGTH ? c != '-' : c < '0' || c > '9') {
            return false;
        }
    }
    const int month = (text.data[5] - '0') * 10 + (text.data[6] - '0');
    return month >= 1 && month <= 12;
}

// Takes the last part behind a comma off `*text`.
static Str take_last(Str *text) {
    size_t start = text->len;
    while (start > 0 && text->data[start - 1] != ',') {
        start--;
    }
    const Str last = str_trim(str_slice(*text, start, text->len));
    *text = str_trim(str_slice(*text, 0, start == 0 ? 0 : start - 1));
    return last;
}

static bool is_own(Str text) {
    return str_is(text, "dtc") || str_starts_with(text, STR("dtc;")) || str_starts_with(text, STR("dtc,"));
}

static void add_source(Table *table, Str key, Str whole, Span span) {
    Str text = str_trim(whole);
    table->count++;
    const bool is_ours = is_own(text);
    Str last = take_last(&text);
    const bool is_final = str_is(last, "final");
    last = is_final ? take_last(&text) : last;
    const Str prefix = STR("read ");
    const Str read = str_starts_with(last, prefix) ? str_slice(last, prefix.len, last.len) : STR_NONE;
    const Str dated = take_last(&text);
    if (is_date(dated, DAY_LENGTH) && is_date(read, MONTH_LENGTH) && text.len > 0) {
        if (str_compare(str_slice(dated, 0, MONTH_LENGTH), read) > 0) {
            cell_fault(table->generator->session, span, "the source is younger than the month it was read in");
        }
        put(&table->generator->sources, "%.*s\t%.*s\t%.*s\t%.*s\t%s\t%.*s\n", STR_ARG(table->path), STR_ARG(key),
            STR_ARG(dated), STR_ARG(read), is_final ? "final" : "changes", STR_ARG(text));
    } else if (!is_ours) {
        cell_fault(table->generator->session, span,
                   "a source ends with its date and with the month it was read in: `…, 2026-08-21, read 2026-11`");
    }
}

static void find_sources(Table *table, Str name, const Data *data) {
    for (uint32_t i = 0; data->kind == DATA_LIST && i < data->count; i++) {
        find_sources(table, name, data->items[i]);
    }
    for (uint32_t i = 0; data->kind == DATA_MAP && i < data->count; i++) {
        const DataEntry *entry = &data->entries[i];
        const bool is_source = str_is(entry->key, "source") || str_ends_with(entry->key, STR("_source"));
        if (!is_source || entry->value->kind != DATA_STRING) {
            find_sources(table, entry->key, entry->value);
        } else if (table->named == NULL) {
            add_source(table, str_is(entry->key, "source") ? name : entry->key, entry->value->string,
                       entry->value->span);
        }
    }
}

void read_sources(Generator *generator, Str path, const Data *file) {
    Table table = { .generator = generator, .path = path, .named = data_get(file, "sources") };
    for (uint32_t i = 0; table.named != NULL && table.named->kind == DATA_MAP && i < table.named->count; i++) {
        const DataEntry *entry = &table.named->entries[i];
        if (entry->value->kind == DATA_STRING) {
            add_source(&table, entry->key, entry->value->string, entry->value->span);
        }
    }
    find_sources(&table, STR("table"), file);
    if (table.count == 0 && !str_starts_with(path, STR("kinds/"))) { // most of a kind is the language's own
        cell_fault(generator->session, file->span, "a table names its source");
    }
}

static void read_comments(Generator *generator, Str name) {
    const Str path = str_format(generator->arena, "%.*s.def", STR_ARG(name));
    const Str full = str_format(generator->arena, "%.*s/%.*s", STR_ARG(generator->directory), STR_ARG(path));
    const uint32_t source = source_load(generator->session, full, SPAN_NONE);
    if (source == 0) {
        return;
    }
    const Str text = source_get(generator->session, source)->text;
    const Str prefix = STR("// source: ");
    Table table = { .generator = generator, .path = path };
    for (size_t start = 0, end; start < text.len; start = end + 1) {
        end = str_find(text, STR("\n"), start);
        end = end > text.len ? text.len : end;
        const Str line = str_slice(text, start, end);
        if (str_starts_with(line, prefix)) {
            const Span span = { .source = source, .start = (uint32_t)start, .end = (uint32_t)end };
            add_source(&table, STR("table"), str_slice(line, prefix.len, line.len), span);
        }
    }
    if (table.count == 0) {
        cell_fault(generator->session, (Span){ .source = source }, "a table names its source");
    }
}

void read_commented_sources(Generator *generator) {
    const Names names = list_files(generator, ".", ".def");
    for (uint32_t i = 0; i < names.count; i++) {
        read_comments(generator, names.items[i]);
    }
}
