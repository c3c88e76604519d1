// Which words of a command a shell runs, by its program.
#include "compiler/script/shell_program.h"
#include "compiler/script/shell_words.h"

// What the words of a command say goes to no shell, but for what `$(…)` in them runs.
void shell_blank_words(ShellReader *reader, const ShellCommand *command, uint32_t from, uint32_t to, ShellPart part) {
    uint32_t k = 0; // holes come in the order of the words
    for (uint32_t i = from; i < to; i++) {
        size_t start = command->words.items[i].start;
        const size_t end = command->words.items[i].end;
        for (; k < command->holes.count && command->holes.items[k].end <= end; k++) {
            const ShellRange hole = command->holes.items[k];
            if (hole.start >= start) {
                shell_blank(reader, start, hole.start, part);
                start = hole.end;
            }
        }
        shell_blank(reader, start, end, part);
    }
}

static void add_setting(ShellReader *reader, Str word) {
    const size_t sign = str_find(word, STR("="), 0);
    const bool is_added = str_at(word, sign - 1) == '+';
    vec_push(reader->arena, &reader->settings,
             ((ShellSetting){ .name = str_slice(word, 0, sign - (is_added ? 1 : 0)),
                              .value = str_slice(word, sign + 1, word.len) }));
}

bool shell_asks_version(const ShellReader *reader, const ShellCommand *command) {
    static const char *const WORDS[] = { "--version", "-version", "-v", "-V", "--help", "-h" };
    const uint32_t count = command->words.count;
    const Str last = count > 1 ? shell_range(reader, command->words.items[count - 1]) : STR_NONE;
    bool asks = false;
    for (size_t i = 0; i < COUNT_OF(WORDS); i++) {
        asks = asks || str_is_word(last, WORDS[i]);
    }
    return asks;
}

static void add_call(ShellReader *reader, Str name, size_t at, bool is_look) {
    const bool is_guarded = reader->guards > 0 || reader->deaths > 0;
    vec_push(reader->arena, &reader->calls,
             ((ShellCall){ .name = name, .at = at, .is_guarded = is_guarded, .is_look = is_look }));
}

// One that is not understood stays as it is.
void shell_read_script(ShellReader *reader, ShellRange script) {
    if (!shell_enter(reader)) {
        return;
    }
    const ShellReader before = *reader;
    const uint32_t count = reader->commands == NULL ? 0 : reader->commands->count;
    reader->at = script.start;
    reader->end = script.end;
    reader->heredoc_count = 0;
    reader->inner++;
    shell_read_commands(reader);
    const bool is_read = !reader->is_lost && reader->at >= reader->end;
    const ShellReader after = *reader;
    *reader = before;
    reader->depth--;
    if (is_read) {
        memcpy(&reader->blanks, &after.blanks, sizeof reader->blanks);
        memcpy(&reader->named, &after.named, sizeof reader->named);
        memcpy(&reader->calls, &after.calls, sizeof reader->calls);
        memcpy(&reader->settings, &after.settings, sizeof reader->settings);
        reader->is_written = after.is_written;
    } else if (reader->commands != NULL) {
        reader->commands->count = count;
    }
}

// `bash -c SCRIPT`, `bash FILE`.
static void read_shell(ShellReader *reader, const ShellCommand *command, uint32_t program) {
    ShellArguments arguments = { .is_of_shell = true };
    for (uint32_t i = program + 1; i < command->words.count; i++) {
        const ShellRange word = shell_inside(reader, command->words.items[i]);
        const Str text = shell_range(reader, word);
        const ShellWordIs is = shell_argument(&arguments, text);
        if (is == SHELL_WORD_SCRIPT) {
            const ShellHoles holes = { .ranges = &command->holes, .outer = reader->holes };
            reader->holes = &holes;
            shell_read_script(reader, word);
            reader->holes = holes.outer;
        } else if (is == SHELL_WORD_FILE) {
            add_call(reader, text, word.start, false);
        }
        if (is != SHELL_WORD_OPTION) {
            return;
        }
    }
}

// The words of a command, to who asks for them by their number.
typedef struct {
    const ShellReader *reader;
    const ShellCommand *command;
} CommandText;

static Str word_at(const void *words, uint32_t i) {
    const CommandText *text = words;
    return shell_range(text->reader, text->command->words.items[i]);
}

// The word that names the program; the count where there is none.
static uint32_t program_of(const ShellReader *reader, const ShellCommand *command) {
    const CommandText text = { .reader = reader, .command = command };
    return shell_started(word_at, &text, command->words.count);
}

// Its output goes to a shell: `echo … | sudo -u root bash`. The words behind the sign are read as they are written: what
// runs in them is read when its turn comes.
static bool goes_to_shell(const ShellReader *reader) {
    enum { WORDS_MAX = 20 };
    if (shell_here(reader) != '|' || shell_behind(reader, 1) == '|') {
        return false;
    }
    ShellRange words[WORDS_MAX];
    ShellCommand command = { .words = { .items = words } };
    size_t at = reader->at + (shell_behind(reader, 1) == '&' ? 2 : 1);
    while (at < reader->end && command.words.count < WORDS_MAX && strchr("\n;&|<>()", reader->text.data[at]) == NULL) {
        const size_t start = at;
        while (at < reader->end && !shell_ends_word(reader->text.data[at])) {
            at++;
        }
        if (at > start) {
            words[command.words.count++] = (ShellRange){ .start = start, .end = at };
        } else {
            at++;
        }
    }
    const uint32_t program = program_of(reader, &command);
    return program < command.words.count && shell_is_shell(shell_range(reader, words[program]));
}

static bool is_piped(const ShellReader *reader) {
    return shell_here(reader) == '|' && shell_behind(reader, 1) != '|';
}

// What the here-documents of a command are for.
static void judge_heredocs(ShellReader *reader, const ShellCommand *command, Str program, uint32_t first_word) {
    Str file = command->target;
    for (uint32_t i = first_word; str_is(str_after_last(program, '/'), "tee") && i < command->words.count; i++) {
        const Str word = shell_range(reader, shell_inside(reader, command->words.items[i]));
        file = str_at(word, 0) != '-' ? word : file;
    }
    for (int i = command->first_heredoc; i < reader->heredoc_count; i++) {
        reader->heredocs[i].is_script = shell_is_shell(program) || goes_to_shell(reader);
        reader->heredocs[i].is_piped = !str_is(program, "cat") || is_piped(reader);
        reader->heredocs[i].file = file;
    }
}

// No log, and no terminal.
static bool is_file(Str target) {
    return target.len > 0 && !str_starts_with(target, STR("/var/log/")) && !str_starts_with(target, STR("/dev/")) &&
           !char_is_digit(target.data[0]);
}

// Text that a command writes into a file, which may be started later.
static void name_words(ShellReader *reader, const ShellCommand *command, uint32_t first) {
    const ShellRange last = command->words.items[command->words.count - 1];
    vec_push(
        reader->arena, &reader->named,
        ((ShellNamed){
            .name = command->target, .start = command->words.items[first].start, .end = last.end, .is_file = true }));
}

// Whether a command makes the file that is sought: it goes into it, or it is among the words of what copies files.
static bool writes_sought(const ShellReader *reader, const ShellCommand *command, Str program) {
    bool writes = str_equal(command->target, reader->sought);
    for (uint32_t i = 1; shell_makes_files(program) && i < command->words.count; i++) {
        writes =
            writes || str_equal(shell_range(reader, shell_inside(reader, command->words.items[i])), reader->sought);
    }
    return writes && reader->sought.len > 0;
}

static void add_command(ShellReader *reader, const ShellCommand *command, uint32_t program) {
    ShellSimple simple = { .program = program, .is_fed = command->is_fed || reader->pipes > 0 };
    for (uint32_t i = 0; i < command->words.count; i++) {
        vec_push(reader->arena, &simple.words, shell_range(reader, shell_inside(reader, command->words.items[i])));
    }
    vec_push(reader->arena, reader->commands, simple);
}

Str shell_judge(ShellReader *reader, const ShellCommand *command) {
    const uint32_t program = program_of(reader, command);
    const uint32_t count = command->words.count;
    if (reader->commands != NULL && count > 0) {
        add_command(reader, command, program);
    }
    for (uint32_t i = 0; i < count; i++) {
        const Str word = shell_range(reader, command->words.items[i]);
        if (shell_is_setting(word)) {
            add_setting(reader, word);
        }
        if (i < program && shell_is_setting(word)) {
            shell_blank_words(reader, command, i, i + 1, SHELL_RUN);
        }
    }
    if (program == count) {
        return STR_NONE;
    }
    const ShellRange word = shell_inside(reader, command->words.items[program]);
    const Str name = shell_range(reader, word);
    reader->is_written = reader->is_written || writes_sought(reader, command, name);
    judge_heredocs(reader, command, name, program + 1);
    add_call(reader, name, word.start, program + 2 == count && shell_asks_version(reader, command));
    if (shell_is_shell(name) || str_is(name, "source") || str_is(name, ".")) {
        read_shell(reader, command, program);
    } else if (shell_only_says(name) && is_file(command->target) && program + 1 < count) {
        name_words(reader, command, program + 1);
    } else if (shell_runs_nothing(name) && !goes_to_shell(reader)) {
        const bool is_message = shell_only_says(name) && !is_piped(reader);
        shell_blank_words(reader, command, program + 1, count,
                          is_message || shell_looks(name) ? SHELL_KEPT : SHELL_RUN);
    }
    return name;
}
