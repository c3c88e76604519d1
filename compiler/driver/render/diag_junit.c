// Diagnostics as a report of tests, in the XML of JUnit as Jenkins and GitLab read it
// (https://github.com/jenkinsci/xunit-plugin, junit-10.xsd, read 2026-11). Each diagnostic is a test. A file that was
// checked and has none is a test that passed.
#include "compiler/driver/render/render.h"

typedef struct {
    StrBuf out;
    Session *session;
    const DiagList *list;
    bool is_strict;
} Printer;

// What XML has a meaning for is written as an entity. Signs that XML 1.0 does not have are U+FFFD.
static void add_escaped(StrBuf *out, Str text) {
    for (size_t i = 0; i < text.len; i++) {
        const unsigned char c = (unsigned char)text.data[i];
        if (c == '&' || c == '<' || c == '>' || c == '"' || c == '\n' || c == '\r' || c == '\t') {
            strbuf_add_format(out, "&#%u;", (unsigned)c);
        } else if (c < ' ' || c == 0x7F) {
            strbuf_add(out, STR("\xEF\xBF\xBD"));
        } else if (c == 0xEF && i + 2 < text.len && (unsigned char)text.data[i + 1] == 0xBF &&
                   (unsigned char)text.data[i + 2] >= 0xBE) {
            strbuf_add(out, STR("\xEF\xBF\xBD"));
            i += 2;
        } else {
            strbuf_add_char(out, text.data[i]);
        }
    }
}

static void add_attribute(StrBuf *out, const char *name, Str value) {
    strbuf_add_format(out, " %s=\"", name);
    add_escaped(out, value);
    strbuf_add_char(out, '"');
}

static bool is_failure(const Printer *printer, const Diag *diag) {
    return diag->severity == SEVERITY_ERROR || (printer->is_strict && diag->severity == SEVERITY_WARNING);
}

static Str path_of(const Printer *printer, const Diag *diag) {
    return span_is_none(diag->span) ? STR("dtc") : source_get(printer->session, diag->span.source)->path;
}

static void add_remarks(StrBuf *out, const char *word, const Str *texts, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        strbuf_add_format(out, "%s: ", word);
        add_escaped(out, texts[i]);
        strbuf_add_char(out, '\n');
    }
}

static void add_case(Printer *printer, const Diag *diag) {
    StrBuf *out = &printer->out;
    Arena *arena = printer->session->arena;
    const Str path = path_of(printer, diag);
    StrBuf place = { .arena = arena };
    strbuf_add(&place, path);
    if (!span_is_none(diag->span)) {
        const Place start = source_place(printer->session, diag->span.source, diag->span.start);
        strbuf_add_format(&place, ":%" PRIu32 ":%" PRIu32, start.line, start.column);
    }
    const char *code = diag_row(diag->id)->code;
    const char *element = is_failure(printer, diag) ? "failure" : "skipped";
    strbuf_add(out, STR("    <testcase"));
    add_attribute(out, "name", str_format(arena, "%s at %.*s", code, STR_ARG(strbuf_str(&place))));
    add_attribute(out, "classname", path);
    strbuf_add_format(out, ">\n      <%s", element);
    if (is_failure(printer, diag)) {
        add_attribute(out, "type", str_of(severity_name(diag->severity)));
    }
    add_attribute(out, "message", diag->message);
    strbuf_add_char(out, '>');
    add_escaped(out, strbuf_str(&place));
    strbuf_add_format(out, ": %s[%s]: ", severity_name(diag->severity), code);
    add_escaped(out, diag->message);
    strbuf_add_char(out, '\n');
    add_remarks(out, "help", diag->helps.items, diag->helps.count);
    add_remarks(out, "note", diag->notes.items, diag->notes.count);
    strbuf_add_format(out, "</%s>\n    </testcase>\n", element);
}

static void add_passed(Printer *printer, Str path) {
    strbuf_add(&printer->out, STR("    <testcase name=\"dtc\""));
    add_attribute(&printer->out, "classname", path);
    strbuf_add(&printer->out, STR("/>\n"));
}

// Which sources have a diagnostic, by number.
static bool *sources_with_any(const Printer *printer) {
    bool *has_any = arena_new_array(printer->session->arena, bool, printer->session->sources.count);
    for (uint32_t i = 0; i < printer->list->count; i++) {
        has_any[printer->list->items[i]->span.source] = true;
    }
    return has_any;
}

Str render_junit(Session *session, const DiagList *list, bool is_strict) {
    Printer printer = { .out = { .arena = session->arena }, .session = session, .list = list, .is_strict = is_strict };
    uint32_t failures = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        failures += is_failure(&printer, list->items[i]) ? 1 : 0;
        add_case(&printer, list->items[i]);
    }
    const bool *has_any = sources_with_any(&printer);
    uint32_t passed = 0;
    for (uint32_t i = 1; i < session->sources.count; i++) {
        const Source *source = source_get(session, i);
        if ((source->is_program || source->is_checked) && !has_any[i]) {
            add_passed(&printer, source->path);
            passed++;
        }
    }
    const uint32_t tests = list->count + passed;
    const uint32_t skipped = list->count - failures;
    return str_format(session->arena,
                      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                      "<testsuites tests=\"%" PRIu32 "\" failures=\"%" PRIu32 "\" errors=\"0\">\n"
                      "  <testsuite name=\"dtc\" tests=\"%" PRIu32 "\" failures=\"%" PRIu32 "\" errors=\"0\" "
                      "skipped=\"%" PRIu32 "\">\n%.*s  </testsuite>\n</testsuites>\n",
                      tests, failures, tests, failures, skipped, STR_ARG(strbuf_str(&printer.out)));
}
