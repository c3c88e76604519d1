"""Deploys each fixture's expected files twice: with the parameters that are required alone, so that every optional one
is absent and every default holds; and with every parameter given. deploy.json in a fixture sets some by hand; with "skip"
it says why the emulator cannot deploy what the fixture holds.

References are deployed three times: with defaults; with every optional parameter given and empty; and with every input
changed, those of the build (`inputs` in deploy.json) by building them again. Those that import a network get the one of
reference/vpc-one-az, by the commands of its own plan.json.

All that takes minutes. So `make check` deploys a sample, which has in each of these ways each place of each type of
resource that any fixture has (sample.py), each option of the commands and each kind of step; and each reference with
defaults. LONG=1 deploys everything, as `make conformance` does.

Then it looks at what is there: the stack is complete and has all resources that it should, interfaces fit what
DescribeInstanceTypes says of the type, compute environments are valid, secrets are filled where a step fills them. Then
the commands for deletion are run."""
import concurrent.futures
import contextlib
import functools
import gc
import glob
import json
import multiprocessing
import os
import queue
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

import boto3
import yaml

import moto_bridge
import sample
import templates
from aws_server import AwsServer
from moto.cloudformation.parsing import get_model_map

KEY = "conformance"
WORKERS_MAX = 8  # a server takes some 200 MB
NETWORK = "fixtures/reference/vpc-one-az"
ENDPOINT = "https://0123456789ABCDEF.gr7.us-east-1.eks.amazonaws.com"
DEFAULTS, EMPTY, CHANGED = "required parameters alone", "optional parameters empty", "every parameter given"
PSEUDO = {"AWS::AccountId": "123456789012", "AWS::Partition": "aws", "AWS::URLSuffix": "amazonaws.com",
          "AWS::NoValue": None}


class Server:
    """moto on a port of its own. `aws` is a context's AwsServer."""

    def __init__(self, aws):
        self.aws = aws

    def __enter__(self):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        # By its name: moto finds the bucket in the path of a template's URL then.
        self.url = "http://localhost:%d" % port
        self.log = tempfile.TemporaryFile()  # read only after a failure, when nothing is written
        # A process that forks has moto loaded already, which takes seconds.
        self.process = multiprocessing.get_context("fork").Process(target=moto_bridge.serve, args=(port, self.log.fileno()))
        self.process.start()
        for _ in range(1200):
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                return self
            except OSError:
                if not self.process.is_alive():
                    break
                time.sleep(0.05)
        self.log.seek(0)
        raise RuntimeError("moto's server did not start: " + self.log.read().decode(errors="replace")[-2000:])

    def __exit__(self, *_):
        self.process.kill()  # it keeps nothing that is worth a farewell
        self.process.join()

    def last_words(self):
        """The end of the log: where moto fails by itself, its traceback's last line."""
        self.log.seek(0)
        lines = self.log.read().decode(errors="replace").strip().splitlines()
        return next((line for line in reversed(lines) if re.match(r"[A-Za-z_.]+(Error|Exception)\b", line)), "")

    def reset(self):
        urllib.request.urlopen(urllib.request.Request(self.url + "/moto-api/reset", method="POST")).read()


@functools.lru_cache(maxsize=None)
def client_of(service, url, region):
    """A client is not changed by what it is asked, and takes 50 ms to make."""
    return boto3.client(service, endpoint_url=url, region_name=region, aws_access_key_id="test",
                        aws_secret_access_key="test")


class World:
    """A region of the account, with what parameters may name."""

    def __init__(self, server, region):
        self.server = server
        self.region = region
        ec2 = self.client("ec2")
        self.vpc = ec2.describe_vpcs()["Vpcs"][0]["VpcId"]
        self.subnets = [subnet["SubnetId"] for subnet in ec2.describe_subnets()["Subnets"]][:2]
        self.group = ec2.describe_security_groups()["SecurityGroups"][0]["GroupId"]
        ec2.create_key_pair(KeyName=KEY)
        self.client("ssm").put_parameter(Name="/conformance/image", Value=moto_bridge.IMAGE, Type="String")

    def client(self, service):
        return client_of(service, self.server.url, self.region)

    def bucket(self):
        """The name of one, for templates that are too long for a command."""
        s3 = self.client("s3")
        if KEY not in [bucket["Name"] for bucket in s3.list_buckets()["Buckets"]]:
            place = {} if self.region == "us-east-1" else {
                "CreateBucketConfiguration": {"LocationConstraint": self.region}}
            s3.create_bucket(Bucket=KEY, **place)
        return KEY

    def environment(self, variables):
        kept = {name: value for name, value in os.environ.items()
                if not name.startswith("AWS_") and "proxy" not in name.lower()}
        return {**kept, **self.server.aws.variables, **variables, "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test",
                "AWS_DEFAULT_REGION": self.region, "AWS_ENDPOINT_URL": self.server.url,
                "AWS_CONFIG_FILE": os.devnull, "AWS_SHARED_CREDENTIALS_FILE": os.devnull, "AWS_PAGER": "",
                "AWS_EC2_METADATA_DISABLED": "true"}

    def run(self, command, folder, variables):
        done = subprocess.run(["sh", "-c", command], cwd=folder, env=self.environment(variables), timeout=300,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            said = done.stdout.strip()[-1500:]
            if "Internal Server Error" in said:
                said = "moto fails: " + self.server.last_words()
            raise Failure("`%s` ends with %d: %s" % (command, done.returncode, said))


class Failure(Exception):
    pass


@functools.lru_cache(maxsize=None)
def examples():
    """One value of each pattern type."""
    with open("schema/types.yaml", encoding="utf-8") as file:
        rows = yaml.safe_load(file)
    return [row["example"] for row in rows.values() if isinstance(row, dict) and "example" in row]


def value_of(world, name, parameter, given):
    """A value that the parameter takes, other than its default where there is a choice."""
    if name in given:
        return given[name]
    kind = parameter.get("Type", "String")
    default = str(parameter.get("Default", ""))
    if "AllowedValues" in parameter:
        others = [str(value) for value in parameter["AllowedValues"] if str(value) not in (default, "")]
        return others[0] if others else default
    if kind == "Number":
        return str(int(default or parameter.get("MinValue", 1)) + (1 if default else 0))
    known = {"AWS::EC2::KeyPair::KeyName": KEY, "AWS::EC2::VPC::Id": world.vpc,
             "AWS::EC2::Subnet::Id": world.subnets[0],
             "AWS::EC2::SecurityGroup::Id": world.group, "AWS::EC2::Image::Id": moto_bridge.IMAGE,
             "List<AWS::EC2::Subnet::Id>": ",".join(world.subnets), "List<AWS::EC2::SecurityGroup::Id>": world.group,
             "AWS::EC2::AvailabilityZone::Name": world.region + "b"}
    if kind in known:
        return known[kind]
    if kind.startswith("AWS::SSM::Parameter::Value"):
        return "/conformance/image"
    pattern = parameter.get("AllowedPattern", ".*")
    candidates = ["conformance", world.subnets[0], world.group, world.vpc, KEY, *examples(), ENDPOINT]
    fitting = [value for value in candidates if re.fullmatch(pattern, value)]
    if not fitting:
        raise Failure("no value is known for the parameter %s (%s): put one into deploy.json" % (name, pattern))
    return fitting[0]


class Template:
    """A template with its parameters' values, evaluated as far as names and conditions need it."""

    def __init__(self, path, values, world, stack):
        self.document = templates.load(path)
        self.values = {name: values.get(name, str(parameter.get("Default", "")))
                       for name, parameter in self.document.get("Parameters", {}).items()}
        self.pseudo = {**PSEUDO, "AWS::Region": world.region, "AWS::StackName": stack}

    def reference(self, name):
        return self.pseudo[name] if name in self.pseudo else self.values.get(name, name)

    def text(self, node):
        if not isinstance(node, dict):
            return str(node)
        (name, argument), = node.items()
        if name == "Ref":
            return self.reference(argument)
        if name == "Fn::Sub":
            text, names = (argument, {}) if isinstance(argument, str) else argument
            return re.sub(r"\$\{([^!}][^}]*)\}", lambda match: self.text(names.get(match[1], {"Ref": match[1]})), text)
        if name == "Fn::Join":
            return argument[0].join(self.text(part) for part in argument[1])
        if name == "Fn::If":
            return self.text(argument[1 if self.holds(argument[0]) else 2])
        raise Failure("%s in a place where a text is needed" % name)

    def holds(self, condition):
        if isinstance(condition, str):
            condition = self.document["Conditions"][condition]
        (name, argument), = condition.items()
        if name == "Condition":
            return self.holds(argument)
        if name == "Fn::Equals":
            return self.text(argument[0]) == self.text(argument[1])
        if name == "Fn::Not":
            return not self.holds(argument[0])
        if name == "Fn::And":
            return all(self.holds(part) for part in argument)
        if name == "Fn::Or":
            return any(self.holds(part) for part in argument)
        raise Failure("%s is no condition" % name)

    def imports(self, node=None):
        node = self.document if node is None else node
        if isinstance(node, dict):
            for key, value in node.items():
                if key == "Fn::ImportValue":
                    yield self.text(value)
                else:
                    yield from self.imports(value)
        elif isinstance(node, list):
            for value in node:
                yield from self.imports(value)

    def resources(self):
        """Logical ids of what this deployment makes and moto knows."""
        return {name for name, resource in self.document["Resources"].items()
                if resource["Type"] in get_model_map()
                and ("Condition" not in resource or self.holds(resource["Condition"]))}


def export_missing(world, template):
    """Exports of stacks that are there already, in the eyes of the fixture."""
    cloudformation = world.client("cloudformation")
    exported = {export["Name"] for export in cloudformation.list_exports()["Exports"]}
    missing = sorted(set(template.imports()) - exported)
    if not missing:
        return
    values = {"PublicSubnet": ",".join(world.subnets), "PrivateSubnet": ",".join(world.subnets), "VPC": world.vpc}
    outputs = {"Output%d" % index: {"Value": values.get(name.rsplit("-", 1)[-1], world.group), "Export": {"Name": name}}
               for index, name in enumerate(missing)}
    cloudformation.create_stack(StackName="elsewhere-%d" % len(exported), TemplateBody=json.dumps(
        {"Resources": {"Nothing": {"Type": "AWS::CloudFormation::WaitConditionHandle"}}, "Outputs": outputs}))


def make_network(world, template):
    """What reference/vpc-one-az makes, under the name by which the template imports it; the commands that delete it."""
    exported = {export["Name"] for export in world.client("cloudformation").list_exports()["Exports"]}
    removals = []
    for stack in sorted({name.rsplit("-", 1)[0] for name in set(template.imports()) - exported}):
        plan = read_json(os.path.join(NETWORK, "expected", "plan.json"), None)
        rename = lambda command: command.replace("--stack-name vpc-one-az", "--stack-name " + stack)
        for step in (step for wave in plan["waves"] for step in wave):
            world.run(rename(step["apply"]), os.path.join(NETWORK, "expected"), {"ZONE": world.region + "a"})
        removals += [rename(step["command"]) for step in plan["delete"]]
    return removals


def make_roles(world, template):
    """Roles that a policy names in plain text are there already, in the eyes of the fixture."""
    iam = world.client("iam")
    there = {role["RoleName"] for role in iam.list_roles()["Roles"]}
    for resource in template.document["Resources"].values():
        if resource["Type"] == "AWS::IAM::Policy":
            for name in resource["Properties"].get("Roles", []):
                if isinstance(name, str) and name not in there:
                    iam.create_role(RoleName=name, AssumeRolePolicyDocument="{}")


def check_stack(world, template, stack):
    cloudformation = world.client("cloudformation")
    status = cloudformation.describe_stacks(StackName=stack)["Stacks"][0]["StackStatus"]
    if status != "CREATE_COMPLETE":
        raise Failure("the stack %s is %s" % (stack, status))
    pages = cloudformation.get_paginator("list_stack_resources").paginate(StackName=stack)
    made = {row["LogicalResourceId"] for page in pages for row in page["StackResourceSummaries"]}
    missing = template.resources() - made
    if missing:
        raise Failure("the stack %s lacks %s" % (stack, ", ".join(sorted(missing))))


def check_interfaces(world, kind, interfaces):
    """What DescribeInstanceTypes, as moto recorded it, says of the type is a witness that dtc has not made."""
    try:
        facts = world.client("ec2").describe_instance_types(InstanceTypes=[kind])["InstanceTypes"][0]["NetworkInfo"]
    except Exception:
        return  # unknown to moto
    places = [(nic.get("NetworkCardIndex", 0), nic.get("DeviceIndex", 0)) for nic in interfaces]
    kinds = dict(zip(places, (nic.get("InterfaceType", "interface") for nic in interfaces)))
    room = {card["NetworkCardIndex"]: card["MaximumNetworkInterfaces"] for card in facts.get("NetworkCards", [])}
    efa = sum(name.startswith("efa") for name in kinds.values())
    if len(set(places)) != len(places):
        raise Failure("%s: a place is taken twice" % kind)
    if kinds.get((0, 0), "efa-only") == "efa-only":
        raise Failure("%s: no primary interface that has an address" % kind)
    if efa > facts.get("EfaInfo", {}).get("MaximumEfaInterfaces", 0):
        raise Failure("%s: %d EFA interfaces are more than it has" % (kind, efa))
    for card, device in places:
        if card not in room or device >= room[card]:
            raise Failure("%s: card %d has no device %d" % (kind, card, device))


def check_batch(world):
    for environment in world.client("batch").describe_compute_environments()["computeEnvironments"]:
        if environment["status"] != "VALID" or environment["state"] != "ENABLED":
            raise Failure("%s is %s" % (environment["computeEnvironmentName"], environment["status"]))
        resources = environment["computeResources"]
        template = resources.get("launchTemplate", {}).get("launchTemplateId")
        if template:
            versions = world.client("ec2").describe_launch_template_versions(LaunchTemplateId=template)
            data = versions["LaunchTemplateVersions"][-1]["LaunchTemplateData"]
            for kind in resources["instanceTypes"]:
                check_interfaces(world, kind, data.get("NetworkInterfaces", []))


def region_of(command):
    match = re.search(r"--region (\S+)", command)
    return match[1] if match else "us-east-1"


def environment_name(parameter):
    """As the commands of plan.json spell it: NetworkStack is NETWORK_STACK."""
    return re.sub(r"(?<=.)([A-Z])", r"_\1", parameter).upper()


def values_of(world, step, parameters, given, mode):
    if mode == CHANGED:
        return {name: value_of(world, name, parameter, given) for name, parameter in parameters.items()}
    values = {name: value_of(world, name, parameters[name], given) for name in step["parameters"]}
    if mode == EMPTY:
        values.update({name: "" for name, parameter in parameters.items() if parameter.get("Default") == ""})
    return values


def make_clusters(world, command, variables):
    """The clusters that the command asks about, as they would be running."""
    for name in sorted(set(re.findall(r"aws eks describe-cluster --name (\S+)", command))):
        match = re.fullmatch(r'"\$\{(\w+):\?\}"', name)
        name = variables[match[1]] if match else name.strip("'")
        world.client("eks").create_cluster(name=name, version="1.36", roleArn="arn:aws:iam::123456789012:role/control-plane",
                                           resourcesVpcConfig={"subnetIds": world.subnets})


def deploy_stack(world, files, step, given, mode, is_reference):
    """The commands that delete what was made for the stack beside it."""
    path = os.path.join(files, step["file"])
    parameters = templates.load(path).get("Parameters", {})
    values = values_of(world, step, parameters, given, mode)
    template = Template(path, values, world, step["name"])
    removals = make_network(world, template) if is_reference else []
    export_missing(world, template)
    make_roles(world, template)
    command = step["apply"]
    further = ["%s='%s'" % (name, value) for name, value in values.items() if name not in step["parameters"]]
    if further:
        command += ("" if "--parameter-overrides" in command else " --parameter-overrides") + " " + " ".join(further)
    variables = {environment_name(name): value for name, value in values.items()}
    if "S3_BUCKET" in command:
        variables["S3_BUCKET"] = world.bucket()
    make_clusters(world, command, variables)
    world.run(command, files, variables)
    check_stack(world, template, step["name"])
    return removals


def fill_secret(world, step):
    """Runs the step as a user would, and looks at what the secret holds before and afterwards."""
    manager = world.client("secretsmanager")
    stacks = world.client("cloudformation")
    (secret,) = [stacks.describe_stack_resource(StackName=name, LogicalResourceId=step["name"])
                 for name in step["needs"]]
    identity = secret["StackResourceDetail"]["PhysicalResourceId"]
    try:
        manager.get_secret_value(SecretId=identity)
        raise Failure("the secret %s is not empty when it is made" % step["name"])
    except manager.exceptions.ResourceNotFoundException:
        pass
    with tempfile.TemporaryDirectory() as scratch:
        world.run(step["apply"], scratch, {"TMPDIR": scratch})
        if os.listdir(scratch):
            raise Failure("the step leaves its private key behind")
    if "PRIVATE KEY" not in manager.get_secret_value(SecretId=identity)["SecretString"]:
        raise Failure("the secret %s holds no private key" % step["name"])


def read_json(path, otherwise):
    if not os.path.exists(path):
        return otherwise
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def rebuild(dtc, folder, inputs, files):
    """Builds a reference with other inputs."""
    params = {**read_json(os.path.join(folder, "params.json"), {}), **inputs}
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(params, file)
        file.flush()
        done = subprocess.run([dtc, "build", "infra.dt", "--params", file.name, "-o", files], cwd=folder, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        raise Failure("does not build with other inputs: " + done.stdout)


def deploy(server, folder, files, mode):
    given = read_json(os.path.join(folder, "deploy.json"), {})
    plan = read_json(os.path.join(files, "plan.json"), None)
    is_reference = folder.startswith("fixtures/reference/")
    server.reset()
    worlds = {}
    removals = []
    for step in (step for wave in plan["waves"] for step in wave):
        region = region_of(step["apply"])
        worlds[region] = world = worlds.get(region) or World(server, region)
        if step["kind"] == "secret":
            fill_secret(world, step)
        elif step["kind"] == "cloudformation":
            removals += deploy_stack(world, files, step, given, mode, is_reference)
    for world in worlds.values():
        check_batch(world)
    commands = [step["command"] for step in plan["delete"] if step["command"].startswith("aws cloudformation ")]
    for command in commands + removals:
        worlds[region_of(command)].run(command, folder, {})
    for world in worlds.values():
        left = [stack["StackName"] for stack in world.client("cloudformation").describe_stacks()["Stacks"]
                if not stack["StackName"].startswith("elsewhere-")]
        if left:
            raise Failure("left after deletion: " + ", ".join(left))


@functools.lru_cache(maxsize=None)
def expected_template(path):
    return templates.load(path)


def has_optional_parameters(folder, plan):
    return any(set(expected_template(os.path.join(folder, "expected", step["file"])).get("Parameters", {}))
               - set(step["parameters"]) for wave in plan["waves"] for step in wave if step["kind"] == "cloudformation")


def cases():
    for path in sorted(glob.glob("fixtures/*/*/expected/plan.json")):
        folder = os.path.dirname(os.path.dirname(path))
        yield folder, DEFAULTS
        if folder.startswith("fixtures/reference/"):
            yield folder, EMPTY
            yield folder, CHANGED
        elif has_optional_parameters(folder, read_json(path, None)):
            yield folder, CHANGED


def traits(folder, mode):
    """What deploying the fixture in this way tries. Only parameters differ by the way."""
    files = os.path.join(folder, "expected")
    plan = read_json(os.path.join(files, "plan.json"), None)
    found = set()
    for step in (step for wave in plan["waves"] for step in wave):
        found |= {(step["kind"], word) for word in re.findall(r"(?<= )--?[a-z][\w-]*", step["apply"])}
        if step["kind"] == "cloudformation":
            found |= sample.shapes(expected_template(os.path.join(files, step["file"])))
    found |= {("delete", word) for step in plan["delete"] for word in re.findall(r"(?<= )--?[a-z][\w-]*", step["command"])}
    return {(mode, *trait) if trait[0].startswith("Parameters") else trait for trait in found}


def sampled(chosen):
    """Of cases, a sample. Those that the emulator cannot deploy stand in for nothing, and are listed all the same."""
    skipped = [case for case in chosen if "skip" in read_json(os.path.join(case[0], "deploy.json"), {})]
    sets = {case: traits(*case) for case in chosen if case not in skipped}
    cost = {(folder, mode): 20000 + sum(os.path.getsize(path) for path in glob.glob(folder + "/expected/*.cfn.yaml"))
            for folder, mode in sets}
    given = [case for case in sets if case[0].startswith("fixtures/reference/") and case[1] == DEFAULTS]
    kept = set(sample.cover(sets, cost, given)) | set(skipped)
    return [case for case in chosen if case in kept]


def run_case(servers, dtc, folder, mode):
    """The line to print."""
    name = "%s, %s" % (folder, mode)
    given = read_json(os.path.join(folder, "deploy.json"), {})
    if "skip" in given:
        return "skipped: %s: %s" % (name, given["skip"])
    server = servers.get()
    try:
        with tempfile.TemporaryDirectory() as scratch:
            files = os.path.join(folder, "expected")
            if mode == CHANGED and "inputs" in given:
                rebuild(dtc, folder, given["inputs"], scratch)
                files = scratch
            deploy(server, folder, files, mode)
        return "ok " + name
    except Exception as error:  # one fixture's failure is not the end of the run
        said = str(error) if isinstance(error, Failure) else repr(error)
        if "Internal Server Error" in said:
            said = "moto fails: " + server.last_words()
        return "not ok %s: %s" % (name, said)
    finally:
        servers.put(server)


def main(dtc, only):
    """As many at a time as there are processors, each with a server of its own."""
    workers = min(os.cpu_count() or 1, WORKERS_MAX)
    servers = queue.Queue()
    with contextlib.ExitStack() as stack, concurrent.futures.ThreadPoolExecutor(workers) as pool:
        aws = stack.enter_context(AwsServer())
        for _ in range(workers):
            servers.put(stack.enter_context(Server(aws)))
        chosen = [case for case in cases() if not only or case[0] in only]
        if not only and not os.environ.get("LONG"):
            everything, chosen = chosen, sampled(chosen)
            print("%d of %d deployments have each place of each type" % (len(chosen), len(everything)))
        lines = list(pool.map(lambda case: run_case(servers, dtc, *case), chosen))
    print("\n".join(lines))
    failed = sum(line.startswith("not ok") for line in lines)
    skipped = sum(line.startswith("skipped") for line in lines)
    print("%d passed, %d failed, %d skipped" % (len(lines) - failed - skipped, failed, skipped))
    return failed > 0


if __name__ == "__main__":
    gc.freeze()  # the modules stay
    gc.set_threshold(100000)
    sys.exit(main(os.path.realpath(sys.argv[1]), [folder.rstrip("/") for folder in sys.argv[2:]]))
