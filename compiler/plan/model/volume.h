// A volume of EBS in somebody's file: of a launch template, of an instance, of a node group, or one that nodes share.
#pragma once

#include "compiler/plan/model/field.h"
#include "compiler/semantics/subject.h"

// Who takes the volume, which decides what holds where something is not written.
typedef enum { VOLUME_OF_EC2, VOLUME_OF_EKSCTL, VOLUME_OF_PARALLELCLUSTER } PlanVolumeTaker;

typedef struct {
    const Subject *subject;
    PlanVolumeTaker taker;
    PlanField type;
    const char *usual; // its type where none is written; NULL: that of the image
    PlanField size;    // in GiB
    const char *unit;  // that its number is written with: "Gi"; NULL: none
    PlanField iops;
    PlanField rate; // in MiB a second
} PlanVolume;
