// Paths are compared by their text. Links are not followed: a project means the names that it was written with.
#include "compiler/base/path_whole.h"

#include "compiler/base/vec.h"

#include <unistd.h>

Str path_here(Arena *arena) {
    enum { PATH_BYTES_MAX = 4096 };
    char bytes[PATH_BYTES_MAX];
    return path_with_slash(arena, getcwd(bytes, sizeof bytes) == NULL ? STR_NONE : str_copy(arena, str_of(bytes)));
}

Str path_with_slash(Arena *arena, Str folder) {
    return str_ends_with(folder, STR("/")) ? folder : str_format(arena, "%.*s/", STR_ARG(folder));
}

Str path_whole(Arena *arena, Str here, Str path) {
    const Str from = str_starts_with(path, STR("/")) ? STR_NONE : here;
    const Str spelled = str_format(arena, "%.*s%.*s", STR_ARG(from), STR_ARG(path));
    VEC(Str) parts = { 0 };
    for (size_t start = 0; start < spelled.len;) {
        const size_t end = str_find(spelled, STR("/"), start);
        const Str part = str_slice(spelled, start, end);
        start = end + 1;
        if (str_is(part, "..")) {
            parts.count -= parts.count > 0 ? 1 : 0;
        } else if (part.len > 0 && !str_is(part, ".")) {
            vec_push(arena, &parts, part);
        }
    }
    StrBuf whole = { .arena = arena };
    for (uint32_t i = 0; i < parts.count; i++) {
        strbuf_add_char(&whole, '/');
        strbuf_add(&whole, parts.items[i]);
    }
    return strbuf_str(&whole);
}

Str path_inside(Arena *arena, Str here, Str folder, Str path) {
    const Str whole = path_whole(arena, here, path);
    return str_starts_with(whole, folder) ? str_slice(whole, folder.len, whole.len) : STR_NONE;
}
