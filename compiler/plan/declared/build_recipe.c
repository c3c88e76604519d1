// How an image is built. Its files are read here, because the tag is a sum of what the image is built from: another
// content is another image, and so another definition of the jobs that run it.
#include "compiler/plan/declared/builder.h"

#include "compiler/base/sha256.h"
#include "compiler/base/version.h"
#include "compiler/plan/declared/read.h"
#include "compiler/plan/model/image.h"
#include "schema/containers.h"

// ---- files -----------------------------------------------------------------------------------------------------

// Docker reads patterns and variables in what is copied (https://docs.docker.com/reference/dockerfile/, COPY, 2026-11).
static const char *path_fault(Str path) {
    if (str_is(path, ".")) {
        return "it is the whole project, with the files that dtc writes";
    }
    for (size_t i = 0; i < path.len; i++) {
        if (strchr("*?[]\\$\"'`", path.data[i]) != NULL) {
            return "Docker reads a sign in it as a pattern or a variable";
        }
    }
    return NULL;
}

static void report_copied(Builder *builder, const Value *value, Str path, const char *fault) {
    Diag *diag = report(builder->session, value->span, DIAG(image_file), STR_ARG(path), fault);
    if (str_is(path, ".")) {
        diag_help(builder->session, diag, "name the files and folders that the image needs");
    }
}

static bool has_path(const PlanRecipe *recipe, Str path) {
    for (uint32_t i = 0; i < recipe->copied.count; i++) {
        if (str_equal(recipe->copied.items[i].path, path)) {
            return true;
        }
    }
    return false;
}

enum {
    SUM_STEP_BYTES = 16, // of a file that one step adds to its sum
    FILE_STEPS = 1000,   // to find and open a file
};

static void read_files(Builder *builder, const Block *block, PlanRecipe *recipe) {
    const Value *list = read_known_list(builder, block, IMAGE_FILES);
    FileTree tree = { .arena = builder->arena };
    for (uint32_t i = 0; i < list->list.count; i++) {
        const Value *value = list->list.items[i];
        Str opened;
        const Str path = program_project_path(builder->program, value->span, value->string, &opened);
        if (path.len == 0 || has_path(recipe, path)) {
            continue;
        }
        Str at = path;
        const uint32_t before = tree.files.count;
        const char *fault = path_fault(path);
        fault = fault != NULL ? fault : file_tree_add(&tree, opened, path, &at);
        if (fault != NULL) {
            report_copied(builder, value, at, fault);
            continue;
        }
        const bool is_file = tree.files.count == before + 1 && str_equal(tree.files.items[before].path, path);
        if (tree.files.count == before) {
            report_copied(builder, value, path, "it has no files");
        }
        vec_push(builder->arena, &recipe->copied, ((PlanCopied){ .path = path, .is_folder = !is_file }));
    }
    recipe->files = tree.files;
    builder->session->step_count += tree.bytes / SUM_STEP_BYTES + tree.files.count * (uint64_t)FILE_STEPS;
}

// ---- the recipe ------------------------------------------------------------------------------------------------

static const int ATTRIBUTES[] = { IMAGE_BASE,    IMAGE_DOCKERFILE, IMAGE_FILES,    IMAGE_ENV,       IMAGE_RUN,
                                  IMAGE_COMMAND, IMAGE_BUILD_ENV,  IMAGE_PLATFORM, IMAGE_COLLECTIVE };

const PlanRecipe *build_recipe(Builder *builder, const PlanImage *image) {
    const Block *block = image->head.block;
    bool is_built = false;
    for (size_t i = 0; i < COUNT_OF(ATTRIBUTES); i++) {
        is_built = is_built || block_value(block, ATTRIBUTES[i]) != NULL;
    }
    if (!is_built) {
        return NULL;
    }
    PlanRecipe *recipe = arena_new(builder->arena, PlanRecipe);
    recipe->base = read_known(builder, block, IMAGE_BASE);
    recipe->dockerfile = read_known(builder, block, IMAGE_DOCKERFILE);
    recipe->env = read_known(builder, block, IMAGE_ENV);
    recipe->env =
        recipe->env != NULL ? recipe->env : value_new(builder->arena, VALUE_MAP, block->subject.name_span, NULL);
    recipe->run = read_known_list(builder, block, IMAGE_RUN);
    recipe->command = read_known(builder, block, IMAGE_COMMAND);
    recipe->build_env = read_known_list(builder, block, IMAGE_BUILD_ENV);
    recipe->has_collective = read_bool(builder, block, IMAGE_COLLECTIVE, false)->boolean;
    recipe->platform = read_known(builder, block, IMAGE_PLATFORM);
    if (!block->is_used) { // another build reads them
        read_files(builder, block, recipe);
    }
    return recipe;
}

// ---- who runs it -----------------------------------------------------------------------------------------------

static void note_user(PlanRecipe *recipe, const PlanNodes *nodes) {
    const PlanNodes **user =
        nodes->instance->architecture == ARCHITECTURE_ARM64 ? &recipe->arm64_user : &recipe->x86_64_user;
    if (*user == NULL) {
        *user = nodes;
    }
}

static bool measures_with(const PlanNodes *nodes, const PlanImage *image) {
    const Value *uri = nodes->validate == NULL ? NULL : nodes->validate->image;
    return uri != NULL && uri->kind == VALUE_LATE && uri->late->kind == LATE_OUTPUT &&
           uri->late->block == image->head.block;
}

static void find_users(const Plan *plan, const PlanImage *image, PlanRecipe *recipe) {
    for (uint32_t i = 0; i < plan->clusters.count; i++) {
        const PlanCluster *cluster = plan->clusters.items[i];
        for (uint32_t k = 0; k < cluster->jobs.count; k++) {
            if (cluster->jobs.items[k]->image == image) {
                note_user(recipe, cluster->jobs.items[k]->group);
            }
        }
        for (uint32_t k = 0; k < cluster->nodes.count; k++) {
            if (measures_with(cluster->nodes.items[k], image)) {
                note_user(recipe, cluster->nodes.items[k]);
            }
        }
    }
}

// Whether the build has nodes, and all of them are of Graviton or Grace.
static bool has_only_arm64(const Plan *plan) {
    bool is_any = false;
    for (uint32_t i = 0; i < plan->clusters.count; i++) {
        for (uint32_t k = 0; k < plan->clusters.items[i]->nodes.count; k++) {
            is_any = true;
            if (plan->clusters.items[i]->nodes.items[k]->instance->architecture != ARCHITECTURE_ARM64) {
                return false;
            }
        }
    }
    return is_any;
}

static void set_platform(Builder *builder, const PlanImage *image, PlanRecipe *recipe) {
    find_users(builder->plan, image, recipe);
    if (recipe->platform != NULL) {
        recipe->architecture = str_is(recipe->platform->string, "arm64") ? ARCHITECTURE_ARM64 : ARCHITECTURE_X86_64;
        return;
    }
    const bool has_users = recipe->arm64_user != NULL || recipe->x86_64_user != NULL;
    const bool is_arm64 = has_users ? recipe->x86_64_user == NULL : has_only_arm64(builder->plan);
    recipe->architecture = is_arm64 ? ARCHITECTURE_ARM64 : ARCHITECTURE_X86_64;
    recipe->platform = read_word(builder, image->head.block, IMAGE_PLATFORM, is_arm64 ? "arm64" : "amd64");
}

// ---- the image it is built on ----------------------------------------------------------------------------------

static void set_from(Builder *builder, const PlanImage *image, PlanRecipe *recipe) {
    const Value *base = recipe->base;
    if (base == NULL || base->kind != VALUE_TAG) {
        recipe->from = base == NULL ? STR_NONE : base->string;
        return;
    }
    const RegionRow *region = schema_region(image->region);
    const char *account = containers_account(image->region);
    if (region != NULL && account != NULL) {
        recipe->from = str_format(builder->arena, "%s.dkr.ecr.%s.%s/%.*s", account, region->name, region->url_suffix,
                                  STR_ARG(base->tag.arguments[0]->string));
    }
}

// A file of the author's says it itself.
static void set_entry(PlanRecipe *recipe) {
    recipe->has_no_entry = recipe->dockerfile == NULL && plan_image_is_dlc(recipe->from);
}

// ---- the sum ---------------------------------------------------------------------------------------------------

// Each text with its length before it, so that two recipes never give the same bytes.
static void add_text(StrBuf *out, const char *what, Str text) {
    strbuf_add_format(out, "%s %zu %.*s\n", what, text.len, STR_ARG(text));
}

static void add_list(StrBuf *out, const char *what, const Value *list) {
    for (uint32_t i = 0; list != NULL && i < list->list.count; i++) {
        add_text(out, what, list->list.items[i]->string);
    }
}

static Str sum_of(Arena *arena, const PlanRecipe *recipe) {
    StrBuf out = { .arena = arena };
    add_text(&out, "dtc image", STR("1")); // another way to build from the same recipe has another number
    add_text(&out, "from", recipe->from);
    add_text(&out, "platform", recipe->platform->string);
    if (recipe->has_no_entry) {
        add_text(&out, "entry", STR("none"));
    }
    if (recipe->dockerfile != NULL) {
        add_text(&out, "dockerfile", recipe->dockerfile->string);
    }
    for (uint32_t i = 0; i < recipe->env->map.count; i++) {
        add_text(&out, "name", recipe->env->map.entries[i].key);
        add_text(&out, "value", recipe->env->map.entries[i].value->string);
    }
    for (uint32_t i = 0; i < recipe->copied.count; i++) {
        add_text(&out, recipe->copied.items[i].is_folder ? "folder" : "copied", recipe->copied.items[i].path);
    }
    for (uint32_t i = 0; i < recipe->files.count; i++) {
        const TreeFile *file = &recipe->files.items[i];
        add_text(&out, file->is_executable ? "program" : "file", file->path);
        add_text(&out, "sha256", file->sha256);
    }
    add_list(&out, "run", recipe->run);
    add_list(&out, "secret", recipe->build_env);
    if (recipe->has_collective) {
        add_text(&out, "collective", STR(DTC_VERSION));
    }
    if (recipe->command != NULL) {
        add_text(&out, "command", STR("given"));
        add_list(&out, "word", recipe->command);
    }
    return sha256_text(arena, strbuf_str(&out));
}

static void decide_secrets(Builder *builder, const PlanImage *image) {
    const Block *block = image->head.block;
    const Value *names = image->recipe->build_env;
    if (names->list.count > 0 && !block->is_used) {
        StrBuf text = { .arena = builder->arena };
        for (uint32_t i = 0; i < names->list.count; i++) {
            strbuf_add_format(&text, "%s%.*s", i == 0 ? "" : ", ", STR_ARG(names->list.items[i]->string));
        }
        builder_add_decision(builder, names->span, builder_subject(builder, block),
                             "whoever builds it sets %.*s in the environment", STR_ARG(strbuf_str(&text)));
    }
}

void build_recipe_end(Builder *builder, const PlanImage *image) {
    if (image->recipe == NULL) {
        return;
    }
    PlanRecipe *recipe = arena_new(builder->arena, PlanRecipe);
    *recipe = *image->recipe;
    plan_own_image(builder->plan, image->head.block)->recipe = recipe;
    set_platform(builder, image, recipe);
    set_from(builder, image, recipe);
    set_entry(recipe);
    recipe->sum = sum_of(builder->arena, recipe);
    decide_secrets(builder, image);
}
