// Interpolation: joins a string's pieces and the values between them into one text. If a value is late, the text is
// late too. It then has as few parts as possible, so that an emitter sees known neighbours as one text.
#include "compiler/semantics/evaluator.h"

bool evaluate_text(Evaluator *evaluator, const Value *value, Str *text) {
    switch (value->kind) {
    case VALUE_STRING:
    case VALUE_WORD:
        *text = value->string;
        return true;
    case VALUE_BOOL:
    case VALUE_INT:
    case VALUE_SIZE:
    case VALUE_RATE:
    case VALUE_DURATION:
        *text = value_print(evaluator->arena, value);
        return true;
    case VALUE_BLOCK:
        *text = value->block->name;
        return true;
    case VALUE_ERROR:
    case VALUE_NULL:
    case VALUE_RANGE:
    case VALUE_LIST:
    case VALUE_MAP:
    case VALUE_TAG:
    case VALUE_RESOURCE:
    case VALUE_MODULE:
    case VALUE_LATE:
    case VALUE_KIND_COUNT:
        return false;
    }
    return false;
}

typedef VEC(const Value *) Parts;

// Adds one interpolated value to the parts of a text, strings joined as they come. False where it has no text.
static bool add_part(Evaluator *evaluator, Parts *parts, const Expr *expr, const Value *value) {
    Str name = source_text(evaluator->session, expr->span);
    if (value->kind == VALUE_ERROR) {
        return false;
    }
    if (value->kind == VALUE_LATE || value->kind == VALUE_RESOURCE) {
        if (value_may_be_null(value)) {
            Diag *diag = report(evaluator->session, expr->span, DIAG(optional_in_text));
            diag_help(evaluator->session, diag, "say what stands there without it: `${%.*s ?? \"…\"}`", STR_ARG(name));
            return false;
        }
        vec_push(evaluator->arena, parts, value);
        return true;
    }
    Str text = STR_NONE;
    if (!evaluate_text(evaluator, value, &text)) {
        Diag *diag = report(evaluator->session, expr->span, DIAG(no_text), value_describe(value));
        if (value->kind == VALUE_LIST) {
            diag_help(evaluator->session, diag, "write `join(\", \", %.*s)`", STR_ARG(name));
        } else if (value->kind == VALUE_NULL) {
            diag_help(evaluator->session, diag, "say what stands there instead: `${%.*s ?? \"…\"}`", STR_ARG(name));
        }
        return false;
    }
    vec_push(evaluator->arena, parts, make_string(evaluator, value->span, value->origin, text));
    return parts->items[parts->count - 1]->kind != VALUE_ERROR;
}

// There is no text inside of a text, and there are no two strings side by side. Otherwise pieces that are harmless each
// could make up something that is special to a target, such as `${`.
static Parts flatten(Evaluator *evaluator, const Expr *expr, const Parts *parts) {
    Parts all = { 0 };
    for (uint32_t i = 0; i < parts->count; i++) {
        const Value *part = parts->items[i];
        bool is_text = part->kind == VALUE_LATE && part->late->kind == LATE_TEXT;
        for (uint32_t j = 0; j < (is_text ? part->late->part_count : 1); j++) {
            vec_push(evaluator->arena, &all, is_text ? part->late->parts[j] : part);
        }
    }
    Parts flat = { 0 };
    for (uint32_t i = 0; i < all.count;) {
        if (all.items[i]->kind != VALUE_STRING) {
            vec_push(evaluator->arena, &flat, all.items[i++]);
            continue;
        }
        StrBuf text = { .arena = evaluator->arena };
        const Origin *origin = NULL;
        for (; i < all.count && all.items[i]->kind == VALUE_STRING; i++) {
            strbuf_add(&text, all.items[i]->string);
            origin = origin_join(evaluator->arena, origin, all.items[i]->origin);
        }
        vec_push(evaluator->arena, &flat, make_string(evaluator, expr->span, origin, strbuf_str(&text)));
    }
    return flat;
}

// Bytes of a text's part; one for each reference, whose length nobody knows yet.
static size_t length_of(const Value *part) {
    if (part->kind == VALUE_STRING) {
        return part->string.len;
    }
    size_t length = 0;
    bool is_text = part->kind == VALUE_LATE && part->late->kind == LATE_TEXT;
    for (uint32_t i = 0; i < (is_text ? part->late->part_count : 0); i++) {
        length += length_of(part->late->parts[i]);
    }
    return is_text ? length : 1;
}

static const Value *join_parts(Evaluator *evaluator, const Expr *expr, const Parts *parts) {
    const Origin *origin = origin_span(evaluator->arena, expr->span);
    StrBuf text = { .arena = evaluator->arena };
    bool is_known = true;
    size_t length = 0;
    for (uint32_t i = 0; i < parts->count; i++) {
        origin = origin_join(evaluator->arena, origin, parts->items[i]->origin);
        is_known = is_known && parts->items[i]->kind == VALUE_STRING;
        length += length_of(parts->items[i]);
    }
    if (!is_known && length <= STRING_BYTES_MAX) {
        const Parts flat = flatten(evaluator, expr, parts);
        const Late late = {
            .kind = LATE_TEXT, .type = schema_named_type(STR("string")), .parts = flat.items, .part_count = flat.count
        };
        return make_late(evaluator, expr->span, origin, &late);
    }
    for (uint32_t i = 0; i < parts->count && length <= STRING_BYTES_MAX; i++) {
        strbuf_add(&text, parts->items[i]->string);
    } // make_string() refuses a longer one by its length alone
    return make_string(evaluator, expr->span, origin, (Str){ .data = text.data, .len = length });
}

const Value *evaluate_template(Evaluator *evaluator, const Expr *expr, const Env *env) {
    Parts parts = { 0 };
    bool is_good = true;
    for (uint32_t i = 0; i <= expr->template.exprs.count; i++) {
        if (expr->template.pieces[i].len > 0) {
            vec_push(evaluator->arena, &parts, make_string(evaluator, expr->span, NULL, expr->template.pieces[i]));
        }
        if (i < expr->template.exprs.count) {
            const Expr *inner = expr->template.exprs.items[i];
            is_good = add_part(evaluator, &parts, inner, evaluate(evaluator, inner, env, NULL)) && is_good;
        }
    }
    return is_good ? join_parts(evaluator, expr, &parts) : make_error(evaluator, expr->span);
}

// One text of parts that are strings or late; an error where one is.
const Value *evaluate_joined(Evaluator *evaluator, const Expr *expr, const Value *const *values, uint32_t count) {
    Parts parts = { 0 };
    bool is_good = true;
    for (uint32_t i = 0; i < count; i++) {
        is_good = add_part(evaluator, &parts, expr, values[i]) && is_good;
    }
    return is_good ? join_parts(evaluator, expr, &parts) : make_error(evaluator, expr->span);
}
