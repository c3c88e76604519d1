// A rule about what a new file system for Lustre says beside its deployment and its medium: what these need, and what they do
// not take. It is FSx that refuses it, whoever asks.
// source: FSx API Reference, CreateFileSystem, KmsKeyId, StorageType, FileSystemTypeVersion; CreateFileSystemLustreConfiguration,
// PerUnitStorageThroughput, DriveCacheType, EfaEnabled, MetadataConfiguration, ThroughputCapacity, read 2026-11
#include "compiler/plan/rules/rule_combination.h"
#include "compiler/plan/rules/rule_field.h"

#include "compiler/plan/rules/storage/storage_value.h"

// "`DeploymentType: SCRATCH_2`", or the name alone.
static Str written(const Rules *rules, const PlanField *field, bool has_value) {
    Arena *arena = rules->session->arena;
    return has_value ? str_format(arena, "`%s: %.*s`", field->name, STR_ARG(field->text))
                     : str_format(arena, "`%s`", field->name);
}

// What FSx does not take beside another word.
static void beside(const Rules *rules, const PlanFileSystem *lustre, const PlanField *field, const PlanField *other) {
    Session *session = rules->session;
    const Str others = str_format(session->arena, " beside %.*s", STR_ARG(written(rules, other, true)));
    Diag *diag =
        rule_combination(rules, lustre->subject, rule_span(field), "FSx", written(rules, field, false), others, NULL);
    diag_label(session, diag, rule_span(other), "takes none");
    diag_help(session, diag, "leave `%s` out", field->name);
}

// What FSx does not take without another word, and what to write there.
static void without(const Rules *rules, const PlanFileSystem *lustre, const PlanField *field, const char *missing,
                    Str value) {
    Session *session = rules->session;
    const Str others = str_format(session->arena, " without `%s`", missing);
    Diag *diag =
        rule_combination(rules, lustre->subject, rule_span(field), "FSx", written(rules, field, true), others, NULL);
    diag_help(session, diag, "write `%s: %.*s`", missing, STR_ARG(value));
}

static bool is_persistent(const PlanFileSystem *lustre) {
    return field_is(&lustre->deployment, "PERSISTENT_1") || field_is(&lustre->deployment, "PERSISTENT_2");
}

static bool is_scratch(const PlanFileSystem *lustre) {
    return field_is(&lustre->deployment, "SCRATCH_1") || field_is(&lustre->deployment, "SCRATCH_2");
}

static bool is_known_other(const PlanField *field, const char *word) {
    return field->state == FIELD_KNOWN && !field_is(field, word);
}

// The README of the driver names a default, which only PERSISTENT_1 has.
static bool may_lack_rate(const PlanFileSystem *lustre) {
    return lustre->maker == MADE_BY_DRIVER && !field_is(&lustre->deployment, "PERSISTENT_2");
}

// The least that it has is the cheapest.
static void check_rate(const Rules *rules, const PlanFileSystem *lustre) {
    const bool is_disk = field_is(&lustre->medium, "HDD");
    const bool needs = is_persistent(lustre) && lustre->rate.state == FIELD_ABSENT && lustre->rate.name != NULL &&
                       (is_disk || lustre->medium.state == FIELD_ABSENT || field_is(&lustre->medium, "SSD"));
    if (needs && lustre->tier_rate.state == FIELD_ABSENT && !may_lack_rate(lustre)) {
        const char *least = lustre->maker == MADE_BY_DRIVER                 ? "\"125\""
                            : is_disk                                       ? "12"
                            : field_is(&lustre->deployment, "PERSISTENT_1") ? "50"
                                                                            : "125";
        without(rules, lustre, &lustre->deployment, lustre->rate.name, str_of(least));
    }
}

static const char *metadata_name(const PlanFileSystem *lustre) {
    return lustre->maker == MADE_BY_DRIVER ? "metadataConfigurationMode" : "MetadataConfiguration";
}

static void check_efa(const Rules *rules, const PlanFileSystem *lustre) {
    if (!field_is(&lustre->efa, "true")) {
        return;
    }
    if (is_known_other(&lustre->deployment, "PERSISTENT_2")) {
        beside(rules, lustre, &lustre->efa, &lustre->deployment);
    } else if (lustre->metadata.state == FIELD_ABSENT) {
        without(rules, lustre, &lustre->efa, metadata_name(lustre),
                lustre->maker == MADE_BY_DRIVER ? STR("AUTOMATIC") : STR("{Mode: AUTOMATIC}"));
    }
}

static void check_metadata(const Rules *rules, const PlanFileSystem *lustre) {
    if (lustre->metadata.state != FIELD_KNOWN) {
        return;
    }
    if (is_known_other(&lustre->deployment, "PERSISTENT_2")) {
        PlanField metadata = lustre->metadata;
        metadata.name = metadata_name(lustre);
        beside(rules, lustre, &metadata, &lustre->deployment);
    } else if (field_is(&lustre->version, "2.12")) {
        Diag *diag = storage_bad_value(rules, lustre->subject, &lustre->version,
                                       STR("with a metadata configuration, PERSISTENT_2 has 2.15"));
        diag_help(rules->session, diag, "write `\"2.15\"`");
    }
}

static void check_tier(const Rules *rules, const PlanFileSystem *lustre) {
    if (!field_is(&lustre->medium, "INTELLIGENT_TIERING")) {
        return;
    }
    if (lustre->rate.state == FIELD_KNOWN) {
        beside(rules, lustre, &lustre->rate, &lustre->medium);
    }
    if (is_known_other(&lustre->deployment, "PERSISTENT_2")) {
        beside(rules, lustre, &lustre->medium, &lustre->deployment);
    } else if (lustre->tier_rate.state == FIELD_ABSENT && lustre->tier_rate.name != NULL) {
        without(rules, lustre, &lustre->medium, lustre->tier_rate.name, STR("4000"));
    }
}

// The driver takes any word, and FSx refuses it when a claim is made.
static void check_deployment(const Rules *rules, const PlanFileSystem *lustre) {
    const bool is_open = field_has(&lustre->deployment, "$") || field_has(&lustre->deployment, "{");
    if (lustre->maker == MADE_BY_DRIVER && lustre->deployment.state == FIELD_KNOWN && !is_open &&
        !is_persistent(lustre) && !is_scratch(lustre)) {
        Diag *diag = storage_bad_value(rules, lustre->subject, &lustre->deployment,
                                       STR("FSx has SCRATCH_1, SCRATCH_2, PERSISTENT_1 and PERSISTENT_2"));
        diag_help(rules->session, diag, "write one of these");
    }
}

void rule_lustre_parts(const Rules *rules, const PlanFileSystem *lustre) {
    const bool is_asked = lustre->kind == STORAGE_LUSTRE && lustre->is_new && lustre->maker != MADE_BY_DTC &&
                          lustre->backup.state == FIELD_ABSENT;
    if (!is_asked) {
        return;
    }
    check_rate(rules, lustre);
    check_efa(rules, lustre);
    check_metadata(rules, lustre);
    check_tier(rules, lustre);
    check_deployment(rules, lustre);
    // That FSx refuses a key of SCRATCH_1 is not seen: a template of aws-samples has one.
    if (field_is_there(&lustre->kms_key) &&
        (lustre->maker == MADE_BY_PARALLELCLUSTER ? is_scratch(lustre) : field_is(&lustre->deployment, "SCRATCH_2"))) {
        beside(rules, lustre, &lustre->kms_key, &lustre->deployment);
    }
    // ParallelCluster says `NONE` itself.
    if (field_is(&lustre->medium, "HDD") && lustre->drive_cache.state == FIELD_ABSENT &&
        lustre->maker != MADE_BY_PARALLELCLUSTER) {
        without(rules, lustre, &lustre->medium, lustre->drive_cache.name, STR("NONE"));
    }
    // What is made where nothing is said is SCRATCH_1, or SCRATCH_2 of ParallelCluster.
    if (lustre->deployment.state == FIELD_ABSENT && lustre->rate.state == FIELD_KNOWN) {
        Diag *diag = storage_bad_value(
            rules, lustre->subject, &lustre->rate,
            STR("without a deployment a scratch file system is made, which has a throughput of its own"));
        diag_help(rules->session, diag, "leave it out, or write `%s: PERSISTENT_2`", lustre->deployment.name);
    }
}
