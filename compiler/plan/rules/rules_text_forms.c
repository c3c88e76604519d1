// A rule about texts in resources of CloudFormation that have a form: a schedule, a path, a name.
#include "compiler/plan/rules/placeholder.h"
#include "compiler/plan/rules/rules.h"

#include "compiler/base/pattern.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/object_value.h"

typedef struct {
    const char *path;
    const char *pattern;
    const char *what;
    const char *example;
} FormRow;

static const FormRow FORM_ROWS[] = {
#define TEXT_FORM(path, pattern, what, example) { path, pattern, what, example },
#include "schema/text_forms.def"
};

// Somebody else fills it in before the service reads it.
static bool is_filled_in(Str text) {
    size_t start = 0;
    size_t end = 0;
    return str_find(text, STR("{{"), 0) < text.len || placeholder_find(text, TEXT_VALUE, 0, &start, &end);
}

static void check_text(const Rules *rules, const PlanResource *resource, const FormRow *row, const Value *value) {
    const Str text = object_text(value);
    if (text.len == 0 || is_filled_in(text) ||
        pattern_match(rules->session, str_of(row->pattern), text, NULL) != PATTERN_NO) {
        return;
    }
    Diag *diag = plan_report(rules->session, resource->subject, value->span, DIAG(text_form),
                             STR_ARG(str_after_last(str_of(row->path), '/')), row->what, STR_ARG(text));
    diag_help(rules->session, diag, "write a text such as `%s`", row->example);
}

// Goes on along the properties that lead to the text, of each item where one is a list.
static void check_path(const Rules *rules, const PlanResource *resource, const FormRow *row, Str path,
                       const Value *value) {
    for (uint32_t i = 0; i < object_count(value); i++) {
        check_path(rules, resource, row, path, value->list.items[i]);
    }
    if (object_count(value) > 0) {
        return;
    }
    if (path.len == 0) {
        check_text(rules, resource, row, value);
        return;
    }
    const size_t end = str_find(path, STR("/"), 0);
    const Str key = str_slice(path, 0, end);
    for (uint32_t i = 0; value != NULL && value->kind == VALUE_MAP && i < value->map.count; i++) {
        if (str_equal(value->map.entries[i].key, key)) {
            check_path(rules, resource, row, str_slice(path, end + 1, path.len), value->map.entries[i].value);
        }
    }
}

void rule_text_forms(const Rules *rules, const PlanResource *resource) {
    const Resource *raw = resource->resource;
    for (size_t i = 0; i < COUNT_OF(FORM_ROWS); i++) {
        const Str path = str_of(FORM_ROWS[i].path);
        const size_t end = str_find(path, STR("/"), 0);
        if (!str_equal(raw->type, str_slice(path, 0, end))) {
            continue;
        }
        const size_t next = str_find(path, STR("/"), end + 1);
        const Str key = str_slice(path, end + 1, next);
        for (uint32_t k = 0; k < raw->property_count; k++) {
            if (str_equal(raw->properties[k].key, key)) {
                check_path(rules, resource, &FORM_ROWS[i], str_slice(path, next + 1, path.len),
                           raw->properties[k].value);
            }
        }
    }
}
