// Rules about ids and ARNs that are written as they are: each is of the kind that its place takes. The service says so when
// the rest is there, and a tool before.
#include "compiler/plan/rules/rule_written.h"
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/rule_word.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/rules/placeholder.h"
#include "compiler/plan/rules/pseudo_parameter.h"
#include "compiler/plan/rules/value/kind_forms.h"
#include "compiler/plan/rules/value_place.h"
#include "schema/resource_types.h"

enum {
    ID_DIGITS = 17,
    ID_DIGITS_OLD = 8,
    ID_DIGITS_LOST = 3, // further off it is a word that stands for an id
};

// Whose properties these are.
typedef struct {
    ValuePlace at;
    Str type;
} Properties;

static Str kinds_of(Arena *arena, const ResourceTakes *takes) {
    StrBuf text = { .arena = arena };
    for (size_t i = 0; takes->kinds[i] != NULL; i++) {
        strbuf_add_format(&text, "%s%s", i == 0 ? "" : " or ", takes->kinds[i]);
    }
    return strbuf_str(&text);
}

static bool is_to_replace(Str text) {
    size_t start;
    size_t end;
    return placeholder_find(text, TEXT_PLAIN, 0, &start, &end) || placeholder_find_example(text, 0, &start, &end);
}

static void check_text(const Properties *place, const ResourceTakes *takes, Str key, const Value *value, Str text) {
    Session *session = place->at.rules->session;
    ResourceId id;
    const Str kind = resource_literal(text, &id);
    const bool is_whole = id.strays == 0 && (id.length == 0 || id.length == ID_DIGITS || id.length == ID_DIGITS_OLD);
    const bool is_near = id.length + ID_DIGITS_LOST >= ID_DIGITS && id.length <= ID_DIGITS + ID_DIGITS_LOST &&
                         id.strays <= ID_DIGITS_LOST;
    const bool is_kind = kind.len > 0 && resource_takes_kind(takes, kind);
    if (kind.len == 0 || (is_kind ? is_whole || !is_near : !is_whole)) {
        kind_form_check(&place->at, takes, key, value, text);
        return;
    }
    if (is_to_replace(text)) {
        return;
    }
    const Str what = !is_kind         ? kind
                     : id.strays == 0 ? str_format(session->arena, "one with %zu digits", id.length)
                                      : str_format(session->arena, "one with the letter `%c`", id.first_stray);
    const Subject *subject = place_subject(&place->at, value->span);
    Diag *diag = plan_report(session, subject, value->span, DIAG(kind_of_reference), STR_ARG(key),
                             STR_ARG(kinds_of(session->arena, takes)), STR_ARG(what));
    if (is_kind) {
        diag_help(session, diag, "ids have 17 digits of 0 to 9 and a to f, and old ones 8: copy it again");
    } else {
        diag_help(session, diag, "write %.*s", STR_ARG(kinds_of(session->arena, takes)));
        const Str group = STR(":log-group:");
        const size_t at = str_find(text, group, 0);
        const Str name = at < text.len ? str_slice(text, at + group.len, text.len) : STR_NONE;
        if (resource_takes_kind(takes, STR("a log group name"))) {
            rule_replace(place->at.rules, diag, value->span, text, str_slice(name, 0, str_find(name, STR(":"), 0)));
        }
    }
}

// `outer` is the key of the map around, and `key` that of the value or of the list that it is in.
static void check_value(const Properties *place, Str outer, Str key, const Value *value) {
    const bool is_call = value->kind != VALUE_STRING && pseudo_parameter_is(value);
    const Str text = is_call ? pseudo_parameter_text(place->at.rules->session->arena, value) : object_text(value);
    const ResourceTakes *takes = text.len > 0 ? resource_takes(place->type, outer, key) : NULL;
    if (takes != NULL) {
        check_text(place, takes, key, value, text);
    }
    if (is_call) {
        return;
    }
    for (uint32_t i = 0; value->kind == VALUE_LIST && i < value->list.count; i++) {
        check_value(place, outer, key, value->list.items[i]);
    }
    for (uint32_t i = 0; value->kind == VALUE_MAP && i < value->map.count; i++) {
        check_value(place, key, value->map.entries[i].key, value->map.entries[i].value);
    }
}

void rule_literal_kinds(const Rules *rules, const PlanResource *resource) {
    const Resource *raw = resource->resource;
    const Properties place = { .at = { .rules = rules, .subject = resource->subject }, .type = raw->type };
    for (uint32_t i = 0; i < raw->property_count; i++) {
        check_value(&place, STR_NONE, raw->properties[i].key, raw->properties[i].value);
    }
}

// What a text begins with, as far as the file tells.
static Str known_beginning(const Value *value) {
    const Value *text = object_get(value, "Fn::Sub");
    return object_text(text == NULL ? value : text);
}

// source: Amazon EC2 API Reference, CreateSecurityGroup, GroupName, 2026-11
void rule_names_like_ids(const Rules *rules, const PlanResource *resource) {
    const bool is_group = str_is(resource->resource->type, "AWS::EC2::SecurityGroup");
    const Value *name = is_group ? resource_property(resource->resource, "GroupName") : NULL;
    const Str text = known_beginning(name);
    if (str_starts_with(text, STR("sg-"))) {
        Diag *diag = rule_bad_name(rules, resource->subject, name->span, text, "the name of a security group",
                                   "ids begin with `sg-`, and names must not");
        diag_help(rules->session, diag, "write another name, or leave it out");
    }
}

// ---- files of tools, and objects of Kubernetes -------------------------------------------------------------------------

void rule_configuration_ids(const Rules *rules, const PlanConfiguration *configuration) {
    const Properties place = { .at = { .rules = rules, .configuration = configuration },
                               .type = STR("ParallelCluster") };
    check_value(&place, STR_NONE, STR_NONE, configuration->document);
}

void rule_cluster_config_ids(const Rules *rules, const PlanClusterConfig *config) {
    const Properties place = { .at = { .rules = rules, .configuration = &config->file }, .type = STR("ClusterConfig") };
    check_value(&place, STR_NONE, STR_NONE, config->file.document);
}

void rule_object_ids(const Rules *rules, const PlanObject *object) {
    const Properties place = { .at = { .rules = rules, .subject = object->subject }, .type = object->resource->type };
    if (object->is_manifest && resource_has_takes(place.type)) {
        check_value(&place, STR_NONE, STR_NONE, object->fields); // else rule_literal_kinds asks
    }
}
