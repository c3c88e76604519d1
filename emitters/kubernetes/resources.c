// Objects as the author wrote them: the type of a `resource` says API version and kind, its name is the object's,
// unless `metadata` has one.
#include "emitters/kubernetes/manifest.h"

#include "compiler/plan/model/object.h"
#include "emitters/tool/tool_file.h"
#include "emitters/tool/tool_tree.h"
#include "emitters/tool/tool_values.h"

static void add_metadata(Manifest *manifest, DocNode *object, const Value *value) {
    ToolFile *file = manifest->file;
    if (value->kind != VALUE_MAP) {
        return; // put as it is
    }
    for (uint32_t i = 0; i < value->map.count; i++) {
        const ValueEntry *entry = &value->map.entries[i];
        DocNode *node = str_is(entry->key, "name") ? NULL : tool_value(file, entry->value); // the name is there
        if (node != NULL) {
            doc_put(file->doc, manifest_metadata(object), entry->key, node);
        }
    }
}

static void add_property(Manifest *manifest, DocNode *object, const ValueEntry *property) {
    ToolFile *file = manifest->file;
    if (str_is(property->key, "apiVersion") || str_is(property->key, "kind")) {
        return; // the type says it
    }
    if (str_is(property->key, "metadata")) {
        add_metadata(manifest, object, property->value);
    } else {
        DocNode *node = tool_value(file, property->value);
        if (node != NULL) {
            doc_put(file->doc, object, property->key, node);
        }
    }
}

// A type of CloudFormation's goes into the stack of the cluster's groups; without one, rule extras has said so.
static void add_resource(Manifest *manifest, const PlanPart *part, const Resource *resource) {
    ToolFile *file = manifest->file;
    PlanObjectType type;
    if (!plan_is_object(part, resource) || !plan_object_type(resource->type, &type)) {
        return;
    }
    doc_because(file->doc, resource->origin);
    const Value *written = plan_object_name(resource);
    const Str given = written == NULL ? STR_NONE : tool_text(file, written);
    const Str name = given.len > 0 ? given : resource->name;
    const Span span = given.len > 0 ? written->span : resource->span;
    DocNode *object = manifest_add_as(manifest, str_c(file->arena, type.api), str_c(file->arena, type.kind),
                                      resource->name, name, span);
    for (uint32_t i = 0; object != NULL && i < resource->property_count; i++) {
        add_property(manifest, object, &resource->properties[i]);
    }
    if (object != NULL) {
        manifest_check_twice(manifest, object, span);
    }
    doc_unbecause(file->doc);
}

static void add_part(Manifest *manifest, const PlanPart *part) {
    for (uint32_t i = 0; i < part->resources.count; i++) {
        add_resource(manifest, part, part->resources.items[i]);
    }
    for (uint32_t i = 0; i < part->inner.count; i++) {
        add_part(manifest, part->inner.items[i]);
    }
}

void kubernetes_resources(Manifest *manifest) {
    add_part(manifest, manifest->cluster->head.part);
}
