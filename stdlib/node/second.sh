# shellcheck shell=sh disable=SC1091,SC2034,SC2154
# What follows the first stage of a node's check and has no room in user data: a script that nodes fetch from the
# cluster's `artifacts`, which device.sh, report.sh, timer.sh and after.sh are the parts of. `second`, its URL, and `sum`
# are set in front of this. Where it cannot be fetched, the first stage's verdict stands.

# Its sum is compared each time. Images of EKS have the AWS CLI. Those of ECS are built on the minimal Amazon Linux 2023,
# which lacks it (aws/amazon-ecs-ami@a2532d35, variables.pkr.hcl, 2026-08, read 2026-11). In the packages of Amazon Linux 2
# it has another name.
fetch() {
    file=/opt/dtc/second
    [ "$(sha256sum <$file)" = "$sum  -" ] || {
        command -v aws || timeout 99 yum -yq install awscli-2 || timeout 99 yum -yq install awscli
        timeout 60 aws s3 cp --only-show-errors "$second" $file.$$
        [ "$(sha256sum <$file.$$)" = "$sum  -" ] && mv $file.$$ $file
    }
}

deepen() {
    if fetch; then
        . /opt/dtc/second
        go_on
    else
        say 'no second stage: it cannot be fetched'
    fi
}

# Units that it has started.
case $1 in
again | report)
    fetch && . /opt/dtc/second
    exit
    ;;
esac
