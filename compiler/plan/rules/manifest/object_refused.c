// Rules about fields of an object that the API server holds against each other.
// Source: kubernetes/kubernetes pkg/apis/batch/validation/validation.go, "requires indexed completion mode";
// pkg/apis/resource/validation/validation.go, validateDeviceRequest, "exactly one of `exactly` or `firstAvailable` is
// required"; pkg/apis/core/validation/validation.go, validateResourceClaimNames; pkg/apis/scheduling/validation,
// ValidatePriorityClass; kubernetes-sigs/jobset@08dfbdfd pkg/webhooks/jobset_webhook.go, ValidateCreate and
// validateFailurePolicy; read 2026-11-26.
#include "compiler/plan/rules/rules.h"

#include "compiler/base/suggest.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/rule_insert.h"
#include "compiler/plan/model/object_value.h"

static Diag *refuse(const Rules *rules, const PlanObject *object, Span span, const char *why) {
    return plan_report(rules->session, object->subject, span, DIAG(object_refused),
                       STR_ARG(str_after_last(object->resource->type, '/')), why);
}

// ---- what a Job has for each index -----------------------------------------------------------------------------------

static void check_indexed(const Rules *rules, const PlanObject *object) {
    static const char *const FIELDS[] = { "backoffLimitPerIndex", "maxFailedIndexes", "successPolicy" };
    const Value *spec = object_get(object->fields, "spec");
    const Value *mode = object_get(spec, "completionMode");
    for (size_t i = 0; i < COUNT_OF(FIELDS); i++) {
        const Value *field = object_get(spec, FIELDS[i]);
        if (field == NULL || (mode != NULL && !str_is(object_text(mode), "NonIndexed"))) {
            continue;
        }
        Arena *arena = rules->session->arena;
        Diag *diag = refuse(rules, object, field->span,
                            str_c(arena, str_format(arena, "`%s` is for pods with an index", FIELDS[i])));
        diag_help(rules->session, diag,
                  object->is_manifest ? "write `completionMode: Indexed`" : "write `completionMode = \"Indexed\"`");
        const Value *completions = object_get(spec, "completions");
        if (mode == NULL && completions != NULL) {
            rule_insert_beside(rules, diag, completions->span, STR("completionMode"), STR("Indexed"));
        }
        return;
    }
}

// ---- claims of devices -----------------------------------------------------------------------------------------------

// Versions before v1beta2 have the fields of `exactly` in the request itself.
static void check_requests(const Rules *rules, const PlanObject *object, const Value *spec) {
    const Value *requests = object_get(object_get(spec, "devices"), "requests");
    for (uint32_t i = 0; i < object_count(requests); i++) {
        const Value *request = requests->list.items[i];
        const Value *class = object_get(request, "deviceClassName");
        if (class == NULL || object_get(request, "exactly") != NULL || object_get(request, "firstAvailable") != NULL) {
            continue;
        }
        Diag *diag = refuse(rules, object, class->span, "the request has neither `exactly` nor `firstAvailable`");
        diag_help(rules->session, diag, "write all of the request but its `name` under `exactly`");
    }
}

static void check_device_claim(const Rules *rules, const PlanObject *object) {
    const Value *spec = object_get(object->fields, "spec");
    const Str api = STR("resource.k8s.io/");
    const Str type = object->resource->type;
    const Str version = str_slice(type, api.len, str_find(type, STR("/"), api.len));
    const Str kind = str_after_last(type, '/');
    if (!str_starts_with(type, api) || (!str_is(version, "v1") && !str_is(version, "v1beta2"))) {
        return;
    }
    if (str_is(kind, "ResourceClaim")) {
        check_requests(rules, object, spec);
    } else if (str_is(kind, "ResourceClaimTemplate")) {
        check_requests(rules, object, object_get(spec, "spec"));
    }
}

// The claim that a container takes has to be among those of its pod.
static void check_taken(const Rules *rules, const PlanObject *object, const Value *pod, const Value *name) {
    const Value *claims = object_get(pod, "resourceClaims");
    Suggestion suggestion = suggest_for(rules->session, object_text(name));
    for (uint32_t i = 0; i < object_count(claims); i++) {
        const Str own = object_text(object_get(claims->list.items[i], "name"));
        if (own.len == 0 || str_equal(own, object_text(name))) {
            return;
        }
        suggest_offer(&suggestion, own);
    }
    Arena *arena = rules->session->arena;
    Diag *diag = refuse(rules, object, name->span,
                        str_c(arena, str_format(arena, "the pod has no claim `%.*s`", STR_ARG(object_text(name)))));
    if (!suggest_say(rules->session, diag, &suggestion, name->span)) {
        diag_help(rules->session, diag, "write it under `resourceClaims` of the pod");
    }
}

static void check_container(const Rules *rules, const PlanObject *object, const Value *pod, const Value *container) {
    const Value *claims = object_get(object_get(container, "resources"), "claims");
    const Value *all = object_get(pod, "resourceClaims");
    for (uint32_t i = 0; i < object_count(claims) && (all == NULL || all->kind == VALUE_LIST); i++) {
        const Value *name = object_get(claims->list.items[i], "name");
        if (object_text(name).len > 0) {
            check_taken(rules, object, pod, name);
        }
    }
}

// ---- values --------------------------------------------------------------------------------------------------------

static bool is_base64(Str text) {
    size_t count = 0;
    size_t end = 0; // signs that fill the last four
    for (size_t i = 0; i < text.len; i++) {
        const char c = text.data[i];
        const char small = char_small(c);
        const bool is_sign = (small >= 'a' && small <= 'z') || char_is_digit(c) || c == '+' || c == '/';
        if (c == '\n' || c == '\r') {
            continue;
        }
        if (c != '=' && (!is_sign || end > 0)) {
            return false;
        }
        end += c == '=';
        count++;
    }
    return count % 4 == 0 && end <= 2;
}

// A text that another program or somebody fills in first: `${TOKEN}`, `<token>`, `BASE64_TOKEN`, `your-base64-token`, `…`.
static bool is_filled_in(Str text) {
    bool has_small = false;
    for (size_t i = 0; i < text.len; i++) {
        const char c = text.data[i];
        has_small = has_small || (c >= 'a' && c <= 'z');
        if ((unsigned char)c >= 0x80 || memchr("$<>{}[]%*.", c, 10) != NULL) {
            return true;
        }
    }
    return !has_small || str_find(text, STR("base64"), 0) < text.len;
}

static void check_secret(const Rules *rules, const PlanObject *object) {
    const Value *data = object_get(object->fields, "data");
    for (uint32_t i = 0; data != NULL && data->kind == VALUE_MAP && i < data->map.count; i++) {
        const ValueEntry *entry = &data->map.entries[i];
        const Str text = object_text(entry->value);
        if (text.len > 0 && !is_base64(text) && !is_filled_in(text)) {
            Diag *diag = refuse(rules, object, entry->key_span, "what stands under `data` is not in base64");
            diag_help(rules->session, diag, "write the text itself under `stringData`");
            return;
        }
    }
}

static void check_priority(const Rules *rules, const PlanObject *object) {
    enum { PRIORITY_MAX = 1000000000 };
    const Value *value = object_get(object->fields, "value");
    if (value != NULL && value->kind == VALUE_INT && value->integer > PRIORITY_MAX &&
        !str_starts_with(plan_name_of_object(object), STR("system-"))) {
        Diag *diag = refuse(rules, object, value->span, "a priority above 1000000000 is of the system");
        diag_help(rules->session, diag, "write 1000000000 or less");
    }
}

// ---- the jobs that a JobSet names -----------------------------------------------------------------------------------

static void check_job_name(const Rules *rules, const PlanObject *object, const Value *name) {
    enum { JOBS_MAX = 500 };
    const Value *jobs = object_get(object_get(object->fields, "spec"), "replicatedJobs");
    Suggestion suggestion = suggest_for(rules->session, object_text(name));
    bool may_be = object_text(name).len == 0 || object_count(jobs) == 0 || object_count(jobs) > JOBS_MAX;
    for (uint32_t i = 0; !may_be && i < object_count(jobs); i++) {
        const Str own = object_text(object_get(jobs->list.items[i], "name"));
        may_be = may_be || own.len == 0 || str_equal(own, name->string);
        suggest_offer(&suggestion, own);
    }
    if (may_be) {
        return;
    }
    Arena *arena = rules->session->arena;
    Diag *diag = refuse(rules, object, name->span,
                        str_c(arena, str_format(arena, "it has no job `%.*s`", STR_ARG(name->string))));
    if (!suggest_say(rules->session, diag, &suggestion, name->span)) {
        diag_help(rules->session, diag, "write the name of one of its `replicatedJobs`");
    }
}

static void check_targets(const Rules *rules, const PlanObject *object, const Value *policy) {
    const Value *names = object_get(policy, "targetReplicatedJobs");
    for (uint32_t i = 0; i < object_count(names); i++) {
        check_job_name(rules, object, names->list.items[i]);
    }
}

static void check_job_set(const Rules *rules, const PlanObject *object) {
    const Value *spec = object_get(object->fields, "spec");
    const Value *jobs = object_get(spec, "replicatedJobs");
    const Value *failures = object_get(object_get(spec, "failurePolicy"), "rules");
    check_targets(rules, object, object_get(spec, "successPolicy"));
    for (uint32_t i = 0; i < object_count(failures); i++) {
        check_targets(rules, object, failures->list.items[i]);
    }
    check_job_name(rules, object, object_get(object_get(spec, "coordinator"), "replicatedJob"));
    for (uint32_t i = 0; i < object_count(jobs); i++) {
        const Value *others = object_get(jobs->list.items[i], "dependsOn");
        for (uint32_t k = 0; k < object_count(others); k++) {
            check_job_name(rules, object, object_get(others->list.items[k], "name"));
        }
    }
}

void rule_object_refused(const Rules *rules, const PlanObject *object) {
    if (object->is_changed) {
        return;
    }
    if (str_is(object->resource->type, "batch/v1/Job")) {
        check_indexed(rules, object);
    }
    if (str_is(object->resource->type, "v1/Secret")) {
        check_secret(rules, object);
    }
    if (str_is(object->resource->type, "scheduling.k8s.io/v1/PriorityClass")) {
        check_priority(rules, object);
    }
    if (str_is(object->resource->type, "jobset.x-k8s.io/v1alpha2/JobSet")) {
        check_job_set(rules, object);
    }
    check_device_claim(rules, object);
    static const char *const KEYS[] = { "initContainers", "containers" };
    for (uint32_t i = 0; i < object->pods.count * COUNT_OF(KEYS); i++) {
        const Value *pod = object->pods.items[i / COUNT_OF(KEYS)].spec;
        const Value *containers = object_get(pod, KEYS[i % COUNT_OF(KEYS)]);
        for (uint32_t k = 0; k < object_count(containers); k++) {
            check_container(rules, object, pod, containers->list.items[k]);
        }
    }
}
