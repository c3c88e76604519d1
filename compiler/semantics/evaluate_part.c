// Evaluates a part of a block behind a dot. It is the first of these that the block has: an attribute that was given,
// what the block's stack makes, a nested block, a raw `resource`, an `output` of the author.
#include "compiler/semantics/evaluator.h"

#include "compiler/base/suggest.h"
#include "schema/renamed.h"

static const Value *made_by_stack(Evaluator *evaluator, const Expr *expr, Draft *draft, const OutputRow *output) {
    const Late late = {
        .kind = LATE_OUTPUT, .type = output->type, .block = &draft->block, .name = expr->field.name.text
    };
    return make_late(evaluator, expr->span, origin_span(evaluator->arena, expr->span), &late);
}

// Another stack imports the author's output. So a late value remembers which one it is.
static const Value *written_output(Evaluator *evaluator, const Expr *expr, Draft *draft, Slot *slot) {
    const Value *value = evaluate_slot(evaluator, draft->block.kind, slot, expr->span);
    const bool is_late = value->kind == VALUE_LATE;
    const bool is_bool = is_late && value->late->type != NULL && value->late->type->kind == TYPE_BOOL;
    // A choice is made of params alone, and CloudFormation has no output that may be missing.
    if ((!is_late && value->kind != VALUE_RESOURCE) || is_bool || value_may_be_null(value)) {
        return value;
    }
    const Value **parts = arena_new_array(evaluator->arena, const Value *, 1);
    parts[0] = value;
    const Late late = { .kind = LATE_WRITTEN_OUTPUT,
                        .type = is_late ? value->late->type : NULL,
                        .block = &draft->block,
                        .name = slot->name.text,
                        .parts = parts,
                        .part_count = 1 };
    const Origin *origin = origin_join(evaluator->arena, origin_span(evaluator->arena, expr->span), value->origin);
    return make_late(evaluator, expr->span, origin, &late);
}

// An attribute is given, or its absence is known.
static const Value *given(Evaluator *evaluator, const Expr *expr, Draft *draft, int attribute) {
    if (attribute < 0 || draft->slots[attribute] == NULL) {
        return NULL;
    }
    const KindRow *kind = draft->block.kind;
    const Value *value = evaluate_slot(evaluator, kind, draft->slots[attribute], expr->span);
    const bool is_word_of_output = // `public = none`
        value->kind == VALUE_WORD && schema_output(kind, expr->field.name.text) != NULL;
    return value->kind == VALUE_NULL || is_word_of_output ? NULL : value;
}

static Draft *child_called(const Draft *draft, Str name) {
    for (uint32_t i = 0; i < draft->children.count; i++) {
        if (str_equal(draft->children.items[i]->block.name, name)) {
            return draft->children.items[i];
        }
    }
    return NULL;
}

// `output topic = topic`, `output queue = ml.queue`: whichever is taken, it is the same.
static bool names_the_same(const Expr *expr, Str name) {
    return (expr->kind == EXPR_NAME && str_equal(expr->name, name)) ||
           (expr->kind == EXPR_FIELD && str_equal(expr->field.name.text, name));
}

// What stands before a resource or an output of the name is taken, and the other is out of reach.
static void check_hidden(Evaluator *evaluator, const Expr *expr, Draft *draft, const char *taken,
                         const Resource *taken_resource) {
    const Name *name = &expr->field.name;
    const Resource *resource = taken_resource != NULL ? NULL : str_map_get(&draft->resources, name->text);
    const Slot *output = str_map_get(&draft->output_slots, name->text);
    const bool is_same =
        output != NULL && (output->progress == PROGRESS_ACTIVE || names_the_same(output->expr, name->text));
    if (resource == NULL && (output == NULL || is_same)) {
        return;
    }
    Diag *diag = report(evaluator->session, name->span, DIAG(part_hidden), STR_ARG(draft->block.name),
                        STR_ARG(name->text), taken, resource != NULL ? "resource" : "output");
    diag_label(evaluator->session, diag, resource != NULL ? resource->span : output->name.span, "not this one");
    diag_help(evaluator->session, diag, "if this one is meant, give it another name");
}

// ---- buckets

// A name that is known is known here too. A name that the deployment works out is what the stack made.
static const Value *bucket_name(Evaluator *evaluator, const Expr *expr, Draft *draft) {
    const Value *existing = given(evaluator, expr, draft, BUCKET_EXISTING);
    const Value *name = existing != NULL ? existing : given(evaluator, expr, draft, BUCKET_NAME);
    if (name != NULL && (existing != NULL || name->kind != VALUE_LATE)) {
        return name;
    }
    const OutputRow *row = schema_output(draft->block.kind, STR("name"));
    const Late late = { .kind = LATE_OUTPUT, .type = row->type, .block = &draft->block, .name = str_of(row->name) };
    return make_late(evaluator, expr->span, origin_span(evaluator->arena, expr->span), &late);
}

// What is asked of a bucket is made of its name. NULL where that is something else.
static const Value *bucket_part(Evaluator *evaluator, const Expr *expr, Draft *draft) {
    const Str part = expr->field.name.text;
    if (draft->block.kind != &KIND_ROWS[KIND_BUCKET] || schema_output(draft->block.kind, part) == NULL) {
        return NULL;
    }
    check_hidden(evaluator, expr, draft, "what its stack makes", NULL);
    const Value *name = bucket_name(evaluator, expr, draft);
    if (str_is(part, "name") || name->kind == VALUE_ERROR) {
        return name;
    }
    const Origin *origin = origin_span(evaluator->arena, expr->span);
    if (str_is(part, "uri")) {
        const Value *uri[] = { make_string(evaluator, expr->span, origin, STR("s3://")), name };
        return evaluate_joined(evaluator, expr, uri, COUNT_OF(uri));
    }
    const Late partition = { .kind = LATE_PSEUDO, .type = schema_named_type(STR("string")), .name = STR("partition") };
    const Value *arn[] = { make_string(evaluator, expr->span, origin, STR("arn:")),
                           make_late(evaluator, expr->span, origin, &partition),
                           make_string(evaluator, expr->span, origin, STR(":s3:::")), name };
    return evaluate_joined(evaluator, expr, arn, COUNT_OF(arn));
}

// ---- what a block does not have

// What stands before a resource or an output is not one more name.
static void offer_own(const Draft *draft, Offers *offers, Str name) {
    const bool is_itself = str_equal(name, offers->suggestion.name);
    if (!is_itself && child_called(draft, name) == NULL && schema_output(draft->block.kind, name) == NULL) {
        offers_add(offers, name);
    }
}

static void offer_all(const Draft *draft, Offers *offers) {
    const KindRow *kind = draft->block.kind;
    for (int i = 0; i < kind->output_count; i++) {
        offers_add(offers, str_of(kind->outputs[i].name));
    }
    for (uint32_t i = 0; i < draft->declared.count; i++) {
        offer_own(draft, offers, draft->declared.items[i]->name);
    }
    for (uint32_t i = 0; i < draft->placed.count; i++) {
        const Item *item = draft->placed.items[i].item;
        if (item->kind == ITEM_OUTPUT && str_map_get(&draft->resources, item->let.name.text) == NULL) {
            offer_own(draft, offers, item->let.name.text);
        }
    }
    for (uint32_t i = 0; i < draft->children.count && !offers_are_settled(offers); i++) {
        offers_add(offers, draft->children.items[i]->block.name);
    }
}

// The resource or output of the name that an `if` keeps from being there.
static bool is_not_built(const Items *items, Str name) {
    bool is_there = scope_holds_resource(items, name);
    for (uint32_t i = 0; i < items->count && !is_there; i++) {
        const Item *item = items->items[i];
        is_there = (item->kind == ITEM_OUTPUT && str_equal(item->let.name.text, name)) ||
                   (item->kind == ITEM_IF && is_not_built(&item->branch.body, name)) ||
                   (item->kind == ITEM_FOR && is_not_built(&item->loop.body, name));
    }
    return is_there;
}

static const Value *no_part(Evaluator *evaluator, const Expr *expr, const Draft *draft, int attribute) {
    const KindRow *kind = draft->block.kind;
    const Name *name = &expr->field.name;
    const char *today = schema_renamed_attribute(kind->name, name->text);
    if (attribute >= 0) {
        Diag *diag = report(evaluator->session, name->span, DIAG(attribute_not_given), STR_ARG(draft->block.name),
                            STR_ARG(name->text));
        diag_help(evaluator->session, diag, "give it in `%.*s`: defaults are worked out later",
                  STR_ARG(draft->block.name));
        return make_error(evaluator, expr->span);
    }
    if (today != NULL) {
        report_renamed(evaluator->session, name, today);
        return make_error(evaluator, expr->span);
    }
    const bool is_itself = str_map_get(&draft->output_slots, name->text) != NULL;
    if (!is_itself && is_not_built(&draft->item->block.body, name->text)) {
        report(evaluator->session, name->span, DIAG(block_not_built), STR_ARG(name->text));
        return make_error(evaluator, expr->span);
    }
    Offers offers = offers_for(evaluator, name->text);
    offers.shows_some = true;
    offer_all(draft, &offers);
    for (int i = 0; i < kind->attribute_count; i++) {
        suggest_offer(&offers.suggestion, str_of(kind->attributes[i].name));
    }
    const Str object = str_format(evaluator->arena, "`%.*s`", STR_ARG(draft->block.name));
    return evaluate_unknown_field(evaluator, expr, &offers, str_c(evaluator->arena, object));
}

const Value *evaluate_part(Evaluator *evaluator, const Expr *expr, Draft *draft) {
    const KindRow *kind = draft->block.kind;
    const Str name = expr->field.name.text;
    if (evaluator->is_expanding) {
        report_too_early(evaluator, expr->field.object->span, draft->block.name);
        return make_error(evaluator, expr->span);
    }
    const Value *of_bucket = bucket_part(evaluator, expr, draft);
    if (of_bucket != NULL) {
        return of_bucket;
    }
    const int attribute = schema_attribute(kind, name);
    const Value *value = given(evaluator, expr, draft, attribute);
    if (value != NULL) {
        check_hidden(evaluator, expr, draft, "the attribute", NULL);
        return value;
    }
    const OutputRow *row = schema_output(kind, name);
    if (row != NULL) {
        check_hidden(evaluator, expr, draft, "what its stack makes", NULL);
        return made_by_stack(evaluator, expr, draft, row);
    }
    Draft *child = child_called(draft, name);
    if (child != NULL) {
        if (str_map_get(&draft->resources, name) != NULL) { // an output has no parts, and a block no text
            check_hidden(evaluator, expr, draft, "the nested block", NULL);
        }
        return evaluate_draft_reference(evaluator, child, expr->span);
    }
    const Resource *resource = str_map_get(&draft->resources, name);
    if (resource != NULL) {
        check_hidden(evaluator, expr, draft, "the resource", resource);
        Value *reference = make_value(evaluator, VALUE_RESOURCE, expr->span, origin_span(evaluator->arena, expr->span));
        reference->resource = resource;
        return reference;
    }
    Slot *output = str_map_get_mutable(&draft->output_slots, name);
    const bool is_itself = output != NULL && evaluator->active != NULL && evaluator->active->what == output;
    return output != NULL && !is_itself ? written_output(evaluator, expr, draft, output)
                                        : no_part(evaluator, expr, draft, attribute);
}
