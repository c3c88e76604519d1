// Reads what commands are given: files, folders, standard input.
#include "compiler/driver/command/paths.h"

#include "compiler/base/file.h"
#include "compiler/base/str_map.h"
#include "compiler/readers/dockerfile/dockerfile_read.h"

#include <errno.h>
#include <sys/stat.h>

bool path_is_foreign(Str name) {
    static const char *const ENDINGS[] = { ".yaml", ".yml", ".json", ".template", ".sbatch", ".slurm", ".sh", ".bash" };
    for (size_t i = 0; i < COUNT_OF(ENDINGS); i++) {
        if (str_ends_with(name, str_of(ENDINGS[i]))) {
            return true;
        }
    }
    return dockerfile_is_called(name);
}

// What others wrote and a tool copied here, and what tests read or hold against what they get: nobody applies a file of
// theirs, and nobody mends one. Go leaves `vendor` and `testdata` out of its patterns as well.
// source: https://pkg.go.dev/cmd/go, "Package lists and patterns", 2026-11
static bool is_of_others(Str name) {
    static const char *const NAMES[] = { "vendor", "third_party", "node_modules", "testdata", "golden" };
    for (size_t i = 0; i < COUNT_OF(NAMES); i++) {
        if (str_is(name, NAMES[i])) {
            return true;
        }
    }
    return false;
}

static void add_path(Run *run, Str path, FileWalk *walk) {
    struct stat status;
    if (stat(str_c(run->arena, path), &status) != 0 || !S_ISDIR(status.st_mode)) {
        vec_push(run->arena, &walk->paths, path); // who reads it says what is wrong with it
        return;
    }
    const uint32_t before = walk->faults.count;
    file_walk(run->arena, path, walk);
    for (uint32_t i = before; i < walk->faults.count; i++) {
        const FolderFault *fault = &walk->faults.items[i];
        report(run->session, SPAN_NONE, DIAG(cannot_read), STR_ARG(fault->folder), fault->why);
    }
}

// The same text for each path to one file: "a", "./a" and "../here/a", and what links lead to. One that is not there is
// its own.
static Str identity(Arena *arena, Str path) {
    struct stat status;
    return stat(str_c(arena, path), &status) != 0
               ? path
               : str_format(arena, "%" PRIu64 "/%" PRIu64, (uint64_t)status.st_dev, (uint64_t)status.st_ino);
}

bool paths_are_files(Run *run) {
    bool are_files = true;
    for (uint32_t i = 0; i < run->operand_count; i++) {
        struct stat status;
        are_files = are_files && (stat(str_c(run->arena, run->operands[i]), &status) != 0 || !S_ISDIR(status.st_mode));
    }
    return are_files;
}

FilePaths paths_of(Run *run, FileWanted *is_wanted, FilePaths *left) {
    FileWalk walk = { .is_wanted = is_wanted, .is_left = left == NULL ? NULL : is_of_others };
    for (uint32_t i = 0; i < run->operand_count; i++) {
        add_path(run, run->operands[i], &walk);
    }
    if (left != NULL) {
        *left = walk.left;
    }
    StrMap seen = { .arena = run->arena };
    FilePaths paths = { 0 };
    for (uint32_t i = 0; i < walk.paths.count; i++) {
        if (str_map_add(&seen, identity(run->arena, walk.paths.items[i]), walk.paths.items) == NULL) {
            vec_push(run->arena, &paths, walk.paths.items[i]);
        }
    }
    return paths;
}

StandardInput standard_input_read(Arena *arena) {
    StandardInput input = { 0 };
    StrBuf text = { .arena = arena };
    char part[64 * 1024];
    size_t length;
    while ((length = fread(part, 1, sizeof part, stdin)) > 0 && text.len <= SOURCE_BYTES_MAX) {
        strbuf_add(&text, (Str){ .data = part, .len = length });
    }
    input.fault = ferror(stdin) ? file_fault(arena, errno) : text.len > SOURCE_BYTES_MAX ? FILE_TOO_LARGE : NULL;
    input.text = strbuf_end(&text);
    return input;
}

uint32_t standard_input_add(Session *session, const Options *options, const StandardInput *input) {
    const Str name = options->name.len > 0 ? options->name : STR("<stdin>");
    if (input->fault != NULL) {
        report(session, SPAN_NONE, DIAG(cannot_read), STR_ARG(name), input->fault);
        return 0;
    }
    return source_add(session, name, input->text);
}
