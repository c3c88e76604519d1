// Drivers of the cluster's file systems, as add-ons of EKS: the service keeps them working with the cluster's version.
// A driver that makes file systems takes a role through EKS Pod Identity, and so do jobs. Its agent is an add-on as well,
// and so is the one that tells node repair what is wrong with a node.
#include "emitters/eksctl/cluster_config.h"

#include "compiler/plan/model/devices.h"
#include "compiler/plan/model/identity.h"
#include "compiler/plan/model/maker.h"
#include "emitters/tool/tool_file.h"
#include "emitters/tool/tool_tree.h"

static const char AGENT[] = "eks-pod-identity-agent";

typedef struct {
    StorageKind kind;
    const char *addon;   // as `addon` blocks call it
    const char *name;    // as EKS does
    const char *account; // service account of what makes file systems; NULL: nothing is made
    const char *policy;
} DriverRow;

// https://docs.aws.amazon.com/eks/latest/userguide/fsx-csi-create.html and
// .../add-ons-aws-efs-csi-driver.html, 2026-11.
static const DriverRow DRIVER_ROWS[] = {
    { STORAGE_LUSTRE, "fsx", "aws-fsx-csi-driver", "fsx-csi-controller-sa", "AmazonFSxFullAccess" },
    { STORAGE_EFS, "efs", "aws-efs-csi-driver", NULL, NULL },
};

// The first storage that the driver is for, one that is made before others; NULL without.
static const PlanStorage *user_of(const PlanCluster *cluster, const DriverRow *row) {
    const PlanStorage *user = NULL;
    for (uint32_t i = 0; i < cluster->storages.count; i++) {
        const PlanStorage *storage = cluster->storages.items[i];
        if (storage->kind == row->kind && (user == NULL || (user->existing != NULL && storage->existing == NULL))) {
            user = storage;
        }
    }
    return user;
}

static DocNode *add_addon(ToolFile *file, DocNode *root, Why reason, const char *name) {
    DocNode *list = doc_get(root, STR("addons"));
    DocNode *entry = tree_add_map(file->doc, list != NULL ? list : tree_put_list(file->doc, root, "addons"));
    tree_put(file->doc, entry, "name", tree_text(file->doc, reason, name));
    return entry;
}

// The agent of EKS Pod Identity, for whatever asks first.
static void add_agent(ToolFile *file, DocNode *root, Why reason) {
    const DocNode *list = doc_get(root, STR("addons"));
    for (const DocNode *entry = list == NULL ? NULL : list->first; entry != NULL; entry = entry->next) {
        if (str_is(doc_get(entry, STR("name"))->string, AGENT)) {
            return;
        }
    }
    add_addon(file, root, reason, AGENT);
}

static const PlanJob *job_with_role(const PlanCluster *cluster) {
    for (uint32_t i = 0; i < cluster->jobs.count; i++) {
        if (plan_job_has_identity(cluster->jobs.items[i])) {
            return cluster->jobs.items[i];
        }
    }
    return NULL;
}

// The first storage whose file system the driver makes with a bucket behind it; NULL without.
static const PlanStorage *linked_storage(const PlanCluster *cluster) {
    for (uint32_t i = 0; i < cluster->storages.count; i++) {
        const PlanStorage *storage = cluster->storages.items[i];
        if (storage->kind == STORAGE_LUSTRE && storage->existing == NULL && storage->links.count > 0) {
            return storage;
        }
    }
    return NULL;
}

static DocNode *add_statement(ToolFile *file, DocNode *statements, const char *const *actions, size_t count) {
    Doc *doc = file->doc;
    DocNode *statement = tree_add_map(doc, statements);
    tree_put(doc, statement, "Effect", tree_text(doc, WHY_EKS_DRIVER_LINK, "Allow"));
    DocNode *list = tree_put_list(doc, statement, "Action");
    for (size_t i = 0; i < count; i++) {
        doc_add(doc, list, tree_text(doc, WHY_EKS_DRIVER_LINK, actions[i]));
    }
    return tree_put_list(doc, statement, "Resource");
}

// A bucket whose name only the deployment knows is any: the cluster does not wait for it.
static void add_bucket(ToolFile *file, DocNode *list, const PlanLink *link, const char *partition) {
    const size_t start = sizeof "s3://" - 1;
    const Str uri = link->uri->kind == VALUE_STRING ? link->uri->string : STR("s3://*");
    const Str bucket = str_slice(uri, start, str_find(uri, STR("/"), start));
    const Str arn = str_format(file->arena, "arn:%s:s3:::%.*s", partition, STR_ARG(bucket));
    if (!tree_has_text(list, arn)) {
        doc_because(file->doc, link->head.origin);
        doc_add(file->doc, list, tree_string(file->doc, WHY_EKS_DRIVER_LINK, arn));
        doc_unbecause(file->doc);
    }
}

// Who makes a file system with a bucket behind it lets FSx make a role of its own for that bucket.
static void put_link_policy(ToolFile *file, const PlanCluster *cluster, DocNode *association, const char *partition) {
    static const char *const ON_ROLE[] = { "iam:CreateServiceLinkedRole", "iam:AttachRolePolicy", "iam:PutRolePolicy" };
    static const char *const ON_BUCKET[] = { "s3:ListBucket" };
    Doc *doc = file->doc;
    DocNode *policy = tree_put_map(doc, association, "permissionPolicy");
    tree_put(doc, policy, "Version", tree_text(doc, WHY_EKS_DRIVER_LINK, "2012-10-17"));
    DocNode *statements = tree_put_list(doc, policy, "Statement");
    const Str role = str_format(
        file->arena, "arn:%s:iam::*:role/aws-service-role/s3.data-source.lustre.fsx.amazonaws.com/*", partition);
    doc_add(doc, add_statement(file, statements, ON_ROLE, COUNT_OF(ON_ROLE)),
            tree_string(doc, WHY_EKS_DRIVER_LINK, role));
    DocNode *buckets = add_statement(file, statements, ON_BUCKET, COUNT_OF(ON_BUCKET));
    for (uint32_t i = 0; i < cluster->storages.count; i++) {
        const PlanStorage *storage = cluster->storages.items[i];
        for (uint32_t k = 0; storage->existing == NULL && k < storage->links.count; k++) {
            add_bucket(file, buckets, storage->links.items[k], partition);
        }
    }
}

static void add_role(ToolFile *file, const PlanCluster *cluster, const DriverRow *row, DocNode *entry) {
    Doc *doc = file->doc;
    const RegionRow *region = schema_region(cluster->region);
    const char *partition = region == NULL ? "aws" : region->partition;
    const Str arn = str_format(file->arena, "arn:%s:iam::aws:policy/%s", partition, row->policy);
    DocNode *association = tree_add_map(doc, tree_put_list(doc, entry, "podIdentityAssociations"));
    tree_put(doc, association, "namespace", tree_text(doc, WHY_EKS_DRIVER_ROLE, "kube-system"));
    tree_put(doc, association, "serviceAccountName", tree_text(doc, WHY_EKS_DRIVER_ROLE, row->account));
    tree_put(doc, association, "permissionPolicyARNs", tree_list_of(doc, tree_string(doc, WHY_EKS_DRIVER_ROLE, arn)));
    const PlanStorage *linked = linked_storage(cluster);
    if (linked != NULL) {
        doc_because(doc, linked->links.items[0]->head.origin);
        put_link_policy(file, cluster, association, partition);
        doc_unbecause(doc);
    }
}

// Without it node repair knows only that a kubelet does not answer.
static void add_monitoring(ToolFile *file, const PlanCluster *cluster, DocNode *root) {
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        if (plan_is_repaired(cluster->nodes.items[i])) {
            doc_because(file->doc, cluster->nodes.items[i]->eks->repair->origin);
            add_addon(file, root, WHY_EKS_REPAIR, "eks-node-monitoring-agent");
            doc_unbecause(file->doc);
            return;
        }
    }
}

void eksctl_addons(ToolFile *file, const PlanCluster *cluster, DocNode *root) {
    for (size_t i = 0; i < COUNT_OF(DRIVER_ROWS); i++) {
        const DriverRow *row = &DRIVER_ROWS[i];
        const PlanStorage *user = user_of(cluster, row);
        const PlanAddon *change = device_addon(cluster, row->addon);
        if (user == NULL || (change != NULL && change->off->boolean)) {
            continue;
        }
        const bool makes = row->account != NULL && user->existing == NULL;
        doc_because(file->doc, user->head.origin);
        if (makes) {
            add_agent(file, root, WHY_EKS_DRIVER);
        }
        DocNode *entry = add_addon(file, root, WHY_EKS_DRIVER, row->name);
        if (change != NULL && change->version != NULL) {
            tree_put(file->doc, entry, "version", tool_value(file, change->version));
        }
        if (makes) {
            add_role(file, cluster, row, entry);
        }
        doc_unbecause(file->doc);
    }
    const PlanJob *job = job_with_role(cluster);
    if (job != NULL) {
        doc_because(file->doc, job->head.origin);
        add_agent(file, root, WHY_EKS_IDENTITY);
        doc_unbecause(file->doc);
    }
    add_monitoring(file, cluster, root);
}
