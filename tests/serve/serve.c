// Runs dtc many times and starts it once: serve. A sanitized program takes longer to start than to check a file, so this
// one starts, and forks for each command. It reads commands on standard input: `leaks` to look for leaks, or nothing, a
// folder, a file for standard output and one for standard error, and the arguments, each ended by a NUL, and behind them a
// word that is one byte, 1. It answers with the status that a shell would have, on a line.
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
#include <link.h>
#include <sanitizer/lsan_interface.h>
#include <string.h>
#endif

// main() of dtc, under another name.
int dtc_main(int argc, char **argv);

enum {
    WORDS_MAX = 64,
    LEAKS = 0,
    FOLDER,
    OUT,
    ERRORS,
    PROGRAM = ERRORS,  // the place of argv[0], which dtc does not read
    STATUS_LEAKS = 23, // as LeakSanitizer has it
    STATUS_BROKEN = 125,
};

typedef struct {
    char *words[WORDS_MAX];
    size_t sizes[WORDS_MAX];
    int count;
} Command;

#ifdef __SANITIZE_ADDRESS__
// Nearly all variables of the program are those of the address sanitizer, which lists what it guards: 8 MB, and to search
// them for addresses takes longer than a small run. dtc keeps no memory in variables, so that what only one of its own
// holds is a leak as well. What the libraries of C and C++ hold is none: buffers, and what the sanitizer's own code needs.
const char *__lsan_default_options(void);
const char *__lsan_default_options(void) {
    return "use_globals=0";
}

static int keep_variables(struct dl_phdr_info *library, size_t size, void *context) {
    (void)size;
    (void)context;
    if (strstr(library->dlpi_name, "/libc.so") == NULL && strstr(library->dlpi_name, "/libstdc++.so") == NULL) {
        return 0;
    }
    for (int i = 0; i < library->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &library->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && (part->p_flags & PF_W) != 0) {
            __lsan_register_root_region((const void *)(library->dlpi_addr + part->p_vaddr), part->p_memsz);
        }
    }
    return 0;
}

// What this program itself keeps, the words of a command, is no leak either.
static void begin(void) {
    dl_iterate_phdr(keep_variables, NULL);
    __lsan_disable();
}

static void begin_run(void) {
    __lsan_enable();
}

// What else a sanitizer does behind main() takes as long again, and is no part of dtc.
static _Noreturn void end_run(int status, bool has_leaks_sought) {
    _exit(has_leaks_sought && __lsan_do_recoverable_leak_check() != 0 ? STATUS_LEAKS : status);
}
#else
static void begin(void) {
}

static void begin_run(void) {
}

// exit() writes what a build for coverage has counted.
static _Noreturn void end_run(int status, bool has_leaks_sought) {
    (void)has_leaks_sought;
    exit(status);
}
#endif

// False where nothing follows, or no whole command.
static bool read_command(Command *command) {
    for (command->count = 0; command->count < WORDS_MAX - 1; command->count++) {
        char **word = &command->words[command->count];
        if (getdelim(word, &command->sizes[command->count], '\0', stdin) < 0) {
            return false;
        }
        if ((*word)[0] == '\1') {
            return command->count > PROGRAM;
        }
    }
    return false;
}

static bool take_place(int descriptor, const char *path, int flags) {
    int opened = open(path, flags, 0666);
    return opened >= 0 && dup2(opened, descriptor) == descriptor && close(opened) == 0;
}

static _Noreturn void run(Command *command) {
    char **words = command->words;
    const int flags = O_WRONLY | O_CREAT | O_TRUNC;
    if (chdir(words[FOLDER]) != 0 || !take_place(STDIN_FILENO, "/dev/null", O_RDONLY) ||
        !take_place(STDOUT_FILENO, words[OUT], flags) || !take_place(STDERR_FILENO, words[ERRORS], flags)) {
        _exit(STATUS_BROKEN);
    }
    char *end = words[command->count];
    words[command->count] = NULL;
    begin_run();
    int status = dtc_main(command->count - PROGRAM, words + PROGRAM);
    words[command->count] = end;
    status = fflush(NULL) == 0 ? status : STATUS_BROKEN;
    end_run(status, words[LEAKS][0] != '\0');
}

int main(void) {
    static Command command;
    begin();
    while (read_command(&command)) {
        pid_t child = fork();
        if (child == 0) {
            run(&command);
        }
        int status;
        if (child < 0 || waitpid(child, &status, 0) != child) {
            return STATUS_BROKEN;
        }
        printf("%d\n", WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
        if (fflush(stdout) != 0) {
            return STATUS_BROKEN;
        }
    }
    return 0;
}
