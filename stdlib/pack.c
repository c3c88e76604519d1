// pack FILE: the file as blocks of a deflate stream (RFC 1951), none of them the last, up to the end of a byte: what is
// behind it can follow, compressed by whom it may. By zopfli, which takes a second for what zlib takes a millisecond, and
// leaves four percent less: this is done once, when dtc is built, and user data has no room.
#include <stdio.h>
#include <stdlib.h>

#include <zopfli/deflate.h>

enum { FILE_BYTES_MAX = 1024 * 1024, ITERATIONS = 50, DYNAMIC_BLOCKS = 2, HEADER_BITS = 3, BYTE_BITS = 8 };

int main(int argc, char **argv) {
    static unsigned char text[FILE_BYTES_MAX];
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    const size_t size = file == NULL ? 0 : fread(text, 1, sizeof(text), file);
    if (size == 0 || size == sizeof(text) || ferror(file) || fclose(file) != 0) {
        fprintf(stderr, "pack: one file, of 1 to %d bytes\n", FILE_BYTES_MAX - 1);
        return EXIT_FAILURE;
    }
    ZopfliOptions options;
    ZopfliInitOptions(&options);
    options.numiterations = ITERATIONS;
    unsigned char bit = 0; // of the last byte, where the next one goes; 0: in a new byte
    unsigned char *out = NULL;
    size_t count = 0;
    ZopfliDeflate(&options, DYNAMIC_BLOCKS, 0, text, size, &bit, &out, &count);
    // An empty block that is stored ends at a byte: three zero bits, zero up to the byte's end, and its length twice.
    static const unsigned char STORED[] = { 0, 0, 0, 0xFF, 0xFF };
    const int skip = bit != 0 && bit + HEADER_BITS <= BYTE_BITS ? 1 : 0;
    fwrite(out, 1, count, stdout);
    fwrite(STORED + skip, 1, sizeof(STORED) - (size_t)skip, stdout);
    free(out);
    return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
