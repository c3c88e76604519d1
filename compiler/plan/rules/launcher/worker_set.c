// Rules about a LeaderWorkerSet. Its pods are those of other kinds.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object_value.h"

static bool integer_of(const Value *value, int64_t *number) {
    *number = value != NULL && value->kind == VALUE_INT ? value->integer : 0;
    return value != NULL && value->kind == VALUE_INT;
}

// The leader may stand beside the groups: then the rest of the pods is divided.
void rule_worker_set(const Rules *rules, const PlanObject *object) {
    const Value *template = object_get(object_get(object->fields, "spec"), "leaderWorkerTemplate");
    const Value *size = object_get(template, "size");
    const Value *group = object_get(object_get(template, "subGroupPolicy"), "subGroupSize");
    int64_t pods = 0;
    int64_t each = 0;
    const bool is_set = str_starts_with(object->resource->type, STR("leaderworkerset.x-k8s.io/"));
    if (!is_set || object->is_changed || !integer_of(size, &pods) || !integer_of(group, &each)) {
        return;
    }
    if (each < 1 || pods < each || (pods % each != 0 && (pods - 1) % each != 0)) {
        Diag *diag = plan_report(rules->session, object->subject, group->span, DIAG(worker_set_groups), pods, each);
        diag_label(rules->session, diag, size->span, "the leader and its workers");
        diag_help(rules->session, diag, "write a number that divides %" PRId64 " or %" PRId64, pods, pods - 1);
    }
}
