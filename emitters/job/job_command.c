// Words of launchers, as rows: options with what each is for.
#include "emitters/job/job_command.h"

#include "emitters/job/job_environment.h"

enum { OPTION_WORDS_MAX = 3, ALWAYS = 0 };

typedef struct {
    const char *words[OPTION_WORDS_MAX]; // up to the first NULL
    unsigned needs;
    Why why;
} OptionRow;

static const OptionRow MPIRUN_ROWS[] = {
    { { "--allow-run-as-root" }, JOB_IN_CONTAINER, WHY_MPIRUN_ROOT },
    { { "--tag-output" }, ALWAYS, WHY_MPIRUN_TAG },
    { { "--bind-to", "none" }, JOB_ON_ACCELERATORS, WHY_MPIRUN_BIND },
    { { "--mca", "pml", "^cm,ucx" }, JOB_OF_NODES | JOB_ON_ACCELERATORS, WHY_MPIRUN_TCP },
    { { "--mca", "btl", "tcp,self" }, JOB_OF_NODES | JOB_ON_ACCELERATORS, WHY_MPIRUN_TCP },
    { { "--mca", "btl_tcp_if_exclude", "lo,docker0,ecs-eth0" }, JOB_OF_NODES | JOB_ON_BATCH, WHY_MPIRUN_INTERFACES },
    { { "--mca", "oob_tcp_if_exclude", "lo,docker0,ecs-eth0" }, JOB_OF_NODES | JOB_ON_BATCH, WHY_MPIRUN_INTERFACES },
    { { "--mca", "btl_tcp_if_exclude", "lo,docker0" }, JOB_OF_NODES | JOB_ON_SLURM, WHY_MPIRUN_INTERFACES },
    { { "--mca", "oob_tcp_if_exclude", "lo,docker0" }, JOB_OF_NODES | JOB_ON_SLURM, WHY_MPIRUN_INTERFACES },
};

void job_add_word(Arena *arena, JobWords *words, Why reason, const char *word) {
    const JobWord new = { .text = str_of(word), .origin = why(reason) };
    vec_push(arena, words, new);
}

void job_add_number(Arena *arena, JobWords *words, const Value *number) {
    const JobWord new = { .text = str_format(arena, "%" PRId64, number->integer), .origin = number->origin };
    vec_push(arena, words, new);
}

void job_add_precompile(Arena *arena, JobWords *words, const PlanJob *job) {
    if (job->precompile->boolean) {
        const JobWord word = { .text = STR("neuron_parallel_compile"), .origin = job->precompile->origin };
        vec_push(arena, words, word);
    }
}

void job_add_command(Arena *arena, JobWords *words, const PlanJob *job) {
    const bool is_there = job->command != NULL && job->command->kind == VALUE_LIST;
    for (uint32_t i = 0; is_there && i < job->command->list.count; i++) {
        const JobWord new = { .value = job->command->list.items[i] };
        vec_push(arena, words, new);
    }
}

// Open MPI takes the first or the second of these, and no way over TCP where it has both (open-mpi/ompi v5.0.10
// opal/mca/btl/tcp/btl_tcp_component.c, mca_btl_tcp_component_verify, read 2026-11).
static const char *const EXCLUSIVE[][2] = {
    { "btl_tcp_if_exclude", "btl_tcp_if_include" },
    { "oob_tcp_if_exclude", "oob_tcp_if_include" },
};

// A parameter that the author sets is his alone.
static bool is_authors(const PlanJob *job, const OptionRow *row) {
    if (strcmp(row->words[0], "--mca") != 0) {
        return false;
    }
    bool is = plan_job_sets_mca(job, row->words[1]);
    for (size_t i = 0; i < COUNT_OF(EXCLUSIVE); i++) {
        is = is || (strcmp(row->words[1], EXCLUSIVE[i][0]) == 0 && plan_job_sets_mca(job, EXCLUSIVE[i][1]));
    }
    return is;
}

void job_add_mpirun_options(Arena *arena, JobWords *words, const PlanJob *job) {
    const unsigned needs = job_needs(job);
    for (size_t i = 0; i < COUNT_OF(MPIRUN_ROWS); i++) {
        const OptionRow *row = &MPIRUN_ROWS[i];
        const bool has_row = job_has(needs, row->needs) && !is_authors(job, row);
        for (size_t k = 0; has_row && k < OPTION_WORDS_MAX && row->words[k] != NULL; k++) {
            job_add_word(arena, words, row->why, row->words[k]);
        }
    }
}

// Options of torchrun that take a value may stand before the program: "--max-restarts 3" and "--max-restarts=3". The
// program is the first word that is neither an option nor such a value.
static bool takes_value(Str option) {
    static const char *const FLAGS[] = { "--standalone", "--run-path", "--run_path" };
    bool is_flag = str_find(option, STR("="), 0) < option.len;
    for (size_t i = 0; i < COUNT_OF(FLAGS); i++) {
        is_flag = is_flag || str_is(option, FLAGS[i]);
    }
    return !is_flag;
}

static bool is_any(Str word, const char *first, const char *second) {
    return str_is(word, first) || str_is(word, second);
}

// Whether torchrun has to be told that the program is no Python. It starts a file of Python or a module by itself, and an
// author may have told it. A program that is late is taken for any other.
static bool needs_no_python(const PlanJob *job) {
    for (uint32_t i = 0; i < job->command->list.count; i++) {
        const Value *item = job->command->list.items[i];
        if (item->kind != VALUE_STRING) {
            return true;
        }
        const Str word = item->string;
        if (is_any(word, "-m", "--module") || is_any(word, "--no-python", "--no_python")) {
            return false;
        }
        if (!str_starts_with(word, STR("-"))) {
            return !str_ends_with(word, STR(".py"));
        }
        i += takes_value(word) ? 1 : 0;
    }
    return true;
}

void job_add_torchrun_program(Arena *arena, JobWords *words, const PlanJob *job) {
    if (needs_no_python(job)) {
        job_add_word(arena, words, WHY_TORCHRUN_PROGRAM, "--no-python");
    }
}

void job_add_torchrun_options(Arena *arena, JobWords *words, const PlanJob *job) {
    job_add_word(arena, words, WHY_TORCHRUN_PROCESSES, "--nproc-per-node");
    job_add_number(arena, words, job->tasks_per_node);
    job_add_torchrun_program(arena, words, job);
}
