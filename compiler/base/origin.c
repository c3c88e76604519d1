// Makes origins: small trees that share their parts.
#include "compiler/base/origin.h"

const Origin *origin_span(Arena *arena, Span span) {
    Origin *origin = arena_new(arena, Origin);
    *origin = (Origin){ .kind = ORIGIN_SPAN, .span = span };
    return origin;
}

const Origin *origin_schema(Arena *arena, const char *name) {
    Origin *origin = arena_new(arena, Origin);
    *origin = (Origin){ .kind = ORIGIN_SCHEMA, .name = name };
    return origin;
}

// Names come from tables, so that equal names of a schema row are nearly always one pointer; those that are not are
// worth a comparison.
static bool names_equal(const char *a, const char *b) {
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool leaves_equal(const Origin *a, const Origin *b) {
    return a->kind == b->kind && a->kind != ORIGIN_JOIN && span_equal(a->span, b->span) &&
           names_equal(a->name, b->name) && names_equal(a->text, b->text);
}

// Whether `part` is already a reason in `whole`. Only the reasons that were joined last are looked at: a full search
// would make a long chain of joins quadratic.
static bool holds(const Origin *whole, const Origin *part) {
    enum { STEPS_MAX = 8 };
    for (int i = 0; i < STEPS_MAX; i++) {
        if (whole == part || leaves_equal(whole, part)) {
            return true;
        }
        if (whole->kind != ORIGIN_JOIN) {
            return false;
        }
        if (whole->right == part || leaves_equal(whole->right, part)) {
            return true;
        }
        whole = whole->left;
    }
    return false;
}

const Origin *origin_join(Arena *arena, const Origin *left, const Origin *right) {
    if (left == NULL) {
        return right;
    }
    if (right == NULL || holds(left, right)) {
        return left;
    }
    Origin *origin = arena_new(arena, Origin);
    *origin = (Origin){ .kind = ORIGIN_JOIN, .left = left, .right = right };
    return origin;
}

// Left before right. Trees share their parts, so one may be walked very often: after `budget` nodes it is given up.
static Span first_span(const Origin *origin, int *budget) {
    if (origin == NULL || --*budget < 0) {
        return SPAN_NONE;
    }
    if (origin->kind != ORIGIN_JOIN) {
        return origin->span;
    }
    const Span left = first_span(origin->left, budget);
    return span_is_none(left) ? first_span(origin->right, budget) : left;
}

Span origin_first_span(const Origin *origin) {
    enum { BUDGET = 10000 };
    if (origin == NULL) {
        return SPAN_NONE;
    }
    // Nearly always the leftmost leaf has a span, and a loop finds it however long the chain is.
    const Origin *leftmost = origin;
    while (leftmost->kind == ORIGIN_JOIN) {
        leftmost = leftmost->left;
    }
    if (!span_is_none(leftmost->span)) {
        return leftmost->span;
    }
    int budget = BUDGET;
    return first_span(origin, &budget);
}
