// Texts in commands for a shell. These functions put together every command that dtc prints or plans.
#pragma once

#include "compiler/base/str.h"

// Adds a text as one word: no shell splits it, expands it or runs it, and no terminal acts upon it. It stands as it is
// where that is safe, else in single quotes; one with control characters is made by printf. Every text from outside
// gets into a command this way, and no other.
void shell_add_word(StrBuf *out, Str text);

// Adds to a command, with a blank before where it has begun: words of ours, then a text as one word. `words` are for
// the shell to read and may be empty: "aws cloudformation delete-stack --stack-name".
void shell_add(StrBuf *command, const char *words, Str text);

// Like shell_add(), but adds nothing if the text is empty: " --region us-east-1".
void shell_add_given(StrBuf *command, const char *words, Str text);
