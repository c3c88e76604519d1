// Looks for scripts beside a file. Of each one is kept what it replaces.
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

static bool is_script(DIR *folder, const char *name) {
    struct stat status;
    return name[0] != '.' && str_ends_with(str_of(name), STR(".sh")) && fstatat(dirfd(folder), name, &status, 0) == 0 &&
           S_ISREG(status.st_mode) && status.st_size <= SCRIPT_BYTES_MAX;
}

// The scripts of a folder, by their names. Their number is 0 where there are too many of anything.
static uint32_t scripts_in(Session *session, Str folder, Str *paths) {
    DIR *directory = opendir(folder.len == 0 ? "." : str_c(session->arena, folder));
    uint32_t entries = 0;
    uint32_t count = 0;
    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL; entries++) {
        if (!is_script(directory, entry->d_name)) {
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

void fillers_find(Session *session, uint32_t source, const ForeignFile *file) {
    const Source *written = source_get(session, source);
    size_t start = 0;
    size_t end = 0;
    bool has_one;
    const bool has_variables = placeholder_has_variables(written->text, &has_one);
    for (uint32_t k = 0; k < file->plans.count; k++) {
        file->plans.items[k]->fillers.has_variables = has_variables;
    }
    if (str_is(written->path, "-") ||
        (!has_one && !has_capitals(written->text) && !placeholder_find(written->text, TEXT_PLAIN, 0, &start, &end))) {
        return;
    }
    const Str path = written->path;
    const Str folder = str_slice(path, 0, path.len - str_after_last(path, '/').len);
    Str paths[SCRIPTS_MAX];
    const uint32_t before = session->diags.items.count;
    const uint32_t count = is_to_render(path) ? 0 : scripts_in(session, folder, paths);
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
        file->plans.items[k]->is_to_render = is_to_render(path);
    }
}
