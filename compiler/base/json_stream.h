// Objects of JSON one after the other, with nothing but blanks between them: `{…} {…}`. kubectl takes such a file, as it
// takes several documents of YAML (kubernetes/apimachinery, pkg/util/yaml, YAMLOrJSONDecoder, read 2026-11).
#pragma once

#include "compiler/base/str.h"

// Whether there are two or more.
bool json_stream_is(Str text);

// The next object behind `*end`, which moves behind it. What follows and is no whole object goes with nothing: it is the
// last one, to the end of the text. False behind that.
bool json_stream_next(Str text, size_t *end, Str *object);
