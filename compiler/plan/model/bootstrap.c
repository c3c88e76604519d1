// The table of what each operating system honours at a node's start. eksctl@99984adb is of 2026-08; its releases are
// those of docs/release_notes there.
#include "compiler/plan/model/bootstrap.h"

#define NODEADM "awslabs.github.io/amazon-eks-ami/nodeadm, 2026-11"
#define EKS_TEMPLATES "EKS User Guide, launch templates, 2026-11"
#define EKSCTL_VALIDATION "eksctl@99984adb, v1alpha5/validation.go, 2026-08"
#define EKSCTL_UBUNTU "eksctl@99984adb, pkg/nodebootstrap/ubuntu.go and userdata.go, 2026-08"
#define EKSCTL_AL2 "eksctl@99984adb, pkg/nodebootstrap/managed_al2.go and userdata.go, 2026-08"
#define EKSCTL_AMI_TYPE "eksctl@99984adb, v1alpha5/amitype.go, 2026-08"

// All releases of Ubuntu are started alike.
#define UBUNTU(name)                                                          \
    {                                                                         \
        .os = (name),                                                         \
        .cells = {                                                            \
            [BOOTSTRAP_COMMANDS] = { true, "a script", NULL, EKSCTL_UBUNTU }, \
            [BOOTSTRAP_OVERRIDE] = { true, "a script", NULL, EKSCTL_UBUNTU }, \
            [BOOTSTRAP_NODE_CONFIG] = { false, "no", NULL, EKSCTL_UBUNTU },   \
            [BOOTSTRAP_SCRIPTS] = { true, "yes", NULL, EKSCTL_UBUNTU },       \
            [BOOTSTRAP_HOLD] = { false, "no", NULL, EKSCTL_UBUNTU },          \
            [BOOTSTRAP_IMAGE] = { false, "no", NULL, EKSCTL_VALIDATION },     \
            [BOOTSTRAP_TEMPLATE] = { false, "no", NULL, EKSCTL_AMI_TYPE },    \
        },                                                                    \
    }

const BootstrapRow BOOTSTRAP_ROWS[BOOTSTRAP_ROW_COUNT] = {
    {
        .os = "al2023",
        .cells = {
            [BOOTSTRAP_COMMANDS] = { true, "a script", "eksctl 0.198.0", "eksctl-io/eksctl#7903, #8031, 2024-12" },
            [BOOTSTRAP_OVERRIDE] = { true, "NodeConfig", "eksctl 0.199.0", "eksctl-io/eksctl#7852, #8078, 2024-12" },
            [BOOTSTRAP_NODE_CONFIG] = { true, "yes", NULL, NODEADM },
            [BOOTSTRAP_SCRIPTS] = { true, "yes", NULL, EKS_TEMPLATES },
            [BOOTSTRAP_HOLD] = { true, "yes", NULL, NODEADM },
            [BOOTSTRAP_IMAGE] = { true, "yes", NULL, "eksctl@99984adb, pkg/nodebootstrap/al2023.go, 2026-08" },
            [BOOTSTRAP_TEMPLATE] = { true, "yes", NULL, EKSCTL_AMI_TYPE },
        },
    },
    {
        .os = "al2",
        .cells = {
            [BOOTSTRAP_COMMANDS] = { true, "a script", NULL, EKSCTL_AL2 },
            [BOOTSTRAP_OVERRIDE] = { true, "a script", NULL, EKSCTL_AL2 },
            [BOOTSTRAP_NODE_CONFIG] = { false, "no", NULL, EKSCTL_AL2 },
            [BOOTSTRAP_SCRIPTS] = { true, "yes", NULL, EKS_TEMPLATES },
            [BOOTSTRAP_HOLD] = { false, "no", NULL, EKSCTL_AL2 },
            [BOOTSTRAP_IMAGE] = { false, "no", NULL, EKSCTL_VALIDATION },
            [BOOTSTRAP_TEMPLATE] = { true, "yes", NULL, EKSCTL_AMI_TYPE },
        },
    },
    UBUNTU("ubuntu2004"),
    UBUNTU("ubuntu2204"),
    UBUNTU("ubuntu2404"),
    {
        .os = "bottlerocket",
        .cells = {
            [BOOTSTRAP_COMMANDS] = { false, "refused", NULL, EKSCTL_VALIDATION },
            [BOOTSTRAP_OVERRIDE] = { false, "refused", NULL, EKSCTL_VALIDATION },
            [BOOTSTRAP_NODE_CONFIG] = { false, "no", NULL, "eksctl@99984adb, pkg/nodebootstrap/bottlerocket.go, 2026-08" },
            [BOOTSTRAP_SCRIPTS] = { false, "no", NULL, EKS_TEMPLATES },
            [BOOTSTRAP_HOLD] = { false, "no", NULL, EKS_TEMPLATES },
            [BOOTSTRAP_IMAGE] = { true, "yes", NULL, EKSCTL_VALIDATION },
            [BOOTSTRAP_TEMPLATE] = { true, "yes", NULL, EKSCTL_AMI_TYPE },
        },
    },
};

const char *bootstrap_field_name(BootstrapField field) {
    static const char *const NAMES[BOOTSTRAP_FIELD_COUNT] = {
        [BOOTSTRAP_COMMANDS] = "preBootstrapCommands", [BOOTSTRAP_OVERRIDE] = "overrideBootstrapCommand",
        [BOOTSTRAP_NODE_CONFIG] = "NodeConfig",        [BOOTSTRAP_SCRIPTS] = "scripts in user data",
        [BOOTSTRAP_HOLD] = "a failure holds the node", [BOOTSTRAP_IMAGE] = "an ami joins by itself",
        [BOOTSTRAP_TEMPLATE] = "an image without ami",
    };
    assert(field < BOOTSTRAP_FIELD_COUNT);
    return NAMES[field];
}

const BootstrapCell *bootstrap_cell(Str os, BootstrapField field) {
    for (int i = 0; i < BOOTSTRAP_ROW_COUNT; i++) {
        if (str_is(os, BOOTSTRAP_ROWS[i].os)) {
            return &BOOTSTRAP_ROWS[i].cells[field];
        }
    }
    return NULL;
}

bool bootstrap_honours(Str os, BootstrapField field) {
    const BootstrapCell *cell = bootstrap_cell(os, field);
    return cell == NULL || cell->is_honoured;
}
