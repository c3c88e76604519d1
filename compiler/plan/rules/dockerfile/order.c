// Rules about what a RUN needs of another one: that it stands above, and that it is where the other one puts it.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/plan_dockerfile.h"

static int last_stage(const PlanDockerfile *file) {
    return (int)file->stages.count - 1;
}

// ---- what is made further down ---------------------------------------------------------------------------------------

typedef enum { MADE_EFA, MADE_CONDA } Made;

// A word that needs what is made; empty: none does.
static Str use_of(const ShellSimple *command, Made made) {
    static const char *const BUILDERS[] = { "configure", "make", "cmake", "meson" };
    const Str program = docker_program(command);
    bool builds = false;
    for (size_t i = 0; i < COUNT_OF(BUILDERS); i++) {
        builds = builds || str_is_word(program, BUILDERS[i]);
    }
    if (made == MADE_CONDA) {
        const bool is_one = str_is(program, "conda") || str_is(program, "mamba");
        return is_one ? command->words.items[command->program] : STR_NONE;
    }
    for (uint32_t i = builds ? 0 : command->words.count; i < command->words.count; i++) {
        const Str word = command->words.items[i];
        if (str_has(word, "=/opt/amazon/efa") || str_has(word, "=/opt/amazon/openmpi")) {
            return word;
        }
    }
    return STR_NONE;
}

static bool makes(const ShellSimple *command, Made made) {
    static const char *const INSTALLERS[] = { "Miniconda", "miniconda",  "Miniforge",
                                              "miniforge", "Mambaforge", "Anaconda3" };
    bool does = made == MADE_EFA && docker_is_efa_installer(command);
    for (uint32_t i = 0; made == MADE_CONDA && i < command->words.count; i++) {
        for (size_t k = 0; k < COUNT_OF(INSTALLERS); k++) {
            does = does || str_has(command->words.items[i], INSTALLERS[k]);
        }
    }
    return does;
}

// Whether an image may have it: each that has software of training beside what its name says.
static bool may_have(Str image) {
    return image.len == 0 || !docker_is_plain(image);
}

// Whether a step that is not understood, or a copy, may bring it.
static bool may_bring(const DockerStep *step, Made made) {
    const Str text = step->kind == DOCKER_RUN ? step->script : step->rest;
    const bool names = made == MADE_EFA
                           ? str_has(text, "efa") || str_has(text, "/opt/amazon") || str_has(text, "openmpi")
                           : str_has(text, "onda") || str_has(text, "forge");
    const bool is_wide = step->kind == DOCKER_COPY && step->words.count > 0 &&
                         (str_is(step->words.items[step->words.count - 1], "/") ||
                          str_starts_with(step->words.items[step->words.count - 1], STR("/opt")));
    return is_wide || ((step->kind == DOCKER_COPY || !step->is_read) && names);
}

typedef struct {
    Str use;       // the first word that needs it; empty: none
    Span maker;    // of the command that makes it, behind the use; SPAN_NONE: none
    bool is_known; // that nothing makes it above
} Order;

static Order order_of(const PlanDockerfile *file, int stage, Made made) {
    Order order = { .is_known = true, .maker = SPAN_NONE };
    for (uint32_t i = 0; i < file->steps.count && order.is_known && span_is_none(order.maker); i++) {
        const DockerStep *step = &file->steps.items[i];
        if (!docker_is_in(file, stage, i, file->steps.count) ||
            (step->kind != DOCKER_RUN && step->kind != DOCKER_COPY)) {
            continue;
        }
        order.is_known = order.use.len > 0 || !may_bring(step, made);
        for (uint32_t k = 0; step->is_read && k < step->commands.count && span_is_none(order.maker); k++) {
            const ShellSimple *command = &step->commands.items[k];
            const bool is_maker = command->program < command->words.count && makes(command, made);
            order.is_known = order.is_known && (!is_maker || order.use.len > 0);
            order.use = order.use.len == 0 && order.is_known ? use_of(command, made) : order.use;
            order.maker = is_maker ? docker_span(file, command->words.items[command->program]) : order.maker;
        }
    }
    return order;
}

static void check_order(const Rules *rules, const PlanDockerfile *file, int stage, Made made) {
    Session *session = rules->session;
    const Order order = may_have(docker_root(file, stage)) ? (Order){ 0 } : order_of(file, stage, made);
    if (!order.is_known || order.use.len == 0 || span_is_none(order.maker)) {
        return;
    }
    Diag *diag = plan_report(session, file->subject, docker_span(file, order.use), DIAG(docker_order),
                             made == MADE_EFA ? "the installer of EFA" : "the installer of conda");
    diag_label(session, diag, order.maker, "the installer");
    diag_help(session, diag, "move the RUN of the installer above this one");
}

void rule_docker_order(const Rules *rules, const PlanDockerfile *file) {
    enum { STAGES_MAX = 30 };
    for (int stage = 0; stage <= last_stage(file) && stage < STAGES_MAX; stage++) {
        check_order(rules, file, stage, MADE_EFA);
        check_order(rules, file, stage, MADE_CONDA);
    }
}

// ---- libraries that are somewhere else -------------------------------------------------------------------------------

// Where a RUN has cloned NCCL to, as it is written; empty: elsewhere, or nobody knows.
static Str clone_of_nccl(const DockerStep *step) {
    for (uint32_t i = 0; step->is_read && i < step->commands.count; i++) {
        const ShellSimple *command = &step->commands.items[i];
        for (uint32_t k = 0; str_is(docker_program(command), "git") && k + 1 < command->words.count; k++) {
            const Str word = command->words.items[k];
            if (str_ends_with(word, STR("NVIDIA/nccl.git")) || str_ends_with(word, STR("NVIDIA/nccl"))) {
                return command->words.items[k + 1];
            }
        }
    }
    return STR_NONE;
}

// What a folder is for `make` of NCCL: its libraries are in `build/lib`.
static void check_library(const Rules *rules, const PlanDockerfile *file, uint32_t at, Span written, Str folder,
                          Str made) {
    Session *session = rules->session;
    const Str start = str_format(session->arena, "%.*s/", STR_ARG(made));
    const Str rest = str_starts_with(folder, start) ? str_slice(folder, start.len, folder.len) : STR_NONE;
    const Str first = str_slice(rest, 0, str_find(rest, STR("/"), 0));
    if (!str_is(first, "lib64") && !str_is(first, "lib32")) {
        return;
    }
    const Str right = str_format(session->arena, "%.*slib", STR_ARG(start));
    const Str value = docker_text(file, written);
    for (size_t i = str_find(value, right, 0); i < value.len; i = str_find(value, right, i + 1)) {
        if (strchr(":/", str_at(value, i + right.len)) != NULL) {
            return; // both are named: one of them is there
        }
    }
    const Str wrong = str_format(session->arena, "%.*s%.*s", STR_ARG(start), STR_ARG(first));
    for (uint32_t i = 0; i < file->steps.count; i++) {
        const DockerStep *step = &file->steps.items[i];
        if (step->kind != DOCKER_ENV &&
            (str_find(step->rest, wrong, 0) < step->rest.len || str_has(step->rest, "lib64"))) {
            return; // a link, or a copy
        }
    }
    const Span place = docker_place_of(session->arena, file, at, docker_text(file, written), wrong);
    Diag *diag = plan_report(session, file->subject, span_is_none(place) ? written : place,
                             DIAG(docker_library_elsewhere), STR_ARG(wrong));
    diag_help(session, diag, "write `%.*slib`, where the build puts its libraries", STR_ARG(start));
}

// The folders that builds of the image fill with libraries in `lib`.
static void check_setting(const Rules *rules, const PlanDockerfile *file, uint32_t at, const DockerSetting *setting,
                          Str made) {
    enum { ITEMS_MAX = 32 };
    Arena *arena = rules->session->arena;
    Str value;
    int count = 0;
    for (size_t start = 0; start < setting->value.len && count < ITEMS_MAX; count++) {
        const size_t colon = str_find(setting->value, STR(":"), start);
        const Str item = str_slice(setting->value, start, colon);
        if (docker_fill(arena, file, at, item, &value)) {
            check_library(rules, file, at, setting->span, value, made);
        }
        start = colon + 1;
    }
}

static void check_made(const Rules *rules, const PlanDockerfile *file, Str made) {
    enum { PATHS_MAX = 50 };
    const int stage = last_stage(file);
    int count = 0;
    for (uint32_t i = 0; i < file->steps.count; i++) {
        const DockerStep *step = &file->steps.items[i];
        for (uint32_t k = 0; step->kind == DOCKER_ENV && k < step->settings.count; k++) {
            const DockerSetting *setting = &step->settings.items[k];
            const bool is_path = str_is(setting->name, "LD_LIBRARY_PATH") || str_is(setting->name, "LD_PRELOAD");
            if (is_path && ++count <= PATHS_MAX && docker_is_in(file, stage, i, file->steps.count)) {
                check_setting(rules, file, i, setting, made);
            }
        }
    }
}

// source: NVIDIA/nccl src/Makefile, BUILDDIR and LIBDIR, read 2026-11
void rule_docker_libraries(const Rules *rules, const PlanDockerfile *file) {
    enum { MADE_MAX = 20 };
    Arena *arena = rules->session->arena;
    const bool is_elsewhere = str_has(file->text, "BUILDDIR");
    int count = 0;
    for (uint32_t i = 0; i < file->steps.count && count < MADE_MAX; i++) {
        const DockerStep *step = &file->steps.items[i];
        const Str written = step->kind == DOCKER_RUN && !is_elsewhere ? clone_of_nccl(step) : STR_NONE;
        Str clone;
        if (written.len > 0 && docker_fill(arena, file, i, written, &clone) && str_at(clone, 0) == '/') {
            check_made(rules, file, str_format(arena, "%.*s/build", STR_ARG(clone)));
            count++;
        }
        for (uint32_t k = 0; step->kind == DOCKER_RUN && step->is_read && k < step->commands.count; k++) {
            const ShellSimple *command = &step->commands.items[k];
            const Str prefix =
                str_is(docker_program(command), "configure") && docker_option(command, "--libdir").len == 0
                    ? docker_option(command, "--prefix")
                    : STR_NONE;
            Str folder;
            if (prefix.len > 0 && docker_fill(arena, file, i, prefix, &folder) && str_at(folder, 0) == '/' &&
                !str_starts_with(folder, STR("/usr")) && count < MADE_MAX) {
                check_made(rules, file, folder);
                count++;
            }
        }
    }
}
