// Looks a file up among the texts that stand in for files. One file can have several paths (`./a.dt`, a symbolic link).
// It must not be read from the disk under one path and from here under another.
#include "compiler/base/overlay.h"

#include <limits.h>

// The path with symbolic links followed; empty where nothing is there.
static Str real_path(Arena *arena, Str path) {
    char resolved[PATH_MAX];
    return realpath(str_c(arena, path), resolved) == NULL ? STR_NONE : str_copy(arena, str_of(resolved));
}

const Str *overlay_find(Arena *arena, const Overlay *overlay, Str path) {
    if (overlay == NULL) {
        return NULL;
    }
    for (uint32_t i = 0; i < overlay->count; i++) {
        if (str_equal(overlay->items[i].path, path)) {
            return &overlay->items[i].text;
        }
    }
    const Str real = real_path(arena, path);
    for (uint32_t i = 0; i < overlay->count && real.len > 0; i++) {
        if (str_equal(real_path(arena, overlay->items[i].path), real)) {
            return &overlay->items[i].text;
        }
    }
    return NULL;
}
