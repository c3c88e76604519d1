// Rules about a resource of a CloudFormation template that is made only where a condition is true, and is used where it may
// be false.
#include "compiler/plan/rules/rules.h"
#include "compiler/plan/rules/rule_insert.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/condition_space.h"

// Whether the values of now are given, the use counts, and the resource is not there.
static bool is_missing(const Space *space, const PlanUse *use, const PlanNamed *condition) {
    for (uint32_t i = 0; i < space->variables.count; i++) {
        if (!space_is_taken(&space->variables.items[i])) {
            return false;
        }
    }
    return space_counts(space, use) && !space_truth(space, condition->test);
}

// Whether it is missing with every value of one parameter, while the others stay: then that one does not matter.
static bool is_idle(Space *space, SpaceVariable *variable, const PlanUse *use, const PlanNamed *condition) {
    const uint32_t at = variable->at;
    bool is_same = true;
    for (variable->at = 0; variable->at < variable->values.count && is_same; variable->at++) {
        is_same = space_counts(space, use) && !space_truth(space, condition->test);
    }
    variable->at = at;
    return is_same;
}

// What a parameter is where it is none of the values that the template asks for: "`Mount` is not `""` and not `fs-1`".
static void add_others(StrBuf *out, const SpaceVariable *variable) {
    const Str name = variable->term.parameter->name;
    bool is_first = true;
    strbuf_add_format(out, "`%.*s`", STR_ARG(name));
    for (uint32_t i = 0; i < variable->values.count; i++) {
        const Str value = variable->values.items[i];
        if (i != variable->at && !str_is(value, "\x01") && !str_equal(value, name)) { // both stand for any other
            strbuf_add_format(out, "%s not `%.*s`", is_first ? " is" : " and",
                              STR_ARG(value.len == 0 ? STR("\"\"") : value));
            is_first = false;
        }
    }
    strbuf_add(out, is_first ? STR(" is something else") : STR_NONE);
}

static Str values_of(Space *space, const PlanUse *use, const PlanNamed *condition) {
    StrBuf out = { .arena = space->arena };
    for (uint32_t i = 0; i < space->variables.count; i++) {
        SpaceVariable *variable = &space->variables.items[i];
        const Str value = variable->values.items[variable->at];
        const Str name = variable->term.parameter->name;
        if (is_idle(space, variable, use, condition)) {
            continue;
        }
        strbuf_add(&out, out.len == 0 ? STR_NONE : STR(" and "));
        if (str_is(value, "\x01") || (parameter_values(variable->term.parameter) == NULL && str_equal(value, name))) {
            add_others(&out, variable);
        } else {
            strbuf_add_format(&out, "`%.*s` is `%.*s`", STR_ARG(name), STR_ARG(value.len == 0 ? STR("\"\"") : value));
        }
    }
    return strbuf_str(&out);
}

static bool is_guarded(const PlanUse *use, const PlanNamed *condition) {
    for (const PlanGuard *guard = use->guard; guard != NULL; guard = guard->outer) {
        if (guard->condition == condition && guard->holds) {
            return true;
        }
    }
    return false;
}

// Those that use one resource, and of which nothing says that they are there only where it is: ", and for `B`, which uses
// it". A resource that gets a condition is missing where they want it.
static Str users_of(const Rules *rules, const PlanTemplate *template, const PlanNamed *named,
                    const PlanNamed *condition) {
    StrBuf text = { .arena = rules->session->arena };
    const PlanNamed *last = NULL;
    for (uint32_t i = 0; named->kind == NAMED_RESOURCE && i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        const bool is_value = use->kind == USE_REF || use->kind == USE_ATTRIBUTE;
        if (is_value && use->to == named && use->from != NULL && use->from != named && use->from != last &&
            !is_guarded(use, condition)) {
            strbuf_add_format(&text, ", and for `%.*s`, which uses it", STR_ARG(use->from->name));
            last = use->from;
        }
    }
    return strbuf_str(&text);
}

static void help(const Rules *rules, const PlanTemplate *template, Diag *diag, const PlanUse *use,
                 const PlanNamed *condition) {
    diag_label(rules->session, diag, use->to->span, "made only if `%.*s`", STR_ARG(condition->name));
    if (use->guard == NULL) {
        diag_help(rules->session, diag,
                  "write `Condition: %.*s` for %s`%.*s` as well%.*s, or `!If` with another value here",
                  STR_ARG(condition->name), use->from->kind == NAMED_OUTPUT ? "the output " : "",
                  STR_ARG(use->from->name), STR_ARG(users_of(rules, template, use->from, condition)));
        const DataEntry *value = use->from->kind == NAMED_OUTPUT ? data_entry(use->from->data, "Value") : NULL;
        if (value != NULL) {
            rule_insert_beside(rules, diag, value->key_span, STR("Condition"), condition->name);
        }
    } else {
        diag_help(rules->session, diag, "use it only where `%.*s` is true", STR_ARG(condition->name));
    }
}

// What is never there where its use counts has a finding of rule template_conditions.
static bool may_be_there(Space *space, const PlanUse *use, const PlanNamed *condition) {
    do {
        if (space_counts(space, use) && space_truth(space, condition->test)) {
            return true;
        }
    } while (space_next(space));
    return false;
}

static bool check_use(const Rules *rules, const PlanTemplate *template, const PlanUse *use) {
    Session *session = rules->session;
    const PlanNamed *condition = plan_named(template, NAMED_CONDITION, data_text(use->to->data, "Condition"));
    Space space = { .arena = session->arena };
    if (condition == NULL || is_guarded(use, condition)) {
        return false;
    }
    space_add_guards(&space, use);
    space_add(&space, condition->test, 0);
    if (!space_begin(&space) || !may_be_there(&space, use, condition)) {
        return false;
    }
    if (space_set_defaults(&space) && is_missing(&space, use, condition)) {
        help(rules, template,
             plan_report(session, use->subject, use->span, DIAG(resource_absent_by_default), STR_ARG(use->name)), use,
             condition);
        return true;
    }
    for (uint32_t i = 0; i < space.variables.count; i++) {
        space.variables.items[i].at = 0;
    }
    bool more = !template->has_rules;
    while (more && !is_missing(&space, use, condition)) {
        more = space_next(&space);
    }
    if (more) {
        const Str values = values_of(&space, use, condition);
        help(rules, template,
             plan_report(session, use->subject, use->span, DIAG(resource_may_be_absent), STR_ARG(use->name),
                         STR_ARG(values)),
             use, condition);
    }
    return more;
}

// One finding for each resource and output: who gives it the condition mends all of its uses.
void rule_template_absences(const Rules *rules, const PlanFile *file) {
    const PlanTemplate *template = file->names;
    const PlanNamed *last = NULL;
    for (uint32_t i = 0; template != NULL && !template->is_open && i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        const bool is_value = use->kind == USE_REF || use->kind == USE_ATTRIBUTE;
        if (is_value && use->from != NULL && use->from != last && use->to != NULL && use->to != use->from &&
            use->to->kind == NAMED_RESOURCE && check_use(rules, template, use)) {
            last = use->from;
        }
    }
}
