// Objects as the author wrote them: the type of a `resource` says API version and kind, its name is the object's.
#include "emitters/kubernetes/parts.h"

typedef struct {
    Str api;  // "apps/v1"
    Str kind; // "Deployment"
} ObjectType;

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// "v1", "v1beta2": as Kubernetes calls versions of an API.
static bool is_version(Str text) {
    size_t at = 1;
    while (at < text.len && is_digit(text.data[at])) {
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
                is_number = is_number && is_digit(rest.data[k]);
            }
            return is_number;
        }
    }
    return rest.len == 0;
}

// "apps/v1/Deployment": an optional group, a version, a kind in upper camel case.
static bool read_type(Str text, ObjectType *type) {
    const Str kind = str_after_last(text, '/');
    if (kind.len == text.len || kind.len == 0 || kind.data[0] < 'A' || kind.data[0] > 'Z') {
        return false;
    }
    *type = (ObjectType){ .api = str_slice(text, 0, text.len - kind.len - 1), .kind = kind };
    const size_t group = str_find(type->api, STR("/"), 0);
    const bool has_group = group < type->api.len;
    return is_version(has_group ? str_slice(type->api, group + 1, type->api.len) : type->api) && group > 0;
}

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
    ObjectType type;
    if (!plan_is_object(resource)) {
        return;
    }
    if (!read_type(resource->type, &type)) {
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
