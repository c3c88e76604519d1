// Rules about containers of AWS Batch: what asks for more than a node has stays RUNNABLE for ever, and Batch says
// nothing.
#include "compiler/plan/rules/rule_field.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/rule_insert.h"
#include "compiler/plan/model/declared_group.h"
#include "compiler/plan/model/node_room.h"

static const int64_t MIB = 1024 * 1024;

// ---- EFA -------------------------------------------------------------------------------------------------------

void rule_container_devices(const Rules *rules, const PlanContainer *container) {
    const int wanted = container->is_multi_node && container->row != NULL ? container->efa_count : -1;
    const int count = container->efa_devices;
    if (container->devices.state == FIELD_LATE || wanted < 1 || count >= wanted) {
        return;
    }
    Str some = str_format(rules->session->arena, "%d", count);
    Diag *diag = plan_report(rules->session, container->subject, container->devices.span, DIAG(efa_devices),
                             count == 0 ? "none" : str_c(rules->session->arena, some), wanted, container->row->name);
    diag_label(rules->session, diag, rule_span(&container->instance_type), "has %d", wanted);
    diag_help(rules->session, diag, "map /dev/infiniband/uverbs%d to uverbs%d in `Devices` of `LinuxParameters`", count,
              wanted - 1);
}

void rule_container_memlock(const Rules *rules, const PlanContainer *container) {
    const PlanField *memlock = &container->memlock;
    if (container->efa_devices == 0 || memlock->state == FIELD_LATE || field_is(memlock, "-1")) {
        return;
    }
    bool is_written = memlock->state == FIELD_KNOWN;
    Str what = is_written ? str_format(rules->session->arena, "a `memlock` of %.*s", STR_ARG(memlock->text))
                          : STR("no `memlock` in its `Ulimits`");
    Diag *diag = plan_report(rules->session, container->subject, rule_span(memlock), DIAG(memlock_limited),
                             str_c(rules->session->arena, what));
    rule_label_use(rules, diag, memlock);
    diag_label(rules->session, diag, container->devices.key, "EFA locks memory");
    rule_help_resource(rules, diag, container->subject,
                       "write `{ Name = \"memlock\", SoftLimit = -1, HardLimit = -1 }` in `Ulimits`");
    // A request of the AWS CLI has its keys in small letters.
    const Str image = span_is_none(container->image.key) ? STR_NONE : source_text(rules->session, container->image.key);
    if (!is_written && container->form == FORM_RESOURCE && str_has(image, "Image")) {
        rule_insert_beside(rules, diag, container->image.key, STR("Ulimits"),
                           STR("[{\"Name\": \"memlock\", \"SoftLimit\": -1, \"HardLimit\": -1}]"));
    }
}

// ---- amounts -----------------------------------------------------------------------------------------------------

// In the author's words: "vcpus".
static const char *name_of(const PlanContainer *container, const char *declared, const char *resource) {
    switch (container->form) {
    case FORM_DECLARED:
        return declared;
    case FORM_RESOURCE:
    case FORM_PCLUSTER:
    case FORM_EKSCTL:
        return resource;
    }
    return declared;
}

// `most` may be UNKNOWN.
static void check_amount(const Rules *rules, const PlanContainer *container, const PlanField *field, const char *name,
                         int64_t least, int64_t most) {
    int64_t amount = 0;
    if (!field_integer(field, &amount)) {
        return;
    }
    if (amount < least) {
        rule_too_few(rules, container->subject, container->form, rule_span(field), name, amount, least);
    } else if (most >= 0 && amount > most) {
        Diag *diag = plan_report(rules->session, container->subject, rule_span(field), DIAG(job_too_large), name,
                                 amount, container->row->name, most);
        rule_label_use(rules, diag, field);
        diag_label(rules->session, diag, rule_span(&container->instance_type), "has %" PRId64, most);
    }
}

// A device that the node lacks cannot be mapped, so that the container does not start.
static void check_efa_devices(const Rules *rules, const PlanContainer *container) {
    if (container->efa_most < 0 || container->efa_devices <= container->efa_most) {
        return;
    }
    Diag *diag =
        plan_report(rules->session, container->subject, container->devices.span, DIAG(job_too_large), "EFA devices",
                    (int64_t)container->efa_devices, container->row->name, (int64_t)container->efa_most);
    diag_label(rules->session, diag, rule_span(&container->instance_type), "has %d", container->efa_most);
}

// Devices of EFA have the numbers from 0 on.
static void check_last_device(const Rules *rules, const PlanContainer *container) {
    const PlanField *last = &container->last_device;
    const Str start = STR("/dev/infiniband/uverbs");
    const PlanField number = field_known("HostPath", last->span, str_slice(last->text, start.len, last->text.len));
    if (last->state != FIELD_KNOWN || container->efa_most < 1 || container->efa_devices > container->efa_most ||
        field_number(&number, -1) < container->efa_most) {
        return;
    }
    Diag *diag = plan_report(rules->session, container->subject, rule_span(last), DIAG(efa_device_beyond),
                             container->row->name, STR_ARG(last->text));
    diag_label(rules->session, diag, rule_span(&container->instance_type), "has %d: uverbs0 to uverbs%d",
               container->efa_most, container->efa_most - 1);
    diag_help(rules->session, diag, "write the one that is not mapped yet, up to `%.*s%d`", STR_ARG(start),
              container->efa_most - 1);
}

void rule_fits_type(const Rules *rules, const PlanContainer *container) {
    const InstanceRow *row = container->row;
    const int64_t gpus = row == NULL ? UNKNOWN : row->accelerator == ACCELERATOR_NVIDIA ? row->accelerators : 0;
    check_amount(rules, container, &container->vcpus, name_of(container, "vcpus", "VCPU"), 1,
                 row == NULL ? UNKNOWN : row->vcpus);
    check_amount(rules, container, &container->gpus, name_of(container, "gpus", "GPU"), 0, gpus);
    check_efa_devices(rules, container);
    check_last_device(rules, container);
}

// ---- memory ----------------------------------------------------------------------------------------------------

static Str size_text(const Rules *rules, int64_t bytes) {
    return value_print(rules->session->arena, &(Value){ .kind = VALUE_SIZE, .integer = bytes });
}

void rule_least_memory(const Rules *rules, const PlanContainer *container) {
    if (container->memory.state != FIELD_KNOWN || container->memory_bytes == -1 ||
        container->memory_bytes >= LIMIT_JOB_MEMORY_MIB_MIN * MIB) {
        return;
    }
    Diag *diag = plan_report(rules->session, container->subject, rule_span(&container->memory), DIAG(memory_too_small),
                             STR_ARG(size_text(rules, container->memory_bytes)), LIMIT_JOB_MEMORY_MIB_MIN);
    rule_label_use(rules, diag, &container->memory);
    switch (container->form) {
    case FORM_DECLARED:
        diag_help(rules->session, diag, "write what the job needs: `%dMiB` or more", LIMIT_JOB_MEMORY_MIB_MIN);
        break;
    case FORM_RESOURCE:
    case FORM_PCLUSTER:
    case FORM_EKSCTL:
        diag_help(rules->session, diag, "write what the job needs: `\"%d\"` or more, in MiB", LIMIT_JOB_MEMORY_MIB_MIN);
        break;
    }
}

static void help_with_shm(const Rules *rules, Diag *diag, const PlanContainer *container) {
    const int64_t least = schema_constant(CONSTANT_JOB_SHM_LEAST_MIB);
    switch (container->form) {
    case FORM_DECLARED:
        if (container->shm.state == FIELD_KNOWN) {
            diag_help(rules->session, diag, "leave `shm` out, or give it %" PRId64 "MiB or more", least);
        } else {
            diag_help(rules->session, diag, "give `shm` %" PRId64 "MiB or more, and `memory` more than that", least);
        }
        return;
    case FORM_RESOURCE:
    case FORM_PCLUSTER:
    case FORM_EKSCTL:
        rule_help_resource(rules, diag, container->subject,
                           "write `SharedMemorySize = %" PRId64 "`, in MiB, in `LinuxParameters`",
                           schema_constant(CONSTANT_JOB_SHM_MIB));
        return;
    }
}

// A declared job's default is never too small for a type with several GPUs; little memory makes little of it.
void rule_shm_for_gpus(const Rules *rules, const PlanContainer *container) {
    const PlanField *shm = &container->shm;
    int64_t gpus = field_number(&container->gpus, 0);
    int64_t bytes = container->shm_bytes;
    if (gpus < 2 || bytes < 0 || bytes >= schema_constant(CONSTANT_JOB_SHM_LEAST_MIB) * MIB) {
        return;
    }
    Diag *diag = plan_report(rules->session, container->subject, rule_span(shm), DIAG(shm_small),
                             STR_ARG(size_text(rules, bytes)), gpus);
    rule_label_use(rules, diag, shm);
    diag_label(rules->session, diag, rule_span(&container->gpus), "%" PRId64 " GPUs", gpus);
    help_with_shm(rules, diag, container);
}

void rule_memory_of_type(const Rules *rules, const PlanContainer *container) {
    const InstanceRow *row = container->row;
    const int64_t mib = container->memory_bytes / MIB;
    const NodeKeeps keeps = container->has_own_network ? KEEPS_KUBELET : KEEPS_KERNEL;
    const double room = row == NULL ? -1 : node_room(row, "memory", keeps);
    const int64_t most = (int64_t)(room / 0x1p20);
    if (room < 0 || mib <= most) {
        return;
    }
    const PlanField *memory = &container->memory;
    Diag *diag = plan_report(rules->session, container->subject, rule_span(memory), DIAG(job_too_much_memory), mib,
                             row->name, most);
    rule_label_use(rules, diag, memory);
    diag_label(rules->session, diag, rule_span(&container->instance_type), "nominal memory %" PRId64 "MiB",
               row->memory_mib);
    const bool is_number = char_is_digit(str_at(source_text(rules->session, rule_span(memory)), 0));
    Str better =
        str_format(rules->session->arena, is_number ? "%" PRId64 : "\"%" PRId64 "\"", node_memory_to_ask_mib(row));
    switch (container->form) {
    case FORM_DECLARED:
        diag_help(rules->session, diag, "leave `memory` out: the default is what can be had");
        break;
    case FORM_RESOURCE:
    case FORM_PCLUSTER:
    case FORM_EKSCTL:
        diag_help(rules->session, diag, "write `%.*s`", STR_ARG(better));
        rule_fix(rules, diag, memory, better);
        break;
    }
}
