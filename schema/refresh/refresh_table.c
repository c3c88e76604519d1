// A table whose rows are single lines, or entries of one map: edits of its text, which other lines survive.
#include "schema/refresh/refresh_table.h"

enum { LINE_CHARACTERS = 120 };

size_t line_start(Str text, size_t offset) {
    while (offset > 0 && text.data[offset - 1] != '\n') {
        offset--;
    }
    return offset;
}

size_t line_end(Str text, size_t offset) {
    offset = str_find(text, STR("\n"), offset);
    return offset < text.len ? offset + 1 : offset;
}

size_t entry_end(Str text, size_t offset, int indent) {
    size_t end = line_end(text, offset);
    const char *const blanks = "                ";
    const Str deeper = { .data = blanks, .len = (size_t)indent + 1 };
    while (str_starts_with(str_slice(text, end, text.len), deeper)) {
        end = line_end(text, end);
    }
    return end;
}

bool table_open(Refresh *refresh, const char *path, Table *table) {
    *table = (Table){ .refresh = refresh, .path = str_of(path) };
    if (rows_text(refresh, table->path, &table->text, &table->file)) {
        return true;
    }
    if (!has_errors(refresh->session)) {
        cell_fault(refresh->session, SPAN_NONE, "there is no `%.*s/%s`", STR_ARG(refresh->schema), path);
    }
    return false;
}

static Str joined(const Table *table, Str first, Str second) {
    return str_format(table->refresh->arena, "%.*s%.*s", STR_ARG(first), STR_ARG(second));
}

void table_replace(Table *table, size_t start, size_t end, Str replacement) {
    Arena *arena = table->refresh->arena;
    const Edit edit = { .start = (uint32_t)start, .end = (uint32_t)end, .replacement = replacement };
    if (start < end) {
        if (!edits_add(arena, &table->edits, edit)) {
            const Span at = { .source = table->file->span.source, .start = edit.start, .end = edit.end };
            cell_fault(table->refresh->session, at, "a dump names this row more than once, and not alike");
        }
        return;
    }
    for (uint32_t i = 0; i < table->inserts.count; i++) {
        Edit *other = &table->inserts.items[i];
        if (other->start == start) {
            other->replacement = joined(table, other->replacement, replacement);
            return;
        }
    }
    vec_push(arena, &table->inserts, edit);
}

// Two edits that touch clash, so that lines which are added beside a row that changes become part of its edit.
static void join_insert(Table *table, const Edit *insert) {
    for (uint32_t i = 0; i < table->edits.count; i++) {
        Edit *edit = &table->edits.items[i];
        if (edit->end == insert->start || edit->start == insert->start) {
            edit->replacement = edit->end == insert->start ? joined(table, edit->replacement, insert->replacement)
                                                           : joined(table, insert->replacement, edit->replacement);
            return;
        }
    }
    edits_add(table->refresh->arena, &table->edits, *insert);
}

Str table_text(Table *table) {
    for (uint32_t i = 0; i < table->inserts.count; i++) {
        join_insert(table, &table->inserts.items[i]);
    }
    return edits_apply(table->refresh->arena, table->text, &table->edits);
}

void table_put_source(Table *table, const char *key, const char *source) {
    const Data *sources = data_get(table->file, "sources");
    if (sources == NULL || sources->kind != DATA_MAP || sources->count == 0) {
        return;
    }
    StrBuf lines = { .arena = table->refresh->arena };
    put_quoted(&lines, 2, key, str_of(source));
    size_t start = 0;
    size_t end = 0;
    for (uint32_t i = 0; i < sources->count; i++) {
        const DataEntry *entry = &sources->entries[i];
        start = line_start(table->text, entry->key_span.start);
        end = entry_end(table->text, start, 2);
        if (str_is(entry->key, key)) {
            if (!str_is(one_line(table->refresh->arena, entry->value->string), source)) {
                table_replace(table, start, end, strbuf_str(&lines));
            }
            return;
        }
    }
    table_replace(table, end, end, strbuf_str(&lines));
}

bool table_source(Table *table, const char *key, const char *dump) {
    const char *source = dump_source(table->refresh, dump);
    if (source != NULL) {
        table_put_source(table, key, source);
    }
    return source != NULL;
}

void table_close(Table *table) {
    change_add(table->refresh, table->path, table->text, table_text(table));
}

void put_list(StrBuf *out, int indent, const char *name, const Texts *texts) {
    StrBuf line = { .arena = out->arena };
    strbuf_add_repeated(&line, ' ', (size_t)indent);
    strbuf_add_format(&line, "%s: [", name);
    size_t whole = line.len;
    for (uint32_t i = 0; i < texts->count; i++) {
        whole += texts->items[i].len + 2;
    }
    if (whole > LINE_CHARACTERS + 1) {
        strbuf_add_repeated(out, ' ', (size_t)indent);
        strbuf_add_format(out, "%s:\n", name);
        line.len = 0;
        strbuf_add_repeated(&line, ' ', (size_t)indent + 2);
        strbuf_add_char(&line, '[');
    }
    for (uint32_t i = 0; i < texts->count; i++) {
        const Str text = texts->items[i];
        const size_t width = text.len + 1 + (i == 0 ? 0 : 1);
        if (i > 0 && line.len + width > LINE_CHARACTERS) {
            strbuf_add(out, strbuf_str(&line));
            strbuf_add_char(out, '\n');
            line.len = 0;
            strbuf_add_repeated(&line, ' ', (size_t)indent + 2);
        } else if (i > 0) {
            strbuf_add_char(&line, ' ');
        }
        strbuf_add_format(&line, "%.*s%s", STR_ARG(text), i + 1 < texts->count ? "," : "]\n");
    }
    if (texts->count == 0) {
        strbuf_add(&line, STR("]\n"));
    }
    strbuf_add(out, strbuf_str(&line));
}
