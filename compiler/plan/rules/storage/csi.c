// Rules about what drivers of AWS read of a volume, of a class of volumes and of a claim. Kubernetes takes any text there.
// The driver looks when a claim or a pod waits for the volume.
#include "compiler/plan/rules/rules.h"
#include "compiler/plan/rules/pod_count.h"
#include "compiler/plan/rules/rule_remove.h"

#include "compiler/base/suggest.h"
#include "compiler/base/words.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object_value.h"

typedef struct {
    const char *type;
    const char *driver;
    const char *key;
    const char *instead;
    const char *why;
    bool is_guessed; // the driver takes a value of its own, which some volumes have
} Need;

typedef struct {
    const char *driver;
    const char *others;
    const char *keys;
} Parameters;

static const Need NEEDS[] = {
#define CSI_NEEDS(...) { __VA_ARGS__, false },
#define CSI_GUESSES(...) { __VA_ARGS__, true },
#define CSI_PARAMETERS(...)
#include "schema/csi_drivers.def"
#undef CSI_NEEDS
#undef CSI_GUESSES
#undef CSI_PARAMETERS
};

static const Parameters PARAMETERS[] = {
#define CSI_NEEDS(...)
#define CSI_GUESSES(...)
#define CSI_PARAMETERS(...) { __VA_ARGS__ },
#include "schema/csi_drivers.def"
#undef CSI_NEEDS
#undef CSI_GUESSES
#undef CSI_PARAMETERS
};

static const char CLASS[] = "storage.k8s.io/v1/StorageClass";

// What one driver reads of one object.
typedef struct {
    const Rules *rules;
    const PlanObject *object;
    Str driver;
    const char *name; // of the map
    const Value *map; // NULL: not written
    Span span;        // of what names the driver
} DriverCheck;

// ---- what each has -------------------------------------------------------------------------------------------------

// Capitals and signs aside: MountName, mount-name.
static bool is_nearly(Str text, const char *key) {
    size_t at = 0;
    for (size_t i = 0; i < text.len; i++) {
        const char c = char_small(text.data[i]);
        if (c == '-' || c == '_') {
            continue;
        }
        if (key[at] == '\0' || char_small(key[at]) != c) {
            return false;
        }
        at++;
    }
    return key[at] == '\0';
}

static const ValueEntry *find_nearly(const Value *map, const char *key) {
    for (uint32_t i = 0; map != NULL && i < map->map.count; i++) {
        if (is_nearly(map->map.entries[i].key, key)) {
            return &map->map.entries[i];
        }
    }
    return NULL;
}

static bool has_any(const Value *map, Str keys) {
    size_t offset = 0;
    Str key;
    while (map != NULL && words_next(keys, &offset, &key)) {
        if (value_find(map, key) != NULL) {
            return true;
        }
    }
    return false;
}

static void say_spelling(const DriverCheck *check, const ValueEntry *entry, const char *key) {
    Arena *arena = check->rules->session->arena;
    Diag *diag = plan_report(check->rules->session, check->object->subject, entry->key_span, DIAG(takes_other),
                             check->name, str_c(arena, str_format(arena, "`%s`", key)),
                             str_c(arena, str_format(arena, "`%.*s`", STR_ARG(entry->key))));
    diag_help(check->rules->session, diag, "write `%s`", key);
}

static void check_need(const DriverCheck *check, const Need *need) {
    const ValueEntry *near = find_nearly(check->map, need->key);
    if (has_any(check->map, str_of(need->key)) || has_any(check->map, str_of(need->instead))) {
        return;
    }
    if (near != NULL) {
        say_spelling(check, near, need->key);
        return;
    }
    Session *session = check->rules->session;
    const Subject *subject = check->object->subject;
    Diag *diag =
        need->is_guessed
            ? plan_report(session, subject, check->span, DIAG(driver_guesses), check->name, need->key, need->why)
            : plan_report(session, subject, check->span, DIAG(driver_needs), check->name, need->key, need->why);
    diag_help(session, diag, "write `%s` into `%s`", need->key, check->name);
}

static void check_needs(const DriverCheck *check) {
    for (size_t i = 0; i < COUNT_OF(NEEDS); i++) {
        const bool is_of_it = str_is(check->object->resource->type, NEEDS[i].type);
        if (is_of_it && str_is(check->driver, NEEDS[i].driver)) {
            check_need(check, &NEEDS[i]);
        }
    }
}

// ---- parameters of a class -----------------------------------------------------------------------------------------

// The driver of EBS reads its keys without regard to capitals.
static bool is_read(const Parameters *row, Str key) {
    const Str words = str_of(row->keys);
    size_t offset = 0;
    Str word;
    while (words_next(words, &offset, &word)) {
        if (str_equal(word, key) || (row->others[0] != '\0' && str_equal_in_any_case(word, key))) {
            return true;
        }
    }
    return false;
}

// Of these check_need() says it.
static bool is_needed(const DriverCheck *check, Str key) {
    bool is = false;
    for (size_t i = 0; i < COUNT_OF(NEEDS); i++) {
        is = is || (str_is(check->driver, NEEDS[i].driver) && is_nearly(key, NEEDS[i].key));
    }
    return is;
}

// Kubernetes takes some keys for itself, and tags of a volume have any number behind their name.
static bool is_of_others(Str key) {
    return str_find(key, STR("/"), 0) < key.len || str_starts_with(key, STR("tagSpecification"));
}

static void check_parameter(const DriverCheck *check, const Parameters *row, const ValueEntry *entry) {
    Session *session = check->rules->session;
    if (is_read(row, entry->key) || is_needed(check, entry->key) || is_of_others(entry->key)) {
        return;
    }
    const Str words = str_of(row->keys);
    Suggestion suggestion = suggest_for(session, entry->key);
    size_t offset = 0;
    Str word;
    while (words_next(words, &offset, &word)) {
        suggest_offer(&suggestion, word);
    }
    // A newer driver may read a parameter that an older one passes over.
    if (row->others[0] == '\0' && suggestion.best.len == 0) {
        return;
    }
    Diag *diag =
        plan_report(session, check->object->subject, entry->key_span, DIAG(driver_parameter), STR_ARG(check->driver),
                    STR_ARG(entry->key), row->others[0] == '\0' ? "passes over it" : "refuses each claim");
    diag_label(session, diag, check->span, "the driver");
    if (!suggest_say(session, diag, &suggestion, entry->key_span)) {
        diag_help(session, diag, "leave it out");
        rule_remove(check->rules, diag, entry->key_span, false);
    }
}

static void check_parameters(const DriverCheck *check) {
    for (size_t i = 0; i < COUNT_OF(PARAMETERS); i++) {
        for (uint32_t k = 0; str_is(check->driver, PARAMETERS[i].driver) && k < check->map->map.count; k++) {
            check_parameter(check, &PARAMETERS[i], &check->map->map.entries[k]);
        }
    }
}

// ----------------------------------------------------------------------------------------------------------------------

static void check_object(const DriverCheck *check) {
    if (check->driver.len > 0 && (check->map == NULL || check->map->kind == VALUE_MAP)) {
        check_needs(check);
    }
}

void rule_volume_attributes(const Rules *rules, const PlanObject *object) {
    const Value *csi = object_get(object_get(object->fields, "spec"), "csi");
    const Value *driver = object_get(csi, "driver");
    if (!object->is_changed && driver != NULL && str_is(object->resource->type, "v1/PersistentVolume")) {
        check_object(&(DriverCheck){ .rules = rules,
                                     .object = object,
                                     .driver = object_text(driver),
                                     .name = "volumeAttributes",
                                     .map = object_get(csi, "volumeAttributes"),
                                     .span = driver->span });
    }
}

// A class without parameters is for volumes that are there already.
void rule_volume_class(const Rules *rules, const PlanObject *object) {
    const Value *driver = object_get(object->fields, "provisioner");
    const Value *map = object_get(object->fields, "parameters");
    if (object->is_changed || driver == NULL || !str_is(object->resource->type, CLASS) || map == NULL ||
        map->kind != VALUE_MAP || map->map.count == 0) {
        return;
    }
    const DriverCheck check = { .rules = rules,
                                .object = object,
                                .driver = object_text(driver),
                                .name = "parameters",
                                .map = map,
                                .span = driver->span };
    check_object(&check);
    check_parameters(&check);
}

// ---- claims --------------------------------------------------------------------------------------------------------

static const PlanObject *class_named(const Rules *rules, Str name) {
    enum { COMPARED_MAX = 500 };
    for (uint32_t i = 0; name.len > 0 && i < rules->plan->objects.count && i < COMPARED_MAX; i++) {
        const PlanObject *object = rules->plan->objects.items[i];
        if (str_is(object->resource->type, CLASS) && str_equal(plan_name_of_object(object), name)) {
            return object;
        }
    }
    return NULL;
}

// kubernetes-sigs/aws-ebs-csi-driver@429e202e pkg/driver/controller.go, isValidCapability, 2026-08; EKS Auto Mode, Create
// a storage class, read 2026-11. Its driver takes the same.
static bool is_ebs(Str driver) {
    static const char *const DRIVERS[] = { "ebs.csi.aws.com", "ebs.csi.eks.amazonaws.com", "kubernetes.io/aws-ebs" };
    for (size_t i = 0; i < COUNT_OF(DRIVERS); i++) {
        if (str_is(driver, DRIVERS[i])) {
            return true;
        }
    }
    return false;
}

// A volume as a block device may be attached to several nodes, and one that is there already is not asked about.
static void check_claim(const Rules *rules, const PlanObject *object, const Value *spec) {
    static const char *const SHARED[] = { "ReadWriteMany", "ReadOnlyMany" };
    const Value *name = object_get(spec, "storageClassName");
    const PlanObject *class = class_named(rules, object_text(name));
    const Value *driver = class == NULL ? NULL : object_get(class->fields, "provisioner");
    const Value *modes = object_get(spec, "accessModes");
    const bool is_open = object_get(spec, "volumeMode") != NULL || object_get(spec, "volumeName") != NULL ||
                         object_get(spec, "selector") != NULL;
    for (uint32_t i = 0; !is_open && is_ebs(object_text(driver)) && i < object_count(modes); i++) {
        const Value *mode = modes->list.items[i];
        if (!str_is(object_text(mode), SHARED[0]) && !str_is(object_text(mode), SHARED[1])) {
            continue;
        }
        Diag *diag = plan_report(rules->session, object->subject, mode->span, DIAG(claim_access),
                                 STR_ARG(object_text(name)), STR_ARG(mode->string));
        diag_label(rules->session, diag, driver->span, "a volume of EBS is of one node");
        diag_help(rules->session, diag, "write `ReadWriteOnce`, or take a class of EFS or FSx");
        return;
    }
}

void rule_claim_access(const Rules *rules, const PlanObject *object) {
    const Value *spec = object_get(object->fields, "spec");
    const Value *templates = object_get(spec, "volumeClaimTemplates");
    if (object->is_changed) {
        return;
    }
    if (str_is(object->resource->type, "v1/PersistentVolumeClaim")) {
        check_claim(rules, object, spec);
    }
    for (uint32_t i = 0; str_is(object->resource->type, "apps/v1/StatefulSet") && i < object_count(templates); i++) {
        check_claim(rules, object, object_get(templates->list.items[i], "spec"));
    }
}

// ---- pods that mount it ----------------------------------------------------------------------------------------------

static const PlanObject *claim_named(const Rules *rules, const PlanObject *user, Str name) {
    enum { COMPARED_MAX = 500 };
    const Str place = plan_namespace_of_object(user);
    for (uint32_t i = 0; name.len > 0 && i < rules->plan->objects.count && i < COMPARED_MAX; i++) {
        const PlanObject *object = rules->plan->objects.items[i];
        if (str_is(object->resource->type, "v1/PersistentVolumeClaim") && !object->is_changed &&
            str_equal(plan_name_of_object(object), name) && str_equal(plan_namespace_of_object(object), place)) {
            return object;
        }
    }
    return NULL;
}

// EKS has a class `gp2` of its own, and people call one of gp3 so. The driver of EFS asks no claim for how many nodes it is.
static bool is_claim_of_ebs(const Rules *rules, const Value *spec) {
    const Value *name = object_get(spec, "storageClassName");
    const PlanObject *class = class_named(rules, object_text(name));
    return class != NULL ? is_ebs(object_text(object_get(class->fields, "provisioner")))
                         : str_is(object_text(name), "gp2") || str_is(object_text(name), "gp3");
}

// What lets one node, or one pod, have the volume; NULL: several may.
static const Value *mode_of_one(const Rules *rules, const PlanObject *claim) {
    const Value *spec = object_get(claim->fields, "spec");
    const Value *modes = object_get(spec, "accessModes");
    const Value *mode = object_count(modes) == 1 ? modes->list.items[0] : NULL;
    const bool is_of_pod = str_is(object_text(mode), "ReadWriteOncePod");
    const bool is_of_node = str_is(object_text(mode), "ReadWriteOnce") && is_claim_of_ebs(rules, spec);
    return is_of_pod || is_of_node ? mode : NULL;
}

static void check_use(const Rules *rules, const PlanObject *object, const Value *name, int64_t pods) {
    const PlanObject *claim = claim_named(rules, object, object_text(name));
    const Value *mode = claim == NULL ? NULL : mode_of_one(rules, claim);
    if (mode == NULL) {
        return;
    }
    Session *session = rules->session;
    Diag *diag =
        plan_report(session, object->subject, name->span, DIAG(claim_of_one_node), STR_ARG(name->string), pods);
    diag_label(session, diag, mode->span, str_is(mode->string, "ReadWriteOnce") ? "of one node" : "of one pod");
    diag_help(session, diag, "claim a volume of EFS or FSx with `ReadWriteMany`, or run one pod");
}

void rule_claim_of_one_node(const Rules *rules, const PlanObject *object) {
    for (uint32_t i = 0; !object->is_changed && i < object->pods.count; i++) {
        const Value *pod = object->pods.items[i].spec;
        const Value *volumes = object_get(pod, "volumes");
        const int64_t pods = object_count(volumes) == 0 ? 0 : pods_of_template(object, pod);
        for (uint32_t k = 0; pods > 1 && k < object_count(volumes); k++) {
            const Value *claim = object_get(volumes->list.items[k], "persistentVolumeClaim");
            const Value *name = object_get(claim, "claimName");
            if (name != NULL && name->kind == VALUE_STRING) {
                check_use(rules, object, name, pods);
            }
        }
    }
}
