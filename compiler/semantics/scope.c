// What a name means at its place: the variable of a loop, then a declaration of the file. Raw resources of the
// enclosing blocks come last, because only references in raw property values need them.
#include "compiler/semantics/evaluator.h"

#include "compiler/base/suggest.h"

Declaration *scope_find(const Module *module, Str name) {
    return str_map_get_mutable(&module->declarations, name);
}

Declaration *scope_find_kind(const Module *module, Str name, const char *kind, bool *is_ambiguous) {
    Declaration *first = scope_find(module, name);
    for (Declaration *other = first; other != NULL && kind != NULL; other = other->other_kind) {
        if (other->kind == DECLARATION_BLOCK && str_is(other->item->block.kind.text, kind)) {
            return other;
        }
    }
    if (is_ambiguous != NULL) {
        *is_ambiguous = first != NULL && first->other_kind != NULL;
    }
    return first;
}

Declaration *scope_find_block(const Module *module, Str name, const KindRow *kind) {
    Declaration *declaration = scope_find_kind(module, name, kind->name, NULL);
    const bool is_it = declaration != NULL && declaration->kind == DECLARATION_BLOCK &&
                       str_is(declaration->item->block.kind.text, kind->name);
    return is_it ? declaration : NULL;
}

bool scope_add(Module *module, Declaration *declaration) {
    if (str_map_add(&module->declarations, declaration->name, declaration) == NULL) {
        vec_push(module->declarations.arena, &module->declared, declaration);
        return true;
    }
    Declaration *other = str_map_get_mutable(&module->declarations, declaration->name);
    for (; other != NULL; other = other->other_kind) {
        bool are_blocks = other->kind == DECLARATION_BLOCK && declaration->kind == DECLARATION_BLOCK;
        if (!are_blocks || str_equal(other->item->block.kind.text, declaration->item->block.kind.text)) {
            return false;
        }
        if (other->other_kind == NULL) {
            other->other_kind = declaration;
            return true;
        }
    }
    return true;
}

const Loop *scope_find_loop(const Env *env, Str name) {
    for (const Loop *loop = env->loops; loop != NULL; loop = loop->outer) {
        if (str_equal(loop->name, name)) {
            return loop;
        }
    }
    return NULL;
}

const Resource *scope_find_resource(const Env *env, Str name) {
    for (const Draft *draft = env->draft; draft != NULL; draft = draft_of(draft->block.parent)) {
        const Resource *resource = str_map_get(&draft->resources, name);
        if (resource != NULL) {
            return resource;
        }
    }
    return NULL;
}

void scope_offer_names(const Module *module, Suggestion *suggestion, const char *kind) {
    for (uint32_t i = 0; i < module->declared.count && !suggest_is_idle(suggestion); i++) {
        const Declaration *declaration = module->declared.items[i];
        const bool fits =
            kind == NULL || declaration->kind != DECLARATION_BLOCK || str_is(declaration->item->block.kind.text, kind);
        if (fits) {
            suggest_offer(suggestion, declaration->name);
        }
    }
}

void scope_offer_blocks(const Module *module, Suggestion *suggestion) {
    for (uint32_t i = 0; i < module->declared.count && !suggest_is_idle(suggestion); i++) {
        const Declaration *declaration = module->declared.items[i];
        if (declaration->kind == DECLARATION_BLOCK || declaration->kind == DECLARATION_USE) {
            suggest_offer(suggestion, declaration->name);
        }
    }
}

// ---- names that are there only once expanded -------------------------------------------------------------------

bool scope_label_fits(const Expr *label, Str name) {
    if (label->kind == EXPR_STRING) {
        return str_equal(label->string, name);
    }
    if (label->kind != EXPR_TEMPLATE) {
        return true;
    }
    Str first = label->template.pieces[0];
    Str last = label->template.pieces[label->template.exprs.count];
    return name.len >= first.len + last.len && str_starts_with(name, first) &&
           str_equal(str_slice(name, name.len - last.len, name.len), last);
}

static void collect_makers(Arena *arena, Makers *makers, const Items *items, bool is_inside, bool is_repeated) {
    for (uint32_t i = 0; i < items->count; i++) {
        const Item *item = items->items[i];
        if (item->kind == ITEM_IF) {
            collect_makers(arena, makers, &item->branch.body, true, is_repeated);
        } else if (item->kind == ITEM_FOR) {
            collect_makers(arena, makers, &item->loop.body, true, true);
        } else if (item->kind == ITEM_BLOCK && item->block.label != NULL) {
            const bool is_fixed = item->block.label->kind == EXPR_STRING;
            if (is_inside || !is_fixed) {
                vec_push(arena, makers, (Maker){ .item = item, .is_sure = is_fixed && !is_repeated });
            }
        }
    }
}

void scope_collect_makers(Arena *arena, Module *module) {
    collect_makers(arena, &module->makers, &module->file->items, false, false);
}

static const Item *find_maker(const Makers *makers, Str name, const KindRow *kind, bool *is_sure) {
    for (uint32_t i = 0; i < makers->count; i++) {
        const Maker *maker = &makers->items[i];
        const bool is_of_kind = kind == NULL || str_is(maker->item->block.kind.text, kind->name);
        if (is_of_kind && scope_label_fits(maker->item->block.label, name)) {
            if (is_sure != NULL) {
                *is_sure = maker->is_sure;
            }
            return maker->item;
        }
    }
    return NULL;
}

const Item *scope_may_make(const Module *module, Str name, const KindRow *kind, bool *is_sure) {
    return find_maker(&module->makers, name, kind, is_sure);
}

const Item *scope_may_make_nested(Arena *arena, const Draft *draft, Str name, const KindRow *kind, bool *is_sure) {
    Makers makers = { 0 };
    collect_makers(arena, &makers, &draft->item->block.body, false, false);
    return find_maker(&makers, name, kind, is_sure);
}

bool scope_holds_resource(const Items *items, Str name) {
    for (uint32_t i = 0; i < items->count; i++) {
        const Item *item = items->items[i];
        bool is_here = item->kind == ITEM_RESOURCE && scope_label_fits(item->resource.label, name);
        if (is_here || (item->kind == ITEM_IF && scope_holds_resource(&item->branch.body, name)) ||
            (item->kind == ITEM_FOR && scope_holds_resource(&item->loop.body, name))) {
            return true;
        }
    }
    return false;
}

// ---- names that were lost --------------------------------------------------------------------------------------

static bool is_misplaced(const Items *items, Str name, bool is_file_level) {
    for (uint32_t i = 0; i < items->count; i++) {
        const Item *item = items->items[i];
        bool is_here = false;
        switch (item->kind) {
        case ITEM_PARAM:
            is_here = !is_file_level && str_equal(item->param.name.text, name);
            break;
        case ITEM_LET:
            is_here = !is_file_level && str_equal(item->let.name.text, name);
            break;
        case ITEM_USE:
            is_here = !is_file_level && str_equal(item->use.name.text, name);
            break;
        case ITEM_ATTRIBUTE:
            is_here = is_file_level && str_equal(item->attribute.name.text, name);
            break;
        case ITEM_REMOVAL:
            break;
        case ITEM_BLOCK: {
            const KindRow *kind = schema_kind(item->block.kind.text);
            is_here = !is_file_level && (kind == NULL || !kind->is_nested) && item->block.label != NULL &&
                      scope_label_fits(item->block.label, name);
            is_here = is_here || is_misplaced(&item->block.body, name, false);
            break;
        }
        case ITEM_IF:
            is_here = is_misplaced(&item->branch.body, name, is_file_level);
            break;
        case ITEM_FOR:
            is_here = is_misplaced(&item->loop.body, name, is_file_level);
            break;
        case ITEM_OUTPUT:
        case ITEM_ASSERT:
        case ITEM_ALLOW:
        case ITEM_PATCH:
        case ITEM_RESOURCE:
            break;
        }
        if (is_here) {
            return true;
        }
    }
    return false;
}

// Behind `let`, `param`, `as` and `for` stands a declared name, and behind another name that of a block.
static bool declares(TokenKind before) {
    return before == TOKEN_LET || before == TOKEN_PARAM || before == TOKEN_AS || before == TOKEN_FOR ||
           before == TOKEN_NAME;
}

static bool is_unread(const Session *session, const File *file, Str name) {
    Str text = source_get(session, file->source)->text;
    for (uint32_t i = 1; i < file->tokens.count; i++) {
        const Token *token = &file->tokens.items[i];
        bool is_name = token->kind == TOKEN_NAME && declares(file->tokens.items[i - 1].kind);
        if (is_name && str_equal(str_slice(text, token->start, token->end), name)) {
            return true;
        }
    }
    return false;
}

bool scope_has_lost(const Module *module, Str kind) {
    const KindRow *row = schema_kind(kind);
    return row != NULL && (module->lost_kinds & 1U << (row - KIND_ROWS)) != 0;
}

bool scope_is_lost(const Session *session, const Module *module, Str name) {
    return is_misplaced(&module->file->items, name, true) ||
           (!module->file->is_whole && is_unread(session, module->file, name));
}
