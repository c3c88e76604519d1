// Diagnostics for people: the header, the lines of the source with their marks, then the help. All text from outside
// goes through display.h, so that a hostile file cannot control the terminal.
#include "compiler/driver/render/display.h"
#include "compiler/driver/render/render.h"
#include "compiler/driver/render/text_line.h"

static Style severity_style(Severity severity) {
    switch (severity) {
    case SEVERITY_NOTE:
        return STYLE_NOTE;
    case SEVERITY_WARNING:
        return STYLE_WARNING;
    case SEVERITY_ERROR:
        break;
    }
    return STYLE_ERROR;
}

static void add_arrow(Printer *printer, Str arrow, Span span) {
    strbuf_add_repeated(&printer->out, ' ', printer->gutter);
    text_styled(printer, STYLE_FRAME, arrow);
    strbuf_add_char(&printer->out, ' ');
    display_add_all(&printer->out, source_get(printer->session, span.source)->path);
    const Place place = source_place(printer->session, span.source, span.start);
    strbuf_add_format(&printer->out, ":%" PRIu32 ":%" PRIu32 "\n", place.line, place.column);
}

// `   = help: …`; the lines of a longer text stand below each other.
static void add_remark(Printer *printer, Str word, Str whole) {
    const Str text = display_message(printer->session->arena, whole, DISPLAY_HELP_COLUMNS);
    size_t start = 0;
    for (;;) {
        const size_t end = str_find(text, STR("\n"), start);
        strbuf_add_repeated(&printer->out, ' ', printer->gutter + 1);
        if (start == 0) {
            text_styled(printer, STYLE_FRAME, STR("="));
            strbuf_add_char(&printer->out, ' ');
            text_styled(printer, STYLE_BOLD, word);
            strbuf_add(&printer->out, STR(": "));
        } else {
            strbuf_add_repeated(&printer->out, ' ', word.len + 4);
        }
        display_add_all(&printer->out, str_slice(text, start, end));
        strbuf_add_char(&printer->out, '\n');
        if (end == text.len) {
            return;
        }
        start = end + 1;
    }
}

static size_t columns_to(const LinePart *part, size_t offset) {
    return display_columns(str_slice(part->text, 0, offset > part->start ? offset - part->start : 0));
}

// `anchor` is the place of the first mark of the line: of a very long line, what is around it is shown.
static Mark mark_of(Session *session, Span span, Span anchor, Str text, bool is_primary) {
    const Place place = source_place(session, span.source, span.start);
    const uint32_t line_start = source_get(session, span.source)->line_starts[place.line - 1];
    const Str line = source_line(session, span.source, place.line);
    const size_t first = span.start > line_start ? span.start - line_start : 0;
    const size_t last = span.end > line_start ? span.end - line_start : 0; // behind the line: cut to it
    const LinePart part = text_line_part(line, anchor.start > line_start ? anchor.start - line_start : 0);
    const size_t from = columns_to(&part, first);
    const size_t to = columns_to(&part, last);
    return (Mark){
        .is_primary = is_primary,
        .span = span,
        .text = display_message(session->arena, text, DISPLAY_WORD_COLUMNS),
        .line = place.line,
        .from = from,
        .to = to > from ? to : from + 1,
        .part = part,
    };
}

// Whether `a` is shown before `b`: the primary mark's file first, then by file, line and column. At one column the
// last has the room for its label: the shorter one, or the primary one.
static bool is_before(const Mark *a, const Mark *b, uint32_t primary_source) {
    const size_t a_keys[] = {
        a->span.source != primary_source, a->span.source, a->line, a->from, SIZE_MAX - a->to, a->is_primary
    };
    const size_t b_keys[] = {
        b->span.source != primary_source, b->span.source, b->line, b->from, SIZE_MAX - b->to, b->is_primary
    };
    for (size_t i = 0; i < COUNT_OF(a_keys); i++) {
        if (a_keys[i] != b_keys[i]) {
            return a_keys[i] < b_keys[i];
        }
    }
    return false;
}

typedef VEC(Mark) Marks;

static void insert_mark(Session *session, Marks *marks, Mark mark, uint32_t primary_source) {
    vec_push(session->arena, marks, mark);
    for (uint32_t i = marks->count - 1; i > 0 && is_before(&mark, &marks->items[i - 1], primary_source); i--) {
        marks->items[i] = marks->items[i - 1];
        marks->items[i - 1] = mark;
    }
}

static bool is_on_line(Session *session, Span span, Span other) {
    return span.source == other.source && !span_is_none(span) &&
           source_line_number(session, span.source, span.start) ==
               source_line_number(session, other.source, other.start);
}

// The place that is marked first on the line of a label.
static Span first_on_line(Session *session, const Diag *diag, Span span) {
    if (is_on_line(session, diag->span, span)) {
        return diag->span;
    }
    for (uint32_t i = 0; i < diag->labels.count; i++) {
        if (is_on_line(session, diag->labels.items[i].span, span)) {
            return diag->labels.items[i].span;
        }
    }
    return span;
}

static Marks marks_of(Session *session, const Diag *diag) {
    Marks marks = { 0 };
    if (!span_is_none(diag->span)) {
        vec_push(session->arena, &marks, mark_of(session, diag->span, diag->span, diag->label, true));
    }
    for (uint32_t i = 0; i < diag->labels.count; i++) {
        const DiagLabel *label = &diag->labels.items[i];
        if (!span_is_none(label->span)) {
            const Span anchor = first_on_line(session, diag, label->span);
            insert_mark(session, &marks, mark_of(session, label->span, anchor, label->text, false), diag->span.source);
        }
    }
    return marks;
}

static size_t gutter_width(const Marks *marks) {
    uint32_t largest = 0;
    for (uint32_t i = 0; i < marks->count; i++) {
        largest = marks->items[i].line > largest ? marks->items[i].line : largest;
    }
    size_t width = 1;
    for (; largest >= 10; largest /= 10) {
        width++;
    }
    return width;
}

// The marks of one file: its header, then its lines.
static void add_file(Printer *printer, Mark *marks, uint32_t count, Str arrow) {
    Span place = marks[0].span;
    for (uint32_t i = 0; i < count; i++) {
        place = marks[i].is_primary ? marks[i].span : place;
    }
    add_arrow(printer, arrow, place);
    text_empty_gutter(printer);
    for (uint32_t first = 0; first < count;) {
        uint32_t next = first + 1;
        while (next < count && marks[next].line == marks[first].line) {
            next++;
        }
        if (first > 0) {
            text_gap(printer, place.source, marks[first - 1].line, marks[first].line);
        }
        text_marked_line(printer, &marks[first], next - first);
        first = next;
    }
    text_empty_gutter(printer);
}

static void add_places(Printer *printer, const Marks *marks) {
    for (uint32_t first = 0; first < marks->count;) {
        uint32_t next = first + 1;
        while (next < marks->count && marks->items[next].span.source == marks->items[first].span.source) {
            next++;
        }
        add_file(printer, &marks->items[first], next - first, first == 0 ? STR("-->") : STR(":::"));
        first = next;
    }
}

static void add_remarks(Printer *printer, const Diag *diag) {
    for (uint32_t i = 0; i < diag->helps.count; i++) {
        add_remark(printer, STR("help"), diag->helps.items[i]);
    }
    for (uint32_t i = 0; i < diag->notes.count; i++) {
        add_remark(printer, STR("note"), diag->notes.items[i]);
    }
    for (uint32_t i = 0; i < diag->labels.count; i++) {
        if (span_is_none(diag->labels.items[i].span) && diag->labels.items[i].text.len > 0) {
            add_remark(printer, STR("note"), diag->labels.items[i].text);
        }
    }
    const Str explain = str_format(printer->session->arena, "dtc explain %s", diag_row(diag->id)->code);
    add_remark(printer, STR("note"), explain);
}

static void add_diagnostic(Printer *printer, const Diag *diag) {
    Session *session = printer->session;
    const Marks marks = marks_of(session, diag);
    printer->gutter = gutter_width(&marks);
    printer->primary_style = severity_style(diag->severity);

    text_styled(printer, printer->primary_style,
                str_format(session->arena, "%s[%s]", severity_name(diag->severity), diag_row(diag->id)->code));
    text_style(printer, STYLE_BOLD);
    strbuf_add(&printer->out, STR(": "));
    display_add_all(&printer->out, display_message(session->arena, diag->message, DISPLAY_WORD_COLUMNS));
    text_style(printer, STYLE_PLAIN);
    strbuf_add_char(&printer->out, '\n');

    add_places(printer, &marks);
    add_remarks(printer, diag);
    strbuf_add_char(&printer->out, '\n');
}

// Of those that were too many to be kept, the ones that would be shown.
static uint32_t count_not_shown(const Session *session, unsigned flags) {
    if ((flags & RENDER_ERRORS) == 0) {
        return session->diags.dropped_count;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < session->sources.count; i++) {
        count += source_get(session, i)->errors_left_out;
    }
    return count;
}

static const char *plural(uint32_t count) {
    return count == 1 ? "" : "s";
}

// `dtc: 2 errors, 1 warning (3 not shown)`, `dtc: no errors; --errors leaves out 3 warnings`
static void add_summary(Printer *printer, unsigned flags) {
    const Diags *diags = &printer->session->diags;
    const uint32_t errors = diags->error_count;
    const uint32_t warnings = diags->warning_count;
    const bool are_errors_alone = (flags & RENDER_ERRORS) != 0;
    if (errors == 0 && warnings == 0) {
        return;
    }
    strbuf_add(&printer->out, STR("dtc: "));
    if (errors > 0) {
        strbuf_add_format(&printer->out, "%" PRIu32 " error%s", errors, plural(errors));
    } else if (are_errors_alone) {
        strbuf_add(&printer->out, STR("no errors"));
    }
    if (warnings > 0 && !are_errors_alone) {
        strbuf_add_format(&printer->out, "%s%" PRIu32 " warning%s", errors > 0 ? ", " : "", warnings, plural(warnings));
    }
    const uint32_t not_shown = count_not_shown(printer->session, flags);
    if (not_shown > 0) {
        strbuf_add_format(&printer->out, " (%" PRIu32 " not shown)", not_shown);
    }
    if (warnings > 0 && are_errors_alone) {
        strbuf_add_format(&printer->out, "; --errors leaves out %" PRIu32 " warning%s", warnings, plural(warnings));
    }
    strbuf_add_char(&printer->out, '\n');
}

Str render_text(Session *session, const DiagList *list, unsigned flags) {
    Printer printer = { .session = session, .out = { .arena = session->arena }, .color = (flags & RENDER_COLOR) != 0 };
    for (uint32_t i = 0; i < list->count; i++) {
        add_diagnostic(&printer, list->items[i]);
    }
    if ((flags & RENDER_CODES) != 0 && list->count > RENDER_CODES_ABOVE) {
        strbuf_add(&printer.out, render_codes(session, list));
    }
    add_summary(&printer, flags);
    return strbuf_str(&printer.out);
}
