// Any bytes as a batch script of Slurm, and as another script that launches: no crash, no leak, and all rules run over what was read. Places are in the text.
#include "compiler/driver/lint/lint_file.h"
#include "compiler/plan/model/slurm_script.h"
#include "compiler/readers/foreign_subject.h"
#include "compiler/readers/slurm/slurm_script.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
    if (!holds) {
        abort();
    }
}

static void check_options(const PlanSlurmOptions *options, size_t size) {
    for (uint32_t i = 0; i < options->count; i++) {
        require(options->items[i].name.span.end <= size && options->items[i].value.span.end <= size);
    }
}

static void check_script(const PlanSlurmScript *script, size_t size) {
    check_options(&script->options, size);
    for (uint32_t i = 0; i < script->late.count; i++) {
        require(script->late.items[i].end <= size);
    }
    for (uint32_t i = 0; i < script->steps.count; i++) {
        const PlanSlurmStep *step = &script->steps.items[i];
        require(step->span.end <= size && step->launcher != NULL);
        check_options(&step->options, size);
    }
    for (uint32_t i = 0; i < script->submits.count; i++) {
        require(script->submits.items[i].span.end <= size);
        check_options(&script->submits.items[i].options, size);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const Str text = { .data = (const char *)data, .len = size };
    Session *session = session_create();
    const uint32_t source = source_add(session, STR("fuzz.sbatch"), text);
    const Beside beside = { .arena = session->arena, .are_kept = true };
    lint_file(session, source, FOREIGN_NONE, &beside);
    check_script(slurm_read(session, foreign_file(session, source), source), size);
    const uint32_t other = source_add(session, STR("fuzz.sh"), text);
    lint_file(session, other, FOREIGN_SCRIPT, &beside);
    check_script(slurm_read(session, foreign_file(session, other), other), size);
    session_destroy(session);
    return 0;
}
