// Rules about the environment of processes that use EFA, row by row of schema/variables.def. Variables that turn EFA
// off are copied from one script to the next, for years after the release that needed them. Containers of multi-node
// jobs have it, and so have those of pods that ask for EFA.
#include "compiler/plan/rules/rule_field.h"

#include "compiler/base/suggest.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/declared_group.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/model/pod_type.h"
#include "compiler/plan/rules/rule_remove.h"
#include "schema/instances.h"
#include "schema/variables.h"

// ---- the rules -----------------------------------------------------------------------------------------------------

// Whose environment it is, and the nodes that it can be used on.
typedef struct {
    const Rules *rules;
    const Subject *subject;
    PlanEfaNodesList efa_nodes;
    bool has_own_network;     // of a pod, whose interface is eth0 whatever the node's are called
    const InstanceRow *alone; // of the one node of a job that uses several of its GPUs; NULL: there are others
    Span alone_span;
    bool is_without_efa; // another variable lets NCCL speak TCP, so that what is idle over EFA is not
} Environment;

// The row of older releases that need what newer ones do not look at; NULL where none does.
static const VariableRow *older_row(const PlanVariable *variable, unsigned places) {
    const VariableRow *row;
    for (int i = 0; (row = variable_row(i)) != NULL; i++) {
        if (row->verdict == VERDICT_NEEDED && row->until[0] != '\0' && (row->places & places) == row->places &&
            variable_row_is(row, variable->name.text, variable->value.text)) {
            return row;
        }
    }
    return NULL;
}

// With which releases a variable changes nothing.
static Str idle_with(Session *session, const VariableRow *row) {
    const Str releases = variable_releases(session->arena, row);
    return releases.len == 0 ? STR("here") : str_format(session->arena, "with %.*s", STR_ARG(releases));
}

static Diag *report_row(const Environment *environment, const PlanVariable *variable, const VariableRow *row) {
    Session *session = environment->rules->session;
    const Span span =
        rule_span(row->test == NAME_BEGINS || row->test == VALUE_ANY ? &variable->name : &variable->value);
    const Str name = variable->name.text;
    const Str value = str_format(session->arena, "\"%.*s\"", STR_ARG(variable->value.text));
    switch (row->verdict) {
    case VERDICT_FATAL:
        return plan_report(session, environment->subject, span, DIAG(variable_fails), STR_ARG(name), STR_ARG(value),
                           row->reason);
    case VERDICT_HARMFUL:
        return plan_report(session, environment->subject, span, DIAG(variable_breaks_efa), STR_ARG(name),
                           STR_ARG(value), row->reason);
    case VERDICT_IDLE:
    case VERDICT_NEEDED:
        break;
    }
    return plan_report(session, environment->subject, span, DIAG(variable_idle), STR_ARG(name),
                       STR_ARG(idle_with(session, row)), row->reason);
}

static void report_variable(const Environment *environment, const PlanVariable *variable, const VariableRow *row,
                            unsigned places) {
    Session *session = environment->rules->session;
    const Str releases = variable_releases(session->arena, row);
    Diag *diag = report_row(environment, variable, row);
    if (!span_is_none(variable->initial)) {
        diag_label(session, diag, variable->initial, "the default");
    }
    rule_label_use(environment->rules, diag, &variable->value);
    if (environment->alone != NULL) {
        diag_label(session, diag, environment->alone_span, "has %d GPUs", environment->alone->accelerators);
    } else {
        const PlanEfaNodes *place = &environment->efa_nodes.items[0];
        diag_label(session, diag, place->span, "%d EFA interface%s a node", place->efa_count,
                   place->efa_count == 1 ? "" : "s");
    }
    const Str way = rule_way_to_allow(environment->rules, environment->subject, diag_row(diag->id)->code);
    const VariableRow *older = older_row(variable, places);
    if (releases.len > 0 && row->verdict != VERDICT_IDLE) {
        diag_note(session, diag, "%.*s", STR_ARG(releases));
    }
    if (older == NULL) {
        diag_help(session, diag, "remove it, or say why: %.*s", STR_ARG(way));
        if (span_is_none(variable->initial)) {
            rule_remove_item(environment->rules, diag, diag->span);
        }
        return;
    }
    const Str needed = variable_releases(session->arena, older);
    diag_note(session, diag, "%.*s needs it: %s", STR_ARG(needed), older->reason);
    diag_help(session, diag, "remove it unless the image has %.*s, or say why: %.*s", STR_ARG(needed), STR_ARG(way));
}

// All that each kind of nodes has.
static unsigned places_of(const Environment *environment) {
    unsigned common = ~0U;
    for (uint32_t i = 0; i < environment->efa_nodes.count; i++) {
        const PlanEfaNodes *nodes = &environment->efa_nodes.items[i];
        const bool is_al2023 = nodes->is_al2023 && !environment->has_own_network;
        common &= PLACE_FABRIC | variable_places(nodes->row) | (is_al2023 ? PLACE_AL2023 : 0);
    }
    const bool is_alone = environment->efa_nodes.count == 0 && environment->alone != NULL;
    return environment->efa_nodes.count > 0 ? common : is_alone ? variable_places(environment->alone) : 0;
}

// `NCCL_NET=Socket`, `NCCL_NET_PLUGIN=none`: NCCL does not speak EFA, which is found as such.
static bool leaves_efa(const PlanVariable *variable, unsigned places) {
    bool leaves = false;
    const VariableRow *row;
    for (int i = 0; (row = variable_row(i)) != NULL; i++) {
        leaves = leaves || (row->verdict == VERDICT_HARMFUL && str_starts_with(str_of(row->name), STR("NCCL_NET")) &&
                            !str_has(str_of(row->name), "GDR") && (row->places & places) == row->places &&
                            variable_row_is(row, variable->name.text, variable->value.text));
    }
    return leaves;
}

static void judge(const Environment *environment, const PlanVariable *variable) {
    const unsigned places = places_of(environment);
    const VariableRow *row;
    for (int i = 0; (row = variable_row(i)) != NULL; i++) {
        const bool is_right =
            row->verdict == VERDICT_NEEDED || (row->verdict == VERDICT_IDLE && environment->is_without_efa) ||
            (row->places & places) != row->places || !variable_row_is(row, variable->name.text, variable->value.text);
        if (!is_right) {
            report_variable(environment, variable, row, places);
            return;
        }
    }
}

static void judge_all(Environment *environment, const PlanVariable *variables, uint32_t count) {
    const unsigned places = places_of(environment);
    environment->is_without_efa = false;
    for (uint32_t i = 0; i < count; i++) {
        environment->is_without_efa = environment->is_without_efa || leaves_efa(&variables[i], places);
    }
    for (uint32_t i = 0; i < count; i++) {
        judge(environment, &variables[i]);
    }
}

void rule_variables_of_efa(const Rules *rules, const PlanContainer *container) {
    const bool is_alone = !container->is_multi_node && field_number(&container->gpus, 0) > 1;
    Environment environment = { .rules = rules,
                                .subject = container->subject,
                                .has_own_network = container->has_own_network,
                                .efa_nodes = container->efa_nodes,
                                .alone = is_alone ? container->row : NULL,
                                .alone_span = rule_span(&container->instance_type) };
    judge_all(&environment, container->variables.items, container->variables.count);
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

static void judge_pod(Environment *environment, const PlanPod *pod) {
    Arena *arena = environment->rules->session->arena;
    const Value *containers = object_get(pod->spec, "containers");
    for (uint32_t i = 0; i < object_count(containers); i++) {
        const Value *container = containers->list.items[i];
        const Value *env = asks_for_efa(container) ? object_get(container, "env") : NULL;
        VEC(PlanVariable) variables = { 0 };
        for (uint32_t k = 0; k < object_count(env); k++) {
            const Value *name = object_get(env->list.items[k], "name");
            const Value *value = object_get(env->list.items[k], "value");
            PlanVariable variable;
            if (name != NULL && name->kind == VALUE_STRING && value != NULL && !is_of_kubelet(value) &&
                container_variable(arena, name->string, name->span, value, &variable)) {
                vec_push(arena, &variables, variable);
            }
        }
        judge_all(environment, variables.items, variables.count);
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

// ---- batch scripts ---------------------------------------------------------------------------------------------------

// The variable that tells that a script is for EFA: `FI_PROVIDER=efa`, perhaps misspelt, or one of EFA's own; NULL: none.
static const PlanVariable *efa_of_script(const PlanSlurmScript *script) {
    for (uint32_t i = 0; i < script->exports.count; i++) {
        const PlanVariable *variable = &script->exports.items[i];
        Suggestion suggestion = { .name = variable->value.text };
        suggest_offer(&suggestion, STR("efa"));
        const bool is_provider = str_is(variable->name.text, "FI_PROVIDER");
        if ((is_provider && (suggestion.best.len > 0 || field_is(&variable->value, "efa"))) ||
            str_starts_with(variable->name.text, STR("FI_EFA_"))) {
            return variable;
        }
    }
    return NULL;
}

// What keeps a job from EFA. What changes nothing is not said: nobody knows the releases.
static const VariableRow *bad_row(const PlanVariable *variable, unsigned places) {
    const VariableRow *row;
    for (int i = 0; (row = variable_row(i)) != NULL; i++) {
        const bool is_it = (row->places & places) == row->places && row->verdict != VERDICT_IDLE &&
                           variable_row_is(row, variable->name.text, variable->value.text);
        if (is_it) {
            return row->verdict == VERDICT_NEEDED ? NULL : row;
        }
    }
    return NULL;
}

void rule_script_variables(const Rules *rules, const PlanSlurmScript *script) {
    const PlanVariable *efa = efa_of_script(script);
    const unsigned places = PLACE_FABRIC | (str_has(script->text, "NCCL_") ? PLACE_NVIDIA : 0);
    const Environment environment = { .rules = rules, .subject = script->subject };
    for (uint32_t i = 0; efa != NULL && i < script->exports.count; i++) {
        const PlanVariable *variable = &script->exports.items[i];
        const VariableRow *row = bad_row(variable, places);
        if (row == NULL) {
            continue;
        }
        Diag *diag = report_row(&environment, variable, row);
        if (efa != variable) {
            diag_label(rules->session, diag, efa->name.span, "this is for EFA");
        }
        diag_help(rules->session, diag, "remove it, or say why: %.*s",
                  STR_ARG(rule_way_to_allow(rules, script->subject, diag_row(diag->id)->code)));
    }
}

// ---- pods whose type nobody says -------------------------------------------------------------------------------------

static unsigned places_of_devices(const Value *container) {
    static const struct {
        const char *name;
        unsigned place;
    } DEVICES[] = { { "nvidia.com/gpu", PLACE_NVIDIA }, { "aws.amazon.com/neuron", PLACE_NEURON } };
    const Value *limits = object_get(object_get(container, "resources"), "limits");
    unsigned places = PLACE_FABRIC;
    for (size_t i = 0; i < COUNT_OF(DEVICES); i++) {
        places |= object_get(limits, DEVICES[i].name) != NULL ? DEVICES[i].place : 0;
    }
    return places;
}

static void judge_alone(const Environment *environment, const PlanVariable *variable, const Value *container) {
    const VariableRow *row = bad_row(variable, places_of_devices(container));
    if (row == NULL) {
        return;
    }
    Session *session = environment->rules->session;
    const Value *limits = object_get(object_get(container, "resources"), "limits");
    const Value *amount = object_get(limits, "vpc.amazonaws.com/efa");
    Diag *diag = report_row(environment, variable, row);
    if (amount != NULL) {
        diag_label(session, diag, amount->span, "this is for EFA");
    }
    diag_help(session, diag, "remove it, or say why: %.*s",
              STR_ARG(rule_way_to_allow(environment->rules, environment->subject, diag_row(diag->id)->code)));
}

// A container that asks for EFA has it, whatever the node is.
static void judge_untyped(const Rules *rules, const PlanObject *object, const PlanPod *pod) {
    const Environment environment = { .rules = rules, .subject = object->subject };
    const Value *containers = object_get(pod->spec, "containers");
    for (uint32_t i = 0; i < object_count(containers); i++) {
        const Value *container = containers->list.items[i];
        const Value *env = asks_for_efa(container) ? object_get(container, "env") : NULL;
        for (uint32_t k = 0; k < object_count(env); k++) {
            const Value *name = object_get(env->list.items[k], "name");
            const Value *value = object_get(env->list.items[k], "value");
            PlanVariable variable;
            if (object_text(name).len > 0 && value != NULL && !is_of_kubelet(value) &&
                container_variable(rules->session->arena, name->string, name->span, value, &variable)) {
                judge_alone(&environment, &variable, container);
            }
        }
    }
}

// The first container of the pods of an object that asks for EFA; NULL: none.
static const Value *container_with_efa(const PlanObject *object) {
    for (uint32_t i = 0; i < object->pods.count; i++) {
        const Value *containers = object_get(object->pods.items[i].spec, "containers");
        for (uint32_t k = 0; k < object_count(containers); k++) {
            if (asks_for_efa(containers->list.items[k])) {
                return containers->list.items[k];
            }
        }
    }
    return NULL;
}

// What a command sets for the processes of an object that has EFA: `-x NAME=VALUE` of mpirun, and `export NAME=VALUE`.
void rule_variables_handed_on(const Rules *rules, const PlanObject *object) {
    const Value *container = object->is_changed ? NULL : container_with_efa(object);
    const Environment environment = { .rules = rules, .subject = object->subject };
    for (uint32_t i = 0; container != NULL && i < object->workloads.count; i++) {
        const PlanLauncher *launcher = object->workloads.items[i]->launcher;
        for (uint32_t k = 0; !launcher_has_branches(launcher) && k < launcher->settings.count; k++) {
            const CommandSetting *setting = &launcher->settings.items[k];
            const bool may_be = str_at(setting->name, 0) != '-' && setting->value.len > 0 &&
                                !str_has(setting->value, "$") && char_is_of_name(str_at(setting->value, 0));
            PlanVariable variable = { .name = field_known("name", SPAN_NONE, setting->name),
                                      .value = field_known("value", SPAN_NONE, setting->value),
                                      .initial = SPAN_NONE };
            if (may_be && bad_row(&variable, places_of_devices(container)) != NULL) {
                variable.value.span = command_value_place(rules->session, &launcher->words, setting);
                variable.name.span = variable.value.span;
                judge_alone(&environment, &variable, container);
                return;
            }
        }
    }
}

// What declared nodes have, rule variables_of_pods looks at.
void rule_variables_of_manifest(const Rules *rules, const PlanObject *object) {
    for (uint32_t i = 0; object->is_manifest && !object->is_changed && i < object->pods.count; i++) {
        const PlanPod *pod = &object->pods.items[i];
        const Value *type = pod_type(pod->spec);
        const InstanceRow *row =
            type != NULL && type->kind == VALUE_STRING ? pod_row(rules->session, type->string) : NULL;
        if (row != NULL && row->efa_max > 0) {
            Environment environment = { .rules = rules,
                                        .subject = object->subject,
                                        .has_own_network = !is_on_host_network(pod) };
            const PlanEfaNodes nodes = { .row = row,
                                         .efa_count = nics_efa_all(row, LAYOUT_MIN_IP),
                                         .span = type->span };
            vec_push(rules->session->arena, &environment.efa_nodes, nodes);
            judge_pod(&environment, pod);
        } else if (type == NULL) {
            judge_untyped(rules, object, pod);
        }
    }
}

// ---- images --------------------------------------------------------------------------------------------------------

static void judge_setting(const Rules *rules, const PlanDockerfile *file, uint32_t at, const DockerSetting *setting) {
    Str value;
    if (!docker_fill(rules->session->arena, file, at, setting->value, &value)) {
        return;
    }
    const Environment environment = { .rules = rules, .subject = file->subject };
    const PlanVariable variable = { .name = field_known("name", setting->name_span, setting->name),
                                    .value = field_known("value", setting->span, value) };
    const VariableRow *row = bad_row(&variable, PLACE_FABRIC | PLACE_NVIDIA);
    if (row == NULL) {
        return;
    }
    Diag *diag = report_row(&environment, &variable, row);
    const Str releases = variable_releases(rules->session->arena, row);
    if (releases.len > 0) {
        diag_note(rules->session, diag, "%.*s", STR_ARG(releases));
    }
    diag_help(rules->session, diag, "remove it, or say why: %.*s",
              STR_ARG(rule_way_to_allow(rules, file->subject, diag_row(diag->id)->code)));
}

// An image in which EFA is installed is one for nodes that have it. Only the last stage is run.
void rule_docker_efa_variables(const Rules *rules, const PlanDockerfile *file) {
    const bool is_for_efa = str_has(file->text, "efa_installer") || str_has(file->text, "/opt/amazon/efa");
    const int last = (int)file->stages.count - 1;
    for (uint32_t i = 0; is_for_efa && i < file->steps.count; i++) {
        const DockerStep *step = &file->steps.items[i];
        const bool is_env = step->kind == DOCKER_ENV && docker_is_in(file, last, i, file->steps.count);
        for (uint32_t k = 0; is_env && k < step->settings.count; k++) {
            judge_setting(rules, file, i, &step->settings.items[k]);
        }
    }
}
