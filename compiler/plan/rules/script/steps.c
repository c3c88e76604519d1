// Rules about the commands of an image's `run`. Each is an instruction RUN of a Dockerfile: a shell of its own reads it,
// and nobody answers its programs. Of a text with a here-document nothing is said.
#include "compiler/plan/rules/job.h"

#include "compiler/plan/model/allow.h"
#include "compiler/script/shell_commands.h"
#include "compiler/script/shell_program.h"

static bool is_one_of(Str word, const char *words) { // with a blank between
    const Str list = str_of(words);
    for (size_t at = 0; at < list.len;) {
        const size_t end = str_find(list, STR(" "), at);
        if (str_equal(word, str_slice(list, at, end))) {
            return true;
        }
        at = end + 1;
    }
    return false;
}

// ---- instructions ------------------------------------------------------------------------------------------------

typedef struct {
    const char *word;
    const char *help;
} WordRow;

// source: https://docs.docker.com/reference/dockerfile/, 2026-11, read 2026-11
static const WordRow INSTRUCTIONS[] = {
    { "RUN", "leave the word `RUN` out" },
    { "ENV", "write the variable in `env`" },
    { "ARG", "name it in `build_env`, or write its value" },
    { "COPY", "name the files in `files`" },
    { "ADD", "name the files in `files`" },
    { "CMD", "write it in `command`" },
    { "WORKDIR", "write `cd … && …` in each step that is to run there" },
    { "FROM", "write the image in `base`" },
    { "ENTRYPOINT", "write the whole Dockerfile: `dockerfile = file(\"Dockerfile\")`" },
    { "USER", "write the whole Dockerfile: `dockerfile = file(\"Dockerfile\")`" },
    { "SHELL", "write the whole Dockerfile: `dockerfile = file(\"Dockerfile\")`" },
    { "LABEL", "write the whole Dockerfile: `dockerfile = file(\"Dockerfile\")`" },
    { "EXPOSE", "write the whole Dockerfile: `dockerfile = file(\"Dockerfile\")`" },
    { "VOLUME", "write the whole Dockerfile: `dockerfile = file(\"Dockerfile\")`" },
};

static bool check_instruction(const Rules *rules, const PlanImage *image, const Value *step, Str word) {
    for (size_t i = 0; i < COUNT_OF(INSTRUCTIONS); i++) {
        if (str_is(word, INSTRUCTIONS[i].word)) {
            Diag *diag =
                plan_report(rules->session, image->head.subject, step->span, DIAG(instruction_in_step), STR_ARG(word));
            diag_help(rules->session, diag, "%s", INSTRUCTIONS[i].help);
            return true;
        }
    }
    return false;
}

// ---- steps that change nothing -----------------------------------------------------------------------------------

// Commands that change a shell alone. What `.` and `source` run may change files.
static const WordRow OF_THE_SHELL[] = {
    { "cd", "write it before the command that needs it: `cd … && …`" },
    { "pushd", "write it before the command that needs it: `cd … && …`" },
    { "export", "write the variable in `env`" },
    { "unset", "write it before the command that needs it: `unset … && …`" },
    { "alias", "write the command out where it is needed" },
    { "umask", "write it before the command that needs it: `umask … && …`" },
    { "ulimit", "write it before the command that needs it: `ulimit … && …`" },
    { "set", "write it at the beginning of each step: `set -e; …`" },
};

static const WordRow VARIABLE = { "", "write the variable in `env`" };

static const WordRow *of_the_shell(Str word) {
    for (size_t i = 0; i < COUNT_OF(OF_THE_SHELL); i++) {
        if (str_is(word, OF_THE_SHELL[i].word)) {
            return &OF_THE_SHELL[i];
        }
    }
    return shell_is_setting(word) ? &VARIABLE : NULL;
}

// A variable may hold what another command writes, and a redirection makes a file: of those nothing is said.
static bool is_of_shell_alone(const ShellSimple *command) {
    bool is_alone = of_the_shell(command->words.items[0]) != NULL;
    const bool is_assigned = shell_is_setting(command->words.items[0]);
    for (uint32_t i = 1; i < command->words.count; i++) {
        is_alone = is_alone && (!is_assigned || shell_is_setting(command->words.items[i])); // else it is for a command
    }
    return is_alone;
}

static void check_shell(const Rules *rules, const PlanImage *image, const Value *step, const ShellCommands *commands) {
    static const char *const DOES_MORE[] = { "$(", "`", ">", "<" };
    bool is_alone = commands->count > 0;
    for (size_t i = 0; i < COUNT_OF(DOES_MORE); i++) {
        is_alone = is_alone && str_find(step->string, str_of(DOES_MORE[i]), 0) == step->string.len;
    }
    for (uint32_t i = 0; is_alone && i < commands->count; i++) {
        is_alone = is_of_shell_alone(&commands->items[i]);
    }
    if (is_alone) {
        const Str first = commands->items[0].words.items[0];
        const Str shown = shell_is_setting(first) ? str_slice(first, 0, str_find(first, STR("="), 0) + 1) : first;
        Diag *diag = plan_report(rules->session, image->head.subject, step->span, DIAG(step_is_lost), STR_ARG(shown));
        diag_help(rules->session, diag, "%s", of_the_shell(first)->help);
    }
}

// ---- programs that ask -------------------------------------------------------------------------------------------

typedef struct {
    const char *program;
    const char *commands; // of it that ask
    const char *options;  // with which it does not
} InstallerRow;

static const InstallerRow INSTALLERS[] = {
#define INSTALLER(program, commands, options) { program, commands, options },
#include "schema/installers.def"
};

// `-y` alone or among other letters, as in `-qy`; two `q` of apt mean it too.
static bool is_answered(const InstallerRow *row, Str option) {
    bool is_short = option.len > 1 && option.data[0] == '-';
    bool has_y = false;
    for (size_t i = 1; i < option.len; i++) {
        const char c = option.data[i];
        is_short = is_short && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'));
        has_y = has_y || c == 'y';
    }
    return (is_short && has_y) || is_one_of(option, row->options) || str_find(option, STR("$"), 0) < option.len;
}

// What asks in a command, such as `install`; empty: nothing.
static Str asking(const InstallerRow *row, const ShellSimple *command) {
    Str asks = STR_NONE;
    bool is_first = true;
    bool has_more = false;
    for (uint32_t i = command->program + 1; i < command->words.count; i++) {
        const Str word = command->words.items[i];
        if (is_answered(row, word)) {
            return STR_NONE;
        }
        if (is_first && str_at(word, 0) != '-') {
            asks = is_one_of(word, row->commands) ? word : STR_NONE;
            is_first = false;
        } else {
            has_more = has_more || str_at(word, 0) != '-';
        }
    }
    // Without a package there is nothing to remove.
    return !has_more && (str_is(asks, "remove") || str_is(asks, "purge")) ? STR_NONE : asks;
}

static bool check_installer(const Rules *rules, const PlanImage *image, const Value *step, const ShellSimple *command) {
    const Str program = command->program < command->words.count ? command->words.items[command->program] : STR_NONE;
    for (size_t i = 0; i < COUNT_OF(INSTALLERS); i++) {
        const InstallerRow *row = &INSTALLERS[i];
        const Str asks = str_is(program, row->program) ? asking(row, command) : STR_NONE;
        if (asks.len > 0) {
            Diag *diag = plan_report(rules->session, image->head.subject, step->span, DIAG(installer_asks),
                                     row->program, STR_ARG(asks));
            diag_help(rules->session, diag, "write `%s %.*s -y`", row->program, STR_ARG(asks));
            return true;
        }
    }
    return false;
}

// Whether a text may set the answer for all programs that come later.
static bool sets_answer(Str text) {
    static const char *const ANSWERS[] = { "Assume-Yes", "assumeyes", "PIP_YES" };
    for (size_t i = 0; i < COUNT_OF(ANSWERS); i++) {
        if (str_find(text, str_of(ANSWERS[i]), 0) < text.len) {
            return true;
        }
    }
    return false;
}

static bool has_answer(const PlanRecipe *recipe) {
    bool has_one = false;
    for (uint32_t i = 0; i < recipe->run->list.count; i++) {
        has_one = has_one || sets_answer(recipe->run->list.items[i]->string);
    }
    for (uint32_t i = 0; recipe->env != NULL && i < recipe->env->map.count; i++) {
        has_one = has_one || sets_answer(recipe->env->map.entries[i].key);
    }
    return has_one;
}

static void check_installers(const Rules *rules, const PlanImage *image, const Value *step,
                             const ShellCommands *commands) {
    bool has_found = has_answer(image->recipe);
    for (uint32_t i = 0; !has_found && i < commands->count; i++) {
        const ShellSimple *command = &commands->items[i];
        has_found = !command->is_fed && check_installer(rules, image, step, command);
    }
}

// ---- the rule ----------------------------------------------------------------------------------------------------

void rule_recipe_steps(const Rules *rules, const PlanImage *image) {
    for (uint32_t i = 0; image->recipe != NULL && i < image->recipe->run->list.count; i++) {
        const Value *step = image->recipe->run->list.items[i];
        ShellCommands commands;
        const bool is_here = str_find(step->string, STR("<<"), 0) < step->string.len;
        const bool is_read = !is_here && shell_commands(rules->session->arena, step->string, &commands);
        if (!is_read || commands.count == 0 ||
            check_instruction(rules, image, step, commands.items[0].words.items[0])) {
            continue;
        }
        check_shell(rules, image, step, &commands);
        check_installers(rules, image, step, &commands);
    }
}

// ---- a Dockerfile ------------------------------------------------------------------------------------------------

// What apt asks for wherever there is anything to do. To `install` it asks where that brings more than it is told, which the base
// decides.
static const char ALWAYS_ASKED[] = "upgrade dist-upgrade full-upgrade remove purge";

static bool check_docker_installer(const Rules *rules, const PlanDockerfile *file, const ShellSimple *command) {
    const Str program = docker_program(command);
    for (size_t i = 0; i < COUNT_OF(INSTALLERS); i++) {
        const InstallerRow *row = &INSTALLERS[i];
        const bool is_apt = str_is(program, "apt") || str_is(program, "apt-get");
        const Str asks = str_is(program, row->program) ? asking(row, command) : STR_NONE;
        if (asks.len > 0 && (!is_apt || is_one_of(asks, ALWAYS_ASKED))) {
            Diag *diag = plan_report(rules->session, file->subject, docker_span(file, asks), DIAG(installer_asks),
                                     row->program, STR_ARG(asks));
            diag_help(rules->session, diag, "write `%s %.*s -y`", row->program, STR_ARG(asks));
            return true;
        }
    }
    return false;
}

// What may be set for all programs is looked for in the whole text. The first is told alone.
void rule_docker_steps(const Rules *rules, const PlanDockerfile *file) {
    bool has_found = sets_answer(file->text) || str_has(file->text, "apt.conf");
    for (uint32_t i = 0; i < file->steps.count && !has_found; i++) {
        const DockerStep *step = &file->steps.items[i];
        const bool may_be_told = str_has(step->script, "yes |") || str_has(step->script, "yes|");
        for (uint32_t k = 0; step->is_read && !may_be_told && !has_found && k < step->commands.count; k++) {
            const ShellSimple *command = &step->commands.items[k];
            has_found = !command->is_fed && check_docker_installer(rules, file, command);
        }
    }
}
