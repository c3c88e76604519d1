// Software of training images, and its releases (image_software.def).
#pragma once

#include "compiler/base/arena.h"
#include "compiler/base/str.h"

typedef enum {
    SOFTWARE_EFA,    // the installer
    SOFTWARE_PLUGIN, // aws-ofi-nccl
    SOFTWARE_NCCL,
    SOFTWARE_NCCL_TESTS,
    SOFTWARE_GDRCOPY,
    SOFTWARE_COUNT
} ImageSoftware;

const char *image_software_name(ImageSoftware software);       // "aws-ofi-nccl"
const char *image_software_repository(ImageSoftware software); // "aws/aws-ofi-nccl"; empty: it has none

// Compares the numbers of two versions, whatever letters stand before or behind them: below, equal to or above 0.
// "v1.9.2-aws" is 1.9.2; a number that is not there is 0.
int image_version_compare(Str a, Str b);
bool image_is_version(Str text); // `v` or not, and numbers with dots between; what is behind them does not matter
bool image_is_release(Str text); // the same, and nothing else but `-aws`
uint32_t image_version_parts(Str text); // how many numbers it has

// Whether a release is known to be none: it lies between two that are, and is not in the list. `*nearest` is then the one
// with the same numbers, or the next one.
bool image_release_is_none(ImageSoftware software, Str version, Str *nearest);

// The libfabric that an installer of EFA has at most, of the first release at or behind it that is known; empty: unknown.
Str image_efa_libfabric(Str version);

// What a release of the plugin needs of libfabric where it is built for AWS, and of NCCL; empty: nothing that is known.
Str image_plugin_libfabric(Str version);
Str image_plugin_nccl(Str version);

// The last installer of EFA that knows the system of an image, where this one does not: `system` is "ubuntu20.04",
// "amazonlinux2", "debian11". Empty: it knows it, or nothing is known.
Str image_efa_last(Str version, Str system);

// The first CUDA whose nvcc knows a GPU architecture, and the last major release that does: "90" is 11.8 and 0, which is no
// end. NULL where nothing is known.
typedef struct {
    const char *architecture;
    const char *first;
    int last;
    const char *gpus; // "H100"
} GpuArchitecture;

const GpuArchitecture *image_architecture(Str number);
