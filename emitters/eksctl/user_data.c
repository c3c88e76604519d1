// What nodes are told at their start in groups whose user data eksctl writes, by the two fields that reach it: each script
// is an entry of preBootstrapCommands, and the NodeConfig is overrideBootstrapCommand, which eksctl puts behind its own.
// What it makes of them is counted as it writes it, since it looks at no size and EC2 refuses what is too large.
#include "emitters/eksctl/parts.h"

#include "emitters/eks_start.h"
#include "emitters/preflight.h"
#include "emitters/setup.h"

// What eksctl puts around the parts (eksctl@99984adb, pkg/nodebootstrap/al2023.go and managed_al2.go, 2026-08). Releases
// before 0.201.0 add an installer of EFA in front, and a line about xtables: 850 bytes.
static const char HEAD[] = "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=\r\n\r\n";
static const char BETWEEN[] = "\r\n--\r\n";
static const char SCRIPT[] =
    "Content-Type: text/x-shellscript\r\nContent-Type: charset=\"us-ascii\"\r\n\r\n#!/bin/bash\n";
static const char NODE_CONFIG[] = "Content-Type: application/node.eks.aws\r\n\r\n";

enum {
    BOUNDARY_BYTES = 60,      // of Go's mime/multipart: 30 bytes, in hexadecimal
    EMPTY_FIELDS_BYTES = 128, // that a NodeConfig has when eksctl has read it and written it again, at most
};

// The message's size, with what eksctl or EKS say of the cluster.
static size_t size_of(Arena *arena, const PlanNodes *nodes, const UserDataParts *parts) {
    const size_t between = strlen(BETWEEN) + BOUNDARY_BYTES;
    size_t size = strlen(HEAD) + BOUNDARY_BYTES + between + eks_start_own_bytes(arena, nodes);
    for (uint32_t i = 0; i < parts->count; i++) {
        const UserDataPart *part = &parts->items[i];
        const bool is_config = part->kind == PART_NODE_CONFIG;
        size += between + part->text.len + (is_config ? strlen(NODE_CONFIG) + EMPTY_FIELDS_BYTES : strlen(SCRIPT));
    }
    return size;
}

// The last part is the check, where there is one.
static void add_commands(Plain *plain, DocNode *group, const PlanNodes *nodes, const UserDataParts *parts,
                         bool has_check) {
    Doc *doc = plain->doc;
    DocNode *list = NULL;
    for (uint32_t i = 0; i < parts->count; i++) {
        const UserDataPart *part = &parts->items[i];
        const bool is_check = has_check && i + 1 == parts->count;
        if (part->kind == PART_NODE_CONFIG) {
            continue;
        }
        list = list == NULL ? tree_put_list(doc, group, "preBootstrapCommands") : list;
        doc_because(doc, is_check ? nodes->validate->origin : setup_origin(plain->arena, nodes));
        doc_add(doc, list, doc_block(doc, part->text, why(is_check ? WHY_EKS_CHECK : WHY_EKS_SETUP)));
        doc_unbecause(doc);
    }
}

static void add_config(Plain *plain, DocNode *group, const PlanNodes *nodes, const UserDataParts *parts,
                       bool has_check) {
    Doc *doc = plain->doc;
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

void eksctl_user_data(Plain *plain, Output *output, DocNode *group, const PlanNodes *nodes) {
    Session *session = plain->session;
    bool has_check = nodes->validate != NULL;
    UserDataParts parts = eks_start_parts(session, plain->plan, output, nodes, has_check);
    size_t size = size_of(plain->arena, nodes, &parts);
    const bool may_give_way = has_check && nodes->validate->block == NULL;
    if (may_give_way && (int64_t)size > schema_constant(CONSTANT_USER_DATA_BYTES_MAX)) {
        userdata_decide_unchecked(session, &output->decisions, nodes, size);
        has_check = false;
        parts = eks_start_parts(session, plain->plan, output, nodes, has_check);
        size = size_of(plain->arena, nodes, &parts);
    }
    if (has_check) {
        userdata_link(session, &output->decisions, nodes, &parts, size);
    } else {
        userdata_check_size(session, nodes, &parts, size);
    }
    add_commands(plain, group, nodes, &parts, has_check);
    add_config(plain, group, nodes, &parts, has_check);
}
