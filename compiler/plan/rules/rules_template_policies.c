// Rules about the statements of policies in a template: objects that are a bucket, and principals that are everybody.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"

static bool is_plain(const Data *data) {
    return data->kind == DATA_STRING && data->tag.len == 0;
}

// ---- objects -------------------------------------------------------------------------------------------------------

static bool is_of_objects(Str action) {
    static const char *const ACTIONS[] = { "s3:GetObject", "s3:PutObject", "s3:DeleteObject" };
    for (size_t i = 0; i < COUNT_OF(ACTIONS); i++) {
        if (str_is(action, ACTIONS[i])) {
            return true;
        }
    }
    return false;
}

// `arn:aws:s3:::NAME`, without a key, as it is written or for Fn::Sub.
static bool is_bucket(const Data *resource) {
    const bool is_text = resource->kind == DATA_STRING && (resource->tag.len == 0 || str_is(resource->tag, "!Sub"));
    const Str text = is_text ? resource->string : STR_NONE;
    const size_t at = str_find(text, STR(":s3:::"), 0);
    return str_starts_with(text, STR("arn:")) && at < text.len && str_find(text, STR("/"), at) >= text.len &&
           str_find(text, STR("*"), at) >= text.len && str_find(text, STR("?"), at) >= text.len;
}

// Something in the resource may be an object's ARN.
static bool names_objects(const Data *data) {
    if (data->kind == DATA_STRING) {
        const size_t at = str_find(data->string, STR("s3:::"), 0);
        const bool has_key = at < data->string.len && (str_find(data->string, STR("/"), at) < data->string.len ||
                                                       str_find(data->string, STR("*"), at) < data->string.len);
        return has_key || str_find(data->string, STR("/*"), 0) < data->string.len || str_is(data->string, "*") ||
               str_find(data->string, STR("AmazonS3"), 0) < data->string.len;
    }
    for (uint32_t i = 0; i < data->count; i++) {
        if (names_objects(data->kind == DATA_MAP ? data->entries[i].value : data->items[i])) {
            return true;
        }
    }
    return false;
}

static void check_objects(const Rules *rules, const PlanNamed *named, const Data *statement) {
    const Data *resources = data_get(statement, "Resource");
    const Data *action = NULL;
    const Data *resource = NULL;
    for (uint32_t i = 0; (resource = data_item(resources, i)) != NULL; i++) {
        if (!is_bucket(resource)) {
            return;
        }
    }
    for (uint32_t i = 0; resources != NULL && (action = data_item(data_get(statement, "Action"), i)) != NULL; i++) {
        if (is_plain(action) && is_of_objects(action->string)) {
            Diag *diag = plan_report(rules->session, named->subject, data_item(resources, 0)->span,
                                     DIAG(objects_of_bucket), STR_ARG(action->string));
            diag_label(rules->session, diag, action->span, "of objects");
            diag_help(rules->session, diag, "add `%.*s/*`", STR_ARG(data_item(resources, 0)->string));
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

static void check_principal(const Rules *rules, const PlanNamed *named, const Data *statement) {
    const bool is_role = str_is(named->type, "AWS::IAM::Role");
    const Data *principal = data_get(statement, "Principal");
    const Data *accounts = principal != NULL && principal->kind == DATA_MAP ? data_get(principal, "AWS") : principal;
    const bool is_asked = is_role || (str_is(named->type, "AWS::S3::BucketPolicy") && changes_objects(statement));
    if (is_asked && is_star(accounts) && data_get(statement, "Condition") == NULL) {
        Diag *diag = plan_report(rules->session, named->subject, accounts->span, DIAG(trusts_all),
                                 is_role ? "take this role" : "change what is in the bucket");
        diag_help(rules->session, diag,
                  is_role ? "name the service or the account that takes the role"
                          : "name the accounts or roles, or add a `Condition`");
    }
}

// ---- statements ----------------------------------------------------------------------------------------------------

typedef void CheckStatement(const Rules *rules, const PlanNamed *named, const Data *statement);

static void each_statement(const Rules *rules, const PlanNamed *named, const Data *document, CheckStatement *check) {
    const Data *statements = document == NULL || document->kind != DATA_MAP ? NULL : data_get(document, "Statement");
    const Data *statement = NULL;
    for (uint32_t i = 0; (statement = data_item(statements, i)) != NULL; i++) {
        if (statement->kind == DATA_MAP && str_is(data_text(statement, "Effect"), "Allow")) {
            check(rules, named, statement);
        }
    }
}

static void check_named(const Rules *rules, const PlanNamed *named) {
    const Data *properties = data_get(named->data, "Properties");
    const Data *policies = data_get(properties, "Policies");
    each_statement(rules, named, data_get(properties, "AssumeRolePolicyDocument"), check_principal);
    if (str_is(named->type, "AWS::S3::BucketPolicy")) {
        each_statement(rules, named, data_get(properties, "PolicyDocument"), check_principal);
        return;
    }
    if (properties == NULL || names_objects(properties)) {
        return;
    }
    each_statement(rules, named, data_get(properties, "PolicyDocument"), check_objects);
    for (uint32_t i = 0; policies != NULL && policies->kind == DATA_LIST && i < policies->count; i++) {
        each_statement(rules, named, data_get(policies->items[i], "PolicyDocument"), check_objects);
    }
}

void rule_template_policies(const Rules *rules, const PlanFile *file) {
    const PlanTemplate *template = file->names;
    for (uint32_t i = 0; template != NULL && !template->is_open && i < template->named.count; i++) {
        const PlanNamed *named = template->named.items[i];
        const bool has_policies =
            str_starts_with(named->type, STR("AWS::IAM::")) || str_is(named->type, "AWS::S3::BucketPolicy");
        if (named->kind == NAMED_RESOURCE && has_policies && named->data != NULL) {
            check_named(rules, named);
        }
    }
}
