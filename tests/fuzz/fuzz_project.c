// Any bytes as a project file: no crash, no leak, and an answer for any path in a time that does not grow with the globs.
#include "compiler/driver/command/project.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__lsan_default_suppressions(void);

// As in fuzz_yaml_read.c.
const char *__lsan_default_suppressions(void) {
    return "leak:libfyaml\nleak:fy_\n";
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const paths[] = { "a.yaml", "/a/b/c.yaml", "../../x/**", "",
                                         "\xF0\x9F\x98\x80/aaaaaaaaaaaaaaaaaaaaaaaaa" };
    Session *session = session_create();
    const uint32_t source = source_add(session, STR(".dtc.yaml"), (Str){ .data = (const char *)data, .len = size });
    const Project *project = project_read(session, source, STR("/a"));
    for (size_t i = 0; i < COUNT_OF(paths); i++) {
        DiagLevel levels[DIAG_COUNT] = { 0 };
        project_ignores(session, project, str_of(paths[i]));
        project_set_levels(session, project, str_of(paths[i]), levels);
        for (int id = 0; id < DIAG_COUNT; id++) {
            if (levels[id] != LEVEL_AS_IT_IS && diag_row((DiagId)id)->nature == FAULT) {
                abort();
            }
        }
    }
    session_destroy(session);
    return 0;
}
