// Rules about the engine of a database in a template: whether RDS still makes its version, and whether the parameter group that
// it names is of that version.
#include "compiler/plan/rules/rule_field.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/rules/rule_combination.h"
#include "schema/image_software.h"

typedef struct {
    Str engine;
    Str major;
    Str first; // empty: none
} DatabaseRow;

static const DatabaseRow DATABASES[] = {
#define DATABASE(engine, major, first) { STR(engine), STR(major), STR(first) },
#include "schema/database_versions.def"
};

static bool is_database(const Resource *resource) {
    return str_is(resource->type, "AWS::RDS::DBInstance") || str_is(resource->type, "AWS::RDS::DBCluster");
}

// ---- versions --------------------------------------------------------------------------------------------------------

static bool is_within(Str version, Str major) {
    const char next = str_at(version, major.len);
    return str_starts_with(version, major) && (next == '\0' || next == '.');
}

// Behind the words of a version: "2.11" of "5.7.mysql_aurora.2.11".
static Str behind_words(Str version) {
    const Str words = STR("mysql_aurora.");
    const size_t at = str_find(version, words, 0);
    return at < version.len ? str_slice(version, at + words.len, version.len) : version;
}

// Whether a version is older than another one. A shorter one is the newest of those that begin with it, and with other words
// it is of another engine.
static bool is_older(Str version, Str first) {
    const Str own = behind_words(version);
    const Str other = behind_words(first);
    return (own.len < version.len) == (other.len < first.len) &&
           image_version_parts(own) >= image_version_parts(other) && image_version_compare(own, other) < 0;
}

void rule_database_version(const Rules *rules, const PlanResource *resource) {
    const Value *version =
        is_database(resource->resource) ? resource_property(resource->resource, "EngineVersion") : NULL;
    const Str engine = version == NULL ? STR_NONE : object_text(resource_property(resource->resource, "Engine"));
    const Str text = object_text(version);
    for (size_t i = 0; engine.len > 0 && i < COUNT_OF(DATABASES); i++) {
        const DatabaseRow *row = &DATABASES[i];
        const bool is_gone = row->first.len == 0 || is_older(text, row->first);
        if (!str_equal_in_any_case(engine, row->engine) || !is_within(text, row->major) || !is_gone) {
            continue;
        }
        Diag *diag = plan_report(rules->session, resource->subject, version->span, DIAG(database_gone), STR_ARG(engine),
                                 STR_ARG(text));
        const bool has_major = row->first.len > 0 && !str_has(row->first, "aurora");
        diag_help(rules->session, diag, "write %s%.*s%sone of `aws rds describe-db-engine-versions --engine %.*s`",
                  has_major ? "`" : "", STR_ARG(has_major ? row->major : STR_NONE),
                  has_major ? "`, which takes its newest one, or " : "", STR_ARG(engine));
    }
}

// ---- parameter groups --------------------------------------------------------------------------------------------

// The version in `default.aurora-postgresql11` of an engine; empty: it is no default group of the engine.
static Str version_of_group(Str group, Str engine) {
    const Str start = STR("default.");
    const Str rest = str_slice(group, start.len, group.len);
    const Str version = str_slice(rest, engine.len, rest.len);
    const bool is_one = str_starts_with(group, start) && str_starts_with(rest, engine);
    return is_one && char_is_digit(str_at(version, 0)) ? version : STR_NONE;
}

// The family of a parameter group: `aurora-mysql8.0` is of an engine and of a version. Other engines call theirs otherwise.
// source: RDS User Guide, Working with parameter groups, and RDS API Reference, CreateDBParameterGroup, 2026-11, read 2026-11
static const struct {
    const char *engine;
    const char *example;
} FAMILIES[] = {
    { "aurora-mysql", "aurora-mysql8.0" },
    { "aurora-postgresql", "aurora-postgresql16" },
    { "mysql", "mysql8.0" },
    { "postgres", "postgres16" },
    { "mariadb", "mariadb11.4" },
};

// NULL: the engine has no such families.
static const char *family_example(Str engine) {
    for (size_t i = 0; i < COUNT_OF(FAMILIES); i++) {
        if (str_is_word(engine, FAMILIES[i].engine)) {
            return FAMILIES[i].example;
        }
    }
    return NULL;
}

// Whether a version may be of the family; also one that is too short to tell.
static bool is_of_family(Str family, Str engine, Str version) {
    const Str of_family = str_slice(family, engine.len, family.len);
    const bool is_of_engine = str_starts_with(family, engine) && char_is_digit(str_at(of_family, 0));
    return is_of_engine &&
           (version.len < of_family.len || !char_is_digit(str_at(version, 0)) || is_within(version, of_family));
}

static void check_family(const Rules *rules, const PlanResource *resource, const char *key, const Value *group) {
    const Resource *raw = resource->resource;
    const Str name = object_text(object_get(group, "Ref"));
    const PlanResource *other = name.len == 0 ? NULL : rule_find_resource(rules, name);
    const Value *family = other == NULL ? NULL : resource_property(other->resource, "Family");
    const Str engine = object_text(resource_property(raw, "Engine"));
    const Str version = object_text(resource_property(raw, "EngineVersion"));
    const char *example = family_example(engine);
    if (object_text(family).len == 0 || example == NULL || is_of_family(family->string, engine, version)) {
        return;
    }
    Arena *arena = rules->session->arena;
    const Str beside = version.len == 0 ? str_format(arena, " beside `Engine: %.*s`", STR_ARG(engine))
                                        : str_format(arena, " beside `EngineVersion: %.*s` of `%.*s`", STR_ARG(version),
                                                     STR_ARG(engine));
    Diag *diag =
        rule_combination(rules, resource->subject, family->span, "RDS",
                         str_format(arena, "`%s` of the family `%.*s`", key, STR_ARG(family->string)), beside, NULL);
    diag_label(rules->session, diag, group->span, "the group is taken here");
    diag_help(rules->session, diag, "write the family of the version, as in `%s`", example);
}

void rule_database_parameters(const Rules *rules, const PlanResource *resource) {
    const Resource *raw = resource->resource;
    const bool is_cluster = str_is(raw->type, "AWS::RDS::DBCluster");
    const char *key = is_cluster ? "DBClusterParameterGroupName" : "DBParameterGroupName";
    const Value *group = is_database(raw) ? resource_property(raw, key) : NULL;
    const Str engine = group == NULL ? STR_NONE : object_text(resource_property(raw, "Engine"));
    if (engine.len > 0) {
        check_family(rules, resource, key, group);
    }

    const Str of_group = engine.len > 0 ? version_of_group(object_text(group), engine) : STR_NONE;
    const Value *version = resource_property(raw, "EngineVersion");
    const Str text = object_text(version);
    if (of_group.len == 0 || !char_is_digit(str_at(text, 0)) || is_within(text, of_group)) {
        return;
    }
    Arena *arena = rules->session->arena;
    Diag *diag = rule_combination(rules, resource->subject, group->span, "RDS",
                                  str_format(arena, "`%s: %.*s`", key, STR_ARG(group->string)),
                                  str_format(arena, " beside `EngineVersion: %.*s`", STR_ARG(text)), NULL);
    diag_label(rules->session, diag, version->span, "and this");
    diag_help(rules->session, diag, "leave the group out: the default one of the version is taken");
}
