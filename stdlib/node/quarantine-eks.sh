# shellcheck shell=sh disable=SC2034,SC2154
# A node of EKS on Amazon Linux 2023. nodeadm-run starts behind the last script of cloud-init, whatever became of that
# script, and starts the kubelet: with its start called off, the node never registers. It is not masked, since its unit
# file lies in /etc: a mask there fails, and one in /run (--runtime) is overruled (systemd issue 10583, October 2018;
# tests/conformance/quarantine.sh).
#
# The NodeConfig of the user data registers the node with the taint dtc.dev/unvalidated. A kubelet may not take a taint
# off its own node (NodeRestriction, Kubernetes 1.11), so what passes takes it out of the configuration before there is a
# node: the flag, given again, replaces what was given before, and nodeadm reads that folder after the user data (images
# of v20251023 and later; on an older one the taint stays). Where this never runs, the taint stays too. `taints`, where
# it is set, are the author's own.
#
# A managed group counts a node that does not join as a health issue, and a new one fails with NodeCreationFailure. Its
# node repair sees only nodes that have joined. Nothing caps what an auto scaling group starts but its own size.
consequence='kubelet stays off'

quarantine() {
    systemctl disable --now --no-block nodeadm-run kubelet
}

admit() {
    echo "{apiVersion: node.eks.aws/v1alpha1,kind: NodeConfig,spec: {kubelet: {flags: ['--register-with-taints=${taints:-}']}}}" \
        >/etc/eks/nodeadm.d/dtc.yaml
}
