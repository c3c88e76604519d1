// The part of a template that says what it exports: reading that alone costs a fourth of reading all of it.
#pragma once

#include "compiler/base/arena.h"
#include "compiler/base/str.h"

// The text of a template in YAML with blanks for all but its outputs, the names of its resources and what stands beside
// their types. It is as long as `text`, so that what is found in it has its place there; it lies in `arena`. Empty where
// the text is not written in such lines, as JSON is not, and has to be read as a whole. Blanks may tear what is written
// in brackets over several lines: whoever finds a fault in the outline reads the whole.
Str cfn_outline(Arena *arena, Str text);
