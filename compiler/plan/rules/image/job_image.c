// Rules about what a job finds in its container: the image that it names, and a compile cache.
#include "compiler/plan/rules/rule_field.h"
#include "compiler/plan/rules/job.h"

#include "compiler/plan/model/allow.h"

void rule_image_in_quotes(const Rules *rules, const PlanJob *job) {
    const Value *uri = job->image == NULL ? job->image_uri : NULL;
    for (uint32_t i = 0; uri != NULL && uri->kind == VALUE_STRING && i < rules->plan->images.count; i++) {
        const PlanImage *image = rules->plan->images.items[i];
        const Str name = str_slice(uri->string, 0, str_find(uri->string, STR(":"), 0));
        if (!str_equal(name, image->head.id)) {
            continue;
        }
        Diag *diag =
            plan_report(rules->session, job->head.subject, uri->span, DIAG(image_in_quotes), STR_ARG(uri->string));
        diag_label(rules->session, diag, image->head.subject->name_span, "the block");
        diag_help(rules->session, diag, "write `image = %.*s`", STR_ARG(name));
        return;
    }
}

// ---- the compile cache ----------------------------------------------------------------------------------------------

void rule_cache_is_kept(const Rules *rules, const PlanJob *job) {
    const Value *cache = subject_value(job->head.subject, JOB_CACHE);
    const bool is_path = cache != NULL && cache->kind == VALUE_STRING && str_starts_with(cache->string, STR("/"));
    if (!is_path || job->container == NULL) {
        return;
    }
    for (uint32_t i = 0; i < job->container->mounts.count; i++) {
        const Str mount = job->container->mounts.items[i]->mount->string;
        const char next = str_at(cache->string, mount.len); // `/shared2` is not below `/shared`
        if (str_starts_with(cache->string, mount) && (next == '\0' || next == '/')) {
            return;
        }
    }
    Diag *diag = plan_report(rules->session, job->head.subject, cache->span, DIAG(cache_in_container),
                             STR_ARG(job->head.id), STR_ARG(cache->string));
    diag_help(rules->session, diag, "write a folder below the `mount` of a file system, or `\"s3://BUCKET/PREFIX\"`");
}
