// The pods that an object makes. The rows of a kind say where it has a PodSpec. A Deployment has one, and a Job of
// Volcano has one for each task. In kinds without rows a template tells: `template`, `leaderTemplate`.
#include "compiler/plan/model/plan_object.h"

typedef struct {
    const Value *around;
    const Value *outer;
    Span span;
} PodPlace;

static void find_pods(Arena *arena, PlanObject *object, const ObjectTypeRow *type, const Value *value, PodPlace place);

static void find_in_field(Arena *arena, PlanObject *object, const ObjectFieldRow *field, const Value *value,
                          PodPlace place) {
    const ObjectTypeRow *type = &OBJECT_TYPE_ROWS[field->type];
    if (field->shape == OBJECT_ONE) {
        find_pods(arena, object, type, value, place);
    } else if (field->shape == OBJECT_LIST && value->kind == VALUE_LIST) {
        for (uint32_t i = 0; i < value->list.count; i++) {
            find_pods(arena, object, type, value->list.items[i], place);
        }
    } else if (field->shape == OBJECT_MAP && value->kind == VALUE_MAP) {
        for (uint32_t i = 0; i < value->map.count; i++) {
            place.span = value->map.entries[i].key_span;
            find_pods(arena, object, type, value->map.entries[i].value, place);
        }
    }
}

static void find_pods(Arena *arena, PlanObject *object, const ObjectTypeRow *type, const Value *value, PodPlace place) {
    if (value->kind != VALUE_MAP) {
        return;
    }
    if (str_is(STR("PodSpec"), type->name)) {
        const PlanPod pod = { .spec = value, .around = place.around, .outer = place.outer, .span = place.span };
        vec_push(arena, &object->pods, pod);
        return;
    }
    for (uint32_t i = 0; i < value->map.count; i++) {
        const ValueEntry *entry = &value->map.entries[i];
        for (int k = 0; k < type->field_count; k++) {
            const ObjectFieldRow *field = &type->fields[k];
            if (field->form == OBJECT_FIELDS && str_is(entry->key, field->name)) {
                const PodPlace inner = { .around = value, .outer = place.around, .span = entry->key_span };
                find_in_field(arena, object, field, entry->value, inner);
            }
        }
    }
}

static const Value *spec_of_template(const ValueEntry *entry) {
    const bool is_template = str_ends_with(entry->key, STR("emplate")) && entry->value->kind == VALUE_MAP;
    const Value *spec = is_template ? value_get(entry->value, "spec") : NULL;
    const Value *containers = spec != NULL && spec->kind == VALUE_MAP ? value_get(spec, "containers") : NULL;
    return containers != NULL && containers->kind == VALUE_LIST ? spec : NULL;
}

static void find_templates(Arena *arena, PlanObject *object, const Value *value) {
    for (uint32_t i = 0; value->kind == VALUE_LIST && i < value->list.count; i++) {
        find_templates(arena, object, value->list.items[i]);
    }
    for (uint32_t i = 0; value->kind == VALUE_MAP && i < value->map.count; i++) {
        const ValueEntry *entry = &value->map.entries[i];
        const Value *spec = spec_of_template(entry);
        if (spec == NULL) {
            find_templates(arena, object, entry->value);
        } else {
            const PlanPod pod = { .spec = spec, .around = entry->value, .outer = value, .span = entry->key_span };
            vec_push(arena, &object->pods, pod);
        }
    }
}

void plan_find_pods(Arena *arena, PlanObject *object) {
    if (object->row != NULL) {
        const PodPlace place = { .around = object->fields, .span = object->resource->span };
        find_pods(arena, object, object->row->type, object->fields, place);
    } else {
        find_templates(arena, object, object->fields);
    }
}
