// Which raw resources are objects, and what their types say.
#include "compiler/plan/model/object.h"

#include "compiler/plan/model/plan_object.h"

// "v1", "v1beta2": as Kubernetes calls versions of an API.
static bool is_version(Str text) {
    size_t at = 1;
    while (at < text.len && char_is_digit(text.data[at])) {
        at++;
    }
    if (at < 2 || text.data[0] != 'v') {
        return false;
    }
    static const char *const STAGES[] = { "alpha", "beta" };
    const Str rest = str_slice(text, at, text.len);
    for (size_t i = 0; i < COUNT_OF(STAGES); i++) {
        const size_t len = strlen(STAGES[i]);
        if (str_starts_with(rest, str_of(STAGES[i])) && rest.len > len) {
            bool is_number = true;
            for (size_t k = len; k < rest.len; k++) {
                is_number = is_number && char_is_digit(rest.data[k]);
            }
            return is_number;
        }
    }
    return rest.len == 0;
}

bool plan_object_type(Str text, PlanObjectType *type) {
    const Str kind = str_after_last(text, '/');
    if (kind.len == text.len || kind.len == 0 || kind.data[0] < 'A' || kind.data[0] > 'Z') {
        return false;
    }
    *type = (PlanObjectType){ .api = str_slice(text, 0, text.len - kind.len - 1), .kind = kind };
    const size_t group = str_find(type->api, STR("/"), 0);
    const bool has_group = group < type->api.len;
    return is_version(has_group ? str_slice(type->api, group + 1, type->api.len) : type->api) && group > 0;
}

// Of a cluster on EKS, or of a job on one.
bool plan_is_object(const PlanPart *part, const Resource *resource) {
    const PlanPart *root = part_root(part);
    const bool is_job = part_is(root, KIND_JOB) && root->cluster != NULL;
    return (is_job ? root->cluster->target : root->target) == TARGET_EKS &&
           str_find(resource->type, STR("::"), 0) == resource->type.len;
}

const Value *plan_object_name(const Resource *resource) {
    const Value *metadata = resource_property(resource, "metadata");
    const Value *name = metadata == NULL ? NULL : value_get(metadata, "name");
    return name == NULL || (name->kind != VALUE_STRING && name->kind != VALUE_LATE) ? NULL : name;
}

// NULL where it is absent or null.
static const Value *metadata_of(const PlanObject *object, const char *key) {
    const Value *metadata = value_get(object->fields, "metadata");
    const Value *value = metadata != NULL && metadata->kind == VALUE_MAP ? value_get(metadata, key) : NULL;
    return value != NULL && value->kind != VALUE_NULL ? value : NULL;
}

Str plan_name_of_object(const PlanObject *object) {
    const Value *name = metadata_of(object, "name");
    if (name == NULL) {
        return object->is_manifest ? STR_NONE : object->resource->name;
    }
    return name->kind == VALUE_STRING ? name->string : STR_NONE;
}

Str plan_namespace_of_object(const PlanObject *object) {
    const Value *name = metadata_of(object, "namespace");
    return name == NULL ? STR("default") : name->kind == VALUE_STRING ? name->string : STR_NONE;
}
