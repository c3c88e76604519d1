// A rule about the hosts that mpirun of an MPIJob is told by `-H`: each is a worker of the job, and they have a slot for each
// process. The operator writes a file of all workers, and `-H` chooses among these.
// source: kubeflow/mpi-operator@caa3c47f pkg/controller/mpi_job_controller.go, workerName and newConfigMap; Open MPI, mpirun(1),
// --host: of hosts that are not in the file mpirun says that there are no allocated resources; read 2026-11
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/launcher.h"
#include "compiler/plan/model/launcher_option.h"
#include "compiler/plan/model/object_value.h"

enum { HOSTS_MAX = 1000 };

typedef struct {
    const Rules *rules;
    const PlanObject *object;
    const PlanLauncher *launcher;
    const Value *worker; // its replicas
    Str name;            // of the job
} HostsCheck;

// "NAME-worker-2.NAME:8" of a list.
typedef struct {
    Str word;
    Str owner;     // what stands before `-worker-`
    int64_t index; // -1: it is no worker
    int64_t slots; // -1: none are written
} Host;

static Host read_host(Str word) {
    const Str mark = STR("-worker-");
    const size_t colon = str_find(word, STR(":"), 0);
    const Str name = str_slice(word, 0, str_find(str_slice(word, 0, colon), STR("."), 0));
    const size_t at = str_find(name, mark, 0);
    const Str index = at < name.len ? str_slice(name, at + mark.len, name.len) : STR_NONE;
    return (Host){ .word = str_slice(word, 0, colon),
                   .owner = str_slice(name, 0, at),
                   .index = index.len > 0 ? command_number(index) : -1,
                   .slots = colon < word.len ? command_number(str_slice(word, colon + 1, word.len)) : -1 };
}

static void report_host(const HostsCheck *check, const Host *host, const char *why) {
    Session *session = check->rules->session;
    const Span place = launcher_part(session, check->launcher->hosts.span, host->word);
    Diag *diag = plan_report(session, check->object->subject, place, DIAG(mpirun_refuses), STR_ARG(host->word), why);
    diag_label(session, diag, check->worker->span, "workers");
    diag_help(session, diag, "leave the option out: the operator tells mpirun of all workers");
}

static void report_slots(const HostsCheck *check, int64_t processes, int64_t slots) {
    Session *session = check->rules->session;
    const Str which = STR("the hosts behind this option have");
    Diag *diag = plan_report(session, check->object->subject, check->launcher->processes.key, DIAG(mpi_over_slots),
                             processes, "", STR_ARG(which), slots, slots == 1 ? "" : "s");
    diag_label(session, diag, check->launcher->hosts.span, "%" PRId64 " slot%s", slots, slots == 1 ? "" : "s");
    diag_help(session, diag, "write `%.*s %" PRId64 "`, or more hosts",
              STR_ARG(launcher_option_spelling(session, &check->launcher->processes)), slots);
}

// False where it is no worker that is known, or where it was reported.
static bool check_host(const HostsCheck *check, const Host *host) {
    Arena *arena = check->rules->session->arena;
    if (host->index < 0) {
        return false;
    }
    if (check->name.len > 0 && !str_equal(host->owner, check->name)) {
        report_host(check, host,
                    str_c(arena, str_format(arena, "the workers of this job are called `%.*s-worker-N`",
                                            STR_ARG(check->name))));
        return false;
    }
    if (host->index >= check->worker->integer) {
        report_host(check, host,
                    str_c(arena, str_format(arena, "the last of %" PRId64 " workers is `%.*s-worker-%" PRId64 "`",
                                            check->worker->integer, STR_ARG(host->owner), check->worker->integer - 1)));
        return false;
    }
    return true;
}

// A list with a word that is no worker's name may be a file, or filled in.
static bool is_list_of_workers(Str text) {
    uint32_t count = 0;
    bool is = text.len > 0 && !str_has(text, "$");
    for (size_t at = 0; is && at < text.len && count++ < HOSTS_MAX;) {
        const size_t end = str_find(text, STR(","), at);
        is = read_host(str_slice(text, at, end)).index >= 0;
        at = end + 1;
    }
    return is && count < HOSTS_MAX;
}

static void check_hosts(const HostsCheck *check) {
    const Str text = check->launcher->hosts.text;
    int64_t slots = 0;
    for (size_t at = 0; is_list_of_workers(text) && at < text.len;) {
        const size_t end = str_find(text, STR(","), at);
        const Host host = read_host(str_slice(text, at, end));
        if (!check_host(check, &host)) {
            return;
        }
        slots = host.slots < 0 || slots < 0 || host.slots > INT32_MAX ? -1 : slots + host.slots;
        at = end + 1;
    }
    const int64_t processes = launcher_number(check->launcher, &check->launcher->processes);
    if (slots > 0 && processes > slots && !launcher_shares_slots(check->launcher)) {
        report_slots(check, processes, slots);
    }
}

void rule_mpi_hosts(const Rules *rules, const PlanObject *object) {
    const Value *spec = object_get(object->fields, "spec");
    const Value *groups = object_get(spec, "mpiReplicaSpecs");
    const Value *worker = object_get(object_get(groups, "Worker"), "replicas");
    const Value *pod = object_get(object_get(object_get(groups, "Launcher"), "template"), "spec");
    const Str name = object_text(object_get(object_get(object->fields, "metadata"), "name"));
    if (object->is_changed || object_int32(worker, -1) < 1 || !str_ends_with(object->resource->type, STR("/MPIJob")) ||
        object_get(spec, "runLauncherAsWorker") != NULL || str_has(name, "$") || str_has(name, "{")) {
        return;
    }
    for (uint32_t i = 0; i < object->workloads.count; i++) {
        const PlanWorkload *workload = object->workloads.items[i];
        if (workload->pod == pod && !workload->is_first && workload->launcher != NULL &&
            launcher_runs(workload->launcher, PROGRAM_MPIRUN) && workload->launcher->hosts.state == FIELD_KNOWN) {
            check_hosts(&(HostsCheck){
                .rules = rules, .object = object, .launcher = workload->launcher, .worker = worker, .name = name });
        }
    }
}

// ---- scripts ---------------------------------------------------------------------------------------------------------

// The slots of `a:4,b:4`; -1 where one of them says none.
static int64_t slots_of(Str list) {
    int64_t sum = list.len == 0 ? -1 : 0;
    int hosts = 0;
    for (size_t start = 0; start < list.len && sum >= 0; hosts++) {
        const size_t end = str_find(list, STR(","), start);
        const Str item = str_slice(list, start, end);
        const size_t colon = str_find(item, STR(":"), 0);
        const int64_t slots = colon < item.len ? command_number(str_slice(item, colon + 1, item.len)) : -1;
        sum = slots < 0 || hosts >= HOSTS_MAX ? -1 : sum + slots;
        start = end + 1;
    }
    return sum;
}

// Open MPI alone counts the slots behind `-H`, and has these options.
void rule_script_host_slots(const Rules *rules, const PlanSlurmScript *script) {
    static const char *const WORDS[] = { "mca", "--bind-to", "--allow-run-as-root", "OMPI_", "--map-by" };
    Session *session = rules->session;
    for (uint32_t i = 0; i < script->own.count; i++) {
        const PlanLauncher *launcher = script->own.items[i].launcher;
        const int64_t processes = launcher_number(launcher, &launcher->processes);
        const int64_t slots = launcher_runs(launcher, PROGRAM_MPIRUN) ? slots_of(launcher->hosts.text) : -1;
        if (slots < 1 || processes <= slots || launcher_shares_slots(launcher) ||
            !launcher_mentions_any(launcher, WORDS, COUNT_OF(WORDS))) {
            continue;
        }
        const Str which = STR("the hosts behind this option have");
        Diag *diag = plan_report(session, script->subject, launcher->processes.key, DIAG(mpi_over_slots), processes, "",
                                 STR_ARG(which), slots, slots == 1 ? "" : "s");
        diag_label(session, diag, launcher->hosts.span, "%" PRId64 " slots", slots);
        diag_help(session, diag, "write `%.*s %" PRId64 "`, or more slots",
                  STR_ARG(launcher_option_spelling(session, &launcher->processes)), slots);
    }
}
