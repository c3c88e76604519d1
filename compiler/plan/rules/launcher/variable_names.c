// A rule about the names of variables that libraries of a job read, whoever sets them: containers of pods, job definitions,
// jobs, scripts of a shell and images. A name that is misspelt is read by nobody, and nothing says so.
#include "compiler/plan/rules/rule_word.h"

#include "compiler/base/str_map.h"
#include "compiler/base/suggest.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/launcher.h"
#include "schema/variable_names.h"

// Where names stand, and what else reads them there.
typedef struct {
    const Rules *rules;
    const Subject *subject;
    Str text;     // of all that may use them; empty: a launcher has it
    StrMap used;  // names of variables that the text has
    bool is_read; // `used` is filled
    const PlanLauncher *launcher;
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

void rule_script_variable_names(const Rules *rules, const PlanSlurmScript *script) {
    NameCheck check = {
        .rules = rules, .subject = script->subject, .text = script->text, .used = { .arena = rules->session->arena }
    };
    for (uint32_t i = 0; i < script->sets.count; i++) {
        check_name(&check, &script->sets.items[i].name);
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
            const PlanField name = field_known("name", step->settings.items[k].name_span, step->settings.items[k].name);
            check_name(&check, &name);
        }
    }
}

static void check_launcher(const Rules *rules, const Subject *subject, const PlanLauncher *launcher) {
    NameCheck check = { .rules = rules, .subject = subject, .launcher = launcher };
    for (uint32_t i = 0; i < launcher->variables.count; i++) {
        check_name(&check, &launcher->variables.items[i].name);
    }
}

void rule_pod_variable_names(const Rules *rules, const PlanObject *object) {
    for (uint32_t i = 0; i < object->workloads.count; i++) {
        check_launcher(rules, object->subject, object->workloads.items[i]->launcher);
    }
}

void rule_variable_names_of_job(const Rules *rules, const PlanJob *job) {
    check_launcher(rules, job->head.subject, job->workload->launcher);
}

void rule_definition_variable_names(const Rules *rules, const PlanContainer *container) {
    if (container->form == FORM_RESOURCE) {
        check_launcher(rules, container->subject, container->launcher);
    }
}
