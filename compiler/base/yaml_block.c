// Finds lines that hold a tag and the header of a block of text, and nothing else, and blocks without a line of their own.
#include "compiler/base/yaml_block.h"

#include <string.h>

static size_t skip_spaces(Str text, size_t at) {
    while (str_at(text, at) == ' ') {
        at++;
    }
    return at;
}

static bool is_in(char c, const char *set) {
    return c != '\0' && strchr(set, c) != NULL;
}

static size_t skip(Str text, size_t at, const char *set) {
    while (at < text.len && is_in(text.data[at], set)) {
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
static void move_header(char *text, const TagLine *line, size_t line_end) {
    const size_t end = line_end - (text[line_end - 1] == '\r' ? 1 : 0); // which ends the line, wherever it stands
    const size_t length = end - line->header;
    memmove(text + line->tag, text + line->header, length);
    memset(text + line->tag + length, ' ', line->header - line->tag);
}

// ---- blocks without a line ---------------------------------------------------------------------------------------

// The header that ends a line: `- |+`, `key: >-`, `- !Sub |`.
typedef struct {
    size_t at;  // of `|` or `>`
    size_t end; // behind its last sign
    int indent; // of the node that the block belongs to
} HeaderLine;

static int column_of(Str text, size_t start, size_t end) {
    size_t at = skip_spaces(text, start);
    size_t dash = at;
    while (at < end && text.data[at] == '-' && str_at(text, at + 1) == ' ') {
        dash = at;
        at = skip_spaces(text, at + 1);
    }
    const bool is_item = at >= end || is_in(text.data[at], "|>!&");
    return (int)((is_item ? dash : at) - start);
}

static bool read_header_line(Str text, size_t start, size_t end, HeaderLine *line) {
    line->end = end;
    while (line->end > start && is_in(text.data[line->end - 1], " \r")) {
        line->end--;
    }
    line->at = line->end;
    while (line->at > start && is_in(text.data[line->at - 1], "+-123456789")) {
        line->at--;
    }
    if (line->at < start + 2 || !is_in(text.data[line->at - 1], "|>") || text.data[line->at - 2] != ' ') {
        return false;
    }
    line->at--;
    size_t word_end = line->at;
    while (word_end > start && text.data[word_end - 1] == ' ') {
        word_end--;
    }
    size_t word = word_end;
    while (word > start && text.data[word - 1] != ' ') {
        word--;
    }
    line->indent = column_of(text, start, line->at);
    return word < word_end && (is_in(text.data[word], "!&") || text.data[word_end - 1] == ':' ||
                               str_is(str_slice(text, word, word_end), "-"));
}

// The next line that is not blank, which has so many blanks before it.
static size_t next_line_of_text(Str text, size_t at, int *indent, uint32_t *blank_count) {
    *blank_count = 0;
    while (at < text.len) {
        const size_t words = skip(text, at, " \r");
        if (str_at(text, words) != '\n') {
            *indent = (int)(words - at);
            return at;
        }
        at = words + 1;
        ++*blank_count;
    }
    *indent = -1;
    return at;
}

// Behind the lines of the block that belong to it. `*is_empty`: there are none, and `*blank_count` blank ones.
static size_t block_end(Str text, size_t at, const HeaderLine *line, bool *is_empty, uint32_t *blank_count) {
    int indent = 0;
    size_t next = next_line_of_text(text, at, &indent, blank_count);
    *is_empty = indent <= line->indent;
    while (next < text.len && indent > line->indent) {
        uint32_t ignored;
        next = next_line_of_text(text, str_find(text, STR("\n"), next) + 1, &indent, &ignored);
    }
    return next;
}

// Behind the lines of a block whose header stands below its key, so that nobody knows how deep that is: the lines that are
// as deep as the first one.
static size_t tagged_block_end(Str text, size_t at) {
    int least = 0;
    uint32_t blank_count;
    size_t next = next_line_of_text(text, at, &least, &blank_count);
    for (int indent = least; next < text.len && indent >= least && least > 0;) {
        next = next_line_of_text(text, str_find(text, STR("\n"), next) + 1, &indent, &blank_count);
    }
    return next;
}

// `|+` keeps each blank line.
static Str text_of_blanks(Arena *arena, Str header, uint32_t blank_count) {
    StrBuf text = { .arena = arena };
    for (uint32_t i = 0; str_has(header, "+") && i < blank_count; i++) {
        strbuf_add_char(&text, '\n');
    }
    return strbuf_str(&text);
}

// ------------------------------------------------------------------------------------------------------------------

typedef struct {
    Arena *arena;
    Str text;
    char *copy; // NULL: nothing is hidden yet
    YamlBlocks *blocks;
} Hiding;

static char *copy_of(Hiding *hiding) {
    if (hiding->copy == NULL) {
        hiding->copy = arena_new_array(hiding->arena, char, hiding->text.len);
        memcpy(hiding->copy, hiding->text.data, hiding->text.len);
    }
    return hiding->copy;
}

// Returns where the lines behind the block begin.
static size_t hide_tag(Hiding *hiding, const TagLine *line, size_t end) {
    const HiddenText tag = { .at = end + 1, .text = str_slice(hiding->text, line->tag, line->tag_end) };
    move_header(copy_of(hiding), line, end);
    vec_push(hiding->arena, &hiding->blocks->tags, tag);
    return tagged_block_end(hiding->text, end + 1);
}

// Returns where the lines behind the block begin.
static size_t hide_empty(Hiding *hiding, const HeaderLine *line, size_t next) {
    bool is_empty = false;
    uint32_t blank_count = 0;
    const size_t end = block_end(hiding->text, next, line, &is_empty, &blank_count);
    if (is_empty && end < hiding->text.len) {
        const Str header = str_slice(hiding->text, line->at, line->end);
        char *copy = copy_of(hiding);
        memset(copy + line->at, ' ', header.len);
        copy[line->at] = '~';
        vec_push(hiding->arena, &hiding->blocks->empty,
                 ((HiddenText){ line->at, text_of_blanks(hiding->arena, header, blank_count) }));
    }
    return end;
}

Str yaml_hide_blocks(Arena *arena, Str text, YamlBlocks *blocks) {
    Hiding hiding = { .arena = arena, .text = text, .blocks = blocks };
    for (size_t at = 0; at < text.len;) {
        const size_t end = str_find(text, STR("\n"), at);
        TagLine tag;
        HeaderLine header;
        if (read_tag_line(text, at, end, &tag)) {
            at = hide_tag(&hiding, &tag, end);
        } else {
            at = read_header_line(text, at, end, &header) ? hide_empty(&hiding, &header, end + 1) : end + 1;
        }
    }
    return hiding.copy == NULL ? text : (Str){ .data = hiding.copy, .len = text.len };
}

static bool find_hidden(const HiddenTexts *texts, size_t at, Str *text) {
    uint32_t low = 0;
    for (uint32_t high = texts->count; low < high;) {
        const uint32_t middle = low + (high - low) / 2;
        if (texts->items[middle].at < at) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const bool is_there = low < texts->count && texts->items[low].at == at;
    *text = is_there ? texts->items[low].text : STR_NONE;
    return is_there;
}

Str yaml_block_tag(const YamlBlocks *blocks, size_t content) {
    Str tag;
    (void)find_hidden(&blocks->tags, content, &tag);
    return tag;
}

bool yaml_empty_block(const YamlBlocks *blocks, size_t header, Str *text) {
    return find_hidden(&blocks->empty, header, text);
}
