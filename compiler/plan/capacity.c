// Where nodes come from, as a chain of alternatives: a reservation that may not be given at deployment is followed by
// what holds without it, and on demand is always the end.
#include "compiler/plan/builder.h"

typedef struct {
    const char *word;
    CapacityKind kind;
} CapacityRow;

static const CapacityRow CAPACITY_ROWS[] = {
    { "on_demand", CAPACITY_ON_DEMAND },
    { "spot", CAPACITY_SPOT },
    { "reservation", CAPACITY_RESERVATION },
    { "reservation_group", CAPACITY_RESERVATION_GROUP },
    { "block", CAPACITY_BLOCK },
};

const char *capacity_name(CapacityKind kind) {
    for (size_t i = 0; i < COUNT_OF(CAPACITY_ROWS); i++) {
        if (CAPACITY_ROWS[i].kind == kind) {
            return CAPACITY_ROWS[i].word;
        }
    }
    return "";
}

static CapacityKind kind_of(Str word) {
    for (size_t i = 0; i < COUNT_OF(CAPACITY_ROWS); i++) {
        if (str_is(word, CAPACITY_ROWS[i].word)) {
            return CAPACITY_ROWS[i].kind;
        }
    }
    return CAPACITY_ON_DEMAND;
}

static PlanCapacity *make(Builder *builder, CapacityKind kind, const Value *id, const Origin *origin,
                          const PlanCapacity *otherwise) {
    PlanCapacity *capacity = arena_new(builder->arena, PlanCapacity);
    *capacity = (PlanCapacity){ .kind = kind, .id = id, .origin = origin, .otherwise = otherwise };
    return capacity;
}

// The chain of one value, with `rest` behind it where it may turn out to be null.
static const PlanCapacity *chain(Builder *builder, const Value *value, const PlanCapacity *rest) {
    if (value->kind == VALUE_WORD) {
        return make(builder, kind_of(value->string), NULL, value->origin, NULL);
    }
    if (value->kind == VALUE_TAG) {
        const Value *id = value->tag.arguments[0];
        return make(builder, kind_of(value->tag.name), id, value->origin, value_may_be_null(id) ? rest : NULL);
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
    const Value *value = read_value(block, NODES_CAPACITY);
    const PlanCapacity *on_demand =
        make(builder, CAPACITY_ON_DEMAND, NULL,
             value != NULL ? value->origin : plan_schema_origin(builder, block, NODES_CAPACITY), NULL);
    return value == NULL ? on_demand : chain(builder, value, on_demand);
}

bool capacity_has(const PlanCapacity *capacity, CapacityKind kind) {
    for (; capacity != NULL; capacity = capacity->otherwise) {
        if (capacity->kind == kind) {
            return true;
        }
    }
    return false;
}

// ---- placement -------------------------------------------------------------------------------------------------

static bool is_reserved(CapacityKind kind) {
    return kind == CAPACITY_RESERVATION || kind == CAPACITY_RESERVATION_GROUP || kind == CAPACITY_BLOCK;
}

// A reservation brings the place of its instances with it: a new placement group beside it finds no capacity
// (eksctl-io/eksctl#7949). One that may not be given leaves the group to the case without it.
static PlacementKind new_group(const PlanCapacity *capacity) {
    if (!is_reserved(capacity->kind)) {
        return PLACEMENT_CLUSTER;
    }
    return capacity->otherwise == NULL ? PLACEMENT_NONE : PLACEMENT_CLUSTER_IF_NOT_RESERVED;
}

static bool wants_group(const PlanNodes *nodes) {
    bool is_many = nodes->count_high->kind != VALUE_INT || nodes->count_high->integer > 1;
    return nodes->efa_count > 0 && is_many && nodes->instance->placement_cluster == 1;
}

static void refuse_group(Builder *builder, const PlanNodes *nodes, const Value *value) {
    const char *which = value->kind == VALUE_WORD ? "a new" : "a";
    Diag *diag = report(builder->session, value->span, DIAG(placement_beside_reservation), which,
                        capacity_name(nodes->capacity->kind));
    const Value *capacity = read_value(nodes->head.block, NODES_CAPACITY);
    diag_label(builder->session, diag, capacity->span, "brings the place of its instances");
    diag_help(builder->session, diag,
              nodes->capacity->kind == CAPACITY_BLOCK
                  ? "leave `placement` out"
                  : "leave `placement` out, or name the group that the reservation was made in");
}

static void check_type(Builder *builder, const PlanNodes *nodes, const Value *value) {
    if (nodes->instance->placement_cluster == 0) {
        Diag *diag = report(builder->session, value->span, DIAG(no_cluster_placement), nodes->instance->name);
        diag_help(builder->session, diag, "leave `placement` out");
    }
}

void build_placement(Builder *builder, PlanNodes *nodes) {
    const Block *block = nodes->head.block;
    const Value *value = read_value(block, NODES_PLACEMENT);
    bool is_word = value == NULL || value->kind == VALUE_WORD;
    nodes->placement_value = value != NULL ? value : read_word(builder, block, NODES_PLACEMENT, "auto");
    if (value != NULL && value->kind == VALUE_LATE && value->late->kind == LATE_IF) {
        read_known(builder, block, NODES_PLACEMENT);
        return;
    }
    if (!is_word) {
        nodes->placement = PLACEMENT_NAMED;
        if (nodes->capacity->kind == CAPACITY_BLOCK) {
            refuse_group(builder, nodes, value);
        }
        return;
    }
    Str word = nodes->placement_value->string;
    if (str_is(word, "none")) {
        nodes->placement = PLACEMENT_NONE;
    } else if (str_is(word, "cluster")) {
        nodes->placement = new_group(nodes->capacity);
        if (nodes->placement == PLACEMENT_NONE) {
            refuse_group(builder, nodes, value);
        } else {
            check_type(builder, nodes, value);
        }
    } else {
        nodes->placement = wants_group(nodes) ? new_group(nodes->capacity) : PLACEMENT_NONE;
        const Value *made =
            plan_string(builder, nodes->placement_value->span,
                        origin_join(builder->arena, nodes->placement_value->origin,
                                    origin_join(builder->arena, nodes->nics_origin, nodes->capacity->origin)),
                        STR("auto"));
        nodes->placement_value = made;
        if (nodes->placement != PLACEMENT_NONE) {
            builder_decide(builder, block->name_span, "%.*s: a cluster placement group%s", STR_ARG(block->name),
                           nodes->placement == PLACEMENT_CLUSTER ? "" : ", where no reservation is given");
        }
    }
}
