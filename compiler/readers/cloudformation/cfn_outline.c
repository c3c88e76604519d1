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
    bool has_begun;  // a document
    bool is_partial; // what a line means shows elsewhere, see points_elsewhere()
    size_t name;     // where names of resources begin; 0: none was seen
    size_t field;    // where what a resource has begins; 0: likewise, of this resource
    bool is_type;    // the lines below are the type, which may stand below its key
} Walk;

static void enter(Walk *walk, Str line) {
    const bool is_border = str_starts_with(line, STR("---")) || str_starts_with(line, STR("..."));
    *walk = (Walk){ .has_resources = walk->has_resources,
                    .has_outputs = walk->has_outputs,
                    .has_begun = walk->has_begun || !str_starts_with(line, STR("%")),
                    .is_partial = walk->is_partial || (is_border && walk->has_begun) };
    if (str_starts_with(line, STR("Resources:"))) {
        walk->section = SECTION_RESOURCES;
        walk->has_resources = true;
    } else if (str_starts_with(line, STR("Outputs:"))) {
        walk->section = SECTION_OUTPUTS;
        walk->has_outputs = true;
    }
}

static bool begins_type(Str line, size_t indent) {
    const Str key = str_slice(line, indent, line.len);
    return str_starts_with(key, STR("Type")) || str_starts_with(key, STR("\"Type\"")) ||
           str_starts_with(key, STR("'Type'"));
}

// Whether a line below the name of a section is part of the outline.
static bool is_kept(Walk *walk, Str line, size_t indent) {
    if (walk->section != SECTION_RESOURCES) {
        return walk->section == SECTION_OUTPUTS;
    }
    if (walk->name == 0 || indent <= walk->name) {
        walk->name = walk->name == 0 ? indent : walk->name;
        walk->field = 0;
        walk->is_type = false;
        return true;
    }
    walk->field = walk->field == 0 ? indent : walk->field;
    walk->is_type = indent > walk->field ? walk->is_type : begins_type(line, indent);
    return indent <= walk->field || walk->is_type;
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
        return is_kept(walk, line, indent);
    }
    enter(walk, line);
    return walk->section != SECTION_OTHER;
}

// A line with an alias, whose anchor may be blank, or with a loop, whose body is, and which takes `Transform`.
static bool points_elsewhere(Str line) {
    return str_find(line, STR("*"), 0) < line.len || str_find(line, STR("Fn::ForEach"), 0) < line.len;
}

Str cfn_outline(Arena *arena, Str text) {
    char *outline = arena_new_array(arena, char, text.len);
    memset(outline, ' ', text.len);
    Walk walk = { 0 };
    for (size_t at = 0; at < text.len;) {
        const size_t end = str_find(text, STR("\n"), at);
        const Str line = str_slice(text, at, end);
        if (is_line_kept(&walk, line)) {
            memcpy(outline + at, line.data, line.len);
            walk.is_partial = walk.is_partial || points_elsewhere(line);
        }
        if (end < text.len) {
            outline[end] = '\n';
        }
        at = end + 1;
    }
    const bool is_whole = walk.has_resources && walk.has_outputs && !walk.is_partial;
    return is_whole ? (Str){ .data = outline, .len = text.len } : STR_NONE;
}
