// Rules about the rank of a node among those that start together: by an option of torchrun, accelerate or deepspeed, or by
// a variable. Pods of one template, and nodes of one job, have the same command: what makes their ranks differ is a variable
// that each of them is given for itself.
#include "compiler/plan/rules/launch_words.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/rules/pod_count.h"

// What who makes pods, or nodes, gives them.
typedef struct {
    const char *name; // a variable that differs in each; NULL: nobody knows one
    bool is_rank;     // torchrun reads it by itself
    bool is_together; // they are one job; those of others may be jobs of their own
    bool gives_rank;  // it sets RANK behind what is written, which wins
} MakerRow;

static MakerRow maker_of(const PlanObject *object) {
    return (MakerRow){ .name = object->kind->rank,
                       .is_rank = plan_object_is(object, RANKS_TORCH),
                       .is_together = plan_object_is(object, IS_TOGETHER),
                       .gives_rank = plan_object_is(object, GIVES_RANK) };
}

// Whether the words may come to something else in some pods: a script chooses among them, or options come from
// elsewhere.
static bool may_differ(const LaunchWords *words) {
    static const char *const WORDS[] = { "if ",    "case ", "||",    "[ ",    "[[",      "$@",  "$*",
                                         "[@]",    "[*]",   "ARGS",  "OPTS",  "& ",      "&\n", "for ",
                                         "while ", "ssh ",  "xargs", "eval ", "source ", "PET_" };
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

static bool has_text(const LaunchWords *words, const char *text) {
    bool has = false;
    for (uint32_t i = 0; i < words->count; i++) {
        has = has || str_has(words->items[i].text, text);
    }
    return has;
}

// With a rendezvous of its own torchrun reads no rank. Its backend is `static` where nothing says another one;
// `--rdzv-endpoint`, `--rdzv-id` and `--rdzv-conf` change nothing of that.
// source: pytorch/pytorch torch/distributed/run.py, config_from_args, `rdzv_backend`, read 2026-11-28
static bool has_rendezvous(const Value *container, const LaunchWords *words) {
    uint32_t at = 0;
    const Str backend = launch_option(words, "--rdzv-backend", &at);
    const Value *set = launch_env(container, STR("PET_RDZV_BACKEND"));
    const bool is_set = set != NULL && !str_is(object_text(object_get(set, "value")), "static");
    const bool is_said =
        (has_text(words, "rdzv-backend") || has_text(words, "rdzv_backend")) && !str_is(backend, "static");
    return is_said || is_set || has_text(words, "--standalone");
}

// Whether any word has an option for a rank, with or without a value that is known.
static bool has_option(const LaunchWords *words) {
    static const char *const FORMS[] = { "node-rank", "node_rank", "machine_rank", "machine-rank" };
    bool has = false;
    for (size_t k = 0; k < COUNT_OF(FORMS); k++) {
        has = has || has_text(words, FORMS[k]);
    }
    return has;
}

// The number that an option has, as it is written, or by a variable of the container or of the script.
static int64_t number_of(const Rules *rules, const Value *container, const LaunchWords *words, const char *option,
                         uint32_t *at) {
    const int64_t number = launch_value(rules->session->arena, container, words, option, at);
    return number >= 0 ? number : launch_assigned(words, launch_variable(launch_option(words, option, at)));
}

// Of one digit; -1: another text.
static int64_t digit_of(Str text) {
    return text.len == 1 && char_is_digit(text.data[0]) ? text.data[0] - '0' : -1;
}

// What torchrun reads of a variable where no option says it.
// source: pytorch/pytorch torch/distributed/argparse_util.py, env: `PET_` and the name of the option; read 2026-11-28
static int64_t number_of_env(const Value *container, const char *name, Span *span) {
    const Value *value = object_get(launch_env(container, str_of(name)), "value");
    const int64_t number = digit_of(object_text(value));
    if (number >= 0) {
        *span = value->span;
    }
    return number;
}

typedef struct {
    int64_t rank; // -1: not known, or not the same in all pods
    Span span;
    const char *option; // that says it; NULL: a variable
    bool is_default;    // nothing says the rank
} Rank;

static Span place_of_option(const Rules *rules, const LaunchWord *word, const char *dashed, const char *other) {
    const Str written = source_text(rules->session, word->span);
    return launch_place(rules->session, word, str_has(written, other) ? other : dashed);
}

// Without `--node-rank` and PET_NODE_RANK it is 0.
// source: pytorch/pytorch torch/distributed/run.py, get_args_parser: `--node-rank`, and `--rdzv-backend`, which is
// `static`; read 2026-11-26
static Rank rank_of(const Rules *rules, const Value *container, const LaunchWords *words, const MakerRow *maker,
                    Span nodes_at) {
    uint32_t at = 0;
    Rank rank = { .rank = number_of(rules, container, words, "--node-rank", &at), .option = "--node-rank" };
    if (rank.rank >= 0) {
        rank.span = place_of_option(rules, &words->items[at], "--node-rank", "--node_rank");
        return rank;
    }
    if (has_option(words) || maker->is_rank) {
        return (Rank){ .rank = -1 };
    }
    const int64_t set = number_of_env(container, "PET_NODE_RANK", &rank.span);
    if (set >= 0) {
        return (Rank){ .rank = set, .span = rank.span };
    }
    uint32_t other = 0;
    const bool is_static =
        launch_option(words, "--master-addr", &other).len > 0 || launch_env(container, STR("PET_MASTER_ADDR")) != NULL;
    rank.is_default = !has_setting(container, "PET_NODE_RANK") && is_static;
    rank.rank = rank.is_default ? 0 : -1;
    rank.span = nodes_at;
    return rank;
}

#define INDEXED ", and give the Job the `completionMode` `Indexed`"

// Those that have one command: the pods of a template, or the nodes of a job.
typedef struct {
    int64_t count;
    const char *what; // "pods of this template"
    const MakerRow *maker;
} Alike;

// Launchers whose options say how many nodes there are, and which one this is.
// source: huggingface/accelerate@00785cd9 src/accelerate/commands/launch.py, `--num_machines` and `--machine_rank`;
// deepspeedai/DeepSpeed@2d991ba3 deepspeed/launcher/runner.py, main, `--num_nodes`, and `--node_rank` with `--no_ssh`;
// read 2026-11
typedef struct {
    const char *program;
    const char *module; // of `python -m`; NULL: none
    const char *nodes;
    const char *rank;
    const char *dashed; // the same with `-`, which some take
    const char *with;   // without which it does not read its rank; NULL: it does
} LauncherRow;

static const LauncherRow LAUNCHERS[] = {
    { "accelerate", "accelerate.commands.launch", "--num-machines", "--machine_rank", "--machine-rank", NULL },
    { "deepspeed", "deepspeed.launcher.runner", "--num-nodes", "--node_rank", "--node-rank", "--no_ssh" },
};

static Rank rank_of_torch(const Rules *rules, const Value *container, const LaunchWords *words, const Alike *alike) {
    uint32_t at = 0;
    int64_t nodes = launch_runs_torch(words) ? number_of(rules, container, words, "--nnodes", &at) : 1;
    Span place = SPAN_NONE;
    if (nodes >= 0) {
        place = words->count == 0 ? SPAN_NONE : launch_place(rules->session, &words->items[at], "--nnodes");
    } else if (!has_text(words, "nnodes")) {
        nodes = number_of_env(container, "PET_NNODES", &place);
    }
    return nodes < 2 || has_rendezvous(container, words) ? (Rank){ .rank = -1 }
                                                         : rank_of(rules, container, words, alike->maker, place);
}

static Rank rank_of_others(const Rules *rules, const Value *container, const LaunchWords *words) {
    for (size_t i = 0; i < COUNT_OF(LAUNCHERS) && !has_text(words, "torchrun"); i++) {
        const LauncherRow *row = &LAUNCHERS[i];
        uint32_t at = 0;
        const bool is_read = row->with == NULL || has_text(words, row->with);
        const bool runs = launch_runs(words, row->program) || (row->module != NULL && launch_runs(words, row->module));
        if (!is_read || !runs || has_rendezvous(container, words) ||
            number_of(rules, container, words, row->nodes, &at) == 1) {
            continue;
        }
        const int64_t rank = number_of(rules, container, words, row->dashed, &at);
        if (rank >= 0) {
            const Span span = place_of_option(rules, &words->items[at], row->dashed, row->rank);
            return (Rank){ .rank = rank, .span = span, .option = row->rank };
        }
    }
    return (Rank){ .rank = -1 };
}

// ---- variables -----------------------------------------------------------------------------------------------------

// What programs and scripts take for the rank of their node. RANK is that of a process: of a node with one, or of the
// first one.
static const char *const RANKS[] = { "NODE_RANK", "MACHINE_RANK", "RANK" };

// Variables that say that several nodes are one job, and the value that says the opposite.
static const struct {
    const char *name;
    const char *alone;
} SIGNS[] = {
    { "WORLD_SIZE", "1" },          { "NNODES", "1" },
    { "NUM_NODES", "1" },           { "NUM_MACHINES", "1" },
    { "MASTER_ADDR", "localhost" }, { "MASTER_ADDR", "127.0.0.1" },
};

typedef enum {
    SIGN_NONE,
    SIGN_TOGETHER,
    SIGN_ALONE,
} Sign;

static Sign sign_of(const Value *container) {
    Sign sign = SIGN_NONE;
    for (size_t i = 0; i < COUNT_OF(SIGNS); i++) {
        const Value *set = launch_env(container, str_of(SIGNS[i].name));
        const bool is_alone = set != NULL && str_is(object_text(object_get(set, "value")), SIGNS[i].alone);
        sign = is_alone || sign == SIGN_ALONE ? SIGN_ALONE : set != NULL ? SIGN_TOGETHER : sign;
    }
    return sign;
}

static int64_t number_of_text(const Value *value) {
    return value != NULL && value->kind == VALUE_INT ? value->integer : digit_of(object_text(value));
}

static bool is_assigned(const Rules *rules, const LaunchWords *words, const char *name) {
    return has_text(words, str_c(rules->session->arena, str_format(rules->session->arena, "%s=", name)));
}

// A variable that is the same number in each of them. A launcher that is told a rank does not read it.
static Rank rank_of_variables(const Rules *rules, const Value *container, const LaunchWords *words,
                              const Alike *alike) {
    const Sign sign = sign_of(container);
    if (sign == SIGN_ALONE || (sign == SIGN_NONE && !alike->maker->is_together) || has_option(words) ||
        has_rendezvous(container, words)) {
        return (Rank){ .rank = -1 };
    }
    for (size_t i = 0; i < COUNT_OF(RANKS); i++) {
        const bool is_of_process = strcmp(RANKS[i], "RANK") == 0;
        const bool is_given = is_of_process && (alike->maker->gives_rank || has_text(words, "torch"));
        const Value *value = object_get(launch_env(container, str_of(RANKS[i])), "value");
        const int64_t rank = is_given || is_assigned(rules, words, RANKS[i]) ? -1 : number_of_text(value);
        if (rank >= 0) {
            return (Rank){ .rank = rank, .span = value->span };
        }
    }
    return (Rank){ .rank = -1 };
}

// ------------------------------------------------------------------------------------------------------------------

// NULL where their ranks may differ; else what was reported, for a help.
static Diag *check_words(const Rules *rules, const Subject *subject, const Alike *alike, const Value *container,
                         const LaunchWords *words, Rank *rank) {
    *rank = (Rank){ .rank = -1 };
    if (may_differ(words)) {
        return NULL;
    }
    *rank = rank_of_torch(rules, container, words, alike);
    *rank = rank->rank < 0 ? rank_of_others(rules, container, words) : *rank;
    *rank = rank->rank < 0 ? rank_of_variables(rules, container, words, alike) : *rank;
    if (rank->rank < 0) {
        return NULL;
    }
    Diag *diag =
        plan_report(rules->session, subject, rank->span, DIAG(node_rank), alike->count, alike->what, rank->rank);
    if (rank->is_default) {
        diag_note(rules->session, diag, "without `--node-rank` it is 0");
    }
    return diag;
}

// A variable in the place of the number behind the option, where that is written.
static void write_option(const Rules *rules, Diag *diag, const Rank *rank, Str variable) {
    const Span number = rank->is_default ? SPAN_NONE : launch_number_behind(rules->session, rank->span, rank->rank);
    if (!span_is_none(number)) {
        diag_fix(rules->session, diag, number, variable);
    }
}

// The index in the place of the number that a variable of a container has, in YAML.
static void write_index(const Rules *rules, Diag *diag, const Value *container, const Rank *rank) {
    const Value *env = object_get(container, "env");
    for (uint32_t i = 0; i < object_count(env); i++) {
        const Value *item = env->list.items[i];
        for (uint32_t k = 0; item->kind == VALUE_MAP && k < item->map.count; k++) {
            const ValueEntry *entry = &item->map.entries[k];
            const Str key = source_text(rules->session, entry->key_span);
            if (str_is(key, "value") && span_equal(entry->value->span, rank->span) && !span_is_none(rank->span)) {
                diag_fix(rules->session, diag, span_join(entry->key_span, entry->value->span),
                         STR("valueFrom: {fieldRef: {fieldPath: "
                             "\"metadata.annotations['batch.kubernetes.io/job-completion-index']\"}}"));
            }
        }
    }
}

static void check_pod(const Rules *rules, const PlanObject *object, const PlanPod *pod, const Alike *alike,
                      const Value *container) {
    const LaunchWords words = launch_words_of(rules->session->arena, container);
    Rank rank;
    Diag *diag = check_words(rules, object->subject, alike, container, &words, &rank);
    const bool is_without = plan_object_is(object, IS_INDEXED) && !pod_has_index(object, pod);
    const char *more = is_without ? INDEXED : "";
    const char *name = alike->maker->name;
    if (diag == NULL) {
        return;
    }
    if (rank.option == NULL && plan_object_is(object, IS_INDEXED)) {
        diag_help(rules->session, diag,
                  "give it the `fieldRef` of `metadata.annotations['batch.kubernetes.io/job-completion-index']`%s",
                  more);
        if (!is_without && object->is_manifest) {
            write_index(rules, diag, container, &rank);
        }
    } else if (rank.option == NULL) {
        diag_help(rules->session, diag, "remove it, and let a script take it from `%s`",
                  name != NULL ? name : "VC_TASK_INDEX");
    } else if (name != NULL) {
        diag_help(rules->session, diag, "write `%s=$(%s)`%s", rank.option, name, more);
        if (!is_without) {
            write_option(rules, diag, &rank, str_format(rules->session->arena, "$(%s)", name));
        }
    } else {
        diag_help(rules->session, diag, "write `%s` with a variable that differs in each pod", rank.option);
    }
}

void rule_pod_ranks(const Rules *rules, const PlanObject *object) {
    const bool is_ranked = plan_object_is(object, IS_RANKED) && !object->is_changed;
    const MakerRow maker = is_ranked ? maker_of(object) : (MakerRow){ 0 };
    for (uint32_t i = 0; is_ranked && i < object->pods.count; i++) {
        const Value *pod = object->pods.items[i].spec;
        const Value *containers = object_get(pod, "containers");
        const int64_t pods = object_count(containers) == 0 ? -1 : pods_of_template(object, pod);
        for (uint32_t k = 0; pods > 1 && k < object_count(containers); k++) {
            const char *what = object->pods.items[i].is_part ? "nodes of this job" : "pods of this template";
            const Alike alike = { .count = pods, .what = what, .maker = &maker };
            check_pod(rules, object, &object->pods.items[i], &alike, containers->list.items[k]);
        }
    }
}

// ---- jobs of several nodes -------------------------------------------------------------------------------------------

static const MakerRow NODES_MAKER = { .is_together = true };

static void add_entry(Arena *arena, Value *map, const char *key, const Value *value, Span span) {
    ValueEntry *entries = arena_new_array(arena, ValueEntry, map->map.count + 1);
    for (uint32_t i = 0; i < map->map.count; i++) {
        entries[i] = map->map.entries[i];
    }
    entries[map->map.count] = (ValueEntry){ .key = str_of(key), .key_span = span, .value = value };
    map->map.entries = entries;
    map->map.count++;
}

static void add_variable(Arena *arena, Value *env, Str name, const Value *value, Span span) {
    Value *variable = value_new(arena, VALUE_MAP, span, NULL);
    Value *text = value_new(arena, VALUE_STRING, span, NULL);
    text->string = name;
    add_entry(arena, variable, "name", text, span);
    add_entry(arena, variable, "value", value, span);
    env->list.items[env->list.count++] = variable;
}

// The variables of a job, as a container of Kubernetes has them.
static const Value *container_of(Arena *arena, const PlanJob *job) {
    const Span span = job->head.subject->name_span;
    Value *container = value_new(arena, VALUE_MAP, span, NULL);
    Value *env = value_new(arena, VALUE_LIST, span, NULL);
    env->list.items = arena_new_array(arena, const Value *, job->env->map.count);
    for (uint32_t i = 0; i < job->env->map.count; i++) {
        const ValueEntry *entry = &job->env->map.entries[i];
        add_variable(arena, env, entry->key, entry->value, entry->key_span);
    }
    add_entry(arena, container, "command", job->command, span);
    add_entry(arena, container, "env", env, span);
    return container;
}

static void help_job(const Rules *rules, Diag *diag, const Rank *rank) {
    if (rank->option != NULL && strcmp(rank->option, "--node-rank") == 0) {
        diag_help(rules->session, diag,
                  "write `launcher = torchrun`, and begin `command` with the program: dtc gives each node its rank");
    } else if (rank->option != NULL) {
        diag_help(rules->session, diag, "let a script work out `%s` from the node that it runs on", rank->option);
    } else {
        diag_help(rules->session, diag, "remove it, and let a script work it out from the node that it runs on");
    }
}

// Options of dtc's own launcher are rule launcher_options'; the variables that it sets are rule launcher_variables'.
void rule_job_ranks(const Rules *rules, const PlanJob *job) {
    if (job->command == NULL || !plan_job_is_multi_node(job)) {
        return;
    }
    const bool is_alike = job->launcher == LAUNCHER_NONE || job->launcher == LAUNCHER_SRUN;
    MakerRow maker = NODES_MAKER;
    maker.gives_rank = job->launcher == LAUNCHER_TORCHRUN;
    const Alike alike = { .count = job->nodes->integer, .what = "nodes of this job", .maker = &maker };
    const Value *container = container_of(rules->session->arena, job);
    const LaunchWords words = is_alike ? launch_words_of(rules->session->arena, container) : (LaunchWords){ 0 };
    Rank rank;
    Diag *diag = check_words(rules, job->head.subject, &alike, container, &words, &rank);
    if (diag != NULL) {
        help_job(rules, diag, &rank);
    }
}

// Whether a shell reads the command, so that it may have variables.
static bool is_of_shell(const LaunchWords *words) {
    bool is = false;
    for (uint32_t i = 0; i < words->count; i++) {
        is = is || words->items[i].is == SHELL_WORD_SCRIPT;
    }
    return is;
}

// A range of nodes of a job definition, which have one command and one environment.
void rule_definition_ranks(const Rules *rules, const PlanContainer *definition) {
    Arena *arena = rules->session->arena;
    if (definition->form != FORM_RESOURCE || definition->alike < 2) {
        return;
    }
    const Span span = definition->key;
    LaunchWords words = { 0 };
    launch_words_add_fields(arena, &words, &definition->command);
    Value *container = value_new(arena, VALUE_MAP, span, NULL);
    Value *env = value_new(arena, VALUE_LIST, span, NULL);
    env->list.items = arena_new_array(arena, const Value *, definition->variables.count);
    for (uint32_t i = 0; i < definition->variables.count; i++) {
        const PlanVariable *variable = &definition->variables.items[i];
        Value *value = value_new(arena, VALUE_STRING, variable->value.span, NULL);
        value->string = variable->value.text;
        add_variable(arena, env, variable->name.text, value, variable->name.span);
    }
    add_entry(arena, container, "env", env, span);
    const Alike alike = { .count = definition->alike, .what = "nodes of this range", .maker = &NODES_MAKER };
    Rank rank;
    Diag *diag = check_words(rules, definition->subject, &alike, container, &words, &rank);
    if (diag != NULL && rank.option != NULL) {
        diag_help(rules->session, diag, "write %s`%s=$AWS_BATCH_JOB_NODE_INDEX`",
                  is_of_shell(&words) ? "" : "`bash -c` around it, and ", rank.option);
        if (is_of_shell(&words)) {
            write_option(rules, diag, &rank, STR("$AWS_BATCH_JOB_NODE_INDEX"));
        }
    } else if (diag != NULL) {
        diag_help(rules->session, diag, "remove it: AWS Batch gives each node AWS_BATCH_JOB_NODE_INDEX");
    }
}
