// A rule about the types of a template's parameters: CloudFormation refuses a template with another one.
// source: CloudFormation User Guide, Parameters, Type, and Supported AWS-specific parameter types, 2026-11, read 2026-12
#include "compiler/plan/rules/rule_word.h"

#include "compiler/base/suggest.h"
#include "compiler/plan/model/allow.h"

static const char *const SCALARS[] = { "String", "Number", "CommaDelimitedList", "List<Number>", "List<String>" };

// Each of these may be a list, `List<…>`, and what a parameter of Systems Manager holds.
static const char *const OF_AWS[] = {
    "AWS::EC2::AvailabilityZone::Name",
    "AWS::EC2::Image::Id",
    "AWS::EC2::Instance::Id",
    "AWS::EC2::KeyPair::KeyName",
    "AWS::EC2::SecurityGroup::Id",
    "AWS::EC2::SecurityGroup::GroupName",
    "AWS::EC2::Subnet::Id",
    "AWS::EC2::Volume::Id",
    "AWS::EC2::VPC::Id",
    "AWS::Route53::HostedZone::Id",
    "AWS::SSM::Parameter::Name",
};

// What stands in `List<…>`, or in `AWS::SSM::Parameter::Value<…>`; the text where it stands in neither.
static Str inside(Str type, const char *start) {
    const Str head = str_of(start);
    return str_starts_with(type, head) && str_ends_with(type, STR(">")) ? str_slice(type, head.len, type.len - 1)
                                                                        : type;
}

static bool is_known(Suggestion *near, Str type) {
    const Str value = inside(type, "AWS::SSM::Parameter::Value<");
    const Str item = inside(value, "List<");
    bool is = false;
    for (size_t i = 0; i < COUNT_OF(SCALARS); i++) {
        is = is || str_is(value, SCALARS[i]);
        suggest_offer(near, str_of(SCALARS[i]));
    }
    for (size_t i = 0; i < COUNT_OF(OF_AWS); i++) {
        is = is || str_is(item, OF_AWS[i]);
        suggest_offer(near, str_of(OF_AWS[i]));
    }
    return is;
}

// `AWS::EC2::VPC` of `AWS::EC2::VPC::Id`; empty: it begins none, or several.
static Str completed(Str type) {
    Str found = STR_NONE;
    uint32_t count = 0;
    for (size_t i = 0; i < COUNT_OF(OF_AWS); i++) {
        const Str name = str_of(OF_AWS[i]);
        const bool is_start = str_starts_with(name, type) && str_at(name, type.len) == ':';
        found = is_start ? name : found;
        count += is_start ? 1 : 0;
    }
    return count == 1 ? found : STR_NONE;
}

// Another tool may write the template, and know types of its own.
static bool is_of_tool(const PlanTemplate *template) {
    bool is = template->has_macro || template->foreign_calls.count > 0;
    for (uint32_t i = 0; i < template->named.count; i++) {
        is = is || (template->named.items[i]->kind == NAMED_RESOURCE && template->named.items[i]->type.len == 0);
    }
    return is;
}

void rule_template_parameter_types(const Rules *rules, const PlanFile *file) {
    Session *session = rules->session;
    const bool is_asked = file->names != NULL && !is_of_tool(file->names);
    for (uint32_t i = 0; is_asked && i < file->names->named.count; i++) {
        const PlanNamed *named = file->names->named.items[i];
        const Data *type = named->kind == NAMED_PARAMETER ? data_get(named->data, "Type") : NULL;
        Suggestion near = suggest_for(session, type == NULL ? STR_NONE : type->string);
        if (type == NULL || type->kind != DATA_STRING || type->string.len == 0 || str_has(type->string, "{") ||
            str_has(type->string, "$") || is_known(&near, type->string)) {
            continue;
        }
        Diag *diag =
            plan_report(session, named->subject, type->span, DIAG(parameter_type_unknown), STR_ARG(type->string));
        const Str whole = completed(type->string);
        if (whole.len > 0) {
            rule_write_at(rules, diag, type->span, type->string, whole);
        } else if (!suggest_say(session, diag, &near, type->span)) {
            diag_help(session, diag, "write `String`, `Number`, `CommaDelimitedList`, or a type such as `%s`",
                      OF_AWS[8]);
        }
    }
}
