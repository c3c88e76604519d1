// A rule about the zone of a resource that is put together: `!Sub "${AWS::Region}a"`.
#include "compiler/plan/rules/rule_word.h"
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/pseudo_parameter.h"
#include "compiler/plan/rules/template_use.h"

// What stands behind the region in the name of a zone: a letter, or the place of a Local Zone and more. That of a Wavelength
// Zone ends with a digit: `-wl1-bos-wlz-1`.
// source: AWS Wavelength Developer Guide, Available Wavelength Zones, 2026-11, read 2026-11-27
static bool is_end_of_zone(Str end) {
    const char letter = str_at(end, end.len - 1);
    const bool is_letter = letter >= 'a' && letter <= 'z';
    return end.len > 0 &&
           (str_has(end, "-wlz-") || (is_letter && (end.len == 1 || (end.data[0] == '-' && end.len > 4))));
}

// `!Sub "${AWS::Region}-a"`, and `!Ref AWS::Region`.
static void check_put_together(const Rules *rules, const Subject *subject, const Value *zone) {
    const Str region = STR("${AWS::Region}");
    const Str written = pseudo_parameter_written(rules->session->arena, zone);
    if (pseudo_parameter_text(rules->session->arena, zone).len > 0 && str_starts_with(written, region) &&
        !is_end_of_zone(str_slice(written, region.len, written.len)) &&
        !use_of_empty_default(rules->plan->names, zone->span)) {
        Diag *diag = plan_report(rules->session, subject, zone->span, DIAG(text_form), STR_ARG(STR("AvailabilityZone")),
                                 "the region and a letter", STR_ARG(written));
        const Str end = str_slice(written, region.len, written.len);
        const bool is_dashed = end.len == 2 && end.data[0] == '-' && is_end_of_zone(str_slice(end, 1, 2));
        const Str letter = is_dashed ? str_slice(end, 1, 2) : STR("a");
        diag_help(rules->session, diag, "write `!Sub \"${AWS::Region}%.*s\"`", STR_ARG(letter));
        if (is_dashed) {
            rule_replace_part(rules, diag, zone->span, str_format(rules->session->arena, "}%.*s", STR_ARG(end)),
                              str_format(rules->session->arena, "}%.*s", STR_ARG(letter)));
        }
    }
}

// `us-east-1`: EC2 has no zone of that name.
static void check_region(const Rules *rules, const Subject *subject, const Value *zone) {
    if (schema_region(zone->string) == NULL) {
        return;
    }
    Diag *diag = plan_report(rules->session, subject, zone->span, DIAG(text_form), STR_ARG(STR("AvailabilityZone")),
                             "the region and a letter", STR_ARG(zone->string));
    diag_help(rules->session, diag, "write a zone of the region, such as `%.*sa`", STR_ARG(zone->string));
}

void rule_zone_forms(const Rules *rules, const PlanResource *resource) {
    const Value *zone = resource_property(resource->resource, "AvailabilityZone");
    const bool is_of_ec2 = str_starts_with(resource->resource->type, STR("AWS::EC2::"));
    if (resource->part == NULL && is_of_ec2 && zone != NULL && zone->kind != VALUE_STRING &&
        pseudo_parameter_is(zone)) {
        check_put_together(rules, resource->subject, zone);
    } else if (resource->part == NULL && is_of_ec2 && zone != NULL && zone->kind == VALUE_STRING) {
        check_region(rules, resource->subject, zone);
    }
}
