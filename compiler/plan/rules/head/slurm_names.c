// Holds the names of Slurm's settings against those that slurmctld takes (schema/slurm.def). It ends at the first name
// that it does not know, and the cluster is not made: ParallelCluster passes the lines on as they are.
#include "compiler/plan/rules/rule_field.h"

#include "compiler/base/suggest.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object_value.h"

typedef struct {
    SlurmPlace place;
    const char *name;
    const char *since; // the release, where it is newer than ParallelCluster's; else empty
} SlurmRow;

static const SlurmRow SLURM_ROWS[] = {
#define SLURM(place, name, since) { place, name, since },
#include "schema/slurm.def"
#undef SLURM
};

static const char NEWEST[] = "ParallelCluster 3.16 has Slurm 25.11";

static const SlurmRow *find(Str key, SlurmPlace place) {
    for (size_t i = 0; i < COUNT_OF(SLURM_ROWS); i++) {
        if (SLURM_ROWS[i].place == place && str_is_in_any_case(key, SLURM_ROWS[i].name)) {
            return &SLURM_ROWS[i];
        }
    }
    return NULL;
}

// The rows of a partition lack the names that a node or the cluster has, too.
static const SlurmRow *find_for(Str key, SlurmPlace place) {
    static const SlurmPlace OTHERS[] = { SLURM_NODE, SLURM_CLUSTER };
    const SlurmRow *row = find(key, place);
    for (size_t i = 0; place == SLURM_PARTITION && i < COUNT_OF(OTHERS); i++) {
        const SlurmRow *other = find(key, OTHERS[i]);
        const bool is_older = other != NULL && (row == NULL || (row->since[0] != '\0' && other->since[0] == '\0'));
        row = is_older ? other : row;
    }
    return row;
}

static const char *place_name(SlurmPlace place) {
    switch (place) {
    case SLURM_CLUSTER:
        return "slurm.conf";
    case SLURM_NODE:
        return "a node";
    case SLURM_PARTITION:
        return "a partition";
    }
    return "";
}

static void suggest(const Rules *rules, Diag *diag, const PlanSetting *setting) {
    const ValueEntry *entry = setting->entry;
    const SlurmPlace place = setting->place;
    const bool is_foreign = setting->cluster == NULL; // it stands in a file of ParallelCluster
    const SlurmPlace other = place == SLURM_CLUSTER ? SLURM_NODE : SLURM_CLUSTER;
    if (place != SLURM_PARTITION && find(entry->key, other) != NULL) {
        diag_help(rules->session, diag, "%s",
                  is_foreign && place == SLURM_CLUSTER ? "it is about nodes: write it into the compute resource"
                  : is_foreign                         ? "it is about the cluster: write it into `SlurmSettings`"
                  : place == SLURM_CLUSTER             ? "it is about nodes: write it into the `settings` of the group"
                                           : "it is about the cluster: write it into `slurm { settings = { … } }`");
        return;
    }
    const SlurmRow *of_partition = find(entry->key, SLURM_PARTITION);
    if (of_partition != NULL && is_foreign) {
        diag_help(rules->session, diag, "it is about a partition: write it into the queue");
        return;
    }
    if (of_partition != NULL) {
        diag_help(
            rules->session, diag,
            "it is about a partition: `patch { \"Scheduling.SlurmQueues[Name=…].CustomSlurmSettings\" = { %s = … } }` "
            "in the cluster",
            of_partition->name);
        return;
    }
    Suggestion suggestion = suggest_for(rules->session, entry->key);
    for (size_t i = 0; i < COUNT_OF(SLURM_ROWS); i++) {
        if (SLURM_ROWS[i].place == place) {
            suggest_offer(&suggestion, str_of(SLURM_ROWS[i].name));
        }
    }
    if (!suggest_say(rules->session, diag, &suggestion, entry->key_span)) {
        diag_help(rules->session, diag, "remove it; slurm.conf(5) lists the names");
    }
}

void rule_setting_name(const Rules *rules, const PlanSetting *setting) {
    const ValueEntry *entry = setting->entry;
    const SlurmRow *row = find_for(entry->key, setting->place);
    if (row != NULL && row->since[0] == '\0') {
        return;
    }
    Diag *diag = plan_report(rules->session, setting->subject, entry->key_span, DIAG(slurm_setting_unknown),
                             STR_ARG(entry->key), place_name(setting->place));
    if (row != NULL) {
        diag_note(rules->session, diag, "Slurm %s is the first that knows it, and %s", row->since, NEWEST);
        diag_help(rules->session, diag, "remove it, or write %.*s where your release has it",
                  STR_ARG(rule_way_to_allow(rules, setting->subject, "DT1328")));
    } else {
        suggest(rules, diag, setting);
    }
}

// ---- AWS PCS ---------------------------------------------------------------------------------------------------------

typedef struct {
    const char *type;
    SlurmPlace place;
    const char *owner; // of such settings
} PcsPlaceRow;

static const PcsPlaceRow PCS_PLACES[] = {
    { "AWS::PCS::Cluster", SLURM_CLUSTER, "the cluster" },
    { "AWS::PCS::ComputeNodeGroup", SLURM_NODE, "the compute node group" },
    { "AWS::PCS::Queue", SLURM_PARTITION, "the queue" },
};

// Where a name that is not of a place belongs; NULL: nowhere.
static const char *owner_of(Str key, SlurmPlace place) {
    for (size_t i = 0; i < COUNT_OF(PCS_PLACES); i++) {
        if (PCS_PLACES[i].place != place && find(key, PCS_PLACES[i].place) != NULL) {
            return PCS_PLACES[i].owner;
        }
    }
    return NULL;
}

static void check_pcs_setting(const Rules *rules, const PlanResource *resource, const PcsPlaceRow *row,
                              const Value *map) {
    const Value *name = object_get(map, "ParameterName");
    const Value *value = object_get(map, "ParameterValue");
    const Str key = object_text(name);
    if (key.len == 0 || value == NULL) {
        return;
    }
    if (find_for(key, row->place) != NULL) {
        const ValueEntry entry = { .key = key, .key_span = name->span, .value = value };
        const PlanSetting setting = { .subject = resource->subject, .place = row->place, .entry = &entry };
        rule_setting_value(rules, &setting);
        return;
    }
    Diag *diag = plan_report(rules->session, resource->subject, name->span, DIAG(slurm_setting_unknown), STR_ARG(key),
                             place_name(row->place));
    const char *owner = owner_of(key, row->place);
    Suggestion suggestion = suggest_for(rules->session, key);
    for (size_t i = 0; i < COUNT_OF(SLURM_ROWS) && owner == NULL; i++) {
        if (SLURM_ROWS[i].place == row->place) {
            suggest_offer(&suggestion, str_of(SLURM_ROWS[i].name));
        }
    }
    if (owner != NULL) {
        diag_help(rules->session, diag, "write it into the settings of %s", owner);
    } else if (!suggest_say(rules->session, diag, &suggestion, name->span)) {
        diag_help(rules->session, diag, "remove it; slurm.conf(5) lists the names");
    }
}

void rule_pcs_settings(const Rules *rules, const PlanResource *resource) {
    for (size_t i = 0; i < COUNT_OF(PCS_PLACES); i++) {
        const bool is_one = str_is(resource->resource->type, PCS_PLACES[i].type);
        const Value *settings = is_one ? resource_property(resource->resource, "SlurmConfiguration") : NULL;
        const Value *list = object_get(settings, "SlurmCustomSettings");
        for (uint32_t k = 0; k < object_count(list); k++) {
            check_pcs_setting(rules, resource, &PCS_PLACES[i], list->list.items[k]);
        }
    }
}
