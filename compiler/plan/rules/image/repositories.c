// Rules about the repositories of ECR that a declared image goes to: who makes one, its name and its settings.
#include "compiler/plan/rules/rule_field.h"

#include "compiler/base/pattern.h"
#include "compiler/plan/model/allow.h"
#include "schema/forms.h"

static void check_made(const Rules *rules, const PlanImage *image, int attribute) {
    const Subject *subject = image->head.subject;
    const bool is_made = !image->is_existing && image->maker == image;
    if (is_made || subject_value(subject, attribute) == NULL) {
        return;
    }
    Diag *diag = plan_report(rules->session, subject, subject_key(subject, attribute), DIAG(repository_not_made),
                             part_attribute(image->head.part, attribute), STR_ARG(image->head.id));
    if (image->is_existing) {
        diag_label(rules->session, diag, subject_key(subject, IMAGE_EXISTING), "it is there already");
    } else {
        diag_label(rules->session, diag, image->maker->head.subject->name_span, "makes the repository");
        diag_help(rules->session, diag, "write it in `image %.*s`", STR_ARG(image->maker->head.id));
    }
}

void rule_repository_made(const Rules *rules, const PlanImage *image) {
    static const int SETTINGS[] = { IMAGE_EMPTY_ON_DELETE, IMAGE_SCAN, IMAGE_IMMUTABLE, IMAGE_EXPIRE_UNTAGGED,
                                    IMAGE_KEEP_NEWEST };
    for (size_t i = 0; i < COUNT_OF(SETTINGS); i++) {
        check_made(rules, image, SETTINGS[i]);
    }
}

void rule_repository_amounts(const Rules *rules, const PlanImage *image) {
    const Value *untagged = image->expire_untagged;
    const Value *newest = image->keep_newest;
    const int64_t day = INT64_C(24) * 60 * 60 * 1000;
    if (untagged != NULL && untagged->integer < day) {
        const Str time = value_print(rules->session->arena, untagged);
        Diag *diag =
            plan_report(rules->session, image->head.subject, untagged->span, DIAG(untagged_lifetime), STR_ARG(time));
        diag_help(rules->session, diag, "write `1d` or more");
    }
    if (newest != NULL && newest->integer < 1) {
        rule_too_few(rules, image->head.subject, FORM_DECLARED, newest->span, "keep_newest", newest->integer, 1);
    }
}

void rule_repository_region(const Rules *rules, const PlanImage *image) {
    if (image->elsewhere == NULL || image->is_existing) {
        return;
    }
    Diag *diag =
        plan_report(rules->session, image->head.subject, image->head.subject->name_span, DIAG(repository_regions),
                    STR_ARG(image->head.id), STR_ARG(image->user->region), STR_ARG(image->elsewhere->region));
    diag_label(rules->session, diag, image->user->head.subject->name_span, "in %.*s", STR_ARG(image->user->region));
    diag_label(rules->session, diag, image->elsewhere->head.subject->name_span, "in %.*s",
               STR_ARG(image->elsewhere->region));
    diag_help(rules->session, diag, "have ECR replicate the repository, and write `existing = true`");
}

// What is wrong with the name of a repository; NULL: nothing.
static const char *repository_fault(Session *session, Str name) {
    _Static_assert(LIMIT_REPOSITORY_NAME_MIN == 2 && LIMIT_REPOSITORY_NAME_MAX == 256, "the text below has them");
    if (name.len < LIMIT_REPOSITORY_NAME_MIN || name.len > LIMIT_REPOSITORY_NAME_MAX) {
        return "ECR takes 2 to 256 characters";
    }
    for (size_t i = 0; i < name.len; i++) {
        const char c = name.data[i];
        if (c >= 'A' && c <= 'Z') {
            return "it has capitals";
        }
        if (!(c >= 'a' && c <= 'z') && !char_is_digit(c) && strchr("-_./", c) == NULL) {
            return "it has another character than letters, digits, `-`, `_`, `.` and `/`";
        }
    }
    return pattern_match(session, str_of(FORM_REPOSITORY_NAME), name, NULL) == PATTERN_YES
               ? NULL
               : "each `-`, `_`, `.` and `/` stands alone between letters or digits";
}

void rule_repository_name(const Rules *rules, const PlanImage *image) {
    const Value *name = image->repository;
    const char *fault =
        image->is_existing || image->maker != image ? NULL : repository_fault(rules->session, name->string);
    if (fault == NULL) {
        return;
    }
    Diag *diag = plan_report(rules->session, image->head.subject, name->span, DIAG(repository_name),
                             STR_ARG(name->string), fault);
    if (subject_value(image->head.subject, IMAGE_REPOSITORY) == NULL) {
        diag_help(rules->session, diag, "write `repository = \"…\"` with another name, or rename the block");
    } else {
        diag_help(rules->session, diag, "write lower-case letters and digits, with `-`, `_`, `.` or `/` between them");
    }
}

void rule_repository_of_registry(const Rules *rules, const PlanImage *image) {
    const Str name = image->repository->string;
    const size_t service = str_find(name, STR(".dkr.ecr."), 0);
    const size_t slash = str_find(name, STR("/"), 0);
    if (service >= name.len || slash < service || image->maker != image) {
        return;
    }
    Diag *diag = plan_report(rules->session, image->head.subject, image->repository->span, DIAG(repository_of_registry),
                             STR_ARG(name));
    if (slash < name.len) {
        const Str behind = str_slice(name, slash + 1, name.len);
        diag_help(rules->session, diag, "write `repository = \"%.*s\"`", STR_ARG(behind));
    } else {
        diag_help(rules->session, diag, "write the name of a repository, such as `team/trainer`");
    }
}
