// What volumes of EBS and FSx for Lustre offer (volumes.def, lustre.def).
#pragma once

#include "compiler/base/str.h"

typedef struct {
    const char *type;
    int64_t gib_min;
    int64_t gib_max;
    int64_t slurm_gib_min; // that ParallelCluster takes; 0: what EBS has
    int64_t iops_min;      // 0: none can be asked for
    int64_t iops_max;
    int64_t iops_of_gib;
    int64_t mibps_min; // likewise
    int64_t mibps_max;
} VolumeRow;

const VolumeRow *volume_row(Str type); // NULL: no such row

enum { LUSTRE_RATES_MAX = 4 };

typedef struct {
    const char *deployment;
    bool has_import_path;                  // a file system can be made with one bucket behind it
    int64_t mbps_of_tib[LUSTRE_RATES_MAX]; // rising; 0 behind the last
} LustreRow;

const LustreRow *lustre_row(Str deployment); // in any case; NULL: no such row, as for SCRATCH_1

typedef struct {
    const char *version;
    const char *lacks; // a deployment; NULL: none
} LustreVersionRow;

const LustreVersionRow *lustre_version_row(Str version); // NULL: FSx has no such version
const LustreVersionRow *lustre_newest_version(void);
Str lustre_versions(Arena *arena); // "FSx has 2.10, 2.12 and 2.15"

enum { LUSTRE_EVENT_COUNT = 3 };

// What happens to an object or a file: the word of the language, and that of FSx.
typedef struct {
    const char *word;
    const char *event;
} LustreEventRow;

extern const LustreEventRow LUSTRE_EVENT_ROWS[LUSTRE_EVENT_COUNT];

// Disks that turn.
typedef struct {
    int64_t mbps_of_tib;
    int64_t gib_step; // of the capacity
} LustreDiskRow;

const LustreDiskRow *lustre_disk_row(int64_t mbps_of_tib); // NULL: no such row

// The same of solid state that nodes reach by EFA.
const LustreDiskRow *lustre_efa_row(int64_t mbps_of_tib);
