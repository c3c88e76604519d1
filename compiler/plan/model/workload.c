// Questions about a container of a workload, and how those of pods are read.
#include "compiler/plan/model/workload.h"

#include "compiler/plan/model/image.h"
#include "compiler/plan/model/kubernetes_quantity.h"
#include "compiler/plan/model/launcher.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/model/pod_type.h"
#include "schema/instances.h"
#include "schema/pod_devices.h"

// Neuron's compiler works on nodes without devices, so that those are not asked.
const char *workload_image_misfit(const PlanWorkload *workload, const InstanceRow *row) {
    const Str image = workload->image.text;
    if (workload->image.state != FIELD_KNOWN || row == NULL || !workload->is_dlc) {
        return NULL;
    }
    const bool is_for_nvidia = row->accelerator == ACCELERATOR_NVIDIA && workload->is_for_nvidia;
    const bool is_for_neuron = row->accelerator == ACCELERATOR_NEURON && workload->is_for_neuron;
    return str_has(image, "-neuronx:") && is_for_nvidia                  ? "Neuron devices"
           : str_has(image, "-gpu-") && is_for_neuron                    ? "GPUs"
           : str_has(image, "-cpu-") && (is_for_nvidia || is_for_neuron) ? "nodes without devices"
                                                                         : NULL;
}

const PlanWorkload *workload_of_container(const PlanObject *object, const Value *container) {
    for (uint32_t i = 0; container != NULL && i < object->workloads.count; i++) {
        if (object->workloads.items[i]->container == container) {
            return object->workloads.items[i];
        }
    }
    return NULL;
}

bool workload_has_plain_user(const PlanWorkload *workload) {
    return workload->user.state == FIELD_KNOWN && !field_is(&workload->user, "root") && !field_is(&workload->user, "0");
}

// ---- pods --------------------------------------------------------------------------------------------------------

static PlanField text_field(const char *name, const Value *value) {
    const bool is_known = value != NULL && value->kind == VALUE_STRING;
    return value == NULL ? (PlanField){ .state = FIELD_ABSENT, .name = name }
           : is_known    ? field_known(name, value->span, value->string)
                         : (PlanField){ .state = FIELD_LATE, .name = name, .span = value->span };
}

// The user of a container is in front of the pod's.
static PlanField user_of(Session *session, const Value *pod, const Value *container) {
    const Value *own = object_get(object_get(container, "securityContext"), "runAsUser");
    const Value *user = own != NULL ? own : object_get(object_get(pod, "securityContext"), "runAsUser");
    PlanField field = text_field("runAsUser", user);
    if (user != NULL) {
        field.state = user->kind == VALUE_INT ? FIELD_KNOWN : FIELD_LATE;
        field.text = user->kind == VALUE_INT ? value_print(session->arena, user) : STR_NONE;
    }
    return field;
}

static void add_devices(Session *session, PlanWorkload *workload, const Value *amounts) {
    for (uint32_t i = 0; amounts != NULL && amounts->kind == VALUE_MAP && i < amounts->map.count; i++) {
        const ValueEntry *entry = &amounts->map.entries[i];
        const PodDevice *device = pod_device(entry->key);
        double count = 0;
        const bool is_known = quantity_read(entry->value, &count);
        const bool is_asked = device != NULL && (!is_known || count > 0);
        workload->is_for_nvidia = workload->is_for_nvidia || (is_asked && device->accelerator == ACCELERATOR_NVIDIA);
        workload->is_for_neuron = workload->is_for_neuron || (is_asked && device->accelerator == ACCELERATOR_NEURON);
        workload->has_efa =
            is_asked && is_known && device->accelerator == ACCELERATOR_NONE ? ANSWER_YES : workload->has_efa;
        if (pod_is_device(entry->key)) {
            const PlanDevices devices = { .name = entry->key,
                                          .span = entry->value->span,
                                          .written = value_print(session->arena, entry->value),
                                          .count = is_known ? count : -1 };
            vec_push(session->arena, &workload->devices, devices);
        }
    }
}

static void add_container(Session *session, PlanObject *object, const PlanPod *pod, const Value *container,
                          bool is_first) {
    const Value *type = pod_type(pod->spec);
    const Value *resources = object_get(container, "resources");
    const Value *image = object_get(container, "image");
    PlanWorkload *workload = arena_new(session->arena, PlanWorkload);
    *workload = (PlanWorkload){
        .subject = object->subject,
        .name = plan_name_of_object(object),
        .pod = pod->spec,
        .place = pod,
        .container = container,
        .is_first = is_first,
        .launcher = launcher_of_pod(session, container),
        .image = text_field("image", image),
        .is_dlc = plan_image_is_dlc(object_text(image)),
        .user = user_of(session, pod->spec, container),
        .row = pod_row(session, object_text(type)),
        .row_span = type == NULL ? SPAN_NONE : type->span,
        .has_efa = ANSWER_NO,
    };
    add_devices(session, workload, object_get(resources, "requests"));
    add_devices(session, workload, object_get(resources, "limits"));
    vec_push(session->arena, &object->workloads, (const PlanWorkload *)workload);
}

void workload_add_pods(Session *session, PlanObject *object) {
    static const char *const KEYS[] = { "initContainers", "containers" };
    for (uint32_t i = 0; !object->is_changed && i < object->pods.count; i++) {
        const PlanPod *pod = &object->pods.items[i];
        for (size_t k = 0; k < COUNT_OF(KEYS); k++) {
            const Value *containers = object_get(pod->spec, KEYS[k]);
            for (uint32_t n = 0; n < object_count(containers); n++) {
                add_container(session, object, pod, containers->list.items[n], k == 0);
            }
        }
    }
}

const PlanDevices *workload_gpus(const PlanWorkload *workload) {
    const PlanDevices *found = NULL;
    for (uint32_t i = 0; i < workload->devices.count; i++) {
        const PlanDevices *devices = &workload->devices.items[i];
        const bool is_of_gpus = str_is(devices->name, "nvidia.com/gpu");
        found = is_of_gpus && devices->count >= 1 && devices->count <= INT32_MAX ? devices : found;
    }
    return found;
}
