// The pods of a job on EKS, whatever object makes them.
#pragma once

#include "emitters/job/job_command.h"
#include "emitters/kubernetes/manifest.h"

typedef struct {
    Manifest *manifest;
    ToolFile *file; // the manifest's, and its document
    Doc *doc;
    const PlanJob *job;
    Str leader;              // host name of the first of several pods; empty: there is one
    Str port;                // at which they meet
    bool has_subdomain;      // a service of ours gives the pods their names
    bool has_deadline;       // the pod has the job's, since what makes it has none
    const JobWords *starter; // of an MPIJob: what runs in mpirun's place, and runs it; NULL: mpirun
} JobPods;

// `app.kubernetes.io/name`, by which a service finds the pods.
void pods_put_labels(const JobPods *pods, DocNode *map, const char *key);

// A headless service by which the pods find each other before they are ready; its name is the job's.
void pods_add_service(const JobPods *pods);

// The service account of a job whose pods take a role; nothing for any other.
void pods_add_account(const JobPods *pods);

// The words of a command, for `command`. A pod's `$(NAME)` is a variable of Kubernetes: an author's is kept from that.
DocNode *pods_words(const JobPods *pods, const JobWords *words);

// The launcher and the author's command, of a job without one the command alone; NULL: the image's own. `rank` is what
// Kubernetes replaces by the place of the pod: "$(JOB_COMPLETION_INDEX)".
DocNode *pods_command(const JobPods *pods, const char *rank);

// What the container of a pod is for.
typedef enum {
    POD_WORKS,         // it has the devices and the file systems
    POD_WORKS_ALSO,    // so, but its resources stand elsewhere
    POD_STARTS_OTHERS, // it needs neither
} PodRole;

// The specification of a pod with one container of this name, as `spec` of `map`. `command` may be NULL. What stands in
// `spec` before is the caller's.
void pods_put_spec(const JobPods *pods, DocNode *map, PodRole role, const char *container_name, DocNode *command);

// What each container needs of its node: `resources` of a container, `resourcesPerNode` of a TrainJob.
void pods_put_resources(const JobPods *pods, DocNode *map, const char *key);

// `key` of `map` with the seconds after which the job ends; nothing where it has all the time.
void pods_put_deadline(const JobPods *pods, DocNode *map, const char *key);

// `podFailurePolicy` of a Job whose one pod starts again after the loss of its node alone; nothing of another job. What
// fails by itself takes the `final` action: "FailJob".
void pods_put_node_loss(const JobPods *pods, DocNode *spec, const char *final);

// What submits the job: `kubectl apply` of its file, behind the end of those that it waits for.
Str job_order_apply(const Manifest *manifest, const PlanJob *job);

// The objects of each workload.
void job_add_indexed_job(JobPods *pods);
void job_add_train_job(JobPods *pods);
void job_add_mpi_job(JobPods *pods);
void job_add_volcano_job(JobPods *pods);
