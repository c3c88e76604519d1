// Rules about the variables that plugins of Volcano give the pods of a job. A shell makes nothing of one that is not there.
// source: volcano-sh/volcano@ed72c7c8 pkg/controllers/job/plugins/svc and env, and pkg/webhooks/admission/jobs/mutate,
// patchDefaultPlugins; read 2026-11-26
#include "compiler/plan/rules/pod_address.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/rule_insert.h"
#include "compiler/plan/model/object_value.h"

typedef struct {
    const Rules *rules;
    const PlanObject *object;
    const Value *plugins;
    const Value *tasks;
} Job;

// The name behind a `$`, which a shell puts a value in the place of, or Kubernetes where it stands in brackets.
static Str name_at(Str text, size_t at) {
    size_t end = at + 1;
    while (command_is_of_variable(str_at(text, end))) {
        end++;
    }
    return str_at(text, at + 1) == '(' ? command_bracketed(text, at) : str_slice(text, at + 1, end);
}

// `WORKER` of VC_WORKER_HOSTS and VC_WORKER_NUM; empty of other names.
static Str task_in(Str name) {
    static const char *const ENDS[] = { "_HOSTS", "_NUM" };
    for (size_t i = 0; i < COUNT_OF(ENDS); i++) {
        const size_t length = strlen(ENDS[i]);
        if (str_starts_with(name, STR("VC_")) && str_ends_with(name, str_of(ENDS[i])) && name.len > length + 3) {
            return str_slice(name, 3, name.len - length);
        }
    }
    return STR_NONE;
}

// The name of a task as its variables have it.
static bool is_called(Str task, Str part) {
    bool is = task.len == part.len;
    for (size_t i = 0; is && i < task.len; i++) {
        const char c = task.data[i];
        const char own = c == '-' ? '_' : c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
        is = own == part.data[i];
    }
    return is;
}

static bool may_be_task(const Value *tasks, Str part) {
    bool may = object_count(tasks) == 0;
    for (uint32_t i = 0; i < object_count(tasks); i++) {
        const Str own = object_text(object_get(tasks->list.items[i], "name"));
        may = may || own.len == 0 || is_called(own, part);
    }
    return may;
}

// The plugin that would give the variable; NULL where the container may have it.
static const char *plugin_missing(const Job *job, Str name) {
    const bool is_index = str_is(name, "VC_TASK_INDEX") || str_is(name, "VK_TASK_INDEX");
    const bool has_env = job->plugins != NULL && value_get(job->plugins, "env") != NULL;
    if (is_index) {
        return has_env ? NULL : "env";
    }
    return task_in(name).len > 0 && !pod_has_volcano_names(job->plugins) ? "svc" : NULL;
}

static void say_variable(const Job *job, Span span, Str name, const char *plugin) {
    Session *session = job->rules->session;
    Diag *diag = plan_report(session, job->object->subject, span, DIAG(variable_of_none), STR_ARG(name));
    if (plugin == NULL) {
        diag_help(session, diag, "the job has no such task: name one that it has");
        return;
    }
    diag_help(session, diag,
              job->object->is_manifest ? "write `%s: []` under `plugins` of the job"
                                       : "write `%s = []` under `plugins` of the job",
              plugin);
    if (job->plugins != NULL && job->plugins->map.count > 0) {
        rule_insert_beside(job->rules, diag, job->plugins->map.entries[0].key_span, str_of(plugin), STR("[]"));
    }
}

static bool check_word(const Job *job, const PlanLauncher *launcher, const CommandWord *word) {
    Session *session = job->rules->session;
    const Str text = word->run;
    for (size_t at = str_find(text, STR("$"), 0); at < text.len; at = str_find(text, STR("$"), at + 1)) {
        const Str name = name_at(text, at);
        const char *plugin = plugin_missing(job, name);
        const Str task = task_in(name);
        if ((plugin != NULL || (task.len > 0 && !may_be_task(job->tasks, task))) &&
            launcher_variable(launcher, name) == NULL &&
            !launcher_mentions(launcher, str_c(session->arena, str_format(session->arena, "%.*s=", STR_ARG(name))))) {
            const size_t start = str_find(text, name, at);
            say_variable(job, command_part_place(session, word, start, start + name.len), name, plugin);
            return true;
        }
    }
    return false;
}

static void check_launcher(const Job *job, const PlanLauncher *launcher) {
    for (uint32_t i = 0; !launcher->has_other_variables && i < launcher->words.count; i++) {
        if (check_word(job, launcher, &launcher->words.items[i])) {
            return;
        }
    }
}

void rule_volcano_variables(const Rules *rules, const PlanObject *object) {
    const Value *spec = object_get(object->fields, "spec");
    const Job job = {
        .rules = rules, .object = object, .plugins = object_get(spec, "plugins"), .tasks = object_get(spec, "tasks")
    };
    const bool is_map = job.plugins == NULL || job.plugins->kind == VALUE_MAP;
    const bool is_job = str_is(object->resource->type, "batch.volcano.sh/v1alpha1/Job") && is_map;
    for (uint32_t i = 0; is_job && i < object->workloads.count; i++) {
        check_launcher(&job, object->workloads.items[i]->launcher);
    }
}
