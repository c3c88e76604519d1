// A rule about whom and what a statement reaches: objects that are a bucket, and principals that are everybody.
#include "compiler/plan/rules/rule_insert.h"

#include "compiler/plan/model/allow.h"

static bool is_plain(const Data *data) {
    return data->kind == DATA_STRING && data->tag.len == 0;
}

// ---- objects -------------------------------------------------------------------------------------------------------

static bool is_of_objects(Str action) {
    static const char *const ACTIONS[] = {
        "s3:GetObject",           "s3:GetObject*",
        "s3:GetObjectTagging",    "s3:GetObjectVersion",
        "s3:PutObject",           "s3:PutObject*",
        "s3:PutObjectAcl",        "s3:PutObjectTagging",
        "s3:DeleteObject",        "s3:DeleteObject*",
        "s3:DeleteObjectVersion", "s3:AbortMultipartUpload",
        "s3:RestoreObject",       "s3:ListMultipartUploadParts",
    };
    for (size_t i = 0; i < COUNT_OF(ACTIONS); i++) {
        if (str_is(action, ACTIONS[i])) {
            return true;
        }
    }
    return false;
}

// The argument of `!NAME`, or of the long form; NULL where the value is no such call.
static const Data *argument_of(const Data *data, const char *tag, const char *key) {
    return str_is(data->tag, tag) ? data : data->kind == DATA_MAP && data->count == 1 ? data_get(data, key) : NULL;
}

static bool is_bucket_of_template(const PlanTemplate *template, Str name) {
    const PlanNamed *named = template == NULL ? NULL : plan_named(template, NAMED_RESOURCE, name);
    return named != NULL && str_is(named->type, "AWS::S3::Bucket");
}

// `Bucket.Arn`, of a bucket in the template: the name of the bucket, else nothing.
static Str bucket_of(const PlanTemplate *template, Str text) {
    const Str end = STR(".Arn");
    const Str name = str_ends_with(text, end) ? str_slice(text, 0, text.len - end.len) : STR_NONE;
    return is_bucket_of_template(template, name) ? name : STR_NONE;
}

static Str bucket_of_attribute(const PlanTemplate *template, const Data *argument) {
    const bool is_pair = argument->kind == DATA_LIST && argument->count == 2;
    const Str name = is_pair && str_is(argument->items[1]->string, "Arn") ? argument->items[0]->string : STR_NONE;
    return argument->kind == DATA_STRING           ? bucket_of(template, argument->string)
           : is_bucket_of_template(template, name) ? name
                                                   : STR_NONE;
}

// The last two of what `Fn::Join` puts together: `:s3:::`, and the name of a bucket in the template.
static Str bucket_of_parts(const PlanTemplate *template, const Data *argument) {
    const bool is_pair = argument->kind == DATA_LIST && argument->count == 2;
    const Data *parts = is_pair && argument->items[0]->string.len == 0 ? argument->items[1] : NULL;
    if (parts == NULL || parts->kind != DATA_LIST || parts->count < 2) {
        return STR_NONE;
    }
    const Data *name = argument_of(parts->items[parts->count - 1], "!Ref", "Ref");
    const bool is_bucket = name != NULL && is_bucket_of_template(template, name->string) &&
                           str_ends_with(parts->items[parts->count - 2]->string, STR(":s3:::"));
    return is_bucket ? name->string : STR_NONE;
}

// What has to be written for the objects, where the value is the ARN of a bucket without a key; else nothing.
static Str objects_of(Arena *arena, const PlanTemplate *template, const Data *resource) {
    const Data *attribute = argument_of(resource, "!GetAtt", "Fn::GetAtt");
    const Data *parts = argument_of(resource, "!Join", "Fn::Join");
    const Data *sub = argument_of(resource, "!Sub", "Fn::Sub");
    const Data *literal = sub != NULL ? sub : resource->tag.len == 0 ? resource : NULL;
    const Str text = literal != NULL && literal->kind == DATA_STRING ? literal->string : STR_NONE;
    const size_t at = str_find(text, STR(":s3:::"), 0);
    if (str_starts_with(text, STR("arn:")) && at < text.len && str_find(text, STR("/"), at) >= text.len &&
        str_find(text, STR("*"), at) >= text.len && str_find(text, STR("?"), at) >= text.len) {
        return str_format(arena, "%.*s/*", STR_ARG(text));
    }
    const bool is_variable = sub != NULL && str_starts_with(text, STR("${")) && str_ends_with(text, STR("}"));
    const Str bucket = attribute != NULL ? bucket_of_attribute(template, attribute)
                       : parts != NULL   ? bucket_of_parts(template, parts)
                       : is_variable     ? bucket_of(template, str_slice(text, 2, text.len - 1))
                                         : STR_NONE;
    return bucket.len == 0 ? STR_NONE : str_format(arena, "!Sub '${%.*s.Arn}/*'", STR_ARG(bucket));
}

// Something in the resource may be an object's ARN.
static bool names_objects(const Data *data) {
    static const char *const MARKS[] = { "/*", "}/", "}*", "AmazonS3" };
    if (data->kind == DATA_STRING) {
        const size_t at = str_find(data->string, STR("s3:::"), 0);
        const bool has_key = at < data->string.len && (str_find(data->string, STR("/"), at) < data->string.len ||
                                                       str_find(data->string, STR("*"), at) < data->string.len);
        bool has_mark = str_is(data->string, "*") || str_is(data->string, "/");
        for (size_t i = 0; i < COUNT_OF(MARKS); i++) {
            has_mark = has_mark || str_find(data->string, str_of(MARKS[i]), 0) < data->string.len;
        }
        return has_key || has_mark;
    }
    for (uint32_t i = 0; i < data->count; i++) {
        if (names_objects(data->kind == DATA_MAP ? data->entries[i].value : data->items[i])) {
            return true;
        }
    }
    return false;
}

static void check_objects(const Rules *rules, const PlanPolicy *policy, const Data *statement) {
    const Data *resources = data_get(statement, "Resource");
    const Data *first = data_item(resources, 0); // NULL of an empty list, too
    const Data *action = NULL;
    const Data *resource = NULL;
    for (uint32_t i = 0; (resource = data_item(resources, i)) != NULL; i++) {
        if (objects_of(rules->session->arena, policy->template, resource).len == 0) {
            return;
        }
    }
    for (uint32_t i = 0; first != NULL && (action = data_item(data_get(statement, "Action"), i)) != NULL; i++) {
        if (is_plain(action) && is_of_objects(action->string)) {
            Diag *diag = plan_report(rules->session, policy->subject, first->span, DIAG(objects_of_bucket),
                                     STR_ARG(action->string));
            diag_label(rules->session, diag, action->span, "of objects");
            const Str objects = objects_of(rules->session->arena, policy->template, first);
            diag_help(rules->session, diag, "add `%.*s`", STR_ARG(objects));
            // What is deleted does not come back.
            if (data_item(resources, 1) == NULL && !str_has(action->string, "Delete") &&
                (is_plain(first) || argument_of(first, "!GetAtt", "Fn::GetAtt") != NULL)) {
                rule_insert_item(rules, diag, first->span, objects);
            }
            return;
        }
    }
}

// ---- buckets -------------------------------------------------------------------------------------------------------

enum { COMPARED_MAX = 500 }; // a template has no more resources

static bool is_of_bucket(Str action) {
    return str_is(action, "s3:ListBucket") || str_is(action, "s3:ListBucketVersions") ||
           str_is(action, "s3:GetBucketLocation") || str_is(action, "s3:ListBucketMultipartUploads");
}

// The first `/` at or after `from` that is in no variable: the name of `${aws:PrincipalTag/team}` has one, and its value may
// have none.
static size_t slash_of(Str text, size_t from) {
    for (size_t at = from; at < text.len; at++) {
        if (text.data[at] == '/') {
            return at;
        }
        at = text.data[at] == '$' && str_at(text, at + 1) == '{' ? str_find(text, STR("}"), at) : at;
    }
    return text.len;
}

// No bucket has a name with `/`, so that no pattern with one behind its bucket is of a bucket.
static bool is_objects(const Data *resource) {
    const Data *sub = data_get(resource, "Fn::Sub");
    const bool is_sub = sub != NULL || str_is(resource->tag, "!Sub");
    const Data *text = sub != NULL ? sub : resource;
    const bool is_text = text->kind == DATA_STRING && (is_sub || resource->tag.len == 0);
    const Str name = is_text ? text->string : STR_NONE;
    const size_t bucket = str_find(name, STR(":s3:::"), 0);
    const size_t variable = is_sub ? str_find(name, STR(".Arn}/"), 0) : name.len;
    return (bucket < name.len && slash_of(name, bucket) < name.len) || variable < name.len;
}

// A policy of AWS that may let its holder list a bucket, by its name.
static bool is_policy_that_lists(Str text) {
    static const char *const NAMES[] = { "policy/AmazonS3",        "FullAccess",      "/AdministratorAccess",
                                         "/PowerUserAccess",       "/ReadOnlyAccess", "/ViewOnlyAccess",
                                         "job-function/DataScient" };
    for (size_t i = 0; i < COUNT_OF(NAMES); i++) {
        if (str_find(text, str_of(NAMES[i]), 0) < text.len) {
            return true;
        }
    }
    return false;
}

// Something in the policies of this resource that may let their holder list a bucket.
static bool lists_otherwise(const Data *data) {
    if (data->kind == DATA_STRING) {
        return is_policy_that_lists(data->string);
    }
    if (data->kind == DATA_MAP && data_get(data, "Effect") != NULL) {
        const Data *resource = NULL;
        bool is_other = data_get(data, "Resource") == NULL;
        for (uint32_t i = 0; (resource = data_item(data_get(data, "Resource"), i)) != NULL; i++) {
            is_other = is_other || !is_objects(resource);
        }
        const Data *action = NULL;
        for (uint32_t i = 0; is_other && (action = data_item(data_get(data, "Action"), i)) != NULL; i++) {
            if (!is_plain(action) || str_starts_with(action->string, STR("s3:")) || str_is(action->string, "*")) {
                return true;
            }
        }
        return is_other && data_get(data, "Action") == NULL;
    }
    for (uint32_t i = 0; i < data->count; i++) {
        if (lists_otherwise(data->kind == DATA_MAP ? data->entries[i].value : data->items[i])) {
            return true;
        }
    }
    return false;
}

// Whether a role has a policy that this template does not tell: of a parameter, or of another stack.
static bool has_unknown_policy(const PlanTemplate *template, const PlanNamed *named) {
    const Data *arns = data_get(data_get(named->data, "Properties"), "ManagedPolicyArns");
    const Data *item = NULL;
    for (uint32_t i = 0; (item = data_item(arns, i)) != NULL; i++) {
        const Data *name = argument_of(item, "!Ref", "Ref");
        const Data *sub = argument_of(item, "!Sub", "Fn::Sub");
        const bool is_named = name != NULL && plan_named(template, NAMED_RESOURCE, name->string) != NULL;
        const bool is_text = is_plain(item) || (sub != NULL && sub->kind == DATA_STRING);
        if (!is_named && !is_text) {
            return true;
        }
    }
    return false;
}

// A role may have policies that are resources of their own, and whoever has one of these may have others.
static bool is_listed_beside(const PlanPolicy *policy) {
    const PlanTemplate *template = policy->template;
    const bool is_role = policy->named != NULL && str_is(policy->named->type, "AWS::IAM::Role");
    if (template == NULL || has_unknown_policy(template, policy->named)) {
        return template != NULL;
    }
    for (uint32_t i = 0; i < template->named.count && i < COMPARED_MAX; i++) {
        const PlanNamed *other = template->named.items[i];
        const bool may_be_of_it = other->kind == NAMED_RESOURCE && other->data != NULL &&
                                  str_starts_with(other->type, STR("AWS::IAM::")) &&
                                  !(is_role && str_is(other->type, "AWS::IAM::Role"));
        const Data *properties = may_be_of_it ? data_get(other->data, "Properties") : NULL;
        if (properties != NULL && lists_otherwise(properties)) {
            return true;
        }
    }
    return false;
}

// The ARN of the bucket that some objects are in; empty where that is not known.
static Str bucket_of_objects(Arena *arena, const Data *objects) {
    const Data *sub = data_get(objects, "Fn::Sub");
    const Str text = sub != NULL ? sub->string : objects->string;
    const size_t arn = str_find(text, STR(".Arn}/"), 0);
    if (sub != NULL && str_starts_with(text, STR("${")) && arn < text.len) {
        return str_format(arena, "!GetAtt %.*s.Arn", STR_ARG(str_slice(text, 2, arn)));
    }
    const size_t name = str_find(text, STR(":s3:::"), 0);
    const Str bucket = str_slice(text, 0, slash_of(text, name));
    // Of some of its objects, a condition on the prefix may be meant.
    const bool is_one = name < text.len && str_is(str_slice(text, bucket.len, text.len), "/*") &&
                        str_find(bucket, STR("*"), 0) >= bucket.len;
    return !is_one ? STR_NONE : sub != NULL ? str_format(arena, "!Sub \"%.*s\"", STR_ARG(bucket)) : bucket;
}

static void check_bucket(const Rules *rules, const PlanPolicy *policy, const Data *statement) {
    const Data *first = data_item(data_get(statement, "Resource"), 0);
    const Data *resource = NULL;
    const Data *action = NULL;
    for (uint32_t i = 0; (resource = data_item(data_get(statement, "Resource"), i)) != NULL; i++) {
        if (!is_objects(resource)) {
            return;
        }
    }
    for (uint32_t i = 0; first != NULL && (action = data_item(data_get(statement, "Action"), i)) != NULL; i++) {
        if (is_plain(action) && is_of_bucket(action->string) && !is_listed_beside(policy)) {
            Diag *diag = plan_report(rules->session, policy->subject, first->span, DIAG(bucket_of_objects),
                                     STR_ARG(action->string));
            diag_label(rules->session, diag, action->span, "of a bucket");
            diag_help(rules->session, diag, "add the ARN of the bucket, without what is behind its name");
            const Str bucket = data_item(data_get(statement, "Resource"), 1) == NULL
                                   ? bucket_of_objects(rules->session->arena, first)
                                   : STR_NONE;
            if (bucket.len > 0) {
                rule_insert_item(rules, diag, first->span, bucket);
            }
            return;
        }
    }
}

// ---- everybody -----------------------------------------------------------------------------------------------------

static bool is_star(const Data *data) {
    const Data *item = NULL;
    for (uint32_t i = 0; (item = data_item(data, i)) != NULL; i++) {
        if (is_plain(item) && str_is(item->string, "*")) {
            return true;
        }
    }
    return false;
}

static bool changes_objects(const Data *statement) {
    static const char *const ACTIONS[] = { "s3:Put", "s3:Delete", "s3:*", "*" };
    const Data *action = NULL;
    for (uint32_t i = 0; (action = data_item(data_get(statement, "Action"), i)) != NULL; i++) {
        for (size_t k = 0; k < COUNT_OF(ACTIONS) && is_plain(action); k++) {
            if (str_starts_with(action->string, str_of(ACTIONS[k]))) {
                return true;
            }
        }
    }
    return false;
}

static void check_principal(const Rules *rules, const PlanPolicy *policy, const Data *statement) {
    const bool is_role = policy->kind == POLICY_OF_TRUST;
    const Data *principal = data_get(statement, "Principal");
    const Data *accounts = principal != NULL && principal->kind == DATA_MAP ? data_get(principal, "AWS") : principal;
    if ((is_role || changes_objects(statement)) && is_star(accounts) && data_get(statement, "Condition") == NULL) {
        Diag *diag = plan_report(rules->session, policy->subject, accounts->span, DIAG(trusts_all),
                                 is_role ? "take this role" : "change what is in the bucket");
        diag_help(rules->session, diag,
                  is_role ? "name the service or the account that takes the role"
                          : "name the accounts or roles, or add a `Condition`");
    }
}

// ---- statements ----------------------------------------------------------------------------------------------------

typedef void CheckStatement(const Rules *rules, const PlanPolicy *policy, const Data *statement);

static void each_statement(const Rules *rules, const PlanPolicy *policy, CheckStatement *check) {
    const Data *statement = NULL;
    for (uint32_t i = 0; (statement = data_item(data_get(policy->document, "Statement"), i)) != NULL; i++) {
        if (statement->kind == DATA_MAP && str_is(data_text(statement, "Effect"), "Allow")) {
            check(rules, policy, statement);
        }
    }
}

// A policy of a resource in a template is asked of buckets alone: of an endpoint, `*` is all that come by it.
static bool may_trust_all(const PlanPolicy *policy) {
    return policy->kind == POLICY_OF_TRUST ||
           (policy->kind == POLICY_OF_RESOURCE &&
            (policy->named == NULL || str_is(policy->named->type, "AWS::S3::BucketPolicy")));
}

void rule_policy_reach(const Rules *rules, const PlanPolicy *policy) {
    if (may_trust_all(policy)) {
        each_statement(rules, policy, check_principal);
    }
    if (policy->kind != POLICY_OF_IDENTITY) {
        return;
    }
    if (!lists_otherwise(policy->holder)) {
        each_statement(rules, policy, check_bucket);
    }
    if (!names_objects(policy->holder)) {
        each_statement(rules, policy, check_objects);
    }
}
