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

void rule_suggest_words(const Rules *rules, Diag *diag, Str written, Str words, Span span) {
    Suggestion suggestion = suggest_for(rules->session, written);
    size_t offset = 0;
    Str word;
    while (words_next(words, &offset, &word)) {
        suggest_offer(&suggestion, word);
    }
    if (!suggest_is_sure(&suggestion) || !rule_suggest(rules, diag, &suggestion, span)) {
        diag_help(rules->session, diag, "it takes %.*s", STR_ARG(words_list(rules->session->arena, words)));
    }
}

// ---- what to write -------------------------------------------------------------------------------------------------

// In quotes where the old text was, and where YAML would read something else.
static Str quoted_as(const Rules *rules, Str old, Str word) {
    const char first = str_at(old, 0);
    const bool is_quoted = first == '"' || first == '\'';
    const char next = str_at(word, 0);
    if (next == '"' || (!is_quoted && next != '{' && next != '[')) {
        return word;
    }
    const char quote = is_quoted ? first : '"';
    return str_format(rules->session->arena, "%c%.*s%c", quote, STR_ARG(word), quote);
}

void rule_replace(const Rules *rules, Diag *diag, Span span, Str written, Str word) {
    const Suggestion there = { .name = written };
    const Str old = span_is_none(span) ? STR_NONE : source_text(rules->session, span);
    const bool is_there = written.len > 0 && suggest_is_written(rules->session, &there, span);
    if (is_there && memchr("*&!|>", old.data[0], 5) == NULL) {
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

void rule_write_at(const Rules *rules, Diag *diag, Span span, Str written, Str word) {
    diag_help(rules->session, diag, "write `%.*s`", STR_ARG(word));
    rule_replace(rules, diag, span, written, word);
}

void rule_write_field(const Rules *rules, Diag *diag, const PlanField *field, const char *word) {
    diag_help(rules->session, diag, "write `%s`", word);
    rule_fix_word(rules, diag, field, word);
}
