// pack FILE: the beginning of each gzip stream (RFC 1952) that has the file in front of something else. The file is
// blocks of deflate (RFC 1951), none of them the last, up to the end of a byte: what is behind it can follow,
// compressed by whom it may. By zopfli, which takes a second for what zlib takes a millisecond, and leaves four percent
// less: this is done once, when dtc is built, and user data has no room. The first line has the file's CRC-32 and how
// many bytes the lines have that follow: the beginning as base64, as user data has it. Behind them stand the bytes that
// fill no line.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zopfli/deflate.h>

enum { FILE_BYTES_MAX = 1024 * 1024, ITERATIONS = 50, DYNAMIC_BLOCKS = 2, HEADER_BITS = 3, BYTE_BITS = 8 };

enum {
    LINE = 200, // characters, as compiler/base/base64.h has them
    LINE_BYTES = LINE / 4 * 3,
};

// As RFC 1952 has it in section 8, 1996-05.
static uint32_t sum_of(const unsigned char *bytes, size_t count) {
    uint32_t sum = UINT32_MAX;
    for (size_t i = 0; i < count; i++) {
        sum ^= bytes[i];
        for (int bit = 0; bit < BYTE_BITS; bit++) {
            sum = (sum & 1) != 0 ? UINT32_C(0xEDB88320) ^ sum >> 1 : sum >> 1;
        }
    }
    return ~sum;
}

static void put_group(const unsigned char *bytes) {
    static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned bits = (unsigned)bytes[0] << 16 | (unsigned)bytes[1] << 8 | bytes[2];
    for (int shift = 18; shift >= 0; shift -= 6) {
        putchar(DIGITS[bits >> shift & 63]);
    }
}

static void put_stream(const unsigned char *bytes, size_t count) {
    printf("%zu\n", count / LINE_BYTES * (LINE + 1));
    for (; count >= LINE_BYTES; bytes += LINE_BYTES, count -= LINE_BYTES) {
        for (size_t at = 0; at < LINE_BYTES; at += 3) {
            put_group(bytes + at);
        }
        putchar('\n');
    }
    fwrite(bytes, 1, count, stdout);
}

int main(int argc, char **argv) {
    static unsigned char text[FILE_BYTES_MAX];
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    const size_t size = file == NULL ? 0 : fread(text, 1, sizeof(text), file);
    if (size == 0 || size == sizeof(text) || ferror(file) || fclose(file) != 0) {
        fprintf(stderr, "pack: one file, of 1 to %d bytes\n", FILE_BYTES_MAX - 1);
        return EXIT_FAILURE;
    }
    // Deflate, no flags, no time, the most thorough method, Unix.
    static const unsigned char HEADER[] = { 0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 3 };
    // An empty block that is stored ends at a byte: three zero bits, zero up to the byte's end, and its length twice.
    static const unsigned char STORED[] = { 0, 0, 0, 0xFF, 0xFF };
    ZopfliOptions options;
    ZopfliInitOptions(&options);
    options.numiterations = ITERATIONS;
    unsigned char bit = 0; // of the last byte, where the next one goes; 0: in a new byte
    unsigned char *blocks = NULL;
    size_t count = 0;
    ZopfliDeflate(&options, DYNAMIC_BLOCKS, 0, text, size, &bit, &blocks, &count);
    const size_t skip = bit != 0 && bit + HEADER_BITS <= BYTE_BITS ? 1 : 0;
    unsigned char *stream = malloc(sizeof(HEADER) + count + sizeof(STORED));
    if (stream == NULL) {
        fputs("pack: out of memory\n", stderr);
        return EXIT_FAILURE;
    }
    memcpy(stream, HEADER, sizeof(HEADER));
    memcpy(stream + sizeof(HEADER), blocks, count);
    memcpy(stream + sizeof(HEADER) + count, STORED + skip, sizeof(STORED) - skip);
    printf("%08x ", (unsigned)sum_of(text, size));
    put_stream(stream, sizeof(HEADER) + count + sizeof(STORED) - skip);
    free(stream);
    free(blocks);
    return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
