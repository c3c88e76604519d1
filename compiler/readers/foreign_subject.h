// The subjects of a foreign file: the file, and each thing in it. What their author allows stands in comments:
// `# dtc-allow: DT0312 reason`.
#pragma once

#include "compiler/base/session.h"
#include "compiler/semantics/subject.h"

// The file itself. What is allowed above its first line counts in all of it.
const Subject *foreign_file(Session *session, uint32_t source);

// A thing in the file: `name` is what it is called, `whole` all of it. What is allowed inside counts for it.
const Subject *foreign_subject(Session *session, const Subject *file, Span name, Span whole);

// Reports each comment of the file that silenced nothing or gives no reason. Call it after everything that can report.
void foreign_check_allows(Session *session, const Subject *file);
