// The forms of ids and ARNs. A word that stands for an id has no id's form: `SUBNET_ID`, `<subnet>`, `subnet-xyz`. So no
// list of such words is needed.
#include "compiler/plan/rules/value/kind_forms.h"

#include "compiler/base/pattern.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/placeholder.h"
#include "compiler/plan/rules/pseudo_parameter.h"
#include "compiler/plan/rules/rule_word.h"

typedef struct {
    const char *kind;
    const char *pattern;
    const char *example;
} KindForm;

static const KindForm KIND_FORMS[] = {
#define KIND_FORM(kind, pattern, example) { kind, pattern, example },
#include "schema/text_forms.def"
};

static const KindForm *row_of(const char *kind) {
    for (size_t i = 0; i < COUNT_OF(KIND_FORMS); i++) {
        if (strcmp(KIND_FORMS[i].kind, kind) == 0) {
            return &KIND_FORMS[i];
        }
    }
    return NULL;
}

bool kind_form_is_known(const ResourceTakes *takes) {
    return row_of(takes->kinds[0]) != NULL;
}

// Whether each kind has a form, and the text has none of them.
static bool is_of_no_kind(Session *session, const ResourceTakes *takes, Str text) {
    for (size_t i = 0; takes->kinds[i] != NULL; i++) {
        const KindForm *row = row_of(takes->kinds[i]);
        if (row == NULL || pattern_match(session, str_of(row->pattern), text, NULL) != PATTERN_NO) {
            return false;
        }
    }
    return true;
}

// Somebody else puts something in its place, a chart, a pipeline or a script beside the file; or another rule speaks of it,
// as file_placeholders of `<subnet>`.
static bool is_filled_in(const Plan *plan, Str text) {
    static const char *const OPENS[] = { "{{", "${{", "$(", "#{", "%{", "<%", "((", "[[" };
    size_t start = 0;
    size_t end = 0;
    bool is = plan->is_to_render || placeholder_is_filled_by(&plan->fillers, text) ||
              placeholder_find(text, TEXT_PLAIN, 0, &start, &end) || placeholder_find_angle(text, 0, &start, &end) ||
              placeholder_is_variable(text) || placeholder_find_example(text, 0, &start, &end) ||
              str_starts_with(text, STR("/aws/service/"));
    for (size_t i = 0; i < COUNT_OF(OPENS); i++) {
        is = is || str_has(text, OPENS[i]);
    }
    // Who writes several variables into a file has something that fills them in.
    return is || (str_has(text, "$") && (plan->fillers.has_envsubst || plan->fillers.has_variables));
}

// The name of something in the template: rule template_kinds says that a `Ref` is meant.
static bool is_name(const Plan *plan, Str text) {
    return plan->names != NULL && (plan_named(plan->names, NAMED_PARAMETER, text) != NULL ||
                                   plan_named(plan->names, NAMED_RESOURCE, text) != NULL);
}

// A name where the ARN of a policy belongs: the rules of policies say which one is meant.
static bool is_no_arn(const ResourceTakes *takes, Str text) {
    return str_is(str_of(takes->kinds[0]), "a policy ARN") && str_find(text, STR(":policy/"), 0) >= text.len;
}

// Whether the text, perhaps in quotes, is all that stands where the value does: no parameter gives it, nor a part of it.
static bool is_written(const ValuePlace *place, const Value *value, Str text) {
    Session *session = place->rules->session;
    const Str there = source_text(session, value->span);
    const Str own = value->kind == VALUE_STRING ? text : pseudo_parameter_written(session->arena, value);
    return own.len > 0 && there.len <= own.len + 2 && str_find(there, own, 0) < there.len;
}

// The same id behind the right word, where the word is misspelt: `sbunet-…`. Empty: something else is wrong.
static Str respelt(Session *session, const KindForm *row, Str text) {
    const Str example = str_of(row->example);
    const Str word = str_slice(example, 0, str_find(example, STR("-"), 0));
    size_t end = 0;
    while (end < text.len &&
           ((text.data[end] >= 'a' && text.data[end] <= 'z') || (text.data[end] >= 'A' && text.data[end] <= 'Z'))) {
        end++;
    }
    Suggestion suggestion = suggest_for(session, str_slice(text, 0, end));
    suggest_offer(&suggestion, word);
    const bool is_id = end > 0 && (str_at(text, end) == '-' || str_at(text, end) == '_');
    const Str new = str_format(session->arena, "%.*s-%.*s", STR_ARG(word), STR_ARG(str_slice(text, end + 1, text.len)));
    const bool is_near = is_id && (suggestion.best.len > 0 || str_equal(str_slice(text, 0, end), word));
    return is_near && pattern_match(session, str_of(row->pattern), new, NULL) == PATTERN_YES ? new : STR_NONE;
}

static const char *kinds_of(Arena *arena, const ResourceTakes *takes) {
    if (takes->kinds[1] == NULL) {
        return takes->kinds[0];
    }
    StrBuf text = { .arena = arena };
    for (size_t i = 0; takes->kinds[i] != NULL; i++) {
        strbuf_add_format(&text, "%s%s", i == 0 ? "" : " or ", takes->kinds[i]);
    }
    return str_c(arena, strbuf_str(&text));
}

static void check_item(const ValuePlace *place, const ResourceTakes *takes, Str key, const Value *value, Str text) {
    Session *session = place->rules->session;
    if (text.len == 0 || !is_of_no_kind(session, takes, text) || is_filled_in(place->rules->plan, text) ||
        is_name(place->rules->plan, text) || is_no_arn(takes, text)) {
        return;
    }
    Diag *diag = plan_report(session, place_subject(place, value->span), value->span, DIAG(text_form), STR_ARG(key),
                             kinds_of(session->arena, takes), STR_ARG(text));
    if (diag->is_dropped) {
        return; // of a long list nobody reads what would mend each item
    }
    const KindForm *row = row_of(takes->kinds[0]);
    const Str new = respelt(session, row, text);
    if (new.len > 0 && value->kind == VALUE_STRING && str_equal(text, value->string)) {
        rule_write_at(place->rules, diag, value->span, text, new);
    } else {
        diag_help(session, diag, "write a text such as `%s`", row->example);
    }
    plan_say_once(session, diag);
}

void kind_form_check(const ValuePlace *place, const ResourceTakes *takes, Str key, const Value *value, Str text) {
    if (!kind_form_is_known(takes) || !is_written(place, value, text)) {
        return;
    }
    // The parameters of a StorageClass have lists as one text.
    for (size_t at = 0; at < text.len;) {
        const size_t end = str_find(text, STR(","), at);
        check_item(place, takes, key, value, str_trim(str_slice(text, at, end)));
        at = end + 1;
    }
}
