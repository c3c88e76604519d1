// What a condition of a script asks for: the program that is sought, the system, or something else.
#include "compiler/script/shell_program.h"
#include "compiler/script/shell_words.h"

// Words by which a script tells one system from another, in any case.
static const char *const SYSTEM_WORDS[] = {
    "release", "version", "uname",  "nodeadm", "amzn",   "amazon",   "al2", "2023", "ubuntu", "debian",
    "centos",  "rhel",    "fedora", "distro",  "family", "platform", "dnf", "yum",  "rpm",    "dpkg",
};

static bool has_word(Str text, const char *word) {
    const Str wanted = str_of(word);
    for (size_t at = 0; at + wanted.len <= text.len; at++) {
        if (str_starts_with_in_any_case(str_slice(text, at, text.len), wanted)) {
            return true;
        }
    }
    return false;
}

static bool has_system_word(Str text) {
    for (size_t i = 0; i < COUNT_OF(SYSTEM_WORDS); i++) {
        if (has_word(text, SYSTEM_WORDS[i])) {
            return true;
        }
    }
    return false;
}

// By its name, or by the folder that it is in.
static bool has_program(Str text, Str program) {
    const Str name = str_after_last(program, '/');
    const Str folder = str_slice(program, 0, program.len - name.len);
    const bool has_name = str_find(text, name, 0) < text.len;
    return has_name || (folder.len > 1 && str_find(text, str_slice(folder, 0, folder.len - 1), 0) < text.len);
}

// `NAME` of `$NAME` and `${NAME…`; empty of `$1`, `$?` and `$(`.
static Str variable_at(Str text, size_t at) {
    const size_t start = at + (str_at(text, at + 1) == '{' ? 2 : 1);
    size_t end = start;
    while (char_is_of_name(str_at(text, end))) {
        end++;
    }
    return char_is_digit(str_at(text, start)) ? STR_NONE : str_slice(text, start, end);
}

// Beyond as many nobody looks where a value comes from.
enum { SETTINGS_MAX = 200, CONDITION_MAX = 1000 };

// Whether the script says all values of a variable, and none of them tells a system from another.
static bool is_of_something_else(const ShellReader *reader, Str name) {
    bool is_set = false;
    for (uint32_t i = 0; name.len > 0 && i < reader->settings.count; i++) {
        const ShellSetting *setting = &reader->settings.items[i];
        if (!str_equal(setting->name, name)) {
            continue;
        }
        is_set = true;
        const bool is_open = str_has(setting->value, "$") || str_has(setting->value, "`");
        if (is_open || has_system_word(setting->value) || has_program(setting->value, reader->sought)) {
            return false;
        }
    }
    return is_set;
}

bool shell_is_about(const ShellReader *reader, Str condition) {
    if (condition.len > CONDITION_MAX || reader->settings.count > SETTINGS_MAX || has_system_word(condition) ||
        has_program(condition, reader->sought) || str_has(condition, "`")) {
        return true;
    }
    for (size_t at = str_find(condition, STR("$"), 0); at < condition.len; at = str_find(condition, STR("$"), at + 1)) {
        if (!is_of_something_else(reader, variable_at(condition, at))) {
            return true;
        }
    }
    return false;
}

// ---- names of programs -----------------------------------------------------------------------------------------------

static bool is_program(Str word, Str program) {
    const bool is_path = str_has(program, "/");
    return str_equal(is_path ? word : str_after_last(word, '/'), program);
}

// The first word of a value: of `"/a/b --c"` and of `(/a/b --c)` it is `/a/b`.
static Str first_word(Str value) {
    size_t start = 0;
    while (start < value.len && strchr("(\"' ", value.data[start]) != NULL) {
        start++;
    }
    size_t end = start;
    while (end < value.len && strchr(")\"' \t\n", value.data[end]) == NULL) {
        end++;
    }
    return str_slice(value, start, end);
}

bool shell_names(const ShellReader *reader, Str word, Str program) {
    const Str name = str_at(word, 0) == '$' ? variable_at(word, 0) : STR_NONE;
    bool is_all = false;
    for (uint32_t i = 0; name.len > 0 && i < reader->settings.count && i < SETTINGS_MAX; i++) {
        const ShellSetting *setting = &reader->settings.items[i];
        if (str_equal(setting->name, name)) {
            is_all = is_program(first_word(setting->value), program);
            if (!is_all) {
                return false;
            }
        }
    }
    return is_all || is_program(word, program);
}

// ---- texts that are no script ------------------------------------------------------------------------------------------

// Behind signs of YAML and of JSON: the next word of a line.
static Str next_word(Str line, size_t *at) {
    while (*at < line.len && strchr("-[\"', \t", line.data[*at]) != NULL) {
        ++*at;
    }
    const size_t start = *at;
    while (*at < line.len && strchr("]\"', \t\r;", line.data[*at]) == NULL) {
        ++*at;
    }
    return str_slice(line, start, *at);
}

static bool has_condition(Str text) {
    static const char *const WORDS[] = { "if ", "case ", "&&", "||" };
    for (size_t i = 0; i < COUNT_OF(WORDS); i++) {
        if (str_find(text, str_of(WORDS[i]), 0) < text.len) {
            return true;
        }
    }
    return false;
}

size_t shell_line_runs(Str text, Str program) {
    for (size_t at = 0; at < text.len;) {
        const size_t end = str_find(text, STR("\n"), at);
        const Str line = str_slice(text, at, end);
        size_t behind = 0;
        Str word = next_word(line, &behind);
        while (word.len > 0 && shell_starts_another(word)) {
            word = next_word(line, &behind);
        }
        if (is_program(word, program)) {
            const size_t found = (size_t)(word.data - text.data);
            return has_condition(str_slice(text, 0, found)) ? text.len : found;
        }
        at = end + 1;
    }
    return text.len;
}
