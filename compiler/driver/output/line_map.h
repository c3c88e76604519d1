// What decided a line of an output: a leaf of its source map (emitters/doc/doc.h).
#pragma once

#include "compiler/base/data.h"
#include "compiler/base/session.h"

// The map's leaves; NULL where `map` is no source map of the file called `name`.
const Data *line_map_leaves(const Data *map, Str name);

// The leaf on a line of a file, which is the source `output`. Lines of a literal block belong to the leaf that opens it. A
// line with a key alone, at which other tools report what is wrong in a map, belongs to the first leaf under it. NULL: the
// line holds no value.
const Data *line_map_find(Session *session, const Data *leaves, uint32_t output, uint32_t line);

// The place of an origin of a leaf in a source of the session; SPAN_NONE where it is no text of one.
Span line_map_span(Session *session, const Data *origin);
