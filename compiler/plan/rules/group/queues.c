// Rules about queues, and about fair share between the jobs in one.
#include "compiler/plan/rules/rule_field.h"

#include "compiler/plan/rules/slurm_name.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/queue.h"
#include "compiler/plan/model/object_value.h"

enum {
    SECOND_MS = 1000,
    SHARES_COMPARED_MAX = 500, // as many as AWS Batch lets be active in a queue
};

// Whether AWS Batch takes a number; reports one that it does not take.
static void check_number(const Rules *rules, const Subject *subject, const Value *written, const char *what,
                         int64_t least, int64_t most) {
    const Value *value = value_by_default(written);
    if (value->kind == VALUE_INT && (value->integer < least || value->integer > most)) {
        Arena *arena = rules->session->arena;
        rule_outside(rules, subject, value->span, what, value_print(arena, value), "AWS Batch",
                     str_format(arena, "%" PRId64, least), str_format(arena, "%" PRId64, most));
    }
}

void rule_priority(const Rules *rules, const PlanCluster *cluster) {
    check_number(rules, cluster->head.subject, cluster->batch->priority, "priority", 0, LIMIT_QUEUE_PRIORITY_MAX);
}

void rule_queue_priority(const Rules *rules, const PlanCluster *cluster, const PlanQueue *queue) {
    if (queue->priority != cluster->batch->priority) {
        check_number(rules, queue->head.subject, queue->priority, "priority", 0, LIMIT_QUEUE_PRIORITY_MAX);
    }
}

// ---- names -----------------------------------------------------------------------------------------------------

// On ParallelCluster each group has a queue, which is the partition's name too.
static bool has_own_queue(const PlanCluster *cluster, const PlanNodes *nodes) {
    return cluster->slurm != NULL || plan_queue_of(cluster, nodes->head.id) == NULL;
}

void rule_queue_name(const Rules *rules, const PlanCluster *cluster, const PlanQueue *queue) {
    const PlanHead *head = &queue->head;
    if (cluster->slurm != NULL && str_is_in_any_case(head->id, "default")) {
        slurm_check_name(rules, head->subject, head->subject->name_span, head->id, "a queue",
                         "Slurm keeps this word for itself", "give the queue another name");
    }
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        const PlanNodes *nodes = cluster->nodes.items[i];
        if (str_equal(nodes->head.id, head->id) && has_own_queue(cluster, nodes)) {
            Diag *diag = plan_report(rules->session, head->subject, head->subject->name_span, DIAG(queue_twice),
                                     STR_ARG(head->id));
            diag_label(rules->session, diag, nodes->head.subject->name_span, "has a queue of this name");
            diag_help(rules->session, diag, "give the queue another name");
        }
    }
}

void rule_queue_has_groups(const Rules *rules, const PlanCluster *cluster, const PlanQueue *queue) {
    const Value *list = subject_value(queue->head.subject, QUEUE_NODES);
    if (list->kind != VALUE_LIST || list->list.count > 0) {
        return;
    }
    Diag *diag =
        plan_report(rules->session, queue->head.subject, list->span, DIAG(queue_empty), STR_ARG(queue->head.id));
    if (cluster->nodes.count > 0) {
        diag_help(rules->session, diag, "name groups of the cluster, as in `nodes = [%.*s]`",
                  STR_ARG(cluster->nodes.items[0]->head.id));
    } else {
        diag_help(rules->session, diag, "name groups of the cluster");
    }
}

// ---- compute environments ------------------------------------------------------------------------------------------

void rule_queue_length(const Rules *rules, const PlanCluster *cluster, const PlanQueue *queue) {
    (void)cluster;
    if (queue->nodes.count > LIMIT_QUEUE_ENVIRONMENTS_MAX) {
        const Value *list = subject_value(queue->head.subject, QUEUE_NODES);
        const Span first = list->list.items[LIMIT_QUEUE_ENVIRONMENTS_MAX]->span;
        Diag *diag = plan_report(rules->session, queue->head.subject, first, DIAG(queue_too_long),
                                 STR_ARG(queue->head.id), queue->nodes.count, LIMIT_QUEUE_ENVIRONMENTS_MAX);
        diag_help(rules->session, diag, "make another queue of the others, or one group of several instance types");
    }
}

void rule_queue_architecture(const Rules *rules, const PlanCluster *cluster, const PlanQueue *queue) {
    (void)cluster;
    for (uint32_t i = 1; i < queue->nodes.count; i++) {
        const PlanNodes *first = queue->nodes.items[0];
        const PlanNodes *nodes = queue->nodes.items[i];
        if (nodes->instance->architecture != first->instance->architecture) {
            Diag *diag = plan_report(rules->session, queue->head.subject, queue->head.subject->name_span,
                                     DIAG(queue_architectures), STR_ARG(queue->head.id), STR_ARG(first->head.id),
                                     STR_ARG(nodes->head.id));
            diag_label(rules->session, diag, first->instance_value->span, "%s",
                       schema_architecture_name(first->instance->architecture));
            diag_label(rules->session, diag, nodes->instance_value->span, "%s",
                       schema_architecture_name(nodes->instance->architecture));
            diag_help(rules->session, diag, "make a queue for each");
            return;
        }
    }
}

// ---- fair share ----------------------------------------------------------------------------------------------------

static const char *share_name_fault(Str name) {
    for (size_t i = 0; i < name.len; i++) {
        const char c = name.data[i];
        const bool is_alphanumeric = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        const bool is_star_at_end = c == '*' && i > 0 && i + 1 == name.len;
        if (!is_alphanumeric && !is_star_at_end) {
            return "it has letters and digits, and may end in a `*`";
        }
    }
    return name.len == 0 ? "it is empty" : name.len > LIMIT_SHARE_NAME_MAX ? "it has more than 255 characters" : NULL;
}

// Whether a job of one identifier may have the other: they are equal but for what a `*` stands for.
static bool do_overlap(Str left, Str right) {
    const bool is_left_open = str_ends_with(left, STR("*"));
    const bool is_right_open = str_ends_with(right, STR("*"));
    const Str left_head = str_slice(left, 0, left.len - is_left_open);
    const Str right_head = str_slice(right, 0, right.len - is_right_open);
    return (is_left_open && str_starts_with(right_head, left_head)) ||
           (is_right_open && str_starts_with(left_head, right_head));
}

// The keys of the entries are the identifiers.
static void check_overlap(const Rules *rules, const Subject *subject, const ValueEntry *shares, uint32_t count) {
    for (uint32_t i = 1; i < count && i < SHARES_COMPARED_MAX; i++) {
        uint32_t k = 0;
        while (k < i && !do_overlap(shares[k].key, shares[i].key)) {
            k++;
        }
        if (k < i) {
            Diag *diag = plan_report(rules->session, subject, shares[i].key_span, DIAG(shares_overlap),
                                     STR_ARG(shares[k].key), STR_ARG(shares[i].key));
            diag_label(rules->session, diag, shares[k].key_span, "the other one");
            diag_help(rules->session, diag, "leave one out, or rename it so that neither begins with the other");
        }
    }
}

void rule_shares_overlap(const Rules *rules, const PlanCluster *cluster, const PlanQueue *queue) {
    (void)cluster;
    check_overlap(rules, queue->head.subject, queue->shares->map.entries, queue->shares->map.count);
}

static bool check_share_name(const Rules *rules, const Subject *subject, const ValueEntry *share) {
    const char *fault = share_name_fault(share->key);
    if (fault != NULL) {
        Diag *diag =
            plan_report(rules->session, subject, share->key_span, DIAG(share_name), STR_ARG(share->key), fault);
        diag_help(rules->session, diag, "write a name such as `research`, or `vision*` for all that begin with it");
    }
    return fault == NULL;
}

// The policy of a queue that somebody wrote as a resource.
void rule_shares_of_resource(const Rules *rules, const PlanResource *resource) {
    const bool is_policy = str_is(resource->resource->type, "AWS::Batch::SchedulingPolicy");
    const Value *policy = is_policy ? resource_property(resource->resource, "FairsharePolicy") : NULL;
    const Value *list = object_get(policy, "ShareDistribution");
    ValueEntry *shares = arena_new_array(rules->session->arena, ValueEntry, object_count(list));
    uint32_t count = 0;
    bool are_good = true;
    for (uint32_t i = 0; i < object_count(list); i++) {
        const Value *name = object_get(list->list.items[i], "ShareIdentifier");
        if (name != NULL && name->kind == VALUE_STRING) {
            shares[count] = (ValueEntry){ .key = name->string, .key_span = name->span, .value = name };
            are_good = check_share_name(rules, resource->subject, &shares[count]) && are_good;
            count++;
        }
    }
    if (are_good) {
        check_overlap(rules, resource->subject, shares, count);
    }
}

void rule_shares(const Rules *rules, const PlanCluster *cluster, const PlanQueue *queue) {
    (void)cluster;
    const Subject *subject = queue->head.subject;
    for (uint32_t i = 0; i < queue->shares->map.count; i++) {
        const ValueEntry *share = &queue->shares->map.entries[i];
        check_share_name(rules, subject, share);
        check_number(rules, subject, share->value, "shares", LIMIT_SHARE_WEIGHT_MIN, LIMIT_SHARE_WEIGHT_MAX);
    }
    if (queue->share_reservation != NULL) {
        check_number(rules, subject, queue->share_reservation, "share_reservation", 0, LIMIT_SHARE_RESERVATION_MAX);
    }
    const Value *decay = queue->share_decay;
    if (decay != NULL &&
        (decay->integer % SECOND_MS != 0 || decay->integer / SECOND_MS > LIMIT_SHARE_DECAY_SECONDS_MAX)) {
        rule_outside(rules, subject, decay->span, "share_decay", value_print(rules->session->arena, decay), "AWS Batch",
                     STR("0s"), STR("7d in whole seconds"));
    }
}

void rule_share_without_shares(const Rules *rules, const PlanCluster *cluster, const PlanQueue *queue) {
    (void)cluster;
    const Subject *subject = queue->head.subject;
    const int other = queue->share_reservation != NULL ? QUEUE_SHARE_RESERVATION : QUEUE_SHARE_DECAY;
    if (queue->shares->map.count == 0 && subject_value(subject, other) != NULL) {
        Diag *diag =
            plan_report(rules->session, subject, subject_key(subject, other), DIAG(no_shares), STR_ARG(queue->head.id));
        diag_help(rules->session, diag, "write `shares = { team = 1 }`, or leave it out");
    }
}

// ---- queues that somebody wrote as resources -----------------------------------------------------------------------

void rule_queue_of_resource(const Rules *rules, const PlanResource *resource) {
    const bool is_queue = str_is(resource->resource->type, "AWS::Batch::JobQueue");
    const Value *order = is_queue ? resource_property(resource->resource, "ComputeEnvironmentOrder") : NULL;
    if (object_count(order) > LIMIT_QUEUE_ENVIRONMENTS_MAX) {
        Diag *diag = plan_report(rules->session, resource->subject,
                                 order->list.items[LIMIT_QUEUE_ENVIRONMENTS_MAX]->span, DIAG(queue_too_long),
                                 STR_ARG(resource->resource->name), object_count(order), LIMIT_QUEUE_ENVIRONMENTS_MAX);
        diag_help(rules->session, diag,
                  "make another queue of the others, or one environment of several instance types");
    }
}
