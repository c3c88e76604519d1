// A rule about the files in which a job of Volcano finds the hosts of its tasks. The plugin svc writes one for each task, and a
// command that reads another one finds no hosts.
// source: volcano-sh/volcano@ed72c7c8 pkg/controllers/job/plugins/svc/svc.go, generateHosts, read 2026-12
#include "compiler/plan/rules/pod_address.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object_value.h"

static const char FOLDER[] = "/etc/volcano/";
static const char ENDING[] = ".host";

typedef struct {
    const Rules *rules;
    const PlanObject *object;
    const Value *tasks;
} HostFiles;

// Whether the job has a task of this name, or may have it.
static bool may_have(const Value *tasks, Str name) {
    bool may = object_count(tasks) == 0;
    for (uint32_t i = 0; i < object_count(tasks); i++) {
        const Str own = object_text(object_get(tasks->list.items[i], "name"));
        may = may || own.len == 0 || str_equal(own, name);
    }
    return may;
}

static bool check_word(const HostFiles *check, const CommandWord *word) {
    Session *session = check->rules->session;
    const Str text = word->run;
    for (size_t at = str_find(text, STR(FOLDER), 0); at < text.len; at = str_find(text, STR(FOLDER), at + 1)) {
        const size_t start = at + strlen(FOLDER);
        size_t end = start;
        while (char_is_of_name(str_at(text, end)) || str_at(text, end) == '-') {
            end++;
        }
        const Str task = str_slice(text, start, end);
        const bool is_file = task.len > 0 && str_starts_with(str_slice(text, end, text.len), STR(ENDING));
        if (!is_file || may_have(check->tasks, task)) {
            continue;
        }
        Diag *diag = plan_report(session, check->object->subject, command_part_place(session, word, start, end),
                                 DIAG(pod_address), "pods", STR_ARG(str_slice(text, at, end + strlen(ENDING))),
                                 "the job has no task of this name");
        diag_help(session, diag, "write the name of the task whose hosts are wanted");
        return true;
    }
    return false;
}

void rule_volcano_host_files(const Rules *rules, const PlanObject *object) {
    const HostFiles check = { .rules = rules,
                              .object = object,
                              .tasks = object_get(object_get(object->fields, "spec"), "tasks") };
    if (object->is_changed || !str_is(object->resource->type, "batch.volcano.sh/v1alpha1/Job")) {
        return;
    }
    for (uint32_t i = 0; i < object->workloads.count; i++) {
        const PlanLauncher *launcher = object->workloads.items[i]->launcher;
        bool is_said = false;
        for (uint32_t k = 0; !is_said && k < launcher->words.count; k++) {
            is_said = check_word(&check, &launcher->words.items[k]);
        }
    }
}
