// The lists of names.def as arrays, and questions about them.
#include "schema/names.h"

#define NAMES(list, ...) static const char *const LIST_##list[] = { __VA_ARGS__ };
#include "schema/names.def"
#undef NAMES

static const NameList LISTS[NAME_LIST_COUNT] = {
#define NAMES(list, ...) [NAMES_##list] = { LIST_##list, COUNT_OF(LIST_##list) },
#include "schema/names.def"
#undef NAMES
};

NameList names_of(NameListId id) {
    assert(id < NAME_LIST_COUNT);
    return LISTS[id];
}

bool names_have(NameListId id, Str name) {
    const NameList list = names_of(id);
    for (size_t i = 0; i < list.count; i++) {
        if (str_is(name, list.items[i])) {
            return true;
        }
    }
    return false;
}

bool names_have_in_any_case(NameListId id, Str name) {
    const NameList list = names_of(id);
    for (size_t i = 0; i < list.count; i++) {
        if (str_is_in_any_case(name, list.items[i])) {
            return true;
        }
    }
    return false;
}

const char *names_beginning(NameListId id, Str text) {
    const NameList list = names_of(id);
    for (size_t i = 0; i < list.count; i++) {
        if (str_starts_with(text, str_of(list.items[i]))) {
            return list.items[i];
        }
    }
    return NULL;
}

const char *names_end(NameListId id, Str text) {
    const NameList list = names_of(id);
    for (size_t i = 0; i < list.count; i++) {
        if (str_ends_with(text, str_of(list.items[i]))) {
            return list.items[i];
        }
    }
    return NULL;
}

bool names_have_domain(NameListId id, Str name) {
    const NameList list = names_of(id);
    for (size_t i = 0; i < list.count; i++) {
        const Str domain = str_of(list.items[i]);
        if (str_is(name, list.items[i]) ||
            (str_ends_with(name, domain) && name.data[name.len - domain.len - 1] == '.')) {
            return true;
        }
    }
    return false;
}
