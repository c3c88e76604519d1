// Diagnostics: all that dtc says about an author's text. They are collected here, and the driver renders them.
#pragma once

#include <stdarg.h>

#include "compiler/base/source.h"
#include "compiler/base/vec.h"

typedef enum { SEVERITY_NOTE, SEVERITY_WARNING, SEVERITY_ERROR } Severity;

// Whether an `allow` of the author may silence it: a judgement is about what is to be built.
typedef enum { FAULT, JUDGEMENT } DiagNature;

// What a finding counts as in a run, whatever its row says: for a person, by code and by file. One that is skipped is off
// as well, by the command line: whoever runs dtc knows of it, and it is not counted as silenced.
typedef enum { LEVEL_AS_IT_IS, LEVEL_OFF, LEVEL_SKIPPED, LEVEL_NOTE, LEVEL_WARNING, LEVEL_ERROR } DiagLevel;

// What makes less of a finding.
typedef enum { SILENCED_BY_PROJECT, SILENCED_BY_ALLOW, LOWERED_BY_PROJECT, SILENCE_COUNT } Silence;

typedef enum {
#define DIAG(code, severity, nature, name, format) DIAG_##name,
#include "compiler/base/diag/codes.def"
#undef DIAG
    DIAG_COUNT
} DiagId;

#define DIAG(code, severity, nature, name, format) \
    __attribute__((unused)) static const char DIAG_FORMAT_##name[] = format;
#include "compiler/base/diag/codes.def"
#undef DIAG

// Id and format: two arguments at the call, so that -Wformat checks each.
#define DIAG(name) DIAG_##name, DIAG_FORMAT_##name

typedef struct {
    char code[sizeof("DT0000")]; // "DT0304", in the row: a pointer would be moved whenever dtc starts
    Severity severity;
    DiagNature nature;
    const char *name;
    const char *format;
} DiagRow;

// A secondary place: the reason. Shown in the source where `text` may be empty.
typedef struct {
    Span span;
    Str text;
} DiagLabel;

// What a fix takes out or puts in that knows a place in it or beside it alone, until its ends are found.
typedef enum { PART_NONE, CUT_ENTRY, CUT_ENTRY_OR_MAP, CUT_ITEM, ADD_BESIDE, ADD_INTO } DiagPart;

// A replacement that is safe to apply by machine. An empty span inserts.
typedef struct DiagFix {
    Span span;
    Str replacement;
    DiagPart part;
    Str key;                    // of an entry that is put in; empty: it puts in none
    Span beside;                // the key that it stands beside, or the map that had none
    const struct DiagFix *also; // of a guess: another one that belongs to it; NULL: none
} DiagFix;

typedef struct Diag {
    DiagId id;
    Severity severity;
    Span span;   // the least text that must change; SPAN_NONE where the fault stands in no file
    Str message; // lower case, no full stop
    Str label;   // what stands beside the carets; may be empty
    VEC(DiagLabel) labels;
    VEC(Str) helps; // what to do
    VEC(Str) notes; // what to know
    VEC(DiagFix) fixes;
    VEC(DiagFix) guesses;   // each may be what was meant: never shown, see driver/mended.h
    Span doubt;             // what is not known while nobody knows which guess is right
    bool can_be_allowed;    // by an `allow` where it belongs
    bool is_explained;      // it says why an `allow` of its code does not help
    bool is_allowed;        // silenced by an `allow`: not shown, not counted
    bool is_dropped;        // never shown: what is added to it is not kept
    Span sharer;            // the name of what it was said of, where others share the place; else SPAN_NONE
    uint32_t number;        // how many were kept before it
    struct Diag *next_here; // an older one of the same code, perhaps of the same place
} Diag;

enum {
    DIAGS_MAX = 1000,           // kept for printing; nobody reads more
    DIAGS_MAX_OF_FIXES = 10000, // to compare before and after: one that was left out would look new
    DIAGS_MAX_OF_RUN = 100000,  // of many files, for programs, which do
    DIAG_PLACES = 1024,         // lists to find those of one place in
};

// A place at which a code was silenced.
typedef struct SilencedPlace {
    DiagId id;
    Span span;
    struct SilencedPlace *next;
} SilencedPlace;

typedef struct {
    VEC(Diag *) items;
    uint32_t error_count;
    uint32_t warning_count;
    uint32_t max;                     // how many are kept; 0: DIAGS_MAX
    bool is_full;                     // so many are kept: later ones are counted, and by the source that they are in
    uint32_t dropped_count;           // how many were not kept
    uint32_t kept_error_count;        // how many of `items` are errors
    uint32_t kept_count;              // over the whole run
    uint32_t report_count;            // likewise: of reports, kept or not
    uint32_t allowed_count;           // how many of them an `allow` silenced
    uint32_t turn;                    // `kept_count` where the turn of a loop began that this is
    Diag dropped;                     // stands for all that are not kept
    Diag **places;                    // `items` by code and place, each list by `next_here`; NULL while there are none
    uint32_t silenced[SILENCE_COUNT]; // findings: the same code at the same place is one
    SilencedPlace **silenced_places;  // as `places`
} Diags;

// Adds a diagnostic and returns it (never NULL) for labels, notes and fixes. Always called as
// report(session, span, DIAG(name), arguments...). The same message at the same place is kept once; where the list is
// full, an error drives out a warning.
Diag *report(Session *session, Span span, DiagId id, const char *format, ...) PRINTF_LIKE(4, 5);

// Like report(), with the arguments as a list.
Diag *report_list(Session *session, Span span, DiagId id, const char *format, va_list arguments) PRINTF_LIKE(4, 0);

void diag_primary_label(Session *session, Diag *diag, const char *format, ...) PRINTF_LIKE(3, 4);
void diag_label(Session *session, Diag *diag, Span span, const char *format, ...) PRINTF_LIKE(4, 5);
void diag_help(Session *session, Diag *diag, const char *format, ...) PRINTF_LIKE(3, 4);
void diag_note(Session *session, Diag *diag, const char *format, ...) PRINTF_LIKE(3, 4);
// In a file of another language, a text in quotes is replaced by one in the same quotes.
void diag_fix(Session *session, Diag *diag, Span span, Str replacement);

// What may have been meant, where nothing says which: one replacement of several.
void diag_guess(Session *session, Diag *diag, Span doubt, Span span, Str replacement);
// To the last guess of a diagnostic, which has one.
void diag_guess_also(Session *session, Diag *diag, Span span, Str replacement);

// Makes an error a warning, where the same fault does less: unless the project file says how severe it is.
void diag_soften(Session *session, Diag *diag);

// What is kept and shown of this code at this place; NULL where nothing is.
Diag *diag_at(const Session *session, DiagId id, Span place);

// Silences a diagnostic: no longer shown or counted. The first is for an `allow`, and is called once for a report.
void diag_allow(Session *session, Diag *diag);
void diag_hide(Session *session, Diag *diag);

// Adds what another session says, and the sources that it points to: all is copied. Of a source that was checked, and of
// which nothing is said, the path alone is kept.
void diags_take(Session *session, const Session *other);

// A session with the sources and diagnostics of another, which is destroyed: what those were found in takes much memory.
// Sources have the same numbers.
Session *diags_alone(Session *session);

// Takes back all that was reported since there were `count` diagnostics.
void diags_forget(Session *session, uint32_t count);

// Between the two, a diagnostic of the same code at the same place is dropped, even if its words differ. A mistake that
// the turns of a loop repeat is one mistake. The first returns what the second is given, so that turns may lie in each
// other.
uint32_t diags_begin_turn(Session *session);
void diags_end_turn(Session *session, uint32_t outer);

bool has_errors(const Session *session);
bool diags_are_full(const Session *session); // of errors: no other will be kept

// The row of an id; the row of a code such as "DT0304", or NULL.
const DiagRow *diag_row(DiagId id);
const DiagRow *diag_find(Str code);
DiagId diag_id(const DiagRow *row);
