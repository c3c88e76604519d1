// Small plans made by hand, for the tests of the CloudFormation emitter: values, params, blocks, and a session around
// them. Everything is made in the session's arena.
#pragma once

#include "compiler/semantics/program.h"
#include "emitters/cloudformation/template/stack.h"
#include "tests/support/check.h"

static const Origin TEST_ORIGIN = { .kind = ORIGIN_CONSTANT, .name = "test", .text = "made by a test" };

static inline const Value *a_value(Session *session, Value value) {
    Value *made = arena_new(session->arena, Value);
    *made = value;
    made->origin = &TEST_ORIGIN;
    return made;
}

static inline const Value *a_string(Session *session, const char *text) {
    return a_value(session, (Value){ .kind = VALUE_STRING, .string = str_of(text) });
}

static inline const Value *a_word(Session *session, const char *text) {
    return a_value(session, (Value){ .kind = VALUE_WORD, .string = str_of(text) });
}

static inline const Value *an_int(Session *session, int64_t integer) {
    return a_value(session, (Value){ .kind = VALUE_INT, .integer = integer });
}

static inline const Value *a_bool(Session *session, bool boolean) {
    return a_value(session, (Value){ .kind = VALUE_BOOL, .boolean = boolean });
}

static inline const Value *a_quantity(Session *session, ValueKind kind, int64_t integer) {
    return a_value(session, (Value){ .kind = kind, .integer = integer });
}

static inline const Value *a_null(Session *session) {
    return a_value(session, (Value){ .kind = VALUE_NULL });
}

static inline const Value *a_list(Session *session, uint32_t count, const Value *const *items) {
    const Value **copy = arena_new_array(session->arena, const Value *, count);
    for (uint32_t i = 0; i < count; i++) {
        copy[i] = items[i];
    }
    Value value = { .kind = VALUE_LIST };
    value.list.items = copy;
    value.list.count = count;
    return a_value(session, value);
}

// A map of one entry; an empty one with a key of NULL.
static inline const Value *a_map(Session *session, const char *key, const Value *entry) {
    Value value = { .kind = VALUE_MAP };
    if (key != NULL) {
        ValueEntry *entries = arena_new_array(session->arena, ValueEntry, 1);
        entries[0] = (ValueEntry){ .key = str_of(key), .value = entry };
        value.map.entries = entries;
        value.map.count = 1;
    }
    return a_value(session, value);
}

static inline const Value *a_late(Session *session, Late late) {
    Late *made = arena_new(session->arena, Late);
    *made = late;
    Value value = { .kind = VALUE_LATE };
    value.late = made;
    return a_value(session, value);
}

static inline const Value *a_late_of(Session *session, LateKind kind, uint32_t count, const Value *const *parts) {
    const Value *list = a_list(session, count, parts);
    return a_late(session, (Late){ .kind = kind, .parts = list->list.items, .part_count = count });
}

static const Type TEST_STRING_TYPE = { .kind = TYPE_STRING, .name = "string" };
static const Type TEST_BOOL_TYPE = { .kind = TYPE_BOOL, .name = "bool" };
static const Type TEST_LIST_TYPE = { .kind = TYPE_LIST, .name = "list(string)", .element = &TEST_STRING_TYPE };

static inline Param *a_param(Session *session, const char *name, const Type *type, bool is_optional) {
    Param *param = arena_new(session->arena, Param);
    *param = (Param){ .name = str_of(name), .type = type, .is_late = true, .is_optional = is_optional };
    return param;
}

static inline const Value *a_late_param(Session *session, const Param *param) {
    return a_late(session, (Late){
                               .kind = LATE_PARAM,
                               .type = param->type,
                               .is_optional = param->is_optional,
                               .param = param,
                           });
}

static inline PlanHead a_head(Session *session, const char *name, const KindRow *kind) {
    Block *block = arena_new(session->arena, Block);
    *block = (Block){ .kind = kind, .name = str_of(name), .origin = &TEST_ORIGIN };
    PlanPart *part = arena_new(session->arena, PlanPart);
    *part = (PlanPart){ .subject = &block->subject, .kind = kind, .name = block->name, .stack = part };
    return (PlanHead){ .subject = &block->subject,
                       .part = part,
                       .block = block,
                       .id = str_of(name),
                       .name = a_string(session, name),
                       .origin = &TEST_ORIGIN };
}

// A plan of nothing.
static inline Plan *a_plan(Session *session) {
    return arena_new(session->arena, Plan);
}

static inline void declare(Session *session, Plan *plan, const Param *param) {
    vec_push(session->arena, &plan->params, param);
}

// Late values can name what is declared.
static inline void declare_part(Session *session, Plan *plan, const PlanHead *head) {
    plan_add_part(session->arena, plan, head->block, (PlanPart *)head->part);
}

// An empty stack of a block `lab`.
static inline Stack *a_stack(Session *session, Plan *plan) {
    PlanHead *head = arena_new(session->arena, PlanHead);
    *head = a_head(session, "lab", &KIND_ROWS[KIND_NETWORK]);
    return stack_open(session, plan, head, STR_NONE);
}

// The template as it is so far. Nothing can be added to it afterwards.
static inline Str stack_text(Stack *stack) {
    doc_unbecause(stack->doc); // the block's, from stack_open()
    return yaml_write(stack->session->arena, stack->doc, STR_NONE, NULL);
}

static inline int session_setup(void **state) {
    *state = session_create();
    return 0;
}

static inline int session_teardown(void **state) {
    session_destroy(*state);
    return 0;
}

#define session_test(function) cmocka_unit_test_setup_teardown(function, session_setup, session_teardown)
