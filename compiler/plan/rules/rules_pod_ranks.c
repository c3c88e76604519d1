// Rules about the rank of a pod among the nodes that torchrun waits for. Pods of one template have the same command: what
// makes their ranks differ is a variable.
#include "compiler/plan/rules/launch_words.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/object_value.h"
#include "compiler/plan/rules/pod_count.h"

// Who makes pods may give them a rank, and a variable that differs in each.
// source: kubeflow/training-operator v1.9.0 pkg/controller.v1/pytorch/envvar.go; volcano-sh/volcano@ed72c7c8
// pkg/controllers/job/plugins/env/env.go; Kubernetes, Job, Completion mode; read 2026-11-26
typedef struct {
    const char *type;
    const char *name;
    bool is_rank; // torchrun reads it by itself
} MakerRow;

static const MakerRow MAKERS[] = {
    { "batch/v1/Job", "JOB_COMPLETION_INDEX", false },
    { "jobset.x-k8s.io/v1alpha2/JobSet", NULL, false },
    { "kubeflow.org/v1/PyTorchJob", "PET_NODE_RANK", true },
    { "batch.volcano.sh/v1alpha1/Job", NULL, false },
};

static const MakerRow *maker_of(const PlanObject *object) {
    for (size_t i = 0; i < COUNT_OF(MAKERS); i++) {
        if (str_is(object->resource->type, MAKERS[i].type)) {
            return &MAKERS[i];
        }
    }
    return NULL;
}

// Whether the words may come to something else in some pods: a script chooses among them, or options come from
// elsewhere. With a rendezvous of its own torchrun reads no rank.
static bool may_differ(const LaunchWords *words) {
    static const char *const WORDS[] = { "if ",  "case ",  "||",   "[ ",    "[[",    "$@",      "$*",
                                         "[@]",  "[*]",    "ARGS", "rdzv",  "OPTS",  "& ",      "&\n",
                                         "for ", "while ", "ssh ", "xargs", "eval ", "source ", "PET_" };
    for (uint32_t i = 0; i < words->count; i++) {
        const Str text = words->items[i].text;
        for (size_t k = 0; k < COUNT_OF(WORDS); k++) {
            const size_t at = str_find(text, str_of(WORDS[k]), 0);
            const bool is_and = at < text.len && WORDS[k][0] == '&' && at > 0 && text.data[at - 1] == '&';
            if (text.len == 0 || (at < text.len && !is_and)) {
                return true;
            }
        }
    }
    return false;
}

static bool has_setting(const Value *container, const char *start) {
    const Value *env = object_get(container, "env");
    bool has = object_get(container, "envFrom") != NULL || (env != NULL && env->kind != VALUE_LIST);
    for (uint32_t i = 0; i < object_count(env); i++) {
        const Str name = object_text(object_get(env->list.items[i], "name"));
        has = has || name.len == 0 || str_starts_with(name, str_of(start));
    }
    return has;
}

// Whether any word has the option, with or without a value that is known.
static bool has_option(const LaunchWords *words) {
    static const char *const FORMS[] = { "node-rank", "node_rank" };
    for (uint32_t i = 0; i < words->count; i++) {
        for (size_t k = 0; k < COUNT_OF(FORMS); k++) {
            if (str_find(words->items[i].text, str_of(FORMS[k]), 0) < words->items[i].text.len) {
                return true;
            }
        }
    }
    return false;
}

typedef struct {
    int64_t rank; // -1: not known, or not the same in all pods
    Span span;
    bool is_default; // nothing says the rank
} Rank;

// Without `--node-rank` and PET_NODE_RANK it is 0.
// source: pytorch/pytorch torch/distributed/run.py, get_args_parser: `--node-rank`, and `--rdzv-backend`, which is
// `static`; read 2026-11-26
static Rank rank_of(const Rules *rules, const Value *container, const LaunchWords *words, const MakerRow *maker,
                    uint32_t nodes_at) {
    uint32_t at = 0;
    Rank rank = { .rank = launch_number(rules->session->arena, container, words, "--node-rank", &at) };
    if (rank.rank >= 0) {
        const Str written = source_text(rules->session, words->items[at].span);
        const char *form = str_find(written, STR("--node_rank"), 0) < written.len ? "--node_rank" : "--node-rank";
        rank.span = launch_place(rules->session, &words->items[at], form);
        return rank;
    }
    uint32_t other = 0;
    const bool is_said = has_option(words) || maker->is_rank || has_setting(container, "PET_");
    const bool is_static = launch_option(words, "--master-addr", &other).len > 0;
    rank.is_default = !is_said && is_static;
    rank.rank = rank.is_default ? 0 : -1;
    rank.span = launch_place(rules->session, &words->items[nodes_at], "--nnodes");
    return rank;
}

#define INDEXED ", and give the Job the `completionMode` `Indexed`"

static bool is_without_index(const PlanObject *object) {
    const Value *mode = object_get(object_get(object->fields, "spec"), "completionMode");
    return str_is(object->resource->type, "batch/v1/Job") && !str_is(object_text(mode), "Indexed");
}

// Those that have one command: the pods of a template, or the nodes of a job.
typedef struct {
    int64_t count;
    const char *what; // "pods of this template"
    const MakerRow *maker;
} Alike;

// NULL where their ranks may differ; else what was reported, for a help.
static Diag *check_container(const Rules *rules, const Subject *subject, const Alike *alike, const Value *container) {
    Session *session = rules->session;
    const LaunchWords words = launch_words_of(session->arena, container);
    uint32_t at = 0;
    const int64_t nodes = launch_nodes(session->arena, container, &words, &at);
    if (nodes < 2 || has_setting(container, "PET_RDZV") || may_differ(&words)) {
        return NULL;
    }
    const Rank rank = rank_of(rules, container, &words, alike->maker, at);
    if (rank.rank < 0) {
        return NULL;
    }
    Diag *diag = plan_report(session, subject, rank.span, DIAG(node_rank), alike->count, alike->what, rank.rank);
    if (rank.is_default) {
        diag_note(session, diag, "without `--node-rank` it is 0");
    }
    return diag;
}

static void check_pod(const Rules *rules, const PlanObject *object, const Alike *alike, const Value *container) {
    Diag *diag = check_container(rules, object->subject, alike, container);
    if (diag == NULL) {
        return;
    }
    if (alike->maker->name != NULL) {
        diag_help(rules->session, diag, "write `--node-rank=$(%s)`%s", alike->maker->name,
                  is_without_index(object) ? INDEXED : "");
    } else {
        diag_help(rules->session, diag, "write `--node-rank` with a variable that differs in each pod");
    }
}

void rule_pod_ranks(const Rules *rules, const PlanObject *object) {
    const MakerRow *maker = object->is_changed ? NULL : maker_of(object);
    for (uint32_t i = 0; maker != NULL && i < object->pods.count; i++) {
        const Value *pod = object->pods.items[i].spec;
        const Value *containers = object_get(pod, "containers");
        const int64_t pods = object_count(containers) == 0 ? -1 : pods_of_template(object, pod);
        for (uint32_t k = 0; pods > 1 && k < object_count(containers); k++) {
            const Alike alike = { .count = pods, .what = "pods of this template", .maker = maker };
            check_pod(rules, object, &alike, containers->list.items[k]);
        }
    }
}

// ---- declared jobs -------------------------------------------------------------------------------------------------

static void add_entry(Arena *arena, Value *map, const char *key, const Value *value, Span span) {
    ValueEntry *entries = arena_new_array(arena, ValueEntry, map->map.count + 1);
    for (uint32_t i = 0; i < map->map.count; i++) {
        entries[i] = map->map.entries[i];
    }
    entries[map->map.count] = (ValueEntry){ .key = str_of(key), .key_span = span, .value = value };
    map->map.entries = entries;
    map->map.count++;
}

// The job's command and variables, as a container of Kubernetes has them.
static const Value *container_of(Arena *arena, const PlanJob *job) {
    const Span span = job->head.subject->name_span;
    Value *container = value_new(arena, VALUE_MAP, span, NULL);
    Value *env = value_new(arena, VALUE_LIST, span, NULL);
    env->list.items = arena_new_array(arena, const Value *, job->env->map.count);
    for (uint32_t i = 0; i < job->env->map.count; i++) {
        const ValueEntry *entry = &job->env->map.entries[i];
        Value *variable = value_new(arena, VALUE_MAP, entry->key_span, NULL);
        Value *name = value_new(arena, VALUE_STRING, entry->key_span, NULL);
        name->string = entry->key;
        add_entry(arena, variable, "name", name, entry->key_span);
        add_entry(arena, variable, "value", entry->value, entry->key_span);
        env->list.items[env->list.count++] = variable;
    }
    add_entry(arena, container, "command", job->command, span);
    add_entry(arena, container, "env", env, span);
    return container;
}

// With a launcher, that one says the rank; options of its own are rule launcher_options'.
void rule_job_ranks(const Rules *rules, const PlanJob *job) {
    static const MakerRow NO_MAKER = { 0 };
    const bool is_alike = job->launcher == LAUNCHER_NONE || job->launcher == LAUNCHER_SRUN;
    if (!is_alike || job->command == NULL || !plan_job_is_multi_node(job)) {
        return;
    }
    const Alike alike = { .count = job->nodes->integer, .what = "nodes of this job", .maker = &NO_MAKER };
    Diag *diag = check_container(rules, job->head.subject, &alike, container_of(rules->session->arena, job));
    if (diag != NULL) {
        diag_help(rules->session, diag,
                  "write `launcher = torchrun`, and begin `command` with the program: dtc gives each node its rank");
    }
}
