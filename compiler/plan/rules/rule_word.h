// What rules say of a word that is none of those which a place takes: the nearest one, with a fix where that is sure.
#pragma once

#include "compiler/base/suggest.h"
#include "compiler/plan/rules/rules.h"

// "did you mean `best`?" of a word at `span`; false where nothing is near. The fix changes the word where it is written: at
// the place itself, or as the default of a parameter that nothing else uses.
bool rule_suggest(const Rules *rules, Diag *diag, const Suggestion *suggestion, Span span);

// The same for one of `words`, with `|` between; where none of them is sure, all are listed.
void rule_suggest_words(const Rules *rules, Diag *diag, Str word, Str words, Span span);
