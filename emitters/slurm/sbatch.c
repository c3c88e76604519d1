// A job as a script for sbatch. Its options come before its first command; what the author wrote stands in them and in
// the commands as single words of the shell. Several nodes find each other by the address of the first one, which
// Slurm knows, and by a port of the job's own: two jobs of a user can be on one node.
//
// srun starts the processes, so that they are in the job's own group of processes and end with it. For torchrun it
// starts one process on each node, which knows its place by SLURM_NODEID: ranks are then in Slurm's order of the nodes,
// in which those that are near each other stand together.
#include "emitters/slurm/slurm.h"

#include "compiler/base/shell.h"
#include "emitters/job/job_command.h"
#include "emitters/job/job_environment.h"
#include "emitters/job/job_submission.h"
#include "emitters/slurm/container.h"
#include "emitters/slurm/head_node.h"
#include "emitters/tool/tool_values.h"

enum { MIB = 1024 * 1024, SECOND_MS = 1000, MINUTE_S = 60, HOUR_S = 3600, DAY_S = 86400 };

typedef struct {
    ToolFile *file;
    const PlanJob *job;
    StrBuf text;
} Script;

// ---- options ---------------------------------------------------------------------------------------------------------

// An option is a line: words of the shell are not taken apart there, and a name of the language holds nothing else.
static void add_option(Script *script, const char *option, Str value) {
    strbuf_add_format(&script->text, "#SBATCH --%s=%.*s\n", option, STR_ARG(value));
}

static void add_number_option(Script *script, const char *option, int64_t number) {
    strbuf_add_format(&script->text, "#SBATCH --%s=%" PRId64 "\n", option, number);
}

// "1-02:03:04"
static void add_time(Script *script, const Value *timeout) {
    const int64_t seconds = timeout->integer / SECOND_MS;
    StrBuf time = { .arena = script->file->arena };
    if (seconds >= DAY_S) {
        strbuf_add_format(&time, "%" PRId64 "-", seconds / DAY_S);
    }
    strbuf_add_format(&time, "%02d:%02d:%02d", (int)(seconds % DAY_S / HOUR_S), (int)(seconds % HOUR_S / MINUTE_S),
                      (int)(seconds % MINUTE_S));
    add_option(script, "time", strbuf_str(&time));
}

// Processes that srun starts on each node: those of the launcher, or one which starts them.
static int64_t tasks_of(const PlanJob *job) {
    switch (job->launcher) {
    case LAUNCHER_NONE:
    case LAUNCHER_TORCHRUN:
        return 1;
    case LAUNCHER_MPIRUN:
    case LAUNCHER_SRUN:
        return job->tasks_per_node->integer;
    }
    return 1;
}

// A job that has its nodes to itself has all that is in them; one that takes a part says which.
static void add_resources(Script *script) {
    const PlanJob *job = script->job;
    if (job->slurm->is_exclusive) {
        strbuf_add(&script->text, STR("#SBATCH --exclusive\n"));
    }
    if (job->slurm->says_vcpus) {
        add_number_option(script, "cpus-per-task", job->vcpus->integer / tasks_of(job));
    }
    if (job->gpus->integer > 0) {
        add_number_option(script, "gpus-per-node", job->gpus->integer);
    }
    if (job->slurm->memory != NULL) {
        strbuf_add_format(&script->text, "#SBATCH --mem=%" PRId64 "M\n", job->slurm->memory->integer / MIB);
    } else if (job->slurm->is_exclusive) {
        strbuf_add(&script->text, STR("#SBATCH --mem=0\n"));
    }
}

static void add_options(Script *script) {
    const PlanJob *job = script->job;
    add_option(script, "job-name", job->head.id);
    add_option(script, "partition", job->slurm->partition);
    add_number_option(script, "nodes", job->nodes->integer);
    add_number_option(script, "ntasks-per-node", tasks_of(job));
    add_resources(script);
    if (job->timeout != NULL) {
        add_time(script, job->timeout);
    }
    strbuf_add_format(&script->text, "#SBATCH --%s\n", job->attempts->integer > 1 ? "requeue" : "no-requeue");
    if (job->attempts->integer > 1) {
        strbuf_add(&script->text, STR("#SBATCH --open-mode=append\n"));
    }
    if (plan_job_is_multi_node(job)) { // they start one after the other, and the first would not wait
        strbuf_add(&script->text, STR("#SBATCH --wait-all-nodes=1\n"));
    }
    if (job->array_size != NULL) {
        const Str last = str_format(script->file->arena, "0-%" PRId64, job->array_size->integer - 1);
        add_option(script, "array", last);
    }
    add_option(script, "output", job->array_size != NULL ? STR("%x-%A_%a.out") : STR("%x-%j.out"));
    strbuf_add(&script->text, STR("#SBATCH --propagate=NONE\n"));
}

// ---- environment -----------------------------------------------------------------------------------------------------

// A text that the shell's printf makes stands on a line of its own: `export` would hide it if that failed.
static void add_export(Script *script, Str name, Str value) {
    StrBuf word = { .arena = script->file->arena };
    shell_add_word(&word, value);
    if (str_find(strbuf_str(&word), STR("\"$("), 0) == 0) {
        strbuf_add_format(&script->text, "%.*s=%.*s\nexport %.*s\n", STR_ARG(name), STR_ARG(strbuf_str(&word)),
                          STR_ARG(name));
    } else {
        strbuf_add_format(&script->text, "export %.*s=%.*s\n", STR_ARG(name), STR_ARG(strbuf_str(&word)));
    }
}

// Behind the author's own. AWS PCS keeps each version in a folder of its own (AWS PCS User Guide, Slurm installer,
// 2026-11).
static void add_path(Script *script) {
    const PlanCluster *cluster = script->job->cluster;
    strbuf_add(&script->text, STR("PATH=$PATH:"));
    if (cluster->pcs != NULL) {
        const Str version = tool_text(script->file, cluster->pcs->version);
        strbuf_add_format(&script->text, "/opt/aws/pcs/scheduler/slurm-%.*s/bin", STR_ARG(version));
    } else {
        strbuf_add(&script->text, STR("/opt/slurm/bin"));
    }
    strbuf_add(&script->text, STR(":/opt/amazon/openmpi/bin\n"));
}

// srun does not take over how many CPUs a process has (srun(1), Slurm 22.05 and later). mpirun starts one process on
// each node by srun, which starts the others: it has all that the job has there.
static void add_environment(Script *script) {
    const PlanJob *job = script->job;
    if (job->slurm->says_vcpus && job->launcher != LAUNCHER_MPIRUN) {
        strbuf_add(&script->text, STR("export SRUN_CPUS_PER_TASK=\"$SLURM_CPUS_PER_TASK\"\n"));
    }
    // After `sbatch --export=NONE`, srun, which mpirun uses too, would hand on nothing of what stands here (srun(1),
    // SLURM_EXPORT_ENV).
    strbuf_add(&script->text, STR("export SLURM_EXPORT_ENV=ALL\n"));
    JobVariable variables[JOB_VARIABLES_MAX];
    const int count = job_variables(job, variables);
    for (int i = 0; i < count; i++) {
        add_export(script, str_of(variables[i].name), str_of(variables[i].value));
    }
    for (uint32_t i = 0; i < job->env->map.count; i++) {
        const ValueEntry *entry = &job->env->map.entries[i];
        if (!tool_is_null(script->file, entry->value)) {
            add_export(script, entry->key, tool_text(script->file, entry->value));
        }
    }
    add_path(script);
    container_add_setup(script->file, &script->text, job);
}

// ---- where the nodes meet --------------------------------------------------------------------------------------------

static bool needs_leader(const PlanJob *job) {
    const unsigned needs = job_needs(job);
    return plan_job_is_multi_node(job) && (job->launcher == LAUNCHER_TORCHRUN || job_has(needs, JOB_ON_NEURON));
}

static bool has_root_address(const PlanJob *job) {
    return needs_leader(job) && job_has(job_needs(job), JOB_ON_NEURON) &&
           job_author_variable(job, "NEURON_RT_ROOT_COMM_ID") == NULL;
}

// Ports below those that the kernel gives away by itself, 32768 and above.
static void add_leader(Script *script) {
    const PlanJob *job = script->job;
    if (!needs_leader(job)) {
        return;
    }
    strbuf_add(&script->text,
               STR("\n# The nodes meet at the first one. Where nodes have EC2's host names, no DNS knows its"
                   " name, and Slurm its address.\n"
                   "first=$(scontrol show hostnames \"$SLURM_JOB_NODELIST\" | head -n 1)\n"
                   "leader=$(scontrol --oneliner show node \"$first\" | grep -o ' NodeAddr=[^ ]*')\n"
                   "leader=${leader#*=}\n"
                   "port=$((10000 + SLURM_JOB_ID % 10000))\n"));
    if (has_root_address(job)) {
        strbuf_add(&script->text, STR("export NEURON_RT_ROOT_COMM_ID=\"$leader:$((port + 10000))\"\n"));
    }
}

// ---- the command -----------------------------------------------------------------------------------------------------

static void add_words(Script *script, const JobWords *words) {
    for (uint32_t i = 0; i < words->count; i++) {
        const JobWord *word = &words->items[i];
        if (word->value == NULL || !tool_is_null(script->file, word->value)) {
            shell_add(&script->text, "", word->value == NULL ? word->text : tool_text(script->file, word->value));
        }
    }
}

static void add_torchrun(Script *script) {
    Arena *arena = script->file->arena;
    const PlanJob *job = script->job;
    JobWords words = { 0 };
    if (plan_job_is_multi_node(job)) {
        strbuf_add_format(&script->text,
                          " bash -c 'exec%s torchrun --node-rank \"$SLURM_NODEID\" \"$@\"' torchrun \\\n",
                          job->precompile->boolean ? " neuron_parallel_compile" : "");
        strbuf_add(&script->text, STR("    --nnodes \"$SLURM_JOB_NUM_NODES\" --master-addr \"$leader\""
                                      " --master-port \"$port\" \\\n   "));
    } else {
        job_add_precompile(arena, &words, job);
        add_words(script, &words);
        words = (JobWords){ 0 };
        strbuf_add(&script->text, STR(" torchrun --standalone"));
    }
    job_add_torchrun_options(arena, &words, job);
    add_words(script, &words);
}

static void add_mpirun(Script *script) {
    const PlanJob *job = script->job;
    JobWords words = { 0 };
    strbuf_add_format(&script->text, "mpirun -np %" PRId64, job->nodes->integer * job->tasks_per_node->integer);
    job_add_mpirun_options(script->file->arena, &words, job);
    add_words(script, &words);
}

// A job that lost a node starts again by itself (`--requeue`); one that failed has to ask for it.
static bool asks_again(const PlanJob *job) {
    return job->attempts->integer > 1 && job->node_loss == NULL;
}

// Processes that Slurm starts find each other by PMIx, if they are of MPI; nothing else starts them. By default Slurm
// gives them nothing (`MpiDefault=none`), and each of them is alone in its MPI_COMM_WORLD. An option would win against the
// variable of an author whose MPI wants another way.
// source: aws/aws-parallelcluster-cookbook@f75d84c3 templates/default/slurm/slurm.conf.erb and
// recipes/install/install_slurm.rb; awslabs/awsome-distributed-ai@95b939cd micro-benchmarks/nccl-tests/slurm;
// slurm.schedmd.com/mpi_guide.html, read 2026-11
static bool wants_pmix(const PlanJob *job) {
    return job->launcher == LAUNCHER_SRUN && job_author_variable(job, "SLURM_MPI_TYPE") == NULL;
}

static void add_srun(Script *script) {
    strbuf_add(&script->text, STR("srun --kill-on-bad-exit=1"));
    strbuf_add(&script->text, wants_pmix(script->job) ? STR(" --mpi=pmix") : STR_NONE);
    container_add_options(script->file, &script->text, script->job, has_root_address(script->job));
}

static void add_command(Script *script) {
    const PlanJob *job = script->job;
    strbuf_add_char(&script->text, '\n');
    strbuf_add(&script->text, asks_again(job) ? STR("status=0\n") : STR_NONE);
    switch (job->launcher) {
    case LAUNCHER_NONE:
    case LAUNCHER_SRUN:
        add_srun(script);
        break;
    case LAUNCHER_TORCHRUN:
        add_srun(script);
        add_torchrun(script);
        break;
    case LAUNCHER_MPIRUN:
        add_mpirun(script);
        break;
    }
    JobWords words = { 0 };
    if (job->launcher == LAUNCHER_NONE) {
        job_add_precompile(script->file->arena, &words, job);
    }
    job_add_command(script->file->arena, &words, job);
    add_words(script, &words);
    strbuf_add(&script->text, asks_again(job) ? STR(" || status=$?\n") : STR("\n"));
}

// Slurm starts a job that lost a node again without end: the script counts for it.
static void add_first_lines(Script *script) {
    const int64_t attempts = script->job->attempts->integer;
    strbuf_add(&script->text, STR("set -euo pipefail\n"));
    if (attempts > 1) {
        strbuf_add_format(&script->text,
                          "[ \"${SLURM_RESTART_COUNT:-0}\" -lt %" PRId64 " ] || { echo 'tried %" PRId64
                          " times' >&2; exit 1; }\n",
                          attempts, attempts);
    }
}

static void add_requeue(Script *script) {
    const int64_t attempts = script->job->attempts->integer;
    // The id of an array's last job is that of the whole array.
    const char *id = script->job->array_size != NULL ? "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID" : "$SLURM_JOB_ID";
    if (asks_again(script->job)) {
        strbuf_add_format(&script->text,
                          "if [ \"$status\" != 0 ] && [ \"${SLURM_RESTART_COUNT:-0}\" -lt %" PRId64 " ]; then\n"
                          "    scontrol requeue \"%s\" && sleep 60 # the end comes from Slurm\n"
                          "fi\nexit \"$status\"\n",
                          attempts - 1, id);
    }
}

// ---- the file --------------------------------------------------------------------------------------------------------

// `sbatch --dependency=afterok:$(cat a.jobid):$(cat b.jobid) --parsable FILE > c.jobid`
static void add_sbatch(StrBuf *text, const PlanJob *job, Str file) {
    strbuf_add(text, STR("sbatch"));
    strbuf_add(text, job->depends_on.count > 0 ? STR(" --kill-on-invalid-dep=yes --dependency=afterok") : STR_NONE);
    for (uint32_t i = 0; i < job->depends_on.count; i++) {
        strbuf_add_format(text, ":$(cat %.*s)", STR_ARG(job_id_file(text->arena, job->depends_on.items[i].id)));
    }
    const bool is_awaited = plan_job_is_awaited(job);
    strbuf_add(text, is_awaited ? STR(" --parsable") : STR_NONE);
    if (file.len > 0) {
        shell_add(text, "", file);
    }
    if (is_awaited) {
        const Str id = job_id_file(text->arena, job->head.id);
        strbuf_add_format(text, " > %.*s", STR_ARG(id));
    }
}

static void fill_step(Script *script) {
    ToolFile *file = script->file;
    const PlanCluster *cluster = script->job->cluster;
    Arena *arena = file->session->arena;
    DeploymentStep *step = &file->step;
    job_fill_step(arena, step, script->job);
    const Str pyxis = pyxis_step_key(arena, cluster);
    if (pyxis.len > 0 && plan_job_has_image(script->job)) {
        vec_push(arena, &step->follows, pyxis);
    }
    vec_push(arena, &step->needs, cluster->head.name->string);
    StrBuf apply = { .arena = arena };
    if (cluster->slurm != NULL && cluster->slurm->head_node != NULL) {
        strbuf_add(&apply, STR("/opt/slurm/bin/"));
        add_sbatch(&apply, script->job, STR_NONE);
        step->apply =
            head_node_command(file, cluster, plan_job_is_awaited(script->job) ? AS_LOGIN_TO_ITS_END : AS_LOGIN,
                              strbuf_str(&apply), step->file);
        return;
    }
    add_sbatch(&apply, script->job, step->file); // on a login node, which is the author's own
    step->apply = strbuf_str(&apply);
}

static void emit_job(Session *session, const Plan *plan, const PlanJob *job, Output *output) {
    ToolFile *file = tool_open(session, plan, &job->head, "sbatch", "job");
    file->step.file = str_format(session->arena, "%.*s.sbatch", STR_ARG(job->head.id));
    file->step.region = job->cluster->region;
    Script script = { .file = file, .job = job, .text = { .arena = session->arena } };
    strbuf_add_format(&script.text,
                      "#!/bin/bash\n# %.*s\n# shellcheck disable=SC2016,SC2155 # what is quoted is for the nodes; "
                      "printf does not fail\n",
                      STR_ARG(emitter_header(session->arena, session, plan)));
    add_options(&script);
    add_first_lines(&script);
    add_environment(&script);
    add_leader(&script);
    add_command(&script);
    add_requeue(&script);
    fill_step(&script);
    Artifact artifact = { .name = file->step.file, .step = file->step, .missing = file->missing };
    artifact.content = file->missing.count == 0 ? strbuf_str(&script.text) : STR_NONE;
    emitter_add(session, output, artifact);
    arena_destroy(file->arena);
}

void slurm_emit(Session *session, const Plan *plan, Output *output) {
    for (uint32_t i = 0; i < plan->clusters.count; i++) {
        const PlanCluster *cluster = plan->clusters.items[i];
        pyxis_emit(session, plan, cluster, output);
        for (uint32_t k = 0; k < cluster->jobs.count; k++) {
            if (cluster->jobs.items[k]->slurm == NULL) {
                continue;
            }
            if (emitter_is_full(session, output, cluster->jobs.items[k]->head.subject)) {
                return;
            }
            emit_job(session, plan, cluster->jobs.items[k], output);
        }
    }
}
