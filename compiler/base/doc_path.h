// Paths into a document, as `patch` writes them and as source maps name leaves. Keys are joined with dots. `[0]` is an
// item, `[Name=workers]` is the item with this member, and `[+]` is a new last item. `["a.b/c"]` is a key that needs
// quotes.
#pragma once

#include "compiler/base/str.h"

typedef enum { STEP_KEY, STEP_INDEX, STEP_MATCH, STEP_APPEND } DocStepKind;

typedef struct {
    DocStepKind kind;
    Str key;        // STEP_KEY, STEP_MATCH
    Str value;      // STEP_MATCH
    uint32_t index; // STEP_INDEX; UINT32_MAX for any larger number
    size_t start;   // offsets in the path: with brackets, without the dot in front
    size_t end;
} DocStep;

// A path while it is read. Start from `(DocPath){ .arena = arena, .text = text }`.
typedef struct {
    Arena *arena; // for keys with escapes; others borrow from `text`
    Str text;
    size_t offset;     // where the next step begins, text.len at the end; at a fault, where that is
    const char *fault; // NULL, or what is wrong there, as words that follow "because"
} DocPath;

// The next step; false at the end of the path and at a fault.
bool doc_path_next(DocPath *path, DocStep *step);

// Appends a step to a path that is being written.
void doc_path_add_key(StrBuf *path, Str key);
void doc_path_add_index(StrBuf *path, uint32_t index);
