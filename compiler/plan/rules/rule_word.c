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
