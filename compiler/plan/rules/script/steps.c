// Rules about the commands of an image's `run`. Each is an instruction RUN of a Dockerfile: a shell of its own reads it,
// and nobody answers its programs. Of a text with a here-document nothing is said.
#include "compiler/plan/rules/job.h"

#include "compiler/plan/model/allow.h"

// ---- commands of a shell -----------------------------------------------------------------------------------------

// A simple command: what stands between `;`, `&`, `|` and line ends.
typedef struct {
    Str text;
    bool is_behind_pipe; // another command writes what it reads
} Command;

static bool has(const char *signs, char c) {
    return c != '\0' && strchr(signs, c) != NULL;
}

// The end of a word or a command that begins at `at`: the first of `ends` outside of quotes.
static size_t end_of(Str text, size_t at, const char *ends) {
    char quote = '\0';
    for (; at < text.len; at++) {
        const char c = text.data[at];
        if (c == '\\' && quote != '\'') {
            at++;
        } else if (quote != '\0') {
            quote = c == quote ? '\0' : quote;
        } else if (c == '\'' || c == '"') {
            quote = c;
        } else if (has(ends, c)) {
            return at;
        }
    }
    return text.len;
}

// The next command from `*at` on; false behind the last. Comments are left out.
static bool next_command(Str text, size_t *at, Command *command) {
    bool is_behind_pipe = false;
    while (*at < text.len && has(" \t\r\n;&|#", text.data[*at])) {
        if (text.data[*at] == '#') {
            *at = str_find(text, STR("\n"), *at);
            continue;
        }
        const bool is_or = str_at(text, *at + 1) == '|' || (*at > 0 && text.data[*at - 1] == '|');
        is_behind_pipe = is_behind_pipe || (text.data[*at] == '|' && !is_or);
        (*at)++;
    }
    const size_t start = *at;
    *at = end_of(text, start, ";&|\n");
    *command = (Command){ .text = str_trim(str_slice(text, start, *at)), .is_behind_pipe = is_behind_pipe };
    return start < text.len;
}

// The next word of a command; false behind the last. A line that goes on behind a `\` is one.
static bool next_word(Str command, size_t *at, Str *word) {
    while (*at < command.len && (has(" \t\r\n", command.data[*at]) ||
                                 (command.data[*at] == '\\' && has("\r\n", str_at(command, *at + 1))))) {
        (*at)++;
    }
    const size_t start = *at;
    if (str_at(command, start) == '#') {
        return false; // a comment goes to the end
    }
    *at = end_of(command, start, " \t\r\n");
    *word = str_slice(command, start, *at);
    return start < command.len;
}

static bool is_assignment(Str word) {
    const size_t sign = str_find(word, STR("="), 0);
    return sign < word.len && rules_is_shell_name(str_slice(word, 0, sign));
}

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
    return is_assignment(word) ? &VARIABLE : NULL;
}

// A variable may hold what another command writes, and a redirection makes a file: of those nothing is said.
static bool is_of_shell_alone(Str command) {
    bool is_assigned = true;
    Str word;
    for (size_t at = 0, i = 0; next_word(command, &at, &word); i++) {
        if (i == 0 && of_the_shell(word) == NULL) {
            return false;
        }
        if (i == 0 && !is_assignment(word)) {
            is_assigned = false;
        }
        if (i > 0 && is_assigned && !is_assignment(word)) {
            return false; // the variable is for this command
        }
    }
    return true;
}

static void check_shell(const Rules *rules, const PlanImage *image, const Value *step) {
    const Str text = step->string;
    const char *const does_more[] = { "$(", "`", ">", "<" };
    for (size_t i = 0; i < COUNT_OF(does_more); i++) {
        if (str_find(text, str_of(does_more[i]), 0) < text.len) {
            return;
        }
    }
    Command command;
    Str first = STR_NONE;
    for (size_t at = 0; next_command(text, &at, &command);) {
        if (!is_of_shell_alone(command.text)) {
            return;
        }
        size_t start = 0;
        Str word;
        first = first.len == 0 && next_word(command.text, &start, &word) ? word : first;
    }
    if (first.len > 0) {
        const Str shown = is_assignment(first) ? str_slice(first, 0, str_find(first, STR("="), 0) + 1) : first;
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
static Str asking(const InstallerRow *row, Str command, size_t at) {
    Str asks = STR_NONE;
    bool is_first = true;
    for (Str word; next_word(command, &at, &word);) {
        if (is_answered(row, word) || str_find(word, STR("<"), 0) < word.len) {
            return STR_NONE;
        }
        if (is_first && str_at(word, 0) != '-') {
            asks = is_one_of(word, row->commands) ? word : STR_NONE;
            is_first = false;
        }
    }
    return asks;
}

static bool check_installer(const Rules *rules, const PlanImage *image, const Value *step, const Command *command) {
    size_t at = 0;
    Str word = STR_NONE;
    while (next_word(command->text, &at, &word) &&
           (is_assignment(word) || is_one_of(word, "sudo env exec if then else do ! {"))) {}
    for (size_t i = 0; i < COUNT_OF(INSTALLERS); i++) {
        const InstallerRow *row = &INSTALLERS[i];
        const Str asks = str_is(word, row->program) ? asking(row, command->text, at) : STR_NONE;
        if (asks.len > 0) {
            Diag *diag = plan_report(rules->session, image->head.subject, step->span, DIAG(installer_asks),
                                     row->program, STR_ARG(asks));
            diag_help(rules->session, diag, "write `%s %.*s -y`", row->program, STR_ARG(asks));
            return true;
        }
    }
    return false;
}

// Whether a text may set the answer for all programs that come later, as `conda config --set always_yes true` does.
static bool sets_answer(Str text) {
    static const char *const ANSWERS[] = { "Assume-Yes", "assumeyes", "always_yes", "ALWAYS_YES", "PIP_YES" };
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

static void check_installers(const Rules *rules, const PlanImage *image, const Value *step) {
    Command command;
    bool has_found = has_answer(image->recipe);
    for (size_t at = 0; !has_found && next_command(step->string, &at, &command);) {
        has_found = !command.is_behind_pipe && check_installer(rules, image, step, &command);
    }
}

// ---- the rule ----------------------------------------------------------------------------------------------------

void rule_recipe_steps(const Rules *rules, const PlanImage *image) {
    for (uint32_t i = 0; image->recipe != NULL && i < image->recipe->run->list.count; i++) {
        const Value *step = image->recipe->run->list.items[i];
        size_t at = 0;
        Str word = STR_NONE;
        const bool is_here = str_find(step->string, STR("<<"), 0) < step->string.len;
        if (is_here || !next_word(step->string, &at, &word) || check_instruction(rules, image, step, word)) {
            continue;
        }
        check_shell(rules, image, step);
        check_installers(rules, image, step);
    }
}
