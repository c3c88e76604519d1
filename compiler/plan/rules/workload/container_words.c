// Rules about words in containers of AWS Batch that a program behind it reads: options of a log driver, and parameters of a
// command. Batch takes any of them.
#include "compiler/plan/rules/rules.h"

#include "compiler/base/suggest.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/job_containers.h"
#include "compiler/plan/rules/rule_word.h"
#include "compiler/plan/model/object_value.h"
#include "schema/names.h"

// ---- logs ------------------------------------------------------------------------------------------------------------

static void check_options(const Rules *rules, const PlanResource *resource, const Value *options) {
    const NameList known = names_of(NAMES_AWSLOGS_OPTIONS);
    for (uint32_t i = 0; i < options->map.count; i++) {
        const ValueEntry *entry = &options->map.entries[i];
        if (names_have(NAMES_AWSLOGS_OPTIONS, entry->key) || str_starts_with(entry->key, STR("Fn::"))) {
            continue;
        }
        Suggestion suggestion = suggest_for(rules->session, entry->key);
        for (size_t k = 0; k < known.count; k++) {
            suggest_offer(&suggestion, str_of(known.items[k]));
        }
        Diag *diag =
            plan_report(rules->session, resource->subject, entry->key_span, DIAG(log_option), STR_ARG(entry->key));
        if (!suggest_say(rules->session, diag, &suggestion, entry->key_span)) {
            diag_help(rules->session, diag, "leave it out, or write one such as `awslogs-group`");
        }
    }
}

void rule_log_options(const Rules *rules, const PlanResource *resource) {
    const JobContainers containers = job_containers(rules->session->arena, resource->resource);
    for (uint32_t i = 0; i < containers.count; i++) {
        const Value *logs = object_get(containers.items[i].container, "LogConfiguration");
        const Value *options = object_get(logs, "Options");
        if (options != NULL && options->kind == VALUE_MAP &&
            str_is_in_any_case(object_text(object_get(logs, "LogDriver")), "awslogs")) {
            check_options(rules, resource, options);
        }
    }
}

// ---- parameters ------------------------------------------------------------------------------------------------------

// `Ref::name` stands for a parameter. Who submits a job may give others than the definition has, so that only a name which
// is almost one of its own is a mistake.
static void check_word(const Rules *rules, const PlanResource *resource, const Value *parameters, const Value *word) {
    const Str start = STR("Ref::");
    const Str text = object_text(word);
    const Str name = str_slice(text, start.len, text.len);
    if (!str_starts_with(text, start) || name.len == 0 || value_find(parameters, name) != NULL) {
        return;
    }
    Suggestion suggestion = suggest_for(rules->session, name);
    for (uint32_t i = 0; i < parameters->map.count; i++) {
        suggest_offer(&suggestion, parameters->map.entries[i].key);
    }
    if (!suggest_is_sure(&suggestion)) {
        return;
    }
    Diag *diag = plan_report(rules->session, resource->subject, word->span, DIAG(parameter_of_nothing), STR_ARG(name));
    diag_label(rules->session, diag, value_find(parameters, suggestion.best)->span, "almost the same");
    suggestion.name = text;
    suggestion.best = str_format(rules->session->arena, "Ref::%.*s", STR_ARG(suggestion.best));
    rule_suggest(rules, diag, &suggestion, word->span);
}

void rule_command_parameters(const Rules *rules, const PlanResource *resource) {
    const bool is_definition = str_is(resource->resource->type, "AWS::Batch::JobDefinition");
    const Value *parameters = is_definition ? resource_property(resource->resource, "Parameters") : NULL;
    if (parameters == NULL || parameters->kind != VALUE_MAP || parameters->map.count == 0) {
        return;
    }
    const JobContainers containers = job_containers(rules->session->arena, resource->resource);
    for (uint32_t i = 0; i < containers.count; i++) {
        const Value *command = object_get(containers.items[i].container, "Command");
        for (uint32_t k = 0; k < object_count(command); k++) {
            check_word(rules, resource, parameters, command->list.items[k]);
        }
    }
}
