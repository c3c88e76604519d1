// Rules about variables that libraries of a job read, whoever sets them: containers of pods, job definitions, jobs, scripts of
// a shell and images. A name that is misspelt is read by nobody, and a value that is none of a variable's is passed over, or ends
// the job.
#include "compiler/plan/rules/rule_word.h"

#include "compiler/base/str_map.h"
#include "compiler/base/suggest.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/launcher.h"
#include "schema/variable_names.h"
#include "schema/variable_values.h"

// Where names stand, and what else reads them there.
typedef struct {
    const Rules *rules;
    const Subject *subject;
    Str text;     // of all that may use them; empty: a launcher has it
    StrMap used;  // names of variables that the text has
    bool is_read; // `used` is filled
    const PlanLauncher *launcher;
    bool has_interfaces; // rules about interfaces look at the lists of Gloo, as a whole
} NameCheck;

// Whether the text fills in `$NAME` or `${NAME}`: then its author has a variable of this name.
static bool text_uses(NameCheck *check, Str name) {
    const Str text = check->text;
    for (size_t at = str_find(text, STR("$"), 0); !check->is_read && at < text.len;
         at = str_find(text, STR("$"), at + 1)) {
        size_t start = at + 1;
        while (strchr("{!#(", str_at(text, start)) != NULL && start < text.len) {
            start++;
        }
        size_t end = start;
        while (char_is_of_name(str_at(text, end))) {
            end++;
        }
        str_map_add(&check->used, str_slice(text, start, end), check);
    }
    check->is_read = true;
    return str_map_get(&check->used, name) != NULL;
}

static bool launcher_uses(const PlanLauncher *launcher, Str name) {
    bool uses = false;
    for (uint32_t i = 0; i < launcher->words.count; i++) {
        uses = uses || str_find(launcher->words.items[i].text, name, 0) < launcher->words.items[i].text.len;
    }
    for (uint32_t i = 0; i < launcher->variables.count; i++) {
        const Str value = launcher->variables.items[i].value.text;
        uses = uses || str_find(value, name, 0) < value.len;
    }
    return uses;
}

// The name that is meant; empty where the variable is known, or nobody can be sure.
static Suggestion meant(Session *session, Str name) {
    Suggestion none = { .name = name };
    if (!variable_name_may_be(name) || variable_name_is_read(name)) {
        return none;
    }
    Suggestion suggestion = suggest_for(session, name);
    VariableNames names = { 0 };
    for (Str next = variable_name_next(&names); next.len > 0; next = variable_name_next(&names)) {
        suggest_offer(&suggestion, next);
    }
    return suggest_is_sure(&suggestion) ? suggestion : none;
}

static void check_name(NameCheck *check, const PlanField *name) {
    Session *session = check->rules->session;
    const Suggestion suggestion = name->state == FIELD_KNOWN ? meant(session, name->text) : (Suggestion){ 0 };
    if (suggestion.best.len == 0 ||
        (check->launcher != NULL ? launcher_uses(check->launcher, name->text) : text_uses(check, name->text))) {
        return;
    }
    Diag *diag = plan_report(session, check->subject, name->span, DIAG(variable_misspelt), STR_ARG(name->text));
    rule_suggest(check->rules, diag, &suggestion, name->span);
}

// Without the quotes around all of it.
static Str unquoted(Str value) {
    const char quote = str_at(value, 0);
    const bool is_quoted = value.len > 1 && strchr("\"'", quote) != NULL && value.data[value.len - 1] == quote;
    return is_quoted ? str_slice(value, 1, value.len - 1) : value;
}

static void check_value(const NameCheck *check, const PlanField *name, const PlanField *value) {
    Session *session = check->rules->session;
    const VariableValues *row = value->state == FIELD_KNOWN ? variable_values(name->text) : NULL;
    const Str part = row == NULL ? STR_NONE : variable_value_unread(row, unquoted(value->text));
    const bool is_other_rules = check->has_interfaces && row != NULL && row->shape == VALUES_NAMES &&
                                str_starts_with(unquoted(value->text), STR("^"));
    if (part.len == 0 || is_other_rules) {
        return;
    }
    const Span span = launcher_part(session, value->span, part);
    Diag *diag = row->is_fatal ? plan_report(session, check->subject, span, DIAG(variable_value_refused),
                                             STR_ARG(name->text), STR_ARG(part), row->effect)
                               : plan_report(session, check->subject, span, DIAG(variable_value_unread),
                                             STR_ARG(name->text), STR_ARG(part), row->effect);
    if (row->words[0] != '\0') {
        rule_suggest_words(check->rules, diag, part, str_of(row->words), span);
    } else if (row->shape == VALUES_NUMBER) {
        diag_help(session, diag, "write a whole number");
    } else if (row->shape == VALUES_PREFIXES) {
        diag_help(session, diag, "write one list of names to take, or `^` before one of names to leave out");
    } else {
        diag_help(session, diag, "write the name of the interface, or leave the variable out");
    }
}

static void check_variable(NameCheck *check, const PlanVariable *variable) {
    check_name(check, &variable->name);
    check_value(check, &variable->name, &variable->value);
}

void rule_script_variable_names(const Rules *rules, const PlanSlurmScript *script) {
    NameCheck check = { .rules = rules,
                        .subject = script->subject,
                        .text = script->text,
                        .used = { .arena = rules->session->arena },
                        .has_interfaces = script->own.count + script->steps.count > 0 };
    for (uint32_t i = 0; i < script->sets.count; i++) {
        check_variable(&check, &script->sets.items[i]);
    }
}

// An ARG is read where the image is built, by whoever wrote it.
void rule_docker_variable_names(const Rules *rules, const PlanDockerfile *file) {
    NameCheck check = {
        .rules = rules, .subject = file->subject, .text = file->text, .used = { .arena = rules->session->arena }
    };
    for (uint32_t i = 0; i < file->steps.count; i++) {
        const DockerStep *step = &file->steps.items[i];
        for (uint32_t k = 0; step->kind == DOCKER_ENV && k < step->settings.count; k++) {
            const DockerSetting *setting = &step->settings.items[k];
            const PlanVariable variable = { .name = field_known("name", setting->name_span, setting->name),
                                            .value = field_known("value", setting->span, setting->value) };
            check_variable(&check, &variable);
        }
    }
}

// What scripts set. The place of each is looked for from the start of its script: a hostile one would have too many.
static void check_settings(const NameCheck *check) {
    enum { FOUND_MAX = 20 };
    int found = 0;
    for (uint32_t i = 0; i < check->launcher->settings.count && found < FOUND_MAX; i++) {
        const CommandSetting *setting = &check->launcher->settings.items[i];
        const VariableValues *row = setting->value.len == 0 ? NULL : variable_values(setting->name);
        if (row != NULL && variable_value_unread(row, unquoted(setting->value)).len > 0) {
            const Span span = command_value_place(check->rules->session, &check->launcher->words, setting);
            const PlanField name = field_known("name", SPAN_NONE, setting->name);
            const PlanField value = field_known("value", span, setting->value);
            check_value(check, &name, &value);
            found++;
        }
    }
}

static void check_launcher(const Rules *rules, const Subject *subject, const PlanLauncher *launcher,
                           bool has_interfaces) {
    NameCheck check = { .rules = rules, .subject = subject, .launcher = launcher, .has_interfaces = has_interfaces };
    for (uint32_t i = 0; i < launcher->variables.count; i++) {
        check_variable(&check, &launcher->variables.items[i]);
    }
    check_settings(&check);
}

void rule_pod_variable_names(const Rules *rules, const PlanObject *object) {
    for (uint32_t i = 0; i < object->workloads.count; i++) {
        check_launcher(rules, object->subject, object->workloads.items[i]->launcher, true);
    }
}

void rule_variable_names_of_job(const Rules *rules, const PlanJob *job) {
    check_launcher(rules, job->head.subject, job->workload->launcher, job->eks != NULL);
}

void rule_definition_variable_names(const Rules *rules, const PlanContainer *container) {
    if (container->form == FORM_RESOURCE) {
        check_launcher(rules, container->subject, container->launcher, false);
    }
}
