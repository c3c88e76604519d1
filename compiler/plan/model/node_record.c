// Turns a group of nodes into the record of what must be true on each node. It comes from the instance type's row, from
// what the author mounts and asks for, and from what the target's images bring. The rows of the keys are those of the
// cores, so a key that no core knows does not compile. A fact by which good nodes might be turned away, since an image
// may do without it, only warns.
#include "compiler/plan/model/node_record.h"

#include "compiler/plan/model/declared_group.h"
#include "stdlib/node/contract.h"

typedef enum {
#define NODE_KEY(id, name, form, repeat, unit, class, text) KEY_##id,
    NODE_KEYS(NODE_KEY)
#undef NODE_KEY
} Key;

static const char *const KEY_NAMES[] = {
#define NODE_KEY(id, name, form, repeat, unit, class, text) [KEY_##id] = name,
    NODE_KEYS(NODE_KEY)
#undef NODE_KEY
};

// ParallelCluster's images have the EFA installer's software, of which this is the part that asks the device. AWS
// ParallelCluster User Guide, Elastic Fabric Adapter, 2026-11.
static const char FI_INFO[] = "/opt/amazon/efa/bin/fi_info";

static const char FABRIC_MANAGER[] =
    "nv-fabricmanage"; // the first 15 characters of nv-fabricmanager, as Linux keeps it

// The modules behind /dev/infiniband: aws-samples/aws-do-eks@f721602f, 2026-11.
static const char *const EFA_MODULES[] = { "efa", "ib_uverbs" };

static void add_text(StrBuf *record, Key key, Str value) {
    strbuf_add_format(record, "%s %.*s\n", KEY_NAMES[key], STR_ARG(value));
}

static void add_word(StrBuf *record, Key key, const char *value) {
    add_text(record, key, str_of(value));
}

// What fails only warns.
static void add_wish(StrBuf *record, Key key, const char *value) {
    strbuf_add_char(record, NODE_RECORD_WARN);
    add_word(record, key, value);
}

static void add_number(StrBuf *record, Key key, int64_t value) {
    strbuf_add_format(record, "%s %" PRId64 "\n", KEY_NAMES[key], value);
}

static void add_list(StrBuf *record, Key key, const Value *list) {
    for (uint32_t i = 0; list != NULL && i < list->list.count; i++) {
        add_text(record, key, list->list.items[i]->string);
    }
}

// ---- what all types of a group have alike ------------------------------------------------------------------------

typedef bool SameOf(const InstanceRow *row, const InstanceRow *other);

static bool has_disks_of(const InstanceRow *row, const InstanceRow *other) {
    return row->nvme_count == other->nvme_count;
}

static bool has_fabric_manager_of(const InstanceRow *row, const InstanceRow *other) {
    return row->needs_fabric_manager == other->needs_fabric_manager;
}

static bool has_efa_device_of(const InstanceRow *row, const InstanceRow *other) {
    return row->efa_device != NULL && other->efa_device != NULL && strcmp(row->efa_device, other->efa_device) == 0;
}

static int interface_gbps(const InstanceRow *row) {
    return row->efa_gbps > 0 && row->efa_max > 0 ? row->efa_gbps / row->efa_max : 0;
}

static bool has_link_of(const InstanceRow *row, const InstanceRow *other) {
    return interface_gbps(row) == interface_gbps(other) && row->rdma_read == other->rdma_read;
}

static bool is_same(const PlanNodes *nodes, SameOf *is_like) {
    for (uint32_t i = 0; i < nodes->types.count; i++) {
        if (nodes->types.items[i].row != nodes->instance && !is_like(nodes->types.items[i].row, nodes->instance)) {
            return false;
        }
    }
    return true;
}

// ---- devices ---------------------------------------------------------------------------------------------------

static void add_efa(StrBuf *record, const PlanNodes *nodes) {
    if (nodes->fabric.efa_count == 0) {
        return;
    }
    const char *device = is_same(nodes, has_efa_device_of) ? nodes->instance->efa_device : NULL;
    const EfaDeviceRow *row = device == NULL ? NULL : schema_efa_device(str_of(device));
    if (!plan_efa_is_unknown(nodes)) {
        add_number(record, KEY_EFA_COUNT, nodes->fabric.efa_count);
    }
    if (device != NULL) {
        add_word(record, KEY_EFA_PCI, device);
    }
    if (row != NULL && row->driver != NULL) {
        // An older one does not know the device and leaves it without a driver, which efa.bound says. Kernels as
        // kernel.org has them say no version of theirs: efa_main.c has no MODULE_VERSION there, 2025.
        add_wish(record, KEY_EFA_DRIVER, row->driver);
    }
    if (nodes->cluster->target == TARGET_PARALLELCLUSTER) {
        add_word(record, KEY_LIBFABRIC, FI_INFO);
    }
}

// Fabric Manager waits for the GPUs up to half a minute after its start (pytorch/ci-infra#552, 2026-05). The cores look
// again for longer than that. Without it no program can use the GPUs.
static void add_accelerators(StrBuf *record, const PlanNodes *nodes) {
    const InstanceRow *row = nodes->instance;
    if (row->accelerators < 1) {
        return; // none, a part of one, or not known
    }
    if (row->accelerator == ACCELERATOR_NEURON) {
        add_number(record, KEY_NEURON_COUNT, row->accelerators);
        // The count does not say whether one error is the end of a device. Driver 2.24 has another count of errors that
        // can be repaired (neuron_sysfs_metrics.c, 2025-09).
        add_wish(record, KEY_NEURON_ECC, "0");
    }
    if (row->accelerator != ACCELERATOR_NVIDIA) {
        return;
    }
    add_number(record, KEY_GPU_COUNT, row->accelerators);
    if (row->needs_fabric_manager && is_same(nodes, has_fabric_manager_of)) {
        add_word(record, KEY_PROC, FABRIC_MANAGER);
    }
    strbuf_add(record, str_of(KEY_NAMES[KEY_KLOG]));
    for (int i = 0; i < XID_ROW_COUNT; i++) {
        strbuf_add_format(record, " %d", XID_ROWS[i].code);
    }
    strbuf_add_char(record, '\n');
}

static void add_modules(StrBuf *record, const PlanNodes *nodes, const PlanValidate *validate) {
    if (validate->modules != NULL) {
        add_list(record, KEY_MODULE, validate->modules);
        return;
    }
    for (size_t i = 0; nodes->fabric.efa_count > 0 && i < COUNT_OF(EFA_MODULES); i++) {
        add_word(record, KEY_MODULE, EFA_MODULES[i]);
    }
}

// ---- the machine -----------------------------------------------------------------------------------------------

// If EFA's buffers cannot be locked, work ends with -12. What a daemon starts has the daemon's limit. A container on
// AWS Batch has a limit of its own, in its job definition.
static void add_limits(StrBuf *record, const PlanNodes *nodes) {
    if (nodes->fabric.efa_count > 0 && nodes->cluster->target == TARGET_PARALLELCLUSTER) {
        add_wish(record, KEY_MEMLOCK, "unlimited slurmd");
    }
}

// What of the nominal memory a kernel counts at least; none of a type that is so small that nothing can be said.
static void add_memory(StrBuf *record, const InstanceRow *row) {
    enum { PERCENT = 100 };
    const int64_t most = row->memory_mib * schema_constant(CONSTANT_NODE_MEMORY_PERCENT_LEAST) / PERCENT;
    const int64_t least = most - schema_constant(CONSTANT_NODE_MEMORY_RESERVE_MIB);
    if (least > 0) {
        add_number(record, KEY_MEM_MIB, least);
    }
}

static void add_machine(StrBuf *record, const PlanNodes *nodes) {
    const InstanceRow *row = nodes->instance;
    if (row->vcpus != UNKNOWN) {
        add_number(record, KEY_CPUS, row->vcpus);
    }
    add_memory(record, row);
    if (row->nvme_count > 0 && is_same(nodes, has_disks_of)) {
        add_number(record, KEY_NVME_COUNT, row->nvme_count);
    }
    add_wish(record, KEY_CLOCK, "sync");
}

// ---- file systems ----------------------------------------------------------------------------------------------

// Its type as the kernel lists it; NULL: it is not mounted by the target before the check, or no source says how.
static const char *file_system(StorageKind kind) {
    switch (kind) {
    case STORAGE_LUSTRE:
        return "lustre";
    case STORAGE_EFS:
    case STORAGE_NFS:
        return "nfs4"; // aws/efs-utils, README, 2026-11
    case STORAGE_OPENZFS:
    case STORAGE_EBS:
    case STORAGE_ONTAP:
    case STORAGE_OTHER:
        break;
    }
    return NULL;
}

static void add_mounts(StrBuf *record, const PlanNodes *nodes) {
    const PlanCluster *cluster = nodes->cluster;
    const bool has_mounts = cluster->target == TARGET_PARALLELCLUSTER || cluster->target == TARGET_BATCH;
    for (uint32_t i = 0; has_mounts && i < cluster->storages.count; i++) {
        const PlanStorage *storage = cluster->storages.items[i];
        const char *type = file_system(storage->kind);
        if (type != NULL && storage->mount != NULL && storage->mount->kind == VALUE_STRING) {
            strbuf_add_format(record, "%s %.*s %s\n", KEY_NAMES[KEY_MOUNT], STR_ARG(storage->mount->string), type);
        }
    }
    const bool has_scratch = nodes->scratch != NULL && nodes->scratch->kind == VALUE_STRING;
    if (has_scratch && cluster->target == TARGET_BATCH) {
        // As stdlib/node/scratch.sh makes it.
        strbuf_add_format(record, "%s %.*s xfs\n", KEY_NAMES[KEY_MOUNT], STR_ARG(nodes->scratch->string));
    }
}

// ---- the collective --------------------------------------------------------------------------------------------

// Without RDMA reads the receiver copies each message, and a link carries what one processor copies.
int node_record_link_gbps(const PlanNodes *nodes) {
    enum { PERCENT = 100 };
    const bool is_known = nodes->fabric.efa_count > 0 && is_same(nodes, has_link_of) && nodes->instance->rdma_read == 1;
    const int64_t share = schema_constant(CONSTANT_COLLECTIVE_LINK_PERCENT);
    return is_known ? (int)(interface_gbps(nodes->instance) * share / PERCENT) : 0;
}

// The floor that the author asks for. What others measured is of GPUs, and no measure of a ring through the memory of
// the host, so it makes no floor here.
static void add_collective(StrBuf *record, const PlanNodes *nodes, const PlanValidate *validate) {
    if (str_is(validate->collective->string, "none")) {
        return;
    }
    add_number(record, KEY_COLL_BYTES, schema_constant(CONSTANT_COLLECTIVE_BYTES));
    const int link_gbps = node_record_link_gbps(nodes);
    if (link_gbps > 0) {
        strbuf_add_char(record, NODE_RECORD_WARN);
        add_number(record, KEY_COLL_LINK_GBPS, link_gbps);
    }
    if (validate->min_busbw != NULL) {
        add_number(record, KEY_COLL_BUS_GBPS, validate->min_busbw->integer / BITS_OF_GIGABIT);
    }
}

// ---- all of it -------------------------------------------------------------------------------------------------

Str node_record_write(Arena *arena, const PlanNodes *nodes, const PlanValidate *validate) {
    StrBuf record = { .arena = arena };
    strbuf_add(&record, STR(NODE_RECORD_VERSION "\n"));
    add_text(&record, KEY_GROUP, nodes->head.id);
    if (nodes->types.count == 1) {
        add_word(&record, KEY_TYPE, nodes->instance->name);
    }
    add_efa(&record, nodes);
    add_accelerators(&record, nodes);
    add_machine(&record, nodes);
    add_limits(&record, nodes);
    add_mounts(&record, nodes);
    add_modules(&record, nodes, validate);
    add_list(&record, KEY_FILE, validate->files);
    add_collective(&record, nodes, validate);
    return strbuf_str(&record);
}

size_t node_record_bad_byte(Str text) {
    for (size_t i = 0; i < text.len; i++) {
        const char c = text.data[i];
        const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!is_plain && (c == 0 || strchr(NODE_RECORD_PUNCTUATION, c) == NULL)) {
            return i;
        }
    }
    return text.len;
}
