// Rules about jobs: what asks for more than a node of the group has stays RUNNABLE for ever, and Batch says nothing.
#include "compiler/plan/rules.h"

static void too_few(const Rules *rules, const PlanJob *job, const Value *value, const char *name, int64_t least) {
    Diag *diag =
        least == 0
            ? plan_report(rules->session, job->head.block, value->span, DIAG(negative), name, value->integer)
            : plan_report(rules->session, job->head.block, value->span, DIAG(not_positive), name, value->integer);
    diag_help(rules->session, diag, "write %" PRId64 " or more, or leave `%s` out", least, name);
}

void rule_fits_nodes(const Rules *rules, const PlanJob *job) {
    if (job->nodes->integer < 1) {
        too_few(rules, job, job->nodes, "nodes", 1);
        return;
    }
    if (job->nodes->integer > job->group->count_high->integer) {
        Diag *diag = plan_report(rules->session, job->head.block, job->nodes->span, DIAG(job_too_many_nodes),
                                 STR_ARG(job->head.id), job->nodes->integer, STR_ARG(job->group->head.id),
                                 job->group->count_high->integer);
        diag_label(rules->session, diag, job->group->count_high->span, "%" PRId64 " at most",
                   job->group->count_high->integer);
    }
}

static void check_amount(const Rules *rules, const PlanJob *job, const Value *value, const char *name, int64_t least,
                         int64_t most) {
    if (value->integer < least) {
        too_few(rules, job, value, name, least);
    } else if (value->integer > most) {
        Diag *diag = plan_report(rules->session, job->head.block, value->span, DIAG(job_too_large), name,
                                 value->integer, job->group->instance->name, most);
        diag_label(rules->session, diag, job->group->instance_value->span, "has %" PRId64, most);
    }
}

enum { MEMORY_LEAST_MIB = 4 }; // AWS Batch API Reference, ResourceRequirement, 2026-11

static void check_memory(const Rules *rules, const PlanJob *job) {
    int64_t mib = job->memory->integer / (1024 * 1024);
    int64_t most = plan_allocatable_mib(job->group->instance);
    if (mib < MEMORY_LEAST_MIB) {
        plan_report(rules->session, job->head.block, job->memory->span, DIAG(memory_too_small),
                    STR_ARG(value_print(rules->session->arena, job->memory)));
    } else if (mib > most) {
        Diag *diag = plan_report(rules->session, job->head.block, job->memory->span, DIAG(job_too_much_memory), mib,
                                 job->group->instance->name, most);
        diag_label(rules->session, diag, job->group->instance_value->span, "nominal memory %" PRId64 "MiB",
                   job->group->instance->memory_mib);
        diag_help(rules->session, diag, "leave `memory` out: the default is what can be had");
    }
}

void rule_fits_type(const Rules *rules, const PlanJob *job) {
    const InstanceRow *row = job->group->instance;
    bool has_gpus = row->accelerator == ACCELERATOR_NVIDIA;
    check_amount(rules, job, job->vcpus, "vcpus", 1, row->vcpus);
    check_amount(rules, job, job->gpus, "gpus", 0, has_gpus ? row->accelerators : 0);
    check_memory(rules, job);
    if (job->retries->kind == VALUE_INT && (job->retries->integer < 1 || job->retries->integer > 10)) {
        plan_report(rules->session, job->head.block, job->retries->span, DIAG(retries_outside), job->retries->integer);
    }
    if (job->timeout != NULL && job->timeout->integer < 60000) {
        plan_report(rules->session, job->head.block, job->timeout->span, DIAG(timeout_too_short),
                    STR_ARG(value_print(rules->session->arena, job->timeout)));
    }
}

void rule_shm_in_memory(const Rules *rules, const PlanJob *job) {
    if (job->shm->integer > job->memory->integer) {
        Diag *diag = plan_report(rules->session, job->head.block, job->shm->span, DIAG(shm_above_memory),
                                 STR_ARG(value_print(rules->session->arena, job->shm)),
                                 STR_ARG(value_print(rules->session->arena, job->memory)));
        diag_label(rules->session, diag, job->memory->span, "the job's memory");
    }
}

void rule_launcher(const Rules *rules, const PlanJob *job) {
    const Block *block = job->head.block;
    const bool is_written = block_value(block, JOB_WORKERS) != NULL;
    if (job->workers->integer < 1) {
        too_few(rules, job, job->workers, "workers", 1);
    } else if (job->launcher == LAUNCHER_NONE && job->workers->integer > 1 && is_written) {
        Diag *diag = plan_report(rules->session, block, block->attribute_spans[JOB_WORKERS],
                                 DIAG(workers_without_launcher), job->workers->integer, STR_ARG(job->head.id));
        diag_help(rules->session, diag, "write `launcher = mpirun`, or leave `workers` out");
    }
    const Value *command = job->command;
    const bool is_empty =
        command == NULL || command->kind == VALUE_NULL || (command->kind == VALUE_LIST && command->list.count == 0);
    if (job->launcher != LAUNCHER_NONE && is_empty) {
        Diag *diag = plan_report(rules->session, block, job->launcher_value->span, DIAG(launcher_without_command),
                                 STR_ARG(job->launcher_value->string), STR_ARG(job->head.id));
        diag_help(rules->session, diag, "write `command = [\"PROGRAM\", \"ARGUMENT\"]`");
    }
}

// The default is never too small for a type with several GPUs; little memory makes little of it, unless that has been
// found to be too little already.
void rule_shm_for_gpus(const Rules *rules, const PlanJob *job) {
    const int64_t mib = 1024 * 1024;
    const Value *shm = read_value(job->head.block, JOB_SHM);
    int64_t least = schema_constant(CONSTANT_JOB_SHM_LEAST_MIB);
    bool was_found = job->shm->integer > job->memory->integer || job->memory->integer < MEMORY_LEAST_MIB * mib;
    if (job->gpus->integer < 2 || job->shm->integer >= least * mib || was_found) {
        return;
    }
    Diag *diag =
        plan_report(rules->session, job->head.block, shm != NULL ? shm->span : job->memory->span, DIAG(shm_small),
                    STR_ARG(value_print(rules->session->arena, job->shm)), job->gpus->integer);
    bool has_gpus = read_value(job->head.block, JOB_GPUS) != NULL;
    diag_label(rules->session, diag, has_gpus ? job->gpus->span : job->group->instance_value->span, "%" PRId64 " GPUs",
               job->gpus->integer);
    if (shm != NULL) {
        diag_help(rules->session, diag, "leave `shm` out, or give it %" PRId64 "MiB or more", least);
    } else {
        diag_help(rules->session, diag, "give `shm` %" PRId64 "MiB or more, and `memory` more than that", least);
    }
}
