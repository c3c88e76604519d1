// File systems that pods claim. The driver makes a new one for Lustre when the claim is there. One that exists already
// is a volume that the claim is bound to.
#include "compiler/plan/model/claim.h"
#include "emitters/kubernetes/manifest.h"
#include "emitters/tool/tool_facts.h"
#include "emitters/tool/tool_file.h"
#include "emitters/tool/tool_tree.h"
#include "emitters/tool/tool_values.h"
#include "schema/file_systems.h"

enum {
    BITS_OF_MEGABYTE = 8 * 1000 * 1000, // a rate of 1 MBps in bits a second
    MILLISECONDS_OF_DAY = 24 * 60 * 60 * 1000,
};

static const char LUSTRE_DRIVER[] = "fsx.csi.aws.com";
static const char EFS_DRIVER[] = "efs.csi.aws.com";
static const char NOMINAL_SIZE[] = "1200Gi";

static Str name_of(const Manifest *manifest, const PlanStorage *storage, const char *suffix) {
    return str_format(manifest->file->arena, "%.*s-%s", STR_ARG(storage->head.id), suffix);
}

// ---- the claim -----------------------------------------------------------------------------------------------------

// "4800Gi", with the size's origin.
static DocNode *size_node(Manifest *manifest, const PlanStorage *storage) {
    ToolFile *file = manifest->file;
    if (storage->size == NULL) {
        return tree_text(file->doc, WHY_STORAGE_SIZE, NOMINAL_SIZE);
    }
    const DocNode *amount = tool_amount(file, storage->size, INT64_C(1) << 30);
    return doc_string(file->doc, str_format(file->arena, "%" PRId64 "Gi", amount->integer), storage->size->origin);
}

static void put_modes(Manifest *manifest, DocNode *spec) {
    Doc *doc = manifest->file->doc;
    tree_put(doc, spec, "accessModes", tree_list_of(doc, tree_text(doc, WHY_STORAGE_CLAIM, "ReadWriteMany")));
}

// `class` is empty for one that is bound to `volume`.
static void add_claim(Manifest *manifest, const PlanStorage *storage, Str class, Str volume) {
    Doc *doc = manifest->file->doc;
    DocNode *claim =
        manifest_add(manifest, "v1", "PersistentVolumeClaim", plan_claim_name(manifest->file->arena, storage->head.id),
                     storage->head.subject->name_span);
    if (claim == NULL) {
        return;
    }
    DocNode *spec = tree_put_map(doc, claim, "spec");
    put_modes(manifest, spec);
    tree_put(doc, spec, "storageClassName", tree_string(doc, WHY_STORAGE_STATIC, class));
    if (volume.len > 0) {
        tree_put(doc, spec, "volumeName", tree_string(doc, WHY_STORAGE_STATIC, volume));
    }
    tree_put(doc, tree_put_map(doc, tree_put_map(doc, spec, "resources"), "requests"), "storage",
             size_node(manifest, storage));
}

// ---- one that is made ----------------------------------------------------------------------------------------------

// Parameters of a class are strings, numbers too.
static void put_amount(Manifest *manifest, DocNode *map, const char *key, const Value *value, int64_t unit) {
    ToolFile *file = manifest->file;
    const DocNode *amount = tool_amount(file, value, unit);
    if (amount != NULL) {
        tree_put(file->doc, map, key,
                 doc_string(file->doc, str_format(file->arena, "%" PRId64, amount->integer), value->origin));
    }
}

static void put_subnet(Manifest *manifest, DocNode *parameters, const PlanStorage *storage) {
    ToolFile *file = manifest->file;
    const PlanNodes *nodes = plan_claim_group(manifest->cluster);
    if (storage->subnet != NULL) {
        tree_put(file->doc, parameters, "subnetId", tool_value(file, storage->subnet));
    } else if (nodes != NULL) {
        const DocNode *subnets = tool_list(file, nodes->subnets.ids);
        if (subnets->first != NULL) {
            doc_because(file->doc, subnets->first->origin);
            tree_put(file->doc, parameters, "subnetId",
                     tree_string(file->doc, WHY_STORAGE_CLASS, subnets->first->string));
            doc_unbecause(file->doc);
        }
    }
}

static void put_group(Manifest *manifest, DocNode *parameters, const PlanStorage *storage) {
    ToolFile *file = manifest->file;
    if (manifest->cluster->eks->control_plane_security_group != NULL) {
        tree_put(file->doc, parameters, "securityGroupIds",
                 tool_value(file, manifest->cluster->eks->control_plane_security_group));
        return;
    }
    const Str group = tool_fact(file, storage->head.subject->name_span, manifest->stack, "ClusterSecurityGroupId");
    tree_put(file->doc, parameters, "securityGroupIds", tree_string(file->doc, WHY_STORAGE_GROUP, group));
}

static void put_backups(Manifest *manifest, DocNode *parameters, const PlanStorage *storage) {
    ToolFile *file = manifest->file;
    Doc *doc = file->doc;
    if (storage->backups == NULL) {
        return;
    }
    put_amount(manifest, parameters, "automaticBackupRetentionDays", storage->backups, MILLISECONDS_OF_DAY);
    tree_put(doc, parameters, "dailyAutomaticBackupStartTime", tool_value(file, storage->backup_at));
    doc_because(doc, storage->backups->origin);
    tree_put(doc, parameters, "copyTagsToBackups", tree_text(doc, WHY_STORAGE_BACKUPS, "true"));
    doc_unbecause(doc);
}

// The driver takes all tags as one text, whose parts these separate.
static bool has_separator(Str text) {
    return str_find(text, STR(","), 0) < text.len || str_find(text, STR("="), 0) < text.len;
}

// Those of the cluster are hidden by the storage's own, for which a rule holds that they have no separator. One of the
// cluster's that has one is a tag of everything else.
static void add_tags(ToolFile *file, StrBuf *text, const Value *tags, const Value *hiding) {
    for (uint32_t i = 0; i < tags->map.count; i++) {
        const ValueEntry *tag = &tags->map.entries[i];
        if (tool_is_null(file, tag->value) || (hiding != NULL && value_find(hiding, tag->key) != NULL)) {
            continue;
        }
        const Str value = tool_text(file, tag->value);
        if (hiding == NULL || (!has_separator(tag->key) && !has_separator(value))) {
            strbuf_add_format(text, "%s%.*s=%.*s", text->len == 0 ? "" : ",", STR_ARG(tag->key), STR_ARG(value));
        }
    }
}

static void put_tags(Manifest *manifest, DocNode *parameters, const PlanStorage *storage) {
    ToolFile *file = manifest->file;
    const Value *outer = manifest->cluster->tags;
    const Value *own = storage->tags;
    StrBuf text = { .arena = file->arena };
    add_tags(file, &text, outer, own);
    const Origin *origin = text.len > 0 ? origin_join(file->arena, outer->origin, own->origin) : own->origin;
    add_tags(file, &text, own, NULL);
    if (text.len > 0) {
        tree_put(file->doc, parameters, "extraTags", doc_string(file->doc, strbuf_str(&text), origin));
    }
}

// What the driver has of a link: one bucket behind the root, and one word for what FSx reads of it by itself.
static void put_link(Manifest *manifest, DocNode *parameters, const PlanStorage *storage) {
    static const char *const POLICIES[] = { "NONE", "NEW", "NEW_CHANGED", "NEW_CHANGED_DELETED" };
    ToolFile *file = manifest->file;
    if (storage->links.count == 0) {
        return;
    }
    const PlanLink *link = storage->links.items[0];
    const PlanBucket *bucket = plan_bucket_in(file->plan, link->uri);
    if (bucket != NULL && bucket->existing == NULL) {
        tool_need(file, bucket->head.name->string);
    }
    size_t events = 0; // one rule holds that they are the first of three, another that there is one link
    for (uint32_t i = 0; i < link->imports->list.count; i++) {
        const Str word = link->imports->list.items[i]->string;
        const size_t place = str_is(word, "new") ? 1 : str_is(word, "changed") ? 2 : 3;
        events = place > events ? place : events;
    }
    tree_put(file->doc, parameters, "s3ImportPath", tool_value(file, link->uri));
    tree_put(file->doc, parameters, "autoImportPolicy",
             doc_string(file->doc, str_of(POLICIES[events]),
                        origin_join(file->arena, link->imports->origin, link->head.origin)));
}

static void put_parameters(Manifest *manifest, DocNode *class, const PlanStorage *storage) {
    ToolFile *file = manifest->file;
    Doc *doc = file->doc;
    DocNode *parameters = tree_put_map(doc, class, "parameters");
    put_subnet(manifest, parameters, storage);
    put_group(manifest, parameters, storage);
    tool_put_upper(file, parameters, "deploymentType", storage->deployment);
    put_amount(manifest, parameters, "perUnitStorageThroughput", storage->throughput_per_tib, BITS_OF_MEGABYTE);
    tree_put(doc, parameters, "fileSystemTypeVersion",
             storage->lustre_version != NULL ? tool_value(file, storage->lustre_version)
                                             : tree_text(doc, WHY_STORAGE_VERSION, lustre_newest_version()->version));
    if (!str_is(storage->compression->string, "none")) {
        tool_put_upper(file, parameters, "dataCompressionType", storage->compression);
    }
    put_backups(manifest, parameters, storage);
    tree_put(doc, parameters, "weeklyMaintenanceStartTime", tool_value(file, storage->maintenance));
    put_link(manifest, parameters, storage);
    put_tags(manifest, parameters, storage);
}

static void add_new(Manifest *manifest, const PlanStorage *storage) {
    ToolFile *file = manifest->file;
    Doc *doc = file->doc;
    const Str name = name_of(manifest, storage, "sc");
    DocNode *class =
        manifest_add(manifest, "storage.k8s.io/v1", "StorageClass", name, storage->head.subject->name_span);
    if (class == NULL) {
        return;
    }
    tree_put(doc, class, "provisioner", tree_text(doc, WHY_STORAGE_CLASS, LUSTRE_DRIVER));
    put_parameters(manifest, class, storage);
    if (storage->keep->boolean) {
        doc_because(doc, storage->keep->origin);
        tree_put(doc, class, "reclaimPolicy", tree_text(doc, WHY_STORAGE_RETAIN, "Retain"));
        doc_unbecause(doc);
    }
    if (storage->mount_options->list.count > 0) {
        tree_put(doc, class, "mountOptions", tool_list(file, storage->mount_options));
    }
    add_claim(manifest, storage, name, STR_NONE);
}

// ---- one that is there ---------------------------------------------------------------------------------------------

static void put_address(Manifest *manifest, DocNode *csi, const PlanStorage *storage) {
    ToolFile *file = manifest->file;
    Doc *doc = file->doc;
    const RegionRow *region = schema_region(manifest->cluster->region);
    const Str dns =
        str_format(file->arena, "%.*s.fsx.%.*s.%s", STR_ARG(tool_text(file, storage->existing)),
                   STR_ARG(manifest->cluster->region), region == NULL ? "amazonaws.com" : region->url_suffix);
    DocNode *attributes = tree_put_map(doc, csi, "volumeAttributes");
    doc_because(doc, storage->existing->origin);
    tree_put(doc, attributes, "dnsname", tree_string(doc, WHY_STORAGE_STATIC, dns));
    doc_unbecause(doc);
    tree_put(doc, attributes, "mountname", tool_value(file, storage->mount_name));
}

static void add_existing(Manifest *manifest, const PlanStorage *storage) {
    ToolFile *file = manifest->file;
    Doc *doc = file->doc;
    const Str name = name_of(manifest, storage, "pv");
    DocNode *volume = manifest_add(manifest, "v1", "PersistentVolume", name, storage->head.subject->name_span);
    if (volume == NULL) {
        return;
    }
    DocNode *spec = tree_put_map(doc, volume, "spec");
    tree_put(doc, tree_put_map(doc, spec, "capacity"), "storage", size_node(manifest, storage));
    put_modes(manifest, spec);
    if (storage->mount_options->list.count > 0) {
        tree_put(doc, spec, "mountOptions", tool_list(file, storage->mount_options));
    }
    tree_put(doc, spec, "persistentVolumeReclaimPolicy", tree_text(doc, WHY_STORAGE_STATIC, "Retain"));
    tree_put(doc, spec, "storageClassName", tree_text(doc, WHY_STORAGE_STATIC, ""));
    DocNode *csi = tree_put_map(doc, spec, "csi");
    tree_put(doc, csi, "driver",
             tree_text(doc, WHY_STORAGE_STATIC, storage->kind == STORAGE_EFS ? EFS_DRIVER : LUSTRE_DRIVER));
    tree_put(doc, csi, "volumeHandle", tool_value(file, storage->existing));
    if (storage->kind == STORAGE_LUSTRE) {
        put_address(manifest, csi, storage);
    }
    add_claim(manifest, storage, STR_NONE, name);
}

// ---- which ---------------------------------------------------------------------------------------------------------

void kubernetes_storage(Manifest *manifest) {
    for (uint32_t i = 0; i < manifest->cluster->storages.count; i++) {
        const PlanStorage *storage = manifest->cluster->storages.items[i];
        const char *help = NULL;
        if (plan_claim_fault(storage, &help) != NULL) { // rule claims_of_eks
            continue;
        }
        doc_because(manifest->file->doc, storage->head.origin);
        if (storage->existing == NULL) {
            add_new(manifest, storage);
        } else {
            add_existing(manifest, storage);
        }
        doc_unbecause(manifest->file->doc);
    }
}
