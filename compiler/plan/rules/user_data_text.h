// Where a line of user data stands in the author's file.
#pragma once

#include "compiler/plan/model/user_data.h"
#include "compiler/plan/rules/rules.h"

// Writes a tag of YAML before the text, where that is a block behind the key.
void user_data_write_tag(const Rules *rules, Diag *diag, const PlanUserData *data, Str key, Str tag);

// The place of a line of the text in the file. A block of YAML has the same lines, indented. A text that is written in
// another way is shown as a whole.
Span user_data_place(const Rules *rules, const PlanUserData *data, size_t at);

// The same of a place behind the beginning of its line.
Span user_data_place_in(const Rules *rules, const PlanUserData *data, size_t at);
