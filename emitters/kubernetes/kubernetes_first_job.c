// A group's first job on EKS. It is an Indexed Job with one pod on each node, and a headless service by which the pods
// find the leader. It is a file of its own and no step of the plan. It has a file of its own. The template of a Job
// cannot change, so that beside the other objects it would make every later `kubectl apply` fail. It also takes all EFA
// interfaces of the nodes, which a person has to decide. It is not suspended: with one command by hand, a second one
// that lets it go would say nothing more.
#include "emitters/node/first_job.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/names.h"
#include "emitters/kubernetes/manifest.h"
#include "emitters/tool/tool_file.h"
#include "emitters/tool/tool_tree.h"
#include "emitters/tool/tool_values.h"
#include "stdlib/node/contract.h"

enum { SECONDS_OF_MINUTE = 60 };

// Of dtc-collective, dtc-collective(1): a verdict, or a command line or a node that another try would not change.
static const int FINAL_STATUSES[] = {
    NODE_EXIT_FAIL, NODE_EXIT_OTHER, NODE_EXIT_USAGE, NODE_EXIT_RECORD, NODE_EXIT_INTERNAL,
};

typedef struct {
    Manifest *manifest;
    Doc *doc;
    const PlanNodes *nodes;
    Str name; // of the job and its service
} Job;

static void put_labels(const Job *job, DocNode *map, const char *key) {
    DocNode *labels = tree_put_map(job->doc, map, key);
    tree_put(job->doc, labels, "app.kubernetes.io/name", tree_text(job->doc, WHY_FIRST_JOB_SERVICE, "dtc-collective"));
    tree_put(job->doc, labels, "app.kubernetes.io/instance", tree_string(job->doc, WHY_FIRST_JOB_SERVICE, job->name));
}

// ---- the container -------------------------------------------------------------------------------------------------

static void put_command(const Job *job, DocNode *container) {
    Arena *arena = job->manifest->file->arena;
    Doc *doc = job->doc;
    DocNode *command = tree_put_list(doc, container, "command");
    doc_add(doc, command, tree_text(doc, WHY_FIRST_JOB_COMMAND, "dtc-collective"));
    const Str words[] = {
        STR("run"),
        str_of("--n"),
        str_format(arena, "%d", job->nodes->validate->first_job),
        str_of("--leader"),
        str_format(arena, "%.*s-0.%.*s", STR_ARG(job->name), STR_ARG(job->name)),
        str_of("--host"),
        STR("$(NODE_NAME)"),
    };
    DocNode *arguments = tree_put_list(doc, container, "args");
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        doc_add(doc, arguments, tree_string(doc, WHY_FIRST_JOB_COMMAND, words[i]));
    }
    Str options[FIRST_JOB_WORDS_MAX];
    int count;
    first_job_options(arena, job->nodes, options, &count);
    for (int i = 0; i < count; i++) {
        doc_add(doc, arguments, tree_string(doc, WHY_FIRST_JOB_COMMAND, options[i]));
    }
}

static void put_environment(const Job *job, DocNode *container) {
    Doc *doc = job->doc;
    DocNode *list = tree_put_list(doc, container, "env");
    DocNode *node = tree_add_map(doc, list);
    tree_put(doc, node, "name", tree_text(doc, WHY_FIRST_JOB_COMMAND, "NODE_NAME"));
    tree_put(doc, tree_put_map(doc, tree_put_map(doc, node, "valueFrom"), "fieldRef"), "fieldPath",
             tree_text(doc, WHY_FIRST_JOB_COMMAND, "spec.nodeName"));
    // Pods of a job that was replaced by this one of the same name look for the same leader while they last.
    DocNode *token = tree_add_map(doc, list);
    tree_put(doc, token, "name", tree_text(doc, WHY_FIRST_JOB_COMMAND, "DTC_JOB_TOKEN"));
    tree_put(doc, tree_put_map(doc, tree_put_map(doc, token, "valueFrom"), "fieldRef"), "fieldPath",
             tree_text(doc, WHY_FIRST_JOB_COMMAND, "metadata.labels['batch.kubernetes.io/controller-uid']"));
    DocNode *pages = tree_add_map(doc, list);
    tree_put(doc, pages, "name", tree_text(doc, WHY_FIRST_JOB_PAGES, "FI_EFA_USE_HUGE_PAGE"));
    tree_put(doc, pages, "value", tree_text(doc, WHY_FIRST_JOB_PAGES, "0"));
}

static void put_rights(const Job *job, DocNode *container) {
    Doc *doc = job->doc;
    DocNode *security = tree_put_map(doc, container, "securityContext");
    tree_put(doc, security, "allowPrivilegeEscalation", tree_bool(doc, WHY_FIRST_JOB_RIGHTS, false));
    tree_put(doc, security, "runAsUser", tree_number(doc, WHY_FIRST_JOB_RIGHTS, 0));
    DocNode *capabilities = tree_put_map(doc, security, "capabilities");
    tree_put(doc, capabilities, "drop", tree_list_of(doc, tree_text(doc, WHY_FIRST_JOB_RIGHTS, "ALL")));
    tree_put(doc, capabilities, "add", tree_list_of(doc, tree_text(doc, WHY_FIRST_JOB_RIGHTS, "IPC_LOCK")));
    tree_put(doc, tree_put_map(doc, security, "seccompProfile"), "type",
             tree_text(doc, WHY_FIRST_JOB_RIGHTS, "RuntimeDefault"));
}

// The all-reduce with a chunk to receive into, and an endpoint for each interface.
static Str memory_of(const Job *job) {
    enum { MIB = 1024 * 1024 };
    const int64_t bytes = schema_constant(CONSTANT_COLLECTIVE_BYTES);
    const int64_t chunk = bytes / job->nodes->validate->first_job;
    const int64_t endpoints = schema_constant(CONSTANT_EFA_ENDPOINT_MIB) * job->nodes->fabric.efa_count;
    const int64_t mib = (bytes + chunk + MIB - 1) / MIB + endpoints + schema_constant(CONSTANT_COLLECTIVE_PROGRAM_MIB);
    return str_format(job->manifest->file->arena, "%" PRId64 "Mi", mib);
}

static void put_resources(const Job *job, DocNode *container) {
    static const char EFA[] = "vpc.amazonaws.com/efa";
    Doc *doc = job->doc;
    DocNode *resources = tree_put_map(doc, container, "resources");
    DocNode *requests = tree_put_map(doc, resources, "requests");
    tree_put(doc, requests, "cpu", tree_text(doc, WHY_FIRST_JOB_RESOURCES, "1"));
    DocNode *limits = tree_put_map(doc, resources, "limits");
    doc_because(doc, job->nodes->fabric.origin);
    tree_put(doc, requests, "memory", tree_string(doc, WHY_FIRST_JOB_RESOURCES, memory_of(job)));
    tree_put(doc, requests, EFA, tree_number(doc, WHY_FIRST_JOB_RESOURCES, job->nodes->fabric.efa_count));
    tree_put(doc, limits, EFA, tree_number(doc, WHY_FIRST_JOB_RESOURCES, job->nodes->fabric.efa_count));
    doc_unbecause(doc);
}

static void add_container(const Job *job, DocNode *spec) {
    DocNode *container = tree_add_map(job->doc, tree_put_list(job->doc, spec, "containers"));
    tree_put(job->doc, container, "name", tree_text(job->doc, WHY_FIRST_JOB_COMMAND, "dtc-collective"));
    tree_put(job->doc, container, "image", tool_value(job->manifest->file, job->nodes->validate->image));
    put_command(job, container);
    put_environment(job, container);
    put_resources(job, container);
    put_rights(job, container);
}

// ---- where it runs -------------------------------------------------------------------------------------------------

static void add_toleration(const Job *job, DocNode *list, Str key, Str effect) {
    Doc *doc = job->doc;
    DocNode *entry = tree_add_map(doc, list);
    tree_put(doc, entry, "key", tree_string(doc, WHY_FIRST_JOB_NODES, key));
    tree_put(doc, entry, "operator", tree_text(doc, WHY_FIRST_JOB_NODES, "Exists"));
    tree_put(doc, entry, "effect", tree_string(doc, WHY_FIRST_JOB_NODES, effect));
}

static void put_tolerations(const Job *job, DocNode *spec) {
    const Value *taints = job->nodes->eks->taints;
    DocNode *list = tree_put_list(job->doc, spec, "tolerations");
    add_toleration(job, list, STR(NODE_TAINT), STR("NoSchedule"));
    for (uint32_t i = 0; i < taints->list.count; i++) {
        const Value *taint = taints->list.items[i];
        doc_because(job->doc, taint->origin);
        add_toleration(job, list, tool_text(job->manifest->file, taint->tag.arguments[0]),
                       tool_text(job->manifest->file, taint->tag.arguments[2]));
        doc_unbecause(job->doc);
    }
}

static void put_affinity(const Job *job, DocNode *spec) {
    Doc *doc = job->doc;
    DocNode *apart = tree_put_map(doc, tree_put_map(doc, spec, "affinity"), "podAntiAffinity");
    DocNode *term = tree_add_map(doc, tree_put_list(doc, apart, "requiredDuringSchedulingIgnoredDuringExecution"));
    put_labels(job, tree_put_map(doc, term, "labelSelector"), "matchLabels");
    tree_put(doc, term, "topologyKey", tree_text(doc, WHY_FIRST_JOB_NODES, "kubernetes.io/hostname"));
}

static void put_pod(const Job *job, DocNode *template) {
    Doc *doc = job->doc;
    put_labels(job, tree_put_map(doc, template, "metadata"), "labels");
    DocNode *spec = tree_put_map(doc, template, "spec");
    tree_put(doc, spec, "subdomain", tree_string(doc, WHY_FIRST_JOB_SERVICE, job->name));
    tree_put(doc, spec, "restartPolicy", tree_text(doc, WHY_FIRST_JOB_RETRY, "Never"));
    tree_put(doc, spec, "automountServiceAccountToken", tree_bool(doc, WHY_FIRST_JOB_RIGHTS, false));
    tree_put(doc, spec, "enableServiceLinks", tree_bool(doc, WHY_FIRST_JOB_RIGHTS, false));
    const Str label = first_job_label(job->manifest->file->arena, job->nodes);
    tree_put(doc, tree_put_map(doc, spec, "nodeSelector"), FIRST_JOB_LABEL,
             tree_string(doc, WHY_FIRST_JOB_NODES, label));
    put_tolerations(job, spec);
    put_affinity(job, spec);
    add_container(job, spec);
}

// ---- the objects ---------------------------------------------------------------------------------------------------

static void add_rule(const Job *job, DocNode *rules, const char *action, const int *statuses, size_t count) {
    Doc *doc = job->doc;
    DocNode *rule = tree_add_map(doc, rules);
    tree_put(doc, rule, "action", tree_text(doc, WHY_FIRST_JOB_RETRY, action));
    DocNode *codes = tree_put_map(doc, rule, "onExitCodes");
    tree_put(doc, codes, "containerName", tree_text(doc, WHY_FIRST_JOB_RETRY, "dtc-collective"));
    tree_put(doc, codes, "operator", tree_text(doc, WHY_FIRST_JOB_RETRY, "In"));
    DocNode *values = tree_put_list(doc, codes, "values");
    for (size_t i = 0; i < count; i++) {
        doc_add(doc, values, tree_number(doc, WHY_FIRST_JOB_RETRY, statuses[i]));
    }
}

static void add_service(const Job *job) {
    Doc *doc = job->doc;
    DocNode *service = manifest_add(job->manifest, "v1", "Service", job->name, preflight_span(job->nodes));
    DocNode *spec = tree_put_map(doc, service, "spec");
    tree_put(doc, spec, "clusterIP", tree_text(doc, WHY_FIRST_JOB_SERVICE, "None"));
    tree_put(doc, spec, "publishNotReadyAddresses", tree_bool(doc, WHY_FIRST_JOB_SERVICE, true));
    put_labels(job, spec, "selector");
}

static void add_job(const Job *job) {
    static const int NO_LEADER[] = { NODE_EXIT_LOST };
    Doc *doc = job->doc;
    const int ranks = job->nodes->validate->first_job;
    const int64_t seconds = schema_constant(CONSTANT_COLLECTIVE_MINUTES) * SECONDS_OF_MINUTE +
                            schema_constant(CONSTANT_COLLECTIVE_RENDEZVOUS_S);
    DocNode *object = manifest_add(job->manifest, "batch/v1", "Job", job->name, preflight_span(job->nodes));
    DocNode *spec = tree_put_map(doc, object, "spec");
    tree_put(doc, spec, "completionMode", tree_text(doc, WHY_FIRST_JOB_RANKS, "Indexed"));
    tree_put(doc, spec, "completions", tree_number(doc, WHY_FIRST_JOB_RANKS, ranks));
    tree_put(doc, spec, "parallelism", tree_number(doc, WHY_FIRST_JOB_RANKS, ranks));
    tree_put(doc, spec, "activeDeadlineSeconds", tree_number(doc, WHY_FIRST_JOB_RETRY, seconds));
    tree_put(doc, spec, "backoffLimitPerIndex", tree_number(doc, WHY_FIRST_JOB_RETRY, 1));
    tree_put(doc, spec, "maxFailedIndexes", tree_number(doc, WHY_FIRST_JOB_RETRY, 0));
    DocNode *rules = tree_put_list(doc, tree_put_map(doc, spec, "podFailurePolicy"), "rules");
    add_rule(job, rules, "FailJob", FINAL_STATUSES, COUNT_OF(FINAL_STATUSES));
    add_rule(job, rules, "Count", NO_LEADER, COUNT_OF(NO_LEADER));
    put_pod(job, tree_put_map(doc, spec, "template"));
}

static void decide(const Job *job) {
    Manifest *manifest = job->manifest;
    Arena *arena = manifest->file->session->arena;
    const PlanDecision decision = {
        .span = preflight_span(job->nodes),
        .file = manifest->file->step.file,
        .subject = plan_group_path(arena, job->nodes),
        .text = str_format(arena, "%d nodes measure each other in a first job: %.*s", job->nodes->validate->first_job,
                           STR_ARG(manifest_kubectl(manifest, "replace --force -f"))),
    };
    vec_push(arena, &manifest->output->decisions, decision);
}

void kubernetes_first_job(Manifest *manifest, const PlanNodes *nodes) {
    ToolFile *file = manifest->file;
    const Str label = first_job_label(file->arena, nodes);
    const Job job = {
        .manifest = manifest,
        .doc = file->doc,
        .nodes = nodes,
        .name = str_format(file->arena, "%.*s-validate", STR_ARG(label)),
    };
    file->step.file = str_format(file->session->arena, "%.*s.validate.k8s.yaml", STR_ARG(label));
    doc_because(file->doc, nodes->validate->origin);
    add_service(&job);
    add_job(&job);
    doc_unbecause(file->doc);
    decide(&job);
    Output *output = manifest->output;
    tool_write(file, output);
    output->artifacts.items[output->artifacts.count - 1].step.file = STR_NONE; // no step of the plan
}
