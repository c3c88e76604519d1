// What rules say of a word that a place does not take: the nearest one that it takes, or the one to write, with a fix where
// that is sure.
#pragma once

#include "compiler/base/suggest.h"
#include "compiler/plan/rules/rule_field.h"

// "did you mean `best`?" of a word at `span`; false where nothing is near. The fix changes the word where it is written: at
// the place itself, or as the default of a parameter that nothing else uses.
bool rule_suggest(const Rules *rules, Diag *diag, const Suggestion *suggestion, Span span);

// The same for one of `words`, with `|` between; where none of them is near, all are listed, and the fix writes the one that
// is meant.
void rule_suggest_words(const Rules *rules, Diag *diag, Str word, Str words, Span span);

// The one of `words` that is surely meant by a word which is none of them and near to none: `PodEvict` means `PodEvicted`,
// and `RAM` means `MEMORY`. Empty: none is.
Str rule_word_meant(Str written, Str words);

// "write `word`" in the place of what stands at a span as `written`. The fix is made where the text there is this, perhaps
// in quotes: not a name or a call that stands for it.
void rule_write_at(const Rules *rules, Diag *diag, Span span, Str written, Str word);

// The fix of rule_write_at() alone, for a help that says more.
void rule_replace(const Rules *rules, Diag *diag, Span span, Str written, Str word);

// The same for a part of the text at a span, where it stands once.
void rule_replace_part(const Rules *rules, Diag *diag, Span span, Str part, Str word);

// A name with `-` for each `_`, perhaps in small letters.
Str rule_plain_name(Arena *arena, Str name, bool is_small);

// Another name for a thing that has one at a span, where nothing else in the file has that name, and nothing the other
// one.
void rule_rename(const Rules *rules, Diag *diag, Span span, Str name, Str better);

// An item for each word of a text that is an item of a list in brackets. There is no fix where a shell would read more than
// words in it.
void rule_split_words(const Rules *rules, Diag *diag, Span span, Str text);

// Takes the quotes off a text that fills a span.
void rule_unquote(const Rules *rules, Diag *diag, Span span);

// "write `word`" in the place of a field's value: see rule_fix_word().
void rule_write_field(const Rules *rules, Diag *diag, const PlanField *field, const char *word);
