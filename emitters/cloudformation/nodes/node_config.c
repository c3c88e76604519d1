// The user data of a group's nodes: nodeadm's NodeConfig in a part of its own, and a script that signals when the node
// has joined.
#include "emitters/cloudformation/nodes/node_group.h"

#include "compiler/plan/model/compute_domain.h"
#include "compiler/plan/model/names.h"
#include "emitters/cloudformation/nodes/late_text.h"
#include "emitters/cloudformation/template/intrinsic.h"
#include "emitters/node/first_job.h"
#include "emitters/node/setup.h"

// How long before the stack gives up the last node says that it has not joined.
enum { REPORT_MINUTES = 5 };

typedef struct {
    Stack *stack;
    const NodeGroupAnswers *answers;
    StrBuf text;
    LateText late;
} Config;

// A text inside of double quotes.
static void add_quoted(Config *config, const Value *value) {
    if (value->kind != VALUE_STRING) {
        late_text_add_value(&config->late, &config->text, value);
        return;
    }
    for (size_t i = 0; i < value->string.len; i++) {
        const char c = value->string.data[i];
        if (c == '"' || c == '\\') {
            strbuf_add_char(&config->text, '\\');
        }
        strbuf_add_char(&config->text, c);
    }
}

static void add_cluster(Config *config, const PlanCluster *cluster) {
    const NodeGroupAnswers *answers = config->answers;
    const struct {
        const char *key;
        Str reference;
    } rows[] = {
        { "apiServerEndpoint", answers->endpoint },
        { "certificateAuthority", answers->authority },
        { "cidr", answers->service_cidr },
    };
    strbuf_add(&config->text, STR("  cluster:\n    name: \""));
    add_quoted(config, plan_eks_name(cluster));
    strbuf_add(&config->text, STR("\"\n"));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        strbuf_add_format(&config->text, "    %s: \"", rows[i].key);
        late_text_add_reference(&config->late, &config->text, rows[i].reference);
        strbuf_add(&config->text, STR("\"\n"));
    }
}

static bool has_labels(const PlanNodes *nodes) {
    return nodes->eks->labels->map.count > 0 || first_job_label_is_wanted(nodes) || plan_nodes_lack_gpu_label(nodes);
}

static void add_labels(Config *config, const PlanNodes *nodes) {
    const Value *labels = nodes->eks->labels;
    const char *separator = "";
    if (!has_labels(nodes)) {
        return;
    }
    strbuf_add(&config->text, STR("      - \"--node-labels="));
    for (uint32_t i = 0; i < labels->map.count; i++) {
        const ValueEntry *entry = &labels->map.entries[i];
        strbuf_add_format(&config->text, "%s%.*s=", separator, STR_ARG(entry->key));
        add_quoted(config, entry->value);
        separator = ",";
    }
    if (first_job_label_is_wanted(nodes)) {
        strbuf_add_format(&config->text, "%s%s=%.*s", separator, FIRST_JOB_LABEL,
                          STR_ARG(first_job_label(config->stack->arena, nodes)));
        separator = ",";
    }
    if (plan_nodes_lack_gpu_label(nodes)) {
        strbuf_add_format(&config->text, "%s%s=true", separator, GPU_LABEL);
    }
    strbuf_add(&config->text, STR("\"\n"));
}

static void add_node_config(Config *config, const PlanNodes *nodes, bool has_check) {
    strbuf_add(&config->text, str_of(EKS_START_NODE_CONFIG));
    add_cluster(config, nodes->cluster);
    if (nodes->scratch != NULL) {
        strbuf_add(&config->text, str_of(EKS_START_DISKS));
    }
    const Str taints = eks_start_taint_flag(config->stack->arena, nodes, has_check);
    if (has_labels(nodes) || taints.len > 0) {
        strbuf_add(&config->text, STR("  kubelet:\n    flags:\n"));
        add_labels(config, nodes);
        strbuf_add(&config->text, taints);
    }
}

static const Origin *origin_of(const Config *config, const PlanNodes *nodes, bool has_check) {
    Arena *arena = config->stack->arena;
    const Origin *origin = origin_join(arena, why(WHY_NODE_CONFIG), why(WHY_NODE_SIGNAL));
    origin = origin_join(arena, origin, nodes->scratch == NULL ? NULL : nodes->scratch->origin);
    origin = origin_join(arena, origin, nodes->eks->labels->map.count == 0 ? NULL : nodes->eks->labels->origin);
    origin = origin_join(arena, origin, nodes->eks->taints->list.count == 0 ? NULL : nodes->eks->taints->origin);
    origin = origin_join(arena, origin, setup_origin(arena, nodes));
    return origin_join(arena, origin, has_check ? nodes->validate->origin : NULL);
}

// The script that tells the auto scaling group of the node.
static Str joined_script(Config *config, const PlanNodes *nodes) {
    Stack *stack = config->stack;
    config->text = (StrBuf){ .arena = stack->arena };
    strbuf_add(&config->text, STR("stack="));
    late_text_add_reference(&config->late, &config->text, STR("AWS::StackName"));
    strbuf_add(&config->text, STR("\nregion="));
    late_text_add_reference(&config->late, &config->text, STR("AWS::Region"));
    strbuf_add_format(&config->text, "\nresource=%.*s\nminutes=%d\n",
                      STR_ARG(stack_group_id(stack, nodes, "AutoScalingGroup")),
                      NODE_GROUP_WAIT_MINUTES - REPORT_MINUTES);
    const Str script = userdata_library("node/joined.sh");
    return userdata_bare_script(stack->arena,
                                userdata_script_with(stack->arena, script, "stack", strbuf_str(&config->text)));
}

// Sized as it will be where each mark is what EKS answers.
static EksStart write_start(void *state, const PlanNodes *nodes, EksStartWay way) {
    Config *config = state;
    const Stack *stack = config->stack;
    Arena *arena = stack->arena;
    const bool has_check = eks_start_has_check(nodes, way);
    EksStart start = { .parts = setup_eks_parts(arena, nodes, eks_start_setup(way)) };
    config->text = (StrBuf){ .arena = arena };
    config->late.parts.count = 0;
    add_node_config(config, nodes, has_check);
    const Str node_config = strbuf_str(&config->text);
    vec_push(arena, &start.parts,
             ((UserDataPart){ .kind = PART_NODE_CONFIG, .text = node_config, .name = STR("NodeConfig") }));
    const Str joined = joined_script(config, nodes);
    vec_push(arena, &start.parts, ((UserDataPart){ .kind = PART_BOOTHOOK, .text = joined, .name = STR("signal") }));
    if (has_check) {
        eks_start_add_check(stack->session, stack->output, nodes, way, &start.parts);
    }
    start.text = userdata_write(arena, &start.parts);
    start.size = start.text.len + (size_t)schema_constant(CONSTANT_NODE_CONFIG_ANSWERS_BYTES);
    return start;
}

EksStart node_group_start(Stack *stack, const PlanNodes *nodes, EksStartWrite *write, void *state) {
    const EksChoice choice = { .write = write,
                               .state = state,
                               .session = stack->session,
                               .plan = stack->plan,
                               .output = stack->output,
                               .decisions = &stack->decisions,
                               .step = &stack->step };
    return eks_choice_start(&choice, nodes);
}

DocNode *node_group_user_data(Stack *stack, const PlanNodes *nodes, const NodeGroupAnswers *answers) {
    Config config = { .stack = stack, .answers = answers, .late = { .stack = stack } };
    const EksStart start = node_group_start(stack, nodes, write_start, &config);
    const Origin *origin = origin_of(&config, nodes, eks_start_has_check(nodes, start.way));
    return doc_call(stack->doc, CALL_BASE64, late_text_block(&config.late, start.text, origin));
}
