// The addresses that the containers of a pod connect to, as far as variables and launchers name them.
#pragma once

#include "compiler/plan/model/launcher.h"
#include "compiler/plan/rules/rules.h"

typedef struct {
    Str host; // "train-0.train"
    Span span;
    bool is_meeting; // all pods of the job meet there, and the one of rank 0 answers
} PodAddress;

typedef VEC(PodAddress) PodAddresses;

// Of variables that are called for an address, and of the options of torchrun. Texts that only a shell fills in are left
// out.
PodAddresses pod_addresses(const Rules *rules, const PlanLauncher *launcher);

// Of the options of torchrun in a command alone.
PodAddresses pod_addresses_of_words(const Rules *rules, const PlanLauncher *launcher);

// A part of a host between its dots, from the left; empty where it has fewer.
Str pod_host_part(Str host, int index);

// The number behind `JOB-` in the first part of a host; -1 where that is something else.
int64_t pod_index(Str host, Str job);

// The subdomain that a pod has, as it is written or by what makes it; empty where it has none, or nobody knows.
Str pod_subdomain(const PlanObject *object, const Value *pod);

// Whether a host is in the domain of the cluster: by its end, as a Service beside the object, or as a pod behind one.
bool pod_is_cluster_name(const Rules *rules, const PlanObject *object, const Value *pod, Str host);

// The Service of this name in a namespace; NULL: none is here.
const PlanObject *pod_service(const Rules *rules, Str name, Str place);
bool pod_service_is_headless(const PlanObject *service);

// Whether plugins of a Job of Volcano give its pods names, and the hosts of each task; some bring `svc` with them.
bool pod_has_volcano_names(const Value *plugins);
