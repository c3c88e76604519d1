// What each type has for the labels of Karpenter.
#include "compiler/plan/model/type_labels.h"

static Fact fact_number(int64_t number) {
    return (Fact){ .kind = number < 0 ? FACT_UNKNOWN : FACT_NUMBER, .number = number };
}

static Fact fact_text(Str text) {
    return (Fact){ .kind = text.len == 0 ? FACT_UNKNOWN : FACT_TEXT, .text = text };
}

static Fact read_type(const InstanceRow *row) {
    return fact_text(str_of(row->name));
}

static Fact read_family(const InstanceRow *row) {
    return fact_text(str_of(row->family));
}

static Fact read_size(const InstanceRow *row) {
    const Str name = str_of(row->name);
    return fact_text(str_slice(name, str_find(name, STR("."), 0) + 1, name.len));
}

static Fact read_architecture(const InstanceRow *row) {
    return row->architecture == ARCHITECTURE_UNKNOWN
               ? (Fact){ .kind = FACT_UNKNOWN }
               : fact_text(row->architecture == ARCHITECTURE_X86_64
                               ? STR("amd64")
                               : str_of(schema_architecture_name(row->architecture)));
}

static size_t letters_end(Str family) {
    size_t end = 0;
    while (str_at(family, end) >= 'a' && str_at(family, end) <= 'z') {
        end++;
    }
    return end;
}

static Fact read_category(const InstanceRow *row) {
    const Str family = str_of(row->family);
    return fact_text(str_slice(family, 0, letters_end(family)));
}

// The digits behind the letters: 6 of p6-b200. Karpenter passes over the memory in names such as u-6tb1, and so those
// are left out here.
static Fact read_generation(const InstanceRow *row) {
    const Str family = str_of(row->family);
    int64_t number = -1;
    for (size_t at = letters_end(family); char_is_digit(str_at(family, at)); at++) {
        number = (number < 0 ? 0 : number * 10) + (family.data[at] - '0');
    }
    return fact_number(number);
}

static Fact read_cpu(const InstanceRow *row) {
    return fact_number(row->vcpus);
}

static Fact read_memory(const InstanceRow *row) {
    return fact_number(row->memory_mib);
}

static Fact read_nvme(const InstanceRow *row) {
    return row->nvme_count == 0 ? (Fact){ .kind = FACT_NONE } : fact_number(row->nvme_total_gb);
}

typedef enum { LABELLED_GPU, LABELLED_ACCELERATOR } Labelled;

// A type with GPUs has no label of accelerators, and the other way round. What EC2 says of other makers is left out.
static Fact fact_of(const InstanceRow *row, Labelled labelled, Fact fact) {
    const Str vendor = str_of(row->accelerator_vendor);
    const bool is_gpu = str_is(vendor, "NVIDIA") || str_is(vendor, "AMD");
    const bool is_of_aws = str_is(vendor, "AWS");
    const bool is_of_other = vendor.len > 0 && !is_gpu && !is_of_aws;
    if (is_of_other || (vendor.len == 0 && row->accelerators == UNKNOWN)) {
        return (Fact){ .kind = FACT_UNKNOWN };
    }
    return (labelled == LABELLED_GPU ? is_gpu : is_of_aws) ? fact : (Fact){ .kind = FACT_NONE };
}

// EC2 says that a type with a part of a GPU has 0: aws/karpenter-provider-aws#8368, read 2026-11.
static Fact read_gpus(const InstanceRow *row) {
    const Fact fact = row->accelerator_share != NULL ? (Fact){ .kind = FACT_UNKNOWN } : fact_number(row->accelerators);
    return fact_of(row, LABELLED_GPU, fact);
}

// "B200 (GB200)" says which one it is in words of our own.
static Fact read_gpu_name(const InstanceRow *row) {
    const Str name = str_of(row->accelerator_name);
    return fact_of(row, LABELLED_GPU, fact_text(str_ends_with(name, STR(")")) ? STR_NONE : name));
}

static Fact read_gpu_maker(const InstanceRow *row) {
    return fact_of(row, LABELLED_GPU, fact_text(str_of(row->accelerator_vendor)));
}

static Fact read_gpu_memory(const InstanceRow *row) {
    return fact_of(row, LABELLED_GPU, fact_number(row->accelerator_memory_mib));
}

static Fact read_accelerators(const InstanceRow *row) {
    return fact_of(row, LABELLED_ACCELERATOR, fact_number(row->accelerators));
}

static Fact read_accelerator_name(const InstanceRow *row) {
    return fact_of(row, LABELLED_ACCELERATOR, fact_text(str_of(row->accelerator_name)));
}

static Fact read_accelerator_maker(const InstanceRow *row) {
    return fact_of(row, LABELLED_ACCELERATOR, fact_text(str_of(row->accelerator_vendor)));
}

// ---- labels ------------------------------------------------------------------------------------------------------

// EKS Auto Mode has labels of the same names and units under a prefix of its own: EKS User Guide, Create a Node Pool for
// EKS Auto Mode, read 2026-11.
static const char *const PREFIXES[] = { "karpenter.k8s.aws/", "eks.amazonaws.com/", "node.kubernetes.io/",
                                        "kubernetes.io/" };
enum { PREFIXES_OF_AWS = 2 };

static const TypeLabel LABELS[] = {
    { "instance-type", false, LABEL_TYPE, read_type, NULL },
    { "instance-family", true, LABEL_FAMILY, read_family, NULL },
    { "instance-category", true, LABEL_PLACE, read_category, NULL },
    { "arch", false, LABEL_PLACE, read_architecture, NULL },
    { "instance-generation", true, LABEL_FACT, read_generation, NULL },
    { "instance-size", true, LABEL_FACT, read_size, NULL },
    { "instance-cpu", true, LABEL_FACT, read_cpu, NULL },
    { "instance-memory", true, LABEL_FACT, read_memory, "MiB" },
    { "instance-local-nvme", true, LABEL_FACT, read_nvme, "GB" },
    { "instance-gpu-count", true, LABEL_FACT, read_gpus, NULL },
    { "instance-gpu-name", true, LABEL_FACT, read_gpu_name, NULL },
    { "instance-gpu-manufacturer", true, LABEL_FACT, read_gpu_maker, NULL },
    { "instance-gpu-memory", true, LABEL_FACT, read_gpu_memory, "MiB" },
    { "instance-accelerator-count", true, LABEL_FACT, read_accelerators, NULL },
    { "instance-accelerator-name", true, LABEL_FACT, read_accelerator_name, NULL },
    { "instance-accelerator-manufacturer", true, LABEL_FACT, read_accelerator_maker, NULL },
};

const TypeLabel *type_label(Str key) {
    for (size_t i = 0; i < COUNT_OF(PREFIXES); i++) {
        const Str prefix = str_of(PREFIXES[i]);
        for (size_t k = 0; str_starts_with(key, prefix) && k < COUNT_OF(LABELS); k++) {
            if (str_is(str_slice(key, prefix.len, key.len), LABELS[k].name) &&
                LABELS[k].is_of_aws == (i < PREFIXES_OF_AWS)) {
                return &LABELS[k];
            }
        }
    }
    return NULL;
}

char type_label_char(char c) {
    return c == ' ' ? '-' : char_small(c);
}
