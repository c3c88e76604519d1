// Rules about buckets in S3: their names, in the URIs of `artifacts` and `setup` and of buckets that a block or a raw
// resource makes, and what a block says of its own. Bucket naming rules in the S3 User Guide, 2026-11.
#include "compiler/plan/rules/placeholder.h"
#include "compiler/plan/rules/rule_written.h"
#include "compiler/plan/rules/rule_word.h"
#include "compiler/plan/rules/rule_insert.h"
#include "compiler/base/arn.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/iam_pattern.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/rules/rules.h"
#include "compiler/plan/rules/pseudo_parameter.h"
#include "schema/names.h"

static const int64_t MILLISECONDS_OF_DAY = INT64_C(24) * 60 * 60 * 1000;

static bool is_end(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

static bool is_address(Str name) {
    int dots = 0;
    for (size_t i = 0; i < name.len; i++) {
        dots += name.data[i] == '.';
        if (name.data[i] != '.' && (name.data[i] < '0' || name.data[i] > '9')) {
            return false;
        }
    }
    return dots == 3;
}

static const char *letters_fault(Str name) {
    for (size_t i = 0; i < name.len; i++) {
        if (!is_end(name.data[i]) && name.data[i] != '-' && name.data[i] != '.') {
            return "only small letters, digits, `-` and `.` are taken";
        }
    }
    return str_find(name, STR(".."), 0) < name.len ? "two dots stand side by side" : NULL;
}

_Static_assert(LIMIT_BUCKET_NAME_MIN == 3 && LIMIT_BUCKET_NAME_MAX == 63, "the text of name_fault()");
_Static_assert(LIMIT_OBJECT_KEY_MAX == 1024, "the text of check_uri()");

static const char *name_fault(Str name) {
    if (name.len < LIMIT_BUCKET_NAME_MIN || name.len > LIMIT_BUCKET_NAME_MAX) {
        return "3 to 63 characters are taken";
    }
    if (letters_fault(name) != NULL) {
        return letters_fault(name);
    }
    if (!is_end(name.data[0]) || !is_end(name.data[name.len - 1])) {
        return "it must begin and end with a letter or a digit";
    }
    return is_address(name) ? "it looks like an IP address" : NULL;
}

// What S3 keeps: what is there already under such a name may be read.
static const char *kept_part(Str name) {
    const char *beginning = names_beginning(NAMES_BUCKET_BEGINNINGS, name);
    return beginning != NULL ? beginning : names_end(NAMES_BUCKET_ENDS, name);
}

// What an account cannot have. The ends are of access points and of other kinds of buckets, which an URI may name.
static const char *kept_beginning(Str name) {
    const char *part = kept_part(name);
    return part != NULL && str_starts_with(name, str_of(part)) ? part : NULL;
}

static void bad_bucket(const Rules *rules, const Subject *subject, Span span, Str name, const char *fault) {
    Diag *diag = plan_report(rules->session, subject, span, DIAG(bad_bucket), STR_ARG(name), fault);
    diag_help(rules->session, diag,
              "take %d to %d small letters, digits, `-` and `.`, with a letter or a digit at both ends",
              LIMIT_BUCKET_NAME_MIN, LIMIT_BUCKET_NAME_MAX);
}

// Is an error of its own.
static bool has_placeholder(Str name) {
    size_t start = 0;
    size_t end = 0;
    return placeholder_find(name, TEXT_VALUE, 0, &start, &end);
}

static void check_place(const Rules *rules, const Subject *subject, Span span, Str text) {
    const Str scheme = STR("s3://");
    if (str_starts_with(text, scheme)) {
        const Str name = s3_bucket(text);
        const char *fault = name_fault(name);
        const Str key = str_slice(text, scheme.len + name.len, text.len);
        if (fault != NULL && !has_placeholder(text) && !str_has(name, "{")) { // `s3://{NAME}` of a program
            bad_bucket(rules, subject, span, name, fault);
        } else if (key.len > (size_t)LIMIT_OBJECT_KEY_MAX + 1) { // with its slash
            Diag *diag =
                rule_bad_name(rules, subject, span, text, "the place of a file in S3", "a key has 1024 bytes at most");
            diag_help(rules->session, diag, "write a shorter prefix");
        } else if (kept_beginning(name) != NULL) {
            Diag *diag =
                plan_report(rules->session, subject, span, DIAG(bucket_kept), STR_ARG(name), kept_beginning(name));
            diag_help(rules->session, diag, "name a bucket of your own");
        }
    }
}

static void check_uri(const RuleTexts *texts, const Value *text) {
    check_place(texts->rules, texts->subject, text->span, text->string);
}

// Scripts of nodes, and what a file system is linked to.
void rule_configuration_buckets(const Rules *rules, const PlanConfiguration *configuration) {
    for (uint32_t i = 0; i < configuration->actions.count; i++) {
        const PlanCustomAction *action = &configuration->actions.items[i];
        check_place(rules, action->subject, action->url.span, action->url.text);
    }
    for (uint32_t i = 0; i < configuration->storages.count; i++) {
        const PlanFileSystem *storage = configuration->storages.items[i];
        check_place(rules, storage->subject, storage->import_path.span, storage->import_path.text);
    }
}

// ---- scripts of nodes ------------------------------------------------------------------------------------------------

// Whether an item of S3Access names the bucket, or may name it.
static bool is_of_bucket(const Value *access, Str bucket) {
    const Str name = object_text(object_get(access, "BucketName"));
    return name.len == 0 || has_placeholder(name) || iam_matches(name, bucket);
}

// ParallelCluster writes the key behind the bucket as it stands.
static bool is_of_key(const Value *access, Str key) {
    const Value *name = object_get(access, "KeyName");
    return name == NULL || name->kind != VALUE_STRING || name->string.len == 0 || has_placeholder(name->string) ||
           iam_matches(name->string, key);
}

// Whether S3Access lets a role read the script, or may do so; `*near` is an item with its bucket and another key.
static bool may_read(const Value *access, Str bucket, Str key, const Value **near) {
    bool may = access != NULL && access->kind != VALUE_LIST;
    for (uint32_t i = 0; i < object_count(access); i++) {
        const Value *item = access->list.items[i];
        const bool is_bucket = is_of_bucket(item, bucket);
        may = may || (is_bucket && is_of_key(item, key));
        *near = is_bucket ? item : *near;
    }
    return may;
}

// Policies of one's own may allow anything; some of AWS's own have nothing of S3.
static bool are_open(const Value *policies) {
    bool are = policies != NULL && policies->kind != VALUE_LIST;
    for (uint32_t i = 0; i < object_count(policies); i++) {
        const Str policy = object_text(object_get(policies->list.items[i], "Policy"));
        are = are || !names_have(NAMES_POLICIES_WITHOUT_S3, str_after_last(policy, '/'));
    }
    return are;
}

// A role, a profile and policies of one's own may allow anything.
static bool is_open(const Value *iam) {
    return (iam != NULL && iam->kind != VALUE_MAP) || object_get(iam, "InstanceRole") != NULL ||
           object_get(iam, "InstanceProfile") != NULL || are_open(object_get(iam, "AdditionalIamPolicies"));
}

// Whose role fetches a script.
typedef struct {
    Str name;
    const Value *iam;
    Span key;          // of a queue, its name; SPAN_NONE of the head
    const Value *head; // S3Access of the head, where a queue runs the script
} Runner;

static Runner runner_of(const Rules *rules, const PlanConfiguration *configuration, const PlanCustomAction *action) {
    const Value *head = object_get(object_get(configuration->document, "HeadNode"), "Iam");
    for (uint32_t i = 0; i < configuration->queues.count; i++) {
        const PlanConfigurationQueue *queue = configuration->queues.items[i];
        if (queue->subject == action->subject) {
            return (Runner){ .name = str_format(rules->session->arena, "the queue `%.*s`", STR_ARG(queue->name.text)),
                             .iam = queue->iam,
                             .key = rule_span(&queue->name),
                             .head = object_get(head, "S3Access") };
        }
    }
    return (Runner){ .name = STR("the head"), .iam = head, .key = SPAN_NONE };
}

// The folder of a script, as S3Access takes it.
static Str pattern_of(Arena *arena, Str key) {
    const Str name = str_after_last(key, '/');
    return name.len == key.len ? key : str_format(arena, "%.*s*", STR_ARG(str_slice(key, 0, key.len - name.len)));
}

// Whether it says something.
static bool check_script(const Rules *rules, const Runner *runner, const PlanCustomAction *action) {
    const Str url = action->url.text;
    const Str bucket = s3_bucket(url);
    const Str key = str_slice(url, STR("s3://").len + bucket.len + 1, url.len);
    const Value *access = object_get(runner->iam, "S3Access");
    const Value *near = NULL;
    const Value *near_head = NULL;
    if (name_fault(bucket) != NULL || kept_beginning(bucket) != NULL || key.len == 0 || has_placeholder(url) ||
        is_open(runner->iam) || may_read(access, bucket, key, &near)) {
        return false;
    }
    const bool is_of_head = object_count(runner->head) > 0 && may_read(runner->head, bucket, key, &near_head);
    if (object_count(access) == 0 && !is_of_head) {
        return false; // a bucket that everybody may read
    }
    Arena *arena = rules->session->arena;
    Diag *diag = plan_report(rules->session, action->subject, action->url.span, DIAG(script_not_readable),
                             STR_ARG(runner->name), STR_ARG(url));
    if (near != NULL) {
        diag_label(rules->session, diag, object_get(near, "KeyName")->span, "allows other keys alone");
        const Value *name = object_get(near, "KeyName");
        const Str pattern = pattern_of(arena, key);
        diag_help(rules->session, diag, "write `KeyName: %.*s`", STR_ARG(pattern));
        if (pattern.len == name->string.len + 1 && str_starts_with(pattern, name->string)) {
            rule_replace(rules, diag, name->span, name->string, pattern); // `scripts/` of `scripts/*`
        }
        return true;
    }
    if (is_of_head) {
        diag_label(rules->session, diag, runner->head->span, "the head may read it");
    }
    diag_help(rules->session, diag, "write `Iam: {S3Access: [{BucketName: %.*s}]}` into it%s", STR_ARG(bucket),
              object_count(access) > 0 ? ", beside what is there" : "");
    if (access == NULL) {
        rule_insert_beside(rules, diag, runner->key, STR("Iam|S3Access"),
                           str_format(arena, "[{\"BucketName\": \"%.*s\"}]", STR_ARG(bucket)));
    }
    return true;
}

// A bucket that the head needs a permission for asks the nodes of a queue for one as well. Whoever names buckets, and not
// that of a script, has forgotten it. The scripts of a role that lie in one bucket are one finding.
void rule_configuration_scripts(const Rules *rules, const PlanConfiguration *configuration) {
    const PlanCustomAction *said = NULL;
    for (uint32_t i = 0; i < configuration->actions.count; i++) {
        const PlanCustomAction *action = &configuration->actions.items[i];
        const bool is_said = said != NULL && said->subject == action->subject &&
                             str_equal(s3_bucket(said->url.text), s3_bucket(action->url.text));
        const Runner runner = runner_of(rules, configuration, action);
        if (!is_said && check_script(rules, &runner, action)) {
            said = action;
        }
    }
}

// ---- buckets that a stack makes, or that are there -------------------------------------------------------------------

// Another rule says of a template that nothing fills `${AWS::Region}` in.
static bool is_filled_in(const Subject *subject, Str name) {
    return has_placeholder(name) || (subject->is_foreign && str_find(name, STR("${AWS::"), 0) < name.len);
}

// Whether a text is put together with a parameter whose default is empty: whoever deploys the template gives it a value, and
// what the name is without one decides nothing.
static bool has_empty_part(const Rules *rules, const Value *name) {
    const PlanTemplate *template = rules->plan->names;
    const Str written = source_text(rules->session, name->span);
    for (uint32_t i = 0; template != NULL && i < template->named.count; i++) {
        const PlanNamed *parameter = template->named.items[i];
        const Data *initial = parameter->kind == NAMED_PARAMETER ? data_get(parameter->data, "Default") : NULL;
        const bool is_empty = initial != NULL && initial->kind == DATA_STRING && initial->string.len == 0;
        for (size_t at = is_empty ? str_find(written, parameter->name, 0) : written.len; at < written.len;
             at = str_find(written, parameter->name, at + 1)) {
            const bool begins = at == 0 || !char_is_of_name(written.data[at - 1]);
            if (begins && !char_is_of_name(str_at(written, at + parameter->name.len))) {
                return true;
            }
        }
    }
    return false;
}

// If a name is put together at deployment, only its literal letters are known.
static void check_made(const Rules *rules, const Subject *subject, const Value *name) {
    Arena *arena = rules->session->arena;
    const Str text =
        subject->is_foreign && pseudo_parameter_is(name) ? pseudo_parameter_text(arena, name) : object_text(name);
    if (text.len > 0 && !is_filled_in(subject, text)) {
        const bool is_open = has_empty_part(rules, name);
        const char *part = is_open ? NULL : kept_part(text);
        const char *fault = is_open ? letters_fault(text) : name_fault(text);
        if (fault == NULL && part != NULL) {
            fault = str_c(arena, str_format(arena, "S3 keeps `%s` for itself", part));
        }
        if (fault != NULL) {
            bad_bucket(rules, subject, name->span, pseudo_parameter_written(arena, name), fault);
            return;
        }
    }
    for (uint32_t i = 0; name->kind == VALUE_LATE && i < name->late->part_count; i++) {
        const Value *part = name->late->parts[i];
        const bool is_known = part->kind == VALUE_STRING && !has_placeholder(part->string);
        const char *fault = is_known ? letters_fault(part->string) : NULL;
        if (fault != NULL) {
            bad_bucket(rules, subject, name->span, part->string, fault);
            return;
        }
    }
}

// One that is there may be named by the alias of an access point, which has an end that S3 keeps.
static void check_there(const Rules *rules, const Subject *subject, const Value *name) {
    const bool is_known = name->kind == VALUE_STRING && !has_placeholder(name->string);
    const char *fault = is_known ? name_fault(name->string) : NULL;
    if (fault != NULL) {
        bad_bucket(rules, subject, name->span, name->string, fault);
    }
}

void rule_buckets(const Rules *rules, const PlanPart *part) {
    if (part->bucket != NULL && part->bucket->existing != NULL) {
        check_there(rules, part->subject, part->bucket->existing);
    }
    if (part->bucket != NULL && part->bucket->bucket != NULL) {
        check_made(rules, part->subject, part->bucket->bucket);
    }
    const int attribute = part_is(part, KIND_CLUSTER)    ? CLUSTER_ARTIFACTS
                          : part_is(part, KIND_NODES)    ? NODES_SETUP
                          : part_is(part, KIND_HEAD)     ? HEAD_SETUP
                          : part_is(part, KIND_VALIDATE) ? VALIDATE_VERDICTS
                          : part_is(part, KIND_LINK)     ? LINK_URI
                                                         : -1;
    const Value *value = attribute < 0 ? NULL : subject_value(part->subject, attribute);
    const bool is_part_of_text = value != NULL && value->kind == VALUE_LATE && value->late->kind == LATE_TEXT;
    if (value != NULL && !is_part_of_text) {
        rules_each_text(&(RuleTexts){ .rules = rules, .subject = part->subject }, value, check_uri);
    }
}

void rule_bucket_of_resource(const Rules *rules, const PlanResource *resource) {
    const bool is_bucket = str_is(resource->resource->type, "AWS::S3::Bucket");
    const Value *name = is_bucket ? resource_property(resource->resource, "BucketName") : NULL;
    if (name != NULL) {
        check_made(rules, resource->subject, name);
    }
}

// ---- what a job reads and writes ---------------------------------------------------------------------------------------

// It becomes a part of a policy, in which IAM replaces `${…}`.
static void check_variable(const RuleTexts *texts, const Value *text) {
    const size_t at = str_find(text->string, STR("${"), 0);
    if (at < text->string.len) {
        Diag *diag = plan_report(texts->rules->session, texts->subject, text->span, DIAG(place_variable),
                                 STR_ARG(str_slice(text->string, at, str_find(text->string, STR("}"), at) + 1)));
        diag_help(texts->rules->session, diag, "write the address that is meant, or `*` where there are several");
    }
}

static void check_places(const RuleTexts *texts, const PlanAddresses *places) {
    for (uint32_t i = 0; i < places->count; i++) {
        const PlanAddress *place = &places->items[i];
        if (place->value->kind == VALUE_BLOCK) {
            continue; // says it of itself
        }
        if (place->bucket != NULL) {
            check_there(texts->rules, texts->subject, place->bucket);
        }
        rules_each_text(texts, place->value, check_variable);
    }
}

void rule_places_of_job(const Rules *rules, const PlanJob *job) {
    const RuleTexts texts = { .rules = rules, .subject = job->head.subject };
    check_places(&texts, &job->access->reads);
    check_places(&texts, &job->access->writes);
}

// ---- what a block says of its bucket ---------------------------------------------------------------------------------

void rule_bucket_made(const Rules *rules, const PlanPart *part) {
    if (part->bucket == NULL || part->bucket->existing == NULL) {
        return;
    }
    for (int i = 0; i < part->kind->attribute_count; i++) {
        if (i == BUCKET_EXISTING || subject_value(part->subject, i) == NULL) {
            continue;
        }
        Diag *diag = plan_report(rules->session, part->subject, subject_key(part->subject, i), DIAG(bucket_not_made),
                                 part_attribute(part, i), STR_ARG(part->name));
        diag_label(rules->session, diag, part->bucket->existing->span, "is there");
        diag_help(rules->session, diag, "remove it, or leave `existing` out and have the bucket made");
    }
}

// S3 counts from 1.
static void check_lifetime(const Rules *rules, const PlanPart *part, const Value *value, const char *what) {
    if (value != NULL && value->kind == VALUE_DURATION && value->integer < MILLISECONDS_OF_DAY) {
        Diag *diag = plan_report(rules->session, part->subject, value->span, DIAG(bucket_lifetime), what,
                                 STR_ARG(value_print(rules->session->arena, value)));
        diag_help(rules->session, diag, "write `1d` or more");
    }
}

// S3 takes the letters as they are: no key begins with `s3:`, and hardly one has a `*`.
static void check_pattern(const Rules *rules, const PlanPart *part, const ValueEntry *entry) {
    const Str scheme = STR("s3://");
    const bool is_address = str_starts_with(entry->key, scheme);
    const size_t star = str_find(entry->key, STR("*"), 0);
    if (!is_address && star == entry->key.len) {
        return;
    }
    Diag *diag = plan_report(rules->session, part->subject, entry->key_span, DIAG(bucket_prefix_letters),
                             is_address ? "s3://" : "*", STR_ARG(entry->key));
    const size_t slash = str_find(entry->key, STR("/"), scheme.len);
    const Str meant = is_address ? str_slice(entry->key, slash + 1, entry->key.len) : str_slice(entry->key, 0, star);
    diag_help(rules->session, diag, "write `\"%.*s\"`%s", STR_ARG(meant),
              meant.len == 0 ? ", which is all objects" : "");
}

static void check_prefix(const Rules *rules, const PlanPart *part, const ValueEntry *entry) {
    if (!str_starts_with(entry->key, STR("/"))) {
        check_pattern(rules, part, entry);
        return;
    }
    const Str meant = str_slice(entry->key, 1, entry->key.len);
    Diag *diag = plan_report(rules->session, part->subject, entry->key_span, DIAG(bucket_prefix), STR_ARG(entry->key));
    diag_help(rules->session, diag, "write `\"%.*s\"`%s", STR_ARG(meant),
              meant.len == 0 ? ", which is all objects" : "");
}

void rule_bucket_lifetimes(const Rules *rules, const PlanPart *part) {
    const PlanBucket *bucket = part->bucket;
    if (bucket == NULL) {
        return;
    }
    for (uint32_t i = 0; bucket->expiry != NULL && i < bucket->expiry->map.count; i++) {
        check_lifetime(rules, part, bucket->expiry->map.entries[i].value, "objects");
        check_prefix(rules, part, &bucket->expiry->map.entries[i]);
    }
    check_lifetime(rules, part, bucket->old_versions, "old versions");
    if (bucket->old_versions != NULL && !bucket->versions->boolean) {
        Diag *diag = rule_without_effect(rules, part, BUCKET_OLD_VERSIONS, "the bucket keeps no old versions");
        diag_help(rules->session, diag, "write `versions = true`, or leave it out");
    }
}

static void check_key(const RuleTexts *texts, const Value *text) {
    const Str region = str_of(texts->attribute);
    const Str other = arn_field(text->string, ARN_REGION);
    if (other.len > 0 && !str_equal(other, region)) {
        Diag *diag = plan_report(texts->rules->session, texts->subject, text->span, DIAG(bucket_key_elsewhere),
                                 STR_ARG(other), STR_ARG(region));
        diag_help(texts->rules->session, diag, "name a key of %.*s, or write `region = \"%.*s\"`", STR_ARG(region),
                  STR_ARG(other));
    }
}

void rule_bucket_key(const Rules *rules, const PlanPart *part) {
    const PlanBucket *bucket = part->bucket;
    if (bucket == NULL || bucket->kms_key == NULL || bucket->region.len == 0) {
        return;
    }
    const char *region = str_c(rules->session->arena, bucket->region);
    const RuleTexts texts = { .rules = rules, .subject = part->subject, .attribute = region };
    const bool is_part_of_text = bucket->kms_key->kind == VALUE_LATE && bucket->kms_key->late->kind == LATE_TEXT;
    if (!is_part_of_text) {
        rules_each_text(&texts, bucket->kms_key, check_key);
    }
}

// ---- one name ----------------------------------------------------------------------------------------------------------

// A bucket that a stack makes under a name that is written, or that a block says is there.
typedef struct {
    const Subject *subject;
    const Value *name;
    bool is_made;
} NamedBucket;

typedef VEC(NamedBucket) NamedBuckets;

static void add_buckets(Arena *arena, const PlanPart *part, NamedBuckets *named) {
    const PlanBucket *bucket = part->bucket;
    if (bucket != NULL && (bucket->existing != NULL || bucket->bucket != NULL)) {
        const bool is_made = bucket->existing == NULL;
        const NamedBucket block = { .subject = part->subject,
                                    .name = is_made ? bucket->bucket : bucket->existing,
                                    .is_made = is_made };
        vec_push(arena, named, block);
    }
    for (uint32_t i = 0; i < part->resources.count; i++) {
        const Resource *resource = part->resources.items[i];
        const Value *name =
            str_is(resource->type, "AWS::S3::Bucket") ? resource_property(resource, "BucketName") : NULL;
        if (name != NULL) {
            const NamedBucket raw = { .subject = part->subject, .name = name, .is_made = true };
            vec_push(arena, named, raw);
        }
    }
}

// Two blocks may name one bucket that is there.
static void check_named(const Rules *rules, const NamedBucket *first, const NamedBucket *second) {
    if (!first->is_made && !second->is_made) {
        return;
    }
    Diag *diag = plan_report(rules->session, second->subject, second->name->span, DIAG(bucket_twice));
    diag_label(rules->session, diag, first->name->span, first->is_made ? "is made here" : "is there, says this block");
    diag_help(rules->session, diag, "%s",
              first->is_made && second->is_made ? "give one of them another name, or remove it"
                                                : "refer to the block that makes it, or give that one another name");
}

// Each is held against the first of its name.
void rule_bucket_names(const Rules *rules) {
    Arena *arena = rules->session->arena;
    NamedBuckets named = { 0 };
    for (uint32_t i = 0; i < rules->plan->parts.count; i++) {
        if (!rules->plan->parts.items[i]->is_used) {
            add_buckets(arena, rules->plan->parts.items[i], &named);
        }
    }
    for (uint32_t i = 0; i < named.count; i++) {
        for (uint32_t k = 0; k < i; k++) {
            if (value_equal(named.items[i].name, named.items[k].name)) {
                check_named(rules, &named.items[k], &named.items[i]);
                break;
            }
        }
    }
}
