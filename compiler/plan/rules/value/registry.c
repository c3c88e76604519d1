// Rules about the host of a private registry of ECR, `123456789012.dkr.ecr.us-east-1.amazonaws.com`. dtc knows nothing
// of other registries.
#include "compiler/plan/rules/job.h"
#include "compiler/plan/rules/rule_word.h"

#include "compiler/plan/model/allow.h"
#include "schema/instances.h"

typedef struct {
    Str account;
    Str region;
    Str domain;
} Registry;

// False of another image, and of one whose account is a word that somebody replaces.
static bool registry_parse(Str image, Registry *registry) {
    const Str service = STR(".dkr.ecr.");
    const Str host = str_slice(image, 0, str_find(image, STR("/"), 0));
    const size_t at = str_find(host, service, 0);
    if (at == host.len || at == 0 || host.len == image.len) {
        return false;
    }
    for (size_t i = 0; i < at; i++) {
        if (host.data[i] < '0' || host.data[i] > '9') {
            return false;
        }
    }
    const size_t start = at + service.len;
    const size_t dot = str_find(host, STR("."), start);
    *registry = (Registry){ .account = str_slice(host, 0, at), .region = str_slice(host, start, dot) };
    registry->domain = dot < host.len ? str_slice(host, dot + 1, str_find(host, STR(":"), dot)) : STR_NONE;
    return true;
}

// Whether a text without a slash is the host of a registry, which may have a tag behind it.
static bool is_registry_alone(Str image) {
    static const char *const REGISTRIES[] = { "public.ecr.aws", "docker.io", "ghcr.io", "nvcr.io", "quay.io" };
    const Str name = str_slice(image, 0, str_find(image, STR(":"), 0));
    const size_t service = str_find(name, STR(".dkr.ecr."), 0);
    bool is_one = service > 0 && service < name.len;
    for (size_t i = 0; i < COUNT_OF(REGISTRIES); i++) {
        is_one = is_one || str_is(name, REGISTRIES[i]);
    }
    return is_one && str_find(image, STR("/"), 0) == image.len;
}

// Amazon ECR User Guide, Private registries; AWS Account Management Reference Guide, account identifiers; 2026-11. The
// domain is that of the region's partition.
void rules_registry(const Rules *rules, const Subject *subject, Span span, Str image) {
    enum { ACCOUNT_DIGITS = 12 };
    Registry registry;
    if (is_registry_alone(image)) {
        Diag *diag = plan_report_once(rules->session, subject, span, DIAG(registry_alone), STR_ARG(image));
        diag_help(rules->session, diag, "write the repository and the tag behind it: `/team/trainer:v1`");
        return;
    }
    if (!registry_parse(image, &registry)) {
        return;
    }
    const RegionRow *region = schema_region(registry.region);
    if (registry.account.len != ACCOUNT_DIGITS) {
        Diag *diag = plan_report_once(rules->session, subject, span, DIAG(registry_account), STR_ARG(registry.account),
                                      registry.account.len);
        diag_help(rules->session, diag, "write the 12 digits of the account");
    } else if (region == NULL) {
        Diag *diag = plan_report_once(rules->session, subject, span, DIAG(registry_region), STR_ARG(registry.region));
        Suggestion suggestion = suggest_for(rules->session, registry.region);
        for (int i = 0; i < REGION_ROW_COUNT; i++) {
            suggest_offer(&suggestion, str_of(REGION_ROWS[i].name));
        }
        diag_help(rules->session, diag, "write the region that the registry is in, such as `%.*s`",
                  STR_ARG(suggest_is_sure(&suggestion) ? suggestion.best : STR("us-east-1")));
        if (suggest_is_sure(&suggestion)) {
            rule_replace_part(rules, diag, span, registry.region, suggestion.best);
        }
    } else if (!str_is(registry.domain, region->url_suffix)) {
        Diag *diag = plan_report_once(rules->session, subject, span, DIAG(registry_domain), region->name,
                                      region->url_suffix, STR_ARG(registry.domain));
        diag_help(rules->session, diag, "write `.%s` in place of `.%.*s`", region->url_suffix,
                  STR_ARG(registry.domain));
        Arena *arena = rules->session->arena;
        rule_replace_part(rules, diag, span, str_format(arena, ".%.*s/", STR_ARG(registry.domain)),
                          str_format(arena, ".%s/", region->url_suffix));
    }
}

// A text that is put together at deployment is judged there: its parts alone are no hosts.
static void check_image(const Rules *rules, const Subject *subject, const Value *image) {
    if (image == NULL) {
        return;
    }
    image = value_by_default(image);
    if (image->kind == VALUE_STRING) {
        rules_registry(rules, subject, image->span, image->string);
    } else if (image->kind == VALUE_LATE && (image->late->kind == LATE_IF || image->late->kind == LATE_DEFAULT)) {
        for (uint32_t i = image->late->kind == LATE_IF ? 1 : 0; i < image->late->part_count; i++) {
            check_image(rules, subject, image->late->parts[i]);
        }
    }
}

void rule_registry(const Rules *rules, const PlanPart *part) {
    if (part_is(part, KIND_JOB)) {
        check_image(rules, part->subject, subject_value(part->subject, JOB_IMAGE));
    } else if (part_is(part, KIND_IMAGE)) {
        check_image(rules, part->subject, subject_value(part->subject, IMAGE_BASE));
    } else if (part_is(part, KIND_VALIDATE)) {
        check_image(rules, part->subject, subject_value(part->subject, VALIDATE_IMAGE));
    }
}
