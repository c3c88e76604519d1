// Rules about how an image is built: what belongs together, what a Dockerfile can hold, and whom the image is for.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/dockerfile.h"
#include "compiler/plan/model/image.h"
#include "compiler/plan/model/names.h"
#include "compiler/base/suggest.h"
#include "schema/names.h"

// A line of a Dockerfile has 65,535 bytes at most (moby/buildkit@73ed6825 frontend/dockerfile/parser, 2026-08). JSON may
// make six bytes of one, and other words stand on the line.
enum { TEXT_MAX = 10000 };

// ---- what belongs together -------------------------------------------------------------------------------------

void rule_recipe_whole(const Rules *rules, const PlanImage *image) {
    static const int OTHERS[] = { IMAGE_BASE, IMAGE_ENV, IMAGE_RUN, IMAGE_COMMAND };
    const PlanRecipe *recipe = image->recipe;
    const Subject *subject = image->head.subject;
    if (recipe == NULL) {
        return;
    }
    if (recipe->dockerfile == NULL && recipe->base == NULL) {
        if (subject_value(subject, IMAGE_BASE) != NULL || subject_value(subject, IMAGE_DOCKERFILE) != NULL) {
            return; // one that is late is reported
        }
        Diag *diag = report(rules->session, subject->name_span, DIAG(recipe_without_base), STR_ARG(image->head.id));
        diag_help(rules->session, diag, "write `base = \"…\"`, or `dockerfile = file(\"…\")`");
        return;
    }
    for (size_t i = 0; i < COUNT_OF(OTHERS) && recipe->dockerfile != NULL; i++) {
        if (subject_value(subject, OTHERS[i]) != NULL) {
            Diag *diag = report(rules->session, subject_key(subject, OTHERS[i]), DIAG(recipe_twice),
                                part_attribute(image->head.part, OTHERS[i]));
            diag_label(rules->session, diag, subject_key(subject, IMAGE_DOCKERFILE), "the Dockerfile");
            diag_help(rules->session, diag, "leave one of them out");
        }
    }
}

// ---- texts -----------------------------------------------------------------------------------------------------

static bool is_variable(Str name, bool in_capitals) {
    for (size_t i = 0; i < name.len; i++) {
        const char c = name.data[i];
        const bool is_letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z' && !in_capitals) || c == '_';
        if (!is_letter && (i == 0 || !char_is_digit(c))) {
            return false;
        }
    }
    return name.len > 0;
}

static const char *text_fault(Str text, bool is_line) {
    for (size_t i = 0; i < text.len && is_line; i++) {
        const unsigned char c = (unsigned char)text.data[i];
        if ((c < ' ' && c != '\t') || c == 0x7f) {
            return c == '\n' ? "has a line end" : "has a control character";
        }
    }
    return text.len > TEXT_MAX ? "has more than 10,000 bytes" : NULL;
}

void rule_recipe_env(const Rules *rules, const PlanImage *image) {
    const Value *env = image->recipe == NULL ? NULL : image->recipe->env;
    for (uint32_t i = 0; env != NULL && i < env->map.count; i++) {
        const ValueEntry *entry = &env->map.entries[i];
        if (!is_variable(entry->key, false)) {
            Diag *diag =
                report(rules->session, entry->key_span, DIAG(image_variable), STR_ARG(entry->key), "of an image");
            diag_help(rules->session, diag, "write letters, digits and `_`");
            continue;
        }
        const char *fault = text_fault(entry->value->string, true);
        if (fault != NULL) {
            const Str what = str_format(rules->session->arena, "the value of `%.*s`", STR_ARG(entry->key));
            report(rules->session, entry->value->span, DIAG(image_text), str_c(rules->session->arena, what), fault);
        }
    }
}

void rule_recipe_run(const Rules *rules, const PlanImage *image) {
    if (image->recipe == NULL) {
        return;
    }
    const Value *run = image->recipe->run;
    for (uint32_t i = 0; i < run->list.count; i++) {
        const Value *text = run->list.items[i];
        const char *fault = str_trim(text->string).len == 0 ? "is empty" : text_fault(text->string, false);
        if (fault != NULL) {
            report(rules->session, text->span, DIAG(image_text), "a command of `run`", fault);
        }
    }
    const Value *command = image->recipe->command;
    enum { AROUND = 4 }; // quotes, a comma and a blank
    size_t length = 0;
    for (uint32_t i = 0; command != NULL && i < command->list.count; i++) {
        length += command->list.items[i]->string.len + AROUND;
    }
    if (length > TEXT_MAX) {
        report(rules->session, command->span, DIAG(image_text), "`command`", "has more than 10,000 bytes");
    }
}

void rule_recipe_build_env(const Rules *rules, const PlanImage *image) {
    const Value *names = image->recipe == NULL ? NULL : image->recipe->build_env;
    for (uint32_t i = 0; names != NULL && i < names->list.count; i++) {
        const Value *name = names->list.items[i];
        if (!is_variable(name->string, true)) {
            Diag *diag =
                report(rules->session, name->span, DIAG(image_variable), STR_ARG(name->string), "that a build takes");
            diag_help(rules->session, diag, "write capitals, digits and `_`");
        }
    }
}

// ---- the image it is built on ----------------------------------------------------------------------------------

static void check_moves(const Rules *rules, const PlanImage *image, const Value *value, Str from) {
    if (from.len > 0 && plan_image_moves(from)) {
        Diag *diag = plan_report(rules->session, image->head.subject, value->span, DIAG(base_moves), STR_ARG(from));
        diag_help(rules->session, diag, "write a version or a digest behind it: `:24.04`, `@sha256:…`");
    }
}

void rule_base_moves(const Rules *rules, const PlanImage *image) {
    const PlanRecipe *recipe = image->recipe;
    if (recipe != NULL && recipe->base != NULL) {
        const Value *base = recipe->base;
        check_moves(rules, image, base, base->kind == VALUE_TAG ? base->tag.arguments[0]->string : base->string);
    }
    if (recipe == NULL || recipe->dockerfile == NULL) {
        return;
    }
    DockerLine line;
    bool is_any = false;
    for (size_t at = 0; docker_next(recipe->dockerfile->string, &at, &line);) {
        if (docker_is(&line, "from")) {
            is_any = true;
            check_moves(rules, image, recipe->dockerfile, docker_from(recipe->dockerfile->string, &line));
        }
    }
    if (!is_any) {
        Diag *diag = report(rules->session, recipe->dockerfile->span, DIAG(dockerfile_without_from));
        diag_help(rules->session, diag, "write the text of a Dockerfile: `file(\"Dockerfile\")`");
    }
}

// The name of a Deep Learning Container, without tag and digest; empty where the base is another image.
static Str container_name(const PlanRecipe *recipe) {
    if (recipe == NULL || recipe->base == NULL || recipe->base->kind != VALUE_TAG) {
        return STR_NONE;
    }
    const Str given = recipe->base->tag.arguments[0]->string;
    const Str named = str_slice(given, 0, str_find(given, STR("@"), 0));
    return str_slice(named, 0, str_find(named, STR(":"), 0));
}

void rule_base_name(const Rules *rules, const PlanImage *image) {
    const Str name = container_name(image->recipe);
    const NameList names = names_of(NAMES_DEEP_LEARNING_CONTAINERS);
    if (name.len == 0 || names_have(NAMES_DEEP_LEARNING_CONTAINERS, name)) {
        return;
    }
    Suggestion suggestion = suggest_for(rules->session, name);
    for (size_t i = 0; i < names.count; i++) {
        suggest_offer(&suggestion, str_of(names.items[i]));
    }
    Diag *diag = plan_report(rules->session, image->head.subject, image->recipe->base->tag.arguments[0]->span,
                             DIAG(dlc_unknown), STR_ARG(name));
    if (suggestion.best.len > 0) {
        diag_help(rules->session, diag, "write `%.*s` in place of `%.*s`, with a tag of that container",
                  STR_ARG(suggestion.best), STR_ARG(name));
    } else {
        diag_help(rules->session, diag, "write one of the names of https://aws.github.io/deep-learning-containers/");
    }
}

// Whether a cluster, a group or a job is left out, which might run the image.
static bool lacks_users(const Rules *rules, const PlanImage *image) {
    const PlanRecipe *recipe = image->recipe;
    const bool has_users = recipe->x86_64_user != NULL || recipe->arm64_user != NULL;
    return plan_lacks_parts(rules->plan) && !has_users && subject_value(image->head.subject, IMAGE_PLATFORM) == NULL;
}

// Of a name that has a twin for the other architecture it is known which one it is for.
void rule_base_architecture(const Rules *rules, const PlanImage *image) {
    const Str name = container_name(image->recipe);
    const Str end = STR("-arm64");
    const bool is_arm64 = str_ends_with(name, end);
    const Str twin = is_arm64 ? str_slice(name, 0, name.len - end.len)
                              : str_format(rules->session->arena, "%.*s%.*s", STR_ARG(name), STR_ARG(end));
    const bool wants_arm64 = image->recipe != NULL && image->recipe->architecture == ARCHITECTURE_ARM64;
    if (name.len == 0 || is_arm64 == wants_arm64 || !names_have(NAMES_DEEP_LEARNING_CONTAINERS, name) ||
        !names_have(NAMES_DEEP_LEARNING_CONTAINERS, twin) || lacks_users(rules, image)) {
        return;
    }
    Diag *diag = plan_report(rules->session, image->head.subject, image->recipe->base->tag.arguments[0]->span,
                             DIAG(dlc_architecture), STR_ARG(name), is_arm64 ? "arm64" : "amd64",
                             STR_ARG(image->head.id), wants_arm64 ? "arm64" : "amd64");
    const PlanNodes *user = wants_arm64 ? image->recipe->arm64_user : image->recipe->x86_64_user;
    if (user != NULL) {
        diag_label(rules->session, diag, user->instance_value->span, "%s", user->instance->name);
    }
    diag_help(rules->session, diag, "write `%.*s` in place of `%.*s`, with a tag of its own", STR_ARG(twin),
              STR_ARG(name));
}

void rule_base_registry(const Rules *rules, const PlanImage *image) {
    const Value *base = image->recipe == NULL ? NULL : image->recipe->base;
    if (base == NULL || base->kind != VALUE_TAG || image->recipe->from.len > 0) {
        return;
    }
    if (image->region.len == 0 && rules->plan->lacks_clusters) {
        return; // the one that is left out may say it
    }
    const Str why = image->region.len == 0 ? STR("the region of the repository is decided at deployment")
                                           : str_format(rules->session->arena, "AWS has no registry of them in %.*s",
                                                        STR_ARG(image->region));
    Diag *diag = plan_report(rules->session, image->head.subject, base->span, DIAG(dlc_registry),
                             str_c(rules->session->arena, why));
    diag_help(rules->session, diag, "write the whole name of the image, with its registry%s",
              image->region.len == 0 ? ", or give the network of its cluster a `region`" : "");
}

void rule_build_arguments(const Rules *rules, const PlanImage *image) {
    const PlanRecipe *recipe = image->recipe;
    for (uint32_t i = 0; recipe != NULL && recipe->dockerfile != NULL && i < recipe->build_env->list.count; i++) {
        const Value *name = recipe->build_env->list.items[i];
        if (docker_takes(recipe->dockerfile->string, name->string)) {
            Diag *diag = plan_report(rules->session, image->head.subject, name->span, DIAG(build_argument),
                                     STR_ARG(name->string));
            diag_help(rules->session, diag, "mount it: `RUN --mount=type=secret,id=%.*s`", STR_ARG(name->string));
        }
    }
}

// ---- who runs it -----------------------------------------------------------------------------------------------

static void report_platform(const Rules *rules, const PlanImage *image, const PlanNodes *nodes, Span span) {
    const char *wanted = nodes->instance->architecture == ARCHITECTURE_ARM64 ? "arm64" : "amd64";
    const char *has = image->recipe->architecture == ARCHITECTURE_ARM64 ? "arm64" : "amd64";
    const Str path = plan_group_path(rules->session->arena, nodes);
    const Str who = str_format(rules->session->arena, "the nodes of `%.*s`", STR_ARG(path));
    Diag *diag = plan_report(rules->session, image->head.subject, span, DIAG(image_platform), STR_ARG(image->head.id),
                             has, str_c(rules->session->arena, who), wanted);
    diag_label(rules->session, diag, nodes->instance_value->span, "%s is %s", nodes->instance->name, wanted);
}

void rule_image_platform(const Rules *rules, const PlanImage *image) {
    const PlanRecipe *recipe = image->recipe;
    if (recipe == NULL) {
        return;
    }
    const PlanNodes *other = recipe->architecture == ARCHITECTURE_ARM64 ? recipe->x86_64_user : recipe->arm64_user;
    const bool is_given = subject_value(image->head.subject, IMAGE_PLATFORM) != NULL;
    if (other != NULL) {
        report_platform(rules, image, other, is_given ? recipe->platform->span : image->head.subject->name_span);
    }
}

void rule_image_tag_of_used(const Rules *rules, const PlanJob *job) {
    const PlanImage *image = job->image;
    if (image == NULL || image->recipe == NULL || !image->head.part->is_used ||
        subject_value(image->head.subject, IMAGE_TAG) != NULL) {
        return;
    }
    const Span span = subject_value(job->head.subject, JOB_IMAGE)->span;
    Diag *diag = plan_report(rules->session, job->head.subject, span, DIAG(tag_of_used), STR_ARG(image->head.id));
    diag_label(rules->session, diag, image->head.subject->name_span, "built from a recipe, without `tag`");
    diag_help(rules->session, diag, "write `tag = \"…\"` there");
}

void rule_pushed_tags(const Rules *rules) {
    Arena *arena = rules->session->arena;
    StrMap pushed = { .arena = arena };
    for (uint32_t i = 0; i < rules->plan->images.count; i++) {
        const PlanImage *image = rules->plan->images.items[i];
        if (!plan_image_is_built(image)) {
            continue;
        }
        const uint32_t outer = diags_begin_turn(rules->session);
        const Str name = plan_image_reference(arena, image);
        const PlanImage *other = str_map_add(&pushed, name, image);
        if (other != NULL && !str_equal(other->recipe->sum, image->recipe->sum)) {
            Diag *diag = plan_report(rules->session, image->head.subject, image->tag->span, DIAG(tag_pushed_twice),
                                     STR_ARG(other->head.id), STR_ARG(image->head.id), STR_ARG(name));
            diag_label(rules->session, diag, other->tag->span, "the same");
            diag_help(rules->session, diag, "leave `tag` out, or write another one");
        }
        diags_end_turn(rules->session, outer);
    }
}
