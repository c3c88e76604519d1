// Sorts the diagnostics of a session and gives them to the writer of the form.
#include "compiler/driver/render/render.h"

#include "compiler/base/diag/prose.h"

typedef struct {
    const Diag *diag;
    uint32_t number; // in the order they were reported, which decides between equals
} Numbered;

static int compare(const void *a, const void *b) {
    const Numbered *left = a;
    const Numbered *right = b;
    const uint32_t left_keys[] = { left->diag->span.source, left->diag->span.start, left->number };
    const uint32_t right_keys[] = { right->diag->span.source, right->diag->span.start, right->number };
    for (size_t i = 0; i < COUNT_OF(left_keys); i++) {
        if (left_keys[i] != right_keys[i]) {
            return left_keys[i] < right_keys[i] ? -1 : 1;
        }
    }
    return 0;
}

// A message for each file of which some were left out; a text has their number in its last line.
static void add_left_out(Session *session, Numbered *numbered, uint32_t *count) {
    for (uint32_t i = 0; i < session->sources.count; i++) {
        const uint32_t errors = source_get(session, i)->errors_left_out;
        const uint32_t warnings = source_get(session, i)->warnings_left_out;
        if (errors + warnings == 0) {
            continue;
        }
        Diag *diag = arena_new(session->arena, Diag);
        *diag = (Diag){ .id = DIAG_left_out,
                        .severity = errors > 0 ? SEVERITY_ERROR : SEVERITY_WARNING,
                        .span = { .source = i },
                        .message = str_format(session->arena, DIAG_FORMAT_left_out, errors, errors == 1 ? "" : "s",
                                              warnings, warnings == 1 ? "" : "s") };
        diag_complete(session, diag);
        numbered[*count] = (Numbered){ .diag = diag, .number = UINT32_MAX };
        ++*count;
    }
}

static DiagList sorted(Session *session, DiagnosticsFormat format, unsigned flags) {
    const Diags *diags = &session->diags;
    Numbered *numbered = arena_new_array(session->arena, Numbered, (size_t)diags->items.count + session->sources.count);
    uint32_t count = 0;
    for (uint32_t i = 0; i < diags->items.count; i++) {
        if (!diags->items.items[i]->is_allowed) {
            numbered[count++] = (Numbered){ .diag = diags->items.items[i], .number = i };
        }
    }
    if (format != DIAGNOSTICS_TEXT) {
        add_left_out(session, numbered, &count);
    }
    qsort(numbered, count, sizeof(numbered[0]), compare);
    DiagList list = { 0 };
    for (uint32_t i = 0; i < count; i++) {
        if ((flags & RENDER_ERRORS) == 0 || numbered[i].diag->severity == SEVERITY_ERROR) {
            vec_push(session->arena, &list, numbered[i].diag);
        }
    }
    return list;
}

const char *severity_name(Severity severity) {
    switch (severity) {
    case SEVERITY_NOTE:
        return "note";
    case SEVERITY_WARNING:
        return "warning";
    case SEVERITY_ERROR:
        break;
    }
    return "error";
}

Str render_diagnostics(Session *session, DiagnosticsFormat format, unsigned flags) {
    const DiagList list = sorted(session, format, flags);
    switch (format) {
    case DIAGNOSTICS_JSON:
        return render_json(session, &list);
    case DIAGNOSTICS_SARIF:
        return render_sarif(session, &list);
    case DIAGNOSTICS_GITHUB:
        return render_github(session, &list);
    case DIAGNOSTICS_JUNIT:
        return render_junit(session, &list, (flags & RENDER_STRICT) != 0);
    case DIAGNOSTICS_TEXT:
        break;
    }
    return render_text(session, &list, flags);
}
