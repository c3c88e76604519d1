// `check` on any bytes, which goes on behind mistakes: nothing is read and nothing written. It must end, each place that it
// names must be one of the text, and a text in which the first build finds nothing wrong must have nothing wrong.
#include "compiler/driver/mended.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Each input is built up to MENDED_BUILDS_MAX times.
enum { INPUT_BYTES_MAX = 1000 };

static Session *check(Str text, Build run(Session *session, const BuildRequest *request)) {
    Session *session = session_create();
    const BuildRequest request = { .path = STR("/none/fuzz.dt") };
    Overlay *overlay = arena_new(session->arena, Overlay);
    const StandIn stand_in = { .path = request.path, .text = text };
    vec_push(session->arena, overlay, stand_in);
    session->overlay = overlay;
    run(session, &request);
    return session;
}

static void check_place(const Session *session, Span span) {
    if (span.source >= session->sources.count || span.start > span.end ||
        span.end > source_get(session, span.source)->text.len) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const Str text = { .data = (const char *)data, .len = size };
    size_t bad = 0;
    if (size > INPUT_BYTES_MAX || !str_is_utf8(text, &bad) || memchr(data, 0, size) != NULL) {
        return 0; // source_load() refuses what is no text
    }
    Session *first = check(text, build);
    Session *session = check(text, build_mended);
    if (session->diags.items.count < first->diags.items.count || has_errors(session) != has_errors(first)) {
        abort();
    }
    for (uint32_t i = 0; i < session->diags.items.count; i++) {
        const Diag *diag = session->diags.items.items[i];
        check_place(session, diag->span);
        for (uint32_t k = 0; k < diag->labels.count; k++) {
            check_place(session, diag->labels.items[k].span);
        }
    }
    session_destroy(session);
    session_destroy(first);
    return 0;
}
