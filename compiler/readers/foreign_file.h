// A foreign file as it stands there.
#pragma once

#include "compiler/plan/model/plan_file.h"
#include "compiler/base/session.h"

// Adds a document to the file: of a template each resource and each section, of another file the whole.
void foreign_add_document(Session *session, PlanFile *file, const Subject *subject, const Data *document);
