// Helpers for the rules about fields.
#include "compiler/plan/rules/rule_field.h"

#include <stdarg.h>

#include "compiler/plan/model/allow.h"

Span rule_span(const PlanField *field) {
    return field_place(field);
}

void rule_label_use(const Rules *rules, Diag *diag, const PlanField *field) {
    enum { NEAR_BYTES = 200 };
    if (span_is_none(field->key) || span_equal(rule_span(field), field->key)) {
        return;
    }
    bool is_near = field->span.source == field->key.source && field->span.start >= field->key.end &&
                   field->span.start <= field->key.end + NEAR_BYTES;
    if (!is_near) {
        diag_label(rules->session, diag, field->key, "`%s` takes it here", field->name);
    }
}

bool rule_number(const Value *value, int64_t *number) {
    static const int64_t NUMBER_END = INT64_C(1000000000000); // twelve digits, as field_number() takes them
    if (value == NULL || (value->kind != VALUE_INT && value->kind != VALUE_STRING)) {
        return false;
    }
    if (value->kind == VALUE_INT) {
        *number = value->integer;
        return value->integer > -NUMBER_END && value->integer < NUMBER_END;
    }
    const PlanField field = { .state = FIELD_KNOWN, .text = value->string };
    return field_integer(&field, number);
}

const PlanResource *rule_find_resource(const Rules *rules, Str name) {
    for (uint32_t i = 0; i < rules->plan->raw.count; i++) {
        const PlanResources *resources = &rules->plan->raw.items[i]->resources;
        for (uint32_t k = 0; k < resources->count; k++) {
            if (str_equal(resources->items[k]->resource->name, name)) {
                return resources->items[k];
            }
        }
    }
    return NULL;
}

void rule_too_few(const Rules *rules, const Subject *subject, PlanForm form, Span span, const char *name,
                  int64_t amount, int64_t least) {
    Diag *diag = least == 0 ? plan_report(rules->session, subject, span, DIAG(negative), name, amount)
                            : plan_report(rules->session, subject, span, DIAG(not_positive), name, amount);
    switch (form) {
    case FORM_DECLARED:
        diag_help(rules->session, diag, "write %" PRId64 " or more, or leave `%s` out", least, name);
        break;
    case FORM_PCLUSTER:
    case FORM_EKSCTL:
    case FORM_RESOURCE: // Batch has no default of its own
        diag_help(rules->session, diag, "write %" PRId64 " or more", least);
        break;
    }
}

Diag *rule_outside(const Rules *rules, const Subject *subject, Span span, const char *name, Str written,
                   const char *service, Str least, Str most) {
    return plan_report(rules->session, subject, span, DIAG(outside_limits), name, STR_ARG(written), service,
                       STR_ARG(least), STR_ARG(most));
}

void rule_too_many(const Rules *rules, const Subject *subject, Span span, Str name, uint32_t count, const char *what,
                   int most) {
    plan_report(rules->session, subject, span, DIAG(too_many_on_target), STR_ARG(name), count, what, most);
}

Str rule_way_to_allow(const Rules *rules, const Subject *subject, const char *code) {
    const Str path = source_get(rules->session, subject->span.source)->path;
    const bool is_json = str_ends_with(path, STR(".json"));
    return !subject->is_foreign ? str_format(rules->session->arena, "`allow %s, \"…\"`", code)
           : is_json            ? str_format(rules->session->arena, "`codes: [%s]` in `.dtc.yaml`", code)
                                : str_format(rules->session->arena, "`# dtc-allow: %s …`", code);
}

void rule_offered(const Rules *rules, const Subject *subject, Span span, const InstanceRow *type,
                  const RegionRow *region, Span reason) {
    if (region == NULL || schema_offered(type, region) != 0) {
        return;
    }
    Diag *diag = plan_report_once(rules->session, subject, span, DIAG(type_not_in_region), region->name, type->name);
    diag_label(rules->session, diag, reason, "%s", region->name);
    diag_help(rules->session, diag, "take another region or type; where it is offered by now, say so: %.*s",
              STR_ARG(rule_way_to_allow(rules, subject, "DT0319")));
    diag_note(rules->session, diag, "`dtc explain %s` lists the regions that are known to offer it", type->name);
}

Diag *rule_placed_freely(const Rules *rules, const Subject *subject, Span span, int64_t most, const InstanceRow *type,
                         Span type_span, int efa_count) {
    Diag *diag = plan_report(rules->session, subject, span, DIAG(placement_refused), most, type->name);
    diag_label(rules->session, diag, type_span, "EFA on %d interface%s", efa_count, efa_count == 1 ? "" : "s");
    return diag;
}

void rule_help_resource(const Rules *rules, Diag *diag, const Subject *subject, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const Str text = str_format_list(rules->session->arena, format, arguments);
    va_end(arguments);
    StrBuf words = { .arena = rules->session->arena };
    size_t start = 0;
    for (size_t at = str_find(text, STR(" = "), 0); subject->is_foreign && at < text.len;
         at = str_find(text, STR(" = "), start)) {
        strbuf_add(&words, str_slice(text, start, at));
        strbuf_add(&words, STR(": "));
        start = at + 3;
    }
    strbuf_add(&words, str_slice(text, start, text.len));
    diag_help(rules->session, diag, "%.*s", STR_ARG(strbuf_str(&words)));
}

void rule_fix(const Rules *rules, Diag *diag, const PlanField *field, Str replacement) {
    Str written = source_text(rules->session, field->span);
    bool is_literal = str_equal(written, field->text) ||
                      str_equal(written, str_format(rules->session->arena, "\"%.*s\"", STR_ARG(field->text)));
    if (field->is_own && is_literal) {
        diag_fix(rules->session, diag, field->span, replacement);
    }
}

void rule_fix_word(const Rules *rules, Diag *diag, const PlanField *field, const char *word) {
    const bool is_quoted = str_starts_with(source_text(rules->session, field->span), STR("\""));
    rule_fix(rules, diag, field, str_format(rules->session->arena, is_quoted ? "\"%s\"" : "%s", word));
}
