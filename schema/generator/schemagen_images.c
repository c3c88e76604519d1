// schema/images.yaml -> IMAGE_ROWS.
#include "schema/generator/schemagen.h"

#include "compiler/base/diag/diag.h"

enum {
    COLUMN_TARGET,
    COLUMN_OS,
    COLUMN_ACCELERATOR,
    COLUMN_ARCHITECTURE,
    COLUMN_PARAMETER,
    COLUMN_IMAGE_TYPE,
    COLUMN_NOTE,
    COLUMN_COUNT
};

static const Column COLUMNS[COLUMN_COUNT] = {
    [COLUMN_TARGET] = { "target", CELL_TEXT },
    [COLUMN_OS] = { "os", CELL_TEXT },
    [COLUMN_ACCELERATOR] = { "accelerator", CELL_TEXT },
    [COLUMN_ARCHITECTURE] = { "architecture", CELL_TEXT },
    [COLUMN_PARAMETER] = { "parameter", CELL_TEXT },
    [COLUMN_IMAGE_TYPE] = { "image_type", CELL_TEXT | CELL_NULL },
    [COLUMN_NOTE] = { "note", CELL_TEXT | CELL_OPTIONAL },
};

static const Word TARGETS[] = {
#define CLUSTER_TARGET(NAME, word) { word, "TARGET_" #NAME },
#include "schema/targets.def"
};

static void check_duplicates(Generator *generator, const Data *images, uint32_t i) {
    static const char *const KEY[] = { "target", "os", "accelerator", "architecture" };
    for (uint32_t j = 0; j < i; j++) {
        bool is_same = images->items[j]->kind == DATA_MAP;
        for (size_t k = 0; k < COUNT_OF(KEY) && is_same; k++) {
            const Data *a = data_get(images->items[i], KEY[k]);
            const Data *b = data_get(images->items[j], KEY[k]);
            is_same = a != NULL && b != NULL && b->kind == DATA_STRING && str_equal(a->string, b->string);
        }
        if (is_same) {
            cell_fault(generator->session, images->items[i]->span, "an image for this combination is there already");
        }
    }
}

static void put_row(Generator *generator, const Data *images, uint32_t i) {
    const Data *row = images->items[i];
    const Data *cells[COLUMN_COUNT];
    if (!cells_read(generator->session, STR("an image"), row->span, row, NULL, COLUMNS, COLUMN_COUNT, cells)) {
        return;
    }
    check_duplicates(generator, images, i);
    const char *target = read_word(generator, cells[COLUMN_TARGET], "target", TARGETS, COUNT_OF(TARGETS));
    const char *accelerator = read_accelerator(generator, cells[COLUMN_ACCELERATOR], "accelerator");
    const char *architecture = read_architecture(generator, cells[COLUMN_ARCHITECTURE]);
    if (target == NULL || accelerator == NULL || architecture == NULL) {
        return;
    }
    StrBuf *out = &generator->tables;
    put(out, "    { .target = %s, .os = ", target);
    put_cell_string(out, cells[COLUMN_OS]);
    put(out, ", .accelerator = %s, .architecture = %s,\n      .parameter = ", accelerator, architecture);
    put_cell_string(out, cells[COLUMN_PARAMETER]);
    put(out, ", .image_type = ");
    put_cell_string(out, cells[COLUMN_IMAGE_TYPE]);
    put(out, ",\n      .note = ");
    put_cell_string(out, cells[COLUMN_NOTE]);
    put(out, " },\n");
}

void generate_images(Generator *generator) {
    enum { SOURCES, IMAGES, FILE_COLUMN_COUNT };
    static const Column FILE_COLUMNS[FILE_COLUMN_COUNT] = {
        [SOURCES] = { "sources", CELL_MAP },
        [IMAGES] = { "images", CELL_LIST },
    };
    const Data *cells[FILE_COLUMN_COUNT];
    if (!read_columns(generator, STR("images.yaml"), FILE_COLUMNS, FILE_COLUMN_COUNT, cells)) {
        return;
    }
    put(&generator->tables, "const ImageRow IMAGE_ROWS[] = {\n");
    for (uint32_t i = 0; i < cells[IMAGES]->count; i++) {
        put_row(generator, cells[IMAGES], i);
    }
    put(&generator->tables, "};\nconst int IMAGE_ROW_COUNT = %" PRIu32 ";\n\n", cells[IMAGES]->count);
}
