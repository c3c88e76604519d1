// Reads the words of a command, and what they say by names.
#include "compiler/script/command_words.h"

#include "compiler/script/shell_text.h"

enum {
    NUMBER_MAX = 1000000,    // a larger one is none of nodes, nor of processes
    SETTINGS_MAX = 100000,   // of one command, that are looked at: far above what anyone writes
    SUBSTITUTION_MAX = 1000, // letters of what prints an address or a number
};

void command_words_add(Arena *arena, CommandWords *words, Str text, Span span) {
    CommandWord word = { .text = text, .span = span };
    word.said = words->count == 0 ? word.said : words->items[words->count - 1].said;
    word.is = shell_argument(&word.said, text);
    word.run = text.len > 0 && word.is == SHELL_WORD_SCRIPT ? shell_text(arena, text, SHELL_HELD) : text;
    vec_push(arena, words, word);
}

void command_words_add_script(Arena *arena, CommandWords *words, Str text, Str run, Span span) {
    const CommandWord word = { .text = text, .run = run, .span = span, .is = SHELL_WORD_SCRIPT };
    vec_push(arena, words, word);
}

int64_t command_number(Str text) {
    int64_t number = text.len > 0 && char_is_digit(text.data[0]) ? 0 : -1;
    size_t at = 0;
    for (; at < text.len && char_is_digit(text.data[at]) && number < NUMBER_MAX; at++) {
        number = number * 10 + (text.data[at] - '0');
    }
    const char next = at < text.len ? text.data[at] : ' ';
    return strchr(" \t\n:\"'\\;", next) == NULL || number >= NUMBER_MAX ? -1 : number;
}

// ---- names and values ------------------------------------------------------------------------------------------------

size_t command_end_of_substitution(Str text, size_t start) {
    const char first = str_at(text, start);
    const bool is_bracket = first == '$' && str_at(text, start + 1) == '(';
    const size_t last = text.len - start > SUBSTITUTION_MAX ? start + SUBSTITUTION_MAX : text.len;
    int depth = is_bracket || first == '`' ? 1 : 0;
    size_t end = start + (is_bracket ? 2 : 1);
    for (; depth > 0 && end < last; end++) {
        const char c = text.data[end];
        depth += is_bracket ? (c == '(') - (c == ')') : -(c == '`');
    }
    return depth == 0 && (is_bracket || first == '`') ? end : start;
}

// The end of a value without blanks outside of `$(…)`. Behind one that is open no other is looked for: in a hostile text that
// would take long.
static size_t end_of_value(Str text, size_t start) {
    bool is_open = false;
    size_t end = start;
    while (end < text.len && strchr(" \t\n\"'\\;", text.data[end]) == NULL) {
        const bool begins = text.data[end] == '`' || (text.data[end] == '$' && str_at(text, end + 1) == '(');
        const size_t behind = begins && !is_open ? command_end_of_substitution(text, end) : end;
        is_open = is_open || (begins && behind == end);
        end = behind > end ? behind : end + 1;
    }
    return end;
}

// Finds what stands behind a name that ends at `end` of its word: behind a blank or `=`, or in the next word.
static void find_value(const CommandWords *words, CommandSetting *setting, size_t end) {
    const Str text = words->items[setting->word].run;
    setting->value_word = setting->word;
    setting->value_at = end;
    if (end == text.len) {
        setting->value_word++;
        setting->value_at = 0;
        setting->value = setting->value_word < words->count ? words->items[setting->value_word].run : STR_NONE;
        return;
    }
    if (strchr("= \t", text.data[end]) == NULL) {
        return;
    }
    size_t start = end + 1;
    while (text.data[end] != '=' && start < text.len && strchr(" \t", text.data[start]) != NULL) {
        start++;
    }
    start += str_at(text, start) == '"' || str_at(text, start) == '\'' ? 1 : 0;
    end = end_of_value(text, start);
    setting->value_at = start;
    setting->value = str_slice(text, start, end);
}

// The end of the option or the variable that begins at a place; the place where there is none.
static size_t end_of_name(Str text, size_t start) {
    const bool is_option = text.data[start] == '-';
    size_t end = start;
    while (is_option && end < start + 2 && str_at(text, end) == '-') {
        end++;
    }
    const size_t first = end;
    while (char_is_of_name(str_at(text, end)) || (is_option && end > first && str_at(text, end) == '-') ||
           (is_option && end > first && str_at(text, end) == '.' && char_is_of_name(str_at(text, end + 1)))) {
        end++;
    }
    const bool is_variable =
        str_at(text, end) == '=' && !char_is_digit(text.data[start]) && (start == 0 || text.data[start - 1] != '$');
    return end > first && (is_option || is_variable) ? end : start;
}

// `--mca NAME VALUE` of Open MPI, and its like.
static void add_parameter(Arena *arena, CommandSettings *settings, const CommandWords *words,
                          const CommandSetting *option) {
    CommandSetting parameter = { .name = option->value, .word = option->value_word, .at = option->value_at };
    if (str_at(option->name, 0) == '-' && str_ends_with(option->name, STR("mca")) && option->value.len > 0) {
        find_value(words, &parameter, parameter.at + parameter.name.len);
        vec_push(arena, settings, parameter);
    }
}

CommandSettings command_settings(Arena *arena, const CommandWords *words) {
    CommandSettings settings = { 0 };
    for (uint32_t i = 0; i < words->count; i++) {
        const Str text = words->items[i].run;
        for (size_t at = 0; at < text.len && settings.count < SETTINGS_MAX;) {
            const char before = at == 0 ? ' ' : text.data[at - 1];
            const bool is_start = !char_is_of_name(before) && before != '-';
            const size_t end = is_start ? end_of_name(text, at) : at;
            if (end == at) {
                at++;
                continue;
            }
            CommandSetting setting = { .name = str_slice(text, at, end), .word = i, .at = at };
            find_value(words, &setting, end);
            vec_push(arena, &settings, setting);
            add_parameter(arena, &settings, words, &setting);
            at = end;
        }
    }
    return settings;
}

bool command_is_called(const CommandSetting *setting, const char *name) {
    const Str own = setting->name;
    size_t i = 0;
    while (i < own.len && name[i] != '\0' &&
           (own.data[i] == name[i] ||
            (i > 1 && name[0] == '-' && strchr("-_", name[i]) != NULL && strchr("-_", own.data[i]) != NULL))) {
        i++;
    }
    return i == own.len && name[i] == '\0';
}

// ---- places ----------------------------------------------------------------------------------------------------------

// Of a part of a word, by how often its text stands there before; SPAN_NONE where the file has it in another way.
static Span place_of_part(const Session *session, const CommandWord *word, size_t start, size_t end) {
    const Str part = str_slice(word->text, start, end);
    const Str written = source_text(session, word->span);
    size_t at = str_find(written, part, 0);
    for (size_t i = str_find(word->text, part, 0); i < start && at < written.len;
         i = str_find(word->text, part, i + 1)) {
        at = str_find(written, part, at + 1);
    }
    Span span = { .source = word->span.source, .start = word->span.start + (uint32_t)at };
    span.end = span.start + (uint32_t)part.len;
    return part.len > 0 && at < written.len ? span : SPAN_NONE;
}

Span command_part_place(const Session *session, const CommandWord *word, size_t start, size_t end) {
    const Span place = place_of_part(session, word, start, end);
    return span_is_none(place) ? word->span : place;
}

Span command_name_place(const Session *session, const CommandWords *words, const CommandSetting *setting) {
    return command_part_place(session, &words->items[setting->word], setting->at, setting->at + setting->name.len);
}

// A short value is found by its name before it.
Span command_value_place(const Session *session, const CommandWords *words, const CommandSetting *setting) {
    if (setting->value_word >= words->count) {
        return words->items[setting->word].span;
    }
    const CommandWord *word = &words->items[setting->value_word];
    const size_t start = setting->value_word == setting->word ? setting->at : setting->value_at;
    Span place = place_of_part(session, word, start, setting->value_at + setting->value.len);
    place.start = place.end - (uint32_t)(span_is_none(place) ? 0 : setting->value.len);
    return span_is_none(place) ? word->span : place;
}

// ---- variables -------------------------------------------------------------------------------------------------------

Str command_variable(Str text) {
    const char open = str_at(text, 1);
    const bool is_open = open == '{' || open == '(';
    const size_t start = !is_open ? 1 : open == '{' && str_at(text, 2) == '!' ? 3 : 2;
    size_t end = start;
    while (command_is_of_variable(str_at(text, end))) {
        end++;
    }
    const bool is_whole =
        is_open ? end + 1 == text.len && text.data[end] == (open == '{' ? '}' : ')') : end == text.len;
    return str_at(text, 0) == '$' && is_whole ? str_slice(text, start, end) : STR_NONE;
}

Str command_bracketed(Str text, size_t at) {
    size_t end = at + 2;
    while (command_is_of_variable(str_at(text, end))) {
        end++;
    }
    return str_at(text, at) == '$' && str_at(text, at + 1) == '(' && str_at(text, end) == ')'
               ? str_slice(text, at + 2, end)
               : STR_NONE;
}

bool command_asks(Str script) {
    static const char *const WORDS[] = { "if ", "case ", "while ", "until ", "test ", "[ ", "[[ ", "((", "||" };
    const bool may_ask = str_has(script, " ") || str_has(script, "((") || str_has(script, "||"); // most words do not
    for (size_t i = 0; may_ask && i < COUNT_OF(WORDS); i++) {
        const bool is_sign = strchr("(|", WORDS[i][0]) != NULL;
        for (size_t at = str_find(script, str_of(WORDS[i]), 0); at < script.len;
             at = str_find(script, str_of(WORDS[i]), at + 1)) {
            const char before = at == 0 ? '\n' : script.data[at - 1];
            if (is_sign ? before != '$' : strchr(" \t\n;&|(!", before) != NULL) {
                return true;
            }
        }
    }
    return false;
}
