// Rules about pods that Kubernetes refuses, or that run and do not work. They are about what containers ask for, the
// labels that a selector needs, and what pods mount.
#include "compiler/plan/rules/workload/amounts.h"

#include "compiler/plan/rules/rules.h"

#include "compiler/base/suggest.h"
#include "compiler/base/words.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/rule_insert.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/model/pod_type.h"
#include "compiler/plan/model/kubernetes_quantity.h"
#include "compiler/plan/rules/rule_word.h"
#include "compiler/plan/rules/rule_remove.h"
#include "compiler/script/shell_commands.h"
#include "schema/names.h"

typedef struct {
    const Rules *rules;
    const PlanObject *object;
    const PlanPod *pod;
} PodCheck;

static bool is_text(const Value *value, const char *text) {
    return value != NULL && value->kind == VALUE_STRING && str_is(value->string, text);
}

// ---- amounts ---------------------------------------------------------------------------------------------------

static bool is_pages(Str name) {
    return str_starts_with(name, STR("hugepages-"));
}

// Each of `requests`, which are devices or pages, against the limits beside them, which may be NULL.
static void check_pair(const PodCheck *check, const ValueEntry *entry, const Value *resources) {
    const Value *limits = object_get(resources, "limits");
    Session *session = check->rules->session;
    double request;
    double limit;
    const Value *other = limits == NULL ? NULL : value_find(limits, entry->key);
    const bool is_empty = entry->value->kind == VALUE_NULL && other != NULL && other->kind == VALUE_NULL;
    if ((limits != NULL && limits->kind != VALUE_MAP) || is_empty) {
        return;
    }
    if ((other == NULL || other->kind == VALUE_NULL) && check->pod->is_part) {
        return;
    }
    if (other == NULL || other->kind == VALUE_NULL) {
        Diag *diag = plan_report(session, check->object->subject, entry->key_span, DIAG(pod_limits),
                                 STR_ARG(entry->key), "a request and no limit");
        diag_help(session, diag, "move it to `limits`");
        if (entry->value->kind == VALUE_INT) {
            rule_insert_beside(check->rules, diag, resources->map.entries[0].key_span,
                               str_format(session->arena, "limits|%.*s", STR_ARG(entry->key)),
                               str_format(session->arena, "%" PRId64, entry->value->integer));
        }
    } else if (quantity_read(entry->value, &request) && quantity_read(other, &limit) &&
               (request < limit || request > limit)) {
        Diag *diag = plan_report(session, check->object->subject, entry->value->span, DIAG(pod_limits),
                                 STR_ARG(entry->key), "a request that differs from its limit");
        diag_label(session, diag, other->span, "the limit");
        diag_help(session, diag, "write it under `limits` alone");
    }
}

// What may be had over: a request is at most the limit.
static void check_shared(const PodCheck *check, const ValueEntry *entry, const Value *limits) {
    Session *session = check->rules->session;
    const Value *other = limits != NULL && limits->kind == VALUE_MAP ? value_find(limits, entry->key) : NULL;
    const double rounding = 1e-9; // of `1.1` beside `1100m`
    double request;
    double limit;
    if (other == NULL || !quantity_read(entry->value, &request) || !quantity_read(other, &limit) ||
        request <= limit * (1 + rounding) || amount_is_odd(entry->key, request) || amount_is_odd(entry->key, limit)) {
        return; // of an odd one rule amounts speaks
    }
    Diag *diag = plan_report(session, check->object->subject, entry->value->span, DIAG(pod_limits), STR_ARG(entry->key),
                             "a request above its limit");
    diag_label(session, diag, other->span, "the limit");
    diag_help(session, diag, "write a smaller request, or a larger limit");
}

static void check_amounts(const PodCheck *check, const Value *container) {
    const Value *resources = object_get(container, "resources");
    const Value *limits = object_get(resources, "limits");
    const Value *requests = object_get(resources, "requests");
    const Value *const maps[] = { requests, limits };
    const ValueEntry *pages = NULL;
    bool has_late = false;
    for (size_t i = 0; i < COUNT_OF(maps); i++) {
        has_late = has_late || (maps[i] != NULL && maps[i]->kind != VALUE_MAP);
        for (uint32_t k = 0; maps[i] != NULL && maps[i]->kind == VALUE_MAP && k < maps[i]->map.count; k++) {
            const ValueEntry *entry = &maps[i]->map.entries[k];
            pages = is_pages(entry->key) ? entry : pages;
            if (i == 0 && (pod_is_device(entry->key) || is_pages(entry->key))) {
                check_pair(check, entry, resources);
            } else if (i == 0) {
                check_shared(check, entry, limits);
            }
        }
    }
    const bool has_other = object_get(limits, "cpu") != NULL || object_get(limits, "memory") != NULL ||
                           object_get(requests, "cpu") != NULL || object_get(requests, "memory") != NULL;
    if (pages != NULL && !has_other && !has_late && !check->pod->is_part) {
        Diag *diag = plan_report(check->rules->session, check->object->subject, pages->key_span, DIAG(pod_pages),
                                 STR_ARG(pages->key));
        diag_help(check->rules->session, diag, "add `%s`, or what the container needs, beside it",
                  check->object->is_manifest ? "memory: 8Gi" : "memory = \"8Gi\"");
    }
}

// ---- shared memory ---------------------------------------------------------------------------------------------

static bool mounts_shm(const Value *container) {
    const Value *mounts = object_get(container, "volumeMounts");
    if (mounts != NULL && mounts->kind != VALUE_LIST) {
        return true; // perhaps
    }
    for (uint32_t i = 0; i < object_count(mounts); i++) {
        const Value *path = object_get(mounts->list.items[i], "mountPath");
        if (path == NULL || path->kind != VALUE_STRING || str_is(path->string, "/dev/shm") ||
            str_is(path->string, "/dev/shm/") || str_is(path->string, "/dev")) {
            return true;
        }
    }
    return false;
}

// The `emptyDir` that a container mounts at /dev/shm; NULL: there is none.
static const Value *room_of_shm(const PodCheck *check, const Value *container) {
    const Value *mounts = object_get(container, "volumeMounts");
    const Value *volumes = object_get(check->pod->spec, "volumes");
    for (uint32_t i = 0; i < object_count(mounts); i++) {
        const Value *path = object_get(mounts->list.items[i], "mountPath");
        const Value *name = object_get(mounts->list.items[i], "name");
        const bool is_shm = path != NULL && path->kind == VALUE_STRING && str_is(path->string, "/dev/shm");
        for (uint32_t k = 0; is_shm && k < object_count(volumes); k++) {
            const Value *volume = object_get(volumes->list.items[k], "name");
            const Value *room = object_get(volumes->list.items[k], "emptyDir");
            const bool is_same = volume != NULL && name != NULL && volume->kind == VALUE_STRING &&
                                 name->kind == VALUE_STRING && str_equal(volume->string, name->string);
            if (is_same && room != NULL && room->kind == VALUE_MAP) {
                return room;
            }
        }
    }
    return NULL;
}

// Whether a script only waits, and says what it sees.
static bool only_waits(Arena *arena, Str script) {
    static const char *const PROGRAMS[] = { "echo", "sleep", "nvidia-smi", "ls",   "true", ":",   "date",
                                            "env",  "tail",  "hostname",   "trap", "wait", "exit" };
    ShellCommands commands;
    bool waits = shell_commands(arena, script, &commands) && commands.count > 0;
    for (uint32_t i = 0; waits && i < commands.count; i++) {
        const ShellSimple *command = &commands.items[i];
        const Str program =
            command->program < command->words.count ? command->words.items[command->program] : STR("true");
        waits = false;
        for (size_t k = 0; k < COUNT_OF(PROGRAMS); k++) {
            waits = waits || str_is(str_after_last(program, '/'), PROGRAMS[k]);
        }
    }
    return waits;
}

// The whole command of a container, where it is one that only waits.
static bool is_idle(Arena *arena, const Value *container) {
    static const char *const KEYS[] = { "command", "args" };
    StrBuf text = { .arena = arena };
    bool is_script = false;
    for (size_t i = 0; i < COUNT_OF(KEYS); i++) {
        const Value *words = object_get(container, KEYS[i]);
        for (uint32_t k = 0; k < object_count(words); k++) {
            const Str word = object_text(words->list.items[k]);
            const bool is_shell = text.len == 0 && str_ends_with(word, STR("sh"));
            const bool is_option = str_starts_with(word, STR("-")) && str_ends_with(word, STR("c"));
            is_script = is_script || is_shell;
            if (!is_shell && !(is_script && text.len == 0 && is_option)) {
                strbuf_add(&text, text.len == 0 ? STR_NONE : STR(" "));
                strbuf_add(&text, word);
            }
        }
    }
    return text.len > 0 && only_waits(arena, strbuf_str(&text));
}

// Images in which no program passes data between GPUs: one that waits, one that heats each by itself, and a bare system.
static bool has_no_peers(const Value *container) {
    static const char *const NAMES[] = { "pause",  "gpu-burn", "gpu_burn", "gpuburn",     "ubuntu",    "debian",
                                         "alpine", "busybox",  "fedora",   "amazonlinux", "rockylinux" };
    const Value *image = object_get(container, "image");
    if (image == NULL || image->kind != VALUE_STRING) {
        return false;
    }
    Str name = image->string;
    for (size_t slash = str_find(name, STR("/"), 0); slash < name.len; slash = str_find(name, STR("/"), 0)) {
        name = str_slice(name, slash + 1, name.len);
    }
    const Str tag = str_slice(name, str_find(name, STR(":"), 0), name.len);
    name = str_slice(name, 0, name.len - tag.len);
    if (str_is(name, "cuda") && str_has(tag, "-base")) { // without NCCL
        return true;
    }
    for (size_t i = 0; i < COUNT_OF(NAMES); i++) {
        if (str_is(name, NAMES[i])) {
            return true;
        }
    }
    return false;
}

// A limit that is no larger than what a container has without a volume.
static void check_room_of_shm(const PodCheck *check, const Value *room, Str gpus) {
    Session *session = check->rules->session;
    const Value *limit = object_get(room, "sizeLimit");
    double bytes;
    if (object_get(room, "medium") == NULL) {
        Diag *diag = plan_report(session, check->object->subject, room->span, DIAG(pod_shm_on_disk));
        diag_help(session, diag, "write `%s` into the `emptyDir`",
                  check->object->is_manifest ? "medium: Memory" : "medium = \"Memory\"");
    } else if (limit != NULL && quantity_read(limit, &bytes) && bytes > 0 && bytes <= LIMIT_DOCKER_SHM_MIB * 0x1p20) {
        Diag *diag = plan_report(session, check->object->subject, limit->span, DIAG(pod_shm), STR_ARG(gpus),
                                 (int)(bytes / 0x1p20));
        diag_help(session, diag, "write some GiB, or leave `sizeLimit` out");
    }
}

// Whether pods of another template of the object have a container with GPUs that mounts something at /dev/shm, while this
// one has not.
static bool others_mount_shm(const PodCheck *check) {
    bool do_mount = false;
    for (uint32_t i = 0; i < check->object->pods.count && !do_mount; i++) {
        const Value *containers = object_get(check->object->pods.items[i].spec, "containers");
        for (uint32_t k = 0; k < object_count(containers) && !do_mount; k++) {
            const Value *limits = object_get(object_get(containers->list.items[k], "resources"), "limits");
            do_mount = object_get(limits, "nvidia.com/gpu") != NULL && mounts_shm(containers->list.items[k]);
        }
    }
    return do_mount;
}

// How many GPUs a container asks for, where they are several: "8". Of a number that another program fills in, the text,
// where other pods of the object have shared memory. Empty: one, or nobody knows.
static Str several_gpus(const PodCheck *check, const Value *gpus) {
    double count;
    if (quantity_read(gpus, &count)) {
        return count < 2 ? STR_NONE : str_format(check->rules->session->arena, "%.0f", count);
    }
    const bool is_filled_in = gpus->kind == VALUE_LATE && check->object->is_manifest;
    return is_filled_in && others_mount_shm(check) ? source_text(check->rules->session, gpus->span) : STR_NONE;
}

static void check_shm(const PodCheck *check, const Value *container) {
    const Value *limits = object_get(object_get(container, "resources"), "limits");
    const Value *gpus = object_get(limits, "nvidia.com/gpu");
    const Value *host = object_get(check->pod->spec, "hostIPC");
    const Str count = gpus == NULL || host != NULL ? STR_NONE : several_gpus(check, gpus);
    if (count.len == 0 || has_no_peers(container) || is_idle(check->rules->session->arena, container)) {
        return;
    }
    const Value *room = room_of_shm(check, container);
    if (room != NULL) {
        check_room_of_shm(check, room, count);
    }
    if (mounts_shm(container) || plan_object_is(check->object, MAKES_SHM) || check->pod->is_part) {
        return;
    }
    Diag *diag = plan_report(check->rules->session, check->object->subject, gpus->span, DIAG(pod_shm), STR_ARG(count),
                             LIMIT_DOCKER_SHM_MIB);
    diag_help(check->rules->session, diag, "mount a volume with `%s` at `/dev/shm`",
              check->object->is_manifest ? "emptyDir: {medium: Memory}" : "emptyDir = { medium = \"Memory\" }");
}

// ---- devices of the host ---------------------------------------------------------------------------------------

static bool asks_for_efa(const PlanPod *pod) {
    const Value *containers = object_get(pod->spec, "containers");
    bool asks = false;
    for (uint32_t i = 0; i < object_count(containers); i++) {
        const Value *resources = object_get(containers->list.items[i], "resources");
        asks = asks || object_get(object_get(resources, "limits"), "vpc.amazonaws.com/efa") != NULL;
    }
    return asks;
}

// Whether the pod is for another cloud's nodes, or for InfiniBand, whose devices nothing but the folder gives.
static bool is_of_others(const PodCheck *check) {
    static const char *const SIGNS[] = { "mlx5",    "rdma",   "oraclecloud",    "ocir.io",
                                         "BM.GPU.", "nebius", "UCX_NET_DEVICES" };
    const Str text = source_text(check->rules->session, check->object->resource->whole);
    const Value *selector = object_get(check->pod->spec, "nodeSelector");
    bool is = false;
    for (size_t i = 0; i < COUNT_OF(SIGNS); i++) {
        is = is || str_has(text, SIGNS[i]);
    }
    for (uint32_t i = 0; selector != NULL && selector->kind == VALUE_MAP && i < selector->map.count; i++) {
        const Str key = selector->map.entries[i].key;
        is = is || names_have(NAMES_DOMAINS_OF_OTHER_NODES, str_slice(key, 0, str_find(key, STR("/"), 0)));
    }
    return is;
}

// A daemon is the device plugin itself, or looks after the devices of all pods.
static void check_volumes(const PodCheck *check) {
    const Value *volumes = object_get(check->pod->spec, "volumes");
    const bool is_ours = !plan_object_is(check->object, IS_DAEMON) && object_count(volumes) > 0 && !is_of_others(check);
    for (uint32_t i = 0; is_ours && i < object_count(volumes); i++) {
        const Value *path = object_get(object_get(volumes->list.items[i], "hostPath"), "path");
        if (is_text(path, "/dev/infiniband") || is_text(path, "/dev/infiniband/")) {
            Diag *diag = plan_report(check->rules->session, check->object->subject, path->span, DIAG(pod_infiniband),
                                     STR_ARG(path->string));
            const char *device = check->object->is_manifest ? "vpc.amazonaws.com/efa" : "\"vpc.amazonaws.com/efa\"";
            if (asks_for_efa(check->pod)) {
                diag_help(check->rules->session, diag,
                          "take the volume out: a container asks for `%s`, which gives it the devices", device);
            } else {
                diag_help(check->rules->session, diag, "ask for `%s` under `limits`", device);
            }
        }
    }
}

// ---- volumes ---------------------------------------------------------------------------------------------------

// Whether the name of each is known now; offers them.
static bool offer_names(Suggestion *suggestion, const Value *list, bool is_claim, Str wanted, bool *is_there) {
    for (uint32_t i = 0; i < object_count(list); i++) {
        const Value *item = list->list.items[i];
        const Value *name = object_get(is_claim ? object_get(item, "metadata") : item, "name");
        if (name == NULL || name->kind != VALUE_STRING) {
            return false;
        }
        *is_there = *is_there || str_equal(name->string, wanted);
        suggest_offer(suggestion, name->string);
    }
    return list == NULL || list->kind == VALUE_LIST;
}

// The same of the templates of claims at a path, which goes through lists at `*`.
static bool offer_claims(Suggestion *suggestion, const Value *value, Str path, Str wanted, bool *is_there) {
    const size_t star = str_find(path, STR(".*."), 0);
    const Value *list = plan_value_at(value, str_slice(path, 0, star));
    if (star == path.len) {
        return offer_names(suggestion, list, true, wanted, is_there);
    }
    for (uint32_t i = 0; i < object_count(list); i++) {
        if (!offer_claims(suggestion, list->list.items[i], str_slice(path, star + STR(".*.").len, path.len), wanted,
                          is_there)) {
            return false;
        }
    }
    return list == NULL || list->kind == VALUE_LIST;
}

static bool is_in_names(const Value *list, Str name) {
    for (uint32_t i = 0; i < object_count(list); i++) {
        if (str_equal(object_text(object_get(list->list.items[i], "name")), name)) {
            return true;
        }
    }
    return false;
}

static bool mounts_name(const PodCheck *check, Str volume) {
    static const char *const KEYS[] = { "initContainers", "containers" };
    for (size_t k = 0; k < COUNT_OF(KEYS); k++) {
        const Value *containers = object_get(check->pod->spec, KEYS[k]);
        for (uint32_t i = 0; i < object_count(containers); i++) {
            const Value *container = containers->list.items[i];
            if (is_in_names(object_get(container, "volumeMounts"), volume) ||
                is_in_names(object_get(container, "volumeDevices"), volume)) {
                return true;
            }
        }
    }
    return false;
}

// The volume that a mount of another name means: the only one that nothing mounts, and its name begins like the other.
static Str volume_meant(const PodCheck *check, Str name) {
    const Value *volumes = object_get(check->pod->spec, "volumes");
    Str meant = STR_NONE;
    for (uint32_t i = 0; i < object_count(volumes); i++) {
        const Str volume = object_text(object_get(volumes->list.items[i], "name"));
        if (!mounts_name(check, volume)) {
            if (meant.len > 0) {
                return STR_NONE;
            }
            meant = volume;
        }
    }
    return suggest_ends_alone_differ(name, meant) ? meant : STR_NONE;
}

static void check_mount(const PodCheck *check, const Value *mount) {
    Session *session = check->rules->session;
    const Value *name = object_get(mount, "name");
    if (name == NULL || name->kind != VALUE_STRING || check->rules->plan->are_bases) {
        return;
    }
    const WorkloadKind *kind = check->object->kind;
    Suggestion suggestion = suggest_for(session, name->string);
    bool is_there = false;
    if (!offer_names(&suggestion, object_get(check->pod->spec, "volumes"), false, name->string, &is_there) ||
        !offer_claims(&suggestion, check->object->fields, workload_path(kind->claims), name->string, &is_there) ||
        is_there || workload_has(kind->volumes, name->string)) {
        return;
    }
    size_t offset = 0;
    Str given;
    while (words_next(str_of(kind->volumes == NULL ? "" : kind->volumes), &offset, &given)) {
        suggest_offer(&suggestion, given);
    }
    Diag *diag = plan_report(session, check->object->subject, name->span, DIAG(pod_mount), STR_ARG(name->string));
    const Str meant = suggest_is_sure(&suggestion) ? STR_NONE : volume_meant(check, name->string);
    if (meant.len > 0) {
        diag_help(session, diag, "did you mean `%.*s`?", STR_ARG(meant));
        rule_replace(check->rules, diag, name->span, name->string, meant);
    } else if (!suggest_say(session, diag, &suggestion, name->span)) {
        diag_help(session, diag, "write it under `volumes` of the pod");
    }
}

// Who makes pods for kinds without rows may add volumes to them.
static void check_mounts(const PodCheck *check, const Value *container) {
    const Value *mounts = object_get(container, "volumeMounts");
    for (uint32_t i = 0; check->object->kind != NULL && !check->pod->is_part && i < object_count(mounts); i++) {
        check_mount(check, mounts->list.items[i]);
    }
}

// ---- who makes the pods ----------------------------------------------------------------------------------------

static void check_restart(const PodCheck *check) {
    const Value *policy = object_get(check->pod->spec, "restartPolicy");
    if (policy != NULL && policy->kind != VALUE_STRING) {
        return;
    }
    const WorkloadKind *kind = check->object->kind;
    const bool ends = (kind->traits & PODS_END) != 0;
    const Str word = policy != NULL ? policy->string : ends ? str_of(kind->restart) : STR("Always");
    const bool is_word = str_is(word, "Always") || str_is(word, "OnFailure") || str_is(word, "Never");
    if (!is_word || str_is(word, "Always") != ends) {
        return; // no policy at all, a job's is another one, or the other's is this one
    }
    Session *session = check->rules->session;
    Diag *diag =
        plan_report(session, check->object->subject, policy == NULL ? check->pod->span : policy->span,
                    DIAG(pod_restart), STR_ARG(str_after_last(check->object->resource->type, '/')), STR_ARG(word));
    if (!ends) {
        diag_help(session, diag, "leave `restartPolicy` out");
        rule_remove(check->rules, diag, policy->span, false);
    } else {
        diag_help(session, diag, "write `%s`",
                  check->object->is_manifest ? "restartPolicy: Never" : "restartPolicy = \"Never\"");
        if (policy != NULL) {
            rule_replace(check->rules, diag, policy->span, word, STR("Never"));
        } else if (check->pod->spec->map.count > 0) {
            rule_insert_beside(check->rules, diag, check->pod->spec->map.entries[0].key_span, STR("restartPolicy"),
                               STR("Never"));
        }
    }
}

// The kubelet would restart what the policy is to judge. Of a JobSet too, whose jobs are refused later.
static void check_failure_policy(const PodCheck *check) {
    Session *session = check->rules->session;
    const Value *policy = object_get(check->pod->outer, "podFailurePolicy");
    const Value *restart = object_get(check->pod->spec, "restartPolicy");
    if (policy == NULL || !is_text(restart, "OnFailure")) {
        return;
    }
    Diag *diag = plan_report(session, check->object->subject, restart->span, DIAG(pod_restart),
                             STR_ARG(STR("Job with `podFailurePolicy`")), STR_ARG(restart->string));
    diag_label(session, diag, policy->span, "judges pods that failed");
    diag_help(session, diag, "write `%s`",
              check->object->is_manifest ? "restartPolicy: Never" : "restartPolicy = \"Never\"");
    rule_replace(check->rules, diag, restart->span, restart->string, STR("Never"));
}

static void check_selector(const PodCheck *check) {
    const Value *spec = object_get(check->object->fields, "spec");
    const Value *asked = object_get(object_get(spec, "selector"), "matchLabels");
    const Value *template = object_get(spec, "template");
    const Value *metadata = object_get(template, "metadata");
    const Value *labels = object_get(metadata, "labels");
    const bool is_known = asked != NULL && asked->kind == VALUE_MAP &&
                          (metadata == NULL || metadata->kind == VALUE_MAP) &&
                          (labels == NULL || labels->kind == VALUE_MAP);
    for (uint32_t i = 0; is_known && i < asked->map.count; i++) {
        const ValueEntry *entry = &asked->map.entries[i];
        const Value *own = labels == NULL ? NULL : value_find(labels, entry->key);
        const bool is_late = entry->value->kind != VALUE_STRING || (own != NULL && own->kind != VALUE_STRING);
        if (is_late || (own != NULL && str_equal(own->string, entry->value->string))) {
            continue;
        }
        Diag *diag = plan_report(check->rules->session, check->object->subject, entry->key_span, DIAG(pod_labels),
                                 STR_ARG(entry->key));
        if (own != NULL) {
            diag_label(check->rules->session, diag, own->span, "they have another value");
        }
        diag_help(check->rules->session, diag, "write the same labels under `template.metadata.labels`");
    }
}

static void check_maker(const PodCheck *check) {
    if (plan_object_is(check->object, PODS_END)) {
        check_restart(check);
    }
    if (plan_object_is(check->object, PODS_RESTART)) {
        check_restart(check);
        check_selector(check);
    }
}

// ---- the end ---------------------------------------------------------------------------------------------------

enum {
    GRACE = 30
}; // seconds, where a pod says no number (core/v1, PodSpec, terminationGracePeriodSeconds, read 2026-11)

// The seconds of `30`, `30s` and `5m`, at the begin of a text; -1 where it has none.
static int64_t seconds_in(Str text) {
    int64_t number = 0;
    size_t at = 0;
    for (; at < text.len && char_is_digit(text.data[at]) && at < 6; at++) {
        number = number * 10 + (text.data[at] - '0');
    }
    const char unit = str_at(text, at);
    const char after = unit == 's' || unit == 'm' ? str_at(text, at + 1) : unit;
    const bool is_end = after == '\0' || after == ' ' || after == ';' || after == '&' || after == '\n';
    return at == 0 || !is_end ? -1 : unit == 'm' ? number * 60 : number;
}

// How long `preStop` sleeps before it does anything else, and where that stands; -1: it does not, or nobody knows.
static int64_t sleep_of(const Value *hook, Span *span) {
    const Value *seconds = object_get(object_get(hook, "sleep"), "seconds");
    const Value *words = object_get(object_get(hook, "exec"), "command");
    const Value *last = object_count(words) < 2 ? NULL : words->list.items[object_count(words) - 1];
    const Value *first = last == NULL ? NULL : words->list.items[0];
    *span = seconds != NULL ? seconds->span : last != NULL ? last->span : SPAN_NONE;
    if (seconds != NULL) {
        return object_int32(seconds, -1);
    }
    if (object_count(words) == 2 && str_is(str_after_last(object_text(first), '/'), "sleep")) {
        return last->kind == VALUE_INT ? last->integer : seconds_in(object_text(last));
    }
    const Str script = object_count(words) == 3 ? str_trim(object_text(last)) : STR_NONE;
    return str_starts_with(script, STR("sleep ")) ? seconds_in(str_slice(script, STR("sleep ").len, script.len)) : -1;
}

// The kubelet counts from the begin of `preStop`.
static void check_pre_stop(const PodCheck *check, const Value *container) {
    const Value *grace = object_get(check->pod->spec, "terminationGracePeriodSeconds");
    const int64_t most = object_int32(grace, GRACE);
    Span span = SPAN_NONE;
    const int64_t sleeps = sleep_of(object_get(object_get(container, "lifecycle"), "preStop"), &span);
    if (most < 1 || sleeps < most) {
        return;
    }
    Diag *diag = plan_report(check->rules->session, check->object->subject, span, DIAG(pod_killed), sleeps, most);
    if (grace != NULL) {
        diag_label(check->rules->session, diag, grace->span, "counts from the begin of `preStop`");
    }
    diag_help(check->rules->session, diag,
              "write a `terminationGracePeriodSeconds` of this and the time that the program takes to end");
}

// ----------------------------------------------------------------------------------------------------------------

static void check_containers(const PodCheck *check, const char *key) {
    const Value *containers = object_get(check->pod->spec, key);
    for (uint32_t i = 0; i < object_count(containers); i++) {
        check_amounts(check, containers->list.items[i]);
        check_shm(check, containers->list.items[i]);
        check_mounts(check, containers->list.items[i]);
        check_pre_stop(check, containers->list.items[i]);
    }
}

void rule_pods(const Rules *rules, const PlanObject *object) {
    if (object->is_changed) {
        return;
    }
    for (uint32_t i = 0; i < object->pods.count; i++) {
        const PodCheck check = { .rules = rules, .object = object, .pod = &object->pods.items[i] };
        check_containers(&check, "initContainers");
        check_containers(&check, "containers");
        check_volumes(&check);
        check_maker(&check);
        check_failure_policy(&check);
    }
}
