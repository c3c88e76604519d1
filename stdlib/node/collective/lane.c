// Loads libfabric at run time and opens its interfaces. The library is loaded, not linked: nodes carry it where AWS's
// installer puts it, and a program that says "there is no libfabric" is worth more than one that the loader refuses to
// start. Only a few functions are looked up; the rest are calls through tables that libfabric hands out, whose layout
// is that of the headers this file was compiled with.
#include "stdlib/node/collective/lane.h"

#include "stdlib/node/collective/text.h"

#include <dlfcn.h>
#include <netinet/in.h>
#include <rdma/fi_errno.h>
#include <stdlib.h>
#include <string.h>

// fi_info's layout belongs to the version of these symbols, not to the newest one that the library has: plain dlsym()
// would find that. FABRIC_1.3 is what headers from 1.6 (2018) to those of 1.17 mean.
static const char SYMBOL_VERSION[] = "FABRIC_1.3";

enum {
    // The interface that is asked for. From 1.18, efa uses the device's RDMA by itself where it has it; older
    // libraries know their own version only, and are asked for that.
    API_MAJOR = 1,
    API_MINOR = 18,
    COMPLETIONS = 256, // that a queue holds: more than a lane has under way
};

// What is being opened, and where it is said why not.
typedef struct Opening {
    const Library *library;
    const FabricOptions *options;
    Regions *regions;
    char *reason;
    size_t reason_size;
} Opening;

// dlsym() gives a pointer to an object; what is wanted is one to a function, which C does not convert.
static bool look_up(void *handle, const char *name, const char *version, void *function, size_t size) {
    void *symbol = version == NULL ? dlsym(handle, name) : dlvsym(handle, name, version);
    memcpy(function, &symbol, size);
    return symbol != NULL;
}

bool library_load(Library *library, const char *path, char *reason, size_t reason_size) {
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

static bool has_failed(const Opening *opening, const char *what, long status) {
    if (status == 0) {
        return false;
    }
    text_into(opening->reason, opening->reason_size, "%s: %s", what, opening->library->strerror((int)-status));
    return true;
}

// ---- lanes

static struct fi_info *find_lanes(const Opening *opening) {
    const FabricOptions *options = opening->options;
    struct fi_info *hints = opening->library->dupinfo(NULL);
    // Freed with the hints by libfabric, were they ever freed: they live as long as the process.
    char *provider = strdup(options->provider);
    if (hints == NULL || provider == NULL) {
        has_failed(opening, "fi_dupinfo", -FI_ENOMEM);
        return NULL;
    }
    hints->ep_attr->type = FI_EP_RDM;
    hints->caps = FI_MSG | FI_TAGGED | (options->gpu_count > 0 ? FI_HMEM : 0);
    hints->mode = FI_CONTEXT | FI_CONTEXT2;
    hints->domain_attr->mr_mode =
        FI_MR_LOCAL | FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY | (options->gpu_count > 0 ? FI_MR_HMEM : 0);
    hints->fabric_attr->prov_name = provider;
    const uint32_t wanted = FI_VERSION(API_MAJOR, API_MINOR);
    const uint32_t offered = opening->library->version();
    struct fi_info *found = NULL;
    // No node is named: addresses of EFA are not those of IP.
    const int status = opening->library->getinfo(offered < wanted ? offered : wanted, NULL, NULL, 0, hints, &found);
    if (status != 0) {
        text_into(opening->reason, opening->reason_size, "no interface for provider %s: %s", options->provider,
                  opening->library->strerror(-status));
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
static bool is_new_lane(const Lane *lanes, uint32_t count, const struct fi_info *info, const FabricOptions *options) {
    const char *name = info->domain_attr->name;
    if (!leaves_machine(info) || (options->domain != NULL && strstr(name, options->domain) == NULL) ||
        strcmp(info->fabric_attr->name, "efa-direct") == 0) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(lanes[i].info->domain_attr->name, name) == 0) {
            return false;
        }
    }
    return true;
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const Lane *)a)->name, ((const Lane *)b)->name);
}

static bool register_region(const Opening *opening, Lane *lane, uint32_t region) {
    const FabricOptions *options = opening->options;
    const struct iovec range = { .iov_base = opening->regions->memory[region], .iov_len = options->bytes };
    struct fi_mr_attr attributes = {
        .mr_iov = &range,
        .iov_count = 1,
        .access = FI_SEND | FI_RECV,
        .iface = options->gpu_count > 0 ? FI_HMEM_CUDA : FI_HMEM_SYSTEM,
    };
    attributes.device.cuda = options->gpus[region].number;
    return !has_failed(opening, "memory cannot be registered (see the limit of locked memory)",
                       fi_mr_regattr(lane->domain, &attributes, 0, &lane->mrs[region]));
}

static bool register_memory(const Opening *opening, Lane *lane, uint32_t index) {
    bool is_registered = true;
    if ((lane->info->domain_attr->mr_mode & (FI_MR_LOCAL | FI_MR_HMEM)) == 0) {
        return true;
    }
    for (uint32_t i = 0; is_registered && i < opening->regions->count; i++) {
        is_registered = (opening->regions->lanes[i] >> index & 1) == 0 || register_region(opening, lane, i);
    }
    return is_registered;
}

// Else efa copies through the host what it cannot send from the GPU (fi_efa(7), API 1.18 and later), and a rotation
// would pass that has shown nothing of GPUDirect RDMA.
static bool require_peer_to_peer(const Opening *opening, Lane *lane) {
    const int required = FI_HMEM_P2P_REQUIRED;
    return opening->options->gpu_count == 0 ||
           !has_failed(opening, "no GPUDirect RDMA between GPU and interface",
                       fi_setopt(&lane->ep->fid, FI_OPT_ENDPOINT, FI_OPT_FI_HMEM_P2P, &required, sizeof required));
}

static bool open_lane(const Opening *opening, Lane *lane, uint32_t index) {
    struct fi_av_attr av = { .type = FI_AV_TABLE, .count = RANKS_MAX };
    struct fi_cq_attr cq = { .format = FI_CQ_FORMAT_TAGGED, .size = COMPLETIONS };
    for (size_t i = 0; i < RANKS_MAX; i++) {
        lane->peers[i] = FI_ADDR_UNSPEC;
    }
    return !has_failed(opening, "fi_fabric", opening->library->fabric(lane->info->fabric_attr, &lane->fabric, NULL)) &&
           !has_failed(opening, "fi_domain", fi_domain(lane->fabric, lane->info, &lane->domain, NULL)) &&
           !has_failed(opening, "fi_av_open", fi_av_open(lane->domain, &av, &lane->av, NULL)) &&
           !has_failed(opening, "fi_cq_open", fi_cq_open(lane->domain, &cq, &lane->cq, NULL)) &&
           !has_failed(opening, "fi_endpoint", fi_endpoint(lane->domain, lane->info, &lane->ep, NULL)) &&
           !has_failed(opening, "fi_ep_bind", fi_ep_bind(lane->ep, &lane->av->fid, 0)) &&
           !has_failed(opening, "fi_ep_bind", fi_ep_bind(lane->ep, &lane->cq->fid, FI_TRANSMIT | FI_RECV)) &&
           require_peer_to_peer(opening, lane) && !has_failed(opening, "fi_enable", fi_enable(lane->ep)) &&
           register_memory(opening, lane, index);
}

// Those that the options choose, not opened yet.
static uint32_t choose_lanes(const Opening *opening, Lane lanes[LANES_MAX]) {
    const FabricOptions *options = opening->options;
    uint32_t count = 0;
    for (struct fi_info *info = find_lanes(opening); info != NULL; info = info->next) {
        if (count < LANES_MAX && is_new_lane(lanes, count, info, options)) {
            lanes[count].info = info;
            text_into(lanes[count].name, sizeof lanes[count].name, "%s", info->domain_attr->name);
            count++;
        }
    }
    // The order in which they are offered is that of a folder, and may be another one on each node.
    qsort(lanes, count, sizeof lanes[0], by_name);
    return count < options->lanes_max ? count : options->lanes_max;
}

// One GPU, or none, uses all lanes.
static void share_lanes(const Opening *opening, const Lane *lanes, uint32_t count) {
    const FabricOptions *options = opening->options;
    DevicePath interfaces[LANES_MAX];
    DevicePath gpus[DEVICES_MAX];
    if (options->gpu_count <= 1) {
        opening->regions->lanes[0] = UINT32_MAX;
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        topology_of_interface(options->root, lanes[i].name, interfaces[i]);
    }
    for (uint32_t i = 0; i < options->gpu_count; i++) {
        topology_of_gpu(options->root, options->gpus[i].bus, gpus[i]);
    }
    topology_pair(interfaces, count, gpus, options->gpu_count, opening->regions->lanes);
}

uint32_t lanes_open(const Library *library, const FabricOptions *options, Regions *regions, Lane lanes[LANES_MAX],
                    char *reason, size_t reason_size) {
    const Opening opening = {
        .library = library, .options = options, .regions = regions, .reason = reason, .reason_size = reason_size
    };
    reason[0] = '\0';
    const uint32_t count = choose_lanes(&opening, lanes);
    if (count == 0 && reason[0] == '\0') {
        text_into(reason, reason_size, "no interface for provider %s leaves this machine", options->provider);
    }
    share_lanes(&opening, lanes, count);
    for (uint32_t i = 0; i < count; i++) {
        if (!open_lane(&opening, &lanes[i], i)) {
            return 0;
        }
    }
    return count;
}
