// Rules about a job definition of AWS Batch as a whole: which of its nodes each container is for, and where devices stand
// in a container. Each range and each device is right by itself; together they are not.
// Source: AWS Batch API Reference, NodeProperties, NodeRangeProperty and Device, and User Guide, Node groups, read 2026-11.
#include "compiler/plan/rules/rule_field.h"

#include <stdarg.h>

#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/job_containers.h"
#include "compiler/plan/rules/node_range.h"
#include "compiler/plan/rules/rule_word.h"
#include "compiler/plan/model/object_value.h"
#include "schema/limits.h"

enum { DEVICES_COMPARED_MAX = 500 };

typedef struct {
    const Rules *rules;
    const PlanResource *resource;
    const Value *count; // NumNodes
    int64_t nodes;      // the number that it is
} NodeRangesCheck;

static PRINTF_LIKE(3, 4) Diag *say(const NodeRangesCheck *check, Span span, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const Str fault = str_format_list(check->rules->session->arena, format, arguments);
    va_end(arguments);
    Diag *diag = plan_report(check->rules->session, check->resource->subject, span, DIAG(node_ranges), STR_ARG(fault));
    diag_label(check->rules->session, diag, check->count->span, "%" PRId64 " node%s: 0 to %" PRId64, check->nodes,
               check->nodes == 1 ? "" : "s", check->nodes - 1);
    return diag;
}

// ---- ranges ------------------------------------------------------------------------------------------------------

// False where nobody knows yet which nodes it is, or where it is no range of them, which is reported.
static bool check_range(const NodeRangesCheck *check, const Value *target, NodeRange *range) {
    if (target == NULL || (target->kind != VALUE_STRING && target->kind != VALUE_INT)) {
        return false;
    }
    Session *session = check->rules->session;
    const Str text = target->kind == VALUE_STRING ? target->string : value_print(session->arena, target);
    const int64_t last = check->nodes - 1;
    if (!node_range_read(text, last, range)) {
        Diag *diag = say(check, target->span, "`%.*s` is no range of nodes", STR_ARG(text));
        const size_t dash = str_find(text, STR("-"), 0);
        const Str better = str_format(session->arena, "%.*s:%.*s", STR_ARG(str_slice(text, 0, dash)),
                                      STR_ARG(str_slice(text, dash + 1, text.len)));
        NodeRange meant;
        if (dash > 0 && dash < text.len && node_range_read(better, last, &meant)) {
            rule_write_at(check->rules, diag, target->span, text, better);
        } else {
            diag_help(session, diag, "write a range such as `0:%" PRId64 "`, or `0:` for all", last);
        }
        return false;
    }
    const int64_t highest = range->first > range->last ? range->first : range->last;
    if (highest > last) {
        diag_help(session, say(check, target->span, "`%.*s` names node %" PRId64, STR_ARG(text), highest),
                  "write `%" PRId64 ":`, which goes on to the last node, or a larger `NumNodes`",
                  range->first > last ? 0 : range->first);
        return false;
    }
    if (range->first > range->last) {
        rule_write_at(check->rules, say(check, target->span, "`%.*s` begins behind its end", STR_ARG(text)),
                      target->span, text,
                      str_format(session->arena, "%" PRId64 ":%" PRId64, range->last, range->first));
        return false;
    }
    return true;
}

// The first node that no range has; `nodes` where each is in one.
static int64_t first_without(const NodeRangesCheck *check, const NodeRange *ranges, uint32_t count) {
    int64_t next = 0;
    bool has_grown = true;
    while (has_grown && next < check->nodes) {
        has_grown = false;
        for (uint32_t i = 0; i < count; i++) {
            if (ranges[i].first <= next && ranges[i].last >= next) {
                next = ranges[i].last + 1;
                has_grown = true;
            }
        }
    }
    return next;
}

static void check_ranges(const NodeRangesCheck *check, const Value *list) {
    Session *session = check->rules->session;
    const uint32_t count = object_count(list);
    if (count > LIMIT_NODE_GROUPS_MAX) {
        diag_help(session,
                  say(check, list->span, "there are %" PRIu32 " ranges, and AWS Batch takes %d", count,
                      LIMIT_NODE_GROUPS_MAX),
                  "put nodes with the same container into one range");
        return;
    }
    NodeRange ranges[LIMIT_NODE_GROUPS_MAX] = { 0 };
    bool are_known = count > 0;
    for (uint32_t i = 0; i < count; i++) {
        are_known = check_range(check, object_get(list->list.items[i], "TargetNodes"), &ranges[i]) && are_known;
    }
    const int64_t missing = are_known ? first_without(check, ranges, count) : check->nodes;
    if (missing < check->nodes) {
        const Value *last = object_get(list->list.items[count - 1], "TargetNodes");
        diag_help(session, say(check, last->span, "no range has node %" PRId64, missing),
                  "write a range that goes on to the last node, such as `%" PRId64 ":`", missing);
    }
}

// "Currently all node groups in a multi-node parallel job must use the same instance type": User Guide, Node groups.
static void check_types(const Rules *rules, const PlanResource *resource, const Value *list) {
    const Value *first = NULL;
    for (uint32_t i = 0; i < object_count(list); i++) {
        const Value *container = object_get(list->list.items[i], "Container");
        const Value *type = object_get(container, "InstanceType");
        if (object_text(type).len == 0) {
            continue;
        }
        if (first != NULL && !str_equal(type->string, first->string)) {
            Diag *diag = plan_report(rules->session, resource->subject, type->span, DIAG(node_ranges),
                                     STR_ARG(STR("a job has nodes of one instance type")));
            diag_label(rules->session, diag, first->span, "another range has this one");
            diag_help(rules->session, diag, "write `%.*s`", STR_ARG(first->string));
            return;
        }
        first = type;
    }
}

void rule_node_ranges(const Rules *rules, const PlanResource *resource) {
    if (!str_is(resource->resource->type, "AWS::Batch::JobDefinition")) {
        return;
    }
    const Value *properties = resource_property(resource->resource, "NodeProperties");
    const Value *list = object_get(properties, "NodeRangeProperties");
    check_types(rules, resource, list);
    NodeRangesCheck check = { .rules = rules, .resource = resource, .count = object_get(properties, "NumNodes") };
    if (!rule_number(check.count, &check.nodes) || check.nodes < 1) {
        return;
    }
    const Value *main = object_get(properties, "MainNode");
    int64_t index = 0;
    if (rule_number(main, &index) && (index < 0 || index >= check.nodes)) {
        diag_help(rules->session, say(&check, main->span, "the main node is %" PRId64, index),
                  "write `0`, the first node");
    }
    check_ranges(&check, list);
}

// ---- devices -----------------------------------------------------------------------------------------------------

// Where it stands in the container; NULL where that is not known.
static const Value *place_of(const Value *device) {
    const Value *inner = object_get(device, "ContainerPath");
    const Value *place = inner == NULL ? object_get(device, "HostPath") : inner;
    return object_text(place).len > 0 ? place : NULL;
}

// runc makes the first, and passes over the second: libcontainer/rootfs_linux.go, createDeviceNode, of
// opencontainers/runc, read 2026-11.
static void check_devices(const Rules *rules, const PlanResource *resource, const Value *container) {
    const Value *devices = object_get(object_get(container, "LinuxParameters"), "Devices");
    const uint32_t count = object_count(devices);
    for (uint32_t i = 1; i < count && count < DEVICES_COMPARED_MAX; i++) {
        const Value *place = place_of(devices->list.items[i]);
        for (uint32_t k = 0; k < i && place != NULL; k++) {
            const Value *other = place_of(devices->list.items[k]);
            if (other != NULL && str_equal(other->string, place->string)) {
                Diag *diag = plan_report(rules->session, resource->subject, place->span, DIAG(device_place_twice),
                                         STR_ARG(place->string));
                diag_label(rules->session, diag, other->span, "the first one");
                return;
            }
        }
    }
}

void rule_device_places(const Rules *rules, const PlanResource *resource) {
    const JobContainers containers = job_containers(rules->session->arena, resource->resource);
    for (uint32_t i = 0; i < containers.count; i++) {
        check_devices(rules, resource, containers.items[i].container);
    }
}
