// malloc() for dtc and for every library that is linked into it. A library that gets no memory reports something else:
// a file that is no YAML, a wrong pattern; or it crashes. Here the first request that fails ends the program and says
// why.
//
// In a static link the linker's --wrap redirects each call of malloc() to `__wrap_malloc`, those of libraries too, and
// libc's own is `__real_malloc`. In a dynamic link these functions replace malloc(), for the shared libraries too, and
// libc's own is `__libc_malloc`.
#include "compiler/base/diag/diag.h"
#include "compiler/base/die.h"

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
