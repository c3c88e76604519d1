// How pyxis is switched on in a cluster of ParallelCluster. Images of ParallelCluster have enroot and pyxis from 3.11 on,
// switched off from 3.11.1 on (aws-parallelcluster-cookbook@f75d84c3, CHANGELOG.md, 2024-10, read 2026-11). What its User
// Guide puts into custom actions is a step of the plan here: those of a head can never change, and those of a queue
// replace its nodes. The step is right for a cluster that is there, too. Each node prepares itself in Slurm's prolog.
#include "emitters/slurm/container.h"

#include "emitters/node/userdata.h"
#include "emitters/slurm/head_node.h"

static bool has_image(const PlanCluster *cluster) {
    for (uint32_t i = 0; i < cluster->jobs.count; i++) {
        if (cluster->jobs.items[i]->slurm != NULL && plan_job_has_image(cluster->jobs.items[i])) {
            return true;
        }
    }
    return false;
}

static bool is_wanted(const PlanCluster *cluster) {
    return cluster->target == TARGET_PARALLELCLUSTER && cluster->slurm->head_node != NULL && has_image(cluster);
}

Str pyxis_step_key(Arena *arena, const PlanCluster *cluster) {
    return is_wanted(cluster) ? str_format(arena, "pyxis of %.*s", STR_ARG(cluster->head.id)) : STR_NONE;
}

void pyxis_emit(Session *session, const Plan *plan, const PlanCluster *cluster, Output *output) {
    if (!is_wanted(cluster)) {
        return;
    }
    Arena *arena = session->arena;
    ToolFile *file = tool_open(session, plan, &cluster->head, "pyxis", "pyxis");
    DeploymentStep *step = &file->step;
    step->file = str_format(arena, "%.*s-pyxis.sh", STR_ARG(cluster->head.id));
    step->name = str_format(arena, "%.*s-pyxis", STR_ARG(cluster->head.name->string));
    step->key = pyxis_step_key(arena, cluster);
    step->region = cluster->region;
    vec_push(arena, &step->needs, cluster->head.name->string);
    step->apply = head_node_command(file, cluster, AS_ROOT_TO_ITS_END, STR("bash"), step->file);
    const Str content =
        userdata_script_with(arena, userdata_library("job/pyxis.sh"), "settings",
                             str_format(arena, "# %.*s\n", STR_ARG(emitter_header(arena, session, plan))));
    emitter_add(session, output, ((Artifact){ .name = step->file, .content = content, .step = *step }));
    arena_destroy(file->arena);
}
