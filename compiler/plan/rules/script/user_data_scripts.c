// Rules about scripts in user data: what is never closed, what they fetch, and which kernel they leave behind.
#include "compiler/plan/rules/rule_field.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/moving_url.h"
#include "compiler/script/shell_commands.h"
#include "compiler/script/shell_scan.h"
#include "compiler/plan/rules/user_data_text.h"

// ---- what is never closed ----------------------------------------------------------------------------------------

static const struct {
    const char *opens;
    const char *closes;
} OPENS[] = {
    [SHELL_CLOSED] = { "", "" },
    [SHELL_QUOTE] = { "quote", "a second one like it" },
    [SHELL_IF] = { "`if`", "`fi`" },
    [SHELL_LOOP] = { "`do`", "`done`" },
    [SHELL_CASE] = { "`case`", "`esac`" },
    [SHELL_BRACE] = { "`{`", "`}`" },
    [SHELL_BRACKET] = { "`(`", "`)`" },
    [SHELL_VALUE] = { "`${`", "`}`" },
    [SHELL_BACKTICK] = { "backquote", "a second one like it" },
};

// The first line before a place that has an odd number of a quote; `before` without one. A quote that lacks its partner turns
// what follows around, so that the last of the script is found open.
static size_t first_odd_line(Str script, size_t before) {
    const char quote = str_at(script, before);
    for (size_t start = 0; start < before;) {
        const size_t end = str_find(script, STR("\n"), start);
        int count = 0;
        for (size_t i = start; i < end; i++) {
            count += script.data[i] == quote && (i == 0 || script.data[i - 1] != '\\');
        }
        if (count % 2 == 1 && end < before && str_at(script, start) != '#') {
            return start;
        }
        start = end + 1;
    }
    return before;
}

// The only line behind `from` that would end a here-document, were it not for blanks or a `;`.
static void write_end(const Rules *rules, Diag *diag, const PlanUserData *data, const UserDataPart *part, size_t from,
                      Str word) {
    const Str other = str_format(rules->session->arena, "%.*s;", STR_ARG(word));
    size_t found = 0;
    uint32_t count = 0;
    for (size_t at = from; at < part->body.len; at = shell_next_line(part->body, at)) {
        const Str line = str_trim(shell_line(part->body, at));
        const bool is_it = str_equal(line, word) || str_equal(line, other);
        found = is_it ? at : found;
        count += is_it;
    }
    const Span place = count == 1 ? user_data_place_in(rules, data, part->at + found) : SPAN_NONE;
    const Str line = shell_line(part->body, found);
    const Str words = str_trim(line);
    if (span_is_none(place) || !str_equal(source_text(rules->session, place), words)) {
        return;
    }
    const size_t blanks = (size_t)(words.data - line.data);
    const size_t more = line.len - blanks - words.len;
    const Span whole = { .source = place.source,
                         .start = place.start - (uint32_t)blanks,
                         .end = place.end + (uint32_t)more };
    if (str_equal(str_trim(source_text(rules->session, whole)), words)) {
        diag_fix(rules->session, diag, whole, word);
    }
}

// Whether a shell reads the here-document that goes on to the end of the script: it runs what it has got.
static bool is_read_by_shell(Str script, size_t at) {
    const Str line = shell_line_around(script, at);
    const Str before = str_slice(line, 0, str_find(line, STR("<<"), 0));
    const Str program = str_after_last(str_trim(before), ' ');
    return str_is(program, "bash") || str_is(program, "sh") || str_is(program, "/bin/bash");
}

static void say_open(const Rules *rules, const PlanLaunch *launch, const UserDataPart *part, ShellOpen open,
                     Str where) {
    const PlanUserData *data = &launch->user_data;
    const size_t at = shell_word_place(part->body, where);
    if (open == SHELL_HEREDOC && is_read_by_shell(part->body, at)) {
        return;
    }
    const Span place = user_data_place_in(rules, data, part->at + at);
    if (open == SHELL_HEREDOC) {
        Diag *diag = plan_report(rules->session, launch->subject, place, DIAG(heredoc_open), STR_ARG(where));
        diag_help(rules->session, diag, "end it by a line that is `%.*s`, with no blank before or behind it",
                  STR_ARG(where));
        write_end(rules, diag, data, part, shell_next_line(part->body, at), where);
        return;
    }
    Diag *diag = plan_report(rules->session, launch->subject, place, DIAG(shell_open), OPENS[open].opens);
    const size_t odd = open == SHELL_QUOTE ? first_odd_line(part->body, at) : at;
    if (odd < at) {
        diag_label(rules->session, diag, user_data_place_in(rules, data, part->at + odd),
                   "the first line with one of these quotes alone");
    }
    diag_help(rules->session, diag, "write %s where it ends", OPENS[open].closes);
}

// Of a Dockerfile, whose lines Docker joins before a shell reads them.
void rule_docker_scripts(const Rules *rules, const PlanDockerfile *file) {
    for (uint32_t i = 0; i < file->steps.count; i++) {
        const DockerStep *step = &file->steps.items[i];
        Str where = STR_NONE;
        const bool is_shell = step->kind == DOCKER_RUN && !step->is_exec && !step->is_read && step->script.len > 0;
        const ShellOpen open = is_shell ? shell_scan(rules->session->arena, step->script, &where) : SHELL_CLOSED;
        if (step->kind == DOCKER_RUN && !span_is_none(step->open) && str_starts_with(step->rest, STR("<<"))) {
            const Str word = docker_text(file, step->open);
            Diag *diag = plan_report(rules->session, file->subject, step->open, DIAG(heredoc_open), STR_ARG(word));
            diag_help(rules->session, diag, "end it by a line that is `%.*s`, with no blank before or behind it",
                      STR_ARG(word));
        }
        if (!is_shell || open == SHELL_CLOSED || open == SHELL_HEREDOC || !span_is_none(step->open)) {
            continue;
        }
        Diag *diag =
            plan_report(rules->session, file->subject, docker_span(file, where), DIAG(shell_open), OPENS[open].opens);
        diag_help(rules->session, diag, "write %s where it ends", OPENS[open].closes);
    }
}

// Of a file of its own. Another program may write what stands in braces before a shell reads it.
void rule_script_shell(const Rules *rules, const PlanSlurmScript *script) {
    Str where = STR_NONE;
    const bool is_whole = !script->is_rendered && !str_has(script->text, "{{") && !str_has(script->text, "{%");
    const ShellOpen open = is_whole ? shell_scan(rules->session->arena, script->text, &where) : SHELL_CLOSED;
    if (open == SHELL_CLOSED) {
        return;
    }
    const size_t at = shell_word_place(script->text, where);
    const Span place = slurm_span(script, at, at + where.len);
    if (open == SHELL_HEREDOC) {
        Diag *diag = plan_report(rules->session, script->subject, place, DIAG(heredoc_open), STR_ARG(where));
        diag_help(rules->session, diag, "end it by a line that is `%.*s`, with no blank before or behind it",
                  STR_ARG(where));
        return;
    }
    Diag *diag = plan_report(rules->session, script->subject, place, DIAG(shell_open), OPENS[open].opens);
    const size_t odd = open == SHELL_QUOTE ? first_odd_line(script->text, at) : at;
    if (odd < at) {
        diag_label(rules->session, diag, slurm_span(script, odd, odd + shell_line(script->text, odd).len),
                   "the first line with one of these quotes alone");
    }
    diag_help(rules->session, diag, "write %s where it ends", OPENS[open].closes);
}

void rule_launch_shell(const Rules *rules, const PlanLaunch *launch) {
    const UserDataParts parts = user_data_parts(rules->session->arena, &launch->user_data);
    for (uint32_t i = 0; i < parts.count; i++) {
        const UserDataPart *part = &parts.items[i];
        Str where = STR_NONE;
        const ShellOpen open =
            user_data_is_script(part->body) ? shell_scan(rules->session->arena, part->body, &where) : SHELL_CLOSED;
        if (open != SHELL_CLOSED) {
            say_open(rules, launch, part, open, where);
        }
    }
}

// ---- what is fetched ---------------------------------------------------------------------------------------------

typedef struct {
    const Rules *rules;
    const PlanLaunch *launch;
    const UserDataPart *part;
} Fetch;

// The line itself, where the place is all of the user data, because somebody put that together of parts.
static Span narrow(const Session *session, Span place, Str line) {
    const Str written = source_text(session, place);
    const Str words = str_trim(line);
    const size_t at = written.len > line.len + 2 ? str_find(written, words, 0) : written.len;
    if (at < written.len && words.len > 0 && str_find(written, words, at + 1) == written.len) {
        place.start += (uint32_t)at;
        place.end = place.start + (uint32_t)words.len;
    }
    return place;
}

static void say_moves(const Fetch *fetch, size_t at, const char *reason, const char *help) {
    const Rules *rules = fetch->rules;
    const Span place = user_data_place_in(rules, &fetch->launch->user_data, fetch->part->at + at);
    Diag *diag =
        plan_report(rules->session, fetch->launch->subject,
                    narrow(rules->session, place, shell_line(fetch->part->body, at)), DIAG(download_moves), reason);
    diag_help(rules->session, diag, "%s", help);
}

static Str word_at(Str line, size_t at) {
    const size_t start = at;
    while (at < line.len && strchr(" \t\"'`;|&()<>\\", line.data[at]) == NULL) {
        at++;
    }
    return str_slice(line, start, at);
}

// How often the script says the name, outside of addresses.
static int count_of(Str body, Str name) {
    int count = 0;
    for (size_t at = str_find(body, name, 0); at < body.len && name.len > 0; at = str_find(body, name, at + name.len)) {
        size_t start = at;
        while (start > 0 && strchr(" \t\n\"'", body.data[start - 1]) == NULL) {
            start--;
        }
        count += str_has(word_at(body, start), "://") ? 0 : 1;
    }
    return count;
}

// What is fetched goes into another program, or into a file that is used.
static bool is_used(Str body, Str line, size_t url_at) {
    static const char *const OUTPUTS[] = { " -o ", " -O ", " --output ", "> " };
    const Str url = word_at(line, url_at);
    bool is_named = count_of(body, str_after_last(url, '/')) > 0;
    for (size_t i = 0; i < COUNT_OF(OUTPUTS); i++) {
        const size_t at = str_find(line, str_of(OUTPUTS[i]), 0);
        is_named = is_named || (at < line.len && count_of(body, word_at(line, at + strlen(OUTPUTS[i]))) > 1);
    }
    return is_named || str_find(line, STR("|"), url_at) < line.len || str_has(line, "$(") || str_has(line, "<(");
}

static void check_downloads(const Fetch *fetch, Str line, size_t start) {
    if (!str_has(line, "curl ") && !str_has(line, "wget ")) {
        return;
    }
    for (size_t at = str_find(line, STR("https://"), 0); at < line.len; at = str_find(line, STR("https://"), at + 1)) {
        const char *reason = moving_url(word_at(line, at));
        if (reason != NULL && is_used(fetch->launch->user_data.written, line, at)) {
            say_moves(fetch, start, reason, "name a tag or a commit in the address, or a copy in your own bucket");
            return;
        }
    }
}

// What `git clone` makes a folder of, where it takes the newest commit; empty where it does not, or nobody knows.
static Str cloned_folder(Str line) {
    const Str command = STR("git clone ");
    size_t at = str_find(line, command, 0);
    Str url = STR_NONE;
    for (at = at < line.len ? at + command.len : line.len; at < line.len;) {
        const Str word = word_at(line, at);
        if (word.len == 0 && line.data[at] != ' ') {
            break; // the command ends, or the word is in quotes
        }
        if (str_is(word, "-b") || str_starts_with(word, STR("--branch")) || str_has(word, "$")) {
            return STR_NONE;
        }
        if (url.len > 0 && word.len > 0) {
            return str_starts_with(word, STR("-")) ? STR_NONE : str_after_last(word, '/');
        }
        url = str_has(word, "://") ? word : url;
        at += word.len + (word.len == 0 ? 1 : 0);
    }
    const Str name = str_after_last(url, '/');
    return str_ends_with(name, STR(".git")) ? str_slice(name, 0, name.len - 4) : name;
}

// Whether a line goes into the folder or gives it to a program that may run it. Who copies, or names the owner, runs nothing.
static bool runs_there(Str line, Str folder) {
    static const char *const OTHERS[] = { "cp",    "mv",    "rm", "ls",    "chown", "chmod", "chgrp", "mkdir",
                                          "rsync", "touch", "ln", "tar",   "zip",   "echo",  "cat",   "printf",
                                          "test",  "[",     "du", "mount", "find",  "git" };
    Str words = str_trim(line);
    if (str_starts_with(words, STR("sudo "))) {
        words = str_trim(str_slice(words, strlen("sudo "), words.len));
    }
    const Str program = word_at(words, 0);
    bool is_other = false;
    for (size_t i = 0; i < COUNT_OF(OTHERS); i++) {
        is_other = is_other || str_is(program, OTHERS[i]);
    }
    const bool goes_on = str_has(words, "&&") || str_has(words, ";");
    return str_find(words, folder, 0) < words.len && (!is_other || goes_on);
}

// Whether the rest of the script goes into the folder or runs something there, and chooses no commit.
static bool runs_newest(Str rest, Str folder) {
    static const char *const CHOICES[] = { "checkout", "reset --hard", "git switch", "submodule" };
    for (size_t i = 0; i < COUNT_OF(CHOICES); i++) {
        if (str_has(rest, CHOICES[i])) {
            return false;
        }
    }
    bool runs = false;
    size_t at = 0;
    if (!str_starts_with(rest, STR("\n"))) { // of the line of the clone, `&& cd recipes`
        const Str line = shell_line(rest, 0);
        const size_t both = str_find(line, STR("&&"), 0);
        const size_t next = both < line.len ? both : str_find(line, STR(";"), 0);
        runs = folder.len > 0 && str_find(line, folder, next) < line.len;
        at = shell_next_line(rest, 0);
    }
    for (; !runs && folder.len > 0 && at < rest.len; at = shell_next_line(rest, at)) {
        runs = runs_there(shell_line(rest, at), folder);
    }
    return runs;
}

static void check_clone(const Fetch *fetch, Str line, size_t start) {
    const Str folder = cloned_folder(line);
    const size_t found = str_find(line, folder, 0);
    const Str text = fetch->launch->user_data.written;
    const size_t end = fetch->part->at + start + found + folder.len;
    if (folder.len > 0 && runs_newest(str_slice(text, end, text.len), folder)) {
        say_moves(fetch, start, "it is the newest commit of its day", "name a tag: `git clone --branch TAG …`");
    }
}

static bool may_fetch(Str body) {
    return str_has(body, "curl ") || str_has(body, "wget ") || str_has(body, "git clone ");
}

void rule_launch_downloads(const Rules *rules, const PlanLaunch *launch) {
    const UserDataParts parts = user_data_parts(rules->session->arena, &launch->user_data);
    for (uint32_t i = 0; i < parts.count; i++) {
        const Fetch fetch = { .rules = rules, .launch = launch, .part = &parts.items[i] };
        const UserDataPart *part = &parts.items[i];
        const bool is_run = user_data_is_script(part->body) || str_is(part->type, "text/cloud-boothook");
        const Str body =
            is_run && may_fetch(part->body) ? shell_text(rules->session->arena, part->body, SHELL_KEPT) : STR_NONE;
        for (size_t at = 0; at < body.len; at = shell_next_line(body, at)) {
            const Str line = shell_line(body, at);
            check_downloads(&fetch, line, at);
            check_clone(&fetch, line, at);
        }
    }
}

// ---- the kernel --------------------------------------------------------------------------------------------------

// Commands of Ubuntu that install packages which are new, as a new kernel is. `apt-get upgrade` alone keeps the old one.
// source: Debian 12, apt(8), upgrade and full-upgrade, and apt-get(8), upgrade and dist-upgrade, 2026-11, read 2026-11
static const struct {
    const char *program;
    const char *word;
} UPGRADES[] = {
    { "apt", "upgrade" },          { "apt", "full-upgrade" },     { "apt", "dist-upgrade" },
    { "apt-get", "full-upgrade" }, { "apt-get", "dist-upgrade" },
};

static bool is_upgrade(Str program, Str word) {
    for (size_t i = 0; i < COUNT_OF(UPGRADES); i++) {
        if (str_is(program, UPGRADES[i].program) && str_is(word, UPGRADES[i].word)) {
            return true;
        }
    }
    return false;
}

// The place of such a command in a line; the line's length without one.
static size_t upgrade_at(Str line) {
    Str program = STR_NONE;
    size_t start = 0;
    for (size_t at = 0; at < line.len && line.data[at] != '#';) {
        const Str word = word_at(line, at);
        if (word.len == 0) {
            program = strchr(" \t\"'", line.data[at]) != NULL ? program : STR_NONE;
        } else if (str_is(word, "apt") || str_is(word, "apt-get")) {
            program = word;
            start = at;
        } else if (is_upgrade(program, word)) {
            return start;
        }
        at += word.len == 0 ? 1 : word.len;
    }
    return line.len;
}

// The client of the kernel that runs, and none that follows another one.
static bool has_client_of_one_kernel(Str body) {
    const Str name = STR("lustre-client-modules-");
    bool has_one = false;
    for (size_t at = str_find(body, name, 0); at < body.len; at = str_find(body, name, at + name.len)) {
        const Str rest = str_slice(body, at + name.len, body.len);
        if (!str_starts_with(rest, STR("$(uname -r)")) && !str_starts_with(rest, STR("`uname -r`"))) {
            return false;
        }
        has_one = true;
    }
    return has_one;
}

// What holds the kernel back, or what comes behind a restart.
static bool knows_of_kernels(Str body) {
    return str_has(body, "apt-mark") || str_has(body, "/etc/apt/preferences") || str_has(body, "reboot");
}

void rule_launch_kernel(const Rules *rules, const PlanLaunch *launch) {
    const PlanUserData *data = &launch->user_data;
    const UserDataParts parts = user_data_parts(rules->session->arena, data);
    const bool may_be = str_has(data->written, "lustre-client-modules-");
    const Str kept = may_be ? user_data_shell(rules->session->arena, data, SHELL_KEPT) : STR_NONE;
    const bool is_asked = has_client_of_one_kernel(kept) && !knows_of_kernels(kept);
    for (uint32_t i = 0; is_asked && i < parts.count; i++) {
        const UserDataPart *part = &parts.items[i];
        const bool is_script = user_data_is_script(part->body);
        const Str run = is_script ? shell_text(rules->session->arena, part->body, SHELL_RUN) : STR_NONE;
        for (size_t at = 0; at < run.len; at = shell_next_line(run, at)) {
            const Str line = shell_line(run, at);
            const size_t start = upgrade_at(line);
            if (start < line.len) {
                Diag *diag = plan_report(rules->session, launch->subject,
                                         user_data_place_in(rules, data, part->at + at + start), DIAG(kernel_moves));
                diag_help(rules->session, diag,
                          "leave it out, or write `apt-mark hold linux-aws linux-image-aws` before it");
                return;
            }
        }
    }
}
