// Finds the fixtures; none is listed.
#include "tests/mutate/seeds.h"

#include "compiler/base/file.h"

#include <fts.h>

enum { SEED_BYTES_MAX = 8192 };

static int compare_entries(const FTSENT **a, const FTSENT **b) {
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

static bool read_file(Arena *arena, Str folder, const char *name, Str *text) {
    const Str path = str_format(arena, "%.*s%s", STR_ARG(folder), name);
    return file_read(arena, path, SEED_BYTES_MAX * 4, text) == NULL;
}

static void add_option(Seed *seed, const char *option) {
    if (seed->option_count < SEED_OPTIONS_MAX) {
        seed->options[seed->option_count++] = option;
    }
}

// `run` of a fixture that builds has further arguments; of others it is a script, which this does not read.
static void add_run(Arena *arena, Seed *seed) {
    Str run;
    if (!read_file(arena, seed->folder, "run", &run)) {
        return;
    }
    const char *words = str_c(arena, run);
    for (const char *end = words; *words != '\0'; words = end + strspn(end, " \n")) {
        end = words + strcspn(words, " \n");
        add_option(seed, str_c(arena, (Str){ .data = words, .len = (size_t)(end - words) }));
    }
}

static void add_data(Arena *arena, Seed *seed) {
    static const struct {
        const char *file;
        const char *option;
    } ROWS[] = { { "params.json", "--params" }, { "params.yaml", "--params" }, { "facts.json", "--facts" } };
    for (size_t i = 0; i < COUNT_OF(ROWS); i++) {
        Str text;
        if (read_file(arena, seed->folder, ROWS[i].file, &text)) {
            add_option(seed, ROWS[i].option);
            add_option(seed, ROWS[i].file);
            seed->data_file = str_of(ROWS[i].file);
            seed->data = text;
        }
    }
}

// Fixtures of rules leave the faulty value open, and say above it what is written there.
static Str fill_fault(Arena *arena, Str text) {
    const Str mark = STR("# clean: ");
    const size_t start = str_find(text, mark, 0);
    const size_t place = str_find(text, STR("FAULT"), 0);
    if (start == text.len || place == text.len) {
        return text;
    }
    const Str value = str_slice(text, start + mark.len, str_find(text, STR("\n"), start));
    return str_format(arena, "%.*s%.*s%.*s", STR_ARG(str_slice(text, 0, place)), STR_ARG(value),
                      STR_ARG(str_slice(text, place + 5, text.len)));
}

static void add_seed(Arena *arena, Seeds *seeds, const FTSENT *entry) {
    const Str path = str_copy(arena, str_of(entry->fts_path));
    const size_t name_len = entry->fts_namelen;
    Seed seed = { .folder = str_slice(path, 0, path.len - name_len),
                  .file = str_slice(path, path.len - name_len, path.len) };
    if (!read_file(arena, seed.folder, str_c(arena, seed.file), &seed.text) || seed.text.len > SEED_BYTES_MAX) {
        return;
    }
    size_t bad = 0;
    if (!str_is_utf8(seed.text, &bad) || memchr(seed.text.data, 0, seed.text.len) != NULL ||
        str_starts_with(seed.text, STR("\xEF\xBB\xBF"))) {
        return; // source_load() refuses it, or takes a part of it away
    }
    const bool is_built =
        str_find(path, STR("/valid/"), 0) < path.len || str_find(path, STR("/reference/"), 0) < path.len;
    if (is_built) {
        add_run(arena, &seed);
        add_data(arena, &seed);
    }
    seed.is_right = is_built || str_find(path, STR("/rules/"), 0) < path.len;
    seed.text = fill_fault(arena, seed.text);
    vec_push(arena, seeds, seed);
}

void seeds_load(Arena *arena, const char *fixtures, Seeds *seeds, Harvest *harvest) {
    char *const paths[] = { (char *)(uintptr_t)fixtures, NULL };
    FTS *tree = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, compare_entries);
    for (FTSENT *entry = tree == NULL ? NULL : fts_read(tree); entry != NULL; entry = fts_read(tree)) {
        const Str path = entry->fts_path == NULL ? STR_NONE : str_of(entry->fts_path);
        const bool is_form = str_find(path, STR("/forms/"), 0) < path.len; // its words are to be filled in
        if (entry->fts_info == FTS_F && str_ends_with(path, STR(".dt")) && !is_form) {
            add_seed(arena, seeds, entry);
        }
    }
    if (tree != NULL) {
        fts_close(tree);
    }
    for (uint32_t i = 0; i < seeds->count; i++) {
        const Sketch sketch = sketch_program(arena, seeds->items[i].text);
        harvest_add(harvest, &sketch);
    }
}
