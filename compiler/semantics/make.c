// Makes values. Where an author could ask for memory without end, make_room() limits it.
#include "compiler/semantics/evaluator.h"

bool make_room(Evaluator *evaluator, Span span, size_t bytes) {
    if (evaluator->is_exhausted) {
        return false;
    }
    evaluator->bytes_made += bytes;
    if (evaluator->bytes_made > EVALUATION_BYTES_MAX) {
        evaluator->is_exhausted = true;
        report(evaluator->session, span, DIAG(evaluation_too_large), EVALUATION_BYTES_MAX / (1024 * 1024));
        return false;
    }
    return true;
}

bool make_steps(Evaluator *evaluator, Span span, uint64_t steps) {
    if (evaluator->is_exhausted) {
        return false;
    }
    evaluator->step_count += steps;
    evaluator->session->step_count += steps;
    if (evaluator->step_count > EVALUATION_STEPS_MAX) {
        evaluator->is_exhausted = true;
        report(evaluator->session, span, DIAG(evaluation_too_long), EVALUATION_STEPS_MAX / (1000 * 1000));
        return false;
    }
    return true;
}

uint64_t make_steps_of(const Value *value) {
    return value->kind == VALUE_STRING ? value->string.len / STEP_BYTES + 1 : (uint64_t)value->weight + 1;
}

Value *make_value(Evaluator *evaluator, ValueKind kind, Span span, const Origin *origin) {
    make_room(evaluator, span, sizeof(Value) + sizeof(Origin));
    return value_new(evaluator->arena, kind, span, origin);
}

const Value *make_error(Evaluator *evaluator, Span span) {
    return make_value(evaluator, VALUE_ERROR, span, NULL);
}

const Value *make_int(Evaluator *evaluator, Span span, const Origin *origin, int64_t integer) {
    Value *value = make_value(evaluator, VALUE_INT, span, origin);
    value->integer = integer;
    return value;
}

const Value *make_bool(Evaluator *evaluator, Span span, const Origin *origin, bool boolean) {
    Value *value = make_value(evaluator, VALUE_BOOL, span, origin);
    value->boolean = boolean;
    return value;
}

const Value *make_string(Evaluator *evaluator, Span span, const Origin *origin, Str string) {
    if (string.len > STRING_BYTES_MAX) {
        report(evaluator->session, span, DIAG(string_too_long), string.len, (size_t)STRING_BYTES_MAX);
        return make_error(evaluator, span);
    }
    if (!make_room(evaluator, span, string.len)) {
        return make_error(evaluator, span);
    }
    Value *value = make_value(evaluator, VALUE_STRING, span, origin);
    value->string = string;
    return value;
}

const Value *make_list(Evaluator *evaluator, Span span, const Origin *origin, const Value **items, uint32_t count) {
    if (count > LIST_ITEMS_MAX) {
        report(evaluator->session, span, DIAG(list_too_long), count, (uint32_t)LIST_ITEMS_MAX);
        return make_error(evaluator, span);
    }
    if (!make_room(evaluator, span, count * sizeof *items)) {
        return make_error(evaluator, span);
    }
    Value *value = make_value(evaluator, VALUE_LIST, span, origin);
    value->list.items = items;
    value->list.count = count;
    value->list.joined = arena_new(evaluator->arena, const Origin *);
    return make_whole(evaluator, value);
}

static void weigh(Value *value) {
    const Value *part;
    for (uint32_t i = 0; value->weight <= VALUE_PARTS_MAX && (part = value_part(value, i)) != NULL; i++) {
        value->weight += part->weight + 1; // parts of a part are at most VALUE_PARTS_MAX
        value->depth = part->depth >= value->depth ? part->depth + 1 : value->depth;
    }
}

const Value *make_whole(Evaluator *evaluator, Value *value) {
    weigh(value);
    if (value->weight > VALUE_PARTS_MAX) {
        report(evaluator->session, value->span, DIAG(value_too_large), VALUE_PARTS_MAX);
        return make_error(evaluator, value->span);
    }
    if (value->depth > VALUE_DEPTH_MAX) {
        report(evaluator->session, value->span, DIAG(evaluation_too_deep), VALUE_DEPTH_MAX);
        return make_error(evaluator, value->span);
    }
    return value;
}

const Value *make_late(Evaluator *evaluator, Span span, const Origin *origin, const Late *late) {
    Late *copy = arena_new(evaluator->arena, Late);
    *copy = *late;
    Value *value = make_value(evaluator, VALUE_LATE, span, origin);
    value->late = copy;
    return make_whole(evaluator, value);
}

static const Value **because_all(Evaluator *evaluator, const Value **items, uint32_t count, const Origin *reason) {
    const Value **copies = arena_new_array(evaluator->arena, const Value *, count);
    for (uint32_t i = 0; i < count; i++) {
        copies[i] = make_because(evaluator, items[i], reason);
    }
    return copies;
}

// A copy whose origin holds the reason too. Items of lists and maps get it as well, since they can be taken out one
// by one.
const Value *make_because(Evaluator *evaluator, const Value *value, const Origin *reason) {
    if (reason == NULL || value->kind == VALUE_ERROR || !make_room(evaluator, value->span, sizeof(Value))) {
        return value;
    }
    Value *copy = arena_new(evaluator->arena, Value);
    *copy = *value;
    copy->origin = origin_join(evaluator->arena, value->origin, reason);
    if (value->kind == VALUE_LIST) {
        if (!make_room(evaluator, value->span, value->list.count * sizeof(Value *))) {
            return value;
        }
        copy->list.items = because_all(evaluator, value->list.items, value->list.count, reason);
        copy->list.joined = arena_new(evaluator->arena, const Origin *);
    } else if (value->kind == VALUE_TAG) {
        copy->tag.arguments = because_all(evaluator, value->tag.arguments, value->tag.count, reason);
    } else if (value->kind == VALUE_RANGE) {
        copy->range.low = make_because(evaluator, value->range.low, reason);
        copy->range.high = make_because(evaluator, value->range.high, reason);
    } else if (value->kind == VALUE_MAP) {
        ValueEntry *entries = arena_new_array(evaluator->arena, ValueEntry, value->map.count);
        for (uint32_t i = 0; i < value->map.count; i++) {
            entries[i] = value->map.entries[i];
            entries[i].value = make_because(evaluator, entries[i].value, reason);
        }
        copy->map.entries = entries;
    }
    return copy;
}
