// Conditions: what only the deployment decides. A condition asks whether a late optional value was given, or whether a
// late bool is true. Conditions are small formulas, and constant parts are folded. A condition that is used gets a name
// and an entry under `Conditions`.
#pragma once

#include "emitters/cloudformation/template/stack.h"

typedef enum {
    CONDITION_TRUE,
    CONDITION_FALSE,
    CONDITION_GIVEN,   // `param` has a value
    CONDITION_IS_TRUE, // `param` is "true"
    CONDITION_NOT,
    CONDITION_AND,
    CONDITION_OR,
} ConditionKind;

typedef struct Condition {
    ConditionKind kind;
    const Param *param;
    const struct Condition *left; // of NOT too
    const struct Condition *right;
} Condition;

// The condition of a bool, known or late.
const Condition *condition_of(Stack *stack, const Value *value);

// Whether a value is not null. CONDITION_TRUE for a value that is always there.
const Condition *condition_given(Stack *stack, const Value *value);

const Condition *condition_bool(bool is_true);
const Condition *condition_not(Stack *stack, const Condition *condition);
const Condition *condition_and(Stack *stack, const Condition *left, const Condition *right);
const Condition *condition_or(Stack *stack, const Condition *left, const Condition *right);

// Writes it under `Conditions` where it is not there yet. Not for constant ones. The name is made from the formula
// alone, so that equal ones are written once: "HasOdcr", "UseEfaIsTrue", "HasOdcrOrHasGroup".
Str condition_name(Stack *stack, const Condition *condition);

// !If [condition, then, otherwise]. Not for constant conditions: both nodes would be made for nothing.
DocNode *condition_if(Stack *stack, const Condition *condition, DocNode *then, DocNode *otherwise);
