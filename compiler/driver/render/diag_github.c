// Diagnostics as workflow commands of GitHub Actions, one line each, which it shows beside the changed lines
// (https://docs.github.com/actions/reference/workflow-commands-for-github-actions). Escapes are those of its toolkit
// (packages/core/src/command.ts): %, CR and LF everywhere, `:` and `,` in properties too.
#include "compiler/driver/render/render.h"

#include "compiler/driver/render/display.h"

typedef enum { IN_MESSAGE, IN_PROPERTY } Part;

// What else a terminal would act upon has no escape: U+FFFD stands for it.
static void add_escaped(StrBuf *buffer, Str text, Part part) {
    const char *const escaped = part == IN_PROPERTY ? "%\r\n:," : "%\r\n";
    size_t start = 0;
    for (size_t i = 0; i <= text.len; i++) {
        const char c = i < text.len ? text.data[i] : '\n';
        if (c == 0 || strchr(escaped, c) == NULL) {
            continue;
        }
        display_add_all(buffer, str_slice(text, start, i));
        if (i < text.len) {
            strbuf_add_format(buffer, "%%%02X", (unsigned)(unsigned char)c);
        }
        start = i + 1;
    }
}

static const char *level_of(Severity severity) {
    return severity == SEVERITY_NOTE ? "notice" : severity_name(severity);
}

// Columns are for marks within one line only; GitHub drops an annotation that has them on several.
static void add_place(Session *session, StrBuf *buffer, Span span) {
    const Place start = source_place(session, span.source, span.start);
    const Place end = source_place(session, span.source, span.end);
    strbuf_add(buffer, STR("file="));
    add_escaped(buffer, source_get(session, span.source)->path, IN_PROPERTY);
    strbuf_add_format(buffer, ",line=%" PRIu32 ",endLine=%" PRIu32, start.line, end.line);
    if (start.line == end.line) {
        strbuf_add_format(buffer, ",col=%" PRIu32 ",endColumn=%" PRIu32, start.column, end.column);
    }
    strbuf_add_char(buffer, ',');
}

static void add_remarks(StrBuf *buffer, const char *word, const Str *texts, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        strbuf_add_format(buffer, "%%0A%s: ", word);
        add_escaped(buffer, display_message(buffer->arena, texts[i], DISPLAY_HELP_COLUMNS), IN_MESSAGE);
    }
}

Str render_github(Session *session, const DiagList *list) {
    StrBuf buffer = { .arena = session->arena };
    for (uint32_t i = 0; i < list->count; i++) {
        const Diag *diag = list->items[i];
        strbuf_add_format(&buffer, "::%s ", level_of(diag->severity));
        if (!span_is_none(diag->span)) {
            add_place(session, &buffer, diag->span);
        }
        strbuf_add_format(&buffer, "title=%s::", diag_row(diag->id)->code);
        add_escaped(&buffer, display_message(session->arena, diag->message, DISPLAY_WORD_COLUMNS), IN_MESSAGE);
        add_remarks(&buffer, "help", diag->helps.items, diag->helps.count);
        add_remarks(&buffer, "note", diag->notes.items, diag->notes.count);
        strbuf_add_char(&buffer, '\n');
    }
    return strbuf_str(&buffer);
}
