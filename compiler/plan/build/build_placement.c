// Which placement group a group of nodes stands in: one that is there, named by the author, or a new one where nothing
// reserved brings a place of its own. A name that may not be given leaves the choice to the word behind `??`, `auto`
// where there is none.
#include "compiler/plan/build/builder.h"

#include "compiler/plan/build/read.h"
#include "compiler/plan/model/capacity.h"

// A placement as it is written: a name, a word, or a name with a word behind it.
typedef struct {
    const Value *name; // NULL: none
    const Value *word; // NULL: the name is always given
} Written;

static bool has_word(const Value *value) {
    if (value->kind == VALUE_WORD) {
        return true;
    }
    for (uint32_t i = 0; value->kind == VALUE_LATE && i < value->late->part_count; i++) {
        if (has_word(value->late->parts[i])) {
            return true;
        }
    }
    return false;
}

static const Value *auto_word(Builder *builder, const Block *block, const Value *value) {
    Value *word = value_new(builder->arena, VALUE_WORD, value == NULL ? block->subject.name_span : value->span,
                            plan_schema_origin(builder, block, NODES_PLACEMENT));
    word->string = STR("auto");
    return word;
}

// False where a word is chosen at deployment by anything but `??`: which resources there are must be known.
static bool split(Builder *builder, const Block *block, const Value *value, Written *written) {
    *written = (Written){ .name = value };
    if (value->kind == VALUE_WORD) {
        *written = (Written){ .word = value };
        return true;
    }
    bool is_default = value->kind == VALUE_LATE && value->late->kind == LATE_DEFAULT;
    if (is_default && has_word(value->late->parts[1]) && !has_word(value->late->parts[0])) {
        Written rest;
        if (!split(builder, block, value->late->parts[1], &rest)) {
            return false;
        }
        const Value *name = value->late->parts[0];
        *written = (Written){ .name = plan_default(builder, name, rest.name), .word = rest.word };
        return true;
    }
    if (has_word(value)) {
        return false;
    }
    if (value_may_be_null(value)) {
        written->word = auto_word(builder, block, value);
    }
    return true;
}

static bool wants_group(const PlanNodes *nodes) {
    bool is_many = nodes->count_high->kind != VALUE_INT || nodes->count_high->integer > 1;
    return nodes->efa_count > 0 && is_many && nodes->instance->placement_cluster == 1;
}

// What is written where the placement is: of a plain late name the declaration is far away.
static Span span_of(const PlanNodes *nodes, const Value *value) {
    bool is_param = value->kind == VALUE_LATE && value->late->kind == LATE_PARAM;
    return is_param ? subject_key(nodes->head.subject, NODES_PLACEMENT) : value->span;
}

static void refuse_group(Builder *builder, const PlanNodes *nodes, const Value *value) {
    CapacityKind kind = capacity_last(nodes->capacity)->kind;
    Diag *diag = report(builder->session, span_of(nodes, value), DIAG(placement_beside_reservation),
                        value->kind == VALUE_WORD ? "a new" : "a", capacity_name(kind));
    const Value *capacity = subject_value(nodes->head.subject, NODES_CAPACITY);
    diag_label(builder->session, diag, capacity->span, "brings the place of its instances");
    diag_help(builder->session, diag,
              kind == CAPACITY_BLOCK ? "leave `placement` out"
                                     : "leave `placement` out, or name the group that the reservation was made in");
}

static bool is_block_alone(const PlanCapacity *capacity) {
    while (capacity != NULL && capacity->kind == CAPACITY_BLOCK) {
        capacity = capacity->otherwise;
    }
    return capacity == NULL;
}

static void check_type(Builder *builder, const PlanNodes *nodes, const Value *word) {
    if (nodes->instance->placement_cluster == 0) {
        Diag *diag = report(builder->session, word->span, DIAG(no_cluster_placement), nodes->instance->name);
        diag_help(builder->session, diag, "leave `placement` out");
    }
}

// Whether the word makes a group. A reservation brings the place of its instances with it: a new group beside it finds
// no capacity (eksctl-io/eksctl#7949). One that may not be given leaves the group to the case without it.
static bool makes_group(Builder *builder, const PlanNodes *nodes, const Value *word) {
    bool is_possible = !capacity_is_reserved(capacity_last(nodes->capacity)->kind);
    if (str_is(word->string, "cluster")) {
        if (!is_possible) {
            refuse_group(builder, nodes, word);
        } else {
            check_type(builder, nodes, word);
        }
        return is_possible;
    }
    return str_is(word->string, "auto") && is_possible && wants_group(nodes);
}

// "where no reservation is given": what must hold for a new group at deployment.
static Str condition_of_new(Builder *builder, const PlanNodes *nodes) {
    bool may_be_reserved = nodes->capacity->otherwise != NULL;
    bool may_be_named = nodes->placement.name != NULL;
    return str_format(builder->arena, "%s%s%s%s", may_be_reserved || may_be_named ? ", where no " : "",
                      may_be_named ? "other" : "", may_be_reserved && may_be_named ? " and no reservation" : "",
                      may_be_named      ? " is given"
                      : may_be_reserved ? "reservation is given"
                                        : "");
}

// `cluster` alone is what the author wrote; all else is worth a line.
static void decide(Builder *builder, const PlanNodes *nodes, const Value *word) {
    const Block *block = nodes->head.block;
    Str condition = condition_of_new(builder, nodes);
    if (nodes->placement.is_new && (condition.len > 0 || !str_is(word->string, "cluster"))) {
        builder_decide(builder, block->subject.name_span, "%.*s: a cluster placement group%.*s", STR_ARG(block->name),
                       STR_ARG(condition));
    }
    if (nodes->placement.name != NULL && capacity_has(nodes->capacity, CAPACITY_BLOCK)) {
        builder_decide(builder, block->subject.name_span, "%.*s: the named placement group, where no block is given",
                       STR_ARG(block->name));
    }
}

static const Origin *origin_of_new(Builder *builder, const PlanNodes *nodes, const Value *word) {
    if (!str_is(word->string, "auto")) {
        return word->origin;
    }
    return origin_join(builder->arena, word->origin,
                       origin_join(builder->arena, nodes->nics_origin, nodes->capacity->origin));
}

void build_placement(Builder *builder, PlanNodes *nodes) {
    const Block *block = nodes->head.block;
    const Value *value = block_value(block, NODES_PLACEMENT);
    Written written = { .word = auto_word(builder, block, NULL) };
    if (value != NULL && !split(builder, block, value, &written)) {
        read_known(builder, block, NODES_PLACEMENT); // says so
        return;
    }
    if (written.name != NULL && is_block_alone(nodes->capacity)) {
        refuse_group(builder, nodes, value);
        return;
    }
    nodes->placement.name = written.name;
    if (written.word != NULL) {
        nodes->placement.is_new = makes_group(builder, nodes, written.word);
        nodes->placement.origin = origin_of_new(builder, nodes, written.word);
    }
    decide(builder, nodes, written.word);
}
