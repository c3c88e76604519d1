// Finds the releases that an image brings in: what its commands clone, download and install, with variables filled in.
#include "compiler/readers/dockerfile/dockerfile_read.h"

typedef struct {
    Session *session;
    PlanDockerfile *file;
    uint32_t step;
    int cloned;    // the one software that the step has cloned so far; -1: none, or several
    bool has_many; // clones
    int *left;     // how many words may still be filled in: no file that people write has so many
} Finder;

enum { WORDS_MAX = 500 };

static Str filled(const Finder *finder, Str word) {
    Str text;
    *finder->left -= 1;
    return *finder->left > 0 && docker_fill(finder->session->arena, finder->file, finder->step, word, &text) ? text
                                                                                                             : STR_NONE;
}

static void add(const Finder *finder, int software, Str word, Str version, Str cuda, bool is_tag) {
    Arena *arena = finder->session->arena;
    const Str shown = str_ends_with(version, STR(".git")) ? str_slice(version, 0, version.len - 4) : version;
    const Str part =
        cuda.len > 0 ? (Str){ .data = cuda.data - strlen("cuda"), .len = cuda.len + strlen("cuda") } : shown;
    vec_push(arena, &finder->file->releases,
             (DockerRelease){ .software = (ImageSoftware)software,
                              .version = shown,
                              .cuda = cuda,
                              .span = docker_place_of(arena, finder->file, finder->step, word, part),
                              .step = finder->step,
                              .is_tag = is_tag });
}

// ---- clones ------------------------------------------------------------------------------------------------------

// Which repository of GitHub a URL is of; -1: none of ours. `*behind` is what stands behind its name.
static int repository_of(Str url, Str *behind) {
    const size_t host = str_find(url, STR("github.com"), 0);
    const size_t start = host + sizeof "github.com"; // and `/` or `:`
    for (int i = 0; i < SOFTWARE_COUNT && host < url.len; i++) {
        const Str name = str_of(image_software_repository((ImageSoftware)i));
        const Str rest = str_slice(url, start, url.len);
        if (name.len > 0 && str_starts_with_in_any_case(rest, name)) {
            *behind = str_slice(rest, name.len, rest.len);
            const char next = str_at(*behind, 0);
            if (next == '\0' || next == '/' || next == '.') {
                return i;
            }
        }
    }
    return -1;
}

static Str branch_of(const ShellSimple *command) {
    const Str branch = docker_option(command, "--branch");
    return branch.len > 0 ? branch : docker_option(command, "-b");
}

static void add_tag(const Finder *finder, int software, Str word) {
    const Str tag = word.len > 0 ? filled(finder, word) : STR_NONE;
    if (image_is_version(tag)) {
        add(finder, software, word, tag, STR_NONE, true);
    }
}

static void read_clone(Finder *finder, const ShellSimple *command) {
    for (uint32_t i = command->program + 1; i < command->words.count; i++) {
        Str behind = STR_NONE;
        const int software = repository_of(filled(finder, command->words.items[i]), &behind);
        if (software >= 0) {
            finder->has_many = finder->has_many || finder->cloned >= 0;
            finder->cloned = software;
            add_tag(finder, software, branch_of(command));
            return;
        }
    }
    finder->has_many = true; // of somebody else
}

static void read_git(Finder *finder, const ShellSimple *command) {
    if (docker_has_word(command, "clone")) {
        read_clone(finder, command);
    } else if (docker_has_word(command, "checkout") && !docker_has_word(command, "-b") && finder->cloned >= 0 &&
               !finder->has_many) {
        add_tag(finder, finder->cloned, command->words.items[command->words.count - 1]);
    }
}

// ---- downloads ---------------------------------------------------------------------------------------------------

static Str before(Str text, const char *end) {
    const size_t at = str_find(text, str_of(end), 0);
    return at < text.len ? str_slice(text, 0, at) : STR_NONE;
}

static Str behind(Str text, const char *start) {
    const size_t at = str_find(text, str_of(start), 0);
    return at < text.len ? str_slice(text, at + strlen(start), text.len) : STR_NONE;
}

// The tag in what stands behind the name of a repository: `/archive/refs/tags/v2.4.1.tar.gz`.
static Str tag_of_url(Str rest) {
    Str tag = before(behind(rest, "/releases/download/"), "/");
    tag = tag.len > 0 ? tag : before(behind(rest, "/archive/refs/tags/"), ".tar.gz");
    tag = tag.len > 0 || str_has(rest, "/refs/") ? tag : before(behind(rest, "/archive/"), ".tar.gz");
    return tag.len > 0 || str_has(rest, "/refs/") ? tag : before(behind(rest, "/archive/"), ".zip");
}

static void read_url(const Finder *finder, Str word) {
    const bool may_be = str_has(word, "github.com") || str_has(word, "efa-installer");
    const Str url = may_be ? filled(finder, word) : STR_NONE;
    const Str installer =
        str_has(url, "://") ? before(behind(str_after_last(url, '/'), "aws-efa-installer-"), ".tar.gz") : STR_NONE;
    if (installer.len > 0) {
        add(finder, SOFTWARE_EFA, word, installer, STR_NONE, false);
        return;
    }
    Str rest = STR_NONE;
    const int software = repository_of(url, &rest);
    const Str tag = software >= 0 ? tag_of_url(rest) : STR_NONE;
    if (image_is_version(tag)) {
        add(finder, software, word, tag, STR_NONE, true);
    }
}

// ---- packages ----------------------------------------------------------------------------------------------------

// `libnccl2=2.18.5-1+cuda12.2` of apt, `libnccl-2.18.5-1+cuda12.2` of dnf.
static void read_package(const Finder *finder, Str word) {
    static const char *const NAMES[] = { "libnccl2=", "libnccl-dev=", "libnccl-devel-", "libnccl-static-", "libnccl-" };
    const Str package = str_starts_with(word, STR("libnccl")) ? filled(finder, word) : STR_NONE;
    for (size_t i = 0; i < COUNT_OF(NAMES); i++) {
        if (str_starts_with(package, str_of(NAMES[i]))) {
            const Str version = str_slice(package, strlen(NAMES[i]), package.len);
            const Str cuda = behind(version, "+cuda");
            if (image_is_version(version) && cuda.len > 0) {
                add(finder, SOFTWARE_NCCL, word, before(version, "+cuda"), cuda, false);
            }
            return;
        }
    }
}

// ---- all of them -------------------------------------------------------------------------------------------------

static void read_commands(Finder *finder, const DockerStep *step) {
    for (uint32_t i = 0; i < step->commands.count; i++) {
        const ShellSimple *command = &step->commands.items[i];
        if (str_is(docker_program(command), "git")) {
            read_git(finder, command);
            continue;
        }
        for (uint32_t k = command->program; k < command->words.count; k++) {
            read_url(finder, command->words.items[k]);
            read_package(finder, command->words.items[k]);
        }
    }
}

void dockerfile_find_releases(Session *session, PlanDockerfile *file) {
    int left = WORDS_MAX;
    for (uint32_t i = 0; i < file->steps.count; i++) {
        const DockerStep *step = &file->steps.items[i];
        Finder finder = { .session = session, .file = file, .step = i, .cloned = -1, .left = &left };
        if (step->kind == DOCKER_RUN && step->is_read) {
            read_commands(&finder, step);
        }
        for (uint32_t k = 0; step->kind == DOCKER_COPY && k < step->words.count; k++) {
            read_url(&finder, step->words.items[k]);
        }
    }
}
