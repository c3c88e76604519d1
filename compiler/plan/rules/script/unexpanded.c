// Rules about texts of `env` that only a shell would fill in. dtc quotes them, so that none is read as something else.
#include "compiler/plan/rules/job.h"

#include "compiler/plan/model/allow.h"

// Whether a text is a script, for a shell to read.
static bool is_script(Str text) {
    static const char *const STARTS[] = { "#!", "bash ", "sh ", "export ", "source " };
    static const char *const SIGNS[] = { "; ", " && ", " || ", "\n" };
    bool is = str_has_any(text, SIGNS, COUNT_OF(SIGNS));
    for (size_t i = 0; i < COUNT_OF(STARTS); i++) {
        is = is || str_starts_with(text, str_of(STARTS[i]));
    }
    return is;
}

bool rules_has_variable(Str text) {
    if (is_script(text)) {
        return false;
    }
    for (size_t at = 0; (at = str_find(text, STR("$"), at)) < text.len; at++) {
        const char before = at == 0 ? '=' : text.data[at - 1];
        const char next = str_at(text, at + 1);
        const bool is_name = next == '{' || next == '_' || (next >= 'A' && next <= 'Z');
        if (is_name && (before == '=' || before == '/' || before == ':')) {
            return true;
        }
    }
    return false;
}

void rule_recipe_env_texts(const Rules *rules, const PlanImage *image) {
    const Value *env = image->recipe == NULL ? NULL : image->recipe->env;
    for (uint32_t i = 0; env != NULL && i < env->map.count; i++) {
        const ValueEntry *entry = &env->map.entries[i];
        if (rules_has_variable(entry->value->string)) {
            Diag *diag = plan_report(rules->session, image->head.subject, entry->value->span, DIAG(env_not_expanded),
                                     STR_ARG(entry->key));
            diag_help(rules->session, diag, "write the whole value");
        }
    }
}

void rules_env_text(const Rules *rules, const Subject *subject, Span span, Str name) {
    Diag *diag = plan_report(rules->session, subject, span, DIAG(env_not_expanded), STR_ARG(name));
    diag_help(rules->session, diag,
              "write the whole value, or set it in the command: `[\"sh\", \"-c\", \"export %.*s=…; exec …\"]`",
              STR_ARG(name));
}

static void check_text(const RuleTexts *texts, const Value *text) {
    if (rules_has_variable(text->string)) {
        rules_env_text(texts->rules, texts->subject, text->span, str_of(texts->attribute));
    }
}

void rule_env_texts(const Rules *rules, const PlanJob *job) {
    RuleTexts texts = { .rules = rules, .subject = job->head.subject };
    for (uint32_t i = 0; job->env->kind == VALUE_MAP && i < job->env->map.count; i++) {
        const ValueEntry *entry = &job->env->map.entries[i];
        texts.attribute = str_c(rules->session->arena, entry->key);
        rules_each_text(&texts, entry->value, check_text);
    }
}
