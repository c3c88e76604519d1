// Operating systems of nodes, and what tools and services offer for each (operating_systems.def).
#pragma once

#include "compiler/base/str.h"

// What EKS's image brings for accelerators.
typedef enum {
    EKS_IMAGE_NONE,    // there is no such image
    EKS_IMAGE_BARE,    // no drivers
    EKS_IMAGE_DRIVERS, // drivers
    EKS_IMAGE_PLUGIN,  // drivers, and NVIDIA's device plugin
} EksImage;

typedef struct {
    const char *os;
    const char *parallelcluster; // NULL: ParallelCluster has no such system; likewise eksctl
    const char *eksctl;
    const char *login; // NULL: nobody logs in
    const char *root_device;
    const char *data_device; // NULL without
    EksImage eks_image;
    int glibc_minor;    // 0: none, or nobody knows; likewise the others
    int batch_disk_gib; // the least
    int eks_disk_gib;
    const char *title; // for people; NULL where nothing is over; likewise the days
    const char *ended;
    const char *eks_images_ended;
} OperatingSystem;

// The row of a word of `os`, each of which has one.
const OperatingSystem *operating_system(Str os);

// The row of a word of ParallelCluster's `Os`; NULL without.
const OperatingSystem *operating_system_of_parallelcluster(Str os);
