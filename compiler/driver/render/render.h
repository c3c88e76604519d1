// Renders the diagnostics of a session in the form that the user asked for.
#pragma once

#include "compiler/base/session.h"

typedef enum {
    DIAGNOSTICS_TEXT,
    DIAGNOSTICS_JSON,
    DIAGNOSTICS_SARIF,
    DIAGNOSTICS_GITHUB,
    DIAGNOSTICS_JUNIT
} DiagnosticsFormat;

enum {
    RENDER_COLOR = 1,  // of text
    RENDER_STRICT = 2, // a warning is a failure of JUnit
    RENDER_ERRORS = 4, // errors alone
    RENDER_CODES = 8   // of text: counts by code at the end, where there are more than RENDER_CODES_ABOVE
};

enum { RENDER_CODES_ABOVE = 10 };

// Returns one text in the session's arena. Diagnostics stand in source order: by source number, then by offset. Those
// without a place come first. Those that an `allow` silenced are left out. Without diagnostics, text and
// GitHub's form are empty; the others are a whole document even then.
Str render_diagnostics(Session *session, DiagnosticsFormat format, unsigned flags);

// ---- between render.c and the forms ----------------------------------------------------------------------------

typedef VEC(const Diag *) DiagList; // to be shown, in order

Str render_text(Session *session, const DiagList *list, unsigned flags);
Str render_codes(Session *session, const DiagList *list); // a table: count, code, severity, title
Str render_json(Session *session, const DiagList *list);
Str render_sarif(Session *session, const DiagList *list);
Str render_github(Session *session, const DiagList *list);
Str render_junit(Session *session, const DiagList *list, bool is_strict);

const char *severity_name(Severity severity); // "error"
