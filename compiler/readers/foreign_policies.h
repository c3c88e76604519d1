// The policies of IAM in a file of any kind.
#pragma once

#include "compiler/base/session.h"
#include "compiler/plan/model/plan_file.h"

// Whether a document is a policy by itself, as `--policy-document file://…` takes it.
bool foreign_is_policy(const Data *document);

// Whether it is what `aws iam create-role --cli-input-json` and its like take: a policy with a name around it.
bool foreign_is_request_of_policy(const Data *document);

// Adds the policies in a document to its file: those of a template that is not open by the resource that has them, of
// another file what stands behind a key that is called so. A policy in a text is read as JSON.
void foreign_add_policies(Session *session, PlanFile *file, const Data *document);
