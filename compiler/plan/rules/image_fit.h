// What an image is, whether it fits the instance type that starts from it, and what is said where it does not.
#pragma once

#include "compiler/plan/rules/rules.h"
#include "schema/operating_systems.h"

typedef struct {
    const Subject *subject;
    const PlanGroup *group;  // in whose launch the image stands: an `allow` in either counts; NULL: in none's
    Span image;              // where it is named
    const InstanceRow *type; // NULL: not known, and nothing is said
    Span type_span;          // SPAN_NONE: `image` is where the type stands, as the service chooses the image by it
} ImageUse;

// Reports what is wrong with it, at the image. An `allow` counts where the image stands, and in the group.
Diag *image_report(const Rules *rules, const ImageUse *use, DiagId id, const char *format, ...) PRINTF_LIKE(4, 5);

// Reports an image for another processor. ARCHITECTURE_UNKNOWN fits each. True: reported.
bool image_check_architecture(const Rules *rules, const ImageUse *use, Architecture of_image);

// Whether the type has an accelerator that needs a driver of its image.
bool image_needs_drivers(const InstanceRow *type);

// Whether user data installs drivers on an image that has none. False of NULL.
bool image_installs_drivers(Arena *arena, const PlanLaunch *launch);

// Reports an image without the drivers of the type. The caller adds a way out.
Diag *image_report_drivers(const Rules *rules, const ImageUse *use);

// By its id, by the path of a parameter, or by the word of a service. False where nobody knows.
bool image_is_al2(const PlanField *image);
bool image_is_al2023(const PlanField *image);
bool image_is_amazon_linux(const PlanField *image); // of either release
bool image_is_ubuntu(const PlanField *image);

// The size of the least root volume, in GiB, of an image that a service of AWS makes; 0: not known.
int64_t image_disk_gib(const PlanField *image);

// The word by which EKS calls its own image with NVIDIA's drivers for the system of an `os` and the type; empty without one.
Str image_word_of_eks(Str os, const InstanceRow *type);

// The version of Kubernetes that the image of a parameter's path is for; empty where the path has none.
Str image_kubernetes_version(Str path);

// Reports an image whose branch of NVIDIA's driver does not work with the type; NULL: it works, or nothing is known. `name`
// is a word of a service or a path of a parameter, `minor` is of Kubernetes, 0 where it is not known. The caller adds a way
// out.
Diag *image_check_branch(const Rules *rules, const ImageUse *use, Str name, int minor);

// Reports a type whose GPUs are too old for the driver that ParallelCluster brings into the images of all its systems.
void image_check_parallelcluster(const Rules *rules, const Subject *subject, Span place, const InstanceRow *type);

// Reports a type of Trainium or Inferentia on an image of ParallelCluster; nothing of another type.
void image_check_neuron(const Rules *rules, const Subject *subject, Span place, const InstanceRow *type,
                        const char *help);

// Reports a system out of support, as `name` says it; nothing of another one, or of NULL. The caller adds a note of its own.
// NULL: nothing was reported.
Diag *image_check_support(const Rules *rules, const Subject *subject, Span place, const OperatingSystem *system,
                          const char *name);

// A program that Amazon Linux 2 had and its successor has not.
typedef struct {
    const char *program;
    const char *instead; // "has dnf"
    const char *help;
} ImageGone;

// The first of them that a script runs, whatever it asked before, and where. NULL: it runs none.
const ImageGone *image_gone_program(Arena *arena, Str script, size_t *at);

// Reports such a program. `what` and what there is in its place are said at `system`.
void image_report_gone(const Rules *rules, const Subject *subject, Span place, const ImageGone *gone, Span system,
                       const char *what);

// Whether it is an image of nvidia/cuda.
bool image_is_of_cuda(Str image);

// Reports the name of a container's image whose tag NVIDIA never pushed, or has deleted. Of other images nothing is known.
void image_check_tag(const Rules *rules, const Subject *subject, Span span, Str image);
