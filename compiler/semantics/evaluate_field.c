// Evaluates what stands behind a dot. That is a name of another file, a part of a block, or an attribute of a raw
// resource. It may also be a key of a map, or a fact of the stack itself (aws.region).
#include "compiler/semantics/evaluator.h"

#include "compiler/base/suggest.h"

typedef struct {
    const char *name;
    const char *type;
} PseudoRow;

static const PseudoRow PSEUDO_ROWS[] = {
    { "region", "region" },     { "account", "account_id" }, { "partition", "string" },
    { "url_suffix", "string" }, { "stack_name", "string" },  { "stack_id", "string" },
};

Offers offers_for(Evaluator *evaluator, Str name) {
    return (Offers){ .suggestion = suggest_for(evaluator->session, name), .all = { .arena = evaluator->arena } };
}

void offers_add(Offers *offers, Str name) {
    suggest_offer(&offers->suggestion, name);
    if (offers->count++ < OFFERED_NAMES_MAX) {
        strbuf_add_format(&offers->all, "%s`%.*s`", offers->count == 1 ? "" : ", ", STR_ARG(name));
    }
}

bool offers_are_settled(const Offers *offers) {
    return offers->count > OFFERED_NAMES_MAX && suggest_is_idle(&offers->suggestion);
}

const Value *evaluate_unknown_field(Evaluator *evaluator, const Expr *expr, const Offers *offers, const char *object) {
    const Name *name = &expr->field.name;
    Diag *diag = report(evaluator->session, name->span, DIAG(unknown_field), object, STR_ARG(name->text));
    const bool is_near = suggest_say(evaluator->session, diag, &offers->suggestion, name->span);
    if (!is_near && offers->count > 0 && offers->count <= OFFERED_NAMES_MAX) {
        diag_help(evaluator->session, diag, "it has %.*s", STR_ARG(strbuf_str(&offers->all)));
    } else if (!is_near && offers->shows_some && offers->count > 0) {
        diag_help(evaluator->session, diag, "it has %.*s and others", STR_ARG(strbuf_str(&offers->all)));
    }
    return make_error(evaluator, expr->span);
}

const Value *evaluate_unknown_name(Evaluator *evaluator, const Expr *expr, const Module *module) {
    if (!diags_are_full(evaluator->session) && scope_is_lost(evaluator->session, module, expr->field.name.text)) {
        return make_error(evaluator, expr->span);
    }
    Offers offers = offers_for(evaluator, expr->field.name.text);
    for (uint32_t i = 0; i < module->declared.count && !offers_are_settled(&offers); i++) {
        offers_add(&offers, module->declared.items[i]->name);
    }
    Str path = str_format(evaluator->arena, "`%.*s`", STR_ARG(module->path));
    if (schema_kind(expr->field.name.text) != NULL) {
        Diag *diag = report(evaluator->session, expr->field.name.span, DIAG(unknown_field),
                            str_c(evaluator->arena, path), STR_ARG(expr->field.name.text));
        diag_help(evaluator->session, diag, "behind a kind stands the name: `%.*s[\"…\"]`",
                  STR_ARG(source_text(evaluator->session, expr->span)));
        return make_error(evaluator, expr->span);
    }
    return evaluate_unknown_field(evaluator, expr, &offers, str_c(evaluator->arena, path));
}

static const Value *pseudo_field(Evaluator *evaluator, const Expr *expr) {
    Offers offers = offers_for(evaluator, expr->field.name.text);
    for (size_t i = 0; i < COUNT_OF(PSEUDO_ROWS); i++) {
        if (str_is(expr->field.name.text, PSEUDO_ROWS[i].name)) {
            const Late late = { .kind = LATE_PSEUDO,
                                .type = schema_named_type(str_of(PSEUDO_ROWS[i].type)),
                                .name = expr->field.name.text };
            return make_late(evaluator, expr->span, origin_span(evaluator->arena, expr->span), &late);
        }
        offers_add(&offers, str_of(PSEUDO_ROWS[i].name));
    }
    return evaluate_unknown_field(evaluator, expr, &offers, "`aws`");
}

static const Value *module_field(Evaluator *evaluator, const Expr *expr, const Module *module) {
    Declaration *declaration = scope_find(module, expr->field.name.text);
    return declaration != NULL ? evaluate_declaration(evaluator, declaration, expr->span)
                               : evaluate_unknown_name(evaluator, expr, module);
}

static const Value *map_field(Evaluator *evaluator, const Expr *expr, const Value *map) {
    const Value *found = value_find(map, expr->field.name.text);
    if (found != NULL) {
        return found;
    }
    Offers offers = offers_for(evaluator, expr->field.name.text);
    for (uint32_t i = 0; i < map->map.count && !offers_are_settled(&offers); i++) {
        offers_add(&offers, map->map.entries[i].key);
    }
    return evaluate_unknown_field(evaluator, expr, &offers, "the map");
}

// Bucket.Arn, and Cluster.Endpoint.Address, whose attribute has a dot of its own.
static const Value *resource_field(Evaluator *evaluator, const Expr *expr, const Value *object) {
    const Resource *resource = object->kind == VALUE_RESOURCE ? object->resource : object->late->resource;
    Str name = expr->field.name.text;
    if (object->kind == VALUE_LATE) {
        name = str_format(evaluator->arena, "%.*s.%.*s", STR_ARG(object->late->name), STR_ARG(name));
    }
    const Late late = { .kind = LATE_ATTRIBUTE, .type = NULL, .resource = resource, .name = name };
    return make_late(evaluator, expr->span, origin_span(evaluator->arena, expr->span), &late);
}

static void no_fields(Evaluator *evaluator, const Expr *expr, const Value *object) {
    Diag *diag = report(evaluator->session, expr->field.name.span, DIAG(no_fields), value_describe(object));
    if (object->kind == VALUE_LIST) {
        diag_help(evaluator->session, diag, "an item is taken by its number: `%.*s[0]`",
                  STR_ARG(source_text(evaluator->session, expr->field.object->span)));
    }
}

const Value *evaluate_field_object(Evaluator *evaluator, const Expr *expr, const Env *env) {
    const Expr *object = expr->field.object;
    const bool is_pseudo = object->kind == EXPR_NAME && str_is(object->name, "aws");
    return is_pseudo ? NULL : evaluate(evaluator, object, env, NULL);
}

const Value *evaluate_field(Evaluator *evaluator, const Expr *expr, const Env *env) {
    return evaluate_field_of(evaluator, expr, evaluate_field_object(evaluator, expr, env));
}

const Value *evaluate_field_of(Evaluator *evaluator, const Expr *expr, const Value *object) {
    if (object == NULL) {
        return pseudo_field(evaluator, expr);
    }
    switch (object->kind) {
    case VALUE_ERROR:
        return object;
    case VALUE_MODULE:
        return module_field(evaluator, expr, object->module);
    case VALUE_BLOCK:
        return evaluate_part(evaluator, expr, draft_of(object->block));
    case VALUE_MAP:
        return map_field(evaluator, expr, object);
    case VALUE_RESOURCE:
        return resource_field(evaluator, expr, object);
    case VALUE_LATE:
        if (object->late->kind == LATE_ATTRIBUTE) {
            return resource_field(evaluator, expr, object);
        }
        return late_operand(evaluator, expr->field.object, object, ".");
    case VALUE_NULL:
    case VALUE_BOOL:
    case VALUE_INT:
    case VALUE_STRING:
    case VALUE_SIZE:
    case VALUE_RATE:
    case VALUE_DURATION:
    case VALUE_RANGE:
    case VALUE_WORD:
    case VALUE_LIST:
    case VALUE_TAG:
    case VALUE_KIND_COUNT:
        no_fields(evaluator, expr, object);
        return make_error(evaluator, expr->span);
    }
    return make_error(evaluator, expr->span);
}
