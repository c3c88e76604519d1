// A rule about releases of torchvision and torchaudio: each is for one release of PyTorch, which its package asks for.
// source: https://github.com/pytorch/pytorch/wiki/PyTorch-Versions, 2025-04-23; https://docs.pytorch.org/audio/2.11.0,
// Compatibility Matrix; read 2026-11
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/plan_dockerfile.h"
#include "compiler/script/command_words.h"

enum { LOOKED_MAX = 500, PARTS = 3 }; // words whose variables are filled in: far above what anyone writes

typedef struct {
    int64_t parts[PARTS]; // -1: not said
    Str word;             // as it is written; empty: there is none
    Str text;             // of the version
} Release;

static Release release_of(Str word, Str text) {
    Release release = { .parts = { -1, -1, -1 }, .word = word };
    size_t at = 0;
    for (int i = 0; i < PARTS && char_is_digit(str_at(text, at)); i++) {
        size_t end = at;
        while (char_is_digit(str_at(text, end))) {
            end++;
        }
        release.parts[i] = command_number(str_slice(text, at, end));
        release.text = str_slice(text, 0, end);
        at = str_at(text, end) == '.' ? end + 1 : text.len;
    }
    return release;
}

// What a word pins: `torch==2.7.0`, of conda `pytorch=2.7.0`; a release without a word where it pins something else.
static Release pinned(Str word, Str filled, const char *name) {
    const Str wanted = str_of(name);
    const size_t signs = str_starts_with(filled, wanted) && str_at(filled, wanted.len) == '=' ? wanted.len : filled.len;
    const size_t at = signs + (str_at(filled, signs + 1) == '=' ? 2 : 1);
    const Str text = signs < filled.len ? str_slice(filled, at, filled.len) : STR_NONE;
    const bool is_one =
        char_is_digit(str_at(text, 0)) && !str_has(text, "*") && !str_has(text, "dev") && !str_has(text, "rc");
    return is_one ? release_of(word, text) : (Release){ 0 };
}

static bool installs(const ShellSimple *command) {
    const Str program = docker_program(command);
    const bool is_one = str_starts_with(program, STR("pip")) || str_is(program, "uv") || str_is(program, "conda") ||
                        str_is(program, "mamba") || docker_has_word(command, "pip") || docker_has_word(command, "pip3");
    return is_one && docker_has_word(command, "install") && !docker_has_word(command, "--no-deps");
}

// The release of a library that is for one of PyTorch; false where the table does not say.
static bool fitting(const Release *torch, bool is_vision, int64_t fits[PARTS]) {
    const int64_t minor = torch->parts[1];
    const bool is_new = torch->parts[0] == 2 && minor <= 10;
    const bool is_old = torch->parts[0] == 1 && minor >= 6 && minor <= 13;
    const bool is_same_patch = is_new && minor >= 1 && minor <= (is_vision ? 4 : 10); // as far as the tables list them
    fits[0] = is_vision || is_old ? 0 : 2;
    fits[1] = minor + (!is_vision ? 0 : is_new ? 15 : 1);
    fits[2] = is_same_patch ? torch->parts[2] : -1;
    return is_new || is_old;
}

static void check(const Rules *rules, const PlanDockerfile *file, const Release *torch, const Release *library,
                  const char *name) {
    Session *session = rules->session;
    int64_t fits[PARTS];
    const bool is_known = torch->word.len > 0 && library->word.len > 0 && torch->parts[1] >= 0 &&
                          library->parts[1] >= 0 && fitting(torch, strcmp(name, "torchvision") == 0, fits);
    const bool is_other = is_known && (library->parts[0] != fits[0] || library->parts[1] != fits[1]);
    const bool is_other_patch = is_known && fits[2] >= 0 && library->parts[2] >= 0 && library->parts[2] != fits[2];
    if (!is_other && !is_other_patch) {
        return;
    }
    Diag *diag = plan_report(session, file->subject, docker_span(file, library->word), DIAG(docker_torch_release), name,
                             STR_ARG(library->text), STR_ARG(torch->text));
    diag_label(session, diag, docker_span(file, torch->word), "PyTorch %.*s", STR_ARG(torch->text));
    diag_help(session, diag, "install %s %" PRId64 ".%" PRId64 "%s", name, fits[0], fits[1],
              fits[2] < 0 ? "" : str_c(session->arena, str_format(session->arena, ".%" PRId64, fits[2])));
}

typedef struct {
    Release torch;
    Release vision;
    Release audio;
} Installed;

static void take(Release *known, Release found) {
    *known = found.word.len > 0 ? found : *known;
}

static void read_command(const Rules *rules, const PlanDockerfile *file, uint32_t step, const ShellSimple *command,
                         Installed *installed, int *looked) {
    for (uint32_t i = command->program; installs(command) && i < command->words.count; i++) {
        const Str word = command->words.items[i];
        Str filled;
        if (!str_has(word, "torch") || ++*looked > LOOKED_MAX ||
            !docker_fill(rules->session->arena, file, step, word, &filled)) {
            continue;
        }
        take(&installed->torch, pinned(word, filled, "torch"));
        take(&installed->torch, pinned(word, filled, "pytorch"));
        take(&installed->vision, pinned(word, filled, "torchvision"));
        take(&installed->audio, pinned(word, filled, "torchaudio"));
    }
}

void rule_docker_torch_releases(const Rules *rules, const PlanDockerfile *file) {
    Installed installed = { 0 };
    int looked = 0;
    for (uint32_t i = 0; i < file->steps.count; i++) {
        const DockerStep *step = &file->steps.items[i];
        if (step->kind == DOCKER_FROM) {
            installed = (Installed){ 0 };
        }
        for (uint32_t k = 0; step->kind == DOCKER_RUN && step->is_read && k < step->commands.count; k++) {
            const Installed before = installed;
            read_command(rules, file, i, &step->commands.items[k], &installed, &looked);
            if (before.vision.word.data != installed.vision.word.data) {
                check(rules, file, &installed.torch, &installed.vision, "torchvision");
            }
            if (before.audio.word.data != installed.audio.word.data) {
                check(rules, file, &installed.torch, &installed.audio, "torchaudio");
            }
        }
    }
}
