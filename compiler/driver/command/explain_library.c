// `dtc explain std` lists the modules of the library, and `dtc explain std/eks-p5` prints one: its comments are its page.
#include "compiler/driver/command/explain.h"

#include "compiler/driver/output/print.h"
#include "stdlib/library.h"

Str library_summary(Str text) {
    const size_t start = str_find(text, STR("\n# "), 0);
    if (start == text.len) {
        return STR_NONE;
    }
    const size_t sign = sizeof("\n# ") - 1;
    const size_t end = str_find(text, STR("\n"), start + 1);
    const Str line = str_slice(text, start + sign, end);
    const size_t stop = str_find(line, STR(". "), 0); // the first sentence, where the line has more than that
    return str_slice(line, 0, stop < line.len ? stop + 1 : line.len);
}

static void list_modules(Run *run) {
    Table table = { .arena = run->arena, .columns = 2 };
    for (int i = 0; i < STDLIB_FILE_COUNT; i++) {
        if (stdlib_is_module(&STDLIB_FILES[i])) {
            table_add(&table, str_of(STDLIB_FILES[i].path));
            table_add(&table, library_summary(STDLIB_FILES[i].text));
        }
    }
    table_print(&table, &run->out, 0);
    strbuf_add(&run->out,
               STR("\n`use \"std/vpc.dt\" as std` reads one, `like std.BLOCK` copies a block of it, and `dtc explain "
                   "std/vpc` prints it.\n"));
}

bool explain_library(Run *run, Str topic) {
    if (str_is(topic, "std")) {
        list_modules(run);
        return true;
    }
    const StdlibFile *file = stdlib_find(topic);
    if (file == NULL) {
        file = stdlib_find(str_format(run->arena, "%.*s.dt", STR_ARG(topic)));
    }
    if (file == NULL || !stdlib_is_module(file)) {
        return false;
    }
    strbuf_add(&run->out, file->text);
    return true;
}

void explain_offer_modules(Run *run, Str topic, Suggestion *suggestion) {
    if (!str_starts_with(topic, STR("std/"))) {
        return;
    }
    for (int i = 0; i < STDLIB_FILE_COUNT; i++) {
        const Str path = str_of(STDLIB_FILES[i].path);
        if (stdlib_is_module(&STDLIB_FILES[i])) {
            const size_t end = str_ends_with(topic, STR(".dt")) ? path.len : str_find(path, STR(".dt"), 0);
            suggest_offer(suggestion, str_copy(run->arena, str_slice(path, 0, end)));
        }
    }
}
