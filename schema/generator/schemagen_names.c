// Names with a number -> StoredName rows: sorted for a binary search, as offsets into one text.
#include "schema/generator/schemagen.h"

#include "compiler/base/diag/diag.h"

void stored_names_read(StoredNames *names, const Data *list, uint32_t number) {
    Session *session = names->generator->session;
    for (uint32_t i = 0; i < list->count; i++) {
        const Data *item = list->items[i];
        if (item->kind != DATA_STRING || item->string.len == 0) {
            cell_fault(session, item->span, "this is no name of a %s", names->what);
        } else if (str_map_add(&names->seen, item->string, item) != NULL) {
            cell_fault(session, item->span, "the %s `%.*s` is there twice", names->what, STR_ARG(item->string));
        } else {
            vec_push(names->generator->arena, &names->rows, ((NumberedName){ .name = item->string, .number = number }));
        }
    }
}

static int compare_names(const void *a, const void *b) {
    return str_compare(((const NumberedName *)a)->name, ((const NumberedName *)b)->name);
}

void stored_names_write(StoredNames *names, const char *table, const char *prefix) {
    StrBuf *out = &names->generator->tables;
    StrBuf rows = { .arena = names->generator->arena };
    size_t start = 0;
    if (names->rows.count > 1) {
        qsort(names->rows.items, names->rows.count, sizeof(names->rows.items[0]), compare_names);
    }
    put(out, "const char %s_TEXTS[] = \"\"\n", prefix);
    for (uint32_t i = 0; i < names->rows.count; i++) {
        const NumberedName *row = &names->rows.items[i];
        put(out, "    \"%.*s\\0\"\n", STR_ARG(row->name));
        put(&rows, "    { %zu, %" PRIu32 " },\n", start, row->number);
        start += row->name.len + 1;
    }
    put(out, ";\n\nconst StoredName %s[] = {\n", table);
    strbuf_add(out, strbuf_str(&rows));
    put(out, "};\nconst int %s_ROW_COUNT = %" PRIu32 ";\n\n", prefix, names->rows.count);
}
