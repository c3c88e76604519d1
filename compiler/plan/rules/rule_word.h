// What rules say of a word that a place does not take: the nearest one that it takes, or the one to write, with a fix where
// that is sure.
#pragma once

#include "compiler/base/suggest.h"
#include "compiler/plan/rules/rule_field.h"

// "did you mean `best`?" of a word at `span`; false where nothing is near. The fix changes the word where it is written: at
// the place itself, or as the default of a parameter that nothing else uses.
bool rule_suggest(const Rules *rules, Diag *diag, const Suggestion *suggestion, Span span);

// The same for one of `words`, with `|` between; where none of them is sure, all are listed.
void rule_suggest_words(const Rules *rules, Diag *diag, Str word, Str words, Span span);

// "write `word`" in the place of what stands at a span as `written`. The fix is made where the text there is this, perhaps
// in quotes: not a name or a call that stands for it.
void rule_write_at(const Rules *rules, Diag *diag, Span span, Str written, Str word);

// The fix of rule_write_at() alone, for a help that says more.
void rule_replace(const Rules *rules, Diag *diag, Span span, Str written, Str word);

// The same for a part of the text at a span, where it stands once.
void rule_replace_part(const Rules *rules, Diag *diag, Span span, Str part, Str word);

// "write `word`" in the place of a field's value: see rule_fix_word().
void rule_write_field(const Rules *rules, Diag *diag, const PlanField *field, const char *word);
