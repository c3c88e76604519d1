// Reads `.dtc.yaml`, and finds what it says of a file.
#include "compiler/driver/command/project.h"

#include "compiler/base/data.h"
#include "compiler/base/diag/prose.h"
#include "compiler/base/file_walk.h"
#include "compiler/base/glob.h"
#include "compiler/base/load.h"
#include "compiler/base/path_whole.h"
#include "compiler/base/suggest.h"
#include "compiler/base/yaml_read.h"

#include <sys/stat.h>

typedef VEC(Str) Texts;

// An entry of `rules` or of `ignore`.
typedef struct {
    VEC(DiagId) codes;
    DiagLevel level;
    Texts paths;         // globs; none: all files
    const Data **places; // of the globs
} Entry;

typedef VEC(Entry) Entries;

#define OTHER_NAME ".dtc.yml"

struct Project {
    Str folder; // absolute, with a `/` at its end
    Str here;   // the working directory, likewise
    Entries rules;
    Entries ignored;
    Str baseline; // as the file has it; empty: none
};

typedef enum { KEY_CODES = 1, KEY_LEVEL = 2, KEY_PATHS = 4, KEY_REASON = 8 } Key;

static const struct {
    Key key;
    const char *word;
} KEYS[] = { { KEY_CODES, "codes" }, { KEY_LEVEL, "level" }, { KEY_PATHS, "paths" }, { KEY_REASON, "reason" } };

// ---- what is wrong -----------------------------------------------------------------------------------------------

static void report_key(Session *session, const DataEntry *entry, const char *const *words, size_t count) {
    Diag *diag = report(session, entry->key_span, DIAG(project_key), STR_ARG(entry->key));
    Suggestion suggestion = suggest_for(session, entry->key);
    StrBuf list = { .arena = session->arena };
    for (size_t i = 0; i < count; i++) {
        suggest_offer(&suggestion, str_of(words[i]));
        strbuf_add_format(&list, "%s`%s`", i == 0 ? "" : i + 1 == count ? " and " : ", ", words[i]);
    }
    if (!suggest_say(session, diag, &suggestion, entry->key_span)) {
        diag_help(session, diag, "here stand %.*s", STR_ARG(strbuf_str(&list)));
    }
}

static void report_shape(Session *session, const Data *data, const char *what, const char *shape) {
    report(session, data->span, DIAG(project_shape), what, shape);
}

// ---- entries -----------------------------------------------------------------------------------------------------

// A text, or a list of texts.
static Texts texts_of(Session *session, const Data *data, const char *what, const Data **places) {
    Texts texts = { 0 };
    const uint32_t count = data->kind == DATA_LIST ? data->count : 1;
    for (uint32_t i = 0; i < count; i++) {
        const Data *item = data->kind == DATA_LIST ? data->items[i] : data;
        if (item->kind != DATA_STRING || item->string.len == 0) {
            report_shape(session, item, what, "a text, or a list of texts");
            continue;
        }
        places[texts.count] = item;
        vec_push(session->arena, &texts, item->string);
    }
    if (count == 0) {
        report_shape(session, data, what, "a text, or a list of texts");
    }
    return texts;
}

static const Data **room_for(Session *session, const Data *data) {
    return arena_new_array(session->arena, const Data *, data->kind == DATA_LIST ? data->count + 1 : 1);
}

static void read_codes(Session *session, const Data *data, Entry *entry) {
    const Data **places = room_for(session, data);
    const Texts codes = texts_of(session, data, "`codes`", places);
    for (uint32_t i = 0; i < codes.count; i++) {
        const DiagRow *row = diag_find(codes.items[i]);
        if (row != NULL && row->nature == JUDGEMENT) {
            vec_push(session->arena, &entry->codes, diag_id(row));
            continue;
        }
        Diag *diag = report(session, places[i]->span, DIAG(project_code), STR_ARG(codes.items[i]));
        const RetiredDiag *retired = diag_find_retired(codes.items[i]);
        if (retired != NULL) {
            diag_help(session, diag, "remove it: the rule went in %s", retired->month);
        } else if (row != NULL) {
            diag_help(session, diag, "remove it: what a file cannot be read as is no matter of judgement");
        }
    }
}

static void read_level(Session *session, const Data *data, Entry *entry) {
    static const struct {
        const char *word;
        DiagLevel level;
    } words[] = {
        { "off", LEVEL_OFF }, { "note", LEVEL_NOTE }, { "warning", LEVEL_WARNING }, { "error", LEVEL_ERROR }
    };
    Suggestion suggestion = suggest_for(session, data->string);
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        if (data->kind == DATA_STRING && str_is(data->string, words[i].word)) {
            entry->level = words[i].level;
            return;
        }
        suggest_offer(&suggestion, str_of(words[i].word));
    }
    Diag *diag = report(session, data->span, DIAG(project_shape), "`level`", "`off`, `note`, `warning` or `error`");
    if (data->kind == DATA_STRING) {
        suggest_say(session, diag, &suggestion, data->span);
    }
}

// Takes one member. Returns which it was; 0, reported, for one that does not belong here.
static unsigned read_member(Session *session, const DataEntry *member, unsigned keys, Entry *entry) {
    const char *words[COUNT_OF(KEYS)];
    size_t count = 0;
    for (size_t i = 0; i < COUNT_OF(KEYS); i++) {
        if ((keys & KEYS[i].key) == 0) {
            continue;
        }
        words[count++] = KEYS[i].word;
        if (!str_is(member->key, KEYS[i].word)) {
            continue;
        }
        switch (KEYS[i].key) {
        case KEY_CODES:
            read_codes(session, member->value, entry);
            break;
        case KEY_LEVEL:
            read_level(session, member->value, entry);
            break;
        case KEY_PATHS:
            entry->places = room_for(session, member->value);
            entry->paths = texts_of(session, member->value, "`paths`", entry->places);
            break;
        case KEY_REASON:
            if (member->value->kind != DATA_STRING || str_trim(member->value->string).len == 0) {
                report_shape(session, member->value, "`reason`", "a text");
            }
            break;
        }
        return KEYS[i].key;
    }
    report_key(session, member, words, count);
    return 0;
}

// False, reported, where the entry says too little to hold.
static bool read_entry(Session *session, const Data *data, unsigned keys, unsigned needed, Entry *entry) {
    const uint32_t before = session->diags.error_count;
    if (data->kind != DATA_MAP) {
        report_shape(session, data, "an entry", "a map");
        return false;
    }
    unsigned seen = 0;
    for (uint32_t i = 0; i < data->count; i++) {
        seen |= read_member(session, &data->entries[i], keys, entry);
    }
    needed |= entry->level == LEVEL_OFF ? KEY_REASON : 0;
    const Span start = data->count > 0 ? data->entries[0].key_span : data->span;
    for (size_t i = 0; i < COUNT_OF(KEYS) && session->diags.error_count == before; i++) {
        if ((needed & ~seen & KEYS[i].key) != 0) {
            report(session, start, DIAG(project_incomplete), KEYS[i].word);
        }
    }
    return session->diags.error_count == before;
}

static void read_entries(Session *session, const DataEntry *list, unsigned keys, unsigned needed, Entries *entries) {
    if (list->value->kind != DATA_LIST) {
        report_shape(session, list->value,
                     str_c(session->arena, str_format(session->arena, "`%.*s`", STR_ARG(list->key))), "a list");
        return;
    }
    for (uint32_t i = 0; i < list->value->count; i++) {
        Entry entry = { 0 };
        if (read_entry(session, list->value->items[i], keys, needed, &entry)) {
            vec_push(session->arena, entries, entry);
        }
    }
}

// ---- paths -------------------------------------------------------------------------------------------------------

// The path as seen from the project's folder; empty where it lies outside.
static Str path_in(Session *session, const Project *project, Str path) {
    return path_inside(session->arena, project->here, project->folder, path);
}

static bool concerns(Session *session, const Entry *entry, Str path) {
    bool concerns = entry->paths.count == 0;
    for (uint32_t i = 0; i < entry->paths.count && path.len > 0; i++) {
        concerns = concerns || glob_matches(session->arena, entry->paths.items[i], path);
    }
    return concerns;
}

// ---- from here on, what commands ask -----------------------------------------------------------------------------

// Nothing but comments is no setting.
static bool says_nothing(Str text) {
    for (size_t at = 0; at < text.len;) {
        const size_t end = str_find(text, STR("\n"), at);
        const Str line = str_trim(str_slice(text, at, end));
        if (line.len > 0 && line.data[0] != '#') {
            return false;
        }
        at = end + 1;
    }
    return true;
}

static Str read_baseline(Session *session, const Data *data) {
    if (data->kind == DATA_STRING && str_trim(data->string).len > 0) {
        return data->string;
    }
    report_shape(session, data, "`baseline`", "the name of a file");
    return STR_NONE;
}

const Project *project_read(Session *session, uint32_t source, Str folder) {
    static const char *const words[] = { "rules", "ignore", "baseline" };
    Project *project = arena_new(session->arena, Project);
    *project = (Project){ .folder = path_with_slash(session->arena, folder), .here = path_here(session->arena) };
    if (says_nothing(source_get(session, source)->text)) {
        return project;
    }
    const Data *data = yaml_read(session, source);
    if (data != NULL && data->kind != DATA_MAP) {
        report_shape(session, data, "`" PROJECT_FILE "`", "a map with `rules`, `ignore` and `baseline`");
        return project;
    }
    for (uint32_t i = 0; data != NULL && i < data->count; i++) {
        const DataEntry *entry = &data->entries[i];
        if (str_is(entry->key, "rules")) {
            read_entries(session, entry, KEY_CODES | KEY_LEVEL | KEY_PATHS | KEY_REASON, KEY_CODES | KEY_LEVEL,
                         &project->rules);
        } else if (str_is(entry->key, "ignore")) {
            read_entries(session, entry, KEY_PATHS | KEY_REASON, KEY_PATHS | KEY_REASON, &project->ignored);
        } else if (str_is(entry->key, "baseline")) {
            project->baseline = read_baseline(session, entry->value);
        } else {
            report_key(session, entry, words, COUNT_OF(words));
        }
    }
    return project;
}

// A link that leads nowhere is there: who reads it says so.
static bool is_there(Session *session, Str folder, const char *name) {
    const Str path = str_format(session->arena, "%.*s%s", STR_ARG(path_with_slash(session->arena, folder)), name);
    struct stat status;
    return lstat(str_c(session->arena, path), &status) == 0;
}

// `../../.dtc.yaml` of the folder two levels above the working directory.
static Str name_above(Session *session, int levels, const char *name) {
    StrBuf path = { .arena = session->arena };
    for (int i = 0; i < levels; i++) {
        strbuf_add(&path, STR("../"));
    }
    strbuf_add(&path, str_of(name));
    return strbuf_str(&path);
}

// The same name with the other ending is another file to dtc, and looks as if it were read.
static void check_name(Session *session, Str folder, int level) {
    if (is_there(session, folder, OTHER_NAME)) {
        report(session, SPAN_NONE, DIAG(project_name), STR_ARG(name_above(session, level, OTHER_NAME)));
    }
}

// How many folders above the working directory the project file is; -1 without one. `*folder` becomes that folder, and
// `*root` that of the repository; empty outside of one.
static int look_up(Session *session, Str *folder, Str *root) {
    const Str here = path_here(session->arena);
    Str at = str_slice(here, 0, here.len > 1 ? here.len - 1 : here.len);
    int found = -1;
    for (int level = 0; at.len > 0; level++) {
        if (found < 0 && (level == 0 || is_there(session, at, ".git"))) {
            check_name(session, at, level);
        }
        if (found < 0 && is_there(session, at, PROJECT_FILE)) {
            found = level;
            *folder = at;
        }
        if (is_there(session, at, ".git")) {
            *root = at;
            return found;
        }
        const Str above = str_slice(at, 0, at.len - str_after_last(at, '/').len);
        at = above.len > 1 ? str_slice(above, 0, above.len - 1) : STR_NONE;
    }
    return found == 0 ? 0 : -1;
}

// Whether it is a link to a file that is not below `root`. One that leads nowhere leads out of nothing.
static bool leads_out(Session *session, Str folder, Str root) {
    const char *path = str_c(session->arena, str_format(session->arena, "%.*s" PROJECT_FILE,
                                                        STR_ARG(path_with_slash(session->arena, folder))));
    char *target = realpath(path, NULL);
    const bool is_out = target != NULL && !str_starts_with(str_of(target), path_with_slash(session->arena, root));
    free(target);
    return is_out;
}

const Project *project_find(Session *session) {
    Str folder = STR_NONE;
    Str root = STR_NONE;
    const int levels = look_up(session, &folder, &root);
    if (levels < 0) {
        return NULL;
    }
    const Str path = name_above(session, levels, PROJECT_FILE);
    if (leads_out(session, folder, root.len > 0 ? root : folder)) {
        report(session, SPAN_NONE, DIAG(project_outside), STR_ARG(path),
               root.len > 0 ? "the repository" : "its folder");
        return NULL;
    }
    const uint32_t source = source_load(session, path, SPAN_NONE);
    return source == 0 ? NULL : project_read(session, source, folder);
}

const Project *project_read_named(Session *session, Str path) {
    const uint32_t source = source_load(session, path, SPAN_NONE);
    return source == 0 ? NULL : project_read(session, source, path_here(session->arena));
}

Str project_baseline(Session *session, const Project *project) {
    if (project == NULL || project->baseline.len == 0 || str_starts_with(project->baseline, STR("/"))) {
        return project == NULL ? STR_NONE : project->baseline;
    }
    StrBuf path = { .arena = session->arena };
    for (size_t i = project->folder.len; i < project->here.len; i++) {
        strbuf_add(&path, project->here.data[i] == '/' ? STR("../") : STR_NONE);
    }
    strbuf_add(&path, project->baseline);
    return strbuf_str(&path);
}

bool project_ignores(Session *session, const Project *project, Str path) {
    const Str inside = project == NULL ? STR_NONE : path_in(session, project, path);
    for (uint32_t i = 0; project != NULL && i < project->ignored.count; i++) {
        if (concerns(session, &project->ignored.items[i], inside)) {
            return true;
        }
    }
    return false;
}

void project_set_levels(Session *session, const Project *project, Str path, DiagLevel *levels) {
    const Str inside = project == NULL ? STR_NONE : path_in(session, project, path);
    for (uint32_t i = 0; project != NULL && i < project->rules.count; i++) {
        const Entry *entry = &project->rules.items[i];
        if (!concerns(session, entry, inside)) {
            continue;
        }
        for (uint32_t k = 0; k < entry->codes.count; k++) {
            levels[entry->codes.items[k]] = entry->level;
        }
    }
}

// ---- paths that lead to nothing --------------------------------------------------------------------------------

static bool is_any(Str name) {
    (void)name;
    return true;
}

// What begins with a dot is not walked into.
static bool is_hidden(Str glob) {
    return str_starts_with(glob, STR(".")) || str_find(glob, STR("/."), 0) < glob.len;
}

// What git leaves alone may be made later: `out/` in `.gitignore`. A line counts if a name of the glob is called so.
static bool is_made(Str glob, Str git_ignores) {
    for (size_t start = 0; start < glob.len;) {
        const size_t end = str_find(glob, STR("/"), start);
        const Str name = str_slice(glob, start, end);
        start = end + 1;
        for (size_t at = 0; at < git_ignores.len;) {
            const size_t line_end = str_find(git_ignores, STR("\n"), at);
            const Str line = str_trim(str_slice(git_ignores, at, line_end));
            const Str path = str_slice(line, str_starts_with(line, STR("/")) ? 1 : 0, line.len);
            at = line_end + 1;
            if (name.len > 0 && str_equal(name, str_slice(path, 0, str_find(path, STR("/"), 0)))) {
                return true;
            }
        }
    }
    return false;
}

static bool is_matched(Session *session, Str glob, const FilePaths *files) {
    for (uint32_t i = 0; i < files->count; i++) {
        if (glob_matches(session->arena, glob, files->items[i])) {
            return true;
        }
    }
    return false;
}

static void check_globs(Session *session, const Entries *entries, const FilePaths *files, Str git_ignores) {
    for (uint32_t i = 0; i < entries->count; i++) {
        const Entry *entry = &entries->items[i];
        for (uint32_t k = 0; k < entry->paths.count; k++) {
            const Str glob = entry->paths.items[k];
            if (!is_hidden(glob) && !is_matched(session, glob, files) && !is_made(glob, git_ignores)) {
                report(session, entry->places[k]->span, DIAG(project_path), STR_ARG(glob));
            }
        }
    }
}

bool project_is_in(Session *session, const Project *project, Str folder) {
    const Str whole = path_whole(session->arena, project->here, folder);
    return str_starts_with(project->folder, path_with_slash(session->arena, whole));
}

void project_check_paths(Session *session, const Project *project) {
    FileWalk walk = { .is_wanted = is_any };
    FilePaths files = { 0 };
    file_walk(session->arena, project->folder, &walk);
    for (uint32_t i = 0; i < walk.paths.count; i++) {
        vec_push(session->arena, &files, path_in(session, project, walk.paths.items[i]));
    }
    const uint32_t before = session->diags.items.count;
    const Str path = str_format(session->arena, "%.*s.gitignore", STR_ARG(project->folder));
    const uint32_t source =
        is_there(session, project->folder, ".gitignore") ? source_load(session, path, SPAN_NONE) : 0;
    const Str git_ignores = source == 0 ? STR_NONE : source_get(session, source)->text;
    diags_forget(session, before);
    if (walk.faults.count == 0) {
        check_globs(session, &project->rules, &files, git_ignores);
        check_globs(session, &project->ignored, &files, git_ignores);
    }
}
