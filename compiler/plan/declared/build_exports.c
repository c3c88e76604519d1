// Finds the raw resources that another file names: the stack that makes them exports them.
#include "compiler/plan/declared/builder.h"

#include "compiler/plan/model/identity.h"
#include "compiler/plan/model/object.h"
#include "compiler/plan/model/shared.h"

typedef struct {
    Builder *builder;
    const PlanPart *stack; // whose file takes the values; NULL: a tool's
} Taker;

static void add_export(const Taker *taker, const Resource *resource, Str attribute) {
    PlanPart *maker = plan_own_part(taker->builder->plan, resource->block);
    if (maker->stack == taker->stack || maker->is_used) {
        return;
    }
    for (uint32_t i = 0; i < maker->exports.count; i++) {
        const PlanExport *other = &maker->exports.items[i];
        if (other->resource == resource && str_equal(other->attribute, attribute)) {
            return;
        }
    }
    const PlanExport export = { .resource = resource, .attribute = attribute };
    vec_push(taker->builder->arena, &maker->exports, export);
}

// An output of the author has an export already.
static void take(const Taker *taker, const Value *value) {
    Str attribute;
    const Resource *resource = plan_shared_resource(value, &attribute);
    if (resource != NULL) {
        add_export(taker, resource, attribute);
    }
    if (value->kind == VALUE_LATE && value->late->kind == LATE_WRITTEN_OUTPUT) {
        return;
    }
    const Value *part;
    for (uint32_t i = 0; (part = value_part(value, i)) != NULL; i++) {
        take(taker, part);
    }
}

void build_exports(Builder *builder) {
    const Plan *plan = builder->plan;
    for (uint32_t i = 0; i < plan->parts.count; i++) {
        const PlanPart *part = plan->parts.items[i];
        if (part->is_used) {
            continue;
        }
        const Taker attributes = { .builder = builder, .stack = plan_writes_stack(part) ? part->stack : NULL };
        const Taker stack = { .builder = builder, .stack = part->stack };
        const Taker tool = { .builder = builder };
        for (int k = 0; k < part->kind->attribute_count; k++) {
            // Secrets of a job on EKS stand in the role and in an object.
            const bool is_of_stack = plan_is_of_identity(part, k) && k != JOB_SECRETS;
            if (part->subject->values[k] != NULL) {
                take(is_of_stack ? &stack : &attributes, part->subject->values[k]);
            }
        }
        for (uint32_t k = 0; k < part->resources.count; k++) {
            const Resource *resource = part->resources.items[k];
            for (uint32_t n = 0; n < resource->property_count; n++) {
                take(plan_is_object(part, resource) ? &tool : &stack, resource->properties[n].value);
            }
        }
        for (uint32_t k = 0; k < part->outputs.count; k++) {
            take(&stack, part->outputs.items[k].value);
        }
        for (uint32_t k = 0; k < part->patches.count; k++) {
            const BlockPatch *patch = &part->patches.items[k];
            take(plan_is_patch_of_stack(part->stack, patch) ? &stack : &tool, patch->value);
        }
    }
}
