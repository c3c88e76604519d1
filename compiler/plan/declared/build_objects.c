// The objects of Kubernetes that a cluster's author wrote.
#include "compiler/plan/declared/builder.h"

#include "compiler/plan/model/names.h"
#include "compiler/plan/model/object.h"
#include "compiler/plan/model/workload.h"
#include "compiler/plan/raw/raw.h"

// Whether a path is of an object, `Kind/name`, and not of one whose longer name begins alike. A dot can be a part of a
// name, so that `Job/a.b` is taken for a path of `Job/a`, too.
static bool is_of_object(Str path, Str object) {
    const Str rest = str_slice(path, object.len, path.len);
    return str_starts_with(path, object) && (rest.len == 0 || rest.data[0] == '.' || rest.data[0] == '[');
}

static bool is_changed(const PlanPart *part, Str object) {
    for (; part != NULL; part = part->outer) {
        for (uint32_t i = 0; i < part->patches.count; i++) {
            if (is_of_object(part->patches.items[i].path, object)) {
                return true;
            }
        }
    }
    return false;
}

static const PlanObject *object_of(Builder *builder, const PlanPart *part, const Resource *resource,
                                   const PlanEks *eks) {
    PlanObject *object = arena_new(builder->arena, PlanObject);
    Value *fields = value_new(builder->arena, VALUE_MAP, resource->span, resource->origin);
    fields->map.entries = resource->properties;
    fields->map.count = resource->property_count;
    const Str kind = str_after_last(resource->type, '/');
    *object = (PlanObject){
        .subject = part->subject,
        .resource = resource,
        .row = schema_object(resource->type),
        .beside = &eks->objects,
        .fields = fields,
        .is_of_newer = eks->version == NULL ||
                       plan_kubernetes_minor(eks->version->string) > plan_kubernetes_minor(str_of(OBJECT_VERSION)),
        .is_changed = is_changed(part, str_format(builder->arena, "%.*s/%.*s", STR_ARG(kind), STR_ARG(resource->name))),
    };
    plan_find_pods(builder->arena, object);
    workload_add_pods(builder->session, object);
    object->system = raw_class(builder->session, object);
    return object;
}

void build_objects(Builder *builder, const PlanPart *part, PlanEks *eks) {
    for (uint32_t i = 0; i < part->resources.count; i++) {
        if (plan_is_object(part, part->resources.items[i])) {
            vec_push(builder->arena, &eks->objects, object_of(builder, part, part->resources.items[i], eks));
        }
    }
    for (uint32_t i = 0; i < part->inner.count; i++) {
        build_objects(builder, part->inner.items[i], eks);
    }
}
