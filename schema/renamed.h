// What words of the language are called today (renamed.def), and what those of AWS are called here (other_words.def).
#pragma once

#include "compiler/base/str.h"

// The attribute of a kind ("job") that had this name; NULL where none had it.
const char *schema_renamed_attribute(const char *kind, Str name);

// A word that AWS or one of its tools has for what an attribute says here.
typedef struct {
    const char *kind;
    const char *word;
    const char *attribute; // of the same kind; "" where another block has it, or none
    const char *help;      // what to write
} OtherWord;

const OtherWord *schema_other_word(const char *kind, Str word); // NULL where it is no such word

// The tag of some attribute's type that had this name; NULL where none had it.
const char *schema_renamed_tag(Str name);
