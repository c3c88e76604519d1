// Links blocks with each other when all of them exist. `like` shares the slots of another block, so that its text is
// evaluated once and where it stands. `on` names a cluster's target or a job's cluster.
#include "compiler/semantics/evaluator.h"

#include "compiler/base/suggest.h"
#include "schema/renamed.h"

void report_like_cycle(Evaluator *evaluator, const Draft *draft, const Draft *base) {
    Diag *diag = report(evaluator->session, draft->item->block.like.span, DIAG(like_cycle), STR_ARG(draft->block.name));
    for (uint32_t i = 0; i < CHAIN_SHOWN_MAX && base != NULL && base != draft; i++) {
        const Ref *ref = &base->item->block.like;
        if (ref->count > 0) {
            const Str other = base->like != NULL && ref->steps[ref->count - 1].label != NULL
                                  ? base->like->block.name
                                  : source_text(evaluator->session, ref->span);
            diag_label(evaluator->session, diag, ref->span, "`%.*s` is like `%.*s`", STR_ARG(base->block.name),
                       STR_ARG(other));
        }
        base = base->like;
    }
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

// The nested block of a draft that is meant; NULL where there is none.
static const Draft *child_taken(Evaluator *evaluator, const Draft *draft, const TakenAway *taken) {
    const Draft *child = NULL;
    for (int i = 0; i < KIND_COUNT && child == NULL; i++) {
        const KindRow *kind = &KIND_ROWS[i];
        const bool may_be = taken->kind == NULL ? (kind->parents & 1U << draft->kind_id) != 0 && !kind->is_singleton
                                                : taken->kind == kind;
        child = may_be ? draft_find_child(evaluator, draft, kind, taken->name.text) : NULL;
    }
    return child;
}

static bool is_taken_away(Evaluator *evaluator, const Draft *draft, const Draft *child) {
    for (uint32_t i = 0; i < draft->block.off.count; i++) {
        if (draft->block.off.items[i] == child->block.kind) {
            return true;
        }
    }
    const Str name = child->block.name;
    return draft->taken_away.count > 0 &&
           (str_map_get(&draft->taken_names, name) != NULL ||
            str_map_get(&draft->taken_names, draft_child_key(evaluator, child->block.kind, name)) != NULL);
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
        if (is_kind_taken(draft, child->block.kind)) {
            continue; // one of the draft's own is new
        }
        const Draft probe = { .child_names = own_names };
        Draft *amended = draft_find_child(evaluator, &probe, child->block.kind, child->block.name);
        if (amended != NULL && amended->progress == PROGRESS_DONE) {
            amend(evaluator, amended, child);
            draft_add_child(evaluator, draft, amended);
        } else if (amended != NULL) {
            vec_push(evaluator->arena, &amended->amends, child);
            draft_add_child(evaluator, draft, amended);
        } else if (!is_taken_away(evaluator, draft, child)) {
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

static void nothing_to_take_away(Evaluator *evaluator, const Draft *draft, const Draft *base, const TakenAway *taken) {
    const Name *name = &taken->name;
    Suggestion suggestion = suggest_for(evaluator->session, name->text);
    for (int i = 0; taken->kind == NULL && i < draft->block.kind->attribute_count; i++) {
        suggest_offer(&suggestion, str_of(draft->block.kind->attributes[i].name));
    }
    for (uint32_t i = 0; base != NULL && i < base->children.count && !suggest_is_idle(&suggestion); i++) {
        const Block *child = &base->children.items[i]->block;
        if (taken->kind == NULL || taken->kind == child->kind) {
            suggest_offer(&suggestion, child->name);
        }
    }
    Diag *diag = report(evaluator->session, name->span, DIAG(nothing_to_take_away), STR_ARG(name->text));
    if (base == NULL) {
        diag_help(evaluator->session, diag, "a block is taken away where it came through `like`");
    } else if (taken->kind != NULL) {
        operate_offer_key(evaluator, diag, &suggestion, taken->label);
    } else {
        suggest_say(evaluator->session, diag, &suggestion, name->span);
    }
}

static void report_taken_away(Evaluator *evaluator, const Draft *draft, const Draft *base) {
    for (uint32_t i = 0; i < draft->taken_away.count; i++) {
        const TakenAway *taken = &draft->taken_away.items[i];
        const Name *name = &taken->name;
        const char *today = taken->kind != NULL ? NULL : schema_renamed_attribute(draft->block.kind->name, name->text);
        const bool is_there = base != NULL && child_taken(evaluator, base, taken) != NULL;
        if (!is_there && today != NULL) {
            report_renamed(evaluator->session, name, today);
        } else if (!is_there) {
            nothing_to_take_away(evaluator, draft, base, taken);
        }
    }
}

// `NAME = null` beside a block of the name: one of them would be dropped.
static void report_taken_and_given(Evaluator *evaluator, const Draft *draft) {
    const bool is_like = draft->item->block.like.count > 0; // else there is nothing to take away
    for (uint32_t i = 0; i < draft->taken_away.count && is_like; i++) {
        const Name *name = &draft->taken_away.items[i].name;
        const Draft *child = child_taken(evaluator, draft, &draft->taken_away.items[i]);
        if (child != NULL) {
            Diag *diag = report(evaluator->session, name->span, DIAG(attribute_twice), STR_ARG(name->text));
            diag_label(evaluator->session, diag, child->block.subject.name_span, "and here");
            diag_help(evaluator->session, diag,
                      "leave the `null` out to amend the copied block, or give the new one another name");
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
    const bool is_in_loop = draft->env->loops != NULL; // where a mistake is one mistake
    const uint32_t turn = is_in_loop ? diags_begin_turn(evaluator->session) : 0;
    Diag *diag =
        report(evaluator->session, ref->span, DIAG(like_nested), STR_ARG(base->block.name), STR_ARG(outer->block.name));
    if (is_in_loop) {
        diags_end_turn(evaluator->session, turn);
    }
    diag_label(evaluator->session, diag, base->block.subject.name_span, "this one is copied");
    diag_label(evaluator->session, diag, other->block.subject.name_span, "not this one");
    const Expr *label = outer->item->block.label;
    if (label == NULL || outer->block.parent != NULL) {
        diag_help(evaluator->session, diag, "give one of the two another name");
        return;
    }
    const Str name = outer->block.name;
    const Str path = label->kind == EXPR_STRING
                         ? str_format(evaluator->arena, "%.*s.%.*s", STR_ARG(name), STR_ARG(base->block.name))
                         : str_format(evaluator->arena, "%s[%.*s].%.*s", outer->block.kind->name,
                                      STR_ARG(source_text(evaluator->session, label->span)), STR_ARG(base->block.name));
    diag_help(evaluator->session, diag, "write `like %.*s` for this one; give it another name to mean the other",
              STR_ARG(path));
    diag_fix(evaluator->session, diag, ref->span, path);
}

// The block that a draft is like, itself linked; NULL where there is none, or reported.
static Draft *find_base(Evaluator *evaluator, Draft *draft, const Ref *ref) {
    Draft *base = reference_find(evaluator, ref, draft->outer, draft->block.kind->name, draft);
    if (base != NULL && base->block.kind != draft->block.kind) {
        Diag *diag =
            report(evaluator->session, ref->span, DIAG(like_kind), base->block.kind->name, draft->block.kind->name);
        diag_label(evaluator->session, diag, base->block.subject.span, "a `%s`", base->block.kind->name);
        return NULL;
    }
    if (base != NULL && base->progress == PROGRESS_ACTIVE) {
        report_like_cycle(evaluator, draft, base);
        return NULL;
    }
    draft->like = base;
    if (base != NULL) {
        link_like(evaluator, base);
        if (ref->count == 1 && base->block.parent != NULL) {
            check_shadowed(evaluator, draft, base, ref);
        }
    }
    return base;
}

void link_like(Evaluator *evaluator, Draft *draft) {
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
    report_taken_and_given(evaluator, draft);
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
    Suggestion suggestion = suggest_for(evaluator->session, ref->steps[0].name.text);
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
        const bool is_word = ref->steps[0].label == NULL;
        if (is_word && str_is(ref->steps[0].name.text, schema_target_name(CLUSTER_TARGETS[i]))) {
            draft->block.target = CLUSTER_TARGETS[i];
            return;
        }
    }
    draft->has_bad_on = true;
    unknown_target(evaluator, ref);
}

static void link_cluster(Evaluator *evaluator, Draft *draft, const Ref *ref) {
    Draft *cluster = reference_find(evaluator, ref, draft->outer, KIND_ROWS[KIND_CLUSTER].name, draft);
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
