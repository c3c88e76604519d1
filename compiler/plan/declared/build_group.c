// A declared group as rules ask for it: what they ask of groups that somebody wrote in other words.
#include "compiler/plan/declared/builder.h"

#include "compiler/plan/model/declared_group.h"
#include "compiler/plan/model/maker.h"
#include "compiler/plan/model/network_ids.h"
#include "compiler/plan/model/region.h"

static PlanField count_of(Builder *builder, const Value *end) {
    const bool is_known = end->kind == VALUE_INT;
    PlanField field = { .state = is_known ? FIELD_KNOWN : FIELD_LATE, .name = "count", .span = end->span };
    field.text = is_known ? str_format(builder->arena, "%" PRId64, end->integer) : STR_NONE;
    return field;
}

// Of a number that is 0, where a target takes one, rule group_interfaces speaks.
static PlanAnswer has_efa(const PlanNodes *nodes) {
    const PlanEfaWish *wish = &nodes->launch->efa;
    const Value *efa = subject_value(nodes->head.subject, NODES_EFA);
    const bool is_zero = wish->count == 0 && nodes->cluster->target == TARGET_PARALLELCLUSTER;
    const bool is_none = efa != NULL && efa->kind == VALUE_WORD && str_is(efa->string, "none");
    return is_none || is_zero ? ANSWER_NO : nodes->fabric.efa_count > 0 ? ANSWER_YES : ANSWER_MAYBE;
}

// The image that AWS Batch takes by itself, if the author named the system.
static const PlanBatchGroup *read_batch(Builder *builder, const PlanNodes *nodes) {
    const Value *os = subject_value(nodes->cluster->head.subject, CLUSTER_OS);
    PlanBatchGroup *batch = arena_new(builder->arena, PlanBatchGroup);
    *batch = (PlanBatchGroup){ .template_key = SPAN_NONE };
    if (value_may_be_null(nodes->ami.given) && os != NULL && nodes->ami.row != NULL) {
        const PlanServiceImage image = { .field = field_known("os", os->span, str_of(nodes->ami.row->os)),
                                         .row = nodes->ami.row };
        vec_push(builder->arena, &batch->images, image);
    }
    return batch;
}

// With `efa_layout = min_ip`.
static int64_t least_addresses(const PlanNodes *nodes) {
    Nics least;
    const bool is_less = nics_place(nodes->instance, LAYOUT_MIN_IP, nodes->fabric.efa_count, &least) == NICS_PLACED &&
                         nics_pass(schema_target_name(nodes->cluster->target), &least) &&
                         nics_private_ips(&least) < nics_private_ips(&nodes->fabric.nics);
    return is_less ? nics_private_ips(&least) : 0;
}

// ---- what pods find ----------------------------------------------------------------------------------------------------

static bool is_addon_off(const PlanCluster *cluster, const char *name) {
    for (uint32_t i = 0; i < cluster->eks->addons.count; i++) {
        const PlanAddon *addon = cluster->eks->addons.items[i];
        if (str_is(addon->head.id, name) && addon->off != NULL && addon->off->boolean) {
            return true;
        }
    }
    return false;
}

// Nodes with EFA are in one zone, which has to be said where the network has several.
static Str efa_help(const Builder *builder, const PlanNodes *nodes) {
    const PlanNetwork *network = nodes->cluster->network;
    const Subject *subject = nodes->head.subject;
    const bool is_said = subject_value(subject, NODES_ZONE) != NULL || subject_value(subject, NODES_SUBNET) != NULL;
    const Value *zones = network == NULL ? NULL : network->zones;
    const Value *zone = zones != NULL && zones->kind == VALUE_LIST ? zones->list.items[0] : NULL;
    if (is_said || network == NULL || plan_subnet_count(network) < 2) {
        return str_format(builder->arena, "write `efa = all` into `%.*s`", STR_ARG(nodes->head.id));
    }
    return zone != NULL && zone->kind == VALUE_STRING
               ? str_format(builder->arena,
                            "write `efa = all, zone = \"%.*s\"` into `%.*s`, or another zone of the network",
                            STR_ARG(zone->string), STR_ARG(nodes->head.id))
               : str_format(builder->arena,
                            "write `efa = all` into `%.*s`, and `zone` or `subnet`: nodes with EFA are in one zone",
                            STR_ARG(nodes->head.id));
}

// Images with EFA's software reserve pages of 2 MiB; others none. A plugin that is not dtc's may offer a device several
// times.
static void read_what_pods_find(const Builder *builder, const PlanNodes *nodes, PlanGroup *group) {
    const bool is_plain = nodes->ami.given == NULL && nodes->setup.count == 0;
    group->labels = nodes->eks->labels;
    group->taints = nodes->eks->taints;
    group->keeps = is_plain ? KEEPS_KUBELET : KEEPS_KERNEL;
    group->efa_of_pods = nodes->fabric.efa_count;
    group->efa_help = plan_leaves_efa(nodes) ? efa_help(builder, nodes) : STR_NONE;
    group->has_no_pages = is_plain && nodes->instance->accelerator == ACCELERATOR_NONE && nodes->fabric.efa_count == 0;
    group->has_other_plugins = is_addon_off(nodes->cluster, "nvidia");
}

// ----------------------------------------------------------------------------------------------------------------------

PlanGroup *build_group(Builder *builder, const PlanNodes *nodes) {
    PlanGroup *group = arena_new(builder->arena, PlanGroup);
    *group = group_of_launch(GROUP_DECLARED, nodes->launch);
    const RegionRow *region = plan_region(nodes, &group->region_span);
    group->region = region == NULL ? STR_NONE : str_of(region->name);
    group->name = nodes->head.id;
    group->low = count_of(builder, nodes->count.low);
    group->most = count_of(builder, nodes->count.high);
    group->has_efa = has_efa(nodes);
    group->batch = nodes->batch == NULL ? NULL : read_batch(builder, nodes);
    if (nodes->eks != NULL) {
        group->is_managed = plan_is_managed(nodes);
        group->has_kubelet_labels = true;
        group->has_own_labels = true;
    }
    group->has_limited_lock = nodes->cluster->target == TARGET_EKS && nodes->ami.given == NULL &&
                              str_is(nodes->cluster->os->string, "al2023");
    group->span_of_efa = nodes->head.subject->name_span;
    group->interfaces = nodes->fabric.nics.count;
    group->span_of_interfaces = nodes->instance_value->span;
    group->addresses = nics_private_ips(&nodes->fabric.nics);
    group->least_addresses = least_addresses(nodes);
    return group;
}

// ---- subnets ---------------------------------------------------------------------------------------------------------

static void read_addresses(const PlanNodes *nodes, PlanGroup *group) {
    const PlanNetwork *network = nodes->cluster->network;
    const int64_t zone = plan_zone_of_addresses(nodes);
    const int64_t free = zone == ADDRESSES_UNKNOWN  ? 0
                         : zone == ADDRESSES_OF_ALL ? plan_free_in_all(network)
                                                    : plan_free_in_zone(network, (uint32_t)zone);
    const bool has_cidr = network != NULL && subject_value(network->head.subject, NETWORK_CIDR) != NULL;
    group->subnets.free_addresses = free > 0 ? free : -1;
    group->subnets.key = nodes->count.high->span;
    group->subnets.blocks = has_cidr && free > 0 ? network->made.cidr->span : SPAN_NONE;
}

static bool is_same(const Value *a, const Value *b) {
    if (a->kind == VALUE_LATE && b->kind == VALUE_LATE) {
        return a->late->kind == LATE_PARAM && b->late->kind == LATE_PARAM && a->late->param == b->late->param;
    }
    return a->kind == VALUE_STRING && b->kind == VALUE_STRING && str_equal(a->string, b->string);
}

// Where a network says that the subnet is a public one; NULL where none does.
static const Value *find_public(const Plan *plan, const Value *subnet) {
    bool is_output = subnet->kind == VALUE_LATE && subnet->late->kind == LATE_OUTPUT;
    if (is_output && str_is(subnet->late->name, "public")) {
        return subnet;
    }
    for (uint32_t i = 0; i < plan->networks.count; i++) {
        const Value *ids = plan->networks.items[i]->given.public;
        for (uint32_t k = 0; ids != NULL && ids->kind == VALUE_LIST && k < ids->list.count; k++) {
            if (is_same(ids->list.items[k], subnet)) {
                return ids->list.items[k];
            }
        }
    }
    return NULL;
}

static void read_public(const Plan *plan, const PlanNodes *nodes, PlanGroup *group) {
    const Value *ids = nodes->subnets.ids;
    const bool is_written = subject_value(nodes->head.subject, NODES_SUBNET) != NULL;
    for (uint32_t i = 0; ids != NULL && i < ids->list.count; i++) {
        const Value *subnet = ids->list.items[i];
        const Value *public = find_public(plan, subnet);
        if (public != NULL) {
            group->subnets.public = field_known("subnet", subnet->span, STR_NONE);
            group->subnets.public_span = public == subnet ? SPAN_NONE : public->span;
            group->subnets.private_help = is_written ? "name one of the private subnets, or leave `subnet` out"
                                                     : "`private` is for subnets whose way out is a NAT gateway";
            return;
        }
    }
}

static bool has_item(const Value *list, const Value *wanted) {
    for (uint32_t i = 0; i < list->list.count; i++) {
        if (value_equal(list->list.items[i], wanted)) {
            return true;
        }
    }
    return false;
}

// Of a group in a network build_subnets() has found it. eksctl makes subnets in the zones of any other cluster.
static void read_zone_elsewhere(const Builder *builder, const PlanNodes *nodes, PlanGroup *group) {
    const PlanCluster *cluster = nodes->cluster;
    const Value *zone = nodes->subnets.zone;
    const Value *zones = cluster->eks == NULL || cluster->network != NULL ? NULL : cluster->eks->zones;
    const bool is_asked = nodes->subnets.is_zone_elsewhere ||
                          (zones != NULL && zone != NULL && zone->kind == VALUE_STRING && !has_item(zones, zone));
    if (!is_asked) {
        return;
    }
    PlanNodeSubnets *subnets = &group->subnets;
    const PlanNetwork *network = cluster->network;
    const Value *list = network == NULL ? zones : network->zones;
    vec_push(builder->arena, &subnets->zones_elsewhere,
             field_known("zone", zone->span, value_print(builder->arena, zone)));
    subnets->has_no_place = network != NULL;
    subnets->network = network == NULL ? cluster->head.id : network->head.id;
    subnets->network_zones = list == NULL ? SPAN_NONE : list->span;
    subnets->network_label = network == NULL ? "eksctl makes subnets in these" : "its zones";
    if (list == NULL) {
        const Str help = str_format(builder->arena, "give `zones` to `%.*s`, in the order of its subnets",
                                    STR_ARG(subnets->network));
        subnets->zone_help = str_c(builder->arena, help);
    }
}

static void add_zone(const Builder *builder, const Value *zone, PlanNodeSubnets *subnets) {
    if (zone != NULL && zone->kind == VALUE_STRING) {
        vec_push(builder->arena, &subnets->zones, field_known("zone", zone->span, zone->string));
    } else {
        subnets->has_other_zones = true;
    }
}

// Its own zone, that of its subnet, or those of its network. Of one that is to be in one of several, build_subnets() has said
// that its zone is missing.
static void read_zones(const Builder *builder, const PlanNodes *nodes, PlanGroup *group) {
    const PlanCluster *cluster = nodes->cluster;
    const Value *zones = cluster->network == NULL ? NULL : cluster->network->zones;
    const Value *subnet = subject_value(nodes->head.subject, NODES_SUBNET);
    const bool is_one = zones != NULL && zones->kind == VALUE_LIST && zones->list.count == 1;
    if (nodes->subnets.zone != NULL) {
        add_zone(builder, nodes->subnets.zone, &group->subnets);
    } else if (subnet != NULL || zones == NULL || zones->kind != VALUE_LIST ||
               (!is_one && plan_wants_one_zone(nodes))) {
        add_zone(builder, cluster->network == NULL ? NULL : plan_zone_of_subnet(cluster->network, subnet),
                 &group->subnets);
    } else {
        for (uint32_t i = 0; i < zones->list.count; i++) {
            add_zone(builder, zones->list.items[i], &group->subnets);
        }
    }
    if (cluster->eks != NULL && cluster->eks->existing == NULL) {
        const Str help =
            str_format(builder->arena,
                       "put the group into a second `cluster` block, with `existing = \"%.*s\"`, and with a "
                       "network that names the VPC and a private subnet",
                       STR_ARG(cluster->head.id));
        group->subnets.cluster_of_zone = str_c(builder->arena, help);
    }
}

static void read_subnets(const Builder *builder, const PlanNodes *nodes) {
    PlanGroup *group = nodes->group;
    read_addresses(nodes, group);
    read_public(builder->plan, nodes, group);
    read_zone_elsewhere(builder, nodes, group);
    read_zones(builder, nodes, group);
    for (uint32_t i = 0; group->interfaces < 2 && i < nodes->with_other_types.count; i++) {
        group->interfaces = nodes->with_other_types.items[i]->fabric.nics.count;
    }
}

// ----------------------------------------------------------------------------------------------------------------------

// Jobs say how many nodes belong together. A group without jobs waits for some that are written elsewhere.
void build_groups_end(Builder *builder) {
    for (uint32_t i = 0; i < builder->plan->clusters.count; i++) {
        const PlanCluster *cluster = builder->plan->clusters.items[i];
        for (uint32_t k = 0; k < cluster->jobs.count; k++) {
            const PlanJob *job = cluster->jobs.items[k];
            PlanGroup *group = job->group->group;
            const bool is_together = plan_job_is_multi_node(job) || group->works_together == ANSWER_YES;
            group->works_together = is_together ? ANSWER_YES : ANSWER_NO;
        }
        for (uint32_t k = 0; k < cluster->nodes.count; k++) {
            read_subnets(builder, cluster->nodes.items[k]);
            if (cluster->eks != NULL) {
                read_what_pods_find(builder, cluster->nodes.items[k], cluster->nodes.items[k]->group);
            }
        }
    }
}
