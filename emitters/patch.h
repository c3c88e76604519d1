// The author's patches of a file, whichever tool reads it.
#pragma once

#include "compiler/plan/model/part.h"
#include "emitters/doc/doc.h"

// Applies one patch of the part; `value` is NULL where it removes. What leads nowhere, and what changes nothing, is
// reported.
void patch_apply(Doc *doc, const PlanPart *part, const BlockPatch *patch, DocNode *value);
