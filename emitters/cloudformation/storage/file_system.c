// Each file system of a cluster is one resource; links and mount targets refer to it. One security group is for all of
// them: nodes reach it on the ports of what there is. Lustre's servers speak to each other, and to the nodes, on the
// same ports; FSx refuses a file system whose group does not let them. The rules are resources of their own. So the
// group stays with a Lustre file system that is kept, and names no nodes then, whose group could not be deleted.
#include "emitters/cloudformation/storage/file_system.h"

#include "compiler/plan/model/network_ids.h"
#include "emitters/cloudformation/template/intrinsic.h"
#include "emitters/cloudformation/template/tags.h"
#include "emitters/cloudformation/template/template_value.h"
#include "schema/file_systems.h"

static const int64_t GIB = INT64_C(1) << 30;
static const int64_t MEGABYTE_A_SECOND = INT64_C(8) * 1000 * 1000; // in bits
static const int64_t MEBIBYTE_A_SECOND = INT64_C(8) * 1024 * 1024; // in bits
static const int64_t MILLISECONDS_OF_DAY = INT64_C(24) * 60 * 60 * 1000;

static bool has_kind(const PlanCluster *cluster, StorageKind kind) {
    for (uint32_t i = 0; i < cluster->places.count; i++) {
        if (cluster->places.items[i]->storage->kind == kind) {
            return true;
        }
    }
    return false;
}

Str file_system_id(const Stack *stack, const PlanCluster *cluster, const PlanStorage *storage) {
    return stack_id(stack, cluster->head.id, storage->head.id, "FileSystem");
}

static Str group_id(const Stack *stack, const PlanCluster *cluster) {
    return stack_id(stack, cluster->head.id, STR_NONE, "StorageSecurityGroup");
}

// ---- the security group ------------------------------------------------------------------------------------------

typedef enum { NODES, STORAGE } Side;

typedef struct {
    StorageKind kind;
    Side from;
    Side to;
    const char *role;
    enum ConstantId first;
    enum ConstantId last;
    Why reason;
} RuleRow;

static const RuleRow RULE_ROWS[] = {
    { STORAGE_LUSTRE, STORAGE, STORAGE, "StoragePort", CONSTANT_LUSTRE_PORT, CONSTANT_LUSTRE_PORT,
      WHY_STORAGE_LUSTRE_PORTS },
    { STORAGE_LUSTRE, STORAGE, STORAGE, "StoragePorts", CONSTANT_LUSTRE_PORT_FIRST, CONSTANT_LUSTRE_PORT_LAST,
      WHY_STORAGE_LUSTRE_PORTS },
    { STORAGE_LUSTRE, NODES, STORAGE, "NodesToStoragePort", CONSTANT_LUSTRE_PORT, CONSTANT_LUSTRE_PORT,
      WHY_STORAGE_LUSTRE_PORTS },
    { STORAGE_LUSTRE, NODES, STORAGE, "NodesToStoragePorts", CONSTANT_LUSTRE_PORT_FIRST, CONSTANT_LUSTRE_PORT_LAST,
      WHY_STORAGE_LUSTRE_PORTS },
    { STORAGE_LUSTRE, STORAGE, NODES, "StorageToNodesPort", CONSTANT_LUSTRE_PORT, CONSTANT_LUSTRE_PORT,
      WHY_STORAGE_LUSTRE_PORTS },
    { STORAGE_LUSTRE, STORAGE, NODES, "StorageToNodesPorts", CONSTANT_LUSTRE_PORT_FIRST, CONSTANT_LUSTRE_PORT_LAST,
      WHY_STORAGE_LUSTRE_PORTS },
    { STORAGE_EFS, NODES, STORAGE, "NodesToStorageNfs", CONSTANT_NFS_PORT, CONSTANT_NFS_PORT, WHY_STORAGE_NFS_PORT },
};

// Whether the servers of a file system wait for the rule, and keep it; the nodes wait for the others.
static bool is_among_servers(const RuleRow *row) {
    return row->from == STORAGE && row->to == STORAGE;
}

static Str rule_id(const Stack *stack, const PlanCluster *cluster, const RuleRow *row) {
    return stack_id(stack, cluster->head.id, STR_NONE, row->role);
}

// The security group of all nodes of the cluster, or that of the file systems.
static DocNode *side(Stack *stack, const PlanCluster *cluster, Side which) {
    const Value *given = cluster->nodes.items[0]->security_group;
    return which == STORAGE ? intrinsic_ref(stack, group_id(stack, cluster))
           : given != NULL  ? template_value(stack, given)
                            : intrinsic_ref(stack, stack_id(stack, cluster->head.id, STR_NONE, "SecurityGroup"));
}

// Mount targets of EFS go with the stack, and the group with them.
static bool keeps_lustre(const PlanCluster *cluster) {
    bool keeps = false;
    for (uint32_t i = 0; i < cluster->places.count; i++) {
        const PlanStorage *storage = cluster->places.items[i]->storage;
        keeps = keeps || (storage->kind == STORAGE_LUSTRE && storage->keep->boolean);
    }
    return keeps;
}

static void add_group(Stack *stack, const PlanCluster *cluster) {
    const bool is_kept = keeps_lustre(cluster);
    DocNode *group = stack_resource(
        stack,
        (StackResource){ .id = group_id(stack, cluster), .type = "AWS::EC2::SecurityGroup", .is_kept = is_kept });
    tree_put_text(stack->doc, group, "GroupDescription", WHY_STORAGE_SECURITY_GROUP,
                  "File systems: from the nodes alone");
    tree_put(stack->doc, group, "VpcId", template_value(stack, plan_network_ids(stack->arena, cluster->network).vpc));
    tree_put(stack->doc, group, "Tags", tags_list(stack, (Tags){ .inner = cluster->tags }));
    for (size_t i = 0; i < COUNT_OF(RULE_ROWS); i++) {
        const RuleRow *row = &RULE_ROWS[i];
        if (!has_kind(cluster, row->kind)) {
            continue;
        }
        DocNode *rule = stack_resource(stack, (StackResource){ .id = rule_id(stack, cluster, row),
                                                               .type = "AWS::EC2::SecurityGroupIngress",
                                                               .is_kept = is_kept && is_among_servers(row) });
        tree_put(stack->doc, rule, "GroupId", side(stack, cluster, row->to));
        tree_put_text(stack->doc, rule, "IpProtocol", row->reason, "tcp");
        tree_put(stack->doc, rule, "FromPort", tree_number(stack->doc, row->reason, schema_constant(row->first)));
        tree_put(stack->doc, rule, "ToPort", tree_number(stack->doc, row->reason, schema_constant(row->last)));
        tree_put(stack->doc, rule, "SourceSecurityGroupId", side(stack, cluster, row->from));
    }
}

static void add_rules_before(Stack *stack, const PlanCluster *cluster, bool among_servers, StackIds *ids) {
    for (size_t i = 0; i < COUNT_OF(RULE_ROWS); i++) {
        const RuleRow *row = &RULE_ROWS[i];
        if (has_kind(cluster, row->kind) && is_among_servers(row) == among_servers) {
            vec_push(stack->arena, ids, rule_id(stack, cluster, row));
        }
    }
}

// ---- all kinds -----------------------------------------------------------------------------------------------------

static DocNode *tags_of(Stack *stack, const PlanCluster *cluster, const PlanStorage *storage) {
    const bool is_named = value_get(cluster->tags, "Name") != NULL || value_get(storage->tags, "Name") != NULL;
    const Str name =
        str_format(stack->arena, "%.*s-%.*s", STR_ARG(cluster->head.name->string), STR_ARG(storage->head.id));
    const Origin *origin = origin_join(stack->arena, cluster->head.name->origin, why(WHY_STORAGE_NAME));
    return tags_list(stack, (Tags){ .outer = cluster->tags,
                                    .inner = storage->tags,
                                    .name = is_named ? NULL : doc_string(stack->doc, name, origin) });
}

static DocNode *amount(Stack *stack, const Value *value, int64_t unit) {
    return value == NULL ? NULL : doc_int(stack->doc, value->integer / unit, value->origin);
}

// FSx writes in capitals what the language has in small letters.
static DocNode *upper(Stack *stack, const Value *word) {
    StrBuf text = { .arena = stack->arena };
    for (size_t i = 0; i < word->string.len; i++) {
        const char c = word->string.data[i];
        strbuf_add_char(&text, c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c);
    }
    return doc_string(stack->doc, strbuf_str(&text), word->origin);
}

static DocNode *only_group(Stack *stack, const PlanCluster *cluster) {
    return tree_list_of(stack->doc, intrinsic_ref(stack, group_id(stack, cluster)));
}

// ---- Lustre --------------------------------------------------------------------------------------------------------

static void add_lustre(Stack *stack, const PlanCluster *cluster, const PlanPlace *place) {
    const PlanStorage *storage = place->storage;
    StackIds before = { 0 };
    add_rules_before(stack, cluster, true, &before);
    DocNode *system = stack_resource(stack, (StackResource){
                                                .id = file_system_id(stack, cluster, storage),
                                                .type = "AWS::FSx::FileSystem",
                                                .is_kept = storage->keep->boolean,
                                                .also_depends_on = before,
                                            });
    doc_because(stack->doc, storage->kind_value->origin);
    tree_put_text(stack->doc, system, "FileSystemType", WHY_STORAGE_KIND, "LUSTRE");
    doc_unbecause(stack->doc);
    tree_put(stack->doc, system, "FileSystemTypeVersion",
             storage->lustre_version != NULL
                 ? template_value(stack, storage->lustre_version)
                 : tree_text(stack->doc, WHY_STORAGE_VERSION, lustre_newest_version()->version));
    tree_put(stack->doc, system, "StorageCapacity", amount(stack, storage->size, GIB));
    tree_put(stack->doc, system, "SubnetIds", tree_list_of(stack->doc, template_value(stack, place->subnets.items[0])));
    tree_put(stack->doc, system, "SecurityGroupIds", only_group(stack, cluster));
    DocNode *lustre = tree_put_map(stack->doc, system, "LustreConfiguration");
    tree_put(stack->doc, lustre, "DeploymentType", upper(stack, storage->deployment));
    tree_put(stack->doc, lustre, "PerUnitStorageThroughput",
             amount(stack, storage->throughput_per_tib, MEGABYTE_A_SECOND));
    if (!str_is(storage->compression->string, "none")) {
        tree_put(stack->doc, lustre, "DataCompressionType", upper(stack, storage->compression));
    }
    if (storage->backups != NULL) {
        tree_put(stack->doc, lustre, "AutomaticBackupRetentionDays",
                 amount(stack, storage->backups, MILLISECONDS_OF_DAY));
        tree_put(stack->doc, lustre, "DailyAutomaticBackupStartTime", template_value(stack, storage->backup_at));
        doc_because(stack->doc, storage->backups->origin);
        tree_put(stack->doc, lustre, "CopyTagsToBackups", tree_bool(stack->doc, WHY_STORAGE_BACKUPS, true));
        doc_unbecause(stack->doc);
    }
    tree_put(stack->doc, lustre, "WeeklyMaintenanceStartTime", template_value(stack, storage->maintenance));
    tree_put(stack->doc, system, "Tags", tags_of(stack, cluster, storage));
}

// ["NEW", "CHANGED"], in one order.
static void put_events(Stack *stack, DocNode *s3, const char *key, const Value *words) {
    DocNode *list =
        words->list.count == 0 ? NULL : tree_put_list(stack->doc, tree_put_map(stack->doc, s3, key), "Events");
    for (size_t i = 0; list != NULL && i < LUSTRE_EVENT_COUNT; i++) {
        for (uint32_t k = 0; k < words->list.count; k++) {
            const Value *word = words->list.items[k];
            if (str_is(word->string, LUSTRE_EVENT_ROWS[i].word)) {
                doc_add(stack->doc, list, doc_string(stack->doc, str_of(LUSTRE_EVENT_ROWS[i].event), word->origin));
            }
        }
    }
}

static void add_link(Stack *stack, const PlanCluster *cluster, const PlanStorage *storage, const PlanLink *link) {
    const Span before = stack_span(stack, link->head.subject->name_span);
    const PlanBucket *bucket = plan_bucket_in(stack->plan, link->uri);
    if (bucket != NULL && bucket->existing == NULL) {
        stack_need(stack, bucket->head.name->string);
    }
    doc_because(stack->doc, link->head.origin);
    const Str role = str_format(stack->arena, "%.*sLink", STR_ARG(stack_pascal(stack, link->head.id)));
    DocNode *entry = stack_resource(
        stack, (StackResource){ .id = stack_id(stack, cluster->head.id, storage->head.id, str_c(stack->arena, role)),
                                .type = "AWS::FSx::DataRepositoryAssociation",
                                .is_kept = storage->keep->boolean });
    tree_put(stack->doc, entry, "FileSystemId",
             storage->existing != NULL ? template_value(stack, storage->existing)
                                       : intrinsic_ref(stack, file_system_id(stack, cluster, storage)));
    tree_put(stack->doc, entry, "FileSystemPath", template_value(stack, link->path));
    tree_put(stack->doc, entry, "DataRepositoryPath", template_value(stack, link->uri));
    if (link->imports->list.count > 0) {
        tree_put(stack->doc, entry, "BatchImportMetaDataOnCreate", tree_bool(stack->doc, WHY_LINK_BATCH, true));
    }
    DocNode *s3 = tree_put_map(stack->doc, entry, "S3");
    put_events(stack, s3, "AutoExportPolicy", link->exports);
    put_events(stack, s3, "AutoImportPolicy", link->imports);
    tree_put(stack->doc, entry, "Tags",
             tags_list(stack, (Tags){ .outer = cluster->tags, .inner = storage->tags, .skips_name = true }));
    doc_unbecause(stack->doc);
    stack_span(stack, before);
}

// ---- EFS -----------------------------------------------------------------------------------------------------------

static Str target_id(const Stack *stack, const PlanCluster *cluster, const PlanStorage *storage, uint32_t number) {
    const Str role = str_format(stack->arena, "MountTarget%" PRIu32, number + 1);
    return stack_id(stack, cluster->head.id, storage->head.id, str_c(stack->arena, role));
}

static void add_efs(Stack *stack, const PlanCluster *cluster, const PlanPlace *place) {
    const PlanStorage *storage = place->storage;
    const Str id = file_system_id(stack, cluster, storage);
    DocNode *system = stack_resource(
        stack, (StackResource){ .id = id, .type = "AWS::EFS::FileSystem", .is_kept = storage->keep->boolean });
    tree_put(stack->doc, system, "Encrypted", tree_bool(stack->doc, WHY_EFS_ENCRYPTED, true));
    if (storage->throughput != NULL) {
        doc_because(stack->doc, storage->throughput->origin);
        tree_put_text(stack->doc, system, "ThroughputMode", WHY_EFS_THROUGHPUT, "provisioned");
        doc_unbecause(stack->doc);
        tree_put(stack->doc, system, "ProvisionedThroughputInMibps",
                 amount(stack, storage->throughput, MEBIBYTE_A_SECOND));
    }
    tree_put(stack->doc, system, "FileSystemTags", tags_of(stack, cluster, storage));
    for (uint32_t i = 0; i < place->subnets.count; i++) {
        DocNode *target = stack_resource(stack, (StackResource){
                                                    .id = target_id(stack, cluster, storage, i),
                                                    .type = "AWS::EFS::MountTarget",
                                                });
        tree_put(stack->doc, target, "FileSystemId", intrinsic_ref(stack, id));
        tree_put(stack->doc, target, "SubnetId", template_value(stack, place->subnets.items[i]));
        tree_put(stack->doc, target, "SecurityGroups", only_group(stack, cluster));
    }
}

// ---- all of them ---------------------------------------------------------------------------------------------------

static const PlanPlace *place_of(const PlanCluster *cluster, const PlanStorage *storage) {
    for (uint32_t i = 0; i < cluster->places.count; i++) {
        if (cluster->places.items[i]->storage == storage) {
            return cluster->places.items[i];
        }
    }
    return NULL;
}

static void add_made(Stack *stack, const PlanCluster *cluster, const PlanPlace *place) {
    const PlanStorage *storage = place->storage;
    if (storage->kind == STORAGE_LUSTRE && place->subnets.count > 0) {
        add_lustre(stack, cluster, place);
    } else if (storage->kind == STORAGE_EFS) {
        add_efs(stack, cluster, place);
    }
    const Str id = file_system_id(stack, cluster, storage);
    stack_output(stack, stack_id(stack, storage->head.id, STR_NONE, "FileSystem"), "File system of the cluster",
                 intrinsic_ref(stack, id), false);
}

void file_systems_add(Stack *stack, const PlanCluster *cluster) {
    if (cluster->places.count > 0) {
        add_group(stack, cluster);
    }
    for (uint32_t i = 0; i < cluster->storages.count; i++) {
        const PlanStorage *storage = cluster->storages.items[i];
        const PlanPlace *place = place_of(cluster, storage);
        const Span before = stack_enter(stack, &storage->head);
        if (place != NULL) {
            add_made(stack, cluster, place);
        }
        for (uint32_t k = 0; k < storage->links.count; k++) {
            add_link(stack, cluster, storage, storage->links.items[k]);
        }
        stack_leave(stack, before);
    }
}

StackIds file_systems_before_nodes(Stack *stack, const PlanCluster *cluster) {
    StackIds ids = { 0 };
    add_rules_before(stack, cluster, false, &ids);
    for (uint32_t i = 0; i < cluster->places.count; i++) {
        const PlanPlace *place = cluster->places.items[i];
        for (uint32_t k = 0; place->storage->kind == STORAGE_EFS && k < place->subnets.count; k++) {
            vec_push(stack->arena, &ids, target_id(stack, cluster, place->storage, k));
        }
    }
    return ids;
}
