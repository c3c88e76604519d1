// Rules about jobs that wait in a queue of Kueue, as far as the queue stands in the same file: what has no quota there never
// begins.
#include "compiler/plan/rules/manifest/object_words.h"

#include "compiler/base/str_map.h"
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

typedef struct {
    const Rules *rules;
    const PlanObject *object;
    const Value *covered;
    const Value *resources;
    Str flavor; // "the flavor `p5`"
    Span span;  // of its name
} FlavorCheck;

static Str name_of(const Value *item) {
    return object_text(item != NULL && item->kind == VALUE_MAP ? object_get(item, "name") : item);
}

// The first name of a list that another one has not; NULL where it has all, or where one is not known.
static const Value *missing_of(Arena *arena, const Value *all, const Value *among) {
    StrMap names = { .arena = arena };
    for (uint32_t i = 0; i < object_count(among); i++) {
        const Str name = name_of(among->list.items[i]);
        if (name.len == 0) {
            return NULL;
        }
        str_map_add(&names, name, among);
    }
    for (uint32_t i = 0; i < object_count(all); i++) {
        const Str name = name_of(all->list.items[i]);
        if (name.len > 0 && str_map_get(&names, name) == NULL) {
            return all->list.items[i];
        }
    }
    return NULL;
}

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

static Diag *refuse(const Rules *rules, const PlanObject *object, Span span, Str why) {
    const Str kind = str_after_last(object->resource->type, '/');
    const char *text = str_c(rules->session->arena, why);
    return plan_report(rules->session, object->subject, span, DIAG(object_refused), STR_ARG(kind), text);
}

static void say_missing(const FlavorCheck *check, const Value *missing) {
    Session *session = check->rules->session;
    const Str name = name_of(missing);
    const Str has = str_format(session->arena, "%.*s has no `%.*s`", STR_ARG(check->flavor), STR_ARG(name));
    const Str why = str_format(session->arena, "%.*s, which its group covers", STR_ARG(has));
    Diag *diag = refuse(check->rules, check->object, check->span, why);
    diag_label(session, diag, missing->span, "covered here");
    diag_help(session, diag, "add `%.*s` and its `nominalQuota` to the `resources` of the flavor", STR_ARG(name));
}

// In the place of one that is missing, or beside all.
static void say_beyond(const FlavorCheck *check, const Value *beyond, const Value *missing) {
    Session *session = check->rules->session;
    const Str name = name_of(beyond);
    const Str other = name_of(missing);
    const Str has = str_format(session->arena, "%.*s has `%.*s`", STR_ARG(check->flavor), STR_ARG(name));
    const Str place = missing == NULL ? STR("which its group does not cover")
                                      : str_format(session->arena, "and not `%.*s`", STR_ARG(other));
    const Str why = str_format(session->arena, "%.*s, %.*s", STR_ARG(has), STR_ARG(place));
    const Value *at = object_get(beyond, "name");
    Diag *diag = refuse(check->rules, check->object, at == NULL ? beyond->span : at->span, why);
    diag_label(session, diag, check->covered->span, "what the group covers");
    if (missing == NULL) {
        diag_help(session, diag, "add it to `coveredResources` and to each flavor, or leave it out");
    } else {
        diag_help(session, diag, "write `%.*s`", STR_ARG(other));
    }
}

static void say_order(const FlavorCheck *check, const Value *other) {
    Session *session = check->rules->session;
    const Str why = str_format(session->arena, "%.*s has another order than its group", STR_ARG(check->flavor));
    Diag *diag = refuse(check->rules, check->object, other->span, why);
    diag_label(session, diag, check->covered->span, "what the group covers");
    diag_help(session, diag, "write its resources in the order of `coveredResources`");
}

static void check_flavor(const Rules *rules, const PlanObject *object, const Value *covered, const Value *flavor) {
    Arena *arena = rules->session->arena;
    const Value *name = object_get(flavor, "name");
    FlavorCheck check = { .rules = rules, .object = object, .covered = covered, .flavor = STR("a flavor") };
    check.resources = object_get(flavor, "resources");
    if (object_count(check.resources) == 0 || object_count(covered) == 0) {
        return;
    }
    check.span = name == NULL ? check.resources->span : name->span;
    if (object_text(name).len > 0) {
        check.flavor = str_format(arena, "the flavor `%.*s`", STR_ARG(name->string));
    }
    const Value *missing = missing_of(arena, covered, check.resources);
    const Value *beyond = missing_of(arena, check.resources, covered);
    const Value *other = other_resource(covered, check.resources);
    if (beyond != NULL) {
        say_beyond(&check, beyond, missing);
    } else if (missing != NULL) {
        say_missing(&check, missing);
    } else if (other != NULL) {
        say_order(&check, other);
    }
}

// A limit is of what a cohort shares.
static void check_limits(const Rules *rules, const PlanObject *object, const Value *flavor, const char *parent) {
    static const char *const LIMITS[] = { "borrowingLimit", "lendingLimit" };
    const Value *resources = object_get(flavor, "resources");
    for (uint32_t i = 0; i < object_count(resources) * COUNT_OF(LIMITS); i++) {
        const char *key = LIMITS[i % COUNT_OF(LIMITS)];
        const Value *limit = object_get(resources->list.items[i / COUNT_OF(LIMITS)], key);
        if (limit != NULL) {
            const Str why = str_format(rules->session->arena, "`%s` stands there without `%s`", key, parent);
            Diag *diag = refuse(rules, object, limit->span, why);
            diag_help(rules->session, diag, "write `%s`, or leave `%s` out", parent, key);
            return;
        }
    }
}

static bool has_parent(const Value *spec) {
    static const char *const KEYS[] = { "cohort", "cohortName", "parent", "parentName" };
    bool has = false;
    for (size_t i = 0; i < COUNT_OF(KEYS); i++) {
        has = has || object_get(spec, KEYS[i]) != NULL;
    }
    return has;
}

static void check_groups(const Rules *rules, const PlanObject *object, const Value *spec) {
    static const char *const PARENTS[] = { "parentName", "cohortName", "parent", "cohort" };
    const bool is_older = str_has(object->resource->type, "/v1beta1/");
    const char *parent = PARENTS[(is_older ? 2 : 0) + (is_kind(object, "ClusterQueue") ? 1 : 0)];
    const Value *groups = object_get(spec, "resourceGroups");
    for (uint32_t i = 0; i < object_count(groups); i++) {
        const Value *covered = object_get(groups->list.items[i], "coveredResources");
        const Value *flavors = object_get(groups->list.items[i], "flavors");
        for (uint32_t k = 0; k < object_count(flavors); k++) {
            check_flavor(rules, object, covered, flavors->list.items[k]);
            if (!has_parent(spec)) {
                check_limits(rules, object, flavors->list.items[k], parent);
            }
        }
    }
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

// Who answers an AdmissionCheck, and what tells it how. Others may have controllers of their own.
// source: kubernetes-sigs/kueue@ff69552e apis/kueue/v1beta2/provisioningrequestconfig_types.go and multikueue_types.go, read 2026-11
static const struct {
    const char *controller;
    const char *kind;
} CONTROLLERS[] = {
    { "kueue.x-k8s.io/provisioning-request", "ProvisioningRequestConfig" },
    { "kueue.x-k8s.io/multikueue", "MultiKueueConfig" },
};

static void check_controller(const Rules *rules, const PlanObject *object, const Value *spec) {
    const Value *name = object_get(spec, "controllerName");
    const Value *parameters = object_get(spec, "parameters");
    const Value *kind = object_get(parameters, "kind");
    const bool is_of_kueue = str_is(object_text(object_get(parameters, "apiGroup")), "kueue.x-k8s.io");
    if (str_starts_with(object_text(name), STR("kueue.x-k8s.io/"))) {
        object_check_word(
            rules, object, STR("controllerName"),
            str_format(rules->session->arena, "%s|%s", CONTROLLERS[0].controller, CONTROLLERS[1].controller), name);
    }
    for (size_t i = 0; i < COUNT_OF(CONTROLLERS); i++) {
        if (is_of_kueue && object_text(kind).len > 0 && str_is_word(object_text(name), CONTROLLERS[i].controller)) {
            object_check_word(rules, object, STR("kind"), str_of(CONTROLLERS[i].kind), kind);
        }
    }
}

void rule_kueue_queue(const Rules *rules, const PlanObject *object) {
    const Value *spec = object_get(object->fields, "spec");
    const Value *groups = object_get(spec, "resourceGroups");
    if (is_kind(object, "AdmissionCheck")) {
        check_controller(rules, object, spec);
    }
    if (is_kind(object, "Cohort")) {
        check_groups(rules, object, spec);
    }
    if (!is_kind(object, "ClusterQueue") || spec == NULL || spec->kind != VALUE_MAP) {
        return;
    }
    if (groups != NULL && object_get(spec, "namespaceSelector") == NULL && !lends_alone(rules, object, spec)) {
        Diag *diag = plan_report(rules->session, object->subject, object->subject->name_span, DIAG(queue_of_nobody),
                                 "it has no `namespaceSelector`, which is that of no namespace");
        diag_help(rules->session, diag, "write `namespaceSelector%s {}` for all of them",
                  object->is_manifest ? ":" : " =");
    }
    check_groups(rules, object, spec);
}
