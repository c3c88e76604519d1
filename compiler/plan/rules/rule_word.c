// Finds where a word of a value is written, so that a fix can change it there.
#include "compiler/plan/rules/rule_word.h"

#include "compiler/base/words.h"

// The parameter that a `Ref` at a place names as a whole, if this is its only use; else NULL.
static const PlanNamed *only_used_at(const PlanTemplate *template, Span span) {
    const PlanNamed *parameter = NULL;
    for (uint32_t i = 0; i < template->uses.count && parameter == NULL; i++) {
        const PlanUse *use = template->uses.items[i];
        const bool is_it = use->kind == USE_REF && use->is_whole && !use->is_sub && span_equal(use->span, span);
        parameter = is_it && use->to != NULL && use->to->kind == NAMED_PARAMETER ? use->to : NULL;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < template->uses.count; i++) {
        count += template->uses.items[i]->to == parameter;
    }
    return count == 1 ? parameter : NULL;
}

// The default of a parameter that nothing else uses, and that may have any other one; SPAN_NONE without.
static Span default_at(const Rules *rules, Span span) {
    const PlanTemplate *template = rules->plan->names;
    const bool is_whole = template != NULL && !template->is_open && !template->has_rules;
    const PlanNamed *parameter = is_whole ? only_used_at(template, span) : NULL;
    const Data *initial = parameter == NULL ? NULL : data_get(parameter->data, "Default");
    return initial == NULL || data_get(parameter->data, "AllowedValues") != NULL ? SPAN_NONE : initial->span;
}

bool rule_suggest(const Rules *rules, Diag *diag, const Suggestion *suggestion, Span span) {
    Session *session = rules->session;
    const bool is_said = suggest_say(session, diag, suggestion, span);
    if (is_said && suggest_is_sure(suggestion) && !suggest_is_written(session, suggestion, span)) {
        const Span initial = default_at(rules, span);
        if (!span_is_none(initial) && suggest_is_written(session, suggestion, initial)) {
            diag_label(session, diag, initial, "the default");
            diag_fix(session, diag, initial, suggestion->best);
        }
    }
    return is_said;
}

// ---- one of a few words --------------------------------------------------------------------------------------------

// What the same thing is called elsewhere: by another service, another tool, or in common speech.
static const struct {
    const char *word;
    const char *meant;
} SAME[] = {
    { "x86_64", "amd64" },
    { "aarch64", "arm64" },
    { "ondemand", "on-demand" },
    { "ON_DEMAND", "on-demand" },
    { "on", "enabled" },
    { "off", "disabled" },
    { "ACTIVE", "ENABLED" },
    { "INACTIVE", "DISABLED" },
    { "Active", "Enabled" },
    { "RAM", "MEMORY" },
    { "CPU", "VCPU" },
    { "nvidia.com/gpu", "GPU" },
    { "ena", "interface" },
    { "cloudwatch", "awslogs" },
    { "cloudwatch-logs", "awslogs" },
    { "lockedmem", "memlock" },
    { "single-node", "container" },
};

static bool begins_word(Str text, size_t at) {
    const bool is_capital = text.data[at] != char_small(text.data[at]);
    return at == 0 || strchr("-_:. ", text.data[at - 1]) != NULL ||
           (is_capital && text.data[at - 1] == char_small(text.data[at - 1]));
}

// Whether a text has the first words of another one in their order, each as it begins there: `WaitForConsumer` of
// `WaitForFirstConsumer`, and `PodEvict` of `PodEvicted`. A `Not` is never left out.
static bool is_short_for(Str text, Str whole) {
    size_t at = 0;
    for (size_t i = 0; i < whole.len && at < text.len; i++) {
        if (char_small(text.data[at]) == char_small(whole.data[i])) {
            at++;
            continue;
        }
        if (at == 0 || !begins_word(text, at) || str_starts_with(str_slice(whole, i, whole.len), STR("No"))) {
            return false;
        }
        do {
            i++;
        } while (i < whole.len && !(begins_word(whole, i) && char_small(whole.data[i]) == char_small(text.data[at])));
        i--;
    }
    return at == text.len;
}

Str rule_word_meant(Str written, Str words) {
    enum { LETTERS_LEAST = 4 };
    Str meant = STR_NONE;
    uint32_t count = 0;
    size_t offset = 0;
    Str word;
    const char first = char_small(str_at(written, 0));
    const bool is_text = written.len >= LETTERS_LEAST && first >= 'a' && first <= 'z'; // 8400 is not short for 84000
    while (is_text && words_next(words, &offset, &word)) {
        const bool is_it = is_short_for(written, word);
        meant = is_it ? word : meant;
        count += is_it;
    }
    for (size_t i = 0; count == 0 && i < COUNT_OF(SAME); i++) {
        if (str_is_word(written, SAME[i].word) && words_have(words, str_of(SAME[i].meant))) {
            return str_of(SAME[i].meant);
        }
    }
    return count == 1 ? meant : STR_NONE;
}

void rule_suggest_words(const Rules *rules, Diag *diag, Str written, Str words, Span span) {
    Suggestion suggestion = suggest_for(rules->session, written);
    size_t offset = 0;
    Str word;
    while (words_next(words, &offset, &word)) {
        suggest_offer(&suggestion, word);
    }
    if (suggest_is_sure(&suggestion) && rule_suggest(rules, diag, &suggestion, span)) {
        return;
    }
    diag_help(rules->session, diag, "it takes %.*s", STR_ARG(words_list(rules->session->arena, words)));
    rule_replace(rules, diag, span, written, rule_word_meant(written, words));
}

// ---- what to write -------------------------------------------------------------------------------------------------

// `1:3` is a number of base 60 to YAML 1.1.
static bool is_of_sixties(Str word) {
    bool is = str_has(word, ":");
    for (size_t i = 0; is && i < word.len; i++) {
        is = char_is_digit(word.data[i]) || word.data[i] == ':';
    }
    return is;
}

// Whether YAML reads it as something else than this text, where it stands without quotes.
static bool wants_quotes(Str word) {
    static const char *const SIGNS[] = { ", ", ": ", " #", " ? ", "[", "]", "{", "}" };
    for (size_t i = 0; i < COUNT_OF(SIGNS); i++) {
        if (str_find(word, str_of(SIGNS[i]), 0) < word.len) {
            return true;
        }
    }
    return is_of_sixties(word) || (word.len > 0 && memchr("*&!|>%@`", word.data[0], 8) != NULL);
}

// In quotes where the old text was, and where YAML would read something else.
static Str quoted_as(const Rules *rules, Str old, Str word) {
    const char first = str_at(old, 0);
    const bool is_quoted = first == '"' || first == '\'';
    if (str_at(word, 0) == '"' || (!is_quoted && !wants_quotes(word))) {
        return word;
    }
    const char quote = is_quoted ? first : '"';
    return str_format(rules->session->arena, "%c%.*s%c", quote, STR_ARG(word), quote);
}

void rule_replace(const Rules *rules, Diag *diag, Span span, Str written, Str word) {
    const Suggestion there = { .name = written };
    const Str old = span_is_none(span) ? STR_NONE : source_text(rules->session, span);
    const bool is_there = written.len > 0 && suggest_is_written(rules->session, &there, span);
    if (is_there && word.len > 0 && memchr("*&!|>", old.data[0], 5) == NULL) {
        diag_fix(rules->session, diag, span, quoted_as(rules, old, word));
    }
}

void rule_replace_part(const Rules *rules, Diag *diag, Span span, Str part, Str word) {
    const Str old = span_is_none(span) ? STR_NONE : source_text(rules->session, span);
    const size_t at = str_find(old, part, 0);
    if (part.len > 0 && at < old.len && str_find(old, part, at + 1) >= old.len) {
        const uint32_t start = span.start + (uint32_t)at;
        diag_fix(rules->session, diag,
                 (Span){ .source = span.source, .start = start, .end = start + (uint32_t)part.len }, word);
    }
}

Str rule_plain_name(Arena *arena, Str name, bool is_small) {
    StrBuf plain = { .arena = arena };
    for (size_t i = 0; i < name.len; i++) {
        const char c = is_small ? char_small(name.data[i]) : name.data[i];
        strbuf_add_char(&plain, c == '_' ? '-' : c);
    }
    return strbuf_str(&plain);
}

// Whether a name stands in a text, not as a part of another word.
static bool has_name(Str text, Str name) {
    for (size_t at = str_find(text, name, 0); at < text.len; at = str_find(text, name, at + 1)) {
        const char before = at == 0 ? ' ' : text.data[at - 1];
        const char behind = str_at(text, at + name.len);
        if (!char_is_of_name(before) && before != '-' && !char_is_of_name(behind) && behind != '-') {
            return true;
        }
    }
    return false;
}

void rule_rename(const Rules *rules, Diag *diag, Span span, Str name, Str better) {
    const Str text = span_is_none(span) ? STR_NONE : source_get(rules->session, span.source)->text;
    const size_t at = str_find(text, name, 0);
    const bool is_once = at < text.len && str_find(text, name, at + 1) >= text.len;
    if (is_once && !has_name(text, better) && source_get(rules->session, span.source)->is_checked) {
        rule_replace(rules, diag, span, name, better);
    }
}

// A word that YAML reads as a text without quotes.
static bool is_plain_word(Str word) {
    const char first = char_small(str_at(word, 0));
    const bool is_text = str_find(word, STR("/"), 0) < word.len || str_find(word, STR("-"), 0) < word.len ||
                         (first >= 'a' && first <= 'z');
    static const char *const OTHERS[] = { "true", "false", "null", "yes", "no", "on", "off", "y", "n" };
    for (size_t i = 0; i < COUNT_OF(OTHERS); i++) {
        if (str_equal_in_any_case(word, str_of(OTHERS[i]))) {
            return false;
        }
    }
    return is_text && !char_is_digit(str_at(word, 0)) && !char_is_digit(str_at(word, 1));
}

// Whether a text begins with what a shell alone does: `cd /app`, or `FOO=1 python`.
static bool begins_in_shell(Str text) {
    static const char WORDS[] = "source|.|cd|exec|export|ulimit|set|eval|umask|trap|wait|unset|alias|if|for|while|[[";
    const Str first = str_slice(text, 0, str_find(text, STR(" "), 0));
    return str_has(first, "=") || words_have(str_of(WORDS), first);
}

static bool is_of_plain_words(Str text) {
    for (size_t i = 0; i < text.len; i++) {
        const char c = char_small(text.data[i]);
        if ((c < 'a' || c > 'z') && !char_is_digit(c) && strchr(" _./=:@%+-", c) == NULL) {
            return false;
        }
    }
    return text.len > 0;
}

void rule_split_words(const Rules *rules, Diag *diag, Span span, Str text) {
    const Str old = span_is_none(span) ? STR_NONE : source_text(rules->session, span);
    const Suggestion there = { .name = text };
    if (old.len == 0 || !is_of_plain_words(text) || begins_in_shell(text) ||
        !suggest_is_written(rules->session, &there, span)) {
        return;
    }
    const Str file = source_get(rules->session, span.source)->text;
    const char sign = old.len > text.len ? old.data[0] : '"';
    size_t before = span.start;
    while (before > 0 && strchr(" \n\t", file.data[before - 1]) != NULL) {
        before--;
    }
    StrBuf items = { .arena = rules->session->arena };
    for (size_t at = 0; at < text.len;) {
        const size_t end = str_find(text, STR(" "), at);
        const Str word = str_slice(text, at, end);
        const bool is_bare = old.len == text.len && is_plain_word(word);
        if (word.len > 0) {
            const Str quote = is_bare ? STR_NONE : (Str){ .data = &sign, .len = 1 };
            strbuf_add_format(&items, "%s%.*s%.*s%.*s", items.len == 0 ? "" : ", ", STR_ARG(quote), STR_ARG(word),
                              STR_ARG(quote));
        }
        at = end + 1;
    }
    if (before > 0 && (file.data[before - 1] == '[' || file.data[before - 1] == ',')) {
        diag_fix(rules->session, diag, span, strbuf_str(&items));
    }
}

void rule_unquote(const Rules *rules, Diag *diag, Span span) {
    diag_fix(rules->session, diag, (Span){ .source = span.source, .start = span.start, .end = span.start + 1 },
             STR(""));
    diag_fix(rules->session, diag, (Span){ .source = span.source, .start = span.end - 1, .end = span.end }, STR(""));
}

void rule_write_at(const Rules *rules, Diag *diag, Span span, Str written, Str word) {
    diag_help(rules->session, diag, "write `%.*s`", STR_ARG(word));
    rule_replace(rules, diag, span, written, word);
}

void rule_write_field(const Rules *rules, Diag *diag, const PlanField *field, const char *word) {
    diag_help(rules->session, diag, "write `%s`", word);
    rule_fix_word(rules, diag, field, word);
}
