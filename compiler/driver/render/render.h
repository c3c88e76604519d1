// Everything a session has to say, in the form that was asked for.
#pragma once

#include "compiler/base/session.h"

typedef enum { DIAGNOSTICS_TEXT, DIAGNOSTICS_JSON, DIAGNOSTICS_SARIF, DIAGNOSTICS_GITHUB } DiagnosticsFormat;

// As one text in the session's arena: in source order (by source number, then offset; those without a place first),
// without those that an `allow` silenced. `color` only for text. Text and GitHub's form are empty where there is
// nothing to say; JSON and SARIF are always a whole document.
Str render_diagnostics(Session *session, DiagnosticsFormat format, bool color);

// ---- between render.c and the forms ----------------------------------------------------------------------------

typedef VEC(const Diag *) DiagList; // to be shown, in order

Str render_text(Session *session, const DiagList *list, bool color);
Str render_json(Session *session, const DiagList *list);
Str render_sarif(Session *session, const DiagList *list);
Str render_github(Session *session, const DiagList *list);

const char *severity_name(Severity severity); // "error"
