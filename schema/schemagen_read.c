// Reads rows: YAML maps whose keys are held against a table of columns. A row that is not as its columns say is
// reported where it stands; callers look at the cells only of rows that are.
#include "schema/schemagen.h"

#include "compiler/base/diag.h"
#include "compiler/base/load.h"
#include "compiler/base/suggest.h"
#include "compiler/base/yaml_read.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>

void fault(Generator *generator, Span span, const char *format, ...) {
    char text[1000]; // a longer message is cut
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    report(generator->session, span, DIAG(schema_fault), text);
}

// ---- files -----------------------------------------------------------------------------------------------------

const Data *read_file(Generator *generator, Str path) {
    const Str full = str_format(generator->arena, "%.*s/%.*s", STR_ARG(generator->directory), STR_ARG(path));
    const uint32_t source = source_load(generator->session, full, SPAN_NONE);
    if (source == 0) {
        return NULL;
    }
    const uint32_t errors = generator->session->diags.error_count;
    const Data *data = yaml_read(generator->session, source);
    if (generator->session->diags.error_count != errors) {
        return NULL;
    }
    if (data == NULL || data->kind != DATA_MAP) {
        fault(generator, (Span){ .source = source }, "a schema file is a map");
        return NULL;
    }
    return data;
}

static int compare_names(const void *a, const void *b) {
    return str_compare(*(const Str *)a, *(const Str *)b);
}

Names list_files(Generator *generator, const char *folder) {
    Names names = { 0 };
    const Str path = str_format(generator->arena, "%.*s/%s", STR_ARG(generator->directory), folder);
    DIR *directory = opendir(str_c(generator->arena, path));
    if (directory == NULL) {
        die("cannot read `%.*s`: %s", STR_ARG(path), strerror(errno));
    }
    const Str ending = STR(".yaml");
    for (const struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
        const Str name = str_of(entry->d_name);
        if (name.len > ending.len && name.data[0] != '.' && str_ends_with(name, ending)) {
            vec_push(generator->arena, &names, str_copy(generator->arena, str_slice(name, 0, name.len - ending.len)));
        }
    }
    closedir(directory);
    if (names.count > 1) {
        qsort(names.items, names.count, sizeof(names.items[0]), compare_names);
    }
    return names;
}

// ---- cells -----------------------------------------------------------------------------------------------------

bool cell_is(const Data *cell, const char *word) {
    return cell != NULL && cell->kind == DATA_STRING && str_is(cell->string, word);
}

static unsigned cell_kind(const Data *cell) {
    switch (cell->kind) {
    case DATA_NULL:
        return CELL_NULL;
    case DATA_BOOL:
        return CELL_BOOL;
    case DATA_INT:
        return CELL_INT;
    case DATA_REAL:
        return CELL_REAL;
    case DATA_STRING:
        return str_is(cell->string, "none") ? CELL_NONE | CELL_TEXT : CELL_TEXT;
    case DATA_LIST:
        return CELL_LIST;
    case DATA_MAP:
        return CELL_MAP;
    }
    assert(false);
    return 0;
}

static Str describe_kinds(Generator *generator, unsigned kinds) {
    static const Word NAMES[] = {
        { "null", NULL },     { "`none`", NULL }, { "true or false", NULL }, { "a whole number", NULL },
        { "a number", NULL }, { "text", NULL },   { "a list", NULL },        { "a map", NULL },
    };
    StrBuf text = { .arena = generator->arena };
    for (size_t i = 0; i < COUNT_OF(NAMES); i++) {
        if ((kinds & (1u << i)) != 0) {
            put(&text, "%s%s", text.len == 0 ? "" : " or ", NAMES[i].word);
        }
    }
    return strbuf_str(&text);
}

static bool is_column(Str key, const Column *columns, int count) {
    for (int i = 0; i < count; i++) {
        if (str_is(key, columns[i].name)) {
            return true;
        }
    }
    return false;
}

void check_keys(Generator *generator, Str name, const Data *map, const Column *columns, int count) {
    for (uint32_t i = 0; i < map->count; i++) {
        const Str key = map->entries[i].key;
        if (is_column(key, columns, count)) {
            continue;
        }
        Suggestion suggestion = { .name = key };
        for (int j = 0; j < count; j++) {
            suggest_offer(&suggestion, str_of(columns[j].name));
        }
        if (suggestion.best.len > 0) {
            fault(generator, map->entries[i].key_span, "%.*s has no `%.*s`; did you mean `%.*s`?", STR_ARG(name),
                  STR_ARG(key), STR_ARG(suggestion.best));
        } else {
            fault(generator, map->entries[i].key_span, "%.*s has no `%.*s`", STR_ARG(name), STR_ARG(key));
        }
    }
}

bool read_cells(Generator *generator, Str name, Span span, const Data *row, const Data *common, const Column *columns,
                int count, const Data **cells) {
    const uint32_t errors = generator->session->diags.error_count;
    if (row->kind != DATA_MAP) {
        fault(generator, span, "%.*s is not a map", STR_ARG(name));
        return false;
    }
    check_keys(generator, name, row, columns, count);
    for (int i = 0; i < count; i++) {
        const Data *own = data_get(row, columns[i].name);
        const Data *shared = common == NULL ? NULL : data_get(common, columns[i].name);
        cells[i] = own != NULL ? own : shared;
        if (own != NULL && shared != NULL) {
            fault(generator, own->span, "`%s` of %.*s stands in `common` too", columns[i].name, STR_ARG(name));
        } else if (cells[i] == NULL) {
            if ((columns[i].takes & CELL_OPTIONAL) == 0) {
                fault(generator, span, "%.*s lacks `%s`", STR_ARG(name), columns[i].name);
            }
        } else if ((cell_kind(cells[i]) & columns[i].takes) == 0) {
            const Str wanted = describe_kinds(generator, columns[i].takes);
            fault(generator, cells[i]->span, "`%s` of %.*s is to be %.*s", columns[i].name, STR_ARG(name),
                  STR_ARG(wanted));
        }
    }
    return generator->session->diags.error_count == errors;
}

const char *read_word(Generator *generator, const Data *cell, const char *what, const Word *words, int count) {
    StrBuf allowed = { .arena = generator->arena };
    for (int i = 0; i < count; i++) {
        if (cell_is(cell, words[i].word)) {
            return words[i].c;
        }
        put(&allowed, "%s`%s`", i == 0 ? "" : i + 1 == count ? " or " : ", ", words[i].word);
    }
    const Str found = cell->kind == DATA_STRING ? cell->string : STR("this");
    fault(generator, cell->span, "`%.*s` is no %s: it is %.*s", STR_ARG(found), what, STR_ARG(strbuf_str(&allowed)));
    return NULL;
}

int64_t read_int(Generator *generator, const Data *cell, const char *what, int64_t least, int64_t most) {
    if (cell->kind == DATA_NULL) {
        return UNKNOWN_CELL;
    }
    if (cell->kind != DATA_INT || cell->integer < least || cell->integer > most) {
        fault(generator, cell->span, "%s is a whole number from %" PRId64 " to %" PRId64, what, least, most);
        return least;
    }
    return cell->integer;
}

int read_digits(Str text, size_t *offset) {
    enum { MOST = 1000000 };
    int value = 0;
    const size_t start = *offset;
    while (*offset < text.len && text.data[*offset] >= '0' && text.data[*offset] <= '9') {
        if (value >= MOST) {
            return -1;
        }
        value = value * 10 + (text.data[*offset] - '0');
        (*offset)++;
    }
    return *offset == start ? -1 : value;
}

// ---- output ----------------------------------------------------------------------------------------------------

void put(StrBuf *out, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    assert(length >= 0);
    const size_t size = (size_t)length + 1;
    char *text = arena_alloc(out->arena, size);
    vsnprintf(text, size, format, again);
    va_end(again);
    strbuf_add(out, (Str){ .data = text, .len = size - 1 });
}

void put_string(StrBuf *out, Str text) {
    strbuf_add_char(out, '"');
    for (size_t i = 0; i < text.len; i++) {
        const char c = text.data[i];
        if (c == '"' || c == '\\' || c == '?') { // `\?`: two in a row begin a trigraph
            strbuf_add_char(out, '\\');
            strbuf_add_char(out, c);
        } else if (c == '\n') {
            strbuf_add(out, STR("\\n"));
        } else if ((unsigned char)c < ' ' || c == 0x7f) {
            put(out, "\\%03o", (unsigned)(unsigned char)c);
        } else {
            strbuf_add_char(out, c);
        }
    }
    strbuf_add_char(out, '"');
}

void put_cell_string(StrBuf *out, const Data *cell) {
    if (cell == NULL || cell->kind == DATA_NULL) {
        strbuf_add(out, STR("NULL"));
    } else {
        put_string(out, str_trim(cell->string));
    }
}

void put_truth(StrBuf *out, const Data *cell) {
    put(out, "%s", cell->kind == DATA_NULL ? "UNKNOWN" : cell->boolean ? "1" : "0");
}

void put_targets(Generator *generator, StrBuf *out, const Data *cell, unsigned *bits) {
    static const Word TARGETS[] = {
        { "network", "TARGET_NETWORK" },
        { "batch", "TARGET_BATCH" },
        { "parallelcluster", "TARGET_PARALLELCLUSTER" },
        { "eks", "TARGET_EKS" },
    };
    *bits = 0;
    for (uint32_t i = 0; cell != NULL && i < cell->count; i++) {
        const char *c = read_word(generator, cell->items[i], "target", TARGETS, COUNT_OF(TARGETS));
        for (size_t j = 0; j < COUNT_OF(TARGETS) && c != NULL; j++) {
            if (TARGETS[j].c == c && (*bits & (1u << j)) != 0) {
                fault(generator, cell->items[i]->span, "`%s` is there twice", TARGETS[j].word);
            }
            *bits |= TARGETS[j].c == c ? 1u << j : 0;
        }
    }
    const char *separator = "";
    for (size_t j = 0; j < COUNT_OF(TARGETS); j++) {
        if ((*bits & (1u << j)) != 0) {
            put(out, "%s%s", separator, TARGETS[j].c);
            separator = " | ";
        }
    }
    if (*bits == 0) {
        strbuf_add(out, STR("0"));
    }
}

TargetBits put_target_sets(Generator *generator, StrBuf *out, Str name, Span span, const Data *now, const Data *later,
                           const TargetBits *outer) {
    const Span first = now != NULL ? now->span : span;
    TargetBits bits;
    put(out, ".targets = ");
    put_targets(generator, out, now, &bits.now);
    put(out, ", .later = ");
    put_targets(generator, out, later, &bits.later);
    if ((bits.now & bits.later) != 0) {
        fault(generator, later->span, "`%.*s` has a target under `targets` and under `later`", STR_ARG(name));
    }
    if ((bits.now | bits.later) == 0) {
        fault(generator, first, "`%.*s` is for no target", STR_ARG(name));
    }
    if (outer != NULL && ((bits.now & ~outer->now) != 0 || (bits.later & ~(outer->now | outer->later)) != 0)) {
        fault(generator, first, "`%.*s` has a target that its %s does not have", STR_ARG(name), outer->whole);
    }
    return bits;
}
