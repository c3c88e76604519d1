// What maps of resources take, from their rows.
#include "schema/properties.h"

typedef struct {
    Str path;
    Str names;
} PropertiesRow;

// In the order of their bytes.
static const PropertiesRow ROWS[] = {
#define PROPERTIES(path, names) { STR(path), STR(names) },
#include "schema/properties.def"
};

Str schema_properties(Str path) {
    size_t low = 0;
    size_t high = COUNT_OF(ROWS);
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = str_compare(ROWS[middle].path, path);
        if (order == 0) {
            return ROWS[middle].names;
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return STR_NONE;
}

bool schema_next_property(Str properties, size_t *at, Property *property) {
    if (*at >= properties.len) {
        return false;
    }
    const size_t end = str_find(properties, STR(" "), *at);
    Str word = str_slice(properties, *at, end);
    *at = end + 1;
    *property = (Property){ .form = PROPERTY_TEXT, .is_required = str_ends_with(word, STR("!")) };
    word = str_slice(word, 0, property->is_required ? word.len - 1 : word.len);
    static const struct {
        const char *mark;
        PropertyForm form;
    } MARKS[] = { { "[]", PROPERTY_LIST },
                  { "{}", PROPERTY_MAP },
                  { "?", PROPERTY_ANY },
                  { "#", PROPERTY_NUMBER },
                  { "%", PROPERTY_BOOL } };
    for (size_t i = 0; i < COUNT_OF(MARKS); i++) {
        const Str mark = str_of(MARKS[i].mark);
        if (str_ends_with(word, mark)) {
            property->form = MARKS[i].form;
            word = str_slice(word, 0, word.len - mark.len);
            break;
        }
    }
    property->name = word;
    return true;
}
