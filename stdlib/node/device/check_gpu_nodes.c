// Device nodes of GPUs. To open one is to let the driver initialise the GPU, which fails, or hangs, where it is broken:
// a child does it. On a node without GPUs there is none.
#include "stdlib/node/device/checks.h"
#include "stdlib/node/device/child.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

typedef struct Opening {
    const char *path;
    int *fault; // in memory that is shared: an errno
} Opening;

static void open_it(void *context) {
    const Opening *opening = context;
    const int descriptor = open(opening->path, O_RDWR | O_CLOEXEC);
    *opening->fault = descriptor < 0 ? errno : 0;
    if (descriptor >= 0) {
        (void)close(descriptor);
    }
}

static void look_at(const Node *node, Finding *finding, const char *name, int *fault) {
    char path[HOST_PATH_BYTES];
    host_path(&node->host, path, "/dev", name, NULL);
    *fault = ECHILD;
    const ChildEnd end = child_run(open_it, &(Opening){ .path = path, .fault = fault }, node->open_ms);
    finding_look(finding);
    if (end == CHILD_HUNG) {
        finding_fault(finding, LEVEL_FAIL, name, "hangs");
    } else if (end == CHILD_CRASHED || *fault != 0) {
        finding_fault(finding, LEVEL_FAIL, name, "%s",
                      *fault == ENOENT ? "absent"
                      : *fault == EIO  ? "input-output-error"
                                       : "cannot-open");
    }
}

void check_gpu_nodes(const Node *node) {
    enum { NAME_BYTES = 32 };
    int *fault = child_memory(sizeof *fault);
    Finding nodes = { .check = DEVICE_GPU_NODE, .at = "/dev" };
    Finding uvm = { .check = DEVICE_GPU_UVM, .at = "/dev" };
    if (fault == NULL) {
        findings_skip(node->findings, DEVICE_GPU_NODE, "no memory");
        return;
    }
    for (uint32_t i = 0; i < node->expected->gpus; i++) {
        char name[NAME_BYTES];
        text_into(name, sizeof name, "nvidia%u", i);
        look_at(node, &nodes, name, fault);
    }
    findings_put(node->findings, &nodes);
    look_at(node, &uvm, "nvidia-uvm", fault);
    findings_put(node->findings, &uvm);
}
