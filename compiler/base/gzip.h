// gzip streams that begin with the same text. That text is compressed only once.
#pragma once

#include "compiler/base/str.h"

typedef struct GzipStart GzipStart;

// The compressed beginning of streams. Lives in the arena, which it fills with about 600 KiB of zlib's tables; keeps
// the text, which has to outlive it.
GzipStart *gzip_start(Arena *arena, Str text);

// Like gzip_start(), for a text that was known when dtc was built. `pack` is what stdlib/pack.c wrote for it. It has to
// outlive the start too.
GzipStart *gzip_start_packed(Arena *arena, Str text, Str pack);

// Whether bytes that begin as a gzip stream are known to be none: they end too early, or their sum is another one. What is
// long is not looked at to its end.
bool gzip_is_broken(Arena *scratch, Str bytes);

// Adds the gzip stream (RFC 1952) of the start's text and `rest` laid end to end, as base64 in lines. It has no time
// and no name in it: the same texts are the same bytes. The start can be used any number of times.
void gzip_add_base64(StrBuf *out, Arena *scratch, GzipStart *start, Str rest);
