// Helpers for the rules about raw resources.
#include "compiler/plan/rules/rules_raw.h"

#include "schema/instances.h"

Span rule_span(const RawField *field) {
    return span_is_none(field->span) ? field->key : field->span;
}

void rule_label_use(const Rules *rules, Diag *diag, const RawField *field) {
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

void rule_fix(const Rules *rules, Diag *diag, const RawResource *resource, const RawField *field, Str replacement) {
    bool is_inside = field->span.source == resource->whole.source && field->span.start >= resource->whole.start &&
                     field->span.end <= resource->whole.end && !span_is_none(field->span);
    Str written = source_text(rules->session, field->span);
    bool is_literal = str_equal(written, field->text) ||
                      str_equal(written, str_format(rules->session->arena, "\"%.*s\"", STR_ARG(field->text)));
    if (is_inside && is_literal) {
        diag_fix(rules->session, diag, field->span, replacement);
    }
}

static void add_type(const Rules *rules, RawTypes *types, const RawField *field) {
    const InstanceRow *row = field->state == RAW_KNOWN ? schema_instance(rules->session, field->text) : NULL;
    if (row != NULL) {
        vec_push(rules->session->arena, types, (RawType){ .row = row, .field = field });
    }
}

RawTypes rule_types(const Rules *rules, const RawLaunchTemplate *template) {
    RawTypes types = { 0 };
    for (uint32_t i = 0; i < template->users.count; i++) {
        const RawFields *fields = &template->users.items[i]->instance_types;
        for (uint32_t k = 0; k < fields->count; k++) {
            add_type(rules, &types, &fields->items[k]);
        }
    }
    if (template->users.count == 0) {
        add_type(rules, &types, &template->instance_type);
    }
    return types;
}
