// Lists the commands of a script, as shell_text.c reads them.
#include "compiler/script/shell_commands.h"

#include "compiler/script/shell_program.h"
#include "compiler/script/shell_words.h"

bool shell_commands(Arena *arena, Str script, ShellCommands *commands) {
    *commands = (ShellCommands){ 0 };
    ShellReader reader = { .arena = arena, .text = script, .end = script.len, .commands = commands };
    const bool is_read = shell_read_all(&reader);
    commands->count = is_read ? commands->count : 0;
    return is_read;
}

bool shell_commands_given(Arena *arena, const ShellSimple *command, ShellCommands *commands) {
    const Str first = command->program < command->words.count ? command->words.items[command->program] : STR_NONE;
    ShellArguments arguments = { 0 };
    Str script = STR_NONE;
    for (uint32_t i = command->program; i < command->words.count; i++) {
        const ShellWordIs is = shell_argument(&arguments, command->words.items[i]);
        script = is == SHELL_WORD_SCRIPT && script.len == 0 ? command->words.items[i] : script;
    }
    *commands = (ShellCommands){ 0 };
    return script.len > 0 && !shell_is_any(first) && !shell_only_says(first) && shell_commands(arena, script, commands);
}

size_t shell_word_place(Str script, Str word) {
    return (size_t)(word.data - script.data);
}
