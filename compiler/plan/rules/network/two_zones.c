// A rule about what CloudFormation makes in subnets of several zones, and what is given subnets of one alone.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/template_use.h"

// What stands in two zones at least. `other` is what a property has where that does not hold; NULL: it always does.
// source: Amazon RDS User Guide, Working with a DB instance in a VPC; Elastic Load Balancing, Application Load Balancers, Subnets; FSx for ONTAP and FSx for OpenZFS API Reference, CreateFileSystem, SubnetIds, 2026-11, read 2026-11
typedef struct {
    const char *type;
    const char *key;
    const char *map;   // of the property, where it stands in a map; NULL: it does not
    const char *word;  // the property that says so; NULL: nothing does
    const char *value; // what it begins with
    bool is_absent;    // it says so by being absent, too
    const char *why;
} ZonesRow;

static const ZonesRow ZONES_ROWS[] = {
    { "AWS::RDS::DBSubnetGroup", "SubnetIds", NULL, NULL, NULL, false, "a subnet group of RDS covers two at least" },
    { "AWS::DocDB::DBSubnetGroup", "SubnetIds", NULL, NULL, NULL, false,
      "a subnet group of DocumentDB covers two at least" },
    { "AWS::Neptune::DBSubnetGroup", "SubnetIds", NULL, NULL, NULL, false,
      "a subnet group of Neptune covers two at least" },
    { "AWS::ElasticLoadBalancingV2::LoadBalancer", "Subnets", NULL, "Type", "application", true,
      "an Application Load Balancer stands in two at least" },
    { "AWS::FSx::FileSystem", "SubnetIds", "OpenZFSConfiguration", "DeploymentType", "MULTI_AZ", false,
      "its second server stands in another one" },
    { "AWS::FSx::FileSystem", "SubnetIds", "OntapConfiguration", "DeploymentType", "MULTI_AZ", false,
      "its second server stands in another one" },
    { "AWS::FSx::FileSystem", "SubnetIds", "WindowsConfiguration", "DeploymentType", "MULTI_AZ", false,
      "its second server stands in another one" },
};

static bool is_of_row(const ZonesRow *row, const PlanNamed *named, const Data *properties) {
    if (!str_is(named->type, row->type)) {
        return false;
    }
    const Data *map = row->map == NULL ? properties : data_get(properties, row->map);
    const Data *word = map == NULL || map->kind != DATA_MAP || row->word == NULL ? NULL : data_get(map, row->word);
    return row->word == NULL || (word == NULL && row->is_absent) ||
           (word != NULL && word->kind == DATA_STRING && str_starts_with(word->string, str_of(row->value)));
}

static const Data *zone_of(const PlanNamed *subnet) {
    const bool is_subnet = subnet != NULL && str_is(subnet->type, "AWS::EC2::Subnet");
    const Data *properties = is_subnet ? data_get(subnet->data, "Properties") : NULL;
    return properties == NULL || properties->kind != DATA_MAP ? NULL : data_get(properties, "AvailabilityZone");
}

// The zone of the last one of the subnets, where all have the same; else NULL.
static const Data *one_zone(const PlanTemplate *template, const Data *subnets) {
    const Data *first = NULL;
    const Data *last = NULL;
    const Data *item = NULL;
    for (uint32_t i = 0; (item = data_item(subnets, i)) != NULL; i++) {
        last = zone_of(template_referred(template, item));
        first = i == 0 ? last : first;
        if (last == NULL || !template_is_same_text(first, last)) {
            return NULL;
        }
    }
    return last;
}

static void check_zones(const Rules *rules, const PlanTemplate *template, const PlanNamed *named,
                        const Data *properties) {
    for (size_t i = 0; i < COUNT_OF(ZONES_ROWS); i++) {
        const ZonesRow *row = &ZONES_ROWS[i];
        const DataEntry *subnets = is_of_row(row, named, properties) ? data_entry(properties, row->key) : NULL;
        const bool is_list = subnets != NULL && subnets->value->kind == DATA_LIST;
        const Data *zone = is_list ? one_zone(template, subnets->value) : NULL;
        if (zone == NULL) {
            continue;
        }
        const bool is_single = subnets->value->count == 1;
        Diag *diag = plan_report(rules->session, named->subject, is_single ? subnets->key_span : zone->span,
                                 DIAG(subnets_in_one_zone), STR_ARG(named->name), row->why);
        if (!is_single) {
            diag_label(rules->session, diag, subnets->key_span, "all subnets are in this zone");
        }
        diag_help(rules->session, diag,
                  is_single ? "add a subnet of another zone"
                            : "write another zone here, or add a subnet of another zone");
        return;
    }
}

void rule_template_two_zones(const Rules *rules, const PlanFile *file) {
    const PlanTemplate *template = file->names;
    for (uint32_t i = 0; template != NULL && template_is_readable(template) && i < template->named.count; i++) {
        const PlanNamed *named = template->named.items[i];
        const Data *properties = named->kind == NAMED_RESOURCE ? data_get(named->data, "Properties") : NULL;
        if (properties != NULL && properties->kind == DATA_MAP) {
            check_zones(rules, template, named, properties);
        }
    }
}
