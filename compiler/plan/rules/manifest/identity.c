// Rules about the service account by which the pods of a job on EKS take their role.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/identity.h"
#include "compiler/plan/model/object.h"
#include "compiler/plan/model/object_value.h"

// What a patch of a pod says, by which EKS knows whose role it has.
static const char *const WHO[] = { ".metadata.namespace", ".serviceAccountName", ".serviceAccount" };

static void check_patch(const Rules *rules, const PlanJob *job, const BlockPatch *patch) {
    for (size_t i = 0; i < COUNT_OF(WHO); i++) {
        if (str_ends_with(patch->path, str_of(WHO[i]))) {
            Diag *diag = plan_report(rules->session, job->head.subject, patch->path_span, DIAG(account_patched),
                                     STR_ARG(job->head.id));
            diag_help(rules->session, diag, "leave the patch out, or patch the association as well and `allow` this");
        }
    }
}

static bool is_account(const Rules *rules, const PlanObject *object, Str name) {
    const Value *written = plan_object_name(object->resource);
    const Value *space = object_get(object_get(object->fields, "metadata"), "namespace");
    Str called = object->resource->name;
    if (!str_is(object->resource->type, "v1/ServiceAccount") ||
        (written != NULL && !value_text_by_default(rules->session->arena, written, &called))) {
        return false;
    }
    const bool is_default = space == NULL || (space->kind == VALUE_STRING && str_is(space->string, "default"));
    return is_default && str_equal(called, name);
}

// Two files that say different things of one object take it from each other whenever one is applied.
static void check_object(const Rules *rules, const PlanJob *job, const PlanObject *object) {
    if (is_account(rules, object, job->head.id)) {
        Diag *diag = plan_report(rules->session, object->subject, object->resource->span, DIAG(account_twice),
                                 STR_ARG(job->head.id));
        diag_label(rules->session, diag, job->head.subject->name_span, "has an account of that name");
        diag_help(rules->session, diag, "leave the object out, or give it or the job another name");
    }
}

void rule_account_of_job(const Rules *rules, const PlanJob *job) {
    if (!plan_job_has_identity(job)) {
        return;
    }
    for (uint32_t i = 0; i < job->head.part->patches.count; i++) {
        check_patch(rules, job, &job->head.part->patches.items[i]);
    }
    for (uint32_t i = 0; i < job->cluster->eks->objects.count; i++) {
        check_object(rules, job, job->cluster->eks->objects.items[i]);
    }
}
