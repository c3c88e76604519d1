// Rules about networks: zones and the region they are in.
#include "compiler/plan/rules.h"

// What a region is held against: the network's own, else that of its first zone.
typedef struct {
    const RegionRow *region;
    Span span;
} Wanted;

static void report_zone(const Rules *rules, const PlanNetwork *network, const Value *zone, const RegionRow *region,
                        Wanted wanted) {
    Diag *diag = plan_report(rules->session, network->head.block, zone->span, DIAG(zone_in_other_region),
                             STR_ARG(zone->string), wanted.region->name);
    diag_primary_label(rules->session, diag, "is in %s", region->name);
    diag_label(rules->session, diag, wanted.span, network->region != NULL ? "the network is here" : "is in %s",
               wanted.region->name);
}

static void report_unknown(const Rules *rules, const PlanNetwork *network, const Value *zone) {
    Diag *diag =
        plan_report(rules->session, network->head.block, zone->span, DIAG(unknown_zone), STR_ARG(zone->string));
    Suggestion suggestion = { .name = zone->string.len > 0 ? str_slice(zone->string, 0, zone->string.len - 1)
                                                           : zone->string };
    for (int i = 0; i < REGION_ROW_COUNT; i++) {
        suggest_offer(&suggestion, str_of(REGION_ROWS[i].name));
    }
    if (suggestion.best.len > 0) {
        diag_help(rules->session, diag, "the nearest region is %.*s", STR_ARG(suggestion.best));
    }
    diag_help(rules->session, diag, "if the region is new, say so: `allow DT0316, \"…\"`");
}

static void check_twice(const Rules *rules, const PlanNetwork *network, uint32_t index) {
    const Value *zone = network->zones->list.items[index];
    for (uint32_t i = 0; i < index; i++) {
        const Value *other = network->zones->list.items[i];
        if (other->kind == VALUE_STRING && str_equal(other->string, zone->string) && network->mode == NETWORK_MADE) {
            Diag *diag =
                plan_report(rules->session, network->head.block, zone->span, DIAG(zone_twice), STR_ARG(zone->string));
            diag_label(rules->session, diag, other->span, "first here");
            return;
        }
    }
}

void rule_zones_in_region(const Rules *rules, const PlanNetwork *network) {
    if (network->zones == NULL || network->zones->kind != VALUE_LIST) {
        return;
    }
    Wanted wanted = { .span = SPAN_NONE };
    if (network->region != NULL) {
        wanted = (Wanted){ .region = schema_region(network->region->string), .span = network->region->span };
    }
    const RegionRow *reported = NULL;
    for (uint32_t i = 0; i < network->zones->list.count; i++) {
        const Value *zone = network->zones->list.items[i];
        if (zone->kind != VALUE_STRING) {
            continue;
        }
        check_twice(rules, network, i);
        const RegionRow *region = schema_zone_region(zone->string);
        if (region == NULL) {
            report_unknown(rules, network, zone);
        } else if (wanted.region == NULL) {
            wanted = (Wanted){ .region = region, .span = zone->span };
        } else if (region != wanted.region && region != reported) {
            report_zone(rules, network, zone, region, wanted);
            reported = region; // said once for all zones of it: the mistake may be in `region`
        }
    }
}

void rule_subnets_and_zones(const Rules *rules, const PlanNetwork *network) {
    bool has_both = network->mode == NETWORK_GIVEN && network->zones != NULL && network->zones->kind == VALUE_LIST &&
                    network->private_ids != NULL && network->private_ids->kind == VALUE_LIST;
    if (has_both && network->zones->list.count != network->private_ids->list.count) {
        Diag *diag = plan_report(rules->session, network->head.block, network->zones->span, DIAG(zones_for_subnets),
                                 network->zones->list.count, network->private_ids->list.count);
        diag_label(rules->session, diag, network->private_ids->span, "%" PRIu32 " subnets",
                   network->private_ids->list.count);
        diag_help(rules->session, diag, "write the zone of each subnet, in the same order");
    }
}
