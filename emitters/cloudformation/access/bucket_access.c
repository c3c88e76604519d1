// The statements are about objects, about the lists of keys that programs ask a bucket for, and about the keys that
// objects are encrypted with. What is written under an address stands at its key or in the folder of that name; nothing
// beside them, such as `run-2` beside `run`.
//
// Writing is what programs do that keep checkpoints: they put objects in parts and give up on some, read back what they
// wrote, rename by a copy, and delete what is old. Reading is GetObject, and ListBucket for what is there. A bucket's
// region is told to whoever asks for the bucket, so that GetBucketLocation is not needed.
// source: awslabs/mountpoint-s3@0398a86e doc/CONFIGURATION.md, IAM permissions; awslabs/s3-connector-for-pytorch@611b0ff
// s3torchconnector/dcp/s3_file_system.py (rename); AWS CLI Command Reference, s3 sync; S3 User Guide, Multipart upload
// API and permissions, 2026-11
#include "emitters/cloudformation/access/bucket_access.h"

#include "emitters/cloudformation/access/iam.h"
#include "emitters/cloudformation/access/kms.h"
#include "emitters/cloudformation/template/intrinsic.h"
#include "emitters/cloudformation/template/sub.h"
#include "emitters/cloudformation/template/template_value.h"

static const char *const READ[] = { "s3:GetObject" };
static const char *const WRITE[] = { "s3:PutObject", "s3:GetObject", "s3:DeleteObject", "s3:AbortMultipartUpload" };
static const char *const LIST[] = { "s3:ListBucket" };
static const char *const DECRYPT[] = { "kms:Decrypt" };
static const char *const ENCRYPT[] = { "kms:Decrypt", "kms:GenerateDataKey" };

typedef VEC(const PlanAddress *) Places;

// ---- an address that only the deployment knows ---------------------------------------------------------------------------

static DocNode *select_of(Stack *stack, int index, const char *separator, DocNode *text) {
    DocNode *parts = intrinsic_call(stack, CALL_SPLIT, tree_text(stack->doc, WHY_ACCESS_ADDRESS, separator), text);
    return intrinsic_call(stack, CALL_SELECT, tree_number(stack->doc, WHY_ACCESS_ADDRESS, index), parts);
}

// "bucket/key" of "s3://bucket/key"
static DocNode *place_of(Stack *stack, const PlanAddress *place) {
    return select_of(stack, 1, "s3://", template_text(stack, place->uri));
}

static DocNode *arn_around(Stack *stack, const char *end, DocNode *part) {
    DocNode *map = doc_map(stack->doc);
    tree_put(stack->doc, map, "place", part);
    const Str text = str_format(stack->arena, "arn:${AWS::Partition}:s3:::${place}%s", end);
    return intrinsic_call(stack, CALL_SUB, tree_string(stack->doc, WHY_ACCESS_ADDRESS, text), map);
}

// ---- ARNs --------------------------------------------------------------------------------------------------------------

static SubText arn_of(Stack *stack, const PlanAddress *place) {
    SubText text = { .stack = stack };
    sub_add(&text, STR("arn:"), why(WHY_ACCESS_ADDRESS));
    sub_add_reference(&text, STR("AWS::Partition"), why(WHY_ACCESS_ADDRESS));
    sub_add(&text, STR(":s3:::"), why(WHY_ACCESS_ADDRESS));
    sub_add_value(&text, place->bucket);
    return text;
}

static DocNode *bucket_arn(Stack *stack, const PlanAddress *place) {
    if (place->uri != NULL) {
        return arn_around(stack, "", select_of(stack, 0, "/", place_of(stack, place)));
    }
    SubText text = arn_of(stack, place);
    return sub_node(&text);
}

static bool ends_with_star(const Value *key) {
    const bool is_late = key->kind == VALUE_LATE && key->late->kind == LATE_TEXT;
    const Value *last = is_late ? key->late->parts[key->late->part_count - 1] : key;
    return last->kind == VALUE_STRING && str_ends_with(last->string, STR("*"));
}

// The keys of a place: the one that is written, and all in the folder of that name.
typedef struct {
    const char *ends[2]; // behind the key
    int count;
} Keys;

static Keys keys_of(const PlanAddress *place) {
    if (place->uri == NULL && (place->key == NULL || place->is_folder)) {
        return (Keys){ .ends = { "/*" }, .count = 1 };
    }
    const bool is_pattern = place->uri == NULL && ends_with_star(place->key);
    return (Keys){ .ends = { "", "/*" }, .count = is_pattern ? 1 : 2 };
}

static void add_objects(Stack *stack, DocNode *list, const PlanAddress *place) {
    const Keys keys = keys_of(place);
    for (int i = 0; i < keys.count; i++) {
        if (place->uri != NULL) {
            doc_add(stack->doc, list, arn_around(stack, keys.ends[i], place_of(stack, place)));
            continue;
        }
        SubText text = arn_of(stack, place);
        if (place->key != NULL) {
            sub_add(&text, STR("/"), why(WHY_ACCESS_ADDRESS));
            sub_add_value(&text, place->key);
        }
        sub_add(&text, str_of(keys.ends[i]), why(WHY_ACCESS_ADDRESS));
        doc_add(stack->doc, list, sub_node(&text));
    }
}

static void add_prefixes(Stack *stack, DocNode *list, const PlanAddress *place) {
    const Keys keys = keys_of(place);
    for (int i = 0; i < keys.count; i++) {
        SubText text = { .stack = stack };
        sub_add_value(&text, place->key);
        sub_add(&text, str_of(keys.ends[i]), why(WHY_ACCESS_LIST));
        doc_add(stack->doc, list, sub_node(&text));
    }
}

// ---- places that are one ----------------------------------------------------------------------------------------------

static bool is_same_bucket(const PlanAddress *a, const PlanAddress *b) {
    return value_equal(a->uri != NULL ? a->uri : a->bucket, b->uri != NULL ? b->uri : b->bucket);
}

static bool is_same_key(const PlanAddress *a, const PlanAddress *b) {
    return a->key == b->key || (a->key != NULL && b->key != NULL && value_equal(a->key, b->key));
}

// Whether `other` says all that a place says: it is the same place, as one is that a job reads and writes, or the key
// whose folder the place is.
static bool is_said_by(const PlanAddress *place, const PlanAddress *other) {
    return is_same_bucket(place, other) && is_same_key(place, other) && (place->is_folder || !other->is_folder);
}

// Whether one of the others says it. Of two that are the same, the second is said by the first.
static bool is_said(const PlanAddress *const *places, uint32_t count, uint32_t index) {
    for (uint32_t i = 0; i < count; i++) {
        const bool is_other = i < index || (i != index && !is_said_by(places[i], places[index]));
        if (is_other && is_said_by(places[index], places[i])) {
            return true;
        }
    }
    return false;
}

// Places of which no other says all.
static Places places_to_say(Stack *stack, const Places *places) {
    Places said = { 0 };
    for (uint32_t i = 0; i < places->count; i++) {
        if (!is_said(places->items, places->count, i)) {
            vec_push(stack->arena, &said, places->items[i]);
        }
    }
    return said;
}

static void collect(Stack *stack, Places *into, const PlanAddresses *places) {
    for (uint32_t i = 0; i < places->count; i++) {
        vec_push(stack->arena, into, &places->items[i]);
    }
}

// ---- statements --------------------------------------------------------------------------------------------------------

typedef struct {
    const char *const *actions;
    size_t count;
    Why reason;
} Permission;

static void allow_objects(Stack *stack, DocNode *document, const PlanAddresses *places, Permission permission) {
    if (places->count == 0) {
        return;
    }
    Places all = { 0 };
    collect(stack, &all, places);
    const Places said = places_to_say(stack, &all);
    DocNode *statement = iam_statement(stack, document);
    iam_put_actions(stack, statement, permission.actions, permission.count, permission.reason);
    DocNode *list = tree_put_list(stack->doc, statement, "Resource");
    for (uint32_t i = 0; i < said.count; i++) {
        doc_because(stack->doc, said.items[i]->value->origin);
        add_objects(stack, list, said.items[i]);
        doc_unbecause(stack->doc);
    }
}

static bool is_whole(const PlanAddress *place) {
    return place->uri != NULL || place->key == NULL;
}

// Of all places of one bucket, those of which something is to be said: one where it may be listed as a whole.
static Places places_of_bucket(Stack *stack, const Places *places, uint32_t first) {
    Places found = { 0 };
    for (uint32_t i = first; i < places->count; i++) {
        const PlanAddress *place = places->items[i];
        if (!is_same_bucket(place, places->items[first])) {
            continue;
        }
        if (is_whole(place)) {
            found.count = 0;
            vec_push(stack->arena, &found, place);
            return found;
        }
        vec_push(stack->arena, &found, place);
    }
    return found;
}

static bool is_first_of_bucket(const Places *places, uint32_t index) {
    for (uint32_t i = 0; i < index; i++) {
        if (is_same_bucket(places->items[i], places->items[index])) {
            return false;
        }
    }
    return true;
}

static DocNode *allow_list(Stack *stack, DocNode *document) {
    DocNode *statement = iam_statement(stack, document);
    iam_put_actions(stack, statement, LIST, COUNT_OF(LIST), WHY_ACCESS_LIST);
    return statement;
}

// Buckets that are listed as a whole stand in one statement; of any other, what the asked-for keys may begin with.
static void allow_lists(Stack *stack, DocNode *document, const Places *places) {
    DocNode *whole = NULL;
    for (uint32_t i = 0; i < places->count; i++) {
        if (!is_first_of_bucket(places, i)) {
            continue;
        }
        const Places said = places_of_bucket(stack, places, i);
        doc_because(stack->doc, said.items[0]->value->origin);
        if (is_whole(said.items[0])) {
            whole = whole != NULL ? whole : tree_put_list(stack->doc, allow_list(stack, document), "Resource");
            doc_add(stack->doc, whole, bucket_arn(stack, said.items[0]));
        } else {
            DocNode *statement = allow_list(stack, document);
            tree_put(stack->doc, statement, "Resource", bucket_arn(stack, said.items[0]));
            DocNode *like = tree_put_map(stack->doc, tree_put_map(stack->doc, statement, "Condition"), "StringLike");
            DocNode *prefixes = tree_put_list(stack->doc, like, "s3:prefix");
            for (uint32_t k = 0; k < said.count; k++) {
                add_prefixes(stack, prefixes, said.items[k]);
            }
        }
        doc_unbecause(stack->doc);
    }
}

static KmsUse use_of(const PlanAddress *place, Permission permission) {
    return (KmsUse){ .key = place->kms_key,
                     .actions = permission.actions,
                     .count = permission.count,
                     .service = "s3",
                     .region = place->block == NULL ? STR_NONE : place->block->region,
                     .reason = permission.reason };
}

// Whether one of the first `count` places has its key used in the same way.
static bool has_use(const PlanAddresses *places, uint32_t count, KmsUse use) {
    for (uint32_t i = 0; i < count; i++) {
        const KmsUse other = use_of(&places->items[i], (Permission){ 0 });
        if (other.key != NULL && kms_is_same_use(&other, &use)) {
            return true;
        }
    }
    return false;
}

// Whoever puts an object in parts decrypts as well (S3 User Guide, Multipart upload API and permissions, 2026-11).
static void allow_keys(Stack *stack, DocNode *document, const PlanAddresses *places, const PlanAddresses *beside,
                       Permission permission) {
    for (uint32_t i = 0; i < places->count; i++) {
        const KmsUse use = use_of(&places->items[i], permission);
        if (use.key == NULL || has_use(places, i, use) || (beside != NULL && has_use(beside, beside->count, use))) {
            continue;
        }
        kms_allow(stack, document, use);
    }
}

void bucket_access_add(Stack *stack, DocNode *document, const PlanAccess *access) {
    Places all = { 0 };
    collect(stack, &all, &access->reads);
    collect(stack, &all, &access->writes);
    const Places said = places_to_say(stack, &all);
    allow_objects(stack, document, &access->reads, (Permission){ READ, COUNT_OF(READ), WHY_ACCESS_READ });
    allow_objects(stack, document, &access->writes, (Permission){ WRITE, COUNT_OF(WRITE), WHY_ACCESS_WRITE });
    allow_lists(stack, document, &said);
    allow_keys(stack, document, &access->reads, &access->writes,
               (Permission){ DECRYPT, COUNT_OF(DECRYPT), WHY_ACCESS_KEY });
    allow_keys(stack, document, &access->writes, NULL, (Permission){ ENCRYPT, COUNT_OF(ENCRYPT), WHY_ACCESS_KEY });
}

void bucket_access_allow(Stack *stack, DocNode *role, const PlanAccess *access) {
    if (access->reads.count + access->writes.count > 0) {
        bucket_access_add(stack, iam_policy(stack, role, "buckets", WHY_ACCESS_POLICY), access);
    }
}
