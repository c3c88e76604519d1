// What nodes run at their start in groups whose user data eksctl writes. Two fields of eksctl's file reach it. Each
// part that is a script is an entry of preBootstrapCommands. The NodeConfig is overrideBootstrapCommand, which eksctl
// puts behind its own. What it makes of them is counted as it writes it, since it looks at no size and EC2 refuses what is
// too large.
#include "emitters/eksctl/cluster_config.h"

#include "compiler/plan/model/allow.h"
#include "emitters/node/eks_choice.h"
#include "emitters/node/preflight_script.h"
#include "emitters/node/setup.h"
#include "emitters/tool/tool_file.h"

// What eksctl puts around the parts (eksctl@99984adb, pkg/nodebootstrap/al2023.go and managed_al2.go, 2026-08). Some
// releases, up to 0.201.0, add an installer of EFA and a line about xtables, of 800 bytes together: that is not
// counted.
static const char HEAD[] = "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=\r\n\r\n";
static const char BETWEEN[] = "\r\n--\r\n";
static const char SCRIPT[] =
    "Content-Type: text/x-shellscript\r\nContent-Type: charset=\"us-ascii\"\r\n\r\n#!/bin/bash\n";
static const char NODE_CONFIG[] = "Content-Type: application/node.eks.aws\r\n\r\n";

enum {
    BOUNDARY_BYTES = 60,       // of Go's mime/multipart: 30 bytes, in hexadecimal
    EMPTY_FIELDS_BYTES = 98,   // that a NodeConfig has when eksctl has read it and written it again, at most
    EMPTY_INSTANCE_BYTES = 33, // beside those, where it says nothing of disks
};

// The message's size, with what eksctl or EKS say of the cluster.
static size_t size_of(Arena *arena, const PlanNodes *nodes, const UserDataParts *parts) {
    const size_t between = strlen(BETWEEN) + BOUNDARY_BYTES;
    size_t size = strlen(HEAD) + BOUNDARY_BYTES + between + eks_start_own_bytes(arena, nodes);
    for (uint32_t i = 0; i < parts->count; i++) {
        const UserDataPart *part = &parts->items[i];
        const bool is_config = part->kind == PART_NODE_CONFIG;
        if (part->goes_on) {
            size += part->text.len;
            continue;
        }
        size += between + part->text.len + strlen(is_config ? NODE_CONFIG : SCRIPT);
        size += is_config ? EMPTY_FIELDS_BYTES : 0;
        size += is_config && nodes->scratch == NULL ? EMPTY_INSTANCE_BYTES : 0;
    }
    return size;
}

// The last part is the check, where there is one.
static void add_commands(ToolFile *file, DocNode *group, const PlanNodes *nodes, const UserDataParts *parts,
                         bool has_check) {
    Doc *doc = file->doc;
    DocNode *list = NULL;
    for (uint32_t i = 0; i < parts->count; i++) {
        const UserDataPart *part = &parts->items[i];
        const bool is_check = has_check && i + 1 == parts->count;
        if (part->kind == PART_NODE_CONFIG || part->goes_on) {
            continue;
        }
        list = list == NULL ? tree_put_list(doc, group, "preBootstrapCommands") : list;
        doc_because(doc, is_check ? nodes->validate->origin : setup_origin(file->arena, nodes));
        doc_add(doc, list,
                doc_block(doc, userdata_whole(file->arena, parts, i), why(is_check ? WHY_EKS_CHECK : WHY_EKS_SETUP)));
        doc_unbecause(doc);
    }
}

static void add_config(ToolFile *file, DocNode *group, const PlanNodes *nodes, const UserDataParts *parts,
                       bool has_check) {
    Doc *doc = file->doc;
    const bool has_taint = has_check && preflight_taint(nodes).len > 0;
    for (uint32_t i = 0; i < parts->count; i++) {
        if (parts->items[i].kind == PART_NODE_CONFIG) {
            doc_because(doc, nodes->scratch == NULL ? NULL : nodes->scratch->origin);
            doc_because(doc, has_taint ? nodes->validate->origin : NULL);
            tree_put(doc, group, "overrideBootstrapCommand",
                     doc_block(doc, parts->items[i].text, why(has_taint ? WHY_EKS_UNVALIDATED : WHY_EKS_RAID)));
            doc_unbecause(doc);
            doc_unbecause(doc);
        }
    }
}

// ---- what fits -------------------------------------------------------------------------------------------------

typedef struct {
    ToolFile *file;
    Output *output;
    const Value *security_group;
} Writer;

static EksStart write_start(void *state, const PlanNodes *nodes, EksStartWay way) {
    const Writer *writer = state;
    const ToolFile *file = writer->file;
    EksStart start = { .parts = eks_start_parts(file->session, writer->output, nodes, way) };
    start.size = size_of(file->arena, nodes, &start.parts);
    // What EKS adds stands in a template of its own.
    const size_t own = eks_start_is_whole(nodes) ? 0 : eks_start_own_bytes(file->arena, nodes);
    start.template_size =
        start.parts.count == 0 ? 0 : eksctl_stack_size(nodes, writer->security_group, start.size - own);
    return start;
}

static void check_stack(ToolFile *file, const PlanNodes *nodes, const EksStart *start) {
    if (!eks_choice_template_is_too_large(start)) {
        return;
    }
    const uint32_t outer = diags_begin_turn(file->session);
    Diag *diag =
        plan_report(file->session, nodes->head.subject, nodes->head.subject->name_span, DIAG(eksctl_stack_large),
                    STR_ARG(nodes->head.id), start->template_size, schema_constant(CONSTANT_TEMPLATE_BODY_BYTES_MAX));
    diag_help(file->session, diag,
              "write `group = managed` and `launch_template = own`, by which dtc writes the template");
    diags_end_turn(file->session, outer); // of a group that `like` or a loop copies
}

void eksctl_user_data(ToolFile *file, Output *output, DocNode *group, const PlanNodes *nodes,
                      const Value *security_group) {
    Writer writer = { .file = file, .output = output, .security_group = security_group };
    const EksChoice choice = { .write = write_start,
                               .state = &writer,
                               .session = file->session,
                               .plan = file->plan,
                               .output = output,
                               .decisions = &output->decisions,
                               .step = &file->step };
    const EksStart start = eks_choice_start(&choice, nodes);
    const bool has_check = eks_start_has_check(nodes, start.way);
    check_stack(file, nodes, &start);
    add_commands(file, group, nodes, &start.parts, has_check);
    add_config(file, group, nodes, &start.parts, has_check);
}
