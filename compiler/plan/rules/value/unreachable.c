// Rules about things that an author names and that the cluster cannot reach: ARNs of another partition or region,
// subnets of another VPC.
#include "compiler/plan/rules/rules.h"

#include "compiler/base/arn.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/rule_word.h"
#include "compiler/plan/model/configuration.h"
#include "compiler/plan/model/image.h"
#include "compiler/plan/model/object_value.h"
#include "schema/instances.h"

// ---- ARNs ------------------------------------------------------------------------------------------------------

// Whether the pattern of the type begins with `arn:`, in a list or as an argument too. Any other text may name what it
// likes.
static bool takes_arn(const Type *type) {
    if (type == NULL) {
        return false;
    }
    if (type->kind == TYPE_PATTERN && strstr(type->pattern->pattern, "arn:aws") != NULL) {
        return true;
    }
    for (int i = 0; i < type->option_count; i++) {
        if (takes_arn(type->options[i])) {
            return true;
        }
    }
    return takes_arn(type->element);
}

static Str region_name(const PlanPart *part) {
    return part->cluster == NULL ? STR_NONE : part->cluster->region;
}

static const RegionRow *region_of(const RuleTexts *texts) {
    return schema_region(texts->region);
}

static void check_arn(const RuleTexts *texts, const Value *text) {
    Session *session = texts->rules->session;
    const RegionRow *region = region_of(texts);
    if (region == NULL || !arn_is(text->string)) {
        return;
    }
    const Str partition = arn_field(text->string, ARN_PARTITION);
    const Str place = texts->is_of_any_region ? STR_NONE : arn_field(text->string, ARN_REGION);
    if (!str_is(partition, region->partition)) {
        Diag *diag = plan_report(session, texts->subject, text->span, DIAG(arn_elsewhere), "partition",
                                 STR_ARG(partition), region->name);
        diag_help(session, diag, "%s is in the partition `%s`: an ARN there begins with `arn:%s:`", region->name,
                  region->partition, region->partition);
    } else if (place.len > 0 && !str_is(place, region->name)) {
        plan_report(session, texts->subject, text->span, DIAG(arn_elsewhere), "region", STR_ARG(place), region->name);
    }
}

// The key of a bucket is in the bucket's region: rule_verdicts_key() asks for that.
static bool is_of_bucket(const PlanPart *part, int attribute) {
    return part_is(part, KIND_VALIDATE) && attribute == VALIDATE_VERDICTS_KEY;
}

void rule_arns(const Rules *rules, const PlanPart *part) {
    RuleTexts texts = { .rules = rules, .subject = part->subject, .region = region_name(part) };
    for (int i = 0; i < part->kind->attribute_count; i++) {
        texts.is_of_any_region = is_of_bucket(part, i);
        if (takes_arn(part->kind->attributes[i].type) && part->subject->values[i] != NULL) {
            rules_each_text(&texts, part->subject->values[i], check_arn);
        }
    }
}

// Keys of a cluster configuration whose ARNs are of the cluster's region: a secret, a key, a group of reservations.
static bool is_of_region(Str key) {
    static const char *const KEYS[] = { "PasswordSecretArn", "MungeKeySecretArn", "KmsKeyId",
                                        "CapacityReservationResourceGroupArn" };
    for (size_t i = 0; i < COUNT_OF(KEYS); i++) {
        if (str_is(key, KEYS[i])) {
            return true;
        }
    }
    return false;
}

enum { DEPTH_MAX = 16 }; // of a cluster configuration

static void check_arns_in(const Rules *rules, const PlanConfiguration *configuration, const Value *value, int depth) {
    for (uint32_t i = 0; depth < DEPTH_MAX && i < object_count(value); i++) {
        check_arns_in(rules, configuration, value->list.items[i], depth + 1);
    }
    for (uint32_t i = 0; depth < DEPTH_MAX && value->kind == VALUE_MAP && i < value->map.count; i++) {
        const ValueEntry *entry = &value->map.entries[i];
        if (is_of_region(entry->key) && object_text(entry->value).len > 0) {
            const RuleTexts texts = { .rules = rules,
                                      .subject = configuration_subject(configuration, entry->value->span),
                                      .region = configuration->region.text };
            check_arn(&texts, entry->value);
        } else {
            check_arns_in(rules, configuration, entry->value, depth + 1);
        }
    }
}

// What the nodes of a cluster configuration take from the cluster's region.
void rule_configuration_arns(const Rules *rules, const PlanConfiguration *configuration) {
    if (configuration->region.state == FIELD_KNOWN && configuration->document != NULL) {
        check_arns_in(rules, configuration, configuration->document, 0);
    }
}

// The partition that a text names: of an ARN, or of a private registry of ECR. Empty of any other text.
static Str named_partition(Str text) {
    if (arn_is(text)) {
        return arn_field(text, ARN_PARTITION);
    }
    Str place = STR_NONE;
    plan_registry_region(str_slice(text, 0, str_find(text, STR("/"), 0)), &place);
    const RegionRow *region = place.len == 0 ? NULL : schema_region(place);
    return region == NULL ? STR_NONE : str_of(region->partition);
}

static void check_text(const RuleTexts *texts, const Value *text) {
    Session *session = texts->rules->session;
    const Str partition = named_partition(text->string);
    const RegionRow *region = partition.len == 0 ? NULL : region_of(texts);
    if (region == NULL || str_is(partition, region->partition) || !str_starts_with(partition, STR("aws"))) {
        return;
    }
    Diag *diag = plan_report(session, texts->subject, text->span, DIAG(text_elsewhere),
                             arn_is(text->string) ? "ARN" : "image", STR_ARG(partition), region->name);
    diag_help(session, diag, "%s is in the partition `%s`: name what is there", region->name, region->partition);
    if (arn_is(text->string) && str_is(arn_field(text->string, ARN_ACCOUNT), "aws")) { // each partition has AWS's own
        rule_replace_part(texts->rules, diag, text->span, str_format(session->arena, "arn:%.*s:", STR_ARG(partition)),
                          str_format(session->arena, "arn:%s:", region->partition));
    }
}

static void check_attribute(const RuleTexts *texts, int attribute) {
    const Value *value = subject_value(texts->subject, attribute);
    if (value != NULL) {
        rules_each_text(texts, value, check_text);
    }
}

// Texts that may hold anything, so that it is a warning. Tags are words for people.
void rule_texts_elsewhere(const Rules *rules, const PlanPart *part) {
    const RuleTexts texts = { .rules = rules, .subject = part->subject, .region = region_name(part) };
    if (part_is(part, KIND_JOB)) {
        check_attribute(&texts, JOB_ENV);
        check_attribute(&texts, JOB_IMAGE);
    } else if (part_is(part, KIND_VALIDATE)) {
        check_attribute(&texts, VALIDATE_IMAGE);
    }
}

void rule_resource_texts(const Rules *rules, const PlanResource *resource) {
    const RuleTexts texts = { .rules = rules, .subject = resource->subject, .region = resource->region };
    for (uint32_t i = 0; i < resource->resource->property_count; i++) {
        rules_each_text(&texts, resource->resource->properties[i].value, check_text);
    }
}

// ---- subnets ---------------------------------------------------------------------------------------------------

// Whether a network lists its subnets, and this is one of them; what it does not list, or lists late, nobody knows.
static bool may_be_in(const Value *list, const Value *subnet) {
    if (list == NULL || list->kind != VALUE_LIST) {
        return list != NULL;
    }
    for (uint32_t i = 0; i < list->list.count; i++) {
        if (list->list.items[i]->kind != VALUE_STRING || value_equal(list->list.items[i], subnet)) {
            return true;
        }
    }
    return false;
}

static void check_given(const Rules *rules, const PlanNetwork *network, const Subject *subject, const Value *subnet) {
    const Value *listed = network->given.private != NULL ? network->given.private : network->given.public;
    if (listed == NULL || may_be_in(network->given.private, subnet) || may_be_in(network->given.public, subnet)) {
        return;
    }
    Diag *diag = plan_report(rules->session, subject, subnet->span, DIAG(subnet_not_listed), STR_ARG(subnet->string),
                             STR_ARG(network->head.id));
    diag_label(rules->session, diag, listed->span, "its subnets");
    diag_help(rules->session, diag, "write one of these, or add it to `%s`, if it is in this VPC",
              network->given.private != NULL ? "private" : "public");
}

static void check_subnet(const Rules *rules, const PlanCluster *cluster, const PlanPart *part, int attribute) {
    const Value *subnet = subject_value(part->subject, attribute);
    if (subnet == NULL || subnet->kind != VALUE_STRING) {
        return;
    }
    const PlanNetwork *network = cluster->network;
    if (network->mode == NETWORK_GIVEN) {
        check_given(rules, network, part->subject, subnet);
        return;
    }
    Diag *diag = plan_report(rules->session, part->subject, subnet->span, DIAG(subnet_elsewhere),
                             STR_ARG(subnet->string), STR_ARG(network->head.id));
    diag_label(rules->session, diag, network->head.subject->name_span, "is made by this build");
    const bool is_group = part_is(part, KIND_NODES);
    diag_help(rules->session, diag, "%s, or give the network by its ids",
              is_group ? "write `zone = \"…\"`" : "leave `subnet` out");
}

// Ids of subnets in the VPC of another stack are the author's to know.
void rule_subnets_of_vpc(const Rules *rules, const PlanCluster *cluster) {
    if (cluster->network == NULL || cluster->network->mode == NETWORK_IMPORTED || cluster->network->is_used_module) {
        return;
    }
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        check_subnet(rules, cluster, cluster->nodes.items[i]->head.part, NODES_SUBNET);
    }
    if (cluster->slurm != NULL && cluster->slurm->head_node != NULL) {
        check_subnet(rules, cluster, cluster->slurm->head_node->head.part, HEAD_SUBNET);
    }
    for (uint32_t i = 0; i < cluster->storages.count; i++) {
        check_subnet(rules, cluster, cluster->storages.items[i]->head.part, STORAGE_SUBNET);
    }
}
