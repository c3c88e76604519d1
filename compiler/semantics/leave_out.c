// A mistake stops its own block, and what stands on that: a cluster in the network, a job on the cluster. They are left
// out of the program, so that the rules judge all the others in the same run. A group of nodes that has a mistake is
// left out of its cluster alone, and so is an output, a patch or a raw resource of its block.
#include "compiler/semantics/evaluator.h"

#include "compiler/base/span_set.h"

typedef VEC(uint32_t) Numbers;
typedef VEC(Span) Spans;

typedef struct {
    Arena *arena;
    Drafts drafts;       // all of them, nested ones too, by Draft.number
    Numbers *dependents; // of each: those that cannot be planned without it
    Numbers waiting;     // those that are out, and whose dependents are not yet
    Spans extras;        // outputs, patches and resources that have a mistake
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

static bool is_bad_extra(const LeaveOut *leave_out, Span span) {
    bool is_bad = false;
    for (uint32_t i = 0; i < leave_out->extras.count && !is_bad; i++) {
        is_bad = span_holds(leave_out->extras.items[i], span);
    }
    return is_bad;
}

// Notes that an output, a patch or a resource is missing. Where pods may be among what is missing, parts are.
static void take_out_extra(LeaveOut *leave_out, Draft *draft, Span span) {
    if (!is_bad_extra(leave_out, span)) {
        vec_push(leave_out->arena, &leave_out->extras, span);
    }
    draft->block.lacks_extras = true;
    draft->block.lacks_parts = draft->block.lacks_parts || draft->block.target == TARGET_EKS;
}

// The output, assert, patch or resource around a place. NULL where there is none.
static const Item *find_extra(const Draft *draft, Span span) {
    const Item *found = NULL;
    for (uint32_t i = 0; i < draft->placed.count && found == NULL; i++) {
        const Item *item = draft->placed.items[i].item;
        found = item->kind != ITEM_ALLOW && span_holds(item->span, span) ? item : NULL;
    }
    return found;
}

// The innermost blocks around a place, or the items of theirs: copies that `like` made have the text of the block that
// they are of. False where there is none.
static bool take_out_at(LeaveOut *leave_out, Span span) {
    bool is_any = false;
    for (uint32_t i = 0; i < leave_out->drafts.count; i++) {
        Draft *draft = leave_out->drafts.items[i];
        bool is_innermost = span_holds(draft->item->span, span);
        for (uint32_t k = 0; is_innermost && k < draft->children.count; k++) {
            is_innermost = !span_holds(draft->children.items[k]->item->span, span);
        }
        const Item *extra = is_innermost ? find_extra(draft, span) : NULL;
        if (extra == NULL && is_innermost) {
            take_out(leave_out, draft);
        } else if (extra != NULL && extra->kind != ITEM_ASSERT) {
            take_out_extra(leave_out, draft, extra->span);
        }
        is_any = is_any || is_innermost;
    }
    return is_any;
}

// All of the value is asked, so that every mistake in it is met.
static bool comes_from(SpanSet *mistakes, const Value *value) {
    bool is_from = span_set_meets(mistakes, value->span);
    const Param *param = value->kind == VALUE_LATE ? value->late->param : NULL;
    if (param != NULL && param->initial != NULL) {
        is_from = comes_from(mistakes, param->initial) || is_from;
    }
    const Value *part;
    for (uint32_t i = 0; (part = value_part(value, i)) != NULL; i++) {
        is_from = comes_from(mistakes, part) || is_from;
    }
    return is_from;
}

// The blocks with a value that is written at one of the places, such as in a `let`.
static void take_out_from(LeaveOut *leave_out, SpanSet *mistakes) {
    for (uint32_t i = 0; i < leave_out->drafts.count && mistakes->count > 0; i++) {
        Draft *draft = leave_out->drafts.items[i];
        bool is_from = false;
        for (int k = 0; k < draft->block.kind->attribute_count; k++) {
            const Value *value = draft->block.subject.values[k];
            is_from = (value != NULL && comes_from(mistakes, value)) || is_from;
        }
        if (is_from) {
            take_out(leave_out, draft);
        }
    }
}

// What an assertion is about has its type nevertheless.
static bool is_mistake(const Diag *diag) {
    return diag->severity == SEVERITY_ERROR && !diag->is_allowed && diag->id != DIAG_assert_failed;
}

// What rules reported since there were `first` diagnostics. False where an error lies in no block, and in no value of
// one: it may be about any.
static bool take_out_judged(LeaveOut *leave_out, const Diags *diags, uint32_t first) {
    Spans elsewhere = { 0 };
    for (uint32_t i = first; i < diags->items.count; i++) {
        const Diag *diag = diags->items.items[i];
        if (is_mistake(diag) && !take_out_at(leave_out, diag->span)) {
            vec_push(leave_out->arena, &elsewhere, diag->span);
        }
    }
    SpanSet mistakes = span_set(leave_out->arena, elsewhere.items, elsewhere.count);
    take_out_from(leave_out, &mistakes);
    return span_set_is_met(&mistakes);
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

static const Resource *resource_of_value(const Value *value) {
    const bool is_late = value->kind == VALUE_LATE;
    return is_late ? value->late->resource : value->kind == VALUE_RESOURCE ? value->resource : NULL;
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

static bool stands_on_mistake(const LeaveOut *leave_out, const Value *value) {
    const Block *block = block_of_value(value);
    const Resource *resource = resource_of_value(value);
    bool is_bad = value->kind == VALUE_ERROR || (block != NULL && draft_of(block)->is_left_out) ||
                  (resource != NULL && is_bad_extra(leave_out, resource->span));
    const Value *part;
    for (uint32_t i = 0; !is_bad && (part = value_part(value, i)) != NULL; i++) {
        is_bad = stands_on_mistake(leave_out, part);
    }
    return is_bad;
}

static bool are_good(const LeaveOut *leave_out, const Resource *resource) {
    bool are = true;
    for (uint32_t i = 0; i < resource->property_count && are; i++) {
        are = !stands_on_mistake(leave_out, resource->properties[i].value);
    }
    return are;
}

// Notes the outputs, patches and resources of a block that stand on a mistake.
static void find_bad_extras(LeaveOut *leave_out, Draft *draft) {
    const Block *block = &draft->block;
    for (uint32_t i = 0; i < block->resources.count; i++) {
        const Resource *resource = block->resources.items[i];
        if (!is_bad_extra(leave_out, resource->span) && !are_good(leave_out, resource)) {
            take_out_extra(leave_out, draft, resource->item->span);
        }
    }
    for (uint32_t i = 0; i < block->patches.count; i++) {
        const BlockPatch *patch = &block->patches.items[i];
        if (!is_bad_extra(leave_out, patch->path_span) && stands_on_mistake(leave_out, patch->value)) {
            take_out_extra(leave_out, draft, patch->path_span);
        }
    }
    for (uint32_t i = 0; i < block->outputs.count; i++) {
        const BlockOutput *output = &block->outputs.items[i];
        if (!is_bad_extra(leave_out, output->span) && stands_on_mistake(leave_out, output->value)) {
            take_out_extra(leave_out, draft, output->span);
        }
    }
}

static bool has_bad_resource(const LeaveOut *leave_out, const Draft *draft) {
    bool has = false;
    for (int i = 0; i < draft->block.kind->attribute_count && !has; i++) {
        const Value *value = draft->block.subject.values[i];
        has = value != NULL && value->kind != VALUE_ERROR && stands_on_mistake(leave_out, value);
    }
    return has;
}

static void keep_extras(const LeaveOut *leave_out, Block *block) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < block->outputs.count; i++) {
        if (!is_bad_extra(leave_out, block->outputs.items[i].span)) {
            block->outputs.items[kept++] = block->outputs.items[i];
        }
    }
    block->outputs.count = kept;
    kept = 0;
    for (uint32_t i = 0; i < block->resources.count; i++) {
        if (!is_bad_extra(leave_out, block->resources.items[i]->span)) {
            block->resources.items[kept++] = block->resources.items[i];
        }
    }
    block->resources.count = kept;
    kept = 0;
    for (uint32_t i = 0; i < block->patches.count; i++) {
        if (!is_bad_extra(leave_out, block->patches.items[i].path_span)) {
            block->patches.items[kept++] = block->patches.items[i];
        }
    }
    block->patches.count = kept;
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

// Notes for the cluster of a group or of a job what that lacks.
static void lack(LeaveOut *leave_out, const Block *block, const Draft *part) {
    if (block != NULL) {
        Block *whole = &leave_out->drafts.items[draft_of(block)->number]->block;
        whole->lacks_parts = whole->lacks_parts || part->is_left_out;
        whole->lacks_extras = whole->lacks_extras || part->block.lacks_extras;
    }
}

// Takes out what stands on what is out already, and notes whose group or job that is.
static void take_out_all(LeaveOut *leave_out) {
    uint32_t before;
    do { // a block may stand on a resource, and a resource on a block
        before = leave_out->waiting.count + leave_out->extras.count;
        take_out_dependents(leave_out);
        for (uint32_t i = 0; i < leave_out->drafts.count; i++) {
            Draft *draft = leave_out->drafts.items[i];
            if (!draft->is_left_out && !draft->block.is_used) {
                find_bad_extras(leave_out, draft);
            }
            if (leave_out->extras.count > 0 && has_bad_resource(leave_out, draft)) {
                take_out(leave_out, draft);
            }
        }
    } while (leave_out->waiting.count + leave_out->extras.count > before);
    for (uint32_t i = 0; i < leave_out->drafts.count; i++) {
        const Draft *draft = leave_out->drafts.items[i];
        lack(leave_out, draft->block.parent, draft);
        lack(leave_out, draft->block.on, draft);
    }
}

static void finish(LeaveOut *leave_out, Program *program, const Diags *diags) {
    for (uint32_t i = 0; i < leave_out->drafts.count; i++) {
        const Draft *draft = leave_out->drafts.items[i];
        Block *block = &leave_out->drafts.items[i]->block;
        block->lacked_groups = 0;
        program->lacks_clusters = program->lacks_clusters || (draft->kind_id == KIND_CLUSTER && draft->is_left_out);
        for (uint32_t k = 0; k < draft->children.count; k++) {
            const Draft *child = draft->children.items[k];
            block->lacked_groups += is_group(child) && child->is_left_out;
        }
        keep_extras(leave_out, block);
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
    for (uint32_t i = 0; i < session->diags.items.count; i++) {
        const Diag *diag = session->diags.items.items[i];
        if (is_mistake(diag)) {
            take_out_at(&leave_out, diag->span); // one in a `let` shows in the values that it decides
        }
    }
    for (uint32_t i = 0; i < leave_out.drafts.count; i++) {
        Draft *draft = leave_out.drafts.items[i];
        const bool is_bad = draft->has_bad_like || draft->has_bad_on || draft->is_bad;
        if (is_bad || (!draft->block.is_used && has_bad_slot(draft))) {
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
    if (!take_out_judged(&leave_out, &session->diags, evaluator->diag_count)) {
        return false;
    }
    uint32_t before;
    do { // a group may stand on a cluster that lacks one of its own
        before = leave_out.waiting.count;
        take_out_all(&leave_out);
        for (uint32_t i = 0; i < leave_out.drafts.count; i++) {
            Draft *draft = leave_out.drafts.items[i];
            if (draft->block.lacks_parts || draft->block.lacks_extras) {
                take_out(&leave_out, draft);
            }
        }
    } while (leave_out.waiting.count > before);
    finish(&leave_out, program, &session->diags);
    return true;
}
