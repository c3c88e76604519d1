#include "compiler/semantics/value_cycle.h"

Diag *value_cycle_report(Session *session, Span span, Str name) {
    return report(session, span, DIAG(value_cycle), STR_ARG(name));
}
