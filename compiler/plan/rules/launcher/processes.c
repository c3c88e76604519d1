// Rules about how many processes a launcher starts: torchrun in each pod, where every process wants a device of its own, and
// mpirun in all of a job.
#include "compiler/plan/rules/launch_words.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/kubernetes_quantity.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/model/pod_type.h"
#include "compiler/plan/rules/rule_field.h"
#include "schema/instances.h"

// ---- torchrun ----------------------------------------------------------------------------------------------------

typedef struct {
    int64_t count; // -1: not known
    const char *what;
    Span span;   // of the amount
    bool is_all; // all that the type of the nodes has
} Devices;

// A whole amount of the limits in resources; -1 where there is none, or none that is known.
static int64_t amount_in(const Value *resources, const char *name, Span *span) {
    const Value *limit = object_get(object_get(resources, "limits"), name);
    double amount;
    if (limit == NULL || !quantity_read(limit, &amount) || amount < 1 || amount > INT32_MAX) {
        return -1;
    }
    *span = limit->span;
    return (int64_t)amount;
}

static int64_t limit_of(const Value *container, const char *name, Span *span) {
    return amount_in(object_get(container, "resources"), name, span);
}

// A Neuron device has several cores, and a process takes one of them. Where two cores make a logical one there are fewer.
static Devices devices_of(const Rules *rules, const Value *pod, const Value *container) {
    Devices devices = { .what = "GPU" };
    devices.count = limit_of(container, "nvidia.com/gpu", &devices.span);
    if (devices.count < 0) {
        const InstanceRow *row = schema_instance(rules->session, object_text(pod_type(pod)));
        const int64_t whole = limit_of(container, "aws.amazon.com/neuron", &devices.span);
        devices.what = "NeuronCore";
        devices.count = whole > 0 && row != NULL && row->neuron_cores > 0 ? whole * row->neuron_cores : -1;
    }
    return devices;
}

static void check_tasks(const Rules *rules, const Subject *subject, const Value *container, const LaunchWords *words,
                        const Devices *devices) {
    static const char *const FORMS[] = { "--nproc-per-node", "--nproc_per_node" };
    Session *session = rules->session;
    uint32_t at = 0;
    const int64_t tasks = devices->count < 1 ? -1 : launch_number(session->arena, container, words, FORMS[0], &at);
    if (tasks <= devices->count) {
        return;
    }
    const Str written = source_text(session, words->items[at].span);
    const char *form = str_find(written, str_of(FORMS[1]), 0) < written.len ? FORMS[1] : FORMS[0];
    Diag *diag =
        plan_report(session, subject, launch_place(session, &words->items[at], form), DIAG(tasks_beyond_devices), tasks,
                    STR_ARG(STR("in this container")), devices->count, devices->what, devices->count == 1 ? "" : "s");
    diag_label(session, diag, devices->span, "%" PRId64 " %s%s", devices->count, devices->what,
               devices->count == 1 ? "" : "s");
    diag_help(session, diag, "write `%s=%" PRId64 "`", form, devices->count);
    const Span number = launch_number_behind(session, diag->span, tasks);
    if (devices->is_all && !span_is_none(number)) {
        diag_fix(session, diag, number, str_format(session->arena, "%" PRId64, devices->count));
    }
}

void rule_definition_tasks(const Rules *rules, const PlanContainer *container) {
    Devices devices = { .count = field_number(&container->gpus, -1),
                        .what = "GPU",
                        .span = rule_span(&container->gpus) };
    devices.is_all = container->row != NULL && container->row->accelerators == devices.count;
    if (field_number(&container->gpus, 0) == 0 && container->neuron_cores > 0) {
        devices = (Devices){ .count = container->neuron_cores,
                             .what = "NeuronCore",
                             .span = container->neuron_span,
                             .is_all = container->row != NULL &&
                                       container->row->neuron_cores * container->row->accelerators ==
                                           container->neuron_cores };
    }
    LaunchWords words = { 0 };
    launch_words_add_fields(rules->session->arena, &words, &container->command);
    check_tasks(rules, container->subject, NULL, &words, &devices);
}

// Of a TrainJob whose runtime is one for PyTorch, which gives the count to torchrun as PET_NPROC_PER_NODE. The resources
// stand in the place of those of the runtime.
// source: kubeflow/trainer@8c0f5059 pkg/runtime/framework/plugins/torch/torch.go, EnforceMLPolicy; read 2026-11-26
static void check_trainer(const Rules *rules, const PlanObject *object) {
    const Value *spec = object_get(object->fields, "spec");
    const Value *trainer = object_get(spec, "trainer");
    const Value *tasks = object_get(trainer, "numProcPerNode");
    const Str runtime = object_text(object_get(object_get(spec, "runtimeRef"), "name"));
    Span span = SPAN_NONE;
    const int64_t gpus = amount_in(object_get(trainer, "resourcesPerNode"), "nvidia.com/gpu", &span);
    if (gpus < 1 || object_int32(tasks, -1) <= gpus || !str_starts_with(runtime, STR("torch"))) {
        return;
    }
    Diag *diag = plan_report(rules->session, object->subject, tasks->span, DIAG(tasks_beyond_devices), tasks->integer,
                             STR_ARG(STR("in each node")), gpus, "GPU", gpus == 1 ? "" : "s");
    diag_label(rules->session, diag, span, "%" PRId64 " GPU%s", gpus, gpus == 1 ? "" : "s");
    diag_help(rules->session, diag, "write `%" PRId64 "`, or leave `numProcPerNode` out", gpus);
}

// ---- mpirun --------------------------------------------------------------------------------------------------------

// Whether the words may say that a slot is for several processes, or name hosts with slots of their own.
static bool may_share_slots(const LaunchWords *words) {
    static const char *const WORDS[] = { "oversubscribe", "OVERSUBSCRIBE", "host", "-H", "use-hwthread-cpus" };
    for (uint32_t i = 0; i < words->count; i++) {
        const Str text = words->items[i].text;
        for (size_t k = 0; k < COUNT_OF(WORDS); k++) {
            if (text.len == 0 || str_find(text, str_of(WORDS[k]), 0) < text.len) {
                return true;
            }
        }
    }
    return false;
}

// Variables of Open MPI, as of `OMPI_MCA_rmaps_base_oversubscribe`, may say the same.
static bool has_settings(const Value *container) {
    const Value *env = object_get(container, "env");
    bool has = object_get(container, "envFrom") != NULL || (env != NULL && env->kind != VALUE_LIST);
    for (uint32_t i = 0; i < object_count(env); i++) {
        const Str name = object_text(object_get(env->list.items[i], "name"));
        has = has || str_starts_with(name, STR("OMPI_")) || str_starts_with(name, STR("PRTE_"));
    }
    return has;
}

typedef struct {
    int64_t workers;
    int64_t slots;     // of each
    const Value *said; // how many slots; NULL: nobody
    const Value *group;
    int64_t gpus; // of each; -1: not known
} Workers;

static bool is_number(Str text, int64_t number) {
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRId64, number);
    return str_is(text, digits);
}

// Whether the words may say how many processes a worker gets, other than one for each slot.
static bool may_place(const LaunchWords *words, int64_t slots) {
    static const char *const WORDS[] = { "map-by",   "ppr",    "pernode", "persocket", "rmaps",
                                         "rankfile", "bynode", "-N",      "app" };
    uint32_t at = 0;
    const Str each = launch_option(words, "-N", &at);
    bool may = false;
    for (uint32_t i = 0; i < words->count; i++) {
        const bool is_each = str_is(words->items[i].text, "-N") && is_number(each, slots);
        for (size_t k = 0; k < COUNT_OF(WORDS) && !is_each; k++) {
            may = may || str_find(words->items[i].text, str_of(WORDS[k]), 0) < words->items[i].text.len;
        }
    }
    return may;
}

// Processes that mpirun starts on fewer nodes than there are.
typedef struct {
    int64_t processes;
    int64_t nodes;
    int64_t devices; // of each
    Span nodes_span;
    const char *what; // "nodes"
    Str fewer;        // the other way out: "fewer nodes"
} Part;

// A whole number of nodes full of processes, but fewer than all. As many processes as nodes are started one on each.
static bool is_part(const Part *part) {
    return part->processes >= part->devices && part->processes % part->devices == 0 &&
           part->processes < part->nodes * part->devices && part->processes != part->nodes;
}

static void say_part(const Rules *rules, const Subject *subject, const LaunchWord *word, const Part *part) {
    Session *session = rules->session;
    const int64_t all = part->nodes * part->devices;
    Diag *diag = plan_report(session, subject, launch_place(session, word, "-np"), DIAG(mpi_part), part->processes,
                             part->nodes, all);
    diag_label(session, diag, part->nodes_span, "%" PRId64 " %s", part->nodes, part->what);
    diag_help(session, diag, "write `-np %" PRId64 "`, or %.*s", all, STR_ARG(part->fewer));
}

// One for each GPU, and nothing for the other workers.
static void check_part(const Rules *rules, const PlanObject *object, const Workers *workers, const LaunchWords *words) {
    uint32_t at = 0;
    Part part = { .processes = launch_processes(words, &at),
                  .nodes = workers->workers,
                  .devices = workers->slots,
                  .what = "workers" };
    if (workers->gpus == workers->slots && workers->slots >= 2 && is_part(&part) && !may_place(words, workers->slots)) {
        part.nodes_span = object_get(workers->group, "replicas")->span;
        part.fewer = str_format(rules->session->arena, "`replicas: %" PRId64 "`", part.processes / part.devices);
        say_part(rules, object->subject, &words->items[at], &part);
    }
}

static void check_launcher(const Rules *rules, const PlanObject *object, const Workers *workers,
                           const Value *container) {
    Session *session = rules->session;
    const LaunchWords words = launch_words_of(session->arena, container);
    const int64_t all = workers->workers * workers->slots;
    uint32_t at = 0;
    const int64_t processes = launch_processes(&words, &at);
    if (may_share_slots(&words) || has_settings(container)) {
        return;
    }
    if (processes <= all) {
        check_part(rules, object, workers, &words);
        return;
    }
    Diag *diag =
        plan_report(session, object->subject, launch_place(session, &words.items[at], "-np"), DIAG(mpi_over_slots),
                    processes, workers->workers, workers->workers == 1 ? "" : "s", all, all == 1 ? "" : "s");
    diag_label(session, diag, workers->said != NULL ? workers->said->span : workers->group->span,
               workers->said != NULL ? "slots of a worker" : "one slot each, without `slotsPerWorker`");
    if (workers->said == NULL) {
        diag_help(session, diag, "write `slotsPerWorker` beside `mpiReplicaSpecs`, or `-np %" PRId64 "`", all);
    } else {
        diag_help(session, diag, "write `-np %" PRId64 "`, or more workers", all);
    }
}

static int64_t gpus_of(const Value *worker) {
    const Value *pod = object_get(object_get(worker, "template"), "spec");
    const Value *containers = object_get(pod, "containers");
    Span span = SPAN_NONE;
    return object_count(containers) == 1 ? limit_of(containers->list.items[0], "nvidia.com/gpu", &span) : -1;
}

// Hydra of Intel MPI and of MPICH starts several processes in a slot. A launcher that is a worker too has slots. Rule
// operator_jobs speaks of workers without a number.
// Source: kubeflow/mpi-operator@caa3c47f pkg/apis/kubeflow/v2beta1/default.go and newConfigMap of
// pkg/controller/mpi_job_controller.go, read 2026-11-26.
static void check_mpi(const Rules *rules, const PlanObject *object) {
    const Value *spec = object_get(object->fields, "spec");
    const Value *groups = object_get(spec, "mpiReplicaSpecs");
    const Value *worker = object_get(groups, "Worker");
    const Value *maker = object_get(spec, "mpiImplementation");
    const Value *slots = object_get(spec, "slotsPerWorker");
    const Value *pod = object_get(object_get(object_get(groups, "Launcher"), "template"), "spec");
    const Value *containers = object_get(pod, "containers");
    const Workers workers = { .workers = object_int32(object_get(worker, "replicas"), 0),
                              .slots = object_int32(slots, 1),
                              .said = slots,
                              .group = worker,
                              .gpus = gpus_of(worker) };
    if (worker == NULL || workers.workers < 1 || workers.slots < 1 || object_get(spec, "runLauncherAsWorker") != NULL ||
        (maker != NULL && !str_is(object_text(maker), "OpenMPI"))) {
        return;
    }
    for (uint32_t i = 0; i < object_count(containers); i++) {
        check_launcher(rules, object, &workers, containers->list.items[i]);
    }
}

// ---- mpirun of AWS Batch -------------------------------------------------------------------------------------------

// The word that runs mpirun, where it is the program of the command; NULL: another program, or a shell's script.
static const PlanField *mpirun_of(const PlanFields *command) {
    const PlanField *first = command->state == FIELD_KNOWN && command->count > 0 ? &command->items[0] : NULL;
    const Str program = first != NULL && first->state == FIELD_KNOWN ? str_after_last(first->text, '/') : STR_NONE;
    return str_is(program, "mpirun") || str_is(program, "mpiexec") ? first : NULL;
}

// Whether mpirun may learn of other nodes: by an option, or by what nobody knows. `-f 2` is all_reduce_perf's.
static bool may_have_hosts(const PlanContainer *container) {
    static const char *const OPTIONS[] = { "-H",
                                           "-hosts",
                                           "--hosts",
                                           "prte_default_hostfile",
                                           "-host",
                                           "--host",
                                           "-hostfile",
                                           "--hostfile",
                                           "-machinefile",
                                           "--machinefile",
                                           "--default-hostfile",
                                           "--app",
                                           "-app",
                                           "-f",
                                           "orte_default_hostfile" };
    const PlanFields *command = &container->command;
    for (uint32_t i = 0; i < command->count; i++) {
        const PlanField *word = &command->items[i];
        bool is_option = word->state != FIELD_KNOWN || str_starts_with(word->text, STR("Ref::"));
        for (size_t k = 0; !is_option && k < COUNT_OF(OPTIONS); k++) {
            is_option = str_is(word->text, OPTIONS[k]);
        }
        const bool is_number = i + 1 < command->count && field_number(&command->items[i + 1], -1) >= 0;
        if (is_option && !(field_is(word, "-f") && is_number)) {
            return true;
        }
    }
    for (uint32_t i = 0; i < container->variables.count; i++) {
        const Str name = container->variables.items[i].name.text;
        if (str_find(name, STR("host"), 0) < name.len || str_find(name, STR("HOST"), 0) < name.len) {
            return true;
        }
    }
    return false;
}

// AWS Batch tells mpirun nothing of the other nodes, nor does Kubernetes.
void rule_definition_hosts(const Rules *rules, const PlanContainer *container) {
    const int64_t nodes = container->is_multi_node ? field_number(&container->nodes, -1) : -1;
    const PlanField *mpirun = mpirun_of(&container->command);
    if (nodes < 2 || mpirun == NULL || may_have_hosts(container)) {
        return;
    }
    Diag *diag = plan_report(rules->session, container->subject, rule_span(mpirun), DIAG(mpi_alone));
    diag_label(rules->session, diag, rule_span(&container->nodes), "%" PRId64 " nodes", nodes);
    if (container->form == FORM_DECLARED) {
        diag_help(rules->session, diag, "write `launcher = mpirun`, and begin `command` with the program");
    } else {
        diag_help(rules->session, diag,
                  "write a script that collects the addresses of all nodes into a file, and `--hostfile` with it");
    }
}

void rule_definition_processes(const Rules *rules, const PlanContainer *container) {
    const InstanceRow *row = container->row;
    const int64_t nodes = container->is_multi_node ? field_number(&container->nodes, -1) : -1;
    if (nodes < 2 || row == NULL || row->accelerator != ACCELERATOR_NVIDIA || row->accelerators < 1 ||
        field_number(&container->gpus, -1) != row->accelerators ||
        (mpirun_of(&container->command) != NULL && !may_have_hosts(container))) {
        return;
    }
    LaunchWords words = { 0 };
    uint32_t at = 0;
    launch_words_add_fields(rules->session->arena, &words, &container->command);
    const Part part = { .processes = launch_processes(&words, &at),
                        .nodes = nodes,
                        .devices = row->accelerators,
                        .nodes_span = rule_span(&container->nodes),
                        .what = "nodes",
                        .fewer = STR("fewer nodes") };
    if (is_part(&part)) {
        say_part(rules, container->subject, &words.items[at], &part);
    }
}

// ------------------------------------------------------------------------------------------------------------------

void rule_processes(const Rules *rules, const PlanObject *object) {
    for (uint32_t i = 0; !object->is_changed && i < object->pods.count; i++) {
        const Value *pod = object->pods.items[i].spec;
        const Value *containers = object_get(pod, "containers");
        for (uint32_t k = 0; k < object_count(containers); k++) {
            const Value *container = containers->list.items[k];
            const LaunchWords words = launch_words_of(rules->session->arena, container);
            const Devices devices = devices_of(rules, pod, container);
            check_tasks(rules, object->subject, container, &words, &devices);
        }
    }
    if (!object->is_changed && str_is(object->resource->type, "kubeflow.org/v2beta1/MPIJob")) {
        check_mpi(rules, object);
    }
    if (!object->is_changed && str_is(object->resource->type, "trainer.kubeflow.org/v1alpha1/TrainJob")) {
        check_trainer(rules, object);
    }
}
