# shellcheck shell=sh disable=SC2034,SC2154
# AWS Batch: the ECS agent takes work. A node that fails stays up, is paid for, and keeps its place among those that the
# compute environment may have, until it is ended. Its launch template says that one which powers off is terminated.
agent=ecs.service

# A tag of the instance, as the metadata service has it: two seconds for each of its answers; without them the node is
# checked as ever.
switch() {
    set -- http://169.254.169.254/latest X-aws-ec2-metadata-token
    token=$(curl -fsm 2 -X PUT -H "$2-ttl-seconds: 60" "$1/api/token")
    curl -fsm 2 -H "$2: $token" "$1/meta-data/tags/instance/dtc-validate"
}

# Nobody counts those that fail, unless brake.sh does.
brake() { false; }

admit() { :; }
