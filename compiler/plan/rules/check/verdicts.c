// Rules about the KMS key of the bucket that nodes put their verdicts into. S3 refuses a put for want of a permission on the
// key, and nobody but the node hears of it.
#include "compiler/base/arn.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/rules.h"
#include "schema/schema.h"

// A key of another partition is an error already: rule_arns().
static bool is_in_partition(Str region, const Value *key) {
    const RegionRow *row = schema_region(region);
    return row == NULL || str_is(arn_field(key->string, ARN_PARTITION), row->partition);
}

static void check_region(const Rules *rules, const PlanNodes *nodes, const PlanBucket *bucket, const Value *key) {
    const bool is_known = bucket != NULL && bucket->region.len > 0;
    const Str region = is_known ? bucket->region : nodes->cluster->region;
    const Str other = arn_field(key->string, ARN_REGION);
    if (region.len == 0 || str_equal(other, region) || !is_in_partition(region, key)) {
        return;
    }
    Diag *diag = plan_report(rules->session, nodes->head.subject, key->span, DIAG(verdicts_key_elsewhere),
                             STR_ARG(other), is_known ? "the bucket is" : "the nodes are", STR_ARG(region));
    diag_help(rules->session, diag, "name the key of %.*s by which the bucket encrypts", STR_ARG(region));
}

// Managed policies can allow it too, and a role of the author's own is his.
static bool may_have_permission(const PlanNodes *nodes) {
    return nodes->role.instance_profile != NULL || nodes->role.policies->list.count > 0;
}

void rule_verdicts_key(const Rules *rules, const PlanNodes *nodes) {
    const PlanValidate *validate = nodes->validate;
    if (validate == NULL || validate->verdicts == NULL) {
        return;
    }
    const PlanBucket *bucket = plan_bucket_of(rules->plan, validate->verdicts->string);
    if (validate->verdicts_key != NULL) {
        check_region(rules, nodes, bucket, validate->verdicts_key);
    } else if (bucket != NULL && bucket->kms_key != NULL && !may_have_permission(nodes)) {
        Diag *diag = plan_report(rules->session, nodes->head.subject, validate->verdicts->span,
                                 DIAG(verdicts_without_key), STR_ARG(nodes->head.id));
        diag_label(rules->session, diag, bucket->kms_key->span, "encrypts what they put there");
        diag_help(rules->session, diag, "name the key: `verdicts_key = \"arn:…:key/…\"`");
    }
}
