// Any bytes as a source. There is no crash, and there is an end. Every message points into the source. A source without
// messages has a tree whose items lie in it, one behind the other.
#include "compiler/syntax/ast.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
    if (!holds) {
        abort();
    }
}

static void check_span(Span span, uint32_t source, size_t size) {
    require(span.source == source && span.start <= span.end && span.end <= size);
}

static void check_diag(const Diag *diag, uint32_t source, size_t size) {
    check_span(diag->span, source, size);
    require(diag->message.len > 0);
    for (uint32_t i = 0; i < diag->labels.count; i++) {
        check_span(diag->labels.items[i].span, source, size);
    }
    for (uint32_t i = 0; i < diag->fixes.count; i++) {
        check_span(diag->fixes.items[i].span, source, size);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Session *session = session_create();
    const uint32_t source = source_add(session, STR("fuzz.dt"), (Str){ .data = (const char *)data, .len = size });
    const File *file = parse(session, source);
    for (uint32_t i = 0; i < session->diags.items.count; i++) {
        check_diag(session->diags.items.items[i], source, size);
    }
    require(has_errors(session) || file->edition == 1);
    uint32_t end = 0;
    for (uint32_t i = 0; i < file->items.count; i++) {
        const Item *item = file->items.items[i];
        check_span(item->span, source, size);
        require(item->span.start >= end && item->keyword.start == item->span.start);
        end = item->span.end;
    }
    session_destroy(session);
    return 0;
}
