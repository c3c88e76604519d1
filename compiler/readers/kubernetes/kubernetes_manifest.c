// From a manifest to the objects that rules ask for.
#include "compiler/readers/kubernetes/kubernetes_manifest.h"

#include "compiler/plan/model/workload.h"
#include "compiler/plan/model/object.h"
#include "compiler/plan/raw/raw.h"
#include "compiler/readers/foreign_subject.h"
#include "compiler/readers/foreign_value.h"
#include "compiler/readers/kubernetes/kubernetes_text.h"

typedef struct {
    Session *session;
    const Subject *file;
    Plan *plan;
} Read;

// ---- what is no whole object ------------------------------------------------------------------------------------

static const Value *get(const Value *value, const char *key) {
    return value != NULL && value->kind == VALUE_MAP ? value_get(value, key) : NULL;
}

// `image: "FILLED BY THE OPERATOR"`: a program completes the object. Who is to replace `<your image>` reads it.
static bool is_filled_in(const Value *containers) {
    bool is = false;
    for (uint32_t i = 0; containers != NULL && containers->kind == VALUE_LIST && i < containers->list.count; i++) {
        const Value *image = get(containers->list.items[i], "image");
        const Str text = image != NULL && image->kind == VALUE_STRING ? str_trim(image->string) : STR_NONE;
        is = is || (str_has(text, " ") && !str_starts_with(text, STR("<")));
    }
    return is;
}

static bool has_image(const Value *containers) {
    for (uint32_t i = 0; containers != NULL && containers->kind == VALUE_LIST && i < containers->list.count; i++) {
        if (containers->list.items[i]->kind != VALUE_MAP || get(containers->list.items[i], "image") != NULL) {
            return true;
        }
    }
    return containers != NULL && containers->kind != VALUE_LIST; // perhaps
}

// Apps take neither a spec without a selector nor pods without labels: who writes neither names what is to change.
static bool is_patch_of_app(const PlanObject *object) {
    const Value *spec = value_get(object->fields, "spec");
    const Value *labels = get(get(get(spec, "template"), "metadata"), "labels");
    return str_starts_with(object->resource->type, STR("apps/v1/")) && get(spec, "selector") == NULL && labels == NULL;
}

// Kinds that are whole with their head alone.
static bool is_whole(Str type) {
    static const char *const TYPES[] = { "v1/Namespace", "v1/ServiceAccount", "kueue.x-k8s.io/v1beta1/ResourceFlavor",
                                         "kueue.x-k8s.io/v1beta2/ResourceFlavor" };
    for (size_t i = 0; i < COUNT_OF(TYPES); i++) {
        if (str_is(type, TYPES[i])) {
            return true;
        }
    }
    return false;
}

// A patch of Kustomize has the head of an object and the fields that it changes. It is told by pods without an image, and
// by what no whole one lacks.
static bool is_fragment(const PlanObject *object) {
    static const char *const MAKERS[] = {
        "v1/Pod",           "apps/v1/Deployment", "apps/v1/StatefulSet", "batch/v1/Job",
        "batch/v1/CronJob", "apps/v1/DaemonSet",  "apps/v1/ReplicaSet"
    };
    if (is_patch_of_app(object)) {
        return true;
    }
    for (uint32_t i = 0; i < object->pods.count; i++) {
        const Value *spec = object->pods.items[i].spec;
        if (is_filled_in(get(spec, "containers")) || is_filled_in(get(spec, "initContainers"))) {
            return true;
        }
    }
    for (uint32_t i = 0; i < object->pods.count; i++) {
        if (has_image(get(object->pods.items[i].spec, "containers"))) {
            return false;
        }
    }
    bool makes_pods = object->pods.count > 0 && !object->pods.items[0].is_part;
    for (size_t i = 0; i < COUNT_OF(MAKERS); i++) {
        makes_pods = makes_pods || str_is(object->resource->type, MAKERS[i]);
    }
    return makes_pods || (object->fields->map.count <= 3 && !is_whole(object->resource->type)); // its head alone
}

// ---- objects ----------------------------------------------------------------------------------------------------

// A file of kubectl's own has the head of an object.
static bool is_setting(Str type) {
    static const char *const TYPES[] = { "v1/Config", "v1/List" };
    for (size_t i = 0; i < COUNT_OF(TYPES); i++) {
        if (str_is(type, TYPES[i])) {
            return true;
        }
    }
    return str_starts_with(type, STR("eksctl.io/")) || str_starts_with(type, STR("kustomize.config.k8s.io/"));
}

static void add_object(const Read *read, const Value *fields, Str type) {
    Arena *arena = read->session->arena;
    const Value *kind = value_get(fields, "kind");
    const Value *name = get(get(fields, "metadata"), "name");
    const bool has_name = name != NULL && name->kind == VALUE_STRING;
    const Span span = has_name ? name->span : kind->span;
    Resource *resource = arena_new(arena, Resource);
    *resource = (Resource){ .type = type,
                            .type_span = kind->span,
                            .name = has_name ? name->string : kind->string,
                            .span = kind->span,
                            .whole = fields->span,
                            .origin = fields->origin,
                            .properties = fields->map.entries,
                            .property_count = fields->map.count };
    PlanObject *object = arena_new(arena, PlanObject);
    *object = (PlanObject){ .subject = foreign_subject(read->session, read->file, span, fields->span),
                            .resource = resource,
                            .row = schema_object(type),
                            .beside = &read->plan->objects,
                            .fields = fields,
                            .is_manifest = true };
    plan_find_pods(arena, object);
    object->is_changed = value_get(fields, "$patch") != NULL || is_fragment(object);
    workload_add_pods(read->session, object);
    object->system = raw_class(read->session, object);
    vec_push(arena, &read->plan->objects, (const PlanObject *)object);
}

static bool add(const Read *read, const Value *fields) {
    const Value *api = get(fields, "apiVersion");
    const Value *kind = get(fields, "kind");
    if (api == NULL || api->kind != VALUE_STRING || kind == NULL || kind->kind != VALUE_STRING) {
        return false;
    }
    const Str type = str_format(read->session->arena, "%.*s/%.*s", STR_ARG(api->string), STR_ARG(kind->string));
    PlanObjectType parts;
    if (!plan_object_type(type, &parts)) {
        return false;
    }
    const Value *items = get(fields, "items");
    if (str_is(type, "v1/List") && items != NULL && items->kind == VALUE_LIST) {
        for (uint32_t i = 0; i < items->list.count; i++) {
            add(read, items->list.items[i]);
        }
        return true;
    }
    if (is_setting(type)) {
        return false;
    }
    add_object(read, fields, type);
    return true;
}

bool kubernetes_read(Session *session, const Subject *file, Data *document, Plan *plan) {
    if (data_text(document, "apiVersion").len == 0 || data_text(document, "kind").len == 0) {
        return false;
    }
    kubernetes_words(session, document);
    const Read read = { .session = session, .file = file, .plan = plan };
    return add(&read, foreign_value(session->arena, document));
}
