// The checks of the second stage, a family each.
#pragma once

#include "stdlib/node/device/expected.h"
#include "stdlib/node/device/findings.h"
#include "stdlib/node/device/host.h"

typedef struct Node {
    Host host;
    const Expected *expected;
    Findings *findings; // in memory that children share
    const char *nvml;   // the libraries to load
    const char *cuda;
    int64_t limit_ms; // for each library
    int64_t open_ms;  // for a device node
} Node;

void check_root(const Node *node);
void check_memlock(const Node *node);
void check_pci_links(const Node *node);
void check_nvswitches(const Node *node);
void check_peers(const Node *node);
void check_record(const Node *node); // lines that the first stage leaves to this one

void check_gpu_nodes(const Node *node);
void check_nvml(const Node *node);
void check_cuda(const Node *node);

void check_neurons(const Node *node);
