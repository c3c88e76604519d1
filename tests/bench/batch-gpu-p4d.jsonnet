// The template of fixtures/reference/batch-gpu-p4d the way one writes it with jsonnet: the same document as dtc's in
// JSON, for `make bench`. What repeats is a function; nothing is checked.
local ref(name) = { Ref: name };
local sub(text) = { "Fn::Sub": text };
local get(name, attribute) = { "Fn::GetAtt": [name, attribute] };

local interface(card) = {
  NetworkCardIndex: card,
  DeviceIndex: if card == 0 then 0 else 1,
  InterfaceType: "efa",
  Groups: [
    {
      "Fn::ImportValue": sub("${VpcStack}-SecurityGroup"),
    },
  ],
  DeleteOnTermination: true,
};

local name_tag(kind) = {
  ResourceType: kind,
  Tags: [{ Key: "Name", Value: "batch-p4d-p4d" }],
};

local device(number) = { HostPath: "/dev/infiniband/uverbs%d" % number };

local container = {
  Image: sub("${StressRepository.RepositoryUri}:latest"),
  Command: ["/workspace/gpu-nccl-sanity.sh"],
  ResourceRequirements: [
    {
      Type: "VCPU",
      Value: "1",
    },
    {
      Type: "MEMORY",
      Value: "16384",
    },
    {
      Type: "GPU",
      Value: "8",
    },
  ],
  Ulimits: [
    {
      Name: "memlock",
      SoftLimit: -1,
      HardLimit: -1,
    },
    {
      Name: "stack",
      SoftLimit: 67108864,
      HardLimit: 67108864,
    },
    {
      Name: "nofile",
      SoftLimit: 1024000,
      HardLimit: 1024000,
    },
  ],
  LinuxParameters: {
    SharedMemorySize: 8192,
    Devices: [device(number) for number in std.range(0, 3)],
  },
};

{
  AWSTemplateFormatVersion: "2010-09-09",
  Description: "Multi-node training on p4d.24xlarge with AWS Batch",
  Metadata: {
    "AWS::CloudFormation::Interface": {
      ParameterGroups: [
        {
          Label: {
            default: "Optional",
          },
          Parameters: ["VpcStack", "Ami", "Odcr", "OdcrGroup", "Key"],
        },
      ],
      ParameterLabels: {
        VpcStack: {
          default: "Vpc stack",
        },
        Ami: {
          default: "Ami",
        },
        Odcr: {
          default: "Odcr",
        },
        OdcrGroup: {
          default: "Odcr group",
        },
        Key: {
          default: "Key",
        },
      },
    },
  },
  Parameters: {
    VpcStack: {
      Type: "String",
      Description: "Stack of the network, made from ../vpc-one-az",
      Default: "LargeScaleVPC",
      AllowedPattern: "^[A-Za-z][A-Za-z0-9-]{0,127}$",
      ConstraintDescription: "such as shared-vpc",
    },
    Ami: {
      Type: "String",
      Description: "Image in place of the GPU image that AWS Batch chooses",
      Default: "",
      AllowedPattern: "^(?:ami-([0-9a-f]{8}|[0-9a-f]{17}))?$",
      ConstraintDescription: "such as ami-0123456789abcdef0, or nothing",
    },
    Odcr: {
      Type: "String",
      Description: "Capacity reservation to run in",
      Default: "",
      AllowedPattern: "^(?:cr-([0-9a-f]{8}|[0-9a-f]{17}))?$",
      ConstraintDescription: "such as cr-0123456789abcdef0, or nothing",
    },
    OdcrGroup: {
      Type: "String",
      Description: "Resource group of capacity reservations, where no single one is given",
      Default: "",
      AllowedPattern: "^(?:arn:aws(-[a-z]+)*:resource-groups:[a-z0-9-]+:[0-9]{12}:group/[A-Za-z0-9_.-]{1,300}(/[a-z0-9]+)?)?$",
      ConstraintDescription: "such as arn:aws:resource-groups:us-east-1:123456789012:group/reservations, or nothing",
    },
    Key: {
      Type: "String",
      Description: "Key pair for ssh to the nodes",
      Default: "",
      AllowedPattern: "^(?:[!-~]([ -~]{0,253}[!-~])?)?$",
      ConstraintDescription: "such as my-key, or nothing",
    },
  },
  Conditions: {
    InChina: {
      "Fn::Equals": [
        ref("AWS::Partition"),
        "aws-cn",
      ],
    },
    HasAmi: {
      "Fn::Not": [
        {
          "Fn::Equals": [
            ref("Ami"),
            "",
          ],
        },
      ],
    },
    HasOdcr: {
      "Fn::Not": [
        {
          "Fn::Equals": [
            ref("Odcr"),
            "",
          ],
        },
      ],
    },
    HasOdcrGroup: {
      "Fn::Not": [
        {
          "Fn::Equals": [
            ref("OdcrGroup"),
            "",
          ],
        },
      ],
    },
    HasKey: {
      "Fn::Not": [
        {
          "Fn::Equals": [
            ref("Key"),
            "",
          ],
        },
      ],
    },
  },
  Resources: {
    BatchP4dP4dLaunchTemplate: {
      Type: "AWS::EC2::LaunchTemplate",
      Properties: {
        LaunchTemplateData: {
          NetworkInterfaces: [interface(card) for card in std.range(0, 3)],
          UserData: { "Fn::Base64": importstr "user-data" },
          MetadataOptions: {
            HttpEndpoint: "enabled",
            HttpTokens: "required",
            HttpPutResponseHopLimit: 1,
            InstanceMetadataTags: "enabled",
          },
          BlockDeviceMappings: {
            "Fn::If": [
              "HasAmi",
              ref("AWS::NoValue"),
              [
                {
                  DeviceName: "/dev/xvda",
                  Ebs: {
                    VolumeType: "gp3",
                    Encrypted: true,
                    DeleteOnTermination: true,
                  },
                },
              ],
            ],
          },
          CapacityReservationSpecification: {
            "Fn::If": [
              "HasOdcr",
              {
                CapacityReservationTarget: {
                  CapacityReservationId: ref("Odcr"),
                },
              },
              {
                "Fn::If": [
                  "HasOdcrGroup",
                  {
                    CapacityReservationPreference: "capacity-reservations-only",
                    CapacityReservationTarget: {
                      CapacityReservationResourceGroupArn: ref("OdcrGroup"),
                    },
                  },
                  ref("AWS::NoValue"),
                ],
              },
            ],
          },
          InstanceInitiatedShutdownBehavior: "terminate",
          TagSpecifications: [name_tag(kind) for kind in ["instance", "volume"]],
        },
      },
    },
    BatchP4dP4dInstanceRole: {
      Type: "AWS::IAM::Role",
      Properties: {
        AssumeRolePolicyDocument: {
          Version: "2012-10-17",
          Statement: [
            {
              Effect: "Allow",
              Principal: {
                Service: {
                  "Fn::If": [
                    "InChina",
                    "ec2.amazonaws.com.cn",
                    "ec2.amazonaws.com",
                  ],
                },
              },
              Action: "sts:AssumeRole",
            },
          ],
        },
        ManagedPolicyArns: [
          sub("arn:${AWS::Partition}:iam::aws:policy/service-role/AmazonEC2ContainerServiceforEC2Role"),
          sub("arn:${AWS::Partition}:iam::aws:policy/AmazonSSMManagedInstanceCore"),
        ],
      },
    },
    BatchP4dP4dInstanceProfile: {
      Type: "AWS::IAM::InstanceProfile",
      Properties: {
        Roles: [
          ref("BatchP4dP4dInstanceRole"),
        ],
      },
    },
    BatchP4dP4dComputeEnvironment: {
      Type: "AWS::Batch::ComputeEnvironment",
      Properties: {
        Type: "MANAGED",
        ReplaceComputeEnvironment: false,
        UpdatePolicy: {
          TerminateJobsOnUpdate: false,
          JobExecutionTimeoutMinutes: 360,
        },
        ComputeResources: {
          Type: "EC2",
          AllocationStrategy: "BEST_FIT_PROGRESSIVE",
          MinvCpus: 0,
          MaxvCpus: 99936,
          InstanceTypes: ["p4d.24xlarge"],
          InstanceRole: get("BatchP4dP4dInstanceProfile", "Arn"),
          LaunchTemplate: {
            LaunchTemplateId: ref("BatchP4dP4dLaunchTemplate"),
            Version: get("BatchP4dP4dLaunchTemplate", "LatestVersionNumber"),
          },
          Ec2Configuration: [
            {
              ImageType: "ECS_AL2023_NVIDIA",
              ImageIdOverride: {
                "Fn::If": [
                  "HasAmi",
                  ref("Ami"),
                  ref("AWS::NoValue"),
                ],
              },
            },
          ],
          UpdateToLatestImageVersion: true,
          Ec2KeyPair: {
            "Fn::If": [
              "HasKey",
              ref("Key"),
              ref("AWS::NoValue"),
            ],
          },
          Subnets: {
            "Fn::Split": [
              ",",
              {
                "Fn::ImportValue": sub("${VpcStack}-PrivateSubnet"),
              },
            ],
          },
        },
      },
    },
    BatchP4dP4dJobQueue: {
      Type: "AWS::Batch::JobQueue",
      Properties: {
        ComputeEnvironmentOrder: [
          {
            ComputeEnvironment: ref("BatchP4dP4dComputeEnvironment"),
            Order: 1,
          },
        ],
        Priority: 1,
      },
    },
    StressRepository: {
      Type: "AWS::ECR::Repository",
      DeletionPolicy: "RetainExceptOnCreate",
      UpdateReplacePolicy: "Retain",
      Properties: {
        RepositoryName: "stress",
        EncryptionConfiguration: {
          EncryptionType: "AES256",
        },
        ImageScanningConfiguration: {
          ScanOnPush: true,
        },
      },
    },
    StressSingleJobDefinition: {
      Type: "AWS::Batch::JobDefinition",
      Properties: {
        Type: "container",
        ContainerProperties: container,
        RetryStrategy: {
          Attempts: 10,
        },
        PropagateTags: true,
      },
    },
    StressMultiJobDefinition: {
      Type: "AWS::Batch::JobDefinition",
      Properties: {
        Type: "multinode",
        NodeProperties: {
          MainNode: 0,
          NumNodes: 2,
          NodeRangeProperties: [
            {
              TargetNodes: "0:",
              Container: container {
                InstanceType: "p4d.24xlarge",
                Environment: [
                  { Name: "FI_PROVIDER", Value: "efa" },
                  { Name: "NCCL_NET", Value: "AWS Libfabric" },
                  { Name: "NCCL_SOCKET_IFNAME", Value: "^lo,docker,ecs" },
                ],
              },
            },
          ],
        },
        RetryStrategy: {
          Attempts: 10,
        },
        PropagateTags: true,
      },
    },
  },
  Outputs: {
    P4dJobQueue: {
      Description: "Where jobs for this group of nodes are submitted",
      Value: ref("BatchP4dP4dJobQueue"),
      Export: {
        Name: sub("${AWS::StackName}-P4dJobQueue"),
      },
    },
    P4dComputeEnvironment: {
      Description: "Starts and stops the nodes of the group",
      Value: ref("BatchP4dP4dComputeEnvironment"),
      Export: {
        Name: sub("${AWS::StackName}-P4dComputeEnvironment"),
      },
    },
    StressRepository: {
      Description: "Repository of the image",
      Value: ref("StressRepository"),
    },
    StressRepositoryUri: {
      Description: "Where the image is pushed to",
      Value: get("StressRepository", "RepositoryUri"),
    },
    StressSingleJobDefinition: {
      Description: "Definition of the job, with its revision",
      Value: ref("StressSingleJobDefinition"),
    },
    StressMultiJobDefinition: {
      Description: "Definition of the job, with its revision",
      Value: ref("StressMultiJobDefinition"),
    },
  },
}
