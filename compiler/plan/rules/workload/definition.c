// Rules about containers of job definitions that somebody wrote. What is judged is what is judged of declared jobs
// (job.h), which say it in their attributes.
#include "compiler/plan/rules/rule_written.h"
#include "compiler/plan/rules/rule_field.h"
#include "compiler/plan/rules/job.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/rule_word.h"
#include "compiler/plan/model/image.h"
#include "compiler/plan/model/nics.h"

void rule_definition_nodes(const Rules *rules, const PlanContainer *container) {
    int64_t nodes = 0;
    if (container->form != FORM_RESOURCE || !container->is_multi_node || !field_integer(&container->nodes, &nodes)) {
        return;
    }
    const PlanField *most = &container->most_nodes;
    if (nodes < 1) {
        rule_too_few(rules, container->subject, container->form, rule_span(&container->nodes), "NumNodes", nodes, 1);
    } else if (most->state == FIELD_KNOWN) {
        rules_nodes_of_job(rules, container->subject, container->name, rule_span(&container->nodes), nodes,
                           container->most_of, rule_span(most), field_number(most, INT64_MAX));
    }
}

void rule_definition_type(const Rules *rules, const PlanContainer *container) {
    const PlanField *type = &container->instance_type;
    if (container->form != FORM_RESOURCE || container->other_type.state != FIELD_KNOWN) {
        return;
    }
    Diag *diag =
        plan_report(rules->session, container->subject, rule_span(type), DIAG(definition_type), STR_ARG(type->text));
    diag_label(rules->session, diag, rule_span(&container->other_type), "this type is there");
    diag_help(rules->session, diag, "name a type that is there, or leave `InstanceType` out");
}

void rule_definition_attempts(const Rules *rules, const PlanContainer *container) {
    int64_t attempts = 0;
    if (field_integer(&container->attempts, &attempts)) {
        rules_attempts(rules, container->subject, rule_span(&container->attempts), attempts, "AWS Batch makes",
                       LIMIT_JOB_ATTEMPTS_MAX);
    }
}

void rule_definition_timeout(const Rules *rules, const PlanContainer *container) {
    int64_t seconds = 0;
    if (field_integer(&container->timeout, &seconds) && seconds > -INT32_MAX && seconds <= INT32_MAX) {
        rules_timeout(rules, container->subject, rule_span(&container->timeout), seconds * 1000,
                      str_format(rules->session->arena, "%" PRId64 "s", seconds), true);
    }
}

// Memory that is too little for anything is one mistake.
void rule_definition_shm(const Rules *rules, const PlanContainer *container) {
    if (container->form == FORM_RESOURCE && container->shm.state == FIELD_KNOWN && container->shm_bytes >= 0 &&
        container->memory.state == FIELD_KNOWN &&
        container->memory_bytes >= LIMIT_JOB_MEMORY_MIB_MIN * INT64_C(1024) * 1024) {
        rules_shm(rules, container->subject, rule_span(&container->shm), container->shm_bytes,
                  rule_span(&container->memory), container->memory_bytes);
    }
}

// ---- the environment -----------------------------------------------------------------------------------------------

static void check_variable(const Rules *rules, const PlanContainer *container, const PlanVariable *variable) {
    const Str name = variable->name.text;
    const char *fault = rules_variable_fault(name, true);
    if (fault != NULL) {
        plan_report(rules->session, container->subject, rule_span(&variable->name), DIAG(bad_variable), STR_ARG(name),
                    fault);
    } else if (!rules_is_shell_name(name)) {
        rules_unreadable_variable(rules, container->subject, rule_span(&variable->name), name);
    }
}

static void check_secret(const Rules *rules, const PlanContainer *container, const PlanVariable *secret) {
    check_variable(rules, container, secret);
    for (uint32_t i = 0; i < container->variables.count; i++) {
        const PlanVariable *variable = &container->variables.items[i];
        if (str_equal(variable->name.text, secret->name.text)) {
            rules_secret_twice(rules, container->subject, rule_span(&secret->name), secret->name.text,
                               rule_span(&variable->name));
        }
    }
}

void rule_definition_variables(const Rules *rules, const PlanContainer *container) {
    for (uint32_t i = 0; container->form == FORM_RESOURCE && i < container->variables.count; i++) {
        const PlanVariable *variable = &container->variables.items[i];
        check_variable(rules, container, variable);
        if (rules_has_variable(variable->value.text)) {
            rules_env_text(rules, container->subject, rule_span(&variable->value), variable->name.text);
        }
        rules_credential(rules, container->subject, rule_span(&variable->value), variable->name.text,
                         variable->value.text);
    }
    for (uint32_t i = 0; i < container->secrets.count; i++) {
        const PlanVariable *secret = &container->secrets.items[i];
        check_secret(rules, container, secret);
        if (secret->value.state == FIELD_KNOWN) {
            rules_secret_id(rules, container->subject, rule_span(&secret->value), secret->name.text, secret->value.text,
                            false);
        }
    }
}

// ---- what runs -----------------------------------------------------------------------------------------------------

void rule_definition_image(const Rules *rules, const PlanContainer *container) {
    if (container->image.state == FIELD_KNOWN) {
        rules_registry(rules, container->subject, rule_span(&container->image), container->image.text);
    }
}

void rule_definition_user(const Rules *rules, const PlanContainer *container) {
    const PlanField *user = &container->user;
    const char *fault = user->state == FIELD_KNOWN ? rules_user_fault(user->text) : NULL;
    if (fault != NULL) {
        Diag *diag =
            rule_bad_name(rules, container->subject, rule_span(user), user->text, "the user of a container", fault);
        diag_help(rules->session, diag, "write `user`, `user:group`, or their ids");
    }
}

// ---- the fabric ----------------------------------------------------------------------------------------------------

static void say_no_efa(const Rules *rules, const PlanContainer *container, Diag *diag) {
    const InstanceRow *row = container->row;
    diag_label(rules->session, diag, rule_span(&container->instance_type), "has %d EFA interface%s", row->efa_max,
               row->efa_max == 1 ? "" : "s");
    diag_label(rules->session, diag, container->efa_span, "its nodes get none");
    diag_help(rules->session, diag,
              "give `%.*s` a launch template with interfaces of type `efa`, or say that it is meant: %.*s",
              STR_ARG(container->efa_of),
              STR_ARG(rule_way_to_allow(rules, container->subject, diag_row(diag->id)->code)));
}

// What a declared job has in its group, a definition has in the compute environment that runs it.
void rule_definition_fabric(const Rules *rules, const PlanContainer *container) {
    const InstanceRow *row = container->row;
    const int64_t nodes = container->is_multi_node ? field_number(&container->nodes, -1) : -1;
    if (nodes < 2 || row == NULL || row->accelerator == ACCELERATOR_NONE || row->efa_max < 1 ||
        container->efa_of.len == 0 || container->efa_count != 0) {
        return;
    }
    const Span span = rule_span(&container->nodes);
    if (!nics_efa_is_the_point(row)) { // of others rule group_efa speaks
        say_no_efa(rules, container,
                   plan_report(rules->session, container->subject, span, DIAG(efa_left), STR_ARG(container->name),
                               nodes, STR_ARG(container->efa_of)));
    }
}
