// A Slurm cluster as one configuration of ParallelCluster 3, in the order in which its documentation has the sections.
// ParallelCluster decides some things well by itself: roles, security groups, launch templates, the places of
// interfaces. These are left out, because a file that repeats defaults hides what was chosen.
#include "emitters/parallelcluster/parallelcluster.h"

#include "compiler/base/shell.h"
#include "compiler/plan/model/health_check.h"
#include "emitters/parallelcluster/configuration.h"
#include "emitters/tool/tool_file.h"
#include "emitters/tool/tool_tree.h"
#include "emitters/tool/tool_values.h"
#include "schema/operating_systems.h"

enum { MILLISECONDS_OF_MINUTE = 60 * 1000 };

void parallelcluster_policies(const Configuration *configuration, DocNode *iam, const Value *policies) {
    ToolFile *file = configuration->file;
    DocNode *list = tree_put_list(file->doc, iam, "AdditionalIamPolicies");
    DocNode *arns = tool_policy_arns(file, configuration->cluster->region, policies);
    for (const DocNode *arn = arns->first; arn != NULL; arn = arn->next) {
        tree_put(file->doc, tree_add_map(file->doc, list), "Policy", doc_string(file->doc, arn->string, arn->origin));
    }
}

void parallelcluster_root_volume(const Configuration *configuration, DocNode *storage, const Value *disk) {
    Doc *doc = configuration->file->doc;
    if (disk != NULL) {
        tree_put(doc, tree_put_map(doc, storage, "RootVolume"), "Size",
                 tool_amount(configuration->file, disk, INT64_C(1) << 30));
    }
}

void parallelcluster_tags(const Configuration *configuration, DocNode *map, const Value *tags) {
    ToolFile *file = configuration->file;
    if (tags == NULL || tags->map.count == 0) {
        return;
    }
    DocNode *list = tree_put_list(file->doc, map, "Tags");
    for (uint32_t i = 0; i < tags->map.count; i++) {
        const ValueEntry *entry = &tags->map.entries[i];
        DocNode *value = tool_value(file, entry->value);
        if (value != NULL) {
            DocNode *tag = tree_add_map(file->doc, list);
            doc_because(file->doc, entry->value->origin);
            tree_put(file->doc, tag, "Key", tree_string(file->doc, WHY_TAG, entry->key));
            doc_unbecause(file->doc);
            tree_put(file->doc, tag, "Value", value);
        }
    }
}

// The setting is the cluster's: one group that wants version 1 opens it for all.
static void add_imds(const Configuration *configuration, DocNode *root) {
    Doc *doc = configuration->file->doc;
    const Value *opened = NULL;
    for (uint32_t i = 0; i < configuration->cluster->nodes.count; i++) {
        const Value *imds_v1 = configuration->cluster->nodes.items[i]->imds.v1;
        opened = imds_v1->boolean ? imds_v1 : opened;
    }
    doc_because(doc, opened == NULL ? NULL : opened->origin);
    DocNode *support = tree_text(doc, WHY_IMDS, opened == NULL ? "v2.0" : "v1.0");
    if (opened != NULL) { // `dtc lint` asks whoever reads the file alone
        support->comment = "dtc-allow: DT1633 the source has `imds_v1 = true`";
    }
    tree_put(doc, tree_put_map(doc, root, "Imds"), "ImdsSupport", support);
    doc_unbecause(doc);
}

static void add_image(const Configuration *configuration, DocNode *root) {
    ToolFile *file = configuration->file;
    const PlanCluster *cluster = configuration->cluster;
    const char *os = operating_system(cluster->os->string)->parallelcluster;
    os = os == NULL ? "" : os; // rule system_of_target
    DocNode *image = tree_put_map(file->doc, root, "Image");
    tree_put(file->doc, image, "Os", doc_string(file->doc, str_of(os), cluster->os->origin));
    if (!tool_is_null(file, cluster->ami)) {
        tree_put(file->doc, image, "CustomAmi", tool_value(file, cluster->ami));
    }
}

static void add_database(const Configuration *configuration, DocNode *settings) {
    static const char *const KEYS[] = { "Uri", "UserName", "PasswordSecretArn", "DatabaseName" };
    ToolFile *file = configuration->file;
    const Value *tag = configuration->cluster->slurm->database;
    if (tool_is_null(file, tag)) {
        return;
    }
    DocNode *database = tree_put_map(file->doc, settings, "Database");
    for (uint32_t i = 0; i < tag->tag.count && i < COUNT_OF(KEYS); i++) {
        tree_put(file->doc, database, KEYS[i], tool_value(file, tag->tag.arguments[i]));
    }
}

// A partition over the queues of several groups. Each queue of ParallelCluster has a partition and a node set of its own,
// called QUEUE_nodes (aws-parallelcluster-cookbook, config_renderer.py, 2026-11): what tells the groups apart, such as Spot
// or the subnets, is said of a queue, so that one queue cannot have them all.
static void add_partition(ToolFile *file, DocNode *list, const PlanQueue *queue) {
    StrBuf sets = { .arena = file->arena };
    for (uint32_t i = 0; i < queue->nodes.count; i++) {
        strbuf_add_format(&sets, "%s%.*s_nodes", i == 0 ? "" : ",", STR_ARG(queue->nodes.items[i]->head.id));
    }
    doc_because(file->doc, queue->head.origin);
    DocNode *line = tree_add_map(file->doc, list);
    tree_put(file->doc, line, "PartitionName", doc_string(file->doc, queue->head.id, queue->head.origin));
    tree_put(file->doc, line, "Nodes", tree_string(file->doc, WHY_PARALLELCLUSTER_PARTITION, strbuf_str(&sets)));
    tree_put(file->doc, line, "MaxTime", tree_text(file->doc, WHY_PARALLELCLUSTER_PARTITION, "INFINITE"));
    tree_put(file->doc, line, "State", tree_text(file->doc, WHY_PARALLELCLUSTER_PARTITION, "UP"));
    doc_unbecause(file->doc);
}

// A value of slurm.conf each, in the author's order: the file is read from top to bottom.
static void add_slurm_settings(const Configuration *configuration, DocNode *scheduling) {
    ToolFile *file = configuration->file;
    const PlanSlurm *slurm = configuration->cluster->slurm;
    const PlanCluster *cluster = configuration->cluster;
    const uint32_t setting_count = slurm->settings == NULL ? 0 : slurm->settings->map.count;
    const bool has_health_check = plan_writes_health_check(cluster);
    const bool has_lines = has_health_check || setting_count + cluster->queues.count > 0;
    if (slurm->scaledown_idletime == NULL && !has_lines && slurm->database == NULL && !slurm->is_without_route53) {
        return;
    }
    DocNode *settings = tree_put_map(file->doc, scheduling, "SlurmSettings");
    tree_put(file->doc, settings, "ScaledownIdletime",
             tool_amount(file, slurm->scaledown_idletime, MILLISECONDS_OF_MINUTE));
    if (slurm->is_without_route53) {
        DocNode *dns = tree_put_map(file->doc, settings, "Dns");
        tree_put(file->doc, dns, "DisableManagedDns", doc_bool(file->doc, true, why(WHY_PARALLELCLUSTER_DNS)));
        tree_put(file->doc, dns, "UseEc2Hostnames", doc_bool(file->doc, true, why(WHY_PARALLELCLUSTER_DNS)));
    }
    add_database(configuration, settings);
    DocNode *list = has_lines ? tree_put_list(file->doc, settings, "CustomSlurmSettings") : NULL;
    for (uint32_t i = 0; i < setting_count; i++) {
        const ValueEntry *entry = &slurm->settings->map.entries[i];
        DocNode *value = tool_value(file, entry->value);
        if (value != NULL) {
            doc_put(file->doc, tree_add_map(file->doc, list), entry->key, value);
        }
    }
    if (has_health_check) {
        parallelcluster_health_check(configuration, list);
    }
    for (uint32_t i = 0; i < cluster->queues.count; i++) {
        add_partition(file, list, cluster->queues.items[i]);
    }
}

static void add_switch(Doc *doc, DocNode *monitoring, const char *section, const Value *value) {
    if (value != NULL) {
        DocNode *watch = tree_put_map(doc, tree_put_map(doc, monitoring, section), "CloudWatch");
        tree_put(doc, watch, "Enabled", doc_bool(doc, value->boolean, value->origin));
    }
}

static void add_monitoring(const Configuration *configuration, DocNode *root) {
    Doc *doc = configuration->file->doc;
    const PlanMonitoring *plan = &configuration->cluster->slurm->monitoring;
    if (plan->detailed == NULL && plan->logs == NULL && plan->dashboard == NULL) {
        return;
    }
    DocNode *monitoring = tree_put_map(doc, root, "Monitoring");
    if (plan->detailed != NULL) {
        tree_put(doc, monitoring, "DetailedMonitoring", doc_bool(doc, plan->detailed->boolean, plan->detailed->origin));
    }
    add_switch(doc, monitoring, "Logs", plan->logs);
    add_switch(doc, monitoring, "Dashboards", plan->dashboard);
}

// pcluster returns at once, and what follows needs the end: the stack has the cluster's name.
static void add_wait(StrBuf *command, const char *wait, const DeploymentStep *step) {
    strbuf_add(command, STR(" &&"));
    shell_add(command, wait, step->name);
    shell_add_given(command, "--region", step->region);
}

static void fill_step(const Configuration *configuration, Str region) {
    Arena *arena = configuration->file->session->arena;
    DeploymentStep *step = &configuration->file->step;
    step->region = region;
    StrBuf apply = { .arena = arena };
    shell_add(&apply, "pcluster create-cluster --cluster-name", step->name);
    shell_add(&apply, "--cluster-configuration", step->file);
    shell_add_given(&apply, "--region", region);
    add_wait(&apply, "aws cloudformation wait stack-create-complete --stack-name", step);
    step->apply = strbuf_str(&apply);
    StrBuf remove = { .arena = arena };
    shell_add(&remove, "pcluster delete-cluster --cluster-name", step->name);
    shell_add_given(&remove, "--region", region);
    add_wait(&remove, "aws cloudformation wait stack-delete-complete --stack-name", step);
    step->remove = strbuf_str(&remove);
}

static void emit(Session *session, const Plan *plan, const PlanCluster *cluster, Output *output) {
    ToolFile *file = tool_open(session, plan, &cluster->head, "pcluster", "parallelcluster");
    vec_push(file->arena, &file->parts, cluster->head.part);
    file->step.region = cluster->region;
    const Configuration configuration = { .file = file, .cluster = cluster, .output = output };
    DocNode *root = doc_root(file->doc);
    doc_because(file->doc, cluster->head.origin);
    if (cluster->region.len > 0) {
        tree_put(file->doc, root, "Region", tree_string(file->doc, WHY_PARALLELCLUSTER_REGION, cluster->region));
    }
    add_imds(&configuration, root);
    add_image(&configuration, root);
    parallelcluster_head(&configuration, root);
    DocNode *scheduling = tree_put_map(file->doc, root, "Scheduling");
    tree_put(file->doc, scheduling, "Scheduler", tree_text(file->doc, WHY_SLURM, "slurm"));
    add_slurm_settings(&configuration, scheduling);
    parallelcluster_queues(&configuration, scheduling);
    parallelcluster_storage(&configuration, root);
    add_monitoring(&configuration, root);
    parallelcluster_tags(&configuration, root, cluster->tags);
    doc_unbecause(file->doc);
    fill_step(&configuration, cluster->region);
    parallelcluster_scripts(&configuration, output);
    parallelcluster_prolog(&configuration, output);
    parallelcluster_first_jobs(&configuration, output);
    tool_write(file, output);
}

void parallelcluster_emit(Session *session, const Plan *plan, Output *output) {
    for (uint32_t i = 0; i < plan->clusters.count; i++) {
        const PlanCluster *cluster = plan->clusters.items[i];
        if (cluster->target == TARGET_PARALLELCLUSTER) {
            if (emitter_is_full(session, output, cluster->head.subject)) {
                return;
            }
            emit(session, plan, cluster, output);
        }
    }
}
