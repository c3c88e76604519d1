// Any bytes as JSON: no crash, no leak; and what was read, written and read again is written the same. An object alone is a
// stream of one.
#include "compiler/base/json.h"
#include "compiler/base/session.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Session *session = session_create();
    const Str text = { .data = (const char *)data, .len = size };
    const uint32_t source = source_add(session, STR("fuzz.json"), text);
    const Data *value = json_read(session, source);
    if ((value == NULL) != has_errors(session)) {
        abort();
    }
    const bool is_stream = json_check_stream(session, source);
    if (value != NULL && value->kind == DATA_MAP && !is_stream) {
        abort();
    }
    if (value != NULL) {
        const Str once = json_write(session->arena, value);
        const Data *again = json_read(session, source_add(session, STR("again.json"), once));
        if (again == NULL || !str_equal(once, json_write(session->arena, again))) {
            abort();
        }
    }
    session_destroy(session);
    return 0;
}
