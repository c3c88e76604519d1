// Prints the diagnostics of a session and turns them into an exit status. Every command that reads files uses it.
#include "compiler/driver/command/command.h"
#include "compiler/driver/command/project.h"

#include "compiler/base/diag/prose.h"
#include "schema/instances.h"

#include <unistd.h>

// True where a file that the command line names, or an output, could not be read or written: the machine's fault or
// the caller's. A file that the source names is the source's mistake.
static bool has_file_fault(const Session *session) {
    for (uint32_t i = 0; i < session->diags.items.count; i++) {
        const Diag *diag = session->diags.items.items[i];
        if (span_is_none(diag->span) && (diag->id == DIAG_cannot_read || diag->id == DIAG_cannot_write ||
                                         diag->id == DIAG_interrupted || diag->id == DIAG_set_partial)) {
            return true;
        }
    }
    return false;
}

static bool has_crash(const Session *session) {
    for (uint32_t i = 0; i < session->diags.items.count; i++) {
        if (session->diags.items.items[i]->id == DIAG_file_crash) {
            return true;
        }
    }
    return false;
}

ExitStatus command_status(const Run *run) {
    const Session *session = run->session;
    if (has_crash(session)) {
        return STATUS_INTERNAL;
    }
    if (has_errors(session)) {
        return has_file_fault(session) ? STATUS_FILES : STATUS_ERRORS;
    }
    return run->options.is_strict && session->diags.warning_count > 0 ? STATUS_ERRORS : STATUS_CLEAN;
}

// https://no-color.org: set and not empty means no colour, whatever the value.
static bool wants_color(ColorMode mode) {
    switch (mode) {
    case COLOR_ALWAYS:
        return true;
    case COLOR_NEVER:
        return false;
    case COLOR_AUTO:
        break;
    }
    const char *no_color = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    const bool is_refused =
        (no_color != NULL && no_color[0] != '\0') || (terminal != NULL && str_is(STR("dumb"), terminal));
    return !is_refused && isatty(STDERR_FILENO) == 1;
}

void command_print_diagnostics(Run *run) {
    const bool is_text = run->options.diagnostics == DIAGNOSTICS_TEXT;
    const unsigned flags = (is_text && wants_color(run->options.color) ? RENDER_COLOR : 0) |
                           (run->options.is_strict ? RENDER_STRICT : 0) |
                           (run->options.wants_errors ? RENDER_ERRORS : 0) | (run->counts_codes ? RENDER_CODES : 0);
    diags_complete(run->session);
    strbuf_add(is_text ? &run->err : &run->out, render_diagnostics(run->session, run->options.diagnostics, flags));
}

bool command_find_project(Run *run, const Project **project) {
    const Options *options = &run->options;
    *project = options->has_no_config    ? NULL
               : options->config.len > 0 ? project_read_named(run->session, options->config)
                                         : project_find(run->session);
    if (!has_errors(run->session)) {
        return true;
    }
    command_print_diagnostics(run);
    return false;
}

// ---- what is silenced ------------------------------------------------------------------------------------------------

static Str silenced_text(const Run *run, uint32_t by_allow) {
    const Diags *diags = &run->session->diags;
    const Str file = run->options.config.len > 0 ? run->options.config : STR(PROJECT_FILE);
    const uint32_t by_project = diags->silenced[SILENCED_BY_PROJECT];
    const uint32_t lowered = diags->silenced[LOWERED_BY_PROJECT];
    const uint32_t all = by_project + by_allow;
    StrBuf text = { .arena = run->arena };
    if (all > 0) {
        strbuf_add_format(&text, "%" PRIu32 " finding%s silenced: ", all, all == 1 ? "" : "s");
    }
    if (by_project > 0) {
        strbuf_add_format(&text, "%" PRIu32 " by %.*s", by_project, STR_ARG(file));
    }
    if (by_allow > 0) {
        strbuf_add_format(&text, "%s%" PRIu32 " by dtc-allow", by_project > 0 ? ", " : "", by_allow);
    }
    if (lowered > 0) {
        strbuf_add_format(&text, "%s%" PRIu32 " finding%s lowered by %.*s", all > 0 ? "; " : "", lowered,
                          lowered == 1 ? "" : "s", STR_ARG(file));
    }
    return strbuf_str(&text);
}

Str command_silenced(const Run *run) {
    return silenced_text(run, run->session->diags.silenced[SILENCED_BY_ALLOW]);
}

Str command_silenced_by_project(const Run *run) {
    return silenced_text(run, 0);
}

// `--only` turns the other rules off. It names rules, so faults stay.
static void keep_only(const Options *options, DiagLevel *levels) {
    for (int id = 0; id < DIAG_COUNT; id++) {
        bool is_wanted = diag_row((DiagId)id)->nature == FAULT;
        for (uint32_t i = 0; i < options->only.count; i++) {
            is_wanted = is_wanted || options->only.items[i] == (DiagId)id;
        }
        levels[id] = is_wanted ? levels[id] : LEVEL_SKIPPED;
    }
}

const DiagLevel *command_levels(Session *session, const Options *options, const Project *project, Str path) {
    DiagLevel *levels = arena_new_array(session->arena, DiagLevel, DIAG_COUNT);
    project_set_levels(session, project, path, levels);
    if (options->only.count > 0) {
        keep_only(options, levels);
    }
    for (uint32_t i = 0; i < options->skip.count; i++) {
        levels[options->skip.items[i]] = LEVEL_SKIPPED;
    }
    return levels;
}

bool command_add_schema(Run *run) {
    const Options *options = &run->options;
    if (schema_add_files(run->session, options->schema_files.items, (int)options->schema_files.count)) {
        return true;
    }
    command_print_diagnostics(run);
    return false;
}
