// The machine around the devices: processors, processes, disks, file systems.
#include "stdlib/node/core/node.h"
#include "stdlib/node/core/sys.h"

#include <stddef.h>

// "0-95,97": ranges of numbers.
void check_cpus(Node *node) {
    uint64_t count = 0;
    const char *at = node_look(node, "/sys/devices/system/cpu/online", NULL, NULL);
    while (is_digit(*at)) {
        const uint64_t first = number_at(at);
        uint64_t last = first;
        while (*at > ' ' && *at++ != ',') {
            last = at[-1] == '-' ? number_at(at) : last;
        }
        count += last - first + 1;
    }
    check_at_least(node, count);
}

// Volumes are NVMe disks too, of another model.
void check_nvme(Node *node) {
    uint64_t count = 0;
    Folder folder;
    folder_open(&folder, "sys/class/nvme", "nvme");
    for (const char *name; (name = folder_next(&folder)) != NULL;) {
        const char *model = node_look(node, "/sys/class/nvme/$/model", name, NULL);
        if (text_after(model, "Amazon EC2 NVMe Instance Storage") != NULL) {
            count++;
        } else if (text_after(model, "Amazon Elastic Block Store") == NULL) {
            node_fault(node, name, "other-model");
        }
    }
    const bool is_right = count == number_at(node->line->values);
    if (is_right) {
        node->got.len = 0;
    } else if (node->got.len > 0) {
        text_put_byte(&node->got, ' ');
    }
    text_put_number(&node->got, count);
    node_check(node, is_right);
}

// By its command, which the kernel cuts to 15 characters.
void check_proc(Node *node) {
    bool is_running = false;
    Folder folder;
    folder_open(&folder, "proc", "");
    for (const char *name; (name = folder_next(&folder)) != NULL;) {
        is_running = is_running || word_is(node_look(node, "/proc/$/comm", name, NULL), node->line->values);
    }
    node_check(node, is_running);
}

// The last line with the path counts: what was mounted there before is hidden by it.
static const char *type_at(Node *node, const char *path) {
    const char *type = "";
    for (const char *at = node_look(node, "/proc/mounts", NULL, NULL); *at != '\0'; at = text_find(at, "\n")) {
        const char *place = word_next(at);
        type = word_is(place, path) ? word_next(place) : type;
    }
    return type;
}

// Who asks for space makes an automount mount first, as which ParallelCluster has Lustre after a restart
// (_mount_unmount.rb of its cookbook, 2026). What is mounted is not asked: it answers to nobody while its servers are
// away, minutes in each patch of FSx for Lustre (FSx for Lustre User Guide, maintenance windows, 2026-11), and a look
// that hangs is held against the machine, on all nodes at once.
void check_mount(Node *node) {
    const char *path = node->line->values;
    const char *wanted = word_next(path);
    const char *gib = word_next(wanted);
    const char *type = type_at(node, path);
    uint64_t free_gib = 0;
    if (*gib != '\0' || !word_is(type, wanted)) {
        free_gib = sys_free_gib(node_path(node, "$", path, NULL));
        type = type_at(node, path);
    }
    text_put(&node->got, *type != '\0' ? "$" : "absent", type, NULL);
    bool is_right = word_is(type, wanted);
    (void)node_path(node, "$", path, NULL);
    if (is_right && *gib != '\0') {
        is_right = free_gib >= number_at(gib);
        text_put_byte(&node->got, ' ');
        text_put_number(&node->got, free_gib);
    }
    node_check(node, is_right);
}
