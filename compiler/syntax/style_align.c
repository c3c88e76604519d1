// What stands below what: the `=` of attributes, the `:` and `=` of params, the `{` of blocks of one line, and comments
// behind text.
#include "compiler/syntax/style_parts.h"

typedef enum { GROUP_NONE, GROUP_ATTRIBUTE, GROUP_LET, GROUP_OUTPUT, GROUP_PARAM, GROUP_BLOCK } Group;

// A line that can stand in a column with its neighbours.
typedef struct {
    Group group;
    uint32_t point; // the atom that does
    uint32_t line;
    uint32_t run; // number of its run
} Member;

typedef VEC(Member) Members;

// The run that is going on in a block.
typedef struct {
    Group group;
    Str word; // of blocks: of which kind
    uint32_t run;
} Run;

static Str text_of(const Style *style, uint32_t atom) {
    return str_slice(style->text, style->atoms.items[atom].start, style->atoms.items[atom].end);
}

static bool has_kind(const Style *style, const StyleLine *line, uint32_t index, uint32_t kind) {
    return index < line->end && style->atoms.items[index].kind == kind;
}

// Several entries on the line, or a text of several lines: nothing to compare with others.
static bool is_alone(const Style *style, const StyleLine *line) {
    const uint32_t frame = style->atoms.items[line->first].frame;
    for (uint32_t i = line->first; i < line->end; i++) {
        const Atom *atom = &style->atoms.items[i];
        const Str text = text_of(style, i);
        if ((i > line->first && atom->is_separated && atom->frame == frame) ||
            (atom->kind == TOKEN_STRING && str_find(text, STR("\n"), 0) < text.len)) {
            return true;
        }
    }
    return false;
}

// The `{` of a block that stands on one line; ATOM_NONE where the line is no such block.
static uint32_t one_line_block(const Style *style, const StyleLine *line) {
    const uint32_t tail = style_tail(style, line);
    const uint32_t last = (tail == ATOM_NONE ? line->end : tail) - 1;
    const Atom *close = &style->atoms.items[last];
    return close->kind == TOKEN_BRACE_CLOSE && close->partner != ATOM_NONE && close->partner > line->first
               ? close->partner
               : ATOM_NONE;
}

static Group group_of(const Style *style, const StyleLine *line, uint32_t *point) {
    const uint32_t first = line->first;
    if (is_alone(style, line)) {
        return GROUP_NONE;
    }
    if (has_kind(style, line, first + 1, TOKEN_ASSIGN)) {
        *point = first + 1;
        return GROUP_ATTRIBUTE;
    }
    const bool is_let = has_kind(style, line, first, TOKEN_LET);
    if ((is_let || has_kind(style, line, first, TOKEN_OUTPUT)) && has_kind(style, line, first + 2, TOKEN_ASSIGN)) {
        *point = first + 2;
        return is_let ? GROUP_LET : GROUP_OUTPUT;
    }
    const uint32_t param = first + (has_kind(style, line, first, TOKEN_LATE) ? 1 : 0);
    if (has_kind(style, line, param, TOKEN_PARAM) && has_kind(style, line, param + 2, TOKEN_COLON)) {
        *point = param + 2;
        return GROUP_PARAM;
    }
    *point = has_kind(style, line, first, TOKEN_NAME) ? one_line_block(style, line) : ATOM_NONE;
    return *point == ATOM_NONE ? GROUP_NONE : GROUP_BLOCK;
}

// Lines of one kind in one block are a run. A blank line or an entry of another kind ends it; comments do not.
static uint32_t find_members(const Style *style, Members *members) {
    Run *runs = arena_new_array(style->arena, Run, (size_t)style->atoms.count + 1);
    uint32_t run_count = 0;
    for (uint32_t i = 0; i < style->lines.count; i++) {
        const StyleLine *line = &style->lines.items[i];
        const Atom *atom = &style->atoms.items[line->first];
        Run *run = &runs[atom->frame == ATOM_NONE ? 0 : atom->frame + 1];
        const bool is_entry = atom->entry == line->first && atom->kind != ATOM_COMMENT && !line->is_frozen;
        if (line->is_blank_before || line->is_frozen) {
            run->group = GROUP_NONE;
        }
        if (!is_entry || style_is_close(atom->kind)) {
            continue;
        }
        uint32_t point = ATOM_NONE;
        const Group group = group_of(style, line, &point);
        const Str word = group == GROUP_BLOCK ? text_of(style, line->first) : STR_NONE;
        if (group != run->group || !str_equal(word, run->word)) {
            *run = (Run){ .group = group, .word = word, .run = run_count++ };
        }
        if (group != GROUP_NONE) {
            vec_push(style->arena, members, (Member){ .group = group, .point = point, .line = i, .run = run->run });
        }
    }
    return run_count;
}

// Whether the author put more than one blank before an atom.
static bool is_spread(const Style *style, uint32_t index) {
    const Atom *atom = &style->atoms.items[index];
    return atom->line_ends == 0 && atom->start > (atom - 1)->end + 1;
}

// Gives the points of each run one column. `is_wanted`: only in runs where the author began to.
static void align_points(Style *style, const Members *members, uint32_t run_count, bool must_be_begun) {
    uint32_t *widths = arena_new_array(style->arena, uint32_t, (size_t)run_count + 1);
    bool *is_begun = arena_new_array(style->arena, bool, (size_t)run_count + 1);
    for (uint32_t i = 0; i < members->count; i++) {
        const Member *member = &members->items[i];
        if (member->point == ATOM_NONE) {
            continue;
        }
        const uint32_t width = style_width(style, &style->lines.items[member->line], member->point);
        widths[member->run] = width > widths[member->run] ? width : widths[member->run];
        is_begun[member->run] |= is_spread(style, member->point) || (!must_be_begun && member->group != GROUP_BLOCK);
    }
    for (uint32_t i = 0; i < members->count; i++) {
        const Member *member = &members->items[i];
        if (member->point != ATOM_NONE && is_begun[member->run]) {
            const uint32_t width = style_width(style, &style->lines.items[member->line], member->point);
            style->atoms.items[member->point].pad = widths[member->run] - width;
        }
    }
}

// The `=` of a param, behind its type.
static void align_defaults(Style *style, Members *members, uint32_t run_count) {
    for (uint32_t i = 0; i < members->count; i++) {
        Member *member = &members->items[i];
        const StyleLine *line = &style->lines.items[member->line];
        const uint32_t colon = member->point;
        member->point = ATOM_NONE;
        for (uint32_t at = colon; member->group == GROUP_PARAM && at < line->end; at++) {
            if (style->atoms.items[at].kind == TOKEN_ASSIGN) {
                member->point = at;
                break;
            }
        }
    }
    align_points(style, members, run_count, true);
}

// Comments behind the text of lines that follow each other.
static void align_comments(Style *style) {
    for (uint32_t i = 0; i < style->lines.count;) {
        uint32_t column = STYLE_COMMENT_COLUMN;
        uint32_t end = i;
        for (; end < style->lines.count; end++) {
            const StyleLine *line = &style->lines.items[end];
            const uint32_t tail = style_tail(style, line);
            if (tail == ATOM_NONE || (end > i && line->is_blank_before)) {
                break;
            }
            const uint32_t width = line->indent + style_width(style, line, tail);
            if (tail > line->first && width + 1 > STYLE_COMMENT_COLUMN && width + STYLE_COMMENT_GAP > column) {
                column = width + STYLE_COMMENT_GAP;
            }
        }
        for (; i < end; i++) {
            StyleLine *line = &style->lines.items[i];
            const uint32_t tail = style_tail(style, line);
            if (tail == line->first) {
                line->indent = column;
            } else {
                style->atoms.items[tail].pad = column - line->indent - style_width(style, line, tail) - 1;
            }
        }
        i = i == end ? i + 1 : i;
    }
}

void style_align(Style *style) {
    Members members = { 0 };
    const uint32_t run_count = find_members(style, &members);
    align_points(style, &members, run_count, false);
    align_defaults(style, &members, run_count);
    align_comments(style);
}
