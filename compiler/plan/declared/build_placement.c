// Which placement group a group of nodes stands in. It is one that is there and that the author names. Or it is a new
// one, unless a reservation brings a place of its own. A name that may not be given leaves the choice to the word
// behind `??`, `auto` where there is none.
#include "compiler/plan/declared/builder.h"

#include "compiler/plan/declared/read.h"
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
    bool is_many = nodes->count.high->kind != VALUE_INT || nodes->count.high->integer > 1;
    return nodes->fabric.efa_count > 0 && is_many && nodes->instance->placement_cluster == 1;
}

// Whether the word makes a group: none beside a reservation, which brings the place of its instances with it (rule
// launch_stands). One that may not be given leaves the group to the case without it.
static bool makes_group(const PlanNodes *nodes, const Value *word) {
    if (capacity_is_reserved(capacity_last(nodes->capacity)->kind)) {
        return false;
    }
    return str_is(word->string, "cluster") || (str_is(word->string, "auto") && wants_group(nodes));
}

static bool is_block_alone(const PlanCapacity *capacity) {
    while (capacity != NULL && capacity->kind == CAPACITY_BLOCK) {
        capacity = capacity->otherwise;
    }
    return capacity == NULL;
}

// What is written where the placement is: of a plain late name the declaration is far away.
static Span span_of(const PlanNodes *nodes, const Value *value) {
    bool is_param = value->kind == VALUE_LATE && value->late->kind == LATE_PARAM;
    return is_param ? subject_key(nodes->head.subject, NODES_PLACEMENT) : value->span;
}

static void add_group(Builder *builder, const PlanNodes *nodes, const Value *value, bool is_new) {
    const PlanField field = field_known("placement", span_of(nodes, value), STR_NONE);
    const PlanPlacementGroup group = { .field = field, .is_new = is_new, .is_cluster = is_new };
    vec_push(builder->arena, &nodes->launch->placement_groups, group);
}

// What the author asks for, whether it can be had or not.
static void add_stands(Builder *builder, const PlanNodes *nodes, const Value *value, const Written *written) {
    if (written->name != NULL) {
        add_group(builder, nodes, value, false);
    }
    const bool is_refused = written->name != NULL && is_block_alone(nodes->capacity);
    if (written->word != NULL && str_is(written->word->string, "cluster") && !is_refused) {
        add_group(builder, nodes, written->word, true);
    }
}

// The ways in which the group is to be bought.
static void add_purchases(Builder *builder, const PlanNodes *nodes) {
    const Subject *subject = nodes->head.subject;
    const Value *value = subject_value(subject, NODES_CAPACITY);
    PlanField field = { .state = FIELD_ABSENT, .name = "capacity" };
    if (value != NULL) {
        field = field_known("capacity", value->span, STR_NONE);
    } else if (subject->null_origins[NODES_CAPACITY] != NULL) {
        field.key = subject_key(subject, NODES_CAPACITY);
    } else {
        field.span = nodes->instance_value->span;
    }
    for (const PlanCapacity *capacity = nodes->capacity; capacity != NULL; capacity = capacity->otherwise) {
        const Str word = str_of(capacity_name(capacity->kind));
        const PlanPurchase purchase = { .kind = capacity->kind, .word = word, .field = field };
        vec_push(builder->arena, &nodes->launch->purchases, purchase);
    }
}

// Where the instances come from, as far as it decides on their place.
static void add_reservation(const PlanNodes *nodes) {
    const Value *capacity = subject_value(nodes->head.subject, NODES_CAPACITY);
    const CapacityKind kind = capacity_last(nodes->capacity)->kind;
    if (capacity == NULL || !capacity_is_reserved(kind)) {
        return;
    }
    nodes->launch->reservation = (PlanReservation){
        .is_block = is_block_alone(nodes->capacity),
        .is_reserved = true,
        .takes_named = kind != CAPACITY_BLOCK,
        .field = field_known("capacity", capacity->span, str_of(capacity_name(kind))),
        .has_target = true,
    };
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
        builder_add_decision(builder, block->subject.name_span, builder_subject(builder, block),
                             "a cluster placement group%.*s", STR_ARG(condition));
    }
    if (nodes->placement.name != NULL && capacity_has(nodes->capacity, CAPACITY_BLOCK)) {
        builder_add_decision(builder, block->subject.name_span, builder_subject(builder, block),
                             "the named placement group, where no block is given");
    }
}

static const Origin *origin_of_new(Builder *builder, const PlanNodes *nodes, const Value *word) {
    if (!str_is(word->string, "auto")) {
        return word->origin;
    }
    return origin_join(builder->arena, word->origin,
                       origin_join(builder->arena, nodes->fabric.origin, nodes->capacity->origin));
}

void build_placement(Builder *builder, PlanNodes *nodes) {
    const Block *block = nodes->head.block;
    const Value *value = block_value(block, NODES_PLACEMENT);
    add_purchases(builder, nodes);
    Written written = { .word = auto_word(builder, block, NULL) };
    if (value != NULL && !split(builder, block, value, &written)) {
        read_known(builder, block, NODES_PLACEMENT); // says so
        return;
    }
    add_reservation(nodes);
    add_stands(builder, nodes, value, &written);
    if (written.name != NULL && is_block_alone(nodes->capacity)) {
        return; // is refused
    }
    nodes->placement.name = written.name;
    if (written.word != NULL) {
        nodes->placement.is_new = makes_group(nodes, written.word);
        nodes->placement.origin = origin_of_new(builder, nodes, written.word);
    }
    decide(builder, nodes, written.word);
}
