// A mistake stops its own block, and what stands on that: a cluster in the network, a job on the cluster. They are left
// out of the program, so that the rules judge all the others in the same run. A group of nodes that has a mistake is
// left out of its cluster alone.
#include "compiler/semantics/evaluator.h"

typedef VEC(uint32_t) Numbers;

typedef struct {
    Arena *arena;
    Drafts drafts;       // all of them, nested ones too, by Draft.number
    Numbers *dependents; // of each: those that cannot be planned without it
    Numbers waiting;     // those that are out, and whose dependents are not yet
} LeaveOut;

static void number_drafts(LeaveOut *leave_out, const Drafts *drafts) {
    for (uint32_t i = 0; i < drafts->count; i++) {
        Draft *draft = drafts->items[i];
        draft->number = leave_out->drafts.count;
        vec_push(leave_out->arena, &leave_out->drafts, draft);
        number_drafts(leave_out, &draft->children);
    }
}

static void take_out(LeaveOut *leave_out, Draft *draft) {
    if (!draft->is_left_out) {
        draft->is_left_out = true;
        vec_push(leave_out->arena, &leave_out->waiting, draft->number);
    }
}

static void add_dependent(LeaveOut *leave_out, const Block *block, const Draft *dependent) {
    if (block != NULL && block != &dependent->block) {
        vec_push(leave_out->arena, &leave_out->dependents[draft_of(block)->number], dependent->number);
    }
}

// ---- what has a mistake ------------------------------------------------------------------------------------------

static bool span_holds(Span outer, Span inner) {
    return outer.source == inner.source && outer.start <= inner.start && inner.end <= outer.end;
}

// The innermost blocks around a place: copies that `like` made have the text of the block that they are of. False where
// there is none.
static bool take_out_at(LeaveOut *leave_out, Span span) {
    bool is_any = false;
    for (uint32_t i = 0; i < leave_out->drafts.count; i++) {
        Draft *draft = leave_out->drafts.items[i];
        bool is_innermost = span_holds(draft->item->span, span);
        for (uint32_t k = 0; is_innermost && k < draft->children.count; k++) {
            is_innermost = !span_holds(draft->children.items[k]->item->span, span);
        }
        if (is_innermost) {
            take_out(leave_out, draft);
            is_any = true;
        }
    }
    return is_any;
}

// What was reported since there were `first` diagnostics. False where an error lies in no block: it may be about any.
static bool take_out_reported(LeaveOut *leave_out, const Diags *diags, uint32_t first) {
    bool are_in_blocks = true;
    for (uint32_t i = first; i < diags->items.count; i++) {
        const Diag *diag = diags->items.items[i];
        // What an assertion is about has its type nevertheless.
        if (diag->severity == SEVERITY_ERROR && !diag->is_allowed && diag->id != DIAG_assert_failed) {
            are_in_blocks = take_out_at(leave_out, diag->span) && are_in_blocks;
        }
    }
    return are_in_blocks;
}

static bool has_error(const Value *value) {
    bool is_error = value->kind == VALUE_ERROR;
    const Value *part;
    for (uint32_t i = 0; !is_error && (part = value_part(value, i)) != NULL; i++) {
        is_error = has_error(part);
    }
    return is_error;
}

static bool has_bad_slot(const Draft *draft) {
    bool is_bad = false;
    for (int i = 0; i < draft->block.kind->attribute_count && !is_bad; i++) {
        const Slot *slot = draft->slots[i];
        is_bad = slot != NULL && (slot->is_bad || (slot->value != NULL && has_error(slot->value)));
    }
    return is_bad;
}

static bool has_bad_part(const Draft *draft) {
    bool is_bad = false;
    for (uint32_t i = 0; i < draft->block.patches.count && !is_bad; i++) {
        is_bad = has_error(draft->block.patches.items[i].value);
    }
    for (uint32_t i = 0; i < draft->block.resources.count; i++) {
        const Resource *resource = draft->block.resources.items[i];
        for (uint32_t k = 0; k < resource->property_count && !is_bad; k++) {
            is_bad = has_error(resource->properties[k].value);
        }
    }
    return is_bad;
}

// ---- what stands on what -----------------------------------------------------------------------------------------

static const Block *block_of_value(const Value *value) {
    switch (value->kind) {
    case VALUE_BLOCK:
        return value->block;
    case VALUE_RESOURCE:
        return value->resource->block;
    case VALUE_LATE:
        return value->late->resource != NULL ? value->late->resource->block : value->late->block;
    case VALUE_ERROR:
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
    case VALUE_MAP:
    case VALUE_TAG:
    case VALUE_MODULE:
    case VALUE_KIND_COUNT:
        return NULL;
    }
    return NULL;
}

static void depend_on_value(LeaveOut *leave_out, const Draft *draft, const Value *value) {
    add_dependent(leave_out, block_of_value(value), draft);
    const Value *part;
    for (uint32_t i = 0; (part = value_part(value, i)) != NULL; i++) {
        depend_on_value(leave_out, draft, part);
    }
}

static void depend_on_values(LeaveOut *leave_out, const Draft *draft) {
    for (int i = 0; i < draft->block.kind->attribute_count; i++) {
        if (draft->block.subject.values[i] != NULL) {
            depend_on_value(leave_out, draft, draft->block.subject.values[i]);
        }
    }
    for (uint32_t i = 0; i < draft->block.resources.count; i++) {
        const Resource *resource = draft->block.resources.items[i];
        for (uint32_t k = 0; k < resource->property_count; k++) {
            depend_on_value(leave_out, draft, resource->properties[k].value);
        }
    }
    for (uint32_t i = 0; i < draft->block.patches.count; i++) {
        depend_on_value(leave_out, draft, draft->block.patches.items[i].value);
    }
}

static bool is_group(const Draft *draft) {
    return draft->kind_id == KIND_NODES && draft->block.parent != NULL;
}

static void find_dependents(LeaveOut *leave_out) {
    for (uint32_t i = 0; i < leave_out->drafts.count; i++) {
        const Draft *draft = leave_out->drafts.items[i];
        depend_on_values(leave_out, draft);
        add_dependent(leave_out, draft->block.on, draft);
        if (draft->like != NULL) {
            add_dependent(leave_out, &draft->like->block, draft);
        }
        for (uint32_t k = 0; k < draft->children.count; k++) {
            const Draft *child = draft->children.items[k];
            add_dependent(leave_out, &draft->block, child);
            if (!is_group(child)) {
                add_dependent(leave_out, &child->block, draft);
            }
        }
    }
}

static void take_out_dependents(LeaveOut *leave_out) {
    for (uint32_t i = 0; i < leave_out->waiting.count; i++) {
        const Numbers *dependents = &leave_out->dependents[leave_out->waiting.items[i]];
        for (uint32_t k = 0; k < dependents->count; k++) {
            take_out(leave_out, leave_out->drafts.items[dependents->items[k]]);
        }
    }
}

// ---- what remains ------------------------------------------------------------------------------------------------

static bool stands_on_mistake(const Value *value) {
    const Block *block = block_of_value(value);
    bool is_bad = value->kind == VALUE_ERROR || (block != NULL && draft_of(block)->is_left_out);
    const Value *part;
    for (uint32_t i = 0; !is_bad && (part = value_part(value, i)) != NULL; i++) {
        is_bad = stands_on_mistake(part);
    }
    return is_bad;
}

static void keep_outputs(Block *block) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < block->outputs.count; i++) {
        if (!stands_on_mistake(block->outputs.items[i].value)) {
            block->outputs.items[kept++] = block->outputs.items[i];
        }
    }
    block->outputs.count = kept;
}

static void keep_blocks(Blocks *blocks) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < blocks->count; i++) {
        if (!draft_of(blocks->items[i])->is_left_out) {
            blocks->items[kept++] = blocks->items[i];
        }
    }
    blocks->count = kept;
}

static bool can_go_on(const Session *session, const Evaluator *evaluator) {
    bool can = !evaluator->is_exhausted && !session->diags.is_full;
    for (uint32_t i = 0; i < evaluator->modules.count && can; i++) {
        can = evaluator->modules.items[i]->file->is_whole; // else blocks may be lost, and nobody knows which
    }
    return can;
}

static LeaveOut begin(Session *session, const Evaluator *evaluator) {
    LeaveOut leave_out = { .arena = session->arena };
    number_drafts(&leave_out, &evaluator->drafts);
    leave_out.dependents = arena_new_array(session->arena, Numbers, leave_out.drafts.count);
    find_dependents(&leave_out);
    return leave_out;
}

static void lack_part(LeaveOut *leave_out, const Block *block) {
    if (block != NULL) {
        leave_out->drafts.items[draft_of(block)->number]->block.lacks_parts = true;
    }
}

// Takes out what stands on what is out already, and notes whose group or job that is.
static void take_out_all(LeaveOut *leave_out) {
    take_out_dependents(leave_out);
    for (uint32_t i = 0; i < leave_out->drafts.count; i++) {
        const Draft *draft = leave_out->drafts.items[i];
        if (draft->is_left_out) {
            lack_part(leave_out, draft->block.parent);
            lack_part(leave_out, draft->block.on);
        }
    }
}

static void finish(LeaveOut *leave_out, Program *program, const Diags *diags) {
    for (uint32_t i = 0; i < leave_out->drafts.count; i++) {
        Block *block = &leave_out->drafts.items[i]->block;
        keep_outputs(block);
        keep_blocks(&block->children);
    }
    keep_blocks(&program->blocks);
    program->evaluator->diag_count = diags->items.count;
}

bool program_leave_out(Session *session, Program *program) {
    const Evaluator *evaluator = program->evaluator;
    if (!has_errors(session)) {
        return true;
    }
    if (evaluator->modules.count == 0 || !can_go_on(session, evaluator)) {
        return false;
    }
    LeaveOut leave_out = begin(session, evaluator);
    take_out_reported(&leave_out, &session->diags, 0); // a mistake in a `let` shows in the values that it decides
    for (uint32_t i = 0; i < leave_out.drafts.count; i++) {
        Draft *draft = leave_out.drafts.items[i];
        const bool is_bad = draft->has_bad_like || draft->has_bad_on || draft->is_bad;
        if (is_bad || (!draft->block.is_used && (has_bad_slot(draft) || has_bad_part(draft)))) {
            take_out(&leave_out, draft);
        }
    }
    take_out_all(&leave_out);
    finish(&leave_out, program, &session->diags);
    return true;
}

bool program_leave_out_judged(Session *session, Program *program) {
    const Evaluator *evaluator = program->evaluator;
    if (session->diags.is_full) {
        return false;
    }
    LeaveOut leave_out = begin(session, evaluator);
    if (!take_out_reported(&leave_out, &session->diags, evaluator->diag_count)) {
        return false;
    }
    take_out_all(&leave_out);
    for (uint32_t i = 0; i < leave_out.drafts.count; i++) {
        Draft *draft = leave_out.drafts.items[i];
        if (draft->block.lacks_parts) {
            take_out(&leave_out, draft);
        }
    }
    take_out_all(&leave_out);
    finish(&leave_out, program, &session->diags);
    return true;
}
