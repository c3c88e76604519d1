// Files that lack, or misspell, a key by which their kind is known. No reader takes them, and nobody would hear that they
// were passed over.
#pragma once

#include "compiler/base/data.h"
#include "compiler/readers/foreign.h"

// Reports such a document and returns the kind that it was to be; FOREIGN_NONE: it is of another kind.
ForeignKind foreign_report_near(Session *session, const Data *document);
