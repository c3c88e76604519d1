// refresh SCHEMA_DIR DUMPS_DIR: compares what AWS says today with the rows of the schema, and prints what would change
// as one difference. A person reads it, and patch -p1 or git apply takes it. It changes no file. Rows that stay as they
// are do not appear, comments and order included; a type that is gone is named and stays. schema/README.md says how
// dumps are made. Where anything is wrong the difference is not printed.
#include "schema/refresh/refresh.h"

#include "compiler/base/diff.h"

static void print_faults(Session *session) {
    const Diags *diags = &session->diags;
    for (uint32_t i = 0; i < diags->items.count; i++) {
        const Diag *diag = diags->items.items[i];
        if (span_is_none(diag->span)) {
            fprintf(stderr, "refresh: %.*s\n", STR_ARG(diag->message));
            continue;
        }
        const Source *source = source_get(session, diag->span.source);
        const Place place = source_place(session, diag->span.source, diag->span.start);
        fprintf(stderr, "%.*s:%" PRIu32 ":%" PRIu32 ": %.*s\n", STR_ARG(source->path), place.line, place.column,
                STR_ARG(diag->message));
    }
}

static int compare_changes(const void *a, const void *b) {
    return str_compare(((const Change *)a)->path, ((const Change *)b)->path);
}

// The lines that name the files are ours: a new file has none before.
static void print_change(const Refresh *refresh, const Change *change) {
    const Str all = diff_unified(refresh->arena, STR("f"), change->before, change->after);
    const size_t first = str_find(all, STR("@@ "), 0);
    if (first == all.len) {
        return;
    }
    if (change->before.len == 0) {
        printf("--- /dev/null\n");
    } else {
        printf("--- a/%.*s\n", STR_ARG(change->path));
    }
    const Str hunks = str_slice(all, first, all.len);
    printf("+++ b/%.*s\n%.*s", STR_ARG(change->path), STR_ARG(hunks));
}

static bool print_changes(Refresh *refresh) {
    if (refresh->changes.count > 1) {
        qsort(refresh->changes.items, refresh->changes.count, sizeof(Change), compare_changes);
    }
    for (uint32_t i = 0; i < refresh->changes.count; i++) {
        print_change(refresh, &refresh->changes.items[i]);
    }
    const Str remarks = strbuf_str(&refresh->remarks);
    fprintf(stderr, "%.*s", STR_ARG(remarks));
    return fflush(stdout) == 0 && ferror(stdout) == 0;
}

int main(int argc, char **argv) {
    if (argc != 3 || argv[2][0] == '\0') {
        fprintf(stderr, "usage: refresh SCHEMA_DIR DUMPS_DIR\n");
        return 2;
    }
    Session *session = session_create();
    Refresh refresh = {
        .session = session,
        .arena = session->arena,
        .schema = str_of(argv[1]),
        .dumps = str_of(argv[2]),
        .accelerated = { .arena = session->arena },
        .remarks = { .arena = session->arena },
    };
    refresh.dates = dump_read(&refresh, "sources.yaml");
    refresh_instances(&refresh);
    refresh_regions(&refresh);
    refresh_kubernetes(&refresh);
    refresh_plugins(&refresh);
    const bool is_faulty = has_errors(session);
    if (is_faulty) {
        print_faults(session);
    }
    const bool is_printed = !is_faulty && print_changes(&refresh);
    session_destroy(session);
    return is_printed ? 0 : is_faulty ? 1 : 3;
}
