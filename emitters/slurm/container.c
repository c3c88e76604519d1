// The container sees no home directory, as on other targets, so that what a program keeps has to be in a file system of
// `mounts`. It may be written to, which is lost with it. The image's own variables come before those of the script,
// except for the ones that are named.
// source: NVIDIA/pyxis@1075199 README.md and args.c; NVIDIA/enroot@8ea147d doc/cmd/import.md, v3.4.1 src/docker.sh
// (which knows a digest only as a tag), 2026-05, read 2026-11
#include "emitters/slurm/container.h"

#include "compiler/base/shell.h"
#include "compiler/plan/model/image.h"
#include "emitters/job/job_environment.h"
#include "emitters/tool/tool_facts.h"
#include "emitters/tool/tool_values.h"

// ---- the image -------------------------------------------------------------------------------------------------------

static Str uri_of(ToolFile *file, const PlanJob *job) {
    return job->image != NULL ? tool_image_uri(file, job->head.subject->name_span, job->image, job->cluster)
                              : tool_text(file, job->image_uri);
}

// "nvcr.io" of "nvcr.io/nvidia/pytorch"; empty where it is Docker Hub's.
static Str host_of(Str uri) {
    const Str first = str_slice(uri, 0, str_find(uri, STR("/"), 0));
    const bool has_mark = str_find(first, STR("."), 0) < first.len || str_find(first, STR(":"), 0) < first.len;
    return first.len < uri.len && (has_mark || str_is(first, "localhost")) ? first : STR_NONE;
}

// "nvcr.io#nvidia/pytorch:25.06" of "nvcr.io/nvidia/pytorch:25.06"; a digest stands in the place of the tag.
static Str image_of(Arena *arena, Str uri) {
    const Str host = host_of(uri);
    Str name = host.len > 0 ? str_slice(uri, host.len + 1, uri.len) : uri;
    const size_t at = str_find(name, STR("@"), 0);
    if (at < name.len) {
        const Str tagged = str_slice(name, 0, at);
        name = str_format(arena, "%.*s:%.*s", STR_ARG(str_slice(tagged, 0, str_find(tagged, STR(":"), 0))),
                          STR_ARG(str_slice(name, at + 1, name.len)));
    }
    return host.len > 0 ? str_format(arena, "%.*s#%.*s", STR_ARG(host), STR_ARG(name)) : name;
}

// ---- before the first srun -------------------------------------------------------------------------------------------

// Slurm leaves the job its own GPUs, and the hook of enroot shows those that are left. An image without CUDA in it, such
// as one with PyTorch from PyPI, does not ask for them by itself.
static void add_devices(StrBuf *text, const PlanJob *job) {
    static const char *const VARIABLES[][2] = {
        { "NVIDIA_VISIBLE_DEVICES", "all" },
        { "NVIDIA_DRIVER_CAPABILITIES", "compute,utility" },
    };
    for (size_t i = 0; job->gpus->integer > 0 && i < COUNT_OF(VARIABLES); i++) {
        if (job_author_variable(job, VARIABLES[i][0]) == NULL) {
            strbuf_add_format(text, "export %s=%s\n", VARIABLES[i][0], VARIABLES[i][1]);
        }
    }
}

// The file holds a command, which enroot runs on the node: the role of the node may fetch the image. Nobody else may
// write to it. On AWS PCS the nodes may have homes of their own, so that each of them writes the line.
static void add_login(StrBuf *text, const PlanJob *job, Str host, Str region) {
    const bool is_of_each_node = job->cluster->pcs != NULL && plan_job_is_multi_node(job);
    const Str machine = str_format(text->arena, "machine %.*s login AWS password ", STR_ARG(host));
    const Str line =
        str_format(text->arena, "%.*s$(aws ecr get-login-password --region %.*s)", STR_ARG(machine), STR_ARG(region));
    strbuf_add(text, STR("\n# The password of ECR comes from a command that enroot runs on the nodes.\n"
                         "export ENROOT_CONFIG_PATH=\"$HOME/.config/enroot\"\n"));
    if (is_of_each_node) {
        strbuf_add(text, STR("srun --ntasks=\"$SLURM_JOB_NUM_NODES\" --ntasks-per-node=1 bash -c 'set -e\n"
                             "    mkdir -p \"$ENROOT_CONFIG_PATH\"\n"
                             "    grep -qsF \"$1\" \"$ENROOT_CONFIG_PATH/.credentials\" ||\n"
                             "        echo \"$2\" >> \"$ENROOT_CONFIG_PATH/.credentials\"' login \\\n    "));
        shell_add_word(text, machine);
        strbuf_add(text, STR(" \\\n    "));
        shell_add_word(text, line);
        strbuf_add_char(text, '\n');
        return;
    }
    strbuf_add(text, STR("mkdir -p \"$ENROOT_CONFIG_PATH\"\n"
                         "grep -qsF "));
    shell_add_word(text, machine);
    strbuf_add(text, STR(" \"$ENROOT_CONFIG_PATH/.credentials\" ||\n    echo "));
    shell_add_word(text, line);
    strbuf_add(text, STR(" >> \"$ENROOT_CONFIG_PATH/.credentials\"\n"));
}

void container_add_setup(ToolFile *file, StrBuf *text, const PlanJob *job) {
    if (!plan_job_has_image(job)) {
        return;
    }
    add_devices(text, job);
    Str host;
    Str region;
    if (plan_image_registry(uri_of(file, job), &host, &region)) {
        add_login(text, job, host, region);
    }
}

// ---- options of srun -------------------------------------------------------------------------------------------------

static void add_name(StrBuf *names, Str name) {
    strbuf_add_format(names, "%s%.*s", names->len == 0 ? "" : ",", STR_ARG(name));
}

// pyxis hands the named ones to enroot as lines, so that a value of several lines is left out: it gets in all the same,
// unless the image has the variable too.
static Str names_of(ToolFile *file, const PlanJob *job, bool has_root_address) {
    StrBuf names = { .arena = file->arena };
    JobVariable variables[JOB_VARIABLES_MAX];
    const int count = job_variables(job, variables);
    for (int i = 0; i < count; i++) {
        add_name(&names, str_of(variables[i].name));
    }
    for (uint32_t i = 0; i < job->env->map.count; i++) {
        const ValueEntry *entry = &job->env->map.entries[i];
        const Str value = tool_is_null(file, entry->value) ? STR_NONE : tool_text(file, entry->value);
        if (value.len > 0 && str_find(value, STR("\n"), 0) == value.len) {
            add_name(&names, entry->key);
        }
    }
    if (has_root_address) {
        add_name(&names, STR("NEURON_RT_ROOT_COMM_ID"));
    }
    return strbuf_str(&names);
}

static Str mounts_of(ToolFile *file, const PlanJob *job) {
    StrBuf mounts = { .arena = file->arena };
    for (uint32_t i = 0; i < job->slurm->mounts.count; i++) {
        const Str path = tool_text(file, job->slurm->mounts.items[i]->mount);
        strbuf_add_format(&mounts, "%s%.*s:%.*s", i == 0 ? "" : ",", STR_ARG(path), STR_ARG(path));
    }
    return strbuf_str(&mounts);
}

// On a line of its own.
static void add_option(StrBuf *text, const char *option, Str value) {
    if (value.len > 0) {
        strbuf_add_format(text, " \\\n    %s=", option);
        shell_add_word(text, value);
    }
}

void container_add_options(ToolFile *file, StrBuf *text, const PlanJob *job, bool has_root_address) {
    if (!plan_job_has_image(job)) {
        return;
    }
    strbuf_add(text, STR(" --no-container-mount-home --container-writable"));
    add_option(text, "--container-image", image_of(file->arena, uri_of(file, job)));
    add_option(text, "--container-mounts", mounts_of(file, job));
    add_option(text, "--container-env", names_of(file, job, has_root_address));
    strbuf_add(text, STR(" \\\n   "));
}
