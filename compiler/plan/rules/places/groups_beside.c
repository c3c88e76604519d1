// Rules about files that were given together: the pods of a manifest, and the groups of nodes in files beside it. A pod
// that no group can take waits, and no error is shown. What is not known of a group counts as if it could.
#include "compiler/plan/rules/together_channels.h"
#include "compiler/plan/rules/together_classes.h"
#include "compiler/plan/rules/together_services.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/cluster_config.h"
#include "compiler/plan/model/gpu_sharing.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/model/pod_type.h"
#include "compiler/plan/rules/pod_count.h"
#include "compiler/plan/rules/places/pod_fabric.h"
#include "compiler/plan/rules/places/pod_types.h"
#include "compiler/plan/rules/places/pool_places.h"
#include "compiler/plan/rules/workload_group.h"
#include "schema/instances.h"
#include "schema/pod_devices.h"

enum { GROUPS_MAX = 500, PODS_MAX = 100000 };

typedef struct {
    Session *session;
    const FilesTogether *together;
    PodGroups groups; // all of the files
    PodGroups pools;  // of Karpenter, for which pods may ask
    const PlanObject *object;
    const PlanPod *pod;
} GroupsBeside;

// ---- what there is -----------------------------------------------------------------------------------------------

static bool is_same(const Value *a, const Value *b) {
    return a == NULL || b == NULL ? a == b : value_equal(a, b);
}

static bool has_same_devices(const PlanGroup *a, const PlanGroup *b) {
    bool is = a->types.count == b->types.count && a->has_other_types == b->has_other_types &&
              a->efa_of_pods == b->efa_of_pods;
    for (uint32_t i = 0; is && i < a->types.count; i++) {
        is = a->types.items[i].row == b->types.items[i].row;
    }
    return is;
}

// Whether another way to deploy the same template has the group as well, with nothing else that pods see.
static bool is_seen(const PodGroups *groups, const PlanGroup *group) {
    bool is = false;
    for (uint32_t i = 0; i < groups->items.count && !is; i++) {
        const PlanGroup *other = groups->items.items[i];
        is = span_equal(other->span, group->span) && has_same_devices(other, group) &&
             is_same(other->labels, group->labels) && is_same(other->taints, group->taints);
    }
    return is;
}

static void add_groups(GroupsBeside *check, const Plan *plan) {
    for (uint32_t i = 0; i < plan->raw.count; i++) {
        const PlanRaw *raw = plan->raw.items[i];
        for (uint32_t k = 0; k < raw->groups.count && check->groups.items.count < GROUPS_MAX; k++) {
            if (group_takes_pods(raw->groups.items[k]) && !is_seen(&check->groups, raw->groups.items[k])) {
                vec_push(check->session->arena, &check->groups.items, raw->groups.items[k]);
            }
        }
    }
    pool_places_add(check->session, plan, &check->pools);
}

static bool is_flavor(const PlanObject *object) {
    return str_starts_with(object->resource->type, STR("kueue.x-k8s.io/")) &&
           str_is(str_after_last(object->resource->type, '/'), "ResourceFlavor");
}

void places_add_made(MadeObjects *made, const Plan *plan) {
    for (uint32_t i = 0; i < plan->objects.count; i++) {
        const PlanObject *object = plan->objects.items[i];
        const Str name = object_text(object_get(object_get(object->fields, "metadata"), "name"));
        if (is_flavor(object)) {
            const Value *tolerations = object_get(object_get(object->fields, "spec"), "tolerations");
            together_add(made, MADE_NODE_FLAVOR, STR_NONE, name);
            together_add(made, MADE_TOLERATION, STR_NONE, tolerations != NULL ? name : STR_NONE);
        }
        together_add(made, MADE_SHARING, STR_NONE, object_shares_gpus(object) ? name : STR_NONE);
    }
}

static bool is_made(const GroupsBeside *check, int kind) {
    return together_find(check->session->arena, check->together, kind, STR_NONE, STR_NONE) != NULL;
}

bool together_has_groups(const Plan *plan) {
    for (uint32_t i = 0; i < plan->raw.count; i++) {
        const PlanRaw *raw = plan->raw.items[i];
        for (uint32_t k = 0; k < raw->groups.count; k++) {
            if (group_takes_pods(raw->groups.items[k]) || group_is_pool(raw->groups.items[k])) {
                return true;
            }
        }
    }
    return false;
}

bool together_makes_nodes(const Plan *plan) {
    static const char *const STARTS[] = { "karpenter.", "eks.amazonaws.com/", "cluster.x-k8s.io/" };
    for (uint32_t i = 0; i < plan->raw.count; i++) {
        const PlanRaw *raw = plan->raw.items[i];
        for (uint32_t k = 0; k < raw->control_planes.count; k++) {
            if (raw->control_planes.items[k]->makes_nodes) {
                return true;
            }
        }
        for (uint32_t k = 0; k < raw->groups.count; k++) {
            if (raw->groups.items[k]->form == GROUP_HYPERPOD) {
                return true;
            }
        }
    }
    for (uint32_t i = 0; i < plan->objects.count; i++) {
        for (size_t k = 0; k < COUNT_OF(STARTS); k++) {
            if (str_starts_with(plan->objects.items[i]->resource->type, str_of(STARTS[k]))) {
                return true;
            }
        }
    }
    return false;
}

// ---- the only group that takes a pod -----------------------------------------------------------------------------

// Of a pod that names its type rule pod_devices says it, and of a group with fewer interfaces than its type another one.
// Whether a group has EFA that no pod asks for is not known.
static void check_fabric(const GroupsBeside *check, const PlanGroup *group) {
    const Value *containers = object_get(check->pod->spec, "containers");
    const bool is_one = group->types.count == 1 && !group->has_other_types && pod_type(check->pod->spec) == NULL;
    for (uint32_t i = 0; is_one && i < object_count(containers); i++) {
        const PodNode node = { .row = group->types.items[0].row, .span = group->types.items[0].field.span };
        const bool is_full = group->efa_of_pods < 0 || group->efa_of_pods >= node.row->efa_max;
        if (is_full && pod_fabric_count(containers->list.items[i]) > 0) {
            pod_fabric_check(check->session, check->object, check->pod, containers->list.items[i], &node);
        }
    }
}

// Of the containers that run on the group.
static void check_workloads(const GroupsBeside *check, const PlanGroup *group) {
    for (uint32_t i = 0; i < check->object->workloads.count; i++) {
        if (check->object->workloads.items[i]->pod == check->pod->spec) {
            workload_check_on_group(check->session, check->object->workloads.items[i], group);
        }
    }
}

// ---- how many ----------------------------------------------------------------------------------------------------

// How many pods of the template run at once; -1: not known.
static int64_t pods_of(const GroupsBeside *check) {
    const WorkloadKind *kind = check->object->kind;
    const bool varies = kind == NULL || plan_value_at(check->object->fields, workload_path(kind->varies)) != NULL;
    const int64_t pods = varies ? -1 : pods_of_template(check->object, check->pod->spec);
    return pods < PODS_MAX ? pods : -1;
}

// A pod that takes all accelerators of its node.
static bool fills_node(const GroupsBeside *check, const PlanGroup *group) {
    for (size_t i = 0; i < POD_DEVICE_COUNT; i++) {
        const bool is_whole = POD_DEVICES[i].accelerator != ACCELERATOR_NONE && !POD_DEVICES[i].is_core;
        const double most = is_whole ? group_room(group, POD_DEVICES[i].name).room : -1;
        if (most > 0 && group->types.count == 1 &&
            (double)pod_limit(check->pod->spec, str_of(POD_DEVICES[i].name)) == most) {
            return true;
        }
    }
    return false;
}

// `*count` of the pods of an object so far that fill a node of `*of`, which is their only group; -1: not known.
static void count_pods(const GroupsBeside *check, const PlanGroup *group, const PlanGroup **of, int64_t *count) {
    if (*count < 0 || !fills_node(check, group)) {
        return;
    }
    const int64_t pods = pods_of(check);
    *count = pods < 0 || (*of != NULL && *of != group) ? -1 : *count + pods;
    *of = group;
}

static void check_count(const GroupsBeside *check, const PlanGroup *group, int64_t count) {
    int64_t most = 0;
    if (group == NULL || !field_integer(&group->most, &most) || count <= most || most < 1) {
        return;
    }
    Diag *diag = plan_report(check->session, check->object->subject, check->object->subject->span, DIAG(together_count),
                             count, STR_ARG(group->name), most);
    diag_label(check->session, diag, group->most.span, "the most");
    diag_help(check->session, diag, "write %" PRId64 " there, or fewer pods here", count);
}

// ------------------------------------------------------------------------------------------------------------------

// Kueue adds the tolerations of its flavors, which may be in no file.
static bool are_tolerations_added(const GroupsBeside *check) {
    const Value *labels = object_get(object_get(check->object->fields, "metadata"), "labels");
    return object_get(labels, "kueue.x-k8s.io/queue-name") != NULL &&
           (!is_made(check, MADE_NODE_FLAVOR) || is_made(check, MADE_TOLERATION));
}

// The only group that takes the pod; NULL where several may, or nobody knows.
static const PlanGroup *check_pod(GroupsBeside *check) {
    check->groups.are_gpus_shared = is_made(check, MADE_SHARING);
    check->pools.are_gpus_shared = check->groups.are_gpus_shared;
    const bool is_alone = check->groups.items.count == 0;
    const PlanGroup *pool = pool_places_asked(&check->pools, is_alone, check->pod);
    if (pool != NULL) {
        return pool_places_check(check->session, &check->pools, pool, check->object, check->pod);
    }
    if (is_alone && pool_places_is_of_file(&check->pools, check->object, check->pod)) {
        return pool_places_check_all(check->session, &check->pools, check->object, check->pod);
    }
    if (is_alone || check->together->is_open) {
        pod_types_check_devices(check->session, check->object, check->pod->spec);
        return NULL;
    }
    check->groups.are_taints_told = are_tolerations_added(check);
    return pod_places_check(check->session, &check->groups, check->object, check->pod);
}

static void check_pods(GroupsBeside *check) {
    const PlanGroup *of = NULL;
    int64_t count = 0;
    for (uint32_t i = 0; i < check->object->pods.count; i++) {
        check->pod = &check->object->pods.items[i];
        const PlanGroup *only = check_pod(check);
        if (only != NULL) {
            check_fabric(check, only);
            check_workloads(check, only);
            count_pods(check, only, &of, &count);
        }
    }
    check_count(check, of, count);
}

// Kueue has the pods of a flavor select its nodes by these.
static void check_flavor(const GroupsBeside *check) {
    if (is_flavor(check->object) && check->groups.items.count > 0 && !check->together->is_open) {
        const Value *labels = object_get(object_get(check->object->fields, "spec"), "nodeLabels");
        pod_places_check_labels(check->session, &check->groups, check->object, labels);
    }
}

// ---- NVLink between nodes ----------------------------------------------------------------------------------------

static bool is_of_ultraserver(const InstanceRow *row) {
    return row != NULL && row->accelerator == ACCELERATOR_NVIDIA && row->ultraserver_sizes[0] > 0;
}

static PodOnFabric fabric_of_group(const PlanGroup *group) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < group->types.count; i++) {
        count += is_of_ultraserver(group->types.items[i].row);
    }
    const bool is_known = group->types.count > 0 && !group->has_other_types;
    return is_known && count == group->types.count ? FABRIC_CERTAIN
           : is_known && count == 0                ? FABRIC_NONE
                                                   : FABRIC_PERHAPS;
}

static PodOnFabric fabric_of_pod(const GroupsBeside *check, const Value *type) {
    if (type != NULL && type->kind == VALUE_STRING) {
        return is_of_ultraserver(pod_row(check->session, type->string)) ? FABRIC_CERTAIN : FABRIC_NONE;
    }
    if (pod_types(check->pod->spec) != NULL) {
        return FABRIC_NONE; // of several types, with or without NVLink between nodes
    }
    const bool is_open = check->groups.items.count == 0 || check->together->is_open;
    PodOnFabric most = is_open ? FABRIC_PERHAPS : FABRIC_NONE;
    uint32_t fitting = 0;
    for (uint32_t i = 0; i < check->groups.items.count && !is_open; i++) {
        const PlanGroup *group = check->groups.items.items[i];
        if (pod_places_fit(&check->groups, check->pod, group)) {
            const PodOnFabric own = fabric_of_group(group);
            most = fitting++ == 0 ? own : own == most ? most : FABRIC_PERHAPS;
        }
    }
    return most;
}

static void check_channels(GroupsBeside *check) {
    for (uint32_t i = 0; i < check->object->pods.count; i++) {
        check->pod = &check->object->pods.items[i];
        channels_check(check->session, check->together, check->object, check->pod->spec,
                       fabric_of_pod(check, pod_type(check->pod->spec)));
    }
}

// ------------------------------------------------------------------------------------------------------------------

void together_check(Session *session, const Plan *plan, const FilesTogether *together) {
    GroupsBeside check = { .session = session, .together = together };
    together_check_names(session, plan, together);
    classes_check(session, plan, together);
    services_check(session, plan, together);
    for (uint32_t i = 0; i < together->plans.count; i++) {
        add_groups(&check, together->plans.items[i]);
    }
    if (check.groups.items.count > 0) {
        check.groups.name = check.groups.items.items[0]->cluster;
    }
    for (uint32_t i = 0; i < plan->objects.count; i++) {
        check.object = plan->objects.items[i];
        if (!plan_object_is(check.object, IS_DAEMON) && !check.object->is_changed) {
            check_pods(&check);
            check_flavor(&check);
        }
        check_channels(&check);
    }
}
