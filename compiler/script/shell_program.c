// What programs do with their words, from their rows.
#include "compiler/script/shell_program.h"

#include <stdlib.h>

enum {
    IS_SHELL = 1,
    STARTS_ANOTHER = 2,
    ONLY_SAYS = 4,
    RUNS_NOTHING = 8,
    LOOKS = 16,
    MAKES_FILES = 32,
    IS_OTHER_SHELL = 64,
};

typedef struct {
    const char *name;
    int does;
} ProgramRow;

static const ProgramRow PROGRAMS[] = {
#define PROGRAM(name, does) { name, does },
#include "compiler/script/shell_program.def"
};

static int compare_program(const void *name, const void *row) {
    return str_compare(*(const Str *)name, str_of(((const ProgramRow *)row)->name));
}

static bool does(Str program, int what) {
    const Str name = str_after_last(program, '/');
    const ProgramRow *row = bsearch(&name, PROGRAMS, COUNT_OF(PROGRAMS), sizeof(PROGRAMS[0]), compare_program);
    return row != NULL && (row->does & what) != 0;
}

bool shell_is_shell(Str program) {
    return does(program, IS_SHELL);
}

bool shell_is_any(Str program) {
    return does(program, IS_SHELL | IS_OTHER_SHELL);
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

bool shell_makes_files(Str program) {
    return does(program, MAKES_FILES);
}

bool shell_looks(Str program) {
    return does(program, LOOKS);
}

// ---- options ---------------------------------------------------------------------------------------------------------

// Options whose value is a word of its own, and the words that a program takes for itself before the command.
// source: sudo(8), doas(1), env(1), timeout(1), nice(1), stdbuf(1) of GNU coreutils 9, ionice(1), flock(1), taskset(1) and
// chrt(1) of util-linux, xargs(1) of findutils, numactl(8), systemd-run(1), time(1), bash(1); read 2026-11
typedef struct {
    const char *program;
    const char *letters;  // of `-u root`
    const char *names[6]; // of `--user root`
    uint32_t own;         // words behind the options
} OptionsRow;

static const OptionsRow OPTIONS[] = {
    { "sudo", "CDRTUghprtu", { "--user", "--group", "--chdir", "--host", "--prompt", "--chroot" }, 0 },
    { "doas", "Cu", { NULL }, 0 },
    { "env", "Cu", { "--unset", "--chdir" }, 0 },
    { "exec", "a", { NULL }, 0 },
    { "time", "fo", { "--format", "--output" }, 0 },
    { "nice", "n", { "--adjustment" }, 0 },
    { "ionice", "cnpPu", { "--class", "--classdata" }, 0 },
    { "timeout", "ks", { "--kill-after", "--signal" }, 1 },
    { "xargs",
      "adEILnPs",
      { "--arg-file", "--delimiter", "--max-lines", "--max-args", "--max-procs", "--max-chars" },
      0 },
    { "stdbuf", "ioe", { "--input", "--output", "--error" }, 0 },
    { "flock", "wE", { "--timeout", "--wait", "--conflict-exit-code" }, 1 },
    { "taskset", "", { NULL }, 1 },
    { "chrt", "TPD", { "--sched-runtime", "--sched-period", "--sched-deadline" }, 1 },
    { "numactl", "CNimp", { "--cpunodebind", "--physcpubind", "--interleave", "--membind", "--preferred" }, 0 },
    { "systemd-run", "EpuHM", { "--property", "--unit", "--setenv", "--description", "--slice", "--uid" }, 0 },
    { "bash", "oO", { "--rcfile", "--init-file" }, 0 },
};

static const OptionsRow *options_of(Str program) {
    const Str name = str_after_last(program, '/');
    for (size_t i = 0; i < COUNT_OF(OPTIONS); i++) {
        if (str_is_word(name, OPTIONS[i].program)) {
            return &OPTIONS[i];
        }
    }
    return NULL;
}

uint32_t shell_option_words(Str program, Str option) {
    const OptionsRow *row = options_of(program);
    if (row == NULL || option.len < 2 || option.data[0] != '-') {
        return 0;
    }
    for (size_t i = 0; i < COUNT_OF(row->names) && row->names[i] != NULL; i++) {
        if (str_is(option, row->names[i])) {
            return 1;
        }
    }
    size_t at = 1; // of `-Eu root` the last letter, of `-uroot` none
    while (option.data[1] != '-' && at < option.len && strchr(row->letters, option.data[at]) == NULL) {
        at++;
    }
    return option.data[1] != '-' && at + 1 == option.len ? 1 : 0;
}

ShellWordIs shell_argument(ShellArguments *arguments, Str word) {
    const char sign = str_at(word, 0);
    const bool is_script = arguments->has_script;
    if (arguments->values > 0) {
        arguments->values--;
        return SHELL_WORD_OPTION;
    }
    if (arguments->is_of_shell && (sign == '-' || sign == '+')) {
        arguments->values = shell_option_words(STR("bash"), word);
        arguments->has_script = is_script || (sign == '-' && str_at(word, 1) != '-' && str_has(word, "c"));
        return SHELL_WORD_OPTION;
    }
    const bool is_read = arguments->is_of_shell;
    *arguments = (ShellArguments){ .is_of_shell = shell_is_any(word) };
    return !is_read ? SHELL_WORD_OTHER : is_script ? SHELL_WORD_SCRIPT : SHELL_WORD_FILE;
}

bool shell_is_setting(Str word) {
    size_t at = 0;
    while (char_is_of_name(str_at(word, at))) {
        at++;
    }
    at += at > 0 && str_at(word, at) == '+' ? 1 : 0;
    return at > 0 && str_at(word, at) == '=' && !char_is_digit(word.data[0]);
}

// The word behind a starter, behind its options, what it sets and what it asks for itself.
static uint32_t behind_starter(ShellWordAt *word_at, const void *words, uint32_t count, uint32_t i) {
    const Str starter = word_at(words, i);
    const OptionsRow *row = options_of(starter);
    for (i++; i < count; i++) {
        const Str option = word_at(words, i);
        if (str_at(option, 0) != '-' && !shell_is_setting(option)) {
            break;
        }
        i += shell_option_words(starter, option);
    }
    return i + (row == NULL ? 0 : row->own);
}

uint32_t shell_started(ShellWordAt *word_at, const void *words, uint32_t count) {
    uint32_t i = 0;
    while (i < count && shell_is_setting(word_at(words, i))) {
        i++;
    }
    while (i + 1 < count && shell_starts_another(word_at(words, i))) {
        const Str next = word_at(words, i + 1);
        if (str_is(word_at(words, i), "command") && (str_is(next, "-v") || str_is(next, "-V"))) {
            break;
        }
        i = behind_starter(word_at, words, count, i);
    }
    return i < count ? i : count;
}
