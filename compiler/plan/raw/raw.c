// From the raw `resource`s of the blocks that share a stack to the parts that rules ask, and what these are read with.
// Intrinsics may be written in dt (a name, an interpolated string) or out, `{ Ref = "Id" }`: both end as the same
// field.
#include "compiler/plan/raw/raw.h"

#include "compiler/plan/model/shared.h"
#include "schema/instances.h"

// ---- intrinsics ------------------------------------------------------------------------------------------------

Str raw_intrinsic(const Value *value, const Value **argument) {
    if (value->kind != VALUE_MAP || value->map.count != 1) {
        return STR_NONE;
    }
    const ValueEntry *entry = &value->map.entries[0];
    bool is_intrinsic = str_is(entry->key, "Ref") || str_starts_with(entry->key, STR("Fn::"));
    *argument = entry->value;
    return is_intrinsic ? entry->key : STR_NONE;
}

static RawResource *find_id(const RawStack *stack, Str id) {
    return str_map_get_mutable(&stack->by_id, id);
}

static const RawResource *find_resource(const RawStack *stack, const Resource *resource) {
    for (uint32_t i = 0; i < stack->resources.count; i++) {
        if (stack->resources.items[i]->resource == resource) {
            return stack->resources.items[i];
        }
    }
    return NULL;
}

// "Id.Attribute", or a list of both.
static void read_get_att(const RawStack *stack, const Value *argument, PlanField *field) {
    if (argument->kind == VALUE_STRING) {
        size_t dot = str_find(argument->string, STR("."), 0);
        field->resource = find_id(stack, str_slice(argument->string, 0, dot));
    } else if (argument->kind == VALUE_LIST && argument->list.count == 2 &&
               argument->list.items[0]->kind == VALUE_STRING && argument->list.items[1]->kind == VALUE_STRING) {
        field->resource = find_id(stack, argument->list.items[0]->string);
    }
}

static void read_intrinsic(const RawStack *stack, Str name, const Value *argument, PlanField *field) {
    field->state = FIELD_LATE;
    if (str_is(name, "Ref") && argument->kind == VALUE_STRING) {
        field->state = str_is(argument->string, "AWS::NoValue") ? FIELD_ABSENT : FIELD_LATE;
        field->resource = find_id(stack, argument->string);
    } else if (str_is(name, "Fn::GetAtt")) {
        read_get_att(stack, argument, field);
    }
}

static void read_late(const RawStack *stack, const Value *value, PlanField *field) {
    const Late *late = value->late;
    field->state = FIELD_LATE;
    field->may_be_null = late->is_optional;
    if (late->kind == LATE_REF || late->kind == LATE_ATTRIBUTE) {
        field->resource = find_resource(stack, late->resource);
    } else if (late->kind == LATE_TEXT && late->part_count == 1 && late->parts[0]->kind == VALUE_RESOURCE) {
        field->resource = find_resource(stack, late->parts[0]->resource);
    }
}

// ---- properties ------------------------------------------------------------------------------------------------

static bool is_inside(Span span, Span whole) {
    return span_holds(whole, span) && !span_is_none(span);
}

static PlanField read_value(const RawStack *stack, const RawMap *map, const Value *value, const char *name, Span key) {
    PlanField field = { .name = name, .key = key, .span = value->span, .is_own = is_inside(value->span, map->whole) };
    const Value *argument = NULL;
    switch (value->kind) {
    case VALUE_NULL:
        break;
    case VALUE_BOOL:
        field.state = FIELD_KNOWN;
        field.text = value->boolean ? STR("true") : STR("false");
        break;
    case VALUE_INT:
        field.state = FIELD_KNOWN;
        field.text = str_format(stack->arena, "%" PRId64, value->integer);
        break;
    case VALUE_STRING:
        field.state = FIELD_KNOWN;
        field.text = value->string;
        break;
    case VALUE_RESOURCE:
        field.state = FIELD_LATE;
        field.resource = find_resource(stack, value->resource);
        break;
    case VALUE_LATE:
        read_late(stack, value, &field);
        break;
    case VALUE_MAP: {
        Str intrinsic = raw_intrinsic(value, &argument);
        read_intrinsic(stack, intrinsic, argument, &field);
        break;
    }
    case VALUE_ERROR:
    case VALUE_SIZE:
    case VALUE_RATE:
    case VALUE_DURATION:
    case VALUE_RANGE:
    case VALUE_WORD:
    case VALUE_LIST:
    case VALUE_TAG:
    case VALUE_BLOCK:
    case VALUE_MODULE:
    case VALUE_KIND_COUNT:
        field.state = FIELD_LATE; // no property value, or one with parts
        break;
    }
    return field;
}

const Value *raw_value(const RawMap *map, const char *name, Span *key) {
    const ValueEntry *entry = value_entry(map->entries, map->count, name);
    if (entry == NULL) {
        return NULL;
    }
    *key = entry->key_span;
    return entry->value->kind == VALUE_NULL ? NULL : entry->value;
}

// What a missing property of a map is: of a map that is late, nobody knows.
static FieldState missing(const RawMap *map) {
    return map->state == FIELD_LATE ? FIELD_LATE : FIELD_ABSENT;
}

PlanField raw_field(const RawStack *stack, const RawMap *map, const char *name) {
    Span key = SPAN_NONE;
    const Value *value = raw_value(map, name, &key);
    if (value == NULL) {
        return (PlanField){ .state = missing(map), .name = name, .may_be_null = true };
    }
    return read_value(stack, map, value, name, key);
}

RawMap raw_walk(const RawStack *stack, const RawMap *map, const char *path, const char **last) {
    RawMap at = *map;
    const char *dot;
    while ((dot = strchr(path, '.')) != NULL) {
        at = raw_map(&at, str_c(stack->arena, (Str){ .data = path, .len = (size_t)(dot - path) }));
        path = dot + 1;
    }
    *last = path;
    return at;
}

PlanField raw_field_at(const RawStack *stack, const RawMap *map, const char *path) {
    if (path == NULL) {
        return (PlanField){ .state = FIELD_ABSENT, .key = SPAN_NONE, .span = SPAN_NONE };
    }
    const char *name;
    const RawMap in = raw_walk(stack, map, path, &name);
    return raw_field(stack, &in, name);
}

PlanField raw_either(const RawStack *stack, const RawMap *map, const char *name, const char *other) {
    const PlanField field = raw_field(stack, map, name);
    return field.state == FIELD_ABSENT ? raw_field(stack, map, other) : field;
}

PlanFields raw_fields(const RawStack *stack, const RawMap *map, const char *name) {
    Span key = SPAN_NONE;
    const Value *value = raw_value(map, name, &key);
    if (value == NULL) {
        return (PlanFields){ .state = missing(map), .name = name };
    }
    bool is_list = value->kind == VALUE_LIST;
    uint32_t count = is_list ? value->list.count : 1;
    PlanField *items = arena_new_array(stack->arena, PlanField, count);
    PlanFields fields = { .state = FIELD_KNOWN, .name = name, .key = key, .items = items };
    for (uint32_t i = 0; i < count; i++) {
        PlanField item = read_value(stack, map, is_list ? value->list.items[i] : value, name, SPAN_NONE);
        if (item.state == FIELD_ABSENT) {
            continue;
        }
        // A late item that is no reference may be nothing, or, where it is the whole, several.
        if (item.state == FIELD_LATE && item.resource == NULL) {
            fields.state = FIELD_LATE;
        }
        items[fields.count++] = item;
    }
    return fields;
}

static RawMap read_map(const RawMap *outer, const Value *value, Span key) {
    RawMap map = { .state = FIELD_LATE, .key = key, .span = value->span, .whole = outer->whole };
    const Value *argument = NULL;
    if (value->kind == VALUE_NULL) {
        map.state = FIELD_ABSENT;
    } else if (value->kind == VALUE_MAP && raw_intrinsic(value, &argument).len == 0) {
        map.state = FIELD_KNOWN;
        map.entries = value->map.entries;
        map.count = value->map.count;
    }
    return map;
}

PlanField raw_presence(const RawMap *map, const char *name) {
    Span key = SPAN_NONE;
    const Value *value = raw_value(map, name, &key);
    if (value == NULL) {
        return (PlanField){ .state = FIELD_ABSENT, .name = name, .key = SPAN_NONE, .span = SPAN_NONE };
    }
    const bool may_be_null = value_may_be_null(value);
    return (PlanField){ .state = may_be_null ? FIELD_LATE : FIELD_KNOWN,
                        .may_be_null = may_be_null,
                        .name = name,
                        .key = key,
                        .span = value->span };
}

RawMap raw_map(const RawMap *map, const char *name) {
    Span key = SPAN_NONE;
    const Value *value = raw_value(map, name, &key);
    return value == NULL ? (RawMap){ .state = missing(map) } : read_map(map, value, key);
}

RawMaps raw_maps(const RawStack *stack, const RawMap *map, const char *name, FieldState *state, Span *key) {
    RawMaps maps = { 0 };
    const Value *value = raw_value(map, name, key);
    *state = value == NULL ? missing(map) : value->kind == VALUE_LIST ? FIELD_KNOWN : FIELD_LATE;
    for (uint32_t i = 0; value != NULL && value->kind == VALUE_LIST && i < value->list.count; i++) {
        const RawMap item = read_map(map, value->list.items[i], SPAN_NONE);
        if (item.state == FIELD_KNOWN) {
            vec_push(stack->arena, &maps, item);
        } else if (item.state == FIELD_LATE) {
            *state = FIELD_LATE;
        }
    }
    return maps;
}

RawMap raw_properties(const RawResource *resource) {
    return (RawMap){ .state = FIELD_KNOWN,
                     .span = resource->span,
                     .whole = resource->whole,
                     .entries = resource->properties,
                     .count = resource->property_count };
}

// ---- resources -------------------------------------------------------------------------------------------------

static RawStack *new_stack(Session *session, const PlanCluster *cluster) {
    RawStack *stack = arena_new(session->arena, RawStack);
    *stack = (RawStack){
        .session = session,
        .arena = session->arena,
        .cluster = cluster,
        .by_id = { .arena = session->arena },
        .subnets = { .arena = session->arena },
    };
    return stack;
}

static void add_resource(RawStack *stack, RawResource *raw) {
    vec_push(stack->arena, &stack->resources, raw);
    str_map_add(&stack->by_id, raw->id, raw);
}

static void add_resources(RawStack *stack, const PlanPart *part) {
    for (uint32_t i = 0; i < part->resources.count; i++) {
        const Resource *resource = part->resources.items[i];
        RawResource *raw = arena_new(stack->arena, RawResource);
        *raw = (RawResource){ .type = resource->type,
                              .id = plan_resource_id(stack->arena, part, resource),
                              .name = resource->name,
                              .span = resource->span,
                              .whole = resource->whole,
                              .subject = part->subject,
                              .resource = resource,
                              .properties = resource->properties,
                              .property_count = resource->property_count };
        add_resource(stack, raw);
    }
    for (uint32_t i = 0; i < part->inner.count; i++) {
        add_resources(stack, part->inner.items[i]);
    }
}

// A patch of `Resources.ID` that is a map with a type adds a resource; of `Resources.ID.…` it changes one.
static void add_patch(RawStack *stack, const Subject *subject, const BlockPatch *patch) {
    const Str prefix = STR("Resources.");
    if (!str_starts_with(patch->path, prefix)) {
        return;
    }
    Str id = str_slice(patch->path, prefix.len, str_find(patch->path, STR("."), prefix.len));
    RawResource *changed = find_id(stack, id);
    if (changed != NULL) {
        changed->is_changed = true;
    }
    bool is_whole = prefix.len + id.len == patch->path.len;
    const Value *type = is_whole && patch->value->kind == VALUE_MAP ? value_get(patch->value, "Type") : NULL;
    const Value *properties = type == NULL ? NULL : value_get(patch->value, "Properties");
    if (properties == NULL || type->kind != VALUE_STRING || properties->kind != VALUE_MAP) {
        return;
    }
    RawResource *raw = arena_new(stack->arena, RawResource);
    *raw = (RawResource){ .type = type->string,
                          .id = id,
                          .name = id,
                          .span = patch->path_span,
                          .subject = subject,
                          .properties = properties->map.entries,
                          .property_count = properties->map.count };
    add_resource(stack, raw);
}

static void add_patches(RawStack *stack, const PlanPart *part) {
    for (uint32_t i = 0; i < part->patches.count; i++) {
        add_patch(stack, part->subject, &part->patches.items[i]);
    }
    for (uint32_t i = 0; i < part->inner.count; i++) {
        add_patches(stack, part->inner.items[i]);
    }
}

static void add_parts(RawStack *stack) {
    raw_add_security_groups(stack);
    raw_add_vpcs(stack);
    raw_add_controllers(stack);
    raw_add_ways(stack);
    raw_add_storages(stack);
    raw_add_templates(stack);
    raw_add_node_groups(stack);
    raw_add_hyperpod_groups(stack);
    raw_add_provisionings(stack);
    raw_add_containers(stack);
    raw_link(stack);
}

const RawStack *raw_stack(Session *session, const PlanCluster *cluster, const PlanParts *parts) {
    RawStack *stack = new_stack(session, cluster);
    for (uint32_t i = 0; i < parts->count; i++) {
        add_resources(stack, parts->items[i]);
    }
    for (uint32_t i = 0; i < parts->count; i++) {
        add_patches(stack, parts->items[i]);
    }
    add_parts(stack);
    return stack;
}

const RawStack *raw_stack_of(Session *session, RawResources resources, PlanResources whole, const PlanTemplate *names) {
    RawStack *stack = new_stack(session, NULL);
    stack->names = names;
    for (uint32_t i = 0; i < resources.count; i++) {
        add_resource(stack, resources.items[i]);
    }
    stack->parts.resources = whole;
    add_parts(stack);
    return stack;
}

// ---- questions -------------------------------------------------------------------------------------------------

bool raw_refers(const PlanField *field, const RawResource *resource) {
    return field->state == FIELD_LATE && field->resource == resource;
}

RawTemplate *raw_find_template(const RawStack *stack, const PlanField *id) {
    for (uint32_t i = 0; i < stack->templates.count; i++) {
        RawTemplate *template = stack->templates.items[i];
        bool is_named =
            id->state == FIELD_KNOWN && template->name.state == FIELD_KNOWN && str_equal(id->text, template->name.text);
        if (is_named || raw_refers(id, template->resource)) {
            return template;
        }
    }
    return NULL;
}

const RawTemplate *raw_own_template(const RawStack *stack, const RawResource *resource) {
    for (uint32_t i = 0; i < stack->instances.count; i++) {
        if (stack->instances.items[i]->resource == resource) {
            return stack->instances.items[i];
        }
    }
    return NULL;
}

const InstanceRow *raw_type(const RawStack *stack, const PlanField *field) {
    return field->state == FIELD_KNOWN ? schema_instance(stack->session, field->text) : NULL;
}
