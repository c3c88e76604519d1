// The jobs of a cluster on EKS, each as a file of its own: the template of a Job cannot change, so that beside other
// objects it would make every later `kubectl apply` fail. A step of the plan submits it, behind the step that installs
// what runs its workload.
#include "emitters/kubernetes/pod_secrets.h"

#include "compiler/plan/model/names.h"
#include "emitters/job/job_submission.h"

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

static void (*const ADD[])(JobPods *pods) = {
    [WORKLOAD_INDEXED_JOB] = job_add_indexed_job,
    [WORKLOAD_TRAIN_JOB] = job_add_train_job,
    [WORKLOAD_MPI_JOB] = job_add_mpi_job,
    [WORKLOAD_VOLCANO_JOB] = job_add_volcano_job,
};
_Static_assert(COUNT_OF(ADD) == WORKLOAD_COUNT, "each workload has a function");

// ---- what comes before ------------------------------------------------------------------------------------------------

// The steps that make nodes: until there are some, no pod of a controller runs.
static void add_nodes_of_cluster(const Manifest *manifest, DeploymentStep *after) {
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
static DeploymentStep *step_of_objects(const Manifest *manifest) {
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

// A cluster that is there may have it, in another version: that is its owner's to say.
static void decide_controller(const Manifest *manifest, const PlanJob *job, const Controller *row, const char *does) {
    Arena *arena = manifest->file->session->arena;
    const Str cluster = str_format(arena, " on %.*s", STR_ARG(job->cluster->head.id));
    const PlanDecision decision = {
        .span = job->head.subject->name_span,
        .subject = str_format(arena, "%.*s%.*s", STR_ARG(job->head.id), STR_ARG(cluster)),
        .text = str_format(arena, "%s %s %s: if the cluster has none, %.*s", row->title, row->version, does,
                           STR_ARG(install_words(arena, row))),
    };
    if (!is_decided(manifest->output, &decision, cluster)) {
        vec_push(arena, &manifest->output->decisions, decision);
    }
}

void kubernetes_decide_controller(const Manifest *manifest, const PlanJob *job) {
    decide_controller(manifest, job, &CONTROLLERS[job->eks->workload], "runs it");
}

// Whether the author wrote an object of the controller's own kinds, such as a Queue of Volcano: the API server knows
// them when the controller is there.
static bool has_object_of(const PlanCluster *cluster, const Controller *row) {
    for (uint32_t i = 0; i < cluster->eks->objects.count; i++) {
        const Str type = cluster->eks->objects.items[i]->resource->type;
        if (str_find(type, str_of(row->api_group), 0) < str_find(type, STR("/"), 0)) {
            return true;
        }
    }
    return false;
}

// `does` is what it does for the job, for a line of the build.
static void add_controller(const Manifest *manifest, const PlanJob *job, const Controller *row, const char *does,
                           DeploymentStep *after) {
    Arena *arena = manifest->file->session->arena;
    if (row->version == NULL) {
        return;
    }
    if (job->cluster->eks->existing != NULL) {
        decide_controller(manifest, job, row, does);
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
    add_nodes_of_cluster(manifest, &step);
    vec_push(arena, &manifest->output->steps, step);
    DeploymentStep *objects = step_of_objects(manifest);
    if (objects != NULL && has_object_of(manifest->cluster, row)) {
        vec_push(arena, &objects->needs, name);
    }
}

// ---- the jobs --------------------------------------------------------------------------------------------------------

static void fill_step(const Manifest *manifest, const PlanJob *job) {
    Arena *arena = manifest->file->session->arena;
    DeploymentStep *step = &manifest->file->step;
    job_fill_step(arena, step, job);
    step->file = str_format(arena, "%.*s.k8s.yaml", STR_ARG(job->head.id));
    step->apply = job_order_apply(manifest, job);
    step->remove = manifest_kubectl(manifest, "delete --ignore-not-found -f");
    if (job->cluster->eks->existing == NULL) {
        vec_push(arena, &step->needs, manifest->stack);
    }
    add_nodes_of_cluster(manifest, step);
    add_controller(manifest, job, &CONTROLLERS[job->eks->workload], "runs it", step);
    if (job->secrets.count > 0) {
        add_controller(manifest, job, &SECRETS[0], "gives it its secrets", step);
    }
    if (step_of_objects(manifest) != NULL) {
        vec_push(arena, &step->needs, job->cluster->head.name->string);
    }
}

void kubernetes_job(Manifest *manifest, const PlanJob *job) {
    ToolFile *file = manifest->file;
    vec_push(file->arena, &file->parts, job->head.part);
    fill_step(manifest, job);
    JobPods pods = {
        .manifest = manifest,
        .file = file,
        .doc = file->doc,
        .job = job,
        .port = str_format(file->arena, "%" PRId64, schema_constant(CONSTANT_TORCHRUN_PORT)),
    };
    doc_because(file->doc, job->head.origin);
    pods_add_account(&pods);
    secrets_add_classes(&pods);
    ADD[job->eks->workload](&pods);
    doc_unbecause(file->doc);
    file->remove_by_name = manifest_delete_by_name(manifest);
    tool_write(file, manifest->output);
}
