// Reads the main file and every file it uses into modules, each parsed once. A path of `use` and file() is relative to
// the file in which it stands. It stays inside the project root, which is the folder of the main file after symbolic
// links are followed.
#include "compiler/semantics/evaluator.h"

#include <errno.h>
#include <limits.h>

#include "compiler/base/load.h"
#include "compiler/base/suggest.h"
#include "stdlib/library.h"

#define NOTHING_INSIDE "/dev/null/" // a project root that holds no file

// With the slash at its end; empty for the working folder.
static Str directory_of(Str path) {
    return str_slice(path, 0, path.len - str_after_last(path, '/').len);
}

// The path with symbolic links resolved; empty where nothing is there.
static Str real_path(Evaluator *evaluator, Str path) {
    char resolved[PATH_MAX];
    const char *c_path = path.len == 0 ? "." : str_c(evaluator->arena, path);
    return realpath(c_path, resolved) == NULL ? STR_NONE : str_copy(evaluator->arena, str_of(resolved));
}

static bool is_inside(Str root, Str path) {
    return str_starts_with(path, root) &&
           (path.len == root.len || root.data[root.len - 1] == '/' || path.data[root.len] == '/');
}

// A path inside of the root, as it is opened; else reported and empty.
static Str load_project_path(Evaluator *evaluator, const Module *from, Str path, Span span) {
    if (path.len == 0 || memchr(path.data, 0, path.len) != NULL || path.len >= PATH_MAX / 2) {
        report(evaluator->session, span, DIAG(bad_path), STR_ARG(path));
        return STR_NONE;
    }
    if (from->is_library) {
        report(evaluator->session, span, DIAG(path_outside), STR_ARG(path));
        return STR_NONE;
    }
    bool is_absolute = path.data[0] == '/';
    Str shown = is_absolute ? path : str_format(evaluator->arena, "%.*s%.*s", STR_ARG(from->directory), STR_ARG(path));
    Str real = real_path(evaluator, shown);
    if (real.len == 0) {
        report_cannot_read(evaluator->session, shown, strerror(errno), span);
        return STR_NONE;
    }
    if (!is_inside(evaluator->root, real)) {
        Diag *diag = report(evaluator->session, span, DIAG(path_outside), STR_ARG(path));
        diag_help(evaluator->session, diag, "copy the file into the project: a build depends on the project alone");
        return STR_NONE;
    }
    return shown;
}

uint32_t load_text(Evaluator *evaluator, const Module *from, Str path, Span span) {
    Str shown = load_project_path(evaluator, from, path, span);
    if (shown.len == 0) {
        return 0;
    }
    uint32_t source = (uint32_t)(uintptr_t)str_map_get(&evaluator->texts, shown);
    if (source == 0) {
        source = source_load(evaluator->session, shown, span);
    }
    if (source != 0 && str_map_add(&evaluator->texts, shown, (void *)(uintptr_t)source) == NULL) {
        vec_push(evaluator->arena, &evaluator->program->files, shown);
    }
    return source;
}

static const Module *module_at(const Evaluator *evaluator, Span from) {
    for (uint32_t i = 0; i < evaluator->modules.count; i++) {
        if (evaluator->modules.items[i]->file->source == from.source) {
            return evaluator->modules.items[i];
        }
    }
    return evaluator->modules.items[0];
}

// Without slashes at its end, so that its last part is a name.
static Str without_slashes(Str path) {
    while (path.len > 1 && path.data[path.len - 1] == '/') {
        path.len--;
    }
    return path;
}

Str program_project_path(const Program *program, Span from, Str path, Str *opened) {
    Evaluator *evaluator = program->evaluator;
    const Str shown = load_project_path(evaluator, module_at(evaluator, from), path, from);
    if (shown.len == 0) {
        return STR_NONE;
    }
    *opened = without_slashes(shown);
    const Str name = str_after_last(*opened, '/');
    const bool is_name = name.len > 0 && !str_is(name, ".") && !str_is(name, "..");
    const Str folder = real_path(evaluator, is_name ? directory_of(*opened) : *opened);
    if (folder.len == 0 || !is_inside(evaluator->root, folder)) { // a link, from outside, to a file inside
        report(evaluator->session, from, DIAG(path_outside), STR_ARG(path));
        return STR_NONE;
    }
    const size_t start = evaluator->root.len + (str_ends_with(evaluator->root, STR("/")) ? 0 : 1);
    const Str below = start >= folder.len ? STR_NONE : str_slice(folder, start, folder.len);
    if (!is_name) {
        return below.len == 0 ? STR(".") : below;
    }
    return str_format(evaluator->arena, "%.*s%s%.*s", STR_ARG(below), below.len == 0 ? "" : "/", STR_ARG(name));
}

static void declare(Evaluator *evaluator, Module *module, DeclarationKind kind, const Name *name, const Item *item) {
    if (str_is(name->text, "aws") || str_is(name->text, "off")) {
        report(evaluator->session, name->span, DIAG(name_reserved), STR_ARG(name->text));
        return;
    }
    Declaration *declaration = arena_new(evaluator->arena, Declaration);
    *declaration =
        (Declaration){ .kind = kind, .name = name->text, .span = name->span, .item = item, .module = module };
    if (!scope_add(module, declaration)) {
        Diag *diag = report(evaluator->session, name->span, DIAG(name_twice), STR_ARG(name->text));
        diag_label(evaluator->session, diag, scope_find(module, name->text)->span, "first here");
    }
}

// Blocks inside of `if` and `for`, and those with an interpolated label, come in when they are expanded.
static void declare_items(Evaluator *evaluator, Module *module, const Items *items) {
    for (uint32_t i = 0; i < items->count; i++) {
        const Item *item = items->items[i];
        if (item->kind == ITEM_PARAM) {
            declare(evaluator, module, DECLARATION_PARAM, &item->param.name, item);
        } else if (item->kind == ITEM_LET) {
            declare(evaluator, module, DECLARATION_LET, &item->let.name, item);
        } else if (item->kind == ITEM_USE) {
            declare(evaluator, module, DECLARATION_USE, &item->use.name, item);
        } else if (item->kind == ITEM_BLOCK && item->block.label != NULL && item->block.label->kind == EXPR_STRING) {
            const Name name = { .text = item->block.label->string, .span = item->block.label->span };
            declare(evaluator, module, DECLARATION_BLOCK, &name, item);
        }
    }
}

static Module *find_module(const Evaluator *evaluator, Str identity) {
    for (uint32_t i = 0; i < evaluator->modules.count; i++) {
        if (str_equal(evaluator->modules.items[i]->identity, identity)) {
            return evaluator->modules.items[i];
        }
    }
    return NULL;
}

static Module *load_source(Evaluator *evaluator, Str path, Str identity, uint32_t source) {
    Module *module = arena_new(evaluator->arena, Module);
    *module = (Module){ .path = path,
                        .identity = identity,
                        .directory = directory_of(path),
                        .declarations = { .arena = evaluator->arena },
                        .is_used = evaluator->modules.count > 0,
                        .progress = PROGRESS_ACTIVE };
    vec_push(evaluator->arena, &evaluator->modules, module);
    vec_push(evaluator->arena, &evaluator->program->files, path);
    module->file = parse(evaluator->session, source);
    declare_items(evaluator, module, &module->file->items);
    scope_collect_makers(evaluator->arena, module);
    return module;
}

static void load_uses(Evaluator *evaluator, Module *module);

// Without a fix: `eks-p5` and `eks-p4` differ by what their authors mean.
static void report_no_library(Evaluator *evaluator, const Item *item) {
    Diag *diag = report(evaluator->session, item->use.path.span, DIAG(no_library), STR_ARG(item->use.path.text));
    Suggestion suggestion = suggest_for(evaluator->session, item->use.path.text);
    for (int i = 0; i < STDLIB_FILE_COUNT; i++) {
        if (stdlib_is_module(&STDLIB_FILES[i])) {
            suggest_offer(&suggestion, str_of(STDLIB_FILES[i].path));
        }
    }
    if (suggestion.best.len > 0) {
        diag_help(evaluator->session, diag, "did you mean `%.*s`?", STR_ARG(suggestion.best));
    }
}

static Module *load_library(Evaluator *evaluator, const Item *item) {
    Str path = item->use.path.text;
    Module *module = find_module(evaluator, path);
    if (module != NULL) {
        return module;
    }
    const StdlibFile *file = stdlib_find(path);
    if (file == NULL) {
        report_no_library(evaluator, item);
        return NULL;
    }
    module = load_source(evaluator, path, path, source_add(evaluator->session, path, file->text));
    module->is_library = true;
    return module;
}

static Module *load_file(Evaluator *evaluator, const Module *from, const Item *item) {
    Str path = load_project_path(evaluator, from, item->use.path.text, item->use.path.span);
    if (path.len == 0) {
        return NULL;
    }
    Str identity = real_path(evaluator, path);
    Module *module = find_module(evaluator, identity);
    if (module != NULL) {
        return module;
    }
    uint32_t source = source_load(evaluator->session, path, item->use.path.span);
    if (source == 0) {
        return NULL;
    }
    source_mark_program(evaluator->session, source);
    return load_source(evaluator, path, identity, source);
}

static void load_use(Evaluator *evaluator, Module *from, const Item *item) {
    Declaration *declaration = scope_find(from, item->use.name.text);
    if (declaration == NULL || declaration->item != item) {
        return; // the name was taken, and that was reported
    }
    if (evaluator->modules.count >= FILES_MAX) {
        report(evaluator->session, item->use.path.span, DIAG(too_many_files), FILES_MAX);
        return;
    }
    bool is_library = str_starts_with(item->use.path.text, STR("std/"));
    Module *module = is_library ? load_library(evaluator, item) : load_file(evaluator, from, item);
    if (module == NULL) {
        return;
    }
    if (module->progress == PROGRESS_ACTIVE && module->has_begun) {
        report(evaluator->session, item->use.path.span, DIAG(use_cycle), STR_ARG(item->use.path.text));
        return;
    }
    declaration->used = module;
    if (!module->has_begun) {
        load_uses(evaluator, module);
    }
}

// Depth first; FILES_MAX bounds the recursion.
static void load_uses(Evaluator *evaluator, Module *module) {
    module->has_begun = true;
    for (uint32_t i = 0; i < module->file->items.count; i++) {
        if (module->file->items.items[i]->kind == ITEM_USE) {
            load_use(evaluator, module, module->file->items.items[i]);
        }
    }
    module->progress = PROGRESS_DONE;
}

static Program *create(Session *session, const Inputs *inputs) {
    Program *program = arena_new(session->arena, Program);
    Evaluator *evaluator = arena_new(session->arena, Evaluator);
    *evaluator = (Evaluator){ .session = session,
                              .arena = session->arena,
                              .program = program,
                              .inputs = inputs,
                              .params = { .arena = session->arena },
                              .texts = { .arena = session->arena } };
    program->evaluator = evaluator;
    return program;
}

static void load_main(Evaluator *evaluator, Str path, Str identity, uint32_t source) {
    Module *module = load_source(evaluator, path, identity, source);
    evaluator->program->main = module->file;
    load_uses(evaluator, module);
    params_read(evaluator);
}

Program *program_load(Session *session, Str path, const Inputs *inputs) {
    Program *program = create(session, inputs);
    uint32_t source = source_load(session, path, SPAN_NONE);
    if (source != 0) {
        source_mark_program(session, source);
        Str root = real_path(program->evaluator, directory_of(path));
        program->evaluator->root = root.len == 0 ? STR(NOTHING_INSIDE) : root; // a working directory that was removed
        load_main(program->evaluator, path, real_path(program->evaluator, path), source);
    }
    return program;
}

Program *program_load_text(Session *session, Str path, Str text, const Inputs *inputs) {
    Program *program = create(session, inputs);
    program->evaluator->root = STR(NOTHING_INSIDE);
    load_main(program->evaluator, path, path, source_add(session, path, text));
    return program;
}
