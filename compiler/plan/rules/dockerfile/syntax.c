// Rules about the form of a Dockerfile: instructions that Docker knows, lines that go on too far or not far enough, variables
// that are empty where they are used, and stages that others copy from.
#include "compiler/plan/rules/rules.h"

#include "compiler/base/suggest.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/plan_dockerfile.h"

// Another program may read the file first: a frontend that is named on its first line.
static bool has_own_frontend(const PlanDockerfile *file) {
    const Str first = str_slice(file->text, 0, str_find(file->text, STR("\n"), 0));
    return str_starts_with(first, STR("#")) && str_has(first, "syntax") && !str_has(first, "docker/dockerfile");
}

static bool has_open_document(const PlanDockerfile *file) {
    bool has_one = false;
    for (uint32_t i = 0; i < file->steps.count; i++) {
        has_one = has_one || !span_is_none(file->steps.items[i].open);
    }
    return has_one;
}

// Whether a step above may open a here-document whose mark stands behind a blank: newer builders take it.
// source: moby/buildkit#5817, read 2026-12
static bool may_be_in_document(const PlanDockerfile *file, uint32_t at) {
    bool may_be = false;
    for (uint32_t i = 0; i < at; i++) {
        const Str rest = file->steps.items[i].rest;
        const size_t sign = str_find(rest, STR("<< "), 0);
        may_be = may_be || (sign < rest.len && (strchr("'\"_", str_at(rest, sign + 3)) != NULL ||
                                                (str_at(rest, sign + 3) >= 'A' && str_at(rest, sign + 3) <= 'Z')));
    }
    return may_be;
}

// ---- instructions ----------------------------------------------------------------------------------------------------

static void report_no_instruction(const Rules *rules, const PlanDockerfile *file, uint32_t at) {
    const DockerStep *step = &file->steps.items[at];
    const Str word = source_text(rules->session, step->name);
    Suggestion suggestion = suggest_for(rules->session, word);
    const DockerInstruction *instruction;
    for (size_t i = 0; (instruction = docker_instruction(i)) != NULL && !instruction->is_old; i++) {
        suggest_offer(&suggestion, str_of(instruction->name));
    }
    Diag *diag = plan_report(rules->session, file->subject, step->name, DIAG(docker_no_instruction), STR_ARG(word));
    if (suggestion.best.len > 0) {
        diag_help(rules->session, diag, "did you mean `%.*s`?", STR_ARG(suggestion.best));
    } else if (at > 0 && file->steps.items[at - 1].kind != DOCKER_FROM) {
        diag_label(rules->session, diag, file->steps.items[at - 1].name, "ends on the line above");
        diag_help(rules->session, diag, "end the line above with ` \\`, or begin this one with an instruction");
    } else {
        diag_help(rules->session, diag, "begin the line with an instruction, as `RUN`");
    }
}

void rule_docker_instructions(const Rules *rules, const PlanDockerfile *file) {
    if (has_own_frontend(file) || has_open_document(file)) {
        return;
    }
    for (uint32_t i = 1; i < file->steps.count; i++) {
        if (file->steps.items[i].kind == DOCKER_NONE && file->steps.items[i - 1].kind != DOCKER_NONE &&
            !may_be_in_document(file, i)) {
            report_no_instruction(rules, file, i);
        }
    }
}

// ---- instructions inside of others -----------------------------------------------------------------------------------

static bool begins_line(const PlanDockerfile *file, Str word) {
    size_t at = (size_t)(word.data - file->text.data);
    while (at > 0 && (file->text.data[at - 1] == ' ' || file->text.data[at - 1] == '\t')) {
        at--;
    }
    return at > 0 && file->text.data[at - 1] == '\n';
}

static bool is_instruction(Str word) {
    const DockerInstruction *instruction;
    bool is_one = false;
    for (size_t i = 0; (instruction = docker_instruction(i)) != NULL; i++) {
        is_one = is_one || (!instruction->is_old && str_is_word(word, instruction->name));
    }
    return is_one;
}

static bool check_swallowed(const Rules *rules, const PlanDockerfile *file, const DockerStep *step, Str word) {
    if (!is_instruction(word) || !begins_line(file, word)) {
        return false;
    }
    Diag *diag = plan_report(rules->session, file->subject, docker_span(file, word), DIAG(docker_swallowed),
                             STR_ARG(word), STR_ARG(source_text(rules->session, step->name)));
    diag_label(rules->session, diag, step->name, "%s", "");
    diag_help(rules->session, diag, "take the `\\` and what joins commands off the end of the line before");
    return true;
}

static void check_run(const Rules *rules, const PlanDockerfile *file, const DockerStep *step) {
    for (uint32_t i = 0; i < step->commands.count; i++) {
        const ShellSimple *command = &step->commands.items[i];
        for (uint32_t k = 0; k < command->words.count; k++) {
            if (check_swallowed(rules, file, step, command->words.items[k])) {
                return;
            }
        }
    }
}

void rule_docker_swallowed(const Rules *rules, const PlanDockerfile *file) {
    for (uint32_t i = 0; i < file->steps.count; i++) {
        const DockerStep *step = &file->steps.items[i];
        const bool is_document = str_starts_with(step->rest, STR("<<"));
        if (step->kind == DOCKER_RUN && step->is_read && !step->is_exec && !is_document) {
            check_run(rules, file, step);
        }
    }
}

// ---- ENV -------------------------------------------------------------------------------------------------------------

static void check_env(const Rules *rules, const PlanDockerfile *file, const DockerStep *step) {
    for (uint32_t i = 0; i < step->settings.count; i++) {
        const DockerSetting *setting = &step->settings.items[i];
        const bool has_sign = setting->is_apart && str_starts_with(setting->value, STR("="));
        if (has_sign) {
            Diag *diag = plan_report(rules->session, file->subject, setting->span, DIAG(docker_env),
                                     STR_ARG(setting->name), "gets another value than is meant: it begins with `=`");
            diag_help(rules->session, diag, "write `%.*s=` and the value without blanks between",
                      STR_ARG(setting->name));
            return;
        }
        if (!setting->is_apart && !setting->has_value) {
            if (is_instruction(setting->name)) {
                (void)check_swallowed(rules, file, step, setting->name);
                return;
            }
            Diag *diag =
                plan_report(rules->session, file->subject, setting->name_span, DIAG(docker_env), STR_ARG(setting->name),
                            "is read as the name of a variable, and no `=` stands behind it");
            diag_help(rules->session, diag, "write quotes around a value with blanks, and each variable as NAME=VALUE");
            return;
        }
    }
}

void rule_docker_env(const Rules *rules, const PlanDockerfile *file) {
    for (uint32_t i = 0; i < file->steps.count; i++) {
        if (file->steps.items[i].kind == DOCKER_ENV) {
            check_env(rules, file, &file->steps.items[i]);
        }
    }
}

// ---- variables -------------------------------------------------------------------------------------------------------

// Whether the image that a stage begins with is known to set nothing of this name.
static bool base_lacks(const PlanDockerfile *file, int stage, Str name) {
    static const char *const ANYWHERE[] = { "PATH", "HOME", "LD_LIBRARY_PATH", "LIBRARY_PATH" };
    const Str image = docker_root(file, stage);
    const bool is_cuda = str_has(image, "nvidia/cuda");
    bool is_set =
        !docker_is_plain(image) ||
        (is_cuda && (str_is(name, "CUDA_VERSION") || str_is(name, "NCCL_VERSION") || str_starts_with(name, STR("NV"))));
    for (size_t i = 0; i < COUNT_OF(ANYWHERE); i++) {
        is_set = is_set || str_is_word(name, ANYWHERE[i]);
    }
    return !is_set;
}

// Whether an image of somebody else may set a variable of this name: those of NGC and of AWS say what they have by such.
static bool may_be_of_base(Str name) {
    static const char *const SOFTWARE[] = {
        "CUDA",        "NCCL_V", "OPENMPI", "OPEN_MPI", "OPENUCX",  "EFA_VERSION", "AWS_OFI_NCCL_VERSION",
        "TORCH",       "PYTHON", "PYTORCH", "GDRCOPY",  "CUDNN",    "TRT",         "MPI",
        "NVIDIA",      "NV_",    "RDMA",    "MOFED",    "TENSORRT", "CUBLAS",      "DALI",
        "TRANSFORMER", "PATH",   "HOME",    "LANG",     "LC_",      "DEBIAN",      "PIP_",
        "TERM",        "USER"
    };
    bool may = false;
    for (size_t i = 0; i < COUNT_OF(SOFTWARE); i++) {
        may = may || str_has(name, SOFTWARE[i]);
    }
    return may;
}

// Whether a FROM of the file asks for a variable.
static bool is_of_from(const PlanDockerfile *file, Str name) {
    enum { STAGES_MAX = 100 };
    bool is = file->stages.count > STAGES_MAX;
    for (uint32_t i = 0; !is && i < file->stages.count; i++) {
        is = str_find(file->stages.items[i].written, name, 0) < file->stages.items[i].written.len;
    }
    return is;
}

// What the name of a variable that nothing sets may mean: itself in another stage, or one that is almost called so.
typedef struct {
    Suggestion suggestion;
    Str longer;     // the only one that has a word more; empty: there is none, or several
    Span elsewhere; // where another stage sets it; SPAN_NONE: none does
} Meaning;

// Whether a name of two words is another one without those in its middle: `EFA_VERSION` of `EFA_INSTALLER_VERSION`.
static bool is_shortened(Str name, Str other) {
    const size_t mark = str_find_sign(name, '_', 0);
    return mark < name.len && str_find_sign(name, '_', mark + 1) == name.len && name.len < other.len &&
           str_starts_with(other, str_slice(name, 0, mark + 1)) &&
           str_ends_with(other, str_slice(name, mark, name.len));
}

static Meaning meaning_of(const Rules *rules, const PlanDockerfile *file, Str name) {
    Meaning meaning = { .suggestion = suggest_for(rules->session, name) };
    uint32_t longer = 0;
    for (uint32_t i = 0; i < file->steps.count; i++) {
        const DockerStep *step = &file->steps.items[i];
        for (uint32_t k = 0; k < step->settings.count; k++) {
            const DockerSetting *setting = &step->settings.items[k];
            if (str_equal(setting->name, name)) {
                meaning.elsewhere = setting->name_span;
            } else {
                suggest_offer(&meaning.suggestion, setting->name);
                const bool is_new = is_shortened(name, setting->name) && !str_equal(setting->name, meaning.longer);
                longer += is_new ? 1 : 0;
                meaning.longer = is_new ? setting->name : meaning.longer;
            }
        }
    }
    meaning.longer = longer == 1 ? meaning.longer : STR_NONE;
    return meaning;
}

// The setting of a step that has a name; NULL: none.
static const DockerSetting *own_setting(const DockerStep *step, Str name) {
    for (uint32_t i = 0; i < step->settings.count; i++) {
        if (str_equal(step->settings.items[i].name, name)) {
            return &step->settings.items[i];
        }
    }
    return NULL;
}

// `ENV CPATH=/a:$CPATH` adds to what may be there.
static bool adds_to_itself(const DockerSetting *own, Span place) {
    return own != NULL && span_holds(own->span, place);
}

static Diag *report_unset(const Rules *rules, const PlanDockerfile *file, Str name) {
    const Meaning meaning = meaning_of(rules, file, name);
    const Str near = suggest_is_sure(&meaning.suggestion) ? meaning.suggestion.best : meaning.longer;
    if (span_is_none(meaning.elsewhere) && near.len == 0) {
        return NULL;
    }
    Diag *diag =
        plan_report(rules->session, file->subject, docker_span(file, name), DIAG(docker_variable_unset), STR_ARG(name));
    if (span_is_none(meaning.elsewhere)) {
        diag_help(rules->session, diag, "did you mean `%.*s`?", STR_ARG(near));
    } else {
        diag_label(rules->session, diag, meaning.elsewhere, "set in another stage, or further down");
        diag_help(rules->session, diag, "write `ARG %.*s` above, in this stage, with its value", STR_ARG(name));
    }
    return diag;
}

// Whether a variable is empty at a step; `*outside` is the ARG above the first FROM that sets it for none; NULL: there is none.
static bool is_empty(const Rules *rules, const PlanDockerfile *file, uint32_t at, Str name,
                     const DockerSetting **outside) {
    Str value;
    const DockerSetting *setting;
    const DockerState state = docker_variable(rules->session->arena, file, at, name, &value, &setting);
    *outside = state == DOCKER_OUTSIDE ? setting : NULL;
    const bool is_lost = state == DOCKER_OUTSIDE && setting->has_value &&
                         docker_root(file, file->steps.items[at].stage).len > 0 && !may_be_of_base(name) &&
                         !is_of_from(file, name);
    const bool is_unset = state == DOCKER_OUTSIDE || state == DOCKER_UNSET;
    return is_lost || (is_unset && base_lacks(file, file->steps.items[at].stage, name));
}

// What is said of a variable that is empty at a step; NULL: nothing.
static Diag *report_empty(const Rules *rules, const PlanDockerfile *file, uint32_t at, Str name,
                          const DockerSetting *outside) {
    const DockerStep *step = &file->steps.items[at];
    if (outside != NULL) {
        Diag *diag = plan_report(rules->session, file->subject, docker_span(file, name), DIAG(docker_argument_outside),
                                 STR_ARG(name));
        diag_label(rules->session, diag, outside->name_span, "above the first FROM");
        diag_label(rules->session, diag, file->stages.items[step->stage].span, "%s", "");
        diag_help(rules->session, diag, "write `ARG %.*s` behind this stage's FROM", STR_ARG(name));
        return diag;
    }
    const DockerSetting *own = own_setting(step, name);
    if (own == NULL) {
        return report_unset(rules, file, name);
    }
    if (adds_to_itself(own, docker_span(file, name))) {
        return NULL;
    }
    Diag *diag =
        plan_report(rules->session, file->subject, docker_span(file, name), DIAG(docker_variable_unset), STR_ARG(name));
    diag_label(rules->session, diag, own->name_span, "set by this same ENV: lines below have it");
    diag_help(rules->session, diag, "write two ENV, that of `%.*s` above", STR_ARG(name));
    return diag;
}

// Whether a shell or Docker fills in the variable whose name this is a slice of: not behind `\\`, nor in `'…'`, and a form
// such as `${NAME:-x}` says what else there is.
static bool is_filled_in(Str word, Str name) {
    const size_t place = (size_t)(name.data - word.data);
    const bool has_braces = str_at(word, place - 1) == '{';
    const size_t sign = place - (has_braces ? 2 : 1);
    bool is_single = false;
    bool is_double = false;
    for (size_t i = 0; i < sign; i++) {
        const char c = word.data[i];
        is_single = c == '\'' && !is_double ? !is_single : is_single;
        is_double = c == '"' && !is_single ? !is_double : is_double;
    }
    const bool is_plain = !has_braces || str_at(word, place + name.len) == '}';
    return !is_single && is_plain && (sign == 0 || word.data[sign - 1] != '\\');
}

enum { WORD_MAX = 2048, VARIABLES_MAX = 2000 };

// A variable of which something was said.
typedef struct {
    Str name;
    int stage;
    Diag *diag;
    uint32_t again;
} Said;

typedef struct {
    const Rules *rules;
    const PlanDockerfile *file;
    uint32_t count; // of variables so far: no file that people write has so many
    VEC(Said) said;
} Check;

// One cause is said once for a stage, with the next places.
static void check_variable(Check *check, uint32_t at, Str name) {
    enum { LABELS_MAX = 4, SAID_MAX = 50 };
    const int stage = check->file->steps.items[at].stage;
    const DockerSetting *outside;
    if (!is_empty(check->rules, check->file, at, name, &outside)) {
        return;
    }
    for (uint32_t i = 0; i < check->said.count; i++) {
        Said *said = &check->said.items[i];
        if (said->stage == stage && str_equal(said->name, name)) {
            if (said->again++ < LABELS_MAX) {
                diag_label(check->rules->session, said->diag, docker_span(check->file, name), "here as well");
            }
            return;
        }
    }
    Diag *diag = check->said.count < SAID_MAX ? report_empty(check->rules, check->file, at, name, outside) : NULL;
    if (diag != NULL) {
        vec_push(check->rules->session->arena, &check->said,
                 (Said){ .name = name, .stage = stage, .diag = diag, .again = 0 });
    }
}

static void check_word(Check *check, uint32_t at, Str word) {
    const DockerStep *step = &check->file->steps.items[at];
    for (size_t from = 0; from < word.len && word.len < WORD_MAX && check->count < VARIABLES_MAX;) {
        const Str name = docker_next_variable(word, &from);
        if (name.len == 0) {
            return;
        }
        check->count++;
        if (is_filled_in(word, name) && (step->kind != DOCKER_RUN || !docker_may_set(step, name))) {
            check_variable(check, at, name);
        }
    }
}

static void check_step(Check *check, uint32_t at) {
    const DockerStep *step = &check->file->steps.items[at];
    for (uint32_t i = 0; step->is_read && i < step->commands.count; i++) {
        for (uint32_t k = 0; k < step->commands.items[i].words.count; k++) {
            check_word(check, at, step->commands.items[i].words.items[k]);
        }
    }
    for (uint32_t i = 0; step->kind == DOCKER_ENV && i < step->settings.count; i++) {
        check_word(check, at, docker_text(check->file, step->settings.items[i].span));
    }
}

void rule_docker_variables(const Rules *rules, const PlanDockerfile *file) {
    Check check = { .rules = rules, .file = file };
    for (uint32_t i = 0; i < file->steps.count; i++) {
        if (file->steps.items[i].stage != DOCKER_BEFORE) {
            check_step(&check, i);
        }
    }
}

// ---- stages that are copied from -------------------------------------------------------------------------------------

static Str copied_from(const DockerStep *step) {
    const Str sign = STR("--from=");
    const size_t at = str_find(step->options, sign, 0);
    size_t end = at + sign.len;
    while (end < step->options.len && strchr(" \t\n\\", step->options.data[end]) == NULL) {
        end++;
    }
    return str_slice(step->options, at + sign.len, end);
}

static bool is_number(Str text) {
    bool is_one = text.len > 0 && text.len < 5;
    for (size_t i = 0; i < text.len; i++) {
        is_one = is_one && char_is_digit(text.data[i]);
    }
    return is_one;
}

// What is wrong with the stage that a COPY names: NULL where nothing is sure.
static const char *fault_of_source(const Rules *rules, const PlanDockerfile *file, int own, Str from,
                                   Suggestion *suggestion) {
    if (is_number(from)) {
        const int number = from.data[0] - '0';
        return from.len == 1 && number >= own ? "no stage above has this number" : NULL;
    }
    *suggestion = suggest_for(rules->session, from);
    bool is_later = false;
    for (uint32_t i = 0; i < file->stages.count; i++) {
        const Str name = file->stages.items[i].name;
        if (str_equal_in_any_case(name, from) && (int)i < own) {
            return NULL;
        }
        is_later = is_later || str_equal_in_any_case(name, from);
        if ((int)i < own && name.len > 0) {
            suggest_offer(suggestion, name);
        }
    }
    if (is_later) {
        return "that stage begins here or further down";
    }
    const bool is_image = str_has(from, "/") || str_has(from, ":");
    return !is_image && suggest_is_sure(suggestion) ? "no stage above has this name" : NULL;
}

void rule_docker_copies(const Rules *rules, const PlanDockerfile *file) {
    for (uint32_t i = 0; i < file->steps.count; i++) {
        const DockerStep *step = &file->steps.items[i];
        const Str from = step->kind == DOCKER_COPY ? copied_from(step) : STR_NONE;
        Suggestion suggestion = { 0 };
        const char *fault = from.len > 0 && str_find(from, STR("$"), 0) == from.len
                                ? fault_of_source(rules, file, step->stage, from, &suggestion)
                                : NULL;
        if (fault == NULL) {
            continue;
        }
        Diag *diag = plan_report(rules->session, file->subject, docker_span(file, from), DIAG(docker_copied_from),
                                 STR_ARG(from), fault);
        if (suggestion.best.len > 0 && suggest_is_sure(&suggestion)) {
            diag_help(rules->session, diag, "did you mean `%.*s`?", STR_ARG(suggestion.best));
        } else {
            diag_help(rules->session, diag, "name a stage that begins above");
        }
    }
}
