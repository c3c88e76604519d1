// Finds the words of a form.
#include "compiler/plan/rules/group/spelling.h"

#include <stdarg.h>

#include "compiler/plan/model/allow.h"

typedef struct {
    Spelling what;
    PlanGroupForm form;
    const char *way;
    const char *value;
} SpellingRow;

static const SpellingRow ROWS[] = {
#define SPELLING(what, form, way, value) { SPELL_##what, GROUP_##form, way, value },
#include "compiler/plan/rules/group/spelling.def"
};

static const SpellingRow *find_row(const PlanGroup *group, Spelling what) {
    const SpellingRow *usual = NULL;
    for (size_t i = 0; i < COUNT_OF(ROWS); i++) {
        if (ROWS[i].what == what && ROWS[i].form == group->form) {
            return &ROWS[i];
        }
        usual = ROWS[i].what == what && ROWS[i].form == GROUP_TEMPLATE ? &ROWS[i] : usual;
    }
    assert(usual != NULL && "each has a row of GROUP_TEMPLATE");
    return usual;
}

const char *spelling(const PlanGroup *group, Spelling what) {
    return find_row(group, what)->way;
}

void rule_write(const Rules *rules, Diag *diag, const PlanGroup *group, Spelling what, const PlanField *place,
                const char *rest) {
    const SpellingRow *row = find_row(group, what);
    const Str way = str_of(row->way);
    const size_t at = str_find(way, STR("{}"), 0);
    if (at < way.len) {
        diag_help(rules->session, diag, "%.*s%s%.*s%s", STR_ARG(str_slice(way, 0, at)), place->name,
                  STR_ARG(str_slice(way, at + 2, way.len)), rest);
    } else {
        diag_help(rules->session, diag, "%s%s", row->way, rest);
    }
    if (row->value != NULL && place != NULL && place->state == FIELD_KNOWN && group_owns(group, place->span)) {
        rule_fix(rules, diag, place, str_of(row->value));
    }
}

Diag *group_report(const Rules *rules, const PlanGroup *group, Span place, DiagId id, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    Diag *diag = plan_report_list(rules->session, plan_subject_at(group, place, id), place, id, format, arguments);
    va_end(arguments);
    plan_tell_sharers(rules->session, group, diag, place, id);
    return diag;
}

Diag *group_refuse(const Rules *rules, const PlanGroup *group, Span place, DiagId id, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const bool is_made = group->launch->maker == NULL;
    const Subject *subject = is_made ? NULL : plan_subject_at(group, place, id);
    Diag *diag = plan_report_list(rules->session, subject, place, id, format, arguments);
    diag->can_be_allowed = !is_made;
    va_end(arguments);
    plan_tell_sharers(rules->session, group, diag, place, id);
    return diag;
}

const char *rule_or_allow(const Rules *rules, const Diag *diag, const PlanGroup *group, Span span) {
    const Subject *subject = group_subject_at(group, span);
    const Str way = rule_way_to_allow(rules, subject, diag_row(diag->id)->code);
    const char *why = subject->is_foreign ? "why not" : "why";
    return str_c(rules->session->arena, str_format(rules->session->arena, ", or say %s: %.*s", why, STR_ARG(way)));
}
