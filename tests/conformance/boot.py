"""Boots nodes from whole user data: boot.py OUT TREES SCRATCH.

The message is taken apart by Python's email package. As cloud-init does it, boothooks run first, then the scripts, each in
the order of the parts and whatever has become of the one before; then systemd starts the unit of the check
(tests/fleet/machine.py). It is in a mount namespace of its own, where it may mount."""
import email
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/../fleet")
import machine
import node_checks

TYPES = ["text/cloud-boothook", "text/x-shellscript"]
KEEP = 10  # minutes

# What takes work, by the beginning of whose user data it is.
AGENTS = {"Batch": "ecs.service", "eks": "nodeadm-run.service", "Eks": "nodeadm-run.service"}

# Whose user data, and how many minutes a node that fails is kept: None is for ever. `image`: whether a fault of the image
# keeps it from work.
GROUPS = [
    ("BatchPlainLaunchTemplate", KEEP, False),
    ("BatchQuarantineLaunchTemplate", None, True),
    ("BatchTerminateLaunchTemplate", KEEP, True),
    ("eks-plain", None, False),
    ("eks-terminate", KEEP, True),
    ("EksStackLaunchTemplate", None, False),
    ("EksStackTerminateLaunchTemplate", KEEP, True),
]
BOTH = ["first script", "second script"]


def scripts(message, path):
    """Those of a message, as files, in the order in which cloud-init runs them."""
    files = []
    parts = email.message_from_bytes(message).get_payload()
    for wanted in TYPES:
        for part in parts:
            if part.get_content_type() == wanted:
                files.append("%s.%d" % (path, len(files)))
                with open(files[-1], "wb") as file:
                    file.write(part.get_payload(decode=True))
                os.chmod(files[-1], 0o700)
    return files


def claim(about, text, holds, outcome):
    print("%s %s: %s" % ("ok" if holds else "not ok", about, text))
    if not holds:
        print("    works %s, ends %s\n    %s" % (outcome.works, outcome.ends, outcome.says.replace("\n", "\n    ")))


def is_said(outcome, lines):
    """Whether the console begins with these, each the beginning of a line, whatever stage the check has."""
    said = [line for line in outcome.says.splitlines() if line != "dtc-node: drivers not asked"]
    return len(said) >= len(lines) and all(line.startswith(begins) for line, begins in zip(said, lines))


def agent_of(name):
    return next(agent for begins, agent in AGENTS.items() if name.startswith(begins))


def is_called_off(outcome, agent):
    """Whether the agent's start is, be it with its ending or without."""
    return any(re.search(r"^systemctl (mask|disable) --now --no-block .*\b%s\b" % agent.split(".")[0], line)
               for line in outcome.calls.splitlines())


def judge(name, keep, image, outcomes):
    agent = agent_of(name)
    about = name + ", healthy"
    node = outcomes["healthy"]
    claim(about, "the check comes behind the scripts, and passes", is_said(node, BOTH + ["dtc-node: passed"]), node)
    claim(about, "it takes work", node.works and node.ends is None, node)
    claim(about, "the check stands behind cloud-init and in front of what takes work, at each boot",
          all("\n%s\n" % line in node.unit for line in
              ("After=cloud-final.service", "Before=" + agent, "RemainAfterExit=yes", "RequiredBy=" + agent)), node)

    about = name + ", hardware at fault"
    node = outcomes["hardware"]
    claim(about, "the check comes behind the scripts, and fails",
          is_said(node, BOTH + ["dtc-node: status 1"]) and '"gpu.count","s":"fail"' in node.says, node)
    claim(about, "it takes no work", not node.works, node)
    claim(about, "it is ended as `on_fail` says", node.ends == keep, node)

    about = name + ", image at fault"
    node = outcomes["image"]
    claim(about, "the check comes behind the scripts, and fails", is_said(node, BOTH + ["dtc-node: status 4"]), node)
    claim(about, "it takes work where nobody wrote `on_fail`", node.works == (not image), node)
    claim(about, "it is ended as `on_fail` says", node.ends == (keep if image else None), node)

    about = name + ", setup that fails"
    node = outcomes["setup"]
    claim(about, "no other script follows",
          is_said(node, [BOTH[0], "user data: setup: first.sh failed with status 3;"]) and BOTH[1] not in node.says, node)
    claim(about, "the node is not checked", "dtc-node: " not in node.says, node)
    claim(about, "it takes no work, and stays", not node.works and node.ends is None, node)
    claim(about, "what takes work does not start, whatever the check does", is_called_off(node, agent), node)


def main(out, trees, scratch):
    world = machine.World(scratch)
    messages = dict(node_checks.user_data(out))
    for name, keep, image in GROUPS:
        files = scripts(messages[name], "%s/%s" % (scratch, name))
        kinds = ["healthy", "hardware", "image", "setup"]
        outcomes = world.boot([("%s/%s" % (trees, kind), files, []) for kind in kinds])
        judge(name, keep, image, dict(zip(kinds, outcomes)))


main(*sys.argv[1:])
