// Reads names of container images: registry, repository, tag and digest.
#include "compiler/plan/model/image.h"

#include "schema/containers.h"

bool plan_image_is_built(const PlanImage *image) {
    return image->recipe != NULL && !image->head.part->is_used;
}

bool plan_image_is_awaited(const PlanImage *image) {
    const bool is_made = !image->is_existing && !image->maker->is_existing && !image->maker->head.part->is_used;
    return image->recipe == NULL && is_made && !image->head.part->is_used;
}

Str plan_image_reference(Arena *arena, const PlanImage *image) {
    return str_format(arena, "%.*s:%.*s", STR_ARG(image->repository->string), STR_ARG(image->tag->string));
}

// Amazon ECR User Guide, Private registries and Dual-stack endpoints, 2026-11:
// 123456789012.dkr.ecr.us-east-1.amazonaws.com, .dkr.ecr-fips. and .dkr-ecr.us-east-1.on.aws.
bool plan_registry_region(Str host, Str *region) {
    static const char *const SERVICES[] = { ".dkr.ecr.", ".dkr.ecr-fips.", ".dkr-ecr.", ".dkr-ecr-fips." };
    const bool may_be = str_has(host, ".dkr"); // most texts are no host at all
    for (size_t i = 0; may_be && i < COUNT_OF(SERVICES); i++) {
        const size_t at = str_find(host, str_of(SERVICES[i]), 0);
        const size_t start = at + strlen(SERVICES[i]);
        if (at > 0 && start < host.len) {
            *region = str_slice(host, start, str_find(host, STR("."), start));
            return true;
        }
    }
    return false;
}

bool plan_image_registry(Str image, Str *host, Str *region) {
    const Str name = str_slice(image, 0, str_find(image, STR("/"), 0));
    if (name.len == image.len || !plan_registry_region(name, region)) {
        return false;
    }
    *host = name;
    return true;
}

bool plan_image_is_dlc(Str image) {
    static const char *const PUBLIC[] = { "public.ecr.aws/deep-learning-containers/", "public.ecr.aws/neuron/" };
    Str host = STR_NONE;
    Str region = STR_NONE;
    bool is_theirs = str_starts_with_any(image, PUBLIC, COUNT_OF(PUBLIC));
    if (plan_image_registry(image, &host, &region)) {
        const char *account = containers_account(region);
        is_theirs = account != NULL && str_starts_with(host, str_of(account));
    }
    return is_theirs && str_find(str_after_last(image, '/'), STR("-training"), 0) < str_after_last(image, '/').len;
}

bool plan_image_moves(Str image) {
    const Str last = str_after_last(image, '/');
    const size_t colon = str_find(last, STR(":"), 0);
    if (str_find(image, STR("@"), 0) < image.len) {
        return false;
    }
    return colon == last.len || str_is(str_slice(last, colon + 1, last.len), "latest");
}
