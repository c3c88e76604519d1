// Buckets in S3. Each that is made has a stack of its own: data outlives the clusters that work with it, and several may
// do so.
#include "compiler/plan/declared/builder.h"

#include "compiler/plan/declared/read.h"

void build_bucket(Builder *builder, const Block *block) {
    PlanBucket *bucket = arena_new(builder->arena, PlanBucket);
    bucket->head = builder_head(builder, block, -1);
    bucket->bucket = read_given(builder, block, BUCKET_NAME);
    bucket->existing = read_given(builder, block, BUCKET_EXISTING);
    bucket->kms_key = read_given(builder, block, BUCKET_KMS_KEY);
    bucket->versions = read_bool(builder, block, BUCKET_VERSIONS, false);
    bucket->old_versions = read_known(builder, block, BUCKET_OLD_VERSIONS);
    bucket->expiry = read_known(builder, block, BUCKET_EXPIRY);
    bucket->keep = read_bool(builder, block, BUCKET_RETAIN, true);
    bucket->tags = read_map(builder, block, BUCKET_TAGS);
    const Value *region = read_known(builder, block, BUCKET_REGION);
    bucket->region = region == NULL ? STR_NONE : region->string;
    plan_add_bucket(builder->arena, builder->plan, bucket);
    if (bucket->existing == NULL && block_value(block, BUCKET_RETAIN) == NULL) {
        builder_add_decision(builder, block->subject.name_span, builder_subject(builder, block),
                             "the bucket and its objects stay when the stack is deleted");
    }
}

void build_buckets_end(Builder *builder) {
    const Str region = plan_only_region(builder->plan);
    for (uint32_t i = 0; i < builder->plan->buckets.count; i++) {
        PlanBucket *bucket = plan_own_bucket(builder->plan, builder->plan->buckets.items[i]->head.block);
        bucket->region = bucket->region.len > 0 ? bucket->region : region;
    }
}
