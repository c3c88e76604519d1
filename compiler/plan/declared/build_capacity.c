// Where nodes come from, as a chain of alternatives. If a reservation may be absent at deployment, the next alternative
// holds then. The last one is always there: nothing is on demand that is not written so, but a group without `capacity`.
#include "compiler/plan/declared/builder.h"

#include "compiler/plan/declared/read.h"
#include "compiler/plan/model/capacity.h"

static PlanCapacity *make(Builder *builder, CapacityKind kind, const Value *id, const Origin *origin,
                          const PlanCapacity *otherwise) {
    PlanCapacity *capacity = arena_new(builder->arena, PlanCapacity);
    *capacity = (PlanCapacity){ .kind = kind, .id = id, .origin = origin, .otherwise = otherwise };
    return capacity;
}

// The chain of one value, with `rest` behind it where it may turn out to be null.
static const PlanCapacity *chain(Builder *builder, const Value *value, const PlanCapacity *rest) {
    if (value->kind == VALUE_WORD) {
        return make(builder, capacity_kind(value->string), NULL, value->origin, NULL);
    }
    if (value->kind == VALUE_TAG && str_is(value->tag.name, "training_plan")) {
        return rest; // a rule says so
    }
    if (value->kind == VALUE_TAG) {
        const Value *id = value->tag.arguments[0];
        return make(builder, capacity_kind(value->tag.name), id, value->origin, value_may_be_null(id) ? rest : NULL);
    }
    if (value->kind == VALUE_LATE && value->late->kind == LATE_DEFAULT) {
        return chain(builder, value->late->parts[0], chain(builder, value->late->parts[1], rest));
    }
    Diag *diag = report(builder->session, value->span, DIAG(late_shape), "capacity");
    diag_help(builder->session, diag,
              "declare what is late in it as a `param` without `late`, or give it a value with -p");
    diag_help(builder->session, diag, "a late value may stand inside a tag: `reservation(id)`");
    return rest;
}

const PlanCapacity *build_capacity(Builder *builder, const Block *block) {
    const Value *value = block_value(block, NODES_CAPACITY);
    const PlanCapacity *on_demand =
        make(builder, CAPACITY_ON_DEMAND, NULL,
             value != NULL ? value->origin : plan_schema_origin(builder, block, NODES_CAPACITY), NULL);
    return value == NULL ? on_demand : chain(builder, value, on_demand);
}
