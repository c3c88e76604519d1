// Tries all combinations of values. A value that no condition names is as good as any other such, so that one stands for
// all of them.
#include "compiler/plan/rules/condition_space.h"

#include "schema/names.h"

enum {
    CONDITION_DEPTH_MAX = 32,
    STEPS_MAX = 10000, // of all combinations together
    VARIABLES_MAX = 10,
    VALUES_MAX = 40,
    ASKED_MAX = 200, // by one file
};

const Data *parameter_values(const PlanNamed *parameter) {
    const Data *values = data_get(parameter->data, "AllowedValues");
    return values != NULL && values->kind == DATA_LIST && values->count > 0 ? values : NULL;
}

static bool is_looked_up(const PlanNamed *parameter) {
    return str_starts_with(parameter->type, STR("AWS::SSM::Parameter::Value"));
}

const Data *parameter_refs(const PlanNamed *parameter) {
    return is_looked_up(parameter) ? NULL : parameter_values(parameter);
}

bool parameter_is_id(const PlanNamed *parameter) {
    return names_have(NAMES_CLOUDFORMATION_TYPES_LOOKED_UP, parameter->type);
}

static bool is_word_for_bool(Str text) {
    static const char *const words[] = { "true", "false", "yes", "no", "on", "off" };
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        if (str_is_in_any_case(text, words[i])) {
            return true;
        }
    }
    return false;
}

bool parameter_may_be(const Data *values, Str text, bool is_bool) {
    for (uint32_t i = 0; i < values->count; i++) {
        const Data *value = values->items[i];
        if (value->kind == DATA_LIST || value->kind == DATA_MAP || str_equal(value->string, text) ||
            ((is_bool || value->kind == DATA_BOOL) && is_word_for_bool(text) &&
             str_equal_in_any_case(value->string, text))) {
            return true;
        }
    }
    return false;
}

static bool same_term(const PlanTerm *a, const PlanTerm *b) {
    return a->parameter == b->parameter && (a->parameter != NULL || str_equal(a->text, b->text));
}

static const SpaceVariable *variable_of(const Space *space, const PlanTerm *term) {
    for (uint32_t i = 0; i < space->variables.count; i++) {
        if (same_term(&space->variables.items[i].term, term)) {
            return &space->variables.items[i];
        }
    }
    return NULL;
}

static void add_term(Space *space, const PlanTerm *term) {
    if (term->is_text) {
        vec_push(space->arena, &space->texts, term->text);
    } else if (space->variables.count > VARIABLES_MAX) {
        space->is_vague = true;
    } else if (variable_of(space, term) == NULL) {
        vec_push(space->arena, &space->variables, (SpaceVariable){ .term = *term });
    }
}

void space_add_parameter(Space *space, const PlanNamed *parameter) {
    add_term(space, &(PlanTerm){ .parameter = parameter });
}

void space_add(Space *space, const PlanTest *test, int depth) {
    if (test == NULL || test->kind == TEST_UNKNOWN || depth > CONDITION_DEPTH_MAX || space->texts.count > VALUES_MAX ||
        ++space->steps > STEPS_MAX) {
        space->is_vague = true;
        return;
    }
    if (test->kind == TEST_EQUALS) {
        space->is_fixed = space->is_fixed || (test->sides[0].is_text && test->sides[1].is_text);
        add_term(space, &test->sides[0]);
        add_term(space, &test->sides[1]);
    } else if (test->kind == TEST_CONDITION) {
        space_add(space, test->condition->test, depth + 1);
    }
    for (uint32_t i = 0; i < test->part_count && !space->is_vague; i++) {
        space_add(space, test->parts[i], depth + 1);
    }
}

static void add_value(Space *space, SpaceVariable *variable, Str value) {
    for (uint32_t i = 0; i < variable->values.count; i++) {
        if (str_equal(variable->values.items[i], value)) {
            return;
        }
    }
    vec_push(space->arena, &variable->values, value);
}

// Whether the parameter cannot be the empty text.
static bool has_length(const PlanNamed *parameter) {
    const Data *least = parameter == NULL || is_looked_up(parameter) ? NULL : data_get(parameter->data, "MinLength");
    return least != NULL && least->kind == DATA_INT && least->integer > 0;
}

static void fill(Space *space, SpaceVariable *variable) {
    const Data *allowed = variable->term.parameter == NULL ? NULL : parameter_refs(variable->term.parameter);
    if (allowed != NULL) {
        for (uint32_t i = 0; i < allowed->count; i++) {
            add_value(space, variable, allowed->items[i]->string);
        }
        return;
    }
    for (uint32_t i = 0; i < space->texts.count; i++) {
        if (space->texts.items[i].len > 0 || !has_length(variable->term.parameter)) {
            add_value(space, variable, space->texts.items[i]);
        }
    }
    for (uint32_t i = 0; i < space->variables.count; i++) {
        const PlanNamed *other = space->variables.items[i].term.parameter;
        const Data *values = other == NULL ? NULL : parameter_refs(other);
        for (uint32_t k = 0; values != NULL && k < values->count; k++) {
            add_value(space, variable, values->items[k]->string);
        }
    }
    add_value(space, variable, STR("\x01")); // something that all of them may be
    add_value(space, variable,
              variable->term.parameter == NULL ? variable->term.text
                                               : variable->term.parameter->name); // and that none else is
}

bool space_begin(Space *space) {
    size_t steps = space->steps;
    for (uint32_t i = 0; i < space->variables.count && !space->is_vague; i++) {
        fill(space, &space->variables.items[i]);
        steps *= space->variables.items[i].values.count;
        space->is_vague = steps > STEPS_MAX;
    }
    return !space->is_vague && space->variables.count > 0;
}

bool space_next(Space *space) {
    for (uint32_t i = 0; i < space->variables.count; i++) {
        SpaceVariable *variable = &space->variables.items[i];
        if (++variable->at < variable->values.count) {
            return true;
        }
        variable->at = 0;
    }
    return false;
}

static Str value_of(const Space *space, const PlanTerm *term) {
    if (term->is_text) {
        return term->text;
    }
    const SpaceVariable *variable = variable_of(space, term);
    return variable == NULL ? STR_NONE : variable->values.items[variable->at];
}

Str space_value(const Space *space, const PlanNamed *parameter) {
    return value_of(space, &(PlanTerm){ .parameter = parameter });
}

// Whether a word for a bool is written in two ways is for YAML to say: they are taken to be one.
static bool is_equal(Str left, Str right) {
    return str_equal(left, right) || (is_word_for_bool(left) && str_equal_in_any_case(left, right));
}

// Only of what was added, so that it is no deeper than space_add() goes.
bool space_truth(const Space *space, const PlanTest *test) {
    switch (test->kind) {
    case TEST_UNKNOWN:
        return false;
    case TEST_EQUALS:
        return is_equal(value_of(space, &test->sides[0]), value_of(space, &test->sides[1]));
    case TEST_CONDITION:
        return space_truth(space, test->condition->test);
    case TEST_NOT:
        return !space_truth(space, test->parts[0]);
    case TEST_AND:
    case TEST_OR:
        break;
    }
    for (uint32_t i = 0; i < test->part_count; i++) {
        if (space_truth(space, test->parts[i]) != (test->kind == TEST_AND)) {
            return test->kind == TEST_OR;
        }
    }
    return test->kind == TEST_AND;
}

bool space_add_guards(Space *space, const PlanUse *use) {
    for (const PlanGuard *guard = use->guard; guard != NULL; guard = guard->outer) {
        space_add(space, guard->condition == NULL ? NULL : guard->condition->test, 0);
    }
    return use->guard != NULL;
}

bool space_counts(const Space *space, const PlanUse *use) {
    for (const PlanGuard *guard = use->guard; guard != NULL; guard = guard->outer) {
        if (space_truth(space, guard->condition->test) != guard->holds) {
            return false;
        }
    }
    return true;
}

bool space_is_taken(const SpaceVariable *variable) {
    static const char *const LIMITS[] = { "AllowedPattern", "MinLength", "MaxLength", "MinValue", "MaxValue" };
    const PlanNamed *parameter = variable->term.parameter;
    if (parameter == NULL || is_looked_up(parameter)) {
        return false;
    }
    const Str value = variable->values.items[variable->at];
    const Data *usual = data_get(parameter->data, "Default");
    if (parameter_values(parameter) != NULL || (usual != NULL && is_equal(usual->string, value))) {
        return true;
    }
    for (size_t i = 0; i < COUNT_OF(LIMITS); i++) {
        if (data_get(parameter->data, LIMITS[i]) != NULL) {
            return false;
        }
    }
    return value.len > 0 || !parameter_is_id(parameter);
}

// A default that nothing is compared with is as good as the last value, which is unlike all others.
static bool set_value(SpaceVariable *variable, Str value) {
    for (uint32_t i = 0; i < variable->values.count; i++) {
        if (is_equal(variable->values.items[i], value)) {
            variable->at = i;
            return true;
        }
    }
    variable->at = variable->values.count - 1;
    return parameter_refs(variable->term.parameter) == NULL;
}

bool space_set_defaults(Space *space) {
    for (uint32_t i = 0; i < space->variables.count; i++) {
        SpaceVariable *variable = &space->variables.items[i];
        const PlanNamed *parameter = variable->term.parameter;
        const Data *usual = parameter == NULL || is_looked_up(parameter) ? NULL : data_get(parameter->data, "Default");
        if (usual == NULL || usual->kind == DATA_LIST || usual->kind == DATA_MAP ||
            !set_value(variable, usual->string)) {
            return false;
        }
    }
    return true;
}

// Whether the guards of all uses ask the same of one condition, or nothing: a condition may be true, and may be false.
static bool ask_one_thing(const PlanUse *const *uses, uint32_t count) {
    const PlanGuard *first = NULL;
    for (uint32_t i = 0; i < count; i++) {
        for (const PlanGuard *guard = uses[i]->guard; guard != NULL; guard = guard->outer) {
            first = first == NULL ? guard : first;
            if (guard->condition == NULL || guard->condition != first->condition || guard->holds != first->holds) {
                return false;
            }
        }
    }
    return true;
}

static bool are_taken(const Space *space) {
    for (uint32_t i = 0; i < space->variables.count; i++) {
        if (!space_is_taken(&space->variables.items[i])) {
            return false;
        }
    }
    return true;
}

bool uses_meet(Arena *arena, const PlanUse *const *uses, uint32_t count, uint32_t *asked) {
    if (ask_one_thing(uses, count)) {
        return true;
    }
    if (++*asked > ASKED_MAX) {
        return false;
    }
    Space space = { .arena = arena };
    for (uint32_t i = 0; i < count && !space.is_vague; i++) {
        space_add_guards(&space, uses[i]);
    }
    for (bool more = space_begin(&space); more; more = space_next(&space)) {
        bool counts = are_taken(&space);
        for (uint32_t i = 0; counts && i < count; i++) {
            counts = space_counts(&space, uses[i]);
        }
        if (counts) {
            return true;
        }
    }
    return false;
}
