// Looks for files that a script reads into itself.
#include "compiler/script/shell_sourced.h"

// Ends of the name of a file, or parts of what is read, that sets where programs and libraries lie, and nothing for launchers.
static const char *const HARMLESS[] = { "bin/activate",    "/.bashrc",     "/.bash_profile", "/.profile",
                                        "/conda.sh",       "/mamba.sh",    "/etc/profile",   "/etc/bashrc",
                                        "/modules.sh",     "conda shell.", "conda \"shell.", "pyenv init",
                                        "micromamba shell" };

// Up to the end of the command.
static bool is_harmless(Str rest) {
    size_t end = 0;
    while (end < rest.len && strchr("\n;", rest.data[end]) == NULL) {
        end++;
    }
    return str_has_any(str_slice(rest, 0, end), HARMLESS, COUNT_OF(HARMLESS));
}

static bool reads(Str script, const char *word) {
    const Str wanted = str_of(word);
    bool is = false;
    for (size_t at = str_find(script, wanted, 0); at < script.len && !is;
         at = str_find(script, wanted, at + wanted.len)) {
        is = !is_harmless(str_slice(script, at + wanted.len, script.len));
    }
    return is;
}

bool shell_reads_others(Str script) {
    static const char *const WORDS[] = { "source ", "eval ", "\n. ", "; . ", "&& . " };
    const Str start = STR(". ");
    bool is = str_starts_with(script, start) && !is_harmless(str_slice(script, start.len, script.len));
    for (size_t i = 0; i < COUNT_OF(WORDS) && !is; i++) {
        is = reads(script, WORDS[i]);
    }
    return is;
}
