// Goes through a glob once and keeps all places of the path that what stands before may reach. So no glob takes longer
// than its length times that of the path.
#include "compiler/base/glob.h"

// at[i]: what of the glob was read can match the first i bytes.
typedef struct {
    Str path;
    bool *at;
} Reach;

static bool is_inside_character(Str path, size_t i) {
    return i < path.len && ((unsigned char)path.data[i] & 0xC0) == 0x80;
}

static void take_letter(Reach *reach, char letter) {
    for (size_t i = reach->path.len; i > 0; i--) {
        reach->at[i] = reach->at[i - 1] && reach->path.data[i - 1] == letter;
    }
    reach->at[0] = false;
}

static void take_character(Reach *reach) {
    for (size_t end = reach->path.len; end > 0; end--) {
        size_t start = end - 1;
        while (start > 0 && is_inside_character(reach->path, start)) {
            start--;
        }
        reach->at[end] = !is_inside_character(reach->path, end) && reach->at[start] && reach->path.data[start] != '/';
    }
    reach->at[0] = false;
}

static void take_within_name(Reach *reach) {
    for (size_t i = 1; i <= reach->path.len; i++) {
        reach->at[i] = reach->at[i] || (reach->at[i - 1] && reach->path.data[i - 1] != '/');
    }
}

// `**`, or with `needs_slash` the `**/` that also stands for nothing.
static void take_any(Reach *reach, bool needs_slash) {
    bool is_reached = reach->at[0];
    for (size_t i = 1; i <= reach->path.len; i++) {
        const bool was_reached = reach->at[i];
        reach->at[i] = was_reached || (is_reached && (!needs_slash || reach->path.data[i - 1] == '/'));
        is_reached = is_reached || was_reached;
    }
}

// Takes what stands at an offset of the glob, and returns how long it is.
static size_t take(Reach *reach, Str rest) {
    if (str_starts_with(rest, STR("**/"))) {
        take_any(reach, true);
        return 3;
    }
    if (str_starts_with(rest, STR("**"))) {
        take_any(reach, false);
        return 2;
    }
    switch (rest.data[0]) {
    case '*':
        take_within_name(reach);
        break;
    case '?':
        take_character(reach);
        break;
    default:
        take_letter(reach, rest.data[0]);
        break;
    }
    return 1;
}

bool glob_matches(Arena *arena, Str glob, Str path) {
    const bool is_of_name = str_find(glob, STR("/"), 0) == glob.len;
    const ArenaMark mark = arena_mark(arena);
    Reach reach = { .path = is_of_name ? str_after_last(path, '/') : path };
    reach.at = arena_new_array(arena, bool, reach.path.len + 1);
    reach.at[0] = true;
    for (size_t i = 0; i < glob.len;) {
        i += take(&reach, str_slice(glob, i, glob.len));
    }
    if (str_ends_with(glob, STR("/"))) {
        take_any(&reach, false);
    }
    const bool matches = reach.at[reach.path.len];
    arena_rewind(arena, mark);
    return matches;
}
