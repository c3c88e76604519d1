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
static bool check_key(const Rules *rules, const PlanGroup *group, Str key, Span span, const char *of) {
    const PatternRow *row = schema_pattern(STR("label_key"));
    const Str prefix = prefix_of(key);
    const Str name = str_slice(key, prefix.len == 0 ? 0 : prefix.len + 1, key.len);
    const bool is_long = prefix.len > LIMIT_KUBERNETES_DOMAIN_MAX;
    if (!is_long && pattern_match(rules->session, str_of(row->pattern), key, NULL) == PATTERN_YES) {
        return true;
    }
    Diag *diag = plan_report(rules->session, group->subject, span, DIAG(label_key), STR_ARG(key), of);
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
static bool check_own(const Rules *rules, const PlanGroup *group, Str key, Span span, const char *of) {
    if (!group->has_own_labels || !str_starts_with(key, STR(NODE_PREFIX))) {
        return true;
    }
    Diag *diag = plan_report(rules->session, group->subject, span, DIAG(own_prefix), of, STR_ARG(key), NODE_PREFIX);
    diag_help(rules->session, diag, "take a prefix of your own, such as \"example.com/…\", or none");
    return false;
}

static bool is_of_kubelet(Str key, Str prefix) {
    return names_have(NAMES_KUBELET_LABELS, key) || names_have_domain(NAMES_KUBELET_DOMAINS, prefix);
}

static void check_reserved(const Rules *rules, const PlanGroup *group, const ValueEntry *entry) {
    const Str prefix = prefix_of(entry->key);
    const bool is_of_eks = group->is_managed && names_have_domain(NAMES_DOMAINS_OF_EKS, prefix);
    const bool is_of_kubernetes = group->has_kubelet_labels && names_have_domain(NAMES_DOMAINS_OF_KUBERNETES, prefix);
    if ((!is_of_kubernetes && !is_of_eks) || is_of_kubelet(entry->key, prefix)) {
        return;
    }
    Diag *diag = plan_report(rules->session, group->subject, entry->key_span, DIAG(label_reserved), STR_ARG(entry->key),
                             str_c(rules->session->arena, prefix),
                             is_of_kubernetes ? "Kubernetes' own" : "EKS's own, in managed groups");
    diag_help(rules->session, diag, "take a prefix of your own, such as \"example.com/…\", or none");
}

void rule_group_labels(const Rules *rules, const PlanGroup *group) {
    const Value *labels = group->labels;
    for (uint32_t i = 0; labels != NULL && labels->kind == VALUE_MAP && i < labels->map.count; i++) {
        const ValueEntry *entry = &labels->map.entries[i];
        const bool is_call = str_starts_with(entry->key, STR("Fn::")) || str_is(entry->key, "Ref");
        if (!is_call && check_key(rules, group, entry->key, entry->key_span, "label") &&
            check_own(rules, group, entry->key, entry->key_span, "label")) {
            check_reserved(rules, group, entry);
        }
    }
}

// ---- taints ----------------------------------------------------------------------------------------------------

// A part of a taint: of a tag of infra.dt, or of a map in Kubernetes' or EKS's words. NULL: not known.
typedef struct {
    uint32_t index;
    const char *word;
    const char *of_eks;
} TaintPart;

static const TaintPart TAINT_KEY = { 0, "key", "Key" };
static const TaintPart TAINT_EFFECT = { 2, "effect", "Effect" };

static const Value *part_of(const Value *taint, const TaintPart *part) {
    const Value *value = taint->kind == VALUE_TAG                ? taint->tag.arguments[part->index]
                         : object_get(taint, part->word) != NULL ? object_get(taint, part->word)
                                                                 : object_get(taint, part->of_eks);
    const bool is_text = value != NULL && (value->kind == VALUE_STRING || value->kind == VALUE_WORD);
    return is_text ? value : NULL;
}

static bool is_same_taint(const Value *one, const Value *other) {
    const Value *keys[] = { part_of(one, &TAINT_KEY), part_of(other, &TAINT_KEY) };
    const Value *effects[] = { part_of(one, &TAINT_EFFECT), part_of(other, &TAINT_EFFECT) };
    return keys[0] != NULL && keys[1] != NULL && effects[0] != NULL && effects[1] != NULL &&
           str_equal(keys[0]->string, keys[1]->string) && str_equal(effects[0]->string, effects[1]->string);
}

// Of infra.dt the whole taint is pointed at, and of a map its key.
static Span taint_span(const Value *taint) {
    return taint->kind == VALUE_TAG ? taint->span : part_of(taint, &TAINT_KEY)->span;
}

static void check_twice(const Rules *rules, const PlanGroup *group, uint32_t index) {
    const Value *taint = group->taints->list.items[index];
    for (uint32_t i = 0; i < index; i++) {
        const Value *first = group->taints->list.items[i];
        if (is_same_taint(first, taint)) {
            Diag *diag = plan_report(rules->session, group->subject, taint_span(taint), DIAG(taint_twice),
                                     STR_ARG(part_of(taint, &TAINT_KEY)->string),
                                     STR_ARG(part_of(taint, &TAINT_EFFECT)->string));
            diag_label(rules->session, diag, taint_span(first), "the first");
            return;
        }
    }
}

void rule_group_taints(const Rules *rules, const PlanGroup *group) {
    for (uint32_t i = 0; i < object_count(group->taints); i++) {
        const Value *key = part_of(group->taints->list.items[i], &TAINT_KEY);
        if (key != NULL && check_key(rules, group, key->string, key->span, "taint") &&
            check_own(rules, group, key->string, key->span, "taint")) {
            check_twice(rules, group, i);
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
