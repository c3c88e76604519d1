// Reads what commands are given: files, folders, standard input.
#include "compiler/driver/command/paths.h"

#include "compiler/base/file.h"

#include <errno.h>
#include <sys/stat.h>

void paths_add(Run *run, Str path, FileWanted *is_wanted, FilePaths *paths) {
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

uint32_t load_standard_input(Run *run) {
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
