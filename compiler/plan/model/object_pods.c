// The pods that an object makes. The rows of a kind say where they are (schema/workloads.def): a Deployment has one
// PodSpec, and a Job of Volcano has one for each task. In other kinds the fields tell that have the type, or a template:
// `template`, `leaderTemplate`.
#include "compiler/plan/model/object_overlay.h"

#include "compiler/plan/model/object_value.h"

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
    if (str_is(STR("PodSpec"), schema_object_text(type->name))) {
        const PlanPod pod = { .spec = value, .around = place.around, .outer = place.outer, .span = place.span };
        vec_push(arena, &object->pods, pod);
        return;
    }
    for (uint32_t i = 0; i < value->map.count; i++) {
        const ValueEntry *entry = &value->map.entries[i];
        const ObjectFieldRow *field = schema_object_field(type, entry->key);
        if (field != NULL && field->form == OBJECT_FIELDS) {
            const PodPlace inner = { .around = value, .outer = place.around, .span = entry->key_span };
            find_in_field(arena, object, field, entry->value, inner);
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

// ---- by rows -------------------------------------------------------------------------------------------------------

typedef struct {
    Arena *arena;
    PlanObject *object;
    const PodsRow *row;
} Walk;

// `place` is of `value`, and `path` is what is left of the row's.
static void follow(const Walk *walk, Str path, const Value *value, PodPlace place, const Value *item) {
    if (path.len == 0) {
        if (value->kind == VALUE_MAP) {
            const bool is_part = plan_object_is(walk->object, LIES_OVER);
            const Value *spec = is_part ? object_overlay(walk->arena, value, place.span) : value;
            const PlanPod pod = { .spec = spec,
                                  .is_part = is_part,
                                  .around = is_part ? value : place.around,
                                  .outer = place.outer,
                                  .span = place.span,
                                  .row = walk->row,
                                  .item = item };
            vec_push(walk->arena, &walk->object->pods, pod);
        }
        return;
    }
    const size_t dot = str_find(path, STR("."), 0);
    const Str key = str_slice(path, 0, dot);
    const Str rest = dot < path.len ? str_slice(path, dot + 1, path.len) : STR_NONE;
    const bool is_each = str_is(key, "*");
    for (uint32_t i = 0; is_each && value->kind == VALUE_LIST && i < value->list.count; i++) {
        follow(walk, rest, value->list.items[i], place, value->list.items[i]);
    }
    for (uint32_t i = 0; value->kind == VALUE_MAP && i < value->map.count; i++) {
        const ValueEntry *entry = &value->map.entries[i];
        if (is_each) {
            place.span = entry->key_span;
            follow(walk, rest, entry->value, place, entry->value);
        } else if (str_equal(entry->key, key)) {
            const PodPlace inner = { .around = value, .outer = place.around, .span = entry->key_span };
            follow(walk, rest, entry->value, inner, item);
        }
    }
}

static void follow_rows(Arena *arena, PlanObject *object) {
    for (size_t i = 0; i < PODS_ROW_COUNT; i++) {
        if (str_is(str_of(object->kind->type), PODS_ROWS[i].type)) {
            const Walk walk = { .arena = arena, .object = object, .row = &PODS_ROWS[i] };
            const PodPlace place = { .around = object->fields, .span = object->resource->span };
            follow(&walk, str_of(PODS_ROWS[i].path), object->fields, place, NULL);
        }
    }
}

bool plan_object_is(const PlanObject *object, unsigned traits) {
    return object->kind != NULL && (object->kind->traits & traits) == traits;
}

bool plan_object_is_copy(const PlanObject *object) {
    return object_get(object_get(object->fields, "metadata"), "uid") != NULL;
}

const Value *plan_value_at(const Value *fields, Str path) {
    const Value *value = path.len == 0 ? NULL : fields;
    for (size_t at = 0; value != NULL && at < path.len;) {
        const size_t dot = str_find(path, STR("."), at);
        value = value->kind == VALUE_MAP ? value_find(value, str_slice(path, at, dot)) : NULL;
        at = dot + 1;
    }
    return value == NULL || value->kind == VALUE_NULL ? NULL : value;
}

void plan_find_pods(Arena *arena, PlanObject *object) {
    object->kind = schema_workload(object->resource->type);
    if (object->kind != NULL) {
        follow_rows(arena, object);
    } else if (object->row != NULL) {
        const PodPlace place = { .around = object->fields, .span = object->resource->span };
        find_pods(arena, object, schema_object_type(object->row), object->fields, place);
    } else {
        find_templates(arena, object, object->fields);
    }
}
