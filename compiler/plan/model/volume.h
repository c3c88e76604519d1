// A volume of EBS in somebody's file: of a launch template, of an instance, of a node group, or one that nodes share.
#pragma once

#include "compiler/plan/model/field.h"
#include "compiler/semantics/subject.h"

// Who takes the volume, which decides what holds where something is not written.
typedef enum { VOLUME_OF_EC2, VOLUME_OF_EKSCTL, VOLUME_OF_PARALLELCLUSTER, VOLUME_OF_DRIVER } PlanVolumeTaker;

typedef struct {
    const Subject *subject;
    PlanVolumeTaker taker;
    PlanField type;
    const char *usual; // its type where none is written; NULL: that of the image
    PlanField size;    // in GiB, with its unit where it is written with one: `40Gi`
    PlanField iops;
    PlanField rate; // in MiB a second, likewise
} PlanVolume;
