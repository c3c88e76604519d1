// A rule about buckets of a template that a key of the same template encrypts: the role of a job or a node that may write
// or read their objects has to be allowed to use the key as well. Nothing is said where a policy that the template does not
// show may allow it.
// source: Amazon S3 User Guide, Using server-side encryption with AWS KMS keys (SSE-KMS), and Multipart upload API and
// permissions; AWS KMS Developer Guide, Default key policy; read 2026-11
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/iam_pattern.h"
#include "compiler/plan/rules/template_use.h"
#include "schema/names.h"

// Of all statements, actions and uses that are looked at. A template that people write takes some ten thousands.
enum { STEPS_MAX = 4000000, BYTES_PER_STEP = 16 };

// A bucket whose new objects a key of the template encrypts.
typedef struct {
    const PlanNamed *bucket;
    const PlanNamed *key;
    Span span;        // where the bucket names the key
    const char *mark; // what a text has that names its objects; NULL: the name is not written
} KeyedBucket;

typedef struct {
    const Data *data;
    const Subject *subject; // that it stands in
} Statement;

// All policies of a role, as far as the template shows them.
typedef struct {
    const PlanNamed *role;
    bool is_known; // there are no others
    VEC(Statement) statements;
} Holder;

typedef struct {
    const Rules *rules;
    const PlanTemplate *template;
    VEC(KeyedBucket) buckets;
    VEC(const PlanUse *) uses; // of resources
    uint32_t steps;            // that may still be taken
} BucketKeysCheck;

// False where none are left; then nothing is reported.
static bool take_steps(BucketKeysCheck *check, size_t count) {
    check->steps -= count < check->steps ? (uint32_t)count : check->steps;
    return check->steps > 0;
}

static bool take_step(BucketKeysCheck *check) {
    return take_steps(check, 1);
}

// For a text that is to be looked through.
static bool take_steps_for(BucketKeysCheck *check, Str text) {
    return take_steps(check, 1 + text.len / BYTES_PER_STEP);
}

static bool is_resource(const PlanNamed *named, const char *type) {
    return named != NULL && named->kind == NAMED_RESOURCE && str_is(named->type, type);
}

// ---- buckets and their keys ------------------------------------------------------------------------------------------

// The key behind the name, or behind an alias; NULL: none of the template.
static const PlanNamed *key_of(const PlanTemplate *template, const PlanNamed *named) {
    if (!is_resource(named, "AWS::KMS::Alias")) {
        return is_resource(named, "AWS::KMS::Key") ? named : NULL;
    }
    for (uint32_t i = 0; i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        if (use->from == named && use_is_no_choice(use) && str_is(use->key, "TargetKeyId")) {
            return is_resource(use->to, "AWS::KMS::Key") ? use->to : NULL;
        }
    }
    return NULL;
}

// What a text has that names objects of a bucket whose name is written, or filled in from a parameter.
static const char *mark_of(Arena *arena, const PlanNamed *bucket) {
    const Data *name = data_get(data_get(bucket->data, "Properties"), "BucketName");
    const Data *ref = data_get(name, "Ref");
    const Data *sub = data_get(name, "Fn::Sub");
    const bool is_ref = name != NULL && (ref != NULL || str_is(name->tag, "!Ref"));
    const Str text = name == NULL ? STR_NONE : ref != NULL ? ref->string : sub != NULL ? sub->string : name->string;
    const Str mark = str_format(arena, is_ref ? ":s3:::${%.*s}/" : ":s3:::%.*s/", STR_ARG(text));
    return text.len == 0 ? NULL : str_c(arena, mark);
}

static void find_buckets(BucketKeysCheck *check) {
    Arena *arena = check->rules->session->arena;
    const PlanTemplate *template = check->template;
    for (uint32_t i = 0; i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        const bool is_value = use->kind == USE_REF || use->kind == USE_ATTRIBUTE;
        if (!is_value || use->to == NULL) {
            continue;
        }
        if (is_resource(use->from, "AWS::S3::Bucket") && use_is_no_choice(use) && str_is(use->key, "KMSMasterKeyID")) {
            const KeyedBucket keyed = { .bucket = use->from,
                                        .key = key_of(template, use->to),
                                        .span = use->span,
                                        .mark = mark_of(arena, use->from) };
            if (keyed.key != NULL) {
                vec_push(arena, &check->buckets, keyed);
            }
        }
        if (use->to->kind == NAMED_RESOURCE) {
            vec_push(arena, &check->uses, use);
        }
    }
}

// ---- policies of a role ----------------------------------------------------------------------------------------------

static void add_statements(BucketKeysCheck *check, Holder *holder, const PlanNamed *named, const Data *document) {
    const Data *statements = document == NULL || document->kind != DATA_MAP ? NULL : data_get(document, "Statement");
    const Data *statement = NULL;
    holder->is_known = holder->is_known && statements != NULL;
    for (uint32_t i = 0; (statement = data_item(statements, i)) != NULL && take_step(check); i++) {
        const bool is_plain = statement->kind == DATA_MAP && statement->tag.len == 0 &&
                              data_get(statement, "Fn::If") == NULL && data_get(statement, "NotAction") == NULL;
        holder->is_known = holder->is_known && is_plain;
        if (is_plain && str_is(data_text(statement, "Effect"), "Allow")) {
            const Statement added = { .data = statement, .subject = named->subject };
            vec_push(check->rules->session->arena, &holder->statements, added);
        }
    }
}

static Str name_of_policy(const Data *arn) {
    const Data *sub = data_get(arn, "Fn::Sub");
    const Data *text = sub != NULL ? sub : arn;
    const bool is_text = text->kind == DATA_STRING && (sub != NULL || arn->tag.len == 0 || str_is(arn->tag, "!Sub"));
    return is_text ? str_after_last(text->string, '/') : STR_NONE;
}

// Policies of AWS, and those of the template that the role lists.
static void add_managed(BucketKeysCheck *check, Holder *holder, const Data *arns) {
    const Data *arn = NULL;
    for (uint32_t i = 0; (arn = data_item(arns, i)) != NULL; i++) {
        const PlanNamed *policy = NULL;
        for (uint32_t k = 0; k < check->uses.count && policy == NULL && take_step(check); k++) {
            const PlanUse *use = check->uses.items[k];
            policy = use->from == holder->role && use->is_whole && is_resource(use->to, "AWS::IAM::ManagedPolicy") &&
                             span_holds(arn->span, use->span)
                         ? use->to
                         : NULL;
        }
        if (policy != NULL) {
            add_statements(check, holder, policy, data_get(data_get(policy->data, "Properties"), "PolicyDocument"));
        } else {
            holder->is_known = holder->is_known && names_have(NAMES_POLICIES_WITHOUT_KMS, name_of_policy(arn));
        }
    }
}

static bool is_policy(const PlanNamed *named) {
    return is_resource(named, "AWS::IAM::Policy") || is_resource(named, "AWS::IAM::ManagedPolicy") ||
           is_resource(named, "AWS::IAM::RolePolicy");
}

// Policies that stand by themselves and name the role. Who else is told the name may attach some.
static void add_beside(BucketKeysCheck *check, Holder *holder) {
    for (uint32_t i = 0; i < check->uses.count; i++) {
        const PlanUse *use = check->uses.items[i];
        if (use->to != holder->role || use->kind != USE_REF) {
            continue;
        }
        if (is_policy(use->from)) {
            add_statements(check, holder, use->from,
                           data_get(data_get(use->from->data, "Properties"), "PolicyDocument"));
        } else {
            holder->is_known = holder->is_known && is_resource(use->from, "AWS::IAM::InstanceProfile");
        }
    }
}

static Holder holder_of(BucketKeysCheck *check, const PlanNamed *role) {
    Holder holder = { .role = role, .is_known = true };
    const Data *properties = data_get(role->data, "Properties");
    const Data *policies = data_get(properties, "Policies");
    for (uint32_t i = 0; policies != NULL && policies->kind == DATA_LIST && i < policies->count; i++) {
        add_statements(check, &holder, role, data_get(policies->items[i], "PolicyDocument"));
    }
    holder.is_known = holder.is_known && (policies == NULL || policies->kind == DATA_LIST);
    add_managed(check, &holder, data_get(properties, "ManagedPolicyArns"));
    add_beside(check, &holder);
    holder.is_known = holder.is_known && !template_attaches_by_name(check->template, role);
    return holder;
}

// Roles of instances, of containers and of pods.
static bool is_of_work(const PlanNamed *role) {
    static const char *const TAKERS[] = { "ec2.amazonaws.com", "ecs-tasks.amazonaws.com", "pods.eks.amazonaws.com",
                                          "sts:AssumeRoleWithWebIdentity" };
    const Data *trust = data_get(data_get(role->data, "Properties"), "AssumeRolePolicyDocument");
    bool is = false;
    for (size_t i = 0; trust != NULL && i < COUNT_OF(TAKERS); i++) {
        is = is || data_has_text(trust, TAKERS[i]);
    }
    return is;
}

// ---- what is allowed -------------------------------------------------------------------------------------------------

// The first action that fits; one that is not written is taken to fit where `or_unknown`.
static const Data *action_for(BucketKeysCheck *check, const Data *statement, const char *wanted, bool or_unknown) {
    const Data *actions = data_get(statement, "Action");
    const Data *action = NULL;
    take_steps(check, statement->count);
    for (uint32_t i = 0; (action = data_item(actions, i)) != NULL && take_steps_for(check, action->string); i++) {
        const bool is_plain = action->kind == DATA_STRING && action->tag.len == 0;
        if (is_plain ? iam_matches_action(action->string, str_of(wanted)) : or_unknown) {
            return action;
        }
    }
    return NULL;
}

static bool has_objects_of(BucketKeysCheck *check, const KeyedBucket *keyed, const Data *resource) {
    const Str text = source_text(check->rules->session, resource->span);
    if (!take_steps_for(check, text) || !str_has(text, "/")) {
        return false;
    }
    for (uint32_t i = 0; i < check->uses.count && take_step(check); i++) {
        const PlanUse *use = check->uses.items[i];
        if (use->to == keyed->bucket && span_holds(resource->span, use->span)) {
            return true;
        }
    }
    return keyed->mark != NULL && str_has(text, keyed->mark);
}

// The first action on objects of the bucket that fits.
static const Data *use_of_objects(BucketKeysCheck *check, const Holder *holder, const KeyedBucket *keyed,
                                  const char *wanted, const Subject **subject) {
    for (uint32_t i = 0; i < holder->statements.count && take_step(check); i++) {
        const Data *statement = holder->statements.items[i].data;
        const Data *action = action_for(check, statement, wanted, false);
        const Data *resources = data_get(statement, "Resource");
        const Data *resource = NULL;
        for (uint32_t k = 0; action != NULL && (resource = data_item(resources, k)) != NULL; k++) {
            if (has_objects_of(check, keyed, resource)) {
                *subject = holder->statements.items[i].subject;
                return action;
            }
        }
    }
    return NULL;
}

// An item that is another key of the template, or of another service.
static bool is_elsewhere(BucketKeysCheck *check, const PlanNamed *key, const Data *resource) {
    take_steps_for(check, resource->string);
    bool is_other =
        resource->kind == DATA_STRING && (str_has(resource->string, ":s3:::") || str_has(resource->string, ":logs:"));
    for (uint32_t i = 0; i < check->uses.count && take_step(check); i++) {
        const PlanUse *use = check->uses.items[i];
        if (span_holds(resource->span, use->span)) {
            if (use->to == key || is_resource(use->to, "AWS::KMS::Alias")) {
                return false;
            }
            is_other = is_other || is_resource(use->to, "AWS::KMS::Key") || is_resource(use->to, "AWS::S3::Bucket");
        }
    }
    return is_other;
}

static bool may_use(BucketKeysCheck *check, const Holder *holder, const PlanNamed *key, const char *wanted) {
    for (uint32_t i = 0; i < holder->statements.count && take_step(check); i++) {
        const Data *statement = holder->statements.items[i].data;
        const Data *resources = data_get(statement, "Resource");
        const Data *resource = NULL;
        if (action_for(check, statement, wanted, true) == NULL) {
            continue;
        }
        if (resources == NULL) {
            return true;
        }
        for (uint32_t k = 0; (resource = data_item(resources, k)) != NULL; k++) {
            if (!is_elsewhere(check, key, resource)) {
                return true;
            }
        }
    }
    return false;
}

// ---- the policy of the key -------------------------------------------------------------------------------------------

// The account lets policies of IAM decide.
static bool is_account(const Data *principal) {
    const Data *sub = data_get(principal, "Fn::Sub");
    const Data *ref = data_get(principal, "Ref");
    const Data *text = sub != NULL ? sub : ref != NULL ? ref : principal;
    return data_has_text(principal, ":root") || (text->kind == DATA_STRING && str_is(text->string, "AWS::AccountId"));
}

// A role of the template that is another one.
static bool is_other_role(BucketKeysCheck *check, const PlanNamed *role, const Data *principal) {
    for (uint32_t i = 0; i < check->uses.count && take_step(check); i++) {
        const PlanUse *use = check->uses.items[i];
        if (use->is_whole && span_holds(principal->span, use->span)) {
            return use->to != role && is_resource(use->to, "AWS::IAM::Role");
        }
    }
    return false;
}

static bool may_be_let_in(BucketKeysCheck *check, const PlanNamed *role, const Data *principal) {
    if (principal == NULL || principal->kind != DATA_MAP || principal->tag.len > 0) {
        return true;
    }
    for (uint32_t i = 0; i < principal->count; i++) {
        const Data *who = NULL;
        for (uint32_t k = 0; (who = data_item(principal->entries[i].value, k)) != NULL && take_step(check); k++) {
            const bool is_aws = str_is(principal->entries[i].key, "AWS");
            const bool is_service = str_is(principal->entries[i].key, "Service");
            if (!is_service && !(is_aws && (is_account(who) || is_other_role(check, role, who)))) {
                return true;
            }
        }
    }
    return false;
}

// Whether the key itself may let the role in.
static bool may_be_given(BucketKeysCheck *check, const PlanNamed *role, const PlanNamed *key, const char *wanted) {
    const Data *policy = data_get(data_get(key->data, "Properties"), "KeyPolicy");
    const Data *statements = policy == NULL || policy->kind != DATA_MAP ? NULL : data_get(policy, "Statement");
    const Data *statement = NULL;
    for (uint32_t i = 0; (statement = data_item(statements, i)) != NULL && take_step(check); i++) {
        const bool is_plain = statement->kind == DATA_MAP && statement->tag.len == 0 &&
                              data_get(statement, "Fn::If") == NULL && data_get(statement, "NotAction") == NULL;
        if (!is_plain ||
            (!str_is(data_text(statement, "Effect"), "Deny") && action_for(check, statement, wanted, true) != NULL &&
             may_be_let_in(check, role, data_get(statement, "Principal")))) {
            return true;
        }
    }
    return policy != NULL && statements == NULL;
}

// A custom resource or a nested stack that is told of the key may give grants.
static bool is_told(const BucketKeysCheck *check, const PlanNamed *named) {
    for (uint32_t i = 0; i < check->uses.count; i++) {
        const PlanUse *use = check->uses.items[i];
        if (use->to == named && use->kind != USE_DEPENDS_ON && use->from != NULL && use->from->kind == NAMED_RESOURCE &&
            (!str_starts_with(use->from->type, STR("AWS::")) ||
             str_starts_with(use->from->type, STR("AWS::CloudFormation::")))) {
            return true;
        }
    }
    return false;
}

// ----------------------------------------------------------------------------------------------------------------------

static bool lacks(BucketKeysCheck *check, const Holder *holder, const PlanNamed *key, const char *action) {
    return !may_use(check, holder, key, action) && !may_be_given(check, holder->role, key, action);
}

static void check_bucket(BucketKeysCheck *check, const Holder *holder, const KeyedBucket *keyed) {
    Session *session = check->rules->session;
    const Subject *subject = holder->role->subject;
    const Data *write = use_of_objects(check, holder, keyed, "s3:PutObject", &subject);
    const Data *read = write != NULL ? NULL : use_of_objects(check, holder, keyed, "s3:GetObject", &subject);
    const bool lacks_key = write != NULL && lacks(check, holder, keyed->key, "kms:GenerateDataKey");
    const bool lacks_decrypt = (write != NULL || read != NULL) && lacks(check, holder, keyed->key, "kms:Decrypt");
    if ((!lacks_key && !lacks_decrypt) || is_told(check, keyed->key) || check->steps == 0) {
        return;
    }
    const char *which = lacks_key && lacks_decrypt ? "kms:GenerateDataKey` and `kms:Decrypt"
                        : lacks_key                ? "kms:GenerateDataKey"
                                                   : "kms:Decrypt";
    const Data *action = write != NULL ? write : read;
    Diag *diag = plan_report(session, subject, action->span, DIAG(bucket_key_not_allowed), STR_ARG(holder->role->name),
                             write != NULL ? "write to" : "read from", STR_ARG(keyed->bucket->name), which,
                             STR_ARG(keyed->key->name));
    diag_label(session, diag, keyed->span, "encrypts what is put there");
    if (!lacks_key && write != NULL) {
        diag_note(session, diag, "the upload of a large file is in parts, and S3 decrypts them to put them together");
    }
    diag_help(session, diag, "allow `%s` on `!GetAtt %.*s.Arn` as well", which, STR_ARG(keyed->key->name));
}

void rule_bucket_keys(const Rules *rules, const PlanFile *file) {
    BucketKeysCheck check = { .rules = rules, .template = file->names, .steps = STEPS_MAX };
    if (file->names == NULL || !template_is_readable(file->names)) {
        return;
    }
    find_buckets(&check);
    for (uint32_t i = 0; check.buckets.count > 0 && i < file->names->named.count; i++) {
        const PlanNamed *role = file->names->named.items[i];
        if (!is_resource(role, "AWS::IAM::Role") || role->data == NULL || !is_of_work(role)) {
            continue;
        }
        const Holder holder = holder_of(&check, role);
        for (uint32_t k = 0; holder.is_known && k < check.buckets.count && check.steps > 0; k++) {
            check_bucket(&check, &holder, &check.buckets.items[k]);
        }
    }
}
