// A rule about the sizes of a model that Megatron-LM parts among its processes: what does not divide ends it at its start.
// source: NVIDIA/Megatron-LM@d98e8a64 megatron/training/arguments.py, validate_args, and
// megatron/core/transformer/transformer_config.py, __post_init__; read 2026-12
#include "compiler/plan/rules/launcher/said_numbers.h"

#include "compiler/plan/model/allow.h"

// A size, what it is parted into, and words that tell that it is parted otherwise.
static const struct {
    const char *option;
    const char *key;
    const char *size; // for messages
    const char *by;
    const char *by_key;
    const char *parts;
    const char *others[6];
} ROWS[] = {
    { "--num-attention-heads",
      "num_attention_heads",
      "attention heads",
      "--tensor-model-parallel-size",
      "tensor_model_parallel_size",
      "processes of tensor parallelism",
      { NULL } },
    { "--num-layers",
      "num_layers",
      "layers",
      "--pipeline-model-parallel-size",
      "pipeline_model_parallel_size",
      "stages of the pipeline",
      { "pipeline-num", "pipeline_num", "first-stage", "layout", "account", "standalone" } },
    { "--hidden-size",
      "hidden_size",
      "numbers of a hidden state",
      "--num-attention-heads",
      "num_attention_heads",
      "attention heads",
      { "kv-channels", "kv_channels", "head_dim", "head-dim", "latent", NULL } },
};

static bool is_parted_otherwise(const PlanLauncher *launcher, const char *const *others, size_t count) {
    bool is = false;
    for (size_t i = 0; i < count && others[i] != NULL; i++) {
        is = is || launcher_mentions(launcher, others[i]);
    }
    return is;
}

// Whether an option is one of Megatron-LM, by those that no other trainer has.
static bool is_of_megatron(const PlanLauncher *launcher) {
    static const char *const WORDS[] = { "--num-attention-heads", "--tensor-model-parallel-size" };
    bool is = true;
    for (size_t i = 0; i < COUNT_OF(WORDS); i++) {
        is = is && launcher_mentions(launcher, WORDS[i]);
    }
    return is;
}

void launcher_check_model(const Rules *rules, const Subject *subject, const PlanLauncher *launcher) {
    enum { PARTS_MAX = 100000 };
    Session *session = rules->session;
    for (size_t i = 0; is_of_megatron(launcher) && i < COUNT_OF(ROWS); i++) {
        const PlanField size = launcher_said_once(rules, launcher, ROWS[i].option, ROWS[i].key);
        const PlanField by = launcher_said_once(rules, launcher, ROWS[i].by, ROWS[i].by_key);
        const int64_t all = launcher_said_number(launcher, &size);
        const int64_t parts = launcher_said_number(launcher, &by);
        if (all < 1 || parts < 2 || parts > PARTS_MAX || all % parts == 0 ||
            is_parted_otherwise(launcher, ROWS[i].others, COUNT_OF(ROWS[i].others))) {
            continue;
        }
        Diag *diag = plan_report(session, subject, launcher_said_place(launcher, &size), DIAG(model_sizes), all,
                                 ROWS[i].size, parts, ROWS[i].parts);
        diag_label(session, diag, launcher_said_place(launcher, &by), "%" PRId64 " %s", parts, ROWS[i].parts);
        diag_help(session, diag, "write a multiple of %" PRId64 " for `%s`, or another `%s`", parts, ROWS[i].option,
                  ROWS[i].by);
    }
}
