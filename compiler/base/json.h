// Reads and writes JSON. Only json.c uses jansson.
#pragma once

#include "compiler/base/data.h"

// Indented by two blanks, keys in the order of the map, a line end last; non-ASCII as it is.
Str json_write(Arena *arena, const Data *data);

// Like json_write(), but on one line without blanks, for places where size counts.
Str json_write_line(Arena *arena, const Data *data);

// A text as a JSON string, quotes included. Bytes that are not UTF-8 become U+FFFD.
void json_add_string(StrBuf *buffer, Str text);

// A whole source as JSON; a fault is reported at its place and gives NULL. The values have no spans.
Data *json_read(Session *session, uint32_t source);

// Whether each object of a stream (json_stream.h) is JSON. The first fault is reported at its place.
bool json_check_stream(Session *session, uint32_t source);
