// From a checked program to the Plan: networks as clusters need them, clusters with their groups, images, jobs. The
// order is the source's; what a mistake leaves unplanned is left out, since nothing is written then. A mistake in a
// loop, or one that `like` copies, is said once.
#include "compiler/plan/declared/build.h"

#include "compiler/plan/declared/builder.h"
#include "compiler/plan/declared/read.h"
#include "compiler/plan/raw/raw_plan.h"

#include "compiler/plan/model/region.h"

static bool is_kind(const Block *block, int kind) {
    return block->kind == &KIND_ROWS[kind];
}

static void build_storages(Builder *builder, const Block *block, PlanCluster *cluster) {
    const Value *storages = read_known_list(builder, block, CLUSTER_STORAGE);
    for (uint32_t i = 0; i < storages->list.count; i++) {
        const PlanStorage *storage = build_storage(builder, storages->list.items[i]->block, cluster);
        if (storage != NULL) {
            vec_push(builder->arena, &cluster->storages, storage);
        }
    }
}

static const PlanBatch *build_batch(Builder *builder, const Block *block) {
    PlanBatch *batch = arena_new(builder->arena, PlanBatch);
    batch->priority = read_int(builder, block, CLUSTER_PRIORITY, 1);
    batch->service_role = block_value(block, CLUSTER_SERVICE_ROLE);
    return batch;
}

static PlanCluster *build_cluster(Builder *builder, const Block *block) {
    PlanCluster *cluster = arena_new(builder->arena, PlanCluster);
    cluster->head = builder_head(builder, block, CLUSTER_NAME);
    cluster->lacks_parts = block->lacks_parts;
    cluster->target = block->target;
    cluster->tags = read_map(builder, block, CLUSTER_TAGS);
    const Value *network = block_value(block, CLUSTER_NETWORK);
    bool makes_own = cluster->target == TARGET_EKS && block_value(block, CLUSTER_ZONES) != NULL;
    if (network == NULL && !makes_own) {
        Diag *diag =
            report(builder->session, block->subject.name_span, DIAG(cluster_without_network), STR_ARG(block->name));
        diag_help(builder->session, diag, "write `network = NAME`, the name of a `network` block%s",
                  cluster->target == TARGET_EKS ? ", or `zones`, in which eksctl makes a VPC" : "");
    } else if (network != NULL) {
        cluster->network = build_network(builder, network->block);
    }
    cluster->region = plan_network_region(cluster->network);
    cluster->os = read_word(builder, block, CLUSTER_OS, "al2023");
    cluster->ami = block_value(block, CLUSTER_AMI);
    cluster->artifacts = read_known(builder, block, CLUSTER_ARTIFACTS);
    build_storages(builder, block, cluster);
    if (cluster->target == TARGET_BATCH) {
        cluster->batch = build_batch(builder, block);
    } else if (cluster->target == TARGET_EKS) {
        build_eks(builder, block, cluster);
    }
    uint32_t written = 0;
    for (uint32_t i = 0; i < block->children.count; i++) {
        if (is_kind(block->children.items[i], KIND_NODES)) {
            written++;
            const uint32_t outer = diags_begin_turn(builder->session);
            const PlanNodes *nodes = build_nodes(builder, block->children.items[i], cluster);
            cluster->lacks_parts = cluster->lacks_parts || nodes == NULL;
            if (nodes != NULL) {
                vec_push(builder->arena, &cluster->nodes, nodes);
                plan_own_part(builder->plan, nodes->head.block)->nodes = nodes;
            }
            diags_end_turn(builder->session, outer);
        }
    }
    build_queues(builder, block, cluster);
    build_places(builder, cluster);
    if (cluster->target == TARGET_PARALLELCLUSTER) {
        build_slurm(builder, block, cluster); // after the groups: the head stands in their zone
    }
    if (cluster->target == TARGET_PCS) {
        build_pcs(builder, block, cluster); // likewise: its size follows from them
    }
    build_eks_start(builder, cluster);
    cluster->mounts = build_mounts(builder, cluster);
    if (written == 0 && !cluster->lacks_parts) {
        Diag *diag =
            report(builder->session, block->subject.name_span, DIAG(cluster_without_nodes), STR_ARG(block->name));
        diag_help(builder->session, diag, "write `nodes NAME { instance = \"…\", count = … }` in it");
    }
    return cluster;
}

static void build_clusters(Builder *builder, const Program *program) {
    for (uint32_t i = 0; i < program->blocks.count; i++) {
        const Block *block = program->blocks.items[i];
        const uint32_t outer = diags_begin_turn(builder->session);
        if (is_kind(block, KIND_NETWORK) && !block->is_used) {
            build_network(builder, block);
        } else if (is_kind(block, KIND_IMAGE) && !block->is_used) {
            build_image(builder, block);
        } else if (is_kind(block, KIND_BUCKET) && !block->is_used) {
            build_bucket(builder, block);
        }
        diags_end_turn(builder->session, outer);
    }
    // Those of used files are there for who names them: behind those of this build, which make what both are in.
    for (uint32_t i = 0; i < program->blocks.count; i++) {
        if (is_kind(program->blocks.items[i], KIND_IMAGE) && program->blocks.items[i]->is_used) {
            build_image(builder, program->blocks.items[i]);
        }
    }
    for (uint32_t i = 0; i < program->blocks.count; i++) {
        const Block *block = program->blocks.items[i];
        if (is_kind(block, KIND_CLUSTER) && !block->is_used) {
            const uint32_t outer = diags_begin_turn(builder->session);
            PlanCluster *cluster = build_cluster(builder, block);
            plan_add_cluster(builder->arena, builder->plan, cluster);
            diags_end_turn(builder->session, outer);
        }
    }
}

// The controllers of load balancers look for subnets by tags, which the network's stack gives them.
static void find_networks_of_eks(Builder *builder) {
    for (uint32_t i = 0; i < builder->plan->clusters.count; i++) {
        const PlanCluster *cluster = builder->plan->clusters.items[i];
        PlanNetwork *network =
            cluster->network == NULL ? NULL : plan_own_network(builder->plan, cluster->network->head.block);
        if (network == NULL || cluster->target != TARGET_EKS || network->serves_eks) {
            continue;
        }
        network->serves_eks = true;
        const Block *block = network->head.block;
        if (network->mode == NETWORK_MADE && !network->is_used_module) {
            builder_add_decision(builder, block->subject.name_span, builder_subject(builder, block),
                                 "its subnets have the tags by which load balancers of EKS find them");
        }
    }
}

static void build_jobs(Builder *builder, const Program *program) {
    for (uint32_t i = 0; i < program->blocks.count; i++) {
        const Block *block = program->blocks.items[i];
        if (!is_kind(block, KIND_JOB) || block->is_used || block->on == NULL) {
            continue;
        }
        PlanCluster *cluster = plan_own_cluster(builder->plan, block->on);
        if (cluster == NULL) {
            if (block->on->is_used) {
                report(builder->session, block->on_span, DIAG(job_on_used_cluster), STR_ARG(block->on->name));
            }
            continue;
        }
        const uint32_t outer = diags_begin_turn(builder->session);
        const PlanJob *job = build_job(builder, block, cluster);
        if (job != NULL) {
            vec_push(builder->arena, &cluster->jobs, job);
        }
        diags_end_turn(builder->session, outer);
    }
}

const Plan *plan_build(Session *session, const Program *program, const Facts *facts) {
    Plan *plan = arena_new(session->arena, Plan);
    plan->main_source = program->main == NULL ? 0 : program->main->source;
    plan->params = program->params;
    plan->lacks_clusters = program->lacks_clusters;
    plan->facts = facts;
    Builder builder = { .session = session, .arena = session->arena, .program = program, .plan = plan };
    builder.nodes.arena = session->arena;
    builder.makers[false].arena = session->arena;
    builder.makers[true].arena = session->arena;
    build_parts(&builder, program);
    build_clusters(&builder, program);
    find_networks_of_eks(&builder);
    build_jobs(&builder, program);
    build_groups_end(&builder);
    build_endpoints(&builder);
    build_vpcs(&builder);
    build_images_end(&builder);
    build_buckets_end(&builder);
    build_quotas(&builder);
    build_parts_end(&builder, program);
    build_exports(&builder);
    raw_add(session, plan);
    return plan;
}
