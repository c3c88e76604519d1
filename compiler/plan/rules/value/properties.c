// Rules about the properties of resources of CloudFormation and the members of requests of the AWS CLI: whether there are
// such, whether those that are required are there, and whether a list, a map or a single value stands in each.
#include "compiler/plan/rules/rule_word.h"
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object_value.h"
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

// Functions of CloudFormation decide what such a map is, a program that writes another in its place, as Rain does, or another
// map that it takes over.
static bool is_call(Str key) {
    return str_is(key, "<<") || str_is(key, "Ref") || str_is(key, "Condition") || str_starts_with(key, STR("Fn::")) ||
           str_starts_with(key, STR("Rain::"));
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
    return (is_outer && (plan_resource_attribute(check->resource->resource, key) != RESOURCE_PROPERTY ||
                         plan_meant_attribute(check->resource->resource, key) != NULL)) ||
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

// Services whose members begin with a small letter.
static bool has_small_members(Str type) {
    static const char *const SERVICES[] = { "AWS::Batch::", "AWS::EKS::", "AWS::PCS::" };
    return str_starts_with_any(type, SERVICES, COUNT_OF(SERVICES));
}

// What a request calls otherwise: compiler/readers/aws_cli/aws_cli_request.c reads it as the property.
static const struct {
    const char *type;
    const char *property;
    const char *member;
} MEMBER_ROWS[] = {
    { "AWS::PCS::ComputeNodeGroup", "ClusterId", "clusterIdentifier" },
    { "AWS::PCS::ComputeNodeGroup", "Name", "computeNodeGroupName" },
    { "AWS::PCS::ComputeNodeGroup", "TemplateId", "id" },
};

// As the file has to have it.
static Str written(const PropertiesCheck *check, Str name) {
    const Resource *raw = check->resource->resource;
    if (!raw->is_request || !has_small_members(raw->type)) {
        return name;
    }
    for (size_t i = 0; i < COUNT_OF(MEMBER_ROWS); i++) {
        if (str_is(raw->type, MEMBER_ROWS[i].type) && str_is(name, MEMBER_ROWS[i].property)) {
            return str_of(MEMBER_ROWS[i].member);
        }
    }
    return str_format(check->rules->session->arena, "%c%.*s", char_small(name.data[0]),
                      STR_ARG(str_slice(name, 1, name.len)));
}

// A key without its quotes.
static Str key_of(const PropertiesCheck *check, const ValueEntry *entry) {
    const Str text = source_text(check->rules->session, entry->key_span);
    const bool is_quoted = text.len > 1 && (text.data[0] == '"' || text.data[0] == '\'');
    const Str key = is_quoted ? str_slice(text, 1, text.len - 1) : text;
    const bool is_whole = str_starts_with(key, STR("{")); // what stands in no map of the file
    return is_whole                                                                          ? STR("the request")
           : check->resource->resource->is_request || str_equal_in_any_case(key, entry->key) ? key
                                                                                             : entry->key;
}

// The nearest one that is not there yet.
static Suggestion nearest(const PropertiesCheck *check, const PropertyMap *map, Str properties, Str key) {
    Suggestion suggestion = suggest_for(check->rules->session, key);
    Property property;
    size_t at = 0;
    while (schema_next_property(properties, &at, &property)) {
        if (!is_there(map, property.name)) {
            suggest_offer(&suggestion, written(check, property.name));
        }
    }
    return suggestion;
}

static bool may_be_listed(Str properties) {
    enum { LISTED_MAX = 10 };
    uint32_t count = 0;
    Property property;
    for (size_t at = 0; schema_next_property(properties, &at, &property);) {
        count++;
    }
    return count <= LISTED_MAX;
}

static void list_properties(const PropertiesCheck *check, Diag *diag, Str properties) {
    StrBuf all = { .arena = check->rules->session->arena };
    Property property;
    for (size_t at = 0; schema_next_property(properties, &at, &property);) {
        const Str name = written(check, property.name);
        strbuf_add_format(&all, "%s`%.*s`", strbuf_str(&all).len == 0 ? "" : ", ", STR_ARG(name));
    }
    diag_help(check->rules->session, diag, "it takes %.*s", STR_ARG(strbuf_str(&all)));
}

// The next required one that is not there, from `*at` on; empty: all are. Where a value may be left out by a condition, its
// key is there.
static Str next_missing(const PropertiesCheck *check, const PropertyMap *map, Str properties, size_t *at) {
    Property property;
    while (schema_next_property(properties, at, &property)) {
        Property other;
        const bool may_be_replaced = // by a newer one
            property.is_required && find(request_of(check, map), property.name, &other) && !other.is_required;
        if (property.is_required && !may_be_replaced && !is_there(map, property.name) &&
            !is_said_elsewhere(check, map, property.name)) {
            return written(check, property.name);
        }
    }
    return STR_NONE;
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
        size_t at = 0;
        const Str required = next_missing(check, map, properties, &at);
        if (required.len > 0) {
            diag_help(session, diag, "it needs `%.*s`, which is not there", STR_ARG(required));
        } else if (may_be_listed(properties)) {
            list_properties(check, diag, properties);
        } else {
            diag_help(session, diag, "leave it out, or move it to where it belongs");
        }
    }
}

static void check_required(const PropertiesCheck *check, const PropertyMap *map, Str properties) {
    Session *session = check->rules->session;
    if (map->depth == 0 && check->resource->resource->is_part) {
        return;
    }
    Str name;
    for (size_t at = 0; (name = next_missing(check, map, properties, &at)).len > 0;) {
        Diag *diag = plan_report(session, check->resource->subject, map->key, DIAG(property_missing),
                                 STR_ARG(map->called), STR_ARG(name));
        diag_help(session, diag, "write `%.*s` into it", STR_ARG(name));
    }
}

// ---- forms -----------------------------------------------------------------------------------------------------------

static const char *form_name(PropertyForm form) {
    switch (form) {
    case PROPERTY_LIST:
        return "a list";
    case PROPERTY_MAP:
        return "a map";
    case PROPERTY_NUMBER:
        return "a number";
    case PROPERTY_BOOL:
        return "true or false";
    case PROPERTY_TEXT:
        return "a text";
    case PROPERTY_ANY:
        break;
    }
    return "a single value";
}

// PROPERTY_ANY where a function decides, or a deployment.
static PropertyForm form_of(const Value *value) {
    const PropertyMap map = { .entries = value->map.entries, .count = value->map.count };
    if (value->kind == VALUE_MAP) {
        return has_call(&map) ? PROPERTY_ANY : PROPERTY_MAP;
    }
    return value->kind == VALUE_LIST                                                     ? PROPERTY_LIST
           : value->kind == VALUE_INT || (value->kind == VALUE_STRING && value->is_real) ? PROPERTY_NUMBER
           : value->kind == VALUE_BOOL                                                   ? PROPERTY_BOOL
           : value->kind == VALUE_STRING && str_trim(value->string).len > 0              ? PROPERTY_TEXT
                                                                                         : PROPERTY_ANY;
}

static bool is_number_text(Str text) {
    bool is = text.len > 0;
    for (size_t i = 0; i < text.len; i++) {
        is = is && (char_is_digit(text.data[i]) || strchr("+-.eE", text.data[i]) != NULL);
    }
    return is;
}

// YAML 1.1, which CloudFormation reads, has more words than JSON.
static bool is_switch_word(Str text) {
    static const char *const WORDS[] = { "true", "false", "yes", "no", "on", "off" };
    bool is = false;
    for (size_t i = 0; i < COUNT_OF(WORDS); i++) {
        is = is || str_is_in_any_case(text, WORDS[i]);
    }
    return is;
}

// CloudFormation makes a number of the text "8", and a text of a number. The AWS CLI does neither, but in YAML, where quotes
// are read otherwise.
static bool is_taken(const PropertiesCheck *check, PropertyForm form, PropertyForm own, const Value *value) {
    const bool is_single = form == PROPERTY_TEXT || form == PROPERTY_NUMBER || form == PROPERTY_BOOL;
    const bool is_own_single = own == PROPERTY_TEXT || own == PROPERTY_NUMBER || own == PROPERTY_BOOL;
    const bool is_one_item = form == PROPERTY_LIST && own == PROPERTY_MAP && !check->resource->resource->is_request;
    if (form == PROPERTY_ANY || own == PROPERTY_ANY || own == form || is_one_item) {
        return true; // CloudFormation takes a map for the one item of a list
    }
    if (!is_single || !is_own_single) {
        return false;
    }
    const Str whole = source_text(check->rules->session, check->resource->resource->whole);
    if (check->resource->resource->is_request && str_starts_with(str_trim(whole), STR("{"))) {
        return false;
    }
    const bool is_switch = is_switch_word(object_text(value));
    return form == PROPERTY_TEXT ||
           (form == PROPERTY_NUMBER && own == PROPERTY_TEXT && is_number_text(value->string)) ||
           (form == PROPERTY_BOOL && own == PROPERTY_TEXT && is_switch);
}

// A text that somebody else fills in may become anything.
static bool is_filled_in(const Value *value) {
    const Str text = value->kind == VALUE_STRING ? value->string : STR_NONE;
    return str_has(text, "{{") || str_has(text, "${") || str_has(text, "<") || str_has(text, "$(");
}

// `Code: ../function`, before `aws cloudformation package` has uploaded it and has written where it is.
// source: AWS CLI Command Reference, cloudformation package, 2026-11
static bool is_packaged(const ValueEntry *entry, PropertyForm form) {
    static const char *const KEYS[] = { "Code", "Content", "BodyS3Location", "DefinitionS3Location", "S3" };
    bool is = str_is_any(entry->key, KEYS, COUNT_OF(KEYS));
    return is && form == PROPERTY_MAP && entry->value->kind == VALUE_STRING;
}

// `{ "Rain::Embed": … }`: another tool puts something else in its place.
static bool is_of_tool(const Value *value) {
    return value->kind == VALUE_MAP && value->map.count == 1 && str_has(value->map.entries[0].key, "::");
}

static bool check_form(const PropertiesCheck *check, const ValueEntry *entry, PropertyForm form) {
    const PropertyForm own = form_of(entry->value);
    if (is_taken(check, form, own, entry->value) || is_filled_in(entry->value) || is_packaged(entry, form) ||
        is_of_tool(entry->value)) {
        return true;
    }
    Session *session = check->rules->session;
    const bool is_value = own != PROPERTY_LIST && own != PROPERTY_MAP;
    const Span span = is_value ? entry->value->span : entry->key_span;
    if (span_is_none(span)) {
        return false;
    }
    const Str key = key_of(check, entry);
    const bool is_single = form != PROPERTY_LIST && form != PROPERTY_MAP && !is_value;
    Diag *diag =
        plan_report(session, check->resource->subject, span, DIAG(property_form), STR_ARG(key),
                    is_single ? "a single value" : form_name(form),
                    is_value && (form == PROPERTY_LIST || form == PROPERTY_MAP) ? "a single value" : form_name(own));
    const Str text = is_value ? source_text(session, span) : STR_NONE;
    if (form == PROPERTY_LIST && is_value && str_find(text, STR("\n"), 0) == text.len) {
        diag_help(session, diag, "write `[%.*s]`", STR_ARG(text));
    } else if (form == PROPERTY_LIST) {
        diag_soften(session, diag); // some services take one map for a list of one
        diag_help(session, diag, "put it into a list, as its one item");
    } else if (own == PROPERTY_LIST) {
        diag_help(session, diag, "write one of the items, without the list");
    } else if (form == PROPERTY_NUMBER && own == PROPERTY_TEXT && char_is_digit(entry->value->string.data[0])) {
        size_t end = 0;
        while (char_is_digit(str_at(entry->value->string, end))) {
            end++;
        }
        diag_help(session, diag, "write `%.*s`, without a unit", STR_ARG(str_slice(entry->value->string, 0, end)));
    } else if (form == PROPERTY_TEXT && is_value) {
        diag_help(session, diag, "write `\"%.*s\"`", STR_ARG(text));
    } else {
        diag_help(session, diag, "write %s", form_name(form));
    }
    return false;
}

// A member in small letters where the service has it in capital ones, or the other way round.
static bool check_case(const PropertiesCheck *check, const PropertyMap *map, const ValueEntry *entry) {
    const Str key = key_of(check, entry);
    const Str right = written(check, entry->key);
    if (!check->resource->resource->is_request || !str_equal_in_any_case(key, right) || str_equal(key, right)) {
        return true;
    }
    Session *session = check->rules->session;
    Diag *diag = plan_report(session, check->resource->subject, entry->key_span, DIAG(property_misspelt),
                             STR_ARG(map->called), STR_ARG(key));
    Suggestion suggestion = suggest_for(session, key);
    suggest_offer(&suggestion, right);
    suggest_say(session, diag, &suggestion, entry->key_span);
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
    bool has_unknown = false;
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
            has_unknown = true;
            report_unknown(check, map, properties, entry);
        } else if (check_case(check, map, entry) && check_form(check, entry, property.form)) {
            const Str path = str_format(arena, "%.*s/%.*s", STR_ARG(map->path), STR_ARG(property.name));
            check_value(check, map, entry, path, entry->value);
        }
    }
    if (!has_unknown) {
        check_required(check, map, properties);
    }
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
