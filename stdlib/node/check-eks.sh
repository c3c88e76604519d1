# shellcheck shell=sh disable=SC2034,SC2154
# Amazon EKS on Amazon Linux 2023: nodeadm-run starts the kubelet at each boot. An instance that powers off is replaced
# by its auto scaling group, which finds it unhealthy.
#
# The NodeConfig of the user data registers the node with the taint dtc.dev/unvalidated. A kubelet may not take a taint
# off its own node (NodeRestriction, Kubernetes 1.11), so what passes takes it out of the configuration before there is
# a node: the flag, given again, replaces what was given before, and nodeadm reads that folder after the user data
# (images of v20251023 and later; on an older one the taint stays). Where this never runs, the taint stays too.
# `taints`, where it is set, are the author's own.
agent=nodeadm-run.service

# A parameter of Systems Manager: tags of nodes have a / in their keys, and EC2 starts no instance whose metadata
# service shall serve such tags (EKS User Guide, self-managed nodes, 2025-06).
switch() {
    timeout 10 aws ssm get-parameter --name "$parameter" --query Parameter.Value --output text
}

# Nobody counts those that fail, unless brake.sh does.
brake() { false; }

admit() {
    [ "$mild" = 'on_fail = warn' ] ||
        echo "{apiVersion: node.eks.aws/v1alpha1,kind: NodeConfig,spec: {kubelet: {flags: ['--register-with-taints=${taints:-}']}}}" \
        >/etc/eks/nodeadm.d/dtc.yaml
}
