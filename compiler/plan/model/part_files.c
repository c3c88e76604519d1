// A cluster on EKS makes up to three files; every other part makes one, or none.
#include "compiler/plan/model/part_files.h"

#include "compiler/plan/model/identity.h"

typedef struct {
    const char *suffix;
    PartFile file;
} FileRow;

static const FileRow FILE_ROWS[] = {
    { "cfn", FILE_CFN },
    { "pcluster", FILE_PCLUSTER },
    { "eksctl", FILE_EKSCTL },
    { "k8s", FILE_K8S },
};

unsigned plan_files_of_cluster(const PlanCluster *cluster) {
    if (cluster->target != TARGET_EKS) {
        return cluster->target == TARGET_PARALLELCLUSTER ? FILE_PCLUSTER : FILE_CFN;
    }
    return FILE_K8S | (cluster->eks->existing == NULL ? FILE_EKSCTL : 0u) |
           (plan_has_node_stack(cluster) ? FILE_CFN : 0u);
}

unsigned plan_files_of(const PlanPart *part) {
    if (part_is(part, KIND_CLUSTER)) {
        return plan_files_of_cluster(part->cluster);
    }
    if (part_is(part, KIND_NETWORK)) {
        return part->network->mode == NETWORK_MADE ? FILE_CFN : 0;
    }
    if (part_is(part, KIND_JOB) && part->cluster != NULL && part->cluster->target != TARGET_BATCH) {
        return part->cluster->target == TARGET_EKS ? FILE_K8S : 0; // on Slurm it is a script
    }
    const PlanImage *image = part->image;
    const bool has_repository = image != NULL && !image->is_existing && image->maker == image;
    const bool has_bucket = part->bucket != NULL && part->bucket->existing == NULL;
    return part_is(part, KIND_JOB) || has_repository || has_bucket ? FILE_CFN : 0;
}

unsigned plan_file_named(Str suffix) {
    for (size_t i = 0; i < COUNT_OF(FILE_ROWS); i++) {
        if (str_is(suffix, FILE_ROWS[i].suffix)) {
            return FILE_ROWS[i].file;
        }
    }
    return 0;
}

unsigned plan_files_of_plain_patch(unsigned files) {
    const unsigned others = files & ~(unsigned)FILE_K8S;
    return others != 0 ? others : files;
}
