// A rule about the directory of a cluster of ParallelCluster: how its nodes reach it.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/configuration.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/rules/rule_word.h"

// Options of sssd by which its author has thought of it.
// source: sssd-ldap(5), ldap_id_use_start_tls; AWS ParallelCluster User Guide, DirectoryService section, DomainAddr and
// AdditionalSssdConfigs, 2026-11, read 2026-11
static const char *const CHOICES[] = { "ldap_id_use_start_tls", "ldap_auth_disable_tls_never_use_in_production" };

void rule_configuration_directory(const Rules *rules, const PlanConfiguration *configuration) {
    const Value *directory = object_get(configuration->document, "DirectoryService");
    const Value *address = object_get(directory, "DomainAddr");
    const Value *options = object_get(directory, "AdditionalSssdConfigs");
    const Str text = object_text(address);
    bool is_chosen = options != NULL && options->kind != VALUE_MAP;
    for (size_t i = 0; i < COUNT_OF(CHOICES); i++) {
        is_chosen = is_chosen || object_get(options, CHOICES[i]) != NULL;
    }
    if (!str_starts_with_in_any_case(text, STR("ldap://")) || is_chosen) {
        return;
    }
    Session *session = rules->session;
    Diag *diag = plan_report(session, configuration_subject(configuration, address->span), address->span,
                             DIAG(directory_in_clear), STR_ARG(text));
    const Str better = str_format(session->arena, "ldaps://%.*s", STR_ARG(str_slice(text, 7, text.len)));
    diag_help(session, diag, "write `%.*s`, or `ldap_id_use_start_tls: \"true\"` into `AdditionalSssdConfigs`",
              STR_ARG(better));
}
