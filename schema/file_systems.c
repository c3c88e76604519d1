// The rows of volumes.def and lustre.def.
#include "schema/file_systems.h"

static const VolumeRow VOLUME_ROWS[] = {
#define VOLUME(...) { __VA_ARGS__ },
#include "schema/volumes.def"
#undef VOLUME
};

const VolumeRow *volume_row(Str type) {
    for (size_t i = 0; i < COUNT_OF(VOLUME_ROWS); i++) {
        if (str_is(type, VOLUME_ROWS[i].type)) {
            return &VOLUME_ROWS[i];
        }
    }
    return NULL;
}

static const LustreRow LUSTRE_ROWS[] = {
#define LUSTRE(deployment, has_import_path, ...) { deployment, has_import_path, { __VA_ARGS__ } },
#define LUSTRE_DISK(rate, step)
#define LUSTRE_VERSION(version, lacks)
#define LUSTRE_EVENT(word, event)
#include "schema/lustre.def"
#undef LUSTRE
#undef LUSTRE_DISK
#undef LUSTRE_VERSION
#undef LUSTRE_EVENT
};

const LustreRow *lustre_row(Str deployment) {
    for (size_t i = 0; i < COUNT_OF(LUSTRE_ROWS); i++) {
        if (str_is_in_any_case(deployment, LUSTRE_ROWS[i].deployment)) {
            return &LUSTRE_ROWS[i];
        }
    }
    return NULL;
}

static const LustreVersionRow LUSTRE_VERSION_ROWS[] = {
#define LUSTRE(deployment, ...)
#define LUSTRE_DISK(rate, step)
#define LUSTRE_VERSION(version, lacks) { version, lacks },
#define LUSTRE_EVENT(word, event)
#include "schema/lustre.def"
#undef LUSTRE
#undef LUSTRE_DISK
#undef LUSTRE_VERSION
#undef LUSTRE_EVENT
};

const LustreVersionRow *lustre_version_row(Str version) {
    for (size_t i = 0; i < COUNT_OF(LUSTRE_VERSION_ROWS); i++) {
        if (str_is(version, LUSTRE_VERSION_ROWS[i].version)) {
            return &LUSTRE_VERSION_ROWS[i];
        }
    }
    return NULL;
}

Str lustre_versions(Arena *arena) {
    StrBuf words = { .arena = arena };
    for (size_t i = 0; i < COUNT_OF(LUSTRE_VERSION_ROWS); i++) {
        const bool is_last = i + 1 == COUNT_OF(LUSTRE_VERSION_ROWS);
        strbuf_add_format(&words, "%s%s",
                          i == 0    ? "FSx has "
                          : is_last ? " and "
                                    : ", ",
                          LUSTRE_VERSION_ROWS[i].version);
    }
    return strbuf_str(&words);
}

const LustreVersionRow *lustre_newest_version(void) {
    return &LUSTRE_VERSION_ROWS[COUNT_OF(LUSTRE_VERSION_ROWS) - 1];
}

const LustreEventRow LUSTRE_EVENT_ROWS[LUSTRE_EVENT_COUNT] = {
#define LUSTRE(deployment, ...)
#define LUSTRE_DISK(rate, step)
#define LUSTRE_VERSION(version, lacks)
#define LUSTRE_EVENT(word, event) { word, event },
#include "schema/lustre.def"
#undef LUSTRE
#undef LUSTRE_DISK
#undef LUSTRE_VERSION
#undef LUSTRE_EVENT
};

static const LustreDiskRow LUSTRE_DISK_ROWS[] = {
#define LUSTRE(deployment, ...)
#define LUSTRE_DISK(rate, step) { rate, step },
#define LUSTRE_VERSION(version, lacks)
#define LUSTRE_EVENT(word, event)
#include "schema/lustre.def"
#undef LUSTRE
#undef LUSTRE_DISK
#undef LUSTRE_VERSION
#undef LUSTRE_EVENT
};

static const LustreDiskRow LUSTRE_EFA_ROWS[] = {
#define LUSTRE(deployment, ...)
#define LUSTRE_DISK(rate, step)
#define LUSTRE_EFA(rate, step) { rate, step },
#define LUSTRE_VERSION(version, lacks)
#define LUSTRE_EVENT(word, event)
#include "schema/lustre.def"
#undef LUSTRE
#undef LUSTRE_DISK
#undef LUSTRE_VERSION
#undef LUSTRE_EVENT
};

const LustreDiskRow *lustre_efa_row(int64_t mbps_of_tib) {
    for (size_t i = 0; i < COUNT_OF(LUSTRE_EFA_ROWS); i++) {
        if (LUSTRE_EFA_ROWS[i].mbps_of_tib == mbps_of_tib) {
            return &LUSTRE_EFA_ROWS[i];
        }
    }
    return NULL;
}

const LustreDiskRow *lustre_disk_row(int64_t mbps_of_tib) {
    for (size_t i = 0; i < COUNT_OF(LUSTRE_DISK_ROWS); i++) {
        if (LUSTRE_DISK_ROWS[i].mbps_of_tib == mbps_of_tib) {
            return &LUSTRE_DISK_ROWS[i];
        }
    }
    return NULL;
}
