// gzip streams that begin alike: what they share is compressed once.
#pragma once

#include "compiler/base/str.h"

typedef struct GzipStart GzipStart;

// The compressed beginning of streams. Lives in the arena, which it fills with about 600 KiB of zlib's tables; keeps the
// text, which has to outlive it.
GzipStart *gzip_start(Arena *arena, Str text);

// The same of a text whose blocks of deflate are known: none of them the last, up to the end of a byte.
GzipStart *gzip_start_packed(Arena *arena, Str text, Str blocks);

// The gzip stream (RFC 1952) of the start's text and `rest` laid end to end, with no time and no name in it: the same
// texts are the same bytes. The start can be used any number of times.
Str gzip_finish(Arena *arena, GzipStart *start, Str rest);
