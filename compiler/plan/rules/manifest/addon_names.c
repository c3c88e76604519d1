// Rules about names of EKS's add-ons, in files of eksctl and in resources. Vendors have add-ons too, so that only a name
// that is nearly one of AWS's own is a mistake.
#include "compiler/plan/rules/rules.h"

#include "compiler/base/suggest.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/rule_word.h"
#include "compiler/plan/model/cluster_config.h"
#include "compiler/plan/model/object_value.h"
#include "schema/names.h"

// `aws-vpc-cni` is `vpc-cni`, and `ebs-csi-driver` is `aws-ebs-csi-driver`.
static bool is_end_of(Str end, Str text) {
    return end.len < text.len && str_ends_with(text, end) && text.data[text.len - end.len - 1] == '-' &&
           str_find(end, STR("-"), 0) < end.len;
}

static void check_name(const Rules *rules, const Subject *subject, const Value *value) {
    const Str name = object_text(value);
    const NameList addons = names_of(NAMES_EKS_ADDONS);
    const bool is_of_vendor = str_find(name, STR("_"), 0) < name.len; // VENDOR_ADDON
    if (name.len == 0 || is_of_vendor || names_have_in_any_case(NAMES_EKS_ADDONS, name)) {
        return;
    }
    Suggestion suggestion = { .name = name };
    Str longer = STR_NONE;
    for (size_t i = 0; i < addons.count; i++) {
        const Str own = str_of(addons.items[i]);
        suggest_offer(&suggestion, own);
        longer = is_end_of(own, name) || is_end_of(name, own) ? own : longer;
    }
    if (suggestion.best.len == 0 && longer.len == 0) {
        return;
    }
    Diag *diag = plan_report(rules->session, subject, value->span, DIAG(addon_of_eks), STR_ARG(name));
    if (!suggest_say(rules->session, diag, &suggestion, value->span)) {
        diag_help(rules->session, diag, "did you mean `%.*s`?", STR_ARG(longer));
        rule_replace(rules, diag, value->span, name, longer);
    }
}

void rule_cluster_config_addons(const Rules *rules, const PlanClusterConfig *config) {
    const Value *addons = object_get(config->file.document, "addons");
    for (uint32_t i = 0; i < object_count(addons); i++) {
        const Value *name = object_get(addons->list.items[i], "name");
        if (name != NULL) {
            check_name(rules, configuration_subject(&config->file, name->span), name);
        }
    }
}

void rule_addon_of_resource(const Rules *rules, const PlanResource *resource) {
    if (str_is(resource->resource->type, "AWS::EKS::Addon")) {
        check_name(rules, resource->subject, resource_property(resource->resource, "AddonName"));
    }
}
