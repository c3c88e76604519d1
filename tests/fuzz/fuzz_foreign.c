// Any bytes as a file of another language: no crash, no leak, and all rules run over what was read.
#include "compiler/plan/rules/check.h"
#include "compiler/readers/foreign.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__lsan_default_suppressions(void);

// As in fuzz_yaml_read.c.
const char *__lsan_default_suppressions(void) {
    return "leak:libfyaml\nleak:fy_\n";
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Session *session = session_create();
    const uint32_t source = source_add(session, STR("fuzz.yaml"), (Str){ .data = (const char *)data, .len = size });
    ForeignPlans plans = { 0 };
    const ForeignKind kind = foreign_read(session, source, &plans);
    if (kind == FOREIGN_NONE && (plans.count > 0 || has_errors(session))) {
        abort();
    }
    for (uint32_t i = 0; i < plans.count; i++) {
        plan_check(session, plans.items[i]);
    }
    session_destroy(session);
    return 0;
}
