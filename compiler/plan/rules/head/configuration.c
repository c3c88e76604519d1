// Rules about cluster configurations of ParallelCluster: keys, names, numbers, the head, and how nodes stand to each
// other. What a declared cluster on ParallelCluster has as well is said in the same words.
#include "compiler/plan/rules/rule_field.h"
#include "compiler/plan/rules/rule_remove.h"
#include "compiler/plan/rules/rule_word.h"

#include "compiler/plan/rules/head/slurm_block.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/image_fit.h"
#include "compiler/plan/rules/slurm_name.h"
#include "compiler/plan/rules/moving_url.h"
#include "compiler/plan/rules/tool_keys.h"
#include "schema/instances.h"
#include "schema/limits.h"
#include "schema/operating_systems.h"

enum {
    COMPARED_MAX = 500, // names that are held against each other: far more than ParallelCluster takes
};

void rule_configuration_keys(const Rules *rules, const PlanConfiguration *configuration) {
    const KeysCheck check = { .rules = rules, .tool = PATCH_PCLUSTER, .configuration = configuration };
    keys_check(&check, STR("Cluster"), (KeyTakes){ .type = STR("Cluster") }, configuration->document);
}

// ---- names -----------------------------------------------------------------------------------------------------

static void check_name(const Rules *rules, const Subject *subject, const PlanField *name, const char *what,
                       const char *fault) {
    if (name->state == FIELD_KNOWN) {
        slurm_check_name(rules, subject, rule_span(name), name->text, what, fault, "give it another name");
    }
}

static void check_twice(const Rules *rules, const Subject *subject, const PlanField *name, const PlanField *before) {
    if (name->state == FIELD_KNOWN && before->state == FIELD_KNOWN && str_equal(name->text, before->text)) {
        Diag *diag =
            plan_report(rules->session, subject, rule_span(name), DIAG(configuration_twice), STR_ARG(name->text));
        diag_label(rules->session, diag, rule_span(before), "the first one");
        diag_help(rules->session, diag, "give one of them another name");
    }
}

void rule_configuration_names(const Rules *rules, const PlanConfiguration *configuration) {
    for (uint32_t i = 0; i < configuration->queues.count; i++) {
        const PlanConfigurationQueue *queue = configuration->queues.items[i];
        check_name(rules, queue->subject, &queue->name, "a queue", slurm_queue_name_fault(rules, queue->name.text));
        for (uint32_t k = 0; k < i && i < COMPARED_MAX; k++) {
            check_twice(rules, queue->subject, &queue->name, &configuration->queues.items[k]->name);
        }
    }
    for (uint32_t i = 0; i < configuration->groups.count; i++) {
        const PlanGroup *group = configuration->groups.items[i];
        const PlanPclusterGroup *own = group->pcluster;
        check_name(rules, group->subject, &own->name, "a compute resource",
                   slurm_queue_name_fault(rules, own->name.text));
        for (uint32_t k = 0; k < i && i < COMPARED_MAX; k++) {
            const PlanPclusterGroup *other = configuration->groups.items[k]->pcluster;
            if (other->queue == own->queue) {
                check_twice(rules, group->subject, &own->name, &other->name);
            }
        }
    }
    for (uint32_t i = 0; i < configuration->storages.count; i++) {
        const PlanFileSystem *storage = configuration->storages.items[i];
        check_name(rules, storage->subject, &storage->name, "a file system",
                   slurm_storage_name_fault(rules, storage->name.text));
        for (uint32_t k = 0; k < i && i < COMPARED_MAX; k++) {
            check_twice(rules, storage->subject, &storage->name, &configuration->storages.items[k]->name);
        }
    }
}

// ---- numbers ---------------------------------------------------------------------------------------------------

static void check_negative(const Rules *rules, const PlanGroup *group, const PlanField *count) {
    int64_t number = 0;
    if (count->state == FIELD_KNOWN && field_integer(count, &number) && number < 0) {
        rule_too_few(rules, group->subject, FORM_PCLUSTER, rule_span(count), count->name, number, 0);
    }
}

// What is not written is ParallelCluster's own number.
static bool is_written(const PlanField *count) {
    return !span_is_none(count->key);
}

void rule_pcluster_counts(const Rules *rules, const PlanGroup *group) {
    if (group->pcluster == NULL) {
        return;
    }
    check_negative(rules, group, &group->low);
    check_negative(rules, group, &group->most);
    const int64_t low = field_number(&group->low, -1);
    const int64_t high = group_most(group);
    if (low < 0 || high < 0) {
        return;
    }
    const PlanField *at = is_written(&group->low) ? &group->low : &group->most;
    Session *session = rules->session;
    if (low > high) {
        Diag *diag = plan_report(session, group->subject, rule_span(at), DIAG(counts_crossed), low, high);
        diag_label(session, diag, rule_span(&group->most),
                   is_written(&group->most) ? "the most" : "10 at most, without `MaxCount`");
        diag_help(session, diag, "write `MaxCount: %" PRId64 "` or more", low);
    } else if (group->launch->reservation.is_block && (low != high || low == 0)) {
        const Span capacity = rule_span(&group->pcluster->queue->capacity);
        Diag *diag = slurm_report_block(rules, group->subject, rule_span(at), capacity, low, high);
        diag_help(session, diag, "write `MinCount: %" PRId64 "` and `MaxCount: %" PRId64 "`", high, high);
        if (low == 0 && is_written(&group->low)) {
            rule_replace(rules, diag, rule_span(at), at->text, str_format(session->arena, "%" PRId64, high));
        }
    }
}

void rule_pcluster_memory(const Rules *rules, const PlanGroup *group) {
    const PlanField *written = group->pcluster == NULL ? NULL : &group->pcluster->memory;
    const PlanType *least = NULL;
    int64_t memory = 0;
    for (uint32_t i = 0; i < group->types.count; i++) {
        const PlanType *type = &group->types.items[i];
        const int64_t mib = type->row->memory_mib;
        least = mib > 0 && (least == NULL || mib < least->row->memory_mib) ? type : least;
    }
    if (written == NULL || !field_integer(written, &memory) ||
        (memory >= 1 && (least == NULL || memory <= least->row->memory_mib))) {
        return;
    }
    Session *session = rules->session;
    const Str most =
        memory < 1 ? STR("and 1 is the least")
                   : str_format(session->arena, "and %s has %" PRId64 " MiB", least->row->name, least->row->memory_mib);
    Diag *diag = plan_report(session, group->subject, rule_span(written), DIAG(schedulable_memory), memory,
                             str_c(session->arena, most));
    if (memory >= 1) {
        diag_label(session, diag, rule_span(&least->field), "%" PRId64 " MiB", least->row->memory_mib);
    }
    diag_help(session, diag, "leave it out for 95 %% of the memory, or write less");
}

void rule_configuration_counts(const Rules *rules, const PlanConfiguration *configuration) {
    if (configuration->queues.count > LIMIT_SLURM_QUEUES_MAX) {
        const PlanConfigurationQueue *first = configuration->queues.items[LIMIT_SLURM_QUEUES_MAX];
        rule_too_many(rules, configuration->subject, rule_span(&first->name), STR("SlurmQueues"),
                      configuration->queues.count, "queues", LIMIT_SLURM_QUEUES_MAX);
    }
}

void rule_configuration_volumes(const Rules *rules, const PlanConfiguration *configuration) {
    const int64_t least = LIMIT_SLURM_DISK_GIB_MIN;
    for (uint32_t i = 0; configuration->image.state == FIELD_ABSENT && i < configuration->volumes.count; i++) {
        const PlanConfigurationVolume *volume = &configuration->volumes.items[i];
        const int64_t size = field_number(&volume->size, -1);
        if (!volume->has_image && size >= 0 && size < least) {
            Diag *diag = plan_report(rules->session, volume->subject, rule_span(&volume->size), DIAG(disk_below_image),
                                     size, STR_ARG(volume->owner), least);
            diag_help(rules->session, diag, "write `Size: %" PRId64 "` or more, or leave it out", least);
        }
    }
}

// Whether no release that dtc knows the drivers of takes the system.
// source: aws/aws-parallelcluster#6653, "the last release supporting Amazon Linux 2" is 3.15.0; read 2026-12
static bool is_of_older_release(const PlanField *os) {
    static const char *const SYSTEMS[] = { "alinux2", "ubuntu2004", "ubuntu1804", "centos7" };
    return os->state == FIELD_LATE || str_is_any(os->text, SYSTEMS, COUNT_OF(SYSTEMS));
}

// What a script that is fetched does, dtc cannot read.
void rule_pcluster_drivers(const Rules *rules, const PlanGroup *group) {
    static const char HELP[] =
        "name an image with aws-neuronx-dkms by `CustomAmi`, or install the package by a script of "
        "`CustomActions`";
    const PlanPclusterGroup *own = group->pcluster;
    if (own == NULL || own->queue->has_image || own->configuration->image.state != FIELD_ABSENT) {
        return;
    }
    for (uint32_t i = 0; i < group->types.count; i++) {
        const PlanType *type = &group->types.items[i];
        if (!is_of_older_release(&own->configuration->os)) {
            image_check_parallelcluster(rules, group->subject, rule_span(&type->field), type->row);
        }
        if (!own->queue->has_scripts) {
            image_check_neuron(rules, group->subject, rule_span(&type->field), type->row, HELP);
        }
    }
}

// ---- systems and places ----------------------------------------------------------------------------------------

void rule_configuration_system(const Rules *rules, const PlanConfiguration *configuration) {
    const OperatingSystem *system = NULL;
    if (configuration->os.state == FIELD_KNOWN && configuration->image.state == FIELD_ABSENT) {
        system = operating_system_of_parallelcluster(configuration->os.text);
    }
    Diag *diag = image_check_support(rules, configuration->subject, rule_span(&configuration->os), system,
                                     system == NULL ? NULL : system->parallelcluster);
    if (diag == NULL) {
        return;
    }
    diag_note(rules->session, diag, "%s is out of support since %s", system->title, system->ended);
    diag_help(rules->session, diag, "write `Os: alinux2023`");
}

// Without a token, whoever makes a program on a node fetch a page gets the keys of the node's role.
void rule_configuration_imds(const Rules *rules, const PlanConfiguration *configuration) {
    if (field_is(&configuration->imds, "v1.0")) {
        const Span span = rule_span(&configuration->imds);
        Diag *diag =
            plan_report(rules->session, configuration_subject(configuration, span), span, DIAG(configuration_imds));
        diag_help(rules->session, diag, "write `v2.0`, or leave it out");
        rule_fix(rules, diag, &configuration->imds, STR("v2.0"));
    }
}

// ---- nodes that work as one ------------------------------------------------------------------------------------

// A file system that ParallelCluster makes in one subnet; NULL: there is none.
static const PlanFileSystem *new_lustre(const PlanConfiguration *configuration) {
    for (uint32_t i = 0; i < configuration->storages.count; i++) {
        const PlanFileSystem *storage = configuration->storages.items[i];
        if (storage->kind == STORAGE_LUSTRE && storage->is_new) {
            return storage;
        }
    }
    return NULL;
}

// What keeps a queue in one subnet; NULL where nothing does.
static const char *reason_of(const PlanGroup *group, const PlanField **field) {
    const PlanPclusterGroup *own = group->pcluster;
    if (field_is(&group->efa, "true")) {
        *field = &group->efa;
        return "EFA";
    }
    if (own->placed == PLACED_TOGETHER) {
        *field = &own->placement;
        return "a placement group";
    }
    if (own->type.state == FIELD_KNOWN) {
        *field = &own->type;
        return "`InstanceType`";
    }
    const PlanFileSystem *lustre = new_lustre(own->configuration);
    *field = lustre == NULL ? NULL : &lustre->type;
    return lustre == NULL ? NULL : "a new file system for Lustre";
}

// A queue that names a subnet twice is in fewer than it says.
static bool check_subnet_twice(const Rules *rules, const PlanConfigurationQueue *queue) {
    const PlanFields *subnets = &queue->subnets;
    for (uint32_t i = 1; subnets->state == FIELD_KNOWN && i < subnets->count && i < COMPARED_MAX; i++) {
        const PlanField *subnet = &subnets->items[i];
        for (uint32_t k = 0; subnet->state == FIELD_KNOWN && k < i; k++) {
            if (subnets->items[k].state != FIELD_KNOWN || !str_equal(subnet->text, subnets->items[k].text)) {
                continue;
            }
            Diag *diag = plan_report(rules->session, queue->subject, rule_span(subnet), DIAG(configuration_twice),
                                     STR_ARG(subnet->text));
            diag_label(rules->session, diag, rule_span(&subnets->items[k]), "the first one");
            diag_help(rules->session, diag, "name each subnet once");
            rule_remove_item(rules, diag, rule_span(subnet));
            return true;
        }
    }
    return false;
}

static bool check_subnets(const Rules *rules, const PlanGroup *group) {
    const PlanPclusterGroup *own = group->pcluster;
    const PlanFields *subnets = &own->queue->subnets;
    const PlanField *field = NULL;
    const char *reason = reason_of(group, &field);
    if (subnets->state != FIELD_KNOWN || subnets->count < 2 || reason == NULL) {
        return false;
    }
    Diag *diag = plan_report(rules->session, group->subject, subnets->key, DIAG(queue_in_subnets),
                             STR_ARG(own->queue->name.text), subnets->count, reason);
    diag_label(rules->session, diag, rule_span(field), "%s", reason);
    if (field == &own->type) {
        diag_help(rules->session, diag, "write `Instances: [{InstanceType: %.*s}]` in its place, or name one subnet",
                  STR_ARG(field->text));
    } else if (field == &group->efa || field == &own->placement) {
        diag_help(rules->session, diag, "name one subnet");
    } else {
        diag_help(rules->session, diag, "name one subnet, or make the file system apart and write its `FileSystemId`");
    }
    return true;
}

// A Capacity Block has its place, and a queue in several subnets is spread on purpose.
static void check_placement(const Rules *rules, const PlanGroup *group) {
    const PlanPclusterGroup *own = group->pcluster;
    const PlanLaunch *launch = group->launch;
    if (!field_is(&group->efa, "true") || launch->reservation.is_block || own->queue->subnets.count > 1 ||
        own->queue->capacity.state == FIELD_LATE || launch_has_no_efa(launch)) {
        return;
    }
    const int64_t most = group_most(group);
    const PlanType *type = group_type_for_efa(group);
    if (own->placed == PLACED_NOWHERE) {
        Diag *diag = plan_report(rules->session, group->subject, rule_span(&group->efa), DIAG(efa_without_placement),
                                 STR_ARG(own->name.text));
        diag_help(rules->session, diag, "write `Networking: {PlacementGroup: {Enabled: true}}` into it%s",
                  launch->reservation.has_target ? ", or `false` where the reservation has a place" : "");
    } else if (own->placed == PLACED_FREELY && type != NULL && most >= 2 && !launch->reservation.has_target) {
        Diag *diag = rule_placed_freely(rules, group->subject, rule_span(&own->placement), most, type->row,
                                        rule_span(&type->field), type->row->efa_max);
        diag_help(rules->session, diag, "write `Enabled: true`, or say why not: `# dtc-allow: DT1325 …`");
    }
}

void rule_configuration_fabric(const Rules *rules, const PlanConfiguration *configuration) {
    const PlanConfigurationQueue *said = NULL;
    for (uint32_t i = 0; i < configuration->groups.count; i++) {
        const PlanGroup *group = configuration->groups.items[i];
        const PlanConfigurationQueue *queue = group->pcluster->queue;
        if (queue != said && (check_subnet_twice(rules, queue) || check_subnets(rules, group))) {
            said = queue;
        }
        if (queue != said) {
            check_placement(rules, group);
        }
    }
}

// ---- scripts ---------------------------------------------------------------------------------------------------

static const char *moving_because(Str url) {
    return str_starts_with(url, STR("http://")) ? "nothing checks who answers" : moving_url(url);
}

enum { ACTIONS_MAX = 1000 }; // that one is held against

static bool is_said(const PlanConfiguration *configuration, uint32_t index) {
    for (uint32_t i = index < ACTIONS_MAX ? 0 : index - ACTIONS_MAX; i < index; i++) {
        const PlanCustomAction *earlier = &configuration->actions.items[i];
        if (str_equal(earlier->url.text, configuration->actions.items[index].url.text) &&
            !plan_allows(earlier->subject, DIAG_action_moves)) {
            return true;
        }
    }
    return false;
}

// One address is one finding, in however many queues it stands.
static void say_action(const Rules *rules, const PlanConfiguration *configuration, uint32_t index, const char *reason) {
    const PlanCustomAction *action = &configuration->actions.items[index];
    Diag *diag = plan_report(rules->session, action->subject, rule_span(&action->url), DIAG(action_moves), reason);
    for (uint32_t i = index + 1; i < configuration->actions.count && i - index <= ACTIONS_MAX; i++) {
        const PlanCustomAction *other = &configuration->actions.items[i];
        if (str_equal(other->url.text, action->url.text) &&
            rule_span(&other->url).start != rule_span(&action->url).start) {
            diag_label(rules->session, diag, rule_span(&other->url), "the same address");
        }
    }
    diag_help(rules->session, diag, "%s",
              str_starts_with(action->url.text, STR("http://"))
                  ? "write `https://`, or name a copy in your own bucket"
                  : "name a commit or a tag in the address, or a copy in your own bucket");
}

void rule_configuration_actions(const Rules *rules, const PlanConfiguration *configuration) {
    for (uint32_t i = 0; i < configuration->actions.count; i++) {
        const PlanCustomAction *action = &configuration->actions.items[i];
        const char *reason = moving_because(action->url.text);
        if (reason != NULL && (plan_allows(action->subject, DIAG_action_moves) || !is_said(configuration, i))) {
            say_action(rules, configuration, i, reason);
        }
    }
}
