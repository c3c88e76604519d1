// Rules about names of Kubernetes: keys of labels and taints, and late values among what nodes of a stack are told. The
// type `label_value` says what a value looks like, and is checked elsewhere. So are keys of taints, except for the
// length of their prefix, which no pattern can limit.
#include "compiler/base/pattern.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/maker.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/rules/rules.h"
#include "schema/names.h"
#include "stdlib/node/contract.h"

// ---- keys ------------------------------------------------------------------------------------------------------

// What stands before the slash; empty without one.
static Str prefix_of(Str key) {
    const size_t slash = str_find(key, STR("/"), 0);
    return slash == key.len ? STR_NONE : str_slice(key, 0, slash);
}

// Whether Kubernetes takes a key; says what is wrong with one that it does not take.
static bool check_key(const Rules *rules, const Subject *subject, Str key, Span span, const char *of) {
    const PatternRow *row = schema_pattern(STR("label_key"));
    const Str prefix = prefix_of(key);
    const Str name = str_slice(key, prefix.len == 0 ? 0 : prefix.len + 1, key.len);
    const bool is_long = prefix.len > LIMIT_KUBERNETES_DOMAIN_MAX;
    if (!is_long && pattern_match(rules->session, str_of(row->pattern), key, NULL) == PATTERN_YES) {
        return true;
    }
    Diag *diag = plan_report(rules->session, subject, span, DIAG(label_key), STR_ARG(key), of);
    if (is_long) {
        diag_primary_label(rules->session, diag, "%zu characters before the `/`, and %d are the most", prefix.len,
                           LIMIT_KUBERNETES_DOMAIN_MAX);
    } else if (name.len > LIMIT_KUBERNETES_NAME_MAX) {
        diag_primary_label(rules->session, diag, "a name of %zu characters, and %d are the most", name.len,
                           LIMIT_KUBERNETES_NAME_MAX);
    }
    diag_note(rules->session, diag, "%s", row->doc);
    return false;
}

// Whether it is the author's to take; said where it is not.
static bool check_own(const Rules *rules, const PlanNodes *nodes, Str key, Span span, const char *of) {
    if (!str_starts_with(key, STR(NODE_PREFIX))) {
        return true;
    }
    Diag *diag =
        plan_report(rules->session, nodes->head.subject, span, DIAG(own_prefix), of, STR_ARG(key), NODE_PREFIX);
    diag_help(rules->session, diag, "take a prefix of your own, such as \"example.com/…\", or none");
    return false;
}

static bool is_of_kubelet(Str key, Str prefix) {
    return names_have(NAMES_KUBELET_LABELS, key) || names_have_domain(NAMES_KUBELET_DOMAINS, prefix);
}

static void check_reserved(const Rules *rules, const Subject *subject, bool is_managed, const ValueEntry *entry) {
    const Str prefix = prefix_of(entry->key);
    const char *whose = names_have_domain(NAMES_DOMAINS_OF_KUBERNETES, prefix)          ? "Kubernetes' own"
                        : is_managed && names_have_domain(NAMES_DOMAINS_OF_EKS, prefix) ? "EKS's own, in managed groups"
                                                                                        : NULL;
    if (whose == NULL || is_of_kubelet(entry->key, prefix)) {
        return;
    }
    Diag *diag = plan_report(rules->session, subject, entry->key_span, DIAG(label_reserved), STR_ARG(entry->key),
                             str_c(rules->session->arena, prefix), whose);
    diag_help(rules->session, diag, "take a prefix of your own, such as \"example.com/…\", or none");
}

void rule_labels(const Rules *rules, const PlanNodes *nodes) {
    for (uint32_t i = 0; i < nodes->eks->labels->map.count; i++) {
        const ValueEntry *entry = &nodes->eks->labels->map.entries[i];
        if (check_key(rules, nodes->head.subject, entry->key, entry->key_span, "label") &&
            check_own(rules, nodes, entry->key, entry->key_span, "label")) {
            check_reserved(rules, nodes->head.subject, plan_is_managed(nodes), entry);
        }
    }
}

// Of a group that somebody wrote in the words of eksctl or CloudFormation.
static void check_labels(const Rules *rules, const Subject *subject, bool is_managed, const Value *labels) {
    for (uint32_t i = 0; labels != NULL && labels->kind == VALUE_MAP && i < labels->map.count; i++) {
        const ValueEntry *entry = &labels->map.entries[i];
        const bool is_call = str_starts_with(entry->key, STR("Fn::")) || str_is(entry->key, "Ref");
        if (!is_call && check_key(rules, subject, entry->key, entry->key_span, "label")) {
            check_reserved(rules, subject, is_managed, entry);
        }
    }
}

// ---- taints ----------------------------------------------------------------------------------------------------

enum { TAINT_KEY = 0, TAINT_EFFECT = 2 };

static bool is_same_taint(const Value *one, const Value *other) {
    return value_equal(one->tag.arguments[TAINT_KEY], other->tag.arguments[TAINT_KEY]) &&
           value_equal(one->tag.arguments[TAINT_EFFECT], other->tag.arguments[TAINT_EFFECT]);
}

static void check_twice(const Rules *rules, const PlanNodes *nodes, uint32_t index) {
    const Value *taint = nodes->eks->taints->list.items[index];
    for (uint32_t i = 0; i < index; i++) {
        const Value *first = nodes->eks->taints->list.items[i];
        if (is_same_taint(first, taint)) {
            Diag *diag = plan_report(rules->session, nodes->head.subject, taint->span, DIAG(taint_twice),
                                     STR_ARG(taint->tag.arguments[TAINT_KEY]->string),
                                     STR_ARG(taint->tag.arguments[TAINT_EFFECT]->string));
            diag_label(rules->session, diag, first->span, "the first");
            return;
        }
    }
}

static const Value *text_of(const Value *map, const char *one, const char *other) {
    const Value *value = object_get(map, one) != NULL ? object_get(map, one) : object_get(map, other);
    return value != NULL && value->kind == VALUE_STRING ? value : NULL;
}

static void check_other_twice(const Rules *rules, const Subject *subject, const Value *taints, uint32_t index) {
    const Value *taint = taints->list.items[index];
    const Value *key = text_of(taint, "key", "Key");
    const Value *effect = text_of(taint, "effect", "Effect");
    for (uint32_t i = 0; i < index && effect != NULL; i++) {
        const Value *first = taints->list.items[i];
        const Value *first_key = text_of(first, "key", "Key");
        const Value *first_effect = text_of(first, "effect", "Effect");
        if (first_key != NULL && first_effect != NULL && str_equal(first_key->string, key->string) &&
            str_equal(first_effect->string, effect->string)) {
            Diag *diag = plan_report(rules->session, subject, key->span, DIAG(taint_twice), STR_ARG(key->string),
                                     STR_ARG(effect->string));
            diag_label(rules->session, diag, first_key->span, "the first");
            return;
        }
    }
}

static void check_taints(const Rules *rules, const Subject *subject, const Value *taints) {
    for (uint32_t i = 0; i < object_count(taints); i++) {
        const Value *key = text_of(taints->list.items[i], "key", "Key");
        if (key != NULL && check_key(rules, subject, key->string, key->span, "taint")) {
            check_other_twice(rules, subject, taints, i);
        }
    }
}

void rule_cluster_config_labels(const Rules *rules, const PlanClusterConfig *config) {
    for (uint32_t i = 0; i < config->groups.count; i++) {
        const PlanClusterConfigGroup *group = config->groups.items[i];
        check_labels(rules, group->subject, group->is_managed, group->labels);
        check_taints(rules, group->subject, group->taints);
    }
}

void rule_labels_of_resource(const Rules *rules, const PlanResource *resource) {
    if (str_is(resource->resource->type, "AWS::EKS::Nodegroup")) {
        check_labels(rules, resource->subject, true, resource_property(resource->resource, "Labels"));
        check_taints(rules, resource->subject, resource_property(resource->resource, "Taints"));
    }
}

void rule_taints(const Rules *rules, const PlanNodes *nodes) {
    for (uint32_t i = 0; i < nodes->eks->taints->list.count; i++) {
        const Value *key = nodes->eks->taints->list.items[i]->tag.arguments[TAINT_KEY];
        if (check_key(rules, nodes->head.subject, key->string, key->span, "taint") &&
            check_own(rules, nodes, key->string, key->span, "taint")) {
            check_twice(rules, nodes, i);
        }
    }
}

// ---- late values -----------------------------------------------------------------------------------------------

// Types all of whose texts are letters, digits, `-`, `_` and `.`: nothing that a NodeConfig or a flag in it would read
// as its own. What is not listed is not let in.
static const char *const WORD_TYPES[] = {
    "account_id",
    "ami_id",
    "capacity_reservation",
    "cluster_name",
    "efs_id",
    "fsx_id",
    "instance_type",
    "k8s_version",
    "label_value",
    "region",
    "subnet_id",
    "vpc_id",
    "volume_id",
    "fsx_volume_id",
    "zone",
    "security_group_id",
    "sha256",
};

// Where late texts are looked for, and what they are to be.
typedef struct {
    const Rules *rules;
    const Subject *subject;
    const char *type;  // of the whole: "label_value"
    const char *place; // for messages
} LateSearch;

static bool is_word(const Late *late) {
    if (late->kind == LATE_PSEUDO) {
        return !str_is(late->name, "stack_id"); // an ARN
    }
    const Type *type = late->type;
    if (type == NULL || type->kind != TYPE_PATTERN) {
        return type != NULL && (type->kind == TYPE_INT || type->kind == TYPE_BOOL);
    }
    for (size_t i = 0; i < COUNT_OF(WORD_TYPES); i++) {
        if (strcmp(type->pattern->name, WORD_TYPES[i]) == 0) {
            return true;
        }
    }
    return false;
}

static bool has_word_characters(Str text) {
    for (size_t i = 0; i < text.len; i++) {
        const char c = text.data[i];
        const bool is_alphanumeric = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!is_alphanumeric && c != '-' && c != '_' && c != '.') {
            return false;
        }
    }
    return true;
}

static void report_late(const LateSearch *search, const Value *value) {
    Session *session = search->rules->session;
    const Param *param = value->kind == VALUE_LATE && value->late->kind == LATE_PARAM ? value->late->param : NULL;
    const Str name = param != NULL ? param->name : source_text(session, value->span);
    Diag *diag = plan_report(session, search->subject, value->span, DIAG(late_name), STR_ARG(name), search->place);
    if (param != NULL) {
        diag_help(session, diag, "declare it as `%.*s : %s%s`", STR_ARG(name), search->type,
                  param->is_optional ? "?" : "");
    } else {
        diag_help(session, diag, "write the text, or a late param of the type `%s`", search->type);
    }
}

static bool has_parts(const Value *value) {
    return value->kind == VALUE_LATE &&
           (value->late->kind == LATE_TEXT || value->late->kind == LATE_IF || value->late->kind == LATE_DEFAULT);
}

// The whole has its type already, so that what is known can be wrong as a piece of a late text alone.
static void search_late(const LateSearch *search, const Value *value) {
    Session *session = search->rules->session;
    if (has_parts(value)) {
        for (uint32_t i = value->late->kind == LATE_IF ? 1 : 0; i < value->late->part_count; i++) {
            search_late(search, value->late->parts[i]);
        }
    } else if (value->kind == VALUE_RESOURCE || (value->kind == VALUE_LATE && !is_word(value->late))) {
        report_late(search, value);
    } else if (value->kind == VALUE_STRING && !has_word_characters(value->string)) {
        const char *doc = schema_pattern(str_of(search->type))->doc;
        Diag *diag = plan_report(session, search->subject, value->span, DIAG(pattern_mismatch),
                                 STR_ARG(value_print(session->arena, value)), search->type);
        diag_note(session, diag, "%s", doc);
    }
}

void rule_late_labels(const Rules *rules, const PlanNodes *nodes) {
    for (uint32_t i = 0; plan_is_in_stack(nodes) && i < nodes->eks->labels->map.count; i++) {
        const LateSearch search = {
            .rules = rules, .subject = nodes->head.subject, .type = "label_value", .place = "a label"
        };
        search_late(&search, nodes->eks->labels->map.entries[i].value);
    }
}

void rule_late_cluster_name(const Rules *rules, const PlanCluster *cluster) {
    if (cluster->eks->existing != NULL) {
        const LateSearch search = {
            .rules = rules, .subject = cluster->head.subject, .type = "cluster_name", .place = "the name of a cluster"
        };
        search_late(&search, cluster->eks->existing);
    }
}
