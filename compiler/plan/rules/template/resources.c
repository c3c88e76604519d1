// Rules about resources of every type. dtc does not know which types CloudFormation has, but it knows the form of a
// type's name.
#include "compiler/plan/rules/rule_word.h"

#include "compiler/plan/model/allow.h"

_Static_assert(LIMIT_CUSTOM_TYPE_MAX == 60, "the text of custom_fault()");
_Static_assert(LIMIT_TYPE_PART_MIN == 2 && LIMIT_TYPE_PART_MAX == 64, "the text of type_fault()");

// Custom::NAME: letters, digits and `_@-`, 60 characters with the word (CloudFormation User Guide,
// AWS::CloudFormation:: CustomResource, 2026-11).
static const char *custom_fault(Str type) {
    const size_t start = STR("Custom::").len;
    bool is_good = type.len > start && type.len <= LIMIT_CUSTOM_TYPE_MAX;
    for (size_t i = start; is_good && i < type.len; i++) {
        is_good = char_is_alnum(type.data[i]) || strchr("_@-", type.data[i]) != NULL;
    }
    return is_good ? NULL : "behind `Custom::` stand letters, digits and `_ @ -`, 60 characters with it";
}

// CloudFormation API Reference, RegisterType, TypeName, 2026-11.
static const char *type_fault(Str type) {
    if (str_starts_with(type, STR("Custom::"))) {
        return custom_fault(type);
    }
    int names = 0;
    for (size_t start = 0; start <= type.len; names++) {
        const size_t end = str_find(type, STR("::"), start);
        const Str name = str_slice(type, start, end);
        bool is_good = name.len >= LIMIT_TYPE_PART_MIN && name.len <= LIMIT_TYPE_PART_MAX;
        for (size_t i = 0; is_good && i < name.len; i++) {
            is_good = char_is_alnum(name.data[i]);
        }
        if (!is_good) {
            return "each of its names is of 2 to 64 letters and digits";
        }
        start = end + 2;
    }
    const bool is_module = names == 4 && str_ends_with(type, STR("::MODULE"));
    if (names != 3 && !is_module) {
        return "it is not of three names, such as `AWS::S3::Bucket`";
    }
    const Str vendor = str_slice(type, 0, str_find(type, STR("::"), 0));
    const bool is_aws = str_is(vendor, "aws") || str_is(vendor, "Aws");
    return is_aws ? "AWS's own begin with `AWS::`, in capitals" : NULL;
}

void rule_resource_types(const Rules *rules, const PlanResource *resource) {
    const Resource *raw = resource->resource;
    const char *fault = resource->is_object ? NULL : type_fault(raw->type); // of Kubernetes: DT0582
    if (fault != NULL) {
        Diag *diag = plan_report(rules->session, resource->subject, raw->type_span, DIAG(bad_resource_type),
                                 STR_ARG(raw->type), fault);
        const Str aws = str_format(rules->session->arena, "AWS%.*s", STR_ARG(str_slice(raw->type, 3, raw->type.len)));
        if (str_starts_with_in_any_case(raw->type, STR("AWS::")) && type_fault(aws) == NULL) {
            rule_replace(rules, diag, raw->type_span, raw->type, aws);
        }
    }
}
