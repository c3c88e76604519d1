// Rules about groups of nodes: where their type is sold, and numbers and texts that the services take.
#include "compiler/plan/rules/rule_field.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/endpoints.h"
#include "compiler/plan/model/maker.h"
#include "compiler/plan/model/region.h"
#include "schema/file_systems.h"

void rule_zone_of_subnet(const Rules *rules, const PlanNodes *nodes) {
    const Value *zone = subject_value(nodes->head.subject, NODES_ZONE);
    const Value *subnet = subject_value(nodes->head.subject, NODES_SUBNET);
    if (zone != NULL && subnet != NULL) {
        Diag *diag = plan_report(rules->session, nodes->head.subject, zone->span, DIAG(zone_and_subnet));
        diag_label(rules->session, diag, subnet->span, "is in a zone already");
        diag_help(rules->session, diag, "remove `zone`");
    }
}

// AWS PCS has no images at all: rule pcs_image.
void rule_image_of_type(const Rules *rules, const PlanNodes *nodes) {
    const bool is_wanted = plan_is_in_stack(nodes) && nodes->maker != MAKER_PCS;
    if (!is_wanted || nodes->ami.row != NULL || !value_may_be_null(nodes->ami.given)) {
        return;
    }
    const InstanceRow *row = nodes->instance;
    const Value *os = nodes->cluster->os;
    const bool is_written = subject_value(nodes->cluster->head.subject, CLUSTER_OS) != NULL;
    const Span instance = nodes->instance_value->span;
    Diag *diag = report(rules->session, is_written ? os->span : instance, DIAG(no_service_image), STR_ARG(os->string),
                        row->name);
    const char *architecture = schema_architecture_name(row->architecture);
    const char *accelerator = row->accelerator_vendor == NULL ? "no accelerator" : row->accelerator_vendor;
    if (is_written) {
        diag_label(rules->session, diag, instance, "%s, %s", architecture, accelerator);
    } else {
        diag_primary_label(rules->session, diag, "%s, %s", architecture, accelerator);
    }
    diag_help(rules->session, diag, "give the group an `ami`");
}

// ---- numbers that EC2 refuses ------------------------------------------------------------------------------------

static void outside(const Rules *rules, const PlanNodes *nodes, const Value *value, int attribute, const char *service,
                    Str least, Str most) {
    Str text = value_print(rules->session->arena, value);
    rule_outside(rules, nodes->head.subject, value->span, part_attribute(nodes->head.part, attribute), text, service,
                 least, most);
}

void rule_disk(const Rules *rules, const PlanNodes *nodes) {
    const int64_t gib = INT64_C(1) << 30;
    const VolumeRow *row = nodes->root.size == NULL ? NULL : volume_row(nodes->root.type->string);
    if (row == NULL ||
        (nodes->root.size->integer >= row->gib_min * gib && nodes->root.size->integer <= row->gib_max * gib)) {
        return;
    }
    Arena *arena = rules->session->arena;
    const Str what = str_format(arena, "%s %s volume", row->type[0] == 'i' ? "an" : "a", row->type);
    outside(rules, nodes, nodes->root.size, NODES_DISK, str_c(arena, what),
            str_format(arena, "%" PRId64 "GiB", row->gib_min),
            str_format(arena, "%" PRId64 "TiB", row->gib_max / 1024));
}

void rule_imds_hop_limit(const Rules *rules, const PlanNodes *nodes) {
    const Value *hops = nodes->imds.hop_limit;
    if (hops->kind == VALUE_INT && (hops->integer < LIMIT_IMDS_HOPS_MIN || hops->integer > LIMIT_IMDS_HOPS_MAX)) {
        Arena *arena = rules->session->arena;
        outside(rules, nodes, hops, NODES_IMDS_HOP_LIMIT, "EC2", str_format(arena, "%d", LIMIT_IMDS_HOPS_MIN),
                str_format(arena, "%d", LIMIT_IMDS_HOPS_MAX));
    }
}

void rule_way_out(const Rules *rules, const PlanNodes *nodes) {
    const PlanNetwork *network = nodes->cluster->network;
    if (network == NULL || network->vpc->private_way != WAY_NONE) {
        return;
    }
    Str words;
    const Str missing = endpoints_missing(rules->session->arena, nodes->cluster, &words);
    if (missing.len == 0) {
        return;
    }
    Diag *diag =
        plan_report_once(rules->session, nodes->head.subject, nodes->head.subject->name_span, DIAG(no_way_out),
                         schema_target_name(nodes->cluster->target), STR_ARG(network->head.id), STR_ARG(missing));
    const int reason = network->made.public->boolean ? NETWORK_NAT : NETWORK_PUBLIC;
    diag_label(rules->session, diag, network->vpc->private_span, "so there is no NAT gateway");
    diag_help(rules->session, diag, "write `endpoints = all`, or `endpoints = [%.*s]`; or leave `%s` out",
              STR_ARG(words), reason == NETWORK_NAT ? "nat" : "public");
}
