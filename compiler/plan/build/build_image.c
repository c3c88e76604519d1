// Images, and the repositories that they are in.
#include "compiler/plan/build/builder.h"

#include "compiler/plan/build/read.h"

void build_image(Builder *builder, const Block *block) {
    PlanImage *image = arena_new(builder->arena, PlanImage);
    image->head = builder_head(builder, block, -1);
    const Value *repository = read_known(builder, block, IMAGE_REPOSITORY);
    const Value *tag = read_known(builder, block, IMAGE_TAG);
    const Value *name = value_string(builder->arena, block->subject.name_span, block->origin, block->name);
    image->repository = repository != NULL ? repository : name;
    image->tag = tag != NULL ? tag : name;
    image->is_existing = read_bool(builder, block, IMAGE_EXISTING, false)->boolean;
    image->is_emptied = read_bool(builder, block, IMAGE_EMPTY_ON_DELETE, false);
    image->maker = image;
    const PlanImage *other = str_map_add(&builder->makers[image->is_existing], image->repository->string, image);
    if (other != NULL) {
        image->maker = other;
    }
    plan_add_image(builder->arena, builder->plan, image);
}
