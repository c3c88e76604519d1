// File systems. A storage block has no target of its own. It is read for each cluster that mounts it. If the target of
// that cluster does not take an attribute, this is reported at the attribute.
#include "compiler/plan/declared/builder.h"

#include "compiler/plan/declared/read.h"
#include "compiler/plan/model/claim.h"
#include "schema/file_systems.h"

typedef struct {
    const char *word;
    StorageKind kind;
} StorageRow;

static const StorageRow STORAGE_ROWS[] = {
    { "lustre", STORAGE_LUSTRE }, { "efs", STORAGE_EFS }, { "openzfs", STORAGE_OPENZFS },
    { "ebs", STORAGE_EBS },       { "nfs", STORAGE_NFS },
};

static StorageKind kind_of(Str word) {
    for (size_t i = 0; i < COUNT_OF(STORAGE_ROWS); i++) {
        if (str_is(word, STORAGE_ROWS[i].word)) {
            return STORAGE_ROWS[i].kind;
        }
    }
    assert(false && "a kind of storage that the schema does not have");
    return STORAGE_NFS;
}

// The block with the attributes that the target has. The Plan lacks the others, so that nothing is judged of them but
// that they are there (rule storage_on_target).
static const Block *carried_over(Builder *builder, const Block *block, const PlanCluster *cluster) {
    Block *carried = arena_new(builder->arena, Block);
    *carried = *block;
    carried->subject.values = arena_new_array(builder->arena, const Value *, (size_t)block->kind->attribute_count);
    for (int i = 0; i < block->kind->attribute_count; i++) {
        const bool is_carried = (block->kind->attributes[i].targets & cluster->target) != 0;
        carried->subject.values[i] = is_carried ? block_value(block, i) : NULL;
    }
    return carried;
}

// The least that a persistent file system has, in MB a second: FSx asks for one.
static const Value *least_rate(Builder *builder, const Block *block, const PlanStorage *storage, Str subject) {
    const bool is_new_lustre = storage->kind == STORAGE_LUSTRE && storage->existing == NULL;
    const int64_t least = is_new_lustre ? lustre_row(storage->deployment->string)->mbps_of_tib[0] : 0;
    if (least == 0) {
        return NULL;
    }
    Value *rate = value_new(builder->arena, VALUE_RATE, block->subject.name_span,
                            plan_schema_origin(builder, block, STORAGE_THROUGHPUT_PER_TIB));
    rate->integer = least * 8 * 1000 * 1000;
    builder_add_decision(builder, block->subject.name_span, subject, "throughput_per_tib = %" PRId64 "MBps", least);
    return rate;
}

// ---- links to buckets

static const Value *all_events(Builder *builder, const Block *block) {
    const Origin *origin = plan_schema_origin(builder, block, LINK_IMPORT);
    const Value **items = arena_new_array(builder->arena, const Value *, LUSTRE_EVENT_COUNT);
    for (size_t i = 0; i < LUSTRE_EVENT_COUNT; i++) {
        Value *item = value_new(builder->arena, VALUE_WORD, block->subject.name_span, origin);
        item->string = str_of(LUSTRE_EVENT_ROWS[i].word);
        items[i] = item;
    }
    return value_list(builder->arena, block->subject.name_span, origin, items, LUSTRE_EVENT_COUNT);
}

static const PlanLink *build_link(Builder *builder, const Block *written, const PlanCluster *cluster) {
    const Block *block = carried_over(builder, written, cluster);
    PlanLink *link = arena_new(builder->arena, PlanLink);
    link->head = builder_head(builder, written, -1);
    link->uri = read_given(builder, block, LINK_URI);
    if (link->uri == NULL) {
        return NULL; // missing, and reported
    }
    link->path = read_known(builder, block, LINK_PATH);
    if (link->path == NULL && cluster->target != TARGET_EKS) {
        const Origin *origin =
            origin_join(builder->arena, plan_schema_origin(builder, block, LINK_PATH), block->origin);
        link->path = value_string(builder->arena, block->subject.name_span, origin,
                                  str_format(builder->arena, "/%.*s", STR_ARG(block->name)));
    }
    link->imports = read_known(builder, block, LINK_IMPORT);
    if (link->imports == NULL) {
        link->imports = all_events(builder, block);
    }
    link->exports = read_known_list(builder, block, LINK_EXPORT);
    return link;
}

static void build_links(Builder *builder, const Block *block, const PlanCluster *cluster, PlanStorage *storage) {
    for (uint32_t i = 0; i < block->children.count; i++) {
        const PlanLink *link = build_link(builder, block->children.items[i], cluster);
        if (link != NULL) {
            vec_push(builder->arena, &storage->links, link);
        }
    }
}

// ---- file systems

// Data that goes with a cluster is worth a line, where the author did not say so.
static void decide_end(Builder *builder, const Block *block, const PlanStorage *storage, Str subject) {
    const bool is_made = storage->existing == NULL && storage->kind != STORAGE_NFS;
    if (is_made && block_value(block, STORAGE_RETAIN) == NULL) {
        builder_add_decision(builder, block->subject.name_span, subject,
                             "is deleted with its cluster; `retain = true` keeps it");
    }
}

const PlanStorage *build_storage(Builder *builder, const Block *written, const PlanCluster *cluster) {
    const Block *block = carried_over(builder, written, cluster);
    const Str subject = builder_subject_on(builder, written, cluster);
    PlanStorage *storage = arena_new(builder->arena, PlanStorage);
    storage->head = builder_head(builder, written, -1);
    storage->kind_value = read_known(builder, block, STORAGE_KIND);
    storage->mount = read_known(builder, block, STORAGE_MOUNT);
    if (storage->kind_value == NULL || storage->mount == NULL) {
        return NULL; // missing or late, and reported
    }
    storage->kind = kind_of(storage->kind_value->string);
    storage->existing = read_given(builder, block, STORAGE_EXISTING);
    storage->server = read_known(builder, block, STORAGE_SERVER);
    storage->size = read_known(builder, block, STORAGE_SIZE);
    storage->throughput_per_tib = read_known(builder, block, STORAGE_THROUGHPUT_PER_TIB);
    storage->throughput = read_known(builder, block, STORAGE_THROUGHPUT);
    storage->iops = read_known(builder, block, STORAGE_IOPS);
    storage->volume = read_word(builder, block, STORAGE_VOLUME_TYPE, "gp3");
    if (storage->iops == NULL && storage->kind == STORAGE_EBS && storage->existing == NULL &&
        str_is(storage->volume->string, "io2")) {
        const Origin *origin = plan_schema_origin(builder, block, STORAGE_IOPS);
        storage->iops = value_int(builder->arena, block->subject.name_span, origin, schema_constant(CONSTANT_IO2_IOPS));
    }
    storage->deployment = read_word(builder, block, STORAGE_DEPLOYMENT, "persistent_2");
    storage->compression = read_word(builder, block, STORAGE_COMPRESSION, "none");
    if (storage->throughput_per_tib == NULL) {
        storage->throughput_per_tib = least_rate(builder, block, storage, subject);
    }
    storage->lustre_version = read_known(builder, block, STORAGE_LUSTRE_VERSION);
    storage->backups = read_known(builder, block, STORAGE_BACKUPS);
    storage->backup_at = read_known(builder, block, STORAGE_BACKUP_AT);
    storage->maintenance = read_known(builder, block, STORAGE_MAINTENANCE);
    if (cluster->target == TARGET_EKS && storage->mount->kind == VALUE_STRING) {
        builder_add_decision(builder, storage->mount->span, subject,
                             "its claim is %.*s; jobs see it at `mount`, and other pods where they say themselves",
                             STR_ARG(plan_claim_name(builder->arena, block->name)));
    }
    storage->mount_options = read_known_list(builder, block, STORAGE_MOUNT_OPTIONS);
    storage->mount_name = read_known(builder, block, STORAGE_MOUNT_NAME);
    storage->subnet = read_given(builder, block, STORAGE_SUBNET);
    storage->keep = read_bool(builder, block, STORAGE_RETAIN, false);
    decide_end(builder, block, storage, subject);
    storage->tags = read_map(builder, block, STORAGE_TAGS);
    build_links(builder, block, cluster, storage);
    storage->system = build_file_system(builder, storage, cluster);
    return storage;
}
