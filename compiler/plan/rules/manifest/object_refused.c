// Rules about fields of an object that the API server holds against each other.
// Source: kubernetes/kubernetes pkg/apis/batch/validation/validation.go, "requires indexed completion mode";
// pkg/apis/resource/validation/validation.go, validateDeviceRequest, "exactly one of `exactly` or `firstAvailable` is
// required"; pkg/apis/core/validation/validation.go, validateResourceClaimNames; pkg/apis/scheduling/validation,
// ValidatePriorityClass; kubernetes-sigs/jobset@08dfbdfd pkg/webhooks/jobset_webhook.go, ValidateCreate and
// validateFailurePolicy; kubeflow/trainer@8c0f5059 pkg/webhooks/trainingruntime_webhook.go; read 2026-11.
#include "compiler/plan/rules/rules.h"

#include "compiler/base/suggest.h"
#include "compiler/base/words.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/rule_insert.h"
#include "compiler/plan/model/object_part.h"
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

// ---- what a Job does about failures -----------------------------------------------------------------------------------

typedef struct {
    const Rules *rules;
    const PlanObject *object;
} PartCheck;

// The codes rise, and 0 is none of failure.
static void check_codes(const PartCheck *check, const Value *codes) {
    const Value *values = object_get(codes, "values");
    const bool is_in = str_is(object_text(object_get(codes, "operator")), "In");
    int64_t last = INT64_MIN;
    for (uint32_t i = 0; i < object_count(values); i++) {
        const Value *value = values->list.items[i];
        if (value->kind != VALUE_INT) {
            return;
        }
        if (value->integer == 0 && is_in) {
            Diag *diag = refuse(check->rules, check->object, value->span, "0 is no code of failure");
            diag_help(check->rules->session, diag, "leave it out");
        }
        if (value->integer <= last) {
            Diag *diag = refuse(check->rules, check->object, value->span, "its codes of failure do not rise");
            diag_help(check->rules->session, diag, "write each code once, the smallest first");
            return;
        }
        last = value->integer;
    }
}

static void check_failure_rule(const PartCheck *check, const Value *spec, const Value *rule) {
    Session *session = check->rules->session;
    const Value *action = object_get(rule, "action");
    const Value *codes = object_get(rule, "onExitCodes");
    if (str_is(object_text(action), "FailIndex") && object_get(spec, "backoffLimitPerIndex") == NULL) {
        static const char WHY[] = "`FailIndex` is for a Job with `backoffLimitPerIndex`";
        Diag *diag = refuse(check->rules, check->object, action->span, WHY);
        diag_help(session, diag, "write `backoffLimitPerIndex` beside `podFailurePolicy`, or `FailJob`");
    }
    check_codes(check, codes);
    const Value *name = object_get(codes, "containerName");
    const Value *pod = object_get(object_get(spec, "template"), "spec");
    static const char *const KEYS[] = { "containers", "initContainers" };
    bool is_there = object_text(name).len == 0 || object_get(pod, "containers") == NULL;
    for (size_t i = 0; i < COUNT_OF(KEYS); i++) {
        const Value *containers = object_get(pod, KEYS[i]);
        for (uint32_t k = 0; !is_there && k < object_count(containers); k++) {
            const Str own = object_text(object_get(containers->list.items[k], "name"));
            is_there = own.len == 0 || str_equal(own, name->string);
        }
    }
    if (!is_there) {
        const Str why = str_format(session->arena, "its pods have no container `%.*s`", STR_ARG(name->string));
        Diag *diag = refuse(check->rules, check->object, name->span, str_c(session->arena, why));
        diag_help(session, diag, "write the name of one of its containers, or leave `containerName` out");
    }
}

static void visit_job_spec(void *context, const ObjectPart *part) {
    enum { RULES_MAX = 20 }; // more are refused
    const Value *rules = object_get(object_get(part->value, "podFailurePolicy"), "rules");
    for (uint32_t i = 0; i < object_count(rules) && i < RULES_MAX; i++) {
        check_failure_rule(context, part->value, rules->list.items[i]);
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

static bool has_request(const Value *requests, Str name) {
    for (uint32_t i = 0; i < object_count(requests); i++) {
        const Str own = object_text(object_get(requests->list.items[i], "name"));
        if (own.len == 0 || str_equal(own, str_slice(name, 0, str_find(name, STR("/"), 0)))) {
            return true;
        }
    }
    return false;
}

// `gpu/large` is one of the choices of the request `gpu`.
static void check_asked(const PartCheck *check, const Value *requests, const Value *names) {
    enum { NAMES_MAX = 32 }; // more are refused
    for (uint32_t i = 0; i < object_count(names) && i < NAMES_MAX; i++) {
        const Value *name = names->list.items[i];
        if (object_text(name).len == 0 || object_count(requests) > NAMES_MAX || has_request(requests, name->string)) {
            continue;
        }
        Session *session = check->rules->session;
        Suggestion suggestion = suggest_for(session, name->string);
        for (uint32_t k = 0; k < object_count(requests); k++) {
            suggest_offer(&suggestion, object_text(object_get(requests->list.items[k], "name")));
        }
        const Str why = str_format(session->arena, "it has no request `%.*s`", STR_ARG(name->string));
        Diag *diag = refuse(check->rules, check->object, name->span, str_c(session->arena, why));
        if (!suggest_say(session, diag, &suggestion, name->span)) {
            diag_help(session, diag, "write the name of one of its `requests`");
        }
    }
}

static void check_attribute(const PartCheck *check, const Value *attribute) {
    const Str text = object_text(attribute);
    if (text.len > 0 && !str_has(text, "/") && !str_has(text, "$") && !str_has(text, "{")) {
        Diag *diag = refuse(check->rules, check->object, attribute->span, "`matchAttribute` has no domain");
        diag_help(check->rules->session, diag, "write the driver before it: `gpu.nvidia.com/%.*s`", STR_ARG(text));
    }
}

static void visit_devices(void *context, const ObjectPart *part) {
    const Value *requests = object_get(part->value, "requests");
    const Value *const lists[] = { object_get(part->value, "constraints"), object_get(part->value, "config") };
    for (size_t i = 0; i < COUNT_OF(lists); i++) {
        for (uint32_t k = 0; k < object_count(lists[i]); k++) {
            check_asked(context, requests, object_get(lists[i]->list.items[k], "requests"));
            check_attribute(context, object_get(lists[i]->list.items[k], "matchAttribute"));
        }
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

// ---- jobs of a runtime -----------------------------------------------------------------------------------------------

#define STEP_LABEL "trainer.kubeflow.org/trainjob-ancestor-step"

static void check_step_count(const PartCheck *check, const Value *job) {
    const Value *labels = object_get(object_get(object_get(job, "template"), "metadata"), "labels");
    const Value *step = object_get(labels, STEP_LABEL);
    const Value *count = object_get(job, "replicas");
    if (step != NULL && count != NULL && count->kind == VALUE_INT && count->integer != 1 &&
        words_have(STR("trainer|dataset-initializer|model-initializer"), object_text(step)) &&
        str_starts_with(check->object->resource->type, STR("trainer.kubeflow.org/"))) {
        Diag *diag = refuse(check->rules, check->object, count->span, "a job with a step of the Trainer is one");
        diag_label(check->rules->session, diag, step->span, "the step");
        diag_help(check->rules->session, diag, "write `replicas: 1`, and the number of pods into `numNodes`");
    }
}

// ---- labels and tags that Karpenter writes ---------------------------------------------------------------------------

static bool is_of_karpenter(Str key) {
    const Str domain = str_slice(key, 0, str_find(key, STR("/"), 0));
    return domain.len < key.len && str_ends_with(domain, STR("karpenter.sh")) &&
           !str_is(key, "karpenter.sh/capacity-type");
}

static void check_labels(const Rules *rules, const PlanObject *object) {
    const Value *template = object_get(object_get(object->fields, "spec"), "template");
    const Value *labels = object_get(object_get(template, "metadata"), "labels");
    for (uint32_t i = 0; labels != NULL && labels->kind == VALUE_MAP && i < labels->map.count; i++) {
        const ValueEntry *entry = &labels->map.entries[i];
        if (is_of_karpenter(entry->key) || str_is(entry->key, "kubernetes.io/hostname")) {
            Diag *diag = refuse(rules, object, entry->key_span, "this label is another's to write");
            diag_help(rules->session, diag, "write a label of a domain of your own");
        }
    }
    const Value *needs = object_get(object_get(template, "spec"), "requirements");
    for (uint32_t i = 0; i < object_count(needs); i++) {
        const Value *key = object_get(needs->list.items[i], "key");
        if (str_is(object_text(key), "kubernetes.io/hostname")) {
            Diag *diag = refuse(rules, object, key->span, "no node has its name before it is there");
            diag_help(rules->session, diag, "leave the requirement out");
        }
    }
}

static void check_class(const Rules *rules, const PlanObject *object) {
    const Value *spec = object_get(object->fields, "spec");
    const Value *tags = object_get(spec, "tags");
    for (uint32_t i = 0; tags != NULL && tags->kind == VALUE_MAP && i < tags->map.count; i++) {
        const ValueEntry *entry = &tags->map.entries[i];
        if (str_starts_with(entry->key, STR("kubernetes.io/cluster"))) {
            Diag *diag = refuse(rules, object, entry->key_span, "Karpenter writes this tag");
            diag_help(rules->session, diag, "leave it out");
        }
    }
    const Value *disks = object_get(spec, "blockDeviceMappings");
    const Value *first = NULL;
    for (uint32_t i = 0; i < object_count(disks); i++) {
        const Value *root = object_get(disks->list.items[i], "rootVolume");
        const bool is_root = root != NULL && root->kind == VALUE_BOOL && root->boolean;
        if (is_root && first != NULL) {
            Diag *diag = refuse(rules, object, root->span, "a second volume is the root");
            diag_label(rules->session, diag, first->span, "the first");
            diag_help(rules->session, diag, "leave `rootVolume` out in one of the two");
            return;
        }
        first = is_root ? root : first;
    }
}

// ---- the order of the jobs of a JobSet, and of a runtime ---------------------------------------------------------------

static void check_depends(const PartCheck *check, const Value *jobs, uint32_t at) {
    Session *session = check->rules->session;
    const Value *others = object_get(jobs->list.items[at], "dependsOn");
    for (uint32_t i = 0; i < object_count(others); i++) {
        const Value *name = object_get(others->list.items[i], "name");
        for (uint32_t k = at; object_text(name).len > 0 && k < jobs->list.count; k++) {
            if (!str_equal(object_text(object_get(jobs->list.items[k], "name")), name->string)) {
                continue;
            }
            const char *why = k == at ? "a job depends on itself" : "a job depends on one that stands behind it";
            Diag *diag = refuse(check->rules, check->object, name->span, why);
            diag_help(session, diag, k == at ? "leave it out" : "move the job that others wait for above them");
            break;
        }
    }
}

static void visit_job_set(void *context, const ObjectPart *part) {
    enum { JOBS_MAX = 500 };
    const PartCheck *check = context;
    const Value *jobs = object_get(part->value, "replicatedJobs");
    const Value *order = object_get(object_get(part->value, "startupPolicy"), "startupPolicyOrder");
    bool has_order = !str_is(object_text(order), "InOrder");
    for (uint32_t i = 0; i < object_count(jobs) && jobs->list.count <= JOBS_MAX; i++) {
        const Value *others = object_get(jobs->list.items[i], "dependsOn");
        if (object_count(others) > 0 && !has_order) {
            has_order = true;
            static const char WHY[] = "its jobs start in order, and one says itself what it depends on";
            Diag *diag = refuse(check->rules, check->object, order->span, WHY);
            diag_label(check->rules->session, diag, others->span, "this");
            diag_help(check->rules->session, diag, "leave `startupPolicy` out, or `dependsOn`");
        }
        check_depends(check, jobs, i);
        check_step_count(check, jobs->list.items[i]);
    }
}

// ---- jobs of Volcano ---------------------------------------------------------------------------------------------------

// source: volcano-sh/volcano@ed72c7c8 pkg/controllers/job/plugins/factory.go and pkg/webhooks/admission/jobs/validate, "unable
// to find job plugin", read 2026-12
static void check_plugins(const Rules *rules, const PlanObject *object) {
    static const char *const PLUGINS[] = { "ssh", "svc", "env", "mpi", "pytorch", "tensorflow", "ray", "hcclrank" };
    Session *session = rules->session;
    const Value *plugins = object_get(object_get(object->fields, "spec"), "plugins");
    for (uint32_t i = 0; plugins != NULL && plugins->kind == VALUE_MAP && i < plugins->map.count; i++) {
        const ValueEntry *plugin = &plugins->map.entries[i];
        Suggestion near = suggest_for(session, plugin->key);
        bool is_known = str_has(plugin->key, "$") || str_has(plugin->key, "{");
        for (size_t k = 0; k < COUNT_OF(PLUGINS) && !is_known; k++) {
            is_known = str_is(plugin->key, PLUGINS[k]);
            suggest_offer(&near, str_of(PLUGINS[k]));
        }
        if (is_known) {
            continue;
        }
        const Str why = str_format(session->arena, "Volcano has no plugin `%.*s`", STR_ARG(plugin->key));
        Diag *diag = refuse(rules, object, plugin->key_span, str_c(session->arena, why));
        if (!suggest_say(session, diag, &near, plugin->key_span)) {
            diag_help(session, diag, "write `svc`, `ssh`, `env`, or the plugin of a framework: `pytorch`, `mpi`");
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
    PartCheck check = { .rules = rules, .object = object };
    object_parts_visit(object, STR("JobSpec"), true, visit_job_spec, &check);
    object_parts_visit(object, STR("DeviceSpec/devices"), true, visit_devices, &check);
    object_parts_visit(object, STR("JobSetSpec"), true, visit_job_set, &check);
    if (str_is(object->resource->type, "v1/Secret")) {
        check_secret(rules, object);
    }
    if (str_is(object->resource->type, "scheduling.k8s.io/v1/PriorityClass")) {
        check_priority(rules, object);
    }
    if (str_is(object->resource->type, "jobset.x-k8s.io/v1alpha2/JobSet")) {
        check_job_set(rules, object);
    }
    if (str_is(object->resource->type, "batch.volcano.sh/v1alpha1/Job")) {
        check_plugins(rules, object);
    }
    if (str_is(object->resource->type, "karpenter.sh/v1/NodePool")) {
        check_labels(rules, object);
    }
    if (str_is(object->resource->type, "karpenter.k8s.aws/v1/EC2NodeClass")) {
        check_class(rules, object);
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
