// Rules about groups of nodes: how their type is sold, and where.
#include "compiler/plan/rules.h"

#include "compiler/base/pattern.h"

static int offers(const InstanceRow *row, CapacityKind kind) {
    switch (kind) {
    case CAPACITY_SPOT:
        return row->capacity_spot;
    case CAPACITY_BLOCK:
        return row->capacity_block;
    case CAPACITY_ON_DEMAND:
        return row->capacity_on_demand;
    case CAPACITY_RESERVATION:
    case CAPACITY_RESERVATION_GROUP:
        return UNKNOWN; // no source says which types can be reserved
    }
    return UNKNOWN;
}

// What stands at the end of a chain because nothing else is given is not what the author asked for.
static bool is_asked_for(const PlanNodes *nodes, const PlanCapacity *capacity) {
    return capacity == nodes->capacity || capacity->kind != CAPACITY_ON_DEMAND;
}

static Str ways_of(const Rules *rules, const InstanceRow *row) {
    static const CapacityKind KINDS[] = { CAPACITY_ON_DEMAND, CAPACITY_SPOT, CAPACITY_BLOCK };
    StrBuf text = { .arena = rules->session->arena };
    for (size_t i = 0; i < COUNT_OF(KINDS); i++) {
        if (offers(row, KINDS[i]) == 1) {
            strbuf_add_format(&text, "%s`%s`", text.len == 0 ? "" : ", ", capacity_name(KINDS[i]));
        }
    }
    return strbuf_str(&text);
}

void rule_capacity_offered(const Rules *rules, const PlanNodes *nodes) {
    for (const PlanCapacity *capacity = nodes->capacity; capacity != NULL; capacity = capacity->otherwise) {
        if (offers(nodes->instance, capacity->kind) != 0 || !is_asked_for(nodes, capacity)) {
            continue;
        }
        const Block *block = nodes->head.block;
        const Value *value = read_value(block, NODES_CAPACITY);
        bool is_null = value == NULL && block->null_origins[NODES_CAPACITY] != NULL;
        Span instance = nodes->instance_value->span;
        Span span = value != NULL ? value->span : is_null ? block->attribute_spans[NODES_CAPACITY] : instance;
        Diag *diag = plan_report(rules->session, block, span, DIAG(capacity_not_offered), nodes->instance->name,
                                 capacity_name(capacity->kind));
        Str ways = ways_of(rules, nodes->instance);
        if (value == NULL) {
            diag_primary_label(rules->session, diag, is_null ? "null, and so `on_demand`" : "without `capacity`");
        } else if (ways.len > 0) {
            diag_label(rules->session, diag, instance, "is sold as %.*s", STR_ARG(ways));
        }
        if (value == NULL && ways.len > 0) {
            diag_help(rules->session, diag, "write `capacity`: it is sold as %.*s", STR_ARG(ways));
        }
        diag_note(rules->session, diag, "`dtc explain %s` shows what is known of it", nodes->instance->name);
    }
}

static const RegionRow *region_of(const PlanNodes *nodes, Span *reason) {
    const Value *zone = read_value(nodes->head.block, NODES_ZONE);
    const PlanNetwork *network = nodes->cluster->network;
    if (zone != NULL && zone->kind == VALUE_STRING) {
        *reason = zone->span;
        return schema_zone_region(zone->string);
    }
    if (network != NULL && network->region != NULL) {
        *reason = network->region->span;
        return schema_region(network->region->string);
    }
    if (network != NULL && network->zones != NULL && network->zones->kind == VALUE_LIST) {
        for (uint32_t i = 0; i < network->zones->list.count; i++) {
            if (network->zones->list.items[i]->kind == VALUE_STRING) {
                *reason = network->zones->list.items[i]->span;
                return schema_zone_region(network->zones->list.items[i]->string);
            }
        }
    }
    return NULL;
}

void rule_type_in_region(const Rules *rules, const PlanNodes *nodes) {
    Span reason = SPAN_NONE;
    const RegionRow *region = region_of(nodes, &reason);
    if (region == NULL || schema_offered(nodes->instance, region) != 0) {
        return;
    }
    Diag *diag = plan_report(rules->session, nodes->head.block, nodes->instance_value->span, DIAG(type_not_in_region),
                             region->name, nodes->instance->name);
    diag_label(rules->session, diag, reason, "%s", region->name);
    diag_note(rules->session, diag, "`dtc explain %s` lists the regions that are known to offer it",
              nodes->instance->name);
}

static const PlanJob *multi_node_job(const PlanNodes *nodes) {
    for (uint32_t i = 0; i < nodes->cluster->jobs.count; i++) {
        const PlanJob *job = nodes->cluster->jobs.items[i];
        if (job->group == nodes && job->nodes->integer > 1) {
            return job;
        }
    }
    return NULL;
}

void rule_spot_with_jobs(const Rules *rules, const PlanNodes *nodes) {
    const PlanJob *job = capacity_has(nodes->capacity, CAPACITY_SPOT) ? multi_node_job(nodes) : NULL;
    const Value *value = read_value(nodes->head.block, NODES_CAPACITY);
    if (job != NULL && value != NULL) {
        Diag *diag =
            plan_report(rules->session, nodes->head.block, value->span, DIAG(spot_multi_node), STR_ARG(job->head.id));
        diag_label(rules->session, diag, job->nodes->span, "takes %" PRId64 " nodes", job->nodes->integer);
        diag_help(rules->session, diag, "leave `capacity` out, or give the job a group of its own");
    }
}

void rule_zone_of_subnet(const Rules *rules, const PlanNodes *nodes) {
    const Value *zone = read_value(nodes->head.block, NODES_ZONE);
    const Value *subnet = read_value(nodes->head.block, NODES_SUBNET);
    if (zone != NULL && subnet != NULL) {
        Diag *diag = plan_report(rules->session, nodes->head.block, zone->span, DIAG(zone_and_subnet));
        diag_label(rules->session, diag, subnet->span, "is in a zone already");
        diag_help(rules->session, diag, "remove `zone`");
    }
}

void rule_service_image(const Rules *rules, const PlanNodes *nodes) {
    bool is_used = plan_may_be_null(nodes->ami);
    const Value *os = read_value(nodes->cluster->head.block, CLUSTER_OS);
    if (is_used && os != NULL && nodes->image_row != NULL && nodes->image_row->note != NULL) {
        Diag *diag =
            plan_report(rules->session, nodes->head.block, os->span, DIAG(service_image_old), nodes->image_row->os);
        diag_note(rules->session, diag, "%s", nodes->image_row->note);
        diag_help(rules->session, diag, "write `os = al2023`, or give the group an `ami`");
    }
}

// ---- numbers that EC2 refuses ------------------------------------------------------------------------------------

static void outside(const Rules *rules, const PlanNodes *nodes, const Value *value, int attribute, const char *service,
                    Str least, Str most) {
    Str text = value_print(rules->session->arena, value);
    plan_report(rules->session, nodes->head.block, value->span, DIAG(outside_limits),
                nodes->head.block->kind->attributes[attribute].name, STR_ARG(text), service, STR_ARG(least),
                STR_ARG(most));
}

typedef struct {
    const char *type;
    int64_t least_gib;
    int64_t most_gib;
} VolumeRow;

// EBS User Guide, Amazon EBS volume types, 2026-11.
static const VolumeRow VOLUME_ROWS[] = {
    { "gp3", 1, 65536 },
    { "gp2", 1, 16384 },
    { "io2", 4, 65536 },
};

void rule_disk(const Rules *rules, const PlanNodes *nodes) {
    const int64_t gib = INT64_C(1) << 30;
    for (size_t i = 0; nodes->disk != NULL && i < COUNT_OF(VOLUME_ROWS); i++) {
        const VolumeRow *row = &VOLUME_ROWS[i];
        bool fits = nodes->disk->integer >= row->least_gib * gib && nodes->disk->integer <= row->most_gib * gib;
        if (str_is(nodes->disk_type->string, row->type) && !fits) {
            outside(rules, nodes, nodes->disk, NODES_DISK,
                    str_c(rules->session->arena, str_format(rules->session->arena, "a %s volume", row->type)),
                    str_format(rules->session->arena, "%" PRId64 "GiB", row->least_gib),
                    str_format(rules->session->arena, "%" PRId64 "TiB", row->most_gib / 1024));
        }
    }
}

void rule_imds_hops(const Rules *rules, const PlanNodes *nodes) {
    // EC2 API Reference, LaunchTemplateInstanceMetadataOptions, 2026-11.
    const Value *hops = nodes->imds_hops;
    if (hops->kind == VALUE_INT && (hops->integer < 1 || hops->integer > 64)) {
        outside(rules, nodes, hops, NODES_IMDS_HOPS, "EC2", STR("1"), STR("64"));
    }
}

// IAM API Reference, Tag, 2026-11: the strictest of what takes a group's tags. EC2 takes any character.
#define TAG_PATTERN "^[\\p{L}\\p{Z}\\p{N}_.:/=+\\-@]*$"

static void check_tags(const Rules *rules, const PlanNodes *nodes, const Value *tags) {
    for (uint32_t i = 0; i < tags->map.count; i++) {
        const ValueEntry *entry = &tags->map.entries[i];
        bool is_good_key = pattern_match(rules->session, STR(TAG_PATTERN), entry->key, NULL) == PATTERN_YES;
        bool is_good_value = entry->value->kind != VALUE_STRING ||
                             pattern_match(rules->session, STR(TAG_PATTERN), entry->value->string, NULL) == PATTERN_YES;
        if (!is_good_key || !is_good_value) {
            Diag *diag =
                plan_report(rules->session, nodes->head.block, is_good_key ? entry->value->span : entry->key_span,
                            DIAG(tag_characters), STR_ARG(entry->key));
            diag_help(rules->session, diag, "letters, digits, blanks and `_ . : / = + - @` are fine");
        }
    }
}

void rule_tags_of_role(const Rules *rules, const PlanNodes *nodes) {
    if (nodes->instance_profile == NULL) {
        check_tags(rules, nodes, nodes->cluster->tags);
        check_tags(rules, nodes, nodes->tags);
    }
}

void rule_way_out(const Rules *rules, const PlanNodes *nodes) {
    const PlanNetwork *network = nodes->cluster->network;
    if (network == NULL || network->mode != NETWORK_MADE || network->is_used_module || network->nat != NAT_NONE) {
        return;
    }
    Diag *diag = plan_report(rules->session, nodes->head.block, nodes->head.block->name_span, DIAG(no_way_out),
                             STR_ARG(network->head.id));
    int reason = network->public->boolean ? NETWORK_NAT : NETWORK_PUBLIC;
    diag_label(rules->session, diag, network->head.block->attribute_spans[reason], "so there is none");
}
