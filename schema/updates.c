// What updates do, from their rows.
#include "schema/updates.h"

typedef struct {
    Str owner;
    Update update;
    Str paths;
} UpdatesRow;

static const UpdatesRow ROWS[] = {
#define UPDATES(owner, what, paths) { STR(owner), UPDATE_##what, STR(paths) },
#include "schema/updates.def"
};

static const struct {
    Str owner;
    Str path;
    Update update;
    const char *text;
} PRICES[] = {
#define PRICE(owner, path, what, text) { STR(owner), STR(path), UPDATE_##what, text },
#include "schema/updates.def"
};

static const struct {
    const char *type;
    const char *attribute;
} MOVED[] = {
#define MOVES(type, attribute) { type, attribute },
#include "schema/updates.def"
};

static const struct {
    const char *owner;
    Str paths;
} HANDED_ON[] = {
#define HANDS_ON(owner, paths) { owner, STR(paths) },
#include "schema/updates.def"
};

// Whether one of two paths is the other, or around it.
static bool is_at_or_around(Str around, Str path) {
    return str_starts_with(path, around) && (around.len == path.len || path.data[around.len] == '.');
}

// How much of a path a row has: the length of its longest that leads there, and 1 more; 0 without.
static size_t match(Str paths, Str path) {
    size_t best = 0;
    for (size_t start = 0; start < paths.len;) {
        const size_t end = str_find(paths, STR(" "), start);
        const Str one = str_slice(paths, start, end);
        const bool is_any = str_is(one, "*");
        const size_t len = is_any ? 1 : is_at_or_around(one, path) ? one.len + 1 : 0;
        best = len > best ? len : best;
        start = end + 1;
    }
    return best;
}

Update update_of(Str owner, Str path) {
    Update update = UPDATE_UNKNOWN;
    size_t best = 0;
    for (size_t i = 0; i < COUNT_OF(ROWS); i++) {
        const size_t len = str_equal(ROWS[i].owner, owner) ? match(ROWS[i].paths, path) : 0;
        if (len > best) {
            best = len;
            update = ROWS[i].update;
        }
    }
    return update;
}

bool update_is_safe(Update update) {
    return update == UPDATE_IN_PLACE || update == UPDATE_LATER;
}

// The text of an owner's longest path that leads there; NULL without.
static const char *price_of(Str owner, Str path, Update update) {
    const char *text = NULL;
    size_t best = 0;
    for (size_t i = 0; i < COUNT_OF(PRICES); i++) {
        const bool is_it = PRICES[i].update == update && str_equal(PRICES[i].owner, owner);
        const size_t len = is_it ? match(PRICES[i].path, path) : 0;
        if (len > best) {
            best = len;
            text = PRICES[i].text;
        }
    }
    return text;
}

Str update_price(Str owner, Str path, Update update) {
    const char *own = price_of(owner, path, update);
    const char *text = own == NULL ? price_of(STR_NONE, path, update) : own;
    return text == NULL ? STR_NONE : str_of(text);
}

bool update_moves(Str type, Str attribute) {
    for (size_t i = 0; i < COUNT_OF(MOVED); i++) {
        if (str_is(type, MOVED[i].type) && str_is(attribute, MOVED[i].attribute)) {
            return true;
        }
    }
    return false;
}

bool update_hands_on(Str owner, Str path) {
    for (size_t i = 0; i < COUNT_OF(HANDED_ON); i++) {
        if (str_is(owner, HANDED_ON[i].owner) && match(HANDED_ON[i].paths, path) > 0) {
            return true;
        }
    }
    return false;
}
