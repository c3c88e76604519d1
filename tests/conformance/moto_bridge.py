"""moto's server with what our templates use and moto 5 lacks. Each bridge leans on moto's own backends:

  change sets      a CREATE change set is executed by create_stack(), which knows imports and exports
  intrinsics       Fn::Sub looks at each place once; AWS::NoValue takes an item out of a list
  outputs          may be numbers and booleans
  resources        are found in stacks that have some of a type that moto does not know
  order            DependsOn holds as well where an output makes moto create a resource early; rules of security groups
                   come before AWS PCS
  EC2              AWS::EC2::SecurityGroupEgress and AWS::EC2::VPCCidrBlock as resource types;
                   networks, subnets and security groups of the ids that fixtures write out;
                   route tables go with their VPC; a zone that moto does not know is the region's first;
                   zones of regions that moto does not have
  Batch            compute environments without a service role (the service-linked one), with names in place of ARNs,
                   with security groups in the launch template, and with ids, role and profile of what is there already;
                   job definitions of several nodes, and optional properties left out
  ECR              names made from logical ids, in lower case as CloudFormation makes them
  KMS              tags of a key, as CloudFormation spells them
  Secrets Manager  AWS::SecretsManager::Secret as a resource type
  AWS PCS          moto_pcs.py has its three resource types
  EFS              mount targets in subnets that fixtures write out
  FSx              moto_fsx.py has file systems for Lustre and their links
  SSM              parameters that nobody has made, public ones above all: they hold one image id

What passes here deploys on moto so bridged; it is no proof that AWS takes it."""
import gc
import json
import os
import random
import re
from unittest import mock

import moto.server
import yaml

import moto_fsx  # noqa: F401, its classes are found where they are
import moto_pcs  # noqa: F401, its classes are found where they are
from moto.batch.models import BatchBackend, ComputeEnvironment, JobDefinition
from moto.cloudformation import parsing
from moto.cloudformation.models import CloudFormationBackend
from moto.cloudformation.utils import yaml_tag_constructor
from moto.core.common_models import CloudFormationModel
from moto.ec2.models import ec2_backends
from moto.ec2.models.availability_zones_and_regions import RegionsAndZonesBackend, Zone
from moto.ec2.models.instance_types import INSTANCE_TYPES
from moto.ec2.models.security_groups import SecurityGroupBackend
from moto.ec2.models.subnets import SubnetBackend
from moto.ec2.models.vpcs import VPCBackend
from moto.ecr.models import ECRBackend
from moto.efs.models import EFSBackend
from moto.iam.models import iam_backends
from moto.kms.models import Key as KmsKey
from moto.secretsmanager.models import secretsmanager_backends
from moto.utilities.utils import get_partition

IMAGE = "ami-0123456789abcdef0"
for region, prefix in (("us-iso-east-1", "usie1"), ("eusc-de-east-1", "eusc-de-e1")):
    RegionsAndZonesBackend.zones[region] = [Zone(region + letter, region, "%s-az%d" % (prefix, number))
                                            for number, letter in enumerate("abc", 1)]
MODULE = "moto.ec2.models"  # where moto's metaclass looks for the service's name


def replace(owner, name):
    """Decorator: puts a function in place of owner.name and hands it the original first."""
    def decorate(function):
        attribute = owner.__dict__[name]
        is_class_method = isinstance(attribute, classmethod)
        original = attribute.__func__ if is_class_method else attribute

        def wrapper(*arguments, **named):
            return function(original, *arguments, **named)
        setattr(owner, name, classmethod(wrapper) if is_class_method else wrapper)
        return function
    return decorate


@replace(parsing, "parse_condition")
def parse_condition(original, condition, resources_map, condition_map):
    """moto reads `!Condition Name` as a function of that name, and takes it for false."""
    def named(value):
        return {"Condition": value["Fn::Condition"]} if isinstance(value, dict) and "Fn::Condition" in value else value
    if isinstance(condition, dict):
        condition = {key: [named(value) for value in values] for key, values in condition.items()}
    return original(condition, resources_map, condition_map)


@replace(CloudFormationBackend, "execute_change_set")
def execute_change_set(original, self, change_set_name, stack_name=None):
    found = [c for c in self.change_sets.values() if change_set_name in (c.change_set_id, c.change_set_name)]
    change_set = found[0] if found else None
    if change_set is None or change_set.change_set_type != "CREATE":
        return original(self, change_set_name, stack_name)
    del self.stacks[change_set.stack_id]
    self.create_stack(change_set.stack_name, change_set.template, change_set.parameters,
                      notification_arns=change_set.notification_arns, tags=change_set.tags)
    change_set.execution_status = "EXECUTE_COMPLETE"
    return None


def substitute(argument, resources_map):
    text, names = (argument, {}) if isinstance(argument, str) else argument

    def one(match):
        if match[1]:
            return "${%s}" % match[2]
        name = match[2].strip()
        reference = names.get(name, {"Fn::GetAtt": name.split(".", 1)} if "." in name else {"Ref": name})
        return str(parsing.clean_json(reference, resources_map))
    return re.sub(r"\$\{(!?)([^}]*)\}", one, text)


@replace(parsing, "clean_json")
def clean_json(original, node, resources_map):
    if isinstance(node, dict) and list(node) == ["Fn::Sub"]:
        return substitute(node["Fn::Sub"], resources_map)
    cleaned = original(node, resources_map)
    return [item for item in cleaned if item is not None] if isinstance(cleaned, list) else cleaned


@replace(parsing, "parse_and_create_resource")
def parse_and_create_resource(original, logical_id, resource_json, resources_map, *arguments, **named):
    needed = resource_json.get("DependsOn", [])
    for name in [needed] if isinstance(needed, str) else needed:
        resources_map[name]  # makes it, where it is not made yet
    # The rules of a security group, which are there long before the first node of AWS PCS starts.
    for name, other in list(resources_map._resource_json_map.items()):
        if resource_json["Type"].startswith("AWS::PCS::") and re.search("SecurityGroup(In|E)gress$", other["Type"]):
            resources_map[name]
    return original(logical_id, resource_json, resources_map, *arguments, **named)


@replace(parsing.ResourceMap, "validate_outputs")
def validate_outputs(original, self):
    for output in self._template.get("Outputs", {}).values():
        if isinstance(output["Value"], (bool, int)):
            output["Value"] = json.dumps(output["Value"])
    return original(self)


@replace(CloudFormationBackend, "describe_stack_resource")
def describe_stack_resource(original, self, stack_name, logical_resource_id):
    stack = self.get_stack(stack_name)
    for resource in stack.stack_resources:  # None for a type that moto does not know
        if getattr(resource, "logical_resource_id", None) == logical_resource_id:
            return stack, resource
    return original(self, stack_name, logical_resource_id)


class _Extra:
    """A resource type that is one call of the EC2 backend. moto finds direct children of CloudFormationModel only."""

    def __init__(self, identity):
        self.identity = identity

    @property
    def physical_resource_id(self):
        return self.identity

    @staticmethod
    def cloudformation_name_type():
        return ""

    @classmethod
    def delete_from_cloudformation_json(cls, *_, **__):
        """Goes with what it belongs to."""


@replace(VPCBackend, "delete_vpc")
def delete_vpc(original, self, vpc_id):
    if not self.describe_subnets(filters={"vpc-id": vpc_id}):
        for table in self.describe_route_tables(filters={"vpc-id": vpc_id}):
            if not table.main_association_id:
                del self.route_tables[table.id]
    return original(self, vpc_id)


class SecurityGroupEgress(_Extra, CloudFormationModel):
    __module__ = MODULE

    @staticmethod
    def cloudformation_type():
        return "AWS::EC2::SecurityGroupEgress"

    @classmethod
    def create_from_cloudformation_json(cls, resource_name, cloudformation_json, account_id, region_name, **_):
        rule = cloudformation_json["Properties"]
        group = ec2_backends[account_id][region_name].describe_security_groups(group_ids=[rule["GroupId"]])[0]
        if not getattr(group, "lost_default_rule", False):  # the first of these takes it away, as in CloudFormation
            group.lost_default_rule = True
            group.egress_rules[:] = []
        ec2_backends[account_id][region_name].authorize_security_group_egress(
            rule["GroupId"], str(rule["IpProtocol"]), rule.get("FromPort"), rule.get("ToPort"),
            [{"CidrIp": rule["CidrIp"]}] if "CidrIp" in rule else [],
            source_groups=[{"GroupId": rule["DestinationSecurityGroupId"]}]
            if "DestinationSecurityGroupId" in rule else [])
        return cls(resource_name)


class VpcCidrBlock(_Extra, CloudFormationModel):
    __module__ = MODULE

    @staticmethod
    def cloudformation_type():
        return "AWS::EC2::VPCCidrBlock"

    @classmethod
    def create_from_cloudformation_json(cls, resource_name, cloudformation_json, account_id, region_name, **_):
        block = cloudformation_json["Properties"]
        made = ec2_backends[account_id][region_name].associate_vpc_cidr_block(block["VpcId"], block["CidrBlock"], False)
        return cls(made["association_id"])


@replace(SubnetBackend, "create_subnet")
def create_subnet(original, self, vpc_id, cidr_block, ipv6_cidr_block=None, availability_zone=None, *arguments, **named):
    zones = [zone.name for zone in RegionsAndZonesBackend.zones[self.region_name]]
    if availability_zone not in zones:  # a local zone, or a letter that not every account has
        availability_zone = zones[0]
    return original(self, vpc_id, cidr_block, ipv6_cidr_block, availability_zone, *arguments, **named)


# Ids that a fixture writes out stand for what is there already. What moto is asked for by such an id is made with it.
WRITTEN = re.compile(r"(vpc|subnet|sg)-01234567(89abc[0-9a-f]{4})?")
WRITTEN_VPC = "vpc-0123456789abcdef0"


def is_lacking(identity, existing):
    return WRITTEN.fullmatch(identity) and identity not in existing


def with_id(identity, module, name, make, *arguments, **named):
    with mock.patch("moto.ec2.models.%s.%s" % (module, name), lambda: identity):
        make(*arguments, **named)


@replace(VPCBackend, "get_vpc")
def get_vpc(original, self, vpc_id):
    if is_lacking(vpc_id, self.vpcs):
        with_id(vpc_id, "vpcs", "random_vpc_id", self.create_vpc, "10.99.0.0/16")
    return original(self, vpc_id)


@replace(SubnetBackend, "describe_subnets")
def describe_subnets(original, self, subnet_ids=None, filters=None):
    for identity in subnet_ids or []:
        known = [subnet.id for subnet in original(self)]
        if is_lacking(identity, known):
            zones = [zone.name for zone in RegionsAndZonesBackend.zones[self.region_name]]
            with_id(identity, "subnets", "random_subnet_id", self.create_subnet, WRITTEN_VPC, "10.99.%d.0/24" % len(known),
                    None, zones[len(known) % len(zones)])
    return original(self, subnet_ids, filters)


@replace(EFSBackend, "create_mount_target")
def create_mount_target(original, self, file_system_id, subnet_id, *arguments, **named):
    self.ec2_backend.describe_subnets(subnet_ids=[subnet_id])
    return original(self, file_system_id, subnet_id, *arguments, **named)


@replace(SecurityGroupBackend, "describe_security_groups")
def describe_security_groups(original, self, group_ids=None, groupnames=None, filters=None):
    for identity in group_ids or []:
        if is_lacking(identity, [group.id for group in original(self)]):
            with_id(identity, "security_groups", "random_security_group_id", self.create_security_group, identity,
                    "there already", vpc_id=WRITTEN_VPC)
    return original(self, group_ids, groupnames, filters)


@replace(SecurityGroupBackend, "authorize_security_group_ingress")
def authorize_security_group_ingress(original, self, *arguments, **named):
    self.describe_security_groups(group_ids=[group["GroupId"] for group in named.get("source_groups") or []
                                             if "GroupId" in group and WRITTEN.fullmatch(group["GroupId"])])
    return original(self, *arguments, **named)


def there_already(given, existing):
    """Ids that a fixture writes out stand for what is there already: where moto has none of that id, one it has."""
    return [identity if identity in existing else sorted(existing)[0] for identity in given]


@replace(BatchBackend, "create_compute_environment")
def create_compute_environment(original, self, name, kind, state, resources, role, *arguments, **named):
    iam = iam_backends[self.account_id][get_partition(self.region_name)]
    ec2 = ec2_backends[self.account_id][self.region_name]
    profile = resources.get("instanceRole")
    if profile and not profile.startswith("arn:"):
        resources["instanceRole"] = iam.get_instance_profile(profile).arn
    elif profile and profile not in [known.arn for known in iam.get_instance_profiles()]:
        path, _, profile_name = profile.split(":instance-profile", 1)[1].rpartition("/")
        iam.create_instance_profile(profile_name, path + "/", [])
    if role not in [known.arn for known in iam.get_roles()]:
        path, _, role_name = role.split(":role", 1)[1].rpartition("/")
        iam.create_role(role_name, "{}", path + "/", None, "", [], None)
    subnets, groups, types = resources["subnets"], resources.get("securityGroupIds", []), resources["instanceTypes"]
    all_groups = [group.id for group in ec2.describe_security_groups()]
    resources["subnets"] = there_already(subnets, [subnet.id for subnet in ec2.describe_subnets()])
    resources["securityGroupIds"] = there_already(groups or all_groups[:1], all_groups)
    resources["instanceTypes"] = [one if one in INSTANCE_TYPES else "p4d.24xlarge" for one in types]  # newer than moto
    made = original(self, name, kind, state, resources, role, *arguments, **named)
    resources["subnets"], resources["securityGroupIds"], resources["instanceTypes"] = subnets, groups, types
    return made


@replace(ComputeEnvironment, "create_from_cloudformation_json")
def compute_environment(original, cls, resource_name, cloudformation_json, account_id, region_name, **named):
    properties = cloudformation_json["Properties"]
    if not properties.get("ServiceRole"):
        iam = iam_backends[account_id][get_partition(region_name)]
        roles = [role for role in iam.get_roles() if role.name == "AWSServiceRoleForBatch"]
        role = roles[0] if roles else iam.create_role(
            "AWSServiceRoleForBatch", "{}", "/aws-service-role/batch.amazonaws.com/", None, "", [], None)
        properties["ServiceRole"] = role.arn
    return original(cls, resource_name, cloudformation_json, account_id, region_name, **named)


@replace(JobDefinition, "create_from_cloudformation_json")
def job_definition(original, cls, resource_name, cloudformation_json, account_id, region_name, **named):
    cloudformation_json["Properties"].setdefault("RetryStrategy", {"Attempts": 1})
    return original(cls, resource_name, cloudformation_json, account_id, region_name, **named)


@replace(BatchBackend, "register_job_definition")
def register_job_definition(original, self, *arguments, **named):
    if named.get("node_properties"):
        named["_type"] = "multinode"
    return original(self, *arguments, **named)


@replace(ECRBackend, "create_repository")
def create_repository(original, self, repository_name, *arguments, **named):
    return original(self, repository_name.lower(), *arguments, **named)


@replace(parsing.ResourceMap, "parse_ssm_parameter")
def parse_ssm_parameter(original, self, value, value_type):
    try:
        return original(self, value, value_type)
    except AttributeError:  # there is none of that name
        return IMAGE


@replace(KmsKey, "create_from_cloudformation_json")
def kms_key(original, cls, resource_name, cloudformation_json, account_id, region_name, **named):
    properties = cloudformation_json["Properties"]
    tags = [{"TagKey": tag["Key"], "TagValue": tag["Value"]} for tag in properties.get("Tags", [])]
    changed = {**cloudformation_json, "Properties": {**properties, "Tags": tags}}
    return original(cls, resource_name, changed, account_id, region_name, **named)


class Secret(_Extra, CloudFormationModel):
    """Empty where the template gives it no text."""
    __module__ = "moto.secretsmanager.models"

    @staticmethod
    def cloudformation_type():
        return "AWS::SecretsManager::Secret"

    @classmethod
    def create_from_cloudformation_json(cls, resource_name, cloudformation_json, account_id, region_name, **_):
        secret = cloudformation_json.get("Properties", {})
        name = secret.get("Name") or "%s-%012x" % (resource_name, random.getrandbits(48))
        made = secretsmanager_backends[account_id][region_name].create_secret(
            name=name, secret_string=secret.get("SecretString"), secret_binary=None,
            description=secret.get("Description"), tags=secret.get("Tags"), kms_key_id=secret.get("KmsKeyId"),
            client_request_token=None, replica_regions=[], force_overwrite=False)
        return cls(json.loads(made)["ARN"])

    @classmethod
    def delete_from_cloudformation_json(cls, resource_name, cloudformation_json, account_id, region_name):
        secretsmanager_backends[account_id][region_name].delete_secret(
            resource_name, recovery_window_in_days=None, force_delete_without_recovery=True)


def read_yaml_in_c():
    """moto reads each template several times. The parser in C takes a tenth of the time, where PyYAML has it."""
    if hasattr(yaml, "CLoader"):
        yaml.add_multi_constructor("", yaml_tag_constructor, Loader=yaml.CLoader)
        yaml.Loader = yaml.CLoader


def serve(port, log):
    """Runs the server, which says what it says to the descriptor `log`."""
    os.dup2(log, 1)
    os.dup2(log, 2)
    read_yaml_in_c()
    # What moto has loaded stays. The collector would go through it again and again, for a third of the time.
    gc.freeze()
    gc.set_threshold(100000)
    moto.server.main(["-p", str(port)])
