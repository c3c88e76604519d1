// The names of a template, as they stand in the file: what it declares, and where it uses that.
#pragma once

#include "compiler/base/session.h"
#include "compiler/base/str_map.h"
#include "compiler/plan/model/plan_file.h"

// What is declared, by name, of each kind.
typedef struct {
    StrMap of_kind[NAMED_OUTPUT + 1];
} CfnNames;

// `document` in long forms, and `file` with its pieces.
const PlanTemplate *cfn_names(Session *session, const Data *document, const Subject *file, const PlanFile *pieces);

// What a condition asks.
const PlanTest *cfn_test(Session *session, const CfnNames *names, const Data *condition);
