// Tests and fuzz targets in one program, so that they are linked once. Each is a link to it, and is run by its name.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// main() of tests/fuzz/replay.c, and what it calls.
int replay_main(int argc, char **argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// one.def has a line for each. Their functions have their names before them.
#define TEST(name) int name##_main(void);
#define TARGET(name) int name##_one_input(const uint8_t *data, size_t size);
#include "one.def"
#undef TEST
#undef TARGET

static const struct {
    const char *name;
    int (*test)(void);
    int (*target)(const uint8_t *data, size_t size);
} PROGRAMS[] = {
#define TEST(name) { #name, name##_main, NULL },
#define TARGET(name) { #name, NULL, name##_one_input },
#include "one.def"
};

static int (*fed)(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    return fed(data, size);
}

int main(int argc, char **argv) {
    const char *slash = strrchr(argv[0], '/');
    const char *name = slash != NULL ? slash + 1 : argv[0];
    for (size_t i = 0; i < sizeof(PROGRAMS) / sizeof(PROGRAMS[0]); i++) {
        if (strcmp(PROGRAMS[i].name, name) == 0) {
            fed = PROGRAMS[i].target;
            return fed != NULL ? replay_main(argc, argv) : PROGRAMS[i].test();
        }
    }
    fprintf(stderr, "no test is called %s\n", name);
    return 2;
}
