// A rule about lists in CloudFormation templates: nothing joins a list with the list that it stands in.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "schema/names.h"

// What a resource has on the way to a value.
typedef struct {
    const Rules *rules;
    const PlanTemplate *template;
    const PlanNamed *resource;
} Walk;

static bool is_list_parameter(const PlanNamed *parameter) {
    return parameter != NULL && (str_has(parameter->type, "CommaDelimitedList") || str_has(parameter->type, "List<"));
}

// The one key of a map that calls a function; empty: it is no call.
static Str called(const Data *data) {
    const bool is_one = data->kind == DATA_MAP && data->count == 1;
    const Str key = is_one ? data->entries[0].key : STR_NONE;
    return str_is(key, "Ref") || str_starts_with(key, STR("Fn::")) ? key : STR_NONE;
}

// Whether each value that a map of the template has behind a key of this name is a list.
static bool finds_lists(const PlanTemplate *template, const Data *argument) {
    const bool is_known = argument->kind == DATA_LIST && argument->count >= 3 && template->mappings != NULL &&
                          argument->items[0]->kind == DATA_STRING && argument->items[2]->kind == DATA_STRING;
    const Data *map = NULL;
    for (uint32_t i = 0; is_known && template->mappings->kind == DATA_MAP && i < template->mappings->count; i++) {
        const DataEntry *entry = &template->mappings->entries[i];
        map = str_equal(entry->key, argument->items[0]->string) ? entry->value : map;
    }
    uint32_t lists = 0;
    for (uint32_t i = 0; map != NULL && map->kind == DATA_MAP && i < map->count; i++) {
        const Data *row = map->entries[i].value;
        for (uint32_t k = 0; row->kind == DATA_MAP && k < row->count; k++) {
            const bool is_key = str_equal(row->entries[k].key, argument->items[2]->string);
            lists += is_key && row->entries[k].value->kind == DATA_LIST ? 1 : 0;
        }
    }
    return lists > 0 && lists == map->count;
}

// The list that a value is, or may be by an arm of `Fn::If`; NULL where nothing says that it is one.
static const Data *list_in(const PlanTemplate *template, const Data *item) {
    const Str name = called(item);
    const Data *argument = name.len > 0 ? item->entries[0].value : NULL;
    if (item->kind == DATA_LIST) {
        return item;
    }
    if (str_is(name, "Fn::Split") || str_is(name, "Fn::GetAZs") || str_is(name, "Fn::Cidr") ||
        (str_is(name, "Fn::FindInMap") && finds_lists(template, argument)) ||
        (str_is(name, "Ref") && is_list_parameter(plan_named(template, NAMED_PARAMETER, data_text(item, "Ref"))))) {
        return item;
    }
    const Data *found = NULL;
    if (str_is(name, "Fn::If") && argument->kind == DATA_LIST) {
        for (uint32_t i = 1; found == NULL && i < argument->count; i++) {
            found = list_in(template, argument->items[i]);
        }
    }
    return found;
}

// Of a list on one line its signs can go: what a list of several lines is without its first dash, nobody reads. The text
// between them is taken, and not that of the item, as a tag of YAML stands before its value.
static void fix_outer(Session *session, Diag *diag, const Data *list) {
    const Str text = str_trim(source_text(session, list->span)); // a list with dashes goes on to what is behind it
    const Span span = { list->span.source, list->span.start, list->span.start + (uint32_t)text.len };
    const bool is_on_line = str_find(text, STR("\n"), 0) == text.len;
    const bool has_brackets = str_starts_with(text, STR("[")) && str_ends_with(text, STR("]"));
    const bool has_dash = str_starts_with(text, STR("- ")) && !str_starts_with(text, STR("- - "));
    const Str inner = str_trim(str_slice(text, 1, has_brackets ? text.len - 1 : text.len));
    if (is_on_line && (has_brackets || has_dash) && !str_ends_with(inner, STR(",")) && !str_has(inner, "#")) {
        diag_fix(session, diag, span, inner);
    }
}

static void check_list(const Walk *walk, Str key, const Data *list) {
    for (uint32_t i = 0; i < list->count; i++) {
        const Data *inner = list_in(walk->template, list->items[i]);
        if (inner == NULL) {
            continue;
        }
        const PlanNamed *parameter = plan_named(walk->template, NAMED_PARAMETER, data_text(inner, "Ref"));
        Session *session = walk->rules->session;
        Diag *diag = plan_report(session, walk->resource->subject, inner->span, DIAG(list_in_list), STR_ARG(key));
        if (parameter != NULL) {
            diag_label(session, diag, parameter->span, "a list");
        }
        if (list->count == 1) {
            diag_help(session, diag, "leave out the outer list: this list is the value of `%.*s`", STR_ARG(key));
            if (inner == list->items[0]) {
                fix_outer(session, diag, list);
            }
        } else {
            diag_help(
                session, diag,
                "join all to a text, and split that: `Fn::Split` of `Fn::Join`, with an `Fn::Join` for each list");
        }
        return; // once a list
    }
}

// `key` is the property that the value is of.
static void check_value(const Walk *walk, Str key, const Data *value) {
    const Str function = called(value);
    if (function.len > 0) {
        const Data *arms = str_is(function, "Fn::If") ? value->entries[0].value : NULL;
        for (uint32_t i = 1; arms != NULL && arms->kind == DATA_LIST && i < arms->count; i++) {
            check_value(walk, key, arms->items[i]);
        }
    } else if (value->kind == DATA_LIST) {
        check_list(walk, key, value);
        for (uint32_t i = 0; i < value->count; i++) {
            if (value->items[i]->kind == DATA_MAP) {
                check_value(walk, key, value->items[i]);
            }
        }
    } else if (value->kind == DATA_MAP) {
        for (uint32_t i = 0; i < value->count; i++) {
            if (!names_have(NAMES_FREE_PROPERTIES, value->entries[i].key)) {
                check_value(walk, value->entries[i].key, value->entries[i].value);
            }
        }
    }
}

// Of AWS's own types: a custom resource takes any value.
void rule_template_nested_lists(const Rules *rules, const PlanFile *file) {
    const PlanTemplate *template = file->names;
    for (uint32_t i = 0; template != NULL && !template->is_open && i < template->named.count; i++) {
        const PlanNamed *named = template->named.items[i];
        const bool is_own =
            str_starts_with(named->type, STR("AWS::")) && !str_is(named->type, "AWS::CloudFormation::CustomResource");
        const Data *properties = named->kind == NAMED_RESOURCE && is_own ? data_get(named->data, "Properties") : NULL;
        if (properties != NULL) {
            const Walk walk = { .rules = rules, .template = template, .resource = named };
            check_value(&walk, STR("Properties"), properties);
        }
    }
}
