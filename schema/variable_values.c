// The rows of variable_values.def.
#include "schema/variable_values.h"

#include "compiler/base/words.h"

static const struct {
    const char *name;
    const char *words;
} MEANT[] = {
#define VALUES_MEANT(name, words) { name, words },
#include "schema/variable_values.def"
};

static const VariableValues ROWS[] = {
#define VALUES_READ(name, shape, words, effect, is_fatal) { name, VALUES_##shape, words, effect, is_fatal },
#include "schema/variable_values.def"
};

const VariableValues *variable_values(Str name) {
    for (size_t i = 0; i < COUNT_OF(ROWS); i++) {
        if (str_is(name, ROWS[i].name)) {
            return &ROWS[i];
        }
    }
    return NULL;
}

// A number of any base that strtoll reads, and nothing behind it.
static bool is_number(Str text) {
    const size_t sign = char_is_in(str_at(text, 0), "+-") ? 1 : 0;
    const bool is_hex = str_at(text, sign) == '0' && (str_at(text, sign + 1) | 0x20) == 'x';
    size_t at = sign + (is_hex ? 2 : 0);
    const size_t first = at;
    while (char_is_digit(str_at(text, at)) ||
           (is_hex && (str_at(text, at) | 0x20) >= 'a' && (str_at(text, at) | 0x20) <= 'f')) {
        at++;
    }
    return at > first && at == text.len;
}

static bool is_meant(const VariableValues *row, Str value) {
    bool is = false;
    for (size_t i = 0; i < COUNT_OF(MEANT); i++) {
        is = is || (strcmp(MEANT[i].name, row->name) == 0 && words_have_in_any_case(str_of(MEANT[i].words), value));
    }
    return is;
}

// The first item of a list that is not one of the words.
static Str unread_of_list(const VariableValues *row, Str list) {
    size_t start = str_at(list, 0) == '^' ? 1 : 0;
    while (start < list.len) {
        const size_t end = str_find(list, STR(","), start);
        const Str item = str_slice(list, start, end);
        if (str_trim(item).len > 0 && !words_have_in_any_case(str_of(row->words), str_trim(item))) {
            return str_trim(item);
        }
        start = end + 1;
    }
    return STR_NONE;
}

// `Ring;allreduce:^Tree`
static Str unread_of_map(const VariableValues *row, Str map) {
    Str unread = STR_NONE;
    for (size_t start = 0; start < map.len && unread.len == 0;) {
        const size_t end = str_find(map, STR(";"), start);
        const Str entry = str_slice(map, start, end);
        const size_t colon = str_find(entry, STR(":"), 0);
        unread = unread_of_list(row, colon < entry.len ? str_slice(entry, colon + 1, entry.len) : entry);
        start = end + 1;
    }
    return unread;
}

// The first key that is none of the words, of `KEY:VALUE,KEY:[A:B,C:D]`.
static Str unread_of_keys(const VariableValues *row, Str list) {
    for (size_t start = 0; start < list.len;) {
        const size_t colon = str_find(list, STR(":"), start);
        size_t end = str_find(list, STR(","), start);
        if (str_at(list, colon + 1) == '[') {
            end = str_find(list, STR(","), str_find(list, STR("]"), colon));
        }
        const Str key = str_trim(str_slice(list, start, colon < end ? colon : end));
        if (key.len > 0 && !words_have(str_of(row->words), key)) {
            return key;
        }
        start = end + 1;
    }
    return STR_NONE;
}

// The first item of a list that has a sign before it, from a place on.
static Str signed_item(Str list, size_t from) {
    for (size_t start = from; start < list.len;) {
        const size_t end = str_find(list, STR(","), start);
        const Str item = str_trim(str_slice(list, start, end));
        if (item.len > 0 && strchr("^=", item.data[0]) != NULL) {
            return item;
        }
        start = end + 1;
    }
    return STR_NONE;
}

static Str unread(const VariableValues *row, Str value) {
    const size_t signs = str_starts_with(value, STR("^="))                                      ? 2
                         : str_starts_with(value, STR("^")) || str_starts_with(value, STR("=")) ? 1
                                                                                                : 0;
    switch (row->shape) {
    case VALUES_WORD:
        return words_have_in_any_case(str_of(row->words), value) ? STR_NONE : value;
    case VALUES_LEVEL:
        return char_is_digit(str_at(value, 0)) || words_have(str_of(row->words), value) ? STR_NONE : value;
    case VALUES_LIST:
        return unread_of_list(row, value);
    case VALUES_MAP:
        return unread_of_map(row, value);
    case VALUES_NUMBER:
        return is_number(value) ? STR_NONE : value;
    case VALUES_PREFIXES:
        return signed_item(value, signs);
    case VALUES_KEYS:
        return unread_of_keys(row, value);
    case VALUES_NAMES:
        return signed_item(value, 0);
    }
    return STR_NONE;
}

Str variable_value_unread(const VariableValues *row, Str value) {
    static const char LATE[] = " $`{}<>%\\\"'"; // something else may fill it in, or it is a sentence
    const Str text = str_trim(value);
    bool is_known = text.len > 0;
    for (size_t i = 0; i < text.len; i++) {
        is_known = is_known && !char_is_in(text.data[i], LATE) && text.data[i] != '\0';
    }
    return is_known && !is_meant(row, text) ? unread(row, text) : STR_NONE;
}
