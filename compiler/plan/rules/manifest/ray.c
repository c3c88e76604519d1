// A rule about objects of KubeRay: what its operator refuses, and what Ray does not run. The object is there, and no job of
// it begins.
// Source: ray-project/kuberay@feeaf72f ray-operator/controllers/ray/utils/validation.go, common/job.go and common/pod.go,
// 2026-08-19, read 2026-11.
#include "compiler/plan/rules/rules.h"

#include "compiler/base/suggest.h"
#include "compiler/base/words.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object_value.h"

typedef struct {
    const Rules *rules;
    const PlanObject *object;
    const Value *job;     // the specification of a RayJob; NULL: another object
    const Value *cluster; // the specification of a RayCluster, wherever it stands
} RayCheck;

static Diag *refuse(const RayCheck *check, Span span, const char *why) {
    return plan_report(check->rules->session, check->object->subject, span, DIAG(ray_refused),
                       STR_ARG(str_after_last(check->object->resource->type, '/')), why);
}

// ---- groups ------------------------------------------------------------------------------------------------------

static void check_bounds(const RayCheck *check, const Value *group) {
    const Value *least = object_get(group, "minReplicas");
    const Value *most = object_get(group, "maxReplicas");
    if (least == NULL || most == NULL || least->kind != VALUE_INT || most->kind != VALUE_INT ||
        least->integer <= most->integer) {
        return;
    }
    Diag *diag = refuse(check, least->span, "`minReplicas` is above `maxReplicas`");
    diag_label(check->rules->session, diag, most->span, "the most");
    diag_help(check->rules->session, diag, "write %" PRId64 " or less, or more there", most->integer);
}

// KubeRay makes no more than the most. Where the least is more, that is said.
static void check_most(const RayCheck *check, const Value *group) {
    const Value *count = object_get(group, "replicas");
    const Value *most = object_get(group, "maxReplicas");
    const int64_t least = object_int32(object_get(group, "minReplicas"), 0);
    if (count == NULL || most == NULL || count->kind != VALUE_INT || most->kind != VALUE_INT ||
        count->integer <= most->integer || least > most->integer) {
        return;
    }
    Diag *diag = refuse(check, count->span, "`replicas` is above `maxReplicas`, and KubeRay makes no more");
    diag_label(check->rules->session, diag, most->span, "the most");
    diag_help(check->rules->session, diag, "write %" PRId64 " or less, or more there", most->integer);
}

// ---- options of `ray start` ----------------------------------------------------------------------------------------

// source: Ray, Cluster Management CLI, ray start, of 1.13 to 2.55, 2026-11, read 2026-11
static const char OPTIONS[] =
    "address|autoscaling-config|block|cgroup-path|dashboard-agent-grpc-port|dashboard-agent-listen-port|"
    "dashboard-grpc-port|dashboard-host|dashboard-port|disable-usage-stats|enable-object-reconstruction|"
    "enable-resource-isolation|gcs-server-port|head|include-dashboard|include-log-monitor|labels|labels-file|log-color|"
    "log-style|max-worker-port|memory|metrics-export-port|min-worker-port|no-monitor|no-redirect-output|"
    "no-redirect-worker-output|node-ip-address|node-manager-port|node-name|num-cpus|num-gpus|object-manager-port|"
    "object-spilling-directory|object-store-memory|plasma-directory|plasma-store-socket-name|port|"
    "ray-client-server-port|ray-debugger-external|raylet-socket-name|redis-password|redis-shard-ports|redis-username|"
    "resources|runtime-env-agent-port|storage|system-config|system-reserved-cpu|system-reserved-memory|temp-dir|"
    "tracing-startup-hook|verbose|worker-port-list";

// Each key becomes an option, as it is written; of one that it does not know `ray start` says so, and ends.
static void check_options(const RayCheck *check, const Value *group) {
    Session *session = check->rules->session;
    const Value *map = object_get(group, "rayStartParams");
    for (uint32_t i = 0; map != NULL && map->kind == VALUE_MAP && i < map->map.count; i++) {
        const ValueEntry *entry = &map->map.entries[i];
        if (words_have(STR(OPTIONS), entry->key)) {
            continue;
        }
        Suggestion suggestion = suggest_for(session, entry->key);
        size_t offset = 0;
        Str option;
        while (words_next(STR(OPTIONS), &offset, &option)) {
            suggest_offer(&suggestion, option);
        }
        if (suggest_is_sure(&suggestion)) {
            const Str why = str_format(session->arena, "`ray start` has no option `--%.*s`", STR_ARG(entry->key));
            suggest_say(session, refuse(check, entry->key_span, str_c(session->arena, why)), &suggestion,
                        entry->key_span);
        }
    }
}

// ----------------------------------------------------------------------------------------------------------------------

static const Value *container_of(const Value *group) {
    const Value *containers = object_get(object_get(object_get(group, "template"), "spec"), "containers");
    return object_count(containers) > 0 ? containers->list.items[0] : NULL;
}

static int64_t number_of(const Value *value) {
    int64_t number = 0;
    const Str text = object_text(value);
    for (size_t i = 0; i < text.len; i++) {
        if (!char_is_digit(text.data[i]) || number > INT32_MAX) {
            return -1;
        }
        number = number * 10 + (text.data[i] - '0');
    }
    return value != NULL && value->kind == VALUE_INT ? value->integer : text.len > 0 ? number : -1;
}

// Ray hands out as many GPUs as it is told of. The first container is Ray's.
static void check_gpus(const RayCheck *check, const Value *group) {
    const Value *told = object_get(object_get(group, "rayStartParams"), "num-gpus");
    const Value *limit =
        object_get(object_get(object_get(container_of(group), "resources"), "limits"), "nvidia.com/gpu");
    const int64_t count = number_of(told);
    const int64_t has = number_of(limit);
    if (count < 0 || has < 0 || count <= has) {
        return;
    }
    Diag *diag = refuse(check, told->span, "`num-gpus` is more than its pods have");
    diag_label(check->rules->session, diag, limit->span, "has %" PRId64, has);
    diag_help(check->rules->session, diag, "leave `num-gpus` out: KubeRay takes the limit");
}

// ---- releases ----------------------------------------------------------------------------------------------------

// "2.52.0" of "rayproject/ray:2.52.0-py311-gpu", or of a copy in another registry; empty of another image.
static Str release_of(const Value *image) {
    const Str rest = str_after_last(object_text(image), '/');
    const size_t colon = str_find(rest, STR(":"), 0);
    const Str name = str_slice(rest, 0, colon);
    if (!str_is(name, "ray") && !str_starts_with(name, STR("ray-"))) {
        return STR_NONE;
    }
    size_t end = colon < rest.len ? colon + 1 : rest.len;
    const size_t start = end;
    int dots = 0;
    while (end < rest.len && (char_is_digit(rest.data[end]) || rest.data[end] == '.')) {
        dots += rest.data[end++] == '.';
    }
    return dots == 2 ? str_slice(rest, start, end) : STR_NONE;
}

static void check_releases(const RayCheck *check, const Value *groups) {
    const Value *head = object_get(container_of(object_get(check->cluster, "headGroupSpec")), "image");
    const Value *said = object_get(check->cluster, "rayVersion");
    const Str release = release_of(head);
    Session *session = check->rules->session;
    for (uint32_t i = 0; release.len > 0 && i < object_count(groups); i++) {
        const Value *image = object_get(container_of(groups->list.items[i]), "image");
        const Str own = release_of(image);
        if (own.len > 0 && !str_equal(own, release)) {
            Diag *diag = refuse(check, image->span, "its workers have another release of Ray than its head");
            diag_label(session, diag, head->span, "the head has %.*s", STR_ARG(release));
            diag_help(session, diag, "write the image of %.*s", STR_ARG(release));
            return;
        }
    }
    const Str text = object_text(said);
    if (release.len > 0 && text.len > 0 && text.data[0] >= '1' && text.data[0] <= '9' && !str_equal(text, release)) {
        Diag *diag = plan_report(session, check->object->subject, said->span, DIAG(ray_release), STR_ARG(text));
        diag_label(session, diag, head->span, "has %.*s", STR_ARG(release));
        diag_help(session, diag, "write `%.*s`", STR_ARG(release));
    }
}

// ---- jobs --------------------------------------------------------------------------------------------------------

static Span head_span(const RayCheck *check) {
    const Value *name = object_get(object_get(check->object->fields, "metadata"), "name");
    return name != NULL ? name->span : check->object->resource->type_span;
}

static bool is_true(const Value *value) {
    return value != NULL && value->kind == VALUE_BOOL && value->boolean;
}

static void check_job(const RayCheck *check) {
    const Value *entry = object_get(check->job, "entrypoint");
    const Value *mode = object_get(check->job, "submissionMode");
    const Value *selector = object_get(check->job, "clusterSelector");
    const Value *suspend = object_get(check->job, "suspend");
    const Value *ends = object_get(check->job, "shutdownAfterJobFinishes");
    const bool is_known = (mode == NULL || mode->kind == VALUE_STRING) &&
                          object_get(check->job, "submitterPodTemplate") == NULL; // which may have a command of its own
    Session *session = check->rules->session;
    if (entry == NULL && is_known && !str_is(object_text(mode), "InteractiveMode")) {
        diag_help(session, refuse(check, head_span(check), "it has no `entrypoint`"),
                  "write `entrypoint`, the command that Ray runs");
    }
    if (check->cluster == NULL && selector == NULL) {
        diag_help(session, refuse(check, head_span(check), "it has no cluster"),
                  "write `rayClusterSpec`, or `clusterSelector` for one that is there");
    }
    if (is_true(suspend) && (ends == NULL || (ends->kind == VALUE_BOOL && !ends->boolean))) {
        diag_help(session, refuse(check, suspend->span, "it is suspended, and keeps its cluster behind the job"),
                  "write `shutdownAfterJobFinishes: true`");
    }
    const Value *until = object_get(check->job, "ttlSecondsAfterFinished");
    const bool stays = ends == NULL || (ends->kind == VALUE_BOOL && !ends->boolean);
    if (object_int32(until, 0) > 0 && stays) {
        diag_help(session, refuse(check, until->span, "its cluster stays, and has a time after which it goes"),
                  "write `shutdownAfterJobFinishes: true`, or leave `ttlSecondsAfterFinished` out");
    }
    const Value *backoff = object_get(check->job, "backoffLimit");
    if (object_int32(backoff, 0) > 0 && (selector != NULL || str_is(object_text(mode), "InteractiveMode"))) {
        diag_help(session, refuse(check, backoff->span, "KubeRay tries it once in this mode"),
                  "leave `backoffLimit` out");
    }
}

void rule_ray(const Rules *rules, const PlanObject *object) {
    const Str type = object->resource->type;
    const Value *spec = object_get(object->fields, "spec");
    if (!str_starts_with(type, STR("ray.io/")) || object->is_changed || rules->plan->are_bases || spec == NULL ||
        spec->kind != VALUE_MAP) {
        return;
    }
    RayCheck check = { .rules = rules, .object = object, .cluster = spec };
    if (str_ends_with(type, STR("/RayJob")) || str_ends_with(type, STR("/RayCronJob"))) {
        check.job = str_ends_with(type, STR("/RayJob")) ? spec : object_get(spec, "jobTemplate");
        check.cluster = object_get(check.job, "rayClusterSpec");
    } else if (str_ends_with(type, STR("/RayService"))) {
        check.cluster = object_get(spec, "rayClusterConfig");
    }
    if (check.job != NULL && check.job->kind == VALUE_MAP) {
        check_job(&check);
    }
    const Value *groups = object_get(check.cluster, "workerGroupSpecs");
    check_gpus(&check, object_get(check.cluster, "headGroupSpec"));
    check_options(&check, object_get(check.cluster, "headGroupSpec"));
    for (uint32_t i = 0; i < object_count(groups); i++) {
        check_bounds(&check, groups->list.items[i]);
        check_most(&check, groups->list.items[i]);
        check_options(&check, groups->list.items[i]);
        check_gpus(&check, groups->list.items[i]);
    }
    check_releases(&check, groups);
}
