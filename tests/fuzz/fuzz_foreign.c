// Any bytes as a file of another language, by its name YAML and JSON: no crash, no leak, and all rules run over what was
// read, as a whole and by its outline.
#include "compiler/driver/lint/lint_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__lsan_default_suppressions(void);

// As in fuzz_yaml_read.c.
const char *__lsan_default_suppressions(void) {
    return "leak:libfyaml\nleak:fy_\n";
}

static void judge(Str name, Str text) {
    Session *session = session_create();
    const uint32_t source = source_add(session, name, text);
    Beside beside = { .arena = session->arena, .are_kept = true };
    const ForeignFile other = lint_offer(session, source, FOREIGN_NONE);
    beside_add(&beside, session, STR("other.yaml"), &other);
    const ForeignFile file = lint_file(session, source, FOREIGN_NONE, &beside);
    if (file.kind == FOREIGN_NONE && (file.plans.count > 0 || has_errors(session))) {
        abort();
    }
    foreign_read(session, source, FOREIGN_NONE, READ_NAMES);
    session_destroy(session);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const Str text = { .data = (const char *)data, .len = size };
    judge(STR("fuzz.yaml"), text);
    judge(STR("fuzz.json"), text);
    return 0;
}
