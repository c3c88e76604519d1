// A job as an MPIJob. The operator makes a pod on each node, whose ssh server waits, and one that runs mpirun. That one
// needs no device. It comes when the others are ready, and runs stdlib/job/mpijob.sh, which waits until they answer.
#include "emitters/kubernetes/pod.h"

#include "compiler/plan/model/identity.h"
#include "emitters/job/job_environment.h"
#include "emitters/node/userdata.h"
#include "emitters/tool/tool_tree.h"
#include "emitters/tool/tool_values.h"

// What EKS Pod Identity gives each container of a pod (Amazon EKS User Guide, How EKS Pod Identity works, 2026-11). A
// process that sshd starts has the environment of a login, and not the container's.
static const char *const IDENTITY[] = {
    "AWS_CONTAINER_CREDENTIALS_FULL_URI", "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", "AWS_REGION", "AWS_DEFAULT_REGION",
    "AWS_STS_REGIONAL_ENDPOINTS",
};

// Where programs and libraries are, which an image says in its environment.
static const char *const PLACES[] = { "PATH", "LD_LIBRARY_PATH" };

static void add_names(const JobPods *pods, JobWords *words, Why reason, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (job_author_variable(pods->job, names[i]) == NULL) {
            job_add_word(pods->file->arena, words, WHY_MPIRUN_FORWARD, "-x");
            job_add_word(pods->file->arena, words, reason, names[i]);
        }
    }
}

static void add_forwards(const JobPods *pods, JobWords *words) {
    Arena *arena = pods->file->arena;
    const PlanJob *job = pods->job;
    add_names(pods, words, WHY_MPIRUN_PLACES, PLACES, COUNT_OF(PLACES));
    if (plan_job_has_identity(job)) {
        add_names(pods, words, WHY_POD_VARIABLES, IDENTITY, COUNT_OF(IDENTITY));
    }
    JobVariable variables[JOB_VARIABLES_MAX];
    const int count = job_variables(job, variables);
    for (int i = 0; i < count; i++) {
        job_add_word(arena, words, WHY_MPIRUN_FORWARD, "-x");
        job_add_word(arena, words, variables[i].why, variables[i].name);
    }
    for (uint32_t i = 0; i < job->secrets.count; i++) {
        job_add_word(arena, words, WHY_MPIRUN_FORWARD, "-x");
        job_add_word(arena, words, WHY_MPIRUN_FORWARD, str_c(arena, job->secrets.items[i].name));
    }
    for (uint32_t i = 0; i < job->env->map.count; i++) {
        const ValueEntry *entry = &job->env->map.entries[i];
        if (!tool_is_null(pods->file, entry->value)) {
            job_add_word(arena, words, WHY_MPIRUN_FORWARD, "-x");
            job_add_word(arena, words, WHY_MPIRUN_FORWARD, str_c(arena, entry->key));
        }
    }
}

// Where another user than root reads the keys: of the operator's own place only root can.
static const char KEYS[] = "/etc/mpi-ssh";

// Whose pods run as another user: his ssh servers have no keys, no port and no file of their own.
static bool is_other_user(const PlanJob *job) {
    const Value *user = job->container->user;
    return user != NULL && user->kind == VALUE_STRING && !str_is(user->string, "root") && !str_is(user->string, "0");
}

static void put_server(const JobPods *pods, DocNode *command) {
    static const char *const OPTIONS[] = { "StrictModes=no", "UsePAM=no", "PidFile=none" };
    Doc *doc = pods->doc;
    Arena *arena = pods->file->arena;
    const PlanJob *job = pods->job;
    doc_add(doc, command, tree_text(doc, WHY_JOB_MPI, "/usr/sbin/sshd"));
    doc_add(doc, command, tree_text(doc, WHY_JOB_MPI, "-De"));
    if (!is_other_user(job)) {
        return;
    }
    doc_because(doc, job->container->user->origin);
    doc_add(doc, command, tree_text(doc, WHY_JOB_MPI_USER, "-f"));
    doc_add(doc, command, tree_text(doc, WHY_JOB_MPI_USER, "/dev/null")); // of some images the own one is root's alone
    doc_add(doc, command, tree_text(doc, WHY_JOB_MPI_USER, "-p"));
    doc_add(doc, command,
            tree_string(doc, WHY_JOB_MPI_USER, str_format(arena, "%" PRId64, schema_constant(CONSTANT_MPIRUN_PORT))));
    doc_add(doc, command, tree_text(doc, WHY_JOB_MPI_USER, "-h"));
    doc_add(doc, command, tree_string(doc, WHY_JOB_MPI_USER, str_format(arena, "%s/id_rsa", KEYS)));
    doc_add(doc, command, tree_text(doc, WHY_JOB_MPI_USER, "-o"));
    doc_add(doc, command,
            tree_string(doc, WHY_JOB_MPI_USER, str_format(arena, "AuthorizedKeysFile=%s/authorized_keys", KEYS)));
    for (size_t i = 0; i < COUNT_OF(OPTIONS); i++) {
        doc_add(doc, command, tree_text(doc, WHY_JOB_MPI_USER, "-o"));
        doc_add(doc, command, tree_text(doc, WHY_JOB_MPI_USER, OPTIONS[i]));
    }
    doc_unbecause(doc);
}

// `$(` of the script is none of Kubernetes' own: no command in it is the name of a variable alone.
static const char *script_of(Arena *arena, const PlanJob *job) {
    StrBuf settings = { .arena = arena };
    strbuf_add_format(&settings, "workers=%" PRId64 "\nlate=%" PRId64 "\n", job->nodes->integer,
                      schema_constant(CONSTANT_COLLECTIVE_RENDEZVOUS_S));
    if (is_other_user(job)) {
        strbuf_add_format(&settings, "keys=%s\nport=%" PRId64 "\n", KEYS, schema_constant(CONSTANT_MPIRUN_PORT));
        userdata_add_code(&settings, userdata_library("job/mpijob-user.sh"));
    }
    const Str script =
        userdata_script_with(arena, userdata_library("job/mpijob.sh"), "settings", strbuf_str(&settings));
    return str_c(arena, userdata_bare_script(arena, script));
}

static DocNode *mpirun(const JobPods *pods) {
    Arena *arena = pods->file->arena;
    const PlanJob *job = pods->job;
    JobWords words = { 0 };
    job_add_word(arena, &words, WHY_LAUNCHER_SCRIPT, "/bin/bash");
    job_add_word(arena, &words, WHY_LAUNCHER_SCRIPT, "-c");
    job_add_word(arena, &words, WHY_LAUNCHER_SCRIPT, script_of(arena, job));
    const Str ranks = str_format(arena, "%" PRId64, job->nodes->integer * job->tasks_per_node->integer);
    job_add_word(arena, &words, WHY_MPIRUN_RANKS, "mpirun");
    job_add_word(arena, &words, WHY_MPIRUN_RANKS, "-np");
    job_add_word(arena, &words, WHY_MPIRUN_RANKS, str_c(arena, ranks));
    job_add_mpirun_options(arena, &words, job);
    add_forwards(pods, &words);
    job_add_command(arena, &words, job);
    return pods_words(pods, &words);
}

static DocNode *add_replicas(const JobPods *pods, DocNode *specs, const char *role, DocNode *count) {
    DocNode *replicas = tree_put_map(pods->doc, specs, role);
    tree_put(pods->doc, replicas, "replicas", count);
    return tree_put_map(pods->doc, replicas, "template");
}

void job_add_mpi_job(JobPods *pods) {
    Doc *doc = pods->doc;
    const PlanJob *job = pods->job;
    const PlanHead *head = &job->head;
    DocNode *object =
        manifest_add(pods->manifest, "kubeflow.org/v2beta1", "MPIJob", head->id, head->subject->name_span);
    DocNode *spec = tree_put_map(doc, object, "spec");
    tree_put(doc, spec, "slotsPerWorker", tool_value(pods->file, job->tasks_per_node));
    if (is_other_user(job)) {
        doc_because(doc, job->container->user->origin);
        tree_put(doc, spec, "sshAuthMountPath", tree_text(doc, WHY_JOB_MPI_USER, KEYS));
        doc_unbecause(doc);
    }
    if (pods->starter == NULL) { // one that waits for them itself ends if they do not come
        tree_put(doc, spec, "launcherCreationPolicy", tree_text(doc, WHY_JOB_MPI_READY, "WaitForWorkersReady"));
    }
    DocNode *policy = tree_put_map(doc, spec, "runPolicy");
    tree_put(doc, policy, "cleanPodPolicy", tree_text(doc, WHY_JOB_MPI, "Running"));
    tree_put(doc, policy, "backoffLimit", doc_int(doc, job->attempts->integer - 1, job->attempts->origin));
    pods_put_deadline(pods, policy, "activeDeadlineSeconds");
    DocNode *specs = tree_put_map(doc, spec, "mpiReplicaSpecs");
    DocNode *launcher = add_replicas(pods, specs, "Launcher", tree_number(doc, WHY_JOB_MPI, 1));
    pods_put_spec(pods, launcher, POD_STARTS_OTHERS, "mpi",
                  pods->starter != NULL ? pods_words(pods, pods->starter) : mpirun(pods));
    DocNode *worker = add_replicas(pods, specs, "Worker", tool_value(pods->file, job->nodes));
    DocNode *command = doc_list(doc);
    put_server(pods, command);
    pods_put_labels(pods, tree_put_map(doc, worker, "metadata"), "labels");
    pods_put_spec(pods, worker, POD_WORKS, "mpi", command);
}
