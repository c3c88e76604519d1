// Finds files in the table that stdlib/embed.sh writes. They are few, and a build asks for few of them.
#include "stdlib/library.h"

const StdlibFile *stdlib_find(Str path) {
    for (int i = 0; i < STDLIB_FILE_COUNT; i++) {
        if (str_is(path, STDLIB_FILES[i].path)) {
            return &STDLIB_FILES[i];
        }
    }
    return NULL;
}

bool stdlib_is_module(const StdlibFile *file) {
    return str_starts_with(str_of(file->path), STR("std/"));
}
