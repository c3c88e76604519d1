// Rules about the instance types that pods name. A pod that asks for a type which there is not, or for more than it has,
// waits for ever. Of a declared cluster rule places_of_pods says it, which knows all of its nodes.
#include "compiler/plan/rules/places/pod_types.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/gpu_sharing.h"
#include "compiler/plan/model/node_room.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/model/pod_type.h"
#include "compiler/plan/model/pool_requirements.h"
#include "compiler/plan/rules/node_selector.h"
#include "compiler/plan/rules/type_name.h"
#include "schema/instances.h"
#include "schema/pod_devices.h"

// Whether a scheduler may have another type to choose: one that is known, or of a family that is newer than the rows.
static bool may_choose(Session *session, const Value *types) {
    for (uint32_t i = 0; i < object_count(types); i++) {
        const Str type = object_text(types->list.items[i]);
        if (schema_instance(session, type) != NULL || !rules_type_is_misspelt(session, type)) {
            return true;
        }
    }
    return false;
}

static void check_type(const Rules *rules, const PlanObject *object, const Value *name, bool has_choice) {
    const Str text = object_text(name);
    if (rules_type_is_misspelt(rules->session, text)) {
        rules_type_misspelt(rules, object->subject, name->span, text, has_choice);
    }
}

void rules_type_names(const Rules *rules, const PlanObject *object, const Value *types) {
    const bool has_choice = may_choose(rules->session, types);
    for (uint32_t i = 0; i < object_count(types); i++) {
        check_type(rules, object, types->list.items[i], has_choice);
    }
}

static bool is_type_label(Str key) {
    return str_is(key, "node.kubernetes.io/instance-type") || str_is(key, "beta.kubernetes.io/instance-type");
}

typedef struct {
    const Rules *rules;
    const PlanObject *object;
} TypeNamesCheck;

static void check_selected(void *context, const NodeSelector *selector) {
    const TypeNamesCheck *check = context;
    if (!is_type_label(selector->key) || !str_is(selector->relation, "In") || selector->values == NULL) {
        return;
    }
    if (selector->values->kind == VALUE_LIST) {
        rules_type_names(check->rules, check->object, selector->values);
    } else {
        check_type(check->rules, check->object, selector->values, false);
    }
}

#define DEVICES_OF_NEURON "aws.amazon.com/neuron"
#define CORES "aws.amazon.com/neuroncore"

// ---- what the types have ---------------------------------------------------------------------------------------

enum { TYPES_MAX = 64 }; // of a longer list nothing is said

// Types of which all rows are known.
typedef struct {
    Session *session;
    const PlanObject *object;
    bool are_named; // by the pod; else it asks for what they have
    const Value **types;
    const InstanceRow **rows;
    uint32_t count;
} Types;

static Types types_begin(Session *session, const PlanObject *object, size_t most) {
    return (Types){ .session = session,
                    .object = object,
                    .types = arena_new_array(session->arena, const Value *, most),
                    .rows = arena_new_array(session->arena, const InstanceRow *, most) };
}

// Of a list, or of one value as if it were one; NULL behind the last.
static const Value *nth(const Value *value, uint32_t i) {
    if (value == NULL || value->kind != VALUE_LIST) {
        return i == 0 ? value : NULL;
    }
    return i < value->list.count ? value->list.items[i] : NULL;
}

static bool read_types(Session *session, const PlanObject *object, const Value *value, Types *types) {
    *types = types_begin(session, object, value == NULL ? 0 : TYPES_MAX);
    types->are_named = true;
    const Value *name = NULL;
    for (uint32_t i = 0; (name = nth(value, i)) != NULL; i++) {
        const InstanceRow *row = i < TYPES_MAX ? pod_row(session, object_text(name)) : NULL;
        if (row == NULL) {
            return false;
        }
        types->types[i] = name;
        types->rows[i] = row;
        types->count = i + 1;
    }
    return types->count > 0;
}

Str pod_room_text(Arena *arena, const char *name, double room) {
    const bool is_memory = str_is(str_of(name), "memory") || str_is(str_of(name), "ephemeral-storage");
    if (is_memory) {
        return str_format(arena, "%" PRId64 "Mi", (int64_t)(room / 0x1p20));
    }
    if (!str_is(str_of(name), "cpu")) {
        return node_amount_text(arena, name, room);
    }
    return room < 2 ? str_format(arena, "%.0fm", room * 1000) : str_format(arena, "%" PRId64, (int64_t)room);
}

// A resource of Neuron counts devices, and another one their cores.
static void help_room(const Types *types, Diag *diag, const InstanceRow *row, const char *name, double amount) {
    const double room = node_room(row, name, KEEPS_KUBELET);
    const double cores = node_amount(row, CORES);
    const Str most = pod_room_text(types->session->arena, name, room);
    if (strcmp(name, DEVICES_OF_NEURON) == 0 && cores >= amount && room > 0) {
        diag_help(types->session, diag, "write `%.*s`: it counts devices, and `" CORES "` counts cores", STR_ARG(most));
    } else if (room > 0) {
        diag_help(types->session, diag, "ask for %.*s at most, or take a larger type", STR_ARG(most));
    }
}

// False where the amount is more than each has.
static bool check_room(const Types *types, const Value *pod, const char *name) {
    Session *session = types->session;
    const Value *asked = NULL;
    const double amount = pod_asks(pod, str_of(name), &asked);
    uint32_t best = 0;
    for (uint32_t i = 0; i < types->count; i++) {
        const double has = node_amount(types->rows[i], name);
        if (has < 0 || node_room(types->rows[i], name, KEEPS_KUBELET) >= amount) {
            return true;
        }
        best = has > node_amount(types->rows[best], name) ? i : best;
    }
    const double has = node_amount(types->rows[best], name);
    Diag *diag = plan_report(session, types->object->subject, asked->span, DIAG(pod_request),
                             STR_ARG(node_amount_text(session->arena, name, amount)), STR_ARG(str_of(name)),
                             STR_ARG(node_most_text(session->arena, name, has, amount)));
    const Str most = node_amount_text(session->arena, name, has);
    if (types->are_named) {
        diag_label(session, diag, types->types[best]->span, "has %.*s", STR_ARG(most));
    } else {
        const char *type = types->rows[best]->name;
        const Span span = types->types[best]->span;
        diag_label(session, diag, span, "this asks for %s, which has %.*s of `%s`", type, STR_ARG(most), name);
    }
    help_room(types, diag, types->rows[best], name, amount);
    return false;
}

// ---- of which types the devices are --------------------------------------------------------------------------------

static void keep_with_device(Types *types, const char *device, double amount, const Value *asked) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < types->count; i++) {
        const double has = node_amount(types->rows[i], device);
        if (has < 0 || has >= amount) {
            types->types[kept] = asked;
            types->rows[kept++] = types->rows[i];
        }
    }
    types->count = kept;
}

static bool has_devices(const InstanceRow *row) {
    return row->efa_max != 0 || row->accelerator == ACCELERATOR_NEURON;
}

static bool is_only_named(Session *session, int index) {
    return str_is(str_of(schema_instance_at(session, index)->status), "named-only");
}

// Amounts that a pod asks for.
typedef struct {
    const char *names[POD_DEVICES_MAX + 2]; // devices, and CPUs and memory behind them
    double amounts[POD_DEVICES_MAX + 2];
    uint32_t count;
    const Value *device; // of AWS, which the pod asks for; NULL: of none
} Asked;

static void add_asked(Asked *asked, const Value *pod, const char *name, bool is_of_aws) {
    const Value *place = NULL;
    const double amount = pod_asks(pod, str_of(name), &place);
    if (place != NULL) {
        asked->names[asked->count] = name;
        asked->amounts[asked->count++] = amount;
        asked->device = is_of_aws ? place : asked->device;
    }
}

static Asked read_asked(const Value *pod) {
    Asked asked = { 0 };
    for (size_t k = 0; k < POD_DEVICE_COUNT; k++) {
        add_asked(&asked, pod, POD_DEVICES[k].name, POD_DEVICES[k].accelerator != ACCELERATOR_NVIDIA);
    }
    add_asked(&asked, pod, "cpu", false);
    add_asked(&asked, pod, "memory", false);
    return asked;
}

// Whether a type has all of it, as nearly every pod finds one.
static bool is_there(Session *session, const Asked *asked) {
    for (int i = 0; i < schema_instance_count(session); i++) {
        const InstanceRow *row = schema_instance_numbers(session, i);
        bool has_all = has_devices(row);
        for (uint32_t k = 0; k < asked->count && has_all; k++) {
            const double room = node_room(row, asked->names[k], KEEPS_KUBELET);
            has_all = room < 0 || room >= asked->amounts[k];
        }
        if (has_all && !is_only_named(session, i)) {
            return true;
        }
    }
    return false;
}

// Types that have the devices of AWS that a pod asks for, which says no type: where 32 EFA interfaces are, there are 192
// CPUs. False where it has no such devices, or a type has all that it asks for, or none has the devices, of which is said
// so.
static bool read_types_of_devices(Session *session, const PlanObject *object, const Value *pod, Types *types) {
    const Asked all = read_asked(pod);
    if (all.device == NULL || is_there(session, &all)) {
        return false;
    }
    const Value *asked = all.device;
    const int count = schema_instance_count(session);
    *types = types_begin(session, object, (size_t)count);
    for (int i = 0; i < count; i++) {
        if (has_devices(schema_instance_numbers(session, i)) && !is_only_named(session, i)) {
            types->types[types->count] = asked;
            types->rows[types->count++] = schema_instance_at(session, i);
        }
    }
    for (size_t k = 0; k < POD_DEVICE_COUNT && types->count > 0; k++) {
        asked = NULL;
        const double amount = pod_asks(pod, str_of(POD_DEVICES[k].name), &asked);
        if (asked != NULL && check_room(types, pod, POD_DEVICES[k].name)) {
            keep_with_device(types, POD_DEVICES[k].name, amount, asked);
        } else if (asked != NULL) {
            return false;
        }
    }
    return types->count > 0;
}

void rules_types_of_architecture(const Rules *rules, const PlanObject *object, const Value *type_names,
                                 const Value *wanted) {
    Types types;
    const Str label = STR("kubernetes.io/arch");
    const Value *first = nth(wanted, 0);
    const Value *value = NULL;
    if (first == NULL || !read_types(rules->session, object, type_names, &types)) {
        return;
    }
    for (uint32_t i = 0; i < types.count; i++) {
        for (uint32_t k = 0; (value = nth(wanted, k)) != NULL; k++) {
            if (type_may_have(types.rows[i], label, object_text(value))) {
                return;
            }
        }
    }
    if (!str_is(object_text(first), "amd64") && !str_is(object_text(first), "arm64")) {
        return; // rule label_words says that there is no such architecture
    }
    const char *own = str_c(rules->session->arena, type_label(label)->read(types.rows[0]).text);
    Diag *diag = plan_report(rules->session, object->subject, first->span, DIAG(architecture_of_type),
                             types.rows[0]->name, own, STR_ARG(first->string));
    diag_label(rules->session, diag, types.types[0]->span, "is `%s`", own);
    diag_help(rules->session, diag, "write `%s`, or another type", own);
}

static bool shares_gpus(const PlanObject *object, const Value *pod) {
    bool shares = labels_share_gpus(object_get(pod, "nodeSelector"));
    for (uint32_t i = 0; object->beside != NULL && i < object->beside->count && !shares; i++) {
        shares = object_shares_gpus(object->beside->items[i]);
    }
    return shares;
}

static void check_cpus_and_memory(const Types *types, const Value *pod) {
    check_room(types, pod, "cpu");
    check_room(types, pod, "memory");
}

// Of a whole pod that says what it asks for, containers do not.
void pod_types_check_devices(Session *session, const PlanObject *object, const Value *pod) {
    Types types;
    if (pod_types(pod) == NULL && object_get(pod, "resources") == NULL &&
        read_types_of_devices(session, object, pod, &types)) {
        check_cpus_and_memory(&types, pod);
    }
}

static void check_amounts(const Rules *rules, const PlanObject *object, const Value *pod) {
    Types types;
    if (!read_types(rules->session, object, pod_types(pod), &types)) {
        return;
    }
    for (size_t k = 0; k < POD_DEVICE_COUNT; k++) {
        if (POD_DEVICES[k].accelerator != ACCELERATOR_NVIDIA || !shares_gpus(object, pod)) {
            check_room(&types, pod, POD_DEVICES[k].name);
        }
    }
    check_cpus_and_memory(&types, pod);
}

void rule_pod_types(const Rules *rules, const PlanObject *object) {
    TypeNamesCheck check = { .rules = rules, .object = object };
    for (uint32_t i = 0; object->is_manifest && !object->is_changed && i < object->pods.count; i++) {
        const Value *pod = object->pods.items[i].spec;
        node_selector_each(pod, check_selected, &check);
        rules_types_of_architecture(rules, object, pod_types(pod), pod_wants_label(pod, "kubernetes.io/arch"));
        if (object_get(pod, "resources") == NULL) { // else a whole pod that says what it asks for
            check_amounts(rules, object, pod);
        }
    }
}
