// Rules about what stands beside pods and counts them: an autoscaler that measures what they use, and a budget that says
// how many may go at a time.
// source: kubernetes/kubernetes pkg/controller/podautoscaler/replica_calculator.go, calculatePodRequests; pkg/apis/autoscaling,
// defaults of v1 and v2; pkg/controller/disruption/disruption.go, getExpectedPodCount, 2026-11, read 2026-11
#include "compiler/plan/rules/rules.h"

#include "compiler/base/str_map.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/rules/pod_count.h"
#include "compiler/plan/rules/pod_selection.h"

enum { COMPARED_MAX = 500 };

static bool is_kind(const PlanObject *object, const char *group, const char *kind) {
    return str_starts_with(object->resource->type, str_of(group)) &&
           str_is(str_after_last(object->resource->type, '/'), kind);
}

static bool is_beside(const PlanObject *object, const PlanObject *other) {
    const Str place = plan_namespace_of_object(object);
    return place.len > 0 && str_equal(place, plan_namespace_of_object(other));
}

// ---- what an autoscaler measures -------------------------------------------------------------------------------------

typedef struct {
    const Rules *rules;
    const PlanObject *target;
    const Value *metric; // what says that it is measured
    Str resource;
    Str container; // empty: each
} Measure;

// A default of the namespace is a request, too.
static bool has_defaults(const Rules *rules, const PlanObject *object) {
    bool has = false;
    for (uint32_t i = 0; i < rules->plan->objects.count && i < COMPARED_MAX && !has; i++) {
        has = is_kind(rules->plan->objects.items[i], "v1/", "LimitRange") &&
              is_beside(object, rules->plan->objects.items[i]);
    }
    return has;
}

static bool asks_for(const Value *resources, Str name) {
    static const char *const KEYS[] = { "requests", "limits" };
    bool asks = resources != NULL && resources->kind != VALUE_MAP;
    for (size_t i = 0; i < COUNT_OF(KEYS); i++) {
        const Value *map = object_get(resources, KEYS[i]);
        asks = asks || (map != NULL && (map->kind != VALUE_MAP || value_find(map, name) != NULL));
    }
    return asks;
}

static void check_container(const Measure *measure, const Value *container) {
    const Value *name = object_get(container, "name");
    const Value *resources = object_get(container, "resources");
    if (object_text(name).len == 0 || asks_for(resources, measure->resource) ||
        (measure->container.len > 0 && !str_equal(measure->container, name->string))) {
        return;
    }
    Session *session = measure->rules->session;
    const Span span = resources != NULL ? resources->span : name->span;
    Diag *diag = plan_report(session, measure->target->subject, span, DIAG(autoscaler_blind),
                             STR_ARG(measure->resource), STR_ARG(name->string));
    diag_label(session, diag, measure->metric->span, "goes by it");
    diag_help(session, diag, "write a request of `%.*s` into each container", STR_ARG(measure->resource));
}

// The whole pod may ask in the place of its containers.
static void check_measure(const Measure *measure) {
    const Value *pod = measure->target->pods.items[0].spec;
    const Value *containers = object_get(pod, "containers");
    if (!str_is(measure->resource, "cpu") && !str_is(measure->resource, "memory")) {
        return;
    }
    for (uint32_t i = 0; i < object_count(containers) && !asks_for(object_get(pod, "resources"), measure->resource);
         i++) {
        check_container(measure, containers->list.items[i]);
    }
}

static void check_metric(Measure *measure, const Value *metric) {
    const bool is_of_container = object_get(metric, "containerResource") != NULL;
    const Value *resource = object_get(metric, is_of_container ? "containerResource" : "resource");
    const Value *name = object_get(resource, "name");
    if (object_get(object_get(resource, "target"), "averageUtilization") == NULL || object_text(name).len == 0) {
        return;
    }
    measure->metric = name;
    measure->resource = name->string;
    measure->container = is_of_container ? object_text(object_get(resource, "container")) : STR_NONE;
    check_measure(measure);
}

// Whether an autoscaler names an object.
static bool names(const PlanObject *object, const PlanObject *other) {
    const Value *target = object_get(object_get(object->fields, "spec"), "scaleTargetRef");
    const Str kind = object_text(object_get(target, "kind"));
    const Str name = object_text(object_get(target, "name"));
    return kind.len > 0 && name.len > 0 && str_equal(str_after_last(other->resource->type, '/'), kind) &&
           str_equal(plan_name_of_object(other), name) && is_beside(object, other);
}

// What an autoscaler names; NULL: it is not here, or a patch changes it.
static const PlanObject *target_of(const Rules *rules, const PlanObject *object) {
    for (uint32_t i = 0; i < rules->plan->objects.count && i < COMPARED_MAX; i++) {
        const PlanObject *other = rules->plan->objects.items[i];
        if (names(object, other)) {
            return other->is_changed ? NULL : other;
        }
    }
    return NULL;
}

void rule_autoscaler(const Rules *rules, const PlanObject *object) {
    const Value *spec = object_get(object->fields, "spec");
    const Value *metrics = object_get(spec, "metrics");
    if (!is_kind(object, "autoscaling/", "HorizontalPodAutoscaler") || object->is_changed) {
        return;
    }
    const PlanObject *target = target_of(rules, object);
    if (target == NULL || target->pods.count != 1 || has_defaults(rules, target)) {
        return;
    }
    Measure measure = { .rules = rules, .target = target };
    for (uint32_t i = 0; i < object_count(metrics); i++) {
        check_metric(&measure, metrics->list.items[i]);
    }
    const Value *share = object_get(spec, "targetCPUUtilizationPercentage");
    if (metrics == NULL) {
        measure.metric = share != NULL ? share : object_get(spec, "scaleTargetRef");
        measure.resource = STR("cpu");
        check_measure(&measure);
    }
}

// ---- what a budget leaves --------------------------------------------------------------------------------------------

// Autoscalers, by the names of what they scale.
typedef struct {
    StrMap by_name;
    bool is_open; // one of them may scale anything
} Scalers;

static Scalers scalers_of(const Rules *rules) {
    Scalers scalers = { .by_name = { .arena = rules->session->arena } };
    for (uint32_t i = 0; i < rules->plan->objects.count && i < COMPARED_MAX; i++) {
        const PlanObject *object = rules->plan->objects.items[i];
        const Str kind = str_after_last(object->resource->type, '/');
        const Value *target = object_get(object_get(object->fields, "spec"), "scaleTargetRef");
        const Str name = object_text(object_get(target, "name"));
        scalers.is_open = scalers.is_open || str_is(kind, "ScaledObject");
        if (str_is(kind, "HorizontalPodAutoscaler") && name.len > 0) {
            str_map_add(&scalers.by_name, name, object);
        }
    }
    return scalers;
}

static bool is_scaled(const Scalers *scalers, const PlanObject *object) {
    const PlanObject *other = str_map_get(&scalers->by_name, plan_name_of_object(object));
    return scalers->is_open || (other != NULL && names(other, object));
}

// How many pods stand beside a budget that it is about; 0: none that are to stay, -1: their number is not known.
static int64_t pods_of(const Rules *rules, const PlanObject *budget, const Value *labels) {
    const Scalers scalers = scalers_of(rules);
    int64_t sum = 0;
    for (uint32_t i = 0; i < rules->plan->objects.count && i < COMPARED_MAX; i++) {
        const PlanObject *object = rules->plan->objects.items[i];
        for (uint32_t k = 0; k < object->pods.count && is_beside(budget, object); k++) {
            const Value *metadata = object_get(object->pods.items[k].around, "metadata");
            const Selection selection = pod_selection(object, labels, object_get(metadata, "labels"));
            if (selection == SELECTS_PERHAPS || (selection == SELECTS && (plan_object_is(object, IS_DAEMON) ||
                                                                          !plan_object_is(object, PODS_RESTART)))) {
                return 0; // pods that work on something that ends may well be kept
            }
            const int64_t own = selection == SELECTS ? pods_of_template(object, object->pods.items[k].spec) : 0;
            const bool is_known =
                sum >= 0 && own >= 0 && !object->is_changed && (own == 0 || !is_scaled(&scalers, object));
            sum = is_known ? sum + own : -1;
        }
    }
    return sum;
}

static void say_budget(const Rules *rules, const PlanObject *object, const Value *value, const char *why,
                       const char *help) {
    Diag *diag = plan_report(rules->session, object->subject, value->span, DIAG(budget_of_none), why);
    diag_help(rules->session, diag, "%s", help);
}

void rule_budget(const Rules *rules, const PlanObject *object) {
    const Value *spec = object_get(object->fields, "spec");
    const Value *selector = object_get(spec, "selector");
    const Value *least = object_get(spec, "minAvailable");
    const Value *most = object_get(spec, "maxUnavailable");
    const bool is_budget = is_kind(object, "policy/", "PodDisruptionBudget") && !object->is_changed;
    const int64_t pods = is_budget && object_get(selector, "matchExpressions") == NULL
                             ? pods_of(rules, object, object_get(selector, "matchLabels"))
                             : 0;
    if (pods == 0) {
        return;
    }
    Arena *arena = rules->session->arena;
    const bool is_none = most != NULL && ((most->kind == VALUE_INT && most->integer == 0) ||
                                          str_is(object_text(most), "0%") || str_is(object_text(most), "0"));
    if (is_none) {
        say_budget(rules, object, most, "none may be missing", "write `maxUnavailable: 1`");
    } else if (str_is(object_text(least), "100%")) {
        say_budget(rules, object, least, "all have to be there", "write `maxUnavailable: 1` in its place");
    } else if (least != NULL && least->kind == VALUE_INT && pods > 0 && least->integer >= pods) {
        const Str why = str_format(arena, "%" PRId64 " have to be there, of %" PRId64, least->integer, pods);
        say_budget(rules, object, least, str_c(arena, why),
                   pods == 1 ? "let two pods run, or write `maxUnavailable: 1` in its place"
                             : "write `maxUnavailable: 1` in its place");
    }
}
