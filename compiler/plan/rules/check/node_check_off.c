// Rules about what the author writes to switch the check of nodes, or a part of it, off: a setting of Slurm takes more
// away than it says, and a tag that no node asks for takes nothing away.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/health_check.h"

// ---- settings of Slurm -----------------------------------------------------------------------------------------

static void check_setting(const Rules *rules, const PlanCluster *cluster, const PlanSetting *setting) {
    const char *gap = plan_gap_of_health_check(setting->entry);
    if (gap == NULL || setting->place != SLURM_CLUSTER) {
        return;
    }
    const Str written = value_print(rules->session->arena, setting->entry->value);
    Diag *diag = plan_report(rules->session, setting->subject, setting->entry->value->span, DIAG(no_health_check),
                             STR_ARG(setting->entry->key), STR_ARG(written), STR_ARG(cluster->head.id), gap);
    diag_help(rules->session, diag, "leave it out: dtc writes what the check of the nodes needs");
}

// A program of the author's own looks when he says.
void rule_health_check(const Rules *rules, const PlanCluster *cluster) {
    const bool is_ours = plan_writes_health_check(cluster);
    for (uint32_t i = 0; is_ours && i < cluster->slurm->all_settings.count; i++) {
        check_setting(rules, cluster, &cluster->slurm->all_settings.items[i]);
    }
}

// ---- the tag ---------------------------------------------------------------------------------------------------

static const char TAG[] = "dtc-validate"; // as stdlib/node/check-batch.sh asks for it

// The tags of a cluster go to all of its groups.
static const ValueEntry *switch_of(const Value *tags) {
    for (uint32_t i = 0; tags != NULL && tags->kind == VALUE_MAP && i < tags->map.count; i++) {
        if (str_is(tags->map.entries[i].key, TAG)) {
            return &tags->map.entries[i];
        }
    }
    return NULL;
}

static void report_switch(const Rules *rules, const Subject *subject, const ValueEntry *tag, const char *why,
                          const char *help) {
    Diag *diag = plan_report(rules->session, subject, tag->key_span, DIAG(switch_without_effect), TAG, why);
    diag_help(rules->session, diag, "%s", help);
}

// Why a tag that would switch the check of the nodes off does not, and what does.
static void check_switch(const Rules *rules, const PlanCluster *cluster, const Subject *subject, const Value *tags,
                         const PlanNodes *nodes, bool are_checked) {
    const ValueEntry *tag = switch_of(tags);
    if (tag == NULL) {
        return;
    }
    Arena *arena = rules->session->arena;
    const Value *value = tag->value;
    const bool is_word = value->kind != VALUE_STRING || str_is(value->string, "off") || str_is(value->string, "warn");
    if (!are_checked) {
        report_switch(rules, subject, tag, nodes != NULL ? "the group has no check" : "no group has a check",
                      "remove the tag");
    } else if (cluster->target == TARGET_EKS) {
        const Str group = nodes != NULL ? nodes->head.id : STR("GROUP");
        report_switch(rules, subject, tag, "nodes of EKS ask a parameter of Systems Manager",
                      str_c(arena, str_format(arena,
                                              "remove it, and run: aws ssm put-parameter --name /dtc/%.*s/%.*s --type "
                                              "String --value warn --overwrite",
                                              STR_ARG(cluster->head.id), STR_ARG(group))));
    } else if (cluster->target == TARGET_PARALLELCLUSTER) {
        report_switch(rules, subject, tag, "nodes of ParallelCluster ask a file of the head node",
                      "remove it, and run on the head node: echo warn | sudo tee /opt/slurm/etc/dtc-validate");
    } else if (!is_word) {
        report_switch(rules, subject, tag, "it is neither `off` nor `warn`", "write one of the two, or remove the tag");
    }
}

void rule_switch_of_cluster(const Rules *rules, const PlanCluster *cluster) {
    check_switch(rules, cluster, cluster->head.subject, cluster->tags, NULL, plan_checks_nodes(cluster));
}

void rule_switch_of_nodes(const Rules *rules, const PlanNodes *nodes) {
    const bool is_checked = nodes->validate != NULL && nodes->validate->gap == NULL;
    check_switch(rules, nodes->cluster, nodes->head.subject, nodes->tags, nodes, is_checked);
}
