// Rules about a cluster configuration of ParallelCluster with AWS Batch, and about login nodes.
// Source: aws/aws-parallelcluster@451cc532 cli/src/pcluster/schemas/cluster_schema.py, config/cluster_config.py and
// validators, 2024-10-24, read 2026-11.
#include "compiler/plan/rules/rule_field.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/configuration.h"
#include "compiler/plan/model/object_value.h"
#include "schema/instances.h"
#include "schema/limits.h"
#include "schema/names.h"

static bool number_of(const Value *value, int64_t *number) {
    const bool is_number = value != NULL && value->kind == VALUE_INT;
    *number = is_number ? value->integer : *number;
    return is_number;
}

static bool is_awsbatch(const PlanConfiguration *configuration) {
    const Value *scheduling = object_get(configuration->document, "Scheduling");
    return str_is(object_text(object_get(scheduling, "Scheduler")), "awsbatch");
}

// ---- sections ----------------------------------------------------------------------------------------------------

static const ValueEntry *entry_of(const Value *map, const char *key) {
    return map != NULL && map->kind == VALUE_MAP ? value_entry(map->map.entries, map->map.count, key) : NULL;
}

void rule_configuration_scheduler(const Rules *rules, const PlanConfiguration *configuration) {
    static const struct {
        const char *key;
        const char *scheduler;
    } SECTIONS[] = { { "SlurmQueues", "slurm" },
                     { "SlurmSettings", "slurm" },
                     { "AwsBatchQueues", "awsbatch" },
                     { "AwsBatchSettings", "awsbatch" } };
    const Value *scheduling = object_get(configuration->document, "Scheduling");
    const Value *scheduler = object_get(scheduling, "Scheduler");
    for (size_t i = 0; i < COUNT_OF(SECTIONS) && object_text(scheduler).len > 0; i++) {
        const ValueEntry *entry = entry_of(scheduling, SECTIONS[i].key);
        const bool is_known = str_is(scheduler->string, "slurm") || str_is(scheduler->string, "awsbatch");
        if (entry == NULL || !is_known || str_is(scheduler->string, SECTIONS[i].scheduler)) {
            continue;
        }
        Diag *diag = plan_report(rules->session, configuration_subject(configuration, entry->key_span), entry->key_span,
                                 DIAG(scheduler_section), SECTIONS[i].key, SECTIONS[i].scheduler);
        diag_label(rules->session, diag, scheduler->span, "the scheduler");
        diag_help(rules->session, diag, "write `Scheduler: %s`, or the section of the scheduler",
                  SECTIONS[i].scheduler);
    }
}

// ---- AWS Batch ---------------------------------------------------------------------------------------------------

static void refuse(const Rules *rules, const PlanConfiguration *configuration, Span span, const char *why,
                   const char *instead) {
    Diag *diag =
        plan_report(rules->session, configuration_subject(configuration, span), span, DIAG(batch_not_taken), why);
    diag_help(rules->session, diag, "%s, or write `Scheduler: slurm` with the queues of Slurm", instead);
}

static void check_sections(const Rules *rules, const PlanConfiguration *configuration) {
    static const struct {
        const char *key;
        const char *why;
    } SECTIONS[] = { { "LoginNodes", "login nodes are Slurm's" },
                     { "DirectoryService", "users of a directory are Slurm's" } };
    for (size_t i = 0; i < COUNT_OF(SECTIONS); i++) {
        const ValueEntry *entry = entry_of(configuration->document, SECTIONS[i].key);
        if (entry != NULL && entry->value->kind != VALUE_NULL) {
            refuse(rules, configuration, entry->key_span, SECTIONS[i].why, "leave it out");
        }
    }
    if (configuration->os.state == FIELD_KNOWN && !names_have(NAMES_PCLUSTER_BATCH_SYSTEMS, configuration->os.text)) {
        refuse(rules, configuration, rule_span(&configuration->os), "it runs on Amazon Linux",
               "write `Os: alinux2023`");
    }
    for (uint32_t i = 0; i < configuration->storages.count; i++) {
        const PlanField *kind = &configuration->storages.items[i]->type;
        if (kind->state == FIELD_KNOWN && (str_starts_with(kind->text, STR("Fsx")) || field_is(kind, "FileCache"))) {
            refuse(rules, configuration, rule_span(kind), "file systems of FSx are Slurm's", "leave it out");
        }
    }
}

static void cross(const Rules *rules, const PlanConfiguration *configuration, Span span, const char *name,
                  int64_t number, const char *other, int64_t limit) {
    Diag *diag = plan_report(rules->session, configuration_subject(configuration, span), span, DIAG(batch_vcpus), name,
                             number, other, limit);
    diag_help(rules->session, diag, "write numbers that rise: `MinvCpus`, `DesiredvCpus`, `MaxvCpus`");
}

static void check_vcpus(const Rules *rules, const PlanConfiguration *configuration, const Value *resource) {
    const Value *min = object_get(resource, "MinvCpus");
    const Value *desired = object_get(resource, "DesiredvCpus");
    const Value *max = object_get(resource, "MaxvCpus");
    int64_t least = 0;
    int64_t most = LIMIT_PCLUSTER_COUNT_DEFAULT;
    const bool is_known = (min == NULL || number_of(min, &least)) && (max == NULL || number_of(max, &most));
    int64_t wanted = least;
    const bool has_wanted = number_of(desired, &wanted);
    if (!is_known || (desired != NULL && !has_wanted)) {
        return;
    }
    if (has_wanted && wanted < least) {
        cross(rules, configuration, desired->span, "DesiredvCpus", wanted, "MinvCpus", least);
    } else if (has_wanted && wanted > most) {
        cross(rules, configuration, desired->span, "DesiredvCpus", wanted, "MaxvCpus", most);
    } else if (least > most) {
        const Span span = min != NULL ? min->span : max->span; // one of them is there: the defaults rise
        cross(rules, configuration, span, "MinvCpus", least, "MaxvCpus", most);
    }
}

// One type alone, of which not even one instance fits.
static void check_types(const Rules *rules, const PlanConfiguration *configuration, const Value *resource) {
    const Value *types = object_get(resource, "InstanceTypes");
    const Value *max = object_get(resource, "MaxvCpus");
    int64_t most = LIMIT_PCLUSTER_COUNT_DEFAULT;
    const InstanceRow *head = configuration->head.row;
    for (uint32_t i = 0; i < object_count(types); i++) {
        const Value *type = types->list.items[i];
        const InstanceRow *row = schema_instance(rules->session, object_text(type));
        if (row == NULL) {
            continue;
        }
        if (head != NULL && head->architecture != ARCHITECTURE_UNKNOWN && row->architecture != ARCHITECTURE_UNKNOWN &&
            head->architecture != row->architecture) {
            Diag *diag = plan_report(rules->session, configuration_subject(configuration, type->span), type->span,
                                     DIAG(batch_not_taken), "the head has another architecture");
            diag_label(rules->session, diag, rule_span(&configuration->head.type), "%s",
                       schema_architecture_name(head->architecture));
            diag_help(rules->session, diag, "take types of one architecture");
        }
        // One below zero is no maximum at all, which check_vcpus() says.
        if (types->list.count == 1 && row->vcpus > 0 && (max == NULL || number_of(max, &most)) && most >= 0 &&
            most < row->vcpus) {
            const Span span = max == NULL ? type->span : max->span;
            Diag *diag = plan_report(
                rules->session, configuration_subject(configuration, span), span, DIAG(batch_vcpus), "MaxvCpus", most,
                str_c(rules->session->arena, str_format(rules->session->arena, "vCPUs of %s", row->name)),
                (int64_t)row->vcpus);
            diag_help(rules->session, diag, "write `MaxvCpus: %d`, or more", row->vcpus);
        }
    }
}

static void check_queue(const Rules *rules, const PlanConfiguration *configuration, const Value *queue) {
    const Value *resources = object_get(queue, "ComputeResources");
    if (object_count(resources) > 1) {
        refuse(rules, configuration, resources->list.items[1]->span, "a queue has one compute resource",
               "leave it out");
    }
    for (uint32_t i = 0; i < object_count(resources); i++) {
        check_vcpus(rules, configuration, resources->list.items[i]);
        check_types(rules, configuration, resources->list.items[i]);
    }
}

void rule_configuration_batch(const Rules *rules, const PlanConfiguration *configuration) {
    if (!is_awsbatch(configuration)) {
        return;
    }
    const Value *queues = object_get(object_get(configuration->document, "Scheduling"), "AwsBatchQueues");
    check_sections(rules, configuration);
    if (object_count(queues) > 1) {
        refuse(rules, configuration, queues->list.items[1]->span, "a cluster has one queue", "leave it out");
    }
    for (uint32_t i = 0; i < object_count(queues); i++) {
        check_queue(rules, configuration, queues->list.items[i]);
    }
}

// ---- login nodes -------------------------------------------------------------------------------------------------

static Diag *refuse_pool(const Rules *rules, const PlanConfiguration *configuration, Span span, const char *why,
                         const char *help) {
    Diag *diag = plan_report(rules->session, configuration_subject(configuration, span), span, DIAG(login_pool), why);
    diag_help(rules->session, diag, "%s", help);
    return diag;
}

// Where a pool names no image it starts from the cluster's, which is made for the head's architecture.
static void check_pool_type(const Rules *rules, const PlanConfiguration *configuration, const Value *pool) {
    const Value *type = object_get(pool, "InstanceType");
    const Value *image = object_get(object_get(pool, "Image"), "CustomAmi");
    const InstanceRow *head = configuration->head.row;
    const InstanceRow *row = schema_instance(rules->session, object_text(type));
    if (head == NULL || row == NULL || image != NULL || head->architecture == row->architecture ||
        head->architecture == ARCHITECTURE_UNKNOWN || row->architecture == ARCHITECTURE_UNKNOWN) {
        return;
    }
    Diag *diag = refuse_pool(rules, configuration, type->span, "its image is of the head's architecture",
                             "take a type of the head's architecture, or name a `CustomAmi` in its `Image`");
    diag_label(rules->session, diag, rule_span(&configuration->head.type), "%s",
               schema_architecture_name(head->architecture));
}

static void check_pool(const Rules *rules, const PlanConfiguration *configuration, const Value *pool) {
    const Value *count = object_get(pool, "Count");
    const Value *grace = object_get(pool, "GracetimePeriod");
    const Value *subnets = object_get(object_get(pool, "Networking"), "SubnetIds");
    int64_t number = 0;
    check_pool_type(rules, configuration, pool);
    if (number_of(count, &number) && number < 0) {
        refuse_pool(rules, configuration, count->span, "`Count` is below 0", "write 0 or more");
    }
    if (number_of(grace, &number) && (number < LIMIT_PCLUSTER_GRACETIME_MIN || number > LIMIT_PCLUSTER_GRACETIME_MAX)) {
        refuse_pool(rules, configuration, grace->span, "`GracetimePeriod` is from 3 to 120 minutes",
                    "write a number from 3 to 120");
    }
    if (object_count(subnets) > 1) {
        refuse_pool(rules, configuration, subnets->span, "it stands in one subnet", "leave one");
    }
}

void rule_configuration_login(const Rules *rules, const PlanConfiguration *configuration) {
    enum { COMPARED_MAX = 100 };
    const Value *pools = object_get(object_get(configuration->document, "LoginNodes"), "Pools");
    for (uint32_t i = 0; i < object_count(pools) && i < COMPARED_MAX; i++) {
        const Value *pool = pools->list.items[i];
        const Value *name = object_get(pool, "Name");
        check_pool(rules, configuration, pool);
        for (uint32_t k = 0; k < i && object_text(name).len > 0; k++) {
            const Value *other = object_get(pools->list.items[k], "Name");
            if (str_equal(object_text(name), object_text(other))) {
                Diag *diag = refuse_pool(rules, configuration, name->span, "another one has its name",
                                         "give one of them another name");
                diag_label(rules->session, diag, other->span, "the first one");
            }
        }
    }
}
