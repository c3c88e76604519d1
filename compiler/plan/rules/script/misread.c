// Rules about what a shell reads otherwise than its author: in scripts, in the commands of containers, in user data and in the
// RUN of an image. sh is dash in images of Debian and Ubuntu, and bash in those of Amazon Linux, of which nothing is said.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/launcher.h"
#include "compiler/plan/model/plan_dockerfile.h"
#include "compiler/plan/rules/user_data_text.h"
#include "compiler/script/shell_misread.h"

static void say(const Rules *rules, const Subject *subject, Span span, const ShellMisread *misread) {
    Diag *diag =
        plan_report(rules->session, subject, span, DIAG(shell_misreads), STR_ARG(misread->text), misread->reason);
    diag_help(rules->session, diag, "%s", misread->help);
}

// ---- which shell -----------------------------------------------------------------------------------------------------

// Images of Debian and Ubuntu that leave `sh` as it is there. `*is_old`: dash of their release knows no `pipefail`.
// source: Debian, packages dash of buster to trixie; Ubuntu, those of 20.04 to 24.04: 0.5.10 to 0.5.12, read 2026-11
static bool has_dash(Str image, bool *is_old) {
    static const char *const RELEASES[] = { "20.04", "22.04",  "24.04",    "focal",    "jammy",
                                            "noble", "buster", "bullseye", "bookworm", "trixie" };
    static const char *const NAMES[] = { "ubuntu", "debian" };
    const Str name = docker_image_name(image);
    const Str tag = docker_image_tag(image);
    bool is_of = str_is(name, "nvidia/cuda") && str_has(tag, "ubuntu");
    for (size_t i = 0; i < COUNT_OF(NAMES); i++) {
        is_of = is_of || str_is_word(str_after_last(name, '/'), NAMES[i]);
    }
    const bool is_python = str_is(name, "python") && !str_has(tag, "alpine") && !str_has(tag, "windows");
    *is_old = false;
    for (size_t i = 0; i < COUNT_OF(RELEASES); i++) {
        *is_old = *is_old || str_has(tag, RELEASES[i]);
    }
    return is_of || is_python;
}

// ---- images ----------------------------------------------------------------------------------------------------------

static bool says_shell(const PlanDockerfile *file) {
    bool says = false;
    for (uint32_t i = 0; i < file->steps.count; i++) {
        says = says || str_is_in_any_case(docker_text(file, file->steps.items[i].name), "SHELL");
    }
    return says || str_has(file->text, "/bin/sh") || str_has(file->text, "dash/sh");
}

void rule_docker_misread(const Rules *rules, const PlanDockerfile *file) {
    const bool is_other = says_shell(file);
    for (uint32_t i = 0; i < file->steps.count; i++) {
        const DockerStep *step = &file->steps.items[i];
        bool is_old = false;
        if (step->kind != DOCKER_RUN || step->is_exec || step->stage < 0) {
            continue;
        }
        const bool is_dash = !is_other && has_dash(docker_root(file, step->stage), &is_old);
        ShellMisread misread = shell_misread_release(rules->session->arena, step->script);
        if (misread.text.len == 0 && is_dash) {
            misread = shell_misread_by_dash(rules->session->arena, step->script, is_old);
        }
        if (misread.text.len > 0) {
            say(rules, file->subject, docker_span(file, misread.text), &misread);
        }
    }
}

// ---- scripts ---------------------------------------------------------------------------------------------------------

static ShellMisread misread_by_bash(Arena *arena, Str script) {
    const ShellMisread release = shell_misread_release(arena, script);
    return release.text.len > 0 ? release : shell_misread_words(arena, script);
}

void rule_script_misread(const Rules *rules, const PlanSlurmScript *script) {
    const ShellMisread misread =
        script->is_rendered ? (ShellMisread){ .text = STR_NONE } : misread_by_bash(rules->session->arena, script->text);
    if (misread.text.len > 0) {
        const size_t start = (size_t)(misread.text.data - script->text.data);
        say(rules, script->subject, slurm_span(script, start, start + misread.text.len), &misread);
    }
}

void rule_launch_misread(const Rules *rules, const PlanLaunch *launch) {
    const PlanUserData *data = &launch->user_data;
    const UserDataParts parts = user_data_parts(rules->session->arena, data);
    for (uint32_t i = 0; i < parts.count; i++) {
        const UserDataPart *part = &parts.items[i];
        const ShellMisread misread = user_data_is_script(part->body)
                                         ? shell_misread_release(rules->session->arena, part->body)
                                         : (ShellMisread){ .text = STR_NONE };
        if (misread.text.len > 0) {
            const size_t at = part->at + (size_t)(misread.text.data - part->body.data);
            say(rules, launch->subject, user_data_place_in(rules, data, at), &misread);
        }
    }
}

// `sh -c`, and not that of bash.
static bool is_run_by_sh(const PlanLauncher *launcher) {
    const Str program = launcher->words.count > 1 ? launcher->words.items[0].text : STR_NONE;
    return str_is(program, "sh") || str_is(program, "/bin/sh");
}

static void check_words(const Rules *rules, const Subject *subject, const PlanLauncher *launcher, Str image) {
    bool is_old = false;
    const bool is_dash = is_run_by_sh(launcher) && has_dash(image, &is_old);
    for (uint32_t i = 0; i < launcher->words.count; i++) {
        const CommandWord *word = &launcher->words.items[i];
        if (word->is != SHELL_WORD_SCRIPT) {
            continue;
        }
        ShellMisread misread = misread_by_bash(rules->session->arena, word->text);
        if (misread.text.len == 0 && is_dash) {
            misread = shell_misread_by_dash(rules->session->arena, word->text, is_old);
        }
        if (misread.text.len > 0) {
            const size_t at = (size_t)(misread.text.data - word->text.data);
            say(rules, subject, command_part_place(rules->session, word, at, at + misread.text.len), &misread);
        }
    }
}

void rule_pod_misread(const Rules *rules, const PlanObject *object) {
    for (uint32_t i = 0; i < object->workloads.count; i++) {
        check_words(rules, object->subject, object->workloads.items[i]->launcher,
                    object->workloads.items[i]->image.text);
    }
}

void rule_definition_misread(const Rules *rules, const PlanContainer *container) {
    if (container->form == FORM_RESOURCE) {
        check_words(rules, container->subject, container->launcher, container->image.text);
    }
}
