// What a job may do: its role, and what a role that dtc makes allows; and the secrets that it is given.
#include "compiler/plan/declared/builder.h"

#include "compiler/plan/declared/read.h"
#include "compiler/plan/model/shared.h"

typedef VEC(const Value *) Pieces;

typedef struct {
    Builder *builder;
    const Block *job;
    const Block *cluster; // of the job
} Reader;

static const char SCHEME[] = "s3://";

static void report_late(Builder *builder, const Value *value, const char *attribute) {
    Diag *diag = report(builder->session, value->span, DIAG(late_shape), attribute);
    diag_help(builder->session, diag, "write the list here; what stands in its items may be late");
}

static bool is_given(Builder *builder, const Value *value, const char *attribute) {
    if (!value_may_be_null(value)) {
        return true;
    }
    Diag *diag = report(builder->session, value->span, DIAG(late_optional), attribute);
    diag_help(builder->session, diag, "say what stands there without it: `%.*s ?? …`",
              STR_ARG(value_print(builder->arena, value)));
    return false;
}

// ---- places in S3 ------------------------------------------------------------------------------------------------------

// Whether the value of an output goes into the stack of the job's cluster: that of another stack is imported.
static bool is_here(const Reader *reader, const Block *block) {
    while (block != NULL && block != reader->job && block != reader->cluster) {
        block = block->parent;
    }
    return block != NULL;
}

// Texts and late values that are laid end to end.
static void add_pieces(const Reader *reader, const Value *value, Pieces *pieces) {
    const Late *late = value->kind == VALUE_LATE ? value->late : NULL;
    const bool is_text = late != NULL && late->kind == LATE_TEXT;
    const bool is_output = late != NULL && late->kind == LATE_WRITTEN_OUTPUT && is_here(reader, late->block);
    const uint32_t count = is_text ? late->part_count : is_output ? 1 : 0;
    for (uint32_t i = 0; i < count; i++) {
        add_pieces(reader, late->parts[i], pieces);
    }
    if (count == 0) {
        vec_push(reader->builder->arena, pieces, value);
    }
}

// The pieces as one value again; NULL where there are none.
static const Value *join(Builder *builder, const Value *whole, const Pieces *pieces) {
    if (pieces->count == 0) {
        return NULL;
    }
    if (pieces->count == 1) {
        return pieces->items[0];
    }
    Late *late = arena_new(builder->arena, Late);
    *late = (Late){
        .kind = LATE_TEXT, .type = schema_named_type(STR("string")), .parts = pieces->items, .part_count = pieces->count
    };
    Value *value = value_new(builder->arena, VALUE_LATE, whole->span, whole->origin);
    value->late = late;
    return value;
}

static void add_text(Builder *builder, Pieces *pieces, const Value *piece, Str text) {
    if (text.len > 0) {
        vec_push(builder->arena, pieces, value_string(builder->arena, piece->span, piece->origin, text));
    }
}

static Str without_last_slash(Str text, bool *had) {
    *had = str_ends_with(text, STR("/"));
    return *had ? str_slice(text, 0, text.len - 1) : text;
}

// The bucket ends at the first slash that is written; what is late before it is a part of its name.
static void split(Builder *builder, const Pieces *pieces, PlanAddress *place) {
    Pieces bucket = { 0 };
    Pieces key = { 0 };
    bool is_behind = false;
    for (uint32_t i = 0; i < pieces->count; i++) {
        const Value *piece = pieces->items[i];
        const bool is_text = piece->kind == VALUE_STRING;
        Str text = is_text ? piece->string : STR_NONE;
        text = i == 0 ? str_slice(text, sizeof(SCHEME) - 1, text.len) : text;
        if (!is_text) {
            vec_push(builder->arena, is_behind ? &key : &bucket, piece);
            continue;
        }
        if (!is_behind) {
            const size_t slash = str_find(text, STR("/"), 0);
            add_text(builder, &bucket, piece, str_slice(text, 0, slash));
            is_behind = slash < text.len;
            text = is_behind ? str_slice(text, slash + 1, text.len) : STR_NONE;
        }
        const bool is_last = i + 1 == pieces->count;
        add_text(builder, &key, piece, is_last ? without_last_slash(text, &place->is_folder) : text);
    }
    place->bucket = join(builder, place->value, &bucket);
    place->key = join(builder, place->value, &key);
    place->is_folder = place->is_folder && place->key != NULL;
}

static const PlanBucket *block_of(Builder *builder, const Value *bucket) {
    if (bucket->kind == VALUE_LATE && bucket->late->kind == LATE_OUTPUT) {
        return plan_bucket(builder->plan, bucket->late->block);
    }
    return bucket->kind != VALUE_STRING
               ? NULL
               : plan_bucket_of(builder->plan, str_format(builder->arena, "s3://%.*s", STR_ARG(bucket->string)));
}

// A bucket of a file in use has a block, and nothing is planned of it.
static const Value *bucket_key(const Block *block) {
    return block->kind == &KIND_ROWS[KIND_BUCKET] ? block_value(block, BUCKET_KMS_KEY) : NULL;
}

static PlanAddress place_of_uri(const Reader *reader, const Value *uri) {
    Builder *builder = reader->builder;
    Pieces pieces = { 0 };
    PlanAddress place = { .value = uri };
    add_pieces(reader, uri, &pieces);
    const Value *first = pieces.items[0];
    if (first->kind == VALUE_STRING && str_starts_with(first->string, str_of(SCHEME))) {
        split(builder, &pieces, &place);
    }
    if (place.bucket == NULL) {
        return (PlanAddress){ .value = uri, .uri = uri };
    }
    const bool is_output = place.bucket->kind == VALUE_LATE && place.bucket->late->kind == LATE_OUTPUT;
    place.block = block_of(builder, place.bucket);
    place.kms_key = is_output             ? bucket_key(place.bucket->late->block)
                    : place.block != NULL ? place.block->kms_key
                                          : NULL;
    return place;
}

// A name that is written is known here too. Any other one the bucket's stack tells.
static PlanAddress place_of_block(Builder *builder, const Value *value) {
    const Value *existing = block_value(value->block, BUCKET_EXISTING);
    const Value *name = existing != NULL ? existing : block_value(value->block, BUCKET_NAME);
    PlanAddress place = { .value = value,
                          .bucket = name,
                          .kms_key = bucket_key(value->block),
                          .block = plan_bucket(builder->plan, value->block) };
    if (name == NULL || (existing == NULL && name->kind == VALUE_LATE)) {
        const OutputRow *row = schema_output(value->block->kind, STR("name"));
        Late *late = arena_new(builder->arena, Late);
        *late = (Late){ .kind = LATE_OUTPUT, .type = row->type, .block = value->block, .name = str_of(row->name) };
        Value *made = value_new(builder->arena, VALUE_LATE, value->span, value->origin);
        made->late = late;
        place.bucket = made;
    }
    return place;
}

static void read_places(const Reader *reader, int attribute, PlanAddresses *places) {
    Builder *builder = reader->builder;
    const char *name = reader->job->kind->attributes[attribute].name;
    const Value *list = block_value(reader->job, attribute);
    if (list != NULL && list->kind != VALUE_LIST) {
        report_late(builder, list, name);
        return;
    }
    for (uint32_t i = 0; list != NULL && i < list->list.count; i++) {
        const Value *item = list->list.items[i];
        if (item->kind == VALUE_BLOCK) {
            vec_push(builder->arena, places, place_of_block(builder, item));
        } else if (item->kind != VALUE_TAG) {
            report_late(builder, item, name);
        } else if (is_given(builder, item->tag.arguments[0], name)) {
            vec_push(builder->arena, places, place_of_uri(reader, item->tag.arguments[0]));
        }
    }
}

const PlanAccess *build_access(Builder *builder, const Block *job, const PlanCluster *cluster) {
    const Reader reader = { .builder = builder, .job = job, .cluster = cluster->head.block };
    PlanAccess *access = arena_new(builder->arena, PlanAccess);
    access->role = read_given(builder, job, JOB_ROLE);
    access->policies = build_policies(builder, job, JOB_POLICIES);
    read_places(&reader, JOB_READS, &access->reads);
    read_places(&reader, JOB_WRITES, &access->writes);
    return access;
}

// ---- secrets -----------------------------------------------------------------------------------------------------------

static const Value *argument(const Value *tag, uint32_t index) {
    const bool is_there = index < tag->tag.count && tag->tag.arguments[index]->kind != VALUE_NULL;
    return is_there ? tag->tag.arguments[index] : NULL;
}

// A secret that the stack of the job makes says by itself what it is encrypted with.
static const Value *key_of(const Reader *reader, const Value *id) {
    Str attribute;
    const Resource *resource = plan_shared_resource(id, &attribute);
    const bool is_secret = resource != NULL && str_is(resource->type, "AWS::SecretsManager::Secret");
    return is_secret && is_here(reader, resource->block) ? resource_property(resource, "KmsKeyId") : NULL;
}

void build_secrets(Builder *builder, const Block *block, PlanJob *job) {
    const Reader reader = { .builder = builder, .job = block, .cluster = job->cluster->head.block };
    const Value *map = block_value(block, JOB_SECRETS);
    if (map != NULL && map->kind != VALUE_MAP) {
        report_late(builder, map, "secrets");
        return;
    }
    for (uint32_t i = 0; map != NULL && i < map->map.count; i++) {
        const ValueEntry *entry = &map->map.entries[i];
        const Value *tag = entry->value;
        if (tag->kind != VALUE_TAG) {
            report_late(builder, tag, "secrets");
            continue;
        }
        if (!is_given(builder, tag->tag.arguments[0], "secrets")) {
            continue;
        }
        const bool is_parameter = str_is(tag->tag.name, "parameter");
        const Value *kms_key = argument(tag, is_parameter ? 1 : 2);
        const PlanSecret secret = {
            .name = entry->key,
            .name_span = entry->key_span,
            .value = tag,
            .is_parameter = is_parameter,
            .id = tag->tag.arguments[0],
            .key = is_parameter ? NULL : argument(tag, 1),
            .kms_key = kms_key != NULL ? kms_key : key_of(&reader, tag->tag.arguments[0]),
        };
        vec_push(builder->arena, &job->secrets, secret);
    }
}
