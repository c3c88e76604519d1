// The compiler, as one function: each pass takes what the one before made and leaves it as it is. What is wrong goes
// to the session; nothing is handed on through a gate while there is an error.
#include "compiler/driver/chain.h"

#include "schema/instances.h"

static bool may_write(const Session *session, const BuildRequest *request) {
    return !has_errors(session) && !(request->is_strict && session->diags.warning_count > 0);
}

Build build(Session *session, const BuildRequest *request) {
    Build build = { .output = { .format = request->format, .wants_map = request->wants_map } };

    if (!schema_add_files(session, request->schema_files, request->schema_file_count)) {
        return build; // from here on every instance type that is named can be looked up
    }

    Program *program = program_load(session, request->path, &request->inputs); // lex and parse
    program_resolve(session, program);
    program_evaluate(session, program);
    program_check(session, program);
    if (has_errors(session)) {
        return build; // from here on every value has the type that the schema promises
    }

    build.plan = plan_build(session, program);
    plan_check(session, build.plan); // the rules
    if (has_errors(session)) {
        return build; // from here on all of it can be placed
    }

    for (int i = 0; i < EMITTER_ROW_COUNT; i++) {
        EMITTER_ROWS[i].emit(session, build.plan, &build.output);
    }
    build.output.quotas = &build.plan->quotas; // for plan.json
    plan_check_allows(session, build.plan);
    if (may_write(session, request) && request->directory.len > 0) {
        build.written = output_write(session, request->directory, request->path, &build.output);
    }
    return build;
}
