// What Kustomize makes of the manifests of a folder: its file names those that are bases and those that are patches.
#pragma once

#include "compiler/readers/foreign.h"

typedef enum {
    KUSTOMIZE_NONE,
    KUSTOMIZE_BASE,  // what is missing may be added
    KUSTOMIZE_PATCH, // no object, and what changes some
} KustomizeRole;

// By the kustomization.yaml in the folder of the file and in those above, whether they were given or not.
KustomizeRole kustomize_role(Session *session, Str path);

// Tells manifests with `$(NAME)` the variables of the kustomization.yaml in their folder, whether it was given or not.
void kustomize_fill_in(Session *session, Str path, Str text, const ForeignFile *file);
