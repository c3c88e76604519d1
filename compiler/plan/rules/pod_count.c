// Counts pods by what the makers of pods are told, as the rows of schema/workloads.def say.
#include "compiler/plan/rules/pod_count.h"

#include "compiler/plan/model/object_value.h"

// What a word of a row names: `*.PATH` is of the item that the row goes through.
static const Value *named(const PlanObject *object, const PlanPod *pod, Str path) {
    const bool is_of_item = str_starts_with(path, STR("*."));
    const Value *holder = is_of_item ? pod->item : object->fields;
    return holder == NULL ? NULL : plan_value_at(holder, is_of_item ? str_slice(path, 2, path.len) : path);
}

static int64_t factor(const PlanObject *object, const PlanPod *pod, Str word) {
    const size_t sign = str_find(word, STR("="), 0);
    const Value *value = named(object, pod, str_slice(word, 0, sign));
    const int64_t absent = sign < word.len ? word.data[sign + 1] - '0' : -1;
    const bool is_number = sign == 0 || (word.len == 1 && char_is_digit(word.data[0]));
    return is_number ? word.data[0] - '0' : object_int32(value, absent);
}

// The name in `runtimeRef` is that of a ClusterTrainingRuntime where it says no kind.
// source: kubeflow/trainer@8c0f5059 pkg/apis/trainer/v1alpha1/trainjob_types.go, RuntimeRef, 2026-08-21, read 2026-11
bool pod_job_takes(const PlanObject *job, const PlanObject *runtime) {
    const Value *reference = object_get(object_get(job->fields, "spec"), "runtimeRef");
    const Value *kind = object_get(reference, "kind");
    const Str asked = kind == NULL ? STR("ClusterTrainingRuntime") : object_text(kind);
    return plan_object_is(job, LIES_OVER) && !job->is_changed &&
           str_equal(asked, str_after_last(runtime->resource->type, '/')) &&
           str_equal(object_text(object_get(reference, "name")), plan_name_of_object(runtime));
}

// Of the jobs beside a runtime that take it all say the same; -1 where none does, or they differ.
static int64_t count_of_jobs(const PlanObject *runtime) {
    int64_t count = -1;
    for (uint32_t i = 0; runtime->beside != NULL && i < runtime->beside->count; i++) {
        const PlanObject *job = runtime->beside->items[i];
        if (job->pods.count == 0 || !pod_job_takes(job, runtime)) {
            continue;
        }
        const int64_t own = pods_of_template(job, job->pods.items[0].spec);
        if (own < 0 || (count >= 0 && count != own)) {
            return -1;
        }
        count = own;
    }
    return count;
}

// -1 where a number is not known.
static int64_t count_by_row(const PlanObject *object, const PlanPod *pod) {
    const Str words = pod->row == NULL || pod->row->count == NULL ? STR_NONE : str_of(pod->row->count);
    int64_t count = words.len == 0 ? -1 : 1;
    for (size_t at = 0; at < words.len && count >= 0;) {
        const size_t end = str_find(words, STR(" "), at);
        const Str word = str_slice(words, at, end);
        const Str path = str_slice(word, 1, word.len);
        if (word.data[0] == '@') {
            count = count_of_jobs(object);
        } else if (word.data[0] == '<') {
            const int64_t most = object_int32(named(object, pod, path), count);
            count = most < count ? most : count;
        } else if (word.data[0] == '-') {
            const bool is_less = named(object, pod, path) != NULL;
            count = count < 1 ? -1 : is_less ? count - 1 : count;
        } else {
            const int64_t own = factor(object, pod, word);
            count = own < 0 || (count > 0 && own > INT32_MAX / count) ? -1 : count * own;
        }
        at = end + 1;
    }
    return count;
}

// One with a single number for the fewest and the most has that many.
static bool may_vary(const PlanObject *object) {
    const Value *varies =
        object->kind == NULL ? NULL : plan_value_at(object->fields, workload_path(object->kind->varies));
    const int64_t fewest = object_int32(object_get(varies, "minReplicas"), -1);
    const bool is_off = varies != NULL && varies->kind == VALUE_BOOL && !varies->boolean;
    return varies != NULL && !is_off && (fewest < 0 || object_int32(object_get(varies, "maxReplicas"), -2) != fewest);
}

int64_t pods_at_once(const PlanObject *object) {
    int64_t sum = plan_object_is(object, IS_COUNTED) && object->pods.count > 0 && !may_vary(object) ? 0 : -1;
    for (uint32_t i = 0; i < object->pods.count && sum >= 0; i++) {
        const int64_t own = count_by_row(object, &object->pods.items[i]);
        sum = own < 0 ? -1 : sum + own;
    }
    // One pod alone may be a part of what several objects are, unless they say that all is one.
    const bool is_said =
        object->kind != NULL && plan_value_at(object->fields, workload_path(object->kind->all)) != NULL;
    const bool may_be_part =
        sum == 1 && !is_said && !plan_object_is(object, IS_TOGETHER) && !plan_object_is(object, TALKS);
    return may_be_part ? -1 : sum;
}

bool pods_are_several(const PlanObject *object) {
    const Value *varies =
        object->kind == NULL ? NULL : plan_value_at(object->fields, workload_path(object->kind->varies));
    int64_t sum = 0;
    for (uint32_t i = 0; i < object->pods.count; i++) {
        const int64_t own = count_by_row(object, &object->pods.items[i]);
        sum += own > 0 ? own : 0;
    }
    return sum > 1 || pods_at_once(object) > 1 || object_int32(object_get(varies, "maxReplicas"), -1) > 1;
}

bool pod_has_index(const PlanObject *object, const PlanPod *pod) {
    const Value *mode = object_get(pod->outer, "completionMode");
    return plan_object_is(object, IS_INDEXED) &&
           (mode == NULL ? plan_object_is(object, INDEXES) : str_is(object_text(mode), "Indexed"));
}

int64_t pods_of_template(const PlanObject *object, const Value *pod) {
    for (uint32_t i = 0; i < object->pods.count; i++) {
        if (object->pods.items[i].spec == pod) {
            return count_by_row(object, &object->pods.items[i]);
        }
    }
    return -1;
}
