// Rules about data that lies on a disk as it is: only where a file says so, or the service surely does it. Accounts may
// encrypt all volumes of EBS by themselves, so that nothing is said of a volume without a word about it.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/hold_fixes.h"
#include "compiler/plan/model/object_value.h"

// Keys that say whether a volume, a file system or a database is encrypted.
static const char *const KEYS[] = { "Encrypted", "StorageEncrypted", "encrypted", "volumeEncrypted" };

static bool is_key(Str key) {
    for (size_t i = 0; i < COUNT_OF(KEYS); i++) {
        if (str_is(key, KEYS[i])) {
            return true;
        }
    }
    return false;
}

static bool is_false_text(Str text) {
    return str_is_in_any_case(text, "false");
}

static bool is_false(const Data *value) {
    return value->kind == DATA_BOOL ? !value->boolean : value->kind == DATA_STRING && is_false_text(value->string);
}

static Diag *report_off(const Rules *rules, const Subject *subject, Span span) {
    return plan_report(rules->session, subject, span, DIAG(unencrypted), "this storage");
}

static Diag *report_absent(const Rules *rules, const Subject *subject, Span span, const char *sign) {
    Diag *diag = plan_report(rules->session, subject, span, DIAG(unencrypted), "this file system");
    diag_note(rules->session, diag, "EFS does not encrypt where nothing is said");
    diag_help(rules->session, diag, "write `Encrypted%s true`", sign);
    return diag;
}

static Diag *report_database(const Rules *rules, const Subject *subject, Span span, const char *sign) {
    Diag *diag = plan_report(rules->session, subject, span, DIAG(unencrypted), "this database");
    diag_note(rules->session, diag, "RDS does not encrypt where nothing is said");
    diag_help(rules->session, diag, "write `StorageEncrypted%s true`", sign);
    return diag;
}

// Keys of a database that say of its encryption, or whose cluster, source or snapshot decides it.
// source: RDS API Reference, CreateDBInstance, StorageEncrypted, 2026-11, read 2026-11
static const char *const DECIDING[] = {
    "StorageEncrypted",
    "KmsKeyId",
    "DBClusterIdentifier",
    "DBSnapshotIdentifier",
    "DBClusterSnapshotIdentifier",
    "SourceDBInstanceIdentifier",
    "SourceDBClusterIdentifier",
    "SourceDbiResourceId",
    "SourceDBInstanceAutomatedBackupsArn",
    "Fn::Transform",
};

// Of Aurora the cluster decides, and RDS Custom encrypts by itself.
static bool is_plain_engine(Str engine) {
    return engine.len > 0 && !str_starts_with(engine, STR("aurora")) && !str_starts_with(engine, STR("custom-"));
}

static bool is_open_database(const Data *properties) {
    const Data *engine = properties == NULL ? NULL : data_get(properties, "Engine");
    bool is_open = engine != NULL && engine->tag.len == 0 && is_plain_engine(engine->string);
    for (size_t i = 0; is_open && i < COUNT_OF(DECIDING); i++) {
        is_open = data_get(properties, DECIDING[i]) == NULL;
    }
    return is_open;
}

static bool is_raw_open_database(const Resource *raw) {
    const ValueEntry *engine = value_entry(raw->properties, raw->property_count, "Engine");
    bool is_open = engine != NULL && is_plain_engine(object_text(engine->value));
    for (size_t i = 0; is_open && i < COUNT_OF(DECIDING); i++) {
        is_open = value_entry(raw->properties, raw->property_count, DECIDING[i]) == NULL;
    }
    return is_open;
}

static void say_price(const Rules *rules, Diag *diag, Str owner, const Trail *trail) {
    (void)rule_say_price(rules->session, diag, owner, trail_path(rules->session->arena, trail));
}

// ---- files of other tools ----------------------------------------------------------------------------------------------

// ParallelCluster makes nothing where a file system or a volume is named: what is beside the name changes nothing of it.
static bool is_there_already(const Data *settings) {
    return settings->kind == DATA_MAP &&
           (data_get(settings, "FileSystemId") != NULL || data_get(settings, "VolumeId") != NULL);
}

typedef struct {
    const Rules *rules;
    const PlanPiece *piece;
    Str owner; // as schema/updates.h wants it
} Search;

// An entry of `SharedStorage` of ParallelCluster.
static void check_shared(const Search *search, const Data *storage, const Trail *trail) {
    const Data *type = data_get(storage, "StorageType");
    const Data *settings = data_get(storage, "EfsSettings");
    const bool is_efs = type != NULL && str_is_in_any_case(type->string, "Efs");
    const bool is_new = settings == NULL || !is_there_already(settings);
    if (is_efs && is_new && (settings == NULL || data_get(settings, "Encrypted") == NULL)) {
        Diag *diag = report_absent(search->rules, search->piece->subject, type->span, ":");
        const Trail outer = { STR("EfsSettings"), trail };
        say_price(search->rules, diag, search->owner, &(Trail){ STR("Encrypted"), &outer });
    }
}

static void check_entry(const Search *search, const DataEntry *entry, const Trail *trail) {
    const Rules *rules = search->rules;
    Diag *diag = report_off(rules, search->piece->subject, entry->value->span);
    diag_help(rules->session, diag, "write `%.*s: true`", STR_ARG(entry->key));
    if (entry->value->kind == DATA_BOOL) {
        diag_fix(rules->session, diag, entry->value->span, STR("true"));
    }
    say_price(rules, diag, search->owner, trail);
}

static void search_data(const Search *search, const Data *data, const Trail *trail) {
    for (uint32_t i = 0; data->kind == DATA_LIST && i < data->count; i++) {
        search_data(search, data->items[i], trail);
    }
    check_shared(search, data, trail);
    for (uint32_t i = 0; data->kind == DATA_MAP && i < data->count; i++) {
        const DataEntry *entry = &data->entries[i];
        const Trail here = { entry->key, trail };
        if (is_key(entry->key) && is_false(entry->value) && !is_there_already(data)) {
            check_entry(search, entry, &here);
        }
        search_data(search, entry->value, &here);
    }
}

void rule_file_encryption(const Rules *rules, const PlanFile *file) {
    for (uint32_t i = 0; i < file->pieces.count; i++) {
        const PlanPiece *piece = &file->pieces.items[i];
        const Data *properties = data_get(piece->data, "Properties");
        if (str_starts_with(data_text(piece->data, "apiVersion"), STR("karpenter."))) {
            continue; // rule_node_class says it
        }
        const Search search = { rules, piece, piece_owner(rules->session->arena, file, piece) };
        search_data(&search, piece->data, NULL);
        if (str_is(piece->type, "AWS::EFS::FileSystem") &&
            (properties == NULL || data_get(properties, "Encrypted") == NULL)) {
            Diag *diag = report_absent(rules, piece->subject, piece->subject->span, ":");
            say_price(rules, diag, piece->type, &(Trail){ STR("Encrypted"), NULL });
        }
        if (str_is(piece->type, "AWS::RDS::DBInstance") && is_open_database(properties)) {
            Diag *diag = report_database(rules, piece->subject, piece->subject->span, ":");
            say_price(rules, diag, piece->type, &(Trail){ STR("StorageEncrypted"), NULL });
        }
    }
}

// ---- raw resources -----------------------------------------------------------------------------------------------------

static void search_value(const Rules *rules, const PlanResource *resource, const Value *value, const Trail *trail);

static void search_entry(const Rules *rules, const PlanResource *resource, const ValueEntry *entry,
                         const Trail *trail) {
    const Value *value = entry->value;
    const Trail here = { entry->key, trail };
    const bool is_off = value->kind == VALUE_BOOL ? !value->boolean : is_false_text(object_text(value));
    if (is_key(entry->key) && is_off) {
        Diag *diag = report_off(rules, resource->subject, value->span);
        diag_help(rules->session, diag, "write `%.*s = true`", STR_ARG(entry->key));
        say_price(rules, diag, resource->resource->type, &here);
    }
    search_value(rules, resource, value, &here);
}

// As deep as the language nests a value.
static void search_value(const Rules *rules, const PlanResource *resource, const Value *value, const Trail *trail) {
    for (uint32_t i = 0; i < object_count(value); i++) {
        search_value(rules, resource, value->list.items[i], trail);
    }
    for (uint32_t i = 0; value->kind == VALUE_MAP && i < value->map.count; i++) {
        search_entry(rules, resource, &value->map.entries[i], trail);
    }
}

void rule_resource_encryption(const Rules *rules, const PlanResource *resource) {
    const Resource *raw = resource->resource;
    if (resource->part == NULL || str_starts_with(raw->type, STR("karpenter."))) {
        return; // rule_file_encryption speaks of templates, arms of conditions among them, and rule_node_class of classes
    }
    for (uint32_t i = 0; i < raw->property_count; i++) {
        search_entry(rules, resource, &raw->properties[i], NULL);
    }
    if (str_is(raw->type, "AWS::EFS::FileSystem") && resource_property(raw, "Encrypted") == NULL) {
        Diag *diag = report_absent(rules, resource->subject, raw->type_span, " =");
        say_price(rules, diag, raw->type, &(Trail){ STR("Encrypted"), NULL });
    }
    if (str_is(raw->type, "AWS::RDS::DBInstance") && is_raw_open_database(raw)) {
        Diag *diag = report_database(rules, resource->subject, raw->type_span, " =");
        say_price(rules, diag, raw->type, &(Trail){ STR("StorageEncrypted"), NULL });
    }
}
