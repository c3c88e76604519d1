// Groups of nodes in CloudFormation's own words: a row says where each type of resource keeps what a group has. A path
// leads through maps: "ScalingConfig.MinSize".
#include "compiler/plan/raw/raw.h"

typedef struct {
    const char *type_name;
    PlanGroupForm form;
    const char *each;   // a list of maps, each of which is a group; NULL: the resource is one
    const char *launch; // the map that names a launch template; from here to `subnets` in the map of `each`
    const char *launch_id;
    const char *launch_name;
    const char *configuration; // what names a launch configuration in its place
    const char *types;         // a list, or one value
    const char *type;          // in each map of the list; NULL: the list is of types
    const char *subnets;
    const char *subnet; // likewise
    const char *groups;
    const char *low;
    const char *most;
    const char *purchase;
    const char *placement;
    const char *image; // a word of the service
    bool counts_vcpus;
} GroupRow;

// CloudFormation Template Reference, read 2026-11.
static const GroupRow ROWS[] = {
    { .type_name = "AWS::Batch::ComputeEnvironment",
      .form = GROUP_BATCH,
      .launch = "ComputeResources.LaunchTemplate",
      .launch_id = "LaunchTemplateId",
      .launch_name = "LaunchTemplateName",
      .types = "ComputeResources.InstanceTypes",
      .subnets = "ComputeResources.Subnets",
      .groups = "ComputeResources.SecurityGroupIds",
      .low = "ComputeResources.MinvCpus",
      .most = "ComputeResources.MaxvCpus",
      .purchase = "ComputeResources.Type",
      .placement = "ComputeResources.PlacementGroup",
      .counts_vcpus = true },
    { .type_name = "AWS::EKS::Nodegroup",
      .form = GROUP_EKS,
      .launch = "LaunchTemplate",
      .launch_id = "Id",
      .launch_name = "Name",
      .types = "InstanceTypes",
      .subnets = "Subnets",
      .low = "ScalingConfig.MinSize",
      .most = "ScalingConfig.MaxSize",
      .purchase = "CapacityType",
      .image = "AmiType" },
    { .type_name = "AWS::PCS::ComputeNodeGroup",
      .form = GROUP_PCS,
      .launch = "CustomLaunchTemplate",
      .launch_id = "TemplateId",
      .types = "InstanceConfigs",
      .type = "InstanceType",
      .subnets = "SubnetIds",
      .low = "ScalingConfiguration.MinInstanceCount",
      .most = "ScalingConfiguration.MaxInstanceCount",
      .purchase = "PurchaseOption",
      .image = "AmiId" },
    { .type_name = "AWS::AutoScaling::AutoScalingGroup",
      .form = GROUP_MIXED,
      .launch = "MixedInstancesPolicy.LaunchTemplate.LaunchTemplateSpecification",
      .launch_id = "LaunchTemplateId",
      .launch_name = "LaunchTemplateName",
      .types = "MixedInstancesPolicy.LaunchTemplate.Overrides",
      .type = "InstanceType",
      .subnets = "VPCZoneIdentifier",
      .low = "MinSize",
      .most = "MaxSize",
      .placement = "PlacementGroup" },
    { .type_name = "AWS::AutoScaling::AutoScalingGroup",
      .form = GROUP_SCALING,
      .launch = "LaunchTemplate",
      .launch_id = "LaunchTemplateId",
      .launch_name = "LaunchTemplateName",
      .configuration = "LaunchConfigurationName",
      .subnets = "VPCZoneIdentifier",
      .low = "MinSize",
      .most = "MaxSize",
      .placement = "PlacementGroup" },
    { .type_name = "AWS::EC2::EC2Fleet",
      .form = GROUP_FLEET,
      .each = "LaunchTemplateConfigs",
      .launch = "LaunchTemplateSpecification",
      .launch_id = "LaunchTemplateId",
      .launch_name = "LaunchTemplateName",
      .types = "Overrides",
      .type = "InstanceType",
      .subnets = "Overrides",
      .subnet = "SubnetId",
      .low = "TargetCapacitySpecification.TotalTargetCapacity",
      .most = "TargetCapacitySpecification.TotalTargetCapacity",
      .purchase = "TargetCapacitySpecification.DefaultTargetCapacityType" },
    { .type_name = "AWS::EC2::SpotFleet",
      .form = GROUP_SPOT_FLEET,
      .each = "SpotFleetRequestConfigData.LaunchTemplateConfigs",
      .launch = "LaunchTemplateSpecification",
      .launch_id = "LaunchTemplateId",
      .launch_name = "LaunchTemplateName",
      .types = "Overrides",
      .type = "InstanceType",
      .subnets = "Overrides",
      .subnet = "SubnetId",
      .low = "SpotFleetRequestConfigData.TargetCapacity",
      .most = "SpotFleetRequestConfigData.TargetCapacity" },
    { .type_name = "AWS::EC2::Instance",
      .form = GROUP_INSTANCE,
      .launch = "LaunchTemplate",
      .launch_id = "LaunchTemplateId",
      .launch_name = "LaunchTemplateName",
      .types = "InstanceType",
      .subnets = "SubnetId",
      .groups = "SecurityGroupIds" },
};

// ---- paths -----------------------------------------------------------------------------------------------------------

// A list of values, or of one value in each map; `is_whole` is false where an item of it says something else.
static PlanFields fields_at(const RawStack *stack, const RawMap *map, const char *path, const char *key,
                            bool *is_whole) {
    const char *name;
    const RawMap in = raw_walk(stack, map, path, &name);
    if (key == NULL) {
        return raw_fields(stack, &in, name);
    }
    PlanFields fields = { .name = name };
    const RawMaps maps = raw_maps(stack, &in, name, &fields.state, &fields.key);
    PlanField *items = arena_new_array(stack->arena, PlanField, maps.count);
    for (uint32_t i = 0; i < maps.count; i++) {
        const PlanField item = raw_field(stack, &maps.items[i], key);
        // An override may have a template of its own, and count as several.
        const bool is_own = raw_presence(&maps.items[i], "LaunchTemplateSpecification").state == FIELD_ABSENT;
        *is_whole = *is_whole && is_own && item.state != FIELD_ABSENT &&
                    raw_presence(&maps.items[i], "WeightedCapacity").state == FIELD_ABSENT;
        if (is_own && item.state != FIELD_ABSENT) {
            items[fields.count++] = item;
        }
    }
    fields.items = items;
    return fields;
}

// ---- what a group says -----------------------------------------------------------------------------------------------

static void add_type(const RawStack *stack, PlanGroup *group, const PlanField *field) {
    const InstanceRow *row = raw_type(stack, field);
    bool is_there = row == NULL;
    group->has_other_types = group->has_other_types || row == NULL;
    for (uint32_t i = 0; i < group->types.count; i++) {
        is_there = is_there || group->types.items[i].row == row;
    }
    if (!is_there) {
        vec_push(stack->arena, &group->types, ((PlanType){ .row = row, .field = *field }));
    }
}

// Types stand in the group, or else in its launch template. Whether it counts in nodes.
static bool read_types(const RawStack *stack, const RawMap *map, const GroupRow *row, const RawTemplate *template,
                       PlanGroup *group) {
    bool is_whole = true;
    group->types = (PlanTypes){ 0 };
    const PlanFields types = row->types == NULL ? (PlanFields){ .state = FIELD_ABSENT }
                                                : fields_at(stack, map, row->types, row->type, &is_whole);
    group->has_other_types = types.state == FIELD_LATE || !is_whole;
    for (uint32_t i = 0; i < types.count; i++) {
        add_type(stack, group, &types.items[i]);
    }
    if (types.state == FIELD_ABSENT) {
        const PlanField *own = template == NULL ? NULL : &template->instance_type;
        const PlanField none = { .state = FIELD_ABSENT };
        add_type(stack, group, own == NULL ? &none : own);
    }
    return is_whole;
}

static void read_purchase(const RawStack *stack, const RawResource *resource, const RawMap *properties,
                          const GroupRow *row, PlanGroup *group) {
    PlanField says = raw_field_at(stack, properties, row->purchase);
    CapacityKind kind = CAPACITY_ON_DEMAND;
    if (field_is(&says, "SPOT") || field_is(&says, "spot")) {
        kind = CAPACITY_SPOT;
    } else if (row->form == GROUP_SPOT_FLEET) {
        says = field_known("Type", resource->span, STR("spot"));
        kind = CAPACITY_SPOT;
    } else if (field_is(&says, "CAPACITY_BLOCK") || field_is(&says, "capacity-block")) {
        kind = CAPACITY_BLOCK;
    } else if (row->form == GROUP_MIXED) {
        const PlanField base =
            raw_field_at(stack, properties, "MixedInstancesPolicy.InstancesDistribution.OnDemandBaseCapacity");
        says = raw_field_at(stack, properties,
                            "MixedInstancesPolicy.InstancesDistribution.OnDemandPercentageAboveBaseCapacity");
        kind = field_number(&says, -1) == 0 && field_number(&base, 0) == 0 ? CAPACITY_SPOT : kind;
    }
    // Beside "EC2" or "ONDEMAND" a launch template may still say a block. AWS Batch takes no Spot from it.
    // source: AWS Batch User Guide, Launch template support, read 2026-11
    if (row->form == GROUP_BATCH && group_spot(group) != NULL) {
        group->purchases = (PlanPurchases){ 0 };
    }
    if (kind != CAPACITY_ON_DEMAND) {
        group->purchases = (PlanPurchases){ 0 };
        const Str word = row->form == GROUP_MIXED ? STR("spot") : says.text;
        vec_push(stack->arena, &group->purchases, ((PlanPurchase){ .kind = kind, .word = word, .field = says }));
    }
}

// AWS Batch counts in vCPUs.
static PlanField count_at(const RawStack *stack, const RawMap *properties, const char *path, const GroupRow *row,
                          bool is_whole, const PlanGroup *group) {
    PlanField count = raw_field_at(stack, properties, path);
    const int64_t vcpus = row->counts_vcpus ? field_number(&count, -1) : -1;
    int64_t each = 0; // of the largest type
    for (uint32_t i = 0; i < group->types.count; i++) {
        each = group->types.items[i].row->vcpus > each ? group->types.items[i].row->vcpus : each;
    }
    if (row->counts_vcpus) {
        const bool is_known = vcpus >= 0 && each > 0 && !group->has_other_types;
        count.state = is_known ? FIELD_KNOWN : FIELD_LATE;
        count.text = is_known ? str_format(stack->arena, "%" PRId64, vcpus / each) : STR_NONE;
    } else if (!is_whole) {
        count.state = FIELD_LATE;
    }
    return count;
}

// Without a word Batch takes an image of Amazon Linux 2023 for ECS.
// source: AWS Batch API Reference, Ec2Configuration, read 2026-11
static PlanField image_of_batch(const RawStack *stack, const RawMap *properties) {
    const RawMap resources = raw_map(properties, "ComputeResources");
    FieldState state = FIELD_ABSENT;
    Span key = SPAN_NONE;
    const RawMaps maps = raw_maps(stack, &resources, "Ec2Configuration", &state, &key);
    PlanField image = field_known("Ec2Configuration", SPAN_NONE, STR("ECS_AL2023"));
    if (maps.count == 0 && state != FIELD_LATE && raw_presence(&resources, "ImageId").state != FIELD_ABSENT) {
        return raw_field(stack, &resources, "ImageId");
    }
    if (maps.count == 1 && raw_presence(&maps.items[0], "ImageIdOverride").state != FIELD_ABSENT) {
        return raw_field(stack, &maps.items[0], "ImageIdOverride");
    }
    bool is_known = state != FIELD_LATE && raw_presence(&resources, "ImageId").state == FIELD_ABSENT &&
                    raw_presence(properties, "EksConfiguration").state == FIELD_ABSENT;
    for (uint32_t i = 0; i < maps.count; i++) {
        const PlanField other = raw_field(stack, &maps.items[i], "ImageType");
        is_known = is_known && raw_presence(&maps.items[i], "ImageIdOverride").state == FIELD_ABSENT &&
                   (i == 0 || (other.state == FIELD_KNOWN && str_equal(other.text, image.text)));
        image = i == 0 ? other : image;
    }
    return is_known ? image : (PlanField){ .state = FIELD_LATE };
}

static PlanField image_of(const RawStack *stack, const RawMap *properties, const GroupRow *row,
                          const PlanLaunch *launch) {
    return launch->image.state != FIELD_ABSENT ? launch->image
           : row->form == GROUP_BATCH          ? image_of_batch(stack, properties)
                                               : raw_field_at(stack, properties, row->image);
}

static bool has_span(const PlanLaunch *launch, Span span) {
    for (uint32_t i = 0; i < launch->placement_groups.count; i++) {
        if (span_equal(launch->placement_groups.items[i].field.span, span)) {
            return true;
        }
    }
    return false;
}

// ---- groups ----------------------------------------------------------------------------------------------------------

static void read_cluster(const RawStack *stack, const RawMap *properties, const RawResource *resource,
                         PlanGroup *group) {
    const PlanField name = raw_field(stack, properties, "NodegroupName");
    const PlanField cluster = raw_field(stack, properties, "ClusterName");
    Span key = SPAN_NONE;
    group->name = name.state == FIELD_KNOWN ? name.text : group->name;
    group->cluster = cluster.state == FIELD_KNOWN ? cluster.text : STR("the cluster");
    group->span = resource->span;
    group->labels = raw_value(properties, "Labels", &key);
    group->taints = raw_value(properties, "Taints", &key);
    group->is_managed = true;
    group->has_kubelet_labels = true;
}

// What stands for a launch template: none, or one of another file.
static const PlanLaunch *no_launch(RawStack *stack, const RawResource *resource, FieldState template) {
    PlanLaunch *launch = arena_new(stack->arena, PlanLaunch);
    *launch = (PlanLaunch){ .form = FORM_RESOURCE,
                            .subject = resource->subject,
                            .maker = resource->subject,
                            .layout = LAYOUT_MIN_IP,
                            .efa = { .count = -1 },
                            .interfaces_state = template == FIELD_ABSENT ? FIELD_ABSENT : FIELD_LATE,
                            .user_key = SPAN_NONE };
    return launch;
}

// A group that is being read.
typedef struct {
    const RawResource *resource;
    const GroupRow *row;
    RawMap properties;
    const RawMap *map;     // of the group: `properties`, or an item of `each`
    RawMap names;          // of its launch template
    RawTemplate *template; // NULL: it has none that is known
    bool is_alone;         // in its resource
} Reading;

// An instance that lists interfaces itself starts from those.
static const PlanLaunch *find_launch(RawStack *stack, Reading *reading) {
    const GroupRow *row = reading->row;
    if (row->launch == NULL) {
        return no_launch(stack, reading->resource, FIELD_ABSENT);
    }
    const char *last;
    const RawMap in = raw_walk(stack, reading->map, row->launch, &last);
    reading->names = raw_map(&in, last);
    const PlanField id = raw_field(stack, &reading->names, row->launch_id);
    const PlanField name = row->launch_name == NULL ? id : raw_field(stack, &reading->names, row->launch_name);
    const RawTemplate *own = row->form == GROUP_INSTANCE ? raw_own_template(stack, reading->resource) : NULL;
    reading->template = raw_find_template(stack, id.state != FIELD_ABSENT ? &id : &name);
    if (row->configuration != NULL && reading->names.state == FIELD_ABSENT) {
        const PlanField configuration = raw_field(stack, &reading->properties, row->configuration);
        reading->template = raw_find_template(stack, &configuration);
    }
    if (own != NULL && (reading->template == NULL || own->launch->interfaces_state != FIELD_ABSENT)) {
        reading->template = NULL;
        return own->launch;
    }
    return reading->template != NULL ? reading->template->launch
                                     : no_launch(stack, reading->resource, reading->names.state);
}

static void read_count(const RawStack *stack, const Reading *reading, PlanGroup *group) {
    const GroupRow *row = reading->row;
    const bool is_whole = read_types(stack, reading->map, row, reading->template, group);
    group->low = count_at(stack, &reading->properties, row->low, row, is_whole, group);
    group->most = count_at(stack, &reading->properties, row->most, row, is_whole, group);
    if (row->form == GROUP_INSTANCE) {
        group->most = field_known("Instance", reading->resource->span, STR("1"));
        group->works_together = ANSWER_NO;
    }
}

// An instance whose interfaces say their subnet says none itself: NULL, or the subnet of the first. All are in one zone.
static const PlanField *subnet_of_interface(const RawStack *stack, const Reading *reading) {
    const RawTemplate *launch =
        reading->template != NULL ? reading->template : raw_own_template(stack, reading->resource);
    const bool is_there = reading->row->form == GROUP_INSTANCE && launch != NULL;
    return is_there && launch->subnet.state != FIELD_ABSENT ? &launch->subnet : NULL;
}

static void read_places(const RawStack *stack, const Reading *reading, PlanGroup *group) {
    const GroupRow *row = reading->row;
    const RawTemplate *template = reading->template;
    const PlanField placement = raw_field_at(stack, &reading->properties, row->placement);
    const PlanField *own = subnet_of_interface(stack, reading);
    bool are_all = true;
    PlanFields subnets = row->subnets == NULL ? (PlanFields){ .state = FIELD_ABSENT }
                                              : fields_at(stack, reading->map, row->subnets, row->subnet, &are_all);
    if (own != NULL) {
        subnets = (PlanFields){ .state = FIELD_KNOWN, .key = own->key, .items = own, .count = 1 };
    }
    group->subnets = raw_subnets(stack, &subnets);
    if (row->groups != NULL && template != NULL) {
        group->groups = fields_at(stack, reading->map, row->groups, NULL, &are_all);
    }
    if (!reading->is_alone || own != NULL || (template != NULL && template->subnet.state != FIELD_ABSENT)) {
        group->subnets.free_addresses = -1; // how many nodes of a fleet it is; or interfaces stand elsewhere
    }
    if (row->form == GROUP_INSTANCE) {
        group->subnets.public = (PlanField){ .state = FIELD_ABSENT }; // it may be given an address of its own
    }
    if (field_is_there(&placement) && !has_span(group->launch, placement.span)) {
        vec_push(stack->arena, &group->placements, raw_placement_group(stack, &placement));
    }
}

// What the service has words of its own for, and what it tells its launch template.
static void read_service(RawStack *stack, const Reading *reading, PlanGroup *group) {
    RawTemplate *template = reading->template;
    if (reading->row->form == GROUP_EKS) {
        read_cluster(stack, &reading->properties, reading->resource, group);
        group->managed = raw_managed_group(stack, &reading->properties, &reading->names, template);
    } else if (reading->row->form == GROUP_BATCH) {
        group->batch = raw_batch_group(stack, &reading->properties, &reading->names, template);
        vec_push(stack->arena, &stack->of_batch, group);
    }
    if (template != NULL && reading->row->form == GROUP_PCS) {
        template->launch->target = schema_target_name(TARGET_PCS);
        template->launch->target_key = reading->names.key;
        PlanPcsPurchase *pair = arena_new(stack->arena, PlanPcsPurchase);
        *pair = (PlanPcsPurchase){ .purchase = raw_field(stack, &reading->properties, "PurchaseOption"),
                                   .market = template->market,
                                   .template_key = reading->names.key };
        group->pcs_purchase = pair;
    } else if (template != NULL && reading->row->form == GROUP_BATCH) {
        const PlanField placement = raw_field_at(stack, &reading->properties, reading->row->placement);
        const bool is_first = span_is_none(template->launch->user_key);
        template->launch->user_key = is_first ? reading->names.key : template->launch->user_key;
        raw_add_placement_group(stack, template->launch, &placement);
    }
    if (template != NULL) {
        vec_push(stack->arena, &template->groups, (const PlanGroup *)group);
    }
}

static void add_group(RawStack *stack, Reading *reading) {
    const PlanLaunch *launch = find_launch(stack, reading);
    PlanGroup *group = arena_new(stack->arena, PlanGroup);
    *group = group_of_launch(reading->row->form, launch);
    group->subject = reading->resource->subject;
    group->name = reading->resource->name;
    group->launch_whole = reading->template == NULL ? SPAN_NONE : reading->template->resource->whole;
    if (stack->parts.resources.count > 0) {
        group->region = stack->parts.resources.items[0]->region;
        group->region_span = stack->parts.resources.items[0]->region_span;
    }
    group->image = image_of(stack, &reading->properties, reading->row, launch);
    read_service(stack, reading, group);
    read_count(stack, reading, group);
    read_places(stack, reading, group);
    read_purchase(stack, reading->resource, &reading->properties, reading->row, group);
    group->efa = launch->interfaces_state != FIELD_KNOWN
                     ? (PlanField){ .state = launch->interfaces_state }
                     : field_known("NetworkInterfaces", launch->interfaces_key, STR_NONE);
    if (group->form == GROUP_EKS) {
        group->efa_of_pods = launch_efa_count(launch);
        group->efa_help = STR("give the launch template an interface for EFA on each network card");
    }
    vec_push(stack->arena, &stack->parts.groups, (const PlanGroup *)group);
}

static void add_groups(RawStack *stack, const RawResource *resource, const GroupRow *row) {
    Reading reading = { .resource = resource, .row = row, .properties = raw_properties(resource), .is_alone = true };
    if (row->each == NULL) {
        reading.map = &reading.properties;
        add_group(stack, &reading);
        return;
    }
    FieldState state = FIELD_ABSENT;
    Span key = SPAN_NONE;
    const char *name;
    const RawMap in = raw_walk(stack, &reading.properties, row->each, &name);
    const RawMaps maps = raw_maps(stack, &in, name, &state, &key);
    for (uint32_t i = 0; i < maps.count; i++) {
        reading.map = &maps.items[i];
        reading.is_alone = maps.count == 1;
        add_group(stack, &reading);
    }
}

// A template has the types of all groups that use it. One that nothing uses is a group of its own.
static void complete_template(RawStack *stack, const RawTemplate *template) {
    PlanGroup *alone = arena_new(stack->arena, PlanGroup);
    *alone = group_of_launch(GROUP_TEMPLATE, template->launch);
    alone->name = template->resource->name;
    alone->image = template->launch->image;
    alone->whole = template->resource->whole;
    for (uint32_t i = 0; i < template->groups.count; i++) {
        const PlanGroup *group = template->groups.items[i];
        alone->has_other_types = alone->has_other_types || group->has_other_types;
        for (uint32_t k = 0; k < group->types.count; k++) {
            add_type(stack, alone, &group->types.items[k].field);
        }
    }
    if (template->groups.count == 0) {
        add_type(stack, alone, &template->instance_type);
        vec_push(stack->arena, &stack->parts.groups, (const PlanGroup *)alone);
    }
    template->launch->types = alone->types;
    template->launch->has_other_types = alone->has_other_types;
}

// NULL: it starts no nodes. The first row of a type holds, and an Auto Scaling group without a policy has the second.
static const GroupRow *row_of(const RawResource *resource) {
    for (size_t i = 0; i < COUNT_OF(ROWS); i++) {
        if (!str_is(resource->type, ROWS[i].type_name)) {
            continue;
        }
        const RawMap properties = raw_properties(resource);
        if (ROWS[i].form != GROUP_MIXED || raw_presence(&properties, "MixedInstancesPolicy").state != FIELD_ABSENT) {
            return &ROWS[i];
        }
    }
    return NULL;
}

void raw_add_node_groups(RawStack *stack) {
    for (uint32_t i = 0; i < stack->resources.count; i++) {
        const RawResource *resource = stack->resources.items[i];
        const GroupRow *row = resource->is_changed ? NULL : row_of(resource);
        if (row != NULL) {
            add_groups(stack, resource, row);
        }
    }
    for (uint32_t i = 0; i < stack->templates.count; i++) {
        complete_template(stack, stack->templates.items[i]);
    }
}
