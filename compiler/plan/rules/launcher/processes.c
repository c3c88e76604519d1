// Rules about how many processes a launcher starts: torchrun in each pod, where every process wants a device of its own, and
// mpirun in all of a job.
#include "compiler/plan/model/launcher_option.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/kubernetes_quantity.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/model/pod_type.h"
#include "compiler/plan/rules/launcher/nccl_tests.h"
#include "compiler/plan/rules/rule_field.h"
#include "schema/instances.h"

// ---- torchrun ----------------------------------------------------------------------------------------------------

typedef struct {
    int64_t count; // -1: not known
    const char *what;
    Span span;         // of the amount
    bool is_all;       // all that the type of the nodes has
    const char *where; // "in this container"
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
    Devices devices = { .what = "GPU", .where = "in this container" };
    devices.count = limit_of(container, "nvidia.com/gpu", &devices.span);
    if (devices.count < 0) {
        const InstanceRow *row = pod_row(rules->session, object_text(pod_type(pod)));
        const int64_t whole = limit_of(container, "aws.amazon.com/neuron", &devices.span);
        devices.what = "NeuronCore";
        devices.count = whole > 0 && row != NULL && row->neuron_cores > 0 ? whole * row->neuron_cores : -1;
    }
    return devices;
}

// More processes than devices, where the file says how many.
static Diag *report_tasks(Session *session, const Subject *subject, Span place, const char *program, int64_t tasks,
                          const Devices *devices) {
    const char *plural = devices->count == 1 ? "" : "s";
    Diag *diag = plan_report(session, subject, place, DIAG(tasks_beyond_devices), program, tasks,
                             STR_ARG(str_of(devices->where)), devices->count, devices->what, plural);
    diag_label(session, diag, devices->span, "%" PRId64 " %s%s", devices->count, devices->what, plural);
    return diag;
}

// accelerate that starts fewer processes on each of several machines than that has GPUs. Other programs may take the rest,
// and where the processes are those of some whole machines the number of machines may be the wrong one.
static void check_idle(const Rules *rules, const Subject *subject, const PlanLauncher *launcher, const Devices *devices,
                       int64_t machines) {
    static const char *const OTHERS[] = { "vllm", "VLLM", "CUDA_VISIBLE_DEVICES", "gpu_ids", "gpu-ids", "sglang" };
    Session *session = rules->session;
    const int64_t total = launcher_number(launcher, &launcher->total);
    const int64_t all = devices->count * machines;
    const bool is_even = total > 0 && total % machines == 0 && total < all && all <= INT32_MAX;
    const bool is_of_others = total > devices->count && total % devices->count == 0;
    if (machines < 2 || !is_even || is_of_others || !str_is(str_of(devices->what), "GPU") ||
        launcher_mentions_any(launcher, OTHERS, COUNT_OF(OTHERS)) || launcher_may_set(launcher, OTHERS[2])) {
        return;
    }
    Diag *diag = plan_report(session, subject, launcher->total.key, DIAG(mpi_part),
                             launcher_option_program(&launcher->total), total, machines, all);
    diag_label(session, diag, devices->span, "%" PRId64 " GPUs %s", devices->count, devices->where);
    diag_help(session, diag, "write `%.*s=%" PRId64 "`, for all %" PRId64 " machines together",
              STR_ARG(launcher_option_spelling(session, &launcher->total)), all, machines);
}

// accelerate is told how many processes there are on all machines together, and each of these starts its part.
static void check_total(const Rules *rules, const Subject *subject, const PlanLauncher *launcher,
                        const Devices *devices) {
    static const char *const ON_CPUS[] = { "--cpu", "use_cpu" };
    Session *session = rules->session;
    const int64_t total = launcher_number(launcher, &launcher->total);
    const int64_t machines = launcher_number(launcher, &launcher->nodes);
    if (machines < 1 || machines > INT32_MAX || launcher_mentions_any(launcher, ON_CPUS, COUNT_OF(ON_CPUS))) {
        return;
    }
    if (total / machines <= devices->count) {
        check_idle(rules, subject, launcher, devices, machines);
        return;
    }
    Diag *diag = report_tasks(session, subject, launcher->total.key, launcher_option_program(&launcher->total),
                              total / machines, devices);
    diag_help(session, diag, "write `%.*s=%" PRId64 "`, for all %" PRId64 " machines together",
              STR_ARG(launcher_option_spelling(session, &launcher->total)), devices->count * machines, machines);
}

// How many numbers a list of devices has: 2 of `0,1`. -1 of another text, such as the name of one.
static int64_t count_devices(Str list) {
    int64_t count = list.len == 0 ? -1 : 1;
    for (size_t i = 0; i < list.len; i++) {
        const bool is_sign = list.data[i] == ',' && i > 0 && i + 1 < list.len && list.data[i - 1] != ',';
        count = count < 0 || (!is_sign && !char_is_digit(list.data[i])) ? -1 : count + (is_sign ? 1 : 0);
    }
    return count;
}

// What a word of a command gives a variable, as `-e NAME=VALUE` does. In a script it may be for another command.
static PlanField given_in_word(const Rules *rules, const PlanLauncher *launcher, const char *name) {
    for (uint32_t i = 0; i < launcher->settings.count; i++) {
        const CommandSetting *setting = &launcher->settings.items[i];
        if (setting->value.len > 0 && command_is_called(setting, name) &&
            launcher->words.items[setting->word].is != SHELL_WORD_SCRIPT) {
            return field_known(name, command_value_place(rules->session, &launcher->words, setting), setting->value);
        }
    }
    return (PlanField){ .state = FIELD_ABSENT, .name = name };
}

// `--gpus 2` of a container, and the two of `--gpus '"device=0,1"'`; -1: it has none, or all.
// source: docker run(1), `--gpus`; docker/cli opts/gpus.go, read 2026-11
static int64_t gpus_of_docker(const PlanField *gpus) {
    const Str start = STR("device=");
    const size_t at = str_find(gpus->text, start, 0);
    const size_t end = gpus->text.len - (str_ends_with(gpus->text, STR("\"")) ? 1 : 0);
    return at < gpus->text.len ? count_devices(str_slice(gpus->text, at + start.len, end)) : command_number(gpus->text);
}

static Devices of_container(const Rules *rules, const PlanLauncher *launcher, const Devices *devices) {
    const Str program = launcher->words.count == 0 ? STR_NONE : str_after_last(launcher->words.items[0].text, '/');
    const bool is_docker = str_is(program, "docker") || str_is(program, "podman");
    const PlanField gpus = is_docker ? given_in_word(rules, launcher, "--gpus") : (PlanField){ .text = STR_NONE };
    const int64_t count = gpus_of_docker(&gpus);
    return count > 0 ? (Devices){ .count = count, .what = "GPU", .span = gpus.span, .where = "in this container" }
                     : *devices;
}

// Of the devices those that CUDA_VISIBLE_DEVICES names, where that is known and they are fewer.
static Devices visible_of(const Rules *rules, const PlanLauncher *launcher, const Devices *devices) {
    static const char NAME[] = "CUDA_VISIBLE_DEVICES";
    const PlanField said = given_in_word(rules, launcher, NAME);
    const PlanVariable *variable = launcher_variable(launcher, str_of(NAME));
    const PlanField list = said.state == FIELD_ABSENT && variable != NULL ? variable->value : said;
    const int64_t count = list.state == FIELD_KNOWN && !launcher_has_branches(launcher) ? count_devices(list.text) : -1;
    const bool is_fewer = count > 0 && (devices->count < 1 || count < devices->count) &&
                          (devices->what == NULL || strcmp(devices->what, "GPU") == 0);
    return is_fewer ? (Devices){ .count = count, .what = "GPU", .span = list.span, .where = devices->where } : *devices;
}

static void check_tasks(const Rules *rules, const Subject *subject, const PlanLauncher *launcher, const Devices *all) {
    Session *session = rules->session;
    const Devices given = of_container(rules, launcher, all);
    const Devices visible = visible_of(rules, launcher, &given);
    const Devices *devices = &visible;
    if (devices->count < 1) {
        return;
    }
    check_total(rules, subject, launcher, devices);
    const int64_t tasks = launcher_number(launcher, &launcher->tasks);
    if (tasks <= devices->count) {
        return;
    }
    Diag *diag =
        report_tasks(session, subject, launcher->tasks.key, launcher_option_program(&launcher->tasks), tasks, devices);
    diag_help(session, diag, "write `%.*s=%" PRId64 "`", STR_ARG(launcher_option_spelling(session, &launcher->tasks)),
              devices->count);
    const Span number = launcher_number_place(session, &launcher->tasks);
    if (devices->is_all && !span_is_none(number)) {
        diag_fix(session, diag, number, str_format(session->arena, "%" PRId64, devices->count));
    }
}

void rule_definition_tasks(const Rules *rules, const PlanContainer *container) {
    Devices devices = { .count = field_number(&container->gpus, -1),
                        .what = "GPU",
                        .where = "in this container",
                        .span = rule_span(&container->gpus) };
    devices.is_all = container->row != NULL && container->row->accelerators == devices.count;
    if (field_number(&container->gpus, 0) == 0 && container->neuron_cores > 0) {
        devices = (Devices){ .count = container->neuron_cores,
                             .what = "NeuronCore",
                             .where = "in this container",
                             .span = container->neuron_span,
                             .is_all = container->row != NULL &&
                                       container->row->neuron_cores * container->row->accelerators ==
                                           container->neuron_cores };
    }
    check_tasks(rules, container->subject, container->launcher, &devices);
}

// Of the type of a group that has the fewest; none where a type is not known, or has others or none.
static Devices devices_of_group(const PlanGroup *group) {
    Devices devices = { .count = -1, .where = "on this node" };
    for (uint32_t i = 0; !group->has_other_types && i < group->types.count; i++) {
        const InstanceRow *row = group->types.items[i].row;
        const bool is_neuron = row->neuron_cores > 0;
        const int64_t count = (int64_t)row->accelerators * (is_neuron ? row->neuron_cores : 1);
        if (count < 1 || (!is_neuron && row->accelerator != ACCELERATOR_NVIDIA)) {
            return (Devices){ .count = -1 };
        }
        if (devices.count < 0 || count < devices.count) {
            devices.count = count;
            devices.what = is_neuron ? "NeuronCore" : "GPU";
            devices.span = rule_span(&group->types.items[i].field);
        }
    }
    devices.is_all = group->types.count == 1;
    return devices;
}

// A script that asks what its node has may start fewer.
void rule_group_tasks(const Rules *rules, const PlanGroup *group) {
    const PlanLauncher *launcher = group->launch->launcher;
    if (launcher != NULL && !launcher_has_branches(launcher)) {
        const Devices devices = devices_of_group(group);
        check_tasks(rules, group->launch->subject, launcher, &devices);
    }
}

void rule_step_tasks(const Rules *rules, const PlanSlurmScript *script, const PlanSlurmStep *step) {
    const Devices devices = { .count = step->gpus, .what = "GPU", .where = "on each node", .span = step->gpus_span };
    if (!launcher_has_branches(step->launcher)) {
        check_tasks(rules, script->subject, step->launcher, &devices);
    }
}

// A launcher that the shell of a script starts, which runs on one node.
void rule_script_tasks(const Rules *rules, const PlanSlurmScript *script) {
    for (uint32_t i = 0; i < script->own.count; i++) {
        const PlanSlurmStep *step = &script->own.items[i];
        const Devices devices = {
            .count = step->gpus, .what = "GPU", .where = "on this node", .span = step->gpus_span
        };
        if (!launcher_has_branches(step->launcher)) {
            check_tasks(rules, script->subject, step->launcher, &devices);
        }
    }
}

// A launcher in a container that the script starts.
void rule_script_containers(const Rules *rules, const PlanSlurmScript *script) {
    for (uint32_t i = 0; i < script->containers.count; i++) {
        const PlanLauncher *launcher = script->containers.items[i].launcher;
        const Devices devices = { .count = -1, .what = "GPU", .where = "in this container" };
        if (!launcher_has_branches(launcher)) {
            check_tasks(rules, script->subject, launcher, &devices);
        }
    }
}

// ---- operators -----------------------------------------------------------------------------------------------------

// Of a TrainJob whose runtime is one for PyTorch, which gives the count to torchrun as PET_NPROC_PER_NODE. The resources
// stand in the place of those of the runtime.
// source: kubeflow/trainer@8c0f5059 pkg/runtime/framework/plugins/torch/torch.go, EnforceMLPolicy; read 2026-11-26
static void check_trainer(const Rules *rules, const PlanObject *object) {
    const Value *spec = object_get(object->fields, "spec");
    const Value *trainer = object_get(spec, "trainer");
    const Value *tasks = object_get(trainer, "numProcPerNode");
    const Str runtime = object_text(object_get(object_get(spec, "runtimeRef"), "name"));
    Devices gpus = { .what = "GPU", .where = "in each node", .span = SPAN_NONE };
    gpus.count = amount_in(object_get(trainer, "resourcesPerNode"), "nvidia.com/gpu", &gpus.span);
    if (gpus.count < 1 || object_int32(tasks, -1) <= gpus.count || !str_starts_with(runtime, STR("torch"))) {
        return;
    }
    Diag *diag = report_tasks(rules->session, object->subject, tasks->span, "torchrun", tasks->integer, &gpus);
    diag_help(rules->session, diag, "write `%" PRId64 "`, or leave `numProcPerNode` out", gpus.count);
}

// Of a PyTorchJob with a master, which gives `nprocPerNode` to torchrun as PET_NPROC_PER_NODE. An option of the command
// wins, and an elastic job has a number of its own.
// source: kubeflow/training-operator v1.9.0 pkg/controller.v1/pytorch/envvar.go, 2025-01-21, read 2026-11
static void check_pytorch(const Rules *rules, const PlanObject *object) {
    Session *session = rules->session;
    const Value *spec = object_get(object->fields, "spec");
    const Value *tasks = object_get(spec, "nprocPerNode");
    const bool is_given = object_get(spec, "elasticPolicy") == NULL &&
                          object_get(object_get(spec, "pytorchReplicaSpecs"), "Master") != NULL;
    const int64_t count = is_given ? command_number(object_text(tasks)) : -1;
    for (uint32_t i = 0; count > 0 && i < object->workloads.count; i++) {
        const PlanWorkload *workload = object->workloads.items[i];
        Devices devices = devices_of(rules, workload->pod, workload->container);
        const bool takes_it = !workload->is_first && launcher_runs(workload->launcher, PROGRAM_TORCHRUN) &&
                              workload->launcher->tasks.state == FIELD_ABSENT;
        if (takes_it && devices.count >= 1 && count > devices.count) {
            devices.where = "in each pod";
            Diag *diag = report_tasks(session, object->subject, tasks->span, "torchrun", count, &devices);
            diag_help(session, diag, "write `\"%" PRId64 "\"`", devices.count);
            return;
        }
    }
}

// ---- mpirun --------------------------------------------------------------------------------------------------------

// Whether the words or variables of Open MPI may say that a slot is for several processes, or name hosts with slots of
// their own: OMPI_MCA_rmaps_base_oversubscribe.
static bool may_share_slots(const PlanLauncher *launcher) {
    static const char *const HOSTS[] = { "host", "-H" };
    return launcher_has_late_words(launcher) || launcher_mentions_any(launcher, HOSTS, COUNT_OF(HOSTS)) ||
           launcher_shares_slots(launcher);
}

typedef struct {
    int64_t workers;
    int64_t slots;     // of each
    const Value *said; // how many slots; NULL: nobody
    const Value *group;
    int64_t gpus; // of each; -1: not known
} Workers;

// Whether the words may say how many processes a worker gets, other than one for each slot.
static bool may_place(const PlanLauncher *launcher, int64_t slots) {
    static const char *const WORDS[] = {
        "map-by", "ppr", "pernode", "persocket", "rmaps", "rankfile", "bynode", "app"
    };
    const bool is_each = launcher_number(launcher, &launcher->each) == slots;
    return launcher_mentions_any(launcher, WORDS, COUNT_OF(WORDS)) || (!is_each && launcher_mentions(launcher, "-N"));
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

static void say_part(const Rules *rules, const Subject *subject, const PlanLauncher *launcher, const Part *part) {
    Session *session = rules->session;
    const int64_t all = part->nodes * part->devices;
    Diag *diag = plan_report(session, subject, launcher->processes.key, DIAG(mpi_part), "mpirun", part->processes,
                             part->nodes, all);
    diag_label(session, diag, part->nodes_span, "%" PRId64 " %s", part->nodes, part->what);
    diag_help(session, diag, "write `-np %" PRId64 "`, or %.*s", all, STR_ARG(part->fewer));
}

// One for each GPU, and nothing for the other workers.
static void check_part(const Rules *rules, const PlanObject *object, const Workers *workers,
                       const PlanLauncher *launcher) {
    Part part = { .processes = launcher_number(launcher, &launcher->processes),
                  .nodes = workers->workers,
                  .devices = workers->slots,
                  .what = "workers" };
    if (workers->gpus == workers->slots && workers->slots >= 2 && is_part(&part) &&
        !may_place(launcher, workers->slots)) {
        part.nodes_span = object_get(workers->group, "replicas")->span;
        part.fewer = str_format(rules->session->arena, "`replicas: %" PRId64 "`", part.processes / part.devices);
        say_part(rules, object->subject, launcher, &part);
    }
}

// More processes than slots: on all workers together, or `of_one`, on each of them.
static void say_slots(const Rules *rules, const PlanObject *object, const Workers *workers, const PlanField *option,
                      int64_t processes, bool of_one) {
    Session *session = rules->session;
    const int64_t all = of_one ? workers->slots : workers->workers * workers->slots;
    const bool is_alone = workers->workers == 1;
    const Str spelled = launcher_option_spelling(session, option);
    const Str which = of_one && !is_alone
                          ? STR("each worker of this job has")
                          : str_format(session->arena, "the %" PRId64 " worker%s of this job %s", workers->workers,
                                       is_alone ? "" : "s", is_alone ? "has" : "have");
    Diag *diag = plan_report(session, object->subject, option->key, DIAG(mpi_over_slots), processes,
                             of_one && !is_alone ? " on a worker" : "", STR_ARG(which), all, all == 1 ? "" : "s");
    diag_label(session, diag, workers->said != NULL ? workers->said->span : workers->group->span,
               workers->said != NULL ? "slots of a worker" : "one slot each, without `slotsPerWorker`");
    const int64_t wanted = of_one ? processes : (processes + workers->workers - 1) / workers->workers;
    if (workers->gpus > workers->slots && wanted <= workers->gpus) {
        diag_help(session, diag, "write `slotsPerWorker: %" PRId64 "`, as many as a worker has GPUs", workers->gpus);
    } else if (workers->said == NULL) {
        diag_help(session, diag, "write `slotsPerWorker` beside `mpiReplicaSpecs`, or `%.*s %" PRId64 "`",
                  STR_ARG(spelled), all);
    } else {
        diag_help(session, diag, "write `%.*s %" PRId64 "`%s", STR_ARG(spelled), all,
                  of_one ? "" : ", or more workers");
    }
}

// A worker full of processes, or as many as mpirun says.
static void check_nccl_tests(const Rules *rules, const PlanObject *object, const Workers *workers,
                             const PlanLauncher *launcher) {
    const int64_t said = launcher_each(launcher);
    const bool is_full = launcher_number(launcher, &launcher->processes) == workers->workers * workers->slots;
    const NcclTestsPlace place = { .processes = said > 0  ? said
                                                : is_full ? workers->slots
                                                          : -1,
                                   .gpus = workers->gpus,
                                   .gpus_span = SPAN_NONE,
                                   .what = "worker" };
    if (workers->gpus > 0) {
        nccl_tests_check(rules, object->subject, launcher, &place);
    }
}

static void check_launcher(const Rules *rules, const PlanObject *object, const Workers *workers,
                           const PlanLauncher *launcher) {
    const int64_t each = launcher_each(launcher);
    const int64_t processes = launcher_number(launcher, &launcher->processes);
    check_nccl_tests(rules, object, workers, launcher);
    if (may_share_slots(launcher)) {
        return;
    }
    if (processes > workers->workers * workers->slots) {
        say_slots(rules, object, workers, &launcher->processes, processes, false);
    } else if (each > workers->slots) {
        const bool is_mapped = launcher_number(launcher, &launcher->each) < 0;
        say_slots(rules, object, workers, is_mapped ? &launcher->map : &launcher->each, each, true);
    } else {
        check_part(rules, object, workers, launcher);
    }
}

// Whether mpirun is surely that of Open MPI, which has these options alone.
static bool is_open_mpi(const PlanLauncher *launcher) {
    static const char *const WORDS[] = { "mca", "--bind-to", "--allow-run-as-root", "openmpi", "OMPI_" };
    return launcher_runs(launcher, PROGRAM_MPIRUN) && launcher_mentions_any(launcher, WORDS, COUNT_OF(WORDS));
}

// mpirun that the shell of a batch script starts has a slot for each task of the job.
// source: open-mpi/ompi#6062 orte/mca/rmaps/base/help-orte-rmaps-base.txt, "Resource manager", and open-mpi/ompi#6020, where `sbatch
// -c32` has one slot, 2018-11, read 2026-11
static void check_own(const Rules *rules, const PlanSlurmScript *script, const PlanSlurmStep *step) {
    Session *session = rules->session;
    const int64_t processes = launcher_number(step->launcher, &step->launcher->processes);
    const int64_t all = step->each > 0 && step->node_count > 0 ? step->each * step->node_count : -1;
    if (all < 1 || processes <= all || !is_open_mpi(step->launcher) || may_share_slots(step->launcher)) {
        return;
    }
    const Str which = str_format(session->arena, "the %" PRId64 " node%s of this job %s", step->node_count,
                                 step->node_count == 1 ? "" : "s", step->node_count == 1 ? "has" : "have");
    Diag *diag = plan_report(session, script->subject, step->launcher->processes.key, DIAG(mpi_over_slots), processes,
                             "", STR_ARG(which), all, all == 1 ? "" : "s");
    diag_label(session, diag, step->each_span, "%" PRId64 " task%s of a node", step->each, step->each == 1 ? "" : "s");
    diag_help(session, diag, "write `%.*s %" PRId64 "`, or more nodes or tasks above",
              STR_ARG(launcher_option_spelling(session, &step->launcher->processes)), all);
}

void rule_script_slots(const Rules *rules, const PlanSlurmScript *script) {
    for (uint32_t i = 0; i < script->own.count; i++) {
        check_own(rules, script, &script->own.items[i]);
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
    const Workers workers = { .workers = object_int32(object_get(worker, "replicas"), 0),
                              .slots = object_int32(slots, 1),
                              .said = slots,
                              .group = worker,
                              .gpus = gpus_of(worker) };
    if (worker == NULL || workers.workers < 1 || workers.slots < 1 || object_get(spec, "runLauncherAsWorker") != NULL ||
        (maker != NULL && !str_is(object_text(maker), "OpenMPI"))) {
        return;
    }
    for (uint32_t i = 0; i < object->workloads.count; i++) {
        if (object->workloads.items[i]->pod == pod && !object->workloads.items[i]->is_first) {
            check_launcher(rules, object, &workers, object->workloads.items[i]->launcher);
        }
    }
}

// ---- mpirun of AWS Batch -------------------------------------------------------------------------------------------

// The word that runs mpirun, where it is the program of the command; NULL: another program, or a shell's script.
static const PlanField *mpirun_of(const PlanFields *command) {
    const PlanField *first = command->state == FIELD_KNOWN && command->count > 0 ? &command->items[0] : NULL;
    return first != NULL && launcher_program(first->text) == PROGRAM_MPIRUN ? first : NULL;
}

// Whether mpirun may learn of other nodes: by an option, or by what nobody knows. `-f 2` is all_reduce_perf's.
static bool may_have_hosts(const PlanContainer *container) {
    const PlanLauncher *launcher = container->launcher;
    const bool is_file =
        launcher->machine_file.state != FIELD_ABSENT && launcher_number(launcher, &launcher->machine_file) < 0;
    bool may = is_file || launcher->hosts.state != FIELD_ABSENT || launcher_has_late_words(launcher);
    for (uint32_t i = 0; i < launcher->words.count; i++) {
        may = may || str_starts_with(launcher->words.items[i].text, STR("Ref::"));
    }
    for (uint32_t i = 0; i < container->variables.count; i++) {
        const Str name = container->variables.items[i].name.text;
        may = may || str_has(name, "host") || str_has(name, "HOST");
    }
    return may;
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
    const PlanLauncher *launcher = container->launcher;
    const Part part = { .processes = launcher_number(launcher, &launcher->processes),
                        .nodes = nodes,
                        .devices = row->accelerators,
                        .nodes_span = rule_span(&container->nodes),
                        .what = "nodes",
                        .fewer = STR("fewer nodes") };
    if (is_part(&part)) {
        say_part(rules, container->subject, launcher, &part);
    }
}

// ------------------------------------------------------------------------------------------------------------------

typedef void CheckKind(const Rules *rules, const PlanObject *object);

// Kinds that have a field for the number of processes.
static const struct {
    const char *type;
    CheckKind *check;
} KINDS[] = {
    { "kubeflow.org/v2beta1/MPIJob", check_mpi },
    { "kubeflow.org/v1/PyTorchJob", check_pytorch },
    { "trainer.kubeflow.org/v1alpha1/TrainJob", check_trainer },
};

void rule_processes(const Rules *rules, const PlanObject *object) {
    for (uint32_t i = 0; i < object->workloads.count; i++) {
        const PlanWorkload *workload = object->workloads.items[i];
        if (!workload->is_first) {
            const Devices devices = devices_of(rules, workload->pod, workload->container);
            check_tasks(rules, object->subject, workload->launcher, &devices);
        }
    }
    for (size_t i = 0; !object->is_changed && i < COUNT_OF(KINDS); i++) {
        if (str_is(object->resource->type, KINDS[i].type)) {
            KINDS[i].check(rules, object);
        }
    }
}
