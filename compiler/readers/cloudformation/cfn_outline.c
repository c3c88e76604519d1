// Tells the lines of a template apart by where they begin: that is how YAML nests without brackets.
#include "compiler/readers/cloudformation/cfn_outline.h"

#include <string.h>

typedef enum {
    SECTION_OTHER,
    SECTION_RESOURCES,
    SECTION_OUTPUTS,
} Section;

typedef struct {
    Section section;
    bool has_resources;
    bool has_outputs;
    size_t name;  // where names of resources begin; 0: none was seen
    size_t field; // where what a resource has begins; 0: likewise, of this resource
} Walk;

static void enter(Walk *walk, Str line) {
    *walk = (Walk){ .has_resources = walk->has_resources, .has_outputs = walk->has_outputs };
    if (str_starts_with(line, STR("Resources:"))) {
        walk->section = SECTION_RESOURCES;
        walk->has_resources = true;
    } else if (str_starts_with(line, STR("Outputs:"))) {
        walk->section = SECTION_OUTPUTS;
        walk->has_outputs = true;
    }
}

// Whether a line below the name of a section is part of the outline.
static bool is_kept(Walk *walk, size_t indent) {
    if (walk->section != SECTION_RESOURCES) {
        return walk->section == SECTION_OUTPUTS;
    }
    if (walk->name == 0 || indent <= walk->name) {
        walk->name = walk->name == 0 ? indent : walk->name;
        walk->field = 0;
        return true;
    }
    walk->field = walk->field == 0 ? indent : walk->field;
    return indent <= walk->field;
}

static bool is_line_kept(Walk *walk, Str line) {
    size_t indent = 0;
    while (str_at(line, indent) == ' ') {
        indent++;
    }
    const char first = str_at(line, indent);
    if (first == '#' || first == '\r' || indent == line.len) {
        return false;
    }
    if (indent > 0) {
        return is_kept(walk, indent);
    }
    enter(walk, line);
    return walk->section != SECTION_OTHER;
}

Str cfn_outline(Arena *arena, Str text) {
    char *outline = arena_new_array(arena, char, text.len);
    memset(outline, ' ', text.len);
    Walk walk = { 0 };
    for (size_t at = 0; at < text.len;) {
        const size_t end = str_find(text, STR("\n"), at);
        if (is_line_kept(&walk, str_slice(text, at, end))) {
            memcpy(outline + at, text.data + at, end - at);
        }
        if (end < text.len) {
            outline[end] = '\n';
        }
        at = end + 1;
    }
    return walk.has_resources && walk.has_outputs ? (Str){ .data = outline, .len = text.len } : STR_NONE;
}
