// What is planned of a block, found by the block.
#include "compiler/plan/model/plan.h"

static Str key_of(const Block *const *block) {
    return (Str){ .data = (const char *)block, .len = sizeof(*block) };
}

static void add_head(Arena *arena, StrMap *map, const PlanHead *head) {
    map->arena = arena;
    str_map_add(map, key_of(&head->block), head);
}

// A head is the first member of what it stands in.
const PlanNetwork *plan_network(const Plan *plan, const Block *block) {
    return str_map_get(&plan->networks_of, key_of(&block));
}

const PlanCluster *plan_cluster(const Plan *plan, const Block *block) {
    return str_map_get(&plan->clusters_of, key_of(&block));
}

const PlanPart *plan_part(const Plan *plan, const Block *block) {
    return str_map_get(&plan->parts_of, key_of(&block));
}

const PlanImage *plan_image(const Plan *plan, const Block *block) {
    return str_map_get(&plan->images_of, key_of(&block));
}

const PlanBucket *plan_bucket(const Plan *plan, const Block *block) {
    return str_map_get(&plan->buckets_of, key_of(&block));
}

PlanNetwork *plan_own_network(Plan *plan, const Block *block) {
    return str_map_get_mutable(&plan->networks_of, key_of(&block));
}

PlanCluster *plan_own_cluster(Plan *plan, const Block *block) {
    return str_map_get_mutable(&plan->clusters_of, key_of(&block));
}

PlanImage *plan_own_image(Plan *plan, const Block *block) {
    return str_map_get_mutable(&plan->images_of, key_of(&block));
}

PlanBucket *plan_own_bucket(Plan *plan, const Block *block) {
    return str_map_get_mutable(&plan->buckets_of, key_of(&block));
}

PlanPart *plan_own_part(Plan *plan, const Block *block) {
    return str_map_get_mutable(&plan->parts_of, key_of(&block));
}

void plan_add_network(Arena *arena, Plan *plan, PlanNetwork *network) {
    vec_push(arena, &plan->networks, network);
    add_head(arena, &plan->networks_of, &network->head);
}

void plan_add_cluster(Arena *arena, Plan *plan, PlanCluster *cluster) {
    vec_push(arena, &plan->clusters, cluster);
    add_head(arena, &plan->clusters_of, &cluster->head);
}

void plan_add_image(Arena *arena, Plan *plan, PlanImage *image) {
    vec_push(arena, &plan->images, image);
    add_head(arena, &plan->images_of, &image->head);
}

const PlanBucket *plan_bucket_of(const Plan *plan, Str uri) {
    const Str scheme = STR("s3://");
    if (!str_starts_with(uri, scheme)) {
        return NULL;
    }
    const Str name = str_slice(uri, scheme.len, str_find(uri, STR("/"), scheme.len));
    for (uint32_t i = 0; i < plan->buckets.count; i++) {
        const PlanBucket *bucket = plan->buckets.items[i];
        const bool is_known = bucket->bucket != NULL && bucket->bucket->kind == VALUE_STRING;
        if (is_known && bucket->existing == NULL && str_equal(bucket->bucket->string, name)) {
            return bucket;
        }
    }
    return NULL;
}

const PlanBucket *plan_bucket_in(const Plan *plan, const Value *uri) {
    if (uri->kind == VALUE_STRING) {
        return plan_bucket_of(plan, uri->string);
    }
    if (uri->kind != VALUE_LATE) {
        return NULL;
    }
    if (uri->late->kind == LATE_OUTPUT) {
        return plan_bucket(plan, uri->late->block);
    }
    const PlanBucket *bucket = NULL;
    for (uint32_t i = 0; uri->late->kind == LATE_TEXT && i < uri->late->part_count && bucket == NULL; i++) {
        bucket = plan_bucket_in(plan, uri->late->parts[i]);
    }
    return bucket;
}

void plan_add_bucket(Arena *arena, Plan *plan, PlanBucket *bucket) {
    vec_push(arena, &plan->buckets, bucket);
    add_head(arena, &plan->buckets_of, &bucket->head);
}

void plan_add_part(Arena *arena, Plan *plan, const Block *block, PlanPart *part) {
    const Block **address = arena_new(arena, const Block *);
    *address = block;
    vec_push(arena, &plan->parts, part);
    plan->parts_of.arena = arena;
    str_map_add(&plan->parts_of, key_of(address), part);
}

Str plan_only_region(const Plan *plan) {
    Str region = STR_NONE;
    for (uint32_t i = 0; i < plan->clusters.count; i++) {
        const Str other = plan->clusters.items[i]->region;
        if (region.len > 0 && other.len > 0 && !str_equal(region, other)) {
            return STR_NONE;
        }
        region = other.len > 0 ? other : region;
    }
    return region;
}

bool plan_lacks_parts(const Plan *plan) {
    bool lacks = plan->lacks_clusters;
    for (uint32_t i = 0; i < plan->clusters.count && !lacks; i++) {
        lacks = plan->clusters.items[i]->lacks_parts;
    }
    return lacks;
}
