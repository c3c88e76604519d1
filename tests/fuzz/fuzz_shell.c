// Any bytes as a script of a shell. There is no crash, and there is an end. What is left has the length and the lines of
// the script, each part leaves no more than the one before, and a program is found where its name stands. Words of commands
// are slices of the script, and what is open begins in it.
#include "compiler/script/shell_commands.h"
#include "compiler/script/shell_scan.h"
#include "compiler/script/shell_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
    if (!holds) {
        abort();
    }
}

// `less` is `more` with blanks in place of some of it.
static void check_part(Str more, Str less) {
    require(more.len == less.len);
    for (size_t i = 0; i < less.len; i++) {
        require(less.data[i] == more.data[i] || (less.data[i] == ' ' && more.data[i] != '\n'));
    }
}

static void check_program(Arena *arena, Str script, Str program) {
    const size_t at = shell_runs(arena, script, program);
    const size_t line = shell_line_runs(script, program);
    require(at <= script.len);
    require(line == script.len || str_find(script, program, line) < script.len);
}

static void check_commands(Arena *arena, Str script) {
    ShellCommands commands;
    const bool is_read = shell_commands(arena, script, &commands);
    require(is_read || commands.count == 0);
    for (uint32_t i = 0; i < commands.count; i++) {
        const ShellSimple *command = &commands.items[i];
        require(command->words.count > 0 && command->program <= command->words.count);
        for (uint32_t k = 0; k < command->words.count; k++) {
            const Str word = command->words.items[k];
            require(word.len == 0 || shell_word_place(script, word) + word.len <= script.len);
        }
    }
}

static void check_open(Arena *arena, Str script) {
    Str where = STR_NONE;
    require(shell_scan(arena, script, &where) == SHELL_CLOSED || shell_word_place(script, where) < script.len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const ShellPart PARTS[] = { SHELL_READ, SHELL_KEPT, SHELL_RUN, SHELL_SURE };
    Arena *arena = arena_create();
    const Str script = { .data = (const char *)data, .len = size };
    Str before = script;
    for (size_t i = 0; i < COUNT_OF(PARTS); i++) {
        const Str text = shell_text(arena, script, PARTS[i]);
        check_part(before, text);
        before = text;
    }
    check_program(arena, script, STR("/etc/eks/bootstrap.sh"));
    check_program(arena, script, STR("apt-get"));
    check_commands(arena, script);
    check_open(arena, script);
    arena_destroy(arena);
    return 0;
}
