// Texts to gzip streams by zlib. Streams begin with the same text, which is compressed once, up to the end of a block.
// The rest of each stream is compressed alone, with the end of that text as dictionary. So a stream takes only the time
// for its own text. zlib's memory comes from the arena, once for each start.
#include "compiler/base/gzip.h"

#include "compiler/base/base64.h"
#include "compiler/base/diag/diag.h"
#include "compiler/base/die.h"

#define ZLIB_CONST // zlib only reads its input, and says so where this is defined
#include <zlib.h>

enum {
    GZIP_WINDOW = 15 + 16,   // the largest window there is; 16 asks for gzip's header and sums
    RAW_WINDOW = -15,        // of that size, and without them
    START_MEMORY = 9,        // one block for texts of the size that travels in user data
    END_MEMORY = 5,          // and for a record, with tables that are soon cleared
    DICTIONARY_BYTES = 4096, // of the start's end, for the rest: to hash all of it takes longer than the rest does
};

// The header and whole blocks are `lines` and then `bytes`.
struct GzipStart {
    Str text;
    Str lines; // as base64
    Str bytes;
    uLong sum; // CRC-32 of the text
    z_stream end;
};

static voidpf allocate(voidpf arena, uInt count, uInt size) {
    return arena_alloc_array(arena, count, size);
}

static void give_back(voidpf arena, voidpf address) {
    (void)arena;
    (void)address;
}

static void must(int status, int wanted, const char *call) {
    if (status != wanted) {
        die("zlib: %s ends with %d", call, status);
    }
}

// In place, since zlib's state points back to it.
static void open_stream(Arena *arena, z_stream *stream, int window, int memory) {
    *stream = (z_stream){ .zalloc = allocate, .zfree = give_back, .opaque = arena };
    must(deflateInit2(stream, Z_BEST_COMPRESSION, Z_DEFLATED, window, memory, Z_DEFAULT_STRATEGY), Z_OK,
         "deflateInit2");
}

// All of `text`, into the arena.
static Str compress_text(Arena *arena, z_stream *stream, Str text, int flush) {
    const size_t bound = deflateBound(stream, (uLong)text.len) + 64; // and a boundary of blocks
    char *out = arena_alloc(arena, bound);
    stream->next_in = (z_const Bytef *)text.data;
    stream->avail_in = (uInt)text.len;
    stream->next_out = (Bytef *)out;
    stream->avail_out = (uInt)bound;
    must(deflate(stream, flush), flush == Z_FINISH ? Z_STREAM_END : Z_OK, "deflate");
    assert(stream->avail_in == 0);
    return (Str){ .data = out, .len = bound - stream->avail_out };
}

GzipStart *gzip_start(Arena *arena, Str text) {
    GzipStart *start = arena_new(arena, GzipStart);
    z_stream stream;
    open_stream(arena, &stream, GZIP_WINDOW, START_MEMORY);
    start->text = text;
    start->bytes = compress_text(arena, &stream, text, Z_SYNC_FLUSH);
    start->sum = crc32_z(0, (const Bytef *)text.data, text.len);
    open_stream(arena, &start->end, RAW_WINDOW, END_MEMORY);
    return start;
}

GzipStart *gzip_start_packed(Arena *arena, Str text, Str pack) {
    GzipStart *start = arena_new(arena, GzipStart);
    const size_t first = str_find(pack, STR("\n"), 0) + 1;
    char *end;
    start->text = text;
    start->sum = strtoul(str_c(arena, str_slice(pack, 0, first)), &end, 16);
    const size_t lines_end = first + strtoul(end, NULL, 10);
    start->lines = str_slice(pack, first, lines_end);
    start->bytes = str_slice(pack, lines_end, pack.len);
    open_stream(arena, &start->end, RAW_WINDOW, END_MEMORY);
    return start;
}

// Least significant byte first.
static void add_word(StrBuf *out, uint32_t word) {
    for (int shift = 0; shift < 32; shift += 8) {
        strbuf_add_char(out, (char)(word >> shift & 255));
    }
}

void gzip_add_base64(StrBuf *out, Arena *scratch, GzipStart *start, Str rest) {
    must(deflateReset(&start->end), Z_OK, "deflateReset");
    const size_t skipped = start->text.len > DICTIONARY_BYTES ? start->text.len - DICTIONARY_BYTES : 0;
    const Str dictionary = str_slice(start->text, skipped, start->text.len);
    if (dictionary.len > 0) { // zlib refuses an empty one
        must(deflateSetDictionary(&start->end, (const Bytef *)dictionary.data, (uInt)dictionary.len), Z_OK,
             "deflateSetDictionary");
    }
    const Str end = compress_text(scratch, &start->end, rest, Z_FINISH);
    const uLong sum = crc32_z(0, (const Bytef *)rest.data, rest.len);
    StrBuf bytes = { .arena = scratch };
    strbuf_add(&bytes, start->bytes);
    strbuf_add(&bytes, end);
    add_word(&bytes, (uint32_t)crc32_combine(start->sum, sum, (z_off_t)rest.len));
    add_word(&bytes, (uint32_t)(start->text.len + rest.len));
    strbuf_add(out, start->lines);
    base64_add_lines(out, strbuf_str(&bytes));
}

bool gzip_is_broken(Arena *scratch, Str bytes) {
    enum { LOOK_BYTES = 64 * 1024, LOOKS_MAX = 64 };
    z_stream stream = { .zalloc = allocate, .zfree = give_back, .opaque = scratch };
    must(inflateInit2(&stream, GZIP_WINDOW), Z_OK, "inflateInit2");
    char *out = arena_alloc(scratch, LOOK_BYTES);
    stream.next_in = (z_const Bytef *)bytes.data;
    stream.avail_in = (uInt)bytes.len;
    int status = Z_OK;
    for (int i = 0; i < LOOKS_MAX && status == Z_OK; i++) {
        stream.next_out = (Bytef *)out;
        stream.avail_out = LOOK_BYTES;
        status = inflate(&stream, Z_NO_FLUSH);
    }
    inflateEnd(&stream);
    return status != Z_OK && status != Z_STREAM_END;
}
