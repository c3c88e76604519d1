# shellcheck shell=sh disable=SC2034,SC2154
# AWS Batch and Amazon EKS replace a node that fails for as long as somebody wants it, and a node sees no other one. So each
# that fails puts the time into a parameter of Systems Manager, once an hour at most. That has a version more with each,
# whoever writes at the same time, and keeps the last hundred of them (AWS Systems Manager User Guide, parameter versions,
# https://docs.aws.amazon.com/systems-manager/latest/userguide/sysman-paramstore-versions.html, read 2026-11). Where more
# than `most` nodes have failed within an hour, what fails is not theirs: the others say so, and take work. They go on
# counting, so that none is ended before that is over. Where nobody counts, a node that fails stays, and no other one is
# bought in its place.
#
# aws.sh stands in front of it.
#
#   parameter   /dtc/CLUSTER/GROUP
#   most        a fifth of the group

# shellcheck disable=SC2086 # words
ask() { # put|get VERSION QUERY [OPTIONS]
    timeout 60 aws ssm "$1-parameter" --output text --name "$parameter/failed$2" --query "$3" $4
}

# What patient.sh defines anew.
crowd() { false; }

# Sets `mild` where the node takes work all the same. Fails where it is not counted.
brake() {
    if [ -z "$(find . -name braked -mmin -60)" ]; then
        has_aws
        now=$(date +%s) before=0
        count=$(ask put '' Version "--overwrite --type String --value $now") || {
            crowd
            return
        }
        [ "$count" -le "$most" ] || before=$(ask get ":$((count-most))" Parameter.Value)
        [ $((now-${before:-$now})) -gt 3600 ] || mild="more than $most of its group failed within an hour"
        echo "$mild" >braked
    fi
    mild=$(cat braked)
}
