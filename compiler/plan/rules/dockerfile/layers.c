// A rule about what a RUN sets for itself alone. Each RUN starts a shell of its own, and the image keeps the files that this
// one leaves: neither its variables, nor its folder, nor what runs in it.
// source: https://docs.docker.com/reference/dockerfile/, RUN, ENV and WORKDIR, 2026-11, read 2026-11
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/plan_dockerfile.h"
#include "compiler/script/shell_program.h"

enum { SHOWN_MAX = 48, COMMANDS_MAX = 8 };

typedef enum { LASTS_VARIABLE, LASTS_FOLDER, LASTS_SCRIPT, LASTS_CONDA, LASTS_SERVICE, LASTS_LIMIT } Lasts;

// A command whose effect ends with its shell.
typedef struct {
    const char *program;
    Lasts lasts;
    const char *word; // that it has; NULL: any
    const char *reason;
    const char *help; // NULL: the rule has better words
} Ending;

#define NEITHER "no later step and no container has it"
#define FOLDER "the next step begins where this one began"
#define SCRIPT "no later step and no container has what it sets"
#define JOIN "join it by `&&` to the commands that need it, and write what it sets as ENV"
#define CONDA "later steps and containers begin without it"
#define SERVICE "no container starts it"
#define ENTRY "start it in the ENTRYPOINT, or in the command of the container"

static const Ending ENDINGS[] = {
    { "export", LASTS_VARIABLE, NULL, NEITHER, NULL },
    { "declare", LASTS_VARIABLE, "-x", NEITHER, NULL },
    { "cd", LASTS_FOLDER, NULL, FOLDER, NULL },
    { "pushd", LASTS_FOLDER, NULL, FOLDER, NULL },
    { "source", LASTS_SCRIPT, NULL, SCRIPT, JOIN },
    { ".", LASTS_SCRIPT, NULL, SCRIPT, JOIN },
    { "conda", LASTS_CONDA, "activate", CONDA, NULL },
    { "mamba", LASTS_CONDA, "activate", CONDA, NULL },
    { "micromamba", LASTS_CONDA, "activate", CONDA, NULL },
    { "service", LASTS_SERVICE, "start", SERVICE, ENTRY },
    { "service", LASTS_SERVICE, "restart", SERVICE, ENTRY },
    { "systemctl", LASTS_SERVICE, "start", SERVICE, ENTRY },
    { "systemctl", LASTS_SERVICE, "restart", SERVICE, ENTRY },
    { "alias", LASTS_LIMIT, NULL, NEITHER, "make a link with `ln -s`" },
    { "umask", LASTS_LIMIT, NULL, NEITHER, "set it in each RUN that needs it" },
    { "ulimit", LASTS_LIMIT, NULL, "whoever starts the container says its limits",
      "give it to the container: `docker run --ulimit`" },
    { "sysctl", LASTS_LIMIT, "-w", "an image has no kernel", "set it on the node" },
};

typedef struct {
    const Rules *rules;
    const PlanDockerfile *file;
    uint32_t at; // of the step
} Check;

static const Ending *ending_of(const ShellSimple *command) {
    const Str program = docker_program(command);
    const Ending *found = NULL;
    for (size_t i = 0; i < COUNT_OF(ENDINGS); i++) {
        const Ending *ending = &ENDINGS[i];
        const bool has_word = ending->word == NULL || docker_has_word(command, ending->word);
        found = str_is_word(program, ending->program) && has_word ? ending : found;
    }
    return found;
}

// `X=1` without a program sets as `export` does.
static bool is_setting_alone(const ShellSimple *command) {
    return command->words.count > 0 && command->program == command->words.count &&
           shell_is_setting(command->words.items[0]);
}

// A command that changes nothing: `echo done`, `set -e`, and `bash -c`, whose script comes behind it.
static bool does_nothing(const DockerStep *step, const ShellSimple *command) {
    const Str program = docker_program(command);
    const bool may_write = str_has(step->script, ">") || str_has(step->script, "|");
    return (shell_only_says(program) && !may_write) || str_is(program, "set") || str_is(program, "true") ||
           str_is(program, ":") || str_is(program, "pwd") ||
           (shell_is_shell(program) && docker_has_word(command, "-c"));
}

// ---- variables -------------------------------------------------------------------------------------------------------

// The first variable of `export -x A=1 B=2`, and in `*value` what it is set to; empty: none is sure.
static Str variable_of(const ShellSimple *command, Str *value) {
    for (uint32_t i = is_setting_alone(command) ? 0 : command->program + 1; i < command->words.count; i++) {
        const Str word = command->words.items[i];
        const size_t sign = str_find(word, STR("="), 0);
        if (str_at(word, 0) != '-' && sign > 0 && sign < word.len && shell_is_setting(word)) {
            *value = str_slice(word, sign + 1, word.len);
            return str_slice(word, 0, sign);
        }
    }
    return STR_NONE;
}

static bool sets(const DockerStep *step, Str name, Str value, bool is_any) {
    for (uint32_t i = 0;
         (step->kind == DOCKER_ENV || (step->kind == DOCKER_ARG && !is_any)) && i < step->settings.count; i++) {
        const DockerSetting *setting = &step->settings.items[i];
        if (str_equal(setting->name, name) && (is_any || str_equal(setting->value, value))) {
            return true;
        }
    }
    return false;
}

// Whether an ENV below sets it to anything, or one above to the same. DEBIAN_FRONTEND is best set where it is needed.
static bool is_kept(const Check *check, Str name, Str value) {
    const DockerStep *own = &check->file->steps.items[check->at];
    bool is_one = str_is(name, "DEBIAN_FRONTEND") || str_has(own->script, "bashrc") ||
                  str_has(own->script, "profile") || str_has(own->script, "environment");
    for (uint32_t i = 0; i < check->file->steps.count; i++) {
        const DockerStep *step = &check->file->steps.items[i];
        is_one = is_one || (step->stage == own->stage && sets(step, name, value, i > check->at));
    }
    return is_one;
}

// ---- folders ---------------------------------------------------------------------------------------------------------

static Str argument_of(const ShellSimple *command) {
    return command->program + 1 < command->words.count ? command->words.items[command->program + 1] : STR_NONE;
}

// Whether a later WORKDIR comes before anything that runs, or the folder is one to go back to.
static bool goes_back(const Check *check, Str folder) {
    const PlanDockerfile *file = check->file;
    const char first = str_at(folder, 0);
    if (folder.len == 0 || first == '-' || first == '~' || str_is(folder, "/") || str_starts_with(folder, STR("..")) ||
        str_is(folder, ".") || str_starts_with(folder, STR("$HOME")) || str_has(folder, "OLDPWD")) {
        return true;
    }
    for (uint32_t i = check->at + 1; i < file->steps.count; i++) {
        const DockerStep *step = &file->steps.items[i];
        if (str_is_in_any_case(docker_text(file, step->name), "WORKDIR")) {
            return true;
        }
        if (step->kind == DOCKER_RUN || step->kind == DOCKER_COPY || step->kind == DOCKER_FROM) {
            return step->kind == DOCKER_FROM;
        }
    }
    return true;
}

// Whether a command goes to a folder to stay there: not back to one, behind commands that ran somewhere.
static bool means_to_stay(const DockerStep *step, uint32_t number, Str folder) {
    bool is_alone = true;
    bool has_folder = false;
    for (uint32_t i = 0; i < number; i++) {
        const ShellSimple *command = &step->commands.items[i];
        const Ending *ending = ending_of(command);
        has_folder = has_folder || (ending != NULL && ending->lasts == LASTS_FOLDER);
        is_alone =
            is_alone && (ending != NULL || does_nothing(step, command) || str_is(docker_program(command), "mkdir"));
    }
    return !has_folder && (is_alone || str_at(folder, 0) != '/');
}

// ---- reports ---------------------------------------------------------------------------------------------------------

// All of the command from its program on, or the beginning of it.
static Str shown(const PlanDockerfile *file, const ShellSimple *command) {
    const Span first = docker_span(file, command->words.items[command->program]);
    Span span = first;
    for (uint32_t i = command->program; i < command->words.count; i++) {
        const Span last = docker_span(file, command->words.items[i]);
        span.end = last.end > span.end && last.end - span.start <= SHOWN_MAX ? last.end : span.end;
    }
    const Str text = docker_text(file, span);
    return str_has(text, "\n") ? docker_text(file, first) : text;
}

static void report_end(const Check *check, Str what, Str place, const char *reason, Str help) {
    Diag *diag = plan_report(check->rules->session, check->file->subject, docker_span(check->file, place),
                             DIAG(docker_layer_ends), STR_ARG(what), reason);
    diag_help(check->rules->session, diag, "%.*s", STR_ARG(help));
}

static void check_variable(const Check *check, const ShellSimple *command) {
    Str value = STR_NONE;
    const Str name = variable_of(command, &value);
    if (name.len == 0 || is_kept(check, name, value)) {
        return;
    }
    const bool is_text = !str_has(value, "$(") && !str_has(value, "`") && value.len <= SHOWN_MAX;
    report_end(check, name, name, NEITHER,
               str_format(check->rules->session->arena, "write `ENV %.*s=%.*s`", STR_ARG(name),
                          STR_ARG(is_text ? value : STR("…"))));
}

static void check_folder(const Check *check, const ShellSimple *command, uint32_t number) {
    const DockerStep *step = &check->file->steps.items[check->at];
    const Str folder = argument_of(command);
    if (goes_back(check, folder) || !means_to_stay(step, number, folder)) {
        return;
    }
    const Str what = shown(check->file, command);
    report_end(check, what, what, FOLDER,
               str_format(check->rules->session->arena, "write `WORKDIR %.*s`", STR_ARG(folder)));
}

// Whether a command leaves files, too. Where sshd is started another way, `service ssh start` makes its folder; a script whose
// name does not say that it only sets something may install something.
static bool may_leave_files(const PlanDockerfile *file, const ShellSimple *command, Lasts lasts) {
    static const char *const ENDS[] = { "activate", "rc",      "profile",     "env",
                                        "env.sh",   "vars.sh", "environment", "conda.sh" };
    const Str argument = argument_of(command);
    bool may = lasts == LASTS_SCRIPT || (str_has(argument, "ssh") && str_has(file->text, "sshd"));
    for (size_t i = 0; i < COUNT_OF(ENDS); i++) {
        may = may && !(lasts == LASTS_SCRIPT && str_ends_with(argument, str_of(ENDS[i])));
    }
    return may;
}

static void check_ending(const Check *check, uint32_t number) {
    const ShellSimple *command = &check->file->steps.items[check->at].commands.items[number];
    const Ending *ending = ending_of(command);
    if (ending == NULL || ending->lasts == LASTS_VARIABLE) {
        check_variable(check, command);
    } else if (ending->lasts == LASTS_FOLDER) {
        check_folder(check, command, number);
    } else if (!may_leave_files(check->file, command, ending->lasts)) {
        const Str what = shown(check->file, command);
        const Str help =
            ending->help != NULL
                ? str_of(ending->help)
                : STR("write `ENV PATH=` and the folder `bin` of the environment, or `conda run -n` and its name");
        report_end(check, what, what, ending->reason, help);
    }
}

// The commands at the end of a RUN that nothing follows which they are for.
static void check_step(const Check *check) {
    const DockerStep *step = &check->file->steps.items[check->at];
    for (uint32_t i = step->commands.count; i > 0 && step->commands.count - i < COMMANDS_MAX; i--) {
        const ShellSimple *command = &step->commands.items[i - 1];
        const bool is_ending = ending_of(command) != NULL || is_setting_alone(command);
        if (!is_ending && !does_nothing(step, command)) {
            return;
        }
        if (is_ending) {
            check_ending(check, i - 1);
        }
    }
}

void rule_docker_layers(const Rules *rules, const PlanDockerfile *file) {
    for (uint32_t i = 0; i < file->steps.count; i++) {
        if (file->steps.items[i].kind == DOCKER_RUN && file->steps.items[i].is_read) {
            const Check check = { .rules = rules, .file = file, .at = i };
            check_step(&check);
        }
    }
}
