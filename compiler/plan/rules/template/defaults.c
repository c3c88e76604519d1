// Rules about the defaults of a template's parameters: one that the parameter itself does not take, or that nothing made
// with it can work with.
#include "compiler/plan/rules/rule_word.h"

#include "compiler/base/pattern.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/condition_space.h"
#include "schema/resource_types.h"
#include "schema/schema.h"

static bool is_list(const PlanNamed *parameter) {
    return str_is(parameter->type, "CommaDelimitedList") || str_starts_with(parameter->type, STR("List<"));
}

// The default as a text; false where it has none.
static bool default_of(const PlanNamed *parameter, const Data **value) {
    *value = parameter->kind == NAMED_PARAMETER ? data_get(parameter->data, "Default") : NULL;
    return *value != NULL && (*value)->kind != DATA_LIST && (*value)->kind != DATA_MAP && (*value)->kind != DATA_NULL;
}

// ---- what the parameter does not take ----------------------------------------------------------------------------

static Diag *report_default(const Rules *rules, const PlanNamed *parameter, const Data *value, const Data *limit,
                            Str what) {
    Diag *diag = plan_report(rules->session, parameter->subject, value->span, DIAG(default_refused),
                             STR_ARG(parameter->name), STR_ARG(what));
    if (limit != NULL) {
        diag_label(rules->session, diag, limit->span, "%s", "");
    }
    return diag;
}

// The texts of a list, as rule_word_meant() takes them.
static Str words_of(const Rules *rules, const Data *values) {
    StrBuf words = { .arena = rules->session->arena };
    for (uint32_t i = 0; i < values->count && values->kind == DATA_LIST; i++) {
        strbuf_add_format(&words, "%s%.*s", i == 0 ? "" : "|", STR_ARG(values->items[i]->string));
    }
    return strbuf_str(&words);
}

static bool check_values(const Rules *rules, const PlanNamed *parameter, const Data *value) {
    const Data *values = parameter_values(parameter);
    Str rest = value->string;
    while (values != NULL) {
        const size_t end = is_list(parameter) ? str_find(rest, STR(","), 0) : rest.len;
        const Str item = is_list(parameter) ? str_trim(str_slice(rest, 0, end)) : rest;
        if (!parameter_may_be(values, item, value->kind == DATA_BOOL)) {
            Diag *diag = report_default(
                rules, parameter, value, values,
                str_format(rules->session->arena, "`%.*s` is not among its `AllowedValues`", STR_ARG(item)));
            if (!is_list(parameter)) {
                rule_replace(rules, diag, value->span, item, rule_word_meant(item, words_of(rules, values)));
            }
            return true;
        }
        if (end >= rest.len) {
            break;
        }
        rest = str_slice(rest, end + 1, rest.len);
    }
    return false;
}

static bool check_pattern(const Rules *rules, const PlanNamed *parameter, const Data *value) {
    const Data *pattern = data_get(parameter->data, "AllowedPattern");
    uint64_t steps = 0;
    if (pattern == NULL || pattern->kind != DATA_STRING || is_list(parameter) ||
        pattern_match_counted(rules->session, pattern->string, value->string, NULL, &steps) != PATTERN_NO) {
        return false;
    }
    report_default(
        rules, parameter, value, pattern,
        str_format(rules->session->arena, "`%.*s` does not match its `AllowedPattern`", STR_ARG(value->string)));
    return true;
}

typedef struct {
    const char *key;
    bool is_length; // of a text; else of a number
    bool is_least;
} BoundRow;

static const BoundRow BOUNDS[] = {
    { "MinLength", true, true },
    { "MaxLength", true, false },
    { "MinValue", false, true },
    { "MaxValue", false, false },
};

// The number of a scalar, whether it is written in quotes or not.
static bool number_of(const Data *data, int64_t *number) {
    const Str text = data->kind == DATA_STRING || data->kind == DATA_INT ? data->string : STR_NONE;
    const bool is_negative = str_starts_with(text, STR("-"));
    *number = 0;
    for (size_t i = is_negative ? 1 : 0; i < text.len; i++) {
        if (!char_is_digit(text.data[i]) || i > 15) {
            return false;
        }
        *number = *number * 10 + (text.data[i] - '0');
    }
    *number = is_negative ? -*number : *number;
    return text.len > (is_negative ? 1U : 0U);
}

static void check_bounds(const Rules *rules, const PlanNamed *parameter, const Data *value) {
    for (size_t i = 0; i < COUNT_OF(BOUNDS); i++) {
        const BoundRow *row = &BOUNDS[i];
        const Data *bound = data_get(parameter->data, row->key);
        int64_t limit;
        int64_t amount = (int64_t)str_count_characters(value->string);
        const bool is_asked = bound != NULL && number_of(bound, &limit) &&
                              (row->is_length ? str_is(parameter->type, "String")
                                              : str_is(parameter->type, "Number") && number_of(value, &amount));
        if (is_asked && (row->is_least ? amount < limit : amount > limit)) {
            report_default(rules, parameter, value, bound,
                           row->is_length
                               ? str_format(rules->session->arena, "its length is %" PRId64 ", and `%s` is %" PRId64,
                                            amount, row->key, limit)
                               : str_format(rules->session->arena, "`%s` is %" PRId64, row->key, limit));
            return;
        }
    }
}

static void check_own(const Rules *rules, const PlanNamed *parameter, const Data *value) {
    if (!check_values(rules, parameter, value) && !check_pattern(rules, parameter, value)) {
        check_bounds(rules, parameter, value);
    }
}

// ---- nothing at all ----------------------------------------------------------------------------------------------

// A property that is given the parameter whatever the conditions are, and takes an id; NULL without one.
static const PlanUse *use_of_empty(const PlanTemplate *template, const PlanNamed *parameter) {
    for (uint32_t i = 0; i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        const bool is_given = use->to == parameter && use->kind == USE_REF && use->is_whole && use->guard == NULL &&
                              use->from != NULL && use->from->kind == NAMED_RESOURCE;
        if (is_given && resource_takes(use->from->type, use->outer, use->key) != NULL) {
            return use;
        }
    }
    return NULL;
}

static void check_empty(const Rules *rules, const PlanTemplate *template, const PlanNamed *parameter,
                        const Data *value) {
    if (value->kind != DATA_STRING || str_trim(value->string).len > 0) {
        return;
    }
    const PlanUse *use = parameter_is_id(parameter) ? NULL : use_of_empty(template, parameter);
    if (parameter_is_id(parameter)) {
        Diag *diag =
            plan_report(rules->session, parameter->subject, value->span, DIAG(default_empty), STR_ARG(parameter->name));
        diag_note(rules->session, diag, "CloudFormation looks up each value of an `%.*s`", STR_ARG(parameter->type));
        diag_help(rules->session, diag,
                  "leave `Default` out; where nothing may be given, write `Type: String` and a condition");
    } else if (use != NULL) {
        Diag *diag =
            plan_report(rules->session, parameter->subject, value->span, DIAG(default_empty), STR_ARG(parameter->name));
        diag_label(rules->session, diag, use->span, "`%.*s` takes no empty text", STR_ARG(use->key));
        diag_help(rules->session, diag,
                  "leave `Default` out, or write `!If` with `!Ref AWS::NoValue` where it is used");
    }
}

// ------------------------------------------------------------------------------------------------------------------

void rule_template_defaults(const Rules *rules, const PlanFile *file) {
    const PlanTemplate *template = file->names;
    for (uint32_t i = 0; template != NULL && i < template->named.count; i++) {
        const PlanNamed *parameter = template->named.items[i];
        const Data *value;
        if (default_of(parameter, &value)) {
            check_own(rules, parameter, value);
            check_empty(rules, template, parameter, value);
        }
    }
}
