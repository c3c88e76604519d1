// Finds the block that is named: by its name, with names of files and blocks before it, as in `ml.gpu`; or by its kind
// and name, as in `nodes["gpu-2"]`, which a `for` may have made. Of blocks that share a name the one of the kind is taken.
#include "compiler/semantics/evaluator.h"

#include "compiler/base/suggest.h"

// ---- KIND["name"] ----------------------------------------------------------------------------------------------

// Where a block of a kind is looked for: in `parent`; or around `env`, from the inside out; or in a file.
typedef struct {
    const Module *module;
    const Env *env;
    Draft *parent;
    const Draft *self; // not this one
} Where;

enum { SHOWN_NAMES_MAX = 7 };

// Names of one kind. Where they are many, those that are most like the one that is missing.
typedef struct {
    Str wanted;
    Suggestion suggestion;
    uint32_t count;
    Str shown[SHOWN_NAMES_MAX];
    size_t likeness[SHOWN_NAMES_MAX];
} Names;

static size_t likeness(Str a, Str b) {
    size_t head = 0;
    size_t tail = 0;
    str_common(a, b, &head, &tail);
    return head + tail;
}

static void add_name(Names *names, Str name) {
    const size_t is_like = likeness(names->wanted, name);
    uint32_t at = names->count < SHOWN_NAMES_MAX ? names->count : SHOWN_NAMES_MAX;
    names->count++;
    suggest_offer(&names->suggestion, name);
    while (at > 0 && names->likeness[at - 1] < is_like) {
        if (at < SHOWN_NAMES_MAX) {
            names->shown[at] = names->shown[at - 1];
            names->likeness[at] = names->likeness[at - 1];
        }
        at--;
    }
    if (at < SHOWN_NAMES_MAX) {
        names->shown[at] = name;
        names->likeness[at] = is_like;
    }
}

static void add_names(Names *names, const Drafts *drafts, const KindRow *kind, const Where *where) {
    for (uint32_t i = 0; i < drafts->count; i++) {
        const Draft *draft = drafts->items[i];
        const bool is_there = where->parent != NULL || draft->env->module == where->module;
        if (is_there && draft->block.kind == kind && draft != where->self) {
            add_name(names, draft->block.name);
        }
    }
}

static void say_names(Evaluator *evaluator, Diag *diag, const Names *names, const KindRow *kind) {
    StrBuf all = { .arena = evaluator->arena };
    for (uint32_t i = 0; i < names->count && i < SHOWN_NAMES_MAX; i++) {
        strbuf_add_format(&all, "%s`%.*s`", i == 0 ? "" : ", ", STR_ARG(names->shown[i]));
    }
    if (names->count == 0) {
        diag_help(evaluator->session, diag, "it has no `%s` at all: `%s %.*s { … }` declares it", kind->name,
                  kind->name, STR_ARG(names->wanted));
    } else if (names->count <= SHOWN_NAMES_MAX) {
        diag_help(evaluator->session, diag, "it has %.*s", STR_ARG(strbuf_str(&all)));
    } else {
        diag_help(evaluator->session, diag, "it has %" PRIu32 ", among them %.*s", names->count,
                  STR_ARG(strbuf_str(&all)));
    }
}

static Str place_text(const Evaluator *evaluator, const Where *where) {
    if (where->parent != NULL) {
        return str_format(evaluator->arena, "%s `%.*s`", where->parent->block.kind->name,
                          STR_ARG(where->parent->block.name));
    }
    return where->module->is_used ? str_format(evaluator->arena, "`%.*s`", STR_ARG(where->module->path))
                                  : STR("the file");
}

// What could have been made and was not is said where that was decided.
static void no_block_of_kind(Evaluator *evaluator, const KindRow *kind, Str name, const Expr *label,
                             const Where *where) {
    bool is_sure = false;
    const bool is_in_file = where->parent == NULL;
    const Item *maker = NULL;
    if (is_in_file) {
        maker = scope_may_make(where->module, name, kind, &is_sure);
    } else if (!diags_are_full(evaluator->session)) {
        maker = scope_may_make_nested(evaluator->arena, where->parent, name, kind, &is_sure);
    }
    if (maker != NULL && is_sure) {
        Diag *diag = report(evaluator->session, label->span, DIAG(block_not_built), STR_ARG(name));
        diag_label(evaluator->session, diag, maker->block.label->span, "would be made here");
        return;
    }
    if (scope_find_block(where->module, name, kind) != NULL || !where->module->file->is_whole ||
        scope_has_lost(where->module, str_of(kind->name))) {
        return;
    }
    Diag *diag = report(evaluator->session, label->span, DIAG(no_block_of_kind), STR_ARG(place_text(evaluator, where)),
                        kind->name, STR_ARG(name));
    if (diag->is_dropped) {
        return;
    }
    Names names = { .wanted = name, .suggestion = suggest_for(evaluator->session, name) };
    add_names(&names, is_in_file ? &evaluator->drafts : &where->parent->children, kind, where);
    operate_offer_key(evaluator, diag, &names.suggestion, label);
    const Declaration *other = is_in_file ? scope_find(where->module, name) : NULL;
    if (other != NULL && other->kind == DECLARATION_BLOCK) {
        diag_label(evaluator->session, diag, other->span, "this `%.*s` has the name",
                   STR_ARG(other->item->block.kind.text));
    } else if (maker != NULL && names.count > 0) {
        diag_label(evaluator->session, diag, maker->block.label->span, "such names are made here");
    }
    say_names(evaluator, diag, &names, kind);
}

// A nested block stands in a block around, or in the cluster of a job; any block may stand in the file. `*where` is set
// to the innermost block that can hold such blocks, which a message names.
static Draft *find_around(Evaluator *evaluator, const KindRow *kind, Str name, Where *where) {
    for (Draft *around = where->env->draft; around != NULL; around = draft_of(around->block.parent)) {
        Draft *whole = around->block.on != NULL ? draft_of(around->block.on) : around;
        if ((kind->parents & 1U << whole->kind_id) == 0) {
            continue;
        }
        Draft *draft = draft_find_child(evaluator, whole, kind, name);
        if (draft != NULL && draft != where->self) {
            return draft;
        }
        where->parent = where->parent == NULL ? whole : where->parent;
    }
    const Declaration *declaration = scope_find_block(where->env->module, name, kind);
    return declaration == NULL ? NULL : declaration->draft;
}

// NULL where there is none, which is reported.
static Draft *find_of_kind(Evaluator *evaluator, const KindRow *kind, const Value *name, const Expr *label,
                           Where where) {
    Draft *draft = NULL;
    if (where.env != NULL) {
        draft = find_around(evaluator, kind, name->string, &where);
    } else if (where.parent != NULL) {
        draft = draft_find_child(evaluator, where.parent, kind, name->string);
    } else {
        const Declaration *declaration = scope_find_block(where.module, name->string, kind);
        draft = declaration == NULL ? NULL : declaration->draft;
    }
    if (draft == NULL && evaluator->is_expanding) {
        report_not_yet(evaluator, label->span, name->string);
    } else if (draft == NULL) {
        no_block_of_kind(evaluator, kind, name->string, label, &where);
    }
    return draft;
}

const Value *reference_label(Evaluator *evaluator, const KindRow *kind, const Expr *label, const Env *env) {
    const Value *name = evaluate(evaluator, label, env, NULL);
    if (name->kind == VALUE_ERROR || name->kind == VALUE_STRING) {
        return name;
    }
    if (!value_is_known(name)) {
        return late_where_known(evaluator, label, name, "the name of a block");
    }
    Str what = str_format(evaluator->arena, "`%s[ ]`", kind->name);
    Diag *diag = report(evaluator->session, label->span, DIAG(operand_type), str_c(evaluator->arena, what),
                        "the name of a block as a string", value_describe(name));
    if (name->kind == VALUE_BLOCK) {
        const Str text = str_format(evaluator->arena, "\"%.*s\"", STR_ARG(name->block->name));
        diag_help(evaluator->session, diag, "write `%s[%.*s]`, or the block alone: `%.*s`", kind->name, STR_ARG(text),
                  STR_ARG(source_text(evaluator->session, label->span)));
    } else if (name->kind == VALUE_NULL) {
        const Str text = source_text(evaluator->session, label->span);
        diag_help(evaluator->session, diag, "say what holds without a name: `%.*s == null ? null : %s[%.*s]`",
                  STR_ARG(text), kind->name, STR_ARG(text));
    } else if (name->kind == VALUE_INT) {
        diag_help(evaluator->session, diag,
                  "blocks are not numbered; a number in a name is put into a string: `\"gpu-${%.*s}\"`",
                  STR_ARG(source_text(evaluator->session, label->span)));
    }
    return make_error(evaluator, label->span);
}

const KindRow *reference_kind(const Module *module, Str word) {
    const Declaration *declaration = scope_find(module, word);
    return declaration == NULL || declaration->kind == DECLARATION_BLOCK ? schema_kind(word) : NULL;
}

// The kind behind the dot of `ml.nodes["gpu-2"]` and `shared.network["lab"]`; NULL where it is none of the object's.
static const KindRow *kind_of_field(const Value *object, Str word, Where *where) {
    const KindRow *kind = NULL;
    if (object->kind == VALUE_MODULE) {
        kind = reference_kind(object->module, word);
        where->module = object->module;
    } else if (object->kind == VALUE_BLOCK) {
        Draft *draft = draft_of(object->block);
        kind = schema_kind(word);
        kind = kind != NULL && (kind->parents & 1U << draft->kind_id) != 0 ? kind : NULL;
        where->parent = draft;
        where->module = draft->env->module;
    }
    return kind;
}

// False, reported, for a kind of which a block holds one at most, without a name.
static bool has_names(Evaluator *evaluator, const KindRow *kind, Span span, const Where *where) {
    if (kind->is_singleton && where->parent != NULL) {
        Diag *diag =
            report(evaluator->session, span, DIAG(label_wrong), kind->name, "takes no name: there is one at most");
        diag_help(evaluator->session, diag, "leave the `[ ]` out");
        return false;
    }
    return true;
}

static const Value *evaluate_named(Evaluator *evaluator, const Expr *expr, const Env *env, const KindRow *kind,
                                   Where where) {
    const Expr *label = expr->index.index;
    const Value *name = reference_label(evaluator, kind, label, env);
    if (name->kind == VALUE_ERROR || !has_names(evaluator, kind, label->span, &where)) {
        return make_error(evaluator, expr->span);
    }
    if (evaluator->is_expanding && where.parent != NULL) {
        report_too_early(evaluator, expr->index.object->span, where.parent->block.name);
        return make_error(evaluator, expr->span);
    }
    Draft *draft = find_of_kind(evaluator, kind, name, label, where);
    return draft == NULL
               ? make_error(evaluator, expr->span)
               : make_because(evaluator, evaluate_draft_reference(evaluator, draft, expr->span), name->origin);
}

// `[ ]` behind what is called like a kind. False, reported, where nothing can be taken from that. An item that a block
// of the kind has as its name may be meant as the block.
static bool check_hidden(Evaluator *evaluator, const Expr *expr, const Env *env, const Value *container,
                         const Value *index) {
    const Expr *object = expr->index.object;
    const KindRow *kind = object->kind == EXPR_NAME ? schema_kind(object->name) : NULL;
    if (kind == NULL || index->kind != VALUE_STRING) {
        return true;
    }
    const Declaration *hiding =
        scope_find_loop(env, object->name) != NULL ? NULL : scope_find(env->module, object->name);
    const bool has_items =
        container->kind == VALUE_LIST || container->kind == VALUE_MAP || container->kind == VALUE_ERROR;
    Where where = { .module = env->module, .env = env };
    const Draft *draft = has_items ? find_around(evaluator, kind, index->string, &where) : NULL;
    if (has_items && draft == NULL) {
        return true;
    }
    Diag *diag = has_items ? report(evaluator->session, object->span, DIAG(kind_hidden), kind->name, kind->name,
                                    STR_ARG(index->string))
                           : report(evaluator->session, object->span, DIAG(operand_type), "`[ ]`", "a list or a map",
                                    value_describe(container));
    if (hiding != NULL) {
        diag_label(evaluator->session, diag, hiding->span, "this one is taken");
    }
    if (draft != NULL) {
        diag_label(evaluator->session, diag, draft->block.subject.name_span, "not this block");
    }
    diag_help(evaluator->session, diag, "if a block is meant, give the value another name than `%s`", kind->name);
    return has_items;
}

const Value *evaluate_index(Evaluator *evaluator, const Expr *expr, const Env *env) {
    const Expr *object = expr->index.object;
    const Value *container = NULL;
    if (object->kind == EXPR_NAME) {
        const bool is_loop = scope_find_loop(env, object->name) != NULL;
        const KindRow *kind = is_loop ? NULL : reference_kind(env->module, object->name);
        if (kind != NULL) {
            return evaluate_named(evaluator, expr, env, kind, (Where){ .module = env->module, .env = env });
        }
    } else if (object->kind == EXPR_FIELD && schema_kind(object->field.name.text) != NULL) {
        Where where = { 0 };
        const Value *outer = evaluate_field_object(evaluator, object, env);
        const KindRow *kind = outer == NULL ? NULL : kind_of_field(outer, object->field.name.text, &where);
        if (kind != NULL) {
            return evaluate_named(evaluator, expr, env, kind, where);
        }
        container = evaluate_field_of(evaluator, object, outer);
    }
    container = container != NULL ? container : evaluate(evaluator, object, env, NULL);
    const Value *index = evaluate(evaluator, expr->index.index, env, NULL);
    const bool can_be_taken = check_hidden(evaluator, expr, env, container, index);
    return can_be_taken ? operate_index(evaluator, expr, container, index) : make_error(evaluator, expr->span);
}

// ---- behind `like` and `on` ------------------------------------------------------------------------------------

static void unknown_reference(Evaluator *evaluator, const Name *name, Suggestion *suggestion,
                              const Declaration *declaration) {
    Diag *diag = report(evaluator->session, name->span, DIAG(unknown_block), STR_ARG(name->text));
    if (declaration != NULL) {
        diag_label(evaluator->session, diag, declaration->span, "no block has this name");
    } else if (schema_kind(name->text) != NULL) {
        diag_help(evaluator->session, diag, "behind a kind stands the name: `%.*s[\"…\"]`", STR_ARG(name->text));
    } else {
        suggest_say(evaluator->session, diag, suggestion, name->span);
    }
}

// Of several blocks that share a name the one of the kind; one of another kind only where there is none.
static Draft *child_named(const Draft *parent, Str name, const char *kind) {
    Draft *other = NULL;
    for (uint32_t i = 0; i < parent->children.count; i++) {
        Draft *child = parent->children.items[i];
        const bool is_named = str_equal(child->block.name, name);
        if (is_named && strcmp(child->block.kind->name, kind) == 0) {
            return child;
        }
        other = is_named ? child : other;
    }
    return other;
}

// Nested blocks may come from what a block is like. False, reported, where that needs `self`.
static bool link_children(Evaluator *evaluator, Draft *parent, const Draft *self) {
    if (parent->progress != PROGRESS_ACTIVE) {
        link_like(evaluator, parent);
    } else if (!parent->has_children) {
        report_like_cycle(evaluator, self, parent);
        return false;
    }
    return true;
}

static Draft *find_child(Evaluator *evaluator, Draft *parent, const Name *name, const char *kind, const Draft *self) {
    if (!link_children(evaluator, parent, self)) {
        return NULL;
    }
    Draft *child = child_named(parent, name->text, kind);
    if (child == NULL) {
        Suggestion suggestion = suggest_for(evaluator->session, name->text);
        for (uint32_t i = 0; i < parent->children.count && !suggest_is_idle(&suggestion); i++) {
            suggest_offer(&suggestion, parent->children.items[i]->block.name);
        }
        unknown_reference(evaluator, name, &suggestion, NULL);
    }
    return child;
}

// Nothing is said where the block is there and could not be made: that was reported.
static void no_block(Evaluator *evaluator, const Module *module, const Name *name, const Declaration *declaration) {
    bool is_sure = false;
    if (declaration != NULL && declaration->kind == DECLARATION_BLOCK) {
        return;
    }
    const Item *maker = declaration == NULL ? scope_may_make(module, name->text, NULL, &is_sure) : NULL;
    if (maker != NULL && scope_has_lost(module, maker->block.kind.text)) {
        return;
    }
    if (maker != NULL && is_sure) {
        Diag *diag = report(evaluator->session, name->span, DIAG(block_not_built), STR_ARG(name->text));
        diag_label(evaluator->session, diag, maker->block.label->span, "would be made here");
        return;
    }
    if (declaration == NULL && scope_is_lost(evaluator->session, module, name->text)) {
        return;
    }
    Suggestion suggestion = suggest_for(evaluator->session, name->text);
    scope_offer_blocks(module, &suggestion);
    unknown_reference(evaluator, name, &suggestion, declaration);
}

// Another nested block of the one that `self` stands in. Of several the one of the kind is taken; one of another kind
// only where no block of the file has the name, so that a message can say what it is. With a dot behind the name it is
// one that has the next name.
static Draft *sibling_named(const Env *env, const Ref *ref, const char *kind, const Draft *self) {
    const Name *name = &ref->steps[0].name;
    Draft *other = NULL;
    for (uint32_t i = 0; env->draft != NULL && i < env->draft->children.count; i++) {
        Draft *child = env->draft->children.items[i];
        const bool is_named = child != self && str_equal(child->block.name, name->text);
        if (is_named && ref->count > 1 && ref->steps[1].label == NULL &&
            child_named(child, ref->steps[1].name.text, kind) != NULL) {
            return child;
        }
        if (is_named && ref->count == 1 && strcmp(child->block.kind->name, kind) == 0) {
            return child;
        }
        other = is_named ? child : other;
    }
    const bool is_in_file = scope_find_kind(env->module, name->text, kind, NULL) != NULL;
    return is_in_file ? NULL : other;
}

// What a name of the file means: where a dot is behind it, a file in use, or a block that can hold blocks of the kind.
static const Declaration *declaration_of(const Module *module, Str name, const char *kind, bool is_last) {
    const KindRow *row = schema_kind(str_of(kind));
    const Declaration *declaration = is_last ? NULL : scope_find(module, name);
    for (; declaration != NULL && declaration->kind == DECLARATION_BLOCK; declaration = declaration->other_kind) {
        const KindRow *outer = schema_kind(declaration->item->block.kind.text);
        if (row != NULL && outer != NULL && (row->parents & 1U << (outer - KIND_ROWS)) != 0) {
            return declaration;
        }
    }
    return scope_find_kind(module, name, kind, NULL);
}

static void no_kind(Evaluator *evaluator, const RefStep *step, const Where *where) {
    Suggestion suggestion = suggest_for(evaluator->session, step->name.text);
    for (int i = 0; i < KIND_COUNT; i++) {
        suggest_offer(&suggestion, str_of(KIND_ROWS[i].name));
    }
    Diag *diag = report(evaluator->session, step->name.span, DIAG(unknown_kind), STR_ARG(step->name.text));
    const Declaration *declaration = scope_find(where->module, step->name.text);
    if (declaration != NULL) {
        const bool is_file = declaration->kind == DECLARATION_USE;
        diag_label(evaluator->session, diag, declaration->span, "this has the name");
        diag_help(evaluator->session, diag,
                  is_file ? "the kind stands between: `%.*s.cluster[\"…\"]`" : "leave the `[ ]` out: `%.*s`",
                  STR_ARG(step->name.text));
    } else if (!suggest_say(evaluator->session, diag, &suggestion, step->name.span)) {
        diag_help(evaluator->session, diag, "a kind stands before `[ ]`, as in `cluster[\"…\"]`");
    }
}

static void not_in_parent(Evaluator *evaluator, const RefStep *step, const KindRow *kind, const Draft *parent) {
    Diag *diag =
        report(evaluator->session, step->name.span, DIAG(block_misplaced), kind->name, parent->block.kind->name);
    for (int i = 0; i < KIND_COUNT; i++) {
        if ((kind->parents & 1U << i) != 0) {
            diag_help(evaluator->session, diag, "it stands in a `%s`", KIND_ROWS[i].name);
        }
    }
    if (kind->parents == 0) {
        diag_help(evaluator->session, diag, "it stands at file level: `%s[…]` without a name before it", kind->name);
    }
}

// A step with `[ ]`, in a block, around one, or in a file. No value of a block can be read yet.
static Draft *find_step(Evaluator *evaluator, const RefStep *step, const Env *env, Where where) {
    const KindRow *kind = schema_kind(step->name.text);
    if (kind == NULL) {
        no_kind(evaluator, step, &where);
        return NULL;
    }
    if (where.parent != NULL && (kind->parents & 1U << where.parent->kind_id) == 0) {
        not_in_parent(evaluator, step, kind, where.parent);
        return NULL;
    }
    if (!has_names(evaluator, kind, step->label->span, &where) ||
        (where.parent != NULL && !link_children(evaluator, where.parent, where.self))) {
        return NULL;
    }
    const bool was_expanding = evaluator->is_expanding;
    evaluator->is_expanding = true;
    const Value *name = reference_label(evaluator, kind, step->label, env);
    evaluator->is_expanding = was_expanding;
    return name->kind == VALUE_STRING ? find_of_kind(evaluator, kind, name, step->label, where) : NULL;
}

static Draft *find_all_steps(Evaluator *evaluator, const Ref *ref, const Env *env, const char *kind,
                             const Draft *self) {
    Where where = { .module = env->module, .self = self };
    where.parent = ref->steps[0].label != NULL ? NULL : sibling_named(env, ref, kind, self);
    for (uint32_t i = where.parent == NULL ? 0 : 1; i < ref->count; i++) {
        const RefStep *step = &ref->steps[i];
        const bool is_last = i + 1 == ref->count;
        if (step->label != NULL || where.parent != NULL) {
            where.env = i == 0 ? env : NULL;
            where.parent = step->label != NULL ? find_step(evaluator, step, env, where)
                                               : find_child(evaluator, where.parent, &step->name, kind, self);
            if (where.parent == NULL) {
                return NULL;
            }
            continue;
        }
        const Declaration *declaration = declaration_of(where.module, step->name.text, kind, is_last);
        if (declaration != NULL && declaration->kind == DECLARATION_USE && !is_last) {
            if (declaration->used == NULL) {
                return NULL;
            }
            where.module = declaration->used;
        } else if (declaration != NULL && declaration->draft != NULL) {
            where.parent = declaration->draft;
        } else if (declaration == NULL && self->amends.count > 0 && str_equal(step->name.text, self->block.name)) {
            Diag *diag = report(evaluator->session, ref->span, DIAG(unknown_block), STR_ARG(self->block.name));
            diag_help(evaluator->session, diag, "leave this `like` out: the block amends the copied one of its name");
            return NULL;
        } else {
            no_block(evaluator, where.module, &step->name, declaration);
            return NULL;
        }
    }
    return where.parent;
}

Draft *reference_find(Evaluator *evaluator, const Ref *ref, const Env *env, const char *kind, const Draft *self) {
    const uint32_t outer = env->loops == NULL ? 0 : diags_begin_turn(evaluator->session);
    Draft *draft = find_all_steps(evaluator, ref, env, kind, self);
    if (env->loops != NULL) { // a mistake in a loop is one mistake
        diags_end_turn(evaluator->session, outer);
    }
    return draft;
}

void reference_check(Evaluator *evaluator) {
    for (uint32_t i = 0; i < evaluator->labels.count; i++) {
        const KindLabel *label = &evaluator->labels.items[i];
        const Str name = label->label->string;
        if (label->module != NULL && !label->kind->is_nested &&
            scope_may_make(label->module, name, label->kind, NULL) == NULL) {
            no_block_of_kind(evaluator, label->kind, name, label->label, &(Where){ .module = label->module });
        }
    }
}
