// From a cluster configuration of AWS ParallelCluster 3 to what rules ask.
// Source: AWS ParallelCluster User Guide, Cluster configuration file, read 2026-11; aws/aws-parallelcluster@451cc532
// cli/src/pcluster/config/cluster_config.py, 2024-10-24, read 2026-11.
#pragma once

#include "compiler/plan/model/container.h"
#include "compiler/plan/raw/raw.h"

// What the parts of the reader share.
typedef struct {
    RawStack *stack; // of no resource: the values of the file are read with it
    const Subject *file;
    PlanConfiguration *configuration;
    PlanRaw *raw; // where the launches go
    bool has_database;
} PclusterRead;

// Adds what the file has; NULL where it is no cluster configuration. `document` is a map.
const PlanRaw *pcluster_read(Session *session, const Subject *file, const Value *document);

// The parts of the file, in the order in which pcluster_read() calls them.
void pcluster_read_queues(PclusterRead *read, const RawMap *scheduling);
void pcluster_read_storages(PclusterRead *read, const RawMap *document);

// A subject for a part of the file, named by `name`.
const Subject *pcluster_section(PclusterRead *read, Span name, Span whole);

// A field, whose span is `otherwise` where it is absent.
PlanField pcluster_field(const PclusterRead *read, const RawMap *map, const char *name, Span otherwise);

// A switch: "true" or "false" where it is one of the words that ParallelCluster reads so. YAML 1.1 has `yes` and `off`.
PlanField pcluster_switch(const PclusterRead *read, const RawMap *map, const char *name);

// How a volume is written: the root of a node, or one that all share.
extern const RawVolumeWords PCLUSTER_VOLUME;

// `image` may name another image than the cluster's.
void pcluster_read_volume(PclusterRead *read, const RawMap *local_storage, const Subject *subject, const RawMap *image,
                          const char *owner);
void pcluster_read_actions(PclusterRead *read, const RawMap *owner, const Subject *subject);
void pcluster_read_settings(PclusterRead *read, const RawMap *map, const Subject *subject, SlurmPlace place);
