// Rules about names and patterns of a job definition of AWS Batch that stand in two places of it: the volume that a mount
// point names, and the conditions of a retry, of which the first that fits decides.
// Source: Amazon ECS API Reference, MountPoint; AWS Batch API Reference, RetryStrategy and EvaluateOnExit; CloudFormation
// User Guide, AWS::Batch::JobDefinition RetryStrategy, Examples; read 2026-11.
#include "compiler/plan/rules/rule_combination.h"
#include "compiler/plan/rules/rule_field.h"

#include "compiler/base/suggest.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/rule_word.h"
#include "compiler/plan/rules/job_containers.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/rules/job.h"
#include "schema/limits.h"

// ---- mount points --------------------------------------------------------------------------------------------------

enum { VOLUMES_MAX = 100 }; // that mount points are compared with

// Offers the names of all volumes. False where one of them is not known, or where they are too many.
static bool offer_volumes(Suggestion *suggestion, const Value *volumes, Str wanted, bool *is_there) {
    if (object_count(volumes) > VOLUMES_MAX) {
        return false;
    }
    for (uint32_t i = 0; i < object_count(volumes); i++) {
        const Str name = object_text(object_get(volumes->list.items[i], "Name"));
        if (name.len == 0) {
            return false;
        }
        *is_there = *is_there || str_equal(name, wanted);
        suggest_offer(suggestion, name);
    }
    return volumes == NULL || volumes->kind == VALUE_LIST;
}

static void check_mount_point(const Rules *rules, const PlanResource *resource, const Value *mount,
                              const Value *volumes) {
    const Value *name = object_get(mount, "SourceVolume");
    const Str text = object_text(name);
    Suggestion suggestion = suggest_for(rules->session, text);
    bool is_there = false;
    if (text.len == 0 || !offer_volumes(&suggestion, volumes, text, &is_there) || is_there) {
        return;
    }
    Diag *diag = plan_report(rules->session, resource->subject, name->span, DIAG(mount_of_nothing), STR_ARG(text));
    if (!suggest_say(rules->session, diag, &suggestion, name->span)) {
        diag_help(rules->session, diag, "add a volume of this name, or name another one");
    }
}

void rule_mount_points(const Rules *rules, const PlanResource *resource) {
    const JobContainers containers = job_containers(rules->session->arena, resource->resource);
    for (uint32_t i = 0; i < containers.count; i++) {
        const Value *mounts = object_get(containers.items[i].container, "MountPoints");
        for (uint32_t k = 0; k < object_count(mounts); k++) {
            check_mount_point(rules, resource, mounts->list.items[k], containers.items[i].volumes);
        }
    }
}

// ---- retries -------------------------------------------------------------------------------------------------------

static const char *const CONDITIONS[] = { "OnReason", "OnStatusReason", "OnExitCode" };

// Whether all that the later pattern matches the earlier one matches as well. Patterns may end in `*`, and have no other.
// What has no pattern matches anything, and a reason of `*` does so too: the example of the User Guide ends with it.
static bool covers(const char *condition, const Value *earlier, const Value *later) {
    const Str pattern = object_text(earlier);
    const Str other = object_text(later);
    const bool is_open = str_ends_with(pattern, STR("*"));
    if (earlier == NULL || (str_is(pattern, "*") && str_is(str_of(condition), "OnReason"))) {
        return true;
    }
    if (pattern.len == 0 || other.len == 0) {
        return false;
    }
    return is_open ? str_starts_with(other, str_slice(pattern, 0, pattern.len - 1)) : str_equal(other, pattern);
}

static bool covers_all(const Value *earlier, const Value *later) {
    bool is_covered = true;
    bool has_one = false;
    for (size_t i = 0; i < COUNT_OF(CONDITIONS); i++) {
        const Value *condition = object_get(earlier, CONDITIONS[i]);
        is_covered = is_covered && covers(CONDITIONS[i], condition, object_get(later, CONDITIONS[i]));
        has_one = has_one || condition != NULL;
    }
    return is_covered && has_one;
}

// Words of `Action` are not case sensitive. Where both say the same, the order is of no account.
static bool act_apart(const Value *earlier, const Value *later) {
    const Str action = object_text(object_get(earlier, "Action"));
    const Str other = object_text(object_get(later, "Action"));
    return action.len > 0 && other.len > 0 && char_small(action.data[0]) != char_small(other.data[0]);
}

static void check_entry(const Rules *rules, const PlanResource *resource, const Value *list, uint32_t index) {
    const Value *entry = list->list.items[index];
    for (uint32_t i = 0; i < index; i++) {
        const Value *earlier = list->list.items[i];
        if (act_apart(earlier, entry) && covers_all(earlier, entry)) {
            const Value *action = object_get(entry, "Action");
            Diag *diag = plan_report(rules->session, resource->subject, action->span, DIAG(retry_never),
                                     STR_ARG(action->string));
            diag_label(rules->session, diag, object_get(earlier, "Action")->span, "is taken first, for all of these");
            diag_help(rules->session, diag, "write this entry before the other one");
            return;
        }
    }
}

// AWS Batch says which instance it was: "Host EC2 (instance i-0123456789abcdef0) terminated."
// source: AWS Batch User Guide, Automated job retries, read 2026-11
static void check_pattern(const Rules *rules, const PlanResource *resource, const Value *entry) {
    const Value *pattern = object_get(entry, "OnStatusReason");
    const Value *action = object_get(entry, "Action");
    const Str text = object_text(pattern);
    if (action == NULL || action->kind != VALUE_STRING || !str_starts_with_in_any_case(text, STR("Host EC2")) ||
        str_ends_with(text, STR("*"))) {
        return;
    }
    Diag *diag =
        plan_report(rules->session, resource->subject, action->span, DIAG(retry_never), STR_ARG(action->string));
    diag_label(rules->session, diag, pattern->span, "without `*` it is all of the reason, which goes on");
    diag_help(rules->session, diag, "write `\"Host EC2*\"`");
    rule_replace(rules, diag, pattern->span, text, str_format(rules->session->arena, "%.*s*", STR_ARG(text)));
}

void rule_retries(const Rules *rules, const PlanResource *resource) {
    if (!str_is(resource->resource->type, "AWS::Batch::JobDefinition")) {
        return;
    }
    const Value *list = object_get(resource_property(resource->resource, "RetryStrategy"), "EvaluateOnExit");
    uint32_t count = 0;
    for (uint32_t i = 0; i < object_count(list); i++) {
        const Value *action = object_get(list->list.items[i], "Action"); // what is no call has one
        count += action != NULL;
        if (action != NULL && count == LIMIT_JOB_RETRY_CONDITIONS_MAX + 1) {
            Diag *diag = rule_entries(rules, resource->subject, action->span, "EvaluateOnExit", object_count(list),
                                      "AWS Batch", LIMIT_JOB_RETRY_CONDITIONS_MAX);
            diag_help(rules->session, diag,
                      "put patterns with the same beginning together, as in `OnReason: \"Host*\"`");
            return;
        }
    }
    for (uint32_t i = 0; i < object_count(list) && i < LIMIT_JOB_RETRY_CONDITIONS_MAX; i++) {
        check_pattern(rules, resource, list->list.items[i]);
    }
    for (uint32_t i = 1; i < object_count(list) && i <= LIMIT_JOB_RETRY_CONDITIONS_MAX; i++) {
        check_entry(rules, resource, list, i);
    }
}

// ---- tasks and pods ------------------------------------------------------------------------------------------------

// Of a definition with containers of its own the rules about these ask, definition_attempts and definition_timeout.
static bool has_containers(const Resource *resource) {
    const Value *ranges = object_get(resource_property(resource, "NodeProperties"), "NodeRangeProperties");
    bool has_one = resource_property(resource, "ContainerProperties") != NULL;
    for (uint32_t i = 0; i < object_count(ranges); i++) {
        has_one = has_one || object_get(ranges->list.items[i], "Container") != NULL;
    }
    return has_one;
}

void rule_task_limits(const Rules *rules, const PlanResource *resource) {
    const Resource *raw = resource->resource;
    if (!str_is(raw->type, "AWS::Batch::JobDefinition") || has_containers(raw)) {
        return;
    }
    const Value *timeout = object_get(resource_property(raw, "Timeout"), "AttemptDurationSeconds");
    const Value *attempts = object_get(resource_property(raw, "RetryStrategy"), "Attempts");
    int64_t number = 0;
    if (rule_number(timeout, &number) && number > -INT32_MAX && number <= INT32_MAX) {
        rules_timeout(rules, resource->subject, timeout->span, number * 1000,
                      str_format(rules->session->arena, "%" PRId64 "s", number), true);
    }
    if (rule_number(attempts, &number)) {
        rules_attempts(rules, resource->subject, attempts->span, number, "AWS Batch makes", LIMIT_JOB_ATTEMPTS_MAX);
    }
}
