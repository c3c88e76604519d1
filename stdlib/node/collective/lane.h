// The part of libfabric behind fabric.h: loads the library and opens its interfaces.
#pragma once

#include "stdlib/node/collective/fabric.h"

#include <rdma/fabric.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_eq.h>

typedef struct Library {
    int (*getinfo)(uint32_t, const char *, const char *, uint64_t, const struct fi_info *, struct fi_info **);
    struct fi_info *(*dupinfo)(const struct fi_info *);
    int (*fabric)(struct fi_fabric_attr *, struct fid_fabric **, void *);
    uint32_t (*version)(void);
    const char *(*strerror)(int);
} Library;

// One interface with one endpoint, in a domain of its own. Its objects live as long as the process.
typedef struct Lane {
    struct fi_info *info;
    struct fid_fabric *fabric;
    struct fid_domain *domain;
    struct fid_av *av;
    struct fid_cq *cq;
    struct fid_ep *ep;
    struct fid_mr *mrs[DEVICES_MAX]; // of each region; NULL where the provider wants none, or the lane does not use it
    char name[LANE_NAME_BYTES];
    fi_addr_t peers[RANKS_MAX]; // FI_ADDR_UNSPEC until they are added
} Lane;

// Memory that transfers use.
typedef struct Regions {
    uint32_t count;
    uint8_t *memory[DEVICES_MAX];
    uint32_t lanes[DEVICES_MAX]; // bits: those that use it
} Regions;

// Loads libfabric from `path`, or with NULL from the places of fabric.h. False, with a reason, where it is not there,
// or older than what is asked of it.
bool library_load(Library *library, const char *path, char *reason, size_t reason_size);

// Opens the lanes that the options choose, sorted by name; finds out which lanes use which region, and registers
// `options->bytes` bytes of it with each. Returns how many lanes; 0, with a reason, where there is none or one cannot
// be opened. What was opened stays so.
uint32_t lanes_open(const Library *library, const FabricOptions *options, Regions *regions, Lane lanes[LANES_MAX],
                    char *reason, size_t reason_size);
