"""Holds the user data of each expected template against two readers that know nothing of dtc. Python's email package
must find a message without a defect, with parts of types that cloud-init and nodeadm know. Bash must hand each script of
`setup` on as it stands in the project, byte for byte: its part is run with a `setup` that keeps what it is given. What the
scripts call stands in front of them, or in a part that they share, and what fetches scripts only where one is fetched. PyYAML
must find in a NodeConfig fields that nodeadm has, of the kinds that they have. Of files for eksctl it is the user data that
eksctl makes of them, and it has no more bytes than the build said."""
import email
import email.policy
import glob
import os
import re
import subprocess
import tempfile

import yaml

import eksctl_user_data
import templates

NODE_CONFIG = "application/node.eks.aws"
BY_HAND = "fixtures/valid/raw-resources"  # where an author wrote the message
TYPES = {"text/cloud-boothook", "text/cloud-config", "text/x-shellscript", NODE_CONFIG}
# Where the part has a `setup` of its own, this one stays.
SETUP = 'setup() { cat >"$KEEP/$1"; printf "%s\\0" "$1" "$2"; }; fetch() { :; }; readonly -f setup fetch; . "$1"'


# The fields of a NodeConfig: a type, the words that one takes, or a pattern; [type] is a list.
# awslabs/amazon-eks-ami@81fec2e8, nodeadm/crds/node.eks.aws_nodeconfigs.yaml, 2026-07; what joining needs, by
# nodeadm/internal/api/validation.go.
NODE_CONFIG_FIELDS = {
    "apiVersion": {"node.eks.aws/v1alpha1"},
    "kind": {"NodeConfig"},
    "metadata": dict,
    "spec": {
        "cluster": {"name": str, "apiServerEndpoint": str, "certificateAuthority": str, "cidr": str, "id": str,
                    "enableOutpost": bool},
        "containerd": {"config": str, "baseRuntimeSpec": dict},
        "featureGates": dict,
        "instance": {
            "environment": dict,
            "localStorage": {"strategy": {"RAID0", "RAID10", "Mount"}, "mountPath": str, "disabledMounts": [str]},
            "network": {"domains": [str], "nameservers": [str]},
        },
        "kubelet": {"config": dict, "flags": [str], "maxPodsExpression": str},
    },
}
JOINING = {"name", "apiServerEndpoint", "certificateAuthority", "cidr"}


def check_fields(value, fields, place):
    if isinstance(fields, dict):
        assert isinstance(value, dict), "%s is no map" % place
        for key, item in value.items():
            assert key in fields, "nodeadm has no %s.%s" % (place, key)
            check_fields(item, fields[key], "%s.%s" % (place, key))
    elif isinstance(fields, set):
        assert value in fields, "%s is %r" % (place, value)
    elif isinstance(fields, list):
        assert isinstance(value, list) and all(isinstance(item, fields[0]) for item in value), "%s is %r" % (place, value)
    else:
        assert isinstance(value, fields), "%s is %r" % (place, value)


def check_node_config(text, joins):
    """One beside an image must say which cluster a node joins; without, EKS or eksctl do."""
    config = yaml.safe_load(text)
    check_fields(config, NODE_CONFIG_FIELDS, "NodeConfig")
    assert not joins or JOINING <= set(config["spec"].get("cluster", {})), "the cluster is not told"


def user_data(path):
    """Place and text of each user data, and whether an image stands beside it."""
    document = templates.load(path)
    for place, text in templates.strings(document):
        if re.search(r"\.UserData\.Fn::Base64(\.Fn::Sub(\[0\])?)?$", place):
            data = document["Resources"][place.split(".")[1]]["Properties"]["LaunchTemplateData"]
            yield place, templates.unsubstituted(text) if "Fn::Sub" in place else text, "ImageId" in data


def eksctl_messages(path):
    """Name and text of each group of a file for eksctl, and whether nobody adds to what eksctl writes."""
    document = templates.load(path)
    for group, is_managed in eksctl_user_data.groups(document):
        message = eksctl_user_data.message(document, group, is_managed)
        if message:
            yield group["name"], message.decode(), not is_managed or "ami" in group


def check_size(path, group, size, is_whole):
    """Against what the build said, which is a little more, as names and addresses can be longer. EKS adds some 2,300."""
    least, most = (0, 300) if is_whole else (2000, 2800)
    with open(path.split("/expected/")[0] + "/stdout", encoding="utf-8") as file:
        said = re.findall(r"^%s: (\d+) bytes of user data, of 16384: " % re.escape(group), file.read(), re.MULTILINE)
    assert not said or any(least <= int(number) - size <= most for number in said), \
        "%s bytes of user data are said, and eksctl writes %d" % (" or ".join(said), size)


def handed_on(script, folder):
    """Name and bytes of each script that a part hands to `setup`; not of those that are fetched."""
    part = os.path.join(folder, "part")
    with open(part, "wb") as file:
        file.write(script)
    done = subprocess.run(["bash", "-c", SETUP, "bash", part], env={"KEEP": folder, "PATH": os.environ["PATH"]},
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    words = done.stdout.decode().split("\0")[:-1]
    for number, name in zip(words[::2], words[1::2]):
        with open(os.path.join(folder, number), "rb") as file:
            yield name, file.read()


def project_file(fixture, name):
    found = [path for path in glob.glob(fixture + "/**", recursive=True)
             if path.endswith("/" + name) and "/expected/" not in path]
    assert len(found) == 1, "%s stands in the fixture %d times" % (name, len(found))
    with open(found[0], "rb") as file:
        return file.read()


def check(fixture, text, joins, folder):
    """How many scripts of the project the user data holds."""
    message = email.message_from_bytes(text.encode(), policy=email.policy.strict)
    assert message.get_content_type() == "multipart/mixed" and message["MIME-Version"] == "1.0"
    scripts = 0
    shared, called = set(), set()
    for part in message.iter_parts():
        assert part.get_content_type() in TYPES, part.get_content_type()
        payload = part.get_payload(decode=True)
        if part.get_content_type() == NODE_CONFIG:
            check_node_config(payload.decode(), joins)
            continue
        assert payload.startswith(b"#") and (payload.endswith(b"\n") or fixture == BY_HAND), "a part begins or ends oddly"
        if b"\nfail() {\n" in payload:
            shared.update(re.findall(rb"^(\w+)\(\) {", payload, re.MULTILINE))
        calls = set(re.findall(rb"^(setup|fetch) [0-9]+ ", payload, re.MULTILINE))
        called |= calls
        if b"setup" in calls:
            handed = list(handed_on(payload, folder))
            assert handed, "no script is handed over"
            for name, kept in handed:
                assert kept == project_file(fixture, name), "%s comes out changed" % name
            scripts += len(handed)
    assert called <= shared, "%s is called and not there" % (called - shared)
    assert (b"fetch" in shared) == (b"fetch" in called), "what fetches is there and is not called, or the other way round"
    return scripts


def main():
    passed = failed = scripts = configs = 0
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted(glob.glob("fixtures/*/*/expected/*.cfn.*") + glob.glob("fixtures/*/*/expected/*.eksctl.*")):
            if path.endswith(".map.json"):
                continue
            is_template = ".cfn." in path
            for place, text, is_whole in user_data(path) if is_template else eksctl_messages(path):
                try:
                    if not is_template:
                        check_size(path, place, len(text), is_whole)
                    scripts += check(path.split("/expected/")[0], text, is_template and is_whole, folder)
                    configs += NODE_CONFIG in text
                    passed += 1
                    print("ok %s: %s" % (path, place))
                except (AssertionError, email.errors.MessageError, yaml.YAMLError) as fault:
                    failed += 1
                    print("not ok %s: %s: %s" % (path, place, fault))
    if scripts == 0 or configs == 0:
        failed += 1
        print("not ok: no user data holds a script of a project, or none a NodeConfig")
    print("%d passed, %d failed, 0 skipped" % (passed, failed))
    raise SystemExit(failed > 0)


main()
