// `dtc init`: lists what a project can start from, the folders of stdlib/start/. `dtc init NAME [DIR]` writes one.
#include "compiler/driver/command/command.h"
#include "compiler/driver/command/explain.h"

#include "compiler/base/file_set.h"
#include "compiler/base/shell.h"
#include "compiler/base/suggest.h"
#include "compiler/driver/output/print.h"
#include "compiler/driver/output/write.h"
#include "stdlib/library.h"

#include <fcntl.h>
#include <unistd.h>

#define START_FOLDER "start/"
#define SOURCE_FILE "infra.dt"
#define PARAMS_FILE "params.yaml"

// "batch-p5" of "start/batch-p5/infra.dt"; empty: the file is of no start. `*file` is what stands behind it.
static Str start_of(const StdlibFile *file, Str *name) {
    const Str path = str_of(file->path);
    if (!str_starts_with(path, STR(START_FOLDER))) {
        return STR_NONE;
    }
    const size_t begin = sizeof(START_FOLDER) - 1;
    const size_t end = str_find(path, STR("/"), begin);
    *name = str_slice(path, end + 1, path.len);
    return str_slice(path, begin, end);
}

static ExitStatus list_starts(Run *run) {
    Table table = { .arena = run->arena, .columns = 2 };
    for (int i = 0; i < STDLIB_FILE_COUNT; i++) {
        Str name;
        const Str start = start_of(&STDLIB_FILES[i], &name);
        if (start.len > 0 && str_is(name, SOURCE_FILE)) {
            table_add(&table, start);
            table_add(&table, library_summary(STDLIB_FILES[i].text));
        }
    }
    strbuf_add(&run->out, STR("A project can start from\n\n"));
    table_print(&table, &run->out, 2);
    strbuf_add(&run->out,
               STR("\n`dtc init NAME` writes it into the working directory, `dtc init NAME DIR` into DIR.\n"));
    return STATUS_CLEAN;
}

static ExitStatus fail_unknown(Run *run, Str wanted) {
    Suggestion suggestion = { .name = wanted };
    for (int i = 0; i < STDLIB_FILE_COUNT; i++) {
        Str name;
        const Str start = start_of(&STDLIB_FILES[i], &name);
        if (start.len > 0) {
            suggest_offer(&suggestion, start);
        }
    }
    const Str hint = suggestion.best.len > 0
                         ? str_format(run->arena, "did you mean `dtc init %.*s`?", STR_ARG(suggestion.best))
                         : STR("`dtc init` lists what a project can start from");
    return command_fail(run, STATUS_USAGE, str_format(run->arena, "no start is called `%.*s`", STR_ARG(wanted)), hint);
}

// The first file of the start that is there already; empty: none.
static Str file_in_the_way(Run *run, Str wanted, Str directory) {
    for (int i = 0; i < STDLIB_FILE_COUNT; i++) {
        Str name;
        if (!str_equal(start_of(&STDLIB_FILES[i], &name), wanted)) {
            continue;
        }
        const Str path = output_path(run->arena, directory, name);
        if (faccessat(AT_FDCWD, str_c(run->arena, path), F_OK, AT_SYMLINK_NOFOLLOW) == 0) {
            return path;
        }
    }
    return STR_NONE;
}

static const char *write_start(Run *run, Str wanted, Str directory, bool *has_params) {
    FileSet *files = files_open(run->arena, directory);
    const char *fault = NULL;
    for (int i = 0; i < STDLIB_FILE_COUNT && fault == NULL; i++) {
        Str name;
        if (str_equal(start_of(&STDLIB_FILES[i], &name), wanted)) {
            fault = file_stage(files, name, STDLIB_FILES[i].text);
            *has_params = *has_params || str_is(name, PARAMS_FILE);
            const Str path = output_path(run->arena, directory, name);
            strbuf_add_format(&run->out, "wrote %.*s\n", STR_ARG(path));
        }
    }
    if (fault == NULL) {
        return files_commit(files);
    }
    files_abort(files);
    return fault;
}

static void add_next(Run *run, Str directory, bool has_params) {
    strbuf_add(&run->out, STR("\nnext:\n"));
    if (output_path(run->arena, directory, STR_NONE).len > 0) {
        strbuf_add(&run->out, STR("  cd "));
        shell_add_word(&run->out, directory);
        strbuf_add_char(&run->out, '\n');
    }
    if (has_params) {
        strbuf_add(&run->out, STR("  \"${EDITOR:-vi}\" " PARAMS_FILE "\n"));
    }
    strbuf_add_format(&run->out, "  dtc build%s\n", has_params ? " --params " PARAMS_FILE : "");
}

ExitStatus command_init(Run *run) {
    if (run->operand_count == 0) {
        return list_starts(run);
    }
    const Str wanted = run->operands[0];
    const Str directory = run->operand_count > 1 ? run->operands[1] : STR(".");
    const Str source = str_format(run->arena, START_FOLDER "%.*s/" SOURCE_FILE, STR_ARG(wanted));
    if (stdlib_find(source) == NULL) {
        return fail_unknown(run, wanted);
    }
    if (directory.len == 0) {
        return command_fail(run, STATUS_USAGE, STR("the name of the directory is empty"), STR_NONE);
    }
    const Str present = file_in_the_way(run, wanted, directory);
    if (present.len > 0) {
        return command_fail(run, STATUS_FILES, str_format(run->arena, "`%.*s` is there already", STR_ARG(present)),
                            STR("`dtc init` overwrites nothing: name another directory, or move it away"));
    }
    (void)output_repair(run->session, directory); // so that it is said; where it cannot, files_begin() says why
    command_print_diagnostics(run);
    bool has_params = false;
    const char *fault = write_start(run, wanted, directory, &has_params);
    if (fault != NULL) {
        run->out.len = 0; // nothing was written
        return command_fail(run, STATUS_FILES,
                            str_format(run->arena, "cannot write into `%.*s`: %s", STR_ARG(directory), fault),
                            STR_NONE);
    }
    add_next(run, directory, has_params);
    return STATUS_CLEAN;
}
