// Rules of AWS PCS: the version of Slurm, the size of the controller, its zone and its region, images of nodes.
#include "compiler/plan/rules/rule_field.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/pcs.h"
#include "compiler/plan/model/region.h"
#include "schema/names.h"

// ---- the version of Slurm ----------------------------------------------------------------------------------------

static Str known_versions(const Rules *rules) {
    const NameList versions = names_of(NAMES_PCS_SLURM_VERSIONS);
    StrBuf text = { .arena = rules->session->arena };
    for (size_t i = 0; i < versions.count; i++) {
        strbuf_add_format(&text, "%s%s", i == 0 ? "" : ", ", versions.items[i]);
    }
    return strbuf_str(&text);
}

void rule_pcs_version(const Rules *rules, const PlanCluster *cluster) {
    const NameList versions = names_of(NAMES_PCS_SLURM_VERSIONS);
    if (cluster->pcs->version == NULL) {
        Diag *diag = report(rules->session, cluster->head.subject->name_span, DIAG(slurm_version_missing),
                            STR_ARG(cluster->head.id));
        diag_help(rules->session, diag, "write `slurm { version = \"%s\" }` in it, the version of its images",
                  versions.items[versions.count - 1]);
    }
}

// One that is older than all that sources name has reached its end. Of a newer one nothing is known.
void rule_controller_version_ended(const Rules *rules, const PlanPcsController *controller) {
    const NameList versions = names_of(NAMES_PCS_SLURM_VERSIONS);
    const PlanField *version = &controller->version;
    if (version->state != FIELD_KNOWN || str_compare(version->text, str_of(versions.items[0])) >= 0) {
        return;
    }
    Diag *diag = plan_report(rules->session, controller->subject, rule_span(version), DIAG(slurm_version_ended),
                             STR_ARG(version->text));
    rule_label_use(rules, diag, version);
    diag_help(rules->session, diag, "take a newer one: %.*s", STR_ARG(known_versions(rules)));
}

// One between those that sources name would be named too. Slurm has had two versions a year since 24.05, in May and in
// November.
void rule_controller_version_known(const Rules *rules, const PlanPcsController *controller) {
    const NameList versions = names_of(NAMES_PCS_SLURM_VERSIONS);
    const PlanField *version = &controller->version;
    if (version->state != FIELD_KNOWN || str_compare(version->text, str_of(versions.items[0])) < 0 ||
        str_compare(version->text, str_of(versions.items[versions.count - 1])) > 0 ||
        names_have(NAMES_PCS_SLURM_VERSIONS, version->text)) {
        return;
    }
    Diag *diag = plan_report(rules->session, controller->subject, rule_span(version), DIAG(slurm_version_unknown),
                             STR_ARG(version->text));
    rule_label_use(rules, diag, version);
    diag_help(rules->session, diag, "it makes clusters with %.*s", STR_ARG(known_versions(rules)));
}

// ---- the controller ----------------------------------------------------------------------------------------------

static void help_with_size(const Rules *rules, Diag *diag, const PlanPcsController *controller, int64_t nodes) {
    const PcsSizeRow *least = plan_pcs_size(plan_pcs_least_size(nodes));
    if (nodes > plan_pcs_size(PCS_LARGE)->nodes_max) {
        diag_help(rules->session, diag, "let groups have fewer nodes, or make a cluster for some of the groups");
    } else if (controller->form == FORM_DECLARED) {
        diag_help(rules->session, diag, "write `size = %s`, or leave it out", least->word);
    } else {
        diag_help(rules->session, diag, "write `%s` before the cluster is made: another size is another cluster",
                  least->name);
    }
}

// What the author wrote of the size, or of the last group, which is one too many.
void rule_controller_size(const Rules *rules, const PlanPcsController *controller) {
    const PcsSizeRow *row = plan_pcs_size(controller->manages);
    const int64_t nodes = plan_pcs_nodes(controller);
    const bool is_written = field_is_there(&controller->size);
    if (!controller->knows_size || nodes <= row->nodes_max) {
        return;
    }
    const PlanField *place =
        is_written ? &controller->size : &controller->groups.items[controller->groups.count - 1].most;
    Diag *diag = plan_report(rules->session, controller->subject, rule_span(place), DIAG(pcs_too_many_nodes),
                             STR_ARG(controller->name), nodes,
                             controller->form == FORM_DECLARED ? row->word : row->name, row->nodes_max);
    rule_label_use(rules, diag, place);
    for (uint32_t i = 0; i < controller->groups.count && (is_written || i + 1 < controller->groups.count); i++) {
        const PlanField *most = &controller->groups.items[i].most;
        if (most->state == FIELD_KNOWN) {
            diag_label(rules->session, diag, rule_span(most), "up to %.*s", STR_ARG(most->text));
        }
    }
    help_with_size(rules, diag, controller, nodes);
}

// A cluster takes as many groups, and as many queues: dtc writes one for each group.
void rule_controller_groups(const Rules *rules, const PlanPcsController *controller) {
    if (controller->groups.count > LIMIT_PCS_GROUPS_MAX) {
        Diag *diag = plan_report(rules->session, controller->subject,
                                 controller->groups.items[LIMIT_PCS_GROUPS_MAX].span, DIAG(pcs_too_many_groups),
                                 STR_ARG(controller->name), controller->groups.count, LIMIT_PCS_GROUPS_MAX);
        diag_help(rules->session, diag, "join groups that differ in little, or make a cluster for some of them");
    }
}

void rule_pcs_clusters(const Rules *rules, const PlanCluster *cluster) {
    int before = 0;
    for (uint32_t i = 0; i < rules->plan->clusters.count && rules->plan->clusters.items[i] != cluster; i++) {
        const PlanCluster *other = rules->plan->clusters.items[i];
        before += other->pcs != NULL && str_equal(other->region, cluster->region);
    }
    if (cluster->region.len > 0 && before == LIMIT_PCS_CLUSTERS_USUAL) {
        Diag *diag = plan_report(rules->session, cluster->head.subject, cluster->head.subject->name_span,
                                 DIAG(pcs_many_clusters), STR_ARG(cluster->head.id), before + 1,
                                 STR_ARG(cluster->region), LIMIT_PCS_CLUSTERS_USUAL);
        diag_help(rules->session, diag, "make groups of some clusters, or ask for a higher quota first");
    }
}

// The zone of the subnet is that of the first group.
void rule_pcs_zone(const Rules *rules, const PlanCluster *cluster) {
    const PlanNetwork *network = cluster->network;
    if (network == NULL || cluster->nodes.count == 0) {
        return;
    }
    const PlanNodes *first = cluster->nodes.items[0];
    const Value *zones = network->zones;
    const bool has_one = zones != NULL && zones->kind == VALUE_LIST && zones->list.count > 0;
    const Value *zone = first->subnets.zone != NULL ? first->subnets.zone : has_one ? zones->list.items[0] : NULL;
    const bool picks = subject_value(first->head.subject, NODES_SUBNET) != NULL;
    if (zone == NULL || picks || !plan_is_outer_zone(zone)) {
        return;
    }
    Diag *diag = plan_report(rules->session, cluster->head.subject, zone->span, DIAG(pcs_controller_zone),
                             STR_ARG(zone->string), STR_ARG(cluster->head.id));
    diag_label(rules->session, diag, first->head.subject->name_span, "the first group, in whose subnet it is");
    diag_help(rules->session, diag, "write a group in a zone such as `%sa` first",
              schema_zone_region(zone->string)->name);
}

void rule_pcs_scaledown(const Rules *rules, const PlanCluster *cluster) {
    const int64_t most = INT64_C(1000) * LIMIT_PCS_IDLE_SECONDS_MAX;
    const Value *idle = cluster->pcs->scaledown_idletime;
    if (idle != NULL && (idle->integer < LIMIT_PCS_IDLE_SECONDS_MIN * 1000 || idle->integer > most)) {
        rule_outside(rules, cluster->head.subject, idle->span, "scaledown_idletime",
                     value_print(rules->session->arena, idle), "AWS PCS", STR("1s"), STR("10000000s"));
    }
}

// ---- numbers of nodes --------------------------------------------------------------------------------------------

void rule_pcs_is_fixed_or_dynamic(const Rules *rules, const PlanNodes *nodes) {
    const Value *low = nodes->count.low;
    const Value *high = nodes->count.high;
    if (low->kind != VALUE_INT || high->kind != VALUE_INT || low->integer == 0 || low->integer == high->integer) {
        return;
    }
    const Subject *subject = nodes->head.subject;
    Diag *diag = plan_report(rules->session, subject, subject_value(subject, NODES_COUNT)->span, DIAG(pcs_mixed_group),
                             STR_ARG(nodes->head.id), low->integer, high->integer);
    diag_help(rules->session, diag,
              "write `count = 0..%" PRId64 "`, or a group of its own for the %" PRId64 " that stay", high->integer,
              low->integer);
}

// ---- images ------------------------------------------------------------------------------------------------------

void rule_pcs_image(const Rules *rules, const PlanNodes *nodes) {
    if (!value_may_be_null(nodes->ami.given)) {
        return;
    }
    const bool is_late = nodes->ami.given != NULL && nodes->ami.given->kind == VALUE_LATE;
    Diag *diag = report(rules->session, is_late ? nodes->ami.given->span : nodes->head.subject->name_span,
                        DIAG(pcs_without_image), STR_ARG(nodes->head.id));
    diag_help(rules->session, diag, "%s",
              is_late ? "give the param a type without `?`"
                      : "write `ami = \"ami-…\"` or `ami = ssm(\"/…\")` in the cluster or the group");
}
