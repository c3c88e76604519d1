// One row for each program. Of any other one its words may be a command.
#include "compiler/plan/rules/shell_program.h"

enum {
    IS_SHELL = 1,
    STARTS_ANOTHER = 2,
    ONLY_SAYS = 4,
    RUNS_NOTHING = 8,
    LOOKS = 16,
    CHANGES = 32,
};

// source: POSIX.1-2017, Shell Command Language and Utilities; bash(1), SHELL BUILTIN COMMANDS; sudo(8), docker-run(1), 2026-11
static const struct {
    const char *name;
    int does;
} PROGRAMS[] = {
    { "bash", IS_SHELL },
    { "sh", IS_SHELL },
    { "dash", IS_SHELL },
    { "zsh", IS_SHELL },
    { "ksh", IS_SHELL },
    { "sudo", STARTS_ANOTHER },
    { "env", STARTS_ANOTHER },
    { "exec", STARTS_ANOTHER },
    { "time", STARTS_ANOTHER },
    { "nohup", STARTS_ANOTHER },
    { "nice", STARTS_ANOTHER },
    { "ionice", STARTS_ANOTHER },
    { "timeout", STARTS_ANOTHER },
    { "builtin", STARTS_ANOTHER },
    { "setsid", STARTS_ANOTHER },
    { "xargs", STARTS_ANOTHER },
    { "command", STARTS_ANOTHER | RUNS_NOTHING | LOOKS }, // with `-v` it starts none
    { "echo", RUNS_NOTHING | ONLY_SAYS },
    { "printf", RUNS_NOTHING | ONLY_SAYS },
    { "logger", RUNS_NOTHING },
    { "wall", RUNS_NOTHING },
    { ":", RUNS_NOTHING },
    { "true", RUNS_NOTHING },
    { "false", RUNS_NOTHING },
    { "test", RUNS_NOTHING | LOOKS },
    { "[", RUNS_NOTHING | LOOKS },
    { "which", RUNS_NOTHING | LOOKS },
    { "type", RUNS_NOTHING | LOOKS },
    { "hash", RUNS_NOTHING | LOOKS },
    { "grep", RUNS_NOTHING | LOOKS },
    { "egrep", RUNS_NOTHING | LOOKS },
    { "fgrep", RUNS_NOTHING | LOOKS },
    { "find", RUNS_NOTHING | LOOKS },
    { "ls", RUNS_NOTHING | LOOKS },
    { "stat", RUNS_NOTHING | LOOKS },
    { "file", RUNS_NOTHING | LOOKS },
    { "mountpoint", RUNS_NOTHING | LOOKS },
    { "cat", RUNS_NOTHING },
    { "tee", RUNS_NOTHING },
    { "head", RUNS_NOTHING },
    { "tail", RUNS_NOTHING },
    { "less", RUNS_NOTHING },
    { "wc", RUNS_NOTHING },
    { "sed", RUNS_NOTHING | CHANGES },
    { "awk", RUNS_NOTHING },
    { "cut", RUNS_NOTHING },
    { "sort", RUNS_NOTHING },
    { "diff", RUNS_NOTHING },
    { "cmp", RUNS_NOTHING },
    { "md5sum", RUNS_NOTHING },
    { "sha256sum", RUNS_NOTHING },
    { "basename", RUNS_NOTHING },
    { "dirname", RUNS_NOTHING },
    { "readlink", RUNS_NOTHING },
    { "rm", RUNS_NOTHING },
    { "mv", RUNS_NOTHING | CHANGES },
    { "cp", RUNS_NOTHING | CHANGES },
    { "ln", RUNS_NOTHING },
    { "install", RUNS_NOTHING },
    { "mkdir", RUNS_NOTHING },
    { "touch", RUNS_NOTHING },
    { "chmod", RUNS_NOTHING | CHANGES },
    { "chown", RUNS_NOTHING | CHANGES },
    { "export", RUNS_NOTHING },
    { "readonly", RUNS_NOTHING },
    { "declare", RUNS_NOTHING },
    { "local", RUNS_NOTHING },
    { "alias", RUNS_NOTHING },
    { "return", RUNS_NOTHING },
    { "docker", RUNS_NOTHING }, // on the node; in a container there is another system
    { "podman", RUNS_NOTHING },
    { "nerdctl", RUNS_NOTHING },
    { "ctr", RUNS_NOTHING },
    { "kubectl", RUNS_NOTHING },
    { "helm", RUNS_NOTHING },
    { "ssh", RUNS_NOTHING },
    { "scp", RUNS_NOTHING },
};

static bool does(Str program, int what) {
    const Str name = str_after_last(program, '/');
    for (size_t i = 0; i < COUNT_OF(PROGRAMS); i++) {
        if (str_is_word(name, PROGRAMS[i].name)) {
            return (PROGRAMS[i].does & what) != 0;
        }
    }
    return false;
}

bool shell_is_shell(Str program) {
    return does(program, IS_SHELL);
}

bool shell_starts_another(Str program) {
    return does(program, STARTS_ANOTHER);
}

bool shell_only_says(Str program) {
    return does(program, ONLY_SAYS);
}

bool shell_runs_nothing(Str program) {
    return does(program, RUNS_NOTHING);
}

bool shell_changes(Str program) {
    return does(program, CHANGES);
}

bool shell_looks(Str program) {
    return does(program, LOOKS);
}
