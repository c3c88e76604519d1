"""One set of nodes, turned to each target and to each way in which a network can be there. Each program is built until
nothing waits: what is written is deployed by the commands of plan.json, and the commands that plan.json lists for what
waits are run as they are. Then the ids in the files are held against what the emulator has made."""
import json
import os
import re
import subprocess
import sys
import tempfile

import yaml

from aws_server import AwsServer
from deploy import Failure, Server, World

REGION = "us-east-1"
WAVES_MAX = 4
PARAMS = ["-p", "odcr=cr-0123456789abcdef0"]

NODES = """
  nodes compute-gpu {
    instance = "p5.48xlarge"
    count    = 16
    capacity = reservation(odcr)
  }

  nodes inference-gpu {
    instance = "g5.12xlarge"
    count    = 0..10
    efa      = none
  }
}
"""

LOOK = """dt 1

param odcr    : capacity_reservation
param ssh_key : key_name?

network lab { zones = ["us-east-1a"] }

storage fsx {
  kind               = lustre
  size               = 4800GiB
  throughput_per_tib = 250MBps
  mount              = "/fsx"
}

cluster llm on parallelcluster {
  network = lab
  storage = [fsx]

  head { instance = "m5.8xlarge", key_name = ssh_key, disk = 500GiB }
""" + NODES

TWO_ZONES = 'network lab { zones = ["us-east-1a", "us-east-1b"] }'
ONE_ZONE = 'network lab { zones = ["us-east-1a"] }'


def turned(target, *changes):
    """The look on another target, with what does not carry over taken out."""
    text = LOOK.replace("on parallelcluster", "on " + target)
    for pattern, replacement in changes:
        text, count = re.subn(pattern, replacement, text)
        assert count > 0, pattern
    return text


NO_KEY = (r"param ssh_key .*\n", "")
NO_HEAD = (r"  head \{.*\}\n", "")
NO_STORAGE = (r"storage fsx \{[^}]*\}\n", "")
NO_MOUNT = (r"  storage = \[fsx\]\n", "")
NO_FILES = [NO_STORAGE, NO_MOUNT]
NEITHER = [NO_KEY, NO_HEAD, *NO_FILES]
ON_EKS = [(r"network = lab", 'network = lab\n  version = "1.36"'), (re.escape(ONE_ZONE), TWO_ZONES),
       (r"instance = \"p5", 'zone = "us-east-1a"\n    instance = "p5')]


class Project:
    def __init__(self, world, dtc, folder, **files):
        self.world, self.dtc, self.folder, self.facts = world, dtc, folder, []
        for name, text in files.items():
            with open(os.path.join(folder, name + ".dt"), "w", encoding="utf-8") as file:
                file.write(text)

    def build(self):
        facts = [word for path in self.facts for word in ("--facts", path)]
        done = subprocess.run([self.dtc, "build", "infra.dt", *PARAMS, *facts], cwd=self.folder, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        return done.returncode, done.stderr

    def plan(self):
        code, said = self.build()
        if code != 0 or said:
            raise Failure("the build ends with %d: %s" % (code, said))
        with open(os.path.join(self.folder, "out", "plan.json"), encoding="utf-8") as file:
            return json.load(file)

    def apply(self):
        """Builds and deploys until nothing waits; the plans, one for each build."""
        out, plans, done = os.path.join(self.folder, "out"), [], set()
        while len(plans) < WAVES_MAX:
            plans.append(self.plan())
            for step in (step for wave in plans[-1]["waves"] for step in wave):
                if step["kind"] == "cloudformation" and step["name"] not in done:
                    self.world.run(step["apply"], out, {})
                    done.add(step["name"])
            commands = {fact["command"] for file in plans[-1]["waiting"] for fact in file["facts"]}
            if not commands:
                return plans
            for command in sorted(commands):
                self.world.run(command, out, {})
                self.facts.append(os.path.join("out", command.rsplit("> ", 1)[1]))
        raise Failure("after %d builds there is still something that waits" % WAVES_MAX)

    def document(self, name):
        with open(os.path.join(self.folder, "out", name), encoding="utf-8") as file:
            return yaml.safe_load(file)


def expect(name, found, expected):
    if found != expected:
        raise Failure("%s: %r, not %r" % (name, found, expected))


def subnets(world, side):
    """"Public" or "Private" ones of stacks, in the order of their zones; others are of the VPC that every account has."""
    rows = [row for row in world.client("ec2").describe_subnets()["Subnets"] if row["VpcId"] != world.vpc]
    names = {row["SubnetId"]: next(tag["Value"] for tag in row["Tags"] if tag["Key"] == "Name") for row in rows}
    rows.sort(key=lambda row: row["AvailabilityZone"])
    return [row["SubnetId"] for row in rows if side + " Subnet" in names[row["SubnetId"]]]


def check_configuration(world, configuration):
    expect("head's subnet", configuration["HeadNode"]["Networking"]["SubnetId"], subnets(world, "Public")[0])
    for queue in configuration["Scheduling"]["SlurmQueues"]:
        expect("subnets of " + queue["Name"], queue["Networking"]["SubnetIds"], subnets(world, "Private"))
    expect("names of queues", [queue["Name"] for queue in configuration["Scheduling"]["SlurmQueues"]],
           ["compute-gpu", "inference-gpu"])


def parallelcluster(world, dtc, folder):
    project = Project(world, dtc, folder, infra=LOOK)
    first, last = project.apply()
    expect("what waits first", [file["file"] for file in first["waiting"]], ["llm.pcluster.yaml"])
    expect("waves", [[step["name"] for step in wave] for wave in last["waves"]], [["lab"], ["llm"]])
    expect("the way back", [step["name"] for step in last["delete"]], ["llm", "lab"])
    check_configuration(world, project.document("llm.pcluster.yaml"))


def deploy_network(world, dtc, folder):
    """A project of its own, deployed before."""
    network = os.path.join(folder, "network")
    os.mkdir(network)
    Project(world, dtc, network, infra="dt 1\nparam odcr : capacity_reservation\n" + ONE_ZONE).apply()


def parallelcluster_on_a_used_network(world, dtc, folder):
    deploy_network(world, dtc, folder)
    text = LOOK.replace(ONE_ZONE, 'use "network/infra.dt" as base').replace("network = lab", "network = base.lab")
    project = Project(world, dtc, folder, infra=text)
    first, last = project.apply()
    expect("steps", [[step["name"] for step in wave] for wave in first["waves"] + last["waves"]], [["llm"]])
    check_configuration(world, project.document("llm.pcluster.yaml"))


def parallelcluster_on_another_stack(world, dtc, folder):
    deploy_network(world, dtc, folder)
    text = LOOK.replace(ONE_ZONE, 'network lab { stack = "lab", zones = ["us-east-1a"] }')
    project = Project(world, dtc, folder, infra=text)
    project.apply()
    check_configuration(world, project.document("llm.pcluster.yaml"))


def eks(world, dtc, folder):
    project = Project(world, dtc, folder, infra=turned("eks", *NEITHER, *ON_EKS))
    first, last = project.apply()
    expect("what waits first", [file["file"] for file in first["waiting"]], ["llm.eksctl.yaml"])
    # Kubernetes objects, the cluster, the network.
    expect("the way back", [step["name"] for step in last["delete"]], ["llm", "llm", "lab"])
    document = project.document("llm.eksctl.yaml")
    for side in ("Public", "Private"):
        found = [subnet["id"] for subnet in document["vpc"]["subnets"][side.lower()].values()]
        expect("%s subnets" % side, found, subnets(world, side))
    groups = {group["name"]: group for group in document["managedNodeGroups"]}
    expect("subnets of compute-gpu", groups["compute-gpu"]["subnets"], subnets(world, "Private")[:1])
    expect("subnets of inference-gpu", groups["inference-gpu"]["subnets"], subnets(world, "Private"))


def batch(world, dtc, folder):
    project = Project(world, dtc, folder, infra=turned("batch", *NEITHER))
    plan, = project.apply()  # templates take late values: nothing waits
    expect("waves", [[step["name"] for step in wave] for wave in plan["waves"]], [["lab"], ["llm"]])


def what_does_not_carry_over(world, dtc, folder):
    """`head` alone is refused on the other targets, with the target that it is of."""
    for target, changes in (("batch", NO_FILES), ("eks", [*NO_FILES, *ON_EKS])):
        code, said = Project(world, dtc, folder, infra=turned(target, *changes)).build()
        expect("status", code, 1)
        expect("codes on " + target, re.findall(r"^error\[(\w+)\]", said, re.M), ["DT0562"])
        expect("the note on " + target, "it is of parallelcluster" in said, True)


CASES = [parallelcluster, parallelcluster_on_a_used_network, parallelcluster_on_another_stack, eks, batch,
         what_does_not_carry_over]


def main(dtc):
    failed = 0
    with AwsServer() as aws, Server(aws) as server:
        for case in CASES:
            name = "conformance/waves: " + case.__name__.replace("_", " ")
            server.reset()
            try:
                with tempfile.TemporaryDirectory() as folder:
                    case(World(server, REGION), dtc, folder)
                print("ok " + name)
            except (Failure, OSError, ValueError, KeyError) as error:
                failed += 1
                print("not ok %s: %s" % (name, error))
    print("%d passed, %d failed, 0 skipped" % (len(CASES) - failed, failed))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(os.path.realpath(sys.argv[1])))
