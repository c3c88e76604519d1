// The sources that rows name -> sources.tsv. Each source ends with its own date and with the month in which it was
// read, so that a script can tell which tables grow old:
//
//     getmoto/moto@0af643a5 moto/ec2/resources/instance_types.json, 2026-08-02, read 2026-11
//
// A third word, `final`, says that the source cannot change: a standard, a measurement, a report. What dtc decides by
// itself begins with the word `dtc`, and needs no date.
#include "schema/row_source.h"
#include "schema/generator/schemagen.h"

#include "compiler/base/diag/diag.h"
#include "compiler/base/load.h"

typedef struct {
    Generator *generator;
    Str path;
    const Data *named; // the file's `sources`, which rows name by their keys; NULL without
    uint32_t count;
} Table;

static void add_source(Table *table, Str key, Str whole, Span span) {
    SourceText source;
    table->count++;
    switch (source_read(whole, &source)) {
    case SOURCE_DATED:
        put(&table->generator->sources, "%.*s\t%.*s\t%.*s\t%.*s\t%s\t%.*s\n", STR_ARG(table->path), STR_ARG(key),
            STR_ARG(source.dated), STR_ARG(source.read), source.is_final ? "final" : "changes", STR_ARG(source.text));
        break;
    case SOURCE_OWN:
        break;
    case SOURCE_TOO_YOUNG:
        cell_fault(table->generator->session, span, "the source is younger than the month it was read in");
        break;
    case SOURCE_WITHOUT_DATES:
        cell_fault(table->generator->session, span,
                   "a source ends with its date and with the month it was read in: `…, 2026-08-21, read 2026-11`");
        break;
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
