// gzip streams that begin alike: what they share is compressed once.
#pragma once

#include "compiler/base/str.h"

typedef struct GzipStart GzipStart;

// The compressed beginning of streams. Lives in the arena, which it fills with about 600 KiB of zlib's tables; keeps the
// text, which has to outlive it.
GzipStart *gzip_start(Arena *arena, Str text);

// The gzip stream (RFC 1952) of the start's text and `rest` laid end to end, with no time and no name in it: the same
// texts are the same bytes. The start can be used any number of times.
Str gzip_finish(Arena *arena, GzipStart *start, Str rest);
