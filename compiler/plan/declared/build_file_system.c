// A declared file system as rules ask for it: what they ask of file systems that somebody wrote in other words.
#include "compiler/plan/declared/builder.h"

#include "compiler/plan/model/network_ids.h"
#include "compiler/plan/model/user_data_mounts.h"

static const int64_t GIB = INT64_C(1) << 30;
static const int64_t DAY = INT64_C(24) * 60 * 60 * 1000;
static const int64_t MEGABYTE_A_SECOND = INT64_C(8) * 1000 * 1000; // in bits
static const int64_t MEBIBYTE_A_SECOND = INT64_C(8) * 1024 * 1024; // in bits

static PlanField field_of(const PlanStorage *storage, int attribute, const Value *value, Str text) {
    const FieldState state = value == NULL ? FIELD_ABSENT : text.len > 0 ? FIELD_KNOWN : FIELD_LATE;
    return (PlanField){ .state = state,
                        .name = part_attribute(storage->head.part, attribute),
                        .key = SPAN_NONE,
                        .span = value == NULL ? SPAN_NONE : value->span,
                        .text = text };
}

// Of an amount that is not whole, rule whole_storage speaks.
static PlanField amount_of(const Builder *builder, const PlanStorage *storage, int attribute, const Value *value,
                           int64_t unit, const char *name) {
    const bool is_amount = value != NULL && (value->kind == VALUE_SIZE || value->kind == VALUE_RATE ||
                                             value->kind == VALUE_DURATION || value->kind == VALUE_INT);
    const bool is_whole = is_amount && value->integer % unit == 0;
    return field_of(storage, attribute, value,
                    is_whole ? str_format(builder->arena, "%" PRId64 "%s", value->integer / unit, name) : STR_NONE);
}

static PlanField word_of(const PlanStorage *storage, int attribute, const Value *value) {
    const bool is_text = value != NULL && (value->kind == VALUE_STRING || value->kind == VALUE_WORD);
    return field_of(storage, attribute, value, is_text ? value->string : STR_NONE);
}

// ParallelCluster alone has volumes that nodes share.
static const PlanVolume *volume_of(const Builder *builder, const PlanStorage *storage) {
    PlanVolume *volume = arena_new(builder->arena, PlanVolume);
    *volume = (PlanVolume){
        .subject = storage->head.subject,
        .taker = VOLUME_OF_PARALLELCLUSTER,
        .type = word_of(storage, STORAGE_VOLUME_TYPE, subject_value(storage->head.subject, STORAGE_VOLUME_TYPE)),
        .usual = "gp3",
        .size = amount_of(builder, storage, STORAGE_SIZE, storage->size, GIB, "GiB"),
        .iops = amount_of(builder, storage, STORAGE_IOPS, storage->iops, 1, ""),
        .rate = amount_of(builder, storage, STORAGE_THROUGHPUT, storage->throughput, MEBIBYTE_A_SECOND, "MiBps"),
    };
    return volume;
}

const PlanFileSystem *build_file_system(Builder *builder, const PlanStorage *storage, const PlanCluster *cluster) {
    const bool is_new = storage->existing == NULL && storage->kind != STORAGE_NFS;
    const bool is_of_parallelcluster = cluster->target == TARGET_PARALLELCLUSTER;
    PlanFileSystem *system = arena_new(builder->arena, PlanFileSystem);
    *system = (PlanFileSystem){
        .subject = storage->head.subject,
        .maker = MADE_BY_DTC,
        .is_of_parallelcluster = is_of_parallelcluster,
        .kind = storage->kind,
        .is_new = is_new,
        .name = field_known("name", storage->head.subject->name_span, storage->head.id),
        .mount = word_of(storage, STORAGE_MOUNT, storage->mount),
        .type = word_of(storage, STORAGE_KIND, storage->kind_value),
        .capacity = amount_of(builder, storage, STORAGE_SIZE, storage->size, GIB, "GiB"),
        .deployment = word_of(storage, STORAGE_DEPLOYMENT, storage->deployment),
        .rate = amount_of(builder, storage, STORAGE_THROUGHPUT_PER_TIB, storage->throughput_per_tib, MEGABYTE_A_SECOND,
                          "MBps"),
        .version = word_of(storage, STORAGE_LUSTRE_VERSION, storage->lustre_version),
        .backups = amount_of(builder, storage, STORAGE_BACKUPS, storage->backups, DAY, "d"),
        .throughput = amount_of(builder, storage, STORAGE_THROUGHPUT, storage->throughput, MEBIBYTE_A_SECOND, "MiBps"),
        .volume = is_new && is_of_parallelcluster && storage->kind == STORAGE_EBS ? volume_of(builder, storage) : NULL,
    };
    return system;
}

// ---- what a cluster mounts -----------------------------------------------------------------------------------------------

// On AWS Batch and AWS PCS, nobody mounts disks where nothing is said.
static void add_disks(const Builder *builder, const PlanNodes *nodes, PlanClusterStorage *mounts) {
    const bool is_given = nodes->scratch != NULL && nodes->scratch->kind == VALUE_STRING;
    bool has_disks = false;
    for (uint32_t i = 0; nodes->slurm != NULL && i < nodes->types.count; i++) {
        has_disks = has_disks || nodes->types.items[i].row->nvme_count > 0;
    }
    PlanNodeDisks disks = { .mount = { .state = FIELD_ABSENT },
                            .type = field_known("instance", nodes->instance_value->span, STR_NONE) };
    if (is_given) {
        disks.mount = field_known("scratch", nodes->scratch->span, nodes->scratch->string);
    }
    if (is_given || has_disks) {
        vec_push(builder->arena, &mounts->disks, disks);
    }
}

static void add_queue(const Builder *builder, const PlanCluster *cluster, const PlanNodes *nodes,
                      PlanClusterStorage *mounts) {
    const Value *subnet = plan_single_subnet(nodes);
    if (subnet != NULL && cluster->network != NULL) {
        vec_push(builder->arena, &mounts->queues,
                 ((PlanQueueSubnet){
                     .subject = cluster->head.subject,
                     .name = nodes->head.id,
                     .span = nodes->head.subject->name_span,
                     .subnet = subnet->kind == VALUE_STRING ? subnet->string : STR_NONE,
                     .place = subnet->kind == VALUE_LATE ? plan_place_of_subnet(cluster->network, subnet) : -1 }));
    }
}

const PlanClusterStorage *build_mounts(Builder *builder, const PlanCluster *cluster) {
    PlanClusterStorage *mounts = arena_new(builder->arena, PlanClusterStorage);
    *mounts = (PlanClusterStorage){
        .subject = cluster->head.subject,
        .name = cluster->head.id,
        .by = plan_mounts_by_user_data(cluster) ? MOUNTS_BY_USER_DATA
              : cluster->target == TARGET_EKS   ? MOUNTS_BY_PODS
                                                : MOUNTS_BY_PARALLELCLUSTER,
        .has_home = cluster->target == TARGET_PCS,
    };
    for (uint32_t i = 0; i < cluster->storages.count; i++) {
        vec_push(builder->arena, &mounts->systems, cluster->storages.items[i]->system);
    }
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        add_disks(builder, cluster->nodes.items[i], mounts);
        if (cluster->target == TARGET_PARALLELCLUSTER) {
            add_queue(builder, cluster, cluster->nodes.items[i], mounts);
        }
    }
    return mounts;
}
