// Rules about a TrainJob of Kubeflow Trainer and the runtime that it takes, as far as both stand in one file. The Trainer
// finds the pods of a runtime by a label and by the name of a container; without these it starts what the runtime says.
// source: kubeflow/trainer@08595084 pkg/runtime/framework/plugins/jobset/builder.go, Trainer, and plugins/torch/torch.go,
// EnforceMLPolicy; pkg/webhooks/trainjob_webhook.go; read 2026-11
#include "compiler/plan/rules/rule_insert.h"
#include "compiler/plan/rules/rule_word.h"

#include "compiler/base/words.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object_value.h"

#define TRAINER "trainer.kubeflow.org/v1alpha1/"
#define STEP_LABEL "trainer.kubeflow.org/trainjob-ancestor-step"
#define STEPS "trainer|dataset-initializer|model-initializer"
#define EFA "vpc.amazonaws.com/efa"

static Diag *say(const Rules *rules, const PlanObject *object, Span span, const char *fault) {
    return plan_report(rules->session, object->subject, span, DIAG(trainer_ignores),
                       STR_ARG(str_after_last(object->resource->type, '/')), fault);
}

static bool is_runtime(const PlanObject *object) {
    return str_is(object->resource->type, TRAINER "TrainingRuntime") ||
           str_is(object->resource->type, TRAINER "ClusterTrainingRuntime");
}

// ---- runtimes ------------------------------------------------------------------------------------------------------

static const Value *jobs_of(const PlanObject *runtime) {
    const Value *template = object_get(object_get(runtime->fields, "spec"), "template");
    return object_get(object_get(template, "spec"), "replicatedJobs");
}

// The job whose pods train; NULL where none has the label. `*is_known` gets false where another program writes labels.
static const Value *training_job(const PlanObject *runtime, bool *is_known) {
    const Value *jobs = jobs_of(runtime);
    const Value *found = NULL;
    *is_known = object_count(jobs) > 0;
    for (uint32_t i = 0; i < object_count(jobs); i++) {
        const Value *metadata = object_get(object_get(jobs->list.items[i], "template"), "metadata");
        const Value *labels = object_get(metadata, "labels");
        const Value *step = object_get(labels, STEP_LABEL);
        const bool is_other = step != NULL && (str_is(object_text(step), "dataset-initializer") ||
                                               str_is(object_text(step), "model-initializer"));
        const bool is_trainer = step != NULL && str_is(object_text(step), "trainer");
        *is_known =
            *is_known && (labels == NULL || labels->kind == VALUE_MAP) && (step == NULL || is_trainer || is_other);
        found = is_trainer ? jobs->list.items[i] : found;
    }
    return found;
}

static const Value *containers_of(const Value *job) {
    const Value *template = object_get(object_get(object_get(job, "template"), "spec"), "template");
    return object_get(object_get(template, "spec"), "containers");
}

// The container that trains; NULL where none has its name.
static const Value *node_of(const Value *job) {
    const Value *containers = containers_of(job);
    for (uint32_t i = 0; i < object_count(containers); i++) {
        if (str_is(object_text(object_get(containers->list.items[i], "name")), "node")) {
            return containers->list.items[i];
        }
    }
    return NULL;
}

// Steps that the Trainer finds by their label: kubeflow/trainer@8c0f5059 pkg/constants/constants.go.
static void check_steps(const Rules *rules, const PlanObject *object) {
    const Value *jobs = jobs_of(object);
    const Value *first = NULL;
    for (uint32_t i = 0; i < object_count(jobs); i++) {
        const Value *metadata = object_get(object_get(jobs->list.items[i], "template"), "metadata");
        const Value *step = object_get(object_get(metadata, "labels"), STEP_LABEL);
        const Str text = object_text(step);
        if (str_is(text, "trainer") && first != NULL) {
            static const char WHY[] = "a second job is the trainer, and `numNodes` is the first one's";
            Diag *diag = say(rules, object, step->span, WHY);
            diag_label(rules->session, diag, first->span, "the first");
            diag_help(rules->session, diag, "leave the label out in one of the two");
        }
        first = first == NULL && str_is(text, "trainer") ? step : first;
        if (text.len > 0 && !words_have(STR(STEPS), text) && memchr("$<{", text.data[0], 3) == NULL) {
            Arena *arena = rules->session->arena;
            const Str why = str_format(arena, "the Trainer knows no step `%.*s`", STR_ARG(text));
            Diag *diag = say(rules, object, step->span, str_c(arena, why));
            diag_help(rules->session, diag, "write `trainer`, or one of `dataset-initializer` and `model-initializer`");
            rule_replace(rules, diag, step->span, text, object_count(jobs) == 1 ? STR("trainer") : STR_NONE);
        }
    }
}

static void check_runtime(const Rules *rules, const PlanObject *object) {
    check_steps(rules, object);
    const Value *policy = object_get(object_get(object->fields, "spec"), "mlPolicy");
    const Value *torch = policy == NULL || policy->kind != VALUE_MAP ? NULL : value_get(policy, "torch");
    bool is_known = false;
    const Value *job = training_job(object, &is_known);
    if (torch == NULL || !is_known) {
        return;
    }
    if (job == NULL) {
        const Value *jobs = jobs_of(object);
        const Value *last = jobs->list.items[jobs->list.count - 1];
        const Value *name = object_get(last, "name");
        Diag *diag = say(rules, object, name == NULL ? last->span : name->span,
                         "no job has the label of the trainer, so `numNodes` sets nothing");
        diag_help(rules->session, diag,
                  "write `" STEP_LABEL ": trainer` under `labels` in the `metadata` of its `template`");
        const Value *template = object_get(last, "template");
        if (jobs->list.count == 1 && template != NULL && template->kind == VALUE_MAP && template->map.count > 0) {
            rule_insert_beside(rules, diag, template->map.entries[0].key_span, STR("metadata|labels|" STEP_LABEL),
                               STR("trainer"));
        }
        return;
    }
    const Value *containers = containers_of(job);
    const Value *first = object_count(containers) == 0 ? NULL : object_get(containers->list.items[0], "name");
    if (first != NULL && first->kind == VALUE_STRING && object_count(containers) == 1 && node_of(job) == NULL &&
        str_find(first->string, STR("$"), 0) == first->string.len) {
        Diag *diag =
            say(rules, object, first->span, "its container is not called `node`, so it gets no variables of torchrun");
        diag_help(rules->session, diag, "write `name: node`");
        rule_replace(rules, diag, first->span, first->string, STR("node"));
    }
}

// ---- jobs ----------------------------------------------------------------------------------------------------------

static const PlanObject *runtime_of(const Rules *rules, Str kind, Str name) {
    for (uint32_t i = 0; name.len > 0 && i < rules->plan->objects.count; i++) {
        const PlanObject *object = rules->plan->objects.items[i];
        if (is_runtime(object) && !object->is_changed && str_equal(plan_name_of_object(object), name) &&
            str_equal(str_after_last(object->resource->type, '/'), kind)) {
            return object;
        }
    }
    return NULL;
}

static bool has_accelerators(const Value *amounts) {
    return object_get(amounts, "nvidia.com/gpu") != NULL || object_get(amounts, "aws.amazon.com/neuron") != NULL;
}

// Before Trainer 2.3.0 the resources of a TrainJob are not added to those of its runtime. Written in both, they are right
// for every version.
static void check_resources(const Rules *rules, const PlanObject *object, const PlanObject *runtime) {
    bool is_known = false;
    const Value *node = node_of(training_job(runtime, &is_known));
    const Value *efa = object_get(object_get(object_get(node, "resources"), "limits"), EFA);
    const Value *trainer = object_get(object_get(object->fields, "spec"), "trainer");
    const Value *limits = object_get(object_get(trainer, "resourcesPerNode"), "limits");
    if (efa == NULL || !has_accelerators(limits) || object_get(limits, EFA) != NULL) {
        return;
    }
    Diag *diag = say(rules, object, limits->span,
                     "before 2.3.0 these resources take the place of the runtime's, and have no `" EFA "`");
    diag_label(rules->session, diag, efa->span, "is gone then, and the pods talk over TCP");
    diag_help(rules->session, diag, "write `" EFA "` here too, or leave `resourcesPerNode` out");
}

static void check_job(const Rules *rules, const PlanObject *object) {
    const Value *reference = object_get(object_get(object->fields, "spec"), "runtimeRef");
    const Value *name = object_get(reference, "name");
    const Value *kind = object_get(reference, "kind");
    const Str asked = kind == NULL ? STR("ClusterTrainingRuntime") : object_text(kind);
    const bool is_of_cluster = str_is(asked, "ClusterTrainingRuntime");
    const Str other = is_of_cluster ? STR("TrainingRuntime") : STR("ClusterTrainingRuntime");
    const PlanObject *runtime = runtime_of(rules, asked, object_text(name));
    const PlanObject *meant = runtime_of(rules, other, object_text(name));
    if (runtime != NULL) {
        check_resources(rules, object, runtime);
    } else if (meant != NULL && (is_of_cluster || str_is(asked, "TrainingRuntime"))) {
        const char *fault = is_of_cluster
                                ? "the runtime of this name is a TrainingRuntime, and no ClusterTrainingRuntime"
                                : "the runtime of this name is a ClusterTrainingRuntime, and no TrainingRuntime";
        Diag *diag = say(rules, object, kind == NULL ? name->span : kind->span, fault);
        diag_label(rules->session, diag, meant->subject->name_span, "this one");
        diag_help(rules->session, diag, "write `kind: %.*s` into `runtimeRef`", STR_ARG(other));
        if (kind != NULL) {
            rule_replace(rules, diag, kind->span, asked, other);
        } else {
            rule_insert_beside(rules, diag, name->span, STR("kind"), other);
        }
    }
}

void rule_trainer(const Rules *rules, const PlanObject *object) {
    if (is_runtime(object) && !object->is_changed) {
        check_runtime(rules, object);
    } else if (str_is(object->resource->type, TRAINER "TrainJob") && !object->is_changed) {
        check_job(rules, object);
    }
}
