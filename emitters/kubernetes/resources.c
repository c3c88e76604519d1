// Objects as the author wrote them: the type of a `resource` says API version and kind, its name is the object's.
#include "emitters/kubernetes/parts.h"

static void report_said(const Manifest *manifest, const Resource *resource, const char *name, Span span) {
    Diag *diag =
        plan_report(manifest->plain->session, resource->block, span, DIAG(kubernetes_property), STR_ARG(str_of(name)));
    diag_label(manifest->plain->session, diag,
               str_is(str_of(name), "metadata.name") ? resource->span : resource->type_span, "said here");
}

static void add_metadata(Manifest *manifest, const Resource *resource, DocNode *object, const Value *value) {
    Plain *plain = manifest->plain;
    if (value->kind != VALUE_MAP) {
        return; // put as it is
    }
    for (uint32_t i = 0; i < value->map.count; i++) {
        const ValueEntry *entry = &value->map.entries[i];
        if (str_is(entry->key, "name")) {
            report_said(manifest, resource, "metadata.name", entry->key_span);
            continue;
        }
        DocNode *node = plain_node(plain, entry->value);
        if (node != NULL) {
            doc_put(plain->doc, manifest_metadata(object), entry->key, node);
        }
    }
}

static void add_property(Manifest *manifest, const Resource *resource, DocNode *object, const ValueEntry *property) {
    Plain *plain = manifest->plain;
    if (str_is(property->key, "apiVersion") || str_is(property->key, "kind")) {
        report_said(manifest, resource, str_is(property->key, "kind") ? "kind" : "apiVersion", property->key_span);
    } else if (str_is(property->key, "metadata")) {
        add_metadata(manifest, resource, object, property->value);
    } else {
        DocNode *node = plain_node(plain, property->value);
        if (node != NULL) {
            doc_put(plain->doc, object, property->key, node);
        }
    }
}

// A type of CloudFormation's goes into the stack of the cluster's groups; without one, rule extras has said so.
static void add_resource(Manifest *manifest, const Resource *resource) {
    Plain *plain = manifest->plain;
    PlanObjectType type;
    if (!plan_is_object(resource)) {
        return;
    }
    if (!plan_object_type(resource->type, &type)) {
        Diag *diag = plan_report(plain->session, resource->block, resource->type_span, DIAG(kubernetes_type),
                                 STR_ARG(resource->type));
        diag_help(plain->session, diag, "write it as \"apps/v1/Deployment\": API version and kind");
        return;
    }
    doc_because(plain->doc, resource->origin);
    DocNode *object = manifest_add(manifest, str_c(plain->arena, type.api), str_c(plain->arena, type.kind),
                                   resource->name, resource->span);
    for (uint32_t i = 0; object != NULL && i < resource->property_count; i++) {
        add_property(manifest, resource, object, &resource->properties[i]);
    }
    doc_unbecause(plain->doc);
}

static void add_block(Manifest *manifest, const Block *block) {
    for (uint32_t i = 0; i < block->resources.count; i++) {
        add_resource(manifest, block->resources.items[i]);
    }
    for (uint32_t i = 0; i < block->children.count; i++) {
        add_block(manifest, block->children.items[i]);
    }
}

void kubernetes_resources(Manifest *manifest) {
    add_block(manifest, manifest->cluster->head.block);
}
