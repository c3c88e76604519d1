// Rules about what a job may do: its role, and what it names of the build to be allowed.
#include "compiler/plan/rules/access/role_trust.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/shared.h"

void rule_profile_of_nodes(const Rules *rules, const PlanJob *job) {
    const Value *profile = job->slurm == NULL ? NULL : job->group->role.instance_profile;
    const Subject *subject = job->head.subject;
    const struct {
        int attribute;
        uint32_t count;
    } places[] = { { JOB_READS, job->access->reads.count }, { JOB_WRITES, job->access->writes.count } };
    for (size_t i = 0; profile != NULL && i < COUNT_OF(places); i++) {
        if (places[i].count == 0) {
            continue;
        }
        Diag *diag =
            plan_report(rules->session, subject, subject_key(subject, places[i].attribute), DIAG(profile_with_places),
                        part_attribute(job->head.part, places[i].attribute), STR_ARG(job->group->head.id));
        diag_label(rules->session, diag, profile->span, "its role is there");
        diag_help(rules->session, diag,
                  "give that role the permissions, or leave `instance_profile` out and have one made");
    }
}

static void check_trust(const Rules *rules, const PlanJob *job, const char *service) {
    Str attribute;
    const Resource *resource = plan_shared_resource(job->access->role, &attribute);
    if (resource == NULL) {
        return;
    }
    const PlanRole role = role_of_resource(rules->session->arena, resource);
    const RoleTaker taker = { job->head.subject, job->access->role->span, role.name, role.span,
                              role_names(&role, service) };
    const PlanAnswer trusts = role_trusts(&role, service);
    if (trusts == ANSWER_NO) {
        role_report_untrusting(rules, &taker, service, ROLE_IN_DT);
    } else if (trusts == ANSWER_YES && job->eks != NULL && role_lets_tag(&role, service) == ANSWER_NO) {
        // EKS Pod Identity says by session tags which pod it is that takes the role, and takes none that lets it not.
        role_report_untagged(rules, &taker, ROLE_IN_DT);
    }
}

void rule_role_of_job(const Rules *rules, const PlanJob *job) {
    if (job->access->role == NULL) {
        return;
    }
    check_trust(rules, job, job->eks != NULL ? "pods.eks" : "ecs-tasks");
    if (plan_job_has_ssh_key(job)) {
        Diag *diag = plan_report(rules->session, job->head.subject, job->access->role->span, DIAG(role_without_key),
                                 STR_ARG(job->head.id));
        diag_label(rules->session, diag, job->launcher_value->span, "its nodes meet by that key");
        diag_help(rules->session, diag,
                  "let the role read the secret, and `allow` this; or leave `role` out and write `policies`");
    }
    if (job->eks != NULL && job->secrets.count > 0) {
        Diag *diag = plan_report(rules->session, job->head.subject, job->access->role->span, DIAG(role_without_secrets),
                                 STR_ARG(job->head.id));
        diag_label(rules->session, diag, job->secrets.items[0].name_span, "read with that role");
        diag_help(rules->session, diag,
                  "let the role read them, and `allow` this; or leave `role` out and have one made");
    }
}

// ---- resources of the build --------------------------------------------------------------------------------------------

typedef struct {
    int attribute;
    const char *what;
    const char *type; // whose Ref, or what stands in its place, is that
} ResourceRow;

// source: AWS CloudFormation Template Reference, Return values of each type, 2026-11
static const ResourceRow RESOURCE_ROWS[] = {
    { JOB_ROLE, "a role", "AWS::IAM::Role" },
    { JOB_POLICIES, "managed policies", "AWS::IAM::ManagedPolicy" },
    { JOB_READS, "addresses in S3", "AWS::S3::Bucket" },
    { JOB_WRITES, "addresses in S3", "AWS::S3::Bucket" },
};

// An attribute of a resource is the author's to know.
static void check_resource(const Rules *rules, const PlanJob *job, const ResourceRow *row, const Value *value) {
    Str attribute;
    const Resource *resource = plan_shared_resource(value, &attribute);
    if (resource != NULL && attribute.len == 0 && !str_is(resource->type, row->type)) {
        Diag *diag = plan_report(rules->session, job->head.subject, value->span, DIAG(wrong_resource),
                                 part_attribute(job->head.part, row->attribute), row->what, STR_ARG(resource->name),
                                 STR_ARG(resource->type));
        diag_label(rules->session, diag, resource->type_span, "this type");
        diag_help(rules->session, diag, "name a resource of the type %s", row->type);
    }
}

static void check_resources(const Rules *rules, const PlanJob *job, const ResourceRow *row, const Value *value) {
    check_resource(rules, job, row, value);
    const Value *part;
    for (uint32_t i = 0; value->kind != VALUE_LATE && (part = value_part(value, i)) != NULL; i++) {
        check_resources(rules, job, row, part);
    }
}

static bool is_alias(const Value *key) {
    Str attribute;
    const Resource *resource = plan_shared_resource(key, &attribute);
    return resource != NULL && str_is(resource->type, "AWS::KMS::Alias");
}

void rule_resources_of_job(const Rules *rules, const PlanJob *job) {
    static const ResourceRow SECRET = { JOB_SECRETS, "secrets", "AWS::SecretsManager::Secret" };
    static const ResourceRow KEY = { JOB_SECRETS, "KMS keys", "AWS::KMS::Key" };
    static const ResourceRow PARAMETER = { JOB_SECRETS, "parameters", "AWS::SSM::Parameter" };
    for (size_t i = 0; i < COUNT_OF(RESOURCE_ROWS); i++) {
        const Value *value = subject_value(job->head.subject, RESOURCE_ROWS[i].attribute);
        if (value != NULL) {
            check_resources(rules, job, &RESOURCE_ROWS[i], value);
        }
    }
    for (uint32_t i = 0; i < job->secrets.count; i++) {
        const PlanSecret *secret = &job->secrets.items[i];
        check_resource(rules, job, secret->is_parameter ? &PARAMETER : &SECRET, secret->id);
        if (secret->kms_key != NULL && !is_alias(secret->kms_key)) {
            check_resource(rules, job, &KEY, secret->kms_key);
        }
    }
}
