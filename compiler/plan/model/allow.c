// Looks for an `allow` on the way out from a subject.
#include "compiler/plan/model/allow.h"

#include <stdarg.h>

static const SubjectAllow *find_allow(const Subject *subject, const char *code) {
    for (; subject != NULL; subject = subject->outer) {
        for (uint32_t i = 0; i < subject->allows.count; i++) {
            if (str_is(subject->allows.items[i].code, code)) {
                return &subject->allows.items[i];
            }
        }
    }
    return NULL;
}

bool plan_allows(const Subject *subject, DiagId id) {
    const SubjectAllow *allow = find_allow(subject, diag_row(id)->code);
    if (allow != NULL) {
        *allow->was_used = true;
    }
    return allow != NULL;
}

const Subject *plan_either(const Subject *first, const Subject *second, DiagId id) {
    return !plan_allows(first, id) && plan_allows(second, id) ? second : first;
}

const Subject *plan_subject_at(const PlanGroup *group, Span place, DiagId id) {
    const Subject *at = plan_either(group_subject_at(group, place), group->subject, id);
    return group->job == NULL ? at : plan_either(at, group->job, id);
}

// ---- what several groups share -----------------------------------------------------------------------------------

enum { SHARERS_MAX = 10 }; // that are labelled

static void label_sharer(Session *session, Diag *diag, Span name, const char *text) {
    bool is_there = span_is_none(name) || diag->labels.count >= SHARERS_MAX;
    for (uint32_t i = 0; i < diag->labels.count; i++) {
        is_there = is_there || span_equal(diag->labels.items[i].span, name);
    }
    if (!is_there) {
        diag_label(session, diag, name, "%s", text);
    }
}

void plan_tell_sharers(Session *session, const PlanGroup *group, Diag *diag, Span place, DiagId id) {
    const Span name = group->subject->name_span;
    if (group_owns(group, place) || span_is_none(place) || plan_allows(plan_subject_at(group, place, id), id)) {
        return;
    }
    Diag *first = diag->is_dropped ? diag_at(session, id, place) : diag;
    if (first == diag) {
        diag->sharer = name;
    } else if (first != NULL && !span_is_none(first->sharer) && !span_equal(first->sharer, name)) {
        label_sharer(session, first, first->sharer, "wrong for this group");
        label_sharer(session, first, name, "and for this group");
    }
}

// ---- reports -------------------------------------------------------------------------------------------------------

Diag *plan_report_list(Session *session, const Subject *subject, Span span, DiagId id, const char *format,
                       va_list arguments) {
    Diag *diag = report_list(session, span, id, format, arguments);
    diag->can_be_allowed = true;
    if (plan_allows(subject, id)) {
        diag_allow(session, diag);
    }
    return diag;
}

Diag *plan_report(Session *session, const Subject *subject, Span span, DiagId id, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    Diag *diag = plan_report_list(session, subject, span, id, format, arguments);
    va_end(arguments);
    return diag;
}

// Whether an earlier one that is shown says the same of another place.
static bool is_said_elsewhere(const Session *session, const Diag *diag) {
    for (uint32_t i = 0; i < session->diags.items.count; i++) {
        const Diag *other = session->diags.items.items[i];
        if (other != diag && other->id == diag->id && !other->is_allowed && str_equal(other->message, diag->message)) {
            return true;
        }
    }
    return false;
}

// Whether both carets stand below the same word, which is long enough for an id and no flow or block.
static bool is_same_word(Session *session, const Diag *a, const Diag *b) {
    enum { ID_MIN = 8 };
    const Str word = source_text(session, a->span);
    return word.len >= ID_MIN && word.data[0] != '{' && word.data[0] != '[' &&
           str_equal(word, source_text(session, b->span));
}

void plan_say_once(Session *session, Diag *diag) {
    for (uint32_t i = 0; i < session->diags.items.count && !diag->is_allowed && !diag->is_dropped; i++) {
        const Diag *other = session->diags.items.items[i];
        if (other != diag && other->id == diag->id && !other->is_allowed && other->span.source == diag->span.source &&
            (str_equal(other->message, diag->message) || is_same_word(session, other, diag))) {
            diag_hide(session, diag);
        }
    }
}

Diag *plan_report_once(Session *session, const Subject *subject, Span span, DiagId id, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    Diag *diag = plan_report_list(session, subject, span, id, format, arguments);
    va_end(arguments);
    if (!diag->is_allowed && !diag->is_dropped && is_said_elsewhere(session, diag)) {
        diag_hide(session, diag);
    }
    return diag;
}

void plan_check_allows(Session *session, const Plan *plan) {
    for (uint32_t i = 0; i < plan->parts.count; i++) {
        const PlanPart *part = plan->parts.items[i];
        for (uint32_t k = 0; k < part->subject->allows.count && !part->is_used; k++) {
            const SubjectAllow *allow = &part->subject->allows.items[k];
            if (!*allow->was_used) {
                report(session, allow->span, DIAG(allow_unused), STR_ARG(allow->code));
            }
        }
    }
}
