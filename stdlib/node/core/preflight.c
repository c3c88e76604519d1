// Looks at one line of the record after the other. A key without its check does not compile.
#include "stdlib/node/core/node.h"
#include "stdlib/node/core/sys.h"

#include <stddef.h>

// A driver that is loaded keeps its version; one that is not may come.
static void check_driver(Node *node, const char *module) {
    node->is_fixed = node_has(node, "/sys/module/$", module, NULL);
    const char *version = node_look(node, "/sys/module/$/version", module, NULL);
    text_put(&node->got, "$", version, NULL);
    node_check(node, is_digit(*version) && version_is_at_least(version, node->line->values));
}

static void check_type(Node *node) {
    const char *type = node_look(node, "/sys/class/dmi/id/product_name", NULL, NULL);
    text_put(&node->got, "$", type, NULL);
    node_check(node, word_is(type, node->line->values));
}

// adjtimex() speaks of this machine, whatever the root. What is no state, an error, is no clock that is held either.
static void check_clock(Node *node) {
    const unsigned state = (unsigned)sys_clock_state();
    node_check_status(node, node->is_rooted ? SKIP : state < CLOCK_UNSYNCHRONIZED ? PASS : FAIL);
}

static void check_line(Node *node) {
    const char *values = node->line->values;
    switch (node->line->key) {
    case KEY_TYPE:
        check_type(node);
        return;
    case KEY_EFA_COUNT:
        check_efa(node);
        return;
    case KEY_EFA_PCI:
        check_efa_pci(node);
        return;
    case KEY_EFA_DRIVER:
        check_driver(node, "efa");
        return;
    case KEY_EFA_P2P:
        check_efa_p2p(node);
        return;
    case KEY_GPU_COUNT:
        check_count(node, FAMILY_GPU);
        return;
    case KEY_GPU_NVSWITCH:
        check_count(node, FAMILY_NVSWITCH);
        return;
    case KEY_GPU_DRIVER:
        check_driver(node, "nvidia");
        return;
    case KEY_NEURON_COUNT:
        check_count(node, FAMILY_NEURON);
        return;
    case KEY_NEURON_DRIVER:
        check_driver(node, "neuron");
        return;
    case KEY_NEURON_ECC:
        check_neuron_ecc(node);
        return;
    case KEY_PROC:
        check_proc(node);
        return;
    case KEY_MODULE:
        node_check(node, node_has(node, "/sys/module/$", values, NULL));
        return;
    case KEY_FILE:
        node_check(node, node_has(node, "%", values, NULL));
        return;
    case KEY_HUGEPAGES2M:
        check_at_least(
            node, number_at(node_look(node, "/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", NULL, NULL)));
        return;
    case KEY_CPUS:
        check_cpus(node);
        return;
    case KEY_MEM_MIB:
        check_at_least(
            node, number_at(word_next(text_find(node_look(node, "/proc/meminfo", NULL, NULL), "MemTotal:"))) / 1024);
        return;
    case KEY_NVME_COUNT:
        check_nvme(node);
        return;
    case KEY_CLOCK:
        check_clock(node);
        return;
    case KEY_MOUNT:
        check_mount(node);
        return;
    case KEY_KLOG:
        check_klog(node);
        return;
    case KEY_GROUP:
    case KEY_GPU_FABRIC:
    case KEY_LIBFABRIC:
    case KEY_MEMLOCK:
    case KEY_NOFILE:
    case KEY_MTU:
    case KEY_LNET:
    case KEY_PEERS:
    case KEY_PEER_PORT:
    case KEY_PEER_MS:
    case KEY_COLL_BYTES:
    case KEY_COLL_LINK_GBPS:
    case KEY_COLL_BUS_GBPS:
    case KEY_COLL_ITERS:
    case KEY_COLL_OP_S:
    case KEY_COLL_RDV_S:
    case KEY_COLL_SHA256:
        return;
    }
}

void node_run(Node *node) {
    for (int i = 0; i < node->record.count; i++) {
        node->line = &node->record.lines[i];
        node->only_warns = node->line->only_warns;
        node->is_of_image = key_class(node->line->key) == IMAGE;
        node->is_fixed = key_class(node->line->key) == FIXED;
        check_line(node);
    }
}
