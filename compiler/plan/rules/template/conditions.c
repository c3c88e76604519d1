// Rules about the conditions of a CloudFormation template: of one that is always the same, and of arms that are the wrong
// way round.
#include "compiler/plan/rules/rules.h"

#include "compiler/base/suggest.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/condition_space.h"

enum { USES_MAX = 2000 }; // that are tried in one file

// ---- what a parameter cannot be ----------------------------------------------------------------------------------

// `Equals [!Ref KeyPair, ""]`, where CloudFormation asks for the name of a key pair. An empty default is at fault itself.
static bool check_id(const Rules *rules, const PlanNamed *named, const PlanNamed *parameter, const PlanTerm *text) {
    if (parameter == NULL || !text->is_text || text->text.len > 0 || !parameter_is_id(parameter) ||
        data_get(parameter->data, "Default") != NULL) {
        return false;
    }
    Diag *diag = plan_report(rules->session, named->subject, text->span, DIAG(condition_value),
                             STR_ARG(parameter->name), STR_ARG(STR("\"\"")));
    diag_label(rules->session, diag, parameter->span, "an `%.*s` that is there", STR_ARG(parameter->type));
    diag_help(rules->session, diag, "write `Type: String` and `Default: \"\"`, if it may be left out");
    return true;
}

static bool check_pair(const Rules *rules, const PlanNamed *named, const PlanTest *test) {
    bool is_faulty = false;
    for (uint32_t i = 0; i < COUNT_OF(test->sides); i++) {
        const PlanTerm *side = &test->sides[i];
        const PlanTerm *text = &test->sides[1 - i];
        const Data *values = side->parameter == NULL ? NULL : parameter_refs(side->parameter);
        is_faulty = check_id(rules, named, side->parameter, text) || is_faulty;
        if (values == NULL || !text->is_text || parameter_may_be(values, text->text, text->is_bool)) {
            continue;
        }
        Diag *diag = plan_report(rules->session, named->subject, text->span, DIAG(condition_value),
                                 STR_ARG(side->parameter->name), STR_ARG(text->text));
        diag_label(rules->session, diag, values->span, "all that it may be");
        Suggestion suggestion = suggest_for(rules->session, text->text);
        for (uint32_t k = 0; k < values->count; k++) {
            suggest_offer(&suggestion, values->items[k]->string);
        }
        if (suggest_is_sure(&suggestion)) {
            suggest_say(rules->session, diag, &suggestion, text->span);
        }
        is_faulty = true;
    }
    return is_faulty;
}

// Only what stands in the condition itself.
static bool check_pairs(const Rules *rules, const PlanNamed *named, const PlanTest *test) {
    bool is_faulty = test->kind == TEST_EQUALS && check_pair(rules, named, test);
    for (uint32_t i = 0; i < test->part_count; i++) {
        is_faulty = check_pairs(rules, named, test->parts[i]) || is_faulty;
    }
    return is_faulty;
}

// ---- always the same ---------------------------------------------------------------------------------------------

typedef enum { OUTCOME_OPEN, OUTCOME_ALWAYS, OUTCOME_NEVER } Outcome;

static Outcome outcome_of(const Rules *rules, const PlanNamed *named) {
    Space space = { .arena = rules->session->arena };
    space_add(&space, named->test, 0);
    if (space.is_fixed || !space_begin(&space)) {
        return OUTCOME_OPEN;
    }
    const bool truth = space_truth(&space, named->test);
    if (truth && named->test->kind == TEST_OR) {
        return OUTCOME_OPEN; // the lowest step of a ladder: one zone or more, two or more, three
    }
    while (space_next(&space)) {
        if (space_truth(&space, named->test) != truth) {
            return OUTCOME_OPEN;
        }
    }
    return truth ? OUTCOME_ALWAYS : OUTCOME_NEVER;
}

// Whether a test asks for a condition that is always the same: then the fault is there.
static bool names_constant(const PlanTest *test, const Outcome *outcomes) {
    if (test->kind == TEST_CONDITION) {
        return outcomes[test->condition->index] != OUTCOME_OPEN;
    }
    for (uint32_t i = 0; i < test->part_count; i++) {
        if (names_constant(test->parts[i], outcomes)) {
            return true;
        }
    }
    return false;
}

static bool is_used(const PlanTemplate *template, const PlanNamed *named) {
    for (uint32_t i = 0; i < template->uses.count; i++) {
        if (template->uses.items[i]->to == named) {
            return true;
        }
    }
    return template->is_open;
}

// Of a condition that nothing uses rule template_names speaks.
static void check_constant(const Rules *rules, const PlanTemplate *template, const PlanNamed *named,
                           const Outcome *outcomes) {
    const Outcome outcome = outcomes[named->index];
    if (outcome == OUTCOME_OPEN) {
        return;
    }
    const bool is_elsewhere = names_constant(named->test, outcomes) || !is_used(template, named);
    if (!is_elsewhere || plan_allows(named->subject, DIAG_condition_constant)) {
        plan_report(rules->session, named->subject, named->span, DIAG(condition_constant), STR_ARG(named->name),
                    outcome == OUTCOME_ALWAYS ? "always" : "never");
    }
}

static void check_conditions(const Rules *rules, const PlanTemplate *template) {
    Outcome *outcomes = arena_new_array(rules->session->arena, Outcome, template->named.count);
    for (uint32_t i = 0; i < template->named.count; i++) {
        const PlanNamed *named = template->named.items[i];
        outcomes[named->index] = named->kind == NAMED_CONDITION ? outcome_of(rules, named) : OUTCOME_OPEN;
    }
    for (uint32_t i = 0; i < template->named.count; i++) {
        const PlanNamed *named = template->named.items[i];
        if (named->kind == NAMED_CONDITION && !check_pairs(rules, named, named->test)) {
            check_constant(rules, template, named, outcomes);
        }
    }
}

// ---- the wrong way round -----------------------------------------------------------------------------------------

// Whether the other arm of the innermost choice uses the parameter as well: then nothing is the wrong way round.
static bool is_in_both_arms(const PlanTemplate *template, const PlanUse *use) {
    for (uint32_t i = 0; i < template->uses.count; i++) {
        const PlanUse *other = template->uses.items[i];
        if (other->to == use->to && other->guard != NULL && other->guard->choice == use->guard->choice &&
            other->guard->holds != use->guard->holds) {
            return true;
        }
    }
    return false;
}

// A parameter that is the empty text wherever its use counts.
static bool check_empty(const Rules *rules, const PlanTemplate *template, const PlanUse *use) {
    Space space = { .arena = rules->session->arena };
    const PlanGuard *guard = use->guard;
    if (guard->choice == NULL || is_in_both_arms(template, use) || !space_add_guards(&space, use)) {
        return false;
    }
    space_add_parameter(&space, use->to);
    bool is_empty = false;
    for (bool more = space_begin(&space); more; more = space_next(&space)) {
        if (space_counts(&space, use)) {
            if (space_value(&space, use->to).len > 0) {
                return false;
            }
            is_empty = true;
        }
    }
    if (is_empty) {
        Diag *diag = plan_report(rules->session, use->subject, use->span, DIAG(condition_inverted), STR_ARG(use->name));
        diag_label(rules->session, diag, guard->condition->span, "`%.*s` is %s where it is empty",
                   STR_ARG(guard->condition->name), guard->holds ? "true" : "false");
    }
    return is_empty;
}

// A resource that is not made in any deployment in which its use counts.
static bool check_absent(const Rules *rules, const PlanTemplate *template, const PlanUse *use) {
    const PlanNamed *condition = plan_named(template, NAMED_CONDITION, data_text(use->to->data, "Condition"));
    Space space = { .arena = rules->session->arena };
    if (condition == NULL || !space_add_guards(&space, use)) {
        return false;
    }
    space_add(&space, condition->test, 0);
    bool may_count = false;
    for (bool more = space_begin(&space); more; more = space_next(&space)) {
        if (space_counts(&space, use)) {
            if (space_truth(&space, condition->test)) {
                return false;
            }
            may_count = true;
        }
    }
    if (may_count) {
        Diag *diag = plan_report(rules->session, use->subject, use->span, DIAG(resource_absent), STR_ARG(use->name));
        diag_label(rules->session, diag, use->to->span, "made only if `%.*s`", STR_ARG(condition->name));
        diag_label(rules->session, diag, use->guard->condition->span, "`%.*s` is %s here",
                   STR_ARG(use->guard->condition->name), use->guard->holds ? "true" : "false");
        diag_help(rules->session, diag, "%s",
                  use->guard->choice == NULL ? "give both resources the same condition"
                                             : "swap the two arms, or turn the condition around with `!Not`");
    }
    return may_count;
}

// The parameter of a test `Equals [!Ref Parameter, "true"]`; NULL: it is another test.
static const PlanNamed *switch_of(const PlanTest *test) {
    for (int i = 0; test != NULL && test->kind == TEST_EQUALS && i < 2; i++) {
        const PlanTerm *text = &test->sides[1 - i];
        if (text->is_text && (str_is_in_any_case(text->text, "true") || str_is_in_any_case(text->text, "yes"))) {
            return test->sides[i].parameter;
        }
    }
    return NULL;
}

// Whether the parameter says by its name that it switches the resource on: `CreatePlacementGroup`, `EnableKey` and a `Key`.
static bool switches(const PlanNamed *parameter, const PlanNamed *resource) {
    static const char *const VERBS[] = { "Create", "Deploy", "Enable" };
    for (size_t i = 0; parameter != NULL && i < COUNT_OF(VERBS); i++) {
        const Str rest = str_slice(parameter->name, strlen(VERBS[i]), parameter->name.len);
        if (str_starts_with(parameter->name, str_of(VERBS[i])) && rest.len > 0 &&
            (str_ends_with(resource->name, rest) || str_equal(str_after_last(resource->type, ':'), rest))) {
            return true;
        }
    }
    return false;
}

// A resource that is used where a switch is off, and nothing where it is on.
static bool check_switch(const Rules *rules, const PlanUse *use) {
    const PlanGuard *guard = use->guard;
    const bool is_else = guard->choice != NULL && !guard->holds && guard->condition != NULL && use->is_whole;
    const PlanNamed *asked = is_else ? switch_of(guard->condition->test) : NULL;
    if (!switches(asked, use->to) || !str_is(data_text(guard->choice->items[1], "Ref"), "AWS::NoValue") ||
        data_get(use->to->data, "Condition") != NULL) {
        return false;
    }
    Diag *diag = plan_report(rules->session, use->subject, use->span, DIAG(switch_inverted), STR_ARG(use->name),
                             STR_ARG(asked->name));
    diag_label(rules->session, diag, guard->condition->span, "true where it is on");
    diag_help(rules->session, diag, "swap the two arms, or turn the condition around with `!Not`");
    return true;
}

void rule_template_conditions(const Rules *rules, const PlanFile *file) {
    const PlanTemplate *template = file->names;
    if (template != NULL) {
        check_conditions(rules, template);
    }
    const Data *choice = NULL; // the last one with a finding: one for both arms is enough
    uint32_t tried = 0;
    for (uint32_t i = 0; template != NULL && !template->is_open && i < template->uses.count && tried < USES_MAX; i++) {
        const PlanUse *use = template->uses.items[i];
        const bool is_value = use->kind == USE_REF || use->kind == USE_ATTRIBUTE;
        if (!is_value || use->to == NULL || use->guard == NULL || (choice != NULL && use->guard->choice == choice)) {
            continue;
        }
        tried++;
        const bool is_faulty = use->to->kind == NAMED_PARAMETER
                                   ? check_empty(rules, template, use)
                                   : check_absent(rules, template, use) || check_switch(rules, use);
        choice = is_faulty ? use->guard->choice : choice;
    }
}
