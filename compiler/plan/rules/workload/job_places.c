// Rules about places in S3 that a job names in its command and its environment: whether anything lets it read or write
// them, and whether its compile cache can be kept. What only the deployment or a policy of the author's knows is left
// alone.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/shared.h"
#include "schema/names.h"

// ---- buckets -----------------------------------------------------------------------------------------------------------

// A bucket, as far as it can be told from others.
typedef struct {
    bool is_told;      // false: it may be any
    const void *maker; // the block or the resource that says what it is; NULL: nothing in this build
    const Value *name; // known or late; NULL: CloudFormation gives it one
} Bucket;

static Bucket bucket_of_block(const Rules *rules, const Block *block) {
    const PlanBucket *bucket = plan_bucket(rules->plan, block);
    if (bucket == NULL) {
        return (Bucket){ .is_told = false }; // of a used file, which has its own values
    }
    return (Bucket){ .is_told = true,
                     .maker = block,
                     .name = bucket->existing != NULL ? bucket->existing : bucket->bucket };
}

static Bucket bucket_of(const Rules *rules, const Value *value) {
    if (value->kind == VALUE_STRING) {
        return (Bucket){ .is_told = true, .name = value };
    }
    if (value->kind == VALUE_LATE && value->late->kind == LATE_OUTPUT) {
        return bucket_of_block(rules, value->late->block);
    }
    Str attribute;
    const Resource *resource = plan_shared_resource(value, &attribute);
    if (resource == NULL || attribute.len > 0 || !str_is(resource->type, "AWS::S3::Bucket")) {
        return (Bucket){ .is_told = false };
    }
    return (Bucket){ .is_told = true, .maker = resource, .name = resource_property(resource, "BucketName") };
}

static bool may_be_same(const Bucket *a, const Bucket *b) {
    if (!a->is_told || !b->is_told || (a->maker != NULL && a->maker == b->maker)) {
        return true;
    }
    const bool has_names = a->name != NULL && b->name != NULL;
    const bool are_known = has_names && a->name->kind == VALUE_STRING && b->name->kind == VALUE_STRING;
    return has_names && (!are_known || str_equal(a->name->string, b->name->string));
}

// ---- addresses in a text -----------------------------------------------------------------------------------------------

static const char SCHEME[] = "s3://";
static const char LATE = '\x01'; // stands in a text for a late value

typedef struct {
    StrBuf text;
    VEC(const Value *) late; // one for each LATE, in their order
} Flat;

typedef struct {
    Bucket bucket;
    Str key;     // as far as it is known
    Str written; // for messages
} Address;

// Lays a text and its late parts end to end.
static void flatten(Arena *arena, const Value *value, Flat *flat) {
    const Late *late = value->kind == VALUE_LATE ? value->late : NULL;
    if (value->kind == VALUE_STRING) {
        for (size_t i = 0; i < value->string.len; i++) {
            const char c = value->string.data[i];
            strbuf_add_char(&flat->text, c == LATE ? ' ' : c);
        }
    } else if (late != NULL && (late->kind == LATE_TEXT || late->kind == LATE_WRITTEN_OUTPUT)) {
        for (uint32_t i = 0; i < late->part_count; i++) {
            flatten(arena, late->parts[i], flat);
        }
    } else {
        strbuf_add_char(&flat->text, LATE);
        vec_push(arena, &flat->late, value);
    }
}

static bool is_of_host_name(char c) {
    return (c >= 'a' && c <= 'z') || char_is_digit(c) || c == '-' || c == '.';
}

// What ends the known part of an address: the text's end, a blank, and signs of shells, of formats and of prose.
static bool is_end(char c) {
    return c == '\0' || c == LATE || (unsigned char)c <= ' ' || strchr("\"'`$%*?&|;<>(){}[],\\", c) != NULL;
}

// The address whose bucket begins at `at`; false where that is no name of one.
static bool read_address(const Rules *rules, const Flat *flat, size_t at, uint32_t late_before, Address *address) {
    Arena *arena = rules->session->arena;
    const Str text = strbuf_str(&flat->text);
    const bool is_late = str_at(text, at) == LATE;
    size_t end = is_late ? at + 1 : at;
    while (!is_late && is_of_host_name(str_at(text, end))) {
        end++;
    }
    const char next = str_at(text, end);
    const bool is_cut = next == LATE || next == '$' || next == '{' || next == '%' || next == '<' || next == '*';
    if (is_cut || (next != '/' && !is_end(next)) || end - at < (is_late ? 1 : LIMIT_BUCKET_NAME_MIN)) {
        return false;
    }
    const size_t key = next == '/' ? end + 1 : end;
    size_t key_end = key;
    while (next == '/' && !is_end(str_at(text, key_end))) {
        key_end++;
    }
    address->key = str_slice(text, key, key_end);
    if (is_late) {
        const Value *late = flat->late.items[late_before];
        address->bucket = bucket_of(rules, late);
        address->written = str_format(arena, "%s${%.*s}%.*s", SCHEME, STR_ARG(value_print(arena, late)),
                                      STR_ARG(str_slice(text, end, key_end)));
    } else {
        const Str name = str_slice(text, at, end);
        address->bucket = (Bucket){ .is_told = true, .name = value_string(arena, SPAN_NONE, NULL, name) };
        address->written = str_format(arena, "%s%.*s", SCHEME, STR_ARG(str_slice(text, at, key_end)));
    }
    return address->bucket.is_told;
}

typedef VEC(Address) Addresses;

static Addresses addresses_in(const Rules *rules, const Value *value) {
    Arena *arena = rules->session->arena;
    Flat flat = { .text = { .arena = arena } };
    Addresses found = { 0 };
    flatten(arena, value, &flat);
    const Str text = strbuf_str(&flat.text);
    uint32_t late_before = 0;
    for (size_t i = 0; i < text.len; i++) {
        Address address;
        const bool is_scheme = str_starts_with(str_slice(text, i, text.len), STR(SCHEME));
        if (is_scheme && read_address(rules, &flat, i + sizeof(SCHEME) - 1, late_before, &address)) {
            vec_push(arena, &found, address);
        }
        late_before += text.data[i] == LATE;
    }
    return found;
}

// ---- what a job is allowed -----------------------------------------------------------------------------------------------

// Whether keys of a place begin with what is known of an address, or the other way round: a program may add to both.
static bool covers_key(const Value *place, Str key) {
    const bool is_text = place->kind == VALUE_LATE && place->late->kind == LATE_TEXT;
    const Value *first = is_text ? place->late->parts[0] : place;
    const Str whole = first->kind == VALUE_STRING ? first->string : STR_NONE;
    const Str known = str_slice(whole, 0, str_find(whole, STR("*"), 0));
    if (!str_starts_with(key, known)) {
        return str_starts_with(known, key);
    }
    const bool is_whole = place->kind == VALUE_STRING && known.len == whole.len;
    const char next = str_at(key, known.len);
    return !is_whole || next == '\0' || next == '/';
}

static bool is_covered(const Rules *rules, const PlanAddresses *places, const Address *address) {
    for (uint32_t i = 0; i < places->count; i++) {
        const PlanAddress *place = &places->items[i];
        const Bucket bucket = place->uri != NULL                  ? (Bucket){ .is_told = false }
                              : place->value->kind == VALUE_BLOCK ? bucket_of_block(rules, place->value->block)
                                                                  : bucket_of(rules, place->bucket);
        if (may_be_same(&bucket, &address->bucket) &&
            (place->uri != NULL || place->key == NULL || covers_key(place->key, address->key))) {
            return true;
        }
    }
    return false;
}

// Nodes may read what the target fetches from there.
static bool is_of_artifacts(const PlanCluster *cluster, const Address *address) {
    const Value *name = address->bucket.name;
    if (cluster->artifacts == NULL || cluster->artifacts->kind != VALUE_STRING || name == NULL ||
        name->kind != VALUE_STRING) {
        return false;
    }
    const Str uri = cluster->artifacts->string;
    const size_t at = sizeof(SCHEME) - 1;
    return str_equal(str_slice(uri, at, str_find(uri, STR("/"), at)), name->string);
}

static bool has_items(const Value *list) {
    return list != NULL && (list->kind != VALUE_LIST || list->list.count > 0);
}

// Words with which a program asks for objects without credentials, with others, or elsewhere.
// source: AWS CLI Command Reference, Global options, 2026-11
static const char *const OTHER_WAYS[] = { "--no-sign-request", "--profile", "--endpoint" };

static bool has_other_way(const Value *value) {
    bool has_it = false;
    for (size_t i = 0; value->kind == VALUE_STRING && i < COUNT_OF(OTHER_WAYS); i++) {
        has_it = has_it || str_find(value->string, str_of(OTHER_WAYS[i]), 0) < value->string.len;
    }
    const Value *part;
    for (uint32_t i = 0; !has_it && (part = value_part(value, i)) != NULL; i++) {
        has_it = has_other_way(part);
    }
    return has_it;
}

static bool has_other_credentials(const PlanJob *job) {
    bool has_them = job->command != NULL && has_other_way(job->command);
    for (uint32_t i = 0; job->env->kind == VALUE_MAP && i < job->env->map.count; i++) {
        has_them = has_them || names_beginning(NAMES_CREDENTIAL_VARIABLES, job->env->map.entries[i].key) != NULL;
    }
    for (uint32_t i = 0; i < job->secrets.count; i++) {
        has_them = has_them || names_beginning(NAMES_CREDENTIAL_VARIABLES, job->secrets.items[i].name) != NULL;
    }
    return has_them;
}

// A role, a policy or an association that an author writes may be the job's.
static bool has_resources_of_access(const Rules *rules) {
    for (uint32_t i = 0; i < rules->plan->parts.count; i++) {
        const PlanPart *part = rules->plan->parts.items[i];
        for (uint32_t k = 0; k < part->resources.count; k++) {
            const Str type = part->resources.items[k]->type;
            if (str_starts_with(type, STR("AWS::IAM::")) || str_is(type, "AWS::EKS::PodIdentityAssociation") ||
                str_is(type, "AWS::S3::BucketPolicy")) {
                return true;
            }
        }
    }
    return false;
}

static bool has_patches(const PlanJob *job) {
    return job->head.part->patches.count + job->group->head.part->patches.count +
               job->cluster->head.part->patches.count >
           0;
}

// Whether something else may let a job do what `reads` and `writes` do not say: policies hold what nobody reads here.
static bool may_do_more(const Rules *rules, const PlanJob *job) {
    const PlanNodes *group = job->group;
    return job->access->role != NULL || has_items(job->access->policies) || has_items(group->role.policies) ||
           group->role.instance_profile != NULL || (group->eks != NULL && has_items(group->eks->addon_policies)) ||
           has_patches(job) || has_other_credentials(job) || has_resources_of_access(rules);
}

// On Slurm the role is that of the nodes, and has what all of their jobs name.
static PlanAccess access_of(const Rules *rules, const PlanJob *job) {
    const PlanAccess *access = job->slurm == NULL ? job->access : plan_nodes_access(rules->session->arena, job->group);
    return access != NULL ? *access : (PlanAccess){ 0 };
}

// ---- the command and the environment -----------------------------------------------------------------------------------

static const char CACHE[] = "NEURON_COMPILE_CACHE_URL"; // has a rule of its own

typedef struct {
    const Rules *rules;
    const PlanJob *job;
    PlanAccess access;
    StrMap said; // an address is said once
} Search;

static void help(const Rules *rules, Diag *diag, const Address *address, const char *attribute, const char *otherwise) {
    if (address->bucket.maker == NULL) {
        diag_help(rules->session, diag, "write `%s = [s3(\"%.*s\")]`%s", attribute, STR_ARG(address->written),
                  otherwise);
    } else {
        diag_help(rules->session, diag, "name the bucket in `%s`%s", attribute, otherwise);
    }
}

static void check_value(Search *search, const Value *value) {
    const Rules *rules = search->rules;
    const PlanJob *job = search->job;
    const Addresses found = addresses_in(rules, value);
    for (uint32_t i = 0; i < found.count; i++) {
        const Address *address = &found.items[i];
        if (is_covered(rules, &search->access.reads, address) || is_covered(rules, &search->access.writes, address) ||
            is_of_artifacts(job->cluster, address) || str_map_add(&search->said, address->written, value) != NULL) {
            continue;
        }
        Diag *diag = plan_report(rules->session, job->head.subject, value->span, DIAG(place_not_allowed),
                                 STR_ARG(job->head.id), STR_ARG(address->written));
        help(rules, diag, address, "reads", ", or `writes` if the job writes there");
    }
}

void rule_places_in_words(const Rules *rules, const PlanJob *job) {
    if (may_do_more(rules, job)) {
        return;
    }
    Search search = {
        .rules = rules, .job = job, .access = access_of(rules, job), .said = { .arena = rules->session->arena }
    };
    const Value *command = job->command;
    for (uint32_t i = 0; command != NULL && command->kind == VALUE_LIST && i < command->list.count; i++) {
        check_value(&search, command->list.items[i]);
    }
    for (uint32_t i = 0; job->env->kind == VALUE_MAP && i < job->env->map.count; i++) {
        const ValueEntry *entry = &job->env->map.entries[i];
        if (!str_is(entry->key, CACHE)) {
            check_value(&search, entry->value);
        }
    }
}

// ---- the compile cache -------------------------------------------------------------------------------------------------

void rule_cache_is_written(const Rules *rules, const PlanJob *job) {
    const Value *cache = value_get(job->env, CACHE);
    if (cache == NULL || may_do_more(rules, job)) {
        return;
    }
    const PlanAccess access = access_of(rules, job);
    const Addresses found = addresses_in(rules, cache);
    if (found.count != 1 || is_covered(rules, &access.writes, &found.items[0])) {
        return;
    }
    Diag *diag = plan_report(rules->session, job->head.subject, cache->span, DIAG(cache_not_written),
                             STR_ARG(job->head.id), STR_ARG(found.items[0].written));
    help(rules, diag, &found.items[0], "writes", "");
}

// Folders that each node has for itself.
static const char *const OWN_FOLDERS[] = { "/tmp", "/var/tmp", "/dev/shm", "/run" };

static bool is_below(Str path, Str folder) {
    const char next = str_at(path, folder.len);
    return folder.len > 0 && str_starts_with(path, folder) && (next == '\0' || next == '/');
}

void rule_cache_of_nodes(const Rules *rules, const PlanJob *job) {
    const Value *cache = value_get(job->env, CACHE);
    if (job->slurm == NULL || cache == NULL || cache->kind != VALUE_STRING || !plan_job_is_multi_node(job)) {
        return;
    }
    const Value *scratch = job->group->scratch;
    const bool has_scratch = scratch != NULL && scratch->kind == VALUE_STRING;
    Str own = has_scratch && is_below(cache->string, scratch->string) ? scratch->string : STR_NONE;
    for (size_t i = 0; i < COUNT_OF(OWN_FOLDERS); i++) {
        own = is_below(cache->string, str_of(OWN_FOLDERS[i])) ? str_of(OWN_FOLDERS[i]) : own;
    }
    for (uint32_t i = 0; i < job->cluster->storages.count; i++) {
        own = is_below(cache->string, job->cluster->storages.items[i]->mount->string) ? STR_NONE : own;
    }
    if (own.len == 0) {
        return;
    }
    Diag *diag = plan_report(rules->session, job->head.subject, cache->span, DIAG(cache_of_one_node),
                             STR_ARG(job->head.id), STR_ARG(own));
    diag_label(rules->session, diag, job->nodes->span, "takes %" PRId64 " nodes", job->nodes->integer);
    diag_help(rules->session, diag, "write a folder below the `mount` of a file system, or `\"s3://BUCKET/PREFIX\"`");
}
