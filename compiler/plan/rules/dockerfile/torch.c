// A rule about what an image compiles against PyTorch: the CUDA that it compiles with is of the major release that PyTorch was
// built for, or torch.utils.cpp_extension refuses to.
// source: pytorch/pytorch torch/utils/cpp_extension.py, _check_cuda_version; deepspeedai/DeepSpeed op_builder/builder.py,
// assert_no_cuda_mismatch; NVIDIA/apex setup.py; Dao-AILab/flash-attention setup.py, FLASH_ATTENTION_FORCE_BUILD;
// https://pytorch.org/get-started/previous-versions, 2026-11, read 2026-11
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/plan_dockerfile.h"

// What is compiled against PyTorch. Some packages look for a finished wheel first, unless a variable says otherwise.
static const struct {
    const char *word; // a part of one
    const char *also; // another part of it; NULL: none
    const char *with; // a variable that is set in the file, and not to 0; NULL: none
} BUILDS[] = {
    { "grouped_gemm", NULL, NULL },
    { "grouped-gemm", NULL, NULL },
    { "--cuda_ext", NULL, NULL },
    { "tiny-cuda-nn", "git+", NULL },
    { "xformers", "git+", NULL },
    { "flash-attn", NULL, "FLASH_ATTENTION_FORCE_BUILD" },
    { "flash-attn", NULL, "FLASH_ATTN_CUDA_ARCHS" },
    { "flash_attn", NULL, "FLASH_ATTENTION_FORCE_BUILD" },
    { "flash_attn", NULL, "FLASH_ATTN_CUDA_ARCHS" },
    { "mamba-ssm", NULL, "MAMBA_FORCE_BUILD" },
    { "causal-conv1d", NULL, "CAUSAL_CONV1D_FORCE_BUILD" },
    { "deepspeed", NULL, "DS_BUILD_OPS" },
    { "deepspeed", NULL, "DS_BUILD_FUSED_ADAM" },
    { "deepspeed", NULL, "DS_BUILD_CPU_ADAM" },
    { "pytorch3d", "git+", "FORCE_CUDA" },
    { "detectron2", "git+", "FORCE_CUDA" },
    { "torch-scatter", NULL, "FORCE_CUDA" },
    { "torch-sparse", NULL, "FORCE_CUDA" },
};

// What may bring another CUDA or another PyTorch in, or keep the two from being compared.
static const char *const UNSURE[] = { "cuda-toolkit",  "cuda_toolkit",  "cudatoolkit",        "cuda-nvcc",
                                      "cuda-compiler", "cuda-minimal",  "nvidia/label",       "-c nvidia",
                                      "cuda-12-",      "cuda-13-",      "cuda-11-",           "/usr/local/cuda-",
                                      "cuda_1",        "cpp_extension", "DS_SKIP_CUDA_CHECK", "SKIP_CUDA_BUILD" };

typedef struct {
    Str cuda;  // "12.8"; empty: there is no PyTorch, or nobody knows for which CUDA
    Str place; // what says so, in the text
    Span span; // of it, or of the value of its variable
} Torch;

// ---- commands --------------------------------------------------------------------------------------------------------

static bool installs(const ShellSimple *command) {
    const Str program = docker_program(command);
    const bool is_pip = str_starts_with(program, STR("pip")) || str_is(program, "uv") ||
                        docker_has_word(command, "pip") || docker_has_word(command, "pip3") ||
                        str_is(program, "conda") || str_is(program, "mamba");
    return is_pip && docker_has_word(command, "install");
}

static bool has_any(Str text, const char *const *words, size_t count) {
    bool has = false;
    for (size_t i = 0; i < count; i++) {
        has = has || str_has(text, words[i]);
    }
    return has;
}

// Whether the file sets a variable to something that is not off: `NAME=1`, `NAME="TRUE"`, `ENV NAME 1`.
static bool is_on(Str text, const char *name) {
    const Str wanted = str_of(name);
    for (size_t at = str_find(text, wanted, 0); at < text.len; at = str_find(text, wanted, at + 1)) {
        const char sign = str_at(text, at + wanted.len);
        size_t value = at + wanted.len + 1;
        value += str_at(text, value) == '"' || str_at(text, value) == '\'' ? 1 : 0;
        const char first = str_at(text, value);
        if ((sign == '=' || sign == ' ') && first != '\0' && strchr("0fFnNoO \n\\", first) == NULL) {
            return true;
        }
    }
    return false;
}

typedef struct {
    bool is_on[COUNT_OF(BUILDS)]; // what each of them needs is set
    uint32_t looked;              // so far: commands that compile, and texts whose variables were filled in
} Image;

enum { LOOKED_MAX = 200 }; // far above what anyone writes

// `python setup.py install` in a copy of a repository that is compiled against PyTorch.
static Str compiled_by_setup(const DockerStep *step, const ShellSimple *command) {
    static const char *const REPOSITORIES[] = { "/flash-attention", "NVIDIA/apex", "grouped_gemm", "/xformers" };
    static const char *const ACTIONS[] = { "install", "bdist_wheel", "build_ext" };
    const bool is_one =
        str_has(step->script, "git clone") && has_any(step->script, REPOSITORIES, COUNT_OF(REPOSITORIES));
    for (uint32_t i = command->program; is_one && i + 1 < command->words.count; i++) {
        for (size_t k = 0; k < COUNT_OF(ACTIONS); k++) {
            if (str_is(command->words.items[i], "setup.py") && str_is_word(command->words.items[i + 1], ACTIONS[k])) {
                return command->words.items[i];
            }
        }
    }
    return STR_NONE;
}

// The word that names what is compiled; empty: nothing that is sure.
static Str compiled(const Image *image, const ShellSimple *command) {
    for (uint32_t i = command->program; installs(command) && i < command->words.count; i++) {
        const Str word = command->words.items[i];
        for (size_t k = 0; k < COUNT_OF(BUILDS) && !str_has(word, ".whl"); k++) {
            if (str_has(word, BUILDS[k].word) && (BUILDS[k].also == NULL || str_has(word, BUILDS[k].also)) &&
                image->is_on[k]) {
                return word;
            }
        }
    }
    return STR_NONE;
}

// ---- PyTorch ---------------------------------------------------------------------------------------------------------

static bool is_torch(Str word) {
    return str_is(word, "torch") || (str_starts_with(word, STR("torch")) && strchr("=<>~![@", word.data[5]) != NULL);
}

// "128" of `…/cu128/` or `+cu128`; empty: no such mark is in the text.
static Str mark_of(Str text) {
    for (size_t at = str_find(text, STR("cu"), 0); at < text.len; at = str_find(text, STR("cu"), at + 1)) {
        const char before = at == 0 ? ' ' : text.data[at - 1];
        size_t end = at + 2;
        while (char_is_digit(str_at(text, end))) {
            end++;
        }
        if (end == at + 5 && (before == '/' || before == '+' || before == 'B') && !char_is_of_name(str_at(text, end))) {
            return str_slice(text, at, end);
        }
    }
    return STR_NONE;
}

typedef struct {
    const Rules *rules;
    const PlanDockerfile *file;
    Image *image;
    uint32_t at; // of the step
} Check;

static Torch torch_by(const Check *check, Str written, Str filled) {
    const Str mark = mark_of(filled);
    if (mark.len == 0) {
        return (Torch){ 0 };
    }
    Arena *arena = check->rules->session->arena;
    return (Torch){ .cuda = str_format(arena, "%.*s.%c", STR_ARG(str_slice(mark, 2, 4)), mark.data[4]),
                    .place = written,
                    .span = docker_place_of(arena, check->file, check->at, written, mark) };
}

// Of `--index-url URL` alone, or of any index where a release is asked for: that with a mark is the newer one.
static bool is_index(Str option, bool has_release) {
    static const char *const ONLY[] = { "-i", "--index-url", "--default-index" };
    static const char *const MORE[] = { "--extra-index-url", "-f", "--find-links", "--index" };
    bool is = false;
    for (size_t i = 0; i < COUNT_OF(ONLY); i++) {
        is = is || str_is_word(option, ONLY[i]);
    }
    for (size_t i = 0; i < COUNT_OF(MORE); i++) {
        is = is || (has_release && str_is_word(option, MORE[i]));
    }
    return is;
}

// Of the wheel of a release that PyPI has, by whose name no CUDA is asked for.
static Torch torch_of_index(const Check *check, Str word) {
    static const char *const OTHERS[] = { "INDEX_URL", "pip.conf", "constraint", "UV_", "torch-backend" };
    const Str release = str_slice(word, strlen("torch=="), word.len);
    const bool is_known = str_starts_with(word, STR("torch==")) && image_is_version(release) &&
                          !str_has(release, "+") && !has_any(check->file->text, OTHERS, COUNT_OF(OTHERS)) &&
                          image_version_compare(release, STR("2.1")) >= 0 &&
                          image_version_compare(release, STR("2.10")) < 0;
    return is_known ? (Torch){ .cuda = STR("12"), .place = word, .span = docker_span(check->file, word) }
                    : (Torch){ 0 };
}

static bool names_index(const ShellSimple *command) {
    bool names = false;
    for (uint32_t i = command->program; i < command->words.count; i++) {
        const Str word = command->words.items[i];
        names = names || str_has(word, "://") || str_has(word, "index") || str_is(word, "-i") || str_is(word, "-f") ||
                str_is(word, "-c") || str_has(word, "+cu");
    }
    return names;
}

// A command that installs PyTorch; `*torch` is empty where nobody knows for which CUDA.
static bool installs_torch(const Check *check, const ShellSimple *command, Torch *torch) {
    bool has_torch = false;
    bool has_release = false;
    *torch = (Torch){ 0 };
    for (uint32_t i = command->program; installs(command) && i < command->words.count; i++) {
        const Str word = command->words.items[i];
        has_torch = has_torch || is_torch(word) || str_has(word, "/torch-");
        has_release = has_release || (is_torch(word) && str_has(word, "=="));
    }
    const bool is_plain = has_release && !names_index(command) && !str_has(docker_program(command), "conda") &&
                          !str_has(docker_program(command), "mamba");
    for (uint32_t i = command->program; has_torch && torch->cuda.len == 0 && i < command->words.count; i++) {
        const Str word = command->words.items[i];
        const size_t sign = str_find(word, STR("="), 0);
        const bool is_option = str_at(word, 0) == '-';
        const Str before = i > 0 ? command->words.items[i - 1] : STR_NONE;
        const bool is_asked = is_torch(word) || str_has(word, "/torch-") || is_index(before, has_release) ||
                              (is_option && is_index(str_slice(word, 0, sign), has_release));
        Str filled;
        if (is_plain && is_torch(word) &&
            docker_fill(check->rules->session->arena, check->file, check->at, word, &filled)) {
            *torch = torch_of_index(check, str_equal(filled, word) ? word : STR_NONE);
        } else if (is_asked && ++check->image->looked < LOOKED_MAX &&
                   docker_fill(check->rules->session->arena, check->file, check->at, word, &filled)) {
            *torch = torch_by(check, word, filled);
        }
    }
    return has_torch;
}

// Packages that bring a PyTorch of their own.
static bool replaces_torch(const ShellSimple *command) {
    static const char *const WORDS[] = { "vllm", "sglang", "torch" };
    bool does = false;
    for (uint32_t i = command->program; i < command->words.count; i++) {
        const Str word = command->words.items[i];
        does = does || str_starts_with(word, STR("vllm")) || str_starts_with(word, STR("sglang"));
    }
    return does || (docker_has_word(command, "uninstall") && docker_has_word(command, WORDS[2]));
}

// The PyTorch that is there before a command of a step.
static Torch torch_before(const Check *check, uint32_t number) {
    const PlanDockerfile *file = check->file;
    const int stage = file->steps.items[check->at].stage;
    Torch found = { 0 };
    for (uint32_t i = 0; i < file->steps.count; i++) {
        const DockerStep *step = &file->steps.items[i];
        const bool is_own = i == check->at;
        const bool is_in = step->is_read && (is_own || docker_is_in(file, stage, i, check->at));
        for (uint32_t k = 0; is_in && k < (is_own ? number : step->commands.count); k++) {
            const Check other = { .rules = check->rules, .file = file, .image = check->image, .at = i };
            Torch torch;
            if (installs_torch(&other, &step->commands.items[k], &torch)) {
                found = torch;
            } else if (replaces_torch(&step->commands.items[k])) {
                found = (Torch){ 0 };
            }
        }
    }
    return found;
}

// ---- the rule --------------------------------------------------------------------------------------------------------

static Str major_of(Str version) {
    return str_slice(version, 0, str_find(version, STR("."), 0));
}

// The CUDA that a stage compiles with; empty: it has no compiler, or nobody knows.
static Str compiler_of(const Check *check, Str image) {
    const Str tag = docker_image_tag(image);
    const bool has_none = str_has(tag, "-runtime") || str_has(tag, "-base");
    return has_none ? STR_NONE : docker_cuda_of(check->rules->session->arena, image);
}

static bool check_command(const Check *check, uint32_t number) {
    const PlanDockerfile *file = check->file;
    const DockerStep *step = &file->steps.items[check->at];
    Session *session = check->rules->session;
    const Str named = compiled(check->image, &step->commands.items[number]);
    const Str word = named.len > 0 ? named : compiled_by_setup(step, &step->commands.items[number]);
    const Str image = word.len > 0 && ++check->image->looked < LOOKED_MAX ? docker_root(file, step->stage) : STR_NONE;
    const Str cuda = compiler_of(check, image);
    const Torch torch = cuda.len > 0 ? torch_before(check, number) : (Torch){ 0 };
    if (torch.cuda.len == 0 || str_equal(major_of(torch.cuda), major_of(cuda))) {
        return false;
    }
    Diag *diag =
        plan_report(session, file->subject, torch.span, DIAG(docker_torch_cuda), STR_ARG(torch.cuda), STR_ARG(cuda));
    diag_label(session, diag, file->stages.items[docker_root_stage(file, step->stage)].span, "CUDA %.*s",
               STR_ARG(cuda));
    diag_label(session, diag, docker_span(file, word), "compiled against PyTorch");
    diag_help(session, diag, "begin with an image of CUDA %.*s, or install PyTorch for CUDA %.*s", STR_ARG(torch.cuda),
              STR_ARG(major_of(cuda)));
    return true;
}

void rule_docker_torch(const Rules *rules, const PlanDockerfile *file) {
    Image image = { 0 };
    bool has_found = has_any(file->text, UNSURE, COUNT_OF(UNSURE)) || !str_has(file->text, "torch");
    for (size_t i = 0; !has_found && i < COUNT_OF(BUILDS); i++) {
        image.is_on[i] = BUILDS[i].with == NULL || is_on(file->text, BUILDS[i].with);
    }
    for (uint32_t i = 0; i < file->steps.count; i++) {
        const Check check = { .rules = rules, .file = file, .image = &image, .at = i };
        const DockerStep *step = &file->steps.items[i];
        for (uint32_t k = 0; step->is_read && !has_found && k < step->commands.count; k++) {
            has_found = check_command(&check, k);
        }
    }
}
