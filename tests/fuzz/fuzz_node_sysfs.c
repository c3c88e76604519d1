// A kernel that answers anything: the bytes say which files there are, what they hold, what folders list, how programs
// end. Whatever it says, the core ends with a verdict that is printable, one line, and whole.
#include <stdlib.h>
#include <string.h>

#include "stdlib/node/contract.h"
#include "stdlib/node/core/main.h"
#include "tests/support/still_kernel.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char RECORD[] =
    NODE_RECORD_VERSION "\n"
                        "group a\ntype p5.48xlarge\nefa.count 2\nefa.pci efa0 efa2\n"
                        "efa.driver 2.10.0\nefa.p2p NVIDIA\ngpu.nvswitch 1\n"
                        "gpu.driver 550.54.15\ngpu.fabric /usr/bin/nv-fabricmanager\n"
                        "neuron.count 1\nneuron.driver 2.19\nneuron.ecc 0\n?proc a\n"
                        "module ib_uverbs\nfile /a\nlibfabric /fi_info\n"
                        "memlock unlimited slurmd\nnofile 65536 slurmd\nhugepages2m 1\ncpus 4\n"
                        "mem.mib 1\nnvme.count 1\nmtu 9001\nclock sync\nmount /fsx lustre 1\n"
                        "lnet efa\ngpu.count 1\nklog 48 79\npeers 10.0.0.1 10.0.0.2\n";

enum { INPUT_MAX = 4096 }; // more only takes longer
enum { RECORD_FILE = 3, OTHER_FILE = 4, NAME_MAX_LEN = 40, ENTRY_NAME_AT = 19, ENTRY_SIZE = 80 };

// The core's kernel has no context; one input is run at a time.
static struct {
    const uint8_t *data;
    size_t left;
    size_t record_at;
    int64_t now_ms;
    char verdict[NODE_VERDICT_BYTES_MAX + 1];
    int verdict_len;
} world;

static unsigned take(void) {
    if (world.left == 0) {
        return 0;
    }
    world.left--;
    return *world.data++;
}

static int take_bytes(char *to, int most) {
    int len = (int)take();
    len = len < most ? len : most;
    len = (size_t)len < world.left ? len : (int)world.left;
    memcpy(to, world.data, (size_t)len);
    world.data += len;
    world.left -= (size_t)len;
    return len;
}

// What files may well begin with, so that the bytes have less to guess.
static const char *const STARTS[] = {
    "",
    "DRIVER=efa\nPCI_CLASS=20000\nPCI_ID=1D0F:EFA2\n",
    "DRIVER=nvidia\nPCI_CLASS=30200\nPCI_ID=10DE:2330\n",
    "DRIVER=neuron\nPCI_CLASS=88000\nPCI_ID=1D0F:7164\n",
    "6,1,0,-;NVRM: Xid (",
    "6,1,0,-;NVRM: Xid (PCI:0000:53:00): 79",
    "6,1,0,-;NVRM: Xid (PCI:0000:53:00): 79, a\n6,1,0,-;NVRM: GPU 0000:53:00.0: RmInitAdapter failed",
    "6,1,0,-;nvidia-nvswitch0: SXid (PCI:0000:c2:00.0): 20034, Fatal",
    "6,1,0,-;pcieport 0000:52:01.0: AER: Uncorrectable (Fatal)",
    "slurmd\n",
    "x /fsx lustre\n",
    "MemTotal:   ",
    "Amazon EC2 NVMe Instance Storage",
    "0-",
};

int sys_open(const char *path, int flags) {
    if (strcmp(path, &NODE_RECORD_PATH[1]) == 0) {
        world.record_at = 0;
        return RECORD_FILE;
    }
    return flags == OPEN_NEW || take() % 8 != 0 ? OTHER_FILE : -2;
}

int sys_read(int descriptor, void *buffer, int size) {
    if (descriptor == RECORD_FILE) {
        size_t len = sizeof RECORD - 1 - world.record_at;
        len = len < (size_t)size ? len : (size_t)size;
        memcpy(buffer, RECORD + world.record_at, len);
        world.record_at += len;
        return (int)len;
    }
    const char *start = STARTS[take() % (sizeof STARTS / sizeof STARTS[0])];
    const int len = world.left > 0 && (int)strlen(start) < size ? (int)strlen(start) : 0;
    memcpy(buffer, start, (size_t)len);
    return len + take_bytes((char *)buffer + len, size - len);
}

int sys_write(int descriptor, const void *buffer, int size) {
    (void)descriptor;
    memcpy(world.verdict, buffer, (size_t)size);
    world.verdict_len = size;
    return size;
}

// Entries of getdents64, with names of any bytes that a name may have.
int sys_read_folder(int descriptor, void *buffer, int size) {
    (void)descriptor;
    int len = 0;
    for (unsigned count = take() % 8; count > 0 && len + ENTRY_SIZE <= size; count--) {
        char *entry = (char *)buffer + len;
        memset(entry, 0, ENTRY_SIZE);
        entry[16] = ENTRY_SIZE;
        (void)take_bytes(entry + ENTRY_NAME_AT, NAME_MAX_LEN);
        if (entry[ENTRY_NAME_AT] == '\0') {
            entry[ENTRY_NAME_AT] = 'a';
        }
        len += ENTRY_SIZE;
    }
    return len;
}

bool sys_can_read(const char *path) {
    (void)path;
    return take() % 4 != 0;
}

uint64_t sys_free_gib(const char *path) {
    (void)path;
    return take();
}

int sys_clock_state(void) {
    return (int)(take() % 6);
}

int64_t sys_now_ms(void) {
    return world.now_ms += 1000;
}

int64_t sys_time_s(void) {
    return take();
}

void sys_sleep(int64_t ms) {
    (void)ms;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *arguments[] = { (char[]){ "dtc-node" }, (char[]){ "--wait" }, (char[]){ "2" }, NULL };
    world.data = data;
    world.left = size < INPUT_MAX ? size : INPUT_MAX;
    world.now_ms = 0;
    world.verdict_len = 0;
    const int status = core_main(3, arguments);
    const bool is_verdict = status == NODE_EXIT_PASS || status == NODE_EXIT_FAIL || status == NODE_EXIT_IMAGE;
    if (!is_verdict || world.verdict_len < 2 || memcmp(world.verdict + world.verdict_len - 2, "}\n", 2) != 0) {
        abort();
    }
    for (int i = 0; i < world.verdict_len - 1; i++) {
        if (world.verdict[i] < ' ' || world.verdict[i] > '~' || world.verdict[i] == '\\') {
            abort();
        }
    }
    return 0;
}
