// Secrets of a job's pods, which the Secrets Store CSI Driver reads with the role of the pods when they start. What it
// reads is a volume, and a Secret beside it for as long as the volume is there. No file has a value.
#pragma once

#include "emitters/kubernetes/pod.h"

// The objects that say what the driver reads: one for each region; nothing for a job without secrets.
void secrets_add_classes(const JobPods *pods);

// Adds a variable for each secret to the environment of a container.
void secrets_put_variables(const JobPods *pods, DocNode *environment);

// Mounts what the driver reads, without which it reads nothing. The lists are there or made.
void secrets_put_volumes(const JobPods *pods, DocNode *spec, DocNode *container);
