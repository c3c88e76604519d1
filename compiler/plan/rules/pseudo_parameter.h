// Texts that a deployment puts together of parts whose form is certain: `!Sub "arn:${AWS::Partition}:iam::…"`.
#pragma once

#include "compiler/plan/model/object_value.h"

// Whether it is a call of Fn::Sub, Fn::Join or Ref that has a stand-in, and is no plain text.
bool pseudo_parameter_is(const Value *value);

// The text, as it could be: a pseudo parameter is a short value of its form. Who asks for a form, or for the fewest letters,
// gets the answer that holds in each deployment. Empty where another part is not known, and of what is no text.
Str pseudo_parameter_text(Arena *arena, const Value *value);

// The same as its author wrote it, for messages: with `${AWS::Region}`.
Str pseudo_parameter_written(Arena *arena, const Value *value);
