// Reads which variables a script sets for what it starts, in each way in which commands say it.
#include "compiler/readers/slurm/slurm_sets.h"

#include "compiler/script/shell_program.h"

enum { SETS_MAX = 2000 }; // of one script

// An option behind which a variable stands: `-x NAME=VALUE`.
typedef struct {
    const char *program; // "docker"; NULL: mpirun, by any of its names
    const char *option;
    bool is_list; // `A=1,B=2`; of others a comma is a part of the value
} SettingOption;

// source: Open MPI 4.1 mpirun(1), `-x`; Intel MPI Developer Reference, Hydra global options; docker run(1); read 2026-11
static const SettingOption OPTIONS[] = {
    { NULL, "-x", false },          { NULL, "-genv", false },         { NULL, "-env", false },
    { "docker", "-e", false },      { "docker", "--env", false },     { "podman", "-e", false },
    { "podman", "--env", false },   { "nvidia-docker", "-e", false }, { "singularity", "--env", true },
    { "apptainer", "--env", true },
};

// A name, with `=VALUE` behind it or nothing.
static void add(const SlurmShell *shell, Str text, PlanLauncherVariables *sets) {
    size_t end = 0;
    while (char_is_of_name(str_at(text, end))) {
        end++;
    }
    const bool is_name = end > 0 && !char_is_digit(text.data[0]) && (end == text.len || text.data[end] == '=');
    if (!is_name || sets->count >= SETS_MAX) {
        return;
    }
    const Str name = str_slice(text, 0, end);
    const Str value = end < text.len ? str_slice(text, end + 1, text.len) : STR_NONE;
    const bool is_plain = end < text.len && !str_has(value, "$") && !str_has(value, "`");
    const PlanVariable variable = { .name = field_known("name", slurm_place(shell, name), name),
                                    .value = is_plain && value.len > 0
                                                 ? field_known("value", slurm_place(shell, value), value)
                                                 : (PlanField){ .state = FIELD_LATE, .name = "value" } };
    vec_push(shell->arena, sets, variable);
}

// `ALL,NAME=VALUE`
static void add_list(const SlurmShell *shell, Str list, PlanLauncherVariables *sets) {
    for (size_t start = 0; start < list.len;) {
        const size_t end = str_find(list, STR(","), start);
        add(shell, str_trim(str_slice(list, start, end)), sets);
        start = end + 1;
    }
}

static bool exports(const ShellSimple *command) {
    const Str program = command->words.items[command->program];
    const Str next =
        command->program + 1 < command->words.count ? command->words.items[command->program + 1] : STR_NONE;
    const bool declares = str_is(program, "declare") || str_is(program, "typeset");
    return str_is(program, "export") || (declares && str_starts_with(next, STR("-")) && str_has(next, "x"));
}

// `--env=NAME=VALUE`
static bool is_joined(Str word, const char *option) {
    const Str start = str_of(option);
    return start.len > 2 && str_starts_with(start, STR("--")) && str_starts_with(word, start) &&
           str_at(word, start.len) == '=';
}

static void add_of_options(const SlurmShell *shell, const ShellSimple *command, PlanLauncherVariables *sets) {
    const Str program = str_after_last(command->words.items[command->program], '/');
    const bool is_mpirun = launcher_program(program) == PROGRAM_MPIRUN;
    for (uint32_t i = command->program + 1; i + 1 < command->words.count; i++) { // the last one is the program
        const Str word = command->words.items[i];
        for (size_t k = 0; k < COUNT_OF(OPTIONS) && str_at(word, 0) == '-'; k++) {
            const bool is_of = OPTIONS[k].program == NULL ? is_mpirun : str_is_word(program, OPTIONS[k].program);
            const bool is_joined_to = is_of && is_joined(word, OPTIONS[k].option);
            const Str text =
                is_joined_to ? str_slice(word, strlen(OPTIONS[k].option) + 1, word.len) : command->words.items[i + 1];
            if (!is_of || (!is_joined_to && !str_is_word(word, OPTIONS[k].option))) {
                continue;
            }
            if (OPTIONS[k].is_list) {
                add_list(shell, text, sets);
            } else {
                add(shell, text, sets);
            }
        }
    }
}

void slurm_add_sets(const SlurmShell *shell, const ShellSimple *command, PlanLauncherVariables *sets) {
    if (command->program >= command->words.count) {
        return; // `NAME=VALUE` alone is for the script
    }
    for (uint32_t i = 0; i < command->program; i++) {
        if (shell_is_setting(command->words.items[i])) {
            add(shell, command->words.items[i], sets);
        }
    }
    if (exports(command)) {
        for (uint32_t i = command->program + 1; i < command->words.count; i++) {
            add(shell, command->words.items[i], sets);
        }
    }
    add_of_options(shell, command, sets);
}

void slurm_add_options(const SlurmShell *shell, const PlanSlurmOptions *options, PlanLauncherVariables *sets) {
    for (uint32_t i = 0; i < options->count; i++) {
        const PlanSlurmOption *option = &options->items[i];
        const bool is_list = option->row != NULL && (strcmp(option->row->name, "export") == 0 ||
                                                     strcmp(option->row->name, "container-env") == 0);
        const Str written = str_slice(shell->text, option->value.span.start, option->value.span.end);
        if (is_list && option->value.state != FIELD_ABSENT) {
            add_list(shell, written, sets);
        }
    }
}
