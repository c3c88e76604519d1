// One file of another tool: read, and held against the rules.
#pragma once

#include "compiler/driver/lint/beside.h"

// Reports what is wrong with a source, alone and beside the others. `kind` is what it has to be; FOREIGN_NONE: its
// content decides. The result says what it is, or why it was passed over.
ForeignFile lint_file(Session *session, uint32_t source, ForeignKind kind, const Beside *beside);

// What a source offers to others, and nothing about it is reported. It has no plans where it offers nothing.
ForeignFile lint_offer(Session *session, uint32_t source, ForeignKind kind);
