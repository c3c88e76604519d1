// A rule about the architecture that an image is for: what it downloads and installs is for that, and all of it for one.
// source: Docker, Dockerfile reference, FROM --platform; repo.anaconda.com/miniconda, awscli.amazonaws.com and
// developer.download.nvidia.com/compute/cuda/repos, names of their files, 2026-11, read 2026-11
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/plan_dockerfile.h"

static const struct {
    const char *word;
    Architecture architecture;
} WORDS[] = {
    { "x86_64", ARCHITECTURE_X86_64 }, { "amd64", ARCHITECTURE_X86_64 }, { "x86-64", ARCHITECTURE_X86_64 },
    { "aarch64", ARCHITECTURE_ARM64 }, { "arm64", ARCHITECTURE_ARM64 },  { "sbsa", ARCHITECTURE_ARM64 },
};

static const char *name_of(Architecture architecture) {
    return architecture == ARCHITECTURE_X86_64 ? "x86_64" : "arm64";
}

// The one that a text names, as a word of its own, and where; ARCHITECTURE_UNKNOWN of several or none.
static Architecture architecture_of(Str text, Str *place) {
    Architecture found = ARCHITECTURE_UNKNOWN;
    for (size_t i = 0; i < COUNT_OF(WORDS); i++) {
        const Str word = str_of(WORDS[i].word);
        const size_t at = str_find(text, word, 0);
        const bool is_word = at < text.len && (at == 0 || !char_is_alnum(text.data[at - 1])) &&
                             !char_is_alnum(str_at(text, at + word.len));
        if (is_word && found != ARCHITECTURE_UNKNOWN && found != WORDS[i].architecture) {
            return ARCHITECTURE_UNKNOWN;
        }
        if (is_word) {
            found = WORDS[i].architecture;
            *place = str_slice(text, at, at + word.len);
        }
    }
    return found;
}

// What is only of use where it runs: installers, packages, wheels, repositories.
static bool is_for_itself(Str word) {
    static const char *const ENDS[] = { ".sh", ".deb", ".rpm", ".whl", ".run" };
    static const char *const PARTS[] = { "awscli-exe-linux-", "/releases/download/", "compute/cuda/repos/",
                                         "/miniconda/", "/miniforge/" };
    bool is = false;
    for (size_t i = 0; i < COUNT_OF(ENDS); i++) {
        is = is || str_ends_with(word, str_of(ENDS[i]));
    }
    for (size_t i = 0; i < COUNT_OF(PARTS); i++) {
        is = is || str_has(word, PARTS[i]);
    }
    return is && !str_has(word, "$");
}

// Whether a step asks what it runs on, or takes one of several.
static bool asks(const DockerStep *step) {
    static const char *const SIGNS[] = {
        "uname", "TARGETARCH", "TARGETPLATFORM", "--print-architecture", "if ", "case ",
        "arch)", "||",         "HOSTTYPE",       "--add-architecture"
    };
    bool does = false;
    for (size_t i = 0; i < COUNT_OF(SIGNS); i++) {
        does = does || str_has(step->script, SIGNS[i]);
    }
    return does;
}

// What the image of a stage is for, as FROM says; its place in `*place`.
static Architecture of_image(const PlanDockerfile *file, int stage, Str *place) {
    const DockerStage *root = &file->stages.items[docker_root_stage(file, stage)];
    const Str rest = file->steps.items[root->step].rest;
    const Str option = STR("--platform=");
    const size_t at = str_find(rest, option, 0);
    const size_t start = at + option.len;
    const Str platform = at < rest.len ? str_slice(rest, start, str_find(rest, STR(" "), start)) : STR_NONE;
    const Str name = docker_image_name(root->written);
    const Str owner = str_slice(name, 0, str_find(name, STR("/"), 0));
    if (platform.len > 0) {
        return str_has(platform, "$") ? ARCHITECTURE_UNKNOWN : architecture_of(platform, place);
    }
    *place = owner;
    return str_is(owner, "arm64v8") ? ARCHITECTURE_ARM64
           : str_is(owner, "amd64") ? ARCHITECTURE_X86_64
                                    : ARCHITECTURE_UNKNOWN;
}

typedef struct {
    const Rules *rules;
    const PlanDockerfile *file;
    Architecture architecture; // of the image, or of what came first
    Str place;                 // that says so
    bool is_said;
} Check;

static void check_word(Check *check, Str word) {
    Str place = STR_NONE;
    const Architecture own = is_for_itself(word) ? architecture_of(word, &place) : ARCHITECTURE_UNKNOWN;
    if (own == ARCHITECTURE_UNKNOWN || own == check->architecture) {
        return;
    }
    if (check->architecture == ARCHITECTURE_UNKNOWN) {
        check->architecture = own;
        check->place = place;
        return;
    }
    Session *session = check->rules->session;
    Diag *diag = plan_report(session, check->file->subject, docker_span(check->file, place),
                             DIAG(docker_other_architecture), name_of(own), name_of(check->architecture));
    diag_label(session, diag, docker_span(check->file, check->place), "says that");
    diag_help(session, diag, "download it for %s: `%s`", name_of(check->architecture),
              check->architecture == ARCHITECTURE_X86_64 ? str_is(place, "arm64") ? "amd64" : "x86_64"
              : str_is(place, "amd64")                   ? "arm64"
                                                         : "aarch64");
    check->is_said = true;
}

void rule_docker_architecture(const Rules *rules, const PlanDockerfile *file) {
    const int stage = (int)file->stages.count - 1;
    Check check = { .rules = rules, .file = file };
    if (stage < 0) {
        return;
    }
    check.architecture = of_image(file, stage, &check.place);
    for (uint32_t i = 0; i < file->steps.count; i++) {
        const DockerStep *step = &file->steps.items[i];
        const bool is_in = step->is_read && docker_is_in(file, stage, i, file->steps.count) && !asks(step);
        for (uint32_t k = 0; is_in && k < step->commands.count; k++) {
            const ShellSimple *command = &step->commands.items[k];
            for (uint32_t w = command->program; w < command->words.count && !check.is_said; w++) {
                check_word(&check, command->words.items[w]);
            }
        }
    }
}
