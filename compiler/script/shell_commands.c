// Lists the commands of a script, as shell_text.c reads them.
#include "compiler/script/shell_commands.h"

#include "compiler/script/shell_words.h"

bool shell_commands(Arena *arena, Str script, ShellCommands *commands) {
    *commands = (ShellCommands){ 0 };
    ShellReader reader = { .arena = arena, .text = script, .end = script.len, .commands = commands };
    const bool is_read = shell_read_all(&reader);
    commands->count = is_read ? commands->count : 0;
    return is_read;
}

size_t shell_word_place(Str script, Str word) {
    return (size_t)(word.data - script.data);
}
