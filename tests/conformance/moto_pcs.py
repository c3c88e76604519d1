"""AWS PCS, which moto does not have, as far as a stack can tell: each resource is held against the service's own model in
botocore, and against what it names: subnets, security groups, the launch template with its interfaces, the instance
profile and its role, the cluster and the compute node group. Nothing runs."""
import json
import re
import traceback

import botocore.exceptions
import botocore.loaders
import botocore.model
import botocore.validate
from moto.core.common_models import CloudFormationModel
from moto.ec2.models import ec2_backends
from moto.iam.models import iam_backends

NAMES = {"Cluster": "clusterName", "ComputeNodeGroup": "computeNodeGroupName", "Queue": "queueName"}
MODULE = "moto.ec2.models"  # where moto's metaclass looks for the service's name
SPELT = {"ClusterId": "clusterIdentifier", "TemplateId": "id"}
REGISTER = "pcs:RegisterComputeNodeGroupInstance"
MADE = set()  # ids, of a server that is reset between deployments


def model():
    return botocore.model.ServiceModel(botocore.loaders.Loader().load_service_model("pcs", "service-2"))


def spelt(node, kind=None):
    """Properties as the API spells them."""
    if isinstance(node, list):
        return [spelt(item) for item in node]
    if not isinstance(node, dict):
        return node
    name = lambda key: NAMES[kind] if kind and key == "Name" else SPELT.get(key, key[0].lower() + key[1:])
    return {name(key): value if key == "Tags" else spelt(value) for key, value in node.items()}


def check_patterns(shape, value, place):
    if shape.type_name == "structure":
        for key, inner in value.items():
            check_patterns(shape.members[key], inner, place + "." + key)
    elif shape.type_name == "list":
        for inner in value:
            check_patterns(shape.member, inner, place)
    elif shape.type_name == "string":
        pattern, words = shape.metadata.get("pattern"), shape.enum
        longest = shape.metadata.get("max", len(value))
        if (pattern and not re.fullmatch(pattern.replace(")^", ")"), value)) or len(value) > longest or \
                (words and value not in words):
            raise ValueError("%s is %r" % (place, value))


def check_request(kind, properties):
    try:
        shape = model().operation_model("Create" + kind).input_shape
    except botocore.exceptions.UnknownServiceError:
        return  # a botocore that is older than the service
    request = spelt(properties, kind)
    report = botocore.validate.ParamValidator().validate(request, shape)
    if report.has_errors():
        raise ValueError(report.generate_report())
    check_patterns(shape, request, kind)


def check_network(ec2, subnets, groups):
    there = {subnet.id: subnet for subnet in ec2.describe_subnets(subnet_ids=subnets)}
    networks = {there[subnet].vpc_id for subnet in subnets}
    for group in ec2.describe_security_groups(group_ids=groups) if groups else []:
        rules = [{rule.source_group.get("GroupId") for rule in way}
                 for way in (group.ingress_rules, group.egress_rules)]
        if group.vpc_id not in networks or not all(group.id in named for named in rules):
            raise ValueError("%s does not let its members speak to each other, or is in another VPC" % group.id)


def check_profile(iam, arn):
    found = [profile for profile in iam.get_instance_profiles() if profile.arn == arn]
    if not found:
        return  # one that the fixture writes out is there already
    role = found[0].roles[0]
    documents = [policy if isinstance(policy, str) else json.dumps(policy) for policy in role.policies.values()]
    if role.path != "/aws-pcs/" or not any(REGISTER in document for document in documents):
        raise ValueError("the role %s is none that AWS PCS takes" % role.name)


def check_template(ec2, reference):
    template = ec2.get_launch_template(reference["TemplateId"])
    data = template.get_version(int(reference["Version"])).data
    if not all(interface.get("Groups") for interface in data["NetworkInterfaces"]):
        raise ValueError("an interface of %s has no security group" % template.id)


def check_scaling(scaling):
    least, most = scaling["MinInstanceCount"], scaling["MaxInstanceCount"]
    if least not in (0, most):
        raise ValueError("a group of %d to %d nodes is neither static nor dynamic" % (least, most))


class _Pcs:
    """moto finds direct children of CloudFormationModel only."""

    def __init__(self):
        self.identity = "pcs_%d" % (len(MADE) + 1)
        MADE.add(self.identity)

    @property
    def physical_resource_id(self):
        return self.identity

    @staticmethod
    def cloudformation_name_type():
        return ""

    @classmethod
    def has_cfn_attr(cls, name):
        return name in ("Id", "Arn")

    def get_cfn_attribute(self, name):
        return self.identity if name == "Id" else "arn:aws:pcs:us-east-1:123456789012:any/" + self.identity

    @classmethod
    def create_from_cloudformation_json(cls, resource_name, cloudformation_json, account_id, region_name, **_):
        properties = cloudformation_json["Properties"]
        try:
            check_request(cls.__name__, properties)
            cls.check(properties, ec2_backends[account_id][region_name], iam_backends[account_id]["aws"])
        except Exception:
            traceback.print_exc()  # the server says no more than that it failed
            raise
        return cls()

    @classmethod
    def delete_from_cloudformation_json(cls, *_, **__):
        """Nothing runs."""


class Cluster(_Pcs, CloudFormationModel):
    __module__ = MODULE

    @staticmethod
    def cloudformation_type():
        return "AWS::PCS::Cluster"

    @staticmethod
    def check(properties, ec2, _):
        networking = properties["Networking"]
        if len(networking["SubnetIds"]) != 1:
            raise ValueError("AWS PCS takes one subnet")
        check_network(ec2, networking["SubnetIds"], networking["SecurityGroupIds"])


class ComputeNodeGroup(_Pcs, CloudFormationModel):
    __module__ = MODULE

    @staticmethod
    def cloudformation_type():
        return "AWS::PCS::ComputeNodeGroup"

    @staticmethod
    def check(properties, ec2, iam):
        if properties["ClusterId"] not in MADE:
            raise ValueError("there is no cluster %s" % properties["ClusterId"])
        check_scaling(properties["ScalingConfiguration"])
        check_network(ec2, properties["SubnetIds"], [])
        check_template(ec2, properties["CustomLaunchTemplate"])
        check_profile(iam, properties["IamInstanceProfileArn"])


class Queue(_Pcs, CloudFormationModel):
    __module__ = MODULE

    @staticmethod
    def cloudformation_type():
        return "AWS::PCS::Queue"

    @staticmethod
    def check(properties, *_):
        groups = [entry["ComputeNodeGroupId"] for entry in properties["ComputeNodeGroupConfigurations"]]
        if not MADE.issuperset([properties["ClusterId"], *groups]):
            raise ValueError("the queue is of nothing that is there")
