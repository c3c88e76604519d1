# shellcheck shell=sh
# Images of EKS have the AWS CLI. Those of ECS are built on the minimal Amazon Linux 2023, which lacks it
# (aws/amazon-ecs-ami@a2532d35, variables.pkr.hcl, 2026-08, read 2026-11). In the packages of Amazon Linux 2 it has
# another name.
has_aws() {
    command -v aws || timeout 99 yum -yq install awscli-2 || timeout 99 yum -yq install awscli
}
