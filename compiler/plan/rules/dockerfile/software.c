// Rules about the releases that a training image brings in: that they are there, that they fit each other, and that the
// installer of EFA leaves the kernel of the node alone.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/plan_dockerfile.h"

static Arena *arena_of(const Rules *rules) {
    return rules->session->arena;
}

// ---- releases that are not there -----------------------------------------------------------------------------------

// `v2.30` of NCCL may be a branch; gdrcopy has tags of two numbers, and the installer has none.
static bool is_of_release(const DockerRelease *release) {
    const bool is_short = release->software != SOFTWARE_GDRCOPY && release->software != SOFTWARE_EFA;
    return image_is_release(release->version) && (!is_short || image_version_parts(release->version) > 2);
}

static void check_tag(const Rules *rules, const PlanDockerfile *file, const DockerRelease *release) {
    Str nearest;
    if (!is_of_release(release) || !image_release_is_none(release->software, release->version, &nearest)) {
        return;
    }
    Diag *diag = plan_report(rules->session, file->subject, release->span, DIAG(release_of_none),
                             image_software_name(release->software), STR_ARG(release->version));
    diag_help(rules->session, diag, "write `%.*s`%s", STR_ARG(nearest),
              str_has(source_text(rules->session, release->span), "$") ? " in what its variables come to" : "");
}

void rule_docker_releases(const Rules *rules, const PlanDockerfile *file) {
    for (uint32_t i = 0; i < file->releases.count; i++) {
        const DockerRelease *release = &file->releases.items[i];
        if (release->is_tag || release->software == SOFTWARE_EFA) {
            check_tag(rules, file, release);
        }
    }
}

// ---- releases that do not fit ----------------------------------------------------------------------------------------

// The last one of a software in the image of a stage, before a step.
static const DockerRelease *find_release(const PlanDockerfile *file, ImageSoftware software, uint32_t before) {
    const int stage = file->steps.items[before].stage;
    const DockerRelease *found = NULL;
    for (uint32_t i = 0; i < file->releases.count; i++) {
        const DockerRelease *release = &file->releases.items[i];
        const bool is_here = release->step == before || docker_is_in(file, stage, release->step, before);
        found = release->software == software && is_here ? release : found;
    }
    return found;
}

// Whether the script that builds the plugin takes the libfabric of the installer.
static bool takes_libfabric_of_efa(const PlanDockerfile *file, uint32_t step) {
    const DockerStep *build = &file->steps.items[step];
    return str_has(build->script, "--with-libfabric=/opt/amazon/efa") && !str_has(file->text, "libfabric.git") &&
           !str_has(file->text, "ofiwg/libfabric");
}

static void report_need(const Rules *rules, const PlanDockerfile *file, const DockerRelease *plugin, Str needed,
                        const char *what, Str had, const DockerRelease *other) {
    Diag *diag = plan_report(rules->session, file->subject, plugin->span, DIAG(plugin_needs_later),
                             STR_ARG(plugin->version), what, STR_ARG(needed), STR_ARG(had));
    diag_label(rules->session, diag, other->span, "%s",
               other->software == SOFTWARE_EFA ? "the installer that has it" : "");
    if (other->software == SOFTWARE_EFA) {
        diag_help(rules->session, diag, "let the installer of EFA be 1.40.0 or later, which brings the plugin itself");
    } else {
        diag_help(rules->session, diag, "build NCCL %.*s or later", STR_ARG(needed));
    }
}

static void check_plugin(const Rules *rules, const PlanDockerfile *file, const DockerRelease *plugin) {
    const DockerRelease *efa = find_release(file, SOFTWARE_EFA, plugin->step);
    const Str needed = image_plugin_libfabric(plugin->version);
    const Str libfabric = efa != NULL && image_is_version(efa->version) ? image_efa_libfabric(efa->version) : STR_NONE;
    if (libfabric.len > 0 && needed.len > 0 && takes_libfabric_of_efa(file, plugin->step) &&
        image_version_compare(libfabric, needed) < 0) {
        report_need(rules, file, plugin, needed, "libfabric", libfabric, efa);
        return;
    }
    const DockerRelease *nccl = find_release(file, SOFTWARE_NCCL, plugin->step);
    const Str least = image_plugin_nccl(plugin->version);
    if (nccl != NULL && least.len > 0 && image_version_compare(nccl->version, least) < 0) {
        report_need(rules, file, plugin, least, "NCCL", nccl->version, nccl);
    }
}

void rule_docker_plugin(const Rules *rules, const PlanDockerfile *file) {
    for (uint32_t i = 0; i < file->releases.count; i++) {
        if (file->releases.items[i].software == SOFTWARE_PLUGIN && image_is_version(file->releases.items[i].version)) {
            check_plugin(rules, file, &file->releases.items[i]);
        }
    }
}

// ---- CUDA ------------------------------------------------------------------------------------------------------------

static Str major_of(Str version) {
    return str_slice(version, 0, str_find(version, STR("."), 0));
}

void rule_docker_cuda(const Rules *rules, const PlanDockerfile *file) {
    for (uint32_t i = 0; i < file->releases.count; i++) {
        const DockerRelease *release = &file->releases.items[i];
        const int stage = file->steps.items[release->step].stage;
        const Str image = release->cuda.len > 0 ? docker_root(file, stage) : STR_NONE;
        const Str cuda = docker_cuda_of(arena_of(rules), image);
        const Str major = major_of(release->cuda);
        const bool is_said = i > 0 && file->releases.items[i - 1].step == release->step &&
                             str_equal(file->releases.items[i - 1].cuda, release->cuda);
        if (cuda.len == 0 || str_equal(major_of(cuda), major) || is_said) {
            continue;
        }
        Diag *diag = plan_report(rules->session, file->subject, release->span, DIAG(nccl_other_cuda),
                                 STR_ARG(release->version), STR_ARG(release->cuda), STR_ARG(image), STR_ARG(cuda));
        diag_label(rules->session, diag, file->stages.items[stage].span, "%s", "");
        diag_help(rules->session, diag, "install the package for CUDA %.*s: `+cuda%.*s.…`", STR_ARG(major_of(cuda)),
                  STR_ARG(major_of(cuda)));
    }
}

// ---- the installer of EFA --------------------------------------------------------------------------------------------

static bool has_any_word(const ShellSimple *command, const char *const *words, size_t count) {
    bool has_one = false;
    for (size_t i = 0; i < count; i++) {
        has_one = has_one || docker_has_word(command, words[i]);
    }
    return has_one;
}

static bool has_unknown_word(const ShellSimple *command) {
    bool has_one = false;
    for (uint32_t i = command->program + 1; i < command->words.count; i++) {
        has_one = has_one || str_has(command->words.items[i], "$");
    }
    return has_one;
}

static Str line_of(const ShellSimple *command) {
    return command->words.items[command->program];
}

static void check_installer(const Rules *rules, const PlanDockerfile *file, const ShellSimple *command) {
    static const char *const SKIPS[] = { "--skip-kmod", "-k", "--help", "-h", "--uninstall", "-u" };
    static const char *const ANSWERS[] = { "-y", "--yes", "--help", "-h" };
    if (has_unknown_word(command)) {
        return;
    }
    const Span span = docker_span(file, line_of(command));
    if (!has_any_word(command, SKIPS, COUNT_OF(SKIPS))) {
        Diag *diag = plan_report(rules->session, file->subject, span, DIAG(efa_kernel_module));
        diag_help(rules->session, diag, "add `--skip-kmod`");
    }
    if (!command->is_fed && !has_any_word(command, ANSWERS, COUNT_OF(ANSWERS))) {
        Diag *diag = plan_report(rules->session, file->subject, span, DIAG(efa_installer_asks));
        diag_help(rules->session, diag, "add `-y`");
    }
}

void rule_docker_efa(const Rules *rules, const PlanDockerfile *file) {
    for (uint32_t i = 0; i < file->steps.count; i++) {
        const DockerStep *step = &file->steps.items[i];
        for (uint32_t k = 0; step->is_read && k < step->commands.count; k++) {
            if (docker_is_efa_installer(&step->commands.items[k])) {
                check_installer(rules, file, &step->commands.items[k]);
            }
        }
    }
}

// ---- its systems -----------------------------------------------------------------------------------------------------

// The system of an image, as the rows call it; empty: unknown.
static Str system_of(Str image) {
    const Str name = docker_image_name(image);
    const Str tag = docker_image_tag(image);
    if (str_is(name, "amazonlinux") || str_ends_with(name, STR("/amazonlinux"))) {
        return str_is(tag, "2") || str_starts_with(tag, STR("2.0")) ? STR("amazonlinux2") : STR_NONE;
    }
    if (str_is(name, "debian") || str_ends_with(name, STR("/debian"))) {
        return str_is(tag, "11") || str_starts_with(tag, STR("bullseye")) ? STR("debian11")
               : str_is(tag, "10") || str_starts_with(tag, STR("buster")) ? STR("debian10")
                                                                          : STR_NONE;
    }
    const bool is_ubuntu = str_is(name, "ubuntu") || str_ends_with(name, STR("/ubuntu"));
    const bool is_20 = (is_ubuntu && (str_starts_with(tag, STR("20.04")) || str_starts_with(tag, STR("focal")))) ||
                       str_has(tag, "ubuntu20.04");
    return is_20 ? STR("ubuntu20.04") : STR_NONE;
}

void rule_docker_system(const Rules *rules, const PlanDockerfile *file) {
    for (uint32_t i = 0; i < file->releases.count; i++) {
        const DockerRelease *release = &file->releases.items[i];
        const bool is_efa = release->software == SOFTWARE_EFA && image_is_version(release->version);
        const int stage = is_efa ? file->steps.items[release->step].stage : DOCKER_BEFORE;
        const Str system = is_efa ? system_of(docker_root(file, stage)) : STR_NONE;
        const Str last = system.len > 0 ? image_efa_last(release->version, system) : STR_NONE;
        if (last.len == 0) {
            continue;
        }
        Diag *diag = plan_report(rules->session, file->subject, release->span, DIAG(efa_other_system),
                                 STR_ARG(release->version), STR_ARG(docker_root(file, stage)));
        diag_label(rules->session, diag, file->stages.items[stage].span, "%s", "");
        diag_help(rules->session, diag, "write `%.*s`, the last one that does, or begin with a newer system",
                  STR_ARG(last));
    }
}
