// Checks what stands where: kinds, labels, attributes and declarations, each in its place and known by name.
#include "compiler/semantics/resolve.h"

#include "compiler/base/suggest.h"
#include "schema/renamed.h"

static void resolve_items(Resolver *resolver, const Scope *scope, const Items *items);

// ---- attributes ------------------------------------------------------------------------------------------------

const KindRow *resolve_kind_with_attribute(Str name) {
    for (int i = 0; i < KIND_COUNT; i++) {
        if (schema_attribute(&KIND_ROWS[i], name) >= 0) {
            return &KIND_ROWS[i];
        }
    }
    return NULL;
}

// "`head`, `nodes`": the kinds that have such an attribute.
static Str kinds_with(const Resolver *resolver, Str name) {
    StrBuf names = { .arena = resolver->evaluator->arena };
    for (int i = 0; i < KIND_COUNT; i++) {
        if (schema_attribute(&KIND_ROWS[i], name) >= 0) {
            strbuf_add_format(&names, "%s`%s`", names.len == 0 ? "" : ", ", KIND_ROWS[i].name);
        }
    }
    return strbuf_str(&names);
}

static Suggestion nearest_attribute(Session *session, const KindRow *kind, Str name) {
    Suggestion suggestion = suggest_for(session, name);
    for (int i = 0; i < kind->attribute_count; i++) {
        suggest_offer(&suggestion, str_of(kind->attributes[i].name));
    }
    return suggestion;
}

// In a branch or a loop an attribute is a mistake of its own, whatever its name. Elsewhere its own name is right: its
// value may be null.
static bool stands_misspelt(Session *session, const KindRow *kind, const Items *items, const char *attribute,
                            bool is_inside) {
    bool is_misspelt = false;
    for (uint32_t i = 0; i < items->count && !is_misspelt; i++) {
        const Item *item = items->items[i];
        if (item->kind == ITEM_IF || item->kind == ITEM_FOR) {
            const Items *body = item->kind == ITEM_IF ? &item->branch.body : &item->loop.body;
            is_misspelt = stands_misspelt(session, kind, body, attribute, true);
        } else if (item->kind == ITEM_ATTRIBUTE && item->attribute.value->kind != EXPR_NULL) {
            const Str name = item->attribute.name.text;
            const bool is_unknown = schema_attribute(kind, name) < 0 && schema_kind(name) == NULL;
            const char *today = schema_renamed_attribute(kind->name, name);
            const OtherWord *other = schema_other_word(kind->name, name);
            const Str meant = today != NULL                 ? str_of(today)
                              : is_unknown && other != NULL ? str_of(other->attribute)
                              : is_unknown                  ? nearest_attribute(session, kind, name).best
                                                            : name;
            is_misspelt = str_is(meant, attribute) && (is_inside || !str_is(name, attribute));
        }
    }
    return is_misspelt;
}

bool resolve_is_misspelt(Session *session, const KindRow *kind, const Items *items, const char *attribute) {
    return stands_misspelt(session, kind, items, attribute, false);
}

static void unknown_attribute(Resolver *resolver, const Scope *scope, const Item *item) {
    const KindRow *kind = scope->kind;
    const Name *name = &item->attribute.name;
    const char *today = schema_renamed_attribute(kind->name, name->text);
    if (today != NULL) {
        report_renamed(resolver->session, name, today);
        return;
    }
    const Suggestion suggestion = nearest_attribute(resolver->session, kind, name->text);
    Diag *diag = report(resolver->session, name->span, DIAG(unknown_attribute), kind->name, STR_ARG(name->text));
    Str others = kinds_with(resolver, name->text);
    const OtherWord *other = schema_other_word(kind->name, name->text);
    if (other != NULL) {
        diag_help(resolver->session, diag, "%s", other->help);
    } else if (!suggest_say(resolver->session, diag, &suggestion, name->span) && others.len > 0) {
        diag_help(resolver->session, diag, "`%.*s` is an attribute of %.*s", STR_ARG(name->text), STR_ARG(others));
    }
    if (diag->helps.count == 0 &&
        (kind->is_nested || kind == &KIND_ROWS[KIND_STORAGE] || kind == &KIND_ROWS[KIND_LINK])) {
        diag_help(resolver->session, diag,
                  "remove it; what dtc has no word for stands in a block that makes a file, such as the cluster: as a "
                  "`patch { \"PATH\" = value }`, or a `resource \"TYPE\" NAME { … }`");
    }
    diag_note(resolver->session, diag, "`dtc explain %s` lists all", kind->name);
    if (others.len == 0) {
        guess_attribute(resolver->evaluator, diag, kind, name->span, item->attribute.value);
    } else if (scope->block != NULL) {
        guess_place(resolver->evaluator, diag, scope->block, scope->outer == NULL ? NULL : scope->outer->block, item);
    }
}

// `null` takes away all of a kind, `off` the one that there can be.
static bool is_absence(const Expr *value, const KindRow *nested) {
    bool is_off = value->kind == EXPR_NAME && str_is(value->name, "off");
    return value->kind == EXPR_NULL || (is_off && nested->is_singleton);
}

static void resolve_attribute(Resolver *resolver, const Scope *scope, const Item *item) {
    const Name *name = &item->attribute.name;
    if (scope->kind == NULL) {
        Diag *diag = report(resolver->session, name->span, DIAG(attribute_outside), STR_ARG(name->text));
        diag_help(resolver->session, diag, "write `let %.*s = …` to name a value", STR_ARG(name->text));
        return;
    }
    int attribute = schema_attribute(scope->kind, name->text);
    if (attribute >= 0) {
        resolve_expr(resolver, scope, item->attribute.value, scope->kind->attributes[attribute].type);
        return;
    }
    const KindRow *nested = schema_kind(name->text);
    bool is_nested = nested != NULL && nested->is_nested && (nested->parents & (1u << (scope->kind - KIND_ROWS))) != 0;
    bool may_come_from_like = item->attribute.value->kind == EXPR_NULL && scope->block->block.like.count > 0;
    if ((is_nested && is_absence(item->attribute.value, nested)) || may_come_from_like) {
        return;
    }
    if (is_nested) {
        Diag *diag = report(resolver->session, name->span, DIAG(block_as_attribute), STR_ARG(name->text));
        if (nested->is_singleton) {
            diag_help(resolver->session, diag, "write `%s { … }`, or `%s = off`", nested->name, nested->name);
            if (item->attribute.value->kind == EXPR_MAP) {
                const Span sign = { .source = name->span.source,
                                    .start = name->span.end,
                                    .end = item->attribute.value->span.start };
                diag_fix(resolver->session, diag, sign, STR(" "));
            }
        } else {
            diag_help(resolver->session, diag, "write `%s NAME { … }`", nested->name);
        }
        return;
    }
    unknown_attribute(resolver, scope, item);
}

// `KIND["name"] = null`
static void resolve_removal(Resolver *resolver, const Scope *scope, const Item *item) {
    const Name *name = &item->removal.kind;
    const KindRow *nested = schema_kind(name->text);
    const Expr *value = item->removal.value;
    resolve_expr(resolver, scope, item->removal.label, NULL);
    if (scope->kind == NULL || nested == NULL || (nested->parents & (1u << (scope->kind - KIND_ROWS))) == 0) {
        Diag *diag = report(resolver->session, name->span, DIAG(part_assigned), STR_ARG(name->text));
        const int attribute = scope->kind == NULL ? -1 : schema_attribute(scope->kind, name->text);
        if (attribute >= 0) {
            const bool is_map = type_find_kind(scope->kind->attributes[attribute].type, TYPE_MAP) != NULL;
            diag_help(resolver->session, diag, "give the attribute as a whole: `%.*s = %s`", STR_ARG(name->text),
                      is_map ? "{ … }" : "…");
        } else if (nested != NULL && nested->is_nested) {
            diag_help(resolver->session, diag, "`%s[\"…\"] = null` stands in a block that is `like` another one",
                      nested->name);
        } else {
            diag_help(resolver->session, diag, "only a nested kind can stand before `[ ]` here: `nodes[\"…\"] = null`");
        }
        return;
    }
    if (nested->is_singleton) {
        Diag *diag = report(resolver->session, item->removal.label->span, DIAG(label_wrong), nested->name,
                            "takes no name: there is one at most");
        diag_help(resolver->session, diag, "write `%s = off`", nested->name);
        return;
    }
    if (value->kind != EXPR_NULL) {
        const bool is_off = value->kind == EXPR_NAME && str_is(value->name, "off");
        Diag *diag = report(resolver->session, value->span, DIAG(block_as_attribute), STR_ARG(name->text));
        if (is_off) {
            diag_help(resolver->session, diag, "one of several is taken away with `null`");
            diag_fix(resolver->session, diag, value->span, STR("null"));
        } else {
            diag_help(resolver->session, diag, "write `%s NAME { … }`, or `= null` to take one away", nested->name);
        }
    }
}

// ---- blocks ----------------------------------------------------------------------------------------------------

static void unknown_kind(Resolver *resolver, const Scope *scope, const Item *item) {
    const Name *name = &item->block.kind;
    Suggestion suggestion = suggest_for(resolver->session, name->text);
    for (int i = 0; i < KIND_COUNT; i++) {
        suggest_offer(&suggestion, str_of(KIND_ROWS[i].name));
    }
    Diag *diag = report(resolver->session, name->span, DIAG(unknown_kind), STR_ARG(name->text));
    const int attribute = scope->kind == NULL ? -1 : schema_attribute(scope->kind, name->text);
    if (attribute >= 0) {
        diag_help(resolver->session, diag, "`%.*s` is an attribute: write `%.*s = …`", STR_ARG(name->text),
                  STR_ARG(name->text));
        const bool has_head = item->block.label != NULL || item->block.like.count > 0 || item->block.on.count > 0;
        if (!has_head && type_find_kind(scope->kind->attributes[attribute].type, TYPE_MAP) != NULL) {
            const Span behind = { .source = name->span.source, .start = name->span.end, .end = name->span.end };
            diag_fix(resolver->session, diag, behind, STR(" ="));
        }
        return;
    }
    if (suggest_say(resolver->session, diag, &suggestion, name->span)) {
        return;
    }
    guess_absence(resolver->evaluator, diag, item->span);
    StrBuf names = { .arena = resolver->evaluator->arena };
    for (int i = 0; i < KIND_COUNT; i++) {
        const KindRow *kind = &KIND_ROWS[i];
        bool stands_here =
            scope->kind == NULL ? !kind->is_nested : (kind->parents & (1u << (scope->kind - KIND_ROWS))) != 0;
        if (stands_here) {
            strbuf_add_format(&names, "%s`%s`", names.len == 0 ? "" : ", ", kind->name);
        }
    }
    if (names.len > 0) {
        diag_help(resolver->session, diag, "here stand %.*s", STR_ARG(strbuf_str(&names)));
    } else {
        diag_help(resolver->session, diag, "`%s` holds no blocks", scope->kind->name);
    }
}

// "in a `cluster`", "at file level".
static Str places_of(const Resolver *resolver, const KindRow *kind) {
    StrBuf names = { .arena = resolver->evaluator->arena };
    for (int i = 0; i < KIND_COUNT; i++) {
        if ((kind->parents & (1u << i)) != 0) {
            strbuf_add_format(&names, "%s`%s`", names.len == 0 ? "in a " : " or a ", KIND_ROWS[i].name);
        }
    }
    return names.len == 0 ? STR("at file level") : strbuf_str(&names);
}

// Whether the file ends in the block around: its `}` is missing, which was reported, and what follows is not meant for it.
static bool is_in_open_block(const Scope *scope) {
    while (scope != NULL && scope->block == NULL) {
        scope = scope->outer;
    }
    return scope != NULL && scope->block->block.body.is_open;
}

// False, reported, where a block of this kind may not stand here.
static bool may_stand(Resolver *resolver, const Scope *scope, const KindRow *kind, const Item *item) {
    bool is_inside = scope->kind != NULL;
    bool has_parent = is_inside && (kind->parents & (1u << (scope->kind - KIND_ROWS))) != 0;
    if (is_inside && !has_parent && is_in_open_block(scope)) {
        return false;
    }
    if (is_inside && !has_parent) {
        Diag *diag =
            report(resolver->session, item->block.kind.span, DIAG(block_misplaced), kind->name, scope->kind->name);
        Str places = places_of(resolver, kind);
        diag_help(resolver->session, diag, "it stands %.*s", STR_ARG(places));
        guess_absence(resolver->evaluator, diag, item->span);
        return false;
    }
    bool wants_label = !kind->is_singleton || !is_inside;
    if (wants_label != (item->block.label != NULL)) {
        Diag *diag =
            report(resolver->session, wants_label ? item->block.kind.span : item->block.label->span, DIAG(label_wrong),
                   kind->name, wants_label ? "needs a name" : "takes no name: there is one at most");
        diag_help(resolver->session, diag, wants_label ? "write `%s NAME { … }`" : "write `%s { … }`", kind->name);
        if (!wants_label) {
            const Span label = { .source = item->block.kind.span.source,
                                 .start = item->block.kind.span.end,
                                 .end = item->block.label->span.end };
            diag_fix(resolver->session, diag, label, STR_NONE);
        }
    }
    return true;
}

// What is behind `like` would make nothing by itself, so it counts as used.
static void resolve_ref(Resolver *resolver, const Scope *scope, const Ref *ref, bool is_use) {
    for (uint32_t i = 0; i < ref->count; i++) {
        const RefStep *step = &ref->steps[i];
        const KindRow *kind = step->label == NULL ? NULL : schema_kind(step->name.text);
        if (kind != NULL) {
            resolve_label(resolver, scope, NULL, kind, step->label);
        } else if (step->label != NULL) {
            resolve_expr(resolver, scope, step->label, NULL);
        }
        if (is_use) {
            resolve_note(resolver, step->name.text);
        }
    }
}

static void resolve_block(Resolver *resolver, const Scope *scope, const Item *item) {
    const KindRow *kind = schema_kind(item->block.kind.text);
    if (kind == NULL) {
        unknown_kind(resolver, scope, item);
        return;
    }
    if (item->block.label != NULL) {
        resolve_expr(resolver, scope, item->block.label, NULL);
    }
    resolve_ref(resolver, scope, &item->block.like, true);
    resolve_ref(resolver, scope, &item->block.on, false);
    if (may_stand(resolver, scope, kind, item)) {
        const Scope inner = { .outer = scope, .block = item, .kind = kind };
        resolve_items(resolver, &inner, &item->block.body);
    }
}

static void resolve_resource(Resolver *resolver, const Scope *scope, const Item *item) {
    resolve_expr(resolver, scope, item->resource.label, NULL);
    for (uint32_t i = 0; i < item->resource.body.count; i++) {
        const Item *property = item->resource.body.items[i];
        if (property->kind == ITEM_ATTRIBUTE) {
            resolve_expr(resolver, scope, property->attribute.value, NULL);
        } else {
            Diag *diag = report(resolver->session, property->keyword, DIAG(property_wanted));
            if (property->kind == ITEM_IF || property->kind == ITEM_FOR) {
                diag_help(resolver->session, diag, "choose a value instead: `Name = condition ? value : null`");
            } else {
                diag_help(resolver->session, diag, "write a property of properties as a map: `Name = { … }`");
            }
        }
    }
}

// ---- declarations ----------------------------------------------------------------------------------------------

static void resolve_allow(Resolver *resolver, const Item *item) {
    const Name *code = &item->allow.code;
    const DiagRow *row = diag_find(code->text);
    if (row == NULL) {
        Diag *diag = report(resolver->session, code->span, DIAG(allow_unknown), STR_ARG(code->text));
        guess_absence(resolver->evaluator, diag, item->span);
        return;
    }
    if (row->nature != JUDGEMENT) {
        report(resolver->session, code->span, DIAG(allow_refused), STR_ARG(code->text));
    }
}

static void resolve_patch(Resolver *resolver, const Scope *scope, const Item *item) {
    static const char *const SUFFIXES[] = { "cfn", "eksctl", "pcluster", "k8s" };
    Suggestion suggestion = suggest_for(resolver->session, item->patch.file.text);
    bool is_known = item->patch.file.text.len == 0;
    for (size_t i = 0; i < COUNT_OF(SUFFIXES); i++) {
        is_known = is_known || str_is(item->patch.file.text, SUFFIXES[i]);
        suggest_offer(&suggestion, str_of(SUFFIXES[i]));
    }
    if (!is_known) {
        Diag *diag =
            report(resolver->session, item->patch.file.span, DIAG(patch_unknown_file), STR_ARG(item->patch.file.text));
        if (!suggest_say(resolver->session, diag, &suggestion, item->patch.file.span)) {
            diag_help(resolver->session, diag,
                      "write `cfn`, `eksctl`, `pcluster` or `k8s`, or nothing where there is one file");
        }
    }
    resolve_expr(resolver, scope, item->patch.map, NULL);
}

// True where the item may stand there: params, lets and uses at file level, the others inside of a block.
static bool is_in_place(Resolver *resolver, const Scope *scope, const Item *item, bool wants_file_level) {
    bool is_file_level = scope->kind == NULL && !scope->is_branch;
    bool is_good = wants_file_level ? is_file_level : scope->kind != NULL;
    if (!is_good) {
        report(resolver->session, item->keyword, DIAG(item_misplaced),
               STR_ARG(source_text(resolver->session, item->keyword)),
               wants_file_level ? "at file level, outside of `if` and `for`" : "inside of a block");
    }
    return is_good;
}

static void resolve_branch(Resolver *resolver, const Scope *scope, const Items *body, Str variable) {
    const Scope inner = {
        .outer = scope, .block = scope->block, .kind = scope->kind, .variable = variable, .is_branch = true
    };
    resolve_items(resolver, &inner, body);
}

static void resolve_item(Resolver *resolver, const Scope *scope, const Item *item) {
    switch (item->kind) {
    case ITEM_ATTRIBUTE:
        resolve_attribute(resolver, scope, item);
        return;
    case ITEM_REMOVAL:
        resolve_removal(resolver, scope, item);
        return;
    case ITEM_BLOCK:
        resolve_block(resolver, scope, item);
        return;
    case ITEM_PARAM:
        if (is_in_place(resolver, scope, item, true) && item->param.initial != NULL) {
            resolve_expr(resolver, scope, item->param.initial, NULL);
        }
        return;
    case ITEM_LET:
        if (is_in_place(resolver, scope, item, true)) {
            resolve_expr(resolver, scope, item->let.value, NULL);
        }
        return;
    case ITEM_USE:
        is_in_place(resolver, scope, item, true);
        return;
    case ITEM_OUTPUT:
        if (is_in_place(resolver, scope, item, false)) {
            resolve_expr(resolver, scope, item->let.value, NULL);
        }
        return;
    case ITEM_ASSERT:
        resolve_expr(resolver, scope, item->assertion.condition, NULL);
        resolve_expr(resolver, scope, item->assertion.message, NULL);
        return;
    case ITEM_ALLOW:
        if (is_in_place(resolver, scope, item, false)) {
            resolve_allow(resolver, item);
            resolve_expr(resolver, scope, item->allow.reason, NULL);
        }
        return;
    case ITEM_PATCH:
        if (is_in_place(resolver, scope, item, false)) {
            resolve_patch(resolver, scope, item);
        }
        return;
    case ITEM_RESOURCE:
        if (is_in_place(resolver, scope, item, false)) {
            resolve_resource(resolver, scope, item);
        }
        return;
    case ITEM_IF:
        resolve_expr(resolver, scope, item->branch.condition, NULL);
        resolve_branch(resolver, scope, &item->branch.body, STR_NONE);
        return;
    case ITEM_FOR:
        resolve_expr(resolver, scope, item->loop.sequence, NULL);
        resolve_branch(resolver, scope, &item->loop.body, item->loop.variable.text);
        return;
    }
}

static void resolve_items(Resolver *resolver, const Scope *scope, const Items *items) {
    for (uint32_t i = 0; i < items->count; i++) {
        resolve_item(resolver, scope, items->items[i]);
    }
}

void program_resolve(Session *session, Program *program) {
    Evaluator *evaluator = program->evaluator;
    evaluator->named.arena = evaluator->arena;
    for (uint32_t i = 0; i < evaluator->modules.count; i++) {
        Resolver resolver = { .evaluator = evaluator, .session = session, .module = evaluator->modules.items[i] };
        const Scope scope = { 0 };
        resolve_items(&resolver, &scope, &resolver.module->file->items);
    }
}
