// Any bytes as a file of another language, by its name YAML and JSON: no crash, no leak, and all rules run over what was read,
// as a whole and by its outline.
#include "compiler/driver/lint/beside.h"
#include "compiler/plan/rules/check.h"
#include "compiler/readers/foreign.h"
#include "compiler/readers/foreign_subject.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__lsan_default_suppressions(void);

// As in fuzz_yaml_read.c.
const char *__lsan_default_suppressions(void) {
    return "leak:libfyaml\nleak:fy_\n";
}

static void judge(Str name, Str text) {
    Session *session = session_create();
    const uint32_t source = source_add(session, name, text);
    const ForeignFile file = foreign_read(session, source, FOREIGN_NONE, READ_ALL);
    if (file.kind == FOREIGN_NONE && (file.plans.count > 0 || has_errors(session))) {
        abort();
    }
    for (uint32_t i = 0; i < file.plans.count; i++) {
        plan_check(session, file.plans.items[i]);
    }
    Beside beside = { .arena = session->arena, .are_kept = true };
    beside_add(&beside, session, STR("other.yaml"), &file);
    beside_check(session, &beside, name, &file);
    if (file.kind != FOREIGN_NONE && file.subject != NULL) {
        foreign_check_allows(session, file.subject);
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
