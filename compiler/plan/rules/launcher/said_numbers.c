// Reads numbers that a command says by an option or a variable.
#include "compiler/plan/rules/launcher/said_numbers.h"

// Up to `}` of `${NAME:-8}`; empty of another text.
static Str value_of_fallback(Str text) {
    size_t at = 2;
    while (char_is_of_name(str_at(text, at))) {
        at++;
    }
    const size_t end = str_find(text, STR("}"), at);
    const bool is = str_starts_with(text, STR("${")) && at > 2 && end < text.len;
    at += str_at(text, at) == ':' ? 1 : 0;
    return is && (str_at(text, at) == '-' || str_at(text, at) == '=') ? str_slice(text, at + 1, end) : STR_NONE;
}

// The one value that a script gives a variable; empty: there are several, or none.
static Str setting_of(const PlanLauncher *launcher, Str name) {
    Str value = STR_NONE;
    uint32_t count = 0;
    for (uint32_t i = 0; i < launcher->settings.count; i++) {
        const CommandSetting *setting = &launcher->settings.items[i];
        const bool is_it = name.len > 0 && str_equal(setting->name, name) && setting->value.len > 0;
        value = is_it ? setting->value : value;
        count += is_it ? 1 : 0;
    }
    return count == 1 ? value : STR_NONE;
}

int64_t launcher_said_number(const PlanLauncher *launcher, const PlanField *field) {
    const int64_t known = launcher_number(launcher, field);
    const Str name = command_variable(field->text);
    const PlanVariable *variable = launcher_variable(launcher, name);
    const int64_t here = command_number(value_of_fallback(field->text));
    const int64_t above = command_number(value_of_fallback(setting_of(launcher, name)));
    return known >= 0                       ? known
           : here >= 0                      ? here
           : above >= 0 || variable == NULL ? above
                                            : command_number(variable->fallback);
}

Span launcher_said_place(const PlanLauncher *launcher, const PlanField *field) {
    const PlanVariable *variable = launcher_variable(launcher, command_variable(field->text));
    return variable == NULL || span_is_none(variable->value.span) ? field->span : variable->value.span;
}

PlanField launcher_said_once(const Rules *rules, const PlanLauncher *launcher, const char *option, const char *key) {
    PlanField field = { .state = FIELD_ABSENT, .name = option };
    int count = 0;
    for (uint32_t i = 0; i < launcher->settings.count; i++) {
        const CommandSetting *setting = &launcher->settings.items[i];
        if (setting->value.len > 0 && (command_is_called(setting, option) || command_is_called(setting, key))) {
            field = field_known(option, command_value_place(rules->session, &launcher->words, setting), setting->value);
            count++;
        }
    }
    return count == 1 ? field : (PlanField){ .state = FIELD_ABSENT, .name = option };
}
