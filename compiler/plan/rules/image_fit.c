// What rules of services ask about images and types, and what they say of them.
#include "compiler/plan/rules/image_fit.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/user_data_text.h"
#include "schema/gpu_drivers.h"
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
