// Rules about a control plane of EKS: the zones that it stands in, and the addresses that it gives to services.
#include "compiler/plan/rules/rule_field.h"

#include "compiler/base/cidr.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/cluster_config.h"
#include "schema/limits.h"

// ---- zones -----------------------------------------------------------------------------------------------------------

static const char *kind_name(ZoneKind kind) {
    return kind == ZONE_LOCAL ? "a Local Zone" : "a Wavelength Zone";
}

// source: EKS User Guide, network requirements. Accounts see the same zone under different letters.
static void check_eks(const Rules *rules, const PlanControlPlane *plane, const PlanField *zone) {
    const int has_eks = schema_zone_has_eks(zone->text);
    if (has_eks == 1) {
        return;
    }
    Session *session = rules->session;
    Diag *diag =
        has_eks == 0
            ? plan_report(session, plane->subject, rule_span(zone), DIAG(zone_without_eks), STR_ARG(zone->text))
            : plan_report(session, plane->subject, rule_span(zone), DIAG(letter_without_eks), STR_ARG(zone->text));
    diag_label(session, diag, plane->name_span, "its control plane has an address in each zone");
    diag_help(session, diag, "take another zone of %s", schema_zone_region(zone->text)->name);
}

// The first zone of another kind than an Availability Zone is the message, if there is one.
void rule_control_plane_zones(const Rules *rules, const PlanControlPlane *plane) {
    const PlanField *outer = NULL;
    for (uint32_t i = 0; i < plane->zones.count && outer == NULL; i++) {
        const PlanField *zone = &plane->zones.items[i];
        outer = zone->state == FIELD_KNOWN && schema_zone_kind(zone->text) >= ZONE_LOCAL ? zone : NULL;
    }
    for (uint32_t i = 0; i < plane->zones.count && outer == NULL; i++) {
        if (plane->zones.items[i].state == FIELD_KNOWN) {
            check_eks(rules, plane, &plane->zones.items[i]);
        }
    }
    if (outer == NULL) {
        return;
    }
    Diag *diag = plan_report(rules->session, plane->subject, rule_span(outer), DIAG(control_plane_zone),
                             STR_ARG(outer->text), kind_name(schema_zone_kind(outer->text)));
    diag_label(rules->session, diag, plane->name_span, "its control plane has an address in each zone");
    diag_help(rules->session, diag, "%s such as `%sa`", plane->zone_help, schema_zone_region(outer->text)->name);
    if (plane->joining.len > 0) {
        diag_help(
            rules->session, diag,
            "nodes in `%.*s` go into a second `cluster` block, with `existing = \"%.*s\"`, and with a network that "
            "names the VPC and a private subnet there",
            STR_ARG(outer->text), STR_ARG(plane->joining));
    }
}

static Diag *report_one(const Rules *rules, const PlanControlPlane *plane, const char *what, Span span) {
    return plan_report(rules->session, plane->subject, span, DIAG(eks_in_one_zone), what, STR_ARG(plane->name),
                       LIMIT_EKSCTL_ZONES_MIN);
}

void rule_control_plane_in_two_zones(const Rules *rules, const PlanControlPlane *plane) {
    if (plane->alike.state == FIELD_KNOWN) {
        Diag *diag = report_one(rules, plane, "zone", rule_span(&plane->alike));
        diag_help(rules->session, diag, "all subnets are in %.*s: add some of another zone",
                  STR_ARG(plane->alike.text));
    }
    for (uint32_t i = 0; i < plane->places.count; i++) {
        const PlanEksPlaces *places = &plane->places.items[i];
        if (places->count != LIMIT_EKSCTL_ZONES_MIN - 1) {
            continue;
        }
        Diag *diag = report_one(rules, plane, places->what, places->span);
        if (plane->maker != VPC_BY_EKSCTL && plane->joining.len > 0) {
            diag_label(rules->session, diag, plane->name_span, "stands in them");
        }
        diag_help(rules->session, diag, "%s", plane->place_help);
    }
}

// ---- services --------------------------------------------------------------------------------------------------------

static const char *service_fault(const Rules *rules, Str text, Cidr *range) {
    if (!cidr_parse(text, range)) {
        return range->prefix > 0 && range->address > 0 ? "its address is not the first of the block" : "it is no block";
    }
    if (range->prefix < LIMIT_EKS_SERVICE_PREFIX_MIN || range->prefix > LIMIT_EKS_SERVICE_PREFIX_MAX) {
        return str_c(rules->session->arena, str_format(rules->session->arena, "/%d to /%d are taken",
                                                       LIMIT_EKS_SERVICE_PREFIX_MIN, LIMIT_EKS_SERVICE_PREFIX_MAX));
    }
    return cidr_is_private(*range) ? NULL : "it is not in 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16";
}

// What is filled in, or refers to something, has other letters.
static bool is_range(Str text) {
    bool is = text.len > 0;
    for (size_t i = 0; i < text.len; i++) {
        is = is && (char_is_digit(text.data[i]) || text.data[i] == '.' || text.data[i] == '/');
    }
    return is;
}

// What gives the VPC its block.
static const char *origin_of(const PlanControlPlane *plane, const PlanVpcBlock *block) {
    switch (plane->maker) {
    case VPC_BY_DTC:
        return "the network's `cidr`";
    case VPC_BY_STACK:
        return "the `CidrBlock` of the VPC";
    case VPC_BY_EKSCTL:
    case VPC_OF_OTHERS:
        break;
    }
    return span_is_none(rule_span(&block->block)) ? "the block that eksctl gives a VPC, or another `vpc.cidr`"
                                                  : "`vpc.cidr`";
}

static Diag *report_services(const Rules *rules, const PlanControlPlane *plane, const PlanField *field,
                             const char *fault) {
    return plan_report(rules->session, plane->subject, rule_span(field), DIAG(service_range), STR_ARG(field->text),
                       fault);
}

static void check_overlap(const Rules *rules, const PlanControlPlane *plane, const PlanField *field, Cidr range) {
    for (uint32_t i = 0; plane->vpc != NULL && i < plane->vpc->blocks.count; i++) {
        const PlanVpcBlock *block = &plane->vpc->blocks.items[i];
        Cidr other;
        if (!cidr_parse(block->block.text, &other) || !cidr_overlaps(range, other)) {
            continue;
        }
        const Str fault =
            str_format(rules->session->arena, "it overlaps `%.*s` of the VPC", STR_ARG(block->block.text));
        Diag *diag = report_services(rules, plane, field, str_c(rules->session->arena, fault));
        if (!span_is_none(rule_span(&block->block))) {
            diag_label(rules->session, diag, rule_span(&block->block), "addresses of the VPC");
        }
        diag_help(rules->session, diag, "write a range outside of %s", origin_of(plane, block));
        return;
    }
}

void rule_control_plane_services(const Rules *rules, const PlanControlPlane *plane) {
    for (uint32_t i = 0; i < plane->services.count; i++) {
        const PlanField *field = &plane->services.items[i];
        if (plane->maker == VPC_BY_STACK && !is_range(field->text)) {
            continue;
        }
        Cidr range = { 0 };
        const char *fault = service_fault(rules, field->text, &range);
        if (fault == NULL) {
            check_overlap(rules, plane, field, range);
            continue;
        }
        Diag *diag = report_services(rules, plane, field, fault);
        diag_help(rules->session, diag, "write a range such as `10.100.0.0/16`");
    }
}
