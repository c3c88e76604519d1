// Rules about words behind the script of a shell: `sh -c SCRIPT WORD…`. They are `$0`, `$1` and so on of the script, and
// no part of it.
// Source: bash(1), OPTIONS, `-c`; POSIX.1-2017, sh, "command_name" and "argument"; read 2026-11.
#include "compiler/plan/model/launcher.h"
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object_value.h"

// The script that the shell at the beginning reads; the count of the words where there is none.
static uint32_t script_of(const CommandWords *words) {
    uint32_t i = 1;
    while (i < words->count && words->items[i].is == SHELL_WORD_OPTION) {
        i++;
    }
    return i < words->count && words->items[i].is == SHELL_WORD_SCRIPT ? i : words->count;
}

// Whether a script may read what stands behind it: by its number, all at once, or in a script that it reads in.
static bool may_read_words(Str script) {
    static const char *const WORDS[] = { "shift", "getopts", "source ", ". ", "BASH_ARG", " do ", "\ndo" };
    for (size_t i = 0; i < COUNT_OF(WORDS); i++) {
        if (str_find(script, str_of(WORDS[i]), 0) < script.len) {
            return true;
        }
    }
    for (size_t at = str_find(script, STR("$"), 0); at < script.len; at = str_find(script, STR("$"), at + 1)) {
        const bool has_brace = str_at(script, at + 1) == '{';
        const char sign = str_at(script, at + 2);
        const char c = str_at(script, at + (!has_brace ? 1 : sign == '#' || sign == '!' ? 3 : 2));
        if (char_is_digit(c) || c == '@' || c == '*' || (c == '#' && !has_brace)) {
            return true;
        }
    }
    return script.len == 0 || str_starts_with(script, STR("$("));
}

static bool has_blank(Str word) {
    return str_find(word, STR(" "), 0) < word.len || str_find(word, STR("\n"), 0) < word.len;
}

// What says nothing but that words follow, or whose messages these are: `--`, `_`, `sh`.
static bool is_name(Str word) {
    return str_is(word, "--") || str_is(word, "-") || str_is(word, "_") || shell_is_any(word);
}

// A script of several words may get a name for its messages, and nothing else.
static bool are_lost(const CommandWords *words, uint32_t script) {
    const Str text = words->items[script].text;
    const uint32_t first = script + 1;
    bool are_known = first < words->count && !may_read_words(text);
    bool is_one = false;
    for (uint32_t i = first; are_known && i < words->count; i++) {
        const Str word = words->items[i].text;
        are_known = word.len > 0;
        is_one =
            is_one || has_blank(word) || i > first || (!is_name(word) && (!has_blank(text) || str_at(word, 0) == '-'));
    }
    return are_known && is_one;
}

static bool check(const Rules *rules, const Subject *subject, const CommandWords *words) {
    if (words->count == 0 || !shell_is_any(words->items[0].text)) {
        return false;
    }
    const uint32_t script = script_of(words);
    if (script == words->count || !are_lost(words, script)) {
        return false;
    }
    const CommandWord *word = &words->items[script];
    const CommandWord *lost = &words->items[script + 1];
    Session *session = rules->session;
    Diag *diag = plan_report(session, subject, lost->span, DIAG(words_behind_script), STR_ARG(lost->text));
    diag_label(session, diag, word->span, "the whole script");
    if (has_blank(word->text) || has_blank(lost->text)) {
        diag_help(session, diag, "write all of it as one item behind `-c`");
    } else {
        diag_help(session, diag, "leave the shell and `-c` out, or write all of it as one item behind `-c`");
    }
    return true;
}

void rule_job_script(const Rules *rules, const PlanJob *job) {
    check(rules, job->head.subject, &job->workload->launcher->words);
}

void rule_definition_script(const Rules *rules, const PlanContainer *container) {
    if (container->form == FORM_RESOURCE && container->command.state == FIELD_KNOWN) {
        check(rules, container->subject, &container->launcher->words);
    }
}

void rule_pod_script(const Rules *rules, const PlanObject *object) {
    for (uint32_t i = 0; i < object->workloads.count; i++) {
        const PlanWorkload *workload = object->workloads.items[i];
        if (object_count(object_get(workload->container, "command")) > 0) {
            check(rules, object->subject, &workload->launcher->words);
        }
    }
}
