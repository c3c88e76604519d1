// The whole compiler on any bytes: every pass up to the emitters, nothing read and nothing written. It must end, and
// say something wherever it does not write.
#include "compiler/plan/declared/build.h"
#include "compiler/plan/model/plan.h"
#include "compiler/plan/rules/check.h"
#include "emitters/emitter.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void emit(Session *session, const Plan *plan) {
    Output output = { .format = FORMAT_YAML, .wants_map = true };
    emit_all(session, plan, &output);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const Str text = { .data = (const char *)data, .len = size };
    size_t bad = 0;
    if (!str_is_utf8(text, &bad) || memchr(data, 0, size) != NULL) {
        return 0; // source_load() refuses these
    }
    Session *session = session_create();
    const Inputs inputs = { 0 };
    Program *program = program_load_text(session, STR("fuzz.dt"), text, &inputs);
    program_resolve(session, program);
    program_evaluate(session, program);
    program_check(session, program);
    if (!has_errors(session)) {
        const Plan *plan = plan_build(session, program, NULL);
        plan_check(session, plan);
        if (!has_errors(session)) {
            emit(session, plan);
        }
    }
    session_destroy(session);
    return 0;
}
