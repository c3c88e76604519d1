// Rules about amounts that a service counts in units of its own: one that is no whole number of them cannot be written.
// A rule about the size of an amount comes first, and where that has found something nothing is said here.
#include "compiler/plan/rules/rules.h"

enum {
    MIB = 1 << 20,
    GIB = 1 << 30,
    MEGABYTE_A_SECOND = 8 * 1000 * 1000, // in bits a second
    MEBIBYTE_A_SECOND = 8 * (1 << 20),
    SECOND = 1000, // in milliseconds
    MINUTE = 60 * SECOND,
    DAY = 24 * 60 * MINUTE,
};

// `100MBps` between `95MiBps` and `96MiBps`.
static void say_neighbours(const Rules *rules, Diag *diag, ValueKind kind, int64_t below, int64_t unit) {
    Session *session = rules->session;
    int64_t next = 0;
    const bool has_above = !__builtin_add_overflow(below, unit, &next);
    const Str above = quantity_print(session->arena, kind, has_above ? next : below);
    if (below == 0 || !has_above) {
        diag_help(session, diag, "write `%.*s`", STR_ARG(above));
        return;
    }
    diag_help(session, diag, "write `%.*s`, the nearest below, or `%.*s`, the nearest above",
              STR_ARG(quantity_print(session->arena, kind, below)), STR_ARG(above));
}

static void check_whole(const Rules *rules, const Value *value, int64_t unit, const char *unit_name) {
    const bool is_amount =
        value != NULL && (value->kind == VALUE_SIZE || value->kind == VALUE_RATE || value->kind == VALUE_DURATION);
    if (is_amount && value->integer % unit != 0) {
        Diag *diag = report(rules->session, value->span, DIAG(not_whole),
                            STR_ARG(value_print(rules->session->arena, value)), unit_name);
        say_neighbours(rules, diag, value->kind, value->integer / unit * unit, unit);
    }
}

void rule_whole_disk(const Rules *rules, const PlanNodes *nodes) {
    check_whole(rules, nodes->root.size, GIB, "GiB");
}

void rule_whole_disk_of_head(const Rules *rules, const PlanCluster *cluster) {
    check_whole(rules, cluster->slurm->head_node == NULL ? NULL : cluster->slurm->head_node->disk, GIB, "GiB");
}

void rule_whole_scaledown(const Rules *rules, const PlanCluster *cluster) {
    check_whole(rules, cluster->slurm->scaledown_idletime, MINUTE, "minutes");
}

void rule_pcs_whole_scaledown(const Rules *rules, const PlanCluster *cluster) {
    check_whole(rules, cluster->pcs->scaledown_idletime, SECOND, "seconds");
}

void rule_whole_memory(const Rules *rules, const PlanJob *job) {
    check_whole(rules, job->memory, MIB, "MiB");
}

void rule_whole_shm(const Rules *rules, const PlanJob *job) {
    check_whole(rules, job->container->shm, MIB, "MiB");
}

void rule_whole_timeout(const Rules *rules, const PlanJob *job) {
    check_whole(rules, job->timeout, SECOND, "seconds");
}

// FSx for Lustre counts MB a second, EFS and EBS MiB.
void rule_whole_storage(const Rules *rules, const PlanCluster *cluster, const PlanStorage *storage) {
    (void)cluster; // each target counts as the service does
    check_whole(rules, storage->size, GIB, "GiB");
    check_whole(rules, storage->throughput_per_tib, MEGABYTE_A_SECOND, "MBps");
    check_whole(rules, storage->throughput, MEBIBYTE_A_SECOND, "MiBps");
    check_whole(rules, storage->backups, DAY, "days");
}
