// Feeds files to a fuzz target, so that a corpus stays a test without clang. Each argument is a file, or a folder that
// is searched. Prints how many there were; a target that fails ends the program by itself. `SAMPLE=N` takes one of N
// fixtures, which other tests read as well, and all of the corpus.
#include "tests/support/sample.h"

#include <ftw.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { OPEN_FOLDERS_MAX = 16 };

// nftw() hands its function no context.
static size_t file_count;

// The same fixtures anywhere: folders are in no order.
static bool is_taken(const char *path) {
    unsigned sum = 0;
    for (const char *at = path; *at != '\0'; at++) {
        sum = sum * 31 + (unsigned char)*at;
    }
    return strncmp(path, "fixtures", strlen("fixtures")) != 0 || sum % sample_size() == 0;
}

static int feed(const char *path, const struct stat *status, int type, struct FTW *place) {
    (void)place;
    if (type != FTW_F || !S_ISREG(status->st_mode) || !is_taken(path)) {
        return 0;
    }
    FILE *file = fopen(path, "rb");
    size_t size = (size_t)status->st_size;
    // Exactly as large as the input, so that the sanitizer sees a read past its end.
    uint8_t *data = malloc(size > 0 ? size : 1);
    if (file == NULL || data == NULL || fread(data, 1, size, file) != size || fclose(file) != 0) {
        fprintf(stderr, "cannot read %s\n", path);
        free(data);
        return 1;
    }
    (void)LLVMFuzzerTestOneInput(data, size);
    free(data);
    file_count++;
    return 0;
}

int main(int argc, char **argv) {
    static const uint8_t NOTHING[1] = { 0 };
    (void)LLVMFuzzerTestOneInput(NOTHING, 0);
    for (int i = 1; i < argc; i++) {
        if (nftw(argv[i], feed, OPEN_FOLDERS_MAX, FTW_PHYS) != 0) {
            fprintf(stderr, "stopped in %s\n", argv[i]);
            return 1;
        }
    }
    printf("%zu files\n", file_count);
    return 0;
}
