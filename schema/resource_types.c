// What resources give and take, from their rows.
#include "schema/resource_types.h"

typedef struct {
    const char *type;
    const char *ref;
    const char *const *attributes; // ends with NULL
} ResourceRow;

static const ResourceRow RESOURCES[] = {
#define RESOURCE(type, ref, ...) { type, ref, (const char *const[]){ __VA_ARGS__, NULL } },
#define TAKES(type, key, ...)
#define LITERAL(kind, part)
#include "schema/resource_types.def"
#undef RESOURCE
#undef TAKES
#undef LITERAL
};

static const ResourceTakes TAKEN[] = {
#define RESOURCE(type, ref, ...)
#define LITERAL(kind, part)
#define TAKES(type, key, ...) { STR(type), STR(key), (const char *const[]){ __VA_ARGS__, NULL } },
#include "schema/resource_types.def"
#undef RESOURCE
#undef TAKES
#undef LITERAL
};

static const ResourceRow *row_of(Str type) {
    for (size_t i = 0; i < COUNT_OF(RESOURCES); i++) {
        if (str_is(type, RESOURCES[i].type)) {
            return &RESOURCES[i];
        }
    }
    return NULL;
}

Str resource_ref(Str type) {
    const ResourceRow *row = row_of(type);
    return row == NULL ? STR_NONE : str_of(row->ref);
}

static Str name_of(Str attribute) {
    return str_slice(attribute, 0, str_find(attribute, STR("="), 0));
}

static Str kind_of(Str attribute) {
    return str_slice(attribute, name_of(attribute).len + 1, attribute.len);
}

Str resource_attribute(Str type, Str attribute) {
    const ResourceRow *row = row_of(type);
    for (size_t i = 0; row != NULL && row->attributes[i] != NULL; i++) {
        if (str_equal(name_of(str_of(row->attributes[i])), attribute)) {
            return kind_of(str_of(row->attributes[i]));
        }
    }
    return STR_NONE;
}

bool resource_has_attribute(Str type, Str attribute) {
    const ResourceRow *row = row_of(type);
    const Str first = str_slice(attribute, 0, str_find(attribute, STR("."), 0));
    for (size_t i = 0; row != NULL && row->attributes[i] != NULL; i++) {
        if (str_is(str_of(row->attributes[i]), "*") || str_equal(name_of(str_of(row->attributes[i])), first)) {
            return true;
        }
    }
    return row == NULL;
}

Str resource_attribute_of(Str type, Str kind) {
    const ResourceRow *row = row_of(type);
    for (size_t i = 0; row != NULL && row->attributes[i] != NULL; i++) {
        if (str_equal(kind_of(str_of(row->attributes[i])), kind)) {
            return name_of(str_of(row->attributes[i]));
        }
    }
    return STR_NONE;
}

Str resource_attribute_name(Str type, size_t number) {
    const ResourceRow *row = row_of(type);
    for (size_t i = 0; row != NULL && row->attributes[i] != NULL; i++) {
        if (i == number) {
            return name_of(str_of(row->attributes[i]));
        }
    }
    return STR_NONE;
}

static bool is_key(Str text, Str outer, Str key) {
    const size_t dot = str_find(text, STR("."), 0);
    return dot == text.len
               ? str_equal(text, key)
               : str_equal(str_slice(text, 0, dot), outer) && str_equal(str_slice(text, dot + 1, text.len), key);
}

// Most rows end with another letter, so that hardly any word is compared.
const ResourceTakes *resource_takes(Str type, Str outer, Str key) {
    const char last = key.len > 0 ? key.data[key.len - 1] : '\0';
    for (size_t i = 0; i < COUNT_OF(TAKEN); i++) {
        const Str own = TAKEN[i].key;
        if (own.data[own.len - 1] == last && str_ends_with(own, key) && str_starts_with(type, TAKEN[i].owner) &&
            is_key(own, outer, key)) {
            return &TAKEN[i];
        }
    }
    return NULL;
}

bool resource_has_takes(Str type) {
    for (size_t i = 0; i < COUNT_OF(TAKEN); i++) {
        if (str_starts_with(type, TAKEN[i].owner)) {
            return true;
        }
    }
    return false;
}

bool resource_takes_kind(const ResourceTakes *takes, Str kind) {
    const bool is_system = str_is(kind, "a file system id");
    for (size_t i = 0; takes->kinds[i] != NULL; i++) {
        const Str taken = str_of(takes->kinds[i]);
        if (str_equal(kind, taken) || (is_system && str_ends_with(taken, STR(" file system id")))) {
            return true;
        }
    }
    return false;
}

static const struct {
    const char *kind;
    const char *part;
} LITERALS[] = {
#define RESOURCE(type, ref, ...)
#define TAKES(type, key, ...)
#define LITERAL(kind, part) { kind, part },
#include "schema/resource_types.def"
#undef RESOURCE
#undef TAKES
#undef LITERAL
};

static bool read_id(Str text, Str beginning, ResourceId *id) {
    *id = (ResourceId){ 0 };
    for (size_t i = beginning.len; str_starts_with(text, beginning) && i < text.len; i++) {
        const char c = text.data[i];
        if (c == '_' || !char_is_of_name(c)) {
            *id = (ResourceId){ 0 };
            break;
        }
        const bool is_digit = char_is_digit(c) || (c >= 'a' && c <= 'f');
        id->first_stray = is_digit || id->strays > 0 ? id->first_stray : c;
        id->strays += is_digit ? 0 : 1;
        id->length++;
    }
    return id->length > 0;
}

// What is behind the account of an ARN.
static Str arn_rest(Str arn) {
    size_t at = str_starts_with(arn, STR("arn:")) ? 0 : arn.len;
    for (int i = 0; i < 5 && at < arn.len; i++) {
        at = str_find(arn, STR(":"), at) + 1;
    }
    return at < arn.len ? str_slice(arn, at, arn.len) : STR_NONE;
}

Str resource_literal(Str text, ResourceId *id) {
    *id = (ResourceId){ 0 };
    for (size_t i = 0; i < COUNT_OF(LITERALS); i++) {
        const Str part = str_of(LITERALS[i].part);
        const bool is_id = str_ends_with(part, STR("-"));
        if (is_id ? read_id(text, part, id) : str_starts_with(arn_rest(text), part)) {
            return str_of(LITERALS[i].kind);
        }
    }
    return STR_NONE;
}
