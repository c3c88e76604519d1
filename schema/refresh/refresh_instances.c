// Compares what EC2 describes, and the names that the SDK lists, with the files of families. A type with a row and
// without a description stays as it is.
#include "schema/refresh/refresh.h"

#include "compiler/base/die.h"

#include "compiler/base/load.h"
#include "schema/describe.h"

#include <dirent.h>
#include <errno.h>

typedef struct {
    Refresh *refresh;
    ReadInstances described;
    StrMap by_name;    // of `described` -> ReadInstance
    VEC(Str) listed;   // names of the SDK, in its order
    StrMap list;       // the same -> themselves
    VEC(Str) families; // sorted, each once
} Types;

static Str family_of(Str name) {
    return str_slice(name, 0, str_find(name, STR("."), 0));
}

// Two regions describe many types both. What they say alike is kept once.
static void keep_once(Types *types, const ReadInstance *read) {
    Refresh *refresh = types->refresh;
    const ReadInstance *other = str_map_get(&types->by_name, str_of(read->row->name));
    for (int column = 0; other != NULL && column < DESCRIBED_COLUMNS; column++) {
        const Str here = cell_of(refresh->arena, column, read, NULL);
        const Str there = cell_of(refresh->arena, column, other, NULL);
        if (!str_equal(here, there)) {
            const Place place = source_place(refresh->session, other->span.source, other->span.start);
            cell_fault(refresh->session, read->span, "`%s` of `%s` is %.*s here and %.*s in %.*s:%" PRIu32,
                       INSTANCE_COLUMNS[column].name, read->row->name, STR_ARG(here), STR_ARG(there),
                       STR_ARG(source_get(refresh->session, other->span.source)->path), place.line);
        }
    }
    if (other == NULL) {
        ReadInstance *kept = arena_new(refresh->arena, ReadInstance);
        *kept = *read;
        str_map_add(&types->by_name, str_of(read->row->name), kept);
        vec_push(refresh->arena, &types->described, *read);
    }
}

static void read_descriptions(Types *types) {
    Refresh *refresh = types->refresh;
    const Paths paths = dumps_list(refresh, "instance-types", ".json");
    ReadInstances all = { 0 };
    for (uint32_t i = 0; i < paths.count; i++) {
        const Data *file = refresh_read(refresh, paths.items[i], NULL);
        if (file != NULL && !is_described(file)) {
            cell_fault(refresh->session, file->span,
                       "this is not what `aws ec2 describe-instance-types` prints: there "
                       "is no list `InstanceTypes`");
        } else if (file != NULL) {
            described_read(refresh->session, file, &all);
        }
    }
    for (uint32_t i = 0; i < all.count; i++) {
        const ReadInstance *read = &all.items[i];
        if (!is_type_name(str_of(read->row->name))) { // it would name a file
            cell_fault(refresh->session, read->span, "`%s` is no instance type", read->row->name);
            continue;
        }
        keep_once(types, read);
        if (read->row->accelerator != ACCELERATOR_NONE) {
            str_map_add(&refresh->accelerated, str_of(read->row->name), read->row);
        }
    }
}

bool is_type_name(Str text) {
    const size_t dot = str_find(text, STR("."), 0);
    for (size_t i = 0; i < text.len; i++) {
        const char c = text.data[i];
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || (c == '.' && i == dot))) {
            return false;
        }
    }
    return dot > 0 && dot + 1 < text.len;
}

// One name a line.
static void read_list(Types *types) {
    Refresh *refresh = types->refresh;
    const Paths paths = dumps_list(refresh, "instance-type-names", ".txt");
    for (uint32_t i = 0; i < paths.count; i++) {
        const uint32_t source = source_load(refresh->session, paths.items[i], SPAN_NONE);
        const Str text = source == 0 ? STR_NONE : source_get(refresh->session, source)->text;
        for (size_t start = 0; start < text.len;) {
            const size_t end = str_find(text, STR("\n"), start);
            const Str line = str_trim(str_slice(text, start, end));
            if (line.len > 0 && !is_type_name(line)) {
                const Span span = { .source = source, .start = (uint32_t)start, .end = (uint32_t)end };
                cell_fault(refresh->session, span, "`%.*s` is no instance type", STR_ARG(line));
            } else if (line.len > 0 && str_map_add(&types->list, line, types) == NULL) {
                vec_push(refresh->arena, &types->listed, line);
            }
            start = end + 1;
        }
    }
}

static int compare_names(const void *a, const void *b) {
    return str_compare(*(const Str *)a, *(const Str *)b);
}

static void find_families(Types *types) {
    Arena *arena = types->refresh->arena;
    StrMap known = { .arena = arena };
    for (uint32_t i = 0; i < types->described.count + types->listed.count; i++) {
        const bool is_described = i < types->described.count;
        const Str name = is_described ? str_of(types->described.items[i].row->name)
                                      : types->listed.items[i - types->described.count];
        const Str family = family_of(name);
        if (str_map_add(&known, family, types) == NULL) {
            vec_push(arena, &types->families, family);
        }
    }
    if (types->families.count > 1) {
        qsort(types->families.items, types->families.count, sizeof(Str), compare_names);
    }
}

static void refresh_types_of(Types *types, Str family) {
    Arena *arena = types->refresh->arena;
    WantedTypes wanted = { 0 };
    for (uint32_t i = 0; i < types->described.count; i++) {
        const ReadInstance *read = &types->described.items[i];
        if (str_is(family, read->row->family)) {
            vec_push(arena, &wanted, (Wanted){ .name = str_of(read->row->name), .described = read });
        }
    }
    for (uint32_t i = 0; i < types->listed.count; i++) {
        const Str name = types->listed.items[i];
        if (str_equal(family_of(name), family) && str_map_get(&types->by_name, name) == NULL) {
            vec_push(arena, &wanted, (Wanted){ .name = name });
        }
    }
    refresh_family(types->refresh, family, &wanted);
}

// Rows whose names the SDK does not have: either they are gone, or they were never in it.
static void remark_vanished(Types *types) {
    Refresh *refresh = types->refresh;
    const Str path = str_format(refresh->arena, "%.*s/instances", STR_ARG(refresh->schema));
    DIR *directory = opendir(str_c(refresh->arena, path));
    if (directory == NULL) {
        die("cannot read `%.*s`: %s", STR_ARG(path), strerror(errno));
    }
    Paths names = { 0 };
    for (const struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
        Str text;
        const Data *file;
        const Str name = str_format(refresh->arena, "instances/%s", entry->d_name);
        const bool is_rows = str_ends_with(name, STR(".yaml")) && rows_text(refresh, name, &text, &file);
        const Data *rows = is_rows ? data_get(file, "types") : NULL;
        for (uint32_t i = 0; rows != NULL && rows->kind == DATA_MAP && i < rows->count; i++) {
            if (str_map_get(&types->list, rows->entries[i].key) == NULL) {
                vec_push(refresh->arena, &names, rows->entries[i].key);
            }
        }
    }
    closedir(directory);
    if (names.count > 1) {
        qsort(names.items, names.count, sizeof(Str), compare_names);
    }
    for (uint32_t i = 0; i < names.count; i++) {
        remark(refresh, "`%.*s` is in no list of `instance-type-names`: its row stays", STR_ARG(names.items[i]));
    }
}

void refresh_instances(Refresh *refresh) {
    Types types = { .refresh = refresh, .by_name = { .arena = refresh->arena }, .list = { .arena = refresh->arena } };
    read_descriptions(&types);
    read_list(&types);
    if (has_errors(refresh->session)) {
        return;
    }
    find_families(&types);
    for (uint32_t i = 0; i < types.families.count; i++) {
        refresh_types_of(&types, types.families.items[i]);
    }
    if (types.listed.count > 0) {
        remark_vanished(&types);
    }
}
