// Looks for scripts beside a file, of each of which is kept what it replaces, and for the same file of another version.
#include "compiler/driver/lint/fillers.h"

#include "compiler/base/load.h"
#include "compiler/base/str_map.h"
#include "compiler/plan/rules/placeholder.h"
#include "compiler/script/shell_text.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

// In a folder with more of them nobody knows which belongs to the file. A larger script is not read.
enum { ENTRIES_MAX = 1000, SCRIPTS_MAX = 20, SCRIPT_BYTES_MAX = 64 * 1024 };

// A script in another folder of the repository belongs to a file that it names. So many folders are looked into, which are
// so far below the root; a file that is further below has no script elsewhere.
enum { FOLDERS_MAX = 200, LEVELS_MAX = 4 };

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

// Adds what a script replaces that does not name the file: words that nobody writes for another reason, `SUBNET_ID`.
static void add_plain_names(Arena *arena, PlanFillers *fillers, Str text) {
    enum { LETTERS_MIN = 8 };
    PlanFillers all = { 0 };
    placeholder_add_filler(arena, &all, text);
    for (uint32_t i = 0; i < all.replaced.count; i++) {
        const Str word = all.replaced.items[i];
        size_t end = 0;
        bool has_sign = false;
        while ((str_at(word, end) >= 'A' && str_at(word, end) <= 'Z') || char_is_digit(str_at(word, end)) ||
               str_at(word, end) == '_') {
            has_sign = has_sign || word.data[end] == '_';
            end++;
        }
        if (has_sign && end >= LETTERS_MIN) {
            vec_push(arena, &fillers->replaced, word);
        }
    }
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

// ---- what is read once for all files of a run ------------------------------------------------------------------------

typedef struct {
    Str path;
    Str text;
} KeptText;

typedef VEC(KeptText) KeptTexts;

// In the arena of the session that outlives those of files.
struct FillerCache {
    StrMap scripts; // by the root of their repository: KeptTexts of scripts that replace anything
    StrMap parents; // by their folder: KeptTexts of templates that have nested stacks
};

static struct FillerCache *cache_of(Session *session) {
    Session *owner = session->owner;
    if (owner->fillers == NULL) {
        owner->fillers = arena_new(owner->arena, struct FillerCache);
        *owner->fillers =
            (struct FillerCache){ .scripts = { .arena = owner->arena }, .parents = { .arena = owner->arena } };
    }
    return owner->fillers;
}

static KeptTexts *add_texts(Session *session, StrMap *map, Str folder) {
    Arena *arena = session->owner->arena;
    KeptTexts *texts = arena_new(arena, KeptTexts);
    *texts = (KeptTexts){ 0 };
    str_map_add(map, str_copy(arena, folder), texts);
    return texts;
}

static void keep_text(Session *session, KeptTexts *texts, Str path, Str text) {
    Arena *arena = session->owner->arena;
    vec_push(arena, texts, ((KeptText){ str_copy(arena, path), str_copy(arena, text) }));
}

// ---- scripts in other folders of the repository ------------------------------------------------------------------

typedef VEC(Str) Folders;

// The folder of a repository, ending in `/`, that a folder is part of; false where there is none so near.
static bool find_root(Session *session, Str folder, Str *root) {
    Str at = str_format(session->arena, "%.*s", STR_ARG(folder));
    for (int level = 0; level <= LEVELS_MAX; level++) {
        struct stat status;
        if (stat(str_c(session->arena, str_format(session->arena, "%.*s.git", STR_ARG(at))), &status) == 0) {
            *root = at;
            return true;
        }
        const Str above = str_slice(at, 0, at.len - (at.len > 0 ? 1 : 0));
        const Str name = str_after_last(above, '/');
        const bool has_name = name.len > 0 && !str_is(name, ".") && !str_is(name, "..");
        at = has_name ? str_slice(above, 0, above.len - name.len) : str_format(session->arena, "%.*s../", STR_ARG(at));
    }
    return false;
}

static bool is_folder(DIR *parent, const char *name) {
    struct stat status;
    return name[0] != '.' && !str_is(str_of(name), "node_modules") &&
           fstatat(dirfd(parent), name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(status.st_mode);
}

static void add_folders(Session *session, Folders *folders, Str folder) {
    DIR *directory = opendir(folder.len == 0 ? "." : str_c(session->arena, folder));
    uint32_t entries = 0;
    for (struct dirent *entry; directory != NULL && entries < ENTRIES_MAX && (entry = readdir(directory)) != NULL;
         entries++) {
        if (folders->count < FOLDERS_MAX && is_folder(directory, entry->d_name)) {
            vec_push(session->arena, folders, str_format(session->arena, "%.*s%s/", STR_ARG(folder), entry->d_name));
        }
    }
    if (directory != NULL) {
        closedir(directory);
    }
}

// None where there are too many: which of them are looked into would be left to chance.
static Folders folders_of(Session *session, Str root) {
    Folders folders = { 0 };
    vec_push(session->arena, &folders, root);
    uint32_t level_end = folders.count;
    for (uint32_t i = 0, level = 0; i < folders.count && level < LEVELS_MAX; i++) {
        if (i == level_end) {
            level_end = folders.count;
            level++;
        }
        add_folders(session, &folders, folders.items[i]);
    }
    folders.count = folders.count == FOLDERS_MAX ? 0 : folders.count;
    return folders;
}

// What scripts of a folder replace in a file; those of another folder have to name it.
static void add_scripts(Session *session, PlanFillers *fillers, Str folder, const char *ending, Str needed_name) {
    Str paths[SCRIPTS_MAX];
    const uint32_t count = scripts_in(session, folder, ending, paths);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t script = source_load(session, paths[i], SPAN_NONE);
        const Str text = script == 0 ? STR_NONE : source_get(session, script)->text;
        if (script != 0 && (needed_name.len == 0 || str_find(text, needed_name, 0) < text.len)) {
            add_script(session->arena, fillers, text);
        }
    }
}

// Few scripts replace anything, and those alone are kept.
static const KeptTexts *scripts_of(Session *session, Str root) {
    StrMap *known = &cache_of(session)->scripts;
    const KeptTexts *found = str_map_get(known, root);
    if (found != NULL) {
        return found;
    }
    KeptTexts *texts = add_texts(session, known, root);
    const Folders folders = folders_of(session, root);
    for (uint32_t i = 0; i < folders.count; i++) {
        Str paths[SCRIPTS_MAX];
        const uint32_t count = scripts_in(session, folders.items[i], ".sh", paths);
        for (uint32_t k = 0; k < count; k++) {
            PlanFillers fillers = { 0 };
            const uint32_t script = source_load(session, paths[k], SPAN_NONE);
            const Str text = script == 0 ? STR_NONE : source_get(session, script)->text;
            placeholder_add_filler(session->arena, &fillers, text);
            if (fillers.has_envsubst || fillers.replaced.count > 0) {
                keep_text(session, texts, paths[k], text);
            }
        }
    }
    return texts;
}

static void add_scripts_elsewhere(Session *session, PlanFillers *fillers, Str path, Str folder) {
    Str root = STR_NONE;
    if (!find_root(session, folder, &root)) {
        return;
    }
    const KeptTexts *scripts = scripts_of(session, root);
    const Str name = str_after_last(path, '/');
    for (uint32_t i = 0; i < scripts->count; i++) {
        const Str text = scripts->items[i].text;
        if (str_find(text, name, 0) < text.len) {
            add_script(session->arena, fillers, text);
        } else {
            add_plain_names(session->arena, fillers, text);
        }
    }
}

// `{AMI}`, which yq replaces.
static bool has_braced_name(Str text) {
    for (size_t at = str_find(text, STR("{"), 0); at < text.len; at = str_find(text, STR("{"), at + 1)) {
        size_t end = at + 1;
        while (str_at(text, end) == '_' || (str_at(text, end) >= 'A' && str_at(text, end) <= 'Z')) {
            end++;
        }
        if (end > at + 1 && str_at(text, end) == '}') {
            return true;
        }
    }
    return false;
}

static const KeptTexts *parents_in(Session *session, Str folder) {
    static const char *const ENDINGS[] = { ".yaml", ".yml", ".json", ".template" };
    StrMap *known = &cache_of(session)->parents;
    const KeptTexts *found = str_map_get(known, folder);
    if (found != NULL) {
        return found;
    }
    KeptTexts *texts = add_texts(session, known, folder);
    for (size_t i = 0; i < COUNT_OF(ENDINGS); i++) {
        Str paths[SCRIPTS_MAX];
        const uint32_t count = scripts_in(session, folder, ENDINGS[i], paths);
        for (uint32_t k = 0; k < count; k++) {
            const uint32_t source = source_load(session, paths[k], SPAN_NONE);
            const Str text = source == 0 ? STR_NONE : source_get(session, source)->text;
            if (str_has(text, "TemplateURL")) {
                keep_text(session, texts, paths[k], text);
            }
        }
    }
    return texts;
}

// Whether a template beside names the file as one of its nested stacks, which it gives values.
static bool is_nested(Session *session, Str path) {
    const Str name = str_after_last(path, '/');
    const uint32_t before = session->diags.items.count;
    const KeptTexts *parents = parents_in(session, str_slice(path, 0, path.len - name.len));
    bool is = false;
    for (uint32_t i = 0; i < parents->count; i++) {
        const KeptText *parent = &parents->items[i];
        is = is || (!str_equal(parent->path, path) && str_find(parent->text, name, 0) < parent->text.len);
    }
    diags_forget(session, before);
    return is;
}

// What is known of the file itself, and of its name.
static void mark_plans(Session *session, const Source *written, const ForeignFile *file, bool has_variables) {
    size_t start = 0;
    size_t end = 0;
    const bool is_one = is_one_of_versions(session, written->path);
    const bool is_read = file->objects != NULL && str_has(written->text, "$(") && is_opened(session, written->path);
    const bool has_example = file->kind == FOREIGN_CLOUDFORMATION && !str_is(written->path, "-") &&
                             placeholder_find_example(written->text, 0, &start, &end);
    const bool is_child = has_example && is_nested(session, written->path);
    for (uint32_t k = 0; k < file->plans.count; k++) {
        Plan *plan = file->plans.items[k];
        plan->is_nested = is_child;
        plan->fillers.has_variables = has_variables;
        plan->is_to_render = is_to_render(written->path);
        plan->is_one_of_versions = is_one;
        plan->is_opened = is_read;
    }
}

void fillers_find(Session *session, uint32_t source, const ForeignFile *file) {
    const Source *written = source_get(session, source);
    size_t start = 0;
    size_t end = 0;
    bool has_one;
    const bool has_variables = placeholder_has_variables(written->text, &has_one);
    mark_plans(session, written, file, has_variables);
    const bool has_placeholder =
        placeholder_find(written->text, TEXT_PLAIN, 0, &start, &end) || has_braced_name(written->text);
    if (str_is(written->path, "-") || (!has_one && !has_capitals(written->text) && !has_placeholder)) {
        return;
    }
    const Str path = written->path;
    const Str name = str_after_last(path, '/');
    const Str folder = str_slice(path, 0, path.len - name.len);
    const uint32_t before = session->diags.items.count;
    PlanFillers fillers = { .has_variables = has_variables };
    if (!is_to_render(path)) {
        add_scripts(session, &fillers, folder, ".sh", STR_NONE);
        add_scripts(session, &fillers, folder, ".md", name); // commands of a guide
    }
    if (!is_to_render(path) && (has_placeholder || has_capitals(written->text))) {
        add_scripts_elsewhere(session, &fillers, path, folder);
    }
    diags_forget(session, before);
    placeholder_sort_fillers(&fillers);
    for (uint32_t k = 0; k < file->plans.count; k++) {
        file->plans.items[k]->fillers = fillers;
    }
}

// A word that something fills in, or one of several in a value: `arn:aws:eks:AWS_REGION:…`.
static bool is_filled_in(const Plan *plan, Str text) {
    if (placeholder_is_filled_by(&plan->fillers, text)) {
        return true;
    }
    const bool is_of_name = plan->is_to_render && str_starts_with(text, STR("arn:")) && has_capitals(text);
    for (size_t at = 0; at < text.len && !is_of_name; at++) {
        size_t end = at;
        bool has_sign = false;
        while ((str_at(text, end) >= 'A' && str_at(text, end) <= 'Z') || char_is_digit(str_at(text, end)) ||
               str_at(text, end) == '_') {
            has_sign = has_sign || text.data[end] == '_';
            end++;
        }
        if (has_sign && placeholder_is_filled_by(&plan->fillers, str_slice(text, at, end))) {
            return true;
        }
        at = end > at ? end : at;
    }
    return is_of_name;
}

void fillers_hide(Session *session, const ForeignFile *file, uint32_t first) {
    enum { WORD_MAX = 200 };
    const Plan *plan = file->plans.count == 0 ? NULL : file->plans.items[0];
    if (plan == NULL || (plan->fillers.replaced.count == 0 && !plan->fillers.has_envsubst && !plan->is_to_render)) {
        return;
    }
    const bool has_envsubst = file->objects != NULL && plan->fillers.has_envsubst;
    for (uint32_t i = first; i < session->diags.items.count; i++) {
        Diag *diag = session->diags.items.items[i];
        const Str text = source_text(session, diag->span);
        const bool is_quoted = text.len > 1 && strchr("'\"", text.data[0]) != NULL;
        const bool is_variable = has_envsubst && str_has(text, "$") && !str_has(text, " ");
        if (text.len < WORD_MAX &&
            (is_variable || is_filled_in(plan, is_quoted ? str_slice(text, 1, text.len - 1) : text))) {
            diag_hide(session, diag);
        }
    }
}
