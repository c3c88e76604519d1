// Rules about the environment and the images of pods: what is judged of declared jobs (job.h).
#include "compiler/plan/rules/job.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/rules/placeholder.h"
#include "schema/pod_devices.h"

// Whether a container asks for devices of training: GPUs, EFA, Neuron.
static bool has_devices(const Value *container) {
    const Value *limits = object_get(object_get(container, "resources"), "limits");
    bool has = false;
    for (uint32_t i = 0; limits != NULL && limits->kind == VALUE_MAP && i < limits->map.count; i++) {
        has = has || pod_device(limits->map.entries[i].key) != NULL;
    }
    return has;
}

// A server's own program may want a dot in a name, as Elasticsearch does: only of what trains is something said.
static void check_name(const Rules *rules, const Subject *subject, const Value *name) {
    const Str text = object_text(name);
    if (text.len > 0 && !rules_is_shell_name(text) && rules_variable_fault(text, false) == NULL &&
        !rules_has_variable(text) && !placeholder_is_filled_in(text)) {
        rules_unreadable_variable(rules, subject, name->span, text);
    }
}

// `$(NAME)` is what the kubelet puts in; no other text with a `$` becomes something else.
static void check_variable(const Rules *rules, const Subject *subject, const Value *entry) {
    const Value *name = object_get(entry, "name");
    const Value *value = object_get(entry, "value");
    if (name == NULL || name->kind != VALUE_STRING || value == NULL || value->kind != VALUE_STRING) {
        return;
    }
    if (rules_has_variable(value->string)) {
        rules_env_text(rules, subject, value->span, name->string);
    }
    rules_credential(rules, subject, value->span, name->string, value->string);
}

static void check_containers(const Rules *rules, const Subject *subject, const Value *containers) {
    for (uint32_t i = 0; i < object_count(containers); i++) {
        const Value *image = object_get(containers->list.items[i], "image");
        const Value *env = object_get(containers->list.items[i], "env");
        const bool is_trainer = has_devices(containers->list.items[i]);
        if (image != NULL && image->kind == VALUE_STRING) {
            rules_registry(rules, subject, image->span, image->string);
        }
        for (uint32_t k = 0; k < object_count(env); k++) {
            check_variable(rules, subject, env->list.items[k]);
            if (is_trainer) {
                check_name(rules, subject, object_get(env->list.items[k], "name"));
            }
        }
    }
}

void rule_pod_environment(const Rules *rules, const PlanObject *object) {
    for (uint32_t i = 0; !object->is_changed && i < object->pods.count; i++) {
        check_containers(rules, object->subject, object_get(object->pods.items[i].spec, "containers"));
        check_containers(rules, object->subject, object_get(object->pods.items[i].spec, "initContainers"));
    }
}
