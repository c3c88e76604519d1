// What the files of one run offer each other.
#include "compiler/driver/lint/beside.h"

#include "compiler/base/load.h"
#include "compiler/plan/raw/raw.h"
#include "compiler/plan/rules/check.h"
#include "compiler/plan/rules/together_partitions.h"
#include "compiler/plan/rules/together_submissions.h"

// Each word costs a walk over the text, so that those of Kubernetes and eksctl are looked for in their files alone.
static bool has_one_of(Str text, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (str_has(text, words[i])) {
            return true;
        }
    }
    return false;
}

// Instances that a group of EC2 starts, and that join a cluster of EKS by themselves: their labels are in user data. And
// nodes that EKS makes for pods: those of Auto Mode, whose clusters have a ComputeConfig, and of Fargate.
static bool has_own_nodes(Str text) {
    const bool has_instances = str_has(text, "AWS::AutoScaling::AutoScalingGroup") &&
                               (str_has(text, "node.eks.aws/") || str_has(text, "/etc/eks/bootstrap.sh"));
    return has_instances || (str_has(text, "AWS::EKS::") &&
                             (str_has(text, "AWS::EKS::FargateProfile") || str_has(text, "ComputeConfig")));
}

BesideOffer beside_offer_of(Str text) {
    static const char *const OF_OBJECTS[] = {
        "ClusterConfig",
        "karpenter.",
        "eks.amazonaws.com/",
        "cluster.x-k8s.io/",
        "Namespace",
        "kind: Service", // and ServiceAccount
        "kind: Secret",
        "ServiceAccount",
        "\"Service\"",
        "kueue.x-k8s.io/",
        "scheduling.volcano.sh/",
        "PersistentVolumeClaim",
        "StorageClass",
        "ConfigMap",
        "resourceClaimTemplate",
        "ResourceClaimTemplate",
    };
    static const char *const OF_OTHERS[] = {
        "Nodegroup",
        "ComputeConfig",
        "jobDefinitionName",
        "jobQueueName",
        "computeEnvironmentName",
        "AWS::Batch::JobDefinition",
        "AWS::Batch::JobQueue",
        "InstanceGroupName",
        "SlurmQueues",
        "AWS::PCS::Cluster",
        "AssumeRoleWithWebIdentity",
    };
    if (has_one_of(text, OF_OTHERS, COUNT_OF(OF_OTHERS)) ||
        (str_has(text, "apiVersion") && has_one_of(text, OF_OBJECTS, COUNT_OF(OF_OBJECTS))) ||
        (str_has(text, "LaunchTemplateData") && !str_has(text, "AWS::")) || has_own_nodes(text)) {
        return OFFERS_ALL;
    }
    return str_has(text, "Export") ? OFFERS_NAMES : OFFERS_NOTHING;
}

static Span find_export(Session *session, const SharedExport *export) {
    uint32_t source = 0;
    for (uint32_t i = 1; i < session->sources.count && source == 0; i++) {
        source = str_equal(source_get(session, i)->path, export->path) ? i : 0;
    }
    if (source == 0) {
        const uint32_t before = session->diags.items.count;
        source = source_load(session, export->path, SPAN_NONE);
        diags_forget(session, before);
    }
    const bool is_there = source != 0 && export->end <= source_get(session, source)->text.len;
    return is_there ? (Span){ .source = source, .start = export->start, .end = export->end } : SPAN_NONE;
}

static Str folder_of(Str path) {
    return str_slice(path, 0, path.len - str_after_last(path, '/').len);
}

static BesideFolder *folder_in(Beside *beside, Str path) {
    const Str name = folder_of(path);
    beside->by_path.arena = beside->arena;
    BesideFolder *folder = str_map_get_mutable(&beside->by_path, name);
    if (folder == NULL) {
        folder = arena_new(beside->arena, BesideFolder);
        *folder = (BesideFolder){ .path = str_copy(beside->arena, name), .made = made_objects(beside->arena) };
        vec_push(beside->arena, &beside->folders, folder);
        str_map_add(&beside->by_path, folder->path, folder);
    }
    return folder;
}

void beside_add(Beside *beside, const Session *session, Str path, const ForeignFile *file) {
    BesideFolder *folder = folder_in(beside, path);
    bool has_groups = false;
    bool has_places = false;
    bool has_partitions = false;
    folder->makes_nodes = folder->makes_nodes || (file->subject != NULL &&
                                                  has_own_nodes(source_get(session, file->subject->span.source)->text));
    beside->exports.arena = beside->arena;
    beside->exports.find = find_export;
    for (uint32_t i = 0; i < file->plans.count; i++) {
        const Plan *plan = file->plans.items[i];
        trusts_add_made(&folder->made, plan);
        has_groups = has_groups || together_has_groups(plan);
        has_places = has_places || submissions_have_place(plan);
        has_partitions = has_partitions || partitions_are_in(plan) || partitions_are_elsewhere(plan);
        folder->makes_nodes = folder->makes_nodes || together_makes_nodes(plan);
        if (plan->file != NULL && plan->file->names != NULL) {
            plan_exports_add(&beside->exports, session, plan->file->names);
        }
    }
    if (file->objects != NULL) {
        together_add_made(&folder->made, file->objects);
    }
    if (has_groups) {
        vec_push(beside->arena, &folder->group_files, str_copy(beside->arena, path));
    }
    if (has_places) {
        vec_push(beside->arena, &folder->place_files, str_copy(beside->arena, path));
    }
    if (has_partitions) {
        vec_push(beside->arena, &folder->cluster_files, str_copy(beside->arena, path));
    }
    if (file->requests.count > 0) {
        vec_push(beside->arena, &folder->request_files, str_copy(beside->arena, path));
    }
}

// ---- manifests -----------------------------------------------------------------------------------------------------

// The folder is that of a file, or one whose files belong to it.
static bool is_beside(const Beside *beside, Str here, Str there) {
    return str_equal(here, there) ||
           (beside->are_named && (str_starts_with(here, there) || str_starts_with(there, here)));
}

// The plans of another file. What is wrong with that is said where it is linted.
static void read_plans(Session *session, Str path, FilesTogether *together) {
    const uint32_t before = session->diags.items.count;
    const uint32_t source = source_load(session, path, SPAN_NONE);
    const ForeignFile file = source == 0 ? (ForeignFile){ 0 } : foreign_read(session, source, FOREIGN_NONE, READ_ALL);
    diags_forget(session, before);
    for (uint32_t i = 0; i < file.plans.count; i++) {
        vec_push(session->arena, &together->plans, (const Plan *)file.plans.items[i]);
    }
}

// Whether something in it is held against nodes: pods, and what Kueue has pods select them by.
static bool asks_for_nodes(const Plan *plan) {
    bool asks = false;
    for (uint32_t i = 0; i < plan->objects.count; i++) {
        const PlanObject *object = plan->objects.items[i];
        asks = asks || object->pods.count > 0 || str_ends_with(object->resource->type, STR("/ResourceFlavor"));
    }
    return asks;
}

// Of other files with groups. Beside more of them nobody knows which are of one cluster.
enum { GROUP_FILES_MAX = 20 };

static void check_objects(Session *session, const Beside *beside, Str path, const ForeignFile *file) {
    FilesTogether together = { 0 };
    MadeObjects own = made_objects(session->arena);
    uint32_t group_files = 0;
    const bool has_pods = asks_for_nodes(file->objects);
    for (uint32_t i = 0; i < file->plans.count; i++) {
        vec_push(session->arena, &together.plans, (const Plan *)file->plans.items[i]);
        trusts_add_made(&own, file->plans.items[i]);
        together.is_open = together.is_open || together_makes_nodes(file->plans.items[i]);
    }
    together_add_made(&own, file->objects);
    vec_push(session->arena, &together.made, (const MadeObjects *)&own);
    for (uint32_t i = 0; i < beside->folders.count; i++) {
        const BesideFolder *folder = beside->folders.items[i];
        if (!is_beside(beside, folder_of(path), folder->path)) {
            continue;
        }
        together.is_open = together.is_open || folder->makes_nodes;
        vec_push(session->arena, &together.made, &folder->made);
        for (uint32_t k = 0; has_pods && k < folder->group_files.count && group_files <= GROUP_FILES_MAX; k++) {
            const Str other = folder->group_files.items[k];
            if (!str_equal(other, path) && group_files++ < GROUP_FILES_MAX) {
                read_plans(session, other, &together);
            }
        }
    }
    together.is_open = together.is_open || group_files > GROUP_FILES_MAX;
    together_check(session, file->objects, &together);
}

// ---- requests of the AWS CLI -----------------------------------------------------------------------------------------

// In a folder with more of them nobody knows which belong together.
enum { REQUESTS_MAX = 20 };

static const Value *property_of(const RawResource *request, const char *name) {
    const ValueEntry *entry = value_entry(request->properties, request->property_count, name);
    return entry == NULL ? NULL : entry->value;
}

// Whether a request makes the environment that a queue names, by its name or its ARN.
static bool makes_environment(const RawResources *requests, Str name) {
    for (uint32_t i = 0; i < requests->count; i++) {
        const Value *own = property_of(requests->items[i], "ComputeEnvironmentName");
        if (own != NULL && own->kind == VALUE_STRING && str_equal(own->string, str_after_last(name, '/'))) {
            return true;
        }
    }
    return false;
}

static bool are_environments_there(const RawResources *requests, const RawResource *queue) {
    const Value *order = property_of(queue, "ComputeEnvironmentOrder");
    bool are = order != NULL && order->kind == VALUE_LIST && order->list.count > 0;
    for (uint32_t i = 0; are && i < order->list.count; i++) {
        const Value *item = order->list.items[i];
        const Value *name = item->kind == VALUE_MAP ? value_get(item, "ComputeEnvironment") : NULL;
        are = name != NULL && name->kind == VALUE_STRING && makes_environment(requests, name->string);
    }
    return are;
}

// Whether jobs of these requests run in environments of theirs: there are queues, and each environment of a queue is there.
static bool is_whole(const RawResources *requests) {
    uint32_t queues = 0;
    for (uint32_t i = 0; i < requests->count; i++) {
        if (str_is(requests->items[i]->type, "AWS::Batch::JobQueue")) {
            queues++;
            if (!are_environments_there(requests, requests->items[i])) {
                return false;
            }
        }
    }
    return queues > 0;
}

static void add_requests(Arena *arena, RawResources *all, const ForeignFile *file) {
    for (uint32_t i = 0; i < file->requests.count; i++) {
        vec_push(arena, all, file->requests.items[i]);
    }
}

// Whether the file is of a folder of lifecycle scripts, and `there` the one above it: that has the request of the cluster.
static bool is_above_scripts(const ForeignFile *file, Str here, Str there) {
    const Str inner = str_slice(here, 0, here.len > 0 ? here.len - 1 : 0);
    const Str above = folder_of(inner);
    const Str name = str_slice(inner, above.len, inner.len);
    return (str_starts_with(name, STR("lifecycle")) || str_starts_with(name, STR("LifecycleScripts"))) &&
           str_equal(there, above) && str_is(file->requests.items[0]->type, "HyperPod::Slurm::ProvisioningParameters");
}

// The requests of a file and of those beside it, as the resources of one template. What is wrong with another file is said
// where it is linted.
static void check_requests(Session *session, const Beside *beside, Str path, const ForeignFile *file) {
    const uint32_t source = file->subject->span.source;
    uint32_t before = session->diags.items.count;
    RawResources all = { 0 };
    RawResources kept = { 0 };
    add_requests(session->arena, &all, file);
    const Str here = folder_of(path);
    for (uint32_t i = 0; i < beside->folders.count; i++) {
        const BesideFolder *folder = beside->folders.items[i];
        const bool is_near = is_beside(beside, here, folder->path) || is_above_scripts(file, here, folder->path);
        for (uint32_t k = 0; is_near && k < folder->request_files.count && all.count <= REQUESTS_MAX; k++) {
            const Str other = folder->request_files.items[k];
            if (str_equal(other, path)) {
                continue;
            }
            const uint32_t number = source_load(session, other, SPAN_NONE);
            const ForeignFile read =
                number == 0 ? (ForeignFile){ 0 } : foreign_read(session, number, FOREIGN_NONE, READ_ALL);
            add_requests(session->arena, &all, &read);
        }
    }
    diags_forget(session, before);
    const bool has_jobs = is_whole(&all);
    for (uint32_t i = 0; i < all.count; i++) {
        if (has_jobs || !str_is(all.items[i]->type, "AWS::Batch::JobDefinition")) {
            vec_push(session->arena, &kept, all.items[i]);
        }
    }
    if (kept.count < 2 || all.count > REQUESTS_MAX) {
        return;
    }
    Plan plan = { 0 };
    vec_push(session->arena, &plan.raw, &raw_stack_of(session, kept, (PlanResources){ 0 }, NULL)->parts);
    before = session->diags.items.count;
    plan_check(session, &plan);
    for (uint32_t i = before; i < session->diags.items.count; i++) {
        if (session->diags.items.items[i]->span.source != source) {
            diag_hide(session, session->diags.items.items[i]);
        }
    }
}

// ---- jobs of AWS Batch -----------------------------------------------------------------------------------------------

static bool submits_jobs(const ForeignFile *file) {
    bool submits = false;
    for (uint32_t i = 0; i < file->requests.count; i++) {
        submits = submits || str_is(file->requests.items[i]->type, SUBMITTED_JOB);
    }
    return submits;
}

// In a folder with more of them nobody knows which of two with one name is meant.
enum { PLACE_FILES_MAX = 20 };

static void check_submissions(Session *session, const Beside *beside, Str path, const ForeignFile *file) {
    FilesTogether together = { 0 };
    uint32_t files = 0;
    for (uint32_t i = 0; i < beside->folders.count; i++) {
        const BesideFolder *folder = beside->folders.items[i];
        const bool is_near = is_beside(beside, folder_of(path), folder->path);
        for (uint32_t k = 0; is_near && k < folder->place_files.count && files <= PLACE_FILES_MAX; k++) {
            const Str other = folder->place_files.items[k];
            if (!str_equal(other, path) && files++ < PLACE_FILES_MAX) {
                read_plans(session, other, &together);
            }
        }
    }
    for (uint32_t i = 0; files <= PLACE_FILES_MAX && i < file->plans.count; i++) {
        submissions_check(session, file->plans.items[i], together.plans.items, together.plans.count);
    }
}

// ---- batch scripts ---------------------------------------------------------------------------------------------------

static const BesideFolder *clusters_in(const Beside *beside, Str path) {
    const BesideFolder *folder = str_map_get(&beside->by_path, path);
    return folder != NULL && folder->cluster_files.count > 0 ? folder : NULL;
}

// The cluster of a batch script is the only one in its folder, or in the folder above where its own has none.
static void check_partitions(Session *session, const Beside *beside, Str path, const ForeignFile *file) {
    const Str here = folder_of(path);
    const BesideFolder *own = clusters_in(beside, here);
    const BesideFolder *folder =
        own != NULL ? own : clusters_in(beside, folder_of(str_slice(here, 0, here.len > 0 ? here.len - 1 : 0)));
    if (folder == NULL || folder->cluster_files.count != 1) {
        return;
    }
    FilesTogether together = { 0 };
    read_plans(session, folder->cluster_files.items[0], &together);
    const Plan *cluster = NULL;
    for (uint32_t i = 0; i < together.plans.count && cluster == NULL; i++) {
        cluster = partitions_are_in(together.plans.items[i]) ? together.plans.items[i] : NULL;
    }
    for (uint32_t i = 0; cluster != NULL && i < file->plans.count; i++) {
        partitions_check(session, file->plans.items[i], cluster);
    }
}

static bool has_script(const ForeignFile *file) {
    bool has = false;
    for (uint32_t i = 0; i < file->plans.count; i++) {
        has = has || file->plans.items[i]->script != NULL;
    }
    return has;
}

// ----------------------------------------------------------------------------------------------------------------------

void beside_check(Session *session, const Beside *beside, Str path, const ForeignFile *file) {
    if (file->objects != NULL) {
        check_objects(session, beside, path, file);
    }
    if (file->requests.count > 0) {
        check_requests(session, beside, path, file);
    }
    if (submits_jobs(file)) {
        check_submissions(session, beside, path, file);
    }
    if (has_script(file)) {
        check_partitions(session, beside, path, file);
    }
    for (uint32_t i = 0; i < file->plans.count; i++) {
        const PlanFile *text = file->plans.items[i]->file;
        if (text != NULL && text->names != NULL) {
            exports_check(session, &beside->exports, text->names, path);
        }
    }
}
