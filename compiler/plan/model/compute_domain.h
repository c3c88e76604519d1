// ComputeDomains of NVIDIA's DRA driver. One sets up IMEX on the nodes of the pods that claim its channel, which then share
// their memory over the NVLink of an UltraServer.
#pragma once

#include "compiler/plan/model/plan.h"

// Of each type in an UltraServer with NVIDIA GPUs: tests/unit/test_schema.c holds it against the rows.
enum { ULTRASERVER_NODE_GPUS = 4 };

// The name of the ResourceClaimTemplate that the driver makes for a ComputeDomain; may be late. NULL of another object, and
// where none is written.
const Value *plan_domain_template(const PlanObject *object);

// The label by which NVIDIA's DRA driver finds nodes with GPUs, and whether nobody else gives it to nodes of an UltraServer:
// the image does from Kubernetes 1.35 on.
#define GPU_LABEL "nvidia.com/gpu.present"
bool plan_nodes_lack_gpu_label(const PlanNodes *nodes);

// Whether pods of a job share memory over NVLink with nodes of an UltraServer beside their own: several, with GPUs.
bool plan_job_wants_channel(const PlanJob *job);

// The ComputeDomains of a job's cluster whose templates its pods can claim, those of their namespace. `*last` is one of them.
uint32_t plan_job_domains(const PlanJob *job, const PlanObject **last);

// The one whose channel the pods of a job claim. NULL: they want none, or nobody knows which.
const PlanObject *plan_job_domain(const PlanJob *job);
