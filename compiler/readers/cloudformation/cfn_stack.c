// From a CloudFormation template to what rules ask.
#include "compiler/readers/cloudformation/cfn_stack.h"

#include "compiler/readers/cloudformation/cfn_value.h"
#include "compiler/readers/foreign_subject.h"

typedef struct {
    const CfnTemplate *template;
    const CfnWorld *world;
    const Subject *file;
    RawResources resources;
} Lift;

// Whether a resource is there: its condition holds, or it has none.
static bool is_there(const Lift *lift, const Data *data) {
    const Str name = data_text(data, "Condition");
    const int index = name.len == 0 ? -1 : cfn_condition(lift->template, name);
    return index < 0 || lift->world->conditions[index] == TRUTH_TRUE;
}

static void add_resource(void *context, const CfnScope *scope, Str key, Span key_span, const Data *data) {
    Lift *lift = context;
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
                               .properties = has_properties ? value->map.entries : NULL,
                               .property_count = has_properties ? value->map.count : 0 };
    vec_push(session->arena, &lift->resources, resource);
}

RawResources cfn_resources(const CfnTemplate *template, const CfnWorld *world, const Subject *file) {
    Lift lift = { .template = template, .world = world, .file = file };
    cfn_each_entry(world, template->resources, add_resource, &lift);
    return lift.resources;
}
