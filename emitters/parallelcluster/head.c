// The head node.
#include "emitters/parallelcluster/configuration.h"

#include "emitters/tool/tool_file.h"
#include "emitters/tool/tool_tree.h"
#include "emitters/tool/tool_values.h"

void parallelcluster_head(const Configuration *configuration, DocNode *root) {
    ToolFile *file = configuration->file;
    const PlanHeadNode *plan = configuration->cluster->slurm->head_node;
    DocNode *head = tree_put_map(file->doc, root, "HeadNode");
    tree_put(file->doc, head, "InstanceType", tool_value(file, plan->instance_value));
    tree_put(file->doc, tree_put_map(file->doc, head, "Networking"), "SubnetId", tool_value(file, plan->subnet));
    const bool has_key = !tool_is_null(file, plan->key);
    if (has_key || plan->allowed_ips != NULL) {
        DocNode *ssh = tree_put_map(file->doc, head, "Ssh");
        tree_put(file->doc, ssh, "KeyName", has_key ? tool_value(file, plan->key) : NULL);
        tree_put(file->doc, ssh, "AllowedIps", tool_value(file, plan->allowed_ips));
    }
    if (plan->disk != NULL) {
        parallelcluster_root_volume(configuration, tree_put_map(file->doc, head, "LocalStorage"), plan->disk);
    }
    const PlanScripts setup = parallelcluster_head_setup(configuration);
    parallelcluster_actions(configuration, head, &setup);
    parallelcluster_iam(configuration, head, plan->policies, &setup);
}
