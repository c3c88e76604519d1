// What the first jobs of all targets share: the program under the cluster's `artifacts`, with its sum in its name, and
// its options.
#include "emitters/node/first_job.h"

#include "compiler/plan/model/node_record.h"
#include "emitters/node/upload.h"

enum { SUM_DIGITS = 12 }; // of the sum, in a name

bool first_job_is_wanted(const PlanNodes *nodes) {
    return nodes->validate != NULL && nodes->validate->first_job > 0;
}

bool first_job_label_is_wanted(const PlanNodes *nodes) {
    bool is_wanted = first_job_is_wanted(nodes);
    for (uint32_t i = 0; i < nodes->cluster->jobs.count && !is_wanted; i++) {
        is_wanted = nodes->cluster->jobs.items[i]->group == nodes;
    }
    return is_wanted;
}

FirstJob first_job(Session *session, Output *output, const PlanNodes *nodes) {
    const PlanCluster *cluster = nodes->cluster;
    FirstJob job = { .program = preflight_collective(session, output, nodes->instance->architecture) };
    const Str sum = job.program.sha256;
    job.file = str_format(session->arena, "%.*s.%.*s-%.*s", STR_ARG(cluster->head.id), STR_ARG(job.program.file),
                          STR_ARG(str_slice(sum, 0, SUM_DIGITS)));
    job.url = upload_url(session->arena, cluster->artifacts->string, job.file);
    return job;
}

Str first_job_label(Arena *arena, const PlanNodes *nodes) {
    return str_format(arena, "%.*s-%.*s", STR_ARG(nodes->cluster->head.id), STR_ARG(nodes->head.id));
}

static void add_option(Arena *arena, Str *words, int *count, const char *option, int64_t number) {
    words[(*count)++] = str_of(option);
    words[(*count)++] = str_format(arena, "%" PRId64, number);
}

void first_job_options(Arena *arena, const PlanNodes *nodes, Str *words, int *count) {
    *count = 0;
    add_option(arena, words, count, "--bytes", schema_constant(CONSTANT_COLLECTIVE_BYTES));
    const int link_gbps = node_record_link_gbps(nodes);
    if (link_gbps > 0) {
        add_option(arena, words, count, "--warn-link-gbps", link_gbps);
    }
    // Slurm starts all ranks at once; containers come up as their images do.
    if (nodes->cluster->target != TARGET_PARALLELCLUSTER) {
        add_option(arena, words, count, "--rdv-s", schema_constant(CONSTANT_COLLECTIVE_RENDEZVOUS_S));
    }
    assert(*count <= FIRST_JOB_WORDS_MAX);
}
