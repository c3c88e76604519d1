// slurmctld has slurmd run HealthCheckProgram every HealthCheckInterval seconds, and never if that is 0
// (https://slurm.schedmd.com/slurm.conf.html, 2026-11). It passes over a node with jobs unless HealthCheckNodeState has
// its state (SchedMD/slurm, src/slurmctld/ping_nodes.c, run_health_check, read 2026-11).
#include "compiler/plan/model/health_check.h"

bool plan_checks_nodes(const PlanCluster *cluster) {
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        const PlanValidate *validate = cluster->nodes.items[i]->validate;
        if (validate != NULL && validate->gap == NULL) {
            return true;
        }
    }
    return false;
}

const Value *plan_slurm_setting(const PlanCluster *cluster, const char *name) {
    for (uint32_t i = 0; i < cluster->slurm->all_settings.count; i++) {
        const PlanSetting *setting = &cluster->slurm->all_settings.items[i];
        if (setting->place == SLURM_CLUSTER && str_is_in_any_case(setting->entry->key, name)) {
            return setting->entry->value;
        }
    }
    return NULL;
}

// A list of states with none in which jobs run.
static bool are_idle_states(Str states) {
    static const char *const BUSY[] = { "ANY", "ALLOC", "MIXED" };
    bool has_one = false;
    for (size_t start = 0; start < states.len;) {
        const size_t end = str_find(states, STR(","), start);
        const Str word = str_slice(states, start, end);
        for (size_t i = 0; i < COUNT_OF(BUSY); i++) {
            if (str_is_in_any_case(word, BUSY[i])) {
                return false;
            }
        }
        has_one = has_one || str_is_in_any_case(word, "IDLE") || str_is_in_any_case(word, "NONDRAINED_IDLE");
        start = end + 1;
    }
    return has_one;
}

static bool is_zero(const Value *value) {
    return (value->kind == VALUE_INT && value->integer == 0) ||
           (value->kind == VALUE_STRING && str_is(value->string, "0"));
}

const char *plan_gap_of_health_check(const ValueEntry *setting) {
    if (str_is_in_any_case(setting->key, "HealthCheckInterval") && is_zero(setting->value)) {
        return "every few minutes";
    }
    return str_is_in_any_case(setting->key, "HealthCheckNodeState") && setting->value->kind == VALUE_STRING &&
                   are_idle_states(setting->value->string)
               ? "while jobs run"
               : NULL;
}

bool plan_writes_health_check(const PlanCluster *cluster) {
    return plan_checks_nodes(cluster) && plan_slurm_setting(cluster, "HealthCheckProgram") == NULL;
}

bool plan_runs_health_check(const PlanCluster *cluster) {
    const Value *interval = plan_slurm_setting(cluster, "HealthCheckInterval");
    return plan_writes_health_check(cluster) && (interval == NULL || !is_zero(interval));
}
