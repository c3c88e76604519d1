// `check --fix` on any bytes, in memory: nothing is read and nothing written. It must end, what it leaves must be text,
// and a second search must find nothing more.
#include "compiler/driver/fix/fix.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Each input is checked up to FIX_CHECKS_MAX times and more.
enum { INPUT_BYTES_MAX = 2000 };

static const Fixes *find(Session *session, Str text) {
    const BuildRequest request = { .path = STR("/none/fuzz.dt") };
    Overlay *overlay = arena_new(session->arena, Overlay);
    const StandIn stand_in = { .path = request.path, .text = text };
    vec_push(session->arena, overlay, stand_in);
    session->overlay = overlay;
    return fixes_find(session, &request);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const Str text = { .data = (const char *)data, .len = size };
    size_t bad = 0;
    if (size > INPUT_BYTES_MAX || !str_is_utf8(text, &bad) || memchr(data, 0, size) != NULL) {
        return 0; // source_load() refuses what is no text
    }
    Session *session = session_create();
    const Fixes *fixes = find(session, text);
    const FixedFile *file = &fixes->files.items[0];
    if (!str_is_utf8(file->text, &bad) || !str_equal(file->original, text) ||
        (fixes->applied.count == 0 && !str_equal(file->text, text))) {
        abort();
    }
    fixes_print(session, fixes);
    fixes_diff(session->arena, fixes);
    if (fixes->applied.count > 0 && !fixes->is_unsettled && find(session, file->text)->applied.count > 0) {
        abort();
    }
    session_destroy(session);
    return 0;
}
