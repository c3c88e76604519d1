// Whose the disk is that a message of the kernel names.
#pragma once

#include "stdlib/node/device/host.h"

typedef enum DiskOwner {
    DISK_MACHINE, // the instance's own, or what the root file system is on; also what is no disk
    DISK_VOLUME,  // any other one: a pod's, or a person's
    DISK_GONE,    // it is not there any more
} DiskOwner;

// `device` as the kernel's messages have it: "nvme3", "nvme0n1p1", "md127", "dm-0", "xvdf".
DiskOwner disk_owner(const Host *host, const char *device);
