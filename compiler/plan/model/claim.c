// Which file systems pods can claim, and what each needs for it.
#include "compiler/plan/model/claim.h"

const char *plan_claim_fault(const PlanStorage *storage, const char **help) {
    switch (storage->kind) {
    case STORAGE_EFS:
        *help = "write `existing = \"fs-…\"`, the id of one that is there";
        return storage->existing == NULL ? "on EKS an EFS file system has to be there already" : NULL;
    case STORAGE_LUSTRE:
        if (storage->existing == NULL) {
            *help = "write `size = 1200GiB`, or a multiple of 2400GiB";
            return storage->size == NULL ? "a new Lustre file system has a size, which is not said" : NULL;
        }
        *help = "write `mount_name`, which `aws fsx describe-file-systems` prints as MountName";
        return storage->mount_name == NULL
                   ? "an existing Lustre file system is mounted by its own name, which is not said"
                   : NULL;
    case STORAGE_OPENZFS:
    case STORAGE_EBS:
    case STORAGE_NFS:
    case STORAGE_ONTAP:
    case STORAGE_OTHER:
        break;
    }
    *help = "lustre and efs are what pods can claim";
    return "this kind of storage has no claim on EKS";
}

const PlanNodes *plan_claim_group(const PlanCluster *cluster) {
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        if (cluster->nodes.items[i]->fabric.efa_count > 0) {
            return cluster->nodes.items[i];
        }
    }
    return cluster->nodes.count == 0 ? NULL : cluster->nodes.items[0];
}

Str plan_claim_name(Arena *arena, Str storage) {
    return str_format(arena, "%.*s-claim", STR_ARG(storage));
}
