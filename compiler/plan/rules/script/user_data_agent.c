// Rules about scripts in user data and the agent of ECS: its configuration, and its start, which waits for the scripts.
#include "compiler/plan/rules/rule_word.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/user_data_text.h"

typedef struct {
    const Rules *rules;
    const PlanLaunch *launch;
    const UserDataPart *part;
} Script;

static Diag *say_lost(const Script *script, size_t at) {
    return plan_report(script->rules->session, script->launch->subject,
                       user_data_place_in(script->rules, &script->launch->user_data, script->part->at + at),
                       DIAG(agent_config_lost));
}

// The parts of user data that has the word somewhere: most has not, and reading its lines takes long.
static UserDataParts parts_with(const Rules *rules, const PlanLaunch *launch, const char *word) {
    return str_has(launch->user_data.written, word) ? user_data_parts(rules->session->arena, &launch->user_data)
                                                    : (UserDataParts){ 0 };
}

static bool is_run(const UserDataPart *part) {
    return user_data_is_script(part->body) || str_is(part->type, "text/cloud-boothook");
}

// ---- the configuration -------------------------------------------------------------------------------------------

static const char CONFIG[] = "/etc/ecs/ecs.config";

typedef enum {
    WRITE_NONE, // the line does not say the name
    WRITE_MORE, // it adds lines
    WRITE_ANEW, // what stood there before is gone
    WRITE_OTHER // it reads the file, or nobody knows
} Write;

// `echo A=b > FILE` and `cat <<EOF >> FILE`. What leads the name decides, and the name stands there once.
static Write write_of(Str line) {
    const size_t found = str_find(line, STR(CONFIG), 0);
    if (found >= line.len) {
        return WRITE_NONE;
    }
    size_t at = found;
    while (at > 0 && (line.data[at - 1] == ' ' || line.data[at - 1] == '"')) {
        at--;
    }
    const bool is_written =
        at > 0 && line.data[at - 1] == '>' && (at == 1 || strchr("12&|", line.data[at - 2]) == NULL);
    const bool is_plain = str_starts_with(line, STR("echo ")) || str_starts_with(line, STR("cat ")) ||
                          str_starts_with(line, STR("printf "));
    if (!is_written || !is_plain || str_find(line, STR(CONFIG), found + 1) < line.len || str_has(line, "&&") ||
        str_has(line, "||") || str_has(line, "$(") || str_has(line, "`")) {
        return WRITE_OTHER;
    }
    return at > 1 && line.data[at - 2] == '>' ? WRITE_MORE : WRITE_ANEW;
}

// A line that begins a branch or ends one: whether what follows runs as well is not told.
static bool is_branch(Str line) {
    static const char *const WORDS[] = { "if ",    "elif ",  "else", "fi",   "case ", "esac",   "for ",
                                         "while ", "until ", "do",   "done", "then",  "return", "exit" };
    for (size_t i = 0; i < COUNT_OF(WORDS); i++) {
        if (str_starts_with(line, str_of(WORDS[i]))) {
            return true;
        }
    }
    return str_has(line, "{") || str_has(line, "}") || str_has(line, ";;") || str_starts_with(line, STR("[")) ||
           str_has(line, "(");
}

static void check_config(const Script *script) {
    const Str body = shell_text(script->rules->session->arena, script->part->body, SHELL_RUN);
    size_t written = body.len; // the last line that writes it, with no branch behind
    for (size_t at = 0; at < body.len; at = shell_next_line(body, at)) {
        const Str line = str_trim(shell_line(body, at));
        const Write write = write_of(line);
        if (write == WRITE_ANEW && written < body.len) {
            Diag *diag = say_lost(script, at);
            diag_label(script->rules->session, diag,
                       user_data_place_in(script->rules, &script->launch->user_data, script->part->at + written),
                       "this is lost");
            diag_help(script->rules->session, diag, "write `>>`, which adds a line");
            const size_t name = str_find(line, str_of(CONFIG), 0);
            size_t sign = name;
            while (sign > 0 && line.data[sign - 1] != '>') {
                sign--;
            }
            const Str words = str_slice(line, sign - 1, name + strlen(CONFIG));
            rule_replace_part(script->rules, diag, diag->span, words,
                              str_format(script->rules->session->arena, ">%.*s", STR_ARG(words)));
            return;
        }
        const bool is_write = write == WRITE_ANEW || write == WRITE_MORE;
        written = is_write ? at : write == WRITE_OTHER || is_branch(line) ? body.len : written;
    }
}

void rule_launch_agent_config(const Rules *rules, const PlanLaunch *launch) {
    const UserDataParts parts = parts_with(rules, launch, CONFIG);
    for (uint32_t i = 0; i < parts.count; i++) {
        const Script script = { .rules = rules, .launch = launch, .part = &parts.items[i] };
        if (is_run(script.part)) {
            check_config(&script);
        }
    }
}

// ---- the start -----------------------------------------------------------------------------------------------------

// `systemctl restart ecs`, `sudo systemctl enable --now ecs.service`, `service ecs start`: the command waits until the
// service runs.
static bool waits_for_agent(Str command) {
    static const char *const STARTS[] = { "systemctl start", "systemctl restart", "systemctl enable --now",
                                          "systemctl --now enable", "service" };
    const Str sudo = STR("sudo ");
    const Str line = str_starts_with(command, sudo) ? str_trim(str_slice(command, sudo.len, command.len)) : command;
    for (size_t i = 0; i < COUNT_OF(STARTS); i++) {
        const Str start = str_of(STARTS[i]);
        const Str rest = str_starts_with(line, start) ? str_slice(line, start.len, line.len) : STR_NONE;
        const Str unit = str_trim(rest);
        if (rest.len == unit.len || unit.len == 0) {
            continue; // another word, or none
        }
        if (str_is(start, "service") ? str_is(unit, "ecs start") || str_is(unit, "ecs restart")
                                     : str_is(unit, "ecs") || str_is(unit, "ecs.service")) {
            return true;
        }
    }
    return false;
}

static void check_start(const Script *script) {
    const Str body = shell_text(script->rules->session->arena, script->part->body, SHELL_RUN);
    if (str_has(script->part->body, "cloud-final") || str_has(body, ") &\n") || str_has(body, "} &\n")) {
        return; // it changes what the agent waits for, or lets a part of the script run on behind its end
    }
    for (size_t at = 0; at < body.len; at = shell_next_line(body, at)) {
        if (!waits_for_agent(str_trim(shell_line(body, at)))) {
            continue;
        }
        Diag *diag = plan_report(script->rules->session, script->launch->subject,
                                 user_data_place_in(script->rules, &script->launch->user_data, script->part->at + at),
                                 DIAG(agent_waits));
        diag_help(script->rules->session, diag,
                  "leave it out: the agent starts behind user data; or write `systemctl start --no-block ecs`");
        rule_replace_part(script->rules, diag, diag->span, STR("systemctl start "), STR("systemctl start --no-block "));
        return;
    }
}

// aws/amazon-ecs-agent, ecs.service: `After=cloud-final.service`, which runs user data.
void rule_launch_agent_start(const Rules *rules, const PlanLaunch *launch) {
    const UserDataParts parts = parts_with(rules, launch, " ecs");
    for (uint32_t i = 0; i < parts.count; i++) {
        const Script script = { .rules = rules, .launch = launch, .part = &parts.items[i] };
        if (is_run(script.part)) {
            check_start(&script);
        }
    }
}
