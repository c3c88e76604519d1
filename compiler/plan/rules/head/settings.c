// Rules about settings of Slurm as lines of slurm.conf: ParallelCluster passes them on as they are, beside those that
// it writes itself.
#include "compiler/plan/rules/rules.h"
#include "compiler/plan/rules/rule_remove.h"

#include "compiler/plan/model/allow.h"
#include "schema/names.h"

// ---- lines -----------------------------------------------------------------------------------------------------

static const char *key_fault(Str key) {
    for (size_t i = 0; i < key.len; i++) {
        const char c = key.data[i];
        if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9') && c != '_') {
            return "a key is of letters and digits";
        }
    }
    return key.len == 0 ? "a key is of letters and digits" : NULL;
}

static const char *text_fault(Str text) {
    for (size_t i = 0; i < text.len; i++) {
        const unsigned char c = (unsigned char)text.data[i];
        if (c == '\n' || c == '\r') {
            return "a setting is one line";
        }
        if (c == '#') {
            return "a comment begins at `#`";
        }
        if ((c < ' ' && c != '\t') || c == 0x7f) {
            return "it holds a control character";
        }
    }
    return NULL;
}

// What is between the lines of a message, so that a line end does not break it.
static Str shown(const Rules *rules, Str text) {
    const size_t end = str_find(text, STR("\n"), 0);
    return end == text.len ? text : str_format(rules->session->arena, "%.*s…", STR_ARG(str_slice(text, 0, end)));
}

void rule_setting_key(const Rules *rules, const PlanSetting *setting) {
    const Str key = setting->entry->key;
    const char *fault = key_fault(key);
    if (fault != NULL) {
        plan_report(rules->session, setting->subject, setting->entry->key_span, DIAG(slurm_line),
                    STR_ARG(shown(rules, key)), fault);
    }
}

void rule_setting_text(const Rules *rules, const PlanSetting *setting) {
    const Value *value = setting->entry->value;
    const char *fault = value->kind == VALUE_STRING ? text_fault(value->string) : NULL;
    if (fault != NULL) {
        plan_report(rules->session, setting->subject, value->span, DIAG(slurm_line),
                    STR_ARG(shown(rules, value->string)), fault);
    }
}

// ---- what ParallelCluster writes -------------------------------------------------------------------------------

// The daemons of ParallelCluster take nodes with these in their names for their own.
void rule_setting_node_name(const Rules *rules, const PlanSetting *setting) {
    const ValueEntry *entry = setting->entry;
    const NameList own = names_of(NAMES_SLURM_PARTS_OF_NODES);
    const bool is_asked = setting->place == SLURM_CLUSTER && !setting->is_patched;
    const bool is_name = is_asked && str_is_in_any_case(entry->key, "nodename");
    for (size_t i = 0; is_name && entry->value->kind == VALUE_STRING && i < own.count; i++) {
        if (str_find(entry->value->string, str_of(own.items[i]), 0) < entry->value->string.len) {
            Arena *arena = rules->session->arena;
            Str fault = str_format(arena, "ParallelCluster's own nodes have `%s` in their names", own.items[i]);
            plan_report(rules->session, setting->subject, entry->value->span, DIAG(slurm_line),
                        STR_ARG(entry->value->string), str_c(arena, fault));
        }
    }
}

static bool has_database(const PlanSetting *setting) {
    return setting->cluster == NULL ? setting->has_database : setting->cluster->slurm->database != NULL;
}

// ParallelCluster writes it from a key of its own file.
static bool has_other_name(const PlanSetting *setting) {
    return setting->place == SLURM_CLUSTER && str_is_in_any_case(setting->entry->key, "suspendtime");
}

// The way out where ParallelCluster writes the setting itself; NULL where it does not.
static const char *denied_because(const PlanSetting *setting) {
    const Str key = setting->entry->key;
    switch (setting->place) {
    case SLURM_CLUSTER:
        if (names_have_in_any_case(NAMES_SLURM_WRITTEN_BY_CLUSTER, key)) {
            return !has_other_name(setting)   ? "remove it"
                   : setting->cluster == NULL ? "write `ScaledownIdletime` instead"
                                              : "write `scaledown_idletime` instead";
        }
        if (!has_database(setting) || !names_have_in_any_case(NAMES_SLURM_WRITTEN_WITH_DATABASE, key)) {
            return NULL;
        }
        return setting->cluster == NULL ? "remove it: it follows from `Database`"
                                        : "remove it: it follows from `database`";
    case SLURM_NODE:
        return names_have_in_any_case(NAMES_SLURM_WRITTEN_BY_NODES, key)
                   ? "remove it: it follows from the instance type"
                   : NULL;
    case SLURM_PARTITION:
        return !names_have_in_any_case(NAMES_SLURM_WRITTEN_BY_PARTITIONS, key) ? NULL
               : str_is_in_any_case(key, "oversubscribe") ? "remove it; `JobExclusiveAllocation: true` gives each job "
                                                            "whole nodes"
                                                          : "remove it";
    }
    return NULL;
}

void rule_setting_denied(const Rules *rules, const PlanSetting *setting) {
    const char *help = setting->is_patched ? NULL : denied_because(setting);
    if (help != NULL) {
        Diag *diag = plan_report(rules->session, setting->subject, setting->entry->key_span, DIAG(slurm_setting_denied),
                                 STR_ARG(setting->entry->key));
        diag_help(rules->session, diag, "%s", help);
        if (!has_other_name(setting)) {
            rule_remove(rules, diag, setting->entry->key_span, true);
        }
    }
}
