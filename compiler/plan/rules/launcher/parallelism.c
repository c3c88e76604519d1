// Rules about the sizes of parallelism that a trainer or a server is told: Megatron-LM, NeMo and torchtitan part all processes of
// a job into groups of that size, and vLLM and SGLang take as many GPUs.
// source: NVIDIA/Megatron-LM@d98e8a64 megatron/core/parallel_state.py, initialize_model_parallel; pytorch/torchtitan@b5bcd76c
// torchtitan/distributed/parallel_dims.py, _validate; vllm-project/vllm vllm/config/parallel.py, __post_init__, and
// vllm/v1/executor/ray_utils.py, initialize_ray_cluster; sgl-project/sglang python/sglang/srt/server_args.py; read 2026-11
#include "compiler/plan/rules/launcher/said_numbers.h"

#include "compiler/plan/model/launcher_option.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/rule_field.h"

typedef enum { TENSOR, PIPELINE, CONTEXT, EXPERT, EXPERT_TENSOR, REPLICAS, SHARDS, WAYS } Way;

static const char *const WAY_NAMES[WAYS] = { "tensor",        "pipeline", "context", "expert",
                                             "expert tensor", "replicas", "shards" };

// What makes the groups: all options of a command are of one of them.
typedef enum { OF_MEGATRON, OF_TORCHTITAN, OF_SERVER } Family;

static const struct {
    Family family;
    Way way;
    const char *name;
} SIZES[] = {
    { OF_MEGATRON, TENSOR, "--tensor-model-parallel-size" },
    { OF_MEGATRON, PIPELINE, "--pipeline-model-parallel-size" },
    { OF_MEGATRON, CONTEXT, "--context-parallel-size" },
    { OF_MEGATRON, EXPERT, "--expert-model-parallel-size" },
    { OF_MEGATRON, EXPERT_TENSOR, "--expert-tensor-parallel-size" },
    { OF_MEGATRON, TENSOR, "tensor_model_parallel_size" },
    { OF_MEGATRON, PIPELINE, "pipeline_model_parallel_size" },
    { OF_MEGATRON, CONTEXT, "context_parallel_size" },
    { OF_MEGATRON, EXPERT, "expert_model_parallel_size" },
    { OF_MEGATRON, EXPERT_TENSOR, "expert_tensor_parallel_size" },
    { OF_TORCHTITAN, TENSOR, "--parallelism.tensor_parallel_degree" },
    { OF_TORCHTITAN, PIPELINE, "--parallelism.pipeline_parallel_degree" },
    { OF_TORCHTITAN, CONTEXT, "--parallelism.context_parallel_degree" },
    { OF_TORCHTITAN, REPLICAS, "--parallelism.data_parallel_replicate_degree" },
    { OF_TORCHTITAN, SHARDS, "--parallelism.data_parallel_shard_degree" },
    { OF_TORCHTITAN, TENSOR, "--training.tensor_parallel_degree" },
    { OF_TORCHTITAN, PIPELINE, "--experimental.pipeline_parallel_degree" },
    { OF_TORCHTITAN, CONTEXT, "--experimental.context_parallel_degree" },
    { OF_TORCHTITAN, REPLICAS, "--training.data_parallel_replicate_degree" },
    { OF_TORCHTITAN, SHARDS, "--training.data_parallel_shard_degree" },
    { OF_SERVER, TENSOR, "--tensor-parallel-size" },
    { OF_SERVER, TENSOR, "-tp" },
    { OF_SERVER, TENSOR, "--tp-size" },
    { OF_SERVER, TENSOR, "--tp" },
    { OF_SERVER, PIPELINE, "--pipeline-parallel-size" },
    { OF_SERVER, PIPELINE, "-pp" },
    { OF_SERVER, PIPELINE, "--pp-size" },
};

enum { SIZE_MAX_SAID = 100000 }; // a larger one is no size

typedef struct {
    Family family;
    PlanField fields[WAYS]; // FIELD_ABSENT where it is not said
    int64_t sizes[WAYS];    // 1 where it is not said, or not known
    bool is_twice;          // an option stands there several times, or those of several families do
    bool is_any;
} Sizes;

// ---- what is said ----------------------------------------------------------------------------------------------------

static void take(const Rules *rules, const PlanLauncher *launcher, const CommandSetting *setting, Sizes *sizes) {
    for (size_t i = 0; i < COUNT_OF(SIZES); i++) {
        if (setting->value.len == 0 || !command_is_called(setting, SIZES[i].name)) {
            continue;
        }
        PlanField *field = &sizes->fields[SIZES[i].way];
        sizes->is_twice =
            sizes->is_twice || field->state != FIELD_ABSENT || (sizes->is_any && sizes->family != SIZES[i].family);
        *field =
            field_known(SIZES[i].name, command_value_place(rules->session, &launcher->words, setting), setting->value);
        field->key = command_name_place(rules->session, &launcher->words, setting);
        sizes->family = SIZES[i].family;
        sizes->is_any = true;
        const int64_t number = launcher_said_number(launcher, field);
        field->span = launcher_said_place(launcher, field);
        sizes->sizes[SIZES[i].way] = number > 0 && number < SIZE_MAX_SAID ? number : 1;
        return;
    }
}

static Sizes sizes_of(const Rules *rules, const PlanLauncher *launcher) {
    Sizes sizes = { .sizes = { 1, 1, 1, 1, 1, 1, 1 } };
    for (uint32_t i = 0; i < launcher->settings.count && !sizes.is_twice; i++) {
        take(rules, launcher, &launcher->settings.items[i], &sizes);
    }
    return sizes;
}

// ---- processes -------------------------------------------------------------------------------------------------------

// What is started, as far as it is known: -1 where it is not.
typedef struct {
    int64_t world; // processes of all nodes
    int64_t each;  // of each node
    int64_t gpus;  // of each node
    Span gpus_span;
    const char *where; // "in this container"
    Span span;         // of what says `world`; SPAN_NONE: several do
    bool is_server;    // its image is that of a server
} Started;

// torchrun on one node, where nothing says how many there are.
static int64_t nodes_of(const PlanLauncher *launcher, bool is_told) {
    const PlanField nodes = launcher_nodes(launcher);
    const bool is_range = str_has(nodes.text, ":");
    const bool is_alone = nodes.state == FIELD_ABSENT && !is_told && !launcher_may_set(launcher, "PET_") &&
                          !launcher_option_is_said(launcher, LAUNCHER_OPTION(nodes));
    return is_alone ? 1 : is_range ? -1 : launcher_number(launcher, &nodes);
}

// `is_told`: who makes the processes tells torchrun how many there are.
static void count_launched(const PlanLauncher *launcher, bool is_told, Started *started) {
    const PlanField *tasks = &launcher->tasks;
    if (launcher_runs(launcher, PROGRAM_DEEPSPEED)) {
        started->world = -1;
        started->each = -1;
    } else if (launcher_runs(launcher, PROGRAM_TORCHRUN)) {
        const int64_t nodes = nodes_of(launcher, is_told);
        const bool is_all = field_is(tasks, "gpu") || str_has(tasks->text, "SLURM_GPUS_ON_NODE");
        started->each = is_all ? started->gpus : launcher_said_number(launcher, tasks);
        started->world = nodes > 0 && started->each > 0 ? nodes * started->each : -1;
        started->span = tasks->key;
    } else if (launcher_runs(launcher, PROGRAM_ACCELERATE)) {
        const int64_t machines = launcher_number(launcher, &launcher->nodes);
        started->world = launcher_said_number(launcher, &launcher->total);
        started->each = started->world > 0 && machines > 0 ? started->world / machines : -1;
        started->span = launcher->total.key;
    } else if (launcher_runs(launcher, PROGRAM_MPIRUN)) {
        started->world = launcher_number(launcher, &launcher->processes);
        started->each = launcher_each(launcher);
        started->span = launcher->processes.key;
    }
}

// ---- what is said of it ----------------------------------------------------------------------------------------------

// The product of some ways, which never gets larger than a job can be; `*text` is "8 x 4".
static int64_t product_of(Session *session, const Sizes *sizes, const Way *ways, size_t count, Str *text) {
    enum { PRODUCT_MAX = 1000000000 };
    StrBuf buffer = { .arena = session->arena };
    int64_t product = 1;
    for (size_t i = 0; i < count; i++) {
        if (sizes->sizes[ways[i]] > 1 && product < PRODUCT_MAX) {
            product *= sizes->sizes[ways[i]];
            strbuf_add(&buffer, buffer.len > 0 ? STR(" x ") : STR_NONE);
            strbuf_add(&buffer, str_format(session->arena, "%" PRId64, sizes->sizes[ways[i]]));
        }
    }
    *text = strbuf_end(&buffer);
    return product;
}

typedef struct {
    const Rules *rules;
    const Subject *subject;
    const Sizes *sizes;
    const Started *started;
} Check;

static Diag *say(const Check *check, const Way *ways, size_t count, Str text, int64_t product) {
    Session *session = check->rules->session;
    const Started *started = check->started;
    const bool is_server = check->sizes->family == OF_SERVER;
    size_t first = 0;
    while (first + 1 < count && check->sizes->sizes[ways[first]] < 2) {
        first++;
    }
    const Str there = is_server ? str_format(session->arena, "there are %" PRId64 " %s", started->gpus, started->where)
                                : str_format(session->arena, "%" PRId64 " are started", started->world);
    Diag *diag = plan_report(session, check->subject, check->sizes->fields[ways[first]].span, DIAG(parallel_sizes),
                             STR_ARG(text), is_server ? "" : "a multiple of ", product,
                             is_server ? "GPUs" : "processes", STR_ARG(there));
    for (size_t i = first; i < count; i++) {
        if (i != first && check->sizes->sizes[ways[i]] > 1) {
            diag_label(session, diag, check->sizes->fields[ways[i]].span, "%s: %" PRId64, WAY_NAMES[ways[i]],
                       check->sizes->sizes[ways[i]]);
        }
    }
    const Span span = is_server ? started->gpus_span : started->span;
    if (!span_is_none(span)) {
        diag_label(session, diag, span, "%" PRId64 " %s", is_server ? started->gpus : started->world,
                   is_server ? "GPUs" : "processes");
    }
    diag_help(session, diag, "%s",
              is_server ? "write sizes whose product is as many GPUs as there are, or fewer"
                        : "write sizes whose product divides the number of processes, or start as many");
    return diag;
}

// Groups of trainers. Megatron's experts have groups of their own, of its tensor parallelism where nothing else is said.
static bool check_groups(const Check *check) {
    static const Way ALL[] = { TENSOR, PIPELINE, CONTEXT, REPLICAS, SHARDS };
    static const Way EXPERTS[] = { EXPERT, TENSOR, PIPELINE };
    static const Way OWN_EXPERTS[] = { EXPERT, EXPERT_TENSOR, PIPELINE };
    Session *session = check->rules->session;
    const bool is_own = check->sizes->fields[EXPERT_TENSOR].state != FIELD_ABSENT;
    const Way *experts = is_own ? OWN_EXPERTS : EXPERTS;
    Str text;
    const int64_t product = product_of(session, check->sizes, ALL, COUNT_OF(ALL), &text);
    if (check->started->world % product != 0) {
        say(check, ALL, COUNT_OF(ALL), text, product);
        return true;
    }
    const int64_t of_experts = product_of(session, check->sizes, experts, COUNT_OF(EXPERTS), &text);
    if (check->sizes->sizes[EXPERT] > 1 && check->started->world % of_experts != 0) {
        say(check, experts, COUNT_OF(EXPERTS), text, of_experts);
        return true;
    }
    return false;
}

// Each layer waits for all processes of a group of tensor parallelism. Nodes of 4 GPUs may be those of an UltraServer.
static void check_width(const Check *check) {
    enum { WHOLE_NODE = 8 };
    Session *session = check->rules->session;
    const int64_t each = check->started->each;
    const int64_t size = check->sizes->sizes[TENSOR];
    if (each < WHOLE_NODE || size <= each || (check->started->gpus > 0 && check->started->gpus > each)) {
        return;
    }
    const PlanField *field = &check->sizes->fields[TENSOR];
    Diag *diag = plan_report(session, check->subject, field->span, DIAG(tensor_parallel_wide), size, each);
    diag_help(session, diag, "write `%s=%" PRId64 "`, and the rest as pipeline parallelism", field->name, each);
}

// Whether a word of the command is `ray`, as the program or as a value.
static bool says_ray(const PlanLauncher *launcher) {
    const Str mark = STR("ray");
    bool says = false;
    for (uint32_t i = 0; i < launcher->words.count && !says; i++) {
        const Str text = launcher->words.items[i].text;
        for (size_t at = str_find(text, mark, 0); at < text.len && !says; at = str_find(text, mark, at + 1)) {
            const char before = at == 0 ? ' ' : text.data[at - 1];
            const char after = str_at(text, at + mark.len);
            says = !char_is_of_name(before) && !char_is_of_name(after) && before != '-' && after != '/' && after != '-';
        }
    }
    return says;
}

// Whether a server may have GPUs of other nodes, or takes more of them than its groups do.
static bool is_spread(const PlanLauncher *launcher) {
    static const char *const WORDS[] = { "RAY_",        "--nnodes",        "--node-rank",
                                         "--node_rank", "--data-parallel", "--data_parallel",
                                         "--headless" };
    bool is = says_ray(launcher) || launcher_may_set(launcher, "RAY_") ||
              launcher_mentions_any(launcher, WORDS, COUNT_OF(WORDS));
    for (uint32_t i = 0; i < launcher->settings.count; i++) {
        const Str name = launcher->settings.items[i].name;
        is = is || str_starts_with(name, STR("-dp")) || str_starts_with(name, STR("--dp"));
    }
    return is;
}

// Whether the number of replicas of the model is known: by all of the sizes that are said.
static bool knows_replicas(const PlanLauncher *launcher, const Sizes *sizes) {
    static const Way OF_REPLICA[] = { TENSOR, PIPELINE, CONTEXT };
    bool knows = !sizes->is_twice && (!sizes->is_any || sizes->family == OF_MEGATRON);
    for (size_t i = 0; i < COUNT_OF(OF_REPLICA); i++) {
        const PlanField *field = &sizes->fields[OF_REPLICA[i]];
        knows = knows && (field->state == FIELD_ABSENT || launcher_said_number(launcher, field) > 0);
    }
    return knows;
}

// source: NVIDIA/Megatron-LM@d98e8a64 megatron/core/num_microbatches_calculator.py, ConstantNumMicroBatchesCalculator,
// read 2026-11
static void check_batch(const Rules *rules, const Subject *subject, const PlanLauncher *launcher, const Sizes *sizes,
                        const Started *started) {
    static const char *const OTHERS[] = { "rampup", "decrease-batch", "decrease_batch", "data-parallel-size" };
    Session *session = rules->session;
    const PlanField all = launcher_said_once(rules, launcher, "--global-batch-size", "global_batch_size");
    const PlanField micro = launcher_said_once(rules, launcher, "--micro-batch-size", "micro_batch_size");
    const int64_t batch = launcher_said_number(launcher, &all);
    const int64_t each = launcher_said_number(launcher, &micro);
    const int64_t model = sizes->sizes[TENSOR] * sizes->sizes[PIPELINE] * sizes->sizes[CONTEXT];
    if (batch < 1 || each < 1 || each > SIZE_MAX_SAID || started->world < 1 || started->world % model != 0 ||
        !knows_replicas(launcher, sizes) || launcher_mentions_any(launcher, OTHERS, COUNT_OF(OTHERS))) {
        return;
    }
    const int64_t replicas = started->world / model;
    const int64_t step = replicas * each;
    if (batch % step == 0) {
        return;
    }
    Diag *diag = plan_report(session, subject, launcher_said_place(launcher, &all), DIAG(global_batch), batch, replicas,
                             replicas == 1 ? "" : "s", each);
    diag_label(session, diag, launcher_said_place(launcher, &micro), "a micro-batch: %" PRId64, each);
    if (!span_is_none(started->span)) {
        diag_label(session, diag, started->span, "%" PRId64 " processes, %" PRId64 " for each replica", started->world,
                   model);
    }
    diag_help(session, diag, "write a multiple of %" PRId64 ", such as %" PRId64, step, (batch / step + 1) * step);
}

static void check_sizes(const Rules *rules, const Subject *subject, const PlanLauncher *launcher,
                        const Started *started) {
    static const char *const OTHERS[] = { "--encoder", "encoder.", "encoder_", "rollout", "world-size", "world_size" };
    static const Way OF_SERVERS[] = { TENSOR, PIPELINE };
    const Sizes sizes = sizes_of(rules, launcher);
    const Check check = { .rules = rules, .subject = subject, .sizes = &sizes, .started = started };
    if (!launcher_mentions_any(launcher, OTHERS, COUNT_OF(OTHERS))) {
        check_batch(rules, subject, launcher, &sizes, started);
        launcher_check_model(rules, subject, launcher);
    }
    if (!sizes.is_any || sizes.is_twice || launcher_mentions_any(launcher, OTHERS, COUNT_OF(OTHERS))) {
        return;
    }
    if (sizes.family == OF_SERVER) {
        static const char *const SERVERS[] = { "vllm", "sglang" };
        Str text;
        const int64_t product = product_of(rules->session, &sizes, OF_SERVERS, COUNT_OF(OF_SERVERS), &text);
        const bool is_alone =
            (started->is_server || launcher_mentions_any(launcher, SERVERS, COUNT_OF(SERVERS))) && !is_spread(launcher);
        if (is_alone && started->gpus > 0 && product > started->gpus) {
            say(&check, OF_SERVERS, COUNT_OF(OF_SERVERS), text, product);
        }
    } else if (started->world > 0 && !check_groups(&check)) {
        check_width(&check);
    }
}

// ---- the ways in -----------------------------------------------------------------------------------------------------

// Whether srun starts the trainer itself: a variable may hold another launcher.
static bool is_python(const PlanLauncher *launcher) {
    return launcher->words.count > 0 &&
           str_starts_with(str_after_last(launcher->words.items[0].text, '/'), STR("python"));
}

void rule_step_parallelism(const Rules *rules, const PlanSlurmScript *script, const PlanSlurmStep *step) {
    const bool is_counted = is_python(step->launcher) && step->each > 0 && step->node_count > 0;
    Started started = { .world = is_counted ? step->each * step->node_count : -1,
                        .each = is_counted ? step->each : -1,
                        .gpus = step->gpus,
                        .gpus_span = step->gpus_span,
                        .where = "on each node",
                        .span = step->each_span };
    if (!launcher_has_branches(step->launcher) && !step->is_vague && slurm_is_at_margin(script, step->span)) {
        count_launched(step->launcher, false, &started);
        check_sizes(rules, script->subject, step->launcher, &started);
    }
}

void rule_script_parallelism(const Rules *rules, const PlanSlurmScript *script) {
    for (uint32_t i = 0; i < script->own.count; i++) {
        const PlanSlurmStep *step = &script->own.items[i];
        Started started = { .world = -1,
                            .each = -1,
                            .gpus = step->gpus,
                            .gpus_span = step->gpus_span,
                            .where = "on each node",
                            .span = SPAN_NONE };
        if (slurm_is_at_margin(script, step->span)) {
            count_launched(step->launcher, false, &started);
            check_sizes(rules, script->subject, step->launcher, &started);
        }
    }
}

static bool is_image_of_server(Str image) {
    return str_has(image, "vllm") || str_has(image, "sglang");
}

// What a container has, of AWS Batch or of pods. Those that make several pods may tell torchrun of the others.
void rule_pod_parallelism(const Rules *rules, const PlanObject *object) {
    const bool is_of_ray =
        str_has(object->resource->type, "ray.io") || str_has(object->resource->type, "LeaderWorkerSet");
    for (uint32_t i = 0; i < object->workloads.count; i++) {
        const PlanWorkload *workload = object->workloads.items[i];
        Started started = { .world = -1,
                            .each = -1,
                            .gpus = -1,
                            .where = "in this container",
                            .span = SPAN_NONE,
                            .is_server = is_image_of_server(workload->image.text) };
        const PlanDevices *devices = workload_gpus(workload);
        if (devices != NULL) {
            started.gpus = (int64_t)devices->count;
            started.gpus_span = devices->span;
        }
        if (!is_of_ray && !workload->is_first && !launcher_has_branches(workload->launcher)) {
            count_launched(workload->launcher, true, &started);
            check_sizes(rules, object->subject, workload->launcher, &started);
        }
    }
}

void rule_definition_parallelism(const Rules *rules, const PlanContainer *container) {
    Started started = { .world = -1,
                        .each = -1,
                        .gpus = field_number(&container->gpus, -1),
                        .gpus_span = container->gpus.span,
                        .where = "in this container",
                        .span = SPAN_NONE,
                        .is_server = is_image_of_server(container->image.text) };
    if (container->form == FORM_RESOURCE && !launcher_has_branches(container->launcher)) {
        count_launched(container->launcher, container->is_multi_node, &started);
        check_sizes(rules, container->subject, container->launcher, &started);
    }
}

// dtc's own launcher stands before the words.
void rule_parallelism_of_job(const Rules *rules, const PlanJob *job) {
    Started started = {
        .world = -1, .each = -1, .gpus = -1, .where = "on each node", .gpus_span = SPAN_NONE, .span = SPAN_NONE
    };
    if (job->gpus->integer > 0) {
        started.gpus = job->gpus->integer;
        started.gpus_span = job->gpus->span;
    }
    if (launcher_has_branches(job->workload->launcher)) {
        return;
    }
    if (job->launcher != LAUNCHER_NONE) {
        started.each = job->tasks_per_node->integer;
        started.world = started.each * job->nodes->integer;
    } else {
        count_launched(job->workload->launcher, true, &started);
    }
    check_sizes(rules, job->head.subject, job->workload->launcher, &started);
}
