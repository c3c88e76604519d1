// Finds lines that hold a tag and the header of a block of text, and nothing else.
#include "compiler/base/yaml_block_tag.h"

#include <string.h>

static size_t skip_spaces(Str text, size_t at) {
    while (str_at(text, at) == ' ') {
        at++;
    }
    return at;
}

static size_t skip(Str text, size_t at, const char *set) {
    while (at < text.len && strchr(set, text.data[at]) != NULL && text.data[at] != '\0') {
        at++;
    }
    return at;
}

// Where the tag begins and ends, and where the header of the block does: `  !Sub |-  # why`.
typedef struct {
    size_t tag;
    size_t tag_end;
    size_t header;
} TagLine;

// The line from `start` to `end`.
static bool read_tag_line(Str text, size_t start, size_t end, TagLine *line) {
    const Str until_end = str_slice(text, 0, end);
    line->tag = skip_spaces(until_end, start);
    if (str_at(until_end, line->tag) != '!') {
        return false;
    }
    line->tag_end = line->tag;
    while (line->tag_end < end && text.data[line->tag_end] != ' ') {
        line->tag_end++;
    }
    line->header = skip_spaces(until_end, line->tag_end);
    const char sign = str_at(until_end, line->header);
    if (line->header == line->tag_end || (sign != '|' && sign != '>')) {
        return false;
    }
    const size_t rest = skip(until_end, skip(until_end, line->header + 1, "+-123456789"), " \r");
    return rest == end || text.data[rest] == '#';
}

// The header goes where the tag was: the library takes no block that stands left of its header.
static void move_header(char *text, const TagLine *line, size_t end) {
    const size_t length = end - line->header;
    memmove(text + line->tag, text + line->header, length);
    memset(text + line->tag + length, ' ', line->header - line->tag);
}

Str yaml_hide_block_tags(Arena *arena, Str text, BlockTags *tags) {
    char *copy = NULL;
    for (size_t at = 0; at < text.len;) {
        const size_t end = str_find(text, STR("\n"), at);
        TagLine line;
        if (read_tag_line(text, at, end, &line)) {
            if (copy == NULL) {
                copy = arena_new_array(arena, char, text.len);
                memcpy(copy, text.data, text.len);
            }
            move_header(copy, &line, end);
            const BlockTag tag = { .content = end + 1, .tag = str_slice(text, line.tag, line.tag_end) };
            vec_push(arena, tags, tag);
        }
        at = end + 1;
    }
    return copy == NULL ? text : (Str){ .data = copy, .len = text.len };
}

Str yaml_block_tag(const BlockTags *tags, size_t content) {
    for (uint32_t i = 0; i < tags->count; i++) {
        if (tags->items[i].content == content) {
            return tags->items[i].tag;
        }
    }
    return STR_NONE;
}
