// What rules of services ask about images and types, and what they say of them.
#include "compiler/plan/rules/image_fit.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/plan_dockerfile.h"
#include "compiler/plan/rules/user_data_text.h"
#include "schema/gpu_drivers.h"
#include "schema/image_software.h"
#include "schema/names.h"
#include "schema/operating_systems.h"

static const Subject *subject_of(const ImageUse *use, DiagId id) {
    return use->group == NULL ? use->subject : plan_subject_at(use->group, use->image, id);
}

Diag *image_report(const Rules *rules, const ImageUse *use, DiagId id, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    Diag *diag = plan_report_list(rules->session, subject_of(use, id), use->image, id, format, arguments);
    va_end(arguments);
    if (use->group != NULL) {
        plan_tell_sharers(rules->session, use->group, diag, use->image, id);
    }
    return diag;
}

bool image_check_architecture(const Rules *rules, const ImageUse *use, Architecture of_image) {
    const Architecture of_type = use->type == NULL ? ARCHITECTURE_UNKNOWN : use->type->architecture;
    if (of_type == ARCHITECTURE_UNKNOWN || of_image == ARCHITECTURE_UNKNOWN || of_type == of_image) {
        return false;
    }
    Diag *diag = image_report(rules, use, DIAG(image_architecture), use->type->name, schema_architecture_name(of_type),
                              schema_architecture_name(of_image));
    diag_label(rules->session, diag, use->type_span, "%s", schema_architecture_name(of_type));
    return true;
}

bool image_needs_drivers(const InstanceRow *type) {
    return type != NULL && (type->accelerator == ACCELERATOR_NVIDIA || type->accelerator == ACCELERATOR_NEURON);
}

// Few scripts say a name at all: only of those it is looked for what a shell runs, which takes longer.
bool image_installs_drivers(Arena *arena, const PlanLaunch *launch) {
    static const char *const NAMES[] = { "cuda-drivers", "nvidia-driver", "NVIDIA-Linux-", "nvidia-open",
                                         "aws-neuronx-dkms" };
    const PlanUserData *data = launch == NULL ? NULL : &launch->user_data;
    const Str all = data == NULL ? STR_NONE : data->written.len == 0 ? data->start : data->written;
    for (size_t i = 0; i < COUNT_OF(NAMES); i++) {
        if (str_has(all, NAMES[i]) &&
            (data->written.len == 0 || str_has(user_data_shell(arena, data, SHELL_KEPT), NAMES[i]))) {
            return true;
        }
    }
    return false;
}

Diag *image_report_drivers(const Rules *rules, const ImageUse *use) {
    Diag *diag = image_report(rules, use, DIAG(image_drivers), use->type->name,
                              use->type->accelerator == ACCELERATOR_NEURON ? "Neuron" : "NVIDIA");
    diag_label(rules->session, diag, use->type_span, "%s %s", use->type->accelerator_vendor,
               use->type->accelerator_name);
    return diag;
}

Str image_word_of_eks(Str os, const InstanceRow *type) {
    static const struct {
        const char *os;
        const char *word;
    } WORDS[] = {
        { "al2023", "AL2023_x86_64_NVIDIA" },
        { "al2", "AL2_x86_64_GPU" },
        { "bottlerocket", "BOTTLEROCKET_x86_64_NVIDIA" },
    };
    for (size_t i = 0; i < COUNT_OF(WORDS) && type->architecture == ARCHITECTURE_X86_64; i++) {
        if (str_is(os, WORDS[i].os)) {
            return str_of(WORDS[i].word);
        }
    }
    return STR_NONE;
}

Diag *image_check_branch(const Rules *rules, const ImageUse *use, Str name, int minor) {
    const InstanceRow *type = use->type;
    const int branch = type == NULL ? 0 : gpu_driver_at_odds(rules->session->arena, name, minor, type);
    if (branch == 0) {
        return NULL;
    }
    const bool is_old = branch < type->driver_first;
    Diag *diag = image_report(rules, use, DIAG(driver_branch), type->name,
                              is_old ? type->driver_first : type->driver_last, is_old ? "later" : "earlier", branch);
    if (span_is_none(use->type_span)) {
        diag_primary_label(rules->session, diag, "%s %s", type->accelerator_vendor, type->accelerator_name);
    } else {
        diag_label(rules->session, diag, use->type_span, "%s %s", type->accelerator_vendor, type->accelerator_name);
    }
    return diag;
}

void image_check_parallelcluster(const Rules *rules, const Subject *subject, Span place, const InstanceRow *type) {
    const bool has_last = type->accelerator == ACCELERATOR_NVIDIA && type->driver_last > 0;
    const int branch = has_last ? gpu_driver_at_odds(rules->session->arena, STR("parallelcluster"), 0, type) : 0;
    if (branch <= type->driver_last) {
        return;
    }
    Diag *diag = plan_report(rules->session, subject, place, DIAG(driver_of_parallelcluster), type->name,
                             type->driver_last, branch);
    diag_help(rules->session, diag, "take a type with newer GPUs, such as g4dn, g5 or g6");
}

void image_check_neuron(const Rules *rules, const Subject *subject, Span place, const InstanceRow *type,
                        const char *help) {
    if (type->accelerator == ACCELERATOR_NEURON) {
        Diag *diag = plan_report(rules->session, subject, place, DIAG(neuron_of_parallelcluster), type->name);
        diag_help(rules->session, diag, "%s", help);
    }
}

Diag *image_check_support(const Rules *rules, const Subject *subject, Span place, const OperatingSystem *system,
                          const char *name) {
    return system == NULL || system->ended == NULL
               ? NULL
               : plan_report(rules->session, subject, place, DIAG(system_ended), name);
}

Str image_kubernetes_version(Str path) {
    static const char *const STARTS[] = { "/aws/service/eks/optimized-ami/", "/aws/service/bottlerocket/aws-k8s-" };
    for (size_t i = 0; i < COUNT_OF(STARTS); i++) {
        const Str rest = str_slice(path, strlen(STARTS[i]), path.len);
        if (str_starts_with(path, str_of(STARTS[i]))) {
            const size_t slash = str_find(rest, STR("/"), 0);
            const size_t dash = str_find(rest, STR("-"), 0);
            return str_slice(rest, 0, slash < dash ? slash : dash);
        }
    }
    return STR_NONE;
}

// ---- Amazon Linux ------------------------------------------------------------------------------------------------

bool image_is_al2023(const PlanField *image) {
    return field_has(image, "amazon-linux-2023") || field_has(image, "al2023") || field_has(image, "AL2023") ||
           field_is(image, "AmazonLinux2023");
}

// Of Amazon Linux 2 EKS does not say it.
int64_t image_disk_gib(const PlanField *image) {
    const OperatingSystem *system = operating_system(image_is_al2023(image) ? STR("al2023") : STR("al2"));
    const bool is_of_ecs = field_has(image, "/ecs/optimized-ami/amazon-linux-2") || field_has(image, "ECS_AL2");
    const bool is_of_eks = field_has(image, "/eks/optimized-ami/") || field_has(image, "al2023@") ||
                           field_has(image, "AL2023_x86_64_") || field_has(image, "AL2023_ARM_64_") ||
                           field_is(image, "AmazonLinux2023");
    return is_of_ecs ? system->batch_disk_gib : is_of_eks ? system->eks_disk_gib : 0;
}

bool image_is_amazon_linux(const PlanField *image) {
    return image_is_al2023(image) || field_has(image, "amazon-linux-2") || field_has(image, "amzn2-ami") ||
           field_has(image, "AL2_") || field_has(image, "ECS_AL2");
}

bool image_is_al2(const PlanField *image) {
    return image_is_amazon_linux(image) && !image_is_al2023(image);
}

// ---- Ubuntu ------------------------------------------------------------------------------------------------------

bool image_is_ubuntu(const PlanField *image) {
    return (field_has(image, "ubuntu") || field_has(image, "Ubuntu")) && !image_is_amazon_linux(image);
}

// ---- tags of images of containers ----------------------------------------------------------------------------------

bool image_is_of_cuda(Str image) {
    const Str name = docker_image_name(image);
    return str_is(name, "nvidia/cuda") || str_is(name, "nvcr.io/nvidia/cuda");
}

// What is wrong with a tag of nvidia/cuda; NULL: nothing that is sure.
// source: NVIDIA/container-images cuda, doc/README.md and doc/supported-tags.md, 2026-11; pytorch/builder#1811, 2024-05, read 2026-11
static const char *fault_of_cuda(Str tag) {
    const size_t dash = str_find(tag, STR("-"), 0);
    const Str version = str_slice(tag, 0, dash);
    if (tag.len == 0 || str_is(tag, "latest")) {
        return "NVIDIA pushes none without a version";
    }
    if (!image_is_version(version)) {
        return NULL;
    }
    if (names_have(NAMES_CUDA_DELETED, version)) {
        return "NVIDIA has deleted those of this version";
    }
    if (image_version_parts(version) == 2 && image_version_compare(version, STR("11.0")) >= 0) {
        return "its versions have three numbers, as 12.4.1";
    }
    if (dash == tag.len) {
        return "behind the version stand `base`, `runtime` or `devel` and a system";
    }
    const size_t cudnn = str_find(tag, STR("-cudnn"), 0);
    const size_t devel = str_find(tag, STR("-devel"), 0);
    const size_t runtime = str_find(tag, STR("-runtime"), 0);
    const size_t flavour = devel < runtime ? devel : runtime;
    if (cudnn < tag.len && flavour < tag.len && flavour < cudnn) {
        return "`cudnn` stands before `runtime` or `devel`";
    }
    if (char_is_digit(str_at(tag, cudnn + strlen("-cudnn"))) && image_version_compare(version, STR("12.4")) >= 0) {
        return "from CUDA 12.4 on no number stands behind `cudnn`";
    }
    return NULL;
}

// Tags of the images that NVIDIA makes each month: `24.03-py3`.
// source: NVIDIA NGC catalog, nvidia/pytorch, tags, 2026-11, read 2026-11
static const char *fault_of_month(Str tag) {
    const bool is_month = tag.len >= 5 && char_is_digit(tag.data[0]) && char_is_digit(tag.data[1]) &&
                          tag.data[2] == '.' && char_is_digit(tag.data[3]) && char_is_digit(tag.data[4]);
    if (tag.len == 0 || str_is(tag, "latest")) {
        return "NVIDIA pushes none without a month";
    }
    if (is_month && tag.len == 5) {
        return "behind the month stands `-py3`";
    }
    const int month = is_month ? (tag.data[3] - '0') * 10 + tag.data[4] - '0' : 1;
    return month < 1 || month > 12 ? "its numbers are a year and a month" : NULL;
}

static const char *fault_of_tag(Str image) {
    const Str name = docker_image_name(image);
    if (str_has(image, "@")) {
        return NULL;
    }
    return image_is_of_cuda(image)                  ? fault_of_cuda(docker_image_tag(image))
           : str_is(name, "nvcr.io/nvidia/pytorch") ? fault_of_month(docker_image_tag(image))
                                                    : NULL;
}

// The last of those versions that begin with the two numbers of a tag which is right but for that; NULL: nobody knows it.
// source: NVIDIA/container-images cuda, doc/supported-tags.md and doc/unsupported-tags.md, 2026-11, read 2026-11
static const char *whole_version(Str tag) {
    static const char *const VERSIONS[] = { "11.3.1", "11.6.2", "11.7.1", "11.8.0", "12.0.1", "12.1.1", "12.2.2",
                                            "12.3.2", "12.4.1", "12.5.1", "12.6.3", "12.8.1", "12.9.1" };
    const Str version = str_slice(tag, 0, str_find(tag, STR("-"), 0));
    const char *found = NULL;
    for (size_t i = 0; i < COUNT_OF(VERSIONS) && version.len < tag.len && image_version_parts(version) == 2; i++) {
        const bool is_it = str_starts_with(str_of(VERSIONS[i]), version) && VERSIONS[i][version.len] == '.';
        found = is_it ? VERSIONS[i] : found;
    }
    return found;
}

static void help_tag(Session *session, Diag *diag, Str image) {
    const Str tag = docker_image_tag(image);
    const bool is_cuda = image_is_of_cuda(image);
    const char *whole = is_cuda ? whole_version(tag) : NULL;
    if (whole != NULL) {
        diag_help(session, diag, "write `%s` in the place of `%.*s`", whole,
                  STR_ARG(str_slice(tag, 0, str_find(tag, STR("-"), 0))));
        return;
    }
    diag_help(session, diag, "%s",
              str_is(docker_image_name(image), "nvidia/cuda")
                  ? "write one of https://hub.docker.com/r/nvidia/cuda/tags: `12.9.1-devel-ubuntu22.04`"
              : is_cuda ? "write one of https://catalog.ngc.nvidia.com/orgs/nvidia/containers/cuda/tags: "
                          "`12.9.1-devel-ubuntu22.04`"
                        : "write one of https://catalog.ngc.nvidia.com: `25.03-py3`");
}

void image_check_tag(const Rules *rules, const Subject *subject, Span span, Str image) {
    const char *fault = fault_of_tag(image);
    if (fault == NULL) {
        return;
    }
    const Str tag = docker_image_tag(image);
    const Str name = docker_image_name(image);
    Diag *diag = plan_report(rules->session, subject, span, DIAG(docker_no_tag), STR_ARG(name),
                             STR_ARG(tag.len > 0 ? tag : STR("latest")), fault);
    help_tag(rules->session, diag, image);
}
