// Manifests: documents of YAML or JSON with objects of Kubernetes, as `kubectl apply` takes them.
#pragma once

#include "compiler/base/data.h"
#include "compiler/plan/model/plan.h"

// Adds the object of a document, and those of a `List`. False where the document is no object of Kubernetes. Changes the
// document: words that kubectl reads as true and false become so.
bool kubernetes_read(Session *session, const Subject *file, Data *document, Plan *plan);
