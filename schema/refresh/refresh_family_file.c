// The file of a family: its rows with the text of each cell, and the text that it becomes.
#include "schema/refresh/refresh_family.h"
#include "schema/refresh/refresh_table.h"

// ---- reading ---------------------------------------------------------------------------------------------------

// Without the lines at its end that are empty or comments.
static size_t end_of_rows(Str text, size_t start, size_t end) {
    while (end > start) {
        const size_t line = line_start(text, end - 1);
        const Str last = str_trim(str_slice(text, line, end));
        if (last.len > 0 && last.data[0] != '#') {
            break;
        }
        end = line;
    }
    return end;
}

static void read_cells(Family *family, const Data *map, size_t end, Str *cells) {
    for (uint32_t i = 0; map != NULL && map->kind == DATA_MAP && i < map->count; i++) {
        for (int column = 0; column < COLUMN_COUNT; column++) {
            if (str_is(map->entries[i].key, INSTANCE_COLUMNS[column].name)) {
                cells[column] = entry_text(family->arena, family->text, map, i, end);
            }
        }
    }
}

static void read_drafts(Family *family, const ReadInstances *rows) {
    const Data *types = data_get(family->file, "types");
    size_t before = types->count == 0 ? family->text.len : line_start(family->text, types->entries[0].key_span.start);
    for (uint32_t i = 0; i < types->count; i++) {
        const DataEntry *entry = &types->entries[i];
        const size_t start = line_start(family->text, entry->key_span.start);
        const size_t next =
            i + 1 < types->count ? line_start(family->text, types->entries[i + 1].key_span.start) : family->text.len;
        const size_t end = end_of_rows(family->text, start, next);
        Draft draft = { .name = entry->key,
                        .row = rows->items[i].row,
                        .cells = entry->value,
                        .key = entry->key_span,
                        .raw = str_slice(family->text, start, end),
                        .lead = str_slice(family->text, before, start) };
        const Str raw = str_trim(draft.raw);
        draft.is_block = raw.data[raw.len - 1] != '}' || str_find(raw, STR("{"), 0) > str_find(raw, STR("\n"), 0);
        read_cells(family, entry->value, draft.is_block ? end : start + str_find(draft.raw, raw, 0) + raw.len - 1,
                   draft.text);
        vec_push(family->arena, &family->drafts, draft);
        before = end;
    }
}

bool family_read(Family *family) {
    Refresh *refresh = family->refresh;
    const uint32_t errors = refresh->session->diags.error_count;
    if (!rows_text(refresh, family->path, &family->text, &family->file)) {
        return refresh->session->diags.error_count == errors;
    }
    ReadInstances rows = { 0 };
    rows_read(refresh->session, family->file, &rows);
    if (refresh->session->diags.error_count != errors) {
        return false;
    }
    const Data *file = family->file;
    family->common = data_get(file, "common");
    for (uint32_t i = 0; family->common != NULL && i < file->count; i++) {
        if (file->entries[i].value == family->common) {
            const size_t end =
                i + 1 < file->count ? line_start(family->text, file->entries[i + 1].key_span.start) : family->text.len;
            read_cells(family, family->common, end_of_rows(family->text, 0, end), family->shared);
        }
    }
    read_drafts(family, &rows);
    return true;
}

// ---- writing ---------------------------------------------------------------------------------------------------

// The place of an entry of the file, from its line on up to the next entry.
static Edit entry_range(const Family *family, const char *key) {
    const Data *file = family->file;
    for (uint32_t i = 0; i < file->count; i++) {
        if (str_is(file->entries[i].key, key)) {
            const size_t start = line_start(family->text, file->entries[i].key_span.start);
            const size_t end =
                i + 1 < file->count ? line_start(family->text, file->entries[i + 1].key_span.start) : family->text.len;
            return (Edit){ .start = (uint32_t)start, .end = (uint32_t)end };
        }
    }
    return (Edit){ 0 };
}

static void edit_common(Family *family, Edits *edits) {
    const Data *common = family->common;
    Edits inner = { 0 };
    uint32_t left = 0;
    for (uint32_t i = 0; common != NULL && i < common->count; i++) {
        for (int column = 0; column < COLUMN_COUNT; column++) {
            const Str news = family->shared_news[column];
            const bool is_other = news.len > 0 && !str_equal(news, family->shared[column]);
            if (!str_is(common->entries[i].key, INSTANCE_COLUMNS[column].name) ||
                (!family->has_left[column] && !is_other)) {
                continue;
            }
            StrBuf line = { .arena = family->arena };
            if (is_other) {
                put_column_line(&line, 2, INSTANCE_COLUMNS[column].name, news);
            }
            left += family->has_left[column] ? 1 : 0;
            const size_t start = line_start(family->text, common->entries[i].key_span.start);
            edits_add(family->arena, &inner,
                      (Edit){ .start = (uint32_t)start,
                              .end = (uint32_t)entry_end(family->text, start, 2),
                              .replacement = strbuf_str(&line) });
        }
    }
    if (common != NULL && left == common->count) { // nothing is shared any more
        edits_add(family->arena, edits, entry_range(family, "common"));
        return;
    }
    for (uint32_t i = 0; i < inner.count; i++) {
        edits_add(family->arena, edits, inner.items[i]);
    }
}

Str family_changed_file(Family *family, const char *list) {
    Table table = { .refresh = family->refresh, .path = family->path, .text = family->text, .file = family->file };
    if (family->is_source_new) {
        table_put_source(&table, str_c(family->arena, family->source_key), family->source);
    }
    if (family->is_list_new) {
        table_put_source(&table, str_c(family->arena, family->list_key), list);
    }
    edit_common(family, &table.edits);
    const Data *types = data_get(family->file, "types");
    const size_t start = line_start(family->text, types->entries[0].key_span.start);
    const size_t last = types->entries[types->count - 1].key_span.start;
    const size_t end = end_of_rows(family->text, last, family->text.len);
    const Edit rows = { .start = (uint32_t)start,
                        .end = (uint32_t)end,
                        .replacement = drafts_layout(family->arena, &family->drafts) };
    edits_add(family->arena, &table.edits, rows);
    return table_text(&table);
}

static void put_common(const Family *family, StrBuf *out) {
    StrBuf lines = { .arena = family->arena };
    for (int column = 0; column < COLUMN_COUNT; column++) {
        if (family->shared_news[column].len > 0) {
            put_column_line(&lines, 2, INSTANCE_COLUMNS[column].name, family->shared_news[column]);
        }
    }
    if (lines.len > 0) {
        strbuf_add_format(out, "common:\n%.*s\n", STR_ARG(strbuf_str(&lines)));
    }
}

Str family_new_file(Family *family, const char *list) {
    StrBuf out = { .arena = family->arena };
    strbuf_add_format(&out,
                      "# EC2 instance types of the family %.*s, one row each. A column that all of them share stands "
                      "under `common`;\n# null: no source says. What the columns mean: schema/README.md.\n"
                      "family: %.*s\n\nsources:\n",
                      STR_ARG(family->name), STR_ARG(family->name));
    if (family->source_key.len > 0) {
        put_quoted(&out, 2, str_c(family->arena, family->source_key), str_of(family->source));
    }
    if (family->list_key.len > 0) {
        put_quoted(&out, 2, str_c(family->arena, family->list_key), str_of(list));
    }
    strbuf_add_char(&out, '\n');
    if (family->drafts.count > 1) {
        put_common(family, &out);
    }
    strbuf_add(&out, STR("types:\n"));
    family->drafts.items[0].is_block = family->drafts.count == 1;
    strbuf_add(&out, drafts_layout(family->arena, &family->drafts));
    return strbuf_str(&out);
}
