// `dtc core`: shows the programs with which nodes check themselves and measure each other, before they travel as a blob
// in user data. The programs are the bytes that builds carry. `-o` writes them with the source that they were made
// from.
#include "compiler/driver/command/command.h"

#include "compiler/base/file_set.h"
#include "compiler/driver/output/write.h"
#include "stdlib/library.h"

static const char FOLDER[] = "node/";
static const char *const PROGRAMS[] = { "dtc-node.", "dtc-collective." };

// Its name below node/; empty where it is something else's.
static Str name_of(const StdlibFile *file) {
    const Str path = str_of(file->path);
    return str_starts_with(path, str_of(FOLDER)) ? str_slice(path, sizeof(FOLDER) - 1, path.len) : STR_NONE;
}

// Its folder below node/, "core/"; empty where it is in none.
static Str folder_of(Str name) {
    return str_slice(name, 0, name.len - str_after_last(name, '/').len);
}

static bool is_program(Str name) {
    for (size_t i = 0; i < COUNT_OF(PROGRAMS); i++) {
        if (str_starts_with(name, str_of(PROGRAMS[i]))) {
            return true;
        }
    }
    return false;
}

static void print_programs(Run *run) {
    for (int i = 0; i < STDLIB_FILE_COUNT; i++) {
        const Str name = name_of(&STDLIB_FILES[i]);
        if (is_program(name)) {
            strbuf_add_format(&run->out, "%.*s  %.*s  %zu bytes\n", STR_ARG(str_of(STDLIB_FILES[i].sha256)),
                              STR_ARG(name), STDLIB_FILES[i].text.len);
        }
    }
}

// The files of one folder below node/ ("" or "core/"), whole or none of them. NULL, or what went wrong.
static const char *write_folder(Run *run, Str folder) {
    const Str directory = output_path(run->arena, run->options.output, folder);
    FileSet *files = files_open(run->arena, directory);
    (void)output_repair(run->session, directory); // so that it is said; where it cannot, files_begin() says why
    for (int i = 0; i < STDLIB_FILE_COUNT; i++) {
        const Str name = name_of(&STDLIB_FILES[i]);
        if (name.len == 0 || !str_equal(folder_of(name), folder)) {
            continue;
        }
        const char *fault = file_stage(files, str_after_last(name, '/'), STDLIB_FILES[i].text);
        if (fault != NULL) {
            files_abort(files);
            return fault;
        }
    }
    return files_commit(files);
}

// Folders come one after the other in the table, and one before those in it.
static const char *write_all(Run *run) {
    Str before = STR(".");
    for (int i = 0; i < STDLIB_FILE_COUNT; i++) {
        const Str name = name_of(&STDLIB_FILES[i]);
        const Str folder = folder_of(name);
        if (name.len == 0 || str_equal(folder, before)) {
            continue;
        }
        const char *fault = write_folder(run, folder);
        if (fault != NULL) {
            return fault;
        }
        before = folder;
    }
    return NULL;
}

ExitStatus command_core(Run *run) {
    if ((run->options.seen & OPTION_BIT(OPTION_OUTPUT)) != 0) {
        const char *fault = write_all(run);
        command_print_diagnostics(run);
        if (fault != NULL) {
            return command_fail(
                run, STATUS_FILES,
                str_format(run->arena, "cannot write to `%.*s`: %s", STR_ARG(run->options.output), fault), STR_NONE);
        }
    }
    print_programs(run);
    return STATUS_CLEAN;
}
