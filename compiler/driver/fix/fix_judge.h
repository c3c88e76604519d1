// Judges fixes: is a program better with them than it was without?
#pragma once

#include "compiler/base/edit.h"
#include "compiler/base/session.h"

// Where in the chain a message comes from. While there is an error of one gate, nothing behind it is looked at.
typedef enum { GATE_SYNTAX, GATE_SEMANTICS, GATE_PLAN, GATE_EMIT } Gate;

Gate gate_of(DiagId id);

// Two checks of one program: before the fixes of some diagnostics, and with them.
typedef struct {
    Session *before;
    Session *after;
    const Edits *edits;       // of each source of `before`, by number
    const Diag *const *fixed; // all of one gate
    uint32_t fixed_count;
    bool is_strict; // warnings count as errors
} Trial;

// NULL if each of the diagnostics is gone and their fixes caused nothing new. Otherwise what did not go well, for
// people.
const char *trial_fault(Arena *arena, const Trial *trial);

// A place of the first check in the text of the second. Its source number is still that of the first.
Span trial_move(const Trial *trial, Span span);
