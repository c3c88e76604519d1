// A container of a workload, whoever wrote it and in whose words: of a `job` of infra.dt, of a job definition of AWS Batch,
// or of the pods of an object of Kubernetes. Each way in fills it once for a document, and rules about containers ask it
// alone.
#pragma once

#include "compiler/plan/model/plan_object.h"
#include "compiler/plan/model/field.h"
#include "schema/instance.h"

// So many of a device that a container asks for by number.
typedef struct {
    Str name;     // "nvidia.com/gpu", "GPU"
    Span span;    // of the amount
    Str written;  // the amount
    double count; // -1: not known
} PlanDevices;

typedef struct PlanWorkload {
    const Subject *subject;
    Str name;                            // of the job, the definition or the object
    const Value *pod;                    // the specification that it is of; NULL: of none
    const PlanPod *place;                // that has this specification; NULL: none
    const Value *container;              // in it; NULL: none
    bool is_first;                       // it runs before the others of its pod
    const struct PlanLauncher *launcher; // what its command starts
    PlanField image;                     // its name and tag, with or without a registry
    bool is_dlc;                         // an AWS Deep Learning Container
    PlanField user;                      // who runs it; absent: the image says it
    const InstanceRow *row;              // of the nodes; NULL where that is not known
    Span row_span;                       // of what names it
    bool is_for_nvidia;                  // it asks for GPUs, or may have them
    bool is_for_neuron;
    PlanAnswer has_efa;
    VEC(PlanDevices) devices;
} PlanWorkload;

// Adds the containers of an object's pods, those that run first among them; none of an object that is changed.
void workload_add_pods(Session *session, PlanObject *object);

// The workload of a container of an object; NULL: there is none, as where the object is changed.
const PlanWorkload *workload_of_container(const PlanObject *object, const Value *container);

// Whether an image is for other accelerators than it finds on nodes of the type. It says what it is made for; NULL: it fits,
// or nothing is known.
// source: https://aws.github.io/deep-learning-containers/, 2026-11, read 2026-11
const char *workload_image_misfit(const PlanWorkload *workload, const InstanceRow *row);

// Whether somebody else than root runs it, for sure.
bool workload_has_plain_user(const PlanWorkload *workload);

// The GPUs of NVIDIA that its container asks for; NULL: none, or nobody knows how many.
const PlanDevices *workload_gpus(const PlanWorkload *workload);
