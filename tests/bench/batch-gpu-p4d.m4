changequote([[, ]])dnl
dnl The template of fixtures/reference/batch-gpu-p4d the way one writes it with m4: the same bytes as dtc's, for
dnl `make bench`. What repeats is a macro; nothing is checked.
changecom()dnl
define([[FOR_EACH]], [[ifelse(eval($2 <= $3), 1, [[pushdef([[$1]], $2)$4[[]]popdef([[$1]])$0([[$1]], incr($2), $3, [[$4]])]])]])dnl
define([[INTERFACE]], [[        - NetworkCardIndex: $1
          DeviceIndex: ifelse($1, 0, 0, 1)
          InterfaceType: efa
          Groups:
          - Fn::ImportValue: !Sub ${VpcStack}-SecurityGroup
          DeleteOnTermination: true
]])dnl
define([[DEVICE]], [[$1- HostPath: /dev/infiniband/uverbs$2
]])dnl
define([[CONTAINER]], [[$1Image: !Sub ${StressRepository.RepositoryUri}:latest
$1Command:
$1- /workspace/gpu-nccl-sanity.sh
$1ResourceRequirements:
$1- Type: VCPU
$1  Value: "1"
$1- Type: MEMORY
$1  Value: "16384"
$1- Type: GPU
$1  Value: "8"
$2$1Ulimits:
$1- Name: memlock
$1  SoftLimit: -1
$1  HardLimit: -1
$1- Name: stack
$1  SoftLimit: 67108864
$1  HardLimit: 67108864
$1- Name: nofile
$1  SoftLimit: 1024000
$1  HardLimit: 1024000
$1LinuxParameters:
$1  SharedMemorySize: 8192
$1  Devices:
FOR_EACH([[i]], 0, 3, [[DEVICE([[$1  ]], i)]])]])dnl
define([[ENVIRONMENT]], [[$1Environment:
$1- Name: FI_PROVIDER
$1  Value: efa
$1- Name: NCCL_NET
$1  Value: AWS Libfabric
$1- Name: NCCL_SOCKET_IFNAME
$1  Value: ^lo,docker,ecs
]])dnl
define([[TAGS]], [[        - ResourceType: $1
          Tags:
          - Key: Name
            Value: batch-p4d-p4d
]])dnl
# Written by dtc from infra.dt. Do not edit: change the source.
AWSTemplateFormatVersion: "2010-09-09"
Description: Multi-node training on p4d.24xlarge with AWS Batch
Metadata:
  AWS::CloudFormation::Interface:
    ParameterGroups:
    - Label:
        default: Optional
      Parameters:
      - VpcStack
      - Ami
      - Odcr
      - OdcrGroup
      - Key
    ParameterLabels:
      VpcStack:
        default: Vpc stack
      Ami:
        default: Ami
      Odcr:
        default: Odcr
      OdcrGroup:
        default: Odcr group
      Key:
        default: Key
Parameters:
  VpcStack:
    Type: String
    Description: Stack of the network, made from ../vpc-one-az
    Default: LargeScaleVPC
    AllowedPattern: ^[A-Za-z][A-Za-z0-9-]{0,127}$
    ConstraintDescription: such as shared-vpc
  Ami:
    Type: String
    Description: Image in place of the GPU image that AWS Batch chooses
    Default: ""
    AllowedPattern: ^(?:ami-([0-9a-f]{8}|[0-9a-f]{17}))?$
    ConstraintDescription: such as ami-0123456789abcdef0, or nothing
  Odcr:
    Type: String
    Description: Capacity reservation to run in
    Default: ""
    AllowedPattern: ^(?:cr-([0-9a-f]{8}|[0-9a-f]{17}))?$
    ConstraintDescription: such as cr-0123456789abcdef0, or nothing
  OdcrGroup:
    Type: String
    Description: Resource group of capacity reservations, where no single one is given
    Default: ""
    AllowedPattern: ^(?:arn:aws(-[a-z]+)*:resource-groups:[a-z0-9-]+:[0-9]{12}:group/[A-Za-z0-9_.-]{1,300}(/[a-z0-9]+)?)?$
    ConstraintDescription: such as arn:aws:resource-groups:us-east-1:123456789012:group/reservations, or nothing
  Key:
    Type: String
    Description: Key pair for ssh to the nodes
    Default: ""
    AllowedPattern: ^(?:[!-~]([ -~]{0,253}[!-~])?)?$
    ConstraintDescription: such as my-key, or nothing
Conditions:
  HasAmi: !Not [!Equals [!Ref Ami, ""]]
  HasOdcr: !Not [!Equals [!Ref Odcr, ""]]
  HasOdcrGroup: !Not [!Equals [!Ref OdcrGroup, ""]]
  InChina: !Equals [!Ref AWS::Partition, aws-cn]
  HasKey: !Not [!Equals [!Ref Key, ""]]
Resources:
  BatchP4dP4dLaunchTemplate:
    Type: AWS::EC2::LaunchTemplate
    Properties:
      LaunchTemplateData:
        NetworkInterfaces:
FOR_EACH([[i]], 0, 3, [[INTERFACE(i)]])dnl
        MetadataOptions:
          HttpEndpoint: enabled
          HttpTokens: required
          HttpPutResponseHopLimit: 1
          InstanceMetadataTags: enabled
        BlockDeviceMappings: !If
        - HasAmi
        - !Ref AWS::NoValue
        - - DeviceName: /dev/xvda
            Ebs:
              VolumeType: gp3
              Encrypted: true
              DeleteOnTermination: true
        CapacityReservationSpecification: !If
        - HasOdcr
        - CapacityReservationTarget:
            CapacityReservationId: !Ref Odcr
        - !If
          - HasOdcrGroup
          - CapacityReservationPreference: capacity-reservations-only
            CapacityReservationTarget:
              CapacityReservationResourceGroupArn: !Ref OdcrGroup
          - !Ref AWS::NoValue
        InstanceInitiatedShutdownBehavior: terminate
        UserData: !Base64 |
undivert([[user-data.indented]])dnl
        TagSpecifications:
TAGS(instance)dnl
TAGS(volume)dnl
  BatchP4dP4dInstanceRole:
    Type: AWS::IAM::Role
    Properties:
      AssumeRolePolicyDocument:
        Version: "2012-10-17"
        Statement:
        - Effect: Allow
          Principal:
            Service: !If [InChina, ec2.amazonaws.com.cn, ec2.amazonaws.com]
          Action: sts:AssumeRole
      ManagedPolicyArns:
      - !Sub arn:${AWS::Partition}:iam::aws:policy/service-role/AmazonEC2ContainerServiceforEC2Role
      - !Sub arn:${AWS::Partition}:iam::aws:policy/AmazonSSMManagedInstanceCore
  BatchP4dP4dInstanceProfile:
    Type: AWS::IAM::InstanceProfile
    Properties:
      Roles:
      - !Ref BatchP4dP4dInstanceRole
  BatchP4dP4dComputeEnvironment:
    Type: AWS::Batch::ComputeEnvironment
    Properties:
      Type: MANAGED
      ReplaceComputeEnvironment: false
      UpdatePolicy:
        TerminateJobsOnUpdate: false
        JobExecutionTimeoutMinutes: 360
      ComputeResources:
        Type: EC2
        AllocationStrategy: BEST_FIT_PROGRESSIVE
        MinvCpus: 0
        MaxvCpus: 99936
        InstanceTypes:
        - p4d.24xlarge
        InstanceRole: !GetAtt BatchP4dP4dInstanceProfile.Arn
        LaunchTemplate:
          LaunchTemplateId: !Ref BatchP4dP4dLaunchTemplate
          Version: !GetAtt BatchP4dP4dLaunchTemplate.LatestVersionNumber
        Ec2Configuration:
        - ImageType: ECS_AL2023_NVIDIA
          ImageIdOverride: !If [HasAmi, !Ref Ami, !Ref AWS::NoValue]
        UpdateToLatestImageVersion: true
        Ec2KeyPair: !If [HasKey, !Ref Key, !Ref AWS::NoValue]
        Subnets: !Split
        - ","
        - Fn::ImportValue: !Sub ${VpcStack}-PrivateSubnet
  BatchP4dP4dJobQueue:
    Type: AWS::Batch::JobQueue
    Properties:
      ComputeEnvironmentOrder:
      - ComputeEnvironment: !Ref BatchP4dP4dComputeEnvironment
        Order: 1
      Priority: 1
  StressRepository:
    Type: AWS::ECR::Repository
    DeletionPolicy: RetainExceptOnCreate
    UpdateReplacePolicy: Retain
    Properties:
      RepositoryName: stress
      EncryptionConfiguration:
        EncryptionType: AES256
      ImageScanningConfiguration:
        ScanOnPush: true
  StressSingleJobDefinition:
    Type: AWS::Batch::JobDefinition
    Properties:
      Type: container
      ContainerProperties:
CONTAINER([[        ]])dnl
      RetryStrategy:
        Attempts: 10
      PropagateTags: true
  StressMultiJobDefinition:
    Type: AWS::Batch::JobDefinition
    Properties:
      Type: multinode
      NodeProperties:
        MainNode: 0
        NumNodes: 2
        NodeRangeProperties:
        - TargetNodes: "0:"
          Container:
            InstanceType: p4d.24xlarge
CONTAINER([[            ]], [[ENVIRONMENT([[            ]])]])dnl
      RetryStrategy:
        Attempts: 10
      PropagateTags: true
Outputs:
  P4dJobQueue:
    Description: Where jobs for this group of nodes are submitted
    Value: !Ref BatchP4dP4dJobQueue
    Export:
      Name: !Sub ${AWS::StackName}-P4dJobQueue
  P4dComputeEnvironment:
    Description: Starts and stops the nodes of the group
    Value: !Ref BatchP4dP4dComputeEnvironment
    Export:
      Name: !Sub ${AWS::StackName}-P4dComputeEnvironment
  StressRepository:
    Description: Repository of the image
    Value: !Ref StressRepository
  StressRepositoryUri:
    Description: Where the image is pushed to
    Value: !GetAtt StressRepository.RepositoryUri
  StressSingleJobDefinition:
    Description: Definition of the job, with its revision
    Value: !Ref StressSingleJobDefinition
  StressMultiJobDefinition:
    Description: Definition of the job, with its revision
    Value: !Ref StressMultiJobDefinition
