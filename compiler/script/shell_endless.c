// Knows commands that go on until somebody ends them, and finds in a script what stands behind one and so is never run.
#include "compiler/script/shell_endless.h"

#include "compiler/script/shell_commands.h"
#include "compiler/script/shell_text.h"

static const struct {
    const char *first;
    const char *second;
} ENDLESS[] = {
    { "ray start", "--block" },
    { "sleep", "infinity" },
    { "tail", "-f /dev/null" },
    { "vllm", "serve" },
    { "vllm.entrypoints", "api_server" },
    { "sglang.launch_server", "" },
    { "-m http.server", "" },
    { "redis-server", "" },
    { "tritonserver", "" },
    { "text-generation-launcher", "" },
    { "mlflow", "server" },
    { "jupyter", "lab" },
    { "dask", "scheduler" },
    { "nvidia-smi", "dmon" },
    { "while true", "done" }, // these two of the words of a shell alone: a simple command has one part of a loop
    { "while :", "done" },
};

// Words by which such a command ends all the same.
static const char *const ENDS[] = { "timeout ", "break",    "exit",   "daemonize yes",
                                    "dmon -c",  " --count", "--help", "--version" };

static bool has_background(Str words) {
    bool has = false;
    for (size_t at = str_find(words, STR("& "), 0); at < words.len; at = str_find(words, STR("& "), at + 1)) {
        has = has || (at > 0 && words.data[at - 1] != '&');
    }
    return has;
}

bool shell_goes_on(Str words) {
    bool does = false;
    for (size_t i = 0; i < COUNT_OF(ENDLESS); i++) {
        const Str first = str_of(ENDLESS[i].first);
        const size_t at = str_find(words, first, 0);
        does = does || (at < words.len && str_find(words, str_of(ENDLESS[i].second), at) < words.len);
    }
    for (size_t i = 0; does && i < COUNT_OF(ENDS); i++) {
        does = !str_has(words, ENDS[i]);
    }
    return does && !has_background(words);
}

// ---- what stands behind one ------------------------------------------------------------------------------------------

static Str words_of(Arena *arena, const ShellSimple *command) {
    StrBuf buffer = { .arena = arena };
    for (uint32_t i = 0; i < command->words.count; i++) {
        strbuf_add(&buffer, command->words.items[i]);
        strbuf_add(&buffer, STR(" "));
    }
    return strbuf_end(&buffer);
}

// All of a command, as it is written. Its words are slices of the script.
static Str written(Str script, const ShellSimple *command) {
    const Str last = command->words.items[command->words.count - 1];
    const size_t start = shell_word_place(script, command->words.items[0]);
    return str_slice(script, start, shell_word_place(script, last) + last.len);
}

// Whether a command stands in a line that begins at the margin, and so in no branch, loop or function.
static bool is_at_margin(Str script, size_t at) {
    while (at > 0 && (script.data[at - 1] != '\n' || (at > 1 && script.data[at - 2] == '\\'))) {
        at--;
    }
    return strchr(" \t({", str_at(script, at)) == NULL || at == 0;
}

// Whether the shell goes on while the command runs: from the end of its last word on, `&` comes before the end of the command.
static bool is_background(Str script, size_t at) {
    for (char quote = '\0'; at < script.len; at++) {
        const char c = script.data[at];
        const char next = str_at(script, at + 1);
        if (quote != '\0') {
            quote = c == quote ? '\0' : quote;
        } else if ((c == '"' || c == '\'') && strchr(" \t>=", at > 0 ? script.data[at - 1] : ' ') != NULL) {
            quote = c;
        } else if (c == '\\') {
            at++;
        } else if (c == '\n' || c == ';' || c == ')' || c == '#') {
            return false;
        } else if (c == '&' && next != '>' && script.data[at - 1] != '>' && script.data[at - 1] != '<') {
            return next != '&';
        }
    }
    return false;
}

// What begins something that somebody waits for: what only ends or tells is there for the end of the server.
static bool begins_work(const ShellSimple *command) {
    static const char *const PROGRAMS[] = { "srun",      "torchrun", "mpirun",     "mpiexec", "accelerate",
                                            "deepspeed", "ray",      "curl",       "vllm",    "genai-perf",
                                            "python",    "python3",  "hyperpodrun" };
    const bool has = command->program < command->words.count;
    const Str program = has ? str_after_last(command->words.items[command->program], '/') : STR_NONE;
    const Str next =
        command->program + 1 < command->words.count ? command->words.items[command->program + 1] : STR_NONE;
    bool does = false;
    for (size_t i = 0; i < COUNT_OF(PROGRAMS); i++) {
        does = does || str_is_word(program, PROGRAMS[i]);
    }
    return does && !str_is(next, "stop");
}

// Of several that may be meant on one line each looks back to its start: those of a hostile script are too many.
enum { LOOKS_MAX = 100 };

ShellEndless shell_endless(Arena *arena, Str script) {
    int looks = 0;
    ShellCommands commands = { 0 };
    ShellEndless found = { .endless = STR_NONE };
    static const char *const WORDS[] = { "()", "function ", "\ntrap ", "<<" };
    bool is_plain = false; // most scripts have none
    for (size_t i = 0; i < COUNT_OF(ENDLESS); i++) {
        is_plain = is_plain || str_has(script, ENDLESS[i].first);
    }
    for (size_t i = 0; i < COUNT_OF(WORDS); i++) {
        is_plain = is_plain && !str_has(script, WORDS[i]);
    }
    if (!is_plain || !shell_commands(arena, script, &commands)) {
        return found;
    }
    const Str sure = shell_text(arena, script, SHELL_SURE);
    for (uint32_t i = 0; i < commands.count && looks < LOOKS_MAX; i++) {
        const ShellSimple *command = &commands.items[i];
        const size_t at = command->words.count == 0 ? script.len : shell_word_place(script, command->words.items[0]);
        const bool is_wanted = found.endless.len > 0 ? begins_work(command) : shell_goes_on(words_of(arena, command));
        if (at >= script.len || sure.data[at] != script.data[at] || !is_wanted) {
            continue;
        }
        looks++;
        const Str all = written(script, command);
        const size_t end = at + all.len;
        const bool is_inner = found.endless.len > 0 && all.data < found.endless.data + found.endless.len;
        if (is_inner || !is_at_margin(script, at)) {
            continue;
        }
        if (found.endless.len > 0) {
            found.next = all;
            return found;
        }
        if (!is_background(script, end)) {
            found.endless = all;
        }
    }
    return (ShellEndless){ .endless = STR_NONE };
}
