// Images, and the repositories that they are in.
#include "compiler/plan/declared/builder.h"

#include "compiler/plan/declared/read.h"
#include "compiler/plan/model/image.h"
#include "compiler/plan/model/region.h"

void build_image(Builder *builder, const Block *block) {
    PlanImage *image = arena_new(builder->arena, PlanImage);
    image->head = builder_head(builder, block, -1);
    const Value *repository = read_known(builder, block, IMAGE_REPOSITORY);
    const Value *name = value_string(builder->arena, block->subject.name_span, block->origin, block->name);
    image->repository = repository != NULL ? repository : name;
    image->recipe = build_recipe(builder, image);
    image->tag = read_known(builder, block, IMAGE_TAG);
    image->is_existing = read_bool(builder, block, IMAGE_EXISTING, false)->boolean;
    image->is_emptied = read_bool(builder, block, IMAGE_EMPTY_ON_DELETE, false);
    image->is_scanned = read_bool(builder, block, IMAGE_SCAN, true);
    image->is_immutable = read_bool(builder, block, IMAGE_IMMUTABLE, false);
    image->expire_untagged = read_known(builder, block, IMAGE_EXPIRE_UNTAGGED);
    image->keep_newest = read_known(builder, block, IMAGE_KEEP_NEWEST);
    image->maker = image;
    const PlanImage *other = str_map_add(&builder->makers[image->is_existing], image->repository->string, image);
    if (other != NULL) {
        image->maker = other;
    }
    plan_add_image(builder->arena, builder->plan, image);
}

// Which clusters have jobs from the repository that an image makes: the first, and whether there are others.
static void find_users(Builder *builder) {
    for (uint32_t i = 0; i < builder->plan->clusters.count; i++) {
        const PlanCluster *cluster = builder->plan->clusters.items[i];
        for (uint32_t k = 0; k < cluster->jobs.count; k++) {
            const PlanImage *used = cluster->jobs.items[k]->image;
            PlanImage *maker =
                used == NULL || used->maker == NULL ? NULL : plan_own_image(builder->plan, used->maker->head.block);
            if (maker != NULL && maker->user == NULL) {
                maker->user = cluster;
            }
            if (maker != NULL && maker->user != cluster) {
                maker->has_users = true;
            }
            const bool is_elsewhere = maker != NULL && maker->user->region.len > 0 && cluster->region.len > 0 &&
                                      !str_equal(maker->user->region, cluster->region);
            if (is_elsewhere && maker->elsewhere == NULL) {
                maker->elsewhere = cluster;
            }
        }
    }
}

static void decide_deletion(Builder *builder, const PlanImage *image) {
    const Block *block = image->head.block;
    if (block_value(block, IMAGE_EMPTY_ON_DELETE) == NULL) {
        builder_add_decision(builder, block->subject.name_span, builder_subject(builder, block),
                             "the repository and its images stay when the stack is deleted");
    }
}

// A tag that nobody wrote. Files from before dtc built images have the block's name, and keep it.
static void set_tag(Builder *builder, PlanImage *image) {
    enum { SUM_DIGITS = 12 };
    const Block *block = image->head.block;
    if (image->tag != NULL) {
        return;
    }
    image->tag_is_sum = image->recipe != NULL;
    const Origin *origin =
        origin_join(builder->arena, image->head.origin, plan_schema_origin(builder, block, IMAGE_TAG));
    image->tag = value_string(builder->arena, block->subject.name_span, origin,
                              image->tag_is_sum ? str_slice(image->recipe->sum, 0, SUM_DIGITS) : block->name);
    if (block->is_used) {
        return;
    }
    if (image->tag_is_sum) {
        builder_add_decision(builder, block->subject.name_span, builder_subject(builder, block),
                             "its tag is %.*s, a sum of all that it is built from", STR_ARG(image->tag->string));
    } else if (block->is_named) {
        builder_add_decision(builder, block->subject.name_span, builder_subject(builder, block),
                             "dtc does not build it: push it as %.*s",
                             STR_ARG(plan_image_reference(builder->arena, image)));
    }
}

static void place_repository(Builder *builder, PlanImage *image, Str only) {
    const bool is_made = !image->is_existing && image->maker == image && !image->head.block->is_used;
    image->region =
        image->maker->user != NULL && image->maker->user->region.len > 0 ? image->maker->user->region : only;
    if (is_made && image->user != NULL && image->user->batch != NULL && !image->has_users) {
        PlanCluster *owner = plan_own_cluster(builder->plan, image->user->head.block);
        image->owner = owner;
        vec_push(builder->arena, &owner->images, image);
    }
    if (is_made) {
        decide_deletion(builder, image);
    }
}

// A repository whose tags are sums needs no tag twice.
static void set_immutable(Builder *builder, PlanImage *image) {
    const Block *block = image->head.block;
    if (block_value(block, IMAGE_IMMUTABLE) != NULL || image->maker != image || image->is_existing) {
        return;
    }
    bool has_sums = true;
    for (uint32_t i = 0; i < builder->plan->images.count; i++) {
        const PlanImage *other = builder->plan->images.items[i];
        has_sums = has_sums && (other->maker != image || other->tag_is_sum);
    }
    image->is_immutable = read_bool(builder, block, IMAGE_IMMUTABLE, has_sums);
}

// A repository stands in the stack of the one cluster that uses it, else in a stack of its own.
void build_images_end(Builder *builder) {
    find_users(builder);
    const Str only = plan_only_region(builder->plan);
    for (uint32_t i = 0; i < builder->plan->images.count; i++) {
        PlanImage *image = plan_own_image(builder->plan, builder->plan->images.items[i]->head.block);
        const Block *block = image->head.block;
        const bool is_pushed_here = image->recipe != NULL && !block->is_used;
        if (image->tag != NULL && !is_pushed_here && !block->is_named && !block->is_used) {
            builder_add_decision(builder, image->tag->span, builder_subject(builder, block),
                                 "no job here runs it; whoever pushes it gives it the tag %.*s",
                                 STR_ARG(image->tag->string));
        }
        place_repository(builder, image, only);
        build_recipe_end(builder, image);
        set_tag(builder, image);
    }
    for (uint32_t i = 0; i < builder->plan->images.count; i++) {
        set_immutable(builder, plan_own_image(builder->plan, builder->plan->images.items[i]->head.block));
    }
}
