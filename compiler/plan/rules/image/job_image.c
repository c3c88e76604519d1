// Rules about what a job finds in its container: the image that it names, the devices that the image is made for, and a
// compile cache.
#include "compiler/plan/rules/rule_field.h"
#include "compiler/plan/rules/job.h"

#include "compiler/plan/model/allow.h"

void rule_image_in_quotes(const Rules *rules, const PlanJob *job) {
    const Value *uri = job->image == NULL ? job->image_uri : NULL;
    for (uint32_t i = 0; uri != NULL && uri->kind == VALUE_STRING && i < rules->plan->images.count; i++) {
        const PlanImage *image = rules->plan->images.items[i];
        const Str name = str_slice(uri->string, 0, str_find(uri->string, STR(":"), 0));
        if (!str_equal(name, image->head.id)) {
            continue;
        }
        Diag *diag =
            plan_report(rules->session, job->head.subject, uri->span, DIAG(image_in_quotes), STR_ARG(uri->string));
        diag_label(rules->session, diag, image->head.subject->name_span, "the block");
        diag_help(rules->session, diag, "write `image = %.*s`", STR_ARG(name));
        return;
    }
}

// ---- devices --------------------------------------------------------------------------------------------------------

// The name and the tag of a Deep Learning Container, as the job or the recipe of its image has it; NULL: it is none, or
// nothing is known.
static const Value *container_of(const PlanJob *job) {
    const PlanRecipe *recipe = job->image == NULL ? NULL : job->image->recipe;
    const Value *value = job->image == NULL ? job->image_uri : recipe == NULL ? NULL : recipe->base;
    if (value != NULL && value->kind == VALUE_TAG) {
        return value->tag.arguments[0];
    }
    const Str registry = STR("763104351884.dkr.ecr."); // that of most regions
    const bool is_one = value != NULL && value->kind == VALUE_STRING && str_starts_with(value->string, registry);
    return is_one ? value : NULL;
}

// Neuron's compiler works on nodes without devices, so that those are not asked.
void rules_devices(const Rules *rules, const Subject *subject, const RuleDevices *devices) {
    const InstanceRow *row = devices->row;
    const bool is_gpu = row->accelerator == ACCELERATOR_NVIDIA;
    const bool is_neuron = row->accelerator == ACCELERATOR_NEURON;
    const bool wants_gpu = is_gpu && devices->wants_gpu;
    const char *made_for = str_has(devices->name, "-neuronx:") && wants_gpu ? "Neuron devices"
                           : str_has(devices->name, "-gpu-") && is_neuron   ? "GPUs"
                           : str_has(devices->name, "-cpu-") && is_neuron   ? "nodes without devices"
                           : str_has(devices->name, "-cpu-") && wants_gpu   ? "nodes without devices"
                                                                            : NULL;
    if (made_for == NULL) {
        return;
    }
    const size_t slash = str_find(devices->name, STR("/"), 0);
    const Str name = slash < devices->name.len ? str_slice(devices->name, slash + 1, devices->name.len) : devices->name;
    Diag *diag = plan_report(rules->session, subject, devices->span, DIAG(container_of_other_devices), STR_ARG(name),
                             made_for, row->name, is_gpu ? "GPUs" : "Neuron devices");
    diag_label(rules->session, diag, devices->row_span, "%s", row->name);
    diag_help(rules->session, diag, "take %s",
              is_gpu ? "`pytorch-training`, with `-gpu-` in its tag" : "`pytorch-training-neuronx`");
}

void rule_devices_of_image(const Rules *rules, const PlanJob *job) {
    const Value *container = container_of(job);
    if (container == NULL || container->kind != VALUE_STRING) {
        return;
    }
    const RuleDevices devices = { .span = container->span,
                                  .name = container->string,
                                  .row = job->group->instance,
                                  .row_span = job->group->instance_value->span,
                                  .wants_gpu =
                                      job->gpus == NULL || job->gpus->kind != VALUE_INT || job->gpus->integer > 0 };
    rules_devices(rules, job->head.subject, &devices);
}

// ---- the compile cache ----------------------------------------------------------------------------------------------

void rule_cache_is_kept(const Rules *rules, const PlanJob *job) {
    const Value *cache = subject_value(job->head.subject, JOB_CACHE);
    const bool is_path = cache != NULL && cache->kind == VALUE_STRING && str_starts_with(cache->string, STR("/"));
    if (!is_path || job->container == NULL) {
        return;
    }
    for (uint32_t i = 0; i < job->container->mounts.count; i++) {
        const Str mount = job->container->mounts.items[i]->mount->string;
        const char next = str_at(cache->string, mount.len); // `/shared2` is not below `/shared`
        if (str_starts_with(cache->string, mount) && (next == '\0' || next == '/')) {
            return;
        }
    }
    Diag *diag = plan_report(rules->session, job->head.subject, cache->span, DIAG(cache_in_container),
                             STR_ARG(job->head.id), STR_ARG(cache->string));
    diag_help(rules->session, diag, "write a folder below the `mount` of a file system, or `\"s3://BUCKET/PREFIX\"`");
}
