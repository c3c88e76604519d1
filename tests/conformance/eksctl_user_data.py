"""The user data that eksctl makes of the groups in a file of ours, as its sources have it (eksctl@99984adb,
pkg/nodebootstrap/al2023.go and managed_al2.go, 2026-08): Go's mime/multipart with a boundary of 60 characters, each entry of
preBootstrapCommands behind a first line of its own, and NodeConfigs, its own in front of the one that we write."""
import yaml

BOUNDARY = "5c4d" * 15
SCRIPT = ["Content-Type: text/x-shellscript", 'Content-Type: charset="us-ascii"']
NODE_CONFIG = ["Content-Type: application/node.eks.aws"]
SECTIONS = {"managedNodeGroups": True, "nodeGroups": False}


def groups(document):
    """Each group of Amazon Linux 2023 without a launch template of ours, and whether EKS manages it."""
    for section, is_managed in SECTIONS.items():
        for group in document.get(section, []):
            if group["amiFamily"] == "AmazonLinux2023" and "launchTemplate" not in group:
                yield group, is_managed


def joining(document, group):
    """The NodeConfig that says how to join, with a certificate as long as those of EKS."""
    name = document["metadata"]["name"]
    labels = dict(group.get("labels", {}))
    labels["alpha.eksctl.io/cluster-name"] = name
    labels["alpha.eksctl.io/nodegroup-name"] = group["name"]
    flags = ["--node-labels=" + ",".join("%s=%s" % item for item in labels.items())]
    if group.get("taints"):
        flags.append("--register-with-taints=" + ",".join("%(key)s=%(value)s:%(effect)s" % taint for taint in group["taints"]))
    return {
        "spec": {
            "cluster": {
                "apiServerEndpoint": "https://%s.gr7.us-east-1.eks.amazonaws.com" % ("0" * 32),
                "certificateAuthority": "A" * 1480,
                "cidr": "10.100.0.0/16",
                "name": name,
            },
            "kubelet": {"config": {"clusterDNS": ["10.100.0.10"]}, "flags": flags},
        },
    }


def written_again(config):
    """A NodeConfig with the empty fields that Go writes; lines are not folded there."""
    spec = {"cluster": {}, "containerd": {}, "instance": {}, "kubelet": {}, **config["spec"]}
    spec["instance"] = {"localStorage": {}, "network": {}, **spec["instance"]}
    whole = {"apiVersion": "node.eks.aws/v1alpha1", "kind": "NodeConfig", "metadata": {}, "spec": spec}
    return yaml.safe_dump(whole, width=100000)


def message(document, group, is_managed):
    """As bytes; empty where there is nothing to say."""
    parts = [(SCRIPT, "#!/bin/bash\n" + command) for command in group.get("preBootstrapCommands", [])]
    if not is_managed or "ami" in group:
        parts.append((NODE_CONFIG, written_again(joining(document, group))))
    if "overrideBootstrapCommand" in group:
        parts.append((NODE_CONFIG, written_again(yaml.safe_load(group["overrideBootstrapCommand"]))))
    if not parts:
        return b""
    text = "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=%s\r\n\r\n" % BOUNDARY
    for number, (headers, body) in enumerate(parts):
        text += "%s--%s\r\n%s\r\n\r\n%s" % ("\r\n" if number > 0 else "", BOUNDARY, "\r\n".join(headers), body)
    return (text + "\r\n--%s--\r\n" % BOUNDARY).encode()
