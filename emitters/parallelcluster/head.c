// The head node.
#include "emitters/parallelcluster/configuration.h"

void parallelcluster_head(const Configuration *configuration, DocNode *root) {
    Plain *plain = configuration->plain;
    const PlanHeadNode *plan = configuration->cluster->head_node;
    DocNode *head = tree_put_map(plain->doc, root, "HeadNode");
    tree_put(plain->doc, head, "InstanceType", plain_node(plain, plan->instance_value));
    tree_put(plain->doc, tree_put_map(plain->doc, head, "Networking"), "SubnetId", plain_node(plain, plan->subnet));
    const bool has_key = !plain_is_null(plain, plan->key);
    if (has_key || plan->allowed_ips != NULL) {
        DocNode *ssh = tree_put_map(plain->doc, head, "Ssh");
        tree_put(plain->doc, ssh, "KeyName", has_key ? plain_node(plain, plan->key) : NULL);
        tree_put(plain->doc, ssh, "AllowedIps", plain_node(plain, plan->allowed_ips));
    }
    if (plan->disk != NULL) {
        parallelcluster_root_volume(configuration, tree_put_map(plain->doc, head, "LocalStorage"), plan->disk);
    }
    parallelcluster_actions(configuration, head, &plan->setup);
    parallelcluster_iam(configuration, head, plan->policies, &plan->setup);
}
