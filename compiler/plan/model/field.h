// A value as a rule asks for it: what it is, where it was written, and whether it was written at all. It may be in
// infra.dt or in another file. No finding can rest on a value that is late.
#pragma once

#include "compiler/semantics/value.h"

struct RawResource;

typedef enum {
    FIELD_ABSENT, // not written, or written as nothing
    FIELD_LATE,   // there, or may be: nobody knows yet what it is
    FIELD_KNOWN,
} FieldState;

typedef enum { ANSWER_NO, ANSWER_YES, ANSWER_MAYBE } PlanAnswer;

// One value.
typedef struct {
    FieldState state;
    bool may_be_null; // FIELD_LATE: an optional that may not be given
    bool is_own;      // it stands in the thing itself: elsewhere, other things may use it too
    const char *name; // "DeviceIndex"
    Span key;         // of the name; SPAN_NONE where absent, and in a list
    Span span;        // of the value, wherever it was written
    Str text;         // FIELD_KNOWN: 1 and "1" are the same here, as are true and "true"; else empty

    // FIELD_LATE: the raw resource that it refers to, by Ref or one of its attributes; else NULL. Rules do not
    // look into it.
    const struct RawResource *resource;
} PlanField;

// A list of such.
typedef struct {
    FieldState state; // of the list itself; FIELD_KNOWN where its length is known
    const char *name;
    Span key;
    const PlanField *items;
    uint32_t count;
} PlanFields;

// Where a field stands: its value, or its name if the value came from no file.
Span field_place(const PlanField *field);

// The number that a field is, `absent` where it is absent, and -1 where it is late or no number from 0 on.
int64_t field_number(const PlanField *field, int64_t absent);
// False where it is not known, or no whole number. One that is below 0 is a number here.
bool field_integer(const PlanField *field, int64_t *integer);
bool field_amount(const PlanField *field, int64_t *amount); // likewise, whatever unit stands behind it
Str field_unit(const PlanField *field);                     // the letters behind its number: `GiB`; empty without
bool field_is(const PlanField *field, const char *text);    // known, and this text; case matters
PlanAnswer field_answer(const PlanField *field);            // whether it is "true"; ANSWER_MAYBE where it is late
bool field_has(const PlanField *field, const char *text);   // known, and this text is in it
bool field_is_there(const PlanField *field);                // whatever the deployment gives

// A field that is known, for who knows it from elsewhere.
PlanField field_known(const char *name, Span span, Str text);
