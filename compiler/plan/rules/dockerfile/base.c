// Rules about the images that a training image begins with: that they are there, and that they have a compiler where one is
// needed, for the GPUs that are asked.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/plan_dockerfile.h"
#include "compiler/plan/rules/image_fit.h"
#include "compiler/base/pattern.h"

// ---- tags ------------------------------------------------------------------------------------------------------------

static void check_tag(const Rules *rules, const PlanDockerfile *file, uint32_t step, Str written, Str image) {
    const Str tag = docker_image_tag(image);
    const Span span =
        docker_place_of(rules->session->arena, file, step, written, tag.len > 0 ? tag : docker_image_name(image));
    image_check_tag(rules, file->subject, span, image);
}

void rule_docker_tags(const Rules *rules, const PlanDockerfile *file) {
    for (uint32_t i = 0; i < file->stages.count; i++) {
        const DockerStage *stage = &file->stages.items[i];
        if (stage->image.len > 0) {
            check_tag(rules, file, stage->step, stage->written, stage->image);
        }
    }
}

// ---- a compiler ------------------------------------------------------------------------------------------------------

// "runtime" of an image of CUDA without nvcc; empty: it has one, or nobody knows.
static Str without_compiler(Str image) {
    const Str tag = docker_image_tag(image);
    const bool is_pytorch = str_is(docker_image_name(image), "pytorch/pytorch");
    if (!image_is_of_cuda(image) && !is_pytorch) {
        return STR_NONE;
    }
    return str_has(tag, "-runtime") ? STR("runtime") : str_has(tag, "-base") ? STR("base") : STR_NONE;
}

// Whether something in the file may bring nvcc in, or take it from elsewhere.
static bool may_bring_compiler(const PlanDockerfile *file, int stage, uint32_t before) {
    static const char *const WORDS[] = { "nvcc",
                                         "cuda-toolkit",
                                         "cuda-compiler",
                                         "cuda-minimal",
                                         "cuda_toolkit",
                                         "cudatoolkit",
                                         "conda",
                                         "mamba",
                                         "cuda-12",
                                         "cuda-13",
                                         "cuda-11",
                                         ".run",
                                         "/usr/local/cuda",
                                         "cuda-command-line-tools" };
    for (uint32_t i = 0; i < before; i++) {
        const DockerStep *step = &file->steps.items[i];
        const bool may =
            (step->kind == DOCKER_RUN || step->kind == DOCKER_COPY) && docker_is_in(file, stage, i, before);
        const Str text = step->kind == DOCKER_RUN ? step->script : step->rest;
        for (size_t k = 0; may && k < COUNT_OF(WORDS); k++) {
            if (str_has(text, WORDS[k])) {
                return true;
            }
        }
    }
    return false;
}

// What of a command nvcc compiles; empty: nothing that is sure.
static Str compiles(const DockerStep *step, const ShellSimple *command) {
    const Str program = docker_program(command);
    if (str_is(program, "nvcc")) {
        return STR("this");
    }
    if (!str_is(program, "make")) {
        return STR_NONE;
    }
    const bool is_nccl = docker_has_word(command, "src.build") && str_has(step->script, "nccl");
    return is_nccl ? STR("NCCL") : str_has(step->script, "NVIDIA/nccl-tests") ? STR("nccl-tests") : STR_NONE;
}

static bool check_compiler(const Rules *rules, const PlanDockerfile *file, uint32_t at, const ShellSimple *command) {
    const DockerStep *step = &file->steps.items[at];
    const Str what = compiles(step, command);
    const Str image = what.len > 0 ? docker_root(file, step->stage) : STR_NONE;
    const Str flavour = without_compiler(image);
    const bool brings =
        str_has(step->script, "install") && (str_has(step->script, "nvcc") || str_has(step->script, "cuda-"));
    if (flavour.len == 0 || brings || may_bring_compiler(file, step->stage, at)) {
        return false;
    }
    const Span span = docker_span(file, command->words.items[command->program]);
    Diag *diag =
        plan_report(rules->session, file->subject, span, DIAG(docker_no_compiler), STR_ARG(what), STR_ARG(image));
    const DockerStage *root = &file->stages.items[docker_root_stage(file, step->stage)];
    diag_label(rules->session, diag, root->span, "%s", "");
    diag_help(rules->session, diag, "begin with the image that has `devel` in the place of `%.*s`", STR_ARG(flavour));
    return true;
}

void rule_docker_compiler(const Rules *rules, const PlanDockerfile *file) {
    for (uint32_t i = 0; i < file->steps.count; i++) {
        const DockerStep *step = &file->steps.items[i];
        bool has_found = false;
        for (uint32_t k = 0; step->is_read && !has_found && k < step->commands.count; k++) {
            has_found = check_compiler(rules, file, i, &step->commands.items[k]);
        }
    }
}

// ---- the GPUs that are compiled for ----------------------------------------------------------------------------------

// Behind `sm_` or `compute_`, from `from` on: `90a` of `-gencode=arch=compute_90a,code=sm_90a`.
static Str next_architecture(Str text, size_t *from) {
    const Str sign = STR("_");
    for (size_t at = str_find(text, sign, *from); at < text.len; at = str_find(text, sign, at + 1)) {
        size_t end = at + 1;
        while (char_is_digit(str_at(text, end))) {
            end++;
        }
        const bool is_one = end > at + 1 && (str_ends_with(str_slice(text, 0, at), STR("=sm")) ||
                                             str_ends_with(str_slice(text, 0, at), STR("=compute")));
        end += str_at(text, end) == 'a' ? 1 : 0;
        *from = at + 1;
        if (is_one) {
            return str_slice(text, at + 1, end);
        }
    }
    *from = text.len;
    return STR_NONE;
}

static bool is_unknown_to(const GpuArchitecture *row, Arena *arena, Str cuda) {
    const Str end = row->last == 0 ? STR("1000") : str_format(arena, "%d", row->last + 1);
    return image_version_compare(cuda, str_of(row->first)) < 0 || image_version_compare(cuda, end) >= 0;
}

typedef struct {
    const Rules *rules;
    const PlanDockerfile *file;
    const DockerStep *step;
    Str cuda;
    Str image;  // that has it
    Diag *diag; // of the first architecture that is not known; the next ones are labels of it
    uint32_t count;
} Compiler;

// A number between two of known GPUs, or just above the last: one of a later year is another one altogether.
static bool is_number_of_none(Str number) {
    const int64_t value = number.len > 3 || number.len < 2 ? -1 : command_number(number);
    return value >= 30 && value <= 139;
}

// Reports an architecture that CUDA does not know, at a place.
static void check_architecture(Compiler *compiler, Str number, Str place) {
    enum { LABELS_MAX = 8 };
    Session *session = compiler->rules->session;
    const PlanDockerfile *file = compiler->file;
    const GpuArchitecture *row = image_architecture(number);
    const bool is_of_none = row == NULL && is_number_of_none(number);
    if (!is_of_none && (row == NULL || !is_unknown_to(row, session->arena, compiler->cuda))) {
        return;
    }
    if (compiler->diag != NULL) {
        if (compiler->count++ < LABELS_MAX) {
            diag_label(session, compiler->diag, docker_span(file, place), "likewise");
        }
        return;
    }
    Diag *diag = plan_report(session, file->subject, docker_span(file, place), DIAG(docker_gpu_unknown),
                             STR_ARG(compiler->cuda), STR_ARG(number), is_of_none ? "no GPU" : row->gpus);
    compiler->diag = diag;
    diag_label(session, diag, file->stages.items[compiler->step->stage].span, "%.*s", STR_ARG(compiler->image));
    if (is_of_none) {
        diag_help(session, diag, "write the number of a GPU that there is: 80 of A100, 90 of H100, 100 of B200");
    } else if (row->last > 0 && image_version_compare(compiler->cuda, str_of(row->first)) >= 0) {
        diag_help(session, diag, "begin with CUDA %d, or compile for other GPUs", row->last);
    } else {
        diag_help(session, diag, "begin with CUDA %s or later, or compile for other GPUs", row->first);
    }
}

// Whether a place of a script is in words that a command looks for, or writes somewhere.
static bool is_in_text(Str text, size_t at) {
    static const char *const COMMANDS[] = { "sed ", "grep ", "perl ", "echo ", "printf " };
    size_t start = at;
    while (start > 0 && strchr("\n;&|", text.data[start - 1]) == NULL) {
        start--;
    }
    return str_has_any(str_slice(text, start, at), COMMANDS, COUNT_OF(COMMANDS));
}

static void check_architectures(Compiler *compiler, Str text) {
    for (size_t from = 0; from < text.len;) {
        const Str number = next_architecture(text, &from);
        if (number.len > 0 && is_in_text(text, (size_t)(number.data - text.data))) {
            continue;
        }
        check_architecture(compiler, number, number);
    }
}

// The value of `NAME=VALUE` in a text, which may have quotes; empty: it is not there, or nobody knows it.
static Str list_in(Str text, const char *name) {
    const size_t at = str_find(text, str_of(name), 0);
    size_t start = at + strlen(name) + 1;
    if (at == text.len || str_at(text, start - 1) != '=') {
        return STR_NONE;
    }
    const char quote = str_at(text, start) == '"' || str_at(text, start) == '\'' ? text.data[start] : ' ';
    start += quote == ' ' ? 0 : 1;
    size_t end = start;
    while (end < text.len && text.data[end] != quote && text.data[end] != '\n') {
        end++;
    }
    const Str list = str_slice(text, start, end);
    return str_has(list, "$") ? STR_NONE : list;
}

// `9.0a+PTX` is "90a".
static Str number_of(Arena *arena, Str item) {
    const Str plain = str_slice(item, 0, str_find(item, STR("+"), 0));
    return str_replaced(arena, plain, STR("."), STR(""));
}

static void check_list(Compiler *compiler, Str list) {
    for (size_t at = 0; at < list.len;) {
        size_t end = at;
        while (end < list.len && strchr(" ;,", list.data[end]) == NULL) {
            end++;
        }
        const Str item = str_slice(list, at, end);
        if (item.len < 10) {
            check_architecture(compiler, number_of(compiler->rules->session->arena, item), item);
        }
        at = end + 1;
    }
}

// What is compiled with the list of PyTorch: others have one of their own.
static bool takes_list(const PlanDockerfile *file) {
    static const char *const WORDS[] = { "DS_BUILD_OPS=1", "--cuda_ext",
                                         "git+https://github.com/facebookresearch/xformers" };
    // Without a GPU in the build these compile for the CPU alone, unless they are told otherwise.
    bool takes = str_has(file->text, "FORCE_CUDA=1") && (str_has(file->text, "facebookresearch/pytorch3d") ||
                                                         str_has(file->text, "facebookresearch/detectron2"));
    for (size_t i = 0; i < COUNT_OF(WORDS); i++) {
        takes = takes || str_has(file->text, WORDS[i]);
    }
    return takes;
}

void rule_docker_architectures(const Rules *rules, const PlanDockerfile *file) {
    const bool has_list = takes_list(file);
    for (uint32_t i = 0; i < file->steps.count; i++) {
        const DockerStep *step = &file->steps.items[i];
        const bool is_set = step->kind == DOCKER_ENV || (step->kind == DOCKER_ARG && step->stage != DOCKER_BEFORE);
        const Str text = step->kind == DOCKER_RUN ? step->script : is_set ? step->rest : STR_NONE;
        const Str list = has_list ? list_in(text, "TORCH_CUDA_ARCH_LIST") : STR_NONE;
        const Str other = step->kind == DOCKER_RUN ? list_in(text, "CMAKE_CUDA_ARCHITECTURES") : STR_NONE;
        if ((!str_has(text, "=compute_") && !str_has(text, "=sm_") && list.len == 0 && other.len == 0) ||
            may_bring_compiler(file, step->stage, i)) {
            continue;
        }
        const Str image = docker_root(file, step->stage);
        Compiler compiler = { .rules = rules,
                              .file = file,
                              .step = step,
                              .cuda = docker_cuda_of(rules->session->arena, image),
                              .image = image };
        if (compiler.cuda.len > 0) {
            check_architectures(&compiler, text);
            check_list(&compiler, list);
            check_list(&compiler, other);
        }
    }
}
