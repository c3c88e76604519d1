// Looks for scripts beside a file, of each of which is kept what it replaces, and for the same file of another version.
#include "compiler/driver/lint/fillers.h"

#include "compiler/base/load.h"
#include "compiler/plan/rules/placeholder.h"
#include "compiler/script/shell_text.h"

#include <dirent.h>
#include <sys/stat.h>

// In a folder with more of them nobody knows which belongs to the file. A larger script is not read.
enum { ENTRIES_MAX = 1000, SCRIPTS_MAX = 20, SCRIPT_BYTES_MAX = 64 * 1024 };

// `job.yaml-template`, `job.yaml.template`; `stack.template` is a template of CloudFormation.
static bool is_to_render(Str path) {
    static const char *const FORMATS[] = { ".yaml", ".yml", ".json" };
    static const char *const ENDS[] = { "-template", ".template", ".tmpl", ".tpl", ".in" };
    for (size_t i = 0; i < COUNT_OF(ENDS); i++) {
        const Str end = str_of(ENDS[i]);
        const Str rest = str_ends_with(path, end) ? str_slice(path, 0, path.len - end.len) : STR_NONE;
        for (size_t k = 0; k < COUNT_OF(FORMATS); k++) {
            if (str_ends_with(rest, str_of(FORMATS[k]))) {
                return true;
            }
        }
    }
    return false;
}

static bool is_script(DIR *folder, const char *name, const char *ending) {
    struct stat status;
    return name[0] != '.' && str_ends_with(str_of(name), str_of(ending)) &&
           fstatat(dirfd(folder), name, &status, 0) == 0 && S_ISREG(status.st_mode) &&
           status.st_size <= SCRIPT_BYTES_MAX;
}

// The scripts of a folder whose names end so, in the order of those. Their number is 0 where there are too many of anything.
static uint32_t scripts_in(Session *session, Str folder, const char *ending, Str *paths) {
    DIR *directory = opendir(folder.len == 0 ? "." : str_c(session->arena, folder));
    uint32_t entries = 0;
    uint32_t count = 0;
    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL; entries++) {
        if (!is_script(directory, entry->d_name, ending)) {
            continue;
        }
        if (count == SCRIPTS_MAX || entries == ENTRIES_MAX) {
            count = 0;
            break;
        }
        const Str path = str_format(session->arena, "%.*s%s", STR_ARG(folder), entry->d_name);
        uint32_t at = count++;
        for (; at > 0 && str_compare(paths[at - 1], path) > 0; at--) {
            paths[at] = paths[at - 1];
        }
        paths[at] = path;
    }
    if (directory != NULL) {
        closedir(directory);
    }
    return entries > ENTRIES_MAX ? 0 : count;
}

// Few scripts replace anything: only of those the comments are looked for, which takes longer.
static void add_script(Arena *arena, PlanFillers *fillers, Str text) {
    PlanFillers all = { 0 };
    placeholder_add_filler(arena, &all, text);
    if (all.has_envsubst || all.replaced.count > 0) {
        placeholder_add_filler(arena, fillers, shell_text(arena, text, SHELL_READ));
    }
}

// Whether a word may be one that a script replaces: IMAGE_NAME, __IMAGE__.
static bool has_capitals(Str text) {
    for (size_t at = str_find(text, STR("_"), 0); at < text.len; at = str_find(text, STR("_"), at + 1)) {
        const char behind = str_at(text, at + 1);
        if (behind >= 'A' && behind <= 'Z') {
            return true;
        }
    }
    return false;
}

// The end of a version of an API at a place of a name, as `v1` or `v2beta1`; the place itself where there is none.
static size_t version_end(Str name, size_t at) {
    static const char *const STAGES[] = { "alpha", "beta" };
    size_t end = at + 1;
    while (char_is_digit(str_at(name, end))) {
        end++;
    }
    if (str_at(name, at) != 'v' || end == at + 1) {
        return at;
    }
    for (size_t i = 0; i < COUNT_OF(STAGES); i++) {
        if (str_starts_with(str_slice(name, end, name.len), str_of(STAGES[i]))) {
            end += strlen(STAGES[i]);
            while (char_is_digit(str_at(name, end))) {
                end++;
            }
        }
    }
    return strchr(".-_", str_at(name, end)) != NULL ? end : at;
}

// Where `hook.v1beta1.yaml` has its version, behind a mark; the length of a name without one.
static size_t version_of(Str name) {
    for (size_t at = 1; at < name.len; at++) {
        if (strchr(".-_", name.data[at - 1]) != NULL && version_end(name, at) > at) {
            return at;
        }
    }
    return name.len;
}

// Whether a file stands beside that is called the same up to its version, which is another one.
static bool is_one_of_versions(Session *session, Str path) {
    const Str name = str_after_last(path, '/');
    const size_t at = version_of(name);
    if (at == name.len) {
        return false;
    }
    const Str folder = str_slice(path, 0, path.len - name.len);
    const Str version = str_slice(name, at, version_end(name, at));
    DIR *directory = opendir(folder.len == 0 ? "." : str_c(session->arena, folder));
    bool is_one = false;
    uint32_t entries = 0;
    for (struct dirent *entry; directory != NULL && entries < ENTRIES_MAX && (entry = readdir(directory)) != NULL;
         entries++) {
        const Str other = str_of(entry->d_name);
        const bool is_same = str_starts_with(other, str_slice(name, 0, at)) && version_end(other, at) > at;
        is_one = is_one || (is_same && !str_equal(str_slice(other, at, version_end(other, at)), version));
    }
    if (directory != NULL) {
        closedir(directory);
    }
    return is_one;
}

// Whether a program beside reads the file as YAML, by its name: it may give what it reads other commands.
static bool is_opened(Session *session, Str path) {
    static const char *const ENDINGS[] = { ".py", ".go" };
    const Str name = str_after_last(path, '/');
    const Str quoted = str_format(session->arena, "\"%.*s\"", STR_ARG(name));
    const Str folder = str_slice(path, 0, path.len - name.len);
    const uint32_t before = session->diags.items.count;
    bool is = false;
    for (size_t i = 0; i < COUNT_OF(ENDINGS); i++) {
        Str paths[SCRIPTS_MAX];
        const uint32_t count = scripts_in(session, folder, ENDINGS[i], paths);
        for (uint32_t k = 0; k < count && !is; k++) {
            const uint32_t source = source_load(session, paths[k], SPAN_NONE);
            const Str text = source == 0 ? STR_NONE : source_get(session, source)->text;
            is = str_find(text, quoted, 0) < text.len &&
                 (str_has(text, "_load") || str_has(text, "load(") || str_has(text, "Unmarshal"));
        }
    }
    diags_forget(session, before);
    return is;
}

void fillers_find(Session *session, uint32_t source, const ForeignFile *file) {
    const Source *written = source_get(session, source);
    size_t start = 0;
    size_t end = 0;
    bool has_one;
    const bool has_variables = placeholder_has_variables(written->text, &has_one);
    const bool is_one = is_one_of_versions(session, written->path);
    const bool is_read = file->objects != NULL && str_has(written->text, "$(") && is_opened(session, written->path);
    for (uint32_t k = 0; k < file->plans.count; k++) {
        Plan *plan = file->plans.items[k];
        plan->fillers.has_variables = has_variables;
        plan->is_to_render = is_to_render(written->path);
        plan->is_one_of_versions = is_one;
        plan->is_opened = is_read;
    }
    if (str_is(written->path, "-") ||
        (!has_one && !has_capitals(written->text) && !placeholder_find(written->text, TEXT_PLAIN, 0, &start, &end))) {
        return;
    }
    const Str path = written->path;
    const Str folder = str_slice(path, 0, path.len - str_after_last(path, '/').len);
    Str paths[SCRIPTS_MAX];
    const uint32_t before = session->diags.items.count;
    const uint32_t count = is_to_render(path) ? 0 : scripts_in(session, folder, ".sh", paths);
    PlanFillers fillers = { .has_variables = has_variables };
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t script = source_load(session, paths[i], SPAN_NONE);
        if (script != 0) {
            add_script(session->arena, &fillers, source_get(session, script)->text);
        }
    }
    diags_forget(session, before);
    placeholder_sort_fillers(&fillers);
    for (uint32_t k = 0; k < file->plans.count; k++) {
        file->plans.items[k]->fillers = fillers;
    }
}
