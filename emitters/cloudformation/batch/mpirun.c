// A job with `launcher = mpirun`, as rows: options of mpirun's and variables, each with what it is for. A single
// container runs `mpirun … PROGRAM`. Several nodes run stdlib/job/mpirun.sh, which finds them all and hands its
// arguments to mpirun. What is the author's stands in the list as it is, never inside of the script.
#include "emitters/cloudformation/batch/mpirun.h"

#include "emitters/cloudformation/template/condition.h"
#include "emitters/cloudformation/template/template_value.h"
#include "emitters/cloudformation/template/intrinsic.h"
#include "emitters/cloudformation/access/ssh_key.h"
#include "stdlib/library.h"

// When a row is there.
typedef enum {
    ALWAYS = 0,
    NODES = 1,        // of several nodes
    EFA = 2,          // with EFA interfaces
    NCCL = 4,         // on NVIDIA GPUs
    ACCELERATORS = 8, // of whatever kind: MPI starts the ranks, and another library moves their data
} Need;

enum { OPTION_WORDS_MAX = 3 };

typedef struct {
    const char *words[OPTION_WORDS_MAX]; // up to the first NULL
    unsigned needs;                      // bits of Need: all of them
    Why why;
} OptionRow;

static const OptionRow OPTION_ROWS[] = {
    { { "--allow-run-as-root" }, ALWAYS, WHY_MPIRUN_ROOT },
    { { "--tag-output" }, ALWAYS, WHY_MPIRUN_TAG },
    { { "--bind-to", "none" }, ACCELERATORS, WHY_MPIRUN_BIND },
    { { "--mca", "pml", "^cm,ucx" }, NODES | ACCELERATORS, WHY_MPIRUN_TCP },
    { { "--mca", "btl", "tcp,self" }, NODES | ACCELERATORS, WHY_MPIRUN_TCP },
    { { "--mca", "btl_tcp_if_exclude", "lo,docker0,ecs-eth0" }, NODES, WHY_MPIRUN_INTERFACES },
    { { "--mca", "oob_tcp_if_exclude", "lo,docker0,ecs-eth0" }, NODES, WHY_MPIRUN_INTERFACES },
};

// Not here, though many samples have them: FI_EFA_USE_DEVICE_RDMA, FI_EFA_FORK_SAFE, FI_EFA_ENABLE_SHM_TRANSFER,
// NCCL_PROTO, NCCL_BUFFSIZE, NCCL_P2P_NET_CHUNKSIZE and NCCL_TUNER_PLUGIN, which libfabric from 1.18 and aws-ofi-nccl
// from 1.7 on choose better by themselves (awslabs/awsome-distributed-ai, 1.architectures/efa-cheatsheet.md and #851,
// 2026-11).
typedef struct {
    const char *name;
    const char *value;
    unsigned needs;
    Why why;
} VariableRow;

static const VariableRow VARIABLE_ROWS[] = {
    { "FI_PROVIDER", "efa", NODES | EFA, WHY_MPIRUN_PROVIDER },
    { "NCCL_NET", "AWS Libfabric", NODES | EFA | NCCL, WHY_MPIRUN_NCCL_NET },
    { "NCCL_SOCKET_IFNAME", "^lo,docker,ecs", NODES | NCCL, WHY_MPIRUN_INTERFACES },
};

static unsigned needs_of(const PlanJob *job) {
    const InstanceRow *row = job->group->instance;
    unsigned needs = ssh_key_is_used(job) ? NODES : ALWAYS;
    needs |= job->container->efa_devices > 0 ? EFA : ALWAYS;
    needs |= row->accelerator == ACCELERATOR_NVIDIA ? NCCL : ALWAYS;
    needs |= row->accelerator == ACCELERATOR_NVIDIA || row->accelerator == ACCELERATOR_NEURON ? ACCELERATORS : ALWAYS;
    return needs;
}

static bool has_all(unsigned needs, unsigned wanted) {
    return (needs & wanted) == wanted;
}

// The author's entry, null included: who takes a variable away has decided too.
static const ValueEntry *author_entry(const PlanJob *job, const char *name) {
    for (uint32_t i = 0; job->env->kind == VALUE_MAP && i < job->env->map.count; i++) {
        if (str_is(job->env->map.entries[i].key, name)) {
            return &job->env->map.entries[i];
        }
    }
    return NULL;
}

// ---- command ---------------------------------------------------------------------------------------------------

static void add_word(Stack *stack, DocNode *list, Why reason, const char *word) {
    doc_add(stack->doc, list, tree_text(stack->doc, reason, word));
}

static void add_number(Stack *stack, DocNode *list, const Value *value) {
    doc_add(stack->doc, list,
            doc_string(stack->doc, str_format(stack->arena, "%" PRId64, value->integer), value->origin));
}

static void add_options(Stack *stack, DocNode *list, unsigned needs) {
    for (size_t i = 0; i < COUNT_OF(OPTION_ROWS); i++) {
        const OptionRow *row = &OPTION_ROWS[i];
        for (size_t k = 0; has_all(needs, row->needs) && k < OPTION_WORDS_MAX && row->words[k] != NULL; k++) {
            add_word(stack, list, row->why, row->words[k]);
        }
    }
}

// `-x NAME` for each variable that a container has for its ranks. If a variable is there only under a condition, so are
// its words.
static void add_forwards(Stack *stack, DocNode *list, const PlanJob *job, unsigned needs) {
    for (size_t i = 0; i < COUNT_OF(VARIABLE_ROWS); i++) {
        const VariableRow *row = &VARIABLE_ROWS[i];
        if (has_all(needs, row->needs) && author_entry(job, row->name) == NULL) {
            add_word(stack, list, WHY_MPIRUN_FORWARD, "-x");
            add_word(stack, list, row->why, row->name);
        }
    }
    for (uint32_t i = 0; job->env->kind == VALUE_MAP && i < job->env->map.count; i++) {
        const ValueEntry *entry = &job->env->map.entries[i];
        if (entry->value->kind == VALUE_NULL || str_starts_with(entry->key, STR("MPIRUN_"))) {
            continue; // not there, or the script's
        }
        const Condition *given = value_may_be_null(entry->value) ? condition_given(stack, entry->value) : NULL;
        DocNode *words[] = { tree_text(stack->doc, WHY_MPIRUN_FORWARD, "-x"),
                             doc_string(stack->doc, entry->key, origin_span(stack->arena, entry->key_span)) };
        for (size_t k = 0; k < COUNT_OF(words); k++) {
            doc_add(stack->doc, list,
                    given == NULL ? words[k] : condition_if(stack, given, words[k], intrinsic_no_value(stack)));
        }
    }
}

// The author's words, one by one: rule launcher_command has held that they are known as a list.
static void add_command(Stack *stack, DocNode *list, const PlanJob *job) {
    for (uint32_t i = 0; i < job->command->list.count; i++) {
        DocNode *node = template_value(stack, job->command->list.items[i]);
        if (node != NULL) {
            doc_add(stack->doc, list, node);
        }
    }
}

static DocNode *script_node(Stack *stack) {
    return doc_block(stack->doc, stdlib_find(STR("job/mpirun.sh"))->text, why(WHY_MPIRUN_SCRIPT));
}

DocNode *mpirun_command(Stack *stack, const PlanJob *job) {
    const unsigned needs = needs_of(job);
    DocNode *list = doc_list(stack->doc);
    doc_because(stack->doc, job->launcher_value->origin);
    if (has_all(needs, NODES)) {
        add_word(stack, list, WHY_MPIRUN_SCRIPT, "/bin/bash");
        add_word(stack, list, WHY_MPIRUN_SCRIPT, "-c");
        doc_add(stack->doc, list, script_node(stack));
        add_word(stack, list, WHY_MPIRUN_SCRIPT, "mpirun");
    } else {
        add_word(stack, list, WHY_MPIRUN_RANKS, "mpirun");
        add_word(stack, list, WHY_MPIRUN_RANKS, "--host");
        Str host = str_format(stack->arena, "localhost:%" PRId64, job->tasks_per_node->integer);
        doc_add(stack->doc, list, doc_string(stack->doc, host, job->tasks_per_node->origin));
        add_word(stack, list, WHY_MPIRUN_RANKS, "-np");
        add_number(stack, list, job->tasks_per_node);
    }
    add_options(stack, list, needs);
    add_forwards(stack, list, job, needs);
    doc_unbecause(stack->doc);
    add_command(stack, list, job);
    return list;
}

// ---- environment -----------------------------------------------------------------------------------------------

static void add_variable(Stack *stack, DocNode *list, const PlanJob *job, const char *name, DocNode *value) {
    if (author_entry(job, name) != NULL) {
        return;
    }
    DocNode *variable = tree_add_map(stack->doc, list);
    tree_put_text(stack->doc, variable, "Name", WHY_MPIRUN_VARIABLE, name);
    tree_put(stack->doc, variable, "Value", value);
}

static DocNode *constant_text(Stack *stack, Why reason, enum ConstantId constant) {
    return tree_string(stack->doc, reason, str_format(stack->arena, "%" PRId64, schema_constant(constant)));
}

void mpirun_add_environment(Stack *stack, DocNode *list, const PlanJob *job) {
    const unsigned needs = needs_of(job);
    doc_because(stack->doc, job->launcher_value->origin);
    if (has_all(needs, NODES)) {
        Str workers = str_format(stack->arena, "%" PRId64, job->tasks_per_node->integer);
        add_variable(stack, list, job, "MPIRUN_WORKERS", doc_string(stack->doc, workers, job->tasks_per_node->origin));
        add_variable(stack, list, job, "MPIRUN_KEY", intrinsic_ref(stack, ssh_key_id(stack, job->cluster)));
        add_variable(stack, list, job, "MPIRUN_PORT", constant_text(stack, WHY_MPIRUN_PORT, CONSTANT_MPIRUN_PORT));
        add_variable(stack, list, job, "MPIRUN_WAIT", constant_text(stack, WHY_MPIRUN_WAIT, CONSTANT_MPIRUN_WAIT));
    }
    for (size_t i = 0; i < COUNT_OF(VARIABLE_ROWS); i++) {
        const VariableRow *row = &VARIABLE_ROWS[i];
        if (has_all(needs, row->needs)) {
            add_variable(stack, list, job, row->name, tree_text(stack->doc, row->why, row->value));
        }
    }
    doc_unbecause(stack->doc);
}
