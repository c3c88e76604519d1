// Answers questions about a Dockerfile: what its variables come to at a step, and what its images are.
// source: https://docs.docker.com/reference/dockerfile/, Scope and Predefined ARGs, 2026-11, read 2026-11
#include "compiler/plan/model/plan_dockerfile.h"

#include "compiler/script/shell_program.h"

enum { FILL_DEPTH_MAX = 8, FILLED_MAX = 8 * 1024 };

static const DockerInstruction INSTRUCTIONS[] = {
    { "FROM", DOCKER_FROM, false },         { "ARG", DOCKER_ARG, false },       { "ENV", DOCKER_ENV, false },
    { "RUN", DOCKER_RUN, false },           { "COPY", DOCKER_COPY, false },     { "ADD", DOCKER_COPY, false },
    { "CMD", DOCKER_OTHER, false },         { "LABEL", DOCKER_OTHER, false },   { "EXPOSE", DOCKER_OTHER, false },
    { "ENTRYPOINT", DOCKER_OTHER, false },  { "VOLUME", DOCKER_OTHER, false },  { "USER", DOCKER_OTHER, false },
    { "WORKDIR", DOCKER_OTHER, false },     { "ONBUILD", DOCKER_OTHER, false }, { "STOPSIGNAL", DOCKER_OTHER, false },
    { "HEALTHCHECK", DOCKER_OTHER, false }, { "SHELL", DOCKER_OTHER, false },   { "MAINTAINER", DOCKER_OTHER, true },
};

const DockerInstruction *docker_instruction(size_t i) {
    return i < COUNT_OF(INSTRUCTIONS) ? &INSTRUCTIONS[i] : NULL;
}

// ---- variables ---------------------------------------------------------------------------------------------------

static bool begins_name(char c) {
    return c == '_' || (char_small(c) >= 'a' && char_small(c) <= 'z');
}

static size_t name_end(Str text, size_t at) {
    while (char_is_of_name(str_at(text, at)) && at < text.len) {
        at++;
    }
    return at;
}

Str docker_next_variable(Str text, size_t *at) {
    for (size_t sign = str_find(text, STR("$"), *at); sign < text.len; sign = str_find(text, STR("$"), sign + 1)) {
        const size_t start = sign + (str_at(text, sign + 1) == '{' ? 2 : 1);
        if (begins_name(str_at(text, start))) {
            *at = name_end(text, start);
            return str_slice(text, start, *at);
        }
    }
    *at = text.len;
    return STR_NONE;
}

// The last setting of a name in the steps from `first` up to `before`, of a kind.
static const DockerSetting *last_setting(const PlanDockerfile *file, DockerKind kind, Str name, uint32_t first,
                                         uint32_t before, uint32_t *at) {
    for (uint32_t i = before; i > first; i--) {
        const DockerStep *step = &file->steps.items[i - 1];
        for (uint32_t k = step->kind == kind ? step->settings.count : 0; k > 0; k--) {
            if (str_equal(step->settings.items[k - 1].name, name)) {
                *at = i - 1;
                return &step->settings.items[k - 1];
            }
        }
    }
    return NULL;
}

static uint32_t first_stage(const PlanDockerfile *file) {
    return file->stages.count > 0 ? file->stages.items[0].step : file->steps.count;
}

// A setting of the stage, or of one that it begins with, which it inherits.
static const DockerSetting *inherited(const PlanDockerfile *file, DockerKind kind, int stage, Str name, uint32_t before,
                                      uint32_t *at) {
    for (int i = stage; i >= 0; i = file->stages.items[i].parent) {
        const DockerStage *one = &file->stages.items[i];
        const DockerSetting *setting = last_setting(file, kind, name, one->step, i == stage ? before : one->end, at);
        if (setting != NULL) {
            return setting;
        }
    }
    return NULL;
}

typedef struct {
    Arena *arena;
    const PlanDockerfile *file;
    int depth;
    bool is_known;
    StrBuf text;
} Fill;

static bool fill_text(Fill *fill, uint32_t step, Str text);

// The value of a setting at its own step.
static DockerState state_of(const Fill *outer, const DockerSetting *setting, uint32_t step, Str *value) {
    Fill fill = { .arena = outer->arena,
                  .file = outer->file,
                  .depth = outer->depth + 1,
                  .is_known = true,
                  .text = { .arena = outer->arena } };
    if (fill.depth > FILL_DEPTH_MAX || !fill_text(&fill, step, setting->value)) {
        return DOCKER_GIVEN;
    }
    *value = strbuf_str(&fill.text);
    return DOCKER_SET;
}

// In a stage an ENV wins over an ARG. An ARG without a value has that of the one above the first FROM.
static DockerState find_in_stage(const Fill *fill, int stage, uint32_t step, Str name, Str *value,
                                 const DockerSetting **setting) {
    const PlanDockerfile *file = fill->file;
    uint32_t at = 0;
    uint32_t outer_at = 0;
    const DockerSetting *own = inherited(file, DOCKER_ENV, stage, name, step, &at);
    own = own == NULL ? inherited(file, DOCKER_ARG, stage, name, step, &at) : own;
    const DockerSetting *outer = last_setting(file, DOCKER_ARG, name, 0, first_stage(file), &outer_at);
    *setting = own == NULL || !own->has_value ? outer : own;
    if (own == NULL) {
        return outer == NULL ? DOCKER_UNSET : DOCKER_OUTSIDE;
    }
    if (own->has_value) {
        return state_of(fill, own, at, value);
    }
    return outer == NULL || !outer->has_value ? DOCKER_GIVEN : state_of(fill, outer, outer_at, value);
}

static DockerState find_variable(const Fill *fill, uint32_t step, Str name, Str *value, const DockerSetting **setting) {
    const PlanDockerfile *file = fill->file;
    const bool is_step = step < file->steps.count;
    const int stage = is_step ? file->steps.items[step].stage : DOCKER_BEFORE;
    if (stage != DOCKER_BEFORE && file->steps.items[step].kind != DOCKER_FROM) {
        return find_in_stage(fill, stage, step, name, value, setting);
    }
    const uint32_t globals = first_stage(file);
    uint32_t at = 0;
    *setting = last_setting(file, DOCKER_ARG, name, 0, step < globals ? step : globals, &at);
    return *setting == NULL         ? DOCKER_UNSET
           : !(*setting)->has_value ? DOCKER_GIVEN
                                    : state_of(fill, *setting, at, value);
}

// What stands behind the name in `${NAME…}`, up to the end of it; `}` alone, or a default.
static size_t end_of_braces(Str text, size_t at) {
    for (int depth = 1; at < text.len; at++) {
        depth += text.data[at] == '{' ? 1 : text.data[at] == '}' ? -1 : 0;
        if (depth == 0) {
            return at;
        }
    }
    return text.len;
}

static void fill_variable(Fill *fill, uint32_t step, Str name, Str behind) {
    Str value = STR_NONE;
    const DockerSetting *setting;
    const DockerState state = find_variable(fill, step, name, &value, &setting);
    const bool is_default = str_starts_with(behind, STR(":-"));
    const bool is_set = state == DOCKER_SET && (value.len > 0 || !is_default);
    if (is_set && (behind.len == 0 || is_default)) {
        strbuf_add(&fill->text, value);
    } else {
        fill->is_known = false;
    }
}

static bool fill_text(Fill *fill, uint32_t step, Str text) {
    size_t done = 0;
    for (size_t at = 0; at < text.len && fill->is_known;) {
        const Str name = docker_next_variable(text, &at);
        if (name.len == 0) {
            break;
        }
        const size_t start = (size_t)(name.data - text.data);
        const bool has_braces = str_at(text, start - 1) == '{';
        const size_t close = has_braces ? end_of_braces(text, at) : at;
        strbuf_add(&fill->text, str_slice(text, done, start - (has_braces ? 2 : 1)));
        fill_variable(fill, step, name, str_slice(text, at, close));
        done = close + (has_braces ? 1 : 0);
        at = done;
        fill->is_known = fill->is_known && fill->text.len <= FILLED_MAX;
    }
    const Str rest = str_slice(text, done, text.len);
    strbuf_add(&fill->text, rest);
    fill->is_known = fill->is_known && fill->text.len <= FILLED_MAX && !str_has(rest, "$(") && !str_has(rest, "`");
    return fill->is_known;
}

DockerState docker_variable(Arena *arena, const PlanDockerfile *file, uint32_t step, Str name, Str *value,
                            const DockerSetting **setting) {
    const Fill fill = { .arena = arena, .file = file };
    *value = STR_NONE;
    return find_variable(&fill, step, name, value, setting);
}

bool docker_may_set(const DockerStep *step, Str name) {
    const Str script = step->script;
    for (size_t at = str_find(script, name, 0); at < script.len; at = str_find(script, name, at + 1)) {
        const char before = at == 0 ? ' ' : script.data[at - 1];
        const bool is_whole = !char_is_of_name(before) && !char_is_of_name(str_at(script, at + name.len));
        if (is_whole && before != '$' && before != '{') {
            return true;
        }
    }
    return false;
}

bool docker_fill(Arena *arena, const PlanDockerfile *file, uint32_t step, Str text, Str *filled) {
    if (!str_has(text, "$")) {
        *filled = text;
        return true;
    }
    for (size_t at = 0; at < text.len && step < file->steps.count;) {
        const Str name = docker_next_variable(text, &at);
        if (name.len > 0 && docker_may_set(&file->steps.items[step], name)) {
            return false;
        }
    }
    Fill fill = { .arena = arena, .file = file, .is_known = true, .text = { .arena = arena } };
    const bool is_known = fill_text(&fill, step, text);
    *filled = is_known ? strbuf_str(&fill.text) : text;
    return is_known;
}

// ---- places ------------------------------------------------------------------------------------------------------

Span docker_span(const PlanDockerfile *file, Str slice) {
    if (slice.len == 0) {
        return SPAN_NONE;
    }
    const size_t start = (size_t)(slice.data - file->text.data);
    return (Span){ .source = file->source, .start = (uint32_t)start, .end = (uint32_t)(start + slice.len) };
}

Str docker_text(const PlanDockerfile *file, Span span) {
    return str_slice(file->text, span.start, span.end);
}

bool docker_step_is(const PlanDockerfile *file, const DockerStep *step, const char *name) {
    return str_is_in_any_case(docker_text(file, step->name), name);
}

Span docker_place_of(Arena *arena, const PlanDockerfile *file, uint32_t step, Str word, Str part) {
    const size_t in_word = str_find(word, part, 0);
    if (in_word < word.len) {
        return docker_span(file, str_slice(word, in_word, in_word + part.len));
    }
    for (size_t at = 0; at < word.len;) {
        const Str name = docker_next_variable(word, &at);
        Str value;
        const DockerSetting *setting;
        if (name.len > 0 && docker_variable(arena, file, step, name, &value, &setting) == DOCKER_SET && value.len > 0 &&
            str_find(part, value, 0) < part.len) {
            return setting->span;
        }
    }
    return docker_span(file, word);
}

// ---- stages and images -------------------------------------------------------------------------------------------

bool docker_is_in(const PlanDockerfile *file, int stage, uint32_t step, uint32_t before) {
    const int own = file->steps.items[step].stage;
    for (int i = stage; i >= 0; i = file->stages.items[i].parent) {
        if (i == own) {
            return i != stage || step < before;
        }
    }
    return false;
}

int docker_root_stage(const PlanDockerfile *file, int stage) {
    int at = stage;
    while (at >= 0 && file->stages.items[at].parent >= 0) {
        at = file->stages.items[at].parent;
    }
    return at;
}

Str docker_root(const PlanDockerfile *file, int stage) {
    const int root = docker_root_stage(file, stage);
    return root >= 0 ? file->stages.items[root].image : STR_NONE;
}

// Where the tag begins, or the digest; the end of the text where it has none.
static size_t name_of_image(Str image) {
    const size_t digest = str_find(image, STR("@"), 0);
    const Str named = str_slice(image, 0, digest);
    const Str last = str_after_last(named, '/');
    const size_t sign = str_find(last, STR(":"), 0);
    return sign < last.len ? named.len - last.len + sign : named.len;
}

Str docker_image_name(Str image) {
    const Str name = str_slice(image, 0, name_of_image(image));
    static const char *const HUBS[] = { "docker.io/", "index.docker.io/", "registry-1.docker.io/" };
    for (size_t i = 0; i < COUNT_OF(HUBS); i++) {
        if (str_starts_with(name, str_of(HUBS[i]))) {
            return str_slice(name, strlen(HUBS[i]), name.len);
        }
    }
    return name;
}

Str docker_image_tag(Str image) {
    const size_t start = name_of_image(image);
    const size_t end = str_find(image, STR("@"), 0);
    return str_at(image, start) == ':' ? str_slice(image, start + 1, end) : STR_NONE;
}

bool docker_is_plain(Str image) {
    static const char *const NAMES[] = { "ubuntu",
                                         "debian",
                                         "amazonlinux",
                                         "nvidia/cuda",
                                         "nvcr.io/nvidia/cuda",
                                         "public.ecr.aws/amazonlinux/amazonlinux",
                                         "public.ecr.aws/docker/library/ubuntu",
                                         "public.ecr.aws/docker/library/debian",
                                         "public.ecr.aws/ubuntu/ubuntu" };
    const Str name = docker_image_name(image);
    return str_is_any(name, NAMES, COUNT_OF(NAMES));
}

static bool has_any(Str text, const char *const *words, size_t count) {
    bool has = false;
    for (size_t i = 0; i < count; i++) {
        has = has || str_has(text, words[i]);
    }
    return has;
}

// Images of NVIDIA say their system in the tag.
DockerPackages docker_packages(Str image) {
    static const char *const APT_TAGS[] = { "ubuntu", "debian", "bookworm", "bullseye", "trixie" };
    static const char *const RPM_TAGS[] = { "rocky", "ubi", "rhel", "centos", "amazonlinux", "amzn" };
    static const char *const APT_NAMES[] = { "ubuntu", "debian", "pytorch" };
    static const char *const RPM_NAMES[] = { "amazonlinux", "rockylinux", "almalinux", "fedora", "ubi8", "ubi9" };
    const Str name = docker_image_name(image);
    const Str tag = docker_image_tag(image);
    const Str last = str_after_last(name, '/');
    const bool is_of_nvidia = str_is(name, "nvidia/cuda") || str_is(name, "nvcr.io/nvidia/cuda");
    if (is_of_nvidia || str_has(name, "deep-learning-containers") || str_has(name, "763104351884.")) {
        const bool is_apt = has_any(tag, APT_TAGS, COUNT_OF(APT_TAGS));
        const bool is_rpm = has_any(tag, RPM_TAGS, COUNT_OF(RPM_TAGS));
        return is_apt == is_rpm ? DOCKER_PACKAGES_UNKNOWN : is_apt ? DOCKER_PACKAGES_APT : DOCKER_PACKAGES_RPM;
    }
    const bool is_official = last.len == name.len || str_starts_with(name, STR("public.ecr.aws/")) ||
                             str_is(name, "pytorch/pytorch") || str_is(name, "nvcr.io/nvidia/pytorch") ||
                             str_starts_with(name, STR("registry.access.redhat.com/")) ||
                             str_starts_with(name, STR("rockylinux/"));
    for (size_t i = 0; is_official && i < COUNT_OF(APT_NAMES); i++) {
        if (str_is(last, APT_NAMES[i])) {
            return DOCKER_PACKAGES_APT;
        }
    }
    for (size_t i = 0; is_official && i < COUNT_OF(RPM_NAMES); i++) {
        if (str_is(last, RPM_NAMES[i])) {
            return DOCKER_PACKAGES_RPM;
        }
    }
    return DOCKER_PACKAGES_UNKNOWN;
}

static size_t version_end(Str text, size_t at) {
    while (char_is_digit(str_at(text, at)) || (str_at(text, at) == '.' && char_is_digit(str_at(text, at + 1)))) {
        at++;
    }
    return at;
}

Str docker_cuda_of(Arena *arena, Str image) {
    const Str name = docker_image_name(image);
    const Str tag = docker_image_tag(image);
    if (str_is(name, "nvidia/cuda") || str_is(name, "nvcr.io/nvidia/cuda")) {
        const Str version = str_slice(tag, 0, version_end(tag, 0));
        return image_is_version(version) ? version : STR_NONE;
    }
    const Str sign = str_is(name, "pytorch/pytorch")               ? STR("-cuda")
                     : str_starts_with(name, STR("763104351884.")) ? STR("-cu")
                                                                   : STR_NONE;
    const size_t at = sign.len > 0 ? str_find(tag, sign, 0) : tag.len;
    const Str digits = str_slice(tag, at + sign.len, version_end(tag, at + sign.len));
    if (image_is_version(digits)) {
        return digits;
    }
    return digits.len == 3 ? str_format(arena, "%.*s.%c", STR_ARG(str_slice(digits, 0, 2)), digits.data[2]) : STR_NONE;
}

// ---- commands ----------------------------------------------------------------------------------------------------

static Str word_of(const ShellSimple *command, uint32_t i) {
    return i < command->words.count ? command->words.items[i] : STR_NONE;
}

// `configure` of `bash -e ./configure`; the shell itself where its words are no file.
static Str started_by_shell(const ShellSimple *command) {
    uint32_t i = command->program + 1;
    while (str_at(word_of(command, i), 0) == '-' && !str_has(word_of(command, i), "c")) {
        i++;
    }
    const Str word = word_of(command, i);
    return str_after_last(word.len == 0 || word.data[0] == '-' ? word_of(command, command->program) : word, '/');
}

Str docker_program(const ShellSimple *command) {
    const Str program = word_of(command, command->program);
    return shell_is_shell(program) ? started_by_shell(command) : str_after_last(program, '/');
}

bool docker_has_word(const ShellSimple *command, const char *word) {
    bool has_one = false;
    for (uint32_t i = 0; i < command->words.count; i++) {
        has_one = has_one || str_is_word(command->words.items[i], word);
    }
    return has_one;
}

Str docker_option(const ShellSimple *command, const char *option) {
    const size_t length = strlen(option);
    for (uint32_t i = command->program; i < command->words.count; i++) {
        const Str word = command->words.items[i];
        if (option[1] == '-' && str_starts_with(word, str_of(option)) && str_at(word, length) == '=') {
            return str_slice(word, length + 1, word.len);
        }
        if (str_is_word(word, option) && i + 1 < command->words.count) {
            return command->words.items[i + 1];
        }
    }
    return STR_NONE;
}

bool docker_is_efa_installer(const ShellSimple *command) {
    return str_is(docker_program(command), "efa_installer.sh");
}
