// Opens libfabric at run time and turns transfers into tagged operations of its endpoints. The library is loaded, not
// linked: nodes carry it where AWS's installer puts it, and a program that says "there is no libfabric" is worth more
// than one that the loader refuses to start. Only three functions are looked up; the rest are calls through tables
// that libfabric hands out, whose layout is that of the headers this file was compiled with.
#include "stdlib/node/collective/fabric.h"

#include "stdlib/node/collective/clock.h"
#include "stdlib/node/collective/text.h"

#include <dlfcn.h>
#include <netinet/in.h>
#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_tagged.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

// fi_info's layout belongs to the version of these symbols, not to the newest one that the library has: plain dlsym()
// would find that. FABRIC_1.3 is what headers from 1.6 (2018) to those of 1.17 mean.
static const char SYMBOL_VERSION[] = "FABRIC_1.3";

enum {
    // The interface that is asked for. From 1.18, efa uses the device's RDMA by itself where it has it; older
    // libraries know their own version only, and are asked for that.
    API_MAJOR = 1,
    API_MINOR = 18,
    COMPLETIONS_AT_ONCE = 16,
    SLOTS = 8 * TRANSFERS_MAX,
    QUEUE_DEPTH = 128,
    // After so long without a completion, waiting costs less than the processor it burns.
    PATIENCE_NS = 20 * NS_PER_MS,
    NAP_NS = 50000,
    CANCEL_NS = 100 * NS_PER_MS,
    STOP_EVERY_NS = 2 * NS_PER_MS,
    PAGE = 4096,
};

typedef struct Library {
    int (*getinfo)(uint32_t, const char *, const char *, uint64_t, const struct fi_info *, struct fi_info **);
    struct fi_info *(*dupinfo)(const struct fi_info *);
    int (*fabric)(struct fi_fabric_attr *, struct fid_fabric **, void *);
    uint32_t (*version)(void);
    const char *(*strerror)(int);
} Library;

typedef struct Lane {
    struct fi_info *info;
    struct fid_fabric *fabric;
    struct fid_domain *domain;
    struct fid_av *av;
    struct fid_cq *cq;
    struct fid_ep *ep;
    struct fid_mr *mr; // NULL where the provider wants none
    char name[LANE_NAME_BYTES];
    fi_addr_t peers[RANKS_MAX];
} Lane;

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
    uint8_t *memory;
    size_t bytes;
    Slot slots[SLOTS];
    char provider[PROVIDER_BYTES];
    char reason[REASON_BYTES / 2];
};

// dlsym() gives a pointer to an object; what is wanted is one to a function, which C does not convert.
static bool look_up(void *handle, const char *name, const char *version, void *function, size_t size) {
    void *symbol = version == NULL ? dlsym(handle, name) : dlvsym(handle, name, version);
    memcpy(function, &symbol, size);
    return symbol != NULL;
}

static bool load(Library *library, const char *path, char *reason, size_t reason_size) {
    static const char *const PLACES[] = { "/opt/amazon/efa/lib64/libfabric.so.1", "/opt/amazon/efa/lib/libfabric.so.1",
                                          "libfabric.so.1" };
    void *handle = path != NULL ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    for (size_t i = 0; path == NULL && handle == NULL && i < sizeof PLACES / sizeof PLACES[0]; i++) {
        handle = dlopen(PLACES[i], RTLD_NOW | RTLD_LOCAL);
    }
    if (handle == NULL) {
        text_into(reason, reason_size, "libfabric cannot be loaded: %s", dlerror());
        return false;
    }
    const bool is_whole = look_up(handle, "fi_getinfo", SYMBOL_VERSION, &library->getinfo, sizeof library->getinfo) &&
                          look_up(handle, "fi_dupinfo", SYMBOL_VERSION, &library->dupinfo, sizeof library->dupinfo) &&
                          look_up(handle, "fi_fabric", "FABRIC_1.1", &library->fabric, sizeof library->fabric) &&
                          look_up(handle, "fi_version", NULL, &library->version, sizeof library->version) &&
                          look_up(handle, "fi_strerror", NULL, &library->strerror, sizeof library->strerror);
    if (!is_whole) {
        text_into(reason, reason_size, "libfabric has no interface %s", SYMBOL_VERSION);
    }
    return is_whole;
}

static bool has_failed(Fabric *fabric, const char *what, long status) {
    if (status == 0) {
        return false;
    }
    text_into(fabric->reason, sizeof fabric->reason, "%s: %s", what, fabric->library.strerror((int)-status));
    return true;
}

// ---- lanes

static struct fi_info *find_lanes(Fabric *fabric, const FabricOptions *options) {
    struct fi_info *hints = fabric->library.dupinfo(NULL);
    if (hints == NULL) {
        has_failed(fabric, "fi_dupinfo", -FI_ENOMEM);
        return NULL;
    }
    hints->ep_attr->type = FI_EP_RDM;
    hints->caps = FI_MSG | FI_TAGGED | (options->is_device ? FI_HMEM : 0);
    hints->mode = FI_CONTEXT | FI_CONTEXT2;
    hints->domain_attr->mr_mode =
        FI_MR_LOCAL | FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY | (options->is_device ? FI_MR_HMEM : 0);
    // Freed with the hints by libfabric, were they ever freed: they live as long as the process.
    hints->fabric_attr->prov_name = strdup(options->provider);
    const uint32_t wanted = FI_VERSION(API_MAJOR, API_MINOR);
    const uint32_t offered = fabric->library.version();
    struct fi_info *found = NULL;
    // No node is named: addresses of EFA are not those of IP.
    const int status = fabric->library.getinfo(offered < wanted ? offered : wanted, NULL, NULL, 0, hints, &found);
    if (status != 0) {
        text_into(fabric->reason, sizeof fabric->reason, "no interface for provider %s: %s", options->provider,
                  fabric->library.strerror(-status));
        return NULL;
    }
    return found;
}

// Loopback and link-local addresses reach nobody else.
static bool leaves_machine(const struct fi_info *info) {
    if (info->src_addr == NULL) {
        return true;
    }
    if (info->addr_format == FI_SOCKADDR_IN) {
        const struct sockaddr_in *address = info->src_addr;
        return ntohl(address->sin_addr.s_addr) >> 24 != IN_LOOPBACKNET;
    }
    if (info->addr_format == FI_SOCKADDR_IN6) {
        const struct sockaddr_in6 *address = info->src_addr;
        return !IN6_IS_ADDR_LOOPBACK(&address->sin6_addr) && !IN6_IS_ADDR_LINKLOCAL(&address->sin6_addr);
    }
    return true;
}

// One entry for each domain: providers offer a domain several times, with more or fewer abilities, the best one first.
// efa-direct is another fabric over the same interfaces, without tags.
static bool is_new_lane(const Fabric *fabric, const struct fi_info *info, const FabricOptions *options) {
    const char *name = info->domain_attr->name;
    if (!leaves_machine(info) || (options->domain != NULL && strstr(name, options->domain) == NULL) ||
        strcmp(info->fabric_attr->name, "efa-direct") == 0) {
        return false;
    }
    for (uint32_t i = 0; i < fabric->lane_count; i++) {
        if (strcmp(fabric->lanes[i].info->domain_attr->name, name) == 0) {
            return false;
        }
    }
    return true;
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const Lane *)a)->name, ((const Lane *)b)->name);
}

static bool register_memory(Fabric *fabric, Lane *lane, const FabricOptions *options) {
    if ((lane->info->domain_attr->mr_mode & (FI_MR_LOCAL | FI_MR_HMEM)) == 0) {
        return true;
    }
    const struct iovec range = { .iov_base = fabric->memory, .iov_len = fabric->bytes };
    struct fi_mr_attr attributes = {
        .mr_iov = &range,
        .iov_count = 1,
        .access = FI_SEND | FI_RECV,
        .iface = options->is_device ? FI_HMEM_CUDA : FI_HMEM_SYSTEM,
    };
    attributes.device.cuda = options->device;
    return !has_failed(fabric, "memory cannot be registered (see the limit of locked memory)",
                       fi_mr_regattr(lane->domain, &attributes, 0, &lane->mr));
}

// Else efa copies through the host what it cannot send from the GPU (fi_efa(7), API 1.18 and later), and a rotation would
// pass that has shown nothing of GPUDirect RDMA.
static bool require_peer_to_peer(Fabric *fabric, Lane *lane, const FabricOptions *options) {
    const int required = FI_HMEM_P2P_REQUIRED;
    return !options->is_device ||
           !has_failed(fabric, "no GPUDirect RDMA between GPU and interface",
                       fi_setopt(&lane->ep->fid, FI_OPT_ENDPOINT, FI_OPT_FI_HMEM_P2P, &required, sizeof required));
}

static bool open_lane(Fabric *fabric, Lane *lane, const FabricOptions *options) {
    struct fi_av_attr av = { .type = FI_AV_TABLE, .count = RANKS_MAX };
    struct fi_cq_attr cq = { .format = FI_CQ_FORMAT_TAGGED, .size = 2 * QUEUE_DEPTH };
    for (size_t i = 0; i < RANKS_MAX; i++) {
        lane->peers[i] = FI_ADDR_UNSPEC;
    }
    return !has_failed(fabric, "fi_fabric", fabric->library.fabric(lane->info->fabric_attr, &lane->fabric, NULL)) &&
           !has_failed(fabric, "fi_domain", fi_domain(lane->fabric, lane->info, &lane->domain, NULL)) &&
           !has_failed(fabric, "fi_av_open", fi_av_open(lane->domain, &av, &lane->av, NULL)) &&
           !has_failed(fabric, "fi_cq_open", fi_cq_open(lane->domain, &cq, &lane->cq, NULL)) &&
           !has_failed(fabric, "fi_endpoint", fi_endpoint(lane->domain, lane->info, &lane->ep, NULL)) &&
           !has_failed(fabric, "fi_ep_bind", fi_ep_bind(lane->ep, &lane->av->fid, 0)) &&
           !has_failed(fabric, "fi_ep_bind", fi_ep_bind(lane->ep, &lane->cq->fid, FI_TRANSMIT | FI_RECV)) &&
           require_peer_to_peer(fabric, lane, options) && !has_failed(fabric, "fi_enable", fi_enable(lane->ep)) &&
           register_memory(fabric, lane, options);
}

static bool open_lanes(Fabric *fabric, const FabricOptions *options) {
    for (struct fi_info *info = find_lanes(fabric, options); info != NULL; info = info->next) {
        if (fabric->lane_count < LANES_MAX && is_new_lane(fabric, info, options)) {
            Lane *lane = &fabric->lanes[fabric->lane_count++];
            lane->info = info;
            text_into(lane->name, sizeof lane->name, "%s", info->domain_attr->name);
        }
    }
    if (fabric->lane_count == 0) {
        if (fabric->reason[0] == '\0') {
            text_into(fabric->reason, sizeof fabric->reason, "no interface for provider %s leaves this machine",
                      options->provider);
        }
        return false;
    }
    text_into(fabric->provider, sizeof fabric->provider, "%s", fabric->lanes[0].info->fabric_attr->prov_name);
    // The order in which they are offered is that of a folder, and may be another one on each node.
    qsort(fabric->lanes, fabric->lane_count, sizeof fabric->lanes[0], by_name);
    fabric->lane_count = fabric->lane_count < options->lanes_max ? fabric->lane_count : options->lanes_max;
    for (uint32_t i = 0; i < fabric->lane_count; i++) {
        if (!open_lane(fabric, &fabric->lanes[i], options)) {
            return false;
        }
    }
    return true;
}

// Of what may be locked, a process is often given less than it may take: Slurm hands on the limit of the shell that
// submitted. Where this is refused, the registration says what is missing.
static void raise_locked_memory(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_MEMLOCK, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_MEMLOCK, &limit);
    }
}

Fabric *fabric_open(const FabricOptions *options, char *reason, size_t reason_size) {
    // Messages to the own host would go through memory. This is read when efa's domain is opened.
    setenv("FI_EFA_ENABLE_SHM_TRANSFER", "0", 0);
    raise_locked_memory();
    Fabric *fabric = calloc(1, sizeof *fabric);
    if (fabric == NULL) {
        text_into(reason, reason_size, "no memory");
        return NULL;
    }
    fabric->bytes = options->bytes;
    fabric->memory = options->memory;
    if (!load(&fabric->library, options->library, reason, reason_size)) {
        free(fabric);
        return NULL;
    }
    if (!options->is_device) {
        void *memory =
            mmap(NULL, fabric->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
        if (memory == MAP_FAILED) {
            text_into(reason, reason_size, "no memory for %zu bytes", fabric->bytes);
            free(fabric);
            return NULL;
        }
        fabric->memory = memory;
    }
    if (!open_lanes(fabric, options)) {
        // What was opened stays so until the process ends, which is soon.
        text_into(reason, reason_size, "%s", fabric->reason);
        return NULL;
    }
    return fabric;
}

uint32_t fabric_lane_count(const Fabric *fabric) {
    return fabric->lane_count;
}

const char *fabric_lane_name(const Fabric *fabric, uint32_t lane) {
    return fabric->lanes[lane].name;
}

const char *fabric_provider(const Fabric *fabric) {
    return fabric->provider;
}

uint8_t *fabric_memory(const Fabric *fabric) {
    return fabric->memory;
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
    void *descriptor = lane->mr == NULL ? NULL : fi_mr_desc(lane->mr);
    uint8_t *bytes = fabric->memory + transfer->offset;
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
    // efa has numbers of its own, which tell an unreachable peer from one that does not answer; where a provider has none
    // its number is the error's.
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
    if (now_ns - idle_since_ns > PATIENCE_NS) {
        nanosleep(&(struct timespec){ .tv_nsec = NAP_NS }, NULL);
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
        transfer->has_failed = has_failed(fabric, fabric->lanes[transfer->lane].name, status);
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
