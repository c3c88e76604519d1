// Rules about a cluster on EKS as a whole: its version, a place for CoreDNS, quotas, drivers of file systems.
#include "compiler/plan/rules/rule_field.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/declared_group.h"
#include "compiler/plan/model/maker.h"
#include "compiler/plan/rules/kubernetes_version.h"
#include "compiler/plan/model/object_value.h"
#include "schema/names.h"

// ---- the version ---------------------------------------------------------------------------------------------

void rule_version_of_cluster(const Rules *rules, const PlanCluster *cluster) {
    const Value *version = cluster->eks->version;
    if (version != NULL) {
        kubernetes_check_version(rules, cluster->head.subject, version->span, version->string);
    }
}

// Of a cluster or a group that is a resource of CloudFormation.
void rule_version_of_resource(const Rules *rules, const PlanResource *resource) {
    const Str type = resource->resource->type;
    const bool has_version = str_is(type, "AWS::EKS::Cluster") || str_is(type, "AWS::EKS::Nodegroup");
    const Value *version = has_version ? resource_property(resource->resource, "Version") : NULL;
    if (version != NULL && version->kind == VALUE_STRING) {
        kubernetes_check_version(rules, resource->subject, version->span, version->string);
    }
}

// ---- CoreDNS ---------------------------------------------------------------------------------------------------

// Whether a taint keeps CoreDNS away for no longer than a node's start, or not at all.
static bool is_passing(const Value *key) {
    return key->kind == VALUE_STRING &&
           (names_have(NAMES_TAINTS_OF_COREDNS, key->string) || names_have(NAMES_TAINTS_OF_A_START, key->string));
}

// A late part may be anything, so that nothing is said of it.
static bool keeps_away(const Value *taint) {
    enum { KEY, EFFECT = 2, ARGUMENTS };
    if (taint->kind != VALUE_TAG || taint->tag.count != ARGUMENTS || is_passing(taint->tag.arguments[KEY])) {
        return false;
    }
    const Value *effect = taint->tag.arguments[EFFECT];
    return effect->kind == VALUE_STRING &&
           (str_is(effect->string, "NoSchedule") || str_is(effect->string, "NoExecute"));
}

// The same of taints as eksctl lists them.
static bool has_repelling(const Value *taints) {
    for (uint32_t i = 0; i < object_count(taints); i++) {
        const Value *key = object_get(taints->list.items[i], "key");
        const Str effect = object_text(object_get(taints->list.items[i], "effect"));
        if (key != NULL && !is_passing(key) && (str_is(effect, "NoSchedule") || str_is(effect, "NoExecute"))) {
            return true;
        }
    }
    return false;
}

// Where the file names the zones, eksctl makes the cluster with it; another may add groups to one that is there.
void rule_cluster_config_dns(const Rules *rules, const PlanClusterConfig *config) {
    const bool has_other_nodes = config->has_other_nodes || config->groups.count == 0;
    if (config->zone_list == NULL || has_other_nodes) {
        return;
    }
    for (uint32_t i = 0; i < config->groups.count; i++) {
        if (!has_repelling(config->groups.items[i]->taints)) {
            return;
        }
    }
    Diag *diag = plan_report(rules->session, config->file.subject, config->name_span, DIAG(no_place_for_dns),
                             STR_ARG(config->name), "all groups have taints");
    diag_label(rules->session, diag, config->groups.items[0]->taints->span, "keeps CoreDNS away");
    diag_help(rules->session, diag, "add a group without taints that has a node from the beginning");
}

static bool is_tainted(const PlanNodes *nodes) {
    for (uint32_t i = 0;
         nodes->eks->taints != NULL && nodes->eks->taints->kind == VALUE_LIST && i < nodes->eks->taints->list.count;
         i++) {
        if (keeps_away(nodes->eks->taints->list.items[i])) {
            return true;
        }
    }
    return false;
}

// Where all groups are empty at first, and none has taints, the first node takes it: build_eks_start() says so.
void rule_place_for_dns(const Rules *rules, const PlanCluster *cluster) {
    if (cluster->eks->existing != NULL || cluster->nodes.count == 0) {
        return;
    }
    const PlanNodes *empty = NULL;
    const PlanNodes *tainted = NULL;
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        const PlanNodes *nodes = cluster->nodes.items[i];
        if (!is_tainted(nodes) && !plan_begins_empty(nodes)) {
            return;
        }
        tainted = is_tainted(nodes) && tainted == NULL ? nodes : tainted;
        empty = !is_tainted(nodes) && empty == NULL ? nodes : empty;
    }
    if (tainted == NULL) {
        return;
    }
    const Subject *subject = cluster->head.subject;
    Diag *diag =
        plan_report(rules->session, subject, subject->name_span, DIAG(no_place_for_dns), STR_ARG(cluster->head.id),
                    empty == NULL ? "all groups have taints" : "groups without taints begin without nodes");
    diag_label(rules->session, diag, tainted->eks->taints->span, "keeps CoreDNS away");
    if (empty != NULL) {
        diag_label(rules->session, diag, empty->count.low->span, "no node at first");
    }
    diag_help(rules->session, diag, "add a group without taints that has a node from the beginning");
}

// ---- quotas ----------------------------------------------------------------------------------------------------

void rule_quotas_of_eks(const Rules *rules, const PlanCluster *cluster) {
    int64_t managed = 0;
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        const PlanNodes *nodes = cluster->nodes.items[i];
        managed += plan_is_managed(nodes) ? 1 : 0;
    }
    if (managed > LIMIT_EKS_MANAGED_GROUPS_USUAL) {
        const Subject *subject = cluster->head.subject;
        Diag *diag =
            plan_report(rules->session, subject, subject->name_span, DIAG(eks_quota), STR_ARG(cluster->head.id),
                        managed, "managed groups", (int)LIMIT_EKS_MANAGED_GROUPS_USUAL);
        diag_help(rules->session, diag, "join groups that differ in little, or write `group = eksctl`");
    }
}

void rule_group_quota(const Rules *rules, const PlanGroup *group) {
    const int64_t most = group_most(group);
    if (group->is_managed && most > LIMIT_EKS_MANAGED_NODES_USUAL && most <= INT32_MAX) {
        Diag *diag =
            plan_report(rules->session, group->subject, rule_span(&group->most), DIAG(eks_quota), STR_ARG(group->name),
                        most, "nodes in a managed group", (int)LIMIT_EKS_MANAGED_NODES_USUAL);
        diag_help(rules->session, diag, "make two groups of it");
    }
}

// ---- drivers of file systems -----------------------------------------------------------------------------------

void rule_drivers_of_storage(const Rules *rules, const PlanCluster *cluster) {
    for (uint32_t i = 0; i < cluster->eks->addons.count; i++) {
        const PlanAddon *addon = cluster->eks->addons.items[i];
        const bool is_lustre = str_is(addon->head.id, "fsx");
        if (!addon->off->boolean || (!is_lustre && !str_is(addon->head.id, "efs"))) {
            continue;
        }
        for (uint32_t k = 0; k < cluster->storages.count; k++) {
            const PlanStorage *storage = cluster->storages.items[k];
            if (storage->kind == (is_lustre ? STORAGE_LUSTRE : STORAGE_EFS)) {
                Diag *diag = plan_report(rules->session, addon->head.subject, addon->off->span, DIAG(driver_off),
                                         STR_ARG(storage->head.id), STR_ARG(addon->head.id));
                diag_label(rules->session, diag, storage->head.subject->name_span, "is mounted through it");
                diag_help(rules->session, diag, "remove `off`");
                break;
            }
        }
    }
}

// ---- what is asked before a stack is deployed --------------------------------------------------------------------

static bool has_node_stack(const PlanCluster *cluster) {
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        if (plan_is_in_node_stack(cluster->nodes.items[i])) {
            return true;
        }
    }
    return false;
}

// A command asks EKS about the cluster. It has the name, or reads it from the environment as the parameter does.
void rule_known_name(const Rules *rules, const PlanCluster *cluster) {
    const Value *name = cluster->eks->existing;
    const bool is_known =
        name == NULL || name->kind == VALUE_STRING || (name->kind == VALUE_LATE && name->late->kind == LATE_PARAM);
    if (!is_known && has_node_stack(cluster)) {
        Diag *diag = report(rules->session, name->span, DIAG(late_shape), "existing");
        diag_help(rules->session, diag, "give it the name itself, or a late param that is the name");
    }
}

void rule_known_profile(const Rules *rules, const PlanNodes *nodes) {
    const Value *profile = plan_is_in_stack(nodes) ? nodes->role.instance_profile : NULL;
    if (profile != NULL && value_by_default(profile)->kind != VALUE_STRING) {
        Diag *diag = report(rules->session, profile->span, DIAG(late_shape), "instance_profile");
        diag_help(rules->session, diag,
                  "the nodes join by the profile's role, which the command of the plan asks IAM for");
    }
}
