// `dtc build` and `dtc check`: from the options to a request, and from what the chain did to lines on the terminal.
#include "compiler/driver/chain.h"
#include "compiler/driver/command/command.h"
#include "compiler/driver/render/display.h"
#include "compiler/driver/fix/fix.h"
#include "compiler/driver/mended.h"
#include "compiler/driver/command/next.h"
#include "compiler/driver/command/project.h"
#include "compiler/driver/spare.h"

#include <unistd.h>

#define DEFAULT_FILE "infra.dt"

// The operand, or infra.dt where there is one in the working directory.
static bool find_main_file(const Run *run, Str *path) {
    *path = run->operand_count > 0 ? run->operands[0] : STR(DEFAULT_FILE);
    return run->operand_count > 0 || access(DEFAULT_FILE, F_OK) == 0;
}

static bool is_waiting(const Output *output, Str file) {
    for (uint32_t i = 0; i < output->artifacts.count; i++) {
        if (str_equal(output->artifacts.items[i].name, file)) {
            return output->artifacts.items[i].missing.count > 0;
        }
    }
    return false;
}

static void print_decision(Run *run, const PlanDecision *decision) {
    strbuf_add_format(&run->out, "%.*s: %.*s\n", STR_ARG(decision->subject), STR_ARG(decision->text));
}

static void print_decisions(Run *run, const Plan *plan, const Output *output) {
    for (uint32_t i = 0; i < plan->decisions.count; i++) {
        print_decision(run, plan->decisions.items[i]);
    }
    for (uint32_t i = 0; i < output->decisions.count; i++) {
        if (!is_waiting(output, output->decisions.items[i].file)) {
            print_decision(run, &output->decisions.items[i]);
        }
    }
}

static void print_quotas(Run *run, const Plan *plan) {
    for (uint32_t i = 0; i < plan->quotas.count; i++) {
        const PlanQuota *quota = &plan->quotas.items[i];
        strbuf_add_format(&run->out, "quota %s (%s): %" PRId64 " vCPUs at most%s%s\n", quota->row->code,
                          quota->row->name, quota->vcpus, quota->region == NULL ? "" : " in ",
                          quota->region == NULL ? "" : quota->region->name);
    }
}

static void print_written(Run *run, const Written *written) {
    for (uint32_t i = 0; i < written->count; i++) {
        const WrittenFile *file = &written->items[i];
        const Str path = display_short(run->arena, file->path);
        switch (file->action) {
        case WRITE_NEW:
            strbuf_add_format(&run->out, "wrote %.*s\n", STR_ARG(path));
            break;
        case WRITE_UNCHANGED:
            strbuf_add_format(&run->out, "kept %.*s: nothing changes\n", STR_ARG(path));
            break;
        case WRITE_REMOVED:
            strbuf_add_format(&run->out, "removed %.*s\n", STR_ARG(path));
            break;
        }
    }
}

static BuildRequest request_of(const Run *run, Str path, Str directory) {
    const Options *options = &run->options;
    return (BuildRequest){
        .path = path,
        .inputs = { .arguments = options->arguments.items,
                    .argument_count = (int)options->arguments.count,
                    .param_files = options->param_files.items,
                    .param_file_count = (int)options->param_files.count },
        .schema_files = options->schema_files.items,
        .schema_file_count = (int)options->schema_files.count,
        .fact_files = options->fact_files.items,
        .fact_file_count = (int)options->fact_files.count,
        .is_complete = options->is_complete,
        .core_directory = options->core_directory,
        .format = options->format,
        .wants_map = options->wants_map,
        .is_strict = options->is_strict,
        .directory = directory,
    };
}

static ExitStatus fail_without_file(Run *run) {
    return command_fail(run, STATUS_USAGE, STR("there is no " DEFAULT_FILE " here, and no other file is named"),
                        STR("`dtc init small` writes one to start from, and `dtc init` lists the others"));
}

// With what the project file silenced: nobody else says so.
static void print_diagnostics(Run *run) {
    command_print_diagnostics(run);
    const Str silenced = command_silenced_by_project(run);
    if (silenced.len > 0) {
        strbuf_add_format(&run->err, "dtc: %.*s\n", STR_ARG(silenced));
    }
}

static ExitStatus run_chain(Run *run, Str directory) {
    Str path;
    if (!find_main_file(run, &path)) {
        return fail_without_file(run);
    }
    const Options *options = &run->options;
    const Project *project = NULL;
    if (!command_find_project(run, &project)) {
        return command_status(run);
    }
    run->session->levels = command_levels(run->session, &run->options, project, path);
    const BuildRequest request = request_of(run, path, directory);
    // Whether or not this build gets as far as writing, nobody should go on with files of two builds.
    if (directory.len > 0) {
        (void)output_repair(run->session, directory);
    }
    if (options->core_directory.len > 0) {
        (void)output_repair(run->session, options->core_directory);
    }
    const Build done = build_mended(run->session, &request);
    print_diagnostics(run);
    if (options->diagnostics == DIAGNOSTICS_TEXT && done.written.count > 0) {
        print_decisions(run, done.plan, &done.output);
        print_quotas(run, done.plan);
        print_written(run, &done.written);
        next_print(run, path, &done.output);
    }
    const ExitStatus status = command_status(run);
    if (status == STATUS_ERRORS && !has_errors(run->session) && options->diagnostics == DIAGNOSTICS_TEXT) {
        strbuf_add(&run->err, done.written.count == 0
                                  ? STR("dtc: with --strict a warning is an error: nothing was written\n")
                                  : STR("dtc: with --strict a warning is an error\n"));
    }
    return status;
}

ExitStatus command_build(Run *run) {
    return run_chain(run, run->options.output);
}

// The fixes first, each tried in memory; then one more check of the texts with all of them, whose messages are printed.
static ExitStatus run_fixes(Run *run) {
    Str path;
    if (!find_main_file(run, &path)) {
        return fail_without_file(run);
    }
    Session *session = run->session;
    const Options *options = &run->options;
    const Project *project = NULL;
    if (!command_find_project(run, &project)) {
        return command_status(run);
    }
    session->levels = command_levels(run->session, &run->options, project, path);
    const BuildRequest request = request_of(run, path, STR_NONE);
    const Fixes *fixes = fixes_find(session, &request);
    if (!options->wants_diff) {
        fixes_write(session, fixes);
    }
    if (!has_errors(session)) {
        strbuf_add(options->wants_diff ? &run->out : &run->err,
                   options->wants_diff ? fixes_diff(run->arena, fixes) : fixes_print(session, fixes));
        fixes_lay_over(session, fixes);
    }
    strbuf_add(&run->err, fixes_left(run->arena, fixes));
    build_mended(session, &request);
    fixes_explain(session, fixes);
    print_diagnostics(run);
    const ExitStatus status = command_status(run);
    return status == STATUS_CLEAN && options->wants_diff && fixes->applied.count > 0 ? STATUS_ERRORS : status;
}

static ExitStatus check_one(Run *run) {
    return run->options.wants_fixes ? run_fixes(run) : run_chain(run, STR_NONE);
}

static ExitStatus report_crash(Run *run, const Crash *crash) {
    const Span span = { .source = source_add(run->session, run->operands[0], STR_NONE) };
    report(run->session, span, DIAG(file_crash), crash_name(crash->signal));
    command_print_diagnostics(run);
    return command_status(run);
}

// Each file is a program of its own, with a session of its own.
static ExitStatus check_each(Run *run) {
    ExitStatus worst = STATUS_CLEAN;
    Crashes crashes = { 0 };
    spare_start(&crashes);
    for (uint32_t i = 0; i < run->operand_count; i++) {
        const Crash *crash = crash_on(&crashes, i);
        spare_enter(0, i, str_c(run->arena, run->operands[i]));
        Run one = *run;
        one.session = session_create();
        one.operands = &run->operands[i];
        one.operand_count = 1;
        const ExitStatus status = crash != NULL ? report_crash(&one, crash) : check_one(&one);
        worst = status > worst ? status : worst;
        run->out = one.out;
        run->err = one.err;
        session_destroy(one.session);
        spare_leave(0);
    }
    spare_end();
    return worst;
}

ExitStatus command_check(Run *run) {
    const Options *options = &run->options;
    const ExitStatus usage = command_check_diff(run);
    if (usage != STATUS_CLEAN) {
        return usage;
    }
    if (run->operand_count > 1 && options->diagnostics != DIAGNOSTICS_TEXT &&
        options->diagnostics != DIAGNOSTICS_GITHUB) {
        return command_fail(run, STATUS_USAGE, STR("`--diagnostics` makes one document of one FILE"),
                            STR("check one file at a time, or write `--diagnostics github`"));
    }
    return run->operand_count > 1 ? check_each(run) : check_one(run);
}
