// Texts to gzip streams by zlib. Its state behind the common text is kept and copied for each stream, so that a stream costs
// what its own text costs. zlib's memory comes from arenas, and none of it is given back but with them.
#include "compiler/base/gzip.h"

#include "compiler/base/diag.h"

#include <zlib.h>

enum {
    GZIP_WINDOW = 15 + 16, // the largest window there is; 16 asks for gzip's header and sums
    MEMORY_LEVEL = 9,      // one block for texts of the size that travels in user data
};

struct GzipStart {
    z_stream stream;
    Str compressed; // so far
};

static voidpf allocate(voidpf arena, uInt count, uInt size) {
    return arena_alloc_array(arena, count, size);
}

static void give_back(voidpf arena, voidpf address) {
    (void)arena;
    (void)address;
}

// Compresses `text` behind what the stream has had, into the arena.
static Str compress_text(Arena *arena, z_stream *stream, Str text, int flush) {
    const size_t bound = deflateBound(stream, (uLong)text.len) + 64; // and a boundary of blocks
    char *out = arena_alloc(arena, bound);
    stream->next_in = (z_const Bytef *)text.data;
    stream->avail_in = (uInt)text.len;
    stream->next_out = (Bytef *)out;
    stream->avail_out = (uInt)bound;
    const int status = deflate(stream, flush);
    if (status != (flush == Z_FINISH ? Z_STREAM_END : Z_OK) || stream->avail_in != 0) {
        die("zlib: deflate ends with %d", status);
    }
    return (Str){ .data = out, .len = bound - stream->avail_out };
}

GzipStart *gzip_start(Arena *arena, Str text) {
    GzipStart *start = arena_new(arena, GzipStart);
    start->stream = (z_stream){ .zalloc = allocate, .zfree = give_back, .opaque = arena };
    const int status =
        deflateInit2(&start->stream, Z_BEST_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, MEMORY_LEVEL, Z_DEFAULT_STRATEGY);
    if (status != Z_OK) {
        die("zlib: deflateInit2 ends with %d", status);
    }
    start->compressed = compress_text(arena, &start->stream, text, Z_SYNC_FLUSH);
    return start;
}

Str gzip_finish(Arena *arena, GzipStart *start, Str rest) {
    Arena *scratch = arena_create();
    z_stream stream;
    start->stream.opaque = scratch; // the copy's memory: that of the start stays where it is
    const int status = deflateCopy(&stream, &start->stream);
    if (status != Z_OK) {
        die("zlib: deflateCopy ends with %d", status);
    }
    const Str end = compress_text(scratch, &stream, rest, Z_FINISH);
    StrBuf out = { .arena = arena };
    strbuf_add(&out, start->compressed);
    strbuf_add(&out, end);
    arena_destroy(scratch);
    return strbuf_str(&out);
}
