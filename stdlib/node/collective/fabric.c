// Turns transfers into tagged operations of the lanes' endpoints: posts what their queues take, and hears of what has
// ended.
#include "stdlib/node/collective/fabric.h"

#include "stdlib/node/collective/clock.h"
#include "stdlib/node/collective/lane.h"
#include "stdlib/node/collective/text.h"

#include <rdma/fi_cm.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_tagged.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

enum {
    COMPLETIONS_AT_ONCE = 16,
    SLOTS = 8 * TRANSFERS_MAX,
    // After so long without a completion, waiting costs less than the processor it burns. A nap is a share of the time
    // that passed: what is measured comes out longer by no more.
    PATIENCE_NS = 2 * NS_PER_MS,
    NAP_SHARE = 32,
    NAP_MIN_NS = 50000,
    NAP_MAX_NS = NS_PER_MS,
    CANCEL_NS = 100 * NS_PER_MS,
    STOP_EVERY_NS = 2 * NS_PER_MS,
};

// An operation that libfabric holds: `context` is first, since that is what comes back.
typedef struct Slot {
    struct fi_context2 context;
    Transfer *transfer; // NULL: nobody waits for it any more
    bool is_busy;
} Slot;

struct Fabric {
    Library library;
    Lane lanes[LANES_MAX];
    uint32_t lane_count;
    Regions regions;
    Slot slots[SLOTS];
    char reason[REASON_BYTES / 2];
};

Fabric *fabric_open(const FabricOptions *options, char *reason, size_t reason_size) {
    // Messages to the own host would go through memory. This is read when efa's domain is opened.
    setenv("FI_EFA_ENABLE_SHM_TRANSFER", "0", 0);
    if (options->gpu_count == 0) {
        // Else libfabric looks for GPUs, and on a node with some each run would start CUDA and wait for it.
        setenv("FI_HMEM", "system", 0);
    }
    Fabric *fabric = calloc(1, sizeof *fabric);
    if (fabric == NULL) {
        text_into(reason, reason_size, "no memory");
        return NULL;
    }
    fabric->regions.count = options->gpu_count > 0 ? options->gpu_count : 1;
    for (uint32_t i = 0; i < options->gpu_count; i++) {
        fabric->regions.memory[i] = options->gpus[i].memory;
    }
    if (!library_load(&fabric->library, options->library, reason, reason_size)) {
        free(fabric);
        return NULL;
    }
    if (options->gpu_count == 0) {
        void *memory =
            mmap(NULL, options->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
        if (memory == MAP_FAILED) {
            text_into(reason, reason_size, "no memory for %zu bytes", options->bytes);
            free(fabric);
            return NULL;
        }
        fabric->regions.memory[0] = memory;
    }
    fabric->lane_count = lanes_open(&fabric->library, options, &fabric->regions, fabric->lanes, reason, reason_size);
    // What was opened stays so until the process ends, which is soon.
    return fabric->lane_count > 0 ? fabric : NULL;
}

uint32_t fabric_lane_count(const Fabric *fabric) {
    return fabric->lane_count;
}

uint32_t fabric_region_count(const Fabric *fabric) {
    return fabric->regions.count;
}

uint32_t fabric_lanes_of(const Fabric *fabric, uint32_t region) {
    return fabric->regions.lanes[region];
}

uint32_t fabric_region_of(const Fabric *fabric, uint32_t lane) {
    uint32_t region = 0;
    while (region + 1 < fabric->regions.count && (fabric->regions.lanes[region] >> lane & 1) == 0) {
        region++;
    }
    return region;
}

const char *fabric_provider(const Fabric *fabric) {
    return fabric->lanes[0].info->fabric_attr->prov_name;
}

uint8_t *fabric_memory(const Fabric *fabric) {
    return fabric->regions.memory[0];
}

const char *fabric_reason(const Fabric *fabric) {
    return fabric->reason;
}

void fabric_address(const Fabric *fabric, uint32_t lane, LaneAddress *address) {
    *address = (LaneAddress){ .lane = lane };
    size_t len = sizeof address->address;
    // An address of no length is one that no peer can use, and is told as that.
    if (fi_getname(&fabric->lanes[lane].ep->fid, address->address, &len) == 0 && len <= sizeof address->address) {
        address->len = (uint32_t)len;
    }
    text_into(address->name, sizeof address->name, "%s", fabric->lanes[lane].name);
}

bool fabric_add_peer(Fabric *fabric, const LaneAddress *address) {
    if (address->lane >= fabric->lane_count || address->rank >= RANKS_MAX || address->len == 0) {
        return false;
    }
    Lane *lane = &fabric->lanes[address->lane];
    return fi_av_insert(lane->av, address->address, 1, &lane->peers[address->rank], 0, NULL) == 1;
}

// ---- transfers

static Slot *free_slot(Fabric *fabric) {
    for (size_t i = 0; i < SLOTS; i++) {
        if (!fabric->slots[i].is_busy) {
            return &fabric->slots[i];
        }
    }
    return NULL;
}

// 0, -FI_EAGAIN where the queue is full, or an error.
static long post(Fabric *fabric, Transfer *transfer) {
    const Lane *lane = &fabric->lanes[transfer->lane];
    struct fid_mr *registered = lane->mrs[transfer->region];
    void *descriptor = registered == NULL ? NULL : fi_mr_desc(registered);
    uint8_t *bytes = fabric->regions.memory[transfer->region] + transfer->offset;
    const fi_addr_t peer = lane->peers[transfer->peer];
    Slot *slot = free_slot(fabric);
    if (slot == NULL || peer == FI_ADDR_UNSPEC) {
        return slot == NULL ? -FI_EAGAIN : -FI_EADDRNOTAVAIL;
    }
    const long status =
        transfer->kind == TRANSFER_SEND
            ? fi_tsend(lane->ep, bytes, transfer->len, descriptor, peer, transfer->tag, &slot->context)
            // Tags name the sender: EFA may not yet know whose a first message is.
            : fi_trecv(lane->ep, bytes, transfer->len, descriptor, FI_ADDR_UNSPEC, transfer->tag, 0, &slot->context);
    if (status == 0) {
        slot->is_busy = true;
        slot->transfer = transfer;
    }
    return status;
}

// `detail`: what the provider knows beyond the error's number; NULL: nothing.
static void finish(Fabric *fabric, void *context, int error, const char *detail, size_t len) {
    Slot *slot = context;
    if (slot == NULL || !slot->is_busy) {
        return;
    }
    Transfer *transfer = slot->transfer;
    slot->is_busy = false;
    slot->transfer = NULL;
    if (transfer == NULL) {
        return;
    }
    const bool is_short = error == 0 && transfer->kind == TRANSFER_RECEIVE && len != transfer->len;
    if (is_short) {
        text_into(fabric->reason, sizeof fabric->reason, "%zu bytes came where %zu were due", len, transfer->len);
    } else if (error != 0) {
        text_into(fabric->reason, sizeof fabric->reason, "%s: %s", fabric->lanes[transfer->lane].name,
                  detail != NULL ? detail : fabric->library.strerror(error));
    }
    transfer->is_done = error == 0 && !is_short;
    transfer->has_failed = !transfer->is_done;
}

static size_t reap_failure(Fabric *fabric, Lane *lane) {
    struct fi_cq_err_entry error = { 0 };
    if (fi_cq_readerr(lane->cq, &error, 0) < 0) {
        return 0;
    }
    // efa has numbers of its own, which tell an unreachable peer from one that does not answer; where a provider has
    // none its number is the error's.
    const bool is_known = error.prov_errno > 0 && error.prov_errno != error.err;
    finish(fabric, error.op_context, error.err,
           is_known ? fi_cq_strerror(lane->cq, error.prov_errno, error.err_data, NULL, 0) : NULL, 0);
    return 1;
}

// How many operations have ended, well or not.
static size_t reap(Fabric *fabric, Lane *lane) {
    struct fi_cq_tagged_entry entries[COMPLETIONS_AT_ONCE];
    const ssize_t count = fi_cq_read(lane->cq, entries, COMPLETIONS_AT_ONCE);
    if (count == -FI_EAVAIL) {
        return reap_failure(fabric, lane);
    }
    for (ssize_t i = 0; i < count; i++) {
        finish(fabric, entries[i].op_context, 0, NULL, entries[i].len);
    }
    return count < 0 ? 0 : (size_t)count;
}

static size_t reap_all(Fabric *fabric) {
    size_t ended = 0;
    for (uint32_t i = 0; i < fabric->lane_count; i++) {
        ended += reap(fabric, &fabric->lanes[i]);
    }
    return ended;
}

void fabric_progress(Fabric *fabric) {
    (void)reap_all(fabric);
}

// Lets go of what is still under way. Its memory stays registered and its slot busy until libfabric returns it.
static void abandon(Fabric *fabric) {
    for (size_t i = 0; i < SLOTS; i++) {
        Slot *slot = &fabric->slots[i];
        if (slot->is_busy && slot->transfer != NULL) {
            Lane *lane = &fabric->lanes[slot->transfer->lane];
            slot->transfer = NULL;
            (void)fi_cancel(&lane->ep->fid, &slot->context);
        }
    }
    const uint64_t deadline = clock_ns() + CANCEL_NS;
    bool is_busy = true;
    while (is_busy && clock_ns() < deadline) {
        is_busy = false;
        (void)reap_all(fabric);
        for (size_t i = 0; i < SLOTS && !is_busy; i++) {
            is_busy = fabric->slots[i].is_busy;
        }
    }
}

// Gives up the processor, the longer the less there was to do.
static void rest(uint64_t idle_since_ns, uint64_t now_ns) {
    const uint64_t idle_ns = now_ns - idle_since_ns;
    if (idle_ns > PATIENCE_NS) {
        const uint64_t share_ns = idle_ns / NAP_SHARE;
        const uint64_t nap_ns = share_ns < NAP_MIN_NS ? NAP_MIN_NS : share_ns > NAP_MAX_NS ? NAP_MAX_NS : share_ns;
        nanosleep(&(struct timespec){ .tv_nsec = (long)nap_ns }, NULL);
    } else {
        sched_yield();
    }
}

// Posts from `posted` on what the queues take, and returns how many have been posted then.
static size_t post_more(Fabric *fabric, Transfer *transfers, size_t posted, size_t count) {
    for (; posted < count; posted++) {
        Transfer *transfer = &transfers[posted];
        const long status = post(fabric, transfer);
        if (status == -FI_EAGAIN) {
            break;
        }
        transfer->has_failed = status != 0;
        if (status != 0) {
            text_into(fabric->reason, sizeof fabric->reason, "%s: %s", fabric->lanes[transfer->lane].name,
                      fabric->library.strerror((int)-status));
        }
    }
    return posted;
}

typedef struct Tally {
    size_t done, failed;
} Tally;

static Tally count_ended(const Transfer *transfers, size_t count) {
    Tally tally = { 0 };
    for (size_t i = 0; i < count; i++) {
        tally.done += transfers[i].is_done;
        tally.failed += transfers[i].has_failed;
    }
    return tally;
}

static Carried carry(Fabric *fabric, Transfer *transfers, size_t count, const Patience *patience) {
    size_t posted = 0;
    uint64_t idle_since = clock_ns();
    uint64_t next_look = idle_since;
    for (;;) {
        posted = post_more(fabric, transfers, posted, count);
        const size_t ended = reap_all(fabric);
        const uint64_t now = clock_ns();
        const Tally tally = count_ended(transfers, count);
        if (tally.failed > 0 && (!patience->outlasts_failures || tally.done + tally.failed == count)) {
            return CARRIED_BROKEN;
        }
        if (tally.done == count) {
            return CARRIED;
        }
        if (now >= patience->deadline_ns) {
            return CARRIED_TOO_LATE;
        }
        if (now >= next_look) {
            next_look = now + STOP_EVERY_NS;
            if (patience->is_stopped(patience->context)) {
                return CARRIED_STOPPED;
            }
        }
        if (ended > 0) {
            idle_since = now;
        } else {
            rest(idle_since, now);
        }
    }
}

Carried fabric_carry(Fabric *fabric, Transfer *transfers, size_t count, const Patience *patience) {
    fabric->reason[0] = '\0';
    const Carried carried = carry(fabric, transfers, count, patience);
    if (carried != CARRIED) {
        abandon(fabric);
    }
    return carried;
}
