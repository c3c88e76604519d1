"""FSx for Lustre, which moto does not make by CloudFormation, as far as a stack can tell: a file system and its links are
held against the service's own model in botocore, and against what the API Reference says of subnets, security groups and
paths (CreateFileSystem, CreateDataRepositoryAssociation, 2026-11). Nothing is stored in it."""
import re
import traceback

import botocore.loaders
import botocore.model
import botocore.validate
from moto.core.common_models import CloudFormationModel
from moto.ec2.models import ec2_backends

MODULE = "moto.ec2.models"  # where moto's metaclass looks for the service's name
PORTS = ((988, 988), (1018, 1023))
LINKS = {}  # of each file system, the paths in it; the server is reset between deployments
COUNT = []  # of file systems that were made


def check_request(operation, request):
    model = botocore.model.ServiceModel(botocore.loaders.Loader().load_service_model("fsx", "service-2"))
    report = botocore.validate.ParamValidator().validate(request, model.operation_model(operation).input_shape)
    if report.has_errors():
        raise ValueError(report.generate_report())


def lets_itself(group, first, last):
    return any(rule.from_port is not None and int(rule.from_port) <= first and int(rule.to_port) >= last
               and rule.source_group.get("GroupId") == group.id for rule in group.ingress_rules)


class _Resource:
    """moto finds direct children of CloudFormationModel only."""

    def __init__(self, identity, properties):
        self.identity, self.properties = identity, properties

    @property
    def physical_resource_id(self):
        return self.identity

    @staticmethod
    def cloudformation_name_type():
        return ""

    @classmethod
    def has_cfn_attr(cls, name):
        return name in ("DNSName", "LustreMountName", "ResourceARN")

    def get_cfn_attribute(self, name):
        return {"DNSName": self.identity + ".fsx.us-west-2.amazonaws.com", "LustreMountName": "abcdefgh"}[name]

    @classmethod
    def create_from_cloudformation_json(cls, resource_name, cloudformation_json, account_id, region_name, **_):
        try:
            return cls.make(cloudformation_json["Properties"], ec2_backends[account_id][region_name])
        except Exception:
            traceback.print_exc()  # the server says no more than that it failed
            raise

    @classmethod
    def delete_from_cloudformation_json(cls, *_, **__):
        """Nothing is there."""


class FsxFileSystem(_Resource, CloudFormationModel):
    __module__ = MODULE

    @staticmethod
    def cloudformation_type():
        return "AWS::FSx::FileSystem"

    @classmethod
    def make(cls, properties, ec2):
        check_request("CreateFileSystem", properties)
        subnets = ec2.describe_subnets(subnet_ids=properties["SubnetIds"])
        if len(subnets) != 1:
            raise ValueError("Lustre stands in one subnet")
        for group in ec2.describe_security_groups(group_ids=properties["SecurityGroupIds"]):
            if group.vpc_id != subnets[0].vpc_id or not all(lets_itself(group, *ports) for ports in PORTS):
                raise ValueError("%s does not permit Lustre LNET network traffic on port 988" % group.id)
        COUNT.append(1)
        return cls("fs-%017x" % len(COUNT), properties)


class FsxLink(_Resource, CloudFormationModel):
    __module__ = MODULE

    @staticmethod
    def cloudformation_type():
        return "AWS::FSx::DataRepositoryAssociation"

    @classmethod
    def make(cls, properties, _):
        check_request("CreateDataRepositoryAssociation", properties)
        system, path = properties["FileSystemId"], properties["FileSystemPath"].rstrip("/") + "/"
        others = LINKS.setdefault(system, [])
        if not re.fullmatch(r"s3://[a-z0-9.-]{3,63}(/.*)?", properties["DataRepositoryPath"]):
            raise ValueError("%s is in no bucket" % properties["DataRepositoryPath"])
        if len(others) == 8 or any(path.startswith(other) or other.startswith(path) for other in others):
            raise ValueError("%s has %r already" % (system, others))
        others.append(path)
        return cls("dra-%d" % len(others), properties)
