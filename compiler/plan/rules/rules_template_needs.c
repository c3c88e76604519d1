// Rules about what CloudFormation asks of a template before it makes anything.
#include "compiler/plan/rules/rules.h"

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

static const Data *inside(const Data *data, const char *key) {
    return data == NULL ? NULL : data_get(data, key);
}

static void check_group(const Rules *rules, const PlanTemplate *names, const PlanNamed *named) {
    const Data *properties = data_get(named->data, "Properties");
    check_version(rules, names, named, inside(properties, "LaunchTemplate"));
    check_version(
        rules, names, named,
        inside(inside(inside(properties, "MixedInstancesPolicy"), "LaunchTemplate"), "LaunchTemplateSpecification"));
}

// A part that the deployment decides is the same in both.
static void check_exports(const Rules *rules, const PlanTemplate *template) {
    for (uint32_t i = 0; i < template->exports.count; i++) {
        const PlanShared *shared = template->exports.items[i];
        for (uint32_t k = 0; k < i; k++) {
            const PlanShared *before = template->exports.items[k];
            const bool is_bare = str_is(shared->name, "\x01");
            if (!is_bare && shared->from != before->from && str_equal(shared->written, before->written) &&
                str_equal(shared->name, before->name) && data_get(shared->from->data, "Condition") == NULL &&
                data_get(before->from->data, "Condition") == NULL) {
                Diag *diag = plan_report(rules->session, shared->subject, shared->span, DIAG(export_repeated),
                                         STR_ARG(shared->written));
                diag_label(rules->session, diag, before->span, "and here");
                diag_help(rules->session, diag, "give each output a name of its own");
                break;
            }
        }
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
    }
}
