// Makes the secret of a cluster's ssh key: one for all of its jobs. It has no name of its own. A deleted secret keeps
// its name for a week or more, so that the stack could not be made again. Three places decide who may use it. The
// policy of the encryption key lets the account use it only through Secrets Manager. The jobs' roles read only this
// secret. The instances' role cannot use it.
#include "emitters/cloudformation/access/ssh_key.h"

#include "emitters/cloudformation/access/iam.h"
#include "emitters/cloudformation/template/intrinsic.h"
#include "emitters/cloudformation/template/stack_step.h"
#include "emitters/cloudformation/template/tags.h"

// KMS deletes a key 7 to 30 days after it was asked to:
// https://docs.aws.amazon.com/kms/latest/APIReference/API_ScheduleKeyDeletion.html, 2026-11.
enum { DELETION_DAYS = 7 };

// What it takes to keep and to delete the key, and nothing that encrypts, decrypts or grants.
// https://docs.aws.amazon.com/kms/latest/developerguide/key-policy-default.html, 2026-11.
static const char *const ADMINISTRATION[] = {
    "kms:CancelKeyDeletion", "kms:CreateAlias",   "kms:DeleteAlias", "kms:Describe*",
    "kms:Disable*",          "kms:Enable*",       "kms:Get*",        "kms:List*",
    "kms:PutKeyPolicy",      "kms:Revoke*",       "kms:RotateKey*",  "kms:ScheduleKeyDeletion",
    "kms:TagResource",       "kms:UntagResource", "kms:Update*",
};

// What Secrets Manager does with it in the name of who writes and reads.
// https://docs.aws.amazon.com/secretsmanager/latest/userguide/security-encryption.html, 2026-11.
static const char *const USE[] = { "kms:Decrypt", "kms:GenerateDataKey" };

Str ssh_key_id(const Stack *stack, const PlanCluster *cluster) {
    return stack_id(stack, cluster->head.id, STR_NONE, "SshKey");
}

static Str encryption_id(const Stack *stack, const PlanCluster *cluster) {
    return stack_id(stack, cluster->head.id, STR_NONE, "SshKeyEncryption");
}

// Only for what Secrets Manager of this region asks in somebody's name. The end of its name differs between partitions.
static void put_service(Stack *stack, DocNode *statement) {
    DocNode *like = tree_put_map(stack->doc, tree_put_map(stack->doc, statement, "Condition"), "StringLike");
    tree_put(stack->doc, like, "kms:ViaService",
             intrinsic_sub(stack, WHY_SSH_KEY_POLICY, STR("secretsmanager.${AWS::Region}.*")));
}

static DocNode *account_statement(Stack *stack, DocNode *document, const char *name) {
    DocNode *statement = iam_statement(stack, document);
    tree_put_text(stack->doc, statement, "Sid", WHY_SSH_KEY_POLICY, name);
    tree_put(stack->doc, tree_put_map(stack->doc, statement, "Principal"), "AWS",
             intrinsic_sub(stack, WHY_SSH_KEY_POLICY, STR("arn:${AWS::Partition}:iam::${AWS::AccountId}:root")));
    return statement;
}

static void add_encryption(Stack *stack, const PlanCluster *cluster) {
    Str id = encryption_id(stack, cluster);
    DocNode *key = stack_resource(stack, (StackResource){ .id = id, .type = "AWS::KMS::Key" });
    tree_put(
        stack->doc, key, "Description",
        intrinsic_sub(stack, WHY_SSH_KEY_ENCRYPTION, STR("Encrypts the ssh key of the jobs of ${AWS::StackName}")));
    tree_put(stack->doc, key, "EnableKeyRotation", tree_bool(stack->doc, WHY_SSH_KEY_ENCRYPTION, true));
    tree_put(stack->doc, key, "PendingWindowInDays", tree_number(stack->doc, WHY_SSH_KEY_ENCRYPTION, DELETION_DAYS));
    DocNode *document = tree_put_map(stack->doc, key, "KeyPolicy");
    DocNode *administration = account_statement(stack, document, "Administration");
    iam_put_actions(stack, administration, ADMINISTRATION, COUNT_OF(ADMINISTRATION), WHY_SSH_KEY_POLICY);
    tree_put_text(stack->doc, administration, "Resource", WHY_SSH_KEY_POLICY, "*");
    DocNode *use = account_statement(stack, document, "UseThroughSecretsManager");
    iam_put_actions(stack, use, USE, COUNT_OF(USE), WHY_SSH_KEY_POLICY);
    tree_put_text(stack->doc, use, "Resource", WHY_SSH_KEY_POLICY, "*");
    put_service(stack, use);
    tree_put(stack->doc, key, "Tags", tags_list(stack, (Tags){ .inner = cluster->tags }));
    DocNode *alias = stack_resource(stack, (StackResource){
                                               .id = stack_id(stack, cluster->head.id, STR_NONE, "SshKeyAlias"),
                                               .type = "AWS::KMS::Alias",
                                           });
    tree_put(stack->doc, alias, "AliasName",
             intrinsic_sub(stack, WHY_SSH_KEY_ALIAS, STR("alias/${AWS::StackName}-ssh-key")));
    tree_put(stack->doc, alias, "TargetKeyId", intrinsic_ref(stack, id));
}

void ssh_key_add(Stack *stack, const PlanCluster *cluster, Output *output) {
    add_encryption(stack, cluster);
    Str id = ssh_key_id(stack, cluster);
    DocNode *secret = stack_resource(stack, (StackResource){ .id = id, .type = "AWS::SecretsManager::Secret" });
    tree_put_text(stack->doc, secret, "Description", WHY_SSH_KEY,
                  "Private key with which nodes of a job reach each other; empty until the step after the stack");
    tree_put(stack->doc, secret, "KmsKeyId", intrinsic_ref(stack, encryption_id(stack, cluster)));
    tree_put(stack->doc, secret, "Tags", tags_list(stack, (Tags){ .inner = cluster->tags }));
    stack_output(stack, STR("SshKey"), "Secret that takes the jobs' private ssh key", intrinsic_ref(stack, id), false);
    step_add_ssh_key(stack, id, output);
}

void ssh_key_allow(Stack *stack, const PlanCluster *cluster, DocNode *properties) {
    DocNode *document = iam_policy(stack, properties, "read-ssh-key", WHY_SSH_KEY_POLICY);
    DocNode *read = iam_statement(stack, document);
    tree_put_text(stack->doc, read, "Action", WHY_SSH_KEY_POLICY, "secretsmanager:GetSecretValue");
    tree_put(stack->doc, read, "Resource", intrinsic_ref(stack, ssh_key_id(stack, cluster)));
    DocNode *decrypt = iam_statement(stack, document);
    tree_put_text(stack->doc, decrypt, "Action", WHY_SSH_KEY_POLICY, "kms:Decrypt");
    tree_put(stack->doc, decrypt, "Resource", intrinsic_get_att(stack, encryption_id(stack, cluster), "Arn"));
    put_service(stack, decrypt);
}
