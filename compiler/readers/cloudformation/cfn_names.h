// The names of a template, as they stand in the file: what it declares, and where it uses that.
#pragma once

#include "compiler/base/session.h"
#include "compiler/plan/model/plan_file.h"

// `document` in long forms, and `file` with its pieces.
const PlanTemplate *cfn_names(Session *session, const Data *document, const Subject *file, const PlanFile *pieces);

// What a condition asks.
const PlanTest *cfn_test(Session *session, const PlanTemplate *template, const Data *condition);
