// Rules about the head, declared or of a cluster configuration: its architecture, its memory and its ssh.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/head_machine.h"
#include "schema/limits.h"

static void check_architecture(const Rules *rules, const PlanHeadMachine *head) {
    const PlanHeadGroup *group = head_other_architecture(head);
    if (group == NULL) {
        return;
    }
    const char *other = schema_architecture_name(group->row->architecture);
    Diag *diag =
        plan_report(rules->session, head->subject, head->type, DIAG(head_architecture), head->row->name,
                    schema_architecture_name(head->row->architecture), STR_ARG(group->name), group->row->name, other);
    diag_label(rules->session, diag, group->type, "%s", other);
    diag_help(rules->session, diag, "give the head a type of %s, or make another cluster", other);
}

// ParallelCluster asks on some systems only; the daemons of Slurm are the same on all.
static void check_memory(const Rules *rules, const PlanHeadMachine *head) {
    if (!head->runs_slurm || head->row == NULL || head->row->memory_mib <= 0 ||
        head->row->memory_mib >= LIMIT_SLURM_HEAD_MEMORY_MIB_MIN) {
        return;
    }
    Diag *diag = plan_report(rules->session, head->subject, head->type, DIAG(head_memory_small), head->row->name,
                             (int64_t)head->row->memory_mib);
    diag_help(rules->session, diag, "take a type with more, such as m6i.large");
}

static void check_ssh(const Rules *rules, const PlanHeadMachine *head) {
    if (!head_is_open(head)) {
        return;
    }
    Diag *diag = plan_report(rules->session, head->subject, head->range, DIAG(head_is_open));
    diag_label(rules->session, diag, span_is_none(head->address) ? head->key : head->address, "%s",
               span_is_none(head->address) ? "a key, so that ssh is used" : "a public address");
    diag_help(rules->session, diag, "write `%s`, the addresses that people come from", head->better);
}

void rule_head_architecture(const Rules *rules, const PlanCluster *cluster) {
    const PlanHeadMachine head = head_of_cluster(rules->session->arena, cluster);
    check_architecture(rules, &head);
}

void rule_head_memory(const Rules *rules, const PlanCluster *cluster) {
    const PlanHeadMachine head = head_of_cluster(rules->session->arena, cluster);
    check_memory(rules, &head);
}

void rule_head_is_open(const Rules *rules, const PlanCluster *cluster) {
    const PlanHeadMachine head = head_of_cluster(rules->session->arena, cluster);
    check_ssh(rules, &head);
}

void rule_configuration_head(const Rules *rules, const PlanConfiguration *configuration) {
    const PlanHeadMachine head = head_of_configuration(rules->session->arena, configuration);
    check_architecture(rules, &head);
    check_memory(rules, &head);
    check_ssh(rules, &head);
}
