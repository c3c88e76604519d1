// What there is to read about a message beside its own words. It is compiled once, so that a corrected word compiles one
// file.
#pragma once

#include "compiler/base/diag/diag.h"

// What it means, why it is so, what to do; paragraphs split by a blank line.
const char *diag_explanation(DiagId id);

// The format of a message, with `…` where something is put in.
void diag_add_format(StrBuf *out, const char *format);

// The title of a code for people: its format, or words in its place where the format holds nothing else.
void diag_add_title(StrBuf *out, DiagId id);

// Gives a diagnostic that names no way out the one of help.def, where that has one. For when all is reported.
void diag_complete(Session *session, Diag *diag);
void diags_complete(Session *session);

// A code that a message of an earlier release had.
typedef struct {
    const char *code;
    const char *format;
    const char *month; // in which it went: "2026-11"
} RetiredDiag;

const RetiredDiag *diag_find_retired(Str code); // NULL where it is none
