// A subject: the thing that a finding is about. It knows its place in the author's file, which attributes are written
// there, and which findings its author allows. Each block of infra.dt is a subject. A reader of another kind of file
// makes one for each thing that it reads. Rules report about subjects, and ask nothing else of what an author wrote.
#pragma once

#include "compiler/semantics/value.h"

// An `allow`.
typedef struct {
    Str code;
    Span span;
    Str reason;
    bool *was_used; // shared by all copies
} SubjectAllow;

typedef struct Subject {
    const struct Subject *outer; // the one around it, whose `allow`s count here as well; NULL at file level
    Span span;                   // of the word that says what it is
    Span name_span;              // of its name; of that word where there is none
    const Value **values;        // one for each attribute of the kind; NULL where not written, or written as null
    const Origin **null_origins; // of each that is written as null: what decides that the default holds; else NULL
    Span *attribute_spans;       // of the attribute's name
    VEC(SubjectAllow) allows;
    bool is_foreign; // of a file of another language: its author allows in comments
} Subject;

// What is written for an attribute, such as NODES_EFA of the kind `nodes`; NULL where nothing is, or null.
const Value *subject_value(const Subject *subject, int attribute);

// The name of an attribute that is written; SPAN_NONE where it is not.
Span subject_key(const Subject *subject, int attribute);
