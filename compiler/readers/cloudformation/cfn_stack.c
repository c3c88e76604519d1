// From a CloudFormation template to what rules ask.
#include "compiler/readers/cloudformation/cfn_stack.h"

#include "compiler/readers/cloudformation/cfn_value.h"
#include "compiler/readers/foreign_subject.h"
#include "schema/instances.h"

typedef struct {
    const CfnTemplate *template;
    const CfnWorld *world;
    const Subject *file;
    CfnStack *stack;
} StackRead;

// Whether a resource is there: its condition holds, or it has none.
static bool is_there(const StackRead *lift, const Data *data) {
    const Str name = data_text(data, "Condition");
    const int index = name.len == 0 ? -1 : cfn_condition(lift->template, name);
    return index < 0 || lift->world->conditions[index] == TRUTH_TRUE;
}

// What stands beside the properties, as rules about every type ask for it.
static void add_whole(StackRead *lift, const CfnScope *scope, const RawResource *raw, const Data *data) {
    Arena *arena = lift->template->session->arena;
    ValueEntry *attributes = arena_new_array(arena, ValueEntry, data->count);
    Resource *own = arena_new(arena, Resource);
    PlanResource *resource = arena_new(arena, PlanResource);
    *own = (Resource){ .type = raw->type,
                       .name = raw->name,
                       .span = raw->span,
                       .type_span = raw->span,
                       .whole = raw->whole,
                       .properties = raw->properties,
                       .property_count = raw->property_count };
    *resource = (PlanResource){ .subject = raw->subject, .resource = own, .attributes = attributes };
    for (uint32_t i = 0; i < data->count; i++) {
        const DataEntry *entry = &data->entries[i];
        if (str_is(entry->key, "Type")) {
            own->type_span = entry->value->span;
        } else if (!str_is(entry->key, "Properties")) {
            attributes[resource->attribute_count++] = (ValueEntry){ .key = entry->key,
                                                                    .key_span = entry->key_span,
                                                                    .value = cfn_value_in(scope, entry->value) };
        }
    }
    vec_push(arena, &lift->stack->whole, (const PlanResource *)resource);
}

static void add_resource(void *context, const CfnScope *scope, Str key, Span key_span, const Data *data) {
    StackRead *lift = context;
    Session *session = lift->template->session;
    const Str type = data_text(data, "Type");
    if (type.len == 0 || !is_there(lift, data)) {
        return;
    }
    const Data *properties = data_get(data, "Properties");
    const Value *value = properties == NULL ? NULL : cfn_value_in(scope, properties);
    const bool has_properties = value != NULL && value->kind == VALUE_MAP;
    const Span whole = span_join(key_span, data->span);
    RawResource *resource = arena_new(session->arena, RawResource);
    *resource = (RawResource){ .type = type,
                               .id = key,
                               .name = key,
                               .span = key_span,
                               .whole = whole,
                               .subject = foreign_subject(session, lift->file, key_span, whole),
                               .condition = data_text(data, "Condition"),
                               .properties = has_properties ? value->map.entries : NULL,
                               .property_count = has_properties ? value->map.count : 0 };
    vec_push(session->arena, &lift->stack->resources, resource);
    if (!lift->template->has_macro) {
        add_whole(lift, scope, resource, data);
    }
}

// A zone that is written says the region of all of them.
static const Value *zone_of(const PlanResource *resource) {
    const Value *zone = resource_property(resource->resource, "AvailabilityZone");
    const bool is_known = zone != NULL && zone->kind == VALUE_STRING && schema_zone_region(zone->string) != NULL;
    return is_known && str_starts_with(resource->resource->type, STR("AWS::EC2::")) ? zone : NULL;
}

static void set_region(Arena *arena, CfnStack *stack) {
    const Value *zone = NULL;
    for (uint32_t i = 0; i < stack->whole.count && zone == NULL; i++) {
        zone = zone_of(stack->whole.items[i]);
    }
    for (uint32_t i = 0; i < stack->whole.count && zone != NULL; i++) {
        PlanResource *resource = arena_new(arena, PlanResource);
        *resource = *stack->whole.items[i];
        resource->region = str_of(schema_zone_region(zone->string)->name);
        resource->region_span = zone->span;
        stack->whole.items[i] = resource;
    }
}

CfnStack cfn_stack(const CfnTemplate *template, const CfnWorld *world, const Subject *file) {
    CfnStack stack = { 0 };
    StackRead lift = { .template = template, .world = world, .file = file, .stack = &stack };
    cfn_each_entry(world, template->resources, add_resource, &lift);
    set_region(template->session->arena, &stack);
    return stack;
}
