// Rules about zones: the region they are in, and whether there are such.
#include "compiler/plan/rules/rule_field.h"

#include "compiler/base/suggest.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/placeholder.h"

// What a region is held against: the network's own, else that of its first zone.
typedef struct {
    const RegionRow *region;
    Span span;
} Wanted;

static void report_zone(const Rules *rules, const PlanVpc *vpc, const Value *zone, const RegionRow *region,
                        Wanted wanted) {
    Diag *diag = plan_report(rules->session, vpc->subject, zone->span, DIAG(zone_in_other_region),
                             STR_ARG(zone->string), wanted.region->name);
    diag_primary_label(rules->session, diag, "is in %s", region->name);
    if (vpc->region.len > 0) {
        diag_label(rules->session, diag, wanted.span, "the %s is here", vpc->what);
    } else {
        diag_label(rules->session, diag, wanted.span, "is in %s", wanted.region->name);
    }
}

// An id in a region whose ids no source names: nobody can say that it is wrong.
static bool may_be_id_in(const RegionRow *region, const Value *zone) {
    return region != NULL && region->zone_id == NULL && str_find(zone->string, STR("-az"), 0) < zone->string.len;
}

static Str without_letter(Str zone) {
    return zone.len > 0 ? str_slice(zone, 0, zone.len - 1) : zone;
}

// Zones of one region that is not known are one mistake.
static bool is_unknown_before(const PlanVpc *vpc, uint32_t index) {
    const Str region = without_letter(vpc->zones->list.items[index]->string);
    for (uint32_t i = 0; i < index; i++) {
        const Value *other = vpc->zones->list.items[i];
        if (other->kind == VALUE_STRING && str_equal(without_letter(other->string), region)) {
            return true;
        }
    }
    return false;
}

static void report_unknown(const Rules *rules, const PlanVpc *vpc, const Value *zone) {
    size_t start;
    size_t end;
    if (placeholder_find(zone->string, TEXT_VALUE, 0, &start, &end)) {
        return; // rule file_placeholders says so
    }
    Diag *diag = plan_report(rules->session, vpc->subject, zone->span, DIAG(unknown_zone), STR_ARG(zone->string));
    Suggestion suggestion = { .name = without_letter(zone->string) };
    for (int i = 0; i < REGION_ROW_COUNT; i++) {
        suggest_offer(&suggestion, str_of(REGION_ROWS[i].name));
    }
    if (suggestion.best.len > 0) {
        diag_help(rules->session, diag, "the nearest region is %.*s", STR_ARG(suggestion.best));
    }
    diag_help(rules->session, diag, "if the region is new, say so: %.*s",
              STR_ARG(rule_way_to_allow(rules, vpc->subject, "DT0316")));
}

// Zones of one region are named in one way, so that one message lists them.
static void report_unnamed(const Rules *rules, const PlanVpc *vpc, const Value *zone) {
    const RegionRow *region = schema_zone_region(zone->string);
    const bool is_id = str_find(zone->string, STR("-az"), 0) < zone->string.len;
    Diag *diag =
        plan_report(rules->session, vpc->subject, zone->span, DIAG(zone_unnamed), STR_ARG(zone->string), region->name);
    StrBuf names = { .arena = rules->session->arena };
    const char *const all = is_id ? region->zone_ids : region->zones;
    for (const char *at = all; *at != '\0'; at++) {
        if (*at != ' ') {
            strbuf_add_format(&names, "%s%s%s%c", at == all ? "" : ", ", is_id ? region->zone_id : region->name,
                              is_id ? "-az" : "", *at);
        }
    }
    diag_help(rules->session, diag, "sources name %.*s", STR_ARG(strbuf_str(&names)));
}

static void check_twice(const Rules *rules, const PlanVpc *vpc, uint32_t index) {
    const Value *zone = value_by_default(vpc->zones->list.items[index]);
    for (uint32_t i = 0; i < index; i++) {
        const Value *other = value_by_default(vpc->zones->list.items[i]);
        if (other->kind == VALUE_STRING && str_equal(other->string, zone->string) && vpc->has_subnets) {
            Diag *diag = plan_report(rules->session, vpc->subject, zone->span, DIAG(zone_twice), STR_ARG(zone->string));
            diag_label(rules->session, diag, other->span, "first here");
            return;
        }
    }
}

void rule_vpc_zones(const Rules *rules, const PlanVpc *vpc) {
    if (vpc->zones == NULL || vpc->zones->kind != VALUE_LIST) {
        return;
    }
    Wanted wanted = { .span = SPAN_NONE };
    if (vpc->region.len > 0) {
        wanted = (Wanted){ .region = schema_region(vpc->region), .span = vpc->region_span };
    }
    const RegionRow *reported = NULL;
    for (uint32_t i = 0; i < vpc->zones->list.count; i++) {
        const Value *zone = value_by_default(vpc->zones->list.items[i]);
        if (zone->kind != VALUE_STRING) {
            continue;
        }
        check_twice(rules, vpc, i);
        const RegionRow *region = schema_zone_region(zone->string);
        if (region == NULL) {
            if (!may_be_id_in(wanted.region, zone) && !is_unknown_before(vpc, i)) {
                report_unknown(rules, vpc, zone);
            }
        } else if (wanted.region == NULL) {
            wanted = (Wanted){ .region = region, .span = zone->span };
        } else if (region != wanted.region && region != reported) {
            report_zone(rules, vpc, zone, region, wanted);
            reported = region; // said once for all zones of it: the mistake may be in `region`
        }
        if (region != NULL && region == wanted.region && schema_zone_is_named(zone->string) == 0) {
            report_unnamed(rules, vpc, zone);
        }
    }
}

// Of a template: each zone is held against the first.
void rule_zone_of_resource(const Rules *rules, const PlanResource *resource) {
    const Value *zone = resource_property(resource->resource, "AvailabilityZone");
    const bool is_of_ec2 = str_starts_with(resource->resource->type, STR("AWS::EC2::"));
    if (resource->part != NULL || !is_of_ec2 || zone == NULL || zone->kind != VALUE_STRING) {
        return;
    }
    const PlanVpc vpc = { .subject = resource->subject };
    const RegionRow *region = schema_zone_region(zone->string);
    const Wanted wanted = { .region = schema_region(resource->region), .span = resource->region_span };
    if (region == NULL) {
        const bool is_region = schema_region(zone->string) != NULL; // rule zone_forms says so
        if (!is_region && !may_be_id_in(wanted.region, zone)) {
            report_unknown(rules, &vpc, zone);
        }
    } else if (wanted.region != NULL && region != wanted.region) {
        report_zone(rules, &vpc, zone, region, wanted);
    } else if (schema_zone_is_named(zone->string) == 0) {
        report_unnamed(rules, &vpc, zone);
    }
}

void rule_subnets_and_zones(const Rules *rules, const PlanNetwork *network) {
    bool has_both = network->mode == NETWORK_GIVEN && network->zones != NULL && network->zones->kind == VALUE_LIST &&
                    network->given.private != NULL && network->given.private->kind == VALUE_LIST;
    if (has_both && network->zones->list.count != network->given.private->list.count) {
        Diag *diag = plan_report(rules->session, network->head.subject, network->zones->span, DIAG(zones_for_subnets),
                                 network->zones->list.count, network->given.private->list.count);
        diag_label(rules->session, diag, network->given.private->span, "%" PRIu32 " subnets",
                   network->given.private->list.count);
        diag_help(rules->session, diag, "write the zone of each subnet, in the same order");
    }
}
