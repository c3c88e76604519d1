// Rules about what CloudFormation asks of a template before it makes anything.
#include "compiler/plan/rules/rule_combination.h"
#include "compiler/plan/rules/rules.h"

#include "compiler/base/str_map.h"

#include "compiler/plan/model/allow.h"

static void check_parameter(const Rules *rules, const PlanNamed *named) {
    const bool is_plain = named->data->kind == DATA_MAP && data_get(named->data, "Fn::Transform") == NULL;
    if (named->data->kind == DATA_NULL || (is_plain && data_get(named->data, "Type") == NULL)) {
        Diag *diag = plan_report(rules->session, named->subject, named->span, DIAG(template_need), "parameter", "Type");
        diag_help(rules->session, diag, "write `Type: String`, or another type");
    }
}

static void check_version(const Rules *rules, const PlanTemplate *names, const PlanNamed *named, const Data *template) {
    const bool is_named =
        template != NULL && template->kind == DATA_MAP &&
        (data_get(template, "LaunchTemplateId") != NULL || data_get(template, "LaunchTemplateName") != NULL);
    if (!is_named || data_get(template, "Version") != NULL) {
        return;
    }
    const Str id = data_text(data_get(template, "LaunchTemplateId"), "Ref");
    Diag *diag =
        plan_report(rules->session, named->subject, template->span, DIAG(template_need), "launch template", "Version");
    if (plan_named(names, NAMED_RESOURCE, id) != NULL) {
        diag_help(rules->session, diag, "write `Version: !GetAtt %.*s.LatestVersionNumber`", STR_ARG(id));
    } else {
        diag_help(rules->session, diag, "write the number of the version");
    }
}

static void check_group(const Rules *rules, const PlanTemplate *names, const PlanNamed *named) {
    const Data *properties = data_get(named->data, "Properties");
    check_version(rules, names, named, data_get(properties, "LaunchTemplate"));
    check_version(rules, names, named,
                  data_get(data_get(data_get(properties, "MixedInstancesPolicy"), "LaunchTemplate"),
                           "LaunchTemplateSpecification"));
}

// A part that the deployment decides is the same in both.
static void check_exports(const Rules *rules, const PlanTemplate *template) {
    Arena *arena = rules->session->arena;
    StrMap seen = { .arena = arena };
    for (uint32_t i = 0; i < template->exports.count; i++) {
        const PlanShared *shared = template->exports.items[i];
        if (str_is(shared->name, "\x01") || data_get(shared->from->data, "Condition") != NULL) {
            continue;
        }
        const Str key = str_format(arena, "%.*s\n%.*s", STR_ARG(shared->name), STR_ARG(shared->written));
        const PlanShared *before = str_map_add(&seen, key, shared);
        if (before != NULL && before->from != shared->from) {
            Diag *diag = plan_report(rules->session, shared->subject, shared->span, DIAG(export_repeated),
                                     STR_ARG(shared->written));
            diag_label(rules->session, diag, before->span, "and here");
            diag_help(rules->session, diag, "give each output a name of its own");
        }
    }
}

// The map of a lifecycle hook that a target stands in; NULL: it is none.
static const Data *hook_around(const PlanUse *use) {
    const bool is_target = use->from != NULL && use->from->kind == NAMED_RESOURCE && use->is_whole &&
                           str_is(use->key, "NotificationTargetARN");
    const Data *properties = is_target ? data_get(use->from->data, "Properties") : NULL;
    const Data *hooks = data_get(properties, "LifecycleHookSpecificationList");
    for (uint32_t i = 0; hooks != NULL && hooks->kind == DATA_LIST && i < hooks->count; i++) {
        const Data *hook = hooks->items[i];
        if (hook->kind == DATA_MAP && span_holds(hook->span, use->span)) {
            return hook;
        }
    }
    return is_target && str_is(use->from->type, "AWS::AutoScaling::LifecycleHook") ? properties : NULL;
}

// A function as target is called without a role, so that the target has to be known.
// source: EC2 Auto Scaling API Reference, PutLifecycleHook, RoleARN, read 2026-11
static void check_hook(const Rules *rules, const PlanUse *use) {
    const bool wants_role =
        use->to != NULL && ((use->kind == USE_REF && str_is(use->to->type, "AWS::SNS::Topic")) ||
                            (use->kind == USE_ATTRIBUTE && str_is(use->to->type, "AWS::SQS::Queue")));
    const Data *hook = wants_role ? hook_around(use) : NULL;
    if (hook != NULL && data_get(hook, "RoleARN") == NULL && data_get(hook, "Fn::Transform") == NULL) {
        Diag *diag = rule_combination(rules, use->subject, use->span, "EC2 Auto Scaling",
                                      STR("`NotificationTargetARN`"), STR(" without `RoleARN`"), NULL);
        diag_label(rules->session, diag, use->to->span,
                   str_is(use->to->type, "AWS::SNS::Topic") ? "a topic" : "a queue");
        diag_help(rules->session, diag, "write `RoleARN`, the role with which it publishes there");
    }
}

void rule_template_needs(const Rules *rules, const PlanFile *file) {
    const PlanTemplate *template = file->names;
    for (uint32_t i = 0; template != NULL && !template->is_open && i < template->named.count; i++) {
        const PlanNamed *named = template->named.items[i];
        if (named->kind == NAMED_PARAMETER) {
            check_parameter(rules, named);
        } else if (str_is(named->type, "AWS::AutoScaling::AutoScalingGroup")) {
            check_group(rules, template, named);
        }
    }
    if (template != NULL && !template->is_open) {
        check_exports(rules, template);
        for (uint32_t i = 0; i < template->uses.count; i++) {
            check_hook(rules, template->uses.items[i]);
        }
    }
}
