// Evaluates expressions. An expression is evaluated with the names of the place where it was written (its Env). It is
// given the wanted type, so that a bare word can be a word of that type.
#include "compiler/semantics/value_cycle.h"
#include "compiler/semantics/evaluator.h"

#include "compiler/base/suggest.h"

// What is needed on the way to the innermost value, from the outside in.
static void show_chain(Evaluator *evaluator, Diag *diag, const void *first) {
    const Active *chain[CHAIN_SHOWN_MAX];
    uint32_t count = 0;
    for (const Active *active = evaluator->active; active != NULL && active->what != first; active = active->outer) {
        chain[count++ % CHAIN_SHOWN_MAX] = active; // the outermost are those that the reader knows first
    }
    const uint32_t shown = count < CHAIN_SHOWN_MAX ? count : CHAIN_SHOWN_MAX;
    for (uint32_t i = 1; i <= shown; i++) {
        const Active *active = chain[(count - i) % CHAIN_SHOWN_MAX];
        if (active->block.len > 0) {
            diag_label(evaluator->session, diag, active->use, "which needs `%.*s` of `%.*s`", STR_ARG(active->name),
                       STR_ARG(active->block));
        } else {
            diag_label(evaluator->session, diag, active->use, "which needs `%.*s`", STR_ARG(active->name));
        }
    }
}

static const Value *cycle(Evaluator *evaluator, const void *what, Str name, Span span, Span use) {
    Diag *diag = value_cycle_report(evaluator->session, span, name);
    show_chain(evaluator, diag, what);
    diag_label(evaluator->session, diag, use, "which leads back to it here");
    return make_error(evaluator, span);
}

const Value *evaluate_slot(Evaluator *evaluator, const KindRow *kind, Slot *slot, Span use) {
    if (slot->progress == PROGRESS_ACTIVE) {
        return cycle(evaluator, slot, slot->name.text, slot->name.span, use);
    }
    if (slot->progress == PROGRESS_NEW) {
        const Active active = { .name = slot->name.text,
                                .block = slot->env->draft == NULL ? STR_NONE : slot->env->draft->block.name,
                                .use = use,
                                .what = slot,
                                .outer = evaluator->active };
        slot->progress = PROGRESS_ACTIVE;
        evaluator->active = &active;
        const Type *type = slot->attribute >= 0 ? kind->attributes[slot->attribute].type : NULL;
        slot->value = evaluate(evaluator, slot->expr, slot->env, type);
        evaluator->active = active.outer;
        slot->progress = evaluator->is_quiet ? PROGRESS_NEW : PROGRESS_DONE;
    }
    return slot->value;
}

static const Value *param_value(Evaluator *evaluator, Declaration *declaration, Span use) {
    Param *param = declaration->param;
    if (param == NULL) {
        return make_error(evaluator, use); // its declaration was reported
    }
    if (param->value == NULL && !evaluator->is_quiet) {
        Diag *diag = report(evaluator->session, param->span, DIAG(param_without_value), STR_ARG(param->name));
        diag_label(evaluator->session, diag, use, "needed here");
        diag_help(evaluator->session, diag, "give it with `-p %.*s=…`, in a params file, or a default",
                  STR_ARG(param->name));
        param->value = make_error(evaluator, use);
    }
    return param->value != NULL ? param->value : make_error(evaluator, use);
}

void report_not_yet(Evaluator *evaluator, Span span, Str name) {
    Diag *diag = report(evaluator->session, span, DIAG(block_read_too_early), STR_ARG(name));
    show_chain(evaluator, diag, NULL);
    diag_help(evaluator->session, diag, "give the value a `let`, and use it here and in `%.*s`", STR_ARG(name));
    diag_help(evaluator->session, diag, "if no value of `%.*s` is needed, put the block above", STR_ARG(name));
}

void report_too_early(Evaluator *evaluator, Span span, Str name) {
    Diag *diag = report(evaluator->session, span, DIAG(block_read_too_early), STR_ARG(name));
    show_chain(evaluator, diag, NULL);
    diag_help(evaluator->session, diag, "give the value a `let`, and use it here and in `%.*s`", STR_ARG(name));
}

const Value *evaluate_draft_reference(Evaluator *evaluator, Draft *draft, Span use) {
    Value *value = make_value(evaluator, VALUE_BLOCK, use, origin_span(evaluator->arena, use));
    value->block = &draft->block;
    return value;
}

const Value *evaluate_declaration(Evaluator *evaluator, Declaration *declaration, Span use) {
    switch (declaration->kind) {
    case DECLARATION_PARAM:
        return param_value(evaluator, declaration, use);
    case DECLARATION_LET: {
        if (declaration->progress == PROGRESS_ACTIVE) {
            return cycle(evaluator, declaration, declaration->name, declaration->span, use);
        }
        if (declaration->progress == PROGRESS_NEW) {
            const Env env = { .module = declaration->module };
            const Active active = {
                .name = declaration->name, .use = use, .what = declaration, .outer = evaluator->active
            };
            declaration->progress = PROGRESS_ACTIVE;
            evaluator->active = &active;
            declaration->value = evaluate(evaluator, declaration->item->let.value, &env, NULL);
            evaluator->active = active.outer;
            declaration->progress = evaluator->is_quiet ? PROGRESS_NEW : PROGRESS_DONE;
        }
        return declaration->value;
    }
    case DECLARATION_USE: {
        if (declaration->used == NULL) {
            return make_error(evaluator, use);
        }
        Value *value = make_value(evaluator, VALUE_MODULE, use, NULL);
        value->module = declaration->used;
        return value;
    }
    case DECLARATION_BLOCK:
        if (declaration->draft != NULL) {
            return evaluate_draft_reference(evaluator, declaration->draft, use);
        }
        if (evaluator->is_expanding) {
            report_not_yet(evaluator, use, declaration->name);
        }
        return make_error(evaluator, use); // later: why it could not be made was reported
    }
    return make_error(evaluator, use);
}

static const Draft *cluster_around(const Env *env) {
    const Block *block = env->draft == NULL ? NULL : &env->draft->block;
    const Block *cluster = block == NULL ? NULL : block->on != NULL ? block->on : block->parent;
    return cluster == NULL ? NULL : draft_of(cluster);
}

// A node group is named without a path from its cluster's jobs, and from what stands beside it. It is
// of the kind that the type wants, or of another one.
static Draft *find_nested(const Env *env, const Type *expected, Str name, bool is_of_kind) {
    const Type *type = type_find_kind(expected, TYPE_BLOCK);
    const Draft *cluster = type == NULL ? NULL : cluster_around(env);
    if (cluster == NULL) {
        return NULL;
    }
    for (uint32_t i = 0; i < cluster->children.count; i++) {
        Draft *child = cluster->children.items[i];
        if (str_is(str_of(child->block.kind->name), type->name) == is_of_kind && str_equal(child->block.name, name)) {
            return child;
        }
    }
    return NULL;
}

// No such name is there, though one could have been made. What resolve.c reported is the same message, and kept once.
static const Value *not_made(Evaluator *evaluator, const Expr *expr, const Env *env, const Type *expected) {
    bool is_sure = false;
    const Item *maker = scope_may_make(env->module, expr->name, NULL, &is_sure);
    const Draft *cluster = cluster_around(env);
    if (maker == NULL && cluster != NULL && !diags_are_full(evaluator->session)) { // one of its groups
        maker = scope_may_make_nested(evaluator->arena, cluster, expr->name, &KIND_ROWS[KIND_NODES], &is_sure);
    }
    bool is_resource = false;
    for (const Draft *draft = env->draft; draft != NULL; draft = draft_of(draft->block.parent)) {
        is_resource = is_resource || scope_holds_resource(&draft->item->block.body, expr->name);
    }
    const Type *block = type_find_kind(expected, TYPE_BLOCK);
    const bool is_lost = (maker != NULL && scope_has_lost(env->module, maker->block.kind.text)) ||
                         (block != NULL && scope_has_lost(env->module, str_of(block->name)));
    if (is_lost) {
        return make_error(evaluator, expr->span);
    }
    if (maker != NULL && evaluator->is_expanding) {
        report_not_yet(evaluator, expr->span, expr->name);
    } else if (is_resource || (maker != NULL && is_sure)) {
        Diag *diag = report(evaluator->session, expr->span, DIAG(block_not_built), STR_ARG(expr->name));
        if (maker != NULL) {
            diag_label(evaluator->session, diag, maker->block.label->span, "would be made here");
        }
    } else {
        Suggestion suggestion = suggest_for(evaluator->session, expr->name);
        for (const Loop *loop = env->loops; loop != NULL; loop = loop->outer) {
            suggest_offer(&suggestion, loop->name);
        }
        for (uint32_t i = 0; cluster != NULL && i < cluster->children.count && !suggest_is_idle(&suggestion); i++) {
            suggest_offer(&suggestion, cluster->children.items[i]->block.name);
        }
        resolve_unknown_name(evaluator, env->module, expr, expected, &suggestion);
    }
    return make_error(evaluator, expr->span);
}

static const Value *evaluate_name(Evaluator *evaluator, const Expr *expr, const Env *env, const Type *expected) {
    if (schema_find_word(expected, expr->name) != NULL) {
        Value *word = make_value(evaluator, VALUE_WORD, expr->span, origin_span(evaluator->arena, expr->span));
        word->string = expr->name;
        return word;
    }
    const Loop *loop = scope_find_loop(env, expr->name);
    if (loop != NULL) {
        return loop->value;
    }
    Draft *nested = find_nested(env, expected, expr->name, true);
    if (nested != NULL) {
        return evaluate_draft_reference(evaluator, nested, expr->span);
    }
    bool is_ambiguous = false;
    const Type *wanted = type_find_kind(expected, TYPE_BLOCK);
    Declaration *declaration =
        scope_find_kind(env->module, expr->name, wanted == NULL ? NULL : wanted->name, &is_ambiguous);
    if (is_ambiguous) {
        report(evaluator->session, expr->span, DIAG(name_ambiguous), STR_ARG(expr->name));
        return make_error(evaluator, expr->span);
    }
    if (declaration != NULL) {
        return evaluate_declaration(evaluator, declaration, expr->span);
    }
    const Resource *resource = scope_find_resource(env, expr->name);
    if (resource != NULL) {
        Value *value = make_value(evaluator, VALUE_RESOURCE, expr->span, origin_span(evaluator->arena, expr->span));
        value->resource = resource;
        return value;
    }
    Draft *other = find_nested(env, expected, expr->name, false); // a queue, say: the type says what it is
    return other != NULL ? evaluate_draft_reference(evaluator, other, expr->span)
                         : not_made(evaluator, expr, env, expected);
}

static const Value *evaluate_binary(Evaluator *evaluator, const Expr *expr, const Env *env, const Type *expected) {
    BinaryOp op = expr->binary.op;
    if (op == BINARY_DEFAULT) {
        return evaluate_default(evaluator, expr, env, expected);
    }
    const Value *left = evaluate(evaluator, expr->binary.left, env, op == BINARY_ADD ? expected : NULL);
    if (op == BINARY_AND || op == BINARY_OR) {
        const char *name = op == BINARY_AND ? "&&" : "||";
        if (left->kind == VALUE_BOOL && left->boolean == (op == BINARY_OR)) {
            return left;
        }
        const Value *right = evaluate(evaluator, expr->binary.right, env, NULL);
        if (left->kind != VALUE_BOOL || right->kind != VALUE_BOOL) {
            const Value *wrong = left->kind != VALUE_BOOL ? left : right;
            const Expr *place = left->kind != VALUE_BOOL ? expr->binary.left : expr->binary.right;
            if (wrong->kind == VALUE_LATE) {
                late_operand(evaluator, place, wrong, name);
            } else if (wrong->kind != VALUE_ERROR) {
                report(evaluator->session, place->span, DIAG(operand_type), op == BINARY_AND ? "`&&`" : "`||`",
                       "a bool", value_describe(wrong));
            }
            return make_error(evaluator, expr->span);
        }
        return make_bool(evaluator, expr->span, origin_join(evaluator->arena, left->origin, right->origin),
                         right->boolean);
    }
    const Value *right = evaluate(evaluator, expr->binary.right, env, op == BINARY_ADD ? expected : NULL);
    return operate_binary(evaluator, expr, left, right);
}

static const Value *evaluate_range(Evaluator *evaluator, const Expr *expr, const Env *env) {
    const Value *low = evaluate(evaluator, expr->range.low, env, NULL);
    const Value *high = evaluate(evaluator, expr->range.high, env, NULL);
    if (low->kind == VALUE_ERROR || high->kind == VALUE_ERROR) {
        return make_error(evaluator, expr->span);
    }
    const Value *ends[] = { low, high };
    const Expr *places[] = { expr->range.low, expr->range.high };
    for (int i = 0; i < 2; i++) {
        bool is_late_int = ends[i]->kind == VALUE_LATE && ends[i]->late->type != NULL &&
                           ends[i]->late->type->kind == TYPE_INT && !ends[i]->late->is_optional;
        if (ends[i]->kind != VALUE_INT && !is_late_int) {
            report(evaluator->session, places[i]->span, DIAG(operand_type), "`..`", "an int",
                   late_describe(evaluator, ends[i]));
            return make_error(evaluator, expr->span);
        }
    }
    if (low->kind == VALUE_INT && high->kind == VALUE_INT && low->integer > high->integer) {
        Diag *diag = report(evaluator->session, expr->span, DIAG(range_backwards), low->integer, high->integer);
        diag_help(evaluator->session, diag, "write `%" PRId64 "..%" PRId64 "`", high->integer, low->integer);
        return make_error(evaluator, expr->span);
    }
    Value *value =
        make_value(evaluator, VALUE_RANGE, expr->span, origin_join(evaluator->arena, low->origin, high->origin));
    value->range.low = low;
    value->range.high = high;
    return value;
}

static const Value *evaluate_list(Evaluator *evaluator, const Expr *expr, const Env *env, const Type *expected) {
    const Type *list = type_find_kind(expected, TYPE_LIST);
    const Type *element = list == NULL ? NULL : list->element;
    const Value **items = arena_new_array(evaluator->arena, const Value *, expr->list.count);
    bool is_good = true;
    for (uint32_t i = 0; i < expr->list.count; i++) {
        items[i] = evaluate(evaluator, expr->list.items[i], env, element);
        is_good = is_good && items[i]->kind != VALUE_ERROR;
    }
    return is_good ? make_list(evaluator, expr->span, NULL, items, expr->list.count)
                   : make_error(evaluator, expr->span);
}

static const Value *evaluate_map(Evaluator *evaluator, const Expr *expr, const Env *env, const Type *expected) {
    const Type *map = type_find_kind(expected, TYPE_MAP);
    const Type *element = map == NULL ? NULL : map->element;
    uint32_t count = expr->map.count;
    ValueEntry *entries = arena_new_array(evaluator->arena, ValueEntry, count);
    StrMap seen = { .arena = evaluator->arena };
    bool is_good = make_room(evaluator, expr->span, count * sizeof *entries);
    for (uint32_t i = 0; i < count && is_good; i++) {
        const MapEntry *entry = &expr->map.entries[i];
        const MapEntry *other = str_map_add(&seen, entry->key.text, entry);
        if (other != NULL) {
            Diag *diag = report(evaluator->session, entry->key.span, DIAG(key_twice), STR_ARG(entry->key.text));
            diag_label(evaluator->session, diag, other->key.span, "first here");
            guess_absence(evaluator, diag, span_join(entry->key.span, entry->value->span));
            return make_error(evaluator, expr->span);
        }
        entries[i] = (ValueEntry){ .key = entry->key.text,
                                   .key_span = entry->key.span,
                                   .value = evaluate(evaluator, entry->value, env, element) };
    }
    for (uint32_t i = 0; i < count; i++) {
        is_good = is_good && entries[i].value->kind != VALUE_ERROR;
    }
    if (!is_good) {
        return make_error(evaluator, expr->span);
    }
    Value *value = make_value(evaluator, VALUE_MAP, expr->span, NULL);
    value->map.entries = entries;
    value->map.count = count;
    value->map.index = value_index(evaluator->arena, count);
    return make_whole(evaluator, value);
}

// A file of the project is read where its script() was written, as that of file() is.
static bool load_script(Evaluator *evaluator, const Env *env, const Type *tag, Value *value) {
    const Value *place = value->tag.arguments[0];
    bool is_file = str_is(STR("script"), tag->name) && place->kind == VALUE_STRING &&
                   str_find(place->string, STR("://"), 0) == place->string.len;
    if (is_file) {
        value->tag.source = load_text(evaluator, env->module, place->string, place->span);
    }
    return !is_file || value->tag.source != 0;
}

// reservation(odcr): a tag of the wanted type. A tag of null is null.
static const Value *evaluate_tag(Evaluator *evaluator, const Expr *expr, const Env *env, const Type *tag) {
    if (expr->call.arguments.count == 0 && tag->element != NULL) {
        report(evaluator->session, expr->span, DIAG(tag_arguments), tag->name,
               STR_ARG(type_describe_arguments(evaluator->arena, tag)));
        return make_error(evaluator, expr->span);
    }
    uint32_t count = expr->call.arguments.count;
    const Value **arguments = arena_new_array(evaluator->arena, const Value *, count);
    for (uint32_t i = 0; i < count; i++) {
        arguments[i] = evaluate(evaluator, expr->call.arguments.items[i], env, type_of_argument(tag, i));
        if (arguments[i]->kind == VALUE_ERROR || (arguments[i]->kind == VALUE_NULL && i == 0)) {
            return arguments[i];
        }
    }
    const Origin *origin = origin_span(evaluator->arena, expr->call.function.span);
    for (uint32_t i = 0; i < count; i++) {
        origin = origin_join(evaluator->arena, origin, arguments[i]->origin);
    }
    Value *value = make_value(evaluator, VALUE_TAG, expr->span, origin);
    value->tag.name = expr->call.function.text;
    value->tag.arguments = arguments;
    value->tag.count = count;
    return load_script(evaluator, env, tag, value) ? make_whole(evaluator, value) : make_error(evaluator, expr->span);
}

static const Value *evaluate_call(Evaluator *evaluator, const Expr *expr, const Env *env, const Type *expected) {
    const Type *tag = schema_find_tag(expected, expr->call.function.text);
    const BuiltinRow *builtin = tag != NULL ? NULL : builtin_find(expr->call.function.text);
    if (builtin != NULL) {
        return builtin_call(evaluator, builtin, expr, env);
    }
    tag = tag != NULL ? tag : type_any_tag(expr->call.function.text);
    if (tag != NULL) {
        return evaluate_tag(evaluator, expr, env, tag);
    }
    return make_error(evaluator, expr->span); // reported by resolve.c
}

static const Value *evaluate_kind(Evaluator *evaluator, const Expr *expr, const Env *env, const Type *expected) {
    const Origin *origin = NULL;
    switch (expr->kind) {
    case EXPR_ERROR:
        return make_error(evaluator, expr->span);
    case EXPR_NULL:
        return make_value(evaluator, VALUE_NULL, expr->span, origin_span(evaluator->arena, expr->span));
    case EXPR_BOOL:
        origin = origin_span(evaluator->arena, expr->span);
        return make_bool(evaluator, expr->span, origin, expr->boolean);
    case EXPR_INT:
        origin = origin_span(evaluator->arena, expr->span);
        return make_int(evaluator, expr->span, origin, expr->integer);
    case EXPR_QUANTITY:
        return quantity_value(evaluator, expr, expected);
    case EXPR_STRING:
        origin = origin_span(evaluator->arena, expr->span);
        return make_string(evaluator, expr->span, origin, expr->string);
    case EXPR_TEMPLATE:
        return evaluate_template(evaluator, expr, env);
    case EXPR_NAME:
        return evaluate_name(evaluator, expr, env, expected);
    case EXPR_CALL:
        return evaluate_call(evaluator, expr, env, expected);
    case EXPR_FIELD:
        return evaluate_field(evaluator, expr, env);
    case EXPR_INDEX:
        return evaluate_index(evaluator, expr, env);
    case EXPR_UNARY:
        return operate_unary(evaluator, expr, evaluate(evaluator, expr->unary.operand, env, NULL));
    case EXPR_BINARY:
        return evaluate_binary(evaluator, expr, env, expected);
    case EXPR_CONDITIONAL:
        return evaluate_conditional(evaluator, expr, env, expected);
    case EXPR_RANGE:
        return evaluate_range(evaluator, expr, env);
    case EXPR_LIST:
        return evaluate_list(evaluator, expr, env, expected);
    case EXPR_MAP:
        return evaluate_map(evaluator, expr, env, expected);
    }
    return make_error(evaluator, expr->span);
}

// Patterns that a resource has otherwise than by its Ref, which is a name: by an attribute, or behind a text.
typedef struct {
    const char *pattern;
    const char *type;
    const char *attribute; // NULL: its Ref
    const char *before;    // NULL: nothing
} FormRow;

// source: AWS CloudFormation Template Reference, Return values of each type, 2026-11
static const FormRow FORM_ROWS[] = {
    { "iam_role_arn", "AWS::IAM::Role", "Arn", NULL },
    { "instance_profile_arn", "AWS::IAM::InstanceProfile", "Arn", NULL },
    { "s3_uri", "AWS::S3::Bucket", NULL, "s3://" },
};

static const FormRow *form_of(const Resource *resource, const Type *expected) {
    const Type *wanted = type_find_kind(expected, TYPE_PATTERN);
    for (size_t i = 0; wanted != NULL && i < COUNT_OF(FORM_ROWS); i++) {
        const FormRow *row = &FORM_ROWS[i];
        if (strcmp(wanted->pattern->name, row->pattern) == 0 && str_is(resource->type, row->type)) {
            return row;
        }
    }
    return NULL;
}

static const Value *behind(Evaluator *evaluator, const Value *value, const char *before) {
    const Value **parts = arena_new_array(evaluator->arena, const Value *, 2);
    parts[0] = make_string(evaluator, value->span, value->origin, str_of(before));
    parts[1] = value;
    const Late late = { .kind = LATE_TEXT, .parts = parts, .part_count = 2 };
    return make_late(evaluator, value->span, value->origin, &late);
}

// A resource where text is wanted is its Ref, or what has the form that is wanted.
static const Value *as_wanted(Evaluator *evaluator, const Value *value, const Type *expected) {
    const bool wants_text =
        type_find_kind(expected, TYPE_STRING) != NULL || type_find_kind(expected, TYPE_PATTERN) != NULL;
    if (value->kind != VALUE_RESOURCE || !wants_text) {
        return value;
    }
    const FormRow *form = form_of(value->resource, expected);
    const bool is_attribute = form != NULL && form->attribute != NULL;
    const Late late = { .kind = is_attribute ? LATE_ATTRIBUTE : LATE_REF,
                        .resource = value->resource,
                        .name = is_attribute ? str_of(form->attribute) : STR_NONE };
    const Value *made = make_late(evaluator, value->span, value->origin, &late);
    return form != NULL && form->before != NULL ? behind(evaluator, made, form->before) : made;
}

const Value *evaluate(Evaluator *evaluator, const Expr *expr, const Env *env, const Type *expected) {
    if (!make_steps(evaluator, expr->span, 1)) {
        return make_error(evaluator, expr->span);
    }
    if (evaluator->depth >= EVALUATION_DEPTH_MAX) {
        evaluator->is_exhausted = true;
        report(evaluator->session, expr->span, DIAG(evaluation_too_deep), EVALUATION_DEPTH_MAX);
        return make_error(evaluator, expr->span);
    }
    evaluator->depth++;
    const Value *value = evaluate_kind(evaluator, expr, env, expected);
    evaluator->depth--;
    return as_wanted(evaluator, value, expected);
}

const Value *evaluate_known(Evaluator *evaluator, const Expr *expr, const Env *env, ValueKind kind, const char *what) {
    const Value *value = evaluate(evaluator, expr, env, NULL);
    if (value->kind == kind || value->kind == VALUE_ERROR) {
        return value;
    }
    if (!value_is_known(value)) {
        return late_where_known(evaluator, expr, value, what);
    }
    const Value like = { .kind = kind };
    report(evaluator->session, expr->span, DIAG(operand_type), what, value_describe(&like), value_describe(value));
    return make_error(evaluator, expr->span);
}
