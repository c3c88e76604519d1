// Rules about jobs of Volcano, and others whose pods are placed together: with too many of them to wait for the job never starts, and
// with too few some pods hold their nodes and wait for the others.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/launcher.h"
#include "compiler/plan/rules/rule_word.h"
#include "compiler/plan/model/object_value.h"

typedef struct {
    const Value *least; // how many pods are placed together
    const Value *pods;  // what says how many there are
    int64_t count;      // of pods
    bool is_in_steps;   // some pods wait for others to run first
} Gang;

// False where it is not known yet, or no such number of pods is taken. Volcano and Kubeflow take nothing for one.
static bool add_replicas(Gang *gang, const Value *task) {
    const int64_t count = object_int32(object_get(task, "replicas"), 1);
    if (task->kind != VALUE_MAP || count < 0) {
        return false;
    }
    gang->count += count;
    gang->is_in_steps = gang->is_in_steps || object_get(task, "dependsOn") != NULL;
    return true;
}

// An elastic job begins with fewer.
static bool read_gang(const PlanObject *object, Gang *gang) {
    const WorkloadKind *kind = object->kind;
    if (kind == NULL || plan_value_at(object->fields, workload_path(kind->varies)) != NULL) {
        return false;
    }
    const Str path = str_of(schema_pods(str_of(kind->type))->path);
    bool is_known = true;
    gang->least = plan_value_at(object->fields, workload_path(kind->least));
    gang->pods = plan_value_at(object->fields, str_slice(path, 0, str_find(path, STR(".*"), 0)));
    for (uint32_t i = 0; i < object_count(gang->pods) && is_known; i++) {
        is_known = add_replicas(gang, gang->pods->list.items[i]);
    }
    for (uint32_t i = 0; gang->pods != NULL && gang->pods->kind == VALUE_MAP && i < gang->pods->map.count; i++) {
        is_known = is_known && add_replicas(gang, gang->pods->map.entries[i].value);
    }
    return is_known && gang->pods != NULL;
}

// ---- fewer than the launcher needs ---------------------------------------------------------------------------------

static void check_container(const Rules *rules, const PlanObject *object, const Gang *gang,
                            const PlanLauncher *launcher) {
    const int64_t asked = launcher_number(launcher, &launcher->nodes);
    if (asked > gang->least->integer && asked <= gang->count) {
        Diag *diag = plan_report(rules->session, object->subject, gang->least->span, DIAG(gang_small),
                                 gang->least->integer, gang->count, asked);
        diag_label(rules->session, diag, launcher->nodes.key, "waits for %" PRId64, asked);
        diag_help(rules->session, diag, "write `%" PRId64 "`, or leave `minAvailable` out: then it is all of them",
                  gang->count);
    }
}

static void check_small(const Rules *rules, const PlanObject *object, const Gang *gang) {
    const uint32_t before = rules->session->diags.items.count;
    for (uint32_t i = 0; i < object->workloads.count && rules->session->diags.items.count == before; i++) {
        if (!object->workloads.items[i]->is_first) {
            check_container(rules, object, gang, object->workloads.items[i]->launcher);
        }
    }
}

void rule_gang(const Rules *rules, const PlanObject *object) {
    Gang gang = { 0 };
    if (object->is_changed || !read_gang(object, &gang) || gang.least == NULL || gang.least->kind != VALUE_INT) {
        return;
    }
    if (gang.least->integer > gang.count) {
        Diag *diag = plan_report(rules->session, object->subject, gang.least->span, DIAG(volcano_available),
                                 gang.least->integer, gang.count);
        diag_label(rules->session, diag, gang.pods->span, "the replicas");
    } else if (gang.least->integer > 0 && !gang.is_in_steps) {
        check_small(rules, object, &gang);
    }
}

// ---- what plugins are told -----------------------------------------------------------------------------------------

// Options of a plugin that name a task, with the names that it takes by itself: addFlags of the plugins in
// volcano-sh/volcano@ed72c7c8 pkg/controllers/job/plugins/distributed-framework, read 2026-11-26.
typedef struct {
    const char *plugin;
    const char *options[4];
} RolesRow;

static const RolesRow ROLES[] = {
    { "pytorch", { "master", "worker" } },
    { "mpi", { "master", "worker" } },
    { "tensorflow", { "ps", "worker", "chief", "evaluator" } },
};

// The task that an option `--worker=NAME` names; empty of other options.
static Str task_of(const RolesRow *row, Str option) {
    const size_t dashes = str_starts_with(option, STR("--")) ? 2 : str_starts_with(option, STR("-")) ? 1 : 0;
    const size_t sign = str_find(option, STR("="), 0);
    const Str name = str_slice(option, dashes, sign);
    for (size_t i = 0; dashes > 0 && i < COUNT_OF(row->options) && row->options[i] != NULL; i++) {
        if (str_is(name, row->options[i])) {
            return str_slice(option, sign + 1, option.len);
        }
    }
    return STR_NONE;
}

// An option may have its name in the next word.
static bool is_named(const RolesRow *row, const Value *options, Str task) {
    for (uint32_t i = 0; i < object_count(options); i++) {
        const Str option = object_text(options->list.items[i]);
        if (str_equal(option, task) || str_equal(task_of(row, option), task)) {
            return true;
        }
    }
    return false;
}

// A task that no option names, and which the plugin does not find by itself: what was meant. NULL where there is none, or
// the name of one is not known.
static const Value *forgotten_task(const RolesRow *row, const Value *options, const Value *tasks) {
    const Value *found = NULL;
    for (uint32_t i = 0; i < object_count(tasks); i++) {
        const Value *name = object_get(tasks->list.items[i], "name");
        bool is_default = false;
        for (size_t k = 0; k < COUNT_OF(row->options) && row->options[k] != NULL; k++) {
            is_default = is_default || str_is(object_text(name), row->options[k]);
        }
        if (object_text(name).len == 0) {
            return NULL;
        }
        found = found == NULL && !is_default && !is_named(row, options, name->string) ? name : found;
    }
    return found;
}

static void check_plugin(const Rules *rules, const PlanObject *object, const RolesRow *row) {
    const Value *spec = object_get(object->fields, "spec");
    const Value *options = object_get(object_get(spec, "plugins"), row->plugin);
    const Value *tasks = object_get(spec, "tasks");
    const Value *forgotten = forgotten_task(row, options, tasks);
    for (uint32_t i = 0; forgotten != NULL && i < object_count(options); i++) {
        const Str task = task_of(row, object_text(options->list.items[i]));
        bool is_there = task.len == 0;
        for (uint32_t k = 0; k < object_count(tasks); k++) {
            is_there = is_there || str_equal(object_text(object_get(tasks->list.items[k], "name")), task);
        }
        if (is_there) {
            continue;
        }
        Diag *diag = plan_report(rules->session, object->subject, options->list.items[i]->span, DIAG(plugin_task),
                                 STR_ARG(str_of(row->plugin)), STR_ARG(task));
        diag_label(rules->session, diag, forgotten->span, "no plugin knows this task");
        diag_help(rules->session, diag, "write `%.*s`, or call the task `%.*s`", STR_ARG(forgotten->string),
                  STR_ARG(task));
        return;
    }
}

void rule_volcano_plugins(const Rules *rules, const PlanObject *object) {
    const bool is_job = str_is(object->resource->type, "batch.volcano.sh/v1alpha1/Job") && !object->is_changed;
    for (size_t i = 0; is_job && i < COUNT_OF(ROLES); i++) {
        check_plugin(rules, object, &ROLES[i]);
    }
}
