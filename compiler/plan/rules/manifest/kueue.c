// Rules about jobs that wait in a queue of Kueue, as far as the queue stands in the same file: what has no quota there never
// begins.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/kubernetes_quantity.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/rules/pod_count.h"
#include "compiler/plan/model/pod_type.h"
#include "schema/pod_devices.h"

typedef struct {
    const Rules *rules;
    const PlanObject *object;
    const Value *groups;
    bool may_borrow;
} QueueCheck;

static bool is_kind(const PlanObject *object, const char *kind) {
    return str_starts_with(object->resource->type, STR("kueue.x-k8s.io/")) &&
           str_is(str_after_last(object->resource->type, '/'), kind) && !object->is_changed;
}

// Of this name; `place` is empty for what has no namespace.
static const PlanObject *find(const Rules *rules, const char *kind, Str name, Str place) {
    for (uint32_t i = 0; name.len > 0 && i < rules->plan->objects.count; i++) {
        const PlanObject *object = rules->plan->objects.items[i];
        if (is_kind(object, kind) && str_equal(plan_name_of_object(object), name) &&
            (place.len == 0 || str_equal(plan_namespace_of_object(object), place))) {
            return object;
        }
    }
    return NULL;
}

// ---- what is covered -----------------------------------------------------------------------------------------------

// Whether all names of resources in the groups are known.
static bool is_known(const Value *groups) {
    bool is = object_count(groups) > 0;
    for (uint32_t i = 0; i < object_count(groups); i++) {
        const Value *covered = object_get(groups->list.items[i], "coveredResources");
        is = is && object_count(covered) > 0;
        for (uint32_t k = 0; k < object_count(covered); k++) {
            is = is && covered->list.items[k]->kind == VALUE_STRING;
        }
    }
    return is;
}

// The group with the quotas of a resource; NULL where none covers it.
static const Value *group_of(const Value *groups, Str name) {
    for (uint32_t i = 0; i < object_count(groups); i++) {
        const Value *covered = object_get(groups->list.items[i], "coveredResources");
        for (uint32_t k = 0; k < object_count(covered); k++) {
            if (str_equal(covered->list.items[k]->string, name)) {
                return groups->list.items[i];
            }
        }
    }
    return NULL;
}

// ---- how much there is -----------------------------------------------------------------------------------------------

// The largest quota of a flavor; NULL where one is not known.
static const Value *largest_quota(const Value *group, Str name, double *most) {
    const Value *flavors = object_get(group, "flavors");
    const Value *found = NULL;
    for (uint32_t i = 0; i < object_count(flavors); i++) {
        const Value *resources = object_get(flavors->list.items[i], "resources");
        const Value *quota = NULL;
        for (uint32_t k = 0; k < object_count(resources); k++) {
            const Value *item = resources->list.items[k];
            quota = str_equal(object_text(object_get(item, "name")), name) ? object_get(item, "nominalQuota") : quota;
        }
        double amount;
        if (quota == NULL || !quantity_read(quota, &amount)) {
            return NULL;
        }
        if (found == NULL || amount > *most) {
            found = quota;
            *most = amount;
        }
    }
    return found;
}

// How many pods begin together, at least: of a Job all that it runs at once, unless it may begin with fewer.
static int64_t count_pods(const PlanObject *object, const Value *pod) {
    const Value *annotations = object_get(object_get(object->fields, "metadata"), "annotations");
    const int64_t count = pods_of_template(object, pod);
    const bool is_whole = plan_object_is(object, IS_COUNTED) &&
                          plan_value_at(object->fields, workload_path(object->kind->varies)) == NULL &&
                          object_get(annotations, "kueue.x-k8s.io/job-min-parallelism") == NULL;
    return is_whole && count > 0 ? count : 1;
}

static Diag *say(const QueueCheck *check, Span span, const char *why) {
    return plan_report(check->rules->session, check->object->subject, span, DIAG(kueue_never),
                       STR_ARG(str_after_last(check->object->resource->type, '/')), why);
}

// True where it was reported.
static bool check_resource(const QueueCheck *check, const Value *pod, const ValueEntry *entry) {
    Session *session = check->rules->session;
    Arena *arena = session->arena;
    const Value *group = group_of(check->groups, entry->key);
    double asked = 0;
    if (!quantity_read(entry->value, &asked) || asked <= 0) {
        return false;
    }
    if (group == NULL) {
        const Value *first = object_get(check->groups->list.items[0], "coveredResources");
        Diag *diag = say(check, entry->key_span,
                         str_c(arena, str_format(arena, "its queue has no quota of `%.*s`", STR_ARG(entry->key))));
        diag_label(session, diag, first->span, "what the queue covers");
        diag_help(session, diag, "add it to `coveredResources`, and a `nominalQuota` to each flavor");
        return true;
    }
    const Value *largest = NULL;
    double most = 0;
    const Value *quota = check->may_borrow ? NULL : largest_quota(group, entry->key, &most);
    const double all = pod_asks(pod, entry->key, &largest) * (double)count_pods(check->object, pod);
    if (quota == NULL || all <= most) {
        return false;
    }
    Diag *diag = say(check, entry->value->span,
                     str_c(arena, str_format(arena, "its pods ask for %.10g of `%.*s`, and the quota is %.10g", all,
                                             STR_ARG(entry->key), most)));
    diag_label(session, diag, quota->span, "the quota");
    diag_help(session, diag, "write a larger `nominalQuota`, or fewer pods");
    return true;
}

// Settings of Kueue often make others out of resources that share a device: these are left out.
static bool check_container(const QueueCheck *check, const Value *pod, const Value *container) {
    const Value *resources = object_get(container, "resources");
    const Value *const maps[] = { object_get(resources, "requests"), object_get(resources, "limits") };
    for (size_t i = 0; i < COUNT_OF(maps); i++) {
        for (uint32_t k = 0; maps[i] != NULL && maps[i]->kind == VALUE_MAP && k < maps[i]->map.count; k++) {
            const ValueEntry *entry = &maps[i]->map.entries[k];
            const bool is_plain = str_is(entry->key, "cpu") || str_is(entry->key, "memory");
            if ((is_plain || pod_device(entry->key) != NULL) && check_resource(check, pod, entry)) {
                return true;
            }
        }
    }
    return false;
}

void rule_kueue(const Rules *rules, const PlanObject *object) {
    const Value *labels = object_get(object_get(object->fields, "metadata"), "labels");
    const Value *queue = object_get(labels, "kueue.x-k8s.io/queue-name");
    const PlanObject *local =
        object->is_changed ? NULL : find(rules, "LocalQueue", object_text(queue), plan_namespace_of_object(object));
    const Value *name = local == NULL ? NULL : object_get(object_get(local->fields, "spec"), "clusterQueue");
    const PlanObject *shared = find(rules, "ClusterQueue", object_text(name), STR_NONE);
    const Value *spec = shared == NULL ? NULL : object_get(shared->fields, "spec");
    const QueueCheck check = { .rules = rules,
                               .object = object,
                               .groups = object_get(spec, "resourceGroups"),
                               .may_borrow =
                                   object_get(spec, "cohort") != NULL || object_get(spec, "cohortName") != NULL };
    if (!is_known(check.groups)) {
        return;
    }
    for (uint32_t i = 0; i < object->pods.count; i++) {
        const Value *pod = object->pods.items[i].spec;
        const Value *containers = object_get(pod, "containers");
        for (uint32_t k = 0; k < object_count(containers); k++) {
            if (check_container(&check, pod, containers->list.items[k])) {
                return;
            }
        }
    }
}

// ---- queues ----------------------------------------------------------------------------------------------------------

// kubernetes-sigs/kueue@ff69552e pkg/webhooks/clusterqueue_webhook.go, validateFlavorQuotas, 2026-08.
static const Value *other_resource(const Value *covered, const Value *resources) {
    for (uint32_t i = 0; i < object_count(covered) && i < object_count(resources); i++) {
        const Value *name = object_get(resources->list.items[i], "name");
        const Value *wanted = covered->list.items[i];
        if (object_text(name).len > 0 && wanted->kind == VALUE_STRING && !str_equal(name->string, wanted->string)) {
            return name;
        }
    }
    return NULL;
}

static void check_flavor(const Rules *rules, const PlanObject *object, const Value *covered, const Value *flavor) {
    const Value *resources = object_get(flavor, "resources");
    const Value *other = other_resource(covered, resources);
    const bool is_other_count = resources != NULL && resources->kind == VALUE_LIST &&
                                resources->list.count != object_count(covered) && object_count(covered) > 0;
    if (other == NULL && !is_other_count) {
        return;
    }
    Diag *diag = plan_report(rules->session, object->subject, other != NULL ? other->span : resources->span,
                             DIAG(queue_of_nobody),
                             other != NULL ? "the resources of a flavor are not those that are covered, in their order"
                                           : "a flavor has not as many resources as are covered");
    diag_label(rules->session, diag, covered->span, "what the group covers");
    diag_help(rules->session, diag, "write one item for each of `coveredResources`, in the same order");
}

// Other queues of its cohort may borrow what it has. It is there for that where no queue of a namespace is of it.
static bool lends_alone(const Rules *rules, const PlanObject *object, const Value *spec) {
    bool is_used = object_get(spec, "cohort") == NULL && object_get(spec, "cohortName") == NULL;
    for (uint32_t i = 0; i < rules->plan->objects.count && !is_used; i++) {
        const PlanObject *other = rules->plan->objects.items[i];
        const Value *queue = object_get(object_get(other->fields, "spec"), "clusterQueue");
        is_used = is_kind(other, "LocalQueue") && str_equal(object_text(queue), plan_name_of_object(object));
    }
    return !is_used;
}

void rule_kueue_queue(const Rules *rules, const PlanObject *object) {
    const Value *spec = object_get(object->fields, "spec");
    const Value *groups = object_get(spec, "resourceGroups");
    if (!is_kind(object, "ClusterQueue") || spec == NULL || spec->kind != VALUE_MAP) {
        return;
    }
    if (groups != NULL && object_get(spec, "namespaceSelector") == NULL && !lends_alone(rules, object, spec)) {
        Diag *diag = plan_report(rules->session, object->subject, object->subject->name_span, DIAG(queue_of_nobody),
                                 "it has no `namespaceSelector`, which is that of no namespace");
        diag_help(rules->session, diag, "write `namespaceSelector%s {}` for all of them",
                  object->is_manifest ? ":" : " =");
    }
    for (uint32_t i = 0; i < object_count(groups); i++) {
        const Value *flavors = object_get(groups->list.items[i], "flavors");
        for (uint32_t k = 0; k < object_count(flavors); k++) {
            check_flavor(rules, object, object_get(groups->list.items[i], "coveredResources"), flavors->list.items[k]);
        }
    }
}
