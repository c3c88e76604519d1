// A rule about three numbers of a resource that rise: the least, the one to begin with, and the most.
#include "compiler/plan/rules/rules_field.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/object_value.h"

typedef struct {
    const char *type;
    const char *map; // that they stand in; NULL: the properties
    const char *least;
    const char *first;
    const char *most;
} CountsRow;

static const CountsRow COUNTS_ROWS[] = {
    { "AWS::Batch::ComputeEnvironment", "ComputeResources", "MinvCpus", "DesiredvCpus", "MaxvCpus" },
    { "AWS::EKS::Nodegroup", "ScalingConfig", "MinSize", "DesiredSize", "MaxSize" },
    { "AWS::AutoScaling::AutoScalingGroup", NULL, "MinSize", "DesiredCapacity", "MaxSize" },
};

static const Value *value_of(const PlanResource *resource, const CountsRow *row, const char *name) {
    return row->map == NULL ? resource_property(resource->resource, name)
                            : object_get(resource_property(resource->resource, row->map), name);
}

// False where the two are in order, or one is not known.
static bool cross(const Rules *rules, const PlanResource *resource, const CountsRow *row, const char *low,
                  const char *high) {
    const Value *lower = value_of(resource, row, low);
    const Value *higher = value_of(resource, row, high);
    int64_t least = 0;
    int64_t most = 0;
    if (!rule_number(rules, lower, &least) || !rule_number(rules, higher, &most) || least <= most || most < 0) {
        return false;
    }
    Diag *diag =
        plan_report(rules->session, resource->subject, lower->span, DIAG(counts_between), low, least, high, most);
    diag_label(rules->session, diag, higher->span, "%" PRId64, most);
    return true;
}

void rule_counts_of_resource(const Rules *rules, const PlanResource *resource) {
    for (size_t i = 0; i < COUNT_OF(COUNTS_ROWS); i++) {
        const CountsRow *row = &COUNTS_ROWS[i];
        if (str_is(resource->resource->type, row->type) && !cross(rules, resource, row, row->least, row->most)) {
            cross(rules, resource, row, row->first, row->most);
        }
    }
}
