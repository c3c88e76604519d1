// A rule about user data of Bottlerocket, which is TOML: a line in brackets names a map, and the lines below it set its keys.
#include "compiler/plan/rules/bottlerocket.h"

#include "compiler/plan/model/launcher.h"
#include "compiler/plan/rules/user_data_text.h"
#include "compiler/script/shell_lines.h"

enum {
    PATH_MAX_BYTES = 100, // all that is known is shorter
    WRONG_MAX = 50,       // more say nothing new
};

typedef struct {
    const Rules *rules;
    const PlanLaunch *launch;
    Str text;
    int *wrong; // how many were looked at closely
} Settings;

static Span place_of(const Settings *settings, Str part) {
    const Span line =
        user_data_place(settings->rules, &settings->launch->user_data, (size_t)(part.data - settings->text.data));
    return launcher_part(settings->rules->session, line, part);
}

// A word of letters: `False`, `static`. TOML has `inf` and `nan` beside its switches.
static bool is_bare_word(Str value) {
    bool is = value.len > 0 && !str_is(value, "inf") && !str_is(value, "nan");
    for (size_t i = 0; i < value.len; i++) {
        is = is && ((char_small(value.data[i]) >= 'a' && char_small(value.data[i]) <= 'z') ||
                    (i > 0 && value.data[i] == '-'));
    }
    return is;
}

static BottlerocketForm form_of(Str value) {
    if (value.len > 0 && (value.data[0] == '"' || value.data[0] == '\'')) {
        return BOTTLEROCKET_TEXT;
    }
    const char first = value.len > 1 && value.data[0] == '-' ? value.data[1] : str_at(value, 0);
    return char_is_digit(first)                              ? BOTTLEROCKET_NUMBER
           : str_is(value, "true") || str_is(value, "false") ? BOTTLEROCKET_BOOL
           : is_bare_word(value)                             ? BOTTLEROCKET_BARE
                                                             : BOTTLEROCKET_OTHER;
}

static Str join(Arena *arena, Str path, Str key) {
    return path.len == 0 ? key : str_format(arena, "%.*s.%.*s", STR_ARG(path), STR_ARG(key));
}

// Each word of `a.b.c` below a path. The last one is set to a value; without one it names a map.
static void check_words(const Settings *settings, Str path, Str words, Str value) {
    while (words.len > 0 && words.len <= PATH_MAX_BYTES && bottlerocket_knows(path)) {
        const size_t dot = str_find(words, STR("."), 0);
        const Str key = str_trim(str_slice(words, 0, dot));
        const bool is_last = dot >= words.len;
        const bool has_value = is_last && value.len > 0;
        BottlerocketSetting setting = { .path = path,
                                        .key = key,
                                        .form = has_value ? form_of(value) : BOTTLEROCKET_OTHER };
        const bool is_text = setting.form == BOTTLEROCKET_TEXT && value.len > 1;
        setting.written = is_text ? str_slice(value, 1, value.len - 1) : value;
        if (str_has(key, "\"") || str_has(key, "'")) {
            return;
        }
        if (!bottlerocket_takes(&setting) && (*settings->wrong)++ < WRONG_MAX) {
            setting.key_span = place_of(settings, key);
            setting.span = has_value ? place_of(settings, value) : SPAN_NONE;
            bottlerocket_check(settings->rules, settings->launch->subject, &setting);
        }
        path = join(settings->rules->session->arena, path, key);
        words = is_last ? STR_NONE : str_slice(words, dot + 1, words.len);
    }
}

// What ends a value that goes on behind its line; empty: it does not.
static Str end_of_value(Str value) {
    static const char *const TEXTS[] = { "\"\"\"", "'''" };
    for (size_t i = 0; i < COUNT_OF(TEXTS); i++) {
        const Str sign = str_of(TEXTS[i]);
        if (str_starts_with(value, sign)) {
            return str_find(value, sign, sign.len) < value.len ? STR_NONE : sign;
        }
    }
    return str_at(value, 0) == '[' && !str_has(value, "]") ? STR("]") : STR_NONE;
}

static Str without_comment(Str value) {
    const bool is_text = str_at(value, 0) == '"' || str_at(value, 0) == '\'';
    return is_text ? value : str_trim(str_slice(value, 0, str_find(value, STR("#"), 0)));
}

void rule_launch_settings(const Rules *rules, const PlanLaunch *launch) {
    const PlanUserData *data = &launch->user_data;
    const Str text = data->written;
    int wrong = 0;
    const Settings settings = { .rules = rules, .launch = launch, .text = text, .wrong = &wrong };
    const Str start = str_trim(text);
    if (!str_starts_with(start, STR("[settings")) && !str_starts_with(start, STR("settings."))) {
        return;
    }
    Str path = STR_NONE;
    Str end = STR_NONE;
    for (size_t at = 0; at < text.len; at = shell_next_line(text, at)) {
        const Str line = shell_trimmed_line(text, at);
        const size_t sign = str_find(line, STR("="), 0);
        if (end.len > 0) {
            end = str_find(line, end, 0) < line.len ? STR_NONE : end;
        } else if (str_at(line, 0) == '[') {
            const size_t close = str_find(line, STR("]"), 0);
            path = str_trim(str_slice(line, 1, close < line.len ? close : 1));
            check_words(&settings, STR_NONE, path, STR_NONE);
        } else if (str_at(line, 0) != '#' && sign < line.len && path.len <= PATH_MAX_BYTES) {
            const Str value = without_comment(str_trim(str_slice(line, sign + 1, line.len)));
            check_words(&settings, path, str_trim(str_slice(line, 0, sign)), value);
            end = end_of_value(value);
        }
    }
}
