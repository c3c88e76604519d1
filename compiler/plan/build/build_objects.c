// The objects of Kubernetes that a cluster's author wrote, and the pods that they make. The rows of a kind say where it
// has a PodSpec. A Deployment has one, and a Job of Volcano has one for each task.
#include "compiler/plan/build/builder.h"

#include "compiler/plan/model/object.h"

// ---- pods ------------------------------------------------------------------------------------------------------

static void find_pods(Arena *arena, PlanObject *object, const ObjectTypeRow *type, const Value *value, Span span);

static void find_in_field(Arena *arena, PlanObject *object, const ObjectFieldRow *field, const Value *value,
                          Span span) {
    const ObjectTypeRow *type = &OBJECT_TYPE_ROWS[field->type];
    if (field->shape == OBJECT_ONE) {
        find_pods(arena, object, type, value, span);
    } else if (field->shape == OBJECT_LIST && value->kind == VALUE_LIST) {
        for (uint32_t i = 0; i < value->list.count; i++) {
            find_pods(arena, object, type, value->list.items[i], span);
        }
    } else if (field->shape == OBJECT_MAP && value->kind == VALUE_MAP) {
        for (uint32_t i = 0; i < value->map.count; i++) {
            find_pods(arena, object, type, value->map.entries[i].value, value->map.entries[i].key_span);
        }
    }
}

static void find_pods(Arena *arena, PlanObject *object, const ObjectTypeRow *type, const Value *value, Span span) {
    if (value->kind != VALUE_MAP) {
        return;
    }
    if (str_is(STR("PodSpec"), type->name)) {
        vec_push(arena, &object->pods, ((PlanPod){ .spec = value, .span = span }));
        return;
    }
    for (uint32_t i = 0; i < value->map.count; i++) {
        const ValueEntry *entry = &value->map.entries[i];
        for (int k = 0; k < type->field_count; k++) {
            const ObjectFieldRow *field = &type->fields[k];
            if (field->form == OBJECT_FIELDS && str_is(entry->key, field->name)) {
                find_in_field(arena, object, field, entry->value, entry->key_span);
            }
        }
    }
}

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

static const PlanObject *object_of(Builder *builder, const PlanPart *part, const Resource *resource) {
    PlanObject *object = arena_new(builder->arena, PlanObject);
    Value *fields = value_new(builder->arena, VALUE_MAP, resource->span, resource->origin);
    fields->map.entries = resource->properties;
    fields->map.count = resource->property_count;
    const Str kind = str_after_last(resource->type, '/');
    *object = (PlanObject){
        .subject = part->subject,
        .resource = resource,
        .row = schema_object(resource->type),
        .fields = fields,
        .is_changed = is_changed(part, str_format(builder->arena, "%.*s/%.*s", STR_ARG(kind), STR_ARG(resource->name))),
    };
    if (object->row != NULL) {
        find_pods(builder->arena, object, object->row->type, fields, resource->span);
    }
    return object;
}

void build_objects(Builder *builder, const PlanPart *part, PlanEks *eks) {
    for (uint32_t i = 0; i < part->resources.count; i++) {
        if (plan_is_object(part, part->resources.items[i])) {
            vec_push(builder->arena, &eks->objects, object_of(builder, part, part->resources.items[i]));
        }
    }
    for (uint32_t i = 0; i < part->inner.count; i++) {
        build_objects(builder, part->inner.items[i], eks);
    }
}
