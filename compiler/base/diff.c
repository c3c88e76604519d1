// Turns two texts into a unified diff. The common lines at both ends are set aside. Myers' algorithm (An O(ND)
// Difference Algorithm, 1986) finds a shortest way from one middle to the other. Changes closer than their context are
// one hunk. A way is a list of steps; both texts are lists of lines, each with its line end.
#include "compiler/base/diff.h"

#include "compiler/base/terminal.h"
#include "compiler/base/vec.h"

#include <limits.h>

typedef VEC(Str) Lines;

typedef enum { STEP_SAME, STEP_REMOVE, STEP_ADD } StepKind;

typedef struct {
    StepKind kind;
    Str line;
} Step;

typedef VEC(Step) DiffSteps;

static Lines split(Arena *arena, Str text) {
    Lines lines = { 0 };
    for (size_t start = 0; start < text.len;) {
        const size_t found = str_find(text, STR("\n"), start);
        const size_t end = found < text.len ? found + 1 : text.len;
        vec_push(arena, &lines, str_slice(text, start, end));
        start = end;
    }
    return lines;
}

static void add_steps(Arena *arena, DiffSteps *steps, StepKind kind, const Str *lines, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        vec_push(arena, steps, (Step){ .kind = kind, .line = lines[i] });
    }
}

// ---- Myers -----------------------------------------------------------------------------------------------------

// A part of both texts. Diagonal k holds the points with x - y = k; x counts lines of the old text, y of the new.
typedef struct {
    const Str *old_lines;
    int old_count;
    const Str *new_lines;
    int new_count;
} Middle;

enum { DIAGONALS = 2 * DIFF_CHANGES_MAX + 3, ZERO = DIFF_CHANGES_MAX + 1 };

// The furthest x on each diagonal after so many changes.
typedef struct {
    int x[DIAGONALS];
} Front;

static bool comes_from_above(const Front *front, int k, int changes) {
    return k == -changes || (k != changes && front->x[ZERO + k - 1] < front->x[ZERO + k + 1]);
}

enum { NOWHERE = INT_MIN / 2 }; // a point outside of the texts, which leads to none inside

static int follow(const Middle *middle, int x, int k) {
    if (x < 0 || x > middle->old_count || x - k > middle->new_count) {
        return NOWHERE;
    }
    while (x < middle->old_count && x - k < middle->new_count &&
           str_equal(middle->old_lines[x], middle->new_lines[x - k])) {
        x++;
    }
    return x;
}

// Fills `fronts` (DIFF_CHANGES_MAX + 1 of them) and returns the number of changes; -1 where there are too many.
static int find_way(const Middle *middle, Front *fronts) {
    const int goal = middle->old_count - middle->new_count;
    for (int changes = 0; changes <= DIFF_CHANGES_MAX; changes++) {
        Front *front = &fronts[changes];
        if (changes > 0) {
            *front = fronts[changes - 1];
        }
        for (int k = -changes; k <= changes; k += 2) {
            int x = 0;
            if (changes > 0) {
                x = comes_from_above(front, k, changes) ? front->x[ZERO + k + 1] : front->x[ZERO + k - 1] + 1;
            }
            front->x[ZERO + k] = follow(middle, x, k);
            if (k == goal && front->x[ZERO + k] >= middle->old_count) {
                return changes;
            }
        }
    }
    return -1;
}

// From the end back to the beginning; the steps come out backwards.
static void add_way_back(Arena *arena, const Middle *middle, const Front *fronts, int changes, DiffSteps *backwards) {
    int x = middle->old_count;
    int y = middle->new_count;
    for (; changes > 0; changes--) {
        const Front *before = &fronts[changes - 1];
        const int k = x - y;
        const bool is_added = comes_from_above(before, k, changes);
        const int from_x = before->x[ZERO + (is_added ? k + 1 : k - 1)];
        const int from_y = from_x - (is_added ? k + 1 : k - 1);
        const int start_x = is_added ? from_x : from_x + 1;
        for (; x > start_x; x--, y--) {
            vec_push(arena, backwards, (Step){ .kind = STEP_SAME, .line = middle->old_lines[x - 1] });
        }
        const Step step = is_added ? (Step){ .kind = STEP_ADD, .line = middle->new_lines[from_y] }
                                   : (Step){ .kind = STEP_REMOVE, .line = middle->old_lines[from_x] };
        vec_push(arena, backwards, step);
        x = from_x;
        y = from_y;
    }
    for (; x > 0; x--) {
        vec_push(arena, backwards, (Step){ .kind = STEP_SAME, .line = middle->old_lines[x - 1] });
    }
}

static void add_middle(Arena *arena, const Middle *middle, DiffSteps *steps) {
    Front *fronts = arena_new_array(arena, Front, DIFF_CHANGES_MAX + 1);
    const int changes = find_way(middle, fronts);
    if (changes < 0) {
        add_steps(arena, steps, STEP_REMOVE, middle->old_lines, (uint32_t)middle->old_count);
        add_steps(arena, steps, STEP_ADD, middle->new_lines, (uint32_t)middle->new_count);
        return;
    }
    DiffSteps backwards = { 0 };
    add_way_back(arena, middle, fronts, changes, &backwards);
    for (uint32_t i = backwards.count; i > 0; i--) {
        vec_push(arena, steps, backwards.items[i - 1]);
    }
}

// The lines from one on. A text without lines has no array that could be pointed into.
static const Str *lines_at(const Lines *lines, uint32_t at) {
    return lines->count == 0 ? NULL : lines->items + at;
}

static DiffSteps compare(Arena *arena, const Lines *old_lines, const Lines *new_lines) {
    const uint32_t least = old_lines->count < new_lines->count ? old_lines->count : new_lines->count;
    uint32_t head = 0;
    while (head < least && str_equal(old_lines->items[head], new_lines->items[head])) {
        head++;
    }
    uint32_t tail = 0;
    while (tail < least - head &&
           str_equal(old_lines->items[old_lines->count - 1 - tail], new_lines->items[new_lines->count - 1 - tail])) {
        tail++;
    }
    const Middle middle = {
        .old_lines = lines_at(old_lines, head),
        .old_count = (int)(old_lines->count - head - tail),
        .new_lines = lines_at(new_lines, head),
        .new_count = (int)(new_lines->count - head - tail),
    };
    DiffSteps steps = { 0 };
    add_steps(arena, &steps, STEP_SAME, old_lines->items, head);
    add_middle(arena, &middle, &steps);
    add_steps(arena, &steps, STEP_SAME, lines_at(old_lines, old_lines->count - tail), tail);
    return steps;
}

// ---- hunks -----------------------------------------------------------------------------------------------------

static void add_step(StrBuf *out, const Step *step) {
    static const char SIGNS[] = { [STEP_SAME] = ' ', [STEP_REMOVE] = '-', [STEP_ADD] = '+' };
    strbuf_add_char(out, SIGNS[step->kind]);
    strbuf_add(out, step->line);
    if (!str_ends_with(step->line, STR("\n"))) {
        strbuf_add(out, STR("\n\\ No newline at end of file\n"));
    }
}

// How many lines of both texts stand in some steps: all but those of the other text.
static uint32_t count_lines(const Step *steps, uint32_t count, StepKind other) {
    uint32_t lines = 0;
    for (uint32_t i = 0; i < count; i++) {
        lines += steps[i].kind != other;
    }
    return lines;
}

// "12,3", "12", or "11,0" for what stands behind line 11.
static void add_range(StrBuf *out, uint32_t lines_before, uint32_t count) {
    strbuf_add_format(out, "%" PRIu32, lines_before + (count > 0 ? 1 : 0));
    if (count != 1) {
        strbuf_add_format(out, ",%" PRIu32, count);
    }
}

static void add_hunk(StrBuf *out, const DiffSteps *steps, uint32_t start, uint32_t end) {
    strbuf_add(out, STR("@@ -"));
    add_range(out, count_lines(steps->items, start, STEP_ADD),
              count_lines(steps->items + start, end - start, STEP_ADD));
    strbuf_add(out, STR(" +"));
    add_range(out, count_lines(steps->items, start, STEP_REMOVE),
              count_lines(steps->items + start, end - start, STEP_REMOVE));
    strbuf_add(out, STR(" @@\n"));
    for (uint32_t i = start; i < end; i++) {
        add_step(out, &steps->items[i]);
    }
}

static uint32_t next_change(const DiffSteps *steps, uint32_t from) {
    while (from < steps->count && steps->items[from].kind == STEP_SAME) {
        from++;
    }
    return from;
}

// Behind the last change that is near enough to the one at `change` to be shown with it.
static uint32_t end_of_changes(const DiffSteps *steps, uint32_t change) {
    for (;;) {
        uint32_t end = change;
        while (end < steps->count && steps->items[end].kind != STEP_SAME) {
            end++;
        }
        change = next_change(steps, end);
        if (change == steps->count || change - end > 2 * DIFF_CONTEXT) {
            return end;
        }
    }
}

// Writes a path as GNU diff does, and as patch and git read it. A tab ends a path with blanks in it. A path with bytes
// that a terminal acts upon stands in quotes, with these bytes as octal numbers.
static void add_path(StrBuf *out, const char *mark, Str path) {
    const bool is_plain =
        terminal_is_safe(path) && str_find(path, STR("\""), 0) == path.len && str_find(path, STR("\\"), 0) == path.len;
    strbuf_add(out, str_of(mark));
    if (is_plain) {
        const bool has_blank = str_find(path, STR(" "), 0) < path.len;
        strbuf_add_format(out, "%.*s%s\n", STR_ARG(path), has_blank ? "\t" : "");
        return;
    }
    strbuf_add_char(out, '"');
    for (size_t i = 0; i < path.len; i++) {
        const char c = path.data[i];
        if (c < ' ' || c > '~' || c == '"' || c == '\\') {
            strbuf_add_format(out, "\\%03o", (unsigned)(unsigned char)c);
        } else {
            strbuf_add_char(out, c);
        }
    }
    strbuf_add(out, STR("\"\n"));
}

Str diff_unified(Arena *arena, Str path, Str before, Str after) {
    StrBuf out = { .arena = arena };
    const Lines old_lines = split(arena, before);
    const Lines new_lines = split(arena, after);
    const DiffSteps steps = compare(arena, &old_lines, &new_lines);
    for (uint32_t change = next_change(&steps, 0); change < steps.count; change = next_change(&steps, change)) {
        if (out.len == 0) {
            add_path(&out, "--- ", path);
            add_path(&out, "+++ ", path);
        }
        const uint32_t changes_end = end_of_changes(&steps, change);
        const uint32_t start = change > DIFF_CONTEXT ? change - DIFF_CONTEXT : 0;
        const uint32_t end = steps.count - changes_end > DIFF_CONTEXT ? changes_end + DIFF_CONTEXT : steps.count;
        add_hunk(&out, &steps, start, end);
        change = changes_end;
    }
    return strbuf_str(&out);
}
