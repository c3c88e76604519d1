#include "compiler/plan/model/endpoints.h"

#include "compiler/plan/model/identity.h"
#include "compiler/plan/model/maker.h"

const EndpointRow ENDPOINT_ROWS[] = {
#define ENDPOINT(word, service, id, is_gateway) { word, service, id, is_gateway },
#include "schema/endpoints.def"
};
const size_t ENDPOINT_ROW_COUNT = COUNT_OF(ENDPOINT_ROWS);

const EndpointGoneRow ENDPOINT_GONE_ROWS[] = {
#define ENDPOINT_GONE(service, day, instead) { service, day, instead },
#include "schema/endpoints.def"
};
const size_t ENDPOINT_GONE_ROW_COUNT = COUNT_OF(ENDPOINT_GONE_ROWS);

// ---- needs -----------------------------------------------------------------------------------------------------

typedef enum {
    ALWAYS,
    WITH_CHECK,
    WITH_SECRETS_OF_JOBS,
    WITH_PARAMETERS_OF_JOBS,
    WITH_NEW_LUSTRE,
    WITH_POD_IDENTITY,
    WITH_NODES_IN_STACK,
    WITH_DATABASE
} When;

typedef struct {
    TargetSet target;
    const char *word;
    When when;
    bool is_vital;
} NeedRow;

static const NeedRow NEED_ROWS[] = {
#define ENDPOINT_NEED(target, word, when, is_vital) { target, word, when, is_vital },
#include "schema/endpoint_needs.def"
};

static bool has_check(const PlanCluster *cluster) {
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        if (cluster->nodes.items[i]->validate != NULL) {
            return true;
        }
    }
    return false;
}

static bool job_has_secret(const PlanJob *job, bool is_parameter) {
    for (uint32_t i = 0; i < job->secrets.count; i++) {
        if (job->secrets.items[i].is_parameter == is_parameter) {
            return true;
        }
    }
    return false;
}

static bool has_secrets_of_jobs(const PlanCluster *cluster, bool is_parameter) {
    for (uint32_t i = 0; i < cluster->jobs.count; i++) {
        const PlanJob *job = cluster->jobs.items[i];
        if (job_has_secret(job, is_parameter)) {
            return true;
        }
    }
    return !is_parameter && plan_cluster_has_ssh_key(cluster);
}

static bool has_new_lustre(const PlanCluster *cluster) {
    for (uint32_t i = 0; i < cluster->storages.count; i++) {
        const PlanStorage *storage = cluster->storages.items[i];
        if (storage->kind == STORAGE_LUSTRE && storage->existing == NULL) {
            return true;
        }
    }
    return false;
}

static bool has_nodes_in_stack(const PlanCluster *cluster) {
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        if (plan_is_in_stack(cluster->nodes.items[i])) {
            return true;
        }
    }
    return false;
}

static bool holds(When when, const PlanCluster *cluster) {
    switch (when) {
    case ALWAYS:
        return true;
    case WITH_CHECK:
        return has_check(cluster);
    case WITH_SECRETS_OF_JOBS:
        return has_secrets_of_jobs(cluster, false);
    case WITH_PARAMETERS_OF_JOBS:
        return has_secrets_of_jobs(cluster, true);
    case WITH_NEW_LUSTRE:
        return has_new_lustre(cluster);
    case WITH_POD_IDENTITY:
        return plan_has_identities(cluster) || has_new_lustre(cluster);
    case WITH_NODES_IN_STACK:
        return has_nodes_in_stack(cluster);
    case WITH_DATABASE:
        return cluster->slurm != NULL && cluster->slurm->database != NULL;
    }
    return false;
}

EndpointUse endpoint_use(const PlanCluster *cluster, const char *word) {
    EndpointUse use = ENDPOINT_UNUSED;
    for (size_t i = 0; i < COUNT_OF(NEED_ROWS) && use != ENDPOINT_VITAL; i++) {
        const NeedRow *row = &NEED_ROWS[i];
        if (row->target == cluster->target && strcmp(row->word, word) == 0 && holds(row->when, cluster)) {
            use = row->is_vital ? ENDPOINT_VITAL : ENDPOINT_USEFUL;
        }
    }
    return use;
}

// ---- what a network has ------------------------------------------------------------------------------------------

bool endpoint_is_interface(Str word) {
    for (size_t i = 0; i < ENDPOINT_ROW_COUNT; i++) {
        if (str_is(word, ENDPOINT_ROWS[i].word)) {
            return !ENDPOINT_ROWS[i].is_gateway;
        }
    }
    return false;
}

// Whether there is an endpoint for each service of a word.
static bool has_word(const PlanVpc *vpc, const char *word) {
    bool has = true;
    for (size_t i = 0; i < ENDPOINT_ROW_COUNT; i++) {
        const EndpointRow *row = &ENDPOINT_ROWS[i];
        has = has && (strcmp(row->word, word) != 0 || vpc_has_endpoint(vpc, row->service));
    }
    return has;
}

Str endpoints_missing(Arena *arena, const PlanCluster *cluster, Str *words) {
    const Value *there = cluster->network->made.endpoints;
    const char *missing[COUNT_OF(NEED_ROWS)];
    size_t count = 0;
    for (size_t i = 0; i < COUNT_OF(NEED_ROWS); i++) {
        const NeedRow *row = &NEED_ROWS[i];
        const bool is_vital = row->target == cluster->target && row->is_vital && holds(row->when, cluster);
        if (is_vital && !has_word(cluster->network->vpc, row->word)) {
            missing[count++] = row->word;
        }
    }
    StrBuf text = { .arena = arena };
    StrBuf all = { .arena = arena };
    for (uint32_t i = 0; i < there->list.count; i++) {
        strbuf_add_format(&all, "%s%.*s", i == 0 ? "" : ", ", STR_ARG(there->list.items[i]->string));
    }
    for (size_t i = 0; i < count; i++) {
        strbuf_add_format(&text, "%s`%s`", i == 0 ? "" : i + 1 == count ? " and " : ", ", missing[i]);
        strbuf_add_format(&all, "%s%s", all.len == 0 ? "" : ", ", missing[i]);
    }
    *words = strbuf_str(&all);
    return strbuf_str(&text);
}
