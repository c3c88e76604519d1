// A rule about names of Services: a headless Service gives each pod of a job its name, below the subdomain that the pod asks
// for. Kubernetes takes any text there, and the pods look for each other until somebody looks.
#include "compiler/plan/rules/pod_address.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/rules/pod_selection.h"

static bool is_service(const PlanObject *object, Str place) {
    return str_is(object->resource->type, "v1/Service") && !object->is_changed &&
           str_equal(plan_namespace_of_object(object), place);
}

static const Value *name_of(const PlanObject *object) {
    return object_get(object_get(object->fields, "metadata"), "name");
}

static void report_service(const Rules *rules, const PlanObject *object, const Value *subdomain,
                           const PlanObject *service, const char *why, const char *what) {
    Diag *diag = plan_report(rules->session, object->subject, subdomain->span, DIAG(pod_names), why);
    const Value *selector = object_get(object_get(service->fields, "spec"), "selector");
    const bool is_selector = what == NULL;
    diag_label(rules->session, diag, is_selector ? selector->span : name_of(service)->span, "%s",
               is_selector ? "other pods than these" : what);
    diag_help(rules->session, diag, "write the name of a Service with `clusterIP: None` that selects these pods");
}

static void check_subdomain(const Rules *rules, const PlanObject *object, const PlanPod *pod, const Value *subdomain) {
    const Str place = plan_namespace_of_object(object);
    const Value *labels = object_get(object_get(pod->around, "metadata"), "labels");
    const PlanObject *other = NULL; // selects the pods, under another name
    for (uint32_t i = 0; i < rules->plan->objects.count; i++) {
        const PlanObject *service = rules->plan->objects.items[i];
        if (!is_service(service, place) || name_of(service) == NULL) {
            continue;
        }
        const Value *selector = object_get(object_get(service->fields, "spec"), "selector");
        const Selection selection = pod_selection(object, selector, labels);
        if (str_equal(object_text(name_of(service)), subdomain->string)) {
            if (selection == SELECTS_NOT) {
                report_service(rules, object, subdomain, service, "its Service selects other pods", NULL);
            } else if (!pod_service_is_headless(service)) {
                report_service(rules, object, subdomain, service, "its Service is not headless",
                               "has an address of its own");
            }
            return;
        }
        other = selection == SELECTS && pod_service_is_headless(service) ? service : other;
    }
    if (other != NULL) {
        report_service(rules, object, subdomain, other, "no Service here has this name", "selects these pods");
    }
}

// A headless Service under another name than the one that is asked for, which selects the pods; NULL: none, or several.
static const PlanObject *other_service(const Rules *rules, const PlanObject *object, const Value *labels) {
    const PlanObject *found = NULL;
    uint32_t count = 0;
    for (uint32_t i = 0; i < rules->plan->objects.count; i++) {
        const PlanObject *service = rules->plan->objects.items[i];
        const bool is_one =
            is_service(service, plan_namespace_of_object(object)) && name_of(service) != NULL &&
            pod_service_is_headless(service) &&
            pod_selection(object, object_get(object_get(service->fields, "spec"), "selector"), labels) == SELECTS;
        found = is_one ? service : found;
        count += is_one;
    }
    return count == 1 ? found : NULL;
}

// A StatefulSet makes `serviceName` the subdomain of its pods. Here the Service has to be in the file, or another one that is
// headless and selects them.
static void check_set(const Rules *rules, const PlanObject *object) {
    const Value *spec = object_get(object->fields, "spec");
    const Value *name = object_get(spec, "serviceName");
    const Value *labels = object_get(object_get(object_get(spec, "template"), "metadata"), "labels");
    const PlanObject *service = pod_service(rules, object_text(name), plan_namespace_of_object(object));
    const Value *selector = service == NULL ? NULL : object_get(object_get(service->fields, "spec"), "selector");
    if (pod_selection(object, selector, labels) == SELECTS_NOT) {
        report_service(rules, object, name, service, "its Service selects other pods", NULL);
    }
    const PlanObject *other =
        service == NULL && object_text(name).len > 0 ? other_service(rules, object, labels) : NULL;
    if (other != NULL) {
        report_service(rules, object, name, other, "no Service here has this name", "selects these pods");
    }
}

void rule_pod_names(const Rules *rules, const PlanObject *object) {
    if (str_is(object->resource->type, "apps/v1/StatefulSet") && !object->is_changed) {
        check_set(rules, object);
    }
    for (uint32_t i = 0; !object->is_changed && i < object->pods.count; i++) {
        const PlanPod *pod = &object->pods.items[i];
        const Value *subdomain = object_get(pod->spec, "subdomain");
        if (object_text(subdomain).len > 0) {
            check_subdomain(rules, object, pod, subdomain);
        }
    }
}
