// Any bytes as YAML: no crash, no leak, no word on standard error, and a value or a message: the same word at a key that is there
// twice has both.
#include "compiler/base/session.h"
#include "compiler/base/yaml_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__lsan_default_suppressions(void);

// libfyaml 0.7.12 itself loses a buffer when a quoted text with more than 16 escapes has no closing quote.
const char *__lsan_default_suppressions(void) {
    return "leak:libfyaml\nleak:fy_\n";
}

static void check_spans(const Data *value, uint32_t source, size_t length) {
    if (value->span.source != source || value->span.start > value->span.end || value->span.end > length) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Session *session = session_create();
    const uint32_t source = source_add(session, STR("fuzz.yaml"), (Str){ .data = (const char *)data, .len = size });
    const Data *value = yaml_read(session, source);
    if (value == NULL && !has_errors(session)) {
        abort();
    }
    if (value != NULL) {
        for (uint32_t i = 0; value->kind == DATA_MAP && i < value->count; i++) {
            check_spans(value->entries[i].value, source, size);
        }
    }
    session_destroy(session);
    return 0;
}
