// base64 (RFC 4648).
#pragma once

#include "compiler/base/str.h"

enum { BASE64_LINE = 200 }; // characters of a line: few line ends, and lines that an editor still shows

// Adds the bytes as base64 in lines of BASE64_LINE characters; each ends with a line end. Nothing for no bytes.
void base64_add_lines(StrBuf *out, Str bytes);
