// What has to be in a cluster on EKS before its objects and its jobs: what runs their workloads, gives them secrets, and
// knows kinds that Kubernetes does not. In a cluster that the build makes a step of the plan installs it; in another one a
// line of the build says how to.
#include "emitters/kubernetes/controllers.h"

#include "compiler/plan/model/names.h"
#include "compiler/plan/model/object.h"

typedef struct {
    const char *title;
    const char *version; // NULL: Kubernetes itself; so the others
    const char *chart;   // NULL: `repository` is a file of objects
    const char *repository;
    const char *name_space;
    const char *api_group; // of its kinds, or what the names of their groups end with
    const char *settings;  // words for helm; NULL: none
} Controller;

static const Controller CONTROLLERS[] = {
#define CONTROLLER(id, word, title, version, chart, repository, name_space, api_group) \
    [WORKLOAD_##id] = { title, version, chart, repository, name_space, api_group, NULL },
#include "schema/controllers.def"
};

static const Controller SECRETS[] = {
#define SECRET_DRIVER(title, version, chart, repository, name_space, api_group, settings) \
    { title, version, chart, repository, name_space, api_group, settings },
#include "schema/secret_driver.def"
};

static const Controller OPERATORS[] = {
#define OPERATOR(title, version, chart, repository, name_space, api_group, settings) \
    { title, version, chart, repository, name_space, api_group, settings },
#include "schema/operators.def"
};

// ---- what comes before ------------------------------------------------------------------------------------------------

// The steps that make nodes: until there are some, no pod of a controller runs.
void controllers_add_nodes(const Manifest *manifest, DeploymentStep *after) {
    Session *session = manifest->file->session;
    const Str name = emitter_nodes_head(session, manifest->cluster)->name->string;
    for (uint32_t i = 0; i < manifest->output->artifacts.count; i++) {
        const DeploymentStep *step = &manifest->output->artifacts.items[i].step;
        const bool is_eksctl = str_is(step->kind, "eksctl");
        if (str_equal(step->name, name) && (is_eksctl || str_is(step->kind, "cloudformation"))) {
            vec_push(session->arena, &after->needs, is_eksctl ? plan_eksctl_stack(session->arena, name) : name);
        }
    }
}

// The step that applies the objects of the cluster: its plugins, its claims, and the author's own; NULL: there are none.
DeploymentStep *controllers_step_of_objects(const Manifest *manifest) {
    for (uint32_t i = 0; i < manifest->output->artifacts.count; i++) {
        DeploymentStep *step = &manifest->output->artifacts.items[i].step;
        if (str_is(step->kind, "kubernetes") && str_equal(step->name, manifest->cluster->head.name->string)) {
            return step;
        }
    }
    return NULL;
}

// ---- what runs them --------------------------------------------------------------------------------------------------

static Str install_words(Arena *arena, const Controller *row) {
    if (row->chart == NULL) {
        return str_format(arena, "kubectl apply --server-side -f %s", row->repository);
    }
    StrBuf words = { .arena = arena };
    if (str_starts_with(str_of(row->repository), STR("oci://"))) {
        strbuf_add_format(&words, "helm upgrade --install %s %s", row->chart, row->repository);
    } else {
        strbuf_add_format(&words, "helm upgrade --install %s %s --repo %s", row->chart, row->chart, row->repository);
    }
    strbuf_add_format(&words, " --version %s --namespace %s --create-namespace --wait", row->version, row->name_space);
    if (row->settings != NULL) {
        strbuf_add_format(&words, " %s", row->settings);
    }
    return strbuf_str(&words);
}

static Str remove_words(Arena *arena, const Controller *row) {
    return row->chart == NULL ? str_format(arena, "kubectl delete --ignore-not-found -f %s", row->repository)
                              : str_format(arena, "helm uninstall %s --namespace %s", row->chart, row->name_space);
}

// The name of the step: "train-mpi-operator".
static Str step_name(const Manifest *manifest, const Controller *row) {
    return str_format(manifest->file->session->arena, "%.*s-%s", STR_ARG(manifest->name),
                      row->chart != NULL ? row->chart : row->name_space);
}

static bool has_step(const Output *output, Str name) {
    for (uint32_t i = 0; i < output->steps.count; i++) {
        if (str_equal(output->steps.items[i].name, name)) {
            return true;
        }
    }
    return false;
}

// The first job of the cluster that says it, where several need the same.
static bool is_decided(const Output *output, const PlanDecision *decision, Str cluster) {
    for (uint32_t i = 0; i < output->decisions.count; i++) {
        const PlanDecision *other = &output->decisions.items[i];
        if (str_equal(other->text, decision->text) && str_ends_with(other->subject, cluster)) {
            return true;
        }
    }
    return false;
}

// A cluster that is there may have it, in another version: that is its owner's to say. `subject` is what needs it.
static void decide_controller(const Manifest *manifest, const PlanHead *subject, const Controller *row,
                              const char *does) {
    Arena *arena = manifest->file->session->arena;
    const PlanHead *head = &manifest->cluster->head;
    const Str cluster = str_format(arena, " on %.*s", STR_ARG(head->id));
    const bool is_cluster = subject == head;
    const PlanDecision decision = {
        .span = subject->subject->name_span,
        .subject = is_cluster ? head->id : str_format(arena, "%.*s%.*s", STR_ARG(subject->id), STR_ARG(cluster)),
        .text = str_format(arena, "%s %s %s: if the cluster has none, %.*s", row->title, row->version, does,
                           STR_ARG(install_words(arena, row))),
    };
    if (!is_decided(manifest->output, &decision, cluster)) {
        vec_push(arena, &manifest->output->decisions, decision);
    }
}

void kubernetes_decide_controller(const Manifest *manifest, const PlanJob *job) {
    decide_controller(manifest, &job->head, &CONTROLLERS[job->eks->workload], "runs it");
}

// Whether an API version, "scheduling.volcano.sh/v1beta1", is one of the controller's.
static bool is_api_of(const Controller *row, Str api) {
    const Str group = str_slice(api, 0, str_find(api, STR("/"), 0));
    const Str own = str_of(row->api_group);
    const bool is_inner =
        str_ends_with(group, own) && group.len > own.len && str_at(group, group.len - own.len - 1) == '.';
    return str_equal(api, own) || str_equal(group, own) || is_inner;
}

// Whether the author wrote an object of the controller's own kinds, such as a Queue of Volcano: the API server knows
// them when the controller is there. Who brings the definitions of kinds brings what reads them.
static bool has_object_of(const PlanCluster *cluster, const Controller *row) {
    bool has = false;
    for (uint32_t i = 0; row->api_group != NULL && i < cluster->eks->objects.count; i++) {
        const PlanObject *object = cluster->eks->objects.items[i];
        PlanObjectType type;
        const bool is_typed = plan_object_type(object->resource->type, &type);
        if (is_typed && str_is(type.kind, "CustomResourceDefinition") &&
            str_ends_with(plan_name_of_object(object), str_of(row->api_group))) {
            return false;
        }
        has = has || (is_typed && is_api_of(row, type.api));
    }
    return has;
}

// `does` is what it does for the subject, for a line of the build.
static void add_controller(const Manifest *manifest, const PlanHead *subject, const Controller *row, const char *does,
                           DeploymentStep *after) {
    Arena *arena = manifest->file->session->arena;
    if (row->version == NULL) {
        return;
    }
    if (manifest->maker == NULL) {
        decide_controller(manifest, subject, row, does);
        return;
    }
    const Str name = step_name(manifest, row);
    vec_push(arena, &after->needs, name);
    if (has_step(manifest->output, name)) {
        return;
    }
    DeploymentStep step = {
        .kind = STR("controller"),
        .name = name,
        .region = manifest->cluster->region,
        .apply = manifest_with(manifest, install_words(arena, row)),
        .remove = manifest_with(manifest, remove_words(arena, row)),
    };
    vec_push(arena, &step.needs, manifest->stack);
    controllers_add_nodes(manifest, &step);
    vec_push(arena, &manifest->output->steps, step);
}

void controllers_add_of_job(const Manifest *manifest, const PlanJob *job, DeploymentStep *after) {
    add_controller(manifest, &job->head, &CONTROLLERS[job->eks->workload], "runs it", after);
    if (job->secrets.count > 0) {
        add_controller(manifest, &job->head, &SECRETS[0], "gives it its secrets", after);
    }
}

// ---- what knows the objects of the author ----------------------------------------------------------------------------

static bool has_workload(const PlanCluster *cluster, Workload workload) {
    bool has = false;
    for (uint32_t i = 0; i < cluster->jobs.count; i++) {
        has = has || cluster->jobs.items[i]->eks->workload == workload;
    }
    return has;
}

// The groups of Kubernetes itself have no dot, or one of these names; those behind them are of what EKS puts into each cluster.
// source: kubernetes/api@v1.36 (register.go of each group); Amazon EKS User Guide, Amazon VPC CNI, 2026-11
static bool is_built_in(Str group) {
    static const char *const GROUPS[] = {
        "admissionregistration.k8s.io",
        "apiextensions.k8s.io",
        "apiregistration.k8s.io",
        "authentication.k8s.io",
        "authorization.k8s.io",
        "certificates.k8s.io",
        "coordination.k8s.io",
        "discovery.k8s.io",
        "events.k8s.io",
        "flowcontrol.apiserver.k8s.io",
        "internal.apiserver.k8s.io",
        "networking.k8s.io",
        "node.k8s.io",
        "rbac.authorization.k8s.io",
        "resource.k8s.io",
        "scheduling.k8s.io",
        "storage.k8s.io",
        "storagemigration.k8s.io",
        "crd.k8s.amazonaws.com",
        "networking.k8s.aws",
        "vpcresources.k8s.aws",
    };
    bool is = !str_has(group, ".");
    for (size_t i = 0; !is && i < COUNT_OF(GROUPS); i++) {
        is = str_is(group, GROUPS[i]);
    }
    return is;
}

static bool is_of_any(const Controller *rows, size_t count, Str api) {
    for (size_t i = 0; i < count; i++) {
        if (rows[i].api_group != NULL && is_api_of(&rows[i], api)) {
            return true;
        }
    }
    return false;
}

// Whether an object of the author defines kinds of the group: its name ends with it.
static bool is_defined(const PlanCluster *cluster, Str group) {
    bool is = false;
    for (uint32_t i = 0; i < cluster->eks->objects.count; i++) {
        const PlanObject *object = cluster->eks->objects.items[i];
        PlanObjectType type;
        is = is || (plan_object_type(object->resource->type, &type) && str_is(type.kind, "CustomResourceDefinition") &&
                    str_ends_with(plan_name_of_object(object), group));
    }
    return is;
}

// Kinds that no step of the plan brings: the API server refuses their objects, and a line of the build says so.
static void decide_foreign_kinds(const Manifest *manifest) {
    Arena *arena = manifest->file->session->arena;
    const PlanCluster *cluster = manifest->cluster;
    StrBuf groups = { .arena = arena };
    for (uint32_t i = 0; i < cluster->eks->objects.count; i++) {
        PlanObjectType type;
        if (!plan_object_type(cluster->eks->objects.items[i]->resource->type, &type)) {
            continue;
        }
        const Str group = str_slice(type.api, 0, str_find(type.api, STR("/"), 0));
        const Str word = str_format(arena, "`%.*s`", STR_ARG(group));
        const bool is_brought = is_of_any(CONTROLLERS, COUNT_OF(CONTROLLERS), type.api) ||
                                is_of_any(SECRETS, COUNT_OF(SECRETS), type.api) ||
                                is_of_any(OPERATORS, COUNT_OF(OPERATORS), type.api);
        const bool is_said = str_find(strbuf_str(&groups), word, 0) < groups.len;
        if (!is_built_in(group) && !is_brought && !is_said && !is_defined(cluster, group)) {
            strbuf_add_format(&groups, "%s%.*s", groups.len == 0 ? "" : ", ", STR_ARG(word));
        }
    }
    if (groups.len > 0) {
        const Str text = str_format(arena,
                                    "its objects have kinds of %.*s, which nothing here installs: install what knows "
                                    "them before the objects are applied",
                                    STR_ARG(strbuf_str(&groups)));
        vec_push(arena, &manifest->output->decisions,
                 (PlanDecision){ .span = cluster->head.subject->name_span, .subject = cluster->head.id, .text = text });
    }
}

static void add_of_objects(const Manifest *manifest, const Controller *row, DeploymentStep *after) {
    add_controller(manifest, &manifest->cluster->head, row, "knows kinds of its objects", after);
}

// The Trainer's chart has JobSet in it (kubeflow/trainer@8c0f5059 charts/kubeflow-trainer/Chart.yaml, read 2026-11): a
// second one would fight with it.
void controllers_add_of_objects(const Manifest *manifest, DeploymentStep *after) {
    const PlanCluster *cluster = manifest->cluster;
    const Controller *trainer = &CONTROLLERS[WORKLOAD_TRAIN_JOB];
    const bool has_trainer = has_workload(cluster, WORKLOAD_TRAIN_JOB) || has_object_of(cluster, trainer);
    for (size_t i = 0; i < COUNT_OF(CONTROLLERS); i++) {
        if (has_object_of(cluster, &CONTROLLERS[i])) {
            add_of_objects(manifest, &CONTROLLERS[i], after);
        }
    }
    for (size_t i = 0; i < COUNT_OF(SECRETS); i++) {
        if (has_object_of(cluster, &SECRETS[i])) {
            add_of_objects(manifest, &SECRETS[i], after);
        }
    }
    decide_foreign_kinds(manifest);
    for (size_t i = 0; i < COUNT_OF(OPERATORS); i++) {
        const bool is_job_set = strcmp(OPERATORS[i].chart, "jobset") == 0;
        if (has_object_of(cluster, &OPERATORS[i])) {
            add_of_objects(manifest, is_job_set && has_trainer ? trainer : &OPERATORS[i], after);
        }
    }
}
