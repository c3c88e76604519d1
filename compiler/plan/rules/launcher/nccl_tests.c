// A rule about nccl-tests, whichever way they are started: processes of one node take their GPUs from one list, by threads, and
// of each thread by `-g`.
// source: NVIDIA/nccl-tests src/common.cu, run(): gpu0 + localRank*nThreads*nGpus + i, and README, Arguments; read 2026-11
#include "compiler/plan/rules/launcher/nccl_tests.h"

#include "compiler/plan/model/allow.h"
#include "schema/instances.h"

// Where the name of the first test ends; behind the words where there is none.
typedef struct {
    uint32_t word;
    size_t at;
} Test;

static Test find_test(const PlanLauncher *launcher) {
    const Str mark = STR("_perf");
    Test test = { .word = launcher->words.count };
    for (uint32_t i = launcher->words.count; i > 0; i--) {
        const Str run = launcher->words.items[i - 1].run;
        const size_t at = str_find(run, mark, 0);
        const char after = str_at(run, at + mark.len);
        if (at < run.len && (after == '\0' || strchr(" \t\n\\\"'", after) != NULL)) {
            test = (Test){ .word = i - 1, .at = at + mark.len };
        }
    }
    return test;
}

// What the test is told by an option of either name; absent where it is told nothing.
static PlanField option_of(const Rules *rules, const PlanLauncher *launcher, const Test *test, const char *letter,
                           const char *name) {
    for (uint32_t i = 0; i < launcher->settings.count; i++) {
        const CommandSetting *setting = &launcher->settings.items[i];
        const bool is_behind = setting->word > test->word || (setting->word == test->word && setting->at >= test->at);
        if (is_behind && setting->value.len > 0 &&
            (command_is_called(setting, letter) || command_is_called(setting, name))) {
            return field_known(letter, command_value_place(rules->session, &launcher->words, setting), setting->value);
        }
    }
    return (PlanField){ .state = FIELD_ABSENT, .name = letter };
}

// GPUs of the type that has the most.
static int64_t most_gpus(Session *session) {
    int64_t most = 0;
    for (int i = 0; i < schema_instance_count(session); i++) {
        const InstanceRow *row = schema_instance_at(session, i);
        const bool is_more = row->accelerator == ACCELERATOR_NVIDIA && row->accelerators > most;
        most = is_more ? row->accelerators : most;
    }
    return most;
}

void nccl_tests_check(const Rules *rules, const Subject *subject, const PlanLauncher *launcher,
                      const NcclTestsPlace *place) {
    Session *session = rules->session;
    const Test test = find_test(launcher);
    const PlanField gpus = option_of(rules, launcher, &test, "-g", "--ngpus");
    const PlanField threads = option_of(rules, launcher, &test, "-t", "--nthreads");
    const int64_t of_thread = gpus.state == FIELD_ABSENT ? -1 : launcher_number(launcher, &gpus);
    const int64_t count = threads.state == FIELD_ABSENT ? 1 : launcher_number(launcher, &threads);
    const int64_t of_each = of_thread > 0 && count > 0 ? of_thread * count : -1;
    if (place->processes < 1 || of_each < 2) {
        return;
    }
    const int64_t all = place->processes * of_each;
    const int64_t there = place->gpus > 0 ? place->gpus : most_gpus(session);
    if (all <= there) {
        return;
    }
    Diag *diag = plan_report(session, subject, gpus.span, DIAG(nccl_tests_gpus), place->processes,
                             place->processes == 1 ? "" : "es", place->what, of_each, place->processes == 1 ? "s" : "",
                             all, place->gpus > 0 ? "it has" : "no instance type has more than", there);
    if (!span_is_none(place->gpus_span)) {
        diag_label(session, diag, place->gpus_span, "%" PRId64 " GPUs of a %s", there, place->what);
    }
    if (place->processes == 1) {
        diag_help(session, diag, "write `-g %" PRId64 "`", there);
    } else {
        diag_help(session, diag,
                  place->processes <= there ? "write `-g 1`, and one process for each GPU"
                                            : "start one process for each GPU, with `-g 1`");
    }
}

// ---- batch scripts ---------------------------------------------------------------------------------------------------

// What mpirun starts on each node: as it says, or as many of all as there are nodes, or one for each task of the job.
static int64_t started_by_mpirun(const PlanSlurmStep *step) {
    const int64_t each = launcher_each(step->launcher);
    const int64_t all = launcher_number(step->launcher, &step->launcher->processes);
    const bool is_even = all > 0 && step->node_count > 0 && all % step->node_count == 0;
    return each > 0                                          ? each
           : is_even                                         ? all / step->node_count
           : step->launcher->processes.state == FIELD_ABSENT ? step->each
                                                             : -1;
}

// One task of srun takes several GPUs where it is alone on its node.
void rule_step_nccl_tests(const Rules *rules, const PlanSlurmScript *script, const PlanSlurmStep *step) {
    const NcclTestsPlace place = {
        .processes = step->each, .gpus = step->gpus, .gpus_span = step->gpus_span, .what = "node"
    };
    if (!launcher_runs(step->launcher, PROGRAM_MPIRUN) && !launcher_has_branches(step->launcher)) {
        nccl_tests_check(rules, script->subject, step->launcher, &place);
    }
}

void rule_script_nccl_tests(const Rules *rules, const PlanSlurmScript *script) {
    for (uint32_t i = 0; i < script->own.count; i++) {
        const PlanSlurmStep *step = &script->own.items[i];
        const NcclTestsPlace place = {
            .processes = started_by_mpirun(step), .gpus = step->gpus, .gpus_span = step->gpus_span, .what = "node"
        };
        if (launcher_runs(step->launcher, PROGRAM_MPIRUN)) {
            nccl_tests_check(rules, script->subject, step->launcher, &place);
        }
    }
}

// ---- containers ------------------------------------------------------------------------------------------------------

// Of one container alone: what mpirun says of each node, or all that it starts where it knows no other node.
static int64_t started_in_container(const PlanLauncher *launcher) {
    const int64_t each = launcher_each(launcher);
    const bool is_alone = launcher->hosts.state == FIELD_ABSENT;
    return !launcher_runs(launcher, PROGRAM_MPIRUN) ? -1
           : each > 0                               ? each
           : is_alone                               ? launcher_number(launcher, &launcher->processes)
                                                    : -1;
}

// The launcher of an MPIJob has no GPUs: those of its workers are asked for by the rule about their slots.
void rule_pod_nccl_tests(const Rules *rules, const PlanObject *object) {
    for (uint32_t i = 0; i < object->workloads.count; i++) {
        const PlanWorkload *workload = object->workloads.items[i];
        NcclTestsPlace place = { .processes = started_in_container(workload->launcher), .gpus = -1, .what = "pod" };
        const PlanDevices *devices = workload_gpus(workload);
        if (devices != NULL) {
            place.gpus = (int64_t)devices->count;
            place.gpus_span = devices->span;
        }
        if (place.gpus > 0 && !str_has(object->resource->type, "MPIJob")) {
            nccl_tests_check(rules, object->subject, workload->launcher, &place);
        }
    }
}

void rule_definition_nccl_tests(const Rules *rules, const PlanContainer *container) {
    const NcclTestsPlace place = { .processes = started_in_container(container->launcher),
                                   .gpus = field_number(&container->gpus, -1),
                                   .gpus_span = container->gpus.span,
                                   .what = container->is_multi_node ? "node" : "container" };
    if (place.gpus > 0 && container->form == FORM_RESOURCE) {
        nccl_tests_check(rules, container->subject, container->launcher, &place);
    }
}

// dtc's own launcher starts it.
void rule_nccl_tests_of_job(const Rules *rules, const PlanJob *job) {
    const bool is_started = job->launcher == LAUNCHER_MPIRUN || job->launcher == LAUNCHER_SRUN;
    if (is_started && job->gpus->integer > 0) {
        const NcclTestsPlace place = { .processes = job->tasks_per_node->integer,
                                       .gpus = job->gpus->integer,
                                       .gpus_span = SPAN_NONE,
                                       .what = "node" };
        nccl_tests_check(rules, job->head.subject, job->workload->launcher, &place);
    }
}
