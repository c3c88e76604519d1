// How many pods an object makes.
#pragma once

#include "compiler/plan/rules/rules.h"

// The pods that run at once; -1 where nobody knows, or where other objects may have pods of the same job.
int64_t pods_at_once(const PlanObject *object);

// Whether an object is written for several pods at once, of which some may come later: by the numbers that are known, or by
// the most that there may be.
bool pods_are_several(const PlanObject *object);

// Whether a TrainJob takes a runtime of Kubeflow Trainer, as `runtimeRef` says.
bool pod_job_takes(const PlanObject *job, const PlanObject *runtime);

// Whether the Job that makes a pod gives it an index.
bool pod_has_index(const PlanObject *object, const PlanPod *pod);

// Those of them that come from one template, whose specification is `pod`; -1 where nobody knows.
int64_t pods_of_template(const PlanObject *object, const Value *pod);
