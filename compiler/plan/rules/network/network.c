// Rules about networks, and about the zones in which eksctl makes one: the region they are in.
#include "compiler/plan/rules/rule_field.h"

#include "compiler/base/suggest.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/declared_group.h"
#include "compiler/plan/model/maker.h"
#include "compiler/plan/rules/rule_word.h"
#include "compiler/plan/rules/pseudo_parameter.h"
#include "compiler/plan/rules/template_use.h"

// The zones of a block, and the region that it says.
typedef struct {
    const Subject *subject;
    const Value *zones;  // NULL: none
    const Value *region; // NULL: the zones decide
    const char *here;    // what stands in the region
    bool is_new;         // each zone gets subnets
} ZoneList;

// What a region is held against: the network's own, else that of its first zone.
typedef struct {
    const RegionRow *region;
    Span span;
} Wanted;

static void report_zone(const Rules *rules, const ZoneList *list, const Value *zone, const RegionRow *region,
                        Wanted wanted) {
    Diag *diag = plan_report(rules->session, list->subject, zone->span, DIAG(zone_in_other_region),
                             STR_ARG(zone->string), wanted.region->name);
    diag_primary_label(rules->session, diag, "is in %s", region->name);
    diag_label(rules->session, diag, wanted.span, list->region != NULL ? list->here : "is in %s", wanted.region->name);
}

// An id in a region whose ids no source names: nobody can say that it is wrong.
static bool may_be_id_in(const RegionRow *region, const Value *zone) {
    return region != NULL && region->zone_id == NULL && str_find(zone->string, STR("-az"), 0) < zone->string.len;
}

static Str without_letter(Str zone) {
    return zone.len > 0 ? str_slice(zone, 0, zone.len - 1) : zone;
}

// Zones of one region that is not known are one mistake.
static bool is_unknown_before(const ZoneList *list, uint32_t index) {
    const Str region = without_letter(list->zones->list.items[index]->string);
    for (uint32_t i = 0; i < index; i++) {
        const Value *other = list->zones->list.items[i];
        if (other->kind == VALUE_STRING && str_equal(without_letter(other->string), region)) {
            return true;
        }
    }
    return false;
}

static void report_unknown(const Rules *rules, const ZoneList *list, const Value *zone) {
    Diag *diag = plan_report(rules->session, list->subject, zone->span, DIAG(unknown_zone), STR_ARG(zone->string));
    Suggestion suggestion = { .name = without_letter(zone->string) };
    for (int i = 0; i < REGION_ROW_COUNT; i++) {
        suggest_offer(&suggestion, str_of(REGION_ROWS[i].name));
    }
    if (suggestion.best.len > 0) {
        diag_help(rules->session, diag, "the nearest region is %.*s", STR_ARG(suggestion.best));
    }
    diag_help(rules->session, diag, "if the region is new, say so: %.*s",
              STR_ARG(rule_way_to_allow(rules, list->subject, "DT0316")));
}

// Zones of one region are named in one way, so that one message lists them.
static void report_unnamed(const Rules *rules, const ZoneList *list, const Value *zone) {
    const RegionRow *region = schema_zone_region(zone->string);
    const bool is_id = str_find(zone->string, STR("-az"), 0) < zone->string.len;
    Diag *diag =
        plan_report(rules->session, list->subject, zone->span, DIAG(zone_unnamed), STR_ARG(zone->string), region->name);
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

static void check_twice(const Rules *rules, const ZoneList *list, uint32_t index) {
    const Value *zone = value_by_default(list->zones->list.items[index]);
    for (uint32_t i = 0; i < index; i++) {
        const Value *other = value_by_default(list->zones->list.items[i]);
        if (other->kind == VALUE_STRING && str_equal(other->string, zone->string) && list->is_new) {
            Diag *diag =
                plan_report(rules->session, list->subject, zone->span, DIAG(zone_twice), STR_ARG(zone->string));
            diag_label(rules->session, diag, other->span, "first here");
            return;
        }
    }
}

static void check_zones(const Rules *rules, const ZoneList *list) {
    if (list->zones == NULL || list->zones->kind != VALUE_LIST) {
        return;
    }
    Wanted wanted = { .span = SPAN_NONE };
    if (list->region != NULL) {
        wanted = (Wanted){ .region = schema_region(list->region->string), .span = list->region->span };
    }
    const RegionRow *reported = NULL;
    for (uint32_t i = 0; i < list->zones->list.count; i++) {
        const Value *zone = value_by_default(list->zones->list.items[i]);
        if (zone->kind != VALUE_STRING) {
            continue;
        }
        check_twice(rules, list, i);
        const RegionRow *region = schema_zone_region(zone->string);
        if (region == NULL) {
            if (!may_be_id_in(wanted.region, zone) && !is_unknown_before(list, i)) {
                report_unknown(rules, list, zone);
            }
        } else if (wanted.region == NULL) {
            wanted = (Wanted){ .region = region, .span = zone->span };
        } else if (region != wanted.region && region != reported) {
            report_zone(rules, list, zone, region, wanted);
            reported = region; // said once for all zones of it: the mistake may be in `region`
        }
        if (region != NULL && region == wanted.region && schema_zone_is_named(zone->string) == 0) {
            report_unnamed(rules, list, zone);
        }
    }
}

// What stands behind the region in the name of a zone: a letter, or the place of a Local Zone and more. That of a Wavelength
// Zone ends with a digit: `-wl1-bos-wlz-1`.
// source: AWS Wavelength Developer Guide, Available Wavelength Zones, 2026-11, read 2026-11-27
static bool is_end_of_zone(Str end) {
    const char letter = str_at(end, end.len - 1);
    const bool is_letter = letter >= 'a' && letter <= 'z';
    return end.len > 0 &&
           (str_has(end, "-wlz-") || (is_letter && (end.len == 1 || (end.data[0] == '-' && end.len > 4))));
}

// `!Sub "${AWS::Region}-a"`, and `!Ref AWS::Region`.
static void check_put_together(const Rules *rules, const Subject *subject, const Value *zone) {
    const Str region = STR("${AWS::Region}");
    const Str written = pseudo_parameter_written(rules->session->arena, zone);
    if (pseudo_parameter_text(rules->session->arena, zone).len > 0 && str_starts_with(written, region) &&
        !is_end_of_zone(str_slice(written, region.len, written.len)) &&
        !use_of_empty_default(rules->plan->names, zone->span)) {
        Diag *diag = plan_report(rules->session, subject, zone->span, DIAG(text_form), STR_ARG(STR("AvailabilityZone")),
                                 "the region and a letter", STR_ARG(written));
        const Str end = str_slice(written, region.len, written.len);
        const bool is_dashed = end.len == 2 && end.data[0] == '-' && is_end_of_zone(str_slice(end, 1, 2));
        const Str letter = is_dashed ? str_slice(end, 1, 2) : STR("a");
        diag_help(rules->session, diag, "write `!Sub \"${AWS::Region}%.*s\"`", STR_ARG(letter));
        if (is_dashed) {
            rule_replace_part(rules, diag, zone->span, str_format(rules->session->arena, "}%.*s", STR_ARG(end)),
                              str_format(rules->session->arena, "}%.*s", STR_ARG(letter)));
        }
    }
}

// Of a template: each zone is held against the first.
void rule_zone_of_resource(const Rules *rules, const PlanResource *resource) {
    const Value *zone = resource_property(resource->resource, "AvailabilityZone");
    const bool is_of_ec2 = str_starts_with(resource->resource->type, STR("AWS::EC2::"));
    if (resource->part != NULL || !is_of_ec2 || zone == NULL) {
        return;
    }
    if (zone->kind != VALUE_STRING) {
        if (pseudo_parameter_is(zone)) {
            check_put_together(rules, resource->subject, zone);
        }
        return;
    }
    const ZoneList list = { .subject = resource->subject };
    const RegionRow *region = schema_zone_region(zone->string);
    const Wanted wanted = { .region = schema_region(resource->region), .span = resource->region_span };
    if (region == NULL) {
        if (!may_be_id_in(wanted.region, zone)) {
            report_unknown(rules, &list, zone);
        }
    } else if (wanted.region != NULL && region != wanted.region) {
        report_zone(rules, &list, zone, region, wanted);
    } else if (schema_zone_is_named(zone->string) == 0) {
        report_unnamed(rules, &list, zone);
    }
}

void rule_zones_in_region(const Rules *rules, const PlanNetwork *network) {
    check_zones(rules, &(ZoneList){
                           .subject = network->head.subject,
                           .zones = network->zones,
                           .region = network->region,
                           .here = "the network is here",
                           .is_new = network->mode == NETWORK_MADE,
                       });
}

static bool has_item(const Value *list, const Value *wanted) {
    for (uint32_t i = 0; i < list->list.count; i++) {
        if (value_equal(list->list.items[i], wanted)) {
            return true;
        }
    }
    return false;
}

void rule_zones_of_eks(const Rules *rules, const PlanCluster *cluster) {
    const Value *zones = cluster->eks->zones;
    if (cluster->network != NULL || zones == NULL) {
        return;
    }
    check_zones(rules, &(ZoneList){
                           .subject = cluster->head.subject,
                           .zones = zones,
                           .region = subject_value(cluster->head.subject, CLUSTER_REGION),
                           .here = "the cluster is here",
                           .is_new = true,
                       });
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        const PlanNodes *nodes = cluster->nodes.items[i];
        if (nodes->subnets.zone != NULL && nodes->subnets.zone->kind == VALUE_STRING &&
            !has_item(zones, nodes->subnets.zone)) {
            Diag *diag = plan_report(
                rules->session, nodes->head.subject, nodes->subnets.zone->span, DIAG(zone_not_in_network),
                STR_ARG(value_print(rules->session->arena, nodes->subnets.zone)), STR_ARG(cluster->head.id));
            diag_label(rules->session, diag, zones->span, "eksctl makes subnets in these");
        }
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

// On AWS Batch and AWS PCS a stack makes a security group if the network has none. A stack of nodes on EKS always makes
// its own, whose members may send to each other.
void rule_vpc_of_nodes(const Rules *rules, const PlanCluster *cluster) {
    const PlanNetwork *network = cluster->network;
    if (network == NULL || network->mode != NETWORK_GIVEN || network->given.vpc != NULL || network->is_used_module) {
        return;
    }
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        const PlanNodes *nodes = cluster->nodes.items[i];
        const bool is_in_own_stack = nodes->maker == MAKER_BATCH || nodes->maker == MAKER_PCS;
        if (is_in_own_stack && nodes->security_group == NULL) {
            Diag *diag = report(rules->session, network->head.subject->name_span, DIAG(no_security_group),
                                STR_ARG(network->head.id));
            diag_help(rules->session, diag, "give it a `security_group` or a `vpc`");
            return;
        }
        if (plan_is_in_node_stack(nodes)) {
            Diag *diag = report(rules->session, network->head.subject->name_span, DIAG(stack_without_vpc),
                                STR_ARG(network->head.id), STR_ARG(nodes->head.id));
            diag_label(rules->session, diag, nodes->head.subject->name_span, "in a stack that makes a security group");
            diag_help(rules->session, diag, "write `vpc = \"vpc-…\"`, the VPC of its subnets");
            return;
        }
    }
}

// ---- names of other stacks ---------------------------------------------------------------------------------------

typedef VEC(const PlanNetwork *) Networks;

typedef struct {
    const Rules *rules;
    const PlanNetwork *wanted;
    Networks seen; // each is followed once
} NameSearch;

// Whether what a value says depends on the name of the wanted network's stack.
static bool leads_to(NameSearch *search, const Value *value) {
    if (value == NULL || value->kind != VALUE_LATE) {
        return false;
    }
    const Late *late = value->late;
    for (uint32_t i = 0; i < late->part_count; i++) {
        if (leads_to(search, late->parts[i])) {
            return true;
        }
    }
    const PlanNetwork *network = late->kind == LATE_OUTPUT ? plan_network(search->rules->plan, late->block) : NULL;
    if (network == search->wanted) {
        return network != NULL;
    }
    for (uint32_t i = 0; i < search->seen.count; i++) {
        if (search->seen.items[i] == network) {
            return false;
        }
    }
    if (network == NULL || network->mode != NETWORK_IMPORTED) {
        return false;
    }
    vec_push(search->rules->session->arena, &search->seen, network);
    return leads_to(search, network->stack);
}

// An output of such a network is imported under a name that begins with its stack's.
void rule_name_of_stack(const Rules *rules, const PlanNetwork *network) {
    NameSearch search = { .rules = rules, .wanted = network };
    if (network->mode == NETWORK_IMPORTED && leads_to(&search, network->stack)) {
        Diag *diag = report(rules->session, network->stack->span, DIAG(value_cycle), STR_ARG(STR("stack")));
        diag_help(rules->session, diag, "write the name of the stack that exports the network's ids");
    }
}

// ---- retention of logs -----------------------------------------------------------------------------------------

static const int RETENTION_DAYS[] = {
#define DAYS(number) number,
#include "schema/retention_days.def"
#undef DAYS
};

enum { MILLISECONDS_OF_DAY = 24 * 60 * 60 * 1000 };

static int nearest_retention(int64_t days) {
    int best = RETENTION_DAYS[0];
    for (size_t i = 1; i < COUNT_OF(RETENTION_DAYS); i++) {
        if (llabs(RETENTION_DAYS[i] - days) < llabs(best - days)) {
            best = RETENTION_DAYS[i];
        }
    }
    return best;
}

// `said` is the time as its author wrote it; `unit` is what stands behind the days in that form.
static void say_retention(const Rules *rules, const Subject *subject, Span span, Str said, int nearest,
                          const char *unit) {
    Diag *diag = plan_report(rules->session, subject, span, DIAG(log_retention), STR_ARG(said), nearest);
    diag_help(rules->session, diag, "write `%d%s`", nearest, unit);
}

void rule_log_retention(const Rules *rules, const PlanNetwork *network) {
    const Value *retention = network->made.flow_logs;
    if (network->mode != NETWORK_MADE || retention == NULL || retention->kind == VALUE_NULL) {
        return;
    }
    const int64_t days = (retention->integer + MILLISECONDS_OF_DAY / 2) / MILLISECONDS_OF_DAY;
    const int nearest = nearest_retention(days);
    if (retention->integer != (int64_t)nearest * MILLISECONDS_OF_DAY) {
        say_retention(rules, network->head.subject, retention->span, value_print(rules->session->arena, retention),
                      nearest, "d");
    }
}

void rule_retention_of_resource(const Rules *rules, const PlanResource *resource) {
    const bool is_group = str_is(resource->resource->type, "AWS::Logs::LogGroup");
    const Value *retention = is_group ? resource_property(resource->resource, "RetentionInDays") : NULL;
    int64_t days = 0;
    if (rule_number(retention, &days) && nearest_retention(days) != days) {
        say_retention(rules, resource->subject, retention->span,
                      str_format(rules->session->arena, "%" PRId64 "d", days), nearest_retention(days), "");
    }
}
