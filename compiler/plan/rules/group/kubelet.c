// Rules about settings of the kubelet that somebody wrote in a file of eksctl. Those in user data are in
// script/user_data_parts.c.
#include "compiler/plan/rules/kubelet_value.h"
#include "compiler/plan/rules/rule_word.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/cluster_config.h"
#include "compiler/plan/model/object_value.h"
#include "schema/names.h"

static bool is_number(Str text) {
    const size_t start = str_starts_with(text, STR("-")) ? 1 : 0;
    for (size_t i = start; i < text.len; i++) {
        if (!char_is_digit(text.data[i])) {
            return false;
        }
    }
    return text.len > start;
}

// "a number", "true or false"; NULL: another type, or none that the text would be.
static const char *wanted_of(Str key, Str text) {
    const bool is_variable = str_starts_with(text, STR("${")) && str_find(text, STR("}"), 0) + 1 == text.len;
    if (names_have(NAMES_KUBELET_NUMBERS, key)) {
        return is_variable || is_number(text) ? "a number" : NULL;
    }
    const bool is_switch = is_variable || str_is(text, "true") || str_is(text, "false");
    return is_switch && names_have(NAMES_KUBELET_SWITCHES, key) ? "true or false" : NULL;
}

// Of the one text that stands at a place in quotes.
static void unquote(const Rules *rules, Diag *diag, Span place, Str text) {
    const Str written = source_text(rules->session, place);
    const size_t start = str_find(written, text, 0);
    const char before = start == 0 ? 0 : written.data[start - 1];
    if ((before == '"' || before == '\'') && str_at(written, start + text.len) == before) {
        const uint32_t first = place.start + (uint32_t)start - 1;
        rule_unquote(rules, diag,
                     (Span){ .source = place.source, .start = first, .end = first + (uint32_t)text.len + 2 });
    }
}

// A text that begins no list, no map and no block, and that nothing is put into.
static bool is_word(Str value) {
    const char first = str_at(value, 0);
    return value.len > 0 && strchr("[{|>&*!#$-<%@`", first) == NULL && !str_has(value, "${") &&
           !str_is(value, "null") && !str_is(value, "~");
}

bool kubelet_check_shape(const Rules *rules, const Subject *subject, Span place, Str key, Str value) {
    const bool is_list = names_have(NAMES_KUBELET_LISTS, key);
    const bool is_map = names_have(NAMES_KUBELET_MAPS, key);
    const bool is_duration = names_have(NAMES_KUBELET_DURATIONS, key) && is_number(value) && !str_is(value, "0");
    if (!is_duration && !((is_list || is_map) && is_word(value))) {
        return false;
    }
    Diag *diag = plan_report(rules->session, subject, place, DIAG(kubelet_text), STR_ARG(key),
                             is_list  ? "a list"
                             : is_map ? "a map"
                                      : "a duration such as `30s`",
                             is_duration ? "a number" : "a text");
    if (is_list) {
        diag_help(rules->session, diag, "write `%.*s: [%.*s]`", STR_ARG(key), STR_ARG(value));
    } else if (is_map) {
        diag_help(rules->session, diag, "write each of its parts as a key with a value, as `cpu: 250m`");
    } else {
        diag_help(rules->session, diag, "write `%.*ss`", STR_ARG(value));
    }
    return true;
}

void kubelet_check(const Rules *rules, const Subject *subject, Span place, Str key, Str text) {
    const char *wanted = wanted_of(key, text);
    if (wanted != NULL) {
        Diag *diag = plan_report(rules->session, subject, place, DIAG(kubelet_text), STR_ARG(key), wanted, "a text");
        diag_help(rules->session, diag, "leave the quotes out");
        unquote(rules, diag, place, text);
    }
}

void rule_eksctl_kubelet(const Rules *rules, const PlanGroup *group) {
    const Value *kubelet = group->eksctl == NULL ? NULL : group->eksctl->kubelet;
    for (uint32_t i = 0; kubelet != NULL && kubelet->kind == VALUE_MAP && i < kubelet->map.count; i++) {
        const ValueEntry *entry = &kubelet->map.entries[i];
        const Value *value = entry->value;
        const Str text = value->kind == VALUE_INT ? value_print(rules->session->arena, value) : object_text(value);
        if (!kubelet_check_shape(rules, group->subject, value->span, entry->key, text)) {
            kubelet_check(rules, group->subject, value->span, entry->key, object_text(value));
        }
    }
}
