// Prints the diagnostics of a session and turns them into an exit status. Every command that reads files uses it.
#include "compiler/driver/command/command.h"

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

ExitStatus command_status(const Run *run) {
    const Session *session = run->session;
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
    const bool color = is_text && wants_color(run->options.color);
    diags_complete(run->session);
    strbuf_add(is_text ? &run->err : &run->out, render_diagnostics(run->session, run->options.diagnostics, color));
}

bool command_add_schema(Run *run) {
    const Options *options = &run->options;
    if (schema_add_files(run->session, options->schema_files.items, (int)options->schema_files.count)) {
        return true;
    }
    command_print_diagnostics(run);
    return false;
}
