// Rules about how the nodes of one job find each other: torchrun waits for as many of them as it is told, at the address that
// it is told. Whoever starts them takes all of it; the job waits until somebody looks.
#include "compiler/plan/rules/pod_address.h"

#include "compiler/plan/rules/rendezvous/own_host.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/launcher_option.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/rules/pod_count.h"
#include "compiler/plan/rules/rule_insert.h"
#include "compiler/plan/rules/rule_word.h"

// ---- how many torchrun waits for ----------------------------------------------------------------------------------

typedef struct {
    int64_t at_once;
    int64_t all;       // of a Job, also those that begin when others have ended; else 0
    const char *what;  // "pod"
    const char *who;   // that has them, for messages: "this job runs"
    const char *sign;  // behind a key of the file
    const Value *spec; // of a Job; NULL: of something else
} Runners;

// As many pods at once as the job has in all.
static void write_at_once(const Rules *rules, Diag *diag, const Runners *runners) {
    Arena *arena = rules->session->arena;
    const Value *parallelism = object_get(runners->spec, "parallelism");
    const Value *completions = object_get(runners->spec, "completions");
    const Str all = str_format(arena, "%" PRId64, runners->all);
    if (parallelism != NULL) {
        rule_replace(rules, diag, parallelism->span, str_format(arena, "%" PRId64, runners->at_once), all);
    } else if (completions != NULL) {
        rule_insert_beside(rules, diag, completions->span, STR("parallelism"), all);
    }
}

static void say_count(const Rules *rules, const Subject *subject, const PlanLauncher *launcher, int64_t asked,
                      const Runners *runners) {
    Arena *arena = rules->session->arena;
    const char *count = str_c(arena, str_format(arena, "%" PRId64 " %s%s", runners->at_once, runners->what,
                                                runners->at_once == 1 ? "" : "s"));
    const PlanField nodes = launcher_nodes(launcher);
    Diag *diag = plan_report(rules->session, subject, nodes.key, DIAG(rendezvous_count),
                             launcher_option_program(&nodes), asked, runners->who, count);
    if (runners->all == asked) {
        diag_help(rules->session, diag, "write `parallelism%s %" PRId64 "`, as many as `completions`", runners->sign,
                  asked);
        write_at_once(rules, diag, runners);
    } else {
        diag_help(rules->session, diag, "write `%.*s=%" PRId64 "`, or let %" PRId64 " %s%s run at once",
                  STR_ARG(launcher_option_spelling(rules->session, &nodes)), runners->at_once, asked, runners->what,
                  asked == 1 ? "" : "s");
    }
}

static void check_count(const Rules *rules, const Subject *subject, const PlanLauncher *launcher,
                        const Runners *runners) {
    const int64_t asked = launcher_node_count(launcher);
    if (asked > runners->at_once) {
        say_count(rules, subject, launcher, asked, runners);
    }
}

// ---- pods that ask themselves ----------------------------------------------------------------------------------------

// Whether options or variables that nobody sees may say where torchrun goes: `$RENDEZVOUS` as a word of its own, or a file
// that the script reads.
static bool may_be_told(const PlanLauncher *launcher) {
    static const char *const WORDS[] = { " $", " \"$", "\t$", "[@]", "[*]", "ARGS", "PET_" };
    bool may = launcher_has_late_words(launcher) || launcher_may_set(launcher, "PET_") ||
               launcher_reads_others(launcher) || launcher_mentions_any(launcher, WORDS, COUNT_OF(WORDS)) ||
               launcher_option_is_said(launcher, LAUNCHER_OPTION(address)) ||
               launcher_option_is_said(launcher, LAUNCHER_OPTION(endpoint));
    for (uint32_t i = 0; i < launcher->words.count; i++) {
        may = may || str_at(launcher->words.items[i].text, 0) == '$';
    }
    return may;
}

// Told nothing, torchrun goes to the node itself.
// source: pytorch/pytorch torch/distributed/run.py, get_args_parser, `--master-addr`, and
// torch/distributed/elastic/rendezvous/utils.py, parse_rendezvous_endpoint; read 2026-11
static OwnHost host_by_default(const PlanLauncher *launcher) {
    const bool is_known =
        launcher_runs(launcher, PROGRAM_TORCHRUN) && launcher->nodes.state == FIELD_KNOWN &&
        strcmp(launcher_option_program(&launcher->nodes), launcher_program_name(PROGRAM_TORCHRUN)) == 0 &&
        !may_be_told(launcher);
    return is_known ? (OwnHost){ .host = STR("localhost"), .span = launcher->nodes.key, .is_default = true }
                    : (OwnHost){ .host = STR_NONE };
}

static OwnHost host_of_itself(const Rules *rules, const PlanLauncher *launcher) {
    if (launcher->standalone.state != FIELD_ABSENT) {
        return (
            OwnHost){ .host = str_of(launcher->standalone.name), .span = launcher->standalone.key, .is_alone = true };
    }
    const OwnHost host = own_host(rules->session, launcher, &launcher->address);
    return host.host.len > 0 ? host : own_host(rules->session, launcher, &launcher->endpoint);
}

// Nodes that run the same command.
typedef struct {
    bool is_told;     // who makes them gives them PET_MASTER_ADDR or its like
    const char *what; // "pod"
    Str first;        // the address of one of them; empty: nobody knows it
    const char *help; // where it is not known
} Alike;

// The host of each node itself that its launcher is told to go to, by nothing at all too; none where there may be another.
static OwnHost find_own(const Rules *rules, const PlanLauncher *launcher, const Alike *alike) {
    const bool is_sure = launcher_node_count(launcher) > 1 && !launcher_has_branches(launcher);
    const OwnHost own = is_sure ? host_of_itself(rules, launcher) : (OwnHost){ .host = STR_NONE };
    return is_sure && own.host.len == 0 && !alike->is_told ? host_by_default(launcher) : own;
}

static void check_itself(const Rules *rules, const Subject *subject, const PlanLauncher *launcher, const Alike *alike) {
    const OwnHost own = find_own(rules, launcher, alike);
    if (own.host.len == 0) {
        return;
    }
    Session *session = rules->session;
    const PlanField nodes = launcher_nodes(launcher);
    const char *who = str_c(session->arena, str_format(session->arena, "%ss", alike->what));
    const Str why = str_format(session->arena, "in each %s that is the %s itself", alike->what, alike->what);
    Diag *diag =
        plan_report(session, subject, own.span, DIAG(pod_address), who, STR_ARG(own.host), str_c(session->arena, why));
    const char *option = launcher_option_name(LAUNCHER_OPTION(address));
    if (own.is_default) {
        diag_note(session, diag, "without `%s` and `%s` torchrun goes there", option,
                  launcher_option_name(LAUNCHER_OPTION(endpoint)));
    } else {
        diag_label(session, diag, nodes.key, "waits for %" PRId64, launcher_node_count(launcher));
        if (!span_is_none(own.cause)) {
            diag_label(session, diag, own.cause, "another one in each %s", alike->what);
        }
    }
    if (alike->first.len == 0 || own.is_alone) {
        diag_help(session, diag, "%s", alike->help);
    } else if (own.is_default) {
        diag_help(session, diag, "write `%s=%.*s`", option, STR_ARG(alike->first));
    } else {
        diag_help(session, diag, "write `%.*s`", STR_ARG(alike->first));
        rule_replace_part(rules, diag, own.span, own.host, alike->first);
    }
}

// What is another text on each node that works it out, or each time that it does.
static bool differs_by_node(Str text) {
    static const char *const WORDS[] = { "RANDOM",       "SLURM_NODEID", "SLURM_PROCID", "SLURM_LOCALID", "$HOSTNAME",
                                         "${HOSTNAME}",  "$(hostname",   "shuf ",        "uuidgen",       "$(date",
                                         "/dev/urandom", "mktemp",       "$$",           "openssl rand",  "random." };
    bool differs = false;
    for (size_t i = 0; str_has(text, "$") && i < COUNT_OF(WORDS); i++) {
        differs = differs || str_has(text, WORDS[i]);
    }
    return differs;
}

// The value of a field, by variables that name each other.
static PlanField followed(const Session *session, const PlanLauncher *launcher, const PlanField *field) {
    enum { FOLLOWED_MAX = 3 };
    PlanField value = *field;
    for (int i = 0; i < FOLLOWED_MAX; i++) {
        value = launcher_value(session, launcher, &value);
    }
    return value;
}

static void say_differs(const Rules *rules, const Subject *subject, Span span, const char *name, const char *what) {
    Diag *diag = plan_report(rules->session, subject, span, DIAG(rendezvous_differs), name, what, what);
    diag_help(rules->session, diag, "write one text for all %ss, or let one of them work it out for all", what);
}

// The same, where each node runs the script in which the variable is set: as it is written there.
static PlanField worked_out(const Session *session, const PlanLauncher *launcher, const PlanField *field,
                            bool is_each) {
    PlanField value = followed(session, launcher, field);
    if (is_each && value.state == FIELD_LATE && !span_is_none(value.span)) {
        value.text = source_text(session, value.span);
    }
    return value;
}

// A port or an id of the rendezvous that each node has another one of. The host of an address is another rule's. `is_each`: each
// node runs the script around the launcher.
static void check_differs(const Rules *rules, const Subject *subject, const PlanLauncher *launcher, const char *what,
                          bool is_each) {
    Session *session = rules->session;
    const PlanField id = launcher_setting(session, launcher, "--rdzv-id");
    const Str endpoint = launcher->endpoint.text;
    PlanField port = launcher->endpoint; // which may be a variable: `$HEAD:$PORT`
    port.text = str_has(endpoint, ":") ? str_after_last(endpoint, ':') : STR_NONE;
    const PlanField *const fields[] = { &id, &launcher->port, &port };
    for (size_t i = 0; i < COUNT_OF(fields); i++) {
        const PlanField value = worked_out(session, launcher, fields[i], is_each);
        if (fields[i]->text.len > 0 && differs_by_node(value.text)) {
            say_differs(rules, subject, value.span, fields[i]->name, what);
            return;
        }
    }
}

// MASTER_PORT, which the shell of each task works out for a program that reads it. torchrun gives its own.
static void check_port_of_tasks(const Rules *rules, const PlanSlurmScript *script, const PlanSlurmStep *step) {
    const PlanField port = launcher_setting(rules->session, step->launcher, "MASTER_PORT");
    const bool are_several = step->node_count > 1 || step->each > 1;
    const PlanField value = followed(rules->session, step->launcher, &port);
    if (are_several && port.text.len > 0 && step->launcher->programs == 0 && !step->is_vague &&
        !launcher_has_branches(step->launcher) && differs_by_node(value.text)) {
        say_differs(rules, script->subject, value.span, "MASTER_PORT", "task");
    }
}

// The address of the pod of index 0 of a Job that gives its pods names; empty where it does not, or nobody knows.
static Str first_pod(const Rules *rules, const PlanObject *object, const Value *pod) {
    const Value *spec = object_get(object->fields, "spec");
    const Str subdomain = object_text(object_get(pod, "subdomain"));
    const PlanObject *service =
        subdomain.len == 0 ? NULL : pod_service(rules, subdomain, plan_namespace_of_object(object));
    const bool is_named = str_is(object->resource->type, "batch/v1/Job") && object_get(pod, "hostname") == NULL &&
                          str_is(object_text(object_get(spec, "completionMode")), "Indexed") && service != NULL &&
                          pod_service_is_headless(service) && plan_name_of_object(object).len > 0;
    return is_named ? str_format(rules->session->arena, "%.*s-0.%.*s", STR_ARG(plan_name_of_object(object)),
                                 STR_ARG(subdomain))
                    : STR_NONE;
}

static Alike alike_pods(const Rules *rules, const PlanObject *object, const Value *pod) {
    const char *own = object->kind == NULL ? NULL : object->kind->address;
    const Str first = own == NULL ? first_pod(rules, object, pod) : str_format(rules->session->arena, "$(%s)", own);
    const bool is_told = object->kind == NULL || object->kind->variables == NULL ||
                         str_has(str_of(object->kind->variables), "PET_") ||
                         str_has(str_of(object->kind->variables), "*");
    return (
        Alike){ .is_told = is_told, .what = "pod", .first = first, .help = "write the address of the pod of index 0" };
}

static bool are_alike(const PlanObject *object) {
    return plan_object_is(object, IS_COUNTED) && object->pods.count == 1;
}

// Whether nodes that are made alike are told one place to meet. A variable may be another one in each of them, but for the
// one that has the address of the first: "LWS_LEADER_ADDRESS", or NULL.
static bool has_one_place(const PlanLauncher *launcher, const char *variable) {
    const PlanField *const places[] = { &launcher->endpoint, &launcher->address };
    bool has = false;
    for (size_t i = 0; i < COUNT_OF(places); i++) {
        const bool is_first = variable != NULL && str_has(places[i]->text, variable);
        has = has || (places[i]->text.len > 0 && (is_first || !str_has(places[i]->text, "$")));
    }
    return has;
}

// Whether all pods meet at the same place: of some kinds always, and of pods that are made alike where they are told one
// address. A variable may be another one in each group of them.
static bool is_one_meeting(const Rules *rules, const PlanObject *object, const PlanLauncher *launcher) {
    const char *variable = object->kind == NULL ? NULL : object->kind->address;
    const bool is_one = plan_object_is(object, MEETS) || (are_alike(object) && has_one_place(launcher, variable));
    return is_one && host_of_itself(rules, launcher).host.len == 0;
}

// Pods of one rendezvous: those for which there is no place stay outside, with their GPUs. Of a range it takes more. srun and
// mpirun may start it on some of them.
// source: kubeflow/training-operator v1.9.0 pkg/controller.v1/pytorch/envvar.go, the world of a job has all its
// replicas; read 2026-11-26
static void check_more(const Rules *rules, const Subject *subject, const PlanLauncher *launcher,
                       const Runners *runners) {
    const PlanField nodes = launcher_nodes(launcher);
    const int64_t asked = launcher_node_count(launcher);
    const bool is_each = !launcher_runs(launcher, PROGRAM_SRUN) && !launcher_runs(launcher, PROGRAM_MPIRUN);
    if (asked > 1 && asked < runners->at_once && is_each && !launcher_has_branches(launcher) &&
        !str_has(launcher_value(rules->session, launcher, &nodes).text, ":")) {
        say_count(rules, subject, launcher, asked, runners);
    }
}

void rule_rendezvous_count(const Rules *rules, const PlanObject *object) {
    const Value *all = object->kind == NULL ? NULL : plan_value_at(object->fields, workload_path(object->kind->all));
    const Runners runners = { .at_once = pods_at_once(object),
                              .all = object_int32(all, 0),
                              .what = "pod",
                              .who = "this job runs",
                              .sign = object->is_manifest ? ":" : " =",
                              .spec = object_get(object->fields, "spec") };
    for (uint32_t i = 0; runners.at_once > 0 && i < object->workloads.count; i++) {
        const PlanWorkload *workload = object->workloads.items[i];
        if (workload->is_first) {
            continue;
        }
        check_count(rules, object->subject, workload->launcher, &runners);
        if (is_one_meeting(rules, object, workload->launcher)) {
            check_more(rules, object->subject, workload->launcher, &runners);
        }
        if (pods_of_template(object, workload->pod) > 1) {
            const Alike alike = alike_pods(rules, object, workload->pod);
            check_itself(rules, object->subject, workload->launcher, &alike);
            if (launcher_node_count(workload->launcher) > 1) {
                check_differs(rules, object->subject, workload->launcher, alike.what, false);
            }
        }
    }
}

// source: AWS Batch User Guide, Multi-node parallel jobs, Environment variables, read 2026-11
static const Alike OF_BATCH = {
    .what = "node",
    .help = "write the address of the main node: AWS_BATCH_JOB_MAIN_NODE_PRIVATE_IPV4_ADDRESS on the others, and its "
            "own on it",
};

// Whether the nodes of one job are told where they meet, by a variable too, which tells all of them the same.
static bool is_told_one(const Rules *rules, const PlanLauncher *launcher) {
    const bool is_told = launcher->address.text.len > 0 || launcher->endpoint.text.len > 0;
    return is_told && host_of_itself(rules, launcher).host.len == 0;
}

// Whoever submits a job may give it another number of nodes, and then writes another command, too. How many a declared
// job has is known, one too. Pods of a declared job have a rule of their own below.
void rule_definition_rendezvous(const Rules *rules, const PlanContainer *container) {
    const bool is_declared = container->form == FORM_DECLARED;
    const bool has_nodes = container->is_multi_node || is_declared;
    const Runners runners = { .at_once = has_nodes ? field_number(&container->nodes, -1) : -1,
                              .what = "node",
                              .who = "this job runs" };
    const int64_t alike = is_declared ? runners.at_once : container->alike;
    if (runners.at_once > 0) {
        check_count(rules, container->subject, container->launcher, &runners);
    }
    if (alike >= runners.at_once && is_told_one(rules, container->launcher)) {
        check_more(rules, container->subject, container->launcher, &runners);
    }
    if (alike > 1 && !container->has_own_network) {
        check_itself(rules, container->subject, container->launcher, &OF_BATCH);
        check_differs(rules, container->subject, container->launcher, OF_BATCH.what, false);
    }
}

void rule_rendezvous_of_job(const Rules *rules, const PlanJob *job) {
    static const Alike PODS = { .what = "pod", .help = "write the address of the pod of index 0" };
    if (job->eks != NULL && job->launcher == LAUNCHER_NONE && job->nodes->integer > 1) {
        check_itself(rules, job->head.subject, job->workload->launcher, &PODS);
    }
}

// ---- nodes of groups -------------------------------------------------------------------------------------------------

// Adds the nodes of groups, of which one that is not known makes the sum so.
static int64_t add_most(int64_t sum, const PlanGroup *group) {
    const int64_t most = group == NULL ? -1 : group_most(group);
    return sum < 0 || most < 0 || most > INT32_MAX ? -1 : sum + most;
}

// The nodes that can be there at once: scripts of several groups may meet. -1: not known.
static int64_t most_of_all(const Rules *rules) {
    int64_t sum = 0;
    for (uint32_t i = 0; i < rules->plan->raw.count; i++) {
        for (uint32_t k = 0; k < rules->plan->raw.items[i]->groups.count; k++) {
            sum = add_most(sum, rules->plan->raw.items[i]->groups.items[k]);
        }
    }
    for (uint32_t i = 0; i < rules->plan->clusters.count; i++) {
        for (uint32_t k = 0; k < rules->plan->clusters.items[i]->nodes.count; k++) {
            sum = add_most(sum, rules->plan->clusters.items[i]->nodes.items[k]->group);
        }
    }
    return sum;
}

// Scripts that each node of a group runs at its start. One node alone may be started several times, by other stacks.
void rule_group_rendezvous(const Rules *rules, const PlanGroup *group) {
    static const Alike NODES = { .what = "node",
                                 .help = "write the address of one of the nodes, which all of them know" };
    const PlanLauncher *launcher = group->launch->launcher;
    if (launcher == NULL || launcher_has_branches(launcher)) {
        return;
    }
    const Runners runners = { .at_once = group_most(group) > 1 ? most_of_all(rules) : -1,
                              .what = "node",
                              .who = "the groups of this file start" };
    if (runners.at_once > 0) {
        check_count(rules, group->launch->subject, launcher, &runners);
    }
    const Runners least = { .at_once = field_number(&group->low, -1), .what = "node", .who = "this group starts" };
    if (least.at_once > 1 && has_one_place(launcher, NULL) && host_of_itself(rules, launcher).host.len == 0) {
        check_more(rules, group->launch->subject, launcher, &least);
    }
    if (least.at_once > 1) {
        check_itself(rules, group->launch->subject, launcher, &NODES);
    }
}

// ---- scripts that each node runs ---------------------------------------------------------------------------------------

// Whether a launcher is told its rank as a number: then the script is that of one node.
static bool has_rank(const PlanLauncher *launcher) {
    return command_number(launcher->rank.text) >= 0 || command_number(launcher->machine_rank.text) >= 0;
}

// The one launcher of a script that waits for several nodes; NULL: there is none, or two of them wait for each other.
static const PlanSlurmStep *waiting_one(const PlanSlurmScript *script) {
    const PlanSlurmStep *found = NULL;
    for (uint32_t i = 0; i < script->own.count; i++) {
        const PlanSlurmStep *step = &script->own.items[i];
        if (launcher_node_count(step->launcher) > 1) {
            if (found != NULL) {
                return NULL;
            }
            found = step;
        }
    }
    return found;
}

// A script that is not for sbatch is run by each node that takes part: nothing else could be what the others wait for.
void rule_script_rendezvous(const Rules *rules, const PlanSlurmScript *script) {
    static const Alike NODES = { .is_told = true,
                                 .what = "node",
                                 .help = "write the address of one of the nodes, which all of them know" };
    const PlanSlurmStep *step = script->is_batch ? NULL : waiting_one(script);
    const bool is_sure = step != NULL && !step->is_of_some && script->steps.count == 0 && !has_rank(step->launcher) &&
                         script->launcher != NULL && !launcher_has_branches(script->launcher) &&
                         !str_has(script->text, "ssh ");
    if (is_sure) {
        check_itself(rules, script->subject, step->launcher, &NODES);
        check_differs(rules, script->subject, step->launcher, NODES.what, true);
    }
}

// ---- steps of Slurm --------------------------------------------------------------------------------------------------

// What srun starts on the nodes of a job. Where each node runs it several times, that is another rule's.
void rule_step_rendezvous(const Rules *rules, const PlanSlurmScript *script, const PlanSlurmStep *step) {
    static const Alike NODES = { .what = "node",
                                 .help = "write the address of the first node: `$(scontrol show hostnames "
                                         "\"$SLURM_JOB_NODELIST\" | head -n 1)` outside of `'…'`" };
    const PlanLauncher *launcher = step->launcher;
    const bool is_sure =
        step->node_count > 0 && !step->is_of_some && !step->is_vague && !launcher_has_branches(launcher);
    const Runners runners = { .at_once = step->node_count, .what = "node", .who = "this srun starts it on" };
    check_port_of_tasks(rules, script, step);
    const bool waits = launcher_runs(launcher, PROGRAM_TORCHRUN) || launcher_runs(launcher, PROGRAM_ACCELERATE);
    if (!is_sure || !waits) {
        return;
    }
    check_count(rules, script->subject, launcher, &runners);
    if (is_told_one(rules, launcher)) {
        check_more(rules, script->subject, launcher, &runners);
    }
    if (step->node_count > 1) {
        check_itself(rules, script->subject, launcher, &NODES);
        check_differs(rules, script->subject, launcher, NODES.what, false);
    }
}
