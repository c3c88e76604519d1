// `dtc lint`: reads the files that it is given, and those in folders, one after the other, and says what is wrong.
#include "compiler/driver/command/command.h"

#include "compiler/base/file.h"
#include "compiler/base/file_walk.h"
#include "compiler/base/load.h"
#include "compiler/plan/rules/check.h"
#include "compiler/readers/foreign.h"

#include <errno.h>
#include <sys/stat.h>

typedef struct {
    uint32_t checked;
    uint32_t skipped;
} Counts;

// ---- which files -------------------------------------------------------------------------------------------------

static bool is_wanted(Str name) {
    static const char *const endings[] = { ".yaml", ".yml", ".json", ".template" };
    for (size_t i = 0; i < COUNT_OF(endings); i++) {
        if (str_ends_with(name, str_of(endings[i]))) {
            return true;
        }
    }
    return false;
}

static void add_path(Run *run, Str path, FilePaths *paths) {
    struct stat status;
    if (stat(str_c(run->arena, path), &status) != 0 || !S_ISDIR(status.st_mode)) {
        vec_push(run->arena, paths, path); // who reads it says what is wrong with it
        return;
    }
    Str at;
    const char *fault = file_walk(run->arena, path, is_wanted, paths, &at);
    if (fault != NULL) {
        report(run->session, SPAN_NONE, DIAG(cannot_read), STR_ARG(at), fault);
    }
}

// ---- standard input ----------------------------------------------------------------------------------------------

// A source with all of it; 0, reported, where it cannot be read.
static uint32_t load_standard_input(Run *run) {
    const Str name = run->options.name.len > 0 ? run->options.name : STR("<stdin>");
    StrBuf text = { .arena = run->arena };
    char part[64 * 1024];
    size_t length;
    while ((length = fread(part, 1, sizeof part, stdin)) > 0 && text.len <= SOURCE_BYTES_MAX) {
        strbuf_add(&text, (Str){ .data = part, .len = length });
    }
    const char *fault = ferror(stdin)                 ? file_fault(run->arena, errno)
                        : text.len > SOURCE_BYTES_MAX ? FILE_TOO_LARGE
                                                      : NULL;
    if (fault != NULL) {
        report(run->session, SPAN_NONE, DIAG(cannot_read), STR_ARG(name), fault);
        return 0;
    }
    return source_add(run->session, name, strbuf_end(&text));
}

// ---- one file ----------------------------------------------------------------------------------------------------

static void lint_source(Run *run, uint32_t source, Counts *counts) {
    Session *session = run->session;
    ForeignPlans plans = { 0 };
    if (foreign_read(session, source, &plans) == FOREIGN_NONE) {
        counts->skipped++;
        return;
    }
    counts->checked++;
    const uint32_t outer = diags_begin_turn(session);
    for (uint32_t i = 0; i < plans.count; i++) {
        plan_check(session, plans.items[i]);
    }
    diags_end_turn(session, outer);
}

static const char *plural(uint32_t count) {
    return count == 1 ? "" : "s";
}

ExitStatus command_lint(Run *run) {
    if (!command_add_schema(run)) {
        return command_status(run);
    }
    FilePaths paths = { 0 };
    for (uint32_t i = 0; i < run->operand_count; i++) {
        add_path(run, run->operands[i], &paths);
    }
    Counts counts = { 0 };
    for (uint32_t i = 0; i < paths.count; i++) {
        const Str path = paths.items[i];
        const uint32_t source =
            str_is(path, "-") ? load_standard_input(run) : source_load(run->session, path, SPAN_NONE);
        if (source != 0) {
            lint_source(run, source, &counts);
        }
    }
    command_print_diagnostics(run);
    if (run->options.diagnostics == DIAGNOSTICS_TEXT) {
        strbuf_add_format(&run->err, "dtc: %u file%s checked, %u passed over\n", counts.checked, plural(counts.checked),
                          counts.skipped);
    }
    return command_status(run);
}
