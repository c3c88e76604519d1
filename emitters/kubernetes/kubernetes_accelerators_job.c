// The job in which the accelerators of a group's nodes are measured on EKS, behind the first job. It is an MPIJob: processes
// on several nodes need somebody who starts them, and the MPI Operator gives its pods a key of their own for that. Its
// launcher runs stdlib/job/accelerators.sh, which runs mpirun. It is no step of the plan, as the first job is none.
#include "emitters/kubernetes/pod.h"

#include "compiler/plan/model/names.h"
#include "emitters/node/first_job.h"
#include "emitters/tool/tool_file.h"

static void decide(const Manifest *manifest, const PlanNodes *nodes) {
    Arena *arena = manifest->file->session->arena;
    const PlanDecision decision = {
        .span = preflight_span(nodes),
        .file = manifest->file->step.file,
        .subject = plan_group_path(arena, nodes),
        .text = str_format(arena, "then their accelerators, by %s: %.*s",
                           nodes->instance->accelerator == ACCELERATOR_NEURON ? "nccom-test" : "nccl-tests",
                           STR_ARG(manifest_kubectl(manifest, "replace --force -f"))),
    };
    vec_push(arena, &manifest->output->decisions, decision);
}

// Kubernetes puts a variable of the container in the place of its name in `$( )`, and leaves other text there as it is.
// No command of the script is such a name alone.
static JobWords starter(Arena *arena, const PlanNodes *nodes) {
    JobWords words = { 0 };
    const char *const before[] = { "/bin/bash", "-c" };
    const char *const behind[] = { "accelerators", "/etc/mpi/hostfile", "dtc-collective" };
    for (size_t i = 0; i < COUNT_OF(before); i++) {
        job_add_word(arena, &words, WHY_LAUNCHER_SCRIPT, before[i]);
    }
    job_add_word(arena, &words, WHY_LAUNCHER_SCRIPT, str_c(arena, first_job_accelerators(arena, nodes)));
    for (size_t i = 0; i < COUNT_OF(behind); i++) {
        job_add_word(arena, &words, WHY_ACCELERATORS_HOSTS, behind[i]);
    }
    return words;
}

void kubernetes_accelerators_job(Manifest *manifest, const PlanNodes *nodes) {
    ToolFile *file = manifest->file;
    const PlanJob *job = nodes->validate->job;
    const JobWords words = starter(file->arena, nodes);
    JobPods pods = { .manifest = manifest, .file = file, .doc = file->doc, .job = job, .starter = &words };
    file->step.file =
        str_format(file->session->arena, "%.*s.nccl.k8s.yaml", STR_ARG(first_job_label(file->arena, nodes)));
    doc_because(file->doc, nodes->validate->origin);
    job_add_mpi_job(&pods);
    doc_unbecause(file->doc);
    decide(manifest, nodes);
    kubernetes_decide_controller(manifest, job);
    Output *output = manifest->output;
    tool_write(file, output);
    output->artifacts.items[output->artifacts.count - 1].step.file = STR_NONE; // no step of the plan
}
