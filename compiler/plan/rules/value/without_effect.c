// Rules that nothing written is lost. A contradiction is an error. Something that changes nothing is a warning. So is a
// part that makes nothing and that nothing names. tests/property/test_dropped.c looks for what they miss.
#include "compiler/plan/rules/rule_written.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/declared_group.h"
#include "compiler/plan/model/maker.h"
#include "compiler/plan/model/user_data_mounts.h"

// What is written and what it stands beside: the reason.
static Diag *contradict(const Rules *rules, const Subject *subject, int attribute, int other, const char *what,
                        const char *beside, const char *why) {
    Diag *diag =
        plan_report(rules->session, subject, subject->values[attribute]->span, DIAG(contradiction), what, beside, why);
    diag_label(rules->session, diag, subject->values[other]->span, "stands beside it");
    return diag;
}

// ---- networks --------------------------------------------------------------------------------------------------

void rule_nat_is_public(const Rules *rules, const PlanNetwork *network) {
    const Subject *subject = network->head.subject;
    const bool has_public =
        network->mode != NETWORK_MADE || network->made.public == NULL || network->made.public->boolean;
    if (has_public || subject_value(subject, NETWORK_NAT) == NULL || str_is(network->made.nat_value->string, "none")) {
        return;
    }
    const char *what = str_is(network->made.nat_value->string, "one") ? "nat = one" : "nat = per_zone";
    Diag *diag = contradict(rules, subject, NETWORK_NAT, NETWORK_PUBLIC, what, "public = none",
                            "a NAT gateway stands in a public subnet");
    diag_help(rules->session, diag, "write `nat = none`, or leave `public` out");
}

// ---- roles of jobs -----------------------------------------------------------------------------------------------

// What a role that dtc makes would allow.
static const int ALLOWED_TO_JOBS[] = { JOB_POLICIES, JOB_READS, JOB_WRITES };

void rule_role_stands_alone(const Rules *rules, const PlanJob *job) {
    const Subject *subject = job->head.subject;
    for (size_t i = 0; job->access->role != NULL && i < COUNT_OF(ALLOWED_TO_JOBS); i++) {
        if (subject_value(subject, ALLOWED_TO_JOBS[i]) == NULL) {
            continue;
        }
        Diag *diag = plan_report(rules->session, subject, subject_key(subject, ALLOWED_TO_JOBS[i]), DIAG(contradiction),
                                 part_attribute(job->head.part, ALLOWED_TO_JOBS[i]), "role",
                                 "dtc adds nothing to a role that is there");
        diag_label(rules->session, diag, job->access->role->span, "stands beside it");
        diag_help(rules->session, diag, "give that role the permissions, or leave `role` out and have one made");
    }
}

// ---- clusters --------------------------------------------------------------------------------------------------

static void check_addons(const Rules *rules, const PlanCluster *cluster) {
    for (uint32_t i = 0; i < cluster->eks->addons.count; i++) {
        const PlanAddon *addon = cluster->eks->addons.items[i];
        if (addon->version != NULL && addon->off->boolean) {
            Diag *diag = rule_without_effect(rules, addon->head.part, ADDON_VERSION, "the add-on is left out");
            diag_label(rules->session, diag, addon->off->span, "leaves it out");
            diag_help(rules->session, diag, "leave `version` out");
        }
    }
}

// Whether a cluster mounts it by its name: pods on EKS by a claim, and user data on AWS Batch and AWS PCS.
static bool is_mounted_by_name(const Plan *plan, const PlanPart *storage) {
    for (uint32_t i = 0; i < plan->clusters.count; i++) {
        const PlanCluster *cluster = plan->clusters.items[i];
        const bool takes_name = cluster->target == TARGET_EKS || plan_mounts_by_user_data(cluster);
        for (uint32_t k = 0; takes_name && k < cluster->storages.count; k++) {
            if (cluster->storages.items[k]->head.part == storage) {
                return true;
            }
        }
    }
    return false;
}

void rule_effects_on_slurm(const Rules *rules, const PlanCluster *cluster) {
    for (uint32_t i = 0; i < cluster->storages.count; i++) {
        const PlanStorage *storage = cluster->storages.items[i];
        if (storage->mount_name != NULL && !is_mounted_by_name(rules->plan, storage->head.part)) {
            Diag *diag =
                rule_without_effect(rules, storage->head.part, STORAGE_MOUNT_NAME,
                                    "ParallelCluster asks FSx for it, and no other cluster mounts this file system");
            diag_help(rules->session, diag, "leave `mount_name` out");
        }
    }
}

void rule_effects_on_eks(const Rules *rules, const PlanCluster *cluster) {
    if (cluster->eks->existing != NULL && subject_value(cluster->head.subject, CLUSTER_OIDC) != NULL) {
        Diag *diag = rule_without_effect(rules, cluster->head.part, CLUSTER_OIDC, "the cluster is there already");
        diag_label(rules->session, diag, cluster->eks->existing->span, "is not made here");
        diag_help(rules->session, diag, "leave `oidc` out");
    }
    check_addons(rules, cluster);
}

// ---- groups of nodes -------------------------------------------------------------------------------------------

static void check_profile(const Rules *rules, const PlanNodes *nodes) {
    const Subject *subject = nodes->head.subject;
    if (nodes->role.instance_profile == NULL || nodes->role.policies->list.count == 0) {
        return;
    }
    Diag *diag = contradict(rules, subject, NODES_POLICIES, NODES_INSTANCE_PROFILE, "policies", "instance_profile",
                            "the profile has a role of its own, to which nothing is added");
    diag_help(rules->session, diag, "add the policies to that role, or leave `instance_profile` out");
}

static void check_layout(const Rules *rules, const PlanNodes *nodes) {
    const Value *layout = subject_value(nodes->head.subject, NODES_EFA_LAYOUT);
    if (layout == NULL || nodes->fabric.efa_count > 0 || str_is(layout->string, "auto") ||
        str_is(layout->string, "max_bandwidth")) {
        return;
    }
    Diag *diag = rule_without_effect(rules, nodes->head.part, NODES_EFA_LAYOUT, "the nodes have no EFA interfaces");
    if (subject_value(nodes->head.subject, NODES_EFA) != NULL) {
        diag_label(rules->session, diag, subject_value(nodes->head.subject, NODES_EFA)->span, "none");
    }
    diag_help(rules->session, diag, "%s",
              nodes->instance->efa_max > 0 ? "write `efa = all`, or leave `efa_layout` out" : "leave `efa_layout` out");
}

static void check_image(const Rules *rules, const PlanNodes *nodes) {
    const PlanValidate *validate = nodes->validate;
    if (validate == NULL || validate->image == NULL || validate->first_job > 0 || validate->gap != NULL) {
        return;
    }
    const bool is_none = str_is(validate->collective->string, "none");
    const char *nothing = plan_nothing_to_measure(nodes);
    const char *why = nothing == NULL && is_none ? "nodes that measure nothing together run no container"
                      : nothing != NULL          ? "the group has nothing to measure"
                                                 : validate->job_gap.why;
    Diag *diag = rule_without_effect(rules, validate->part, VALIDATE_IMAGE, why);
    if (nothing == NULL && is_none) {
        diag_label(rules->session, diag, validate->collective->span, "measures nothing");
        diag_help(rules->session, diag, "write `collective = all_reduce`, or leave `image` out");
    } else if (nothing == NULL) {
        diag_help(rules->session, diag, "let the group have %s, or leave `image` out", validate->job_gap.way);
    } else {
        diag_help(rules->session, diag, "leave `image` out");
    }
}

static void check_verdicts_key(const Rules *rules, const PlanNodes *nodes) {
    const PlanValidate *validate = nodes->validate;
    if (validate == NULL || validate->verdicts_key == NULL || validate->verdicts != NULL) {
        return;
    }
    Diag *diag =
        rule_without_effect(rules, validate->part, VALIDATE_VERDICTS_KEY, "the verdicts of the nodes stay with them");
    diag_help(rules->session, diag, "write `verdicts = \"s3://…\"`, or leave `verdicts_key` out");
}

static void check_repair(const Rules *rules, const PlanNodes *nodes) {
    if (nodes->cluster->target != TARGET_EKS || plan_is_managed(nodes) || !nodes->eks->repair->boolean) {
        return;
    }
    Diag *diag =
        rule_without_effect(rules, nodes->head.part, NODES_REPAIR, "EKS repairs nodes of managed groups alone");
    diag_label(rules->session, diag, nodes->eks->group->span, "is none");
    diag_help(rules->session, diag, "write `group = managed`, or leave `repair` out");
}

void rule_effects_of_nodes(const Rules *rules, const PlanNodes *nodes) {
    check_profile(rules, nodes);
    check_layout(rules, nodes);
    check_image(rules, nodes);
    check_verdicts_key(rules, nodes);
    check_repair(rules, nodes);
}

// ---- parts and params that nothing names -----------------------------------------------------------------------

// A file without a cluster of its own may be there for others to use.
static bool builds_cluster(const Rules *rules) {
    return rules->plan->clusters.count > 0;
}

// Whether a part is there for others alone; NULL where it makes something by itself, else what others would do with it.
static const char *use_of(const PlanPart *part) {
    if (part->kind->is_nested) {
        return "it stands in no cluster, and no block is `like` it";
    }
    if (part_is(part, KIND_STORAGE)) {
        return "no cluster has it in its `storage`";
    }
    if (part_is(part, KIND_NETWORK)) {
        return part->network->mode == NETWORK_MADE ? NULL : "no cluster is in it";
    }
    if (part_is(part, KIND_IMAGE)) {
        const Value *existing = subject_value(part->subject, IMAGE_EXISTING);
        const bool is_built = part->image != NULL && part->image->recipe != NULL;
        return existing != NULL && existing->boolean && !is_built ? "no job runs in it" : NULL;
    }
    if (part_is(part, KIND_BUCKET)) {
        return subject_value(part->subject, BUCKET_EXISTING) != NULL ? "it is there, and nothing here works with it"
                                                                     : NULL;
    }
    return NULL;
}

static bool has_extras(const PlanPart *part) {
    return part->outputs.count > 0 || part->resources.count > 0 || part->patches.count > 0;
}

void rule_blocks_are_used(const Rules *rules) {
    for (uint32_t i = 0; i < rules->plan->parts.count && builds_cluster(rules); i++) {
        const PlanPart *part = rules->plan->parts.items[i];
        const bool is_in_another = part->outer != NULL || part->is_used;
        const char *use = is_in_another || part->is_named || has_extras(part) ? NULL : use_of(part);
        if (use != NULL) {
            Diag *diag = plan_report(rules->session, part->subject, part->subject->name_span, DIAG(block_unused),
                                     part->kind->name, STR_ARG(part->name), use);
            diag_help(rules->session, diag, "name it where it is wanted, or remove it");
        }
    }
}

void rule_params_are_used(const Rules *rules) {
    for (uint32_t i = 0; i < rules->plan->params.count && builds_cluster(rules); i++) {
        const Param *param = rules->plan->params.items[i];
        if (!param->is_named && param->span.source == rules->plan->main_source) {
            Diag *diag = report(rules->session, param->span, DIAG(param_unused), STR_ARG(param->name));
            diag_help(rules->session, diag, "name it where it is wanted, or remove it");
        }
    }
}
