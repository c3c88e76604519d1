// From a request that the AWS CLI takes, `--cli-input-json file://job.json`, or as YAML, to what rules ask: AWS Batch's
// register-job-definition, submit-job and create-compute-environment, EC2's create-launch-template, run-instances and create-fleet, EKS'
// create-nodegroup, Auto Scaling's create-auto-scaling-group, FSx' create-file-system, AWS PCS' create-cluster and
// create-compute-node-group, SageMaker's create-cluster, Lambda's create-function.
// Source: AWS CLI Command Reference of these commands, read 2026-11.
#pragma once

#include "compiler/plan/model/container.h"
#include "compiler/plan/raw/raw.h"

// The resource that the request makes; NULL where it is none of these. An answer of the service is none. Of YAML more keys are
// asked, since files of other tools have some of these words too.
RawResource *aws_cli_read(Session *session, const Subject *file, Data *document);

// What rules ask of that resource alone.
const PlanRaw *aws_cli_parts(Session *session, RawResource *resource);
