// A bucket and its policy. Nobody but its owner's account has access, and that over TLS alone; what an author wants
// beside that is a raw resource or a patch in the block.
#include "emitters/cloudformation/storage/bucket.h"

#include "emitters/cloudformation/template/extras.h"
#include "emitters/cloudformation/template/import.h"
#include "emitters/cloudformation/template/intrinsic.h"
#include "emitters/cloudformation/template/tags.h"
#include "emitters/cloudformation/template/template_value.h"

static const int64_t MILLISECONDS_OF_DAY = INT64_C(24) * 60 * 60 * 1000;

static void add_encryption(Stack *stack, DocNode *bucket, const PlanBucket *plan) {
    DocNode *rules = tree_put_list(stack->doc, tree_put_map(stack->doc, bucket, "BucketEncryption"),
                                   "ServerSideEncryptionConfiguration");
    DocNode *rule = tree_add_map(stack->doc, rules);
    DocNode *by_default = tree_put_map(stack->doc, rule, "ServerSideEncryptionByDefault");
    if (plan->kms_key == NULL) {
        tree_put_text(stack->doc, by_default, "SSEAlgorithm", WHY_BUCKET_ENCRYPTION, "AES256");
        return;
    }
    doc_because(stack->doc, plan->kms_key->origin);
    tree_put_text(stack->doc, by_default, "SSEAlgorithm", WHY_BUCKET_KEY, "aws:kms");
    tree_put(stack->doc, by_default, "KMSMasterKeyID", template_value(stack, plan->kms_key));
    tree_put(stack->doc, rule, "BucketKeyEnabled", tree_bool(stack->doc, WHY_BUCKET_KEY, true));
    doc_unbecause(stack->doc);
}

static void add_privacy(Stack *stack, DocNode *bucket) {
    static const char *const BLOCKS[] = { "BlockPublicAcls", "BlockPublicPolicy", "IgnorePublicAcls",
                                          "RestrictPublicBuckets" };
    DocNode *ownership = tree_put_list(stack->doc, tree_put_map(stack->doc, bucket, "OwnershipControls"), "Rules");
    tree_put_text(stack->doc, tree_add_map(stack->doc, ownership), "ObjectOwnership", WHY_BUCKET_OWNER,
                  "BucketOwnerEnforced");
    DocNode *blocks = tree_put_map(stack->doc, bucket, "PublicAccessBlockConfiguration");
    for (size_t i = 0; i < COUNT_OF(BLOCKS); i++) {
        tree_put(stack->doc, blocks, BLOCKS[i], tree_bool(stack->doc, WHY_BUCKET_PRIVATE, true));
    }
}

// ---- what S3 deletes by itself

static DocNode *add_rule(Stack *stack, DocNode *rules, Str id) {
    DocNode *rule = tree_add_map(stack->doc, rules);
    tree_put(stack->doc, rule, "Id", tree_string(stack->doc, WHY_BUCKET_RULE, id));
    tree_put_text(stack->doc, rule, "Status", WHY_BUCKET_RULE, "Enabled");
    return rule;
}

static DocNode *days(Stack *stack, const Value *duration) {
    return doc_int(stack->doc, duration->integer / MILLISECONDS_OF_DAY, duration->origin);
}

static void add_expiry(Stack *stack, DocNode *rules, const PlanBucket *plan) {
    const uint32_t count = plan->expiry == NULL ? 0 : plan->expiry->map.count;
    for (uint32_t i = 0; i < count; i++) {
        const ValueEntry *entry = &plan->expiry->map.entries[i];
        if (entry->value->kind != VALUE_DURATION) {
            continue; // null takes the entry away
        }
        doc_because(stack->doc, plan->expiry->origin);
        DocNode *rule = add_rule(stack, rules, str_format(stack->arena, "expiry-%" PRIu32, i + 1));
        if (entry->key.len > 0) {
            tree_put(stack->doc, rule, "Prefix", doc_string(stack->doc, entry->key, entry->value->origin));
        }
        tree_put(stack->doc, rule, "ExpirationInDays", days(stack, entry->value));
        doc_unbecause(stack->doc);
    }
}

static void add_lifecycle(Stack *stack, DocNode *bucket, const PlanBucket *plan) {
    DocNode *rules = tree_put_list(stack->doc, tree_put_map(stack->doc, bucket, "LifecycleConfiguration"), "Rules");
    DocNode *uploads = add_rule(stack, rules, STR("incomplete-uploads"));
    tree_put(stack->doc, tree_put_map(stack->doc, uploads, "AbortIncompleteMultipartUpload"), "DaysAfterInitiation",
             tree_number(stack->doc, WHY_BUCKET_UPLOADS, schema_constant(CONSTANT_BUCKET_UPLOAD_DAYS)));
    add_expiry(stack, rules, plan);
    if (plan->old_versions != NULL) {
        doc_because(stack->doc, plan->old_versions->origin);
        DocNode *rule = add_rule(stack, rules, STR("old-versions"));
        tree_put(stack->doc, rule, "ExpiredObjectDeleteMarker", tree_bool(stack->doc, WHY_BUCKET_MARKER, true));
        tree_put(stack->doc, tree_put_map(stack->doc, rule, "NoncurrentVersionExpiration"), "NoncurrentDays",
                 days(stack, plan->old_versions));
        doc_unbecause(stack->doc);
    }
}

// ---- the policy

static void add_policy(Stack *stack, const PlanBucket *plan, Str bucket) {
    DocNode *policy = stack_resource(stack, (StackResource){
                                                .id = stack_id(stack, plan->head.id, STR_NONE, "BucketPolicy"),
                                                .type = "AWS::S3::BucketPolicy",
                                                .is_kept = plan->keep->boolean,
                                            });
    tree_put(stack->doc, policy, "Bucket", intrinsic_ref(stack, bucket));
    DocNode *document = tree_put_map(stack->doc, policy, "PolicyDocument");
    tree_put_text(stack->doc, document, "Version", WHY_POLICY_DOCUMENT, "2012-10-17");
    DocNode *statement = tree_add_map(stack->doc, tree_put_list(stack->doc, document, "Statement"));
    tree_put_text(stack->doc, statement, "Sid", WHY_BUCKET_TLS, "TlsOnly");
    tree_put_text(stack->doc, statement, "Effect", WHY_BUCKET_TLS, "Deny");
    tree_put_text(stack->doc, statement, "Principal", WHY_BUCKET_TLS, "*");
    tree_put_text(stack->doc, statement, "Action", WHY_BUCKET_TLS, "s3:*");
    DocNode *resources = tree_put_list(stack->doc, statement, "Resource");
    doc_add(stack->doc, resources, intrinsic_get_att(stack, bucket, "Arn"));
    doc_add(stack->doc, resources,
            intrinsic_sub(stack, WHY_BUCKET_TLS, str_format(stack->arena, "${%.*s.Arn}/*", STR_ARG(bucket))));
    DocNode *condition = tree_put_map(stack->doc, tree_put_map(stack->doc, statement, "Condition"), "Bool");
    tree_put_text(stack->doc, condition, "aws:SecureTransport", WHY_BUCKET_TLS, "false");
}

void bucket_emit(Session *session, const Plan *plan, const PlanBucket *bucket, Output *output) {
    Stack *stack = stack_open(session, plan, &bucket->head, bucket->region);
    doc_because(stack->doc, bucket->head.origin);
    const Str id = import_bucket_id(stack, bucket->head.part);
    DocNode *properties = stack_resource(stack, (StackResource){
                                                    .id = id,
                                                    .type = "AWS::S3::Bucket",
                                                    .is_kept = bucket->keep->boolean,
                                                });
    tree_put(stack->doc, properties, "BucketName", template_value(stack, bucket->bucket));
    add_encryption(stack, properties, bucket);
    add_privacy(stack, properties);
    if (bucket->versions->boolean) {
        doc_because(stack->doc, bucket->versions->origin);
        tree_put_text(stack->doc, tree_put_map(stack->doc, properties, "VersioningConfiguration"), "Status",
                      WHY_BUCKET_VERSIONS, "Enabled");
        doc_unbecause(stack->doc);
    }
    add_lifecycle(stack, properties, bucket);
    tree_put(stack->doc, properties, "Tags", tags_list(stack, (Tags){ .inner = bucket->tags }));
    add_policy(stack, bucket, id);
    stack_output(stack, STR("Bucket"), "Name of the bucket", intrinsic_ref(stack, id), true);
    doc_unbecause(stack->doc);
    extras_add(stack, bucket->head.part, true);
    Str description = str_format(stack->arena, "Bucket %.*s", STR_ARG(bucket->head.id));
    stack_write(stack, description, NULL, output);
}
