// A class names secrets of one region: the provider refuses an ARN of another one. A secret is read once, whole; the keys
// of its JSON are texts of their own. Whatever is read is a file of the volume, by its alias, and the driver copies files
// into a Secret, from which the variables come. A variable of the job has no dot in its name, so that the alias of a
// secret of which only keys are asked for is no variable's.
// source: aws/secrets-store-csi-driver-provider-aws@a74182c provider/secret_descriptor.go, server/server.go; Secrets Store
// CSI Driver, Sync as Kubernetes Secret, 2026-11
#include "emitters/kubernetes/pod_secrets.h"

#include "compiler/base/arn.h"
#include "compiler/base/json.h"
#include "emitters/tool/tool_tree.h"
#include "emitters/tool/tool_values.h"

static const char API[] = "secrets-store.csi.x-k8s.io/v1";
static const char DRIVER[] = "secrets-store.csi.k8s.io";
static const char VOLUME[] = "secrets-store";

typedef VEC(Str) Regions;

// ---- regions -----------------------------------------------------------------------------------------------------------

// Of an ARN; a name is one of the cluster's region.
static Str region_of(const JobPods *pods, const PlanSecret *secret) {
    const Str id = tool_text(pods->file, secret->id);
    return str_starts_with(id, STR("arn:")) ? arn_field(id, ARN_REGION) : pods->job->cluster->region;
}

static Regions regions_of(const JobPods *pods) {
    Regions regions = { 0 };
    for (uint32_t i = 0; i < pods->job->secrets.count; i++) {
        const Str region = region_of(pods, &pods->job->secrets.items[i]);
        bool is_there = false;
        for (uint32_t k = 0; k < regions.count && !is_there; k++) {
            is_there = str_equal(regions.items[k], region);
        }
        if (!is_there) {
            vec_push(pods->file->arena, &regions, region);
        }
    }
    return regions;
}

// "train-secrets" and, of another region, "train-secrets.us-west-2": the class and the Secret.
static Str class_name(const JobPods *pods, Str region) {
    const bool is_here = str_equal(region, pods->job->cluster->region);
    return str_format(pods->file->arena, "%.*s-secrets%s%.*s", STR_ARG(pods->job->head.id), is_here ? "" : ".",
                      is_here ? 0 : (int)region.len, region.data);
}

// ---- what the provider reads -------------------------------------------------------------------------------------------

static bool is_whole(const JobPods *pods, const PlanSecret *secret) {
    return tool_is_null(pods->file, secret->key);
}

static bool are_of_one(const JobPods *pods, const PlanSecret *a, const PlanSecret *b) {
    return a->is_parameter == b->is_parameter && str_equal(tool_text(pods->file, a->id), tool_text(pods->file, b->id));
}

// The first variable of the same secret, or of it as a whole; NULL: none.
static const PlanSecret *first_of(const JobPods *pods, const PlanSecret *secret, bool as_a_whole) {
    for (uint32_t i = 0; i < pods->job->secrets.count; i++) {
        const PlanSecret *other = &pods->job->secrets.items[i];
        if (are_of_one(pods, other, secret) && (!as_a_whole || is_whole(pods, other))) {
            return other;
        }
    }
    return NULL;
}

// A text of YAML, which has the quotes of JSON.
static void add_field(StrBuf *text, const char *before, const char *name, Str value) {
    strbuf_add_format(text, "%s%s: ", before, name);
    json_add_string(text, value);
    strbuf_add_char(text, '\n');
}

// An expression of JMESPath: a name in quotes is any key.
static void add_key(const JobPods *pods, StrBuf *text, const PlanSecret *secret) {
    StrBuf path = { .arena = pods->file->arena };
    json_add_string(&path, tool_text(pods->file, secret->key));
    add_field(text, "  - ", "path", strbuf_str(&path));
    add_field(text, "    ", "objectAlias", secret->name);
}

static void add_object(const JobPods *pods, StrBuf *text, const PlanSecret *secret) {
    Arena *arena = pods->file->arena;
    const PlanSecret *whole = first_of(pods, secret, true);
    add_field(text, "- ", "objectName", tool_text(pods->file, secret->id));
    add_field(text, "  ", "objectType", secret->is_parameter ? STR("ssmparameter") : STR("secretsmanager"));
    add_field(text, "  ", "objectAlias",
              whole != NULL ? whole->name : str_format(arena, "%.*s.json", STR_ARG(secret->name)));
    bool has_keys = false;
    for (uint32_t i = 0; i < pods->job->secrets.count; i++) {
        const PlanSecret *other = &pods->job->secrets.items[i];
        if (are_of_one(pods, other, secret) && !is_whole(pods, other)) {
            strbuf_add(text, has_keys ? STR_NONE : STR("  jmesPath:\n"));
            add_key(pods, text, other);
            has_keys = true;
        }
    }
}

static DocNode *objects_text(const JobPods *pods, Str region) {
    Arena *arena = pods->file->arena;
    StrBuf text = { .arena = arena };
    const Origin *reason = NULL;
    for (uint32_t i = 0; i < pods->job->secrets.count; i++) {
        const PlanSecret *secret = &pods->job->secrets.items[i];
        if (!str_equal(region_of(pods, secret), region)) {
            continue;
        }
        reason = origin_join(arena, reason, secret->value->origin);
        if (first_of(pods, secret, false) == secret) {
            add_object(pods, &text, secret);
        }
    }
    return doc_block(pods->doc, strbuf_str(&text), origin_join(arena, reason, why(WHY_POD_SECRETS)));
}

// ---- the class ---------------------------------------------------------------------------------------------------------

static DocNode *name_node(const JobPods *pods, const PlanSecret *secret) {
    return doc_string(pods->doc, secret->name, origin_span(pods->file->arena, secret->name_span));
}

static void put_copies(const JobPods *pods, DocNode *spec, Str region) {
    Doc *doc = pods->doc;
    DocNode *copy = tree_add_map(doc, tree_put_list(doc, spec, "secretObjects"));
    tree_put(doc, copy, "secretName", tree_string(doc, WHY_POD_SECRETS, class_name(pods, region)));
    tree_put(doc, copy, "type", tree_text(doc, WHY_POD_SECRETS, "Opaque"));
    DocNode *data = tree_put_list(doc, copy, "data");
    for (uint32_t i = 0; i < pods->job->secrets.count; i++) {
        const PlanSecret *secret = &pods->job->secrets.items[i];
        if (!str_equal(region_of(pods, secret), region)) {
            continue;
        }
        const PlanSecret *file = is_whole(pods, secret) ? first_of(pods, secret, true) : secret;
        DocNode *entry = tree_add_map(doc, data);
        tree_put(doc, entry, "objectName", name_node(pods, file));
        tree_put(doc, entry, "key", name_node(pods, secret));
    }
}

void secrets_add_classes(const JobPods *pods) {
    Doc *doc = pods->doc;
    const Regions regions = regions_of(pods);
    for (uint32_t i = 0; i < regions.count; i++) {
        const Str region = regions.items[i];
        DocNode *object = manifest_add(pods->manifest, API, "SecretProviderClass", class_name(pods, region),
                                       pods->job->head.subject->name_span);
        DocNode *spec = tree_put_map(doc, object, "spec");
        tree_put(doc, spec, "provider", tree_text(doc, WHY_POD_SECRETS, "aws"));
        DocNode *parameters = tree_put_map(doc, spec, "parameters");
        if (region.len > 0) {
            tree_put(doc, parameters, "region", tree_string(doc, WHY_POD_SECRETS, region));
        }
        tree_put(doc, parameters, "usePodIdentity", tree_text(doc, WHY_POD_SECRETS, "true"));
        tree_put(doc, parameters, "objects", objects_text(pods, region));
        put_copies(pods, spec, region);
    }
}

// ---- in a pod ----------------------------------------------------------------------------------------------------------

void secrets_put_variables(const JobPods *pods, DocNode *environment) {
    Doc *doc = pods->doc;
    for (uint32_t i = 0; i < pods->job->secrets.count; i++) {
        const PlanSecret *secret = &pods->job->secrets.items[i];
        DocNode *variable = tree_add_map(doc, environment);
        tree_put(doc, variable, "name", name_node(pods, secret));
        DocNode *from = tree_put_map(doc, tree_put_map(doc, variable, "valueFrom"), "secretKeyRef");
        tree_put(doc, from, "name", tree_string(doc, WHY_POD_SECRETS, class_name(pods, region_of(pods, secret))));
        tree_put(doc, from, "key", name_node(pods, secret));
    }
}

static DocNode *list_of(const JobPods *pods, DocNode *map, const char *key) {
    DocNode *list = doc_get(map, str_of(key));
    return list != NULL ? list : tree_put_list(pods->doc, map, key);
}

void secrets_put_volumes(const JobPods *pods, DocNode *spec, DocNode *container) {
    Doc *doc = pods->doc;
    const Regions regions = regions_of(pods);
    for (uint32_t i = 0; i < regions.count; i++) {
        const Str end = i == 0 ? STR_NONE : str_format(pods->file->arena, "-%.*s", STR_ARG(regions.items[i]));
        const Str name = str_format(pods->file->arena, "%s%.*s", VOLUME, STR_ARG(end));
        const Str path = str_format(pods->file->arena, "/mnt/%.*s", STR_ARG(name));
        DocNode *volume = tree_add_map(doc, list_of(pods, spec, "volumes"));
        tree_put(doc, volume, "name", tree_string(doc, WHY_POD_SECRETS, name));
        DocNode *source = tree_put_map(doc, volume, "csi");
        tree_put(doc, source, "driver", tree_text(doc, WHY_POD_SECRETS, DRIVER));
        tree_put(doc, source, "readOnly", tree_bool(doc, WHY_POD_SECRETS, true));
        DocNode *attributes = tree_put_map(doc, source, "volumeAttributes");
        tree_put(doc, attributes, "secretProviderClass",
                 tree_string(doc, WHY_POD_SECRETS, class_name(pods, regions.items[i])));
        DocNode *mount = tree_add_map(doc, list_of(pods, container, "volumeMounts"));
        tree_put(doc, mount, "name", tree_string(doc, WHY_POD_SECRETS, name));
        tree_put(doc, mount, "mountPath", tree_string(doc, WHY_POD_SECRETS, path));
        tree_put(doc, mount, "readOnly", tree_bool(doc, WHY_POD_SECRETS, true));
    }
}
