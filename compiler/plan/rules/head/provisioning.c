// Rules about the provisioning parameters of HyperPod: keys, groups of the cluster beside the file, partitions, and the file
// system.
#include "compiler/plan/rules/rule_field.h"
#include "compiler/plan/rules/rule_word.h"

#include "compiler/base/str_map.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/provisioning.h"

// source: Amazon SageMaker AI Developer Guide, Configuration form for provisioning Slurm nodes on HyperPod;
// awslabs/awsome-distributed-ai 1.architectures/5.sagemaker-hyperpod, lifecycle_script.py, read 2026-11
typedef struct {
    const char *name;
    bool is_needed;
} KeyRow;

static const KeyRow KEY_ROWS[] = {
    { "version", true },        { "workload_manager", true },      { "controller_group", true },
    { "worker_groups", true },  { "login_group", false },          { "fsx_dns_name", false },
    { "fsx_mountname", false }, { "fsx_openzfs_dns_name", false }, { "slurm_configurations", false },
};

static bool is_key(Str name) {
    bool is = false;
    for (size_t i = 0; i < COUNT_OF(KEY_ROWS); i++) {
        is = is || str_is(name, KEY_ROWS[i].name);
    }
    return is;
}

static bool has_key(const PlanProvisioning *provisioning, const char *name) {
    return value_entry(provisioning->keys, provisioning->key_count, name) != NULL;
}

static Diag *refuse(const Rules *rules, const PlanProvisioning *provisioning, Span span, const char *format, Str name) {
    Arena *arena = rules->session->arena;
    StrBuf text = { .arena = arena };
    strbuf_add_format(&text, "`%.*s` ", STR_ARG(name));
    strbuf_add(&text, str_of(format));
    return plan_report(rules->session, provisioning->subject, span, DIAG(provisioning_refused),
                       str_c(arena, strbuf_str(&text)));
}

// Scripts of somebody's own may read keys of their own: one is misspelt where it is near to one that is not there.
static Str misspelt(const Rules *rules, const PlanProvisioning *provisioning, Suggestion *suggestion, Str name) {
    *suggestion = suggest_for(rules->session, name);
    for (size_t i = 0; i < COUNT_OF(KEY_ROWS); i++) {
        if (!has_key(provisioning, KEY_ROWS[i].name)) {
            suggest_offer(suggestion, str_of(KEY_ROWS[i].name));
        }
    }
    return suggestion->best;
}

// The keys that others are meant to be.
static StrMap meant_keys(const Rules *rules, const PlanProvisioning *provisioning) {
    StrMap meant = { .arena = rules->session->arena };
    for (uint32_t i = 0; i < provisioning->key_count; i++) {
        Suggestion suggestion;
        const ValueEntry *key = &provisioning->keys[i];
        const Str best = is_key(key->key) ? STR_NONE : misspelt(rules, provisioning, &suggestion, key->key);
        if (best.len > 0) {
            str_map_add(&meant, best, key);
        }
    }
    return meant;
}

static void check_key(const Rules *rules, const PlanProvisioning *provisioning, const ValueEntry *key) {
    Suggestion suggestion;
    if (!is_key(key->key) && misspelt(rules, provisioning, &suggestion, key->key).len > 0) {
        Diag *diag = refuse(rules, provisioning, key->key_span, "is none of its keys", key->key);
        rule_suggest(rules, diag, &suggestion, key->key_span);
    }
}

void rule_provisioning_keys(const Rules *rules, const PlanProvisioning *provisioning) {
    const StrMap meant = meant_keys(rules, provisioning);
    for (uint32_t i = 0; i < provisioning->key_count; i++) {
        check_key(rules, provisioning, &provisioning->keys[i]);
    }
    for (size_t i = 0; i < COUNT_OF(KEY_ROWS); i++) {
        const char *name = KEY_ROWS[i].name;
        if (KEY_ROWS[i].is_needed && !has_key(provisioning, name) && str_map_get(&meant, str_of(name)) == NULL) {
            Diag *diag = refuse(rules, provisioning, provisioning->span, "is missing", str_of(name));
            diag_help(rules->session, diag, "write `%s` as well", name);
        }
    }
}

// ---- groups ------------------------------------------------------------------------------------------------------------

enum { GROUPS_MAX = 200 }; // SageMaker takes 100 in a cluster

static void check_group(const Rules *rules, const PlanProvisioning *provisioning, const PlanField *name) {
    Session *session = rules->session;
    Suggestion suggestion = suggest_for(session, name->text);
    const bool is_asked = name->state == FIELD_KNOWN && provisioning->cluster.len > 0 && !str_has(name->text, "$") &&
                          provisioning->instance_groups.count <= GROUPS_MAX;
    for (uint32_t i = 0; is_asked && i < provisioning->instance_groups.count; i++) {
        const Str other = provisioning->instance_groups.items[i].text;
        if (str_equal(other, name->text)) {
            return;
        }
        suggest_offer(&suggestion, other);
    }
    if (!is_asked || name->text.len == 0) {
        return;
    }
    Diag *diag = plan_report(session, provisioning->subject, rule_span(name), DIAG(provisioning_group),
                             STR_ARG(name->text), STR_ARG(provisioning->cluster));
    if (!rule_suggest(rules, diag, &suggestion, rule_span(name))) {
        diag_help(session, diag, "write the `InstanceGroupName` of one of its groups");
    }
}

static void check_workers(const Rules *rules, const PlanProvisioning *provisioning,
                          const PlanProvisionedWorkers *workers) {
    const PlanField *fields[] = { &workers->group, &workers->partition };
    static const char *const NAMES[] = { "instance_group_name", "partition_name" };
    for (size_t i = 0; i < COUNT_OF(NAMES); i++) {
        if (fields[i]->state == FIELD_ABSENT) {
            const PlanField *other = fields[1 - i];
            const Span span = other->state == FIELD_ABSENT ? workers->span : rule_span(other);
            Diag *diag = refuse(rules, provisioning, span, "is missing", str_of(NAMES[i]));
            diag_help(rules->session, diag, "write `%s` as well", NAMES[i]);
        }
    }
    const PlanField *controller = &provisioning->controller;
    if (controller->state == FIELD_KNOWN && workers->group.state == FIELD_KNOWN &&
        str_equal(workers->group.text, controller->text)) {
        Diag *diag =
            refuse(rules, provisioning, rule_span(&workers->group), "is the controller, too", workers->group.text);
        diag_label(rules->session, diag, rule_span(controller), "the controller");
        diag_help(rules->session, diag, "name an instance group of workers");
        return;
    }
    check_group(rules, provisioning, &workers->group);
}

void rule_provisioning_groups(const Rules *rules, const PlanProvisioning *provisioning) {
    check_group(rules, provisioning, &provisioning->controller);
    check_group(rules, provisioning, &provisioning->login);
    for (uint32_t i = 0; i < provisioning->groups.count; i++) {
        check_workers(rules, provisioning, &provisioning->groups.items[i]);
    }
}

// ---- the file system ---------------------------------------------------------------------------------------------------

// Scripts mount it where both are there.
void rule_provisioning_storage(const Rules *rules, const PlanProvisioning *provisioning) {
    const bool has_name = provisioning->lustre.state == FIELD_KNOWN && provisioning->lustre.text.len > 0;
    const bool has_mount = provisioning->mount_name.state == FIELD_KNOWN && provisioning->mount_name.text.len > 0;
    const char *missing = has_name && provisioning->mount_name.state == FIELD_ABSENT ? "fsx_mountname"
                          : has_mount && provisioning->lustre.state == FIELD_ABSENT  ? "fsx_dns_name"
                                                                                     : NULL;
    const StrMap meant = missing == NULL ? (StrMap){ 0 } : meant_keys(rules, provisioning);
    if (missing == NULL || str_map_get(&meant, str_of(missing)) != NULL) {
        return;
    }
    const PlanField *other = has_name ? &provisioning->lustre : &provisioning->mount_name;
    Diag *diag =
        refuse(rules, provisioning, rule_span(other), "is missing, without which nothing is mounted", str_of(missing));
    diag_help(rules->session, diag, "write `%s` as well, as describe-file-systems prints it", missing);
}
