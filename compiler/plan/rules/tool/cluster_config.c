// Rules about a ClusterConfig of eksctl: keys, the version of Kubernetes, and where nodes with EFA stand. What a declared
// cluster on EKS has as well is said in the same words.
#include "compiler/plan/rules/bottlerocket.h"
#include "compiler/plan/rules/rule_field.h"
#include "compiler/plan/rules/rule_insert.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/cluster_config.h"
#include "compiler/plan/model/names.h"
#include "compiler/plan/rules/image_fit.h"
#include "compiler/plan/rules/kubernetes_version.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/rules/tool_keys.h"
#include "compiler/script/shell_text.h"
#include "schema/instances.h"
#include "schema/limits.h"
#include "schema/names.h"
#include "schema/operating_systems.h"

void rule_cluster_config_keys(const Rules *rules, const PlanClusterConfig *config) {
    const KeysCheck check = { .rules = rules, .tool = PATCH_EKSCTL, .configuration = &config->file };
    keys_check(&check, STR("ClusterConfig"), (KeyTakes){ .type = STR("ClusterConfig") }, config->file.document);
}

// ---- the version -----------------------------------------------------------------------------------------------

void rule_cluster_config_version(const Rules *rules, const PlanClusterConfig *config) {
    const PlanField *version = &config->version;
    if (version->state == FIELD_KNOWN) { // else a word of eksctl, or nobody knows
        kubernetes_check_version(rules, config->file.subject, rule_span(version), version->text);
    }
}

// ---- images ----------------------------------------------------------------------------------------------------

typedef struct {
    const char *family;
    const char *os;
} FamilyRow;

static const FamilyRow FAMILIES[] = {
    { "AmazonLinux2", "al2" },
    { "Ubuntu2004", "ubuntu2004" },
    { "Ubuntu2204", "ubuntu2204" },
    { "Ubuntu2404", "ubuntu2404" },
};

static const SystemRow *system_of(const PlanField *family) {
    for (size_t i = 0; i < COUNT_OF(FAMILIES); i++) {
        if (field_is(family, FAMILIES[i].family)) {
            return schema_system(str_of(FAMILIES[i].os));
        }
    }
    return NULL;
}

static int minor_of(const PlanClusterConfig *config) {
    return config->version.state == FIELD_KNOWN ? plan_kubernetes_minor(config->version.text) : 0;
}

// Also beside an image of the group's own, which `amiFamily` describes.
static void check_support(const Rules *rules, const PlanGroup *group) {
    const PlanField *family = &group->eksctl->family;
    const OperatingSystem *system = field_is(family, "AmazonLinux2") ? operating_system(STR("al2")) : NULL;
    Diag *diag = image_check_support(rules, group->subject, rule_span(family), system, "AmazonLinux2");
    if (diag != NULL) {
        diag_note(rules->session, diag, "%s is out of support since %s, and EKS has made no images of it since %s",
                  system->title, system->ended, system->eks_images_ended);
        diag_help(rules->session, diag, "write `amiFamily: AmazonLinux2023`");
    }
}

void rule_eksctl_images(const Rules *rules, const PlanGroup *group) {
    const PlanEksctlGroup *own = group->eksctl;
    if (own == NULL) {
        return;
    }
    const int minor = minor_of(own->config);
    const SystemRow *row = minor > 0 && own->image.state == FIELD_ABSENT ? system_of(&own->family) : NULL;
    const bool is_late = row != NULL && row->last != UNKNOWN && minor > row->last;
    const bool is_early = row != NULL && row->first != UNKNOWN && minor < row->first;
    if (!is_late && !is_early) {
        check_support(rules, group);
        return;
    }
    const PlanField *version = &own->config->version;
    Diag *diag = plan_report(rules->session, group->subject, rule_span(&own->family), DIAG(version_without_image),
                             STR_ARG(own->family.text), STR_ARG(version->text));
    diag_label(rules->session, diag, rule_span(version), "1.%d is the %s with images", is_late ? row->last : row->first,
               is_late ? "last" : "first");
    diag_help(rules->session, diag, "write `amiFamily: AmazonLinux2023`");
}

// Of several types eksctl may go by another one.
void rule_eksctl_known_types(const Rules *rules, const PlanGroup *group) {
    const PlanType *type = group->types.count == 1 && !group->launch->has_other_types ? &group->types.items[0] : NULL;
    if (group->eksctl == NULL || group->eksctl->image.state != FIELD_ABSENT || type == NULL ||
        !names_have(NAMES_TYPES_UNKNOWN_TO_EKSCTL, str_of(type->row->name))) {
        return;
    }
    Diag *diag = plan_report(rules->session, group->subject, rule_span(&type->field), DIAG(type_unknown_to_eksctl),
                             type->row->name);
    diag_help(rules->session, diag,
              "name an image in `ami`, or make the group in a stack of your own, with an image that you pick");
}

// ---- commands before a node joins --------------------------------------------------------------------------------

static Diag *refuse(const Rules *rules, const PlanGroup *group, Span span, const char *key, const char *why) {
    Diag *diag = plan_report(rules->session, group->subject, span, DIAG(bootstrap_refused), "eksctl", key, why);
    const Span family = rule_span(&group->eksctl->family);
    const bool is_default = span_is_none(family);
    diag_label(rules->session, diag, is_default ? group->eksctl->name.span : family, "%s",
               is_default ? "without `amiFamily` it has Amazon Linux 2023" : "the image");
    return diag;
}

// Another image reads no NodeConfig, wherever it stands.
static void refuse_node_config(const Rules *rules, const PlanGroup *group) {
    const PlanEksctlGroup *own = group->eksctl;
    const Span family = rule_span(&own->family);
    Diag *diag = plan_report(rules->session, group->subject, family, DIAG(bootstrap_refused), "eksctl",
                             "overrideBootstrapCommand", "it is a NodeConfig, which Amazon Linux 2023 alone reads");
    diag_label(rules->session, diag, own->override.key, "the NodeConfig");
    diag_help(rules->session, diag, "write `amiFamily: AmazonLinux2023`, or leave `amiFamily` out");
}

static void check_override(const Rules *rules, const PlanGroup *group) {
    const PlanEksctlGroup *own = group->eksctl;
    static const char key[] = "overrideBootstrapCommand";
    const Str text = str_trim(own->override.text);
    const Span span = own->override.key;
    const bool is_known = own->override.state == FIELD_KNOWN;
    const bool is_al2023 = field_is(&own->family, "AmazonLinux2023");
    const bool is_gone = str_has(text, "/etc/eks/bootstrap.sh") &&
                         shell_runs(rules->session->arena, text, STR("/etc/eks/bootstrap.sh")) < text.len;
    if (is_known && is_al2023 && str_starts_with(text, STR("#!")) && !is_gone) { // else rule launch_bootstrap says so
        Diag *diag = refuse(rules, group, span, key, "on Amazon Linux 2023 it is a NodeConfig");
        diag_help(rules->session, diag, "move the script to `preBootstrapCommands`");
    } else if (is_known && is_al2023 && str_starts_with(text, STR("MIME-Version:"))) {
        Diag *diag = refuse(rules, group, span, key, "it is a NodeConfig alone, which eksctl puts into MIME parts");
        diag_help(rules->session, diag, "leave the NodeConfig, and move scripts to `preBootstrapCommands`");
    } else if (is_known && group->is_managed && system_of(&own->family) != NULL && !own->has_template &&
               own->image.state == FIELD_ABSENT) {
        if (!is_al2023 && str_has(text, "kind: NodeConfig") && !span_is_none(rule_span(&own->family))) {
            refuse_node_config(rules, group);
            return;
        }
        Diag *diag = refuse(rules, group, span, key, "EKS joins the nodes of its own images itself");
        diag_help(rules->session, diag, "move it to `preBootstrapCommands`, or name an image of your own as `ami`");
    }
}

void rule_eksctl_bootstrap(const Rules *rules, const PlanGroup *group) {
    static const char NO_SCRIPTS[] = "Bottlerocket runs no scripts";
    const PlanEksctlGroup *own = group->eksctl;
    if (own == NULL || !field_is(&own->family, "Bottlerocket")) {
        if (own != NULL) {
            check_override(rules, group);
        }
        return;
    }
    const bool has_override = own->override.state != FIELD_ABSENT;
    const Span key = has_override ? own->override.key : own->commands;
    if (has_override || !span_is_none(own->commands)) {
        const char *name = has_override ? "overrideBootstrapCommand" : "preBootstrapCommands";
        Diag *diag = refuse(rules, group, key, name, NO_SCRIPTS);
        diag_help(rules->session, diag, "write `bottlerocket: {settings: …}`");
    }
}

// ---- settings of Bottlerocket ------------------------------------------------------------------------------------

static BottlerocketForm form_of(const Value *value) {
    return value->kind == VALUE_STRING && !value->is_real ? BOTTLEROCKET_TEXT
           : value->kind == VALUE_INT                     ? BOTTLEROCKET_NUMBER
           : value->kind == VALUE_BOOL                    ? BOTTLEROCKET_BOOL
                                                          : BOTTLEROCKET_OTHER;
}

static void check_settings(const Rules *rules, const Subject *subject, const char *path, const Value *map) {
    Arena *arena = rules->session->arena;
    for (uint32_t i = 0; map != NULL && map->kind == VALUE_MAP && i < map->map.count; i++) {
        const ValueEntry *entry = &map->map.entries[i];
        const BottlerocketSetting setting = { .path = str_of(path),
                                              .key = entry->key,
                                              .key_span = entry->key_span,
                                              .form = form_of(entry->value),
                                              .span = entry->value->span,
                                              .written = object_text(entry->value) };
        bottlerocket_check(rules, subject, &setting);
        const Str below = str_format(arena, "%s.%.*s", path, STR_ARG(entry->key));
        if (entry->value->kind == VALUE_MAP && bottlerocket_knows(below)) {
            check_settings(rules, subject, str_c(arena, below), entry->value);
        }
    }
}

// source: eksctl-io/eksctl@99984adb pkg/nodebootstrap/bottlerocket.go, which writes them under `settings`, read 2026-11
void rule_cluster_config_settings(const Rules *rules, const PlanClusterConfig *config) {
    static const char *const LISTS[] = { "managedNodeGroups", "nodeGroups" };
    for (size_t k = 0; k < COUNT_OF(LISTS); k++) {
        const Value *groups = object_get(config->file.document, LISTS[k]);
        for (uint32_t i = 0; i < object_count(groups); i++) {
            const Value *own = object_get(groups->list.items[i], "bottlerocket");
            check_settings(rules, config->file.subject, "settings", object_get(own, "settings"));
        }
    }
}

// ---- places ----------------------------------------------------------------------------------------------------

// Where eksctl looks for a place for the group.
static const PlanClusterConfigPlaces *places_of(const PlanEksctlGroup *own) {
    const PlanClusterConfig *config = own->config;
    if (config->private.state == FIELD_ABSENT && config->public.state == FIELD_ABSENT) {
        return &config->zones;
    }
    return field_is(&own->is_private, "true") ? &config->private : &config->public;
}

static void check_place(const Rules *rules, const PlanGroup *group) {
    const PlanEksctlGroup *own = group->eksctl;
    const PlanClusterConfigPlaces *places = places_of(own);
    const bool is_said = own->zones.state == FIELD_LATE || own->subnets.state == FIELD_LATE || own->zones.count == 1 ||
                         own->subnets.count == 1;
    if (is_said || places->state == FIELD_LATE || places->count == 1 || own->is_private.state == FIELD_LATE) {
        return;
    }
    Session *session = rules->session;
    Diag *diag =
        plan_report(session, group->subject, rule_span(&own->name), DIAG(group_without_zone), STR_ARG(own->name.text),
                    "uses EFA", own->zones.count > 1 ? "names several zones" : "does not say its zone");
    const Span span = own->zones.count > 1 ? own->zones.key : own->subnets.count > 1 ? own->subnets.key : places->span;
    if (!span_is_none(span)) {
        diag_label(session, diag, span, "one of these");
    }
    if (own->zones.count > 1 || own->subnets.count > 1) {
        diag_help(session, diag, "leave one %s", own->zones.count > 1 ? "zone" : "subnet");
    } else {
        diag_help(session, diag, "write `availabilityZones: [ZONE]` into the group, with one zone");
    }
}

void rule_eksctl_places(const Rules *rules, const PlanGroup *group) {
    if (group->eksctl != NULL && group->launch->efa.is_wanted && group_most(group) != 1 &&
        !launch_has_no_efa(group->launch)) {
        check_place(rules, group);
    }
}

// Private clusters have endpoints for what nodes call.
void rule_eksctl_nat(const Rules *rules, const PlanGroup *group) {
    const PlanEksctlGroup *own = group->eksctl;
    if (own == NULL || own->config->is_all_private || own->config->vpc->private_way != WAY_NONE ||
        !field_is(&own->is_private, "true") || own->subnets.state != FIELD_ABSENT) {
        return;
    }
    Diag *diag = plan_report(rules->session, group->subject, rule_span(&own->is_private), DIAG(private_without_way_out),
                             STR_ARG(own->name.text));
    diag_label(rules->session, diag, own->config->vpc->private_span, "no NAT gateway");
    diag_help(rules->session, diag,
              "write `gateway: Single`, or `privateCluster: {enabled: true}` for a cluster without a way out");
}

// ---- pod identities ----------------------------------------------------------------------------------------------

static const char AGENT[] = "eks-pod-identity-agent";

static const ValueEntry *entry_of(const Value *map, const char *key) {
    const Value *value = object_get(map, key);
    for (uint32_t i = 0; value != NULL && i < map->map.count; i++) {
        if (map->map.entries[i].value == value) {
            return &map->map.entries[i];
        }
    }
    return NULL;
}

static const ValueEntry *true_entry_of(const Value *map, const char *key) {
    const ValueEntry *entry = entry_of(map, key);
    return entry != NULL && entry->value->kind == VALUE_BOOL && entry->value->boolean ? entry : NULL;
}

// What asks for identities of pods: a list of them that is not empty, or those that eksctl knows for an add-on. NULL where
// nothing does.
static const ValueEntry *identities_of(const Value *map) {
    const ValueEntry *entry = entry_of(map, "podIdentityAssociations");
    return entry != NULL && object_count(entry->value) > 0 ? entry
                                                           : true_entry_of(map, "useDefaultPodIdentityAssociations");
}

// An add-on whose name is not known may be the agent.
static bool may_have_agent(const Value *addons) {
    bool may = addons != NULL && addons->kind != VALUE_LIST;
    for (uint32_t i = 0; i < object_count(addons); i++) {
        const Str name = object_text(object_get(addons->list.items[i], "name"));
        may = may || name.len == 0 || str_is(name, AGENT);
    }
    return may;
}

// Whether eksctl makes a cluster of the file: it has groups, or says what only a new cluster has. Another file may be one for
// a cluster that is there.
static bool makes_cluster(const PlanClusterConfig *config) {
    const Value *document = config->file.document;
    const Value *vpc = object_get(document, "vpc");
    return config->groups.count > 0 || object_get(document, "availabilityZones") != NULL ||
           object_get(document, "kubernetesNetworkConfig") != NULL || object_get(vpc, "cidr") != NULL ||
           object_get(vpc, "nat") != NULL;
}

// It may be that of the cluster where nobody knows the value.
static bool may_be_auto(const Value *document) {
    const Value *mode = object_get(document, "autoModeConfig");
    const Value *enabled = object_get(mode, "enabled");
    return mode != NULL && (enabled == NULL || enabled->kind != VALUE_BOOL || enabled->boolean);
}

// source: eksctl-io/eksctl@01985725 pkg/ctl/cmdutils/configfile.go, shallCreatePodIdentityAssociations, read 2026-11
void rule_cluster_config_identities(const Rules *rules, const PlanClusterConfig *config) {
    const Value *document = config->file.document;
    const Value *addons = object_get(document, "addons");
    if (!makes_cluster(config) || may_be_auto(document) || may_have_agent(addons)) {
        return;
    }
    const ValueEntry *asked = identities_of(object_get(document, "iam"));
    for (uint32_t i = 0; asked == NULL && i < object_count(addons); i++) {
        asked = identities_of(addons->list.items[i]);
    }
    if (asked == NULL && object_count(addons) > 0) {
        asked = true_entry_of(object_get(document, "addonsConfig"), "autoApplyPodIdentityAssociations");
    }
    if (asked != NULL) {
        Diag *diag = plan_report(rules->session, configuration_subject(&config->file, asked->key_span), asked->key_span,
                                 DIAG(pod_identity_agent), STR_ARG(asked->key));
        diag_help(rules->session, diag, "add `- name: %s` to `addons`", AGENT);
    }
}

// ---- sizes ---------------------------------------------------------------------------------------------------------

void rule_eksctl_sizes(const Rules *rules, const PlanGroup *group) {
    const PlanField *own = group->eksctl == NULL ? NULL : &group->eksctl->desired;
    int64_t fewest = 0;
    int64_t most = 0;
    int64_t desired = 0;
    if (own == NULL || !field_integer(&group->low, &fewest) || !field_integer(&group->most, &most) ||
        !field_integer(own, &desired) || (desired >= fewest && desired <= most)) {
        return;
    }
    Diag *diag = plan_report(rules->session, group->subject, rule_span(own), DIAG(desired_outside), "desiredCapacity",
                             desired, "minSize..maxSize", fewest, most);
    diag_help(rules->session, diag, "leave `desiredCapacity` out for the least, or change the sizes");
    diag_label(rules->session, diag, rule_span(desired < fewest ? &group->low : &group->most), "the %s",
               desired < fewest ? "fewest" : "most");
}
