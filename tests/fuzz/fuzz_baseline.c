// Any bytes as a baseline: no crash, and what is written of it is read again without a fault.
#include "compiler/driver/lint/baseline.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const paths[] = { "a.yaml", "/a/b/c.yaml", "../../x/**" };
    Session *session = session_create();
    const Str text = { .data = (const char *)data, .len = size };
    const uint32_t source = source_add(session, STR("b\tc.yaml"), text);
    report(session, (Span){ source, 0, (uint32_t)size }, DIAG(example_id), STR_ARG(STR("x")));
    FilePaths seen = { 0 };
    for (size_t i = 0; i < COUNT_OF(paths); i++) {
        vec_push(session->arena, &seen, str_of(paths[i]));
    }
    const DiagLevel *levels = arena_new_array(session->arena, DiagLevel, DIAG_COUNT);
    const BaselineScope scope = { .paths = &seen, .levels = levels };
    uint32_t bad_line = 0;
    uint32_t count = 0;
    Baseline *old = baseline_read(session, STR("base.tsv"), text, &bad_line);
    baseline_apply(session, old);
    baseline_stale(session, old, &scope, &count);
    const Str written = baseline_text(session, old, &scope, &count);
    Baseline *again = baseline_read(session, STR("base.tsv"), written, &bad_line);
    if (bad_line != 0) {
        abort();
    }
    baseline_apply(session, again);
    if (session->diags.warning_count > 0) {
        abort();
    }
    session_destroy(session);
    return 0;
}
