// The specification of a job's pods. A pod has one container, on the nodes of the job's group: it asks for the devices
// that the job has of each node, and sees the file systems that the job mounts.
#include "emitters/kubernetes/pod.h"

#include "compiler/plan/model/claim.h"
#include "compiler/plan/model/compute_domain.h"
#include "compiler/plan/model/devices.h"
#include "compiler/plan/model/identity.h"
#include "emitters/job/job_environment.h"
#include "emitters/kubernetes/pod_secrets.h"
#include "emitters/node/first_job.h"
#include "emitters/tool/tool_facts.h"
#include "emitters/tool/tool_tree.h"
#include "emitters/tool/tool_values.h"

enum { MIB = 1024 * 1024, SECOND_MS = 1000 };

void pods_put_labels(const JobPods *pods, DocNode *map, const char *key) {
    DocNode *labels = tree_put_map(pods->doc, map, key);
    tree_put(pods->doc, labels, "app.kubernetes.io/name", tree_string(pods->doc, WHY_JOB_SERVICE, pods->job->head.id));
}

void pods_add_service(const JobPods *pods) {
    Doc *doc = pods->doc;
    const PlanHead *head = &pods->job->head;
    DocNode *service = manifest_add(pods->manifest, "v1", "Service", head->id, head->subject->name_span);
    DocNode *spec = tree_put_map(doc, service, "spec");
    tree_put(doc, spec, "clusterIP", tree_text(doc, WHY_JOB_SERVICE, "None"));
    tree_put(doc, spec, "publishNotReadyAddresses", tree_bool(doc, WHY_JOB_SERVICE, true));
    pods_put_labels(pods, spec, "selector");
}

// ---- texts -----------------------------------------------------------------------------------------------------------

// "$(NAME)" of the author's as it is: Kubernetes takes "$$(" for "$(".
static DocNode *author_text(const JobPods *pods, const Value *value) {
    if (tool_is_null(pods->file, value)) {
        return NULL;
    }
    const Str text = tool_text(pods->file, value);
    if (str_find(text, STR("$("), 0) >= text.len) {
        return tool_value(pods->file, value);
    }
    StrBuf out = { .arena = pods->file->arena };
    for (size_t i = 0; i < text.len; i++) {
        const bool begins = text.data[i] == '$' && i + 1 < text.len && text.data[i + 1] == '(';
        strbuf_add(&out, begins ? STR("$$") : str_slice(text, i, i + 1));
    }
    return doc_string(pods->doc, strbuf_str(&out), value->origin);
}

DocNode *pods_words(const JobPods *pods, const JobWords *words) {
    DocNode *list = doc_list(pods->doc);
    for (uint32_t i = 0; i < words->count; i++) {
        const JobWord *word = &words->items[i];
        const bool has_lines = word->value == NULL && str_find(word->text, STR("\n"), 0) < word->text.len;
        DocNode *node = word->value != NULL ? author_text(pods, word->value)
                        : has_lines         ? doc_block(pods->doc, word->text, word->origin)
                                            : doc_string(pods->doc, word->text, word->origin);
        if (node != NULL) {
            doc_add(pods->doc, list, node);
        }
    }
    return list;
}

static void add_rendezvous(const JobPods *pods, JobWords *words, const char *rank) {
    Arena *arena = pods->file->arena;
    const Why reason = WHY_TORCHRUN_RENDEZVOUS;
    if (!plan_job_is_multi_node(pods->job)) {
        job_add_word(arena, words, WHY_TORCHRUN_ALONE, "--standalone");
        return;
    }
    job_add_word(arena, words, reason, "--nnodes");
    job_add_number(arena, words, pods->job->nodes);
    job_add_word(arena, words, reason, "--node-rank");
    job_add_word(arena, words, reason, rank);
    job_add_word(arena, words, reason, "--master-addr");
    job_add_word(arena, words, reason, str_c(arena, pods->leader));
    job_add_word(arena, words, reason, "--master-port");
    job_add_word(arena, words, reason, str_c(arena, pods->port));
    job_add_word(arena, words, WHY_TORCHRUN_WAIT, "--rdzv-conf");
    const Str limit = str_format(arena, "timeout=%" PRId64, schema_constant(CONSTANT_MPIRUN_WAIT));
    job_add_word(arena, words, WHY_TORCHRUN_WAIT, str_c(arena, limit));
}

DocNode *pods_command(const JobPods *pods, const char *rank) {
    Arena *arena = pods->file->arena;
    const PlanJob *job = pods->job;
    JobWords words = { 0 };
    job_add_precompile(arena, &words, job);
    if (job->launcher == LAUNCHER_TORCHRUN) {
        job_add_word(arena, &words, WHY_TORCHRUN_ALONE, "torchrun");
        add_rendezvous(pods, &words, rank);
        job_add_torchrun_options(arena, &words, job);
    }
    job_add_command(arena, &words, job);
    return words.count == 0 ? NULL : pods_words(pods, &words);
}

// ---- the environment -------------------------------------------------------------------------------------------------

static DocNode *add_variable(const JobPods *pods, DocNode *list, DocNode *name, DocNode *value) {
    DocNode *variable = tree_add_map(pods->doc, list);
    tree_put(pods->doc, variable, "name", name);
    tree_put(pods->doc, variable, "value", value);
    return variable;
}

static void add_own(const JobPods *pods, DocNode *list, const char *name, Why reason, Str value) {
    add_variable(pods, list, tree_text(pods->doc, WHY_ENVIRONMENT_VARIABLE, name),
                 tree_string(pods->doc, reason, value));
}

// The processes of Neuron's runtime meet at the port behind the one of torchrun.
static void add_neuron(const JobPods *pods, DocNode *list) {
    static const char NAME[] = "NEURON_RT_ROOT_COMM_ID";
    const unsigned wanted = JOB_OF_NODES | JOB_ON_NEURON;
    if (pods->leader.len > 0 && job_has(job_needs(pods->job), wanted) && job_author_variable(pods->job, NAME) == NULL) {
        const Str place = str_format(pods->file->arena, "%.*s:%" PRId64, STR_ARG(pods->leader),
                                     schema_constant(CONSTANT_TORCHRUN_PORT) + 1);
        add_own(pods, list, NAME, WHY_NEURON_LEADER, place);
    }
}

static void put_environment(const JobPods *pods, DocNode *container) {
    const PlanJob *job = pods->job;
    DocNode *list = doc_list(pods->doc);
    JobVariable variables[JOB_VARIABLES_MAX];
    const int count = job_variables(job, variables);
    doc_because(pods->doc, job->nodes->origin);
    for (int i = 0; i < count; i++) {
        add_own(pods, list, variables[i].name, variables[i].why, str_of(variables[i].value));
    }
    add_neuron(pods, list);
    doc_unbecause(pods->doc);
    for (uint32_t i = 0; i < job->env->map.count; i++) {
        const ValueEntry *entry = &job->env->map.entries[i];
        DocNode *value = author_text(pods, entry->value);
        if (value != NULL) {
            DocNode *name = doc_string(pods->doc, entry->key, origin_span(pods->file->arena, entry->key_span));
            add_variable(pods, list, name, value);
        }
    }
    secrets_put_variables(pods, list);
    if (doc_count(list) > 0) {
        tree_put(pods->doc, container, "env", list);
    }
}

// Pods of one node have nobody to speak to by EFA.
static bool has_efa(const PlanJob *job) {
    return plan_job_is_multi_node(job) && job->efa_devices > 0;
}

// ---- resources -------------------------------------------------------------------------------------------------------

static DocNode *amount(const JobPods *pods, const Value *value, int64_t unit, const char *suffix) {
    return doc_string(pods->doc, str_format(pods->file->arena, "%" PRId64 "%s", value->integer / unit, suffix),
                      value->origin);
}

// A pod asks for as many devices as it may have.
static void put_device(const JobPods *pods, DocNode *requests, DocNode *limits, Device device, int64_t count,
                       const Origin *origin) {
    if (count > 0) {
        const char *name = device_row(device)->resource;
        tree_put(pods->doc, requests, name, doc_int(pods->doc, count, origin));
        tree_put(pods->doc, limits, name, doc_int(pods->doc, count, origin));
    }
}

// ---- the channel of IMEX ---------------------------------------------------------------------------------------------

static const char CHANNEL[] = "imex-channel"; // the claim, within its pod

// A claim in a list of the pod's, of the template that the domain makes, or in one of its container's. Without the latter
// the driver gives the container no /dev/nvidia-caps-imex-channels.
static void put_claim(const JobPods *pods, DocNode *parent, const char *list, bool is_of_pod) {
    const PlanObject *domain = plan_job_domain(pods->job);
    if (domain == NULL) {
        return;
    }
    doc_because(pods->doc, domain->resource->origin);
    DocNode *claim = tree_add_map(pods->doc, tree_put_list(pods->doc, parent, list));
    tree_put(pods->doc, claim, "name", tree_text(pods->doc, WHY_JOB_CHANNEL, CHANNEL));
    if (is_of_pod) {
        tree_put(pods->doc, claim, "resourceClaimTemplateName", tool_value(pods->file, plan_domain_template(domain)));
    }
    doc_unbecause(pods->doc);
}

// ----------------------------------------------------------------------------------------------------------------------

void pods_put_resources(const JobPods *pods, DocNode *map, const char *key) {
    Doc *doc = pods->doc;
    const PlanJob *job = pods->job;
    const PlanNodes *group = job->group;
    const bool has_neuron = group->instance->accelerator == ACCELERATOR_NEURON;
    DocNode *resources = tree_put_map(doc, map, key);
    DocNode *requests = tree_put_map(doc, resources, "requests");
    tree_put(doc, requests, "cpu", amount(pods, job->vcpus, 1, ""));
    tree_put(doc, requests, "memory", amount(pods, job->memory, MIB, "Mi"));
    DocNode *limits = doc_map(doc);
    if (job->eks->memory_limit != NULL) {
        tree_put(doc, limits, "memory", amount(pods, job->eks->memory_limit, MIB, "Mi"));
    }
    put_device(pods, requests, limits, DEVICE_NVIDIA, job->gpus->integer, job->gpus->origin);
    put_device(pods, requests, limits, DEVICE_NEURON, has_neuron ? group->instance->accelerators : 0,
               group->instance_value->origin);
    put_device(pods, requests, limits, DEVICE_EFA, has_efa(job) ? job->efa_devices : 0, group->fabric.origin);
    if (doc_count(limits) > 0) {
        tree_put(doc, resources, "limits", limits);
    }
    put_claim(pods, resources, "claims", false);
}

static void put_small_resources(const JobPods *pods, DocNode *container) {
    Doc *doc = pods->doc;
    DocNode *requests = tree_put_map(doc, tree_put_map(doc, container, "resources"), "requests");
    tree_put(doc, requests, "cpu", tree_text(doc, WHY_JOB_LAUNCHER, "100m"));
    tree_put(doc, requests, "memory", tree_text(doc, WHY_JOB_LAUNCHER, "256Mi"));
}

// ---- rights ----------------------------------------------------------------------------------------------------------

// EFA locks memory, and a container of Kubernetes may lock none without the capability.
static void put_rights(const JobPods *pods, DocNode *container, PodRole role) {
    Doc *doc = pods->doc;
    const PlanJob *job = pods->job;
    DocNode *security = doc_map(doc);
    if (!tool_is_null(pods->file, job->container->user)) {
        const Str user = tool_text(pods->file, job->container->user);
        const int64_t number = str_is(user, "root") ? 0 : strtoll(str_c(pods->file->arena, user), NULL, 10);
        tree_put(doc, security, "runAsUser", doc_int(doc, number, job->container->user->origin));
    }
    if (has_efa(job) && role != POD_STARTS_OTHERS) {
        doc_because(doc, job->group->fabric.origin);
        DocNode *capabilities = tree_put_map(doc, security, "capabilities");
        tree_put(doc, capabilities, "add", tree_list_of(doc, tree_text(doc, WHY_JOB_RIGHTS, "IPC_LOCK")));
        doc_unbecause(doc);
    }
    if (doc_count(security) > 0) {
        tree_put(doc, container, "securityContext", security);
    }
}

void pods_add_account(const JobPods *pods) {
    if (!plan_job_has_identity(pods->job)) {
        return;
    }
    const PlanHead *head = &pods->job->head;
    DocNode *account = manifest_add(pods->manifest, "v1", "ServiceAccount", head->id, head->subject->name_span);
    tree_put(pods->doc, account, "automountServiceAccountToken", tree_bool(pods->doc, WHY_JOB_RIGHTS, false));
}

// EKS Pod Identity mounts a token of its own, whatever is said of the one for the cluster's API.
static void put_account(const JobPods *pods, DocNode *spec) {
    if (plan_job_has_identity(pods->job)) {
        tree_put(pods->doc, spec, "serviceAccountName", tree_string(pods->doc, WHY_POD_ACCOUNT, pods->job->head.id));
    }
}

// ---- file systems ----------------------------------------------------------------------------------------------------

static void add_mount(const JobPods *pods, DocNode *mounts, DocNode *name, DocNode *path) {
    DocNode *mount = tree_add_map(pods->doc, mounts);
    tree_put(pods->doc, mount, "name", name);
    tree_put(pods->doc, mount, "mountPath", path);
}

// A pod has no two volumes of one name.
static bool is_own_volume(Str storage) {
    return str_is(storage, "shm") || str_starts_with(storage, STR("secrets-store"));
}

static void put_volumes(const JobPods *pods, DocNode *spec, DocNode *container) {
    Doc *doc = pods->doc;
    const PlanJobContainer *plan = pods->job->container;
    DocNode *volumes = tree_put_list(doc, spec, "volumes");
    DocNode *mounts = tree_put_list(doc, container, "volumeMounts");
    DocNode *shm = tree_add_map(doc, volumes);
    tree_put(doc, shm, "name", tree_text(doc, WHY_JOB_SHM, "shm"));
    DocNode *empty = tree_put_map(doc, shm, "emptyDir");
    tree_put(doc, empty, "medium", tree_text(doc, WHY_JOB_SHM, "Memory"));
    tree_put(doc, empty, "sizeLimit", amount(pods, plan->shm, MIB, "Mi"));
    add_mount(pods, mounts, tree_text(doc, WHY_JOB_SHM, "shm"), tree_text(doc, WHY_JOB_SHM, "/dev/shm"));
    for (uint32_t i = 0; i < plan->mounts.count; i++) {
        const PlanStorage *storage = plan->mounts.items[i];
        const Str claim = plan_claim_name(pods->file->arena, storage->head.id);
        const Str name = is_own_volume(storage->head.id) ? claim : storage->head.id;
        DocNode *volume = tree_add_map(doc, volumes);
        tree_put(doc, volume, "name", doc_string(doc, name, storage->head.origin));
        tree_put(doc, tree_put_map(doc, volume, "persistentVolumeClaim"), "claimName",
                 doc_string(doc, claim, storage->head.origin));
        add_mount(pods, mounts, doc_string(doc, name, storage->head.origin), tool_value(pods->file, storage->mount));
    }
}

// ---- where it runs ---------------------------------------------------------------------------------------------------

static void put_tolerations(const JobPods *pods, DocNode *spec) {
    const Value *taints = pods->job->group->eks->taints;
    Doc *doc = pods->doc;
    DocNode *list = doc_list(doc);
    for (uint32_t i = 0; i < taints->list.count; i++) {
        const Value *taint = taints->list.items[i];
        doc_because(doc, taint->origin);
        DocNode *entry = tree_add_map(doc, list);
        tree_put(doc, entry, "key", tool_value(pods->file, taint->tag.arguments[0]));
        tree_put(doc, entry, "operator", tree_text(doc, WHY_JOB_NODES, "Exists"));
        tree_put(doc, entry, "effect", tool_value(pods->file, taint->tag.arguments[2]));
        doc_unbecause(doc);
    }
    if (doc_count(list) > 0) {
        tree_put(doc, spec, "tolerations", list);
    }
}

static void put_selector(const JobPods *pods, DocNode *spec) {
    const PlanNodes *group = pods->job->group;
    doc_because(pods->doc, group->head.origin);
    tree_put(pods->doc, tree_put_map(pods->doc, spec, "nodeSelector"), FIRST_JOB_LABEL,
             tree_string(pods->doc, WHY_JOB_NODES, first_job_label(pods->file->arena, group)));
    doc_unbecause(pods->doc);
}

// Layers of the network, the nearest first: nodes that share the value of the third stand closest to each other.
// source: docs.aws.amazon.com/eks/latest/userguide/ml-workload-topology.html, read 2026-11
static const struct {
    const char *label;
    int weight;
} NETWORK_LAYERS[] = {
    { "topology.k8s.aws/network-node-layer-3", 100 },
    { "topology.k8s.aws/network-node-layer-2", 50 },
    { "topology.k8s.aws/network-node-layer-1", 10 },
};

// The pods of a job over EFA stand close to each other where there is room. Types without these labels lose nothing.
static void put_affinity(const JobPods *pods, DocNode *spec) {
    if (!has_efa(pods->job)) {
        return;
    }
    Doc *doc = pods->doc;
    DocNode *near = tree_put_map(doc, tree_put_map(doc, spec, "affinity"), "podAffinity");
    DocNode *list = tree_put_list(doc, near, "preferredDuringSchedulingIgnoredDuringExecution");
    for (size_t i = 0; i < COUNT_OF(NETWORK_LAYERS); i++) {
        DocNode *item = tree_add_map(doc, list);
        tree_put(doc, item, "weight", tree_number(doc, WHY_JOB_TOPOLOGY, NETWORK_LAYERS[i].weight));
        DocNode *term = tree_put_map(doc, item, "podAffinityTerm");
        tree_put(doc, term, "topologyKey", tree_text(doc, WHY_JOB_TOPOLOGY, NETWORK_LAYERS[i].label));
        pods_put_labels(pods, tree_put_map(doc, term, "labelSelector"), "matchLabels");
    }
}

// ---- the pod ---------------------------------------------------------------------------------------------------------

static DocNode *image_of(const JobPods *pods) {
    const PlanJob *job = pods->job;
    if (job->image == NULL) {
        return tool_value(pods->file, job->image_uri);
    }
    const Str uri = tool_image_uri(pods->file, job->head.subject->name_span, job->image, job->cluster);
    return doc_string(pods->doc, uri, job->image->head.origin);
}

static void add_container(const JobPods *pods, DocNode *spec, PodRole role, const char *name, DocNode *command) {
    Doc *doc = pods->doc;
    DocNode *container = tree_add_map(doc, tree_put_list(doc, spec, "containers"));
    tree_put(doc, container, "name", tree_text(doc, WHY_JOB_CONTAINER, name));
    tree_put(doc, container, "image", image_of(pods));
    tree_put(doc, container, "command", command);
    put_environment(pods, container);
    if (role == POD_WORKS) {
        pods_put_resources(pods, container, "resources");
    } else if (role == POD_STARTS_OTHERS) {
        put_small_resources(pods, container);
    }
    put_rights(pods, container, role);
    if (role != POD_STARTS_OTHERS) {
        put_volumes(pods, spec, container);
    }
    secrets_put_volumes(pods, spec, container);
}

void pods_put_spec(const JobPods *pods, DocNode *map, PodRole role, const char *container_name, DocNode *command) {
    Doc *doc = pods->doc;
    DocNode *spec = tree_put_map(doc, map, "spec");
    if (pods->has_subdomain) {
        tree_put(doc, spec, "subdomain", tree_string(doc, WHY_JOB_SERVICE, pods->job->head.id));
    }
    tree_put(doc, spec, "restartPolicy", tree_text(doc, WHY_JOB_RETRY, "Never"));
    if (pods->has_deadline) {
        pods_put_deadline(pods, spec, "activeDeadlineSeconds");
    }
    put_account(pods, spec);
    tree_put(doc, spec, "automountServiceAccountToken", tree_bool(doc, WHY_JOB_RIGHTS, false));
    tree_put(doc, spec, "enableServiceLinks", tree_bool(doc, WHY_JOB_RIGHTS, false));
    put_selector(pods, spec);
    put_tolerations(pods, spec);
    if (role != POD_STARTS_OTHERS) {
        put_affinity(pods, spec);
        put_claim(pods, spec, "resourceClaims", true);
    }
    add_container(pods, spec, role, container_name, command);
}

void pods_put_deadline(const JobPods *pods, DocNode *map, const char *key) {
    const Value *timeout = pods->job->timeout;
    if (timeout != NULL && timeout->kind == VALUE_DURATION) {
        tree_put(pods->doc, map, key, doc_int(pods->doc, timeout->integer / SECOND_MS, timeout->origin));
    }
}

static DocNode *add_failure(const JobPods *pods, DocNode *rules, const char *action) {
    DocNode *rule = tree_add_map(pods->doc, rules);
    tree_put(pods->doc, rule, "action", tree_text(pods->doc, WHY_JOB_NODE_LOSS, action));
    return rule;
}

// The first rule that fits counts, and a pod that loses its node mostly ends with a status as well. To ignore the loss
// would be to start again without end.
void pods_put_node_loss(const JobPods *pods, DocNode *spec, const char *final) {
    Doc *doc = pods->doc;
    const PlanJob *job = pods->job;
    if (job->node_loss == NULL || job->attempts->integer == 1) {
        return;
    }
    doc_because(doc, job->node_loss->origin);
    DocNode *rules = tree_put_list(doc, tree_put_map(doc, spec, "podFailurePolicy"), "rules");
    DocNode *lost = add_failure(pods, rules, "Count");
    DocNode *condition = tree_add_map(doc, tree_put_list(doc, lost, "onPodConditions"));
    tree_put(doc, condition, "type", tree_text(doc, WHY_JOB_NODE_LOSS, "DisruptionTarget"));
    tree_put(doc, condition, "status", tree_text(doc, WHY_JOB_NODE_LOSS, "True")); // older CRDs of JobSet require it
    DocNode *failed = add_failure(pods, rules, final);
    DocNode *codes = tree_put_map(doc, failed, "onExitCodes");
    tree_put(doc, codes, "operator", tree_text(doc, WHY_JOB_NODE_LOSS, "NotIn"));
    tree_put(doc, codes, "values", tree_list_of(doc, tree_number(doc, WHY_JOB_NODE_LOSS, 0)));
    doc_unbecause(doc);
}
