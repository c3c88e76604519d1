// Devices on the PCI bus, told by their ids and never by their names: types such as p6-b200 have RDMA devices that are
// no EFA. Each EFA is followed to the verbs node that a job opens; its port's state is no evidence, since the driver
// says ACTIVE whatever the port does (efa_query_port in efa_verbs.c of the driver, 2026).
#include "stdlib/node/core/node.h"
#include "stdlib/node/core/sys.h"

#include <stddef.h>

enum {
    GID_SIZE = 48,
    INTERFACES_MAX = 64 /* twice as many as any type has */,
    BUSES = 256,
    XID_MOST = 999 /* those of NVSwitches have five digits */
};

static const char BUS[] = "/sys/bus/pci/devices";
static const char DRIVERS[][16] = {
    [FAMILY_EFA] = "efa",
    [FAMILY_GPU] = "nvidia",
    [FAMILY_NVSWITCH] = "nvidia-nvswitch",
    [FAMILY_NEURON] = "neuron",
};

// What the kernel says of a function: "DRIVER=efa", "PCI_CLASS=20000", "PCI_ID=1D0F:EFA2", a line each.
static const char *function_driver(const char *event) {
    return text_find(event, "DRIVER=");
}

static unsigned function_id(const char *event) {
    const char *id = text_find(event, "PCI_ID=");
    return hex_at(id) << 16 | hex_at(text_find(id, ":"));
}

static bool is_of(const char *event, Family family) {
    const unsigned id = function_id(event);
    const unsigned class = hex_at(text_find(event, "PCI_CLASS=")) >> 8;
    switch (family) {
    case FAMILY_EFA:
        return (id & ~0xfu) == 0x1d0fefa0;
    case FAMILY_GPU:
        return id >> 16 == 0x10de && class >> 8 == 3;
    case FAMILY_NVSWITCH:
        return id >> 16 == 0x10de && class == 0x0680;
    case FAMILY_NEURON:
        return (id & ~0xf03u) == 0x1d0f7064;
    }
    return false;
}

// The next function of the family; its event is in the node's scratch.
static const char *next_of(Node *node, Folder *folder, Family family) {
    for (;;) {
        const char *name = folder_next(folder);
        if (name == NULL || is_of(node_look(node, "/sys/bus/pci/devices/$/uevent", name, NULL), family)) {
            return name;
        }
    }
}

static int count_names(const char *path, const char *prefix) {
    Folder folder;
    int count = 0;
    folder_open(&folder, path, prefix);
    while (folder_next(&folder) != NULL) {
        count++;
    }
    return count;
}

// What names that which the numbers lack: functions that should be of the family, those of it that its driver does not
// list, device nodes that are missing.
static void put_lost(Node *node, Family family, int wanted) {
    Folder folder;
    folder_open(&folder, BUS + 1, NULL);
    for (const char *name; (name = folder_next(&folder)) != NULL;) {
        const char *event = node_look(node, "/sys/bus/pci/devices/$/uevent", name, NULL);
        if (is_of(event, family)) {
            if (family == FAMILY_GPU && !node_has(node, "/proc/driver/nvidia/gpus/$", name, NULL)) {
                node_fault(node, name, "not-in-driver");
            }
        } else if (function_id(event) == 0 || word_is(function_driver(event), DRIVERS[family])) {
            node_fault(node, name, "other-id");
        }
    }
    for (int i = 0; (family == FAMILY_GPU || family == FAMILY_NEURON) && i < wanted; i++) {
        char digits[16];
        Text number = { .data = digits, .size = sizeof digits };
        text_put_number(&number, (uint64_t)i);
        digits[number.len] = '\0';
        if (!node_has(node, "/dev/$$", DRIVERS[family], digits)) {
            node_fault(node, node->path_data, "absent");
        }
    }
}

// What the bus has and its driver has none of was not installed, whatever else is wrong.
void check_count(Node *node, Family family) {
    const int wanted = (int)number_at(node->line->values);
    Folder folder;
    int count = 0;
    folder_open(&folder, BUS + 1, NULL);
    while (next_of(node, &folder, family) != NULL) {
        count++;
    }
    const bool is_on_bus = count == wanted;
    bool is_right = is_on_bus;
    text_put_number(&node->got, (uint64_t)count);
    if (family == FAMILY_GPU) {
        count = count_names("proc/driver/nvidia/gpus", NULL);
        is_right = is_right && count == wanted;
        node->is_of_image = is_on_bus && count == 0;
        text_put(&node->got, " proc=", NULL, NULL);
        text_put_number(&node->got, (uint64_t)count);
    }
    if (family == FAMILY_GPU || family == FAMILY_NEURON) {
        count = count_names("dev", DRIVERS[family]);
        is_right = is_right && count == wanted;
        node->is_of_image = node->is_of_image || (is_on_bus && count == 0);
        text_put(&node->got, " dev=", NULL, NULL);
        text_put_number(&node->got, (uint64_t)count);
    }
    if (!is_right) {
        put_lost(node, family, wanted);
    }
    (void)node_path(node, BUS, NULL, NULL);
    node_check(node, is_right);
}

// `gids` holds those of the `count` functions looked at before, and room for one more.
static const char *gid_fault(Node *node, const char *function, char gids[][GID_SIZE], int count) {
    const char *device = node_first_in(node, "/sys/bus/pci/devices/$/infiniband", function);
    const char *gid = node_look(node, "/sys/bus/pci/devices/$/infiniband/$/ports/1/gids/0", function, device);
    bool is_zero = true;
    for (int i = 0; i < GID_SIZE; i++) {
        gids[count][i] = gid[i];
    }
    for (const char *at = gid; (unsigned char)*at > ' '; at++) {
        is_zero = is_zero && (*at == '0' || *at == ':');
    }
    if (is_zero) {
        return "no-gid";
    }
    while (--count >= 0) {
        if (word_is(gids[count], gid)) {
            return "same-gid";
        }
    }
    return NULL;
}

static const char *uverbs_fault(Node *node, const char *function) {
    const char *name = node_first_in(node, "/sys/bus/pci/devices/$/infiniband_verbs", function);
    const int verbs = sys_open(node_path(node, "/dev/infiniband/$", name, NULL), OPEN_BOTH);
    sys_close(verbs);
    return *name == '\0' ? "no-uverbs" : verbs < 0 ? "cannot-open" : NULL;
}

typedef enum { LOOK_BOUND, LOOK_IB, LOOK_GID, LOOK_UVERBS, LOOK_PCI, LOOK_P2P } Look;

// Puts a fault for each function that has one; where all have, it is their driver's. The event of the function is in
// the node's scratch at first.
static Status look_at_each(Node *node, Look look) {
    Folder folder;
    char gids[INTERFACES_MAX][GID_SIZE];
    int count = 0;
    int faults = 0;
    folder_open(&folder, BUS + 1, NULL);
    for (const char *function; count < INTERFACES_MAX && (function = next_of(node, &folder, FAMILY_EFA)) != NULL;
         count++) {
        const char *values = node->line->values;
        const char *fault = NULL;
        const char *found;
        switch (look) {
        case LOOK_BOUND:
            found = function_driver(node->scratch);
            fault = word_is(found, "efa") ? NULL : *found != '\0' ? found : "unbound";
            break;
        case LOOK_IB:
            found = node_first_in(node, "/sys/bus/pci/devices/$/infiniband", function);
            fault = *found != '\0' ? NULL : "no-device";
            break;
        case LOOK_GID:
            fault = gid_fault(node, function, gids, count);
            break;
        case LOOK_UVERBS:
            fault = uverbs_fault(node, function);
            break;
        case LOOK_PCI:
            fault = "other-id";
            for (; *values != '\0'; values = word_next(values)) {
                fault = hex_at(values) == (function_id(node->scratch) & 0xffff) ? NULL : fault;
            }
            break;
        case LOOK_P2P:
            found = node_look(node, "/sys/bus/pci/devices/$/p2p", function, NULL);
            fault = text_after(found, values) != NULL ? NULL : *found != '\0' ? found : "no-p2p";
            break;
        }
        if (fault != NULL) {
            node_fault(node, function, fault);
            faults++;
        }
    }
    node->is_of_image = node->is_of_image || faults == count;
    (void)node_path(node, BUS, NULL, NULL);
    return node->got.len > 0 ? FAIL : PASS;
}

void check_efa(Node *node) {
    check_count(node, FAMILY_EFA);
    node_check_more(node, CHECK_EFA_BOUND, look_at_each(node, LOOK_BOUND));
    node_check_more(node, CHECK_EFA_IB, look_at_each(node, LOOK_IB));
    node_check_more(node, CHECK_EFA_GID, look_at_each(node, LOOK_GID));
    node_check_more(node, CHECK_EFA_UVERBS, look_at_each(node, LOOK_UVERBS));
}

void check_efa_pci(Node *node) {
    node_check(node, look_at_each(node, LOOK_PCI) == PASS);
}

void check_efa_p2p(Node *node) {
    node_check(node, look_at_each(node, LOOK_P2P) == PASS);
}

// Uncorrectable errors since the driver was loaded, of device memory and of SRAM, where driver 2.14 and later have them
// (neuron_sysfs_metrics.c of the driver, 2026). Where no device has them there, that is no device's fault.
void check_neuron_ecc(Node *node) {
    bool is_known = false;
    Folder folder;
    folder_open(&folder, "sys/class/neuron_device", "neuron");
    for (const char *name; (name = folder_next(&folder)) != NULL;) {
        const char *of_memory =
            node_look(node, "/sys/class/neuron_device/$/stats/hardware/mem_ecc_uncorrected", name, NULL);
        bool is_read = is_digit(*of_memory);
        uint64_t errors = number_at(of_memory);
        const char *of_sram =
            node_look(node, "/sys/class/neuron_device/$/stats/hardware/sram_ecc_uncorrected", name, NULL);
        is_known = is_known || is_read || is_digit(*of_sram);
        is_read = is_read && is_digit(*of_sram);
        errors += number_at(of_sram);
        if (!is_read) {
            node_fault(node, name, "unreadable");
        } else if (errors > number_at(node->line->values)) {
            node_fault(node, name, "");
            text_put_number(&node->got, errors);
        }
    }
    (void)node_path(node, "/sys/class/neuron_device", NULL, NULL);
    node_check_status(node, !is_known ? SKIP : node->got.len > 0 ? FAIL : PASS);
}

// What is behind the first bracket: "PCI:0000:53:00): 79, pid=1". Errors of NVLink say whether they are fatal, 154 says
// what a GPU needs ("to 0x0 (None)": no more), and of an NVSwitch a code alone says nothing.
static bool is_fatal(const Node *node, const char *at, uint64_t code) {
    if (*text_find(at, "onfatal") != '\0' || *text_find(at, "to 0x0") != '\0') {
        return false;
    }
    for (const char *bad = node->line->values; *bad != '\0'; bad = word_next(bad)) {
        if (number_at(bad) == code) {
            return true;
        }
    }
    return *text_find(at, ", Fatal") != '\0';
}

// What the log has told of GPUs so far.
typedef struct {
    bool is_broken[BUSES]; // by their bus
    uint64_t count;        // of those; more than there are, where something else is broken
    uint64_t alone;        // as many need not share a cause
} Told;

// Whether the GPU's bus, behind the first sign, is new.
static bool is_new(Told *told, const char *address) {
    bool *is_broken = &told->is_broken[hex_at(text_find(address, ":")) % BUSES];
    const bool was_whole = !*is_broken;
    told->count += was_whole;
    *is_broken = true;
    return was_whole;
}

// "NVRM: Xid (PCI:0000:53:00): 79, pid=1", "nvidia-nvswitch0: SXid (PCI:0000:c2:00.0): 20034, Fatal, Link 28",
// "NVRM: GPU 0000:53:00.0: RmInitAdapter failed! (0x26:0x65:1482)", which each program that opens the GPU brings about
// anew, and "pcieport 0000:52:01.0: AER: Uncorrectable (Fatal) error message received from 0000:53:00.0".
static void look_at_message(Node *node, const char *message, Told *told) {
    const char *at = text_find(message, "Xid (");
    const uint64_t code = number_at(text_find(at, "): "));
    if (*text_find(message, "RmInitAdapter f") != '\0') {
        at = text_find(message, "GPU ");
        if (is_new(told, at)) {
            node_fault(node, at, "RmInitAdapter");
        }
    } else if (*text_find(message, "(Fatal)") != '\0') {
        node_fault(node, word_next(text_find(message, ";")), "AER");
        told->count += BUSES;
    } else if (*at != '\0' && is_fatal(node, at, code)) {
        if (code > XID_MOST) {
            told->count += BUSES;
        } else {
            (void)is_new(told, text_find(at, ":"));
            told->alone = 1;
        }
        node_fault(node, "", "");
        node->got.len--; // the sign comes behind the device
        while (*at != ')' && (unsigned char)*at > ' ') {
            text_put_byte(&node->got, *at++);
        }
        text_put_byte(&node->got, '=');
        text_put_number(&node->got, code);
    }
}

// A read of /dev/kmsg gives one message, whole, and says so where older ones were overwritten meanwhile; a file of a
// test has many. Where no GPU can be initialised, their driver cannot, and that came with the image. So it is where all
// GPUs of several have an Xid at once: they do not break together.
void check_klog(Node *node) {
    const int log = sys_open(node_path(node, "/dev/kmsg", NULL, NULL), OPEN_LOG);
    const char *gpus = record_values(&node->record, KEY_GPU_COUNT);
    Told told = { .count = 0 };
    int len = log < 0 ? log : FAULT_OVERWRITTEN;
    while (len > 0 || len == FAULT_OVERWRITTEN) {
        len = sys_read(log, node->scratch, SCRATCH_SIZE - 1);
        int start = 0;
        for (int i = 0; i < len; i++) {
            if (node->scratch[i] == '\n') {
                node->scratch[i] = '\0';
                look_at_message(node, node->scratch + start, &told);
                start = i + 1;
            }
        }
    }
    sys_close(log);
    if (len != 0 && len != FAULT_AGAIN) {
        node_fault(node, "log", "unreadable");
        node->is_of_image = true;
    }
    if (gpus != NULL && told.count > told.alone && told.count == number_at(gpus)) {
        node->is_of_image = true;
    }
    node_check(node, node->got.len == 0);
}
