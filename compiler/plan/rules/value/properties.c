// Rules about the properties of resources of CloudFormation and the members of requests of the AWS CLI: whether there are
// such, whether those that are required are there, and whether a list, a map or a single value stands in each.
#include "compiler/plan/rules/rule_word.h"
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/resource_attribute.h"
#include "schema/properties.h"

enum {
    DEPTH_MAX = 16,
    ENTRIES_MAX = 200, // no map has as many properties: one with more is left alone
};

typedef struct {
    const Rules *rules;
    const PlanResource *resource;
} PropertiesCheck;

typedef struct {
    const ValueEntry *entries;
    uint32_t count;
    Span key;   // of what it is the value of
    Str path;   // in the table
    Str called; // as messages call it
    uint32_t depth;
} PropertyMap;

// Functions of CloudFormation decide what such a map is, or another map that it takes over.
static bool is_call(Str key) {
    return str_is(key, "<<") || str_is(key, "Ref") || str_is(key, "Condition") || str_starts_with(key, STR("Fn::"));
}

static bool has_call(const PropertyMap *map) {
    bool has_one = false;
    for (uint32_t i = 0; i < map->count; i++) {
        has_one = has_one || is_call(map->entries[i].key);
    }
    return has_one;
}

// What other rules say: an attribute of the resource that stands among its properties, and the version of a launch template
// in an Auto Scaling group.
static bool is_said_elsewhere(const PropertiesCheck *check, const PropertyMap *map, Str key) {
    const bool is_outer = map->depth == 0 && !check->resource->resource->is_request;
    return (is_outer && (plan_is_resource_key(key) || plan_meant_attribute(check->resource->resource, key) != NULL)) ||
           (str_is(key, "Version") && str_is(check->resource->resource->type, "AWS::AutoScaling::AutoScalingGroup"));
}

static bool find(Str properties, Str name, Property *property) {
    size_t at = 0;
    while (schema_next_property(properties, &at, property)) {
        if (str_equal(property->name, name)) {
            return true;
        }
    }
    return false;
}

// What a request has, and CloudFormation's schema lacks, the resource may have learnt since.
static Str request_of(const PropertiesCheck *check, const PropertyMap *map) {
    return check->resource->resource->is_request
               ? STR_NONE
               : schema_properties(str_format(check->rules->session->arena, "aws-cli %.*s", STR_ARG(map->path)));
}

static bool is_there(const PropertyMap *map, Str name) {
    bool is = false;
    for (uint32_t i = 0; i < map->count; i++) {
        is = is || str_equal(map->entries[i].key, name);
    }
    return is;
}

// As the file has it: members of most requests begin with a small letter.
static Str written(const PropertiesCheck *check, Str like, Str name) {
    const char first = str_at(like, 0);
    const bool is_small = check->resource->resource->is_request && first >= 'a' && first <= 'z';
    const char letter = str_at(name, 0);
    const bool is_capital = letter >= 'A' && letter <= 'Z';
    return is_small && is_capital ? str_format(check->rules->session->arena, "%c%.*s", letter - 'A' + 'a',
                                               STR_ARG(str_slice(name, 1, name.len)))
                                  : name;
}

// A key without its quotes.
static Str key_of(const PropertiesCheck *check, const ValueEntry *entry) {
    const Str text = source_text(check->rules->session, entry->key_span);
    const bool is_quoted = text.len > 1 && (text.data[0] == '"' || text.data[0] == '\'');
    const Str key = is_quoted ? str_slice(text, 1, text.len - 1) : text;
    return str_equal_in_any_case(key, entry->key) ? key : entry->key;
}

// The nearest one that is not there yet. Names that differ in digits alone are no misspelling of each other.
static Suggestion nearest(const PropertiesCheck *check, const PropertyMap *map, Str properties, Str key) {
    Suggestion suggestion = suggest_for(check->rules->session, key);
    Property property;
    size_t at = 0;
    while (schema_next_property(properties, &at, &property)) {
        if (!is_there(map, property.name)) {
            suggest_offer(&suggestion, written(check, key, property.name));
        }
    }
    return suggestion;
}

static bool is_one_property(Str properties) {
    enum { LISTED_MAX = 10 };
    uint32_t count = 0;
    Property property;
    for (size_t at = 0; schema_next_property(properties, &at, &property);) {
        count++;
    }
    return count <= LISTED_MAX;
}

static void list_properties(const PropertiesCheck *check, Diag *diag, Str properties, Str like) {
    StrBuf all = { .arena = check->rules->session->arena };
    Property property;
    for (size_t at = 0; schema_next_property(properties, &at, &property);) {
        const Str name = written(check, like, property.name);
        strbuf_add_format(&all, "%s`%.*s`", strbuf_str(&all).len == 0 ? "" : ", ", STR_ARG(name));
    }
    diag_help(check->rules->session, diag, "it takes %.*s", STR_ARG(strbuf_str(&all)));
}

static void report_unknown(const PropertiesCheck *check, const PropertyMap *map, Str properties,
                           const ValueEntry *entry) {
    Session *session = check->rules->session;
    const Str key = key_of(check, entry);
    const Suggestion suggestion = nearest(check, map, properties, key);
    const bool is_sure = suggestion.best.len > 0 && suggest_is_sure(&suggestion);
    Diag *diag = is_sure ? plan_report(session, check->resource->subject, entry->key_span, DIAG(property_misspelt),
                                       STR_ARG(map->called), STR_ARG(key))
                         : plan_report(session, check->resource->subject, entry->key_span, DIAG(property_unknown),
                                       STR_ARG(map->called), STR_ARG(key));
    if (!suggest_say(session, diag, &suggestion, entry->key_span)) {
        if (is_one_property(properties)) {
            list_properties(check, diag, properties, key);
        } else {
            diag_help(session, diag, "leave it out, or move it to where it belongs");
        }
    }
    plan_say_once(session, diag);
}

// A property that a misspelt one of the map may be.
static bool may_be_misspelt(const PropertiesCheck *check, const PropertyMap *map, Str properties, Str name) {
    bool may_be = false;
    for (uint32_t i = 0; i < map->count; i++) {
        Property property;
        if (!find(properties, map->entries[i].key, &property)) {
            const Suggestion suggestion = nearest(check, map, properties, key_of(check, &map->entries[i]));
            may_be = may_be || str_equal_in_any_case(suggestion.best, name);
        }
    }
    return may_be;
}

// Where a value may be left out by a condition, its key is there.
static void check_required(const PropertiesCheck *check, const PropertyMap *map, Str properties) {
    Session *session = check->rules->session;
    Property property;
    for (size_t at = 0; schema_next_property(properties, &at, &property);) {
        Property other;
        if (property.is_required && find(request_of(check, map), property.name, &other) && !other.is_required) {
            continue; // a newer one may stand in its place
        }
        if (!property.is_required || is_there(map, property.name) || is_said_elsewhere(check, map, property.name) ||
            may_be_misspelt(check, map, properties, property.name)) {
            continue;
        }
        const Str like = map->count > 0 ? key_of(check, &map->entries[0]) : STR_NONE;
        const Str name = written(check, like, property.name);
        Diag *diag = plan_report(session, check->resource->subject, map->key, DIAG(property_missing),
                                 STR_ARG(map->called), STR_ARG(name));
        diag_help(session, diag, "write `%.*s` into it", STR_ARG(name));
        plan_say_once(session, diag);
    }
}

// ---- forms -----------------------------------------------------------------------------------------------------------

static const char *form_name(PropertyForm form) {
    switch (form) {
    case PROPERTY_LIST:
        return "a list";
    case PROPERTY_MAP:
        return "a map";
    case PROPERTY_TEXT:
    case PROPERTY_ANY:
        break;
    }
    return "a single value";
}

// PROPERTY_ANY where a function decides, or a deployment.
static PropertyForm form_of(const Value *value) {
    const bool is_scalar = value->kind == VALUE_STRING || value->kind == VALUE_INT || value->kind == VALUE_BOOL;
    const bool is_empty = value->kind == VALUE_STRING && value->string.len == 0;
    const PropertyMap map = { .entries = value->map.entries, .count = value->map.count };
    if (value->kind == VALUE_MAP) {
        return has_call(&map) ? PROPERTY_ANY : PROPERTY_MAP;
    }
    return value->kind == VALUE_LIST ? PROPERTY_LIST : is_scalar && !is_empty ? PROPERTY_TEXT : PROPERTY_ANY;
}

// A text that somebody else fills in may become a list.
static bool is_filled_in(const Value *value) {
    const Str text = value->kind == VALUE_STRING ? value->string : STR_NONE;
    return str_has(text, "{{") || str_has(text, "${") || str_has(text, "<");
}

static bool check_form(const PropertiesCheck *check, const ValueEntry *entry, PropertyForm form) {
    const PropertyForm own = form_of(entry->value);
    if (form == PROPERTY_ANY || own == PROPERTY_ANY || own == form || is_filled_in(entry->value)) {
        return true;
    }
    Session *session = check->rules->session;
    const bool is_value = own == PROPERTY_TEXT;
    const Span span = is_value ? entry->value->span : entry->key_span;
    if (span_is_none(span)) {
        return false;
    }
    const Str key = key_of(check, entry);
    Diag *diag = plan_report(session, check->resource->subject, span, DIAG(property_form), STR_ARG(key),
                             form_name(form), form_name(own));
    const Str text = is_value ? source_text(session, span) : STR_NONE;
    if (form == PROPERTY_LIST && is_value && str_find(text, STR("\n"), 0) == text.len) {
        diag_help(session, diag, "write `[%.*s]`", STR_ARG(text));
    } else if (form == PROPERTY_LIST) {
        diag_help(session, diag, "put it into a list, as its one item");
    } else if (own == PROPERTY_LIST) {
        diag_help(session, diag, "write one of the items, without the list");
    } else {
        diag_help(session, diag, "write %s", form_name(form));
    }
    plan_say_once(session, diag);
    return false;
}

// ----------------------------------------------------------------------------------------------------------------------

static void check_map(const PropertiesCheck *check, const PropertyMap *map);

static void check_value(const PropertiesCheck *check, const PropertyMap *outer, const ValueEntry *entry, Str path,
                        const Value *value) {
    if (value->kind == VALUE_LIST) {
        for (uint32_t i = 0; i < value->list.count; i++) {
            if (value->list.items[i]->kind == VALUE_MAP) {
                check_value(check, outer, entry, path, value->list.items[i]);
            }
        }
        return;
    }
    const PropertyMap map = { .entries = value->map.entries,
                              .count = value->map.count,
                              .key = entry->key_span,
                              .path = path,
                              .called = key_of(check, entry),
                              .depth = outer->depth + 1 };
    if (value->kind == VALUE_MAP && map.depth < DEPTH_MAX) {
        check_map(check, &map);
    }
}

static void check_map(const PropertiesCheck *check, const PropertyMap *map) {
    const Str properties = schema_properties(map->path);
    if (properties.len == 0 || map->count > ENTRIES_MAX || has_call(map)) {
        return;
    }
    Arena *arena = check->rules->session->arena;
    for (uint32_t i = 0; i < map->count; i++) {
        const ValueEntry *entry = &map->entries[i];
        Property property;
        if (span_is_none(entry->key_span)) {
            continue; // it stands in no file
        }
        if (!find(properties, entry->key, &property)) {
            if (is_said_elsewhere(check, map, entry->key) || find(request_of(check, map), entry->key, &property)) {
                continue;
            }
            report_unknown(check, map, properties, entry);
        } else if (check_form(check, entry, property.form) && property.form != PROPERTY_TEXT) {
            const Str path = str_format(arena, "%.*s/%.*s", STR_ARG(map->path), STR_ARG(property.name));
            check_value(check, map, entry, path, entry->value);
        }
    }
    check_required(check, map, properties);
}

void rule_properties(const Rules *rules, const PlanResource *resource) {
    const Resource *raw = resource->resource;
    const PropertiesCheck check = { .rules = rules, .resource = resource };
    const Str path =
        raw->is_request ? str_format(rules->session->arena, "aws-cli %.*s", STR_ARG(raw->type)) : raw->type;
    const PropertyMap map = { .entries = raw->properties,
                              .count = raw->property_count,
                              .key = raw->is_request ? raw->span : raw->type_span,
                              .path = path,
                              .called = raw->is_request ? STR("the request") : raw->type };
    check_map(&check, &map);
}
