// The text of a source: what it is, its own date, and the month in which somebody read it. schemagen_sources.c
// describes the form.
#pragma once

#include "compiler/base/str.h"

typedef enum {
    SOURCE_DATED,
    SOURCE_OWN,           // what dtc decides by itself: it needs no date
    SOURCE_TOO_YOUNG,     // its date is behind the month in which it was read
    SOURCE_WITHOUT_DATES, // a date or the month is missing, or is none
} SourceState;

// Parts of the text that was read.
typedef struct {
    Str text;
    Str dated; // "2026-08" or "2026-08-21"
    Str read;  // "2026-11"
    bool is_final;
} SourceText;

SourceState source_read(Str whole, SourceText *source); // `*source` is filled where it is SOURCE_DATED
