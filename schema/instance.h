// An instance type as dtc knows it: one row. schemagen read it when dtc was built, or a file of `--schema` brought it
// at run time.
#pragma once

#include "compiler/base/str.h"

enum { UNKNOWN = -1 }; // of any number below: no source says

typedef enum { ARCHITECTURE_X86_64, ARCHITECTURE_ARM64, ARCHITECTURE_UNKNOWN } Architecture;
const char *schema_architecture_name(Architecture architecture); // "x86_64", "arm64" or "unknown", as EC2 spells them
typedef enum { ACCELERATOR_NONE, ACCELERATOR_NVIDIA, ACCELERATOR_NEURON, ACCELERATOR_OTHER } AcceleratorKind;
typedef enum { CARD_ENA = 1, CARD_EFA = 2 } CardCapability; // bits: which interfaces a card takes

// What a network interface is, as EC2's InterfaceType has it.
typedef enum {
    NIC_INTERFACE, // ENA: has an IP address
    NIC_EFA,       // EFA and ENA in one: has an IP address; the card takes both
    NIC_EFA_ONLY,  // EFA without an address; never primary
} NicKind;

enum {
    NICS_MAX = 64,            // of one instance; the most today is 33
    CARDS_MAX = NICS_MAX - 1, // of one instance: card 0 may carry two interfaces under a layout with one on each
    CARD_INTERFACES_MAX = 64, // of one card; the most today is 24
};

// Sizes that the UltraServers of one type come in.
enum { ULTRASERVER_SIZES_MAX = 3 };

// A run of network cards that are alike: cards first … first + count - 1. Runs follow each other from card 0 on
// without a gap.
typedef struct {
    int first;
    int count;
    int interfaces_max; // device indices 0 … interfaces_max - 1; UNKNOWN: at least one
    unsigned takes;     // bits of CardCapability; 0 on every run: no source says which cards take EFA
} CardRun;

// A layout that follows from no rule, row by row; see nics.h. Ordered by card, then device.
typedef struct {
    int card;
    int device;
    NicKind kind;
} LayoutNic;

typedef struct {
    const char *name; // "max_bandwidth"
    const LayoutNic *nics;
    int count;
    const char *source;
} LayoutRow;

typedef struct {
    const char *name;   // "p4d.24xlarge"
    const char *family; // "p4d"
    Architecture architecture;
    int vcpus;
    int cores;
    int threads_per_core;
    int64_t memory_mib;
    AcceleratorKind accelerator;
    const char *accelerator_vendor; // "NVIDIA"; NULL where there is none
    const char *accelerator_name;   // "A100"
    int accelerators;               // whole ones; 0 where there are none, UNKNOWN where no source says
    const char *accelerator_share;  // "1/8" where the type has a part of one (`accelerators` is 0 then), else NULL
    int64_t accelerator_memory_mib; // each
    bool needs_fabric_manager;      // its GPUs are of no use before NVIDIA's Fabric Manager has set up the switches
    int neuron_cores;               // of one device; 0 where it has none
    int driver_first;               // the branch of NVIDIA's driver that it needs at least; 0: nothing is known
    int driver_last;                // the last branch that works with it; 0: no end is known
    const CardRun *cards;           // NULL and 0 where unknown
    int card_run_count;
    int network_cards;
    int efa_max;                // EFA interfaces, all cards together
    const char *efa_generation; // "v2", or NULL
    const char *efa_device;     // as pci.ids numbers it: "efa0"; NULL: no source says
    int efa_gbps;
    int network_mbps; // what it sustains; what it bursts to is not here
    int rdma_read;    // 1, 0 or UNKNOWN
    int rdma_write;
    int nvme_count;
    int64_t nvme_total_gb;
    int placement_cluster; // 1, 0 or UNKNOWN, as all below
    int capacity_on_demand;
    int capacity_spot;
    int capacity_block;
    bool is_unpriced; // the API sells it on demand, and no price list has a price for that
    int ultraserver_sizes[ULTRASERVER_SIZES_MAX + 1]; // types in one UltraServer, ascending; 0 behind the last
    const LayoutRow *layouts; // beyond the rule: max_bandwidth, and min_ip where the rule does not hold
    int layout_count;
    uint64_t offered;       // bit i: REGION_ROWS[i] offers it; 0: no source speaks of the type
    const char *status;     // "current", "retired", "ultraserver-only", "named-only"; "described" by EC2, in a file
    const char *sources;    // one a line: the source's key, what it is and its month
    const char *only_zone;  // the Local Zone that has the type, and no other zone has it; NULL mostly
    const char *note;       // may be NULL
    const char *unverified; // what dtc goes by though no source confirms it; NULL where there is no such thing
    const char *origin;     // "types.json:12" where a file of `--schema` says all this; NULL: dtc's own row
} InstanceRow;

// The texts of a row that schemagen writes.
#define INSTANCE_ROW_TEXTS(TEXT) \
    TEXT(name)                   \
    TEXT(family)                 \
    TEXT(accelerator_vendor)     \
    TEXT(accelerator_name)       \
    TEXT(accelerator_share)      \
    TEXT(efa_generation)         \
    TEXT(efa_device)             \
    TEXT(status)                 \
    TEXT(sources)                \
    TEXT(only_zone)              \
    TEXT(note)                   \
    TEXT(unverified)

// A row as schemagen writes it. It has no pointer. Each pointer would be relocated at each start of dtc, whichever rows
// are asked for. That took as long as an empty process.
typedef struct {
    InstanceRow row; // all but its pointers, which are NULL
#define TEXT(field) uint32_t field;
    INSTANCE_ROW_TEXTS(TEXT) // where it begins in INSTANCE_TEXTS; 0: NULL
#undef TEXT
    uint32_t cards;   // where they begin in INSTANCE_CARDS
    uint32_t layouts; // and in INSTANCE_LAYOUTS
} StoredInstance;
