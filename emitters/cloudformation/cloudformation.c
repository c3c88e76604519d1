// The stacks of a plan, one artifact each: new networks, buckets, Batch clusters, then image repositories of their own.
// What stands in a used file has its stack already.
#include "emitters/cloudformation/cloudformation.h"

#include "emitters/cloudformation/access/group_access.h"
#include "emitters/cloudformation/batch/batch.h"
#include "emitters/cloudformation/network/network_stack.h"
#include "emitters/cloudformation/nodes/node_group.h"
#include "emitters/cloudformation/batch/repository.h"
#include "emitters/cloudformation/pcs/pcs.h"
#include "emitters/cloudformation/storage/bucket.h"

void cloudformation_emit(Session *session, const Plan *plan, Output *output) {
    for (uint32_t i = 0; i < plan->networks.count; i++) {
        const PlanNetwork *network = plan->networks.items[i];
        if (network->mode == NETWORK_MADE && !network->is_used_module) {
            if (emitter_is_full(session, output, network->head.subject)) {
                return;
            }
            network_emit(session, plan, network, output);
        }
    }
    for (uint32_t i = 0; i < plan->buckets.count; i++) {
        const PlanBucket *bucket = plan->buckets.items[i];
        if (bucket->existing == NULL) {
            if (emitter_is_full(session, output, bucket->head.subject)) {
                return;
            }
            bucket_emit(session, plan, bucket, output);
        }
    }
    for (uint32_t i = 0; i < plan->clusters.count; i++) {
        const PlanCluster *cluster = plan->clusters.items[i];
        if (cluster->target == TARGET_BATCH) {
            if (emitter_is_full(session, output, cluster->head.subject)) {
                return;
            }
            batch_emit(session, plan, cluster, output);
        }
        if (cluster->target == TARGET_PCS) {
            if (emitter_is_full(session, output, cluster->head.subject)) {
                return;
            }
            pcs_emit(session, plan, cluster, output);
        }
        if (cluster->target == TARGET_PARALLELCLUSTER) {
            if (emitter_is_full(session, output, cluster->head.subject)) {
                return;
            }
            group_access_emit(session, plan, cluster, output);
        }
    }
    for (uint32_t i = 0; i < plan->images.count; i++) {
        const PlanImage *image = plan->images.items[i];
        bool is_there = image->is_existing || image->head.part->is_used || image->maker != image;
        if (!is_there && image->owner == NULL) {
            if (emitter_is_full(session, output, image->head.subject)) {
                return;
            }
            repository_emit(session, plan, image, output);
        }
    }
}

void cloudformation_emit_node_groups(Session *session, const Plan *plan, Output *output) {
    for (uint32_t i = 0; i < plan->clusters.count; i++) {
        const PlanCluster *cluster = plan->clusters.items[i];
        if (cluster->target == TARGET_EKS) {
            if (emitter_is_full(session, output, cluster->head.subject)) {
                return;
            }
            node_group_emit(session, plan, cluster, output);
        }
    }
}
