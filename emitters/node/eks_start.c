// Lays the parts end to end and writes the one NodeConfig that they need. nodeadm merges it with the one that says how
// to join. A flag of the kubelet that is given again replaces the earlier one. So the author's taints stand in every
// list. eksctl writes them for groups of its own, and beside an image, in front of ours. EKS puts its NodeConfig behind
// this one, without taints. Its API adds those of a managed group half a minute after a node has joined
// (aws/containers-roadmap#1962, February 2023). If it writes them some day, the author's taints hold and ours is lost.
// That does little harm: a node that fails gets no work, because its kubelet does not start.
#include "emitters/node/eks_start.h"

#include "compiler/plan/model/declared_group.h"
#include "compiler/plan/model/maker.h"
#include "emitters/node/first_job.h"
#include "emitters/node/preflight_script.h"
#include "emitters/node/second_stage.h"
#include "emitters/node/setup.h"

// The one that says how to join, without names, labels, taints and what the cluster answers: as eksctl writes it for
// groups of its own and beside an image (eksctl@99984adb, pkg/nodebootstrap/al2023_test.go, 2026-08), and with the
// labels that EKS adds to those of its groups (terraform-aws-modules/terraform-aws-eks#1473, September 2021).
enum { JOINING_BYTES_OF_EKSCTL = 544, JOINING_BYTES_OF_EKS = 800 };

const char EKS_START_NODE_CONFIG[] = "apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec:\n";
const char EKS_START_DISKS[] = "  instance:\n    localStorage:\n      strategy: RAID0\n";

// The author's, as the kubelet takes them: `key=value:effect,…`; empty without.
static Str own_taints(Arena *arena, const PlanNodes *nodes) {
    static const char *const BETWEEN[] = { "", "=", ":" };
    StrBuf text = { .arena = arena };
    for (uint32_t i = 0; i < nodes->eks->taints->list.count; i++) {
        const Value *taint = nodes->eks->taints->list.items[i];
        strbuf_add(&text, i == 0 ? STR_NONE : STR(","));
        for (uint32_t k = 0; k < taint->tag.count && k < COUNT_OF(BETWEEN); k++) {
            strbuf_add_format(&text, "%s%.*s", BETWEEN[k], STR_ARG(taint->tag.arguments[k]->string));
        }
    }
    return strbuf_str(&text);
}

Str eks_start_taint_flag(Arena *arena, const PlanNodes *nodes, bool has_check) {
    const Str unvalidated = has_check ? preflight_taint(nodes) : STR_NONE;
    const Str own = own_taints(arena, nodes);
    if (own.len == 0 && unvalidated.len == 0) {
        return STR_NONE;
    }
    return str_format(arena, "      - \"--register-with-taints=%.*s%s%.*s\"\n", STR_ARG(own),
                      own.len > 0 && unvalidated.len > 0 ? "," : "", STR_ARG(unvalidated));
}

// Gives the instance's own disks to the kubelet, and adds the taint of a node that has not passed to the author's own.
// Empty if neither is asked for.
static Str node_config(Arena *arena, const PlanNodes *nodes, bool has_check) {
    const bool has_taint = has_check && preflight_taint(nodes).len > 0;
    StrBuf text = { .arena = arena };
    if (nodes->scratch == NULL && !has_taint) {
        return STR_NONE;
    }
    strbuf_add(&text, str_of(EKS_START_NODE_CONFIG));
    if (nodes->scratch != NULL) {
        strbuf_add(&text, str_of(EKS_START_DISKS));
    }
    if (has_taint) {
        strbuf_add(&text, STR("  kubelet:\n    flags:\n"));
        strbuf_add(&text, eks_start_taint_flag(arena, nodes, has_check));
    }
    return strbuf_str(&text);
}

// With what the check of a group travels.
static PreflightCarrier carrier_of(Session *session, const PlanNodes *nodes, EksStartWay way) {
    return (PreflightCarrier){ .target = "eks",
                               .is_counted = way != EKS_START_UNCOUNTED,
                               .has_agent = true,
                               .is_tight = true,
                               .taints = own_taints(session->arena, nodes),
                               .parameter = preflight_switch(session->arena, nodes) };
}

void eks_start_add_check(Session *session, Output *output, const PlanNodes *nodes, EksStartWay way,
                         UserDataParts *parts) {
    PreflightCarrier carrier = carrier_of(session, nodes, way);
    second_stage_carry(session, output, nodes, &carrier);
    preflight_add_part(session, output, nodes, carrier, parts);
}

EksStartWay eks_start_first(const PlanNodes *nodes) {
    return nodes->validate == NULL ? EKS_START_UNCHECKED : EKS_START_WHOLE;
}

EksStartWay eks_start_next(Session *session, const PlanNodes *nodes, EksStartWay way) {
    if (way == EKS_START_WHOLE && setup_may_be_fetched(nodes)) {
        return EKS_START_FETCHED;
    }
    if (way == EKS_START_WHOLE && !second_stage_is_wanted(nodes) && plan_failures(session->arena, nodes).len > 0) {
        return EKS_START_UNCOUNTED;
    }
    return way != EKS_START_UNCHECKED && nodes->validate->part == NULL ? EKS_START_UNCHECKED : EKS_START_WAYS;
}

bool eks_start_has_check(const PlanNodes *nodes, EksStartWay way) {
    return nodes->validate != NULL && way != EKS_START_UNCHECKED;
}

SetupWay eks_start_setup(EksStartWay way) {
    return way == EKS_START_FETCHED ? SETUP_FETCHED : SETUP_INSIDE;
}

void eks_start_upload(Session *session, const Plan *plan, Output *output, const PlanNodes *nodes, EksStartWay way,
                      DeploymentStep *step) {
    if (eks_start_has_check(nodes, way)) {
        setup_upload(session, plan, output, nodes, eks_start_setup(way), step);
        second_stage_upload(session, plan, output, nodes, carrier_of(session, nodes, way), step);
    }
}

UserDataParts eks_start_parts(Session *session, Output *output, const PlanNodes *nodes, EksStartWay way) {
    Arena *arena = session->arena;
    const bool has_check = eks_start_has_check(nodes, way);
    UserDataParts parts = setup_eks_parts(arena, nodes, eks_start_setup(way));
    const Str config = node_config(arena, nodes, has_check);
    if (config.len > 0) {
        vec_push(arena, &parts,
                 ((UserDataPart){ .kind = PART_NODE_CONFIG, .text = config, .name = STR("NodeConfig") }));
    }
    if (has_check) {
        eks_start_add_check(session, output, nodes, way, &parts);
    }
    return parts;
}

// A late text counts as many bytes as its reader takes.
static size_t bytes_of(const Value *text, size_t max) {
    return text->kind == VALUE_STRING ? text->string.len : max;
}

bool eks_start_is_whole(const PlanNodes *nodes) {
    return !plan_is_managed(nodes) || nodes->ami.given != NULL;
}

// The cluster is named twice, and so is the group: in labels, too.
size_t eks_start_own_bytes(Arena *arena, const PlanNodes *nodes) {
    size_t bytes = (size_t)schema_constant(CONSTANT_NODE_CONFIG_ANSWERS_BYTES);
    bytes += eks_start_is_whole(nodes) ? JOINING_BYTES_OF_EKSCTL : JOINING_BYTES_OF_EKS;
    bytes += 2 * (bytes_of(nodes->cluster->head.name, LIMIT_EKS_CLUSTER_NAME_MAX) + nodes->head.id.len);
    for (uint32_t i = 0; i < nodes->eks->labels->map.count; i++) {
        const ValueEntry *entry = &nodes->eks->labels->map.entries[i];
        bytes += strlen(",=") + entry->key.len + bytes_of(entry->value, LIMIT_KUBERNETES_NAME_MAX);
    }
    if (first_job_label_is_wanted(nodes)) {
        bytes += strlen(",=" FIRST_JOB_LABEL) + first_job_label(arena, nodes).len;
    }
    const Str taints = own_taints(arena, nodes);
    return taints.len == 0 ? bytes : bytes + strlen("    - --register-with-taints=\n") + taints.len;
}

const Origin *eks_start_origin(Arena *arena, const PlanNodes *nodes, bool has_check) {
    const Origin *scratch = nodes->scratch == NULL ? NULL : nodes->scratch->origin;
    const Origin *origin = origin_join(arena, scratch, setup_origin(arena, nodes));
    return has_check ? origin_join(arena, origin, nodes->validate->origin) : origin;
}
