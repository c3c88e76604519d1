// Rules about a batch script where the configuration of its cluster stands beside it: a queue is a partition, and Slurm
// refuses a job that none of its nodes can take.
// source: SchedMD/slurm src/slurmctld/job_mgr.c, ESLURM_INVALID_PARTITION_NAME, and src/slurmctld/node_scheduler.c,
// ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE; aws/aws-parallelcluster-cookbook, slurm_parallelcluster_queue_partitions.conf,
// where the first queue is the default; read 2026-11
#include "compiler/plan/rules/together_partitions.h"

#include "compiler/base/suggest.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/configuration.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/model/slurm_script.h"
#include "compiler/plan/rules/rules.h"

// ---- the cluster -----------------------------------------------------------------------------------------------------

static const PlanConfiguration *slurm_of(const Plan *plan) {
    const PlanConfiguration *found = NULL;
    for (uint32_t i = 0; i < plan->raw.count; i++) {
        const PlanRaw *raw = plan->raw.items[i];
        for (uint32_t k = 0; k < raw->configurations.count; k++) {
            const PlanConfiguration *one = raw->configurations.items[k];
            found = one->is_slurm && one->queues.count > 0 ? one : found;
        }
    }
    return found;
}

bool partitions_are_in(const Plan *plan) {
    return slurm_of(plan) != NULL;
}

bool partitions_are_elsewhere(const Plan *plan) {
    bool are = false;
    for (uint32_t i = 0; i < plan->raw.count; i++) {
        are = are || plan->raw.items[i]->controllers.count > 0 || plan->raw.items[i]->provisionings.count > 0;
    }
    return are;
}

// Whether each partition is a queue with a known name: settings of the author's own may add some.
static bool are_whole(const PlanConfiguration *cluster) {
    const Value *settings = object_get(object_get(cluster->document, "Scheduling"), "SlurmSettings");
    bool are = object_get(settings, "CustomSlurmSettingsIncludeFile") == NULL;
    for (uint32_t i = 0; i < cluster->queues.count; i++) {
        are = are && cluster->queues.items[i]->name.state == FIELD_KNOWN;
    }
    for (uint32_t i = 0; i < cluster->settings.count; i++) {
        const Str key = cluster->settings.items[i].entry->key;
        are = are && !str_starts_with(key, STR("Partition")) && !str_starts_with(key, STR("Include"));
    }
    return are;
}

static const PlanConfigurationQueue *queue_named(const PlanConfiguration *cluster, Str name) {
    for (uint32_t i = 0; i < cluster->queues.count; i++) {
        if (str_equal(cluster->queues.items[i]->name.text, name)) {
            return cluster->queues.items[i];
        }
    }
    return NULL;
}

// What a queue has at most; -1 where nobody knows it.
typedef struct {
    int64_t gpus; // of a node
    int64_t cpus; // of a node
    int64_t nodes;
    Span of_types; // of the first type
    Span of_nodes; // of the largest number of them
} QueueRoom;

static QueueRoom room_of(const PlanConfiguration *cluster, const PlanConfigurationQueue *queue) {
    QueueRoom room = { .of_types = SPAN_NONE, .of_nodes = SPAN_NONE };
    bool knows_types = true;
    bool knows_nodes = true;
    for (uint32_t i = 0; i < cluster->groups.count; i++) {
        const PlanGroup *group = cluster->groups.items[i];
        if (group->pcluster == NULL || group->pcluster->queue != queue) {
            continue;
        }
        const int64_t most = group_most(group);
        knows_nodes = knows_nodes && most >= 0;
        knows_types = knows_types && !group->has_other_types && group->types.count > 0;
        room.nodes += most;
        room.of_nodes = span_is_none(room.of_nodes) ? group->most.span : room.of_nodes;
        for (uint32_t k = 0; k < group->types.count; k++) {
            const InstanceRow *row = group->types.items[k].row;
            knows_types = knows_types && row != NULL && row->accelerators >= 0 && row->accelerator_share == NULL;
            room.gpus = row != NULL && row->accelerators > room.gpus ? row->accelerators : room.gpus;
            room.cpus = row != NULL && row->vcpus > room.cpus ? row->vcpus : room.cpus;
            room.of_types = span_is_none(room.of_types) ? group->types.items[k].field.span : room.of_types;
        }
    }
    room.gpus = knows_types ? room.gpus : -1;
    room.cpus = knows_types ? room.cpus : -1;
    room.nodes = knows_nodes ? room.nodes : -1;
    return room;
}

// ---- what a script asks for ------------------------------------------------------------------------------------------

typedef struct {
    Session *session;
    const Subject *subject;
    const PlanConfigurationQueue *queue;
} PartitionCheck;

// `has` is -1 where it is not known, and so is `wants`.
static void check_room(const PartitionCheck *check, const char *what, int64_t wants, Span span, int64_t has,
                       Span place) {
    if (has < 0 || wants <= has || span_is_none(span)) {
        return;
    }
    Diag *diag = plan_report(check->session, check->subject, span, DIAG(partition_room), wants, what,
                             STR_ARG(check->queue->name.text), has);
    diag_label(check->session, diag, place, "%" PRId64 " here", has);
    if (has == 0) {
        diag_help(check->session, diag, "name a queue whose nodes have some in `--partition`");
    } else {
        diag_help(check->session, diag, "ask for %" PRId64 " at most, or change the queue", has);
    }
}

static void check_rooms(const PartitionCheck *check, const PlanSlurmScript *script, const QueueRoom *room) {
    const PlanSlurmOption *nodes = slurm_option(&script->options, "nodes");
    const PlanSlurmOption *each = slurm_option(&script->options, "cpus-per-task");
    const PlanSlurmOption *tasks = slurm_option(&script->options, "ntasks-per-node");
    const int64_t node_count = slurm_number(&script->options, "nodes");
    const int64_t cpus = slurm_number(&script->options, "cpus-per-task");
    const int64_t task_count = tasks == NULL ? 1 : slurm_number(&script->options, "ntasks-per-node");
    Span of_gpus = SPAN_NONE;
    const int64_t gpus = slurm_gpus(&script->options, node_count, &of_gpus);
    check_room(check, "GPUs of a node", gpus, of_gpus, room->gpus, room->of_types);
    if (nodes != NULL) {
        check_room(check, "nodes", node_count, nodes->value.span, room->nodes, room->of_nodes);
    }
    if (each != NULL && cpus > 0 && task_count > 0 && cpus <= INT32_MAX && task_count <= INT32_MAX) {
        check_room(check, "CPUs of a node", cpus * task_count, each->value.span, room->cpus, room->of_types);
    }
}

static void report_missing(Session *session, const Plan *plan, const PlanConfiguration *cluster, Str name, Span span) {
    Diag *diag = plan_report(session, plan->script->subject, span, DIAG(partition_missing), STR_ARG(name));
    Suggestion suggestion = suggest_for(session, name);
    for (uint32_t i = 0; i < cluster->queues.count; i++) {
        suggest_offer(&suggestion, cluster->queues.items[i]->name.text);
        diag_label(session, diag, cluster->queues.items[i]->name.span, "%s", "");
    }
    if (!suggest_say(session, diag, &suggestion, span)) {
        diag_help(session, diag, "name a queue of the cluster");
    }
}

void partitions_check(Session *session, const Plan *plan, const Plan *beside) {
    const PlanSlurmScript *script = plan->script;
    const PlanConfiguration *cluster = slurm_of(beside);
    if (script == NULL || !script->is_batch || script->is_rendered || script->is_het || cluster == NULL ||
        !are_whole(cluster)) {
        return;
    }
    const PlanSlurmOption *option = slurm_option(&script->options, "partition");
    const Str name = option == NULL ? cluster->queues.items[0]->name.text : option->value.text;
    if ((option != NULL && option->value.state != FIELD_KNOWN) || str_has(name, ",") || name.len == 0) {
        return;
    }
    const PlanConfigurationQueue *queue = queue_named(cluster, name);
    if (queue == NULL) {
        report_missing(session, plan, cluster, name, option->value.span);
        return;
    }
    const QueueRoom room = room_of(cluster, queue);
    check_rooms(&(PartitionCheck){ .session = session, .subject = script->subject, .queue = queue }, script, &room);
}
