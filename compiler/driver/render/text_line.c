// Lays the marks of one line out in display columns, not bytes. `^` and `-` stand under the text, and the last label
// behind them. The other labels stand below on rows of their own, each hanging on a bar. A very long line is cut around
// its mark.
#include "compiler/driver/render/text_line.h"

#include "compiler/driver/render/display.h"

enum {
    LINE_COLUMNS_MAX = 200,   // a longer line is cut around its mark
    COLUMNS_BEFORE_MARK = 80, // that stay in a cut line
};

static const char *const STYLE_CODES[] = {
    [STYLE_PLAIN] = "\x1b[0m",    [STYLE_BOLD] = "\x1b[1m",       [STYLE_FRAME] = "\x1b[1;34m",
    [STYLE_ERROR] = "\x1b[1;31m", [STYLE_WARNING] = "\x1b[1;33m", [STYLE_NOTE] = "\x1b[1;32m",
};

void text_style(Printer *printer, Style wanted) {
    if (printer->color) {
        strbuf_add(&printer->out, str_of(STYLE_CODES[wanted]));
    }
}

void text_styled(Printer *printer, Style wanted, Str text) {
    text_style(printer, wanted);
    display_add_all(&printer->out, text);
    text_style(printer, STYLE_PLAIN);
}

static Style mark_style(const Printer *printer, const Mark *mark) {
    return mark->is_primary ? printer->primary_style : STYLE_FRAME;
}

// ---- frame -----------------------------------------------------------------------------------------------------

// `   |`, without a line end.
static void add_gutter(Printer *printer) {
    strbuf_add_repeated(&printer->out, ' ', printer->gutter + 1);
    text_styled(printer, STYLE_FRAME, STR("|"));
}

void text_empty_gutter(Printer *printer) {
    add_gutter(printer);
    strbuf_add_char(&printer->out, '\n');
}

static void add_numbered_gutter(Printer *printer, uint32_t line) {
    const Str number = str_format(printer->session->arena, "%-*" PRIu32 " |", (int)printer->gutter, line);
    text_styled(printer, STYLE_FRAME, number);
}

// ---- one line --------------------------------------------------------------------------------------------------

LinePart text_line_part(Str line, size_t around) {
    enum { BYTES_MAX = 8 * LINE_COLUMNS_MAX, BYTES_BEFORE = 4 * LINE_COLUMNS_MAX };
    size_t start = around > BYTES_BEFORE ? around - BYTES_BEFORE : 0;
    size_t end = line.len;
    if (line.len > 2 * BYTES_MAX) {
        end = line.len - start > BYTES_MAX ? start + BYTES_MAX : line.len;
    } else {
        start = 0;
    }
    while (start > 0 && start < line.len && ((unsigned char)line.data[start] & 0xC0) == 0x80) {
        start++; // not in the middle of a character
    }
    return (LinePart){
        .text = str_slice(line, start, end), .start = start, .is_cut_before = start > 0, .is_cut_after = end < line.len
    };
}

// The columns of it that are shown.
typedef struct {
    size_t from;
    size_t to;
    bool is_cut_before;
    bool is_cut_after;
} Window;

static Window window_of(size_t columns, const Mark *marks, size_t count) {
    if (columns <= LINE_COLUMNS_MAX) {
        return (Window){ .from = 0, .to = columns };
    }
    size_t center = marks[0].from;
    for (size_t i = 0; i < count; i++) {
        center = marks[i].is_primary ? marks[i].from : center;
    }
    const size_t from = center > COLUMNS_BEFORE_MARK ? center - COLUMNS_BEFORE_MARK : 0;
    const size_t to = columns - from > LINE_COLUMNS_MAX ? from + LINE_COLUMNS_MAX : columns;
    return (Window){ .from = from, .to = to, .is_cut_before = from > 0, .is_cut_after = to < columns };
}

static void add_source_line(Printer *printer, uint32_t number, Str line, Window window) {
    add_numbered_gutter(printer, number);
    if (line.len > 0) {
        strbuf_add_char(&printer->out, ' ');
        strbuf_add(&printer->out, window.is_cut_before ? STR("…") : STR_NONE);
        display_add(&printer->out, line, window.from + (window.is_cut_before ? 1 : 0),
                    window.to - (window.is_cut_after ? 1 : 0));
        strbuf_add(&printer->out, window.is_cut_after ? STR("…") : STR_NONE);
    }
    strbuf_add_char(&printer->out, '\n');
}

// Into the window; what lies outside of it is shown at its edge.
static void shift_marks(Mark *marks, size_t count, Window window) {
    if (!window.is_cut_before && !window.is_cut_after) {
        return;
    }
    const size_t width = window.to - window.from;
    for (size_t i = 0; i < count; i++) {
        const size_t from = marks[i].from < window.from ? 0 : marks[i].from - window.from;
        const size_t to = marks[i].to < window.from ? 0 : marks[i].to - window.from;
        marks[i].from = from < width ? from : width - 1;
        marks[i].to = to < width ? to : width;
        marks[i].to = marks[i].to > marks[i].from ? marks[i].to : marks[i].from + 1;
    }
}

// The mark that is seen at a column: a primary one hides others, and of equals the one that starts last.
static const Mark *mark_at(const Mark *marks, size_t count, size_t column) {
    const Mark *seen = NULL;
    for (size_t i = 0; i < count; i++) {
        const bool is_there = marks[i].from <= column && column < marks[i].to;
        if (is_there && (seen == NULL || marks[i].is_primary || !seen->is_primary)) {
            seen = &marks[i];
        }
    }
    return seen;
}

static size_t marks_end(const Mark *marks, size_t count) {
    size_t end = 0;
    for (size_t i = 0; i < count; i++) {
        end = marks[i].to > end ? marks[i].to : end;
    }
    return end;
}

// `   |   ---- ^^^ label`. Only the last mark's label has room behind the marks, and only where no mark ends behind it.
static const Mark *add_mark_row(Printer *printer, const Mark *marks, size_t count) {
    add_gutter(printer);
    strbuf_add_char(&printer->out, ' ');
    const size_t end = marks_end(marks, count);
    const Mark *before = NULL;
    for (size_t column = 0; column < end; column++) {
        const Mark *seen = mark_at(marks, count, column);
        if (seen != before) {
            text_style(printer, seen == NULL ? STYLE_PLAIN : mark_style(printer, seen));
        }
        strbuf_add_char(&printer->out, seen == NULL ? ' ' : seen->is_primary ? '^' : '-');
        before = seen;
    }
    const Mark *last = &marks[count - 1];
    const bool is_inline = last->text.len > 0 && last->to == end;
    text_style(printer, STYLE_PLAIN);
    if (is_inline) {
        strbuf_add_char(&printer->out, ' ');
        text_styled(printer, mark_style(printer, last), last->text);
    }
    strbuf_add_char(&printer->out, '\n');
    return is_inline ? last : NULL;
}

// A row of `|` under the first `bars` of the marks, up to, not including, column `end`. Returns the column reached.
static size_t add_bars(Printer *printer, const Mark *const *marks, size_t bars, size_t end) {
    size_t column = 0;
    add_gutter(printer);
    strbuf_add_char(&printer->out, ' ');
    for (size_t i = 0; i < bars; i++) {
        if (marks[i]->from < column || marks[i]->from >= end) {
            continue; // a bar is there already, or the label itself
        }
        strbuf_add_repeated(&printer->out, ' ', marks[i]->from - column);
        text_styled(printer, mark_style(printer, marks[i]), STR("|"));
        column = marks[i]->from + 1;
    }
    return column;
}

// The labels that did not fit behind the marks, from right to left, each on a row of its own.
static void add_label_rows(Printer *printer, const Mark *const *marks, size_t count) {
    if (count == 0) {
        return;
    }
    add_bars(printer, marks, count, SIZE_MAX);
    strbuf_add_char(&printer->out, '\n');
    for (size_t i = count; i > 0; i--) {
        const Mark *mark = marks[i - 1];
        const size_t column = add_bars(printer, marks, i - 1, mark->from);
        strbuf_add_repeated(&printer->out, ' ', mark->from - column);
        text_styled(printer, mark_style(printer, mark), mark->text);
        strbuf_add_char(&printer->out, '\n');
    }
}

void text_marked_line(Printer *printer, Mark *marks, size_t count) {
    const LinePart *part = &marks[0].part;
    Window window = window_of(display_columns(part->text), marks, count);
    window.is_cut_before = window.is_cut_before || part->is_cut_before;
    window.is_cut_after = window.is_cut_after || part->is_cut_after;
    add_source_line(printer, marks[0].line, part->text, window);
    shift_marks(marks, count, window);

    const Mark *shown = add_mark_row(printer, marks, count);
    const Mark **others = arena_new_array(printer->session->arena, const Mark *, count);
    size_t other_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (marks[i].text.len > 0 && &marks[i] != shown) {
            others[other_count++] = &marks[i];
        }
    }
    add_label_rows(printer, others, other_count);
}

void text_gap(Printer *printer, uint32_t source, uint32_t before, uint32_t line) {
    if (line == before + 2) {
        const Str text = text_line_part(source_line(printer->session, source, before + 1), 0).text;
        const size_t columns = display_columns(text);
        const Window all = { .from = 0, .to = columns };
        const Window start = { .from = 0, .to = LINE_COLUMNS_MAX, .is_cut_after = true };
        add_source_line(printer, before + 1, text, columns > LINE_COLUMNS_MAX ? start : all);
    } else if (line > before + 2) {
        text_styled(printer, STYLE_FRAME, STR("..."));
        strbuf_add_char(&printer->out, '\n');
    }
}
