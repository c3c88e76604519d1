// Rules about the instance types that templates and configurations name. A service refuses a name of no type when the stack is
// being made.
#include "compiler/plan/rules/type_name.h"

#include "compiler/base/suggest.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/cluster_config.h"
#include "compiler/plan/rules/rule_word.h"
#include "compiler/plan/rules/value_place.h"
#include "schema/instances.h"

// What stands in front of the names of EC2 in those of SageMaker.
static const Str SAGEMAKER = { "ml.", 3 };

// A type of SageMaker as EC2 calls it.
static Str name_of_ec2(Str text) {
    return str_starts_with(text, SAGEMAKER) ? str_slice(text, SAGEMAKER.len, text.len) : text;
}

// "p5.": with its dot, and in small letters, as EC2 has them. Empty where a text is no family and one size, as `p4d.*` is none.
static Str family_of(Arena *arena, Str text) {
    const size_t dot = str_find(text, STR("."), 0);
    for (size_t i = 0; i < text.len; i++) {
        const char c = text.data[i];
        const bool is_size_dot = c == '.' && i != dot;
        if (is_size_dot ||
            !(char_is_digit(c) || (char_small(c) >= 'a' && char_small(c) <= 'z') || c == '-' || c == '.')) {
            return STR_NONE;
        }
    }
    return dot + 1 < text.len ? str_small(arena, str_slice(text, 0, dot + 1)) : STR_NONE;
}

bool rules_type_is_misspelt(Session *session, Str text) {
    const Str name = name_of_ec2(text);
    const Str family = family_of(session->arena, name);
    if (family.len == 0 || schema_instance(session, name) != NULL) {
        return false;
    }
    for (int i = 0; i < schema_instance_count(session); i++) {
        if (str_starts_with(str_of(schema_instance_at(session, i)->name), family)) {
            return true;
        }
    }
    return false;
}

void rules_type_misspelt(const Rules *rules, const Subject *subject, Span span, Str text, bool has_choice) {
    Session *session = rules->session;
    const Str family = family_of(session->arena, name_of_ec2(text));
    const Str head = str_slice(text, 0, text.len - name_of_ec2(text).len);
    Suggestion suggestion = suggest_for(session, text);
    Suggestion of_size = suggestion; // among those with the same digits
    for (int i = 0; i < schema_instance_count(session); i++) {
        const Str name = str_of(schema_instance_at(session, i)->name);
        if (str_starts_with(name, family)) {
            const Str other =
                head.len == 0 ? name : str_format(session->arena, "%.*s%.*s", STR_ARG(head), STR_ARG(name));
            suggest_offer(&suggestion, other);
            if (suggest_is_of_digits(text, other)) {
                suggest_offer(&of_size, other);
            }
        }
    }
    Diag *diag = has_choice ? plan_report(session, subject, span, DIAG(type_in_list), STR_ARG(text))
                            : plan_report(session, subject, span, DIAG(unknown_instance_type), STR_ARG(text));
    rule_suggest(rules, diag, suggest_is_sure(&of_size) ? &of_size : &suggestion, span);
    diag_note(session, diag, "`dtc instances %.*s` lists the types of the family", STR_ARG(family));
}

// eksctl and requests of the AWS CLI begin their keys with a small letter.
static bool is_type_key(Str key) {
    return str_is(key, "InstanceType") || str_is(key, "InstanceTypes") || str_is(key, "instanceType") ||
           str_is(key, "instanceTypes");
}

// The default of a parameter that has `AllowedValues`: where it is none of them, another rule says so.
static bool is_of_allowed(const Rules *rules, Span span) {
    const PlanTemplate *template = rules->plan->names;
    for (uint32_t i = 0; template != NULL && i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        if (use->kind == USE_REF && use->to != NULL && use->to->kind == NAMED_PARAMETER &&
            span_equal(use->span, span)) {
            return data_get(use->to->data, "AllowedValues") != NULL;
        }
    }
    return false;
}

// Who calls types as EC2 does, and takes no name of SageMaker.
static bool has_names_of_ec2(const ValuePlace *place, Str owner) {
    static const char *const OWNERS[] = { "AWS::EC2::", "AWS::Batch::", "AWS::PCS::", "AWS::EKS::",
                                          "AWS::AutoScaling::" };
    bool has = place->configuration != NULL;
    for (size_t i = 0; i < COUNT_OF(OWNERS); i++) {
        has = has || str_starts_with(owner, str_of(OWNERS[i]));
    }
    return has;
}

static void check_name_of_ec2(const ValuePlace *place, Str owner, const Value *value) {
    const Str name = name_of_ec2(value->string);
    if (name.len == value->string.len || !has_names_of_ec2(place, owner) ||
        schema_instance(place->rules->session, name) == NULL) {
        return;
    }
    Diag *diag = plan_report(place->rules->session, place_subject(place, value->span), value->span,
                             DIAG(unknown_instance_type), STR_ARG(value->string));
    rule_write_at(place->rules, diag, value->span, value->string, name);
    diag_note(place->rules->session, diag, "only SageMaker puts `ml.` in front of the name of a type");
}

// `key` is that of the value, or of the list that it is in; `owner` is the type of the resource.
static void check_value(const ValuePlace *place, Str owner, Str key, const Value *value) {
    if (value->kind == VALUE_STRING && is_type_key(key) &&
        rules_type_is_misspelt(place->rules->session, value->string) && !is_of_allowed(place->rules, value->span)) {
        rules_type_misspelt(place->rules, place_subject(place, value->span), value->span, value->string, false);
    } else if (value->kind == VALUE_STRING && is_type_key(key) && !is_of_allowed(place->rules, value->span)) {
        check_name_of_ec2(place, owner, value);
    }
    for (uint32_t i = 0; value->kind == VALUE_LIST && i < value->list.count; i++) {
        check_value(place, owner, key, value->list.items[i]);
    }
    for (uint32_t i = 0; value->kind == VALUE_MAP && i < value->map.count; i++) {
        check_value(place, owner, value->map.entries[i].key, value->map.entries[i].value);
    }
}

void rule_type_names_of_resource(const Rules *rules, const PlanResource *resource) {
    const ValuePlace place = { .rules = rules, .subject = resource->subject };
    const Resource *raw = resource->resource;
    for (uint32_t i = 0; !resource->is_object && i < raw->property_count; i++) {
        check_value(&place, raw->type, raw->properties[i].key, raw->properties[i].value);
    }
}

void rule_configuration_type_names(const Rules *rules, const PlanConfiguration *configuration) {
    const ValuePlace place = { .rules = rules, .configuration = configuration };
    check_value(&place, STR_NONE, STR_NONE, configuration->document);
}

void rule_cluster_config_type_names(const Rules *rules, const PlanClusterConfig *config) {
    const ValuePlace place = { .rules = rules, .configuration = &config->file };
    check_value(&place, STR_NONE, STR_NONE, config->file.document);
}
