// The list of emitters, in the order in which they run. An emitter comes before those that need its files.
#include "emitters/emitter.h"

#include "compiler/base/terminal.h"
#include "compiler/plan/model/names.h"
#include "emitters/cloudformation/cloudformation.h"
#include "emitters/deployment/order.h"
#include "emitters/eksctl/eksctl.h"
#include "emitters/image/image.h"
#include "emitters/kubernetes/kubernetes.h"
#include "emitters/parallelcluster/parallelcluster.h"
#include "emitters/slurm/slurm.h"

static Emit *const EMITTERS[] = { cloudformation_emit,   parallelcluster_emit,
                                  eksctl_emit,           cloudformation_emit_node_groups,
                                  eksctl_emit_templates, image_emit,
                                  kubernetes_emit,       slurm_emit,
                                  image_emit_questions };

void emit_all(Session *session, const Plan *plan, Output *output) {
    for (size_t i = 0; i < COUNT_OF(EMITTERS); i++) {
        EMITTERS[i](session, plan, output);
    }
    order_set_waves(session, output);
}

bool emitter_needs(const DeploymentStep *step, Str name) {
    bool does = false;
    for (uint32_t i = 0; i < step->needs.count && !does; i++) {
        does = str_equal(step->needs.items[i], name);
    }
    return does;
}

void emitter_add(Session *session, Output *output, Artifact artifact) {
    output->bytes += artifact.content.len + artifact.map.len;
    vec_push(session->arena, &output->artifacts, artifact);
}

bool emitter_is_full(Session *session, Output *output, const Subject *next) {
    const bool is_large = output->bytes > OUTPUT_TOTAL_BYTES_MAX;
    if (!is_large && output->artifacts.count < OUTPUT_FILES_MAX) {
        return false;
    }
    if (!output->is_full && is_large) {
        report(session, next->name_span, DIAG(output_too_large), OUTPUT_TOTAL_BYTES_MAX / (1024 * 1024));
    } else if (!output->is_full) {
        report(session, next->name_span, DIAG(output_too_many), OUTPUT_FILES_MAX);
    }
    output->is_full = true;
    return true;
}

static const PlanHead *head_with(Session *session, const PlanCluster *cluster, Str stack, const char *suffix) {
    Arena *arena = session->arena;
    PlanHead *head = arena_new(arena, PlanHead);
    *head = cluster->head;
    head->id = str_format(arena, "%.*s%s", STR_ARG(cluster->head.id), suffix);
    Value *name = arena_new(arena, Value);
    *name = *cluster->head.name;
    name->string = str_format(arena, "%.*s%s", STR_ARG(stack), suffix);
    head->name = name;
    return head;
}

const PlanHead *emitter_nodes_head(Session *session, const PlanCluster *cluster) {
    return head_with(session, cluster, plan_eks_stack_name(session->arena, cluster->head.name->string),
                     cluster->eks->existing == NULL ? "-nodes" : "");
}

const PlanHead *emitter_access_head(Session *session, const PlanCluster *cluster) {
    return head_with(session, cluster, cluster->head.name->string, PLAN_ACCESS_SUFFIX);
}

// The name of the main file without its folders, which are of this machine. What would end a line, and with it the
// comment, is replaced.
static Str source_name(Arena *arena, const Session *session, const Plan *plan) {
    if (plan->main_source == 0) {
        return STR("its source");
    }
    StrBuf name = { .arena = arena };
    terminal_add(&name, str_after_last(source_get(session, plan->main_source)->path, '/'));
    return strbuf_str(&name);
}

Str emitter_header(Arena *arena, const Session *session, const Plan *plan) {
    return str_format(arena, "Written by dtc from %.*s. Do not edit: change the source.",
                      STR_ARG(source_name(arena, session, plan)));
}

Str emitter_header_with(Arena *arena, const Session *session, const Plan *plan, const Output *output, Str file) {
    StrBuf text = { .arena = arena };
    strbuf_add(&text, emitter_header(arena, session, plan));
    for (uint32_t i = 0; i < output->allows.count; i++) {
        const OutputAllow *allow = &output->allows.items[i];
        if (str_equal(allow->file, file)) {
            strbuf_add_format(&text, "\ndtc-allow: %.*s %.*s", STR_ARG(allow->code), STR_ARG(allow->reason));
        }
    }
    return strbuf_str(&text);
}
