// What the compiler and the cores on a node agree on, and all that they share: the expectation record that the compiler
// writes and a core reads, the verdict that a core writes, and the numbers a process ends with. Tables are X-macros, so
// that each side expands what it needs and a row without its counterpart does not compile.
//
// The record is text: NODE_RECORD_VERSION alone on the first line, then a line for each key: the key, one space, its
// values, one space between two of them, a line feed. No empty lines, no comments. Order is free, and the checks of a
// verdict come in the record's order. `?` before a key: what fails only warns. What a core does not understand
// (another version, an unknown key, a key twice that may stand once, a value of another form, a byte outside the
// alphabet) fails the node with NODE_EXIT_RECORD: compiler and core are built together.
#pragma once

#define NODE_RECORD_VERSION "dtc-expect 1"

// Letters, digits and these: neither a here-document nor a quoted word of a shell can be left by them.
#define NODE_RECORD_PUNCTUATION " ._:/@+-"
#define NODE_RECORD_WARN '?' // before a key, nowhere else

enum {
    NODE_RECORD_BYTES_MAX = 2048, // all of it, line feeds included
    NODE_RECORD_LINES_MAX = 96,   // with the first one
    NODE_LINE_BYTES_MAX = 1100,   // without its line feed: 64 addresses
    NODE_LINE_VALUES_MAX = 64,
    NODE_NUMBER_MAX = 2147483647, // of a value in the form `n`
    NODE_TEXT_BYTES_MAX = 512,    // of one string in a verdict; what is longer ends in "..."
    NODE_VERDICT_BYTES_MAX = 65536,
    NODE_VERDICT_VERSION = 1, // its "v"
};

// ---- the record
//
// NODE_KEY(ID, name, form, repeat, unit, class, text)
//   form    the values, a letter each: n number, v version (numbers with dots), p absolute path, w word, u number or
//           `unlimited`; after a letter, * is one or more of it (the last), ? that it may be left out (the last).
//   repeat  ONCE or MANY: whether the key may stand on several lines
//   unit    of its number; "" where there is none
//   class   HARDWARE or IMAGE: a preflight looks, and the check has the key's name. What fails is the machine's, or is
//           what was installed, started, configured or mounted on it, which may be the same on every node of a fleet.
//           FIXED is HARDWARE that is as it is: what fails fails at once, while the others may come late.
//           FACT: only said, for the verdict or for another check; the second stage looks at some, see there
//   text    for the manual: what has to be true
//
// A number that no source gives is left out, with its key.
#define NODE_KEYS(NODE_KEY)                                                                                            \
    NODE_KEY(GROUP, "group", "w", ONCE, "", FACT, "The node group, as the verdict names it.")                          \
    NODE_KEY(TYPE, "type", "w", ONCE, "", FIXED, "The instance type, as the firmware says it.")                        \
    NODE_KEY(EFA_COUNT, "efa.count", "n", ONCE, "interfaces", HARDWARE,                                                \
             "EFA interfaces: functions on the PCI bus, by their ids, each of them ready for use.")                    \
    NODE_KEY(EFA_PCI, "efa.pci", "w*", ONCE, "", FIXED, "PCI device ids that the interfaces may have: efa0, efa1.")    \
    NODE_KEY(EFA_DRIVER, "efa.driver", "v", ONCE, "", IMAGE, "The oldest driver of EFA that will do.")                 \
    NODE_KEY(EFA_P2P, "efa.p2p", "w", ONCE, "", IMAGE,                                                                 \
             "What the driver's p2p attribute begins with: NVIDIA or NEURON. Left out where dma-buf is used.")         \
    NODE_KEY(GPU_COUNT, "gpu.count", "n", ONCE, "GPUs", HARDWARE,                                                      \
             "NVIDIA GPUs: on the PCI bus, in the driver, and as device nodes.")                                       \
    NODE_KEY(GPU_NVSWITCH, "gpu.nvswitch", "n", ONCE, "switches", HARDWARE, "NVSwitches on the PCI bus.")              \
    NODE_KEY(GPU_DRIVER, "gpu.driver", "v", ONCE, "", IMAGE, "The oldest NVIDIA driver that will do.")                 \
    NODE_KEY(GPU_FABRIC, "gpu.fabric", "p", ONCE, "", FACT,                                                            \
             "The fabric manager's program: the version that it gives, in at most 4 seconds, is the driver's.")        \
    NODE_KEY(NEURON_COUNT, "neuron.count", "n", ONCE, "devices", HARDWARE,                                             \
             "Neuron devices: on the PCI bus and as device nodes.")                                                    \
    NODE_KEY(NEURON_DRIVER, "neuron.driver", "v", ONCE, "", IMAGE, "The oldest Neuron driver that will do.")           \
    NODE_KEY(NEURON_ECC, "neuron.ecc", "n", ONCE, "errors", FIXED,                                                     \
             "Uncorrectable memory errors that each Neuron device may have counted.")                                  \
    NODE_KEY(PROC, "proc", "w", MANY, "", IMAGE, "A process that runs, by the first 15 characters of its name.")       \
    NODE_KEY(MODULE, "module", "w", MANY, "", IMAGE, "A kernel module that is loaded.")                                \
    NODE_KEY(FILE, "file", "w*", MANY, "", IMAGE, "A file that is there and can be read: its path, blanks and all.")   \
    NODE_KEY(LIBFABRIC, "libfabric", "p", ONCE, "", FACT,                                                              \
             "The fi_info that has to find the provider efa, in at most 4 seconds.")                                   \
    NODE_KEY(MEMLOCK, "memlock", "uw", ONCE, "KiB", FACT,                                                              \
             "Memory that what the daemon starts may lock; the daemon, by the first 15 characters of its name.")       \
    NODE_KEY(NOFILE, "nofile", "uw", ONCE, "files", FACT, "Files that what the daemon starts may open; the daemon.")   \
    NODE_KEY(HUGEPAGES2M, "hugepages2m", "n", ONCE, "pages", IMAGE, "Huge pages of 2 MiB that are reserved.")          \
    NODE_KEY(CPUS, "cpus", "n", ONCE, "CPUs", IMAGE, "CPUs that are online, at least.")                                \
    NODE_KEY(MEM_MIB, "mem.mib", "n", ONCE, "MiB", FIXED, "Memory that the kernel has, at least.")                     \
    NODE_KEY(NVME_COUNT, "nvme.count", "n", ONCE, "disks", HARDWARE, "The instance's own NVMe disks, by their model.") \
    NODE_KEY(MTU, "mtu", "n", ONCE, "bytes", FACT, "The MTU of each network interface that is a device, at least.")    \
    NODE_KEY(CLOCK, "clock", "w", ONCE, "", IMAGE, "The word sync: the kernel's clock is synchronized.")               \
    NODE_KEY(MOUNT, "mount", "pwn?", MANY, "GiB", IMAGE, "A file system: where, its type, and its least free space.")  \
    NODE_KEY(LNET, "lnet", "w", ONCE, "", FACT, "The network that Lustre has an address on that is up: efa or tcp.")   \
    NODE_KEY(KLOG, "klog", "n*", ONCE, "", FIXED,                                                                      \
             "Xid codes of the NVIDIA driver that the kernel's log may not have; nor may it have what is fatal.")      \
    NODE_KEY(PEERS, "peers", "w*", ONCE, "", FACT, "IPv4 addresses that answer, even by a refusal, over TCP.")         \
    NODE_KEY(PEER_PORT, "peer.port", "n", ONCE, "", FACT, "The port of the peers; 7471 where it is left out.")         \
    NODE_KEY(PEER_MS, "peer.ms", "n", ONCE, "ms", FACT, "The time in which they answer; 2000 where it is left out.")   \
    NODE_KEY(COLL_BYTES, "coll.bytes", "n", ONCE, "bytes", FACT, "The size of an all-reduce.")                         \
    NODE_KEY(COLL_LINK_GBPS, "coll.link-gbps", "n", ONCE, "Gb/s", FACT, "What each link carries, at least.")           \
    NODE_KEY(COLL_BUS_GBPS, "coll.bus-gbps", "n", ONCE, "Gb/s", FACT,                                                  \
             "The bus bandwidth that NCCL reaches, at least.")                                                         \
    NODE_KEY(COLL_ITERS, "coll.iters", "n", ONCE, "", FACT, "How often an all-reduce is timed.")                       \
    NODE_KEY(COLL_OP_S, "coll.op-s", "n", ONCE, "s", FACT, "The longest that one operation may take.")                 \
    NODE_KEY(COLL_RDV_S, "coll.rdv-s", "n", ONCE, "s", FACT, "The longest that the nodes wait for each other.")        \
    NODE_KEY(COLL_SHA256, "coll.sha256", "w", ONCE, "", FACT, "The SHA-256 of dtc-collective, in hexadecimal digits.")

enum { NODE_PEER_PORT = 7471, NODE_PEER_MS = 2000, NODE_PROGRAM_MS = 4000 };

// How long a core looks again because of warnings: Fabric Manager waits for the GPUs' side of it up to half a minute.
enum { NODE_WARNING_MS = 30000 };

// ---- the verdict
//
// A check has the name of the key that wants it; `want` is the key's values. What is at fault is named in `got`,
// DEVICE=WHAT, several separated by spaces, and `at` is the file or folder that says so, or empty. A key may bring
// more: NODE_CHECK(ID, id, want, class, text), under names of their own.
//
// A verdict says whose it is and when it was: "instance", the id that the firmware has, and "time", in seconds since
// 1970.
//
// "class" of a check is its row's, but where every device has the same fault: that is its driver's, and so the image's.
#define NODE_CHECKS(NODE_CHECK)                                                                                     \
    NODE_CHECK(RECORD, "record", NODE_RECORD_VERSION, IMAGE, "The record is understood; at: the line that is not.") \
    NODE_CHECK(EFA_BOUND, "efa.bound", "efa", HARDWARE, "Each interface of efa.count has the driver.")              \
    NODE_CHECK(EFA_IB, "efa.ib", "device", HARDWARE, "Each has its RDMA device.")                                   \
    NODE_CHECK(EFA_GID, "efa.gid", "unique", HARDWARE, "Each has a GID that is not zero and nobody else's.")        \
    NODE_CHECK(EFA_UVERBS, "efa.uverbs", "opens", HARDWARE, "Each has a verbs node that opens.")

// What `dtc-collective device`, the second stage, checks: NODE_DEVICE_CHECK(ID, id, want, class, text). SHARED is
// HARDWARE, unless all devices have the fault, which is the image's then. ALIKE is the same where there are two devices
// or more: eight GPUs do not break in the same way at once, but the only one of a machine may.
#define NODE_DEVICE_CHECKS(NODE_DEVICE_CHECK)                                                                          \
    NODE_DEVICE_CHECK(LOG, "log", "readable", IMAGE, "The kernel's log can be read.")                                  \
    NODE_DEVICE_CHECK(LOG_GPU, "log.gpu", "no Xid", ALIKE, "No message asks for a reset or a repair of a GPU.")        \
    NODE_DEVICE_CHECK(LOG_NVSWITCH, "log.nvswitch", "no SXid", HARDWARE, "No error of an NVSwitch is fatal.")          \
    NODE_DEVICE_CHECK(LOG_PCI, "log.pci", "no fatal error", HARDWARE, "No error of PCI Express is fatal.")             \
    NODE_DEVICE_CHECK(LOG_EFA, "log.efa", "no timeout", ALIKE, "Each EFA interface takes commands.")                   \
    NODE_DEVICE_CHECK(LOG_MACHINE, "log.machine", "no fatal error", HARDWARE,                                          \
                      "No error of processors or memory was left uncorrected.")                                        \
    NODE_DEVICE_CHECK(LOG_NVME, "log.nvme", "no timeout", HARDWARE, "No NVMe disk was late or lost.")                  \
    NODE_DEVICE_CHECK(LOG_DISK, "log.disk", "writable", HARDWARE, "No file system became read-only.")                  \
    NODE_DEVICE_CHECK(LOG_NEURON, "log.neuron", "no error", ALIKE, "No Neuron device reports an error.")               \
    NODE_DEVICE_CHECK(ROOT, "root", "rw", IMAGE, "The root file system can be written.")                               \
    NODE_DEVICE_CHECK(MEMLOCK_DAEMON, "memlock.daemon", "unlimited", IMAGE,                                            \
                      "What starts containers lets them lock memory, if there are EFA interfaces.")                    \
    NODE_DEVICE_CHECK(PCI_WIDTH, "pci.width", "as its like", HARDWARE,                                                 \
                      "Each GPU and interface has all lanes of PCI Express that others of its kind have.")             \
    NODE_DEVICE_CHECK(PCI_SPEED, "pci.speed", "as its like", HARDWARE, "Each has the speed that others have.")         \
    NODE_DEVICE_CHECK(NVSWITCH, "nvswitch", "nvidia-nvswitch", SHARED, "Each NVSwitch has its driver.")                \
    NODE_DEVICE_CHECK(GPU_NODE, "gpu.node", "opens", SHARED, "The device node of each GPU opens in time.")             \
    NODE_DEVICE_CHECK(GPU_UVM, "gpu.uvm", "opens", IMAGE, "The node of the unified memory of GPUs opens.")             \
    NODE_DEVICE_CHECK(NEURON_COUNT, "neuron.devices", "", HARDWARE, "There are as many Neuron devices as expected.")   \
    NODE_DEVICE_CHECK(NEURON_CORES, "neuron.cores", "as its like", HARDWARE,                                           \
                      "Each Neuron device has as many cores as the others.")                                           \
    NODE_DEVICE_CHECK(NEURON_ERRORS, "neuron.errors", "0", ALIKE, "No Neuron device counts errors of memory.")         \
    NODE_DEVICE_CHECK(NVML, "nvml", "driver's", IMAGE, "NVML loads, and is of the driver's version.")                  \
    NODE_DEVICE_CHECK(NVML_COUNT, "nvml.count", "", HARDWARE, "NVML lists as many GPUs as expected.")                  \
    NODE_DEVICE_CHECK(NVML_STATE, "nvml.state", "no action", SHARED, "No GPU is lost or needs a reset.")               \
    NODE_DEVICE_CHECK(NVML_ECC, "nvml.ecc", "0", ALIKE, "No ECC error was left uncorrected.")                          \
    NODE_DEVICE_CHECK(NVML_ROWS, "nvml.rows", "none", ALIKE, "No row of memory waits to be remapped or cannot be.")    \
    NODE_DEVICE_CHECK(NVML_PAGES, "nvml.pages", "none", ALIKE, "No page of memory waits to be retired.")               \
    NODE_DEVICE_CHECK(NVML_INFOROM, "nvml.inforom", "valid", HARDWARE,                                                 \
                      "What each GPU's board keeps of itself is whole.")                                               \
    NODE_DEVICE_CHECK(NVML_CLOCKS, "nvml.clocks", "full", ALIKE, "No GPU slows down for heat or power.")               \
    NODE_DEVICE_CHECK(NVML_NVLINK, "nvml.nvlink", "all", SHARED, "Each GPU has as many NVLinks up as the others.")     \
    NODE_DEVICE_CHECK(NVML_NVLINK_ERRORS, "nvml.nvlink-errors", "0", ALIKE, "No NVLink counts errors.")                \
    NODE_DEVICE_CHECK(NVML_REPLAYS, "nvml.replays", "few", HARDWARE, "Few transfers to a GPU are repeated.")           \
    NODE_DEVICE_CHECK(NVML_WIDTH, "nvml.width", "as its like", HARDWARE, "The link of each GPU is as wide as others.") \
    NODE_DEVICE_CHECK(NVML_FABRIC, "nvml.fabric", "completed", SHARED, "Each GPU has joined the fabric, in health.")   \
    NODE_DEVICE_CHECK(CUDA, "cuda", "starts", SHARED, "CUDA starts, and each GPU copies what it is given.")            \
    NODE_DEVICE_CHECK(CUDA_MEMORY, "cuda.memory", "floor", HARDWARE, "Copies within a GPU's memory are fast.")         \
    NODE_DEVICE_CHECK(CUDA_HOST, "cuda.host", "unfloored", HARDWARE, "How fast copies to a GPU and back are.")         \
    NODE_DEVICE_CHECK(GPU_FABRIC, "gpu.fabric", "", IMAGE, "The fabric manager is of the driver's version.")           \
    NODE_DEVICE_CHECK(LIBFABRIC, "libfabric", "", IMAGE, "fi_info finds the provider efa.")                            \
    NODE_DEVICE_CHECK(MEMLOCK, "memlock", "", IMAGE, "What the daemon starts may lock enough memory.")                 \
    NODE_DEVICE_CHECK(NOFILE, "nofile", "", IMAGE, "What the daemon starts may open enough files.")                    \
    NODE_DEVICE_CHECK(MTU, "mtu", "", IMAGE, "Each network interface that is a device has the MTU, at least.")         \
    NODE_DEVICE_CHECK(LNET, "lnet", "", IMAGE, "Lustre has an address on the network that is up.")                     \
    NODE_DEVICE_CHECK(PEERS, "peers", "answer", IMAGE, "The record's peers answer over TCP.")

// "s" of a check and "verdict" of the whole. `skip`: nothing could be looked at, and nothing is held against the node.
#define NODE_PASS "pass"
#define NODE_WARN "warn"
#define NODE_FAIL "fail"
#define NODE_SKIP "skip"   // of a check alone
#define NODE_ERROR "error" // of the whole alone: the record was not understood

#define NODE_CLASS_HARDWARE "hardware" // "class" of a check
#define NODE_CLASS_IMAGE "image"

#define NODE_PHASE_PREFLIGHT "preflight" // the first stage: a core's
#define NODE_PHASE_DEVICE "device"       // the second: that of `dtc-collective device`
#define NODE_PHASE_COLLECTIVE "collective"

// ---- where things are, on a node

#define NODE_FOLDER "/run/dtc"
#define NODE_RECORD_PATH "/run/dtc/expect"        // what a core reads unless --expect says otherwise
#define NODE_VERDICT_PATH "/run/dtc/verdict.json" // renamed into place; none: the check has failed
#define NODE_PREFIX "dtc.dev/"                    // of labels and taints of Kubernetes nodes that are ours
#define NODE_TAINT NODE_PREFIX "unvalidated"      // of a Kubernetes node until it has passed

// ---- how a core ends

enum {
    NODE_EXIT_PASS = 0,  // or warn
    NODE_EXIT_FAIL = 1,  // this node's hardware fails, or it is the culprit: quarantine
    NODE_EXIT_OTHER = 2, // collective: another node, or an unclear link, is at fault: this one is not quarantined
    NODE_EXIT_LOST = 3,  // collective: the leader cannot be reached from here: quarantine after one more try
    NODE_EXIT_IMAGE = 4, // preflight: only checks of the class IMAGE fail: a warning, unless the author wrote `on_fail`
    NODE_EXIT_USAGE = 64,    // options; collective: also a token, a port or a name that the launcher has wrong
    NODE_EXIT_RECORD = 65,   // the record was not understood
    NODE_EXIT_INTERNAL = 70, // no verdict could be written
    NODE_EXIT_ENDED = 143, // preflight: SIGTERM came first, as shells say it: no verdict, and nothing against the node
};
