// Groups of nodes: managed ones, and those that eksctl makes by itself. eksctl places the interfaces and makes the
// security group for them.
#include "emitters/eksctl/cluster_config.h"

#include "compiler/base/arn.h"
#include "compiler/plan/model/maker.h"
#include "compiler/plan/model/declared_group.h"
#include "compiler/plan/model/names.h"
#include "emitters/node/second_stage.h"
#include "emitters/node/first_job.h"
#include "emitters/tool/tool_facts.h"
#include "emitters/tool/tool_file.h"
#include "emitters/tool/tool_group.h"
#include "emitters/tool/tool_tree.h"
#include "emitters/tool/tool_values.h"
#include "schema/names.h"
#include "schema/operating_systems.h"

// NULL where rule system_of_target has said that there is none.
static DocNode *family(ToolFile *file, const PlanCluster *cluster) {
    const char *name = operating_system(cluster->os->string)->eksctl;
    if (name == NULL) {
        return NULL;
    }
    doc_because(file->doc, cluster->os->origin);
    DocNode *node = tree_text(file->doc, WHY_EKS_FAMILY, name);
    doc_unbecause(file->doc);
    return node;
}

static void add_place(ToolFile *file, DocNode *group, const PlanNodes *nodes) {
    Doc *doc = file->doc;
    tree_put(doc, group, "privateNetworking", tree_bool(doc, WHY_EKS_PRIVATE, true));
    if (nodes->cluster->network != NULL) {
        tree_put(doc, group, "subnets", tool_list(file, nodes->subnets.ids));
    } else if (nodes->subnets.zone != NULL) {
        tree_put(doc, group, "availabilityZones", tool_list(file, nodes->subnets.zone));
    }
}

// Beside those that eksctl attaches anyway: the cluster's, and with EFA one of its own.
static void add_security_group(ToolFile *file, DocNode *group, const ToolGroup *how) {
    if (how->security_group != NULL) {
        DocNode *groups = tree_put_map(file->doc, group, "securityGroups");
        tree_put(file->doc, groups, "attachIDs", tool_list(file, how->security_group));
    }
}

static void add_sizes(ToolFile *file, DocNode *group, const PlanNodes *nodes) {
    Doc *doc = file->doc;
    tree_put(doc, group, "minSize", tool_value(file, nodes->count.low));
    tree_put(doc, group, "desiredCapacity",
             tool_value(file, nodes->eks->desired != NULL ? nodes->eks->desired : nodes->count.low));
    tree_put(doc, group, "maxSize", tool_value(file, nodes->count.high));
}

static void add_types(ToolFile *file, DocNode *holder, const PlanNodes *nodes) {
    DocNode *list = tree_put_list(file->doc, holder, "instanceTypes");
    for (uint32_t i = 0; i < nodes->types.count; i++) {
        doc_add(file->doc, list, tool_value(file, nodes->types.items[i].name));
    }
}

// A managed group has a word for it. In eksctl's own it is a share of none on demand, and the type stands there alone.
static void add_spot(ToolFile *file, DocNode *group, const PlanNodes *nodes) {
    Doc *doc = file->doc;
    if (plan_is_managed(nodes)) {
        tree_put(doc, group, "spot", tree_bool(doc, WHY_EKS_CAPACITY, true));
        return;
    }
    DocNode *distribution = tree_put_map(doc, group, "instancesDistribution");
    add_types(file, distribution, nodes);
    tree_put(doc, distribution, "onDemandBaseCapacity", tree_number(doc, WHY_EKS_CAPACITY, 0));
    tree_put(doc, distribution, "onDemandPercentageAboveBaseCapacity", tree_number(doc, WHY_EKS_CAPACITY, 0));
    tree_put(doc, distribution, "spotAllocationStrategy", tree_text(doc, WHY_EKS_SPOT, "price-capacity-optimized"));
}

static void add_capacity(ToolFile *file, DocNode *group, const PlanNodes *nodes, const ToolGroup *how) {
    Doc *doc = file->doc;
    const PlanCapacity *capacity = how->capacity;
    doc_because(doc, capacity->origin);
    if (capacity->kind == CAPACITY_SPOT) {
        add_spot(file, group, nodes);
    }
    if (capacity->id != NULL) {
        DocNode *target =
            tree_put_map(doc, tree_put_map(doc, group, "capacityReservation"), "capacityReservationTarget");
        bool is_group = capacity->kind == CAPACITY_RESERVATION_GROUP;
        tree_put(doc, target, is_group ? "capacityReservationResourceGroupARN" : "capacityReservationID",
                 tool_value(file, capacity->id));
    }
    if (capacity->kind == CAPACITY_BLOCK) {
        tree_put(doc, tree_put_map(doc, group, "instanceMarketOptions"), "marketType",
                 tree_text(doc, WHY_CAPACITY_BLOCK, "capacity-block"));
    }
    doc_unbecause(doc);
    if (how->name != NULL) {
        tree_put(doc, tree_put_map(doc, group, "placement"), "groupName", tool_value(file, how->name));
    }
}

static void add_volume(ToolFile *file, DocNode *group, const PlanNodes *nodes) {
    Doc *doc = file->doc;
    tree_put(doc, group, "volumeSize", tool_amount(file, nodes->root.size, INT64_C(1) << 30));
    tree_put(doc, group, "volumeType", tool_value(file, nodes->root.type));
    if (str_is(nodes->root.type->string, "io2")) {
        doc_because(doc, nodes->root.type->origin);
        tree_put(doc, group, "volumeIOPS", tree_number(doc, WHY_ROOT_IOPS, schema_constant(CONSTANT_IO2_IOPS)));
        doc_unbecause(doc);
    }
    tree_put(doc, group, "volumeEncrypted", tree_bool(doc, WHY_EKS_VOLUME, true));
}

static void add_taints(ToolFile *file, DocNode *group, const PlanNodes *nodes) {
    static const char *const KEYS[] = { "key", "value", "effect" };
    Doc *doc = file->doc;
    if (nodes->eks->taints->list.count == 0) {
        return;
    }
    DocNode *list = tree_put_list(doc, group, "taints");
    for (uint32_t i = 0; i < nodes->eks->taints->list.count; i++) {
        const Value *taint = nodes->eks->taints->list.items[i];
        DocNode *entry = tree_add_map(doc, list);
        for (uint32_t k = 0; k < taint->tag.count && k < COUNT_OF(KEYS); k++) {
            tree_put(doc, entry, KEYS[k], tool_value(file, taint->tag.arguments[k]));
        }
    }
}

// eksctl's spelling of an add-on's policy is the doc of its word in the schema.
static const char *policy_name(Str word) {
    return schema_find_word(KIND_ROWS[KIND_NODES].attributes[NODES_ADDON_POLICIES].type, word)->doc;
}

static void add_policies(ToolFile *file, DocNode *list, const PlanNodes *nodes, NameListId names) {
    const RegionRow *region = schema_region(nodes->cluster->region);
    for (size_t i = 0; i < names_of(names).count; i++) {
        Str arn = str_format(file->arena, "arn:%s:iam::aws:policy/%s", region == NULL ? "aws" : region->partition,
                             names_of(names).items[i]);
        doc_add(file->doc, list, tree_string(file->doc, WHY_NODE_POLICY, arn));
    }
}

// Where eksctl is given policies, it adds none of those that nodes cannot do without.
static DocNode *policy_arns(ToolFile *file, const PlanNodes *nodes) {
    DocNode *list = doc_list(file->doc);
    add_policies(file, list, nodes, NAMES_POLICIES_OF_EKSCTL_NODES);
    if (!nodes->cluster->eks->oidc->boolean) { // with the identity provider the CNI's pods have a role of their own
        add_policies(file, list, nodes, NAMES_POLICIES_OF_CNI);
    }
    const DocNode *further = tool_policy_arns(file, nodes->cluster->region, nodes->role.policies);
    for (const DocNode *arn = further->first; arn != NULL; arn = arn->next) {
        if (!tree_has_text(list, arn->string)) {
            doc_add(file->doc, list, doc_string(file->doc, arn->string, arn->origin));
        }
    }
    return list;
}

static void allow(ToolFile *file, DocNode *statements, const PlanNodes *nodes, const char *action, Str objects,
                  Why reason) {
    if (objects.len == 0) {
        return;
    }
    Doc *doc = file->doc;
    const RegionRow *region = schema_region(nodes->cluster->region);
    const Str arn =
        str_format(file->arena, "arn:%s:s3:::%.*s", region == NULL ? "aws" : region->partition, STR_ARG(objects));
    DocNode *statement = tree_add_map(doc, statements);
    tree_put(doc, statement, "Effect", tree_text(doc, reason, "Allow"));
    tree_put(doc, statement, "Action", tree_text(doc, reason, action));
    tree_put(doc, statement, "Resource", tree_string(doc, reason, arn));
}

// By S3 alone, as kms_allow() does it in stacks.
static void allow_key(ToolFile *file, DocNode *statements, const Value *key) {
    Doc *doc = file->doc;
    const Str service = str_format(file->arena, "s3.%.*s.*", STR_ARG(arn_field(key->string, ARN_REGION)));
    DocNode *statement = tree_add_map(doc, statements);
    tree_put(doc, statement, "Effect", tree_text(doc, WHY_VERDICTS_KEY, "Allow"));
    tree_put(doc, statement, "Action", tree_text(doc, WHY_VERDICTS_KEY, "kms:GenerateDataKey"));
    tree_put(doc, statement, "Resource", tool_value(file, key));
    DocNode *condition = tree_put_map(doc, tree_put_map(doc, statement, "Condition"), "StringLike");
    tree_put(doc, condition, "kms:ViaService", tree_string(doc, WHY_VERDICTS_KEY, service));
}

// In whatever account it is deployed.
static void allow_count(ToolFile *file, DocNode *statements, const PlanNodes *nodes, Str parameter) {
    static const char *const ACTIONS[] = { "ssm:GetParameter", "ssm:PutParameter" };
    Doc *doc = file->doc;
    const RegionRow *region = schema_region(nodes->cluster->region);
    const Str place = nodes->cluster->region;
    const Str arn =
        str_format(file->arena, "arn:%s:ssm:%.*s:*:parameter%.*s", region == NULL ? "aws" : region->partition,
                   STR_ARG(place.len > 0 ? place : STR("*")), STR_ARG(parameter));
    DocNode *statement = tree_add_map(doc, statements);
    tree_put(doc, statement, "Effect", tree_text(doc, WHY_FAILURES, "Allow"));
    DocNode *actions = tree_put_list(doc, statement, "Action");
    for (size_t i = 0; i < COUNT_OF(ACTIONS); i++) {
        doc_add(doc, actions, tree_text(doc, WHY_FAILURES, ACTIONS[i]));
    }
    tree_put(doc, statement, "Resource", tree_string(doc, WHY_FAILURES, arn));
}

// Beside the policies that eksctl attaches by itself, which it leaves as they are.
static void allow_check(ToolFile *file, DocNode *iam, const PlanNodes *nodes) {
    Doc *doc = file->doc;
    const Str check = second_stage_objects(file->arena, nodes);
    const Str verdicts = plan_verdict_objects(file->arena, nodes);
    const Str failures = plan_failures(file->arena, nodes);
    if (check.len + verdicts.len + failures.len == 0) {
        return;
    }
    DocNode *policy = tree_put_map(doc, iam, "attachPolicy");
    const Why reason = check.len > 0 ? WHY_EKS_SECOND_STAGE : verdicts.len > 0 ? WHY_VERDICTS : WHY_FAILURES;
    tree_put(doc, policy, "Version", tree_text(doc, reason, "2012-10-17"));
    DocNode *statements = tree_put_list(doc, policy, "Statement");
    allow(file, statements, nodes, "s3:GetObject", check, WHY_EKS_SECOND_STAGE);
    allow(file, statements, nodes, "s3:PutObject", verdicts, WHY_VERDICTS);
    if (plan_verdict_key(nodes) != NULL) {
        allow_key(file, statements, plan_verdict_key(nodes));
    }
    if (failures.len > 0) {
        allow_count(file, statements, nodes, failures);
    }
}

static void add_iam(ToolFile *file, DocNode *group, const PlanNodes *nodes) {
    Doc *doc = file->doc;
    const Value *policies = nodes->role.policies;
    const Value *addons = nodes->eks->addon_policies;
    const bool is_checked = second_stage_objects(file->arena, nodes).len +
                                plan_verdict_objects(file->arena, nodes).len + plan_failures(file->arena, nodes).len >
                            0;
    if (policies->list.count == 0 && addons->list.count == 0 && !is_checked) {
        return;
    }
    DocNode *iam = tree_put_map(doc, group, "iam");
    if (addons->list.count > 0) {
        DocNode *map = tree_put_map(doc, iam, "withAddonPolicies");
        for (uint32_t i = 0; i < addons->list.count; i++) {
            const Value *word = addons->list.items[i];
            tree_put(doc, map, policy_name(word->string), doc_bool(doc, true, word->origin));
        }
    }
    if (policies->list.count > 0) {
        tree_put(doc, iam, "attachPolicyARNs", policy_arns(file, nodes));
    }
    if (is_checked) {
        doc_because(doc, nodes->validate->origin);
        allow_check(file, iam, nodes);
        doc_unbecause(doc);
    }
}

// 2 hops is what eksctl sets, and 1 where pods are kept away; rule hops_of_eksctl.
static void add_hops(ToolFile *file, DocNode *group, const PlanNodes *nodes) {
    const DocNode *hops = tool_value(file, nodes->imds.hop_limit);
    if (hops != NULL && hops->kind == DOC_INT && hops->integer == 1) {
        doc_because(file->doc, nodes->imds.hop_limit->origin);
        tree_put(file->doc, group, "disablePodIMDS", tree_bool(file->doc, WHY_EKS_IMDS, true));
        doc_unbecause(file->doc);
    }
}

static void add_labels(ToolFile *file, DocNode *group, const PlanNodes *nodes) {
    DocNode *labels = tool_value(file, nodes->eks->labels);
    if (first_job_label_is_wanted(nodes)) {
        doc_because(file->doc, first_job_is_wanted(nodes) ? nodes->validate->origin : nodes->head.origin);
        tree_put(file->doc, labels, FIRST_JOB_LABEL,
                 tree_string(file->doc, WHY_FIRST_JOB_NODES, first_job_label(file->arena, nodes)));
        doc_unbecause(file->doc);
    }
    tree_put(file->doc, group, "labels", doc_count(labels) > 0 ? labels : NULL);
    add_taints(file, group, nodes);
}

// How many it repairs at once, and when it stops, is EKS's own.
static void add_repair(ToolFile *file, DocNode *group, const PlanNodes *nodes) {
    if (plan_is_repaired(nodes)) {
        DocNode *repair = tree_put_map(file->doc, group, "nodeRepairConfig");
        tree_put(file->doc, repair, "enabled", doc_bool(file->doc, true, nodes->eks->repair->origin));
    }
}

static void add_tags(ToolFile *file, DocNode *group, const PlanNodes *nodes) {
    if (nodes->tags->map.count > 0) {
        tree_put(file->doc, group, "tags", tool_value(file, nodes->tags));
    }
}

static void add_imds(Doc *doc, DocNode *group, const PlanNodes *nodes) {
    DocNode *is_closed = doc_bool(doc, !nodes->imds.v1->boolean, nodes->imds.v1->origin);
    if (nodes->imds.v1->boolean) { // `dtc lint` asks whoever reads the file alone
        is_closed->comment = "dtc-allow: DT1600 the source has `imds_v1 = true`";
    }
    tree_put(doc, group, "disableIMDSv1", is_closed);
}

static void add_group(ToolFile *file, Output *output, DocNode *list, const PlanNodes *nodes) {
    Doc *doc = file->doc;
    const ToolGroup how = tool_group(file, nodes);
    doc_because(doc, nodes->head.origin);
    DocNode *group = tree_add_map(doc, list);
    tree_put(doc, group, "name", doc_string(doc, nodes->head.id, nodes->head.origin));
    tree_put(doc, group, "amiFamily", family(file, nodes->cluster));
    tree_put(doc, group, "ami", tool_value(file, nodes->ami.given));
    if (plan_is_managed(nodes) && nodes->types.count > 1) {
        add_types(file, group, nodes);
    } else if (plan_is_managed(nodes) || (how.capacity->kind != CAPACITY_SPOT && nodes->types.count == 1)) {
        tree_put(doc, group, "instanceType", tool_value(file, nodes->instance_value));
    } else if (how.capacity->kind != CAPACITY_SPOT) {
        add_types(file, tree_put_map(doc, group, "instancesDistribution"), nodes);
    }
    tree_put(doc, group, "instancePrefix", tool_value(file, nodes->eks->prefix));
    add_place(file, group, nodes);
    add_security_group(file, group, &how);
    add_sizes(file, group, nodes);
    if (nodes->fabric.efa_count > 0) {
        doc_because(doc, nodes->fabric.origin);
        tree_put(doc, group, "efaEnabled", tree_bool(doc, WHY_EKS_EFA, true));
        doc_unbecause(doc);
    }
    add_capacity(file, group, nodes, &how);
    add_volume(file, group, nodes);
    add_imds(doc, group, nodes);
    add_hops(file, group, nodes);
    if (!tool_is_null(file, nodes->key)) {
        DocNode *ssh = tree_put_map(doc, group, "ssh");
        tree_put(doc, ssh, "publicKeyName", tool_value(file, nodes->key));
    }
    add_labels(file, group, nodes);
    eksctl_user_data(file, output, group, nodes, how.security_group);
    add_iam(file, group, nodes);
    add_repair(file, group, nodes);
    add_tags(file, group, nodes);
    doc_unbecause(doc);
}

// The template says what it starts. EKS needs to be told the market only for a block and for Spot, which it buys by
// itself. eksctl wants the reservation of a block beside it, and reads neither.
static void add_market(ToolFile *file, DocNode *group, const PlanNodes *nodes, const ToolGroup *how) {
    const CapacityKind kind = how->capacity->kind;
    if (kind == CAPACITY_SPOT || kind == CAPACITY_BLOCK) {
        const ToolGroup market = { .capacity = how->capacity };
        add_capacity(file, group, nodes, &market);
    }
}

static Str template_output(ToolFile *file, const PlanNodes *nodes, const char *role) {
    const Str stack = emitter_nodes_head(file->session, nodes->cluster)->name->string;
    const Str key = plan_logical_id(file->session->arena, nodes->head.id, STR_NONE, role);
    return tool_fact(file, nodes->head.subject->name_span, stack, str_c(file->session->arena, key));
}

// What stands in the launch template eksctl takes nowhere else.
static void add_template_group(ToolFile *file, DocNode *list, const PlanNodes *nodes) {
    Doc *doc = file->doc;
    const ToolGroup how = tool_group(file, nodes);
    doc_because(doc, nodes->head.origin);
    DocNode *group = tree_add_map(doc, list);
    tree_put(doc, group, "name", doc_string(doc, nodes->head.id, nodes->head.origin));
    tree_put(doc, group, "amiFamily", family(file, nodes->cluster));
    DocNode *template = tree_put_map(doc, group, "launchTemplate");
    tree_put(doc, template, "id",
             tree_string(doc, WHY_EKS_TEMPLATE, template_output(file, nodes, OUTPUT_LAUNCH_TEMPLATE)));
    tree_put(doc, template, "version",
             tree_string(doc, WHY_EKS_TEMPLATE, template_output(file, nodes, OUTPUT_LAUNCH_TEMPLATE_VERSION)));
    if (nodes->types.count > 1) {
        add_types(file, group, nodes);
    }
    add_place(file, group, nodes);
    add_sizes(file, group, nodes);
    add_market(file, group, nodes, &how);
    add_labels(file, group, nodes);
    add_iam(file, group, nodes);
    add_repair(file, group, nodes);
    add_tags(file, group, nodes);
    doc_unbecause(doc);
}

void eksctl_template_groups(ToolFile *file, const PlanCluster *cluster, DocNode *root) {
    DocNode *list = tree_put_list(file->doc, root, "managedNodeGroups");
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        if (plan_names_own_template(cluster->nodes.items[i])) {
            add_template_group(file, list, cluster->nodes.items[i]);
        }
    }
}

void eksctl_groups(ToolFile *file, Output *output, const PlanCluster *cluster, DocNode *root) {
    static const struct {
        bool is_managed;
        const char *name;
    } SECTIONS[] = { { true, "managedNodeGroups" }, { false, "nodeGroups" } };
    for (size_t section = 0; section < COUNT_OF(SECTIONS); section++) {
        DocNode *list = NULL;
        for (uint32_t i = 0; i < cluster->nodes.count; i++) {
            const PlanNodes *nodes = cluster->nodes.items[i];
            if (plan_is_of_eksctl(nodes) && plan_is_managed(nodes) == SECTIONS[section].is_managed) {
                list = list == NULL ? tree_put_list(file->doc, root, SECTIONS[section].name) : list;
                add_group(file, output, list, nodes);
            }
        }
    }
}
