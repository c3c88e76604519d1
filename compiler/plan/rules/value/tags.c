// Rules about tags. Tags of a cluster and of a group go to everything that takes tags. So the strictest service
// decides: https://docs.aws.amazon.com/IAM/latest/APIReference/API_Tag.html and Tag your Amazon EC2 resources in the
// EC2 User Guide, 2026-11.
#include "compiler/plan/rules/rules.h"

#include "compiler/base/pattern.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/rules/placeholder.h"
#include "schema/forms.h"

static uint32_t count_characters(Str text) {
    uint32_t count = 0;
    for (size_t i = 0; i < text.len; i++) {
        count += ((unsigned char)text.data[i] & 0xC0) != 0x80; // all but the rest of a character in UTF-8
    }
    return count;
}

static bool is_reserved(Str key) {
    return key.len >= 4 && (key.data[0] == 'a' || key.data[0] == 'A') && (key.data[1] == 'w' || key.data[1] == 'W') &&
           (key.data[2] == 's' || key.data[2] == 'S') && key.data[3] == ':';
}

static void check_tag(const Rules *rules, const Subject *subject, const ValueEntry *entry) {
    uint32_t key = count_characters(entry->key);
    Str text;
    uint32_t value = value_text_by_default(rules->session->arena, entry->value, &text) ? count_characters(text) : 0;
    if (is_reserved(entry->key)) {
        Diag *diag = plan_report(rules->session, subject, entry->key_span, DIAG(tag_key_reserved), STR_ARG(entry->key));
        diag_help(rules->session, diag, "choose another key");
    } else if (key == 0) {
        Diag *diag = plan_report(rules->session, subject, entry->key_span, DIAG(tag_key_empty));
        diag_help(rules->session, diag, "give it a key of 1 to %d characters, or remove it",
                  LIMIT_TAG_KEY_CHARACTERS_MAX);
    } else if (key > LIMIT_TAG_KEY_CHARACTERS_MAX) {
        plan_report(rules->session, subject, entry->key_span, DIAG(tag_limits), "the key of a tag", key, "characters",
                    "AWS", (uint32_t)LIMIT_TAG_KEY_CHARACTERS_MAX);
    } else if (value > LIMIT_TAG_VALUE_CHARACTERS_MAX) {
        plan_report(rules->session, subject, entry->value->span, DIAG(tag_limits), "the value of a tag", value,
                    "characters", "AWS", (uint32_t)LIMIT_TAG_VALUE_CHARACTERS_MAX);
    }
}

static void check_each(const Rules *rules, const Subject *subject, const Value *tags) {
    for (uint32_t i = 0; i < tags->map.count; i++) {
        check_tag(rules, subject, &tags->map.entries[i]);
    }
}

// `others` are tags from elsewhere that go to the same resource.
static bool are_too_many(const Rules *rules, const PlanHead *head, const Value *tags, uint32_t others, bool is_slurm) {
    const uint32_t count = tags->map.count + others;
    const uint32_t most = is_slurm ? LIMIT_SLURM_TAGS_MAX : LIMIT_TAGS_MAX;
    if (count <= most) {
        return false;
    }
    Str name = str_format(rules->session->arena, "`%.*s`", STR_ARG(head->id));
    Diag *diag =
        plan_report(rules->session, head->subject, tags->span, DIAG(tag_limits), str_c(rules->session->arena, name),
                    count, "tags", is_slurm ? "ParallelCluster" : "AWS", most);
    if (others > 0) {
        diag_note(rules->session, diag, "%" PRIu32 " of them are the cluster's%s", others,
                  is_slurm ? "" : ", or what dtc gives");
    }
    return true;
}

void rule_tags_of_network(const Rules *rules, const PlanNetwork *network) {
    if (network->made.tags != NULL) {
        check_each(rules, network->head.subject, network->made.tags);
        are_too_many(rules, &network->head, network->made.tags, network->serves_eks ? 1 : 0, false);
    }
}

// The driver on EKS takes tags as one text.
static void check_separators(const Rules *rules, const PlanStorage *storage, const ValueEntry *entry) {
    const bool is_known = entry->value->kind == VALUE_STRING;
    const Str texts[] = { entry->key, is_known ? entry->value->string : STR_NONE };
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        for (size_t k = 0; k < texts[i].len; k++) {
            if (texts[i].data[k] == ',' || texts[i].data[k] == '=') {
                plan_report(rules->session, storage->head.subject, i == 0 ? entry->key_span : entry->value->span,
                            DIAG(tag_separator), STR_ARG(entry->key), STR_ARG(storage->head.id), texts[i].data[k]);
                return;
            }
        }
    }
}

// How many of the cluster's tags a part of it gets beside its own.
static uint32_t added_tags(const Value *outer, const Value *own) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < outer->map.count; i++) {
        count += value_find(own, outer->map.entries[i].key) == NULL;
    }
    return count;
}

void rule_tags_of_storage(const Rules *rules, const PlanCluster *cluster) {
    for (uint32_t i = 0; i < cluster->storages.count; i++) {
        const PlanStorage *storage = cluster->storages.items[i];
        check_each(rules, storage->head.subject, storage->tags);
        if (storage->existing == NULL) { // the driver adds one of its own
            are_too_many(rules, &storage->head, storage->tags, added_tags(cluster->tags, storage->tags) + 1, false);
        }
        for (uint32_t k = 0; k < storage->tags->map.count; k++) {
            check_separators(rules, storage, &storage->tags->map.entries[k]);
        }
    }
}

// aws-parallelcluster@451cc532, schemas/common_schema.py, validate_no_reserved_tag.
static void check_slurm_key(const Rules *rules, const Subject *subject, const ValueEntry *entry) {
    if (str_starts_with(entry->key, STR("parallelcluster:")) &&
        !str_is(entry->key, "parallelcluster:custom_resource")) {
        Diag *diag = plan_report(rules->session, subject, entry->key_span, DIAG(slurm_tag_key), STR_ARG(entry->key));
        diag_help(rules->session, diag, "choose another key");
    }
}

static void check_slurm_keys(const Rules *rules, const Subject *subject, const Value *tags) {
    for (uint32_t i = 0; i < tags->map.count; i++) {
        check_slurm_key(rules, subject, &tags->map.entries[i]);
    }
}

static bool is_on_slurm(const PlanNodes *nodes) {
    return nodes->cluster->target == TARGET_PARALLELCLUSTER;
}

// Nodes of ParallelCluster have names of its own.
static uint32_t given_names(const PlanNodes *nodes, const Value *tags) {
    return !is_on_slurm(nodes) && value_get(tags, "Name") == NULL ? 1 : 0;
}

// How many tags a group gets beside its own: the cluster's that its own do not replace, and a name.
static uint32_t inherited(const PlanNodes *nodes) {
    const Value *outer = nodes->cluster->tags;
    return added_tags(outer, nodes->tags) + (value_get(outer, "Name") == NULL ? given_names(nodes, nodes->tags) : 0);
}

void rule_tags_of_nodes(const Rules *rules, const PlanNodes *nodes) {
    const PlanHead *cluster = &nodes->cluster->head;
    const Value *outer = nodes->cluster->tags;
    check_each(rules, cluster->subject, outer);
    check_each(rules, nodes->head.subject, nodes->tags);
    if (is_on_slurm(nodes)) {
        check_slurm_keys(rules, cluster->subject, outer);
        check_slurm_keys(rules, nodes->head.subject, nodes->tags);
    }
    if (!are_too_many(rules, cluster, outer, given_names(nodes, outer), is_on_slurm(nodes))) {
        are_too_many(rules, &nodes->head, nodes->tags, inherited(nodes), is_on_slurm(nodes));
    }
}

// What is still to be replaced has that finding, and no second one for its brackets.
static bool holds_placeholder(Str text) {
    size_t start = 0;
    size_t end = 0;
    return placeholder_find(text, TEXT_PLAIN, 0, &start, &end);
}

static void check_characters(const Rules *rules, const PlanNodes *nodes, const Value *tags) {
    for (uint32_t i = 0; i < tags->map.count; i++) {
        const ValueEntry *entry = &tags->map.entries[i];
        bool is_good_key = pattern_match(rules->session, str_of(FORM_TAG_TEXT), entry->key, NULL) == PATTERN_YES;
        Str text;
        bool is_good_value = !value_text_by_default(rules->session->arena, entry->value, &text) ||
                             pattern_match(rules->session, str_of(FORM_TAG_TEXT), text, NULL) == PATTERN_YES;
        if (!is_good_key || (!is_good_value && !holds_placeholder(text))) {
            Diag *diag =
                plan_report(rules->session, nodes->head.subject, is_good_key ? entry->value->span : entry->key_span,
                            DIAG(tag_characters), STR_ARG(entry->key));
            diag_help(rules->session, diag, "letters, digits, blanks and `_ . : / = + - @` are fine");
        }
    }
}

void rule_tags_of_role(const Rules *rules, const PlanNodes *nodes) {
    if (nodes->role.instance_profile == NULL) {
        check_characters(rules, nodes, nodes->cluster->tags);
        check_characters(rules, nodes, nodes->tags);
    }
}

static bool differ_in_case_only(Str a, Str b) {
    for (size_t i = 0; a.len == b.len && i < a.len; i++) {
        const char c = a.data[i];
        const char d = b.data[i];
        const bool is_letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
        if (c != d && !(is_letter && (c ^ d) == 0x20)) {
            return false;
        }
    }
    return a.len == b.len && !str_equal(a, b);
}

static void check_case(const Rules *rules, const Subject *subject, const ValueEntry *entry, const ValueEntry *other) {
    if (differ_in_case_only(entry->key, other->key)) {
        Diag *diag = plan_report(rules->session, subject, entry->key_span, DIAG(tag_case), STR_ARG(entry->key),
                                 STR_ARG(other->key));
        diag_label(rules->session, diag, other->key_span, "the other one");
        diag_help(rules->session, diag, "remove one of them, or give it another name");
    }
}

// Tags of the cluster go to its roles, those of a group to its instances alone, where case counts.
void rule_tags_of_roles(const Rules *rules, const PlanCluster *cluster) {
    const Value *tags = cluster->tags;
    for (uint32_t i = 1; i < tags->map.count && i < LIMIT_TAGS_MAX; i++) {
        for (uint32_t k = 0; k < i; k++) {
            check_case(rules, cluster->head.subject, &tags->map.entries[i], &tags->map.entries[k]);
        }
    }
}

// ---- of any resource -----------------------------------------------------------------------------------------------

// `Tags` are a list of pairs, or a map, as Batch has it.
static void check_pairs(const Rules *rules, const PlanResource *resource, const Value *tags) {
    const bool is_map = tags != NULL && tags->kind == VALUE_MAP;
    for (uint32_t i = 0; i < object_count(tags); i++) {
        const Value *key = object_get(tags->list.items[i], "Key");
        const Value *value = object_get(tags->list.items[i], "Value");
        if (value != NULL && key != NULL && key->kind == VALUE_STRING) {
            check_tag(rules, resource->subject,
                      &(ValueEntry){ .key = key->string, .key_span = key->span, .value = value });
        }
    }
    for (uint32_t i = 0; is_map && i < tags->map.count; i++) {
        const ValueEntry *entry = &tags->map.entries[i];
        if (str_find(entry->key, STR("Fn::"), 0) != 0) {
            check_tag(rules, resource->subject, entry);
        }
    }
}

// Of IAM.
static void check_role_tags(const Rules *rules, const PlanResource *resource, const Value *tags) {
    for (uint32_t i = 1; i < object_count(tags) && i < LIMIT_TAGS_MAX; i++) {
        const Value *key = object_get(tags->list.items[i], "Key");
        for (uint32_t k = 0; k < i && object_text(key).len > 0; k++) {
            const Value *other = object_get(tags->list.items[k], "Key");
            if (object_text(other).len > 0) {
                check_case(rules, resource->subject, &(ValueEntry){ .key = key->string, .key_span = key->span },
                           &(ValueEntry){ .key = other->string, .key_span = other->span });
            }
        }
    }
}

// Of a launch template, and of what is launched from it.
static void check_specifications(const Rules *rules, const PlanResource *resource, const Value *list) {
    for (uint32_t i = 0; i < object_count(list); i++) {
        check_pairs(rules, resource, object_get(list->list.items[i], "Tags"));
    }
}

void rule_tags_of_resource(const Rules *rules, const PlanResource *resource) {
    const Resource *raw = resource->resource;
    if (!str_starts_with(raw->type, STR("AWS::"))) {
        return;
    }
    check_pairs(rules, resource, resource_property(raw, "Tags"));
    if (str_is(raw->type, "AWS::IAM::Role")) {
        check_role_tags(rules, resource, resource_property(raw, "Tags"));
    }
    check_pairs(rules, resource, object_get(resource_property(raw, "ComputeResources"), "Tags"));
    check_specifications(rules, resource, resource_property(raw, "TagSpecifications"));
    check_specifications(rules, resource,
                         object_get(resource_property(raw, "LaunchTemplateData"), "TagSpecifications"));
}

// ---- of a cluster configuration ------------------------------------------------------------------------------------

static bool has_key(const Value *tags, const char *wanted) {
    for (uint32_t i = 0; i < object_count(tags); i++) {
        const Value *key = object_get(tags->list.items[i], "Key");
        if (key != NULL && key->kind == VALUE_STRING && str_is(key->string, wanted)) {
            return true;
        }
    }
    return false;
}

// What ParallelCluster keeps of a cluster is the author's file with all defaults and with both of its own tags: nobody
// makes a cluster of it.
// source: aws/aws-parallelcluster@451cc532 cli/src/pcluster/models/cluster.py, _add_tags, 2024-10-24, read 2026-11
static bool is_kept_copy(const Value *tags) {
    return has_key(tags, "parallelcluster:cluster-name") && has_key(tags, "parallelcluster:version");
}

static void check_list(const Rules *rules, const PlanConfiguration *configuration, const Value *tags) {
    const bool is_written = is_kept_copy(tags);
    for (uint32_t i = 0; i < object_count(tags); i++) {
        const Value *key = object_get(tags->list.items[i], "Key");
        const Value *value = object_get(tags->list.items[i], "Value");
        if (key != NULL && key->kind == VALUE_STRING && value != NULL) {
            const Subject *subject = configuration_subject(configuration, key->span);
            const ValueEntry tag = { .key = key->string, .key_span = key->span, .value = value };
            check_tag(rules, subject, &tag);
            if (!is_written) {
                check_slurm_key(rules, subject, &tag);
            }
        }
    }
}

// Of the cluster, and of its queues. What images are searched by, in DevSettings, is no tag of the cluster.
static void search_tags(const Rules *rules, const PlanConfiguration *configuration, const Value *value) {
    const bool is_map = value->kind == VALUE_MAP;
    const uint32_t count = is_map ? value->map.count : object_count(value);
    for (uint32_t i = 0; i < count; i++) {
        if (is_map && str_is(value->map.entries[i].key, "Tags")) {
            check_list(rules, configuration, value->map.entries[i].value);
        } else if (!is_map || !str_is(value->map.entries[i].key, "DevSettings")) {
            search_tags(rules, configuration, is_map ? value->map.entries[i].value : value->list.items[i]);
        }
    }
}

void rule_configuration_tags(const Rules *rules, const PlanConfiguration *configuration) {
    search_tags(rules, configuration, configuration->document);
}
