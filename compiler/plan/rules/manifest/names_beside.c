// Rules about names of objects that no file makes, of those that were given together. Many are made elsewhere: a name is told
// where the files make others of its kind. Kueue's objects are made together, and an object that waits for one of them shows
// no error; of namespaces and service accounts a name is told that is nearly one of those that are made.
#include "compiler/base/str_map.h"
#include "compiler/base/suggest.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/model/pod_type.h"
#include "compiler/plan/rules/manifest/account_trust.h"
#include "compiler/plan/rules/together_channels.h"
#include "compiler/plan/rules/together_classes.h"
#include "compiler/plan/rules/together_services.h"

typedef enum {
    MADE_NAMESPACE,
    MADE_SERVICE_ACCOUNT,
    MADE_LOCAL_QUEUE,
    MADE_CLUSTER_QUEUE,
    MADE_FLAVOR,
    MADE_TOPOLOGY,
    MADE_PRIORITY,
    MADE_QUEUE,
    MADE_CLAIM,
    MADE_CONFIG_MAP,
    MADE_SECRET,
    MADE_NODE_POOL,
    MADE_ADMISSION_CHECK,
    MADE_PROVISIONING,
    MADE_MULTI_KUEUE,
    MADE_COHORT,
    MADE_ROLE,
    MADE_CLUSTER_ROLE,
    MADE_PRIORITY_CLASS,
    MADE_RUNTIME_CLASS,
} MadeKind;

// source: kubernetes-sigs/kueue@ff69552e apis/kueue/v1beta2, which of its kinds have a namespace; volcano-sh/volcano@ed72c7c8
// pkg/webhooks/admission/jobs/validate/admit_job.go, a job whose queue is not there is refused; read 2026-11-27
typedef struct {
    const char *group; // how the type begins
    const char *kind;
    const char *what;
    bool has_place; // a namespace that counts
    bool is_near;   // only a name is told that is nearly one of the others
    bool is_helped; // and never written by a fix: what has the name may well be made elsewhere, and lets pods do more
} MadeRow;

static const MadeRow ROWS[] = {
    [MADE_NAMESPACE] = { "v1/", "Namespace", "namespace", false, true, true },
    [MADE_SERVICE_ACCOUNT] = { "v1/", "ServiceAccount", "service account", false, true, true },
    [MADE_LOCAL_QUEUE] = { "kueue.x-k8s.io/", "LocalQueue", "LocalQueue", true, false, false },
    [MADE_CLUSTER_QUEUE] = { "kueue.x-k8s.io/", "ClusterQueue", "ClusterQueue", false, false, false },
    [MADE_FLAVOR] = { "kueue.x-k8s.io/", "ResourceFlavor", "ResourceFlavor", false, false, false },
    [MADE_TOPOLOGY] = { "kueue.x-k8s.io/", "Topology", "Topology", false, false, false },
    [MADE_PRIORITY] = { "kueue.x-k8s.io/", "WorkloadPriorityClass", "WorkloadPriorityClass", false, false, false },
    [MADE_QUEUE] = { "scheduling.volcano.sh/", "Queue", "Queue", false, false, false },
    [MADE_CLAIM] = { "v1/", "PersistentVolumeClaim", "claim", true, true, false },
    [MADE_CONFIG_MAP] = { "v1/", "ConfigMap", "ConfigMap", true, true, false },
    [MADE_SECRET] = { "v1/", "Secret", "Secret", true, true, false },
    [MADE_NODE_POOL] = { "karpenter.sh/", "NodePool", "NodePool", false, true, false },
    [MADE_ADMISSION_CHECK] = { "kueue.x-k8s.io/", "AdmissionCheck", "AdmissionCheck", false, false, false },
    [MADE_PROVISIONING] = { "kueue.x-k8s.io/", "ProvisioningRequestConfig", "ProvisioningRequestConfig", false, false,
                            false },
    [MADE_MULTI_KUEUE] = { "kueue.x-k8s.io/", "MultiKueueConfig", "MultiKueueConfig", false, false, false },
    [MADE_COHORT] = { "kueue.x-k8s.io/", "Cohort", "Cohort", false, true, false },
    [MADE_ROLE] = { "rbac.authorization.k8s.io/", "Role", "Role", true, true, true },
    [MADE_CLUSTER_ROLE] = { "rbac.authorization.k8s.io/", "ClusterRole", "ClusterRole", false, true, true },
    [MADE_PRIORITY_CLASS] = { "scheduling.k8s.io/", "PriorityClass", "PriorityClass", false, true, false },
    [MADE_RUNTIME_CLASS] = { "node.k8s.io/", "RuntimeClass", "RuntimeClass", false, true, false },
};

// Each cluster has these.
// source: Kubernetes, Using RBAC Authorization, Default roles, and Guaranteed Scheduling For Critical Add-On Pods, read 2026-11
static bool is_of_cluster(const MadeRow *row, Str name) {
    static const char *const ROLES[] = { "cluster-admin", "admin", "edit", "view" };
    bool is = row == &ROWS[MADE_PRIORITY_CLASS] && str_starts_with(name, STR("system-"));
    for (size_t i = 0; row == &ROWS[MADE_CLUSTER_ROLE] && i < COUNT_OF(ROLES); i++) {
        is = is || str_is(name, ROLES[i]) || str_starts_with(name, STR("system:"));
    }
    return is;
}

// Beside each kind of the rows: an object of the name in any namespace that is written, and one where none is.
enum { IN_ANY_PLACE = 2000, IN_NO_PLACE = 3000 };

static bool is_made_as(const PlanObject *object, const MadeRow *row) {
    return str_starts_with(object->resource->type, str_of(row->group)) &&
           str_is_word(str_after_last(object->resource->type, '/'), row->kind);
}

// ---- what there is -------------------------------------------------------------------------------------------------

// `name` is empty for all objects of a place. No name has such signs.
static Str key_of(Arena *arena, int kind, Str place, Str name) {
    return str_format(arena, "%d\n%.*s\n%.*s", kind, STR_ARG(place), STR_ARG(name));
}

MadeObjects made_objects(Arena *arena) {
    return (MadeObjects){ .arena = arena, .names = { .arena = arena }, .places = { .arena = arena } };
}

void together_add(MadeObjects *made, int kind, Str place, Str name) {
    if (name.len == 0) {
        return;
    }
    Arena *arena = made->arena;
    MadeObject *item = arena_new(arena, MadeObject);
    *item = (MadeObject){ .kind = kind, .place = str_copy(arena, place), .name = str_copy(arena, name) };
    if (str_map_add(&made->names, key_of(arena, kind, place, name), item) == NULL) {
        vec_push(arena, &made->items, (const MadeObject *)item);
        str_map_add(&made->places, key_of(arena, kind, place, STR_NONE), item);
    }
}

void together_add_class(MadeObjects *made, Str name, const MadeClass *class) {
    const bool is_again = str_map_get(&made->names, key_of(made->arena, MADE_CLASS, STR_NONE, name)) != NULL;
    together_add(made, is_again ? MADE_CLASS_AGAIN : MADE_CLASS, STR_NONE, name);
    MadeObject *item = str_map_get_mutable(&made->names, key_of(made->arena, MADE_CLASS, STR_NONE, name));
    if (!is_again && item != NULL) {
        MadeClass *copy = arena_new(made->arena, MadeClass);
        *copy = *class;
        item->class = copy;
    }
}

// The namespace as it is written; empty: the command that applies the file says it.
static Str place_written(const PlanObject *object) {
    return object_text(object_get(object_get(object->fields, "metadata"), "namespace"));
}

// By its name alone, so that its place is a part of what is found, and by both.
static void add_in_place(MadeObjects *made, int kind, const PlanObject *object, Str name) {
    const Str place = place_written(object);
    MadeObject *item = arena_new(made->arena, MadeObject);
    *item = (MadeObject){ .kind = kind, .place = str_copy(made->arena, place) };
    if (name.len > 0 && place.len == 0) {
        str_map_add(&made->names, key_of(made->arena, kind + IN_NO_PLACE, STR_NONE, name), item);
    } else if (name.len > 0) {
        str_map_add(&made->names, key_of(made->arena, kind + IN_ANY_PLACE, STR_NONE, name), item);
        str_map_add(&made->names, key_of(made->arena, kind + IN_ANY_PLACE, place, name), item);
    }
}

void together_add_made(MadeObjects *made, const Plan *plan) {
    for (uint32_t i = 0; i < plan->objects.count; i++) {
        const PlanObject *object = plan->objects.items[i];
        const Str name = object_text(object_get(object_get(object->fields, "metadata"), "name"));
        if (is_made_as(object, &ROWS[MADE_SERVICE_ACCOUNT]) && place_written(object).len > 0) {
            together_add(made, MADE_ACCOUNT, STR_NONE,
                         str_format(made->arena, "%.*s:%.*s", STR_ARG(place_written(object)), STR_ARG(name)));
        }
        for (size_t k = 0; k < COUNT_OF(ROWS); k++) {
            if (is_made_as(object, &ROWS[k])) {
                together_add(made, (int)k, ROWS[k].has_place ? plan_namespace_of_object(object) : STR_NONE, name);
                add_in_place(made, (int)k, object, name);
            }
        }
    }
    channels_add_made(made, plan);
    classes_add_made(made, plan);
    places_add_made(made, plan);
    services_add_made(made, plan);
}

static const MadeObject *find_by_key(const MadeObjects *made, Str key, bool is_by_name) {
    return str_map_get(is_by_name ? &made->names : &made->places, key);
}

const MadeObject *made_find(Arena *arena, const MadeObjects *made, int kind, Str place, Str name) {
    return find_by_key(made, key_of(arena, kind, place, name), name.len > 0);
}

const MadeObject *together_find(Arena *arena, const FilesTogether *together, int kind, Str place, Str name) {
    const Str key = key_of(arena, kind, place, name);
    const MadeObject *found = NULL;
    for (uint32_t i = 0; i < together->made.count && found == NULL; i++) {
        found = find_by_key(together->made.items[i], key, name.len > 0);
    }
    return found;
}

typedef struct {
    Session *session;
    const FilesTogether *together;
    const PlanObject *object;
} NamesCheck;

static const MadeObject *find_made(const NamesCheck *check, int kind, Str place, Str name) {
    return together_find(check->session->arena, check->together, kind, place, name);
}

static Suggestion nearest(const NamesCheck *check, MadeKind kind, Str place, Str name) {
    Suggestion suggestion = suggest_for(check->session, name);
    for (uint32_t i = 0; i < check->together->made.count; i++) {
        const MadeObjects *made = check->together->made.items[i];
        for (uint32_t k = 0; k < made->items.count && !suggest_is_idle(&suggestion); k++) {
            const MadeObject *item = made->items.items[k];
            if (item->kind == (int)kind && str_equal(item->place, place)) {
                suggest_offer(&suggestion, item->name);
            }
        }
    }
    return suggestion;
}

// ---- what is asked for ---------------------------------------------------------------------------------------------

// Somebody fills the others in.
static bool is_plain(Str name) {
    return name.len > 0 && !str_has(name, "$") && !str_has(name, "{") && !str_has(name, "<");
}

// A pod beside the pools of its own file asks for one of these. Auto Mode of EKS has two of its own.
// source: Amazon EKS User Guide, Enable or disable built-in NodePools, read 2026-11
static bool is_of_file(const NamesCheck *check, const MadeRow *row, Str name) {
    bool has_pool = false;
    for (uint32_t i = 0; row == &ROWS[MADE_NODE_POOL] && i < check->object->beside->count && !has_pool; i++) {
        has_pool = is_made_as(check->object->beside->items[i], row);
    }
    return has_pool && !str_is(name, "general-purpose") && !str_is(name, "system");
}

// An object of the name that stands in another namespace alone, where both are written. Whether something was reported.
static bool check_place(const NamesCheck *check, int kind, const Value *name) {
    const Str text = object_text(name);
    const Str place = place_written(check->object);
    const bool is_own =
        check->object->kind != NULL || check->object->pods.count == 0; // else of an object in another one
    const MadeObject *other = is_own && is_plain(text) && is_plain(place) && !str_is(text, "default")
                                  ? find_made(check, kind + IN_ANY_PLACE, STR_NONE, text)
                                  : NULL;
    if (other == NULL || !is_plain(other->place) || find_made(check, kind + IN_ANY_PLACE, place, text) != NULL ||
        find_made(check, kind + IN_NO_PLACE, STR_NONE, text) != NULL) {
        return false;
    }
    const Str what =
        str_format(check->session->arena, "%s of the namespace `%.*s` called", ROWS[kind].what, STR_ARG(place));
    Diag *diag = plan_report(check->session, check->object->subject, name->span, DIAG(together_name),
                             str_c(check->session->arena, what), STR_ARG(text));
    diag_help(check->session, diag, "the one of this name is in the namespace `%.*s`: write both into one",
              STR_ARG(other->place));
    return true;
}

static void check_name(const NamesCheck *check, MadeKind kind, const Value *name) {
    const MadeRow *row = &ROWS[kind];
    const Str text = object_text(name);
    if ((row->has_place || kind == MADE_SERVICE_ACCOUNT) && check_place(check, (int)kind, name)) {
        return;
    }
    const Str place = row->has_place ? plan_namespace_of_object(check->object) : STR_NONE;
    const MadeObject *other = is_plain(text) ? find_made(check, kind, place, STR_NONE) : NULL;
    if (other == NULL || find_made(check, kind, place, text) != NULL || (row->is_near && str_is(text, "default")) ||
        is_of_cluster(row, text)) {
        return;
    }
    const Suggestion suggestion = nearest(check, kind, place, text);
    if (row->is_near && !suggest_is_sure(&suggestion) && !is_of_file(check, row, text)) {
        return;
    }
    Diag *diag =
        plan_report(check->session, check->object->subject, name->span, DIAG(together_name), row->what, STR_ARG(text));
    if (!suggest_say(check->session, diag, &suggestion, name->span)) {
        diag_help(check->session, diag, "write one that a file makes, such as `%.*s`", STR_ARG(other->name));
    }
    // Who says a name several times means it.
    const Str file = source_get(check->session, name->span.source)->text;
    const size_t at = str_find(file, text, 0);
    if (row->is_helped || str_find(file, text, at + 1) < file.len) {
        diag->fixes.count = 0;
    }
}

// What the pod cannot be without.
static const Value *required_name(const Value *source) {
    return object_get(source, "optional") != NULL ? NULL : object_get(source, "name");
}

static const Value *required_secret(const Value *volume) {
    const Value *secret = object_get(volume, "secret");
    return object_get(secret, "optional") != NULL ? NULL : object_get(secret, "secretName");
}

// ---- keys ------------------------------------------------------------------------------------------------------------

// The one object of a type and a name that stands in the file, in the namespace of the pod; NULL: none, or several.
static const PlanObject *beside_object(const NamesCheck *check, const char *type, Str name) {
    enum { COMPARED_MAX = 500 };
    const PlanObjects *all = check->object->beside;
    const Str place = plan_namespace_of_object(check->object);
    const PlanObject *found = NULL;
    uint32_t count = 0;
    for (uint32_t i = 0; all != NULL && is_plain(name) && i < all->count && i < COMPARED_MAX; i++) {
        const PlanObject *object = all->items[i];
        const bool is_one = str_is(object->resource->type, type) && str_equal(plan_name_of_object(object), name) &&
                            str_equal(plan_namespace_of_object(object), place);
        found = is_one ? object : found;
        count += is_one;
    }
    return count == 1 && !found->is_changed ? found : NULL;
}

// Whether an object has the key, or nobody knows its keys; offers those that it has.
static bool has_key(const PlanObject *object, Str key, Suggestion *suggestion) {
    static const char *const MAPS[] = { "data", "stringData", "binaryData" };
    bool is_known = false;
    for (size_t k = 0; k < COUNT_OF(MAPS); k++) {
        const Value *map = object_get(object->fields, MAPS[k]);
        if (map != NULL && map->kind != VALUE_MAP) {
            return true;
        }
        for (uint32_t i = 0; map != NULL && i < map->map.count; i++) {
            const Str own = map->map.entries[i].key;
            is_known = true;
            if (str_equal(own, key) || !is_plain(own)) {
                return true;
            }
            suggest_offer(suggestion, own);
        }
    }
    return !is_known; // somebody fills in one that is empty
}

// The container does not start without it, and its volume is not mounted.
static void check_key(const NamesCheck *check, const char *type, Str name, const Value *key) {
    const PlanObject *object = is_plain(object_text(key)) ? beside_object(check, type, name) : NULL;
    Suggestion suggestion = suggest_for(check->session, object_text(key));
    if (object == NULL || has_key(object, key->string, &suggestion)) {
        return;
    }
    const Str what = str_format(check->session->arena, "key of the %.*s `%.*s` called",
                                STR_ARG(str_after_last(str_of(type), '/')), STR_ARG(name));
    Diag *diag = plan_report(check->session, check->object->subject, key->span, DIAG(together_name),
                             str_c(check->session->arena, what), STR_ARG(key->string));
    diag_label(check->session, diag, object_get(object_get(object->fields, "metadata"), "name")->span, "it has others");
    if (!suggest_say(check->session, diag, &suggestion, key->span)) {
        diag_help(check->session, diag, "write one of its keys, or add this one to it");
    }
    diag->fixes.count = 0;
}

static void check_keys_of_env(const NamesCheck *check, const Value *env) {
    static const char *const REFS[] = { "configMapKeyRef", "secretKeyRef" };
    static const char *const TYPES[] = { "v1/ConfigMap", "v1/Secret" };
    for (uint32_t i = 0; i < object_count(env); i++) {
        for (size_t k = 0; k < COUNT_OF(REFS); k++) {
            const Value *source = object_get(object_get(env->list.items[i], "valueFrom"), REFS[k]);
            if (source != NULL && object_get(source, "optional") == NULL) {
                check_key(check, TYPES[k], object_text(object_get(source, "name")), object_get(source, "key"));
            }
        }
    }
}

static void check_keys_of_volume(const NamesCheck *check, const Value *volume) {
    const Value *const sources[] = { object_get(volume, "configMap"), object_get(volume, "secret") };
    const Str names[] = { object_text(object_get(sources[0], "name")),
                          object_text(object_get(sources[1], "secretName")) };
    static const char *const TYPES[] = { "v1/ConfigMap", "v1/Secret" };
    for (size_t k = 0; k < COUNT_OF(TYPES); k++) {
        const Value *items = object_get(sources[k], "items");
        for (uint32_t i = 0; object_get(sources[k], "optional") == NULL && i < object_count(items); i++) {
            check_key(check, TYPES[k], names[k], object_get(items->list.items[i], "key"));
        }
    }
}

// The volume of a mount; NULL: the pod has none.
static const Value *volume_of(const Value *volumes, Str name) {
    for (uint32_t i = 0; name.len > 0 && i < object_count(volumes); i++) {
        if (str_equal(object_text(object_get(volumes->list.items[i], "name")), name)) {
            return volumes->list.items[i];
        }
    }
    return NULL;
}

// A mount of one file of a map, which is called as its key. Where the volume lists `items`, it may be called otherwise.
static void check_keys_of_mounts(const NamesCheck *check, const Value *volumes, const Value *container) {
    enum { MOUNTS_MAX = 100 };
    const Value *mounts = object_get(container, "volumeMounts");
    for (uint32_t i = 0; object_count(volumes) < MOUNTS_MAX && i < object_count(mounts) && i < MOUNTS_MAX; i++) {
        const Value *mount = mounts->list.items[i];
        const Value *part = object_get(mount, "subPath");
        const Value *volume = volume_of(volumes, object_text(object_get(mount, "name")));
        const Value *map = object_get(volume, "configMap");
        const Value *secret = object_get(volume, "secret");
        const Value *source = map != NULL ? map : secret;
        if (str_has(object_text(part), "/") || object_get(source, "items") != NULL ||
            object_get(source, "optional") != NULL) {
            continue;
        }
        check_key(check, map != NULL ? "v1/ConfigMap" : "v1/Secret",
                  object_text(object_get(source, map != NULL ? "name" : "secretName")), part);
    }
}

static void check_sources(const NamesCheck *check, const Value *container) {
    const Value *env = object_get(container, "env");
    const Value *from = object_get(container, "envFrom");
    for (uint32_t i = 0; i < object_count(env); i++) {
        const Value *source = object_get(env->list.items[i], "valueFrom");
        check_name(check, MADE_CONFIG_MAP, required_name(object_get(source, "configMapKeyRef")));
        check_name(check, MADE_SECRET, required_name(object_get(source, "secretKeyRef")));
    }
    for (uint32_t i = 0; i < object_count(from); i++) {
        check_name(check, MADE_CONFIG_MAP, required_name(object_get(from->list.items[i], "configMapRef")));
        check_name(check, MADE_SECRET, required_name(object_get(from->list.items[i], "secretRef")));
    }
}

static void check_pod(const NamesCheck *check, const Value *pod) {
    static const char *const KEYS[] = { "initContainers", "containers" };
    const Value *volumes = object_get(pod, "volumes");
    const Value *secrets = object_get(pod, "imagePullSecrets");
    check_name(check, MADE_NODE_POOL, pod_pool(pod));
    check_name(check, MADE_SERVICE_ACCOUNT, object_get(pod, "serviceAccountName"));
    check_name(check, MADE_PRIORITY_CLASS, object_get(pod, "priorityClassName"));
    check_name(check, MADE_RUNTIME_CLASS, object_get(pod, "runtimeClassName"));
    for (uint32_t i = 0; i < object_count(secrets); i++) {
        check_name(check, MADE_SECRET, object_get(secrets->list.items[i], "name"));
    }
    for (uint32_t i = 0; i < object_count(volumes); i++) {
        const Value *volume = volumes->list.items[i];
        const Value *map = object_get(volume, "configMap");
        check_name(check, MADE_CLAIM, object_get(object_get(volume, "persistentVolumeClaim"), "claimName"));
        check_name(check, MADE_CONFIG_MAP, required_name(map));
        check_name(check, MADE_SECRET, required_secret(volume));
        check_keys_of_volume(check, volume);
    }
    for (size_t k = 0; k < COUNT_OF(KEYS); k++) {
        const Value *containers = object_get(pod, KEYS[k]);
        for (uint32_t i = 0; i < object_count(containers); i++) {
            check_sources(check, containers->list.items[i]);
            check_keys_of_env(check, object_get(containers->list.items[i], "env"));
            check_keys_of_mounts(check, volumes, containers->list.items[i]);
        }
    }
}

static void check_flavors(const NamesCheck *check, const Value *spec) {
    const Value *groups = object_get(spec, "resourceGroups");
    for (uint32_t i = 0; i < object_count(groups); i++) {
        const Value *flavors = object_get(groups->list.items[i], "flavors");
        for (uint32_t k = 0; k < object_count(flavors); k++) {
            check_name(check, MADE_FLAVOR, object_get(flavors->list.items[k], "name"));
        }
    }
}

// source: kubernetes-sigs/kueue@ff69552e apis/kueue/v1beta2, ClusterQueueSpec, AdmissionChecksStrategy, read 2026-11
static void check_admission_checks(const NamesCheck *check, const Value *spec) {
    const Value *names = object_get(spec, "admissionChecks");
    const Value *strategies = object_get(object_get(spec, "admissionChecksStrategy"), "admissionChecks");
    for (uint32_t i = 0; i < object_count(names); i++) {
        check_name(check, MADE_ADMISSION_CHECK, names->list.items[i]);
    }
    for (uint32_t i = 0; i < object_count(strategies); i++) {
        check_name(check, MADE_ADMISSION_CHECK, object_get(strategies->list.items[i], "name"));
        const Value *flavors = object_get(strategies->list.items[i], "onFlavors");
        for (uint32_t k = 0; k < object_count(flavors); k++) {
            check_name(check, MADE_FLAVOR, flavors->list.items[k]);
        }
    }
}

static void check_parents(const NamesCheck *check, const Value *spec) {
    static const char *const KEYS[] = { "cohort", "cohortName", "parent", "parentName" };
    for (size_t i = 0; i < COUNT_OF(KEYS); i++) {
        check_name(check, MADE_COHORT, object_get(spec, KEYS[i]));
    }
}

// Of an AdmissionCheck the configuration, and of a binding its role.
static void check_reference(const NamesCheck *check, const Value *reference) {
    static const MadeKind KINDS[] = { MADE_PROVISIONING, MADE_MULTI_KUEUE, MADE_ROLE, MADE_CLUSTER_ROLE };
    for (size_t i = 0; i < COUNT_OF(KINDS); i++) {
        if (str_is(object_text(object_get(reference, "kind")), ROWS[KINDS[i]].kind)) {
            check_name(check, KINDS[i], object_get(reference, "name"));
        }
    }
}

static void check_object(const NamesCheck *check) {
    const Value *metadata = object_get(check->object->fields, "metadata");
    const Value *labels = object_get(metadata, "labels");
    const Value *spec = object_get(check->object->fields, "spec");
    check_name(check, MADE_NAMESPACE, object_get(metadata, "namespace"));
    for (uint32_t i = 0; i < check->object->pods.count; i++) {
        check_pod(check, check->object->pods.items[i].spec);
    }
    check_name(check, MADE_LOCAL_QUEUE, object_get(labels, "kueue.x-k8s.io/queue-name"));
    check_name(check, MADE_PRIORITY, object_get(labels, "kueue.x-k8s.io/priority-class"));
    if (is_made_as(check->object, &ROWS[MADE_LOCAL_QUEUE])) {
        check_name(check, MADE_CLUSTER_QUEUE, object_get(spec, "clusterQueue"));
    } else if (is_made_as(check->object, &ROWS[MADE_CLUSTER_QUEUE])) {
        check_flavors(check, spec);
        check_admission_checks(check, spec);
        check_parents(check, spec);
    } else if (is_made_as(check->object, &ROWS[MADE_COHORT])) {
        check_parents(check, spec);
    } else if (is_made_as(check->object, &ROWS[MADE_ADMISSION_CHECK])) {
        check_reference(check, object_get(spec, "parameters"));
    } else if (str_starts_with(check->object->resource->type, str_of(ROWS[MADE_ROLE].group))) {
        check_reference(check, object_get(check->object->fields, "roleRef"));
    } else if (is_made_as(check->object, &ROWS[MADE_FLAVOR])) {
        check_name(check, MADE_TOPOLOGY, object_get(spec, "topologyName"));
    } else if (str_starts_with(check->object->resource->type, STR("batch.volcano.sh/")) &&
               !str_is(object_text(object_get(spec, "queue")), "default")) {
        check_name(check, MADE_QUEUE, object_get(spec, "queue"));
    }
}

void together_check_names(Session *session, const Plan *plan, const FilesTogether *together) {
    NamesCheck check = { .session = session, .together = together };
    for (uint32_t i = 0; i < plan->objects.count; i++) {
        check.object = plan->objects.items[i];
        if (!check.object->is_changed) {
            check_object(&check);
        }
        together_check_account(session, check.object, together); // which may be all of an account, or a part
    }
}
