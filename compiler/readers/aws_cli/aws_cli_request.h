// From a request that the AWS CLI takes as JSON, `--cli-input-json file://job.json`, to what rules ask: AWS Batch's
// register-job-definition and create-compute-environment, EC2's create-launch-template and run-instances, EKS'
// create-nodegroup.
// Source: AWS CLI Command Reference of these commands, read 2026-11.
#pragma once

#include "compiler/plan/model/container.h"
#include "compiler/plan/raw/raw.h"

// What the request makes; NULL where it is none of these. An answer of the service is none.
const PlanRaw *aws_cli_read(Session *session, const Subject *file, Data *document);
