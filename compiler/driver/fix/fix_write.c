// Writes the fixed files, and says in words what was fixed.
#include "compiler/driver/fix/fix.h"

#include "compiler/base/diff.h"
#include "compiler/base/file.h"
#include "compiler/base/file_set.h"
#include "compiler/base/interrupt.h"
#include "compiler/driver/output/write.h"
#include "compiler/driver/render/display.h"

static const char BYTE_ORDER_MARK[] = "\xEF\xBB\xBF";

static Str content_of(Arena *arena, const FixedFile *file, Str text) {
    return str_format(arena, "%s%.*s", file->has_mark ? BYTE_ORDER_MARK : "", STR_ARG(text));
}

static bool is_changed(const FixedFile *file) {
    return !str_equal(file->text, file->original);
}

// ---- files -----------------------------------------------------------------------------------------------------

// An editor may have saved the file meanwhile; what was found says nothing about that text.
static const char *fault_since(Arena *arena, const FixedFile *file) {
    Str content;
    const char *fault = file_read(arena, file->path, SOURCE_BYTES_MAX, &content);
    if (fault != NULL) {
        return fault;
    }
    return str_equal(content, content_of(arena, file, file->original)) ? NULL : "it was changed in the meantime";
}

static void report_fault(Session *session, Str path, const char *fault) {
    write_report_fault(session, path, fault, "see that dtc may write into its folder, and run it again");
}

// The files of one folder.
typedef struct {
    Str directory;
    FileSet *files;
    Str last; // path of one of its files
} Folder;

typedef VEC(Folder) Folders;

static Folder *folder_of(Arena *arena, Folders *folders, Str directory) {
    for (uint32_t i = 0; i < folders->count; i++) {
        if (str_equal(folders->items[i].directory, directory)) {
            return &folders->items[i];
        }
    }
    const Folder folder = { .directory = directory, .files = files_open_sources(arena, directory) };
    vec_push(arena, folders, folder);
    return &folders->items[folders->count - 1];
}

// NULL, or what went wrong.
static const char *stage(Arena *arena, Folders *folders, const FixedFile *file) {
    Str directory;
    Str name;
    const char *fault = file_target(arena, file->path, &directory, &name);
    if (fault != NULL) {
        return fault;
    }
    Folder *folder = folder_of(arena, folders, directory);
    folder->last = file->path;
    fault = files_begin(folder->files);
    // Another dtc may have had the folder before.
    fault = fault == NULL ? fault_since(arena, file) : fault;
    return fault == NULL ? file_stage(folder->files, name, content_of(arena, file, file->text)) : fault;
}

static bool stage_all(Session *session, const Fixes *fixes, Folders *folders) {
    for (uint32_t i = 0; i < fixes->files.count; i++) {
        const FixedFile *file = &fixes->files.items[i];
        const char *fault = is_changed(file) ? stage(session->arena, folders, file) : NULL;
        if (fault != NULL) {
            report_fault(session, file->path, fault);
            return false;
        }
    }
    return true;
}

void fixes_write(Session *session, const Fixes *fixes) {
    Folders folders = { 0 };
    Interrupts interrupts;
    interrupts_hold(&interrupts);
    bool is_well = stage_all(session, fixes, &folders);
    for (uint32_t i = 0; i < folders.count; i++) {
        const Folder *folder = &folders.items[i];
        if (!is_well) {
            files_abort(folder->files);
            continue;
        }
        const char *fault = files_commit(folder->files);
        if (fault != NULL) {
            report_fault(session, folder->last, fault);
            is_well = false;
        }
    }
    interrupts_release(&interrupts);
}

// ---- words -----------------------------------------------------------------------------------------------------

enum { SHOWN_COLUMNS_MAX = 60 }; // of what was replaced, and of what stands there now

// Within backquotes, on one line.
static void add_shown(StrBuf *out, Str text) {
    StrBuf line = { .arena = out->arena };
    for (size_t i = 0; i < text.len; i++) {
        if (text.data[i] == '\n' || text.data[i] == '\t') {
            strbuf_add(&line, text.data[i] == '\n' ? STR("\\n") : STR("\\t"));
        } else if (text.data[i] != '\r') {
            strbuf_add_char(&line, text.data[i]);
        }
    }
    const Str whole = strbuf_str(&line);
    const bool is_long = display_columns(whole) > SHOWN_COLUMNS_MAX;
    strbuf_add_char(out, '`');
    display_add(out, whole, 0, is_long ? SHOWN_COLUMNS_MAX - 1 : display_columns(whole));
    strbuf_add(out, is_long ? STR("…`") : STR("`"));
}

static void add_change(StrBuf *out, const AppliedFix *applied) {
    if (applied->before.len == 0) {
        strbuf_add(out, STR("puts in "));
        add_shown(out, applied->after);
    } else if (applied->after.len == 0) {
        strbuf_add(out, STR("takes out "));
        add_shown(out, applied->before);
    } else {
        add_shown(out, applied->before);
        strbuf_add(out, STR(" -> "));
        add_shown(out, applied->after);
    }
    if (applied->more_count > 0) {
        strbuf_add_format(out, ", and %" PRIu32 " more like it", applied->more_count);
    }
    strbuf_add_char(out, '\n');
}

// In its place in the order of the text, which is not that of application.
static void insert(AppliedFix *applied, size_t count, AppliedFix new_fix) {
    size_t place = count;
    for (; place > 0 && applied[place - 1].start > new_fix.start; place--) {
        applied[place] = applied[place - 1];
    }
    applied[place] = new_fix;
}

static void add_file(Session *session, const Fixes *fixes, const FixedFile *file, StrBuf *out) {
    AppliedFix *applied = arena_new_array(session->arena, AppliedFix, fixes->applied.count);
    size_t count = 0;
    for (uint32_t i = 0; i < fixes->applied.count; i++) {
        if (str_equal(fixes->applied.items[i].path, file->path)) {
            insert(applied, count++, fixes->applied.items[i]);
        }
    }
    const uint32_t number = count == 0 ? 0 : source_add(session, file->path, file->text);
    for (size_t i = 0; i < count; i++) {
        const Place place = source_place(session, number, applied[i].start);
        display_add_all(out, file->path);
        strbuf_add_format(out, ":%" PRIu32 ":%" PRIu32 ": %s: ", place.line, place.column, applied[i].code);
        add_change(out, &applied[i]);
    }
}

Str fixes_print(Session *session, const Fixes *fixes) {
    StrBuf out = { .arena = session->arena };
    for (uint32_t i = 0; i < fixes->files.count; i++) {
        add_file(session, fixes, &fixes->files.items[i], &out);
    }
    return strbuf_str(&out);
}

Str fixes_diff(Arena *arena, const Fixes *fixes) {
    StrBuf out = { .arena = arena };
    for (uint32_t i = 0; i < fixes->files.count; i++) {
        const FixedFile *file = &fixes->files.items[i];
        strbuf_add(&out, diff_unified(arena, file->path, content_of(arena, file, file->original),
                                      content_of(arena, file, file->text)));
    }
    return strbuf_str(&out);
}

Str fixes_left(Arena *arena, const Fixes *fixes) {
    return fixes->is_too_much
               ? str_format(
                     arena,
                     "dtc: more than %d messages: `--fix` leaves them, as it could not tell a new one from them\n",
                     DIAGS_MAX_OF_FIXES)
               : STR_NONE;
}
