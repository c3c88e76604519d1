// Rules about jobs: what asks for more than a node of the group has stays RUNNABLE for ever, and Batch says nothing.
#include "compiler/plan/rules/rule_written.h"
#include "compiler/plan/rules/rule_field.h"
#include "compiler/plan/rules/job.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/declared_group.h"
#include "compiler/plan/model/image.h"
#include "schema/names.h"
#include "schema/variables.h"

static void too_few(const Rules *rules, const PlanJob *job, const Value *value, const char *name) {
    rule_too_few(rules, job->head.subject, FORM_DECLARED, value->span, name, value->integer, 1);
}

void rules_nodes_of_job(const Rules *rules, const Subject *subject, Str job, Span span, int64_t nodes, Str group,
                        Span most_span, int64_t most) {
    if (nodes > most) {
        Diag *diag = plan_report(rules->session, subject, span, DIAG(job_too_many_nodes), STR_ARG(job), nodes,
                                 STR_ARG(group), most);
        diag_label(rules->session, diag, most_span, "%" PRId64 " at most", most);
    }
}

void rule_fits_nodes(const Rules *rules, const PlanJob *job) {
    if (job->nodes->integer < 1) {
        too_few(rules, job, job->nodes, "nodes");
        return;
    }
    rules_nodes_of_job(rules, job->head.subject, job->head.id, job->nodes->span, job->nodes->integer,
                       job->group->head.id, job->group->count.high->span, job->group->count.high->integer);
}

// Where nobody wrote `efa`, types that mostly work alone have none.
void rule_efa_of_job(const Rules *rules, const PlanJob *job) {
    const PlanNodes *group = job->group;
    if (job->nodes->integer < 2 || !plan_leaves_efa(group)) {
        return;
    }
    Diag *diag = plan_report(rules->session, job->head.subject, job->nodes->span, DIAG(efa_left), STR_ARG(job->head.id),
                             job->nodes->integer, STR_ARG(group->head.id));
    diag_label(rules->session, diag, group->instance_value->span, "has %d EFA interface%s", group->instance->efa_max,
               group->instance->efa_max == 1 ? "" : "s");
    diag_help(rules->session, diag, "write `efa = all` into `%.*s`, or `efa = none` to say that it is meant",
              STR_ARG(group->head.id));
}

// A group whose author wrote `efa = none` knows.
void rule_fabric(const Rules *rules, const PlanJob *job) {
    const PlanNodes *group = job->group;
    if (job->nodes->integer < 2 || group->instance->efa_max != 0 ||
        subject_value(group->head.subject, NODES_EFA) != NULL || group->instance->accelerator == ACCELERATOR_NONE) {
        return;
    }
    Diag *diag = plan_report(rules->session, job->head.subject, job->nodes->span, DIAG(no_fabric),
                             STR_ARG(job->head.id), job->nodes->integer, group->instance->name);
    diag_label(rules->session, diag, group->instance_value->span, "no EFA");
    diag_help(rules->session, diag,
              "`dtc instances efa` lists types with EFA; `efa = none` in the group says that it is meant");
}

void rules_attempts(const Rules *rules, const Subject *subject, Span span, int64_t attempts, const char *service,
                    int most) {
    if (attempts < LIMIT_JOB_ATTEMPTS_MIN || attempts > most) {
        Diag *diag = plan_report(rules->session, subject, span, DIAG(attempts_outside), attempts, service,
                                 LIMIT_JOB_ATTEMPTS_MIN, most);
        diag_help(rules->session, diag, "write %d to %d", LIMIT_JOB_ATTEMPTS_MIN, most);
    }
}

// Batch has its own limits. Elsewhere a job is tried again as long as anybody would wait; the product of attempts and
// nodes is a number of Kubernetes.
void rule_attempts(const Rules *rules, const PlanJob *job) {
    enum { ATTEMPTS_MAX = 1000 };
    const bool is_batch = job->cluster->batch != NULL;
    if (job->attempts->kind == VALUE_INT) {
        rules_attempts(rules, job->head.subject, job->attempts->span, job->attempts->integer,
                       is_batch ? "AWS Batch makes" : "dtc writes", is_batch ? LIMIT_JOB_ATTEMPTS_MAX : ATTEMPTS_MAX);
    }
}

void rule_retry(const Rules *rules, const PlanJob *job) {
    const Subject *subject = job->head.subject;
    if (subject_value(subject, JOB_RETRY_ON) == NULL || job->attempts->kind != VALUE_INT ||
        job->attempts->integer != 1) {
        return;
    }
    Diag *diag = rule_without_effect(rules, job->head.part, JOB_RETRY_ON, "the job starts once");
    diag_help(rules->session, diag, "write `attempts = 3`, or leave `retry_on` out");
}

// "A main node failure causes another attempt", with the reason of the main node; that of a child does not: AWS Batch User
// Guide, Multi-node parallel jobs, read 2026-11.
void rule_node_loss_on_batch(const Rules *rules, const PlanJob *job) {
    const bool is_once = job->attempts->kind == VALUE_INT && job->attempts->integer == 1;
    if (job->node_loss == NULL || is_once || job->container == NULL || job->eks != NULL ||
        !plan_job_is_multi_node(job)) {
        return;
    }
    Diag *diag = report(rules->session, job->node_loss->span, DIAG(node_loss_of_nodes), STR_ARG(job->head.id));
    diag_label(rules->session, diag, job->nodes->span, "several nodes");
    diag_help(rules->session, diag, "leave `retry_on` out: it starts again after anything, up to `attempts`");
}

// Slurm takes a time of 0 for none at all, and Kubernetes ends such a job at once.
void rules_timeout(const Rules *rules, const Subject *subject, Span span, int64_t milliseconds, Str written,
                   bool is_batch) {
    const int least = is_batch ? LIMIT_JOB_TIMEOUT_S_MIN : 1;
    const char *service = is_batch ? "AWS Batch" : "a job";
    // attemptDurationSeconds is an Integer (AWS Batch API Reference, JobTimeout, 2026-11), and so are those of others.
    const int64_t most = INT64_C(1000) * INT32_MAX;
    if (milliseconds < least * INT64_C(1000)) {
        Diag *diag =
            plan_report(rules->session, subject, span, DIAG(timeout_too_short), STR_ARG(written), service, least);
        if (!subject->is_foreign) {
            diag_help(rules->session, diag, "write `%ds` or more", least);
        } else {
            diag_help(rules->session, diag, "write %d or more", least);
        }
    } else if (milliseconds > most) {
        rule_outside(rules, subject, span, "timeout", written, service, is_batch ? STR("1min") : STR("1s"),
                     STR("24855d"));
    }
}

void rule_timeout(const Rules *rules, const PlanJob *job) {
    if (job->timeout != NULL) {
        rules_timeout(rules, job->head.subject, job->timeout->span, job->timeout->integer,
                      value_print(rules->session->arena, job->timeout), job->cluster->batch != NULL);
    }
}

static Str size_text(const Rules *rules, int64_t bytes) {
    return value_print(rules->session->arena, &(Value){ .kind = VALUE_SIZE, .integer = bytes });
}

void rules_shm(const Rules *rules, const Subject *subject, Span shm_span, int64_t shm, Span memory_span,
               int64_t memory) {
    if (shm > memory) {
        Diag *diag = plan_report(rules->session, subject, shm_span, DIAG(shm_above_memory),
                                 STR_ARG(size_text(rules, shm)), STR_ARG(size_text(rules, memory)));
        diag_label(rules->session, diag, memory_span, "the job's memory");
    }
}

void rule_shm_in_memory(const Rules *rules, const PlanJob *job) {
    if (job->container != NULL) {
        rules_shm(rules, job->head.subject, job->container->shm->span, job->container->shm->integer, job->memory->span,
                  job->memory->integer);
    }
}

void rule_tasks_per_node(const Rules *rules, const PlanJob *job) {
    const Subject *subject = job->head.subject;
    const bool is_written = subject_value(subject, JOB_TASKS_PER_NODE) != NULL;
    if (job->tasks_per_node->integer < 1) {
        too_few(rules, job, job->tasks_per_node, "tasks_per_node");
    } else if (job->launcher == LAUNCHER_NONE && job->tasks_per_node->integer > 1 && is_written) {
        Diag *diag = plan_report(rules->session, subject, subject_key(subject, JOB_TASKS_PER_NODE),
                                 DIAG(tasks_without_launcher), job->tasks_per_node->integer, STR_ARG(job->head.id));
        diag_help(rules->session, diag,
                  "write `launcher = torchrun` or `launcher = mpirun`, or leave `tasks_per_node` out");
    }
}

void rule_cpus_of_tasks(const Rules *rules, const PlanJob *job) {
    const bool starts_tasks = job->launcher == LAUNCHER_MPIRUN || job->launcher == LAUNCHER_SRUN;
    const int64_t vcpus = job->vcpus->integer;
    if (job->slurm == NULL || !starts_tasks || vcpus < 1 || job->tasks_per_node->integer <= vcpus) {
        return;
    }
    Diag *diag = report(rules->session, job->vcpus->span, DIAG(too_few_cpus), job->tasks_per_node->integer, vcpus,
                        vcpus == 1 ? "" : "s");
    diag_label(rules->session, diag, job->tasks_per_node->span, "%" PRId64 " processes", job->tasks_per_node->integer);
    diag_help(rules->session, diag, "write `vcpus = %" PRId64 "` or more", job->tasks_per_node->integer);
}

void rule_launcher(const Rules *rules, const PlanJob *job) {
    const Value *command = job->command;
    const bool is_empty =
        command == NULL || command->kind == VALUE_NULL || (command->kind == VALUE_LIST && command->list.count == 0);
    if (job->launcher != LAUNCHER_NONE && is_empty) {
        Diag *diag =
            plan_report(rules->session, job->head.subject, job->launcher_value->span, DIAG(launcher_without_command),
                        STR_ARG(job->launcher_value->string), STR_ARG(job->head.id));
        diag_help(rules->session, diag, "write `command = [\"PROGRAM\", \"ARGUMENT\"]`");
    }
}

// ---- the command ----------------------------------------------------------------------------------------------------

// A list whose items are one word each.
static bool is_known_list(const Value *command) {
    bool is_known = command->kind == VALUE_LIST;
    for (uint32_t i = 0; is_known && i < command->list.count; i++) {
        is_known = !value_is_list(command->list.items[i]);
    }
    return is_known;
}

// The launcher's own words stand before it, which no list of the deployment takes.
void rule_launcher_command(const Rules *rules, const PlanJob *job) {
    const Value *command = job->command;
    const bool has_words_before = job->launcher != LAUNCHER_NONE || job->precompile->boolean;
    if (!has_words_before || command == NULL) {
        return;
    }
    if (!is_known_list(command)) {
        Diag *diag = report(rules->session, command->span, DIAG(launcher_late_command));
        diag_label(rules->session, diag, job->launcher_value->span, "goes before it");
        diag_help(rules->session, diag, "write the list here; its items may be late");
    }
}

// ---- Neuron -----------------------------------------------------------------------------------------------------------

void rule_precompile(const Rules *rules, const PlanJob *job) {
    const Value *command = job->command;
    if (!job->precompile->boolean) {
        return;
    }
    const InstanceRow *row = job->group->instance;
    const bool is_neuron = row->accelerator == ACCELERATOR_NEURON;
    const bool is_wrapped = job->launcher == LAUNCHER_NONE || job->launcher == LAUNCHER_TORCHRUN;
    const bool has_command = command != NULL && command->kind != VALUE_NULL;
    if (is_neuron && is_wrapped && has_command) {
        return;
    }
    Diag *diag = report(rules->session, job->precompile->span, DIAG(precompile_of_nothing), STR_ARG(job->head.id),
                        !is_neuron    ? "its nodes have no Neuron devices"
                        : !is_wrapped ? "another launcher than torchrun starts each process by itself"
                                      : "it has no `command`");
    if (!is_neuron) {
        diag_label(rules->session, diag, job->group->instance_value->span, "%s", row->name);
        diag_help(rules->session, diag, "take a group of trn1, trn2 or inf2, or remove `precompile`");
    } else if (!is_wrapped) {
        diag_label(rules->session, diag, job->launcher_value->span, "the launcher");
        diag_help(rules->session, diag, "write `launcher = torchrun`, or remove `precompile`");
    } else {
        diag_help(rules->session, diag, "write `command = [\"PROGRAM\", \"ARGUMENT\"]`");
    }
}

void rule_cache(const Rules *rules, const PlanJob *job) {
    const Value *cache = subject_value(job->head.subject, JOB_CACHE);
    const InstanceRow *row = job->group->instance;
    if (cache == NULL || cache->kind == VALUE_NULL || cache->kind == VALUE_ERROR) {
        return;
    }
    const bool is_place = cache->kind != VALUE_STRING || str_starts_with(cache->string, STR("s3://")) ||
                          str_starts_with(cache->string, STR("/"));
    if (row->accelerator != ACCELERATOR_NEURON) {
        Diag *diag = report(rules->session, cache->span, DIAG(cache_of_nothing), STR_ARG(job->head.id),
                            "its nodes have no Neuron devices");
        diag_label(rules->session, diag, job->group->instance_value->span, "%s", row->name);
        diag_help(rules->session, diag, "remove `cache`");
    } else if (!is_place) {
        Diag *diag = report(rules->session, cache->span, DIAG(cache_of_nothing), STR_ARG(job->head.id),
                            "it is neither a place in S3 nor a whole path");
        diag_help(rules->session, diag, "write `\"s3://BUCKET/PREFIX\"`, or a folder that all nodes see");
    }
}

void rule_image_of_job(const Rules *rules, const PlanJob *job) {
    if (job->container != NULL && job->image == NULL &&
        (job->image_uri == NULL || job->image_uri->kind == VALUE_NULL)) {
        Diag *diag =
            report(rules->session, job->head.subject->name_span, DIAG(job_without_image), STR_ARG(job->head.id));
        diag_help(rules->session, diag, "write `image = \"REGISTRY/NAME:TAG\"`, or name an `image` of this file");
    }
}

void rule_container_of_slurm(const Rules *rules, const PlanJob *job) {
    const Subject *subject = job->head.subject;
    if (job->slurm == NULL) {
        return;
    }
    if (!plan_job_has_image(job) && subject_value(subject, JOB_MOUNTS) != NULL) {
        Diag *diag = rule_without_effect(rules, job->head.part, JOB_MOUNTS,
                                         "without an image the job sees all file systems of its cluster");
        diag_help(rules->session, diag, "leave `mounts` out, or write an `image`");
    } else if (plan_job_has_image(job) && job->launcher == LAUNCHER_MPIRUN) {
        Diag *diag =
            report(rules->session, job->launcher_value->span, DIAG(mpirun_in_container), STR_ARG(job->head.id));
        diag_label(rules->session, diag, subject_key(subject, JOB_IMAGE), "a container on each node");
        diag_help(rules->session, diag, "write `launcher = srun`: its processes find each other by PMIx");
    }
}

// Whether a shell that reads the words once more reads others.
static bool is_taken_apart(const PlanJob *job) {
    static const char PLAIN[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:=@%+,-";
    if (job->launcher != LAUNCHER_NONE && plan_job_is_multi_node(job)) {
        return true; // the script of the launcher is one word
    }
    const bool is_list = job->command != NULL && job->command->kind == VALUE_LIST;
    for (uint32_t i = 0; is_list && i < job->command->list.count; i++) {
        const Value *item = job->command->list.items[i];
        for (size_t k = 0; item->kind == VALUE_STRING && k < item->string.len; k++) {
            if (item->string.data[k] == '\0' || strchr(PLAIN, item->string.data[k]) == NULL) {
                return true;
            }
        }
    }
    return false;
}

void rule_entry_point(const Rules *rules, const PlanJob *job) {
    const Value *uri = job->image_uri;
    if (job->cluster->batch == NULL || uri == NULL || uri->kind != VALUE_STRING || !plan_image_is_dlc(uri->string) ||
        !is_taken_apart(job)) {
        return;
    }
    Diag *diag = plan_report(rules->session, job->head.subject, uri->span, DIAG(entry_point), STR_ARG(job->head.id));
    diag_help(rules->session, diag, "write an `image` with `base = dlc(\"NAME:TAG\")`, from which dtc takes it away");
}

void rule_command_of_job(const Rules *rules, const PlanJob *job) {
    const Value *command = job->command;
    if (job->cluster->batch != NULL) {
        return;
    }
    const bool is_missing = command == NULL || command->kind == VALUE_NULL;
    if (is_missing && job->eks != NULL) {
        return; // the image's own
    }
    if (is_missing) {
        Diag *diag =
            report(rules->session, job->head.subject->name_span, DIAG(job_without_command), STR_ARG(job->head.id));
        diag_help(rules->session, diag, "write `command = [\"PROGRAM\", \"ARGUMENT\"]`");
    } else if (!is_known_list(command)) {
        Diag *diag = report(rules->session, command->span, DIAG(late_command), STR_ARG(job->head.id));
        diag_help(rules->session, diag, "write the list here; its items may be late");
    }
}

// ---- the environment ------------------------------------------------------------------------------------------------

// dtc's own scripts read several variables. An author may set these.
static const char *const OPEN_TO_AUTHORS[] = { "MPIRUN_PORT", "MPIRUN_WAIT", "TORCHRUN_PORT", "TORCHRUN_WAIT" };

static bool is_open_to_authors(Str name) {
    for (size_t i = 0; i < COUNT_OF(OPEN_TO_AUTHORS); i++) {
        if (str_is(name, OPEN_TO_AUTHORS[i])) {
            return true;
        }
    }
    return false;
}

bool rules_is_shell_name(Str name) {
    for (size_t i = 0; i < name.len; i++) {
        if (!char_is_of_name(name.data[i]) || (i == 0 && char_is_digit(name.data[0]))) {
            return false;
        }
    }
    return name.len > 0;
}

// Those that the shell of a script keeps, and those that the script of a job on Slurm has itself (emitters/slurm).
static const char *script_fault(Str name) {
    static const char *const KEPT[] = { "BASHOPTS", "BASH_VERSINFO", "EUID", "PPID", "SHELLOPTS", "UID" };
    for (size_t i = 0; i < COUNT_OF(KEPT); i++) {
        if (str_is(name, KEPT[i])) {
            return "the job is a script, and its shell keeps it";
        }
    }
    if (names_have(NAMES_SBATCH_VARIABLES, name)) {
        return "the job is a script, which has a variable of that name";
    }
    return rules_is_shell_name(name) ? NULL : "the job is a script, and its shell cannot set it";
}

const char *rules_variable_fault(Str name, bool is_batch) {
    if (name.len == 0) {
        return "it is empty";
    }
    for (size_t i = 0; i < name.len; i++) {
        const unsigned char c = (unsigned char)name.data[i];
        if (c == '=' || c <= ' ' || c == 0x7f) {
            return c == '=' ? "it holds `=`" : "it holds blanks or control characters";
        }
    }
    return is_batch && str_starts_with(name, STR("AWS_BATCH")) ? "AWS Batch sets those that begin with `AWS_BATCH`"
                                                               : NULL;
}

static const char *variable_fault(const PlanJob *job, Str name) {
    if (rules_variable_fault(name, job->cluster->batch != NULL) != NULL) {
        return rules_variable_fault(name, job->cluster->batch != NULL);
    }
    // srun reads SLURM_MPI_TYPE, and nothing sets it.
    // source: slurm.schedmd.com/srun.html, INPUT ENVIRONMENT VARIABLES, read 2026-11
    if (job->slurm != NULL && str_starts_with(name, STR("SLURM_")) && !str_is(name, "SLURM_MPI_TYPE")) {
        return "Slurm sets those that begin with `SLURM_`";
    }
    if (job->slurm != NULL && script_fault(name) != NULL) {
        return script_fault(name);
    }
    if (is_open_to_authors(name)) {
        return NULL;
    }
    if (job->launcher == LAUNCHER_MPIRUN && str_starts_with(name, STR("MPIRUN_"))) {
        return "the launcher sets those that begin with `MPIRUN_`";
    }
    const bool has_index = job->array_size != NULL || plan_job_is_multi_node(job);
    if (job->eks != NULL && job->eks->workload == WORKLOAD_INDEXED_JOB && has_index &&
        str_is(name, "JOB_COMPLETION_INDEX")) {
        return "Kubernetes sets it";
    }
    if (job->eks != NULL && job->eks->workload == WORKLOAD_TRAIN_JOB && str_starts_with(name, STR("PET_"))) {
        return "Kubeflow Trainer sets those that begin with `PET_`";
    }
    const bool is_of_torchrun = job->launcher == LAUNCHER_TORCHRUN && str_starts_with(name, STR("TORCHRUN_"));
    return is_of_torchrun ? "the launcher sets those that begin with `TORCHRUN_`" : NULL;
}

// Those that dtc gives where an author does not: a secret of the name would be a second one.
static bool is_given(Str name) {
    const VariableRow *row;
    for (int i = 0; (row = variable_row(i)) != NULL; i++) {
        if (row->is_given && str_is(name, row->name)) {
            return true;
        }
    }
    return false;
}

static const char *secret_fault(const PlanJob *job, Str name) {
    if (is_given(name)) {
        return "it is one that jobs of several nodes get, and no secret";
    }
    const char *fault = variable_fault(job, name);
    return fault == NULL && !rules_is_shell_name(name) ? "no program of a shell can read it" : fault;
}

static void check_secret_names(const Rules *rules, const PlanJob *job) {
    for (uint32_t i = 0; i < job->secrets.count; i++) {
        const PlanSecret *secret = &job->secrets.items[i];
        const char *fault = secret_fault(job, secret->name);
        if (fault != NULL) {
            plan_report(rules->session, job->head.subject, secret->name_span, DIAG(bad_variable), STR_ARG(secret->name),
                        fault);
        }
    }
}

void rules_unreadable_variable(const Rules *rules, const Subject *subject, Span span, Str name) {
    plan_report(rules->session, subject, span, DIAG(unreadable_variable), STR_ARG(name));
}

void rule_environment(const Rules *rules, const PlanJob *job) {
    check_secret_names(rules, job);
    for (uint32_t i = 0; job->env->kind == VALUE_MAP && i < job->env->map.count; i++) {
        const ValueEntry *entry = &job->env->map.entries[i];
        const char *fault = variable_fault(job, entry->key);
        if (fault != NULL) {
            Diag *diag = plan_report(rules->session, job->head.subject, entry->key_span, DIAG(bad_variable),
                                     STR_ARG(entry->key), fault);
            if (str_is(entry->key, "MPIRUN_WORKERS")) {
                diag_help(rules->session, diag, "write `tasks_per_node = …` in the job");
            }
        } else if (!rules_is_shell_name(entry->key)) {
            rules_unreadable_variable(rules, job->head.subject, entry->key_span, entry->key);
        }
    }
}
