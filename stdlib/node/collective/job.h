// What one process of a collective has to do, from the command line, the environment of an orchestrator, and the
// expectation record.
#pragma once

#include "stdlib/node/collective/message.h"

enum {
    LEADER_BYTES = 256,
    ALL_DEVICES = 64, // a number that no GPU has
};

typedef struct Job {
    uint32_t rank, n;
    uint32_t leader_rank; // the leader runs beside this one
    char leader[LEADER_BYTES];
    uint16_t port;
    Token token;
    uint32_t phases;          // bits
    const char *record;       // NULL: none
    const char *root;         // before paths of the system; "" outside tests
    const char *verdict_path; // NULL: standard output alone
    const char *library, *provider, *domain;
    uint32_t lanes_max;
    int device; // GPU whose memory is used; ALL_DEVICES: each one's; -1: the machine's
    // From the record's coll.*, or options.
    uint32_t bytes, link_floor_gbps, bus_floor_gbps, iterations, op_s, rendezvous_s;
    uint32_t link_warn_gbps; // below, a link is a warning
    // The record's coll.bus-gbps: of the accelerators. This ring is summed by one core, and never held to it.
    uint32_t benchmark_floor_gbps;
    uint32_t interfaces; // the record's efa.count; 0: it has none
    char group[HOST_BYTES];
    char type[HOST_BYTES]; // of the instance, as the record has it
    char host[HOST_BYTES];
} Job;

typedef enum JobSource { JOB_RUN, JOB_PING } JobSource;

// Reads options (without the program's and the command's names) and, through `get`, the environment. NODE_EXIT_PASS, or
// NODE_EXIT_USAGE or NODE_EXIT_RECORD with a message in `reason`.
int job_read(Job *job, JobSource source, int argc, char **argv, const char *(*get)(const char *), char *reason,
             size_t reason_size);

// The first host of a Slurm host list: `a[01-03,7]-x,b` is `a01-x`. False where the list is not one, or too long.
bool job_first_host(const char *list, char *host, size_t size);
