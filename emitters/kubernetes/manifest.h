// The objects of a cluster. Those that belong together have a file of their own.
#pragma once

#include "emitters/tool/tool_file.h"

typedef struct {
    ToolFile *file;
    const PlanCluster *cluster;
    Str name;                 // of the cluster in EKS; empty: it is late, and missing
    Str stack;                // of eksctl, whose outputs tell what EKS made
    const PlanCluster *maker; // of the step that makes the cluster, which its own are behind; NULL: it is there already
    VEC(const PlanNodes *) groups; // of all blocks of the cluster in EKS
    Output *output;                // for decisions
} Manifest;

// An object as the next document of the file: `apiVersion`, `kind`, and `metadata` with the name. NULL where the name
// is taken, which is reported at `span`.
DocNode *manifest_add(Manifest *manifest, const char *api, const char *kind, Str name, Span span);

// Like manifest_add(), for an object that patches know by `id`. Two objects of one kind and name can stand in two
// namespaces.
DocNode *manifest_add_as(Manifest *manifest, const char *api, const char *kind, Str id, Str name, Span span);

// Reports an object that stands twice, by its kind, namespace and name. Call it when the metadata is complete.
void manifest_check_twice(Manifest *manifest, const DocNode *object, Span span);
DocNode *manifest_metadata(DocNode *object);

// "aws eks update-kubeconfig … && kubectl WORDS FILE": kubectl speaks to the cluster that was made last, which need not
// be this one. In the session's arena.
Str manifest_kubectl(const Manifest *manifest, const char *words);

// The same for any command: "aws eks update-kubeconfig … && COMMAND".
Str manifest_with(const Manifest *manifest, Str command);

// The command that takes away the objects that stand in the file so far, one by one: where the file waits it is not
// there.
Str manifest_delete_by_name(const Manifest *manifest);

void kubernetes_plugins(Manifest *manifest); // where the ones that eksctl installs would not do
void kubernetes_storage(Manifest *manifest);
void kubernetes_resources(Manifest *manifest);

// The first job of a group as a file of its own, with a line that says how it is started. `manifest` is opened for it,
// and gone afterwards.
void kubernetes_first_job(Manifest *manifest, const PlanNodes *nodes);

// The job that measures the accelerators of a group after that, the same way. The group has one.
void kubernetes_accelerators_job(Manifest *manifest, const PlanNodes *nodes);

// Says what runs the job's workload, for a cluster that has none.
void kubernetes_decide_controller(const Manifest *manifest, const PlanJob *job);

// A job as a file of its own, with the step that submits it, and the step that installs what runs it. `manifest` is
// opened for it, and gone afterwards.
void kubernetes_job(Manifest *manifest, const PlanJob *job);
