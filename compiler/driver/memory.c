// Memory for all that is linked into dtc. A library that gets none goes on in its own way: it takes a file for broken,
// a pattern for wrong, or the null pointer for an address. Here the first request that fails ends the program, and says
// why.
//
// In a static link the linker brings each call of malloc() here (--wrap), also those of libraries, and `__real_malloc`
// is libc's. In a dynamic one these are malloc() itself, for the shared libraries too, and libc's own goes by another
// name.
#include "compiler/base/diag.h"

#ifdef MEMORY_IS_WRAPPED
#define OURS(name) __wrap_##name
#define THEIRS(name) __real_##name
#else
#define OURS(name) name
#define THEIRS(name) __libc_##name
#endif

void *THEIRS(malloc)(size_t size);
void *THEIRS(calloc)(size_t count, size_t size);
void *THEIRS(realloc)(void *old, size_t size);
void *OURS(malloc)(size_t size);
void *OURS(calloc)(size_t count, size_t size);
void *OURS(realloc)(void *old, size_t size);

void *OURS(malloc)(size_t size) {
    void *memory = THEIRS(malloc)(size);
    if (memory == NULL) {
        die("out of memory: %zu more bytes are needed", size);
    }
    return memory;
}

void *OURS(calloc)(size_t count, size_t size) {
    void *memory = THEIRS(calloc)(count, size);
    if (memory == NULL) {
        die("out of memory: %zu more times %zu bytes are needed", count, size);
    }
    return memory;
}

void *OURS(realloc)(void *old, size_t size) {
    void *memory = THEIRS(realloc)(old, size);
    if (memory == NULL && size > 0) { // none are wanted: libc gives back the old ones
        die("out of memory: %zu more bytes are needed", size);
    }
    return memory;
}
