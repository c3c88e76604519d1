// From raw compute environments to environments, with the launch templates that they use.
#include "compiler/plan/raw/raw.h"

#include "compiler/base/cidr.h"
#include "schema/limits.h"

// ---- compute environments --------------------------------------------------------------------------------------

static const ImageRow *image_row(Str type) {
    for (int i = 0; i < IMAGE_ROW_COUNT; i++) {
        if (IMAGE_ROWS[i].image_type != NULL && str_is(type, IMAGE_ROWS[i].image_type)) {
            return &IMAGE_ROWS[i];
        }
    }
    return NULL;
}

// An image of the launch template's is one of the author's own, and of a template of another stack nothing is known.
static void read_images(const RawStack *stack, const RawMap *resources, const RawTemplate *template,
                        PlanEnvironment *environment) {
    FieldState state = FIELD_ABSENT;
    Span key = SPAN_NONE;
    const bool may_be_own = raw_field(stack, resources, "ImageId").state != FIELD_ABSENT ||
                            (template == NULL ? environment->launch_id.state : template->image.state) != FIELD_ABSENT;
    const RawMaps maps = raw_maps(stack, resources, "Ec2Configuration", &state, &key);
    for (uint32_t i = 0; i < maps.count; i++) {
        const PlanField type = raw_field(stack, &maps.items[i], "ImageType");
        if (environment->own_image.state == FIELD_ABSENT) {
            environment->own_image = raw_field(stack, &maps.items[i], "ImageIdOverride");
        }
        if (!may_be_own && raw_field(stack, &maps.items[i], "ImageIdOverride").state == FIELD_ABSENT &&
            type.state != FIELD_ABSENT) {
            const PlanServiceImage image = { .field = type, .row = image_row(type.text) };
            vec_push(stack->arena, &environment->images, image);
        }
    }
}

static bool has_resource(const RawStack *stack, const char *type) {
    bool has_one = false;
    for (uint32_t i = 0; i < stack->resources.count; i++) {
        has_one = has_one || str_is(stack->resources.items[i]->type, type);
    }
    return has_one;
}

// Whether a route of the table leads to an internet gateway of the stack.
static bool leads_out(const RawStack *stack, const PlanField *table) {
    for (uint32_t i = 0; i < stack->resources.count; i++) {
        const RawResource *resource = stack->resources.items[i];
        if (!str_is(resource->type, "AWS::EC2::Route") || resource->is_changed) {
            continue;
        }
        const RawMap properties = raw_properties(resource);
        const PlanField of = raw_field(stack, &properties, "RouteTableId");
        const PlanField gateway = raw_field(stack, &properties, "GatewayId");
        const PlanField range = raw_field(stack, &properties, "DestinationCidrBlock");
        if (of.resource != NULL && of.resource == table->resource && gateway.resource != NULL &&
            str_is(gateway.resource->type, "AWS::EC2::InternetGateway") && field_is(&range, "0.0.0.0/0")) {
            return true;
        }
    }
    return false;
}

static bool is_public(const RawStack *stack, const RawResource *subnet) {
    for (uint32_t i = 0; i < stack->resources.count; i++) {
        const RawResource *resource = stack->resources.items[i];
        if (!str_is(resource->type, "AWS::EC2::SubnetRouteTableAssociation") || resource->is_changed) {
            continue;
        }
        const RawMap properties = raw_properties(resource);
        const PlanField of = raw_field(stack, &properties, "SubnetId");
        const PlanField table = raw_field(stack, &properties, "RouteTableId");
        if (raw_refers(&of, subnet) && leads_out(stack, &table)) {
            return true;
        }
    }
    return false;
}

// Of the properties of a subnet: how many addresses AWS leaves to others; -1 where only the deployment knows.
static int64_t free_addresses_of(const RawStack *stack, const RawMap *subnet) {
    const PlanField block = raw_field(stack, subnet, "CidrBlock");
    Cidr cidr;
    const bool is_known = block.state == FIELD_KNOWN && cidr_parse(block.text, &cidr);
    return is_known ? (INT64_C(1) << (32 - cidr.prefix)) - LIMIT_SUBNET_ADDRESSES_KEPT : -1;
}

// NULL: this stack makes no subnet behind the field.
static const RawResource *own_subnet(const PlanField *field) {
    const RawResource *resource = field->resource;
    const bool is_own = resource != NULL && str_is(resource->type, "AWS::EC2::Subnet") && !resource->is_changed;
    return is_own ? resource : NULL;
}

// Overrides of a fleet name a subnet once for each type.
static bool is_there_before(const PlanFields *fields, uint32_t index) {
    for (uint32_t i = 0; i < index; i++) {
        if (fields->items[i].resource == fields->items[index].resource) {
            return true;
        }
    }
    return false;
}

PlanNodeSubnets raw_subnets(const RawStack *stack, const PlanFields *fields) {
    PlanNodeSubnets subnets = { .key = fields->key };
    bool are_known = fields->state == FIELD_KNOWN && fields->count > 0;
    for (uint32_t i = 0; i < fields->count; i++) {
        const RawResource *resource = own_subnet(&fields->items[i]);
        if (resource == NULL) {
            are_known = false;
            subnets.has_other_zones = true;
            continue;
        }
        const RawMap properties = raw_properties(resource);
        const PlanField zone = raw_field(stack, &properties, "AvailabilityZone");
        const int64_t free = free_addresses_of(stack, &properties);
        are_known = are_known && free >= 0;
        subnets.free_addresses += is_there_before(fields, i) ? 0 : free;
        if (zone.state == FIELD_KNOWN) {
            vec_push(stack->arena, &subnets.zones, zone);
        } else {
            subnets.has_other_zones = true;
        }
    }
    subnets.has_other_zones = subnets.has_other_zones || fields->state == FIELD_LATE;
    subnets.free_addresses = are_known ? subnets.free_addresses : -1;
    return subnets;
}

// The first subnet with a route to an internet gateway. With endpoints for services nodes need no way out.
static void find_public_subnet(const RawStack *stack, const RawMap *resources, PlanEnvironment *environment) {
    const PlanFields fields = raw_fields(stack, resources, "Subnets");
    const bool has_endpoints = has_resource(stack, "AWS::EC2::VPCEndpoint");
    for (uint32_t i = 0; !has_endpoints && i < fields.count; i++) {
        const RawResource *resource = own_subnet(&fields.items[i]);
        if (resource != NULL && is_public(stack, resource)) {
            environment->public_subnet = fields.items[i];
            environment->public_subnet.text = resource->name;
            return;
        }
    }
}

static void read_types(const RawStack *stack, PlanEnvironment *environment) {
    const PlanFields *types = &environment->instance_types;
    for (uint32_t i = 0; i < types->count; i++) {
        const InstanceRow *row = raw_type(stack, &types->items[i]);
        if (row == NULL || types->state != FIELD_KNOWN) {
            environment->types.count = 0;
            return;
        }
        vec_push(stack->arena, &environment->types, (PlanType){ .row = row, .field = types->items[i] });
    }
}

static bool source_has(const RawStack *stack, Span span, Str text) {
    const Str written = source_text(stack->session, span);
    return str_find(written, text, 0) < written.len;
}

// A name that is written out, or put together: whoever deploys the stack gives no other one, as by `Ref`. That of a
// request of the AWS CLI begins in lower case, and nothing is ever replaced by one.
static bool is_kept(const RawStack *stack, const PlanField *name) {
    const bool is_literal =
        name->state == FIELD_KNOWN && name->text.len > 0 && source_has(stack, name->span, name->text);
    return field_is_there(name) && source_has(stack, name->key, str_of(name->name)) &&
           (is_literal || source_has(stack, name->span, STR("${")));
}

static bool is_own_role(const PlanField *role) {
    const bool is_written = role->state == FIELD_KNOWN && role->text.len > 0;
    return (is_written && !field_has(role, "AWSServiceRoleForBatch")) ||
           (role->resource != NULL && str_is(role->resource->type, "AWS::IAM::Role"));
}

static void read_update(const RawStack *stack, const RawMap *properties, const RawMap *resources,
                        PlanEnvironment *environment) {
    const PlanField type = raw_field(stack, properties, "Type");
    const PlanField kubernetes = raw_field(stack, properties, "EksConfiguration");
    const PlanField replace = raw_field(stack, properties, "ReplaceComputeEnvironment");
    const PlanField role = raw_field(stack, properties, "ServiceRole");
    const PlanField name = raw_field(stack, properties, "ComputeEnvironmentName");
    const bool has_instances = field_is(&environment->capacity, "EC2") || field_is(&environment->capacity, "SPOT");
    PlanUpdate *update = &environment->update;
    const bool is_managed =
        type.state == FIELD_KNOWN && str_is_in_any_case(type.text, "MANAGED"); // CDK writes `managed`
    if (!is_managed || !has_instances || replace.state == FIELD_LATE) {
        return;
    }
    update->strategy = raw_field(stack, resources, "AllocationStrategy");
    update->is_best_fit = field_is(&update->strategy, "BEST_FIT") ||
                          (update->strategy.state == FIELD_ABSENT && kubernetes.state == FIELD_ABSENT);
    if (is_own_role(&role)) {
        update->role = role;
    }
    if (field_is(&replace, "false")) {
        update->in_place = replace;
    }
    if (is_kept(stack, &name)) {
        update->name = name;
    }
}

static void add_environment(RawStack *stack, const RawResource *resource) {
    const RawMap properties = raw_properties(resource);
    const RawMap resources = raw_map(&properties, "ComputeResources");
    const RawMap launch = raw_map(&resources, "LaunchTemplate");
    const PlanField id = raw_either(stack, &launch, "LaunchTemplateId", "LaunchTemplateName");
    const PlanField placement = raw_field(stack, &resources, "PlacementGroup");
    RawTemplate *template = raw_find_template(stack, &id);
    PlanEnvironment *environment = arena_new(stack->arena, PlanEnvironment);
    *environment = (PlanEnvironment){
        .form = FORM_RESOURCE,
        .subject = resource->subject,
        .name = resource->name,
        .capacity = raw_field(stack, &resources, "Type"),
        .instance_types = raw_fields(stack, &resources, "InstanceTypes"),
        .most_vcpus = raw_field(stack, &resources, "MaxvCpus"),
        .launch = template == NULL ? NULL : template->launch,
        .launch_name = template == NULL ? STR_NONE : template->resource->name,
        .launch_key = launch.key,
        .launch_id = id,
        .version = raw_field(stack, &launch, "Version"),
    };
    environment->own_image = raw_field(stack, &resources, "ImageId");
    environment->is_spot = field_is(&environment->capacity, "SPOT");
    read_images(stack, &resources, template, environment);
    find_public_subnet(stack, &resources, environment);
    read_types(stack, environment);
    read_update(stack, &properties, &resources, environment);
    if (template != NULL) {
        template->launch->user_key = span_is_none(template->launch->user_key) ? launch.key : template->launch->user_key;
        raw_add_placement_group(stack, template->launch, &placement);
    }
    vec_push(stack->arena, &stack->environments, environment);
    vec_push(stack->arena, &stack->parts.environments, environment);
}

void raw_add_environments(RawStack *stack) {
    for (uint32_t i = 0; i < stack->resources.count; i++) {
        const RawResource *resource = stack->resources.items[i];
        if (str_is(resource->type, "AWS::Batch::ComputeEnvironment") && !resource->is_changed) {
            add_environment(stack, resource);
        }
    }
}
