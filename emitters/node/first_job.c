// What the first jobs of all targets share: the program under the cluster's `artifacts`, with its sum in its name, and
// its options.
#include "emitters/node/first_job.h"

#include "compiler/plan/model/declared_group.h"
#include "compiler/plan/model/node_record.h"
#include "emitters/node/upload.h"
#include "emitters/node/userdata.h"

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

// What the floor follows from, of the record of the nodes: a container does not see theirs.
static void add_expectation(StrBuf *out, Str record) {
    static const char *const KEYS[] = { "dtc-expect ", "type ", "efa.count ", "coll.bus-gbps " };
    strbuf_add(out, STR("expect='"));
    bool has_one = false;
    for (size_t start = 0; start < record.len;) {
        const size_t end = str_find(record, STR("\n"), start);
        const Str line = str_slice(record, start, end);
        for (size_t i = 0; i < COUNT_OF(KEYS); i++) {
            if (str_starts_with(line, str_of(KEYS[i]))) {
                strbuf_add_format(out, "%s%.*s", has_one ? "\n" : "", STR_ARG(line));
                has_one = true;
            }
        }
        start = end + 1;
    }
    strbuf_add(out, STR("'\n"));
}

Str first_job_accelerators(Arena *arena, const PlanNodes *nodes) {
    if (!plan_measures_accelerators(nodes)) {
        return STR_NONE;
    }
    const InstanceRow *row = nodes->instance;
    const bool is_neuron = row->accelerator == ACCELERATOR_NEURON;
    const int64_t ranks = is_neuron ? plan_neuron_cores(row) : row->accelerators;
    // Slurm starts a job when all of its nodes are up.
    const int64_t late = nodes->cluster->target == TARGET_EKS ? schema_constant(CONSTANT_COLLECTIVE_RENDEZVOUS_S) : 0;
    StrBuf settings = { .arena = arena };
    strbuf_add_format(&settings, "tool=%s\nranks=%" PRId64 "\nlate=%" PRId64 "\n",
                      is_neuron ? "nccom-test" : "nccl-tests", ranks, late);
    add_expectation(&settings, nodes->validate->record);
    const Str script = userdata_library("job/accelerators.sh");
    return userdata_bare_script(arena, userdata_script_with(arena, script, "settings", strbuf_str(&settings)));
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
