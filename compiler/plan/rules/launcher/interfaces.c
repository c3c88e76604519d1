// Rules about network interfaces that variables name, for pods and for nodes. A pod has a network of its own with `lo` and
// `eth0`, unless it takes that of its node, or somebody gives it more. Whoever starts a job on EC2 without containers copies
// the node's names.
#include "compiler/plan/model/launcher.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/rules/pod_count.h"
#include "compiler/plan/rules/rule_word.h"

typedef enum {
    BY_START, // items are how names begin; `=` before an item asks for all of it, `^` before the list leaves these out
    BY_NAME,  // items are whole names, or ranges of addresses
} Reading;

// source: NVIDIA NCCL User Guide, Environment Variables, NCCL_SOCKET_IFNAME; aws/deep-learning-containers#6469, what NCCL says
// of a name that is not there; aws-samples/aws-do-eks#51, what Gloo says of one, and of `^`; PyTorch documentation,
// torch.distributed, common environment variables; Open MPI documentation 5.0, TCP, btl_tcp_if_include; read 2026-11-27
typedef struct {
    const char *variable;
    const char *setting; // of a command
    Reading reading;
} InterfaceRow;

static const InterfaceRow ROWS[] = {
    { "NCCL_SOCKET_IFNAME", "NCCL_SOCKET_IFNAME", BY_START },
    { "GLOO_SOCKET_IFNAME", "GLOO_SOCKET_IFNAME", BY_NAME },
    { "TP_SOCKET_IFNAME", "TP_SOCKET_IFNAME", BY_NAME },
    { "OMPI_MCA_btl_tcp_if_include", "btl_tcp_if_include", BY_NAME },
    { "OMPI_MCA_oob_tcp_if_include", "oob_tcp_if_include", BY_NAME },
};

static const char OF_POD[] = "eth0";

// ---- the interfaces of a pod ---------------------------------------------------------------------------------------

static bool is_on_host_network(const Value *pod) {
    const Value *value = object_get(pod, "hostNetwork");
    return value != NULL && (value->kind != VALUE_BOOL || value->boolean);
}

// Multus, and the VPC CNI where it attaches several, read an annotation; drivers of devices get claims.
// source: k8snetworkplumbingwg/multus-cni docs/how-to-use.md; Amazon EKS User Guide, Attach multiple network interfaces to
// Pods; Kubernetes documentation, Dynamic Resource Allocation; read 2026-11-27
static bool may_have_more(const PlanPod *pod) {
    static const char *const PARTS[] = { "cni", "network", "nicConfig" };
    const Value *annotations = object_get(object_get(pod->around, "metadata"), "annotations");
    bool may =
        object_get(pod->spec, "resourceClaims") != NULL || (annotations != NULL && annotations->kind != VALUE_MAP);
    for (uint32_t i = 0; annotations != NULL && !may && i < annotations->map.count; i++) {
        for (size_t k = 0; k < COUNT_OF(PARTS); k++) {
            may = may || str_has(annotations->map.entries[i].key, PARTS[k]);
        }
    }
    return may;
}

// ---- what a list finds there ---------------------------------------------------------------------------------------

// Names of Ethernet interfaces, as a node of EC2 has them: ens32, enp39s0, eth1. Others may be of a network that is added.
static bool is_of_node(Str name) {
    const bool is_en = str_starts_with(name, STR("ens")) || str_starts_with(name, STR("enp")) ||
                       str_starts_with(name, STR("eno")) || str_is(name, "en");
    return is_en || (str_starts_with(name, STR("eth")) && !str_is(name, OF_POD));
}

// Whether an item may find an interface of the pod, or one that nobody knows of.
static bool may_find(const InterfaceRow *row, Str item) {
    const bool has_sign = row->reading == BY_START && str_at(item, 0) == '=';
    const Str name = has_sign ? str_slice(item, 1, item.len) : item;
    const bool is_start = row->reading == BY_START && !has_sign;
    return !is_of_node(name) || (is_start && str_starts_with(str_of(OF_POD), name));
}

static bool finds_none(const InterfaceRow *row, Str list) {
    bool finds = list.len == 0 || str_at(list, 0) == '^';
    for (size_t start = 0; start < list.len && !finds;) {
        const size_t end = str_find(list, STR(","), start);
        finds = may_find(row, str_trim(str_slice(list, start, end)));
        start = end + 1;
    }
    return !finds;
}

// ----------------------------------------------------------------------------------------------------------------------

typedef struct {
    const Rules *rules;
    const Subject *subject;
    bool is_alone;    // the interfaces of its pods are known
    const char *what; // "pods"
    const char *more; // the help's way to have those of a node; empty: there is none
} PodInterfacesCheck;

// `name` is what the author calls the setting.
static void check_list(const PodInterfacesCheck *check, const InterfaceRow *row, const char *name, Str list,
                       Span span) {
    Session *session = check->rules->session;
    const bool is_excluding = row->reading == BY_NAME && str_at(list, 0) == '^';
    const bool is_known = list.len > 0 && !str_has(list, "$");
    if (!is_known || (!is_excluding && (!check->is_alone || !finds_none(row, list)))) {
        return;
    }
    Diag *diag = plan_report(session, check->subject, span, DIAG(pod_interface), name, check->what,
                             is_excluding ? "it takes whole names, and only NCCL takes `^`"
                                          : "a pod with a network of its own has `eth0` alone");
    if (is_excluding) {
        diag_help(session, diag, "write the name of the interface, or leave the variable out");
    } else {
        diag_help(session, diag, "write `eth0`, or leave it out%s", check->more);
    }
    if (check->is_alone) {
        rule_replace(check->rules, diag, span, list, str_of(OF_POD));
    }
}

// The words of the command stand above the variables around it. Its name is what the author calls the setting.
static PlanField list_of(const Rules *rules, const InterfaceRow *row, const PlanLauncher *launcher) {
    const PlanField said = launcher_has_branches(launcher) ? (PlanField){ .state = FIELD_ABSENT }
                                                           : launcher_setting(rules->session, launcher, row->setting);
    const PlanVariable *variable = launcher_variable(launcher, str_of(row->variable));
    if (said.state == FIELD_KNOWN || variable == NULL) {
        return said;
    }
    PlanField list = variable->value;
    list.name = row->variable;
    return list;
}

static void check_row(const PodInterfacesCheck *check, const InterfaceRow *row, const PlanLauncher *launcher) {
    const PlanField list = list_of(check->rules, row, launcher);
    check_list(check, row, list.name, list.text, list.span);
}

// The pods of a declared job have a network of their own.
void rule_interfaces_of_job(const Rules *rules, const PlanJob *job) {
    const PodInterfacesCheck check = {
        .rules = rules, .subject = job->head.subject, .is_alone = true, .what = "pods", .more = ""
    };
    const bool is_asked = job->eks != NULL && job->head.part->patches.count == 0;
    for (size_t i = 0; is_asked && i < COUNT_OF(ROWS); i++) {
        check_row(&check, &ROWS[i], job->workload->launcher);
    }
}

void rule_pod_interfaces(const Rules *rules, const PlanObject *object) {
    PodInterfacesCheck check = { .rules = rules,
                                 .subject = object->subject,
                                 .is_alone = true,
                                 .what = "pods",
                                 .more = object->is_manifest
                                             ? "; with `hostNetwork: true` a pod has those of its node"
                                             : "; with `hostNetwork = true` a pod has those of its node" };
    for (uint32_t i = 0; i < object->pods.count; i++) {
        const PlanPod *pod = &object->pods.items[i];
        check.is_alone = check.is_alone && !is_on_host_network(pod->spec) && !may_have_more(pod);
    }
    for (uint32_t i = 0; i < object->workloads.count * COUNT_OF(ROWS); i++) {
        check_row(&check, &ROWS[i % COUNT_OF(ROWS)], object->workloads.items[i / COUNT_OF(ROWS)]->launcher);
    }
}

// ---- the loopback --------------------------------------------------------------------------------------------------

static bool is_loopback(Str list) {
    bool is = list.len > 0;
    for (size_t start = 0; is && start < list.len;) {
        const size_t end = str_find(list, STR(","), start);
        const Str item = str_trim(str_slice(list, start, end));
        is = str_is(item, "lo") || str_is(item, "=lo");
        start = end + 1;
    }
    return is;
}

// Of several that work together. What variables of the environment have on nodes with EFA, the rows of schema/variables.def
// say as well.
static void check_loopback(const Rules *rules, const Subject *subject, const PlanLauncher *launcher) {
    for (size_t i = 0; i < COUNT_OF(ROWS); i++) {
        const PlanField list = list_of(rules, &ROWS[i], launcher);
        if (is_loopback(list.text)) {
            const Str value = str_format(rules->session->arena, "\"%.*s\"", STR_ARG(list.text));
            Diag *diag =
                plan_report(rules->session, subject, list.span, DIAG(variable_breaks_efa), STR_ARG(str_of(list.name)),
                            STR_ARG(value), "this interface reaches no other node");
            diag_help(rules->session, diag, "leave it out, or write the name of the interface between the nodes");
        }
    }
}

void rule_pod_loopback(const Rules *rules, const PlanObject *object) {
    const bool are_together = plan_object_is(object, IS_TOGETHER) && pods_are_several(object);
    for (uint32_t i = 0; i < object->workloads.count; i++) {
        const PlanWorkload *workload = object->workloads.items[i];
        const int64_t nodes = launcher_node_count(workload->launcher);
        const bool waits = nodes > 1 || (nodes < 0 && launcher_nodes(workload->launcher).state != FIELD_ABSENT &&
                                         pods_of_template(object, workload->pod) > 1);
        if (!workload->is_first && (are_together || waits)) {
            check_loopback(rules, object->subject, workload->launcher);
        }
    }
}

void rule_loopback_of_job(const Rules *rules, const PlanJob *job) {
    if (plan_job_is_multi_node(job)) {
        check_loopback(rules, job->head.subject, job->workload->launcher);
    }
}

void rule_definition_loopback(const Rules *rules, const PlanContainer *container) {
    if (container->form == FORM_RESOURCE && container->is_multi_node && field_number(&container->nodes, -1) > 1) {
        check_loopback(rules, container->subject, container->launcher);
    }
}

// Scripts that each node runs at its start.
void rule_group_loopback(const Rules *rules, const PlanGroup *group) {
    const PlanLauncher *launcher = group->launch->launcher;
    if (launcher != NULL && launcher_node_count(launcher) > 1) {
        check_loopback(rules, group->launch->subject, launcher);
    }
}

// Without srun mpirun starts processes on all nodes of a job. Another launcher says for how many it waits.
void rule_script_interfaces(const Rules *rules, const PlanSlurmScript *script) {
    const PodInterfacesCheck check = { .rules = rules, .subject = script->subject, .what = "nodes", .more = "" };
    for (uint32_t i = 0; i < script->own.count; i++) {
        const PlanSlurmStep *step = &script->own.items[i];
        const bool is_mpi = launcher_runs(step->launcher, PROGRAM_MPIRUN);
        if (launcher_node_count(step->launcher) > 1 || (is_mpi && step->node_count > 1)) {
            check_loopback(rules, script->subject, step->launcher);
        }
        for (size_t k = 0; k < COUNT_OF(ROWS); k++) {
            check_row(&check, &ROWS[k], step->launcher);
        }
    }
}

// What srun starts on several nodes.
void rule_step_loopback(const Rules *rules, const PlanSlurmScript *script, const PlanSlurmStep *step) {
    const PodInterfacesCheck check = { .rules = rules, .subject = script->subject, .what = "nodes", .more = "" };
    if (step->node_count > 1) {
        check_loopback(rules, script->subject, step->launcher);
    }
    for (size_t i = 0; i < COUNT_OF(ROWS); i++) {
        check_row(&check, &ROWS[i], step->launcher);
    }
}
