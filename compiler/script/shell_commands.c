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

bool shell_is_setting(Str word) {
    size_t at = 0;
    while (char_is_of_name(str_at(word, at))) {
        at++;
    }
    at += at > 0 && str_at(word, at) == '+' ? 1 : 0;
    return at > 0 && str_at(word, at) == '=' && !char_is_digit(word.data[0]);
}
