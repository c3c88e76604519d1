// Finds containers that take all GPUs of a node and leave a part of its EFA devices to nobody.
#include "compiler/plan/rules/places/pod_fabric.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/nics.h"
#include "compiler/plan/model/kubernetes_quantity.h"
#include "compiler/plan/model/launcher.h"
#include "compiler/plan/model/workload.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/rules/pod_count.h"

// Pods of a plain Job that have names, or whose torchrun waits for others.
static bool is_job_that_meets(const PlanObject *object, const PlanPod *pod, const Value *container) {
    const PlanWorkload *workload = workload_of_container(object, container);
    return pod_has_index(object, pod) && pods_of_template(object, pod->spec) > 1 &&
           (object_get(pod->spec, "subdomain") != NULL ||
            (workload != NULL && launcher_number(workload->launcher, &workload->launcher->nodes) > 1));
}

int64_t pod_fabric_count(const Value *container) {
    const Value *limits = object_get(object_get(container, "resources"), "limits");
    return quantity_whole(object_get(limits, "vpc.amazonaws.com/efa"), 0);
}

// One that asks for none may work alone.
void pod_fabric_check(Session *session, const PlanObject *object, const PlanPod *pod, const Value *container,
                      const PodNode *node) {
    const Value *limits = object_get(object_get(container, "resources"), "limits");
    const Value *gpus = object_get(limits, "nvidia.com/gpu");
    const Value *efa = object_get(limits, "vpc.amazonaws.com/efa");
    const int64_t count = pod_fabric_count(container);
    const int all = nics_efa_all(node->row, LAYOUT_MIN_IP);
    const bool is_whole = node->row->accelerator == ACCELERATOR_NVIDIA && node->row->accelerators > 1 &&
                          quantity_whole(gpus, 0) == node->row->accelerators;
    if (!is_whole || count < 0 || count >= all) {
        return;
    }
    if (count == 0 &&
        (all < 2 || pod->is_part || !(plan_object_is(object, TALKS) || is_job_that_meets(object, pod, container)))) {
        return;
    }
    Diag *diag = plan_report(session, object->subject, efa == NULL ? gpus->span : efa->span, DIAG(pod_part_of_fabric),
                             node->row->accelerators, node->row->name, count, all);
    diag_label(session, diag, node->span, "has %d", all);
    diag_help(session, diag,
              object->is_manifest ? "write `vpc.amazonaws.com/efa: %d`" : "write `\"vpc.amazonaws.com/efa\" = %d`",
              all);
}
