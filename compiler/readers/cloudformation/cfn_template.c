// Knows a template by its resources, and finds the ways to deploy it that differ.
#include "compiler/readers/cloudformation/cfn_template.h"

#include "compiler/readers/cloudformation/cfn_value.h"

enum { HASH_DEPTH = 3 };

static const Data *section(const Data *document, const char *name) {
    const Data *map = data_get(document, name);
    return map != NULL && map->kind == DATA_MAP ? map : NULL;
}

static StrMap names_of(Arena *arena, const Data *map) {
    StrMap names = { .arena = arena };
    for (uint32_t i = 0; map != NULL && i < map->count; i++) {
        str_map_add(&names, map->entries[i].key, &map->entries[i]);
    }
    return names;
}

static bool is_resource_type(Str type) {
    return str_find(type, STR("::"), 0) < type.len;
}

static bool is_other(const Data *transform, Str known) {
    return transform->kind == DATA_STRING ? !str_starts_with(transform->string, known) : transform->kind != DATA_LIST;
}

bool cfn_is_transformed(const Data *document, Str known) {
    const Data *transform = data_get(document, "Transform");
    bool is_transformed = transform != NULL && is_other(transform, known);
    for (uint32_t i = 0; transform != NULL && transform->kind == DATA_LIST && i < transform->count; i++) {
        is_transformed = is_transformed || is_other(transform->items[i], known);
    }
    return is_transformed;
}

bool cfn_read(Session *session, const Data *document, CfnTemplate *template) {
    const Data *resources = section(document, "Resources");
    bool is_template = false;
    for (uint32_t i = 0; resources != NULL && i < resources->count && !is_template; i++) {
        const DataEntry *entry = &resources->entries[i];
        is_template =
            is_resource_type(data_text(entry->value, "Type")) || str_starts_with(entry->key, STR("Fn::ForEach::"));
    }
    *template = (CfnTemplate){ .session = session,
                               .parameters = section(document, "Parameters"),
                               .mappings = section(document, "Mappings"),
                               .conditions = section(document, "Conditions"),
                               .rules = section(document, "Rules"),
                               .resources = resources,
                               .made = arena_new(session->arena, CfnMade),
                               .has_macro = is_template && cfn_is_transformed(document, STR("AWS::")) };
    template->parameter_names = names_of(session->arena, template->parameters);
    template->condition_names = names_of(session->arena, template->conditions);
    return is_template;
}

static int index_of(const StrMap *names, const Data *map, Str name) {
    const DataEntry *entry = str_map_get(names, name);
    return entry == NULL ? -1 : (int)(entry - map->entries);
}

int cfn_parameter(const CfnTemplate *template, Str name) {
    return index_of(&template->parameter_names, template->parameters, name);
}

int cfn_condition(const CfnTemplate *template, Str name) {
    return index_of(&template->condition_names, template->conditions, name);
}

// ---- conditions --------------------------------------------------------------------------------------------------

static uint32_t count_of(const Data *map) {
    return map == NULL ? 0 : map->count;
}

static CfnWorld *world_new(const CfnTemplate *template) {
    Arena *arena = template->session->arena;
    CfnWorld *world = arena_new(arena, CfnWorld);
    *world = (CfnWorld){ .template = template,
                         .parameters = arena_new_array(arena, AssumedParameter, count_of(template->parameters)),
                         .conditions = arena_new_array(arena, Truth, count_of(template->conditions)),
                         .steps = arena_new(arena, uint32_t) };
    *world->steps = CONDITION_STEPS_MAX;
    return world;
}

// Whether one more part of a condition can be looked at, in conditions that name each other this deep.
static bool take_step(const CfnWorld *world, int depth) {
    const bool is_left = *world->steps > 0 && depth <= CONDITION_DEPTH_MAX;
    *world->steps -= is_left ? 1 : 0;
    return is_left;
}

static Truth opposite(Truth truth) {
    return truth == TRUTH_TRUE ? TRUTH_FALSE : truth == TRUTH_FALSE ? TRUTH_TRUE : TRUTH_UNKNOWN;
}

// The same text, written the same way.
static bool same(const Data *left, const Data *right, int depth) {
    if (left->kind != right->kind || left->count != right->count || !str_equal(left->tag, right->tag) ||
        depth > CONDITION_DEPTH_MAX) {
        return false;
    }
    for (uint32_t i = 0; i < left->count; i++) {
        const bool is_map = left->kind == DATA_MAP;
        if ((is_map && !str_equal(left->entries[i].key, right->entries[i].key)) ||
            !same(is_map ? left->entries[i].value : left->items[i], is_map ? right->entries[i].value : right->items[i],
                  depth + 1)) {
            return false;
        }
    }
    return left->kind == DATA_LIST || left->kind == DATA_MAP || str_equal(left->string, right->string);
}

// Of what same() compares, but for what stands deeper: most texts that differ have another one.
static uint32_t hash_of(const Data *data, int depth) {
    uint32_t hash = (uint32_t)data->kind;
    const Str text = data->kind == DATA_LIST || data->kind == DATA_MAP ? data->tag : data->string;
    for (size_t i = 0; i < text.len; i++) {
        hash = hash * 31 + (unsigned char)text.data[i];
    }
    for (uint32_t i = 0; i < data->count && depth < HASH_DEPTH; i++) {
        hash = hash * 31 + hash_of(data->kind == DATA_MAP ? data->entries[i].value : data->items[i], depth + 1);
    }
    return hash;
}

static uint32_t hash_of_pair(const Data *pair) {
    return hash_of(pair->items[0], 0) + hash_of(pair->items[1], 0);
}

// What is assumed of the two sides of an `Fn::Equals`, in either order.
static Truth truth_of_pair(const CfnWorld *world, const Data *pair) {
    const uint32_t hash = hash_of_pair(pair);
    for (uint32_t i = 0; i < world->pairs.count; i++) {
        const AssumedPair *assumed = &world->pairs.items[i];
        for (uint32_t first = 0; first < 2 && assumed->hash == hash; first++) {
            if (same(pair->items[0], assumed->pair->items[first], 0) &&
                same(pair->items[1], assumed->pair->items[1 - first], 0)) {
                return assumed->truth;
            }
        }
    }
    return TRUTH_UNKNOWN;
}

// Of all parts: whether one of them is `wanted`, which decides the whole; else the opposite, or unknown.
static Truth of_all(const CfnWorld *world, const Data *parts, Truth wanted, int depth);

static Truth truth_of(const CfnWorld *world, const Data *condition, int depth) {
    if (!take_step(world, depth)) {
        return TRUTH_UNKNOWN;
    }
    CfnCall call;
    if (!cfn_call_of(condition, &call)) {
        return TRUTH_UNKNOWN;
    }
    const Data *parts = call.argument;
    const bool has_items = parts->kind == DATA_LIST && parts->count > 0;
    if (str_is(call.name, "Condition") && parts->kind == DATA_STRING) {
        const int index = cfn_condition(world->template, parts->string);
        if (index < 0 || world->conditions[index] != TRUTH_UNKNOWN) {
            return index < 0 ? TRUTH_UNKNOWN : world->conditions[index];
        }
        return truth_of(world, world->template->conditions->entries[index].value, depth + 1);
    }
    if (str_is(call.name, "Fn::Not") && has_items) {
        return opposite(truth_of(world, parts->items[0], depth + 1));
    }
    if (str_is(call.name, "Fn::And") && has_items) {
        return of_all(world, parts, TRUTH_FALSE, depth + 1);
    }
    if (str_is(call.name, "Fn::Or") && has_items) {
        return of_all(world, parts, TRUTH_TRUE, depth + 1);
    }
    if (str_is(call.name, "Fn::Equals") && has_items && parts->count == 2) {
        Str left;
        Str right;
        if (cfn_text(world, parts->items[0], &left) && cfn_text(world, parts->items[1], &right)) {
            return str_equal(left, right) ? TRUTH_TRUE : TRUTH_FALSE;
        }
        return truth_of_pair(world, parts);
    }
    return TRUTH_UNKNOWN;
}

static Truth of_all(const CfnWorld *world, const Data *parts, Truth wanted, int depth) {
    bool is_unknown = false;
    for (uint32_t i = 0; i < parts->count; i++) {
        const Truth truth = truth_of(world, parts->items[i], depth);
        if (truth == wanted) {
            return wanted;
        }
        is_unknown = is_unknown || truth == TRUTH_UNKNOWN;
    }
    return is_unknown ? TRUTH_UNKNOWN : opposite(wanted);
}

// ---- other ways to deploy it ---------------------------------------------------------------------------------------

static void make_late(CfnWorld *world, Str parameter) {
    const int index = cfn_parameter(world->template, parameter);
    if (index >= 0) {
        world->parameters[index] = (AssumedParameter){ .state = PARAMETER_LATE };
    }
}

// All parameters that a condition reads.
static void make_all_late(CfnWorld *world, const Data *data, int depth) {
    CfnCall call;
    if (!take_step(world, depth)) {
        return;
    }
    if (cfn_call_of(data, &call) && call.argument->kind == DATA_STRING) {
        const int index = cfn_condition(world->template, call.argument->string);
        if (str_is(call.name, "Ref")) {
            make_late(world, call.argument->string);
        } else if (str_is(call.name, "Condition") && index >= 0) {
            make_all_late(world, world->template->conditions->entries[index].value, depth + 1);
        }
        return;
    }
    for (uint32_t i = 0; i < data->count; i++) {
        make_all_late(world, data->kind == DATA_MAP ? data->entries[i].value : data->items[i], depth + 1);
    }
}

static bool is_parameter(const CfnWorld *world, const Data *data, Str *name) {
    CfnCall call;
    const bool is_ref = cfn_call_of(data, &call) && str_is(call.name, "Ref") && call.argument->kind == DATA_STRING;
    *name = is_ref ? call.argument->string : STR_NONE;
    return is_ref && cfn_parameter(world->template, *name) >= 0;
}

// `[!Ref Zone, "b"]` that is to hold makes Zone "b".
static void assume_equal(CfnWorld *world, const Data *parts) {
    for (uint32_t i = 0; i < 2; i++) {
        Str name;
        const Data *other = parts->items[1 - i];
        if (is_parameter(world, parts->items[i], &name) && other->kind != DATA_LIST && other->kind != DATA_MAP &&
            other->tag.len == 0) {
            world->parameters[cfn_parameter(world->template, name)] =
                (AssumedParameter){ .state = PARAMETER_ASSUMED, .text = other->string };
            return;
        }
    }
    make_all_late(world, parts->items[0], 0);
    make_all_late(world, parts->items[1], 0);
}

// Sets parameters so that the condition is as wanted.
static void assume(CfnWorld *world, const Data *condition, bool wanted, int depth);

// Of parts where one suffices: the first that is not decided yet.
static void assume_one(CfnWorld *world, const Data *parts, bool wanted, int depth) {
    for (uint32_t i = 0; i < parts->count; i++) {
        if (truth_of(world, parts->items[i], depth) == TRUTH_UNKNOWN) {
            assume(world, parts->items[i], wanted, depth + 1);
            return;
        }
    }
}

static void assume(CfnWorld *world, const Data *condition, bool wanted, int depth) {
    CfnCall call;
    if (!take_step(world, depth) || !cfn_call_of(condition, &call)) {
        return;
    }
    const Data *parts = call.argument;
    const bool is_pair = parts->kind == DATA_LIST && parts->count == 2;
    const bool is_all = str_is(call.name, wanted ? "Fn::And" : "Fn::Or");
    const int index = parts->kind == DATA_STRING ? cfn_condition(world->template, parts->string) : -1;
    if (str_is(call.name, "Condition") && index >= 0) {
        world->conditions[index] = wanted ? TRUTH_TRUE : TRUTH_FALSE;
        assume(world, world->template->conditions->entries[index].value, wanted, depth + 1);
    } else if (str_is(call.name, "Fn::Not") && parts->kind == DATA_LIST && parts->count == 1) {
        assume(world, parts->items[0], !wanted, depth + 1);
    } else if (is_all && parts->kind == DATA_LIST) {
        for (uint32_t i = 0; i < parts->count; i++) {
            assume(world, parts->items[i], wanted, depth + 1);
        }
    } else if (str_is(call.name, "Fn::Equals") && is_pair) {
        if (wanted) {
            assume_equal(world, parts);
        } else {
            make_all_late(world, condition, depth);
        }
        const AssumedPair assumed = { .pair = parts,
                                      .hash = hash_of_pair(parts),
                                      .truth = wanted ? TRUTH_TRUE : TRUTH_FALSE };
        vec_push(world->template->session->arena, &world->pairs, assumed);
    } else {
        make_all_late(world, condition, depth);
        if ((str_is(call.name, "Fn::And") || str_is(call.name, "Fn::Or")) && parts->kind == DATA_LIST) {
            assume_one(world, parts, wanted, depth);
        }
    }
}

// Decides those conditions that are not decided yet. What nothing decides is as in `otherwise`; and each such decision
// is assumed before the next, so that no two of them contradict each other.
static void decide(CfnWorld *world, const CfnWorld *otherwise) {
    for (uint32_t i = 0; i < count_of(world->template->conditions); i++) {
        const Data *condition = world->template->conditions->entries[i].value;
        if (world->conditions[i] == TRUTH_UNKNOWN) {
            world->conditions[i] = truth_of(world, condition, 0);
        }
        if (world->conditions[i] == TRUTH_UNKNOWN) {
            const Truth truth = otherwise == NULL ? TRUTH_TRUE : otherwise->conditions[i];
            assume(world, condition, truth == TRUTH_TRUE, 0);
            world->conditions[i] = truth;
        }
    }
}

// Where a rule of the template refuses this way to deploy it, whoever takes it gives other values.
static void obey(CfnWorld *world) {
    for (uint32_t i = 0; i < count_of(world->template->rules); i++) {
        const Data *rule = world->template->rules->entries[i].value;
        const Data *condition = data_get(rule, "RuleCondition");
        const Data *assertions = data_get(rule, "Assertions");
        if (assertions == NULL || assertions->kind != DATA_LIST ||
            (condition != NULL && truth_of(world, condition, 0) != TRUTH_TRUE)) {
            continue;
        }
        for (uint32_t k = 0; k < assertions->count; k++) {
            const Data *assertion = data_get(assertions->items[k], "Assert");
            if (assertion != NULL && truth_of(world, assertion, 0) == TRUTH_FALSE) {
                make_all_late(world, assertion, 0);
            }
        }
    }
}

static uint64_t values_in(const Data *data) {
    uint64_t count = 1;
    for (uint32_t i = 0; i < data->count; i++) {
        count += values_in(data->kind == DATA_MAP ? data->entries[i].value : data->items[i]);
    }
    return count;
}

CfnWorlds cfn_worlds(const CfnTemplate *template) {
    CfnWorlds worlds = { 0 };
    const uint64_t size = values_in(template->resources);
    CfnWorld *first = world_new(template);
    decide(first, NULL);
    obey(first);
    vec_push(template->session->arena, &worlds, (const CfnWorld *)first);
    const uint32_t count = count_of(template->conditions);
    for (uint32_t i = 0; i < count && worlds.count < WORLDS_MAX && worlds.count * count < DECISIONS_MAX &&
                         worlds.count * size < WORLD_VALUES_MAX;
         i++) {
        CfnWorld *world = world_new(template);
        const bool wanted = first->conditions[i] != TRUTH_TRUE;
        world->conditions[i] = wanted ? TRUTH_TRUE : TRUTH_FALSE;
        assume(world, template->conditions->entries[i].value, wanted, 0);
        decide(world, first);
        obey(world);
        vec_push(template->session->arena, &worlds, (const CfnWorld *)world);
    }
    return worlds;
}
