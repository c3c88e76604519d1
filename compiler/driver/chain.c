// The compiler as one function. Each pass reads what those before it made. Mistakes go to the session. At a gate,
// program_leave_out() takes the blocks out of the program that have a mistake, with those that stand on them. All others
// go on, so that one run finds the mistakes of every pass.
#include "compiler/driver/chain.h"

#include "compiler/driver/lint/judge.h"
#include "compiler/plan/declared/build.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/check.h"
#include "schema/instances.h"
#include "emitters/deployment/waiting.h"

static bool may_write(const Session *session, const BuildRequest *request) {
    return !has_errors(session) && !(request->is_strict && session->diags.warning_count > 0);
}

// `*facts` is NULL where no file is given. False, reported, where one cannot be read.
static bool load_facts(Session *session, const BuildRequest *request, Facts **facts) {
    const uint32_t before = session->diags.error_count;
    *facts = request->fact_file_count == 0 ? NULL : arena_new(session->arena, Facts);
    for (int i = 0; i < request->fact_file_count; i++) {
        facts_load(session, request->fact_files[i], *facts);
    }
    return session->diags.error_count == before;
}

// What only the finished texts show, and what no check needed, of all that has no mistake so far. The texts are not
// kept.
static void check_texts(Session *session, Program *program, const Facts *facts, Output scratch) {
    if (program_leave_out_judged(session, program)) {
        const Plan *plan = plan_build(session, program, facts);
        emit_all(session, plan, &scratch);
        plan_check_allows(session, plan);
    }
}

Build build(Session *session, const BuildRequest *request) {
    Build build = { .output = { .format = request->format,
                                .wants_map = request->wants_map,
                                .core_directory = request->core_directory } };

    if (!schema_add_files(session, request->schema_files, request->schema_file_count)) {
        return build;
    }

    // Every instance type that is named can be looked up.
    Program *program = program_load(session, request->path, &request->inputs); // lex and parse
    program_resolve(session, program);
    program_evaluate(session, program);
    program_check(session, program);
    Facts *facts = NULL;
    const bool has_facts = load_facts(session, request, &facts);
    if (!program_leave_out(session, program) || !has_facts) {
        return build;
    }

    // Every value has the type that the schema promises.
    build.plan = plan_build(session, program, facts);
    plan_check(session, build.plan); // the rules
    if (request->goal == BUILD_PLAN) {
        return build;
    }
    if (has_errors(session)) {
        check_texts(session, program, facts, build.output);
        return build;
    }

    // All of it can be placed.
    emit_all(session, build.plan, &build.output);
    judge(session, build.plan, &build.output); // the author's own words in what is finished
    build.output.quotas = &build.plan->quotas; // for plan.json
    waiting_check(session, facts, &build.output, request->is_complete);
    plan_check_allows(session, build.plan);
    if (may_write(session, request) && request->directory.len > 0) {
        build.written = output_write(session, request->directory, request->path, &build.output);
    }
    return build;
}
