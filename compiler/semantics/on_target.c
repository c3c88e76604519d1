// What is said of a block that has what its target lacks, or lacks what it needs.
#include "compiler/semantics/on_target.h"

#include "compiler/semantics/evaluator.h"

static void say_instead(Session *session, Diag *diag, const char *instead) {
    if (instead != NULL) {
        diag_help(session, diag, "%s", instead);
    }
}

Diag *report_not_on_target(Session *session, Span span, const char *name, unsigned targets, unsigned later,
                           const char *instead, TargetSet target) {
    if ((later & target) != 0) {
        Diag *diag = report(session, span, DIAG(attribute_later), name, schema_target_name(target));
        say_instead(session, diag, instead);
        return diag;
    }
    Diag *diag = report(session, span, DIAG(attribute_not_on_target), name, schema_target_name(target));
    say_instead(session, diag, later == 0 ? instead : NULL);
    StrBuf others = { .arena = session->arena };
    for (int i = 0; i < TARGET_COUNT; i++) {
        if (((targets | later) & 1U << i) != 0) {
            strbuf_add_format(&others, "%s%s", others.len == 0 ? "" : ", ", schema_target_name((TargetSet)(1U << i)));
        }
    }
    if (others.len > 0) {
        diag_note(session, diag, "it is of %.*s", STR_ARG(strbuf_str(&others)));
    }
    return diag;
}

Diag *report_missing(Session *session, Span span, Str owner, const AttributeRow *row) {
    return report(session, span, DIAG(attribute_missing), STR_ARG(owner), row->name);
}
