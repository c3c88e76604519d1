// schema/objects.yaml -> OBJECT_KIND_ROWS and OBJECT_TYPE_ROWS. A field is one word, `NAME:TYPE` or `NAME:TYPE!`.
#include "schema/generator/schemagen.h"

#include "compiler/base/diag/diag.h"
#include "schema/objects.h"

enum { COLUMN_SOURCE, COLUMN_VERSION, COLUMN_KINDS, COLUMN_TYPES, COLUMN_COUNT };

static const Column COLUMNS[COLUMN_COUNT] = {
    [COLUMN_SOURCE] = { "source", CELL_TEXT },
    [COLUMN_VERSION] = { "version", CELL_TEXT },
    [COLUMN_KINDS] = { "kinds", CELL_MAP },
    [COLUMN_TYPES] = { "types", CELL_MAP },
};

static const Word FORMS[] = {
    { "any", "OBJECT_ANY" },
    { "string", "OBJECT_STRING" },
    { "int", "OBJECT_INT" },
    { "bool", "OBJECT_BOOL" },
    { "number", "OBJECT_NUMBER" },
    { "quantity", "OBJECT_QUANTITY" },
    { "int_or_string", "OBJECT_TEXT" },
};

static const char *form_of(Str word) {
    for (size_t i = 0; i < COUNT_OF(FORMS); i++) {
        if (str_is(word, FORMS[i].word)) {
            return FORMS[i].c;
        }
    }
    return NULL;
}

static int type_number(const Data *types, Str name) {
    for (uint32_t i = 0; i < types->count; i++) {
        if (str_equal(types->entries[i].key, name)) {
            return (int)i;
        }
    }
    return -1;
}

// "[EnvVar]": what is in the brackets, and which brackets.
static Str inner_type(Str type, const char **shape) {
    const char first = type.len > 2 ? type.data[0] : ' ';
    const bool is_list = first == '[' && type.data[type.len - 1] == ']';
    const bool is_map = first == '{' && type.data[type.len - 1] == '}';
    *shape = is_list ? "OBJECT_LIST" : is_map ? "OBJECT_MAP" : "OBJECT_ONE";
    return is_list || is_map ? str_slice(type, 1, type.len - 1) : type;
}

static void put_field(Generator *generator, const Data *types, const Data *cell, Str field) {
    const size_t colon = str_find(field, STR(":"), 0);
    const bool is_required = str_ends_with(field, STR("!"));
    const char *shape;
    const Str type = inner_type(str_slice(field, colon + 1, field.len - (is_required ? 1 : 0)), &shape);
    const char *form = form_of(type);
    const int number = type_number(types, type);
    if (colon == field.len || (form == NULL && number < 0)) {
        cell_fault(generator->session, cell->span,
                   str_c(generator->arena,
                         str_format(generator->arena, "`%.*s` is no field of a known type", STR_ARG(field))));
        return;
    }
    if (colon > OBJECT_FIELD_NAME_MAX) {
        cell_fault(generator->session, cell->span, "the name of a field is too long for its row");
        return;
    }
    put(&generator->tables, "    { .name = \"%.*s\", .shape = %s, .form = %s, .type = %d, .is_required = %s },\n",
        STR_ARG(str_slice(field, 0, colon)), shape, form == NULL ? "OBJECT_FIELDS" : form, number,
        is_required ? "true" : "false");
}

static void put_type(Generator *generator, const Data *types, uint32_t number) {
    const Data *cell = types->entries[number].value;
    if (cell->kind != DATA_STRING) {
        cell_fault(generator->session, cell->span, "a type is a text of fields");
        return;
    }
    put(&generator->tables, "static const ObjectFieldRow OBJECT_FIELDS_%" PRIu32 "[] = {\n", number);
    for (size_t start = 0; start < cell->string.len;) {
        const size_t end = str_find(cell->string, STR(" "), start);
        put_field(generator, types, cell, str_slice(cell->string, start, end));
        start = end + 1;
    }
    put(&generator->tables, "};\n");
}

static void put_types(Generator *generator, const Data *types) {
    for (uint32_t i = 0; i < types->count; i++) {
        put_type(generator, types, i);
    }
    put(&generator->tables, "const ObjectTypeRow OBJECT_TYPE_ROWS[] = {\n");
    for (uint32_t i = 0; i < types->count; i++) {
        put(&generator->tables,
            "    { .name = \"%.*s\", .fields = OBJECT_FIELDS_%" PRIu32
            ", .field_count = COUNT_OF(OBJECT_FIELDS_%" PRIu32 ") },\n",
            STR_ARG(types->entries[i].key), i, i);
    }
    put(&generator->tables, "};\n");
}

static void put_kinds(Generator *generator, const Data *kinds, const Data *types) {
    put(&generator->tables, "const ObjectKindRow OBJECT_KIND_ROWS[] = {\n");
    for (uint32_t i = 0; i < kinds->count; i++) {
        const Data *type = kinds->entries[i].value;
        const int number = type->kind == DATA_STRING ? type_number(types, type->string) : -1;
        if (number < 0) {
            cell_fault(generator->session, type->span, "there is no such type");
        } else {
            put(&generator->tables, "    { .name = \"%.*s\", .type = &OBJECT_TYPE_ROWS[%d] },\n",
                STR_ARG(kinds->entries[i].key), number);
        }
    }
    put(&generator->tables, "};\nconst int OBJECT_KIND_COUNT = %" PRIu32 ";\n\n", kinds->count);
}

void generate_objects(Generator *generator) {
    const Data *cells[COLUMN_COUNT];
    if (!read_columns(generator, STR("objects.yaml"), COLUMNS, COLUMN_COUNT, cells)) {
        return;
    }
    put(&generator->tables, "const char OBJECT_VERSION[] = \"%.*s\";\n", STR_ARG(cells[COLUMN_VERSION]->string));
    put_types(generator, cells[COLUMN_TYPES]);
    put_kinds(generator, cells[COLUMN_KINDS], cells[COLUMN_TYPES]);
}
