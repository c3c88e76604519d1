// NVIDIA GPU Operator documentation, MIG support and time-slicing of GPUs, 2026-11.
#include "compiler/plan/model/gpu_sharing.h"

#include "compiler/plan/model/object_value.h"
#include "compiler/plan/model/plan_resource.h"

bool labels_share_gpus(const Value *labels) {
    static const char *const LABELS[] = { "nvidia.com/mig.config", "nvidia.com/device-plugin.config" };
    bool do_share = false;
    for (size_t i = 0; labels != NULL && labels->kind == VALUE_MAP && i < COUNT_OF(LABELS); i++) {
        const Value *label = value_find(labels, str_of(LABELS[i]));
        do_share = do_share || (label != NULL && !str_is(object_text(label), "all-disabled"));
    }
    return do_share;
}

bool object_shares_gpus(const PlanObject *object) {
    const bool is_map = str_is(object->resource->type, "v1/ConfigMap");
    const Value *data = is_map ? object_get(object->fields, "data") : NULL;
    bool shares = false;
    for (uint32_t i = 0; data != NULL && data->kind == VALUE_MAP && i < data->map.count; i++) {
        const Str text = object_text(data->map.entries[i].value);
        shares = shares || str_has(text, "timeSlicing") || str_has(text, "mps:");
    }
    return shares;
}
