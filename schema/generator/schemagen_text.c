// What the nouns share: the files below the schema's directory, words that become C, and C as text. Rows and their
// cells are read by row_cells.c, which dtc has too.
#include "schema/generator/schemagen.h"

#include "compiler/base/diag/diag.h"
#include "compiler/base/die.h"
#include "compiler/base/load.h"
#include "compiler/base/yaml_read.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>

// ---- files -----------------------------------------------------------------------------------------------------

// A file below the schema's directory as a map; NULL where it is none, which is reported. A table is such a file whose
// rows have sources.
static const Data *read_file(Generator *generator, Str path) {
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
        cell_fault(generator->session, (Span){ .source = source }, "a schema file is a map");
        return NULL;
    }
    return data;
}

const Data *read_table(Generator *generator, Str path) {
    const Data *file = read_file(generator, path);
    if (file != NULL) {
        read_sources(generator, path, file);
    }
    return file;
}

bool read_columns(Generator *generator, Str path, const Column *columns, int count, const Data **cells) {
    const Data *file = read_table(generator, path);
    return file != NULL &&
           cells_read(generator->session, STR("the file"), file->span, file, NULL, columns, count, cells);
}

static int compare_names(const void *a, const void *b) {
    return str_compare(*(const Str *)a, *(const Str *)b);
}

Names list_files(Generator *generator, const char *folder, const char *ending_text) {
    Names names = { 0 };
    const Str path = str_format(generator->arena, "%.*s/%s", STR_ARG(generator->directory), folder);
    DIR *directory = opendir(str_c(generator->arena, path));
    if (directory == NULL) {
        die("cannot read `%.*s`: %s", STR_ARG(path), strerror(errno));
    }
    const Str ending = str_of(ending_text);
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

const char *read_word(Generator *generator, const Data *cell, const char *what, const Word *words, int count) {
    const char **spellings = arena_new_array(generator->arena, const char *, (size_t)count);
    for (int i = 0; i < count; i++) {
        spellings[i] = words[i].word;
    }
    const int word = cell_word(generator->session, cell, what, spellings, count);
    return word < 0 ? NULL : words[word].c;
}

const char *read_accelerator(Generator *generator, const Data *cell, const char *what) {
    static const Word WORDS[] = {
        { "none", "ACCELERATOR_NONE" },
        { "nvidia", "ACCELERATOR_NVIDIA" },
        { "neuron", "ACCELERATOR_NEURON" },
    };
    return read_word(generator, cell, what, WORDS, COUNT_OF(WORDS));
}

const char *read_architecture(Generator *generator, const Data *cell) {
    static const Word WORDS[] = {
        { "x86_64", "ARCHITECTURE_X86_64" },
        { "arm64", "ARCHITECTURE_ARM64" },
    };
    return read_word(generator, cell, "architecture", WORDS, COUNT_OF(WORDS));
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

// The TargetSet of a list of target names, as C; reports an unknown one. `*bits` is a set of them, for comparisons.
static void put_targets(Generator *generator, StrBuf *out, const Data *cell, unsigned *bits) {
    static const Word TARGETS[] = {
#define TARGET(NAME, word) { word, "TARGET_" #NAME },
#include "schema/targets.def"
    };
    *bits = 0;
    for (uint32_t i = 0; cell != NULL && i < cell->count; i++) {
        const char *c = read_word(generator, cell->items[i], "target", TARGETS, COUNT_OF(TARGETS));
        for (size_t j = 0; j < COUNT_OF(TARGETS) && c != NULL; j++) {
            if (TARGETS[j].c == c && (*bits & (1u << j)) != 0) {
                cell_fault(generator->session, cell->items[i]->span, "`%s` is there twice", TARGETS[j].word);
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
        cell_fault(generator->session, later->span, "`%.*s` has a target under `targets` and under `later`",
                   STR_ARG(name));
    }
    if ((bits.now | bits.later) == 0) {
        cell_fault(generator->session, first, "`%.*s` is for no target", STR_ARG(name));
    }
    if (outer != NULL && ((bits.now & ~outer->now) != 0 || (bits.later & ~(outer->now | outer->later)) != 0)) {
        cell_fault(generator->session, first, "`%.*s` has a target that its %s does not have", STR_ARG(name),
                   outer->whole);
    }
    return bits;
}
