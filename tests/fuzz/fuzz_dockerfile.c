// Any bytes as a Dockerfile: no crash, and all rules run over what was read. The text that the steps lie in has the length of
// the file and its lines, or blanks in their place, and each step lies in it.
#include "compiler/driver/lint/lint_file.h"
#include "compiler/readers/dockerfile/dockerfile_read.h"
#include "compiler/readers/foreign_subject.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
    if (!holds) {
        abort();
    }
}

static void check_slice(const PlanDockerfile *file, Str slice) {
    const size_t start = slice.len == 0 ? 0 : (size_t)(slice.data - file->text.data);
    require(start + slice.len <= file->text.len);
}

static void check_steps(const PlanDockerfile *file) {
    uint32_t end = 0;
    for (uint32_t i = 0; i < file->steps.count; i++) {
        const DockerStep *step = &file->steps.items[i];
        require(step->whole.start >= end && step->whole.end <= file->text.len);
        end = step->whole.end;
        check_slice(file, step->rest);
        check_slice(file, step->script);
        require(step->stage < (int)file->stages.count);
    }
    for (uint32_t i = 0; i < file->stages.count; i++) {
        require(file->stages.items[i].parent < (int)i && file->stages.items[i].end <= file->steps.count);
    }
    for (uint32_t i = 0; i < file->releases.count; i++) {
        require(file->releases.items[i].span.end <= file->text.len);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const Str text = { .data = (const char *)data, .len = size };
    Session *session = session_create();
    const uint32_t source = source_add(session, STR("Dockerfile"), text);
    const PlanDockerfile *file = dockerfile_read(session, source, foreign_file(session, source));
    if (file != NULL) {
        require(file->text.len == size);
        check_steps(file);
    }
    const Beside beside = { .arena = session->arena };
    lint_file(session, source, FOREIGN_DOCKERFILE, &beside);
    session_destroy(session);
    return 0;
}
