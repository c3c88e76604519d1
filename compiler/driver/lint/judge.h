// Holds what a build is about to write against the rules of `dtc lint`.
#pragma once

#include "compiler/plan/model/plan.h"
#include "emitters/emitter.h"

// Where an author adds to the files in their own words, by a `patch` or a raw `resource`, no rule over the Plan sees what
// becomes of it. So the finished files are read as files of somebody else. What is wrong with them is reported at the place
// in the source that made it. Does nothing for other sources, whose files follow from the Plan alone, and none where an
// error is reported.
//
// What an `allow` silences in the source is wrong in the files as well. They are then made anew, with a comment
// `dtc-allow`.
void judge(Session *session, const Plan *plan, Output *output);
