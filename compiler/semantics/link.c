// Links blocks with each other when all of them exist. `like` shares the slots of another block, so that its text is
// evaluated once and where it stands. `on` names a cluster's target or a job's cluster.
#include "compiler/semantics/evaluator.h"

#include "compiler/base/suggest.h"
#include "schema/renamed.h"

static void link_like(Evaluator *evaluator, Draft *draft);

static void like_cycle(Evaluator *evaluator, const Draft *draft, const Draft *base) {
    Diag *diag = report(evaluator->session, draft->item->block.like.span, DIAG(like_cycle), STR_ARG(draft->block.name));
    if (base != draft && base->item->block.like.count > 0) {
        Span span = base->item->block.like.span;
        diag_label(evaluator->session, diag, span, "`%.*s` is like `%.*s`", STR_ARG(base->block.name),
                   STR_ARG(source_text(evaluator->session, span)));
    }
}

// ---- references ------------------------------------------------------------------------------------------------

static void unknown_reference(Evaluator *evaluator, const Name *name, Suggestion *suggestion,
                              const Declaration *declaration) {
    Diag *diag = report(evaluator->session, name->span, DIAG(unknown_block), STR_ARG(name->text));
    if (declaration != NULL) {
        diag_label(evaluator->session, diag, declaration->span, "no block has this name");
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

static Draft *find_child(Evaluator *evaluator, Draft *parent, const Name *name, const char *kind, const Draft *self) {
    if (parent->progress != PROGRESS_ACTIVE) {
        link_like(evaluator, parent); // a child may come from there
    } else if (!parent->has_children) {
        like_cycle(evaluator, self, parent);
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
    const Item *maker = declaration == NULL ? scope_may_make(module, name->text, &is_sure) : NULL;
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
    const Name *name = &ref->names[0];
    Draft *other = NULL;
    for (uint32_t i = 0; env->draft != NULL && i < env->draft->children.count; i++) {
        Draft *child = env->draft->children.items[i];
        const bool is_named = child != self && str_equal(child->block.name, name->text);
        if (is_named && ref->count > 1 && child_named(child, ref->names[1].text, kind) != NULL) {
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

// lab, other.lab, lab.gpu or other.lab.gpu; inside of a block its siblings come first. Of blocks that share a name the
// one of the kind is taken.
static Draft *find_block(Evaluator *evaluator, const Ref *ref, const Env *env, const char *kind, const Draft *self) {
    const Module *module = env->module;
    Draft *draft = sibling_named(env, ref, kind, self);
    for (uint32_t i = draft == NULL ? 0 : 1; i < ref->count; i++) {
        if (draft != NULL) {
            draft = find_child(evaluator, draft, &ref->names[i], kind, self);
            if (draft == NULL) {
                return NULL;
            }
            continue;
        }
        const bool is_last = i + 1 == ref->count;
        const Declaration *declaration = declaration_of(module, ref->names[i].text, kind, is_last);
        if (declaration != NULL && declaration->kind == DECLARATION_USE && !is_last) {
            if (declaration->used == NULL) {
                return NULL;
            }
            module = declaration->used;
        } else if (declaration != NULL && declaration->draft != NULL) {
            draft = declaration->draft;
        } else if (declaration == NULL && self->amends.count > 0 && str_equal(ref->names[0].text, self->block.name)) {
            Diag *diag = report(evaluator->session, ref->span, DIAG(unknown_block), STR_ARG(self->block.name));
            diag_help(evaluator->session, diag, "leave this `like` out: the block amends the copied one of its name");
            return NULL;
        } else {
            no_block(evaluator, module, &ref->names[i], declaration);
            return NULL;
        }
    }
    return draft;
}

// ---- like ------------------------------------------------------------------------------------------------------

static bool is_kind_taken(const Draft *draft, const KindRow *kind) {
    for (uint32_t i = 0; i < draft->taken_kinds.count; i++) {
        if (draft->taken_kinds.items[i] == kind) {
            return true;
        }
    }
    return false;
}

static const Draft *child_of_kind(const Draft *draft, const KindRow *kind) {
    for (uint32_t i = 0; i < draft->children.count; i++) {
        if (draft->children.items[i]->block.kind == kind) {
            return draft->children.items[i];
        }
    }
    return NULL;
}

static bool has_child(const Draft *draft, Str name) {
    for (uint32_t i = 0; i < draft->children.count; i++) {
        if (str_equal(draft->children.items[i]->block.name, name)) {
            return true;
        }
    }
    return false;
}

static bool is_taken_away(const Draft *draft, const Draft *child) {
    for (uint32_t i = 0; i < draft->block.off.count; i++) {
        if (draft->block.off.items[i] == child->block.kind) {
            return true;
        }
    }
    if (is_kind_taken(draft, child->block.kind)) {
        return true;
    }
    for (uint32_t i = 0; i < draft->taken_away.count; i++) {
        if (str_equal(draft->taken_away.items[i].text, child->block.name)) {
            return true;
        }
    }
    return false;
}

static void amend(Evaluator *evaluator, Draft *draft, Draft *base);

static Draft *copy_child(Evaluator *evaluator, Draft *child, Draft *parent) {
    Draft *copy = arena_new(evaluator->arena, Draft);
    if (++evaluator->block_count > BLOCKS_MAX) {
        if (!evaluator->is_exhausted) {
            report(evaluator->session, child->block.subject.span, DIAG(too_many_repetitions), BLOCKS_MAX, "blocks");
        }
        evaluator->is_exhausted = true;
    }
    *copy = *child;
    size_t count = (size_t)child->block.kind->attribute_count;
    copy->block.draft = copy;
    copy->block.parent = &parent->block;
    copy->block.subject.outer = &parent->block.subject;
    copy->block.is_used = parent->block.is_used;
    copy->block.subject.values = arena_new_array(evaluator->arena, const Value *, count);
    copy->block.subject.null_origins = arena_new_array(evaluator->arena, const Origin *, count);
    copy->block.subject.attribute_spans = arena_new_array(evaluator->arena, Span, count);
    copy->block.off = (__typeof__(copy->block.off)){ 0 };
    copy->taken_kinds = (__typeof__(copy->taken_kinds)){ 0 };
    copy->slots = arena_new_array(evaluator->arena, Slot *, count);
    copy->children = (Drafts){ 0 };
    copy->child_names = (StrMap){ .arena = evaluator->arena };
    copy->placed = (__typeof__(copy->placed)){ 0 };
    copy->resources = (StrMap){ .arena = evaluator->arena };
    copy->output_names = (StrMap){ .arena = evaluator->arena };
    if (!evaluator->is_exhausted) {
        amend(evaluator, copy, child);
    }
    return copy;
}

// The base's nested blocks in their order, then the draft's own new ones. One of the draft's own that has the kind and
// the name of one of the base amends it, once all of them are there: it may be like any other.
static void merge_children(Evaluator *evaluator, Draft *draft, const Draft *base) {
    Drafts own = draft->children;
    StrMap own_names = draft->child_names;
    draft->children = (Drafts){ 0 };
    draft->child_names = (StrMap){ .arena = evaluator->arena };
    for (uint32_t i = 0; i < base->children.count; i++) {
        Draft *child = base->children.items[i];
        const Draft probe = { .child_names = own_names };
        Draft *amended = draft_find_child(evaluator, &probe, child->block.kind, child->block.name);
        if (amended != NULL && amended->progress == PROGRESS_DONE) {
            amend(evaluator, amended, child);
            draft_add_child(evaluator, draft, amended);
        } else if (amended != NULL) {
            vec_push(evaluator->arena, &amended->amends, child);
            draft_add_child(evaluator, draft, amended);
        } else if (!is_taken_away(draft, child)) {
            draft_add_child(evaluator, draft, copy_child(evaluator, child, draft));
        }
    }
    for (uint32_t i = 0; i < own.count; i++) {
        draft_add_child(evaluator, draft, own.items[i]);
    }
}

static void amend(Evaluator *evaluator, Draft *draft, Draft *base) {
    for (int i = 0; i < draft->block.kind->attribute_count; i++) {
        draft->slots[i] = draft->slots[i] != NULL ? draft->slots[i] : base->slots[i];
    }
    for (uint32_t i = 0; i < base->block.off.count; i++) {
        const KindRow *kind = base->block.off.items[i];
        if (child_of_kind(draft, kind) == NULL && !is_kind_taken(draft, kind)) { // else the draft says otherwise
            vec_push(evaluator->arena, &draft->block.off, kind);
        }
    }
    merge_children(evaluator, draft, base);
    if (draft->block.target == 0 && draft->block.on == NULL) {
        draft->block.target = base->block.target;
        draft->block.on = base->block.on;
        draft->block.on_span = base->block.on_span;
    }
}

static void report_taken_away(Evaluator *evaluator, const Draft *draft, const Draft *base) {
    for (uint32_t i = 0; i < draft->taken_away.count; i++) {
        const Name *name = &draft->taken_away.items[i];
        const char *today = schema_renamed_attribute(draft->block.kind->name, name->text);
        const bool is_there = base != NULL && has_child(base, name->text);
        if (!is_there && today != NULL) {
            report_renamed(evaluator->session, name, today);
        } else if (!is_there) {
            Suggestion suggestion = suggest_for(evaluator->session, name->text);
            for (int j = 0; j < draft->block.kind->attribute_count; j++) {
                suggest_offer(&suggestion, str_of(draft->block.kind->attributes[j].name));
            }
            for (uint32_t j = 0; base != NULL && j < base->children.count; j++) {
                suggest_offer(&suggestion, base->children.items[j]->block.name);
            }
            Diag *diag = report(evaluator->session, name->span, DIAG(nothing_to_take_away), STR_ARG(name->text));
            suggest_say(evaluator->session, diag, &suggestion, name->span);
        }
    }
}

// `KIND = off` beside a block of the kind: one of them would be dropped.
static void report_off(Evaluator *evaluator, const Draft *draft) {
    for (uint32_t i = 0; i < draft->off_names.count; i++) {
        const Name *name = &draft->off_names.items[i];
        const Draft *child = child_of_kind(draft, schema_kind(name->text));
        if (child != NULL) {
            const bool is_first = child->block.subject.span.start > name->span.start;
            Diag *diag = report(evaluator->session, is_first ? child->block.subject.span : name->span,
                                DIAG(attribute_twice), STR_ARG(name->text));
            diag_label(evaluator->session, diag, is_first ? name->span : child->block.subject.span, "first here");
        }
    }
}

// Whether whoever is like one of the two would be the same if it were like the other.
static bool is_alike(Evaluator *evaluator, const Draft *draft, const Draft *other) {
    for (int i = 0; i < draft->block.kind->attribute_count; i++) {
        if (draft->slots[i] != other->slots[i]) {
            return false;
        }
    }
    if (draft->children.count != other->children.count || draft->block.off.count != other->block.off.count) {
        return false;
    }
    for (uint32_t i = 0; i < draft->children.count; i++) {
        const Draft *child = draft->children.items[i];
        const Draft *twin = draft_find_child(evaluator, other, child->block.kind, child->block.name);
        if (twin == NULL || !is_alike(evaluator, child, twin)) {
            return false;
        }
    }
    return true;
}

// A nested block was found by a name that a block of the file has too.
static void check_shadowed(Evaluator *evaluator, const Draft *draft, const Draft *base, const Ref *ref) {
    const char *kind = draft->block.kind->name;
    const Declaration *declaration = scope_find_kind(draft->outer->module, base->block.name, kind, NULL);
    Draft *other = declaration != NULL && declaration->kind == DECLARATION_BLOCK ? declaration->draft : NULL;
    if (other == NULL || other->block.kind != draft->block.kind || draft->outer->module->is_used) {
        return;
    }
    link_like(evaluator, other);
    if (is_alike(evaluator, base, other)) {
        return;
    }
    const Draft *outer = draft->outer->draft;
    Diag *diag =
        report(evaluator->session, ref->span, DIAG(like_nested), STR_ARG(base->block.name), STR_ARG(outer->block.name));
    diag_label(evaluator->session, diag, base->block.subject.name_span, "this one is copied");
    diag_label(evaluator->session, diag, other->block.subject.name_span, "not this one");
    const Expr *label = outer->item->block.label;
    if (label != NULL && label->kind == EXPR_STRING && outer->block.parent == NULL) {
        const Str path =
            str_format(evaluator->arena, "%.*s.%.*s", STR_ARG(outer->block.name), STR_ARG(base->block.name));
        diag_help(evaluator->session, diag, "write `like %.*s` for this one; give it another name to mean the other",
                  STR_ARG(path));
        diag_fix(evaluator->session, diag, ref->span, path);
    } else {
        diag_help(evaluator->session, diag, "give one of the two another name");
    }
}

// The block that a draft is like, itself linked; NULL where there is none, or reported.
static Draft *find_base(Evaluator *evaluator, Draft *draft, const Ref *ref) {
    Draft *base = find_block(evaluator, ref, draft->outer, draft->block.kind->name, draft);
    if (base != NULL && base->block.kind != draft->block.kind) {
        Diag *diag =
            report(evaluator->session, ref->span, DIAG(like_kind), base->block.kind->name, draft->block.kind->name);
        diag_label(evaluator->session, diag, base->block.subject.span, "a `%s`", base->block.kind->name);
        return NULL;
    }
    if (base != NULL && base->progress == PROGRESS_ACTIVE) {
        like_cycle(evaluator, draft, base);
        return NULL;
    }
    if (base != NULL) {
        link_like(evaluator, base);
        if (ref->count == 1 && base->block.parent != NULL) {
            check_shadowed(evaluator, draft, base, ref);
        }
    }
    return base;
}

static void link_like(Evaluator *evaluator, Draft *draft) {
    if (draft->progress == PROGRESS_DONE) {
        return;
    }
    const Ref *ref = &draft->item->block.like;
    if (++evaluator->depth > EVALUATION_DEPTH_MAX) {
        if (!evaluator->is_exhausted) {
            report(evaluator->session, ref->span, DIAG(evaluation_too_deep), EVALUATION_DEPTH_MAX);
        }
        evaluator->is_exhausted = true;
        evaluator->depth--;
        return;
    }
    draft->progress = PROGRESS_ACTIVE;
    report_off(evaluator, draft);
    Draft *base = ref->count == 0 ? NULL : find_base(evaluator, draft, ref);
    if (base != NULL) {
        amend(evaluator, draft, base);
    }
    for (uint32_t i = 0; i < draft->amends.count; i++) {
        amend(evaluator, draft, draft->amends.items[i]);
    }
    const Draft *outer = draft->outer->draft;
    draft->has_bad_like =
        (ref->count > 0 && (base == NULL || base->has_bad_like)) || (outer != NULL && outer->has_bad_like);
    draft->has_children = true;
    for (uint32_t i = 0; i < draft->children.count; i++) {
        link_like(evaluator, draft->children.items[i]); // which may be like one that came from the base
    }
    if (ref->count == 0 || base != NULL) {
        report_taken_away(evaluator, draft, base);
    }
    draft->like = base;
    draft->progress = PROGRESS_DONE;
    evaluator->depth--;
}

// ---- on --------------------------------------------------------------------------------------------------------

static void unknown_target(Evaluator *evaluator, const Ref *ref) {
    Suggestion suggestion = suggest_for(evaluator->session, ref->names[0].text);
    StrBuf words = { .arena = evaluator->arena };
    for (int i = 0; i < CLUSTER_TARGET_COUNT; i++) {
        const char *word = schema_target_name(CLUSTER_TARGETS[i]);
        suggest_offer(&suggestion, str_of(word));
        strbuf_add_format(&words, "%s`%s`", i == 0 ? "" : i + 1 < CLUSTER_TARGET_COUNT ? ", " : " or ", word);
    }
    Diag *diag = report(evaluator->session, ref->span, DIAG(unknown_target),
                        STR_ARG(source_text(evaluator->session, ref->span)));
    if (!suggest_say(evaluator->session, diag, &suggestion, ref->span)) {
        diag_help(evaluator->session, diag, "a cluster is on %.*s", STR_ARG(strbuf_str(&words)));
    }
}

static void link_target(Evaluator *evaluator, Draft *draft, const Ref *ref) {
    draft->block.on_span = ref->span;
    for (int i = 0; i < CLUSTER_TARGET_COUNT && ref->count == 1; i++) {
        if (str_is(ref->names[0].text, schema_target_name(CLUSTER_TARGETS[i]))) {
            draft->block.target = CLUSTER_TARGETS[i];
            return;
        }
    }
    draft->has_bad_on = true;
    unknown_target(evaluator, ref);
}

static void link_cluster(Evaluator *evaluator, Draft *draft, const Ref *ref) {
    Draft *cluster = find_block(evaluator, ref, draft->outer, KIND_ROWS[KIND_CLUSTER].name, draft);
    draft->block.on_span = ref->span;
    draft->has_bad_on = cluster == NULL;
    if (cluster != NULL && cluster->block.kind != &KIND_ROWS[KIND_CLUSTER]) {
        draft->has_bad_on = true;
        Diag *diag = report(evaluator->session, ref->span, DIAG(on_not_cluster), STR_ARG(cluster->block.name),
                            cluster->block.kind->name);
        diag_label(evaluator->session, diag, cluster->block.subject.span, "a `%s`", cluster->block.kind->name);
        return;
    }
    draft->block.on = cluster == NULL ? NULL : &cluster->block;
}

static void link_on(Evaluator *evaluator, Draft *draft) {
    const Ref *ref = &draft->item->block.on;
    if (ref->count > 0 && draft->kind_id == KIND_CLUSTER) {
        link_target(evaluator, draft, ref);
    } else if (ref->count > 0 && draft->kind_id == KIND_JOB) {
        link_cluster(evaluator, draft, ref);
    } else if (ref->count > 0) {
        report(evaluator->session, ref->span, DIAG(on_misplaced), draft->block.kind->name);
    }
}

void link_blocks(Evaluator *evaluator) {
    for (uint32_t i = 0; i < evaluator->drafts.count; i++) {
        link_on(evaluator, evaluator->drafts.items[i]);
    }
    for (uint32_t i = 0; i < evaluator->drafts.count && !evaluator->is_exhausted; i++) {
        link_like(evaluator, evaluator->drafts.items[i]);
    }
}
