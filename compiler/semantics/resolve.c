// Checks names before anything is evaluated, so that both arms of a choice and every unused declaration are held to
// mean something. Walks the tree with the type that each place wants: a bare word of that type is no name.
#include "compiler/semantics/resolve.h"

#include "compiler/base/pattern.h"
#include "compiler/base/suggest.h"
#include "compiler/semantics/builtins.h"
#include "schema/renamed.h"

// ---- names -----------------------------------------------------------------------------------------------------

static bool is_loop_variable(const Scope *scope, Str name) {
    for (; scope != NULL; scope = scope->outer) {
        if (scope->variable.len > 0 && str_equal(scope->variable, name)) {
            return true;
        }
    }
    return false;
}

static bool is_resource(const Scope *scope, Str name) {
    for (; scope != NULL; scope = scope->outer) {
        if (scope->block != NULL && scope_holds_resource(&scope->block->block.body, name)) {
            return true;
        }
    }
    return false;
}

static bool help_with_minus(Evaluator *evaluator, Diag *diag, const Module *module, Str name) {
    size_t dash = str_find(name, STR("-"), 0);
    const Declaration *declaration = dash == name.len ? NULL : scope_find(module, str_slice(name, 0, dash));
    if (declaration == NULL || declaration->kind == DECLARATION_BLOCK) {
        return false;
    }
    diag_help(evaluator->session, diag, "`%.*s` is one name; a minus has blanks around it: `%.*s - %.*s`",
              STR_ARG(name), STR_ARG(str_slice(name, 0, dash)), STR_ARG(str_slice(name, dash + 1, name.len)));
    return true;
}

// `100MiB/s`, as others write a rate: the `s` is read as a name that a size is divided by.
static bool help_with_rate(Evaluator *evaluator, Diag *diag, Span span, Str name) {
    enum { DIGITS_MAX = 24 };
    if (!str_is(name, "s") && !str_is(name, "sec")) {
        return false;
    }
    const Source *source = source_get(evaluator->session, span.source);
    uint32_t start = span.start;
    while (start > 0 && span.start - start < DIGITS_MAX &&
           memchr(" =,[(\n", source->text.data[start - 1], sizeof(" =,[(\n") - 1) == NULL) {
        start--;
    }
    const Str before = str_slice(source->text, start, span.start);
    if (!str_ends_with(before, STR("B/")) || before.data[0] < '0' || before.data[0] > '9') {
        return false;
    }
    const Str rate = str_format(evaluator->arena, "%.*sps", STR_ARG(str_slice(before, 0, before.len - 1)));
    diag_help(evaluator->session, diag, "a rate is one word: `%.*s`", STR_ARG(rate));
    diag_fix(evaluator->session, diag, (Span){ span.source, start, span.end }, rate);
    return true;
}

// Before `[ ]` a name may be the word of a kind.
static void offer_kinds(const Evaluator *evaluator, Span span, Suggestion *suggestion) {
    const Str text = source_get(evaluator->session, span.source)->text;
    for (int i = 0; span.end < text.len && text.data[span.end] == '[' && i < KIND_COUNT; i++) {
        suggest_offer(suggestion, str_of(KIND_ROWS[i].name));
    }
}

// A resource of another block, such as the cluster of a job, which is named with that block.
static bool help_with_part(const Evaluator *evaluator, Diag *diag, const Module *module, Str name) {
    const Items *items = &module->file->items;
    for (uint32_t i = 0; i < items->count; i++) {
        const Item *item = items->items[i];
        if (item->kind == ITEM_BLOCK && item->block.label != NULL && item->block.label->kind == EXPR_STRING &&
            scope_holds_resource(&item->block.body, name)) {
            diag_help(evaluator->session, diag, "a resource of another block stands behind its name: `%.*s.%.*s`",
                      STR_ARG(item->block.label->string), STR_ARG(name));
            return true;
        }
    }
    return false;
}

static void help_with_quotes(Evaluator *evaluator, Diag *diag, Span span) {
    const Str quoted = str_format(evaluator->arena, "\"%.*s\"", STR_ARG(source_text(evaluator->session, span)));
    diag_help(evaluator->session, diag, "a text stands in quotes: `%.*s`", STR_ARG(quoted));
    diag_fix(evaluator->session, diag, span, quoted);
}

void resolve_unknown_name(Evaluator *evaluator, const Module *module, const Expr *expr, const Type *expected,
                          Suggestion *suggestion) {
    Str name = expr->name;
    if (!diags_are_full(evaluator->session) && scope_is_lost(evaluator->session, module, name)) {
        return;
    }
    type_offer_words(expected, suggestion);
    const Type *block = type_find_kind(expected, TYPE_BLOCK);
    scope_offer_names(module, suggestion, block == NULL ? NULL : block->name);
    offer_kinds(evaluator, expr->span, suggestion);
    Diag *diag = report(evaluator->session, expr->span, DIAG(unknown_name), STR_ARG(name));
    if (diag->is_dropped) {
        return;
    }
    guess_value(evaluator, diag, expr->span, expected);
    if (schema_kind(name) != NULL) {
        diag_help(evaluator->session, diag, "a block is named alone, or by kind and name: `%.*s[\"…\"]`",
                  STR_ARG(name));
        return;
    }
    const Type *list = type_find_kind(expected, TYPE_LIST);
    const bool is_choice = expected != NULL && expected->kind == TYPE_UNION;   // such as of words or a list
    const Type *wanted = list == NULL || is_choice ? expected : list->element; // a bare word may be an item already
    if (help_with_part(evaluator, diag, module, name) || help_with_minus(evaluator, diag, module, name) ||
        help_with_rate(evaluator, diag, expr->span, name)) {
        return;
    }
    if (!schema_has_word(name) && suggest_say(evaluator->session, diag, suggestion, expr->span)) {
        return;
    }
    const Type *pattern = wanted != NULL && wanted->kind == TYPE_PATTERN ? wanted : NULL;
    const bool has_form = pattern == NULL || pattern_match(evaluator->session, str_of(pattern->pattern->pattern), name,
                                                           NULL) == PATTERN_YES;
    if (type_knows_text(evaluator, wanted, name)) {
        help_with_quotes(evaluator, diag, expr->span);
    } else if (!has_form && pattern->pattern->example != NULL) {
        diag_help(evaluator->session, diag, "write a text such as \"%s\", or a name that is declared",
                  pattern->pattern->example);
    } else if (wanted != NULL && (wanted->kind == TYPE_UNION || wanted->kind == TYPE_BLOCK)) {
        diag_help(evaluator->session, diag, "it takes %.*s", STR_ARG(type_describe(evaluator->arena, wanted)));
    } else if (expected != NULL && type_is_text(expected)) {
        diag_help(evaluator->session, diag, "a text stands in quotes: `\"%.*s\"`", STR_ARG(name));
    }
    if (resolve_kind_with_attribute(name) != NULL) {
        diag_note(evaluator->session, diag, "attributes are not names; give the value a `let` to use it twice");
    }
}

static bool wants_nested_block(const Type *expected) {
    const Type *type = type_find_kind(expected, TYPE_BLOCK);
    const KindRow *kind = type == NULL ? NULL : schema_kind(str_of(type->name));
    return kind != NULL && kind->is_nested;
}

void report_renamed(Session *session, const Name *name, const char *today) {
    Diag *diag = report(session, name->span, DIAG(renamed), STR_ARG(name->text), today);
    diag_help(session, diag, "write `%s`; `dtc check --fix` does", today);
    diag_fix(session, diag, name->span, str_of(today));
}

void resolve_note(Resolver *resolver, Str name) {
    str_map_add(&resolver->evaluator->named, name, resolver->evaluator);
}

static void resolve_name(Resolver *resolver, const Scope *scope, const Expr *expr, const Type *expected) {
    Str name = expr->name;
    const Declaration *declaration = scope_find(resolver->module, name);
    if (schema_find_word(expected, name) != NULL) {
        if (declaration != NULL) {
            Diag *diag = report(resolver->session, declaration->span, DIAG(name_hidden), STR_ARG(name));
            diag_label(resolver->session, diag, expr->span, "here it is a word of the attribute");
        }
        return;
    }
    resolve_note(resolver, name);
    // What is made by `if` and `for`, and the groups of a job's cluster, are there only when evaluate.c asks for them.
    if (declaration != NULL || is_loop_variable(scope, name) || is_resource(scope, name) ||
        wants_nested_block(expected) || scope_may_make(resolver->module, name, NULL, NULL) != NULL) {
        return;
    }
    Suggestion suggestion = suggest_for(resolver->session, name);
    for (const Scope *outer = scope; outer != NULL; outer = outer->outer) {
        suggest_offer(&suggestion, outer->variable);
    }
    resolve_unknown_name(resolver->evaluator, resolver->module, expr, expected, &suggestion);
    resolve_note(resolver, suggestion.best); // what is meant is used
}

static void resolve_call(Resolver *resolver, const Scope *scope, const Expr *expr, const Type *expected) {
    const Name *function = &expr->call.function;
    const Type *tag = schema_find_tag(expected, function->text);
    tag = tag != NULL ? tag : type_any_tag(function->text);
    for (uint32_t i = 0; i < expr->call.arguments.count; i++) {
        resolve_expr(resolver, scope, expr->call.arguments.items[i], type_of_argument(tag, i));
    }
    if (tag != NULL || builtin_find(function->text) != NULL) {
        return;
    }
    if (schema_renamed_tag(function->text) != NULL) {
        report_renamed(resolver->session, function, schema_renamed_tag(function->text));
        return;
    }
    Suggestion suggestion = suggest_for(resolver->session, function->text);
    type_offer_words(expected, &suggestion);
    builtin_offer_names(&suggestion);
    Diag *diag = report(resolver->session, function->span, DIAG(unknown_function), STR_ARG(function->text));
    if (schema_kind(function->text) != NULL) {
        const Exprs *arguments = &expr->call.arguments;
        const Str name =
            arguments->count == 1 ? source_text(resolver->session, arguments->items[0]->span) : STR("\"…\"");
        const Str block = str_format(resolver->evaluator->arena, "%.*s[%.*s]", STR_ARG(function->text), STR_ARG(name));
        diag_help(resolver->session, diag, "a block is named alone, or by kind and name: `%.*s`", STR_ARG(block));
        if (arguments->count == 1) {
            diag_fix(resolver->session, diag, expr->span, block);
        }
        return;
    }
    const bool is_near = suggest_say(resolver->session, diag, &suggestion, function->span);
    if (!is_near && type_find_kind(expected, TYPE_TAG) != NULL) {
        diag_help(resolver->session, diag, "write %.*s", STR_ARG(type_describe(resolver->evaluator->arena, expected)));
    }
    guess_value(resolver->evaluator, diag, expr->span, expected);
}

static bool may_be_name(const Resolver *resolver, const Scope *scope, Str word) {
    return scope_find(resolver->module, word) != NULL || is_loop_variable(scope, word) || is_resource(scope, word) ||
           scope_may_make(resolver->module, word, NULL, NULL) != NULL;
}

// `m7i.large` without quotes.
static bool is_unquoted(Resolver *resolver, const Scope *scope, const Expr *expr, const Type *expected) {
    const Str text = source_text(resolver->session, expr->span);
    if (may_be_name(resolver, scope, expr->field.object->name) ||
        !type_knows_text(resolver->evaluator, expected, text)) {
        return false;
    }
    const Expr *object = expr->field.object; // of which evaluation would say the same
    help_with_quotes(resolver->evaluator,
                     report(resolver->session, object->span, DIAG(unknown_name), STR_ARG(object->name)), expr->span);
    return true;
}

// `network.lab`, as others write it. False where `network` is declared, or may be a block.
static bool is_kind_and_dot(Resolver *resolver, const Scope *scope, const Expr *expr) {
    const Str word = expr->field.object->name;
    if (schema_kind(word) == NULL || may_be_name(resolver, scope, word)) {
        return false;
    }
    const Str block =
        str_format(resolver->evaluator->arena, "%.*s[\"%.*s\"]", STR_ARG(word), STR_ARG(expr->field.name.text));
    Diag *diag = report(resolver->session, expr->field.object->span, DIAG(unknown_name), STR_ARG(word));
    diag_help(resolver->session, diag, "a block is named alone, or by kind and name: `%.*s`", STR_ARG(block));
    diag_fix(resolver->session, diag, expr->span, block);
    return true;
}

static void resolve_field(Resolver *resolver, const Scope *scope, const Expr *expr, const Type *expected) {
    const Expr *object = expr->field.object;
    if (object->kind != EXPR_NAME) {
        resolve_expr(resolver, scope, object, NULL);
        return;
    }
    if (str_is(object->name, "aws")) {
        const Env env = { .module = resolver->module };
        evaluate_field(resolver->evaluator, expr, &env); // reports a field that is not there
        return;
    }
    if (is_unquoted(resolver, scope, expr, expected) || is_kind_and_dot(resolver, scope, expr)) {
        return;
    }
    resolve_name(resolver, scope, object, NULL);
    const Declaration *declaration = scope_find(resolver->module, object->name);
    bool is_module = declaration != NULL && declaration->kind == DECLARATION_USE && declaration->used != NULL;
    Str field = expr->field.name.text;
    if (is_module) {
        resolve_note(resolver, field);
    }
    if (is_module && scope_find(declaration->used, field) == NULL &&
        scope_may_make(declaration->used, field, NULL, NULL) == NULL) {
        evaluate_unknown_name(resolver->evaluator, expr, declaration->used);
    }
}

void resolve_label(Resolver *resolver, const Scope *scope, const Module *module, const KindRow *kind,
                   const Expr *label) {
    const KindLabel meant = { .module = module, .kind = kind, .label = label };
    resolve_expr(resolver, scope, label, schema_named_type(STR("string")));
    if (label->kind == EXPR_STRING) {
        resolve_note(resolver, label->string);
        vec_push(resolver->evaluator->arena, &resolver->evaluator->labels, meant);
    } else {
        vec_push(resolver->evaluator->arena, &resolver->evaluator->unknown_labels, meant);
    }
}

// An item of a list or map, or KIND["name"], which may stand behind the name of a file in use or of a block.
static void resolve_index(Resolver *resolver, const Scope *scope, const Expr *expr) {
    const Expr *object = expr->index.object;
    const Module *module = resolver->module;
    const KindRow *kind = NULL;
    if (object->kind == EXPR_NAME) {
        kind = is_loop_variable(scope, object->name) ? NULL : reference_kind(module, object->name);
    } else if (object->kind == EXPR_FIELD) {
        const Expr *outer = object->field.object;
        const Declaration *declaration = outer->kind == EXPR_NAME ? scope_find(module, outer->name) : NULL;
        const bool is_file =
            declaration != NULL && declaration->kind == DECLARATION_USE && !is_loop_variable(scope, outer->name);
        module = is_file ? declaration->used : NULL; // NULL: of a block, which is not known yet
        kind = is_file && module == NULL ? NULL
               : is_file                 ? reference_kind(module, object->field.name.text)
                                         : schema_kind(object->field.name.text);
        object = is_file && kind != NULL ? outer : object;
    }
    if (kind == NULL || expr->index.object->kind == EXPR_FIELD) {
        resolve_expr(resolver, scope, object, NULL);
    }
    if (kind == NULL) {
        resolve_expr(resolver, scope, expr->index.index, NULL);
    } else {
        resolve_label(resolver, scope, module, kind, expr->index.index);
    }
}

static void resolve_all(Resolver *resolver, const Scope *scope, const Exprs *exprs, const Type *expected) {
    for (uint32_t i = 0; i < exprs->count; i++) {
        resolve_expr(resolver, scope, exprs->items[i], expected);
    }
}

// `[spot]` where one word is wanted: without the brackets it is right.
static bool is_one_in_brackets(Resolver *resolver, const Scope *scope, const Expr *expr, const Type *expected) {
    const Expr *item = expr->list.count == 1 ? expr->list.items[0] : NULL;
    const bool is_word = item != NULL && item->kind == EXPR_NAME && type_find_kind(expected, TYPE_LIST) == NULL &&
                         schema_find_word(expected, item->name) != NULL && !may_be_name(resolver, scope, item->name);
    if (is_word) {
        Diag *diag = report(resolver->session, item->span, DIAG(unknown_name), STR_ARG(item->name));
        diag_help(resolver->session, diag, "write `%.*s` without the `[ ]`: one is taken here, and no list",
                  STR_ARG(item->name));
        diag_fix(resolver->session, diag, expr->span, item->name);
    }
    return is_word;
}

void resolve_expr(Resolver *resolver, const Scope *scope, const Expr *expr, const Type *expected) {
    const Type *inner = NULL;
    switch (expr->kind) {
    case EXPR_ERROR:
    case EXPR_NULL:
    case EXPR_BOOL:
    case EXPR_INT:
    case EXPR_QUANTITY:
    case EXPR_STRING:
        return;
    case EXPR_TEMPLATE:
        resolve_all(resolver, scope, &expr->template.exprs, NULL);
        return;
    case EXPR_NAME:
        resolve_name(resolver, scope, expr, expected);
        return;
    case EXPR_CALL:
        resolve_call(resolver, scope, expr, expected);
        return;
    case EXPR_FIELD:
        resolve_field(resolver, scope, expr, expected);
        return;
    case EXPR_INDEX:
        resolve_index(resolver, scope, expr);
        return;
    case EXPR_UNARY:
        resolve_expr(resolver, scope, expr->unary.operand, NULL);
        return;
    case EXPR_BINARY:
        inner = expr->binary.op == BINARY_DEFAULT || expr->binary.op == BINARY_ADD ? expected : NULL;
        resolve_expr(resolver, scope, expr->binary.left, inner);
        resolve_expr(resolver, scope, expr->binary.right, inner);
        return;
    case EXPR_CONDITIONAL:
        resolve_expr(resolver, scope, expr->conditional.condition, NULL);
        resolve_expr(resolver, scope, expr->conditional.then, expected);
        resolve_expr(resolver, scope, expr->conditional.otherwise, expected);
        return;
    case EXPR_RANGE:
        resolve_expr(resolver, scope, expr->range.low, NULL);
        resolve_expr(resolver, scope, expr->range.high, NULL);
        return;
    case EXPR_LIST:
        if (is_one_in_brackets(resolver, scope, expr, expected)) {
            return;
        }
        inner = type_find_kind(expected, TYPE_LIST);
        resolve_all(resolver, scope, &expr->list, inner == NULL ? NULL : inner->element);
        return;
    case EXPR_MAP:
        inner = type_find_kind(expected, TYPE_MAP);
        for (uint32_t i = 0; i < expr->map.count; i++) {
            resolve_expr(resolver, scope, expr->map.entries[i].value, inner == NULL ? NULL : inner->element);
        }
        return;
    }
}
