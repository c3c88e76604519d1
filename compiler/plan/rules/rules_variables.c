// Rules about the environment of processes that use EFA, row by row of schema/variables.def. Variables that turn EFA
// off are copied from one script to the next, for years after the release that needed them. Containers of multi-node
// jobs have it, and so have those of pods that ask for EFA.
#include "compiler/plan/rules/rules_field.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/group.h"
#include "compiler/plan/rules/object_value.h"

typedef enum { VALUE_ONE_OF, VALUE_NOT_ONE_OF, VALUE_LETS, VALUE_LACKS, VALUE_BEGINS, NAME_BEGINS } VariableTest;

typedef enum {
    ON_EFA,
    ON_RDMA_READ,
    WITHOUT_RDMA_READ,
    ON_RDMA_WRITE,
    WITHOUT_RDMA_WRITE,
    ON_RAILS,
    ON_AL2023,
} VariablePlace;

typedef struct {
    const char *name;
    VariableTest test;
    const char *values; // with commas between
    VariablePlace place;
    bool is_certain;
    const char *releases; // empty: all that are known
    const char *reason;
} VariableRow;

static const VariableRow VARIABLE_ROWS[] = {
#define VARIABLE(name, test, values, place, is_certain, releases, reason) \
    { name, test, values, place, is_certain, releases, reason },
#include "schema/variables.def"
#undef VARIABLE
};

// ---- values --------------------------------------------------------------------------------------------------------

// The next item of a list; false at its end.
static bool next_item(Str list, size_t *offset, Str *item) {
    if (*offset >= list.len) {
        return false;
    }
    size_t end = *offset;
    while (end < list.len && list.data[end] != ',' && list.data[end] != ';') {
        end++;
    }
    *item = str_trim(str_slice(list, *offset, end));
    *offset = end + 1;
    return true;
}

static bool is_one_of(Str text, Str list) {
    size_t offset = 0;
    Str item;
    while (next_item(list, &offset, &item)) {
        if (str_equal_in_any_case(text, item)) {
            return true;
        }
    }
    return false;
}

static bool begins_with_one_of(Str text, Str list) {
    size_t offset = 0;
    Str item;
    while (next_item(list, &offset, &item)) {
        if (str_starts_with_in_any_case(text, item)) {
            return true;
        }
    }
    return false;
}

// `^` in front of a list of libfabric's or NCCL's means all but these.
static bool is_negated(Str value) {
    return value.len > 0 && value.data[0] == '^';
}

static bool lacks(Str value, Str wanted) {
    size_t offset = is_negated(value) ? 1 : 0;
    bool is_there = false;
    Str item;
    while (next_item(value, &offset, &item)) {
        is_there = is_there || is_one_of(item, wanted);
    }
    return is_there == is_negated(value);
}

// Whether a list lets in any of those that harm, or one with `^` leaves out none of them.
static bool lets(Str value, Str harmful) {
    const bool is_for_all_but = is_negated(value);
    size_t offset = is_for_all_but ? 1 : 0;
    bool is_there = false;
    Str item;
    while (next_item(value, &offset, &item)) {
        is_there = is_there || is_one_of(item, harmful);
    }
    return is_there != is_for_all_but;
}

// NCCL takes prefixes, and whole names behind `=`.
static bool all_begin(Str value, Str starts) {
    size_t offset = value.len > 0 && value.data[0] == '=' ? 1 : 0;
    bool do_all = offset < value.len && !is_negated(value);
    Str item;
    while (do_all && next_item(value, &offset, &item)) {
        do_all = begins_with_one_of(item, starts);
    }
    return do_all;
}

static bool is_it(const VariableRow *row, Str name, Str value) {
    const Str values = str_of(row->values);
    if (row->test == NAME_BEGINS) {
        return str_starts_with(name, str_of(row->name));
    }
    if (!str_is(name, row->name) || value.len == 0) {
        return false;
    }
    switch (row->test) {
    case VALUE_ONE_OF:
        return is_one_of(str_trim(value), values);
    case VALUE_NOT_ONE_OF:
        return !is_one_of(str_trim(value), values);
    case VALUE_LETS:
        return lets(str_trim(value), values);
    case VALUE_LACKS:
        return lacks(str_trim(value), values);
    case VALUE_BEGINS:
        return all_begin(str_trim(value), values);
    case NAME_BEGINS:
        break;
    }
    return false;
}

// ---- places --------------------------------------------------------------------------------------------------------

static bool is_on(const PlanEfaNodes *nodes, VariablePlace place) {
    const InstanceRow *row = nodes->row;
    switch (place) {
    case ON_EFA:
        return true;
    case ON_RDMA_READ:
        return row->rdma_read == 1 && row->accelerator != ACCELERATOR_NONE;
    case WITHOUT_RDMA_READ:
        return row->rdma_read == 0;
    case ON_RDMA_WRITE:
        return row->rdma_write == 1 && row->accelerator == ACCELERATOR_NVIDIA;
    case WITHOUT_RDMA_WRITE:
        return row->rdma_write == 0 && row->accelerator == ACCELERATOR_NVIDIA;
    case ON_RAILS:
        return row->accelerator == ACCELERATOR_NVIDIA && row->accelerators > 0 && row->efa_max > row->accelerators;
    case ON_AL2023:
        return nodes->is_al2023;
    }
    return false;
}

// ---- the rules -----------------------------------------------------------------------------------------------------

// Whose environment it is, and the nodes that it can be used on.
typedef struct {
    const Rules *rules;
    const Subject *subject;
    PlanEfaNodesList efa_nodes;
    bool has_own_network; // of a pod, whose interface is eth0 whatever the node's are called
} Environment;

static void say(const Environment *environment, const PlanVariable *variable, const VariableRow *row) {
    Session *session = environment->rules->session;
    const PlanEfaNodes *place = &environment->efa_nodes.items[0];
    const Span span = rule_span(row->test == NAME_BEGINS ? &variable->name : &variable->value);
    const Str value = str_format(session->arena, "\"%.*s\"", STR_ARG(variable->value.text));
    Diag *diag = row->is_certain ? plan_report(session, environment->subject, span, DIAG(variable_fails),
                                               STR_ARG(variable->name.text), STR_ARG(value), row->reason)
                                 : plan_report(session, environment->subject, span, DIAG(variable_breaks_efa),
                                               STR_ARG(variable->name.text), STR_ARG(value), row->reason);
    if (!span_is_none(variable->initial)) {
        diag_label(session, diag, variable->initial, "the default");
    }
    rule_label_use(environment->rules, diag, &variable->value);
    diag_label(session, diag, place->span, "%d EFA interface%s a node", place->efa_count,
               place->efa_count == 1 ? "" : "s");
    if (row->releases[0] != '\0') {
        diag_note(session, diag, "%s", row->releases);
    }
    diag_help(session, diag, "remove it, or say why: `allow %s, \"…\"`", row->is_certain ? "DT1327" : "DT1326");
}

static bool is_on_all(const Environment *environment, VariablePlace place) {
    bool is_everywhere = environment->efa_nodes.count > 0 && !(place == ON_AL2023 && environment->has_own_network);
    for (uint32_t i = 0; i < environment->efa_nodes.count; i++) {
        is_everywhere = is_everywhere && is_on(&environment->efa_nodes.items[i], place);
    }
    return is_everywhere;
}

static void judge(const Environment *environment, const PlanVariable *variable) {
    for (size_t i = 0; i < COUNT_OF(VARIABLE_ROWS); i++) {
        const VariableRow *row = &VARIABLE_ROWS[i];
        if (is_it(row, variable->name.text, variable->value.text) && is_on_all(environment, row->place)) {
            say(environment, variable, row);
            return;
        }
    }
}

void rule_variables_of_efa(const Rules *rules, const PlanContainer *container) {
    const Environment environment = { .rules = rules,
                                      .subject = container->subject,
                                      .efa_nodes = container->efa_nodes };
    for (uint32_t i = 0; i < container->variables.count; i++) {
        judge(&environment, &container->variables.items[i]);
    }
}

// ---- pods ----------------------------------------------------------------------------------------------------------

static bool asks_for_efa(const Value *container) {
    const Value *resources = object_get(container, "resources");
    return object_get(object_get(resources, "limits"), "vpc.amazonaws.com/efa") != NULL ||
           object_get(object_get(resources, "requests"), "vpc.amazonaws.com/efa") != NULL;
}

// `$(NAME)` is what another variable of the container holds, which the kubelet puts in its place.
static bool is_of_kubelet(const Value *value) {
    return value->kind == VALUE_STRING && str_find(value->string, STR("$("), 0) < value->string.len;
}

static void judge_value(const Environment *environment, const Value *name, const Value *value) {
    PlanVariable variable;
    if (container_variable(environment->rules->session->arena, name->string, name->span, value, &variable)) {
        judge(environment, &variable);
    }
}

static void judge_pod(const Environment *environment, const PlanPod *pod) {
    const Value *containers = object_get(pod->spec, "containers");
    for (uint32_t i = 0; i < object_count(containers); i++) {
        const Value *container = containers->list.items[i];
        const Value *env = asks_for_efa(container) ? object_get(container, "env") : NULL;
        for (uint32_t k = 0; k < object_count(env); k++) {
            const Value *name = object_get(env->list.items[k], "name");
            const Value *value = object_get(env->list.items[k], "value");
            if (name != NULL && name->kind == VALUE_STRING && value != NULL && !is_of_kubelet(value)) {
                judge_value(environment, name, value);
            }
        }
    }
}

static bool is_on_host_network(const PlanPod *pod) {
    const Value *value = object_get(pod->spec, "hostNetwork");
    return value != NULL && value->kind == VALUE_BOOL && value->boolean;
}

void rule_variables_of_pods(const Rules *rules, const PlanCluster *cluster) {
    Environment environment = { .rules = rules };
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        if (cluster->nodes.items[i]->fabric.efa_count > 0) {
            vec_push(rules->session->arena, &environment.efa_nodes, plan_efa_nodes(cluster->nodes.items[i]));
        }
    }
    for (uint32_t i = 0; environment.efa_nodes.count > 0 && i < cluster->eks->objects.count; i++) {
        const PlanObject *object = cluster->eks->objects.items[i];
        environment.subject = object->subject;
        for (uint32_t k = 0; !object->is_changed && k < object->pods.count; k++) {
            environment.has_own_network = !is_on_host_network(&object->pods.items[k]);
            judge_pod(&environment, &object->pods.items[k]);
        }
    }
}
