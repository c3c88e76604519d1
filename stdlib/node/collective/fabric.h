// The network as a collective uses it: tagged messages between ranks over one or several interfaces. Everything of
// libfabric is behind this header.
//
// A *lane* is one interface with one endpoint, in a domain of its own; lane i of a rank talks to lane i of the others.
// Progress is manual: nothing moves, here or for a peer that waits, unless fabric_carry() or fabric_progress() runs.
#pragma once

#include "stdlib/node/collective/message.h"
#include "stdlib/node/collective/topology.h"

typedef struct Fabric Fabric;

typedef struct FabricGpu {
    void *memory;
    int number;
    const char *bus; // where it is
} FabricGpu;

typedef struct FabricOptions {
    const char *library;  // path of libfabric; NULL: where AWS installs it, then where the system looks
    const char *provider; // "efa", "tcp", "tcp;ofi_rxm"
    const char *domain;   // only domains whose name holds this; NULL: all that can leave the machine
    uint32_t lanes_max;
    size_t bytes;       // of the memory that transfers may use, of each region
    uint32_t gpu_count; // 0: the only region is in the machine's memory; else each GPU has one
    FabricGpu gpus[DEVICES_MAX];
    const char *root; // before paths of the system
} FabricOptions;

// Loads libfabric and opens the lanes, sorted by name. NULL, with a reason, where that cannot be done.
Fabric *fabric_open(const FabricOptions *options, char *reason, size_t reason_size);

uint32_t fabric_lane_count(const Fabric *fabric);

// Regions of memory: the machine's, or one in each GPU. Those lanes use a region that are nearest to its GPU.
uint32_t fabric_region_count(const Fabric *fabric);
uint32_t fabric_lanes_of(const Fabric *fabric, uint32_t region); // bits
uint32_t fabric_region_of(const Fabric *fabric, uint32_t lane);  // the first one that uses it

const char *fabric_provider(const Fabric *fabric);

// Where lane `lane` of this process is reached.
void fabric_address(const Fabric *fabric, uint32_t lane, LaneAddress *address);

// Makes a peer's lane known. False where the fabric refuses its address.
bool fabric_add_peer(Fabric *fabric, const LaneAddress *address);

// `options.bytes` bytes of the machine's memory, registered with every lane; without GPUs transfers may use these and
// no others.
uint8_t *fabric_memory(const Fabric *fabric);

typedef enum TransferKind { TRANSFER_SEND, TRANSFER_RECEIVE } TransferKind;

typedef struct Transfer {
    TransferKind kind;
    uint32_t lane;
    uint32_t peer;
    uint32_t region;
    size_t offset, len; // in the region
    uint64_t tag;
    bool is_done, has_failed; // set by fabric_carry()
} Transfer;

// What ends a wait before all is done.
typedef struct Patience {
    uint64_t deadline_ns;
    bool (*is_stopped)(void *);
    void *context;
    bool outlasts_failures; // of single transfers: the others are still driven to their end
} Patience;

typedef enum Carried { CARRIED, CARRIED_TOO_LATE, CARRIED_STOPPED, CARRIED_BROKEN } Carried;

enum { TRANSFERS_MAX = 4 * LANES_MAX };

// Posts the transfers (at most TRANSFERS_MAX) and drives them until all are done or the patience is over; which ones
// are done is in each. What was left undone is cancelled.
Carried fabric_carry(Fabric *fabric, Transfer *transfers, size_t count, const Patience *patience);

// Why the last one was CARRIED_BROKEN.
const char *fabric_reason(const Fabric *fabric);

// Serves peers that wait for this process while it waits for something else.
void fabric_progress(Fabric *fabric);
