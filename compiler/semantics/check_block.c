// Checks blocks against their kinds. Every required attribute must be there, each attribute must have its type, and the
// cluster's target must take it.
#include "compiler/semantics/on_target.h"
#include "compiler/semantics/resolve.h"

#include <string.h>

static TargetSet target_of(const Draft *draft) {
    for (const Block *block = &draft->block; block != NULL; block = block->parent) {
        if (block->target != 0) {
            return block->target;
        }
        if (block->on != NULL) {
            return block->on->target;
        }
        if (block->kind == &KIND_ROWS[KIND_NETWORK]) {
            return TARGET_NETWORK;
        }
    }
    return 0;
}

// The kind of a cluster's blocks that has the attribute on this target: `ami` is of each `nodes` on EKS. NULL: none.
static const KindRow *kind_with(const KindRow *kind, const char *attribute, TargetSet target) {
    static const KindId KINDS[] = { KIND_CLUSTER, KIND_HEAD, KIND_NODES };
    for (size_t i = 0; i < COUNT_OF(KINDS); i++) {
        const KindRow *other = &KIND_ROWS[KINDS[i]];
        for (int j = 0; other != kind && j < other->attribute_count; j++) {
            if (strcmp(other->attributes[j].name, attribute) == 0 && (other->attributes[j].targets & target) != 0) {
                return other;
            }
        }
    }
    return NULL;
}

// False, reported, for words and tags that only other targets of their attribute have. `value` has the type.
static bool check_words(Evaluator *evaluator, const Value *value, const Type *type, TargetSet target) {
    const Type *row = NULL;
    bool is_good = true;
    if (value->kind == VALUE_WORD) {
        row = schema_find_word(type, value->string);
    } else if (value->kind == VALUE_TAG) {
        row = schema_find_tag(type, value->tag.name);
    } else if (value->kind == VALUE_LATE && (value->late->kind == LATE_IF || value->late->kind == LATE_DEFAULT)) {
        for (uint32_t i = value->late->kind == LATE_IF ? 1 : 0; i < value->late->part_count; i++) {
            is_good = check_words(evaluator, value->late->parts[i], type, target) && is_good;
        }
    }
    if (row != NULL && (row->targets | row->later) != 0 && (row->targets & target) == 0) {
        Diag *diag = report_not_on_target(evaluator->session, value->span, row->name, row->targets, row->later,
                                          row->instead, target);
        guess_value(evaluator, diag, value->span, type);
        return false;
    }
    return is_good;
}

// "nodes `gpu`", "head".
static Str subject_of(const Evaluator *evaluator, const Draft *draft) {
    const char *kind = draft->block.kind->name;
    return draft->block.name.len == 0 ? str_of(kind)
                                      : str_format(evaluator->arena, "%s `%.*s`", kind, STR_ARG(draft->block.name));
}

static bool is_outside(const Draft *draft) { // there for `like` alone
    return draft->block.parent == NULL && draft->block.kind->is_nested;
}

static bool is_absent(const Draft *draft, int index) {
    const Slot *slot = draft->slots[index];
    return slot == NULL || (slot->value != NULL && slot->value->kind == VALUE_NULL);
}

// Reports an attribute that must be there, unless another message tells why it is not.
static void check_missing(Evaluator *evaluator, const Draft *draft, int index) {
    const AttributeRow *row = &draft->block.kind->attributes[index];
    // What could not be read, or what `like` could not bring, may have it.
    const bool is_lost = !draft->env->module->file->is_whole || draft->has_bad_like;
    const bool is_missing_there = draft->like != NULL && !is_outside(draft->like) && is_absent(draft->like, index);
    if (!row->is_required || is_outside(draft) || is_lost || is_missing_there ||
        resolve_is_misspelt(evaluator->session, draft->block.kind, &draft->item->block.body, row->name)) {
        return;
    }
    Diag *diag = report_missing(evaluator->session, draft->block.subject.name_span, subject_of(evaluator, draft), row);
    const Slot *slot = draft->slots[index];
    if (slot != NULL && slot->expr->kind != EXPR_NULL) {
        diag_label(evaluator->session, diag, slot->expr->span, "is `null`");
    }
    diag_help(evaluator->session, diag, "`%s` takes %.*s", row->name,
              STR_ARG(type_describe(evaluator->arena, row->type)));
    const Draft *last = draft; // what it copies may be what should have it
    while (last->like != NULL && is_outside(last->like)) {
        last = last->like;
    }
    guess_missing(evaluator, diag, last->item, row);
}

static void check_attribute(Evaluator *evaluator, Draft *draft, int index, TargetSet target) {
    const AttributeRow *row = &draft->block.kind->attributes[index];
    Slot *slot = draft->slots[index];
    const Value *value = draft->block.subject.values[index];
    const bool is_of_target = target == 0 || (row->targets & target) != 0;
    if (slot != NULL && is_of_target && !check_null(evaluator, draft, row, slot)) {
        draft->is_bad = true;
        return;
    }
    if (is_absent(draft, index)) {
        check_missing(evaluator, draft, index);
        return;
    }
    if (value == NULL) {
        return;
    }
    if (target != 0 && (row->targets & target) == 0) {
        Diag *diag = report_not_on_target(evaluator->session, slot->name.span, row->name, row->targets, row->later,
                                          row->instead, target);
        draft->is_bad = true;
        const KindRow *kind = draft->block.kind;
        const bool is_of_cluster = draft->kind_id == KIND_CLUSTER || (kind->parents & (1U << KIND_CLUSTER)) != 0;
        const bool is_later = (row->later & target) != 0;
        const KindRow *other = is_later || !is_of_cluster ? NULL : kind_with(kind, row->name, target);
        if (other != NULL) {
            diag_help(evaluator->session, diag, "%s has it on `%s`", schema_target_name(target), other->name);
        }
        guess_attribute(evaluator, diag, kind, slot->name.span, slot->expr);
        return;
    }
    if (!slot->is_checked) {
        slot->is_checked = true;
        slot->is_bad = !check_value(evaluator, value, row->type, str_of(row->name), slot->name.span) ||
                       (target != 0 && !check_words(evaluator, value, row->type, target));
    }
}

// Whether another mistake may be why the block has no `on`: what cannot be read may be it, such as `on = batch`.
static bool may_lack_target(const Draft *draft) {
    return draft->has_bad_on || draft->has_bad_like || !draft->env->module->file->is_whole;
}

static void check_cluster(Evaluator *evaluator, const Draft *draft) {
    if (draft->block.target == 0 && !may_lack_target(draft)) {
        Diag *diag = report(evaluator->session, draft->block.subject.name_span, DIAG(cluster_without_target),
                            STR_ARG(draft->block.name));
        diag_help(evaluator->session, diag, "write `cluster %.*s on batch { … }`", STR_ARG(draft->block.name));
    }
}

static void check_job(Evaluator *evaluator, const Draft *draft) {
    if (draft->block.on == NULL && !may_lack_target(draft)) {
        Diag *diag = report(evaluator->session, draft->block.subject.name_span, DIAG(job_without_cluster),
                            STR_ARG(draft->block.name));
        diag_help(evaluator->session, diag, "write `job %.*s on CLUSTER { … }`", STR_ARG(draft->block.name));
    }
}

void check_draft(Evaluator *evaluator, Draft *draft) {
    TargetSet target = target_of(draft);
    if (draft->kind_id == KIND_CLUSTER) {
        check_cluster(evaluator, draft);
    } else if (draft->kind_id == KIND_JOB) {
        check_job(evaluator, draft);
    }
    const KindRow *kind = draft->block.kind;
    if (target != 0 && (kind->targets & target) == 0) {
        Diag *diag = report_not_on_target(evaluator->session, draft->block.subject.span, kind->name, kind->targets,
                                          kind->later, kind->instead, target);
        guess_absence(evaluator, diag, draft->item->span);
        return;
    }
    // A mistake in a loop is one mistake.
    const bool is_in_loop = draft->env->loops != NULL;
    const uint32_t outer = is_in_loop ? diags_begin_turn(evaluator->session) : 0;
    for (int i = 0; i < kind->attribute_count; i++) {
        check_attribute(evaluator, draft, i, target);
    }
    if (is_in_loop) {
        diags_end_turn(evaluator->session, outer);
    }
    for (uint32_t i = 0; i < draft->children.count; i++) {
        check_draft(evaluator, draft->children.items[i]);
    }
}
