// The objects of a cluster, a file each for those that belong together.
#pragma once

#include "emitters/plain.h"

typedef struct {
    Plain *plain;
    const PlanCluster *cluster;
    Str name;       // of the cluster in EKS; empty: it is late, and missing
    Str stack;      // of eksctl, whose outputs tell what EKS made
    Output *output; // for decisions
} Manifest;

// An object as the next document of the file: `apiVersion`, `kind`, and `metadata` with the name. NULL where the name
// is none or is taken, which is reported at `span`.
DocNode *manifest_add(Manifest *manifest, const char *api, const char *kind, Str name, Span span);
DocNode *manifest_metadata(DocNode *object);

void kubernetes_plugins(Manifest *manifest); // where the ones that eksctl installs would not do
void kubernetes_storage(Manifest *manifest);
void kubernetes_resources(Manifest *manifest);
