// What Slurm is given to find nodes that are at fault: a group's first job as a script for sbatch, and a prolog that is
// the health check as well. Neither is a step of the plan. Who submits the job starts all nodes of the group, which is
// for a person to decide.
// The prolog's place is on the head node, whose custom actions can never change after the cluster is made
// (aws-parallelcluster@451cc532, cluster_schema.py, refuses updates of HeadNode/CustomActions, 2026-11). A script of
// dtc's among them would hold up every update. One line of the build says how each is put there.
#include "emitters/node/first_job.h"

#include "compiler/base/shell.h"
#include "compiler/plan/model/health_check.h"
#include "compiler/plan/model/names.h"
#include "emitters/parallelcluster/configuration.h"
#include "emitters/node/upload.h"
#include "emitters/slurm/head_node.h"
#include "emitters/tool/tool_tree.h"

// Options of sbatch come before the first command. A job that shares its nodes measures its neighbours, too. Limits of
// the shell that submits, such as that of locked memory, are not the limits of the nodes' slurmd.
static Str settings_of(const Configuration *configuration, const PlanNodes *nodes, const FirstJob *job) {
    Session *session = configuration->file->session;
    const int64_t measuring = schema_constant(CONSTANT_COLLECTIVE_MINUTES);
    const Str accelerators = first_job_accelerators(session->arena, nodes);
    const int64_t minutes = measuring + (accelerators.len > 0 ? schema_constant(CONSTANT_COLLECTIVE_NCCL_MINUTES) : 0);
    StrBuf out = { .arena = session->arena };
    strbuf_add_format(&out, "# %.*s\n", STR_ARG(emitter_header(session->arena, session, configuration->file->plan)));
    strbuf_add_format(&out,
                      "#SBATCH --job-name=dtc-collective\n#SBATCH --partition=%.*s\n#SBATCH --nodes=%d\n"
                      "#SBATCH --ntasks-per-node=1\n#SBATCH --exclusive\n#SBATCH --requeue\n"
                      "#SBATCH --wait-all-nodes=1\n#SBATCH --propagate=NONE\n#SBATCH --time=%" PRId64
                      "\nminutes=%" PRId64 "\n",
                      STR_ARG(nodes->head.id), nodes->validate->first_job, minutes, measuring);
    if (accelerators.len > 0) {
        strbuf_add(&out, STR("read -r -d '' accelerators "));
        userdata_add_here_document(&out, accelerators);
    } else {
        strbuf_add(&out, STR("accelerators=\n"));
    }
    strbuf_add(&out, STR("url="));
    shell_add_word(&out, job->url);
    strbuf_add_format(&out, "\nsum=%.*s\ndrains=%s\noptions=(", STR_ARG(job->program.sha256),
                      nodes->validate->on_fail == ON_FAIL_WARN ? "no" : "yes");
    Str words[FIRST_JOB_WORDS_MAX];
    int count;
    first_job_options(session->arena, nodes, words, &count);
    for (int i = 0; i < count; i++) {
        strbuf_add_format(&out, "%s%.*s", i == 0 ? "" : " ", STR_ARG(words[i]));
    }
    strbuf_add(&out, STR(")\n"));
    return strbuf_str(&out);
}

static void decide(const Configuration *configuration, Str subject, Str what, Str command, Str file, Output *output) {
    Arena *arena = configuration->file->session->arena;
    const PlanDecision decision = {
        .span = configuration->cluster->head.subject->name_span,
        .file = file,
        .subject = subject,
        .text = str_format(arena, "%.*s: %.*s", STR_ARG(what), STR_ARG(command)),
    };
    vec_push(arena, &output->decisions, decision);
}

static void add_job(const Configuration *configuration, const PlanNodes *nodes, Output *output) {
    ToolFile *file = configuration->file;
    Session *session = file->session;
    const FirstJob job = first_job(session, output, nodes);
    if (upload_add(session, file->plan, output, job.file, job.program.bytes, job.url, configuration->cluster->region)) {
        vec_push(session->arena, &file->step.needs, job.url);
    }
    const Str name = str_format(session->arena, "%.*s-%.*s.sbatch", STR_ARG(configuration->cluster->head.id),
                                STR_ARG(nodes->head.id));
    const Str script = userdata_script_with(session->arena, userdata_library("node/first-job.sh"), "settings",
                                            settings_of(configuration, nodes, &job));
    emitter_add(session, output, ((Artifact){ .name = name, .content = script }));
    const Str what =
        str_format(session->arena, "%d nodes measure each other in a first job", nodes->validate->first_job);
    const Str command = head_node_command(file, configuration->cluster, AS_LOGIN, STR("/opt/slurm/bin/sbatch"), name);
    decide(configuration, plan_group_path(session->arena, nodes), what, command, name, output);
}

// Names of groups in a variable of the shell, with a blank before and behind each. The groups only warn, or the author
// wrote something else for them.
static void add_groups(StrBuf *out, const PlanCluster *cluster, const char *variable, bool warn) {
    strbuf_add_format(out, "%s=' ", variable);
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        const PlanValidate *validate = cluster->nodes.items[i]->validate;
        if (validate != NULL && validate->on_fail_written && (validate->on_fail == ON_FAIL_WARN) == warn) {
            strbuf_add_format(out, "%.*s ", STR_ARG(cluster->nodes.items[i]->head.id));
        }
    }
    strbuf_add(out, STR("'\n"));
}

// How many nodes may be drained in an hour; none where nothing is checked.
static int64_t drains_of(const PlanCluster *cluster) {
    enum { ALL = 100, LEAST = 2 };
    int64_t nodes = 0;
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        nodes += cluster->nodes.items[i]->validate == NULL ? 0 : cluster->nodes.items[i]->count.high->integer;
    }
    const int64_t drains = nodes * schema_constant(CONSTANT_DRAINS_PERCENT_AN_HOUR) / ALL;
    return nodes == 0 ? 0 : drains < LEAST ? LEAST : drains;
}

// ---- the prolog, which is the health check as well ---------------------------------------------------------------

#define PROLOG_PATH "/opt/slurm/etc/scripts/prolog.d/50_dtc"

// On nodes that work or may get work: not on those that are down, and ParallelCluster starts again.
void parallelcluster_health_check(const Configuration *configuration, DocNode *list) {
    Doc *doc = configuration->file->doc;
    const struct {
        const char *name;
        DocNode *value;
    } lines[] = {
        { "HealthCheckProgram", tree_text(doc, WHY_PARALLELCLUSTER_HEALTH, PROLOG_PATH) },
        { "HealthCheckInterval", tree_number(doc, WHY_PARALLELCLUSTER_HEALTH, schema_constant(CONSTANT_LOOK_AGAIN_S)) },
        { "HealthCheckNodeState", tree_text(doc, WHY_PARALLELCLUSTER_HEALTH, "ALLOC,IDLE,MIXED") },
    };
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        if (plan_slurm_setting(configuration->cluster, lines[i].name) == NULL) {
            tree_put(doc, tree_add_map(doc, list), lines[i].name, lines[i].value);
        }
    }
}

// Nodes that look at themselves again before each job. ParallelCluster runs what stands in that folder from its end to
// its beginning, its own check of GPUs, which is 90, first.
void parallelcluster_prolog(const Configuration *configuration, Output *output) {
    const PlanCluster *cluster = configuration->cluster;
    Session *session = configuration->file->session;
    const int64_t drains = drains_of(cluster);
    if (drains == 0) {
        return;
    }
    StrBuf settings = { .arena = session->arena };
    add_groups(&settings, cluster, "warns", true);
    add_groups(&settings, cluster, "written", false);
    strbuf_add_format(&settings, "drains=%" PRId64 "\n", drains);
    userdata_add_code(&settings, userdata_library("node/stamp.sh"));
    userdata_add_code(&settings, userdata_library("node/ask-again.sh"));
    userdata_add_code(&settings, userdata_library("node/again.sh"));
    const Str file = str_format(session->arena, "%.*s-prolog.sh", STR_ARG(cluster->head.id));
    const Str script =
        userdata_script_with(session->arena, userdata_library("node/prolog.sh"), "warns", strbuf_str(&settings));
    emitter_add(session, output, ((Artifact){ .name = file, .content = script }));
    const char *when = plan_runs_health_check(cluster) ? " and every few minutes" : "";
    decide(
        configuration, cluster->head.id,
        str_format(session->arena,
                   "nodes are checked again before each job%s, and %" PRId64 " an hour are drained at most", when,
                   drains),
        head_node_command(configuration->file, cluster, AS_ROOT, STR("install -m 755 /dev/stdin " PROLOG_PATH), file),
        file, output);
}

void parallelcluster_first_jobs(const Configuration *configuration, Output *output) {
    const PlanCluster *cluster = configuration->cluster;
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        const PlanNodes *nodes = cluster->nodes.items[i];
        if (first_job_is_wanted(nodes)) {
            add_job(configuration, nodes, output);
        }
    }
}
